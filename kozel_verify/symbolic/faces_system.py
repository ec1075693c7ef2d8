"""The transition system of a game with masks: all its edges over unknown places of cards.

In: a game, and values for the options that are to be constants. Out: the states and edges of ``CountingSystem``, with
the mask of every set beside its measures. Each card of the pack has one unknown place, so the zones of a state are a
partition of the pack by construction; this is no assumption, since a card of a real state has one place. Further:
``instances`` of proved lemmas about the matchings that an edge and its claims use.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from kozel_verify.model.core import Game, Lemma, Matching
from kozel_verify.model.types import CardType
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Stepper
from kozel_verify.symbolic.evaluate import Scope, SymState, card_set
from kozel_verify.symbolic.exact import unknown_options
from kozel_verify.symbolic.faces_sets import Application, FaceEvaluator, mask_of
from kozel_verify.symbolic.system import CountingSystem, Place, Transition, cell_types, conserved
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import Counted, SymSet, SymValue, bits_for


class FaceSystem(CountingSystem):
    """See the module. ``fixed`` options are constants, all others unknown."""

    def place(self, node: int) -> Place:
        """Any real state at a node: a place for each card, and the measures of each zone."""
        evaluator = FaceEvaluator(self.game, self.measures)
        options, constraints = unknown_options(evaluator, self.fixed)
        cells: list[SymValue] = []
        valid: list[Term] = []
        for slot, (type_, initial, live) in enumerate(cell_types(self.game, node)):
            value, laws = self._cell(evaluator, slot, type_, initial, live)
            cells.append(value)
            valid.extend(laws)
        zones, placed = self._zones(evaluator)
        state = SymState(tuple(cells), zones)
        return Place(
            node,
            Stepper(evaluator, options),
            state,
            (*constraints, *valid, *placed, *conserved(evaluator, state)),
        )

    def _zones(self, evaluator: FaceEvaluator) -> tuple[tuple[SymValue, ...], list[Term]]:
        cards, slots = range(len(self.game.deck)), self.game.zone_slots()
        width = bits_for(slots)
        places = {c: t.variable(f"place:{c}", width) for c in cards if self.game.pack >> c & 1}
        zones: list[SymValue] = []
        for slot in range(slots):
            here = t.vector(slot, width)
            bits = tuple(t.eq(places[c], here) if c in places else t.FALSE for c in cards)
            zones.append(evaluator.masked(f"zone:{slot}", SymSet(evaluator.codec, CardType(len(cards)), bits)))
        bound = t.vector(slots, width) if slots < 1 << width else None
        return tuple(zones), [t.ult(p, bound) for p in places.values()] if bound is not None else []

    def begin(self) -> Transition:
        """The match's beginning."""
        evaluator = FaceEvaluator(self.game, self.measures)
        options, constraints = unknown_options(evaluator, self.fixed)
        stepper = Stepper(evaluator, options)
        return Transition("begin", None, stepper, constraints, stepper.begin())


# --- lemmas about matchings ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pattern:
    """A matching that occurs in a lemma, between two of its parameters."""

    matching: Matching
    targets: str
    replies: str


@dataclass(frozen=True, slots=True)
class Usable:
    """A lemma, and the matchings by which the sets that it may be applied to are found."""

    lemma: Lemma
    patterns: tuple[Pattern, ...]


Chosen = dict[str, Counted]


def usable(game: Game, lemmas: Iterable[Lemma]) -> tuple[Usable, ...]:
    """The lemmas that ``instances`` can apply: all parameters are sets of cards, and the matchings between them bind
    all of them. What is applied must be proved: that is the caller's part."""
    about_groups = [p for p in lemmas if p.parameters and all(card_set(q.type) for q in p.parameters)]
    system = FaceSystem(game) if about_groups else None
    found = [Usable(p, _patterns(system, p)) for p in about_groups if system is not None]
    return tuple(u for u in found if u.patterns)


def instances(lemmas: Sequence[Usable], transition: Transition) -> list[Term]:
    """What proved lemmas say about the matchings that have been used so far on an edge.

    The patterns of each lemma are looked for among the matchings used, in all ways; cells are read in the edge's first
    state.
    """
    return [] if transition.place is None else instances_at(lemmas, transition.place)


def closer_look(lemmas: Sequence[Usable], place: Place) -> list[Term]:
    """Facts for a second try, when a claim is left open: the instances of lemmas, and how sets and their parts measure
    up."""
    evaluator = place.stepper.evaluator
    assert isinstance(evaluator, FaceEvaluator)
    learned = instances_at(lemmas, place)
    return learned + evaluator.closer()


def instances_at(lemmas: Sequence[Usable], place: Place) -> list[Term]:
    """What proved lemmas say about the matchings that have been used so far with a place's evaluator."""
    evaluator, found = place.stepper.evaluator, dict[Term, None]()
    assert isinstance(evaluator, FaceEvaluator)
    used = tuple(evaluator.applications)
    evaluator.under = t.TRUE
    for use in lemmas:
        for chosen in _matches(use.patterns, {}, used):
            found[_instance(use.lemma, chosen, place)] = None
    return list(found)


def _patterns(system: FaceSystem, lemma: Lemma) -> tuple[Pattern, ...]:
    """The first matchings of the lemma's statement that bind all its parameters; none if they do not."""
    place = system.place(0)
    evaluator = place.stepper.evaluator
    assert isinstance(evaluator, FaceEvaluator)
    sets = {p.name: evaluator.unknown_set(f"parameter:{p.name}") for p in lemma.parameters}
    evaluator.truth(lemma.statement, place.scope.bind(**sets))
    names = {mask_of(s).bits: name for name, s in sets.items()}
    patterns: list[Pattern] = []
    missing = set(sets)
    for a in evaluator.applications:
        targets, replies = names.get(mask_of(a.targets).bits), names.get(mask_of(a.replies).bits)
        if missing and targets is not None and replies is not None:
            patterns.append(Pattern(a.matching, targets, replies))
            missing -= {targets, replies}
    return () if missing else tuple(patterns)


def _matches(patterns: Sequence[Pattern], chosen: Chosen, used: Sequence[Application]) -> Iterator[Chosen]:
    """All ways to find the patterns among the used matchings."""
    if not patterns:
        if chosen:
            yield chosen
        return
    first, rest = patterns[0], patterns[1:]
    for a in used:
        if a.matching == first.matching:
            new = _bound(_bound(chosen, first.targets, a.targets), first.replies, a.replies)
            if new is not None:
                yield from _matches(rest, new, used)


def _bound(chosen: Chosen | None, name: str, cards: Counted) -> Chosen | None:
    """The choice with one more parameter, unless that is another set already."""
    if chosen is None or (name in chosen and mask_of(chosen[name]).bits != mask_of(cards).bits):
        return None
    return {**chosen, name: chosen.get(name, cards)}


def _instance(lemma: Lemma, chosen: Chosen, place: Place) -> Term:
    """The lemma for these sets, where they are in its parameters' domains."""
    evaluator, scope = place.stepper.evaluator, place.scope
    fits = t.TRUE
    for p in lemma.parameters:
        fits = t.and_(fits, place.stepper.fits(p, chosen[p.name], scope))
        scope = Scope(scope.state, scope.options, {**scope.locals, p.name: chosen[p.name]})
    evaluator.take_obligations()
    holds = evaluator.truth(lemma.statement, scope)
    defined = t.and_(*(o.formula() for o in evaluator.take_obligations()))
    return t.implies(t.and_(fits, defined), holds)
