"""Which spec an argument means, and values for its options and packs."""

import os
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from pathlib import Path

import click

from kozel_verify.interpret.text import value_text
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.parse import data_folder
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Game, OptionDecl
from kozel_verify.model.load import Spec, load
from kozel_verify.model.types import SeatType, Value


class Misuse(click.ClickException):
    """A command was called in a way that makes no sense: exit code 2."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint: the nearest of the known words, or all of them."""
    names = list(known)
    near = get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    if near:
        return f"did you mean `{near[0]}`?"
    return "there are " + ", ".join(f"`{n}`" for n in names) if names else ""


def shipped() -> dict[str, Path]:
    """The games that come with the tool, by name."""
    return {path.stem: path for path in sorted(data_folder("spec").glob("*.kozel"))}


def path_of(argument: str) -> str:
    """The file that an argument means: a path, or the bare name of a shipped game where there is no such file.

    Raises ``SpecError`` when the argument looks like a misspelt name.
    """
    bare = Path(argument).name == argument and not argument.endswith(".kozel")
    if bare and not os.path.exists(argument):  # `Path.exists` raises for a name too long
        games = shipped()
        if argument in games:
            return str(games[argument])
        start = Span(argument, 0, 0, 0, 0)
        raise SpecError([Diagnostic("unreadable", start, f"there is no spec `{argument}`", nearest(argument, games))])
    return argument


def open_spec(argument: str) -> Spec:
    """The spec that an argument means. Raises ``SpecError``."""
    return load(path_of(argument))


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


def counted_promises(number: int) -> str:
    return "1 promise" if number == 1 else f"{number} promises"
