"""The syntax tree of a spec, as the grammar sees it: names are not resolved and nothing is typed yet.

Every node is a frozen dataclass whose last field ``span`` says where it stands; spans do not take part in equality.
"""

from dataclasses import dataclass, field

from kozel_verify.language.spans import NOWHERE, Span

# --- expressions -----------------------------------------------------------------------------------------------------


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


Expression = (
    Name | Number | CardLiteral | RankLiteral | SuitLiteral | Truth | Nothing | SeatLiteral | Indexed | CallExpression
    | SetLiteral | Operation | Quantified | FirstExpression | MatchingExpression | PlaceOf | Above | Cases
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


# --- statements ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BlockOf:
    statements: "tuple[Statement, ...]"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class PlaceName:
    """A zone, or one of a family."""

    name: str
    index: Expression | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Let:
    name: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AssignTo:
    """``name[index] := value``; ``added`` for ``+=``."""

    name: str
    index: Expression | None
    value: Expression
    added: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MoveCards:
    cards: Expression
    source: PlaceName
    target: PlaceName
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class DrawCards:
    count: Expression
    source: PlaceName
    target: PlaceName
    name: str | None
    node: str | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class GatherPack:
    target: PlaceName
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ShowCards:
    cards: Expression
    to: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AnnounceValue:
    value: Expression
    label: str | None
    to: Expression | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class BindingOf:
    """``name in domain`` (``size is None``), or ``name : size of domain``."""

    name: str
    size: Expression | None
    domain: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class VerbOf:
    name: str
    bindings: tuple[BindingOf, ...]
    guard: Expression | None
    block: BlockOf
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class AskSeat:
    seat: Expression
    secret: bool
    node: str
    verbs: tuple[VerbOf, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ForEach:
    name: str
    domain: Expression
    circle: Circle | None
    block: BlockOf
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Repeat:
    block: BlockOf
    until: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class While:
    condition: Expression
    block: BlockOf
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class IfElse:
    condition: Expression
    then: BlockOf
    otherwise: BlockOf | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Run:
    name: str
    arguments: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Leave:
    phase: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Again:
    phase: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class EndMatch:
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class DeadClause:
    name: str
    span: Span = field(default=NOWHERE, compare=False)


Statement = (
    Let | AssignTo | MoveCards | DrawCards | GatherPack | ShowCards | AnnounceValue | AskSeat | ForEach | Repeat | While
    | IfElse | Run | Leave | Again | EndMatch | DeadClause
)  # fmt: skip


# --- items -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    language: str
    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Title:
    texts: tuple[Text, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Term:
    name: str
    texts: tuple[Text, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Source:
    name: str
    file: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Use:
    name: str
    arguments: tuple[Argument, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class DeckOf:
    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Seats:
    count: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Pack:
    name: str
    cards: Expression | None
    seats: int | None
    values: tuple[Argument, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Enumeration:
    name: str
    items: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Option:
    name: str
    type: TypeName
    default: Expression
    texts: tuple[Text, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class OptionDefault:
    name: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Constraint:
    condition: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Order:
    name: str
    items: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Entry:
    key: Expression
    value: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Table:
    entries: tuple[Entry, ...]
    otherwise: Expression | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    name: str
    value: Expression | Table
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Family:
    name: str
    type: TypeName
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ZoneOf:
    name: str
    family: Family | None
    seen: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class StateOf:
    name: str
    family: Family | None
    type: TypeName
    initial: Expression
    seen: Expression | None
    fresh: str | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ParameterOf:
    name: str
    type: TypeName
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class FunctionOf:
    """``type is None`` for a predicate."""

    name: str
    parameters: tuple[ParameterOf, ...]
    type: TypeName | None
    body: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ProcedureOf:
    """A procedure, or a phase (which ``leave`` and ``again`` can name)."""

    name: str
    parameters: tuple[ParameterOf, ...]
    block: BlockOf
    phase: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Result:
    """``outcome``, ``gain`` or ``loss`` of a seat."""

    word: str
    seat: str
    value: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Replaceable:
    """``default``: the user of the module may define it anew."""

    item: "Declaration"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Need:
    """What a module wants from its user. ``kind`` is predicate, function, procedure or name."""

    kind: str
    name: str
    parameters: tuple[ParameterOf, ...]
    type: TypeName | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class GivenValue:
    name: str
    index: Expression | None
    value: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ExampleOf:
    statement: Expression
    given: tuple[GivenValue, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class LemmaOf:
    name: str
    parameters: tuple[ParameterOf | BindingOf, ...]
    statement: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ClaimOf:
    """``invariant`` or ``witness``; ``nodes`` is empty for all nodes."""

    word: str
    name: str
    nodes: tuple[str, ...]
    statement: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MeasureOf:
    name: str
    values: tuple[Expression, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class SecretOf:
    name: str
    family: Family | None
    cards: Expression
    hidden_from: Expression
    nodes: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class CompiledOf:
    name: str
    function: str
    replies: str
    targets: str
    sizes: Expression
    restriction: Expression | None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class StepOf:
    """``word`` is option, deck, start, set, choose, draw or expect; only the fields that it needs are filled."""

    word: str
    name: str = ""
    seat: int = 0
    expressions: tuple[Expression, ...] = ()
    given: GivenValue | None = None
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ScenarioOf:
    title: str
    steps: tuple[StepOf, ...]
    span: Span = field(default=NOWHERE, compare=False)


Declaration = (
    Title | Term | Source | Use | DeckOf | Seats | Pack | Enumeration | Option | OptionDefault | Constraint | Order
    | Constant | ZoneOf | StateOf | FunctionOf | ProcedureOf | Result
)  # fmt: skip
PropertyOf = ExampleOf | LemmaOf | ClaimOf | MeasureOf | SecretOf | CompiledOf | ScenarioOf
Item = Declaration | Replaceable | Need | PropertyOf


@dataclass(frozen=True, slots=True)
class Unit:
    """One file. ``kind`` is game, module or variant; ``parameters`` only of a module; ``base`` only of a variant."""

    kind: str
    name: str
    parameters: tuple[tuple[str, Expression | None], ...]
    base: str
    items: tuple[Item, ...]
    citations: tuple["Citation", ...] = field(default=(), compare=False)
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Citation:
    """``@ K:13, S0-A5``: the places named at the end of a line."""

    places: tuple[str, ...]
    span: Span
