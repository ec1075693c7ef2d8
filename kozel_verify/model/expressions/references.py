"""What is named: variables, constants, options, cells, zones, functions, items of enumerations, built-in words."""

from dataclasses import replace

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean, truth_meant
from kozel_verify.model.core import (
    Apply,
    Call,
    Cell,
    CellRead,
    Const,
    Expr,
    Function,
    If,
    Local,
    Lookup,
    Old,
    OptionDecl,
    OptionRead,
    Orders,
    Revealed,
    Zone,
    ZoneRead,
)
from kozel_verify.model.expressions.checking import any_set, check, infer, number, passed, rule
from kozel_verify.model.expressions.coercion import described, element_of, holds, inner
from kozel_verify.model.expressions.intervals import interval
from kozel_verify.model.expressions.literals import number_literal, suit_literal
from kozel_verify.model.expressions.type_names import element_type, named_type
from kozel_verify.model.fold import folded
from kozel_verify.model.scope import (
    BUILTIN_FUNCTIONS,
    OUTCOMES,
    SUIT_WORDS,
    ConstantSymbol,
    Problem,
    Scope,
    TableSymbol,
    TypeSymbol,
    unknown_name,
)
from kozel_verify.model.types import BOOL, EnumType, RangeType, RankType, SetType, Type, full_set

_SETS_OF_ALL = ("Seat", "Suit", "Rank", "Card", "Outcome")


@rule(s.Name)
def _name(e: s.Name, scope: Scope, expected: Type | None) -> Expr:
    name, span, known = str(e.name), e.span, scope.globals
    if name in scope.locals:
        return replace(scope.locals[name], span=span)
    if name in OUTCOMES.items and inner(expected) == OUTCOMES:
        return Const(OUTCOMES.items.index(name), OUTCOMES, span)
    if name in known.items:
        return _enum_item(name, span, scope, expected)
    symbol = known.symbols.get(name)
    match symbol:
        case ConstantSymbol(value, type_):
            if isinstance(inner(expected), RankType) and isinstance(type_, RangeType):
                return number_literal(int(value or 0), span, scope, expected)
            return Const(value, type_, span)
        case TypeSymbol(type_):
            return Const(full_set(element_type(type_, span)), SetType(type_), span)
        case OptionDecl(_, type_):
            return OptionRead(name, type_, span)
        case Cell(_, type_, None):
            return CellRead(name, None, type_, span)
        case Zone(_, None):
            return ZoneRead(name, None, SetType(known.card), span)
        case Function(_, (), _, type_):
            return Call(name, (), type_, span)
        case None:
            builtin = _builtin_name(name, span, scope)
            if builtin is None:
                raise _unknown(name, span, scope, expected)
            return builtin
        case _:
            raise _incomplete(name, symbol, span)


def _unknown(name: str, span: Span, scope: Scope, expected: Type | None) -> Problem:
    """Where an item of an enumeration is wanted, the hint names the items; where a truth value is, that one."""
    problem = unknown_name(name, span, scope)
    wanted = inner(expected)
    if problem.silent or problem.diagnostic.code not in ("unknown-name", "not-constant"):
        return problem
    if wanted in (None, BOOL) and (meant := truth_meant(name)):
        return Problem("unknown-name", span, problem.diagnostic.message, meant)
    if not isinstance(wanted, EnumType) or problem.diagnostic.code != "unknown-name":
        return problem
    hint = did_you_mean(name, wanted.items) or "its items are " + ", ".join(f"`{n}`" for n in wanted.items)
    return Problem("unknown-name", span, f"`{name}` is not in {wanted}", hint)


def _incomplete(name: str, symbol: object, span: Span) -> Problem:
    if isinstance(symbol, Function):
        return Problem("type", span, f"`{name}` needs its arguments", f"write `{name}(…)`")
    if isinstance(symbol, Orders):
        return Problem("type", span, f"`{name}` is an order", f"write `place of x in {name}` or `x above y in {name}`")
    return Problem("type", span, f"`{name}` needs an index", f"write `{name}[…]`")


