"""`kozel mutate`."""

import json
from collections.abc import Callable, Iterator
from itertools import combinations, islice
from pathlib import Path
from typing import Any

import pytest

from kozel_verify.cli import mutate
from kozel_verify.verify.mutate import Judged, judged
from tests.cli.conftest import Kozel

QUICKLY = ("--no-store", "--no-prove", "--jobs", "1")
KINDS = ("killed", "equivalent", "survived", "undecided", "invalid")


def test_the_whole_matrix(kozel: Kozel, small: Path) -> None:
    """All faults are planted; the numbers add up; the matrix says who noticed what; the smallest set suffices, and
    no smaller one does; survivors give exit code 3."""
    said = kozel("mutate", small, *QUICKLY, "--format", "json")
    data = json.loads(said.out)
    summary, mutants = data["summary"], data["mutants"]
    assert said.code == 3 and summary == {
        "mutants": 67,
        "judged": 67,
        "killed": 43,
        "equivalent": 4,
        "survived": 16,
        "undecided": 0,
        "invalid": 4,
        "killed_by_proofs_alone": 0,
    }
    kills = {o["name"]: o["kills"] for o in data["obligations"] if o["kills"]}
    assert kills == {"well_defined": 3, "no_peeking": 4, "both lay a card": 40}
    assert {o["name"]: o["alone"] for o in data["obligations"] if o["kills"]}["both lay a card"] == 36
    assert data["redundant"] == ["well_defined"]
    assert data["smallest"] == {"obligations": ["no_peeking", "both lay a card"], "exact": True}
    noticed = [{n for n, c in m["cells"].items() if c["says"] in ("refuted", "refused")} for m in mutants]
    for size in (0, 1):
        assert not any(all(n & set(names) for n in noticed if n) for names in combinations(kills, size))
    assert all(n & set(data["smallest"]["obligations"]) for n in noticed if n)
    assert set(data["legend"]) >= {c["says"] for m in mutants for c in m["cells"].values()}


def test_the_first_that_notices(kozel: Kozel, small: Path) -> None:
    """With `--first` every fault has the same fate, one property at least is named for each that is noticed, and no
    matrix is told."""
    whole = json.loads(kozel("mutate", small, *QUICKLY, "--format", "json").out)
    said = kozel("mutate", small, *QUICKLY, "--first", "--format", "json")
    data = json.loads(said.out)
    assert said.code == 3 and data["summary"] == whole["summary"]
    assert [m["status"] for m in data["mutants"]] == [m["status"] for m in whole["mutants"]]
    for all_of_them, some in zip(whole["mutants"], data["mutants"], strict=True):
        assert some["obligation"] == all_of_them["obligation"] and set(some["cells"]) >= set(all_of_them["cells"])
    opened = [m for m in data["mutants"] if m["counts"]["open"] > 1]
    assert {m["status"] for m in opened} == {"killed", "equivalent"}  # of these nothing more was asked
    assert data["obligations"] == [] == data["redundant"]
    text = kozel("mutate", small, *QUICKLY, "--first").out
    assert "smallest" not in text and "43 noticed" in text


def test_a_sample(kozel: Kozel, small: Path) -> None:
    """Both formats say the same of a sample, and say it again; processes change nothing."""
    sample = ("--sample", "12", "--seed", "1", "--no-store", "--no-prove")
    said = kozel("mutate", small, *sample, "--jobs", "1", "--format", "json")
    data = json.loads(said.out)
    summary = data["summary"]
    assert summary["judged"] == 12 == sum(summary[kind] for kind in KINDS) and summary["mutants"] == 67
    assert [m["status"] for m in data["mutants"]].count("killed") == summary["killed"] > 0
    assert said[:2] == kozel("mutate", small, *sample, "--jobs", "2", "--format", "json")[:2]
    text = kozel("mutate", small, *sample, "--jobs", "1").out
    assert f"  12 of 67 faults planted: {summary['killed']} noticed" in text


def test_a_survivor_is_told(kozel: Kozel, small: Path) -> None:
    """With the play in which it parts from the rules, as a scenario."""
    said = kozel("mutate", small, "--only", "outcome", *QUICKLY)
    assert said.code == 3
    assert "  SURVIVED   small.kozel:33:19  `>` to `>=`, in `points[s] > points[left(s)]`\n" in said.out
    assert '             scenario "not noticed: small:33:19:comparison.1" {\n' in said.out
    assert "               expect outcome(seat 1) == neither\n" in said.out


# Whoever is asked goes on or stops; who has gone on wins.
TINY = """language 1
game tiny {
  deck suits ♠ ranks 6, A
  seats 1
  zone stock seen by nobody
  state gone_on : Bool = false
  phase deal { ask seat 1 to turn { may stop { } may go_on { gone_on := true } } }
  phase match { run deal end }
  outcome(s) = if gone_on then won else lost
  scenario "going on" { seat 1 : go_on   expect outcome(seat 1) == won }
}
"""


def test_nothing_survives(kozel: Kozel, tmp_path: Path) -> None:
    """A clause of which each fault is noticed gives exit code 0."""
    tiny = tmp_path / "tiny.kozel"
    tiny.write_text(
        TINY[:-2] + '  scenario "stopping" { seat 1 : stop   expect outcome(seat 1) == lost }\n}\n', "utf-8"
    )
    said = kozel("mutate", tiny, "--only", "outcome", *QUICKLY)
    assert said.code == 0 and said.out.endswith(
        "  2 of 2 faults planted: 2 noticed, 0 proved equivalent, 0 not noticed, 0 undecided, 0 mean no game\n"
    )


