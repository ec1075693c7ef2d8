"""The whole state space of a small pack, breadth first, with everything checked in every state and on every step.

In go a machine (``initial``, ``outcomes``, ``step``), checks with names, and a limit on the number of states. Out comes
a ``Closure``: exact numbers of states and transitions, the first (hence shortest) run to each violation and to each
witness, and how long a run can be. When the limit is reached the result says ``complete=False``: states were left, and
what was not seen in the others is not excluded.

A state is kept as its node, the number of its cell values and one byte for each card's place; a run to it is found
again from its predecessors. Combinations of options are the caller's loop: a machine has its options fixed.

Trusted: the machine; and that two states with equal node, cells and places go on alike.
"""

from array import array
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value


class StateLike(Protocol):
    """``place`` has a zone slot, -1..253, for each card."""

    @property
    def node(self) -> int: ...
    @property
    def cells(self) -> tuple[Value, ...]: ...
    @property
    def place(self) -> tuple[int, ...]: ...


S = TypeVar("S", bound=StateLike)
O = TypeVar("O")  # noqa: E741 (an outcome)


class Machine(Protocol[S, O]):
    """``outcomes`` gives all that can happen in a state, always in the same order. Any of the three may raise one of
    the faults that ``close`` is told of."""

    def initial(self) -> S: ...
    def outcomes(self, state: S, /) -> Sequence[O]: ...
    def step(self, state: S, outcome: O, /) -> tuple[S, Sequence[object]]: ...


@dataclass(frozen=True, slots=True)
class StateCheck(Generic[S]):
    """``holds`` in every state at ``nodes`` (all nodes when ``None``)."""

    name: str
    nodes: frozenset[int] | None
    holds: Callable[[S], bool]


@dataclass(frozen=True, slots=True)
class Witness(Generic[S]):
    """``holds`` in some state at ``nodes`` (all nodes when ``None``)."""

    name: str
    nodes: frozenset[int] | None
    holds: Callable[[S], bool]


@dataclass(frozen=True, slots=True)
class StepCheck(Generic[S, O]):
    """``holds(before, outcome, events, after)`` on every step from ``nodes`` (all nodes when ``None``)."""

    name: str
    nodes: frozenset[int] | None
    holds: Callable[[S, O, Sequence[object], S], bool]


def concerns(check: StateCheck[S] | Witness[S] | StepCheck[S, O], node: int) -> bool:
    """Is the check about states at this node, or steps from it?"""
    return check.nodes is None or node in check.nodes


@dataclass(frozen=True, slots=True)
class Violation(Generic[O]):
    """``run``: the outcomes from the initial state, the last one being the step that fails (if a step fails)."""

    name: str
    run: tuple[O, ...]
    node: int  # where play stood before the failing step, or in the failing state
    text: str


@dataclass(frozen=True, slots=True)
class Closure(Generic[O]):
    """``violations`` and ``witnesses`` hold the shortest run by name; a witness without a run is ``None``. ``longest``
    is the number of steps of the longest run (``None``: runs without end, or the closure is not complete).
    ``undecided``: the checks that may have missed something in a state although they hold; whoever makes them knows."""

    complete: bool
    states: int
    transitions: int
    by_node: dict[int, int]
    depth: int  # steps to the farthest state
    longest: int | None
    endless: bool  # some run comes back to a state that it has left
    violations: dict[str, Violation[O]]
    witnesses: dict[str, tuple[O, ...] | None]
    undecided: frozenset[str] = frozenset()


Faults = Mapping[type[Exception], Callable[[Exception], str]]
"""Which exceptions of a machine violate something, and the name of what they violate."""

FAULTS: Faults = {Undefined: lambda _: "well_defined"}
STUCK = "never_stuck"


def close(
    machine: Machine[S, O],
    checks: Sequence[StateCheck[S] | Witness[S] | StepCheck[S, O]],
    limit: int,
    *,
    final: Collection[int],
    frontier: Collection[int] = (),
    faults: Faults = FAULTS,
) -> Closure[O]:
    """Visit every state reachable from ``machine.initial()``, at most ``limit`` of them.

    States at nodes in ``final`` (the match is over) and ``frontier`` (the episode is over) are checked, not expanded.
    In any other state the absence of outcomes violates ``never_stuck``. An exception of ``faults`` violates the
    obligation it maps to (the first class that fits); every other exception is a bug and passes through.
    """
    return _Search(machine, checks, limit, frozenset(final) | frozenset(frontier), faults).run()


