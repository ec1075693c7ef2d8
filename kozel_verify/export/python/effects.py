"""Effects to Python statements."""

from collections.abc import Iterable

from kozel_verify.export.python.context import Context, Scope, number
from kozel_verify.export.python.expressions import Emitter
from kozel_verify.export.python.operators import Code
from kozel_verify.model.core import Announce, Assign, Effect, Expr, Gather, Move, Show, ZoneRef, slot_count
from kozel_verify.model.types import NatType, OptionalType, RangeType, SetType, Type, full_set


class EffectWriter:
    """Writes effects. ``viewers`` is the code for who sees which zone; ``announcements`` collects what is told, as
    pairs of a label and a type."""

    def __init__(self, context: Context, emitter: Emitter, viewers: str) -> None:
        self.context, self.emitter, self.viewers = context, emitter, viewers
        self.watched = context.watched()
        self.announcements: list[tuple[str, Type]] = []

    def effect(self, effect: Effect, scope: Scope) -> list[str]:
        """The lines of an effect, without indent."""
        match effect:
            case Assign(cell, index, value):
                code = _fitting(self.emitter.code(value, scope), value, self.context.game.cells[cell].type)
                return self.store(cell, index, code, scope)
            case Move(cards, source, target):
                return self.move(self.emitter.code(cards, scope), source, target, scope)
            case Gather(target):
                return [f"_gather(z, e, {self._slot(target, scope)})"]
            case Show(cards, to):
                return [f"e.append((SHOWN, {self._value(cards, scope)}, {self._value(to, scope)}))"]
            case Announce(value, to, label):
                told = (label, value.type)
                if told not in self.announcements:
                    self.announcements.append(told)
                place = self.announcements.index(told)
                return [f"e.append((ANNOUNCED, {place}, {self._value(value, scope)}, {self._value(to, scope)}))"]

    def _value(self, expr: Expr, scope: Scope) -> str:
        return self.emitter.code(expr, scope).text

    def _slot(self, ref: ZoneRef, scope: Scope) -> str:
        return self.emitter.zone_slot(ref.zone, ref.index, scope)

    def move(self, cards: Code, source: ZoneRef, target: ZoneRef, scope: Scope, drawn: bool = False) -> list[str]:
        ends = f"{self._slot(source, scope)}, {self._slot(target, scope)}"
        return [f"_move(z, e, {self.viewers}, {cards.text}, {ends}{', 1' if drawn else ''})"]

    def store(self, cell: str, index: Expr | None, value: Code, scope: Scope) -> list[str]:
        """Write a cell; where it depends on the cell who sees a zone, tell new viewers what lies in it."""
        if index is None and cell in scope.cells:
            return [f"{scope.cells[cell].text} = {value.text}"]
        line = f"c[{self.emitter.cell_slot(cell, index, scope)}] = {value.text}"
        return self._watching([line]) if cell in self.watched else [line]

    def _watching(self, lines: list[str]) -> list[str]:
        return ["before = zone_viewers(c, o)", *lines, "_uncover(z, e, before, zone_viewers(c, o))"]

    def reset(self, cells: Iterable[str]) -> list[str]:
        """Set cells back to their initial values, all at once."""
        lines, watched = [], False
        for name in cells:
            cell, base = self.context.game.cells[name], self.context.cell_names[name]
            initial = number(cell.initial)
            count = slot_count(cell.index)
            places = [base] if cell.index is None else [f"{base} + {k}" if k else base for k in range(count)]
            lines += [f"c[{place}] = {initial}" for place in places]
            watched |= name in self.watched
        return self._watching(lines) if watched else lines


def _fitting(code: Code, value: Expr, type_: Type) -> Code:
    """The value, checked where its own type does not tell that the cell can hold it."""
    of = value.type
    if of == type_ or isinstance(type_, NatType):
        return code
    if isinstance(type_, OptionalType) and isinstance(type_.of, RangeType):
        return Code(f"_fit_optional({code.text}, {type_.of.lo}, {type_.of.hi})")
    if isinstance(type_, RangeType):
        inside = isinstance(of, RangeType) and type_.lo <= of.lo and of.hi <= type_.hi
        known = code.text.isdigit() and type_.lo <= int(code.text) <= type_.hi
        return code if inside or known else Code(f"_fit({code.text}, {type_.lo}, {type_.hi})")
    if isinstance(type_, SetType):
        return Code(f"_fit_set({code.text}, {hex(full_set(type_.of))})")
    return code
