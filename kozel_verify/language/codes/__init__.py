"""The registry of error codes: what each means, for the author of a spec, and a text that has the error.

``CODES`` has one entry for each code that a ``Diagnostic`` can have. ``docs/errors.md`` is made from it.
"""

from kozel_verify.language.codes.entry import GAME, Code, file_of
from kozel_verify.language.codes.name_codes import NAME_CODES
from kozel_verify.language.codes.rule_codes import RULE_CODES
from kozel_verify.language.codes.text_codes import TEXT_CODES

__all__ = ["CODES", "Code", "file_of", "markdown"]

CODES: dict[str, Code] = {**TEXT_CODES, **NAME_CODES, **RULE_CODES}
_CHAPTERS = (
    ("Files and texts", TEXT_CODES),
    ("Names and types", NAME_CODES),
    ("Declarations, rules and properties", RULE_CODES),
)


def markdown() -> str:
    """The page of all codes: the same for every call."""
    lines = [
        "# Errors in specs",
        "",
        "<!-- made by `python -m tests.support.pages`; edit the registry, not this page -->",
        "",
        "Every error has a code, a place, a message and usually a hint. This page has a chapter for each code, with a "
        "text that has the error; `«…»` marks the place that the tool points at. Where an example is only an item or a "
        "statement, it stands in this game:",
        "",
        *_fenced(GAME.replace("STATEMENTS", "    # statements\n").replace("ITEMS", "  # items\n")),
    ]
    for chapter, codes in _CHAPTERS:
        lines += [f"## {chapter}", ""]
        for name in sorted(codes):
            lines += _page(name, codes[name])
    return "\n".join(lines).rstrip() + "\n"


def _page(name: str, code: Code) -> list[str]:
    lines = [f"### `{name}`", "", f"{code.title[:1].upper()}{code.title[1:]}.", "", code.explanation, ""]
    for name, text in code.files.items():
        file = file_of(name)
        lines += [f"With `{file}`:", "", *_fenced(text, file.rpartition(".")[2])]
    if code.example:
        where = {"file": "", "items": "As an item:", "statements": "As a statement of `deal`:"}[code.frame]
        lines += ([where, ""] if where else []) + _fenced(code.example)
    return lines


def _fenced(text: str, language: str = "kozel") -> list[str]:
    return [f"```{language}", *text.rstrip("\n").split("\n"), "```", ""]
