"""Typed expressions over finite values."""

from dataclasses import dataclass, field
from enum import Enum

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.types import Type, Value


@dataclass(frozen=True, slots=True)
class Const:
    value: Value
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Local:
    """A bound variable: of a quantifier, a function, a lemma, or a binding of a choice (in its domain and guard)."""

    name: str
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class OptionRead:
    name: str
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class CellRead:
    """The value of a cell; ``index`` is given exactly when the cell is a family."""

    cell: str
    index: "Expr | None"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ZoneRead:
    """The set of cards in a zone."""

    zone: str
    index: "Expr | None"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Apply:
    """An operator of ``kozel_verify.model.operators`` applied to its arguments."""

    op: str
    args: "tuple[Expr, ...]"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Lookup:
    """``table[position]`` for a constant table: entry ``i`` belongs to the element of index ``i``."""

    table: tuple[Value, ...]
    key: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class If:
    condition: "Expr"
    then: "Expr"
    otherwise: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    args: "tuple[Expr, ...]"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


class Binding(Enum):
    EVERY = "every"  # Bool: the body holds for all elements of the domain
    SOME = "some"  # Bool: it holds for at least one
    THOSE = "those"  # set: the elements for which it holds
    THE = "the"  # element: the only one for which it holds; undefined unless exactly one
    SUM = "sum"  # number: the sum of the body over the domain
    TOP = "top"  # element: the one with the greatest body; undefined when empty or not unique


@dataclass(frozen=True, slots=True)
class Bind:
    """``binding variable in domain : body``. The domain is a set; the variable is a ``Local`` in the body."""

    binding: Binding
    variable: str
    domain: "Expr"
    body: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class First:
    """``first variable in domain clockwise from/after start where body``: a seat; undefined when there is none.

    ``after`` begins at the left neighbour of ``start`` and comes to ``start`` itself last.
    """

    variable: str
    domain: "Expr"
    start: "Expr"
    after: bool
    body: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Matching:
    """``matching targets -> replies by p``: can each target be given its own reply with ``p(reply, target)``?

    Replies may be left over. ``body`` is the predicate with ``target`` and ``reply`` as its ``Local`` variables.
    """

    targets: "Expr"
    replies: "Expr"
    target: str
    reply: str
    body: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Old:
    """The value of an expression in the state before a step: only in what is claimed of steps."""

    value: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Revealed:
    """The cards whose faces a step has told to a seat, by moves that it sees, draws and shows: only in what is claimed
    of steps."""

    seat: "Expr"
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


Expr = (
    Const | Local | OptionRead | CellRead | ZoneRead | Apply | Lookup | If | Call | Bind | First | Matching | Old
    | Revealed
)  # fmt: skip
