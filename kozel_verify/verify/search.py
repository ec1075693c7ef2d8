"""Runs to witnesses that plays have not met by chance: many more random matches, on the fast machine.

What is found is replayed by the interpreter before it counts; that nothing is found shows nothing.
"""

from collections.abc import Collection, Sequence
from contextlib import suppress

from kozel_verify.exhaustive.closure import Witness, concerns
from kozel_verify.exhaustive.machine import DeadReached, FastMachine, Position
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.interpret.chance import Generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Outcome
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value
from kozel_verify.verify.confirm import Disagreement, outcome_of
from kozel_verify.verify.subject import Runs, Subject
from kozel_verify.verify.wiring import checks_of

MATCH_STEPS = 20_000  # of one match; some never end


def search(subject: Subject, names: Collection[str], matches: int) -> tuple[Runs, int]:
    """A run for each of the witnesses that ``matches`` matches meet, and how many matches were played."""
    found: Runs = {}
    made: dict[tuple[Value, ...], tuple[FastMachine, list[Witness[Position]]]] = {}  # by the values of the options
    for number in range(matches):
        missing = set(names) - found.keys()
        if not missing:
            return found, number
        options = subject.options_of(number)
        key = tuple(options.values())
        if key not in made:  # that is dear
            machine = FastMachine(subject.game, options)
            made[key] = machine, [c for c in machine.checks(missing) if isinstance(c, Witness)]
        machine, checks = made[key]
        checks = [c for c in checks if c.name in missing]
        for name, run in _match(machine, checks, subject.settings.seed + number).items():
            found[name] = options, _confirmed(Interpreter(subject.game, options), name, run)
    return found, matches


def _match(machine: FastMachine, checks: Sequence[Witness[Position]], seed: int) -> dict[str, tuple[FastOutcome, ...]]:
    """The witnesses that one random match meets, with the run to each. It ends where the rules fail: that they do is
    for others to tell."""
    met = dict[str, tuple[FastOutcome, ...]]()
    with suppress(Undefined, DeadReached):
        _play(machine, checks, Generator(seed), met)
    return met


def _play(
    machine: FastMachine,
    checks: Sequence[Witness[Position]],
    generator: Generator,
    met: dict[str, tuple[FastOutcome, ...]],
) -> None:
    """Adds what one random match meets; until nothing is left to be met."""
    position, run = machine.initial(), list[FastOutcome]()
    for _ in range(MATCH_STEPS):
        for check in checks:
            if concerns(check, position.node) and check.name not in met and check.holds(position):
                met[check.name] = tuple(run)
        outcomes = machine.outcomes(position)
        if not outcomes or len(met) == len(checks):
            break
        run.append(outcomes[generator.below(len(outcomes))])
        position, _ = machine.step(position, run[-1])


def _confirmed(interpreter: Interpreter, name: str, run: tuple[FastOutcome, ...]) -> tuple[Outcome, ...]:
    """The run in the interpreter's outcomes. Raises ``Disagreement`` when it does not lead to the witness there."""
    state, outcomes = interpreter.initial()[0], list[Outcome]()
    for fast in run:
        outcomes.append(outcome_of(interpreter, state, fast))
        state = interpreter.step(state, outcomes[-1])[0]
    shown = [c for c in checks_of(interpreter) if c.name == name and isinstance(c, Witness) and c.holds(state)]
    if not shown:
        raise Disagreement(f"the run to the witness `{name}` does not show it")
    return tuple(outcomes)
