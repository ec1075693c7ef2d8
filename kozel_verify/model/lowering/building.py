"""A graph under construction: blocks, nodes, generated cells, and their names."""

from dataclasses import dataclass, field

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Arrive,
    Assign,
    Block,
    Cell,
    CellKind,
    CellRead,
    Const,
    Dead,
    Effect,
    End,
    Expr,
    Function,
    Node,
    OptionRead,
    Terminator,
    Visibility,
)
from kozel_verify.model.expressions import first_value
from kozel_verify.model.graph import walk
from kozel_verify.model.limits import MAX_BLOCKS, MAX_STATEMENTS, Budget, too_large
from kozel_verify.model.scope import Globals, Problem, Problems, Scope
from kozel_verify.model.types import SetType, Type, full_set


@dataclass(slots=True)
class OpenBlock:
    effects: list[Effect] = field(default_factory=list)
    end: Terminator | None = None


@dataclass(frozen=True, slots=True)
class PhaseRun:
    """A phase that is being lowered: where `again` and `leave` go."""

    name: str
    start: int
    exit: int


@dataclass(slots=True)
class Building:
    """Blocks and nodes so far. ``scopes[n]`` are the names that can be used in properties at node ``n``.

    ``current`` is the block to which effects are added; ``None`` where play never comes. ``alone``: a procedure that
    nothing runs is lowered only to find its errors.
    """

    known: Globals
    procedures: dict[str, s.ProcedureOf]
    fresh: dict[str, list[str]]  # phase -> declared cells reset when it is entered
    problems: Problems
    alone: bool = False
    blocks: list[OpenBlock] = field(default_factory=list)
    nodes: list[Node | None] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    cells: dict[str, Cell] = field(default_factory=dict)  # generated ones
    shaping: set[str] = field(default_factory=set)  # options read in the domains of loops and the counts of draws
    deal_nodes: set[int] = field(default_factory=set)
    deal_ends: list[int] = field(default_factory=list)
    deal_runs: list[Span] = field(default_factory=list)
    lowered: set[str] = field(default_factory=set)  # procedures that are run somewhere
    waiting: dict[str, bool] = field(default_factory=dict)  # procedure -> does it ask or draw?
    names: dict[str, int] = field(default_factory=dict)  # how often a path has been used
    path: tuple[str, ...] = ()
    phases: tuple[PhaseRun, ...] = ()
    calls: tuple[str, ...] = ()
    current: int | None = None
    end_node: int | None = None
    work: Budget = field(default_factory=lambda: Budget(MAX_STATEMENTS, f"over {MAX_STATEMENTS:,} statements"))

    def __post_init__(self) -> None:
        self.names = {str(name): 1 for name in self.known.symbols}  # generated cells never take a declared name

    def new_block(self) -> int:
        if len(self.blocks) >= MAX_BLOCKS:
            where = self.procedures[self.calls[-1]].span
            raise SpecError([too_large(where, f"over {MAX_BLOCKS:,} blocks")])
        self.blocks.append(OpenBlock())
        return len(self.blocks) - 1

    def emit(self, effect: Effect) -> None:
        assert self.current is not None
        self.blocks[self.current].effects.append(effect)

    def close(self, end: Terminator) -> None:
        """End the current block, if there is one; afterwards there is none."""
        if self.current is not None:
            self.blocks[self.current].end = end
        self.current = None

    def unique(self, path: str) -> str:
        self.names[path] = self.names.get(path, 0) + 1
        count = self.names[path]
        return path if count == 1 else f"{path}#{count}"

    def new_node(self, name: str, scope: Scope) -> tuple[int, str]:
        full = self.unique(".".join((*self.path, name)))
        self.nodes.append(None)
        self.scopes.append(scope)
        index = len(self.nodes) - 1
        if any(p.name == "deal" for p in self.phases):
            self.deal_nodes.add(index)
        return index, full

    def new_cell(self, name: str, type_: Type, kind: CellKind, span: Span) -> CellRead:
        """A generated cell. The place of a loop is public, everything else hidden."""
        full = self.unique(".".join((*self.path, name)))
        public = kind is CellKind.LOOP
        seen = Visibility("", Const(full_set(self.known.seat) if public else 0, SetType(self.known.seat)))
        self.cells[full] = Cell(full, type_, None, first_value(type_), seen, kind, 0, span)
        return CellRead(full, None, type_, span)

    def assign(self, cell: CellRead, value: Expr, span: Span) -> None:
        self.emit(Assign(cell.cell, None, value, span))

    def settled(self, name: str, value: Expr, span: Span, type_: Type | None = None) -> Expr:
        """The value, evaluated once: itself when constant, else a generated cell that holds it."""
        if isinstance(value, Const):
            return value
        cell = self.new_cell(name, type_ or value.type, CellKind.LET, span)
        self.assign(cell, value, span)
        return cell

    def shapes(self, e: Expr) -> None:
        """Note the options on which the number of rounds of a loop depends."""
        functions = {n: f for n, f in self.known.symbols.items() if isinstance(f, Function)}
        self.shaping |= {x.name for x in walk(e, functions) if isinstance(x, OptionRead)}

    def report(self, problem: Problem) -> None:
        self.problems.add(problem)

    def end(self, span: Span) -> int:
        """The node at which the match is over."""
        if self.end_node is None:
            self.nodes.append(End("end", span))
            self.scopes.append(Scope(self.known))
            self.end_node = len(self.nodes) - 1
        return self.end_node

    def arrive_at_end(self, span: Span) -> None:
        self.close(Arrive(self.end(span)))

    def finished_blocks(self) -> tuple[Block, ...]:
        return tuple(Block(tuple(b.effects), b.end or Dead("unreachable")) for b in self.blocks)
