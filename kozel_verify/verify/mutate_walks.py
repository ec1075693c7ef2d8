"""Claims about play, looked at in runs of the fast machine: whole matches at random, and runs that are given.

In go a game with options, and runs; out come violations and witnesses, each replayed by the interpreter. That nothing
is found shows nothing: a match is one of very many. Random matches end with the match, after ``STEPS`` steps, or when
``CHOICES`` outcomes have been listed (a faulty rule may offer tens of thousands at each step). Players with habits
favour one verb at each node, as in ``interpret.record``: where many questions may end a deal, others end it early.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from kozel_verify.exhaustive.closure import STUCK, Closure, StateCheck, StepCheck, Violation, Witness, concerns
from kozel_verify.exhaustive.machine import Check, DeadReached, FastMachine, Outcome, Position
from kozel_verify.interpret.chance import Generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Outcome as PlayOutcome
from kozel_verify.model.core import Ask, End, Game
from kozel_verify.model.operators import Undefined
from kozel_verify.verify.confirm import confirmed
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.probes import WELL_DEFINED
from kozel_verify.verify.wiring import FAULTS, checks_of, conserved, dead_name

STEPS, CHOICES = 1_500, 40_000
MANY, ENOUGH = 40, 1_500  # matches by players with habits, so long as fewer states have been seen
CAUGHT = (Undefined, DeadReached)


def _name(fault: Exception) -> str:
    return dead_name(str(fault)) if isinstance(fault, DeadReached) else WELL_DEFINED


@dataclass
class Walker:
    """One game under one choice of options. What is violated once is not looked at again, nor what is in ``seen``."""

    game: Game
    options: Options
    seen: frozenset[str] = frozenset()
    violations: dict[str, Violation[Outcome]] = field(default_factory=dict)
    witnesses: dict[str, tuple[Outcome, ...]] = field(default_factory=dict)
    states: int = 0
    matches: int = 0
    heavy: bool = False
    _machine: FastMachine = field(init=False)
    _at: dict[int, list[StateCheck[Position] | Witness[Position]]] = field(default_factory=dict)
    _from: dict[int, list[StepCheck[Position, Outcome]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._machine = FastMachine(self.game, self.options)
        checks: list[Check] = [*self._machine.checks(), conserved(self.game)]
        for node in range(len(self.game.nodes)):
            here = [check for check in checks if concerns(check, node)]
            self._at[node] = [check for check in here if not isinstance(check, StepCheck)]
            self._from[node] = [check for check in here if isinstance(check, StepCheck)]

    def match(self, seed: int, habits: bool = False) -> None:
        """One match at random: by uniform choices, or by players with habits, other ones for each seed."""
        generator, listed = Generator(seed), 0
        asks = [(n, len(node.verbs)) for n, node in enumerate(self.game.nodes) if habits and isinstance(node, Ask)]
        favoured = {n: generator.below(verbs) for n, verbs in asks}

        def at_random(outcomes: Sequence[Outcome], done: int, node: int) -> Outcome | None:
            nonlocal listed
            listed += len(outcomes)
            self.heavy |= listed > CHOICES
            if listed > CHOICES:
                return None
            liked = [o for o in outcomes if o[0] == favoured.get(node)]
            pool = liked if liked and generator.below(32) else outcomes
            return pool[generator.below(len(pool))]

        self.matches += 1
        self.walk(at_random)

    def follow(self, run: Sequence[Outcome]) -> None:
        """A run that is given, as far as it is legal."""

        def next_one(outcomes: Sequence[Outcome], done: int, node: int) -> Outcome | None:
            return run[done] if done < len(run) and run[done] in outcomes else None

        self.walk(next_one)

    def walk(self, choose: Callable[[Sequence[Outcome], int, int], Outcome | None]) -> None:
        run: list[Outcome] = []
        try:
            position = self._machine.initial()
        except CAUGHT as fault:
            self._violate(_name(fault), run, -1)
            return
        self._look(position, run)
        while len(run) < STEPS and not isinstance(self.game.nodes[position.node], End):
            try:
                outcomes = self._machine.outcomes(position)
                if not outcomes:
                    self._violate(STUCK, run, position.node)
                    return
                outcome = choose(outcomes, len(run), position.node)
                if outcome is None:
                    return
                run.append(outcome)
                after, told = self._machine.step(position, outcome)
            except CAUGHT as fault:
                self._violate(_name(fault), run, position.node)
                return
            for check in self._from[position.node]:
                if not self._passed(check.name) and not _kept(check, position, outcome, told, after):
                    self._violate(check.name, run, position.node)
            self._look(after, run)
            position = after

    def _passed(self, name: str) -> bool:
        return name in self.violations or name in self.seen

    def _look(self, position: Position, run: Sequence[Outcome]) -> None:
        self.states += 1
        for check in self._at[position.node]:
            if isinstance(check, Witness):
                if check.name not in self.witnesses and _holds(check, position):
                    self.witnesses[check.name] = tuple(run)
            elif not self._passed(check.name) and not _holds(check, position):
                self._violate(check.name, run, position.node)

    def _violate(self, name: str, run: Sequence[Outcome], node: int) -> None:
        if not self._passed(name):
            self.violations[name] = Violation(name, tuple(run), node, "")

    def found(self) -> Closure[PlayOutcome]:
        """All that was found, in the interpreter's outcomes. Raises ``Disagreement`` when it does not find the same."""
        interpreter = Interpreter(self.game, self.options)
        witnesses: dict[str, tuple[Outcome, ...] | None] = {}
        fast = Closure(False, self.states, 0, {}, 0, None, False, self.violations, witnesses)
        return confirmed(interpreter, [*checks_of(interpreter), conserved(self.game)], FAULTS, fast)


def _holds(check: StateCheck[Position] | Witness[Position], position: Position) -> bool:
    try:
        return check.holds(position)
    except CAUGHT:
        return False


def _kept(
    check: StepCheck[Position, Outcome], before: Position, outcome: Outcome, told: Sequence[object], after: Position
) -> bool:
    try:
        return check.holds(before, outcome, told, after)
    except CAUGHT:
        return False


def walked(walker: Walker, runs: Iterable[Sequence[Outcome]], seeds: Sequence[int], habits: bool = False) -> Walker:
    """The walker after these runs and matches; with ``habits``, after more matches, by players with habits. It stops
    when a match has become too heavy."""
    for run in runs:
        walker.follow(run)
    for seed in seeds:
        if walker.heavy:
            break
        walker.match(seed)
    for number in range(MANY if habits and seeds else 0):
        if walker.heavy or walker.states >= ENOUGH:
            break
        walker.match(seeds[0] + number, habits=True)
    return walker
