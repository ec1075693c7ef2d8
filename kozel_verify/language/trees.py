"""Syntax trees kept between runs: reading one takes a tenth of the time of parsing its text.

They lie beside the parser's tables, each under a name made from the text, its path, and all that parses it; so they are
never stale. Only what a syntax tree consists of is read back, and only when it is whole: a file that is damaged, or
that cannot be written, costs nothing but time. Short texts and texts with errors are not kept.
"""

import io
import os
import pickle
import sys
import tempfile
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import lark

from kozel_verify.language.folders import data_folder
from kozel_verify.language.parse import parse
from kozel_verify.language.syntax import Unit
from kozel_verify.language.tables import cache_folder

SHORT = 2_000  # characters of a text that is parsed as fast as it is looked up
MANY_UNITS = 128  # that are remembered in one run
MANY_FILES = 256  # on disk; when there are more, half of them go, those not read for longest first
_DIGEST = sha256().digest_size
_PARTS = ("kozel_verify.language.syntax.", "kozel_verify.language.spans")


@lru_cache(maxsize=MANY_UNITS)
def unit_of(text: str, file: str) -> Unit:
    """What ``parse`` makes of a text; what many games use is parsed once. Raises ``SpecError`` like it."""
    folder = _folder() if len(text) >= SHORT else None
    if folder is None:
        return parse(text, file)
    path = folder / sha256(f"{_parsed_by()}\n{file}\n{text}".encode()).hexdigest()
    kept = _read(path)
    if kept is None:
        kept = parse(text, file)
        _write(path, kept)
    return kept


class _Tree(pickle.Unpickler):
    """Makes nodes of syntax trees and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith(_PARTS) and "." not in name else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError("no part of a syntax tree")
        return found


def _folder() -> Path | None:
    base = cache_folder()
    return base / "units" if base else None


@cache
def _parsed_by() -> str:
    """A digest of the sources and the versions of all that parses."""
    here = Path(__file__).parent
    digest = sha256(f"{lark.__version__} {sys.version_info[:3]}".encode())
    for path in [*sorted(here.rglob("*.py")), data_folder("grammar") / "kozel.lark"]:
        data = path.read_bytes()
        digest.update(f"{path.name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def _read(path: Path) -> Unit | None:
    """The tree in a file, if there is one and it is whole."""
    try:
        data = path.read_bytes()
        if sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        tree = _Tree(io.BytesIO(data[_DIGEST:])).load()
        os.utime(path)
    except (OSError, pickle.UnpicklingError):
        return None
    return tree if isinstance(tree, Unit) else None


def _write(path: Path, unit: Unit) -> None:
    """Under a name that is taken only by what is complete: others may be reading."""
    payload = pickle.dumps(unit, protocol=pickle.HIGHEST_PROTOCOL)
    fresh = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make_room(path.parent)
        handle, fresh = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(sha256(payload).digest() + payload)
        os.replace(fresh, path)
    except OSError:
        if fresh is not None:
            Path(fresh).unlink(missing_ok=True)


def _make_room(folder: Path) -> None:
    files = list(folder.iterdir())
    if len(files) >= MANY_FILES:
        for path in sorted(files, key=lambda p: p.stat().st_mtime_ns)[: MANY_FILES // 2]:
            path.unlink(missing_ok=True)
