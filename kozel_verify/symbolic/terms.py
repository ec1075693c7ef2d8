"""Terms: the formulas in which symbolic values, edges and obligations are written.

In: smart constructors (``and_``, ``ite``, ``add``, …) applied to terms. Out: hash-consed terms (equal terms are the
same object), folded where arguments are constant. ``evaluate`` gives their meaning under an assignment of the
variables; ``kozel_verify.symbolic.z3_api`` hands them to the solver.

Why a layer of our own: a query is then a pure function of its term (a fresh solver context is filled in one fixed
order, so a resource count does not depend on what was asked before), folding is free, and the solver's library is
imported in one place. Trusted: the folding rules and ``evaluate`` here; tests compare both with the solver's own
meaning, on all small argument values.

Sorts are integers: ``BOOL`` (-1), ``INT`` (0), ``KEY`` (-2: a name for a set of cards of which only numbers are known;
never handed to the solver), and a width ``w > 0`` for bit vectors of ``w`` bits.
"""

from collections.abc import Iterable, Mapping, Sequence
from weakref import WeakValueDictionary

BOOL, INT, KEY = -1, 0, -2
Constant = bool | int


class Term:
    """``op`` applied to ``args``; ``payload`` is a constant's value, a variable's name, or an operator's parameter."""

    __slots__ = ("__weakref__", "args", "op", "payload", "sort")

    def __init__(self, op: str, args: "tuple[Term, ...]", sort: int, payload: object) -> None:
        self.op = op
        self.args = args
        self.sort = sort
        self.payload = payload

    def __repr__(self) -> str:
        if self.op in ("const", "var"):
            return str(self.payload)
        head = self.op if self.payload is None else f"{self.op}[{self.payload}]"
        return f"({head} {' '.join(map(repr, self.args))})"


_TABLE: "WeakValueDictionary[tuple[object, ...], Term]" = WeakValueDictionary()


def make(op: str, args: tuple[Term, ...], sort: int, payload: object = None) -> Term:
    """The one term with these parts, without folding."""
    key = (op, sort, type(payload), payload, *map(id, args))
    found = _TABLE.get(key)
    if found is None:
        found = Term(op, args, sort, payload)
        _TABLE[key] = found
    return found


TRUE = make("const", (), BOOL, True)
FALSE = make("const", (), BOOL, False)


# --- leaves ----------------------------------------------------------------------------------------------------------


def boolean(value: bool) -> Term:
    return TRUE if value else FALSE


def integer(value: int) -> Term:
    return make("const", (), INT, value)


def vector(value: int, width: int) -> Term:
    """A constant of ``width`` bits, ``0 <= value < 2**width``."""
    return make("const", (), width, value)


def variable(name: str, sort: int) -> Term:
    """The unknown called ``name``; one name has one sort in a query."""
    return make("var", (), sort, name)


def constant(term: Term) -> Constant | None:
    """The value of a constant term, else ``None``."""
    if term.op != "const":
        return None
    assert isinstance(term.payload, (bool, int))
    return term.payload


def int_of(term: Term) -> int:
    """The payload of a constant that is a number or a bit vector."""
    assert term.op == "const" and isinstance(term.payload, int)
    return term.payload


# --- Booleans --------------------------------------------------------------------------------------------------------


def not_(a: Term) -> Term:
    if a is TRUE:
        return FALSE
    if a is FALSE:
        return TRUE
    if a.op == "not":
        return a.args[0]
    return make("not", (a,), BOOL)


def _junction(op: str, unit: Term, zero: Term, args: Iterable[Term]) -> Term:
    seen: dict[Term, None] = {}
    for a in args:
        for part in a.args if a.op == op else (a,):
            if part is zero:
                return zero
            if part is not unit:
                seen[part] = None
    for part in seen:
        if part.op == "not" and part.args[0] in seen:
            return zero
    if not seen:
        return unit
    parts = tuple(seen)
    return parts[0] if len(parts) == 1 else make(op, parts, BOOL)


def and_(*args: Term) -> Term:
    return _junction("and", TRUE, FALSE, args)


def or_(*args: Term) -> Term:
    return _junction("or", FALSE, TRUE, args)


