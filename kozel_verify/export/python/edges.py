"""Blocks to Python functions: one for each edge out of a node, and one for each block that several ways lead to.

A function takes the cells ``c`` and zones ``z`` of a state as lists which it changes, the options ``o`` and the list
``e`` to which it adds events; it returns the node at which the edge ends. Cells that no node needs are its local
variables. Branches whose ways meet again become ``if`` statements, so that the text follows the rule.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from kozel_verify.export.python.analysis import Reads, joins, reachable, successors
from kozel_verify.export.python.context import Context, Scope
from kozel_verify.export.python.effects import EffectWriter
from kozel_verify.export.python.expressions import Emitter
from kozel_verify.export.python.names import Namer
from kozel_verify.export.python.operators import OPERATIONS, Code
from kozel_verify.model.core import (
    Announce,
    Arrive,
    Assign,
    Branch,
    CellKind,
    Dead,
    Draw,
    Effect,
    Gather,
    Jump,
    Move,
    Show,
)

INDENT = "    "
HEAD = "c: list[int], z: list[int], o: Options, e: list[Event]"


@dataclass(frozen=True, slots=True)
class Entry:
    """The start of an edge. ``node`` is ``None`` for the beginning of a match; ``cells`` are set from arguments."""

    name: str
    node: int | None
    block: int
    cells: tuple[str, ...]
    draw: Draw | None = None


class EdgeWriter:
    def __init__(self, context: Context, emitter: Emitter, effects: EffectWriter, entries: tuple[Entry, ...]) -> None:
        self.context, self.emitter, self.effects, self.entries = context, emitter, effects, entries
        game = context.game
        self.order = reachable(game, tuple(entry.block for entry in entries))
        self.join = joins(game, self.order)
        self.live = self._live()
        self.dirty = self._dirty()
        self.names: dict[int, str] = {}  # blocks that are functions of their own
        self.count: dict[int, int] = {}

    def write(self) -> list[str]:
        """The texts of all functions."""
        ways = self._ways()
        meeting = set(self.join.values())
        self._share(b for b in self.order if ways[b] > 1 and b not in meeting and not self._short(b))
        while True:
            self.count = dict.fromkeys(self.order, 0)
            texts = [self._entry(entry) for entry in self.entries] + [self._block(b) for b in tuple(self.names)]
            again = [b for b in self.order if self.count[b] > 1 and ways[b] > 1 and not self._short(b)]
            if not again:
                return texts
            self._share(again[:1])  # what follows it may then stand only once

    def _share(self, blocks: Iterable[int]) -> None:
        for block in blocks:
            self.names[block] = self.context.names.take(f"block_{block}")

    def _short(self, block: int) -> bool:
        """Is the block so short that it may stand in several places?"""
        found = self.context.game.blocks[block]
        return not found.effects and isinstance(found.end, Arrive | Dead)

    def _ways(self) -> dict[int, int]:
        """By how many ways each block is entered."""
        ways = dict.fromkeys(self.order, 0)
        for block in [b for n in self.order for b in successors(self.context.game.blocks[n].end)]:
            ways[block] += 1
        for entry in self.entries:
            ways[entry.block] += 1
        return ways

    # --- what is known about cells ------------------------------------------------------------------------------------

    def _live(self) -> dict[int, frozenset[str]]:
        """For each block the local cells whose value on entry may still be read."""
        live: dict[int, frozenset[str]] = {}
        for number in reversed(self.order):
            block = self.context.game.blocks[number]
            needed = frozenset[str]().union(*(live[b] for b in successors(block.end)))
            if isinstance(block.end, Branch):
                needed |= self.context.facts.reads(block.end.condition).cells
            for effect in reversed(block.effects):
                if isinstance(effect, Assign) and effect.index is None:
                    needed -= {effect.cell}
                needed |= self._effect_reads(effect).cells
            live[number] = needed & self.context.local_cells
        return live

    def _effect_reads(self, effect: Effect) -> Reads:
        match effect:
            case Assign(_, index, value):
                exprs = [value, index]
            case Move(cards, source, target):
                exprs = [cards, source.index, target.index]
            case Gather(target):
                exprs = [target.index]
            case Show(cards, to):
                exprs = [cards, to]
            case Announce(value, to):
                exprs = [value, to]
        reads = Reads()
        for expr in exprs:
            reads |= self.context.facts.reads(expr) if expr is not None else Reads()
        return reads

    def _dirty(self) -> dict[int, frozenset[str]]:
        """For each block the cells that may differ from their initial value at its end, and are reset at nodes where
        they are not live."""
        game = self.context.game
        own = frozenset(c.name for c in game.cells.values() if c.kind is not CellKind.DECLARED)
        own -= self.context.local_cells
        into: dict[int, frozenset[str]] = dict.fromkeys(self.order, frozenset())
        for entry in self.entries:
            live = game.live[entry.node] if entry.node is not None else frozenset[str]()
            into[entry.block] |= (live | frozenset(entry.cells)) & own
        out: dict[int, frozenset[str]] = {}
        for number in self.order:
            block = game.blocks[number]
            assigned = frozenset(e.cell for e in block.effects if isinstance(e, Assign))
            out[number] = into[number] | assigned & own
            for following in successors(block.end):
                into[following] |= out[number]
        return out

    # --- functions ----------------------------------------------------------------------------------------------------

    def _scope(self) -> Scope:
        scope = Scope(Namer({"before"}, parent=self.context.names))
        for name in sorted(self.context.local_cells):
            scope.cells[name] = Code(scope.names.take(name.lower()))
        return scope

    def _entry(self, entry: Entry) -> str:
        scope, lines = self._scope(), list[str]()
        parameters = []
        for name in entry.cells:
            code = scope.cells.get(name) or Code(scope.names.take(name.lower()))
            parameters.append(f", {code.text}: int")
            if name not in scope.cells:
                lines += self.effects.store(name, None, code, scope)
        if entry.draw is not None:
            lines, parameters = self._drawn(entry.draw, scope)
        for name in sorted(self.live[entry.block] - set(entry.cells)):
            initial = self.context.game.cells[name].initial
            lines.append(f"{scope.cells[name].text} = {-1 if initial is None else int(initial)}")
        lines = [INDENT + line for line in lines]
        self._region(entry.block, None, 1, scope, lines, first=False)
        return f"def {entry.name}({HEAD}{''.join(parameters)}) -> int:\n" + "\n".join(lines)

    def _drawn(self, draw: Draw, scope: Scope) -> tuple[list[str], list[str]]:
        """The lines that move the drawn card and keep its face, and the parameter that holds it."""
        name = draw.cell
        card = scope.cells[name] if name in scope.cells else Code(scope.names.take("card"))
        mask = OPERATIONS["set"](card)
        lines = self.effects.move(mask, draw.source, draw.target, scope, drawn=True)
        if name is not None and name not in scope.cells:
            lines += self.effects.store(name, None, card, scope)
        return lines, [f", {card.text}: int"]

    def _block(self, block: int) -> str:
        scope, lines = self._scope(), list[str]()
        locals = "".join(f", {scope.cells[n].text}: int" for n in sorted(self.live[block]))
        self._region(block, None, 1, scope, lines, first=True)
        return f"def {self.names[block]}({HEAD}{locals}) -> int:\n" + "\n".join(lines)

    def _region(
        self, block: int, stop: int | None, depth: int, scope: Scope, lines: list[str], first: bool = False
    ) -> bool:
        """Write everything from a block up to ``stop``; does a way come there?"""
        while block != stop:
            if block in self.names and not first:
                locals = "".join(f", {scope.cells[n].text}" for n in sorted(self.live[block]))
                lines.append(f"{INDENT * depth}return {self.names[block]}(c, z, o, e{locals})")
                return False
            first = False
            self.count[block] += 1
            found = self.context.game.blocks[block]
            for effect in found.effects:
                lines += [INDENT * depth + line for line in self.effects.effect(effect, scope)]
            following = self._end(block, stop, depth, scope, lines)
            if following is None:
                return False
            block = following
        return True

    def _end(self, block: int, stop: int | None, depth: int, scope: Scope, lines: list[str]) -> int | None:
        """Write a block's end; the block that comes after it, or ``None``."""
        end = self.context.game.blocks[block].end
        match end:
            case Jump(following):
                return following
            case Arrive(node):
                idle = sorted(self.dirty[block] - self.context.game.live[node])
                lines += [INDENT * depth + line for line in self.effects.reset(idle)]
                lines.append(f"{INDENT * depth}return {node}")
                return None
            case Dead(name):
                lines.append(f"{INDENT * depth}raise RuleFault({f'the dead clause {name} was reached'!r})")
                return None
            case Branch(condition, then, otherwise):
                meeting = self.join[block]
                inner = stop if meeting is None else meeting
                test = self.emitter.truth(condition, scope)
                if self._branch(test, then, otherwise, inner, depth, scope, lines):
                    return inner
                return None

    def _branch(
        self, test: Code, then: int, otherwise: int, stop: int | None, depth: int, scope: Scope, lines: list[str]
    ) -> bool:
        first, second = list[str](), list[str]()
        falls = self._region(then, stop, depth + 1, scope, first)
        if not falls:  # what comes after needs no `else`
            lines += [f"{INDENT * depth}if {test.text}:", *first]
            return self._region(otherwise, stop, depth, scope, lines)
        self._region(otherwise, stop, depth + 1, scope, second)
        if first:
            lines += [f"{INDENT * depth}if {test.text}:", *first]
            lines += [f"{INDENT * depth}else:", *second] if second else []
        elif second:
            lines += [f"{INDENT * depth}if {OPERATIONS['not'](test).text}:", *second]
        return True
