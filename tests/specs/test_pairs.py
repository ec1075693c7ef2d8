"""Kozel of pairs, with the board of sixes: random deals with its options, and faults that promises notice."""

from pathlib import Path

import pytest

from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec" / "kozel_pairs.kozel"


@pytest.mark.parametrize(
    "options",
    [{}, {"leader_choice": 1, "lusya_rows": 2, "second_closed": False, "team_four_queens": 1, "ace_ban": False}],
    ids=["defaults", "others"],
)
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Twenty deals of matches, in which boasts are played: nobody is stuck, 120 points are counted, all holds."""
    assert broken_claims(load(SPEC).game, options, 20, seed=2) == set()


FAULTS = {  # the file, what stands there, what is planted instead, and the promise that notices
    "ninety-one for two rows": (
        "lib/pairs_board.kozel",
        "= if own >= 90 then 2 else 1",
        "= if own >= 91 then 2 else 1",
        "thirty: two rows",
    ),
    "eggs that do not wait": (
        "lib/pairs_board.kozel",
        "if egg_pair { egg_pairs += 1 }",
        "if egg_pair { egg_pairs := 1 }",
        "egg pairs add up",
    ),
    "the board stays where no trick was taken": (
        "lib/pairs_board.kozel",
        "      board[loser] := 0 ",
        "      board[loser] := board[loser] ",
        "not a single trick: the board goes back to the start",
    ),
    "an ace may never be thrown": (
        "lib/ace_ban.kozel",
        "    and suit(c) not in led_suits\n",
        "",
        "an ace may be thrown once its suit has been led",
    ),
    "the ban holds even with nothing else": (
        "lib/ace_ban.kozel",
        "= not banned(c) or every x in h : banned(x)  ",
        "= not banned(c) or every x in h : x == c  ",
        "with nothing but banned aces the ban lapses",
    ),
    "a third demand is granted": (
        "lib/new_deals.kozel",
        "if claims == 3 {",
        "if claims == 4 {",
        "a third demand is not granted: the dealer's side loses a pair",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    name, right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
