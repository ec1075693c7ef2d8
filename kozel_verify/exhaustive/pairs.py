"""All pairs of plays of a small pack that a seat cannot tell apart: does it see the same in both?

In go a machine that says what each seat sees of a state (``view``) and hears on a step (``heard``), and limits. Two
plays look alike to a seat while it has heard the same. Then its views and, at its own turn, its choices must be equal;
and the kind of what it hears next (see ``pairs_machine``), so that silence does not tell either. Out comes, for each
seat, that this is so, with counts, or two plays for which it is not.

Two ways, each time both. Knowledge: for each history of what is heard the exact set of states in which play may be,
breadth first, so that the first difference is a shortest one; there may be very many such sets. Classes: states are
joined that can be reached by plays which look alike, and whatever follows from joined states by hearing the same. That
takes little more than one look at each step; but as being joined is transitive, it joins more than look alike. So where
nothing differs within a class, nothing differs; where something does, only knowledge tells.

Trusted: the machine; and that two states with equal node, cells and places go on alike.
"""

from array import array
from collections import deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from kozel_verify.exhaustive.closure import StateLike
from kozel_verify.model.operators import Undefined

S = TypeVar("S", bound=StateLike)
O = TypeVar("O")  # noqa: E741 (an outcome)
E = TypeVar("E")  # the events of a step

Heard = tuple[tuple[Hashable, Hashable], ...]


class SeenMachine(Protocol[S, O, E]):
    """Any of these may raise one of the faults that ``pairs`` is told of; such a state or step is left out."""

    @property
    def seats(self) -> int: ...
    def initial(self) -> S: ...
    def outcomes(self, state: S, /) -> Sequence[O]: ...
    def step(self, state: S, outcome: O, /) -> tuple[S, Sequence[E]]: ...
    def turn(self, state: S, /) -> int | None: ...
    def view(self, state: S, seat: int, /) -> Hashable: ...
    def heard(self, events: Sequence[E], seat: int, /) -> Heard: ...


@dataclass(frozen=True, slots=True)
class Peek(Generic[O]):
    """Two runs, given by their outcomes, in which a seat hears the same up to the last step. ``last`` is false when
    they end in states that the seat sees differently or in which it may choose differently, and true when on the last
    step one run tells it something of another kind than the other."""

    seat: int
    last: bool
    runs: tuple[tuple[O, ...], tuple[O, ...]]


@dataclass(frozen=True, slots=True)
class SeatPairs(Generic[O]):
    """``classes``: into how many classes the states were joined, ``pairs``: how many pairs of different states these
    hold. ``sets``: how many sets of states the seat's histories leave open (those found up to a difference or to the
    limit). ``holds`` is ``None`` when the limit was reached before it was known."""

    seat: int
    classes: int
    pairs: int
    sets: int
    holds: bool | None
    peek: Peek[O] | None


@dataclass(frozen=True, slots=True)
class Pairs(Generic[O]):
    """``complete``: all states were visited (else nothing is said about seats). ``faults``: steps left out."""

    complete: bool
    states: int
    transitions: int
    faults: int
    seats: tuple[SeatPairs[O], ...]


def pairs(
    machine: SeenMachine[S, O, E],
    limit: int,
    *,
    final: Collection[int],
    frontier: Collection[int] = (),
    faults: tuple[type[Exception], ...] = (Undefined,),
    members: int | None = None,
) -> Pairs[O]:
    """Visit every state reachable from ``machine.initial()``, at most ``limit`` of them, and compare for each seat.

    States at nodes in ``final`` and ``frontier`` are not expanded. ``members``: the greatest number of states that all
    sets of a seat's knowledge may have together, by default ten times the limit. An exception that is not in ``faults``
    passes through.
    """
    space = _Space(machine, limit, frozenset(final) | frozenset(frontier), faults)
    space.explore()
    seats = [_compare(space, s, members or 10 * limit) for s in range(machine.seats)] if space.complete else []
    return Pairs(space.complete, len(space.numbers), len(space.targets), space.faults, tuple(seats))


# --- the states ------------------------------------------------------------------------------------------------------


