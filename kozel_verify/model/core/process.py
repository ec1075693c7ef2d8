"""The process graph: effects, blocks, and the nodes at which play waits."""

from dataclasses import dataclass, field

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core.expressions import Expr
from kozel_verify.model.types import Type


@dataclass(frozen=True, slots=True)
class ZoneRef:
    zone: str
    index: Expr | None


@dataclass(frozen=True, slots=True)
class Assign:
    """``cell[index] := value``. Well defined when the value is in the cell's type."""

    cell: str
    index: Expr | None
    value: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Move:
    """Move a set of cards. Well defined when all are in ``source``. A seat learns the faces exactly if it sees the
    faces of the source before or of the target after. A card moved to a zone that is drawn from gets a random place."""

    cards: Expr
    source: ZoneRef
    target: ZoneRef
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Gather:
    """All cards of the pack into one zone; all knowledge of where they are is void."""

    target: ZoneRef
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """The faces of a set of cards are shown to a set of seats: an event, no state."""

    cards: Expr
    to: Expr
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Announce:
    """A value is told to a set of seats: an event, no state. ``label`` is for people and scenarios."""

    value: Expr
    to: Expr
    label: str
    span: Span = field(default=NOWHERE, compare=False)


Effect = Assign | Move | Gather | Show | Announce


@dataclass(frozen=True, slots=True)
class Jump:
    block: int


@dataclass(frozen=True, slots=True)
class Branch:
    condition: Expr
    then: int
    otherwise: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Arrive:
    """The edge ends at a node (an index into ``Game.nodes``)."""

    node: int


@dataclass(frozen=True, slots=True)
class Dead:
    """The spec says that this is never reached."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


Terminator = Jump | Branch | Arrive | Dead


@dataclass(frozen=True, slots=True)
class Block:
    effects: tuple[Effect, ...]
    end: Terminator


@dataclass(frozen=True, slots=True)
class Parameter:
    """One argument of a choice, stored in the cell ``cell`` when chosen.

    ``lo is None``: one element of ``domain``. Else: a subset of ``domain`` whose size lies in ``lo..hi``.
    Domain and bounds may use the parameters before it, as ``Local``.
    """

    name: str
    cell: str
    domain: Expr
    lo: Expr | None
    hi: Expr | None
    type: Type
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Verb:
    """A kind of choice. ``guard`` says which arguments are legal; play goes on at ``block``."""

    name: str
    parameters: tuple[Parameter, ...]
    guard: Expr
    block: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Ask:
    """A seat chooses. ``secret``: the others learn only that it has answered."""

    name: str
    seat: Expr
    secret: bool
    verbs: tuple[Verb, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Draw:
    """Chance moves one card of ``source`` to ``target``, each with the same probability; its face goes to ``cell``
    (if any). Well defined when the source is not empty. A seat learns the face as with ``Move``."""

    name: str
    source: ZoneRef
    target: ZoneRef
    cell: str | None
    block: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Rest:
    """Nothing is asked; play goes on by itself. Marks the end of a deal (the phase called ``deal``)."""

    name: str
    block: int
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class End:
    """The match is over."""

    name: str
    span: Span = field(default=NOWHERE, compare=False)


Node = Ask | Draw | Rest | End
