"""Operators: truth, comparison, arithmetic, sets."""

from collections.abc import Callable

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Apply, Const, Expr
from kozel_verify.model.expressions.checking import any_set, in_doubt, infer, is_weak, number, predicate, rule
from kozel_verify.model.expressions.coercion import coerce, described, element_of, join, plain
from kozel_verify.model.expressions.intervals import interval, within_deck
from kozel_verify.model.expressions.type_names import element_type
from kozel_verify.model.fold import folded
from kozel_verify.model.limits import MAX_SET_SPAN
from kozel_verify.model.scope import Problem, Scope
from kozel_verify.model.types import BOOL, OptionalType, RangeType, SetType, Type, element_indices


@rule(s.Operation)
def _operation(e: s.Operation, scope: Scope, expected: Type | None) -> Expr:
    match e.operator:
        case "and" | "or" | "implies" | "not":
            return folded(Apply(e.operator, tuple(predicate(x, scope) for x in e.operands), BOOL, e.span))
        case "==" | "!=":
            return _equality(e, scope)
        case "<" | "<=" | ">" | ">=":
            return folded(Apply(e.operator, tuple(_ordered(x, scope) for x in e.operands), BOOL, e.span))
        case "+" | "-" | "*" | "div" | "mod":
            a, b = (number(x, scope) for x in e.operands)
            found = Apply(e.operator, (a, b), interval(e.operator, a.type, b.type), e.span)
            return folded(within_deck(found, len(scope.globals.deck)))
        case "in" | "not in":
            return _membership(e, scope)
        case "within" | "union" | "intersect" | "without":
            return _set_operation(e, scope, expected)
        case "size":
            group = any_set(e.operands[0], scope)
            count = len(element_indices(element_of(group)))
            return folded(Apply("size", (group,), RangeType(0, count), e.span))
        case "is none" | "is some":
            return _is_none(e, scope)
        case "..":
            return _span_set(e.operands, e.span, scope)
        case _:
            raise AssertionError(e.operator)  # the grammar has no other


def _ordered(e: s.Expression, scope: Scope) -> Expr:
    """An operand of `<`: a number. Other things have an order only by name."""
    try:
        return number(e, scope)
    except Problem as problem:
        if problem.diagnostic.code == "type" and problem.diagnostic.span == e.span and not problem.diagnostic.hint:
            hint = "cards, ranks and items are compared by `x above y in ORDER`"
            raise Problem("type", e.span, problem.diagnostic.message, hint) from None
        raise


def _is_none(e: s.Operation, scope: Scope) -> Expr:
    found = infer(e.operands[0], scope)
    if not isinstance(found.type, OptionalType):
        message = f"this is never `none`: it is {described(found.type)}"
        raise Problem("type", e.operands[0].span, message, "take the test out, or make its type optional with `?`")
    op = "==" if e.operator == "is none" else "!="
    return folded(Apply(op, (found, Const(None, found.type, e.span)), BOOL, e.span))


def _pair(e: s.Operation, scope: Scope, first: Callable[[s.Expression, Type | None], Expr]) -> tuple[Expr, Expr]:
    """Both operands, the one whose type is certain first."""
    left, right = e.operands
    if in_doubt(left, scope) and not in_doubt(right, scope):
        b = first(right, None)
        return first(left, b.type), b
    a = first(left, None)
    return a, first(right, a.type)


def _equality(e: s.Operation, scope: Scope) -> Expr:
    a, b = _pair(e, scope, lambda x, hint: infer(x, scope, _optional_for(x, hint)))
    type_ = join(a.type, b.type, e.span)
    return folded(Apply(e.operator, (coerce(a, type_), coerce(b, type_)), BOOL, e.span))


def _optional_for(e: s.Expression, hint: Type | None) -> Type | None:
    """`x == none` for a plain `x` is false, not an error of types: refuse it with the reason that `is none` gives."""
    if isinstance(e, s.Nothing) and hint is not None and not isinstance(hint, OptionalType):
        raise Problem("type", e.span, f"the other side is never `none`: it is {described(hint)}", "take the test out")
    return hint


def _membership(e: s.Operation, scope: Scope) -> Expr:
    element, group = e.operands
    if isinstance(group, s.Operation) and group.operator == "..":
        lo, hi = group.operands
        x, low, high = number(element, scope), number(lo, scope), number(hi, scope)
        ends = (folded(Apply("<=", (low, x), BOOL, e.span)), folded(Apply("<=", (x, high), BOOL, e.span)))
        between = folded(Apply("and", ends, BOOL, e.span))
        return between if e.operator == "in" else folded(Apply("not", (between,), BOOL, e.span))
    if is_weak(group) and not is_weak(element):  # `rank(c) in {10}`: the set's literals follow the element
        found = plain(infer(element, scope))
        domain = any_set(group, scope, SetType(found.type))
    else:
        domain = any_set(group, scope)
        found = plain(infer(element, scope, element_of(domain)))
    inside = folded(Apply("in", (coerce(found, element_of(domain)), domain), BOOL, e.span))
    return inside if e.operator == "in" else folded(Apply("not", (inside,), BOOL, e.span))


def _set_operation(e: s.Operation, scope: Scope, expected: Type | None) -> Expr:
    wanted = expected if isinstance(expected, SetType) and e.operator != "within" else None
    a, b = _pair(e, scope, lambda x, hint: any_set(x, scope, hint or wanted))
    type_ = join(a.type, b.type, e.span)
    return folded(Apply(e.operator, (a, b), BOOL if e.operator == "within" else type_, e.span))


def _span_set(operands: tuple[s.Expression, ...], span: Span, scope: Scope) -> Expr:
    lo, hi = (number(x, scope) for x in operands)
    if not isinstance(lo.type, RangeType) or not isinstance(hi.type, RangeType) or hi.type.hi > MAX_SET_SPAN:
        message = f"a set of numbers goes up to {MAX_SET_SPAN} at most"
        raise Problem("too-large", span, message, "use a smaller range, or compare with `<=`")
    type_ = element_type(RangeType(lo.type.lo, max(lo.type.lo, hi.type.hi)), span)
    return folded(Apply("span", (lo, hi), SetType(type_), span))
