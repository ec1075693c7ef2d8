"""Counters that a game does not have: how often each question has been asked in the deal that is being played.

In: a game. Out: the same game with one more cell for each word that names questions of the deal, set to zero wherever
play comes from outside the deal, and raised by one whenever play arrives at such a question. A deal is over at the node
that ends it, or when it is cut short: when a step leads from one of its nodes to another one outside (the end of the
match, say). Each node at which a deal may be cut short has a copy for this, so that the counters can be told there.
Menus, effects and outcomes are those of the game, so what is proved of the counters in the longer game is true of the
runs of the game. Trusted: the few lines below, which are compared with counts of plays by tests.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from kozel_verify.model.core import (
    Apply,
    Arrive,
    Ask,
    Assign,
    Block,
    Branch,
    Cell,
    CellKind,
    CellRead,
    Const,
    Dead,
    Draw,
    Effect,
    End,
    Game,
    Jump,
    Node,
    Rest,
    Terminator,
    Visibility,
)
from kozel_verify.model.graph import next_nodes, node_exits
from kozel_verify.model.types import NAT, SeatType, SetType, Value
from kozel_verify.symbolic.exact import PlainState, Reached


@dataclass(frozen=True, slots=True)
class Ghosts:
    """``cells``: for each word that ends the name of a question of the deal, the name of its counter in ``game``.
    ``nodes``: for each node of the deal that is a question, its word. ``cut``: for each node at which a deal may be cut
    short, its copy in ``game``, to which a play that leaves the deal there comes instead."""

    game: Game
    cells: dict[str, str]
    nodes: dict[int, str]
    cut: dict[int, int]

    def over(self) -> tuple[int, ...]:
        """The nodes of ``game`` at which a deal is over."""
        return (self.game.deal_end, *self.cut.values())


def word(name: str) -> str:
    """The last word of a node's name."""
    return name.rsplit(".", 1)[-1].split("#")[0]


def with_counters(game: Game) -> Ghosts:
    """The game with its counters. Claims are left out: the caller adds those that it needs."""
    nodes = {n: word(node.name) for n, node in enumerate(game.nodes) if isinstance(node, Ask) and n in game.deal_nodes}
    cells = {w: f"{w} asked" for w in nodes.values()}  # no name of a spec has a space in it
    hidden = Visibility("", Const(0, SetType(SeatType(game.seats))))
    declared, base = dict(game.cells), game.cell_slots()
    for n, name in enumerate(cells.values()):
        declared[name] = Cell(name, NAT, None, 0, hidden, CellKind.DECLARED, base + n)
    blocks = [_counting(b, {n: cells[w] for n, w in nodes.items()}) for b in game.blocks]
    zeros = tuple(Assign(name, None, Const(0, NAT)) for name in cells.values())

    def reset(block: int) -> int:
        blocks.append(Block(zeros, Jump(block)))
        return len(blocks) - 1

    changed = [n if i in game.deal_nodes else _outside(n, reset) for i, n in enumerate(game.nodes)]
    entry = reset(game.entry)
    cut = {n: len(changed) + i for i, n in enumerate(_cut_short(game))}
    apart = _Apart(blocks, cut)
    changed = [apart.node(n) if i in game.deal_nodes else n for i, n in enumerate(changed)]
    changed += [changed[n] for n in cut]
    live = (*game.live, *(game.live[n] for n in cut))
    made = replace(game, cells=declared, nodes=tuple(changed), live=live, entry=entry, properties=(), citations={})
    return Ghosts(replace(made, blocks=tuple(blocks)), cells, nodes, cut)


def _cut_short(game: Game) -> list[int]:
    """The nodes outside of the deal, but for its end, to which a step may lead from a node of it."""
    exits = [b for n in game.deal_nodes for b in node_exits(game.nodes[n])]
    after = frozenset[int]().union(*(next_nodes(game.blocks, b) for b in exits))
    return sorted(after - game.deal_nodes - {game.deal_end})


class _Apart:
    """Adds copies of the blocks that lead from the deal to where it is cut short; they lead to the copies there."""

    def __init__(self, blocks: list[Block], cut: Mapping[int, int]) -> None:
        self.blocks, self.cut = blocks, cut
        self.copies: dict[int, int] = {}

    def node(self, node: Node) -> Node:
        match node:
            case Ask(verbs=verbs):
                return replace(node, verbs=tuple(replace(v, block=self.block(v.block)) for v in verbs))
            case Draw() | Rest():
                return replace(node, block=self.block(node.block))
            case End():
                return node

    def block(self, block: int) -> int:
        if not next_nodes(tuple(self.blocks), block) & self.cut.keys():
            return block
        if block not in self.copies:
            self.copies[block] = len(self.blocks)
            self.blocks.append(self.blocks[block])  # its place, for ways that come back to it
            self.blocks[self.copies[block]] = replace(self.blocks[block], end=self._end(self.blocks[block].end))
        return self.copies[block]

    def _end(self, end: Terminator) -> Terminator:
        match end:
            case Arrive(node):
                return Arrive(self.cut.get(node, node))
            case Jump(block):
                return Jump(self.block(block))
            case Branch(then=then, otherwise=otherwise):
                return replace(end, then=self.block(then), otherwise=self.block(otherwise))
            case Dead():
                return end


def _counting(block: Block, counters: Mapping[int, str]) -> Block:
    match block.end:
        case Arrive(node) if node in counters:
            read = CellRead(counters[node], None, NAT)
            more: Effect = Assign(counters[node], None, Apply("+", (read, Const(1, NAT)), NAT))
            return Block((*block.effects, more), block.end)
        case _:
            return block


def _outside(node: Node, reset: Callable[[int], int]) -> Node:
    """A node outside of the deal: whatever follows begins to count anew."""
    match node:
        case Ask(verbs=verbs):
            return replace(node, verbs=tuple(replace(v, block=reset(v.block)) for v in verbs))
        case Draw() | Rest():
            return replace(node, block=reset(node.block))
        case End():
            return node


def counted(ghosts: Ghosts, states: Sequence[PlainState], deal: frozenset[int]) -> list[Reached]:
    """The states of a play of the game as those of the longer game."""
    words = list(ghosts.cells)
    counts, found = dict.fromkeys(words, 0), list[Reached]()
    inside = False
    for state in states:
        if not inside:
            counts = dict.fromkeys(words, 0)
        if state.node in ghosts.nodes:
            counts[ghosts.nodes[state.node]] += 1
        node = ghosts.cut.get(state.node, state.node) if inside else state.node
        inside = state.node in deal
        cells: tuple[Value, ...] = (*state.cells, *counts.values())
        found.append(Reached(node, cells, state.place))
    return found
