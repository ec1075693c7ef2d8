"""Random well-typed functions over the toy game's values, for comparing generated code with the reference."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    CellRead,
    Const,
    Expr,
    First,
    Function,
    Game,
    If,
    Local,
    Lookup,
    Matching,
    OptionRead,
    ZoneRead,
)
from kozel_verify.model.types import BOOL, NAT, OptionalType, RangeType, SetType, Type
from tests.support.toy import CARD, CARDS, DECK, RANK, SEAT, SEATS, SUIT, toy_game

SUITS, SUIT_OR_NONE, SMALL = SetType(SUIT), OptionalType(SUIT), RangeType(0, 6)


class Maker:
    """Makes expressions; ``scope`` holds the variables in reach."""

    def __init__(self, seed: int, functions: dict[str, Function]) -> None:
        self.random = Random(seed)
        self.functions = functions
        self.fresh = 0

    def make(self, type_: Type, depth: int, scope: tuple[Local, ...]) -> Expr:
        ways = [way for of, way in _WAYS if of == type_]
        leaves = [local for local in scope if local.type == type_]
        if leaves and (depth <= 0 or self.random.random() < 0.3):
            return self.random.choice(leaves)
        if depth <= 0:
            return self.leaf(type_)
        return self.random.choice(ways)(self, depth - 1, scope)

    def leaf(self, type_: Type) -> Expr:
        values: dict[Type, list[Expr]] = {
            BOOL: [Const(True, BOOL), Const(False, BOOL), OptionRead("ruffing", BOOL)],
            CARD: [Const(n, CARD) for n in range(6)],
            SUIT: [CellRead("trump", None, SUIT), Const(0, SUIT), Const(1, SUIT)],
            SUIT_OR_NONE: [Const(None, SUIT_OR_NONE), Const(1, SUIT_OR_NONE)],
            RANK: [Const(n, RANK) for n in range(3)],
            SEAT: [CellRead("leader", None, SEAT), Const(1, SEAT)],
            SMALL: [Const(n, SMALL) for n in range(4)],
            NAT: [Const(n, NAT) for n in (0, 1, 3, 11)],
            CARDS: [Const(0b100110, CARDS), Const(0b111111, CARDS), Const(0, CARDS)],
            SUITS: [Const(0b10, SUITS), Const(0b11, SUITS)],
            SEATS: [CellRead("remaining", None, SEATS), Const(0b11, SEATS)],
        }
        return self.random.choice(values[type_])

    def variable(self, type_: Type) -> Local:
        self.fresh += 1
        return Local(self.random.choice("xyv") + str(self.fresh % 3), type_)

    def bind(
        self, binding: Binding, element: Type, result: Type, body: Type, depth: int, scope: tuple[Local, ...]
    ) -> Expr:
        variable = self.variable(element)
        inner = (*(local for local in scope if local.name != variable.name), variable)
        domain = self.make(SetType(element), depth, scope)
        return Bind(binding, variable.name, domain, self.make(body, depth, inner), result)

    def two(self, op: str, of: Type, result: Type, depth: int, scope: tuple[Local, ...]) -> Expr:
        return Apply(op, (self.make(of, depth, scope), self.make(of, depth, scope)), result)

    def matching(self, depth: int, scope: tuple[Local, ...]) -> Expr:
        t, r = Local("t", CARD), Local("r", CARD)
        sets = [self.make(CARDS, depth, scope) for _ in range(2)]
        return Matching(sets[0], sets[1], "t", "r", self.make(BOOL, depth, (*scope, t, r)), BOOL)

    def first(self, depth: int, scope: tuple[Local, ...]) -> Expr:
        s = Local("s", SEAT)
        domain, start = self.make(SEATS, depth, scope), self.make(SEAT, depth, scope)
        body = self.make(BOOL, depth, (*scope, s))
        return First("s", domain, start, self.random.random() < 0.5, body, SEAT)

    def choice(self, of: Type, depth: int, scope: tuple[Local, ...]) -> Expr:
        return If(self.make(BOOL, depth, scope), self.make(of, depth, scope), self.make(of, depth, scope), of)

    def call(self, of: Type, depth: int, scope: tuple[Local, ...]) -> Expr:
        fitting = [f for f in self.functions.values() if f.type == of]
        if not fitting:
            return self.leaf(of)
        function = self.random.choice(fitting)
        return Call(function.name, tuple(self.make(p.type, depth - 1, scope) for p in function.parameters), of)


Scope = tuple[Local, ...]
Way = tuple[Type, Callable[[Maker, int, Scope], Expr]]


def _one(op: str, of: Type, result: Type) -> Way:
    return result, lambda m, d, s: Apply(op, (m.make(of, d, s),), result)


def _two(op: str, of: Type, result: Type) -> Way:
    return result, lambda m, d, s: m.two(op, of, result, d, s)


def _table(of: Type, table: tuple[int, ...], result: Type) -> Way:
    return result, lambda m, d, s: Lookup(table, m.make(of, d, s), result)


def _choice(of: Type) -> Way:
    return of, lambda m, d, s: m.choice(of, d, s)


def _call(of: Type) -> Way:
    return of, lambda m, d, s: m.call(of, d, s)


def _in(of: Type) -> Way:
    return BOOL, lambda m, d, s: Apply("in", (m.make(of, d, s), m.make(SetType(of), d, s)), BOOL)


def _bind(binding: Binding, element: Type, result: Type, body: Type) -> Way:
    return result, lambda m, d, s: m.bind(binding, element, result, body, d, s)


_WAYS: list[Way] = [
    *(_two(op, BOOL, BOOL) for op in ("and", "or", "implies", "==", "!=")),
    _one("not", BOOL, BOOL),
    *(_two("==", of, BOOL) for of in (SUIT, SUIT_OR_NONE, RANK, CARD, CARDS, SEAT, SMALL)),
    *(_two(op, of, BOOL) for op in ("<", "<=", ">", ">=", "!=") for of in (SMALL, NAT)),
    *(_bind(b, CARD, BOOL, BOOL) for b in (Binding.EVERY, Binding.SOME) * 3),
    _bind(Binding.EVERY, SUIT, BOOL, BOOL),
    _bind(Binding.SOME, SEAT, BOOL, BOOL),
    *(_in(of) for of in (CARD, SUIT, SEAT)),
    _two("within", CARDS, BOOL),
    (BOOL, lambda m, d, s: m.matching(d - 1, s)),
    *(_choice(of) for of in (BOOL, CARD, CARDS, NAT, SUIT)),
    *(_call(of) for of in (BOOL, CARDS, NAT, CARD)),
    _bind(Binding.THE, CARD, CARD, BOOL),
    _bind(Binding.TOP, CARD, CARD, NAT),
    _one("only", CARDS, CARD),
    _table(CARD, tuple(DECK.suit(c) for c in range(6)), SUIT),
    _one("value", SUIT_OR_NONE, SUIT),
    _one("some", SUIT, SUIT_OR_NONE),
    _table(CARD, tuple(DECK.rank(c) for c in range(6)), RANK),
    (SEAT, lambda m, d, s: m.first(d - 1, s)),
    _one("size", CARDS, SMALL),
    *(_two(op, SMALL, SMALL) for op in ("min", "max", "-")),
    _table(RANK, (2, 0, 3), SMALL),
    *(_two(op, NAT, NAT) for op in ("+", "*", "-", "div", "mod", "min", "max")),
    _table(RANK, (0, 3, 11), NAT),
    *(_bind(Binding.SUM, CARD, NAT, NAT) for _ in range(2)),
    *(_two(op, CARDS, CARDS) for op in ("union", "intersect", "without")),
    *(_bind(Binding.THOSE, CARD, CARDS, BOOL) for _ in range(4)),
    _one("set", CARD, CARDS),
    (CARDS, lambda m, d, s: ZoneRead("hand", m.make(SEAT, d, s), CARDS)),
    _two("union", SUITS, SUITS),
    _bind(Binding.THOSE, SUIT, SUITS, BOOL),
    _two("set", SEAT, SEATS),
    _bind(Binding.THOSE, SEAT, SEATS, BOOL),
]


def game_with_functions(seed: int, count: int, depth: int, zones: bool = False) -> Game:
    """The toy game with ``count`` random functions beside its own; unless ``zones``, none reads a position."""
    game = toy_game()
    functions = dict(game.functions)
    shapes: list[tuple[tuple[Type, ...], Type]]
    shapes = [((CARD,), BOOL), ((CARD, CARD), BOOL), ((CARDS,), BOOL), ((CARDS,), NAT), ((CARDS, CARD), CARDS)]
    shapes += [((CARDS,), CARD), ((SUIT_OR_NONE, CARDS), BOOL), ((SUITS, CARDS), CARDS), ((SMALL, CARD), BOOL)]
    for number in range(count):
        maker = Maker(seed * 1000 + number, functions)
        types, result = maker.random.choice(shapes)
        parameters = tuple(Local(f"{'xyg'[k]}", type_) for k, type_ in enumerate(types))
        body = maker.make(result, depth, parameters)
        if zones or "ZoneRead" not in repr(body):
            functions[f"f{number}"] = Function(f"f{number}", parameters, body, result)
    return replace(game, functions=functions)
