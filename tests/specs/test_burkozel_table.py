"""Burkozel for a table of penalties: random deals with all numbers of players, small tables, and faults that its
scenarios notice."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.wiring import close_pack
from tests.support.games import broken_claims, verdict_of, with_fault

SPEC = Path(__file__).resolve().parents[2] / "spec" / "burkozel_table.kozel"
SHARED = "lib/burkozel.kozel"
FAULTS = {  # the file, what stands there, what is planted instead, and the promise that notices
    "sixty to sixty is nothing": (
        SHARED,
        "if eggs() {",
        "if false {",
        "eggs: nothing is written, the next deal counts double",
    ),
    "whoever beats four trumps is not paid": (
        SHARED,
        "run write_down(leader, 2)",
        "run write_down(leader, 0)",
        "four trumps beaten by four trumps: the leader writes two",
    ),
    "who is out deals": (
        SHARED,
        "dealer := first s in playing clockwise after dealer",
        "dealer := left(dealer)",
        "the deal passes over a seat that is out",
    ),
    "all are out who are at the limit": (
        SHARED,
        "if below() != {} then below() else with_least()",
        "if below() != {} then below() else {leader}",
        "all come to twelve at once and play on",
    ),
    "three aces go first": (
        SPEC.name,
        "order claims = four_trumps > four_suited > aces",
        "order claims = aces > four_trumps > four_suited",
        "three aces wait for four of a suit",
    ),
    "the fourth ace stays in the hand": (
        SPEC.name,
        "if k == aces then aces_of(h) else h",
        "if k == aces then aces_of(h) without {A♥} else h",
        "all four aces are led",
    ),
}


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "eggs_stack": False},
        {"players": 3, "three_aces": True, "limit": 6},
        {"players": 4, "same_rank_lead": True, "undeclared_four_trumps": 1, "limit": 8},
    ],
    ids=["two", "three", "four"],
)
def test_random_deals_keep_every_claim(options: dict[str, int]) -> None:
    """Ten random deals with each number of players: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC).game, options, 10, seed=1) == set()


@pytest.mark.parametrize(("pack", "states"), [("three", 19_597), ("pairs", 6_889)])
def test_the_smaller_tables_are_visited_whole(pack: str, states: int) -> None:
    """Six cards and three seats, or two with hands of two: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC).small(pack)), 40_000)
    assert closure.complete and closure.states == states and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    file, right, wrong, notices = FAULTS[fault]
    assert verdict_of(with_fault(SPEC, tmp_path, file, right, wrong), notices) is Verdict.REFUTED
    assert verdict_of(load(SPEC), notices) in (Verdict.PROVED, Verdict.ENUMERATED)
