"""``kozel verify --seeds``: how much the solver's effort varies with its random seed, told and recorded."""

from collections.abc import Sequence
from pathlib import Path

from kozel_verify.cli.console import complain, progress
from kozel_verify.cli.specs import Misuse
from kozel_verify.verify.run import Report
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.stability import QueriesLost, Spread, Stability, faults, path_of, read, stability, write


def vary(reports: Sequence[Report], settings: Settings, proofs: Path, seeds: int) -> bool:
    """Ask all queries of the reports again, and write the records. Were some answered both ways?"""
    if not settings.store:
        raise Misuse(
            "`--seeds` asks the queries that the store has", "name a folder that can be written: `--store DIR`"
        )
    contradicted = False
    for report in reports:
        found = _asked_again(report, settings, seeds)
        path = path_of(proofs, found.name)
        try:
            write(path, found)
        except OSError as error:
            raise Misuse(f"{path}: {(error.strerror or 'cannot be used').lower()}") from error
        complain(*_lines(found), f"recorded in {path}")
        contradicted = contradicted or found.total.contradicted > 0
    return contradicted


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
    head = f"{found.name}: {found.total.queries} queries, {found.seeds} seeds, budget {found.budget:,} for each"
    return [head, *(f"  {s.work:<{width}}  {_spread(s)}" for s in (found.total, *most))]


def _spread(s: Spread) -> str:
    units = (
        f"{s.units:,} units; with seeds {s.minimum:,} to {s.maximum:,}, median {s.median:,}; one query {s.hardest:,}"
    )
    return (
        units + f"; {s.unknown} unknown" * bool(s.unknown) + f"; {s.contradicted} contradicted" * bool(s.contradicted)
    )


def checked(report: Report, proofs: Path) -> list[str]:
    """What is wrong with the recorded spread, if one is recorded. Raises ``BadManifest``, ``OSError``."""
    found = read(path_of(proofs, report.spec.game.name))
    return [] if found is None else faults(found, report.spec.hash)
