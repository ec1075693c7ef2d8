"""What happens in plays, counted by what a game names itself.

In go whole plays of one game, deals or matches; out come exact counts. For each witness in how many plays it held at
one of its nodes; for each announcement, with each value that is one of few, and for each choice, with arguments that
are of few values, how often it was made in each play; what deals are worth, how matches end, and what the numbers are
that the spec keeps, at the end of each play. Everything that a game can say has a row, also what never came. Witnesses
that are about the end of a match alone have none where deals are played.

Counts are the reference interpreter's. A ``Counter`` of numbers says how often each number came, over plays; of an
event the plays in which it did not come are left out.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Literal

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play
from kozel_verify.interpret.state import Announced, Choice, State
from kozel_verify.interpret.text import choice_text, value_text
from kozel_verify.interpret.visibility import cell_slots, indices
from kozel_verify.model.core import Announce, Ask, Cell, CellKind, Claim, End, Game, StateClaim, Verb
from kozel_verify.model.types import NatType, RangeType, Type, Value, cardinality, values

FEW = 12  # values of a type, or members of a family, that get a row each
TOGETHER = ", together"  # behind the name of a family: its sum
UNNAMED = "announce"  # what a scenario calls an announcement without a name
Unit = Literal["deal", "match"]
Event = tuple[str, str]  # a label and a value, or a place and a choice; the second is empty for all of them together
Numbers = Counter[int]


@dataclass(slots=True)
class Tally:
    """``steps`` and ``decisions``: per play. ``payoffs``: by seat, what the deal was worth; ``outcomes``: by seat, how
    the match ended (0 lost, 1 neither, 2 won). ``numbers``: by cell."""

    game: Game
    unit: Unit = "deal"
    plays: int = 0
    deals: int = 0
    steps: int = 0
    decisions: Numbers = field(default_factory=Counter)
    witnesses: dict[str, Numbers] = field(default_factory=dict)
    announced: dict[Event, Numbers] = field(default_factory=dict)
    chosen: dict[Event, Numbers] = field(default_factory=dict)
    payoffs: list[Numbers] = field(default_factory=list)
    outcomes: list[Numbers] = field(default_factory=list)
    numbers: dict[str, Numbers] = field(default_factory=dict)
    _claims: dict[int, list[StateClaim]] = field(default_factory=dict)  # witnesses by node

    def __post_init__(self) -> None:
        for claim in _witnesses(self.game, self.unit):
            self.witnesses[claim.name] = Counter()
            for node in claim.nodes:
                self._claims.setdefault(node, []).append(claim)
        self.announced = {event: Counter() for event in dict.fromkeys(_announcements(self.game))}
        self.chosen = {event: Counter() for event in dict.fromkeys(_choices(self.game))}
        seats = range(self.game.seats)
        self.payoffs = [Counter() for _ in seats if self.unit == "deal"]
        self.outcomes = [Counter() for _ in seats if self.unit == "match"]

    # --- counting ----------------------------------------------------------------------------------------------------

    def add(self, interpreter: Interpreter, play: Play) -> None:
        """A play that has come to its end. Raises ``NotWellDefined`` where its result has no value."""
        final, seats = play.final, range(self.game.seats)
        over = isinstance(interpreter.node(final), End)
        if self.unit == "match":
            results = [interpreter.outcome(final, seat) for seat in seats]
        else:
            results = [] if over else [interpreter.payoff(final, seat) for seat in seats]
        self.plays += 1
        self.steps += len(play.steps)
        self.deals += sum(state.node == self.game.deal_end for state in play.states)
        for counted, result in zip(self.outcomes if self.unit == "match" else self.payoffs, results, strict=False):
            counted[result] += 1
        self._events(play)
        for name in self._witnessed(interpreter, play.states):
            self.witnesses[name][1] += 1
        for name, number in kept_numbers(self.game, final):
            self.numbers.setdefault(name, Counter())[number] += 1

    def _events(self, play: Play) -> None:
        announced, chosen, decisions = defaultdict[Event, int](int), defaultdict[Event, int](int), 0
        for events in (play.opening, *(step.events for step in play.steps)):
            for event in events:
                if isinstance(event, Announced):
                    for row in self._said(event):
                        announced[row] += 1
        for step in play.steps:
            node = self.game.nodes[step.before.node]
            if isinstance(node, Ask) and isinstance(step.outcome, Choice):
                decisions += 1
                chosen[short(node.name), node.verbs[step.outcome.verb].name] += 1
                text = short(node.name), choice_text(self.game, node, step.outcome)
                if text in self.chosen and step.outcome.arguments:
                    chosen[text] += 1
        self.decisions[decisions] += 1
        for rows, found in ((self.announced, announced), (self.chosen, chosen)):
            for row, times in found.items():
                rows[row][times] += 1

    def _said(self, event: Announced) -> Iterator[Event]:
        label = event.label or UNNAMED
        yield label, ""
        for type_ in _types(self.game, event.label):
            row = label, value_text(self.game, event.value, type_)
            if row in self.announced:
                yield row

    def _witnessed(self, interpreter: Interpreter, states: tuple[State, ...]) -> set[str]:
        found = set[str]()
        for state in states:
            for claim in self._claims.get(state.node, ()):
                if claim.name not in found and _holds(interpreter, state, claim):
                    found.add(claim.name)
        return found

    def join(self, other: "Tally") -> None:
        """Add the counts of other plays of the same game."""
        self.plays += other.plays
        self.deals += other.deals
        self.steps += other.steps
        self.decisions += other.decisions
        for by_seat, same in ((self.payoffs, other.payoffs), (self.outcomes, other.outcomes)):
            for mine, theirs in zip(by_seat, same, strict=True):
                mine.update(theirs)
        for rows, more in ((self.witnesses, other.witnesses), (self.numbers, other.numbers)):
            for name, counted in more.items():
                rows.setdefault(name, Counter()).update(counted)
        for events, further in ((self.announced, other.announced), (self.chosen, other.chosen)):
            for event, counted in further.items():
                events[event].update(counted)

    def whole(self, counted: Numbers) -> Numbers:
        """The counts of an event, with the plays in which it did not come."""
        return counted + Counter({0: self.plays - counted.total()})


def short(node: str) -> str:
    """The last part of a node's name: copies of one question count together."""
    return node.rsplit(".", 1)[-1].split("#")[0]


