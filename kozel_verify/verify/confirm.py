"""What the fast machine reports of a closure, replayed by the reference interpreter.

In go the interpreter, its checks, and a closure in the fast machine's outcomes; out comes the same closure in the
interpreter's outcomes, with the reference's words for each violation. Every run to a violation and to a witness is
replayed, so none rests on compiled code; that nothing else is violated does, as do the counts.
"""

from collections.abc import Callable, Sequence

from kozel_verify.exhaustive.closure import STUCK, Closure, Faults, StateCheck, StepCheck, Violation, Witness, concerns
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.exhaustive.machine_edges import CHANCE, PROCEED
from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, Outcome, Proceed, State
from kozel_verify.model.core import Ask, Draw

PLAY_FAULTS = (NotWellDefined, ReachedDead)
Check = StateCheck[State] | Witness[State] | StepCheck[State, Outcome]


class Disagreement(RuntimeError):
    """The reference does not find what the fast machine reports: a fault of this program, not of a spec."""


def confirmed(
    interpreter: Interpreter, checks: Sequence[Check], faults: Faults, closure: Closure[FastOutcome]
) -> Closure[Outcome]:
    """``faults`` names what an exception of the interpreter violates. Raises ``Disagreement``."""
    replays = _Replays(interpreter, checks, faults)
    return Closure(
        complete=closure.complete,
        states=closure.states,
        transitions=closure.transitions,
        by_node=closure.by_node,
        depth=closure.depth,
        longest=closure.longest,
        endless=closure.endless,
        violations={name: replays.violation(v) for name, v in closure.violations.items()},
        witnesses={name: run if run is None else replays.witness(name, run) for name, run in closure.witnesses.items()},
        undecided=closure.undecided,
    )


def outcome_of(interpreter: Interpreter, state: State, fast: FastOutcome) -> Outcome:
    """The interpreter's outcome for one of the fast machine, in the same state."""
    verb, arguments = fast
    match interpreter.node(state):
        case Ask():
            return Choice(verb, arguments)
        case Draw():
            return Chance(int(arguments[0] or 0))
        case _:
            return Proceed()


def fast_outcome(outcome: Outcome) -> FastOutcome:
    """The other way round."""
    match outcome:
        case Choice(verb, arguments):
            return verb, arguments
        case Chance(card):
            return CHANCE, (card,)
        case Proceed():
            return PROCEED, ()


class _Replays:
    def __init__(self, interpreter: Interpreter, checks: Sequence[Check], faults: Faults) -> None:
        self._interpreter = interpreter
        self._checks: dict[str, list[Check]] = {}  # a claim may mean one thing here and another there
        for check in checks:
            self._checks.setdefault(check.name, []).append(check)
        self._faults = faults

    def witness(self, name: str, run: Sequence[FastOutcome]) -> tuple[Outcome, ...]:
        outcomes, state = self._replay(run)
        shown = [c for c in self._checks[name] if isinstance(c, Witness) and concerns(c, state.node)]
        if all(self._failure(c.holds, state) is not None for c in shown):
            raise Disagreement(f"the run to the witness `{name}` does not show it")
        return outcomes

    def violation(self, found: Violation[FastOutcome]) -> Violation[Outcome]:
        checks = self._checks.get(found.name, [])
        states = [c for c in checks if isinstance(c, StateCheck)]
        steps = [c for c in checks if isinstance(c, StepCheck)]
        if states:
            outcomes, state = self._replay(found.run)
            here = [check for check in states if concerns(check, state.node)]
            texts = [self._failure(check.holds, state) for check in here]
        elif steps:
            outcomes, before = self._replay(found.run[:-1])
            last = outcome_of(self._interpreter, before, found.run[-1])
            after, events = self._interpreter.step(before, last)
            outcomes = (*outcomes, last)
            texts = [self._failure(check.holds, before, last, events, after) for check in steps]
        else:
            outcomes, fault = self._obligation(found)
            texts = [fault]
        text = next((text for text in texts if text is not None), None)
        if text is None:
            raise Disagreement(f"the run to the violation of `{found.name}` does not show it")
        return Violation(found.name, outcomes, found.node, text)

    def _obligation(self, found: Violation[FastOutcome]) -> tuple[tuple[Outcome, ...], str | None]:
        """A fault before the first state, in a step or in the outcomes of the last state, or that there are none."""
        outcomes: list[Outcome] = []
        try:
            state = self._interpreter.initial()[0]
            for fast in found.run:
                outcomes.append(outcome_of(self._interpreter, state, fast))
                state = self._interpreter.step(state, outcomes[-1])[0]
            stuck = not self._interpreter.outcomes(state)
        except PLAY_FAULTS as fault:
            return tuple(outcomes), str(fault) if self._name(fault) == found.name else None
        return tuple(outcomes), "nothing can be done here" if stuck and found.name == STUCK else None

    def _replay(self, run: Sequence[FastOutcome]) -> tuple[tuple[Outcome, ...], State]:
        """The interpreter's outcomes of a run, and the state to which they lead."""
        outcomes: list[Outcome] = []
        try:
            state = self._interpreter.initial()[0]
            for fast in run:
                outcomes.append(outcome_of(self._interpreter, state, fast))
                state = self._interpreter.step(state, outcomes[-1])[0]
        except (*PLAY_FAULTS, IllegalChoice) as fault:
            raise Disagreement(f"a run of the fast machine cannot be replayed: {fault}") from fault
        return tuple(outcomes), state

    def _failure(self, holds: Callable[..., bool], *arguments: object) -> str | None:
        try:
            return None if holds(*arguments) else "does not hold"
        except PLAY_FAULTS as fault:
            return str(fault)

    def _name(self, fault: Exception) -> str:
        return next(name(fault) for kind, name in self._faults.items() if isinstance(fault, kind))
