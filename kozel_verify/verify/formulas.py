"""Expressions of the core written out as text, in the words and with the precedence of the language.

In go a game, an expression, and the names by which hidden cells are known where it stands; out comes one line.
Constants are folded in the core, so the text may be longer than what an author would write; it says the same, which a
test holds by reading it back (but for tables and matchings, which have names in a spec and none in the core). Used for
what the tool has found by itself and has no place in a spec.
"""

from collections.abc import Mapping

from kozel_verify.model.core import (
    Apply,
    Bind,
    Binding,
    Call,
    CellRead,
    Const,
    Expr,
    First,
    Game,
    If,
    Local,
    Lookup,
    Matching,
    Old,
    OptionRead,
    Revealed,
    ZoneRead,
)
from kozel_verify.model.types import OptionalType, element_indices
from kozel_verify.verify.scenario_text import literal

_OPEN, _IMPLIES, _OR, _AND, _NOT, _COMPARED, _SPAN, _SETS, _SUM, _PRODUCT, _OPERAND = range(11)
_INFIX = {
    "implies": _IMPLIES, "or": _OR, "and": _AND, "==": _COMPARED, "!=": _COMPARED, "<": _COMPARED, "<=": _COMPARED,
    ">": _COMPARED, ">=": _COMPARED, "in": _COMPARED, "within": _COMPARED, "union": _SETS, "intersect": _SETS,
    "without": _SETS, "+": _SUM, "-": _SUM, "*": _PRODUCT, "div": _PRODUCT, "mod": _PRODUCT,
}  # fmt: skip
_BEHIND = {Binding.EVERY: ":", Binding.SOME: ":", Binding.THOSE: "where", Binding.THE: "where", Binding.SUM: "of",
           Binding.TOP: "by"}  # fmt: skip


def formula(game: Game, expr: Expr, names: Mapping[str, str] | None = None) -> str:
    """The text of an expression; ``names``: what cells are called, where that is not their own name."""
    return _Writer(game, names or {}).text(expr, _OPEN)


class _Writer:
    def __init__(self, game: Game, names: Mapping[str, str]) -> None:
        self.game = game
        self.names = names

    def text(self, expr: Expr, around: int) -> str:
        """In brackets where what stands around it binds as closely or more."""
        text, level = self.written(expr)
        return f"({text})" if level < around else text

    def written(self, expr: Expr) -> tuple[str, int]:
        match expr:
            case Const(value, type_):
                return literal(self.game, value, type_), _OPERAND
            case Local(name) | OptionRead(name):
                return name, _OPERAND
            case CellRead(name, index) | ZoneRead(name, index):
                known = self.names.get(name, name.rsplit(".", 1)[-1].split("#")[0])
                return known if index is None else f"{known}[{self.text(index, _OPEN)}]", _OPERAND
            case Apply():
                return self._applied(expr)
            case Lookup(table, key):
                keys = element_indices(key.type)
                rows = (f"{literal(self.game, k, key.type)}: {literal(self.game, table[k], expr.type)}" for k in keys)
                return f"{{{', '.join(rows)}}}[{self.text(key, _OPEN)}]", _OPERAND
            case If(condition, then, otherwise):
                parts = (self.text(e, _IMPLIES) for e in (condition, then))
                return "if {} then {} else ".format(*parts) + self.text(otherwise, _OPEN), _OPEN
            case Call(function, args):
                return f"{function}({', '.join(self.text(a, _OPEN) for a in args)})", _OPERAND
            case Bind(binding, variable, domain, body):
                head = f"{binding.value} {variable} in {self.text(domain, _SPAN)}"
                return f"{head} {_BEHIND[binding]} {self.text(body, _OPEN)}", _OPEN
            case First():
                return self._first(expr)
            case Matching(targets, replies, _, _, body):
                head = f"matching {self.text(targets, _SPAN)} -> {self.text(replies, _SPAN)}"
                return f"{head} by {self.text(body, _OPERAND)}", _COMPARED
            case Old(value):
                return f"old({self.text(value, _OPEN)})", _OPERAND
            case Revealed(seat):
                return f"shown({self.text(seat, _OPEN)})", _OPERAND

    def _applied(self, expr: Apply) -> tuple[str, int]:
        op, args = expr.op, expr.args
        if op in ("some", "value"):  # the language wraps and unwraps by itself
            return self.written(args[0])
        if op == "size":
            return f"|{self.text(args[0], _OPEN)}|", _OPERAND
        if op == "set":
            return "{" + ", ".join(self.text(a, _OPEN) for a in args) + "}", _OPERAND
        if op == "span":
            return f"{self.text(args[0], _SUM)}..{self.text(args[1], _SUM)}", _SPAN
        if op == "not":
            return f"not {self.text(args[0], _NOT)}", _NOT
        if op in ("==", "!=") and any(_is_none(a) for a in args):
            other = next((a for a in args if not _is_none(a)), args[0])
            return f"{self.text(other, _SPAN)} is {'not ' if op == '!=' else ''}none", _COMPARED
        if op in _INFIX:
            level = _INFIX[op]
            left, right = level + (level == _COMPARED or op == "implies"), level + (op != "implies")
            return f"{self.text(args[0], left)} {op} {self.text(args[1], right)}", level
        return f"{op}({', '.join(self.text(a, _OPEN) for a in args)})", _OPERAND

    def _first(self, expr: First) -> tuple[str, int]:
        word = "after" if expr.after else "from"
        domain, start = self.text(expr.domain, _SPAN), self.text(expr.start, _SPAN)
        head = f"first {expr.variable} in {domain} clockwise {word} {start}"
        if isinstance(expr.body, Const):
            return head, _OPEN
        return f"{head} where {self.text(expr.body, _OPEN)}", _OPEN


def _is_none(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value is None and isinstance(expr.type, OptionalType)
