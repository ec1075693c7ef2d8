"""Places in spec texts."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one source file.

    ``line`` and ``column`` count from 1 and columns count characters; the end is exclusive.
    ``file`` is the path as the user gave it (or a module's path relative to its root), never resolved.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __reduce__(self) -> tuple[type["Span"], tuple[str, int, int, int, int]]:
        return Span, (self.file, self.line, self.column, self.end_line, self.end_column)  # a tree has many of them

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0, 0, 0)


class Word(str):
    """A name that knows where it is written. Equal to, and hashed like, the plain text."""

    __slots__ = ("span",)
    span: Span

    def __new__(cls, text: str, span: Span) -> "Word":
        word = super().__new__(cls, text)
        word.span = span
        return word

    def __reduce__(self) -> tuple[type["Word"], tuple[str, Span]]:
        return Word, (str(self), self.span)


def place_of_name(name: str, otherwise: Span) -> Span:
    """Where a name is written; ``otherwise`` for a plain text."""
    return name.span if isinstance(name, Word) else otherwise


def covered(text: str, span: Span) -> str:
    """What a span covers of its file's text, on one line and without comments and citations; empty where that is not
    the text."""
    lines = text.split("\n")[span.line - 1 : span.end_line] if span.line else []
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(re.sub("[#@].*", "", line) for line in lines).split())
