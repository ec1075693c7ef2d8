"""Looking for a run that violates something: at random, and then making it smaller.

In go an interpreter and a ``Probe`` (what counts as a violation); out comes a ``Found``: the outcomes of a play from
the beginning at the end of which the violation is seen. Whatever is returned has been replayed by the interpreter.
Random play and shrinking are bounded by numbers of plays and steps, never by time; the same arguments give the same
run.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Played, Policy, Stop, random_play, replay, uniform
from kozel_verify.interpret.state import Chance, Choice, Outcome, State
from kozel_verify.model.core import Ask, End
from kozel_verify.model.types import SetType

Fault = NotWellDefined | ReachedDead
FAULTS = (NotWellDefined, ReachedDead)


@dataclass(frozen=True, slots=True)
class Probe:
    """What to look for: each test gives a text where its violation is seen, else ``None``.

    ``stuck``: a state other than the end of the match in which nothing is legal.
    """

    state: Callable[[Interpreter, State], str | None] | None = None
    step: Callable[[Interpreter, Played], str | None] | None = None
    fault: Callable[[Fault], str | None] | None = None
    stuck: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """``run``: outcomes from the beginning; the violation is in the state after the last, or in the last step."""

    run: tuple[Outcome, ...]
    text: str


def replayed(interpreter: Interpreter, run: Sequence[Outcome], probe: Probe) -> Found | None:
    """Replay ``run`` from the beginning: the first violation on it, ``None`` when there is none or it is not legal."""
    try:
        play = replay(interpreter, run)
    except FAULTS as fault:
        return _as_fault((), fault, probe)
    found = _seen(interpreter, play, probe)
    if found is not None or play.stopped is not Stop.REACHED:
        return found
    try:
        outcomes = interpreter.outcomes(play.final)
    except FAULTS as fault:
        return _as_fault(play.outcomes, fault, probe)
    over = bool(outcomes) or isinstance(interpreter.node(play.final), End)
    return None if over or not probe.stuck else Found(play.outcomes, "nothing is legal here")


def hunt(
    interpreter: Interpreter,
    probe: Probe,
    seeds: Iterable[int],
    *,
    until: Literal["deal", "match"] = "deal",
    policy: Policy = uniform,
    limit: int = 100_000,
) -> Found | None:
    """The shortest violating run in one random play for each seed (the first of the shortest), or ``None``."""
    best: Found | None = None
    for seed in seeds:
        bound = limit if best is None else len(best.run)
        try:
            play = random_play(interpreter, seed, until=until, policy=policy, limit=bound)
        except FAULTS as fault:
            return _as_fault((), fault, probe)
        found = _seen(interpreter, play, probe)
        if found is not None and (best is None or len(found.run) < len(best.run)):
            best = found
    return best and replayed(interpreter, best.run, probe)


def _seen(interpreter: Interpreter, play: Play, probe: Probe) -> Found | None:
    """The first violation on a play."""
    text = _in_state(interpreter, play.initial, probe)
    if text is not None:
        return Found((), text)
    for number, step in enumerate(play.steps, 1):
        text = _on_step(interpreter, step, probe)
        if text is not None:
            return Found(play.outcomes[:number], text)
    last = () if play.failed is None else (play.failed,)
    if play.stopped is Stop.FAULT and isinstance(play.error, FAULTS):
        return _as_fault(play.outcomes + last, play.error, probe)
    return Found(play.outcomes, "nothing is legal here") if play.stopped is Stop.STUCK and probe.stuck else None


def _in_state(interpreter: Interpreter, state: State, probe: Probe) -> str | None:
    try:
        return probe.state(interpreter, state) if probe.state else None
    except FAULTS as fault:
        return f"has no value: {fault}"


def _on_step(interpreter: Interpreter, step: Played, probe: Probe) -> str | None:
    try:
        text = probe.step(interpreter, step) if probe.step else None
    except FAULTS as fault:
        return f"has no value: {fault}"
    return text if text is not None else _in_state(interpreter, step.after, probe)


def _as_fault(run: tuple[Outcome, ...], fault: Fault, probe: Probe) -> Found | None:
    text = probe.fault(fault) if probe.fault else None
    return None if text is None else Found(run, text)


# --- smaller ---------------------------------------------------------------------------------------------------------


def size_of(interpreter: Interpreter, outcome: Outcome, ask: Ask) -> int:
    """How many elements the sets of a choice have together."""
    if not isinstance(outcome, Choice):
        return 0
    parameters = ask.verbs[outcome.verb].parameters
    sets = [a for p, a in zip(parameters, outcome.arguments, strict=True) if isinstance(p.type, SetType)]
    return sum(int(a).bit_count() for a in sets if a is not None)


def shrink(interpreter: Interpreter, found: Found, probe: Probe, budget: int) -> Found:
    """A run to the same kind of violation that is shorter, or as long with smaller choices; ``found`` at worst.

    One choice after another is replaced by a smaller one, and the rest of the run is followed as far as it stays legal
    (the cards in their old order, each seat's answers in theirs). ``budget``: steps of the interpreter.
    """
    first = replayed(interpreter, found.run, probe)
    if first is None:
        raise ValueError("the run does not replay to a violation")
    return _Shrinker(interpreter, first, probe, budget).run()


class _Spent(Exception):
    """The budget is used up."""


class _Shrinker:
    def __init__(self, interpreter: Interpreter, best: Found, probe: Probe, budget: int) -> None:
        self.interpreter = interpreter
        self.probe = probe
        self.budget = budget
        self.best = best

    def run(self) -> Found:
        position = 0
        try:
            while position < len(self.best.run):
                if not self.improve(position):
                    position += 1
        except _Spent:
            pass
        return self.best

    def improve(self, position: int) -> bool:
        """Replace the choice at ``position`` by a smaller one, if that leads to a better run."""
        play = replay(self.interpreter, self.best.run[:position])
        self.spend(position)
        node, old = self.interpreter.node(play.final), self.best.run[position]
        if not isinstance(node, Ask) or not isinstance(old, Choice):
            return False
        outcomes = self.interpreter.outcomes(play.final)
        weights = {outcome: (size_of(self.interpreter, outcome, node), n) for n, outcome in enumerate(outcomes)}
        if old not in weights:  # the step that fails may be one that finding the outcomes fails on
            return False
        for outcome in sorted(weights, key=lambda o: weights[o]):
            if weights[outcome] >= weights[old]:
                return False
            candidate = self.follow(play.final, position, outcome)
            if candidate is not None and self.better(candidate, weights[outcome][0] < weights[old][0]):
                self.best = candidate
                return True
        return False

    def better(self, candidate: Found, smaller: bool) -> bool:
        return len(candidate.run) < len(self.best.run) or (len(candidate.run) == len(self.best.run) and smaller)

    def spend(self, steps: int) -> None:
        self.budget -= steps
        if self.budget < 0:
            raise _Spent

    def follow(self, state: State, position: int, outcome: Outcome) -> Found | None:
        """Take ``outcome`` instead of the one at ``position``, then go on much as before."""
        run = list(self.best.run[:position])
        cards = [o.card for o in self.best.run[position:] if isinstance(o, Chance)]
        choices = [o for o in self.best.run[position + 1 :] if isinstance(o, Choice)]
        while len(run) < len(self.best.run):
            self.spend(1)
            run.append(outcome)
            try:
                after, events = self.interpreter.step(state, outcome)
                text = _on_step(self.interpreter, Played(state, outcome, events, after), self.probe)
                if text is not None:
                    return replayed(self.interpreter, run, self.probe)
                outcomes = self.interpreter.outcomes(after)
            except FAULTS:
                return replayed(self.interpreter, run, self.probe)
            if not outcomes:
                return replayed(self.interpreter, run, self.probe)
            state, outcome = after, _like_before(outcomes, cards, choices)
        return None


def _like_before(outcomes: Sequence[Outcome], cards: list[int], choices: list[Choice]) -> Outcome:
    """The earliest card, or the earliest choice, of the old run that is legal; else the first outcome."""
    for card in cards:
        if Chance(card) in outcomes:
            cards.remove(card)
            return Chance(card)
    for choice in choices:
        if choice in outcomes:
            choices.remove(choice)
            return choice
    return outcomes[0]
