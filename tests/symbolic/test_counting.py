"""The counter abstraction admits every real step, and says what it must about sets of cards."""

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.model.core import Apply, Claim, Const, Expr, Game, If, StateClaim, ZoneRead
from kozel_verify.model.types import BOOL, NAT, CardType, SetType, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.counting import CountingEvaluator
from kozel_verify.symbolic.evaluate import Scope, SymState
from kozel_verify.symbolic.system import CountingSystem, Transition, arrival_scope
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Counted, SymValue, parts
from kozel_verify.symbolic.z3_api import Model, Unsatisfiable, check, prove
from tests.support.toy import toy_game
from tests.symbolic.test_edge import sampled, verb_and_arguments

CARDS = SetType(CardType(6))


def fixed(values: Mapping[str, Constant], terms: dict[str, Term]) -> list[Term]:
    """The variables among ``terms`` have these values."""
    found = []
    for name, value in values.items():
        if name in terms:
            sort = terms[name].sort
            constant = t.boolean(bool(value)) if sort == t.BOOL else t.make("const", (), sort, value)
            found.append(t.eq(terms[name], constant))
    return found


def admits(
    system: CountingSystem, transition: Transition, before: dict[str, Constant], after: dict[str, Constant], node: int
) -> bool:
    """Is there a counted step with these values at its beginning and at its end?"""
    place = system.place(node)
    for arrival in transition.edge.arrivals:
        if arrival.node == node:
            arrival_scope(transition, arrival)
            start = [*transition.assumptions(), arrival.path]
            ends = []
            pairs: list[tuple[SymValue, SymValue]] = list(
                zip((*arrival.state.cells, *arrival.state.zones), (*place.state.cells, *place.state.zones), strict=True)
            )
            for reached, unknown in pairs:
                ends.extend(_equal_to(reached, unknown, after))
            return isinstance(check([*start, *fixed(before, t.variables(start)), *ends]), Model)
    return False


def _equal_to(reached: SymValue, unknown: SymValue, after: Mapping[str, Constant]) -> list[Term]:
    """The value reached is the one that the variables of ``unknown`` have."""
    found = []
    for a, b in zip(parts(reached), parts(unknown), strict=True):
        if b.op == "var":
            value = after[str(b.payload)]
            found.append(t.eq(a, t.boolean(bool(value)) if b.sort == t.BOOL else t.make("const", (), b.sort, value)))
    return found


def steps(game: Game, options: dict[str, Value], count: int) -> list[tuple[State, int, tuple[Value, ...], State]]:
    """Some legal steps of sampled plays, at all nodes."""
    player, rng, found = Interpreter(game, options), random.Random(7), []
    states = sampled(game, options, plays=3, seed=3)
    for state in rng.sample(states, min(count, len(states))):
        for outcome in player.outcomes(state):
            verb, arguments = verb_and_arguments(outcome)
            found.append((state, verb, arguments, player.step(state, outcome)[0]))
    return found


def refused(system: CountingSystem, options: dict[str, Value], count: int) -> tuple[int, int]:
    """How many sampled steps the counted edges admit, and how many they do not."""
    transitions: dict[tuple[int, int], Transition] = {}
    results = [0, 0]
    for state, verb, arguments, after in steps(toy_game(), options, count):
        if (state.node, verb) not in transitions:
            transitions[state.node, verb] = system.transition(state.node, verb)
        before = system.assignment(state, options)
        system.assign_outcome(state.node, verb, arguments, before)
        ok = admits(system, transitions[state.node, verb], before, system.assignment(after, options), after.node)
        results[not ok] += 1
    return results[0], results[1]


def test_every_sampled_step_is_admitted() -> None:
    """Soundness on real steps: sizes, weights, cells and node are among the counted edge's behaviours."""
    admitted, not_admitted = refused(CountingSystem(toy_game()), {"ruffing": True}, 40)
    assert admitted > 80 and not_admitted == 0


