"""Statements: what procedures and phases do, as written."""

from dataclasses import dataclass, field

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.language.syntax.expressions import Circle, Expression


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
