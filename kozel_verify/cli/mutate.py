"""``kozel mutate``: would the properties of a spec notice a fault in its rules?"""

import os
from collections.abc import Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from kozel_verify.cli.console import Progress, complain, progress, say, say_json
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.interrupts import INTERRUPTED
from kozel_verify.cli.mutate_text import data_of, lines_of
from kozel_verify.cli.records import opened, put
from kozel_verify.cli.specs import Misuse, nearest, open_spec
from kozel_verify.cli.stores import folder_of
from kozel_verify.cli.verify import LostWorker
from kozel_verify.model.clauses import Clauses
from kozel_verify.model.load import Spec
from kozel_verify.verify.mutants import Mutant, mutants
from kozel_verify.verify.mutate import QUICK, Judge, Judged, Status, chosen, judged
from kozel_verify.verify.mutate_record import Record, compare, path_in, read, record_of, write
from kozel_verify.verify.start import false_start
from kozel_verify.verify.subject import Subject

ALL_NOTICED, REFUTED, NOT_ALL = 0, 1, 3
OPEN = (Status.SURVIVED, Status.UNDECIDED)


@click.command("mutate", short_help="Plant faults in rules, and see which property notices.")
@click.argument("spec", metavar="SPEC")
@click.option("--sample", "size", type=click.IntRange(1), metavar="N", help="Judge N of the mutants.  [default: all]")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Which ones.")
@click.option("--only", metavar="CLAUSE", multiple=True, help="Faults in this clause; may be given several times.")
@click.option("--jobs", type=click.IntRange(1), help="Processes to use.  [default: one for each processor]")
@click.option("--first", is_flag=True, help="For each fault, stop at the first property that notices it: no matrix.")
@click.option("--no-prove", is_flag=True, help="Do not ask whether proofs still succeed for what nothing refutes.")
@click.option(
    "--store",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Where answers of the solver are kept, to be used again.  [default: KOZEL_STORE, or a folder of the user's "
    "caches]",
)
@click.option("--no-store", is_flag=True, help="Keep no answers, and use none. Records imply it.")
@click.option("--record", is_flag=True, help="Write the verdicts to NAME.mutants.json in the folder of proofs.")
@click.option("--check-record", is_flag=True, help="Compare the verdicts with what is recorded.")
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
    spec: str,
    size: int | None,
    seed: int,
    only: tuple[str, ...],
    jobs: int | None,
    first: bool,
    no_prove: bool,
    store: str | None,
    no_store: bool,
    record: bool,
    check_record: bool,
    proofs: Path,
    format: str,
) -> int:
    """Plant small faults in the rules of a spec, one at a time, and ask every property about each.

    A fault that some property notices is killed. One that nobody at the table can tell from the rules is proved to be
    equivalent; one that parts from them in a play, which is shown, has survived; the rest is undecided.

    Exit code 0: nothing has survived and nothing is undecided; 3: something is; 1: a property fails for the spec
    itself.
    """
    if record and (size is not None or only or no_prove):
        raise Misuse("a record is of all mutants, with proofs", "leave out `--sample`, `--only` and `--no-prove`")
    if check_record and no_prove:
        raise Misuse("a record is made with proofs", "leave out `--no-prove`")
    loaded = open_spec(spec)
    todo, number = _chosen(loaded, size, seed, only)
    settings = replace(QUICK, store=folder_of(store, no_store or record or check_record))
    path = path_in(proofs, loaded.game.name)
    old = opened(path, read) if record or check_record else None
    fault = false_start(Subject(loaded, settings))
    if fault is not None:
        return _refuted(fault[0], fault[1].explanation)
    judge = Judge(loaded, settings, not no_prove, first)
    with progress(f"mutating {loaded.game.name}:", kept=True) as shown:
        shown.at(0, len(todo), "the spec itself")
        own = judge.original()
        if own.notices:
            return _refuted(own.first, own.lines)
        rows, complete = _judged(judge, todo, jobs or os.cpu_count() or 1, shown)
    found = record_of(loaded, judge.base.settings, rows, first)
    remarks = _differences(path, old, found, whole=size is None and not only) if check_record and complete else []
    wrong = put(path, partial(write, record=found)) if record and complete else None
    obligations = [] if first else [w.name for w in judge.base.wanted]
    if format == "json":
        say_json({**data_of(rows, number, obligations), "complete": complete, "record": remarks})
    else:
        say(f"{loaded.game.name} ({loaded.path})", *lines_of(rows, number, obligations), *remarks)
    if wrong is not None:
        raise wrong
    if not complete:
        complain("interrupted: this is what was found before")
        return INTERRUPTED
    return NOT_ALL if remarks or any(row.status in OPEN for row in rows) else ALL_NOTICED


def _chosen(spec: Spec, size: int | None, seed: int, only: Sequence[str]) -> tuple[list[Mutant], int]:
    names = list(dict.fromkeys(m.name for m in mutants(spec.program))) if only else []
    for name in only:
        clause = Clauses(spec.program).named(name)
        if clause is not None and clause.name not in names:  # an option, say
            raise Misuse(f"there is no fault to plant in the {clause.kind} `{clause.name}`", "name a rule that uses it")
        if any(getattr(p, "name", "") == name for p in spec.game.properties):
            raise Misuse(f"`{name}` is a promise; faults are planted in rules", "name a rule that it is about")
        if name not in names:
            raise Misuse(f"no clause that can be changed is called `{name}`", nearest(name, names))
    return chosen(spec, size, seed, only)


def _judged(judge: Judge, todo: Sequence[Mutant], jobs: int, shown: Progress) -> tuple[list[Judged], bool]:
    """The rows, and whether they are all: an interruption leaves those before it."""
    rows: list[Judged] = []
    try:
        for row in judged(judge, todo, jobs):
            rows.append(row)
            shown.at(len(rows), len(todo), f"{row.id} {row.status}")
    except BrokenProcessPool as lost:
        raise LostWorker from lost
    except KeyboardInterrupt:
        return rows, False
    return rows, True


def _refuted(name: str, lines: Sequence[str]) -> int:
    complain(f"error[refuted]: `{name}` fails for the spec as it is; see `kozel verify`")
    complain(*(f"  {line}" for line in lines))
    return REFUTED


def _differences(path: Path, old: Record | None, found: Record, whole: bool) -> list[str]:
    return [f"{path}: no mutants are recorded"] if old is None else compare(old, found, whole)
