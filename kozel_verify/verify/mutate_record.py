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
from kozel_verify.verify.manifest import BadManifest, write_json
from kozel_verify.verify.mutate import Judged
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
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise BadManifest(f"a record of format {data['format']}; this tool knows {FORMAT}")
        if not all(isinstance(entry, dict) and "status" in entry for entry in data["mutants"].values()):
            raise BadManifest("this is no record of mutants")
        first = data.get("first", False) is True
        return Record(data["name"], data["hash"], data["settings"], data["mutants"], first)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadManifest("this is no record of mutants") from error
