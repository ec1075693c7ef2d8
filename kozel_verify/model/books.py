"""Tables that stand beside specs: which lines of a source have sentences, and which readings there are.

In goes a way to read files; out come the tables that hold for a file, and errors with their places. A table decides
whether a citation names something, never what a game means. Trusted: that what a table says of a source is so.
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeVar

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.parse import MAX_CHARACTERS, READING, normalise
from kozel_verify.language.spans import Span
from kozel_verify.language.words import did_you_mean

SOURCES, READINGS, WORDS = "sources.toml", "readings.toml", "words.toml"
TABLES = (SOURCES, READINGS, WORDS)
CONFIDENCE = ("H", "M", "L", "I", "D")  # the text or several sources; one source; a guess; it follows; our design
MAX_LINE = 300  # characters: a parser of TOML can take the square of a line's length
MAX_LINES = 10_000  # of a source
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text that is cited. ``sentences``: how many of them stand on each line, from the first line on."""

    name: str
    file: str
    title: str
    sentences: tuple[int, ...]

    def ids(self) -> list[str]:
        """The sentences, such as ``K:7.3``."""
        return [f"{self.name}:{i}.{k}" for i, n in enumerate(self.sentences, 1) for k in range(1, n + 1)]


@dataclass(frozen=True, slots=True)
class Reading:
    """How a place is read that is silent, unclear or contradicts another. ``options``: the values of options that
    offer other readings; ``departs``: the reading taken leaves the literal text."""

    name: str
    places: tuple[str, ...]
    confidence: str
    question: str
    taken: str
    options: tuple[tuple[str, tuple[str, ...]], ...]
    departs: bool


@dataclass(frozen=True, slots=True)
class Book:
    """The tables that hold for a file; ``None`` where there is none."""

    sources: dict[str, SourceText] | None = None
    readings: dict[str, Reading] | None = None


@dataclass(frozen=True, slots=True)
class Sources:
    """``texts`` is ``None`` when the table cannot be used."""

    texts: dict[str, SourceText] | None
    problems: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class Readings:
    """``entries`` is ``None`` when the table cannot be used."""

    entries: dict[str, Reading] | None
    problems: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class WordList:
    """How names are called: by name and language. Not read with a spec, but for the pages made from it."""

    entries: dict[str, dict[str, str]]
    problems: tuple[Diagnostic, ...] = ()


_AnyTable = TypeVar("_AnyTable", Sources, Readings)


@dataclass(slots=True)
class Shelf:
    """Finds the tables of files. ``read`` is called with a table's name and the file that it is to be beside."""

    read: Callable[[str, str], tuple[str, str] | None]
    problems: list[Diagnostic] = field(default_factory=list)

    def beside(self, file: str) -> Book:
        """The tables that hold for a file. Adds what is wrong with them to ``problems``, once."""
        sources, readings = self._found(SOURCES, file), self._found(READINGS, file)
        return Book(
            None if sources is None else self._sound(sources_of(*sources)).texts,
            None if readings is None else self._sound(readings_of(*readings)).entries,
        )

    def _found(self, name: str, beside: str) -> tuple[str, str] | None:
        try:
            return self.read(name, beside)
        except SpecError as e:
            self._note(e.diagnostics)
            return None

    def _sound(self, table: _AnyTable) -> _AnyTable:
        self._note(table.problems)
        return table

    def _note(self, problems: Iterable[Diagnostic]) -> None:
        self.problems += [d for d in problems if d not in self.problems]


@lru_cache(maxsize=8)
def sources_of(text: str, file: str) -> Sources:
    """The table of sources in a text."""
    table = _Table(text, file, ("file", "title", "lines", "sentences"))
    found = {}
    for name, entry in table.entries():
        sentences = table.numbers(name, entry, "sentences")
        lines = table.number(name, entry, "lines")
        if not table.problems and lines != len(sentences):
            table.fault(name, f"`{name}` has {lines} lines, but `sentences` has {len(sentences)} numbers")
        found[name] = SourceText(name, table.text(name, entry, "file"), table.text(name, entry, "title"), sentences)
    return Sources(None if table.problems else found, tuple(table.problems))


@lru_cache(maxsize=8)
def readings_of(text: str, file: str) -> Readings:
    """The table of readings in a text."""
    table = _Table(text, file, ("at", "confidence", "question", "taken", "options", "departs"))
    found = {}
    for name, entry in table.entries():
        if not re.fullmatch(READING, name):
            table.fault(name, f"`{name}` is no name of a reading", "write it as `S0-A5`")
        confidence = table.text(name, entry, "confidence")
        if confidence and confidence not in CONFIDENCE:
            known = ", ".join(f"`{c}`" for c in CONFIDENCE)
            table.fault(name, f"`{name}`: `{confidence}` is no confidence", f"there are {known}")
        options = table.part(name, entry, "options", dict, {})
        found[name] = Reading(
            name=name,
            places=table.strings(name, entry, "at"),
            confidence=confidence,
            question=table.text(name, entry, "question"),
            taken=table.text(name, entry, "taken"),
            options=tuple((o, table.strings(name, options, o)) for o in options),
            departs=table.part(name, entry, "departs", bool, False),
        )
    return Readings(None if table.problems else found, tuple(table.problems))


