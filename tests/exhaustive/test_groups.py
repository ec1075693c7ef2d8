"""The sweep of pairs of groups counts as plain loops do, and a wrong decision never passes."""

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

import pytest

from kozel_verify.exhaustive.groups import Environment, Sweep, all_pairings, sweep
from kozel_verify.model.deck import Deck
from kozel_verify.model.types import members

FULL = Deck(("♠", "♣", "♦", "♥"), ("6", "7", "8", "9", "J", "Q", "K", "10", "A"))
SMALL = Deck(("♠", "♥"), ("6", "Q", "K", "A"))
Beats = Callable[[Deck, int, int, int], bool]


def beats(deck: Deck, x: int, y: int, trump: int) -> bool:
    """Higher of the suit, or a trump on a plain card; card 0 beats all others and is beaten by none."""
    if x == y or y == 0:
        return False
    ruff = deck.suit(x) == trump and deck.suit(y) != trump
    return x == 0 or (deck.suit(x) == deck.suit(y) and deck.rank(x) > deck.rank(y)) or ruff


def relation(deck: Deck, trump: int) -> list[int]:
    cards = range(len(deck))
    return [sum(1 << x for x in cards if beats(deck, x, y, trump)) for y in cards]


def environments(deck: Deck) -> list[Environment]:
    return [Environment(relation(deck, trump)) for trump in range(len(deck.suits))]


