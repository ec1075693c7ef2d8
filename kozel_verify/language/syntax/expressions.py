"""Expressions and the names of types, as written."""

from dataclasses import dataclass, field

from kozel_verify.language.spans import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Name:
    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Number:
    value: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class CardLiteral:
    """``rank`` and ``suit`` in the canonical spelling: ``"10"``, ``"J"``; ``"♥"``."""

    rank: str
    suit: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class RankLiteral:
    rank: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SuitLiteral:
    suit: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Truth:
    value: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Nothing:
    """``none``."""

    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SeatLiteral:
    number: int  # from 1
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Indexed:
    name: str
    index: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class CallExpression:
    name: str
    arguments: "tuple[Expression, ...]"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SetLiteral:
    elements: "tuple[Expression, ...]"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """A unary or binary operator. ``operator`` is its spelling: ``and``, ``+``, ``size``, ``is none``, ``..``, …"""

    operator: str
    operands: "tuple[Expression, ...]"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Quantified:
    """``word name in domain … body``; ``word`` is every, some, those, the, sum or top."""

    word: str
    name: str
    domain: "Expression"
    body: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Circle:
    """``clockwise from`` or ``clockwise after`` a seat."""

    after: bool
    start: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class FirstExpression:
    name: str
    domain: "Expression"
    circle: Circle
    body: "Expression | None"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MatchingExpression:
    targets: "Expression"
    replies: "Expression"
    predicate: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class PlaceOf:
    element: "Expression"
    order: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Above:
    left: "Expression"
    right: "Expression"
    order: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Case:
    condition: "Expression"
    value: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Cases:
    """Rows tried in order, and the value when none applies. ``if … then … else`` has one row."""

    rows: tuple[Case, ...]
    otherwise: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class OldExpression:
    """``old(…)``: the value in the state before a step."""

    value: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ShownExpression:
    """``shown(…)``: the cards whose faces a step has told to a seat."""

    seat: "Expression"
    span: Span = field(default=NOWHERE, compare=False)


Expression = (
    Name | Number | CardLiteral | RankLiteral | SuitLiteral | Truth | Nothing | SeatLiteral | Indexed | CallExpression
    | SetLiteral | Operation | Quantified | FirstExpression | MatchingExpression | PlaceOf | Above | Cases
    | OldExpression | ShownExpression
)  # fmt: skip


# --- types -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class NamedType:
    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class OptionalTypeName:
    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SetTypeName:
    name: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class RangeTypeName:
    lo: Expression
    hi: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class InlineEnumeration:
    items: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


TypeName = NamedType | OptionalTypeName | SetTypeName | RangeTypeName | InlineEnumeration
