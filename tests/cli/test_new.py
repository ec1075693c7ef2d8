"""`kozel new`."""

from pathlib import Path

import pytest

from tests.cli.conftest import Kozel


def test_a_variant_is_ready_to_check(kozel: Kozel, small: Path) -> None:
    """The file stands in the author's folder, names its base, and passes the check as it is."""
    said = kozel("new", "mine", "--from", "small", "--directory", small.parent)
    path = small.parent / "mine.kozel"
    assert said == (0, f"wrote {path}: a variant of small\nnext: kozel check {path}\n", "")
    assert kozel("check", path).code == 0
    assert kozel("test", path).code == 0
    text = path.read_text(encoding="utf-8")
    assert 'title ru "Пробная (mine)" en "Small (mine)"' in text
    assert "# option mood = wild " in text
    assert "# const worth = 3\n" in text
    assert "# predicate beats(x : Card, y : Card) = rank(x) above rank(y) in high\n" in text


def test_each_line_can_be_taken_in(kozel: Kozel, small: Path) -> None:
    """With every commented line taken in, the file still passes the check."""
    kozel("new", "mine", "--from", "small", "--directory", small.parent)
    path = small.parent / "mine.kozel"
    words = ("option ", "const ", "predicate ", "example ")
    lines = [
        line.replace("# ", "", 1) if line.strip().removeprefix("# ").startswith(words) else line
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    assert sum(line.strip().startswith(words) for line in lines) == 7
    path.write_text("\n".join(lines), encoding="utf-8")
    said = kozel("check", path)
    assert (said.code, said.err) == (0, "")


def test_values_that_constraints_permit(kozel: Kozel, small: Path) -> None:
    """Of the values of an option those are listed, and one of them written, that the constraints permit while the
    others stay as they are: where there is no other, the line changes nothing. Control: without the constraints all
    are listed."""
    before = small.read_text(encoding="utf-8")
    found: list[list[str]] = []
    for constraints in ("", "constraint bonus != 0 and mood == calm or bonus == 2\n  constraint opener == seat 1"):
        path = small.parent / f"mine{len(found)}.kozel"
        small.write_text(before.replace("  order high", f"  {constraints}\n  order high"), encoding="utf-8")
        assert kozel("new", path.stem, "--from", "small", "--directory", small.parent).code == 0
        text = path.read_text(encoding="utf-8")
        found.append([" ".join(line.split()) for line in text.splitlines() if "# option" in line])
    assert found == [
        [
            "# option bonus = 0 # 0 | 1 | 2; now 1",
            "# option opener = seat 2 # seat 1 | seat 2; now seat 1",
            "# option mood = wild # calm | wild; now calm",
        ],
        [
            "# option bonus = 2 # 1 | 2; now 1",
            "# option opener = seat 1 # seat 1; now seat 1",
            "# option mood = calm # calm; now calm",
        ],
    ]


def test_a_shipped_game(kozel: Kozel, tmp_path: Path) -> None:
    """The base is found among the games that come with the tool, from any folder; missing folders are made."""
    assert kozel("new", "mine", "--from", "kozel_shokha", "--directory", tmp_path / "a" / "b").code == 0
    assert kozel("check", tmp_path / "a" / "b" / "mine.kozel").code == 0


def test_nothing_is_overwritten(kozel: Kozel, small: Path) -> None:
    """A file that is there stays as it is."""
    before = small.read_bytes()
    (small.parent / "other.kozel").write_text("mine", encoding="utf-8")
    said = kozel("new", "other", "--from", "small", "--directory", small.parent)
    assert said.code == 2
    assert said.err.startswith(f"error[usage]: `{small.parent / 'other.kozel'}` is there already")
    assert (small.parent / "other.kozel").read_text(encoding="utf-8") == "mine"
    assert small.read_bytes() == before


@pytest.mark.parametrize(
    "name, base, message",
    [
        ("a b", "small", "`a b` is not a name"),
        ("../up", "small", "`../up` is not a name"),
        ("1st", "small", "`1st` is not a name"),
        ("move", "small", "`move` cannot be a variant of `small`"),
        ("small", "small", "a variant needs a name of its own"),
        ("mine", "smoll", "there is no game `smoll`\n  = hint: did you mean `small`?"),
        ("mine", "kozel_shoka", "there is no game `kozel_shoka`\n  = hint: did you mean `kozel_shokha`?"),
        ("mine", "small.kozel", "there is no game `small.kozel`"),
        ("mine", "cards36", "`mine` cannot be a variant of `cards36`"),
    ],
)
def test_what_cannot_be(kozel: Kozel, small: Path, name: str, base: str, message: str) -> None:
    """Names that are none and bases that are not there are usage errors, and nothing is written."""
    before = sorted(small.parent.iterdir())
    said = kozel("new", name, "--from", base, "--directory", small.parent)
    assert said.code == 2
    assert said.err.startswith(f"error[usage]: {message}")
    assert sorted(small.parent.iterdir()) == before


def test_a_folder_that_cannot_be_made(kozel: Kozel, small: Path) -> None:
    """Where nothing can be written, the reason is told."""
    said = kozel("new", "mine", "--from", "kozel_shokha", "--directory", small / "below")
    assert said.code == 2
    assert "cannot be written" in said.err or "is a file" in said.err
    assert "Traceback" not in said.err
