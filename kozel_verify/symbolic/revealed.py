"""The cards whose faces a step tells to each seat, as masks.

In: an edge of a ``FaceSystem``. Out: for each seat the set of cards that its moves, draws and shows tell it, on the
way to wherever the step ends, and those in zones of which it becomes a viewer. Trusted: nothing; compared with the
events of the reference.
"""

from collections.abc import Iterator

from kozel_verify.model.core import Announce, Assign, Draw, Gather, Move, Show, ZoneRef
from kozel_verify.model.types import CardType
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Release
from kozel_verify.symbolic.evaluate import SymState
from kozel_verify.symbolic.faces_sets import FaceEvaluator, mask_of
from kozel_verify.symbolic.peeking_twins import sees, slots
from kozel_verify.symbolic.system import Transition
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import SymSet, SymValue


def revealed(transition: Transition) -> tuple[SymValue, ...]:
    """See the module."""
    evaluator = transition.stepper.evaluator
    assert isinstance(evaluator, FaceEvaluator)
    game = evaluator.game
    cards = CardType(len(game.deck))
    told = [[FALSE] * len(game.deck) for _ in range(game.seats)]
    for release in transition.edge.releases:
        evaluator.under = release.path  # off the path, what lies in the zones is not known to fit together
        for seat, bits in enumerate(told):
            for learns, shown in _learns(transition, release, seat):
                for card, bit in enumerate(mask_of(shown).bits):
                    bits[card] = t.or_(bits[card], t.and_(release.path, learns, bit))
    evaluator.under = TRUE
    evaluator.take_obligations()  # those of the edge itself: they are assumed of the step
    return tuple(evaluator.known(SymSet(evaluator.codec, cards, tuple(bits))) for bits in told)


def _learns(transition: Transition, release: Release, seat: int) -> Iterator[tuple[Term, SymValue]]:
    """Sets of cards, each with when the release, where it happens, tells the seat their faces."""
    match release.effect:
        case Show():
            assert isinstance(release.to, SymSet)
            yield release.to.bit(seat), release.value
        case Move(source=source, target=target) | Draw(source=source, target=target):
            ends = ((source, release.before), (target, release.after))
            looks = (look for ref, state in ends for look in _looks(transition, ref, release, state, seat))
            yield t.or_(*(t.and_(condition, seen) for condition, seen in looks)), release.value
        case Assign():
            yield from _uncovered(transition, release, seat)
        case Gather() | Announce():
            pass


def _uncovered(transition: Transition, release: Release, seat: int) -> Iterator[tuple[Term, SymValue]]:
    """What lies in each zone that the seat may come to see."""
    stepper = transition.stepper
    for slot in slots(stepper.game):
        if slot.part.zone:
            before, after = (
                sees(stepper.evaluator, slot, seat, stepper.scope(state)) for state in (release.before, release.after)
            )
            yield t.and_(after, t.not_(before)), release.after.zones[slot.part.slot]


def _looks(
    transition: Transition, ref: ZoneRef, release: Release, state: SymState, seat: int
) -> Iterator[tuple[Term, Term]]:
    """For each slot that the zone may be: whether it is an end of the move, and whether the seat sees into it."""
    stepper = transition.stepper
    family, before = stepper.game.zones[ref.zone], stepper.scope(release.before)
    known = {s.part.slot: s for s in slots(stepper.game) if s.part.zone}
    for slot, condition in stepper.evaluator.slots_of(family, ref.index, before, release.effect.span):
        yield condition, sees(stepper.evaluator, known[slot], seat, stepper.scope(state))
