"""The record of the judged mutants of a spec: who is killed by what, and who is not.

In go rows; out comes a JSON file that people promote on purpose, and the differences between what is recorded and what
is found, which may be a part. A record has no times, so that it is the same on every machine.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kozel_verify.model.load import Spec
from kozel_verify.verify.findings import Json
from kozel_verify.verify.manifest import Form, are_texts, read_json, write_json
from kozel_verify.verify.mutate import Judged, Status
from kozel_verify.verify.mutate_cells import NOTICES
from kozel_verify.verify.settings import Settings

FORMAT = 1
SETTINGS = ("budget", "lemma_cases", "states", "plays", "witness_plays", "seed")


@dataclass(frozen=True, slots=True)
class Record:
    """``hash`` is that of the spec's texts; ``mutants``: by id, the description, the status and, by what they say, the
    obligations that notice it; ``first``: the first of these alone."""

    name: str
    hash: str
    settings: dict[str, Json]
    mutants: dict[str, Json]
    first: bool = False


def record_of(spec: Spec, settings: Settings, rows: Sequence[Judged], first: bool) -> Record:
    used: dict[str, Json] = {name: getattr(settings, name) for name in SETTINGS}
    return Record(spec.game.name, spec.hash, used, {row.id: _entry(row) for row in rows}, first)


def _entry(row: Judged) -> Json:
    killers: dict[str, list[Json]] = {}
    for name in row.killers:
        killers.setdefault(row.cells[name].says.value, []).append(name)
    return {"description": row.description, "status": row.status.value, **{n: list(k) for n, k in killers.items()}}


def compare(recorded: Record, found: Record, whole: bool) -> list[str]:
    """Every difference, as a line; ``whole``: must what is recorded be found?"""
    lines: list[str] = []
    if recorded.hash != found.hash:
        lines.append(f"{found.name}: the spec is not the one whose mutants are recorded")
    if recorded.settings != found.settings:
        lines.append(f"{found.name}: the mutants were judged with other settings")
    if recorded.first != found.first:
        return [*lines, f"{found.name}: recorded {_asked(recorded)}, judged {_asked(found)}"]
    for id, entry in found.mutants.items():
        if id not in recorded.mutants:
            lines.append(f"{found.name}: mutant {id} is not recorded")
        elif recorded.mutants[id] != entry:
            lines.append(f"{found.name}: mutant {id} was {_short(recorded.mutants[id])}, is {_short(entry)}")
    if whole:
        gone = [id for id in recorded.mutants if id not in found.mutants]
        lines += [f"{found.name}: mutant {id} is recorded, but there is no such mutant" for id in gone]
    return lines


def _asked(record: Record) -> str:
    return "is what notices first (`--first`)" if record.first else "is all that notices"


def _short(entry: Json) -> str:
    assert isinstance(entry, Mapping)
    return json.dumps({k: v for k, v in entry.items() if k != "description"}, ensure_ascii=False)


# --- files -----------------------------------------------------------------------------------------------------------


def path_in(folder: Path, name: str) -> Path:
    return folder / f"{name}.mutants.json"


def write(path: Path, record: Record) -> None:
    """Replaces the file as a whole, or leaves it as it was. Raises ``OSError``."""
    data = {
        "format": FORMAT,
        "name": record.name,
        "hash": record.hash,
        **({"first": True} if record.first else {}),
        "settings": record.settings,
        "mutants": record.mutants,
    }
    write_json(path, data)


def read(path: Path) -> Record | None:
    """The record in a file, ``None`` when there is none. Raises ``BadManifest``, ``OSError``."""
    data = read_json(path, FORMAT, "this is no record of mutants")
    if data is None:
        return None
    form = Form("this is no record of mutants", data)
    mutants, first = form.part("mutants"), data.get("first", False)
    form.require(isinstance(first, bool), "`first` is neither true nor false")
    for id, entry in mutants.items():
        form.require(_is_entry(entry), f"what it says of `{id}` is not a description, a status and who notices it")
    return Record(form.text("name"), form.text("hash"), form.settings(), mutants, first is True)


def _is_entry(entry: Json) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("description"), str):
        return False
    noticed = entry.keys() - {"description", "status"}
    known = entry.get("status") in list(Status) and noticed <= {says.value for says in NOTICES}
    return known and all(are_texts(entry[says]) for says in noticed)
