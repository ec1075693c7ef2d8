"""States as text, and back.

The text below the line is copied into every module, where the names of ``tables`` are those of its game.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from kozel_verify.export.python.runtime import (
    ANNOUNCED,
    ASK,
    CHOSEN,
    END,
    GATHERED,
    MOVED,
    SHOWN,
    UNCOVERED,
    State,
    _deck,
    _no_state,
    _options,
)
from kozel_verify.export.python.runtime_values import BadInput, _decode, _encode, _names
from kozel_verify.export.python.tables import (
    ANNOUNCEMENTS,
    CARDS,
    CELL_KINDS,
    CELL_LABELS,
    DEAL_END,
    HAND,
    IDLE_CELLS,
    INITIAL_CELLS,
    NODE_KINDS,
    NODE_NAMES,
    OPTIONS,
    PACK,
    SEATS,
    SPEC,
    VERB_NAMES,
    ZONE_LABELS,
    Event,
    Kind,
)

# --- states as text --------------------------------------------------------------------------------------------------

_FORMAT, _VERSION = "kozel state", 1
_PLACE_KEYS = ("format", "version", "spec", "episode", "options", "at", "cells", "zones")
_KEYS = [*_PLACE_KEYS, "order", "random", "keep", "log", "earlier"]


def serialize(state: State) -> str:
    """The whole state, hidden cards included, as JSON with keys in a fixed order: for servers, not for players."""
    if not isinstance(state, State):
        raise _no_state(state)
    return json.dumps(
        {
            "format": _FORMAT,
            "version": _VERSION,
            "spec": SPEC["hash"],
            "episode": state.episode,
            "options": {n: _encode(k, v) for (n, k, _, _), v in zip(OPTIONS, state.options, strict=True)},
            "at": NODE_NAMES[state.node],
            "cells": {
                label: _encode(kind, value)
                for label, kind, value in zip(CELL_LABELS, CELL_KINDS, state.cells, strict=True)
            },
            "zones": {label: [*_names(cards)] for label, cards in zip(ZONE_LABELS, state.zones, strict=True)},
            "order": [CARDS[card] for card in state.order],
            "random": f"{state.random:016x}",
            "keep": state.keep,
            "log": [[int(n) for n in event] for event in state.log],
            "earlier": [[int(n) for n in event] for event in state.earlier],
        }
    )


def deserialize(text: str) -> State:
    """The state that ``serialize`` has written. Raises ``BadInput`` for anything else."""
    try:
        data = json.loads(text)
    except (ValueError, TypeError, RecursionError) as error:
        raise BadInput(f"a serialized state is JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != _FORMAT:
        raise BadInput("not a serialized state")
    if data.get("version") != _VERSION:
        raise BadInput(f"version {_VERSION} of the format was expected, not {data.get('version')!r}")
    if data.get("spec") != SPEC["hash"]:
        raise BadInput(f"a state of another spec: {data.get('spec')!r}, not {SPEC['hash']!r}")
    if list(data) != _KEYS:
        raise BadInput(f"the keys of a serialized state are {', '.join(_KEYS)}")
    try:
        return _state(data)
    except (TypeError, AttributeError, ValueError, KeyError) as error:
        raise error if isinstance(error, BadInput) else BadInput(f"malformed state: {error}") from None


def _state(data: Mapping[str, Any]) -> State:
    if data["episode"] not in ("deal", "match"):
        raise BadInput(f"an episode is 'deal' or 'match', not {data['episode']!r}")
    if data["at"] not in NODE_NAMES:
        raise BadInput(f"no node {data['at']!r} in this game")
    if len(data["options"]) != len(OPTIONS):
        raise BadInput("all options have to be given")
    node = NODE_NAMES.index(data["at"])
    if NODE_KINDS[node] not in (ASK, END) and not (data["episode"] == "deal" and node == DEAL_END):
        raise BadInput(f"no state rests at {data['at']!r}")
    digits = data["random"]
    hexadecimal = isinstance(digits, str) and len(digits) == 16 and set(digits) <= set("0123456789abcdef")
    if not hexadecimal or not isinstance(data["keep"], bool):
        raise BadInput("random is a text of 16 hexadecimal digits, keep is true or false")
    return State(
        _options(data["options"]),
        data["episode"],
        node,
        _all_cells(data["cells"], node),
        _all_zones(data["zones"]),
        _deck(data["order"]),
        int(digits, 16),
        data["keep"],
        tuple(_checked_event(event) for event in data["log"]),
        tuple(_checked_event(event) for event in data["earlier"]),
    )


def _all_cells(given: Mapping[str, Any], node: int) -> tuple[int, ...]:
    if tuple(given) != CELL_LABELS:
        raise BadInput(f"the cells are {', '.join(CELL_LABELS)}")
    cells = tuple(_decode(kind, given[label], label) for label, kind in zip(CELL_LABELS, CELL_KINDS, strict=True))
    for slot in IDLE_CELLS[node]:
        if cells[slot] != INITIAL_CELLS[slot]:
            raise BadInput(f"{CELL_LABELS[slot]} is not in use at {NODE_NAMES[node]}")
    return cells


def _all_zones(given: Mapping[str, Any]) -> tuple[int, ...]:
    if tuple(given) != ZONE_LABELS:
        raise BadInput(f"the zones are {', '.join(ZONE_LABELS)}")
    zones = tuple(_decode(HAND, given[label], label) for label in ZONE_LABELS)
    together = 0
    for label, cards in zip(ZONE_LABELS, zones, strict=True):
        if cards & together or cards & ~PACK:
            raise BadInput(f"{_names(cards & (together | ~PACK))[0]} in {label} is not in the pack, or lies twice")
        together |= cards
    if together != PACK:
        raise BadInput(f"{_names(PACK & ~together)[0]} lies nowhere")
    return zones


def _checked_event(given: Any) -> Event:
    """An event, each of whose numbers stands for something."""
    if not isinstance(given, list) or not given or not all(type(n) is int for n in given):
        raise BadInput(f"an event is a list of numbers, not {given!r}")
    event = tuple(given)
    slot: Kind = ("number", 0, len(ZONE_LABELS) - 1)
    seats: Kind = ("set", ("number", 0, SEATS - 1))
    flag: Kind = ("number", 0, 1)
    shapes: dict[int, tuple[Kind, ...]] = {
        GATHERED: (slot,),
        MOVED: (HAND, slot, slot, seats, flag),
        SHOWN: (HAND, seats),
        UNCOVERED: (slot, HAND, seats),
        CHOSEN: _choice_shape(event),
    }
    if event[0] == ANNOUNCED and len(event) == 4 and 0 <= event[1] < len(ANNOUNCEMENTS):
        shapes[ANNOUNCED] = (("number", 0, len(ANNOUNCEMENTS) - 1), ANNOUNCEMENTS[event[1]][1], seats)
    shape: Sequence[Kind] | None = shapes.get(event[0])
    if shape is None or len(shape) + 1 != len(event) or not all(map(_stands_for, shape, event[1:])):
        raise BadInput(f"not an event of this game: {given!r}")
    return event


def _choice_shape(event: Event) -> tuple[Kind, ...]:
    """The kinds of the numbers of a choice; nothing fits when there is no such choice."""
    number: Kind = ("number", 0, None)
    if len(event) < 4 or event[1] not in VERB_NAMES or not 0 <= event[3] < len(VERB_NAMES[event[1]]):
        return ()
    parameters = VERB_NAMES[event[1]][event[3]][1]
    return (number, ("number", 0, SEATS - 1), number, *[kind for _, kind, _ in parameters])


def _stands_for(kind: Kind, number: int) -> bool:
    """Does the number stand for a value of the kind?"""
    match kind[0]:
        case "names":
            return 0 <= number < len(kind[1])
        case "bool":
            return number in (0, 1)
        case "set":
            return number >= 0 and all(_stands_for(kind[1], i) for i in range(number.bit_length()) if number >> i & 1)
        case "optional":
            return number == -1 or _stands_for(kind[1], number)
        case _:
            return number >= kind[1] and (kind[2] is None or number <= kind[2])
