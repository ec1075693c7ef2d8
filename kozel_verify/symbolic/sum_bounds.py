"""Bounds on a counter together with what falls as it grows: guessed from samples, given up when first broken.

In: the layout of a node, sampled plain states, and the column of a counter. Out: families (``templates``) that say
``w * counter + sizes <= bound`` or ``>= bound``, where the sizes are those of the zones that cards are drawn from, of
one family of zones, of one set, or one more counter. Trusted: nothing; a claim counts only when the prover has shown
it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from kozel_verify.model.core import OUTSIDE, Apply, CellRead, Const, Expr, Game
from kozel_verify.model.types import element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.exact import PlainState
from kozel_verify.symbolic.guess import Layout, members
from kozel_verify.symbolic.templates import Columns, Family, Row, Seen, number, op, weighted
from kozel_verify.symbolic.terms import Term

Weighted = tuple[tuple[int, int], ...]  # column, factor


@dataclass(slots=True)
class SumBound:
    """The weighted sum is at most (``upper``), or at least, ``bound``."""

    parts: Weighted
    upper: bool
    bound: int
    broken: bool = False

    def join(self, row: Row) -> bool:
        value = total(self.parts, row)
        if self.broken or (value <= self.bound if self.upper else value >= self.bound):
            return False
        self.broken = True
        return True

    def claims(self, columns: Columns) -> list[Expr]:
        if self.broken:
            return []
        sum_ = weighted([(f, columns.numbers[c]) for c, f in self.parts], 0)
        return [op("<=", *((sum_, number(self.bound)) if self.upper else (number(self.bound), sum_)))]

    def terms(self, seen: Seen) -> list[Term]:
        if self.broken:
            return []
        sum_, bound = t.add(*(t.mul(t.integer(f), seen.number(c)) for c, f in self.parts)), t.integer(self.bound)
        return [t.le(sum_, bound) if self.upper else t.le(bound, sum_)]


def total(parts: Weighted, row: Row) -> int:
    return sum(f * row.numbers[c] for c, f in parts)


def sum_bounds(
    game: Game,
    shape: Layout,
    samples: Sequence[PlainState],
    counter: int,
    drawn: Collection[str],
    uppers: bool,
    lowers: bool,
) -> Iterator[Family]:
    """Bounds as tight as all samples allow, of sums that vary less than their parts together."""
    candidates = _others(game, shape, counter, drawn)
    columns = {c for others in candidates for c, _ in others} | {counter}
    rows = list(dict.fromkeys(_row(game, shape, columns, state) for state in samples))
    numbers = {c: [row.numbers[c] for row in rows] for c in columns}
    own, rests = numbers[counter], [_added(numbers, others, len(rows)) for others in candidates]
    for weight in (1, 2, game.seats) if lowers else (1,):
        for others, rest in zip(candidates, rests, strict=True):
            parts = ((counter, weight), *others)
            sums = [weight * a + b for a, b in zip(own, rest, strict=True)]
            if uppers and weight == 1 and (not others or max(sums) < max(own) + max(rest)):
                yield SumBound(parts, True, max(sums))
            if lowers and (not others or min(sums) > weight * min(own) + min(rest)):
                yield SumBound(parts, False, min(sums))


def _added(numbers: Mapping[int, list[int]], parts: Weighted, rows: int) -> list[int]:
    """The weighted sum in each of the rows."""
    found = [0] * rows
    for column, factor in parts:
        found = [a + factor * b for a, b in zip(found, numbers[column], strict=True)]
    return found


def _row(game: Game, shape: Layout, columns: set[int], state: PlainState) -> Row:
    """The numbers of these columns in a plain state (0 in all others)."""
    sizes = [0] * game.zone_slots()
    for slot in state.place:
        if slot != OUTSIDE:
            sizes[slot] += 1
    numbers = [0] * len(shape.columns.numbers)
    for slot, column in enumerate(shape.sizes):
        numbers[column] = sizes[slot]
    for column in columns - set(shape.sizes):
        match shape.columns.numbers[column]:
            case CellRead() as read:
                numbers[column] = int(state.cells[_slot(game, read)] or 0)
            case Apply("size", (CellRead() as read,)):
                numbers[column] = int(state.cells[_slot(game, read)] or 0).bit_count()
            case _:
                pass
    return Row(tuple(numbers), (), ())


def _slot(game: Game, read: CellRead) -> int:
    cell = game.cells[read.cell]
    if cell.index is None or not isinstance(read.index, Const):
        return cell.base
    return cell.base + int(read.index.value or 0) - element_indices(cell.index)[0]


def _others(game: Game, shape: Layout, counter: int, drawn: Collection[str]) -> list[Weighted]:
    """What may be added to the counter."""
    stock, families = list[tuple[int, int]](), list[Weighted]([()])
    for zone in game.zones.values():
        slots = shape.sizes[zone.base : zone.base + len(list(members(zone)))]
        if zone.name in drawn:
            stock += [(c, 1) for c in slots]
        elif zone.index is not None:
            families.append(tuple((c, 1) for c in slots))
    single = [(), *(((c, 1),) for c in (*shape.counts, *shape.counters) if c != counter)]
    return [(*a, *b, *c) for a, b, c in product([(), tuple(stock)], families, single)]
