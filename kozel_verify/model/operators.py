"""The one table of operators: name, arity, concrete meaning.

Type rules stand in ``check``; the symbolic meaning in ``kozel_verify.symbolic``, the code of a target in
``kozel_verify.export``. Each of those has one entry for each name here; a test fails when one is missing.

``and``, ``or`` and ``implies`` evaluate their second argument only when the first does not decide: what stands right
of them may rely on what stands left.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kozel_verify.model.types import Value


class Undefined(Exception):
    """A partial operation has no value here (subtraction below zero, `none` used as a value, …)."""


@dataclass(frozen=True, slots=True)
class Operator:
    """``arity`` -1: any number of arguments. ``meaning`` maps argument values to the value, or raises ``Undefined``."""

    name: str
    arity: int
    meaning: Callable[..., Value]
    lazy: bool = False  # the right argument is evaluated only when needed


def _subtract(a: int, b: int) -> int:
    if b > a:
        raise Undefined(f"{a} - {b} is below zero")
    return a - b


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise Undefined(f"{a} div 0")
    return a // b


def _remainder(a: int, b: int) -> int:
    if b == 0:
        raise Undefined(f"{a} mod 0")
    return a % b


def _unwrap(a: Value) -> Value:
    if a is None:
        raise Undefined("`none` used as a value")
    return a


def _set(*elements: int) -> int:
    mask = 0
    for e in elements:
        mask |= 1 << e
    return mask


def _span(lo: int, hi: int) -> int:
    return sum(1 << i for i in range(lo, hi + 1))


def _only(a: int) -> int:
    if a.bit_count() != 1:
        raise Undefined(f"`only` of a set of {a.bit_count()}")
    return a.bit_length() - 1


OPERATORS: dict[str, Operator] = {
    o.name: o
    for o in (
        Operator("not", 1, lambda a: not a),
        Operator("and", 2, lambda a, b: a and b, lazy=True),
        Operator("or", 2, lambda a, b: a or b, lazy=True),
        Operator("implies", 2, lambda a, b: not a or b, lazy=True),
        Operator("==", 2, lambda a, b: a == b),  # any one type; `none` equals only `none`
        Operator("!=", 2, lambda a, b: a != b),
        Operator("<", 2, lambda a, b: a < b),  # numbers only
        Operator("<=", 2, lambda a, b: a <= b),
        Operator(">", 2, lambda a, b: a > b),
        Operator(">=", 2, lambda a, b: a >= b),
        Operator("+", 2, lambda a, b: a + b),
        Operator("-", 2, _subtract),  # undefined below zero
        Operator("*", 2, lambda a, b: a * b),
        Operator("div", 2, _divide),  # undefined for 0
        Operator("mod", 2, _remainder),
        Operator("min", 2, min),
        Operator("max", 2, max),
        Operator("in", 2, lambda e, s: bool(s >> e & 1)),  # element in set
        Operator("within", 2, lambda a, b: not a & ~b),  # subset
        Operator("union", 2, lambda a, b: a | b),
        Operator("intersect", 2, lambda a, b: a & b),
        Operator("without", 2, lambda a, b: a & ~b),
        Operator("size", 1, lambda s: s.bit_count()),
        Operator("set", -1, _set),  # the set of its arguments
        Operator("span", 2, _span),  # the set of numbers lo..hi
        Operator("only", 1, _only),  # the single element of a set; undefined unless there is exactly one
        Operator("some", 1, lambda a: a),  # plain value to optional
        Operator("value", 1, _unwrap),  # optional to plain value; undefined for none
    )
}

PARTIAL = frozenset({"-", "div", "mod", "only", "value"})
"""The operators that may have no value."""
