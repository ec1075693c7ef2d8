"""Evaluation of closed expressions while a spec is elaborated: constants, bounds, tables, constraints on options.

The parts of an expression are folded before it is, so a closed one has constants for parts; only the forms that bind a
variable have to be evaluated, and those within a budget.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    Const,
    Expr,
    First,
    Function,
    If,
    Local,
    Lookup,
    Matching,
    OptionRead,
)
from kozel_verify.model.limits import MAX_NUMBER, Budget
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import SeatType, Value, members


class NotClosed(Exception):
    """The expression reads the state, an option or a variable, so it has no fixed value."""


class TooLarge(Exception):
    """A number grew beyond ``MAX_NUMBER``."""


@dataclass(frozen=True, slots=True)
class Given:
    """What else may be read: options, and functions that read nothing else."""

    options: Mapping[str, Value]
    functions: Mapping[str, Function]


def fold(expr: Expr, budget: Budget, env: dict[str, Value] | None = None, given: Given | None = None) -> Value:
    """The value of an expression that reads nothing but ``env`` and what is ``given``.

    Raises ``NotClosed``, ``Undefined``, ``TooLarge``, and ``SpecError`` when the budget is spent.
    """
    budget.spend(expr.span)
    env = env or {}
    match expr:
        case Const(value):
            return value
        case Local(name):
            if name not in env:
                raise NotClosed(name)
            return env[name]
        case Apply("and" | "or" | "implies" as op, (left, right)):
            first = bool(fold(left, budget, env, given))
            decided = _decides(op, first)
            return OPERATORS[op].meaning(first, False) if decided else bool(fold(right, budget, env, given))
        case Apply(op, args):
            return _bounded(OPERATORS[op].meaning(*(fold(a, budget, env, given) for a in args)), op)
        case Lookup(table, key):
            return _entry(table, fold(key, budget, env, given))
        case If(condition, then, otherwise):
            return fold(then if fold(condition, budget, env, given) else otherwise, budget, env, given)
        case Bind(binding, variable, domain, body):
            elements = members(_number(fold(domain, budget, env, given)))
            return _bind(binding, [(e, fold(body, budget, {**env, variable: e}, given)) for e in elements])
        case _ if given is not None:
            return _fold_given(expr, budget, env, given)
        case _:
            raise NotClosed(type(expr).__name__)


def _fold_given(expr: Expr, budget: Budget, env: dict[str, Value], given: Given) -> Value:
    """The forms that no constant has."""
    match expr:
        case OptionRead(name):
            return given.options[name]
        case Call(name, args):
            function = given.functions[name]
            values = [fold(a, budget, env, given) for a in args]
            named = {p.name: v for p, v in zip(function.parameters, values, strict=True)}
            return fold(function.body, budget, named, given)
        case First(variable, domain, start, after, body, SeatType(count)):
            elements = members(_number(fold(domain, budget, env, given)))
            found = [e for e in elements if fold(body, budget, {**env, variable: e}, given)]
            begin = _number(fold(start, budget, env, given)) + after
            if not found:
                raise Undefined("`first` found no seat")
            return min(found, key=lambda seat: (seat - begin) % count)
        case Matching(targets, replies, target, reply, body):
            free = list(members(_number(fold(replies, budget, env, given))))
            wanted = members(_number(fold(targets, budget, env, given)))
            fits = [[r for r in free if fold(body, budget, {**env, target: t, reply: r}, given)] for t in wanted]
            return _matched(fits)
        case _:
            raise NotClosed(type(expr).__name__)


def _matched(fits: list[list[int]]) -> bool:
    """Can each target be given its own of the replies that fit it?"""
    taken: dict[int, int] = {}

    def placed(target: int, tried: set[int]) -> bool:
        for reply in fits[target]:
            if reply not in tried:
                tried.add(reply)
                if reply not in taken or placed(taken[reply], tried):
                    taken[reply] = target
                    return True
        return False

    return all(placed(target, set()) for target in range(len(fits)))


def _decides(op: str, first: bool) -> bool:
    return first if op == "or" else not first


def _bounded(value: Value, op: str) -> Value:
    """Numbers stay small; the codes of sets may be wide."""
    if op in ("+", "*") and isinstance(value, int) and value > MAX_NUMBER:
        raise TooLarge
    return value


def _number(value: Value) -> int:
    if value is None:
        raise Undefined("`none` used as a value")
    return int(value)


def _entry(table: tuple[Value, ...], key: Value) -> Value:
    position = _number(key)
    if position >= len(table):
        raise Undefined(f"a table has no entry for {position}")
    return table[position]


def _bind(binding: Binding, rows: list[tuple[int, Value]]) -> Value:
    match binding:
        case Binding.EVERY:
            return all(v for _, v in rows)
        case Binding.SOME:
            return any(v for _, v in rows)
        case Binding.THOSE:
            return sum(1 << e for e, v in rows if v)
        case Binding.SUM:
            return sum(_number(v) for _, v in rows)
        case Binding.THE:
            found = [e for e, v in rows if v]
        case Binding.TOP:
            best = max((_number(v) for _, v in rows), default=0)
            found = [e for e, v in rows if v == best]
    if len(found) != 1:
        raise Undefined(f"`{binding.value}` needs exactly one, there are {len(found)}")
    return found[0]


def folded(expr: Expr) -> Expr:
    """The expression, or its value as a constant where its parts are constants."""
    try:
        match expr:
            case Apply("and" | "or" | "implies" as op, (Const(first), _)) if _decides(op, bool(first)):
                value: Value = OPERATORS[op].meaning(bool(first), False)
            case Apply(op, args):
                values = [a.value for a in args if isinstance(a, Const)]
                if len(values) < len(args):
                    return expr
                value = _bounded(OPERATORS[op].meaning(*values), op)
            case Lookup(table, Const(key)):
                value = _entry(table, key)
            case If(Const(condition), then, otherwise):
                chosen = then if condition else otherwise
                if not isinstance(chosen, Const):
                    return expr
                value = chosen.value
            case _:
                return expr
    except (Undefined, TooLarge):
        return expr
    return Const(value, expr.type, expr.span)


def folded_bind(expr: Bind, budget: Budget) -> Expr:
    """The same for a form that binds a variable: evaluated when it reads nothing else."""
    if not isinstance(expr.domain, Const) or not _reads_only(expr.body, frozenset({expr.variable})):
        return expr
    try:
        return Const(fold(expr, budget), expr.type, expr.span)
    except (Undefined, TooLarge, NotClosed):
        return expr


def _reads_only(expr: Expr, variables: frozenset[str]) -> bool:
    """Is the expression closed but for these variables?"""
    match expr:
        case Const():
            return True
        case Local(name):
            return name in variables
        case Apply(_, args):
            return all(_reads_only(a, variables) for a in args)
        case Lookup(_, key):
            return _reads_only(key, variables)
        case If(condition, then, otherwise):
            return all(_reads_only(e, variables) for e in (condition, then, otherwise))
        case Bind(_, variable, domain, body):
            return _reads_only(domain, variables) and _reads_only(body, variables | {variable})
        case _:
            return False


def values_of(body: Expr, variable: str, elements: range, budget: Budget) -> list[int] | None:
    """The number that ``body`` is for each element, when it reads nothing but ``variable``; else ``None``."""
    if not _reads_only(body, frozenset({variable})):
        return None
    try:
        return [_number(fold(body, budget, {variable: e})) for e in elements]
    except (Undefined, TooLarge, NotClosed):
        return None
