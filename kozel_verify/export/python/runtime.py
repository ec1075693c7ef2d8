"""The public interface of every exported module: states, actions, play.

The text below the line is copied into every module, where the names of ``tables`` are those of its game.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kozel_verify.export.python.helpers import RuleFault, _members
from kozel_verify.export.python.runtime_values import BadInput, IllegalAction, _decode, _encode, _hand, _names
from kozel_verify.export.python.tables import (
    ASKED,
    CARD,
    DEAL_END,
    DRAWN_FROM,
    DRAWS,
    EDGES,
    HAND,
    INITIAL_CELLS,
    MENUS,
    NODE_KINDS,
    NODE_NAMES,
    NODE_RULES,
    OPTIONS,
    PACK,
    REASONS,
    RESTS,
    RULES,
    SEATS,
    SOURCES,
    VERB_NAMES,
    VERBS,
    ZONE_LABELS,
    Event,
    Parameters,
    begin,
    broken_constraint,
    gain_of,
    loss_of,
    outcome_of,
)

# --- events and nodes ------------------------------------------------------------------------------------------------

MIXED, GATHERED, CHOSEN, MOVED, SHOWN, ANNOUNCED, UNCOVERED = range(7)
ASK, DRAW, REST, END = range(4)


def _move(
    z: list[int], e: list[Event], viewers: Sequence[int], cards: int, source: int, target: int, drawn: int = 0
) -> None:
    """Move cards between zone slots; who sees one end learns the faces."""
    if cards & ~z[source]:
        raise RuleFault(f"{_names(cards & ~z[source])} not in {ZONE_LABELS[source]}")
    if cards:
        z[source] &= ~cards
        z[target] |= cards
        e.append((MOVED, cards, source, target, viewers[source] | viewers[target], drawn))
        if SOURCES >> target & 1:
            e.append((MIXED, z[target]))


def _gather(z: list[int], e: list[Event], target: int) -> None:
    """All cards of the pack into one zone slot."""
    z[:] = [0] * len(z)
    z[target] = PACK
    e.append((GATHERED, target))


def _uncover(z: list[int], e: list[Event], before: Sequence[int], after: Sequence[int]) -> None:
    """Seats that have become viewers of a zone see what lies in it."""
    for slot, cards in enumerate(z):
        if cards and after[slot] & ~before[slot]:
            e.append((UNCOVERED, slot, cards, after[slot] & ~before[slot]))


# --- states ----------------------------------------------------------------------------------------------------------


class _Fields(NamedTuple):
    options: tuple[int, ...]
    episode: str
    node: int
    cells: tuple[int, ...]
    zones: tuple[int, ...]
    order: tuple[int, ...]
    random: int
    keep: bool
    log: tuple[Event, ...]
    earlier: tuple[Event, ...]


class State(_Fields):
    """Where a game stands, with everything hidden: for servers, not for players. Immutable, hashable, comparable.

    ``cells`` and ``zones`` (sets of cards) hold the position; ``order``, ``random`` and ``keep`` decide the coming
    draws; ``log`` has the events of this deal, ``earlier`` those of the deal before.
    """

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a state does not change: `apply_action` returns a new one")


def new_initial_state(
    *,
    options: Mapping[str, Any] | None = None,
    seed: int | None = None,
    deck: Sequence[str] | None = None,
    episode: str = "deal",
) -> State:
    """The state at the first choice. Raises ``BadInput``.

    ``options``: values as JSON, by name; defaults for the others. ``seed``: 0 to 2**64 - 1, random when not given.
    ``deck``: all cards of the pack in the order in which they come off in the first deal. ``episode``: ``"deal"`` ends
    when a deal has been counted, ``"match"`` when the match is over.
    """
    if episode not in ("deal", "match"):
        raise BadInput(f"an episode is 'deal' or 'match', not {episode!r}")
    if seed is None:
        seed = secrets.randbits(64)
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed < 1 << 64:
        raise BadInput(f"a seed is a number from 0 to 2**64 - 1, not {seed!r}")
    values = _options({} if options is None else options)
    if deck is None:
        order, generator = _shuffled(_members(PACK), seed)
    else:
        order, generator = _deck(deck), seed
    c, z, e = list(INITIAL_CELLS), [0] * len(ZONE_LABELS), list[Event]()
    z[0] = PACK
    node = begin(c, z, values, e)
    start = State(values, episode, node, (), (), order, generator, deck is not None, (), ())
    return _settle(start, node, c, z, e)


def _options(given: Mapping[str, Any]) -> tuple[int, ...]:
    if not isinstance(given, Mapping):
        raise BadInput("options are given as an object from names to values")
    unknown = sorted(str(name) for name in given if name not in {name for name, _, _, _ in OPTIONS})
    if unknown:
        raise BadInput(f"no option {unknown[0]!r}; there are: {', '.join(n for n, _, _, _ in OPTIONS) or 'none'}")
    values = []
    for name, kind, domain, default in OPTIONS:
        value = _decode(kind, given[name], f"option {name}") if name in given else default
        if value not in domain:
            raise BadInput(f"option {name} is one of {[_encode(kind, v) for v in domain]}, not {given[name]!r}")
        values.append(value)
    broken = broken_constraint(tuple(values))
    if broken >= 0:
        told = ", ".join(f"{name} = {given[name]!r}" for name in given) or "none"
        raise BadInput(f"these options exclude each other [{RULES[broken]}]; given: {told}; the others as by default")
    return tuple(values)


def _deck(names: Sequence[str]) -> tuple[int, ...]:
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise BadInput("a deck is a list of card names")
    order = tuple(_decode(CARD, name, "deck") for name in names)
    if len(order) != PACK.bit_count() or sum(1 << card for card in set(order)) != PACK:
        raise BadInput(f"a deck names each of the {PACK.bit_count()} cards of the pack once")
    return order


# --- chance ----------------------------------------------------------------------------------------------------------

_WORD = (1 << 64) - 1


def _shuffled(cards: Sequence[int], x: int) -> tuple[tuple[int, ...], int]:
    """A random order of cards, and the next state of the generator: Fisher-Yates from the end with splitmix64, numbers
    too large to be fair thrown away."""
    order = list(cards)
    for i in range(len(order) - 1, 0, -1):
        limit = (1 << 64) - (1 << 64) % (i + 1)
        y = limit
        while y >= limit:
            x = x + 0x9E3779B97F4A7C15 & _WORD
            y = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _WORD
            y = (y ^ y >> 27) * 0x94D049BB133111EB & _WORD
            y ^= y >> 31
        j = y % (i + 1)
        order[i], order[j] = order[j], order[i]
    return tuple(order), x


def _follow(event: Event, order: tuple[int, ...], generator: int, keep: bool) -> tuple[tuple[int, ...], int, bool]:
    """What gathering the pack, or a card put into a zone that is drawn from, does to the order of the cards."""
    if event[0] == GATHERED:
        if not keep:
            order, generator = _shuffled(_members(PACK), generator)
        return order, generator, False
    mixed, generator = _shuffled(_members(event[1]), generator)
    following = iter(mixed)
    order = tuple(next(following) if event[1] >> card & 1 else card for card in order)
    return order, generator, keep


_LONGEST = 10_000


def _settle(state: State, node: int, c: list[int], z: list[int], e: list[Event]) -> State:
    """Go on from a node by chance alone, to the next choice or the end of the episode."""
    options, episode, _, _, _, order, generator, keep, log, earlier = state
    followed = 0
    for _ in range(_LONGEST):
        for event in e[followed:] if followed else e:
            if event[0] <= GATHERED:
                order, generator, keep = _follow(event, order, generator, keep)
        followed = len(e)
        kind = NODE_KINDS[node]
        if kind == DRAW:
            source = z[DRAWN_FROM[node](c, z, options)]
            node = DRAWS[node](c, z, options, e, _first_of(order, source, node))
        elif kind == REST and (episode == "match" or node != DEAL_END):
            if node == DEAL_END:
                log, earlier, e, followed = (), log + _lasting(e), [], 0
            node = RESTS[node](c, z, options, e)
        else:
            parts = options, episode, node, tuple(c), tuple(z), order, generator, keep, log + _lasting(e), earlier
            return tuple.__new__(State, parts)
    raise RuleFault(f"{_LONGEST} steps of chance without a question")


def _first_of(order: tuple[int, ...], source: int, node: int) -> int:
    """The card that a draw takes."""
    for card in order:
        if source >> card & 1:
            return card
    raise RuleFault(f"nothing to draw at {NODE_NAMES[node]}")


def _lasting(e: list[Event]) -> tuple[Event, ...]:
    return tuple([event for event in e if event[0]])


# --- play ------------------------------------------------------------------------------------------------------------


def _no_state(given: object) -> BadInput:
    return BadInput(f"a state is wanted, not {type(given).__name__}")


def is_terminal(state: State) -> bool:
    """Is the episode over?"""
    if not isinstance(state, State):
        raise _no_state(state)
    return NODE_KINDS[state.node] != ASK


def current_player(state: State) -> int | None:
    """The seat that is to choose, from 0; ``None`` when the episode is over."""
    if not isinstance(state, State):
        raise _no_state(state)
    if NODE_KINDS[state.node] != ASK:
        return None
    return ASKED[state.node](state.cells, state.zones, state.options)


def returns(state: State) -> list[int]:
    """For each seat what the episode has brought, and zeros before its end. A deal: gain minus loss. A match, and a
    deal that ends the match at once: 1 won, 0 neither, -1 lost."""
    if not isinstance(state, State):
        raise _no_state(state)
    _, _, node, c, z, *_ = state
    if NODE_KINDS[node] == END:
        return [outcome_of(c, z, state.options, seat) - 1 for seat in range(SEATS)]
    if NODE_KINDS[node] == REST:
        return [gain_of(c, z, state.options, s) - loss_of(c, z, state.options, s) for s in range(SEATS)]
    return [0] * SEATS


def _menu(state: State) -> list[tuple[int, ...]]:
    """The legal choices as numbers, kept with the state: verb and arguments."""
    if not isinstance(state, State):
        raise _no_state(state)
    memo: dict[str, list[tuple[int, ...]]] = state.__dict__
    menu = memo.get("menu")
    if menu is None:
        asked = NODE_KINDS[state.node] == ASK
        menu = memo["menu"] = MENUS[state.node](state.cells, state.zones, state.options) if asked else []
    return menu


def _actions(node: int, menu: list[tuple[int, ...]]) -> list[dict[str, Any]]:
    verbs = VERB_NAMES.get(node, ())
    return [_action(verbs[choice[0]], choice) for choice in menu]


def _action(verb: tuple[str, Parameters], choice: tuple[int, ...]) -> dict[str, Any]:
    name, parameters = verb
    if len(parameters) == 1 and parameters[0][1] is HAND:  # by far the most frequent
        return {"type": name, parameters[0][0]: [*_names(choice[1])]}
    action: dict[str, Any] = {"type": name}
    for (key, kind, _), value in zip(parameters, choice[1:], strict=True):
        action[key] = _encode(kind, value)
    return action


def action_count(state: State) -> int:
    """How many actions are legal."""
    return len(_menu(state))


def action_at(state: State, number: int) -> dict[str, Any]:
    """The legal action at a position of ``legal_actions(state)``. Raises ``BadInput``."""
    menu = _menu(state)
    if type(number) is not int or not 0 <= number < len(menu):
        raise BadInput(f"there are {len(menu)} legal actions: no number {number!r}")
    return _action(VERB_NAMES[state.node][menu[number][0]], menu[number])


def apply_at(state: State, number: int) -> State:
    """The state after the legal action at a position of ``legal_actions(state)``. Raises ``BadInput``."""
    menu = _menu(state)
    if type(number) is not int or not 0 <= number < len(menu):
        raise BadInput(f"there are {len(menu)} legal actions: no number {number!r}")
    return _apply(state, menu[number])


def apply_action(state: State, action: Mapping[str, Any]) -> State:
    """The state after an action. Raises ``IllegalAction``; the given state stays as it is in any case."""
    if not isinstance(state, State):
        raise _no_state(state)
    if NODE_KINDS[state.node] != ASK:
        raise IllegalAction("the episode is over", RULES[NODE_RULES[state.node]])
    choice = _choice(state.node, action)
    if choice not in _menu(state):
        why = REASONS[state.node][choice[0]](state.cells, state.zones, state.options, *choice[1:])
        raise IllegalAction(why[0], RULES[why[1]])
    return _apply(state, choice)


def _apply(state: State, choice: tuple[int, ...]) -> State:
    options, _, node, cells, zones, *_ = state
    c, z = list(cells), list(zones)
    e: list[Event] = [(CHOSEN, node, ASKED[node](cells, zones, options), *choice)]
    return _settle(state, EDGES[node][choice[0]](c, z, options, e, *choice[1:]), c, z, e)


def _choice(node: int, action: Mapping[str, Any]) -> tuple[int, ...]:
    """An action as numbers: verb and arguments, each of the right type. Raises ``IllegalAction``."""
    rule = RULES[NODE_RULES[node]]
    if not isinstance(action, Mapping) or not isinstance(action.get("type"), str):
        raise IllegalAction("an action is an object with a `type`", rule)
    verb = VERBS[node].get(action["type"])
    if verb is None:
        raise IllegalAction(f"no action {action['type']!r} here, but: {', '.join(VERBS[node])}", rule)
    number, parameters = verb
    if len(parameters) == 1 and len(action) == 2 and parameters[0][1] is HAND and parameters[0][0] in action:
        try:  # by far the most frequent
            return number, _hand(action[parameters[0][0]], parameters[0][0])
        except BadInput as error:
            raise IllegalAction(str(error), rule) from None
    if len(action) != len(parameters) + 1 or any(key not in action for key, _, _ in parameters):
        keys = ", ".join(["type", *(key for key, _, _ in parameters)])
        raise IllegalAction(f"the action {action['type']!r} has exactly the keys {keys}", rule)
    try:
        return (number, *[_decode(kind, action[key], key) for key, kind, _ in parameters])
    except IllegalAction:
        raise
    except BadInput as error:
        raise IllegalAction(str(error), rule) from None
