"""Judged mutants as lines of text, and as data for JSON."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from kozel_verify.cli.problems import place
from kozel_verify.verify.matrix import Matrix
from kozel_verify.verify.mutate import Judged, Status
from kozel_verify.verify.mutate_cells import LEGEND, Says

INSIDE = " " * 13
QUIET = (Says.HOLDS, Says.UNTOUCHED)


def matrix_of(rows: Sequence[Judged], obligations: Sequence[str]) -> Matrix:
    """``obligations``: all of the spec, in the order of the report; none, where each mutant was judged by the first
    that notices it."""
    return Matrix.of(obligations, [row.killers if obligations else () for row in rows])


def counts_of(rows: Sequence[Judged], number: int) -> dict[str, int]:
    """``number``: how many mutants there are, of which the rows are all or a sample."""
    counted = Counter(row.status for row in rows)
    return {
        "mutants": number,
        "judged": len(rows),
        **{status.value: counted[status] for status in Status},
        "killed_by_proofs_alone": sum(row.by_proofs_alone for row in rows),
    }


# --- text ------------------------------------------------------------------------------------------------------------


def lines_of(rows: Sequence[Judged], number: int, obligations: Sequence[str]) -> list[str]:
    """Mutant by mutant, then what the obligations have done."""
    said = [line for row in rows for line in _row(row)]
    if obligations:
        matrix = matrix_of(rows, obligations)
        said += [*_obligations(matrix), *_smallest(matrix)]
    return [*said, _summary(counts_of(rows, number))]


def _row(row: Judged) -> Iterator[str]:
    at = f"{Path(row.span.file).name}:{row.span.line}:{row.span.column}"
    yield f"  {row.status.value.upper():<10} {at}  {row.description}"
    if row.status is Status.KILLED:
        more = len(row.killers) - 1  # where it was hurried, what was found in the same plays
        others = f", and {more} more notice{'s' * (more == 1)} it" if more else ""
        cell = row.cells[row.by]
        yield f"{INSIDE}`{row.by}` is {cell.says.value} ({cell.method}){others}"
    yield from (f"{INSIDE}{line}" for line in row.lines)
    if row.scenario:
        if not row.shows:
            yield f"{INSIDE}(who sees what cannot be said in a scenario of the full pack: this one shows the play)"
        yield from (f"{INSIDE}{line}" for line in row.scenario.rstrip("\n").split("\n"))


def _obligations(matrix: Matrix) -> Iterator[str]:
    yield "  obligations, with the faults that they notice, and those that nothing else notices:"
    for name, mutants in matrix.kills.items():
        alone = len(matrix.alone(name))
        if mutants:
            yield f"    {len(mutants):>5} {alone if alone else '':>4}  {name}"
    if matrix.idle:
        yield f"    nothing is noticed by: {', '.join(matrix.idle)}"


def _smallest(matrix: Matrix) -> Iterator[str]:
    cover = matrix.smallest()
    if cover.names:
        kind = "a smallest set" if cover.exact else "a small set (a smaller one is not excluded)"
        yield f"  {kind} of obligations that notices all of these: {len(cover.names)}"
        yield f"    {', '.join(cover.names)}"


def _summary(counts: dict[str, int]) -> str:
    proofs = counts["killed_by_proofs_alone"]
    parts = [
        f"{counts['killed']} noticed" + (f" ({proofs} only by proofs that no longer succeed)" if proofs else ""),
        f"{counts['equivalent']} proved equivalent",
        f"{counts['survived']} not noticed",
        f"{counts['undecided']} undecided",
        f"{counts['invalid']} mean no game",
    ]
    return f"  {counts['judged']} of {counts['mutants']} faults planted: {', '.join(parts)}"


# --- data ------------------------------------------------------------------------------------------------------------


def data_of(rows: Sequence[Judged], number: int, obligations: Sequence[str]) -> dict[str, object]:
    """The matrix has a cell for each obligation that is not named in ``cells`` of a mutant: it says ``holds`` or
    ``untouched``. Where there is no matrix, ``obligations`` is empty, and so is what follows from it."""
    matrix = matrix_of(rows, obligations)
    cover = matrix.smallest()
    return {
        "summary": counts_of(rows, number),
        "legend": {says.value: text for says, text in LEGEND.items()},
        "obligations": [
            {"name": name, "kills": len(mutants), "alone": len(matrix.alone(name))}
            for name, mutants in matrix.kills.items()
        ],
        "redundant": list(matrix.redundant),
        "smallest": {"obligations": list(cover.names), "exact": cover.exact},
        "mutants": [_data(row) for row in rows],
    }


def _data(row: Judged) -> dict[str, object]:
    counted = Counter(cell.says for cell in row.cells.values())
    return {
        "id": row.id,
        "kind": row.kind.value,
        "item": row.name,
        **place(row.span),
        "description": row.description,
        "status": row.status.value,
        "by_proofs_alone": row.by_proofs_alone,
        "obligation": row.by or None,
        "lines": list(row.lines),
        "scenario": row.scenario or None,
        "scenario_shows": row.shows if row.scenario else None,
        "counts": {says.value: counted[says] for says in Says},
        "cells": {
            name: {"says": cell.says.value, "method": cell.method}
            for name, cell in row.cells.items()
            if cell.says not in QUIET
        },
    }
