"""Literal readings of Bura and of Burkozel to 61 that the readings reject: each breaks, and where it does is told."""

from pathlib import Path

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.core import Lemma, Scenario
from kozel_verify.model.load import Spec, load
from kozel_verify.symbolic.lemmas import Failed, Proved, prove_lemma
from kozel_verify.verify.plays import look
from kozel_verify.verify.scenarios import told_play
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

LITERAL = Path(__file__).parent
SPEC = Path(__file__).parent


def refuted(spec: Spec, matches: int) -> set[str]:
    """The promises about play that some random matches and the plays of the scenarios refute."""
    subject = Subject(spec, Settings(plays=matches))
    seen = look((Interpreter(subject.game, options), options, play) for options, play in subject.plays)
    scenarios = [p for p in subject.game.properties if isinstance(p, Scenario)]
    told = [play for play in (told_play(subject.game, p, spec.program.files) for p in scenarios) if play is not None]
    seen_there = look((interpreter, dict(interpreter.options), play) for interpreter, play in told)
    return {*seen.violations, *seen_there.violations}


def lemma(spec: Spec, name: str) -> Lemma:
    (found,) = [p for p in spec.game.properties if isinstance(p, Lemma) and p.name == name]
    return found


def test_with_five_the_cards_do_not_go_round() -> None:
    """Of 36 cards 21 are left after the deal, which five cannot share."""
    assert "stock_even" in refuted(load(LITERAL / "bura_five.kozel"), 4)


def test_if_all_may_claim_two_are_right_at_once() -> None:
    """Two with 31 points each: one of them loses although his claim is true."""
    assert "true_claims_win" in refuted(load(LITERAL / "bura_all_claim.kozel"), 0)


def test_four_aces_are_two_combinations_if_three_are_enough() -> None:
    """A hand of four aces fits both kinds."""
    spec = load(LITERAL / "burkozel_61_three_aces.kozel")
    answer = prove_lemma(spec.game, lemma(spec, "one_claim"), 4_000_000)
    assert isinstance(answer, Failed)
    hand = int(answer.case.arguments["h"] or 0)
    assert [spec.game.deck.name(c) for c in range(36) if hand >> c & 1] == ["A♠", "A♣", "A♦", "A♥"]


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the games as they are read have none of these faults."""
    assert refuted(load(SPEC / "bura.kozel"), 4) == set()
    spec = load(SPEC / "burkozel_61.kozel")
    assert isinstance(prove_lemma(spec.game, lemma(spec, "one_claim"), 4_000_000), Proved)
