"""Each boast by itself, at a table where nothing else is played."""

from pathlib import Path

import pytest

from kozel_verify.model.load import load
from tests.support.games import broken_claims, with_fault

BOASTS = Path(__file__).resolve().parents[2] / "spec" / "boasts"
ALONE = {"alone_barrel", "alone_coffins", "alone_mirror", "alone_packets", "alone_pants", "alone_star"}


def test_every_kind_of_boast_is_there() -> None:
    """Nine boasts of six kinds: the options of a table tell the two sorts of pants, packets and coffins apart."""
    assert {path.stem for path in BOASTS.glob("*.kozel")} == ALONE


@pytest.mark.parametrize("name", sorted(ALONE))
def test_each_boast_alone_keeps_every_claim(name: str) -> None:
    """Ten plays of each boast by itself: nobody is stuck, no card is lost, its counts hold."""
    assert broken_claims(load(BOASTS / f"{name}.kozel").game, {}, 10, seed=1) == set()


def test_tricks_that_a_boast_does_not_count_are_noticed(tmp_path: Path) -> None:
    """Negative control: an opened round that is no trick breaks the counts of the star."""
    right, wrong = "tricks[side(taker)] += 1", "tricks[side(taker)] += 0"
    faulty = with_fault(BOASTS / "alone_star.kozel", tmp_path, "lib/boast_alone.kozel", right, wrong)
    assert broken_claims(faulty.game, {}, 2, seed=1)
