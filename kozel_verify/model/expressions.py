"""Names and types of expressions: syntax to core. Every error is a ``Problem`` at the smallest place at fault."""

import difflib

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.words import mixed_alphabets
from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    Cell,
    CellRead,
    Const,
    Expr,
    First,
    Function,
    If,
    Local,
    Lookup,
    Matching,
    OptionDecl,
    OptionRead,
    Orders,
    Zone,
    ZoneRead,
)
from kozel_verify.model.fold import NotClosed, fold, folded
from kozel_verify.model.operators import Undefined
from kozel_verify.model.scope import OUTCOMES, ConstantSymbol, Problem, Scope, TableSymbol, TypeSymbol
from kozel_verify.model.types import (
    BOOL,
    NAT,
    BoolType,
    CardType,
    EnumType,
    NatType,
    OptionalType,
    RangeType,
    RankType,
    SeatType,
    SetType,
    Type,
    Value,
    element_indices,
    full_set,
    is_value,
)

_SUIT_WORDS = {"spades": "♠", "clubs": "♣", "diamonds": "♦", "hearts": "♥"}
_BUILTIN_TYPES: dict[str, Type] = {"Bool": BOOL, "Nat": NAT, "Outcome": OUTCOMES}
MAX_SET_SPAN = 64


def is_number(type_: Type) -> bool:
    return isinstance(type_, RangeType | NatType)


# --- types -----------------------------------------------------------------------------------------------------------


def named_type(name: str, span: Span, scope: Scope) -> Type:
    known = scope.globals
    builtin: dict[str, Type] = {
        **_BUILTIN_TYPES, "Card": known.card, "Cards": SetType(known.card), "Suit": known.suit, "Rank": known.rank,
        "Seat": known.seat,
    }  # fmt: skip
    if name in builtin:
        return builtin[name]
    symbol = known.symbols.get(name)
    if isinstance(symbol, TypeSymbol):
        return symbol.type
    names = [*builtin, *(n for n, x in known.symbols.items() if isinstance(x, TypeSymbol))]
    raise Problem("unknown-type", span, f"there is no type `{name}`", _did_you_mean(name, names))


def type_of(name: s.TypeName, scope: Scope, inline: bool = False) -> Type:
    """The type that a type's text means. ``inline``: an enumeration may be written in place."""
    match name:
        case s.NamedType(n, span):
            return named_type(n, span, scope)
        case s.OptionalTypeName(n, span):
            of = named_type(n, span, scope)
            if isinstance(of, OptionalType):
                raise Problem("type", span, f"`{n}?` of an optional type")
            return OptionalType(of)
        case s.SetTypeName(n, span):
            of = named_type(n, span, scope)
            return SetType(_element_type(of, span))
        case s.RangeTypeName(lo, hi, span):
            low, high = constant_number(lo, scope), constant_number(hi, scope)
            if low > high:
                raise Problem("type", span, f"the range {low}..{high} is empty")
            return RangeType(low, high)
        case s.InlineEnumeration(items, span):
            if not inline:
                raise Problem("type", span, "an enumeration needs a name here", "declare it with `type Name = …`")
            return EnumType("", items)


def _element_type(of: Type, span: Span) -> Type:
    try:
        element_indices(of)
    except TypeError:
        raise Problem("type", span, f"there are no sets of {of}") from None
    return of


# --- entry points ----------------------------------------------------------------------------------------------------


def check(e: s.Expression, expected: Type, scope: Scope) -> Expr:
    """The expression as a value of ``expected``. Numbers of any range pass: storing checks the range."""
    return coerce(infer(e, scope, expected), expected)


def predicate(e: s.Expression, scope: Scope) -> Expr:
    return check(e, BOOL, scope)


def cards(e: s.Expression, scope: Scope) -> Expr:
    return check(e, SetType(scope.globals.card), scope)


def seats(e: s.Expression, scope: Scope) -> Expr:
    """A set of seats; a single seat stands for itself."""
    found = infer(e, scope, SetType(scope.globals.seat))
    if isinstance(found.type, SeatType):
        return folded(Apply("set", (found,), SetType(found.type), found.span))
    return coerce(found, SetType(scope.globals.seat))


