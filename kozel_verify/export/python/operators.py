"""The Python code of each operator: one entry for each name in ``kozel_verify.model.operators.OPERATORS``.

In generated code a value is an ``int`` or ``bool`` as in the model, but ``none`` is -1. Codes carry their precedence,
so that brackets stand only where they are needed. Where an operator has no value, its code raises ``RuleFault`` by one
of the functions of ``helpers`` (names that begin with ``_``).
"""

from collections.abc import Callable
from dataclasses import dataclass

CHOICE, OR, AND, NOT, COMPARE, BIT_OR, BIT_AND, SHIFT, PLUS, TIMES, ATOM = range(11)


@dataclass(frozen=True, slots=True)
class Code:
    """A Python expression. ``boolean``: its value is a ``bool`` for certain, not only true or false in a condition."""

    text: str
    precedence: int = ATOM
    boolean: bool = False

    def at(self, precedence: int) -> str:
        """The text, in brackets if it binds more loosely than ``precedence``."""
        return self.text if self.precedence >= precedence else f"({self.text})"


Operation = Callable[..., Code]


def _infix(symbol: str, precedence: int, boolean: bool = False) -> Operation:
    """A left-associative operator."""

    def code(left: Code, right: Code) -> Code:
        both = f"{left.at(precedence)} {symbol} {right.at(precedence + 1)}"
        return Code(both, precedence, boolean)

    return code


def _compare(symbol: str) -> Operation:
    def code(left: Code, right: Code) -> Code:
        return Code(f"{left.at(BIT_OR)} {symbol} {right.at(BIT_OR)}", COMPARE, True)

    return code


def _function(name: str) -> Operation:
    def code(*arguments: Code) -> Code:
        return Code(f"{name}({', '.join(a.text for a in arguments)})")

    return code


def _divide(symbol: str, helper: str) -> Operation:
    def code(left: Code, right: Code) -> Code:
        if right.text.isdigit() and right.text != "0":
            return Code(f"{left.at(TIMES)} {symbol} {right.at(ATOM)}", TIMES)
        return _function(helper)(left, right)

    return code


def _not(a: Code) -> Code:
    return Code(f"not {a.at(COMPARE)}", NOT, True)


def _and(a: Code, b: Code) -> Code:
    return Code(f"{a.at(NOT)} and {b.at(NOT)}", AND, a.boolean and b.boolean)


def _or(a: Code, b: Code) -> Code:
    return Code(f"{a.at(AND)} or {b.at(AND)}", OR, a.boolean and b.boolean)


def _implies(a: Code, b: Code) -> Code:
    return _or(_not(a), b)


def _in(element: Code, elements: Code) -> Code:
    return Code(f"{elements.at(SHIFT)} >> {element.at(PLUS)} & 1", BIT_AND)


def _without(a: Code, b: Code) -> Code:
    return Code(f"{a.at(BIT_AND)} & ~{b.at(ATOM)}", BIT_AND)


def _within(a: Code, b: Code) -> Code:
    return _not(Code(_without(a, b).text, BIT_AND))


def _size(a: Code) -> Code:
    return Code(f"{a.at(ATOM)}.bit_count()")


def _set(*elements: Code) -> Code:
    if not elements:
        return Code("0")
    text = " | ".join(f"1 << {e.at(PLUS)}" for e in elements)
    return Code(text, BIT_OR if len(elements) > 1 else SHIFT)


OPERATIONS: dict[str, Operation] = {
    "not": _not,
    "and": _and,
    "or": _or,
    "implies": _implies,
    "==": _compare("=="),
    "!=": _compare("!="),
    "<": _compare("<"),
    "<=": _compare("<="),
    ">": _compare(">"),
    ">=": _compare(">="),
    "+": _infix("+", PLUS),
    "-": _function("_minus"),
    "*": _infix("*", TIMES),
    "div": _divide("//", "_divide"),
    "mod": _divide("%", "_remainder"),
    "min": _function("min"),
    "max": _function("max"),
    "in": _in,
    "within": _within,
    "union": _infix("|", BIT_OR),
    "intersect": _infix("&", BIT_AND),
    "without": _without,
    "size": _size,
    "set": _set,
    "span": _function("_span"),
    "only": _function("_only"),
    "some": lambda a: a,
    "value": _function("_value"),
}


def as_bool(code: Code) -> Code:
    """The same truth value as a ``bool``."""
    return code if code.boolean else Code(f"{code.at(BIT_OR)} != 0", COMPARE, True)
