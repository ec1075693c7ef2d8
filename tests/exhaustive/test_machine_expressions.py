"""Compiled expressions have the reference's values, and are undefined where the reference is."""

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pytest

from kozel_verify.exhaustive import machine_code, machine_expressions
from kozel_verify.exhaustive.machine import FastMachine, Position
from kozel_verify.exhaustive.machine_code import OPERATIONS, Code, operation
from kozel_verify.exhaustive.machine_expressions import Emitter, Scope
from kozel_verify.interpret.evaluate import evaluate
from kozel_verify.interpret.state import State
from kozel_verify.model.core import (
    OUTSIDE,
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
    OptionRead,
    ZoneRead,
)
from kozel_verify.model.operators import OPERATORS, PARTIAL, Undefined
from kozel_verify.model.types import BOOL, NAT, OptionalType, RangeType, SetType, Type, Value, values
from tests.support.toy import CARD, CARDS, DECK, RANK, SEAT, SEATS, SUIT, toy_game

GAME = toy_game()
COUNTS = SetType(RangeType(0, 6))
SUIT_OR_NONE = OptionalType(SUIT)
COMPARED: list[Type] = [BOOL, NAT, CARD, SUIT, SEAT, CARDS, SEATS, SUIT_OR_NONE]
SUITS = tuple(DECK.suit(c) for c in range(6))
RANKS = tuple(DECK.rank(c) for c in range(6))


@dataclass
class Random:
    """Expressions of each type over the toy, with partial operations and bodies undefined for some elements."""

    generator: random.Random
    scope: list[Local] = field(default_factory=list)

    def expr(self, type_: Type, depth: int) -> Expr:
        locals_ = [local for local in self.scope if local.type == type_]
        if locals_ and self.generator.random() < 0.4:
            return self.generator.choice(locals_)
        if depth == 0:
            return self.leaf(type_)
        if self.generator.random() < 0.1:
            return If(self.expr(BOOL, depth - 1), self.expr(type_, depth - 1), self.expr(type_, depth - 1), type_)
        return self.generator.choice(self.forms[str(type_)])(self, depth - 1)

    def leaf(self, type_: Type) -> Expr:
        cells = {"Nat": "", "Bool": "", str(CARD): "turned", str(SUIT): "trump", str(SEAT): "leader"}
        cells |= {str(CARDS): "group", str(SEATS): "remaining"}
        name = cells.get(str(type_), "")
        if name and self.generator.random() < 0.5:
            return CellRead(name, None, type_)
        if type_ == CARDS and self.generator.random() < 0.7:
            return ZoneRead("stock", None, CARDS)
        if type_ == BOOL and self.generator.random() < 0.3:
            return OptionRead("ruffing", BOOL)
        many = range(7) if type_ == NAT else list(values(type_))
        return Const(self.generator.choice(many), type_)

    def apply(self, op: str, type_: Type, depth: int, *types: Type) -> Expr:
        return Apply(op, tuple(self.expr(t, depth) for t in types), type_)

    def bind(self, binding: Binding, of: Type, body: Type, type_: Type, depth: int) -> Expr:
        domain = self.expr(CARDS if of == CARD else SEATS, depth)
        variable = Local(self.generator.choice("uvw"), of)
        return Bind(binding, variable.name, domain, self.within(body, depth, variable), type_)

    def within(self, type_: Type, depth: int, *variables: Local) -> Expr:
        """An expression in which variables are bound, which hide those of the same name."""
        names = {v.name for v in variables}
        outer, self.scope = self.scope, [v for v in self.scope if v.name not in names] + list(variables)
        made = self.expr(type_, depth)
        self.scope = outer
        return made

    def first(self, depth: int) -> Expr:
        body = self.within(BOOL, depth, Local("u", SEAT))
        after = self.generator.random() < 0.5
        return First("u", self.expr(SEATS, depth), self.expr(SEAT, depth), after, body, SEAT)

    def matching(self, depth: int) -> Expr:
        body = self.within(BOOL, depth, Local("v", CARD), Local("w", CARD))
        return Matching(self.expr(CARDS, depth), self.expr(CARDS, depth), "v", "w", body, BOOL)

    def call(self, name: str, depth: int) -> Expr:
        function = GAME.functions[name]
        return Call(name, tuple(self.expr(p.type, depth) for p in function.parameters), function.type)

    def compare(self, depth: int) -> Expr:
        type_ = self.generator.choice(COMPARED)
        return self.apply(self.generator.choice(["==", "!="]), BOOL, depth, type_, type_)

    def lookup(self, depth: int) -> Expr:
        """By rank, or by a number for which the table may have no entry."""
        if self.generator.random() < 0.5:
            return Lookup((1, 0, 2), Lookup(RANKS, self.expr(CARD, depth), RANK), NAT)
        return Lookup((4, 1, 3), self.expr(NAT, depth), NAT)

    def span(self, depth: int) -> Expr:
        bounds = [Apply("min", (self.expr(NAT, depth), Const(6, NAT)), NAT) for _ in "ab"]
        return Apply("span", tuple(bounds), COUNTS)

    forms: "dict[str, list[Callable[[Random, int], Expr]]]" = field(default_factory=lambda: FORMS)


