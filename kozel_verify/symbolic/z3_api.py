"""The solver: the only module that imports z3.

In: Boolean terms and a resource limit. Out: an ``Answer``. Each query gets its own context, filled in the order of the
terms, so an answer and its resource count depend on the query alone (``query_store`` has answers found before). The
library is loaded for the first query that has to be asked. Trusted: z3 and the translation below.
"""

from collections.abc import Sequence
from typing import Any

from kozel_verify.symbolic import query_store
from kozel_verify.symbolic.answers import Answer, Model, Unknown, Unsatisfiable
from kozel_verify.symbolic.stopping import STOP
from kozel_verify.symbolic.terms import BOOL, INT, Constant, Term, not_, postorder

__all__ = [
    "DEFAULT_RLIMIT",
    "Answer",
    "Model",
    "Unknown",
    "Unsatisfiable",
    "ask",
    "check",
    "prove",
    "simplify_value",
    "to_smt2",
    "translate",
]

DEFAULT_RLIMIT = 20_000_000
OLD_ARITHMETIC = 2  # z3's number for it; sums of sizes take it a third less time than the newer one
MEMORY_MB = 4_096  # of the process; a query that wants more is unknown


class _Library:
    """The module ``z3``, imported when something of it is first needed: that takes a tenth of a second."""

    def __getattr__(self, name: str) -> Any:
        import z3 as loaded  # type: ignore[import-untyped]

        loaded.set_param("memory_max_size", MEMORY_MB)
        globals()["z3"] = loaded
        return getattr(loaded, name)


z3: Any = _Library()


def check(assertions: Sequence[Term], rlimit: int = DEFAULT_RLIMIT) -> Answer:
    """Is there an assignment that makes all assertions true? The answer that was found before, where one is kept."""
    use = query_store.USE
    if use.keeper is None and use.asked is None:
        answer = ask(assertions, rlimit)
    else:
        key = query_store.key_of(assertions, rlimit)
        if use.asked is not None:
            use.asked.append(key)
        found = query_store.find(key)
        answer = found or ask(assertions, rlimit)
        if found is None:
            query_store.keep(key, assertions, rlimit, answer)
    if use.gave_up is not None and isinstance(answer, Unknown):
        use.gave_up(assertions, rlimit)
    return answer


def ask(assertions: Sequence[Term], rlimit: int = DEFAULT_RLIMIT, seed: int | None = None) -> Answer:
    """The solver's own answer; ``seed`` other than ``None`` is given to all its random choices."""
    STOP.heed()
    solver = _solver(assertions, rlimit, seed)
    STOP.at = solver.ctx
    try:
        answer = _answer(solver, str(solver.check()))
    except z3.Z3Exception as error:  # a resource limit may surface so
        answer = Unknown(str(error), rlimit)
    finally:
        STOP.at = None
    STOP.heed()  # what the solver says then is no answer
    return answer


def _answer(solver: Any, result: str) -> Answer:
    used = _used(solver)
    if result == "unsat":
        return Unsatisfiable(used)
    if result == "sat":
        return Model(_values(solver.model()), used)
    return Unknown(str(solver.reason_unknown()), used)


def prove(assumptions: Sequence[Term], goal: Term, rlimit: int = DEFAULT_RLIMIT) -> Answer:
    """Do the assumptions imply the goal? ``Unsatisfiable`` when they do, a ``Model`` where they do not."""
    return check([*assumptions, not_(goal)], rlimit)


def to_smt2(assertions: Sequence[Term]) -> str:
    """The query as an SMT-LIB script."""
    return str(_solver(assertions, 0).to_smt2())


def simplify_value(term: Term) -> Constant | None:
    """The solver's own value of a term without variables; ``None`` if it does not reduce to one."""
    context = z3.Context()
    simplified = z3.Z3_simplify(context.ref(), translate([term], context)[0])
    return _constant(z3.z3._to_expr_ref(simplified, context))


