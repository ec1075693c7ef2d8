"""``kozel verify``: everything that specs promise, with a verdict for each promise."""

import os
import re
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from pathlib import Path

import click

from kozel_verify.cli.console import complain, progress, say, say_json
from kozel_verify.cli.formats import format_option, only_option
from kozel_verify.cli.interrupts import INTERRUPTED
from kozel_verify.cli.queries import save, told
from kozel_verify.cli.records import Before, joined
from kozel_verify.cli.seeds import prepare, vary
from kozel_verify.cli.specs import Misuse, nearest, open_spec, shipped
from kozel_verify.cli.stores import folder_of, unusable
from kozel_verify.cli.verify_text import data_of, interrupted, lines_of
from kozel_verify.model.load import Spec
from kozel_verify.verify.cluster import ClusterFault
from kozel_verify.verify.findings import Exit, exit_code
from kozel_verify.verify.run import Progress, Report, verify_spec, wanted
from kozel_verify.verify.settings import Settings

NOT_AS_RECORDED = 3
ADDRESS = re.compile(r"dask://[^/:\s]+:\d{1,5}")
HARD = 3  # queries of one work that are saved when the solver gives up


@click.command("verify", short_help="Check everything that specs promise.")
@click.argument("specs", metavar="[SPEC...]", nargs=-1)
@only_option
@click.option("--jobs", type=click.IntRange(1), help="Processes to use.  [default: one for each processor]")
@click.option(
    "--executor",
    metavar="dask://HOST:PORT",
    help="Let the workers of a dask cluster do it, which have the same version of this tool. They are trusted: what "
    "they say is taken. Needs the extra `cluster`.",
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    default=Settings().budget,
    show_default=True,
    help="Solver resource units for one query; the same everywhere, unlike seconds.",
)
@click.option(
    "--save-queries",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("kozel-queries"),
    show_default=True,
    help="Where queries are saved on which the solver gave up.",
)
@click.option(
    "--store",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Where results are kept, to be used again.  [default: KOZEL_STORE, or a folder of the user's caches]",
)
@click.option("--no-store", is_flag=True, help="Find all results anew, and keep none. Records imply it.")
@click.option(
    "--seeds",
    metavar="N",
    type=click.IntRange(1),
    help="Then ask the solver all again with N random seeds, and write how much its effort varies to seeds/NAME.json "
    "in the folder of proofs.",
)
@click.option("--verbose", "-v", is_flag=True, help="Tell what each method found.")
@click.option("--record", is_flag=True, help="Write what was found to NAME.json in the folder of proofs.")
@click.option("--reason", metavar="TEXT", default="", help="With --record: why promises that were recorded are gone.")
@click.option("--check-record", is_flag=True, help="Compare what was found with what is recorded of it.")
@click.option(
    "--proofs",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("proofs"),
    show_default=True,
    help="The folder of proofs.",
)
@format_option
def command(
    specs: tuple[str, ...],
    only: tuple[str, ...],
    jobs: int | None,
    executor: str | None,
    budget: int,
    save_queries: Path,
    store: str | None,
    no_store: bool,
    seeds: int | None,
    verbose: bool,
    record: bool,
    reason: str,
    check_record: bool,
    proofs: Path,
    format: str,
) -> int:
    """Check everything that specs promise; without arguments, the games that come with the tool.

    Each promise gets a verdict that says how far it was shown: PROVED for the whole game, ENUMERATED case by case,
    CLOSED on a smaller pack only, SAMPLED in some plays only, UNKNOWN, or REFUTED with a play that shows it.
    """
    _sensible(only, seeds, executor, no_store, record, check_record)
    loaded = _wanted([open_spec(s) for s in specs or map(str, shipped().values())], only)
    settings = Settings(
        budget=budget,
        jobs=jobs or os.cpu_count() or 1,
        executor=executor or "",
        only=only,
        thorough=check_record,
        store=folder_of(store, no_store or record or check_record),
        hard=HARD,
    )
    before = [Before.of(spec, proofs, check_record) for spec in loaded] if record or check_record else []
    if seeds:
        prepare(loaded, settings, proofs)
    reports = _verified(loaded, settings)
    saved = [save(report, save_queries, budget) for report in reports]
    end = _end(reports, len(loaded), settings, before, record, check_record, reason)
    if end.complete and seeds:
        end = _varied(end, reports, settings, proofs, seeds)
    if format == "json":
        data = [data_of(report, queries) for report, queries in zip(reports, saved, strict=True)]
        said: dict[str, object] = data[0] if len(loaded) == 1 and data else {"specs": data}
        say_json({**said, "complete": end.complete, "exit": end.code, "record": list(end.remarks)})
    else:
        for report, queries in zip(reports, saved, strict=True):
            say(*lines_of(report, verbose), *told(queries, budget))
        say(*end.remarks)
    _tell_stored(reports, settings)
    if not end.complete:
        complain(interrupted(reports))
    if end.wrong is not None:
        raise end.wrong
    return end.code


def _sensible(
    only: Sequence[str], seeds: int | None, executor: str | None, no_store: bool, record: bool, check_record: bool
) -> None:
    """Raises ``Misuse`` for options that do not go together, and for an executor that is none."""
    if (record or seeds) and only:
        raise Misuse("a record is of a whole spec", "leave out `--only`")
    if seeds and (no_store or record or check_record):
        raise Misuse("`--seeds` asks the queries that the store has", "verify with a store, record apart")
    if seeds and executor:
        raise Misuse("`--seeds` asks queries on this machine", "leave out `--executor`")
    if executor is not None and not ADDRESS.fullmatch(executor):
        raise Misuse(f"`{executor}` is no executor", "name a scheduler of dask, as `dask://localhost:8786`")


def _tell_stored(reports: Sequence[Report], settings: Settings) -> None:
    """How much was found before; and, once, that the store has become unusable."""
    found, parts = sum(r.stored for r in reports), sum(r.parts for r in reports)
    if found:
        complain(f"{found} of {parts} results were found before by this tool on the same rules: {settings.store}")
    problem = next((r.problem for r in reports if r.problem), "")
    if problem:
        unusable(settings.store, problem)


class LostWorker(click.ClickException):
    """A process was ended from outside, most likely by a system out of memory: nothing is shown."""

    exit_code = 3
    hint = "fewer `--jobs` or a smaller `--budget` need less memory"

    def __init__(self) -> None:
        super().__init__("a process that verified was ended from outside; there may be too little memory")


class LostCluster(click.ClickException):
    """A cluster that cannot be used or failed: nothing is shown."""

    exit_code = 3

    def __init__(self, fault: ClusterFault) -> None:
        super().__init__(str(fault))
        self.hint = fault.hint


def _wanted(specs: Sequence[Spec], only: Sequence[str]) -> list[Spec]:
    """The specs that have a promise of one of the names (all, when none are given)."""
    known = {spec.path: [w.name for w in wanted(spec)] for spec in specs}
    for name in only:
        if not any(name in names for names in known.values()):
            every = [n for names in known.values() for n in names]
            if any(part.strip() in every for part in name.split(",")[1:]):
                raise Misuse(f"nothing to verify is called `{name}`", "give each name an `--only` of its own")
            raise Misuse(f"nothing to verify is called `{name}`", nearest(name, every))
    return [spec for spec in specs if not only or set(only) & set(known[spec.path])]


def _verified(specs: Sequence[Spec], settings: Settings) -> list[Report]:
    """The reports in order; the last is incomplete, and the list too short, after an interruption."""
    reports: list[Report] = []
    for spec in specs:
        with progress(f"verifying {spec.game.name}:", kept=True) as shown:
            try:
                reports.append(verify_spec(spec, settings, Progress(shown.at)))
            except BrokenProcessPool as lost:
                raise LostWorker from lost
            except ClusterFault as fault:
                raise LostCluster(fault) from fault
        if not reports[-1].complete:
            break
    return reports


@dataclass(frozen=True, slots=True)
class End:
    """How it ended, apart from the reports. ``wrong`` is to be raised once everything is told."""

    complete: bool
    code: int
    remarks: tuple[str, ...] = ()
    wrong: Misuse | None = None


def _end(
    reports: Sequence[Report],
    wanted: int,
    settings: Settings,
    before: Sequence[Before],
    record: bool,
    check: bool,
    reason: str,
) -> End:
    """Compares with the records that were there before, then writes them, as asked."""
    if len(reports) < wanted or not all(report.complete for report in reports):
        return End(False, INTERRUPTED)
    code = int(exit_code(o for r in reports for o in r.obligations))
    known = list(zip(before, reports, strict=True)) if record or check else []
    remarks = tuple(line for old, report in known if check for line in old.differences(report, settings))
    wrong = joined([old.replace(report, settings, reason) for old, report in known if record])
    if code == 0 and remarks:
        code = NOT_AS_RECORDED
    return End(True, code if wrong is None else wrong.exit_code, remarks, wrong)


def _varied(end: End, reports: Sequence[Report], settings: Settings, proofs: Path, seeds: int) -> End:
    """The end, after all queries were asked again."""
    found = vary(reports, settings, proofs, seeds)
    code = int(Exit.DISAGREE) if found.contradicted else end.code if found.complete else INTERRUPTED
    if found.wrong is not None:
        code = found.wrong.exit_code
    return replace(end, complete=found.complete, code=code, wrong=found.wrong)
