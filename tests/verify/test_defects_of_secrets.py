"""Faults seen in public programs that give a secret away, planted one by one.

The order of a face-down pack: the reference has none, and an engine keeps the coming order where no player sees it. The
face of a hidden card behind a number. Both are planted in exported engines, and the comparison of views refuses them.
Captured cards that their taker sees, and public points of a closed pile, are planted in the spec.
"""

import json
from collections.abc import Sequence
from dataclasses import fields
from itertools import permutations
from pathlib import Path
from types import ModuleType

import pytest

from kozel_verify.export.python.module import export_python
from kozel_verify.interpret.chance import DeckChance, Generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Chance, State
from kozel_verify.interpret.view import View
from kozel_verify.model.load import load
from kozel_verify.verify.doing import do
from kozel_verify.verify.engine_check import load_engine, validate_engine
from kozel_verify.verify.peeking import NO_PEEKING
from kozel_verify.verify.run import Work
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.support.toy import toy_game
from tests.verify.planted import GAME, SIDES, SPECS, Change, planted
from tests.verify.test_defects import by_plays, concluded, refuted

HASH = "0" * 64
PLAYERS = range(4)


@pytest.fixture(scope="module")
def engine_text() -> str:
    """The exported game for points."""
    return export_python(load(SPECS / GAME).game, spec_hash=HASH)


# --- the order of the face-down pack ---------------------------------------------------------------------------------


def test_no_order_is_in_a_state() -> None:
    """A state has a place for each card and nothing else about cards: the same hands, dealt in any order, are one."""
    assert [field.name for field in fields(State)] == ["node", "cells", "place"]
    names = ["seat", "node", "owner", "options", "cells", "sizes", "contents"]
    assert [field.name for field in fields(View)] == names
    toy = Interpreter(toy_game())
    turned, _ = toy.step(toy.initial()[0], Chance(3))
    found = set[tuple[State, View, View]]()
    for mine in permutations((0, 4)):
        for yours in permutations((1, 5)):
            state = turned
            for card in (*mine, *yours):
                state, _ = toy.step(state, Chance(card))
            found.add((state, toy.view(state, 0), toy.view(state, 1)))
    ((state, first, second),) = found
    assert (state.place, first.contents[1], second.contents[2]) == ((1, 2, 0, 0, 1, 2), 0b010001, 0b100010)


def test_no_order_is_in_what_happens() -> None:
    """Two packs that differ in the order below the cards dealt: the same states and events up to the first draw from
    the stock, whatever is played."""
    spec = load(SPECS / GAME)
    player = Interpreter(spec.game)
    deck = DeckChance(spec.game, Generator(3)).order
    other = [*deck[:17], *reversed(deck[17:])]
    first, second = (random_play(player, 3, deck=cards, limit=17 + 4) for cards in (deck, other))
    assert [type(outcome).__name__ for outcome in first.outcomes] == ["Chance"] * 17 + ["Choice"] * 4
    assert first.outcomes == second.outcomes
    assert first.final == second.final
    assert [step.events for step in first.steps] == [step.events for step in second.steps]


def deck_of(engine: ModuleType, seed: int = 3) -> list[str]:
    state = engine.new_initial_state(seed=seed)
    return [engine.CARDS[card] for card in state.order]


def seen(engine: ModuleType, deck: Sequence[str], choices: int = 4) -> list[list[str]]:
    """By each player: the texts of the observations before each of so many choices. The first legal action is taken."""
    state, found = engine.new_initial_state(deck=deck, seed=1), [list[str]() for _ in PLAYERS]
    for number in range(choices):
        if number:
            state = engine.apply_at(state, 0)
        for player in PLAYERS:
            found[player].append(json.dumps(engine.observation(state, player)))
    return found


def blind_to_the_order(engine: ModuleType) -> bool:
    """Do all players see the same, whatever the order of the cards that are still in the stock?"""
    deck = deck_of(engine)
    return seen(engine, deck) == seen(engine, [*deck[:17], *reversed(deck[17:])])


def blind_to_hidden_cards(engine: ModuleType) -> bool:
    """Do three players see the same, whichever of two cards the fourth has and which is in the stock?"""
    deck = deck_of(engine)
    other = [*deck]
    other[1], other[-1] = other[-1], other[1]
    first, second = seen(engine, deck, 1), seen(engine, other, 1)
    assert first[2] != second[2]
    return all(first[player] == second[player] for player in (0, 1, 3))


