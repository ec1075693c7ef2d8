"""The public interface of an exported module, on the toy game."""

import json
from types import FunctionType, ModuleType
from typing import Any

import pytest

from kozel_verify.export.python.module import export_python
from kozel_verify.verify.engine_check import load_engine
from tests.support.toy import toy_game

DECK = ["QS", "6H", "AH", "6S", "QH", "AS"]


@pytest.fixture(scope="module")
def engine() -> ModuleType:
    return load_engine(export_python(toy_game(), spec_hash="0" * 64))


def start(engine: ModuleType, **changes: Any) -> Any:
    """A deal from a known deck. The first card is turned and put back, at a place that the seed decides."""
    return engine.new_initial_state(**{"deck": DECK, "seed": 5, **changes})


def play(engine: ModuleType, state: Any, *numbers: int) -> Any:
    for number in numbers:
        state = engine.apply_at(state, number)
    return state


# --- the beginning ----------------------------------------------------------------------------------------------------


def test_the_deck_comes_off_in_its_order(engine: ModuleType) -> None:
    """The first card of the deck is turned; both seats are dealt from the same pack; no card is lost or doubled."""
    state = start(engine)
    seen = engine.observation(state, 0)
    assert seen["cells"]["trump"] == "S"
    assert seen["events"][1] == {"type": "draw", "from": "stock", "to": "table[0]", "count": 1, "cards": ["QS"]}
    hands = [engine.observation(state, p)["zones"][f"hand[{p}]"]["cards"] for p in (0, 1)]
    assert [len(hand) for hand in hands] == [2, 2]
    assert len({card for hand in hands for card in hand}) == 4


def test_a_seed_deals_always_the_same(engine: ModuleType) -> None:
    """Equal seeds give equal states; the states of 40 seeds are not all the same."""
    assert engine.new_initial_state(seed=3) == engine.new_initial_state(seed=3)
    assert len({engine.new_initial_state(seed=n).zones for n in range(40)}) > 10
    assert isinstance(engine.new_initial_state(), engine.State)


@pytest.mark.parametrize(
    "arguments, text",
    [
        ({"options": {"ruff": True}}, "no option 'ruff'; there are: ruffing"),
        ({"options": {"ruffing": 1}}, "option ruffing: true or false was expected, not 1"),
        ({"options": [1]}, "options are given as an object from names to values"),
        ({"seed": -1}, "a seed is a number from 0 to 2**64 - 1, not -1"),
        ({"seed": 1 << 64}, "a seed is a number from 0 to 2**64 - 1, not 18446744073709551616"),
        ({"seed": True}, "a seed is a number from 0 to 2**64 - 1, not True"),
        ({"seed": "1"}, "a seed is a number from 0 to 2**64 - 1, not '1'"),
        ({"deck": "QS"}, "a deck is a list of card names"),
        ({"deck": ["QS"]}, "a deck names each of the 6 cards of the pack once"),
        ({"deck": ["QS"] * 6}, "a deck names each of the 6 cards of the pack once"),
        ({"deck": ["7S"] * 6}, "deck: '7S' is not one of 6S QS AS 6H QH AH"),
        ({"episode": "round"}, "an episode is 'deal' or 'match', not 'round'"),
    ],
)
def test_bad_beginnings_are_refused(engine: ModuleType, arguments: dict[str, Any], text: str) -> None:
    """Every wrong argument is a ``BadInput``, a ``ValueError``, with a text that says what was expected."""
    with pytest.raises(engine.BadInput) as caught:
        engine.new_initial_state(**arguments)
    assert str(caught.value) == text
    assert isinstance(caught.value, ValueError)


# --- play -------------------------------------------------------------------------------------------------------------


def test_a_deal_is_played_out(engine: ModuleType) -> None:
    """Turns alternate as the rules say, the deal ends, and returns add up to nothing."""
    state, players = engine.new_initial_state(seed=1), []
    while not engine.is_terminal(state):
        assert engine.returns(state) == [0, 0]
        players.append(engine.current_player(state))
        state = engine.apply_action(state, engine.legal_actions(state)[0])
    assert players[:2] == [0, 1]
    assert engine.current_player(state) is None
    assert engine.legal_actions(state) == []
    assert sum(engine.returns(state)) == 0
    with pytest.raises(engine.IllegalAction, match="the episode is over"):
        engine.apply_action(state, {"type": "lead", "cards": ["6S"]})