def _builtin_name(name: str, span: Span, scope: Scope) -> Expr | None:
    known = scope.globals
    if name in SUIT_WORDS:
        return suit_literal(SUIT_WORDS[name], span, scope)
    if name in _SETS_OF_ALL:
        type_ = named_type(name, span, scope)
        return Const(full_set(type_), SetType(type_), span)
    match name:
        case "pack":
            return Const(known.pack, SetType(known.card), span)
        case "all":
            return Const(full_set(known.seat), SetType(known.seat), span)
        case "nobody":
            return Const(0, SetType(known.seat), span)
        case _:
            return None


def _enum_item(name: str, span: Span, scope: Scope, expected: Type | None) -> Expr:
    choices = scope.globals.items[name]
    wanted = inner(expected)
    fitting = [c for c in choices if c[0] == wanted] or choices
    if len(fitting) > 1:
        owners = ", ".join(f"`{t}`" for t, _ in fitting)
        hint = f"it is in {owners}; write it beside a value of its type, or rename one of the items"
        raise Problem("ambiguous", span, f"`{name}` belongs to several enumerations", hint)
    type_, index = fitting[0]
    return Const(index, type_, span)


@rule(s.OldExpression)
def _old(e: s.OldExpression, scope: Scope, expected: Type | None) -> Expr:
    if scope.past:
        raise Problem("old", e.span, "this is about the state before the step already", "write `old` once")
    if scope.before is None:
        hint = "`old(…)` stands in the statement of a `step` only"
        raise Problem("old", e.span, "there is no step here that something could be before", hint)
    inner = infer(e.value, scope.before, expected)
    return inner if isinstance(inner, Const) else Old(inner, inner.type, e.span)


@rule(s.ShownExpression)
def _shown(e: s.ShownExpression, scope: Scope, expected: Type | None) -> Expr:
    if scope.past or scope.before is None:
        message = "there is no step here that could show anything"
        raise Problem("old", e.span, message, "`shown(…)` stands in the statement of a `step` only, outside of `old`")
    seat = check(e.seat, scope.globals.seat, scope)
    return Revealed(seat, SetType(scope.globals.card), e.span)


@rule(s.Indexed)
def _indexed(e: s.Indexed, scope: Scope, expected: Type | None) -> Expr:
    name, span, symbol = str(e.name), e.span, scope.globals.symbols.get(e.name)
    match symbol:
        case TableSymbol():
            return _entry(e, symbol, scope)
        case Cell(_, type_, family) if family is not None:
            return CellRead(name, check(e.index, family, scope), type_, span)
        case Zone(_, family) if family is not None:
            return ZoneRead(name, check(e.index, family, scope), SetType(scope.globals.card), span)
        case None if name not in scope.locals and name not in scope.globals.items:
            raise unknown_name(name, place_of_name(e.name, span), scope)
        case Function():
            raise Problem("type", span, f"`{name}` takes no index", f"write `{name}(…)`")
        case _:
            raise Problem("type", span, f"`{name}` takes no index", f"write `{name}`")


def _entry(e: s.Indexed, symbol: TableSymbol, scope: Scope) -> Expr:
    """The entry of a table. A number beyond the table's keys gets the value after `else`."""
    key = check(e.index, symbol.key, scope)
    found = folded(Lookup(symbol.table, key, symbol.type, e.span))
    if holds(symbol.key, key.type):
        return found
    if symbol.otherwise is None:
        hint = "add `else` to the table, or an entry for each"
        raise Problem("range", e.index.span, f"the table has keys {symbol.key}, this is {described(key.type)}", hint)
    last = len(symbol.table) - 1
    inside = folded(Apply("<=", (key, Const(last, RangeType(last, last), e.span)), BOOL, e.span))
    other = Const(symbol.otherwise, symbol.type, e.span)
    return folded(If(inside, Lookup(symbol.table, key, symbol.type, e.span), other, symbol.type, e.span))


