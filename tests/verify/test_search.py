"""Many random matches in search of a witness: what they meet, and matches that the rules break off."""

from kozel_verify.exhaustive.machine import FastMachine
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import replay
from kozel_verify.model.core import Claim, StateClaim
from kozel_verify.model.load import load_text
from kozel_verify.model.operators import Undefined
from kozel_verify.verify.search import search
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.model.frame import text

DRAWS = """gather pack into stock
draw 1 from stock to open_cards
let card = only(open_cards intersect {6♠, 10♠, A♠})
draw 1 from stock to hand[seat 1]"""
CLAIMS = """witness drawn at finish : 6♠ in open_cards and A♥ in hand[seat 1]
witness never at finish : 6♥ in open_cards"""


def subject(statements: str = DRAWS) -> Subject:
    return Subject(load_text(text(CLAIMS, statements)), Settings())


def test_matches_that_the_rules_break_off() -> None:
    """Where a match comes to something without a value the search goes on and finds what is there."""
    about = subject()
    found, matches = search(about, ["drawn", "never"], 400)
    assert set(found) == {"drawn"} and matches == 400
    options, run = found["drawn"]
    interpreter = Interpreter(about.game, options)
    (claim,) = [p for p in about.game.properties if isinstance(p, StateClaim) and p.name == "drawn"]
    assert claim.claim is Claim.WITNESS
    assert interpreter.evaluate(replay(interpreter, run).final, claim.statement) is True


def test_the_rules_do_break_off() -> None:
    """Negative control: the game's first step has no value for half of the cards."""
    machine = FastMachine(subject().game, {})
    first = machine.initial()
    broken = 0
    for outcome in machine.outcomes(first):
        try:
            machine.step(first, outcome)
        except Undefined:
            broken += 1
    assert broken == 3


def test_all_met_is_enough() -> None:
    """The search stops with the match that meets the last witness."""
    found, matches = search(subject(DRAWS.replace("only(open_cards intersect {6♠, 10♠, A♠})", "1")), ["drawn"], 500)
    assert set(found) == {"drawn"} and matches < 500
