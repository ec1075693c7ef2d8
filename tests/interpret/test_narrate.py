"""What card players read of a play, line by line."""

from dataclasses import replace

import pytest

from kozel_verify.interpret.narrate import Narrator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play, replay, replay_from
from kozel_verify.interpret.state import Announced, Chance, Choice, Gathered, Outcome, Proceed, Shown, State, Uncovered
from kozel_verify.interpret.view import UNSEEN, SawCards, SawChoice, SawMove, SawValue, SawZone
from kozel_verify.model.core import Dead
from kozel_verify.model.types import SetType
from tests.support.toy import ANSWER, LEAD, OVER, SEAT, toy_game

GAME = toy_game()
TOY = Interpreter(GAME)
ENGLISH, RUSSIAN = Narrator(GAME, "en", ascii=True), Narrator(GAME, "ru")
DEAL: list[Outcome] = [Chance(3), Chance(4), Chance(5), Chance(0), Chance(1)]
PLAY: list[Outcome] = [*DEAL, Choice(0, (0b110000,)), Choice(1, (0b000011,)), Proceed()]
# Hearts are trumps, seat 1 has led QH. Stock: 6S QS. Hands: AS 6H (seat 0), AH (seat 1).
AT_ANSWER = State(ANSWER, (1, 1, 0, 0, 0, 0, 0, 0, 0b010000, 0), (0, 0, 1, 1, 4, 2))


def test_a_deal_in_english() -> None:
    """A whole deal, with draws together and consequences indented."""
    assert ENGLISH.play_lines(replay(TOY, PLAY)) == [
        "all cards are gathered: stock",
        "drawn 6H: stock -> table (seat 1), seen by all",
        "  6H: table (seat 1) -> stock, seen by all",
        "drawn QH AH: stock -> hand (seat 1), seen by seat 1",
        "drawn 6S QS: stock -> hand (seat 2), seen by seat 2",
        "seat 1: lead QH AH",
        "  QH AH: hand (seat 1) -> table (seat 1), seen by all",
        "seat 2: discard 6S QS",
        "  6S QS: hand (seat 2) -> pile (seat 1), seen by seat 2",
        "  QH AH: table (seat 1) -> pile (seat 1), seen by all",
        "  told to all: points of the last taker: 17",
        "end of the deal",
        "  all cards are gathered: stock",
    ]


def test_a_deal_in_russian() -> None:
    """The same in Russian, with the game's own words."""
    assert RUSSIAN.play_lines(replay(TOY, PLAY[:6])) == [
        "все карты собраны: колода",
        "взято 6♥: колода → стол (место 1), видят все",
        "  6♥: стол (место 1) → колода, видят все",
        "взято Q♥ A♥: колода → рука (место 1), видит место 1",
        "взято 6♠ Q♠: колода → рука (место 2), видит место 2",
        "место 1: ход Q♥ A♥",
        "  Q♥ A♥: рука (место 1) → стол (место 1), видят все",
    ]


def test_a_state() -> None:
    """The table: zones that hold cards, in the order of the spec, then the cells of the spec."""
    assert ENGLISH.render_state(AT_ANSWER) == [
        "stock: 6S QS",
        "hand (seat 1): AS 6H",
        "hand (seat 2): AH",
        "table (seat 2): QH",
        "trumps: H",
        "leader: seat 2",
        "points (seat 1): 0",
        "points (seat 2): 0",
    ]
    assert RUSSIAN.render_state(AT_ANSWER)[:5] == [
        "колода: 6♠ Q♠",
        "рука (место 1): A♠ 6♥",
        "рука (место 2): A♥",
        "стол (место 2): Q♥",
        "козырь: ♥",
    ]


def test_hidden_cells_on_request() -> None:
    """The rules' own cells are added where they matter at the node, and only there."""
    assert ENGLISH.render_state(AT_ANSWER, hidden=True)[8:] == ["asked: seat 1", "group: QH"]
    assert ENGLISH.render_state(replace(AT_ANSWER, node=LEAD), hidden=True)[8:] == []


def test_a_view_tells_no_hidden_card() -> None:
    """A seat reads its own cards, the open ones, and only numbers of the rest."""
    lines = ENGLISH.render_view(TOY.view(AT_ANSWER, 0))
    assert lines == [
        "you are seat 1",
        "stock: 2 unseen",
        "hand (seat 1): AS 6H",
        "hand (seat 2): 1 unseen",
        "table (seat 2): QH",
        "trumps: H",
        "leader: seat 2",
        "points (seat 1): 0",
        "points (seat 2): 0",
        "seat 1 is to choose: answer",
    ]
    assert not any(card in line for line in lines for card in ("6S", "QS", "AH"))
    assert "AH" in "".join(ENGLISH.render_state(AT_ANSWER))  # the control: the whole state would tell it