def number(e: s.Expression, scope: Scope) -> Expr:
    found = infer(e, scope)
    found = _plain(found)
    if not is_number(found.type):
        raise Problem("type", e.span, f"a number is wanted, this is a {found.type}")
    return found


def any_set(e: s.Expression, scope: Scope, expected: Type | None = None) -> Expr:
    found = infer(e, scope, expected)
    if not isinstance(found.type, SetType):
        raise Problem("type", e.span, f"a set is wanted, this is a {found.type}")
    return found


def constant(e: s.Expression, scope: Scope, expected: Type | None = None) -> Const:
    """The value of a closed expression."""
    found = infer(e, scope, expected)
    if expected is not None:
        found = coerce(found, expected)
    try:
        value = fold(found)
    except NotClosed:
        raise Problem("not-constant", e.span, "a constant is wanted here", "it may not read the state") from None
    except Undefined as u:
        raise Problem("undefined", e.span, f"this has no value: {u}") from None
    if expected is not None and not is_value(value, expected):
        raise Problem("range", e.span, f"the value {value} is not in {expected}")
    return Const(value, found.type if expected is None else expected, e.span)


def constant_number(e: s.Expression, scope: Scope) -> int:
    found = constant(e, scope)
    if not is_number(found.type) or found.value is None:
        raise Problem("type", e.span, f"a number is wanted, this is a {found.type}")
    return int(found.value)


# --- coercion --------------------------------------------------------------------------------------------------------


def coerce(e: Expr, expected: Type) -> Expr:
    """``e`` as a value of ``expected``, or a ``Problem``."""
    have = e.type
    if have == expected or (is_number(have) and is_number(expected)):
        return e
    match have, expected:
        case OptionalType(OptionalType()), _:
            pass
        case OptionalType(a), OptionalType(b) if _same(a, b):
            return e
        case _, OptionalType(b) if _same(have, b):
            return Apply("some", (e,), expected, e.span)
        case OptionalType(a), _ if _same(a, expected):
            return Apply("value", (e,), a, e.span)
        case SetType(a), SetType(b) if _same(a, b):
            return e
        case _:
            pass
    raise Problem("type", e.span, f"a value of type {expected} is wanted, this is a {have}")


def _same(a: Type, b: Type) -> bool:
    return a == b or (is_number(a) and is_number(b))


def _plain(e: Expr) -> Expr:
    """Optionals are unwrapped where a plain value is needed."""
    return Apply("value", (e,), e.type.of, e.span) if isinstance(e.type, OptionalType) else e


def join(a: Type, b: Type, span: Span) -> Type:
    """The smallest type that has the values of both."""
    if a == b:
        return a
    match a, b:
        case (RangeType(l1, h1), RangeType(l2, h2)):
            return RangeType(min(l1, l2), max(h1, h2))
        case (RangeType() | NatType(), RangeType() | NatType()):
            return NAT
        case (SetType(x), SetType(y)):
            return SetType(join(x, y, span))
        case (OptionalType(x), OptionalType(y)):
            return OptionalType(join(x, y, span))
        case (OptionalType(x), y) | (y, OptionalType(x)):
            return OptionalType(join(x, y, span))
        case _:
            pass
    raise Problem("type", span, f"the types {a} and {b} do not go together")


# --- inference -------------------------------------------------------------------------------------------------------