def _holds(interpreter: Interpreter, state: State, claim: StateClaim) -> bool:
    try:
        return bool(interpreter.evaluate(state, claim.statement))
    except NotWellDefined:
        return False


# --- what there is to count -------------------------------------------------------------------------------------------


def _witnesses(game: Game, unit: Unit) -> Iterator[StateClaim]:
    for claim in game.properties:
        if isinstance(claim, StateClaim) and claim.claim is Claim.WITNESS:
            at_the_end = all(isinstance(game.nodes[n], End) for n in claim.nodes)
            if unit == "match" or not at_the_end:
                yield claim


def left_out(game: Game, unit: Unit) -> list[str]:
    """The witnesses that plays of this unit never come to."""
    counted = {claim.name for claim in _witnesses(game, unit)}
    return list(dict.fromkeys(c.name for c in _witnesses(game, "match") if c.name not in counted))


def _types(game: Game, label: str) -> list[Type]:
    """The type of the values announced under a label, where it is one and of few values."""
    effects = [e for block in game.blocks for e in block.effects]
    found = {e.value.type for e in effects if isinstance(e, Announce) and e.label == label}
    return list(found) if len(found) == 1 and all(_few(type_) for type_ in found) else []


def _announcements(game: Game) -> Iterator[Event]:
    labels = [e.label for block in game.blocks for e in block.effects if isinstance(e, Announce)]
    for label in dict.fromkeys(labels):
        yield label or UNNAMED, ""
        for type_ in _types(game, label):
            for value in _few(type_):
                yield label or UNNAMED, value_text(game, value, type_)


def _choices(game: Game) -> Iterator[Event]:
    for node in game.nodes:
        if isinstance(node, Ask):
            for number, verb in enumerate(node.verbs):
                yield short(node.name), verb.name
                for arguments in _arguments(verb):
                    yield short(node.name), choice_text(game, node, Choice(number, arguments))


def _arguments(verb: Verb) -> list[tuple[Value, ...]]:
    rows = list(product(*(_few(parameter.type) for parameter in verb.parameters)))
    return rows if verb.parameters and len(rows) <= FEW else []


def _few(type_: Type) -> tuple[Value, ...]:
    """All values of a type that has few; else none."""
    size = cardinality(type_)
    return tuple(values(type_)) if size is not None and size <= FEW else ()


def kept_numbers(game: Game, state: State) -> Iterator[tuple[str, int]]:
    """The numbers of a state that the spec keeps; of a family also their sum."""
    slots = cell_slots(game)
    for cell in game.cells.values():
        if cell.kind is CellKind.DECLARED and isinstance(cell.type, NatType | RangeType):
            size = len(indices(cell.index))
            numbers = [int(state.cells[cell.base + n] or 0) for n in range(size)]
            if size <= FEW:
                for n, number in enumerate(numbers):
                    yield _name(game, *slots[cell.base + n]), number
            if cell.index is not None:
                yield cell.name + TOGETHER, sum(numbers)


def _name(game: Game, cell: Cell, index: Value) -> str:
    return cell.name if cell.index is None else f"{cell.name}[{value_text(game, index, cell.index)}]"
