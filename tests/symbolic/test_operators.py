"""The symbolic meaning of every operator equals the concrete one, on all argument values of small types."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest

from kozel_verify.model.deck import Deck
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import (
    BOOL,
    NAT,
    CardType,
    EnumType,
    NatType,
    OptionalType,
    RangeType,
    SeatType,
    SetType,
    Type,
    Value,
    values,
)
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.operators import SYMBOLIC, Operands, Result
from kozel_verify.symbolic.terms import Constant
from kozel_verify.symbolic.values import Codec, SymSet, SymValue, parts, reader
from kozel_verify.symbolic.z3_api import simplify_value

CODEC = Codec(Deck(("♠", "♥"), ("6", "Q", "A")))
CARD, SEAT, FEW, SHIFTED = CardType(6), SeatType(3), RangeType(0, 4), RangeType(2, 5)
ITEM = EnumType("Item", ("a", "b", "c"))
CARDS, ITEMS, NUMBERS, OTHERS = SetType(CARD), SetType(ITEM), SetType(FEW), SetType(SHIFTED)
EQUAL_TYPES: list[Type] = [BOOL, NAT, FEW, ITEM, CARD, CARDS, NUMBERS, OptionalType(ITEM), OptionalType(BOOL)]

# operator -> argument types and the type of the result
Case = tuple[tuple[Type, ...], Type]
COMPARED: list[Case] = [*(((ty, ty), BOOL) for ty in EQUAL_TYPES), ((FEW, NAT), BOOL)]

CASES: dict[str, list[Case]] = {
    "not": [((BOOL,), BOOL)],
    **{op: [((BOOL, BOOL), BOOL)] for op in ("and", "or", "implies")},
    **{op: COMPARED for op in ("==", "!=")},
    **{op: [((FEW, NAT), BOOL), ((NAT, NAT), BOOL)] for op in ("<", "<=", ">", ">=")},
    **{op: [((FEW, SHIFTED), NAT), ((NAT, NAT), NAT)] for op in ("+", "-", "*", "div", "mod", "min", "max")},
    "in": [((CARD, CARDS), BOOL), ((ITEM, ITEMS), BOOL), ((FEW, OTHERS), BOOL), ((SHIFTED, NUMBERS), BOOL)],
    "within": [((CARDS, CARDS), BOOL), ((ITEMS, ITEMS), BOOL), ((NUMBERS, OTHERS), BOOL), ((OTHERS, NUMBERS), BOOL)],
    "union": [((CARDS, CARDS), CARDS), ((NUMBERS, OTHERS), SetType(RangeType(0, 5)))],
    "intersect": [((CARDS, CARDS), CARDS), ((NUMBERS, OTHERS), SetType(RangeType(0, 5)))],
    "without": [((CARDS, CARDS), CARDS), ((NUMBERS, OTHERS), SetType(RangeType(0, 5)))],
    "size": [((CARDS,), NAT), ((OTHERS,), NAT), ((ITEMS,), NAT)],
    "set": [((), CARDS), ((CARD,), CARDS), ((CARD, CARD), CARDS), ((FEW, FEW), NUMBERS), ((SEAT,), SetType(SEAT))],
    "span": [((FEW, FEW), NUMBERS), ((SHIFTED, SHIFTED), OTHERS)],
    "only": [((CARDS,), CARD), ((ITEMS,), ITEM), ((OTHERS,), SHIFTED)],
    "some": [((ITEM,), OptionalType(ITEM)), ((BOOL,), OptionalType(BOOL))],
    "value": [((OptionalType(ITEM),), ITEM), ((OptionalType(BOOL),), BOOL), ((OptionalType(FEW),), FEW)],
}


def universe(type_: Type) -> Iterator[Value]:
    return iter(range(6)) if isinstance(type_, NatType) else values(type_)


def concrete(op: str, arguments: tuple[Value, ...]) -> Value | Undefined:
    try:
        return OPERATORS[op].meaning(*arguments)
    except Undefined as missing:
        return missing


def slotted(value: SymValue) -> SymValue:
    """The same set written as a list of slots only."""
    return SymSet(value.codec, value.type, None, tuple(value.elements())) if isinstance(value, SymSet) else value


def disagreements(
    op: str, types: tuple[Type, ...], result: Type, meaning: Callable[[Operands], Result], slots: bool
) -> tuple[int, list[tuple[Value, ...]]]:
    """How many argument tuples were compared, and those on which the two meanings differ."""
    unknown = [CODEC.unknown(f"a{n}", type_)[0] for n, type_ in enumerate(types)]
    operands = Operands(CODEC, result, types, tuple(slotted(u) if slots else u for u in unknown))
    value, defined = meaning(operands)
    points, wrong = 0, []
    for arguments in product(*map(universe, types)):
        points += 1
        assigned: dict[str, Constant] = {}
        for n, (type_, argument) in enumerate(zip(types, arguments, strict=True)):
            CODEC.assign(f"a{n}", type_, argument, assigned)
        read = reader([defined, *parts(value)], assigned)
        expected = concrete(op, arguments)
        got = CODEC.lower(value, result, read) if read(defined) else None
        if bool(read(defined)) == isinstance(expected, Undefined) or (read(defined) and got != expected):
            wrong.append(arguments)
    return points, wrong


def test_every_operator_has_a_symbolic_meaning() -> None:
    """The two tables have the same keys, and so has the table of cases."""
    assert SYMBOLIC.keys() == OPERATORS.keys() == CASES.keys()


@pytest.mark.parametrize("slots", [False, True], ids=["masks", "slots"])
@pytest.mark.parametrize("op", sorted(OPERATORS))
def test_meaning_equals_the_concrete_one(op: str, slots: bool) -> None:
    """On every tuple of arguments both are defined and equal, or both undefined."""
    for types, result in CASES[op]:
        points, wrong = disagreements(op, types, result, SYMBOLIC[op], slots)
        assert points > 0 and not wrong, (op, types)


def test_the_number_of_points_compared() -> None:
    """The comparison is complete: it visits this many argument tuples for each way of writing sets."""
    total = sum(disagreements(op, types, result, SYMBOLIC[op], False)[0] for op in CASES for types, result in CASES[op])
    assert total == EXPECTED_POINTS


EXPECTED_POINTS = 31_170


@pytest.mark.parametrize(
    ("op", "wrong"),
    [("<=", "<"), ("without", "intersect"), ("max", "min"), ("in", None)],
)
def test_a_planted_wrong_meaning_is_found(op: str, wrong: str | None) -> None:
    """Negative control: with another operator's meaning, or one that is always false, arguments disagree."""
    planted = SYMBOLIC[wrong] if wrong else lambda o: (t.FALSE, t.TRUE)
    types, result = CASES[op][0]
    assert disagreements(op, types, result, planted, False)[1]


