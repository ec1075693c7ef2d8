"""Pairs of plays that look alike to a seat: the telling machine is the reference's, and every difference is found."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from kozel_verify.exhaustive.machine import DeadReached, Position
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.exhaustive.pairs import Heard, Pairs, odd_ones, pairs
from kozel_verify.exhaustive.pairs_machine import MOVED, TellingMachine
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.model.core import End, Game
from kozel_verify.model.operators import Undefined
from kozel_verify.verify.confirm import outcome_of
from tests.support.bidding import SILENT, bidding
from tests.support.toy import DEAL_END, OVER, toy_game
from tests.symbolic.test_peeking import quiet_toy


def closed(game: Game, limit: int = 100_000) -> Pairs[FastOutcome]:
    """One deal, with the default options."""
    machine = TellingMachine(game, {name: o.default for name, o in game.options.items()})
    final = [n for n, node in enumerate(game.nodes) if isinstance(node, End)]
    return pairs(machine, limit, final=final, frontier=[game.deal_end], faults=(Undefined, DeadReached))


# --- the machine -----------------------------------------------------------------------------------------------------


def steps(machine: TellingMachine, game: Game) -> Iterator[tuple[Position, FastOutcome]]:
    """Every step of one deal."""
    waiting, seen = [machine.initial()], set[Position]()
    while waiting:
        state = waiting.pop()
        if state in seen or state.node == game.deal_end:
            continue
        seen.add(state)
        for outcome in machine.outcomes(state):
            yield state, outcome
            waiting.append(machine.step(state, outcome)[0])


class Matching:
    """Notes that two things go together; each may go with one thing only."""

    def __init__(self) -> None:
        self.there: dict[Hashable, Hashable] = {}
        self.back: dict[Hashable, Hashable] = {}

    def note(self, a: Hashable, b: Hashable) -> None:
        assert self.there.setdefault(a, b) == b
        assert self.back.setdefault(b, a) == a


@pytest.mark.parametrize("game", [quiet_toy(), bidding().small("six")], ids=["toy", "bidding"])
def test_views_and_what_is_heard_are_those_of_the_reference(game: Game) -> None:
    """On every step of a deal: equal views go with equal views, and what a seat hears with what it observes. (A move of
    no cards, which nobody notices, is left out.)"""
    options = {name: o.default for name, o in game.options.items()}
    machine, player = TellingMachine(game, options), Interpreter(game, options)
    views, heard = ([Matching() for _ in range(game.seats)] for _ in range(2))
    count = 0
    for state, outcome in steps(machine, game):
        before = State(state.node, state.cells, state.place)
        after, events = machine.step(state, outcome)
        expected, told = player.step(before, outcome_of(player, before, outcome))
        assert (after.node, after.cells, after.place) == (expected.node, expected.cells, expected.place)
        assert machine.turn(after) == player.owner(expected)
        for seat in range(game.seats):
            if after.node not in (game.deal_end, OVER):
                views[seat].note(machine.view(after, seat), player.view(expected, seat))
            noticed = tuple(pair for pair in machine.heard(events, seat) if pair[0][0] != MOVED or pair[1] != 0)  # type: ignore[index]
            heard[seat].note((before.node, noticed), (before.node, player.observe(told, seat)))
        count += 1
    assert count > 1_000


def test_a_finished_deal_is_looked_at_with_what_it_is_worth() -> None:
    """At the end of a deal the view has the gain and loss of every seat, elsewhere nothing of it."""
    game = toy_game()
    machine = TellingMachine(game, {"ruffing": True})
    end = machine.position(DEAL_END, (0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (5, 5, 5, 6, 6, 6))
    other = machine.position(DEAL_END, (0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (6, 5, 5, 5, 6, 6))
    dearer = machine.position(DEAL_END, (0, 0, 0, 0, 0, 0, 0, 0, 0, 0), (5, 5, 6, 5, 6, 6))
    assert machine.view(end, 0) == machine.view(other, 0) != machine.view(dearer, 0)


# --- games -----------------------------------------------------------------------------------------------------------


def test_nobody_can_peek_in_the_quiet_toy() -> None:
    """2,637 states; the sets that a seat's histories leave open are counted, and the pairs in classes."""
    found = closed(quiet_toy())
    assert (found.complete, found.states, found.transitions, found.faults) == (True, 2637, 3972, 0)
    assert [(s.holds, s.sets, s.classes, s.pairs) for s in found.seats] == [
        (True, 1275, 1017, 12630),
        (True, 1405, 1363, 2706),
    ]


