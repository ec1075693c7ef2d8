"""Where play waits: seats that are asked, cards that are drawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kozel_verify.language import syntax as s
from kozel_verify.language.syntax import place_of_name
from kozel_verify.model.core import (
    Apply,
    Arrive,
    Ask,
    CellKind,
    Const,
    Draw,
    Expr,
    Jump,
    Local,
    Parameter,
    Verb,
)
from kozel_verify.model.expressions import any_set, check, element_of, element_type, number, predicate
from kozel_verify.model.fold import folded
from kozel_verify.model.lowering import loops
from kozel_verify.model.scope import Problem, Scope
from kozel_verify.model.types import BOOL, RangeType, SetType

if TYPE_CHECKING:
    from kozel_verify.model.lowering.statements import Lowering


def draw(low: Lowering, d: s.DrawCards, scope: Scope) -> Scope:
    """`draw N`: one node, come to N times. The scope after it has the card's name, if any."""
    count = number(d.count, scope)
    low.shapes(count)
    if isinstance(count, Const) and count.value == 1:
        return _draw_one(low, d, scope)
    if isinstance(count, Const) and count.value == 0:
        raise Problem("draw", d.count.span, "no card is drawn by `draw 0`", "take the statement out")
    if d.name is not None:
        hint = "draw the cards one by one"
        raise Problem("draw", place_of_name(d.name, d.span), "`as` names the card of `draw 1`", hint)
    if not isinstance(count.type, RangeType):
        hint = "bound it with `min`"
        raise Problem("draw", d.count.span, "a draw needs a bound on its number of cards", hint)
    of = element_type(RangeType(1, max(1, count.type.hi)), d.count.span)
    one = Const(1, RangeType(1, 1), d.span)
    domain = folded(Apply("span", (one, count), SetType(of), d.span))
    variable, rest = loops.loop_cells(low, "draw_left", of, d.span)
    low.assign(rest, domain, d.span)
    loops.loop(low, variable, rest, loops.lowest(rest, of, d.span), lambda: _draw_one(low, d, scope), d.span)
    return scope


def _draw_one(low: Lowering, d: s.DrawCards, scope: Scope) -> Scope:
    source, target = low.zone(d.source, scope), low.zone(d.target, scope)
    inside, cell = scope, None
    if d.name is not None:
        card = low.known.card
        scope.bind(d.name, Const(0, card), place_of_name(d.name, d.span))  # a clash is found before a cell is made
        cell = low.new_cell(d.name, card, CellKind.LET, d.span)
        inside = scope.bind(d.name, cell, d.span)
    node, name = low.new_node(str(d.node or "draw"), scope)
    low.close(Arrive(node))
    after = low.new_block()
    low.nodes[node] = Draw(name, source, target, None if cell is None else cell.cell, after, d.span)
    low.current = after
    return inside


def ask(low: Lowering, a: s.AskSeat, scope: Scope) -> None:
    """`ask`: a node with its verbs. Errors of the seat and of each verb are reported apart."""
    try:
        seat: Expr = check(a.seat, low.known.seat, scope)
    except Problem as problem:
        low.report(problem)
        seat = Const(0, low.known.seat, a.seat.span)
    node, name = low.new_node(str(a.node), scope)
    low.close(Arrive(node))
    join = low.new_block()
    verbs: list[Verb] = []
    came = False
    for v in a.verbs:
        if any(v.name == earlier.name for earlier in verbs):
            at = place_of_name(v.name, v.span)
            low.report(Problem("clash", at, f"`{v.name}` is there twice", "give each verb its own name"))
        verb, returns = _verb(low, v, name, scope, join)
        verbs.append(verb)
        came = came or returns
    low.nodes[node] = Ask(name, seat, a.secret, tuple(verbs), a.span)
    low.current = join if came else None


def _verb(low: Lowering, v: s.VerbOf, node: str, scope: Scope, join: int) -> tuple[Verb, bool]:
    """A verb, and whether play goes on after the `ask` when it has been chosen."""
    path, inside, body_scope = low.path, scope, scope
    parameters: list[Parameter] = []
    guard: Expr = Const(True, BOOL, v.span)
    try:
        for b in v.bindings:
            at = place_of_name(b.name, b.span)
            parameter = binding_parameter(b, inside)
            inside = inside.bind(b.name, Local(str(b.name), parameter.type, b.span), at)
            low.path = (*path, node.rsplit(".", 1)[-1], str(v.name))
            cell = low.new_cell(b.name, parameter.type, CellKind.CHOICE, b.span)
            low.path = path
            parameters.append(replace(parameter, cell=cell.cell))
            body_scope = body_scope.bind(b.name, cell, at)
        if v.guard is not None:
            guard = predicate(v.guard, inside)
    except Problem as problem:
        low.report(problem)
        for b in v.bindings[len(parameters) :]:
            body_scope = body_scope.without(b.name)
    start = low.new_block()
    low.current = start
    low.block(v.block, body_scope)
    returns = low.current is not None
    low.close(Jump(join))
    return Verb(str(v.name), tuple(parameters), guard, start, v.span), returns


def binding_parameter(b: s.BindingOf, scope: Scope) -> Parameter:
    """A choice's or lemma's parameter, without its cell. Raises ``Problem``."""
    domain = any_set(b.domain, scope)
    name = str(b.name)
    if b.size is None:
        return Parameter(name, "", domain, None, None, element_of(domain), b.span)
    lo, hi = _bounds(b.size, scope)
    if isinstance(lo, Const) and isinstance(hi, Const) and int(lo.value or 0) > int(hi.value or 0):
        raise Problem("type", b.size.span, "these bounds leave no size", "write the smaller number first")
    return Parameter(name, "", domain, lo, hi, domain.type, b.span)


def _bounds(size: s.Expression, scope: Scope) -> tuple[Expr, Expr]:
    if isinstance(size, s.Operation) and size.operator == "..":
        lo, hi = (number(x, scope) for x in size.operands)
        return lo, hi
    count = number(size, scope)
    return count, count
