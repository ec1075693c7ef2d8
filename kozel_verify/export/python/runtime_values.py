"""Errors, and values as JSON.

The text below the line is copied into every module, where the names of ``tables`` are those of its game.
"""

from functools import lru_cache
from typing import Any

from kozel_verify.export.python.helpers import _members
from kozel_verify.export.python.tables import CARDS, HAND, Kind

# --- errors, values as JSON ------------------------------------------------------------------------------------------


class BadInput(ValueError):
    """Options, a seed, a deck, a player, a view or a serialized state that cannot be used; the text says why."""


class IllegalAction(BadInput):
    """An action that is malformed or not legal; the state is as it was. ``reason`` says what is wrong, ``rule`` names
    the place of the rule in the spec and the sources that it cites (empty when unknown)."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(f"{reason} [{rule}]" if rule else reason)
        self.reason = reason
        self.rule = rule

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, self.rule)


_BITS = {name: 1 << card for card, name in enumerate(CARDS)}


@lru_cache(maxsize=1 << 16)
def _names(cards: int) -> tuple[str, ...]:
    return tuple([CARDS[card] for card in _members(cards)])


def _hand(names: Any, what: str) -> int:
    """A set of cards from a list of names. Raises ``BadInput``."""
    if not isinstance(names, list | tuple):
        raise BadInput(f"{what}: a list of cards was expected, not {names!r}")
    mask = 0
    for name in names:
        bit = _BITS.get(name, 0) if isinstance(name, str) else 0
        if not bit or mask & bit:
            raise BadInput(f"{what}: {name!r} is no card of this game, or stands there twice")
        mask |= bit
    return mask


def _encode(kind: Kind, value: int) -> Any:
    """A value as JSON: names for cards, suits, ranks and named values, lists for sets, null for none."""
    match kind[0]:
        case "names":
            return kind[1][value]
        case "bool":
            return bool(value)
        case "set" if kind is HAND:
            return [*_names(value)]
        case "set":
            return [_encode(kind[1], element) for element in _members(value)]
        case "optional":
            return None if value == -1 else _encode(kind[1], value)
        case _:
            return value


def _decode(kind: Kind, value: Any, what: str) -> int:
    """A value from JSON. Raises ``BadInput``, which says what was expected of ``what``."""
    if kind is HAND:
        return _hand(value, what)
    match kind[0]:
        case "names":
            if isinstance(value, str) and value in kind[1]:
                found: int = kind[1].index(value)
                return found
            raise BadInput(f"{what}: {value!r} is not one of {' '.join(kind[1])}")
        case "bool":
            if isinstance(value, bool):
                return value
            raise BadInput(f"{what}: true or false was expected, not {value!r}")
        case "set":
            if not isinstance(value, list | tuple):
                raise BadInput(f"{what}: a list was expected, not {value!r}")
            mask = 0
            for item in value:
                bit = 1 << _decode(kind[1], item, what)
                if mask & bit:
                    raise BadInput(f"{what}: {item!r} stands there twice")
                mask |= bit
            return mask
        case "optional":
            return -1 if value is None else _decode(kind[1], value, what)
        case _:
            _, lo, hi = kind
            if isinstance(value, int) and not isinstance(value, bool) and lo <= value and (hi is None or value <= hi):
                return value
            raise BadInput(f"{what}: a number from {lo}{'' if hi is None else f' to {hi}'} was expected, not {value!r}")
