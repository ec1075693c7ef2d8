"""Expressions of the core as Python code, for one game with fixed options.

In go an expression and a scope (a code for each local variable); out comes a ``Code`` with the value that the reference
gives, in every state, and without a value (``Undefined``) exactly where the reference has none. Options are constants
here, so all that depends only on them is computed once. Functions are written into their callers when their arguments
are plain; else, and for what loops, functions of their own are defined, and remembered where they depend on little.

Trusted: an element of a Card, Suit, Rank, Seat or enumeration is one of its type; ``machine_runtime``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from kozel_verify.exhaustive import machine_runtime
from kozel_verify.exhaustive.machine_code import (
    Code,
    Uses,
    conjunction,
    disjunction,
    earlier,
    joined,
    literal,
    numbers,
    operation,
    those,
    tuple_text,
)
from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    Cell,
    CellRead,
    Const,
    Expr,
    First,
    Game,
    If,
    Local,
    Lookup,
    Matching,
    Old,
    OptionRead,
    Revealed,
    Zone,
    ZoneRead,
)
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import (
    CardType,
    EnumType,
    RankType,
    SeatType,
    SetType,
    SuitType,
    Type,
    Value,
    cardinality,
    element_indices,
    full_set,
    members,
)

UNROLLED = 8  # binders over at most so many known elements are written out, …
LONG = 4000  # … unless the code gets longer than that
SMALL = 1024  # a table is made for a predicate of one element and of at most so many values of all else
KEYS = 6  # functions of at most so many inputs are remembered
RUNTIME = (  # what generated code may call, besides Python's own functions on numbers
    *("divide", "elements", "entry", "fail", "first", "matches", "minus"),
    *("only", "remainder", "span", "subsets", "top", "value"),
)


@dataclass(frozen=True, slots=True)
class Scope:
    """``locals``: the code of each local variable. Bound variables are named ``x0``, ``x1``, … by depth."""

    locals: Mapping[str, Code]
    depth: int = 0

    def bind(self, name: str, code: Code) -> "Scope":
        return Scope({**self.locals, name: code}, self.depth)

    def variable(self, name: str, type_: Type) -> tuple["Scope", Code]:
        code = Code(f"x{self.depth}", frozenset({(f"x{self.depth}", _count(type_))}))
        return Scope({**self.locals, name: code}, self.depth + 1), code


EMPTY = Scope({})


class Emitter:
    """Writes expressions, and the functions that they call. ``source`` is all that was defined, in order."""

    def __init__(self, game: Game, options: Mapping[str, Value]) -> None:
        self.game = game
        self.options = options
        self.source: list[str] = []
        self.namespace: dict[str, object] = {name: getattr(machine_runtime, name) for name in RUNTIME}
        self.namespace["remembered"] = lru_cache(maxsize=machine_runtime.ROOM)
        self._names: dict[str, str] = {}

    def define(self, parameters: str, body: str, *, remembered: bool = False) -> str:
        """A function with these lines as its body, made once for each text; returns its name."""
        text = f"({parameters}):\n{body}\n"
        if text not in self._names:
            name = self._names[text] = f"f{len(self._names)}"
            whole = f"{'@remembered' if remembered else ''}\ndef {name}{text}".lstrip("\n")
            self.source.append(whole)
            exec(compile(whole, "<rules>", "exec"), self.namespace)
        return self._names[text]

    def code(self, expr: Expr, scope: Scope) -> Code:
        match expr:
            case Const(value):
                return literal(value)
            case Local(name):
                return scope.locals[name]
            case OptionRead(name):
                return literal(self.options[name])
            case CellRead(name, index):
                cell = self.game.cells[name]
                return self._slot("c", cell, _count(cell.type), index, scope)
            case ZoneRead(name, index):
                return self._slot("z", self.game.zones[name], 0, index, scope)
            case Apply(op, args):
                return operation(op, *(self.code(a, scope) for a in args))
            case Lookup():
                return self._lookup(expr, scope)
            case If(condition, then, otherwise):
                return self._if(condition, then, otherwise, scope)
            case Call():
                return self._call(expr, scope)
            case Bind():
                return self._bind(expr, scope)
            case First():
                return self._first(expr, scope)
            case Matching():
                return self._matching(expr, scope)
            case Old(inner):
                return earlier(self.code(inner, scope))
            case Revealed(seat):
                names = [f"e{t}" for t in range(self.game.seats)]
                told = [Code(name, frozenset({(name, 0)})) for name in names]
                key = self.code(seat, scope)
                return joined(f"{tuple_text(names)}[{key.text}]", [*told, key])

    # --- slots and tables --------------------------------------------------------------------------------------------

    def position(self, item: Cell | Zone, index: Expr | None, scope: Scope) -> Code:
        """The slot of a member of a family; raises (in the code) outside of the family."""
        if item.index is None or index is None:
            return literal(item.base)
        positions = element_indices(item.index)
        code = self.code(index, scope)
        shift = item.base - positions[0]
        if code.known and code.known[0] in positions:
            return literal(int(code.known[0] or 0) + shift)
        if sound(item.index) and index.type == item.index and not code.known:
            return joined(f"({code.text} + {shift})", [code]) if shift else code
        table = numbers([None] * positions[0] + [p + shift for p in positions])
        return joined(f"value(entry({table}, {code.text}))", [code], False)

    def _slot(self, letter: str, item: Cell | Zone, size: int, index: Expr | None, scope: Scope) -> Code:
        position = self.position(item, index, scope)
        if position.known:
            name = f"{letter}{position.known[0]}"
            return Code(name, frozenset({(name, size)}))
        assert item.index is not None and index is not None
        names = [f"{letter}{item.base + k}" for k in range(len(element_indices(item.index)))]
        slots = [Code(name, frozenset({(name, size)})) for name in names]
        if position.total:
            key = self.code(index, scope)
            return joined(f"{tuple_text(names)}[{key.text}]", [*slots, key])
        return joined(f"{tuple_text(names)}[{position.text} - {item.base}]", [*slots, position])

    def _lookup(self, expr: Lookup, scope: Scope) -> Code:
        key = self.code(expr.key, scope)
        if key.known and key.known[0] in range(len(expr.table)):
            return literal(expr.table[int(key.known[0] or 0)])
        table = numbers(expr.table)
        if sound(expr.key.type) and len(element_indices(expr.key.type)) <= len(expr.table):
            return joined(f"{table}[{key.text}]", [key])
        return joined(f"entry({table}, {key.text})", [key], False)

    # --- plain expressions -------------------------------------------------------------------------------------------

    def _if(self, condition: Expr, then: Expr, otherwise: Expr, scope: Scope) -> Code:
        test = self.code(condition, scope)
        if test.known:
            return self.code(then if test.known[0] else otherwise, scope)
        yes, no = self.code(then, scope), self.code(otherwise, scope)
        return joined(f"({yes.text} if {test.text} else {no.text})", [yes, test, no])

    def _call(self, expr: Call, scope: Scope) -> Code:
        function = self.game.functions[expr.function]
        args = [self.code(a, scope) for a in expr.args]
        inner, open_ = EMPTY, []
        for parameter, arg in zip(function.parameters, args, strict=True):
            if arg.known:
                inner = inner.bind(parameter.name, arg)
            else:
                inner, _ = inner.variable(parameter.name, parameter.type)
                open_.append(arg)
        body = self.code(function.body, inner)
        if all(a.text.isidentifier() for a in open_) and not body.slow:
            plain = {p.name: a for p, a in zip(function.parameters, args, strict=True)}
            return self.code(function.body, Scope(plain, scope.depth))
        if body.known and all(a.total for a in open_):
            return body
        return self._called(body, open_)

    def _called(self, body: Code, args: list[Code]) -> Code:
        """A function of ``x0``, ``x1``, … (and of all else that the body reads) applied to ``args``."""
        own = [f"x{n}" for n in range(len(args))]
        rest = frozenset(use for use in body.uses if use[0] not in own)
        names = sorted(name for name, _ in rest)
        remembered = body.slow and len(own) + len(names) <= KEYS
        name = self.define(", ".join([*own, *names]), f"    return {body.text}", remembered=remembered)
        call = f"{name}({', '.join([*(a.text for a in args), *names])})"
        uses = rest.union(*(a.uses for a in args))
        slow = (body.slow and not remembered) or any(a.slow for a in args)
        return Code(call, uses, body.total and all(a.total for a in args), (), slow)

    # --- binders -----------------------------------------------------------------------------------------------------

    def _bind(self, expr: Bind, scope: Scope) -> Code:
        domain = self.code(expr.domain, scope)
        if domain.known:
            codes = self._each(expr, int(domain.known[0] or 0), scope)
            if codes is not None:
                return _unrolled(expr.binding, codes)
        inner, variable = scope.variable(expr.variable, _element(expr.domain))
        body = self.code(expr.body, inner)
        if expr.binding is Binding.SUM:
            return self._sum(domain, variable, body)
        if expr.binding is not Binding.TOP:
            mask_code = self._mask(variable, body, _element(expr.domain))
            if mask_code is not None:
                return _masked(expr.binding, domain, mask_code)
        return _looped(expr.binding, domain, variable, body)

    def _each(self, expr: Bind, mask: int, scope: Scope) -> dict[int, Code] | None:
        """The body's code for each element of a known domain; ``None`` where it is better written once for all: for
        many elements, as soon as one of them has no known value."""
        codes: dict[int, Code] = {}
        for element in members(mask):
            codes[element] = code = self.code(expr.body, scope.bind(expr.variable, literal(element)))
            if mask.bit_count() > UNROLLED and not code.known:
                return None
        short = sum(len(c.text) for c in codes.values()) <= LONG
        return codes if short or all(c.known for c in codes.values()) else None

    def _mask(self, variable: Code, body: Code, type_: Type) -> Code | None:
        """The elements of a type for which a body holds that always has a value, from a table for all else that it
        reads; ``None`` when that is too much."""
        rest = _without(body.uses, variable)
        if not body.total or any(not size for _, size in rest) or prod(size for _, size in rest) > SMALL:
            return None
        if body.known:
            return literal(full_set(type_) if body.known[0] else 0)
        names = sorted(name for name, _ in rest)
        every = numbers(element_indices(type_))
        made = f"    return sum([1 << {variable.text} for {variable.text} in {every} if {body.text}])"
        name = self.define(", ".join(names), made, remembered=True)
        return Code(f"{name}({', '.join(names)})", rest) if names else literal(self._run(f"{name}()"))

    def _run(self, text: str) -> Value:
        """The value of a generated code that reads nothing."""
        found: Value = eval(compile(text, "<rules>", "eval"), self.namespace)
        return found

    def _sum(self, domain: Code, variable: Code, body: Code) -> Code:
        rest = sorted(name for name, _ in _without(body.uses, variable))
        whole = f"sum([{body.text} for {variable.text} in elements(s0)])"
        remembered = len(rest) < KEYS
        name = self.define(", ".join(["s0", *rest]), f"    return {whole}", remembered=remembered)
        uses = domain.uses | _without(body.uses, variable)
        text = f"{name}({', '.join([domain.text, *rest])})"
        return Code(text, uses, domain.total and body.total, (), not remembered or domain.slow)

    def _first(self, expr: First, scope: Scope) -> Code:
        bind = Bind(Binding.THOSE, expr.variable, expr.domain, expr.body, SetType(expr.type))
        seats, start = self._bind(bind, scope), self.code(expr.start, scope)
        count, after = self.game.seats, int(expr.after)
        if seats.known and seats.known[0]:
            found = [machine_runtime.first(int(seats.known[0]), s + after, count) for s in range(count)]
            if start.known:
                return literal(found[int(start.known[0] or 0)])
            return joined(f"{numbers(found)}[{start.text}]", [start])
        begin = f"{start.text} + 1" if after else start.text
        return joined(f"first({seats.text}, {begin}, {count})", [seats, start], False)

    def _matching(self, expr: Matching, scope: Scope) -> Code:
        targets, replies = self.code(expr.targets, scope), self.code(expr.replies, scope)
        inner, target = scope.variable(expr.target, _element(expr.targets))
        inner, reply = inner.variable(expr.reply, _element(expr.replies))
        body = self.code(expr.body, inner)
        rest = _without(_without(body.uses, target), reply)
        names = sorted(name for name, _ in rest)
        row = f"sum([1 << {reply.text} for {reply.text} in elements(s1) if {body.text}])"
        whole = f"    return matches([{row} for {target.text} in elements(s0)])"
        remembered = len(names) + 2 <= KEYS
        name = self.define(", ".join(["s0", "s1", *names]), whole, remembered=remembered)
        total = body.total and targets.total and replies.total
        uses = rest | targets.uses | replies.uses
        return Code(f"{name}({', '.join([targets.text, replies.text, *names])})", uses, total, (), not remembered)


def sound(type_: Type) -> bool:
    """Types without arithmetic: every value of the type is one of its elements."""
    return isinstance(type_, CardType | SuitType | RankType | SeatType | EnumType)


def _count(type_: Type) -> int:
    """The number of values, 0 when they are too many to count."""
    count = cardinality(type_) or 0
    return count if count <= SMALL else 0


def _element(domain: Expr) -> Type:
    assert isinstance(domain.type, SetType)
    return domain.type.of


def _without(uses: Uses, variable: Code) -> Uses:
    return frozenset(use for use in uses if use[0] != variable.text)


def _unrolled(binding: Binding, codes: dict[int, Code]) -> Code:
    """A binder over known elements: each element's code stands for itself."""
    match binding:
        case Binding.EVERY:
            return conjunction(codes.values())
        case Binding.SOME:
            return disjunction(codes.values())
        case Binding.THOSE:
            return those(codes.items())
        case Binding.THE:
            return operation("only", those(codes.items()))
        case Binding.SUM:
            known = literal(sum(int(c.known[0] or 0) for c in codes.values() if c.known))
            open_ = [c for c in codes.values() if not c.known]
            return joined(f"({' + '.join(c.text for c in [known, *open_])})", open_) if open_ else known
        case Binding.TOP:
            pairs = tuple_text([f"({code.text}, {element})" for element, code in codes.items()])
            return _constant(joined(f"top({pairs})", codes.values(), False), codes)


