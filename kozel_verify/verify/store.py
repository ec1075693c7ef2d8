"""A folder of results that were found before.

In go texts (keys) with bytes; the same bytes come out for the same key, or nothing. What a key must hold so that a
result may be used again is said elsewhere (``slices``, ``kept``, ``symbolic.query_store``). Nothing in the folder is
trusted: an entry is used only if its form, its whole key and its checksum are right, and is written anew otherwise.
(A checksum finds damage, not malice: the folder is the user's own, like the program.)

An entry is one file, written beside its place and then renamed, so that it is there as a whole or not at all, whatever
ends the process and however many processes write. A folder that cannot be written ends the writing, not the work.

All that is ever written or removed lies in a subfolder of a name of our own, so the folder may be one that holds other
things. There, too, only what has the form of an entry is removed, and no link is followed.
"""

import json
import os
import re
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

KIND = b"kozel-verify store "  # entries of any version begin so
HEAD = KIND + b"1\n"
INNER = "kozel-results"  # in the folder that was named: all that is ours
SHARD, NAME = re.compile(r"[0-9a-f]{2}"), re.compile(r"[0-9a-f]{62}")
UNFINISHED = re.compile(r"\.kozel-[a-z0-9_]{8}\.new")
LIMIT = 512 * 1024 * 1024  # bytes of all entries together
LEFT_OVER = 3_600  # seconds after which a file that was never renamed is taken for one that a killed process left
OWN = Path("kozel-verify", "results")


def default_folder() -> Path | None:
    """Where programs keep what can be made again, for this user; ``None`` where no home is known."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else home / "AppData" / "Local") / OWN
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / OWN
    xdg = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(xdg) if os.path.isabs(xdg) else home / ".cache") / OWN


@dataclass(slots=True)
class Store:
    """Entries lie in ``folder``/``INNER``. ``problem``: why nothing can be written, once that was seen; ``written``:
    how many entries this object wrote."""

    folder: Path
    problem: str = ""
    written: int = field(default=0, compare=False)

    @classmethod
    def opened(cls, folder: Path) -> "Store":
        """A store in a folder that is made if need be. One that cannot be written says so in ``problem``."""
        store = cls(folder)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            inner = folder / INNER
            if inner.is_symlink():
                store.problem = f"{INNER} in it is a link"
                return store
            inner.mkdir(mode=0o700, exist_ok=True)
            with tempfile.TemporaryFile(dir=inner):
                pass
        except (OSError, ValueError) as error:
            store._failed(error)
        return store

    def get(self, key: str) -> bytes | None:
        """What was put under this very key."""
        place = self._place(key)
        try:
            if any(path.is_symlink() for path in (place.parent.parent, place.parent, place)):
                return None
            data = place.read_bytes()
        except (OSError, ValueError):
            return None
        return _value(data, key)

    def put(self, key: str, value: bytes) -> None:
        """Keep a value, unless the folder cannot be written."""
        if self.problem:
            return
        rest = json.dumps(key).encode() + b"\n" + value
        place = self._place(key)
        try:
            place.parent.mkdir(mode=0o700, exist_ok=True)
            if place.parent.is_symlink():
                return  # it leads to what is not ours
            _write(place, HEAD + sha256(rest).hexdigest().encode() + b"\n" + rest)
            self.written += 1
        except (FileExistsError, NotADirectoryError, IsADirectoryError):
            return  # something that is not ours is in the way of this one entry
        except (OSError, ValueError) as error:
            self._failed(error)

    def trim(self, limit: int = LIMIT) -> None:
        """Keep the folder below ``limit`` bytes: when it has more, the oldest go, until a fifth of it is free; those of
        one age in the order of their names. What killed processes left goes as well; nothing else ever does."""
        if self.problem:
            return
        named = sorted(_entries(self.folder / INNER))
        if sum(size for _, _, size in named) <= limit:
            return
        entries = [row for row in named if _is_entry(row[1])]
        total = sum(size for _, _, size in entries)
        for _, path, size in entries:
            if total <= limit - limit // 5:
                return
            try:
                os.unlink(path)
            except OSError:
                continue  # another process was faster, or it stays
            total -= size

    def _place(self, key: str) -> Path:
        name = sha256(key.encode()).hexdigest()
        return self.folder / INNER / name[:2] / name[2:]

    def _failed(self, error: Exception) -> None:
        reason = error.strerror if isinstance(error, OSError) else None
        self.problem = (reason or "it cannot be used").lower()


def _value(data: bytes, key: str) -> bytes | None:
    """The value in the bytes of an entry; ``None`` unless all about it is right."""
    checksum, end, rest = data[len(HEAD) :].partition(b"\n")
    if not data.startswith(HEAD) or not end or checksum != sha256(rest).hexdigest().encode():
        return None
    found, _, value = rest.partition(b"\n")
    return value if found == json.dumps(key).encode() else None


def _write(place: Path, data: bytes) -> None:
    """As a whole or not at all. Raises ``OSError``."""
    number, fresh = tempfile.mkstemp(prefix=".kozel-", suffix=".new", dir=place.parent)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        if place.is_dir():
            raise IsADirectoryError
        os.replace(fresh, place)
    except BaseException:
        os.unlink(fresh)
        raise


def _entries(inner: Path) -> Iterator[tuple[float, str, int]]:
    """Age, place and size of all files that are named like entries. Files of ours that were never renamed are removed
    when they are old."""
    if inner.is_symlink():
        return
    for shard in _listed(str(inner)):
        if SHARD.fullmatch(shard.name) and shard.is_dir(follow_symlinks=False):
            for file in _listed(shard.path):
                try:
                    about = file.stat(follow_symlinks=False)
                    if not stat.S_ISREG(about.st_mode):
                        continue
                    if NAME.fullmatch(file.name):
                        yield about.st_mtime, file.path, about.st_size
                    elif UNFINISHED.fullmatch(file.name) and about.st_mtime < time.time() - LEFT_OVER:
                        os.unlink(file.path)
                except OSError:
                    continue


def _is_entry(path: str) -> bool:
    """Does the file begin like an entry, of whatever version?"""
    try:
        with open(path, "rb") as file:
            return file.read(len(KIND)) == KIND
    except OSError:
        return False


def _listed(folder: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
