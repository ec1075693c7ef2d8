"""Evaluation of closed expressions while a spec is elaborated: constants, bounds, tables."""

from kozel_verify.model.core import Apply, Bind, Binding, Const, Expr, If, Local, Lookup
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import Value, members


class NotClosed(Exception):
    """The expression reads the state, an option or a variable, so it has no fixed value."""


def fold(expr: Expr, env: dict[str, Value] | None = None) -> Value:
    """The value of an expression that reads nothing but ``env``. Raises ``NotClosed`` or ``Undefined``."""
    env = env or {}
    match expr:
        case Const(value):
            return value
        case Local(name):
            if name not in env:
                raise NotClosed(name)
            return env[name]
        case Apply("and" | "or" | "implies" as op, (left, right)):
            first = fold(left, env)
            decided = {"and": not first, "or": bool(first), "implies": not first}[op]
            return OPERATORS[op].meaning(first, False) if decided else bool(fold(right, env))
        case Apply(op, args):
            return OPERATORS[op].meaning(*(fold(a, env) for a in args))
        case Lookup(table, key):
            return table[_index(fold(key, env))]
        case If(condition, then, otherwise):
            return fold(then if fold(condition, env) else otherwise, env)
        case Bind(binding, variable, domain, body):
            rows = [(e, fold(body, {**env, variable: e})) for e in members(_index(fold(domain, env)))]
            return _bind(binding, rows)
        case _:
            raise NotClosed(type(expr).__name__)


def _index(value: Value) -> int:
    if value is None:
        raise Undefined("`none` used as a value")
    return int(value)


def _bind(binding: Binding, rows: list[tuple[int, Value]]) -> Value:
    match binding:
        case Binding.EVERY:
            return all(v for _, v in rows)
        case Binding.SOME:
            return any(v for _, v in rows)
        case Binding.THOSE:
            return sum(1 << e for e, v in rows if v)
        case Binding.SUM:
            return sum(_index(v) for _, v in rows)
        case Binding.THE:
            found = [e for e, v in rows if v]
        case Binding.TOP:
            best = max((_index(v) for _, v in rows), default=0)
            found = [e for e, v in rows if v == best]
    if len(found) != 1:
        raise Undefined(f"`{binding.value}` needs exactly one, there are {len(found)}")
    return found[0]


def folded(expr: Expr) -> Expr:
    """The expression, or its value as a constant where it has one."""
    if isinstance(expr, Const):
        return expr
    try:
        return Const(fold(expr), expr.type, expr.span)
    except (NotClosed, Undefined):
        return expr
