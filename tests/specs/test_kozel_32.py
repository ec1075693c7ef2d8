"""Kozel with 32 cards: random deals, a small table, and faults in the rules that promises notice."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec" / "kozel_32.kozel"
FAULTS = {  # the file, what stands there, what is planted instead, and the promise that notices
    "a queen answers in its printed suit": (
        "kozel_32.kozel",
        "rank(c) in {Q, J} or suit(c) == trump",
        "rank(c) == J or suit(c) == trump",
        "queens and jacks do not follow their printed suit",
    ),
    "equal sums go to the other side": (
        "lib/diamonds_first.kozel",
        "side_sum(opponents(side(best))) > side_sum(side(best))",
        "side_sum(opponents(side(best))) >= side_sum(side(best))",
        "of equal sums the strongest card decides",
    ),
    "diamonds are forgotten where a trump was led": (
        "lib/diamonds_first.kozel",
        "if first_trick() then c in to_open(h)",
        "if first_trick() and led() is not none then c in to_open(h)",
        "diamonds are laid although a trump was led",
    ),
    "ninety points are four": (
        "kozel_32.kozel",
        "when own > 90 -> 4",
        "when own >= 90 -> 4",
        "ninety are still two",
    ),
    "twelve points are enough to play": (
        "kozel_32.kozel",
        "points(h) < redeal_below",
        "points(h) + 1 < redeal_below",
        "a hand of twelve points is dealt anew by the same dealer",
    ),
    "both win the set": (
        "kozel_32.kozel",
        "wins_set(d : Side) = total[d] >= set_target and total[d] > total[opponents(d)]",
        "wins_set(d : Side) = total[d] >= set_target and total[d] >= total[opponents(d)]",
        "both come to fourteen: one more deal",
    ),
}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"capture": 1, "trump_lead_ban": 1, "indicator": 1, "redeal_below": 14},
        {"capture": 1, "trump_lead_ban": 2, "tie60": 1, "all_tricks": 1, "set_target": 16},
    ],
    ids=["as it comes", "sums", "bans"],
)
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Ten random deals: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC).game, options, 10, seed=1) == set()


def test_the_smaller_table_is_visited_whole() -> None:
    """Two seats and a few cards: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC).small("pairs")), 100_000)
    assert closure.complete and closure.states == 1_089 and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    name, right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
