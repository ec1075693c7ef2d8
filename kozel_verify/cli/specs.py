"""Which spec an argument means."""

import os
from collections.abc import Iterable
from pathlib import Path

import click

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.folders import data_folder
from kozel_verify.language.spans import Span
from kozel_verify.language.words import close_to
from kozel_verify.model.load import Spec, load
from kozel_verify.model.program import names_in


class Misuse(click.ClickException):
    """A command was called in a way that makes no sense: exit code 2."""

    exit_code = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint: the nearest of the known words, or all of them."""
    names = list(known)
    near = close_to(word.lower(), names)
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
    if os.path.exists(argument):  # `Path.exists` raises for a name too long
        return argument
    games = shipped()
    bare = Path(argument).name == argument and not argument.endswith(".kozel")
    if bare and argument in games:
        return str(games[argument])
    hint = meant(argument) or (nearest(argument, games) if bare else "")
    if hint:
        start = Span(argument, 0, 0, 0, 0)
        raise SpecError([Diagnostic("unreadable", start, f"there is no spec `{argument}`", hint)])
    return argument  # whoever reads it tells why it cannot be read


def meant(argument: str) -> str:
    """A hint with the spec that is nearly so called, of the files in the folder of the argument and of the games that
    come with the tool; or nothing."""
    folder, file = os.path.split(argument)
    stem = file.removesuffix(".kozel")
    known = {name: f"`{name}`" for name in shipped()}
    known |= {name: f"the file `{os.path.join(folder, name)}.kozel`" for name in names_in(Path(folder))}
    near = [stem] if stem in known else close_to(stem, sorted(known))
    return f"did you mean {known[near[0]]}?" if near else ""


def open_spec(argument: str) -> Spec:
    """The spec that an argument means. Raises ``SpecError``."""
    return load(path_of(argument))


def counted_promises(number: int) -> str:
    return "1 promise" if number == 1 else f"{number} promises"