def infer(e: s.Expression, scope: Scope, expected: Type | None = None) -> Expr:
    """The core of an expression. ``expected`` only helps with literals: it is not enforced."""
    match e:
        case s.Name(name, span):
            return _name(name, span, scope, expected)
        case s.Number(value, span):
            return _number(value, span, scope, expected)
        case s.CardLiteral(rank, suit, span):
            return Const(_card(rank, suit, span, scope), scope.globals.card, span)
        case s.RankLiteral(rank, span):
            return Const(_rank(rank, span, scope), scope.globals.rank, span)
        case s.SuitLiteral(suit, span):
            return _suit(suit, span, scope)
        case s.Truth(value, span):
            return Const(value, BOOL, span)
        case s.Nothing(span):
            if not isinstance(expected, OptionalType):
                raise Problem("type", span, "`none` of which type?", "use it where an optional value is wanted")
            return Const(None, expected, span)
        case s.SeatLiteral(n, span):
            if not 1 <= n <= scope.globals.seats:
                raise Problem("range", span, f"there is no seat {n}", f"the seats are 1 to {scope.globals.seats}")
            return Const(n - 1, scope.globals.seat, span)
        case s.Indexed(name, index, span):
            return _indexed(name, index, span, scope)
        case s.CallExpression(name, arguments, span):
            return _call(name, arguments, span, scope)
        case s.SetLiteral(elements, span):
            return _set_literal(elements, span, scope, expected)
        case s.Operation(operator, operands, span):
            return _operation(operator, operands, span, scope, expected)
        case s.Quantified():
            return _quantified(e, scope, expected)
        case s.FirstExpression():
            return _first(e, scope)
        case s.MatchingExpression():
            return _matching(e, scope)
        case s.PlaceOf(element, order, span):
            return _place(element, order, span, scope)
        case s.Above(left, right, order, span):
            places = tuple(_place(x, order, span, scope) for x in (left, right))
            return folded(Apply(">", places, BOOL, span))
        case s.Cases(rows, otherwise, span):
            return _cases(rows, otherwise, span, scope, expected)


def _name(name: str, span: Span, scope: Scope, expected: Type | None) -> Expr:
    known = scope.globals
    if name in scope.locals:
        return scope.locals[name]
    if _inner(expected) == OUTCOMES and name in OUTCOMES.items:
        return Const(OUTCOMES.items.index(name), OUTCOMES, span)
    if name in known.items:
        return _enum_item(name, span, scope, expected)
    symbol = known.symbols.get(name)
    match symbol:
        case ConstantSymbol(value, type_):
            if isinstance(_inner(expected), RankType) and is_number(type_):
                return _number(int(value or 0), span, scope, expected)
            return Const(value, type_, span)
        case TypeSymbol(type_):
            return Const(full_set(_element_type(type_, span)), SetType(type_), span)
        case OptionDecl(_, type_):
            return OptionRead(name, type_, span)
        case Cell(_, type_, None):
            return CellRead(name, None, type_, span)
        case Zone(_, None):
            return ZoneRead(name, None, SetType(known.card), span)
        case Cell() | Zone() | TableSymbol():
            raise Problem("type", span, f"`{name}` needs an index", f"write `{name}[…]`")
        case Function(_, (), _, type_):
            return Call(name, (), type_, span)
        case Function():
            raise Problem("type", span, f"`{name}` needs its arguments", f"write `{name}(…)`")
        case Orders():
            raise Problem("type", span, f"`{name}` is an order", f"write `place of x in {name}`")
        case None:
            pass
    builtin = _builtin_name(name, span, scope)
    if builtin is None:
        raise unknown_name(name, span, scope)
    return builtin


def _builtin_name(name: str, span: Span, scope: Scope) -> Expr | None:
    known = scope.globals
    if name in _SUIT_WORDS:
        return _suit(_SUIT_WORDS[name], span, scope)
    match name:
        case "pack":
            return Const(known.pack, SetType(known.card), span)
        case "all":
            return Const(full_set(known.seat), SetType(known.seat), span)
        case "nobody":
            return Const(0, SetType(known.seat), span)
        case "Seat" | "Suit" | "Rank" | "Card" | "Outcome":
            type_ = named_type(name, span, scope)
            return Const(full_set(_element_type(type_, span)), SetType(type_), span)
        case _:
            return None


def unknown_name(name: str, span: Span, scope: Scope) -> Problem:
    mixed = mixed_alphabets(name, span)
    if mixed is not None:
        return Problem(mixed.code, mixed.span, mixed.message, mixed.hint)
    names = [*scope.locals, *scope.globals.symbols, *scope.globals.items, *scope.globals.procedures]
    return Problem("unknown-name", span, f"there is nothing called `{name}` here", _did_you_mean(name, names))


