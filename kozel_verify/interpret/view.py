"""What a seat sees of a state, and what it learns from events.

A ``View`` and the ``Observed`` of all edges since the start are everything that a seat knows; nothing else may reach a
player. Both are hashable, so that two plays that a seat cannot tell apart compare equal.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from kozel_verify.interpret.evaluate import contents
from kozel_verify.interpret.run import Rules
from kozel_verify.interpret.state import Announced, Chosen, Event, Gathered, Moved, Shown, State, Uncovered
from kozel_verify.interpret.visibility import viewers
from kozel_verify.model.core import Ask, Game, Parameter
from kozel_verify.model.types import CardType, SetType, Value, members


class Unseen(Enum):
    """Stands where a value is hidden from the seat."""

    UNSEEN = "?"


UNSEEN = Unseen.UNSEEN
Shade = Value | Unseen  # a value, or that it is hidden


@dataclass(frozen=True, slots=True)
class View:
    """One state as one seat sees it.

    ``cells`` gives for each cell with at least one visible slot its name and the values of all its slots;
    ``sizes`` the number of cards and ``contents`` the set of cards (or ``UNSEEN``) for each zone slot.
    """

    seat: int
    node: int
    owner: int | None
    options: tuple[tuple[str, Value], ...]
    cells: tuple[tuple[str, tuple[Shade, ...]], ...]
    sizes: tuple[int, ...]
    contents: tuple[int | Unseen, ...]


@dataclass(frozen=True, slots=True)
class SawChoice:
    """A seat has answered: the verb and the arguments as far as they are open, or only (``verb`` is ``None``) that."""

    node: int
    seat: int
    verb: int | None
    arguments: tuple[Shade, ...]


@dataclass(frozen=True, slots=True)
class SawMove:
    """So many cards went from one zone slot to another; their faces, or ``UNSEEN``."""

    count: int
    source: int
    target: int
    drawn: bool
    cards: int | Unseen


@dataclass(frozen=True, slots=True)
class SawCards:
    """The faces of cards were shown to the seat."""

    cards: int


@dataclass(frozen=True, slots=True)
class SawZone:
    """The seat has become a viewer of a zone slot."""

    zone: int
    cards: int


@dataclass(frozen=True, slots=True)
class SawValue:
    """A value was told to the seat."""

    label: str
    value: Value


Observed = SawChoice | SawMove | SawCards | SawZone | SawValue | Gathered


def revealed_to(events: Sequence[object], seats: int) -> tuple[int, ...]:
    """For each seat the set of cards whose faces these events (of one edge) have told it."""
    told = [0] * seats
    for event in events:
        if isinstance(event, Moved | Shown | Uncovered):
            for seat in members(event.seen_by):
                told[seat] |= event.cards
    return tuple(told)


def view(rules: Rules, state: State, seat: int, owner: int | None) -> View:
    """All that ``seat`` sees. Raises ``NotWellDefined`` when a zone's or cell's viewers are not."""
    cells: dict[str, list[Shade]] = {}
    for slot, (cell, index) in enumerate(rules.cell_slots):
        seen = viewers(rules.game, rules.options, state, cell.seen, index) >> seat & 1
        cells.setdefault(cell.name, []).append(state.cells[slot] if seen else UNSEEN)
    held = [contents(state, slot) for slot in range(len(rules.zone_slots))]
    return View(
        seat=seat,
        node=state.node,
        owner=owner,
        options=tuple(rules.options.items()),
        cells=tuple((name, tuple(shades)) for name, shades in cells.items() if any(s is not UNSEEN for s in shades)),
        sizes=tuple(cards.bit_count() for cards in held),
        contents=tuple(
            cards if rules.zone_viewers(state, slot) >> seat & 1 else UNSEEN for slot, cards in enumerate(held)
        ),
    )


def observe(game: Game, events: tuple[Event, ...], seat: int) -> tuple[Observed, ...]:
    """What ``seat`` learns from events, in order: its own choices in full; of others' open choices the verb and the
    arguments that are no cards, of secret ones only that an answer was given; the number and zones of every move, the
    faces only where it sees them; what is shown, told or uncovered to it, and nothing of what is not."""
    seen = (_observe(game, event, seat) for event in events)
    return tuple(one for one in seen if one is not None)


def _observe(game: Game, event: Event, seat: int) -> Observed | None:
    match event:
        case Chosen():
            return _choice(game, event, seat)
        case Moved(cards, source, target, seen_by, drawn):
            shade = cards if seen_by >> seat & 1 else UNSEEN
            return SawMove(cards.bit_count(), source, target, drawn, shade)
        case Gathered():
            return event
        case Shown(cards, seen_by):
            return SawCards(cards) if seen_by >> seat & 1 else None
        case Announced(label, value, seen_by):
            return SawValue(label, value) if seen_by >> seat & 1 else None
        case Uncovered(zone, cards, seen_by):
            return SawZone(zone, cards) if seen_by >> seat & 1 else None


def _choice(game: Game, event: Chosen, seat: int) -> SawChoice:
    if event.seat == seat:
        return SawChoice(event.node, event.seat, event.verb, event.arguments)
    if event.secret:
        return SawChoice(event.node, event.seat, None, ())
    ask = game.nodes[event.node]
    assert isinstance(ask, Ask)
    parameters = ask.verbs[event.verb].parameters
    open_arguments = tuple(
        UNSEEN if _names_cards(parameter) else argument
        for parameter, argument in zip(parameters, event.arguments, strict=True)
    )
    return SawChoice(event.node, event.seat, event.verb, open_arguments)


def _names_cards(parameter: Parameter) -> bool:
    return isinstance(parameter.type.of if isinstance(parameter.type, SetType) else parameter.type, CardType)
