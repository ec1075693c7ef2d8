"""The counted transition system of a game: all its edges, each with everything a query about it needs.

In: a game, and values for the options that are to be constants. Out: for each node the unknown counted state, and for
each outcome (node and verb) a ``Transition``. Each has an evaluator of its own, so that a query is the same whatever
else was asked.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from kozel_verify.model.core import OUTSIDE, Ask, CellKind, Draw, End, Game, Parameter, Verb, slot_count
from kozel_verify.model.types import CardType, Type, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.counting import CountingEvaluator
from kozel_verify.symbolic.edge import Arrival, Edge, Outcome, Stepper
from kozel_verify.symbolic.evaluate import Scope, SymState, card_set
from kozel_verify.symbolic.exact import PlainState, unknown_options
from kozel_verify.symbolic.measures import measures_of
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Counted, SymValue


@dataclass(frozen=True, slots=True)
class Place:
    """Any state at a node: with the stepper that evaluates there, and the constraints on its variables."""

    node: int
    stepper: Stepper
    state: SymState
    constraints: tuple[Term, ...]

    @property
    def scope(self) -> Scope:
        return self.stepper.scope(self.state)

    def assumptions(self) -> list[Term]:
        """What holds of every real state here; grows as more is evaluated."""
        return [*self.constraints, *facts(self.stepper)]


NOTHING = Outcome(-1, ())


@dataclass(frozen=True, slots=True)
class Transition:
    """All steps from a node by one verb (or by chance, or from nothing). ``place`` is where they begin, ``outcome`` is
    what happens there (nothing, before the match)."""

    name: str
    place: Place | None
    stepper: Stepper
    constraints: tuple[Term, ...]
    edge: Edge
    outcome: Outcome = NOTHING

    def assumptions(self) -> list[Term]:
        """What holds of every real step here. That the outcome is legal stands in the edge's paths."""
        return [*self.constraints, *facts(self.stepper)]


def forked(place: Place) -> Place:
    """The same state with an evaluator of its own, which knows what this one knows: so what is evaluated for one query
    says nothing in another."""
    return replace(place, stepper=_fork(place.stepper))


def forked_transition(transition: Transition) -> Transition:
    """The same steps, likewise with an evaluator of their own."""
    stepper = _fork(transition.stepper)
    place = transition.place and replace(transition.place, stepper=stepper)
    return replace(transition, place=place, stepper=stepper)


def _fork(stepper: Stepper) -> Stepper:
    assert isinstance(stepper.evaluator, CountingEvaluator)
    return Stepper(stepper.evaluator.fork(), stepper.options)


def facts(stepper: Stepper) -> list[Term]:
    evaluator = stepper.evaluator
    return list(evaluator.facts) if isinstance(evaluator, CountingEvaluator) else []


def totals(evaluator: CountingEvaluator) -> list[int]:
    """What the whole pack measures."""
    return [sum(w for c, w in enumerate(m) if evaluator.game.pack >> c & 1) for m in evaluator.measures]


def conserved(evaluator: CountingEvaluator, state: SymState) -> list[Term]:
    """The measures of all zones add up to those of the pack."""
    laws = []
    for m, total in enumerate(totals(evaluator)):
        parts = [z.measures[m] for z in state.zones if isinstance(z, Counted)]
        laws.append(t.eq(t.add(*parts), t.integer(total)))
    return laws


