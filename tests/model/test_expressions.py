"""Expressions mean what they say: types, values, ranges, and errors at the smallest place."""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.language import syntax
from kozel_verify.model.core import Const
from kozel_verify.model.expressions import RULES
from kozel_verify.model.expressions.intervals import interval
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import NAT, RangeType, Type
from tests.model.frame import FIRST_ITEM_LINE, body, codes, game, problems, value

PLAIN = "order plain = A > 10 > 6\n"
# Cards of the sample deck: 0 6♠, 1 10♠, 2 A♠, 3 6♥, 4 10♥, 5 A♥. Suits: 0 ♠, 1 ♥. Ranks: 0 6, 1 10, 2 A.


def test_every_expression_has_a_rule() -> None:
    """No kind of expression of the syntax is without a rule, and there is no rule for anything else."""
    assert set(RULES) == set(get_args(syntax.Expression))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("2 + 3 * 4 == 14", True),
        ("(2 + 3) * 4 == 20", True),
        ("7 div 2 == 3 and 7 mod 2 == 1", True),
        ("5 - 2 - 1 == 2", True),
        ("min(3, 2) == 2 and max(3, 2) == 3", True),
        ("1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3", True),
        ("not true or false implies false", True),
        ("true implies false implies false", True),
        ("3 in 1..4 and 5 not in 1..4 and 3 in {1, 3}", True),
        ("rank(10♥) == 10 and 10 == rank(10♠)", True),
        ("rank(6♥) in {A, 6} and rank(6♥) in {6, A} and rank(10♥) in {10}", True),
        ("{10, 6} == {rank(6♠), rank(10♠)}", True),
        ("suit(6♥) == ♥ and suit(6♥) == hearts and suit(A♠) != hearts", True),
        ("JH == JH", None),
        ("Ah == A♥ and 10s == 10♠ and АВ == 1", None),
        ("Ah == A♥ and 10s == 10♠ and Т♥ == A♥", True),
        ("left(seat 1) == seat 2 and right(seat 1) == seat 2", True),
        ("|{6♠, A♠}| == 2 and |{}| == 0", None),
        ("|{6♠, A♠} without {6♠}| == 1", True),
        ("{6♠} union {A♠} == {A♠, 6♠} and {6♠} intersect {A♠} == {}", True),
        ("{} within {6♠} and {6♠} within pack and not {6♠, A♥} within {6♠}", True),
        ("only({A♥}) == A♥", True),
        ("|pack| == 6 and |Card| == 6 and |Suit| == 2 and |Rank| == 3 and |all| == 2 and |nobody| == 0", True),
        ("every c in Card : some t in Suit : suit(c) == t", True),
        ("(those c in Card where rank(c) == A) == {A♠, A♥}", True),
        ("(the c in Card where rank(c) == A and suit(c) == ♥) == A♥", True),
        ("(sum c in {6♠, A♥} of (if rank(c) == A then 11 else 0)) == 11", True),
        ("(top c in {6♠, 10♠} by (if rank(c) == 10 then 10 else 1)) == 10♠", True),
        ("(first s in all clockwise after seat 1) == seat 2", True),
        ("(first s in all clockwise after seat 1 where s == seat 1) == seat 1", True),
        ("(if 1 < 2 then 3 else 4) == 3", True),
        ("cases { when 1 > 2 -> 1 when 2 > 1 -> 2 else 3 } == 2", True),
    ],
)
def test_values(expression: str, expected: bool | None) -> None:
    """Each has this value; `None`: it is not well typed."""
    if expected is None:
        assert codes(f"predicate probe = {expression}") != []
    else:
        assert value(expression) is expected


