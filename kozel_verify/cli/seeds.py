"""``kozel verify --seeds``: how much the solver's effort varies with its random seed, told and recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kozel_verify.cli.console import complain, progress
from kozel_verify.cli.records import joined, opened, put
from kozel_verify.cli.specs import Misuse
from kozel_verify.model.load import Spec
from kozel_verify.verify.run import Report
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.stability import QueriesLost, Spread, Stability, path_of, read, stability, write


def prepare(specs: Sequence[Spec], settings: Settings, proofs: Path) -> None:
    """Raises ``Misuse`` where no query is kept, and for a file in the place of a record that is none."""
    if not settings.store:
        raise Misuse(
            "`--seeds` asks the queries that the store has", "name a folder that can be written: `--store DIR`"
        )
    for spec in specs:
        opened(path_of(proofs, spec.game.name), read)


@dataclass(frozen=True, slots=True)
class Varied:
    """``contradicted``: some queries were answered both ways; not ``complete``: it was interrupted, and only the specs
    before have their records; ``wrong``: to be raised once all is told."""

    contradicted: bool
    complete: bool
    wrong: Misuse | None


def vary(reports: Sequence[Report], settings: Settings, proofs: Path, seeds: int) -> Varied:
    """Ask all queries of the reports again, and write the records."""
    contradicted, complete = False, True
    wrong: list[Misuse | None] = []
    for report in reports:
        try:
            found = _asked_again(report, settings, seeds)
        except Misuse as lost:
            wrong.append(lost)
            continue
        except KeyboardInterrupt:
            complete = False
            break
        complain(*_lines(found))
        wrong.append(put(path_of(proofs, found.name), partial(write, found=found)))
        contradicted = contradicted or found.total.contradicted > 0
    return Varied(contradicted, complete, joined(wrong))


def _asked_again(report: Report, settings: Settings, seeds: int) -> Stability:
    game = report.spec.game
    with progress(f"seeds for {game.name}:") as shown:
        try:
            return stability(
                (game.name, report.spec.hash),
                report.asked,
                settings.store,
                budget=settings.budget,
                seeds=seeds,
                jobs=settings.jobs,
                tell=shown.at,
            )
        except QueriesLost as lost:
            raise Misuse(
                "the store has lost queries since they were asked", "verify again with `--store DIR`"
            ) from lost


def _lines(found: Stability) -> list[str]:
    """The spread in all, and of the works that took most."""
    width = max(len(s.work) for s in (found.total, *found.works))
    most = sorted(found.works, key=lambda s: -s.maximum)[:8]
    queries = "1 query" if found.total.queries == 1 else f"{found.total.queries} queries"
    seeds = "1 seed" if found.seeds == 1 else f"{found.seeds} seeds"
    head = f"{found.name}: {queries}, {seeds}, budget {found.budget:,} for each"
    return [head, *(f"  {s.work:<{width}}  {_spread(s)}" for s in (found.total, *most))]


def _spread(s: Spread) -> str:
    units = (
        f"{s.units:,} units; with seeds {s.minimum:,} to {s.maximum:,}, median {s.median:,}; one query {s.hardest:,}"
    )
    return (
        units + f"; {s.unknown} unknown" * bool(s.unknown) + f"; {s.contradicted} contradicted" * bool(s.contradicted)
    )
