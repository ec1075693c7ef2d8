"""Slots and viewers of the toy game, and what an expression reads."""

from dataclasses import replace

from kozel_verify.interpret.state import State
from kozel_verify.interpret.visibility import cell_slots, cells_read, indices, viewers, zone_slots
from kozel_verify.model.core import Call, Function
from kozel_verify.model.types import NAT, RangeType
from tests.support.toy import ALL, NOBODY, OWNER, SEAT, SUIT, cell, nat, op, points, seat, toy_game, zone

GAME = toy_game()
STATE = State(0, (0,) * 10, (0,) * 6)


def test_slots_in_order() -> None:
    """Slots are listed by number, each with its family's index."""
    assert [(z.name, i) for z, i in zone_slots(GAME)] == [
        ("stock", None),
        ("hand", 0),
        ("hand", 1),
        ("table", 0),
        ("table", 1),
        ("won", 0),
        ("won", 1),
    ]
    assert [(c.name, i) for c, i in cell_slots(GAME)][:5] == [
        ("trump", None),
        ("leader", None),
        ("score", 0),
        ("score", 1),
        ("turned", None),
    ]
    assert indices(RangeType(3, 5)) == (3, 4, 5)


def test_viewers() -> None:
    """Declared viewers as a mask of seats; an owner's slot is seen by the seat of its index."""
    assert [viewers(GAME, {}, STATE, seen, 1) for seen in (ALL, NOBODY, OWNER)] == [0b11, 0, 0b10]
    assert viewers(GAME, {}, STATE, OWNER, 0) == 0b01


def test_cells_read() -> None:
    """Cells are found in every part of an expression, in indices and behind functions; zones are none."""
    assert cells_read(GAME, nat(3)) == frozenset()
    assert cells_read(GAME, zone("hand", cell("leader", SEAT))) == {"leader"}
    assert cells_read(GAME, points(zone("won", seat(0)))) == frozenset()
    score = Function("total", (), cell("score", NAT, cell("asked", SEAT)), NAT)
    game = replace(GAME, functions={"total": score})
    found = cells_read(game, op("==", Call("total", (), NAT), cell("trump", SUIT)))
    assert found == {"score", "asked", "trump"}
