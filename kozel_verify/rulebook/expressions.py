"""Expressions as phrases. In go a syntax tree and words; brackets stand where a phrase would be read otherwise."""

from kozel_verify.language import syntax as s
from kozel_verify.rulebook.words import Words

OPEN, OR, AND, COMPARED, LIST, SUM, PRODUCT, CLOSED = range(8)  # how tightly a phrase holds together
_LEVEL = {
    "implies": OPEN, "or": OR, "and": AND, "not": OPEN, "..": LIST, "union": LIST, "without": LIST, "intersect": LIST,
    "+": SUM, "-": SUM, "*": PRODUCT, "div": PRODUCT, "mod": PRODUCT, "size": LIST,
}  # fmt: skip
_LEFT = {"or", "and", "union", "without", "+", "*"}  # a chain of them needs no brackets on its left


class Expressions:
    """Writes expressions in one language."""

    def __init__(self, words: Words) -> None:
        self.words, self.phrases = words, words.phrases

    def text(self, e: s.Expression, level: int = OPEN) -> str:
        """The phrase, in brackets when it holds together less than ``level``."""
        text, own = self.phrase(e)
        return text if own >= level else f"({text})"

    def name(self, name: str) -> str:
        """A name as it stands in a phrase: slanted, but for single letters, which stand for anything."""
        return name if len(name) == 1 else f"*{self.words.of(name)}*"

    def phrase(self, e: s.Expression) -> tuple[str, int]:
        """The phrase, and how tightly it holds together."""
        says = self.phrases.says
        match e:
            case s.Name("won" | "lost" | "neither" as outcome):  # what has a member of this name is another thing
                return f"*{self.phrases.names[outcome]}*", CLOSED
            case s.Name(name):
                return self.name(name), CLOSED
            case s.Number(value):
                return str(value), CLOSED
            case s.CardLiteral(rank, suit):
                return f"{self.words.rank(rank)}{suit}", CLOSED
            case s.RankLiteral(rank):
                return self.words.rank(rank), CLOSED
            case s.SuitLiteral(suit):
                return suit, CLOSED
            case s.Truth(value):
                return says["true" if value else "false"], CLOSED
            case s.Nothing():
                return says["none"], CLOSED
            case s.SeatLiteral(number):
                return says["seat"].format(number), CLOSED
            case s.Indexed(name, index):
                return says["family"].format(self.name(name), self.text(index)), CLOSED
            case s.CallExpression(name, arguments):
                return self.call(name, arguments), CLOSED
            case s.SetLiteral(elements):
                texts = [self.text(x, SUM) for x in elements]
                return (", ".join(texts) or says["empty"]), CLOSED if len(texts) < 2 else LIST
            case s.Operation(operator, operands):
                return self.operation(operator, operands)
            case s.Quantified() | s.FirstExpression() | s.MatchingExpression():
                return self.bound(e), OPEN
            case s.PlaceOf(element, order):
                return says["place"].format(self.text(element, SUM), self.name(order)), COMPARED
            case s.Above(left, right, order):
                return says["above"].format(self.text(left, SUM), self.text(right, SUM), self.name(order)), COMPARED
            case s.Cases():
                return self.cases(e), OPEN
            case s.OldExpression() | s.ShownExpression():
                raise AssertionError("rules do not say what was before")  # only claims do

    def call(self, name: str, arguments: tuple[s.Expression, ...]) -> str:
        says = self.phrases.says
        if name in ("outcome", "gain", "loss"):
            return says[name].format(self.text(arguments[0]))
        if not arguments:
            return self.name(name)
        return says["call"].format(self.name(name), ", ".join(self.text(a, SUM) for a in arguments))

    def operation(self, operator: str, operands: tuple[s.Expression, ...]) -> tuple[str, int]:
        level = _LEVEL.get(operator, COMPARED)
        if operator in ("size", "not"):
            texts = [self.text(operands[0], CLOSED if operator == "size" else COMPARED)]
        elif operator in ("in", "not in"):
            texts = [self.text(operands[0], SUM), self.text(operands[1], LIST)]
        else:
            first = level if operator in _LEFT else level + 1
            texts = [self.text(x, first if n == 0 else level + 1) for n, x in enumerate(operands)]
        return self.phrases.operators[operator].format(*texts), level

    def bound(self, e: s.Quantified | s.FirstExpression | s.MatchingExpression) -> str:
        says = self.phrases.says
        match e:
            case s.Quantified(word, name, domain, body):
                pattern = self.phrases.quantified[word]
                return pattern.format(name=self.name(name), domain=self.text(domain, LIST), body=self.text(body, AND))
            case s.FirstExpression(name, domain, circle, body):
                text = says["first"].format(
                    name=self.name(name), domain=self.text(domain, LIST), circle=self.circle(circle)
                )
                return text if body is None else says["where"].format(text, self.text(body, AND))
            case s.MatchingExpression(targets, replies, predicate):
                return says["matching"].format(
                    targets=self.text(targets, LIST), replies=self.text(replies, LIST), by=self.name(predicate)
                )

    def circle(self, circle: s.Circle) -> str:
        return self.phrases.says["after" if circle.after else "from"].format(self.text(circle.start, LIST))

    def cases(self, e: s.Cases) -> str:
        says = self.phrases.says
        if len(e.rows) == 1:
            row = e.rows[0]
            return says["if"].format(self.text(row.condition), self.text(row.value, OR), self.text(e.otherwise, OR))
        return "; ".join([*self.rows(e), says["otherwise"].format(self.text(e.otherwise, OR))])

    def rows(self, e: s.Cases) -> list[str]:
        """One phrase for each row but the last."""
        return [self.phrases.says["case"].format(self.text(r.condition), self.text(r.value, OR)) for r in e.rows]

    def type(self, type_: s.TypeName) -> str:
        match type_:
            case s.NamedType(name) | s.OptionalTypeName(name) | s.SetTypeName(name):
                return self.phrases.types.get(name) or self.words.of(name)
            case s.RangeTypeName(lo, hi):
                return f"{self.text(lo, SUM)}–{self.text(hi, SUM)}"
            case s.InlineEnumeration(items):
                return ", ".join(self.name(i) for i in items)
