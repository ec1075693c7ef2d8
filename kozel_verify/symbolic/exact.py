"""Exact symbolic states: every card's place and every cell as unknowns; and back to plain states.

In: a game and a node. Out: a symbolic state in which each card of the pack has an unknown place (so it has exactly one,
by construction) and each cell that is live an unknown value; an unknown outcome; and ``concretize``, which puts a plain
state and outcome into an edge and reads the plain next state off. Trusted: nothing; ``concretize`` is what the
comparison of whole edges with the reference interpreter rests on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from kozel_verify.model.core import OUTSIDE, Ask, CellKind, Draw, Game, slot_count
from kozel_verify.model.types import CardType, SetType, Type, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Edge, Outcome, Stepper
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import SymSet, SymValue, bits_for, equal, parts, reader


class PlainState(Protocol):
    """A state as plain data: the node, a value for each cell slot, a zone slot (or ``OUTSIDE``) for each card."""

    @property
    def node(self) -> int: ...
    @property
    def cells(self) -> tuple[Value, ...]: ...
    @property
    def place(self) -> tuple[int, ...]: ...


@dataclass(frozen=True, slots=True)
class Reached:
    """A ``PlainState`` that an edge led to."""

    node: int
    cells: tuple[Value, ...]
    place: tuple[int, ...]


def unknown_options(evaluator: Evaluator, fixed: Mapping[str, Value]) -> tuple[dict[str, SymValue], tuple[Term, ...]]:
    """A value for each option: the ``fixed`` ones as constants, the others unknown within their domains and the
    game's constraints."""
    game, codec = evaluator.game, evaluator.codec
    options: dict[str, SymValue] = {}
    constraints: list[Term] = []
    for name, declared in game.options.items():
        if name in fixed:
            options[name] = codec.lift(fixed[name], declared.type)
            continue
        options[name], valid = codec.unknown(f"option:{name}", declared.type)
        allowed = t.or_(*(equal(options[name], codec.lift(v, declared.type)) for v in declared.values))
        constraints.extend([*valid, allowed])
    scope = Scope(SymState((), ()), options)
    constraints.extend(evaluator.truth(c, scope) for c in game.constraints)
    evaluator.take_obligations()
    return options, tuple(c for c in constraints if c is not t.TRUE)


