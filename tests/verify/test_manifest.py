"""Records of verifications: what is in them, and every difference that is found."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.verify.findings import Kind, Leg, Obligation, Verdict, conclude
from kozel_verify.verify.manifest import BadManifest, Manifest, compare, manifest_of, promote, read, write
from kozel_verify.verify.run import Report
from kozel_verify.verify.settings import Settings
from tests.verify.test_examples import spec

ONE = conclude("one", Kind.LEMMA, [Leg("enumeration", Verdict.ENUMERATED, 12, 12, 5, "said so")], seconds=1.5)
TWO = conclude("two", Kind.INVARIANT, [Leg("induction", Verdict.PROVED)], citations=["X-A1"])


def made(*obligations: Obligation, settings: Settings | None = None) -> Manifest:
    return manifest_of(Report(spec("  # nothing"), obligations), settings or Settings())


def test_what_is_recorded() -> None:
    """Verdicts, methods, counts and citations; no times, no remarks, no number of jobs."""
    assert made(ONE, TWO).obligations == {
        "one": {
            "kind": "lemma",
            "verdict": "ENUMERATED",
            "citations": [],
            "legs": [{"method": "enumeration", "verdict": "ENUMERATED", "cases": 12, "visited": 12, "holds": 5}],
        },
        "two": {
            "kind": "invariant",
            "verdict": "PROVED",
            "citations": ["X-A1"],
            "legs": [{"method": "induction", "verdict": "PROVED", "cases": None, "visited": None, "holds": None}],
        },
    }
    assert made(ONE, settings=Settings(jobs=1)) == made(ONE, settings=Settings(jobs=8))


def test_a_record_is_read_back(tmp_path: Path) -> None:
    """What is written is read as it was; nothing is read where there is nothing."""
    write(tmp_path / "new" / "v.json", made(ONE, TWO))
    assert read(tmp_path / "new" / "v.json") == made(ONE, TWO)
    assert read(tmp_path / "other.json") is None


def test_no_difference() -> None:
    """The same verification is as recorded."""
    assert compare(made(ONE, TWO), made(ONE, TWO)) == []


@pytest.mark.parametrize(
    "found, line",
    [
        (made(ONE), "v: `two` is recorded, but promised no more"),
        (made(ONE, TWO, replace(TWO, name="three")), "v: `three` is not recorded"),
        (made(ONE, replace(TWO, verdict=Verdict.UNKNOWN)), 'v: two: verdict was "PROVED", is "UNKNOWN"'),
        (made(ONE, replace(TWO, citations=())), 'v: two: citations was ["X-A1"], is []'),
        (replace(made(ONE, TWO), hash="other"), "v: the spec is not the one that is recorded"),
        (replace(made(ONE, TWO), name="w"), "w: the spec is not the one that is recorded"),
        (made(ONE, TWO, settings=Settings(plays=7)), "v: setting: plays was 24, is 7"),
    ],
)
def test_each_difference(found: Manifest, line: str) -> None:
    """Promises that come or go, verdicts, citations, the spec's text and the settings: each is told."""
    assert compare(made(ONE, TWO), found) == [line]


def test_a_count_that_changes() -> None:
    """A single case more or less is a difference."""
    other = conclude("one", Kind.LEMMA, [Leg("enumeration", Verdict.ENUMERATED, 12, 12, 6)])
    (line,) = compare(made(ONE), made(other))
    assert '"holds": 5' in line
    assert '"holds": 6' in line


def test_promotion() -> None:
    """A promise is dropped with a reason only; the reason stays until the promise comes back."""
    with pytest.raises(BadManifest, match="`two` is recorded and promised no more"):
        promote(made(ONE, TWO), made(ONE), " ")
    dropped = promote(made(ONE, TWO), made(ONE), "said twice")
    assert dropped.dropped == {"two": "said twice"}
    assert promote(dropped, made(ONE), "").dropped == {"two": "said twice"}
    assert promote(dropped, made(ONE, TWO), "").dropped == {}
    assert promote(None, made(ONE), "") == made(ONE)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 2}', "null", "7"])
def test_what_is_no_record(tmp_path: Path, text: str) -> None:
    """Anything else in the file is an error of its own, never an empty record."""
    (tmp_path / "v.json").write_text(text, encoding="utf-8")
    with pytest.raises(BadManifest):
        read(tmp_path / "v.json")


DEEP = "[" * 200_000 + "]" * 200_000
EDITS: list[tuple[str, object]] = [
    ("name", 7), ("hash", None), ("settings", 7), ("settings", {"seed": []}), ("dropped", []), ("dropped", {"a": 1}),
    ("obligations", []), ("obligations", {"one": "abc"}), ("obligations", {"one": {}}), ("format", True),
]  # fmt: skip


@pytest.mark.parametrize("key, value", EDITS)
def test_a_record_that_was_edited(tmp_path: Path, key: str, value: object) -> None:
    """Each part has its form, or the file is no record: whoever reads one never meets another thing in it."""
    write(tmp_path / "v.json", made(ONE, TWO))
    data = json.loads((tmp_path / "v.json").read_text(encoding="utf-8"))
    (tmp_path / "v.json").write_text(json.dumps({**data, key: value}), encoding="utf-8")
    with pytest.raises(BadManifest, match="this is no record of a verification"):
        read(tmp_path / "v.json")


@pytest.mark.parametrize(
    "old, new",
    [
        ('"ENUMERATED"', '"BANANA"'), ('"kind": "lemma"', '"kind": "lemon"'), ('"legs": [', '"legs": {}, "_": ['),
        ('"citations": []', '"citations": [1]'), ('"cases": 12', '"cases": "12"'), ('"cases": 12', '"cases": true'),
        ('"visited"', '"seen"'), ('"method": "enumeration"', '"method": null'), ('"legs": [', '"legs": [7, '),
        ('"name": "v"', '"name": "\\ud800"'), ('"holds": 5', f'"holds": {DEEP}'),
    ],
)  # fmt: skip
def test_an_entry_that_was_edited(tmp_path: Path, old: str, new: str) -> None:
    """No unknown verdict or kind is repeated as recorded; no wrong count, leg, text or depth of brackets goes by."""
    write(tmp_path / "v.json", made(ONE))
    text = (tmp_path / "v.json").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "v.json").write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadManifest, match="this is no record of a verification"):
        read(tmp_path / "v.json")


def test_readable(tmp_path: Path) -> None:
    """A record is text for people too: one fact a line, suits as they are."""
    write(tmp_path / "v.json", replace(made(ONE), dropped={"two": "about 6♠"}))
    text = (tmp_path / "v.json").read_text(encoding="utf-8")
    assert '"two": "about 6♠"' in text
    assert json.loads(text)["format"] == 1
