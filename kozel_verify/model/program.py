"""From a file to one flat list of items: modules are brought in, variants are applied, `default` items replaced.

Modules and games are found by name, never by path: beside the file that names them, in ``lib`` beside it, then among
the specs that ship with the tool. Nothing else is ever read.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.parse import data_folder, parse
from kozel_verify.language.spans import Span

Reader = Callable[[str, str], tuple[str, str] | None]
"""``(name, file that names it)`` to ``(text, file)``, or ``None`` when there is no such module."""


@dataclass(frozen=True, slots=True)
class Program:
    """A game as one list of items. ``units`` are all the syntax trees it came from, the game's own first."""

    name: str
    items: tuple[s.Item, ...]
    units: tuple[s.Unit, ...]
    files: dict[str, str] = field(hash=False)  # file -> text

    def span(self) -> Span:
        return self.units[0].span


def read_folder(name: str, beside: str) -> tuple[str, str] | None:
    """The reader for files on disk."""
    here = Path(beside).parent
    shipped = data_folder("spec")
    for folder in (here, here / "lib", shipped, shipped / "lib"):
        path = folder / f"{name}.kozel"
        if path.is_file():
            return read_text(path), str(path)
    return None


def read_text(path: Path) -> str:
    """The text of a spec. Raises ``SpecError`` when it cannot be read or is not UTF-8."""
    start = Span(str(path), 1, 1, 1, 1)
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as e:
        message = f"the file is not UTF-8 (byte {e.start})"
        raise SpecError([Diagnostic("not-utf8", start, message, "save it as UTF-8")]) from e
    except OSError as e:
        reason = (e.strerror or "cannot be read").lower()
        raise SpecError([Diagnostic("unreadable", start, f"`{path}`: {reason}", "name a `.kozel` file")]) from e


@dataclass(slots=True)
class _Gathering:
    read: Reader
    units: list[s.Unit] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    used: dict[str, s.Use] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def unit(self, text: str, file: str) -> s.Unit:
        unit = parse(text, file)
        self.units.append(unit)
        self.files[file] = text
        return unit

    def find(self, name: str, kind: str, span: Span) -> s.Unit | None:
        found = self.read(name, span.file)
        if found is None:
            hint = f"`{name}.kozel` is looked for beside this file, in `lib` beside it, and among the shipped specs"
            self.problems.append(Diagnostic("unknown-module", span, f"there is no {kind} `{name}`", hint))
            return None
        unit = self.unit(*found)
        if unit.kind != kind and not (kind == "game" and unit.kind == "variant"):
            self.problems.append(Diagnostic("unknown-module", span, f"`{name}` is a {unit.kind}, not a {kind}"))
            return None
        return unit

    def expand(self, items: tuple[s.Item, ...]) -> list[s.Item]:
        """The items with each `use` replaced by the module's own."""
        flat: list[s.Item] = []
        for item in items:
            if isinstance(item, s.Use):
                flat += self.module(item)
            else:
                flat.append(item)
        return flat

    def module(self, use: s.Use) -> list[s.Item]:
        if use.name in self.used:
            if use.arguments and use.arguments != self.used[use.name].arguments:
                message = f"`{use.name}` is used twice with different values"
                self.problems.append(Diagnostic("used-twice", use.span, message, "give the values in one place"))
            return []
        self.used[use.name] = use
        unit = self.find(use.name, "module", use.span)
        if unit is None:
            return []
        given = {a.name: a for a in use.arguments}
        flat: list[s.Item] = []
        for name, default in unit.parameters:
            argument = given.pop(name, None)
            value = argument.value if argument else default
            if value is None:
                message = f"`{use.name}` needs a value for `{name}`"
                hint = f"write `use {use.name}({name} = …)`"
                self.problems.append(Diagnostic("module-value", use.span, message, hint))
                continue
            flat.append(s.Constant(name, value, argument.span if argument else unit.span))
        for extra in given.values():
            message = f"`{use.name}` has no parameter `{extra.name}`"
            self.problems.append(Diagnostic("module-value", extra.span, message))
        return flat + self.expand(unit.items)

    def game(self, unit: s.Unit, seen: tuple[str, ...] = ()) -> list[s.Item]:
        """The items of a game; a variant's items replace those of its base."""
        if unit.kind == "game":
            return self.expand(unit.items)
        if unit.name in seen:
            message = f"`{unit.name}` is a variant of itself"
            raise SpecError([Diagnostic("circular", unit.span, message)])
        base = self.find(unit.base, "game", unit.span)
        if base is None:
            return []
        return self.vary(self.game(base, (*seen, unit.name)), self.expand(unit.items))

    def vary(self, base: list[s.Item], changes: list[s.Item]) -> list[s.Item]:
        keys = {k: c for c in changes if (k := _key(c)) is not None}
        kept = [i for i in base if _key(i) not in keys]
        result: list[s.Item] = list(kept)
        for change in changes:
            if isinstance(change, s.OptionDefault):
                result = [_with_default(i, change) for i in result]
                if not any(isinstance(i, s.Option) and i.name == change.name for i in result):
                    self.problems.append(Diagnostic("unknown-name", change.span, f"there is no option `{change.name}`"))
            else:
                result.append(change)
        return result


def _with_default(item: s.Item, change: s.OptionDefault) -> s.Item:
    if isinstance(item, s.Option) and item.name == change.name:
        return replace(item, default=change.value)
    return item


def _key(item: s.Item) -> tuple[str, str] | None:
    """What a definition defines: ``(namespace, name)``; ``None`` for items that are not replaced by name."""
    match item:
        case s.Replaceable(inner):
            return _key(inner)
        case s.Title():
            return "title", ""
        case s.Result(word):
            return "result", word
        case s.Pack(name) | s.Term(name) | s.Source(name):
            return type(item).__name__, name
        case s.LemmaOf(name) | s.ClaimOf(_, name) | s.MeasureOf(name) | s.SecretOf(name) | s.CompiledOf(name):
            return "property", name
        case s.ScenarioOf(title):
            return "scenario", title
        case s.Seats():
            return "seats", ""
        case s.DeckOf():
            return "deck", ""
        case (
            s.Enumeration(name) | s.Option(name) | s.Order(name) | s.Constant(name) | s.ZoneOf(name)
            | s.StateOf(name) | s.FunctionOf(name) | s.ProcedureOf(name)
        ):  # fmt: skip
            return "name", name
        case _:
            return None


def _settle_replaceable(items: list[s.Item]) -> list[s.Item]:
    """Drop each `default` item that is defined anew; unwrap the others."""
    defined = {_key(i) for i in items if not isinstance(i, s.Replaceable)}
    result: list[s.Item] = []
    for item in items:
        if not isinstance(item, s.Replaceable):
            result.append(item)
        elif _key(item) not in defined:
            result.append(item.item)
    return result


def assemble(text: str, file: str, read: Reader = read_folder) -> Program:
    """The program of a game's or variant's text. Raises ``SpecError``."""
    gathering = _Gathering(read)
    unit = gathering.unit(text, file)
    if unit.kind == "module":
        message = f"`{unit.name}` is a module; it is checked as part of a game that uses it"
        raise SpecError([Diagnostic("module-alone", unit.span, message, "give the file of a game")])
    try:
        items = gathering.game(unit)
    except SpecError as e:
        raise SpecError(gathering.problems + e.diagnostics) from e
    if gathering.problems:
        raise SpecError(gathering.problems)
    return Program(unit.name, tuple(_settle_replaceable(items)), tuple(gathering.units), gathering.files)
