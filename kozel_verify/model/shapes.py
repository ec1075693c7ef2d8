"""Which expressions of two games are written alike, whatever their variables are called.

In go expressions of one or of several games; out come numbers: equal numbers belong to expressions with the same
structure, where functions are looked into and bound variables stand for their place. So equal numbers mean equal
values in equal states; different numbers mean nothing.
"""

from collections.abc import Hashable, Mapping

from kozel_verify.model.core import (
    Apply,
    Bind,
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

Names = Mapping[str, Hashable]
DEPTH = ""  # no variable has this name; under it stands how many are bound


class Shapes:
    """Numbers for the shapes of expressions; one object for all that is to be compared."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}
        self._functions: dict[tuple[int, str], int] = {}
        self._games: list[Game] = []  # kept alive: the functions are known by the ids of their games

    def number(self, shape: Hashable) -> int:
        return self._numbers.setdefault(shape, len(self._numbers))

    def function(self, game: Game, name: str) -> int:
        """The shape of a function: parameter types, result type and body."""
        if (id(game), name) not in self._functions:
            self._games.append(game)
            function = game.functions[name]
            names: Names = {p.name: n for n, p in enumerate(function.parameters)}
            types = tuple(p.type for p in function.parameters)
            body = self.of(game, function.body, names)
            self._functions[id(game), name] = self.number(("function", types, function.type, body))
        return self._functions[id(game), name]

    def of(self, game: Game, expr: Expr, names: Names | None = None) -> int:
        """The shape of an expression whose free variables stand for ``names``."""
        return self.number(self._shape(game, expr, names or {}))

    def _shape(self, game: Game, expr: Expr, names: Names) -> Hashable:
        def part(inner: Expr | None, *bound: str) -> Hashable:
            if inner is None:
                return None
            depth = len(bound) + int(str(names.get(DEPTH, 0)))
            return self.of(
                game, inner, {**names, DEPTH: depth, **{v: ("bound", depth, n) for n, v in enumerate(bound)}}
            )

        match expr:
            case Const(value, type_):
                return "const", type(value).__name__, value, type_
            case Local(name, type_):
                return "local", names[name], type_
            case OptionRead(name, type_):
                return "option", name, type_
            case CellRead(cell, index, type_):
                return "cell", cell, part(index), type_
            case ZoneRead(zone, index):
                return "zone", zone, part(index)
            case Apply(op, args, type_):
                return "apply", op, tuple(part(a) for a in args), type_
            case Lookup(table, key, type_):
                return "lookup", tuple((type(v).__name__, v) for v in table), part(key), type_
            case If(condition, then, otherwise):
                return "if", part(condition), part(then), part(otherwise)
            case Call(function, args):
                return "call", self.function(game, function), tuple(part(a) for a in args)
            case Bind(binding, variable, domain, body, type_):
                return "bind", binding, part(domain), part(body, variable), type_
            case First(variable, domain, start, after, body):
                return "first", part(domain), part(start), after, part(body, variable)
            case Matching(targets, replies, target, reply, body):
                return "matching", part(targets), part(replies), part(body, target, reply)
            case Old(value):
                return "old", part(value)
            case Revealed(seat):
                return "revealed", part(seat)