class _Space(Generic[S, O, E]):
    """All states by number, in order of discovery. ``looks[seat][n]``: a number for what the seat sees in state n and
    may choose there; transitions ``offsets[n] .. offsets[n+1]`` lead to ``targets``, the seat hearing
    ``heard[seat]`` (numbers of ``sayings``)."""

    def __init__(
        self,
        machine: SeenMachine[S, O, E],
        limit: int,
        leaves: frozenset[int],
        caught: tuple[type[Exception], ...],
    ) -> None:
        self.machine, self.limit, self.leaves, self.caught = machine, limit, leaves, caught
        self.numbers: dict[bytes, int] = {}
        self.cell_numbers: dict[tuple[object, ...], int] = {}
        self.seen_numbers: dict[Hashable, int] = {}
        self.saying_numbers: dict[Heard, int] = {}
        self.sayings: list[Heard] = []
        self.looks = [array("q") for _ in range(machine.seats)]
        self.heard = [array("q") for _ in range(machine.seats)]
        self.targets, self.ordinals, self.offsets = array("q"), array("q"), array("q", [0])
        self.queue: deque[S] = deque()
        self.complete, self.faults = True, 0

    def explore(self) -> None:
        try:
            self.number(self.machine.initial())
        except self.caught:
            self.faults += 1
        while self.queue and self.complete:
            state = self.queue.popleft()
            if state.node not in self.leaves:
                self.expand(state)
            self.offsets.append(len(self.targets))

    def number(self, state: S) -> int:
        """The state's number; a new one gets its looks and joins the queue."""
        cells = self.cell_numbers.setdefault(state.cells, len(self.cell_numbers))
        key = state.node.to_bytes(2, "big") + cells.to_bytes(5, "big") + bytes([p + 1 for p in state.place])
        found = self.numbers.get(key)
        if found is not None:
            return found
        looks = list(self.look(state))
        if len(self.numbers) >= self.limit:
            self.complete = False
            return -1
        self.numbers[key] = len(self.numbers)
        for seat, look in enumerate(looks):
            self.looks[seat].append(look)
        self.queue.append(state)
        return self.numbers[key]

    def look(self, state: S) -> Iterator[int]:
        turn = self.machine.turn(state)
        for seat in range(self.machine.seats):
            menu = tuple(self.machine.outcomes(state)) if seat == turn else ()
            seen = (self.machine.view(state, seat), menu)
            yield self.seen_numbers.setdefault(seen, len(self.seen_numbers))

    def expand(self, state: S) -> None:
        try:
            outcomes = self.machine.outcomes(state)
        except self.caught:
            self.faults += 1
            return
        for ordinal, outcome in enumerate(outcomes):
            try:
                after, events = self.machine.step(state, outcome)
                target = self.number(after)
            except self.caught:
                self.faults += 1
                continue
            self.targets.append(target)
            self.ordinals.append(ordinal)
            for seat in range(self.machine.seats):
                self.heard[seat].append(self.saying(self.machine.heard(events, seat)))

    def saying(self, heard: Heard) -> int:
        number = self.saying_numbers.setdefault(heard, len(self.sayings))
        if number == len(self.sayings):
            self.sayings.append(heard)
        return number

    def transitions(self, state: int) -> range:
        return range(self.offsets[state], self.offsets[state + 1])


def odd_ones(sayings: Sequence[Heard], numbers: Iterable[int]) -> tuple[int, int] | None:
    """Two of the sayings that part in a kind: up to some place they are equal, and there one has something of another
    kind, or nothing more. ``None`` when there are none."""
    first: dict[Heard, tuple[Hashable, int]] = {}  # what was heard so far -> the kind of what comes next, and in which
    for number in sorted(numbers):
        saying = sayings[number]
        for length in range(len(saying) + 1):
            kind = saying[length][0] if length < len(saying) else None
            other = first.setdefault(saying[:length], (kind, number))
            if other[0] != kind:
                return other[1], number
    return None


# --- classes ---------------------------------------------------------------------------------------------------------


class _Classes(Generic[S, O, E]):
    """States joined for one seat; each class knows one state to which each saying leads."""

    def __init__(self, space: "_Space[S, O, E]", seat: int) -> None:
        self.space, self.looks, self.heard = space, space.looks[seat], space.heard[seat]
        count = len(space.numbers)
        self.parent = array("q", range(count))
        self.size = array("q", [1]) * count
        self.leads: list[dict[int, int]] = [{} for _ in range(count)]
        self.differs = False
        self.waiting: list[tuple[int, int]] = []

    def root(self, state: int) -> int:
        while self.parent[state] != state:
            self.parent[state] = state = self.parent[self.parent[state]]
        return state

    def run(self) -> None:
        """Join all that must be, and note whether something differs within a class."""
        for state in range(len(self.leads)):
            for n in self.space.transitions(state):
                self.lead(self.root(state), self.heard[n], self.space.targets[n])
            self.settle()
        roots = (self.leads[n] for n in range(len(self.leads)) if self.parent[n] == n)
        known: dict[frozenset[int], bool] = {}
        for leads in roots:
            sayings = frozenset(leads)
            if sayings not in known:
                known[sayings] = odd_ones(self.space.sayings, sayings) is not None
            self.differs |= known[sayings]

    def lead(self, root: int, saying: int, target: int) -> None:
        old = self.leads[root].setdefault(saying, target)
        if old != target:
            self.waiting.append((old, target))

    def settle(self) -> None:
        while self.waiting:
            a, b = map(self.root, self.waiting.pop())
            if a == b:
                continue
            if len(self.leads[a]) < len(self.leads[b]):
                a, b = b, a
            self.differs |= self.looks[a] != self.looks[b]
            self.parent[b] = a
            self.size[a] += self.size[b]
            moved, self.leads[b] = self.leads[b], {}
            for saying, target in moved.items():
                self.lead(a, saying, target)


