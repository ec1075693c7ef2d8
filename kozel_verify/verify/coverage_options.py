"""Does each value of each option make a difference that somebody can notice?

In: a run (a state and outcomes), the options under which it was played, and another value of one option. Out: where the
two games part when both follow the run: what may be chosen, what is seen or told, the next state, what a deal is worth
or who wins. Both sides are the reference interpreter; nothing else is trusted.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Outcome, State
from kozel_verify.model.core import End, Game, OptionRead
from kozel_verify.model.graph import walk
from kozel_verify.verify.coverage_clauses import visible
from kozel_verify.verify.subject import Options

FAULTS = (NotWellDefined, ReachedDead, IllegalChoice)


@dataclass(frozen=True, slots=True)
class Run:
    """A run from the beginning of a match (``start`` is ``None``) or from a state that a scenario writes down."""

    options: Options
    start: State | None
    outcomes: tuple[Outcome, ...]
    title: str


def parted(game: Game, run: Run, other: Options) -> str | None:
    """Where the run parts under other options: a text, or ``None`` when it goes the same way to its end."""
    one, two = Interpreter(game, run.options), Interpreter(game, other)
    if run.start is None:
        (state, opening), (twin, twin_opening) = one.initial(), two.initial()
        if opening != twin_opening:
            return "what is told before the first decision"
        if state != twin:
            return "the first state"
    else:
        state = run.start
    changed = {n for n in run.options if run.options[n] != other[n]}
    seen = any(isinstance(e, OptionRead) and e.name in changed for e in _visibility(game))
    for outcome in run.outcomes:
        found = _here(one, two, state, seen)
        if found is not None:
            return found
        at = game.nodes[state.node].name
        try:
            after, events = one.step(state, outcome)
            twin, twin_events = two.step(state, outcome)
        except FAULTS:
            return f"what happens after `{at}`"
        if events != twin_events:
            return f"what is told after `{at}`"
        if after != twin:
            return f"the state after `{at}`"
        state = after
    return _here(one, two, state, seen)


def _visibility(game: Game) -> Sequence[object]:
    return [e for item in visible(game) for e in walk(item.seen.seats, game.functions)]


def _here(one: Interpreter, two: Interpreter, state: State, seen: bool) -> str | None:
    """What differs in one state."""
    node = one.node(state)
    seats = range(one.game.seats)
    if one.outcomes(state) != two.outcomes(state) or one.owner(state) != two.owner(state):
        return f"what may be chosen at `{node.name}`"
    if seen and any(_shown(one, state, s) != _shown(two, state, s) for s in seats):
        return f"what is seen at `{node.name}`"
    if state.node == one.game.deal_end and any(one.payoff(state, s) != two.payoff(state, s) for s in seats):
        return f"what the deal is worth at `{node.name}`"
    if isinstance(node, End) and any(one.outcome(state, s) != two.outcome(state, s) for s in seats):
        return f"who wins at `{node.name}`"
    return None


def _shown(interpreter: Interpreter, state: State, seat: int) -> tuple[object, ...]:
    view = interpreter.view(state, seat)
    return view.cells, view.contents