def test_the_toy_leaks_to_the_first_leader() -> None:
    """A discard goes unseen to the pile of the winner, which is scored without being counted aloud: two deals of nine
    steps that differ in what the other discarded."""
    found = closed(toy_game())
    peek = found.seats[0].peek
    assert [s.holds for s in found.seats] == [False, True]
    assert peek is not None and not peek.last
    assert [len(run) for run in peek.runs] == [9, 9]


def test_bidding_keeps_its_secrets() -> None:
    """All pairs of plays of a deal, with eight cards."""
    assert [s.holds for s in closed(bidding().game).seats] == [True, True]


LEAKS_TO = {
    "menu": ([False, False], False),
    "public cell": ([False, False], True),
    "score": ([False, False], False),
    "silence": ([False, False], True),
    "number of cards": ([False, False], True),
    "next node": ([False, True], False),
    "only who can": ([False, False], False),
    "worth": ([False, False], False),
}


@pytest.mark.parametrize("name", SILENT)
def test_planted_leaks_are_found(name: str) -> None:
    """For whom there is a leak, and whether the kind of what is heard on the last step gives it away."""
    holds, last = LEAKS_TO[name]
    found = closed(bidding(*SILENT[name]).game)
    assert [s.holds for s in found.seats] == holds
    peeks = [s.peek for s in found.seats if s.peek is not None]
    assert all(p.last == last and len(p.runs[0]) == len(p.runs[1]) for p in peeks)


def test_what_can_be_worked_out_is_no_leak() -> None:
    """With all six cards dealt each seat knows the other's hand or the cards aside: the number of aces that are laid
    away unseen tells it nothing new."""
    game = bidding(SILENT["number of cards"][0], ("g : 2 of", "g : 1 of")).small("six")
    assert [s.holds for s in closed(game).seats] == [True, True]


# --- machines made by hand -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class At:
    node: int
    cells: tuple[int, ...] = ()
    place: tuple[int, ...] = ()


@dataclass
class Graph:
    """A machine for one seat: for each node what it sees, and its steps (what it hears, where they lead)."""

    looks: Mapping[int, str]
    steps: Mapping[int, Sequence[tuple[str, int]]]
    mine: frozenset[int] = field(default_factory=frozenset)
    broken: Callable[[int], bool] = lambda node: False
    seats: int = 1

    def initial(self) -> At:
        return At(0)

    def outcomes(self, state: At) -> Sequence[int]:
        return range(len(self.steps.get(state.node, ())))

    def step(self, state: At, outcome: int) -> tuple[At, Sequence[str]]:
        heard, target = self.steps[state.node][outcome]
        if self.broken(target):
            raise Undefined("nothing")
        return At(target), (heard,)

    def turn(self, state: At) -> int | None:
        return 0 if state.node in self.mine else None

    def view(self, state: At, seat: int) -> Hashable:
        return self.looks[state.node]

    def heard(self, events: Sequence[str], seat: int) -> Heard:
        """Each letter is heard by itself; small ones are of one kind, capital ones each of its own."""
        return tuple((letter if letter.isupper() else "word", letter) for letter in events[0])


def holds(graph: Graph, limit: int = 100, members: int | None = None) -> bool | None:
    return pairs(graph, limit, final=(), members=members).seats[0].holds


