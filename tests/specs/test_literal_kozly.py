"""Literal readings of Kozly that are rejected: each breaks, and where it does is told."""

from pathlib import Path

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.core import Lemma
from kozel_verify.model.load import Spec, load
from kozel_verify.symbolic.lemmas import Failed, Proved, prove_lemma
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.plays import look
from kozel_verify.verify.run import verify_spec
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

LITERAL = Path(__file__).parent / "literal"
SPEC = Path(__file__).resolve().parents[2] / "spec"


def refuted(spec: Spec, matches: int) -> set[str]:
    """The promises about play that some random matches refute."""
    subject = Subject(spec, Settings(plays=matches))
    return set(look((Interpreter(subject.game, options), options, play) for options, play in subject.plays).violations)


def answer(spec: Spec, name: str) -> Proved | Failed | object:
    """What the solver says of a lemma."""
    (found,) = [p for p in spec.game.properties if isinstance(p, Lemma) and p.name == name]
    return prove_lemma(spec.game, found, 4_000_000)


def test_the_highest_trumps_lose_to_a_seven() -> None:
    """If three of the jacks take trumps and no other cards, a jack takes the trump ace, and not a plain seven."""
    weak = load(LITERAL / "kozly_weak_jacks.kozel")
    assert isinstance(answer(weak, "jacks_over_all"), Failed)
    assert isinstance(answer(weak, "trump_takes_plain"), Failed)


def test_two_may_have_sixty() -> None:
    """If sixty points are enough, two players have enough in one deal."""
    failed = answer(load(LITERAL / "kozly_sixty.kozel"), "one_at_most")
    assert isinstance(failed, Failed)
    assert dict(failed.case.arguments) == {"own": 60, "theirs": 60}


def test_fifteen_cards_for_each_of_four_are_not_there() -> None:
    """Sixty cards cannot be drawn from a pack of 32."""
    assert "well_defined" in refuted(load(LITERAL / "kozel_fifteen_each.kozel"), 1)


def test_whoever_passes_twelve_does_not_win_with_exactly_twelve() -> None:
    """From eleven points received the next deal leads past twelve, and the match goes on."""
    only = Settings(only=("more than twelve received",), plays=1)
    (passed,) = verify_spec(load(LITERAL / "kozel_fifteen_exactly.kozel"), only).obligations
    (taken,) = verify_spec(load(SPEC / "kozel_fifteen.kozel"), only).obligations
    assert passed.verdict is Verdict.REFUTED and taken.verdict in (Verdict.PROVED, Verdict.ENUMERATED)


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the games as they are read have none of these faults."""
    kozly = load(SPEC / "kozly_two_halves.kozel")
    assert all(isinstance(answer(kozly, n), Proved) for n in ("jacks_over_all", "trump_takes_plain", "one_at_most"))
    assert refuted(load(SPEC / "kozel_fifteen.kozel"), 2) == set()
