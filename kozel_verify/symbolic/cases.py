"""Proofs by cases: the edges of a game once for each value of a cell that no deal changes.

Who plays is such a cell, where seats drop out between deals. While it is unknown, each loop over those who play has a
turn for every seat that may not happen, and what is shared out goes by an unknown number: that is too much for the
solver. In each of its cases the cell is a constant.

In: a game. Out: its cases, which together are all values of the cell (a game without such a cell has one case, in which
nothing is known); and the ends of an edge by case. Trusted: that the cases are all, and the substitution at the end of
an edge; which cell is chosen decides only how hard the proofs are.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from kozel_verify.model.core import Ask, Assign, Cell, CellKind, CellRead, Const, Expr, Game
from kozel_verify.model.graph import node_exits
from kozel_verify.model.types import BOOL, SeatType, SetType, Value, values
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Arrival, topological
from kozel_verify.symbolic.evaluate import Evaluator
from kozel_verify.symbolic.exact import PlainState
from kozel_verify.symbolic.system import Place, cell_types
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import equal

Case = Mapping[str, Value]  # the value of the cell; empty: nothing is known
Known = Mapping[int, Sequence[Expr]]  # the claims that hold whenever play is at a node
WHOLE: tuple[Case, ...] = ({},)
NEVER = Const(False, BOOL)  # claimed at a node: play does not come there


def cases(game: Game) -> tuple[Case, ...]:
    """The values of the first cell that fits, or one case for all."""
    cell = next(settled(game), None)
    return WHOLE if cell is None else tuple({cell.name: value} for value in values(cell.type))


def settled(game: Game) -> Iterator[Cell]:
    """The sets of seats that no step within a deal changes, but some other step does."""
    inside, outside = set[str](), set[str]()
    for number, node in enumerate(game.nodes):
        within = number in game.deal_nodes and number != game.deal_end
        for block in node_exits(node):
            (inside if within else outside).update(_written(game, block))
    outside |= _written(game, game.entry)
    for cell in game.cells.values():
        whole = cell.kind is CellKind.DECLARED and cell.index is None
        of = cell.type.of if isinstance(cell.type, SetType) else None
        if whole and isinstance(of, SeatType) and cell.name in outside - inside:
            yield cell


def _written(game: Game, block: int) -> set[str]:
    """The cells that are assigned to after a block, until play waits."""
    effects = (e for b in topological(game, block) for e in game.blocks[b].effects)
    return {e.cell for e in effects if isinstance(e, Assign)}


def in_case(game: Game, case: Case, state: PlainState) -> bool:
    """Is a plain state one of the case?"""
    return all(state.cells[game.cells[name].base] == value for name, value in case.items())


def ends(game: Game, cases_: Sequence[Case], evaluator: Evaluator, arrival: Arrival) -> Iterator[tuple[int, Arrival]]:
    """The arrival in each case that is possible at its end, by the number of the case: there the cell is a constant."""
    for number, case in enumerate(cases_):
        path, cells = arrival.path, list(arrival.state.cells)
        for name, value in case.items():
            cell = game.cells[name]
            constant = evaluator.constant(value, cell.type)
            path = t.and_(path, equal(cells[cell.base], constant))
            cells[cell.base] = constant
        if path is not t.FALSE:
            yield number, replace(arrival, path=path, state=replace(arrival.state, cells=tuple(cells)))


def naming_seats(game: Game, place: Place) -> Iterator[list[Term]]:
    """For each cell that holds an unknown seat at a place: that it is the first one, the second one, ..."""
    evaluator = place.stepper.evaluator
    for (type_, _, live), value in zip(cell_types(game, place.node), place.state.cells, strict=True):
        if live and isinstance(type_, SeatType):
            yield [equal(value, evaluator.constant(seat, type_)) for seat in range(game.seats)]


def turns(game: Game, place: Place) -> list[dict[str, Term]]:
    """Where an unknown cell says whose turn it is: that it is the first seat's, the second's, ..., each as the constant
    to put for the cell. Nothing where there is no such cell."""
    node = game.nodes[place.node]
    if not isinstance(node, Ask) or not isinstance(node.seat, CellRead) or node.seat.index is not None:
        return []
    value, evaluator = place.state.cells[game.cells[node.seat.cell].base], place.stepper.evaluator
    if not isinstance(value, Term) or value.op != "var":
        return []
    seats = (evaluator.constant(seat, SeatType(game.seats)) for seat in range(game.seats))
    return [{str(value.payload): seat} for seat in seats if isinstance(seat, Term)]


def reached(game: Game, known: Known) -> set[int]:
    """The nodes to which play may come, by what is known; -1, before the match, is one."""
    return {-1, *(n for n in range(len(game.nodes)) if not excluded(known, n))}


def excluded(known: Known, node: int) -> bool:
    """Is it among the known claims that play is never at the node?"""
    return NEVER in known.get(node, ())
