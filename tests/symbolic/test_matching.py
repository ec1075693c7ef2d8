"""The two forms of a matching are the same formula, and the reference's answer."""

from itertools import product

import pytest

from kozel_verify.model.deck import Deck
from kozel_verify.model.types import CardType
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.matching import as_slots, assignments, at_least, hall
from kozel_verify.symbolic.values import Codec, SymSet, reader
from kozel_verify.symbolic.z3_api import Model, Unsatisfiable, check


def unknowns(rows: int, columns: int) -> tuple[list[t.Term], list[t.Term], list[list[t.Term]]]:
    targets = [t.variable(f"t{i}", t.BOOL) for i in range(rows)]
    replies = [t.variable(f"r{j}", t.BOOL) for j in range(columns)]
    return targets, replies, [[t.variable(f"f{i}{j}", t.BOOL) for j in range(columns)] for i in range(rows)]


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 2), (2, 3), (3, 3), (3, 4)])
def test_pairing_equals_halls_condition(rows: int, columns: int) -> None:
    """For any targets and replies that are there, and any relation between them."""
    targets, replies, fits = unknowns(rows, columns)
    different = t.not_(t.eq(assignments(targets, replies, fits), hall(targets, replies, fits)))
    assert isinstance(check([different]), Unsatisfiable)


def test_covering_both_ways_is_not_a_matching() -> None:
    """Negative control: that each target has a fitting reply and each reply fits something differs for three."""
    targets, replies, fits = unknowns(3, 3)
    covered = t.and_(*(t.or_(*row) for row in fits), *(t.or_(*(row[j] for row in fits)) for j in range(3)))
    different = t.not_(t.eq(assignments(targets, replies, fits), covered))
    assert isinstance(check([*targets, *replies, different]), Model)


def test_at_least_counts() -> None:
    """All 32 values of five Booleans, all thresholds."""
    bits = [t.variable(f"b{n}", t.BOOL) for n in range(5)]
    for k in range(7):
        term = at_least(k, bits)
        for values in product((False, True), repeat=5):
            named = {f"b{n}": v for n, v in enumerate(values)}
            assert t.evaluate([term], dict(named)) == [sum(values) >= k]


def test_a_mask_as_slots() -> None:
    """All 64 sets of six cards: up to the limit the slots hold the set in ascending order, beyond it that is said."""
    codec, type_ = Codec(Deck(("♠", "♥"), ("6", "Q", "A"))), CardType(6)
    bits = tuple(t.variable(f"m{n}", t.BOOL) for n in range(6))
    slots, complete = as_slots(SymSet(codec, type_, bits), 2)
    assert len(slots) == 2
    for values in product((False, True), repeat=6):
        named = {f"m{n}": v for n, v in enumerate(values)}
        read = reader([complete, *(x for slot in slots for x in slot)], dict(named))
        expected = [n for n, v in enumerate(values) if v]
        assert bool(read(complete)) == (len(expected) <= 2)
        if len(expected) <= 2:
            assert [codec.index(type_, int(read(e))) for p, e in slots if read(p)] == expected
