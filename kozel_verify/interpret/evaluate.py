"""The value of an expression in a state.

In go a game, the values of all its options, a state, an expression and values for the expression's free variables; out
comes the value. Where the expression has none, ``NotWellDefined`` says why and where.

Definedness does not depend on an order of evaluation, with the one exception that is written in the language: what
stands right of ``and``, ``or``, ``implies``, and the branches of an ``if``, are evaluated only when needed. So the body
of a quantifier, a sum, a search or a matching must have a value for *every* element of its domain.
"""

from collections.abc import Mapping

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.state import State
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
from kozel_verify.model.operators import OPERATORS, Undefined
from kozel_verify.model.types import Value, element_indices, members

Values = Mapping[str, Value]


def evaluate(
    game: Game,
    options: Values,
    state: State,
    expr: Expr,
    locals: Values,
    before: State | None = None,
    revealed: tuple[int, ...] = (),
) -> Value:
    """The value of ``expr``. ``options`` has a value for every option, ``locals`` for every free variable. Only a claim
    about a step needs ``before``, the state before the step that ended in ``state``, and ``revealed``, the set of cards
    whose faces the step has told to each seat.

    Raises ``NotWellDefined``, which is an ``Undefined``, with the span of the smallest part that has no value.
    """
    return Evaluation(game, options, state, before, revealed).value(expr, locals)


def slot_of(item: Cell | Zone, index: Value) -> int:
    """The slot of a cell or zone, or of the member of a family at ``index``. Raises ``Undefined`` outside of it."""
    if item.index is None:
        return item.base
    positions = element_indices(item.index)
    if index is None or index not in positions:
        raise Undefined(f"`{item.name}` has no member {index}")
    return item.base + int(index) - positions[0]


def contents(state: State, slot: int) -> int:
    """The set of cards in a zone slot."""
    mask = 0
    for card, place in enumerate(state.place):
        if place == slot:
            mask |= 1 << card
    return mask


def number(value: Value) -> int:
    """A value known from its type to be an index, a number or a set."""
    assert isinstance(value, int)
    return value


class Evaluation:
    """One state to evaluate in."""

    __slots__ = ("before", "game", "options", "revealed", "state")

    def __init__(
        self,
        game: Game,
        options: Values,
        state: State,
        before: State | None = None,
        revealed: tuple[int, ...] = (),
    ) -> None:
        self.game = game
        self.options = options
        self.state = state
        self.before = before
        self.revealed = revealed

    def value(self, expr: Expr, locals: Values) -> Value:
        try:
            return self._value(expr, locals)
        except NotWellDefined:
            raise
        except Undefined as missing:
            raise NotWellDefined(expr.span, str(missing)) from missing

    def _value(self, expr: Expr, locals: Values) -> Value:
        match expr:
            case Local(name):
                return locals[name]
            case Apply(op, args):
                if OPERATORS[op].lazy:
                    return self._lazy(op, args, locals)
                return OPERATORS[op].meaning(*[self.value(a, locals) for a in args])
            case Const(value):
                return value
            case Lookup(table, key):
                return _entry(table, self.value(key, locals))
            case CellRead(name, index):
                return self.state.cells[self._slot(self.game.cells[name], index, locals)]
            case ZoneRead(name, index):
                return contents(self.state, self._slot(self.game.zones[name], index, locals))
            case OptionRead(name):
                return self.options[name]
            case Call(name, args):
                return self._call(name, [self.value(a, locals) for a in args])
            case If(condition, then, otherwise):
                return self.value(then if self.value(condition, locals) else otherwise, locals)
            case Bind():
                return self._bind(expr, locals)
            case First():
                return self._first(expr, locals)
            case Matching():
                return self._matching(expr, locals)
            case Old(inner):
                assert self.before is not None, "only a claim about a step speaks of the state before it"
                return Evaluation(self.game, self.options, self.before).value(inner, locals)
            case Revealed(seat):
                assert self.revealed, "only a claim about a step speaks of what it shows"
                return self.revealed[number(self.value(seat, locals))]

    def _lazy(self, op: str, args: tuple[Expr, ...], locals: Values) -> Value:
        left, right = args
        first = bool(self.value(left, locals))
        match op:
            case "and":
                decided = not first
            case "or":
                decided = first
            case "implies":
                decided = not first
            case _:
                raise AssertionError(f"no rule for the lazy operator {op}")
        return op != "and" if decided else self.value(right, locals)

    def _slot(self, item: Cell | Zone, index: Expr | None, locals: Values) -> int:
        return slot_of(item, None if index is None else self.value(index, locals))

    def _call(self, name: str, args: list[Value]) -> Value:
        function = self.game.functions[name]
        named = {p.name: a for p, a in zip(function.parameters, args, strict=True)}
        return self.value(function.body, named)

    def _each(self, variable: str, domain: Expr, body: Expr, locals: Values) -> dict[int, Value]:
        """The body's value for each element of the domain, in canonical order."""
        inner = dict(locals)
        found: dict[int, Value] = {}
        for element in members(number(self.value(domain, locals))):
            inner[variable] = element
            found[element] = self.value(body, inner)
        return found

    def _bind(self, expr: Bind, locals: Values) -> Value:
        found = self._each(expr.variable, expr.domain, expr.body, locals)
        holding = [element for element, value in found.items() if value]
        match expr.binding:
            case Binding.EVERY:
                return len(holding) == len(found)
            case Binding.SOME:
                return bool(holding)
            case Binding.THOSE:
                return sum(1 << element for element in holding)
            case Binding.THE:
                if len(holding) != 1:
                    raise Undefined(f"`the` found {len(holding)} elements, not exactly one")
                return holding[0]
            case Binding.SUM:
                return sum(number(value) for value in found.values())
            case Binding.TOP:
                return _top({element: number(value) for element, value in found.items()})

    def _first(self, expr: First, locals: Values) -> Value:
        found = self._each(expr.variable, expr.domain, expr.body, locals)
        start = number(self.value(expr.start, locals)) + (1 if expr.after else 0)
        for step in range(self.game.seats):
            seat = (start + step) % self.game.seats
            if found.get(seat):
                return seat
        raise Undefined("`first` found no seat")

    def _matching(self, expr: Matching, locals: Values) -> Value:
        targets = list(members(number(self.value(expr.targets, locals))))
        replies = list(members(number(self.value(expr.replies, locals))))
        inner = dict(locals)
        fits: set[tuple[int, int]] = set()
        for target in targets:
            for reply in replies:
                inner[expr.target], inner[expr.reply] = target, reply
                if self.value(expr.body, inner):
                    fits.add((target, reply))

        def assign(position: int, free: list[int]) -> bool:
            """Can the targets from ``position`` on be given replies from ``free``, each its own?"""
            if position == len(targets):
                return True
            return any(
                (targets[position], reply) in fits and assign(position + 1, [r for r in free if r != reply])
                for reply in free
            )

        return assign(0, replies)


def _entry(table: tuple[Value, ...], key: Value) -> Value:
    position = number(key)
    if position >= len(table):
        raise Undefined(f"a table of {len(table)} entries has none at {position}")
    return table[position]


def _top(values: dict[int, int]) -> int:
    if not values:
        raise Undefined("`top` of an empty set")
    best = max(values.values())
    tops = [element for element, value in values.items() if value == best]
    if len(tops) != 1:
        raise Undefined(f"`top` is not unique: {len(tops)} elements share the greatest value")
    return tops[0]
