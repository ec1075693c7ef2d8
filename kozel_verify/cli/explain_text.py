"""The pages of ``kozel explain``: each as lines for people and as plain data that says the same."""

import shlex
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from textwrap import wrap

from kozel_verify.cli.graph import Teller
from kozel_verify.cli.problems import place
from kozel_verify.language.codes import Code, file_of
from kozel_verify.language.spans import Span
from kozel_verify.model.clauses import Clause
from kozel_verify.model.dependencies import Names
from kozel_verify.verify.course import course
from kozel_verify.verify.dossier import Dossier, Needed, Promise, Recorded
from kozel_verify.verify.findings import Json, Verdict, exit_of
from kozel_verify.verify.manifest import Entry
from kozel_verify.verify.run import takes
from kozel_verify.verify.trusted import MEANS, trusted

Page = tuple[list[str], dict[str, object]]
WIDTH, INDENT = 110, 15


def _short(span: Span) -> str:
    return f"{Path(span.file).name}:{span.line}"


def _said(label: str, text: str) -> list[str]:
    """A label, and a text beside it, wrapped; nothing when there is no text."""
    lines = wrap(text, WIDTH - INDENT, break_long_words=False, break_on_hyphens=False)
    return [f"  {label if n == 0 else '':<{INDENT - 2}}{line}" for n, line in enumerate(lines)]


def _cites(places: Sequence[str]) -> str:
    return f"  @ {', '.join(places)}" if places else ""


def _paragraph(text: str) -> list[str]:
    return [f"  {line}" for line in wrap(text, WIDTH - 2)]


def _text(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.split("\n")]


# --- promises --------------------------------------------------------------------------------------------------------


def promise_page(dossier: Dossier, promise: Promise, argument: str) -> Page:
    """What a promise says, rests on, and how far it was shown; ``argument`` is what means its spec in a command."""
    recorded, entry = dossier.recorded(promise.name)
    again = f"kozel verify {shlex.quote(argument)} --only {shlex.quote(promise.name)}"
    needs = [c for c in dossier.clauses.by_name.values() if c.name in promise.needs]
    methods = [str(leg["method"]) for leg in _legs(entry)]
    rests = trusted(methods) if entry is not None else []
    game = dossier.game.name
    where = (
        f"{promise.kind.value} of {game}, {_short(promise.spans[0])}"
        if promise.spans
        else f"of every game, so of {game}"
    )
    lines = [f"{promise.name}: {where}{_cites(promise.citations)}"]
    lines += _said("says", promise.says) if promise.general else _text(promise.says)
    lines += _said("at", ", ".join(promise.nodes) if len(promise.nodes) < len(dossier.game.nodes) else "all nodes")
    lines += _said("rests on", ", ".join(f"{c.kind.value} {c.name} ({_short(c.span)})" for c in needs))
    if promise.of_play:
        lines += _said("and on" if needs else "rests on", f"all of play: {len(dossier.clauses.play)} clauses")
    lines += _said("reads", _reads(promise.reads))
    lines += _said("shown", _shown(recorded, entry))
    lines += [f"  {'':<{INDENT - 2}}{line}" for line in _leg_lines(_legs(entry))]
    for n, text in enumerate(rests):
        lines += _said("trusted" if n == 0 else "", text)
    steps = takes(dossier.spec, promise.name)
    lines += _said("run it", again)
    lines += _said("which takes", _taken(steps))
    return lines, {
        "found": "promise",
        "name": promise.name,
        "kind": promise.kind.value,
        "spec": dossier.game.name,
        "says": promise.says,
        "places": [place(span) for span in promise.spans],
        "citations": list(promise.citations),
        "nodes": list(promise.nodes),
        "needs": [c.name for c in needs],
        "of_play": promise.of_play,
        "reads": _names_data(promise.reads),
        "record": recorded.value,
        "verdict": None if entry is None else entry["verdict"],
        "legs": list(_legs(entry)),
        "trusted": rests,
        "again": again,
        "takes": steps,
    }


def _taken(steps: Sequence[Sequence[str]]) -> str:
    """What running it comes to; what no record says, how long, is not said here either."""
    last = "; it ends where the promise is settled, but with --check-record all is done" if len(steps) > 1 else ""
    return "; then ".join(", ".join(step) for step in steps) + last


