"""Deals played to extremes: by policies of choice and of chance that know nothing of the game.

Choices: at random, or always the first or last verb with its first or last arguments (arguments go by size, so these
are the smallest and largest groups). Chance: at random, or cards taken at even distances from one another. In: a game.
Out: deals from the beginning of a match on the fast machine. What is concluded from one is replayed by the interpreter.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from kozel_verify.exhaustive.machine import DeadReached, FastMachine, Outcome, Position
from kozel_verify.interpret.chance import Generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, replay
from kozel_verify.interpret.state import Outcome as Reference
from kozel_verify.model.core import Draw, End, Game
from kozel_verify.model.operators import Undefined
from kozel_verify.verify.confirm import Disagreement, outcome_of
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.subject import covering_options

DEAL_STEPS = 5_000  # of one deal: it may not end
SHUFFLES = 3
Chooser = Callable[[Sequence[Outcome]], Outcome]


@dataclass(frozen=True, slots=True)
class Deal:
    """``positions`` from the first node on; ``over``: it has come to the end of the deal or of the match."""

    options: Options
    positions: tuple[Position, ...]
    run: tuple[Outcome, ...]
    over: bool


def extreme_deals(game: Game, seed: int) -> Iterator[Deal]:
    """The same deals for the same seed."""
    for options in covering_options(game):
        machine = FastMachine(game, options)
        for choice in range(len(_choosers(Generator(0)))):
            for chance in range(len(_drawers(game, Generator(0)))):
                generator = Generator(seed + chance)
                yield _deal(game, machine, options, _choosers(generator)[choice], _drawers(game, generator)[chance])


def _choosers(generator: Generator) -> list[Chooser]:
    def at_random(outcomes: Sequence[Outcome]) -> Outcome:
        return outcomes[generator.below(len(outcomes))]

    def extreme(verb: int, argument: int) -> Chooser:
        return lambda outcomes: [o for o in outcomes if o[0] == outcomes[verb][0]][argument]

    return [at_random, *(extreme(verb, argument) for verb in (0, -1) for argument in (0, -1))]


def _drawers(game: Game, generator: Generator) -> list[Chooser]:
    size = len(game.deck)

    def shuffled(outcomes: Sequence[Outcome]) -> Outcome:
        return outcomes[generator.below(len(outcomes))]

    def spread(distance: int) -> Chooser:
        wanted = [0]

        def draw(outcomes: Sequence[Outcome]) -> Outcome:
            best = min(outcomes, key=lambda o: (int(o[1][0] or 0) - wanted[0]) % size)
            wanted[0] += distance
            return best

        return draw

    return [shuffled] * SHUFFLES + [spread(d) for d in range(1, size) if size % d == 0]


def _deal(game: Game, machine: FastMachine, options: Options, choose: Chooser, draw: Chooser) -> Deal:
    positions, run, over = list[Position](), list[Outcome](), False
    try:
        positions.append(machine.initial())
        while not over and len(run) < DEAL_STEPS:
            outcomes = machine.outcomes(positions[-1])
            if not outcomes:
                break
            take = draw if isinstance(game.nodes[positions[-1].node], Draw) else choose
            run.append(take(outcomes))
            positions.append(machine.step(positions[-1], run[-1])[0])
            node = positions[-1].node
            over = node == game.deal_end or isinstance(game.nodes[node], End)
    except (Undefined, DeadReached):  # a fault of the rules, which other obligations are about
        run = run[: max(len(positions) - 1, 0)]
    return Deal(options, tuple(positions), tuple(run), over)


def confirmed(game: Game, deal: Deal) -> tuple[Reference, ...]:
    """The run in the interpreter's outcomes. Raises ``Disagreement`` when it does not lead to the same states there."""
    interpreter = Interpreter(game, deal.options)
    state, outcomes = interpreter.initial()[0], list[Reference]()
    for fast in deal.run:
        outcomes.append(outcome_of(interpreter, state, fast))
        state = interpreter.step(state, outcomes[-1])[0]
    play = replay(interpreter, outcomes)
    last = deal.positions[-1]
    if play.stopped is not Stop.REACHED or (state.node, state.cells, state.place) != last[:3]:
        raise Disagreement("a deal of the fast machine cannot be replayed")
    return tuple(outcomes)
