"""That a game's results have values: a promise that a game makes without asking, where they may lack one.

In go the results and the nodes at which they count; out come claims about states that the text does not state itself:
at the end of the match `outcome` has a value for every seat, at the end of a deal `gain` and `loss` have. They hold
where the results can be evaluated at all, so that whatever checks an invariant checks them. A game whose results have a
value in every state has no such claim.
"""

from collections.abc import Iterator, Mapping, Sequence

from kozel_verify.model.core import Apply, Bind, Binding, Claim, Const, End, Expr, First, Function, Node, StateClaim
from kozel_verify.model.graph import walk
from kozel_verify.model.operators import PARTIAL
from kozel_verify.model.types import BOOL, SeatType, SetType, full_set

RESULTS = "results_defined"


def may_fail(result: Expr, functions: dict[str, Function]) -> bool:
    """Is there a part of it, or of a function that it calls, that has no value in some states?"""
    return any(_partial(part) for part in walk(result, functions))


def _partial(part: Expr) -> bool:
    match part:
        case Apply(op):
            return op in PARTIAL
        case Bind(binding):
            return binding in (Binding.THE, Binding.TOP)
        case First():
            return True
        case _:
            return False


def claims_of_results(
    results: Mapping[str, Expr], nodes: Sequence[Node], deal_end: int, functions: dict[str, Function], seat: SeatType
) -> Iterator[StateClaim]:
    """``results``: the outcome, the gain and the loss by these words, each of the ``Local`` ``seat``."""
    ends = tuple(n for n, node in enumerate(nodes) if isinstance(node, End))
    for word, at in (("outcome", ends), ("gain", (deal_end,)), ("loss", (deal_end,))):
        result = results[word]
        if may_fail(result, functions):
            same = Apply("==", (result, result), BOOL, result.span)
            every = Bind(Binding.EVERY, "seat", Const(full_set(seat), SetType(seat)), same, BOOL, result.span)
            yield StateClaim(Claim.INVARIANT, RESULTS, at, every, result.span)
