"""The finite types of the language, and how their values are represented.

A value is plain data, so that states are hashable and cheap to compare:

=====================================  ==========================================================
type                                   representation
=====================================  ==========================================================
``BoolType``                           ``bool``
``RangeType(lo, hi)``, ``NatType``     ``int`` (the number itself)
``EnumType``, Card, Suit, Rank, Seat   ``int``: the element's index, from 0 in order of declaration
``SetType(of)``                        ``int``: bit ``i`` is set when the element of index ``i`` is in
                                       (for a range, bit ``i`` stands for the number ``i``)
``OptionalType(of)``                   ``None``, or the value
=====================================  ==========================================================
"""

from collections.abc import Iterator
from dataclasses import dataclass

Value = bool | int | None


@dataclass(frozen=True, slots=True)
class BoolType:
    def __str__(self) -> str:
        return "Bool"


@dataclass(frozen=True, slots=True)
class NatType:
    """Naturals without a bound: only added to, multiplied, and compared."""

    def __str__(self) -> str:
        return "Nat"


@dataclass(frozen=True, slots=True)
class RangeType:
    """Naturals from ``lo`` to ``hi``, both included."""

    lo: int
    hi: int

    def __str__(self) -> str:
        return f"{self.lo}..{self.hi}"


@dataclass(frozen=True, slots=True)
class EnumType:
    """A named enumeration. ``name`` is empty for one written inside an option."""

    name: str
    items: tuple[str, ...]

    def __str__(self) -> str:
        return self.name or " | ".join(self.items)


@dataclass(frozen=True, slots=True)
class CardType:
    count: int  # cards in the deck

    def __str__(self) -> str:
        return "Card"


@dataclass(frozen=True, slots=True)
class SuitType:
    count: int

    def __str__(self) -> str:
        return "Suit"


@dataclass(frozen=True, slots=True)
class RankType:
    count: int

    def __str__(self) -> str:
        return "Rank"


@dataclass(frozen=True, slots=True)
class SeatType:
    count: int

    def __str__(self) -> str:
        return "Seat"


@dataclass(frozen=True, slots=True)
class SetType:
    of: "Type"

    def __str__(self) -> str:
        return "Cards" if isinstance(self.of, CardType) else f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class OptionalType:
    of: "Type"

    def __str__(self) -> str:
        return f"{self.of}?"


Type = BoolType | NatType | RangeType | EnumType | CardType | SuitType | RankType | SeatType | SetType | OptionalType
ElementType = RangeType | EnumType | CardType | SuitType | RankType | SeatType
NumberType = NatType | RangeType

BOOL = BoolType()
NAT = NatType()


def cardinality(type_: Type) -> int | None:
    """How many values a type has; ``None`` for ``Nat``."""
    match type_:
        case BoolType():
            return 2
        case NatType():
            return None
        case RangeType(lo, hi):
            return hi - lo + 1
        case EnumType(_, items):
            return len(items)
        case CardType(n) | SuitType(n) | RankType(n) | SeatType(n):
            return n
        case SetType(of):
            return 1 << len(element_indices(of))
        case OptionalType(of):
            inner = cardinality(of)
            return None if inner is None else inner + 1


def element_indices(type_: Type) -> range:
    """The bit positions (= values) that a set of ``type_`` may use. Raises ``TypeError`` for other types."""
    match type_:
        case RangeType(lo, hi):
            return range(lo, hi + 1)
        case EnumType(_, items):
            return range(len(items))
        case CardType(n) | SuitType(n) | RankType(n) | SeatType(n):
            return range(n)
        case _:
            raise TypeError(f"no sets of {type_}")


def values(type_: Type) -> Iterator[Value]:
    """All values of a finite type in canonical order (``none`` first). Raises ``TypeError`` for ``Nat``."""
    match type_:
        case BoolType():
            yield False
            yield True
        case NatType():
            raise TypeError("Nat has no last value")
        case SetType(of):
            positions = element_indices(of)
            for code in range(1 << len(positions)):
                yield sum(1 << p for i, p in enumerate(positions) if code >> i & 1)
        case OptionalType(of):
            yield None
            yield from values(of)
        case _:
            yield from element_indices(type_)


def is_value(value: object, type_: Type) -> bool:
    """Does ``value`` represent a value of ``type_``?"""
    match type_:
        case BoolType():
            return isinstance(value, bool)
        case OptionalType(of):
            return value is None or is_value(value, of)
        case _ if isinstance(value, bool) or not isinstance(value, int):
            return False
        case NatType():
            return value >= 0
        case SetType(of):
            return value >= 0 and not value & ~full_set(of)
        case _:
            return value in element_indices(type_)


def full_set(type_: Type) -> int:
    """The set of all elements of ``type_``, as a mask."""
    return sum(1 << i for i in element_indices(type_))


def members(mask: int) -> Iterator[int]:
    """The elements of a set in canonical order (ascending index)."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
