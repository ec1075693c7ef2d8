"""The page of rules of one game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.model.load import Spec
from kozel_verify.model.program import Reader, read_folder
from kozel_verify.rulebook.expressions import LIST, OPEN, SUM, Expressions
from kozel_verify.rulebook.markdown import plain
from kozel_verify.rulebook.phrases import Language
from kozel_verify.rulebook.statements import Statements
from kozel_verify.rulebook.words import Words, words_for

_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True)
class Page:
    """``text`` is Markdown and ends with a line feed. ``wordless``: names without a word in its language."""

    text: str
    wordless: tuple[str, ...]


def page(spec: Spec, language: Language, read: Reader = read_folder) -> Page:
    """The rules of a game. Raises ``SpecError`` for a bad list of words."""
    words = words_for(spec.program, language, read)
    writer = _Page(spec, words)
    parts = [
        writer.head(), writer.cards(), writer.options(), writer.zones(), writer.play(), writer.meanings(),
        writer.kept(), writer.results(),
    ]  # fmt: skip
    text = "\n".join(line for part in parts for line in part).rstrip("\n") + "\n"
    return Page(text, tuple(sorted(words.wordless)))


class _Page:
    def __init__(self, spec: Spec, words: Words) -> None:
        self.spec, self.words, self.says = spec, words, words.phrases.says
        self.e = Expressions(words)
        self.statements = Statements(self.e, self.cited)

    def cited(self, span: Span) -> str:
        places = self.spec.game.citations.get((span.file, span.line), ())
        return f" [{', '.join(map(plain, places))}]" if places else ""

    def items(self, kind: type[_Item]) -> list[_Item]:
        return [item for item in self.spec.program.items if isinstance(item, kind)]

    def head(self) -> Iterator[str]:
        title = plain(self.spec.game.titles.get(self.words.language, ""))
        yield f"# {title or self.words.of(self.spec.game.name)}"
        yield ""
        yield self.says["made"].format(self.spec.game.name)
        yield ""

    def section(self, title: str, lines: Sequence[str]) -> Iterator[str]:
        if lines:
            yield from (f"## {self.says[title]}", "", *lines, "")

    def cards(self) -> Iterator[str]:
        lines = []
        for deck in self.items(s.DeckOf):
            lines.append("- " + self.says["suits"].format(", ".join(deck.suits)) + self.cited(deck.span))
            lines.append("- " + self.says["ranks"].format(", ".join(map(self.words.rank, deck.ranks))))
        lines += ["- " + self.says["seats"].format(x.count) + self.cited(x.span) for x in self.items(s.Seats)]
        for order in self.items(s.Order):
            members = ", ".join(self.e.text(x) for x in order.items)
            lines.append(
                "- " + self.says["highest"].format(self.words.of(order.name), members) + self.cited(order.span)
            )
        lines += [f"- {line}" for line in self.constants()]
        yield from self.section("cards", lines)

    def constants(self) -> Iterator[str]:
        for constant in self.items(s.Constant):
            if isinstance(constant.value, s.Table):
                rows = [f"{self.e.text(x.key, SUM)} — {self.e.text(x.value, SUM)}" for x in constant.value.entries]
                if constant.value.otherwise is not None:
                    rows.append(self.says["in_other"].format(self.e.text(constant.value.otherwise, SUM)))
                value = ", ".join(rows)
            else:
                value = self.e.text(constant.value)
            yield f"**{self.words.of(constant.name)}**: {value}{self.cited(constant.span)}"

    def options(self) -> Iterator[str]:
        options = self.items(s.Option)
        rows = [
            _row(self.words.of(o.name), self.e.type(o.type), self.e.text(o.default), self.cited(o.span))
            for o in options
        ]
        lines = [self.says["option_head"], "|---|---|---|---|", *rows] if rows else []
        constraints = [
            self.says["constraint"].format(self.e.text(x.condition)) + self.cited(x.span)
            for x in self.items(s.Constraint)
        ]
        yield from self.section("options", [*lines, *[""] * bool(lines and constraints), *constraints])

    def zones(self) -> Iterator[str]:
        rows = [_row(self.named(z), self.seen(z.seen), self.cited(z.span)) for z in self.items(s.ZoneOf)]
        yield from self.section("zones", [self.says["zone_head"], "|---|---|---|", *rows] if rows else [])

    def named(self, item: s.ZoneOf | s.StateOf) -> str:
        name = self.words.of(item.name)
        return name if item.family is None else self.says["family"].format(name, self.words.of(item.family.name))

    def seen(self, seats: s.Expression) -> str:
        if isinstance(seats, s.Name) and seats.name in ("all", "nobody"):
            return self.says["everybody" if seats.name == "all" else "nobody"]
        return self.e.text(seats, OPEN)

    def kept(self) -> Iterator[str]:
        rows = []
        for cell in self.items(s.StateOf):
            first = self.e.text(cell.initial, LIST)
            if cell.fresh is not None:
                first = self.says["fresh"].format(first, self.e.name(cell.fresh))
            seen = self.says["everybody"] if cell.seen is None else self.seen(cell.seen)
            rows.append(_row(self.named(cell), first, seen, self.cited(cell.span)))
        yield from self.section("kept", [self.says["kept_head"], "|---|---|---|---|", *rows] if rows else [])

    def play(self) -> Iterator[str]:
        """The phases, from the whole to its parts, then the procedures in the order in which they are first run."""
        there = {str(p.name): p for p in self.items(s.ProcedureOf)}
        lines: list[str] = []
        for name in _order(there):
            procedure = there[name]
            given = self.parameters(procedure.parameters)
            lines += [f"### {self.words.of(name)}{given}{self.cited(procedure.span)}", ""]
            lines += [*self.statements.block(procedure.block), ""]
        yield from self.section("play", lines[:-1])

    def parameters(self, parameters: Sequence[s.ParameterOf]) -> str:
        return f" ({', '.join(self.words.of(p.name) for p in parameters)})" if parameters else ""

    def meanings(self) -> Iterator[str]:
        lines: list[str] = []
        needed = _needed(self.spec.program.items)
        for function in (f for f in self.items(s.FunctionOf) if f.name in needed):
            head = f"- **{self.words.of(function.name)}**{self.parameters(function.parameters)}"
            match function.body:
                case s.Cases(rows, otherwise) as cases if len(rows) > 1:
                    lines.append(f"{head}:{self.cited(function.span)}")
                    for row, text in zip(rows, self.e.rows(cases), strict=True):
                        lines.append(f"  - {text}{self.cited(row.span)}")
                    lines.append(f"  - {self.says['otherwise'].format(self.e.text(otherwise))}")
                case body:
                    lines.append(f"{head}: {self.e.text(body)}.{self.cited(function.span)}")
        yield from self.section("means", lines)

    def results(self) -> Iterator[str]:
        lines = []
        for result in self.items(s.Result):
            head = self.says[f"result_{result.word}"].format(self.words.of(result.seat))
            lines.append(f"- {head}: {self.e.text(result.value)}.{self.cited(result.span)}")
        yield from self.section("results", lines)


def _row(*cells: str) -> str:
    return f"| {' | '.join(c.strip() for c in cells)} |"


def _needed(items: Sequence[s.Item]) -> set[str]:
    """The names that the rules read, directly or by way of functions: what only promises read is not of the rules."""
    functions = {str(f.name): f for f in items if isinstance(f, s.FunctionOf)}
    rules = (s.ProcedureOf, s.Result, s.ZoneOf, s.StateOf, s.Constraint, s.Option, s.Constant)
    todo: list[s.Item] = [x for x in items if isinstance(x, rules)]
    found: set[str] = set()
    while todo:
        for x in s.parts(todo.pop()):
            name = x.predicate if isinstance(x, s.MatchingExpression) else getattr(x, "name", None)
            if isinstance(name, str) and name in functions and name not in found:
                found.add(name)
                todo.append(functions[name])
    return found


def _order(there: dict[str, s.ProcedureOf]) -> Iterator[str]:
    """Names of procedures: `match` and what it runs, what that runs, and so on; what nothing runs at the end."""
    seen: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in there and name not in seen:
            seen[name] = None
            for x in s.parts(there[name].block):
                if isinstance(x, s.Run):
                    visit(str(x.name))

    visit("match")
    for name in there:
        visit(name)
    return iter(seen)
