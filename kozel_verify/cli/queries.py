"""Queries on which the solver gave up, as files that any solver for SMT-LIB can be given."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kozel_verify.cli.console import complain
from kozel_verify.verify.evidence import Evidence, Work
from kozel_verify.verify.findings import COMPLETE, Obligation, Verdict
from kozel_verify.verify.run import Report

NAMED = 3  # obligations that a line names


@dataclass(frozen=True, slots=True)
class Saved:
    """``obligations`` are not proved; of their work's ``given_up`` queries the first are in the ``files``."""

    obligations: tuple[str, ...]
    given_up: int
    files: tuple[str, ...]

    def data(self) -> dict[str, object]:
        return {"obligations": list(self.obligations), "given_up": self.given_up, "files": list(self.files)}


def save(report: Report, folder: Path, budget: int) -> list[Saved]:
    """Write the queries for which an obligation is not proved. A folder that cannot be written is complained of."""
    unknown = [o.name for o in report.obligations if _open(o)]
    found: list[Saved] = []
    for work, evidence in report.hard:
        names = tuple(name for name in unknown if name in work.serves)
        if not names:
            continue
        try:
            files = _written(report, work, evidence, names, folder, budget)
        except OSError as error:
            complain(f"warning: {folder}: {(error.strerror or 'cannot be written').lower()}; no query is saved")
            return found
        found.append(Saved(names, evidence.given_up, files))
    return found


def _open(o: Obligation) -> bool:
    return o.verdict not in (*COMPLETE, Verdict.REFUTED) and any(leg.verdict is Verdict.UNKNOWN for leg in o.legs)


def _written(
    report: Report, work: Work, evidence: Evidence, names: Sequence[str], folder: Path, budget: int
) -> tuple[str, ...]:
    """The names of the files. Raises ``OSError``."""
    folder.mkdir(parents=True, exist_ok=True)
    label = work.serves[0] if len(work.serves) == 1 else work.kind
    files = []
    for number, text in enumerate(evidence.hard, 1):
        name = re.sub(r"[^\w.-]+", "_", f"{report.spec.game.name}-{label}-{number}.smt2")
        path = folder / name
        path.write_text(_head(report, names, budget) + text, encoding="utf-8", newline="\n")
        files.append(str(path))
    return tuple(files)


def _head(report: Report, names: Sequence[str], budget: int) -> str:
    lines = [
        f"{report.spec.game.name}, spec {report.spec.hash}",
        f"asked for: {', '.join(names)}",
        f"Z3 gave up within {budget} resource units.",
        "unsat: nothing breaks the claim here. sat: something does, which no play need come to.",
        "(Of a lemma, the first query may ask whether its premise is ever true: sat is right there.)",
    ]
    return "".join(f"; {line}\n" for line in lines)


def told(saved: Sequence[Saved], budget: int) -> list[str]:
    """What a report says of them, and what to do next."""
    if not saved:
        return []
    lines = [f"  the solver gave up within `--budget {budget}`:"]
    for one in saved:
        more = f" and {len(one.obligations) - NAMED} more" if len(one.obligations) > NAMED else ""
        queries = "1 query" if one.given_up == 1 else f"{one.given_up:,} queries"
        kept = "" if one.given_up == len(one.files) else f", the first {len(one.files)} of them"
        lines.append(f"    {', '.join(one.obligations[:NAMED])}{more}: {queries}{kept} saved in")
        lines += [f"      {file}" for file in one.files]
    return [*lines, f"    next: `--budget {max(10 * budget, 40_000_000)}`, or a file with another solver", ""]
