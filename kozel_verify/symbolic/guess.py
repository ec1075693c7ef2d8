"""Candidate invariants of each node, from the states of sampled runs.

In: a game, and for each node the columns of plain states seen there. Out: the families of claims (``templates``) that
are worth proving: equations between sizes and counters (with the progress of loops as numbers), bounds, the same under
guards, remainders, relations between small cells, and which things are empty together. A guess needs no
justification; a poor sample makes the proof take more rounds, or miss a claim that would have helped.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from kozel_verify.model.core import (
    Apply,
    Cell,
    CellKind,
    CellRead,
    Const,
    Expr,
    Game,
    If,
    OptionRead,
    Zone,
    ZoneRead,
)
from kozel_verify.model.types import (
    NAT,
    BoolType,
    CardType,
    NatType,
    OptionalType,
    RangeType,
    SetType,
    Type,
    cardinality,
    element_indices,
)
from kozel_verify.symbolic.measures import named_cards
from kozel_verify.symbolic.templates import (
    Affine,
    Box,
    Columns,
    Congruence,
    Family,
    Guard,
    Implication,
    Relation,
    Row,
    applies,
    number,
    op,
)

SMALL = 16  # values of a cell that may stand in a relation
FEW = 8  # elements of a set whose members are counted one by one


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of a node, and what each is about: positions into ``columns.numbers`` or ``columns.truths``."""

    columns: Columns
    sizes: tuple[int, ...]  # of all zone slots
    single: tuple[int, ...]  # of zones that are no families
    counters: tuple[int, ...]  # numeric cells
    counts: tuple[int, ...]  # sizes of sets
    groups: tuple[int, ...]  # sizes of chosen groups of cards that are still needed
    marks: tuple[int, ...]  # 0 or 1: is an element in a set, is a loop at an element
    pointed: tuple[int, ...]  # sizes of the zone of a family that a cell points to
    owned: dict[tuple[Type, int], tuple[int, ...]]  # sizes of the zones of an element of an index type
    about: dict[int, tuple[Type, int] | None]  # truth column -> the element it is about
    zero: tuple[int, ...]  # truth columns: something is empty or 0
    loops: tuple[int, ...]  # cell columns that belong to loops