def _did_you_mean(name: str, names: list[str]) -> str:
    close = difflib.get_close_matches(name, names, 1)
    return f"did you mean `{close[0]}`?" if close else ""


def _inner(type_: Type | None) -> Type | None:
    return type_.of if isinstance(type_, OptionalType) else type_


def _enum_item(name: str, span: Span, scope: Scope, expected: Type | None) -> Expr:
    choices = scope.globals.items[name]
    wanted = _inner(expected)
    fitting = [c for c in choices if c[0] == wanted] or choices
    if len(fitting) > 1:
        raise Problem("ambiguous", span, f"`{name}` belongs to several enumerations", "rename one of the items")
    type_, index = fitting[0]
    return Const(index, type_, span)


def _number(value: int, span: Span, scope: Scope, expected: Type | None) -> Expr:
    if isinstance(_inner(expected), RankType):
        return Const(_rank(str(value), span, scope), scope.globals.rank, span)
    return Const(value, RangeType(value, value), span)


def _card(rank: str, suit: str, span: Span, scope: Scope) -> int:
    try:
        return scope.globals.deck.card(rank, suit)
    except ValueError:
        raise Problem("no-card", span, f"the deck has no card `{rank}{suit}`") from None


def _rank(rank: str, span: Span, scope: Scope) -> int:
    ranks = scope.globals.deck.ranks
    if rank not in ranks:
        raise Problem("no-card", span, f"the deck has no rank `{rank}`", "its ranks are " + " ".join(ranks))
    return ranks.index(rank)


def _suit(suit: str, span: Span, scope: Scope) -> Expr:
    suits = scope.globals.deck.suits
    if suit not in suits:
        raise Problem("no-card", span, f"the deck has no suit `{suit}`", "its suits are " + " ".join(suits))
    return Const(suits.index(suit), scope.globals.suit, span)


def _indexed(name: str, index: s.Expression, span: Span, scope: Scope) -> Expr:
    symbol = scope.globals.symbols.get(name)
    match symbol:
        case TableSymbol(key, table, type_):
            return folded(Lookup(table, check(index, key, scope), type_, span))
        case Cell(_, type_, family) if family is not None:
            return CellRead(name, check(index, family, scope), type_, span)
        case Zone(_, family) if family is not None:
            return ZoneRead(name, check(index, family, scope), SetType(scope.globals.card), span)
        case None:
            raise unknown_name(name, span, scope)
        case _:
            raise Problem("type", span, f"`{name}` takes no index")


def _call(name: str, arguments: tuple[s.Expression, ...], span: Span, scope: Scope) -> Expr:
    symbol = scope.globals.symbols.get(name)
    if isinstance(symbol, Function):
        _count(name, len(symbol.parameters), arguments, span)
        args = tuple(check(a, p.type, scope) for a, p in zip(arguments, symbol.parameters, strict=True))
        return Call(name, args, symbol.type, span)
    if name in ("suit", "rank", "left", "right", "only", "min", "max", "unserved"):
        _count(name, 2 if name in ("min", "max") else 1, arguments, span)
        return _builtin_call(name, arguments, span, scope)
    if symbol is not None or name in scope.locals:
        raise Problem("type", span, f"`{name}` is not a function")
    raise unknown_name(name, span, scope)


def _count(name: str, wanted: int, arguments: tuple[s.Expression, ...], span: Span) -> None:
    if len(arguments) != wanted:
        raise Problem("arguments", span, f"`{name}` takes {wanted} arguments, not {len(arguments)}")