def test_orders() -> None:
    """Places count from the weakest, 0 is no place; orders may be of ranks, cards, suits, seats or items."""
    orders = (
        PLAIN
        + """
    order two_cards = 6♠ > A♥
    order colours = ♥ > ♠
    order turns = seat 2 > seat 1
    type Bid = low | high
    order bids = high > low
    order numbers = 10 > 6"""
    )
    assert value("place of A in plain == 3 and place of 10 in plain == 2 and place of 6 in plain == 1", items=orders)
    assert value("place of 6♠ in two_cards == 2 and place of A♥ in two_cards == 1", items=orders)
    assert value("place of 6♥ in two_cards == 0", items=orders)
    assert value("♥ above ♠ in colours and seat 2 above seat 1 in turns and high above low in bids", items=orders)
    assert value("not 6 above 6 in plain and 10 above 6 in numbers and rank(A♠) above rank(6♥) in plain", items=orders)
    assert codes("order o = 6♠ > A") == ["type"]
    assert codes(PLAIN + "predicate p = 6♠ above A♠ in plain") == ["type"]
    assert codes("order o = true > false") == ["order"]


def test_matching() -> None:
    """Each card of the left set gets its own card of the right set, which beats it; the reply is the first argument."""
    beats = "predicate beats(x : Card, y : Card) = suit(x) == suit(y) and rank(x) above rank(y) in plain\n" + PLAIN
    assert value("matching {6♠, 10♠} -> {10♠, A♠} by beats", items=beats)
    assert not value("matching {10♠, A♠} -> {6♠, 10♠} by beats", items=beats)
    assert not value("matching {6♠, 6♥} -> {10♠, A♠} by beats", items=beats)
    assert value("matching {} -> {} by beats", items=beats)
    assert codes("predicate p = matching {6♠} -> {A♠} by q\npredicate q(x : Card) = true") == ["type"]
    assert codes("predicate p = matching {6♠} -> {A♠} by q") == ["unknown-name"]


def test_tables() -> None:
    """A table has a value for each key, or `else`; keys are ranks, suits, items, seats or numbers."""
    tables = """const worth = {A: 11, 10: 10, else 0}
    const by_suit = {♠: 1, ♥: 2}
    const norm = {2: 61, 3: 41, 4: 31}
    const part = {2: 61, 3: 41, else 7}"""
    assert value("worth[A] == 11 and worth[rank(10♠)] == 10 and worth[6] == 0", items=tables)
    assert value("by_suit[♠] == 1 and by_suit[suit(6♥)] == 2", items=tables)
    assert value("norm[2] == 61 and norm[4] == 31", items=tables)
    assert value("part[0] == 7 and part[1] == 7 and part[2] == 61 and part[3] == 41 and part[99] == 7", items=tables)
    assert codes(tables + "\npredicate p = norm[5] == 1") == ["range"]
    assert codes(tables + "\npredicate p = norm[1] == 1") == ["range"]
    assert codes("const t = {A: 1, A: 2, else 3}") == ["table"]
    assert codes("const t = {A: 1}") == ["table"]
    assert codes("const t = {0: 1, 99999: 2, else 0}") == ["too-large"]


def test_optionals() -> None:
    """`none` equals only `none`; a plain value is wrapped, an optional one unwrapped, where the other is wanted."""
    items = "state trump : Suit? = none\nstate turned : Suit? = ♥\n"
    assert value("trump is none and trump == none and none == trump and turned is not none", items=items)
    assert value("turned == ♥ and ♥ == turned and trump != ♥ and turned != trump", items=items)
    assert value("(if trump is none then turned else trump) == ♥", items=items)
    assert value("(if trump is none then none else suit(6♠)) is none", items=items)
    assert value("(if 1 < 2 then suit(6♥) else none) == ♥", items=items)
    assert value("{turned} == {♥} and turned in Suit", items=items)
    assert codes(items + "predicate p = suit(6♠) is none") == ["type"]
    assert codes(items + "predicate p = suit(6♠) == none") == ["type"]
    assert codes("predicate p = none == none") == ["type"]
    with pytest.raises(NotWellDefined):
        value("trump in Suit", items=items)


def test_enumerations() -> None:
    """Items stand for themselves; those that two types share follow their neighbour; `Outcome` has its own."""
    items = "type Bid = low | high\ntype Size = low | mid\nstate bid : Bid = low\nstate size : Size = low\n"
    assert value("bid == low and low == bid and size == low and size != mid and |Bid| == 2", items=items)
    assert value("bid in {low, high} and (if true then low else bid) == bid", items=items)
    assert codes(items + "predicate p = |{low}| == 1") == ["ambiguous"]
    options = "option a : no | yes = no\noption b : no | yes = yes\n"
    assert value("a == no and b == yes and a != b", items=options)


