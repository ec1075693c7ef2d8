"""Bura and Burkozel to 61: random deals with all numbers of seats, small tables, and faults of the kind seen in public
programs."""

import shutil
from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import Spec, load
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.run import verify_spec
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.wiring import close_pack
from tests.specs.draft.test_drafts import broken_claims

SPEC = Path(__file__).parent
FAULTS = {  # the game, the file, what stands there, what is planted instead, and the promise that notices
    "a point too few is enough": (
        "bura",
        "lib/own_piles.kozel",
        "points(won[s]) >= goal",
        "points(won[s]) + 1 >= goal",
        "thirty points are not enough: with two the other wins",
    ),
    "three trumps led win only if they were declared": (
        "bura",
        "bura.kozel",
        "if |table[leader]| == whole_hand and",
        "if declared is not none and |table[leader]| == whole_hand and",
        "a lead of three trumps wins before anybody answers",
    ),
    "the same dealer after a decided deal": (
        "bura",
        "lib/own_piles.kozel",
        "dealer := first s in at_table() clockwise after dealer",
        "dealer := first s in at_table() clockwise from dealer",
        "with three the false claim has one loser and no winner",
    ),
    "nobody counts at the end": (
        "burkozel_61",
        "burkozel_61.kozel",
        "if most and (enough(s) or",
        "if most and (false or",
        "sixty-one points that nobody has claimed count at the end",
    ),
    "the last taker does not lead the next deal": (
        "burkozel_61",
        "burkozel_61.kozel",
        "opener := if winner is none then dealers_left() else winner",
        "opener := dealers_left()",
        "with three a false claim has one loser and no winner",
    ),
}


def faulty(folder: Path, game: str, name: str, right: str, wrong: str) -> Spec:
    """A game with one fault, read from copies of its files."""
    shutil.copytree(SPEC, folder / "spec")
    path = folder / "spec" / name
    text = path.read_text(encoding="utf-8")
    assert text.count(right) == 1
    path.write_text(text.replace(right, wrong), encoding="utf-8")
    return load(folder / "spec" / f"{game}.kozel")


@pytest.mark.parametrize("players", range(4), ids=["two", "three", "four", "six"])
def test_random_deals_of_bura_keep_every_claim(players: int) -> None:
    """Ten random deals with each number of players: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC / "bura.kozel").game, {"players": players, "discards": players % 2}, 10, 1) == set()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"players": 3, "indicator_position": 1, "no_winner": 1, "combo_order": 4},
        {"players": 4, "indicator_position": 2, "no_winner": 2, "open_hands": 1, "moscow_lead": 1},
    ],
    ids=["as it comes", "three", "four"],
)
def test_random_deals_of_burkozel_keep_every_claim(options: dict[str, int]) -> None:
    """Ten random deals: nobody is stuck, all invariants hold."""
    assert broken_claims(load(SPEC / "burkozel_61.kozel").game, options, 10, seed=1) == set()


@pytest.mark.parametrize(("game", "states"), [("bura", 5_533), ("burkozel_61", 7_857)])
def test_the_smaller_table_is_visited_whole(game: str, states: int) -> None:
    """Six cards and three seats, of which two play: nothing is wrong in any state of a deal."""
    closure = close_pack(Interpreter(load(SPEC / f"{game}.kozel").small("three")), 10_000)
    assert closure.complete and closure.states == states and not closure.violations


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_noticed(fault: str, tmp_path: Path) -> None:
    """A fault of the rules refutes the scenario that says otherwise, and the game itself plays it."""
    game, name, right, wrong, notices = FAULTS[fault]
    settings = Settings(only=(notices,), plays=1)
    (broken,) = verify_spec(faulty(tmp_path, game, name, right, wrong), settings).obligations
    (kept,) = verify_spec(load(SPEC / f"{game}.kozel"), settings).obligations
    assert broken.verdict is Verdict.REFUTED
    assert kept.verdict in (Verdict.PROVED, Verdict.ENUMERATED)
