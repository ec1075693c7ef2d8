"""What the names of a game stand for."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace

from kozel_verify.language.diagnostics import Diagnostic, Fix, SpecError
from kozel_verify.language.spans import Span
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Ask, Cell, Expr, Function, OptionDecl, Orders, Zone
from kozel_verify.model.deck import Deck
from kozel_verify.model.limits import FOLD_STEPS, MAX_EXPRESSIONS, MAX_PROBLEMS, Budget
from kozel_verify.model.types import CardType, EnumType, RankType, SeatType, SuitType, Type, Value


class Problem(Exception):
    """One error, on its way to the list of errors of its item or statement.

    ``silent``: only the consequence of another error that has been reported already, so not to be reported itself.
    """

    def __init__(
        self, code: str, span: Span, message: str, hint: str = "", fix: Fix | None = None, silent: bool = False
    ) -> None:
        self.diagnostic = Diagnostic(code, span, message, hint, fix)
        self.silent = silent
        super().__init__(message)

    def __reduce__(self) -> tuple[object, ...]:
        d = self.diagnostic
        return type(self), (d.code, d.span, d.message, d.hint, d.fix, self.silent)


@dataclass(slots=True)
class Problems:
    """The errors found so far, each once. After ``MAX_PROBLEMS`` of them ``SpecError`` is raised with those."""

    found: list[Diagnostic] = field(default_factory=list)

    def add(self, problem: Problem) -> None:
        if not problem.silent:
            self.note(problem.diagnostic)

    def note(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self.found:
            self.found.append(diagnostic)
        if len(self.found) >= MAX_PROBLEMS:
            raise SpecError(self.found)

    def __bool__(self) -> bool:
        return bool(self.found)


@dataclass(frozen=True, slots=True)
class ConstantSymbol:
    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class TableSymbol:
    """``table[i]`` belongs to the element of index ``i`` of ``key``; ``otherwise`` to numbers beyond the key's."""

    key: Type
    table: tuple[Value, ...]
    type: Type
    otherwise: Value = None


@dataclass(frozen=True, slots=True)
class TypeSymbol:
    type: Type


Symbol = ConstantSymbol | TableSymbol | TypeSymbol | Orders | OptionDecl | Zone | Cell | Function

OUTCOMES = EnumType("Outcome", ("lost", "neither", "won"))

SUIT_WORDS = {"spades": "♠", "clubs": "♣", "diamonds": "♦", "hearts": "♥"}
BUILTIN_FUNCTIONS = {
    "suit": 1, "rank": 1, "left": 1, "right": 1, "only": 1, "unserved": 1, "min": 2, "max": 2, "viewers": 1, "heard": 1,
}  # fmt: skip
BUILTIN_TYPES = ("Bool", "Nat", "Card", "Cards", "Suit", "Rank", "Seat", "Outcome")
RESERVED = frozenset({*BUILTIN_FUNCTIONS, *BUILTIN_TYPES, *SUIT_WORDS, "pack", "all", "nobody"})


@dataclass(slots=True)
class Globals:
    """The flat namespace of a game, filled while its declarations are read. ``items`` maps the name of an enumeration's
    item to the enumerations that have it; ``broken`` are names whose declaration has an error of its own; ``own`` is
    the file of the spec itself."""

    deck: Deck
    seats: int
    pack: int
    symbols: dict[str, Symbol] = field(default_factory=dict)
    spans: dict[str, Span] = field(default_factory=dict)
    items: dict[str, list[tuple[EnumType, int]]] = field(default_factory=dict)
    procedures: set[str] = field(default_factory=set)
    broken: set[str] = field(default_factory=set)
    functions: dict[str, Function] | None = None  # once all rules are read, where `viewers` puts functions of its own
    elsewhere: dict[str, list[str]] = field(default_factory=dict)  # the nodes of variables, while properties are read
    later: frozenset[str] = frozenset()  # while constants are read: the names of what is not constant
    work: Budget = field(default_factory=lambda: Budget(MAX_EXPRESSIONS, f"over {MAX_EXPRESSIONS:,} expressions"))
    own: str = ""
    folding: Budget = field(default_factory=lambda: Budget(FOLD_STEPS, f"over {FOLD_STEPS:,} steps of computation"))

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
        self.require_new(name, span)
        self.symbols[name] = symbol
        self.spans[name] = span

    def require_new(self, name: str, span: Span) -> None:
        if name in self.symbols or name in RESERVED or name in self.items:
            raise Problem("clash", span, f"`{name}` has a meaning already", self.earlier(name, span))

    def define_items(self, type_: EnumType, spans: tuple[Span, ...]) -> None:
        """Give the items of an enumeration their meaning; enumerations may share items."""
        for (index, name), span in zip(enumerate(type_.items), spans, strict=True):
            if name in type_.items[:index]:
                raise Problem("clash", span, f"`{name}` is there twice", "name each item once")
            if name in self.symbols or name in RESERVED or name in self.later:
                raise Problem("clash", span, f"`{name}` has a meaning already", self.earlier(name, span))
        for (index, name), span in zip(enumerate(type_.items), spans, strict=True):
            meanings = self.items.setdefault(name, [])
            if (type_, index) not in meanings:  # two options may have the same items: their types are one
                meanings.append((type_, index))
            self.spans.setdefault(name, span)

    def earlier(self, name: str, span: Span) -> str:
        """A hint that says where a name got its meaning."""
        if name in RESERVED:
            return "the language has a meaning for it; choose another name"
        at = self.spans.get(name)
        if at is None:
            return "choose another name"
        where = f"line {at.line}" if at.file == span.file else f"{at}"
        return f"it is defined at {where}; choose another name"