def words_of(text: str, file: str) -> WordList:
    """The list of words in a text."""
    table = _Table(text, file, ("en", "ru"))
    found = {name: {key: table.text(name, entry, key) for key in entry} for name, entry in table.entries()}
    return WordList(found, tuple(table.problems))


class _Table:
    """A text of TOML whose tables all have fields of the same names."""

    def __init__(self, text: str, file: str, fields: tuple[str, ...]) -> None:
        self.text_of, self.file, self.fields = normalise(text), file, fields
        self.problems: list[Diagnostic] = []

    def entries(self) -> Iterable[tuple[str, dict[str, object]]]:
        for name, entry in self._parsed().items():
            if not isinstance(entry, dict):
                self.fault(name, f"`{name}` is not a table", f"begin each entry with its name in brackets: `[{name}]`")
                continue
            for key in entry:
                if key not in self.fields:
                    hint = did_you_mean(key, self.fields) or "there are " + ", ".join(f"`{f}`" for f in self.fields)
                    self.fault(name, f"`{name}` has an unknown field `{key}`", hint)
            yield name, entry

    def _parsed(self) -> dict[str, object]:
        if len(self.text_of) > MAX_CHARACTERS:
            message = f"the table has {len(self.text_of):,} characters; it may have {MAX_CHARACTERS:,}"
            self.problems.append(Diagnostic("bad-table", self._at(1), message, "leave out what is not cited"))
            return {}
        for number, row in enumerate(self.text_of.split("\n"), 1):
            if len(row) > MAX_LINE:
                message = f"the line has {len(row):,} characters; a line of a table may have {MAX_LINE}"
                self.problems.append(Diagnostic("bad-table", self._at(number), message, "break it, or say less"))
                return {}
        try:
            return tomllib.loads(self.text_of)
        except tomllib.TOMLDecodeError as e:
            where = re.search(r"\(at line (\d+), column (\d+)\)", str(e))
            at = self._at(int(where[1]), int(where[2])) if where else self._at(self.text_of.rstrip().count("\n") + 1)
            reason = str(e).split(" (at ")[0].rstrip(".")
            message = f"this is no TOML: {reason[:1].lower()}{reason[1:]}"
        except (RecursionError, ValueError):  # nested too deep; a number of thousands of digits
            at, message = self._at(1), "this is no table of the form that is read"
        self.problems.append(Diagnostic("bad-table", at, message, _SYNTAX))
        return {}

    def fault(self, name: str, message: str, hint: str = "") -> None:
        self.problems.append(Diagnostic("bad-table", self._place(name), message, hint or _SYNTAX))

    def _place(self, name: str) -> Span:
        """The line on which an entry begins, the first of the text when that cannot be told."""
        start = re.compile(r"\s*\[?\"?" + re.escape(name) + r"\b")
        lines = self.text_of.split("\n")
        return self._at(next((i for i, line in enumerate(lines, 1) if start.match(line)), 1))

    def _at(self, line: int, column: int = 1) -> Span:
        return Span(self.file, line, column, line, column + 1)

    def part(self, name: str, entry: dict[str, object], key: str, kind: type[_Value], otherwise: _Value) -> _Value:
        value = entry.get(key, otherwise)
        if type(value) is not kind:
            self.fault(name, f"`{name}`: `{key}` should be {_KINDS[kind]}")
            return otherwise
        return value

    def text(self, name: str, entry: dict[str, object], key: str) -> str:
        found = self.part(name, entry, key, str, "")
        if key not in entry:
            self.fault(name, f"`{name}` has no `{key}`")
        return found

    def number(self, name: str, entry: dict[str, object], key: str) -> int:
        if key not in entry:
            self.fault(name, f"`{name}` has no `{key}`")
        return self.part(name, entry, key, int, 0)

    def strings(self, name: str, entry: dict[str, object], key: str) -> tuple[str, ...]:
        found: list[object] = self.part(name, entry, key, list, [])
        if not all(isinstance(x, str) for x in found):
            self.fault(name, f"`{name}`: `{key}` should be a list of texts")
        return tuple(x for x in found if isinstance(x, str))

    def numbers(self, name: str, entry: dict[str, object], key: str) -> tuple[int, ...]:
        found: list[object] = self.part(name, entry, key, list, [])
        if not all(type(x) is int and 0 <= x <= MAX_LINES for x in found) or len(found) > MAX_LINES:
            self.fault(name, f"`{name}`: `{key}` should be a list of at most {MAX_LINES:,} small numbers")
            return ()
        return tuple(x for x in found if isinstance(x, int))


_KINDS: dict[type, str] = {
    str: "a text in double quotes",
    int: "a number",
    bool: "`true` or `false`",
    list: "a list in brackets",
    dict: "a table in braces",
}
_SYNTAX = "`kozel explain bad-table` shows a table"
