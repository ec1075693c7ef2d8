"""On how many pairs of groups do two predicates differ that are nothing but a matching each?

In go the relation between single cards on each side (who answers whom) and the size of the groups; out come exact
numbers. A pair of disjoint groups of ``k`` cards each is decided by which of the targets each reply answers, on either
side. So for a group of targets the other cards are of at most ``4**k`` kinds, groups with equally many cards of each
kind have equally many differing pairs, and for each such signature all multisets of kinds are visited once, each
counted as often as it occurs. The idea is that of ``exhaustive.groups``, with two relations at once; tests hold it
against plain enumeration.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from kozel_verify.exhaustive.groups import all_pairings

Relation = Sequence[int]  # for each card the mask of the cards that answer it
Kind = tuple[int, int]  # which targets a card answers, on each side


def differing_pairs(cards: Sequence[int], size: int, relations: tuple[Relation, Relation]) -> tuple[int, int]:
    """(pairs of disjoint groups of this size, pairs on which the two matchings differ)."""
    cases = comb(len(cards), size) * comb(len(cards) - size, size)
    if all(relations[0][c] == relations[1][c] for c in cards):
        return cases, 0
    pack = sum(1 << c for c in cards)
    signatures: Counter[tuple[tuple[Kind, int], ...]] = Counter()
    for group in combinations(cards, size):
        signature = _signature(pack, group, relations)
        if any(kind[0] != kind[1] for kind, _ in signature):
            signatures[signature] += 1
    return cases, sum(times * _differing(signature, size) for signature, times in signatures.items())


def _signature(pack: int, targets: Sequence[int], relations: tuple[Relation, Relation]) -> tuple[tuple[Kind, int], ...]:
    """How many of the other cards are of each kind."""
    parts = {(0, 0): pack & ~sum(1 << t for t in targets)}
    for n, target in enumerate(targets):
        split: dict[Kind, int] = {}
        for (x, y), cards in parts.items():
            for in_a in (False, True):
                for in_b in (False, True):
                    rows = relations[0][target], relations[1][target]
                    some = cards & (rows[0] if in_a else ~rows[0]) & (rows[1] if in_b else ~rows[1])
                    if some:
                        split[x | in_a << n, y | in_b << n] = some
        parts = split
    return tuple(sorted((kind, cards.bit_count()) for kind, cards in parts.items()))


def _differing(signature: Sequence[tuple[Kind, int]], size: int) -> int:
    """Groups of replies on which the two sides differ."""
    held, found = dict(signature), 0
    for kinds in combinations_with_replacement(sorted(held), size):
        if all(x == y for x, y in kinds):
            continue
        ways = prod(comb(held[kind], times) for kind, times in Counter(kinds).items())
        if ways:
            mine, theirs = (tuple(sorted(kind[side] for kind in kinds)) for side in (0, 1))
            if _matched(mine, size) is not _matched(theirs, size):
                found += ways
    return found


@cache
def _matched(kinds: tuple[int, ...], size: int) -> bool:
    rows = [sum((kind >> target & 1) << n for n, kind in enumerate(kinds)) for target in range(size)]
    return all_pairings(rows)


def smallest_pair(cards: Sequence[int], size: int, relations: tuple[Relation, Relation]) -> tuple[int, int] | None:
    """The first (replies, targets), in the order of the deck, on which the two differ."""
    unlike = {t for t in cards if relations[0][t] != relations[1][t]}
    for replies in combinations(cards, size):
        for targets in combinations([c for c in cards if c not in replies], size):
            if unlike.isdisjoint(targets):
                continue
            rows = [[sum((r[t] >> c & 1) << n for n, c in enumerate(replies)) for t in targets] for r in relations]
            if all_pairings(rows[0]) is not all_pairings(rows[1]):
                return sum(1 << c for c in replies), sum(1 << t for t in targets)
    return None
