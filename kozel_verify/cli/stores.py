"""Where results that were found before are kept, as arguments and the environment say."""

import os
from pathlib import Path

from kozel_verify.cli.console import complain
from kozel_verify.verify.store import Store, default_folder

VARIABLE = "KOZEL_STORE"


def folder_of(given: str | Path | None, none: bool) -> str:
    """The folder to use, as text; empty for none. One that cannot be made or written is complained of, once."""
    folder = _named(given, none)
    if folder is None:
        return ""
    problem = Store.opened(folder).problem
    if problem:
        unusable(folder, problem)
        return ""
    return str(folder)


def _named(given: str | Path | None, none: bool) -> Path | None:
    if none:
        return None
    named = os.environ.get(VARIABLE) if given is None else given
    if named is None:
        return default_folder()
    return Path(named) if named else None  # empty: none is wanted, never the current folder


def unusable(folder: Path | str, problem: str) -> None:
    complain(f"warning: the store {folder} cannot be used ({problem}); results are not kept")
