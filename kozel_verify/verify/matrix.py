"""Which obligations kill which mutants, and how many of them are needed.

In go the killers of each mutant; out come, for each obligation, how many it kills and how many it alone kills; the
obligations that are redundant, each by itself; and a smallest set that kills all that is killed. The set is found by
the usual reductions and branch and bound; where that takes more than ``NODES`` branches it is a small set, said not to
be exact. Nothing here depends on the order of anything but the given one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

NODES = 200_000
Sets = dict[str, int]  # obligation -> the mutants that it kills, as bits


@dataclass(frozen=True, slots=True)
class Cover:
    """``exact``: is no smaller set sufficient?"""

    names: tuple[str, ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class Matrix:
    """``kills``: by obligation, in the order of the report, the mutants that it kills (their positions)."""

    kills: Mapping[str, frozenset[int]]

    @classmethod
    def of(cls, obligations: Sequence[str], killers: Sequence[Sequence[str]]) -> "Matrix":
        """``killers``: for each mutant the obligations that notice it."""
        found: dict[str, set[int]] = {name: set() for name in obligations}
        for number, names in enumerate(killers):
            for name in names:
                found[name].add(number)
        return cls({name: frozenset(mutants) for name, mutants in found.items()})

    def alone(self, name: str) -> frozenset[int]:
        """The mutants that this obligation kills and no other."""
        others = [mutants for other, mutants in self.kills.items() if other != name]
        return self.kills[name].difference(*others)

    @property
    def redundant(self) -> tuple[str, ...]:
        """The obligations that kill something, but nothing that no other kills. (Not all of them can go together.)"""
        return tuple(name for name, mutants in self.kills.items() if mutants and not self.alone(name))

    @property
    def idle(self) -> tuple[str, ...]:
        """The obligations that kill nothing."""
        return tuple(name for name, mutants in self.kills.items() if not mutants)

    def smallest(self, nodes: int = NODES) -> Cover:
        """A smallest set of obligations that kills all that is killed at all, in the order of the report."""
        sets = {name: sum(1 << m for m in mutants) for name, mutants in self.kills.items() if mutants}
        search = _Search(nodes)
        search.best = _greedy(sets)
        search.branch(sets, ())
        chosen = set(search.best)
        return Cover(tuple(name for name in self.kills if name in chosen), search.left > 0)


def _union(sets: Sets) -> int:
    whole = 0
    for mutants in sets.values():
        whole |= mutants
    return whole


def _greedy(sets: Sets) -> tuple[str, ...]:
    todo, found = _union(sets), list[str]()
    while todo:
        name = max(sets, key=lambda n: (sets[n] & todo).bit_count())  # the first of the best
        found.append(name)
        todo &= ~sets[name]
    return tuple(found)


@dataclass(slots=True)
class _Search:
    """``left``: branches that may still be looked at."""

    left: int
    best: tuple[str, ...] = field(default=())

    def branch(self, sets: Sets, taken: tuple[str, ...]) -> None:
        """The smallest set that has what is ``taken`` and covers all mutants in ``sets``."""
        if self.left <= 0:
            return
        self.left -= 1
        sets, taken = _reduced(sets, taken)
        if not sets:
            if len(taken) < len(self.best):
                self.best = taken
            return
        if len(taken) + _bound(sets) >= len(self.best):
            return
        hardest = min(_bits(_union(sets)), key=lambda m: sum(mutants >> m & 1 for mutants in sets.values()))
        killers = sorted((n for n in sets if sets[n] >> hardest & 1), key=lambda n: -sets[n].bit_count())
        rest = dict(sets)
        for name in killers:
            self.branch({n: s & ~sets[name] for n, s in rest.items() if n != name}, (*taken, name))
            del rest[name]  # the next branches are without it
            if _union(rest) != _union(sets):
                return


def _bits(mutants: int) -> list[int]:
    return [n for n in range(mutants.bit_length()) if mutants >> n & 1]


def _reduced(sets: Sets, taken: tuple[str, ...]) -> tuple[Sets, tuple[str, ...]]:
    """Without obligations that another covers, and without mutants that are killed with another one; what alone kills
    some mutant is taken."""
    while True:
        before = sets
        sets = _maximal(sets)
        by_mutant: dict[int, int] = {}  # mutant -> the obligations, as bits
        for place, mutants in enumerate(sets.values()):
            for m in _bits(mutants):
                by_mutant[m] = by_mutant.get(m, 0) | 1 << place
        kept = _minimal(by_mutant)
        names = list(sets)
        needed = {names[k.bit_length() - 1] for m, k in by_mutant.items() if m in kept and k.bit_count() == 1}
        taken = (*taken, *(n for n in names if n in needed))
        gone = 0
        for name in needed:
            gone |= sets[name]
        mask = sum(1 << m for m in kept) & ~gone
        sets = {n: s & mask for n, s in sets.items() if n not in needed and s & mask}
        if sets == before:
            return sets, taken


def _maximal(sets: Sets) -> Sets:
    """Of equal sets the first stays."""
    found: Sets = {}
    for name, mutants in sorted(sets.items(), key=lambda item: -item[1].bit_count()):
        if mutants and not any(mutants & ~other == 0 for other in found.values()):
            found[name] = mutants
    return {name: found[name] for name in sets if name in found}


def _minimal(by_mutant: Mapping[int, int]) -> set[int]:
    """The mutants that have to be looked at: whoever kills them kills the others too."""
    found: dict[int, int] = {}
    for m, killers in sorted(by_mutant.items(), key=lambda item: (item[1].bit_count(), item[0])):
        if not any(other & ~killers == 0 for other in found.values()):
            found[m] = killers
    return set(found)


def _bound(sets: Sets) -> int:
    """At least so many are needed: mutants of which no two have a killer in common."""
    used, number = 0, 0
    places = {name: 1 << n for n, name in enumerate(sets)}
    rows = [sum(places[n] for n, s in sets.items() if s >> m & 1) for m in _bits(_union(sets))]
    for killers in sorted(rows, key=int.bit_count):
        if not killers & used:
            used |= killers
            number += 1
    return number
