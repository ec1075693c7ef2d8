"""Toys with one fault each, planted in the hand-built core."""

from dataclasses import replace

from kozel_verify.model.core import (
    Ask,
    Assign,
    Bind,
    Binding,
    Block,
    Branch,
    Call,
    Const,
    Expr,
    Game,
    Local,
    Measure,
    Move,
    ZoneRef,
)
from kozel_verify.model.types import BOOL
from tests.support.toy import ASKED, CARD, CARDS, LEAD, LEADER, cell, op, size, suit, toy_game


def _with_block(number: int, block: Block) -> Game:
    game = toy_game()
    blocks = list(game.blocks)
    blocks[number] = block
    return replace(game, blocks=tuple(blocks))


def card_kept() -> Game:
    """Card 0 stays in the hand of who discards it: hands become unequal, which is called dead."""
    reply = op("without", cell("reply", CARDS), Const(0b1, CARDS), type=CARDS)
    move = Move(reply, ZoneRef("hand", ASKED), ZoneRef("won", LEADER))
    return _with_block(6, replace(toy_game().blocks[6], effects=(move,)))


def deals_again() -> Game:
    """When all seats have their cards the deal looks for one more seat, and finds none."""
    return _with_block(12, Block((), Branch(Const(False, BOOL), 12, 2)))


def no_lead() -> Game:
    """No lead is ever legal."""
    game = toy_game()
    ask = game.nodes[LEAD]
    assert isinstance(ask, Ask)
    silent = replace(ask, verbs=(replace(ask.verbs[0], guard=Const(False, BOOL)),))
    return replace(game, nodes=(*game.nodes[:LEAD], silent, *game.nodes[LEAD + 1 :]))


def captures_by(body: Expr) -> Game:
    """The toy with another body for ``captures(r, g)``."""
    game = toy_game()
    captures = replace(game.functions["captures"], body=body)
    return replace(game, functions={**game.functions, "captures": captures})


def covering() -> Game:
    """A reply captures when each card to beat is beaten by some card of it, perhaps by the same one."""
    x, y, g, r = Local("x", CARD), Local("y", CARD), Local("g", CARDS), Local("r", CARDS)
    some = Bind(Binding.SOME, "x", r, Call("beats", (x, y), BOOL), BOOL)
    return captures_by(op("and", op("==", size(r), size(g)), Bind(Binding.EVERY, "y", g, some, BOOL)))


def open_hands() -> Game:
    """Everybody sees the hands."""
    game = toy_game()
    hand = replace(game.zones["hand"], seen=game.zones["table"].seen)
    return replace(game, zones={**game.zones, "hand": hand})


def idle_measure() -> Game:
    """The measure does not fall while cards are dealt."""
    game = toy_game()
    hands = Measure("progress", (size(Const(0b1, CARDS)),))
    return replace(game, properties=tuple(hands if isinstance(p, Measure) else p for p in game.properties))


def turned_stays() -> Game:
    """No fault: the card turned for trumps stays on the table, so that a deck alone says what is dealt."""
    turned = Assign("trump", None, suit(cell("turned", CARD)))
    remaining = toy_game().blocks[1].effects[2]
    return _with_block(1, Block((turned, remaining), toy_game().blocks[1].end))
