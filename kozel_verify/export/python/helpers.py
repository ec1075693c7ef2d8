"""What the rules of an exported module lean on: partial operations that raise, sets as bit masks.

The text below the line is copied into every module. A set is a mask (bit ``i``: the element of index ``i``), ``none``
is -1.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from itertools import combinations

from kozel_verify.export.python.matching import has_matching

# --- helpers of the rules --------------------------------------------------------------------------------------------


class RuleFault(RuntimeError):
    """The rules have no answer here: a fault of the spec, which its obligation "well defined" excludes."""


def _minus(a: int, b: int) -> int:
    if b > a:
        raise RuleFault(f"{a} - {b} is below zero")
    return a - b


def _divide(a: int, b: int) -> int:
    if b == 0:
        raise RuleFault(f"{a} div 0")
    return a // b


def _remainder(a: int, b: int) -> int:
    if b == 0:
        raise RuleFault(f"{a} mod 0")
    return a % b


def _value(a: int) -> int:
    if a == -1:
        raise RuleFault("none used as a value")
    return a


def _only(a: int) -> int:
    if a.bit_count() != 1:
        raise RuleFault(f"exactly one element was expected, not {a.bit_count()}")
    return a.bit_length() - 1


def _span(lo: int, hi: int) -> int:
    """The set of the numbers ``lo``..``hi``."""
    return (2 << hi) - (1 << lo) if lo <= hi else 0


def _entry(table: Sequence[int], key: int) -> int:
    if not 0 <= key < len(table):
        raise RuleFault(f"a table of {len(table)} entries has none at {key}")
    return table[key]


def _fit(value: int, lo: int, hi: int) -> int:
    """The value, which must lie in ``lo``..``hi``."""
    if not lo <= value <= hi:
        raise RuleFault(f"{value} is not in {lo}..{hi}")
    return value


def _fit_optional(value: int, lo: int, hi: int) -> int:
    return value if value == -1 else _fit(value, lo, hi)


def _fit_set(value: int, most: int) -> int:
    """The set, whose elements must lie in ``most``."""
    if value & ~most:
        raise RuleFault("a set has an element that its place cannot hold")
    return value


def _mask(elements: Iterable[int]) -> int:
    """The set of the elements, which are distinct."""
    return sum(1 << element for element in elements)


@lru_cache(maxsize=1 << 16)
def _members(mask: int) -> tuple[int, ...]:
    """The elements of a set in ascending order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return tuple(found)


@lru_cache(maxsize=1 << 16)
def _subsets(mask: int, lo: int, hi: int) -> tuple[int, ...]:
    """The subsets with ``lo``..``hi`` elements: smaller ones first, then in order of their elements."""
    bits = [1 << element for element in _members(mask)]
    sizes = range(lo, min(hi, len(bits)) + 1)
    return tuple([sum(chosen) for size in sizes for chosen in combinations(bits, size)])


def _choose(mask: int, size: int) -> tuple[int, ...]:
    """The subsets with exactly ``size`` elements."""
    return _subsets(mask, size, size)


@cache
def _clockwise(seats: int, start: int) -> int:
    """The first seat of a set, going clockwise from ``start`` (itself included)."""
    if not seats:
        raise RuleFault("no seat was found")
    ahead = seats >> start
    if ahead:
        return start + (ahead & -ahead).bit_length() - 1
    return (seats & -seats).bit_length() - 1


def _top(pairs: Sequence[tuple[int, int]]) -> int:
    """The element with the greatest value, of pairs (value, element)."""
    if not pairs:
        raise RuleFault("the greatest of an empty set")
    best = max(value for value, _ in pairs)
    tops = [element for value, element in pairs if value == best]
    if len(tops) != 1:
        raise RuleFault(f"the greatest is not unique: {len(tops)} elements")
    return tops[0]


def _matches(targets: int, replies: int, rows: Sequence[int]) -> bool:
    """Can each target be given its own reply? ``rows`` has for each possible target the mask of replies that fit."""
    neighbours = []
    for target in _members(targets):
        row = rows[target] & replies
        if not row:
            return False
        neighbours.append(row)
    return len(neighbours) < 2 or has_matching(neighbours)
