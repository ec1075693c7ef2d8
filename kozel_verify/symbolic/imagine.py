"""A state at a node in which a statement holds, thought up by the solver: where each card would lie.

In: a game with its options, a node, a statement, and how many cards lie in each zone slot. Out: a place for each card
and a value for each cell, such that the statement and the invariants at that node hold; or ``None``. That a play leads
there is not said: whoever asks has to find one.
"""

from collections.abc import Mapping, Sequence

from kozel_verify.model.core import Claim, Expr, Game, StateClaim
from kozel_verify.model.types import Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Scope, SymState
from kozel_verify.symbolic.exact import ExactModel, PlainState, plain_state
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import SymSet, parts, reader
from kozel_verify.symbolic.z3_api import Model, check


def imagine(
    game: Game, options: Mapping[str, Value], node: int, statement: Expr, sizes: Sequence[int], rlimit: int
) -> PlainState | None:
    """``sizes``: by zone slot. ``None`` when there is no such state, or none within ``rlimit``."""
    model = ExactModel(game, options)
    state, constraints = model.state(node)
    scope = Scope(state, model.options)
    statements = [
        p.statement
        for p in game.properties
        if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT and node in p.nodes
    ]
    held = [model.evaluator.truth(s, scope) for s in (statement, *statements)]
    needed = [o.formula() for o in model.evaluator.take_obligations()]
    asked = [*model.constraints, *constraints, *_counted(state, sizes), *held, *needed]
    answer = check(asked, rlimit)
    if not isinstance(answer, Model):
        return None
    roots = [part for value in (*state.cells, *state.zones) for part in parts(value)]
    return plain_state(model, node, state, reader(roots, answer.complete(t.variables(roots))))


def _counted(state: SymState, sizes: Sequence[int]) -> list[Term]:
    laws = []
    for zone, size in zip(state.zones, sizes, strict=True):
        assert isinstance(zone, SymSet)
        held = [t.ite(there, t.integer(1), t.integer(0)) for there, _ in zone.elements()]
        laws.append(t.eq(t.add(*held), t.integer(size)))
    return laws
