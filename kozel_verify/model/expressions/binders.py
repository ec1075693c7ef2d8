"""Forms that bind a variable, and those that name an order or a predicate; tables of cases."""

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    Const,
    Expr,
    First,
    Function,
    If,
    Local,
    Lookup,
    Matching,
    Orders,
)
from kozel_verify.model.expressions.checking import any_set, cards, check, in_doubt, infer, number, predicate, rule
from kozel_verify.model.expressions.coercion import coerce, element_of, join, plain
from kozel_verify.model.expressions.intervals import within_deck
from kozel_verify.model.fold import folded, folded_bind, values_of
from kozel_verify.model.limits import MAX_NUMBER
from kozel_verify.model.scope import Problem, Scope, unknown_name
from kozel_verify.model.types import (
    BOOL,
    NAT,
    BoolType,
    OptionalType,
    RangeType,
    SetType,
    Type,
    Value,
    element_indices,
)


@rule(s.Quantified)
def _quantified(e: s.Quantified, scope: Scope, expected: Type | None) -> Expr:
    domain = any_set(e.domain, scope, expected if e.word == "those" else None)
    of = element_of(domain)
    name = fresh(e.name, scope)
    inside = scope.bind(e.name, Local(name, of, e.span), place_of_name(e.name, e.span))
    binding = Binding(e.word)
    body = number(e.body, inside) if binding in (Binding.SUM, Binding.TOP) else predicate(e.body, inside)
    match binding:
        case Binding.EVERY | Binding.SOME:
            type_: Type = BOOL
        case Binding.THOSE:
            type_ = domain.type
        case Binding.THE | Binding.TOP:
            type_ = of
        case Binding.SUM:
            type_ = _sum_type(name, of, body, scope)
    found = Bind(binding, name, domain, body, type_, e.span)
    if binding is Binding.SUM:
        return folded_bind(_as_bind(within_deck(found, len(scope.globals.deck))), scope.globals.folding)
    return folded_bind(found, scope.globals.folding)


def _as_bind(e: Expr) -> Bind:
    assert isinstance(e, Bind)
    return e


def fresh(name: str, scope: Scope) -> str:
    """A variable's name in the core; distinct from those around it."""
    name = str(name)
    taken = {x.name for x in scope.locals.values() if isinstance(x, Local)}
    while name in taken:
        name += "_"
    return name


def _sum_type(variable: str, of: Type, body: Expr, scope: Scope) -> Type:
    """The range of a sum over any subset of ``of``."""
    if not isinstance(body.type, RangeType):
        return NAT
    terms = values_of(body, variable, element_indices(of), scope.globals.folding)
    most = sum(terms) if terms is not None else body.type.hi * len(element_indices(of))
    return RangeType(0, most) if most <= MAX_NUMBER else NAT


def circle(c: s.Circle, scope: Scope) -> Expr:
    """The seat at which a clockwise round begins."""
    return check(c.start, scope.globals.seat, scope)


@rule(s.FirstExpression)
def _first(e: s.FirstExpression, scope: Scope, expected: Type | None) -> Expr:
    seat = scope.globals.seat
    domain = check(e.domain, SetType(seat), scope)
    start = circle(e.circle, scope)
    name = fresh(e.name, scope)
    inside = scope.bind(e.name, Local(name, seat, e.span), place_of_name(e.name, e.span))
    body = Const(True, BOOL, e.span) if e.body is None else predicate(e.body, inside)
    return First(name, domain, start, e.circle.after, body, seat, e.span)


@rule(s.MatchingExpression)
def _matching(e: s.MatchingExpression, scope: Scope, expected: Type | None) -> Expr:
    known = scope.globals
    at = place_of_name(e.predicate, e.span)
    relation = known.symbols.get(e.predicate)
    if relation is None:
        raise unknown_name(e.predicate, at, scope)
    pair = [known.card, known.card]
    if not isinstance(relation, Function) or [p.type for p in relation.parameters] != pair or relation.type != BOOL:
        hint = "name a predicate such as `predicate beats(x : Card, y : Card) = …`"
        raise Problem("type", at, f"`{e.predicate}` is not a predicate of two cards", hint)
    targets, replies = cards(e.targets, scope), cards(e.replies, scope)
    target, reply = fresh("target", scope), fresh("reply", scope)
    body = Call(str(e.predicate), (Local(reply, known.card, e.span), Local(target, known.card, e.span)), BOOL, e.span)
    return Matching(targets, replies, target, reply, body, BOOL, e.span)


def order_named(name: str, span: Span, scope: Scope) -> Orders:
    """The order with a name. Raises ``Problem``."""
    found = scope.globals.symbols.get(name)
    if not isinstance(found, Orders):
        hint = did_you_mean(name, [n for n, x in scope.globals.symbols.items() if isinstance(x, Orders)])
        message = f"`{name}` is not an order" if found is not None else f"there is no order `{name}`"
        raise Problem("unknown-name", place_of_name(name, span), message, hint, silent=scope.is_broken(name))
    return found


@rule(s.PlaceOf)
def _place_of(e: s.PlaceOf, scope: Scope, expected: Type | None) -> Expr:
    return _place(e.element, e.order, e.span, scope)


@rule(s.Above)
def _above(e: s.Above, scope: Scope, expected: Type | None) -> Expr:
    places = tuple(_place(x, e.order, e.span, scope) for x in (e.left, e.right))
    return folded(Apply(">", places, BOOL, e.span))


def _place(element: s.Expression, name: str, span: Span, scope: Scope) -> Expr:
    order = order_named(name, span, scope)
    found = coerce(plain(infer(element, scope, order.of)), order.of)
    length = len(order.items)
    places = {item: length - i for i, item in enumerate(order.items)}
    table: tuple[Value, ...] = tuple(places.get(i, 0) for i in range(element_indices(order.of).stop))
    return folded(Lookup(table, found, RangeType(0, length), span))


@rule(s.Cases)
def _cases(e: s.Cases, scope: Scope, expected: Type | None) -> Expr:
    conditions = [predicate(r.condition, scope) for r in e.rows]
    texts = [*(r.value for r in e.rows), e.otherwise]
    found = _values(texts, scope, expected)
    type_ = found[0].type
    for v in found[1:]:
        type_ = join(type_, v.type, v.span)
    found = [coerce(v, type_) for v in found]
    result = found[-1]
    for condition, value, row in zip(reversed(conditions), reversed(found[:-1]), reversed(e.rows), strict=True):
        result = folded(If(condition, value, result, type_, row.span))
    return result


def _values(texts: list[s.Expression], scope: Scope, expected: Type | None) -> list[Expr]:
    """The values of the rows. Where no type is expected, literals follow the first row that has one of its own."""
    strong = next((i for i, x in enumerate(texts) if not in_doubt(x, scope)), None)
    if expected is not None or strong is None:
        return [infer(x, scope, expected) for x in texts]
    leading = infer(texts[strong], scope)
    hint = leading.type
    if any(isinstance(x, s.Nothing) for x in texts) and not isinstance(hint, OptionalType):
        hint = OptionalType(hint)
    return [leading if i == strong else infer(x, scope, hint) for i, x in enumerate(texts)]


def first_value(type_: Type) -> Value:
    """The value to which cells without one of their own are set: the first of their type."""
    match type_:
        case BoolType():
            return False
        case OptionalType():
            return None
        case RangeType(lo, _):
            return lo
        case _:
            return 0
