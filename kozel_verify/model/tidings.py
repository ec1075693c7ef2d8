"""What a scenario says that seats are told: ``told seat 2 : any = true, shown {6♠}`` against what the rules announce.

In go the words of the line and the blocks of the game; out come typed values. A label has one type, that of all values
which the rules announce under it taken together; so a value that is written cannot be mistaken for one of another kind.
A number is any number: that another one is announced is a matter for the play.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Announce, Block, Const, Tiding
from kozel_verify.model.expressions import constant, is_number, join, seats
from kozel_verify.model.scope import Problem, Scope
from kozel_verify.model.types import NAT, OptionalType, SetType, Type


@dataclass(frozen=True, slots=True)
class TidingReader:
    """``sound``: are the blocks all there? Where rules have errors, a label may be missing because of them. All methods
    raise ``Problem``."""

    blocks: tuple[Block, ...]
    scope: Scope
    sound: bool

    def told_to(self, e: s.Expression) -> int:
        """The seats of a line, as a mask."""
        found = seats(e, self.scope)
        if not isinstance(found, Const):
            hint = "name seats, such as `seat 2`, `{seat 1, seat 3}` or `all`"
            raise Problem("not-constant", e.span, "a constant is wanted here", hint)
        if not found.value:
            raise Problem("type", e.span, "this is no seat", "name a seat, or several, or `all`")
        return int(found.value)

    def tidings(self, told: Iterable[s.TidingOf]) -> tuple[Tiding, ...]:
        return tuple(self._tiding(t) for t in told)

    def _tiding(self, t: s.TidingOf) -> Tiding:
        label = None if t.label is None else str(t.label)
        if label is None:
            type_: Type = SetType(self.scope.globals.card)
        else:
            type_ = self._type_of(label, place_of_name(t.label or "", t.span))
        return Tiding(label, constant(t.value, self.scope, type_).value, type_)

    def _type_of(self, label: str, at: Span) -> Type:
        effects = [e for block in self.blocks for e in block.effects if isinstance(e, Announce)]
        types = [e.value.type for e in effects if e.label == label]
        if not types:
            raise self._unknown(label, at, {e.label for e in effects} - {""})
        found = types[0]
        for type_ in types[1:]:
            try:
                found = join(found, type_, at)
            except Problem as problem:
                message = f"values of several types are announced {_named(label)}: {found} and {type_}"
                hint = "let the rules announce them under names of their own"
                raise Problem("type", at, message, hint) from problem
        return _any_number(found)

    def _unknown(self, label: str, at: Span, known: set[str]) -> Problem:
        hint = did_you_mean(label, known) or "what is announced: " + ", ".join(f"`{n}`" for n in sorted(known))
        message = f"nothing is announced {_named(label)}"
        return Problem("unknown-name", at, message, hint if known else "", silent=not self.sound)


def _any_number(type_: Type) -> Type:
    if isinstance(type_, OptionalType):
        return OptionalType(_any_number(type_.of))
    return NAT if is_number(type_) else type_


def _named(label: str) -> str:
    return f"as `{label}`" if label else "without a name"
