"""States that a spec writes down: the ``given`` of an example, the ``set`` of a scenario.

In go values for options, cells and zones; out come an interpreter with these options and a state with these contents.
Cards that are not mentioned lie in the first zone, cells that are not mentioned have their initial values.
"""

from collections.abc import Sequence

from kozel_verify.interpret.errors import BadOptions, NotWellDefined
from kozel_verify.interpret.evaluate import Values, evaluate, number, slot_of
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.interpret.text import set_text, value_text
from kozel_verify.interpret.visibility import cell_slots, zone_slots
from kozel_verify.language.spans import Span
from kozel_verify.model.core import OUTSIDE, Game, Given
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value, is_value, members


class NoSuchState(Exception):
    """What is written down cannot be: a value outside of its type, a card in two places, options that exclude each
    other. ``span`` is the value's place."""

    def __init__(self, span: Span, message: str) -> None:
        self.span = span
        self.message = message
        super().__init__(f"{span}: {message}")

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.span, self.message)


def blank(game: Game, node: int = 0) -> State:
    """All cards of the pack in the first zone, all cells at their initial values."""
    place = tuple(0 if game.pack >> card & 1 else OUTSIDE for card in range(len(game.deck)))
    return State(node, tuple(cell.initial for cell, _ in cell_slots(game)), place)


def interpreter_for(game: Game, given: Sequence[Given], whole: Span) -> Interpreter:
    """An interpreter with the options that are given, else with the defaults. Raises ``NoSuchState``."""
    defaults = {name: option.default for name, option in game.options.items()}
    try:
        return Interpreter(game, {g.name: _valued(game, defaults, g) for g in given if g.is_option})
    except BadOptions as wrong:
        raise NoSuchState(whole, str(wrong)) from wrong


def state_of(interpreter: Interpreter, given: Sequence[Given], node: int = 0) -> State:
    """The state at ``node`` with the cells and zones that are given. Raises ``NoSuchState``."""
    game = interpreter.game
    start = blank(game, node)
    cells, place = list(start.cells), list(start.place)
    put: dict[int, int] = {}  # card -> the zone slot where it is written down to lie
    for g in given:
        if g.is_option:
            continue
        value = _valued(game, interpreter.options, g)
        slot = _slot(game, g)
        if g.name in game.cells:
            cells[slot] = _fitting(game, g, value)
        else:
            _put(game, g, number(value), slot, place, put)
    state = State(node, tuple(cells), tuple(place))
    _first_zone_agrees(game, given, state, put)
    return state


def _valued(game: Game, options: Values, g: Given) -> Value:
    try:
        return evaluate(game, options, blank(game), g.value, {})
    except NotWellDefined as missing:
        raise NoSuchState(g.span, missing.message) from missing


def _slot(game: Game, g: Given) -> int:
    try:
        return slot_of(game.cells[g.name] if g.name in game.cells else game.zones[g.name], g.index)
    except Undefined as missing:
        raise NoSuchState(g.span, str(missing)) from missing


def _fitting(game: Game, g: Given, value: Value) -> Value:
    type_ = game.cells[g.name].type
    if not is_value(value, type_):
        raise NoSuchState(g.span, f"`{g.name}` cannot hold {value_text(game, value, type_)}: it is `{type_}`")
    return value


def _put(game: Game, g: Given, cards: int, slot: int, place: list[int], put: dict[int, int]) -> None:
    if cards & ~game.pack:
        raise NoSuchState(g.span, f"{set_text(game, cards & ~game.pack)} is not in the pack")
    for card in members(cards):
        if put.setdefault(card, slot) != slot:
            raise NoSuchState(g.span, f"{game.deck.name(card)} is put in two places")
        place[card] = slot


def _first_zone_agrees(game: Game, given: Sequence[Given], state: State, put: dict[int, int]) -> None:
    """Where the first zone itself is given, it must name just the cards that lie nowhere else."""
    first, index = zone_slots(game)[0]
    for g in given:
        if g.name == first.name and g.index == index:
            rest = sum(1 << card for card, slot in enumerate(state.place) if slot == 0 and card not in put)
            if rest:
                message = f"{set_text(game, rest)} has no place: cards that are not mentioned lie in `{first.name}`"
                raise NoSuchState(g.span, message)
