"""The expressions of a game's rules, without those of its claims."""

from collections.abc import Iterator

from kozel_verify.model.core import Branch, Expr, Game
from kozel_verify.model.graph import effect_parts, node_parts


def rule_expressions(game: Game) -> Iterator[Expr]:
    """All outermost expressions that play comes to: of nodes, blocks, visibility and results."""
    for block in game.blocks:
        for effect in block.effects:
            yield from effect_parts(effect)
        if isinstance(block.end, Branch):
            yield block.end.condition
    for node in game.nodes:
        yield from node_parts(node)
    yield from (cell.seen.seats for cell in game.cells.values())
    yield from (zone.seen.seats for zone in game.zones.values())
    yield from (game.outcome, game.gain, game.loss)
