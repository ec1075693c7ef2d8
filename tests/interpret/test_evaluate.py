"""Expressions against literal values, in the toy game.

The state used: stock 6S QS; hands AS 6H (seat 0), QH (seat 1); table of seat 1: AH. Cards 0..5 are 6S QS AS 6H QH AH.
"""

from dataclasses import replace

import pytest

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.evaluate import evaluate
from kozel_verify.interpret.state import State
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    CellRead,
    Const,
    Expr,
    First,
    Function,
    If,
    Local,
    Lookup,
    Matching,
    Old,
    OptionRead,
    ZoneRead,
)
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import BOOL, NAT, OptionalType, RangeType, SetType, Type, Value
from tests.support.toy import CARD, CARDS, LEAD, SEAT, SEATS, SUIT, nat, op, rank, seat, suit, toy_game

GAME = toy_game()
CELLS: tuple[Value, ...] = (1, 1, 7, 9, 0, 0, 0, 0, 0, 0)  # trump hearts, leader seat 1, scores 7 and 9
STATE = State(LEAD, CELLS, (0, 0, 1, 1, 2, 4))
HERE = Span("toy", 3, 4, 3, 9)
BOOM = Apply("-", (nat(0), nat(1)), NAT, HERE)  # never has a value
BAD = Apply("==", (BOOM, nat(0)), BOOL)  # nor has this


def value(expr: Expr, ruffing: bool = True, **locals: Value) -> Value:
    return evaluate(GAME, {"ruffing": ruffing}, STATE, expr, locals)


def cards(mask: int) -> Const:
    return Const(mask, CARDS)


def bind(binding: Binding, domain: int, body: Expr, type_: Type = CARD) -> Bind:
    return Bind(binding, "x", cards(domain), body, type_)


X = Local("x", CARD)
HEART = op("==", suit(X), Const(1, SUIT))

APPLIED: list[tuple[str, tuple[Value, ...], Value]] = [
    ("not", (True,), False),
    ("not", (False,), True),
    ("and", (True, True), True),
    ("and", (True, False), False),
    ("and", (False, True), False),
    ("or", (False, False), False),
    ("or", (False, True), True),
    ("or", (True, False), True),
    ("implies", (True, False), False),
    ("implies", (True, True), True),
    ("implies", (False, False), True),
    ("==", (3, 3), True),
    ("==", (None, 0), False),
    ("!=", (3, 3), False),
    ("!=", (None, 3), True),
    ("<", (2, 3), True),
    ("<", (3, 3), False),
    ("<=", (3, 3), True),
    ("<=", (4, 3), False),
    (">", (3, 3), False),
    (">", (4, 3), True),
    (">=", (3, 3), True),
    (">=", (2, 3), False),
    ("+", (2, 3), 5),
    ("-", (5, 3), 2),
    ("-", (3, 3), 0),
    ("*", (4, 3), 12),
    ("div", (7, 3), 2),
    ("mod", (7, 3), 1),
    ("min", (7, 3), 3),
    ("max", (7, 3), 7),
    ("in", (2, 0b100), True),
    ("in", (1, 0b100), False),
    ("within", (0b100, 0b110), True),
    ("within", (0b101, 0b110), False),
    ("within", (0, 0), True),
    ("union", (0b100, 0b010), 0b110),
    ("intersect", (0b110, 0b011), 0b010),
    ("without", (0b110, 0b011), 0b100),
    ("size", (0b1011,), 3),
    ("set", (), 0),
    ("set", (0, 3, 3), 0b1001),
    ("span", (1, 4), 0b11110),
    ("span", (3, 2), 0),
    ("only", (0b1000,), 3),
    ("some", (3,), 3),
    ("value", (3,), 3),
]


@pytest.mark.parametrize(("name", "arguments", "result"), APPLIED)
def test_operators_have_these_values(name: str, arguments: tuple[Value, ...], result: Value) -> None:
    """Each operator means what the table of examples says."""
    found = value(Apply(name, tuple(Const(a, NAT) for a in arguments), NAT))
    assert found == result and type(found) is type(result)


