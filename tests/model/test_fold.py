"""Constant evaluation agrees with the operators, stays within its budget, and leaves alone what has no value."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Apply, Bind, Binding, Const, Expr, If, Local, Lookup
from kozel_verify.model.fold import NotClosed, TooLarge, fold, folded, folded_bind
from kozel_verify.model.limits import MAX_NUMBER, Budget
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import BOOL, NAT, RangeType, SetType

NUMBER = RangeType(0, 9)
ARITHMETIC = ["+", "-", "*", "div", "mod", "min", "max", "==", "!=", "<", "<=", ">", ">="]


def number(n: int) -> Const:
    return Const(n, NUMBER)


def budget(n: int = 10_000) -> Budget:
    return Budget(n, "test")


@given(st.sampled_from(ARITHMETIC), st.integers(0, 9), st.integers(0, 9))
def test_folding_is_the_operator(op: str, a: int, b: int) -> None:
    """Where an operator has a value it is folded to it; where it has none the expression stays."""
    expr = Apply(op, (number(a), number(b)), NAT)
    try:
        expected = OPERATORS[op].meaning(a, b)
    except Undefined:
        assert folded(expr) is expr
        with pytest.raises(Undefined):
            fold(expr, budget())
    else:
        assert folded(expr) == Const(expected, NAT) and fold(expr, budget()) == expected


@pytest.mark.parametrize("op", ["and", "or", "implies"])
@pytest.mark.parametrize("a", [False, True])
@pytest.mark.parametrize("b", [False, True])
def test_truth(op: str, a: bool, b: bool) -> None:
    """Truth tables, and the right side is not looked at where the left decides."""
    expr = Apply(op, (Const(a, BOOL), Const(b, BOOL)), BOOL)
    assert folded(expr) == Const(OPERATORS[op].meaning(a, b), BOOL)
    decided = {"and": not a, "or": a, "implies": not a}[op]
    bad = Apply("-", (number(0), number(1)), NUMBER)
    assert isinstance(folded(Apply(op, (Const(a, BOOL), bad), BOOL)), Const) == decided


def test_what_is_open_stays() -> None:
    """Variables are read from the environment only."""
    expr = Apply("+", (Local("x", NUMBER), number(1)), NAT)
    assert folded(expr) is expr and fold(expr, budget(), {"x": 3}) == 4
    with pytest.raises(NotClosed):
        fold(expr, budget())
    assert folded(If(Const(True, BOOL), expr, number(1), NAT)) == If(Const(True, BOOL), expr, number(1), NAT)
    assert folded(If(Const(False, BOOL), expr, number(1), NAT)) == Const(1, NAT)


def test_bindings() -> None:
    """Each form over the set {1, 2, 3}, and those without an answer."""
    three = Const(0b1110, SetType(NUMBER))
    x = Local("x", NUMBER)

    def over(binding: Binding, body: Expr) -> Expr:
        return folded_bind(Bind(binding, "x", three, body, NAT), budget())

    above_one = Apply(">", (x, number(1)), BOOL)
    assert over(Binding.EVERY, above_one) == Const(False, NAT) and over(Binding.SOME, above_one) == Const(True, NAT)
    assert over(Binding.THOSE, above_one) == Const(0b1100, NAT) and over(Binding.SUM, x) == Const(6, NAT)
    assert over(Binding.TOP, x) == Const(3, NAT)
    assert over(Binding.THE, Apply("==", (x, number(2)), BOOL)) == Const(2, NAT)
    assert isinstance(over(Binding.THE, above_one), Bind) and isinstance(over(Binding.TOP, number(1)), Bind)
    assert isinstance(over(Binding.SUM, Local("y", NUMBER)), Bind)


def test_tables() -> None:
    """A key beyond the table has no entry."""
    assert folded(Lookup((5, 6), number(1), NUMBER)) == Const(6, NUMBER)
    beyond = Lookup((5, 6), number(2), NUMBER)
    assert folded(beyond) is beyond


def test_bounds() -> None:
    """Numbers stay below the limit; a budget that is spent is an error at the place."""
    big = Const(MAX_NUMBER, NAT)
    expr = Apply("+", (big, number(1)), NAT)
    assert folded(expr) is expr
    with pytest.raises(TooLarge):
        fold(expr, budget())
    at = Span("x", 3, 4, 3, 5)
    with pytest.raises(SpecError) as e:
        fold(Apply("+", (number(1), number(1)), NAT, at), budget(0))
    assert [(d.code, d.span) for d in e.value.diagnostics] == [("too-large", at)]
