"""Values and choices as text, and back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Choice
from kozel_verify.interpret.text import BadText, choice_text, parse_choice, set_text, value_text
from kozel_verify.model.core import Ask, Const, Parameter, Verb
from kozel_verify.model.types import BOOL, NAT, EnumType, OptionalType, RangeType, SetType, Type, Value
from tests.support.toy import ANSWER, CARD, CARDS, LEAD, RANK, SEAT, SEATS, SUIT, TRUE, nat, toy_game

GAME = toy_game()
TOY = Interpreter(GAME)
CLAIM = EnumType("Claim", ("small", "big"))
TERMS = {**GAME.terms, "big": {"en": "grand", "ru": "большая"}}
WORDS = replace(GAME, terms=TERMS)


def ask(node: int) -> Ask:
    found = GAME.nodes[node]
    assert isinstance(found, Ask)
    return found


@pytest.mark.parametrize(
    ("value", "type_", "plain", "english", "russian"),
    [
        (2, CARD, "A♠", "A♠", "A♠"),
        (1, SUIT, "♥", "♥", "♥"),
        (1, RANK, "Q", "Q", "Q"),
        (1, SEAT, "seat 2", "seat 2", "место 2"),
        (0b011010, CARDS, "Q♠ 6♥ Q♥", "Q♠ 6♥ Q♥", "Q♠ 6♥ Q♥"),
        (0, CARDS, "nothing", "nothing", "ничего"),
        (0b11, SEATS, "seat 1 seat 2", "seat 1 seat 2", "место 1 место 2"),
        (0b101, SetType(RangeType(0, 3)), "0 2", "0 2", "0 2"),
        (None, OptionalType(SUIT), "none", "none", "нет"),
        (0, OptionalType(SUIT), "♠", "♠", "♠"),
        (True, BOOL, "true", "yes", "да"),
        (False, BOOL, "false", "no", "нет"),
        (17, NAT, "17", "17", "17"),
        (3, RangeType(1, 4), "3", "3", "3"),
        (0, CLAIM, "small", "small", "small"),
        (1, CLAIM, "big", "grand", "большая"),
        (7, CARD, "7", "7", "7"),
    ],
)
def test_values_as_text(value: Value, type_: Type, plain: str, english: str, russian: str) -> None:
    """Every type has its text, plain and in both languages; what is no value stays a number."""
    found = [value_text(WORDS, value, type_, language=language) for language in ("", "en", "ru")]
    assert found == [plain, english, russian]


def test_ascii() -> None:
    """Without suit symbols cards and suits are written in letters."""
    assert set_text(GAME, 0b100100, ascii=True) == "AS AH"
    assert value_text(GAME, 1, SUIT, ascii=True) == "H"


def test_choices_as_text() -> None:
    """A choice is its verb and its arguments in order; in a language, in the game's words."""
    choice = Choice(0, (0b110000,))
    assert choice_text(GAME, ask(LEAD), choice) == "lead Q♥ A♥"
    assert choice_text(GAME, ask(LEAD), choice, ascii=True) == "lead QH AH"
    assert choice_text(GAME, ask(LEAD), choice, language="ru") == "ход Q♥ A♥"
    assert choice_text(GAME, ask(ANSWER), Choice(1, (0,))) == "discard nothing"


@pytest.mark.parametrize(
    "text",
    [
        "lead Q♥ A♥", "lead QH AH", "LEAD ah qh", "ход Д♥ Т♥", "  lead   q♥  т♥ ", "Ход дH тh", "lead Q♥️ A♥️",
    ],
)  # fmt: skip
def test_choices_are_read_in_every_spelling(text: str) -> None:
    """Letters or symbols, either alphabet, any case, any order, spare spaces and variation selectors."""
    assert parse_choice(GAME, ask(LEAD), text) == Choice(0, (0b110000,))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "does not begin with one of `lead`"),
        ("leads Q♥", "does not begin with one of `lead`"),
        ("lead", "takes 1 arguments separated by commas, not 0"),
        ("lead Q♥, A♥", "takes 1 arguments separated by commas, not 2"),
        ("lead K♥", "does not begin with a `Card`"),
        ("lead Q♥A♥", "does not begin with a `Card`"),
        ("lead Q♥ Q♥", "Q♥ is named twice"),
    ],
)
def test_what_is_no_choice_is_refused(text: str, message: str) -> None:
    """A text that names no choice says what was expected; naming a card twice is not silently one card."""
    with pytest.raises(BadText, match=message):
        parse_choice(GAME, ask(LEAD), text)