def applied(op: str, type_: Type, *types: Type) -> "Callable[[Random, int], Expr]":
    return lambda r, depth: r.apply(op, type_, depth, *types)


def bound(binding: Binding, of: Type, body: Type, type_: Type) -> "Callable[[Random, int], Expr]":
    return lambda r, depth: r.bind(binding, of, body, type_, depth)


FORMS: dict[str, list[Callable[[Random, int], Expr]]] = {
    "Bool": [
        *(applied(op, BOOL, BOOL, BOOL) for op in ("and", "or", "implies")),
        *(applied(op, BOOL, NAT, NAT) for op in ("<", "<=", ">", ">=")),
        *(bound(b, of, BOOL, BOOL) for b in (Binding.EVERY, Binding.SOME) for of in (CARD, SEAT)),
        applied("not", BOOL, BOOL),
        applied("in", BOOL, CARD, CARDS),
        applied("within", BOOL, CARDS, CARDS),
        lambda r, depth: Apply("in", (r.expr(NAT, depth), r.span(depth)), BOOL),
        lambda r, depth: r.compare(depth),
        lambda r, depth: r.matching(depth),
        *((lambda r, depth, name=name: r.call(name, depth)) for name in ("beats", "captures", "one_suit")),
    ],
    "Nat": [
        *(applied(op, NAT, NAT, NAT) for op in ("+", "-", "*", "div", "mod", "min", "max")),
        applied("size", NAT, CARDS),
        bound(Binding.SUM, CARD, NAT, NAT),
        bound(Binding.SUM, SEAT, NAT, NAT),
        lambda r, depth: r.call("points", depth),
        lambda r, depth: r.lookup(depth),
        lambda r, depth: CellRead("score", r.expr(SEAT, depth), NAT),
    ],
    str(CARD): [
        applied("only", CARD, CARDS),
        bound(Binding.THE, CARD, BOOL, CARD),
        bound(Binding.TOP, CARD, NAT, CARD),
    ],
    str(SUIT): [
        lambda r, depth: Lookup(SUITS, r.expr(CARD, depth), SUIT),
        applied("value", SUIT, SUIT_OR_NONE),
    ],
    str(SUIT_OR_NONE): [applied("some", SUIT_OR_NONE, SUIT), lambda r, depth: Const(None, SUIT_OR_NONE)],
    str(SEAT): [
        applied("only", SEAT, SEATS),
        bound(Binding.TOP, SEAT, NAT, SEAT),
        lambda r, depth: r.first(depth),
    ],
    str(CARDS): [
        *(applied(op, CARDS, CARDS, CARDS) for op in ("union", "intersect", "without")),
        applied("set", CARDS, CARD, CARD),
        bound(Binding.THOSE, CARD, BOOL, CARDS),
        lambda r, depth: ZoneRead("hand", r.expr(SEAT, depth), CARDS),
    ],
    str(SEATS): [
        *(applied(op, SEATS, SEATS, SEATS) for op in ("union", "intersect", "without")),
        applied("set", SEATS, SEAT),
        bound(Binding.THOSE, SEAT, BOOL, SEATS),
    ],
}