def test_a_forgotten_subtraction_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: when a move leaves the cards in their source, real steps are no longer admitted."""
    monkeypatch.setattr(CountingEvaluator, "minus", lambda self, cards, gone: cards)
    assert refused(CountingSystem(toy_game()), {"ruffing": True}, 10)[1] > 0


# --- laws ------------------------------------------------------------------------------------------------------------


def two_zones() -> tuple[CountingEvaluator, Scope, Expr, Expr]:
    """An evaluator with unknown zones; the stock, and the hand of seat 0."""
    game = toy_game()
    evaluator = CountingEvaluator(game)
    zones = tuple(evaluator.unknown_set(f"zone:{z}") for z in range(game.zone_slots()))
    scope = Scope(SymState((), zones), {})
    return (
        evaluator,
        scope,
        ZoneRead("stock", None, CARDS),
        ZoneRead("table", Const(0, game.zones["table"].index or BOOL), CARDS),
    )


def size(cards: Expr) -> Expr:
    return Apply("size", (cards,), NAT)


def op(name: str, *args: Expr, type_: SetType | None = None) -> Expr:
    return Apply(name, args, type_ or BOOL)


def holds(evaluator: CountingEvaluator, scope: Scope, claim: Expr) -> bool:
    goal = evaluator.truth(claim, scope)
    return isinstance(prove(list(evaluator.facts), goal), Unsatisfiable)


def test_sizes_of_unions_and_differences() -> None:
    """Zones are disjoint, so sizes add up; a constant set may share cards with a zone."""
    evaluator, scope, stock, table = two_zones()
    both = op("union", stock, table, type_=CARDS)
    aces = Const(0b100100, CARDS)
    plus = Apply("+", (size(stock), size(table)), NAT)
    assert holds(evaluator, scope, op("==", size(both), plus))
    mixed = op("union", stock, aces, type_=CARDS)
    assert holds(evaluator, scope, op("<=", size(stock), size(mixed)))
    assert holds(evaluator, scope, op("<=", size(mixed), Apply("+", (size(stock), Const(2, NAT)), NAT)))
    assert not holds(evaluator, scope, op("==", size(mixed), Apply("+", (size(stock), Const(2, NAT)), NAT)))
    rest = op("without", stock, aces, type_=CARDS)
    assert holds(evaluator, scope, op("<=", size(rest), size(stock)))
    assert not holds(evaluator, scope, op("==", size(rest), size(stock)))


def test_emptiness_and_parts() -> None:
    """Only an empty set has size 0; a part is not larger; faces stay open."""
    evaluator, scope, stock, table = two_zones()
    nothing = Const(0, CARDS)
    assert holds(evaluator, scope, op("==", op("==", stock, nothing), op("==", size(stock), Const(0, NAT))))
    assert holds(evaluator, scope, op("implies", op("within", stock, table), op("<=", size(stock), size(table))))
    ace = Const(2, CardType(6))
    assert holds(evaluator, scope, op("implies", op("in", ace, stock), op("<=", Const(1, NAT), size(stock))))
    assert not holds(evaluator, scope, op("in", ace, stock))
    assert holds(evaluator, scope, op("==", stock, stock))
    assert not holds(evaluator, scope, op("==", stock, table))


def test_measures_of_the_toy_game() -> None:
    """The size, and the points that are summed: 0 3 11 in each suit."""
    assert CountingEvaluator(toy_game()).measures == ((1,) * 6, (0, 3, 11, 0, 3, 11))


def test_a_constant_set_has_exact_measures() -> None:
    """Two aces are two cards and 22 points."""
    evaluator = CountingEvaluator(toy_game())
    value = evaluator.constant(0b100100, CARDS)
    assert isinstance(value, Counted)
    assert [t.constant(m) for m in value.measures] == [2, 22]


def test_a_card_that_the_rules_name_is_counted_exactly() -> None:
    """With a claim about one ace it has a measure: a zone without it is the same size without it, else one less."""
    game, ace = toy_game(), Const(2, CardType(6))
    in_stock = op("in", ace, ZoneRead("stock", None, CARDS))
    game = replace(game, properties=(*game.properties, StateClaim(Claim.INVARIANT, "ace", (0,), in_stock)))
    evaluator = CountingEvaluator(game)
    assert evaluator.measures[2] == (0, 0, 1, 0, 0, 0)
    zones = tuple(evaluator.unknown_set(f"zone:{z}") for z in range(game.zone_slots()))
    scope, stock = Scope(SymState((), zones), {}), ZoneRead("stock", None, CARDS)
    rest = op("without", stock, Const(0b000100, CARDS), type_=CARDS)
    fewer = Apply("+", (size(rest), If(in_stock, Const(1, NAT), Const(0, NAT), NAT)), NAT)
    assert holds(evaluator, scope, op("==", size(stock), fewer))
    assert holds(evaluator, scope, op("not", op("in", ace, rest)))
    assert not holds(evaluator, scope, in_stock)
