"""A lemma is enumerated over its whole domain: counts are literal, a false lemma has its first counterexample."""

from collections.abc import Mapping
from dataclasses import replace

from kozel_verify.exhaustive.domains import Case, Enumeration, Refusal, enumerate_lemma
from kozel_verify.interpret.evaluate import evaluate
from kozel_verify.interpret.state import State
from kozel_verify.model.core import Call, Const, Expr, Game, Lemma, Local, OptionDecl, OptionRead, Parameter
from kozel_verify.model.types import BOOL, RangeType, Value
from tests.support.toy import CARD, CARDS, SUIT, TRUMP, cell, nat, op, seat, size, suit, toy_game, zone

X, Y, G, R = Local("x", CARD), Local("y", CARD), Local("g", CARDS), Local("r", CARDS)
PACK = Const(0b111111, CARDS)


def element(name: str, domain: Expr = PACK) -> Parameter:
    return Parameter(name, "", domain, None, None, CARD)


def group(name: str, lo: Expr, hi: Expr, domain: Expr = PACK) -> Parameter:
    return Parameter(name, "", domain, lo, hi, CARDS)


def run(lemma: Lemma, game: Game | None = None, limit: int = 100_000) -> Enumeration | Refusal:
    game = game or toy_game()

    def value(expr: Expr, local: Mapping[str, Value], options: Mapping[str, Value], cells: tuple[Value, ...]) -> Value:
        return evaluate(game, options, State(0, cells, (-1,) * 6), expr, local)

    return enumerate_lemma(game, lemma, value, limit)


def beats(x: Expr, y: Expr) -> Call:
    return Call("beats", (x, y), BOOL)


def captures(r: Expr, g: Expr) -> Call:
    return Call("captures", (r, g), BOOL)


def test_all_parameters_cells_and_options() -> None:
    """6 x 6 cards, 2 trumps (a cell read two calls deep) and 2 values of the option: 144 cases, all true."""
    asymmetric = Lemma("asymmetric", (element("x"), element("y")), op("not", op("and", beats(X, Y), beats(Y, X))))
    assert run(asymmetric) == Enumeration(144, 144, 144, None, None)


def test_false_lemma_has_the_first_counterexample() -> None:
    """Negative control: `no card beats another` first fails, with the option's default and trump spades, for 6S 6H."""
    none = Lemma("none", (element("x"), element("y")), op("not", beats(X, Y)))
    result = run(none)
    assert isinstance(result, Enumeration)
    # per option and trump 6 pairs are higher in their suit; with ruffing 9 more
    assert (result.cases, result.holds) == (144, 144 - 2 * (6 + 15))
    assert result.counterexample == Case({"ruffing": True}, {("trump", 0): 0}, {"x": 0, "y": 3}, "")


def test_option_that_matters_in_one_value() -> None:
    """A lemma false only away from the default is found: without ruffing no card beats one of another suit."""
    some = Lemma(
        "some", (element("x"), element("y")), op("implies", op("==", suit(X), suit(Y)), OptionRead("ruffing", BOOL))
    )
    result = run(some)
    assert isinstance(result, Enumeration)
    assert (result.cases, result.holds, result.premises) == (72, 54, 36)
    assert result.counterexample == Case({"ruffing": False}, {}, {"x": 0, "y": 0}, "")


def test_subsets_by_size_and_dependent_domains() -> None:
    """Groups of 1..2 cards and replies of the same size from the rest: 6·5 + 15·6 pairs, times trumps and options."""
    rest = op("without", PACK, G, type=CARDS)
    lemma = Lemma("pairs", (group("g", nat(1), nat(2)), group("r", size(G), size(G), rest)), op("not", captures(R, G)))
    result = run(lemma)
    assert isinstance(result, Enumeration)
    assert result.cases == 4 * (6 * 5 + 15 * 6)
    assert result.counterexample == Case({"ruffing": True}, {("trump", 0): 0}, {"g": 0b1, "r": 0b10}, "")


def test_vacuous_premise_is_counted() -> None:
    """A statement whose premise never holds is true everywhere, and its premises say 0."""
    lemma = Lemma("vacuous", (element("x"),), op("implies", beats(X, X), Const(False, BOOL)))
    assert run(lemma) == Enumeration(24, 24, 24, 0, None)


