"""No peeking: the evidence that a seat knows nothing but what the rules tell it.

Three methods. A proof for the whole game, of any two runs; its detail lists what the rules tell. All pairs of plays of
a small pack, which shows nothing of the full one, but gives two plays where there is a leak. And matches on the full
pack, each played twice at random so that one seat is told the same in both. A leak is refuted only by two plays that
the interpreter has replayed; a step that is not proved is unknown.
"""

from collections.abc import Mapping

from kozel_verify.exhaustive.machine import DeadReached
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.exhaustive.pairs import Pairs, Peek, pairs
from kozel_verify.exhaustive.pairs_machine import TellingMachine
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import replay
from kozel_verify.interpret.state import Outcome
from kozel_verify.model.core import End, Expr
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value
from kozel_verify.symbolic.induction import Prover
from kozel_verify.symbolic.peeking import Peeking, PeekResult, prove_no_peeking
from kozel_verify.verify.confirm import Disagreement, outcome_of
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Counterexample, Leg, Verdict
from kozel_verify.verify.inductive import invariants, known_at, samples_of, shapes
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.peeking_runs import Twins, compared, twin_play
from kozel_verify.verify.peeking_tells import tellings
from kozel_verify.verify.scenario_text import scenario_text, stacked_deck
from kozel_verify.verify.subject import Subject

NO_PEEKING = "no_peeking"
TWO_RUNS = "induction on two runs"
TWIN_PLAYS = "random plays told alike"


def no_peeking_evidence(subject: Subject) -> Evidence:
    """The proof for the full game, and random plays on the full pack."""
    played, shown = _twin_plays(subject)
    proof = Leg(TWO_RUNS, *_proof(subject, patient=shown is None))
    examples = () if shown is None else ((NO_PEEKING, shown),)
    return Evidence(((NO_PEEKING, proof), (NO_PEEKING, played)), examples)


# --- the proof -------------------------------------------------------------------------------------------------------


def _proof(subject: Subject, patient: bool) -> tuple[Verdict, None, None, None, str]:
    """Verdict and detail. ``patient``: what is not proved is asked again with all that is known of the states."""
    found: list[PeekResult] = []
    for fixed in shapes(subject.game):
        for seat in range(subject.game.seats):
            results = _seat(subject, fixed, seat, patient).results
            found += results
            open_ = [r for r in results if not r.proved]
            if open_:
                return Verdict.UNKNOWN, None, None, None, _not_shown(open_)
    counts = f"{sum(r.goals for r in found):,} equalities in {sum(r.queries for r in found):,} queries"
    return Verdict.PROVED, None, None, None, f"{counts}; {listed(subject)}"


def listed(subject: Subject) -> str:
    """What the rules tell, with places: the part of a proof's detail that is read off the spec, not proved."""
    told = tellings(subject.game, subject.spec.program.files)
    return f"{len(told)} statements tell something: {'; '.join(map(str, told))}" if told else "nothing is told"


def _seat(subject: Subject, fixed: Mapping[str, Value], seat: int, patient: bool) -> Peeking:
    game, budget = subject.game, subject.settings.budget
    found = prove_no_peeking(game, {}, fixed, budget, [seat], patient=patient)
    if found.proved or not patient:
        return found
    known = _known(subject, fixed)
    return prove_no_peeking(game, known, fixed, budget, [seat]) if any(known.values()) else found


def _known(subject: Subject, fixed: Mapping[str, Value]) -> dict[int, tuple[Expr, ...]]:
    """What is proved of the states at each node, by sizes."""
    game = subject.game
    prover = Prover(game, invariants(game), samples_of(subject, fixed), fixed, subject.settings.budget, thorough=False)
    return known_at(game, prover.run())


def _not_shown(open_: list[PeekResult]) -> str:
    first = open_[0]
    assert first.difference is not None
    what = first.difference
    why = "budget used up" if what.states is None else "not shown to be the same"
    where = f" ({what.span})" if what.span.line else ""
    more = f", and {len(open_) - 1} more steps" if len(open_) > 1 else ""
    return f"{why} for seat {first.seat + 1}: {what.text}{where}, on the step {first.name}{more}"


# --- plays on the full pack ------------------------------------------------------------------------------------------


