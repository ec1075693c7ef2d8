"""Walks over the expressions of a game."""

from collections.abc import Iterator

from kozel_verify.model.core import (
    Announce,
    Ask,
    Assign,
    Bind,
    Block,
    Branch,
    Call,
    CellRead,
    Expr,
    First,
    Game,
    Local,
    Matching,
    Measure,
    MenuClaim,
    Move,
    OptionRead,
    Show,
    StateClaim,
    StepClaim,
    ZoneRead,
)
from kozel_verify.model.walk import children


def expressions(game: Game, steps: bool = True) -> Iterator[Expr]:
    """The outermost expressions of the rules and of the claims about play, in a fixed order; the claims about steps and
    about what may be chosen can be left out."""
    for function in game.functions.values():
        yield function.body
    for block in game.blocks:
        yield from _of_block(block)
    for node in game.nodes:
        if isinstance(node, Ask):
            yield node.seat
            for verb in node.verbs:
                yield verb.guard
                yield from (p.domain for p in verb.parameters)
    for claim in game.properties:
        if isinstance(claim, StateClaim) or (steps and isinstance(claim, StepClaim | MenuClaim)):
            yield claim.statement
        elif isinstance(claim, Measure):
            yield from claim.values
    yield from (game.outcome, game.gain, game.loss)


def _of_block(block: Block) -> Iterator[Expr]:
    for effect in block.effects:
        match effect:
            case Assign(_, _, value) | Announce(value):
                yield value
            case Move(cards) | Show(cards):
                yield cards
            case _:
                pass
    if isinstance(block.end, Branch):
        yield block.end.condition


def closed(game: Game, expr: Expr, names: frozenset[str] = frozenset()) -> bool:
    """Does the expression read nothing but the local variables ``names``: no cell, zone or option?"""
    match expr:
        case Local(name):
            return name in names
        case CellRead() | ZoneRead() | OptionRead():
            return False
        case Bind(_, variable, domain, body):
            return closed(game, domain, names) and closed(game, body, names | {variable})
        case First(variable, domain, start, _, body):
            outer = closed(game, domain, names) and closed(game, start, names)
            return outer and closed(game, body, names | {variable})
        case Matching(targets, replies, target, reply, body):
            outer = closed(game, targets, names) and closed(game, replies, names)
            return outer and closed(game, body, names | {target, reply})
        case Call(name, args):
            function = game.functions[name]
            inner = closed(game, function.body, frozenset(p.name for p in function.parameters))
            return inner and all(closed(game, a, names) for a in args)
        case _:
            return all(closed(game, c, names) for c in children(expr))
