"""The symbolic value of a core expression.

In: an expression, and symbolic values for the state, the options and the local variables. Out: its symbolic value; the
evaluator collects, beside it, an ``Obligation`` for each place where a partial operation must have a value, under the
condition under which the place is reached. As in the reference meaning, only ``and``, ``or``, ``implies`` and ``if``
skip parts; the body of a binding must be defined for every element of its domain.

Trusted: nothing; values and definedness are compared with the reference meaning.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    Cell,
    CellRead,
    Const,
    Expr,
    First,
    Game,
    If,
    Local,
    Lookup,
    Matching,
    Old,
    OptionRead,
    Revealed,
    Zone,
    ZoneRead,
)
from kozel_verify.model.operators import OPERATORS
from kozel_verify.model.types import (
    CardType,
    NatType,
    OptionalType,
    RangeType,
    SeatType,
    SetType,
    Type,
    Value,
    element_indices,
)
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.matching import as_slots, matching
from kozel_verify.symbolic.operators import SYMBOLIC, Operands, element_type, exactly_one
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import Codec, Counted, Slot, SymOptional, SymSet, SymValue, merge_all


@dataclass(frozen=True, slots=True)
class SymState:
    """One symbolic value for each cell slot, one symbolic set of cards for each zone slot."""

    cells: tuple[SymValue, ...]
    zones: tuple[SymValue, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """Where an expression is evaluated. ``path``: the condition under which the place is reached; ``before``: the state
    before the step, and ``revealed`` what it tells to each seat, where what is evaluated is a claim about one."""

    state: SymState
    options: Mapping[str, SymValue]
    locals: Mapping[str, SymValue] = field(default_factory=dict)
    path: Term = TRUE
    before: SymState | None = None
    revealed: tuple[SymValue, ...] = ()

    def bind(self, **locals: SymValue) -> "Scope":
        return replace(self, locals={**self.locals, **locals})

    def under(self, condition: Term) -> "Scope":
        return replace(self, path=t.and_(self.path, condition))

    def earlier(self) -> "Scope":
        """The same place in the state before the step."""
        assert self.before is not None, "only a claim about a step speaks of the state before it"
        return replace(self, state=self.before, before=None, revealed=())


@dataclass(frozen=True, slots=True)
class Obligation:
    """``holds`` must be true whenever ``path`` is."""

    path: Term
    holds: Term
    text: str
    span: Span = NOWHERE

    def formula(self) -> Term:
        return t.implies(self.path, self.holds)


Identity = tuple[object, ...]


def identity(value: SymValue) -> Identity:
    """Equal identities belong to equal values."""
    match value:
        case SymSet() if value.masked:
            return ("mask", *value.bits)
        case SymSet():
            return ("slots", value.slots)
        case Counted(measures, key):
            return ("counted", key, *measures)
        case SymOptional(some, inner):
            return ("optional", some, identity(inner))
        case Term():
            return (value,)


def card_set(type_: Type) -> bool:
    return isinstance(type_, SetType) and isinstance(type_.of, CardType)


def group_limit(game: Game) -> int:
    """The greatest constant upper bound of a chosen group, or 4: how many slots a matching gets."""
    bounds = [p.hi for node in game.nodes for verb in getattr(node, "verbs", ()) for p in verb.parameters]
    constants = [int(b.value) for b in bounds if isinstance(b, Const) and b.value is not None]
    return max(constants, default=4)


class Evaluator:
    """Evaluates expressions of one game; sets of cards are exact. ``obligations`` grows with each evaluation."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.codec = Codec(game.deck)
        self.limit = group_limit(game)
        self.obligations: list[Obligation] = []
        self.under = TRUE  # the path on which the sets of the state exist; an edge sets it block by block
        self._calls: dict[Identity, tuple[SymValue, tuple[Obligation, ...], object]] = {}

    # --- obligations

    def require(self, scope: Scope, holds: Term, text: str, span: Span) -> None:
        """Note that ``holds`` must be true where ``scope`` is reached."""
        if holds is not TRUE and scope.path is not FALSE:
            self.obligations.append(Obligation(scope.path, holds, text, span))

    def take_obligations(self) -> list[Obligation]:
        """What was collected since the last call."""
        taken, self.obligations = self.obligations, []
        return taken

    # --- expressions

    def truth(self, expr: Expr, scope: Scope) -> Term:
        return self.term(expr, scope)

    def term(self, expr: Expr, scope: Scope) -> Term:
        value = self.value(expr, scope)
        assert isinstance(value, Term)
        return value

    def value(self, expr: Expr, scope: Scope) -> SymValue:
        """The value of ``expr``; it means something only where all obligations collected for it hold."""
        match expr:
            case Const(value, type_):
                return self.constant(value, type_)
            case Local(name):
                return scope.locals[name]
            case OptionRead(name):
                return scope.options[name]
            case CellRead(name, index, _, span):
                slots = self.slots_of(self.game.cells[name], index, scope, span)
                return merge_all([(condition, scope.state.cells[slot]) for slot, condition in slots])
            case ZoneRead(name, index, _, span):
                return self.zone(self.slots_of(self.game.zones[name], index, scope, span), scope.state)
            case Apply():
                return self._apply(expr, scope)
            case Lookup():
                return self._lookup(expr, scope)
            case If(condition, then, otherwise):
                return self._if(self.truth(condition, scope), then, otherwise, scope)
            case Call():
                return self._call(expr, scope)
            case Bind():
                return self.bind(expr, self.value(expr.domain, scope), scope)
            case First():
                return self._first(expr, scope)
            case Matching():
                return self.matching(expr, self.value(expr.targets, scope), self.value(expr.replies, scope), scope)
            case Old(inner):
                return self.value(inner, scope.earlier())
            case Revealed(seat):
                return self._revealed(self.term(seat, scope), scope)

    def _revealed(self, seat: Term, scope: Scope) -> SymValue:
        assert scope.revealed, "only a claim about a step speaks of what it shows"
        seats = SeatType(self.game.seats)
        each = (self.codec.element(seats, n) for n in range(self.game.seats))
        return merge_all([(t.eq(seat, s), told) for s, told in zip(each, scope.revealed, strict=True)])

    def _if(self, condition: Term, then: Expr, otherwise: Expr, scope: Scope) -> SymValue:
        if condition.op == "const":
            return self.value(then if condition is TRUE else otherwise, scope)
        a = self.value(then, scope.under(condition))
        return merge_all([(condition, a), (TRUE, self.value(otherwise, scope.under(t.not_(condition))))])

    def constant(self, value: Value, type_: Type) -> SymValue:
        return self.codec.lift(value, type_)

    def zone(self, slots: list[tuple[int, Term]], state: SymState) -> SymValue:
        """The cards in one of several zone slots, each with its condition."""
        return merge_all([(condition, state.zones[slot]) for slot, condition in slots])

    def slots_of(self, item: Cell | Zone, index: Expr | None, scope: Scope, span: Span) -> list[tuple[int, Term]]:
        """The slots that ``item[index]`` may stand for, each with its condition."""
        if index is None or item.index is None:
            return [(item.base, TRUE)]
        key = self.term(index, scope)
        family = element_indices(item.index)
        choices = [(item.base + n, t.eq(key, self.codec.element(item.index, i))) for n, i in enumerate(family)]
        if isinstance(item.index, RangeType):
            self.require(scope, t.or_(*(c for _, c in choices)), f"`{item.name}` has no such member", span)
        return [(slot, c) for slot, c in choices if c is not FALSE] or [(item.base, FALSE)]

    def _apply(self, expr: Apply, scope: Scope) -> SymValue:
        if not OPERATORS[expr.op].lazy:
            return self.apply(expr, tuple(self.value(a, scope) for a in expr.args), scope)
        first = self.truth(expr.args[0], scope)
        if first.op == "const" and (first is TRUE) == (expr.op == "or"):
            return t.boolean(expr.op != "and")
        second = self.truth(expr.args[1], scope.under(t.not_(first) if expr.op == "or" else first))
        return self.apply(expr, (first, second), scope)

    def apply(self, expr: Apply, values: tuple[SymValue, ...], scope: Scope) -> SymValue:
        """An operator applied to values."""
        operands = Operands(self.codec, expr.type, tuple(a.type for a in expr.args), values)
        value, defined = SYMBOLIC[expr.op](operands)
        self.require(scope, defined, f"`{expr.op}` is not defined here", expr.span)
        return value

    def _lookup(self, expr: Lookup, scope: Scope) -> SymValue:
        key, type_ = self.term(expr.key, scope), expr.key.type
        table = expr.table
        if isinstance(type_, CardType):
            reduced = self._by_part(expr, key)
            if reduced is not None:
                return reduced
        groups: dict[Value, list[Term]] = {}
        for i in element_indices(type_) if not _unbounded(type_) else range(len(table)):
            if i < len(table):
                groups.setdefault(table[i], []).append(t.eq(key, self.codec.element(type_, i)))
        if _unbounded(type_) or element_indices(type_).stop > len(table):
            self.require(scope, t.lt(key, t.integer(len(table))), "a table has no such entry", expr.span)
        return merge_all([(t.or_(*cs), self.constant(v, expr.type)) for v, cs in groups.items()])

    def _by_part(self, expr: Lookup, card: Term) -> SymValue | None:
        """A table of cards that depends on the suit alone, or on the rank alone, as a table of that."""
        deck, table = self.codec.deck, expr.table
        ranks, suits = len(deck.ranks), len(deck.suits)
        suit, rank = self.codec.parts(card)
        by_suit, by_rank = [table[s * ranks] for s in range(suits)], list(table[:ranks])
        for part, rows, of in ((suit, by_suit, deck.suit), (rank, by_rank, deck.rank)):
            if all(table[c] == rows[of(c)] for c in range(len(deck))):
                if rows == list(range(len(rows))) and _plain(expr.type) and self.codec.width(expr.type) == part.sort:
                    return part
                groups: dict[Value, list[Term]] = {}
                for i, v in enumerate(rows):
                    groups.setdefault(v, []).append(t.eq(part, t.vector(i, part.sort)))
                return merge_all([(t.or_(*cs), self.constant(v, expr.type)) for v, cs in groups.items()])
        return None

    def _call(self, expr: Call, scope: Scope) -> SymValue:
        args = [self.value(a, scope) for a in expr.args]
        state = scope.state
        memo: Identity = (expr.function, self.under, id(state), id(scope.options), *map(identity, args))
        if memo not in self._calls:
            function = self.game.functions[expr.function]
            named = {p.name: a for p, a in zip(function.parameters, args, strict=True)}
            outer, self.obligations = self.obligations, []
            value = self.value(function.body, Scope(state, scope.options, named))
            inner, self.obligations = tuple(self.obligations), outer
            self._calls[memo] = value, inner, (scope, args)  # kept alive: the memo's key has their ids
        value, inner, _ = self._calls[memo]
        for o in inner:
            self.require(scope.under(o.path), o.holds, o.text, o.span)
        return value

    # --- sets of cards: what an edge does with them

    def has(self, elements: SymValue, element: Term) -> Term:
        """Is the element in the set?"""
        assert isinstance(elements, SymSet)
        return elements.has(element)

    def size(self, elements: SymValue) -> Term:
        assert isinstance(elements, SymSet)
        return t.count(p for p, _ in elements.elements())

    def single(self, card: Term) -> SymValue:
        """The set of one card."""
        return self._sets("set", card)

    def minus(self, cards: SymValue, gone: SymValue) -> SymValue:
        """The set without some of its cards."""
        return self._sets("without", cards, gone)

    def plus(self, cards: SymValue, new: SymValue) -> SymValue:
        """The set with cards that were not in it."""
        return self._sets("union", cards, new)

    def subset(self, part: SymValue, whole: SymValue) -> Term:
        return _as_term(self._sets("within", part, whole))

    def _sets(self, op: str, *values: SymValue) -> SymValue:
        cards = SetType(CardType(len(self.game.deck)))
        return SYMBOLIC[op](Operands(self.codec, cards, (), values))[0]

    # --- bindings

    def bodies(self, variable: str, elements: list[Slot], body: Expr, scope: Scope) -> list[SymValue]:
        """The body for each element, under the condition that it is there."""
        return [self.value(body, scope.under(p).bind(**{variable: e})) for p, e in elements]

    def bind(self, expr: Bind, domain: SymValue, scope: Scope) -> SymValue:
        """A quantifier, a comprehension, a sum, … over a set in its exact form."""
        assert isinstance(domain, SymSet)
        elements = domain.elements()
        found = self.bodies(expr.variable, elements, expr.body, scope)
        there = [p for p, _ in elements]
        bodies = [_as_term(v) for v in found]
        pairs = list(zip(there, bodies, strict=True))
        match expr.binding:
            case Binding.EVERY:
                return t.and_(*(t.implies(p, b) for p, b in pairs))
            case Binding.SOME:
                return t.or_(*(t.and_(p, b) for p, b in pairs))
            case Binding.SUM:
                return t.add(*(t.ite(p, b, t.integer(0)) for p, b in pairs))
            case Binding.THOSE:
                return self._those(domain, expr.type, [t.and_(p, b) for p, b in pairs])
            case Binding.THE:
                holding = [(t.and_(p, b), e) for (p, e), b in zip(elements, bodies, strict=True)]
                return self._the(expr, holding, scope)
            case Binding.TOP:
                return self._top(expr, [(p, b, e) for (p, e), b in zip(elements, bodies, strict=True)], scope)

    def _those(self, domain: SymSet, type_: Type, chosen: list[Term]) -> SymSet:
        elements = domain.elements()
        slots = tuple((c, e) for c, (_, e) in zip(chosen, elements, strict=True))
        if domain.slots is not None:
            return SymSet(self.codec, element_type(type_), None, slots)
        held, of = {e: c for c, e in slots}, element_type(type_)
        bits = tuple(held.get(self.codec.element(of, i), FALSE) for i in element_indices(of))
        return SymSet(self.codec, of, bits)

    def _any_element(self, type_: Type) -> Term:
        return self.codec.element(type_, element_indices(type_).start)

    def _the(self, expr: Bind, holding: list[Slot], scope: Scope) -> SymValue:
        self.require(scope, exactly_one([h for h, _ in holding]), "`the` needs exactly one element", expr.span)
        return merge_all(holding) if holding else self._any_element(expr.type)

    def _top(self, expr: Bind, rows: list[tuple[Term, Term, Term]], scope: Scope) -> SymValue:
        found, unique, best, top = FALSE, FALSE, t.integer(0), self._any_element(expr.type)
        for there, value, element in rows:
            better = t.and_(there, t.or_(t.not_(found), t.lt(best, value)))
            ties = t.and_(there, found, t.eq(best, value))
            unique = t.or_(better, t.and_(unique, t.not_(ties)))
            best, top = t.ite(better, value, best), t.ite(better, element, top)
            found = t.or_(found, there)
        self.require(scope, unique, "`top` needs one element that is above all others", expr.span)
        return top

    def _first(self, expr: First, scope: Scope) -> SymValue:
        domain, start = self.value(expr.domain, scope), self.term(expr.start, scope)
        assert isinstance(domain, SymSet)
        seats = self.game.seats
        elements = [(domain.bit(s), self.codec.element(expr.type, s)) for s in range(seats)]
        bodies = self.bodies(expr.variable, elements, expr.body, scope)
        holding = [t.and_(p, _as_term(b)) for (p, _), b in zip(elements, bodies, strict=True)]
        self.require(scope, t.or_(*holding), "`first` finds no seat", expr.span)
        choices = []
        for s in range(seats):
            order = [(s + step + expr.after) % seats for step in range(seats)]
            found = merge_all([(holding[o], elements[o][1]) for o in order])
            choices.append((t.eq(start, elements[s][1]), found))
        return merge_all(choices)

    def matching(self, expr: Matching, targets: SymValue, replies: SymValue, scope: Scope) -> SymValue:
        """Whether each target can be given its own reply, for sets in their exact form."""
        assert isinstance(targets, SymSet) and isinstance(replies, SymSet)
        rows, complete = as_slots(targets, self.limit)
        self.require(scope, complete, f"a matching of more than {self.limit} cards", expr.span)
        columns = replies.elements()
        fits = []
        for p, target in rows:
            inner = scope.under(p).bind(**{expr.target: target})
            fits.append([_as_term(v) for v in self.bodies(expr.reply, columns, expr.body, inner)])
        return matching([p for p, _ in rows], [p for p, _ in columns], fits)


def _as_term(value: SymValue) -> Term:
    assert isinstance(value, Term)
    return value


def _unbounded(type_: Type) -> bool:
    return isinstance(type_, NatType)


def _plain(type_: Type) -> bool:
    return not isinstance(type_, (SetType, OptionalType))
