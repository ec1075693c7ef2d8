"""The parser's tables are kept between runs, and nothing depends on them."""

import subprocess
import sys
from pathlib import Path

import pytest

from kozel_verify.language.folders import data_folder
from kozel_verify.language.tables import cache_folder, parser_for

GRAMMAR = (data_folder("grammar") / "kozel.lark").read_text(encoding="utf-8")
SETTINGS = {"parser": "lalr", "lexer": "basic", "propagate_positions": True, "maybe_placeholders": True}
TEXT = "language 1 module m { const x = 1 }"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder."""
    monkeypatch.setenv("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "kozel-verify"


def kept(folder: Path) -> list[str]:
    return sorted(p.name for p in folder.iterdir())


def test_built_once(folder: Path) -> None:
    """The first parser leaves one file, the second is made from it and parses the same."""
    first = parser_for(GRAMMAR, **SETTINGS)
    names = kept(folder)
    assert len(names) == 1
    stamp = (folder / names[0]).stat().st_mtime_ns
    second = parser_for(GRAMMAR, **SETTINGS)
    assert kept(folder) == names
    assert (folder / names[0]).stat().st_mtime_ns == stamp
    assert first.parse(TEXT) == second.parse(TEXT)


def test_another_grammar_has_its_own(folder: Path) -> None:
    """A changed grammar never meets the tables of the old one."""
    parser_for(GRAMMAR, **SETTINGS)
    changed = parser_for(GRAMMAR.replace("(?:const|постоянная)", "(?:constant|постоянная)"), **SETTINGS)
    assert len(kept(folder)) == 2
    changed.parse(TEXT.replace("const", "constant"))


def test_a_spoilt_file(folder: Path) -> None:
    """Tables that cannot be read are built anew."""
    parser_for(GRAMMAR, **SETTINGS)
    (folder / kept(folder)[0]).write_bytes(b"not what it was")
    parser_for(GRAMMAR, **SETTINGS).parse(TEXT)


def test_nowhere_to_keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a usable folder the parser is built, and nothing is written."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    for variable in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "file"))
    parser_for(GRAMMAR, **SETTINGS).parse(TEXT)
    monkeypatch.delenv("HOME", raising=False)
    for variable in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.delenv(variable, raising=False)
    assert cache_folder() is None
    parser_for(GRAMMAR, **SETTINGS).parse(TEXT)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean something else there")
def test_closed_to_others(folder: Path) -> None:
    """Nobody else can put tables where these are read from."""
    parser_for(GRAMMAR, **SETTINGS)
    assert folder.stat().st_mode & 0o077 == 0


def test_two_at_once(folder: Path) -> None:
    """Several first runs at the same time all work, and leave one file."""
    code = (
        "from tests.language.test_tables import GRAMMAR, SETTINGS, TEXT\n"
        "from kozel_verify.language.tables import parser_for\nparser_for(GRAMMAR, **SETTINGS).parse(TEXT)"
    )
    root = Path(__file__).resolve().parents[2]
    running = [subprocess.Popen([sys.executable, "-c", code], cwd=root) for _ in range(3)]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    assert len(kept(folder)) == 1
