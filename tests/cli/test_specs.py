"""What an argument means."""

from pathlib import Path

import pytest

from kozel_verify.cli.specs import nearest, path_of, shipped
from kozel_verify.language.diagnostics import SpecError


def test_shipped_games() -> None:
    """The games that come with the tool are found by name; modules are no games."""
    assert "kozel_shokha" in shipped()
    assert "cards36" not in shipped()


def test_a_path_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in the current folder is meant before a shipped game of the same name."""
    monkeypatch.chdir(tmp_path)
    assert path_of("kozel_shokha") == str(shipped()["kozel_shokha"])
    (tmp_path / "kozel_shokha").write_text("", encoding="utf-8")
    assert path_of("kozel_shokha") == "kozel_shokha"
    assert path_of("nothing.kozel") == "nothing.kozel"
    with pytest.raises(SpecError, match="there is no spec `nothing`"):
        path_of("nothing")


def test_a_file_named_without_its_ending(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there is `NAME.kozel` here, the hint for NAME is that file, and no game of the tool."""
    monkeypatch.chdir(tmp_path)
    hints = []
    for _ in range(2):
        with pytest.raises(SpecError) as raised:
            path_of("kozel_shoka")
        hints.append(raised.value.diagnostics[0].hint)
        (tmp_path / "kozel_shoka.kozel").write_text("", encoding="utf-8")
    assert hints == ["did you mean `kozel_shokha`?", "did you mean the file `kozel_shoka.kozel`?"]


def test_a_name_too_long() -> None:
    """A name that no file system takes is an error of the argument."""
    with pytest.raises(SpecError):
        path_of("x" * 5000)


def test_nearest() -> None:
    """The nearest of the known words, else all of them, else nothing."""
    assert nearest("bonas", ["bonus", "mood"]) == "did you mean `bonus`?"
    assert nearest("xyz", ["bonus", "mood"]) == "there are `bonus`, `mood`"
    assert nearest("xyz", []) == ""


def test_files_that_are_nearly_so_called(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For a file that is not there the hint is the one beside it, or the game of the tool, that is nearly so called;
    where there is none, the argument is left to whoever reads it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_table.kozel").write_text("", encoding="utf-8")
    near = "did you mean the file `{}`?"
    whole = str(tmp_path / "my_table.kozel")
    hints = {
        "my_tabel.kozel": near.format("my_table.kozel"),
        "my_tabel": near.format("my_table.kozel"),
        whole.replace("table", "tabel"): near.format(whole),
        "kozel_shokha.kozel": "did you mean `kozel_shokha`?",
    }
    for argument, hint in hints.items():
        with pytest.raises(SpecError) as raised:
            path_of(argument)
        assert raised.value.diagnostics[0].hint == hint
    for argument in ("other.kozel", "x" * 5000 + "/my_table.kozel"):
        assert path_of(argument) == argument
