"""Many random plays of a game, counted; by several processes if wanted.

In go a game with its options and the seeds of the plays; out comes a ``Sample``: the counts of all plays, or of those
before the first that does not come to its end or to a result, and the seed of that one. The same seeds give the same
sample with any number of processes. Plays are the reference interpreter's; every legal choice has the same chance.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Stop, random_play
from kozel_verify.model.core import Game
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.pool import pooled
from kozel_verify.verify.tally import Tally, Unit

STEPS = 100_000  # of one play, after which it counts as endless
TASK = 100  # plays that a process does at a time
Tell = Callable[[int, int], None]  # how many plays are done, of how many


@dataclass(frozen=True, slots=True)
class Sample:
    tally: Tally
    failed: int | None = None


def sample(game: Game, options: Options, unit: Unit, seeds: Sequence[int], jobs: int, tell: Tell) -> Sample:
    """Raises ``NotWellDefined`` or ``ReachedDead`` when the rules fail before the first node, and ``BrokenProcessPool``
    when a process is killed."""
    interpreter = Interpreter(game, options)
    interpreter.initial()
    tasks = [tuple(seeds[at : at + TASK]) for at in range(0, len(seeds), TASK)]
    if min(jobs, len(tasks)) == 1:
        return _counted(interpreter, unit, seeds, lambda done: tell(done, len(seeds)))
    whole = Tally(game, unit)
    for part in pooled(_task, tasks, jobs, _start, game, options, unit):
        whole.join(part.tally)
        tell(whole.plays, len(seeds))
        if part.failed is not None:
            return Sample(whole, part.failed)
    return Sample(whole)


def _counted(interpreter: Interpreter, unit: Unit, seeds: Sequence[int], tell: Callable[[int], None]) -> Sample:
    tally = Tally(interpreter.game, unit)
    for done, seed in enumerate(seeds):
        tell(done)
        play = played(interpreter, unit, seed)
        if play.stopped is not Stop.REACHED:
            return Sample(tally, seed)
        try:
            tally.add(interpreter, play)
        except NotWellDefined:
            return Sample(tally, seed)
    return Sample(tally)


def played(interpreter: Interpreter, unit: Unit, seed: int) -> Play:
    """The play of a seed."""
    return random_play(interpreter, seed, until=unit, limit=STEPS)


# --- in a process of its own ------------------------------------------------------------------------------------------

_given: list[tuple[Interpreter, Unit]] = []


def _start(game: Game, options: Options, unit: Unit) -> None:
    _given[:] = [(Interpreter(game, options), unit)]


def _task(seeds: Sequence[int]) -> Sample:
    ((interpreter, unit),) = _given
    return _counted(interpreter, unit, seeds, lambda done: None)
