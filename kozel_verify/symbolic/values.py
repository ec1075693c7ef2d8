"""Symbolic values: how a value of each type is written with terms.

================================  ===================================================================================
type                              representation
================================  ===================================================================================
``Bool``                          a Boolean term
``Nat``, ranges                   an integer term
enumeration, Suit, Rank, Seat     a bit vector: the element's index
Card                              a bit vector: the suit's bits, then the rank's (so suit and rank are parts of it)
set, also ``Cards`` (exact)       ``SymSet``: one Boolean for each element (a mask), or a list of slots, or both
``Cards`` (counting)              ``Counted``: a number for each additive measure, and a name (see ``counting``)
optional                          ``SymOptional``: is there a value, and which
================================  ===================================================================================

A list of slots is a set written as its possible elements: each slot has an element's code and says whether it is in;
no two slots that are in hold the same element. Trusted: ``lift`` and ``lower``, which tests show to be inverse.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kozel_verify.model.deck import Deck
from kozel_verify.model.types import (
    BoolType,
    CardType,
    EnumType,
    NatType,
    OptionalType,
    RangeType,
    RankType,
    SeatType,
    SetType,
    SuitType,
    Type,
    Value,
    element_indices,
)
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.terms import FALSE, TRUE, Constant, Term

Slot = tuple[Term, Term]  # is it in, the element


class SymSet:
    """A set of elements of ``type``; ``bits[i]`` belongs to the ``i``-th of ``element_indices(type)``."""

    __slots__ = ("_bits", "codec", "slots", "type")

    def __init__(
        self, codec: "Codec", type_: Type, bits: tuple[Term, ...] | None, slots: tuple[Slot, ...] | None = None
    ) -> None:
        assert bits is not None or slots is not None
        self.codec = codec
        self.type = type_
        self._bits = bits
        self.slots = slots

    @property
    def bits(self) -> tuple[Term, ...]:
        if self._bits is None:
            assert self.slots is not None
            self._bits = tuple(
                t.or_(*(t.and_(p, t.eq(e, self.codec.element(self.type, i))) for p, e in self.slots))
                for i in element_indices(self.type)
            )
        return self._bits

    @property
    def masked(self) -> bool:
        """Is the mask written already (else it would be computed from the slots)?"""
        return self._bits is not None

    def bit(self, index: int) -> Term:
        """Is the element of this index in? False for indices that the type lacks."""
        place = index - element_indices(self.type).start
        return self.bits[place] if 0 <= place < len(self.bits) else FALSE

    def elements(self) -> list[Slot]:
        """The possible elements, each with the condition under which it is in."""
        if self.slots is not None:
            return list(self.slots)
        pairs = zip(self.bits, element_indices(self.type), strict=True)
        return [(b, self.codec.element(self.type, i)) for b, i in pairs if b is not FALSE]

    def has(self, element: Term) -> Term:
        """Is the element with this code in?"""
        if element.op == "const":
            return self.bit(self.codec.index(self.type, t.int_of(element)))
        return t.or_(*(t.and_(p, t.eq(e, element)) for p, e in self.elements()))


@dataclass(frozen=True, slots=True)
class Counted:
    """A set of cards of which only numbers are known: ``measures[i]`` is its ``i``-th additive measure.

    Equal ``key``s mean equal sets. ``within`` has keys of sets that it is a part of. ``home``: it is a part of the
    union of these zone slots of a state (the state's tuple of zones stands for the state). ``exact``: where the
    elements are known after all (constants, single cards).
    """

    measures: tuple[Term, ...]
    key: Term
    within: frozenset[Term] = frozenset()
    home: "tuple[tuple[SymValue, ...], frozenset[int]] | None" = None
    exact: SymSet | None = None


@dataclass(frozen=True, slots=True)
class SymOptional:
    """``some`` says whether there is a value; ``value`` is it (anything of its type when there is none)."""

    some: Term
    value: "SymValue"


SymValue = Term | SymSet | Counted | SymOptional


def bits_for(count: int) -> int:
    """The width of a code for ``count`` elements, at least 1."""
    return max(1, (count - 1).bit_length())


class Codec:
    """Writes and reads the values of a game with one deck."""

    def __init__(self, deck: Deck) -> None:
        self.deck = deck
        self.rank_bits = bits_for(len(deck.ranks))
        self.suit_bits = bits_for(len(deck.suits))

    # --- elements

    def width(self, type_: Type) -> int:
        """The sort of the terms of a type of plain elements or numbers."""
        match type_:
            case BoolType():
                return t.BOOL
            case NatType() | RangeType():
                return t.INT
            case CardType():
                return self.rank_bits + self.suit_bits
            case EnumType(_, items):
                return bits_for(len(items))
            case SuitType(n) | RankType(n) | SeatType(n):
                return bits_for(n)
            case SetType() | OptionalType():
                raise TypeError(f"{type_} has no single term")

    def element(self, type_: Type, index: int) -> Term:
        """The constant for an element (or number, or truth value) by its index."""
        match type_:
            case NatType() | RangeType():
                return t.integer(index)
            case CardType():
                return t.vector(self.deck.suit(index) << self.rank_bits | self.deck.rank(index), self.width(type_))
            case _:
                return t.vector(index, self.width(type_))

    def index(self, type_: Type, code: int) -> int:
        """The index of an element by its code; for a card's code that no card has, an index that no set has."""
        if not isinstance(type_, CardType):
            return code
        suit, rank = code >> self.rank_bits, code & (1 << self.rank_bits) - 1
        return suit * len(self.deck.ranks) + rank if rank < len(self.deck.ranks) else len(self.deck)

    def valid(self, type_: Type, term: Term) -> Term:
        """Does the term stand for a value of its type?"""
        match type_:
            case BoolType():
                return TRUE
            case NatType():
                return t.le(t.integer(0), term)
            case RangeType(lo, hi):
                return t.and_(t.le(t.integer(lo), term), t.le(term, t.integer(hi)))
            case CardType():
                suit, rank = self.parts(term)
                return t.and_(_below(suit, len(self.deck.suits)), _below(rank, len(self.deck.ranks)))
            case _:
                return _below(term, len(element_indices(type_)))

    def parts(self, card: Term) -> tuple[Term, Term]:
        """Suit and rank of a card's code, as codes."""
        return t.extract(card, self.rank_bits, self.suit_bits), t.extract(card, 0, self.rank_bits)

    # --- whole values

    def lift(self, value: Value, type_: Type) -> SymValue:
        """The constant for a value; sets of cards in their exact form."""
        match type_:
            case BoolType():
                return t.boolean(bool(value))
            case SetType(of):
                assert value is not None
                return SymSet(self, of, tuple(t.boolean(bool(value >> i & 1)) for i in element_indices(of)))
            case OptionalType(of):
                inner = self.any(of) if value is None else value
                return SymOptional(t.boolean(value is not None), self.lift(inner, of))
            case _:
                assert value is not None
                return self.element(type_, int(value))

    def any(self, type_: Type) -> Value:
        """Some value of the type: what stands in an optional that is none."""
        match type_:
            case BoolType():
                return False
            case RangeType(lo, _):
                return lo
            case OptionalType():
                return None
            case _:
                return 0

    def unknown(self, name: str, type_: Type) -> tuple[SymValue, list[Term]]:
        """A value that may be any of its type, and the constraints under which its variables are one."""
        match type_:
            case SetType(of):
                bits = tuple(t.variable(f"{name}.{i}", t.BOOL) for i in element_indices(of))
                return SymSet(self, of, bits), []
            case OptionalType(of):
                some = t.variable(f"{name}.some", t.BOOL)
                value, constraints = self.unknown(f"{name}.value", of)
                return SymOptional(some, value), constraints
            case _:
                term = t.variable(name, self.width(type_))
                return term, [c for c in [self.valid(type_, term)] if c is not TRUE]

    def assign(self, name: str, type_: Type, value: Value, out: dict[str, Constant]) -> None:
        """Give the variables of ``unknown(name, type_)`` the values that make it ``value``."""
        match type_:
            case SetType(of):
                assert value is not None
                for i in element_indices(of):
                    out[f"{name}.{i}"] = bool(value >> i & 1)
            case OptionalType(of):
                out[f"{name}.some"] = value is not None
                self.assign(f"{name}.value", of, self.any(of) if value is None else value, out)
            case BoolType():
                out[name] = bool(value)
            case _:
                assert value is not None
                out[name] = t.int_of(self.element(type_, int(value)))

    def lower(self, value: SymValue, type_: Type, read: Callable[[Term], Constant]) -> Value:
        """The plain value of a symbolic one, where ``read`` gives the value of each term."""
        match type_:
            case BoolType():
                return bool(read(_term(value)))
            case SetType():
                assert isinstance(value, SymSet)
                return sum(1 << i for i, b in zip(element_indices(value.type), value.bits, strict=True) if read(b))
            case OptionalType(of):
                assert isinstance(value, SymOptional)
                return self.lower(value.value, of, read) if read(value.some) else None
            case _:
                return self.index(type_, int(read(_term(value))))


def _below(term: Term, count: int) -> Term:
    return TRUE if count >= 1 << term.sort else t.ult(term, t.vector(count, term.sort))


def _term(value: SymValue) -> Term:
    assert isinstance(value, Term)
    return value


def parts(value: SymValue) -> list[Term]:
    """All terms of a value."""
    match value:
        case SymSet():
            return list(value.bits)
        case Counted(measures):
            return list(measures)
        case SymOptional(some, inner):
            return [some, *parts(inner)]
        case Term():
            return [value]


def merge(condition: Term, a: SymValue, b: SymValue) -> SymValue:
    """``a`` if the condition holds, else ``b``; both of one type."""
    if condition is TRUE or a is b:
        return a
    if condition is FALSE:
        return b
    match a, b:
        case SymSet(), SymSet():
            return _merge_sets(condition, a, b)
        case Counted(), Counted():
            return _merge_counted(condition, a, b)
        case SymOptional(), SymOptional():
            return SymOptional(t.ite(condition, a.some, b.some), merge(condition, a.value, b.value))
        case Term(), Term():
            return t.ite(condition, a, b)
        case _:
            raise TypeError("values of different types cannot be merged")


def _merge_sets(condition: Term, a: SymSet, b: SymSet) -> SymSet:
    if not (a.masked and b.masked) and a.slots is not None and b.slots is not None and len(a.slots) == len(b.slots):
        pairs = zip(a.slots, b.slots, strict=True)
        slots = tuple((t.ite(condition, p, q), t.ite(condition, x, y)) for (p, x), (q, y) in pairs)
        return SymSet(a.codec, a.type, None, slots)
    indices = element_indices(a.type)
    if indices == element_indices(b.type):
        return SymSet(a.codec, a.type, tuple(t.ite(condition, x, y) for x, y in zip(a.bits, b.bits, strict=True)))
    type_ = hull(a.type, b.type)
    return SymSet(a.codec, type_, tuple(t.ite(condition, a.bit(i), b.bit(i)) for i in element_indices(type_)))


def _merge_counted(condition: Term, a: Counted, b: Counted) -> Counted:
    measures = tuple(t.ite(condition, x, y) for x, y in zip(a.measures, b.measures, strict=True))
    home = None
    if a.home is not None and b.home is not None and a.home[0] is b.home[0]:
        home = a.home[0], a.home[1] | b.home[1]
    exact = _merge_sets(condition, a.exact, b.exact) if a.exact is not None and b.exact is not None else None
    key = a.key if a.key is b.key else t.key("ite", condition, a.key, b.key)
    return Counted(measures, key, a.within & b.within, home, exact)


def hull(a: Type, b: Type) -> Type:
    """The element type of a union: sets of different ranges may meet."""
    if isinstance(a, RangeType) and isinstance(b, RangeType):
        return RangeType(min(a.lo, b.lo), max(a.hi, b.hi))
    return a


def merge_all(choices: Sequence[tuple[Term, SymValue]]) -> SymValue:
    """The value whose condition holds, when exactly one does."""
    value = choices[-1][1]
    for condition, other in reversed(choices[:-1]):
        value = merge(condition, other, value)
    return value


def equal(a: SymValue, b: SymValue) -> Term:
    """Equality of two values of one type (sets of cards in their exact form)."""
    match a, b:
        case SymSet(), SymSet():
            indices = element_indices(hull(a.type, b.type))
            return t.and_(*(t.eq(a.bit(i), b.bit(i)) for i in indices))
        case SymOptional(), SymOptional():
            both = t.and_(a.some, b.some, equal(a.value, b.value))
            return t.or_(both, t.and_(t.not_(a.some), t.not_(b.some)))
        case Term(), Term():
            return t.eq(a, b)
        case _:
            raise TypeError("values of different types cannot be compared")


def reader(roots: Sequence[Term], values: Mapping[str, Constant]) -> Callable[[Term], Constant]:
    """The function from each of the roots to its value under an assignment."""
    found = dict(zip(roots, t.evaluate(roots, values), strict=True))
    return found.__getitem__
