"""What a seat is told on the way from one question to the next, apart from the play itself: announcements, and cards
that are shown.

In go events; out come values and sets of cards in their order, and lines as a scenario writes them. Choices, draws and
moves, and cards that a seat sees because it has become a viewer of a zone, are not among them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from kozel_verify.interpret.state import Announced, Event, Shown
from kozel_verify.model.core import Announce, Game, Step
from kozel_verify.model.types import CardType, SetType, Value, is_value
from kozel_verify.verify.scenario_text import literal


@dataclass(frozen=True, slots=True)
class Heard:
    """A value announced under a label, or (``label`` is ``None``) a set of cards shown."""

    label: str | None
    value: Value


def heard(events: Iterable[object], seat: int) -> tuple[Heard, ...]:
    """What a seat is told by these events, in order."""
    found: list[Heard] = []
    for event in events:
        match event:
            case Announced(label, value, seen_by) if seen_by >> seat & 1:
                found.append(Heard(label, value))
            case Shown(cards, seen_by) if seen_by >> seat & 1:
                found.append(Heard(None, cards))
            case _:
                pass
    return tuple(found)


def written(step: Step) -> tuple[Heard, ...]:
    """What a ``told`` line of a scenario says."""
    return tuple(Heard(t.label, t.value) for t in step.told)


def told_text(game: Game, things: Sequence[Heard]) -> str:
    """As a scenario writes it: ``any = true, shown {6♠}``, or ``none``."""
    return ", ".join(_text(game, one) for one in things) or "none"


def _text(game: Game, one: Heard) -> str:
    if one.label is None:
        return "shown " + literal(game, one.value, SetType(CardType(len(game.deck))))
    return f"{one.label or 'announce'} = {_value(game, one)}"


def _value(game: Game, one: Heard) -> str:
    types = (e.value.type for block in game.blocks for e in block.effects if isinstance(e, Announce)
             and e.label == one.label)  # fmt: skip
    return next((literal(game, one.value, t) for t in types if is_value(one.value, t)), str(one.value))


def told_lines(game: Game, own: Sequence[Event], other: Sequence[Event]) -> list[str]:
    """Lines that say what the seats are told by events of one game which are told something else by those of another,
    seats that are told the same on one line."""
    groups: dict[tuple[Heard, ...], list[int]] = {}
    for seat in range(game.seats):
        if heard(own, seat) != heard(other, seat):
            groups.setdefault(heard(own, seat), []).append(seat)
    return [f"told {_seats(game, seats)} : {told_text(game, things)}" for things, seats in groups.items()]


def _seats(game: Game, seats: Sequence[int]) -> str:
    names = [f"seat {seat + 1}" for seat in seats]
    if len(names) == game.seats:
        return "all"
    return names[0] if len(names) == 1 else "{" + ", ".join(names) + "}"
