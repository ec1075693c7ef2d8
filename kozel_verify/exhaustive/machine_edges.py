"""Blocks, menus and the way from an outcome to the first block, as Python functions over lists of slots.

In go the nodes and blocks of a game, out come functions of ``c`` (a list with a value for each cell slot) and ``z`` (a
list with the set of cards in each zone slot). An effect that is not well defined raises ``Undefined``, a dead clause
``DeadReached``. Events are not made, but what they say is evaluated as far as it may have no value.
"""

from collections.abc import Callable, Iterable
from typing import cast

from kozel_verify.exhaustive.machine_code import Code, Uses, joined, literal
from kozel_verify.exhaustive.machine_expressions import EMPTY, Emitter, Scope, sound
from kozel_verify.exhaustive.reads import reads_of
from kozel_verify.model.core import (
    Announce,
    Arrive,
    Ask,
    Assign,
    Block,
    Branch,
    CellKind,
    Dead,
    Draw,
    Effect,
    End,
    Expr,
    Gather,
    Jump,
    Move,
    Node,
    Parameter,
    Rest,
    Show,
    Verb,
    ZoneRef,
)
from kozel_verify.model.types import (
    BoolType,
    NatType,
    OptionalType,
    RangeType,
    SetType,
    Type,
    Value,
    element_indices,
    full_set,
    is_value,
)

CHANCE, PROCEED = -1, -2  # stand for the verb in an outcome of a Draw and of a Rest
Outcome = tuple[int, tuple[Value, ...]]
"""(verb, arguments) of a choice, (``CHANCE``, (card,)) of a draw, (``PROCEED``, ()) of a rest."""

Cells = list[Value]
Zones = list[int]
BlockCode = Callable[[Cells, Zones], int]  # the next block, or ~node
EntryCode = Callable[[Cells, Zones, tuple[Value, ...]], int]  # the first block
MenuCode = Callable[[Cells, Zones], list[Outcome]]


class DeadReached(Exception):
    """Play has come to a clause that the spec calls dead; its text is the clause's name."""


def loads(uses: Uses) -> list[str]:
    """The lines that give the slots among the names of a code their values; those before a step are in ``o``, ``w``,
    what it has shown to each seat in ``e``."""
    names = sorted({name for name, _ in uses if name[0] in "czowe"})
    return [f"{', '.join(names)} = {', '.join(f'{n[0]}[{n[1:]}]' for n in names)}"] if names else []


