"""Cells that nobody has named and that still are what they were copied from.

A loop over seats keeps the seat that it began with in such a cell. In go a game; out comes for each node that a cell
equals another one: whenever play waits there a step has made it a copy, and none since then has assigned to either.
Trusted: that all assignments are seen here. A cell that does not live at a node is not spoken of.
"""

from kozel_verify.model.core import Apply, Arrive, Ask, Assign, Block, CellKind, CellRead, Draw, Expr, Game, Node
from kozel_verify.model.graph import node_exits, successors
from kozel_verify.model.types import BOOL
from kozel_verify.symbolic.cases import Known

Copies = frozenset[tuple[str, str]]  # the copy, and the cell that it was made of


def copies(game: Game) -> Known:
    """What is equal at each node."""
    blocks: dict[int, Copies] = {game.entry: frozenset()}
    nodes: dict[int, Copies] = {}
    waiting = [game.entry]
    while waiting:
        number = waiting.pop()
        block = game.blocks[number]
        after = _after(game, block, blocks[number])
        ways = [(target, after) for target in successors(block)]
        if isinstance(block.end, Arrive) and _met(nodes, block.end.node, after):
            node = game.nodes[block.end.node]
            ways += [(target, _without(nodes[block.end.node], _chosen(node))) for target in node_exits(node)]
        waiting += [target for target, known in ways if _met(blocks, target, known)]
    return {
        n: tuple(_equal(game, *pair) for pair in sorted(found) if _live(game, n, pair)) for n, found in nodes.items()
    }


def _met(table: dict[int, Copies], key: int, known: Copies) -> bool:
    """Is less known there than was thought?"""
    old = table.get(key)
    table[key] = known if old is None else old & known
    return table[key] != old


def _after(game: Game, block: Block, known: Copies) -> Copies:
    for effect in block.effects:
        if isinstance(effect, Assign):
            known = _without(known, {effect.cell})
            value = effect.value
            if isinstance(value, CellRead) and value.index is None and _may_copy(game, effect, value):
                known |= {(effect.cell, value.cell)}
    return known


def _may_copy(game: Game, effect: Assign, value: CellRead) -> bool:
    """Is it a whole cell that nobody has named, and another one of the same type?"""
    cell, source = game.cells[effect.cell], game.cells[value.cell]
    return cell.kind is CellKind.LET and effect.index is None and cell.type == source.type and cell is not source


def _without(known: Copies, written: set[str]) -> Copies:
    return frozenset(pair for pair in known if not written & set(pair))


def _chosen(node: Node) -> set[str]:
    """The cells that are written when play goes on at a node."""
    match node:
        case Ask(_, _, _, verbs):
            return {p.cell for v in verbs for p in v.parameters}
        case Draw(cell=cell):
            return set() if cell is None else {cell}
        case _:
            return set()


def _live(game: Game, node: int, pair: tuple[str, str]) -> bool:
    return all(game.cells[name].kind is CellKind.DECLARED or name in game.live[node] for name in pair)


def _equal(game: Game, copy: str, source: str) -> Expr:
    types = game.cells[copy].type
    return Apply("==", (CellRead(copy, None, types), CellRead(source, None, types)), BOOL)
