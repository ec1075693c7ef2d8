"""The record of a verification: which promises a spec made, and how far each was shown.

In go reports; out come JSON files that people promote on purpose, and the differences between what is recorded and what
is found. A record holds verdicts, methods and exact counts, no times and no solver statistics, so that it is the same
on every machine. A promise that vanishes is a difference until a record without it is promoted with a reason.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from kozel_verify.verify.findings import Json, Kind, Obligation, Verdict
from kozel_verify.verify.run import Report
from kozel_verify.verify.settings import Settings

FORMAT = 1
Entry = dict[str, Json]
ENTRY = {"kind", "verdict", "citations", "legs"}
COUNTS = ("cases", "visited", "holds")
LEG = {"method", "verdict", *COUNTS}


class BadManifest(Exception):
    """A file is no record, or a promotion lacks its reason."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """``hash`` is that of the spec's texts. ``obligations``: by name, in the order of the report. ``dropped``: the
    promises that were given up, each with the reason."""

    name: str
    hash: str
    settings: dict[str, Json]
    obligations: dict[str, Entry]
    dropped: dict[str, str]

    def about(self, names: Collection[str]) -> "Manifest":
        """What it says of these promises; of all, when none are named."""
        return replace(self, obligations={n: o for n, o in self.obligations.items() if not names or n in names})


def manifest_of(report: Report, settings: Settings) -> Manifest:
    """The record that a report would leave. What does not change a result (the number of jobs) is not in it."""
    used: dict[str, Json] = {
        "budget": settings.budget,
        "lemma_cases": settings.lemma_cases,
        "states": settings.states,
        "plays": settings.plays,
        "seed": settings.seed,
    }
    entries = {o.name: _entry(o) for o in report.obligations}
    return Manifest(report.spec.game.name, report.spec.hash, used, entries, {})


def _entry(o: Obligation) -> Entry:
    return {
        "kind": o.kind.value,
        "verdict": o.verdict.value,
        "citations": list(o.citations),
        "legs": [
            {
                "method": leg.method,
                "verdict": leg.verdict.value,
                "cases": leg.cases,
                "visited": leg.visited,
                "holds": leg.holds,
                **({"detail": leg.detail} if o.kind is Kind.ENDS else {}),  # how long a deal can last
            }
            for leg in o.legs
        ],
    }


def compare(recorded: Manifest, found: Manifest) -> list[str]:
    """Every difference, as a line; empty exactly when the record is right."""
    lines: list[str] = []
    if (recorded.name, recorded.hash) != (found.name, found.hash):
        lines.append(f"{found.name}: the spec is not the one that is recorded")
    lines += _changed(found.name, "setting", recorded.settings, found.settings)
    for name in recorded.obligations:
        if name not in found.obligations:
            lines.append(f"{found.name}: `{name}` is recorded, but promised no more")
    for name, entry in found.obligations.items():
        if name not in recorded.obligations:
            lines.append(f"{found.name}: `{name}` is not recorded")
        else:
            lines += _changed(found.name, name, recorded.obligations[name], entry)
    return lines


def _changed(spec: str, what: str, recorded: Mapping[str, Json], found: Mapping[str, Json]) -> list[str]:
    keys = [*recorded, *(k for k in found if k not in recorded)]
    return [
        f"{spec}: {what}: {key} was {_short(recorded.get(key))}, is {_short(found.get(key))}"
        for key in keys
        if recorded.get(key) != found.get(key)
    ]


def _short(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def promote(recorded: Manifest | None, found: Manifest, reason: str) -> Manifest:
    """``found`` as the new record. Raises ``BadManifest`` when promises vanish and no reason is given."""
    if recorded is None:
        return found
    gone = [name for name in recorded.obligations if name not in found.obligations]
    if gone and not reason.strip():
        names = ", ".join(f"`{name}`" for name in gone)
        raise BadManifest(f"{names} is recorded and promised no more: say why with `--reason`")
    kept = {name: why for name, why in recorded.dropped.items() if name not in found.obligations}
    dropped = {**kept, **dict.fromkeys(gone, reason.strip())}
    return Manifest(found.name, found.hash, found.settings, found.obligations, dropped)


# --- files -----------------------------------------------------------------------------------------------------------


def write(path: Path, manifest: Manifest) -> None:
    """Replaces the file as a whole, or leaves it as it was. Raises ``OSError``."""
    data = {
        "format": FORMAT,
        "name": manifest.name,
        "hash": manifest.hash,
        "settings": manifest.settings,
        "obligations": manifest.obligations,
        "dropped": manifest.dropped,
    }
    write_json(path, data)


def write_json(path: Path, data: Mapping[str, object]) -> None:
    """Replaces the file as a whole, or leaves it as it was. Raises ``OSError``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    try:
        fresh.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def read(path: Path) -> Manifest | None:
    """The record in a file, ``None`` when there is none. Raises ``BadManifest``, ``OSError``."""
    data = read_json(path, FORMAT, "this is no record of a verification")
    return None if data is None else _manifest(data)


