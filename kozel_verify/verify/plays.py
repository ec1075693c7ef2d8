"""Random matches on the full pack: runs to witnesses, and runs that violate a claim. To witnesses that these do not
meet, runs are made with the solver's help (``reaching``), or else looked for in many more matches.

What such plays do not show, they say nothing of: a claim that survives them is ``SAMPLED``.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kozel_verify.exhaustive.closure import STUCK, StateCheck, StepCheck, Witness, concerns
from kozel_verify.exhaustive.machine import Check as FastCheck
from kozel_verify.exhaustive.machine import FastMachine, Position
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Stop
from kozel_verify.interpret.state import Outcome
from kozel_verify.interpret.view import revealed_to
from kozel_verify.model.core import Claim, Game, Scenario, StateClaim
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value
from kozel_verify.verify.closures import claims_closed
from kozel_verify.verify.confirm import fast_outcome
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Counterexample, Leg, Verdict
from kozel_verify.verify.hunt import Found, shrink
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.probes import WELL_DEFINED, probe_for, show
from kozel_verify.verify.reaching import reach
from kozel_verify.verify.scenarios import told_play
from kozel_verify.verify.search import search
from kozel_verify.verify.subject import Runs, Subject
from kozel_verify.verify.wiring import conserved

SHRINK_STEPS = 4_000


@dataclass(slots=True)
class Seen:
    """The shortest runs found so far, with their options, by the name of the claim."""

    violations: Runs = field(default_factory=dict)
    witnesses: Runs = field(default_factory=dict)
    states: int = 0


def _note(where: Runs, name: str, options: Options, play: Play, length: int) -> None:
    if name not in where or length < len(where[name][1]):
        where[name] = (options, _run(play)[:length])


def _run(play: Play) -> tuple[Outcome, ...]:
    """The outcomes of a play, with the one that failed."""
    return play.outcomes + (() if play.failed is None else (play.failed,))


def look(plays: Iterable[tuple[Interpreter, Options, Play]], only: Collection[str] | None = None) -> Seen:
    """All claims (or ``only`` those of these names) in all states and steps of some plays of one game, by the fast
    machine; what it finds is evidence only when the interpreter replays it."""
    seen = Seen()
    made: dict[tuple[Value, ...], tuple[FastMachine, list[FastCheck]]] = {}  # by the values of the options
    for interpreter, options, play in plays:
        key = tuple(interpreter.options.values())
        if key not in made:
            machine = FastMachine(interpreter.game, interpreter.options)
            found = (*machine.checks(only), conserved(interpreter.game))
            made[key] = machine, [c for c in found if only is None or c.name in only]
        machine, checks = made[key]
        positions = [machine.position(s.node, s.cells, s.place) for s in play.states]
        seen.states += len(positions)
        for length, position in enumerate(positions):
            for check in checks:
                if isinstance(check, StepCheck) or not concerns(check, position.node):
                    continue
                where = seen.witnesses if isinstance(check, Witness) else seen.violations
                if _holds(check, position) is isinstance(check, Witness):
                    _note(where, check.name, options, play, length)
        steps = zip(play.steps, pairwise(positions), strict=True)
        for length, (step, (before, after)) in enumerate(steps, 1):
            outcome, told = fast_outcome(step.outcome), revealed_to(step.events, interpreter.game.seats)
            for check in checks:
                if not isinstance(check, StepCheck) or not concerns(check, before.node):
                    continue
                if not _kept(check, before, outcome, told, after):
                    _note(seen.violations, check.name, options, play, length)
        _stopped(seen, options, play)
    return seen


def _holds(check: StateCheck[Position] | Witness[Position], position: Position) -> bool:
    try:
        return check.holds(position)
    except Undefined:
        return False


def _kept(
    check: StepCheck[Position, FastOutcome],
    before: Position,
    outcome: FastOutcome,
    told: Sequence[int],
    after: Position,
) -> bool:
    try:
        return check.holds(before, outcome, told, after)
    except Undefined:
        return False


def _stopped(seen: Seen, options: Options, play: Play) -> None:
    """A play that came to a fault or could not go on."""
    match play.error:
        case NotWellDefined():
            name = WELL_DEFINED
        case ReachedDead(name=clause):
            name = clause
        case _ if play.stopped is Stop.STUCK:
            name = STUCK
        case _:
            return
    _note(seen.violations, name, options, play, len(_run(play)))


def plays_evidence(subject: Subject) -> Evidence:
    """Every claim about play, in every state of the subject's plays and of those that scenarios tell."""
    told = _told(subject)
    seen = look(_played(subject, told))
    detail = f"{len(subject.plays)} matches, and the plays of {len(told)} scenarios"
    counts = (seen.states, seen.states, None)
    legs: list[tuple[str, Leg]] = []
    shown: list[tuple[str, Counterexample]] = []
    for name in claims_closed(subject.game):
        if name in seen.violations:
            legs.append((name, Leg("random plays", Verdict.REFUTED)))
            shown.append((name, _smallest(subject, name, *seen.violations[name])))
        else:
            legs.append((name, Leg("random plays", Verdict.SAMPLED, *counts, detail)))
    legs += _witnessed(subject, seen)
    return Evidence(tuple(legs), tuple(shown))


def _witnessed(subject: Subject, seen: Seen) -> list[tuple[str, Leg]]:
    """A run from a deal of the full pack shows a witness for good. For those not met yet more matches are played."""
    missing = [name for name in witnesses(subject.game) if name not in seen.witnesses]
    reached = reach(subject, missing)
    searched, played = search(subject, [n for n in missing if n not in reached], subject.settings.witness_plays)
    found = {**seen.witnesses, **reached, **searched}
    legs = [
        (name, Leg("run on the full pack", Verdict.PROVED, 1, 1, 1, f"a run of {len(run)} steps{how}"))
        for name, (_, run) in found.items()
        for how in (", its cards laid by the solver" if name in reached else "",)
    ]
    return legs + [
        (name, Leg("random plays", Verdict.UNKNOWN, detail=f"not met in {played + len(subject.plays):,} matches"))
        for name in missing
        if name not in found
    ]


def witnesses(game: Game) -> list[str]:
    claims = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.WITNESS]
    return list(dict.fromkeys(c.name for c in claims))


def _told(subject: Subject) -> list[tuple[Interpreter, Play]]:
    """The plays that scenarios tell from the beginning of a match."""
    scenarios = (p for p in subject.game.properties if isinstance(p, Scenario))
    told = (told_play(subject.game, p, subject.spec.program.files) for p in scenarios)
    return [play for play in told if play is not None]


def _played(subject: Subject, told: Iterable[tuple[Interpreter, Play]]) -> Iterator[tuple[Interpreter, Options, Play]]:
    for interpreter, play in told:
        yield interpreter, dict(interpreter.options), play
    for options, play in subject.plays:
        yield Interpreter(subject.game, options), options, play


def _smallest(subject: Subject, name: str, options: Options, run: tuple[Outcome, ...]) -> Counterexample:
    interpreter = Interpreter(subject.game, options)
    probe = probe_for(interpreter, name)
    smaller = shrink(interpreter, Found(run, name), probe, SHRINK_STEPS)
    return show(subject, interpreter, name, smaller.run)
