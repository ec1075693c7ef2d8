"""A whole game."""

from dataclasses import dataclass

from kozel_verify.model.core.expressions import Expr
from kozel_verify.model.core.process import Block, Node
from kozel_verify.model.core.properties import Property
from kozel_verify.model.core.slots import Cell, Function, OptionDecl, Zone
from kozel_verify.model.deck import Deck
from kozel_verify.model.types import EnumType, Type, element_indices


@dataclass(frozen=True, slots=True)
class Orders:
    """The named orders, for messages: strongest first, as element indices."""

    name: str
    of: Type
    items: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Game:
    """An elaborated spec for one pack. ``entry`` is the block with which a match begins.

    At the start every card of the pack is in zone slot 0 and every cell has its initial value. ``deal_nodes`` are the
    nodes inside the phase ``deal``; the ``Rest`` node that ends it is ``deal_end`` (an index into ``nodes``).
    ``outcome`` gives for the ``Local`` ``seat`` an element of ``("lost", "neither", "won")`` by index at an ``End``;
    ``gain`` and ``loss`` give naturals at ``deal_end``: what the finished deal is worth to a seat is gain - loss.
    """

    name: str
    titles: dict[str, str]
    terms: dict[str, dict[str, str]]  # name -> language -> word
    deck: Deck
    pack: int
    pack_name: str  # "" for the full pack
    seats: int
    enums: dict[str, EnumType]
    orders: dict[str, Orders]
    options: dict[str, OptionDecl]
    constraints: tuple[Expr, ...]
    cells: dict[str, Cell]
    zones: dict[str, Zone]
    functions: dict[str, Function]
    blocks: tuple[Block, ...]
    nodes: tuple[Node, ...]
    entry: int
    deal_nodes: frozenset[int]
    deal_end: int
    outcome: Expr
    gain: Expr
    loss: Expr
    live: tuple[frozenset[str], ...]  # per node: the cells that are not DECLARED and live there
    properties: tuple[Property, ...]
    citations: dict[tuple[str, int], tuple[str, ...]]  # (file, line) -> places cited on that line

    def cell_slots(self) -> int:
        return sum(slot_count(c.index) for c in self.cells.values())

    def zone_slots(self) -> int:
        return sum(slot_count(z.index) for z in self.zones.values())


def slot_count(index: Type | None) -> int:
    """How many slots a family with this index has."""
    return 1 if index is None else len(element_indices(index))
