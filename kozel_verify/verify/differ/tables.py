"""The fast machine of one side, with what is noticed of its states and steps in a form that both sides share.

In go a game with its options, and which cells and zones are compared; out come states, menus and events as plain
values that are equal for the two sides exactly when nobody notices a difference. Trusted: nothing. Whatever is found
with it is replayed by the interpreter; that nothing is found rests on it, and the tests hold it against the
interpreter.
"""

from collections.abc import Hashable, Mapping, Sequence

from kozel_verify.exhaustive.machine import DeadReached, Outcome, Position
from kozel_verify.exhaustive.machine_code import Code, joined, literal, tuple_text
from kozel_verify.exhaustive.machine_expressions import EMPTY
from kozel_verify.exhaustive.pairs_machine import (
    ANNOUNCED,
    CHOSEN,
    GATHERED,
    MOVED,
    SHOWN,
    UNCOVERED,
    TellingMachine,
    Told,
)
from kozel_verify.interpret.visibility import cell_slots, zone_slots
from kozel_verify.model.core import Announce, Ask, Game, Node, Visibility
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import EnumType, OptionalType, SetType, Type, Value
from kozel_verify.verify.differ.sides import Key, cell_keys, common, zone_keys

FAULTS = (Undefined, DeadReached)
Noticed = tuple[Hashable, ...]
EMPTY_ZONE = Code("(0, 0)")  # nothing to see, whoever looks; also a zone that the game does not have


class Table(TellingMachine):
    """``cells`` and ``zones``: what is compared, in the order that both sides share."""

    def __init__(self, game: Game, options: Mapping[str, Value], cells: Sequence[Key], zones: Sequence[Key]) -> None:
        super().__init__(game, options)
        self._keys = {slot: key for key, slot in zone_keys(game).items()}
        slots, places = cell_keys(game), zone_keys(game)
        codes = [self._cell(slots[key]) for key in cells]
        codes += [self._zone_code(places[key]) if key in places else EMPTY_ZONE for key in zones]
        self._all = self._function(joined(tuple_text([c.text for c in codes]), codes))
        types = [cell_slots(game)[slots[key]][0].type for key in cells]
        self._renamed = [(n, type_) for n, type_ in enumerate(types) if _named(type_)]
        self._told_types = _announced(game)
        self.verbs = [_verbs(node) for node in game.nodes]

    # --- states ------------------------------------------------------------------------------------------------------

    def _cell(self, slot: int) -> Code:
        cell, index = cell_slots(self.game)[slot]
        return self._seen_by(cell.seen, index, Code(f"c{slot}", frozenset({(f"c{slot}", 0)})), literal(None))

    def _zone_code(self, slot: int) -> Code:
        zone, index = zone_slots(self.game)[slot]
        cards = Code(f"z{slot}", frozenset({(f"z{slot}", 0)}))
        pair = self._seen_by(zone.seen, index, cards, joined(f"z{slot}.bit_count()", [cards]))
        return joined(f"({pair.text} if z{slot} else {EMPTY_ZONE.text})", [pair, cards])

    def _seen_by(self, seen: Visibility, index: Value, value: Code, hidden: Code) -> Code:
        """(who sees it, what there is to see)"""
        viewers = self._emitter.code(seen.seats, EMPTY.bind(seen.variable, literal(index)))
        if viewers.known:
            return joined(f"({viewers.text}, {(value if viewers.known[0] else hidden).text})", [viewers, value, hidden])
        text = f"({viewers.text}, {value.text} if {viewers.text} else {hidden.text})"
        return joined(text, [viewers, value, hidden])

    def noticed(self, state: Position) -> Noticed:
        """Equal on both sides exactly when all seats see the same, the same happens next at the same seat, and what
        has ended comes to the same. Raises ``FAULTS``."""
        node, worth = self.game.nodes[state.node], self._worth[state.node]
        seen = self._all(state)
        assert isinstance(seen, tuple)
        if self._renamed:
            rows = list(seen)
            for n, type_ in self._renamed:
                if rows[n][0]:
                    rows[n] = (rows[n][0], common(rows[n][1], type_))
            seen = tuple(rows)
        secret = isinstance(node, Ask) and node.secret
        return node.name, type(node).__name__, secret, self.turn(state), worth and worth(state), seen

    def choice(self, state: Position, outcome: Outcome) -> Hashable:
        """An outcome by names."""
        node = self.game.nodes[state.node]
        if not isinstance(node, Ask):
            return outcome
        verb = node.verbs[outcome[0]]
        rows = zip(outcome[1], verb.parameters, strict=True)
        return verb.name, tuple(common(a, p.type) if _named(p.type) else a for a, p in rows)

    # --- steps -------------------------------------------------------------------------------------------------------

    def told(self, events: Sequence[Told]) -> tuple[Hashable, ...]:
        """What is told of a step, and to whom. Choices are left out: they are the same on both sides."""
        return tuple(told for event in events if event[0] != CHOSEN for told in self._event(event))

    def told_to(self, events: Sequence[Told], seat: int) -> tuple[Hashable, ...]:
        """What one seat is told of a step, in order; the cards that are moved after all else, in no order."""
        found: list[Hashable] = []
        moved: list[Hashable] = []
        for event in events:
            for what, names, seats, value, count in self._event(event):
                if seats >> seat & 1:
                    (moved if what == MOVED else found).append((what, names, value))
                elif what == MOVED:
                    moved.append((what, names, count, "unseen"))
        return (*found, *sorted(moved, key=repr))

    def _event(self, event: Told) -> list[tuple[int, Hashable, int, Hashable, int]]:
        what, number, other, seats, value = event
        match what:
            case _ if what == CHOSEN:
                return []
            case _ if what == MOVED:
                assert isinstance(value, int)
                names = (self._keys[number], self._keys[other])
                return [(what, names, seats, value if seats else None, value.bit_count())] if value else []
            case _ if what == GATHERED:
                return [(what, self._keys[number], seats, 0, 0)]
            case _ if what == UNCOVERED:
                return [(what, self._keys[number], seats, value, 0)] if seats and value else []
            case _ if what == ANNOUNCED:
                label = self.labels[number]
                type_ = self._told_types.get(label)
                told = common(value, type_) if type_ is not None and _named(type_) else value  # type: ignore[arg-type]
                return [(what, label, seats, told, 0)] if seats else []
            case _:
                assert what == SHOWN
                return [(what, "", seats, value, 0)] if seats else []


def _named(type_: Type) -> bool:
    """Do values depend on how a game numbers its items?"""
    match type_:
        case EnumType():
            return True
        case SetType(of) | OptionalType(of):
            return _named(of)
        case _:
            return False


def _verbs(node: Node) -> Hashable:
    """The choices of a node, as far as outcomes are numbered by them."""
    if not isinstance(node, Ask):
        return node.name
    return node.name, tuple((verb.name, tuple(p.type for p in verb.parameters)) for verb in node.verbs)


def _announced(game: Game) -> dict[str, Type]:
    effects = (e for block in game.blocks for e in block.effects)
    return {e.label: e.value.type for e in effects if isinstance(e, Announce)}
