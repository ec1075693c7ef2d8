"""What the store saves, and that it never lies: one-clause edits of a spec, verified with a store and from cold.

    python benchmarks/store_edits.py [SPEC] [--every N] [--jobs N] [--only NAME ...] [--no-clean]

First the spec is verified with an empty store, and again. Then, for every N-th clause (rules and properties alike), the
first edit that still means a game is verified with the store of the unedited spec, and from cold. Printed are the
seconds of both, how many results were found before, and which works took the time; the script ends with exit code 1
when a report differs in anything but seconds. ``--no-clean`` leaves the cold runs out, which take minutes each.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kozel_verify.model.load import Spec, load
from kozel_verify.verify import run
from kozel_verify.verify.run import Report, verify_spec
from kozel_verify.verify.settings import Settings
from tests.verify.edits import edits


def timed(spec: Spec, settings: Settings) -> tuple[Report, float]:
    start = time.perf_counter()
    report = verify_spec(spec, settings)
    return report, time.perf_counter() - start


def told(report: Report) -> list[object]:
    return [replace(o, seconds=0.0) for o in report.obligations]


def works_done(spec: Spec, settings: Settings) -> str:
    """The kinds of the works that the store leaves to be done, with their numbers."""
    plan = run._planned(run.Subject(spec, settings))
    kinds = [work.kind for work in plan.left if work is not None]
    return ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)) or "nothing"


def chosen(spec: Spec, every: int) -> Iterator[tuple[str, Spec]]:
    for number, edit in enumerate(edits(spec)):
        if number % every == 0:
            yield edit


def main() -> int:
    parser = argparse.ArgumentParser(description="one-clause edits with a store and from cold")
    parser.add_argument("spec", nargs="?", default="spec/kozel_shokha.kozel")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--no-clean", action="store_true")
    given = parser.parse_args()
    spec, wrong = load(given.spec), 0
    clean = Settings(jobs=given.jobs, only=tuple(given.only))
    with tempfile.TemporaryDirectory() as folder:
        warm = replace(clean, store=str(Path(folder) / "first"))
        for name in ("from cold", "unchanged"):
            report, seconds = timed(spec, warm)
            print(f"{seconds:8.2f}s {name}: {report.stored} of {report.parts} found", flush=True)
        for text, edited in chosen(spec, given.every):
            copy = Path(folder) / "copy"
            shutil.copytree(Path(folder) / "first", copy)
            again = replace(clean, store=str(copy))
            left = works_done(edited, again)
            report, seconds = timed(edited, again)
            line = f"{seconds:8.2f}s {report.stored:5} of {report.parts} found; done: {left}; {text}"
            if not given.no_clean:
                cold, taken = timed(edited, clean)
                same = told(cold) == told(report)
                wrong += not same
                line = f"{'' if same else 'DIFFERENT '}{line} ({taken:.2f}s from cold)"
            print(line, flush=True)
            shutil.rmtree(copy)
    print(f"{wrong} reports differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
