"""Complete sweep of a compiled matching against the reference, over all pairs of groups of cards.

In go the cards, the size k of a group, for each environment (say, for each value of a cell that the relation reads) the
relation between single cards, and the compiled decision. Out come exact counts and, where the two differ, a concrete
pair of groups.

A pair (targets, replies) is decided through the k x k matrix of the relation between its cards alone: ``decides`` sees
nothing else. So the work is done in two complete parts.

1. Both decisions on *all* 2^(k*k) matrices. The reference tries all k! pairings.
2. The pairs themselves, counted exactly. For a group of targets each other card is one of 2^k kinds: which of the
   targets it beats. How many cards there are of each kind, up to the order of the targets, is the group's *signature*;
   groups with one signature have the same pairs. For each signature all multisets of k kinds are visited, each counted
   as often as it occurs (a product of binomials).

When part 1 finds no difference, none exists among the pairs. When it finds some, the pairs are searched for one whose
matrix is among them, in the cards' own order: a decision that depends on the order of the cards is caught as well.

Trusted: that the relation given is the rule's predicate (the caller evaluates it on all ordered pairs of cards).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import comb

from kozel_verify.model.types import members

MAX_SIZE = 4  # 2^(k*k) matrices are tried: 65,536 for 4, 33 million for 5

Decision = Callable[[Sequence[int]], bool]
"""Decides a matrix: entry ``i`` is the set (a mask of positions 0..k-1) of replies that beat target ``i``."""


@dataclass(frozen=True, slots=True)
class Environment:
    """``relation[t]`` is the mask of cards that beat card ``t`` (indexed by card number, for every card of the pack).

    ``targets``: the groups to sweep, as masks of exactly k cards of the pack; ``None`` for all of them.
    """

    relation: Sequence[int]
    targets: Iterable[int] | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A pair of groups on which the decisions differ; cards ascending, ``environment`` a position in the input."""

    environment: int
    targets: tuple[int, ...]
    replies: tuple[int, ...]
    reference: bool
    compiled: bool


@dataclass(frozen=True, slots=True)
class Sweep:
    """``cases``: pairs of disjoint groups represented, over all environments; ``visited``: pairs of a signature and a
    multiset of kinds that were looked at; ``holds``: pairs in which the reference finds a matching. ``matrices`` were
    decided both ways, ``differing`` of them with different results."""

    size: int
    cases: int
    visited: int
    holds: int
    signatures: int
    matrices: int
    differing: int
    difference: Difference | None


def all_pairings(rows: Sequence[int]) -> bool:
    """The reference: some pairing gives each target a reply of its own that beats it."""
    pairings = permutations(range(len(rows)))
    return any(all(row >> reply & 1 for row, reply in zip(rows, pairing, strict=True)) for pairing in pairings)


def sweep(cards: Sequence[int], size: int, environments: Sequence[Environment], compiled: Decision) -> Sweep:
    """Compare ``compiled`` with the reference on all pairs of disjoint groups of ``size`` cards out of ``cards``.

    ``size`` is 1..``MAX_SIZE``; ``ValueError`` otherwise, or when a target group has another size or other cards.
    """
    if not 1 <= size <= MAX_SIZE:
        raise ValueError(f"groups of {size} cards; 1..{MAX_SIZE} can be swept")
    reference_table = _reference_table(size)
    compiled_table = tuple(bool(compiled(rows)) for rows in _all_matrices(size))
    differing = {code for code, (a, b) in enumerate(zip(reference_table, compiled_table, strict=True)) if a is not b}
    groups = [tuple(_groups(cards, size, environment)) for environment in environments]
    signatures = _signatures(cards, size, environments, groups)
    by_kinds = {kinds: reference_table[_code(size, kinds)] for kinds in _multisets(range(1 << size), size)}
    cases = visited = holds = 0
    for signature, times in signatures.items():
        seen, represented, held = _count(signature, size, by_kinds)
        visited += seen
        cases += times * represented
        holds += times * held
    difference = _find(cards, size, environments, groups, differing, reference_table) if differing else None
    return Sweep(size, cases, visited, holds, len(signatures), len(reference_table), len(differing), difference)


# --- matrices --------------------------------------------------------------------------------------------------------
# A matrix is also a number: kind (column) j, the mask of targets that reply j beats, stands in bits j*k .. j*k+k-1.


@cache
def _reference_table(size: int) -> tuple[bool, ...]:
    """What the reference says of each matrix, by its number."""
    return tuple(all_pairings(rows) for rows in _all_matrices(size))


def _all_matrices(size: int) -> Iterator[tuple[int, ...]]:
    for code in range(1 << size * size):
        yield _rows(size, [code >> reply * size & ((1 << size) - 1) for reply in range(size)])


def _rows(size: int, kinds: Sequence[int]) -> tuple[int, ...]:
    return tuple(sum((kind >> target & 1) << reply for reply, kind in enumerate(kinds)) for target in range(size))


