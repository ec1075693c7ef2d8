"""What must be equal on two edges, for nobody to notice a difference on them.

In go the edges of two joined games by one outcome, from related states; out come goals: the rules have a value on both
sides or on neither, the same dead places are reached, the same is told to each seat in the same order, and play comes
to the same node in related states. Things that are told are matched by what they are and in their order; two that may
not both be noticed may stand in any order, and cards that are moved stand in none: they lie where they lie when the
step is over. Trusted: that these are all releases of the rules.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import (
    Announce,
    Assign,
    Draw,
    Effect,
    Game,
    Gather,
    Move,
    Show,
    Visibility,
    ZoneRef,
    slot_count,
)
from kozel_verify.model.types import Value, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Arrival, Release
from kozel_verify.symbolic.evaluate import SymState
from kozel_verify.symbolic.faces_sets import flat, mask_of
from kozel_verify.symbolic.peeking_chain import TellingStepper, Told, in_order
from kozel_verify.symbolic.peeking_twins import same_faces
from kozel_verify.symbolic.side_by_side import Joined
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import Counted, SymSet


@dataclass(frozen=True, slots=True)
class Goal:
    """``term``: what is to be shown. ``cell``: it is the equality of this cell at the end of an edge."""

    text: str
    term: Term
    span: Span = NOWHERE
    cell: str = ""


class Walker(TellingStepper):
    """Also runs the edge with which a match begins, from any block."""

    def tell_from(self, block: int, first: Mapping[str, Value]) -> Told:
        """``first``: values with which cells begin, where these are not the game's."""
        self._positions = []
        self.evaluator.take_obligations()
        state = self.initial()
        cells = list(state.cells)
        for name, value in first.items():
            cell = self.game.cells[name]
            for slot in range(cell.base, cell.base + slot_count(cell.index)):
                cells[slot] = self.evaluator.constant(value, cell.type)
        edge = self._edge(None, -1, TRUE, replace(state, cells=tuple(cells)), block, [])
        return Told(edge, dict(zip(self._positions, edge.releases, strict=True)))


class Relation(Protocol):
    """What the goals need to know of a proof."""

    joined: Joined
    game: Game

    def kept_at(self, cell: str, node: int) -> bool: ...


MOVE = "move"  # a kind of notice


@dataclass(frozen=True, slots=True)
class _Notice:
    """Something that may be told: when it is noticed at all, and terms of which all must be equal then."""

    kind: Hashable
    text: str
    span: Span
    noticed: Term
    details: tuple[Term, ...]

    @property
    def moves(self) -> bool:
        """Does a rule move cards (by no draw)?"""
        return isinstance(self.kind, tuple) and self.kind[0] == MOVE


def edge_goals(
    relation: Relation, goals: list[Goal], stepper: Walker, tolds: tuple[Told, Told], starts: tuple[int, int]
) -> list[int]:
    """Adds the goals; returns the nodes of A at which play may arrive."""
    first, second = (told.edge for told in tolds)
    defined = [t.and_(*(o.formula() for o in edge.obligations)) for edge in (first, second)]
    where = next((o.span for o in second.obligations if o.span != NOWHERE), NOWHERE)
    goals.append(Goal("whether the rules have a value", t.eq(defined[0], defined[1]), where))
    given = t.and_(first.legal, second.legal, *defined)
    falls = [t.or_(*(f.path for f in edge.falls)) for edge in (first, second)]
    goals.append(Goal("whether a dead place is reached", t.implies(given, t.eq(falls[0], falls[1]))))
    notices = [
        _Notices(relation, stepper, side).of(told, start)
        for side, (told, start) in enumerate(zip(tolds, starts, strict=True))
    ]
    told_goals = _told(notices[0], notices[1])
    goals += [Goal(g.text, t.implies(given, g.term), g.span) for g in told_goals]
    return _ends(relation, goals, given, tolds)


# --- where it ends ----------------------------------------------------------------------------------------------------


