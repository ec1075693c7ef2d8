"""The exhaustive engine, wired to the reference interpreter.

``exhaustive`` knows no interpreter: it is given an evaluator, a machine, relations between cards. They are made here
from a game. A closure runs on the fast machine of ``exhaustive``, whose finds are replayed by the interpreter; with
``reference=True`` it runs on the interpreter itself, so that what is trusted is the interpreter and these few lines.
A closure of a small pack is evidence about that pack, never about the full one.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from typing import Any, Literal, assert_never

from kozel_verify.exhaustive.closure import Closure, Faults, StateCheck, StateLike, StepCheck, Witness, close
from kozel_verify.exhaustive.domains import Evaluate
from kozel_verify.exhaustive.machine import DeadReached, FastMachine
from kozel_verify.exhaustive.reads import reads_of
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.evaluate import evaluate, number
from kozel_verify.interpret.menus import decided, mismatch
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Choice, Outcome, State
from kozel_verify.interpret.view import revealed_to
from kozel_verify.interpret.visibility import cell_slots, zone_slots
from kozel_verify.model.core import (
    OUTSIDE,
    Ask,
    Claim,
    End,
    Expr,
    Game,
    Measure,
    MenuClaim,
    Secret,
    StateClaim,
    StepClaim,
)
from kozel_verify.model.graph import node_parts
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value, element_indices, members
from kozel_verify.verify.confirm import Check, confirmed

CONSERVATION = "conservation"


def evaluator(game: Game) -> Evaluate:
    """The reference evaluator over a game's options and cells; zones are empty, since no lemma may read them."""
    place = (OUTSIDE,) * len(game.deck)

    def value(
        expr: Expr, local: Mapping[str, Value], options: Mapping[str, Value], cells: tuple[Value, ...], /
    ) -> Value:
        return evaluate(game, options, State(0, cells, place), expr, local)

    return value