def _solver(assertions: Sequence[Term], rlimit: int, seed: int | None = None) -> Any:
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)  # no tactics: they cost more than they save on queries as small as these
    solver.set("arith.solver", OLD_ARITHMETIC)
    solver.set("ctrl_c", False)  # interruptions are for the program to see
    if seed is not None:
        solver.set("random_seed", seed)
    if rlimit:
        solver.set("rlimit", rlimit)
    for a in translate(assertions, context):
        z3.Z3_solver_assert(context.ref(), solver.solver, a)
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
    """A literal; ``value`` comes from the solver, so its Python class fits its sort."""
    if z3.is_true(value):
        return True
    if z3.is_false(value):
        return False
    if z3.is_int_value(value) or z3.is_bv_value(value):
        return int(value.as_long())
    return None


def translate(roots: Sequence[Term], context: Any) -> list[Any]:
    """The expressions of the roots in ``context``, as handles of the C interface."""
    builder = _Builder(context)
    made: dict[Term, Any] = {}
    for term in postorder(roots):
        made[term] = builder.kept(builder.expression(term, [made[a] for a in term.args]))
    return [made[r] for r in roots]


class _Builder:
    """Makes expressions with the functions of the C interface: the Python classes above them take most of the time.

    Every expression is kept alive until its context is deleted. The functions raise ``Z3Exception`` on an error.
    """

    def __init__(self, context: Any) -> None:
        self.context: Any = context.ref()
        self.sorts: dict[int, Any] = {}

    def kept(self, expression: Any) -> Any:
        z3.Z3_inc_ref(self.context, expression)
        return expression

    def sort(self, sort: int) -> Any:
        if sort not in self.sorts:
            if sort == BOOL:
                made = z3.Z3_mk_bool_sort(self.context)
            else:
                made = z3.Z3_mk_int_sort(self.context) if sort == INT else z3.Z3_mk_bv_sort(self.context, sort)
            self.sorts[sort] = self.kept(made)
        return self.sorts[sort]

    def _leaf(self, term: Term) -> Any:
        if term.op == "var":
            symbol = z3.Z3_mk_string_symbol(self.context, str(term.payload))
            return z3.Z3_mk_const(self.context, symbol, self.sort(term.sort))
        if term.sort == BOOL:
            return z3.Z3_mk_true(self.context) if term.payload else z3.Z3_mk_false(self.context)
        return z3.Z3_mk_numeral(self.context, str(term.payload), self.sort(term.sort))

    def expression(self, term: Term, a: list[Any]) -> Any:
        match term.op:
            case "const" | "var":
                return self._leaf(term)
            case "not":
                return z3.Z3_mk_not(self.context, a[0])
            case "and" | "or" | "add" | "mul":
                return getattr(z3, _MANY[term.op])(self.context, len(a), (z3.Ast * len(a))(*a))
            case "ite":
                return z3.Z3_mk_ite(self.context, *a)
            case "eq" | "le" | "ult":
                return getattr(z3, _TWO[term.op])(self.context, *a)
            case "div" | "mod":
                return self._guarded(term, self.kept(getattr(z3, _TWO[term.op])(self.context, *a)), a[1])
            case "extract":
                assert isinstance(term.payload, tuple)
                low, width = term.payload
                return z3.Z3_mk_extract(self.context, low + width - 1, low, a[0])
            case _:
                raise ValueError(f"{term.op} cannot be handed to the solver")

    def _guarded(self, term: Term, quotient: Any, divisor: Any) -> Any:
        """z3 leaves division by zero open; a term says 0."""
        if term.args[1].op == "const" and term.args[1].payload:
            return quotient
        zero = self.kept(z3.Z3_mk_numeral(self.context, "0", self.sort(INT)))
        none = self.kept(z3.Z3_mk_eq(self.context, divisor, zero))
        return z3.Z3_mk_ite(self.context, none, zero, quotient)


_MANY = {"and": "Z3_mk_and", "or": "Z3_mk_or", "add": "Z3_mk_add", "mul": "Z3_mk_mul"}
_TWO = {"eq": "Z3_mk_eq", "le": "Z3_mk_le", "ult": "Z3_mk_bvult", "div": "Z3_mk_div", "mod": "Z3_mk_mod"}
