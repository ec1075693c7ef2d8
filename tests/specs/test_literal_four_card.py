"""Literal readings of Kozel with four cards that the readings reject: each breaks, and where it does is told."""

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
SPEC = Path(__file__).resolve().parents[2] / "spec"
BUDGET = 4_000_000


def refuted(spec: Spec, matches: int) -> dict[str, str]:
    """What some random matches and the plays of the scenarios refute: name -> what the play shows."""
    subject = Subject(spec, Settings(plays=matches))
    scenarios = [p for p in subject.game.properties if isinstance(p, Scenario)]
    told = [play for play in (told_play(subject.game, p, spec.program.files) for p in scenarios) if play is not None]
    plays = [(Interpreter(subject.game, options), options, play) for options, play in subject.plays]
    seen = look([*plays, *((interpreter, dict(interpreter.options), play) for interpreter, play in told)])
    return {
        name: "\n".join(show(subject, Interpreter(subject.game, options), name, run).explanation)
        for name, (options, run) in seen.violations.items()
    }


def answer(spec: Spec, name: str) -> object:
    (lemma,) = [p for p in spec.game.properties if isinstance(p, Lemma) and p.name == name]
    return prove_lemma(spec.game, lemma, BUDGET)


def test_with_trumps_that_never_change_the_cut_decides_nothing() -> None:
    """A card of the suit that was cut does not beat other suits any more, and the six of clubs is no trump."""
    spec = load(LITERAL / "four_card_fixed_trumps.kozel")
    assert isinstance(answer(spec, "cut_suit_wins"), Failed)
    left_out = answer(spec, "clubs_are_trumps")
    assert isinstance(left_out, Failed)
    assert spec.game.deck.name(int(left_out.case.arguments["c"] or 0)) == "6♣"
    assert isinstance(answer(spec, "transitive"), Proved)


def test_trumps_handed_to_the_partner_leave_hands_unequal() -> None:
    """Whoever has handed trumps over has fewer cards than the leader lays down, and no answer."""
    found = refuted(load(LITERAL / "four_card_passing.kozel"), 2)
    assert {"equal_hands", "lead_fits", "never_stuck", "nothing_is_passed"} <= found.keys()


def test_two_may_hold_four_trumps() -> None:
    """If four trumps are held by one seat alone, who leads has no value where two hold them."""
    found = refuted(load(LITERAL / "four_card_one_holder.kozel"), 0)
    assert "`the` found 2 elements" in found["well_defined"]


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the game as it is read has none of these faults."""
    spec = load(SPEC / "kozel_four_card.kozel")
    assert refuted(spec, 2) == {}
    assert isinstance(answer(spec, "cut_suit_wins"), Proved)
