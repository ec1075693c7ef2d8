"""Where to go on after a syntax error: the next line that begins an item of the unit.

All functions look at the text alone, by its lines, brackets and the words that begin items. They may miss an item or
take a line for one that is none; the errors found from there are then fewer, or are recognised as echoes.
"""

import re
from collections.abc import Iterator

from kozel_verify.language.diagnostics import Diagnostic

MAX_ERRORS = 20
AFTER_THE_END = "stands after the end of the unit"
_WORDS = (
    r"title|term|source|use|deck|seats|pack|type|option|constraint|order|const|zone|"
    r"state|function|predicate|procedure|phase|outcome|gain|loss|need|example|lemma|invariant|witness|step|menu|measure|"
    r"secret|compiled|scenario|withdraw|название|термин|источник|применить|колода|мест|пачка|тип|настройка|ограничение|порядок|"
    r"постоянная|зона|ячейка|функция|предикат|процедура|этап|исход|прибыль|убыток|нужно|пример|лемма|инвариант|"
    r"свидетель|шаг|меню|мера|тайна|собрано|сценарий|отозвать"
)
_ITEM = re.compile(rf"\s*(?:(?:default|заменяемо)\s+)?(?:{_WORDS})\b")
_NOT_CODE = re.compile(r'"[^"\n]*"|[@#][^\n]*')
_CLOSING = {")": "(", "]": "[", "}": "{"}


def begins_item(line: str) -> bool:
    """Is the first word of a line one with which items begin?"""
    return _ITEM.match(line) is not None


def words_of_items() -> list[str]:
    """The words with which items begin, in both spellings."""
    return _WORDS.split("|")


def code_of(text: str) -> str:
    """The text with strings, citations and comments blanked out; every place stays where it is."""
    return _NOT_CODE.sub(lambda m: " " * len(m[0]), text)


def _brackets(text: str) -> Iterator[tuple[str, int, int]]:
    for number, line in enumerate(code_of(text).split("\n"), 1):
        for column, ch in enumerate(line, 1):
            if ch in "()[]{}":
                yield ch, number, column


def opening_of(text: str) -> tuple[str, int, int] | None:
    """The innermost bracket that is never closed: itself, its line and column."""
    stack: list[tuple[str, int, int]] = []
    for ch, line, column in _brackets(text):
        if ch in "([{":
            stack.append((ch, line, column))
        elif stack and stack[-1][0] == _CLOSING[ch]:
            stack.pop()
    return stack[-1] if stack else None


def unit_brace(text: str) -> int | None:
    """The line of the brace that opens the unit; ``None`` when there is none."""
    return next((line for ch, line, _ in _brackets(text) if ch == "{"), None)


def next_item(text: str, line: int, column: int) -> int | None:
    """The first line after an error that begins an item: the error's own line when the error is at its first word.

    An item begins at the depth of the unit, or (where a brace is missing) at the indentation of the unit's first item.
    """
    lines = code_of(text).split("\n")
    indent = _first_indent(lines)
    depth = 0
    for number, code in enumerate(lines, 1):
        begins = begins_item(code)
        aligned = len(code) - len(code.lstrip()) == indent
        after = number > line or (number == line and code[: column - 1].strip() in ("", "default", "заменяемо"))
        if begins and after and (depth == 1 or aligned):
            return number
        if begins and aligned:
            depth = 1
        depth = max(0, depth + code.count("{") - code.count("}"))
    return None


def _first_indent(lines: list[str]) -> int:
    inside = False
    for code in lines:
        if inside and begins_item(code):
            return len(code) - len(code.lstrip())
        inside = inside or "{" in code
    return -1


def blanked_before(text: str, start: int) -> str:
    """The text with all lines before ``start`` blanked out, but for an opening that parses."""
    return "\n".join(["language 1 game rest {", *[""] * (start - 2), *text.split("\n")[start - 1 :]])


def is_echo(error: Diagnostic, text: str) -> bool:
    """Is an error after a restart only the consequence of a brace that was lost before it?"""
    lines = text.rstrip().split("\n")
    at_end = error.span.line >= len(lines) and error.span.column > len(lines[-1])
    return at_end or error.message.endswith(AFTER_THE_END)
