"""Two games played side by side by the reference interpreter, and where they first part.

In go two games with their options and a run; out comes a ``Parting``: what somebody at the table can notice. Noticed
is whose turn it is and what may be chosen, the declared cells and the cards that a seat sees, how many cards lie
where, what a seat is told on a step, what a deal and the match come to, and that the rules fail. A zone that only one
game has is an empty one in the other. ``Lockstep`` is an interpreter whose states carry a state of the other game with
them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead, Reason
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Choice, Event, Outcome, State
from kozel_verify.language.spans import NOWHERE
from kozel_verify.model.core import Ask, Node
from kozel_verify.verify.differ.sides import cell_keys, converted, shared_cells, zone_keys

X = TypeVar("X")
Y = TypeVar("Y")
FAULTS = (NotWellDefined, ReachedDead)


class Kind(Enum):
    """What is noticed first."""

    START = "the table"
    FAULT = "the rules fail"
    TOLD = "what is told"
    NODE = "what happens next"
    TURN = "whose turn it is"
    SHOWN = "what is seen"
    WORTH = "what it comes to"
    MENU = "what may be chosen"
    DRAW = "what may be drawn"


@dataclass(frozen=True, slots=True)
class Difference:
    """``said``: what each side says. ``expect``: for each side, expressions that hold there alone. ``only``: for each
    side, the outcomes (its own) that the other does not have."""

    kind: Kind
    text: str
    said: tuple[str, str]
    expect: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    only: tuple[tuple[Outcome, ...], tuple[Outcome, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class Pair(State):
    """A state with that of the other game, and what was told there on the way to it."""

    other: State
    told: tuple[Event, ...]


class OneFails(NotWellDefined):
    """The rules fail on one side alone. ``sides``: what each side says."""

    def __init__(self, sides: tuple[str, str]) -> None:
        super().__init__(NOWHERE, f"{sides[0]}; {sides[1]}")
        self.sides = sides

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.sides,)


GOES_ON = "goes on"


# --- outcomes ---------------------------------------------------------------------------------------------------------


def other_outcome(node: Node, outcome: Outcome, there: Node) -> Outcome | None:
    """The outcome of another game's node that is the same by name; ``None`` when it has no such verb or value."""
    if not isinstance(outcome, Choice) or not isinstance(node, Ask) or not isinstance(there, Ask):
        return outcome
    verb = node.verbs[outcome.verb]
    for n, candidate in enumerate(there.verbs):
        if candidate.name == verb.name and len(candidate.parameters) == len(verb.parameters):
            rows = zip(outcome.arguments, verb.parameters, candidate.parameters, strict=True)
            try:
                return Choice(n, tuple(converted(value, p.type, q.type) for value, p, q in rows))
            except KeyError:
                return None
    return None


class Lockstep(Interpreter):
    """The game A; its states are ``Pair``s. Its outcomes are those that both games allow (as A writes them), so that
    plays of it are plays of both. A step raises ``OneFails`` when the rules fail on one side alone."""

    def __init__(self, a: Interpreter, b: Interpreter) -> None:
        super().__init__(a.game, a.options)
        self.a, self.b = a, b
        cells = shared_cells(a.game, b.game)
        self.cells = [(key, cell_keys(a.game)[key], cell_keys(b.game)[key]) for key in cells]
        zones = zone_keys(a.game), zone_keys(b.game)
        self.zones = [(key, zones[0].get(key), zones[1].get(key)) for key in dict.fromkeys((*zones[0], *zones[1]))]

    def initial(self) -> tuple[Pair, tuple[Event, ...]]:
        (state, told), (other, also_told) = both(self.a.initial, self.b.initial)
        return Pair(state.node, state.cells, state.place, other, also_told), told

    def step(self, state: State, outcome: Outcome) -> tuple[Pair, tuple[Event, ...]]:
        assert isinstance(state, Pair)
        theirs = self.translated(state, outcome)
        if theirs is None:
            raise IllegalChoice(Reason.VERB, NOWHERE, "the other game has no such choice")
        (after, told), (other, also_told) = both(
            lambda: self.a.step(plain(state), outcome), lambda: self.b.step(state.other, theirs)
        )
        return Pair(after.node, after.cells, after.place, other, also_told), told

    def outcomes(self, state: State) -> list[Outcome]:
        assert isinstance(state, Pair)
        here, there = self.menus(state)
        return [o for o in here if self.translated(state, o) in there]

    def menus(self, state: Pair) -> tuple[list[Outcome], list[Outcome]]:
        """What each game allows. Raises ``OneFails``, or the fault of both."""
        return both(lambda: self.a.outcomes(plain(state)), lambda: self.b.outcomes(state.other))

    def translated(self, state: Pair, outcome: Outcome) -> Outcome | None:
        return other_outcome(self.a.node(state), outcome, self.b.node(state.other))


def plain(state: State) -> State:
    """The state without what is carried along."""
    return State(state.node, state.cells, state.place)


def both(a: Callable[[], X], b: Callable[[], Y]) -> tuple[X, Y]:
    """Both results. Raises A's fault when both fail, and ``OneFails`` when one does."""
    try:
        first = a()
    except FAULTS as fault:
        try:
            b()
        except FAULTS:
            raise fault from None
        raise OneFails((str(fault), GOES_ON)) from fault
    try:
        return first, b()
    except FAULTS as fault:
        raise OneFails((GOES_ON, str(fault))) from fault