def _constant(code: Code, parts: dict[int, Code]) -> Code:
    """The value of ``top`` when all is known and there is one."""
    if not all(p.known for p in parts.values()):
        return code
    try:
        return literal(machine_runtime.top([(int(p.known[0] or 0), e) for e, p in parts.items()]))
    except Undefined:
        return code


def _masked(binding: Binding, domain: Code, mask: Code) -> Code:
    """A binder whose body holds exactly for the elements of ``mask``."""
    match binding:
        case Binding.EVERY:
            return operation("within", domain, mask)
        case Binding.SOME:
            return operation("!=", operation("intersect", domain, mask), literal(0))
        case Binding.THOSE:
            return operation("intersect", domain, mask)
        case _:
            return operation("only", operation("intersect", domain, mask))


def _looped(binding: Binding, domain: Code, variable: Code, body: Code) -> Code:
    """A loop over the whole domain: the body must have a value for each element."""
    x = variable.text
    each = f"for {x} in elements({domain.text})"
    match binding:
        case Binding.EVERY:
            text, total = f"all([{body.text} {each}])", True
        case Binding.SOME:
            text, total = f"any([{body.text} {each}])", True
        case Binding.THOSE:
            text, total = f"sum([1 << {x} {each} if {body.text}])", True
        case Binding.THE:
            text, total = f"only(sum([1 << {x} {each} if {body.text}]))", False
        case _:
            text, total = f"top([({body.text}, {x}) {each}])", False
    uses = domain.uses | _without(body.uses, variable)
    return Code(text, uses, total and domain.total and body.total, (), True)