def _code(size: int, kinds: Sequence[int]) -> int:
    return sum(kind << reply * size for reply, kind in enumerate(kinds))


def _multisets(kinds: Sequence[int], size: int) -> Iterator[tuple[int, ...]]:
    """Ascending tuples of ``size`` kinds, repetitions allowed."""
    if size == 0:
        yield ()
        return
    for i, kind in enumerate(kinds):
        for rest in _multisets(kinds[i:], size - 1):
            yield (kind, *rest)


# --- counting --------------------------------------------------------------------------------------------------------


def _groups(cards: Sequence[int], size: int, environment: Environment) -> Iterator[int]:
    if environment.targets is None:
        for chosen in combinations(sorted(cards), size):
            yield sum(1 << c for c in chosen)
        return
    pack = sum(1 << c for c in cards)
    for group in environment.targets:
        if group.bit_count() != size or group & ~pack:
            raise ValueError(f"a target group is not {size} cards of the pack: {tuple(members(group))}")
        yield group


def _signatures(
    cards: Sequence[int], size: int, environments: Sequence[Environment], groups: Sequence[Sequence[int]]
) -> Counter[tuple[int, ...]]:
    """Signature (number of cards of each kind) -> number of (environment, group) that have it."""
    pack = sum(1 << c for c in cards)
    raw: Counter[tuple[int, ...]] = Counter()
    for environment, its_groups in zip(environments, groups, strict=True):
        relation = environment.relation
        for group in its_groups:
            parts = [pack & ~group]
            for target in members(group):
                beaten_by = relation[target]
                parts = [p & ~beaten_by for p in parts] + [p & beaten_by for p in parts]
            raw[tuple(p.bit_count() for p in parts)] += 1
    orders = [_kinds_reordered(size, order) for order in permutations(range(size))]
    merged: Counter[tuple[int, ...]] = Counter()
    for signature, times in raw.items():
        merged[min(tuple(signature[k] for k in order) for order in orders)] += times
    return merged


def _kinds_reordered(size: int, order: Sequence[int]) -> tuple[int, ...]:
    """Where each kind comes from when the targets are put into another order."""
    return tuple(sum((kind >> i & 1) << target for i, target in enumerate(order)) for kind in range(1 << size))


def _count(signature: Sequence[int], size: int, by_kinds: dict[tuple[int, ...], bool]) -> tuple[int, int, int]:
    """(multisets visited, groups of replies represented, those that the reference matches) for one signature."""
    chosen: list[tuple[tuple[int, ...], int]] = [((), 1)]  # kinds so far, and in how many ways cards have them
    for kind, count in enumerate(signature):
        if count:
            chosen += [
                (kinds + (kind,) * n, ways * comb(count, n))
                for kinds, ways in chosen
                for n in range(1, min(count, size - len(kinds)) + 1)
            ]
    full = [(ways, by_kinds[kinds]) for kinds, ways in chosen if len(kinds) == size]
    return len(full), sum(ways for ways, _ in full), sum(ways for ways, holds in full if holds)


# --- a pair in which the decisions differ ----------------------------------------------------------------------------


def _find(
    cards: Sequence[int],
    size: int,
    environments: Sequence[Environment],
    groups: Sequence[Sequence[int]],
    differing: set[int],
    reference_table: Sequence[bool],
) -> Difference | None:
    """The first pair whose matrix, in the cards' own order, is among ``differing``; ``None`` when no pair has one."""
    tree = _prefix_tree(size, differing)
    for index, (environment, its_groups) in enumerate(zip(environments, groups, strict=True)):
        for group in its_groups:
            targets = tuple(members(group))
            others = [c for c in sorted(cards) if not group >> c & 1]
            kinds = [sum((environment.relation[t] >> c & 1) << i for i, t in enumerate(targets)) for c in others]
            found = _subsequence(tree, kinds, 0)
            if found is not None:
                answer = reference_table[_code(size, [kinds[i] for i in found])]
                return Difference(index, targets, tuple(others[i] for i in found), answer, not answer)
    return None


class _Tree(dict[int, "_Tree"]):
    """Sequences of kinds, by first kind; a sequence's end is an empty tree."""


def _prefix_tree(size: int, codes: Iterable[int]) -> _Tree:
    root = _Tree()
    for code in codes:
        tree = root
        for reply in range(size):
            tree = tree.setdefault(code >> reply * size & ((1 << size) - 1), _Tree())
    return root


def _subsequence(tree: _Tree, kinds: Sequence[int], start: int) -> tuple[int, ...] | None:
    """Positions, ascending from ``start``, whose kinds spell a sequence of the tree. The first place of each kind is
    the only one to try: whatever can follow a later place can follow that one."""
    if not tree:
        return ()
    seen: set[int] = set()
    for position in range(start, len(kinds)):
        kind = kinds[position]
        if kind in tree and kind not in seen:
            seen.add(kind)
            rest = _subsequence(tree[kind], kinds, position + 1)
            if rest is not None:
                return (position, *rest)
    return None
