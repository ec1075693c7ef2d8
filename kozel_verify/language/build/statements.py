"""Statements: parse tree to syntax tree."""

from typing import Any

from lark import v_args
from lark.tree import Meta

from kozel_verify.language import syntax as s
from kozel_verify.language.build.shared import Base


@v_args(meta=True)
class Statements(Base):
    """One method for each rule of the grammar that states a statement or a part of one."""

    def block(self, meta: Meta, c: list[Any]) -> s.BlockOf:
        return s.BlockOf(tuple(c), self._at(meta))

    def let(self, meta: Meta, c: list[Any]) -> s.Let:
        return s.Let(self._word(c[0]), c[1], self._at(meta))

    def assign(self, meta: Meta, c: list[Any]) -> s.AssignTo:
        return s.AssignTo(self._word(c[0]), c[1], c[2], False, self._at(meta))

    def increase(self, meta: Meta, c: list[Any]) -> s.AssignTo:
        return s.AssignTo(self._word(c[0]), c[1], c[2], True, self._at(meta))

    def place(self, meta: Meta, c: list[Any]) -> s.PlaceName:
        return s.PlaceName(self._word(c[0]), c[1], self._at(meta))

    def move(self, meta: Meta, c: list[Any]) -> s.MoveCards:
        return s.MoveCards(c[0], c[1], c[2], self._at(meta))

    def draw(self, meta: Meta, c: list[Any]) -> s.DrawCards:
        name, node = (self._maybe_word(x) for x in c[3:5])
        return s.DrawCards(c[0], c[1], c[2], name, node, self._at(meta))

    def gather(self, meta: Meta, c: list[Any]) -> s.GatherPack:
        return s.GatherPack(c[0], self._at(meta))

    def show(self, meta: Meta, c: list[Any]) -> s.ShowCards:
        return s.ShowCards(c[0], c[1], self._at(meta))

    def announce(self, meta: Meta, c: list[Any]) -> s.AnnounceValue:
        return s.AnnounceValue(c[0], self._maybe_word(c[1]), c[2], self._at(meta))

    def one_of(self, meta: Meta, c: list[Any]) -> s.BindingOf:
        return s.BindingOf(self._word(c[0]), None, c[1], self._at(meta))

    def group_of(self, meta: Meta, c: list[Any]) -> s.BindingOf:
        return s.BindingOf(self._word(c[0]), c[1], c[2], self._at(meta))

    def verb(self, meta: Meta, c: list[Any]) -> s.VerbOf:
        bindings = tuple(x for x in c[1:-2] if x is not None)
        return s.VerbOf(self._word(c[0]), bindings, c[-2], c[-1], self._at(meta))

    def ask(self, meta: Meta, c: list[Any]) -> s.AskSeat:
        return s.AskSeat(c[0], c[1] is not None, self._word(c[2]), tuple(c[3:]), self._at(meta))

    def clockwise_from(self, meta: Meta, c: list[Any]) -> s.Circle:
        return s.Circle(False, c[0], self._at(meta))

    def clockwise_after(self, meta: Meta, c: list[Any]) -> s.Circle:
        return s.Circle(True, c[0], self._at(meta))

    def for_each(self, meta: Meta, c: list[Any]) -> s.ForEach:
        return s.ForEach(self._word(c[0]), c[1], c[2], c[3], self._at(meta))

    def repeat(self, meta: Meta, c: list[Any]) -> s.Repeat:
        return s.Repeat(c[0], c[1], self._at(meta))

    def while_(self, meta: Meta, c: list[Any]) -> s.While:
        return s.While(c[0], c[1], self._at(meta))

    def else_block(self, meta: Meta, c: list[Any]) -> s.BlockOf:
        return c[0]  # type: ignore[no-any-return]

    def else_if(self, meta: Meta, c: list[Any]) -> s.BlockOf:
        at = self._at(meta)
        return s.BlockOf((s.IfElse(c[0], c[1], c[2], at),), at)

    def if_(self, meta: Meta, c: list[Any]) -> s.IfElse:
        return s.IfElse(c[0], c[1], c[2], self._at(meta))

    def run(self, meta: Meta, c: list[Any]) -> s.Run:
        return s.Run(self._word(c[0]), tuple(x for x in c[1:] if x is not None), self._at(meta))

    def leave(self, meta: Meta, c: list[Any]) -> s.Leave:
        return s.Leave(self._word(c[0]), self._at(meta))

    def again(self, meta: Meta, c: list[Any]) -> s.Again:
        return s.Again(self._word(c[0]), self._at(meta))

    def end(self, meta: Meta, c: list[Any]) -> s.EndMatch:
        return s.EndMatch(self._at(meta))

    def dead(self, meta: Meta, c: list[Any]) -> s.DeadClause:
        return s.DeadClause(self._word(c[0]), self._at(meta))
