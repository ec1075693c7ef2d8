"""Literal readings of the games with the board of sixes that the readings reject: each breaks, and it is told where."""

from pathlib import Path

import pytest

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.model.load import Spec, load
from kozel_verify.verify.plays import look
from kozel_verify.verify.probes import show
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

HERE = Path(__file__).parent
LITERAL, SPEC = HERE / "literal", HERE.parents[1] / "spec"


def refuted(spec: Spec, matches: int, **options: bool) -> dict[str, str]:
    """What some random matches with these options refute: name -> what the play shows."""
    subject, plays = Subject(spec, Settings()), []
    for number in range(matches):
        interpreter = Interpreter(spec.game, options)
        chosen = dict(interpreter.options)
        plays.append((interpreter, chosen, random_play(interpreter, number, until="match", limit=2_000)))
    return {
        name: "\n".join(show(subject, Interpreter(spec.game, chosen), name, run).explanation)
        for name, (chosen, run) in look(plays).violations.items()
    }


def test_the_first_leader_is_not_known_before_the_deal() -> None:
    """Whoever holds the seven of diamonds is to boast before anybody holds it: there is no such seat."""
    with pytest.raises(NotWellDefined, match="`the` found 0 elements") as failed:
        Interpreter(load(LITERAL / "pairs_circular_leader.kozel").game).initial()
    assert "pairs_circular_leader.kozel:8" in str(failed.value)


def test_nine_cards_of_eight() -> None:
    """With eight kept beside the card that is laid the pack is too small: hands are not equal."""
    found = refuted(load(LITERAL / "pairs_nine_of_eight.kozel"), 3, with_mirror=False)
    assert {"stock_is_enough", "equal_hands", "eight_tricks"} <= found.keys()


def test_three_quarters_of_all_deals_are_cancelled() -> None:
    """Four of a suit are in some hand so often that the dealer has to deal a fourth time, which nobody counts on."""
    spec = load(LITERAL / "shamok_four_of_suit.kozel")
    assert "may_be_dealt_again" in refuted(spec, 20)
    shares = [_cancelled(spec, seed) for seed in range(400)]
    assert 0.7 < sum(shares) / len(shares) < 0.82


def _cancelled(spec: Spec, seed: int) -> bool:
    """Is the first deal of a match cancelled?"""
    interpreter = Interpreter(spec.game)
    play = random_play(interpreter, seed, until="deal", limit=33)
    nodes = [spec.game.nodes[state.node].name for state in play.states]
    return any(name.endswith("gathering") for name in nodes)


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the games as they are read have none of these faults in as many plays, and few deals are
    cancelled."""
    assert refuted(load(SPEC / "kozel_pairs.kozel"), 3) == {}
    shamok = load(SPEC / "kozel_shamok.kozel")
    assert refuted(shamok, 3) == {}
    assert sum(_cancelled(shamok, seed) for seed in range(50)) == 0