def implies(a: Term, b: Term) -> Term:
    return or_(not_(a), b)


def ite(condition: Term, a: Term, b: Term) -> Term:
    """``a`` if the condition holds, else ``b``; both of one sort."""
    if condition is TRUE or a is b:
        return a
    if condition is FALSE:
        return b
    if a.sort == BOOL:
        return _choose(condition, a, b)
    if condition.op == "not":
        condition, a, b = condition.args[0], b, a
    if b.op == "ite" and b.args[0] is condition:
        b = b.args[2]
    if a.op == "ite" and a.args[0] is condition:
        a = a.args[1]
    return a if a is b else make("ite", (condition, a, b), a.sort)


def _choose(condition: Term, a: Term, b: Term) -> Term:
    if a is TRUE:
        return or_(condition, b)
    if a is FALSE:
        return and_(not_(condition), b)
    if b is TRUE:
        return or_(not_(condition), a)
    if b is FALSE:
        return and_(condition, a)
    return make("ite", (condition, a, b), BOOL)


def _constant_branch(a: Term) -> bool:
    """Then a comparison with a constant can be pulled inside at little cost."""
    return a.op == "ite" and (a.args[1].op == "const" or a.args[2].op == "const")


def eq(a: Term, b: Term) -> Term:
    """Equality of two terms of one sort."""
    if a is b:
        return TRUE
    if a.op == "const":
        a, b = b, a
    if b.op == "const":
        if a.op == "const":
            return FALSE
        if a.sort == BOOL:
            return a if b is TRUE else not_(a)
        if _constant_branch(a):
            return ite(a.args[0], eq(a.args[1], b), eq(a.args[2], b))
    return make("eq", (a, b), BOOL)


def distinct(a: Term, b: Term) -> Term:
    return not_(eq(a, b))


# --- integers --------------------------------------------------------------------------------------------------------


def add(*args: Term) -> Term:
    """The sum of integers, with the constants collected in one last summand."""
    total, rest = 0, []
    for a in args:
        for part in a.args if a.op == "add" else (a,):
            if part.op == "const":
                total += int_of(part)
            else:
                rest.append(part)
    if total or not rest:
        rest.append(integer(total))
    return rest[0] if len(rest) == 1 else make("add", tuple(rest), INT)


def negate(a: Term) -> Term:
    return mul(integer(-1), a)


def sub(a: Term, b: Term) -> Term:
    return integer(0) if a is b else add(a, negate(b))


def mul(a: Term, b: Term) -> Term:
    if b.op == "const":
        a, b = b, a
    if a.op == "const":
        factor = int_of(a)
        if b.op == "const":
            return integer(factor * int_of(b))
        if factor == 0:
            return a
        if factor == 1:
            return b
        if b.op == "mul" and b.args[0].op == "const":
            return mul(integer(factor * int_of(b.args[0])), b.args[1])
        if b.op == "add":
            return add(*(mul(a, part) for part in b.args))
    return make("mul", (a, b), INT)


