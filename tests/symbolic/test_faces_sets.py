"""Masks with counts against real plays: every fact is true of them, and claims have their true values."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.model.core import (
    Claim,
    Const,
    Game,
    StateClaim,
)
from kozel_verify.model.load import load
from kozel_verify.model.types import CardType, SetType, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import card_set
from kozel_verify.symbolic.exact import ExactModel
from kozel_verify.symbolic.faces_sets import FaceEvaluator, mask_of
from kozel_verify.symbolic.faces_system import FaceSystem
from kozel_verify.symbolic.system import Transition, arrival_scope, cell_types, facts
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Counted
from tests.support.toy import (
    toy_game,
)
from tests.symbolic.test_edge import sampled, verb_and_arguments
from tests.symbolic.test_faces import ACE_LED, IS_TABLE, LED_SUIT, SHOKHA


@dataclass
class RealStep:
    """A step of a play: its transition, the true values of all variables there, the states before and after."""

    transition: Transition
    values: dict[str, Constant]
    player: Interpreter
    before: State
    after: State
    claims: list[tuple[int, StateClaim, Term]]  # of the start (-1) and of each arrival (its position)


def mask(bits: Sequence[Term], values: Mapping[str, Constant]) -> int:
    return sum(1 << c for c, b in enumerate(t.evaluate(bits, values)) if b)


class Steps:
    """Real steps of one game. A variable that no real thing gives a value to is an arbitrary card, and drawn."""

    def __init__(self, game: Game) -> None:
        self.game, self.system, self.exact = game, FaceSystem(game), ExactModel(game)
        self.invariants = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
        self.visits: dict[int, int] = {}  # the first ten states of each node are looked at
        self.transitions: dict[tuple[int, int], tuple[Transition, list[tuple[int, StateClaim, Term]]]] = {}

    def sample(self, options: dict[str, Value], plays: int, seed: int) -> Iterator[RealStep]:
        player, rng = Interpreter(self.game, options), random.Random(seed)
        for state in sampled(self.game, options, plays, seed):
            self.visits[state.node] = self.visits.get(state.node, 0) + 1
            if self.visits[state.node] > 10:
                continue
            outcomes = player.outcomes(state)
            for outcome in rng.sample(outcomes, min(2, len(outcomes))):
                verb, arguments = verb_and_arguments(outcome)
                transition, claims = self.transition(state.node, verb)
                values = self.exact.assignment(state, verb, arguments, options)
                self.measures(transition, state, arguments, values)
                self.answers(transition, state, player, values)
                for name, term in t.variables(list(facts(transition.stepper))).items():
                    if name not in values:
                        assert name.startswith(("target#", "reply#", "each#")), f"{name} stands for something"
                        card = rng.randrange(len(self.game.deck))
                        code = self.exact.evaluator.codec.element(CardType(len(self.game.deck)), card)
                        values[name] = t.int_of(code) if term.sort > 0 else 0
                yield RealStep(transition, values, player, state, player.step(state, outcome)[0], claims)

    def transition(self, node: int, verb: int) -> tuple[Transition, list[tuple[int, StateClaim, Term]]]:
        if (node, verb) not in self.transitions:
            transition, found = self.system.transition(node, verb), list[tuple[int, StateClaim, Term]]()
            evaluator, place = transition.stepper.evaluator, transition.place
            assert place is not None
            scopes = [(-1, node, place.scope)]
            scopes += [(n, a.node, arrival_scope(transition, a)) for n, a in enumerate(transition.edge.arrivals)]
            for n, at, scope in scopes:
                evaluator.under = t.TRUE if n < 0 else transition.edge.arrivals[n].path
                found += [(n, c, evaluator.truth(c.statement, scope)) for c in self.invariants if at in c.nodes]
            self.transitions[node, verb] = transition, found
        return self.transitions[node, verb]

    def measure(self, transition: Transition, name: str, cards: int, values: dict[str, Constant]) -> None:
        evaluator = transition.stepper.evaluator
        assert isinstance(evaluator, FaceEvaluator)
        for m, weights in enumerate(evaluator.measures):
            values[f"{name}/{m}"] = sum(w for c, w in enumerate(weights) if cards >> c & 1)

    def measures(
        self, transition: Transition, state: State, arguments: tuple[Value, ...], values: dict[str, Constant]
    ) -> None:
        """The true measures of cells, zones and arguments, and of the other masks that were measured."""
        evaluator = transition.stepper.evaluator
        assert isinstance(evaluator, FaceEvaluator)
        for slot, (type_, _, live) in enumerate(cell_types(self.game, state.node)):
            if live and card_set(type_):
                self.measure(transition, f"cell:{slot}", int(state.cells[slot] or 0), values)
        for slot in range(self.game.zone_slots()):
            held = sum(1 << c for c, p in enumerate(state.place) if p == slot)
            self.measure(transition, f"zone:{slot}", held, values)
        for n, value in enumerate(arguments):
            self.measure(transition, f"argument:{n}", int(value or 0), values)
        for bits, (first, *_) in evaluator._measured.items():
            name = str(first.payload).partition("/")[0]
            if name.startswith("measure#"):
                self.measure(transition, name, mask(bits, values), values)

    def answers(self, transition: Transition, state: State, player: Interpreter, values: dict[str, Constant]) -> None:
        """The true answers of the matchings (what their predicates read is the same before and after)."""
        evaluator, cards = transition.stepper.evaluator, SetType(CardType(len(self.game.deck)))
        assert isinstance(evaluator, FaceEvaluator)
        for a in evaluator.applications:
            targets, replies = (Const(mask(mask_of(s).bits, values), cards) for s in (a.targets, a.replies))
            answer = player.evaluate(state, replace(a.matching, targets=targets, replies=replies))
            values[str(a.truth.payload)] = bool(answer)


def check_step(step: RealStep) -> None:
    """All facts and obligations hold; one arrival is taken, with the true masks and sizes; claims have true values."""
    edge = step.transition.edge
    obligations = [o.formula() for o in edge.obligations]
    assert all(t.evaluate([*step.transition.assumptions(), *obligations, edge.legal], step.values))
    taken = [n for n, a in enumerate(edge.arrivals) if t.evaluate([a.path], step.values)[0]]
    assert [edge.arrivals[n].node for n in taken] == [step.after.node]
    for slot, held in enumerate(edge.arrivals[taken[0]].state.zones):
        assert isinstance(held, Counted)
        cards = sum(1 << c for c, p in enumerate(step.after.place) if p == slot)
        assert mask(mask_of(held).bits, step.values) == cards
        assert t.evaluate(held.measures, step.values)[0] == cards.bit_count()
    for n, claim, term in step.claims:
        if n in (-1, taken[0]):
            state = step.before if n < 0 else step.after
            assert t.evaluate([term], step.values)[0] == step.player.evaluate(state, claim.statement), claim.name


def test_every_fact_is_true_of_real_steps_of_the_toy() -> None:
    """Steps of random plays, with and without the option."""
    game = toy_game()
    steps = Steps(replace(game, properties=(*game.properties, LED_SUIT, IS_TABLE, ACE_LED)))
    found = [x for ruffing in (False, True) for x in steps.sample({"ruffing": ruffing}, plays=3, seed=5)]
    assert len(found) > 60
    for step in found:
        check_step(step)


@pytest.mark.parametrize("pack", ["four", "pairs"])
def test_every_fact_is_true_of_real_steps_of_the_shokha_game(pack: str) -> None:
    """The same on its smaller packs, with all invariants of the spec, declarations and a second card turned."""
    game = load(SHOKHA).small(pack)
    options = {o.name: o.default for o in game.options.values()}
    found = list(Steps(game).sample({**options, "declare_at_first_lead": True, "indicator_shokha": 2}, 2, seed=3))
    assert len(found) > 80
    for step in found:
        check_step(step)


def test_a_wrong_size_breaks_a_fact() -> None:
    """Control: the same check fails when one zone is said to hold a card more than it does."""
    for step in list(Steps(toy_game()).sample({"ruffing": True}, plays=1, seed=5))[:20]:
        wrong = {**step.values, "zone:0/0": int(step.values["zone:0/0"]) + 1}
        assert not all(t.evaluate(step.transition.assumptions(), wrong))