def mixed() -> Ask:
    """A question with arguments of many types, a verb without any, and one whose name begins as another's."""
    every = Const(0b11, SEATS)
    types: list[tuple[str, Type, bool]] = [
        ("a", CARD, False), ("b", SUIT, False), ("c", SEATS, True), ("d", CLAIM, False), ("e", RangeType(1, 12), False),
        ("f", RANK, False), ("g", SetType(RangeType(1, 12)), True), ("h", SEAT, False),
    ]  # fmt: skip
    bound = nat(0)
    parameters = tuple(Parameter(n, "", every, bound if s else None, bound if s else None, t) for n, t, s in types)
    verbs = (Verb("give", parameters, TRUE, 0), Verb("give_up", (), TRUE, 0), Verb("pass", (), TRUE, 0))
    return Ask("mixed", Const(0, SEAT), False, verbs)


def test_several_arguments() -> None:
    """Arguments are separated by commas; verbs without arguments stand alone."""
    choice = Choice(0, (3, 1, 0b10, 1, 12, 2, 0b1000000000010, 1))
    text = "give 6♥, ♥, seat 2, big, 12, A, 1 12, seat 2"
    assert choice_text(WORDS, mixed(), choice) == text
    assert parse_choice(WORDS, mixed(), text) == choice
    assert choice_text(WORDS, mixed(), Choice(1, ())) == "give_up"
    assert parse_choice(WORDS, mixed(), "give_up") == Choice(1, ())


def test_words_of_verbs_with_spaces_and_twins() -> None:
    """The longest fitting spelling counts, and a verb's own name goes before another verb's word."""
    game = replace(GAME, terms={"give_up": {"en": "give up"}, "pass": {"en": "give_up", "ru": "пас"}})
    assert parse_choice(game, mixed(), "give up") == Choice(1, ())
    assert parse_choice(game, mixed(), "give_up") == Choice(1, ())
    assert parse_choice(game, mixed(), "Пас") == Choice(2, ())
    with pytest.raises(BadText, match="`give` takes 8 arguments"):
        parse_choice(game, mixed(), "give upwards")


def test_one_element_is_one_element() -> None:
    """An argument that is no set takes exactly one element."""
    with pytest.raises(BadText, match="`6♥ q♥` is not a `Card`"):
        parse_choice(WORDS, mixed(), "give 6♥ Q♥, ♥, seat 2, big, 12, A, 1 12, seat 2")


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(
        st.integers(0, 5), st.integers(0, 1), st.integers(0, 3), st.integers(0, 1), st.integers(1, 12),
        st.integers(0, 2), st.integers(0, 4095).map(lambda n: n << 1), st.integers(0, 1),
    ),
    st.booleans(),
    st.sampled_from(["", "en", "ru"]),
)  # fmt: skip
def test_reading_is_the_inverse_of_writing(arguments: tuple[Value, ...], ascii: bool, language: str) -> None:
    """Whatever is written is read back as the same choice, in every language and spelling."""
    choice = Choice(0, arguments)
    text = choice_text(WORDS, mixed(), choice, ascii=ascii, language=language)
    assert parse_choice(WORDS, mixed(), text) == choice


def test_menus_are_read_back() -> None:
    """Every choice of the menus of a few plays has its own text, which is read back as that choice."""
    for seed in range(10):
        for state in random_play(TOY, seed, until="match").states:
            node = TOY.node(state)
            if isinstance(node, Ask):
                menu = [c for c in TOY.outcomes(state) if isinstance(c, Choice)]
                texts = [choice_text(GAME, node, c) for c in menu]
                assert len(set(texts)) == len(texts)
                assert [parse_choice(GAME, node, t) for t in texts] == menu
