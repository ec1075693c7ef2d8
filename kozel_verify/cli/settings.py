"""The pack and the options of a game, as arguments name them."""

from collections.abc import Sequence

from kozel_verify.cli.specs import Misuse, nearest
from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import Game, OptionDecl
from kozel_verify.model.load import Spec
from kozel_verify.model.types import SeatType, Value


def game_of(spec: Spec, pack: str | None) -> Game:
    """The game on its full pack, or on the named smaller one."""
    if not pack:
        return spec.game
    if pack not in spec.packs:
        hint = nearest(pack, spec.packs) or "leave `--pack` out: it has only the full pack"
        raise Misuse(f"`{spec.game.name}` has no pack `{pack}`", hint)
    return spec.small(pack)


def options_of(game: Game, given: Sequence[str]) -> dict[str, Value]:
    """``NAME=VALUE`` texts to values; the last word on a name counts."""
    found: dict[str, Value] = {}
    for text in given:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise Misuse(f"`{text}` sets no option", "write `--option NAME=VALUE`")
        if name not in game.options:
            hint = nearest(name, game.options) or f"`{game.name}` has no options"
            raise Misuse(f"`{game.name}` has no option `{name}`", hint)
        found[name] = _value(game, game.options[name], value)
    return found


def _value(game: Game, option: OptionDecl, text: str) -> Value:
    spellings: dict[str, Value] = {}
    for value in option.values:
        for language in ("", "en", "ru"):
            for ascii in (False, True):
                spellings.setdefault(value_text(game, value, option.type, ascii=ascii, language=language), value)
        if isinstance(option.type, SeatType) and isinstance(value, int):
            spellings.setdefault(str(value + 1), value)
    by_case = {spelling.casefold(): value for spelling, value in spellings.items()}
    if text.casefold() in by_case:
        return by_case[text.casefold()]
    names = [value_text(game, value, option.type) for value in option.values]
    raise Misuse(f"`{option.name}` cannot be `{text}`", nearest(text, names))
