"""Pure functions of two games: what is counted is counted exactly, and the smallest difference is one."""

from itertools import combinations

import pytest

from kozel_verify.exhaustive.groups import all_pairings
from kozel_verify.interpret.chance import Generator
from kozel_verify.model.types import Value
from kozel_verify.verify.differ import groups, pairings
from kozel_verify.verify.differ.functions import FunctionAnswer, Verdict
from kozel_verify.verify.differ.groups import compared_functions, equal_functions
from kozel_verify.verify.differ.pairings import differing_pairs, smallest_pair
from kozel_verify.verify.differ.sides import Side
from tests.verify.differ_games import side


def answers(*exchanged: tuple[str, str], cases: int = 100_000) -> dict[str, FunctionAnswer]:
    return {f.name: f for f in compared_functions(side(), side(*exchanged), cases, 5_000_000)}


BEATS = ("suit(x) == suit(y) and rank(x) above rank(y) in high", "rank(x) above rank(y) in high")


def test_a_changed_predicate_and_what_calls_it() -> None:
    """Of 36 pairs of cards, 6 of different suits change sides (three ranks, so three ordered pairs each way); the pairs
    of groups are counted for the predicate that rests on it."""
    found = answers(BEATS)
    beats, covers = found["beats"], found["covers"]
    assert list(found) == ["beats", "covers"]
    assert (beats.verdict, beats.cases, beats.differing, beats.own) == (Verdict.COUNTED, 36, 6, True)
    assert beats.smallest is not None and beats.smallest.arguments == (1, 3) and beats.smallest.results == (False, True)
    assert (covers.verdict, covers.own) == (Verdict.COUNTED, False)


def test_pairs_of_groups_against_enumeration() -> None:
    """The 22 by 22 pairs of groups of at most two cards are few enough to be visited: the same differing pairs are
    found as by counting disjoint groups of equal size, since no others fit."""
    whole = answers(BEATS)["covers"]
    counted = answers(BEATS, cases=400)["covers"]
    assert whole.cases == 22 * 22 and whole.counted == "groups of up to 2 cards"
    assert counted.cases == 6 * 5 + 15 * 6 and counted.counted.startswith("pairs of disjoint groups of equal size")
    assert 0 < counted.differing <= whole.differing
    for answer in (whole, counted):
        assert answer.smallest is not None and answer.smallest.arguments == (1 << 1, 1 << 3)


@pytest.mark.parametrize("seed", range(6))
def test_counting_is_plain_enumeration(seed: int) -> None:
    """For random relations between seven cards and groups of one to three: as many differing pairs as one by one."""
    dice = Generator(seed)
    cards = range(7)
    relations = tuple([sum(dice.below(2) << c for c in cards if c != t) for t in cards] for _ in range(2))
    for size in (1, 2, 3):
        cases = differing = 0
        for targets in combinations(cards, size):
            for replies in combinations([c for c in cards if c not in targets], size):
                rows = [[sum((r[t] >> c & 1) << n for n, c in enumerate(replies)) for t in targets] for r in relations]
                cases += 1
                differing += all_pairings(rows[0]) is not all_pairings(rows[1])
        assert differing_pairs(cards, size, (relations[0], relations[1])) == (cases, differing)
        assert (smallest_pair(cards, size, (relations[0], relations[1])) is None) == (differing == 0)


