"""Syntax trees are kept between runs, and nothing depends on them."""

import os
import pickle
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from kozel_verify.language import trees
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.folders import data_folder
from kozel_verify.language.parse import parse
from kozel_verify.language.syntax import Unit
from kozel_verify.language.trees import unit_of

GAME = (data_folder("spec") / "bura.kozel").read_text(encoding="utf-8")
SHORT = "language 1\nmodule m { const x = 1 }\n"
LONG = SHORT + "#" * trees.SHORT


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for syntax trees, and a tool that remembers none."""
    monkeypatch.setenv("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME", str(tmp_path))
    unit_of.cache_clear()
    return tmp_path / "kozel-verify" / "units"


def again(text: str, file: str = "m.kozel") -> Unit:
    """What another run makes of a text."""
    unit_of.cache_clear()
    return unit_of(text, file)


def everything(unit: Unit) -> str:
    """All of a tree, with the places that equality leaves out."""
    return repr(unit)


def test_the_same_tree(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tree read back is the one that was parsed, to the last place and citation; and it was not parsed again."""
    first = unit_of(GAME, "bura.kozel")
    assert everything(first) == everything(parse(GAME, "bura.kozel"))
    assert first.citations
    monkeypatch.setattr(trees, "parse", lambda text, file: pytest.fail("parsed"))
    assert everything(again(GAME, "bura.kozel")) == everything(first)


def test_another_text_or_place_or_parser(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed text, another path and another tool never meet the tree that was kept."""
    unit_of(LONG, "m.kozel")
    assert again(LONG.replace("x = 1", "x = 2")) == parse(LONG.replace("x = 1", "x = 2"), "m.kozel")
    assert again(LONG, "n.kozel").span.file == "n.kozel"
    monkeypatch.setattr(trees, "_parsed_by", lambda: "another")
    again(LONG)
    assert len(list(folder.iterdir())) == 4


@pytest.mark.parametrize("text", [SHORT, LONG.replace("const", "konst")])
def test_what_is_not_kept(text: str, folder: Path) -> None:
    """Short texts, and texts with errors: they are reported each time."""
    for _ in range(2):
        try:
            again(text)
        except SpecError as error:
            assert error.diagnostics[0].code == "syntax"
    assert not folder.exists() or not list(folder.iterdir())


@pytest.mark.parametrize("spoil", [lambda data: data[:-1], lambda data: data[:9] + b"?" + data[10:], lambda data: b""])
def test_a_spoilt_file(spoil: object, folder: Path) -> None:
    """A tree that is not whole is parsed anew, and kept again."""
    unit_of(LONG, "m.kozel")
    (file,) = folder.iterdir()
    good = file.read_bytes()
    file.write_bytes(spoil(good))  # type: ignore[operator]
    assert again(LONG) == parse(LONG, "m.kozel")
    assert file.read_bytes() == good


@pytest.mark.parametrize("planted", [os.getcwd, parse, Unit.__init__, {"a": 1}])
def test_nothing_but_trees(planted: object, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A whole file that names anything else is not read: it calls nothing."""

    class Calls:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return print, ("called",)

    unit_of(LONG, "m.kozel")
    (file,) = folder.iterdir()
    payload = pickle.dumps((planted, Calls()))
    file.write_bytes(sha256(payload).digest() + payload)
    assert again(LONG) == parse(LONG, "m.kozel")
    assert "called" not in capsys.readouterr().out
    assert pickle.loads(payload) is not None  # what it does where it is trusted
    assert "called" in capsys.readouterr().out


def test_another_part_is_no_unit(folder: Path) -> None:
    """A tree of the wrong kind is parsed anew."""
    unit = unit_of(LONG, "m.kozel")
    (file,) = folder.iterdir()
    payload = pickle.dumps(unit.span)
    file.write_bytes(sha256(payload).digest() + payload)
    assert again(LONG) == unit


def test_room_is_made(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder does not grow for ever: those not read for longest go first."""
    monkeypatch.setattr(trees, "MANY_FILES", 4)
    texts = [LONG + f"# {n}\n" for n in range(5)]
    for n, text in enumerate(texts[:4]):
        before = set(folder.iterdir()) if folder.exists() else set()
        again(text)
        (new,) = set(folder.iterdir()) - before
        os.utime(new, (1000 + n, 1000 + n))
    again(texts[0])  # read again: now the newest
    again(texts[4])
    assert len(list(folder.iterdir())) == 3
    monkeypatch.setattr(trees, "parse", lambda text, file: pytest.fail("parsed"))
    for text in (texts[0], texts[3], texts[4]):
        again(text)
    with pytest.raises(pytest.fail.Exception):
        again(texts[1])


def test_nowhere_to_keep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a usable folder the text is parsed, and nothing is written."""
    (tmp_path / "file").write_text("", encoding="utf-8")
    for variable in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "file"))
    assert again(LONG) == parse(LONG, "m.kozel")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]
