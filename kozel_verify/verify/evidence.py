"""A piece of work, and what it brings back: legs and counterexamples by the obligation's name."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from kozel_verify.verify.findings import Counterexample, Leg


@dataclass(frozen=True, slots=True)
class Work:
    """``kind`` names the function that does it; ``arguments`` are plain data. ``serves``: the obligations it is for."""

    kind: str
    arguments: tuple[object, ...]
    serves: tuple[str, ...]

    @property
    def method(self) -> str:
        """What is done, in words, for people."""
        pack = f" of pack `{self.arguments[0]}`" if self.kind in ("closure", "pairs") else ""
        return f"{self.kind.replace('_', ' ')}{pack}"

    def text(self) -> str:
        """In words, for people, and for which promises."""
        about = self.serves[0] if len(self.serves) == 1 else f"{len(self.serves)} promises"
        return f"{self.method} ({about})"


@dataclass(frozen=True, slots=True)
class Evidence:
    """``legs`` and ``counterexamples`` are pairs (name of the obligation, what was found). ``queries``: the keys of the
    solver's queries, where they are listed. ``hard``: the first queries (SMT-LIB) on which the solver gave up, where
    they are asked for; ``given_up``: how many these are in all. ``problem``: why the store could not be written."""

    legs: tuple[tuple[str, Leg], ...] = ()
    counterexamples: tuple[tuple[str, Counterexample], ...] = ()
    seconds: float = 0.0
    queries: tuple[str, ...] = ()
    hard: tuple[str, ...] = ()
    given_up: int = 0
    problem: str = ""


def merged(first: Evidence, second: Evidence) -> Evidence:
    """The evidence of two parts of one work."""
    return Evidence(
        (*first.legs, *second.legs),
        (*first.counterexamples, *second.counterexamples),
        first.seconds + second.seconds,
        (*first.queries, *second.queries),
        (*first.hard, *second.hard),
        first.given_up + second.given_up,
        first.problem or second.problem,
    )


def only_for(evidence: Evidence, names: Collection[str]) -> Evidence:
    """What it says of these obligations."""
    legs = tuple((n, leg) for n, leg in evidence.legs if n in names)
    return replace(
        evidence, legs=legs, counterexamples=tuple((n, c) for n, c in evidence.counterexamples if n in names)
    )


def legs_of(name: str, evidence: Iterable[Evidence]) -> list[Leg]:
    return [leg for e in evidence for n, leg in e.legs if n == name]


def counterexample_of(name: str, evidence: Iterable[Evidence]) -> Counterexample | None:
    """The one to show: a confirmed one, with a run before one without, on the full pack, the shortest."""
    found = [c for e in evidence for n, c in e.counterexamples if n == name]
    return min(found, key=_preference, default=None)


def _preference(c: Counterexample) -> tuple[bool, bool, bool, int]:
    return not c.confirmed, c.run is None, bool(c.pack), len(c.run or ())
