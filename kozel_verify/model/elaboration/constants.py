"""The deck, the seats, enumerations, constants, tables and orders: all that is fixed before play."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import names_read, place_of_name
from kozel_verify.model.core import Const, Orders
from kozel_verify.model.deck import SUITS, Deck
from kozel_verify.model.elaboration.state import Elaboration
from kozel_verify.model.expressions import constant, element_type, infer, is_number, join
from kozel_verify.model.limits import MAX_SEATS
from kozel_verify.model.program import Program
from kozel_verify.model.scope import ConstantSymbol, Globals, Problem, TableSymbol, TypeSymbol
from kozel_verify.model.types import (
    CardType,
    EnumType,
    RangeType,
    RankType,
    SeatType,
    SetType,
    SuitType,
    Type,
    Value,
    element_indices,
)

_RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
MANY_KEYS = 8  # of a table that are named in a message
_Defined = s.Constant | s.Order
_S = TypeVar("_S", s.DeckOf, s.Seats)


def setting(program: Program, pack: s.Pack | None) -> Globals:
    """The deck and the seats. Without them nothing else has a meaning: raises ``SpecError`` at once."""
    deck = _deck(_stated_once(program, s.DeckOf, "deck", "deck suits ♠, ♥ ranks 6, 10, A"))
    stated = _stated_once(program, s.Seats, "seats", "seats 4")
    count, span = stated.count, stated.span
    if pack is not None and pack.seats is not None:
        count, span = pack.seats, pack.span
    if not 1 <= count <= MAX_SEATS:
        raise SpecError([Diagnostic("seats", span, f"a game has 1 to {MAX_SEATS} seats, not {count}")])
    return Globals(deck, count, (1 << len(deck)) - 1, own=program.units[0].span.file)


def _stated_once(program: Program, kind: type[_S], word: str, example: str) -> _S:
    found = [i for i in program.items if isinstance(i, kind)]
    if not found:
        unit = program.units[0]
        at = place_of_name(unit.name, unit.span)
        raise SpecError([Diagnostic(word, at, f"the game does not state its {word}", f"write `{example}`")])
    if len(found) > 1:
        hint = f"they are stated at {found[0].span}"
        raise SpecError([Diagnostic(word, found[1].span, f"the {word} is stated twice", hint)])
    return found[0]


def _deck(deck: s.DeckOf) -> Deck:
    for given, what in ((deck.suits, "suit"), (deck.ranks, "rank")):
        for n, x in enumerate(given):
            if x in given[:n]:
                raise SpecError([Diagnostic("deck", deck.span, f"the {what} `{x}` is there twice")])
    for rank in deck.ranks:
        if rank not in _RANKS:
            hint = "the ranks are " + " ".join(_RANKS)
            raise SpecError([Diagnostic("deck", deck.span, f"no card has the rank `{rank}`", hint)])
    return Deck(tuple(x for x in SUITS if x in deck.suits), deck.ranks)


# --- enumerations ----------------------------------------------------------------------------------------------------


def enumerations(el: Elaboration) -> None:
    """Named enumerations and those inside options: their items are names."""
    el.each(s.Enumeration, _enumeration)
    el.each(s.Option, _inline_items)


def _enumeration(el: Elaboration, item: s.Enumeration) -> None:
    type_ = EnumType(str(item.name), tuple(map(str, item.items)))
    el.known.broken |= {n for n in type_.items if n not in el.known.symbols}
    el.known.define(str(item.name), TypeSymbol(type_), place_of_name(item.name, item.span))
    el.known.define_items(type_, tuple(place_of_name(n, item.span) for n in item.items))


def _inline_items(el: Elaboration, item: s.Option) -> None:
    if isinstance(item.type, s.InlineEnumeration):
        names = item.type.items
        spans = tuple(place_of_name(n, item.type.span) for n in names)
        el.known.define_items(EnumType("", tuple(map(str, names))), spans)


# --- constants and orders --------------------------------------------------------------------------------------------


def constants(el: Elaboration) -> None:
    """Constants, tables and orders, each after those that it reads. A pack's values take the place of the spec's."""
    items = list(_overridden(el))
    by_name = {str(i.name): i for i in reversed(items)}
    done: set[int] = set()
    for item in items:
        _after_its_needs(el, item, by_name, done)


def _overridden(el: Elaboration) -> Iterator[_Defined]:
    values = {str(a.name): a for a in el.pack.values} if el.pack is not None else {}
    for item in el.program.items:
        if isinstance(item, s.Constant) and item.name in values:
            yield replace(item, value=values[item.name].value)
        elif isinstance(item, s.Constant | s.Order):
            yield item


def _after_its_needs(el: Elaboration, first: _Defined, by_name: dict[str, _Defined], done: set[int]) -> None:
    """Depth first, without recursion: a long chain of constants is no error."""
    path: list[tuple[_Defined, Iterator[str]]] = [(first, _reads(first))]
    on_path = {id(first)}
    while path:
        item, reads = path[-1]
        needed = next((by_name[n] for n in reads if n in by_name and id(by_name[n]) not in done), None)
        if id(item) in done or needed is None:
            path.pop()
            on_path.discard(id(item))
            if id(item) not in done:
                done.add(id(item))
                el.guarded(_define, item)
        elif id(needed) in on_path:
            _report_circle(el, item, [i for i, _ in path], needed)
            done.add(id(item))
        else:
            path.append((needed, _reads(needed)))
            on_path.add(id(needed))


def _report_circle(el: Elaboration, item: _Defined, path: list[_Defined], needed: _Defined) -> None:
    circle = path[[id(i) for i in path].index(id(needed)) :]
    el.known.broken |= {str(i.name) for i in circle}
    names = " needs ".join(f"`{i.name}`" for i in (*circle, needed))
    at = place_of_name(needed.name, needed.span)
    el.problems.note(Diagnostic("circular", at, f"`{needed.name}` is defined by itself", names))


def _reads(item: _Defined) -> Iterator[str]:
    for e in item.items if isinstance(item, s.Order) else (item.value,):
        yield from names_read(e)  # type: ignore[arg-type]


def _define(el: Elaboration, item: _Defined) -> None:
    at = place_of_name(item.name, item.span)
    name = str(item.name)
    if isinstance(item, s.Order):
        el.known.define(name, _order(el, item), at)
    elif isinstance(item.value, s.Table):
        el.known.define(name, _table(el, item.value), at)
    else:
        found = constant(item.value, el.scope)
        el.known.define(name, ConstantSymbol(found.value, found.type), at)


def _order(el: Elaboration, item: s.Order) -> Orders:
    of = _common_type(el, item.items, item.span)
    if is_number(of):
        of = el.known.rank  # an order of `10 > 9 > 8` is one of ranks: numbers have an order already
    if isinstance(of, SetType) or not _has_elements(of):
        hint = "an order lists cards, ranks, suits, seats or items of an enumeration"
        raise Problem("order", item.items[0].span, f"there is no order of values of {of}", hint)
    found: list[int] = []
    for x in item.items:
        element = int(constant(x, el.scope, of).value or 0)
        if element in found:
            raise Problem("order", x.span, f"this is in `{item.name}` twice", "name each only once")
        found.append(element)
    return Orders(str(item.name), of, tuple(found))


def _has_elements(of: Type) -> bool:
    try:
        element_indices(of)
    except TypeError:
        return False
    return True


def _common_type(el: Elaboration, texts: tuple[s.Expression, ...], span: Span) -> Type:
    """The type of a list's elements; numbers beside ranks are ranks."""
    types = [(infer(x, el.scope).type, x.span) for x in texts]
    for type_, _ in types:
        if not is_number(type_):
            return type_
    joined = types[0][0]
    for type_, at in types[1:]:
        joined = join(joined, type_, at)
    return joined


