"""What the names of a game stand for."""

from dataclasses import dataclass, field, replace

from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Cell, Expr, Function, OptionDecl, Orders, Zone
from kozel_verify.model.deck import Deck
from kozel_verify.model.types import CardType, EnumType, RankType, SeatType, SuitType, Type, Value


class Problem(Exception):
    """One error, on its way to the list of errors of its item or statement."""

    def __init__(self, code: str, span: Span, message: str, hint: str = "") -> None:
        self.diagnostic = Diagnostic(code, span, message, hint)
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class ConstantSymbol:
    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class TableSymbol:
    """``table[i]`` belongs to the element of index ``i`` of ``key``."""

    key: Type
    table: tuple[Value, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class TypeSymbol:
    type: Type


Symbol = ConstantSymbol | TableSymbol | TypeSymbol | Orders | OptionDecl | Zone | Cell | Function

OUTCOMES = EnumType("Outcome", ("lost", "neither", "won"))


@dataclass(slots=True)
class Globals:
    """The flat namespace of a game, filled while its declarations are read. ``items`` maps the name of an enumeration's
    item to the enumerations that have it."""

    deck: Deck
    seats: int
    pack: int
    symbols: dict[str, Symbol] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    items: dict[str, list[tuple[EnumType, int]]] = field(default_factory=dict)
    procedures: set[str] = field(default_factory=set)

    @property
    def card(self) -> CardType:
        return CardType(len(self.deck))

    @property
    def suit(self) -> SuitType:
        return SuitType(len(self.deck.suits))

    @property
    def rank(self) -> RankType:
        return RankType(len(self.deck.ranks))

    @property
    def seat(self) -> SeatType:
        return SeatType(self.seats)

    def define(self, name: str, symbol: Symbol, span: Span) -> None:
        """Give a name its meaning. Raises ``Problem`` when it has one already."""
        if name in self.symbols or name in RESERVED or name in self.items:
            earlier = self.spans.get(name)
            hint = f"it is defined at {earlier}" if earlier else "choose another name"
            raise Problem("clash", span, f"`{name}` has a meaning already", hint)
        self.symbols[name] = symbol
        self.spans[name] = span

    def define_items(self, type_: EnumType, span: Span) -> None:
        for index, name in enumerate(type_.items):
            if name in self.symbols:
                raise Problem("clash", span, f"`{name}` has a meaning already", f"it is defined at {self.spans[name]}")
            self.items.setdefault(name, []).append((type_, index))


_BUILTIN_FUNCTIONS = {"suit", "rank", "left", "right", "only", "min", "max", "unserved"}
_BUILTIN_VALUES = {"pack", "all", "nobody", "spades", "clubs", "diamonds", "hearts"}
_BUILTIN_TYPES = {"Bool", "Nat", "Card", "Cards", "Suit", "Rank", "Seat", "Outcome"}
RESERVED = frozenset(_BUILTIN_FUNCTIONS | _BUILTIN_VALUES | _BUILTIN_TYPES)


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a place: the globals, and the variables bound around it. ``unserved`` maps a loop's variable to
    the expression for what is still to come of its domain. ``shadowing``: in a property a quantifier's variable
    may have the name of a variable of the node at which it is stated."""

    globals: Globals
    locals: dict[str, Expr] = field(default_factory=dict)
    unserved: dict[str, Expr] = field(default_factory=dict)
    shadowing: bool = False

    def bind(self, name: str, expr: Expr, span: Span) -> "Scope":
        """The scope with one more variable. Raises ``Problem`` when the name has a meaning already."""
        known = self.globals
        if (
            (name in self.locals and not self.shadowing)
            or name in known.symbols
            or name in RESERVED
            or name in known.items
        ):
            raise Problem("clash", span, f"`{name}` has a meaning already", "choose another name for the variable")
        return replace(self, locals={**self.locals, name: expr})

    def bind_loop(self, name: str, expr: Expr, rest: Expr, span: Span) -> "Scope":
        inner = self.bind(name, expr, span)
        return replace(inner, unserved={**self.unserved, name: rest})