class _Search(Generic[S, O]):
    def __init__(
        self,
        machine: Machine[S, O],
        checks: Sequence[StateCheck[S] | Witness[S] | StepCheck[S, O]],
        limit: int,
        leaves: frozenset[int],
        faults: Faults,
    ) -> None:
        self.machine = machine
        self.state_checks = [c for c in checks if isinstance(c, StateCheck)]
        self.step_checks = [c for c in checks if isinstance(c, StepCheck)]
        self.at: dict[int, list[StateCheck[S]]] = {}  # the checks of a node, and of the steps from it
        self.starting: dict[int, list[StepCheck[S, O]]] = {}
        self.open_witnesses = [c for c in checks if isinstance(c, Witness)]
        self.witnesses: dict[str, tuple[O, ...] | None] = {w.name: None for w in self.open_witnesses}
        self.limit = limit
        self.leaves = leaves
        self.faults = faults
        self.caught = tuple(faults)
        self.violations: dict[str, Violation[O]] = {}
        self.numbers: dict[bytes, int] = {}  # state -> number, in order of discovery
        self.cell_numbers: dict[tuple[Value, ...], int] = {}
        self.parents = array("q")
        self.ordinals = array("l")  # which outcome of the parent
        self.edges = array("q")  # successors of state 0, of state 1, ...
        self.offsets = array("q", [0])
        self.by_node: Counter[int] = Counter()
        self.queue: deque[tuple[int, int, S]] = deque()  # number, depth, state
        self.transitions = 0
        self.depth = 0
        self.complete = True

    def run(self) -> Closure[O]:
        try:
            start = self.machine.initial()
        except self.caught as fault:
            name = self.name_of(fault)
            self.violations[name] = Violation(name, (), -1, _text(fault))
            return self.result()
        self.discover(start, -1, 0, 0)
        while self.queue and self.complete:
            number, depth, state = self.queue.popleft()
            if state.node not in self.leaves:
                self.expand(number, depth, state)
            self.offsets.append(len(self.edges))
        return self.result()

    def discover(self, state: S, parent: int, ordinal: int, depth: int) -> None:
        """Number a state, check it if it is new, and record the edge that led to it."""
        cells = self.cell_numbers.setdefault(state.cells, len(self.cell_numbers))
        key = state.node.to_bytes(2, "big") + cells.to_bytes(5, "big") + bytes([p + 1 for p in state.place])
        number = self.numbers.get(key)
        if number is None:
            if len(self.numbers) >= self.limit:
                self.complete = False
                return
            number = self.numbers[key] = len(self.numbers)
            self.parents.append(parent)
            self.ordinals.append(ordinal)
            self.by_node[state.node] += 1
            self.depth = max(self.depth, depth)
            self.queue.append((number, depth, state))
            self.check(number, state)
        if parent >= 0:
            self.edges.append(number)

    def check(self, number: int, state: S) -> None:
        node = state.node
        if node not in self.at:
            self.at[node] = [c for c in self.state_checks if concerns(c, node)]
        for check in self.at[node]:
            if check.name not in self.violations:
                text = self.failure(check.holds, state)
                if text is not None:
                    self.violate(check.name, number, None, state.node, text)
        for witness in tuple(self.open_witnesses):
            if concerns(witness, node) and not self.failure(witness.holds, state):
                self.witnesses[witness.name] = self.run_to(number)
                self.open_witnesses.remove(witness)

    def failure(self, holds: Callable[..., bool], *arguments: object) -> str | None:
        """Why a check fails, ``None`` when it holds; a check without a value fails."""
        try:
            return None if holds(*arguments) else "does not hold"
        except self.caught as fault:
            return _text(fault)

    def expand(self, number: int, depth: int, state: S) -> None:
        try:
            outcomes = self.machine.outcomes(state)
        except self.caught as fault:
            self.violate(self.name_of(fault), number, None, state.node, _text(fault))
            return
        if not outcomes:
            self.violate(STUCK, number, None, state.node, "nothing can be done here")
        node = state.node
        if node not in self.starting:
            self.starting[node] = [c for c in self.step_checks if concerns(c, node)]
        for ordinal, outcome in enumerate(outcomes):
            self.transitions += 1
            try:
                after, events = self.machine.step(state, outcome)
            except self.caught as fault:
                self.violate(self.name_of(fault), number, outcome, state.node, _text(fault))
                continue
            for check in self.starting[node]:
                if check.name not in self.violations:
                    text = self.failure(check.holds, state, outcome, events, after)
                    if text is not None:
                        self.violate(check.name, number, outcome, state.node, text)
            self.discover(after, number, ordinal, depth + 1)

    def name_of(self, fault: Exception) -> str:
        return next(name(fault) for kind, name in self.faults.items() if isinstance(fault, kind))

    def violate(self, name: str, number: int, outcome: O | None, node: int, text: str) -> None:
        if name not in self.violations:
            last = () if outcome is None else (outcome,)
            self.violations[name] = Violation(name, self.run_to(number) + last, node, text)

    def run_to(self, number: int) -> tuple[O, ...]:
        """The outcomes that lead from the initial state to a numbered state."""
        ordinals: list[int] = []
        while self.parents[number] >= 0:
            ordinals.append(self.ordinals[number])
            number = self.parents[number]
        state = self.machine.initial()
        run: list[O] = []
        for ordinal in reversed(ordinals):
            outcome = self.machine.outcomes(state)[ordinal]
            run.append(outcome)
            state = self.machine.step(state, outcome)[0]
        return tuple(run)

    def result(self) -> Closure[O]:
        known = self.complete and bool(self.numbers)
        longest = _longest(self.edges, self.offsets) if known else None
        return Closure(
            complete=self.complete,
            states=len(self.numbers),
            transitions=self.transitions,
            by_node=dict(sorted(self.by_node.items())),
            depth=self.depth,
            longest=longest,
            endless=known and longest is None,
            violations=self.violations,
            witnesses=self.witnesses,
        )


def _text(fault: Exception) -> str:
    return str(fault) or type(fault).__name__


def _longest(edges: Sequence[int], offsets: Sequence[int]) -> int | None:
    """Length of the longest path from state 0 (every state is reachable from it); ``None`` when there is a cycle."""
    count = len(offsets) - 1
    waiting = array("q", bytes(8 * count))  # predecessors not yet done
    for target in edges:
        waiting[target] += 1
    length = array("q", bytes(8 * count))
    ready = [n for n in range(count) if not waiting[n]]
    done = 0
    while ready:
        number = ready.pop()
        done += 1
        for target in _successors(edges, offsets, number):
            length[target] = max(length[target], length[number] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    return max(length) if done == count else None


def _successors(edges: Sequence[int], offsets: Sequence[int], number: int) -> Iterator[int]:
    for position in range(offsets[number], offsets[number + 1]):
        yield edges[position]
