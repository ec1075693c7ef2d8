"""What a piece of work brings back: legs and counterexamples by the obligation's name."""

from collections.abc import Iterable
from dataclasses import dataclass

from kozel_verify.verify.findings import Counterexample, Leg


@dataclass(frozen=True, slots=True)
class Evidence:
    """``legs`` and ``counterexamples`` are pairs (name of the obligation, what was found)."""

    legs: tuple[tuple[str, Leg], ...] = ()
    counterexamples: tuple[tuple[str, Counterexample], ...] = ()
    seconds: float = 0.0


def legs_of(name: str, evidence: Iterable[Evidence]) -> list[Leg]:
    return [leg for e in evidence for n, leg in e.legs if n == name]


def counterexample_of(name: str, evidence: Iterable[Evidence]) -> Counterexample | None:
    """The one to show: a confirmed one, with a run before one without, on the full pack, the shortest."""
    found = [c for e in evidence for n, c in e.counterexamples if n == name]
    return min(found, key=_preference, default=None)


def _preference(c: Counterexample) -> tuple[bool, bool, bool, int]:
    return not c.confirmed, c.run is None, bool(c.pack), len(c.run or ())
