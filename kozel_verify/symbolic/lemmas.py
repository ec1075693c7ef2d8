"""Lemmas about all values of their parameters, by the solver; and the second leg of compiled matchings.

In: a game and a lemma. A group (a parameter with a size) becomes strictly ascending slots, one case for each
combination of sizes; a card becomes one slot; everything else an unknown of its type; so do the cells, zones and
options that the statement reads. Out: proved, or values on which the statement is false or has no value, or unknown.
Trusted: the symbolic meaning of expressions (compared with the concrete one elsewhere) and the solver.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

from kozel_verify.model.core import Call, Compiled, Const, Expr, Game, Lemma, Matching, Parameter, slot_count
from kozel_verify.model.types import BOOL, NAT, CardType, SetType, Type, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState, card_set
from kozel_verify.symbolic.exact import unknown_options
from kozel_verify.symbolic.matching import assignments, hall
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Slot, SymSet, SymValue, parts, reader
from kozel_verify.symbolic.walk import closed, subexpressions
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Model, Unknown, check


@dataclass(frozen=True, slots=True)
class LemmaProved:
    cases: int  # combinations of sizes, one query each
    rlimit: int


@dataclass(frozen=True, slots=True)
class LemmaRefuted:
    """Values with which the statement is false (or, when ``defined`` is false, has no value)."""

    parameters: dict[str, Value]
    cells: tuple[Value, ...]
    place: tuple[int, ...]  # a zone slot for each card, -1 for none
    options: dict[str, Value]
    defined: bool
    rlimit: int


@dataclass(frozen=True, slots=True)
class LemmaUnknown:
    case: tuple[int, ...]  # the sizes at which the solver gave in
    reason: str
    rlimit: int


LemmaAnswer = LemmaProved | LemmaRefuted | LemmaUnknown


class _Question:
    """One case of a lemma: unknowns, what is known of them, and the statement."""

    def __init__(self, game: Game, lemma: Lemma, sizes: tuple[int, ...]) -> None:
        self.game, self.lemma = game, lemma
        self.evaluator = Evaluator(game)
        self.options, constraints = unknown_options(self.evaluator, {})
        self.assumptions = list(constraints)
        self.state = self._state()
        scope = Scope(self.state, self.options)
        self.values: dict[str, SymValue] = {}
        remaining = list(sizes)
        for p in lemma.parameters:
            size = remaining.pop(0) if p.lo is not None else None
            self.values[p.name] = self._parameter(p, size, scope)
            scope = scope.bind(**{p.name: self.values[p.name]})
        self.evaluator.take_obligations()
        statement = self.evaluator.truth(lemma.statement, scope)
        self.defined = t.and_(*(o.formula() for o in self.evaluator.take_obligations()))
        self.goal = t.and_(self.defined, statement)

    def _state(self) -> SymState:
        codec = self.evaluator.codec
        cells = []
        for c in self.game.cells.values():
            for n in range(slot_count(c.index)):
                value, valid = codec.unknown(f"cell:{c.base + n}", c.type)
                self.assumptions.extend(valid)
                cells.append(value)
        cards = SetType(CardType(len(self.game.deck)))
        zones = [codec.unknown(f"zone:{z}", cards)[0] for z in range(self.game.zone_slots())]
        return SymState(tuple(cells), tuple(zones))

    def _parameter(self, p: Parameter, size: int | None, scope: Scope) -> SymValue:
        domain = self.evaluator.value(p.domain, scope)
        codec = self.evaluator.codec
        if size is None:
            value, valid = codec.unknown(p.name, p.type)
            assert isinstance(value, Term)
            self.assumptions.extend([*valid, self.evaluator.has(domain, value)])
            return value
        slots = ascending(self.evaluator, p.name, size, self.assumptions)
        self.assumptions.extend(self.evaluator.has(domain, e) for _, e in slots)
        return SymSet(codec, CardType(len(self.game.deck)), None, tuple(slots))

    def refutation(self, model: Model) -> LemmaRefuted:
        """The model as plain values."""
        codec = self.evaluator.codec
        named = {p.name: (self.values[p.name], p.type) for p in self.lemma.parameters}
        cells = [(v, type_) for v, type_ in zip(self.state.cells, self._cell_types(), strict=True)]
        options = {n: (v, self.game.options[n].type) for n, v in self.options.items()}
        symbolic = [v for v, _ in (*named.values(), *cells, *options.values())] + list(self.state.zones)
        roots = [self.defined, *(part for v in symbolic for part in parts(v))]
        values = self._completed(model, roots)
        read = reader(roots, values)
        masks = [codec.lower(z, SetType(CardType(len(self.game.deck))), read) for z in self.state.zones]
        place = tuple(
            next((z for z, mask in enumerate(masks) if isinstance(mask, int) and mask >> c & 1), -1)
            for c in range(len(self.game.deck))
        )
        return LemmaRefuted(
            {n: codec.lower(v, type_, read) for n, (v, type_) in named.items()},
            tuple(codec.lower(v, type_, read) for v, type_ in cells),
            place,
            {n: codec.lower(v, type_, read) for n, (v, type_) in options.items()},
            bool(read(self.defined)),
            model.rlimit,
        )

    def _completed(self, model: Model, roots: list[Term]) -> dict[str, Constant]:
        """Values for all variables; those the statement does not read get their first ones."""
        values: dict[str, Constant] = {}
        for c in self.game.cells.values():
            for n in range(slot_count(c.index)):
                self.evaluator.codec.assign(f"cell:{c.base + n}", c.type, c.initial, values)
        for name, option in self.game.options.items():
            self.evaluator.codec.assign(f"option:{name}", option.type, option.default, values)
        return {**model.complete(t.variables(roots)), **{k: v for k, v in values.items() if k not in model.values}}

    def _cell_types(self) -> list[Type]:
        return [c.type for c in self.game.cells.values() for _ in range(slot_count(c.index))]


def ascending(evaluator: Evaluator, name: str, count: int, assumptions: list[Term]) -> list[Slot]:
    """Unknown cards in strictly ascending order: each set of ``count`` cards in exactly one way."""
    type_ = CardType(len(evaluator.game.deck))
    cards = [t.variable(f"{name}.{n}", evaluator.codec.width(type_)) for n in range(count)]
    assumptions.extend(evaluator.codec.valid(type_, c) for c in cards)
    assumptions.extend(t.ult(a, b) for a, b in pairwise(cards))
    return [(t.TRUE, c) for c in cards]


def sizes_of(game: Game, lemma: Lemma) -> Iterator[tuple[int, ...]]:
    """All combinations of the sizes of a lemma's groups. Raises ``ValueError`` for bounds that are not constant."""
    ranges = []
    for p in lemma.parameters:
        if p.lo is not None and p.hi is not None:
            if not card_set(p.type):
                raise ValueError(f"`{p.name}` is no group of cards")
            ranges.append(range(_constant(game, p.lo), _constant(game, p.hi) + 1))
    yield from product(*ranges)


