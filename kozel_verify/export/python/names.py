"""Safe Python identifiers for the names of a spec.

A name of any alphabet goes in; an ASCII identifier comes out that is no keyword, no builtin, no name of the runtime,
and that no other name of the same namer has. Trusted for: whatever goes in, what comes out matches
``[A-Za-z][A-Za-z0-9_]*``.
"""

import builtins
import keyword
from collections.abc import Iterable

_CYRILLIC = {
    **dict(zip("абвгдезийклмнопрстуфыэіґў", "abvgdeziyklmnoprstufyeigu", strict=True)),
    **{"ё": "yo", "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ъ": "_", "ь": "_"},
    **{"ю": "yu", "я": "ya", "ї": "yi", "є": "ye"},
}
_FORBIDDEN = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins))
_LONGEST = 60


def ascii_identifier(text: str) -> str:
    """An ASCII spelling of ``text`` with letters, digits and ``_`` only, beginning with a letter. Not unique."""
    parts = []
    for char in text[:_LONGEST]:
        if char.isascii() and (char.isalnum() or char == "_"):
            parts.append(char)
        elif char.lower() in _CYRILLIC:
            spelled = _CYRILLIC[char.lower()]
            parts.append(spelled.capitalize() if char != char.lower() else spelled)
        else:
            parts.append(f"_{ord(char):x}_" if char.isalnum() else "_")
    spelled = "".join(parts).strip("_") or "name"
    return spelled if spelled[0].isalpha() else f"n{spelled}"


class Namer:
    """Hands out identifiers, each once. A namer made with a parent also avoids the parent's names."""

    def __init__(self, reserved: Iterable[str] = (), parent: "Namer | None" = None) -> None:
        self._taken = set(reserved)
        self._parent = parent

    def _free(self, name: str) -> bool:
        if name in self._taken or name in _FORBIDDEN:
            return False
        return self._parent is None or self._parent._free(name)

    def take(self, text: str) -> str:
        """A new identifier that looks like ``text``."""
        base = ascii_identifier(text)
        name, number = base, 2
        while not self._free(name):
            name, number = f"{base}_{number}", number + 1
        self._taken.add(name)
        return name
