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
from kozel_verify.model.types import BOOL, NAT, CardType, SetType, Value
from kozel_verify.model.walk import subexpressions
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState, card_set
from kozel_verify.symbolic.exact import unknown_options
from kozel_verify.symbolic.matching import assignments, hall
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Slot, SymSet, SymValue, parts, reader
from kozel_verify.symbolic.walk import closed
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Model, check
from kozel_verify.symbolic.z3_api import Unknown as Undecided


@dataclass(frozen=True, slots=True)
class Proved:
    rlimit: int
    cases: int  # combinations of sizes, one query each


@dataclass(frozen=True, slots=True)
class FailingCase:
    """Values with which the statement is false. ``cells`` and ``zones`` have the slots that the statement reads, by
    (name, position in the family); a zone's value is a mask. ``undefined``: why the statement has no value; "" when it
    is false."""

    options: dict[str, Value]
    cells: dict[tuple[str, int], Value]
    zones: dict[tuple[str, int], Value]
    arguments: dict[str, Value]
    undefined: str


@dataclass(frozen=True, slots=True)
class Failed:
    case: FailingCase
    rlimit: int


@dataclass(frozen=True, slots=True)
class Unknown:
    reason: str
    rlimit: int
    sizes: tuple[int, ...]  # of the groups, where the solver gave in


LemmaAnswer = Proved | Failed | Unknown


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
        self.needed = self.evaluator.take_obligations()
        self.goal = t.and_(*(o.formula() for o in self.needed), statement)

    def _state(self) -> SymState:
        codec = self.evaluator.codec
        cells = []
        for c in self.game.cells.values():
            for n in range(slot_count(c.index)):
                value, valid = codec.unknown(f"cell:{c.base + n}", c.type)
                self.assumptions.extend(valid)
                cells.append(value)
        zones = [codec.unknown(f"zone:{z}", _cards(self.game))[0] for z in range(self.game.zone_slots())]
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

    def failing(self, model: Model) -> FailingCase:
        """The model as plain values."""
        symbolic = [*self.values.values(), *self.options.values(), *self.state.cells, *self.state.zones]
        roots = [*(o.formula() for o in self.needed), *(part for v in symbolic for part in parts(v))]
        read = reader(roots, self._completed(model, roots))
        codec, game = self.evaluator.codec, self.game
        undefined = next((o.text for o in self.needed if not read(o.formula())), "")
        read_here = t.variables([self.goal])
        cells: dict[tuple[str, int], Value] = {}
        for c in game.cells.values():
            for n in range(slot_count(c.index)):
                if any(v.partition(".")[0] == f"cell:{c.base + n}" for v in read_here):
                    cells[c.name, n] = codec.lower(self.state.cells[c.base + n], c.type, read)
        zones: dict[tuple[str, int], Value] = {}
        for z in game.zones.values():
            for n in range(slot_count(z.index)):
                if any(v.partition(".")[0] == f"zone:{z.base + n}" for v in read_here):
                    zones[z.name, n] = codec.lower(self.state.zones[z.base + n], _cards(game), read)
        options = {n: codec.lower(v, game.options[n].type, read) for n, v in self.options.items()}
        types = {p.name: p.type for p in self.lemma.parameters}
        arguments = {n: codec.lower(v, types[n], read) for n, v in self.values.items()}
        return FailingCase(options, cells, zones, arguments, undefined)

    def _completed(self, model: Model, roots: list[Term]) -> dict[str, Constant]:
        """Values for all variables; options that do not matter get their defaults."""
        values = model.complete(t.variables(roots))
        for name, option in self.game.options.items():
            if not any(v.partition(".")[0] == f"option:{name}" for v in model.values):
                self.evaluator.codec.assign(f"option:{name}", option.type, option.default, values)
        return values


def _cards(game: Game) -> SetType:
    return SetType(CardType(len(game.deck)))


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
    """Does the statement hold for all values? ``rlimit`` is for each case. The first case that is not proved is the
    answer. Raises ``ValueError`` for a group whose bounds are not constant."""
    used, cases = 0, 0
    for sizes in sizes_of(game, lemma):
        question = _Question(game, lemma, sizes)
        answer = check([*question.assumptions, t.not_(question.goal)], rlimit)
        used, cases = used + answer.rlimit, cases + 1
        if isinstance(answer, Model):
            return Failed(question.failing(answer), used)
        if isinstance(answer, Undecided):
            return Unknown(answer.reason, used, sizes)
    return Proved(used, cases)


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


def prove_matching(game: Game, compiled: Compiled, k: int, rlimit: int = DEFAULT_RLIMIT) -> LemmaAnswer:
    """For all groups of ``k`` targets and ``k`` replies: are the ways to pair them and Hall's condition, with counts
    of fitting replies, the same? Raises ``ValueError`` when the function has no matching."""
    found = matching_in(game, compiled.function)
    if found is None:
        raise ValueError(f"`{compiled.function}` has no matching")
    cards = _cards(game)
    parameters = tuple(
        Parameter(name, "", Const(game.pack, cards), Const(k, NAT), Const(k, NAT), cards) for name in _GROUPS
    )
    question = _Question(game, Lemma(compiled.name, parameters, Const(True, BOOL)), (k, k))
    question.goal = _same_either_way(question, found)
    answer = check([*question.assumptions, t.not_(question.goal)], rlimit)
    if isinstance(answer, Model):
        return Failed(question.failing(answer), answer.rlimit)
    if isinstance(answer, Undecided):
        return Unknown(answer.reason, answer.rlimit, (k, k))
    return Proved(answer.rlimit, 1)


_GROUPS = ("targets", "replies")


def _same_either_way(question: _Question, found: Matching) -> Term:
    evaluator, scope = question.evaluator, Scope(question.state, question.options)
    targets, replies = (question.values[n] for n in _GROUPS)
    assert isinstance(targets, SymSet) and isinstance(replies, SymSet)
    rows, columns = targets.elements(), replies.elements()
    fits = []
    for _, target in rows:
        inner = scope.bind(**{found.target: target})
        fits.append([evaluator.truth(found.body, inner.bind(**{found.reply: reply})) for _, reply in columns])
    there = [p for p, _ in rows], [p for p, _ in columns]
    return t.eq(assignments(*there, fits), hall(*there, fits))
