"""What an expression reads: options, cells and zones, also through the functions that it calls, and local variables."""

from collections.abc import Iterable
from dataclasses import dataclass

from kozel_verify.model.core import (
    Bind,
    Call,
    CellRead,
    Expr,
    First,
    Game,
    Local,
    Matching,
    OptionRead,
    Revealed,
    ZoneRead,
)
from kozel_verify.model.walk import children, subexpressions


@dataclass(frozen=True, slots=True)
class Reads:
    """Names; and whether it is asked what a step has shown."""

    options: frozenset[str]
    cells: frozenset[str]
    zones: frozenset[str]
    revealed: bool


def reads_of(game: Game, expressions: Iterable[Expr]) -> Reads:
    """All that may be read by evaluating ``expressions``."""
    options: set[str] = set()
    cells: set[str] = set()
    zones: set[str] = set()
    revealed = False
    called: set[str] = set()
    todo = list(expressions)
    while todo:
        for expr in subexpressions(todo.pop()):
            match expr:
                case OptionRead(name):
                    options.add(name)
                case CellRead(cell):
                    cells.add(cell)
                case ZoneRead(zone):
                    zones.add(zone)
                case Revealed():
                    revealed = True
                case Call(function) if function not in called:
                    called.add(function)
                    todo.append(game.functions[function].body)
                case _:
                    pass
    return Reads(frozenset(options), frozenset(cells), frozenset(zones), revealed)


def free_locals(expr: Expr) -> frozenset[str]:
    """Names of the local variables that ``expr`` does not bind itself."""
    match expr:
        case Local(name):
            return frozenset({name})
        case Bind(_, variable, domain, body):
            return free_locals(domain) | (free_locals(body) - {variable})
        case First(variable, domain, start, _, body):
            return free_locals(domain) | free_locals(start) | (free_locals(body) - {variable})
        case Matching(targets, replies, target, reply, body):
            return free_locals(targets) | free_locals(replies) | (free_locals(body) - {target, reply})
        case _:
            return frozenset().union(*(free_locals(child) for child in children(expr)))
