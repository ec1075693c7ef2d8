"""Bura: random deals with all numbers of players, small tables, and faults of the kind seen in public programs."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec" / "bura.kozel"
FAULTS = {  # the file, what stands there, what is planted instead, and the promise that notices
    "a point too few is enough": (
        "lib/own_piles.kozel",
        "points(won[s]) >= goal",
        "points(won[s]) + 1 >= goal",
        "thirty points are not enough: with two the other wins",
    ),
    "three trumps led win only if they were declared": (
        "bura.kozel",
        "if |table[leader]| == whole_hand and",
        "if declared is not none and |table[leader]| == whole_hand and",
        "a lead of three trumps wins before anybody answers",
    ),
    "the same dealer after a decided deal": (
        "lib/own_piles.kozel",
        "dealer := first s in at_table() clockwise after dealer",
        "dealer := first s in at_table() clockwise from dealer",
        "with three the false claim has one loser and no winner",
    ),
    "three of a suit go before three aces": (
        "bura.kozel",
        "three_trumps > three_aces > three_suited",
        "three_trumps > three_suited > three_aces",
        "three aces go before three of a suit, and are led together",
    ),
    "cards thrown away stay on the table": (
        "lib/own_piles.kozel",
        "move thrown[s] from thrown[s] to won[taker]",
        "move {} from thrown[s] to won[taker]",
        "thirty-one points are enough",
    ),
}


@pytest.mark.parametrize("players", range(4), ids=["two", "three", "four", "six"])
def test_random_deals_keep_every_claim(players: int) -> None:
    """Ten random deals with each number of players: nobody is stuck, all invariants hold."""
    options = {"players": players, "discards": players % 2, "same_rank_lead": players % 2 == 1, "session": players // 2}
    assert broken_claims(load(SPEC).game, options, 10, seed=1) == set()


def test_the_smaller_table_is_visited_whole() -> None:
    """Six cards and three seats, of which two play: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC).small("three")), 10_000)
    assert closure.complete and closure.states == 5_533 and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    name, right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
