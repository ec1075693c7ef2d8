"""The values over which a claim about a menu speaks, for engines that decide it one value after another.

In go the claim, and what is so in one state (the legal choices, the cards in each zone); out come values of the
arguments. Where all of them are few, they are all there (``Space.count``); else ``near_misses`` gives some.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

from kozel_verify.model.core import Apply, CellRead, Const, Expr, Local, MenuClaim, OptionRead, ZoneRead
from kozel_verify.model.operators import PARTIAL
from kozel_verify.model.types import CardType, SetType, Type, Value, full_set, members
from kozel_verify.model.walk import subexpressions

MOST_VALUES = 4096
"""All values of the arguments are tried where they are at most so many: the groups of twelve cards."""

SMALL_ZONE = 8
"""Near misses are also all groups of cards that lie together in one zone of at most so many cards."""

Arguments = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """All values of one argument: the elements of ``mask``, or (``groups``) its subsets."""

    mask: int
    groups: bool

    def count(self) -> int:
        return 1 << self.mask.bit_count() if self.groups else self.mask.bit_count()

    def __iter__(self) -> Iterator[int]:
        """Groups by size, those of one size as ``combinations`` of the elements in ascending order."""
        elements = list(members(self.mask))
        if not self.groups:
            yield from elements
            return
        for size in range(len(elements) + 1):
            for chosen in combinations(elements, size):
                yield sum(1 << e for e in chosen)


def space(type_: Type, pack: int) -> Space:
    """The values of a type; cards are those of the pack."""
    of = type_.of if isinstance(type_, SetType) else type_
    return Space(pack if isinstance(of, CardType) else full_set(of), isinstance(type_, SetType))


def bounds(claim: MenuClaim) -> dict[str, Expr]:
    """For arguments that begin the statement as ``g within E`` or ``c in E``: that ``E``.

    Outside of it the statement is false and nothing behind is evaluated, so that only values inside need be tried. What
    stands left of it must always have a value.
    """
    names = {a.name for a in claim.arguments}
    found: dict[str, Expr] = {}
    for part in _conjuncts(claim.statement):
        match part:
            case Apply("within" | "in", (Local(name), domain)) if name in names and not _reads(domain, names):
                found.setdefault(name, domain)
            case _ if not _has_value(part):
                break
            case _:
                pass
    return found


def _conjuncts(e: Expr) -> Iterator[Expr]:
    if isinstance(e, Apply) and e.op == "and":
        for side in e.args:
            yield from _conjuncts(side)
    else:
        yield e


def _reads(e: Expr, names: set[str]) -> bool:
    return any(isinstance(x, Local) and x.name in names for x in subexpressions(e))


def _has_value(e: Expr) -> bool:
    """Is it plain that an expression has a value in every state?"""
    match e:
        case Const() | Local() | OptionRead() | CellRead(_, None) | ZoneRead(_, None):
            return True
        case Apply(op, args):
            return op not in PARTIAL and all(map(_has_value, args))
        case _:
            return False


def near_misses(spaces: Sequence[Space], legal: Sequence[Arguments], zones: Iterable[int]) -> Iterator[Arguments]:
    """Values that are likely to be wrongly legal, or wrongly not: each legal choice with one argument changed a little
    (a group by a card more, one less, one exchanged for any other of the pack; an element for any other); and all
    choices of small values (groups of up to two cards, groups out of one small zone), where those are at most
    ``MOST_VALUES``. The same values may come more than once."""
    for choice in legal:
        for n, (value, values) in enumerate(zip(choice, spaces, strict=True)):
            for other in _beside(int(value or 0), values):
                yield (*choice[:n], other, *choice[n + 1 :])
    zones = [z for z in zones if z.bit_count() <= SMALL_ZONE]
    small = [_small(values, zones) for values in spaces]
    if prod(map(len, small)) <= MOST_VALUES:
        yield from product(*small)


def _beside(value: int, values: Space) -> Iterator[int]:
    if not values.groups:
        yield from (e for e in values if e != value)
        return
    inside = [1 << e for e in members(value)]
    outside = [1 << e for e in members(values.mask & ~value)]
    yield from (value | new for new in outside)
    for old in inside:
        yield value & ~old
        yield from (value & ~old | new for new in outside)


def _small(values: Space, zones: Iterable[int]) -> list[int]:
    if not values.groups:
        return list(values)
    elements = [1 << e for e in members(values.mask)]
    groups = [0, *elements, *(a | b for a, b in combinations(elements, 2))]
    for zone in zones:
        groups += Space(zone & values.mask, True)
    return list(dict.fromkeys(groups))
