"""The whole state space of the small packs: evidence about them, and the shortest runs to violations and witnesses."""

from dataclasses import replace

from kozel_verify.exhaustive.closure import STUCK, Closure
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Outcome
from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import Claim, Dead, Game, Measure, MenuClaim, Secret, StateClaim, StepClaim
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Counterexample, Leg, Verdict
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.probes import WELL_DEFINED, show
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.wiring import CONSERVATION, close_pack, dead_name


def claims_closed(game: Game) -> list[str]:
    """Names of what a closure checks in every state or step."""
    names = [WELL_DEFINED, STUCK, CONSERVATION]
    for p in game.properties:
        invariant = isinstance(p, StateClaim) and p.claim is Claim.INVARIANT
        if invariant or isinstance(p, StepClaim | MenuClaim | Secret | Measure):
            names.append(p.name)
    names += [b.end.name for b in game.blocks if isinstance(b.end, Dead)]
    return list(dict.fromkeys(names))


def closure_evidence(subject: Subject, pack: str, options: Options) -> Evidence:
    """Close one pack under one choice of options: all states of one deal from the beginning of a match."""
    game = subject.small(pack)
    interpreter = Interpreter(game, options)
    closure = close_pack(interpreter, subject.settings.states)
    method = f"closure of pack `{pack}`{_changed(game, options)}"
    legs: list[tuple[str, Leg]] = []
    shown: list[tuple[str, Counterexample]] = []
    for name in claims_closed(game):
        violation = closure.violations.get(name) or closure.violations.get(dead_name(name))
        leg = _leg(subject, closure, method, violation is not None)
        legs.append((name, _not_all(leg) if name in closure.undecided else leg))
        if violation is not None:
            shown.append((name, show(subject, interpreter, name, violation.run)))
    return Evidence(tuple(legs), tuple(shown))


def _changed(game: Game, options: Options) -> str:
    """The options that are not at their defaults, in words."""
    changed = [o for o in game.options.values() if options[o.name] != o.default]
    return "".join(f", {o.name} = {value_text(game, options[o.name], o.type)}" for o in changed)


def _not_all(leg: Leg) -> Leg:
    """Where not all choices were tried in every state, the state space is no more than a sample."""
    detail = f"{leg.detail}; not all choices: those near the legal ones"
    return replace(leg, verdict=Verdict.SAMPLED, detail=detail) if leg.verdict is Verdict.CLOSED else leg


def _leg(subject: Subject, closure: Closure[Outcome], method: str, violated: bool) -> Leg:
    verdict = Verdict.REFUTED if violated else Verdict.CLOSED if closure.complete else Verdict.SAMPLED
    detail = f"{closure.transitions:,} transitions, longest run {closure.longest}"
    if not closure.complete:
        detail = f"not complete: stopped at {subject.settings.states:,} states"
    return Leg(method, verdict, closure.states, closure.states, None, detail)
