"""The symbolic meaning of each operator of ``kozel_verify.model.operators``, for values in their exact form.

In: the types and the symbolic values of the arguments. Out: the value, and the condition under which it exists. Where
it does not exist, the value means nothing. Trusted: nothing; each meaning is compared with the concrete one on all
argument values of small types.
"""

from collections.abc import Callable
from dataclasses import dataclass

from kozel_verify.model.types import SetType, Type, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.terms import TRUE, Term
from kozel_verify.symbolic.values import Codec, SymOptional, SymSet, SymValue, equal, hull, merge_all

Result = tuple[SymValue, Term]


@dataclass(frozen=True, slots=True)
class Operands:
    """What a meaning gets: ``types`` are those of the arguments, ``type`` is that of the result."""

    codec: Codec
    type: Type
    types: tuple[Type, ...]
    values: tuple[SymValue, ...]

    def term(self, position: int) -> Term:
        value = self.values[position]
        assert isinstance(value, Term)
        return value

    def set(self, position: int) -> SymSet:
        value = self.values[position]
        assert isinstance(value, SymSet)
        return value


def element_type(type_: Type) -> Type:
    """The type of the elements of a set type."""
    assert isinstance(type_, SetType)
    return type_.of


# --- truth and numbers -----------------------------------------------------------------------------------------------


def _terms(meaning: Callable[..., Term]) -> Callable[[Operands], Result]:
    """A total operator on plain terms."""
    return lambda o: (meaning(*(o.term(i) for i in range(len(o.values)))), TRUE)


def _subtract(o: Operands) -> Result:
    a, b = o.term(0), o.term(1)
    return t.sub(a, b), t.le(b, a)


def _divide(o: Operands) -> Result:
    a, b = o.term(0), o.term(1)
    return t.div(a, b), t.distinct(b, t.integer(0))


def _remainder(o: Operands) -> Result:
    a, b = o.term(0), o.term(1)
    return t.mod(a, b), t.distinct(b, t.integer(0))


def _minimum(a: Term, b: Term) -> Term:
    return t.ite(t.le(a, b), a, b)


def _maximum(a: Term, b: Term) -> Term:
    return t.ite(t.le(a, b), b, a)


# --- sets ------------------------------------------------------------------------------------------------------------


def _in(o: Operands) -> Result:
    return o.set(1).has(o.term(0)), TRUE


def _within(o: Operands) -> Result:
    a, b = o.set(0), o.set(1)
    if a.slots is not None and not a.masked:
        return t.and_(*(t.implies(p, b.has(e)) for p, e in a.slots)), TRUE
    return t.and_(*(t.implies(a.bit(i), b.bit(i)) for i in element_indices(a.type))), TRUE


def _bitwise(meaning: Callable[[Term, Term], Term]) -> Callable[[Operands], SymSet]:
    def apply(o: Operands) -> SymSet:
        a, b = o.set(0), o.set(1)
        type_ = hull(a.type, b.type)
        return SymSet(o.codec, type_, tuple(meaning(a.bit(i), b.bit(i)) for i in element_indices(type_)))

    return apply


def _filtered(o: Operands, keep: Callable[[Term, Term], Term], whole: Callable[[Operands], SymSet]) -> Result:
    """An operator whose result is a part of its first argument: it stays a list of slots where that is one."""
    a, b = o.set(0), o.set(1)
    if a.slots is None:
        return whole(o), TRUE
    slots = tuple((keep(p, b.has(e)), e) for p, e in a.slots)
    return SymSet(o.codec, a.type, whole(o).bits if a.masked and b.masked else None, slots), TRUE


def _without(o: Operands) -> Result:
    def keep(p: Term, q: Term) -> Term:
        return t.and_(p, t.not_(q))

    return _filtered(o, keep, _bitwise(keep))


def _intersect(o: Operands) -> Result:
    return _filtered(o, t.and_, _bitwise(t.and_))


def _union(o: Operands) -> Result:
    a, b = o.set(0), o.set(1)
    if a.slots is None or b.slots is None or (a.masked and b.masked):
        return _bitwise(t.or_)(o), TRUE
    new = tuple((t.and_(p, t.not_(a.has(e))), e) for p, e in b.slots)
    return SymSet(o.codec, hull(a.type, b.type), None, (*a.slots, *new)), TRUE


def _size(o: Operands) -> Result:
    return t.count(p for p, _ in o.set(0).elements()), TRUE


def _literal(o: Operands) -> Result:
    type_ = element_type(o.type)
    singles = [_singleton(o, type_, i) for i in range(len(o.values))]
    bits = tuple(t.or_(*column) for column in zip(*singles, strict=True)) if singles else ()
    if not singles:
        bits = (t.FALSE,) * len(element_indices(type_))
    slots = ((TRUE, o.term(0)),) if len(singles) == 1 and o.term(0).op != "const" else None
    return SymSet(o.codec, type_, bits, slots), TRUE


def _singleton(o: Operands, type_: Type, position: int) -> list[Term]:
    element = o.term(position)
    return [t.eq(element, o.codec.element(type_, i)) for i in element_indices(type_)]


def _span(o: Operands) -> Result:
    type_, lo, hi = element_type(o.type), o.term(0), o.term(1)
    numbers = element_indices(type_)
    bits = tuple(t.and_(t.le(lo, t.integer(n)), t.le(t.integer(n), hi)) for n in numbers)
    return SymSet(o.codec, type_, bits), TRUE


def _only(o: Operands) -> Result:
    elements = o.set(0).elements()
    if not elements:
        return o.codec.element(o.type, element_indices(o.type).start), t.FALSE
    return merge_all(elements), exactly_one([p for p, _ in elements])


def exactly_one(bits: list[Term]) -> Term:
    """Does exactly one of the Booleans hold?"""
    none, one = TRUE, t.FALSE
    for b in bits:
        none, one = t.and_(none, t.not_(b)), t.ite(b, none, one)
    return one


# --- optionals, and the table ----------------------------------------------------------------------------------------


def _some(o: Operands) -> Result:
    return SymOptional(TRUE, o.values[0]), TRUE


def _unwrap(o: Operands) -> Result:
    value = o.values[0]
    assert isinstance(value, SymOptional)
    return value.value, value.some


def _same(o: Operands) -> Result:
    return equal(o.values[0], o.values[1]), TRUE


def _differs(o: Operands) -> Result:
    return t.not_(equal(o.values[0], o.values[1])), TRUE


SYMBOLIC: dict[str, Callable[[Operands], Result]] = {
    "not": _terms(t.not_),
    "and": _terms(t.and_),
    "or": _terms(t.or_),
    "implies": _terms(t.implies),
    "==": _same,
    "!=": _differs,
    "<": _terms(t.lt),
    "<=": _terms(t.le),
    ">": _terms(lambda a, b: t.lt(b, a)),
    ">=": _terms(lambda a, b: t.le(b, a)),
    "+": _terms(t.add),
    "-": _subtract,
    "*": _terms(t.mul),
    "div": _divide,
    "mod": _remainder,
    "min": _terms(_minimum),
    "max": _terms(_maximum),
    "in": _in,
    "within": _within,
    "union": _union,
    "intersect": _intersect,
    "without": _without,
    "size": _size,
    "set": _literal,
    "span": _span,
    "only": _only,
    "some": _some,
    "value": _unwrap,
}
