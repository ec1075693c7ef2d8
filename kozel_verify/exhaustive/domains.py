"""Enumeration of a lemma: every value of its parameters, of the cells and of the options that it reads.

In go a game, a lemma and an evaluator; out come exact counts and the first case in which the statement fails, or a
``Refusal`` with the size when the domain is larger than the limit. Nothing is sampled.

A lemma's cells may have any value of their types; its options any values that the game's constraints allow. A lemma
that reads a zone, or a cell without a last value, has no domain to enumerate: it is refused with the reason.

Trusted: the evaluator.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Protocol

from kozel_verify.exhaustive.reads import Reads, free_locals, reads_of
from kozel_verify.model.core import Apply, Cell, Expr, Game, Lemma, OptionDecl, Parameter, slot_count
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value, cardinality, members, values


class Evaluate(Protocol):
    """The value of an expression. ``cells`` holds a value for each cell slot of the game. Raises ``Undefined``."""

    def __call__(
        self, expr: Expr, local: Mapping[str, Value], options: Mapping[str, Value], cells: tuple[Value, ...], /
    ) -> Value: ...


@dataclass(frozen=True, slots=True)
class Case:
    """One case of a lemma. ``cells`` gives the slots that the lemma reads, by (name, position in the family)."""

    options: dict[str, Value]
    cells: dict[tuple[str, int], Value]
    arguments: dict[str, Value]
    undefined: str  # why the statement has no value here; "" when it is false


@dataclass(frozen=True, slots=True)
class Enumeration:
    """``holds``: cases in which the statement is true. ``premises``: for a statement ``p implies q`` the cases in which
    ``p`` is true (0: it says nothing), else ``None``."""

    cases: int
    visited: int
    holds: int
    premises: int | None
    counterexample: Case | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Not enumerated. ``size``: cases in the domain, at least that many unless ``exact``; ``None``: no last value."""

    size: int | None
    exact: bool
    reason: str


def enumerate_lemma(game: Game, lemma: Lemma, evaluate: Evaluate, limit: int) -> Enumeration | Refusal:
    """Evaluate ``lemma`` on its whole domain, if that has at most ``limit`` cases.

    Order: options (the defaults first), cells, parameters as written; subsets by size, then by their cards. The
    counterexample is the first in that order. A domain or bound that is undefined is a failure of the lemma.
    """
    reads = _lemma_reads(game, lemma)
    refused = _refuse(game, reads, limit)
    if refused is not None:
        return refused
    size = 0
    for options, cells in settings_of(game, reads, evaluate):
        try:
            size += _count(lemma.parameters, {}, _At(evaluate, options, cells_with(game, cells)), limit - size)
        except Undefined as failure:
            return Enumeration(1, 1, 0, None, Case(options, cells, {}, f"a parameter's domain: {failure}"))
        if size > limit:
            return Refusal(size, False, f"more than {limit} cases")
    return _visit(game, lemma, evaluate, reads)


@dataclass(frozen=True, slots=True)
class _At:
    """The evaluator with options and cells given."""

    evaluate: Evaluate
    options: Mapping[str, Value]
    cells: tuple[Value, ...]

    def value(self, expr: Expr, local: Mapping[str, Value]) -> Value:
        return self.evaluate(expr, local, self.options, self.cells)

    def number(self, expr: Expr, local: Mapping[str, Value]) -> int:
        value = self.value(expr, local)
        if value is None:
            raise Undefined("`none` used as a value")
        return int(value)


def _visit(game: Game, lemma: Lemma, evaluate: Evaluate, reads: Reads) -> Enumeration:
    cases = holds = premises = 0
    first: Case | None = None
    statement = lemma.statement
    premise = statement.args[0] if isinstance(statement, Apply) and statement.op == "implies" else None
    for options, cells in settings_of(game, reads, evaluate):
        at = _At(evaluate, options, cells_with(game, cells))
        for local in _arguments(lemma.parameters, {}, at):
            cases += 1
            undefined = ""
            try:
                true = bool(at.value(statement, local))
                premises += premise is not None and bool(at.value(premise, local))
            except Undefined as failure:
                true, undefined = False, str(failure) or "undefined"
            holds += true
            if not true and first is None:
                first = Case(options, cells, dict(local), undefined)
    return Enumeration(cases, cases, holds, None if premise is None else premises, first)


# --- the domain ------------------------------------------------------------------------------------------------------


def _lemma_reads(game: Game, lemma: Lemma) -> Reads:
    expressions: list[Expr] = [lemma.statement]
    for p in lemma.parameters:
        expressions += [e for e in (p.domain, p.lo, p.hi) if e is not None]
    return reads_of(game, expressions)