def _ends(relation: Relation, goals: list[Goal], given: Term, tolds: tuple[Told, Told]) -> list[int]:
    joined, game = relation.joined, relation.game
    back = {b: a for a, b in joined.pairs.items()}
    reached = []
    for arrival in tolds[1].edge.arrivals:
        if arrival.node not in back:
            text = f"whether play goes on at `{game.nodes[arrival.node].name}`, which A does not have"
            goals.append(Goal(text, t.implies(given, t.not_(arrival.path))))
        elif tolds[0].arrival(back[arrival.node]) is None:
            text = f"whether play goes on at `{game.nodes[arrival.node].name}`"
            goals.append(Goal(text, t.implies(given, t.not_(arrival.path))))
    for arrival in tolds[0].edge.arrivals:
        other = tolds[1].arrival(joined.pairs[arrival.node]) if arrival.node in joined.pairs else None
        path = FALSE if other is None else other.path
        text = f"whether play goes on at `{game.nodes[arrival.node].name}`"
        goals.append(Goal(text, t.implies(given, t.eq(arrival.path, path))))
        if other is not None and t.and_(arrival.path, path) is not FALSE:
            reached.append(arrival.node)
            goals += _states(relation, t.and_(given, arrival.path, path), arrival, other)
    return reached


def _states(relation: Relation, given: Term, first: Arrival, second: Arrival) -> list[Goal]:
    """Where the cards are, and the cells that are kept at the node."""
    game, found = relation.game, list[Goal]()
    at = game.nodes[first.node].name
    for zone in game.zones.values():
        slots = range(zone.base, zone.base + slot_count(zone.index))
        alike = t.and_(*(same_faces(first.state.zones[n], second.state.zones[n]) for n in slots))
        found.append(Goal(f"what lies in `{zone.name}` at `{at}`", t.implies(given, alike)))
    for cell in game.cells.values():
        if relation.kept_at(cell.name, first.node):
            slots = range(cell.base, cell.base + slot_count(cell.index))
            alike = t.and_(*(same_faces(first.state.cells[n], second.state.cells[n]) for n in slots))
            found.append(Goal(f"`{cell.name}` at `{at}`", t.implies(given, alike), cell.span, cell.name))
    return found


# --- what is told -----------------------------------------------------------------------------------------------------


def _told(mine: Sequence[_Notice], theirs: Sequence[_Notice]) -> list[Goal]:
    free, pairs = list(range(len(theirs))), list[tuple[int, int]]()
    found: list[Goal] = []
    for i, notice in enumerate(mine):
        fits = [j for j in free if theirs[j].kind == notice.kind]
        best = next((j for j in fits if theirs[j].noticed is notice.noticed), fits[0] if fits else None)
        if best is None:
            found.append(Goal(f"whether {notice.text}", t.not_(notice.noticed), notice.span))
            continue
        free.remove(best)
        pairs.append((i, best))
        other = theirs[best]
        found.append(Goal(f"whether {notice.text}", t.eq(notice.noticed, other.noticed), other.span))
        same = t.and_(*map(t.eq, notice.details, other.details)) if len(notice.details) == len(other.details) else FALSE
        both = t.and_(notice.noticed, other.noticed)
        found.append(Goal(f"what is told when {notice.text}", t.implies(both, same), other.span))
    found += [Goal(f"whether {theirs[j].text}", t.not_(theirs[j].noticed), theirs[j].span) for j in free]
    for n, (i, j) in enumerate(pairs):
        for k, m in pairs[n + 1 :]:
            if m < j and not (mine[i].moves or mine[k].moves):
                never = t.not_(t.and_(mine[i].noticed, mine[k].noticed))
                found.append(Goal(f"in which order {mine[i].text} and {mine[k].text}", never, theirs[m].span))
    return found


