"""What a seat sees of states and learns from events."""

from dataclasses import replace

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import (
    Announced,
    Chance,
    Choice,
    Chosen,
    Event,
    Gathered,
    Moved,
    Shown,
    State,
    Uncovered,
)
from kozel_verify.interpret.view import (
    UNSEEN,
    Observed,
    SawCards,
    SawChoice,
    SawMove,
    SawValue,
    SawZone,
    View,
)
from kozel_verify.model.core import Ask, Const, Parameter, Verb
from tests.support.toy import ANSWER, CARD, LEAD, OWNER, SEATS, SUIT, TRUE, nat, seat, toy_game, zone

GAME = toy_game()
TOY = Interpreter(GAME)
# Hearts are trumps, seat 1 has led QH. Stock: 6S QS. Hands: AS 6H (seat 0), AH (seat 1).
AT_ANSWER = State(ANSWER, (1, 1, 0, 0, 0, 0, 0, 0, 0b010000, 0), (0, 0, 1, 1, 4, 2))


def test_the_view_of_a_seat() -> None:
    """Public cells, all sizes, and the faces of its own hand and of the table; hidden cells are not even named."""
    assert TOY.view(AT_ANSWER, 0) == View(
        seat=0,
        node=ANSWER,
        owner=0,
        options=(("ruffing", True),),
        cells=(
            ("trump", (1,)),
            ("leader", (1,)),
            ("score", (0, 0)),
            ("remaining", (0,)),
            ("dealt_to", (0,)),
            ("asked", (0,)),
        ),
        sizes=(2, 2, 1, 0, 1, 0, 0),
        contents=(UNSEEN, 0b001100, UNSEEN, 0, 0b010000, UNSEEN, UNSEEN),
    )
    assert TOY.view(AT_ANSWER, 1).contents == (UNSEEN, UNSEEN, 0b100000, 0, 0b010000, UNSEEN, UNSEEN)


def test_states_that_differ_in_hidden_cards_look_equal() -> None:
    """Exchanging a card of the stock with one of the other hand changes nothing for the seat, but all for the other."""
    exchanged = replace(AT_ANSWER, place=(2, 0, 1, 1, 4, 0))
    assert TOY.view(exchanged, 0) == TOY.view(AT_ANSWER, 0)
    assert TOY.view(exchanged, 1) != TOY.view(AT_ANSWER, 1)
    assert hash(TOY.view(exchanged, 0)) == hash(TOY.view(AT_ANSWER, 0))


def test_families_seen_in_part() -> None:
    """Of a family that each owner sees, a seat has its own slot and marks for the rest."""
    score = replace(GAME.cells["score"], seen=OWNER)
    toy = Interpreter(replace(GAME, cells={**GAME.cells, "score": score}))
    state = replace(AT_ANSWER, cells=(1, 1, 4, 5, *AT_ANSWER.cells[4:]))
    assert dict(toy.view(state, 0).cells)["score"] == (4, UNSEEN)
    assert dict(toy.view(state, 1).cells)["score"] == (UNSEEN, 5)


OPEN = Chosen(LEAD, 1, 0, (0b010000,), False)


@pytest.mark.parametrize(
    ("event", "by_0", "by_1"),
    [
        (OPEN, SawChoice(LEAD, 1, 0, (UNSEEN,)), SawChoice(LEAD, 1, 0, (0b010000,))),
        (replace(OPEN, secret=True), SawChoice(LEAD, 1, None, ()), SawChoice(LEAD, 1, 0, (0b010000,))),
        (Moved(0b11, 0, 2, 0b10, True), SawMove(2, 0, 2, True, UNSEEN), SawMove(2, 0, 2, True, 0b11)),
        (Gathered(0), Gathered(0), Gathered(0)),
        (Shown(0b101, 0b01), SawCards(0b101), None),
        (Announced("points", 4, 0b10), None, SawValue("points", 4)),
        (Uncovered(0, 0b11, 0b01), SawZone(0, 0b11), None),
    ],
)
def test_what_is_learned_from_an_event(event: Event, by_0: Observed | None, by_1: Observed | None) -> None:
    """Each seat learns what is meant for it, and of what is not only the public part or nothing."""
    for seat_, expected in ((0, by_0), (1, by_1)):
        assert TOY.observe((event,), seat_) == (() if expected is None else (expected,))


def test_arguments_that_are_no_cards_are_open() -> None:
    """Of another's open choice the suit is heard and the card is not."""
    card = Parameter("card", "turned", zone("hand", seat(0)), None, None, CARD)
    suit = Parameter("suit", "trump", Const(0b11, SEATS), None, None, SUIT)
    several = Parameter("to", "remaining", Const(0b11, SEATS), nat(0), nat(2), SEATS)
    nodes = list(GAME.nodes)
    nodes[LEAD] = Ask("lead", seat(0), False, (Verb("name", (card, suit, several), TRUE, 12),))
    toy = Interpreter(replace(GAME, nodes=tuple(nodes)))
    state = State(LEAD, AT_ANSWER.cells, (0, 0, 1, 1, 2, 2))
    after, events = toy.step(state, Choice(0, (3, 0, 0b10)))
    assert after.cells[0] == 0
    assert toy.observe(events, 1) == (SawChoice(LEAD, 0, 0, (UNSEEN, 0, 0b10)),)
    assert toy.observe(events, 0) == (SawChoice(LEAD, 0, 0, (3, 0, 0b10)),)


def test_a_dealt_card_is_no_news_for_the_other() -> None:
    """Whatever card the other seat is dealt, view and observation stay the same: a planted leak would differ."""
    state, _ = TOY.initial()
    state, _ = TOY.step(state, Chance(3))
    known = set()
    leaked = set()
    for card in range(6):
        after, events = TOY.step(state, Chance(card))
        known.add((TOY.view(after, 1), TOY.observe(events, 1)))
        leaked.add((TOY.view(after, 0), TOY.observe(events, 0)))
    assert len(known) == 1
    assert len(leaked) == 6
