"""The counter abstraction: sets of cards of which only additive measures are known.

In: a game. Out: an evaluator in which a set of cards is a ``Counted``: one integer for each *measure*. Measures are the
size (weight 1 for every card) and one for each distinct table of weights w that the game sums, ``sum c in Z of w(c)``.
Everything that is not a set of cards stays exact, single cards included.

Why what is proved here holds for the cards. Call a valuation *real* when it comes from a true state and outcome: each
measure of each set has its true value, and each unknown introduced below has the value of the expression for which it
stands. Every fact in ``facts`` is true under every real valuation, because it is a law of finite sets:

* measures are non-negative, and min(w)·size <= measure <= max(w)·size (so a set of size 0 measures 0);
* a part measures at most as much as the whole; |A u B| + |A n B| = |A| + |B| for every measure, and for disjoint sets
  the sum alone (distinct zones are disjoint, since a card has one place);
* a quantifier over an empty set is true (``every``) or false (``some``); equal sets have equal measures, sets with a
  common card are not empty; a matching needs at least as many replies as targets.

Truth values and cards that depend on faces are unknowns otherwise without constraint. A move subtracts the measures of
the moved set from the source and adds them to the target; this is true exactly when the moved set lies within the
source, which is an obligation of its own (known here only for cheap reasons: chosen from that very zone, the whole
zone, a part of it). On a branch that is not taken a difference may be no set at all; therefore each fact is assumed
under the path on which its sets were built (``under``). So the counted edge has, among its behaviours, every real step
up to the first that is not well defined; an invariant that all counted edges keep is kept by all real ones.
Conservation, the sum of each measure over all zone slots, is assumed at the start of each edge and proved at its end.

Trusted: this argument. Tested: the counted next state equals the real one on all edges of sampled plays.
"""

from dataclasses import replace

from kozel_verify.model.core import Apply, Bind, Binding, Expr, Matching
from kozel_verify.model.types import CardType
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Identity, Scope, SymState, card_set, identity
from kozel_verify.symbolic.terms import TRUE, Term
from kozel_verify.symbolic.unknowns import Same, Unknowns, card_type, cards_type
from kozel_verify.symbolic.values import Counted, SymSet, SymValue


