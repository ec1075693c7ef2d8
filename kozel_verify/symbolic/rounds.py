"""Which nodes play may come back to: the order of the nodes of a game, as far as its graph has one.

In: a game and some of its nodes. Out: for each of them the nodes on a common cycle of the graph that these nodes make.
The graph has an edge for every way that the rules write down, whatever its conditions, so no play has more. A step
from a node to one that is on no cycle with it is never taken back: a number that falls with such steps is the place
of a node in the order of the graph without its cycles.
"""

from collections.abc import Collection

from kozel_verify.model.core import Game
from kozel_verify.model.graph import next_nodes, node_exits


def ways(game: Game, nodes: Collection[int]) -> dict[int, frozenset[int]]:
    """The nodes that may follow each node, of those that are given."""
    inside = frozenset(nodes)
    return {
        n: frozenset[int]().union(*(next_nodes(game.blocks, b) for b in node_exits(game.nodes[n]))) & inside
        for n in sorted(inside)
    }


def rounds(game: Game, nodes: Collection[int]) -> dict[int, frozenset[int]]:
    """For each node those on a cycle with it (itself too); none when play cannot come back to it."""
    edges = ways(game, nodes)
    after = {n: _after(edges, n) for n in edges}
    return {n: frozenset(m for m in after[n] if n in after[m]) for n in edges}


def _after(edges: dict[int, frozenset[int]], start: int) -> frozenset[int]:
    """The nodes to which there is a way of one step or more."""
    found, todo = set[int](), list(edges[start])
    while todo:
        node = todo.pop()
        if node not in found:
            found.add(node)
            todo.extend(edges[node])
    return frozenset(found)
