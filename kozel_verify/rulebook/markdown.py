"""Texts of a spec in a page: what Markdown would take for a mark stands there as the character that it is."""

import re
from unicodedata import category

_MARK = re.compile(
    r"[\\`*\[\]|~]"  # these anywhere
    r"|(?<![^\W_])_|_(?![^\W_])"  # inside of a word it marks nothing
    r"|(?<!\S)#|^[-+>]"  # headings, quotations and lists
)
_NUMBERED = re.compile(r"^(\d+)(?=[.)](?:\s|$))")
_ENTITY = re.compile(r"&(?=[#\w])")


def plain(text: str) -> str:
    """The text as Markdown that shows it and does nothing else: no mark, no link, no element of HTML; in one line, and
    without what nobody can see."""
    line = "".join(c for c in " ".join(text.split("\n")).strip() if category(c) not in ("Cc", "Cf"))
    marked = _NUMBERED.sub(r"\1\\", _MARK.sub(r"\\\g<0>", line))
    return _ENTITY.sub("&amp;", marked).replace("<", "&lt;")
