"""Why a statement is true or false: the values of its parts, told in the words of the spec.

In go an interpreter, a state and a statement; out come lines. Only the parts that decide are told: the false side of an
``and``, the element that breaks an ``every``, both sides of a comparison, the cards that no matching can serve.
"""

from collections.abc import Mapping, Sequence

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.evaluate import number
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Apply, Bind, Binding, Call, Const, Expr, If, Local, Lookup, Matching
from kozel_verify.model.types import BoolType, SetType, Type, Value, members
from kozel_verify.verify.demonstrate import explain_matching
from kozel_verify.verify.scenario_text import literal

COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">=", "in", "within"})
DEPTH = 4  # functions that are entered, one inside the other
Locals = Mapping[str, Value]


def source_text(texts: Mapping[str, str], span: Span) -> str:
    """What a span covers, on one line and without comments and citations; empty when the text is not at hand."""
    lines = texts.get(span.file, "").split("\n")[span.line - 1 : span.end_line] if span.line else []
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return " ".join(" ".join(line.split("@")[0].split("#")[0] for line in lines).split())


class Explainer:
    """Explains statements of one game; ``texts`` are the texts of its files, for quoting."""

    def __init__(self, interpreter: Interpreter, texts: Mapping[str, str]) -> None:
        self.interpreter = interpreter
        self.texts = texts

    def why(
        self,
        state: State,
        statement: Expr,
        locals: Locals | None = None,
        before: State | None = None,
        events: Sequence[object] = (),
    ) -> list[str]:
        """Lines that say what decides the value of a statement in a state, after a step from ``before`` with these
        events if it is about one."""
        try:
            return list(dict.fromkeys(_Reasons(self, state, before, events).of(statement, locals or {}, 0)))
        except NotWellDefined as missing:
            return [f"it has no value: {missing}"]

    def literal(self, value: Value, type_: Type) -> str:
        if isinstance(type_, BoolType):
            return "true" if value else "false"
        try:
            return literal(self.interpreter.game, value, type_)
        except ValueError:
            return "none"