class _Builder:
    def __init__(self, game: Game, node: int) -> None:
        self.game, self.node = game, node
        self.numbers: list[Expr] = []
        self.truths: list[Expr] = []
        self.cells: list[Expr] = []
        self.groups: dict[str, list[int]] = {k: [] for k in _GROUPS}
        self.owned: dict[tuple[Type, int], list[int]] = {}
        self.about: dict[int, tuple[Type, int] | None] = {}

    def number(self, expr: Expr, *groups: str) -> int:
        self.numbers.append(expr)
        for g in groups:
            self.groups[g].append(len(self.numbers) - 1)
        return len(self.numbers) - 1

    def truth(self, expr: Expr, about: tuple[Type, int] | None, *groups: str) -> None:
        self.truths.append(expr)
        self.about[len(self.truths) - 1] = about
        for g in groups:
            self.groups[g].append(len(self.truths) - 1)

    def zones(self) -> None:
        for zone in self.game.zones.values():
            for index in members(zone):
                size = _size(ZoneRead(zone.name, constant(zone, index), _cards(self.game)))
                column = self.number(size, "sizes", *(["single"] if index is None else []))
                if index is None:
                    self._named(zone)
                owner = None if zone.index is None or index is None else (zone.index, index)
                if owner is not None:
                    self.owned.setdefault(owner, []).append(column)
                self.truth(op("==", size, number(0)), owner, "zero")

    def _named(self, zone: Zone) -> None:
        """Is a card that the rules name in a zone?"""
        for card in named_cards(self.game):
            inside = op("in", Const(card, CardType(len(self.game.deck))), ZoneRead(zone.name, None, _cards(self.game)))
            self.number(_mark(inside), "marks")
            self.truth(inside, None, "zero")

    def live(self) -> Iterator[Cell]:
        for cell in self.game.cells.values():
            if cell.kind is CellKind.DECLARED or cell.name in self.game.live[self.node]:
                yield cell

    def cell(self, cell: Cell) -> None:
        for index in members(cell):
            read = CellRead(cell.name, constant(cell, index), cell.type)
            owner = None if cell.index is None or index is None else (cell.index, index)
            match cell.type:
                case NatType() | RangeType():
                    self.number(read, "counters")
                    self.truth(op("==", read, number(0)), owner, "zero")
                case BoolType():
                    self.truth(read, owner)
                case OptionalType(of):
                    self.truth(op("==", read, Const(None, cell.type)), owner, "zero")
                    if any(zone.index == of for zone in self.game.zones.values()):
                        for e in element_indices(of):
                            self.truth(op("==", read, Const(e, cell.type)), (of, e))
                case SetType(CardType()):
                    self.number(_size(read), "groups")
                case SetType(of):
                    self._set(read, of)
                case _:
                    self._points(cell, read)
            if (cardinality(cell.type) or SMALL + 1) <= SMALL:
                self.cells.append(read)
                if cell.kind is not CellKind.DECLARED:
                    self.groups["loops"].append(len(self.cells) - 1)

    def _set(self, read: Expr, of: Type) -> None:
        self.number(_size(read), "counts")
        if len(element_indices(of)) > FEW:
            return
        for e in element_indices(of):
            inside = op("in", Const(e, of), read)
            self.number(_mark(inside), "marks")
            self.truth(inside, (of, e))

    def _points(self, cell: Cell, read: Expr) -> None:
        """A cell that holds an element: of an index, or of a loop's domain."""
        for zone in self.game.zones.values():
            if zone.index is not None and zone.index == cell.type:
                self.number(_size(ZoneRead(zone.name, read, _cards(self.game))), "pointed")
        if cell.kind is CellKind.LOOP and (cardinality(cell.type) or FEW + 1) <= FEW:
            for e in element_indices(cell.type):
                here = op("==", read, Const(e, cell.type))
                self.number(_mark(here), "marks")
                self.truth(here, (cell.type, e))

    def options(self) -> None:
        for name, option in self.game.options.items():
            if isinstance(option.type, BoolType):
                self.truth(OptionRead(name, option.type), None)
            if len(option.values) <= SMALL:
                self.cells.append(OptionRead(name, option.type))

    def open_loops(self) -> None:
        """For each loop: is an element still to be served, or being served now?"""
        cells = [c for c in self.live() if c.kind is CellKind.LOOP]
        for var in cells:
            for rest in cells:
                if rest.type == SetType(var.type) and (cardinality(var.type) or FEW + 1) <= FEW:
                    reads = [CellRead(c.name, None, c.type) for c in (var, rest)]
                    for e in element_indices(var.type):
                        element = Const(e, var.type)
                        ahead = op("or", op("==", reads[0], element), op("in", element, reads[1]))
                        self.truth(ahead, (var.type, e))


_GROUPS = ("sizes", "single", "counters", "counts", "groups", "marks", "pointed", "zero", "loops")


def layout(game: Game, node: int) -> Layout:
    """The columns of a node."""
    builder = _Builder(game, node)
    builder.zones()
    for cell in builder.live():
        builder.cell(cell)
    builder.open_loops()
    builder.options()
    g = {k: tuple(v) for k, v in builder.groups.items()}
    return Layout(
        Columns(tuple(builder.numbers), tuple(builder.truths), tuple(builder.cells)),
        g["sizes"],
        g["single"],
        g["counters"],
        g["counts"],
        g["groups"],
        g["marks"],
        g["pointed"],
        {k: tuple(v) for k, v in builder.owned.items()},
        builder.about,
        g["zero"],
        g["loops"],
    )


def members(item: Cell | Zone) -> Iterable[int | None]:
    return (None,) if item.index is None else element_indices(item.index)


def constant(item: Cell | Zone, index: int | None) -> Expr | None:
    return None if item.index is None or index is None else Const(index, item.index)


def _cards(game: Game) -> Type:
    return SetType(CardType(len(game.deck)))


def _size(of: Expr) -> Expr:
    return Apply("size", (of,), NAT)


def _mark(truth: Expr) -> Expr:
    return If(truth, number(1), number(0), NAT)


# --- families --------------------------------------------------------------------------------------------------------


def guess(shape: Layout, rows: Sequence[Row], seats: int, thorough: bool = True, sparing: bool = False) -> list[Family]:
    """The families that fit the rows and say more than their neighbours.

    Without ``thorough`` only equations, bounds, remainders and relations between cells: they are few, and most games
    of a regular table need no more. ``sparing``: remainders of sizes alone, and none that follow from others.
    """
    if not rows:
        return []
    whole = Affine(None, (*shape.sizes, *shape.counters, *shape.groups, *shape.marks, *shape.pointed))
    boxes = [Box(None, c) for c in (*shape.sizes, *shape.counters, *shape.counts, *shape.groups, *shape.pointed)]
    families: list[Family] = [whole, *boxes]
    for family in families:
        _fill(family, rows)
    if thorough:
        families.extend(_guarded(shape, rows, whole, {b.column: b for b in boxes}))
        families.extend(_implications(shape, rows))
    families.extend(_congruences(shape, rows, seats, sparing))
    families.extend(_relations(shape, rows))
    return families


