"""One edge of the process graph: from an outcome at a node to the next node.

In go a game with its options and the state at the start; out come the state at the next node and the events of the
edge, in order. States are immutable, so an edge that fails has changed nothing.
"""

from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.evaluate import Values, contents, evaluate, number, slot_of
from kozel_verify.interpret.state import Announced, Event, Gathered, Moved, Shown, State, Uncovered
from kozel_verify.interpret.text import set_text, value_text
from kozel_verify.interpret.visibility import cell_slots, cells_read, viewers, zone_slots
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Announce,
    Arrive,
    Assign,
    Block,
    Branch,
    CellKind,
    Dead,
    Draw,
    Effect,
    Expr,
    Game,
    Gather,
    Jump,
    Move,
    Show,
    Terminator,
    ZoneRef,
)
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value, is_value, members


class Rules:
    """A game with its options, and what is worth computing once: who owns each slot, and what each node resets."""

    def __init__(self, game: Game, options: Values) -> None:
        self.game = game
        self.options = options
        self.cell_slots = cell_slots(game)
        self.zone_slots = zone_slots(game)
        self.resets = tuple(self._resets(node) for node in range(len(game.nodes)))
        # The cells on which it depends who sees a zone: only a change of one of these can uncover cards.
        watched = frozenset[str]().union(*(cells_read(game, zone.seen.seats) for zone in game.zones.values()))
        self.watched = tuple(slot for slot, (cell, _) in enumerate(self.cell_slots) if cell.name in watched)

    def _resets(self, node: int) -> tuple[tuple[int, Value], ...]:
        return tuple(
            (slot, cell.initial)
            for slot, (cell, _) in enumerate(self.cell_slots)
            if cell.kind is not CellKind.DECLARED and cell.name not in self.game.live[node]
        )

    def zone_viewers(self, state: State, slot: int) -> int:
        """The mask of seats that see the faces in a zone slot."""
        zone, index = self.zone_slots[slot]
        return viewers(self.game, self.options, state, zone.seen, index)

    def evaluate(self, state: State, expr: Expr, locals: Values) -> Value:
        return evaluate(self.game, self.options, state, expr, locals)


class Run:
    """An edge on its way. ``state`` and ``events`` are what has been reached; the node is that of the start."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules = rules
        self.state = state
        self.events: list[Event] = []

    # --- the state -----------------------------------------------------------------------------------------------

    def store(self, name: str, index: Value, value: Value, span: Span) -> None:
        """Write a cell. Raises ``NotWellDefined`` when the value is not in its type or the index outside."""
        cell = self.rules.game.cells[name]
        if not is_value(value, cell.type):
            text = value_text(self.rules.game, value, cell.type)
            raise NotWellDefined(span, f"`{name}` cannot hold {text}: it is `{cell.type}`")
        try:
            slot = slot_of(cell, index)
        except Undefined as missing:
            raise NotWellDefined(span, str(missing)) from missing
        self._set_cells(((slot, value),))

    def _set_cells(self, changes: tuple[tuple[int, Value], ...]) -> None:
        before = self.state
        cells = list(before.cells)
        for slot, value in changes:
            cells[slot] = value
        self.state = State(before.node, tuple(cells), before.place)
        if any(before.cells[slot] != cells[slot] for slot in self.rules.watched):
            self._uncover(before)

    def _uncover(self, before: State) -> None:
        """Tell every seat that has become a viewer of a zone what lies in it."""
        for slot in range(len(self.rules.zone_slots)):
            new = self.rules.zone_viewers(self.state, slot) & ~self.rules.zone_viewers(before, slot)
            cards = contents(self.state, slot)
            if new and cards:
                self.events.append(Uncovered(slot, cards, new))

    def move(self, cards: int, source: int, target: int, drawn: bool) -> None:
        """Move cards that are known to lie in ``source``. Nothing is told when there are none."""
        if not cards:
            return
        seen_by = self.rules.zone_viewers(self.state, source)
        self._put(cards, target)
        seen_by |= self.rules.zone_viewers(self.state, target)
        self.events.append(Moved(cards, source, target, seen_by, drawn))

    def _put(self, cards: int, target: int) -> None:
        place = list(self.state.place)
        for card in members(cards):
            place[card] = target
        self.state = State(self.state.node, self.state.cells, tuple(place))

    # --- effects -------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Value:
        return self.rules.evaluate(self.state, expr, {})

    def zone(self, ref: ZoneRef, span: Span) -> int:
        """The slot that a reference stands for. Raises ``NotWellDefined`` when its index is outside of the family."""
        index = None if ref.index is None else self.value(ref.index)
        try:
            return slot_of(self.rules.game.zones[ref.zone], index)
        except Undefined as missing:
            raise NotWellDefined(span, str(missing)) from missing

    def effect(self, effect: Effect) -> None:
        match effect:
            case Assign(cell, index, value, span):
                place = None if index is None else self.value(index)
                self.store(cell, place, self.value(value), span)
            case Move(cards, source, target, span):
                self._move(number(self.value(cards)), self.zone(source, span), self.zone(target, span), span)
            case Gather(target, span):
                slot = self.zone(target, span)
                self._put(self.rules.game.pack, slot)
                self.events.append(Gathered(slot))
            case Show(cards, to):
                self.events.append(Shown(number(self.value(cards)), number(self.value(to))))
            case Announce(value, to, label):
                self.events.append(Announced(label, self.value(value), number(self.value(to))))

    def _move(self, cards: int, source: int, target: int, span: Span) -> None:
        missing = cards & ~contents(self.state, source)
        if missing:
            game = self.rules.game
            zone, index = self.rules.zone_slots[source]
            where = zone.name if zone.index is None else f"{zone.name}[{value_text(game, index, zone.index)}]"
            raise NotWellDefined(span, f"{set_text(game, missing)} cannot be moved: not in `{where}`")
        self.move(cards, source, target, drawn=False)

    def draw(self, node: Draw, card: int) -> None:
        """Chance has taken ``card``, which lies in the node's source."""
        source, target = self.zone(node.source, node.span), self.zone(node.target, node.span)
        self.move(1 << card, source, target, drawn=True)
        if node.cell is not None:
            self.store(node.cell, None, card, node.span)

    # --- blocks --------------------------------------------------------------------------------------------------

    def finish(self, block: int) -> tuple[State, tuple[Event, ...]]:
        """Run from a block to the next node. Raises ``NotWellDefined`` or ``ReachedDead``."""
        here: int | None = block
        while here is not None:
            here = self._block(self.rules.game.blocks[here])
        return self.state, tuple(self.events)

    def _block(self, block: Block) -> int | None:
        for effect in block.effects:
            self.effect(effect)
        return self._end(block.end)

    def _end(self, end: Terminator) -> int | None:
        """The next block, or ``None`` when the edge has ended at a node."""
        match end:
            case Jump(block):
                return block
            case Branch(condition, then, otherwise):
                return then if self.value(condition) else otherwise
            case Arrive(node):
                self.state = State(node, self.state.cells, self.state.place)
                self._set_cells(self.rules.resets[node])
                return None
            case Dead(name, span):
                raise ReachedDead(name, span)
