"""What a spec claims of its game."""

from dataclasses import dataclass, field
from enum import Enum

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core.expressions import Expr, Local
from kozel_verify.model.core.process import Parameter
from kozel_verify.model.types import Type, Value


@dataclass(frozen=True, slots=True)
class Given:
    """``cell[index] = value``, or an option's value, in an example or a scenario."""

    name: str
    index: Value
    value: Expr
    is_option: bool
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Example:
    """A closed statement about functions, with the cells it depends on."""

    name: str
    statement: Expr
    given: tuple[Given, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Lemma:
    """A statement for all values of its parameters, of the cells and options that it reads (any value of their
    types). A parameter with ``lo`` is a subset of ``domain`` of size ``lo..hi``."""

    name: str
    parameters: tuple[Parameter, ...]  # ``cell`` is empty
    statement: Expr
    span: Span = field(default=NOWHERE, compare=False)


class Claim(Enum):
    INVARIANT = "invariant"  # holds whenever play is at one of the nodes
    WITNESS = "witness"  # holds at one of the nodes in some play


@dataclass(frozen=True, slots=True)
class StateClaim:
    claim: Claim
    name: str
    nodes: tuple[int, ...]
    statement: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class StepClaim:
    """Of every step from one of ``sources`` to one of ``targets`` (node indices), by the choice ``verb`` if one is
    named: the statement holds in the state after it, where ``Old`` parts have their value in the state before it.
    ``arguments`` are those of the choice, as ``Local``. Other steps are not claimed of."""

    name: str
    sources: tuple[int, ...]
    verb: str  # "": whatever comes of the source
    arguments: tuple[Local, ...]
    targets: tuple[int, ...]
    statement: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class MenuClaim:
    """At each of the nodes (all of them questions with this verb) the choice is legal exactly for those
    ``arguments``, among all values of their types, for which the statement holds."""

    name: str
    nodes: tuple[int, ...]
    verb: str
    arguments: tuple[Local, ...]
    statement: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Measure:
    """Lexicographic: each step from a node of the deal to the next makes the tuple smaller."""

    name: str
    values: tuple[Expr, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Secret:
    """At the nodes (all, when empty), no seat of ``hidden_from`` may see a face of ``cards``."""

    name: str
    variable: str
    index: Type | None
    cards: Expr
    hidden_from: Expr
    nodes: tuple[int, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compiled:
    """``function(replies, targets)`` rests on a matching: its compiled form is compared with the reference for
    groups of each size ``lo..hi``; ``restriction`` (a Bool over the ``Local`` ``targets``) gives the second domain."""

    name: str
    function: str
    lo: int
    hi: int
    restriction: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Tiding:
    """A value that is announced under a label (``""``: it has none), or the set of cards that are shown (``None``)."""

    label: str | None
    value: Value
    type: Type


@dataclass(frozen=True, slots=True)
class Step:
    """A scenario's line. ``kind``: ``"choose"`` and ``"refuse"`` (seat, verb, arguments: legal, and not legal),
    ``"draw"`` (one card), ``"expect"``, ``"told"`` (what each seat of the set ``arguments[0]`` was told by the line
    before), ``"end"`` (the match is over)."""

    kind: str
    seat: int | None
    verb: str
    arguments: tuple[Value, ...]
    statement: Expr | None
    span: Span = field(default=NOWHERE, compare=False)
    told: tuple[Tiding, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A play to be replayed: ``deck`` is the order in which cards come off the pack (empty: draws are written as
    steps), ``given`` sets options, cells and zones at the start node."""

    name: str
    start: int | None  # a node; None: the beginning of the match
    given: tuple[Given, ...]
    deck: tuple[int, ...]
    steps: tuple[Step, ...]
    span: Span = field(default=NOWHERE, compare=False)


Property = Example | Lemma | StateClaim | StepClaim | MenuClaim | Measure | Secret | Compiled | Scenario
