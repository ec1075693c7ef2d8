"""Pure rules of two games: on which arguments do functions of one name differ?

In go two sides; out comes, for each function that both have with the same parameters, that the rules of either use,
and that is not written alike or reads an option that is settled otherwise, a ``FunctionAnswer``. Where the situations
(arguments, and the cells and options that are read) can all be visited, the numbers are exact and the smallest
difference is the first by number of cards, then in the order of the deck. Groups of cards are those that a choice of
the game can name, the empty one included. For a predicate that is nothing but a matching, pairs of disjoint groups of
equal size are counted (``pairings``). What is larger is put to the solver (``solved``). The smallest difference has
been evaluated by the interpreter.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, product
from math import comb
from typing import cast

from kozel_verify.exhaustive.machine_edges import Edges, loads
from kozel_verify.exhaustive.machine_expressions import EMPTY, Emitter
from kozel_verify.exhaustive.reads import reads_of
from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.evaluate import evaluate
from kozel_verify.interpret.state import State
from kozel_verify.model.core import (
    OUTSIDE,
    Ask,
    Call,
    Const,
    Expr,
    Function,
    Game,
    Local,
    Matching,
    OptionRead,
    slot_count,
)
from kozel_verify.model.operators import Undefined
from kozel_verify.model.rules import rule_expressions
from kozel_verify.model.shapes import Shapes
from kozel_verify.model.types import CardType, SetType, Type, Value, cardinality, members, values
from kozel_verify.model.walk import subexpressions
from kozel_verify.verify.differ.sides import Options, Side, common, converted, free_options
from kozel_verify.verify.option_sets import allows, defaults


class Verdict(Enum):
    COUNTED = "counted"  # every situation was visited
    EQUAL = "equal"  # proved by the solver
    AT_LEAST_ONE = "at least one"  # found by the solver
    OPEN = "not decided"


@dataclass(frozen=True, slots=True)
class Situation:
    """Arguments, with the values of all options on each side and of the cell slots that are read (by name and
    position); what each side makes of it (``None`` where it has no value)."""

    arguments: tuple[Value, ...]
    options: tuple[Options, Options]
    cells: dict[tuple[str, int], Value]
    results: tuple[Value, Value]
    undefined: tuple[bool, bool] = (False, False)


@dataclass(frozen=True, slots=True)
class FunctionAnswer:
    """``differing`` of ``cases`` situations, when they were ``COUNTED``; ``counted`` says what was counted, and
    ``reason`` why something was not. ``own``: the text of the function itself has changed, or it reads such an option
    itself; it is not only what it calls."""

    name: str
    verdict: Verdict
    own: bool
    cases: int = 0
    differing: int = 0
    counted: str = ""
    smallest: Situation | None = None
    reason: str = ""
    whole: bool = False  # what was counted, or what the solver has proved, is the whole domain

    @property
    def equal(self) -> bool:
        """Is it shown that the two are the same on all arguments in all states?"""
        return self.whole and not self.differing

    @property
    def different(self) -> bool:
        return self.smallest is not None


def changed_functions(a: Side, b: Side, shapes: Shapes) -> list[str]:
    """Names of functions of the rules that both have, with parameters of the same types, and that are not written
    alike or read an option that is settled otherwise (functions called included), callees first."""
    games, apart = (a.game, b.game), settled_apart(a, b)
    used = {name for game in games for name in functions_used(game)}
    both = [n for n in a.game.functions if n in b.game.functions and n in used]
    found = [n for n in both if shapes.function(a.game, n) != shapes.function(b.game, n) or _reads(games, n) & apart]
    alike = [n for n in found if _types(a.game.functions[n]) == _types(b.game.functions[n])]
    return sorted(alike, key=lambda n: (_depth(a.game, n), n))


def settled_apart(a: Side, b: Side) -> frozenset[str]:
    """The options of both games that somebody has settled, and that do not have the same value on both sides."""
    found = set[str]()
    for name in {*a.fixed, *b.fixed}:
        if name in a.game.options and name in b.game.options:
            values_ = [
                common(side.fixed.get(name, side.game.options[name].default), side.game.options[name].type)
                for side in (a, b)
            ]
            if values_[0] != values_[1]:
                found.add(name)
    return frozenset(found)


def _reads(games: Sequence[Game], name: str) -> frozenset[str]:
    """The options that a function reads in either game, also through the functions that it calls."""
    return frozenset().union(*(reads_of(game, [game.functions[name].body]).options for game in games))


def _types(function: Function) -> tuple[Type, ...]:
    return tuple(p.type for p in function.parameters)


def _depth(game: Game, name: str) -> int:
    called = {e.function for e in subexpressions(game.functions[name].body) if isinstance(e, Call)}
    return 1 + max((_depth(game, c) for c in called), default=0)


def functions_used(game: Game) -> frozenset[str]:
    """The functions that the rules come to."""
    found: set[str] = set()
    todo = list(rule_expressions(game))
    while todo:
        for expr in subexpressions(todo.pop()):
            if isinstance(expr, Call) and expr.function not in found:
                found.add(expr.function)
                todo.append(game.functions[expr.function].body)
    return frozenset(found)


def own_change(a: Side, b: Side, name: str, shapes: Shapes) -> bool:
    """Is the function's own text another one, or does it read an option that is settled otherwise? The functions called
    are taken by name alone."""
    bodies, apart = [], settled_apart(a, b)
    for game in (a.game, b.game):
        function = game.functions[name]
        if any(isinstance(part, OptionRead) and part.name in apart for part in subexpressions(function.body)):
            return True
        hollow = {n: Function(f.name, f.parameters, Const(n, f.type), f.type) for n, f in game.functions.items()}  # type: ignore[arg-type]
        shell = _Shell(game, hollow)
        bodies.append(shapes.of(shell, function.body, {p.name: k for k, p in enumerate(function.parameters)}))  # type: ignore[arg-type]
    return bodies[0] != bodies[1]


class _Shell:
    """A game whose functions are nothing but their names."""

    def __init__(self, game: Game, functions: dict[str, Function]) -> None:
        self.game, self.functions = game, functions


# --- the domain -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """Where a function is evaluated: options of each side, cell slots by name and position."""

    options: tuple[Options, Options]
    cells: dict[tuple[str, int], Value]


class TooLarge(Exception):
    """The situations cannot all be visited; the text says why."""


def group_limit(a: Game, b: Game) -> int:
    """The largest group that a choice of either game can name, as far as bounds are constants; else 4."""
    bounds = [
        int(p.hi.value)
        for game in (a, b)
        for node in game.nodes
        if isinstance(node, Ask)
        for verb in node.verbs
        for p in verb.parameters
        if isinstance(p.hi, Const) and p.hi.value is not None
    ]
    return max(bounds, default=4)


def places(a: Side, b: Side, names: Sequence[str]) -> list[Place]:
    """Every value of the options and cells that functions of these names read on either side. Raises ``TooLarge``."""
    reads = [reads_of(side.game, [side.game.functions[n].body for n in names]) for side in (a, b)]
    zones = sorted(reads[0].zones | reads[1].zones)
    if zones:
        raise TooLarge(f"it reads the zone `{zones[0]}`")
    slots: list[tuple[str, int, Type]] = []
    for name in sorted(reads[0].cells | reads[1].cells):
        cells = a.game.cells.get(name), b.game.cells.get(name)
        if cells[0] is None or cells[1] is None or (cells[0].type, cells[0].index) != (cells[1].type, cells[1].index):
            raise TooLarge(f"it reads `{name}`, which is not the same cell on both sides")
        if cardinality(cells[0].type) is None:
            raise TooLarge(f"`{name}` has no greatest value")
        slots += [(name, n, cells[0].type) for n in range(slot_count(cells[0].index))]
    size = 1
    for _, _, type_ in slots:
        size *= cardinality(type_) or 1
    if size > 10_000:
        raise TooLarge(f"the cells it reads have {size:,} values")
    keys = [(name, n) for name, n, _ in slots]
    rows = product(*(tuple(values(type_)) for *_, type_ in slots))
    contents = [dict(zip(keys, row, strict=True)) for row in rows]
    chosen = _options(a, b, reads[0].options | reads[1].options)
    return [Place(options, cells) for options in chosen for cells in contents]


def _options(a: Side, b: Side, names: frozenset[str]) -> list[tuple[Options, Options]]:
    """All values of the free options that are read, on both sides alike; the others as they stand."""
    own = defaults(a.game) | dict(a.fixed), defaults(b.game) | dict(b.fixed)
    varied = [o for o in free_options(a.game, b.game, (a.fixed, b.fixed)) if o.name in names]
    found = []
    for chosen in product(*((o.default, *(v for v in o.values if v != o.default)) for o in varied)):
        mine = {o.name: v for o, v in zip(varied, chosen, strict=True)}
        theirs = {
            o.name: converted(v, o.type, b.game.options[o.name].type) for o, v in zip(varied, chosen, strict=True)
        }
        if allows(a.game, own[0] | mine) and allows(b.game, own[1] | theirs):
            found.append((own[0] | mine, own[1] | theirs))
    return found


def arguments(game: Game, type_: Type, largest: int) -> tuple[int, Callable[[], Iterator[Value]]]:
    """How many values an argument has, and the values: cards of the deck, groups by size, all values of other types.
    Raises ``TooLarge``."""
    cards = tuple(range(len(game.deck)))
    match type_:
        case CardType():
            return len(cards), lambda: iter(cards)
        case SetType(CardType()):
            top = min(largest, len(cards))
            number = sum(comb(len(cards), k) for k in range(top + 1))
            return number, lambda: (sum(1 << c for c in g) for k in range(top + 1) for g in combinations(cards, k))
        case _:
            size = cardinality(type_)
            if size is None:
                raise TooLarge(f"a `{type_}` has no greatest value")
            return size, lambda: values(type_)


# --- counting ---------------------------------------------------------------------------------------------------------


def counted(a: Side, b: Side, name: str, own: bool, limit: int) -> FunctionAnswer:
    """Every situation visited. Raises ``TooLarge`` when they are more than ``limit``."""
    game, function = a.game, a.game.functions[name]
    largest = group_limit(a.game, b.game)
    domains = [arguments(game, p.type, largest) for p in function.parameters]
    found = places(a, b, [name])
    size = len(found)
    for number, _ in domains:
        size *= number
    if size > limit:
        raise TooLarge(f"{size:,} situations")
    cases = differing = 0
    best: tuple[tuple[int, ...], Place, tuple[Value, ...]] | None = None
    for place in found:
        pair = compiled(a.game, name, place.options[0]), compiled(b.game, name, place.options[1])
        slots = cells_of(a.game, place), cells_of(b.game, place)
        for row in product(*(make() for _, make in domains)):
            cases += 1
            if pair[0](slots[0], row) != pair[1](slots[1], row):
                differing += 1
                key = _order(function, row)
                if best is None or key < best[0]:
                    best = key, place, row
    smallest = None if best is None else situation(a.game, b.game, name, best[1], best[2])
    groups = any(isinstance(p.type, SetType) and isinstance(p.type.of, CardType) for p in function.parameters)
    text = f"groups of up to {largest} cards" if groups else "all arguments"
    text += under(found)
    return FunctionAnswer(name, Verdict.COUNTED, own, cases, differing, text, smallest, whole=not groups)


def under(found: Sequence[Place]) -> str:
    """The cells and options whose values are among what is counted, as the end of a phrase."""
    cells = dict.fromkeys(name for place in found for name, _ in place.cells)
    options = [n for n in found[0].options[0] if len({p.options[0][n] for p in found}) > 1] if found else []
    names = [*cells, *options]
    return f", all values of {' and '.join(names)}" if names else ""


def _order(function: Function, row: Sequence[Value]) -> tuple[int, ...]:
    """Different cards before the same card twice, then fewest cards, then in the order of the deck."""
    cards, rest = 0, []
    single = [v for p, v in zip(function.parameters, row, strict=True) if isinstance(p.type, CardType)]
    for p, value in zip(function.parameters, row, strict=True):
        number = -1 if value is None else int(value)
        if isinstance(p.type, SetType) and isinstance(p.type.of, CardType):
            cards += number.bit_count()
            rest += list(members(number))
        else:
            rest.append(number)
    return len(single) - len(set(single)), cards, *rest


Answer = Callable[[list[Value], Sequence[Value]], object]


def compiled(game: Game, name: str, options: Options) -> Answer:
    """A function as code: of the values of all cell slots and of its arguments. Where it has no value the answer is
    the text ``undefined``, which is no value in the common form."""
    function = game.functions[name]
    return _compiled(game, options, function.parameters, function.body)


def compiled_body(game: Game, matching: Matching, options: Options) -> Answer:
    """The predicate of a matching, of (target, reply)."""
    card = CardType(len(game.deck))
    pair = Local(matching.target, card), Local(matching.reply, card)
    return _compiled(game, options, pair, matching.body)


def _compiled(game: Game, options: Options, parameters: Sequence[Local], body: Expr) -> Answer:
    emitter, scope, variables = Emitter(game, options), EMPTY, []
    for p in parameters:
        scope, variable = scope.variable(p.name, p.type)
        variables.append(variable.text)
    code = emitter.code(body, scope)
    unpacked = [f"({', '.join(variables)},) = a"] if variables else []
    lines = [*unpacked, *loads(code.uses), f"return {code.text}"]
    made = cast(Callable[..., Value], Edges(emitter).function("c, z, a", lines))
    zones: list[int] = [0] * game.zone_slots()

    def value(cells: list[Value], row: Sequence[Value]) -> object:
        try:
            return common(made(cells, zones, row), body.type)
        except Undefined:
            return "undefined"

    return value


def cells_of(game: Game, place: Place) -> list[Value]:
    """A value for each cell slot: that of the place, else the first one."""
    found: list[Value] = []
    for cell in game.cells.values():
        found += [place.cells.get((cell.name, n), cell.initial) for n in range(slot_count(cell.index))]
    return found


def situation(a: Game, b: Game, name: str, place: Place, row: Sequence[Value]) -> Situation:
    """What the interpreter makes of a situation on both sides."""
    results: list[Value] = []
    undefined: list[bool] = []
    for game, options in zip((a, b), place.options, strict=True):
        state = State(0, tuple(cells_of(game, place)), (OUTSIDE,) * len(game.deck))
        function = game.functions[name]
        named = {p.name: v for p, v in zip(function.parameters, row, strict=True)}
        try:
            results.append(evaluate(game, options, state, function.body, named))
            undefined.append(False)
        except NotWellDefined:
            results.append(None)
            undefined.append(True)
    return Situation(tuple(row), place.options, place.cells, (results[0], results[1]), (undefined[0], undefined[1]))