def test_an_interruption_loses_no_row(kozel: Kozel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while faults are judged: those before are told, nothing is recorded; exit code 130."""
    tiny, folder = tmp_path / "tiny.kozel", tmp_path / "proofs"
    tiny.write_text(TINY, encoding="utf-8")

    def interrupted(*arguments: Any) -> Iterator[Judged]:
        yield from islice(judged(*arguments), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(mutate, "judged", interrupted)
    said = kozel("mutate", tiny, "--no-store", "--jobs", "1", "--first", "--record", "--proofs", folder)
    assert (said.code, folder.exists()) == (130, False)
    assert "\n  2 of " in said.out and said.err.endswith("interrupted: this is what was found before\n")


def test_the_record(kozel: Kozel, tmp_path: Path) -> None:
    """What is recorded is found again, as a whole and by a sample; a changed spec is not the one that is recorded."""
    tiny, folder = tmp_path / "tiny.kozel", tmp_path / "proofs"
    tiny.write_text(TINY, encoding="utf-8")
    common = (tiny, "--no-store", "--jobs", "1", "--proofs", folder)
    assert kozel("mutate", *common, "--check-record").code == 3  # nothing is recorded
    assert kozel("mutate", *common, "--record").code == 3
    data = json.loads((folder / "tiny.mutants.json").read_text(encoding="utf-8"))
    assert data["name"] == "tiny"
    assert data["mutants"]["tiny:6:26:condition.1"] == {
        "description": "`false` to `true`, in `state gone_on : Bool = false`",
        "status": "survived",
    }
    assert data["mutants"]["tiny:7:62:statement.1"] == {
        "description": "dropped: `gone_on := true`",
        "status": "killed",
        "refuted": ["going on"],
    }
    again = kozel("mutate", *common, "--check-record")
    assert again.code == 3 and "recorded" not in again.out  # for what has survived alone
    tiny.write_text(TINY.replace('"going on"', '"to go on"'), encoding="utf-8")
    said = kozel("mutate", *common, "--only", "deal", "--check-record")
    assert said.code == 3 and "tiny: the spec is not the one whose mutants are recorded" in said.out


def test_the_record_of_the_first_that_notices(kozel: Kozel, tmp_path: Path) -> None:
    """It is made, and found again by a sample, with `--first`; asked otherwise, that is the difference."""
    tiny, folder = tmp_path / "tiny.kozel", tmp_path / "proofs"
    tiny.write_text(TINY, encoding="utf-8")
    common = (tiny, "--no-store", "--jobs", "1", "--proofs", folder)
    assert kozel("mutate", *common, "--first", "--record").code == 3
    data = json.loads((folder / "tiny.mutants.json").read_text(encoding="utf-8"))
    assert data["first"] is True and data["mutants"]["tiny:7:62:statement.1"]["refuted"] == ["going on"]
    again = kozel("mutate", *common, "--first", "--only", "deal", "--check-record")
    assert again.out.startswith("tiny (") and "recorded" not in again.out
    said = kozel("mutate", *common, "--only", "deal", "--check-record")
    assert said.code == 3
    assert "tiny: recorded is what notices first (`--first`), judged is all that notices" in said.out


def test_a_record_that_cannot_be_used(kozel: Kozel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that cannot be written is told of after the verdicts; one that is broken before any fault is judged."""
    tiny = tmp_path / "tiny.kozel"
    tiny.write_text(TINY, encoding="utf-8")
    said = kozel("mutate", tiny, "--jobs", "1", "--first", "--record", "--proofs", tiny / "below")
    assert said.code == 2 and said.out.startswith("tiny (") and "not a directory" in said.err
    monkeypatch.setattr(mutate, "judged", lambda *_: pytest.fail("it began to judge"))
    (tmp_path / "tiny.mutants.json").write_text('{"format": 1, "mutants": []}', encoding="utf-8")
    for option in ("--record", "--check-record"):
        said = kozel("mutate", tiny, "--first", option, "--proofs", tmp_path)
        assert (said.code, said.out) == (2, "")
        assert "this is no record of mutants: `mutants` is no object" in said.err


def test_a_spec_that_fails_already(kozel: Kozel, small: Path) -> None:
    """When a property fails without any fault, that is said, with exit code 1."""
    small.write_text(small.read_text(encoding="utf-8").replace("worth == 3", "worth == 4"), encoding="utf-8")
    said = kozel("mutate", small, *QUICKLY)
    assert said.code == 1 and said.out == "" and said.err.startswith("error[refuted]: `example_2` fails")


def test_misuse(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """Wrong usage gives exit code 2, with a hint."""
    assert kozel("mutate", small, "--sample", "0").code == 2
    assert kozel("mutate", "no such game").code == 2
    said = kozel("mutate", small, "--only", "playd")
    assert said.code == 2 and "did you mean `played`?" in said.err
    said = kozel("mutate", small, "--only", "opener")
    assert said.code == 2 and "there is no fault to plant in the option `opener`" in said.err
    assert "name a rule that uses it" in said.err and "did you mean" not in said.err
    said = kozel("mutate", variant("  lemma sure : 1 == 1"), "--only", "sure")
    assert said.code == 2 and "`sure` is a promise; faults are planted in rules" in said.err
    assert kozel("mutate", small, "--record", "--sample", "3").code == 2
    assert kozel("mutate", small, "--check-record", "--no-prove").code == 2