class CountingEvaluator(Unknowns):
    """Evaluates expressions; a set of cards is a ``Counted``. ``facts`` grows with the unknowns that are introduced."""

    # --- operators

    def apply(self, expr: Apply, values: tuple[SymValue, ...], scope: Scope) -> SymValue:
        counted = [v for v in values if isinstance(v, Counted)]
        if not counted and not card_set(expr.type):
            return super().apply(expr, values, scope)
        if all(c.exact is not None for c in counted):
            return self._exactly(expr, values, scope)
        match expr.op, values:
            case "==", (Counted() as a, Counted() as b):
                return self._equal(a, b)
            case "!=", (Counted() as a, Counted() as b):
                return t.not_(self._equal(a, b))
            case "in", (Term() as card, Counted() as cards):
                return self.has(cards, card)
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
                raise TypeError(f"no counted meaning of {expr.op} here")

    def _exactly(self, expr: Apply, values: tuple[SymValue, ...], scope: Scope) -> SymValue:
        if expr.op == "set" and len(values) == 1 and isinstance(values[0], Term):
            return self.single(values[0])
        if expr.op == "size" and isinstance(values[0], Counted):
            return values[0].measures[0]
        plain = tuple(v.exact if isinstance(v, Counted) and v.exact is not None else v for v in values)
        result = super().apply(expr, plain, scope)
        return self.known(result) if isinstance(result, SymSet) and card_set(expr.type) else result

    def _equal(self, a: Counted, b: Counted) -> Term:
        if a.key is b.key:
            return TRUE
        for x, y in ((a, b), (b, a)):
            if x.measures[0] is t.integer(0):
                return self.empty(y)
            named = self._named(x)
            if named is not None:
                return t.and_(t.eq(y.measures[0], t.integer(1)), t.le(t.integer(1), y.measures[named]))
        same = self._truth("equal", *sorted((a.key, b.key), key=id))
        self.assume(*(t.implies(same, t.eq(x, y)) for x, y in zip(a.measures, b.measures, strict=True)))
        self.assume(t.implies(t.and_(self.empty(a), self.empty(b)), same))
        return same

    def _only(self, expr: Apply, cards: Counted, scope: Scope) -> Term:
        one = t.eq(cards.measures[0], t.integer(1))
        self.require(scope, one, "`only` needs exactly one element", expr.span)
        card = self._card("only", expr.type, cards.key)
        self.assume(*(t.implies(one, t.eq(m, self.weight(n, card))) for n, m in enumerate(cards.measures)))
        return card

    # --- algebra of sets

    def _named(self, cards: Counted) -> int | None:
        """The measure that tells whether a set has the one card that ``cards`` is known to hold."""
        elements = cards.exact.elements() if cards.exact is not None else []
        if len(elements) != 1 or elements[0][0] is not TRUE or elements[0][1].op != "const":
            return None
        return self.named.get(self.codec.index(card_type(self.game), t.int_of(elements[0][1])))

    def _disjoint(self, a: Counted, b: Counted) -> bool:
        """Are they parts of different zones of one state?"""
        if a.home is None or b.home is None:
            return False
        return a.home[0] is b.home[0] and not a.home[1] & b.home[1]

    def _part_of(self, part: Counted, whole: Term) -> bool:
        """Is it known that the set with key ``whole`` contains ``part``?"""
        return self.inside(part, whole) is TRUE

    def inside(self, part: Counted, whole: Term) -> Term:
        """A condition under which the set with key ``whole`` is known to contain ``part``, from how it was built."""
        if whole is part.key or whole in part.within:
            return TRUE
        match whole.op:
            case "plus" | "union":
                return t.or_(*(self.inside(part, w) for w in whole.args))
            case "ite":
                return t.ite(whole.args[0], *(self.inside(part, w) for w in whole.args[1:]))
            case _:
                return t.FALSE

    def _intersection(self, a: Counted, b: Counted) -> Counted:
        if self._part_of(a, b.key):
            return a
        if self._part_of(b, a.key):
            return b
        if self._disjoint(a, b):
            none = self.constant(0, cards_type(self.game))
            assert isinstance(none, Counted)
            return none
        for one, other in ((a, b), (b, a)):
            named = self._named(one)
            if named is not None:
                measures = tuple(t.mul(m, other.measures[named]) for m in one.measures)
                key = t.key("both", one.key, other.key)
                return Counted(measures, key, frozenset({key, a.key, b.key}) | a.within | b.within, other.home)
        memo: Identity = ("both", *sorted((a.key, b.key), key=id))
        if memo not in self._unknowns:
            part = self.unknown_part(self._name("both"), a)
            self._unknowns[memo] = replace(part, within=part.within | b.within | {b.key}), (a, b)
        value = self._unknowns[memo][0]
        assert isinstance(value, Counted)
        for whole in (a, b):
            self.assume(*(t.le(p, w) for p, w in zip(value.measures, whole.measures, strict=True)))
        return value

    def _union(self, a: Counted, b: Counted) -> Counted:
        if self._part_of(a, b.key):
            return b
        if self._part_of(b, a.key):
            return a
        both = self._intersection(a, b)
        rows = zip(a.measures, b.measures, both.measures, strict=True)
        home = None
        if a.home is not None and b.home is not None and a.home[0] is b.home[0]:
            home = a.home[0], a.home[1] | b.home[1]
        key = t.key("union", a.key, b.key)
        result = Counted(tuple(t.sub(t.add(x, y), z) for x, y, z in rows), key, frozenset({key}), home)
        self.assume(*self.laws(result.measures))
        return result

    def _difference(self, a: Counted, b: Counted) -> Counted:
        both = self._intersection(a, b)
        measures = tuple(t.sub(x, y) for x, y in zip(a.measures, both.measures, strict=True))
        key = t.key("minus", a.key, b.key)
        self.assume(*self.laws(measures))
        return Counted(measures, key, frozenset({key}) | a.within | {a.key}, a.home)

    # --- what an edge does with sets of cards

    def zone(self, slots: list[tuple[int, Term]], state: SymState) -> SymValue:
        value = super().zone(slots, state)
        assert isinstance(value, Counted)
        self.assume(*self.laws(value.measures))
        return replace(value, within=value.within | {value.key}, home=(state.zones, frozenset(s for s, _ in slots)))

    def has(self, elements: SymValue, element: Term) -> Term:
        if isinstance(elements, SymSet):
            return elements.has(element)
        assert isinstance(elements, Counted)
        if elements.exact is not None:
            return elements.exact.has(element)
        single = self.single(element)
        assert isinstance(single, Counted)
        named = self._named(single)
        if named is not None:
            return t.le(t.integer(1), elements.measures[named])
        inside = t.or_(self.inside(single, elements.key), self._truth("in", element, elements.key))
        rows = enumerate(elements.measures)
        self.assume(*(t.implies(inside, t.le(self.weight(n, element), m)) for n, m in rows))
        return inside

    def size(self, elements: SymValue) -> Term:
        return elements.measures[0] if isinstance(elements, Counted) else super().size(elements)

    def single(self, card: Term) -> SymValue:
        return self.known(SymSet(self.codec, CardType(len(self.game.deck)), None, ((TRUE, card),)))

    def minus(self, cards: SymValue, gone: SymValue) -> SymValue:
        assert isinstance(cards, Counted) and isinstance(gone, Counted)
        if cards.key is gone.key:
            return self.constant(0, cards_type(self.game))
        measures = tuple(t.sub(x, y) for x, y in zip(cards.measures, gone.measures, strict=True))
        key = t.key("minus", cards.key, gone.key)
        return Counted(measures, key, frozenset({key}) | cards.within | {cards.key})

    def plus(self, cards: SymValue, new: SymValue) -> SymValue:
        assert isinstance(cards, Counted) and isinstance(new, Counted)
        if cards.measures[0] is t.integer(0):
            return replace(new, home=None)
        measures = tuple(t.add(x, y) for x, y in zip(cards.measures, new.measures, strict=True))
        key = t.key("plus", cards.key, new.key)
        return Counted(measures, key, frozenset({key}))

    def subset(self, part: SymValue, whole: SymValue) -> Term:
        assert isinstance(part, Counted) and isinstance(whole, Counted)
        if self._part_of(part, whole.key):
            return TRUE
        if part.exact is not None and len(part.exact.elements()) <= self.limit:
            return t.and_(*(t.implies(p, self.has(whole, e)) for p, e in part.exact.elements()))
        inside = t.or_(self.inside(part, whole.key), self._truth("within", part.key, whole.key))
        rows = zip(part.measures, whole.measures, strict=True)
        self.assume(*(t.implies(inside, t.le(p, w)) for p, w in rows), t.implies(self.empty(part), inside))
        return inside

    # --- bindings

    def bind(self, expr: Bind, domain: SymValue, scope: Scope) -> SymValue:
        if isinstance(domain, Counted) and domain.exact is not None:
            result = super().bind(expr, domain.exact, scope)
            return self.known(result) if isinstance(result, SymSet) and card_set(expr.type) else result
        if not isinstance(domain, Counted):
            return super().bind(expr, domain, scope)
        if id(expr) in self.sums:
            return domain.measures[self.sums[id(expr)]]
        return self._over_faces(expr, domain, scope)

    def _over_faces(self, expr: Bind, domain: Counted, scope: Scope) -> SymValue:
        """A binding whose body is seen for one arbitrary element only."""
        about = self._about(expr, scope, domain)
        element = self._card("each", card_type(self.game), *about)
        some = t.not_(self.empty(domain))
        body = self.value(expr.body, scope.under(some).bind(**{expr.variable: element}))
        assert isinstance(body, Term)
        fixed = not any(_number(n) >= _number(str(element.payload)) for n in t.variables([body]))
        match expr.binding:
            case Binding.EVERY | Binding.SOME:
                every = expr.binding is Binding.EVERY
                if fixed:
                    return t.implies(some, body) if every else t.and_(some, body)
                truth = self._truth("holds", *about)
                self.assume(t.implies(t.not_(some), truth if every else t.not_(truth)))
                return truth
            case Binding.THOSE:
                return self._part("those", domain, *about)
            case Binding.THE | Binding.TOP:
                defined = self._truth("defined", *about)
                self.require(scope, t.and_(some, defined), f"`{expr.binding.value}` needs one element", expr.span)
                return self._card("found", expr.type, *about)
            case Binding.SUM:
                total = self._card("sum", expr.type, *about)
                self.assume(t.le(t.integer(0), total), t.implies(t.not_(some), t.eq(total, t.integer(0))))
                return total

    def _about(self, expr: Expr, scope: Scope, *sets: Counted) -> tuple[object, ...]:
        """What the value of a binding depends on; kept alive with the unknown, so that no id is used twice."""
        locals_ = tuple((name, identity(value)) for name, value in scope.locals.items())
        seen = Same(scope.state), Same(scope.before), Same(scope.options)
        return (Same(expr), *seen, locals_, *(s.key for s in sets))

    def matching(self, expr: Matching, targets: SymValue, replies: SymValue, scope: Scope) -> SymValue:
        assert isinstance(targets, Counted) and isinstance(replies, Counted)
        if targets.exact is not None and replies.exact is not None:
            return super().matching(expr, targets.exact, replies.exact, scope)
        about = self._about(expr, scope, targets, replies)
        card = card_type(self.game)
        inner = scope.under(t.not_(self.empty(targets))).under(t.not_(self.empty(replies)))
        pair = {expr.target: self._card("target", card, *about), expr.reply: self._card("reply", card, *about)}
        self.value(expr.body, inner.bind(**pair))
        fits = self._truth("matching", *about)
        enough = t.le(targets.measures[0], replies.measures[0])
        self.assume(t.implies(self.empty(targets), fits), t.implies(fits, enough))
        return fits


def _number(name: str) -> int:
    _, mark, number = name.partition("#")
    return int(number.partition("/")[0]) if mark else 0