def test_a_match_ends_with_winner_and_loser(engine: ModuleType) -> None:
    """Deals follow each other by themselves until the match is over."""
    state = engine.new_initial_state(seed=2, episode="match")
    while not engine.is_terminal(state):
        state = engine.apply_at(state, 0)
    assert sorted(engine.returns(state)) in ([-1, 1], [0, 0])
    assert max(engine.observation(state, 0)["cells"][f"score[{s}]"] for s in (0, 1)) >= 20


def test_numbers_stand_for_legal_actions(engine: ModuleType) -> None:
    """``action_at`` and ``apply_at`` agree with the list; other numbers are refused."""
    state = start(engine)
    actions = engine.legal_actions(state)
    assert [engine.action_at(state, n) for n in range(engine.action_count(state))] == actions
    assert all(engine.apply_at(state, n) == engine.apply_action(state, a) for n, a in enumerate(actions))
    for number in (-1, len(actions)):
        with pytest.raises(engine.BadInput, match="no number"):
            engine.apply_at(state, number)
        with pytest.raises(engine.BadInput, match="no number"):
            engine.action_at(state, number)


@pytest.mark.parametrize("number", [True, False, "0", 0.0, None, -1])
def test_what_is_no_number_of_an_action_is_refused(engine: ModuleType, number: Any) -> None:
    """Only whole numbers of the menu stand for actions; truth values are none."""
    for use in (engine.action_at, engine.apply_at):
        with pytest.raises(engine.BadInput):
            use(start(engine), number)


def test_what_is_no_state_is_refused(engine: ModuleType) -> None:
    """An action on something else is bad input, and so are options that are no mapping, empty ones too."""
    with pytest.raises(engine.BadInput):
        engine.apply_action(5, {"type": "lead", "cards": []})
    with pytest.raises(engine.BadInput):
        engine.new_initial_state(options=[])


def test_states_do_not_change(engine: ModuleType) -> None:
    """A state is a value: nothing can be set, an action leaves the old one, a caller's lists are the caller's."""
    state = start(engine)
    text = engine.serialize(state)
    with pytest.raises(AttributeError):
        state.node = 3
    with pytest.raises(AttributeError):
        state.new = 3
    actions = engine.legal_actions(state)
    actions[0]["cards"].append("AH")
    view = engine.observation(state, 0)
    view["zones"]["hand[0]"]["cards"].clear()
    assert engine.legal_actions(state) != actions
    engine.apply_at(state, 0)
    assert engine.serialize(state) == text
    assert {state: 1}[engine.deserialize(text)] == 1


@pytest.mark.parametrize(
    "action, reason",
    [
        (None, "an action is an object with a `type`"),
        ({}, "an action is an object with a `type`"),
        ({"type": 7}, "an action is an object with a `type`"),
        ({"type": "beat"}, "no action 'beat' here, but: lead"),
        ({"type": "lead"}, "the action 'lead' has exactly the keys type, cards"),
        ({"type": "lead", "cards": ["6S"], "x": 1}, "the action 'lead' has exactly the keys type, cards"),
        ({"type": "lead", "cards": "6S"}, "cards: a list of cards was expected, not '6S'"),
        ({"type": "lead", "cards": [["6S"]]}, "cards: ['6S'] is no card of this game, or stands there twice"),
        ({"type": "lead", "cards": ["6S", "6S"]}, "cards: '6S' is no card of this game, or stands there twice"),
        ({"type": "lead", "cards": []}, "cards: the wrong number of elements; wanted: 1 to 2"),
        ({"type": "lead", "cards": ["AS"]}, "cards: not all of it can be chosen here"),
        ({"type": "lead", "cards": ["QS", "QH"]}, "lead: the condition `one_suit` does not hold"),
    ],
)
def test_illegal_actions_are_refused(engine: ModuleType, action: Any, reason: str) -> None:
    """Each gives an ``IllegalAction`` with the reason, and the state stays as it was."""
    deals = (engine.new_initial_state(seed=seed) for seed in range(1000))
    state = next(s for s in deals if engine.observation(s, 0)["zones"]["hand[0]"]["cards"] == ["QS", "QH"])
    text = engine.serialize(state)
    with pytest.raises(engine.IllegalAction) as caught:
        engine.apply_action(state, action)
    assert caught.value.reason == reason
    assert engine.serialize(state) == text