def div(a: Term, b: Term) -> Term:
    """Division of naturals rounding down; 0 where ``b`` is 0 (so that the term has a value there too)."""
    if a.op == "const" and b.op == "const":
        return integer(int_of(a) // int_of(b) if int_of(b) else 0)
    return make("div", (a, b), INT)


def mod(a: Term, b: Term) -> Term:
    """Remainder of naturals; 0 where ``b`` is 0."""
    if a.op == "const" and b.op == "const":
        return integer(int_of(a) % int_of(b) if int_of(b) else 0)
    return make("mod", (a, b), INT)


def le(a: Term, b: Term) -> Term:
    if a is b:
        return TRUE
    if a.op == "const" and b.op == "const":
        return boolean(int_of(a) <= int_of(b))
    if b.op == "const" and _constant_branch(a):
        return ite(a.args[0], le(a.args[1], b), le(a.args[2], b))
    if a.op == "const" and _constant_branch(b):
        return ite(b.args[0], le(a, b.args[1]), le(a, b.args[2]))
    return make("le", (a, b), BOOL)


def lt(a: Term, b: Term) -> Term:
    return not_(le(b, a))


def count(bits: Iterable[Term]) -> Term:
    """How many of the Booleans hold."""
    return add(*(ite(b, integer(1), integer(0)) for b in bits))


# --- bit vectors -----------------------------------------------------------------------------------------------------


def ult(a: Term, b: Term) -> Term:
    """Unsigned ``a < b``."""
    if a is b:
        return FALSE
    if a.op == "const" and b.op == "const":
        return boolean(int_of(a) < int_of(b))
    return make("ult", (a, b), BOOL)


def extract(a: Term, low: int, width: int) -> Term:
    """Bits ``low .. low + width - 1``."""
    if low == 0 and width == a.sort:
        return a
    if a.op == "const":
        return vector(int_of(a) >> low & (1 << width) - 1, width)
    if a.op == "ite":
        return ite(a.args[0], extract(a.args[1], low, width), extract(a.args[2], low, width))
    return make("extract", (a,), width, (low, width))


# --- keys ------------------------------------------------------------------------------------------------------------


def key(op: str, *args: Term, payload: object = None) -> Term:
    """A name for a set of cards: equal names mean equal sets; different names say nothing."""
    return make(op, args, KEY, payload)


# --- meaning ---------------------------------------------------------------------------------------------------------


def postorder(roots: Sequence[Term]) -> list[Term]:
    """Each term below the roots once, arguments first; the order depends on the terms' structure alone."""
    done: dict[Term, None] = {}
    stack = [(r, False) for r in reversed(roots)]
    while stack:
        term, ready = stack.pop()
        if term in done:
            continue
        if ready:
            done[term] = None
            continue
        stack.append((term, True))
        stack.extend((a, False) for a in reversed(term.args) if a not in done)
    return list(done)


def variables(roots: Sequence[Term]) -> dict[str, Term]:
    """The variables below the roots by name."""
    return {str(t.payload): t for t in postorder(roots) if t.op == "var"}


def rebuild(term: Term, args: tuple[Term, ...]) -> Term:
    """The term with other arguments, folded."""
    match term.op:
        case "and":
            return and_(*args)
        case "or":
            return or_(*args)
        case "not":
            return not_(args[0])
        case "ite":
            return ite(*args)
        case "add":
            return add(*args)
        case "extract":
            assert isinstance(term.payload, tuple)
            return extract(args[0], *term.payload)
        case "const" | "var":
            return term
        case _:
            return BINARY[term.op](*args)


BINARY = {"eq": eq, "mul": mul, "div": div, "mod": mod, "le": le, "ult": ult}


def substitute(roots: Sequence[Term], values: Mapping[str, Term]) -> list[Term]:
    """The roots with variables replaced, folded again."""
    new: dict[Term, Term] = {}
    for term in postorder(roots):
        if term.op == "var":
            new[term] = values.get(str(term.payload), term)
        else:
            new[term] = rebuild(term, tuple(new[a] for a in term.args))
    return [new[r] for r in roots]


def evaluate(roots: Sequence[Term], values: Mapping[str, Constant]) -> list[Constant]:
    """The values of the roots; ``KeyError`` for a variable without one."""
    out: dict[Term, Constant] = {}
    for term in postorder(roots):
        out[term] = _meaning(term, [out[a] for a in term.args], values)
    return [out[r] for r in roots]


def _meaning(term: Term, a: list[Constant], values: Mapping[str, Constant]) -> Constant:
    match term.op:
        case "const":
            value = constant(term)
            assert value is not None
            return value
        case "var":
            return values[str(term.payload)]
        case "not":
            return not a[0]
        case "and":
            return all(a)
        case "or":
            return any(a)
        case "ite":
            return a[1] if a[0] else a[2]
        case "eq":
            return a[0] == a[1]
        case "add":
            return sum(a)
        case "mul":
            return a[0] * a[1]
        case "div":
            return a[0] // a[1] if a[1] else 0
        case "mod":
            return a[0] % a[1] if a[1] else 0
        case "le":
            return a[0] <= a[1]
        case "ult":
            return a[0] < a[1]
        case "extract":
            assert isinstance(term.payload, tuple)
            low, width = term.payload
            return int(a[0]) >> int(low) & (1 << int(width)) - 1
        case _:
            raise ValueError(f"{term.op} has no value")
