"""The expressions of a game's rules, without those of its claims."""

from collections.abc import Iterator

from kozel_verify.model.core import (
    Announce,
    Ask,
    Assign,
    Block,
    Branch,
    Draw,
    Effect,
    Expr,
    Game,
    Gather,
    Move,
    Node,
    Show,
    ZoneRef,
)


def rule_expressions(game: Game) -> Iterator[Expr]:
    """All outermost expressions that play comes to: of nodes, blocks, visibility and results."""
    for block in game.blocks:
        yield from block_expressions(block)
    for node in game.nodes:
        yield from node_expressions(node)
    yield from (cell.seen.seats for cell in game.cells.values())
    yield from (zone.seen.seats for zone in game.zones.values())
    yield from (game.outcome, game.gain, game.loss)


def node_expressions(node: Node) -> Iterator[Expr]:
    match node:
        case Ask(_, seat, _, verbs):
            yield seat
            for verb in verbs:
                yield verb.guard
                yield from (e for p in verb.parameters for e in (p.domain, p.lo, p.hi) if e is not None)
        case Draw(_, source, target):
            yield from (*_index(source), *_index(target))
        case _:
            pass


def block_expressions(block: Block) -> Iterator[Expr]:
    for effect in block.effects:
        yield from effect_expressions(effect)
    if isinstance(block.end, Branch):
        yield block.end.condition


def effect_expressions(effect: Effect) -> Iterator[Expr]:
    match effect:
        case Assign(_, index, value):
            yield from (() if index is None else (index,))
            yield value
        case Move(cards, source, target):
            yield from (cards, *_index(source), *_index(target))
        case Gather(target):
            yield from _index(target)
        case Show(cards, to):
            yield from (cards, to)
        case Announce(value, to):
            yield from (value, to)


def _index(ref: ZoneRef) -> tuple[Expr, ...]:
    return () if ref.index is None else (ref.index,)
