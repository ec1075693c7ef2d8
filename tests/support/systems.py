"""The page of systems: what is promised of each game and how far it was shown, and what a table may agree on.

From the records in `proofs/` and the specs. Nothing is verified here; a record of another text of a spec is said to be
one.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import Game
from kozel_verify.model.load import Spec, load
from kozel_verify.verify import mutate_record
from kozel_verify.verify.findings import Kind
from kozel_verify.verify.manifest import Entry, Manifest, read
from kozel_verify.verify.mutate import Status
from kozel_verify.verify.option_sets import option_sets, possible
from tests.support.cited import ROOT, SPEC

_HEAD = """\
# Systems

<!-- made by `python -m tests.support.pages` from `proofs/` and `spec/`, not edited -->

What was shown of each game, as recorded in [`proofs`](../proofs), and what a table may agree on.
[`trust.md`](trust.md) says what a verdict means and what it rests on. A promise is about all allowed combinations of
the options, but for a witness, which is one run under one of them, and for scenarios and examples, which are about the
options that they set, the others at their defaults. For each promise the tables of the games give the method on which
the verdict rests, with the cases that it represents, those that it visited and those in which the statement's relation
holds; *further* counts the other methods by their verdicts, with all that they visited.
"""
_FAULTS = """\
What became of every small fault in the rules ([`kozel mutate`](decisions/0014-mutation.md)): noticed by a promise, or
proved to change nothing that anybody could tell; a fault may also leave no game at all. Such a proof may take it for
granted that what the spec claims of its states holds, which is what the promises above show."""
_EVERY_GAME = [
    Kind.CONSERVATION,
    Kind.WELL_DEFINED,
    Kind.NEVER_STUCK,
    Kind.ENDS,
    Kind.NO_PEEKING,
    Kind.OPTIONS_COVERED,
]


@dataclass(frozen=True, slots=True)
class System:
    """A game and its record; ``None`` where none was made."""

    spec: Spec
    record: Manifest | None
    faults: mutate_record.Record | None = None

    @property
    def name(self) -> str:
        return self.spec.game.name

    @property
    def fresh(self) -> bool:
        """The record is of exactly these texts."""
        return self.record is not None and self.record.hash == self.spec.hash

    def promises(self, kind: Kind) -> list[Entry]:
        return [o for o in self.record.obligations.values() if o["kind"] == kind.value] if self.record else []


def systems(spec: Path = SPEC, proofs: Path = ROOT / "proofs") -> list[System]:
    return [
        System(
            load(path),
            read(proofs / f"{path.stem}.json"),
            mutate_record.read(mutate_record.path_in(proofs, path.stem)),
        )
        for path in sorted(spec.glob("*.kozel"))
    ]


def page() -> str:
    return page_of(systems())


def page_of(games: list[System]) -> str:
    lines = [*_HEAD.split("\n"), "## By obligation", "", *_by_obligation(games), ""]
    lines += ["## Faults planted", "", _FAULTS, "", *_faults(games), ""]
    lines += ["## By option", "", "The default of each option; `–` where a game has no such option.", ""]
    lines += _by_option(games)
    for game in games:
        lines += ["", f"## {game.name}", "", *_game(game)]
    return "\n".join(lines).rstrip() + "\n"


def _by_obligation(games: list[System]) -> Iterator[str]:
    yield f"| promise | {' | '.join(g.name for g in games)} |"
    yield f"|---|{'---|' * len(games)}"
    yield f"| record | {' | '.join(_state(g) for g in games)} |"
    for kind in [*_EVERY_GAME, *(k for k in Kind if k not in _EVERY_GAME)]:
        yield f"| {kind.value} | {' | '.join(_verdicts(g, kind) for g in games)} |"


def _faults(games: list[System]) -> Iterator[str]:
    yield f"| game | planted | {' | '.join(status.value for status in Status)} | asked |"
    yield f"|---|{'---:|' * (1 + len(Status))}---|"
    for game in games:
        record = game.faults
        if record is None:
            yield f"| {game.name} | – |{' |' * len(Status)} nothing is recorded |"
            continue
        found = Counter(str(entry["status"]) for entry in record.mutants.values() if isinstance(entry, dict))
        counts = " | ".join(str(found[status.value]) for status in Status)
        asked = "until one notices" if record.first else "every promise"
        stale = "" if record.hash == game.spec.hash else ", of another text"
        yield f"| {game.name} | {len(record.mutants)} | {counts} | {asked}{stale} |"


def _state(game: System) -> str:
    if game.record is None:
        return "none"
    return "of this text" if game.fresh else "of another text"


def _verdicts(game: System, kind: Kind) -> str:
    found = game.promises(kind)
    if kind in _EVERY_GAME:
        return ", ".join(f"{o['verdict']} ({_decisive(o)['method']})" for o in found) or "–"
    counts = Counter(str(o["verdict"]) for o in found)
    return ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())) or "–"


def _decisive(promise: Entry) -> dict[str, Any]:
    """The leg that a verdict rests on: the first that says the same."""
    legs: Any = promise["legs"]
    return next((leg for leg in legs if leg["verdict"] == promise["verdict"]), legs[0])


def _by_option(games: list[System]) -> Iterator[str]:
    names = sorted({name for g in games for name in g.spec.game.options})
    yield f"| option | {' | '.join(g.name for g in games)} |"
    yield f"|---|{'---|' * len(games)}"
    for name in names:
        yield f"| {name} | {' | '.join(_default(g, name) for g in games)} |"


def _default(game: System, name: str) -> str:
    option = game.spec.game.options.get(name)
    return "–" if option is None else value_text(game.spec.game, option.default, option.type)


def _game(game: System) -> Iterator[str]:
    title = game.spec.game.titles.get("en", game.name)
    yield f"{title}: [`spec/{game.name}.kozel`](../spec/{game.name}.kozel), {game.spec.game.seats} seats."
    yield from _options(game.spec.game)
    if game.record is None:
        yield from ("", "Nothing is recorded of it.")
        return
    if not game.fresh:
        yield from ("", "**The record is of another text of the spec**: what follows was found before its last change.")
    yield from ("", "| promise | kind | verdict | method | cases | visited | holds | further |")
    yield "|---|---|---|---|---:|---:|---:|---|"
    for name, promise in game.record.obligations.items():
        leg = _decisive(promise)
        counts = " | ".join("" if leg[key] is None else f"{leg[key]:,}" for key in ("cases", "visited", "holds"))
        cells = f"{_plain(name)} | {promise['kind']} | {promise['verdict']} | {_plain(leg['method'])}"
        yield f"| {cells} | {counts} | {_further(promise)} |"


def _options(game: Game) -> Iterator[str]:
    """What a table may agree on: the values that some allowed combination has."""
    if not game.options:
        return
    allowed, there = option_sets(game), possible(game)
    yield from ("", f"Allowed combinations of options: {len(allowed):,}.", "")
    yield from ("| option | values, the default first | |", "|---|---|---|")
    for option in game.options.values():
        values = [option.default, *(v for v in option.values if v != option.default and (option.name, v) in there)]
        shown = ", ".join(value_text(game, v, option.type) for v in values)
        yield f"| {option.name} | {shown} | {option.text.get('en', '')} |"


def _further(promise: Entry) -> str:
    """The other methods by what they showed: how many, and what they visited together."""
    legs: Any = promise["legs"]
    first = _decisive(promise)
    visited: dict[str, list[int]] = {}
    for leg in legs:
        if leg is not first:
            visited.setdefault(leg["verdict"], []).append(leg["visited"] or 0)
    return ", ".join(
        f"{len(n)} {verdict}{f' ({sum(n):,})' if sum(n) else ''}" for verdict, n in sorted(visited.items())
    )


def _plain(text: str) -> str:
    return text.replace("|", "\\|")
