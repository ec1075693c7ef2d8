"""Units and their items: declarations and properties, as written."""

from dataclasses import dataclass, field

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.language.syntax.expressions import Expression, TypeName
from kozel_verify.language.syntax.statements import BindingOf, BlockOf


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
    """What a module wants from its user. ``kind`` is predicate, function, procedure, const, order, zone, state, type
    or option; only the first three have parameters."""

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
class ChoiceOf:
    """A verb, with a name for each of its arguments."""

    verb: str
    arguments: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class StepClaimOf:
    """``choice is None``: by whatever is chosen, or happens; ``targets`` is empty for all nodes."""

    name: str
    sources: tuple[str, ...]
    choice: ChoiceOf | None
    targets: tuple[str, ...]
    statement: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MenuClaimOf:
    name: str
    nodes: tuple[str, ...]
    choice: ChoiceOf
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
class TidingOf:
    """What a seat is told: a value under its ``label`` (``""``: it has none), or cards that are shown (``None``)."""

    label: str | None
    value: Expression
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class StepOf:
    """``word`` is option, deck, start, set, choose, refuse, draw, expect, told or end; the fields it needs are filled.
    Of ``told`` the one expression names the seats."""

    word: str
    name: str = ""
    seat: int = 0
    expressions: tuple[Expression, ...] = ()
    given: GivenValue | None = None
    told: tuple[TidingOf, ...] = ()
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class ScenarioOf:
    title: str
    steps: tuple[StepOf, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """Properties of the base that a variant does not keep: by name or title, or one example as it stands there."""

    named: tuple[str, ...]
    example: ExampleOf | None = None
    span: Span = field(default=NOWHERE, compare=False)


Declaration = (
    Title | Term | Source | Use | DeckOf | Seats | Pack | Enumeration | Option | OptionDefault | Constraint | Order
    | Constant | ZoneOf | StateOf | FunctionOf | ProcedureOf | Result
)  # fmt: skip
PropertyOf = (
    ExampleOf | LemmaOf | ClaimOf | StepClaimOf | MenuClaimOf | MeasureOf | SecretOf | CompiledOf | ScenarioOf
)  # fmt: skip
Item = Declaration | Replaceable | Need | PropertyOf | Withdrawn


@dataclass(frozen=True, slots=True)
class Unit:
    """One file. ``kind`` is game, module or variant; ``parameters`` only of a module; ``base`` only of a variant.

    ``begins``: the lines on which something begins, to which a citation can belong.
    """

    kind: str
    name: str
    parameters: tuple[tuple[str, Expression | None], ...]
    base: str
    items: tuple[Item, ...]
    citations: tuple["Citation", ...] = field(default=(), compare=False)
    begins: frozenset[int] = field(default=frozenset(), compare=False)
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Citation:
    """``@ K:13, S0-A5``: the places named at the end of a line."""

    places: tuple[str, ...]
    span: Span
