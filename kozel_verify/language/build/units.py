"""Units, declarations and types: parse tree to syntax tree."""

from typing import Any

from lark import Token, v_args
from lark.tree import Meta

from kozel_verify.language import syntax as s
from kozel_verify.language.build.shared import Base, canonical_rank, canonical_suit, span_of


@v_args(meta=True)
class Units(Base):
    """One method for each rule of the grammar that states a unit, a declaration or a type."""

    def start(self, meta: Meta, c: list[Any]) -> tuple[Token, s.Unit]:
        return c[0], c[1]

    def game(self, meta: Meta, c: list[Any]) -> s.Unit:
        return s.Unit("game", self._word(c[0]), (), "", tuple(c[1:]), span=self._at(meta))

    def module(self, meta: Meta, c: list[Any]) -> s.Unit:
        parameters = tuple(x for x in c[1:] if isinstance(x, tuple))
        items = tuple(x for x in c[1:] if x is not None and not isinstance(x, tuple))
        return s.Unit("module", self._word(c[0]), parameters, "", items, span=self._at(meta))

    def variant(self, meta: Meta, c: list[Any]) -> s.Unit:
        return s.Unit("variant", self._word(c[0]), (), self._word(c[1]), tuple(c[2:]), span=self._at(meta))

    def module_parameter(self, meta: Meta, c: list[Any]) -> tuple[str, s.Expression | None]:
        return self._word(c[0]), c[1]

    def replaceable(self, meta: Meta, c: list[Any]) -> s.Replaceable:
        return s.Replaceable(c[0], self._at(meta))

    def text(self, meta: Meta, c: list[Any]) -> s.Text:
        return s.Text(self._word(c[0]), str(c[1])[1:-1], self._at(meta))

    def title(self, meta: Meta, c: list[Any]) -> s.Title:
        return s.Title(tuple(c), self._at(meta))

    def term(self, meta: Meta, c: list[Any]) -> s.Term:
        return s.Term(self._word(c[0]), tuple(c[1:]), self._at(meta))

    def source(self, meta: Meta, c: list[Any]) -> s.Source:
        name = s.Word(canonical_rank(str(c[0])), span_of(self.file, c[0]))  # a single letter may be a rank
        return s.Source(name, str(c[1])[1:-1], self._at(meta))

    def argument(self, meta: Meta, c: list[Any]) -> s.Argument:
        return s.Argument(self._word(c[0]), c[1], self._at(meta))

    def use(self, meta: Meta, c: list[Any]) -> s.Use:
        return s.Use(self._word(c[0]), tuple(a for a in c[1:] if a is not None), self._at(meta))

    def suit(self, meta: Meta, c: list[Any]) -> s.SuitLiteral:
        return s.SuitLiteral(canonical_suit(c[0]), self._at(meta))

    def rank(self, meta: Meta, c: list[Any]) -> s.RankLiteral:
        return s.RankLiteral(canonical_rank(str(c[0])), self._at(meta))

    def deck(self, meta: Meta, c: list[Any]) -> s.DeckOf:
        suits = tuple(x.suit for x in c if isinstance(x, s.SuitLiteral))
        ranks = tuple(x.rank for x in c if isinstance(x, s.RankLiteral))
        return s.DeckOf(suits, ranks, self._at(meta))

    def seats(self, meta: Meta, c: list[Any]) -> s.Seats:
        return s.Seats(self._integer(c[0]), self._at(meta))

    def pack_cards(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "cards", c[0]

    def pack_seats(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "seats", self._integer(c[0])

    def pack_value(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "value", s.Argument(self._word(c[0]), c[1], self._at(meta))

    def pack(self, meta: Meta, c: list[Any]) -> s.Pack:
        parts = c[1:]
        cards = next((v for k, v in parts if k == "cards"), None)
        seats = next((v for k, v in parts if k == "seats"), None)
        return s.Pack(self._word(c[0]), cards, seats, tuple(v for k, v in parts if k == "value"), self._at(meta))

    def enumeration(self, meta: Meta, c: list[Any]) -> s.Enumeration:
        return s.Enumeration(self._word(c[0]), self._words(c[1:]), self._at(meta))

    def option(self, meta: Meta, c: list[Any]) -> s.Option:
        return s.Option(self._word(c[0]), c[1], c[2], tuple(c[3:]), self._at(meta))

    def option_default(self, meta: Meta, c: list[Any]) -> s.OptionDefault:
        return s.OptionDefault(self._word(c[0]), c[1], self._at(meta))

    def constraint(self, meta: Meta, c: list[Any]) -> s.Constraint:
        return s.Constraint(c[0], self._at(meta))

    def order(self, meta: Meta, c: list[Any]) -> s.Order:
        return s.Order(self._word(c[0]), tuple(c[1:]), self._at(meta))

    def entry(self, meta: Meta, c: list[Any]) -> s.Entry:
        return s.Entry(c[0], c[1], self._at(meta))

    def table(self, meta: Meta, c: list[Any]) -> s.Table:
        return s.Table(tuple(x for x in c if isinstance(x, s.Entry)), c[-1], self._at(meta))

    def const(self, meta: Meta, c: list[Any]) -> s.Constant:
        return s.Constant(self._word(c[0]), c[1], self._at(meta))

    def family(self, meta: Meta, c: list[Any]) -> s.Family:
        return s.Family(self._word(c[0]), c[1], self._at(meta))

    def zone(self, meta: Meta, c: list[Any]) -> s.ZoneOf:
        return s.ZoneOf(self._word(c[0]), c[1], c[2], self._at(meta))

    def state(self, meta: Meta, c: list[Any]) -> s.StateOf:
        fresh = self._maybe_word(c[5])
        return s.StateOf(self._word(c[0]), c[1], c[2], c[3], c[4], fresh, self._at(meta))

    def parameter(self, meta: Meta, c: list[Any]) -> s.ParameterOf:
        return s.ParameterOf(self._word(c[0]), c[1], self._at(meta))

    def parameters(self, meta: Meta, c: list[Any]) -> tuple[s.ParameterOf, ...]:
        return tuple(c)

    def function(self, meta: Meta, c: list[Any]) -> s.FunctionOf:
        return s.FunctionOf(self._word(c[0]), c[1] or (), c[2], c[3], self._at(meta))

    def predicate(self, meta: Meta, c: list[Any]) -> s.FunctionOf:
        return s.FunctionOf(self._word(c[0]), c[1] or (), None, c[2], self._at(meta))

    def procedure(self, meta: Meta, c: list[Any]) -> s.ProcedureOf:
        return s.ProcedureOf(self._word(c[0]), c[1] or (), c[2], False, self._at(meta))

    def phase(self, meta: Meta, c: list[Any]) -> s.ProcedureOf:
        return s.ProcedureOf(self._word(c[0]), (), c[1], True, self._at(meta))

    def outcome(self, meta: Meta, c: list[Any]) -> s.Result:
        return s.Result("outcome", self._word(c[0]), c[1], self._at(meta))

    def gain(self, meta: Meta, c: list[Any]) -> s.Result:
        return s.Result("gain", self._word(c[0]), c[1], self._at(meta))

    def loss(self, meta: Meta, c: list[Any]) -> s.Result:
        return s.Result("loss", self._word(c[0]), c[1], self._at(meta))

    def need_predicate(self, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need("predicate", self._word(c[0]), c[1] or (), None, self._at(meta))

    def need_function(self, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need("function", self._word(c[0]), c[1] or (), c[2], self._at(meta))

    def need_procedure(self, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need("procedure", self._word(c[0]), c[1] or (), None, self._at(meta))

    def _need_kind(self, kind: str, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need(kind, self._word(c[0]), (), None, self._at(meta))

    def need_const(self, meta: Meta, c: list[Any]) -> s.Need:
        return self._need_kind("const", meta, c)

    def need_order(self, meta: Meta, c: list[Any]) -> s.Need:
        return self._need_kind("order", meta, c)

    def need_zone(self, meta: Meta, c: list[Any]) -> s.Need:
        return self._need_kind("zone", meta, c)

    def need_state(self, meta: Meta, c: list[Any]) -> s.Need:
        return self._need_kind("state", meta, c)

    def need_type(self, meta: Meta, c: list[Any]) -> s.Need:
        return self._need_kind("type", meta, c)

    def need_option(self, meta: Meta, c: list[Any]) -> s.Need:
        return self._need_kind("option", meta, c)

    def named_type(self, meta: Meta, c: list[Any]) -> s.NamedType:
        return s.NamedType(self._word(c[0]), self._at(meta))

    def optional_type(self, meta: Meta, c: list[Any]) -> s.OptionalTypeName:
        return s.OptionalTypeName(self._word(c[0]), self._at(meta))

    def set_type(self, meta: Meta, c: list[Any]) -> s.SetTypeName:
        return s.SetTypeName(self._word(c[0]), self._at(meta))

    def range_type(self, meta: Meta, c: list[Any]) -> s.RangeTypeName:
        return s.RangeTypeName(c[0], c[1], self._at(meta))

    def inline_enumeration(self, meta: Meta, c: list[Any]) -> s.InlineEnumeration:
        return s.InlineEnumeration(self._words(c), self._at(meta))
