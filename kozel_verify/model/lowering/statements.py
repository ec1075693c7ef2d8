"""The statements, one by one."""

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.model import core
from kozel_verify.model.core import (
    Announce,
    Apply,
    Assign,
    Branch,
    Cell,
    CellKind,
    CellRead,
    Const,
    Dead,
    Expr,
    Gather,
    Jump,
    Move,
    Show,
    ZoneRef,
)
from kozel_verify.model.expressions import cards, check, described, infer, is_number, number, predicate, seats
from kozel_verify.model.expressions.intervals import interval
from kozel_verify.model.lowering import choices, loops, procedures
from kozel_verify.model.lowering.building import Building
from kozel_verify.model.scope import Problem, Scope, unknown_name
from kozel_verify.model.types import SetType, full_set


class Lowering(Building):
    """Turns statements into blocks and nodes."""

    __slots__ = ()

    def match(self, span: Span) -> int:
        """Lower the phase `match`; the block with which it begins."""
        entry = self.new_block_for("match")
        procedures.run(self, s.Run("match", (), span), Scope(self.known))
        self.arrive_at_end(span)
        return entry

    def check_alone(self, procedure: s.ProcedureOf) -> None:
        """Find the errors of a procedure that nothing runs."""
        self.new_block_for(procedure.name)
        procedures.run_alone(self, procedure)
        self.close(Dead("alone"))

    def new_block_for(self, procedure: str) -> int:
        self.calls = (procedure,)
        self.current = self.new_block()
        self.calls = ()
        return self.current

    def block(self, block: s.BlockOf, scope: Scope) -> None:
        """Lower a block into the current one; ``current`` is ``None`` after it when it never comes to its end."""
        for statement in block.statements:
            if self.current is None:
                hint = "what stands before it always leaves, begins again or ends"
                self.report(Problem("unreachable", statement.span, "nothing comes to this statement", hint))
                return
            self.work.spend(statement.span)
            try:
                scope = self.statement(statement, scope)
            except Problem as problem:
                self.report(problem)
                if self.current is None:
                    self.current = self.new_block()
                if isinstance(statement, s.Let | s.DrawCards) and statement.name is not None:
                    scope = scope.without(statement.name)

    def statement(self, statement: s.Statement, scope: Scope) -> Scope:
        """Lower one statement; the scope of those after it. Raises ``Problem``."""
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
                self.emit(Announce(infer(value, scope), addressed, str(label or ""), span))
            case s.DrawCards():
                return choices.draw(self, statement, scope)
            case s.AskSeat():
                choices.ask(self, statement, scope)
            case s.ForEach():
                loops.for_each(self, statement, scope)
            case s.Repeat():
                loops.repeat(self, statement, scope)
            case s.While():
                loops.while_(self, statement, scope)
            case s.IfElse(condition, then, otherwise, span):
                self.if_(predicate(condition, scope), then, otherwise, scope, span)
            case s.Run():
                procedures.run(self, statement, scope)
            case s.Leave(name, span):
                self.close(Jump(procedures.phase_named(self, name, span).exit))
            case s.Again(name, span):
                self.close(Jump(procedures.phase_named(self, name, span).start))
            case s.EndMatch(span):
                self.arrive_at_end(span)
            case s.DeadClause(name, span):
                self.close(Dead(str(name), span))
        return scope

    def let(self, name: str, value: Expr, scope: Scope, span: Span) -> Scope:
        at = place_of_name(name, span)
        if isinstance(value, Const):
            return scope.bind(name, value, at)
        scope.bind(name, value, at)  # a clash is found before a cell is made
        cell = self.new_cell(name, value.type, CellKind.LET, span)
        self.assign(cell, value, span)
        return scope.bind(name, cell, at)

    def assignment(self, a: s.AssignTo, scope: Scope) -> None:
        at = place_of_name(a.name, a.span)
        cell = self.known.symbols.get(a.name)
        if not isinstance(cell, Cell):
            if a.name in scope.names():
                raise Problem("not-a-cell", at, f"`{a.name}` cannot be assigned to", "only a `state` can")
            raise unknown_name(a.name, at, scope)
        index = self.index_of(a.name, cell, a.index, a.span, scope)
        if a.added:
            added = number(a.value, scope)
            before = CellRead(cell.name, index, cell.type, a.span)
            if not is_number(cell.type):
                message = f"`{a.name}` is no number: it is {described(cell.type)}"
                raise Problem("type", at, message, "assign with `:=`")
            value: Expr = Apply("+", (before, added), interval("+", cell.type, added.type), a.span)
        else:
            value = check(a.value, cell.type, scope)
        self.emit(Assign(cell.name, index, value, a.span))

    def index_of(
        self, name: str, symbol: Cell | core.Zone, index: s.Expression | None, span: Span, scope: Scope
    ) -> Expr | None:
        """The index of a cell or zone, present exactly when it is a family. Raises ``Problem``."""
        if (symbol.index is None) != (index is None):
            if symbol.index is None:
                raise Problem("type", span, f"`{name}` takes no index", f"write `{name}`")
            raise Problem("type", span, f"`{name}` needs an index", f"write `{name}[…]`")
        return None if index is None or symbol.index is None else check(index, symbol.index, scope)

    def zone(self, place: s.PlaceName, scope: Scope) -> ZoneRef:
        zone = self.known.symbols.get(place.name)
        if not isinstance(zone, core.Zone):
            at = place_of_name(place.name, place.span)
            if place.name in scope.names():
                raise Problem("not-a-zone", at, f"`{place.name}` is not a zone", "cards move between zones only")
            raise unknown_name(place.name, at, scope)
        return ZoneRef(zone.name, self.index_of(place.name, zone, place.index, place.span, scope))

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
