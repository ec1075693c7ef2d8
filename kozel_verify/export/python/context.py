"""What the generator knows about one game while it writes a module: names, slots, scopes, tables.

``Context`` hands out identifiers and collects definitions (tables and small functions) that expressions need beside
them. Tables are computed by running generated code; like all generated code it is judged by the validation.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from kozel_verify.export.python import helpers
from kozel_verify.export.python.analysis import Facts, Reads
from kozel_verify.export.python.names import Namer
from kozel_verify.export.python.operators import PLUS, Code
from kozel_verify.model.core import Cell, CellKind, Game, slot_count
from kozel_verify.model.types import BoolType, RangeType, SetType, Type, Value, cardinality

SMALL = 4096  # a table is kept for each combination of inputs up to this many


def literal(value: Value, type_: Type) -> Code:
    """A constant; sets in hexadecimal, ``none`` as -1."""
    if value is None:
        return Code("-1")
    if isinstance(value, bool):
        return Code(str(value), boolean=True)
    return Code(hex(value) if isinstance(type_, SetType) else str(value))


def number(value: Value) -> int:
    """The number that stands for a value in generated code."""
    return -1 if value is None else int(value)


@dataclass(frozen=True, slots=True)
class Scope:
    """What names mean at one place. ``cells`` and ``options`` hold what is not read from ``c`` and ``o``;
    ``origin`` says on which arguments of a choice a local depends."""

    names: Namer
    locals: dict[str, Code] = field(default_factory=dict)
    cells: dict[str, Code] = field(default_factory=dict)
    options: dict[str, Code] = field(default_factory=dict)
    origin: dict[str, frozenset[str]] = field(default_factory=dict)

    def bind(self, variable: str, code: Code) -> "Scope":
        return Scope(self.names, {**self.locals, variable: code}, self.cells, self.options, self.origin)


@dataclass(frozen=True, slots=True)
class Signature:
    """A generated function: its own parameters, then the plain cells and the options that it reads, then ``c`` (all
    cells) when it reads a family and ``z`` (all zones) when it reads a zone."""

    name: str
    parameters: tuple[tuple[str, Type], ...]
    cells: tuple[str, ...]
    options: tuple[str, ...]
    families: bool
    zones: bool


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of the module. ``always``: it stays even when nothing refers to it."""

    name: str
    text: str
    always: bool


class Context:
    def __init__(self, game: Game, reserved: Iterable[str]) -> None:
        self.game = game
        self.facts = Facts(game)
        self.names = Namer({*reserved, "c", "z", "o", "e"})
        self.local_cells = frozenset(cell.name for cell in game.cells.values() if self._is_local(cell))
        self.definitions: list[Definition] = []
        self.signatures: dict[str, Signature] = {}
        self._known: dict[tuple[str, str], str] = {}
        self._namespace: dict[str, object] = dict(vars(helpers))
        self._bases: dict[str, int] = {}
        base = 0
        for cell in sorted(game.cells.values(), key=lambda c: c.base):
            if cell.name not in self.local_cells:
                self._bases[cell.name] = base
                base += slot_count(cell.index)
        self.cell_count = base
        self.cell_names = {name: self.names.take(f"{name}_cell".upper()) for name in self._bases}
        self.zone_names = {name: self.names.take(f"{name}_zone".upper()) for name in game.zones}
        self.option_names = {name: self.names.take(f"{name}_option".upper()) for name in game.options}

    def _is_local(self, cell: Cell) -> bool:
        """Is the cell used only on the way from one node to the next, so that no state needs to hold it?"""
        if cell.kind is CellKind.DECLARED or cell.index is not None or cell.name in self.watched():
            return False
        return all(cell.name not in live for live in self.game.live)

    def watched(self) -> frozenset[str]:
        """The cells on which it depends who sees a zone."""
        reads = [self.facts.reads(zone.seen.seats).cells for zone in self.game.zones.values()]
        return frozenset[str]().union(*reads)

    def cell_base(self, name: str) -> int:
        """The position of a cell's first slot in a state of the exported module."""
        return self._bases[name]

    # --- definitions -------------------------------------------------------------------------------------------------

    def define(self, hint: str, text: str) -> str:
        """A definition with ``{name}`` where its name stands, made once for each text; returns the name."""
        if (hint, text) not in self._known:
            name = self.names.take(hint)
            self._known[hint, text] = name
            self.add(Definition(name, text.replace("{name}", name), False))
        return self._known[hint, text]

    def add(self, definition: Definition) -> None:
        """Write a definition that later text relies on, and run it here."""
        self.definitions.append(definition)
        text = f"from functools import cache, lru_cache\nfrom collections.abc import Sequence\n{definition.text}"
        exec(compile(text, "<export>", "exec"), self._namespace)

    def run(self, function: str) -> Callable[[int], int]:
        """A function of one argument, given as code that needs nothing but definitions."""
        made: Callable[[int], int] = eval(compile(function, "<export>", "eval"), self._namespace)
        return made

    # --- signatures --------------------------------------------------------------------------------------------------

    def signature(self, name: str, parameters: tuple[tuple[str, Type], ...], reads: Reads) -> Signature:
        cells = [c for c in self.game.cells.values() if c.name in reads.cells]
        return Signature(
            name,
            parameters,
            tuple(c.name for c in cells if c.index is None),
            tuple(o for o in self.game.options if o in reads.options),
            any(c.index is not None for c in cells),
            bool(reads.zones),
        )

    def inputs(self, signature: Signature) -> list[Type]:
        """The types of all plain inputs of a function."""
        types = [type_ for _, type_ in signature.parameters]
        types += [self.game.cells[name].type for name in signature.cells]
        return types + [self.game.options[name].type for name in signature.options]

    def small(self, signature: Signature) -> bool:
        """Are there few enough inputs to keep a table for each?"""
        product = 1
        for type_ in self.inputs(signature):
            product *= cardinality(type_) or SMALL + 1
            if product > SMALL:
                return False
        return not signature.families and not signature.zones

    def enter(self, signature: Signature) -> tuple[Scope, str]:
        """The scope inside a function, and its parameters as text."""
        scope = Scope(Namer(parent=self.names))
        typed = []
        for kind, names in (("locals", [n for n, _ in signature.parameters]), ("cells", signature.cells)):
            for name in names:
                getattr(scope, kind)[name] = Code(scope.names.take(name.lower()))
        for name in signature.options:
            scope.options[name] = Code(scope.names.take(name.lower()))
        codes = [*scope.locals.values(), *scope.cells.values(), *scope.options.values()]
        for code, type_ in zip(codes, self.inputs(signature), strict=True):
            typed.append(f"{code.text}: {'bool' if isinstance(type_, BoolType) else 'int'}")
        if signature.families:
            typed.append("c: Sequence[int]")
        if signature.zones:
            typed.append("z: Sequence[int]")
        return scope, ", ".join(typed)


def offset(base: str, index: Code | None, type_: Type | None) -> str:
    """The position of a slot: ``HAND + s``."""
    if index is None or type_ is None:
        return base
    first = type_.lo if isinstance(type_, RangeType) else 0
    if index.text.isdigit():
        position = int(index.text) - first
        return f"{base} + {position}" if position else base
    return f"{base} + {index.at(PLUS)}" + (f" - {first}" if first else "")