def _twin_plays(subject: Subject) -> tuple[Leg, Counterexample | None]:
    """As many pairs of deals as the settings have plays; the seats and the option sets take turns."""
    apart = 0
    for number in range(subject.settings.plays):
        seat = number % subject.game.seats
        options = subject.option_sets[number // subject.game.seats % len(subject.option_sets)]
        interpreter = Interpreter(subject.game, options)
        steps, twins = twin_play(interpreter, seat, subject.settings.seed + number)
        apart += steps
        if twins is not None:
            return Leg(TWIN_PLAYS, Verdict.REFUTED, detail=twins.text), shown(interpreter, twins)
    detail = f"{subject.settings.plays} deals, each played twice"
    return Leg(TWIN_PLAYS, Verdict.SAMPLED, apart, apart, None, detail), None


# --- small packs -----------------------------------------------------------------------------------------------------


def pairs_evidence(subject: Subject, pack: str, options: Options) -> Evidence:
    """All pairs of plays of one deal of a small pack, for each seat. Raises ``Disagreement`` when the interpreter does
    not see the leak that was found."""
    game, limit = subject.small(pack), subject.settings.states
    final = [n for n, node in enumerate(game.nodes) if isinstance(node, End)]
    faults = (Undefined, DeadReached)
    machine = TellingMachine(game, options)
    found = pairs(machine, limit, final=final, frontier=[game.deal_end], faults=faults)
    method = f"pairs of plays of pack `{pack}`"
    peeks = [s.peek for s in found.seats if s.peek is not None]
    if peeks:
        interpreter = Interpreter(game, options)
        twins = confirmed(interpreter, min(peeks, key=lambda p: len(p.runs[0])))
        leg = Leg(method, Verdict.REFUTED, detail=twins.text)
        return Evidence(((NO_PEEKING, leg),), ((NO_PEEKING, shown(interpreter, twins)),))
    return Evidence(((NO_PEEKING, _closed(found, method, limit)),))


def _closed(found: Pairs[FastOutcome], method: str, limit: int) -> Leg:
    if not found.complete or any(s.holds is None for s in found.seats):
        return Leg(method, Verdict.UNKNOWN, detail=f"not complete: stopped at {limit:,} states")
    sets, joined = sum(s.sets for s in found.seats), sum(s.pairs for s in found.seats)
    left_out = f", {found.faults} steps without a value left out" if found.faults else ""
    detail = (
        f"{found.states:,} states, {joined:,} pairs that may look alike to one of {len(found.seats)} seats{left_out}"
    )
    return Leg(method, Verdict.CLOSED, sets, sets, None, detail)


def confirmed(interpreter: Interpreter, peek: Peek[FastOutcome]) -> Twins:
    """The two runs in the interpreter's outcomes, with what it finds to differ. Raises ``Disagreement``."""
    first, second = (_outcomes(interpreter, run) for run in peek.runs)
    text = compared(interpreter, peek.seat, (first, second))
    if text is None:
        raise Disagreement(f"two plays that differ for seat {peek.seat + 1} do not, by the interpreter")
    return Twins(peek.seat, (first, second), text)


def _outcomes(interpreter: Interpreter, run: tuple[FastOutcome, ...]) -> tuple[Outcome, ...]:
    state, outcomes = interpreter.initial()[0], list[Outcome]()
    for fast in run:
        outcomes.append(outcome_of(interpreter, state, fast))
        state = interpreter.step(state, outcomes[-1])[0]
    return tuple(outcomes)


# --- for people ------------------------------------------------------------------------------------------------------


def shown(interpreter: Interpreter, twins: Twins) -> Counterexample:
    """The record of two plays that were compared by the interpreter: the first as the run, both as scenarios."""
    game, options = interpreter.game, dict(interpreter.options)
    titles = ("one play", f"another, which seat {twins.seat + 1} cannot tell from it")
    scenarios = [
        scenario_text(game, options, run, title=f"{NO_PEEKING}: {title}")
        for run, title in zip(twins.runs, titles, strict=True)
    ]
    return Counterexample(
        run=twins.runs[0],
        options=options,
        pack=game.pack_name,
        confirmed=compared(interpreter, twins.seat, twins.runs) is not None,
        deck=stacked_deck(interpreter, replay(interpreter, twins.runs[0])),
        explanation=(f"seat {twins.seat + 1} is told the same in two plays, but {twins.text}",),
        scenario="\n\n".join(scenarios),
    )
