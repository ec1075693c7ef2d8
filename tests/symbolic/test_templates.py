"""Families of claims: as strong as the states seen allow, and weakened just enough by one more."""

import pytest

from kozel_verify.model.core import CellRead, Expr
from kozel_verify.model.types import NAT, SeatType, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.guess import guess, layout
from kozel_verify.symbolic.templates import (
    PATIENCE,
    Affine,
    Box,
    Columns,
    Congruence,
    Family,
    Implication,
    Relation,
    Row,
    echelon,
    implied,
    op,
)
from kozel_verify.symbolic.terms import Term
from tests.support.toy import LEAD, nat, toy_game

X, Y = (CellRead(n, None, NAT) for n in "xy")
COLUMNS = Columns((X, Y), (op("==", X, nat(0)), op("==", Y, nat(0))), (CellRead("s", None, SeatType(4)),))


class Plain:
    """The columns of one plain state."""

    def __init__(self, row: Row) -> None:
        self.row = row

    def number(self, column: int) -> Term:
        return t.integer(self.row.numbers[column])

    def truth(self, column: int) -> Term:
        return t.boolean(self.row.truths[column])

    def cell_is(self, column: int, value: Value) -> Term:
        return t.boolean(self.row.cells[column] == value)

    def statement(self, claim: Expr) -> Term:
        raise AssertionError("no statements here")


def row(x: int, y: int, s: int = 0) -> Row:
    return Row((x, y), (x == 0, y == 0), (s,))


def admits(family: Family, state: Row) -> bool:
    return t.and_(*family.terms(Plain(state))) is t.TRUE


def test_equations_through_the_states_seen() -> None:
    """Two states on the line y = 2x + 1 leave that line; a state beside it leaves nothing."""
    family = Affine(None, (0, 1))
    assert [family.join(r) for r in (row(0, 1), row(1, 3), row(5, 11))] == [True, True, False]
    assert admits(family, row(7, 15)) and not admits(family, row(7, 14))
    assert len(family.claims(COLUMNS)) == 1
    assert family.join(row(0, 0)) and family.claims(COLUMNS) == [] and admits(family, row(7, 14))


def test_equations_under_a_guard() -> None:
    """A state in which the guard is false says nothing; what holds without the guard is not repeated."""
    whole, family = Affine(None, (0, 1)), None
    family = Affine((0, True), (0, 1), whole)
    for r in (row(0, 2), row(1, 3)):
        whole.join(r)
        family.join(r)
    assert not family.join(row(9, 9))
    assert admits(family, row(0, 2)) and not admits(family, row(0, 3))
    assert implied({0: 2, 1: -2, -1: 4}, echelon(whole.equations or []))
    assert not implied({0: 1}, echelon(whole.equations or []))


def test_bounds_move_and_are_given_up() -> None:
    """A bound follows the states a few times, then the search must not follow it any longer."""
    family = Box(None, 0, patience=PATIENCE)
    family.join(row(2, 0))
    assert not admits(family, row(3, 0))
    for x in range(3, 3 + PATIENCE):
        assert family.join(row(x, 0))
    assert not admits(family, row(100, 0))
    family.join(row(6, 0))
    assert admits(family, row(100, 0)) and not admits(family, row(1, 0))


def test_remainders() -> None:
    """x + 3y leaves 2 modulo 4 until a state says otherwise."""
    family = Congruence(((0, 1), (1, 3)), 4)
    for r in (row(2, 0), row(3, 1), row(6, 4)):
        family.join(r)
    assert admits(family, row(0, 2)) and not admits(family, row(0, 1))
    assert family.join(row(0, 1)) and family.claims(COLUMNS) == []


def test_relations_and_implications() -> None:
    """Small cells take only the values seen; one emptiness follows from another until a state breaks it."""
    relation, implication = Relation((0,)), Implication((0, True), (1, True))
    for r in (row(0, 0, 1), row(1, 0, 3)):
        relation.join(r)
        implication.join(r)
    assert admits(relation, row(0, 0, 3)) and not admits(relation, row(0, 0, 2))
    assert admits(implication, row(1, 1)) and not admits(implication, row(0, 1))
    assert implication.join(row(0, 1)) and implication.claims(COLUMNS) == []


@pytest.mark.parametrize("missing", ["sizes", "counters", "marks", "pointed", "owned"])
def test_the_layout_of_a_node(missing: str) -> None:
    """A node's columns have the sizes of all zones, the counters, and what seats point to."""
    shape = layout(toy_game(), LEAD)
    expected = {"sizes": 7, "counters": 2, "marks": 0, "pointed": 3, "owned": 2}
    assert len(getattr(shape, missing)) == expected[missing]


def test_no_rows_no_guesses() -> None:
    """Of a node that no play has reached nothing is guessed."""
    assert guess(layout(toy_game(), LEAD), [], 2) == []