def _legs(entry: Entry | None) -> list[dict[str, Json]]:
    legs = entry["legs"] if entry is not None else []
    assert isinstance(legs, list)
    return [leg for leg in legs if isinstance(leg, dict)]


def _shown(recorded: Recorded, entry: Entry | None) -> str:
    match recorded:
        case Recorded.HERE if entry is not None:
            return f"{entry['verdict']}, as recorded of exactly this text"
        case Recorded.OTHER_TEXT if entry is not None:
            return f"{entry['verdict']} in a record that is of another text: it may not hold any more"
        case _:
            return "nothing is recorded of it"


def _leg_lines(legs: Sequence[dict[str, Json]]) -> list[str]:
    """A line for each method; the option sets of one closure together, as far as their verdicts agree."""
    lines = []
    for (method, verdict), group in groupby(legs, key=lambda leg: (_family(str(leg["method"])), str(leg["verdict"]))):
        rows = list(group)
        sets = f" ({len(rows)} sets of options)" if len(rows) > 1 else ""
        counts = _counts(rows)
        lines.append(f"{verdict:<10} {method}{sets}{f': {counts}' if counts else ''}")
        lines += [f"{'':<11}{part}" for row in rows if (told := row.get("detail")) for part in str(told).split("; ")]
    return lines


def _family(method: str) -> str:
    return method.split(",")[0] if method.startswith("closure ") else method


def _counts(rows: Sequence[dict[str, Json]]) -> str:
    cases, visited, holds = (_total(rows, key) for key in ("cases", "visited", "holds"))
    if cases is None:
        return ""
    parts = [f"{cases:,} {'case' if cases == 1 else 'cases'}"]
    if visited is not None and visited != cases:
        parts.append(f"{visited:,} visited")
    if holds is not None and holds != cases:
        parts.append(f"holds in {holds:,}")
    return ", ".join(parts)


def _total(rows: Sequence[dict[str, Json]], key: str) -> int | None:
    numbers = [n for row in rows if isinstance(n := row[key], int)]
    return sum(numbers) if len(numbers) == len(rows) else None


def _names_data(names: Names) -> dict[str, list[str]]:
    kinds = ("functions", "cells", "zones", "options")
    return {kind: sorted(getattr(names, kind)) for kind in kinds}


def _reads(names: Names) -> str:
    return "; ".join(f"{kind} {', '.join(found)}" for kind, found in _names_data(names).items() if found)


# --- clauses and nodes -----------------------------------------------------------------------------------------------


def clause_page(dossier: Dossier, clause: Clause, line: int | None) -> Page:
    """The text of a clause, and which promises need it; ``line`` is the one that was asked for, if one was."""
    needed = next(n for n in dossier.needed if n.clause is clause)
    cited = dossier.cited(clause.span)
    names = sorted(dossier.clauses.named_by(clause.name), key=list(dossier.clauses.by_name).index)
    named_by = dossier.named_by(clause.name)
    nodes = dossier.nodes_in(clause)
    changes = sorted(dossier.clauses.changed_by(clause.name))
    text = dossier.written(clause.span)
    head = f"{clause.name}: {clause.kind.value} of {dossier.game.name}, {_short(clause.span)}"
    lines = [head + _cites(cited), *_text(text)]
    if line is not None:
        at = Span(clause.span.file, line, 1, line, 1)
        lines += _said("line", f"{line}: {dossier.written(at).strip()}")
    lines += _said("names", ", ".join(names)) + _said("named by", ", ".join(named_by))
    lines += _said("changes", ", ".join(changes)) + _said("nodes", ", ".join(nodes))
    lines += _said("needed by", _needed(needed))
    lines += _said("in play", _in_play(dossier, needed))
    return lines, {
        "found": "clause",
        "name": clause.name,
        "kind": clause.kind.value,
        "spec": dossier.game.name,
        "text": text,
        **place(clause.span),
        "asked_line": line,
        "citations": cited,
        "names": names,
        "named_by": named_by,
        "changes": changes,
        "nodes": nodes,
        "needed_by": list(needed.by),
        "in_play": needed.in_play,
    }


def _needed(needed: Needed) -> str:
    if not needed.by:
        return "the statement of no promise"
    return f"{_promises(len(needed.by))}: {_listed(needed.by)}"


