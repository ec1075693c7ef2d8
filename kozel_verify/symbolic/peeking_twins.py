"""Two states that a seat cannot tell apart.

In: a game, a node, a seat, and which hidden parts of a state (cells, the cards of zones) are taken to be equal in both.
Out: ``Twins``: any two real states at the node with equal views for the seat, in one evaluator, so that what is equal
in both is one term; and, for two states at one node, what must be equal for their views to be.

A view is that of the reference: the node and its owner, the options, the cells that the seat sees, the sizes of all
zones, and the cards of the zones whose faces it sees. Trusted: this reading of the visibility of cells and zones.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from kozel_verify.model.core import Game, Visibility
from kozel_verify.model.types import CardType, SeatType, Type, Value, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Stepper
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState, card_set
from kozel_verify.symbolic.faces_sets import FaceEvaluator, mask_of
from kozel_verify.symbolic.faces_system import FaceSystem
from kozel_verify.symbolic.system import cell_types, conserved, facts
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import Counted, SymSet, SymValue, bits_for, equal


@dataclass(frozen=True, slots=True)
class Part:
    """A cell slot, or the cards in a zone slot."""

    zone: bool
    slot: int


@dataclass(frozen=True, slots=True)
class Twins:
    """``constraints``: what holds of all real states with equal views, in which the ``kept`` parts are equal too."""

    node: int
    seat: int
    stepper: Stepper
    first: SymState
    second: SymState
    constraints: tuple[Term, ...]

    @property
    def states(self) -> tuple[SymState, SymState]:
        return self.first, self.second

    @property
    def scopes(self) -> tuple[Scope, Scope]:
        return self.stepper.scope(self.first), self.stepper.scope(self.second)

    def assumptions(self) -> list[Term]:
        """All constraints, with the laws of what has been evaluated so far."""
        return [*self.constraints, *facts(self.stepper)]


# --- who sees what ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Slot:
    """One slot of a family, with what is needed to ask who sees it."""

    name: str
    part: Part
    seen: Visibility
    index_type: Type | None
    index: Value


def slots(game: Game) -> Iterator[Slot]:
    """All cell slots, then all zone slots."""
    for cell in game.cells.values():
        for n, index in enumerate(_indices(cell.index)):
            yield Slot(cell.name, Part(False, cell.base + n), cell.seen, cell.index, index)
    for zone in game.zones.values():
        for n, index in enumerate(_indices(zone.index)):
            yield Slot(zone.name, Part(True, zone.base + n), zone.seen, zone.index, index)


def _indices(index: Type | None) -> tuple[Value, ...]:
    return (None,) if index is None else tuple(element_indices(index))


def sees(evaluator: Evaluator, slot: Slot, seat: int, scope: Scope) -> Term:
    """Does the seat see the slot's value (of a zone: the faces)?"""
    if slot.index_type is not None and slot.seen.variable and slot.index is not None:
        scope = scope.bind(**{slot.seen.variable: evaluator.codec.element(slot.index_type, int(slot.index))})
    viewers = evaluator.value(slot.seen.seats, scope)
    assert isinstance(viewers, SymSet)
    return viewers.bit(seat)


def hidden_parts(game: Game, node: int) -> frozenset[Part]:
    """The parts of a state at the node that somebody might not see: live cells and zones not seen by all for good."""
    everybody = (1 << game.seats) - 1
    live = [is_live for _, _, is_live in cell_types(game, node)]
    return frozenset(
        s.part
        for s in slots(game)
        if getattr(s.seen.seats, "value", None) != everybody and (s.part.zone or live[s.part.slot])
    )


# --- equality --------------------------------------------------------------------------------------------------------


def same(a: SymValue, b: SymValue) -> Term:
    """Are two values of one type equal? Equal sets of cards have equal measures, which is said too."""
    match a, b:
        case Counted(), Counted():
            if a.key is b.key:
                return TRUE
            masks = (t.eq(x, y) for x, y in zip(mask_of(a).bits, mask_of(b).bits, strict=True))
            return t.and_(*masks, *(t.eq(x, y) for x, y in zip(a.measures, b.measures, strict=True)))
        case _:
            return equal(a, b)


def equal_measures(evaluator: FaceEvaluator) -> list[Term]:
    """That equal sets among those measured so far have equal measures, for all pairs of them."""
    measured = [(bits, m) for bits, m in evaluator._measured.items() if any(b.op != "const" for b in bits)]
    laws = []
    for n, (bits, measures) in enumerate(measured):
        for others, also in measured[:n]:
            alike = t.and_(*map(t.eq, bits, others))
            laws.append(t.implies(alike, t.and_(*map(t.eq, measures, also))))
    return laws


def same_faces(a: SymValue, b: SymValue) -> Term:
    """Are two sets of cards equal, by their masks alone?"""
    if isinstance(a, Counted) and isinstance(b, Counted):
        return t.and_(*(t.eq(x, y) for x, y in zip(mask_of(a).bits, mask_of(b).bits, strict=True)))
    return equal(a, b)


@dataclass(frozen=True, slots=True)
class Needed:
    """Something that must be equal in two states. ``part``: it is the value of this part, seen or (``hidden``) not."""

    text: str
    equal: Term
    part: Part | None = None
    hidden: bool = False


