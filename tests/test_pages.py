"""The pages that are made from something else are up to date."""

from pathlib import Path

import pytest

from kozel_verify.model.load import load
from kozel_verify.verify.findings import Json
from kozel_verify.verify.manifest import Entry, Manifest, write
from kozel_verify.verify.mutate_record import Record as FaultsRecord
from kozel_verify.verify.mutate_record import path_in
from kozel_verify.verify.mutate_record import write as write_faults
from tests.model.frame import text
from tests.support import pages
from tests.support.assumptions import page as assumptions
from tests.support.cited import readings
from tests.support.pages import PAGES
from tests.support.systems import page_of, systems

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("name", PAGES)
def test_page_is_current(name: str) -> None:
    """The page is what is made of its sources now. `python -m tests.support.pages` writes all pages."""
    assert (ROOT / name).read_text(encoding="utf-8") == PAGES[name]()


def test_pages_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command writes the pages that are named, over what stood there, and refuses names of no page."""
    monkeypatch.setattr(pages, "ROOT", tmp_path)
    monkeypatch.setattr(pages, "PAGES", {"a.md": lambda: "A\n", "b.md": lambda: "B\n"})
    (tmp_path / "a.md").write_text("old", encoding="utf-8")
    assert pages.main(["a.md"]) == 0
    assert {p.name: p.read_text(encoding="utf-8") for p in tmp_path.iterdir()} == {"a.md": "A\n"}
    assert pages.main([]) == 0 and (tmp_path / "b.md").read_text(encoding="utf-8") == "B\n"
    assert pages.main(["c.md"]) == 2 and "there is no page c.md; there are a.md, b.md" in capsys.readouterr().err


def test_assumptions_list_every_reading() -> None:
    """Each reading has one row by its confidence; those that leave the literal text have one more."""
    rows = [line.split(" | ")[0].removeprefix("| ").removesuffix(" *") for line in assumptions().splitlines()]
    for name, reading in readings().items():
        assert rows.count(name) == 1 + reading.departs, name
    assert [name for name, r in readings().items() if r.departs] == ["S0-A23", "S2-A3", "S3-A3", "S4-A1", "S7-A5"]


def test_assumptions_say_who_cites_them() -> None:
    """A reading that no spec cites is cited by the map where the map names it, else by nothing."""
    cells = [line.strip("| ").split(" | ") for line in assumptions().splitlines() if line.startswith("| ")]
    where = {row[0]: row[-1] for row in cells}
    assert (where["S1-A14"], where["X-A1"]) == ("the map", "nothing")
    assert where["S0-A23 *"].startswith("[kozel_shokha]")


RECORD: dict[str, Entry] = {
    "conservation": {
        "kind": "conservation",
        "verdict": "PROVED",
        "citations": [],
        "legs": [
            {"method": "induction on sizes", "verdict": "PROVED", "cases": None, "visited": None, "holds": None},
            {"method": "random plays", "verdict": "SAMPLED", "cases": 30, "visited": 30, "holds": None},
            {"method": "closure of pack `a`", "verdict": "CLOSED", "cases": 1000, "visited": 1000, "holds": None},
            {"method": "closure of pack `b`", "verdict": "CLOSED", "cases": 500, "visited": 500, "holds": None},
        ],
    },
    "fits": {
        "kind": "lemma",
        "verdict": "UNKNOWN",
        "citations": [],
        "legs": [{"method": "smt", "verdict": "UNKNOWN", "cases": 7, "visited": 5, "holds": 3}],
    },
}


def test_a_record_counts_for_its_text(tmp_path: Path) -> None:
    """Verdicts, methods and counts are those of the record; of another text's it is said to be one; without one nothing
    is claimed."""
    spec = tmp_path / "sample.kozel"
    spec.write_text(text("option goal : 6..12 = 8\nconstraint goal in {6, 8, 12}"), encoding="utf-8")
    record = tmp_path / "proofs" / "sample.json"
    assert "| record | none |\n| conservation | – |" in page_of(systems(tmp_path, record.parent))
    write(record, Manifest("sample", load(spec).hash, {}, RECORD, {}))
    page = page_of(systems(tmp_path, record.parent))
    assert "| record | of this text |\n| conservation | PROVED (induction on sizes) |" in page
    assert "| lemma | 1 UNKNOWN |" in page and "| goal | 8 |" in page and "| goal | 8, 6, 12 |  |" in page
    row = "| conservation | conservation | PROVED | induction on sizes |  |  |  | 2 CLOSED (1,500), 1 SAMPLED (30) |"
    assert row in page and "| fits | lemma | UNKNOWN | smt | 7 | 5 | 3 |  |" in page
    assert "another text" not in page
    spec.write_text(text("option goal : 6..12 = 6"), encoding="utf-8")
    page = page_of(systems(tmp_path, record.parent))
    assert "| record | of another text |" in page and "**The record is of another text of the spec**" in page


def test_faults_count_for_their_text(tmp_path: Path) -> None:
    """What became of planted faults is counted from the record; without one nothing is claimed."""
    spec, proofs = tmp_path / "sample.kozel", tmp_path / "proofs"
    spec.write_text(text("option goal : 6..12 = 8"), encoding="utf-8")
    assert "| sample | – | | | | | | nothing is recorded |" in page_of(systems(tmp_path, proofs))
    statuses = ("killed", "killed", "equivalent", "invalid")
    faults: dict[str, Json] = {str(n): {"description": "", "status": status} for n, status in enumerate(statuses)}
    write_faults(path_in(proofs, "sample"), FaultsRecord("sample", load(spec).hash, {}, faults))
    assert "| sample | 4 | 2 | 1 | 0 | 0 | 1 | every promise |" in page_of(systems(tmp_path, proofs))
    write_faults(path_in(proofs, "sample"), FaultsRecord("sample", "0" * 64, {}, faults, first=True))
    said = "| sample | 4 | 2 | 1 | 0 | 0 | 1 | until one notices, of another text |"
    assert said in page_of(systems(tmp_path, proofs))