def test_an_engine_keeps_the_order_where_no_player_sees_it(engine_text: str) -> None:
    """Engine states of two orders differ as texts in the coming order and in nothing else; observations do not differ,
    neither in the order nor in which hidden card lies where."""
    engine = load_engine(engine_text)
    deck = deck_of(engine)
    other = [*deck[:17], *reversed(deck[17:])]
    one, two = (json.loads(engine.serialize(engine.new_initial_state(deck=d, seed=1))) for d in (deck, other))
    assert [key for key in one if one[key] != two[key]] == ["order"]
    assert blind_to_the_order(engine)
    assert blind_to_hidden_cards(engine)


LAST = '        "events": _events(state, player),\n'
HIDDEN = 'else {"size": cards.bit_count()}'
MOVE = ', "count": cards.bit_count()}'
ORDERS = {  # what is added to an observation, and what the comparison says
    "the coming order": (LAST, f'{LAST}        "order": [CARDS[c] for c in state.order],\n', "seat 0 sees order: ["),
    "the random state": (LAST, f'{LAST}        "random": state.random,\n', "seat 0 sees random: "),
    "the next card": (LAST, f'{LAST}        "next": CARDS[state.order[-1]],\n', "seat 0 sees next: "),
    "the whole state": (LAST, f'{LAST}        "state": serialize(state),\n', "seat 0 sees state: "),
    "the stock in its order": (
        HIDDEN,
        'else {"size": cards.bit_count(), "pile": [c for c in state.order if cards >> c & 1]}',
        "seat 0 sees zones: ",
    ),
}
IDENTIFIERS = {
    "numbers of cards": (
        HIDDEN,
        'else {"size": cards.bit_count(), "ids": [*_members(cards)]}',
        "seat 0 sees zones: ",
    ),
    "a hidden zone as one number": (HIDDEN, 'else {"size": cards.bit_count(), "id": cards}', "seat 0 sees zones: "),
    "numbers of cards, multiplied": (
        HIDDEN,
        'else {"size": cards.bit_count(), "ids": [7 * c % 37 for c in _members(cards)]}',
        "seat 0 sees zones: ",
    ),
    "numbers in what has happened": (MOVE, ', "count": cards.bit_count(), "id": cards}', "seat 0 sees events: "),
}
PLACED = {**ORDERS, **IDENTIFIERS}


@pytest.mark.parametrize("name", PLACED)
def test_an_engine_that_shows_the_order_or_a_hidden_face_is_refused(name: str, engine_text: str) -> None:
    """The comparison with the reference names what is seen too much of; two packs look different, too. (The random
    state decides later packs, not this one.)"""
    right, wrong, says = PLACED[name]
    toy = export_python(toy_game(), spec_hash=HASH)
    assert toy.count(right) == engine_text.count(right) == 1
    report = validate_engine(toy_game(), toy.replace(right, wrong), [{}], 2, 7, whole=1)
    assert not report.equal
    assert any(says in text for text in report.differences)
    blind = blind_to_the_order if name in ORDERS else blind_to_hidden_cards
    assert blind(load_engine(engine_text.replace(right, wrong))) is (name == "the random state")


# --- captured cards --------------------------------------------------------------------------------------------------

CLOSED = "zone won[d : Side] seen by "
PILE: Change = (SIDES, f"{CLOSED}nobody", f"{CLOSED}those s in Seat where side(s) == d")
POINTS: tuple[Change, ...] = (
    (GAME, "    tricks[side(taker)] += 1", "    tricks[side(taker)] += 1\n    won_so_far := points(won[side(taker)])"),
    (GAME, "  state deals : Nat = 0", "  state deals : Nat = 0\n  state won_so_far : 0..120 = 0 fresh each deal"),
)


def test_the_taker_does_not_see_what_was_thrown_away(tmp_path: Path) -> None:
    """With a pile that its takers see, `piles` is refuted by a play in which something was thrown away."""
    spec = planted(tmp_path, PILE)
    found = by_plays(spec, "piles", range(2))
    assert found.explanation == ("`piles` does not hold at `deal.draw_up.refill`",)
    assert "discard(" in found.scenario


def test_points_of_a_closed_pile_are_not_counted_in_public(tmp_path: Path) -> None:
    """With the points of the taken cards in a public cell after each trick, `no_peeking` is refuted by two plays that
    a seat is told alike, and that differ in that cell."""
    spec = planted(tmp_path, *POINTS)
    subject = Subject(spec, Settings(plays=40))
    work = Work("pairs", ("pairs", {name: o.default for name, o in spec.game.options.items()}), (NO_PEEKING,))
    found = refuted(subject, concluded(subject, NO_PEEKING, do(subject, work)))
    assert "`won_so_far` is " in found.explanation[0]
