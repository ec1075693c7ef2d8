"""The fast machine goes the reference's way: in every state of the toy, and in plays on the small packs of a spec."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.exhaustive.closure import StateCheck, StepCheck, Witness
from kozel_verify.exhaustive.machine import DeadReached, FastMachine, Position
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.exhaustive.machine_code import OPERATIONS
from kozel_verify.exhaustive.machine_edges import Edges
from kozel_verify.exhaustive.machine_expressions import RUNTIME
from kozel_verify.interpret.errors import ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Outcome, State
from kozel_verify.interpret.view import revealed_to
from kozel_verify.model.core import (
    Announce,
    Apply,
    Ask,
    Assign,
    Block,
    Branch,
    Cell,
    CellKind,
    CellRead,
    Const,
    Effect,
    Game,
    If,
    MenuClaim,
    Move,
    Show,
    Visibility,
    ZoneRef,
)
from kozel_verify.model.load import Spec, load
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import NAT, OptionalType, RangeType, Value
from kozel_verify.verify.confirm import outcome_of
from kozel_verify.verify.wiring import checks_of, close_pack
from tests.support.toy import (
    ANSWER,
    ASKED,
    CARD,
    CARDS,
    LEAD,
    LEADER,
    SEAT,
    SEATS,
    SUIT,
    TRUMP,
    cell,
    nat,
    op,
    seat,
    toy_game,
    zone,
)
from tests.verify import faults

SPEC = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"


def result(act: Callable[..., object], *arguments: object) -> object:
    """What an act gives, or which fault it raises."""
    try:
        return act(*arguments)
    except ReachedDead as fault:
        return f"dead {fault.name}"
    except DeadReached as fault:
        return f"dead {fault}"
    except Undefined:
        return "undefined"


class Pair:
    """Both machines for one game."""

    def __init__(self, game: Game, options: Mapping[str, Value] | None = None) -> None:
        self.interpreter = Interpreter(game, options)
        self.fast = FastMachine(game, self.interpreter.options)
        self.menus = {p.name for p in game.properties if isinstance(p, MenuClaim)}
        self.checks = list(zip(checks_of(self.interpreter), self.fast.checks(), strict=True))

    def at(self, state: State) -> Position:
        return self.fast.position(state.node, state.cells, state.place)

    def states(self) -> Iterator[State]:
        """Every state up to the end of the first deal, by the fast machine."""
        todo = [self.fast.initial()]
        seen = set(todo)
        while todo:
            position = todo.pop()
            yield State(position.node, position.cells, position.place)
            outcomes = result(self.fast.outcomes, position)
            if position.node == self.interpreter.game.deal_end or not isinstance(outcomes, list):
                continue
            for outcome in outcomes:
                step = result(self.fast.step, position, outcome)
                if isinstance(step, tuple) and step[0] not in seen:
                    seen.add(step[0])
                    todo.append(step[0])

    def differs(self, state: State) -> list[str]:
        """What the machines do not agree on in a state: outcomes, successors, claims."""
        position = self.at(state)
        outcomes = result(self.fast.outcomes, position)
        if not isinstance(outcomes, list):
            return [] if result(self.interpreter.outcomes, state) == outcomes else ["outcomes"]
        translated = [outcome_of(self.interpreter, state, fast) for fast in outcomes]
        if translated != result(self.interpreter.outcomes, state):
            return ["outcomes"]
        found = [name for name, theirs, mine in self._state_claims(state, position) if theirs != mine]
        for fast, outcome in zip(outcomes, translated, strict=True):
            found += self._step_differs(state, position, fast, outcome)
        return found

    def _state_claims(self, state: State, position: Position) -> Iterator[tuple[str, object, object]]:
        for theirs, mine in self.checks:
            assert theirs.name == mine.name
            if isinstance(theirs, StateCheck | Witness) and isinstance(mine, StateCheck | Witness):
                assert theirs.nodes == mine.nodes and isinstance(theirs, Witness) == isinstance(mine, Witness)
                if theirs.name in self.menus and theirs.nodes is not None and state.node not in theirs.nodes:
                    continue  # there is no such choice there
                yield theirs.name, result(theirs.holds, state), result(mine.holds, position)

    def _step_differs(self, state: State, position: Position, fast: FastOutcome, outcome: Outcome) -> list[str]:
        theirs, mine = result(self.interpreter.step, state, outcome), result(self.fast.step, position, fast)
        if not isinstance(theirs, tuple) or not isinstance(mine, tuple):
            return [] if theirs == mine else [f"step {outcome}"]
        after, events = theirs
        told = revealed_to(events, self.interpreter.game.seats)
        if mine not in ((self.at(after), ()), (self.at(after), told)):
            return [f"step {outcome}"]
        return [
            a.name
            for a, b in self.checks
            if isinstance(a, StepCheck)
            and isinstance(b, StepCheck)
            and result(a.holds, state, outcome, events, after) != result(b.holds, position, fast, told, mine[0])
        ]

    def difference(self, nth: int = 1) -> list[str]:
        """The first difference in any ``nth`` state of a deal, or in any other in which a step has no meaning."""
        start = result(lambda: self.at(self.interpreter.initial()[0])), result(self.fast.initial)
        if start[0] != start[1] or isinstance(start[0], str):
            return [] if start[0] == start[1] else ["initial"]
        for number, state in enumerate(self.states()):
            if (number % nth == 0 or self._fails(self.at(state))) and (found := self.differs(state)):
                return found
        return []

    def _fails(self, position: Position) -> bool:
        outcomes = result(self.fast.outcomes, position)
        return not isinstance(outcomes, list) or any(
            isinstance(result(self.fast.step, position, outcome), str) for outcome in outcomes
        )


# --- the toy ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruffing", [False, True])
def test_every_state_of_the_toy(ruffing: bool) -> None:
    """In each state of a deal both have the same outcomes in the same order, the same successors and claims."""
    assert Pair(toy_game(), {"ruffing": ruffing}).difference() == []


FAULTY = [
    faults.card_kept,
    faults.deals_again,
    faults.no_lead,
    faults.covering,
    faults.open_hands,
    faults.idle_measure,
    faults.turned_stays,
]


@pytest.mark.parametrize("game", FAULTY)
def test_faulty_toys(game: Callable[[], Game]) -> None:
    """Both also agree where a rule has no value, a dead clause is reached, nothing can be done or a claim fails."""
    assert Pair(game()).difference(7) == []


def changed(block: int, *effects: Effect, **parts: object) -> Game:
    """The toy with more effects at the end of a block, and with other parts."""
    game = toy_game()
    blocks = list(game.blocks)
    blocks[block] = replace(blocks[block], effects=(*blocks[block].effects, *effects))
    return replace(game, blocks=tuple(blocks), **parts)  # type: ignore[arg-type]


SPADE = op("only", op("intersect", cell("reply", CARDS), Const(0b111, CARDS), type=CARDS), type=CARD)
BOTH = Const(0b11, SEATS)
MARK = RangeType(1, 2)
HELD = op("size", zone("hand", ASKED), type=NAT)


def told() -> Game:
    """A value is told that exists only when one spade is played."""
    return changed(5, Announce(SPADE, BOTH, ""))


def shown() -> Game:
    """Likewise cards that are shown."""
    return changed(5, Show(op("set", SPADE, type=CARDS), BOTH))


def not_there() -> Game:
    """Card 0 is moved from a hand in which it seldom lies."""
    return changed(5, Move(Const(1, CARDS), ZoneRef("hand", LEADER), ZoneRef("hand", LEADER)))


def small_scores() -> Game:
    """A score cannot be more than 9."""
    cells = toy_game().cells
    return changed(5, cells={**cells, "score": replace(cells["score"], type=RangeType(0, 9))})


def marked(index: Apply) -> Game:
    """A family with members 1 and 2 is written and read at an index that may lie outside."""
    cells = toy_game().cells
    mark = Cell("mark", NAT, MARK, 0, cells["leader"].seen, CellKind.DECLARED, toy_game().cell_slots())
    more = op("+", CellRead("mark", index, NAT), nat(1), type=NAT)
    return changed(5, Assign("mark", index, more), cells={**cells, "mark": mark})


def guest(effect_in: int) -> Game:
    """Who sees the tricks depends on a cell that is empty at first, when hearts are trumps."""
    game = toy_game()
    cells = {**game.cells, "guest": replace(game.cells["leader"], name="guest", base=game.cell_slots())}
    cells["guest"] = replace(cells["guest"], type=OptionalType(SEAT), initial=None, kind=CellKind.LET)
    one = op("set", op("value", cell("guest", OptionalType(SEAT)), type=SEAT), type=SEATS)
    seats = If(op("==", TRUMP, Const(0, SUIT)), Const(0, SEATS), one, SEATS)
    zones = {**game.zones, "won": replace(game.zones["won"], seen=Visibility("", seats))}
    live = tuple(names | {"guest"} if n == LEAD else names for n, names in enumerate(game.live))
    return changed(
        effect_in,
        Assign("guest", None, op("some", ASKED, type=OptionalType(SEAT))),
        cells=cells,
        zones=zones,
        live=live,
    )


def absent_seat() -> Game:
    """Who answers is not known when spades are trumps."""
    game = toy_game()
    ask = game.nodes[ANSWER]
    assert isinstance(ask, Ask)
    asked = op("only", op("without", BOTH, op("set", ASKED, type=SEATS), type=SEATS), type=SEAT)
    nobody = op("only", Const(0, SEATS), type=SEAT)
    seat_ = If(op("==", TRUMP, Const(0, SUIT)), nobody, asked, SEAT)
    return replace(game, nodes=(*game.nodes[:ANSWER], replace(ask, seat=seat_), *game.nodes[ANSWER + 1 :]))


def empty_stock() -> Game:
    """More cards are dealt than there are."""
    game = toy_game()
    enough = Branch(op("<", op("size", zone("hand", seat(0)), type=NAT), nat(9)), 2, 12)
    return replace(game, blocks=(*game.blocks[:3], Block((Assign("remaining", None, BOTH),), enough), *game.blocks[4:]))


def bad_start() -> Game:
    """The first block has no meaning."""
    return changed(0, Announce(op("only", Const(0, SEATS), type=SEAT), BOTH, ""))


ODD: dict[str, Callable[[], Game]] = {
    "told": told,
    "shown": shown,
    "not_there": not_there,
    "small_scores": small_scores,
    "mark above": lambda: marked(HELD),
    "mark below": lambda: marked(op("-", nat(3), HELD, type=NAT)),
    "guest at the answer": lambda: guest(5),
    "guest at the lead": lambda: guest(4),
    "absent_seat": absent_seat,
    "empty_stock": empty_stock,
    "bad_start": bad_start,
}


@pytest.mark.parametrize("name", ODD)
def test_rules_without_a_meaning(name: str) -> None:
    """Each way not to be well defined is found by both in the same states; and the reference confirms that it is."""
    game = ODD[name]()
    assert Pair(game).difference(17) == []
    assert "well_defined" in close_pack(Interpreter(game), 3_000).violations


# --- the small packs of a spec ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def spec() -> Spec:
    return load(SPEC)


def test_plays_on_small_packs(spec: Spec) -> None:
    """In the states of random matches on each small pack, with default and with other options, nothing differs."""
    for pack in spec.packs:
        game = spec.small(pack)
        last = {name: option.values[-1] for name, option in game.options.items()}
        for options in ({}, last):
            pair = Pair(game, options)
            for seed in range(2):
                for state in random_play(pair.interpreter, seed, until="deal").states:
                    assert pair.differs(state) == []


def test_plays_with_the_full_pack(spec: Spec) -> None:
    """Likewise in two deals with all cards, where the menus are not too long."""
    pair = Pair(spec.game)
    for state in random_play(pair.interpreter, 1, until="deal").states[::6]:
        if len(pair.fast.outcomes(pair.at(state))) <= 40:
            assert pair.differs(state) == []


def test_code_holds_numbers_only(spec: Spec) -> None:
    """No name and no text of a spec gets into generated code: only numbers, made names and the functions provided."""
    machine = FastMachine(spec.game, {name: o.default for name, o in spec.game.options.items()})
    machine.checks()
    made = {"remembered", "dead", "tell", "found", "legal", "card"}
    allowed = {*RUNTIME, *made, "len", "sum", "all", "any", "min", "max"}
    part: object
    for part in ast.walk(ast.parse(machine.source)):
        match part:
            case ast.Name(id=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                assert name in allowed or re.fullmatch(r"_|[abcemnopstuvwz]|[bcefosuwxz]\d+", name)
            case ast.Attribute(attr=name):
                assert name in ("bit_count", "append")
            case ast.Constant(value=str(text)):
                assert text in FAILURES
            case _:
                pass


FAILURES = {"moved from where they are not", "nothing to draw", "not a value of its cell"}


# --- negative controls -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("operator", "wrong"),
    [
        ("==", lambda a, b: f"({a} >= {b})"),
        ("without", lambda a, b: f"({a} & {b})"),
        ("or", lambda a, b: f"({a} and {b})"),
        ("size", lambda a: f"({a} and 1)"),
        (">", lambda a, b: f"({a} >= {b})"),
    ],
)
def test_a_wrong_operator_is_noticed(monkeypatch: pytest.MonkeyPatch, operator: str, wrong: Callable[..., str]) -> None:
    """Negative control: with one operator compiled wrongly some state of the toy differs."""
    monkeypatch.setitem(OPERATIONS, operator, wrong)
    assert Pair(toy_game()).difference() != []


def without_line(method: str, line: str) -> Callable[..., list[str]]:
    """A method of ``Edges`` that forgets one line of the code that it makes."""
    right = getattr(Edges, method)
    return lambda *arguments: [made for made in right(*arguments) if made != line]


@pytest.mark.parametrize(
    ("method", "line", "game"),
    [
        ("_carry", "z[t] |= m", toy_game),
        ("_carry", "z[s] &= ~m", toy_game),
        ("_move", "if m & ~z[s]: fail('moved from where they are not')", not_there),
        ("_resets", "c[8] = 0", toy_game),
        ("effect", "z[t] = 63", toy_game),
        ("effect", "if not 0 <= v <= 9: fail('not a value of its cell')", small_scores),
    ],
)
def test_a_wrong_effect_is_noticed(
    monkeypatch: pytest.MonkeyPatch, method: str, line: str, game: Callable[[], Game]
) -> None:
    """Negative control: with one line of an effect missing some state differs; with it none does."""
    assert Pair(game()).difference(17) == []
    monkeypatch.setattr(Edges, method, without_line(method, line))
    assert Pair(game()).difference(17) != []
