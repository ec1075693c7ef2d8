"""Looking for plays in which two games part: every play of a small pack, and random plays of the full one.

In go the two games with their options; out come exact numbers, the shortest run found to each kind of difference, and
for each node how often one game is stricter than the other. Both sides are led by the same cards and choices. Where
menus differ, play goes on with the choices that both allow; where anything else differs it ends. Runs are in the fast
machine's outcomes of A; nothing here is believed before the interpreter has replayed it.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from kozel_verify.exhaustive.machine import Outcome, Position
from kozel_verify.interpret.chance import Generator, choice_generator
from kozel_verify.model.core import Ask, End, Game
from kozel_verify.verify.differ.sides import Setting, shared_cells, zone_keys
from kozel_verify.verify.differ.tables import FAULTS, Table

X = TypeVar("X")
Y = TypeVar("Y")
Run = tuple[Outcome, ...]
Both = tuple[Position, Position]
Tell = Callable[[int, int | None, str], None]  # how much is done, of how much, of what
MATCH_STEPS = 4_000  # of one match: some never end


def quiet(done: int, total: int | None, what: str) -> None:
    """Nobody wants to know how far the search is."""


@dataclass(slots=True)
class MenuCount:
    """How the menus at a node compare, over the states visited. ``examples``: a shortest run to each kind of
    difference (``stricter``, ``laxer``, ``other``: of A)."""

    node: str
    same: int = 0
    stricter: int = 0
    laxer: int = 0
    other: int = 0
    examples: dict[str, Run] = field(default_factory=dict)

    def add(self, kind: str, run: Callable[[], Run], length: int) -> None:
        setattr(self, kind, getattr(self, kind) + 1)
        if kind != "same" and (kind not in self.examples or length < len(self.examples[kind])):
            self.examples[kind] = run()

    @property
    def differs(self) -> bool:
        return bool(self.stricter or self.laxer or self.other)


@dataclass(slots=True)
class Searched:
    """``states``: pairs of states visited. ``deals``: deals begun (of random plays). ``partings``: the shortest run to
    a difference at each node, whatever it is. ``complete``: no state was left out."""

    states: int = 0
    deals: int = 0
    complete: bool = True
    menus: dict[str, MenuCount] = field(default_factory=dict)
    partings: dict[str, Run] = field(default_factory=dict)

    def parted(self, where: str, run: Callable[[], Run], length: int) -> None:
        if where not in self.partings or length < len(self.partings[where]):
            self.partings[where] = run()

    def shortest(self) -> Run | None:
        return min(self.partings.values(), key=len, default=None)

    def menu(self, node: str) -> MenuCount:
        return self.menus.setdefault(node, MenuCount(node))


class Lane:
    """Two tables side by side."""

    def __init__(self, a: Game, b: Game, setting: Setting) -> None:
        cells = shared_cells(a, b)
        zones = tuple(dict.fromkeys((*zone_keys(a), *zone_keys(b))))
        self.a, self.b = Table(a, setting.a, cells, zones), Table(b, setting.b, cells, zones)
        self.game = a

    def initial(self) -> Both | str | None:
        """The first states; a text where the rules fail on one side, ``None`` where they fail on both."""
        return _pair(self.a.initial, self.b.initial)

    def name(self, pair: Both) -> str:
        return self.game.nodes[pair[0].node].name

    def alike(self, pair: Both) -> bool:
        """Does nobody notice a difference between the two states (their menus apart)?"""
        seen = _pair(lambda: self.a.noticed(pair[0]), lambda: self.b.noticed(pair[1]))
        return seen is None or (not isinstance(seen, str) and seen[0] == seen[1])

    def menus(self, pair: Both) -> tuple[str, list[tuple[Outcome, Outcome]]]:
        """How they compare (``same``, ``stricter``, ``laxer``, ``other``, or ``fault``), and what both allow."""
        found = _pair(lambda: self.a.outcomes(pair[0]), lambda: self.b.outcomes(pair[1]))
        if found is None or isinstance(found, str):
            return ("same" if found is None else "fault"), []
        here, there = found
        if pair[0].node == pair[1].node and here == there and self.a.verbs == self.b.verbs:
            return "same", list(zip(here, there, strict=True))
        theirs = {self.b.choice(pair[1], o): o for o in there}
        mine = {self.a.choice(pair[0], o): o for o in here}
        both = [(o, theirs[key]) for key, o in mine.items() if key in theirs]
        if len(both) == len(here):
            return ("same" if len(both) == len(there) else "stricter"), both
        return ("laxer" if len(both) == len(there) else "other"), both

    def step(self, pair: Both, outcome: tuple[Outcome, Outcome]) -> tuple[Both, bool] | str | None:
        """The next states, and whether every seat is told the same on the way; else as in ``initial``."""
        found = _pair(lambda: self.a.step(pair[0], outcome[0]), lambda: self.b.step(pair[1], outcome[1]))
        if found is None or isinstance(found, str):
            return found
        (x, events), (y, also) = found
        same = self.a.told(events) == self.b.told(also) or all(
            self.a.told_to(events, s) == self.b.told_to(also, s) for s in range(self.game.seats)
        )
        return (x, y), same


def _pair(a: Callable[[], X], b: Callable[[], Y]) -> tuple[X, Y] | str | None:
    """Both results; a text where one side fails, ``None`` where both do."""
    try:
        first = a()
    except FAULTS:
        try:
            b()
        except FAULTS:
            return None
        return "A fails"
    try:
        return first, b()
    except FAULTS:
        return "B fails"


# --- every play of a small pack ---------------------------------------------------------------------------------------


class _Whole:
    """Breadth first over pairs of states, to the end of the first deal and one step beyond."""

    def __init__(self, lane: Lane, limit: int, tell: Tell) -> None:
        self.lane, self.limit, self.tell = lane, limit, tell
        self.found = Searched()
        self.seen: dict[Both, int] = {}
        self.from_: list[tuple[int, Outcome | None, int]] = []  # parent, outcome, length
        self.queue: list[Both] = []

    def run(self) -> Searched:
        start = self.lane.initial()
        if isinstance(start, str):
            self.found.parted("", lambda: (), 0)
        elif start is not None:
            self.add(start, -1, None)
        for number, pair in enumerate(self.queue):  # grows on the way
            self.tell(number, None, "states")
            self.visit(number, pair)
        self.found.states = len(self.queue)
        return self.found

    def add(self, pair: Both, parent: int, outcome: Outcome | None) -> None:
        if pair in self.seen:
            return
        if len(self.queue) >= self.limit:
            self.found.complete = False
            return
        self.seen[pair] = len(self.queue)
        self.from_.append((parent, outcome, 0 if parent < 0 else self.from_[parent][2] + 1))
        self.queue.append(pair)

    def path(self, number: int, *last: Outcome) -> Run:
        run = list(reversed(last))
        while self.from_[number][0] >= 0:
            number, outcome, _ = self.from_[number]
            assert outcome is not None
            run.append(outcome)
        return tuple(reversed(run))

    def visit(self, number: int, pair: Both) -> None:
        lane, length = self.lane, self.from_[number][2]
        where = lane.name(pair)
        if not lane.alike(pair):
            self.found.parted(where, lambda: self.path(number), length)
            return
        kind, both = lane.menus(pair)
        if kind == "fault":
            self.found.parted(where, lambda: self.path(number), length)
            return
        if isinstance(lane.game.nodes[pair[0].node], Ask):
            self.found.menu(where).add(kind, lambda: self.path(number), length)
        if kind != "same":
            self.found.parted(where, lambda: self.path(number), length)
        if self.beyond(number):
            return
        for outcome in both:
            after = lane.step(pair, outcome)
            if isinstance(after, str) or (after is not None and not after[1]):
                self.found.parted(where, lambda o=outcome: self.path(number, o[0]), length + 1)  # type: ignore[misc]
            elif after is not None:
                self.add(after[0], number, outcome[0])

    def beyond(self, number: int) -> bool:
        """Was a deal over in the state before this one?"""
        parent = self.from_[number][0]
        return parent >= 0 and self.queue[parent][0].node == self.lane.game.deal_end


def whole(a: Game, b: Game, setting: Setting, limit: int, tell: Tell = quiet) -> Searched:
    """Every play of the first deal (of a small pack), at most ``limit`` pairs of states."""
    return _Whole(Lane(a, b, setting), limit, tell).run()


# --- random plays -----------------------------------------------------------------------------------------------------


def at_random(
    a: Game, b: Game, setting: Setting, deals: int, seed: int, least: int = 0, tell: Tell = quiet
) -> Searched:
    """Random matches until so many deals have been begun, or ``least`` of them and the games have parted. A match ends
    where the games part in anything but a menu."""
    lane, found = Lane(a, b, setting), Searched(complete=False)
    number = 0
    while found.deals < deals and not (found.partings and 0 < least <= found.deals):
        tell(found.deals, deals, "deals")
        _match(lane, found, deals, choice_generator(seed + number))
        number += 1
    return found


def _match(lane: Lane, found: Searched, deals: int, dice: Generator) -> None:
    pair = lane.initial()
    found.deals += 1
    if pair is None or isinstance(pair, str):
        if pair is not None:
            found.parted("", lambda: (), 0)
        return
    run: list[Outcome] = []
    for _ in range(MATCH_STEPS):
        found.states += 1
        where, length = lane.name(pair), len(run)
        kind, both = lane.menus(pair) if lane.alike(pair) else ("fault", [])
        if isinstance(lane.game.nodes[pair[0].node], Ask) and kind != "fault":
            found.menu(where).add(kind, lambda: tuple(run), length)
        if kind != "same":
            found.parted(where, lambda: tuple(run), length)
        if kind == "fault" or not both or isinstance(lane.game.nodes[pair[0].node], End):
            return
        if pair[0].node == lane.game.deal_end:
            if found.deals >= deals:
                return
            found.deals += 1
        chosen = both[dice.below(len(both))]
        run.append(chosen[0])
        after = lane.step(pair, chosen)
        if after is None:
            return
        if isinstance(after, str) or not after[1]:
            found.parted(where, lambda: tuple(run), length + 1)
            return
        pair = after[0]