class ExactModel:
    """The unknown states and outcomes of a game, and its edges as terms over them."""

    def __init__(self, game: Game, fixed: Mapping[str, Value] | None = None) -> None:
        """``fixed`` options are constants; all others are unknown."""
        self.game = game
        self.fixed = dict(fixed or {})
        self.evaluator = Evaluator(game)
        self.options, self.constraints = unknown_options(self.evaluator, self.fixed)
        self.stepper = Stepper(self.evaluator, self.options)
        self.width = bits_for(game.zone_slots())

    # --- unknowns

    def state(self, node: int) -> tuple[SymState, tuple[Term, ...]]:
        """Any state at a node. Cells that are not live there have their first value."""
        constraints: list[Term] = []
        cells: list[SymValue] = []
        for slot, (type_, initial, live) in enumerate(self._cells(node)):
            if live:
                value, valid = self.evaluator.codec.unknown(f"cell:{slot}", type_)
                constraints.extend(valid)
            else:
                value = self.evaluator.codec.lift(initial, type_)
            cells.append(value)
        places = {
            c: t.variable(f"place:{c}", self.width) for c in range(len(self.game.deck)) if self.game.pack >> c & 1
        }
        slots = self.game.zone_slots()
        if slots < 1 << self.width:
            constraints.extend(t.ult(p, t.vector(slots, self.width)) for p in places.values())
        zones = tuple(self._zone(slot, places) for slot in range(slots))
        return SymState(tuple(cells), zones), tuple(constraints)

    def _cells(self, node: int) -> list[tuple[Type, Value, bool]]:
        live = self.game.live[node]
        return [
            (c.type, c.initial, c.kind is CellKind.DECLARED or c.name in live)
            for c in self.game.cells.values()
            for _ in range(slot_count(c.index))
        ]

    def _zone(self, slot: int, places: Mapping[int, Term]) -> SymSet:
        here = t.vector(slot, self.width)
        cards = range(len(self.game.deck))
        bits = tuple(t.eq(places[c], here) if c in places else t.FALSE for c in cards)
        return SymSet(self.evaluator.codec, CardType(len(cards)), bits)

    def outcome(self, node: int, verb: int) -> tuple[Outcome, tuple[Term, ...]]:
        """Any outcome at a node, legal or not; ``verb`` is -1 for chance and rest."""
        values, constraints = [], list[Term]()
        for name, type_ in self._arguments(node, verb):
            value, valid = self.evaluator.codec.unknown(name, type_)
            values.append(value)
            constraints.extend(valid)
        return Outcome(verb, tuple(values)), tuple(constraints)

    def _arguments(self, node: int, verb: int) -> list[tuple[str, Type]]:
        match self.game.nodes[node]:
            case Ask(_, _, _, verbs):
                return [(f"argument:{n}", p.type) for n, p in enumerate(verbs[verb].parameters)]
            case Draw():
                return [("argument:0", CardType(len(self.game.deck)))]
            case _:
                return []

    def edge(self, node: int, verb: int) -> tuple[Edge, tuple[Term, ...]]:
        """The edge for any state and outcome, and the constraints on their variables (the options' included)."""
        state, valid = self.state(node)
        outcome, possible = self.outcome(node, verb)
        return self.stepper.step(node, state, outcome), (*self.constraints, *valid, *possible)

    # --- plain values

    def assignment(
        self, state: PlainState, verb: int, arguments: tuple[Value, ...], options: Mapping[str, Value]
    ) -> dict[str, Constant]:
        """The values of all variables of an edge from ``state``. A drawn card is the only argument of chance."""
        out = self.assign_state(state, options)
        for (name, type_), value in zip(self._arguments(state.node, verb), arguments, strict=True):
            self.evaluator.codec.assign(name, type_, value, out)
        return out

    def assign_state(self, state: PlainState, options: Mapping[str, Value]) -> dict[str, Constant]:
        """The values of the variables of a state and of the options."""
        out: dict[str, Constant] = {}
        codec = self.evaluator.codec
        for name, declared in self.game.options.items():
            if name not in self.fixed:
                codec.assign(f"option:{name}", declared.type, options[name], out)
        for slot, (type_, _, live) in enumerate(self._cells(state.node)):
            if live:
                codec.assign(f"cell:{slot}", type_, state.cells[slot], out)
        for card, place in enumerate(state.place):
            if place != OUTSIDE:
                out[f"place:{card}"] = place
        return out


@dataclass(frozen=True, slots=True)
class Step:
    """What an edge says about one plain state and outcome. ``state`` is ``None`` when no node is reached."""

    legal: bool
    defined: bool
    state: Reached | None
    fallen: str  # the name of the dead place that is reached, or ""


def edge_terms(edge: Edge) -> list[Term]:
    """All terms that ``concretize`` reads."""
    roots = [edge.legal, *(f.path for f in edge.falls), *(o.formula() for o in edge.obligations)]
    for a in edge.arrivals:
        roots.append(a.path)
        for value in (*a.state.cells, *a.state.zones):
            roots.extend(parts(value))
    return roots


def concretize(model: ExactModel, edge: Edge, values: Mapping[str, Constant]) -> Step:
    """The edge with values for its variables: what happens in the one case that they describe."""
    read = reader(edge_terms(edge), values)
    legal = bool(read(edge.legal))
    defined = all(read(o.formula()) for o in edge.obligations)
    fallen = next((f.name for f in edge.falls if read(f.path)), "")
    reached = [a for a in edge.arrivals if read(a.path)]
    if not reached or not defined:
        return Step(legal, defined, None, fallen)
    assert len(reached) == 1 and not fallen
    return Step(legal, defined, plain_state(model, reached[0].node, reached[0].state, read), fallen)


def plain_state(model: ExactModel, node: int, state: SymState, read: Callable[[Term], Constant]) -> Reached:
    """A symbolic state with values for its variables."""
    codec, game = model.evaluator.codec, model.game
    types = [c.type for c in game.cells.values() for _ in range(slot_count(c.index))]
    cells = tuple(codec.lower(v, type_, read) for v, type_ in zip(state.cells, types, strict=True))
    cards = SetType(CardType(len(game.deck)))
    masks = [codec.lower(z, cards, read) for z in state.zones]
    places = []
    for card in range(len(game.deck)):
        slots = [slot for slot, mask in enumerate(masks) if isinstance(mask, int) and mask >> card & 1]
        assert len(slots) <= 1, "a card has one place"
        places.append(slots[0] if slots else OUTSIDE)
    return Reached(node, cells, tuple(places))
