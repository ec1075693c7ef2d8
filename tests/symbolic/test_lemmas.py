"""Lemmas by the solver: what holds is proved, what fails comes with values on which the reference sees it fail."""

from dataclasses import replace

import pytest

from kozel_verify.interpret.evaluate import evaluate
from kozel_verify.interpret.state import State
from kozel_verify.model.core import Apply, Call, Compiled, Const, Expr, Game, Lemma, Local, Parameter
from kozel_verify.model.types import BOOL, NAT, CardType, SetType, Value
from kozel_verify.symbolic.lemmas import Failed, FailingCase, Proved, Unknown, prove_lemma, prove_matching
from tests.support.toy import toy_game

CARD, CARDS = CardType(6), SetType(CardType(6))
PACK = Const(0b111111, CARDS)


def card(name: str) -> Parameter:
    return Parameter(name, "", PACK, None, None, CARD)


def group(name: str, lo: int, hi: int) -> Parameter:
    return Parameter(name, "", PACK, Const(lo, NAT), Const(hi, NAT), CARDS)


def call(function: str, *names: str, of: CardType | SetType = CARD) -> Expr:
    return Call(function, tuple(Local(n, of) for n in names), BOOL)


def op(name: str, *args: Expr) -> Expr:
    return Apply(name, args, BOOL)


X, Y, Z = (card(n) for n in "xyz")
TRANSITIVE = op("implies", op("and", call("beats", "x", "y"), call("beats", "y", "z")), call("beats", "x", "z"))
SAME_SIZE = op("==", Apply("size", (Local("g", CARDS),), NAT), Apply("size", (Local("r", CARDS),), NAT))

HOLD = [
    Lemma("irreflexive", (X,), op("not", call("beats", "x", "x"))),
    Lemma("transitive", (X, Y, Z), TRANSITIVE),
    Lemma(
        "same_count",
        (group("r", 1, 2), group("g", 1, 2)),
        op("implies", call("captures", "r", "g", of=CARDS), SAME_SIZE),
    ),
]
FAIL = [
    Lemma("reflexive", (X,), call("beats", "x", "x")),
    Lemma("total", (X, Y), op("or", call("beats", "x", "y"), call("beats", "y", "x"))),
    Lemma("never", (group("r", 1, 2), group("g", 1, 2)), op("not", call("captures", "r", "g", of=CARDS))),
]


def value_in(game: Game, lemma: Lemma, case: FailingCase) -> Value:
    """The statement's value in the reference meaning."""
    cells: list[Value] = []
    for c in game.cells.values():
        count = 1 if c.index is None else 2
        cells.extend(case.cells.get((c.name, n), c.initial) for n in range(count))
    return evaluate(game, case.options, State(0, tuple(cells), (0,) * 6), lemma.statement, case.arguments)


@pytest.mark.parametrize("lemma", HOLD, ids=lambda x: x.name)
def test_a_lemma_that_holds_is_proved(lemma: Lemma) -> None:
    """Proved for all values of parameters, cells and options; one case for each combination of sizes."""
    answer = prove_lemma(toy_game(), lemma)
    assert isinstance(answer, Proved)
    assert answer.cases == (4 if lemma.name == "same_count" else 1)


@pytest.mark.parametrize("lemma", FAIL, ids=lambda x: x.name)
def test_a_false_lemma_fails_in_the_reference_too(lemma: Lemma) -> None:
    """Negative control: the solver's values make the statement false in the interpreter."""
    answer = prove_lemma(toy_game(), lemma)
    assert isinstance(answer, Failed)
    assert answer.case.undefined == ""
    assert value_in(toy_game(), lemma, answer.case) is False


def test_a_statement_without_a_value_is_a_failure() -> None:
    """A lemma must be defined everywhere: `only` of a group that may have two cards is not."""
    only = Apply("only", (Local("g", CARDS),), CARD)
    answer = prove_lemma(toy_game(), Lemma("lone", (group("g", 1, 2),), op("==", only, only)))
    assert isinstance(answer, Failed)
    assert answer.case.undefined == "`only` is not defined here"
    assert int(answer.case.arguments["g"] or 0).bit_count() == 2


def test_a_small_budget_is_unknown() -> None:
    """A query that uses up its budget is no proof."""
    answer = prove_lemma(toy_game(), HOLD[1], rlimit=10)
    assert isinstance(answer, Unknown)


def compiled(game: Game) -> Compiled:
    return next(p for p in game.properties if isinstance(p, Compiled))


@pytest.mark.parametrize("k", [1, 2, 3])
def test_pairing_equals_counting(k: int) -> None:
    """The ways to pair groups of k cards, and Hall's condition, are the same for the game's predicate."""
    assert isinstance(prove_matching(toy_game(), compiled(toy_game()), k), Proved)


def test_a_function_without_a_matching_is_refused() -> None:
    """There is nothing to compare, and that is said."""
    with pytest.raises(ValueError, match="`beats` has no matching"):
        prove_matching(toy_game(), replace(compiled(toy_game()), function="beats"), 1)
