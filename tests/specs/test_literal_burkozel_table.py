"""Literal readings of burkozel for a table that the readings reject: each breaks, and where it does is told."""

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
SPEC = Path(__file__).resolve().parents[2] / "spec" / "burkozel_table.kozel"
BUDGET = 4_000_000
TIED = "two are at the limit together, play on, and whoever writes next is out"


def refuted(path: Path) -> dict[str, str]:
    """What the play of one scenario refutes: name -> what it shows."""
    subject = Subject(load(path), Settings())
    (scenario,) = [p for p in subject.game.properties if isinstance(p, Scenario) and p.name.startswith(TIED)]
    told = told_play(subject.game, scenario, subject.spec.program.files)
    assert told is not None
    found = look([(told[0], dict(told[0].options), told[1])]).violations.items()
    return {
        name: "\n".join(show(subject, Interpreter(subject.game, options), name, run).explanation)
        for name, (options, run) in found
    }


def lemma(spec: Spec, name: str) -> Lemma:
    (found,) = [p for p in spec.game.properties if isinstance(p, Lemma) and p.name == name]
    return found


def test_zones_as_they_are_printed_overlap() -> None:
    """With three 41 points lie in the zone and in the norm, with four 31."""
    spec = load(LITERAL / "burkozel_zones_overlap.kozel")
    answer = prove_lemma(spec.game, lemma(spec, "one_fine"), BUDGET)
    assert isinstance(answer, Failed)
    playing = int(answer.case.cells["playing", 0] or 0).bit_count()
    assert (playing, answer.case.arguments["own"]) in {(3, 41), (4, 31)}


def test_if_all_at_the_limit_are_out_nobody_may_be_left() -> None:
    """Two come to the limit together: the next dealer would have to be found among no seats."""
    found = refuted(LITERAL / "burkozel_nobody_left.kozel")
    assert set(found) == {"well_defined"} and "`first` found no seat" in found["well_defined"]


def test_with_the_norms_of_the_beginning_two_may_both_write_nothing() -> None:
    """The norm of four is so low that both of two have it: then no total grows, and nobody drops out."""
    spec = load(LITERAL / "burkozel_norms_at_first.kozel")
    answer = prove_lemma(spec.game, lemma(spec, "one_of_two_writes"), BUDGET)
    assert isinstance(answer, Failed)
    own = int(answer.case.arguments["own"] or 0)
    least = {2: 61, 3: 41, 4: 31}[int(answer.case.options["players"] or 0)]
    assert own >= least and 120 - own >= least


def test_the_readings_taken_do_not_break() -> None:
    """Negative control: the game as it is read has none of these faults."""
    assert refuted(SPEC) == {}
    spec = load(SPEC)
    for name in ("one_of_two_writes", "fine_of_three"):
        assert isinstance(prove_lemma(spec.game, lemma(spec, name), BUDGET), Proved)