@dataclass(frozen=True, slots=True)
class Scope:
    """The names of a place: the globals, and the variables bound around it. ``unserved`` maps a loop's variable to
    the expression for what is still to come of its domain. ``shadowing``: in a property a quantifier's variable
    may have the name of a variable of the node at which it is stated. ``before``, in a claim about a step, are the
    names in the state before it; ``past`` marks those; ``asked`` is the question with which the step begins, if any."""

    globals: Globals
    locals: dict[str, Expr] = field(default_factory=dict)
    unserved: dict[str, Expr] = field(default_factory=dict)
    shadowing: bool = False
    broken: frozenset[str] = frozenset()
    before: "Scope | None" = None
    past: bool = False
    asked: Ask | None = None

    def bind(self, name: str, expr: Expr, span: Span) -> "Scope":
        """The scope with one more variable. Raises ``Problem`` when the name has a meaning already."""
        known = self.globals
        around = name in self.locals and not self.shadowing
        if around or name in known.symbols or name in RESERVED or name in known.items:
            at = None if around else known.spans.get(name)
            if at is not None and at.file == known.own != span.file:  # one error, however many variables are so called
                message = f"`{name}` is the name of a variable in the base, or in a module"
                raise Problem("clash", at, message, "choose another name")
            hint = "choose another name for the variable" if around else known.earlier(name, span)
            raise Problem("clash", span, f"`{name}` has a meaning already", hint)
        before = None if self.before is None else self.before.bind(name, expr, span)
        return replace(self, locals={**self.locals, name: expr}, broken=self.broken - {name}, before=before)

    def bind_loop(self, name: str, expr: Expr, rest: Expr, span: Span) -> "Scope":
        inner = self.bind(name, expr, span)
        return replace(inner, unserved={**self.unserved, name: rest})

    def without(self, name: str) -> "Scope":
        """The scope after the definition of a variable has failed: its uses are no errors of their own."""
        return replace(self, broken=self.broken | {name})

    def is_broken(self, name: str) -> bool:
        return name in self.broken or name in self.globals.broken

    def sense(self, names: Iterable[str]) -> Hashable:
        """What decides the meaning of an expression that reads these names: in two scopes of one game that agree in it
        the expression means the same."""
        own = tuple((n, self.locals.get(n), self.unserved.get(n), n in self.broken) for n in names)
        asked = (self.asked.secret, self.asked.seat) if self.asked else None
        return own, self.past, asked, self.before.sense(names) if self.before else None

    def names(self) -> set[str]:
        known = self.globals
        return {*self.locals, *known.symbols, *known.items, *RESERVED}


def unknown_name(name: str, span: Span, scope: Scope) -> Problem:
    """The error for a name that means nothing; a silent one when its definition has been found at fault already."""
    if name in scope.globals.later:
        hint = "what is fixed before play may name constants only"
        return Problem("not-constant", span, f"`{name}` is not a constant", hint)
    hint = "a procedure is run by `run`" if name in scope.globals.procedures else did_you_mean(name, scope.names())
    if name in scope.globals.elsewhere:
        nodes = [f"`{n}`" for n in scope.globals.elsewhere[name]]
        hint = f"it can be named only at {', '.join(nodes[:3])}{' and others' if len(nodes) > 3 else ''}"
    if scope.before is not None and name in scope.before.locals:
        hint = f"before the step there is: write `old({name})`, or name behind `to` where the step ends"
    message = f"there is nothing called `{name}` here"
    return Problem("unknown-name", span, message, hint, silent=scope.is_broken(name))
