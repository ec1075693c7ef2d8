"""The draft games load and can be played: no deal gets stuck, no card is lost, and what they claim holds on the way."""

from pathlib import Path

import pytest

from kozel_verify.model.load import load
from tests.support.games import broken_claims, with_fault

HERE = Path(__file__).parent


def test_random_deals_keep_every_claim() -> None:
    """Twenty random deals with the defaults: nobody is stuck, 120 points are counted, all invariants hold."""
    assert broken_claims(load(HERE / "kozel_shamok.kozel").game, {}, 20, seed=1) == set()


ALONE = sorted(path.stem for path in HERE.glob("alone_*.kozel"))
OF_THE_PAIRS_GAMES = {"leader_choice": 1, "lusya_rows": 2, "second_closed": False, "team_four_queens": 1}


@pytest.mark.parametrize("name", ALONE)
def test_each_boast_alone_keeps_every_claim(name: str) -> None:
    """Ten plays of each boast by itself: nobody is stuck, no card is lost, its counts hold."""
    assert broken_claims(load(HERE / f"{name}.kozel").game, {}, 10, seed=1) == set()


def test_boasts_with_other_options() -> None:
    """Further deals of matches, in which boasts are played, with options that are off by default."""
    shamok = load(HERE / "kozel_shamok.kozel").game
    special = {
        "royal_goat": True,
        "four_suit_redeal": True,
        "no_trump_allowed": True,
        "star_rounds": 4,
        "catch_queen": 1,
    }
    assert broken_claims(shamok, {**OF_THE_PAIRS_GAMES, **special}, 30, seed=3) == set()


def test_tricks_that_a_boast_does_not_count_are_noticed(tmp_path: Path) -> None:
    """Negative control: an opened round that is no trick breaks the counts of the star."""
    rule = "tricks[side(taker)] += 1"
    faulty = with_fault(HERE / "alone_star.kozel", tmp_path, "lib/boast_alone.kozel", rule, "tricks[side(taker)] += 0")
    assert broken_claims(faulty.game, {}, 2, seed=1)
