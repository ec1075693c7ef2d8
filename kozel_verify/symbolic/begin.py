"""The families with which a node begins that plays have met, and how patiently any are weakened."""

from collections.abc import Sequence

from kozel_verify.symbolic.columns import Sample, SymbolicColumns, fill, thinned
from kozel_verify.symbolic.guess import Layout, guess
from kozel_verify.symbolic.system import CountingSystem
from kozel_verify.symbolic.templates import PATIENCE, Box, Family, Relation


def from_samples(
    system: CountingSystem,
    shape: Layout,
    seen: SymbolicColumns,
    samples: Sequence[Sample],
    thorough: bool,
    sparing: bool,
) -> list[Family]:
    rows = list(dict.fromkeys(seen.row(system.assignment(s, o)) for s, o in thinned(samples)))
    families = guess(shape, rows, system.game.seats, thorough, sparing)
    for family in families:
        if isinstance(family, Relation):
            fill(family, system.game, shape.columns, samples)
    return families


def limit(families: Sequence[Family], cases: int) -> None:
    """From now on bounds that move too often are given up: with many cases soon, since each of them pays for it at
    each node."""
    patience = PATIENCE if cases == 1 else 1
    for family in families:
        if isinstance(family, Box):
            family.patience = patience
