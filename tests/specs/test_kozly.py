"""Kozly with two halves and Kozel of fifteen cards: random deals, small tables, and faults in the
rules that promises notice."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec"
FAULTS = {  # the game, the file, what stands there, what is planted instead, and the promise that notices
    "sixty points are enough": (
        "kozly_two_halves",
        "lib/write_off.kozel",
        "= own > 60",
        "= own > 59",
        "with sixty the deal is annulled, and the same dealer deals again",
    ),
    "the dealer loses two as well": (
        "kozly_two_halves",
        "lib/write_off.kozel",
        "if s == dealer then 1 else 2)       ",
        "if s == dealer then 2 else 2)       ",
        "sixty-one points: two from everybody, one from the dealer",
    ),
    "the taker leads on in the second half": (
        "kozly_two_halves",
        "kozly_two_halves.kozel",
        "leader := first s in at_table() clockwise after dealer",
        "leader := if face_down() > half_size then first s in at_table() clockwise after dealer else leader",
        "the second half begins with the dealer's left again",
    ),
    "an annulled deal passes the deal on": (
        "kozel_fifteen",
        "kozly_two_halves.kozel",
        "if deal_winner is not none { dealer :=",
        "if true { dealer :=",
        "with sixty the deal is annulled, and the same dealer deals again",
    ),
}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("kozly_two_halves", {}),
        ("kozly_two_halves", {"indicator": 1, "win_by": 1}),
        ("kozly_two_halves", {"trump_owner": 1}),
        ("kozel_fifteen", {"indicator": 1}),
        ("kozel_fifteen", {"players": 0, "win_by": 1}),
    ],
    ids=["as it comes", "top card", "dealer", "fifteen", "fifteen for two"],
)
def test_random_deals_of_kozly_keep_every_claim(game: str, options: dict[str, int]) -> None:
    """Twenty random deals: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC / f"{game}.kozel").game, options, 20, seed=1) == set()


def test_the_smaller_table_is_visited_whole() -> None:
    """Two seats and a few cards: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC / "kozly_two_halves.kozel").small("two")), 100_000)
    assert closure.complete and closure.states == 58_717 and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    game, name, right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC / f"{game}.kozel", tmp_path, name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC / f"{game}.kozel"), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
