"""The families with which a node begins: from the states that plays have met there, or from one model of the solver."""

from collections.abc import Sequence

from kozel_verify.model.core import Game
from kozel_verify.symbolic.columns import Sample, SymbolicColumns, fill, thinned
from kozel_verify.symbolic.guess import Layout, first_guess, guess
from kozel_verify.symbolic.system import CountingSystem
from kozel_verify.symbolic.templates import PATIENCE, Box, Family, Relation, Row


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


def from_model(game: Game, shape: Layout, row: Row) -> list[Family]:
    """Where no play came, but a model does."""
    return first_guess(shape, row, game.seats)


def limit(families: Sequence[Family], cases: int) -> None:
    """From now on bounds that move too often are given up: with many cases soon, since each of them pays for it at
    each node."""
    patience = PATIENCE if cases == 1 else 1
    for family in families:
        if isinstance(family, Box):
            family.patience = patience