def _table(el: Elaboration, table: s.Table) -> TableSymbol:
    key = element_type(_common_type(el, tuple(e.key for e in table.entries), table.span), table.span)
    given = _entries(el, table, key)
    other = None if table.otherwise is None else constant(table.otherwise, el.scope)
    indices = element_indices(key)
    missing = [i for i in indices if i not in given]
    if missing and other is None:
        raise Problem("table", table.span, _missing(el, missing, key), "add `else` with a value, or an entry for each")
    values = [*given.values(), *([other] if other is not None else [])]
    type_ = values[0].type
    for c in values[1:]:
        type_ = join(type_, c.type, c.span)
    rest = other.value if other is not None else None
    rows: list[Value] = [given[i].value if i in given else rest for i in range(indices.stop)]
    low = [i for i in range(indices.start) if i not in given]
    if low and other is not None and isinstance(key, RangeType):
        key = RangeType(0, key.hi)
    elif low:  # no key below the first is ever looked up: the front end compares the ranges
        rows[: indices.start] = [values[0].value] * indices.start
    return TableSymbol(key, tuple(rows), type_, rest)


def _missing(el: Elaboration, missing: list[int], key: Type) -> str:
    names = [f"`{_key_name(el, i, key)}`" for i in missing[:MANY_KEYS]]
    rest = f" and {len(missing) - MANY_KEYS} more" if len(missing) > MANY_KEYS else ""
    return f"{', '.join(names)}{rest} {'has' if len(missing) == 1 else 'have'} no value"


def _key_name(el: Elaboration, index: int, key: Type) -> str:
    deck = el.known.deck
    match key:
        case CardType():
            return deck.name(index)
        case SuitType():
            return deck.suits[index]
        case RankType():
            return deck.ranks[index]
        case SeatType():
            return f"seat {index + 1}"
        case EnumType(_, items):
            return items[index]
        case _:
            return str(index)


def _entries(el: Elaboration, table: s.Table, key: Type) -> dict[int, Const]:
    given: dict[int, Const] = {}
    for e in table.entries:
        index = int(constant(e.key, el.scope, key).value or 0)
        if index in given:
            raise Problem("table", e.key.span, "this key is there twice", "give each key one value")
        given[index] = constant(e.value, el.scope)
    return given
