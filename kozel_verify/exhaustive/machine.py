"""A fast machine for ``close``: the whole rules of a game, compiled to Python functions over plain tuples.

In go a game and a value for each of its options; out comes a machine with the same states, outcomes and steps as the
reference interpreter, and the game's claims about states and steps as checks for ``close``. Events are not made, but
what they show to each seat is, where a claim asks for it. Faults
are ``Undefined`` and ``DeadReached``; what a violation says in detail is the reference's to tell.

Nothing here is trusted that is not held against the reference: the tests compare every state of small games, and a
caller replays what ``close`` reports. An outcome given to ``step`` must be one of ``outcomes``; this is not checked.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from typing import NamedTuple, cast

from kozel_verify.exhaustive.closure import StateCheck, StepCheck, Witness
from kozel_verify.exhaustive.machine_claims import menu_test, step_test
from kozel_verify.exhaustive.machine_code import Code, conjunction, joined, literal, operation, tuple_text
from kozel_verify.exhaustive.machine_edges import Cells, DeadReached, Edges, Outcome, Zones, loads
from kozel_verify.exhaustive.machine_expressions import EMPTY, Emitter
from kozel_verify.exhaustive.machine_runtime import elements
from kozel_verify.exhaustive.reads import reads_of
from kozel_verify.model.core import (
    OUTSIDE,
    Claim,
    Expr,
    Game,
    Measure,
    MenuClaim,
    Secret,
    StateClaim,
    StepClaim,
    slot_count,
)
from kozel_verify.model.types import Value, element_indices

__all__ = ["Check", "DeadReached", "FastMachine", "Outcome", "Position"]


class Position(NamedTuple):
    """A state: the node, a value for each cell slot, a zone slot (or ``OUTSIDE``) for each card of the deck; and again
    where the cards are, as the set of cards in each zone slot."""

    node: int
    cells: tuple[Value, ...]
    place: tuple[int, ...]
    zones: tuple[int, ...]


Check = StateCheck[Position] | Witness[Position] | StepCheck[Position, Outcome]
StepTest = Callable[[Position, Outcome, Sequence[object], Position], bool]


class FastMachine:
    """The rules of ``game`` under ``options``, which must have a value for each option and keep the constraints."""

    def __init__(self, game: Game, options: Mapping[str, Value]) -> None:
        self.game = game
        self.undecided: set[str] = set()  # menus that were held against near misses only, in some state checked so far
        self._emitter = Emitter(game, options)
        steps = [claim.statement for claim in game.properties if isinstance(claim, StepClaim)]
        self._edges = Edges(self._emitter, tells=reads_of(game, steps).revealed)
        self._blocks = [self._edges.block(block) for block in game.blocks]
        self._menus = [self._edges.menu(node) for node in game.nodes]
        self._entries = [self._edges.entries(node) for node in game.nodes]

    @property
    def source(self) -> str:
        """All code that was made so far, in order."""
        return "\n".join(self._emitter.source)

    def position(self, node: int, cells: tuple[Value, ...], place: tuple[int, ...]) -> Position:
        """The state with these cells, and each card of the deck in this zone slot or ``OUTSIDE``."""
        zones = [0] * self.game.zone_slots()
        for card, slot in enumerate(place):
            if slot != OUTSIDE:
                zones[slot] |= 1 << card
        return Position(node, cells, place, tuple(zones))

    # --- the machine -------------------------------------------------------------------------------------------------

    def initial(self) -> Position:
        """The state at the first node. Raises ``Undefined``, ``DeadReached``."""
        cells: Cells = [value for cell in self.game.cells.values() for value in [cell.initial] * slot_count(cell.index)]
        zones = [0] * self.game.zone_slots()
        zones[0] = self.game.pack
        return self._run(self.game.entry, cells, zones)

    def outcomes(self, state: Position) -> list[Outcome]:
        """All legal outcomes, in the order of the reference. Raises ``Undefined``, also for a draw from nothing."""
        return self._menus[state.node](list(state.cells), list(state.zones))

    def step(self, state: Position, outcome: Outcome) -> tuple[Position, Sequence[object]]:
        """The state at the next node, and the set of cards shown to each seat (nothing, if no claim asks for it).
        Raises ``Undefined``, ``DeadReached``."""
        cells, zones, edges = list(state.cells), list(state.zones), self._edges
        verb, arguments = outcome
        if not edges.tells:
            return self._run(self._entries[state.node][verb](cells, zones, arguments), cells, zones), ()
        edges.told[:] = [0] * len(edges.told)
        after = self._run(self._entries[state.node][verb](cells, zones, arguments), cells, zones)
        return after, tuple(edges.told)

    def _run(self, block: int, cells: Cells, zones: Zones) -> Position:
        blocks = self._blocks
        while block >= 0:
            block = blocks[block](cells, zones)
        return Position(~block, tuple(cells), self._place(zones), tuple(zones))

    def _place(self, zones: Zones) -> tuple[int, ...]:
        place = [OUTSIDE] * len(self.game.deck)
        for slot, cards in enumerate(zones):
            if cards:
                for card in elements(cards):
                    place[card] = slot
        return tuple(place)

    # --- claims ------------------------------------------------------------------------------------------------------

    def checks(self, only: Collection[str] | None = None) -> list[Check]:
        """What the game claims of states and of steps, by name, in the order of its properties; ``only``: of these
        names (``None``: all). To make them is dear."""
        found: list[Check] = []
        for claim in self.game.properties if only is None else [p for p in self.game.properties if p.name in only]:
            match claim:
                case StateClaim(kind, name, nodes, statement):
                    make = StateCheck if kind is Claim.INVARIANT else Witness
                    holds = self._test(self._emitter.code(statement, EMPTY))
                    found.append(make(name, frozenset(nodes) or None, holds))
                case StepClaim(name):
                    found.append(StepCheck(name, frozenset(claim.sources), step_test(self._edges, claim)))
                case MenuClaim(name, nodes):
                    found.append(StateCheck(name, frozenset(nodes), menu_test(self._edges, claim, self.undecided.add)))
                case Secret(name, nodes=nodes):
                    found.append(StateCheck(name, frozenset(nodes) or None, self._test(self._secret(claim))))
                case Measure(name):
                    found.append(StepCheck(name, self.game.deal_nodes, self._measure(claim)))
                case _:
                    pass
        return found

    def reader(self, expr: Expr) -> Callable[[Position], Value]:
        """The value of an expression without free variables, as a function of the state. It raises ``Undefined``."""
        return cast(Callable[[Position], Value], self._function(self._emitter.code(expr, EMPTY)))

    def _test(self, code: Code) -> Callable[[Position], bool]:
        return cast(Callable[[Position], bool], self._function(code))

    def _function(self, code: Code) -> Callable[[Position], object]:
        return self._edges.function("p", ["_, c, _, z = p", *loads(code.uses), f"return {code.text}"])

    def _secret(self, secret: Secret) -> Code:
        """No seat that the cards are hidden from sees the zone in which one of them lies."""
        indices: Sequence[Value] = (None,) if secret.index is None else tuple(element_indices(secret.index))
        return conjunction(self._hidden(secret, literal(index)) for index in indices)

    def _hidden(self, secret: Secret, index: Code) -> Code:
        scope = EMPTY.bind(secret.variable, index)
        cards = self._emitter.code(secret.cards, scope)
        hidden_from = self._emitter.code(secret.hidden_from, scope)
        parts = [joined(f"({code.text} >= 0)", [code]) for code in (cards, hidden_from) if not code.total]
        seen: list[Code] = []  # the zones that someone of ``hidden_from`` sees for certain
        for slot, viewers in self._edges.viewers().items():
            zone = Code(f"z{slot}", frozenset({(f"z{slot}", 0)}))
            kept = operation("==", operation("intersect", viewers, hidden_from), literal(0))
            if not kept.known:  # who sees a zone is asked only where a card lies in it
                parts.append(operation("or", operation("==", operation("intersect", cards, zone), literal(0)), kept))
            elif not kept.known[0]:
                seen.append(zone)
        if seen:
            union = reduce(lambda a, b: operation("union", a, b), seen)
            parts.append(operation("==", operation("intersect", cards, union), literal(0)))
        return conjunction(parts)

    def _measure(self, measure: Measure) -> StepTest:
        """A step within the deal makes the tuple of values smaller; other steps are not claimed of."""
        codes = [self._emitter.code(value, EMPTY) for value in measure.values]
        values = cast(
            Callable[[Position], tuple[int, ...]], self._function(joined(tuple_text([c.text for c in codes]), codes))
        )
        nodes = self.game.deal_nodes
        latest: list[tuple[Position, tuple[int, ...]]] = []  # all steps from a state are asked for in a row

        def holds(before: Position, outcome: Outcome, events: Sequence[object], after: Position) -> bool:
            if before.node not in nodes or after.node not in nodes:
                return True
            if not latest or latest[0][0] is not before:
                latest[:] = [(before, values(before))]
            return values(after) < latest[0][1]

        return holds
