"""The parser's tables, kept between runs: building them from the grammar takes longer than reading a spec.

They lie in the user's own cache folder, under a name made from the grammar's text and the versions of all that built
them; so they are never stale. Where the folder cannot be used, the parser is built anew: nothing but time is lost.
The file is a pickle and trusted as much as the installed program: the folder is the user's and closed to others.
"""

import os
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import lark
from lark import Lark


class _File(str):
    """The path of the tables. Lark mixes the words of all its settings into the tables' stamp; a path that has always
    the same words lets a file keep its stamp when it is renamed."""

    __slots__ = ()

    def __str__(self) -> str:
        return "tables"


def cache_folder() -> Path | None:
    """Where the tables are kept; ``None`` when there is no such place."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA", "")
    else:
        base = os.environ.get("XDG_CACHE_HOME", "")
        if not base and os.environ.get("HOME"):
            base = str(Path(os.environ["HOME"]) / ".cache")
    return Path(base) / "kozel-verify" if base and Path(base).is_absolute() else None


def parser_for(grammar: str, **settings: Any) -> Lark:
    """``Lark(grammar, **settings)``, from kept tables where there are some; keeps them where there are none."""
    folder = cache_folder()
    if folder is None:
        return Lark(grammar, **settings)
    file = folder / f"parser-{_digest(grammar)}.pickle"
    if file.is_file():
        return Lark(grammar, cache=_File(file), **settings)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(dir=folder)
        os.close(handle)
    except OSError:
        return Lark(grammar, **settings)
    return _kept(grammar, fresh, file, settings)


def _kept(grammar: str, fresh: str, file: Path, settings: dict[str, Any]) -> Lark:
    """Build, writing a file that takes its name only when it is complete: others may be reading."""
    os.remove(fresh)
    made = Lark(grammar, cache=_File(fresh), **settings)
    try:
        os.replace(fresh, file)
    except OSError:
        Path(fresh).unlink(missing_ok=True)
    return made


def _digest(grammar: str) -> str:
    return sha256(f"{lark.__version__} {sys.version_info[:3]}\n{grammar}".encode()).hexdigest()[:16]