class CountingSystem:
    """See the module. ``fixed`` options are constants, all others unknown; a cell may be fixed where steps begin."""

    def __init__(self, game: Game, fixed: Mapping[str, Value] | None = None) -> None:
        self.game = game
        self.fixed = dict(fixed or {})
        self.measures = measures_of(game)
        self._constant = {game.cells[name].base: value for name, value in self.fixed.items() if name in game.cells}

    # --- where edges begin

    def place(self, node: int) -> Place:
        """Any real state at a node, counted."""
        evaluator = CountingEvaluator(self.game, self.measures)
        options, constraints = unknown_options(evaluator, self.fixed)
        cells: list[SymValue] = []
        valid: list[Term] = []
        for slot, (type_, initial, live) in enumerate(cell_types(self.game, node)):
            value, laws = self._cell(evaluator, slot, type_, initial, live)
            cells.append(value)
            valid.extend(laws)
        zones = tuple(evaluator.unknown_set(f"zone:{slot}") for slot in range(self.game.zone_slots()))
        state = SymState(tuple(cells), zones)
        return Place(
            node,
            Stepper(evaluator, options),
            state,
            (*constraints, *valid, *conserved(evaluator, state)),
        )

    def _cell(
        self, evaluator: CountingEvaluator, slot: int, type_: Type, initial: Value, live: bool
    ) -> tuple[SymValue, list[Term]]:
        if not live or slot in self._constant:
            return evaluator.constant(self._constant.get(slot, initial), type_), []
        if card_set(type_):
            return evaluator.unknown_set(f"cell:{slot}"), []
        return evaluator.codec.unknown(f"cell:{slot}", type_)

    # --- edges

    def begin(self) -> Transition:
        """The match's beginning."""
        evaluator = CountingEvaluator(self.game, self.measures)
        options, constraints = unknown_options(evaluator, self.fixed)
        stepper = Stepper(evaluator, options)
        return Transition("begin", None, stepper, constraints, stepper.begin())

    def transition(self, node: int, verb: int) -> Transition:
        place = self.place(node)
        stepper = place.stepper
        outcome, possible = self.outcome(place, verb)
        edge = stepper.step(node, place.state, outcome)
        at = self.game.nodes[node]
        name = f"{at.name}.{at.verbs[verb].name}" if isinstance(at, Ask) else at.name
        return Transition(name, place, stepper, (*place.constraints, *possible), edge, outcome)

    def transitions(self, nodes: Collection[int] | None = None) -> Iterator[Transition]:
        """All edges: the beginning, then node by node, verb by verb; or those from some nodes (-1: the beginning)."""
        if nodes is None or -1 in nodes:
            yield self.begin()
        for n, node in enumerate(self.game.nodes):
            if not isinstance(node, End) and (nodes is None or n in nodes):
                for verb in range(len(node.verbs)) if isinstance(node, Ask) else (-1,):
                    yield self.transition(n, verb)

    def outcome(self, place: Place, verb: int) -> tuple[Outcome, list[Term]]:
        """Any outcome by a verb. A chosen group is any part of its domain."""
        match self.game.nodes[place.node]:
            case Ask(_, _, _, verbs):
                return self._choice(place, verbs[verb], verb)
            case Draw():
                codec, card = place.stepper.evaluator.codec, CardType(len(self.game.deck))
                term = t.variable("argument:0", codec.width(card))
                return Outcome(-1, (term,)), [codec.valid(card, term)]
            case _:
                return Outcome(-1, ()), []

    def _choice(self, place: Place, verb: Verb, index: int) -> tuple[Outcome, list[Term]]:
        scope, values, possible = place.scope, list[SymValue](), list[Term]()
        for n, p in enumerate(verb.parameters):
            value, valid = self._argument(place.stepper, p, n, scope)
            values.append(value)
            possible.extend(valid)
            scope = scope.bind(**{p.name: value})
        return Outcome(index, tuple(values)), possible

    def _argument(self, stepper: Stepper, p: Parameter, n: int, scope: Scope) -> tuple[SymValue, list[Term]]:
        evaluator = stepper.evaluator
        assert isinstance(evaluator, CountingEvaluator)
        if not card_set(p.type):
            return evaluator.codec.unknown(f"argument:{n}", p.type)
        domain = evaluator.value(p.domain, scope)
        assert isinstance(domain, Counted)
        return evaluator.unknown_part(f"argument:{n}", domain), []

    # --- plain states

    def assignment(self, state: PlainState, options: Mapping[str, Value]) -> dict[str, Constant]:
        """The values of the variables of ``place(state.node)`` in a plain state."""
        evaluator = CountingEvaluator(self.game, self.measures)
        out: dict[str, Constant] = {}
        for name, declared in self.game.options.items():
            if name not in self.fixed:
                evaluator.codec.assign(f"option:{name}", declared.type, options[name], out)
        for slot, (type_, _, live) in enumerate(cell_types(self.game, state.node)):
            value = state.cells[slot]
            if live and card_set(type_):
                assert value is not None
                self._measure(evaluator, f"cell:{slot}", value, out)
            elif live:
                evaluator.codec.assign(f"cell:{slot}", type_, value, out)
        for slot in range(self.game.zone_slots()):
            mask = sum(1 << c for c, p in enumerate(state.place) if p == slot and p != OUTSIDE)
            self._measure(evaluator, f"zone:{slot}", mask, out)
        return out

    def assign_outcome(self, node: int, verb: int, arguments: tuple[Value, ...], out: dict[str, Constant]) -> None:
        """Add the values of the variables of ``outcome``. A drawn card is the only argument of chance."""
        evaluator, at = CountingEvaluator(self.game, self.measures), self.game.nodes[node]
        types: list[Type] = [p.type for p in at.verbs[verb].parameters] if isinstance(at, Ask) else []
        for n, (value, type_) in enumerate(zip(arguments, types or [CardType(len(self.game.deck))], strict=False)):
            if card_set(type_):
                assert value is not None
                self._measure(evaluator, f"argument:{n}", value, out)
            else:
                evaluator.codec.assign(f"argument:{n}", type_, value, out)

    def _measure(self, evaluator: CountingEvaluator, name: str, mask: int, out: dict[str, Constant]) -> None:
        for m, weights in enumerate(evaluator.measures):
            out[f"{name}/{m}"] = sum(w for c, w in enumerate(weights) if mask >> c & 1)


def cell_types(game: Game, node: int) -> list[tuple[Type, Value, bool]]:
    """For each cell slot its type, its first value, and whether it may differ from that at the node."""
    live = game.live[node]
    return [
        (c.type, c.initial, c.kind is CellKind.DECLARED or c.name in live)
        for c in game.cells.values()
        for _ in range(slot_count(c.index))
    ]


def arrival_scope(transition: Transition, arrival: Arrival, before: SymState | None = None) -> Scope:
    """Where claims about the state at the end of an edge are evaluated: its sets exist on the path to it. ``before`` is
    what ``old`` refers to, in claims about the step."""
    transition.stepper.evaluator.under = arrival.path
    return replace(transition.stepper.scope(arrival.state), before=before)