def test_outcome_items() -> None:
    """`won` may also be the name of a zone: where an outcome is wanted it is the outcome."""
    made = game("zone won seen by all")
    assert made.zones["won"].name == "won"
    assert codes("zone won seen by all\nfunction f(s : Seat) : Outcome = if |won| == 0 then lost else won") == []


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("6♠ == ♠", "type"),
        ("1 + true", "type"),
        ("6♠ < A♠", "type"),
        ("{6♠, ♥} == {}", "type"),
        ("|6♠| == 1", "type"),
        ("hand == {}", "type"),
        ("hand[seat 1][seat 2] == {}", "syntax"),
        ("stock[seat 1] == {}", "type"),
        ("hand(seat 1) == {}", "type"),
        ("nope(1) == 1", "unknown-name"),
        ("suit(6♠, A♠) == ♠", "arguments"),
        ("seat 3 == seat 1", "range"),
        ("K♠ == 6♠", "no-card"),
        ("rank(6♠) == 7", "no-card"),
        ("suit(6♠) == ♦", "no-card"),
        ("6♠ in 1..4", "type"),
        ("{} == {}", "type"),
        ("unserved(s) == {}", "type"),
        ("1 in 0..100000", None),
        ("|(0..100000)| == 1", "too-large"),
        ("|{2000}| == 1", "too-large"),
        ("every s in all : every s in all : true", "clash"),
        ("every stock in all : true", "clash"),
        ("every all in Seat : true", "clash"),
        ("sum c in Card of c == 1", "type"),
        ("(first c in Card clockwise from seat 1) == seat 1", "type"),
    ],
)
def test_ill_typed(expression: str, code: str | None) -> None:
    """Each has exactly one error, of this code."""
    assert codes(f"predicate probe = {expression}") == ([] if code is None else [code])


def test_places_of_errors() -> None:
    """The error stands at the smallest part at fault, and the hint names the nearest name."""
    [error] = problems("predicate p = |stock| == 3 and opun_cards == {}")
    assert (error.span.line, error.span.column, error.span.end_column) == (FIRST_ITEM_LINE, 32, 42)
    assert error.message == "there is nothing called `opun_cards` here" and error.hint == "did you mean `open_cards`?"
    [error] = problems("predicate p = min(1, ♠) == 1")
    assert (error.span.column, error.span.end_column) == (22, 23)
    assert error.message == "a number is wanted, this is a Suit"


def test_constants_are_folded() -> None:
    """Closed expressions are values before play; what reads the state is not."""
    assert body("every c in Card : suit(c) in Suit") == Const(True, body("true").type)
    assert isinstance(body("(sum c in Card of place of rank(c) in plain) == 12", items=PLAIN), Const)
    assert not isinstance(body("every c in stock : true"), Const)
    assert isinstance(body("false and |stock| == 1"), Const)
    assert not isinstance(body("1 - 2 == 0"), Const)  # it has no value: left to be proved unreachable


def test_large_numbers() -> None:
    """Numbers have at most 12 digits in a text, and stay bounded when they are computed."""
    assert codes("const n = 999999999999") == []
    assert codes("const n = 1000000000000") == ["too-large"]
    chain = "const a0 = 999999999999\n" + "\n".join(f"const a{i + 1} = a{i} * a{i}" for i in range(60))
    assert codes(chain)[0] == "too-large" and len(codes(chain)) == 1
    big = "999999999999 * 999999999999 * 999999999999"
    assert body(f"n * {big}", "Nat", parameters="n : 0..9").type == NAT


def test_constants_in_any_order() -> None:
    """Constants, tables and orders may stand in any order; a circle is one error."""
    assert value("a == 3", items="const a = b + 1\nconst b = t[A]\nconst t = {A: c, else 0}\nconst c = 2")
    assert value("lo == 1", items="state n : lo..hi = 1\nconst hi = lo + 1\nconst lo = 1")
    [error] = problems("const a = b\nconst b = c\nconst c = a\nconst d = a")
    assert (error.code, error.message) == ("circular", "`a` is defined by itself")
    deep = "\n".join(f"const a{i} = a{i + 1} + 1" for i in range(3000)) + "\nconst a3000 = 0"
    assert codes(deep) == []


