"""Burkozel to 61: random deals with all numbers of players, a small table, and faults of the kind seen in public
programs."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec" / "burkozel_61.kozel"
FAULTS = {  # what stands there, what is planted instead, and the promise that notices
    "nobody counts at the end": (
        "if most and (enough(s) or",
        "if most and (false or",
        "sixty-one points that nobody has claimed count at the end",
    ),
    "the last taker does not lead the next deal": (
        "opener := if winner is none then dealers_left() else winner",
        "opener := dealers_left()",
        "with three a false claim has one loser and no winner",
    ),
}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 3, "indicator_position": 1, "no_winner": 1, "combo_order": 4},
        {"players": 4, "indicator_position": 2, "no_winner": 2, "open_hands": 1, "moscow_lead": 1},
    ],
    ids=["as it comes", "three", "four"],
)
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Ten random deals: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC).game, options, 10, seed=1) == set()


def test_the_smaller_table_is_visited_whole() -> None:
    """Six cards and three seats, of which two play: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC).small("three")), 10_000)
    assert closure.complete and closure.states == 7_857 and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, SPEC.name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
