"""Values of the arguments of a menu's claim: all of them, those inside of a bound, near misses."""

import pytest

from kozel_verify.model.core import MenuClaim, ZoneRead
from kozel_verify.model.menus import Space, bounds, near_misses, space
from kozel_verify.model.types import BOOL, CardType, RangeType, SeatType, SetType
from tests.model.frame import game

TURN = """for each s in Seat clockwise from seat 1 {
  ask s to turn { may take(g : 1..2 of hand[s], c in hand[s]) { move g from hand[s] to open_cards } }
}"""


def bounded(statement: str) -> list[str]:
    [claim] = game(f"menu a at turn : take(g, c) when {statement}", TURN).properties
    assert isinstance(claim, MenuClaim)
    return sorted(bounds(claim))


def test_all_values() -> None:
    """Of a card all of the pack, of a group all groups of the pack, by size; of another type all elements."""
    assert list(space(CardType(6), 0b101001)) == [0, 3, 5]
    assert list(space(SetType(CardType(6)), 0b101)) == [0, 1, 4, 5]
    assert list(space(SeatType(3), 0b1)) == [0, 1, 2] and list(space(RangeType(2, 3), 0)) == [2, 3]
    assert list(space(SetType(SeatType(2)), 0)) == [0, 1, 2, 3]
    assert [space(SetType(CardType(6)), 0b111).count(), space(CardType(6), 0b111).count()] == [8, 3]
    assert len(list(Space(0b1111111, True))) == 128 == len(set(Space(0b1111111, True)))
    with pytest.raises(TypeError):
        space(SetType(BOOL), 0)


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("g within hand[s]", ["g"]),
        ("g within hand[s] and c in g", ["g"]),
        ("c in hand[s] and g within hand[s] and only(g) == c", ["c", "g"]),
        ("|g| in 1..2 and g within hand[s]", ["g"]),
        ("only(g) == c and g within hand[s]", []),
        ("(some x in g : x == c) and g within hand[s]", []),
        ("g within hand[s] or c in hand[s]", []),
        ("not g within hand[s]", []),
        ("hand[s] within g", []),
        ("every c in g : c in hand[s]", []),
    ],
)
def test_bounds(statement: str, names: list[str]) -> None:
    """Only what begins the statement bounds it, behind nothing but what always has a value; no bound depends on another
    argument."""
    assert bounded(statement) == names


def test_a_bound_is_what_stands_in_the_statement() -> None:
    """The bound of `g within hand[s]` is `hand[s]`."""
    [claim] = game("menu a at turn : take(g, c) when g within hand[s]", TURN).properties
    assert isinstance(claim, MenuClaim)
    [bound] = bounds(claim).values()
    assert isinstance(bound, ZoneRead) and bound.zone == "hand"


def test_near_misses() -> None:
    """Around a legal group: one card more, one less, one exchanged; besides them groups of up to two cards, and those
    of a small zone."""
    groups = Space(0b111111, True)
    around = set(near_misses([groups], [(0b001011,)], ()))
    assert {(0b001111,), (0b011011,), (0b101011,)} <= around  # one more
    assert {(0b001010,), (0b001001,), (0b000011,)} <= around  # one less
    assert {(0b001110,), (0b101010,), (0b110010,)} - around == {(0b110010,)}  # one exchanged, not two
    alone = set(near_misses([groups], [], ()))
    assert alone == {(g,) for g in groups if g.bit_count() <= 2}
    assert (0b011100,) in set(near_misses([groups], [], [0b011100, 0b111111 << 6]))


def test_near_misses_of_elements() -> None:
    """One argument is changed at a time; small values are combined."""
    seats, cards = Space(0b11, False), Space(0b111111, False)
    assert set(near_misses([seats, cards], [(0, 5)], ())) == {(s, c) for s in (0, 1) for c in range(6)}
    wide = Space((1 << 36) - 1, True)
    few = set(near_misses([wide, wide], [(1, 2)], ()))
    assert (1, 3) in few and (3, 2) in few and (3, 3) not in few  # all pairs of small groups would be too many