# --- knowledge -------------------------------------------------------------------------------------------------------

Knowledge = tuple[int, ...]  # the states in which play may be, ascending


class _Knowing(Generic[S, O, E]):
    """The sets of states that the seat's histories leave open."""

    def __init__(self, space: "_Space[S, O, E]", seat: int, members: int) -> None:
        self.space, self.seat, self.members = space, seat, members
        self.looks, self.heard = space.looks[seat], space.heard[seat]
        self.parents: dict[Knowledge, tuple[Knowledge, int] | None] = {(0,): None}

    def run(self) -> tuple[bool | None, Peek[O] | None]:
        queue: deque[Knowledge] = deque([(0,)])
        members = 0
        while queue:
            here = queue.popleft()
            members += len(here)
            if members > self.members:
                return None, None
            other = next((n for n in here if self.looks[n] != self.looks[here[0]]), None)
            if other is not None:
                return False, self.peek(here, (here[0], other))
            open_ = self.after(here)
            odd = odd_ones(self.space.sayings, open_)
            if odd is not None:
                return False, self.peek(here, None, odd)
            for saying, states in sorted(open_.items()):
                reached = tuple(sorted(states))
                if reached not in self.parents:
                    self.parents[reached] = here, saying
                    queue.append(reached)
        return True, None

    def after(self, here: Knowledge) -> dict[int, set[int]]:
        found: dict[int, set[int]] = {}
        for state in here:
            for n in self.space.transitions(state):
                found.setdefault(self.heard[n], set()).add(self.space.targets[n])
        return found

    # --- two runs

    def peek(self, here: Knowledge, ends: tuple[int, int] | None, odd: tuple[int, int] | None = None) -> Peek[O]:
        """The two runs to the ends; or, for two odd sayings, to the steps on which they are heard."""
        if ends is not None:
            return Peek(self.seat, False, (self.outcomes(here, ends[0], []), self.outcomes(here, ends[1], [])))
        assert odd is not None
        first, second = (self.last(here, saying) for saying in odd)
        return Peek(self.seat, True, (self.outcomes(here, *first), self.outcomes(here, *second)))

    def last(self, here: Knowledge, saying: int) -> tuple[int, list[int]]:
        """A state of the set with a step on which this is heard, and the step's ordinal."""
        return next(
            (state, [self.space.ordinals[n]])
            for state in here
            for n in self.space.transitions(state)
            if self.heard[n] == saying
        )

    def outcomes(self, here: Knowledge, state: int, ordinals: list[int]) -> tuple[O, ...]:
        """A run to the state by which the seat hears just what leads to the set, and then the steps given."""
        origin = self.parents[here]
        while origin is not None:
            here, saying = origin
            state, ordinal = next(
                (before, self.space.ordinals[n])
                for before in here
                for n in self.space.transitions(before)
                if self.heard[n] == saying and self.space.targets[n] == state
            )
            ordinals = [ordinal, *ordinals]
            origin = self.parents[here]
        machine, run = self.space.machine, list[O]()
        at = machine.initial()
        for ordinal in ordinals:
            run.append(machine.outcomes(at)[ordinal])
            at = machine.step(at, run[-1])[0]
        return tuple(run)


def _compare(space: "_Space[S, O, E]", seat: int, members: int) -> SeatPairs[O]:
    classes, knowing = _Classes(space, seat), _Knowing(space, seat, members)
    classes.run()
    holds, peek = knowing.run()
    if peek is not None and not classes.differs:
        raise AssertionError("two plays differ within a class in which nothing does")
    sizes = [classes.size[n] for n in range(len(classes.parent)) if classes.parent[n] == n]
    joined = sum(n * (n - 1) // 2 for n in sizes)
    sets = len(knowing.parents)
    return SeatPairs(seat, len(sizes), joined, sets, True if not classes.differs else holds, peek)