def test_every_operator_has_an_example() -> None:
    """A new operator cannot come in without a literal value here."""
    assert {name for name, _, _ in APPLIED} == set(OPERATORS)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("-", (2, 3)), ("div", (1, 0)), ("mod", (1, 0)), ("only", (0,)), ("only", (3,)), ("value", (None,))],
)
def test_partial_operators_have_no_value_there(name: str, arguments: tuple[Value, ...]) -> None:
    """Partial operations are undefined at their gaps, and the error carries the place."""
    with pytest.raises(NotWellDefined) as caught:
        value(Apply(name, tuple(Const(a, NAT) for a in arguments), NAT, HERE))
    assert caught.value.span == HERE
    assert isinstance(caught.value, Undefined)


def test_the_place_of_an_error_is_the_smallest_clause() -> None:
    """A fault deep inside an expression is reported where it is, with the message first line."""
    outer = Apply("+", (nat(1), BOOM), NAT, Span("toy", 1, 1, 9, 9))
    with pytest.raises(NotWellDefined) as caught:
        value(outer)
    assert caught.value.span == HERE
    assert str(caught.value) == "toy:3:4: 0 - 1 is below zero"


@pytest.mark.parametrize(
    ("name", "left", "result"), [("and", False, False), ("or", True, True), ("implies", False, True)]
)
def test_lazy_operators_stop_when_decided(name: str, left: bool, result: bool) -> None:
    """What stands right of a deciding left side is not evaluated; otherwise it is."""
    assert value(op(name, Const(left, BOOL), BAD)) is result
    with pytest.raises(NotWellDefined):
        value(op(name, Const(not left, BOOL), BAD))


def test_eager_operators_evaluate_both_sides() -> None:
    """Only the three logical words are lazy."""
    with pytest.raises(NotWellDefined):
        value(op("==", Const(False, BOOL), BAD))


def test_if_evaluates_one_branch() -> None:
    """The branch that is not taken may be undefined."""
    assert value(If(Const(True, BOOL), nat(4), BOOM, NAT)) == 4
    assert value(If(Const(False, BOOL), BOOM, nat(5), NAT)) == 5
    with pytest.raises(NotWellDefined):
        value(If(Const(False, BOOL), nat(4), BOOM, NAT))


def test_reads() -> None:
    """Constants, variables, options, cells and zones are read as they stand in the state."""
    assert value(Const(None, OptionalType(SUIT))) is None
    assert value(Local("n", NAT), n=17) == 17
    assert value(OptionRead("ruffing", BOOL)) is True
    assert value(OptionRead("ruffing", BOOL), ruffing=False) is False
    assert value(CellRead("trump", None, SUIT)) == 1
    assert [value(CellRead("score", seat(n), NAT)) for n in (0, 1)] == [7, 9]
    assert value(ZoneRead("stock", None, CARDS)) == 0b000011
    assert [value(ZoneRead("hand", seat(n), CARDS)) for n in (0, 1)] == [0b001100, 0b010000]
    assert [value(ZoneRead("table", seat(n), CARDS)) for n in (0, 1)] == [0, 0b100000]


def test_reads_outside_of_a_family_have_no_value() -> None:
    """An index beyond the family is undefined, not another cell."""
    for wrong in (2, 7):
        with pytest.raises(NotWellDefined, match="`score` has no member"):
            value(CellRead("score", nat(wrong), NAT))
        with pytest.raises(NotWellDefined, match="`hand` has no member"):
            value(ZoneRead("hand", nat(wrong), CARDS))


def test_families_over_ranges_begin_at_their_first_number() -> None:
    """Slot 0 of a family over 3..4 belongs to 3."""
    score = replace(GAME.cells["score"], index=RangeType(3, 4))
    game = replace(GAME, cells={**GAME.cells, "score": score})
    read = [evaluate(game, {}, STATE, CellRead("score", nat(n), NAT), {}) for n in (3, 4)]
    assert read == [7, 9]


def test_lookup() -> None:
    """A table gives the entry of the key's index, and nothing beyond its end."""
    assert [value(rank(X), x=card) for card in range(6)] == [0, 1, 2, 0, 1, 2]
    assert [value(suit(X), x=card) for card in range(6)] == [0, 0, 0, 1, 1, 1]
    assert value(Lookup((None, 3), nat(0), OptionalType(NAT))) is None
    with pytest.raises(NotWellDefined):
        value(Lookup((1, 2), nat(2), NAT))


