"""What a step shows to each seat, as masks: compared with the events of the reference, and proved of a game."""

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Chance, Choice
from kozel_verify.interpret.view import revealed_to
from kozel_verify.model.core import Game, StepClaim
from kozel_verify.model.load import load_text
from kozel_verify.symbolic import revealed as module
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.exact import ExactModel
from kozel_verify.symbolic.faces_sets import mask_of
from kozel_verify.symbolic.faces_system import FaceSystem
from kozel_verify.symbolic.revealed import revealed
from kozel_verify.symbolic.steps import prove_steps
from tests.model.frame import text

ROUND = """gather pack into stock
for each s in Seat { draw 2 from stock to hand[s] }
for each s in Seat clockwise from seat 2 {
  ask s to turn {
    may lay(c in hand[s]) { move {c} from hand[s] to open_cards }
    may boast { show hand[s] to {left(s)} }
  }
}"""
CLAIMS = """step laid from turn by lay(c) : every t in Seat : shown(t) == {c}
step boasted from turn by boast to turn : every t in Seat : shown(t) == (if t == left(old(s)) then hand[old(s)] else {})
step dealt from draw to draw : every t in Seat : shown(t) == hand[t] without old(hand[t])
step wrong from turn by boast to turn : every t in Seat : shown(t) == {}
step too_wide from turn by lay(c) : every t in Seat : shown(t) == hand[t]"""


def game() -> Game:
    return load_text(text(CLAIMS, ROUND)).game


def results(rules: Game) -> dict[str, bool]:
    claims = [p for p in rules.properties if isinstance(p, StepClaim)]
    found: dict[str, bool] = {}
    for result in prove_steps(rules, claims, {}):
        found[result.name] = found.get(result.name, True) and result.proved
    return found


def test_what_is_shown_is_proved_exactly() -> None:
    """True claims about what each seat is shown are proved for every state, false ones are not."""
    found = results(game())
    assert found["laid"] and found["boasted"] and found["dealt"]
    assert not found["wrong"] and not found["too_wide"]


def compared(rules: Game, plays: int) -> int:
    """On each step of some plays the masks have the values of the reference's events; how many steps."""
    interpreter, system, exact, looked = Interpreter(rules), FaceSystem(rules), ExactModel(rules), 0
    for seed in range(plays):
        for step in random_play(interpreter, seed).steps:
            match step.outcome:
                case Choice(verb, arguments):
                    pass
                case Chance(card):
                    verb, arguments = -1, (card,)
                case _:
                    continue
            told = revealed(system.transition(step.before.node, verb))
            values = exact.assignment(step.before, verb, arguments, interpreter.options)
            rows = [t.evaluate(list(mask_of(one).bits), values) for one in told]
            masks = tuple(sum(1 << n for n, bit in enumerate(row) if bit) for row in rows)
            assert masks == revealed_to(step.events, rules.seats)
            looked += 1
    return looked


def test_masks_are_what_the_events_show() -> None:
    """The masks say of every step of some plays what the reference's events say."""
    assert compared(game(), 2) > 10


def test_a_forgotten_end_of_a_move_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: masks that leave out who sees the zone a card goes to differ from the events."""
    looks = module._looks
    monkeypatch.setattr(
        module, "_looks", lambda tr, ref, release, state, seat: looks(tr, ref, release, state, seat)
        if state is release.before else iter(())
    )  # fmt: skip
    with pytest.raises(AssertionError):
        compared(game(), 2)


UNCOVERED = """step drawn from refill to refill : every t in Seat :
  shown(t) == (if t in old(reader) then kitty without old(kitty) else {})
step picked from turn by pick(t) : every u in Seat : shown(u) == (if u in reader without old(reader) then kitty else {})
step wrong from turn by pick(t) : every u in Seat : shown(u) == (if u in reader then kitty else {})
zone kitty seen by reader
zone away seen by nobody
state reader : set of Seat = {seat 2} fresh each deal"""
PICKING = """gather pack into stock
draw 3 from stock to kitty
move kitty from kitty to away
draw 3 from stock to kitty called refill
for each s in Seat {
  ask s to turn {
    may pick(t in Seat) { reader := {t} }
    may leave_it { }
    may show_it { reader := all  reader := {s} }
  }
}"""


def uncovering() -> Game:
    """A zone whose viewers change in play, also twice within one step."""
    return load_text(text(UNCOVERED, PICKING)).game


def test_what_is_uncovered_is_shown() -> None:
    """Masks hold what lies in a zone for each seat that becomes one of its viewers, as the reference's events do."""
    assert compared(uncovering(), 12) > 30


def test_what_is_uncovered_is_proved_exactly() -> None:
    """Who comes to see a zone is shown what lies there, and nobody who saw it before; a claim that says more fails."""
    found = results(uncovering())
    assert found["drawn"] and found["picked"] and not found["wrong"]


def test_a_forgotten_uncovering_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: masks that leave out what is uncovered differ from the events."""
    monkeypatch.setattr(module, "_uncovered", lambda transition, release, seat: iter(()))
    with pytest.raises(AssertionError):
        compared(uncovering(), 12)
