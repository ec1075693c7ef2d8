"""Rare features of the language in exported engines."""

from types import ModuleType
from typing import Any

import pytest

from kozel_verify.export.python.module import export_python
from kozel_verify.model.types import Value
from kozel_verify.verify.engine_check import load_engine, validate_engine
from tests.export.rarities import PEEKING, rare_game

OPTIONS: list[dict[str, Value]] = [{}, {"open_hands": True, "extra": 1}, {"extra": 3, "shade": 1}]


@pytest.fixture(scope="module")
def engine() -> ModuleType:
    return load_engine(export_python(rare_game(), spec_hash="0" * 64))


def bidding(engine: ModuleType, *kinds: str) -> Any:
    """A state after these answers of seats 1, 2 and 0; the first card of the deck after the hands is no six."""
    deck = ["AS", "6S", "QS", "7H", "QH", "6H", "AH", "7S"]
    state = engine.new_initial_state(deck=deck, seed=1)
    for kind in kinds:
        action = {"type": "bid", "n": "two", "k": 1} if kind == "bid" else {"type": "pass"}
        state = engine.apply_action(state, action)
    return state


def test_the_engine_is_the_game() -> None:
    """Equal to the reference in everything, for several combinations of options."""
    report = validate_engine(rare_game(), export_python(rare_game(), spec_hash="0" * 64), OPTIONS, 5, 3)
    assert report.differences == ()
    assert report.equal


def test_a_spec_that_peeks_is_found_out() -> None:
    """Control: a menu that depends on another seat's hidden hand cannot be had from the view."""
    game = rare_game(PEEKING)
    report = validate_engine(game, export_python(game, spec_hash="0" * 64), OPTIONS, 5, 3)
    assert any("menu from the view" in difference for difference in report.differences)


def test_secret_answers_stay_secret(engine: ModuleType) -> None:
    """Others learn that a seat has answered, not how."""
    state = bidding(engine, "bid")
    told = [[e for e in engine.observation(state, p)["events"] if e["type"] == "choice"] for p in range(3)]
    secret = {"type": "choice", "at": "deal.bid_now", "seat": 1}
    assert told == [[secret], [{**secret, "action": {"type": "bid", "n": "two", "k": 1}}], [secret]]
    assert "bid[1]" not in engine.observation(state, 0)["cells"]
    assert engine.observation(state, 1)["cells"]["bid[1]"] == "two"


def test_a_new_viewer_sees_what_lies_there(engine: ModuleType) -> None:
    """The widow is uncovered to its taker alone."""
    state = bidding(engine, "pass", "bid", "pass")
    uncovered = [[e for e in engine.observation(state, p)["events"] if e["type"] == "uncover"] for p in range(3)]
    assert uncovered == [[], [], [{"type": "uncover", "zone": "widow", "cards": ["AH"]}]]
    assert [engine.observation(state, p)["zones"]["widow"] for p in (0, 2)] == [
        {"size": 1},
        {"size": 1, "cards": ["AH"]},
    ]


def test_arguments_have_their_names(engine: ModuleType) -> None:
    """`card`, `cards`, and names of the spec; sets of other things are lists."""
    state = bidding(engine, "pass", "bid", "pass")
    keys = {action["type"]: list(action) for action in engine.legal_actions(state)}
    assert keys == {
        "swap": ["type", "card", "cards", "m"],
        "match_up": ["type", "cards"],
        "colour": ["type", "x", "b"],
        "nothing": ["type"],
    }


def test_options_that_exclude_each_other_are_refused(engine: ModuleType) -> None:
    """The place of the constraint is named, and what was given."""
    told = r"exclude each other \[rarities.kozel:10\]; given: open_hands = True, extra = 3; "
    with pytest.raises(engine.BadInput, match=told):
        engine.new_initial_state(options={"open_hands": True, "extra": 3})
