"""Which types go together, and the operators that take a value from one to another."""

from kozel_verify.language.spans import Span
from kozel_verify.model.core import Apply, Expr
from kozel_verify.model.scope import Problem
from kozel_verify.model.types import (
    BOOL,
    NAT,
    BoolType,
    CardType,
    EnumType,
    NatType,
    OptionalType,
    RangeType,
    SeatType,
    SetType,
    Type,
)


def is_number(type_: Type) -> bool:
    return isinstance(type_, RangeType | NatType)


def inner(type_: Type | None) -> Type | None:
    """The type of the values of an optional; any other type itself."""
    return type_.of if isinstance(type_, OptionalType) else type_


def element_of(e: Expr) -> Type:
    """The type of the elements of a set."""
    assert isinstance(e.type, SetType)
    return e.type.of


def plain(e: Expr) -> Expr:
    """Optionals are unwrapped where a plain value is needed."""
    return Apply("value", (e,), e.type.of, e.span) if isinstance(e.type, OptionalType) else e


def described(type_: Type) -> str:
    """A type in a sentence: `this is …`."""
    match type_:
        case RangeType(lo, hi):
            return f"the number {lo}" if lo == hi else f"a number in {lo}..{hi}"
        case NatType():
            return "a number without a bound"
        case SetType(CardType()):
            return "a set of cards"
        case _:
            name = str(type_)
            return f"{'an' if name[:1] in 'AEIOU' else 'a'} {name}"


def coerce(e: Expr, expected: Type) -> Expr:
    """``e`` as a value of ``expected``. Numbers of any range pass. Raises ``Problem``."""
    have = e.type
    if have == expected or (is_number(have) and is_number(expected)):
        return e
    match have, expected:
        case OptionalType(a), OptionalType(b) if _alike(a, b):
            return e
        case _, OptionalType(b) if _alike(have, b):
            return Apply("some", (e,), expected, e.span)
        case OptionalType(a), _ if _alike(a, expected):
            return Apply("value", (e,), a, e.span)
        case SetType(a), SetType(b) if _alike(a, b):
            return e
        case _:
            pass
    message = f"a value of type {expected} is wanted, this is {described(have)}"
    raise Problem("type", e.span, message, _advice(have, expected))


def _advice(have: Type, expected: Type) -> str:
    if isinstance(expected, SetType) and _alike(have, expected.of):
        return "write `{…}` around it for the set of this one element"
    if isinstance(have, SetType) and _alike(have.of, expected):
        return "write `only(…)` for the single element of a set"
    if is_number(expected) and isinstance(have, SetType):
        return "write `|…|` for the number of elements"
    wanted = inner(expected)
    if isinstance(wanted, EnumType):
        return "its values are " + ", ".join(f"`{item}`" for item in wanted.items)
    return _for_number(have, wanted)


def _for_number(have: Type, wanted: Type | None) -> str:
    """What is to be written in the place of a number where a seat or a truth value is wanted."""
    if not is_number(have):
        return ""
    n = have.lo if isinstance(have, RangeType) and have.lo == have.hi else None
    match wanted:
        case SeatType(count):
            return f"write `seat {n if n is not None and 1 <= n <= count else 1}`"
        case BoolType():
            return "write `true`" if n == 1 else "write `false`" if n == 0 else "write `true` or `false`"
        case _:
            return ""


def _alike(a: Type, b: Type) -> bool:
    if is_number(a) and is_number(b):
        return True
    if isinstance(a, SetType) and isinstance(b, SetType):
        return _alike(a.of, b.of)
    return a == b


def join(a: Type, b: Type, span: Span) -> Type:
    """The smallest type that has the values of both. Raises ``Problem`` at ``span``."""
    if a == b:
        return a
    match a, b:
        case (RangeType(l1, h1), RangeType(l2, h2)):
            return RangeType(min(l1, l2), max(h1, h2))
        case (RangeType() | NatType(), RangeType() | NatType()):
            return NAT
        case (SetType(x), SetType(y)) if _alike(x, y):
            return SetType(join(x, y, span))
        case (OptionalType(x), OptionalType(y)) if _alike(x, y):
            return OptionalType(join(x, y, span))
        case (OptionalType(x), y) | (y, OptionalType(x)) if _alike(x, y):
            return OptionalType(join(x, y, span))
        case _:
            pass
    hint = _advice_beside(a, b) or _advice_beside(b, a)
    raise Problem("type", span, f"the types {a} and {b} do not go together", hint)


def _advice_beside(a: Type, b: Type) -> str:
    """A hint for values of two types that are compared, or are to be values of one expression."""
    if _card_beside(a, b):
        return "no card counts as its rank or suit: write `rank(…)` or `suit(…)`"
    if isinstance(a, SetType) and is_number(b):
        return "write `|…|` for the number of elements"
    if isinstance(a, EnumType) and (is_number(b) or b == BOOL):
        return _advice(b, a)
    return _for_number(b, inner(a))


def _card_beside(a: Type, b: Type) -> bool:
    names = {str(a), str(b)}
    return "Card" in names and bool(names & {"Rank", "Suit"})


def holds(want: Type, have: Type) -> bool:
    """Is every number that ``have`` may give one that ``want`` may hold? (True for all that are no numbers.)"""
    match want, have:
        case RangeType(lo, hi), RangeType(low, high):
            return lo <= low and high <= hi
        case RangeType(), NatType():
            return False
        case (SetType(a), SetType(b)) | (OptionalType(a), OptionalType(b)):
            return holds(a, b)
        case OptionalType(a), _:
            return holds(a, have)
        case _, OptionalType(b):
            return holds(want, b)
        case _:
            return True
