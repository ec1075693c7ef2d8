"""Matchings as formulas: can each target be given its own reply?

In: which targets and replies are there, and which pairs fit. Out: one Boolean term. Two forms, which tests compare: for
few replies the disjunction over all ways to give replies out; else Hall's condition, that each set of targets has
together at least as many fitting replies.
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import Slot, SymSet

FEW = 5  # replies up to which the ways are written out
SPARE = 2  # slots beyond the limit that are cheaper to keep than to sort out


def assignments(targets: Sequence[Term], replies: Sequence[Term], fits: Sequence[Sequence[Term]]) -> Term:
    """The disjunction over all ways to give each target that is there its own reply that is there.

    ``fits[i][j]``: may reply ``j`` be given to target ``i``?
    """

    @cache
    def from_target(i: int, used: frozenset[int]) -> Term:
        if i == len(targets):
            return TRUE
        ways = [
            t.and_(replies[j], fits[i][j], from_target(i + 1, used | {j})) for j in range(len(replies)) if j not in used
        ]
        return t.ite(targets[i], t.or_(*ways), from_target(i + 1, used))

    return from_target(0, frozenset())


def hall(targets: Sequence[Term], replies: Sequence[Term], fits: Sequence[Sequence[Term]]) -> Term:
    """Hall's condition: every set of targets that are there has at least as many fitting replies that are there."""
    conditions = []
    for k in range(1, len(targets) + 1):
        for group in combinations(range(len(targets)), k):
            there = t.and_(*(targets[i] for i in group))
            if there is not FALSE:
                useful = [t.and_(replies[j], t.or_(*(fits[i][j] for i in group))) for j in range(len(replies))]
                conditions.append(t.implies(there, at_least(k, useful)))
    return t.and_(*conditions)


def at_least(k: int, bits: Sequence[Term]) -> Term:
    """Do at least ``k`` of the Booleans hold?"""
    reached = [TRUE] + [FALSE] * k  # reached[n]: at least n of those before
    for b in bits:
        for n in range(k, 0, -1):
            reached[n] = t.or_(reached[n], t.and_(reached[n - 1], b))
    return reached[k]


def matching(targets: Sequence[Term], replies: Sequence[Term], fits: Sequence[Sequence[Term]]) -> Term:
    """The shorter of the two forms."""
    return (assignments if len(replies) <= FEW else hall)(targets, replies, fits)


def as_slots(cards: SymSet, limit: int) -> tuple[list[Slot], Term]:
    """The elements as about ``limit`` slots (ascending, where the set was a mask), and whether that is all of them."""
    elements = [e for e in cards.elements() if e[0] is not FALSE]
    if len(elements) <= limit + SPARE:
        return elements, TRUE
    before: list[Term] = [TRUE] + [FALSE] * limit  # before[n]: exactly n of the earlier elements are in
    found: list[tuple[Term, Term | None]] = [(FALSE, None)] * limit
    overflow = FALSE
    for there, element in elements:
        for n in range(limit):
            here = t.and_(there, before[n])
            present, code = found[n]
            found[n] = t.or_(present, here), element if code is None else t.ite(here, element, code)
        overflow = t.or_(overflow, t.and_(there, before[limit]))
        before = [t.ite(there, before[n - 1] if n else FALSE, before[n]) for n in range(limit + 1)]
    return [(p, code) for p, code in found if code is not None], t.not_(overflow)
