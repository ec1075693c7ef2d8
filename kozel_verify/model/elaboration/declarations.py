"""Options, cells, zones, functions, and who sees what."""

from dataclasses import replace

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Cell, CellKind, Const, Function, Local, OptionDecl, Visibility, Zone, slot_count
from kozel_verify.model.elaboration.state import Elaboration
from kozel_verify.model.expressions import (
    check,
    constant,
    described,
    element_type,
    first_value,
    holds,
    predicate,
    seats,
    type_of,
)
from kozel_verify.model.limits import MAX_OPTION_VALUES, MAX_SLOTS
from kozel_verify.model.scope import Problem
from kozel_verify.model.types import BOOL, SetType, Type, Value, cardinality, full_set, values


def declarations(el: Elaboration) -> None:
    """All of them: first what the names are, then what is said about them."""
    el.each(s.Option, _option)
    el.each(s.StateOf, _cell)
    el.each(s.ZoneOf, _zone)
    el.each(s.FunctionOf, _function)
    el.each(s.StateOf, _visibility)
    el.each(s.ZoneOf, _visibility)
    el.each(s.FunctionOf, _function_body)
    el.each(s.Constraint, _constraint)


def _default(el: Elaboration, item: s.Option, type_: Type) -> Value:
    """The default; where it is at fault, as on a smaller table that lacks the seat that it names, the first value."""
    try:
        return constant(item.default, el.scope, type_).value
    except Problem as problem:
        if el.pack is None:  # the name and the type are good: go on with them
            el.problems.add(problem)
        return next(iter(values(type_)))


def _option(el: Elaboration, item: s.Option) -> None:
    type_ = type_of(item.type, el.scope, inline=True)
    count = cardinality(type_)
    if count is None or count > MAX_OPTION_VALUES:
        many = "no bound" if count is None else f"{count:,}"
        message = f"an option has at most {MAX_OPTION_VALUES} values, this one has {many}"
        raise Problem("option", item.type.span, message, "give it a smaller range, or an enumeration")
    default = _default(el, item, type_)
    texts = {str(t.language): t.text for t in item.texts}
    option = OptionDecl(str(item.name), type_, tuple(values(type_)), default, False, texts, item.span)
    el.known.define(option.name, option, place_of_name(item.name, item.span))
    el.options[option.name] = option


def _constraint(el: Elaboration, item: s.Constraint) -> None:
    el.constraints.append(predicate(item.condition, el.scope))


def _family(el: Elaboration, family: s.Family | None) -> Type | None:
    return None if family is None else element_type(type_of(family.type, el.scope), family.type.span)


def _base(slots: int, index: Type | None, at: Span) -> int:
    if slots + slot_count(index) > MAX_SLOTS:
        raise Problem("too-large", at, f"a game has at most {MAX_SLOTS:,} slots of this kind", "use smaller indices")
    return slots


def _cell(el: Elaboration, item: s.StateOf) -> None:
    at = place_of_name(item.name, item.span)
    type_ = type_of(item.type, el.scope)
    index = _family(el, item.family)
    try:
        initial = constant(item.initial, el.scope, type_).value
    except Problem as problem:  # the name and the type are good: go on with them
        el.problems.add(problem)
        initial = first_value(type_)
    base = _base(sum(slot_count(c.index) for c in el.cells.values()), index, at)
    everybody = Const(full_set(el.known.seat), SetType(el.known.seat))
    seen = Visibility("", everybody)  # the expression is elaborated when all names are known
    cell = Cell(str(item.name), type_, index, initial, seen, CellKind.DECLARED, base, item.span)
    el.known.define(cell.name, cell, at)
    el.cells[cell.name] = cell
    if item.fresh is not None:
        el.fresh.setdefault(str(item.fresh), []).append(cell.name)
        el.fresh_spans.setdefault(str(item.fresh), place_of_name(item.fresh, item.span))


