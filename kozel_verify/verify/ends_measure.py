"""A measure by which a deal ends, guessed from steps of sampled deals.

In: a game, and steps within its deals on the fast machine. Out: tuples of numbers that fall, in lexicographic order,
with every sampled step. The numbers are sums of zones' sizes (those that cards are drawn from with weights), sizes of
sets of seats and the like, counters and how far they are from their ends, and whether something is `none` or true. A
guess is nothing more until it is proved.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from kozel_verify.exhaustive.machine import FastMachine, Position
from kozel_verify.interpret.text import member_text
from kozel_verify.model.core import Apply, Cell, CellKind, CellRead, Const, Draw, Expr, Game, If, Zone, ZoneRead
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import (
    BOOL,
    NAT,
    BoolType,
    CardType,
    NatType,
    OptionalType,
    RangeType,
    SetType,
    Value,
    element_indices,
)

WEIGHTS = (1, 2, 3)  # of the zones that cards are drawn from
MANY = 4  # zones with weights: beyond, only their sum is tried
Step = tuple[Position, Position]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A number that can be read in every state, and how people call it."""

    value: Expr
    text: str


def candidates(game: Game, cells: Collection[str]) -> list[Candidate]:
    """Numbers that may fall, the likeliest first; of ``cells`` and all zones."""
    drawn = list(dict.fromkeys(n.source.zone for n in game.nodes if isinstance(n, Draw)))
    weights = product(WEIGHTS, repeat=len(drawn)) if 0 < len(drawn) <= MANY else ()
    found = [_weighted(game, drawn, w) for w in weights]
    found += [_weighted(game, [name], (1,)) for name in game.zones]
    for cell in (c for c in game.cells.values() if c.name in cells):
        for index in _indices(cell):
            found += _of_cell(game, cell, index)
    unique = {c.text: c for c in found}
    return list(unique.values())


def guesses(machine: FastMachine, steps: Sequence[Step], pool: Sequence[Candidate]) -> tuple[list[Candidate], int]:
    """The numbers of a tuple that falls with every step, and how many steps it leaves (0: it is a guess).

    Greedy: each time the number that never grows on the steps that are left, and falls with the most of them."""
    columns = [(c, *_values(machine, c, steps)) for c in pool]
    left, chosen = list(range(len(steps))), list[Candidate]()
    while left:
        best: tuple[int, Candidate, list[int]] | None = None
        for candidate, before, after in columns:
            if any(after[n] > before[n] for n in left):
                continue
            same = [n for n in left if after[n] == before[n]]
            if len(same) < len(left) and (best is None or len(same) < best[0]):
                best = len(same), candidate, same
        if best is None:
            break
        chosen.append(best[1])
        left = best[2]
    return chosen, len(left)


def _values(machine: FastMachine, candidate: Candidate, steps: Sequence[Step]) -> tuple[list[int], list[int]]:
    read: Callable[[Position], Value] = machine.reader(candidate.value)

    def value(position: Position) -> int:
        try:
            return int(read(position) or 0)
        except Undefined:
            return 0

    return [value(a) for a, _ in steps], [value(b) for _, b in steps]


# --- expressions -----------------------------------------------------------------------------------------------------


def _weighted(game: Game, names: Sequence[str], weights: Sequence[int]) -> Candidate:
    parts: list[Expr] = []
    texts: list[str] = []
    for name, weight in zip(names, weights, strict=True):
        zone = game.zones[name]
        sizes = [_size(ZoneRead(name, _constant(zone, i), SetType(CardType(len(game.deck))))) for i in _indices(zone)]
        total = _sum(sizes)
        parts.append(total if weight == 1 else Apply("*", (Const(weight, NAT), total), NAT))
        size = f"|{name}|" if zone.index is None else f"the cards in `{name}`"
        texts.append(size if weight == 1 else f"{weight} * {size}")
    return Candidate(_sum(parts), " + ".join(texts))


def _of_cell(game: Game, cell: Cell, index: int | None) -> Iterator[Candidate]:
    read = CellRead(cell.name, _constant(cell, index), cell.type)
    name = _name(game, cell, index)
    match cell.type:
        case NatType():
            yield Candidate(read, name)
        case RangeType(_, hi):
            yield Candidate(read, name)
            yield Candidate(Apply("-", (Const(hi, NAT), read), NAT), f"{hi} - {name}")
        case SetType():
            yield Candidate(_size(read), f"|{name}|")
        case OptionalType():
            is_none = Apply("==", (read, Const(None, cell.type)), BOOL)
            yield Candidate(_flag(is_none), f"{name} is none")
            yield Candidate(_flag(Apply("not", (is_none,), BOOL)), f"{name} is not none")
        case BoolType():
            yield Candidate(_flag(read), name)
            yield Candidate(_flag(Apply("not", (read,), BOOL)), f"not {name}")
        case _:
            return


def _name(game: Game, cell: Cell, index: int | None) -> str:
    """A cell's own name; of a generated cell with the path of procedures to it."""
    if cell.kind is CellKind.LOOP and cell.name.split("#")[0].endswith("_unserved"):
        return f"unserved({cell.name.replace('_unserved', '')})"
    return member_text(game, cell, index)


def sums_of_cells(cell: Cell) -> list[Expr]:
    """The number in a cell, or the sum over a family of them; in a family each of them too."""
    reads: list[Expr] = [CellRead(cell.name, _constant(cell, i), cell.type) for i in _indices(cell)]
    return reads if len(reads) == 1 else [_sum(reads), *reads]


def _indices(item: Cell | Zone) -> Sequence[int | None]:
    return (None,) if item.index is None else tuple(element_indices(item.index))


def _constant(item: Cell | Zone, index: int | None) -> Expr | None:
    return None if item.index is None or index is None else Const(index, item.index)


def _size(of: Expr) -> Expr:
    return Apply("size", (of,), NAT)


def _flag(truth: Expr) -> Expr:
    return If(truth, Const(1, NAT), Const(0, NAT), NAT)


def _sum(parts: Sequence[Expr]) -> Expr:
    total = parts[0]
    for part in parts[1:]:
        total = Apply("+", (total, part), NAT)
    return total
