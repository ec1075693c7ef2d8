"""The symbolic meaning of a shipped spec: its edges are the interpreter's, its lemmas are proved."""

import random
from functools import cache
from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.core import Compiled, Game, Lemma
from kozel_verify.model.load import load
from kozel_verify.model.types import Value
from kozel_verify.symbolic.edge import Edge
from kozel_verify.symbolic.exact import ExactModel, concretize
from kozel_verify.symbolic.lemmas import Proved, prove_lemma, prove_matching
from tests.symbolic.test_edge import sampled, verb_and_arguments

SPEC = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"


@cache
def game() -> Game:
    return load(SPEC).game


@pytest.mark.parametrize(
    "changed", [{}, {"indicator_shokha": 2, "declare_at_first_lead": True, "reveal_losing_declarations": True}]
)
def test_sampled_edges_equal_the_reference(changed: dict[str, Value]) -> None:
    """States of two plays, up to four legal outcomes of each: node, all cells and the place of every card."""
    options = {name: option.default for name, option in game().options.items()} | changed
    model, player, rng = ExactModel(game()), Interpreter(game(), options), random.Random(1)
    edges: dict[tuple[int, int], Edge] = {}
    nodes = set()
    states = sampled(game(), options, plays=2, seed=11, longest=400)
    for state in rng.sample(states, 60):
        outcomes = player.outcomes(state)
        for outcome in rng.sample(outcomes, min(4, len(outcomes))):
            verb, arguments = verb_and_arguments(outcome)
            if (state.node, verb) not in edges:
                edges[state.node, verb] = model.edge(state.node, verb)[0]
            step = concretize(model, edges[state.node, verb], model.assignment(state, verb, arguments, options))
            expected, _events = player.step(state, outcome)
            assert step.legal and step.defined and step.state is not None
            assert (step.state.cells, step.state.place) == (expected.cells, expected.place)
            assert step.state.node == expected.node
            nodes.add(state.node)
    assert len(nodes) >= 5


def test_lemmas_are_proved() -> None:
    """Every lemma about single cards and numbers is proved for all values. (Those about groups take longer.)"""
    small = [p for p in game().properties if isinstance(p, Lemma) and all(q.lo is None for q in p.parameters)]
    assert len(small) > 10
    assert [p.name for p in small if not isinstance(prove_lemma(game(), p), Proved)] == []


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_compiled_matchings_are_proved(k: int) -> None:
    """For all groups of k cards the ways to pair them are Hall's condition."""
    compiled = [p for p in game().properties if isinstance(p, Compiled)]
    assert compiled
    assert all(isinstance(prove_matching(game(), p, k), Proved) for p in compiled)
