"""The cards whose faces a step tells to each seat, as masks.

In: an edge of a ``FaceSystem``. Out: for each seat the set of cards that its moves, draws and shows tell it, on the
way to wherever the step ends. ``None`` where the rules can make a seat a viewer of a zone in play: what is uncovered is
not followed here. Trusted: nothing; compared with the events of the reference.
"""

from collections.abc import Iterator

from kozel_verify.model.core import CellRead, Draw, Game, Move, Show, ZoneRead, ZoneRef
from kozel_verify.model.graph import walk
from kozel_verify.model.types import CardType
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Release
from kozel_verify.symbolic.evaluate import SymState
from kozel_verify.symbolic.faces_sets import FaceEvaluator, mask_of
from kozel_verify.symbolic.peeking_twins import sees, slots
from kozel_verify.symbolic.system import Transition
from kozel_verify.symbolic.terms import FALSE, Term
from kozel_verify.symbolic.values import SymSet, SymValue


def fixed_viewers(game: Game) -> bool:
    """Do the options alone decide who sees each zone?"""
    seen = (part for zone in game.zones.values() for part in walk(zone.seen.seats, game.functions))
    return not any(isinstance(part, CellRead | ZoneRead) for part in seen)


def revealed(transition: Transition) -> tuple[SymValue, ...] | None:
    """See the module."""
    evaluator = transition.stepper.evaluator
    assert isinstance(evaluator, FaceEvaluator)
    game = evaluator.game
    if not fixed_viewers(game):
        return None
    cards = CardType(len(game.deck))
    told = [[FALSE] * len(game.deck) for _ in range(game.seats)]
    for release in transition.edge.releases:
        if isinstance(release.effect, Move | Draw | Show):
            for seat, bits in enumerate(told):
                learns = t.and_(release.path, _learns(transition, release, seat))
                for card, bit in enumerate(mask_of(release.value).bits):
                    bits[card] = t.or_(bits[card], t.and_(learns, bit))
    evaluator.take_obligations()  # those of the edge itself: they are assumed of the step
    return tuple(evaluator.known(SymSet(evaluator.codec, cards, tuple(bits))) for bits in told)


def _learns(transition: Transition, release: Release, seat: int) -> Term:
    """Is the release, where it happens, one that tells the seat the faces?"""
    if isinstance(release.effect, Show):
        assert isinstance(release.to, SymSet)
        return release.to.bit(seat)
    assert isinstance(release.effect, Move | Draw)
    ends = ((release.effect.source, release.before), (release.effect.target, release.after))
    return t.or_(
        *(
            t.and_(condition, seen)
            for ref, state in ends
            for condition, seen in _looks(transition, ref, release, state, seat)
        )
    )


def _looks(
    transition: Transition, ref: ZoneRef, release: Release, state: SymState, seat: int
) -> Iterator[tuple[Term, Term]]:
    """For each slot that the zone may be: whether it is an end of the move, and whether the seat sees into it."""
    stepper = transition.stepper
    family, before = stepper.game.zones[ref.zone], stepper.scope(release.before)
    known = {s.part.slot: s for s in slots(stepper.game) if s.part.zone}
    for slot, condition in stepper.evaluator.slots_of(family, ref.index, before, release.effect.span):
        yield condition, sees(stepper.evaluator, known[slot], seat, stepper.scope(state))
