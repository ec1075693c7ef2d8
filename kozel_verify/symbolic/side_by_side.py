"""Two games as one: the same cells, zones and options, the blocks and nodes of both.

In go two games and which of their functions are known to be equal; out comes a ``Joined``: a game in which the nodes
of B stand behind those of A, so that the edges of both can be asked about from one symbolic state with one evaluator,
or ``Apart`` with the reason why there is no such game. What has the same name and type is the same thing in both;
cells that nobody declared are matched in their order when their names differ. What only B has, or has otherwise, gets
the mark ``(b)``. Bound variables are renamed by depth, so that expressions that are written alike are equal.

Trusted: this renaming, and that functions called equal are.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from kozel_verify.model.core import (
    Announce,
    Apply,
    Arrive,
    Ask,
    Assign,
    Bind,
    Block,
    Branch,
    Call,
    Cell,
    CellKind,
    CellRead,
    Const,
    Dead,
    Draw,
    Effect,
    End,
    Expr,
    First,
    Function,
    Game,
    Gather,
    If,
    Jump,
    Local,
    Lookup,
    Matching,
    Move,
    Node,
    Old,
    OptionDecl,
    OptionRead,
    Rest,
    Revealed,
    Show,
    StateClaim,
    Terminator,
    Verb,
    Visibility,
    ZoneRead,
    ZoneRef,
    slot_count,
)
from kozel_verify.model.shapes import Shapes
from kozel_verify.model.types import Type, Value
from kozel_verify.model.walk import subexpressions

MARK = " (b)"
FREE = object()  # an option that is not settled


@dataclass(frozen=True, slots=True)
class Apart:
    """There is no common game: why."""

    why: str


@dataclass(frozen=True, slots=True)
class Joined:
    """``game``: nodes and blocks of A first (A's numbers are kept), then those of B. ``pairs``: for each node of A the
    node of B with its name, if there is one. ``shared``: the cells that both have. ``first``: the first values in B of
    those that begin with another one there. ``entry``, ``deal_end``,
    ``outcome``, ``gain``, ``loss``, ``cells`` and ``zones`` (who sees them) are those of B, in the names of
    ``game``."""

    game: Game
    nodes: int  # of A
    cell_slots: int  # of A: they come first
    pairs: dict[int, int]
    shared: frozenset[str]
    first: dict[str, Value]
    fixed: dict[str, Value]
    entry: int
    deal_end: int
    outcome: Expr
    gain: Expr
    loss: Expr
    cells: dict[str, Visibility]
    zones: dict[str, Visibility]


class _Renaming:
    """Expressions in the names of the common game. Variables are called by how many are bound outside."""

    def __init__(self, functions: Mapping[str, str], cells: Mapping[str, str], options: Mapping[str, str]) -> None:
        self.functions, self.cells, self.options = functions, cells, options

    def expr(self, expr: Expr, names: Mapping[str, str] | None = None, depth: int = 0) -> Expr:
        names = names or {}

        def part(inner: Expr) -> Expr:
            return self.expr(inner, names, depth)

        def bound(inner: Expr, *variables: str) -> Expr:
            new = {v: f"v{depth + n}" for n, v in enumerate(variables)}
            return self.expr(inner, {**names, **new}, depth + len(variables))

        match expr:
            case Const():
                return expr
            case Local(name, type_, span):
                return Local(names.get(name, name), type_, span)
            case OptionRead(name, type_, span):
                return OptionRead(self.options.get(name, name), type_, span)
            case CellRead(cell, index, type_, span):
                return CellRead(self.cells.get(cell, cell), None if index is None else part(index), type_, span)
            case ZoneRead(zone, index, type_, span):
                return ZoneRead(zone, None if index is None else part(index), type_, span)
            case Apply(op, args, type_, span):
                return Apply(op, tuple(part(a) for a in args), type_, span)
            case Lookup(table, key, type_, span):
                return Lookup(table, part(key), type_, span)
            case If(condition, then, otherwise, type_, span):
                return If(part(condition), part(then), part(otherwise), type_, span)
            case Call(function, args, type_, span):
                return Call(self.functions.get(function, function), tuple(part(a) for a in args), type_, span)
            case Bind(binding, variable, domain, body, type_, span):
                return Bind(binding, f"v{depth}", part(domain), bound(body, variable), type_, span)
            case First(variable, domain, start, after, body, type_, span):
                return First(f"v{depth}", part(domain), part(start), after, bound(body, variable), type_, span)
            case Matching(targets, replies, target, reply, body, type_, span):
                inner = bound(body, target, reply)
                return Matching(part(targets), part(replies), f"v{depth}", f"v{depth + 1}", inner, type_, span)
            case Old(value, type_, span):
                return Old(part(value), type_, span)
            case Revealed(seat, type_, span):
                return Revealed(part(seat), type_, span)

    def function(self, function: Function, name: str) -> Function:
        new = {p.name: f"v{n}" for n, p in enumerate(function.parameters)}
        parameters = tuple(replace(p, name=new[p.name]) for p in function.parameters)
        return replace(function, name=name, parameters=parameters, body=self.expr(function.body, new, len(new)))

    def seen(self, seen: Visibility) -> Visibility:
        names = {seen.variable: "v0"} if seen.variable else {}
        return Visibility("v0" if seen.variable else "", self.expr(seen.seats, names, 1))

    # --- the graph

    def block(self, block: Block, blocks: int, nodes: int) -> Block:
        return Block(tuple(map(self.effect, block.effects)), self.end(block.end, blocks, nodes))

    def end(self, end: Terminator, blocks: int, nodes: int) -> Terminator:
        match end:
            case Jump(block):
                return Jump(block + blocks)
            case Branch(condition, then, otherwise, span):
                return Branch(self.expr(condition), then + blocks, otherwise + blocks, span)
            case Arrive(node):
                return Arrive(node + nodes)
            case Dead():
                return end

    def effect(self, effect: Effect) -> Effect:
        match effect:
            case Assign(cell, index, value, span):
                place = None if index is None else self.expr(index)
                return Assign(self.cells.get(cell, cell), place, self.expr(value), span)
            case Move(cards, source, target, span):
                return Move(self.expr(cards), self.ref(source), self.ref(target), span)
            case Gather(target, span):
                return Gather(self.ref(target), span)
            case Show(cards, to, span):
                return Show(self.expr(cards), self.expr(to), span)
            case Announce(value, to, label, span):
                return Announce(self.expr(value), self.expr(to), label, span)

    def ref(self, ref: ZoneRef) -> ZoneRef:
        return ZoneRef(ref.zone, None if ref.index is None else self.expr(ref.index))

    def node(self, node: Node, blocks: int) -> Node:
        match node:
            case Ask(seat=seat, verbs=verbs):
                return replace(node, seat=self.expr(seat), verbs=tuple(self.verb(v, blocks) for v in verbs))
            case Draw(source=source, target=target, cell=cell, block=block):
                kept = None if cell is None else self.cells.get(cell, cell)
                return replace(node, source=self.ref(source), target=self.ref(target), cell=kept, block=block + blocks)
            case Rest(block=block):
                return replace(node, block=block + blocks)
            case End():
                return node

    def verb(self, verb: Verb, blocks: int) -> Verb:
        names = {p.name: f"v{n}" for n, p in enumerate(verb.parameters)}
        depth = len(names)
        parameters = tuple(
            replace(
                p,
                name=names[p.name],
                cell=self.cells.get(p.cell, p.cell),
                domain=self.expr(p.domain, names, depth),
                lo=None if p.lo is None else self.expr(p.lo, names, depth),
                hi=None if p.hi is None else self.expr(p.hi, names, depth),
            )
            for p in verb.parameters
        )
        return replace(
            verb, parameters=parameters, guard=self.expr(verb.guard, names, depth), block=verb.block + blocks
        )


# --- what is the same -------------------------------------------------------------------------------------------------


def _form(cell: Cell) -> tuple[Type, Type | None, Value, bool]:
    """What must be equal. The first value of a declared cell counts at the match's beginning alone; others are set back
    to theirs again and again."""
    declared = cell.kind is CellKind.DECLARED
    return cell.type, cell.index, None if declared else cell.initial, declared


def _cell_names(a: Game, b: Game) -> dict[str, str]:
    """A name in the common game for each cell of B."""
    names = {c.name: c.name for c in b.cells.values() if c.name in a.cells and _form(a.cells[c.name]) == _form(c)}
    left = [c for c in a.cells.values() if c.name not in names and c.kind is not CellKind.DECLARED]
    for cell in b.cells.values():
        if cell.name not in names and cell.kind is not CellKind.DECLARED:
            twin = next((c for c in left if _form(c) == _form(cell) and c.kind is cell.kind), None)
            if twin is not None:
                names[cell.name] = twin.name
                left.remove(twin)
    return {name: names.get(name, name + MARK) for name in b.cells}


def _option_names(
    a: Game, b: Game, fixed: tuple[Mapping[str, Value], Mapping[str, Value]]
) -> tuple[dict[str, str], dict[str, Value]]:
    """A name in the common game for each option of B, and the options that are constants there."""
    names: dict[str, str] = {}
    constant = {name: value for name, value in fixed[0].items() if name in a.options}
    for name, option in b.options.items():
        same = name in a.options and _values(a.options[name]) == _values(option)
        if same and fixed[0].get(name, FREE) == fixed[1].get(name, FREE):
            names[name] = name
            continue
        names[name] = name + MARK
        constant[names[name]] = fixed[1].get(name, option.default)
        if name in a.options:
            constant.setdefault(name, a.options[name].default)
    for name, option in a.options.items():
        if name not in b.options:
            constant.setdefault(name, option.default)
    return names, constant


def _values(option: OptionDecl) -> tuple[Type, tuple[Value, ...]]:
    return option.type, option.values


def _function_names(
    a: Game, b: Game, equal: Collection[str], cells: Mapping[str, str], options: Mapping[str, str]
) -> dict[str, str]:
    """A name in the common game for each function of B: that of a function of A that is written alike or known to be
    equal and reads nothing that is marked."""
    shapes = Shapes()
    known = {shapes.function(a, name): name for name in reversed(a.functions)}
    names: dict[str, str] = {}
    settled = _Known(b, a, equal)

    def marked(function: str) -> bool:
        return any(
            (isinstance(e, CellRead) and cells.get(e.cell, e.cell) != e.cell)
            or (isinstance(e, OptionRead) and options.get(e.name, e.name) != e.name)
            or (isinstance(e, Call) and marked(e.function))
            for e in subexpressions(b.functions[function].body)
        )

    def alike(function: str) -> str | None:
        if function in equal and function in a.functions:
            return function
        number = shapes.function(settled, function)  # type: ignore[arg-type]
        own = shapes.function(a, function) if function in a.functions else None
        return function if own == number else known.get(number)

    for function in b.functions:
        twin = None if marked(function) else alike(function)
        names[function] = function + MARK if twin is None else twin
    return names


class _Known:
    """B, with functions that are known to be equal written as in A."""

    def __init__(self, b: Game, a: Game, equal: Collection[str]) -> None:
        self.functions = {n: a.functions[n] if n in equal and n in a.functions else f for n, f in b.functions.items()}


# --- the common game --------------------------------------------------------------------------------------------------


def join(
    a: Game,
    b: Game,
    fixed: tuple[Mapping[str, Value], Mapping[str, Value]] = ({}, {}),
    equal: Collection[str] = (),
) -> Joined | Apart:
    """``fixed``: options that are settled on each side; an option that only one side has stands at its default.
    ``equal``: functions of one name that are known to have equal values (or none) on all arguments in all states."""
    if (a.deck, a.pack, a.seats) != (b.deck, b.pack, b.seats):
        return Apart("they are played with different cards or seats")
    zones = {z.name: z.index for z in a.zones.values()}
    if zones != {z.name: z.index for z in b.zones.values()}:
        return Apart("they have different zones")
    if next(iter(a.zones)) != next(iter(b.zones)):
        return Apart("the pack begins in different zones")
    cells = _cell_names(a, b)
    options, constant = _option_names(a, b, fixed)
    functions = _function_names(a, b, equal, cells, options)
    mine, theirs = _Renaming({}, {}, {}), _Renaming(functions, cells, options)
    blocks, nodes = len(a.blocks), len(a.nodes)
    names = {node.name: n for n, node in enumerate(b.nodes)}
    game = replace(
        a,
        options={**a.options, **{options[n]: replace(o, name=options[n]) for n, o in b.options.items()}} | a.options,
        constraints=(*map(mine.expr, a.constraints), *map(theirs.expr, b.constraints)),
        cells=_cells(a, b, cells),
        zones={n: replace(z, seen=mine.seen(z.seen)) for n, z in a.zones.items()},
        functions={
            **{n: mine.function(f, n) for n, f in a.functions.items()},
            **{
                functions[n]: theirs.function(f, functions[n])
                for n, f in b.functions.items()
                if functions[n].endswith(MARK)
            },
        },
        blocks=(*(mine.block(x, 0, 0) for x in a.blocks), *(theirs.block(x, blocks, nodes) for x in b.blocks)),
        nodes=(*(mine.node(n, 0) for n in a.nodes), *(theirs.node(n, blocks) for n in b.nodes)),
        live=(*a.live, *(frozenset(cells[c] for c in live) for live in b.live)),
        outcome=mine.expr(a.outcome),
        gain=mine.expr(a.gain),
        loss=mine.expr(a.loss),
        properties=tuple(p for p in a.properties if isinstance(p, StateClaim)),
    )
    return Joined(
        game,
        nodes,
        a.cell_slots(),
        {n: nodes + names[node.name] for n, node in enumerate(a.nodes) if node.name in names},
        frozenset(c for c in cells.values() if not c.endswith(MARK)),
        {cells[c.name]: c.initial for c in b.cells.values() if c.initial != game.cells[cells[c.name]].initial},
        constant,
        blocks + b.entry,
        nodes + b.deal_end,
        theirs.expr(b.outcome),
        theirs.expr(b.gain),
        theirs.expr(b.loss),
        {cells[c.name]: theirs.seen(c.seen) for c in b.cells.values()},
        {z.name: theirs.seen(z.seen) for z in b.zones.values()},
    )


def _cells(a: Game, b: Game, names: Mapping[str, str]) -> dict[str, Cell]:
    found = {n: replace(c, seen=_Renaming({}, {}, {}).seen(c.seen)) for n, c in a.cells.items()}
    base = a.cell_slots()
    for cell in b.cells.values():
        if names[cell.name] not in found:
            found[names[cell.name]] = replace(cell, name=names[cell.name], base=base)
            base += slot_count(cell.index)
    return found