def _constant(game: Game, expr: Expr) -> int:
    value = Evaluator(game).term(expr, Scope(SymState((), ()), {})) if closed(game, expr) else None
    number = None if value is None else t.constant(value)
    if number is None:
        raise ValueError("a group's size in a lemma must be a constant")
    return int(number)


def prove_lemma(game: Game, lemma: Lemma, rlimit: int = DEFAULT_RLIMIT) -> LemmaAnswer:
    """Does the statement hold for all values? ``rlimit`` is for each case. The first case that fails is the answer."""
    used, cases = 0, 0
    for sizes in sizes_of(game, lemma):
        question = _Question(game, lemma, sizes)
        answer = check([*question.assumptions, t.not_(question.goal)], rlimit)
        used, cases = used + answer.rlimit, cases + 1
        if isinstance(answer, Model):
            return question.refutation(answer)
        if isinstance(answer, Unknown):
            return LemmaUnknown(sizes, answer.reason, used)
    return LemmaProved(cases, used)


# --- matchings -------------------------------------------------------------------------------------------------------


def matching_in(game: Game, function: str) -> Matching | None:
    """The first matching in a function's body, or in the functions that it calls."""
    for expr in subexpressions(game.functions[function].body):
        if isinstance(expr, Matching):
            return expr
        if isinstance(expr, Call):
            found = matching_in(game, expr.function)
            if found is not None:
                return found
    return None


def prove_matching_equivalence(game: Game, compiled: Compiled, k: int, rlimit: int = DEFAULT_RLIMIT) -> LemmaAnswer:
    """For all groups of ``k`` targets and ``k`` replies: are the ways to pair them and Hall's condition, with counts
    of fitting replies, the same? Raises ``ValueError`` when the function has no matching."""
    found = matching_in(game, compiled.function)
    if found is None:
        raise ValueError(f"`{compiled.function}` has no matching")
    cards = SetType(CardType(len(game.deck)))
    parameters = tuple(
        Parameter(name, "", Const(game.pack, cards), Const(k, NAT), Const(k, NAT), cards)
        for name in ("targets", "replies")
    )
    question = _Question(game, Lemma(compiled.name, parameters, Const(True, BOOL)), (k, k))
    evaluator, scope = question.evaluator, Scope(question.state, question.options)
    targets, replies = (question.values[n] for n in ("targets", "replies"))
    assert isinstance(targets, SymSet) and isinstance(replies, SymSet)
    rows, columns = targets.elements(), replies.elements()
    fits = []
    for _, target in rows:
        inner = scope.bind(**{found.target: target})
        fits.append([evaluator.truth(found.body, inner.bind(**{found.reply: reply})) for _, reply in columns])
    there = [p for p, _ in rows], [p for p, _ in columns]
    same = t.eq(assignments(*there, fits), hall(*there, fits))
    answer = check([*question.assumptions, t.not_(same)], rlimit)
    if isinstance(answer, Model):
        return question.refutation(answer)
    if isinstance(answer, Unknown):
        return LemmaUnknown((k, k), answer.reason, answer.rlimit)
    return LemmaProved(1, answer.rlimit)
