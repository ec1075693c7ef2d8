"""Text for whatever standard output turns out to be.

A stream that cannot show suit symbols gets letters (``JH``, ``6S``) and a ``?`` for what it cannot show at all; the
width never changes, so that marks under a line stay where they belong. JSON is escaped there instead. The long paths of
specs that come with the tool are shortened, but in JSON.
"""

import json
import os
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO
from unicodedata import category

from kozel_verify.language.folders import data_folder

_LETTERS = {
    "♠": "S", "♣": "C", "♦": "D", "♥": "H", "—": "-", "–": "-", "→": ">", "…": ".", "«": '"', "»": '"', "·": ".",
}  # fmt: skip
SLOW = 1.0  # seconds after which progress is shown
PAUSE = 0.1  # seconds between two looks at progress on a terminal
SELDOM = 5.0  # seconds between two lines elsewhere


def shows_suits(stream: TextIO) -> bool:
    """Can the stream's encoding hold suit symbols?"""
    return _holds(stream.encoding or "ascii", "♠♥")


def shown_as(text: str, stream: TextIO) -> str:
    """The text, or its nearest likeness of equal width that the stream can show."""
    encoding = stream.encoding or "ascii"
    return text if _holds(encoding, text) else "".join(_likeness(character, encoding) for character in text)


def _holds(encoding: str, text: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _likeness(character: str, encoding: str) -> str:
    if _holds(encoding, character):
        return character
    return _LETTERS.get(character, "?" if not character.isascii() else character)


def say(*lines: str) -> None:
    """Lines to standard output."""
    for line in lines:
        sys.stdout.write(shown_as(visible(with_short_paths(line)), sys.stdout) + "\n")


def complain(*lines: str) -> None:
    """Lines to standard error."""
    for line in lines:
        sys.stderr.write(shown_as(visible(with_short_paths(line)), sys.stderr) + "\n")


def visible(text: str) -> str:
    """The text with a ``?`` for each character that would steer a terminal, as names of files may have them."""
    return text if text.isprintable() else "".join("?" if _steers(character) else character for character in text)


def _steers(character: str) -> bool:
    return character not in "\n\t" and category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def with_short_paths(line: str) -> str:
    """The line with ``shipped spec/lib/NAME.kozel`` for the file of that name that comes with the tool."""
    if ".kozel" not in line:
        return line
    inside = re.escape(f"{data_folder('spec')}{os.sep}") + r"((?:lib[/\\])?\w+\.kozel)\b"
    return re.sub(inside, lambda found: "shipped spec/" + found[1].replace("\\", "/"), line)


def say_json(value: object) -> None:
    """One JSON value to standard output, indented, keys in the order given."""
    text = json.dumps(value, ensure_ascii=not shows_suits(sys.stdout), indent=2)
    sys.stdout.write(shown_as(text, sys.stdout) + "\n")


class Progress:
    """``done/total`` on standard error: on a terminal in one line, once the work has taken a second; where lines are
    ``kept`` also elsewhere, as lines of their own some seconds apart."""

    def __init__(self, label: str, kept: bool = False) -> None:
        self.label = label
        self._live = sys.stderr.isatty()
        self._enabled = self._live or kept
        self._begun = self._last = time.monotonic()
        self._width = 0

    def at(self, done: int, total: int | None = None, what: str = "") -> None:
        """Show how far the work is; cheap enough for inner loops."""
        if not self._enabled:
            return
        now = time.monotonic()
        wait, pause = (SLOW, PAUSE) if self._live else (SELDOM, SELDOM)
        if now - self._begun < wait or now - self._last < pause:
            return
        self._last = now
        amount = str(done) if total is None else f"{done}/{total}"
        text = f"{self.label} {amount} {what}".rstrip()
        if not self._live:
            complain(text)
            sys.stderr.flush()
            return
        line = shown_as(text, sys.stderr)
        sys.stderr.write("\r" + line.ljust(self._width))
        sys.stderr.flush()
        self._width = len(line)

    def clear(self) -> None:
        if self._width:
            sys.stderr.write("\r" + " " * self._width + "\r")
            sys.stderr.flush()
            self._width = 0


@contextmanager
def progress(label: str, kept: bool = False) -> Iterator[Progress]:
    """A ``Progress`` that leaves no trace on a terminal."""
    shown = Progress(label, kept)
    try:
        yield shown
    finally:
        shown.clear()


def suits_shown() -> bool:
    """Can standard output show suit symbols?"""
    return shows_suits(sys.stdout)