def _listed(names: Iterable[str]) -> str:
    """Names of promises; titles of scenarios in quotes."""
    return ", ".join(f'"{name}"' if " " in name else name for name in names)


def _promises(number: int) -> str:
    return "the statement of 1 promise" if number == 1 else f"the statements of {number} promises"


def _in_play(dossier: Dossier, needed: Needed) -> str:
    if not needed.in_play:
        return "no: play does not come to it"
    of_play = [p for p in dossier.promises if p.of_play]
    general = [p.name for p in of_play if p.general]
    return f"yes: all {len(of_play)} promises about play rest on it, among them {', '.join(general)}"


def node_page(dossier: Dossier, names: tuple[str, ...]) -> Page:
    """The nodes of a name (copies share it), with what follows them and what is stated there."""
    found = [stop for stop in course(dossier.spec.program, dossier.game).stops if stop.name in names]
    teller = Teller(dossier.game, "en")
    stated = dossier.stated_at(names)
    lines = []
    for stop in found:
        lines += [*teller.stop(stop), f"  written at {_short(stop.span)}"]
    lines += _said("stated here", _listed(p.name for p in stated))
    return lines, {
        "found": "node",
        "spec": dossier.game.name,
        "nodes": [{"name": stop.name, "at": stop.at, **place(stop.span)} for stop in found],
        "stated": [p.name for p in stated],
    }


def code_page(name: str, code: Code) -> Page:
    """What an error means, with the smallest text that has it."""
    lines = [f"{name}: an error: {code.title}", *_paragraph(code.explanation)]
    for key, text in code.files.items():
        lines += ["", f"  with {file_of(key)}:", *_text(text.rstrip("\n"))]
    if code.example:
        where = {"items": " (an item)", "statements": " (a statement of `deal`)"}.get(code.frame, "")
        lines += ["", f"  for example{where}:", *_text(code.example.rstrip("\n"))]
    return lines, {
        "found": "error",
        "name": name,
        "title": code.title,
        "explanation": code.explanation,
        "example": code.example,
        "frame": code.frame,
        "files": dict(code.files),
    }


def verdict_page(verdict: Verdict) -> Page:
    """What a verdict says, and the exit code of `verify` when it is the loudest."""
    code = int(exit_of((verdict,)))
    lines = [f"{verdict.value}: a verdict", *_paragraph(MEANS[verdict])]
    lines += _said("exit code", f"{code} of `kozel verify`, where no other verdict is louder")
    return lines, {"found": "verdict", "name": verdict.value, "explanation": MEANS[verdict], "exit": code}


# --- all clauses -----------------------------------------------------------------------------------------------------


def clause_list(dossier: Dossier) -> Page:
    """Every clause with the number of promises whose statements need it, then those that no statement needs."""
    needed = dossier.needed
    general = [p.name for p in dossier.promises if p.general]
    head = f"{dossier.game.name}: {len(needed)} clauses, {len(dossier.promises)} promises"
    lines = [head, "", "  needed by the statements of so many promises:"]
    width = max((len(f"{n.clause.kind.value} {n.clause.name}") for n in needed), default=0)
    for n in needed:
        clause = n.clause
        lines.append(f"  {len(n.by):>6}  {f'{clause.kind.value} {clause.name}':<{width}}  {_short(clause.span)}")
    untold = [n for n in needed if not n.by]
    lines += _untold(f"no statement needs these; of all promises only those about all of play ({', '.join(general)}) "
                     "touch them:", (n for n in untold if n.in_play))  # fmt: skip
    lines += _untold("no statement needs these, and play does not come to them:", (n for n in untold if not n.in_play))
    return lines, {
        "spec": dossier.game.name,
        "hash": dossier.spec.hash,
        "promises": len(dossier.promises),
        "of_every_game": general,
        "clauses": [
            {
                "name": n.clause.name,
                "kind": n.clause.kind.value,
                **place(n.clause.span),
                "citations": dossier.cited(n.clause.span),
                "needed_by": list(n.by),
                "in_play": n.in_play,
            }
            for n in needed
        ],
    }


def _untold(head: str, needed: Iterable[Needed]) -> list[str]:
    names = [f"{n.clause.kind.value} {n.clause.name}" for n in needed]
    if not names:
        return []
    return ["", *_paragraph(head), *(f"    {line}" for line in wrap(", ".join(names), WIDTH - 4))]
