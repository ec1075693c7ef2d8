"""What generated code calls: sets as masks, and the partial operations.

Masks and numbers go in, masks and numbers come out; where an operation has no value it raises ``Undefined``. The
functions mean what ``kozel_verify.model.operators`` and the binders of the core mean.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NoReturn

from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Value, members

ROOM = 1 << 16  # how many results a remembered function keeps
WIDE = 12  # subsets of larger sets are made anew each time


def fail(message: str) -> NoReturn:
    raise Undefined(message)


@lru_cache(maxsize=ROOM)
def elements(mask: int) -> tuple[int, ...]:
    """The elements of a set, ascending."""
    return tuple(members(mask))


def subsets(mask: int, lo: int, hi: int) -> Sequence[int] | Iterator[int]:
    """The subsets of ``lo`` to ``hi`` elements: by size, those of one size as ``combinations`` gives them."""
    return _few_subsets(mask, lo, hi) if mask.bit_count() <= WIDE else _subsets(mask, lo, hi)


@lru_cache(maxsize=ROOM >> 4)
def _few_subsets(mask: int, lo: int, hi: int) -> tuple[int, ...]:
    return tuple(_subsets(mask, lo, hi))


def _subsets(mask: int, lo: int, hi: int) -> Iterator[int]:
    bits = [1 << e for e in members(mask)]
    for size in range(lo, min(hi, len(bits)) + 1):
        for chosen in combinations(bits, size):
            yield sum(chosen)


def minus(a: int, b: int) -> int:
    return a - b if a >= b else fail("subtraction below zero")


def divide(a: int, b: int) -> int:
    return a // b if b else fail("division by zero")


def remainder(a: int, b: int) -> int:
    return a % b if b else fail("division by zero")


def value(a: Value) -> Value:
    return fail("`none` used as a value") if a is None else a


def only(mask: int) -> int:
    return mask.bit_length() - 1 if mask.bit_count() == 1 else fail("not exactly one element")


def span(lo: int, hi: int) -> int:
    return sum(1 << i for i in range(lo, hi + 1))


def entry(table: tuple[Value, ...], position: int) -> Value:
    return table[position] if 0 <= position < len(table) else fail("nothing at this place of a table or family")


def top(pairs: Sequence[tuple[int, int]]) -> int:
    """The element of the pair (value, element) with the greatest value, which must be the only such."""
    best = max(pairs, default=None)
    if best is None or sum(pair[0] == best[0] for pair in pairs) != 1:
        fail("no greatest element, or several")
    return best[1]


@lru_cache(maxsize=ROOM)
def first(seats: int, start: int, count: int) -> int:
    """The first of a set of seats, clockwise from ``start`` at a table of ``count``."""
    for step in range(count):
        seat = (start + step) % count
        if seats >> seat & 1:
            return seat
    fail("no such seat")


def matches(rows: Sequence[int]) -> bool:
    """Can each row be given its own element out of its set?"""
    if not rows:
        return True
    return any(matches([row & ~(1 << reply) for row in rows[1:]]) for reply in elements(rows[0]))
