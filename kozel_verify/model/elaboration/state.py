"""What is known of a game while its declarations are read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.model.core import Cell, Expr, Function, OptionDecl, Zone
from kozel_verify.model.program import Program
from kozel_verify.model.scope import Globals, Problem, Problems, Scope

_I = TypeVar("_I")


@dataclass(slots=True)
class Elaboration:
    """The meaning of the declarations so far. ``pack`` is the smaller pack that is asked for, if any."""

    program: Program
    pack: s.Pack | None
    known: Globals
    problems: Problems = field(default_factory=Problems)
    options: dict[str, OptionDecl] = field(default_factory=dict)
    cells: dict[str, Cell] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    procedures: dict[str, s.ProcedureOf] = field(default_factory=dict)
    fresh: dict[str, list[str]] = field(default_factory=dict)  # phase -> cells reset when it is entered
    fresh_spans: dict[str, Span] = field(default_factory=dict)
    constraints: list[Expr] = field(default_factory=list)

    @property
    def scope(self) -> Scope:
        return Scope(self.known)

    @property
    def at(self) -> Span:
        """Where to report what the game as a whole lacks: its name."""
        unit = self.program.units[0]
        return place_of_name(unit.name, unit.span)

    def items(self, kind: type[_I]) -> Iterator[_I]:
        return (i for i in self.program.items if isinstance(i, kind))

    def each(self, kind: type[_I], work: Callable[["Elaboration", _I], None]) -> None:
        """Do the work for each item of a kind. An item that fails is reported, and its name is broken."""
        for item in self.items(kind):
            self.guarded(work, item)

    def guarded(self, work: Callable[["Elaboration", _I], None], item: _I) -> None:
        try:
            work(self, item)
        except Problem as problem:
            self.problems.add(problem)
            name = getattr(item, "name", None)
            if isinstance(name, str) and name not in self.known.symbols:
                self.known.broken.add(name)

    def stop_on_errors(self) -> None:
        if self.problems:
            raise SpecError(self.problems.found)