class Reference:
    """The interpreter as the machine that ``close`` drives."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter

    def initial(self) -> State:
        return self._interpreter.initial()[0]

    def outcomes(self, state: State) -> Sequence[Outcome]:
        return self._interpreter.outcomes(state)

    def step(self, state: State, outcome: Outcome) -> tuple[State, Sequence[object]]:
        return self._interpreter.step(state, outcome)


Part = tuple[tuple[Value, ...], tuple[int, ...]]


class Reading:
    """What some expressions can read of a state: cells, and which cards lie in which of the zones."""

    def __init__(self, game: Game, exprs: Iterable[Expr]) -> None:
        reads = reads_of(game, exprs)
        self._cells = [n for n, (cell, _) in enumerate(cell_slots(game)) if cell.name in reads.cells]
        self._zones = frozenset(n for n, (zone, _) in enumerate(zone_slots(game)) if zone.name in reads.zones)

    def __call__(self, state: State) -> Part:
        place = tuple([p if p in self._zones else OUTSIDE for p in state.place]) if self._zones else ()
        return tuple([state.cells[n] for n in self._cells]), place


class Remembered:
    """The value of an expression in a state, by the interpreter, asked once for all states that agree on what the
    expression can read. It forgets all when it holds ``ROOM``, and so does all else that is remembered here."""

    ROOM = 100_000

    def __init__(self, interpreter: Interpreter, expr: Expr, local: Mapping[str, Value] | None = None) -> None:
        self._interpreter = interpreter
        self._expr = expr
        self._local = dict(local or {})
        self._reading = Reading(interpreter.game, [expr])
        self._known: dict[Part, Value] = {}

    def __call__(self, state: State) -> Value:
        """Raises what the interpreter raises."""
        key = self._reading(state)
        if key not in self._known:
            value = self._interpreter.evaluate(state, self._expr, self._local)
            if len(self._known) >= self.ROOM:
                self._known.clear()
            self._known[key] = value
        return self._known[key]


def dead_name(clause: str) -> str:
    """The name under which a closure reports that a dead clause was reached."""
    return f"dead {clause}"


def _dead(fault: Exception) -> str:
    assert isinstance(fault, ReachedDead)
    return dead_name(fault.name)


FAULTS: Faults = {ReachedDead: _dead, NotWellDefined: lambda _: "well_defined"}


FAST_FAULTS: Faults = {DeadReached: lambda f: dead_name(str(f)), Undefined: lambda _: "well_defined"}


def close_pack(
    interpreter: Interpreter, limit: int, episode: Literal["deal", "match"] = "deal", *, reference: bool = False
) -> Closure[Outcome]:
    """All states of one deal (or of a match, which may never end) with at most ``limit`` states visited.

    Violations are named ``well_defined``, ``never_stuck``, ``dead CLAUSE``, or as the spec names what fails. The result
    is the same with ``reference``, but takes some fifteen times as long. Raises ``Disagreement`` when the interpreter
    does not find what the fast machine has found.
    """
    game = interpreter.game
    final = [n for n, node in enumerate(game.nodes) if isinstance(node, End)]
    frontier = [game.deal_end] if episode == "deal" else []
    undecided: set[str] = set()
    checks = [*checks_of(interpreter, undecided.add), conserved(game)]
    if reference:
        made = close(Reference(interpreter), checks, limit, final=final, frontier=frontier, faults=FAULTS)
        return replace(made, undecided=frozenset(undecided))
    machine = FastMachine(game, interpreter.options)
    found = close(
        machine, [*machine.checks(), conserved(game)], limit, final=final, frontier=frontier, faults=FAST_FAULTS
    )
    return confirmed(interpreter, checks, FAULTS, replace(found, undecided=frozenset(machine.undecided)))


@dataclass(frozen=True, slots=True)
class Job:
    """One closure to be made: a game, options (the defaults fill them up), the limit and the episode of it."""

    game: Game
    options: Mapping[str, Value]
    limit: int
    episode: Literal["deal", "match"] = "deal"

    def run(self) -> Closure[Outcome]:
        return close_pack(Interpreter(self.game, self.options), self.limit, self.episode)


def close_all(jobs: Sequence[Job], processes: int = 1) -> list[Closure[Outcome]]:
    """The closures of all jobs, in their order, made by so many processes at a time. Raises what a job raises.

    The processes are spawned: a script that calls this does so under ``if __name__ == "__main__"``.
    """
    if min(processes, len(jobs)) <= 1:
        return [job.run() for job in jobs]
    with ProcessPoolExecutor(min(processes, len(jobs)), get_context("spawn")) as pool:
        return list(pool.map(Job.run, jobs))


def conserved(game: Game) -> StateCheck[Any]:
    """Every card of the pack lies in some zone, and no other card does (in states of either machine)."""

    def holds(state: StateLike) -> bool:
        return all((slot == OUTSIDE) is not bool(game.pack >> card & 1) for card, slot in enumerate(state.place))

    return StateCheck(CONSERVATION, None, holds)


def checks_of(interpreter: Interpreter, undecided: Callable[[str], None] = lambda _: None) -> list[Check]:
    """What the spec claims of states and of steps. Examples, lemmas, scenarios and functions are not among it.
    ``undecided`` is told the names of menus that are held against near misses only."""
    checks: list[Check] = []
    for claim in interpreter.game.properties:
        match claim:
            case StateClaim():
                checks.append(_state_claim(interpreter, claim))
            case StepClaim(name):
                checks.append(StepCheck(name, frozenset(claim.sources), _step_claim(interpreter, claim)))
            case MenuClaim(name, nodes):
                checks.append(StateCheck(name, frozenset(nodes), _menu_claim(interpreter, claim, undecided)))
            case Secret(name, nodes=nodes):
                checks.append(StateCheck(name, frozenset(nodes) or None, _secret(interpreter, claim)))
            case Measure(name):
                checks.append(StepCheck(name, interpreter.game.deal_nodes, _measure(interpreter, claim)))
            case _:
                pass
    return checks


def _state_claim(interpreter: Interpreter, claim: StateClaim) -> Check:
    nodes = frozenset(claim.nodes) or None

    value = Remembered(interpreter, claim.statement)

    def holds(state: State) -> bool:
        return bool(value(state))

    match claim.claim:
        case Claim.INVARIANT:
            return StateCheck(claim.name, nodes, holds)
        case Claim.WITNESS:
            return Witness(claim.name, nodes, holds)
        case _:
            assert_never(claim.claim)


StepTest = Callable[[State, Outcome, Sequence[object], State], bool]


def claimed_of(game: Game, claim: StepClaim, before: State, outcome: Outcome, after: State) -> bool:
    """Is this step among those that the claim is about?"""
    node = game.nodes[before.node]
    if before.node not in claim.sources or after.node not in claim.targets:
        return False
    by = node.verbs[outcome.verb].name if isinstance(node, Ask) and isinstance(outcome, Choice) else ""
    return claim.verb in ("", by)


def arguments_of(claim: StepClaim, outcome: Outcome) -> dict[str, Value]:
    """The arguments of the choice under the claim's names."""
    if not isinstance(outcome, Choice) or not claim.verb:
        return {}
    return {a.name: value for a, value in zip(claim.arguments, outcome.arguments, strict=True)}