def some_state(generator: random.Random) -> State:
    cells: list[Value] = []
    for cell in GAME.cells.values():
        many = range(30) if cell.type == NAT else list(values(cell.type))
        cells += [generator.choice(many) for _ in range(1 if cell.index is None else 2)]
    return State(2, tuple(cells), tuple(generator.choice([OUTSIDE, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6]) for _ in range(6)))


def reference(expr: Expr, options: Mapping[str, Value], state: State) -> Value | str:
    try:
        return evaluate(GAME, options, state, expr, {})
    except Undefined:
        return "undefined"


def compiled(read: Callable[[Position], Value], position: Position) -> Value | str:
    try:
        return read(position)
    except Undefined:
        return "undefined"


def differing(seed: int, count: int, *, stop: bool = False) -> tuple[list[Expr], int, int]:
    """Among so many random expressions, each in three states: those that differ (with ``stop`` only the first), how
    often there was no value, and how many expressions were the same in all three."""
    generator = random.Random(seed)
    machines = {ruffing: FastMachine(GAME, {"ruffing": ruffing}) for ruffing in (False, True)}
    found: list[Expr] = []
    undefined = constant = 0
    for number in range(count):
        type_ = generator.choice(COMPARED)
        expr = Random(generator).expr(type_, generator.randint(1, 4))
        ruffing = number % 2 == 0
        read = machines[ruffing].reader(expr)
        theirs: list[Value | str] = []
        for state in [some_state(generator) for _ in range(3)]:
            theirs.append(reference(expr, {"ruffing": ruffing}, state))
            mine = compiled(read, machines[ruffing].position(state.node, state.cells, state.place))
            if mine != theirs[-1] or type(mine) is not type(theirs[-1]):
                found.append(expr)
        if stop and found:
            break
        undefined += theirs.count("undefined")
        constant += len(set(theirs)) == 1
    return found, undefined, constant


