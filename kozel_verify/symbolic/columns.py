"""The columns of a node (``guess.layout``) in symbolic states, and what plain states say of them.

In: an evaluator with a symbolic state, or sampled plain states. Out: the terms of the columns, the rows of assignments
and samples. Trusted: that a claim is false where it is not defined; nothing else.
"""

from collections.abc import Mapping, Sequence

from kozel_verify.model.core import CellRead, Const, Expr, Game, OptionRead
from kozel_verify.model.types import Value, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Evaluator, Scope
from kozel_verify.symbolic.exact import PlainState
from kozel_verify.symbolic.templates import Columns, Relation, Row
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import equal, parts, reader

Sample = tuple[PlainState, Mapping[str, Value]]  # a state, and the options of its match
SAMPLES = 300  # states of a node from which guesses are made


def thinned(samples: Sequence[Sample]) -> Sequence[Sample]:
    """At most ``SAMPLES`` of them, evenly spread."""
    step = -(-len(samples) // SAMPLES) or 1
    return samples[::step]


def fill(relation: Relation, game: Game, columns: Columns, samples: Sequence[Sample]) -> None:
    """Admit what all samples show of its cells, not only the thinned ones: each tuple that they miss costs a query."""
    cells = [columns.cells[c] for c in relation.cells]
    for values in dict.fromkeys(tuple(_plain(game, c, *sample) for c in cells) for sample in samples):
        relation.admit(values)


def _plain(game: Game, cell: Expr, state: PlainState, options: Mapping[str, Value]) -> Value:
    """The value of a small cell or option in a plain state."""
    match cell:
        case CellRead(name, index):
            declared = game.cells[name]
            if declared.index is None:
                return state.cells[declared.base]
            assert isinstance(index, Const) and index.value is not None
            return state.cells[declared.base + int(index.value) - element_indices(declared.index)[0]]
        case OptionRead(name):
            return options[name]
        case _:
            raise TypeError("neither a cell nor an option")


class SymbolicColumns:
    """The columns of a node in a symbolic state, evaluated when first asked for."""

    def __init__(self, evaluator: Evaluator, scope: Scope, columns: Columns) -> None:
        self.evaluator, self.scope, self.columns = evaluator, scope, columns
        self._numbers: dict[int, Term] = {}
        self._truths: dict[int, Term] = {}
        self._cells: dict[tuple[int, Value], Term] = {}
        self._statements: dict[int, Term] = {}  # by identity: the claims outlive the columns
        self._under = evaluator.under

    def _term(self, expr: Expr) -> Term:
        self.evaluator.under = self._under
        term = self.evaluator.term(expr, self.scope)
        self.evaluator.take_obligations()
        return term

    def number(self, column: int) -> Term:
        if column not in self._numbers:
            self._numbers[column] = self._term(self.columns.numbers[column])
        return self._numbers[column]

    def truth(self, column: int) -> Term:
        if column not in self._truths:
            self._truths[column] = self._term(self.columns.truths[column])
        return self._truths[column]

    def cell_is(self, column: int, value: Value) -> Term:
        key = column, value
        if key not in self._cells:
            cell = self.columns.cells[column]
            constant = self.evaluator.constant(value, cell.type)
            self._cells[key] = equal(self.evaluator.value(cell, self.scope), constant)
        return self._cells[key]

    def statement(self, claim: Expr) -> Term:
        """A claim, false where it is not defined."""
        if id(claim) not in self._statements:
            self.evaluator.under = self._under
            value = self.evaluator.truth(claim, self.scope)
            defined = t.and_(*(o.formula() for o in self.evaluator.take_obligations()))
            self._statements[id(claim)] = t.and_(defined, value)
        return self._statements[id(claim)]

    def row(self, values: Mapping[str, Constant]) -> Row:
        """The columns under an assignment."""
        numbers = [self.number(c) for c in range(len(self.columns.numbers))]
        truths = [self.truth(c) for c in range(len(self.columns.truths))]
        cells = [(self.evaluator.value(c, self.scope), c.type) for c in self.columns.cells]
        roots = [*numbers, *truths, *(p for v, _ in cells for p in parts(v))]
        read = reader(roots, values)
        lowered = tuple(self.evaluator.codec.lower(v, type_, read) for v, type_ in cells)
        return Row(tuple(int(read(n)) for n in numbers), tuple(bool(read(x)) for x in truths), lowered)
