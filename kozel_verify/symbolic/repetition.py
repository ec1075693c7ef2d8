"""Can a piece of a match be repeated for ever?

In: a game with its options, and what happens in the first of two periods of a run, each time with the plain states of
both periods. Out: whether the same outcomes lead, from the state that the first period begins with, through the same
states for every number of repetitions, if the cells without an upper end (`Nat`) have grown by the same amounts each
time. So states are concrete but for these cells, which are ``first + n * growth`` for an unknown n. Trusted: the
symbolic edges and the solver.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kozel_verify.model.core import Ask, Draw, Game, slot_count
from kozel_verify.model.types import CardType, NatType, SetType, Type, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Edge, Outcome, Stepper
from kozel_verify.symbolic.evaluate import Evaluator, SymState
from kozel_verify.symbolic.exact import PlainState
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import SymValue, equal
from kozel_verify.symbolic.z3_api import Unsatisfiable, check


@dataclass(frozen=True, slots=True)
class Moment:
    """What happens in one state of the first period, with the state at the same point of the second. ``verb`` is -1 for
    chance and rest; a drawn card is the only argument of chance."""

    first: PlainState
    second: PlainState
    verb: int
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Repetition:
    """``proved``: it goes on so for ever. ``growth``: of each cell slot that grows, by how much in a period."""

    proved: bool
    growth: dict[int, int]
    queries: int
    open: str = ""


def growth_of(game: Game, first: PlainState, second: PlainState) -> dict[int, int] | None:
    """By how much each `Nat` slot has grown; ``None`` when anything else differs, or one has become smaller."""
    if first.node != second.node or first.place != second.place:
        return None
    grown: dict[int, int] = {}
    for slot, (type_, a, b) in enumerate(zip(cell_slot_types(game), first.cells, second.cells, strict=True)):
        if a != b:
            if not isinstance(type_, NatType) or int(b or 0) < int(a or 0):
                return None
            grown[slot] = int(b or 0) - int(a or 0)
    return grown


def repeats(game: Game, options: Mapping[str, Value], moments: Sequence[Moment], rlimit: int) -> Repetition:
    """``moments``: one period; after the last comes the state in which the second period begins."""
    evaluator = Evaluator(game)
    chosen = {name: evaluator.codec.lift(options[name], o.type) for name, o in game.options.items()}
    stepper = Stepper(evaluator, chosen)
    n = t.variable("n", t.INT)
    growth = growth_of(game, moments[0].first, moments[0].second) or {}
    queries = 0
    ends = [*moments[1:], None]
    for moment, after in zip(moments, ends, strict=True):
        if growth_of(game, moment.first, moment.second) is None:
            return Repetition(False, growth, queries, f"the periods differ at `{game.nodes[moment.first.node].name}`")
        edge = stepper.step(moment.first.node, _state(stepper, moment, n), _outcome(stepper, moment))
        if after is None:
            goal = _reaches(stepper, edge, moments[0].second, _state(stepper, moments[0], t.add(n, t.integer(1))))
        else:
            goal = _reaches(stepper, edge, after.first, _state(stepper, after, n))
        if goal is t.TRUE:
            continue
        queries += 1
        if not isinstance(check([t.le(t.integer(0), n), t.not_(goal)], rlimit), Unsatisfiable):
            return Repetition(False, growth, queries, f"not shown at `{game.nodes[moment.first.node].name}`")
    return Repetition(True, growth, queries)


def _reaches(stepper: Stepper, edge: Edge, expected: PlainState, state: SymState) -> Term:
    """The outcome is legal, everything on the way is defined, and the edge ends in just this state."""
    goals = [edge.legal, *(o.formula() for o in edge.obligations), *(t.not_(f.path) for f in edge.falls)]
    here = [a for a in edge.arrivals if a.node == expected.node]
    if not here:
        return t.FALSE
    goals.append(here[0].path)
    pairs = [*zip(here[0].state.cells, state.cells, strict=True), *zip(here[0].state.zones, state.zones, strict=True)]
    goals += [equal(a, b) for a, b in pairs]
    stepper.evaluator.take_obligations()
    return t.and_(*goals)


def _state(stepper: Stepper, moment: Moment, n: Term) -> SymState:
    """The state at a moment of the period after ``n`` more of them."""
    game, codec = stepper.game, stepper.evaluator.codec
    cells: list[SymValue] = []
    for type_, a, b in zip(cell_slot_types(game), moment.first.cells, moment.second.cells, strict=True):
        if a != b:
            cells.append(t.add(t.integer(int(a or 0)), t.mul(t.integer(int(b or 0) - int(a or 0)), n)))
        else:
            cells.append(codec.lift(a, type_))
    masks = [0] * game.zone_slots()
    for card, slot in enumerate(moment.first.place):
        if slot >= 0:
            masks[slot] |= 1 << card
    cards = SetType(CardType(len(game.deck)))
    return SymState(tuple(cells), tuple(codec.lift(mask, cards) for mask in masks))


def _outcome(stepper: Stepper, moment: Moment) -> Outcome:
    game, codec = stepper.game, stepper.evaluator.codec
    match game.nodes[moment.first.node]:
        case Ask(verbs=verbs):
            types: list[Type] = [p.type for p in verbs[moment.verb].parameters]
        case Draw():
            types = [CardType(len(game.deck))]
        case _:
            types = []
    lifted = tuple(codec.lift(v, type_) for v, type_ in zip(moment.arguments, types, strict=True))
    return Outcome(moment.verb, lifted)


def cell_slot_types(game: Game) -> list[Type]:
    return [c.type for c in game.cells.values() for _ in range(slot_count(c.index))]