class _Reasons:
    def __init__(
        self, explainer: Explainer, state: State, before: State | None = None, events: Sequence[object] = ()
    ) -> None:
        self.explainer = explainer
        self.state = state
        self.before = before
        self.events = events

    def value(self, expr: Expr, locals: Locals) -> Value:
        return self.explainer.interpreter.evaluate(self.state, expr, locals, self.before, self.events)

    def shown(self, expr: Expr, locals: Locals) -> str:
        return self.explainer.literal(self.value(expr, locals), expr.type)

    def quoted(self, expr: Expr) -> str:
        if isinstance(expr, Local):
            return f"`{expr.name}`"
        text = source_text(self.explainer.texts, expr.span)
        return f"`{text}`" if text else "it"

    def of(self, expr: Expr, locals: Locals, depth: int) -> list[str]:
        match expr:
            case Apply("not", (Apply(op, (left, right)) as inner,)) if inner.span == expr.span:  # `x not in y`
                return self.compared(expr, (left, right), locals) if op in COMPARISONS else self.plain(expr, locals)
            case Apply("not", (inner,)):
                return self.of(inner, locals, depth)
            case Apply("and" | "or" | "implies", (left, right)):
                return self.both(expr, left, right, locals, depth)
            case Apply(op, (left, right)) if op in COMPARISONS and isinstance(expr.type, BoolType):
                return self.compared(expr, (left, right), locals)
            case Call():
                return self.called(expr, locals, depth)
            case Bind(Binding.EVERY | Binding.SOME):
                return self.over(expr, locals, depth)
            case If(condition, then, otherwise):
                taken = then if self.value(condition, locals) else otherwise
                return [*self.plain(condition, locals), *self.of(taken, locals, depth)]
            case Matching():
                return self.matched(expr, locals)
            case _:
                return self.plain(expr, locals)

    def plain(self, expr: Expr, locals: Locals) -> list[str]:
        """One line: the value, or that it holds; nothing where the value is what is written."""
        if isinstance(expr, Const) and not isinstance(expr.type, BoolType):
            return []
        if isinstance(expr.type, BoolType):
            return [f"{self.quoted(expr)} {'holds' if self.value(expr, locals) else 'does not hold'}"]
        return [f"{self.quoted(expr)} is {self.shown(expr, locals)}"]

    def both(self, expr: Apply, left: Expr, right: Expr, locals: Locals, depth: int) -> list[str]:
        """Only the sides that decide: one is enough where the left decides, or where the left is neutral."""
        first = bool(self.value(left, locals))
        decides = first if expr.op == "or" else not first
        if decides:
            return self.of(left, locals, depth)
        if expr.op == "and" and not self.value(right, locals):
            return self.of(right, locals, depth)
        return [*self.of(left, locals, depth), *self.of(right, locals, depth)]

    def compared(self, expr: Apply, sides: tuple[Expr, Expr], locals: Locals) -> list[str]:
        said = [line for side in sides for line in self.side(side, expr.span, locals)]
        holds = "holds" if self.value(expr, locals) else "does not hold"
        return [f"{self.quoted(expr)} {holds}" + (": " + ", ".join(said) if said else "")]

    def side(self, side: Expr, whole: Span, locals: Locals) -> list[str]:
        """The value of one side, unless it is written out already or is no text of its own."""
        while isinstance(side, Apply) and side.op in ("some", "value"):
            side = side.args[0]
        if isinstance(side, Lookup) and side.span == whole:  # `x above y in ORDER` compares places that nobody wrote
            side = side.key
        if side.span == whole or (isinstance(side, Apply) and side.op in ("set", "span")):
            return []
        if isinstance(side, Call) and isinstance(side.type, BoolType):
            return self.plain(side, locals)
        shown = self.shown(side, locals)
        return (
            []
            if isinstance(side, Const) and self.quoted(side) in ("it", f"`{shown}`")
            else [f"{self.quoted(side)} is {shown}"]
        )

    def called(self, expr: Call, locals: Locals, depth: int) -> list[str]:
        function = self.explainer.interpreter.game.functions[expr.function]
        values = {p.name: self.value(a, locals) for p, a in zip(function.parameters, expr.args, strict=True)}
        unclear = [
            f"{p.name} is {self.explainer.literal(values[p.name], p.type)}"
            for p, a in zip(function.parameters, expr.args, strict=True)
            if not isinstance(a, Const) and not (isinstance(a, Apply) and a.op == "set")
        ]
        head = self.plain(expr, locals)
        if unclear:
            head = [f"{head[0]}, where {', '.join(unclear)}"]
        if depth >= DEPTH or not isinstance(expr.type, BoolType):
            return head
        return [*head, *(f"  {line}" for line in self.of(function.body, values, depth + 1))]

    def over(self, expr: Bind, locals: Locals, depth: int) -> list[str]:
        """The first element that decides, or that there is none."""
        wanted = expr.binding is Binding.SOME
        domain = number(self.value(expr.domain, locals))
        of = expr.domain.type.of if isinstance(expr.domain.type, SetType) else expr.domain.type
        for element in members(domain):
            inner = {**locals, expr.variable: element}
            if bool(self.value(expr.body, inner)) is wanted:
                head = f"for {expr.variable} = {self.explainer.literal(element, of)}:"
                return [head, *(f"  {line}" for line in self.of(expr.body, inner, depth))]
        return self.plain(expr, locals)

    def matched(self, expr: Matching, locals: Locals) -> list[str]:
        """For a matching that fails, the cards that share too few partners."""
        targets, replies = (list(members(number(self.value(e, locals)))) for e in (expr.targets, expr.replies))

        def answers(reply: int, target: int) -> bool:
            return bool(self.value(expr.body, {**locals, expr.reply: reply, expr.target: target}))

        name = self.explainer.interpreter.game.deck.name
        return [*self.plain(expr, locals), *explain_matching(targets, replies, answers, name)]
