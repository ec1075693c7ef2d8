"""`kozel check`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Kozel

Variant = Callable[[str], Path]


def test_a_good_spec(kozel: Kozel, small: Path) -> None:
    """A spec without mistakes is one line and exit code 0."""
    assert kozel("check", small) == (0, f"ok: {small}: small, 3 properties; packs tiny\n", "")


def test_one_property(kozel: Kozel, small: Path) -> None:
    """A single property is not told as several."""
    text = (
        small.read_text(encoding="utf-8")
        .split('  scenario "both')[0]
        .replace("  example worth == 3 and bonus == 1\n", "")
    )
    small.write_text(text + "}\n", encoding="utf-8")
    assert kozel("check", small) == (0, f"ok: {small}: small, 1 property; packs tiny\n", "")


def test_constraints_that_exclude_the_defaults(kozel: Kozel, small: Path, variant: Variant) -> None:
    """Every command says so at the constraint, with what to do: nothing is verified, played or exported."""
    path = variant("  constraint bonus == 2 and bonus == 1")
    for arguments in (("check",), ("verify", "--jobs", "2"), ("export", "--unverified", "-o", str(small.parent))):
        said = kozel(*arguments, path)
        assert said.code == 2
        assert said.err.startswith("error[constraint]: the defaults of the options break this constraint\n")
        assert "3 |   constraint bonus == 2 and bonus == 1\n" in said.err
        assert "  = hint: change the default of `bonus`, or this constraint\n" in said.err
    assert kozel("check", variant("  constraint bonus == 1")).code == 0


def test_every_error_is_reported(kozel: Kozel, variant: Variant) -> None:
    """Several mistakes are reported in one run, each with its place; the good are not called good."""
    said = kozel("check", variant("  example beets(A♥, 6♠)\n  lemma l(x : Cord) : true\n  example true   @ nowhere"))
    assert said.code == 2
    assert said.out == ""
    heads = [line for line in said.err.splitlines() if line.startswith("error")]
    assert [h.split(":")[0] for h in heads] == ["error[unknown-name]", "error[unknown-type]", "error[citation]"]
    assert "3 |   example beets(A♥, 6♠)\n  |           ^^^^^" in said.err
    assert said.err.endswith("3 errors in 1 file\n")


def test_what_cannot_be_read_has_no_place(kozel: Kozel, tmp_path: Path) -> None:
    """A folder, or a file that is not there: the message names it, without a line and a column."""
    for path in (tmp_path, tmp_path / "none.kozel"):
        said = kozel("check", path)
        assert said.code == 2
        assert f"error[unreadable]: `{path}`: " in said.err and "-->" not in said.err


def test_small_packs_are_checked_too(kozel: Kozel, variant: Variant) -> None:
    """A pack on which the rules do not fit is an error, with the name of the pack."""
    path = variant(
        "  const most = 2\n  state high_water : 0..most = 2\n  pack odd { cards {6♠, A♥}   seats 2   most = 1 }"
    )
    said = kozel("check", path)
    assert said.code == 2
    assert "note: on the pack `odd`" in said.err


def test_the_rest_is_checked_after_an_error(kozel: Kozel, small: Path, tmp_path: Path) -> None:
    """One bad file does not hide the others."""
    said = kozel("check", tmp_path / "missing.kozel", small)
    assert said.code == 2
    assert said.out.startswith(f"ok: {small}")
    assert said.err.startswith(f"error[unreadable]: `{tmp_path / 'missing.kozel'}`: no such file or directory")


@pytest.mark.parametrize(
    "bytes_, message",
    [(b"\xff\xfe", "error[not-utf8]: the file is not UTF-8"), (b"\x00" * 9, "error["), (b"", "error[syntax]")],
)
def test_what_is_no_spec(kozel: Kozel, tmp_path: Path, bytes_: bytes, message: str) -> None:
    """Binary and empty files are errors of the spec, without a traceback."""
    path = tmp_path / "x.kozel"
    path.write_bytes(bytes_)
    said = kozel("check", path)
    assert said.code == 2
    assert said.err.startswith(message)
    assert "Traceback" not in said.err


def test_a_folder(kozel: Kozel, tmp_path: Path) -> None:
    """A folder is no spec."""
    said = kozel("check", tmp_path)
    assert said.code == 2
    assert said.err.startswith(f"error[unreadable]: `{tmp_path}`")


def test_a_module_alone(kozel: Kozel, tmp_path: Path) -> None:
    """A module is checked as part of a game only, and the message says so."""
    path = tmp_path / "m.kozel"
    path.write_text("language 1\nmodule m { const x = 1 }\n", encoding="utf-8")
    said = kozel("check", path)
    assert said.code == 2
    assert said.err.startswith("error[module-alone]")


def test_a_misspelt_game(kozel: Kozel) -> None:
    """A shipped game is found by its name, and a near miss gets the right one."""
    said = kozel("check", "kozel_shoha")
    assert said.code == 2
    assert "did you mean `kozel_shokha`?" in said.err


def test_json(kozel: Kozel, small: Path, variant: Variant) -> None:
    """With `--format json` standard output is the JSON alone, for good and bad specs together."""
    said = kozel("check", "--format", "json", small, variant("  example beets(A♥, 6♠)"))
    data = json.loads(said.out)
    assert said.code == 2
    assert said.err == ""
    assert [s["name"] for s in data["specs"]] == ["small"]
    assert data["specs"][0]["packs"] == ["tiny"]
    assert [(e["code"], e["line"], e["column"]) for e in data["errors"]] == [("unknown-name", 3, 11)]
