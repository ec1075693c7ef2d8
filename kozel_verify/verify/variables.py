"""Which variables a property can name at a node.

In go a program and one of its games; out come, for a node, the names of variables of loops, choices, `let`s and
parameters that are in sight there and whose value is still kept, each with the cell that holds it. The names are found
again from the paths of cells and the text; that they are exactly those that the elaboration accepts is tested. Nothing
is concluded from them.
"""

from dataclasses import dataclass

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Cell, CellKind, Game
from kozel_verify.model.program import Program

UNSERVED = "_unserved"  # how the cell is called that holds what is left of a loop's domain
Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class InSight:
    """``named``: variables by name; ``unserved``: for the variables of loops around the node, what is left of the
    domain. Both lead to the cell's name, in the order of the cells."""

    named: dict[str, str]
    unserved: dict[str, str]


class Variables:
    def __init__(self, program: Program, game: Game) -> None:
        self.game = game
        self._procedures = {str(i.name): i for i in program.items if isinstance(i, s.ProcedureOf)}
        wanted = s.ForEach | s.Let | s.ParameterOf | s.DrawCards
        self._written: dict[Span, object] = {}
        for item in program.items:
            for x in s.parts(item):
                if isinstance(x, wanted):
                    self._written.setdefault(x.span, x)

    def at(self, index: int) -> InSight:
        """What can be named at a node."""
        around = path_of(self.game.nodes[index].name)[:-1]
        kept = sorted((self.game.cells[name] for name in self.game.live[index]), key=lambda cell: cell.base)
        own = {(path, word): cell.name for cell in kept for path, word in self._names(cell)}
        named = {word: cell for (path, word), cell in own.items() if path == around}
        for word in self._parameters(around):
            if word not in named and (cell := self._passed(around, word, own)) is not None:
                named[word] = cell
        left = [(path, word, cell.name) for cell in kept for path, word in self._loops(cell)]
        inner_last = sorted((x for x in left if x[0] == around[: len(x[0])]), key=lambda x: len(x[0]))
        return InSight(named, {word: cell for _, word, cell in inner_last})

    def _names(self, cell: Cell) -> list[tuple[Path, str]]:
        """The procedure, as a path, and the name by which the author knows a cell there."""
        path = path_of(cell.name)
        syntax = self._written.get(cell.span)
        match cell.kind:
            case CellKind.CHOICE:
                return [(path[:-3], path[-1])]  # its node and its verb are in its path
            case CellKind.LOOP | CellKind.LET:
                written = getattr(syntax, "name", None)
                return [(path[:-1], path[-1])] if written is not None and path[-1] == str(written) else []
            case CellKind.DECLARED:
                return []

    def _loops(self, cell: Cell) -> list[tuple[Path, str]]:
        path = path_of(cell.name)
        syntax = self._written.get(cell.span)
        if cell.kind is CellKind.LOOP and isinstance(syntax, s.ForEach) and path[-1] == f"{syntax.name}{UNSERVED}":
            return [(path[:-1], str(syntax.name))]
        return []

    def _parameters(self, around: Path) -> list[str]:
        procedure = self._procedures.get(around[-1]) if around else None
        return [str(p.name) for p in procedure.parameters] if procedure is not None else []

    def _passed(self, around: Path, word: str, own: dict[tuple[Path, str], str]) -> str | None:
        """The cell that a parameter is, where a variable of the caller is handed on as it is."""
        if word not in self._parameters(around):
            return None
        position = self._parameters(around).index(word)
        caller = self._procedures.get(around[-2] if len(around) > 1 else "match")
        for run in s.parts(caller) if caller is not None else ():
            if isinstance(run, s.Run) and run.name == around[-1] and len(run.arguments) > position:
                argument = run.arguments[position]
                if isinstance(argument, s.Name):
                    outer = around[:-1]
                    cell = own.get((outer, str(argument.name))) or self._passed(outer, str(argument.name), own)
                    if cell is not None:
                        return cell
        return None


def path_of(name: str) -> Path:
    """The parts of a node's or generated cell's name, without the numbers of copies."""
    return tuple(part.split("#")[0] for part in name.split("."))
