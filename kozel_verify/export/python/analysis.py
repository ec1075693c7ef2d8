"""What expressions read and whether they can fail, and the shape of the graph of blocks.

Every answer errs on the safe side: ``reads`` may name too much, ``Facts.total`` may say no too often.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from kozel_verify.model.core import (
    Apply,
    Arrive,
    Bind,
    Binding,
    Branch,
    Call,
    CellRead,
    Const,
    Dead,
    Expr,
    First,
    Game,
    Jump,
    Local,
    Lookup,
    Matching,
    OptionRead,
    Terminator,
    ZoneRead,
)
from kozel_verify.model.types import RangeType, Type, cardinality
from kozel_verify.model.walk import children


@dataclass(frozen=True, slots=True)
class Reads:
    """What the value of an expression may depend on. ``locals`` are its free variables with their types."""

    locals: frozenset[tuple[str, Type]] = frozenset()
    cells: frozenset[str] = frozenset()
    zones: frozenset[str] = frozenset()
    options: frozenset[str] = frozenset()

    def __or__(self, other: "Reads") -> "Reads":
        return Reads(
            self.locals | other.locals,
            self.cells | other.cells,
            self.zones | other.zones,
            self.options | other.options,
        )

    def without(self, *variables: str) -> "Reads":
        kept = frozenset(pair for pair in self.locals if pair[0] not in variables)
        return Reads(kept, self.cells, self.zones, self.options)

    def names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.locals)


@dataclass(slots=True)
class Facts:
    """Facts about the expressions of one game, remembered for its functions."""

    game: Game
    _reads: dict[str, Reads] = field(default_factory=dict)
    _total: dict[str, bool] = field(default_factory=dict)
    _loops: dict[str, bool] = field(default_factory=dict)

    def function_reads(self, name: str) -> Reads:
        """What a function reads besides its parameters."""
        if name not in self._reads:
            function = self.game.functions[name]
            self._reads[name] = self.reads(function.body).without(*(p.name for p in function.parameters))
        return self._reads[name]

    def reads(self, expr: Expr) -> Reads:
        match expr:
            case Local(name, type_):
                return Reads(locals=frozenset({(name, type_)}))
            case OptionRead(name):
                return Reads(options=frozenset({name}))
            case Bind(_, variable, domain, body):
                return self.reads(domain) | self.reads(body).without(variable)
            case First(variable, domain, start, _, body):
                return self.reads(domain) | self.reads(start) | self.reads(body).without(variable)
            case Matching(targets, replies, target, reply, body):
                return self.reads(targets) | self.reads(replies) | self.reads(body).without(target, reply)
            case CellRead(cell):
                own = Reads(cells=frozenset({cell}))
            case ZoneRead(zone):
                own = Reads(zones=frozenset({zone}))
            case Call(function):
                own = self.function_reads(function)
            case _:
                own = Reads()
        for part in children(expr):
            own |= self.reads(part)
        return own

    def total(self, expr: Expr) -> bool:
        """Does the expression have a value whatever its variables, cells, zones and options are?"""
        match expr:
            case Apply("div" | "mod", (dividend, Const(divisor))):
                return divisor != 0 and self.total(dividend)
            case Apply("-" | "div" | "mod" | "only" | "value"):
                return False
            case Bind(Binding.THE | Binding.TOP) | First():
                return False
            case Call(name, args):
                return self._function_total(name) and all(self.total(a) for a in args)
            case Lookup(table, key):
                count = cardinality(key.type)
                last = key.type.hi + 1 if isinstance(key.type, RangeType) else count
                return last is not None and last <= len(table) and self.total(key)
            case _:
                return all(self.total(part) for part in children(expr))

    def _function_total(self, name: str) -> bool:
        if name not in self._total:
            self._total[name] = self.total(self.game.functions[name].body)
        return self._total[name]

    def loops(self, expr: Expr) -> bool:
        """Does the expression hold a binder (also in a function that it calls), so that its value is worth keeping?"""
        if isinstance(expr, Bind | First | Matching):
            return True
        if isinstance(expr, Call):
            if expr.function not in self._loops:
                self._loops[expr.function] = self.loops(self.game.functions[expr.function].body)
            if self._loops[expr.function]:
                return True
        return any(self.loops(part) for part in children(expr))


def called(expr: Expr) -> Iterator[str]:
    """The functions called directly in an expression."""
    if isinstance(expr, Call):
        yield expr.function
    for part in children(expr):
        yield from called(part)


def functions_in_order(game: Game) -> tuple[str, ...]:
    """All functions, each after those that it calls, else in the order of the spec."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in order:
            for other in called(game.functions[name].body):
                visit(other)
            order[name] = None

    for name in game.functions:
        visit(name)
    return tuple(order)


# --- the graph of blocks ---------------------------------------------------------------------------------------------


def successors(end: Terminator) -> tuple[int, ...]:
    match end:
        case Jump(block):
            return (block,)
        case Branch(_, then, otherwise):
            return (then,) if then == otherwise else (then, otherwise)
        case Arrive() | Dead():
            return ()


def reachable(game: Game, entries: tuple[int, ...]) -> tuple[int, ...]:
    """The blocks reached from the entries without passing a node, each before its successors."""
    seen: set[int] = set()
    finished: list[int] = []
    stack: list[tuple[int, bool]] = [(entry, False) for entry in entries]
    while stack:
        block, done = stack.pop()
        if done:
            finished.append(block)
        elif block not in seen:
            seen.add(block)
            stack.append((block, True))
            stack.extend((following, False) for following in successors(game.blocks[block].end))
    return tuple(reversed(finished))


def joins(game: Game, order: tuple[int, ...]) -> dict[int, int | None]:
    """For each block the block where all its ways meet again (its immediate postdominator), or ``None``.

    A way that ends in ``Dead`` does not count: it never comes to an end.
    """
    position = {block: i for i, block in enumerate(order)}
    chain: dict[int, tuple[int, ...] | None] = {}  # block -> the blocks on all ways from it; None: all ways are dead
    for block in reversed(order):
        end = game.blocks[block].end
        ways = [chain[b] for b in successors(end)]
        alive = [way for way in ways if way is not None]
        if isinstance(end, Dead) or (ways and not alive):
            chain[block] = None
        elif not alive:
            chain[block] = (block,)
        else:
            common = set(alive[0]).intersection(*alive[1:])
            chain[block] = (block, *sorted(common, key=position.__getitem__))
    result: dict[int, int | None] = {}
    for block, way in chain.items():
        result[block] = way[1] if way is not None and len(way) > 1 else None
    return result
