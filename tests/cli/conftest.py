"""A small spec in a folder of its own, and the command line called in this process."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from kozel_verify.cli.main import main
from tests.cli.run import SMALL


class Said(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


Kozel = Callable[..., Said]


@pytest.fixture
def kozel(capsys: pytest.CaptureFixture[str]) -> Kozel:
    def run(*arguments: str | Path) -> Said:
        capsys.readouterr()
        code = main([str(a) for a in arguments])
        out, err = capsys.readouterr()
        return Said(code, out, err)

    return run


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """``small.kozel``."""
    path = tmp_path / "small.kozel"
    path.write_text(SMALL, encoding="utf-8")
    return path


@pytest.fixture
def variant(small: Path) -> Callable[[str], Path]:
    """Writes a variant of it with the given items beside it."""

    def write(items: str) -> Path:
        path = small.parent / "varied.kozel"
        path.write_text(f"language 1\nvariant varied of small {{\n{items}\n}}\n", encoding="utf-8")
        return path

    return write