@rule(s.CallExpression)
def _call(e: s.CallExpression, scope: Scope, expected: Type | None) -> Expr:
    name, span, symbol = str(e.name), e.span, scope.globals.symbols.get(e.name)
    at = place_of_name(e.name, span)
    if isinstance(symbol, Function):
        require_arguments(name, len(symbol.parameters), len(e.arguments), span)
        pairs = zip(e.arguments, symbol.parameters, strict=True)
        return Call(name, tuple(passed(a, p.type, scope, f"`{name}`") for a, p in pairs), symbol.type, span)
    if name in BUILTIN_FUNCTIONS:
        require_arguments(name, BUILTIN_FUNCTIONS[name], len(e.arguments), span)
        return _builtin_call(name, e.arguments, span, scope)
    if symbol is not None or name in scope.locals or name in scope.globals.items:
        hint = f"write `{name}[…]`" if isinstance(symbol, Cell | Zone | TableSymbol) else f"write `{name}`"
        raise Problem("type", at, f"`{name}` is not a function", hint)
    error = unknown_name(name, at, scope)
    if not error.silent and error.diagnostic.hint == "":
        functions = [n for n, x in scope.globals.symbols.items() if isinstance(x, Function)]
        hint = did_you_mean(name, [*functions, *BUILTIN_FUNCTIONS])
        return _raise(Problem("unknown-name", at, error.diagnostic.message, hint))
    raise error


def _raise(problem: Problem) -> Expr:
    raise problem


def require_arguments(name: str, wanted: int, given: int, span: Span) -> None:
    """Raises ``Problem`` when a function, verb or procedure gets a wrong number of arguments."""
    if wanted != given:
        noun = "argument" if wanted == 1 else "arguments"
        raise Problem("arguments", span, f"`{name}` takes {wanted} {noun}, not {given}", "give one for each parameter")


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
            return folded(Apply("only", (group,), element_of(group), span))
        case "unserved":
            argument = arguments[0]
            if not isinstance(argument, s.Name) or argument.name not in scope.unserved:
                loops = ", ".join(f"`{n}`" for n in scope.unserved) or "none"
                hint = f"the loops around it that ask or draw have the variables: {loops}"
                raise Problem("type", span, "`unserved` takes the variable of a loop around it", hint)
            return replace(scope.unserved[argument.name], span=span)
        case "viewers":
            return _viewers(arguments[0], span, scope)
        case "heard":
            return _heard(check(arguments[0], known.seat, scope), span, scope)
        case _:
            a, b = (number(x, scope) for x in arguments)
            return folded(Apply(name, (a, b), interval(name, a.type, b.type), span))


def _viewers(of: s.Expression, span: Span, scope: Scope) -> Expr:
    """The set of seats that see the faces in a zone, or a cell's value. For a family it is the call of a function of
    the index, which is made here: the name has a point in it, so no spec has it."""
    known = scope.globals
    if known.functions is None:
        raise Problem("type", span, "the rules cannot ask who sees something", "`viewers(…)` stands in properties only")
    name = str(of.name) if isinstance(of, s.Name | s.Indexed) else ""
    symbol = known.symbols.get(name)
    if not isinstance(symbol, Cell | Zone):
        seen = [n for n, x in known.symbols.items() if isinstance(x, Cell | Zone)]
        hint = did_you_mean(name, seen) or "write `viewers(hand[s])`, say"
        raise Problem("type", of.span, "`viewers` takes a zone or a cell", hint)
    read = infer(of, scope)  # that it may be named here, with this index
    seats, variable, family = symbol.seen.seats, symbol.seen.variable, symbol.index
    index = read.index if isinstance(read, CellRead | ZoneRead) else None
    if index is None or family is None or not variable or isinstance(seats, Const):
        return replace(seats, span=span)
    made = known.functions.setdefault(
        f"viewers.{name}", Function(f"viewers.{name}", (Local(variable, family, span),), seats, seats.type, span)
    )
    return Call(made.name, (index,), seats.type, span)


def _heard(seat: Expr, span: Span, scope: Scope) -> Expr:
    """Has the seat been told which choice the step begins with? Nobody has where nothing is chosen."""
    if scope.past or scope.before is None:
        message = "there is no step here that anybody could hear of"
        raise Problem("old", span, message, "`heard(…)` stands in the statement of a `step` only, outside of `old`")
    if scope.asked is None or not scope.asked.secret:
        return Const(scope.asked is not None, BOOL, span)
    return Apply("==", (seat, Old(scope.asked.seat, seat.type, span)), BOOL, span)