def _builtin_call(name: str, arguments: tuple[s.Expression, ...], span: Span, scope: Scope) -> Expr:
    known = scope.globals
    deck, n = known.deck, known.seats
    match name:
        case "suit":
            table = tuple(deck.suit(c) for c in range(len(deck)))
            return folded(Lookup(table, check(arguments[0], known.card, scope), known.suit, span))
        case "rank":
            table = tuple(deck.rank(c) for c in range(len(deck)))
            return folded(Lookup(table, check(arguments[0], known.card, scope), known.rank, span))
        case "left" | "right":
            step = 1 if name == "left" else n - 1
            table = tuple((i + step) % n for i in range(n))
            return folded(Lookup(table, check(arguments[0], known.seat, scope), known.seat, span))
        case "only":
            group = any_set(arguments[0], scope)
            return folded(Apply("only", (group,), group.type.of, span))  # type: ignore[union-attr]
        case "unserved":
            argument = arguments[0]
            if not isinstance(argument, s.Name) or argument.name not in scope.unserved:
                raise Problem("type", span, "`unserved` takes the variable of a loop around it")
            return scope.unserved[argument.name]
        case _:
            a, b = (number(x, scope) for x in arguments)
            return folded(Apply(name, (a, b), _interval(name, a.type, b.type), span))


def _set_literal(elements: tuple[s.Expression, ...], span: Span, scope: Scope, expected: Type | None) -> Expr:
    of = expected.of if isinstance(expected, SetType) else None
    if not elements:
        if of is None:
            raise Problem("type", span, "an empty set of what?", "use it where a set's type is known")
        return Const(0, SetType(of), span)
    if of is None:  # a literal such as 10 follows its neighbours
        for element in elements:
            if not isinstance(element, s.Number):
                of = _plain(infer(element, scope)).type
                break
    built = [_plain(infer(x, scope, of)) for x in elements]
    type_ = built[0].type
    for b in built[1:]:
        type_ = join(type_, b.type, b.span)
    return folded(Apply("set", tuple(built), SetType(_element_type(type_, span)), span))


# --- operators -------------------------------------------------------------------------------------------------------


def _operation(
    operator: str, operands: tuple[s.Expression, ...], span: Span, scope: Scope, expected: Type | None
) -> Expr:
    match operator:
        case "and" | "or" | "implies" | "not":
            return folded(Apply(operator, tuple(predicate(x, scope) for x in operands), BOOL, span))
        case "==" | "!=":
            return _equality(operator, operands, span, scope)
        case "<" | "<=" | ">" | ">=":
            return folded(Apply(operator, tuple(number(x, scope) for x in operands), BOOL, span))
        case "+" | "-" | "*" | "div" | "mod":
            a, b = (number(x, scope) for x in operands)
            return folded(Apply(operator, (a, b), _interval(operator, a.type, b.type), span))
        case "in" | "not in":
            return _membership(operator, operands, span, scope)
        case "within" | "union" | "intersect" | "without":
            return _set_operation(operator, operands, span, scope, expected)
        case "size":
            group = any_set(operands[0], scope)
            count = len(element_indices(group.type.of))  # type: ignore[union-attr]
            return folded(Apply("size", (group,), RangeType(0, count), span))
        case "is none" | "is some":
            found = infer(operands[0], scope)
            if not isinstance(found.type, OptionalType):
                raise Problem("type", operands[0].span, f"this is never `none`: it is a {found.type}")
            op = "==" if operator == "is none" else "!="
            return folded(Apply(op, (found, Const(None, found.type, span)), BOOL, span))
        case "..":
            return _span_set(operands, span, scope)
        case _:
            raise AssertionError(operator)  # the grammar has no other


def _weak(e: s.Expression) -> bool:
    """A literal whose type comes from its neighbour."""
    return isinstance(e, s.Number | s.Nothing) or (isinstance(e, s.SetLiteral) and all(map(_weak, e.elements)))


def _equality(operator: str, operands: tuple[s.Expression, ...], span: Span, scope: Scope) -> Expr:
    left, right = operands
    ambiguous = isinstance(left, s.Name) and len(scope.globals.items.get(left.name, ())) > 1
    if (_weak(left) or ambiguous) and not _weak(right):
        b = infer(right, scope)
        a = infer(left, scope, b.type)
    else:
        a = infer(left, scope)
        b = infer(right, scope, a.type)
    type_ = join(a.type, b.type, span)
    return folded(Apply(operator, (coerce(a, type_), coerce(b, type_)), BOOL, span))