@pytest.mark.parametrize(
    ("event", "english", "russian"),
    [
        (Gathered(0), "all cards are gathered: stock", "все карты собраны: колода"),
        (Shown(0b100, 0b10), "shown to seat 2: AS", "показано (место 2): A♠"),
        (Shown(0, 0b11), "shown to all: nothing", "показано (все): ничего"),
        (Shown(1, 0), "shown to nobody: 6S", "показано (никто): 6♠"),
        (Announced("free", 4, 0b11), "told to all: free: 4", "объявлено (все): free: 4"),
        (Uncovered(0, 0b11, 0b01), "seat 1 can now see stock: 6S QS", "теперь видит место 1: колода: 6♠ Q♠"),
    ],
)
def test_events(event: Gathered | Shown | Announced | Uncovered, english: str, russian: str) -> None:
    """Each kind of event has its sentence in both languages."""
    assert (ENGLISH.event(event), RUSSIAN.event(event)) == (english, russian)


def test_observations() -> None:
    """What a seat learned, in words: hidden faces and secret answers stay hidden."""
    found = [
        ENGLISH.observed(o, 0)
        for o in (
            SawChoice(LEAD, 1, 0, (UNSEEN,)),
            SawChoice(LEAD, 1, None, ()),
            SawMove(2, 0, 2, True, UNSEEN),
            SawMove(1, 2, 4, False, 0b100),
            SawCards(0b1001),
            SawZone(0, 0b11),
            SawValue("points of the last taker", 3),
            Gathered(0),
        )
    ]
    assert found == [
        "seat 2: lead ?",
        "seat 2 has answered",
        "drawn 2 unseen: stock -> hand (seat 2)",
        "AS: hand (seat 2) -> table (seat 2)",
        "shown to seat 1: 6S 6H",
        "seat 1 can now see stock: 6S QS",
        "told to seat 1: points of the last taker: 3",
        "all cards are gathered: stock",
    ]


def test_observed_lines_of_a_play_name_only_known_cards() -> None:
    """Over some plays, what is told to a seat is the same for another deal that it cannot tell apart."""
    told = []
    for stock in ((0, 1), (1, 0)):  # the other seat is dealt 6S, or QS
        state, _ = TOY.initial()
        lines = []
        for outcome in (Chance(3), Chance(4), Chance(5), Chance(2), Chance(stock[0])):
            state, events = TOY.step(state, outcome)
            lines += [ENGLISH.observed(o, 0) for o in TOY.observe(events, 0)]
        told.append(lines + ENGLISH.render_view(TOY.view(state, 0)))
    assert told[0] == told[1]


def test_names() -> None:
    """Names are told in the game's words, else with spaces; of a path its last part counts."""
    assert [RUSSIAN.name(name) for name in ("hand", "trick.hand", "deal.first_lead")] == ["рука", "рука", "first lead"]


def test_results() -> None:
    """The end of a match says what it means for each seat; other nodes say nothing."""
    over = State(OVER, (0, 0, 4, 21, 0, 0, 0, 0, 0, 0), (0,) * 6)
    assert ENGLISH.result_lines(TOY, over) == ["the end", "  seat 1: has lost", "  seat 2: has won"]
    assert RUSSIAN.result_lines(TOY, over) == ["конец", "  место 1: проигрыш", "  место 2: выигрыш"]
    assert ENGLISH.result_lines(TOY, AT_ANSWER) == []


def test_seats() -> None:
    """Seats count from one, and all of them are `all`."""
    assert [ENGLISH.seats(mask) for mask in range(4)] == ["nobody", "seat 1", "seat 2", "all"]
    assert RUSSIAN.value(0b11, SetType(SEAT)) == "место 1 место 2"


def test_records_that_end_early_say_why() -> None:
    """Illegal choices are told with their text and reason; faults and limits with theirs."""
    illegal = replay_from(TOY, AT_ANSWER, [Choice(0, (0b000100,))])
    assert ENGLISH.play_lines(illegal) == [
        "not allowed: beat AS: `beat A♠` does not fulfil the condition of `beat`",
    ]
    assert ENGLISH.play_lines(replay_from(TOY, AT_ANSWER, [Proceed()])) == [
        "not allowed: answer: `answer` awaits a choice",
    ]
    assert ENGLISH.play_lines(random_play(TOY, 1, limit=0))[-1] == "stopped after the given number of steps"
    blocks = list(GAME.blocks)
    blocks[12] = replace(blocks[12], end=Dead("never"))
    fault = random_play(Interpreter(replace(GAME, blocks=tuple(blocks))), 1)
    assert ENGLISH.play_lines(fault)[-1] == "the rules fail here: deal: reached the dead clause `never`"
