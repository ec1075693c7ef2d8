"""The closure visits every state once, and everything planted in it is found by a shortest run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest

from kozel_verify.exhaustive.closure import FAULTS, Closure, StateCheck, StepCheck, Witness, close
from kozel_verify.model.operators import Undefined


@dataclass(frozen=True, slots=True)
class At:
    node: int
    cells: tuple[int, ...]
    place: tuple[int, ...]


class Grid:
    """Two cards that walk from place 0 to `width`, one step at a time, either first. Node 1 is the end."""

    def __init__(self, width: int = 3, fault: Callable[[At], None] | None = None, back: bool = False) -> None:
        self.width = width
        self.fault = fault
        self.back = back

    def initial(self) -> At:
        return At(0, (0,), (0, 0))

    def outcomes(self, state: At) -> Sequence[int]:
        if state.node == 1:
            return ()
        moves = [card for card in (0, 1) if state.place[card] < self.width]
        return [*moves, *((2,) if self.back and state.place == (1, 1) else ())]

    def step(self, state: At, outcome: int) -> tuple[At, Sequence[object]]:
        place = (0, 0) if outcome == 2 else tuple(p + (card == outcome) for card, p in enumerate(state.place))
        after = At(int(sum(place) == 2 * self.width), (sum(place),), place)
        if self.fault:
            self.fault(after)
        return after, (f"moved {outcome}",)


def state_check(name: str, nodes: frozenset[int] | None, holds: Callable[[At], bool]) -> StateCheck[At]:
    return StateCheck(name, nodes, holds)


def witness(name: str, nodes: frozenset[int] | None, holds: Callable[[At], bool]) -> Witness[At]:
    return Witness(name, nodes, holds)


def step_check(name: str, holds: Callable[[At, int, Sequence[object], At], bool]) -> StepCheck[At, int]:
    return StepCheck(name, None, holds)


def run(machine: Grid, checks: Sequence[StateCheck[At] | Witness[At] | StepCheck[At, int]] = ()) -> Closure[int]:
    return close(machine, checks, 1000, final=[1])


def test_every_state_once() -> None:
    """A 4 x 4 grid has 16 states and 24 steps, the farthest 6 away; each way through it has 6 steps."""
    result = run(Grid())
    assert (result.complete, result.states, result.transitions) == (True, 16, 24)
    assert (result.by_node, result.depth, result.longest, result.endless) == ({0: 15, 1: 1}, 6, 6, False)
    assert result.violations == {}


def test_a_way_back_is_endless() -> None:
    """Negative control for the bound: with a step back to the start no run has a longest length."""
    result = run(Grid(back=True))
    assert (result.states, result.transitions) == (16, 25)
    assert (result.longest, result.endless) == (None, True)


def test_longest_is_not_depth() -> None:
    """The longest run counts, not the shortest way to the farthest state."""

    class Shortcut(Grid):
        def outcomes(self, state: At) -> Sequence[int]:
            return (3, 0) if state.place == (0, 0) else super().outcomes(state)

        def step(self, state: At, outcome: int) -> tuple[At, Sequence[object]]:
            return (At(0, (5,), (2, 3)), ()) if outcome == 3 else super().step(state, outcome)

    result = run(Shortcut())
    assert (result.depth, result.longest) == (5, 6)


def test_node_is_part_of_a_state() -> None:
    """Two nodes with equal cells and places are two states."""

    class Pause(Grid):
        def outcomes(self, state: At) -> Sequence[int]:
            return (0,) if state.node < 2 else ()

        def step(self, state: At, outcome: int) -> tuple[At, Sequence[object]]:
            return At(state.node + 1, state.cells, state.place), ()

    result = close(Pause(), [], 1000, final=[2])
    assert (result.states, result.longest, result.by_node) == (3, 2, {0: 1, 1: 1, 2: 1})


def test_limit_is_honest() -> None:
    """With a limit below the number of states the result says that it is not complete, and claims no bound."""
    result = close(Grid(), [], 15, final=[1])
    assert (result.complete, result.states, result.longest, result.endless) == (False, 15, None, False)
    assert close(Grid(), [], 16, final=[1]).complete


def test_state_check_and_shortest_run() -> None:
    """A check that fails in one state is reported with a shortest run to it; the others go on."""
    check = state_check("not 2 1", None, lambda s: s.place != (2, 1))
    other = state_check("few", frozenset({1}), lambda s: s.cells[0] < 6)
    result = run(Grid(), [check, other])
    assert result.states == 16
    assert sorted(result.violations) == ["few", "not 2 1"]
    assert len(result.violations["not 2 1"].run) == 3
    assert sorted(result.violations["not 2 1"].run) == [0, 0, 1]
    assert result.violations["few"].node == 1


def test_check_at_its_nodes_only() -> None:
    """A check given for a node is not evaluated elsewhere."""
    assert run(Grid(), [state_check("end", frozenset({1}), lambda s: s.cells == (6,))]).violations == {}


def test_check_without_a_value_fails() -> None:
    """A check that is undefined somewhere does not hold there."""

    def undefined(state: At) -> bool:
        raise Undefined("no value")

    result = run(Grid(), [state_check("odd", frozenset({1}), undefined)])
    assert result.violations["odd"].text == "no value"


def test_step_check_sees_the_step() -> None:
    """A step check gets the state before, the outcome, the events and the state after; the run ends with the step."""

    def holds(before: At, outcome: int, events: Sequence[object], after: At) -> bool:
        assert events == (f"moved {outcome}",) and sum(after.place) == sum(before.place) + 1
        return not (outcome == 1 and before.place == (2, 0))

    result = run(Grid(), [step_check("step", holds)])
    assert result.violations["step"].run == (0, 0, 1)
    assert run(Grid(), [step_check("grows", lambda b, o, e, a: a.cells > b.cells)]).violations == {}


def test_witness_found_or_not() -> None:
    """A witness has the shortest run to it, or None when no state has it; a violated claim is not a witness."""
    witnesses = [
        witness("both", None, lambda s: s.place == (1, 1)),
        witness("start", None, lambda s: s.place == (0, 0)),
        witness("beyond", None, lambda s: s.place[0] > 3),
    ]
    result = run(Grid(), witnesses)
    both = result.witnesses["both"]
    assert both is not None and sorted(both) == [0, 1]
    assert result.witnesses["start"] == ()
    assert result.witnesses["beyond"] is None
    assert result.violations == {}


def test_stuck_states_are_found() -> None:
    """A state without outcomes that is not final violates never_stuck; a final or frontier one does not."""

    class Stuck(Grid):
        def outcomes(self, state: At) -> Sequence[int]:
            return () if state.place == (1, 2) else super().outcomes(state)

    assert len(run(Stuck()).violations["never_stuck"].run) == 3
    assert "never_stuck" in close(Grid(), [], 1000, final=[]).violations
    assert close(Grid(), [], 1000, final=[], frontier=[1]).violations == {}


def test_frontier_is_checked_but_not_expanded() -> None:
    """States of the frontier count and are checked; nothing behind them is visited."""

    class Halves(Grid):
        def step(self, state: At, outcome: int) -> tuple[At, Sequence[object]]:
            after, events = super().step(state, outcome)
            return At(2 if sum(after.place) == 2 else after.node, after.cells, after.place), events

    result = close(Halves(), [state_check("no", frozenset({2}), lambda s: False)], 1000, final=[1], frontier=[2])
    assert (result.states, result.longest) == (6, 2)
    assert result.violations["no"].node == 2


def test_faults_are_named_and_others_pass() -> None:
    """An exception listed as a fault becomes a violation with the failing step; a bug is not swallowed."""

    class Dead(Exception):
        pass

    def undefined(after: At) -> None:
        if after.place == (1, 2):
            raise Undefined("no value")

    def dead(after: At) -> None:
        if after.place == (2, 0):
            raise Dead("clause")

    found = run(Grid(fault=undefined)).violations["well_defined"]
    assert len(found.run) == 3 and found.text == "no value"
    result = close(Grid(fault=dead), [], 1000, final=[1], faults={**FAULTS, Dead: lambda e: f"dead {e}"})
    assert result.violations["dead clause"].run == (0, 0)
    with pytest.raises(Dead):
        run(Grid(fault=dead))


def test_fault_at_the_start() -> None:
    """A machine whose first block fails has no states, and says why."""

    class Broken(Grid):
        def initial(self) -> At:
            raise Undefined("at once")

    result = run(Broken())
    assert (result.states, result.violations["well_defined"].run, result.longest) == (0, (), None)