def test_calls_bind_only_their_parameters() -> None:
    """Arguments are passed by position; the caller's variables do not reach the body."""
    minus = Function("minus", (Local("a", NAT), Local("b", NAT)), op("-", Local("a", NAT), Local("b", NAT)), NAT)
    loose = Function("loose", (), Local("x", NAT), NAT)
    game = replace(GAME, functions={"minus": minus, "loose": loose})
    assert evaluate(game, {}, STATE, Call("minus", (nat(5), nat(3)), NAT), {}) == 2
    with pytest.raises(KeyError):
        evaluate(game, {}, STATE, Call("loose", (), NAT), {"x": 1})


def test_quantifiers() -> None:
    """``every``, ``some`` and ``those`` over sets of cards, the empty one included."""
    assert value(bind(Binding.EVERY, 0b111000, HEART, BOOL)) is True
    assert value(bind(Binding.EVERY, 0b101100, HEART, BOOL)) is False
    assert value(bind(Binding.EVERY, 0, HEART, BOOL)) is True
    assert value(bind(Binding.SOME, 0b001100, HEART, BOOL)) is True
    assert value(bind(Binding.SOME, 0b000111, HEART, BOOL)) is False
    assert value(bind(Binding.SOME, 0, HEART, BOOL)) is False
    assert value(bind(Binding.THOSE, 0b011010, HEART, CARDS)) == 0b011000


def test_bound_variables_shadow_and_end() -> None:
    """An inner variable hides an outer one of its name only inside of its body."""
    inner = bind(Binding.SOME, 0b000001, op("==", X, nat(0)), BOOL)
    assert value(op("and", inner, op("==", X, nat(5))), x=5) is True


def test_the() -> None:
    """``the`` is the only element, and undefined for none or several."""
    assert value(bind(Binding.THE, 0b001011, HEART)) == 3
    for domain in (0b000011, 0b011000, 0):
        with pytest.raises(NotWellDefined):
            value(bind(Binding.THE, domain, HEART))


def test_sum_and_top() -> None:
    """Sums add up the body; ``top`` is the unique element with the greatest body."""
    assert value(bind(Binding.SUM, 0b000110, Lookup((0, 3, 11), rank(X), NAT), NAT)) == 14
    assert value(bind(Binding.SUM, 0, nat(4), NAT)) == 0
    assert value(bind(Binding.TOP, 0b001111, rank(X))) == 2
    assert value(bind(Binding.TOP, 0b000001, rank(X))) == 0
    for domain in (0, 0b100100, 0b100101):
        with pytest.raises(NotWellDefined):
            value(bind(Binding.TOP, domain, rank(X)))
    assert value(bind(Binding.TOP, 0b011011, op("-", nat(9), X, type=NAT))) == 0  # ties below the top do not matter


@pytest.mark.parametrize("binding", list(Binding))
def test_binders_need_a_value_for_every_element(binding: Binding) -> None:
    """Definedness does not depend on the order in which elements are tried: one gap makes the whole undefined."""
    body: Expr = op("-", nat(4), X, type=NAT)  # undefined for card 5 only
    if binding in (Binding.EVERY, Binding.SOME, Binding.THOSE, Binding.THE):
        body = op(">", body, nat(3))
    with pytest.raises(NotWellDefined):
        value(bind(binding, 0b100001, body))
    assert value(bind(binding, 0b000001, body)) is not None


def first(domain: int, start: int, after: bool, body: Expr) -> First:
    return First("s", Const(domain, SEATS), seat(start), after, body, SEAT)


def test_first_goes_clockwise() -> None:
    """``from`` begins at the start, ``after`` at its left neighbour and comes to the start last."""
    yes = Const(True, BOOL)
    assert value(first(0b11, 1, False, yes)) == 1
    assert value(first(0b11, 1, True, yes)) == 0
    assert value(first(0b10, 1, True, yes)) == 1
    assert value(first(0b11, 0, False, op("==", Local("s", SEAT), seat(1)))) == 1
    for none in (first(0, 0, True, yes), first(0b11, 0, True, Const(False, BOOL))):
        with pytest.raises(NotWellDefined):
            value(none)


