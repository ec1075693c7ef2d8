"""Sets of cards as masks with counts: each card is in or not, and an integer beside the mask says how many are.

In: a game. Out: an evaluator in which a set of cards is a ``Counted`` whose ``exact`` is its mask, one Boolean for each
card of the deck, and whose measures are those of ``counting``. A predicate over cards is evaluated on the mask, so it
is exact; a size is the integer, so that the solver need not count bits. Mask and integers are tied together loosely:
the size is 0 exactly if the mask is empty, a part measures at most as much as the whole, moves add and subtract.

Why what is proved here holds for the cards. As in ``counting``, every fact is true under every real valuation: one that
comes from a true state and outcome, where each mask is the true set and each integer its true measure. The masks are
computed exactly, so only these things are forgotten: the measures of sets other than unions, differences and zones are
fresh integers; a sum over cards is one too; a matching is an unknown truth value of which only this is known: equal
targets, equal replies and equal values of all else that its predicate reads give equal answers (``applications``).

Trusted: this argument and that of ``counting``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    CellRead,
    Expr,
    First,
    Game,
    Local,
    Matching,
    Old,
    ZoneRead,
    slot_count,
)
from kozel_verify.model.types import CardType
from kozel_verify.model.walk import children, subexpressions
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.counting import CountingEvaluator
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState, card_set
from kozel_verify.symbolic.measures import Measures
from kozel_verify.symbolic.operators import exactly_one
from kozel_verify.symbolic.terms import TRUE, Term
from kozel_verify.symbolic.values import Counted, SymOptional, SymSet, SymValue


@dataclass(frozen=True, slots=True)
class Application:
    """One use of a matching: ``truth`` stands for its answer. ``context``: all else that its predicate reads."""

    matching: Matching
    targets: Counted
    replies: Counted
    context: tuple[Term, ...]
    truth: Term


def mask_of(cards: SymValue) -> SymSet:
    """The mask of a set of cards of a ``FaceEvaluator``."""
    assert isinstance(cards, Counted) and cards.exact is not None
    return cards.exact


class FaceEvaluator(CountingEvaluator):
    """Evaluates expressions; a set of cards is a ``Counted`` with its mask in ``exact``."""

    def __init__(self, game: Game, measures: Measures | None = None) -> None:
        super().__init__(game, measures)
        self.applications: list[Application] = []
        self.overlaps: list[tuple[Term, Counted, Counted, Counted]] = []  # where they exist, an intersection, its sets
        self._measured: dict[tuple[Term, ...], tuple[Term, ...]] = {}  # of the masks that have been measured
        self._reads: dict[Matching, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {}

    def fork(self) -> Self:
        twin = super().fork()
        twin.applications, twin.overlaps = list(self.applications), list(self.overlaps)
        twin._measured = dict(self._measured)
        return twin

    # --- sets

    def masked(self, name: str, mask: SymSet) -> Counted:
        """The set with this mask; its measures are the variables of ``name``."""
        counted = super().unknown_set(name)
        self._measured[mask.bits] = counted.measures
        return self._linked(counted, mask)

    def unknown_set(self, name: str) -> Counted:
        """Any set of cards of the pack."""
        cards, pack = range(len(self.game.deck)), self.game.pack
        bits = tuple(t.variable(f"{name}.{c}", t.BOOL) if pack >> c & 1 else t.FALSE for c in cards)
        return self.masked(name, SymSet(self.codec, CardType(len(cards)), bits))

    def _linked(self, counted: Counted, mask: SymSet) -> Counted:
        """A set with its mask; the measures are told what the mask says about them."""
        self.assume(*self.laws(counted.measures), t.eq(self.empty(counted), t.not_(t.or_(*mask.bits))))
        return replace(counted, exact=mask)

    def known(self, cards: SymSet) -> Counted:
        """A mask with its measures: exact for a constant or a few cards, else unknown numbers."""
        few = cards.slots is not None and len(cards.slots) <= self.limit
        if few or all(b.op == "const" for b in cards.bits):
            return self._linked(super().known(cards), cards)
        if cards.bits not in self._measured:
            name = self._name("measure")
            self._measured[cards.bits] = tuple(t.variable(f"{name}/{m}", t.INT) for m in range(len(self.measures)))
        key = t.key("mask", *cards.bits)
        return self._linked(Counted(self._measured[cards.bits], key, frozenset({key})), cards)

    def _mask(self, op: str, a: SymValue, b: SymValue) -> SymSet:
        value = self._sets(op, mask_of(a), mask_of(b))
        assert isinstance(value, SymSet)
        return value

    # --- algebra of sets

    def _intersection(self, a: Counted, b: Counted) -> Counted:
        if self._part_of(a, b.key) or self._part_of(b, a.key) or self._disjoint(a, b):
            return super()._intersection(a, b)
        both = self.known(self._mask("intersect", a, b))
        for whole in (a, b):
            self.assume(*(t.le(p, w) for p, w in zip(both.measures, whole.measures, strict=True)))
        self.overlaps.append((self.under, both, a, b))
        return replace(both, within=both.within | a.within | b.within | {a.key, b.key})

    def closer(self) -> list[Term]:
        """What is true of the intersections so far and seldom needed: that of a set and a part of it is the part, and
        measures as much."""
        laws = []
        for under, both, a, b in self.overlaps:
            for part, whole in ((a, b), (b, a)):
                inside = self._sets("within", mask_of(part), mask_of(whole))
                assert isinstance(inside, Term)
                same = t.and_(*(t.eq(x, y) for x, y in zip(both.measures, part.measures, strict=True)))
                laws.append(t.implies(t.and_(under, inside), same))
        return laws

    def _union(self, a: Counted, b: Counted) -> Counted:
        return self._linked(super()._union(a, b), self._mask("union", a, b))

    def _difference(self, a: Counted, b: Counted) -> Counted:
        return self._linked(super()._difference(a, b), self._mask("without", a, b))

    # --- what an edge does with sets of cards

    def zone(self, slots: list[tuple[int, Term]], state: SymState) -> SymValue:
        value = super().zone(slots, state)
        assert isinstance(value, Counted)
        return self._linked(value, mask_of(value))

    def minus(self, cards: SymValue, gone: SymValue) -> SymValue:
        return self._moved("without", super().minus(cards, gone), cards, gone)

    def plus(self, cards: SymValue, new: SymValue) -> SymValue:
        return self._moved("union", super().plus(cards, new), cards, new)

    def _moved(self, op: str, counted: SymValue, cards: SymValue, others: SymValue) -> SymValue:
        """No facts here: an edge computes this for each slot that a move may concern, and for one it is true."""
        assert isinstance(counted, Counted)
        return replace(counted, exact=self._mask(op, cards, others))

    def subset(self, part: SymValue, whole: SymValue) -> Term:
        assert isinstance(part, Counted) and isinstance(whole, Counted)
        if part.key is whole.key:
            return TRUE
        inside = self._sets("within", mask_of(part), mask_of(whole))
        assert isinstance(inside, Term)
        self.assume(*(t.implies(inside, t.le(p, w)) for p, w in zip(part.measures, whole.measures, strict=True)))
        return inside

    # --- operators

    def apply(self, expr: Apply, values: tuple[SymValue, ...], scope: Scope) -> SymValue:
        match expr.op, values:
            case "==", (Counted() as a, Counted() as b):
                return self._equal(a, b)
            case "!=", (Counted() as a, Counted() as b):
                return t.not_(self._equal(a, b))
            case "within", (Counted() as a, Counted() as b):
                return self.subset(a, b)
            case "union", (Counted() as a, Counted() as b):
                return self._union(a, b)
            case "intersect", (Counted() as a, Counted() as b):
                return self._intersection(a, b)
            case "without", (Counted() as a, Counted() as b):
                return self._difference(a, b)
            case "size", (Counted() as a,):
                return a.measures[0]
            case "only", (Counted() as a,):
                return self._only(expr, a, scope)
            case _:
                plain = tuple(mask_of(v) if isinstance(v, Counted) else v for v in values)
                result = Evaluator.apply(self, expr, plain, scope)
                return self.known(result) if isinstance(result, SymSet) and card_set(expr.type) else result

    def _equal(self, a: Counted, b: Counted) -> Term:
        if a.key is b.key:
            return TRUE
        same = t.and_(*(t.eq(x, y) for x, y in zip(mask_of(a).bits, mask_of(b).bits, strict=True)))
        self.assume(*(t.implies(same, t.eq(x, y)) for x, y in zip(a.measures, b.measures, strict=True)))
        return same

    def _only(self, expr: Apply, cards: Counted, scope: Scope) -> Term:
        mask = mask_of(cards)
        one = t.eq(cards.measures[0], t.integer(1))
        self.assume(t.eq(one, exactly_one([p for p, _ in mask.elements()])))
        value = Evaluator.apply(self, expr, (mask,), scope)
        assert isinstance(value, Term)
        return value

    # --- bindings

    def bind(self, expr: Bind, domain: SymValue, scope: Scope) -> SymValue:
        if not isinstance(domain, Counted):
            return Evaluator.bind(self, expr, domain, scope)
        mask = mask_of(domain)
        if id(expr) in self.sums:
            return domain.measures[self.sums[id(expr)]]
        if expr.binding is Binding.SUM and mask.slots is None:
            return self._over_faces(expr, domain, scope)
        result = Evaluator.bind(self, expr, mask, scope)
        if not isinstance(result, SymSet) or not card_set(expr.type):
            return result
        part = self.known(result)
        self.assume(*(t.le(p, w) for p, w in zip(part.measures, domain.measures, strict=True)))
        return replace(part, within=part.within | domain.within | {domain.key})

    # --- matchings

    def matching(self, expr: Matching, targets: SymValue, replies: SymValue, scope: Scope) -> SymValue:
        assert isinstance(targets, Counted) and isinstance(replies, Counted)
        self._defined(expr, targets, replies, scope)
        context = tuple(self._context(expr, scope))
        found = self._application(expr, targets, replies, context)
        enough = t.le(targets.measures[0], replies.measures[0])
        self.assume(t.implies(self.empty(targets), found.truth), t.implies(found.truth, enough))
        return found.truth

    def _defined(self, expr: Matching, targets: Counted, replies: Counted, scope: Scope) -> None:
        """Collects what must hold for the predicate to be defined, for one arbitrary pair."""
        card = CardType(len(self.game.deck))
        about = (expr, mask_of(targets).bits, mask_of(replies).bits)
        x, y = self._card("target", card, *about), self._card("reply", card, *about)
        inner = scope.under(t.and_(mask_of(targets).has(x), mask_of(replies).has(y)))
        self.value(expr.body, inner.bind(**{expr.target: x, expr.reply: y}))

    def _application(
        self, expr: Matching, targets: Counted, replies: Counted, context: tuple[Term, ...]
    ) -> Application:
        bits = (*mask_of(targets).bits, *mask_of(replies).bits, *context)
        same = [(a, t.and_(*map(t.eq, bits, _arguments(a)))) for a in self.applications if a.matching == expr]
        for other, equal in same:
            if equal is TRUE:
                return other
        new = Application(expr, targets, replies, context, t.variable(self._name("matching"), t.BOOL))
        for other, equal in same:
            self.facts[t.implies(equal, t.eq(new.truth, other.truth))] = None  # of masks alone: true on every path
        self.applications.append(new)
        return new

    def _context(self, expr: Matching, scope: Scope) -> Iterator[Term]:
        """The values of the cells, zones and locals that the predicate may read, as terms."""
        if expr not in self._reads:
            self._reads[expr] = reads(self.game, expr)
        cells, zones, locals_ = self._reads[expr]
        both = any(isinstance(part, Old) for part in subexpressions(expr.body))
        for state in (scope.state, scope.earlier().state) if both else (scope.state,):
            for name in cells:
                cell = self.game.cells[name]
                for slot in range(cell.base, cell.base + slot_count(cell.index)):
                    yield from flat(state.cells[slot])
            for name in zones:
                zone = self.game.zones[name]
                for slot in range(zone.base, zone.base + slot_count(zone.index)):
                    yield from flat(state.zones[slot])
        for name in locals_:
            yield from flat(scope.locals[name])


def _arguments(application: Application) -> tuple[Term, ...]:
    return (*mask_of(application.targets).bits, *mask_of(application.replies).bits, *application.context)


def flat(value: SymValue) -> tuple[Term, ...]:
    """All terms of a value; the mask of a set of cards."""
    match value:
        case Counted():
            return mask_of(value).bits
        case SymSet():
            return value.bits
        case SymOptional(some, inner):
            return (some, *flat(inner))
        case Term():
            return (value,)


def reads(game: Game, expr: Matching) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The cells and zones (whole families) that a matching's predicate may read, and its free locals, sorted."""
    cells: set[str] = set()
    zones: set[str] = set()
    waiting: list[Expr] = [expr.body]
    done: set[str] = set()
    while waiting:
        for part in subexpressions(waiting.pop()):
            match part:
                case CellRead(name):
                    cells.add(name)
                case ZoneRead(name):
                    zones.add(name)
                case Call(name) if name not in done:
                    done.add(name)
                    waiting.append(game.functions[name].body)
                case _:
                    pass
    return tuple(sorted(cells)), tuple(sorted(zones)), tuple(sorted(free(expr.body) - {expr.target, expr.reply}))


def free(expr: Expr) -> set[str]:
    """The locals that an expression reads from outside."""
    match expr:
        case Local(name):
            return {name}
        case Bind(_, variable, domain, body):
            return free(domain) | free(body) - {variable}
        case First(variable, domain, start, _, body):
            return free(domain) | free(start) | free(body) - {variable}
        case Matching(targets, replies, target, reply, body):
            return free(targets) | free(replies) | free(body) - {target, reply}
        case _:
            return {name for child in children(expr) for name in free(child)}
