"""Literals: numbers, ranks, suits, cards, seats, truth values, `none`, and sets written out."""

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Apply, Const, Expr
from kozel_verify.model.expressions.checking import in_doubt, infer, rule
from kozel_verify.model.expressions.coercion import inner, join, plain
from kozel_verify.model.expressions.type_names import element_type
from kozel_verify.model.fold import folded
from kozel_verify.model.scope import Problem, Scope
from kozel_verify.model.types import BOOL, OptionalType, RangeType, RankType, SetType, Type


@rule(s.Number)
def _number(e: s.Number, scope: Scope, expected: Type | None) -> Expr:
    return number_literal(e.value, e.span, scope, expected)


def number_literal(value: int, span: Span, scope: Scope, expected: Type | None) -> Expr:
    """A number, or the rank that is written like it where a rank is expected."""
    if isinstance(inner(expected), RankType):
        return Const(rank_index(str(value), span, scope), scope.globals.rank, span)
    return Const(value, RangeType(value, value), span)


@rule(s.CardLiteral)
def _card(e: s.CardLiteral, scope: Scope, expected: Type | None) -> Expr:
    try:
        return Const(scope.globals.deck.card(e.rank, e.suit), scope.globals.card, e.span)
    except ValueError:
        hint = "its suits are " + " ".join(scope.globals.deck.suits) + ", its ranks " + _ranks(scope)
        raise Problem("no-card", e.span, f"the deck has no card `{e.rank}{e.suit}`", hint) from None


def _ranks(scope: Scope) -> str:
    return " ".join(scope.globals.deck.ranks)


@rule(s.RankLiteral)
def _rank(e: s.RankLiteral, scope: Scope, expected: Type | None) -> Expr:
    return Const(rank_index(e.rank, e.span, scope), scope.globals.rank, e.span)


def rank_index(rank: str, span: Span, scope: Scope) -> int:
    """The index of a rank. Raises ``Problem`` when the deck lacks it."""
    if rank not in scope.globals.deck.ranks:
        raise Problem("no-card", span, f"the deck has no rank `{rank}`", "its ranks are " + _ranks(scope))
    return scope.globals.deck.ranks.index(rank)


@rule(s.SuitLiteral)
def _suit(e: s.SuitLiteral, scope: Scope, expected: Type | None) -> Expr:
    return suit_literal(e.suit, e.span, scope)


def suit_literal(suit: str, span: Span, scope: Scope) -> Expr:
    suits = scope.globals.deck.suits
    if suit not in suits:
        raise Problem("no-card", span, f"the deck has no suit `{suit}`", "its suits are " + " ".join(suits))
    return Const(suits.index(suit), scope.globals.suit, span)


@rule(s.Truth)
def _truth(e: s.Truth, scope: Scope, expected: Type | None) -> Expr:
    return Const(e.value, BOOL, e.span)


@rule(s.Nothing)
def _nothing(e: s.Nothing, scope: Scope, expected: Type | None) -> Expr:
    if isinstance(expected, OptionalType):
        return Const(None, expected, e.span)
    if expected is not None:
        message = f"a value of type {expected} is wanted, this is `none`"
        raise Problem("type", e.span, message, f"only a type such as `{expected}?` has `none`")
    raise Problem("type", e.span, "`none` of which type?", "use it where an optional value is wanted")


@rule(s.SeatLiteral)
def _seat(e: s.SeatLiteral, scope: Scope, expected: Type | None) -> Expr:
    if not 1 <= e.number <= scope.globals.seats:
        hint = f"the seats are 1 to {scope.globals.seats}"
        raise Problem("range", e.span, f"there is no seat {e.number}", hint)
    return Const(e.number - 1, scope.globals.seat, e.span)


@rule(s.SetLiteral)
def _set(e: s.SetLiteral, scope: Scope, expected: Type | None) -> Expr:
    of = expected.of if isinstance(expected, SetType) else None
    if not e.elements:
        if of is None:
            raise Problem("type", e.span, "an empty set of what?", "use it where the type of the set is known")
        return Const(0, SetType(of), e.span)
    built = _elements(e, scope, of)
    type_ = built[0].type
    for b in built[1:]:
        type_ = join(type_, b.type, b.span)
    return folded(Apply("set", tuple(built), SetType(element_type(type_, e.span)), e.span))


def _elements(e: s.SetLiteral, scope: Scope, of: Type | None) -> list[Expr]:
    """The elements. Where no type is expected, a literal such as 10 follows the first neighbour that is no number."""
    strong = next((i for i, x in enumerate(e.elements) if not in_doubt(x, scope)), None)
    if of is not None or strong is None:
        return [plain(infer(x, scope, of)) for x in e.elements]
    leading = plain(infer(e.elements[strong], scope))
    return [leading if i == strong else plain(infer(x, scope, leading.type)) for i, x in enumerate(e.elements)]