# --- ranges ----------------------------------------------------------------------------------------------------------

ranges = st.builds(lambda a, b: RangeType(min(a, b), max(a, b)), st.integers(0, 6), st.integers(0, 6))
numbers = ranges | st.just(NAT)


def samples(type_: Type) -> range:
    return range(type_.lo, type_.hi + 1) if isinstance(type_, RangeType) else range(9)


@given(st.sampled_from(["+", "-", "*", "div", "mod", "min", "max"]), numbers, numbers)
def test_interval_holds_every_result(operator: str, a: Type, b: Type) -> None:
    """What an operation gives on any two numbers of its ranges lies in the range that is inferred."""
    found = interval(operator, a, b)
    for x in samples(a):
        for y in samples(b):
            try:
                result = OPERATORS[operator].meaning(x, y)
            except Undefined:
                continue
            assert found == NAT or (isinstance(found, RangeType) and found.lo <= int(result or 0) <= found.hi)


@given(st.sampled_from(["+", "*", "min", "max"]), ranges, ranges)
def test_interval_is_tight(operator: str, a: RangeType, b: RangeType) -> None:
    """For the operations that grow with both sides, both ends of the range are reached."""
    found = interval(operator, a, b)
    results = {int(OPERATORS[operator].meaning(x, y) or 0) for x in samples(a) for y in samples(b)}
    assert found == RangeType(min(results), max(results))


def test_sums_of_sizes_count_no_card_twice() -> None:
    """The sizes of different zones add up to no more than the deck; those of one zone counted twice may."""

    def of(expression: str) -> Type:
        return body(expression, "Nat", "state t : Seat = seat 1").type

    assert of("|stock| + |open_cards|") == RangeType(0, 6)
    assert of("|stock| + |open_cards| + |hand[seat 1]| + |hand[seat 2]|") == RangeType(0, 6)
    assert of("|stock| + (sum s in Seat of |hand[s]|)") == RangeType(0, 6)
    assert of("sum s in Seat of |hand[s]|") == RangeType(0, 6)
    assert of("|stock| + |stock|") == RangeType(0, 12)
    assert of("|hand[seat 1]| + |hand[seat 1]|") == RangeType(0, 12)
    assert of("|hand[t]| + |hand[seat 1]|") == RangeType(0, 12)
    assert of("|hand[seat 1]| + (sum s in Seat of |hand[s]|)") == RangeType(0, 12)
    assert of("sum s in Seat of |stock|") == RangeType(0, 12)
    assert of("|stock| + |stock union open_cards|") == RangeType(0, 12)
    assert of("|stock| + 1") == RangeType(1, 7)


def test_promises() -> None:
    """A function's range holds its body's, an argument's lies in its parameter's; else an error at that place."""
    assert codes("function f(n : 0..3) : 0..4 = n + 1") == []
    assert codes("function f(n : 0..3) : 0..3 = n + 1") == ["range"]
    assert codes("function f(n : Nat) : 0..3 = n") == ["range"]
    assert codes("function f(n : 0..3) : Nat = n\npredicate p = f(3) == 3") == []
    assert codes("function f(n : 0..3) : Nat = n\npredicate p = f(4) == 3") == ["range"]
    assert codes("function f(n : 0..3) : Nat = n\nfunction g(n : Nat) : Nat = f(n)") == ["range"]
    assert codes("function f(n : 0..3) : Nat = n\nfunction g(n : Nat) : Nat = f(min(n, 3))") == []
    assert codes("function f(n : 0..3) : 0..3? = if n == 0 then none else n") == ["syntax"]  # no such type is written


def test_nested_cases_are_fast() -> None:
    """Literals in deep conditionals are given a type once, not once for each level."""
    deep = "1"
    for _ in range(40):
        deep = f"(if stock == {{}} then {deep} else 2)"
    assert codes(f"function f() : 0..9 = {deep}") == []
    assert codes(f"predicate p = {deep} == 1") == []
