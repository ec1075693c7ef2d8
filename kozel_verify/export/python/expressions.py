"""Expressions to Python expressions.

An expression of the core and the scope in which it stands go in, Python code comes out that has the same value wherever
the expression has one. Where it has none, the code raises ``RuleFault`` or, since ``all``, ``any`` and tables do not
look at every element, may give a value: the obligation "well defined" of a spec excludes these places.
"""

from kozel_verify.export.python.context import Context, Scope, Signature, literal, offset
from kozel_verify.export.python.masks import constant_values, elements, predicate_mask, sum_function
from kozel_verify.export.python.operators import CHOICE, OPERATIONS, PLUS, Code, as_bool
from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    CellRead,
    Const,
    Expr,
    First,
    If,
    Local,
    Lookup,
    Matching,
    Old,
    OptionRead,
    Revealed,
    ZoneRead,
)
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import (
    BoolType,
    CardType,
    EnumType,
    RankType,
    SeatType,
    SetType,
    SuitType,
    Type,
    full_set,
    members,
)

UNROLLED = 6  # a quantifier over so many constant elements is written out


class Emitter:
    """Writes expressions. ``loops`` counts those written as loops, so that a function knows whether it is slow."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.loops = 0

    def code(self, expr: Expr, scope: Scope) -> Code:
        """The value of ``expr``; a ``bool`` where its type is Bool."""
        found = self.truth(expr, scope)
        return as_bool(found) if isinstance(expr.type, BoolType) else found

    def truth(self, expr: Expr, scope: Scope) -> Code:
        """The same, but for a Bool any value that is true or false in a condition."""
        match expr:
            case Const(value, type_):
                return literal(value, type_)
            case Local(name):
                return _typed(scope.locals[name], expr.type)
            case OptionRead(name):
                return self._option(name, scope)
            case CellRead(name, index):
                return self._cell(name, index, scope)
            case ZoneRead(name, index):
                return Code(f"z[{self.zone_slot(name, index, scope)}]")
            case Apply():
                return self._apply(expr, scope)
            case Lookup():
                return self._lookup(expr, scope)
            case If(condition, then, otherwise):
                return self._if(condition, then, otherwise, scope)
            case Call(name, args):
                found = self._tabled_call(expr, scope)
                return found or self.call(
                    self.context.signatures[name], [self.code(a, scope) for a in args], scope, expr.type
                )
            case Bind():
                return self._bind(expr, scope)
            case First():
                return self._first(expr, scope)
            case Matching():
                return self._matching(expr, scope)
            case Old() | Revealed():
                raise AssertionError("only properties speak of steps, and they are not exported")

    # --- slots -------------------------------------------------------------------------------------------------------

    def zone_slot(self, name: str, index: Expr | None, scope: Scope) -> str:
        place = None if index is None else self.code(index, scope)
        return offset(self.context.zone_names[name], place, self.context.game.zones[name].index)

    def cell_slot(self, name: str, index: Expr | None, scope: Scope) -> str:
        place = None if index is None else self.code(index, scope)
        return offset(self.context.cell_names[name], place, self.context.game.cells[name].index)

    def _cell(self, name: str, index: Expr | None, scope: Scope) -> Code:
        if index is None and name in scope.cells:
            return _typed(scope.cells[name], self.context.game.cells[name].type)
        return Code(f"c[{self.cell_slot(name, index, scope)}]")

    def _option(self, name: str, scope: Scope) -> Code:
        if name in scope.options:
            return _typed(scope.options[name], self.context.game.options[name].type)
        return Code(f"o[{self.context.option_names[name]}]")

    # --- plain expressions -------------------------------------------------------------------------------------------

    def _apply(self, expr: Apply, scope: Scope) -> Code:
        if all(isinstance(a, Const) for a in expr.args):
            try:
                value = OPERATORS[expr.op].meaning(*[a.value for a in expr.args if isinstance(a, Const)])
            except Undefined:
                pass
            else:
                return literal(value, expr.type)
        if expr.op in ("not", "and", "or", "implies"):
            codes = [self.truth(a, scope) for a in expr.args]
        else:
            codes = [self.code(a, scope) for a in expr.args]
        return OPERATIONS[expr.op](*codes)

    def _lookup(self, expr: Lookup, scope: Scope) -> Code:
        if isinstance(expr.key, Const):
            position = expr.key.value
            if isinstance(position, int) and 0 <= position < len(expr.table):
                return literal(expr.table[position], expr.type)
        table = self.context.define("TABLE", f"{{name}} = {_tuple(expr.table, expr.type)}")
        key = self.code(expr.key, scope)
        if self.context.facts.total(Lookup(expr.table, Local("key", expr.key.type), expr.type)):
            return Code(f"{table}[{key.text}]", boolean=isinstance(expr.type, BoolType))
        return Code(f"_entry({table}, {key.text})")

    def _if(self, condition: Expr, then: Expr, otherwise: Expr, scope: Scope) -> Code:
        test, yes, no = self.truth(condition, scope), self.code(then, scope), self.code(otherwise, scope)
        text = f"{yes.at(CHOICE + 1)} if {test.at(CHOICE + 1)} else {no.at(CHOICE)}"
        return Code(text, CHOICE, yes.boolean and no.boolean)

    def _tabled_call(self, expr: Call, scope: Scope) -> Code | None:
        """A call that is a constant, or an entry of a constant table for its only argument."""
        function = self.context.game.functions[expr.function]
        body, boolean = function.body, isinstance(expr.type, BoolType)
        if not function.parameters and isinstance(body, Const):
            return literal(body.value, body.type)
        if len(function.parameters) != 1 or not self.context.facts.total(body):
            return None
        parameter = function.parameters[0]
        if not isinstance(parameter.type, SeatType | EnumType | SuitType | RankType | CardType):
            return None
        values = constant_values(self, body, parameter.name, parameter.type)
        if values is None:
            return None
        table = self.context.define("TABLE", f"{{name}} = {_tuple(tuple(values.values()), expr.type)}")
        return Code(f"{table}[{self.code(expr.args[0], scope).text}]", boolean=boolean)

    def call(self, signature: Signature, args: list[Code], scope: Scope, type_: Type) -> Code:
        """A call of a generated function; what it reads is handed to it from the scope."""
        texts = [a.text for a in args]
        game = self.context.game
        read = [(self._cell(name, None, scope), game.cells[name].type) for name in signature.cells]
        read += [(self._option(name, scope), game.options[name].type) for name in signature.options]
        texts += [(as_bool(code) if isinstance(of, BoolType) else code).text for code, of in read]
        texts += ["c"] * signature.families + ["z"] * signature.zones
        return Code(f"{signature.name}({', '.join(texts)})", boolean=isinstance(type_, BoolType))

    # --- binders -----------------------------------------------------------------------------------------------------

    def _bind(self, expr: Bind, scope: Scope) -> Code:
        if expr.binding in (Binding.SUM, Binding.TOP):
            return self._measured(expr, scope)
        domain = self.code(expr.domain, scope)
        mask = predicate_mask(self, expr.body, expr.variable, _element(expr.domain), scope)
        if mask is None:
            return self._searched(expr, domain, scope)
        everything = mask.text == hex(full_set(_element(expr.domain)))
        kept = domain if everything else OPERATIONS["intersect"](domain, mask)
        match expr.binding:
            case Binding.EVERY:
                return OPERATIONS["within"](domain, mask) if not everything else Code("True", boolean=True)
            case Binding.THE:
                return Code(f"_only({kept.text})")
            case _:  # SOME as a truth value and THOSE are the same code
                return kept

    def _unrolled(self, expr: Bind, domain: Code, scope: Scope) -> Code | None:
        """A constant domain of few elements, written out one by one."""
        operator = {Binding.EVERY: "and", Binding.SOME: "or", Binding.SUM: "+"}.get(expr.binding)
        found = _constant_elements(domain)
        if operator is None or found is None or not 0 < len(found) <= UNROLLED:
            return None
        parts = [self.code(expr.body, scope.bind(expr.variable, Code(str(element)))) for element in found]
        whole = parts[0]
        for part in parts[1:]:
            whole = OPERATIONS[operator](whole, part)
        return whole

    def _searched(self, expr: Bind, domain: Code, scope: Scope) -> Code:
        """A loop over the domain, for bodies that are no mask."""
        unrolled = self._unrolled(expr, domain, scope)
        if unrolled is not None:
            return unrolled
        self.loops += 1
        variable = Code(scope.names.take(expr.variable.lower()))
        body = self.truth(expr.body, scope.bind(expr.variable, variable))
        each = f"for {variable.text} in {_each(domain)}"
        match expr.binding:
            case Binding.EVERY:
                return Code(f"all({body.text} {each})", boolean=True)
            case Binding.SOME:
                return Code(f"any({body.text} {each})", boolean=True)
            case Binding.THE:
                return Code(f"_only(_mask({variable.text} {each} if {body.at(CHOICE + 1)}))")
            case _:
                return Code(f"_mask({variable.text} {each} if {body.at(CHOICE + 1)})")

    def _measured(self, expr: Bind, scope: Scope) -> Code:
        domain = self.code(expr.domain, scope)
        if expr.binding is Binding.SUM:
            values = constant_values(self, expr.body, expr.variable, _element(expr.domain))
            if values is not None:
                return Code(f"{sum_function(self.context, values)}({domain.text})")
            unrolled = self._unrolled(expr, domain, scope)
            if unrolled is not None:
                return unrolled
        self.loops += 1
        variable = Code(scope.names.take(expr.variable.lower()))
        body = self.code(expr.body, scope.bind(expr.variable, variable))
        each = f"for {variable.text} in {_each(domain)}"
        if expr.binding is Binding.SUM:
            return Code(f"sum({body.text} {each})")
        return Code(f"_top([({body.text}, {variable.text}) {each}])")

    def _first(self, expr: First, scope: Scope) -> Code:
        those = Bind(Binding.THOSE, expr.variable, expr.domain, expr.body, SetType(expr.type))
        seats = self.code(those, scope)
        start = _clockwise_start(self.code(expr.start, scope), expr.after, self.context.game.seats)
        return Code(f"_clockwise({seats.text}, {start.text})")

    def _matching(self, expr: Matching, scope: Scope) -> Code:
        targets, replies = self.code(expr.targets, scope), self.code(expr.replies, scope)
        self.loops += 1
        rows = self.rows(expr, scope)
        if rows is not None:
            return Code(f"_matches({targets.text}, {replies.text}, {rows.text})", boolean=True)
        target, reply = (Code(scope.names.take(name.lower())) for name in (expr.target, expr.reply))
        body = self.truth(expr.body, scope.bind(expr.target, target).bind(expr.reply, reply))
        row = f"_mask({reply.text} for {reply.text} in _members({replies.text}) if {body.at(CHOICE + 1)})"
        return Code(f"has_matching([{row} for {target.text} in _members({targets.text})])", boolean=True)

    def rows(self, expr: Matching, scope: Scope) -> Code | None:
        """For each target the mask of the replies that fit it, as a table kept for each value of what the predicate
        reads; ``None`` when it reads too much, or has no value for some pair."""
        context = self.context
        reads = context.facts.reads(expr.body).without(expr.target, expr.reply)
        free = tuple(sorted(reads.locals, key=lambda pair: pair[0]))
        draft = context.signature("", free, reads)
        if not context.small(draft) or not context.facts.total(expr.body):
            return None
        inner, parameters = context.enter(draft)
        target, reply = (Code(inner.names.take(name.lower())) for name in (expr.target, expr.reply))
        body = self.truth(expr.body, inner.bind(expr.target, target).bind(expr.reply, reply))
        row = f"_mask({reply.text} for {reply.text} in {elements(_element(expr.replies))} if {body.at(CHOICE + 1)})"
        every = f"tuple({row} for {target.text} in {elements(_element(expr.targets))})"
        name = context.define("fits", f"@cache\ndef {{name}}({parameters}) -> tuple[int, ...]:\n    return {every}")
        signature = context.signature(name, free, reads)
        return self.call(signature, [scope.locals[n] for n, _ in free], scope, expr.type)


def _clockwise_start(code: Code, after: bool, count: int) -> Code:
    """The seat at which a search around ``count`` seats begins."""
    if not after:
        return code
    return Code(str((int(code.text) + 1) % count) if code.text.isdigit() else f"({code.at(PLUS)} + 1) % {count}")


def _typed(code: Code, type_: Type) -> Code:
    """A name whose declared type says whether it is a ``bool``."""
    return Code(code.text, code.precedence, isinstance(type_, BoolType))


def _element(domain: Expr) -> Type:
    assert isinstance(domain.type, SetType)
    return domain.type.of


def _constant_elements(code: Code) -> tuple[int, ...] | None:
    """The elements of a set that is written as a constant."""
    known = code.text.startswith("0x") and code.text[2:].isalnum()
    return tuple(members(int(code.text, 16))) if known else None


def _each(code: Code) -> str:
    """What to loop over for the elements of a set."""
    found = _constant_elements(code)
    return repr(found) if found is not None and len(found) <= 16 else f"_members({code.text})"


def _tuple(values: tuple[bool | int | None, ...], type_: Type) -> str:
    texts = [literal(value, type_).text for value in values]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"
