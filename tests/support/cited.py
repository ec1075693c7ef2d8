"""Everything in `spec/` that cites: each clause, property, example and scenario with its place and what it cites."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path

from kozel_verify.language import syntax as s
from kozel_verify.language.parse import parse
from kozel_verify.model.books import READINGS, SOURCES, Reading, SourceText, readings_of, sources_of
from kozel_verify.model.clauses import words_in

ROOT = Path(__file__).resolve().parents[2]
SPEC = ROOT / "spec"


class Said(Enum):
    """What kind of thing cites."""

    RULE = "rule"  # a part of the rules
    CLAIM = "claim"  # what is promised of them
    EXAMPLE = "example"  # an example, or a scenario
    WORDS = "words"  # a text for players, or a need of a module


@dataclass(frozen=True, slots=True)
class Citing:
    """``names`` are ``unit.name``: one for most; for an example one for each name that it mentions. ``at``: the places
    cited, each with the line of the citation in ``file`` (from the folder `spec`)."""

    said: Said
    names: tuple[str, ...]
    file: str
    at: tuple[tuple[str, int], ...]

    def places(self) -> frozenset[str]:
        return frozenset(place for place, _ in self.at)


@cache
def sources() -> dict[str, SourceText]:
    table = sources_of((SPEC / SOURCES).read_text(encoding="utf-8"), SOURCES)
    assert table.texts is not None, table.problems
    return table.texts


@cache
def readings() -> dict[str, Reading]:
    table = readings_of((SPEC / READINGS).read_text(encoding="utf-8"), READINGS)
    assert table.entries is not None, table.problems
    return table.entries


@cache
def citings() -> tuple[Citing, ...]:
    """Of the games and their modules, in the order of files, and of each file's text. A boast alone states no rule
    that its game does not state."""
    paths = sorted([*SPEC.glob("*.kozel"), *(SPEC / "lib").glob("*.kozel")])
    return tuple(c for path in paths for c in citings_of(path))


def citings_of(path: Path) -> Iterator[Citing]:
    file = path.relative_to(SPEC).as_posix()
    unit = parse(path.read_text(encoding="utf-8"), file)
    for item in unit.items:
        lines = range(item.span.line, item.span.end_line + 1)
        at = [(p, c.span.line) for c in unit.citations if c.span.line in lines for p in c.places]
        if at:
            said, names = _named(item)
            yield Citing(said, tuple(f"{unit.name}.{n}" for n in names), file, tuple(at))


def _named(item: s.Item) -> tuple[Said, tuple[str, ...]]:
    match item:
        case s.Replaceable(inner):
            return _named(inner)
        case s.ExampleOf(statement):
            return Said.EXAMPLE, tuple(dict.fromkeys(words_in(statement)))
        case s.ScenarioOf(title):
            return Said.EXAMPLE, (title,)
        case s.Title() | s.Term() | s.Source() | s.Need():
            return Said.WORDS, ()
        case (
            s.LemmaOf()
            | s.ClaimOf()
            | s.StepClaimOf()
            | s.MenuClaimOf()
            | s.MeasureOf()
            | s.SecretOf()
            | s.CompiledOf()
        ):
            return Said.CLAIM, (str(item.name),)
        case s.Withdrawn(named):
            return Said.CLAIM, tuple(map(str, named))
        case s.Result(word):
            return Said.RULE, (word,)
        case s.DeckOf():
            return Said.RULE, ("deck",)
        case s.Seats():
            return Said.RULE, ("seats",)
        case s.Constraint():
            return Said.RULE, ("constraint",)
        case _:
            return Said.RULE, (str(item.name),)


def lines_of(place: str) -> list[str]:
    """The lines with sentences that a place names, as places: ``K:33-35`` names two. None for a reading."""
    if ":" not in place:
        return []
    name, _, lines = place.partition(":")
    first, _, last = lines.replace("–", "-").partition("-")
    spoken = sources()[name].sentences
    return [f"{name}:{n}" for n in range(int(first), int(last or first) + 1) if spoken[n - 1]]
