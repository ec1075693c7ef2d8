"""What holds a game's state, what may be read: cells, zones, options, functions."""

from dataclasses import dataclass, field
from enum import Enum

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core.expressions import Expr, Local
from kozel_verify.model.types import Type, Value


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who sees a slot: ``seats`` is a set of seats; ``variable`` names the slot's index in it (empty if no family).

    The expression may read options and public cells only.
    """

    variable: str
    seats: Expr


class CellKind(Enum):
    DECLARED = "declared"  # written in the spec as `state`
    CHOICE = "choice"  # the argument of a choice that is still needed later
    LET = "let"  # a `let`, or a drawn card's name
    LOOP = "loop"  # a loop's variable or what is left of its domain


@dataclass(frozen=True, slots=True)
class Cell:
    """A variable of the state, or a family of them with one slot for each element of ``index``.

    ``base`` is the position of its first slot in a state's ``cells``; slot ``base + k`` belongs to the ``k``-th
    element of ``index``. Every kind but ``DECLARED`` is set back to ``initial`` at nodes where it is not live.
    """

    name: str
    type: Type
    index: Type | None
    initial: Value
    seen: Visibility
    kind: CellKind
    base: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Zone:
    """A set of cards, or a family of them. ``base`` is the number of its first zone slot (a card's ``place``)."""

    name: str
    index: Type | None
    seen: Visibility
    base: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class OptionDecl:
    """A rigid unknown. ``values`` is its domain in order; a ``shape`` option occurs in bounds and loop domains."""

    name: str
    type: Type
    values: tuple[Value, ...]
    default: Value
    shape: bool
    text: dict[str, str] = field(compare=False, hash=False)  # language -> what players call it
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Function:
    """A pure function; it may read cells, zones and options. A predicate is one of type Bool. Never recursive."""

    name: str
    parameters: tuple[Local, ...]
    body: Expr
    type: Type
    span: Span = field(default=NOWHERE, compare=False)
