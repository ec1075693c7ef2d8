"""A comparison as lines of text, and as data for JSON."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from kozel_verify.interpret.text import value_text
from kozel_verify.language.folders import data_folder
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Game
from kozel_verify.model.types import Value
from kozel_verify.symbolic.bisimulation import TABLE
from kozel_verify.verify.differ.changes import Change
from kozel_verify.verify.differ.compare import Comparison
from kozel_verify.verify.differ.functions import FunctionAnswer, Situation, Verdict, settled_apart
from kozel_verify.verify.differ.lockstep import Kind
from kozel_verify.verify.differ.partings import Parting
from kozel_verify.verify.differ.proof import own_options
from kozel_verify.verify.differ.search import MenuCount
from kozel_verify.verify.differ.sides import Side
from kozel_verify.verify.scenario_text import call_text, cells_text

INSIDE = "  "
FEW = 8  # changed clauses that make no difference are not all told


def lines_of(result: Comparison) -> list[str]:
    """The whole comparison for card players."""
    return [
        *_heads(result),
        _verdict(result),
        *_played(result),
        *(f"{INSIDE}{line}" for line in result.declared),
        *_changed(result),
        *_functions(result),
        *_menus(result),
        *_looked(result),
    ]


def _heads(result: Comparison) -> Iterator[str]:
    for label, side in (("A", result.a), ("B", result.b)):
        given = ", ".join(f"{n} = {_option(side.game, n, v)}" for n, v in side.fixed.items())
        yield f"{label} is {side.game.name} ({shown_path(side.spec.path)})" + (f" with {given}" if given else "")


def shown_path(path: str) -> str:
    """A file as the user knows it: one that comes with the tool by its name alone."""
    shipped = data_folder("spec")
    return Path(path).name if shipped in Path(path).parents else path


def _at(span: Span) -> str:
    return f"{shown_path(span.file)}:{span.line}:{span.column}"


def _option(game: Game, name: str, value: Value) -> str:
    return value_text(game, value, game.options[name].type)


def _verdict(result: Comparison) -> str:
    if result.apart is not None:
        return f"DIFFERENT: {result.apart}"
    if result.partings:
        first = result.partings[0]
        return f"DIFFERENT: {first.difference.text}"
    if result.declared:
        return "DIFFERENT: not everybody is shown the same"
    if result.same:
        return "EQUAL: the rules are the same, but for names of games and promises and places in texts; none was played"
    proof = result.proof
    if proof is not None and proof.proved:
        counts = proof.counts
        alike = f"{counts.alike} of {counts.edges} steps are written alike, {counts.queries} queries for the others"
        if proof.functions:
            alike += "; equal in all situations: " + ", ".join(f"`{name}`" for name in proof.functions)
        under = "".join(f", with {text}" for text in own_options(result.a, result.b))
        return f"EQUAL: nobody can tell them apart in any play, proved{under} ({alike})"
    return "NO DIFFERENCE FOUND, and not proved that there is none"


# --- plays ------------------------------------------------------------------------------------------------------------


def _played(result: Comparison) -> Iterator[str]:
    for number, parting in enumerate(result.partings):
        if number == 0:
            yield from (INSIDE + line for line in _parting(result, parting))
        else:
            yield f"{INSIDE}also on the pack `{parting.pack}`: {_short(parting)}"


def _parting(result: Comparison, parting: Parting) -> Iterator[str]:
    yield f"A: {parting.difference.said[0]}"
    yield f"B: {parting.difference.said[1]}"
    yield f"{_where(parting)}, at `{parting.where}`"
    if parting.setting.name:
        yield f"with {parting.setting.name} on both sides"
    yield from (INSIDE + line for line in parting.seen)
    if parting.alike:
        what = "who sees what" if parting.difference.kind is Kind.TOLD else "this"
        yield f"({what} cannot be said in a scenario: these two show the play)"
    for label, scenario in zip("AB", parting.scenarios, strict=True):
        yield f"in {label}:"
        yield from (INSIDE + line for line in scenario.rstrip("\n").split("\n"))


def _where(parting: Parting) -> str:
    pack = f"the pack `{parting.pack}`" if parting.pack else "the full pack"
    return f"after {parting.steps} step{'s' * (parting.steps != 1)} on {pack}"


def _short(parting: Parting) -> str:
    found = parting.difference
    return f"after {parting.steps} step{'s' * (parting.steps != 1)}, {found.text}; A {found.said[0]}, B {found.said[1]}"


# --- clauses ----------------------------------------------------------------------------------------------------------


def _changed(result: Comparison) -> Iterator[str]:
    if not result.changes:
        return
    decisive = [c for c in result.changes if c.responsible]
    yield f"changed clauses: {len(result.changes)}" + (f", {len(decisive)} of them decisive here" if decisive else "")
    others = [c for c in result.changes if not c.responsible]
    for change in (*decisive, *others[:FEW]):
        yield f"{INSIDE}`{change.name}`{_role(change)}"
        for label, span, text in zip("AB", change.spans, change.texts, strict=True):
            yield f"{INSIDE * 2}{label}: {f'`{text}` ({_at(span)})' if text else 'none'}"
    if len(others) > FEW:
        yield f"{INSIDE}and {len(others) - FEW} more"


def _role(change: Change) -> str:
    match change.removes, change.brings:
        case True, _:
            return ": without this change the two do not part there"
        case _, True:
            return ": this change alone parts them there"
        case None, None:
            return ""
        case _:
            return ": the difference does not come from it"


# --- functions --------------------------------------------------------------------------------------------------------


def _functions(result: Comparison) -> Iterator[str]:
    if result.functions:
        options = settled_apart(result.a, result.b)
        yield f"functions that are not written alike{', or read what is set otherwise' if options else ''}:"
    for answer in result.functions:
        yield f"{INSIDE}{_function(result.a, answer)}"
        if answer.smallest is not None:
            yield f"{INSIDE * 2}{situation_text(result, answer, answer.smallest)}"


def _function(side: Side, answer: FunctionAnswer) -> str:
    name = f"`{answer.name}`"
    match answer.verdict:
        case Verdict.COUNTED if answer.differing:
            return f"{name} differs in {answer.differing:,} of {answer.cases:,} situations ({answer.counted})"
        case Verdict.COUNTED:
            return f"{name} is equal in all {answer.cases:,} situations ({answer.counted})"
        case Verdict.EQUAL:
            return f"{name} is equal, proved by the solver ({answer.counted})"
        case Verdict.AT_LEAST_ONE:
            return f"{name} differs in at least one situation, found by the solver ({answer.reason} are not counted)"
        case _:
            return f"{name}: not decided ({answer.reason})"


def situation_text(result: Comparison, answer: FunctionAnswer, found: Situation) -> str:
    """The call, the cells and options that it reads, and what each side makes of it, in one line."""
    game = result.a.game
    call = call_text(game, answer.name, found.arguments)
    given = cells_text(game, found.cells)
    for name, option in game.options.items():
        if found.options[0][name] != option.default and name not in result.a.fixed:
            given.append(f"{name} = {_option(game, name, found.options[0][name])}")
    values = []
    for side, value, undefined in zip((result.a, result.b), found.results, found.undefined, strict=True):
        type_ = side.game.functions[answer.name].type
        values.append("has no value" if undefined else value_text(side.game, value, type_))
    return f"{call}{' with ' + ', '.join(given) if given else ''}: {values[0]} in A, {values[1]} in B"


# --- menus and numbers ------------------------------------------------------------------------------------------------


def menus_of(result: Comparison) -> dict[str, MenuCount]:
    """All counts together, by node."""
    found: dict[str, MenuCount] = {}
    for looked in result.looked:
        for node, count in looked.found.menus.items():
            whole = found.setdefault(node, MenuCount(node))
            for kind in ("same", "stricter", "laxer", "other"):
                setattr(whole, kind, getattr(whole, kind) + getattr(count, kind))
    return found


KINDS = {"stricter": "A is stricter", "laxer": "A is laxer", "other": "each allows something else"}


def _menus(result: Comparison) -> Iterator[str]:
    counts = [c for c in menus_of(result).values() if c.differs]
    if counts:
        yield "what may be chosen, in the states that both come to:"
    for c in counts:
        told = [f"{text} in {getattr(c, kind):,}" for kind, text in KINDS.items() if getattr(c, kind)]
        yield f"{INSIDE}`{c.node}`: {', '.join(told)}, the same in {c.same:,}"
        for example in result.examples:
            if example.node == c.node:
                where = f"on the pack `{example.pack}`" if example.pack else "on the full pack"
                said = f"A {example.said[0]}, B {example.said[1]}"
                yield f"{INSIDE * 2}{KINDS[example.kind]}, say, after {len(example.run)} steps {where}: {said}"


def _looked(result: Comparison) -> Iterator[str]:
    if result.looked:
        yield "looked at:"
    packs: dict[str, list[int]] = {}
    for looked in result.looked:
        row = packs.setdefault(looked.pack, [0, 0, 0, 0])
        row[0] += 1
        row[1] += looked.found.states
        row[2] += looked.found.deals
        row[3] += not looked.found.complete
    for pack, (settings, states, deals, cut) in packs.items():
        under = f" under {settings} settings of the options" if settings > 1 else ""
        if pack:
            yield f"{INSIDE}pack `{pack}`: {states:,} states of the first deal{under}, {_whole(settings, cut)}"
        else:
            early = "; no more, as the two had parted" if result.cut else ""
            yield f"{INSIDE}full pack: {deals:,} random deals{under}, {states:,} states{early}"
    if result.proof is not None and result.proof.failure is not None:
        failure = result.proof.failure
        where = "cannot be made" if failure.place == TABLE else f"not shown at {failure.place}"
        yield f"{INSIDE}proof: {where}: {failure.why}"


def _whole(searches: int, cut: int) -> str:
    if not cut:
        return "all there are"
    return "there are more" if cut == searches else f"there are more under {cut} of them"


# --- data -------------------------------------------------------------------------------------------------------------


def data_of(result: Comparison) -> dict[str, object]:
    """The comparison as JSON-able data."""
    proof = result.proof
    failure = None if proof is None else proof.failure
    return {
        "a": _side(result.a),
        "b": _side(result.b),
        "verdict": result.verdict,
        "same": result.same,
        "cut": result.cut,
        "apart": result.apart,
        "declared": list(result.declared),
        "own_options": own_options(result.a, result.b),
        "partings": [_parting_data(p) for p in result.partings],
        "changes": [_change_data(c) for c in result.changes],
        "functions": [_function_data(result, f) for f in result.functions],
        "menus": [
            {"node": c.node, "same": c.same, "stricter": c.stricter, "laxer": c.laxer, "other": c.other}
            for c in menus_of(result).values()
        ],
        "examples": [
            {"node": e.node, "kind": e.kind, "pack": e.pack, "steps": len(e.run), "a": e.said[0], "b": e.said[1]}
            for e in result.examples
        ],
        "looked": [
            {
                "pack": looked.pack,
                "setting": looked.setting.name,
                "states": looked.found.states,
                "deals": looked.found.deals,
                "complete": looked.found.complete,
            }
            for looked in result.looked
        ],
        "proof": proof
        and {
            "proved": proof.proved,
            "queries": proof.counts.queries,
            "rlimit": proof.counts.rlimit,
            "edges": proof.counts.edges,
            "alike": proof.counts.alike,
            "invariants": proof.invariants,
            "functions": list(proof.functions),
            "place": failure and failure.place,
            "why": failure and failure.why,
        },
    }


def _side(side: Side) -> dict[str, object]:
    options: Mapping[str, Value] = side.fixed
    return {
        "name": side.game.name,
        "path": shown_path(side.spec.path),
        "hash": side.spec.hash,
        "options": {n: _option(side.game, n, v) for n, v in options.items()},
    }


def _parting_data(p: Parting) -> dict[str, object]:
    return {
        "pack": p.pack,
        "setting": p.setting.name,
        "steps": p.steps,
        "node": p.where,
        "kind": p.difference.kind.name.lower(),
        "what": p.difference.text,
        "a": p.difference.said[0],
        "b": p.difference.said[1],
        "scenarios": {"a": p.scenarios[0], "b": p.scenarios[1]},
        "alike": p.alike,
    }


def _change_data(c: Change) -> dict[str, object]:
    return {
        "name": c.name,
        "a": {"at": _at(c.spans[0]), "text": c.texts[0]} if c.texts[0] else None,
        "b": {"at": _at(c.spans[1]), "text": c.texts[1]} if c.texts[1] else None,
        "removes": c.removes,
        "brings": c.brings,
    }


def _function_data(result: Comparison, f: FunctionAnswer) -> dict[str, object]:
    return {
        "name": f.name,
        "verdict": f.verdict.value,
        "own": f.own,
        "cases": f.cases,
        "differing": f.differing,
        "counted": f.counted,
        "first": f.smallest and situation_text(result, f, f.smallest),
        "reason": f.reason,
    }