def test_a_lost_definedness_is_found() -> None:
    """Negative control: a subtraction that claims to be defined everywhere disagrees below zero."""
    lenient: Callable[[Operands], Result] = lambda o: (SYMBOLIC["-"](o)[0], t.TRUE)  # noqa: E731
    _, wrong = disagreements("-", (FEW, FEW), NAT, lenient, False)
    assert (0, 1) in wrong and (1, 0) not in wrong


@pytest.mark.parametrize("type_", [*EQUAL_TYPES, SEAT, SHIFTED, OTHERS, OptionalType(SetType(SEAT))])
def test_lower_is_the_inverse_of_lift_and_of_assign(type_: Type) -> None:
    """Each value survives being written as a constant, and as an assignment of the unknown's variables."""
    unknown, constraints = CODEC.unknown("x", type_)
    for value in universe(type_):
        lifted = CODEC.lift(value, type_)
        assert CODEC.lower(lifted, type_, reader(parts(lifted), {})) == value
        assigned: dict[str, Constant] = {}
        CODEC.assign("x", type_, value, assigned)
        read = reader([*constraints, *parts(unknown)], assigned)
        assert all(read(c) for c in constraints)
        assert CODEC.lower(unknown, type_, read) == value


def test_the_solver_agrees_with_the_terms() -> None:
    """Each operation on terms has the solver's meaning, on all arguments from a small range."""
    numbers = [t.integer(n) for n in range(5)]
    vectors = [t.vector(n, 3) for n in range(8)]
    truths = [t.TRUE, t.FALSE]
    pairs: list[tuple[t.Term, ...]] = list(product(numbers, numbers))
    codes: list[tuple[t.Term, ...]] = list(product(vectors, vectors))
    both: list[tuple[t.Term, ...]] = list(product(truths, truths))
    calls: list[tuple[str, int, object, list[tuple[t.Term, ...]]]] = [
        *[(op, t.INT, None, pairs) for op in ("add", "mul", "div", "mod")],
        ("le", t.BOOL, None, pairs),
        ("eq", t.BOOL, None, [*pairs, *codes, *both]),
        ("ult", t.BOOL, None, codes),
        ("extract", 2, (1, 2), [(v,) for v in vectors]),
        *[(op, t.BOOL, None, both) for op in ("and", "or")],
        ("not", t.BOOL, None, [(b,) for b in truths]),
        ("ite", t.INT, None, list(product(truths, numbers, numbers))),
    ]
    for op, sort, payload, arguments in calls:
        for a in arguments:
            raw = t.make(op, a, sort, payload)
            meant = t.evaluate([raw], {})[0]
            assert simplify_value(raw) == meant == t.constant(t.rebuild(raw, a)), raw
