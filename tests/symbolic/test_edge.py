"""Whole edges: the symbolic step equals the reference interpreter's, all cells and all cards."""

import random
from dataclasses import dataclass, replace

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, Outcome, State
from kozel_verify.model.core import Ask, Block, Game
from kozel_verify.model.types import Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Edge
from kozel_verify.symbolic.exact import ExactModel, concretize
from tests.support.toy import LEAD, TRUE, toy_game


@dataclass
class Compared:
    edges: int = 0
    menus: int = 0


def sampled(game: Game, options: dict[str, Value], plays: int, seed: int, longest: int = 10_000) -> list[State]:
    """The distinct states of random plays, in the order of their first visit."""
    player, rng = Interpreter(game, options), random.Random(seed)
    found: dict[State, None] = {}
    for _ in range(plays):
        state, _events = player.initial()
        for _step in range(longest):
            found[state] = None
            outcomes = player.outcomes(state)
            if not outcomes:
                break
            state, _events = player.step(state, rng.choice(outcomes))
    return list(found)


def verb_and_arguments(outcome: Outcome) -> tuple[int, tuple[Value, ...]]:
    match outcome:
        case Choice(verb, arguments):
            return verb, arguments
        case Chance(card):
            return -1, (card,)
        case _:
            return -1, ()


def compare(game: Game, reference: Game, options: dict[str, Value], states: list[State]) -> Compared:
    """Every legal outcome of every state: the edge of ``game`` against the interpreter on ``reference``."""
    model, player, count = ExactModel(game), Interpreter(reference, options), Compared()
    edges: dict[tuple[int, int], Edge] = {}
    for state in states:
        for outcome in player.outcomes(state):
            verb, arguments = verb_and_arguments(outcome)
            if (state.node, verb) not in edges:
                edges[state.node, verb] = model.edge(state.node, verb)[0]
            values = model.assignment(state, verb, arguments, options)
            step = concretize(model, edges[state.node, verb], values)
            expected, _events = player.step(state, outcome)
            assert step.legal and step.defined and step.state is not None
            assert (step.state.node, step.state.cells, step.state.place) == (
                expected.node,
                expected.cells,
                expected.place,
            )
            count.edges += 1
    return count


@pytest.mark.parametrize("ruffing", [False, True])
def test_every_edge_of_sampled_plays_equals_the_reference(ruffing: bool) -> None:
    """For every state of random plays and every legal outcome, node, cells and places are the interpreter's."""
    options: dict[str, Value] = {"ruffing": ruffing}
    states = sampled(toy_game(), options, plays=12, seed=1)
    assert compare(toy_game(), toy_game(), options, states).edges > 400


def choices(game: Game, state: State) -> list[Choice]:
    """Every choice that can be written down: any group of at most two cards, whether legal or not."""
    node = game.nodes[state.node]
    assert isinstance(node, Ask)
    groups = [mask for mask in range(1 << len(game.deck)) if mask.bit_count() <= 2]
    return [Choice(n, (g,)) for n, _ in enumerate(node.verbs) for g in groups]


def wrong_menus(game: Game, reference: Game, options: dict[str, Value], states: list[State]) -> tuple[int, int]:
    """How many choices were compared, and on how many the symbolic guard differs from the interpreter's menu."""
    model, player, compared, wrong = ExactModel(game), Interpreter(reference, options), 0, 0
    for state in states:
        if isinstance(game.nodes[state.node], Ask):
            legal = set(player.outcomes(state))
            for choice in choices(game, state):
                edge, constraints = edge_of(model, state.node, choice.verb)
                values = model.assignment(state, choice.verb, choice.arguments, options)
                symbolic = all(t.evaluate([edge.legal, *constraints], values))
                compared, wrong = compared + 1, wrong + (symbolic != (choice in legal))
    return compared, wrong


EDGES: dict[tuple[int, int, int], tuple[Edge, tuple[t.Term, ...]]] = {}


def edge_of(model: ExactModel, node: int, verb: int) -> tuple[Edge, tuple[t.Term, ...]]:
    key = (id(model), node, verb)
    if key not in EDGES:
        EDGES[key] = model.edge(node, verb)
    return EDGES[key]


def test_the_symbolic_guard_is_the_menu() -> None:
    """Every choice that can be written down is legal in the terms exactly if the interpreter offers it."""
    options: dict[str, Value] = {"ruffing": True}
    states = sampled(toy_game(), options, plays=2, seed=5)
    compared, wrong = wrong_menus(toy_game(), toy_game(), options, states)
    assert compared > 500 and wrong == 0


def test_a_guard_that_is_too_lenient_is_found() -> None:
    """Negative control: when any group may be led, menus differ."""
    game = toy_game()
    lead = game.nodes[LEAD]
    assert isinstance(lead, Ask)
    lenient = replace(lead, verbs=(replace(lead.verbs[0], guard=TRUE),))
    faulty = replace(game, nodes=tuple(lenient if n == LEAD else node for n, node in enumerate(game.nodes)))
    options: dict[str, Value] = {"ruffing": True}
    states = [s for s in sampled(game, options, plays=4, seed=5) if s.node == LEAD]
    assert wrong_menus(faulty, game, options, states)[1] > 0


def test_a_skipped_effect_is_found() -> None:
    """Negative control: an edge that forgets to make the taker the next leader differs from the reference."""
    game = toy_game()
    beaten = game.blocks[5]
    faulty = replace(game, blocks=tuple(Block(b.effects[:1], b.end) if b is beaten else b for b in game.blocks))
    options: dict[str, Value] = {"ruffing": True}
    with pytest.raises(AssertionError):
        compare(faulty, game, options, sampled(game, options, plays=12, seed=1))


def test_a_step_that_is_not_well_defined_is_seen() -> None:
    """Where the interpreter would fail, the obligations of the edge do not hold: here nothing is left to draw."""
    model = ExactModel(toy_game())
    edge, _ = model.edge(1, -1)
    state = State(1, (0, 0, 0, 0, 0, 1, 0, 0, 0, 0), (1, 1, 1, 2, 2, 2))
    step = concretize(model, edge, model.assignment(state, -1, (0,), {"ruffing": True}))
    assert not step.legal and not step.defined