def test_first_goes_round_four_seats() -> None:
    """With four seats the search from seat 2 on is 2, 3, 0, 1; after it 3, 0, 1, 2."""
    game = replace(GAME, seats=4)
    later = op("!=", Local("s", SEAT), seat(3))
    assert evaluate(game, {}, STATE, first(0b1011, 2, False, Const(True, BOOL)), {}) == 3
    assert evaluate(game, {}, STATE, first(0b1111, 2, True, later), {}) == 0
    assert evaluate(game, {}, STATE, first(0b0111, 2, True, op("==", Local("s", SEAT), seat(2))), {}) == 2


def match(targets: int, replies: int, body: Expr) -> Matching:
    return Matching(cards(targets), cards(replies), "y", "x", body, BOOL)


HIGHER = op(">", rank(X), rank(Local("y", CARD)))


def test_matching_gives_each_target_its_own_reply() -> None:
    """A reply serves one target; spare replies and no targets are no hindrance."""
    assert value(match(0b000011, 0b110000, HIGHER)) is True  # 6S QS by QH AH
    assert value(match(0b001001, 0b000010, HIGHER)) is False  # two sixes, one queen
    assert value(match(0b001001, 0b000110, HIGHER)) is True
    assert value(match(0b000001, 0b100110, HIGHER)) is True
    assert value(match(0b010010, 0b000101, HIGHER)) is False  # two queens, one ace and a six
    assert value(match(0, 0, HIGHER)) is True
    assert value(match(0b000001, 0, HIGHER)) is False


def test_matching_looks_beyond_the_first_fit() -> None:
    """The first target must leave the ace to the second: a greedy search in canonical order fails here."""
    body = op(
        "or",
        op("==", Local("y", CARD), nat(0)),  # 6S is served by anything
        op("and", op("==", Local("y", CARD), nat(1)), op("==", X, nat(2))),  # QS by AS only
    )
    assert value(match(0b000011, 0b100100, body)) is True
    assert greedy({0: [2, 5], 1: [2]}) is False  # the control: serving in order takes the ace too early


def greedy(fits: dict[int, list[int]]) -> bool:
    used: set[int] = set()
    for replies in fits.values():
        free = [r for r in replies if r not in used]
        if not free:
            return False
        used.add(free[0])
    return True


def test_matching_needs_a_value_for_every_pair() -> None:
    """As with every binder, one undefined pair makes the matching undefined."""
    body = op(">", op("-", nat(4), X, type=NAT), nat(0))
    assert value(match(0b000001, 0b000110, body)) is True
    with pytest.raises(NotWellDefined):
        value(match(0b000001, 0b100010, body))


def test_toy_functions() -> None:
    """Ace takes queen of its suit; a heart (trump) takes a spade only where ruffing is on."""
    beats = Call("beats", (Local("x", CARD), Local("y", CARD)), BOOL)
    assert value(beats, x=2, y=1) is True
    assert value(beats, x=1, y=2) is False
    assert value(beats, x=3, y=2) is True
    assert value(beats, ruffing=False, x=3, y=2) is False
    assert value(beats, x=2, y=3) is False
    captures = Call("captures", (Local("r", CARDS), Local("g", CARDS)), BOOL)
    assert value(captures, r=0b101000, g=0b000110) is True
    assert value(captures, r=0b100000, g=0b000110) is False
    assert value(SetOfSuits, r=0) == 0b11


SetOfSuits = Apply("span", (nat(0), nat(1)), SetType(SUIT))


def test_the_state_before_a_step() -> None:
    """``Old`` has its value in the state before, with the same variables; around it the state is the one after."""
    before = State(LEAD, CELLS, (0, 0, 0, 1, 2, 4))
    stock = ZoneRead("stock", None, CARDS)
    missing = Apply("without", (Old(stock, CARDS), stock), CARDS)
    assert evaluate(GAME, {"ruffing": True}, STATE, missing, {}, before) == 0b100
    held = Bind(Binding.THOSE, "x", cards(0b111111), Old(op("in", X, stock), BOOL), CARDS)
    assert evaluate(GAME, {"ruffing": True}, STATE, held, {}, before) == 0b111
    with pytest.raises(NotWellDefined) as missing_value:
        evaluate(GAME, {"ruffing": True}, STATE, Old(BAD, BOOL), {}, before)
    assert missing_value.value.span == HERE


def test_no_state_before() -> None:
    """Negative control: without a step ``Old`` is a fault of the program."""
    with pytest.raises(AssertionError, match="only a claim about a step"):
        value(Old(X, CARD), x=3)
