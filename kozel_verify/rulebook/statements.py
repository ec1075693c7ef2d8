"""What procedures do, as nested lists of Markdown."""

from collections.abc import Callable, Iterator

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.rulebook.expressions import LIST, SUM, Expressions

Cited = Callable[[Span], str]
"""The places that a clause cites, as they are to be written after it; empty when there are none."""


class Statements:
    """Writes blocks in one language."""

    def __init__(self, expressions: Expressions, cited: Cited) -> None:
        self.e, self.words, self.cited = expressions, expressions.words, cited
        self.says = expressions.phrases.says

    def block(self, block: s.BlockOf, depth: int = 0) -> Iterator[str]:
        """The lines of a list."""
        for statement in block.statements:
            yield from self.statement(statement, depth)
        if not block.statements:
            yield _item(self.says["nothing"], depth)

    def statement(self, x: s.Statement, depth: int) -> Iterator[str]:
        cited = self.cited(x.span)
        match x:
            case s.AskSeat():
                yield from self.ask(x, depth)
            case s.ForEach(name, domain, circle, block):
                pattern = self.says["each_circle" if circle else "each"]
                around = self.e.circle(circle) if circle else ""
                head = pattern.format(name=self.e.name(name), domain=self.e.text(domain, LIST), circle=around)
                yield _item(head + cited, depth)
                yield from self.block(block, depth + 1)
            case s.Repeat(block, until):
                yield _item(self.says["repeat"] + cited, depth)
                yield from self.block(block, depth + 1)
                at_its_end = self.cited(until.span) if until.span.line != x.span.line else ""
                yield _item(self.says["until"].format(self.e.text(until)) + at_its_end, depth)
            case s.While(condition, block):
                yield _item(self.says["while"].format(self.e.text(condition)) + cited, depth)
                yield from self.block(block, depth + 1)
            case s.IfElse():
                yield from self.if_else(x, depth)
            case _:
                yield _item(self.sentence(x) + cited, depth)

    def ask(self, x: s.AskSeat, depth: int) -> Iterator[str]:
        pattern = self.says["ask_secretly" if x.secret else "ask"]
        head = pattern.format(node=self.words.of(x.node), seat=self.e.text(x.seat, SUM))
        yield _item(head + self.cited(x.span), depth)
        for verb in x.verbs:
            what = "".join(self.binding(b) for b in verb.bindings)
            when = self.says["when"].format(self.e.text(verb.guard)) if verb.guard is not None else ""
            then = self.says["then" if verb.block.statements else "stop"]
            line = self.says["may"].format(verb=self.words.of(verb.name), what=what, when=when, then=then)
            yield _item(line + self.cited(verb.span), depth + 1)
            if verb.block.statements:
                yield from self.block(verb.block, depth + 2)

    def binding(self, b: s.BindingOf) -> str:
        name, domain = self.e.name(b.name), self.e.text(b.domain, LIST)
        if b.size is None:
            return self.says["may_one"].format(name, domain)
        return self.says["may_group"].format(name, self.e.text(b.size, LIST), domain)

    def if_else(self, x: s.IfElse, depth: int) -> Iterator[str]:
        yield _item(self.says["if_block"].format(self.e.text(x.condition)) + self.cited(x.span), depth)
        yield from self.block(x.then, depth + 1)
        if x.otherwise is not None:
            yield _item(self.says["else_block"], depth)
            yield from self.block(x.otherwise, depth + 1)

    def sentence(self, x: s.Statement) -> str:
        """A statement without others in it."""
        says, text, of = self.says, self.e.text, self.words.of
        match x:
            case s.Let(name, value):
                return says["let"].format(of(name), text(value))
            case s.AssignTo(name, index, value, added):
                return says["increase" if added else "assign"].format(self.indexed(name, index), text(value))
            case s.MoveCards(cards, source, target):
                places = {"source": self.place(source), "target": self.place(target)}
                return says["move"].format(cards=text(cards, LIST), **places)
            case s.DrawCards(count, source, target, name, node):
                called = says["called"].format(of(node or name or "")) if node or name else ""
                places = {"source": self.place(source), "target": self.place(target)}
                return says["draw"].format(count=text(count, SUM), name=called, **places)
            case s.GatherPack(target):
                return says["gather"].format(self.place(target))
            case s.ShowCards(cards, to):
                return says["show"].format(text(cards, LIST), self.seats(to))
            case s.AnnounceValue(value, label, to):
                named = says["label"].format(of(label)) if label else ""
                return says["announce"].format(to=self.seats(to), label=named, value=text(value))
            case s.Run(name, arguments):
                given = ", ".join(text(a, SUM) for a in arguments)
                return says["run_with" if given else "run"].format(f"**{of(name)}**", given)
            case s.Leave(phase):
                return says["leave"].format(f"**{of(phase)}**")
            case s.Again(phase):
                return says["again"].format(f"**{of(phase)}**")
            case s.EndMatch():
                return says["end"]
            case s.DeadClause():
                return says["dead"]
            case _:
                raise AssertionError(f"{type(x).__name__} has statements in it")

    def place(self, place: s.PlaceName) -> str:
        return self.indexed(place.name, place.index)

    def indexed(self, name: str, index: s.Expression | None) -> str:
        of = self.e.name(name)
        return of if index is None else self.says["family"].format(of, self.e.text(index))

    def seats(self, to: s.Expression | None) -> str:
        if to is None or (isinstance(to, s.Name) and to.name == "all"):
            return self.says["everybody"]
        return self.e.text(to, LIST)


def _item(text: str, depth: int) -> str:
    return f"{'  ' * depth}- {text}"