def _membership(operator: str, operands: tuple[s.Expression, ...], span: Span, scope: Scope) -> Expr:
    if isinstance(operands[1], s.Operation) and operands[1].operator == "..":
        lo, hi = operands[1].operands
        x, low, high = number(operands[0], scope), number(lo, scope), number(hi, scope)
        inside = Apply("and", (Apply("<=", (low, x), BOOL, span), Apply("<=", (x, high), BOOL, span)), BOOL, span)
        return folded(inside if operator == "in" else Apply("not", (inside,), BOOL, span))
    group = any_set(operands[1], scope)
    of = group.type.of  # type: ignore[union-attr]
    element = coerce(_plain(infer(operands[0], scope, of)), of)
    found = Apply("in", (element, group), BOOL, span)
    return folded(found if operator == "in" else Apply("not", (found,), BOOL, span))


def _set_operation(
    operator: str, operands: tuple[s.Expression, ...], span: Span, scope: Scope, expected: Type | None
) -> Expr:
    left, right = operands
    hint = expected if isinstance(expected, SetType) and operator != "within" else None
    if _weak(left) and not _weak(right):
        b = any_set(right, scope, hint)
        a = any_set(left, scope, b.type)
    else:
        a = any_set(left, scope, hint)
        b = any_set(right, scope, a.type)
    type_ = join(a.type, b.type, span)
    return folded(Apply(operator, (a, b), BOOL if operator == "within" else type_, span))


def _span_set(operands: tuple[s.Expression, ...], span: Span, scope: Scope) -> Expr:
    lo, hi = (number(x, scope) for x in operands)
    if isinstance(lo.type, NatType) or isinstance(hi.type, NatType) or hi.type.hi > MAX_SET_SPAN:  # type: ignore[union-attr]
        raise Problem("type", span, f"a set of numbers goes up to {MAX_SET_SPAN} at most")
    type_ = RangeType(lo.type.lo, max(lo.type.lo, hi.type.hi))  # type: ignore[union-attr]
    return folded(Apply("span", (lo, hi), SetType(type_), span))