def indented(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


class Edges:
    """The code of a game's edges. ``deaths`` holds the name of each dead clause, by the number that the code uses.
    ``told``: the cards shown to each seat on the edge that is run; kept up only with ``tells``."""

    def __init__(self, emitter: Emitter, tells: bool = False) -> None:
        self.emitter = emitter
        self.tells = tells
        self.told = [0] * emitter.game.seats
        emitter.namespace["tell"] = self._tell
        self.game = emitter.game
        self.deaths: list[str] = []
        emitter.namespace["dead"] = self._dead
        self._slots = [(z, i) for z in self.game.zones.values() for i in _indices(z.index)]
        self._watched = reads_of(self.game, [z.seen.seats for z in self.game.zones.values()]).cells
        viewers = list(self.viewers().items())
        self._viewers = [(slot, code) for slot, code in viewers if (not code.known if tells else not code.total)]
        self._eyes = [(slot, code) for slot, code in viewers if code.known != (0,)]

    def _tell(self, seats: int, cards: int) -> None:
        for seat in range(len(self.told)):
            if seats >> seat & 1:
                self.told[seat] |= cards

    def _dead(self, number: int) -> int:
        raise DeadReached(self.deaths[number])

    def viewers(self) -> dict[int, Code]:
        """For each zone slot the code of the set of seats that see its cards."""
        return {
            zone.base + k: self.emitter.code(zone.seen.seats, EMPTY.bind(zone.seen.variable, literal(index)))
            for zone in self.game.zones.values()
            for k, index in enumerate(_indices(zone.index))
        }

    def function(self, parameters: str, lines: list[str]) -> Callable[..., object]:
        made = self.emitter.namespace[self.emitter.define(parameters, indented(lines))]
        assert callable(made)
        return made

    # --- blocks ------------------------------------------------------------------------------------------------------

    def block(self, block: Block) -> BlockCode:
        lines = [line for effect in block.effects for line in self.effect(effect)]
        match block.end:
            case Jump(target):
                lines.append(f"return {target}")
            case Branch(condition, then, otherwise):
                test = self.emitter.code(condition, EMPTY)
                lines += [*loads(test.uses), f"return {then} if {test.text} else {otherwise}"]
            case Arrive(node):
                lines += [*self._resets(node), f"return {~node}"]
            case Dead(name):
                lines.append(f"return dead({len(self.deaths)})")
                self.deaths.append(name)
        return cast(BlockCode, self.function("c, z", lines))

    def effect(self, effect: Effect) -> list[str]:
        match effect:
            case Assign(cell, index, value):
                item = self.game.cells[cell]
                slot, code = self.emitter.position(item, index, EMPTY), self.emitter.code(value, EMPTY)
                test = fits("v", item.type, value.type, code)
                return [*loads(slot.uses | code.uses), f"v = {code.text}", *test, *self._write(cell, slot.text)]
            case Move(cards, source, target):
                return self._move(self.emitter.code(cards, EMPTY), source, target)
            case Gather(target):
                slot = self._zone(target)
                clear = f"z[:] = {[0] * self.game.zone_slots()}"
                return [*loads(slot.uses), f"t = {slot.text}", clear, f"z[t] = {self.game.pack}"]
            case Show(cards, to) if self.tells:
                shown, seats = self.emitter.code(cards, EMPTY), self.emitter.code(to, EMPTY)
                return [*loads(shown.uses | seats.uses), f"tell({seats.text}, {shown.text})"]
            case Show(cards, to):
                return self._defined(cards, to)
            case Announce(value, to):
                return self._defined(value, to)

    def _move(self, cards: Code, source: ZoneRef, target: ZoneRef) -> list[str]:
        start, end = self._zone(source), self._zone(target)
        return [
            *loads(cards.uses | start.uses | end.uses),
            f"m, s, t = {cards.text}, {start.text}, {end.text}",
            "if m & ~z[s]: fail('moved from where they are not')",
            *self._carry(source.zone, target.zone),
        ]

    def _carry(self, source: str, target: str) -> list[str]:
        """The cards ``m`` go from slot ``s`` to slot ``t``, and those who may see it are asked for."""
        move = ["z[s] &= ~m", "z[t] |= m"]
        if not self.tells:
            return [*self._seen("m", {source, target}), *move]
        return ["u = 0", *self._looks("s", source), *move, *self._looks("t", target), "tell(u, m)"]

    def _looks(self, at: str, zone: str) -> list[str]:
        """The seats that see the cards ``m`` in the slot of a move where they are now are added to ``u``."""
        eyes = [(slot, code) for slot, code in self._eyes if self._slots[slot][0].name == zone]
        return [
            line for slot, code in eyes for line in (*loads(code.uses), f"if m and {at} == {slot}: u |= {code.text}")
        ]

    def _zone(self, ref: ZoneRef) -> Code:
        return self.emitter.position(self.game.zones[ref.zone], ref.index, EMPTY)

    def _defined(self, *exprs: Expr) -> list[str]:
        """Evaluate what may have no value."""
        codes = [code for code in (self.emitter.code(e, EMPTY) for e in exprs) if not code.total]
        return [line for code in codes for line in (*loads(code.uses), code.text)]

    def _seen(self, condition: str, zones: set[str]) -> list[str]:
        """Who sees cards that move is asked for at the slots of the move."""
        asked = [(slot, code) for slot, code in self._viewers if self._slots[slot][0].name in zones]
        return [
            line
            for slot, code in asked
            for line in (*loads(code.uses), f"if {condition} and {slot} in (s, t): {code.text}")
        ]

    def _write(self, cell: str, slot: str) -> list[str]:
        """``c[slot] = v``, where ``v`` has its value."""
        if cell not in self._watched or not self._viewers:
            return [f"c[{slot}] = v"]
        return self._uncover(f"c[{slot}] != v", [f"c[{slot}] = v"])

    def _uncover(self, changed: str, writes: list[str]) -> list[str]:
        """Writes on which it depends who sees a zone: that is asked for before and after, if they change anything."""
        ask = [line for _, code in self._viewers for line in (*loads(code.uses), code.text)]
        lines = [*self._before(), *writes, *self._after()] if self.tells else [*ask, *writes, *ask]
        return [f"if {changed}:", *(f"    {line}" for line in lines)]

    def _before(self) -> list[str]:
        """Who sees each zone is kept in ``u`` with the slot's number."""
        return [line for slot, code in self._viewers for line in (*loads(code.uses), f"u{slot} = {code.text}")]

    def _after(self) -> list[str]:
        """Whoever has become a viewer of a zone sees what lies in it."""
        told = "tell({text} & ~u{slot}, z[{slot}])"
        return [
            line for slot, code in self._viewers for line in (*loads(code.uses), told.format(text=code.text, slot=slot))
        ]

    def _resets(self, node: int) -> list[str]:
        """What is not live at a node goes back to its initial value, all at once."""
        cells = [c for c in self.game.cells.values() if c.kind is not CellKind.DECLARED]
        dead = [c for c in cells if c.name not in self.game.live[node]]
        slots = [(c.name, c.base + k, literal(c.initial).text) for c in dead for k in range(len(_indices(c.index)))]
        watched = [(slot, text) for name, slot, text in slots if name in self._watched and self._viewers]
        lines = [f"c[{slot}] = {text}" for _, slot, text in slots if (slot, text) not in watched]
        if watched:
            changed = " or ".join(f"c[{slot}] != {text}" for slot, text in watched)
            lines += self._uncover(changed, [f"c[{slot}] = {text}" for slot, text in watched])
        return lines

    # --- outcomes ----------------------------------------------------------------------------------------------------

    def menu(self, node: Node) -> MenuCode:
        """All that can happen at a node, in canonical order."""
        match node:
            case Ask(verbs=verbs):
                parts = [self.choices(n, verb) for n, verb in enumerate(verbs)]
                uses = frozenset[tuple[str, int]]().union(*(u for u, _ in parts))
                lines = ["found = []", *loads(uses), *(line for _, part in parts for line in part), "return found"]
            case Draw(source=source):
                slot = self._zone(source)
                made = f"[({CHANCE}, (card,)) for card in elements(m)]"
                lines = [*loads(slot.uses), f"m = z[{slot.text}]", f"return {made} if m else fail('nothing to draw')"]
            case Rest():
                lines = [f"return [({PROCEED}, ())]"]
            case End():
                lines = ["return []"]
        return cast(MenuCode, self.function("c, z", lines))

    def choices(self, number: int, verb: Verb) -> tuple[Uses, list[str]]:
        """Nested loops that put the legal choices into ``found``, and what they read (their own variables too)."""
        scope, lines, uses, names = EMPTY, list[str](), frozenset[tuple[str, int]](), list[str]()
        for depth, parameter in enumerate(verb.parameters):
            candidates = self._candidates(parameter, scope)
            scope, variable = scope.variable(parameter.name, parameter.type)
            lines.append("    " * depth + f"for {variable.text} in {candidates.text}:")
            uses |= candidates.uses
            names.append(variable.text)
        guard = self.emitter.code(verb.guard, scope)
        arguments = f"({', '.join(names)}{',' if len(names) == 1 else ''})"
        lines.append("    " * len(names) + f"if {guard.text}: found.append(({number}, {arguments}))")
        return uses | guard.uses, lines

    def _candidates(self, parameter: Parameter, scope: Scope) -> Code:
        domain = self.emitter.code(parameter.domain, scope)
        if parameter.lo is None or parameter.hi is None:
            return joined(f"elements({domain.text})", [domain])
        lo, hi = self.emitter.code(parameter.lo, scope), self.emitter.code(parameter.hi, scope)
        return joined(f"subsets({domain.text}, {lo.text}, {hi.text})", [domain, lo, hi])

    def entries(self, node: Node) -> dict[int, EntryCode]:
        """For each verb (or its stand-in) the way from an outcome to the first block; its arguments are in ``a``."""
        match node:
            case Ask(seat=seat, verbs=verbs):
                asked = self._defined(seat)
                return {n: self._entry([*asked, *self._chosen(verb)], verb.block) for n, verb in enumerate(verbs)}
            case Draw():
                return {CHANCE: self._entry(self._drawn(node), node.block)}
            case Rest(block=block):
                return {PROCEED: self._entry([], block)}
            case End():
                return {}

    def _entry(self, lines: list[str], block: int) -> EntryCode:
        return cast(EntryCode, self.function("c, z, a", [*lines, f"return {block}"]))

    def _chosen(self, verb: Verb) -> list[str]:
        lines: list[str] = []
        for n, parameter in enumerate(verb.parameters):
            lines += self._stored(parameter.cell, f"a[{n}]", parameter.type)
        return lines

    def _stored(self, cell: str, text: str, type_: Type) -> list[str]:
        item = self.game.cells[cell]
        return [f"v = {text}", *fits("v", item.type, type_), *self._write(cell, str(item.base))]

    def _drawn(self, node: Draw) -> list[str]:
        start, end = self._zone(node.source), self._zone(node.target)
        move = [f"m, s, t = 1 << a[0], {start.text}, {end.text}", *self._carry(node.source.zone, node.target.zone)]
        kept = [] if node.cell is None else self._stored(node.cell, "a[0]", self.game.cells[node.cell].type)
        return [*loads(start.uses | end.uses), *move, *kept]


def fits(name: str, type_: Type, given: Type, code: Code | None = None) -> list[str]:
    """The lines that refuse a value which is not of ``type_``; none where it must be: ``given`` is the type that the
    expression has, ``code`` its code if there is one."""
    if (code and code.known and is_value(code.known[0], type_)) or (given == type_ and _exact(type_)):
        return []
    test = _misfit(name, type_)
    return [f"if {test}: fail('not a value of its cell')"] if test else []


def _exact(type_: Type) -> bool:
    """Types of which no expression has a value outside."""
    match type_:
        case BoolType() | NatType():
            return True
        case SetType(of) | OptionalType(of):
            return _exact(of)
        case _:
            return sound(type_)


def _misfit(name: str, type_: Type) -> str:
    match type_:
        case BoolType() | NatType():
            return ""
        case SetType(of):
            return f"{name} & ~{full_set(of)}"
        case OptionalType(of):
            inner = _misfit(name, of)
            return f"{name} is not None and ({inner})" if inner else ""
        case RangeType(lo, hi):
            return f"not {lo} <= {name} <= {hi}"
        case _:
            return f"not 0 <= {name} < {len(element_indices(type_))}"


def _indices(index: Type | None) -> tuple[Value, ...]:
    return (None,) if index is None else tuple(element_indices(index))
