"""The solver: the only module that imports z3.

In: Boolean terms and a resource limit. Out: an ``Answer``. Each query gets its own context, filled in the order of the
terms, so an answer and its resource count depend on the query alone. Trusted: z3 and the translation below.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import z3  # type: ignore[import-untyped]

from kozel_verify.symbolic.terms import BOOL, INT, Constant, Term, not_, postorder

DEFAULT_RLIMIT = 20_000_000


@dataclass(frozen=True, slots=True)
class Unsatisfiable:
    """No assignment makes all assertions true: what was to be proved holds."""

    rlimit: int  # resource units used


@dataclass(frozen=True, slots=True)
class Model:
    """An assignment that makes all assertions true. A variable that is missing may have any value."""

    values: dict[str, Constant]
    rlimit: int

    def complete(self, names: dict[str, Term]) -> dict[str, Constant]:
        """The assignment with a value for each of the variables ``names`` (zero or false where z3 gave none)."""
        return {n: self.values.get(n, t.sort != BOOL and 0) for n, t in names.items()}


@dataclass(frozen=True, slots=True)
class Unknown:
    """The budget was used up, or the solver gave in."""

    reason: str
    rlimit: int


Answer = Unsatisfiable | Model | Unknown


def check(assertions: Sequence[Term], rlimit: int = DEFAULT_RLIMIT) -> Answer:
    """Is there an assignment that makes all assertions true?"""
    solver = _solver(assertions, rlimit)
    try:
        result = str(solver.check())
        used = _used(solver)
        if result == "unsat":
            return Unsatisfiable(used)
        if result == "sat":
            return Model(_values(solver.model()), used)
        return Unknown(str(solver.reason_unknown()), used)
    except z3.Z3Exception as error:  # a resource limit may surface so
        return Unknown(str(error), rlimit)


def prove(assumptions: Sequence[Term], goal: Term, rlimit: int = DEFAULT_RLIMIT) -> Answer:
    """Do the assumptions imply the goal? ``Unsatisfiable`` when they do, a ``Model`` where they do not."""
    return check([*assumptions, not_(goal)], rlimit)


def to_smt2(assertions: Sequence[Term]) -> str:
    """The query as an SMT-LIB script."""
    return str(_solver(assertions, 0).to_smt2())


def simplify_value(term: Term) -> Constant | None:
    """The solver's own value of a term without variables; ``None`` if it does not reduce to one."""
    context = z3.Context()
    result = z3.simplify(translate([term], context)[0])
    return _constant(result)


def _solver(assertions: Sequence[Term], rlimit: int) -> Any:
    context = z3.Context()
    solver = z3.Solver(ctx=context)
    if rlimit:
        solver.set("rlimit", rlimit)
    for a in translate(assertions, context):
        solver.add(a)
    return solver


def _used(solver: Any) -> int:
    names: list[str] = solver.statistics().keys()
    return int(solver.statistics().get_key_value("rlimit count")) if "rlimit count" in names else 0


def _values(model: Any) -> dict[str, Constant]:
    found = {}
    for declaration in model.decls():
        value = _constant(model[declaration])
        if value is not None:
            found[str(declaration.name())] = value
    return found


def _constant(value: Any) -> Constant | None:
    if z3.is_true(value):
        return True
    if z3.is_false(value):
        return False
    if z3.is_int_value(value) or z3.is_bv_value(value):
        return int(value.as_long())
    return None


def translate(roots: Sequence[Term], context: Any) -> list[Any]:
    """The z3 expressions of the roots in ``context``."""
    made: dict[Term, Any] = {}
    for term in postorder(roots):
        made[term] = _expression(term, [made[a] for a in term.args], context)
    return [made[r] for r in roots]


def _leaf(term: Term, context: Any) -> Any:
    if term.op == "const":
        if term.sort == BOOL:
            return z3.BoolVal(term.payload, context)
        return z3.IntVal(term.payload, context) if term.sort == INT else z3.BitVecVal(term.payload, term.sort, context)
    name = str(term.payload)
    if term.sort == BOOL:
        return z3.Bool(name, context)
    return z3.Int(name, context) if term.sort == INT else z3.BitVec(name, term.sort, context)


def _expression(term: Term, a: list[Any], context: Any) -> Any:
    match term.op:
        case "const" | "var":
            return _leaf(term, context)
        case "not":
            return z3.Not(a[0], context)
        case "and":
            return z3.And(*a)
        case "or":
            return z3.Or(*a)
        case "ite":
            return z3.If(a[0], a[1], a[2], context)
        case "eq":
            return a[0] == a[1]
        case "add":
            return z3.Sum(*a)
        case "mul":
            return a[0] * a[1]
        case "div":
            return _guarded(term, a[0] / a[1], a[1], context)
        case "mod":
            return _guarded(term, a[0] % a[1], a[1], context)
        case "le":
            return a[0] <= a[1]
        case "ult":
            return z3.ULT(a[0], a[1])
        case "extract":
            assert isinstance(term.payload, tuple)
            low, width = term.payload
            return z3.Extract(low + width - 1, low, a[0])
        case _:
            raise ValueError(f"{term.op} cannot be handed to the solver")


def _guarded(term: Term, quotient: Any, divisor: Any, context: Any) -> Any:
    """z3 leaves division by zero open; a term says 0."""
    if term.args[1].op == "const" and term.args[1].payload:
        return quotient
    return z3.If(divisor == 0, z3.IntVal(0, context), quotient, context)