@pytest.mark.parametrize("few", [8, 2])
def test_random_expressions(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """1500 expressions of all types and forms, each in three states, where bodies are written out for all six cards and
    where they are not; a part has no value, a part does not vary."""
    monkeypatch.setattr(machine_expressions, "UNROLLED", few)
    found, undefined, constant = differing(7, 1500)
    assert found == []
    assert 500 < undefined < 2500 and constant < 1100


@pytest.mark.parametrize(
    ("operator", "wrong"),
    [
        ("-", lambda a, b: f"({a} - {b} if {a} > {b} else 0)"),
        ("only", lambda a: f"max(0, ({a} & -{a}).bit_length() - 1)"),
        ("implies", lambda a, b: f"({a} or {b})"),
        ("intersect", lambda a, b: f"({a} | {b})"),
        ("in", lambda e, s: f"({s} >> {e} == 1)"),
    ],
)
def test_a_wrong_operator_is_noticed(monkeypatch: pytest.MonkeyPatch, operator: str, wrong: Callable[..., str]) -> None:
    """Negative control: the random expressions show an operator compiled wrongly, also one that is wrong by a value
    where there is none."""
    monkeypatch.setitem(OPERATIONS, operator, wrong)
    assert differing(7, 1500, stop=True)[0] != []


def below(limit: int) -> Bind:
    """``some u in Seat : limit - score[u] >= 0``, whose body has no value for a greater score."""
    left = Apply("-", (Const(limit, NAT), CellRead("score", Local("u", SEAT), NAT)), NAT)
    return Bind(Binding.SOME, "u", Const(0b11, SEATS), Apply(">=", (left, Const(0, NAT)), BOOL), BOOL)


def with_scores(machine: FastMachine, first: int, second: int) -> Position:
    cells = list(some_state(random.Random(1)).cells)
    base = GAME.cells["score"].base
    cells[base : base + 2] = [first, second]
    return machine.position(2, tuple(cells), (0,) * 6)


def test_a_body_is_defined_for_every_element(monkeypatch: pytest.MonkeyPatch) -> None:
    """A quantifier that its first element decides has no value when a later one has none. Negative control: where the
    subtraction is taken to be total, the code stops early and gives a value."""
    machine = FastMachine(GAME, {"ruffing": True})
    read = machine.reader(below(1))
    assert read(with_scores(machine, 0, 1)) is True
    with pytest.raises(Undefined):
        read(with_scores(machine, 0, 2))
    monkeypatch.setattr(machine_code, "PARTIAL", PARTIAL - {"-"})
    assert machine.reader(below(1))(with_scores(machine, 0, 2)) is True


@pytest.mark.parametrize(("most", "times"), [(5, 2), (6, 7)])
def test_a_body_for_many_elements_is_written_once(monkeypatch: pytest.MonkeyPatch, most: int, times: int) -> None:
    """A body for six cards, whose value is not known of the first of them, is tried for that one and then written for
    all at once. Control: where six are few it is tried for each, and found too long. The cards are the same."""
    monkeypatch.setattr(machine_expressions, "UNROLLED", most)
    monkeypatch.setattr(machine_expressions, "LONG", 0)
    body = Apply("in", (Local("u", CARD), ZoneRead("hand", CellRead("leader", None, SEAT), CARDS)), BOOL)
    looked, code = list[Expr](), Emitter.code

    def noted(emitter: Emitter, expr: Expr, scope: Scope) -> Code:
        looked.append(expr)
        return code(emitter, expr, scope)

    monkeypatch.setattr(Emitter, "code", noted)
    machine = FastMachine(GAME, {"ruffing": True})
    looked.clear()
    read = machine.reader(Bind(Binding.THOSE, "u", Const(0b111111, CARDS), body, CARDS))
    assert looked.count(body) == times
    state = some_state(random.Random(3))
    assert read(machine.position(state.node, state.cells, state.place)) == reference(
        ZoneRead("hand", CellRead("leader", None, SEAT), CARDS), {"ruffing": True}, state
    )


@pytest.mark.parametrize("name", OPERATORS)
def test_every_operator(name: str) -> None:
    """Each operator has code, with the value of the table on a grid of arguments, or none where the table has none."""
    emitter = Emitter(GAME, {"ruffing": True})
    truth = name in ("not", "and", "or", "implies")
    grid: list[Value] = [False, True] if truth else [None, 0, 3] if name in ("some", "value") else [0, 1, 2, 3, 6]
    arity = 3 if OPERATORS[name].arity < 0 else OPERATORS[name].arity
    names = [f"x{n}" for n in range(arity)]
    code = operation(name, *(Code(n, frozenset({(n, 0)})) for n in names))
    function = emitter.namespace[emitter.define(", ".join(names), f"    return {code.text}")]
    assert callable(function)
    for number in range(len(grid) ** arity):
        arguments = [grid[number // len(grid) ** n % len(grid)] for n in range(arity)]
        assert _value(function, arguments) == _value(OPERATORS[name].meaning, arguments)


def _value(meaning: Callable[..., object], arguments: list[Value]) -> object:
    try:
        return meaning(*arguments)
    except Undefined:
        return "undefined"


def test_operators_are_those_of_the_table() -> None:
    """There is one code for each operator, and no other."""
    assert set(OPERATIONS) == set(OPERATORS)
