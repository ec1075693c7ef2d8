"""What the text of a type means."""

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.expressions.checking import constant_number
from kozel_verify.model.limits import MAX_SET_SPAN
from kozel_verify.model.scope import OUTCOMES, Problem, Scope, TypeSymbol
from kozel_verify.model.types import BOOL, NAT, EnumType, OptionalType, RangeType, SetType, Type, element_indices


def named_type(name: str, span: Span, scope: Scope) -> Type:
    """A built-in type or a declared enumeration. Raises ``Problem``."""
    known = scope.globals
    builtin: dict[str, Type] = {
        "Bool": BOOL, "Nat": NAT, "Outcome": OUTCOMES, "Card": known.card, "Cards": SetType(known.card),
        "Suit": known.suit, "Rank": known.rank, "Seat": known.seat,
    }  # fmt: skip
    if name in builtin:
        return builtin[name]
    symbol = known.symbols.get(name)
    if isinstance(symbol, TypeSymbol):
        return symbol.type
    if symbol is not None:
        raise Problem("unknown-type", span, f"`{name}` is not a type", "name a type, or a range such as `0..3`")
    names = [*builtin, *(n for n, x in known.symbols.items() if isinstance(x, TypeSymbol))]
    hint = did_you_mean(name, names)
    raise Problem("unknown-type", span, f"there is no type `{name}`", hint, silent=scope.is_broken(name))


def type_of(name: s.TypeName, scope: Scope, inline: bool = False) -> Type:
    """The type that a type's text means. ``inline``: an enumeration may be written in place. Raises ``Problem``."""
    match name:
        case s.NamedType(n, span):
            return named_type(n, span, scope)
        case s.OptionalTypeName(n, span):
            return OptionalType(named_type(n, span, scope))
        case s.SetTypeName(n, span):
            return SetType(element_type(named_type(n, span, scope), span))
        case s.RangeTypeName(lo, hi, span):
            low, high = constant_number(lo, scope), constant_number(hi, scope)
            if low > high:
                raise Problem("type", span, f"the range {low}..{high} is empty", "write the smaller number first")
            return RangeType(low, high)
        case s.InlineEnumeration(items, span):
            if not inline:
                raise Problem("type", span, "an enumeration needs a name here", "declare it with `type Name = …`")
            return EnumType("", tuple(map(str, items)))


def element_type(of: Type, span: Span) -> Type:
    """A type of which there are sets, families and loops. Raises ``Problem``."""
    try:
        indices = element_indices(of)
    except TypeError:
        hint = "there are sets of cards, suits, ranks, seats, items of an enumeration, and numbers of a range"
        raise Problem("type", span, f"there are no sets or families of {of}", hint) from None
    if isinstance(of, RangeType) and indices.stop > MAX_SET_SPAN + 1:
        message = f"numbers in sets, indices and loops go up to {MAX_SET_SPAN}, not {of.hi}"
        raise Problem("too-large", span, message, "use a smaller range")
    return of
