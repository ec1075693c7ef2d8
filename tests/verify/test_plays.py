"""What is taken from plays of the full pack to show a violation."""

import pytest

from kozel_verify.exhaustive.closure import STUCK
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.verify.plays import look
from kozel_verify.verify.probes import WELL_DEFINED
from tests.model.frame import game

BARRED = "when not (|open_cards| >= 2 and 6♠ in open_cards)"  # no play gets past this
STATEMENTS = """draw 6 from stock to hand[seat 1]
    repeat { ask seat 1 to turn {
      may lay(c in hand[seat 1]) BARRED { move {c} from hand[seat 1] to open_cards CHECK }
      may pass BARRED { }
    } } until |hand[seat 1]| == 0"""
FAILS = "if |open_cards| >= 2 and 6♠ in open_cards { DOES }"


@pytest.mark.parametrize(
    ("name", "barred", "check"),
    [
        (STUCK, BARRED, ""),
        (WELL_DEFINED, "", FAILS.replace("DOES", "let x = only(open_cards)")),
        ("never", "", FAILS.replace("DOES", "dead never")),
    ],
)
def test_the_shortest_play_is_shown(name: str, barred: str, check: str) -> None:
    """Of several plays in which the rules fail, or in which a seat cannot go on, the shortest is taken, as it is for
    claims, in whatever order they come."""
    rules = game("", STATEMENTS.replace("BARRED", barred).replace("CHECK", check))
    interpreter = Interpreter(rules)
    plays = [random_play(interpreter, seed) for seed in range(12)]
    lengths = [len(play.steps) + (play.failed is not None) for play in plays]
    assert min(lengths) < lengths[0]
    for order in (plays, plays[::-1]):
        _, run = look((interpreter, dict(interpreter.options), play) for play in order).violations[name]
        assert len(run) == min(lengths)