def _refuse(game: Game, reads: Reads, limit: int) -> Refusal | None:
    """A reason not to count any further: zones, endless types, or too many values of cells and options alone."""
    if reads.zones:
        return Refusal(None, False, f"reads a zone: `{sorted(reads.zones)[0]}`")
    settings = 1
    for name in sorted(reads.cells):
        cell = game.cells[name]
        each = cardinality(cell.type)
        if each is None:
            return Refusal(None, False, f"`{name}` has no greatest value")
        settings *= each ** slot_count(cell.index)
    for option in _options_in(game, reads):
        settings *= len(option.values)
    if settings > limit:  # constraints may exclude some
        return Refusal(settings, False, f"{settings} values of the cells and options it reads")
    return None


def _options_in(game: Game, reads: Reads) -> tuple[OptionDecl, ...]:
    """The options read, with those tied to them by constraints (else an excluded combination would be visited)."""
    names = set(reads.options)
    tied = [reads_of(game, [c]).options for c in game.constraints]
    while True:
        more = {name for group in tied if group & names for name in group} - names
        if not more:
            return tuple(o for o in game.options.values() if o.name in names)
        names |= more


def settings_of(
    game: Game, reads: Reads, evaluate: Evaluate
) -> Iterator[tuple[dict[str, Value], dict[tuple[str, int], Value]]]:
    """All values of the options and cells read: (all options, cell slots read). Options that are not read, nor tied
    to one that is, have their defaults. The cells' types must be finite."""
    varied = _options_in(game, reads)
    names = {o.name for o in varied}
    constraints = [c for c in game.constraints if reads_of(game, [c]).options & names]
    initial = cells_with(game, {})
    slots = [(name, k) for name in game.cells if name in reads.cells for k in _family(game.cells[name])]
    for chosen in product(*(_default_first(o) for o in varied)):
        options = {o.name: o.default for o in game.options.values()} | {
            o.name: v for o, v in zip(varied, chosen, strict=True)
        }
        if all(evaluate(c, {}, options, initial) for c in constraints):
            for contents in product(*(tuple(values(game.cells[name].type)) for name, _ in slots)):
                yield options, dict(zip(slots, contents, strict=True))


def _default_first(option: OptionDecl) -> tuple[Value, ...]:
    return (option.default, *(v for v in option.values if v != option.default))


def _family(cell: Cell) -> range:
    return range(slot_count(cell.index))


def cells_with(game: Game, given: Mapping[tuple[str, int], Value]) -> tuple[Value, ...]:
    """A value for each cell slot: the given ones, else the initial value."""
    slots: list[Value] = [None] * game.cell_slots()
    for cell in game.cells.values():
        for k in _family(cell):
            slots[cell.base + k] = given.get((cell.name, k), cell.initial)
    return tuple(slots)


def _arguments(parameters: Sequence[Parameter], local: dict[str, Value], at: _At) -> Iterator[dict[str, Value]]:
    """All arguments in order. The same dictionary each time: copy it to keep it."""
    if not parameters:
        yield local
        return
    parameter, rest = parameters[0], parameters[1:]
    for value in _values_of(parameter, local, at):
        yield from _arguments(rest, {**local, parameter.name: value}, at)


def _values_of(parameter: Parameter, local: Mapping[str, Value], at: _At) -> Iterator[int]:
    domain, lo, hi = _bounds(parameter, local, at)
    if lo is None:
        yield from domain
        return
    for size in range(lo, min(hi, len(domain)) + 1):
        for chosen in combinations(domain, size):
            yield sum(1 << element for element in chosen)


def _bounds(parameter: Parameter, local: Mapping[str, Value], at: _At) -> tuple[tuple[int, ...], int | None, int]:
    domain = tuple(members(at.number(parameter.domain, local)))
    if parameter.lo is None or parameter.hi is None:
        return domain, None, 0
    return domain, at.number(parameter.lo, local), at.number(parameter.hi, local)


def _count(parameters: Sequence[Parameter], local: dict[str, Value], at: _At, limit: int) -> int:
    """How many arguments there are; some number above ``limit`` when there are more than ``limit``."""
    if not parameters:
        return 1
    parameter, rest = parameters[0], parameters[1:]
    domain, lo, hi = _bounds(parameter, local, at)
    own = len(domain) if lo is None else sum(comb(len(domain), s) for s in range(lo, min(hi, len(domain)) + 1))
    if not any(parameter.name in free_locals(e) for p in rest for e in (p.domain, p.lo, p.hi) if e is not None):
        return own * _count(rest, local, at, limit) if own else 0
    total = 0
    for value in _values_of(parameter, local, at):
        total += _count(rest, {**local, parameter.name: value}, at, limit - total)
        if total > limit:
            break
    return total
