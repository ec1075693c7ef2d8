"""Shapes of invariants that may hold at a node, and their weakening by states that break them.

In: a node's *columns*: natural numbers, truth values and small cells that can be read there, each a core expression.
Out: families of claims over the columns. A family begins as strong as the states seen so far allow; ``join`` makes it
just weak enough to admit one more state. Claims are core expressions, so they can be printed, and evaluated by any
engine. Trusted: nothing; a claim counts only when the prover has shown it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Protocol

from kozel_verify.model.core import Apply, Const, Expr
from kozel_verify.model.types import BOOL, NAT, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.terms import Term

WIDEST = 60  # coefficients beyond this are noise
MOST_TUPLES = 64  # of a relation between small cells
PATIENCE = 3  # how often a bound may move before it is given up


@dataclass(frozen=True, slots=True)
class Columns:
    """What can be read at a node. ``values[i]`` are the constants of the ``i``-th small cell, as terms by value."""

    numbers: tuple[Expr, ...]
    truths: tuple[Expr, ...]
    cells: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """The columns in one plain state."""

    numbers: tuple[int, ...]
    truths: tuple[bool, ...]
    cells: tuple[Value, ...]


class Seen(Protocol):
    """The columns in a symbolic state."""

    def number(self, column: int) -> Term: ...
    def truth(self, column: int) -> Term: ...
    def cell_is(self, column: int, value: Value) -> Term: ...
    def statement(self, claim: Expr) -> Term: ...


class Family(Protocol):
    """Claims about a node that are weakened together."""

    def join(self, row: Row) -> bool:
        """Admit a state; whether anything has changed."""

    def claims(self, columns: Columns) -> list[Expr]: ...
    def terms(self, seen: Seen) -> list[Term]: ...


# --- guards ----------------------------------------------------------------------------------------------------------

Guard = tuple[int, bool] | None  # a truth column and the value it must have


def applies(guard: Guard, row: Row) -> bool:
    return guard is None or row.truths[guard[0]] == guard[1]


def guard_term(guard: Guard, seen: Seen) -> Term:
    if guard is None:
        return t.TRUE
    truth = seen.truth(guard[0])
    return truth if guard[1] else t.not_(truth)


def guarded(guard: Guard, columns: Columns, claim: Expr) -> Expr:
    if guard is None:
        return claim
    truth = columns.truths[guard[0]]
    return op("implies", truth if guard[1] else op("not", truth), claim)


def op(name: str, *args: Expr) -> Expr:
    return Apply(name, args, BOOL)


def number(value: int) -> Expr:
    return Const(value, NAT)


def weighted(terms_: Sequence[tuple[int, Expr]], constant: int) -> Expr:
    """A sum with natural coefficients."""
    parts = [e if a == 1 else Apply("*", (number(a), e), NAT) for a, e in terms_]
    if constant or not parts:
        parts.append(number(constant))
    total = parts[0]
    for part in parts[1:]:
        total = Apply("+", (total, part), NAT)
    return total


# --- families --------------------------------------------------------------------------------------------------------

Equation = dict[int, int]  # coefficients by column; column -1 is the constant 1; the sum is 0
Echelon = list[tuple[int, Equation]]  # rows with their pivot columns, whose coefficients are 1
PRIME = (1 << 61) - 1


@dataclass(slots=True)
class Affine:
    """All linear equations between some numbers that hold in the states seen (where the guard holds)."""

    guard: Guard
    columns: tuple[int, ...]
    whole: "Affine | None" = None  # equations that hold without the guard: what follows from them is not repeated
    equations: list[Equation] | None = None  # None: no state was seen yet
    version: int = 0
    cache: tuple[int, int, list[Equation]] | None = None
    basis: tuple[int, Echelon] | None = None

    def join(self, row: Row) -> bool:
        if not applies(self.guard, row):
            return False
        changed = self._join(row)
        self.version += changed
        return changed

    def _join(self, row: Row) -> bool:
        if self.equations is None:
            self.equations = [{c: 1, -1: -row.numbers[c]} for c in self.columns]
            return True
        return self._admit(row)

    def _admit(self, row: Row) -> bool:
        assert self.equations is not None
        off = [(e, sum(a * (1 if c < 0 else row.numbers[c]) for c, a in e.items())) for e in self.equations]
        broken = [(e, r) for e, r in off if r]
        if not broken:
            return False
        pivot, residue = min(broken, key=lambda b: len(b[0]))
        kept = []
        for equation, r in off:
            if equation is not pivot:
                new = combine(equation, residue, pivot, -r) if r else equation
                if max(map(abs, new.values()), default=0) <= WIDEST * max(1, abs(new.get(-1, 0))):
                    kept.append(new)
        self.equations = kept
        return True

    def echelon(self) -> Echelon:
        """The equations in echelon form modulo a prime, for ``implied``."""
        if self.basis is None or self.basis[0] != self.version:
            self.basis = self.version, echelon(self.equations or [])
        return self.basis[1]

    def new(self) -> list[Equation]:
        """The equations that do not follow from those of ``whole``."""
        if self.whole is None:
            return self.equations or []
        state = self.version, self.whole.version
        if self.cache is None or self.cache[:2] != state:
            known = self.whole.echelon()
            self.cache = (*state, [e for e in self.equations or () if not implied(e, known)])
        return self.cache[2]

    def claims(self, columns: Columns) -> list[Expr]:
        return [guarded(self.guard, columns, equation_claim(e, columns)) for e in self.new()]

    def terms(self, seen: Seen) -> list[Term]:
        if self.equations is None:
            return [t.not_(guard_term(self.guard, seen))]
        found = []
        for equation in self.new():
            parts = [t.integer(a) if c < 0 else t.mul(t.integer(a), seen.number(c)) for c, a in equation.items()]
            found.append(t.implies(guard_term(self.guard, seen), t.eq(t.add(*parts), t.integer(0))))
        return found


def echelon(equations: Sequence[Equation]) -> Echelon:
    """The equations in echelon form, modulo a prime."""
    rows: Echelon = []
    for equation in equations:
        row = _reduced(equation, rows)
        if row:
            pivot = next(iter(row))
            inverse = pow(row[pivot], -1, PRIME)
            rows.append((pivot, {c: v * inverse % PRIME for c, v in row.items()}))
    return rows


def implied(equation: Equation, known: Echelon) -> bool:
    """Is the equation a combination of the known ones? (Modulo a prime: a mistake would only lose a guess.)"""
    return not _reduced(equation, known)


def _reduced(equation: Equation, rows: Echelon) -> Equation:
    row = {c: v % PRIME for c, v in equation.items()}
    for pivot, other in rows:
        factor = row.get(pivot)
        if factor:
            for c, v in other.items():
                row[c] = (row.get(c, 0) - factor * v) % PRIME
            row = {c: v for c, v in row.items() if v}
    return row


def combine(a: Equation, x: int, b: Equation, y: int) -> Equation:
    """``x·a + y·b`` in lowest terms."""
    sums = {c: x * a.get(c, 0) + y * b.get(c, 0) for c in (*a, *(c for c in b if c not in a))}
    shared = 0
    for value in sums.values():
        shared = gcd(shared, value)
    return {c: v // shared for c, v in sums.items() if v} if shared else {}


def equation_claim(equation: Equation, columns: Columns) -> Expr:
    """An equation between naturals: negative parts stand on the other side."""
    sides: list[list[tuple[int, Expr]]] = [[], []]
    constants = [0, 0]
    for column, a in equation.items():
        if column < 0:
            constants[a < 0] += abs(a)
        else:
            sides[a < 0].append((abs(a), columns.numbers[column]))
    return op("==", weighted(sides[0], constants[0]), weighted(sides[1], constants[1]))


@dataclass(slots=True)
class Box:
    """Bounds of one number (where the guard holds). A bound that keeps moving is given up."""

    guard: Guard
    column: int
    lo: int | None = None
    hi: int | None = None
    empty: bool = True
    moved: list[int] = field(default_factory=lambda: [0, 0])
    patience: int = 10**9  # unlimited while samples are read

    def join(self, row: Row) -> bool:
        if not applies(self.guard, row):
            return False
        value = row.numbers[self.column]
        if self.empty:
            self.lo, self.hi, self.empty = value, value, False
            return True
        changed = False
        if self.lo is not None and value < self.lo:
            self.moved[0] += 1
            self.lo, changed = (value if self.moved[0] <= self.patience else 0), True
        if self.hi is not None and value > self.hi:
            self.moved[1] += 1
            self.hi, changed = (value if self.moved[1] <= self.patience else None), True
        return changed

    def claims(self, columns: Columns) -> list[Expr]:
        found, column = [], columns.numbers[self.column]
        if self.lo is not None and self.lo == self.hi:
            found.append(op("==", column, number(self.lo)))
        else:
            if self.lo:
                found.append(op("<=", number(self.lo), column))
            if self.hi is not None:
                found.append(op("<=", column, number(self.hi)))
        return [guarded(self.guard, columns, c) for c in found]

    def terms(self, seen: Seen) -> list[Term]:
        guard, column = guard_term(self.guard, seen), seen.number(self.column)
        if self.empty:
            return [t.not_(guard)]
        bounds = [t.le(t.integer(self.lo), column)] if self.lo else []
        bounds.extend([t.le(column, t.integer(self.hi))] if self.hi is not None else [])
        return [t.implies(guard, b) for b in bounds]


@dataclass(slots=True)
class Congruence:
    """``sum of factor·number`` leaves one remainder modulo ``modulus``. Factors are naturals below the modulus."""

    factors: tuple[tuple[int, int], ...]  # column, factor
    modulus: int
    remainder: int | None = None
    broken: bool = False

    def join(self, row: Row) -> bool:
        value = sum(f * row.numbers[c] for c, f in self.factors) % self.modulus
        if self.broken or value == self.remainder:
            return False
        if self.remainder is None:
            self.remainder = value
        else:
            self.broken = True
        return True

    def claims(self, columns: Columns) -> list[Expr]:
        if self.broken or self.remainder is None:
            return []
        total = weighted([(f, columns.numbers[c]) for c, f in self.factors], 0)
        return [op("==", Apply("mod", (total, number(self.modulus)), NAT), number(self.remainder))]

    def terms(self, seen: Seen) -> list[Term]:
        if self.broken or self.remainder is None:
            return []
        total = t.add(*(t.mul(t.integer(f), seen.number(c)) for c, f in self.factors))
        return [t.eq(t.mod(total, t.integer(self.modulus)), t.integer(self.remainder))]


@dataclass(slots=True)
class Relation:
    """The small cells take together only the combinations seen."""

    cells: tuple[int, ...]
    tuples: dict[tuple[Value, ...], None] = field(default_factory=dict)
    broken: bool = False

    def join(self, row: Row) -> bool:
        return self.admit(tuple(row.cells[c] for c in self.cells))

    def admit(self, values: tuple[Value, ...]) -> bool:
        """Admit the states in which the cells have these values; whether anything has changed."""
        if self.broken or values in self.tuples:
            return False
        self.tuples[values] = None
        self.broken = len(self.tuples) > MOST_TUPLES
        return True

    def claims(self, columns: Columns) -> list[Expr]:
        if self.broken:
            return []
        rows = (zip(self.cells, r, strict=True) for r in self.tuples)
        return [_disjunction([_conjunction([_is(columns.cells[c], v) for c, v in row]) for row in rows])]

    def terms(self, seen: Seen) -> list[Term]:
        if self.broken:
            return []
        rows = [t.and_(*(seen.cell_is(c, v) for c, v in zip(self.cells, r, strict=True))) for r in self.tuples]
        return [t.or_(*rows)]


def _is(cell: Expr, value: Value) -> Expr:
    return op("==", cell, Const(value, cell.type))


def _conjunction(parts: list[Expr]) -> Expr:
    whole = parts[0]
    for part in parts[1:]:
        whole = op("and", whole, part)
    return whole


def _disjunction(parts: list[Expr]) -> Expr:
    whole = parts[0] if parts else Const(False, BOOL)
    for part in parts[1:]:
        whole = op("or", whole, part)
    return whole


@dataclass(slots=True)
class Implication:
    """Where the first guard holds, so does the second."""

    first: tuple[int, bool]
    second: tuple[int, bool]
    broken: bool = False

    def join(self, row: Row) -> bool:
        if self.broken or not applies(self.first, row) or applies(self.second, row):
            return False
        self.broken = True
        return True

    def claims(self, columns: Columns) -> list[Expr]:
        if self.broken:
            return []
        truth = columns.truths[self.second[0]]
        return [guarded(self.first, columns, truth if self.second[1] else op("not", truth))]

    def terms(self, seen: Seen) -> list[Term]:
        return [] if self.broken else [t.implies(guard_term(self.first, seen), guard_term(self.second, seen))]


@dataclass(slots=True)
class Statement:
    """A claim of the author, tried at a node for which it was not made. ``drop`` gives it up."""

    claim: Expr
    broken: bool = False

    def join(self, row: Row) -> bool:
        return False

    def drop(self) -> None:
        self.broken = True

    def claims(self, columns: Columns) -> list[Expr]:
        return [] if self.broken else [self.claim]

    def terms(self, seen: Seen) -> list[Term]:
        return [] if self.broken else [seen.statement(self.claim)]