def value_of(state: SymState, part: Part) -> SymValue:
    return state.zones[part.slot] if part.zone else state.cells[part.slot]


def needed(
    stepper: Stepper, seat: int, node: int, first: SymState, second: SymState, kept: frozenset[Part]
) -> Iterator[Needed]:
    """What must be equal for the views of two states at a node to be equal, and for the kept parts to be."""
    evaluator, game = stepper.evaluator, stepper.game
    live = [is_live for _, _, is_live in cell_types(game, node)]
    for slot in slots(game):
        part = slot.part
        if not part.zone and not live[part.slot]:
            continue
        a, b = value_of(first, part), value_of(second, part)
        seen = [sees(evaluator, slot, seat, stepper.scope(s)) for s in (first, second)]
        if part.zone:
            yield Needed(f"the size of {_name(game, slot)}", t.eq(evaluator.size(a), evaluator.size(b)))
        yield Needed(f"who sees {_name(game, slot)}", t.eq(*seen))
        what = f"the cards in {_name(game, slot)}" if part.zone else _name(game, slot)
        visible = t.and_(*seen)
        if visible is not FALSE:
            yield Needed(what, t.implies(visible, same_faces(a, b)), part)
        if part in kept and visible is not TRUE:
            yield Needed(what, same_faces(a, b), part, True)
    evaluator.take_obligations()


def _name(game: Game, slot: Slot) -> str:
    if slot.index_type is None or slot.index is None:
        return f"`{slot.name}`"
    number = int(slot.index) + isinstance(slot.index_type, SeatType)
    items = getattr(slot.index_type, "items", None)
    return f"`{slot.name}[{items[int(slot.index)] if items else number}]`"


# --- twins -----------------------------------------------------------------------------------------------------------


class TwinSystem(FaceSystem):
    """Pairs of states with masks. ``fixed`` options are constants, all others unknown and the same in both."""

    def twins(self, node: int, seat: int, kept: frozenset[Part], stepper: type[Stepper] = Stepper) -> Twins:
        """Any two real states at the node with equal views for the seat and equal ``kept`` parts."""
        place = self.place(node)
        evaluator = place.stepper.evaluator
        assert isinstance(evaluator, FaceEvaluator)
        known = {s.part: sees(evaluator, s, seat, place.scope) for s in slots(self.game)}
        seen = {part: TRUE if part in kept else visible for part, visible in known.items()}
        cells, laws = self._cells(evaluator, node, place.state, seen)
        zones, placed = self._second_zones(evaluator, place.state, seen)
        second = SymState(cells, zones)
        walker = stepper(evaluator, place.stepper.options)
        after = {s.part: sees(evaluator, s, seat, walker.scope(second)) for s in slots(self.game)}
        alike = [t.eq(known[part], after[part]) for part in known]
        evaluator.take_obligations()
        constraints = (*place.constraints, *laws, *placed, *conserved(evaluator, second), *alike)
        return Twins(node, seat, walker, place.state, second, constraints)

    def _cells(
        self, evaluator: FaceEvaluator, node: int, first: SymState, seen: dict[Part, Term]
    ) -> tuple[tuple[SymValue, ...], list[Term]]:
        """The cells of the second state: those seen are the first's."""
        cells, laws = list(first.cells), list[Term]()
        for slot, (type_, _, live) in enumerate(cell_types(self.game, node)):
            visible = seen[Part(False, slot)]
            if live and visible is not TRUE:
                name = f"cell:{slot}'"
                value, valid = (
                    (evaluator.unknown_set(name), []) if card_set(type_) else evaluator.codec.unknown(name, type_)
                )
                cells[slot] = value
                laws += [*valid, t.implies(visible, same(first.cells[slot], value))]
        return tuple(cells), laws

    def _second_zones(
        self, evaluator: FaceEvaluator, first: SymState, seen: dict[Part, Term]
    ) -> tuple[tuple[SymValue, ...], list[Term]]:
        """The zones of the second state: those seen are the first's, the others have as many cards. Each card has one
        place, a seen zone being the place of just those cards that lie there in the first state."""
        cards, count = range(len(self.game.deck)), self.game.zone_slots()
        width = bits_for(count)
        places = {c: t.variable(f"place:{c}'", width) for c in cards if self.game.pack >> c & 1}
        zones, laws = list(first.zones), list[Term]()
        if count < 1 << width:
            laws += [t.ult(p, t.vector(count, width)) for p in places.values()]
        for slot in range(count):
            visible, old = seen[Part(True, slot)], first.zones[slot]
            here = t.vector(slot, width)
            bits = tuple(t.eq(places[c], here) if c in places else FALSE for c in cards)
            if visible is TRUE:
                laws += [t.eq(a, b) for a, b in zip(bits, mask_of(old).bits, strict=True)]
                continue
            new = evaluator.masked(f"zone:{slot}'", SymSet(evaluator.codec, CardType(len(cards)), bits))
            zones[slot] = new
            laws += [t.eq(evaluator.size(old), evaluator.size(new)), t.implies(visible, same(old, new))]
        return tuple(zones), laws