def test_a_wrong_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: when groups of replies are counted once instead of as often as they occur, the numbers differ
    from those of the enumeration."""
    monkeypatch.setattr(pairings, "prod", lambda numbers: 1)
    with pytest.raises(AssertionError):
        for seed in range(6):
            test_counting_is_plain_enumeration(seed)


def test_equal_functions_are_told_so() -> None:
    """An `and` turned round changes nothing in any of the 36 cases, and that is all cases there are."""
    found = answers((BEATS[0], "rank(x) above rank(y) in high and suit(x) == suit(y)"))["beats"]
    assert (found.verdict, found.cases, found.differing, found.equal) == (Verdict.COUNTED, 36, 0, True)
    assert found.smallest is None


def test_groups_are_never_the_whole_domain() -> None:
    """A function over groups that agrees on all groups that a choice can name is not taken to be equal on all."""
    found = answers(("|g| in 1..2 and", "|g| in 1..2 and |g| < 3 and"))["group"]
    assert (found.verdict, found.cases, found.differing, found.equal) == (Verdict.COUNTED, 22, 0, False)


def test_an_option_is_part_of_the_situation() -> None:
    """The prize depends on an option: seven numbers under three values, of which one value makes a difference."""
    found = answers(("n * 2 + bonus", "if bonus == 2 then 1 else n * 2 + bonus"))["prize"]
    assert (found.cases, found.differing) == (21, 7)
    assert found.smallest is not None and found.smallest.options[0]["bonus"] == 2


def test_what_is_too_large_is_put_to_the_solver() -> None:
    """Beyond the limit the solver finds a difference, or proves that there is none for groups of these sizes."""
    found = answers(("|g| in 1..2 and", "|g| == 1 and"), cases=10)["group"]
    assert found.verdict is Verdict.AT_LEAST_ONE and found.smallest is not None
    assert found.smallest.results == (True, False)
    same = answers(("|g| in 1..2 and", "|g| in 1..2 and |g| < 3 and"), cases=10)["group"]
    assert same.verdict is Verdict.EQUAL and not same.equal


def test_a_solver_that_gives_up_decides_nothing() -> None:
    """Without solver units nothing is known of a function with too many cases, and without a solver neither."""
    other = ("(some t in Suit : every c in g : suit(c) == t)", "every c in g : every d in g : suit(c) == suit(d)")
    first, second = side(), side(other)
    for budget in (1, None):
        found = {f.name: f for f in compared_functions(first, second, 10, budget)}["group"]
        assert (found.verdict, found.equal, found.different) == (Verdict.OPEN, False, False)


ROOM = ("laid := |g|", "laid := left_to(opener)")


def room(body: str) -> Side:
    return side(ROOM, ("  function prize", f"  function left_to(s : Seat) : 0..9 = {body}\n  function prize"))


def test_the_solver_may_decide_the_whole_domain() -> None:
    """What a zone leaves of five: written with `>` instead of `>=` it is the same for whatever lies in the zone, so the
    two are equal and a proof may take them so. Controls: with another answer for five cards it is another function, and
    so is one that has no value for all six."""
    guarded = room("if |hand[s]| >= 5 then 0 else 5 - |hand[s]|")
    for body, same in (
        ("if |hand[s]| > 5 then 0 else 5 - |hand[s]|", True),
        ("if |hand[s]| > 4 then 1 else 5 - |hand[s]|", False),
        ("5 - |hand[s]|", False),
    ):
        (answer,) = compared_functions(guarded, room(body), 100_000, 2_000_000)
        assert (answer.name, answer.equal) == ("left_to", same)
        assert equal_functions(guarded, room(body), 100_000, 2_000_000) == ["left_to"] * same


def test_the_solver_is_asked_of_what_is_written_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a proof a function that differs only in what it calls is unfolded: the solver is asked of the other one."""
    asked: list[str] = []
    solved = groups._solved

    def seen(a: Side, b: Side, name: str, own: bool, budget: int | None, why: str) -> FunctionAnswer:
        asked.extend([name] if budget else [])
        return solved(a, b, name, own, budget, why)

    monkeypatch.setattr(groups, "_solved", seen)
    pair = [
        room(f"ten(s) - 1\n  function ten(s : Seat) : 1..10 = {body}")
        for body in ("10 - |hand[s]|", "9 - |hand[s]| + 1")
    ]
    equal_functions(pair[0], pair[1], 100, 2_000_000)
    assert asked == ["ten"]
    asked.clear()
    compared_functions(pair[0], pair[1], 100, 2_000_000)
    assert asked == ["ten", "left_to"]


def test_functions_that_play_does_not_use_are_left_out() -> None:
    """A function that only properties could use is no rule."""
    more = ("function prize", "function unused(n : 0..2) : 0..9 = n\n  function prize")
    also = ("function prize", "function unused(n : 0..2) : 0..9 = n + 1\n  function prize")
    assert compared_functions(side(more), side(also), 100_000, 1_000_000) == []


def test_options_that_are_settled_otherwise() -> None:
    """Of one text with an option settled otherwise, the functions that read it are compared: `prize` in all seven
    situations; what both sides settle alike, or nobody, is no difference."""
    spec = side().spec

    def compared(first: dict[str, Value], second: dict[str, Value]) -> list[FunctionAnswer]:
        return compared_functions(Side(spec, first), Side(spec, second), 100, 1_000_000)

    (prize,) = compared({"bonus": 1}, {"bonus": 2})
    assert (prize.name, prize.own, prize.differing, prize.cases) == ("prize", True, 7, 7)
    assert prize.smallest is not None and prize.smallest.results == (1, 2)
    assert [f.name for f in compared({}, {"bonus": 2})] == ["prize"]
    assert compared({}, {"bonus": 1}) == compared({"bonus": 2}, {"bonus": 2}) == compared({}, {"opener": 1}) == []
