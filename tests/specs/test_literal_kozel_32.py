"""A literal reading of Kozel with 32 cards that is rejected: it breaks, and where it does is told."""

from pathlib import Path

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import Spec, load
from kozel_verify.verify.plays import look
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

LITERAL = Path(__file__).parent / "literal"
SPEC = Path(__file__).resolve().parents[2] / "spec" / "kozel_32.kozel"


def refuted(spec: Spec, matches: int) -> set[str]:
    """The promises about play that some random matches refute."""
    subject = Subject(spec, Settings(plays=matches))
    return set(look((Interpreter(subject.game, options), options, play) for options, play in subject.plays).violations)


def test_cards_off_the_suit_are_missing_in_the_count() -> None:
    """If they have no value in the count either, a deal does not come to 120 points, and sixty means nothing."""
    assert "all_counted" in refuted(load(LITERAL / "kozel_32_worthless.kozel"), 2)


def test_the_reading_taken_does_not_break() -> None:
    """Negative control: the game as it is read has no such fault."""
    assert refuted(load(SPEC), 2) == set()
