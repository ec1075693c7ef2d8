"""Errors in specs, shown beside the text they are about, or as data.

In go diagnostics; out come lines such as::

    error[unknown-name]: there is no `beets`
     --> my.kozel:3:17
      |
    3 |   example not beets(A♥, 10♥)
      |               ^^^^^
      = hint: did you mean `beats`?

Columns count characters; a tab is shown as four spaces. Of a span over several lines the first and last are shown.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span

TAB = 4
MANY_LINES = 4  # a span over more lines is shown by its two first and its last


def source_lines(file: str) -> list[str]:
    """The lines of a spec as the parser counted them; none when the file cannot be read any more."""
    path = Path(file)
    try:
        if not path.is_file():
            return []
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff")).split("\n")


def report(problems: Iterable[Diagnostic], notes: Mapping[Diagnostic, str] | None = None) -> list[str]:
    """All problems as text, a blank line between two. ``notes`` adds a line to some of them."""
    texts: dict[str, list[str]] = {}
    lines: list[str] = []
    for problem in problems:
        file = problem.span.file
        if file not in texts:
            texts[file] = source_lines(file)
        if lines:
            lines.append("")
        lines += described(problem, texts[file], (notes or {}).get(problem, ""))
    return lines


def described(problem: Diagnostic, text: list[str], note: str = "") -> list[str]:
    """One problem; ``text`` are the lines of its file."""
    span = problem.span
    lines = [f"error[{problem.code}]: {problem.message}"]
    width = len(str(span.end_line))
    if span.line:
        lines.append(f"{' ' * width}--> {span}")
    lines += excerpt(span, text, width)
    tail = [("note", note), ("hint", problem.hint)]
    if problem.fix is not None:
        tail.append(("fix", f"write `{problem.fix.text}` at {problem.fix.span.line}:{problem.fix.span.column}"))
    return lines + [f"{' ' * width} = {word}: {said}" for word, said in tail if said]


def excerpt(span: Span, text: list[str], width: int) -> Iterator[str]:
    """The lines of a span with marks under it; line numbers take ``width`` columns."""
    if not 1 <= span.line <= len(text) or not any(text):
        return
    last = min(max(span.end_line, span.line), len(text))
    if last > span.line and span.end_line == last and span.end_column <= 1:
        last -= 1  # the span ends with the line break
    numbers = list(range(span.line, last + 1))
    if len(numbers) > MANY_LINES:
        numbers = [*numbers[:2], 0, numbers[-1]]
    yield f"{' ' * width} |"
    for number in numbers:
        if number == 0:
            yield f"{'.' * width} |"
            continue
        line = text[number - 1].rstrip("\r")
        begin = span.column if number == span.line else len(line) - len(line.lstrip()) + 1
        end = span.end_column if number == span.end_line else len(line.rstrip()) + 1
        yield f"{number:>{width}} | {shown(line)}".rstrip()
        marks = "^" * max(1, breadth(line[begin - 1 : end - 1]))
        yield f"{' ' * width} | {' ' * breadth(line[: begin - 1])}{marks}"


def shown(line: str) -> str:
    """A line of source without characters that move the cursor."""
    return "".join(" " * TAB if c == "\t" else c if c.isprintable() else "\ufffd" for c in line)


def breadth(text: str) -> int:
    """How many columns of a terminal a text takes up."""
    return sum(_columns(c) for c in text)


def _columns(character: str) -> int:
    if character == "\t":
        return TAB
    if unicodedata.combining(character) or character in "\ufe0e\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def as_data(problem: Diagnostic, note: str = "") -> dict[str, object]:
    """The same for ``--format json``."""
    fix = problem.fix
    return {
        "code": problem.code,
        **place(problem.span),
        "message": problem.message,
        "hint": problem.hint,
        "note": note,
        "fix": None if fix is None else {**place(fix.span), "text": fix.text},
    }


def place(span: Span) -> dict[str, object]:
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
