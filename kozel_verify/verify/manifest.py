"""The record of a verification: which promises a spec made, and how far each was shown.

In go reports; out come JSON files that people promote on purpose, and the differences between what is recorded and what
is found. A record holds verdicts, methods and exact counts, no times and no solver statistics, so that it is the same
on every machine. A promise that vanishes is a difference until a record without it is promoted with a reason.
"""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from kozel_verify.verify.findings import Json, Kind, Obligation
from kozel_verify.verify.run import Report
from kozel_verify.verify.settings import Settings

FORMAT = 1
Entry = dict[str, Json]


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
    if recorded.hash != found.hash:
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
    if not path.exists():
        return None
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        if data["format"] != FORMAT:
            raise BadManifest(f"a record of format {data['format']}; this tool knows {FORMAT}")
        return Manifest(data["name"], data["hash"], data["settings"], data["obligations"], data["dropped"])
    except (ValueError, KeyError, TypeError) as error:
        raise BadManifest("this is no record of a verification") from error
