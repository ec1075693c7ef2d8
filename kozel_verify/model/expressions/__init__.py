"""Names and types of expressions: syntax to core. Every error is a ``Problem`` at the smallest place at fault.

In go an expression of the syntax tree and the scope in which it stands; out comes a typed expression of the core, with
its closed parts evaluated. The types are exact where they can be: the range of every number is inferred, so that what
is passed, promised or looked up can be compared with what is asked for.
"""

from kozel_verify.model.expressions import binders, literals, operations, references  # they register their rules
from kozel_verify.model.expressions.binders import circle, first_value
from kozel_verify.model.expressions.checking import (
    RULES,
    any_set,
    cards,
    check,
    constant,
    constant_number,
    infer,
    number,
    passed,
    predicate,
    seats,
)
from kozel_verify.model.expressions.coercion import coerce, described, element_of, holds, is_number, join
from kozel_verify.model.expressions.references import require_arguments
from kozel_verify.model.expressions.type_names import element_type, type_of

__all__ = [
    "RULES", "any_set", "cards", "check", "circle", "coerce", "constant", "constant_number", "described", "element_of",
    "element_type", "first_value", "holds", "infer", "is_number", "join", "number", "passed", "predicate",
    "require_arguments", "seats", "type_of",
]  # fmt: skip
_REGISTERED = (binders, literals, operations, references)