# --- what players know ------------------------------------------------------------------------------------------------


def test_hidden_cards_are_not_told(engine: ModuleType) -> None:
    """Two states that differ only in what seat 0 does not see give it the same observation."""
    state = start(engine)
    other = state._replace(zones=(*state.zones[:2], state.zones[0], *state.zones[3:]), order=state.order[::-1])
    other = other._replace(zones=(state.zones[2], *other.zones[1:]), random=1, keep=True)
    hidden = [e for e in state.log if e[0] == engine.MOVED and not e[4] & 1]
    assert hidden and other.zones != state.zones
    swapped = tuple((*e[:1], state.zones[0] & -state.zones[0], *e[2:]) if e in hidden else e for e in state.log)
    assert engine.observation(other._replace(log=swapped), 0) == engine.observation(state, 0)
    assert engine.observation(other, 1) != engine.observation(state, 1)


def test_an_observation_is_json(engine: ModuleType) -> None:
    """It survives being sent, and the menu is found again in it."""
    state = play(engine, start(engine), 0)
    for player in (0, 1):
        view = engine.observation(state, player)
        back = json.loads(json.dumps(view))
        assert back == view
        assert engine.legal_actions(back) == (engine.legal_actions(state) if player == 1 else [])


def test_a_discard_is_known_to_its_player_only(engine: ModuleType) -> None:
    """The other seat learns how many cards went where."""
    state = play(engine, start(engine), 0)
    discard = next(n for n, a in enumerate(engine.legal_actions(state)) if a["type"] == "discard")
    cards = engine.action_at(state, discard)["cards"]
    after = engine.apply_at(state, discard)
    moves = [
        [e for e in engine.observation(after, p)["events"] if e.get("from") == "hand[1]" and e["to"] == "won[0]"]
        for p in (0, 1)
    ]
    assert moves[0] == [{"type": "move", "from": "hand[1]", "to": "won[0]", "count": 1}]
    assert moves[1] == [{**moves[0][0], "cards": cards}]
    choices = [[e for e in engine.observation(after, p)["events"] if e["type"] == "choice"][-1] for p in (0, 1)]
    assert [choice["action"] for choice in choices] == [{"type": "discard"}, {"type": "discard", "cards": cards}]


@pytest.mark.parametrize(
    "change, text",
    [
        ({"cells": {"trumps": "S"}}, "no cell 'trumps' in this game"),
        ({"cells": {"trump": "X"}}, "trump: 'X' is not one of S H"),
        ({"at": "nowhere"}, "no node 'nowhere' in this game"),
        ({"zones": {}}, "not a view of this game"),
        ({"current_player": 1, "player": 1}, "this view contradicts itself"),
    ],
)
def test_malformed_views_are_refused(engine: ModuleType, change: dict[str, Any], text: str) -> None:
    """Each is a ``BadInput``."""
    with pytest.raises(engine.BadInput, match=text):
        engine.legal_actions({**engine.observation(start(engine), 0), **change})


def test_views_with_impossible_zones_are_refused(engine: ModuleType) -> None:
    """Cards that lie twice, too many or too few cards."""
    view = engine.observation(start(engine), 0)
    for label, zone in (
        ("table[0]", {"size": 1, "cards": view["zones"]["hand[0]"]["cards"][:1]}),
        ("stock", {"size": 9}),
        ("stock", {"size": 0}),
        ("stock", {"size": True}),
    ):
        with pytest.raises(engine.BadInput):
            engine.legal_actions({**view, "zones": {**view["zones"], label: zone}})
    with pytest.raises(engine.BadInput, match="a player is a number from 0 to 1, not 2"):
        engine.observation(start(engine), 2)


# --- states as text ---------------------------------------------------------------------------------------------------


def test_a_state_comes_back_from_its_text(engine: ModuleType) -> None:
    """At every step of a match; the same bytes again."""
    state = engine.new_initial_state(seed=9, episode="match")
    while not engine.is_terminal(state):
        text = engine.serialize(state)
        back = engine.deserialize(text)
        assert (back, hash(back), engine.serialize(back)) == (state, hash(state), text)
        state = engine.apply_at(back, engine.action_count(back) - 1)


