"""What of a game an expression may read: functions, cells, zones and options by name.

In goes a game; out come sets of names. A dependency is followed through the bodies of the functions that are called,
never through the process: that a cell is read does not say who writes it (``written`` tells what an effect changes).
What was folded while the game was elaborated (constants, orders, types) has no name any more. The answer may be too
large (a branch that is never taken counts), never too small; what relies on that is whoever leaves work out because a
name is not in it.
"""

from dataclasses import dataclass
from functools import cached_property

from kozel_verify.model.claims import property_parts
from kozel_verify.model.core import (
    Announce,
    Assign,
    Branch,
    Call,
    CellRead,
    Compiled,
    Draw,
    Effect,
    Example,
    Expr,
    Game,
    Gather,
    Move,
    Node,
    OptionRead,
    Property,
    Scenario,
    Secret,
    Show,
    ZoneRead,
    ZoneRef,
)
from kozel_verify.model.graph import effect_parts, node_parts
from kozel_verify.model.walk import subexpressions

_NO_NAMES: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Names:
    """Names of a game's parts; cells are declared ones and generated ones alike."""

    functions: frozenset[str] = _NO_NAMES
    cells: frozenset[str] = _NO_NAMES
    zones: frozenset[str] = _NO_NAMES
    options: frozenset[str] = _NO_NAMES

    def __or__(self, other: "Names") -> "Names":
        return Names(
            self.functions | other.functions,
            self.cells | other.cells,
            self.zones | other.zones,
            self.options | other.options,
        )

    def __contains__(self, name: str) -> bool:
        return name in self.functions or name in self.cells or name in self.zones or name in self.options


class Dependencies:
    """Answers for one game; each function is looked into once."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._known: dict[str, Names] = {}

    def of(self, *expressions: Expr) -> Names:
        """What the value of any of the expressions may depend on."""
        found = Names()
        for expression in expressions:
            found |= self._one(expression)
        return found

    def of_function(self, name: str) -> Names:
        """What a function may read, itself included. Raises ``KeyError`` for a name that is no function."""
        if name not in self._known:
            found = self._one(self.game.functions[name].body)  # never recursive, so this ends
            self._known[name] = found | Names(functions=frozenset({name}))
        return self._known[name]

    def of_property(self, claim: Property) -> Names:
        """What the truth of a property depends on where it is stated, and what it gives values to. A secret depends on
        who sees each zone. How play comes to that place is the matter of ``process``."""
        found = self.of(*property_parts([claim]))
        match claim:
            case Compiled():
                return found | self.of_function(claim.function)
            case Secret():
                return found | self.of(*(zone.seen.seats for zone in self.game.zones.values()))
            case Example() | Scenario():
                return found | self._given(claim)
            case _:
                return found

    def _given(self, claim: Example | Scenario) -> Names:
        names = {g.name for g in claim.given}
        game = self.game
        return Names(
            cells=frozenset(names & game.cells.keys()),
            zones=frozenset(names & game.zones.keys()),
            options=frozenset(names & game.options.keys()),
        )

    @cached_property
    def process(self) -> Names:
        """What play may read or change from the beginning of a match to its end: in all nodes and blocks, in who sees
        what, in the results, and in what a table may agree on."""
        game = self.game
        found = self.of(game.outcome, game.gain, game.loss, *game.constraints)
        for block in game.blocks:
            for effect in block.effects:
                found |= self.of(*effect_parts(effect)) | self.written(effect)
            if isinstance(block.end, Branch):
                found |= self.of(block.end.condition)
        for node in game.nodes:
            found |= self.of(*node_parts(node)) | _moved(node)
        shown = [cell.seen.seats for cell in game.cells.values()] + [zone.seen.seats for zone in game.zones.values()]
        return found | self.of(*shown)

    def written(self, effect: Effect) -> Names:
        """The cells and zones whose content an effect may change."""
        match effect:
            case Assign(cell):
                return Names(cells=frozenset({cell}))
            case Move(_, source, target):
                return _zones(source, target)
            case Gather():
                return Names(zones=frozenset(self.game.zones))  # it empties all others
            case Show() | Announce():
                return Names()

    def _one(self, expression: Expr) -> Names:
        cells, zones, options = set(), set(), set()
        called = Names()
        for x in subexpressions(expression):
            match x:
                case CellRead(name):
                    cells.add(name)
                case ZoneRead(name):
                    zones.add(name)
                case OptionRead(name):
                    options.add(name)
                case Call(name):
                    called |= self.of_function(name)
                case _:
                    pass
        return called | Names(_NO_NAMES, frozenset(cells), frozenset(zones), frozenset(options))


def _moved(node: Node) -> Names:
    if not isinstance(node, Draw):
        return Names()
    drawn = Names(cells=frozenset({node.cell})) if node.cell else Names()
    return drawn | _zones(node.source, node.target)


def _zones(*refs: ZoneRef) -> Names:
    return Names(zones=frozenset(r.zone for r in refs))
