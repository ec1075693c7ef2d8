"""Whole edges: the symbolic step equals the reference interpreter's, all cells and all cards."""

import random
from dataclasses import dataclass

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, Outcome, State
from kozel_verify.model.core import Game
from kozel_verify.model.types import Value
from kozel_verify.symbolic.edge import Edge
from kozel_verify.symbolic.exact import ExactModel, concretize
from tests.support.toy import toy_game


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
