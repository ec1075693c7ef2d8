"""Who sees what: the declared viewers of zones and cells in a state, and what the faces of a zone depend on."""

from dataclasses import fields

from kozel_verify.interpret.evaluate import Values, evaluate, number
from kozel_verify.interpret.state import State
from kozel_verify.model.core import Call, Cell, CellRead, Expr, Game, Visibility, Zone
from kozel_verify.model.types import Type, Value, element_indices


def indices(index: Type | None) -> tuple[Value, ...]:
    """The index value of each slot of a cell or zone, in order; ``(None,)`` when it is no family."""
    return (None,) if index is None else tuple(element_indices(index))


def zone_slots(game: Game) -> tuple[tuple[Zone, Value], ...]:
    """For each zone slot its zone and index value."""
    slots: dict[int, tuple[Zone, Value]] = {}
    for zone in game.zones.values():
        for k, index in enumerate(indices(zone.index)):
            slots[zone.base + k] = (zone, index)
    return tuple(slots[n] for n in range(len(slots)))


def cell_slots(game: Game) -> tuple[tuple[Cell, Value], ...]:
    """For each cell slot its cell and index value."""
    slots: dict[int, tuple[Cell, Value]] = {}
    for cell in game.cells.values():
        for k, index in enumerate(indices(cell.index)):
            slots[cell.base + k] = (cell, index)
    return tuple(slots[n] for n in range(len(slots)))


def viewers(game: Game, options: Values, state: State, seen: Visibility, index: Value) -> int:
    """The mask of the seats that see the slot with this index. Raises ``NotWellDefined``."""
    locals = {seen.variable: index} if seen.variable else {}
    return number(evaluate(game, options, state, seen.seats, locals))


def cells_read(game: Game, expr: Expr) -> frozenset[str]:
    """The names of the cells that an expression may read, through functions as well."""
    found: set[str] = set()
    if isinstance(expr, CellRead):
        found.add(expr.cell)
    if isinstance(expr, Call):
        found |= cells_read(game, game.functions[expr.function].body)
    for part in fields(expr):
        value = getattr(expr, part.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Expr):
                found |= cells_read(game, item)
    return frozenset(found)
