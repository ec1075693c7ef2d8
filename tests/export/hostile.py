"""The toy game with names and texts that would like to be code."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from kozel_verify.language.spans import Span
from kozel_verify.model.core import Apply, Game, Step
from kozel_verify.model.deck import Deck
from tests.support.toy import toy_game

TAIL = "'\"\"\"\n{0}\\\r\n__import__('os').abort()\n#\u2028\u202e{name}"


def _renamed(value: Any) -> Any:
    """The same data with the tail behind every text but operators and the deck's symbols."""
    if isinstance(value, str):
        return value + TAIL if value else value
    if isinstance(value, Deck | Step):
        return value
    if isinstance(value, Span):
        return Span("rules" + TAIL, 1, 1, 1, 2)
    if is_dataclass(value) and not isinstance(value, type):
        kept = {"op"} if isinstance(value, Apply) else set[str]()
        changed = {f.name: _renamed(getattr(value, f.name)) for f in fields(value) if f.name not in kept}
        return replace(value, **changed)
    if isinstance(value, dict):
        return {_renamed(k): _renamed(v) for k, v in value.items()}
    if isinstance(value, tuple | frozenset):
        return type(value)(_renamed(v) for v in value)
    return value


def hostile_game() -> Game:
    game: Game = _renamed(toy_game())
    # The seat in `outcome`, `gain`, `loss` is called so by the core itself, not by an author.
    plain = toy_game()
    names = {"outcome": plain.outcome, "gain": plain.gain, "loss": plain.loss}
    return replace(game, **{name: _with_seat(_renamed(expr)) for name, expr in names.items()})


def _with_seat(value: Any) -> Any:
    if isinstance(value, str):
        return "seat" if value == "seat" + TAIL else value
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{f.name: _with_seat(getattr(value, f.name)) for f in fields(value)})
    if isinstance(value, tuple):
        return tuple(_with_seat(v) for v in value)
    return value
