"""The clauses of a spec: what its rules are made of, by name, and which of them name which.

In goes a program; out come its declarations in the order of the text, and the names that follow from a text. Unlike in
the core, constants, orders, types and procedures still have names here. Only words are compared, not meanings, so what
follows from a text may be too much (an item of an enumeration counts for the whole enumeration), never too little.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span, Word
from kozel_verify.model.program import Program


class ClauseKind(StrEnum):
    FUNCTION = "function"
    PREDICATE = "predicate"
    PROCEDURE = "procedure"
    PHASE = "phase"
    CONSTANT = "constant"
    ORDER = "order"
    TYPE = "type"
    ZONE = "zone"
    CELL = "cell"
    OPTION = "option"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Clause:
    """One declaration. Names of clauses are unique in a game."""

    name: str
    kind: ClauseKind
    span: Span
    item: s.Item


_OTHER_NAMES: dict[type, tuple[str, ...]] = {  # fields with names of other lists: nodes, verbs, labels, properties
    s.AskSeat: ("node",),
    s.DrawCards: ("node", "name"),
    s.VerbOf: ("name",),
    s.AnnounceValue: ("label",),
    s.StateOf: ("name", "fresh"),
    s.ZoneOf: ("name", "seen"),  # what is in a zone does not depend on who sees it; see ``shown_by``
    s.Leave: ("phase",),
    s.Again: ("phase",),
    s.DeadClause: ("name",),
    s.LemmaOf: ("name",),
    s.ClaimOf: ("name", "nodes"),
    s.StepClaimOf: ("name", "sources", "targets"),
    s.MenuClaimOf: ("name", "nodes"),
    s.ChoiceOf: ("verb",),
    s.MeasureOf: ("name",),
    s.SecretOf: ("name", "nodes"),
    s.CompiledOf: ("name",),
    s.ScenarioOf: ("title",),
}


class Clauses:
    """The clauses of one program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        found = [c for item in program.items if (c := _clause(item)) is not None]
        self.by_name: dict[str, Clause] = {c.name: c for c in found}
        types = [c.item for c in found if isinstance(c.item, s.Enumeration)]
        self._items = {str(word): str(type_.name) for type_ in types for word in type_.items}
        self._values: dict[str, str] = {}
        for c in found:
            if isinstance(c.item, s.Option) and isinstance(c.item.type, s.InlineEnumeration):
                self._values |= dict.fromkeys(map(str, c.item.type.items), c.name)
        self._direct: dict[str, frozenset[str]] = {}

    def named(self, name: str) -> Clause | None:
        """The clause of a name; for an item of an enumeration the enumeration, for an option's value the option."""
        return self.by_name.get(self._items.get(name) or self._values.get(name) or name)

    def named_in(self, tree: object) -> frozenset[str]:
        """The clauses that a piece of text names."""
        found = set()
        for word in words_in(tree):
            if word in self.by_name:
                found.add(word)
            elif word in self._items:
                found.add(self._items[word])
        return frozenset(found)

    def named_by(self, name: str) -> frozenset[str]:
        """The clauses that a clause names itself."""
        if name not in self._direct:
            self._direct[name] = self.named_in(self.by_name[name].item) - {name}
        return self._direct[name]

    def reached(self, names: Iterable[str]) -> frozenset[str]:
        """The clauses of these names and all that they come to."""
        todo = list(names)
        reached = set(todo)
        while todo:
            new = self.named_by(todo.pop()) - reached
            reached |= new
            todo += new
        return frozenset(reached)

    def needed_by(self, tree: object) -> frozenset[str]:
        """The clauses that the meaning of a text rests on."""
        return self.reached(self.named_in(tree))

    @cached_property
    def shown_by(self) -> frozenset[str]:
        """The clauses that decide who sees what."""
        seen = [i.seen for i in self.program.items if isinstance(i, s.ZoneOf | s.StateOf) and i.seen is not None]
        return self.needed_by(tuple(seen))

    @cached_property
    def play(self) -> frozenset[str]:
        """The clauses that make up play: what the phase `match`, the results and who sees what come to."""
        results = tuple(i for i in self.program.items if isinstance(i, s.Result | s.Constraint))
        words = {i.word for i in results if isinstance(i, s.Result)}
        start = {"match"} & self.by_name.keys()
        return self.reached(start | words) | self.needed_by(results) | self.shown_by

    def changed_by(self, name: str) -> frozenset[str]:
        """The cells and zones whose content a procedure's own statements change, or that begin anew with a phase."""
        item = self.by_name[name].item
        if not isinstance(item, s.ProcedureOf):
            return frozenset()
        cells = (i for i in self.program.items if isinstance(i, s.StateOf))
        found = {str(c.name) for c in cells if item.phase and c.fresh == item.name}
        for x in s.parts(item):
            match x:
                case s.AssignTo():
                    found.add(str(x.name))
                case s.MoveCards() | s.DrawCards():
                    found |= {str(x.source.name), str(x.target.name)}
                case s.GatherPack():
                    found |= {c.name for c in self.by_name.values() if c.kind is ClauseKind.ZONE}
                case _:
                    pass
        return frozenset(found & self.by_name.keys())

    def at_line(self, file: str, line: int) -> Clause | None:
        """The clause on a line of a file."""
        on_line = (c for c in self.by_name.values() if c.span.file == file and c.span.line <= line <= c.span.end_line)
        return min(on_line, key=lambda c: c.span.end_line - c.span.line, default=None)


def words_in(tree: object) -> Iterator[str]:
    """The names in a piece of text that may be names of clauses, in order."""
    todo: list[Any] = [tree]
    while todo:
        x = todo.pop()
        if isinstance(x, Word):
            yield str(x)
        elif isinstance(x, tuple):
            todo.extend(reversed(x))
        elif is_dataclass(x) and not isinstance(x, Span | s.Citation):
            skipped = (*_OTHER_NAMES.get(type(x), ()), "span")
            if isinstance(x, s.StepOf) and x.word not in ("option", "set"):
                skipped = (*skipped, "name")  # a verb's name, or a node's
            todo.extend(getattr(x, f.name) for f in reversed(fields(x)) if f.name not in skipped)


def _clause(item: s.Item) -> Clause | None:
    match item:
        case s.FunctionOf(name, _, type_, _, span):
            return Clause(str(name), ClauseKind.FUNCTION if type_ else ClauseKind.PREDICATE, span, item)
        case s.ProcedureOf(name, _, _, phase, span):
            return Clause(str(name), ClauseKind.PHASE if phase else ClauseKind.PROCEDURE, span, item)
        case s.Constant(name, _, span):
            return Clause(str(name), ClauseKind.CONSTANT, span, item)
        case s.Order(name, _, span):
            return Clause(str(name), ClauseKind.ORDER, span, item)
        case s.Enumeration(name, _, span):
            return Clause(str(name), ClauseKind.TYPE, span, item)
        case s.ZoneOf(name, span=span):
            return Clause(str(name), ClauseKind.ZONE, span, item)
        case s.StateOf(name, span=span):
            return Clause(str(name), ClauseKind.CELL, span, item)
        case s.Option(name, span=span):
            return Clause(str(name), ClauseKind.OPTION, span, item)
        case s.Result(word, span=span):
            return Clause(str(word), ClauseKind.RESULT, span, item)
        case _:
            return None
