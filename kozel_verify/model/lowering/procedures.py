"""Procedures and phases: inlined where they are run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Arrive, Assign, Cell, CellKind, CellRead, Const, Expr, Jump, Rest
from kozel_verify.model.expressions import check, holds, require_arguments, type_of
from kozel_verify.model.limits import MAX_CALLS
from kozel_verify.model.lowering.building import PhaseRun
from kozel_verify.model.scope import Problem, Scope
from kozel_verify.model.types import Type, element_indices, is_value

if TYPE_CHECKING:
    from kozel_verify.model.lowering.statements import Lowering


def run(low: Lowering, r: s.Run, scope: Scope) -> None:
    """Lower a procedure in place of its `run`. Raises ``Problem``."""
    procedure = low.procedures.get(r.name)
    at = place_of_name(r.name, r.span)
    if procedure is None:
        hint = did_you_mean(r.name, low.procedures)
        message = f"there is no procedure or phase `{r.name}`"
        raise Problem("unknown-name", at, message, hint, silent=scope.is_broken(r.name))
    if r.name in low.calls:
        raise Problem("recursion", at, f"`{r.name}` runs itself", "use `again` for a phase, or a loop")
    if len(low.calls) >= MAX_CALLS:
        raise Problem(
            "too-deep", at, f"procedures run one another more than {MAX_CALLS} deep", "run fewer in one another"
        )
    low.lowered.add(str(r.name))
    if r.name == "deal":
        low.deal_runs.append(at)
    require_arguments(r.name, len(procedure.parameters), len(r.arguments), r.span)
    types = [type_of(p.type, Scope(low.known)) for p in procedure.parameters]
    values = [check(a, t, scope) for a, t in zip(r.arguments, types, strict=True)]
    path, calls = low.path, low.calls
    low.path = path if r.name == "match" else (*path, str(r.name))
    low.calls = (*calls, str(r.name))
    try:
        inside = Scope(low.known, unserved=scope.unserved)
        for p, t, value, a in zip(procedure.parameters, types, values, r.arguments, strict=True):
            inside = inside.bind(p.name, _argument(low, p, t, value, a.span), place_of_name(p.name, p.span))
        _body(low, procedure, inside)
    finally:
        low.path, low.calls = path, calls


def run_alone(low: Lowering, procedure: s.ProcedureOf) -> None:
    """Lower a procedure that nothing runs, with any values for its parameters."""
    low.path = low.calls = (str(procedure.name),)
    low.lowered.add(str(procedure.name))
    inside = Scope(low.known)
    try:
        for p in procedure.parameters:
            type_ = type_of(p.type, inside)
            cell = low.new_cell(p.name, type_, CellKind.LET, p.span)
            inside = inside.bind(p.name, cell, place_of_name(p.name, p.span))
        _body(low, procedure, inside)
    except Problem as problem:
        low.report(problem)
    low.path = low.calls = ()


def _body(low: Lowering, procedure: s.ProcedureOf, scope: Scope) -> None:
    if procedure.phase:
        _phase(low, procedure, scope)
    else:
        low.block(procedure.block, scope)


def _argument(low: Lowering, p: s.ParameterOf, type_: Type, value: Expr, span: Span) -> Expr:
    """A parameter by value, in a cell of its type; generated cells around the call do not change while it runs."""
    if isinstance(value, Const):
        if not is_value(value.value, type_):
            raise Problem(
                "range", span, f"the value {value.value} is not in {type_}", "make the parameter's range larger"
            )
        return value
    if isinstance(value, CellRead) and value.cell in low.cells and holds(type_, value.type):
        return value
    return low.settled(p.name, value, p.span, type_)


def _phase(low: Lowering, procedure: s.ProcedureOf, scope: Scope) -> None:
    for name in low.fresh.get(procedure.name, ()):
        _reset(low, name, procedure.span)
    start, exit_ = low.new_block(), low.new_block()
    low.close(Jump(start))
    around = low.phases
    low.phases = (*around, PhaseRun(str(procedure.name), start, exit_))
    low.current = start
    low.block(procedure.block, scope)
    low.close(Jump(exit_))
    low.current = exit_
    if procedure.name == "deal":
        _rest(low, procedure, scope)
    low.phases = around


def _reset(low: Lowering, name: str, span: Span) -> None:
    cell = low.known.symbols.get(name)
    if not isinstance(cell, Cell):
        return  # its declaration is at fault
    initial = Const(cell.initial, cell.type, span)
    if cell.index is None:
        low.emit(Assign(cell.name, None, initial, span))
        return
    for i in element_indices(cell.index):
        low.emit(Assign(cell.name, Const(i, cell.index, span), initial, span))


def _rest(low: Lowering, procedure: s.ProcedureOf, scope: Scope) -> None:
    """The end of a deal: a node of its own."""
    node, name = low.new_node("end", scope)
    low.deal_ends.append(node)
    low.close(Arrive(node))
    after = low.new_block()
    low.nodes[node] = Rest(name, after, procedure.span)
    low.current = after


def phase_named(low: Lowering, name: str, span: Span) -> PhaseRun:
    """The phase around a `leave` or `again`. Raises ``Problem``."""
    for phase in reversed(low.phases):
        if phase.name == name:
            return phase
    around = ", ".join(f"`{p.name}`" for p in low.phases) or "none"
    message = f"this is not inside a phase `{name}`"
    known = low.alone and name in low.procedures and low.procedures[name].phase
    raise Problem(
        "not-in-phase", place_of_name(name, span), message, f"the phases around it are: {around}", silent=known
    )