class _Notices:
    """What may be told on an edge of one side, in order."""

    def __init__(self, relation: Relation, stepper: Walker, side: int) -> None:
        self.stepper, self.evaluator, self.game = stepper, stepper.evaluator, relation.game
        zones = self.game.zones
        self.seen: Mapping[str, Visibility] = (
            {n: z.seen for n, z in zones.items()} if side == 0 else relation.joined.zones
        )

    def of(self, told: Told, start: int) -> list[_Notice]:
        order = in_order(self.game, [start], set(told.releases))
        return [self._notice(told.releases[position]) for position in order]

    def _notice(self, release: Release) -> _Notice:
        self.evaluator.under = release.path
        self.evaluator.take_obligations()
        found = self._of(release.effect, release)
        self.evaluator.under = TRUE
        defined = t.and_(*(o.formula() for o in self.evaluator.take_obligations()))
        return replace(found, details=(*found.details, defined))

    def _of(self, effect: Effect | Draw, release: Release) -> _Notice:
        match effect:
            case Move(source=source, target=target) | Draw(source=source, target=target):
                return self._move(effect, source, target, release)
            case Gather(target, span):
                kind = ("gather", target.zone)
                slots = self._slots(target, release.before, span)
                return _Notice(kind, "all cards are gathered", span, release.path, tuple(slots))
            case Show(_, _, span):
                return self._addressed("cards are shown", "show", span, release, mask_of(release.value).bits)
            case Announce(_, _, label, span):
                text = f"`{label}` is announced" if label else "something is announced"
                return self._addressed(text, f"announce {label}", span, release, flat(release.value))
            case Assign(cell, _, _, span):
                return self._uncovered(cell, span, release)

    def _addressed(self, text: str, kind: str, span: Span, release: Release, value: tuple[Term, ...]) -> _Notice:
        assert isinstance(release.to, SymSet)
        to = tuple(release.to.bit(seat) for seat in range(self.game.seats))
        return _Notice(kind, text, span, t.and_(release.path, t.or_(*to)), (*to, *value))

    def _move(self, effect: Move | Draw, source: ZoneRef, target: ZoneRef, release: Release) -> _Notice:
        assert isinstance(release.value, Counted)
        cards = mask_of(release.value).bits
        ends = []
        seen = [FALSE] * self.game.seats
        for ref, state in ((source, release.before), (target, release.after)):
            slots = self._slots(ref, release.before, effect.span)
            ends += slots
            for n, condition in enumerate(slots):
                if condition is not FALSE:
                    eyes = self._viewers(ref.zone, n, state)
                    seen = [t.or_(s, t.and_(condition, e)) for s, e in zip(seen, eyes, strict=True)]
        kind = ("draw" if isinstance(effect, Draw) else MOVE, source.zone, target.zone)
        text = f"cards go from `{source.zone}` to `{target.zone}`"
        noticed = t.and_(release.path, t.or_(*cards))
        return _Notice(kind, text, effect.span, noticed, (*ends, *seen, *cards))

    def _slots(self, ref: ZoneRef, state: SymState, span: Span) -> list[Term]:
        """For each member of the family the condition under which it is meant."""
        zone = self.game.zones[ref.zone]
        chosen = dict(self.evaluator.slots_of(zone, ref.index, self.stepper.scope(state), span))
        return [chosen.get(zone.base + n, FALSE) for n in range(slot_count(zone.index))]

    def _viewers(self, name: str, member: int, state: SymState) -> list[Term]:
        zone, seen, scope = self.game.zones[name], self.seen[name], self.stepper.scope(state)
        if zone.index is not None and seen.variable:
            index = element_indices(zone.index)[member]
            scope = scope.bind(**{seen.variable: self.evaluator.codec.element(zone.index, index)})
        seats = self.evaluator.value(seen.seats, scope)
        assert isinstance(seats, SymSet)
        return [seats.bit(seat) for seat in range(self.game.seats)]

    def _uncovered(self, cell: str, span: Span, release: Release) -> _Notice:
        """Seats that come to see what lies in a zone."""
        details, noticed = list[Term](), FALSE
        for zone in self.game.zones.values():
            for n in range(slot_count(zone.index)):
                pairs = zip(*(self._viewers(zone.name, n, s) for s in (release.before, release.after)), strict=True)
                cards = mask_of(release.after.zones[zone.base + n]).bits
                new = [t.and_(after, t.not_(before), t.or_(*cards)) for before, after in pairs]
                details += [*new, *(t.and_(t.or_(*new), card) for card in cards)]
                noticed = t.or_(noticed, *new)
        return _Notice(
            "uncovered", f"`{cell}` lets somebody see cards", span, t.and_(release.path, noticed), tuple(details)
        )