def test_undefined_is_a_failure() -> None:
    """A statement without a value somewhere is not a lemma: the case says why."""
    lemma = Lemma("difference", (element("x"),), op(">=", op("-", nat(3), X), nat(0)))
    result = run(lemma)
    assert isinstance(result, Enumeration)
    assert (result.cases, result.holds) == (6, 4)
    assert result.counterexample == Case({"ruffing": True}, {}, {"x": 4}, "3 - 4 is below zero")


def test_undefined_domain_is_a_failure() -> None:
    """A parameter's bound without a value is a failure, not an empty domain."""
    lemma = Lemma("bound", (group("g", op("-", nat(1), nat(2)), nat(2)),), Const(True, BOOL))
    result = run(lemma)
    assert isinstance(result, Enumeration)
    assert result.holds == 0 and result.counterexample is not None
    assert result.counterexample.undefined == "a parameter's domain: 1 - 2 is below zero"


def test_limit_refuses_with_the_size() -> None:
    """A domain above the limit is not touched: exactly at the limit it is enumerated, one below it is refused."""
    lemma = Lemma("pairs", (element("x"), element("y")), op("not", op("and", beats(X, Y), beats(Y, X))))
    assert isinstance(run(lemma, limit=144), Enumeration)
    refused = run(lemma, limit=143)
    assert refused == Refusal(144, False, "more than 143 cases")


def test_large_domain_is_refused_without_enumerating() -> None:
    """2^6 · 2^6 · 2^6 groups are counted by formula: the refusal is immediate and at least the limit."""
    names = ("g", "r", "q")
    lemma = Lemma("big", tuple(group(n, nat(0), nat(6)) for n in names), op("==", G, G))
    refused = run(lemma, limit=1000)
    assert isinstance(refused, Refusal) and refused.size == 64**3


def test_cells_alone_may_be_too_many() -> None:
    """A lemma that reads set cells has 64 values for each: over the limit it is refused by their number."""
    lemma = Lemma("cells", (), op("==", cell("group", CARDS), cell("reply", CARDS)))
    assert run(lemma, limit=4095) == Refusal(4096, False, "4096 values of the cells and options it reads")
    result = run(lemma, limit=4096)
    assert isinstance(result, Enumeration)
    assert (result.cases, result.holds) == (4096, 64)


def test_zones_and_endless_cells_are_refused() -> None:
    """A lemma that reads a zone or a natural number without bound has no domain to enumerate."""
    hands = Lemma("hands", (), op("==", zone("hand", seat(0)), PACK))
    assert run(hands) == Refusal(None, False, "reads a zone: `hand`")
    scores = Lemma("scores", (), op("==", cell("score", RangeType(0, 9), seat(0)), nat(0)))
    assert run(scores) == Refusal(None, False, "`score` has no greatest value")


def test_constraints_exclude_combinations() -> None:
    """Options tied by a constraint to one that is read are varied too; excluded combinations are not visited."""
    game = toy_game()
    other = OptionDecl("open", BOOL, (False, True), False, False, {})
    tied = op("implies", OptionRead("open", BOOL), op("not", OptionRead("ruffing", BOOL)))
    game = replace(game, options={**game.options, "open": other}, constraints=(tied,))
    lemma = Lemma("ruff", (), OptionRead("ruffing", BOOL))
    result = run(lemma, game)
    assert isinstance(result, Enumeration)
    assert (result.cases, result.holds) == (3, 1)
    assert result.counterexample == Case({"ruffing": False, "open": False}, {}, {}, "")


def test_quantified_variable_is_not_a_parameter() -> None:
    """Domain dependence is seen through names: a later domain that uses an earlier parameter is counted by values."""
    same_suit = Lemma(
        "count", (element("x"), group("r", nat(1), nat(1), op("set", X, type=CARDS))), op("==", suit(X), TRUMP)
    )
    result = run(same_suit)
    assert isinstance(result, Enumeration)
    assert (result.cases, result.holds) == (12, 6)
    assert SUIT.count == 2
