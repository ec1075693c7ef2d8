"""Parts of a comparison by themselves: what they do not know they do not say."""

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.verify.confirm import Disagreement
from kozel_verify.verify.differ.partings import menu_difference, parting, smaller
from kozel_verify.verify.differ.proof import prove
from kozel_verify.verify.differ.search import whole
from kozel_verify.verify.differ.sides import Side, settings
from tests.verify.differ_games import DIFFERENCES, Exchange, side

BUDGET = 1_000_000


@pytest.mark.parametrize(
    "exchanged",
    [
        ("option bonus : 0..2 = 1", "option bonus : 0..2 = 2"),
        ("option bonus : 0..2 = 1", "option bonus : 0..3 = 1"),
        ("  type Guess", "  constraint bonus < 2\n  type Guess"),
    ],
    ids=["default", "values", "constraint"],
)
def test_games_with_other_options_are_not_equal(exchanged: Exchange) -> None:
    """The same rules with another default, other values or other combinations of options; with the option settled on
    both sides they are the same game."""
    first, second = side(), side(exchanged)
    proof = prove(first, second, [], BUDGET)
    assert proof.failure is not None and proof.counts.edges == 0
    assert not prove(second, first, [], BUDGET).proved
    settled = Side(first.spec, {"bonus": 1}), Side(second.spec, {"bonus": 1})
    assert prove(*settled, [], BUDGET).proved


def test_what_the_interpreter_does_not_see_is_no_difference() -> None:
    """A run on which the games do not part, or do not part in what may be chosen, is refused as a run to a parting."""
    game = side().game
    setting = next(settings(game, game, ({}, {})))
    run = random_play(Interpreter(game), 1, until="match").outcomes
    with pytest.raises(Disagreement, match="does not see the two games part"):
        parting(game, game, setting, run, ("A", "B"))
    with pytest.raises(Disagreement, match="does not see the two games part"):
        smaller(game, game, setting, run, 100)
    with pytest.raises(Disagreement, match="does not see the menus differ"):
        menu_difference(game, game, setting, ())
    with pytest.raises(Disagreement, match="does not see the menus differ"):
        menu_difference(game, side(DIFFERENCES["who sees a cell"][0]).game, setting, ())


def test_a_search_that_is_cut_off_is_not_complete() -> None:
    """With a limit that is as large as the number of states all of them are visited; with one less, one is left out."""
    game = side().on("four")
    assert game is not None
    setting = next(settings(game, game, ({}, {})))
    states = whole(game, game, setting, 100_000).states
    assert states > 100
    assert whole(game, game, setting, states).complete
    less = whole(game, game, setting, states - 1)
    assert (less.complete, less.states) == (False, states - 1)
