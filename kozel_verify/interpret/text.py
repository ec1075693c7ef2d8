"""Values, cards and choices as short texts, and choices read back.

The canonical text of a choice is the verb's name and the arguments in order: ``lead J♥ 8♥``. The elements of a set are
separated by spaces, the arguments of a choice by commas. Menus, replays and scenarios share it; ``parse_choice`` is
its inverse, and also reads suit letters (``JH``), lower case, Russian ranks (``В♥``) and the words of ``Game.terms``.

Everywhere ``language`` is ``""`` for the canonical text, which uses only names, or ``"en"`` or ``"ru"`` for the words
of the game's terms. ``ascii`` writes suits as letters. Seats count from 1 in texts.
"""

from collections.abc import Iterator, Mapping

from kozel_verify.interpret.state import Choice
from kozel_verify.model.core import Ask, Cell, Game, Verb, Zone
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

RUSSIAN_RANKS = {"A": "Т", "K": "К", "Q": "Д", "J": "В"}
NOTHING = {"": "nothing", "en": "nothing", "ru": "ничего"}
NONE = {"": "none", "en": "none", "ru": "нет"}
SEAT = {"": "seat", "en": "seat", "ru": "место"}
TRUTH = {"": ("false", "true"), "en": ("no", "yes"), "ru": ("нет", "да")}


class BadText(ValueError):
    """A text is not that of a choice at this node; the message says what was expected."""


def word(game: Game, name: str, language: str) -> str:
    """What players call ``name``, or the name itself."""
    return game.terms.get(name, {}).get(language, name)


def value_text(game: Game, value: Value, type_: Type, *, ascii: bool = False, language: str = "") -> str:
    """A value of any type as text. A value that is not of the type is written as the number that it is."""
    match type_:
        case OptionalType(of):
            return NONE[language] if value is None else value_text(game, value, of, ascii=ascii, language=language)
        case BoolType():
            return TRUTH[language][bool(value)]
        case SetType(of):
            if not isinstance(value, int) or value < 0:
                return str(value)
            texts = [value_text(game, e, of, ascii=ascii, language=language) for e in members(value)]
            return " ".join(texts) or NOTHING[language]
        case RangeType() | NatType():
            return str(value)
        case CardType() | SuitType() | RankType() | SeatType() | EnumType():
            if not isinstance(value, int) or value not in element_indices(type_):
                return str(value)
            return _element_text(game, value, type_, ascii, language)


def member_text(game: Game, item: Cell | Zone, index: Value) -> str:
    """The name of a cell or a zone; of a member of a family with its index: ``hand[seat 1]``."""
    return item.name if item.index is None else f"{item.name}[{value_text(game, index, item.index)}]"


def _element_text(
    game: Game,
    value: int,
    type_: CardType | SuitType | RankType | SeatType | EnumType,
    ascii: bool,
    language: str,
) -> str:
    match type_:
        case CardType():
            return game.deck.ascii_name(value) if ascii else game.deck.name(value)
        case SuitType():
            suit = game.deck.suits[value]
            return SUIT_LETTERS[suit] if ascii else suit
        case RankType():
            return game.deck.ranks[value]
        case SeatType():
            return f"{SEAT[language]} {value + 1}"
        case EnumType(_, items):
            return word(game, items[value], language)


def set_text(game: Game, cards: int, *, ascii: bool = False, language: str = "") -> str:
    """A set of cards in the deck's order: ``8♥ J♥``."""
    return value_text(game, cards, SetType(CardType(len(game.deck))), ascii=ascii, language=language)


def choice_text(game: Game, ask: Ask, choice: Choice, *, ascii: bool = False, language: str = "") -> str:
    """A choice at ``ask`` as text: ``lead 8♥ J♥``."""
    verb = ask.verbs[choice.verb]
    texts = [
        value_text(game, argument, parameter.type, ascii=ascii, language=language)
        for parameter, argument in zip(verb.parameters, choice.arguments, strict=True)
    ]
    return " ".join([word(game, verb.name, language), ", ".join(texts)]).strip()


def parse_choice(game: Game, ask: Ask, text: str) -> Choice:
    """The choice that a text stands for, legal or not. Raises ``BadText``."""
    plain = _normal(text)
    index, rest = _verb(game, ask, plain)
    verb = ask.verbs[index]
    parts = [part.strip() for part in rest.split(",")] if rest else []
    if len(parts) != len(verb.parameters):
        raise BadText(f"`{verb.name}` takes {len(verb.parameters)} arguments separated by commas, not {len(parts)}")
    return Choice(index, tuple(_argument(game, p.type, part) for p, part in zip(verb.parameters, parts, strict=True)))


def _normal(text: str) -> str:
    """One space between words, no case, no variation selectors behind suit symbols."""
    return " ".join(text.replace("\ufe0e", "").replace("\ufe0f", "").casefold().split())


def _verb(game: Game, ask: Ask, plain: str) -> tuple[int, str]:
    """The verb with which the text begins, and what follows. A verb's own name goes before words of the terms."""
    spellings: dict[str, int] = {}
    for index, verb in enumerate(ask.verbs):
        spellings[_normal(verb.name)] = index
    for index, verb in enumerate(ask.verbs):
        for spelling in _words(game, verb):
            spellings.setdefault(spelling, index)
    found = _longest(spellings, plain)
    if found is None:
        names = ", ".join(f"`{verb.name}`" for verb in ask.verbs)
        raise BadText(f"`{plain}` does not begin with one of {names}")
    return found


def _words(game: Game, verb: Verb) -> Iterator[str]:
    yield from (_normal(spelling) for spelling in game.terms.get(verb.name, {}).values())


def _longest(spellings: Mapping[str, int], text: str) -> tuple[int, str] | None:
    """The longest spelling that ``text`` begins with, as a whole word: its element, and the text behind it."""
    for spelling in sorted(spellings, key=len, reverse=True):
        if text == spelling or text.startswith(spelling + " "):
            return spellings[spelling], text[len(spelling) :].strip()
    return None


def _argument(game: Game, type_: Type, text: str) -> Value:
    if isinstance(type_, SetType):
        return _subset(game, type_.of, text)
    found = _longest(_spellings(game, type_), text)
    if found is None or found[1]:
        raise BadText(f"`{text}` is not a `{type_}`")
    return found[0]


def _subset(game: Game, of: Type, text: str) -> int:
    if text in {_normal(nothing) for nothing in NOTHING.values()}:
        return 0
    spellings = _spellings(game, of)
    mask = 0
    while text:
        found = _longest(spellings, text)
        if found is None:
            raise BadText(f"`{text}` does not begin with a `{of}`")
        element, text = found
        if mask >> element & 1:
            raise BadText(f"{value_text(game, element, of)} is named twice")
        mask |= 1 << element
    return mask


def _spellings(game: Game, type_: Type) -> dict[str, int]:
    """Every way to write an element, without case; where two agree the canonical text wins."""
    found: dict[str, int] = {}
    elements = element_indices(type_)
    for language in ("", "en", "ru"):
        for ascii in (False, True):
            for element in elements:
                text = value_text(game, element, type_, ascii=ascii, language=language)
                found.setdefault(_normal(text), element)
    if isinstance(type_, CardType | RankType):
        for spelling, element in list(found.items()):
            for latin, russian in RUSSIAN_RANKS.items():
                if spelling.startswith(latin.casefold()):
                    found.setdefault(russian.casefold() + spelling[1:], element)
    return found
