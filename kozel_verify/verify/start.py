"""Rules that fail before the first question or draw: then there is no play, and nothing else about play is asked."""

from itertools import islice

from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Counterexample, Leg, Verdict
from kozel_verify.verify.probes import WELL_DEFINED
from kozel_verify.verify.subject import Subject

METHOD = "the start of play"
TRIED = 50  # combinations of options, the defaults first
WHY = "not asked: the rules fail before the first question or draw"


def false_start(subject: Subject) -> tuple[str, Counterexample] | None:
    """What is refuted by rules that fail before the first node, and with which options they do."""
    for options in islice(subject.option_sets, TRIED):
        try:
            Interpreter(subject.game, options).initial()
        except (NotWellDefined, ReachedDead) as fault:
            name = fault.name if isinstance(fault, ReachedDead) else WELL_DEFINED
            lines = (f"before the first question or draw: {fault}",)
            return name, Counterexample((), options, "", confirmed=True, explanation=lines)
    return None


def start_evidence(subject: Subject, asked: tuple[str, ...]) -> Evidence:
    """That play does not begin refutes one promise; the others that were asked for stay unknown."""
    found = false_start(subject)
    assert found is not None
    unknown = [(name, Leg(METHOD, Verdict.UNKNOWN, detail=WHY)) for name in asked if name != found[0]]
    return Evidence(((found[0], Leg(METHOD, Verdict.REFUTED)), *unknown), (found,))
