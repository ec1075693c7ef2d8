"""Pieces of generated code: an expression with all that must be known of it, and the code of each operator.

Generated code holds nothing of a spec but numbers: its names are a letter with a number (``c7``: the value of cell slot
7; ``z3``: the set of cards in zone slot 3; ``x0``: a bound variable; ``o7`` and ``w3``: the values of ``c7`` and ``z3``
before the step; ``e2``: the cards that the step has shown to seat 2) and the functions of ``machine_runtime``.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import reduce

from kozel_verify.model.operators import OPERATORS, PARTIAL, Undefined
from kozel_verify.model.types import Value

Uses = frozenset[tuple[str, int]]
"""Names that a code reads, each with the number of values that it can have (0: too many to count)."""

NOTHING: Uses = frozenset()


@dataclass(frozen=True, slots=True)
class Code:
    """A Python expression that needs no brackets around it.

    ``total``: it has a value in every state. ``known``: that value, in a tuple, when it is always the same; such a code
    is total. ``slow``: it loops, so that it may pay to remember its values.
    """

    text: str
    uses: Uses = NOTHING
    total: bool = True
    known: tuple[Value, ...] = ()
    slow: bool = False


def literal(value: Value) -> Code:
    """A constant. Nothing but truth values, whole numbers and ``None`` gets into a code."""
    if not (value is None or isinstance(value, int)):
        raise TypeError(f"not a value of the core: {value!r}")
    return Code(repr(value), known=(value,))


def joined(text: str, parts: Iterable[Code], total: bool = True) -> Code:
    """A code made of ``parts``; ``total`` says that the construction itself always has a value."""
    parts = tuple(parts)
    uses = NOTHING.union(*(part.uses for part in parts))
    return Code(text, uses, total and all(p.total for p in parts), (), any(p.slow for p in parts))


_SLOT = re.compile(r"\b[cz](?=\d+\b)")
_EARLIER = {"c": "o", "z": "w"}


def earlier(code: Code) -> Code:
    """The same code in the state before the step. All slots in it are meant: functions have no such parts, so that what
    a variable stands for in it is never a slot of the state after."""

    def renamed(text: str) -> str:
        return _SLOT.sub(lambda m: _EARLIER[m[0]], text)

    uses = frozenset((renamed(name), count) for name, count in code.uses)
    return Code(renamed(code.text), uses, code.total, code.known, code.slow)


def numbers(values: Iterable[Value]) -> str:
    """A tuple of constants."""
    return tuple_text([literal(v).text for v in values])


def tuple_text(texts: list[str]) -> str:
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _infix(symbol: str) -> Callable[..., str]:
    return lambda a, b: f"({a} {symbol} {b})"


def _called(function: str) -> Callable[..., str]:
    return lambda *args: f"{function}({', '.join(args)})"


OPERATIONS: dict[str, Callable[..., str]] = {
    "not": lambda a: f"(not {a})",
    "and": _infix("and"),
    "or": _infix("or"),
    "implies": lambda a, b: f"(not {a} or {b})",
    "==": _infix("=="),
    "!=": _infix("!="),
    "<": _infix("<"),
    "<=": _infix("<="),
    ">": _infix(">"),
    ">=": _infix(">="),
    "+": _infix("+"),
    "-": _called("minus"),
    "*": _infix("*"),
    "div": _called("divide"),
    "mod": _called("remainder"),
    "min": _called("min"),
    "max": _called("max"),
    "in": lambda e, s: f"({s} >> {e} & 1 == 1)",
    "within": lambda a, b: f"(not {a} & ~{b})",
    "union": _infix("|"),
    "intersect": _infix("&"),
    "without": lambda a, b: f"({a} & ~{b})",
    "size": lambda a: f"{a}.bit_count()",
    "set": lambda *args: f"({' | '.join(f'1 << {a}' for a in args)})",
    "span": _called("span"),
    "only": _called("only"),
    "some": lambda a: a,
    "value": _called("value"),
}


def operation(op: str, *args: Code) -> Code:
    """An operator applied. What is the same in every state is computed here."""
    if OPERATORS[op].lazy:
        return _lazy(op, *args)
    if all(a.known for a in args):
        try:
            return literal(OPERATORS[op].meaning(*[a.known[0] for a in args]))
        except Undefined:
            pass  # left to be raised where it is reached
    divided = op in ("div", "mod") and bool(args[1].known and args[1].known[0])
    if divided:
        text = _infix("//" if op == "div" else "%")(*(a.text for a in args))
        return joined(text, args)
    if op == "some":
        return args[0]
    return joined(OPERATIONS[op](*(a.text for a in args)), args, op not in PARTIAL)


def _lazy(op: str, left: Code, right: Code) -> Code:
    if left.known:
        decided = bool(left.known[0]) == (op == "or")
        return literal(op != "and") if decided else right
    if right.known and bool(right.known[0]) == (op == "and"):
        return left if op != "implies" else operation("not", left)
    if right.known and left.total:
        return literal(op != "and")
    return joined(OPERATIONS[op](left.text, right.text), (left, right))


def conjunction(parts: Iterable[Code]) -> Code:
    """All of ``parts`` hold, each of which has a value: strictly, as far as one may have none."""
    return _bulk(tuple(parts), "and", "all")


def disjunction(parts: Iterable[Code]) -> Code:
    """At least one of ``parts`` holds; strict as ``conjunction``."""
    return _bulk(tuple(parts), "or", "any")


def _bulk(parts: tuple[Code, ...], op: str, strict: str) -> Code:
    decisive = op == "or"
    if all(p.total for p in parts) and any(p.known and bool(p.known[0]) == decisive for p in parts):
        return literal(decisive)
    open_ = [p for p in parts if not p.known or bool(p.known[0]) == decisive]
    if not open_:
        return literal(not decisive)
    if len(open_) == 1:
        return open_[0]
    texts = [p.text for p in open_]
    if all(p.total for p in open_):
        return joined(f"({f' {op} '.join(texts)})", open_)
    return joined(f"{strict}({tuple_text(texts)})", open_)


def those(pairs: Iterable[tuple[int, Code]]) -> Code:
    """The mask of the elements whose code holds."""
    pairs = tuple(pairs)
    mask = sum(1 << element for element, code in pairs if code.known and code.known[0])
    bits = [joined(f"({1 << element} if {code.text} else 0)", [code]) for element, code in pairs if not code.known]
    return reduce(lambda a, b: operation("union", a, b), [literal(mask), *bits] if mask or not bits else bits)