def first_guess(shape: Layout, row: Row, seats: int) -> list[Family]:
    """The families from one state alone: with it the loops are where they are, and nothing varies yet."""
    loops = [_filled(Relation(shape.loops), [row])] if len(shape.loops) > 1 else []
    return [*guess(shape, [row], seats, thorough=False), *loops]


def _fill(family: Family, rows: Sequence[Row]) -> None:
    for row in rows:
        family.join(row)


def _guarded(shape: Layout, rows: Sequence[Row], whole: Affine, boxes: dict[int, Box]) -> Iterator[Family]:
    for truth in range(len(shape.columns.truths)):
        element = shape.about[truth]
        own = shape.owned.get(element, ()) if element is not None else ()
        rest = (*shape.single, *shape.groups, *(() if own else (*shape.counters, *shape.counts)))
        for value in (True, False):
            guard: Guard = (truth, value)
            held = [r for r in rows if applies(guard, r)]
            if held and len(held) < len(rows):
                yield from _under(guard, (*own, *rest), shape.pointed, held, whole, boxes)


def _under(
    guard: Guard,
    columns: tuple[int, ...],
    pointed: tuple[int, ...],
    rows: Sequence[Row],
    whole: Affine,
    boxes: dict[int, Box],
) -> Iterator[Family]:
    affine = Affine(guard, (*columns, *pointed), whole)
    _fill(affine, rows)
    if affine.new():
        yield affine
    for column in columns:
        box = Box(guard, column)
        _fill(box, rows)
        if (box.lo, box.hi) != (boxes[column].lo, boxes[column].hi) and box.lo != box.hi:
            yield box


def _congruences(shape: Layout, rows: Sequence[Row], seats: int, sparing: bool) -> Iterator[Family]:
    found: set[tuple[int, frozenset[int]]] = set()  # modulus and columns
    columns = (*shape.single, *shape.counts, *(() if sparing else shape.counters))
    varying = [c for c in columns if len({r.numbers[c] for r in rows}) > 1]
    for count in (1, 2, 3):
        for chosen in combinations(varying, count):
            for modulus in sorted({2, 3, 4, seats} - {1}):
                if sparing and any(modulus == m and part < {*chosen} for m, part in found):
                    continue
                for factors in _factors(count, modulus):
                    terms = tuple(zip(chosen, factors, strict=True))
                    if len({sum(f * r.numbers[c] for c, f in terms) for r in rows}) > 1:
                        family = Congruence(terms, modulus)
                        _fill(family, rows)
                        if not family.broken:
                            found.add((modulus, frozenset(chosen)))
                            yield family


def _factors(count: int, modulus: int) -> list[tuple[int, ...]]:
    """Factors 1 or -1 (written as naturals), the first always 1."""
    choices: list[tuple[int, ...]] = [(1,)]
    for _ in range(count - 1):
        choices = [(*c, f) for c in choices for f in ((1,) if modulus == 2 else (1, modulus - 1))]
    return choices


def _relations(shape: Layout, rows: Sequence[Row]) -> Iterator[Family]:
    seen = {c: {r.cells[c] for r in rows} for c in range(len(shape.columns.cells))}
    for c, cell in enumerate(shape.columns.cells):
        if len(seen[c]) < (cardinality(cell.type) or 0):
            yield _filled(Relation((c,)), rows)
    groups = [tuple(shape.loops)] if len(shape.loops) > 1 else []
    groups.extend(combinations([c for c in seen if len(seen[c]) > 1], 2))
    for cells in groups:
        relation = _filled(Relation(cells), rows)
        product = 1
        for c in cells:
            product *= len(seen[c])
        if not relation.broken and 2 * len(relation.tuples) <= product:
            yield relation


def _filled(relation: Relation, rows: Sequence[Row]) -> Relation:
    _fill(relation, rows)
    return relation


def _implications(shape: Layout, rows: Sequence[Row]) -> Iterator[Family]:
    varying = [c for c in shape.zero if len({r.truths[c] for r in rows}) > 1]
    for a, b in permutations(varying, 2):
        if shape.about[a] is None or shape.about[b] is None or shape.about[a] == shape.about[b]:
            for x, y in ((True, True), (False, False), (True, False)):
                family = Implication((a, x), (b, y))
                _fill(family, rows)
                if not family.broken:
                    yield family
