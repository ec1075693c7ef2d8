"""A claim about a menu against the menu, by the reference."""

import pytest

from kozel_verify.interpret.menus import Mismatch, decided, mismatch
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, State
from kozel_verify.model.core import MenuClaim
from kozel_verify.model.load import load_text
from kozel_verify.model.types import members
from tests.model.frame import text

TURN = """gather pack into stock
draw 2 from stock to hand[seat 1]
ask seat 1 to turn { may take(g : 1..2 of hand[seat 1], n in 1..2) when 6♠ not in g { } may pass { } }"""
LARGE = "ranks 6, 7, 8, 9, 10, J, Q, K, A"  # eighteen cards: too many for all groups
RIGHT = "g within hand[seat 1] and |g| in 1..2 and 6♠ not in g"


def found(statement: str, large: bool = False, choice: str = "take(g, n)") -> tuple[Mismatch | None, bool]:
    """The mismatch of a claim where seat 1 has the first two cards of the pack, and whether all values were tried."""
    spec = text(f"menu a at turn : {choice} when {statement}", TURN)
    game = load_text(spec.replace("ranks 6, 10, A", LARGE) if large else spec).game
    interpreter = Interpreter(game)
    state = interpreter.initial()[0]
    for card in list(members(game.pack))[:2]:
        state = interpreter.step(state, Chance(card))[0]
    [claim] = game.properties
    assert isinstance(claim, MenuClaim)
    return mismatch(interpreter, state, claim), decided(interpreter, state, claim)


def test_a_menu_written_twice() -> None:
    """The other way to write the menu agrees with it, however it is put; a choice without arguments is one value."""
    for statement in (RIGHT, "(every c in g : c in hand[seat 1] and c != 6♠) and some c in g : true"):
        assert found(statement) == (None, True)
    assert found("true", choice="pass") == (None, True)


@pytest.mark.parametrize(
    ("statement", "arguments", "legal"),
    [
        (f"{RIGHT} and n == 1", (2, 2), True),
        (f"{RIGHT} and 10♠ not in g", (2, 1), True),
        ("g within hand[seat 1] and 6♠ not in g", (0, 1), False),
        ("g within hand[seat 1] and |g| in 1..2", (1, 1), False),
        ("|g| in 1..2 and 6♠ not in g and g within hand[seat 1] union {A♠}", (4, 1), False),
        ("false", (2, 1), True),
        ("true", (0, 1), False),
    ],
)
def test_each_way_to_differ(statement: str, arguments: tuple[int, int], legal: bool) -> None:
    """Negative controls: a choice too many or too few in the claim is found, with the choice."""
    assert found(statement) == (Mismatch(Choice(0, arguments), legal), True)


def test_a_choice_without_arguments() -> None:
    """Negative control: that it is not legal, though it is."""
    assert found("false", choice="pass") == (Mismatch(Choice(1, ()), True), True)


def test_a_statement_without_a_value() -> None:
    """A statement must have a value for all values of the arguments, not only for the legal ones."""
    wrong, _ = found("only(g) != 6♠ and g within hand[seat 1]")
    assert wrong is not None and (wrong.choice.arguments, wrong.legal) == ((0, 1), False) and wrong.fault is not None
    assert found("g within hand[seat 1] and |g| == 1 and only(g) != 6♠")[0] is None
    assert found("g within hand[seat 1] and |g| in 1..2 and (|g| == 2 or only(g) != 6♠) and 6♠ not in g")[0] is None


def test_many_values() -> None:
    """On a pack of eighteen cards a bound makes the answer exact; without one near misses refute and cannot show."""
    assert found(RIGHT, large=True) == (None, True)
    loose = "(every c in g : c in hand[seat 1]) and |g| in 1..2 and 6♠ not in g"
    assert found(loose, large=True) == (None, False)
    for wrong in (loose.replace("1..2", "0..2"), loose.replace(" and 6♠ not in g", ""), loose + " and n == 1"):
        mismatched, exact = found(wrong, large=True)
        assert mismatched is not None and not exact
    far = f"({loose}) or |g| == 9"  # no legal group, and none like one, has nine cards
    assert found(far, large=True) == (None, False)


def test_small_zones_are_near() -> None:
    """Groups out of one small zone are tried, also where nothing of the kind is legal."""
    spec = text("menu a at turn : take(g, n) when |g| == 3 and not g within stock union hand[seat 1]", TURN)
    game = load_text(spec.replace("ranks 6, 10, A", LARGE).replace("1..2 of hand[seat 1]", "1..2 of open_cards")).game
    [claim] = game.properties
    assert isinstance(claim, MenuClaim)
    interpreter = Interpreter(game)
    state = interpreter.initial()[0]
    for card in (0, 1):
        state = interpreter.step(state, Chance(card))[0]
    assert mismatch(interpreter, state, claim) is None
    slot = game.zones["hand"].base + 1
    place = tuple(slot if card in (4, 5, 6) else p for card, p in enumerate(state.place))
    wrong = mismatch(interpreter, State(state.node, state.cells, place), claim)
    assert wrong == Mismatch(Choice(0, (0b1110000, 1)), False)