def test_states_that_look_different_after_the_same() -> None:
    """Two steps by which the same is heard must lead to what looks the same; if different things are heard, not."""
    assert holds(Graph({0: "a", 1: "b", 2: "c"}, {0: [("x", 1), ("y", 2)]})) is True
    assert holds(Graph({0: "a", 1: "b", 2: "b"}, {0: [("x", 1), ("x", 2)]})) is True
    found = pairs(Graph({0: "a", 1: "b", 2: "c"}, {0: [("x", 1), ("x", 2)]}), 100, final=())
    assert found.seats[0].peek is not None
    assert (found.seats[0].holds, found.seats[0].peek.runs) == (False, ((0,), (1,)))


def test_what_may_be_chosen_counts_at_the_own_turn() -> None:
    """Two states that look alike, one with two steps and one with three: a difference only for who chooses."""
    looks, ways = dict.fromkeys(range(4), "a"), {0: [("", 1), ("", 2)], 1: [("", 3)] * 2, 2: [("", 3)] * 3}
    assert holds(Graph(looks, ways)) is True
    assert holds(Graph(looks, ways, frozenset({1, 2}))) is False


def test_silence_tells() -> None:
    """To hear something of another kind, or nothing more, is a difference; another word is none."""
    looks = dict.fromkeys(range(3), "a")
    assert holds(Graph(looks, {0: [("xA", 1), ("yB", 2)]})) is True
    assert holds(Graph(looks, {0: [("xA", 1), ("xB", 2)]})) is False
    assert holds(Graph(looks, {0: [("xA", 1), ("x", 2)]})) is False


CHAIN = Graph(
    {0: "a", 1: "b", 2: "b", 3: "b", 4: "c", 5: "d"},
    {0: [("x", 1), ("x", 2), ("y", 2), ("y", 3)], 1: [("z", 4)], 2: [("w", 4)], 3: [("z", 5)]},
)
"""After x play is at 1 or 2, after y at 2 or 3; 1 and 3 go on differently but never look alike by what was heard."""


def test_classes_join_too_much_and_knowledge_does_not() -> None:
    """The class of 1, 2 and 3 holds a difference that no two plays show."""
    found = pairs(CHAIN, 100, final=()).seats[0]
    assert (found.holds, found.peek, found.classes) == (True, None, 3)


def test_without_knowledge_such_a_class_shows_nothing() -> None:
    """When the sets of states are too many, only classes without a difference help."""
    assert holds(CHAIN, members=2) is None
    assert holds(Graph({0: "a", 1: "b", 2: "b"}, {0: [("x", 1), ("x", 2)]}), members=1) is True


def test_a_limit_says_nothing_about_seats() -> None:
    """With fewer states than there are the result is not complete."""
    found = pairs(CHAIN, 3, final=())
    assert (found.complete, found.states, found.seats) == (False, 3, ())


def test_steps_without_a_value_are_left_out() -> None:
    """A step that faults is counted, and leads nowhere; another exception passes through."""
    graph = Graph({0: "a", 1: "b", 2: "c"}, {0: [("x", 1), ("x", 2)]}, broken=lambda node: node == 2)
    found = pairs(graph, 100, final=())
    assert (found.faults, found.states, found.seats[0].holds) == (1, 2, True)
    with pytest.raises(Undefined):
        pairs(graph, 100, final=(), faults=(DeadReached,))


def test_final_states_are_looked_at_but_not_left() -> None:
    """What lies behind them is not visited."""
    found = pairs(CHAIN, 100, final=[2], frontier=[1, 3])
    assert (found.states, found.transitions) == (4, 4)


def test_odd_ones_part_in_a_kind() -> None:
    """The first two sayings, by number, that part in a kind."""
    sayings: list[Heard] = [(("k", 1), ("l", 2)), (("k", 2), ("m", 2)), (("k", 1), ("m", 2)), (("k", 1),)]
    assert odd_ones(sayings, [0, 1]) is None
    assert odd_ones(sayings, [0, 1, 2, 3]) == (0, 2)
    assert odd_ones(sayings, [3, 1]) is None
    assert odd_ones(sayings, [3, 0]) == (0, 3)
