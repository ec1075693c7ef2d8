"""Literal readings of Bura that the readings reject: each breaks, and where it does is told."""

from pathlib import Path

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.core import Lemma, Scenario
from kozel_verify.model.load import Spec, load
from kozel_verify.symbolic.lemmas import Failed, Proved, prove_lemma
from kozel_verify.verify.plays import look
from kozel_verify.verify.probes import show
from kozel_verify.verify.scenarios import told_play
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

LITERAL = Path(__file__).parent / "literal"
SPEC = Path(__file__).resolve().parents[2] / "spec" / "bura.kozel"
BUDGET = 4_000_000


def refuted(path: Path, matches: int) -> dict[str, str]:
    """What some random matches and the plays of the scenarios refute: name -> what the play shows."""
    subject = Subject(load(path), Settings(plays=matches))
    plays = [(Interpreter(subject.game, options), options, play) for options, play in subject.plays]
    scenarios = [p for p in subject.game.properties if isinstance(p, Scenario)]
    told = [told_play(subject.game, p, subject.spec.program.files) for p in scenarios]
    plays += [(play[0], dict(play[0].options), play[1]) for play in told if play is not None]
    return {
        name: "\n".join(show(subject, Interpreter(subject.game, options), name, run).explanation)
        for name, (options, run) in look(plays).violations.items()
    }


def lemma(spec: Spec, name: str) -> Lemma:
    (found,) = [p for p in spec.game.properties if isinstance(p, Lemma) and p.name == name]
    return found


def test_with_five_the_cards_do_not_go_round() -> None:
    """Of 36 cards 21 are left after the deal, which five cannot share: what is left is no whole number of rounds."""
    found = refuted(LITERAL / "bura_five.kozel", 4)
    assert "`stock_even` does not hold at `deal.play.trick.lead`" in found["stock_even"]


def test_if_all_may_claim_two_are_right_at_once() -> None:
    """Two with 31 points each: one of them loses although his claim is true."""
    found = refuted(LITERAL / "bura_all_claim.kozel", 0)
    assert set(found) == {"true_claims_win"}


def test_three_trumps_are_two_combinations_if_they_are_three_of_a_suit_as_well() -> None:
    """Three trumps fit both kinds, so what they count against three aces would be a matter of the word chosen."""
    spec = load(LITERAL / "bura_trumps_suited.kozel")
    answer = prove_lemma(spec.game, lemma(spec, "one_claim"), BUDGET)
    assert isinstance(answer, Failed)
    hand = int(answer.case.arguments["h"] or 0)
    assert len({spec.game.deck.name(c)[-1] for c in range(36) if hand >> c & 1}) == 1
    assert {answer.case.arguments["k"], answer.case.arguments["j"]} == {0, 2}


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the game as it is read has none of these faults, nor any other in the same plays."""
    assert refuted(SPEC, 4) == {}
    spec = load(SPEC)
    assert isinstance(prove_lemma(spec.game, lemma(spec, "one_claim"), BUDGET), Proved)
