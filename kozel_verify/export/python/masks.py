"""Predicates over one element as masks: ``those x in g where f(x) == e`` becomes ``g & MASKS[e]``.

A mask stands for a predicate when it has exactly the bits of the elements for which the predicate holds. It is used
only where the predicate has a value for every element whatever else it reads, so that looking at elements outside of
the domain cannot fail.
"""

from typing import TYPE_CHECKING

from kozel_verify.export.python.context import Context, Scope, literal, number
from kozel_verify.export.python.helpers import RuleFault
from kozel_verify.export.python.operators import ATOM, BIT_AND, BIT_OR, CHOICE, PLUS, SHIFT, Code
from kozel_verify.model.core import Apply, Const, Expr, Local
from kozel_verify.model.types import (
    NatType,
    OptionalType,
    RangeType,
    SetType,
    Type,
    Value,
    cardinality,
    element_indices,
    full_set,
)

if TYPE_CHECKING:
    from kozel_verify.export.python.expressions import Emitter

WIDEST = 64  # a table by value has at most so many entries
UNIONS = 9  # a table by sets of values is made for up to so many values
SWAPPED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def elements(type_: Type) -> str:
    """The elements of a type as a ``range``."""
    positions = element_indices(type_)
    start = f"{positions.start}, " if positions.start else ""
    return f"range({start}{positions.stop})"


def predicate_mask(emitter: "Emitter", body: Expr, variable: str, type_: Type, scope: Scope) -> Code | None:
    """The set of elements of ``type_`` for which ``body`` holds, or ``None`` where only a loop will do."""
    if not emitter.context.facts.total(body):
        values = constant_values(emitter, body, variable, type_)
        return None if values is None else _constant(values)
    return _mask(emitter, body, variable, type_, scope)


def _mask(emitter: "Emitter", body: Expr, variable: str, type_: Type, scope: Scope) -> Code | None:
    reads = emitter.context.facts.reads(body)
    if variable not in reads.names():
        return _whole(emitter, body, type_, scope)
    values = constant_values(emitter, body, variable, type_)
    if values is not None:
        return _constant(values)
    if isinstance(body, Apply):
        found = _connective(emitter, body, variable, type_, scope) or _compared(emitter, body, variable, type_, scope)
        if found is not None:
            return found
    return _tabled(emitter, body, variable, type_, scope)


def _whole(emitter: "Emitter", body: Expr, type_: Type, scope: Scope) -> Code:
    """All elements or none."""
    everything = hex(full_set(type_))
    if isinstance(body, Const):
        return Code(everything if body.value else "0x0")
    return Code(f"{everything} if {emitter.truth(body, scope).at(CHOICE + 1)} else 0", CHOICE)


def _constant(values: dict[int, Value]) -> Code:
    return Code(hex(sum(1 << element for element, value in values.items() if value)))


def _connective(emitter: "Emitter", body: Apply, variable: str, type_: Type, scope: Scope) -> Code | None:
    if body.op not in ("not", "and", "or", "implies"):
        return None
    masks = [_mask(emitter, part, variable, type_, scope) for part in body.args]
    found = [mask for mask in masks if mask is not None]
    if len(found) < len(masks):
        return None
    everything = hex(full_set(type_))
    match body.op:
        case "not":
            return Code(f"{everything} & ~{found[0].at(ATOM)}", BIT_AND)
        case "and":
            return Code(f"{found[0].at(BIT_AND)} & {found[1].at(BIT_AND + 1)}", BIT_AND)
        case "or":
            return Code(f"{found[0].at(BIT_AND)} | {found[1].at(BIT_AND)}", BIT_OR)
        case _:
            return Code(f"{everything} & ~{found[0].at(ATOM)} | {found[1].at(BIT_AND)}", BIT_OR)


def _compared(emitter: "Emitter", body: Apply, variable: str, type_: Type, scope: Scope) -> Code | None:
    """``f(x) == e``, ``f(x) < e``, …, ``f(x) in e`` where ``f`` reads only the element and ``e`` does not."""
    if len(body.args) != 2:
        return None
    op, (left, right) = body.op, body.args
    facts = emitter.context.facts
    if variable in facts.reads(right).names() and op in SWAPPED:
        op, left, right = SWAPPED[op], right, left
    if variable in facts.reads(right).names():
        return None
    if op == "in" and left == Local(variable, left.type):
        return Code(f"{emitter.code(right, scope).at(BIT_AND)} & {hex(full_set(type_))}", BIT_AND)
    if op == "==" and left == Local(variable, left.type) and not isinstance(right.type, OptionalType):
        return Code(f"1 << {emitter.code(right, scope).at(PLUS)}", SHIFT)
    values = constant_values(emitter, left, variable, type_)
    if values is None:
        return None
    if op == "in":
        return _in(emitter, values, right, scope)
    return _by_value(emitter, op, values, right, scope)


