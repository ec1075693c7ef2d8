"""States, choices and events of the reference meaning."""

from dataclasses import dataclass

from kozel_verify.model.types import Value


@dataclass(frozen=True, slots=True)
class State:
    """Where a game stands: node index, a value for each cell slot, a zone slot (or ``OUTSIDE``) for each card."""

    node: int
    cells: tuple[Value, ...]
    place: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """An answer to an ``Ask``: index of the verb, one value for each parameter."""

    verb: int
    arguments: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Chance:
    """The outcome of a ``Draw``."""

    card: int


@dataclass(frozen=True, slots=True)
class Proceed:
    """The only outcome of a ``Rest``."""


Outcome = Choice | Chance | Proceed


# Events: what happens on an edge, in order. ``seen_by`` (a mask of seats) learns the faces or the value; everybody
# else learns only that it happened and the public parts (verb, number of cards, zones).


@dataclass(frozen=True, slots=True)
class Chosen:
    node: int
    seat: int
    verb: int
    arguments: tuple[Value, ...]
    secret: bool  # True: the others do not even learn the verb


@dataclass(frozen=True, slots=True)
class Moved:
    cards: int
    source: int  # zone slots
    target: int
    seen_by: int
    drawn: bool


@dataclass(frozen=True, slots=True)
class Gathered:
    target: int


@dataclass(frozen=True, slots=True)
class Shown:
    cards: int
    seen_by: int


@dataclass(frozen=True, slots=True)
class Announced:
    label: str
    value: Value
    seen_by: int


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A seat has become a viewer of a zone and sees its contents."""

    zone: int
    cards: int
    seen_by: int


Event = Chosen | Moved | Gathered | Shown | Announced | Uncovered
