"""From a file to one flat list of items: modules are brought in, variants are applied, `default` items replaced.

Modules and games are found by name, never by path: beside the file that names them, in ``lib`` beside it, then among
the specs that ship with the tool. Tables of sources and readings are found beside a file that may be in such a ``lib``.
Nothing else is ever read.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.folders import data_folder
from kozel_verify.language.parse import MAX_CHARACTERS, normalise
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.trees import unit_of
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.books import TABLES, Book, Shelf
from kozel_verify.model.leftovers import without_leftovers
from kozel_verify.model.limits import MAX_UNITS, too_large
from kozel_verify.model.redefinitions import Redefinition, redefinitions
from kozel_verify.model.variants import (
    Swap,
    settle_defaults,
    settle_replaceable,
    swaps,
    unused,
    vary,
    withdraw,
    withdraw_from_modules,
)

Reader = Callable[[str, str], tuple[str, str] | None]
"""``(name, file that names it)`` to ``(text, file)``, or ``None`` when there is none.

The names of ``books.TABLES`` are those of tables, all others of modules and games."""


@dataclass(frozen=True, slots=True)
class Program:
    """A game as one list of items. ``units`` are all the syntax trees it came from, the game's own first.

    ``replaced`` are the `default` items of modules with those that took their place; ``books`` the tables that hold for
    each file; ``swaps`` what variants put in the place of another kind of thing, ``redefined`` what the variant itself
    changes in things that keep their kind.
    """

    name: str
    items: tuple[s.Item, ...]
    units: tuple[s.Unit, ...]
    files: dict[str, str] = field(hash=False)  # file -> text
    replaced: tuple[tuple[s.Item, s.Item], ...] = ()
    books: dict[str, Book] = field(default_factory=dict, hash=False)
    swaps: tuple[Swap, ...] = ()
    redefined: tuple[Redefinition, ...] = ()

    def span(self) -> Span:
        """The place of the game's name."""
        unit = self.units[0]
        return place_of_name(unit.name, unit.span)


def read_folder(name: str, beside: str) -> tuple[str, str] | None:
    """The reader for files on disk. Raises ``SpecError`` for a file that is there but cannot be read."""
    for path in _places(name, Path(beside).parent):
        try:
            there = path.is_file()
        except (OSError, ValueError):  # a name that no file can have
            return None
        if there:
            return read_text(path), str(path)
    return None


def _places(name: str, here: Path) -> list[Path]:
    """Where a module, a game or a table of this name may stand for a file in the folder ``here``."""
    if name in TABLES:
        return [here / name, here.parent / name] if here.name == "lib" else [here / name]
    if not name.isidentifier():
        return []
    return [folder / f"{name}.kozel" for folder in _folders(here)]


def _folders(here: Path) -> list[Path]:
    shipped = data_folder("spec")
    return [here, here / "lib", shipped, shipped / "lib"]


def names_in(folder: Path) -> list[str]:
    """The names of the specs in a folder; none where it cannot be read."""
    try:
        return sorted(path.stem for path in folder.iterdir() if path.suffix == ".kozel")
    except (OSError, ValueError):
        return []


def names_in_reach(beside: str, kind: str) -> list[str]:
    """The names that a file could mean: of a module; or of a game, which by habit is not in `lib`."""
    folders = [f for f in _folders(Path(beside).parent) if kind == "module" or f.name != "lib"]
    return [name for folder in folders for name in names_in(folder)]


def read_text(path: Path) -> str:
    """The text of a spec. Raises ``SpecError`` when it cannot be read, is too large, or is not UTF-8."""
    start = Span(str(path), 1, 1, 1, 1)
    whole = Span(str(path), 0, 0, 0, 0)  # no place in a text that nobody has read
    hint = "name a `.kozel` file"
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise SpecError([Diagnostic("unreadable", whole, f"`{path}` is not a file", hint)])
        with path.open("rb") as file:
            data = file.read(4 * MAX_CHARACTERS + 4)
    except OSError as e:
        reason = (e.strerror or "it cannot be read").lower()
        raise SpecError([Diagnostic("unreadable", whole, f"`{path}`: {reason}", hint)]) from e
    except ValueError as e:
        raise SpecError([Diagnostic("unreadable", whole, "no file can have this name", hint)]) from e
    if len(data) > 4 * MAX_CHARACTERS:
        message = f"the file has more than {4 * MAX_CHARACTERS:,} bytes"
        raise SpecError([Diagnostic("too-large", start, message, "split it into modules")])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as e:
        line = data.count(b"\n", 0, e.start) + 1
        at = Span(str(path), line, 1, line, 1)
        message = f"the file is not UTF-8 (byte {e.start})"
        raise SpecError([Diagnostic("not-utf8", at, message, "save it as UTF-8")]) from e