def _in(emitter: "Emitter", values: dict[int, Value], right: Expr, scope: Scope) -> Code | None:
    """The elements whose value is in a set: one entry for each set of few values."""
    if not isinstance(right.type, SetType) or element_indices(right.type.of).stop > UNIONS:
        return None
    width = element_indices(right.type.of).stop
    entries = [sum(1 << x for x, v in values.items() if s >> number(v) & 1) for s in range(1 << width)]
    return Code(f"{_table(emitter.context, entries)}[{emitter.code(right, scope).text}]")


def _by_value(emitter: "Emitter", op: str, values: dict[int, Value], right: Expr, scope: Scope) -> Code | None:
    """One mask for each value that ``right`` may have; the entry for ``none`` (-1) stands last."""
    last = _last_value(right.type)
    if op not in SWAPPED or last is None:
        return None
    plain = right.type
    numbers = range(last + 1)
    entries = [sum(1 << x for x, v in values.items() if _holds(op, number(v), n)) for n in numbers]
    if isinstance(plain, OptionalType):
        entries.append(sum(1 << x for x, v in values.items() if _holds(op, number(v), -1)))
    return Code(f"{_table(emitter.context, entries)}[{emitter.code(right, scope).text}]")


def _holds(op: str, a: int, b: int) -> bool:
    return {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op]


def _last_value(type_: Type) -> int | None:
    """The greatest number that stands for a value of a small type that is no set."""
    inner = type_.of if isinstance(type_, OptionalType) else type_
    if isinstance(inner, SetType | NatType | OptionalType):
        return None
    count = cardinality(inner) or 0
    last = inner.hi if isinstance(inner, RangeType) else count - 1
    return last if last < WIDEST else None


def _table(context: Context, entries: list[int]) -> str:
    texts = ", ".join(hex(entry) for entry in entries)
    return context.define("MASKS", f"{{name}} = ({texts}{',' if len(entries) == 1 else ''})")


def _tabled(emitter: "Emitter", body: Expr, variable: str, type_: Type, scope: Scope) -> Code | None:
    """A small function that makes the mask once for each value of what the predicate reads."""
    context = emitter.context
    reads = context.facts.reads(body).without(variable)
    free = tuple(sorted(reads.locals, key=lambda pair: pair[0]))
    draft = context.signature("", free, reads)
    if not context.small(draft):
        return None
    inner, parameters = context.enter(draft)
    element = Code(inner.names.take(variable.lower()))
    holds = emitter.truth(body, inner.bind(variable, element))
    each = f"{element.text} for {element.text} in {elements(type_)} if {holds.at(CHOICE + 1)}"
    name = context.define("those", f"@cache\ndef {{name}}({parameters}) -> int:\n    return _mask({each})")
    signature = context.signature(name, free, reads)
    return emitter.call(signature, [scope.locals[n] for n, _ in free], scope, SetType(type_))


def constant_values(emitter: "Emitter", body: Expr, variable: str, type_: Type) -> dict[int, Value] | None:
    """The value of ``body`` for each element, when it reads only the element and always has one."""
    context = emitter.context
    reads = context.facts.reads(body)
    if reads.cells or reads.zones or reads.options or reads.names() - {variable}:
        return None
    if isinstance(body, Const):
        return {x: body.value for x in element_indices(type_)}
    loops = emitter.loops
    inner, parameters = context.enter(context.signature("", ((variable, type_),), reads.without(variable)))
    code = emitter.code(body, inner).text
    emitter.loops = loops
    function = context.run(f"lambda {parameters.split(':')[0]}: {code}")
    try:
        return {x: function(x) for x in element_indices(type_)}
    except RuleFault:
        return None


def sum_function(context: Context, values: dict[int, Value]) -> str:
    """A function from a set to the sum of a constant table over it."""
    by_value: dict[int, int] = {}
    for element, value in values.items():
        by_value[number(value)] = by_value.get(number(value), 0) | 1 << element
    terms = [
        f"{value} * (s & {hex(mask)}).bit_count()" for value, mask in sorted(by_value.items(), reverse=True) if value
    ]
    if len(terms) > 12:
        last = max(values)
        texts = ", ".join(literal(values.get(x, 0), NatType()).text for x in range(last + 1))
        table = context.define("TABLE", f"{{name}} = ({texts},)")
        return context.define("total", f"def {{name}}(s: int) -> int:\n    return sum({table}[x] for x in _members(s))")
    text = " + ".join(terms) or "0"
    return context.define("total", f"def {{name}}(s: int) -> int:\n    return {text}")
