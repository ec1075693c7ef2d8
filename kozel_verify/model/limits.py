"""How large a game may be. Every pass of the front end is bounded by these, so that no spec makes the tool hang.

The numbers leave ample room: the largest game of the family stays below a tenth of each.
"""

from dataclasses import dataclass

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.spans import Span

MAX_NUMBER = 10**18  # of a constant; results that may be larger are `Nat`
MAX_SET_SPAN = 1000  # the greatest number that a set of numbers, an index or a loop may hold
MAX_OPTION_VALUES = 100
MAX_SLOTS = 2000  # slots of all declared cells, and of all zones
MAX_SEATS = 6
MAX_UNITS = 100  # modules and variants
MAX_ITEMS = 10_000
MAX_EXPRESSIONS = 400_000  # parts of expressions that are given a type, those of inlined procedures each time
MAX_STATEMENTS = 20_000  # after procedures are inlined and loops unrolled
MAX_BLOCKS = 20_000
MAX_CALLS = 60  # procedures that run one another
MAX_EXPRESSION_DEPTH = 120  # of an expression with the functions that it calls: engines walk it by recursion
MAX_PROBLEMS = 50  # errors in one run
FOLD_STEPS = 300_000  # evaluations of constant quantifiers


@dataclass(slots=True)
class Budget:
    """What is left of a bounded amount of work."""

    left: int
    what: str

    def spend(self, span: Span, amount: int = 1) -> None:
        """Take from the budget. Raises ``SpecError`` at ``span`` when there is nothing left."""
        self.left -= amount
        if self.left < 0:
            raise SpecError([too_large(span, self.what)])


def too_large(span: Span, what: str) -> Diagnostic:
    return Diagnostic("too-large", span, f"the game is too large: {what}", "make loops, ranges or procedures smaller")
