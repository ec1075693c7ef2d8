"""Does each value of each option make a difference that somebody can notice?

In: a run (a state and outcomes), the options under which it was played, and another value of one option. Out: where the
two games part when both follow the run, each from its own states: what some seat sees or is told, who is asked what,
what a deal is worth (gain - loss) or who wins. What nobody sees may differ as long as it likes; it is followed to the
end of the run and some steps further. Both sides are the reference interpreter; nothing else is trusted.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Event, Moved, Outcome, State
from kozel_verify.interpret.view import Observed
from kozel_verify.model.core import Draw, End, Game, OptionRead
from kozel_verify.model.graph import walk
from kozel_verify.verify.coverage_clauses import visible
from kozel_verify.verify.option_sets import Options

FAULTS = (NotWellDefined, ReachedDead, IllegalChoice)
FURTHER = 200  # steps after a run, while something that nobody sees is different
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Run:
    """A run from the beginning of a match (``start`` is ``None``) or from a state that a scenario writes down."""

    options: Options
    start: State | None
    outcomes: tuple[Outcome, ...]
    title: str


def parted(game: Game, run: Run, other: Options) -> str | None:
    """Where somebody notices, on the run, that the options are other ones: a text, or ``None`` when nobody does."""
    one, two = Interpreter(game, run.options), Interpreter(game, other)
    if run.start is None:
        begun, twin_begun = _tried(one.initial), _tried(two.initial)
        if begun is None or twin_begun is None:
            return None if begun == twin_begun else "what happens before the first decision"
        (state, told), (twin, twin_told) = begun, twin_begun
        if _told(one, told) != _told(two, twin_told):
            return "what is told before the first decision"
    else:
        state = twin = run.start
    changed = {n for n in run.options if run.options[n] != other[n]}
    seen = any(isinstance(e, OptionRead) and e.name in changed for e in _visibility(game))
    for number in range(len(run.outcomes) + FURTHER + 1):
        menu = _tried(lambda: one.outcomes(state))  # noqa: B023 - called at once
        found = _here(one, two, state, twin, menu, seen)
        over = number >= len(run.outcomes) and state == twin
        if found is not None or over or not menu:
            return found
        outcome = run.outcomes[number] if number < len(run.outcomes) else menu[0]
        if isinstance(one.node(state), Draw) and not two.is_legal(twin, outcome) and _unseen(one, state, outcome):
            return None  # a card that nobody sees, and that the other side has not: it cannot be followed
        after = _after(one, two, state, twin, outcome)
        if not isinstance(after, tuple):
            return after
        state, twin = after
    return None


def _after(
    one: Interpreter, two: Interpreter, state: State, twin: State, outcome: Outcome
) -> tuple[State, State] | str | None:
    """The next states, if nobody notices anything; ``None`` when the rules fail on both sides."""
    at = one.node(state).name
    step, twin_step = _tried(lambda: one.step(state, outcome)), _tried(lambda: two.step(twin, outcome))
    if step is None or twin_step is None:
        return None if step == twin_step else f"what happens after `{at}`"
    (after, events), (twin_after, twin_events) = step, twin_step
    if events != twin_events and _told(one, events) != _told(two, twin_events):
        return f"what is told after `{at}`"
    return after, twin_after


def _tried(call: Callable[[], T]) -> T | None:
    """What is called for; ``None`` where the rules fail or do not allow it."""
    try:
        return call()
    except FAULTS:
        return None


def _unseen(interpreter: Interpreter, state: State, draw: Outcome) -> bool:
    """Is a card drawn whose face nobody sees?"""
    step = _tried(lambda: interpreter.step(state, draw))
    return step is not None and not any(isinstance(e, Moved) and e.drawn and e.seen_by for e in step[1])


def _told(interpreter: Interpreter, events: tuple[Event, ...]) -> list[tuple[Observed, ...]]:
    """What each seat learns from events."""
    return [interpreter.observe(events, seat) for seat in range(interpreter.game.seats)]


def _visibility(game: Game) -> Sequence[object]:
    return [e for item in visible(game) for e in walk(item.seen.seats, game.functions)]


def _here(
    one: Interpreter, two: Interpreter, state: State, twin: State, menu: list[Outcome] | None, seen: bool
) -> str | None:
    """What somebody notices to be different in two states. ``menu``: of the first; ``seen``: who sees what may differ
    in equal states. What may be drawn is noticed when it is."""
    node = one.node(state)
    if state.node != twin.node:
        return f"that play comes to `{node.name}`"
    if _tried(lambda: one.owner(state)) != _tried(lambda: two.owner(twin)):
        return f"who is asked at `{node.name}`"
    if not isinstance(node, Draw) and menu != _tried(lambda: two.outcomes(twin)):
        return f"what may be chosen at `{node.name}`"
    if (seen or state != twin) and _differ(one, two, lambda i, seat: _shown(i, state if i is one else twin, seat)):
        return f"what is seen at `{node.name}`"
    worth = state.node == one.game.deal_end
    if worth and _differ(one, two, lambda i, seat: i.payoff(state if i is one else twin, seat)):
        return f"what the deal is worth at `{node.name}`"
    over = isinstance(node, End)
    if over and _differ(one, two, lambda i, seat: i.outcome(state if i is one else twin, seat)):
        return f"who wins at `{node.name}`"
    return None


def _differ(one: Interpreter, two: Interpreter, of: Callable[[Interpreter, int], object]) -> bool:
    """Is it not the same for some seat?"""
    return any(_tried(lambda: of(one, s)) != _tried(lambda: of(two, s)) for s in range(one.game.seats))  # noqa: B023


def _shown(interpreter: Interpreter, state: State, seat: int) -> tuple[object, ...]:
    view = interpreter.view(state, seat)
    return view.cells, view.sizes, view.contents
