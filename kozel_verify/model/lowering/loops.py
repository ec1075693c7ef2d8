"""Loops: unrolled where nothing is asked or drawn, else with their place in generated cells."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Branch,
    CellKind,
    CellRead,
    Const,
    Expr,
    First,
    Jump,
    Local,
    Lookup,
)
from kozel_verify.model.expressions import any_set, circle, element_of, predicate
from kozel_verify.model.fold import folded
from kozel_verify.model.scope import Problem, Scope
from kozel_verify.model.types import (
    BOOL,
    EnumType,
    RangeType,
    SeatType,
    SetType,
    SuitType,
    Type,
    element_indices,
    members,
)

if TYPE_CHECKING:
    from kozel_verify.model.lowering.statements import Lowering


def repeat(low: Lowering, r: s.Repeat, scope: Scope) -> None:
    head, exit_ = low.new_block(), low.new_block()
    low.close(Jump(head))
    low.current = head
    low.block(r.block, scope)
    until = predicate(r.until, scope)
    comes_back = low.current is not None
    low.close(Branch(until, exit_, head, r.until.span))
    low.current = exit_ if comes_back else None


def while_(low: Lowering, w: s.While, scope: Scope) -> None:
    condition = predicate(w.condition, scope)
    head, body, exit_ = low.new_block(), low.new_block(), low.new_block()
    low.close(Jump(head))
    low.current = head
    low.close(Branch(condition, body, exit_, w.condition.span))
    low.current = body
    low.block(w.block, scope)
    low.close(Jump(head))
    low.current = exit_


def loop_cells(low: Lowering, name: str, of: Type, span: Span) -> tuple[CellRead, CellRead]:
    """A loop's variable, and what is left of its domain."""
    variable = low.new_cell(name, of, CellKind.LOOP, span)
    rest = low.new_cell(f"{name}_unserved", SetType(of), CellKind.LOOP, span)
    return variable, rest


def lowest(rest: CellRead, of: Type, span: Span) -> Expr:
    """The first element of a set in canonical order; undefined for the empty set."""
    indices = element_indices(of)
    table: tuple[int, ...] = tuple(indices.stop - i for i in range(indices.stop))
    key = Lookup(table, Local("element", of, span), RangeType(1, indices.stop), span)
    return Bind(Binding.TOP, "element", rest, key, of, span)


def loop(
    low: Lowering, variable: CellRead, rest: CellRead, following: Expr, body: Callable[[], object], span: Span
) -> None:
    """Take the next element out of ``rest``, run the body, until ``rest`` is empty.

    It begins with an element: a loop that asks or draws is not well defined for an empty domain. So there is a
    decision in every round of every loop, also where loops are nested.
    """
    head, exit_ = low.new_block(), low.new_block()
    low.close(Jump(head))
    low.current = head
    low.assign(variable, following, span)
    taken = Apply("set", (variable,), rest.type, span)
    low.assign(rest, Apply("without", (rest, taken), rest.type, span), span)
    body()
    comes_back = low.current is not None
    empty = Apply("==", (rest, Const(0, rest.type, span)), BOOL, span)
    low.close(Branch(empty, exit_, head, span))
    low.current = exit_ if comes_back else None


def for_each(low: Lowering, f: s.ForEach, scope: Scope) -> None:
    domain = any_set(f.domain, scope)
    low.shapes(domain)
    of = element_of(domain)
    if not isinstance(of, RangeType | EnumType | SeatType | SuitType):
        hint = "the order of cards or ranks would be an unwritten rule; say what is to be done with a quantifier"
        raise Problem("loop-domain", f.domain.span, f"a loop cannot run over values of {of}", hint)
    start = None if f.circle is None else circle(f.circle, scope)
    if start is not None and not isinstance(of, SeatType):
        raise Problem("loop-domain", f.domain.span, "only seats go clockwise", "take the `clockwise` out")
    scope.bind(f.name, Const(0, of), place_of_name(f.name, f.span))  # a clash is found before anything is made
    if waits(low, f.block):
        _waiting_loop(low, f, domain, of, start, scope)
    elif start is None:
        _unrolled_loop(low, f, domain, of, scope)
    else:
        _unrolled_circle(low, f, domain, start, scope)


def _waiting_loop(low: Lowering, f: s.ForEach, domain: Expr, of: Type, start: Expr | None, scope: Scope) -> None:
    start = None if start is None else low.settled(f"{f.name}_start", start, f.span)
    variable, rest = loop_cells(low, f.name, of, f.span)
    low.assign(rest, domain, f.span)
    if start is None or f.circle is None:
        following: Expr = lowest(rest, of, f.span)
    else:
        always = Const(True, BOOL, f.span)
        following = First(str(f.name), rest, start, f.circle.after, always, of, f.span)
    inside = scope.bind_loop(f.name, variable, rest, f.span)
    loop(low, variable, rest, following, lambda: low.block(f.block, inside), f.span)


def _unrolled_loop(low: Lowering, f: s.ForEach, domain: Expr, of: Type, scope: Scope) -> None:
    if isinstance(domain, Const):
        for i in members(int(domain.value or 0)):
            if low.current is None:
                return
            low.work.spend(f.span)
            low.block(f.block, scope.bind(f.name, Const(i, of, f.span), f.span))
        return
    snapshot = low.settled(f.name, domain, f.span)
    for i in element_indices(of):
        if low.current is None:
            return
        low.work.spend(f.span)
        element = Const(i, of, f.span)
        inside = Apply("in", (element, snapshot), BOOL, f.span)
        low.if_(inside, f.block, None, scope.bind(f.name, element, f.span), f.span)


def _unrolled_circle(low: Lowering, f: s.ForEach, domain: Expr, start: Expr, scope: Scope) -> None:
    n, seat = low.known.seats, low.known.seat
    start = low.settled(f"{f.name}_start", start, f.span)
    snapshot = low.settled(f"{f.name}_domain", domain, f.span)
    offset = 1 if f.circle is not None and f.circle.after else 0
    for step in range(n):
        if low.current is None:
            return
        table = tuple((i + step + offset) % n for i in range(n))
        turn = folded(Lookup(table, start, seat, f.span))
        here = low.settled(f.name, turn, f.span)
        inside = folded(Apply("in", (here, snapshot), BOOL, f.span))
        low.if_(inside, f.block, None, scope.bind(f.name, here, f.span), f.span)


def waits(low: Lowering, block: s.BlockOf) -> bool:
    """Does anything in the block ask or draw (so that it cannot be unrolled)?"""
    return any(_waits(low, x) for x in block.statements)


def _waits(low: Lowering, statement: s.Statement) -> bool:
    match statement:
        case s.AskSeat() | s.DrawCards():
            return True
        case s.Run(name) if name in low.procedures:
            if name not in low.waiting:
                low.waiting[str(name)] = False  # while it is looked into: a procedure that runs itself adds nothing
                low.waiting[str(name)] = waits(low, low.procedures[name].block)
            return low.waiting[name]
        case s.IfElse(_, then, otherwise):
            return waits(low, then) or (otherwise is not None and waits(low, otherwise))
        case s.ForEach() | s.Repeat() | s.While():
            return waits(low, statement.block)
        case _:
            return False