def _zone(el: Elaboration, item: s.ZoneOf) -> None:
    at = place_of_name(item.name, item.span)
    index = _family(el, item.family)
    base = _base(sum(slot_count(z.index) for z in el.zones.values()), index, at)
    nobody = Visibility("", Const(0, SetType(el.known.seat)))
    zone = Zone(str(item.name), index, nobody, base, item.span)
    el.known.define(zone.name, zone, at)
    el.zones[zone.name] = zone


def _visibility(el: Elaboration, item: s.StateOf | s.ZoneOf) -> None:
    """Who sees a cell or zone; the expression may name the index."""
    name = str(item.name)
    symbol = el.known.symbols.get(name)
    if item.seen is None or not isinstance(symbol, Cell | Zone) or symbol.span != item.span:
        return
    scope, variable = el.scope, ""
    if item.family is not None and symbol.index is not None:
        variable = str(item.family.name)
        at = place_of_name(item.family.name, item.family.span)
        scope = scope.bind(variable, Local(variable, symbol.index), at)
    seen = Visibility(variable, seats(item.seen, scope))
    if isinstance(symbol, Zone):
        el.known.symbols[name] = el.zones[name] = replace(symbol, seen=seen)
    else:
        el.known.symbols[name] = el.cells[name] = replace(symbol, seen=seen)


def _function(el: Elaboration, item: s.FunctionOf) -> None:
    """The function's name and signature; its body comes later."""
    parameters: list[Local] = []
    for p in item.parameters:
        if any(p.name == q.name for q in parameters):
            at = place_of_name(p.name, p.span)
            raise Problem("clash", at, f"`{item.name}` has the parameter `{p.name}` twice", "name each differently")
        parameters.append(Local(str(p.name), type_of(p.type, el.scope), p.span))
    type_ = BOOL if item.type is None else type_of(item.type, el.scope)
    function = Function(str(item.name), tuple(parameters), Const(False, BOOL), type_, item.span)
    el.known.define(function.name, function, place_of_name(item.name, item.span))
    el.functions[function.name] = function


def _function_body(el: Elaboration, item: s.FunctionOf) -> None:
    function = el.functions.get(item.name)
    if function is None or function.span != item.span:
        return  # its declaration is at fault
    scope = el.scope
    for p, written in zip(function.parameters, item.parameters, strict=True):
        scope = scope.bind(p.name, p, place_of_name(written.name, written.span))
    body = check(item.body, function.type, scope)
    if not holds(function.type, body.type):
        hint = f"promise `Nat`, or a range that holds {body.type}"
        message = f"this is {described(body.type)}, but `{item.name}` promises {function.type}"
        raise Problem("range", item.body.span, message, hint)
    el.known.symbols[function.name] = el.functions[function.name] = replace(function, body=body)


def packs(el: Elaboration) -> None:
    """The smaller packs, as far as they can be checked without playing on them. They have a namespace of their own."""
    seen: set[str] = set()
    for pack in el.items(s.Pack):
        if pack.name in seen:
            at = place_of_name(pack.name, pack.span)
            el.problems.note(Diagnostic("clash", at, f"there are two packs `{pack.name}`", "name each differently"))
        seen.add(str(pack.name))
        if pack.cards is not None:
            try:
                pack_cards(el, pack.cards)
            except Problem as problem:
                el.problems.add(problem)
        _pack_values(el, pack)


def pack_cards(el: Elaboration, cards: s.Expression) -> int:
    """The cards of a pack, as a set. Raises ``Problem``."""
    mask = int(constant(cards, el.scope, SetType(el.known.card)).value or 0)
    if not mask:
        raise Problem("pack", cards.span, "a pack has at least one card", "name some cards")
    return mask


def _pack_values(el: Elaboration, pack: s.Pack) -> None:
    constants = [str(i.name) for i in el.items(s.Constant)]
    names = [str(a.name) for a in pack.values]
    for n, a in enumerate(pack.values):
        at = place_of_name(a.name, a.span)
        if a.name in names[:n]:
            el.problems.note(Diagnostic("clash", at, f"`{a.name}` is there twice", "give each one value"))
        if a.name not in constants:
            hint = did_you_mean(a.name, constants)
            el.problems.note(Diagnostic("unknown-name", at, f"there is no constant `{a.name}`", hint))
