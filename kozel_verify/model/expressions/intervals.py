"""Ranges of numbers: what an operation on two ranges can give, and how large sums of zone sizes can be."""

from kozel_verify.model.core import Apply, Bind, Binding, Const, Expr, Local, ZoneRead
from kozel_verify.model.limits import MAX_NUMBER
from kozel_verify.model.types import NAT, RangeType, Type


def interval(operator: str, a: Type, b: Type) -> Type:
    """The smallest range that holds the result of an operation on numbers; ``Nat`` when there is no bound."""
    match operator, a, b:
        case "-" | "div" | "mod" | "min", RangeType(), _ if not isinstance(b, RangeType):
            return RangeType(0, a.hi)
        case "mod" | "min", _, RangeType() if not isinstance(a, RangeType):
            return RangeType(0, max(0, b.hi - 1) if operator == "mod" else b.hi)
        case _, RangeType(), RangeType():
            lo, hi = _bounds(operator, a, b)
            return RangeType(lo, hi) if hi <= MAX_NUMBER else NAT
        case _:
            return NAT


def _bounds(operator: str, a: RangeType, b: RangeType) -> tuple[int, int]:
    match operator:
        case "+":
            return a.lo + b.lo, a.hi + b.hi
        case "-":
            return max(0, a.lo - b.hi), max(0, a.hi - b.lo)
        case "*":
            return a.lo * b.lo, a.hi * b.hi
        case "div":
            return a.lo // max(1, b.hi), a.hi // max(1, b.lo)
        case "mod":
            return 0, min(a.hi, max(0, b.hi - 1))
        case "min":
            return min(a.lo, b.lo), min(a.hi, b.hi)
        case "max":
            return max(a.lo, b.lo), max(a.hi, b.hi)
        case _:
            raise AssertionError(operator)  # the grammar has no other


Part = tuple[str, object]  # a zone, and which of its family: a constant index, `_FAMILY`, or `_SOME`
_FAMILY, _SOME = "family", "some"


def within_deck(e: Expr, cards: int) -> Expr:
    """A sum of the sizes of different zones, with a range that counts no card twice: each lies in one zone."""
    if not (isinstance(e, Apply | Bind) and isinstance(e.type, RangeType) and e.type.hi > cards):
        return e
    if _parts(e) is None:
        return e
    bound = RangeType(min(e.type.lo, cards), cards)
    if isinstance(e, Apply):
        return Apply(e.op, e.args, bound, e.span)
    return Bind(e.binding, e.variable, e.domain, e.body, bound, e.span)


def _parts(e: Expr) -> frozenset[Part] | None:
    """The zones whose sizes an expression adds up; ``None`` when it is no such sum or may count a zone twice."""
    match e:
        case Apply("size", (ZoneRead(zone, index),)):
            return frozenset({(zone, _which(index))})
        case Apply("+", (a, b)):
            left, right = _parts(a), _parts(b)
            apart = left is not None and right is not None and not any(_overlap(x, y) for x in left for y in right)
            return left | right if apart and left is not None and right is not None else None
        case Bind(Binding.SUM, variable, _, body):
            inside = _parts(body)
            if inside is None or any(which != ("local", variable) for _, which in inside):
                return None
            return frozenset((zone, _FAMILY) for zone, _ in inside)
        case _:
            return None


def _which(index: Expr | None) -> object:
    match index:
        case None:
            return None
        case Const(value):
            return value
        case Local(name):
            return "local", name
        case _:
            return _SOME


def _overlap(x: Part, y: Part) -> bool:
    apart = isinstance(x[1], int) and isinstance(y[1], int) and x[1] != y[1]
    return x[0] == y[0] and not apart
