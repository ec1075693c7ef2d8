"""`viewers` and `heard` in properties: who sees a zone or a cell, and who is told a choice."""

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.model.core import Game, StateClaim, StepClaim
from kozel_verify.model.load import load_text
from kozel_verify.verify.wiring import checks_of, claimed_of
from tests.model.frame import text

ROUND = """gather pack into stock
for each s in Seat { draw 2 from stock to hand[s] }
for each s in Seat clockwise from seat 2 {
  ask s secretly to whisper { may say { word[s] := true } may keep { } }
}
for each s in Seat { ask s to turn { may lay(c in hand[s]) { move {c} from hand[s] to open_cards } } }"""
ITEMS = """state word[s : Seat] : Bool = false seen by {s}
state open_word : Bool = false
invariant right_1 : every s in Seat : viewers(hand[s]) == {s}
invariant right_2 : viewers(stock) == {} and viewers(open_cards) == all
invariant right_3 : every s in Seat : viewers(word[s]) == {s}
invariant right_4 : viewers(open_word) == all
invariant wrong_1 at turn : viewers(hand[s]) == all
step right_5 from whisper : every t in Seat : heard(t) == (t == old(s))
step right_6 from turn : every t in Seat : heard(t)
step right_7 from draw : every t in Seat : not heard(t)
step wrong_2 from whisper : every t in Seat : heard(t)"""


def game() -> Game:
    return load_text(text(ITEMS, ROUND)).game


def test_right_claims_hold_and_wrong_ones_fail() -> None:
    """In each state and step of some plays, claims about who sees and hears are true or false as they are meant."""
    rules = game()
    interpreter, asked = Interpreter(rules), dict[str, set[bool]]()
    for seed in range(3):
        play = random_play(interpreter, seed)
        for claim in rules.properties:
            for state in play.states:
                if isinstance(claim, StateClaim) and state.node in claim.nodes:
                    asked.setdefault(claim.name, set()).add(bool(interpreter.evaluate(state, claim.statement)))
            for step in play.steps:
                if isinstance(claim, StepClaim) and claimed_of(rules, claim, step.before, step.outcome, step.after):
                    value = interpreter.evaluate(step.after, claim.statement, {}, step.before, step.events)
                    asked.setdefault(claim.name, set()).add(bool(value))
    assert asked == {n: {n.startswith("right")} for n in asked} and len(asked) == 9
    assert {c.name for c in checks_of(interpreter)} >= set(asked)


def test_a_family_asks_through_a_function_of_its_index() -> None:
    """What a spec cannot name is made for it once; a zone that all see needs none."""
    assert [name for name in game().functions if "." in name] == ["viewers.hand", "viewers.word"]
