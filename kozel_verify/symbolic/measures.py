"""Additive measures: what can be counted about a set of cards without knowing its faces.

In: a game. Out: its tables of weights, a natural for each card: 1 for every card (so a set measures its size); each
table w of a ``sum c in Z of w(c)`` in the game whose body depends on the card alone (sums with equal tables are one
measure); and, if they are few, each card that the rules name (a zone measures 1 if it has it, else 0). Trusted:
nothing; the tables are read off the symbolic meaning of the bodies.
"""

from dataclasses import dataclass

from kozel_verify.model.core import Bind, Binding, Const, Game
from kozel_verify.model.types import CardType, SetType
from kozel_verify.model.walk import subexpressions
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState, card_set
from kozel_verify.symbolic.terms import TRUE
from kozel_verify.symbolic.walk import closed, expressions

FEW = 4

Weights = tuple[int, ...]  # for each card of the deck


@dataclass(frozen=True, slots=True)
class Measures:
    """The tables of weights of a game, the size first; which sum measures by which (by the expression's id), and which
    card."""

    tables: tuple[Weights, ...]
    sums: dict[int, int]
    cards: dict[int, int]


def measures_of(game: Game) -> Measures:
    """All sums over sets of cards whose body depends on the card alone, and the named cards."""
    evaluator = Evaluator(game)
    tables: dict[Weights, int] = {(1,) * len(game.deck): 0}
    sums: dict[int, int] = {}
    for outer in expressions(game):
        for expr in subexpressions(outer):
            if isinstance(expr, Bind) and expr.binding is Binding.SUM and card_set(expr.domain.type):
                weights = _weights(evaluator, expr)
                if weights is not None:
                    sums[id(expr)] = tables.setdefault(weights, len(tables))
    named: dict[int, int] = {}
    for card in named_cards(game):
        named[card] = tables.setdefault(tuple(int(c == card) for c in range(len(game.deck))), len(tables))
    return Measures(tuple(tables), sums, named)


def named_cards(game: Game) -> list[int]:
    """The cards that the rules and the claims about states name, ascending; none when they are more than ``FEW``. (A
    claim about steps does not change what is counted in all the other proofs.)"""
    found: set[int] = set()
    for outer in expressions(game, steps=False):
        for expr in subexpressions(outer):
            match expr:
                case Const(value, CardType()) if value is not None:
                    found.add(int(value))
                case Const(value, SetType(CardType())) if value is not None and int(value).bit_count() == 1:
                    found.add(int(value).bit_length() - 1)
                case _:
                    pass
    return sorted(found) if len(found) <= FEW else []


def _weights(evaluator: Evaluator, expr: Bind) -> Weights | None:
    """The body's value for each card, when it reads nothing else and is defined."""
    if not closed(evaluator.game, expr.body, frozenset({expr.variable})):
        return None
    nowhere, type_ = Scope(SymState((), ()), {}), CardType(len(evaluator.game.deck))
    weights = []
    for card in range(type_.count):
        value = evaluator.term(expr.body, nowhere.bind(**{expr.variable: evaluator.codec.element(type_, card)}))
        weights.append(t.constant(value))
    defined = all(o.formula() is TRUE for o in evaluator.take_obligations())
    known = [int(w) for w in weights if w is not None]
    return tuple(known) if defined and len(known) == type_.count else None
