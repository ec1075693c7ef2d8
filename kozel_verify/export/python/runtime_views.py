"""What a player may know: observations, menus from observations.

The text below the line is copied into every module, where the names of ``tables`` are those of its game.
"""

from collections.abc import Mapping
from typing import Any

from kozel_verify.export.python.helpers import _members
from kozel_verify.export.python.runtime import (
    ANNOUNCED,
    ASK,
    CHOSEN,
    GATHERED,
    MOVED,
    SHOWN,
    State,
    _actions,
    _choice,
    _menu,
    _options,
    current_player,
    is_terminal,
)
from kozel_verify.export.python.runtime_values import BadInput, _decode, _encode, _names
from kozel_verify.export.python.tables import (
    ANNOUNCEMENTS,
    ASKED,
    CELL_KINDS,
    CELL_LABELS,
    HAND,
    IDLE_CELLS,
    INITIAL_CELLS,
    MENUS,
    NODE_KINDS,
    NODE_NAMES,
    OPTIONS,
    PACK,
    SEATS,
    SECRET_NODES,
    TOLD_MENUS,
    VERB_NAMES,
    ZONE_LABELS,
    Event,
    cell_viewers,
    zone_viewers,
)

# --- what a player may know ------------------------------------------------------------------------------------------


def legal_actions(state: State | Mapping[str, Any]) -> list[dict[str, Any]]:
    """All legal actions in canonical order, from a state or from what ``observation`` has given to the player who is
    to choose (for other players: none). Raises ``BadInput`` for a malformed view."""
    if isinstance(state, State):
        return _actions(state.node, _menu(state))
    return _actions_from_view(state)


def observation(state: State, player: int) -> dict[str, Any]:
    """Everything that a player knows, as JSON: the position as far as it sees it, its menu when it is to choose, and
    the events it has learned of since this deal began (since its own last action, when that lies in the deal before).
    """
    if isinstance(player, bool) or not isinstance(player, int) or not 0 <= player < SEATS:
        raise BadInput(f"a player is a number from 0 to {SEATS - 1}, not {player!r}")
    turn = current_player(state)
    viewers = enumerate(cell_viewers(state.cells, state.options))
    shown = [n for n, seen_by in viewers if seen_by >> player & 1 and n not in IDLE_CELLS[state.node]]
    faces = zone_viewers(state.cells, state.options)
    return {
        "player": player,
        "episode": state.episode,
        "options": {n: _encode(k, v) for (n, k, _, _), v in zip(OPTIONS, state.options, strict=True)},
        "at": NODE_NAMES[state.node],
        "terminal": is_terminal(state),
        "current_player": turn,
        "cells": {CELL_LABELS[n]: _encode(CELL_KINDS[n], state.cells[n]) for n in shown},
        "zones": {
            ZONE_LABELS[n]: {"size": cards.bit_count(), "cards": [*_names(cards)]}
            if faces[n] >> player & 1
            else {"size": cards.bit_count()}
            for n, cards in enumerate(state.zones)
        },
        "legal_actions": legal_actions(state) if turn == player else [],
        "events": _events(state, player),
    }


def _events(state: State, player: int) -> list[dict[str, Any]]:
    events = state.log
    own = [n for n, event in enumerate(state.earlier) if event[0] == CHOSEN and event[2] == player]
    if not any(event[0] == CHOSEN and event[2] == player for event in state.log):
        events = state.earlier[own[-1] if own else 0 :] + events
    found = (_event(event, player) for event in events)
    return [event for event in found if event is not None]


def _event(event: Event, player: int) -> dict[str, Any] | None:
    """What a player learns of an event, if anything."""
    if event[0] == CHOSEN:
        return _chosen(event, player)
    if event[0] == MOVED:
        _, cards, source, target, seen_by, drawn = event
        move = {"from": ZONE_LABELS[source], "to": ZONE_LABELS[target], "count": cards.bit_count()}
        faces = {"cards": [*_names(cards)]} if seen_by >> player & 1 else {}
        return {"type": "draw" if drawn else "move", **move, **faces}
    if event[0] == GATHERED:
        return {"type": "gather", "to": ZONE_LABELS[event[1]]}
    if not event[-1] >> player & 1:
        return None
    if event[0] == SHOWN:
        return {"type": "show", "cards": [*_names(event[1])]}
    if event[0] == ANNOUNCED:
        label, kind = ANNOUNCEMENTS[event[1]]
        return {"type": "announce", "label": label, "value": _encode(kind, event[2])}
    return {"type": "uncover", "zone": ZONE_LABELS[event[1]], "cards": [*_names(event[2])]}


def _chosen(event: Event, player: int) -> dict[str, Any]:
    """A choice: to its own player all of it, to others nothing when it is secret, else the arguments without cards."""
    _, node, seat, verb, *arguments = event
    told: dict[str, Any] = {"type": "choice", "at": NODE_NAMES[node], "seat": seat}
    if seat == player or node not in SECRET_NODES:
        name, parameters = VERB_NAMES[node][verb]
        told["action"] = {"type": name}
        for (key, kind, cards), value in zip(parameters, arguments, strict=True):
            if seat == player or not cards:
                told["action"][key] = _encode(kind, value)
    return told


def _actions_from_view(view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The menu by the rules, in a position in which what the player does not see is filled in anyhow; that the answer
    does not depend on how is the spec's obligation "no peeking". Where a rule reads a hidden cell that the player knows
    from events alone, the menu is the one that the view tells."""
    if not isinstance(view, Mapping):
        raise BadInput("a state or a view was expected")
    try:
        options, at = _options(view["options"]), view["at"]
        player, turn = view["player"], view["current_player"]
        cells, zones = _cells_of(view["cells"]), _zones_of(view["zones"])
        told = list(view["legal_actions"])
    except (KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"not a view of this game: {error!r}") from None
    if at not in NODE_NAMES:
        raise BadInput(f"no node {at!r} in this game")
    node = NODE_NAMES.index(at)
    if NODE_KINDS[node] != ASK or player != turn:
        return []
    if node not in TOLD_MENUS and ASKED[node](cells, zones, options) != turn:
        raise BadInput("this view contradicts itself: another seat is to choose")
    if node in TOLD_MENUS:
        return _actions(node, [_choice(node, action) for action in told])
    return _actions(node, MENUS[node](cells, zones, options))


def _cells_of(seen: Mapping[str, Any]) -> list[int]:
    cells = list(INITIAL_CELLS)
    for label, value in seen.items():
        if label not in CELL_LABELS:
            raise BadInput(f"no cell {label!r} in this game")
        slot = CELL_LABELS.index(label)
        cells[slot] = _decode(CELL_KINDS[slot], value, label)
    return cells


def _zones_of(seen: Mapping[str, Any]) -> list[int]:
    known = {label: _decode(HAND, seen[label].get("cards", []), label) for label in ZONE_LABELS}
    unseen = list(_members(PACK & ~sum(known.values())))
    if sum(cards.bit_count() for cards in known.values()) + len(unseen) != PACK.bit_count():
        raise BadInput("a card lies in two zones")
    zones = []
    for label, cards in known.items():
        missing = 0 if "cards" in seen[label] else seen[label]["size"]
        if isinstance(missing, bool) or not isinstance(missing, int) or not 0 <= missing <= len(unseen):
            raise BadInput(f"{label} cannot have {missing!r} cards")
        zones.append(cards | sum(1 << card for card in unseen[:missing]))
        unseen = unseen[missing:]
    if unseen:
        raise BadInput(f"{len(unseen)} cards lie nowhere")
    return zones
