"""What is recorded is about the specs as they stand: every promise holds, and no fault goes unnoticed.

That a verification finds what the records tell is checked where there is time for it, by `--check-record`.
"""

from pathlib import Path

import pytest

from kozel_verify.model.load import load
from kozel_verify.verify import manifest
from kozel_verify.verify.findings import Json, Verdict
from kozel_verify.verify.mutants import mutants
from kozel_verify.verify.mutate import Status
from kozel_verify.verify.mutate_record import Record, read
from kozel_verify.verify.run import wanted
from tests.verify.planted import SPECS

PROOFS = SPECS.parent / "proofs"
GAMES = sorted(path.stem for path in SPECS.glob("*.kozel"))
RIGHT = {Verdict.PROVED.value, Verdict.ENUMERATED.value}
RECORDS = sorted(PROOFS.glob("*.mutants.json"))
DECIDED = {Status.KILLED.value, Status.EQUIVALENT.value, Status.INVALID.value}


def wrong_with(record: Record, spec_file: Path) -> list[str]:
    """What is not as it should be: the text, the faults, what became of them."""
    spec = load(spec_file)
    found = []
    if record.hash != spec.hash:
        found.append("the text has changed")
    if list(record.mutants) != [m.id for m in mutants(spec.program)]:
        found.append("these are not the faults of the text")
    statuses = [entry["status"] for entry in record.mutants.values() if isinstance(entry, dict)]
    if not set(map(str, statuses)) <= DECIDED:
        found.append("a fault goes unnoticed, or is not decided")
    if statuses.count(Status.KILLED.value) * 2 < len(statuses):
        found.append("hardly any fault is noticed")
    return found


@pytest.mark.parametrize("name", GAMES)
def test_every_promise_is_kept(name: str) -> None:
    """Each game has a record of its present text, with the promises that it makes now, all proved or enumerated."""
    record, spec = manifest.read(PROOFS / f"{name}.json"), load(SPECS / f"{name}.kozel")
    assert record is not None and record.hash == spec.hash
    assert list(record.obligations) == [w.name for w in wanted(spec)]
    assert {entry["verdict"] for entry in record.obligations.values()} <= RIGHT


@pytest.mark.parametrize("path", RECORDS, ids=lambda p: p.name)
def test_every_fault_is_decided(path: Path) -> None:
    """A record is of the present text, has all of its faults, and each is noticed, proved equivalent, or no game."""
    record = read(path)
    assert record is not None
    assert wrong_with(record, SPECS / f"{record.name}.kozel") == []


def test_what_is_wrong_with_a_record() -> None:
    """Negative control: of another text, with a fault less, with one that survives."""
    spec = SPECS / "kozel_shokha.kozel"
    loaded = load(spec)
    noticed: dict[str, Json] = {m.id: {"description": "", "status": "killed"} for m in mutants(loaded.program)}
    record = Record(loaded.game.name, loaded.hash, {}, noticed)
    assert wrong_with(record, spec) == []
    first, *rest = record.mutants
    less = {name: record.mutants[name] for name in rest}
    alive: dict[str, Json] = {**record.mutants, first: {"description": "", "status": "survived"}}
    for changed, said in (
        (Record(record.name, "0" * 64, record.settings, record.mutants), "the text has changed"),
        (Record(record.name, record.hash, record.settings, less), "these are not the faults of the text"),
        (Record(record.name, record.hash, record.settings, alive), "a fault goes unnoticed, or is not decided"),
    ):
        assert wrong_with(changed, spec) == [said]
