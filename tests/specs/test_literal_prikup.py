"""Literal readings of the rules of the widow game that `readings` rejects: each breaks, and where it does is told."""

from pathlib import Path

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import load
from kozel_verify.verify.plays import look
from kozel_verify.verify.probes import show
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

HERE = Path(__file__).parent
SPEC = HERE.parents[1] / "spec" / "kozel_prikup.kozel"


def refuted(path: Path) -> dict[str, str]:
    """What 24 random matches with all options refute: name -> what the play shows."""
    subject = Subject(load(path), Settings())
    seen = look((Interpreter(subject.game, options), options, play) for options, play in subject.plays)
    return {
        name: "\n".join(show(subject, Interpreter(subject.game, options), name, run).explanation)
        for name, (options, run) in seen.violations.items()
    }


def test_the_ace_of_diamonds_may_lie_in_the_widow() -> None:
    """If the ace of diamonds had to lead, nobody would where it is in the widow: the rule has no value there."""
    found = refuted(HERE / "literal" / "prikup_ace_leads.kozel")
    assert "`the` found 0 elements" in found["well_defined"]


def test_a_leader_found_before_the_exchange_may_put_his_diamond_away() -> None:
    """Found before the exchange, the leader need not hold the highest diamond that is left in the hands."""
    found = refuted(HERE / "literal" / "prikup_leader_before_exchange.kozel")
    assert "does not hold at `deal.trick.lead`" in found["leader_has_highest_diamond"]
    assert "well_defined" not in found


def test_more_than_one_may_be_the_first_to_come_to_twelve() -> None:
    """Who is the first to come to twelve has no answer where several come there with one deal."""
    found = refuted(HERE / "literal" / "prikup_single_goat.kozel")
    assert "elements, not exactly one" in found["well_defined"]


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the game as it is read has none of these faults, nor any other in the same matches."""
    assert refuted(SPEC) == {}
