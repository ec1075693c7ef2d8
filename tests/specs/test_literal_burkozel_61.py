"""Literal readings of Burkozel to 61 that the readings reject: each breaks, and where it does is told."""

from pathlib import Path

import pytest

from kozel_verify.model.core import Lemma, Scenario
from kozel_verify.model.load import Spec, load
from kozel_verify.symbolic.lemmas import Failed, Proved, prove_lemma
from kozel_verify.verify.scenarios import replay_scenario
from tests.support.games import broken_claims

LITERAL = Path(__file__).parent / "literal"
GAME = Path(__file__).resolve().parents[2] / "spec" / "burkozel_61.kozel"
BUDGET = 4_000_000
BROKEN = {  # the reading -> the play that shows it, and what is told
    "one_suit": ("three aces go before four of a suit: ends, moscow, molodka", "nothing is legal"),
    "first_claim": ("a true and a false claim in one window: the true one wins", "`victor == seat 1` does not hold"),
    "at_once": ("of two with four trumps the nearer to the ordinary leader wins", "`the` found 2 elements"),
    "has_winner": ("four play, nobody has 61", "`the` found 0 elements"),
}


def told(spec: Spec, name: str) -> str:
    """What is told of a scenario that fails; nothing for one that holds."""
    (scenario,) = [p for p in spec.game.properties if isinstance(p, Scenario) and p.name == name]
    failure = replay_scenario(spec.game, scenario, spec.program.files)
    return "" if failure is None else "\n".join(failure.lines)


def one_claim(spec: Spec) -> Lemma:
    (found,) = [p for p in spec.game.properties if isinstance(p, Lemma) and p.name == "one_claim"]
    return found


@pytest.mark.parametrize("reading", BROKEN)
def test_a_literal_reading_breaks(reading: str) -> None:
    """A play of the game comes to a point where the reading has no answer, or gives the deal to the wrong seat."""
    play, wrong = BROKEN[reading]
    assert wrong in told(load(LITERAL / f"burkozel_61_{reading}.kozel"), play)


def test_with_five_the_cards_do_not_go_round() -> None:
    """Of 36 cards 16 are left after the deal, which five cannot share."""
    assert "stock_even" in broken_claims(load(LITERAL / "burkozel_61_five.kozel").game, {}, 1, seed=1)


def test_four_aces_are_two_combinations_if_three_are_enough() -> None:
    """A hand of four aces fits both kinds."""
    spec = load(LITERAL / "burkozel_61_three_aces.kozel")
    answer = prove_lemma(spec.game, one_claim(spec), BUDGET)
    assert isinstance(answer, Failed)
    hand = int(answer.case.arguments["h"] or 0)
    assert [spec.game.deck.name(c) for c in range(36) if hand >> c & 1] == ["A♠", "A♣", "A♦", "A♥"]


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the game as it is read has none of these faults."""
    spec = load(GAME)
    assert [told(spec, play) for play, _ in BROKEN.values()] == [""] * len(BROKEN)
    assert broken_claims(spec.game, {"players": 4}, 1, seed=1) == set()
    assert isinstance(prove_lemma(spec.game, one_claim(spec), BUDGET), Proved)
