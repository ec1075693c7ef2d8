"""Which unnamed cells are copies of others where play waits."""

from kozel_verify.model.core import Apply, CellRead
from kozel_verify.model.load import load_text
from kozel_verify.verify.differ.copies import copies
from tests.cli.run import SMALL

FROM_A_CELL = SMALL.replace("clockwise from opener", "clockwise from head").replace(
    "state played", "state head : Seat = seat 1\n  state played"
)


def found(text: str) -> dict[str, list[tuple[str, str]]]:
    """By node the cells that are equal there."""
    game = load_text(text).game
    pairs: dict[str, list[tuple[str, str]]] = {}
    for node, claims in copies(game).items():
        for claim in claims:
            assert isinstance(claim, Apply) and claim.op == "=="
            a, b = claim.args
            assert isinstance(a, CellRead) and isinstance(b, CellRead)
            pairs.setdefault(game.nodes[node].name, []).append((a.cell, b.cell))
    return pairs


def test_where_a_loop_began() -> None:
    """The loop keeps the seat it began with, and nobody writes the cell it comes from: they are equal at its question,
    and nowhere else, since the copy is forgotten after the loop. Control: what begins with an option is no copy."""
    assert found(FROM_A_CELL) == {"deal.turn": [("deal.s_start", "head")]}
    assert found(SMALL) == {}


def test_what_is_written_on_the_way_is_no_copy_any_more() -> None:
    """A choice within the loop that assigns to the cell ends it; one that assigns to another cell does not."""
    assert found(FROM_A_CELL.replace("may keep { }", "may keep { head := s }")) == {}
    other = FROM_A_CELL.replace("may keep { }", "may keep { played += 0 }")
    assert found(other) == {"deal.turn": [("deal.s_start", "head")]}