def pairs(deck: Deck, size: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    for targets in combinations(range(len(deck)), size):
        for replies in combinations([c for c in range(len(deck)) if c not in targets], size):
            yield targets, replies


def rows_of(relation: Sequence[int], targets: Sequence[int], replies: Sequence[int]) -> list[int]:
    return [sum((relation[t] >> r & 1) << j for j, r in enumerate(replies)) for t in targets]


def covers_both_ways(rows: Sequence[int]) -> bool:
    """Wrong: each target has a reply and each reply a target, but perhaps no pairing."""
    covered = 0
    for row in rows:
        covered |= row
    return all(rows) and covered == (1 << len(rows)) - 1


def greedy(rows: Sequence[int]) -> bool:
    """Wrong: takes the first free reply for each target."""
    free = (1 << len(rows)) - 1
    for row in rows:
        if not row & free:
            return False
        free &= ~(row & free & -(row & free))
    return True


def positional(rows: Sequence[int]) -> bool:
    """Wrong: compares the i-th card with the i-th card."""
    return all(row >> i & 1 for i, row in enumerate(rows))


def hall(rows: Sequence[int]) -> bool:
    """Right, another way: every set of targets has at least as many replies."""
    for chosen in range(1, 1 << len(rows)):
        neighbours = 0
        for target in members(chosen):
            neighbours |= rows[target]
        if neighbours.bit_count() < chosen.bit_count():
            return False
    return True


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_counts_equal_plain_loops(size: int) -> None:
    """On an eight-card pack `cases` and `holds` are what loops over every actual pair give."""
    result = sweep(range(8), size, environments(SMALL), hall)
    actual = [rows_of(relation(SMALL, t), *pair) for t in range(2) for pair in pairs(SMALL, size)]
    assert result.cases == len(actual)
    assert result.holds == sum(all_pairings(rows) for rows in actual)
    assert 0 < result.visited <= result.cases
    assert result.difference is None and result.differing == 0


@pytest.mark.parametrize(
    ("size", "cases", "holds", "matrices"),
    [(1, 5040, 1602, 2), (2, 1413720, 202491, 16), (3, 155823360, 12159564, 512), (4, 8472895200, 406396314, 65536)],
)
def test_full_pack_is_represented(size: int, cases: int, holds: int, matrices: int) -> None:
    """All 4·C(36,k)·C(36-k,k) pairs of a 36-card pack are represented, and a right decision passes."""
    result = sweep(range(36), size, environments(FULL), hall)
    assert (result.cases, result.holds, result.matrices) == (cases, holds, matrices)
    assert result.difference is None


def check_difference(deck: Deck, result: Sweep, decision: Callable[[Sequence[int]], bool]) -> None:
    """The pair reported is an actual pair on which the two really differ."""
    found = result.difference
    assert found is not None
    assert not set(found.targets) & set(found.replies)
    rows = rows_of(relation(deck, found.environment), found.targets, found.replies)
    assert all_pairings(rows) is found.reference
    assert decision(rows) is found.compiled
    assert found.reference is not found.compiled


@pytest.mark.parametrize(("decision", "first"), [(covers_both_ways, 3), (greedy, 2), (positional, 2)])
def test_wrong_decisions_are_caught(decision: Callable[[Sequence[int]], bool], first: int) -> None:
    """Negative control: each planted fault is reported with a pair, at the least size at which it shows."""
    for size in range(1, first):
        assert sweep(range(36), size, environments(FULL), decision).difference is None
    check_difference(FULL, sweep(range(36), first, environments(FULL), decision), decision)


def test_search_for_a_pair_is_complete() -> None:
    """A difference is reported exactly when a loop over all actual pairs finds one, for a fault in each matrix."""
    rows_seen = {tuple(rows_of(relation(SMALL, t), *pair)) for t in range(2) for pair in pairs(SMALL, 2)}
    for faulty in [(a, b) for a in range(4) for b in range(4)]:

        def decision(rows: Sequence[int], faulty: tuple[int, int] = faulty) -> bool:
            return hall(rows) is not (tuple(rows) == faulty)

        result = sweep(range(8), 2, environments(SMALL), decision)
        assert result.differing == 1
        assert (result.difference is not None) is (faulty in rows_seen)
        if result.difference is not None:
            check_difference(SMALL, result, decision)


def test_search_tries_every_matrix_that_differs() -> None:
    """With two faulty matrices a pair is reported exactly when some actual pair has one of them."""
    rows_seen = {tuple(rows_of(relation(SMALL, 1), *pair)) for pair in pairs(SMALL, 2)}
    all_rows = [(a, b) for a in range(4) for b in range(4)]
    assert len(rows_seen) < len(all_rows)
    for faulty in combinations(all_rows, 2):

        def decision(rows: Sequence[int], faulty: tuple[tuple[int, int], ...] = faulty) -> bool:
            return hall(rows) is not (tuple(rows) in faulty)

        result = sweep(range(8), 2, [Environment(relation(SMALL, 1))], decision)
        assert result.differing == 2
        assert (result.difference is not None) is bool(rows_seen & set(faulty))


def test_restriction_to_some_targets() -> None:
    """Only the target groups given are swept; a fault that needs other targets is not reported."""
    spades = [sum(1 << c for c in chosen) for chosen in combinations(range(4), 3)]
    restricted = [Environment(relation(SMALL, t), spades) for t in range(2)]
    result = sweep(range(8), 3, restricted, hall)
    assert result.cases == 2 * 4 * 10  # trumps, groups of three spades, three of the other five cards
    assert sweep(range(8), 3, [Environment(relation(SMALL, 0), spades)], covers_both_ways).difference is None
    assert sweep(range(8), 3, [Environment(relation(SMALL, 0))], covers_both_ways).difference is not None


def test_bad_input_is_named() -> None:
    """Sizes that are not swept and groups that are not of the pack are errors, not silence."""
    with pytest.raises(ValueError, match="groups of 5 cards"):
        sweep(range(8), 5, environments(SMALL), hall)
    with pytest.raises(ValueError, match="not 2 cards of the pack"):
        sweep(range(8), 2, [Environment(relation(SMALL, 0), [0b111])], hall)
    with pytest.raises(ValueError, match="not 2 cards of the pack"):
        sweep(range(4), 2, [Environment(relation(SMALL, 0), [0b110000])], hall)
