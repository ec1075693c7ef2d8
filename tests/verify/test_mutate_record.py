"""The record of judged mutants: what differs from it, and what is no record."""

from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.verify.findings import Json
from kozel_verify.verify.manifest import BadManifest
from kozel_verify.verify.mutate_record import Record, compare, path_in, read, write

KILLED: dict[str, Json] = {"description": "a fault", "status": "killed", "refuted": ["few", "many"]}
RECORD = Record("game", "abc", {"seed": 1}, {"g:1:1:order.1": dict(KILLED), "g:2:1:order.1": dict(KILLED)})


def test_it_comes_back(tmp_path: Path) -> None:
    """What was written is read again; no file is no record."""
    path = path_in(tmp_path, "game")
    assert path.name == "game.mutants.json" and read(path) is None
    write(path, RECORD)
    assert read(path) == RECORD


def test_the_first_that_notices_is_another_record(tmp_path: Path) -> None:
    """It says so, comes back so, and is not held against one of all that notice."""
    path, hurried = path_in(tmp_path, "game"), replace(RECORD, first=True)
    write(path, hurried)
    assert read(path) == hurried != RECORD
    said = ["game: recorded is all that notices, judged is what notices first (`--first`)"]
    assert compare(RECORD, hurried, whole=True) == said
    assert compare(hurried, hurried, whole=True) == []


def test_differences() -> None:
    """Another spec, other settings, another verdict, mutants that are new or gone; a sample may lack some."""
    part = replace(RECORD, mutants={"g:1:1:order.1": dict(KILLED)})
    assert compare(RECORD, part, whole=False) == [] == compare(RECORD, RECORD, whole=True)
    assert compare(RECORD, part, whole=True) == ["game: mutant g:2:1:order.1 is recorded, but there is no such mutant"]
    assert compare(part, RECORD, whole=False) == ["game: mutant g:2:1:order.1 is not recorded"]
    changed: dict[str, Json] = {"g:1:1:order.1": {"description": "a fault", "status": "survived"}}
    assert compare(RECORD, Record("game", "abd", {"seed": 2}, changed), whole=False) == [
        "game: the spec is not the one whose mutants are recorded",
        "game: the mutants were judged with other settings",
        'game: mutant g:1:1:order.1 was {"status": "killed", "refuted": ["few", "many"]}, is {"status": "survived"}',
    ]


@pytest.mark.parametrize(
    "old, new",
    [
        ('"killed"', '"banana"'), ('"description"', '"said"'), ('"few"', "3"), ('"refuted"', '"noticed"'),
        ('"seed": 1', '"seed": []'), ('"game"', "7"), ('"status"', '"status": "killed", "more"'),
        ('"hash"', '"first": 1, "hash"'), ('"few"', "[" * 200_000 + "]" * 200_000),
    ],
)  # fmt: skip
def test_a_record_that_was_edited(tmp_path: Path, old: str, new: str) -> None:
    """Each part has its form, or the file is no record."""
    path = path_in(tmp_path, "game")
    write(path, RECORD)
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(BadManifest, match="this is no record of mutants"):
        read(path)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"format": 2}', '{"format": 1, "name": "g", "hash": "", "settings": {}, "mutants": [1]}']
)
def test_no_record(tmp_path: Path, text: str) -> None:
    """Another file is refused."""
    path = tmp_path / "game.mutants.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadManifest):
        read(path)