def _interval(operator: str, a: Type, b: Type) -> Type:
    """The range of the result of an operation on numbers, exactly."""
    if not (isinstance(a, RangeType) and isinstance(b, RangeType)):
        return a if operator in ("div", "-") and isinstance(a, RangeType) else NAT
    match operator:
        case "+":
            return RangeType(a.lo + b.lo, a.hi + b.hi)
        case "-":
            return RangeType(max(0, a.lo - b.hi), max(0, a.hi - b.lo))
        case "*":
            return RangeType(a.lo * b.lo, a.hi * b.hi)
        case "div":
            return RangeType(a.lo // max(1, b.hi), a.hi // max(1, b.lo))
        case "mod":
            return RangeType(0, min(a.hi, max(0, b.hi - 1)))
        case "min":
            return RangeType(min(a.lo, b.lo), min(a.hi, b.hi))
        case "max":
            return RangeType(max(a.lo, b.lo), max(a.hi, b.hi))
        case _:
            raise AssertionError(operator)  # the grammar has no other


# --- forms with a variable -------------------------------------------------------------------------------------------


def _quantified(e: s.Quantified, scope: Scope, expected: Type | None) -> Expr:
    hint = expected if e.word == "those" else None
    domain = any_set(e.domain, scope, hint)
    of: Type = domain.type.of  # type: ignore[union-attr]
    name = _fresh(e.name, scope)
    inner = scope.bind(e.name, Local(name, of), e.span)
    binding = Binding(e.word)
    body = number(e.body, inner) if binding in (Binding.SUM, Binding.TOP) else predicate(e.body, inner)
    match binding:
        case Binding.EVERY | Binding.SOME:
            type_: Type = BOOL
        case Binding.THOSE:
            type_ = domain.type
        case Binding.THE | Binding.TOP:
            type_ = of
        case Binding.SUM:
            type_ = _sum_type(name, of, body)
    return folded(Bind(binding, name, domain, body, type_, e.span))


def _fresh(name: str, scope: Scope) -> str:
    """A variable's name in the core; distinct from those around it."""
    taken = {x.name for x in scope.locals.values() if isinstance(x, Local)}
    while name in taken:
        name += "_"
    return name


def _sum_type(variable: str, of: Type, body: Expr) -> Type:
    """The range of a sum over any subset of ``of``."""
    try:
        terms = [int(fold(body, {variable: i}) or 0) for i in element_indices(of)]
    except (NotClosed, Undefined):
        if isinstance(body.type, NatType):
            return NAT
        terms = [body.type.hi] * len(element_indices(of))  # type: ignore[union-attr]
    return RangeType(0, sum(terms))


def circle(c: s.Circle, scope: Scope) -> Expr:
    """The seat at which a clockwise round begins."""
    return check(c.start, scope.globals.seat, scope)


def _first(e: s.FirstExpression, scope: Scope) -> Expr:
    seat = scope.globals.seat
    domain = check(e.domain, SetType(seat), scope)
    start = circle(e.circle, scope)
    name = _fresh(e.name, scope)
    inner = scope.bind(e.name, Local(name, seat), e.span)
    body = Const(True, BOOL, e.span) if e.body is None else predicate(e.body, inner)
    return First(name, domain, start, e.circle.after, body, seat, e.span)


def _matching(e: s.MatchingExpression, scope: Scope) -> Expr:
    known = scope.globals
    relation = known.symbols.get(e.predicate)
    if not isinstance(relation, Function):
        raise unknown_name(e.predicate, e.span, scope)
    parameter_types = [p.type for p in relation.parameters]
    if parameter_types != [known.card, known.card] or not isinstance(relation.type, BoolType):
        raise Problem("type", e.span, f"`{e.predicate}` is not a predicate of two cards")
    targets, replies = cards(e.targets, scope), cards(e.replies, scope)
    target, reply = _fresh("target", scope), _fresh("reply", scope)
    body = Call(e.predicate, (Local(reply, known.card), Local(target, known.card)), BOOL, e.span)
    return Matching(targets, replies, target, reply, body, BOOL, e.span)


def order_named(name: str, span: Span, scope: Scope) -> Orders:
    found = scope.globals.symbols.get(name)
    if not isinstance(found, Orders):
        names = [n for n, x in scope.globals.symbols.items() if isinstance(x, Orders)]
        raise Problem("unknown-name", span, f"there is no order `{name}`", _did_you_mean(name, names))
    return found


def _place(element: s.Expression, name: str, span: Span, scope: Scope) -> Expr:
    order = order_named(name, span, scope)
    found = coerce(_plain(infer(element, scope, order.of)), order.of)
    length = len(order.items)
    places = {item: length - i for i, item in enumerate(order.items)}
    indices = element_indices(order.of)
    table: tuple[Value, ...] = tuple(places.get(i, 0) for i in range(indices.stop))
    return folded(Lookup(table, found, RangeType(0, length), span))


def _cases(rows: tuple[s.Case, ...], otherwise: s.Expression, span: Span, scope: Scope, expected: Type | None) -> Expr:
    conditions = [predicate(r.condition, scope) for r in rows]
    texts = [*(r.value for r in rows), otherwise]
    hint = expected
    if hint is None:
        strong = next((x for x in texts if not _weak(x)), None)
        hint = infer(strong, scope).type if strong is not None else None
    found = [infer(x, scope, hint) for x in texts]
    type_ = found[0].type
    for v in found[1:]:
        type_ = join(type_, v.type, v.span)
    found = [coerce(v, type_) for v in found]
    result = found[-1]
    for condition, value, row in zip(reversed(conditions), reversed(found[:-1]), reversed(rows), strict=True):
        result = If(condition, value, result, type_, row.span)
    return folded(result)


def first_value(type_: Type) -> Value:
    """The value to which cells without one of their own are set."""
    match type_:
        case BoolType():
            return False
        case OptionalType():
            return None
        case RangeType(lo, _):
            return lo
        case EnumType() | NatType() | SetType() | CardType():
            return 0
        case _:
            return 0
