"""The code of each operator against its concrete meaning."""

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

from kozel_verify.export.python import helpers
from kozel_verify.export.python.operators import OPERATIONS, Code, as_bool
from kozel_verify.model.operators import OPERATORS, Undefined

TRUTH: list[Any] = [False, True]
NUMBERS: list[Any] = list(range(6))
MASKS: list[Any] = list(range(16))
OPTIONAL: list[Any] = [None, *range(4)]

DOMAINS: dict[str, list[list[list[Any]]]] = {
    "not": [[TRUTH]],
    **{op: [[TRUTH, TRUTH]] for op in ("and", "or", "implies")},
    **{op: [[TRUTH, TRUTH], [OPTIONAL, OPTIONAL], [MASKS, MASKS]] for op in ("==", "!=")},
    **{op: [[NUMBERS, NUMBERS]] for op in ("<", "<=", ">", ">=", "+", "-", "*", "div", "mod", "min", "max", "span")},
    "in": [[list(range(4)), MASKS]],
    **{op: [[MASKS, MASKS]] for op in ("within", "union", "intersect", "without")},
    **{op: [[MASKS]] for op in ("size", "only")},
    "set": [[], [NUMBERS], [NUMBERS, NUMBERS], [NUMBERS, NUMBERS, NUMBERS]],
    **{op: [[OPTIONAL], [TRUTH]] for op in ("some", "value")},
}


def python(op: str, count: int) -> Callable[..., int]:
    """The generated code of an operator as a function."""
    names = [f"a{n}" for n in range(count)]
    code = OPERATIONS[op](*map(Code, names))
    made: Callable[..., int] = eval(f"lambda {', '.join(names)}: {code.text}", dict(vars(helpers)))
    return made


def differences(op: str, function_of: Callable[[str, int], Callable[..., int]]) -> list[str]:
    found = []
    for domain in DOMAINS[op]:
        function = function_of(op, len(domain))
        for values in product(*domain):
            try:
                expected: Any = OPERATORS[op].meaning(*values)
            except Undefined:
                expected = helpers.RuleFault
            try:
                result: Any = function(*(-1 if v is None else v for v in values))
            except helpers.RuleFault:
                result = helpers.RuleFault
            if result != (-1 if expected is None else expected):
                found.append(f"{op} {values}: {result}, expected {expected}")
    return found


def test_every_operator_has_code() -> None:
    """The table has exactly the operators of the model."""
    assert set(OPERATIONS) == set(OPERATORS) == set(DOMAINS)


@pytest.mark.parametrize("op", list(OPERATORS))
def test_code_means_what_the_operator_means(op: str) -> None:
    """Equal on all arguments of a small universe; ``RuleFault`` exactly where the operator has no value."""
    assert differences(op, python) == []


def test_a_wrong_operator_is_found() -> None:
    """Control: the code of ``<`` in the place of ``<=``."""
    assert len(differences("<=", lambda _, count: python("<", count))) == 6


def test_brackets_stand_where_they_are_needed() -> None:
    """Precedence is kept when codes are put together."""
    a, b, c = Code("a"), Code("b"), Code("c")
    assert OPERATIONS["*"](OPERATIONS["+"](a, b), c).text == "(a + b) * c"
    assert OPERATIONS["without"](OPERATIONS["union"](a, b), OPERATIONS["set"](c)).text == "(a | b) & ~(1 << c)"
    assert OPERATIONS["and"](OPERATIONS["or"](a, b), OPERATIONS["not"](c)).text == "(a or b) and not c"
    assert OPERATIONS["=="](OPERATIONS["=="](a, b), c).text == "(a == b) == c"
    assert as_bool(OPERATIONS["in"](a, b)).text == "b >> a & 1 != 0"
