"""Classic Kozel: random deals with all numbers of players, small tables, and faults that its scenarios notice."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec" / "kozel_classic.kozel"
CUT = "the card of the cut shows the trump suit, goes back, and may be drawn by anybody"
FAULTS = {  # what stands there, what is planted instead, and the promise that notices
    "the card of the cut stays out": (
        "move indicator from indicator to stock",
        "show indicator to all",
        CUT,
    ),
    "the card of the cut is the last one": (
        "predicate stock_is_next() = true",
        "predicate stock_is_next() = |stock| > 1",
        "two are at the limit together, play on, and whoever writes next is out",
    ),
    "four of a suit go first": (
        "order claims = four_trumps > four_suited",
        "order claims = four_suited > four_trumps",
        "four trumps go before a nearer four of a suit",
    ),
    "nobody has four trumps": (
        "if k == four_trumps then is_four_trumps(h)",
        "if k == four_trumps then false",
        "four trumps that nobody beats: each opponent writes two",
    ),
}


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "eggs_stack": False},
        {"players": 3, "discards": 1, "limit": 6},
        {"players": 4, "same_rank_lead": True, "undeclared_four_trumps": 1, "limit": 8},
    ],
    ids=["two", "three", "four"],
)
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Ten random deals with each number of players: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC).game, options, 10, seed=1) == set()


@pytest.mark.parametrize(("pack", "states"), [("three", 37_743), ("pairs", 7_459)])
def test_the_smaller_tables_are_visited_whole(pack: str, states: int) -> None:
    """Six cards and three seats, or two with hands of two: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC).small(pack)), 40_000)
    assert closure.complete and closure.states == states and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, SPEC.name, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)


def test_two_players() -> None:
    """Options that change the table play as well."""
    assert broken_claims(load(SPEC).game, {"players": 2}, 10, seed=2) == set()


def test_a_lost_pile_is_noticed(tmp_path: Path) -> None:
    """Negative control: cards thrown away that go to no pile break the claim that all points are counted."""
    rule = "move thrown[s] from thrown[s] to won[taker]"
    lost = "move {} from thrown[s] to won[taker]"
    assert broken_claims(with_fault(SPEC, tmp_path, "lib/burkozel.kozel", rule, lost).game, {}, 2, seed=1)
