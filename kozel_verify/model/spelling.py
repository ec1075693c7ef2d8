"""Hints in the spelling of the spec that is read: words of the language, and names that it gives a meaning to, in
Russian for a Russian spec."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.names import RESULTS, RUSSIAN
from kozel_verify.language.parse import is_russian, shown_terminals
from kozel_verify.model.books import TABLES

_QUOTED = re.compile(r"(?<!did you mean )`[^`]+`")  # what is meant is spelt already as it is known, and may be a title
_NAME = re.compile(r"`(\w+)`")
_WORD = re.compile(r'"[^"]*"|\w+')  # texts stay as they are
_ABOUT_LETTERS = ("mixed-alphabets", "look-alike")


@contextmanager
def hints_spelt_for(text: str) -> Iterator[None]:
    """``SpecError``s from inside get hints and fixes in the spelling of the text."""
    try:
        yield
    except SpecError as error:
        if is_russian(text):
            written = frozenset(re.findall(r"\w+", text))
            error.diagnostics[:] = [_in_russian(d, written) for d in error.diagnostics]
        raise


def _in_russian(d: Diagnostic, written: frozenset[str]) -> Diagnostic:
    """``written``: the words of the text, which keep the spelling in which they are there."""
    if d.code in _ABOUT_LETTERS or Path(d.span.file).name in TABLES:
        return d
    fix = None if d.fix is None else replace(d.fix, text=_spelt(d.fix.text))
    names = {name: russian for name, russian in _reserved_names().items() if name not in written}
    message = _NAME.sub(lambda name: f"`{names.get(name[1], name[1])}`", d.message)
    hint = _QUOTED.sub(lambda part: _spelt(part[0]), d.hint)
    if all(f"`{result}`" in hint for result in RESULTS):  # one alone may be the name of something else
        for result in RESULTS:
            hint = hint.replace(f"`{result}`", f"`{RUSSIAN[result]}`")
    return replace(d, message=message, hint=hint, fix=fix)


def _spelt(code: str) -> str:
    """A piece of a spec in Russian words. Names of its own stay: none is a word of the language; so does the path of a
    file."""
    if "/" in code or "\\" in code:
        return code
    return _WORD.sub(lambda word: _russian_words().get(word[0], word[0]), code)


@cache
def _russian_words() -> dict[str, str]:
    russian = shown_terminals(russian=True)
    words = {word.strip("`"): russian[terminal].strip("`") for terminal, word in shown_terminals().items()}
    return words | _reserved_names()


@cache
def _reserved_names() -> dict[str, str]:
    return {name: russian for name, russian in RUSSIAN.items() if name not in RESULTS}
