"""Statements to the process graph.

Procedures are inlined; loops without a decision are unrolled; the variables of the other loops, `let`s and the
arguments of choices become generated cells. A node's name is its path: the procedures it stands in, and its own name.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span
from kozel_verify.model import core
from kozel_verify.model.core import (
    Announce,
    Apply,
    Arrive,
    Ask,
    Assign,
    Bind,
    Binding,
    Block,
    Branch,
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
    Gather,
    Jump,
    Local,
    Lookup,
    Move,
    Node,
    Parameter,
    Rest,
    Show,
    Terminator,
    Verb,
    Visibility,
    ZoneRef,
)
from kozel_verify.model.expressions import (
    any_set,
    cards,
    check,
    circle,
    first_value,
    infer,
    number,
    predicate,
    seats,
    type_of,
)
from kozel_verify.model.fold import folded
from kozel_verify.model.scope import Globals, Problem, Scope, unknown_name
from kozel_verify.model.types import (
    BOOL,
    NAT,
    EnumType,
    RangeType,
    SeatType,
    SetType,
    SuitType,
    Type,
    element_indices,
    full_set,
    members,
)


@dataclass(slots=True)
class _OpenBlock:
    effects: list[Effect] = field(default_factory=list)
    end: Terminator | None = None


@dataclass(frozen=True, slots=True)
class _Phase:
    name: str
    start: int
    exit: int


@dataclass(slots=True)
class Lowering:
    """Builds blocks and nodes. ``scopes[n]`` are the names that can be used in properties at node ``n``."""

    known: Globals
    procedures: dict[str, s.ProcedureOf]
    fresh: dict[str, list[str]]  # phase -> declared cells reset when it is entered
    problems: list[Diagnostic]
    blocks: list[_OpenBlock] = field(default_factory=list)
    nodes: list[Node | None] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    cells: dict[str, Cell] = field(default_factory=dict)  # generated ones
    deal_nodes: set[int] = field(default_factory=set)
    deal_ends: list[int] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)  # how often a path has been used
    path: tuple[str, ...] = ()
    phases: tuple[_Phase, ...] = ()
    calls: tuple[str, ...] = ()
    current: int | None = None
    end_node: int | None = None

    # --- blocks and nodes --------------------------------------------------------------------------------------------

    def new_block(self) -> int:
        self.blocks.append(_OpenBlock())
        return len(self.blocks) - 1

    def emit(self, effect: Effect) -> None:
        assert self.current is not None
        self.blocks[self.current].effects.append(effect)

    def close(self, end: Terminator) -> None:
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
        full = self.unique(".".join((*self.path, name)))
        public = kind is CellKind.LOOP
        seen = Visibility("", Const(full_set(self.known.seat) if public else 0, SetType(self.known.seat)))
        self.cells[full] = Cell(full, type_, None, first_value(type_), seen, kind, 0, span)
        return CellRead(full, None, type_, span)

    def assign(self, cell: CellRead, value: Expr, span: Span) -> None:
        self.emit(Assign(cell.cell, None, value, span))

    # --- statements --------------------------------------------------------------------------------------------------

    def block(self, block: s.BlockOf, scope: Scope) -> None:
        """Lower a block into the current one; ``current`` is ``None`` after it when it never comes to its end."""
        for statement in block.statements:
            if self.current is None:
                self.report(Problem("unreachable", statement.span, "nothing comes to this statement"))
                return
            try:
                scope = self.statement(statement, scope)
            except Problem as problem:
                self.report(problem)
                if isinstance(statement, s.Let):  # go on as if it had a value, so that its uses are no errors
                    return

    def report(self, problem: Problem) -> None:
        if problem.diagnostic not in self.problems:
            self.problems.append(problem.diagnostic)

    def statement(self, statement: s.Statement, scope: Scope) -> Scope:
        match statement:
            case s.Let(name, value, span):
                return self.let(name, infer(value, scope), scope, span)
            case s.AssignTo():
                self.assignment(statement, scope)
            case s.MoveCards(group, source, target, span):
                moved = cards(group, scope)
                self.emit(Move(moved, self.zone(source, scope), self.zone(target, scope), span))
            case s.GatherPack(target, span):
                self.emit(Gather(self.zone(target, scope), span))
            case s.ShowCards(group, to, span):
                self.emit(Show(cards(group, scope), seats(to, scope), span))
            case s.AnnounceValue(value, label, to, span):
                everybody = Const(full_set(self.known.seat), SetType(self.known.seat), span)
                addressed = everybody if to is None else seats(to, scope)
                self.emit(Announce(infer(value, scope), addressed, label or "", span))
            case s.DrawCards():
                return self.draw(statement, scope)
            case s.AskSeat():
                self.ask(statement, scope)
            case s.ForEach():
                self.for_each(statement, scope)
            case s.Repeat(block, until, _):
                self.repeat(block, until, scope)
            case s.While(condition, block, _):
                self.while_(condition, block, scope)
            case s.IfElse(condition, then, otherwise, span):
                self.if_(predicate(condition, scope), then, otherwise, scope, span)
            case s.Run():
                self.run(statement, scope)
            case s.Leave(name, span):
                self.close(Jump(self.phase(name, span).exit))
            case s.Again(name, span):
                self.close(Jump(self.phase(name, span).start))
            case s.EndMatch(span):
                self.close(Arrive(self.end(scope, span)))
            case s.DeadClause(name, span):
                self.close(Dead(name, span))
        return scope

    def let(self, name: str, value: Expr, scope: Scope, span: Span) -> Scope:
        if isinstance(value, Const):
            return scope.bind(name, value, span)
        cell = self.new_cell(name, value.type, CellKind.LET, span)
        inner = scope.bind(name, cell, span)
        self.assign(cell, value, span)
        return inner

    def assignment(self, a: s.AssignTo, scope: Scope) -> None:
        cell = self.known.symbols.get(a.name)
        if not isinstance(cell, Cell):
            if a.name in scope.locals or a.name in self.known.symbols:
                raise Problem("not-a-cell", a.span, f"`{a.name}` cannot be assigned to", "only `state` can")
            raise unknown_name(a.name, a.span, scope)
        if (cell.index is None) != (a.index is None):
            raise Problem("type", a.span, f"`{a.name}` {'takes no' if cell.index is None else 'needs an'} index")
        index = None if a.index is None or cell.index is None else check(a.index, cell.index, scope)
        if a.added:
            added = number(a.value, scope)
            before = CellRead(a.name, index, cell.type, a.span)
            value: Expr = Apply("+", (before, added), _sum(cell.type, added.type), a.span)
        else:
            value = check(a.value, cell.type, scope)
        self.emit(Assign(a.name, index, value, a.span))

    def zone(self, place: s.PlaceName, scope: Scope) -> ZoneRef:
        zone = self.known.symbols.get(place.name)
        if not isinstance(zone, core.Zone):
            if place.name in self.known.symbols or place.name in scope.locals:
                raise Problem("not-a-zone", place.span, f"`{place.name}` is not a zone")
            raise unknown_name(place.name, place.span, scope)
        if (zone.index is None) != (place.index is None):
            raise Problem(
                "type", place.span, f"`{place.name}` {'takes no' if zone.index is None else 'needs an'} index"
            )
        index = None if place.index is None or zone.index is None else check(place.index, zone.index, scope)
        return ZoneRef(place.name, index)

    # --- chance and choices ------------------------------------------------------------------------------------------

    def draw(self, d: s.DrawCards, scope: Scope) -> Scope:
        count = number(d.count, scope)
        if isinstance(count, Const) and count.value == 1:
            return self.draw_one(d, scope)
        if d.name is not None:
            raise Problem("draw", d.span, "`as` names the card of `draw 1`", "draw the cards one by one")
        if not isinstance(count.type, RangeType):
            raise Problem("draw", d.count.span, "a draw needs a bound on its number of cards")
        one = Const(1, RangeType(1, 1), d.span)
        of = RangeType(1, max(1, count.type.hi))
        domain = folded(Apply("span", (one, count), SetType(of), d.span))
        variable, rest = self.loop_cells("draw_left", of, d.span)
        self.assign(rest, domain, d.span)
        self.loop(variable, rest, self.lowest(rest, of, d.span), lambda: self.draw_one(d, scope), d.span)
        return scope

    def draw_one(self, d: s.DrawCards, scope: Scope) -> Scope:
        source, target = self.zone(d.source, scope), self.zone(d.target, scope)
        node, name = self.new_node(d.node or "draw", scope)
        cell = None
        inner = scope
        if d.name is not None:
            cell = self.new_cell(d.name, self.known.card, CellKind.LET, d.span)
            inner = scope.bind(d.name, cell, d.span)
        self.close(Arrive(node))
        after = self.new_block()
        self.nodes[node] = Draw(name, source, target, None if cell is None else cell.cell, after, d.span)
        self.current = after
        return inner

    def ask(self, a: s.AskSeat, scope: Scope) -> None:
        seat = check(a.seat, self.known.seat, scope)
        node, name = self.new_node(a.node, scope)
        self.close(Arrive(node))
        join = self.new_block()
        verbs = tuple(self.verb(v, name, scope, join) for v in a.verbs)
        seen: set[str] = set()
        for v in a.verbs:
            if v.name in seen:
                raise Problem("clash", v.span, f"`{v.name}` is there twice", "give each verb its own name")
            seen.add(v.name)
        self.nodes[node] = Ask(name, seat, a.secret, verbs, a.span)
        self.current = join

    def verb(self, v: s.VerbOf, node: str, scope: Scope, join: int) -> Verb:
        path = self.path
        inner, body_scope = scope, scope
        parameters: list[Parameter] = []
        for b in v.bindings:
            parameter = self.binding(b, inner)
            self.path = (*path, node.rsplit(".", 1)[-1], v.name)
            cell = self.new_cell(b.name, parameter.type, CellKind.CHOICE, b.span)
            self.path = path
            parameters.append(replace(parameter, cell=cell.cell))
            inner = inner.bind(b.name, Local(b.name, parameter.type, b.span), b.span)
            body_scope = body_scope.bind(b.name, cell, b.span)
        guard = Const(True, BOOL, v.span) if v.guard is None else predicate(v.guard, inner)
        start = self.new_block()
        self.current = start
        self.block(v.block, body_scope)
        self.close(Jump(join))
        return Verb(v.name, tuple(parameters), guard, start, v.span)

    def binding(self, b: s.BindingOf, scope: Scope) -> Parameter:
        return binding_parameter(b, scope)

    # --- control -----------------------------------------------------------------------------------------------------

    def if_(self, condition: Expr, then: s.BlockOf, otherwise: s.BlockOf | None, scope: Scope, span: Span) -> None:
        yes, no, join = self.new_block(), self.new_block(), self.new_block()
        self.close(Branch(condition, yes, no, span))
        came = False
        for start, block in ((yes, then), (no, otherwise)):
            self.current = start
            if block is not None:
                self.block(block, scope)
            came = came or self.current is not None
            self.close(Jump(join))
        self.current = join if came else None
        if not came:
            self.blocks[join].end = Jump(join)  # dropped as unreachable

    def repeat(self, block: s.BlockOf, until: s.Expression, scope: Scope) -> None:
        head, exit_ = self.new_block(), self.new_block()
        self.close(Jump(head))
        self.current = head
        self.block(block, scope)
        if self.current is not None:
            self.close(Branch(predicate(until, scope), exit_, head, until.span))
        self.current = exit_

    def while_(self, condition: s.Expression, block: s.BlockOf, scope: Scope) -> None:
        head, body, exit_ = self.new_block(), self.new_block(), self.new_block()
        self.close(Jump(head))
        self.current = head
        self.close(Branch(predicate(condition, scope), body, exit_, condition.span))
        self.current = body
        self.block(block, scope)
        self.close(Jump(head))
        self.current = exit_

    def loop_cells(self, name: str, of: Type, span: Span) -> tuple[CellRead, CellRead]:
        variable = self.new_cell(name, of, CellKind.LOOP, span)
        rest = self.new_cell(f"{name}_unserved", SetType(of), CellKind.LOOP, span)
        return variable, rest

    def lowest(self, rest: CellRead, of: Type, span: Span) -> Expr:
        """The first element of a set in canonical order; undefined for the empty set."""
        indices = element_indices(of)
        table: tuple[int, ...] = tuple(indices.stop - i for i in range(indices.stop))
        key = Lookup(table, Local("element", of), RangeType(1, indices.stop), span)
        return Bind(Binding.TOP, "element", rest, key, of, span)

    def loop(self, variable: CellRead, rest: CellRead, following: Expr, body: Callable[[], object], span: Span) -> None:
        """Take the next element out of ``rest``, run the body, until ``rest`` is empty.

        It begins with an element: a loop that asks or draws is not well defined for an empty domain. So there is a
        decision in every round of every loop, also where loops are nested.
        """
        head, exit_ = self.new_block(), self.new_block()
        self.close(Jump(head))
        self.current = head
        self.assign(variable, following, span)
        taken = Apply("set", (variable,), rest.type, span)
        self.assign(rest, Apply("without", (rest, taken), rest.type, span), span)
        body()
        empty = Apply("==", (rest, Const(0, rest.type, span)), BOOL, span)
        self.close(Branch(empty, exit_, head, span))
        self.current = exit_

    def for_each(self, f: s.ForEach, scope: Scope) -> None:
        domain = any_set(f.domain, scope)
        of: Type = domain.type.of  # type: ignore[union-attr]
        if not isinstance(of, RangeType | EnumType | SeatType | SuitType):
            hint = "the order of cards would be an unwritten rule; say what is to be done with a quantifier"
            raise Problem("loop-domain", f.domain.span, f"a loop cannot run over values of {of}", hint)
        start = None if f.circle is None else circle(f.circle, scope)
        if start is not None and not isinstance(of, SeatType):
            raise Problem("loop-domain", f.domain.span, "only seats go clockwise")
        if self.waits(f.block):
            self.waiting_loop(f, domain, of, start, scope)
        elif start is None:
            self.unrolled_loop(f, domain, of, scope)
        else:
            self.unrolled_circle(f, domain, start, scope)

    def waiting_loop(self, f: s.ForEach, domain: Expr, of: Type, start: Expr | None, scope: Scope) -> None:
        start = None if start is None else self.settled(f"{f.name}_start", start, f.span)
        variable, rest = self.loop_cells(f.name, of, f.span)
        self.assign(rest, domain, f.span)
        if start is None or f.circle is None:
            following: Expr = self.lowest(rest, of, f.span)
        else:
            always = Const(True, BOOL, f.span)
            following = First(f.name, rest, start, f.circle.after, always, of, f.span)
        inner = scope.bind_loop(f.name, variable, rest, f.span)
        self.loop(variable, rest, following, lambda: self.block(f.block, inner), f.span)

    def unrolled_loop(self, f: s.ForEach, domain: Expr, of: Type, scope: Scope) -> None:
        if isinstance(domain, Const):
            for i in members(int(domain.value or 0)):
                if self.current is None:
                    return
                self.block(f.block, scope.bind(f.name, Const(i, of, f.span), f.span))
            return
        snapshot = self.settled(f.name, domain, f.span)
        for i in element_indices(of):
            if self.current is None:
                return
            element = Const(i, of, f.span)
            inside = Apply("in", (element, snapshot), BOOL, f.span)
            self.if_(inside, f.block, None, scope.bind(f.name, element, f.span), f.span)

    def unrolled_circle(self, f: s.ForEach, domain: Expr, start: Expr, scope: Scope) -> None:
        n, seat = self.known.seats, self.known.seat
        start = self.settled(f"{f.name}_start", start, f.span)
        snapshot = self.settled(f"{f.name}_domain", domain, f.span)
        offset = 1 if f.circle is not None and f.circle.after else 0
        for step in range(n):
            if self.current is None:
                return
            table = tuple((i + step + offset) % n for i in range(n))
            turn = folded(Lookup(table, start, seat, f.span))
            here = self.settled(f.name, turn, f.span)
            inside = folded(Apply("in", (here, snapshot), BOOL, f.span))
            self.if_(inside, f.block, None, scope.bind(f.name, here, f.span), f.span)

    def settled(self, name: str, value: Expr, span: Span) -> Expr:
        """The value, evaluated once: itself when constant, else a generated cell that holds it."""
        if isinstance(value, Const):
            return value
        cell = self.new_cell(name, value.type, CellKind.LET, span)
        self.assign(cell, value, span)
        return cell

    def waits(self, block: s.BlockOf, seen: tuple[str, ...] = ()) -> bool:
        """Does anything in the block ask, draw or leave (so that it cannot be unrolled)?"""
        for x in block.statements:
            match x:
                case s.AskSeat() | s.DrawCards():
                    return True
                case s.Run(name) if name in self.procedures and name not in seen:
                    if self.waits(self.procedures[name].block, (*seen, name)):
                        return True
                case s.IfElse(_, then, otherwise):
                    if self.waits(then, seen) or (otherwise is not None and self.waits(otherwise, seen)):
                        return True
                case s.ForEach() | s.Repeat() | s.While() if self.waits(x.block, seen):
                    return True
                case _:
                    pass
        return False

    # --- procedures and phases ---------------------------------------------------------------------------------------

    def run(self, r: s.Run, scope: Scope) -> None:
        procedure = self.procedures.get(r.name)
        if procedure is None:
            raise unknown_name(r.name, r.span, Scope(self.known))
        if r.name in self.calls:
            raise Problem("recursion", r.span, f"`{r.name}` runs itself", "use `again` for a phase, or a loop")
        if len(r.arguments) != len(procedure.parameters):
            wanted = len(procedure.parameters)
            raise Problem("arguments", r.span, f"`{r.name}` takes {wanted} arguments, not {len(r.arguments)}")
        inner = Scope(self.known)
        before = (self.path, self.calls)
        values = [
            check(a, type_of(p.type, scope), scope) for a, p in zip(r.arguments, procedure.parameters, strict=True)
        ]
        self.path = (*self.path, r.name) if r.name != "match" else self.path
        self.calls = (*self.calls, r.name)
        for p, value in zip(procedure.parameters, values, strict=True):
            inner = inner.bind(p.name, self.argument(p, value), p.span)
        inner = replace(inner, unserved=scope.unserved)
        if procedure.phase:
            self.run_phase(procedure, inner)
        else:
            self.block(procedure.block, inner)
        self.path, self.calls = before

    def argument(self, p: s.ParameterOf, value: Expr) -> Expr:
        """A parameter by value; generated cells around the call do not change while it runs."""
        if isinstance(value, CellRead) and value.cell in self.cells and value.index is None:
            return value
        return self.settled(p.name, value, p.span)

    def run_phase(self, procedure: s.ProcedureOf, scope: Scope) -> None:
        for name in self.fresh.get(procedure.name, ()):
            self.reset(name, procedure.span)
        start, exit_ = self.new_block(), self.new_block()
        self.close(Jump(start))
        outer = self.phases
        self.phases = (*outer, _Phase(procedure.name, start, exit_))
        self.current = start
        self.block(procedure.block, scope)
        self.close(Jump(exit_))
        self.current = exit_
        if procedure.name == "deal":
            self.rest(procedure, scope)
        self.phases = outer

    def reset(self, name: str, span: Span) -> None:
        cell = self.known.symbols[name]
        assert isinstance(cell, Cell)
        initial = Const(cell.initial, cell.type, span)
        if cell.index is None:
            self.emit(Assign(name, None, initial, span))
            return
        for i in element_indices(cell.index):
            self.emit(Assign(name, Const(i, cell.index, span), initial, span))

    def rest(self, procedure: s.ProcedureOf, scope: Scope) -> None:
        node, name = self.new_node("end", scope)
        self.deal_ends.append(node)
        self.close(Arrive(node))
        after = self.new_block()
        self.nodes[node] = Rest(name, after, procedure.span)
        self.current = after

    def phase(self, name: str, span: Span) -> _Phase:
        for phase in reversed(self.phases):
            if phase.name == name:
                return phase
        around = ", ".join(f"`{p.name}`" for p in self.phases) or "none"
        raise Problem(
            "not-in-phase", span, f"this is not inside a phase `{name}`", f"the phases around it are {around}"
        )

    def end(self, scope: Scope, span: Span) -> int:
        if self.end_node is None:
            self.nodes.append(End("end", span))
            self.scopes.append(Scope(self.known))
            self.end_node = len(self.nodes) - 1
        return self.end_node

    # --- the whole ---------------------------------------------------------------------------------------------------

    def match(self, span: Span) -> int:
        """Lower the phase `match`; the block with which it begins."""
        entry = self.new_block()
        self.current = entry
        self.run(s.Run("match", (), span), Scope(self.known))
        if self.current is not None:
            self.close(Arrive(self.end(Scope(self.known), span)))
        return entry

    def finished_blocks(self) -> tuple[Block, ...]:
        return tuple(Block(tuple(b.effects), b.end or Dead("unreachable")) for b in self.blocks)


def _sum(cell: Type, added: Type) -> Type:
    if isinstance(cell, RangeType) and isinstance(added, RangeType):
        return RangeType(cell.lo + added.lo, cell.hi + added.hi)
    return NAT


def binding_parameter(b: s.BindingOf, scope: Scope) -> Parameter:
    """A choice's or lemma's parameter, without its cell."""
    domain = any_set(b.domain, scope)
    of: Type = domain.type.of  # type: ignore[union-attr]
    if b.size is None:
        return Parameter(b.name, "", domain, None, None, of, b.span)
    if isinstance(b.size, s.Operation) and b.size.operator == "..":
        lo, hi = (number(x, scope) for x in b.size.operands)
    else:
        lo = hi = number(b.size, scope)
    return Parameter(b.name, "", domain, lo, hi, domain.type, b.span)
