"""Expressions: parse tree to syntax tree."""

from typing import Any

from lark import v_args
from lark.tree import Meta

from kozel_verify.language import syntax as s
from kozel_verify.language.build.shared import Base, canonical_card, canonical_suit
from kozel_verify.language.spans import Word


@v_args(meta=True)
class Expressions(Base):
    """One method for each rule of the grammar that states an expression."""

    def name(self, meta: Meta, c: list[Any]) -> s.Name:
        return s.Name(self._word(c[0]), self._at(meta))

    def whole_pack(self, meta: Meta, c: list[Any]) -> s.Name:
        return s.Name("pack", self._at(meta))

    def number(self, meta: Meta, c: list[Any]) -> s.Number:
        return s.Number(self._integer(c[0]), self._at(meta))

    def card(self, meta: Meta, c: list[Any]) -> s.CardLiteral:
        return s.CardLiteral(*canonical_card(c[0]), self._at(meta))

    def suit_literal(self, meta: Meta, c: list[Any]) -> s.SuitLiteral:
        return s.SuitLiteral(canonical_suit(c[0]), self._at(meta))

    def true(self, meta: Meta, c: list[Any]) -> s.Truth:
        return s.Truth(True, self._at(meta))

    def false(self, meta: Meta, c: list[Any]) -> s.Truth:
        return s.Truth(False, self._at(meta))

    def none(self, meta: Meta, c: list[Any]) -> s.Nothing:
        return s.Nothing(self._at(meta))

    def seat(self, meta: Meta, c: list[Any]) -> s.SeatLiteral:
        return s.SeatLiteral(self._integer(c[0]), self._at(meta))

    def indexed(self, meta: Meta, c: list[Any]) -> s.Indexed:
        return s.Indexed(self._word(c[0]), c[1], self._at(meta))

    def call(self, meta: Meta, c: list[Any]) -> s.CallExpression:
        return s.CallExpression(self._word(c[0]), tuple(x for x in c[1:] if x is not None), self._at(meta))

    def _result_of(self, word: str, meta: Meta, c: list[Any]) -> s.CallExpression:
        return s.CallExpression(Word(word, self._at(meta)), (c[0],), self._at(meta))

    def outcome_of(self, meta: Meta, c: list[Any]) -> s.CallExpression:
        return self._result_of("outcome", meta, c)

    def gain_of(self, meta: Meta, c: list[Any]) -> s.CallExpression:
        return self._result_of("gain", meta, c)

    def loss_of(self, meta: Meta, c: list[Any]) -> s.CallExpression:
        return self._result_of("loss", meta, c)

    def set_literal(self, meta: Meta, c: list[Any]) -> s.SetLiteral:
        return s.SetLiteral(tuple(x for x in c if x is not None), self._at(meta))

    def case(self, meta: Meta, c: list[Any]) -> s.Case:
        return s.Case(c[0], c[1], self._at(meta))

    def cases(self, meta: Meta, c: list[Any]) -> s.Cases:
        return s.Cases(tuple(c[:-1]), c[-1], self._at(meta))

    def choose(self, meta: Meta, c: list[Any]) -> s.Cases:
        at = self._at(meta)
        return s.Cases((s.Case(c[0], c[1], at),), c[2], at)

    def place_of(self, meta: Meta, c: list[Any]) -> s.PlaceOf:
        return s.PlaceOf(c[0], self._word(c[1]), self._at(meta))

    def old(self, meta: Meta, c: list[Any]) -> s.OldExpression:
        return s.OldExpression(c[0], self._at(meta))

    def shown(self, meta: Meta, c: list[Any]) -> s.ShownExpression:
        return s.ShownExpression(c[0], self._at(meta))

    def above(self, meta: Meta, c: list[Any]) -> s.Above:
        return s.Above(c[0], c[1], self._word(c[2]), self._at(meta))

    def matching(self, meta: Meta, c: list[Any]) -> s.MatchingExpression:
        return s.MatchingExpression(c[0], c[1], self._word(c[2]), self._at(meta))

    def first(self, meta: Meta, c: list[Any]) -> s.FirstExpression:
        return s.FirstExpression(self._word(c[0]), c[1], c[2], c[3], self._at(meta))

    def compare(self, meta: Meta, c: list[Any]) -> s.Operation:
        return s.Operation(str(c[1]), (c[0], c[2]), self._at(meta))


_OPERATORS = {
    "implies": "implies", "or_": "or", "and_": "and", "not_": "not", "greater": ">", "in_": "in", "not_in": "not in",
    "within": "within", "is_none": "is none", "is_some": "is some", "span": "..", "union": "union",
    "without": "without", "intersect": "intersect", "add": "+", "subtract": "-", "multiply": "*", "div": "div",
    "mod": "mod", "size": "size",
}  # fmt: skip


def _operation(operator: str) -> Any:
    def build(self: Base, meta: Meta, c: list[Any]) -> s.Operation:
        return s.Operation(operator, tuple(c), self._at(meta))

    return build


def _quantified(word: str) -> Any:
    def build(self: Base, meta: Meta, c: list[Any]) -> s.Quantified:
        return s.Quantified(word, self._word(c[0]), c[1], c[2], self._at(meta))

    return build


for _rule, _operator in _OPERATORS.items():
    setattr(Expressions, _rule, v_args(meta=True)(_operation(_operator)))
for _word in ("every", "some", "those", "the", "sum", "top"):
    setattr(Expressions, _word, v_args(meta=True)(_quantified(_word)))
