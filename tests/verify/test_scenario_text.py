"""Scenario blocks, literally; and the values in them."""

import pytest

from kozel_verify.exhaustive.domains import Case
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play, replay
from kozel_verify.interpret.state import Chance, Choice, Outcome
from kozel_verify.model.core import Lemma
from kozel_verify.model.load import load_text
from kozel_verify.model.types import BOOL, NAT, EnumType, OptionalType, SetType, Type, Value
from kozel_verify.verify.ends_measure import candidates
from kozel_verify.verify.mutate_cases import case_lines
from kozel_verify.verify.scenario_text import call_text, cells_text, literal, scenario_text, stacked_deck
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.values import lemma_counterexample
from tests.support.toy import CARD, CARDS, RANK, SEAT, SEATS, SUIT, toy_game
from tests.verify import faults

LED: tuple[Outcome, ...] = (*(Chance(c) for c in (0, 0, 1, 3, 4)), Choice(0, (0b11,)), Choice(1, (0b011000,)))


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (2, CARD, "A♠"),
        (0b100010, CARDS, "{Q♠, A♥}"),
        (0, CARDS, "{}"),
        (1, SUIT, "♥"),
        (1, RANK, "Q"),
        (1, SEAT, "seat 2"),
        (0b11, SEATS, "{seat 1, seat 2}"),
        (True, BOOL, "true"),
        (False, BOOL, "false"),
        (17, NAT, "17"),
        (1, EnumType("Claim", ("moscow", "molodka")), "molodka"),
        (0b11, SetType(EnumType("Claim", ("moscow", "molodka"))), "{moscow, molodka}"),
        (None, OptionalType(SUIT), "none"),
        (0, OptionalType(SUIT), "♠"),
    ],
)
def test_values_as_a_spec_writes_them(value: Value, type_: Type, text: str) -> None:
    """Each kind of value has the spelling of the language."""
    assert literal(toy_game(), value, type_) == text


def test_none_is_no_card() -> None:
    """A missing value of a plain type is a mistake, not a text."""
    with pytest.raises(ValueError, match="`none` is not a `Card`"):
        literal(toy_game(), None, CARD)


def test_call_text() -> None:
    """A call is written with its literal arguments."""
    assert call_text(toy_game(), "captures", (0b100000, 0b010000)) == "captures({A♥}, {Q♥})"


FAMILIES = """language 1
game families {
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  type Bid = low | high
  state score[s : Seat] : 0..3 = 0
  state bidder[b : Bid] : Seat? = none
  state done[n : 2..3] : Bool = false
  state round : 0..9 = 0
  phase deal { ask seat 1 to turn { may pass { } } }
  phase match { run deal end }
  outcome(s) = neither
  lemma wrong : score[seat 1] <= score[seat 2] + (if done[3] then 0 else 3)
}
"""


def test_members_of_families() -> None:
    """A cell of a family is named as in a spec, by its index and not by its place: seats count from 1, ranges from
    their first number."""
    game = load_text(FAMILIES).game
    given = {("score", 1): 2, ("bidder", 0): 0, ("done", 1): True, ("round", 0): 4}
    said = ["score[seat 2] = 2", "bidder[low] = seat 1", "done[3] = true", "round = 4"]
    assert cells_text(game, given) == said
    texts = {c.text for c in candidates(game, ["score", "done"])}
    assert {"score[seat 1]", "3 - score[seat 2]", "not done[2]", "done[3]"} <= texts


def test_members_of_families_in_a_counterexample() -> None:
    """So they are named where a lemma fails for some values of cells, in a verification and of a fault in the rules."""
    subject = Subject(load_text(FAMILIES), Settings())
    (lemma,) = [p for p in subject.game.properties if isinstance(p, Lemma)]
    case = Case({}, {("score", 0): 1, ("score", 1): 0, ("done", 0): False, ("done", 1): True}, {}, "")
    said = "score[seat 1] = 1, score[seat 2] = 0, done[2] = false, done[3] = true"
    assert lemma_counterexample(subject, lemma, case).explanation[0] == said
    assert case_lines(subject, lemma, case)[0] == said


def test_draws_are_steps_when_cards_go_back() -> None:
    """The card turned is put back and mixed in, so no deck alone makes these draws: each is a line."""
    text = scenario_text(toy_game(), {"ruffing": False}, LED, title="two led", expect=["leader == seat 1", "true"])
    assert text == (
        'scenario "two led" {\n'
        "  option ruffing = false\n"
        "  draw 6♠\n"
        "  draw 6♠\n"
        "  draw Q♠\n"
        "  draw 6♥\n"
        "  draw Q♥\n"
        "  seat 1 : lead({6♠, Q♠})\n"
        "  seat 2 : discard({6♥, Q♥})\n"
        "  expect leader == seat 1\n"
        "  expect true\n"
        "}\n"
    )


def test_deck_when_it_says_everything() -> None:
    """When no card goes back the deck in dealing order stands for the draws; cards never drawn come last."""
    run: tuple[Outcome, ...] = (*(Chance(c) for c in (2, 3, 1, 0, 5)), Choice(0, (0b1000,)))
    assert scenario_text(faults.turned_stays(), {}, run, title="a lead") == (
        'scenario "a lead" {\n  deck A♠ 6♥ Q♠ 6♠ A♥ Q♥\n  seat 1 : lead({6♥})\n}\n'
    )


def test_deck_deals_the_same_play() -> None:
    """A play whose deck is printed is the play that dealing that deck gives, whatever the seed."""
    interpreter = Interpreter(faults.turned_stays())
    play = random_play(interpreter, 5)
    deck = stacked_deck(interpreter, play)
    assert deck is not None and sorted(deck) == [0, 1, 2, 3, 4, 5]
    for seed in (1, 2):
        assert random_play(interpreter, seed, deck=deck).outcomes[:5] == play.outcomes[:5]


def test_no_deck_where_cards_are_mixed() -> None:
    """The card turned goes back and is not drawn again: a deck would leave to chance what comes next."""
    interpreter = Interpreter(toy_game())
    assert stacked_deck(interpreter, replay(interpreter, [Chance(c) for c in (5, 0, 1, 3, 4)])) is None


def test_no_deck_for_a_second_deal() -> None:
    """The second deal of a match is shuffled anew: its draws are written as steps."""
    interpreter = Interpreter(faults.turned_stays())
    plays = (random_play(interpreter, seed, until="match") for seed in range(20))
    play = next(p for p in plays if sum(isinstance(o, Chance) for o in p.outcomes) > 5)
    assert stacked_deck(interpreter, play) is None


def test_illegal_runs_and_titles_are_refused() -> None:
    """A run that the interpreter refuses is never printed, nor a title that would end the string."""
    with pytest.raises(ValueError, match="step 2 of the run is not legal"):
        scenario_text(toy_game(), {}, (Chance(0), Choice(0, (1,))), title="x")
    with pytest.raises(ValueError, match="one line"):
        scenario_text(toy_game(), {}, (), title='a "b"')


def test_step_that_fails_is_printed() -> None:
    """A run may end with the step in which the rules fail: that step is part of the scenario."""
    game = faults.card_kept()
    run: tuple[Outcome, ...] = (*(Chance(c) for c in (0, 3, 4, 0, 1)), Choice(0, (0b1000,)), Choice(1, (0b1,)))
    assert replay(Interpreter(game), run).failed == run[-1]
    assert scenario_text(game, {}, run, title="x").endswith("  seat 1 : lead({6♥})\n  seat 2 : discard({6♠})\n}\n")