@dataclass(slots=True)
class _Gathering:
    read: Reader
    units: list[s.Unit] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    used: dict[str, s.Use] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)
    books: dict[str, Book] = field(default_factory=dict)
    swaps: list[Swap] = field(default_factory=list)
    redefined: list[Redefinition] = field(default_factory=list)
    before: list[s.Item] = field(default_factory=list)  # all items, also those that something else takes the place of
    shelf: Shelf = field(init=False)

    def __post_init__(self) -> None:
        self.shelf = Shelf(self.read, self.problems)

    def unit(self, text: str, file: str, at: Span | None = None) -> s.Unit:
        if len(self.units) >= MAX_UNITS:
            where = at or Span(file, 1, 1, 1, 1)
            raise SpecError([*self.problems, too_large(where, f"over {MAX_UNITS} modules and variants")])
        unit = unit_of(text, file)
        self.units.append(unit)
        self.files[file] = normalise(text)
        self.books[file] = self.shelf.beside(file)
        return unit

    def find(self, name: str, kind: str, span: Span) -> s.Unit | None:
        """The unit of a name; ``None`` (and an error) when there is none, or it has errors itself."""
        found = self.read(str(name), span.file)
        if found is None:
            near = did_you_mean(name, names_in_reach(span.file, kind)) if self.read is read_folder else ""
            places = f"`{name}.kozel` is looked for beside this file, in `lib` beside it, and among the shipped specs"
            hint = near or places
            self.problems.append(Diagnostic("unknown-module", span, f"there is no {kind} `{name}`", hint))
            return None
        try:
            unit = self.unit(*found, span)
        except SpecError as e:
            if any(d.code == "too-large" and d.span == span for d in e.diagnostics):
                raise
            self.problems += [d for d in e.diagnostics if d not in self.problems]
            return None
        fits = unit.kind == kind or (kind == "game" and unit.kind == "variant")
        if not fits or unit.name != name:
            hint = f"`{found[1]}` should begin with `{kind} {name}`"
            message = f"`{name}.kozel` states the {unit.kind} `{unit.name}`, not a {kind} `{name}`"
            self.problems.append(Diagnostic("unknown-module", span, message, hint))
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
                hint = "give the values in one place; a variant writes `const NAME = …`"
                self.problems.append(Diagnostic("used-twice", use.span, message, hint))
            return []
        self.used[str(use.name)] = use
        unit = self.find(use.name, "module", place_of_name(use.name, use.span))
        if unit is None:
            return []
        return [*self.parameters(use, unit), *self.expand(unit.items)]

    def parameters(self, use: s.Use, unit: s.Unit) -> list[s.Item]:
        """A constant for each parameter of a module."""
        given: dict[str, s.Argument] = {}
        names = [str(n) for n, _ in unit.parameters]
        for a in use.arguments:
            at = place_of_name(a.name, a.span)
            if a.name in given:
                message = f"`{a.name}` is given twice"
                self.problems.append(Diagnostic("module-value", at, message, "give each value once"))
            elif a.name not in names:
                hint = "its parameters are: " + (", ".join(f"`{n}`" for n in names) or "none")
                message = f"`{use.name}` has no parameter `{a.name}`"
                self.problems.append(Diagnostic("module-value", at, message, hint))
            given[str(a.name)] = a
        found: list[s.Item] = []
        for name, default in unit.parameters:
            argument = given.get(name)
            value = argument.value if argument else default
            if value is None:
                message = f"`{use.name}` needs a value for `{name}`"
                hint = f"write `use {use.name}({name} = …)`"
                self.problems.append(Diagnostic("module-value", place_of_name(use.name, use.span), message, hint))
            else:
                found.append(s.Constant(name, value, argument.span if argument else place_of_name(name, unit.span)))
        return found

    def stated(self, unit: s.Unit) -> list[s.Item]:
        """The items of a game or variant with those of its modules."""
        items = self.expand(unit.items)
        self.before += items
        return items

    def game(self, unit: s.Unit, seen: tuple[str, ...] = ()) -> list[s.Item]:
        """The items of a game; a variant's items replace those of its base."""
        if unit.kind == "game":
            items, problems = withdraw_from_modules(self.stated(unit), unit.items, self.files)
            self.problems += problems
            return items
        at = place_of_name(unit.base, unit.span)
        if unit.base in (*seen, unit.name):
            self.problems.append(Diagnostic("circular", at, f"`{unit.name}` is a variant of itself", "name a game"))
            return []
        base = self.find(unit.base, "game", at)
        if base is None:
            return []
        whole = self.game(base, (*seen, str(unit.name)))
        items, changes, problems = withdraw(whole, self.stated(unit), self.files)
        self.problems += [*problems, *unused(items, changes)]
        self.swaps += swaps(items, changes)
        if not seen:
            self.redefined += redefinitions(items, changes)
        return vary(items, changes)


def assemble(text: str, file: str, read: Reader = read_folder) -> Program:
    """The program of a game's or variant's text. Raises ``SpecError``."""
    gathering = _Gathering(read)
    unit = gathering.unit(text, file)
    if unit.kind == "module":
        at = place_of_name(unit.name, unit.span)
        message = f"`{unit.name}` is a module; it is checked as part of a game that uses it"
        raise SpecError([Diagnostic("module-alone", at, message, "give the file of a game")])
    items = gathering.game(unit)
    items, more = settle_defaults(items)
    problems = [*gathering.problems, *more]
    if problems:
        raise SpecError(problems)
    items, replaced = settle_replaceable(items)
    items = without_leftovers(items, gathering.before, unit.span.file)
    return Program(
        name=str(unit.name),
        items=tuple(items),
        units=tuple(gathering.units),
        files=gathering.files,
        replaced=tuple(replaced),
        books=gathering.books,
        swaps=tuple(gathering.swaps),
        redefined=tuple(gathering.redefined),
    )
