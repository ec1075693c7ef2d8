"""Kozel with four cards: random deals with all numbers of players, small tables, what it shares with classic Kozel, and
faults that its claims notice."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.differ import Effort, Side, compare
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec"
GAME = "kozel_four_card.kozel"
FAULTS = {  # what stands there, what is planted instead, and the promise that notices
    "the dealer's left leads": (
        "if first_lead == by_dealer then dealer else first s",
        "if false then dealer else first s",
        "the dealer leads first, and those to his left answer in turn",
    ),
    "four of a plain suit go before the dealer": (
        "else plain_fours and is_four_suited(h)",
        "else is_four_suited(h)",
        "four of a plain suit wait for their turn",
    ),
    "four trumps are nothing": (
        "if k == four_trumps then is_four_trumps(h)",
        "if k == four_trumps then false",
        "of two hands of four trumps the nearer to the dealer leads",
    ),
    "discards are open": (
        "option discards = closed",
        "option discards = open",
        "all cards are beaten, or as many are thrown away face down",
    ),
    "whoever sits left of the dealer's left leads": (
        "else first s in playing clockwise after dealer",
        "else first s in playing clockwise after left(dealer)",
        "where it was agreed the dealer's left leads first",
    ),
}


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2},
        {"players": 3, "plain_fours": True, "discards": 1},
        {"players": 4, "first_lead": 1, "same_rank_lead": True, "limit": 6},
    ],
    ids=["two", "three", "four"],
)
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Ten random deals with each number of players: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC / GAME).game, options, 10, seed=1) == set()


def test_the_smaller_table_is_visited_whole() -> None:
    """Six cards and three seats: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC / GAME).small("three")), 20_000)
    assert closure.complete and closure.states == 18_799 and not closure.violations


def test_but_for_two_options_it_is_classic_kozel() -> None:
    """Where the dealer's left leads and four of a plain suit are declared too, nobody can tell the two games apart,
    proved; with the dealer's lead alone they differ."""
    classic, game = load(SPEC / "kozel_classic.kozel"), load(SPEC / GAME)
    little = Effort(states=20, deals=1)
    same = compare(Side(classic), Side(game, {"first_lead": 1, "plain_fours": True}), little)
    assert same.verdict == "equal"
    assert compare(Side(classic), Side(game, {"plain_fours": True}), little).verdict == "different"


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC / GAME, tmp_path, GAME, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC / GAME), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
