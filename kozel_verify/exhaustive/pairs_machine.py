"""The fast machine, with what each seat sees of a state and hears on a step.

In go a game and its options; out comes a machine like ``FastMachine`` whose steps tell what happened on the way. Of it
each seat gets what the rules let it know: ``view`` of a state, and of a step a tuple of pairs (kind, value). The kind
of what is heard next must be predictable; only the value tells something. A value is what the rules release: cards that
move while the seat sees them, cards shown, values announced, the cards of a zone that comes to be seen, the seat's own
choice, of others' open choices the verb and the arguments that are no cards. Everything else that is noticed of an
event (that it happens, between which zones cards move, how many when their faces are hidden) stands in the kind.

Nothing here is trusted that is not held against the reference: the tests compare views and what is heard with those of
the interpreter, and a caller replays the runs that ``pairs`` reports.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import cast

from kozel_verify.exhaustive.machine import FastMachine, Outcome, Position
from kozel_verify.exhaustive.machine_code import Code, joined, literal, tuple_text
from kozel_verify.exhaustive.machine_edges import BlockCode, Edges, indented, loads
from kozel_verify.exhaustive.machine_expressions import EMPTY, Emitter
from kozel_verify.model.core import Announce, Ask, Effect, End, Expr, Game, Gather, Node, Show, Visibility
from kozel_verify.model.types import CardType, SetType, Type, Value, element_indices

MOVED, SHOWN, ANNOUNCED, UNCOVERED, GATHERED, CHOSEN = range(6)
HIDDEN = -1  # stands for a value that is not seen; no value of the core is negative

Heard = tuple[tuple[Hashable, Hashable], ...]  # (kind, value) of each thing that is heard, in order
Told = tuple[int, int, int, int, Hashable]  # an event: what, two numbers that everybody notices, who learns the value


class TellingEdges(Edges):
    """The code of edges that append their events to the list ``told``."""

    def __init__(self, emitter: Emitter) -> None:
        super().__init__(emitter)
        self.labels: list[str] = []
        self._changing = {slot: code for slot, code in self.viewers().items() if not code.known}

    def effect(self, effect: Effect) -> list[str]:
        lines = super().effect(effect)
        match effect:
            case Gather():
                everybody = (1 << self.game.seats) - 1
                return [*lines, f"told.append(({GATHERED}, t, 0, {everybody}, 0))"]
            case Show(cards, to):
                return [*lines, *self._told(SHOWN, 0, cards, to)]
            case Announce(value, to, label):
                if label not in self.labels:
                    self.labels.append(label)
                return [*lines, *self._told(ANNOUNCED, self.labels.index(label), value, to)]
            case _:
                return lines

    def _told(self, what: int, number: int, value: Expr, to: Expr) -> list[str]:
        told, seats = self.emitter.code(value, EMPTY), self.emitter.code(to, EMPTY)
        return [*loads(told.uses | seats.uses), f"told.append(({what}, {number}, 0, {seats.text}, {told.text}))"]

    def _carry(self, source: str, target: str) -> list[str]:
        seen, seen_too = self._at("s", source), self._at("t", target)
        told = f"told.append(({MOVED}, s, t, {seen.text} | {seen_too.text}, m))"
        return [*super()._carry(source, target), *loads(seen.uses | seen_too.uses), told]

    def _at(self, variable: str, zone: str) -> Code:
        """Who sees the slot of a zone that a variable of the code stands for."""
        base = self.game.zones[zone].base
        count = len(_indices(self.game.zones[zone].index))
        codes = [code for slot, code in self.viewers().items() if base <= slot < base + count]
        text = codes[-1].text
        for n in reversed(range(count - 1)):
            text = f"{codes[n].text} if {variable} == {base + n} else {text}"
        return joined(f"({text})", codes)

    def _write(self, cell: str, slot: str) -> list[str]:
        """A write on which it depends who sees a zone: new viewers see what lies there."""
        if cell not in self._watched or not self._changing:
            return super()._write(cell, slot)
        codes = list(self._changing.values())
        loaded = loads(frozenset[tuple[str, int]]().union(*(c.uses for c in codes)))
        viewers = tuple_text([c.text for c in codes])
        told = f"told.append(({UNCOVERED}, k, 0, a & ~b, z[k]))"
        return [
            f"if c[{slot}] != v:",
            *indented([*loaded, f"w = {viewers}", f"c[{slot}] = v", *loaded]).split("\n"),
            f"    for k, b, a in zip({tuple_text([str(k) for k in self._changing])}, w, {viewers}):",
            f"        if a & ~b: {told}",
        ]


class TellingMachine(FastMachine):
    """The rules of ``game`` under ``options``, as ``FastMachine``; ``step`` gives the events, for ``heard``."""

    def __init__(self, game: Game, options: Mapping[str, Value]) -> None:
        super().__init__(game, options)
        self._events: list[Told] = []
        self._emitter.namespace["told"] = self._events
        edges = TellingEdges(self._emitter)
        self._edges = edges
        self._blocks: list[BlockCode] = [edges.block(block) for block in game.blocks]
        self._entries = [edges.entries(node) for node in game.nodes]
        self.labels = edges.labels
        self._open = [_open_arguments(node) for node in game.nodes]
        self._owners = [self._value(n.seat) if isinstance(n, Ask) else None for n in game.nodes]
        self._worth = [self._results(n) for n in range(len(game.nodes))]
        self._views = [self._view(seat) for seat in range(game.seats)]

    @property
    def seats(self) -> int:
        return self.game.seats

    # --- states ------------------------------------------------------------------------------------------------------

    def turn(self, state: Position) -> int | None:
        """The seat that is asked, if one is. Raises ``Undefined``."""
        owner = self._owners[state.node]
        return None if owner is None else cast(int, owner(state))

    def view(self, state: Position, seat: int) -> Hashable:
        """Equal for two states exactly if the seat's views of them are: node and owner, the cells that it sees, the
        sizes of zones, the cards of those whose faces it sees; and, where a deal or the match has ended, what it is
        worth to each seat. Raises ``Undefined``."""
        worth = self._worth[state.node]
        return state.node, self.turn(state), worth and worth(state), self._views[seat](state)

    def _value(self, expr: Expr) -> Callable[[Position], object]:
        return self._function(self._emitter.code(expr, EMPTY))

    def _results(self, node: int) -> Callable[[Position], object] | None:
        game = self.game
        seats = [EMPTY.bind("seat", literal(s)) for s in range(game.seats)]
        codes = [self._emitter.code(game.outcome, s) for s in seats] if isinstance(game.nodes[node], End) else []
        for seat in seats if node == game.deal_end else ():
            gain, loss = (self._emitter.code(e, seat) for e in (game.gain, game.loss))
            codes.append(joined(f"({gain.text} - {loss.text})", [gain, loss]))
        return self._function(joined(tuple_text([c.text for c in codes]), codes)) if codes else None

    def _view(self, seat: int) -> Callable[[Position], object]:
        """The cells and zones as one seat sees them; of a zone whose faces it does not see, a number below zero."""
        codes = []
        for cell in self.game.cells.values():
            for n, index in enumerate(_indices(cell.index)):
                name = f"c{cell.base + n}"
                codes.append(self._seen(seat, cell.seen, index, Code(name, frozenset({(name, 0)})), literal(HIDDEN)))
        for zone in self.game.zones.values():
            for n, index in enumerate(_indices(zone.index)):
                name = f"z{zone.base + n}"
                cards = Code(name, frozenset({(name, 0)}))
                codes.append(self._seen(seat, zone.seen, index, cards, joined(f"~{name}.bit_count()", [cards])))
        return self._function(joined(tuple_text([c.text for c in codes]), codes))

    def _seen(self, seat: int, seen: Visibility, index: Value, value: Code, hidden: Code) -> Code:
        viewers = self._emitter.code(seen.seats, EMPTY.bind(seen.variable, literal(index)))
        if viewers.known:
            return value if int(viewers.known[0] or 0) >> seat & 1 else hidden
        return joined(f"({value.text} if {viewers.text} >> {seat} & 1 else {hidden.text})", [viewers, value, hidden])

    # --- steps -------------------------------------------------------------------------------------------------------

    def step(self, state: Position, outcome: Outcome) -> tuple[Position, Sequence[Told]]:
        """The state at the next node, and the events on the way. Raises ``Undefined``, ``DeadReached``."""
        self._events.clear()
        node, seat = self.game.nodes[state.node], self.turn(state)
        if isinstance(node, Ask) and seat is not None:
            self._events.append((CHOSEN, state.node, seat, int(node.secret), outcome))
        after, _ = super().step(state, outcome)
        return after, tuple(self._events)

    def heard(self, events: Sequence[Told], seat: int) -> Heard:
        """What a seat hears of the events of a step, in order."""
        return tuple(pair for event in events for pair in self._heard(event, seat))

    def _heard(self, event: Told, seat: int) -> Heard:
        what, number, other, seats, value = event
        if what == CHOSEN:
            return (((CHOSEN, number, other), self._choice(number, seat == other, bool(seats), cast(Outcome, value))),)
        if seats >> seat & 1:
            return (((what, number, other), value),)
        count = cast(int, value).bit_count() if what == MOVED else 0
        return (((what, number, other, count), None),) if count else ()

    def _choice(self, node: int, own: bool, secret: bool, outcome: Outcome) -> Hashable:
        verb, arguments = outcome
        if own:
            return outcome
        return None if secret else (verb, tuple(arguments[n] for n in self._open[node][verb]))


def _open_arguments(node: Node) -> list[list[int]]:
    """For each verb the positions of the arguments that are no cards."""
    if not isinstance(node, Ask):
        return []
    return [[n for n, p in enumerate(verb.parameters) if not _of_cards(p.type)] for verb in node.verbs]


def _of_cards(type_: Type) -> bool:
    return isinstance(type_.of if isinstance(type_, SetType) else type_, CardType)


def _indices(index: Type | None) -> tuple[Value, ...]:
    return (None,) if index is None else tuple(element_indices(index))
