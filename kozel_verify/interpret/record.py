"""Whole plays: made at random from a seed, or replayed from a list of outcomes.

A record holds every state, outcome and event, so that it can be told, checked and compared byte for byte.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from kozel_verify.interpret.chance import DeckChance, Generator, choice_generator
from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, Event, Outcome, State
from kozel_verify.model.core import Ask, Draw, End, Game

Policy = Callable[[Interpreter, State, Sequence[Outcome], Generator], Outcome]


class Stop(Enum):
    """Why a play ended."""

    REACHED = "reached"  # the end of the deal or match that was asked for; in a replay, of the given outcomes
    STUCK = "stuck"  # a node without a legal outcome
    LIMIT = "limit"  # the given number of steps
    ILLEGAL = "illegal"  # a replayed outcome is not legal
    FAULT = "fault"  # the spec is not well defined here, or a dead clause was reached


@dataclass(frozen=True, slots=True)
class Played:
    """One step: the state before, what happened, what was told on the way, the state after."""

    before: State
    outcome: Outcome
    events: tuple[Event, ...]
    after: State


@dataclass(frozen=True, slots=True)
class Play:
    """A play from ``initial``. ``opening`` are the events before the first node.

    When it stopped as ``ILLEGAL`` or by a ``FAULT``, ``error`` is what was raised and ``failed`` the outcome that was
    to follow ``steps`` (``None`` when the fault lay in finding the outcomes).
    """

    initial: State
    opening: tuple[Event, ...]
    steps: tuple[Played, ...]
    stopped: Stop
    failed: Outcome | None = None
    error: IllegalChoice | NotWellDefined | ReachedDead | None = None

    @property
    def final(self) -> State:
        return self.steps[-1].after if self.steps else self.initial

    @property
    def states(self) -> tuple[State, ...]:
        """The state at each node in order, the initial one first."""
        return (self.initial, *(step.after for step in self.steps))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        return tuple(step.outcome for step in self.steps)


def uniform(interpreter: Interpreter, state: State, outcomes: Sequence[Outcome], generator: Generator) -> Outcome:
    """The policy that gives each legal choice the same chance."""
    return outcomes[generator.below(len(outcomes))]


def habitual(game: Game, seed: int) -> Policy:
    """Players with habits, which depend on ``seed``: wherever they are asked they favour one of the verbs and choose
    it, where it is legal, 31 times out of 32; else each legal choice has the same chance.

    Uniform choices hardly ever come far where any of many questions may end the deal; some habits do.
    """
    drawn = choice_generator(seed)
    favoured = {n: drawn.below(len(node.verbs)) for n, node in enumerate(game.nodes) if isinstance(node, Ask)}

    def choose(_: Interpreter, state: State, outcomes: Sequence[Outcome], generator: Generator) -> Outcome:
        liked = [o for o in outcomes if isinstance(o, Choice) and o.verb == favoured[state.node]]
        pool = liked if liked and generator.below(32) else outcomes
        return pool[generator.below(len(pool))]

    return choose


def random_play(
    interpreter: Interpreter,
    seed: int,
    deck: Sequence[int] | None = None,
    until: Literal["deal", "match"] = "deal",
    policy: Policy = uniform,
    limit: int = 100_000,
) -> Play:
    """Play with the cards of ``seed`` (or first those of ``deck``), each choice by ``policy``.

    Plays to the first end of a deal or to the end of the match (which comes first), or for ``limit`` steps. The same
    arguments give the same record. Raises ``BadDeck``, ``ValueError`` for a seed outside of 64 bits, and
    ``NotWellDefined`` or ``ReachedDead`` when not even the first node is reached; later faults are in the record.
    """
    choosing = choice_generator(seed)
    dealing = DeckChance(interpreter.game, Generator(seed), deck)
    state, opening = interpreter.initial()
    dealing.follow(opening)
    initial, steps = state, list[Played]()

    def stop(why: Stop, error: NotWellDefined | ReachedDead | None = None, failed: Outcome | None = None) -> Play:
        return Play(initial, opening, tuple(steps), why, failed, error)

    while not _reached(interpreter, state, until):
        if len(steps) == limit:
            return stop(Stop.LIMIT)
        outcome: Outcome | None = None
        try:
            outcome = _next(interpreter, state, dealing, policy, choosing)
            if outcome is None:
                return stop(Stop.STUCK)
            after, events = interpreter.step(state, outcome)
        except (NotWellDefined, ReachedDead) as error:
            return stop(Stop.FAULT, error, outcome)
        dealing.follow(events)
        steps.append(Played(state, outcome, events, after))
        state = after
    return stop(Stop.REACHED)


def _reached(interpreter: Interpreter, state: State, until: Literal["deal", "match"]) -> bool:
    over = isinstance(interpreter.node(state), End)
    return over or (until == "deal" and state.node == interpreter.game.deal_end)


def _next(
    interpreter: Interpreter, state: State, dealing: DeckChance, policy: Policy, choosing: Generator
) -> Outcome | None:
    """What happens next; ``None`` when nothing is legal."""
    node = interpreter.node(state)
    outcomes = interpreter.outcomes(state)
    if isinstance(node, Draw):
        return Chance(dealing.draw(interpreter.zone_slot(state, node.source, node.span)))
    if len(outcomes) <= 1:
        return outcomes[0] if outcomes else None
    return policy(interpreter, state, outcomes, choosing)


def replay(interpreter: Interpreter, outcomes: Iterable[Outcome]) -> Play:
    """Play these outcomes from the initial state, draws included.

    The record stops as ``REACHED`` after the last; as ``ILLEGAL`` or by a ``FAULT`` at step ``len(steps)``, with the
    reason. Raises ``NotWellDefined`` or ``ReachedDead`` when not even the first node is reached.
    """
    state, opening = interpreter.initial()
    return replay_from(interpreter, state, outcomes, opening)


def replay_from(
    interpreter: Interpreter, state: State, outcomes: Iterable[Outcome], opening: tuple[Event, ...] = ()
) -> Play:
    """The same from any state."""
    initial, steps = state, list[Played]()
    for outcome in outcomes:
        try:
            after, events = interpreter.step(state, outcome)
        except (IllegalChoice, NotWellDefined, ReachedDead) as error:
            why = Stop.ILLEGAL if isinstance(error, IllegalChoice) else Stop.FAULT
            return Play(initial, opening, tuple(steps), why, outcome, error)
        steps.append(Played(state, outcome, events, after))
        state = after
    return Play(initial, opening, tuple(steps), Stop.REACHED)