def _step_claim(interpreter: Interpreter, claim: StepClaim) -> StepTest:
    """The statement holds after each step that is claimed of; other steps pass."""
    reading = Reading(interpreter.game, [claim.statement])
    tells = reads_of(interpreter.game, [claim.statement]).revealed
    known: dict[tuple[Part, tuple[Value, ...], Part, tuple[int, ...]], bool] = {}

    def holds(before: State, outcome: Outcome, events: Sequence[object], after: State) -> bool:
        if not claimed_of(interpreter.game, claim, before, outcome, after):
            return True
        arguments = arguments_of(claim, outcome)
        told = revealed_to(events, interpreter.game.seats) if tells else ()
        key = (reading(before), tuple(arguments.values()), reading(after), told)
        if key not in known:
            value = bool(interpreter.evaluate(after, claim.statement, arguments, before, events))
            if len(known) >= Remembered.ROOM:
                known.clear()
            known[key] = value
        return known[key]

    return holds


def _menu_claim(
    interpreter: Interpreter, claim: MenuClaim, undecided: Callable[[str], None]
) -> Callable[[State], bool]:
    """The choice is legal exactly where the statement holds, as far as ``interpret.menus`` tries."""
    known: dict[tuple[int, Part], bool] = {}
    game = interpreter.game
    readings = {n: Reading(game, [claim.statement, *node_parts(game.nodes[n])]) for n in claim.nodes}

    def holds(state: State) -> bool:
        if not decided(interpreter, state, claim):
            undecided(claim.name)
            return mismatch(interpreter, state, claim) is None
        key = (state.node, readings[state.node](state))
        if key not in known:
            value = mismatch(interpreter, state, claim) is None
            if len(known) >= Remembered.ROOM:
                known.clear()
            known[key] = value
        return known[key]

    return holds


def _secret(interpreter: Interpreter, secret: Secret) -> Callable[[State], bool]:
    """No seat that the cards are hidden from sees the face of one of them in a zone."""
    indices: Sequence[Value] = (None,) if secret.index is None else tuple(element_indices(secret.index))
    locals_ = [{secret.variable: i} if secret.variable else {} for i in indices]
    pairs = [
        (Remembered(interpreter, secret.cards, v), Remembered(interpreter, secret.hidden_from, v)) for v in locals_
    ]
    slots = [
        (slot, Remembered(interpreter, zone.seen.seats, {zone.seen.variable: index} if zone.seen.variable else {}))
        for slot, (zone, index) in enumerate(zone_slots(interpreter.game))
    ]

    def kept(state: State, cards: int, hidden_from: int) -> bool:
        places = {state.place[card] for card in members(cards)}
        return not any(number(viewers(state)) & hidden_from for slot, viewers in slots if slot in places)

    return lambda state: all(kept(state, number(cards(state)), number(seats(state))) for cards, seats in pairs)


def _measure(interpreter: Interpreter, measure: Measure) -> StepTest:
    """A step within the deal makes the tuple of values smaller; other steps are not claimed of."""
    nodes = interpreter.game.deal_nodes
    values = [Remembered(interpreter, value) for value in measure.values]

    def of(state: State) -> tuple[int, ...]:
        return tuple(number(value(state)) for value in values)

    def holds(before: State, outcome: Outcome, events: Sequence[object], after: State) -> bool:
        return before.node not in nodes or after.node not in nodes or of(after) < of(before)

    return holds
