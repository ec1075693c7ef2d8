"""What an edge tells a seat, and what must be equal in two runs of it.

In: two edges from twin states, by outcomes that the seat cannot tell apart so far. Out: goals in the order of events,
each to be shown from those before it and from equal values of what was told before: whether something is told to the
seat, between which zones cards move and how many; in the end the node, the view there and the kept parts.

What is told to a seat: the cards of a move or a draw that it sees at either end; what is shown or announced to it; the
cards of a zone that it comes to see. Nothing else is: numbers of cards, zones and public cells must be predictable.
Trusted: that these are all releases of the rules, in the order of the reference.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

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
    ZoneRef,
)
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Arrival, Edge, Outcome, Path, Release, Stepper, _Gathered, topological
from kozel_verify.symbolic.evaluate import Evaluator, SymState
from kozel_verify.symbolic.peeking_twins import Part, Slot, needed, same, sees, slots
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import SymSet, SymValue

Position = tuple[int, int]  # a block and an effect in it; (-1, 0) for the draw with which an edge begins
DRAWN: Position = (-1, 0)


class What(Enum):
    """What a goal is about."""

    OWNER = "whose turn it is"
    MENU = "what may be chosen"
    RESULT = "what the play is worth"
    EVENT = "what is told"
    NODE = "where play goes on"
    VIEW = "what is seen"
    KEPT = "what is hidden but the same"


@dataclass(frozen=True, slots=True)
class Goal:
    """``term``: what is to be shown (from what is ``given``, which it says itself). ``part``: for ``KEPT``, which part
    at ``node`` would not be the same."""

    what: What
    text: str
    term: Term
    span: Span = NOWHERE
    node: int = -1
    part: Part | None = None
    given: tuple[Term, ...] = ()


# --- an edge with the places where it tells something ----------------------------------------------------------------


class TellingStepper(Stepper):
    """Notes for each release its position; also gathers."""

    def __init__(self, evaluator: Evaluator, options: Mapping[str, SymValue]) -> None:
        super().__init__(evaluator, options)
        self._positions: list[Position] = []
        self._here: Position = DRAWN

    def tell(self, node: int, state: SymState, outcome: Outcome) -> "Told":
        """The edge, and what it tells."""
        self._positions = []
        edge = self.step(node, state, outcome)
        drawn = [DRAWN] * (len(edge.releases) - len(self._positions))
        return Told(edge, dict(zip([*drawn, *self._positions], edge.releases, strict=True)))

    def _block(
        self,
        index: int,
        path: Path,
        state: SymState,
        legal: Term,
        waiting: dict[int, list[tuple[Path, SymState]]],
        run: _Gathered,
    ) -> None:
        self._here = (index, -1)
        super()._block(index, path, state, legal, waiting, run)

    def _effect(self, effect: Effect, state: SymState, path: Term, run: _Gathered) -> SymState:
        self._here, before = (self._here[0], self._here[1] + 1), len(run.releases)
        after = super()._effect(effect, state, path, run)
        if isinstance(effect, Gather):
            run.releases.append(Release(effect, path, TRUE, None, state, after))
        self._positions += [self._here] * (len(run.releases) - before)
        return after


@dataclass(frozen=True, slots=True)
class Told:
    """An edge with its releases by position, in the order of events."""

    edge: Edge
    releases: dict[Position, Release]

    def arrival(self, node: int) -> Arrival | None:
        return next((a for a in self.edge.arrivals if a.node == node), None)


def in_order(game: Game, starts: Sequence[int], positions: set[Position]) -> list[Position]:
    """Positions sorted by when they are reached, on all ways from the blocks ``starts``."""
    blocks: list[int] = []
    for start in starts:
        blocks = [b for b in topological(game, start) if b not in blocks] + blocks
    rank = {block: n for n, block in enumerate([-1, *blocks])}
    return sorted(positions, key=lambda p: (rank[p[0]], p[1]))


# --- the goals -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Motion:
    """A move in one run: whether something of it is noticed, whether the seat sees the cards, from where to where."""

    noticed: Term
    seen: Term
    size: Term
    ends: dict[tuple[str, int], Term]
    cards: SymValue | None


_STILL = _Motion(FALSE, FALSE, t.integer(0), {}, None)


class Chain:
    """Collects the goals of two edges, for one seat. What was required or told is given for all that follows."""

    def __init__(self, stepper: TellingStepper, seat: int, given: Sequence[Term] = ()) -> None:
        self.stepper, self.evaluator, self.seat = stepper, stepper.evaluator, seat
        self.game: Game = stepper.game
        self.given = list(given)
        self.goals: list[Goal] = []

    def require(self, what: What, text: str, term: Term, span: Span = NOWHERE) -> None:
        """A goal, from what is given; then it is given too."""
        self._goal(what, text, term, span)
        self.given.append(term)

    def _goal(
        self, what: What, text: str, term: Term, span: Span = NOWHERE, node: int = -1, part: Part | None = None
    ) -> None:
        if term is not TRUE:
            whole = t.implies(t.and_(*self.given), term)
            self.goals.append(Goal(what, text, whole, span, node, part, tuple(self.given)))

    # --- what happens on the way

    def events(self, first: Told, second: Told, starts: Sequence[int]) -> None:
        """Goals for all that may be told on two edges, in order."""
        for position in in_order(self.game, starts, {*first.releases, *second.releases}):
            a, b = first.releases.get(position), second.releases.get(position)
            some = a or b
            assert some is not None
            match some.effect:
                case Move() | Draw() as motion:
                    self._move(motion, a, b)
                case Gather(_, span):
                    self._alike("gathering the cards", span, _path(a), _path(b), [])
                case Show(_, _, span):
                    self._addressed("cards are shown", span, a, b)
                case Announce(_, _, label, span):
                    self._addressed(f"`{label}` is announced" if label else "something is announced", span, a, b)
                case Assign() as assign:
                    self._uncovered(assign, a, b)

    def _alike(
        self, text: str, span: Span, a: Term, b: Term, told: Sequence[tuple[SymValue, SymValue]], learned: Term = TRUE
    ) -> None:
        """Whether it happens must be equal; then what is told is equal (where ``learned``)."""
        self.require(What.EVENT, f"whether {text}", t.eq(a, b), span)
        happens = t.and_(a, b, learned)
        self.given += [t.implies(happens, same(x, y)) for x, y in told]

    def _addressed(self, text: str, span: Span, a: Release | None, b: Release | None) -> None:
        told = [] if a is None or b is None else [(a.value, b.value)]
        self._alike(f"{text} to the seat", span, self._to(a), self._to(b), told)

    def _to(self, release: Release | None) -> Term:
        if release is None:
            return FALSE
        assert isinstance(release.to, SymSet)
        return t.and_(release.path, release.to.bit(self.seat))

    def _move(self, effect: Move | Draw, a: Release | None, b: Release | None) -> None:
        text, span = f"from `{effect.source.zone}` to `{effect.target.zone}`", effect.span
        x, y = self._motion(effect, a), self._motion(effect, b)
        self.require(What.EVENT, f"whether cards go {text}", t.eq(x.noticed, y.noticed), span)
        happens = t.and_(x.noticed, y.noticed)
        ends = (t.eq(x.ends.get(e, FALSE), y.ends.get(e, FALSE)) for e in {**x.ends, **y.ends})
        self.require(What.EVENT, f"which zones cards go {text}", t.implies(happens, t.and_(*ends)), span)
        self.require(What.EVENT, f"who sees cards go {text}", t.implies(happens, t.eq(x.seen, y.seen)), span)
        seen = t.and_(happens, x.seen, y.seen)
        if x.cards is not None and y.cards is not None:
            self.given.append(t.implies(seen, same(x.cards, y.cards)))
        unseen = t.and_(happens, t.not_(x.seen))
        self.require(What.EVENT, f"how many cards go {text}", t.implies(unseen, t.eq(x.size, y.size)), span)

    def _motion(self, effect: Move | Draw, release: Release | None) -> _Motion:
        if release is None:
            return _STILL
        self.evaluator.under = release.path
        ends: dict[tuple[str, int], Term] = {}
        seen = FALSE
        for end, ref, state in (("source", effect.source, release.before), ("target", effect.target, release.after)):
            for slot, condition in self._slots(ref, release.before, effect.span):
                ends[end, slot.part.slot] = condition
                seen = t.or_(seen, t.and_(condition, self._sees(slot, state)))
        size = self.evaluator.size(release.value)
        self.evaluator.under = TRUE
        noticed = t.and_(release.path, t.or_(seen, t.le(t.integer(1), size)))
        return _Motion(noticed, seen, size, ends, release.value)

    def _slots(self, ref: ZoneRef, state: SymState, span: Span) -> Iterator[tuple[Slot, Term]]:
        zone_slots = {s.part.slot: s for s in slots(self.game) if s.part.zone}
        found = self.evaluator.slots_of(self.game.zones[ref.zone], ref.index, self.stepper.scope(state), span)
        self.evaluator.take_obligations()
        yield from ((zone_slots[slot], condition) for slot, condition in found)

    def _sees(self, slot: Slot, state: SymState) -> Term:
        seen = sees(self.evaluator, slot, self.seat, self.stepper.scope(state))
        self.evaluator.take_obligations()
        return seen

    def _uncovered(self, effect: Assign, a: Release | None, b: Release | None) -> None:
        """The seat may come to see zones."""
        for slot in slots(self.game):
            if slot.part.zone:
                new, cards = self._new(slot, a), [r.after.zones[slot.part.slot] for r in (a, b) if r is not None]
                told = [(cards[0], cards[1])] if len(cards) > 1 else []
                self._alike(f"`{slot.name}` comes to be seen", effect.span, new, self._new(slot, b), told)

    def _new(self, slot: Slot, release: Release | None) -> Term:
        if release is None:
            return FALSE
        self.evaluator.under = release.path
        before, after = self._sees(slot, release.before), self._sees(slot, release.after)
        self.evaluator.under = TRUE
        return t.and_(release.path, after, t.not_(before))

    # --- where it ends

    def ends(self, first: Told, second: Told, kept: Sequence[frozenset[Part]]) -> None:
        """Goals for the end of two edges: the same node, equal views, and equal parts that are ``kept`` there."""
        nodes = list(dict.fromkeys(a.node for told in (first, second) for a in told.edge.arrivals))
        for node in nodes:
            here = [FALSE if a is None else a.path for a in (first.arrival(node), second.arrival(node))]
            self.require(What.NODE, f"whether play goes on at `{self.game.nodes[node].name}`", t.eq(*here))
        for node in nodes:
            a, b = first.arrival(node), second.arrival(node)
            if a is not None and b is not None:
                self._views(node, a, b, kept[node])

    def _views(self, node: int, a: Arrival, b: Arrival, kept: frozenset[Part]) -> None:
        self.evaluator.under = t.and_(a.path, b.path)
        for need in needed(self.stepper, self.seat, node, a.state, b.state, kept):
            what = What.KEPT if need.hidden else What.VIEW
            text = f"{need.text} at `{self.game.nodes[node].name}`"
            self._goal(what, text, t.implies(self.evaluator.under, need.equal), NOWHERE, node, need.part)
        self.evaluator.under = TRUE


def _path(release: Release | None) -> Term:
    return FALSE if release is None else release.path
