"""The data of a game as Python literals: kinds of values, labels of slots, verbs.

Every text of a spec passes through ``repr`` here or in ``menus``, ``edges``.
"""

import pprint
from collections.abc import Iterable

from kozel_verify.model.core import Game, Parameter
from kozel_verify.model.deck import SUIT_LETTERS
from kozel_verify.model.types import (
    BoolType,
    CardType,
    EnumType,
    NatType,
    OptionalType,
    RangeType,
    RankType,
    SeatType,
    SetType,
    SuitType,
    Type,
    Value,
    element_indices,
    members,
)


def plain(value: object) -> str:
    """Data as a Python literal. ``value`` holds only texts, numbers, truth values and containers of them."""
    return pprint.pformat(_simple(value), width=110, sort_dicts=False)


def _simple(value: object) -> object:
    """The same data with texts of no other class than ``str`` (and ``Name``), whose ``repr`` is known."""
    match value:
        case Name():
            return value
        case str():
            return str.__str__(value)
        case dict():
            return {_simple(k): _simple(v) for k, v in value.items()}
        case tuple():
            return tuple(_simple(v) for v in value)
        case list():
            return [_simple(v) for v in value]
        case _:
            return value


class Name(str):
    """A name of the module, which stands in data as itself."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def kind(game: Game, type_: Type) -> tuple[object, ...] | Name:
    """How values of a type are written as JSON; see ``Kind`` in ``tables``."""
    match type_:
        case BoolType():
            return ("bool",)
        case NatType():
            return ("number", 0, None)
        case RangeType(lo, hi):
            return ("number", lo, hi)
        case SeatType(count):
            return ("number", 0, count - 1)
        case EnumType(_, items):
            return ("names", items)
        case CardType():
            return Name("CARD")
        case SuitType():
            return ("names", tuple(SUIT_LETTERS[suit] for suit in game.deck.suits))
        case RankType():
            return ("names", game.deck.ranks)
        case SetType(CardType()):
            return Name("HAND")
        case SetType(of):
            return ("set", kind(game, of))
        case OptionalType(of):
            return ("optional", kind(game, of))


def as_json(game: Game, type_: Type, value: Value) -> object:
    """A value as functions of the module take and give it."""
    match type_:
        case OptionalType(of):
            return None if value is None else as_json(game, of, value)
        case SetType(of):
            return [as_json(game, of, element) for element in members(int(value or 0))]
        case _:
            return _element_json(game, type_, int(value or 0))


def _element_json(game: Game, type_: Type, index: int) -> object:
    match type_:
        case BoolType():
            return bool(index)
        case EnumType(_, items):
            return items[index]
        case CardType():
            return game.deck.ascii_name(index)
        case SuitType():
            return SUIT_LETTERS[game.deck.suits[index]]
        case RankType():
            return game.deck.ranks[index]
        case _:
            return index


def card_names(game: Game) -> tuple[str, ...]:
    return tuple(game.deck.ascii_name(card) for card in range(len(game.deck)))


def slot_labels(game: Game, name: str, index: Type | None) -> list[str]:
    """``name[0]``, ``name[1]``, …, or the name alone."""
    if index is None:
        return [name]
    of = kind(game, index)
    names = card_names(game) if isinstance(index, CardType) else of[1] if of[0] == "names" else None
    return [f"{name}[{names[k] if isinstance(names, tuple) else k}]" for k in element_indices(index)]


def distinct(labels: Iterable[str]) -> tuple[str, ...]:
    """The same labels, with a number behind those that occur before."""
    found: dict[str, None] = {}
    for label in labels:
        text, number = label, 2
        while text in found:
            text, number = f"{label}#{number}", number + 1
        found[text] = None
    return tuple(found)


def parameter_keys(parameters: tuple[Parameter, ...]) -> tuple[str, ...]:
    """The keys of an action: ``cards`` and ``card`` for the first set of cards and the first card, else the names."""
    keys: list[str] = []
    for parameter in parameters:
        key = parameter.name
        if isinstance(parameter.type, SetType) and isinstance(parameter.type.of, CardType):
            key = "cards"
        elif isinstance(parameter.type, CardType):
            key = "card"
        if key in keys or key == "type":
            key = parameter.name
        while key in keys or key == "type":
            key += "_"
        keys.append(key)
    return tuple(keys)


def names_cards(type_: Type) -> bool:
    """Is it a card or a set of cards, which an open choice does not tell by itself?"""
    return isinstance(type_.of if isinstance(type_, SetType) else type_, CardType)