@pytest.mark.parametrize(
    "change, text",
    [
        ({"format": "x"}, "not a serialized state"),
        ({"version": 2}, "version 1 of the format was expected, not 2"),
        ({"spec": "x"}, "a state of another spec"),
        ({"more": 1}, "the keys of a serialized state are"),
        ({"episode": "x"}, "an episode is"),
        ({"options": {}}, "all options have to be given"),
        ({"options": None}, "malformed state"),
        ({"at": "deal"}, "no state rests at 'deal'"),
        ({"at": "x"}, "no node 'x' in this game"),
        ({"cells": {}}, "the cells are trump, leader"),
        ({"zones": []}, "the zones are stock"),
        ({"order": ["6S"]}, "a deck names each"),
        ({"random": "0x00000000000000"}, "random is a text of 16 hexadecimal digits"),
        ({"random": 7}, "random is a text of 16 hexadecimal digits"),
        ({"keep": 1}, "random is a text of 16 hexadecimal digits"),
        ({"log": [[9]]}, "not an event of this game"),
        ({"log": [[2, 0, 0, 0]]}, "not an event of this game"),
        ({"log": [[3, 1, 0, 99, 0, 0]]}, "not an event of this game"),
        ({"log": [[True]]}, "an event is a list of numbers"),
        ({"log": 3}, "malformed state"),
        ({"earlier": None}, "malformed state"),
    ],
)
def test_damaged_states_are_refused(engine: ModuleType, change: dict[str, Any], text: str) -> None:
    """Each is one ``BadInput`` that says what is wrong."""
    data = json.loads(engine.serialize(start(engine)))
    with pytest.raises(engine.BadInput, match=text):
        engine.deserialize(json.dumps({**data, **change}))


def test_damaged_positions_are_refused(engine: ModuleType) -> None:
    """A cell out of its type or out of use, a card that lies twice or nowhere, no JSON at all."""
    data = json.loads(engine.serialize(start(engine)))
    for kind, label, value, text in (
        ("cells", "leader", 2, "leader: a number from 0 to 1 was expected, not 2"),
        ("cells", "score[0]", -1, "a number from 0 was expected"),
        ("cells", "asked", 1, "asked is not in use at lead"),
        ("zones", "stock", data["zones"]["hand[0]"], "lies twice"),
        ("zones", "stock", [], "lies nowhere"),
        ("zones", "stock", ["2C"], "no card of this game"),
    ):
        with pytest.raises(engine.BadInput, match=text):
            engine.deserialize(json.dumps({**data, kind: {**data[kind], label: value}}))
    for broken in ("", "{", "[]", "null", "1" * 5000, "[" * 100_000):
        with pytest.raises(engine.BadInput):
            engine.deserialize(broken)


# --- what is no state -------------------------------------------------------------------------------------------------

TAKE_STATES: dict[str, tuple[Any, ...]] = {
    "current_player": (),
    "legal_actions": (),
    "apply_action": ({"type": "lead"},),
    "is_terminal": (),
    "returns": (),
    "observation": (0,),
    "serialize": (),
    "action_count": (),
    "action_at": (0,),
    "apply_at": (0,),
}


@pytest.mark.parametrize("name", TAKE_STATES)
def test_every_function_refuses_what_is_no_state(engine: ModuleType, name: str) -> None:
    """Every function that takes a state says so with a ``BadInput``, whatever it is given instead."""
    for given in (None, {}, "x", 0, [], (1, 2), object(), tuple(start(engine))):
        with pytest.raises(engine.BadInput, match=r"a state is wanted, not |a view"):
            getattr(engine, name)(given, *TAKE_STATES[name])


def test_every_function_that_takes_a_state_is_asked(engine: ModuleType) -> None:
    """Control: the list above is that of the module's public functions whose first parameter is a state."""
    public = [f for n, f in vars(engine).items() if isinstance(f, FunctionType) and not n.startswith("_")]
    takes = {f.__name__ for f in public if f.__code__.co_varnames[:1] == ("state",)}
    assert takes == set(TAKE_STATES)
