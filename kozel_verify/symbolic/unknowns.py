"""Unknowns of the counter abstraction, and the laws that hold of them.

In: a game. Out: an evaluator that can introduce unknown truth values, cards and sets of cards (a number for each
measure), with the facts that hold of any of them; see ``counting`` for the meaning of the facts and why they are sound.
"""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Self

from kozel_verify.model.core import Game
from kozel_verify.model.types import CardType, SetType, Type, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Evaluator, Identity, card_set
from kozel_verify.symbolic.measures import Measures, measures_of
from kozel_verify.symbolic.terms import TRUE, Term
from kozel_verify.symbolic.values import Counted, SymSet, SymValue, merge_all


class Unknowns(Evaluator):
    """An evaluator whose sets of cards are ``Counted``. ``facts`` grows with the unknowns that are introduced."""

    def __init__(self, game: Game, measures: Measures | None = None) -> None:
        super().__init__(game)
        known = measures or measures_of(game)
        self.measures, self.sums, self.named = known.tables, known.sums, known.cards
        self.facts: dict[Term, None] = {}
        self._unknowns: dict[Identity, tuple[SymValue, object]] = {}
        self._count = 0

    def fork(self) -> Self:
        """An evaluator that knows what this one knows; what either evaluates from now on, the other does not see."""
        twin = copy(self)
        twin.obligations, twin._calls = [], dict(self._calls)
        twin.facts, twin._unknowns = dict(self.facts), dict(self._unknowns)
        return twin

    # --- unknowns

    def assume(self, *facts: Term) -> None:
        """Add facts about sets that exist where ``under`` holds."""
        for fact in facts:
            guarded = t.implies(self.under, fact)
            if guarded is not TRUE:
                self.facts[guarded] = None

    def _name(self, kind: str) -> str:
        self._count += 1
        return f"{kind}#{self._count}"

    def _truth(self, kind: str, *about: object) -> Term:
        """An unknown truth value, the same for the same things."""
        memo: Identity = (kind, *about)
        if memo not in self._unknowns:
            self._unknowns[memo] = t.variable(self._name(kind), t.BOOL), about
        value = self._unknowns[memo][0]
        assert isinstance(value, Term)
        return value

    def _card(self, kind: str, type_: Type, *about: object) -> Term:
        """An unknown card (or other element), the same for the same things."""
        memo: Identity = (kind, *about)
        if memo not in self._unknowns:
            term = t.variable(self._name(kind), self.codec.width(type_))
            self.assume(self.codec.valid(type_, term))
            self._unknowns[memo] = term, about
        value = self._unknowns[memo][0]
        assert isinstance(value, Term)
        return value

    def unknown_set(self, name: str) -> Counted:
        """Any set of cards of the pack."""
        measures = tuple(t.variable(f"{name}/{m}", t.INT) for m in range(len(self.measures)))
        key = t.key("set", payload=name)
        self.assume(*self.laws(measures))
        return Counted(measures, key, frozenset({key}))

    def unknown_part(self, name: str, whole: Counted) -> Counted:
        """Any part of a set."""
        part = self.unknown_set(name)
        self.assume(*(t.le(p, w) for p, w in zip(part.measures, whole.measures, strict=True)))
        return replace(part, within=part.within | whole.within | {whole.key}, home=whole.home)

    def laws(self, measures: Sequence[Term]) -> list[Term]:
        """What holds of the measures of any set of cards of the pack."""
        size = measures[0]
        laws = [t.le(t.integer(0), size)]
        for weights, measure in zip(self.measures, measures, strict=True):
            held = [w for c, w in enumerate(weights) if self.game.pack >> c & 1]
            laws.append(t.le(measure, t.integer(sum(held))))
            if measure is not size:
                laws.append(t.le(t.mul(t.integer(min(held)), size), measure))
                laws.append(t.le(measure, t.mul(t.integer(max(held)), size)))
        return laws

    def weight(self, measure: int, card: Term) -> Term:
        """The weight of one card."""
        groups: dict[int, list[Term]] = {}
        for c, w in enumerate(self.measures[measure]):
            groups.setdefault(w, []).append(t.eq(card, self.codec.element(CardType(len(self.game.deck)), c)))
        value = merge_all([(t.or_(*cs), t.integer(w)) for w, cs in groups.items()])
        assert isinstance(value, Term)
        return value

    # --- sets whose elements are known

    def known(self, cards: SymSet) -> Counted:
        """A set in its exact form, with its measures."""
        elements = cards.elements()
        measures = []
        for m in range(len(self.measures)):
            weights = [self.weight(m, e) for _, e in elements]
            measures.append(t.add(*(t.ite(p, w, t.integer(0)) for (p, _), w in zip(elements, weights, strict=True))))
        flat = [term for slot in elements for term in slot]
        key = t.key("known", *flat)
        return Counted(tuple(measures), key, frozenset({key}), None, cards)

    def constant(self, value: Value, type_: Type) -> SymValue:
        exact = super().constant(value, type_)
        return self.known(exact) if card_set(type_) and isinstance(exact, SymSet) else exact

    def empty(self, cards: Counted) -> Term:
        return t.eq(cards.measures[0], t.integer(0))

    def _part(self, kind: str, whole: Counted, *about: object) -> Counted:
        memo: Identity = (kind, *about)
        if memo not in self._unknowns:
            self._unknowns[memo] = self.unknown_part(self._name(kind), whole), about
        value = self._unknowns[memo][0]
        assert isinstance(value, Counted)
        return value


class Same:
    """An object that equals itself alone, and keeps it alive."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.thing is other.thing

    def __hash__(self) -> int:
        return id(self.thing)


def card_type(game: Game) -> CardType:
    return CardType(len(game.deck))


def cards_type(game: Game) -> Type:
    return SetType(card_type(game))