def _manifest(data: Mapping[str, Json]) -> Manifest:
    """Raises ``BadManifest``: people edit files, and whoever reads a record relies on its form."""
    form = Form("this is no record of a verification", data)
    obligations, dropped = form.part("obligations"), form.part("dropped")
    for name, entry in obligations.items():
        form.require(_is_entry(entry), f"what it says of `{name}` is not the kind, verdict, citations and legs of one")
    for name, why in dropped.items():
        form.require(isinstance(why, str), f"why `{name}` was dropped is no text")
    return Manifest(
        form.text("name"),
        form.text("hash"),
        form.settings(),
        {name: entry for name, entry in obligations.items() if isinstance(entry, dict)},
        {name: str(why) for name, why in dropped.items()},
    )


def _is_entry(entry: Json) -> bool:
    if not isinstance(entry, dict) or entry.keys() != ENTRY or not isinstance(entry["legs"], list):
        return False
    known = _is_one_of(Kind, entry["kind"]) and _is_one_of(Verdict, entry["verdict"])
    return known and are_texts(entry["citations"]) and all(_is_leg(leg) for leg in entry["legs"])


def _is_leg(leg: Json) -> bool:
    if not isinstance(leg, dict) or leg.keys() - {"detail"} != LEG:
        return False
    counted = all(leg[key] is None or type(leg[key]) is int for key in COUNTS)
    told = isinstance(leg["method"], str) and isinstance(leg.get("detail", ""), str)
    return counted and told and _is_one_of(Verdict, leg["verdict"])


def _is_one_of(kinds: type[Enum], value: Json) -> bool:
    return isinstance(value, str) and value in [kind.value for kind in kinds]


# --- the form of files -----------------------------------------------------------------------------------------------


def are_texts(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


@dataclass(frozen=True, slots=True)
class Form:
    """What is asked of the parts of a record's file. ``wrong`` is what is said of one that is none."""

    wrong: str
    data: Mapping[str, Json]

    def require(self, right: bool, message: str) -> None:
        """Raises ``BadManifest``."""
        if not right:
            raise BadManifest(f"{self.wrong}: {message}")

    def text(self, key: str) -> str:
        value = self.data.get(key)
        self.require(isinstance(value, str), f"`{key}` is no text")
        return str(value)

    def part(self, key: str) -> dict[str, Json]:
        value = self.data.get(key)
        self.require(isinstance(value, dict), f"`{key}` is no object")
        return value if isinstance(value, dict) else {}

    def settings(self) -> dict[str, Json]:
        found = self.part("settings")
        self.require(all(type(value) is int for value in found.values()), "a setting is no number")
        return found


def read_json(path: Path, format: int, wrong: str) -> dict[str, Json] | None:
    """The object in a file, which says that it has this format; ``None`` without a file. Raises ``BadManifest`` (of
    what is no such object ``wrong`` is said) and ``OSError``."""
    if not path.exists():
        return None
    try:
        text = path.read_text(encoding="utf-8")
        data = json.loads(text)
        if "\\u" in text:
            json.dumps(data, ensure_ascii=False).encode("utf-8")  # halves of characters could not be written again
    except (ValueError, RecursionError) as error:
        raise BadManifest(wrong) from error
    if not isinstance(data, dict) or type(data.get("format")) is not int:
        raise BadManifest(wrong)
    if data["format"] != format:
        raise BadManifest(f"a record of format {data['format']}; this tool knows {format}")
    return data
