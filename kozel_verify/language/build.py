"""Lark's parse tree to the syntax tree."""

import unicodedata
from typing import Any

from lark import Token, Transformer, Tree, v_args
from lark.tree import Meta

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import NOWHERE, Span

_RUSSIAN_RANKS = {"Т": "A", "К": "K", "Д": "Q", "В": "J"}


def span_of(file: str, token: Token) -> Span:
    """The place of one token."""
    return Span(file, token.line or 0, token.column or 0, token.end_line or 0, token.end_column or 0)


def _rank(text: str) -> str:
    return _RUSSIAN_RANKS.get(text, text)


def _suit(text: str) -> str:
    bare = text[0]
    return bare if bare in "♠♣♦♥" else {"s": "♠", "c": "♣", "d": "♦", "h": "♥"}[bare.lower()]


def _card(token: str) -> tuple[str, str]:
    text = token.rstrip("\ufe0e\ufe0f")
    return _rank(text[:-1]), _suit(text[-1])


@v_args(meta=True)
class Builder(Transformer[Token, Any]):
    """One method for each rule of the grammar; children are built already. ``file`` goes into the spans."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def _at(self, meta: Meta) -> Span:
        if meta.empty:
            return NOWHERE
        return Span(self.file, meta.line, meta.column, meta.end_line, meta.end_column)

    def __default__(self, data: Any, children: list[Any], meta: Meta) -> Any:
        raise AssertionError(f"the grammar's rule {data} has no builder")  # a bug in this module

    # --- units -------------------------------------------------------------------------------------------------------

    def start(self, meta: Meta, c: list[Any]) -> tuple[Token, s.Unit]:
        return c[0], c[1]

    def game(self, meta: Meta, c: list[Any]) -> s.Unit:
        return s.Unit("game", str(c[0]), (), "", tuple(c[1:]), span=self._at(meta))

    def module(self, meta: Meta, c: list[Any]) -> s.Unit:
        parameters = tuple(x for x in c[1:] if isinstance(x, tuple))
        items = tuple(x for x in c[1:] if x is not None and not isinstance(x, tuple))
        return s.Unit("module", str(c[0]), parameters, "", items, span=self._at(meta))

    def variant(self, meta: Meta, c: list[Any]) -> s.Unit:
        return s.Unit("variant", str(c[0]), (), str(c[1]), tuple(c[2:]), span=self._at(meta))

    def module_parameter(self, meta: Meta, c: list[Any]) -> tuple[str, s.Expression | None]:
        return str(c[0]), c[1]

    # --- declarations ------------------------------------------------------------------------------------------------

    def replaceable(self, meta: Meta, c: list[Any]) -> s.Replaceable:
        return s.Replaceable(c[0], self._at(meta))

    def text(self, meta: Meta, c: list[Any]) -> s.Text:
        return s.Text(str(c[0]), str(c[1])[1:-1], self._at(meta))

    def title(self, meta: Meta, c: list[Any]) -> s.Title:
        return s.Title(tuple(c), self._at(meta))

    def term(self, meta: Meta, c: list[Any]) -> s.Term:
        return s.Term(str(c[0]), tuple(c[1:]), self._at(meta))

    def source(self, meta: Meta, c: list[Any]) -> s.Source:
        return s.Source(str(c[0]), str(c[1])[1:-1], self._at(meta))

    def argument(self, meta: Meta, c: list[Any]) -> s.Argument:
        return s.Argument(str(c[0]), c[1], self._at(meta))

    def use(self, meta: Meta, c: list[Any]) -> s.Use:
        return s.Use(str(c[0]), tuple(a for a in c[1:] if a is not None), self._at(meta))

    def suit(self, meta: Meta, c: list[Any]) -> s.SuitLiteral:
        return s.SuitLiteral(_suit(c[0]), self._at(meta))

    def rank(self, meta: Meta, c: list[Any]) -> s.RankLiteral:
        return s.RankLiteral(_rank(str(c[0])), self._at(meta))

    def deck(self, meta: Meta, c: list[Any]) -> s.DeckOf:
        suits = tuple(x.suit for x in c if isinstance(x, s.SuitLiteral))
        ranks = tuple(x.rank for x in c if isinstance(x, s.RankLiteral))
        return s.DeckOf(suits, ranks, self._at(meta))

    def seats(self, meta: Meta, c: list[Any]) -> s.Seats:
        return s.Seats(int(c[0]), self._at(meta))

    def pack_cards(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "cards", c[0]

    def pack_seats(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "seats", int(c[0])

    def pack_value(self, meta: Meta, c: list[Any]) -> tuple[str, Any]:
        return "value", s.Argument(str(c[0]), c[1], self._at(meta))

    def pack(self, meta: Meta, c: list[Any]) -> s.Pack:
        parts = c[1:]
        cards = next((v for k, v in parts if k == "cards"), None)
        seats = next((v for k, v in parts if k == "seats"), None)
        return s.Pack(str(c[0]), cards, seats, tuple(v for k, v in parts if k == "value"), self._at(meta))

    def enumeration(self, meta: Meta, c: list[Any]) -> s.Enumeration:
        return s.Enumeration(str(c[0]), tuple(map(str, c[1:])), self._at(meta))

    def option(self, meta: Meta, c: list[Any]) -> s.Option:
        return s.Option(str(c[0]), c[1], c[2], tuple(c[3:]), self._at(meta))

    def option_default(self, meta: Meta, c: list[Any]) -> s.OptionDefault:
        return s.OptionDefault(str(c[0]), c[1], self._at(meta))

    def constraint(self, meta: Meta, c: list[Any]) -> s.Constraint:
        return s.Constraint(c[0], self._at(meta))

    def order(self, meta: Meta, c: list[Any]) -> s.Order:
        return s.Order(str(c[0]), tuple(c[1:]), self._at(meta))

    def entry(self, meta: Meta, c: list[Any]) -> s.Entry:
        return s.Entry(c[0], c[1], self._at(meta))

    def table(self, meta: Meta, c: list[Any]) -> s.Table:
        return s.Table(tuple(x for x in c if isinstance(x, s.Entry)), c[-1], self._at(meta))

    def const(self, meta: Meta, c: list[Any]) -> s.Constant:
        return s.Constant(str(c[0]), c[1], self._at(meta))

    def family(self, meta: Meta, c: list[Any]) -> s.Family:
        return s.Family(str(c[0]), c[1], self._at(meta))

    def zone(self, meta: Meta, c: list[Any]) -> s.ZoneOf:
        return s.ZoneOf(str(c[0]), c[1], c[2], self._at(meta))

    def state(self, meta: Meta, c: list[Any]) -> s.StateOf:
        fresh = None if c[5] is None else str(c[5])
        return s.StateOf(str(c[0]), c[1], c[2], c[3], c[4], fresh, self._at(meta))

    def parameter(self, meta: Meta, c: list[Any]) -> s.ParameterOf:
        return s.ParameterOf(str(c[0]), c[1], self._at(meta))

    def parameters(self, meta: Meta, c: list[Any]) -> tuple[s.ParameterOf, ...]:
        return tuple(c)

    def function(self, meta: Meta, c: list[Any]) -> s.FunctionOf:
        return s.FunctionOf(str(c[0]), c[1] or (), c[2], c[3], self._at(meta))

    def predicate(self, meta: Meta, c: list[Any]) -> s.FunctionOf:
        return s.FunctionOf(str(c[0]), c[1] or (), None, c[2], self._at(meta))

    def procedure(self, meta: Meta, c: list[Any]) -> s.ProcedureOf:
        return s.ProcedureOf(str(c[0]), c[1] or (), c[2], False, self._at(meta))

    def phase(self, meta: Meta, c: list[Any]) -> s.ProcedureOf:
        return s.ProcedureOf(str(c[0]), (), c[1], True, self._at(meta))

    def outcome(self, meta: Meta, c: list[Any]) -> s.Result:
        return s.Result("outcome", str(c[0]), c[1], self._at(meta))

    def gain(self, meta: Meta, c: list[Any]) -> s.Result:
        return s.Result("gain", str(c[0]), c[1], self._at(meta))

    def loss(self, meta: Meta, c: list[Any]) -> s.Result:
        return s.Result("loss", str(c[0]), c[1], self._at(meta))

    def need_predicate(self, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need("predicate", str(c[0]), c[1] or (), None, self._at(meta))

    def need_function(self, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need("function", str(c[0]), c[1] or (), c[2], self._at(meta))

    def need_procedure(self, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need("procedure", str(c[0]), c[1] or (), None, self._at(meta))

    def need_name(self, meta: Meta, c: list[Any]) -> s.Need:
        return s.Need("name", str(c[0]), (), None, self._at(meta))

    def named_type(self, meta: Meta, c: list[Any]) -> s.NamedType:
        return s.NamedType(str(c[0]), self._at(meta))

    def optional_type(self, meta: Meta, c: list[Any]) -> s.OptionalTypeName:
        return s.OptionalTypeName(str(c[0]), self._at(meta))

    def set_type(self, meta: Meta, c: list[Any]) -> s.SetTypeName:
        return s.SetTypeName(str(c[0]), self._at(meta))

    def range_type(self, meta: Meta, c: list[Any]) -> s.RangeTypeName:
        return s.RangeTypeName(c[0], c[1], self._at(meta))

    def inline_enumeration(self, meta: Meta, c: list[Any]) -> s.InlineEnumeration:
        return s.InlineEnumeration(tuple(map(str, c)), self._at(meta))

    # --- statements --------------------------------------------------------------------------------------------------

    def block(self, meta: Meta, c: list[Any]) -> s.BlockOf:
        return s.BlockOf(tuple(c), self._at(meta))

    def let(self, meta: Meta, c: list[Any]) -> s.Let:
        return s.Let(str(c[0]), c[1], self._at(meta))

    def assign(self, meta: Meta, c: list[Any]) -> s.AssignTo:
        return s.AssignTo(str(c[0]), c[1], c[2], False, self._at(meta))

    def increase(self, meta: Meta, c: list[Any]) -> s.AssignTo:
        return s.AssignTo(str(c[0]), c[1], c[2], True, self._at(meta))

    def place(self, meta: Meta, c: list[Any]) -> s.PlaceName:
        return s.PlaceName(str(c[0]), c[1], self._at(meta))

    def move(self, meta: Meta, c: list[Any]) -> s.MoveCards:
        return s.MoveCards(c[0], c[1], c[2], self._at(meta))

    def draw(self, meta: Meta, c: list[Any]) -> s.DrawCards:
        name, node = (None if x is None else str(x) for x in c[3:5])
        return s.DrawCards(c[0], c[1], c[2], name, node, self._at(meta))

    def gather(self, meta: Meta, c: list[Any]) -> s.GatherPack:
        return s.GatherPack(c[0], self._at(meta))

    def show(self, meta: Meta, c: list[Any]) -> s.ShowCards:
        return s.ShowCards(c[0], c[1], self._at(meta))

    def announce(self, meta: Meta, c: list[Any]) -> s.AnnounceValue:
        return s.AnnounceValue(c[0], None if c[1] is None else str(c[1]), c[2], self._at(meta))

    def one_of(self, meta: Meta, c: list[Any]) -> s.BindingOf:
        return s.BindingOf(str(c[0]), None, c[1], self._at(meta))

    def group_of(self, meta: Meta, c: list[Any]) -> s.BindingOf:
        return s.BindingOf(str(c[0]), c[1], c[2], self._at(meta))

    def verb(self, meta: Meta, c: list[Any]) -> s.VerbOf:
        bindings = tuple(x for x in c[1:-2] if x is not None)
        return s.VerbOf(str(c[0]), bindings, c[-2], c[-1], self._at(meta))

    def ask(self, meta: Meta, c: list[Any]) -> s.AskSeat:
        return s.AskSeat(c[0], c[1] is not None, str(c[2]), tuple(c[3:]), self._at(meta))

    def clockwise_from(self, meta: Meta, c: list[Any]) -> s.Circle:
        return s.Circle(False, c[0], self._at(meta))

    def clockwise_after(self, meta: Meta, c: list[Any]) -> s.Circle:
        return s.Circle(True, c[0], self._at(meta))

    def for_each(self, meta: Meta, c: list[Any]) -> s.ForEach:
        return s.ForEach(str(c[0]), c[1], c[2], c[3], self._at(meta))

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
        return s.Run(str(c[0]), tuple(x for x in c[1:] if x is not None), self._at(meta))

    def leave(self, meta: Meta, c: list[Any]) -> s.Leave:
        return s.Leave(str(c[0]), self._at(meta))

    def again(self, meta: Meta, c: list[Any]) -> s.Again:
        return s.Again(str(c[0]), self._at(meta))

    def end(self, meta: Meta, c: list[Any]) -> s.EndMatch:
        return s.EndMatch(self._at(meta))

    def dead(self, meta: Meta, c: list[Any]) -> s.DeadClause:
        return s.DeadClause(str(c[0]), self._at(meta))

    # --- properties --------------------------------------------------------------------------------------------------

    def given(self, meta: Meta, c: list[Any]) -> s.GivenValue:
        return s.GivenValue(str(c[0]), c[1], c[2], self._at(meta))

    def example(self, meta: Meta, c: list[Any]) -> s.ExampleOf:
        return s.ExampleOf(c[0], tuple(x for x in c[1:] if x is not None), self._at(meta))

    def lemma(self, meta: Meta, c: list[Any]) -> s.LemmaOf:
        return s.LemmaOf(str(c[0]), tuple(x for x in c[1:-1] if x is not None), c[-1], self._at(meta))

    def _claim(self, word: str, meta: Meta, c: list[Any]) -> s.ClaimOf:
        nodes = tuple(str(x) for x in c[1:-1] if x is not None)
        return s.ClaimOf(word, str(c[0]), nodes, c[-1], self._at(meta))

    def invariant(self, meta: Meta, c: list[Any]) -> s.ClaimOf:
        return self._claim("invariant", meta, c)

    def witness(self, meta: Meta, c: list[Any]) -> s.ClaimOf:
        return self._claim("witness", meta, c)

    def measure(self, meta: Meta, c: list[Any]) -> s.MeasureOf:
        return s.MeasureOf(str(c[0]), tuple(c[1:]), self._at(meta))

    def secret(self, meta: Meta, c: list[Any]) -> s.SecretOf:
        nodes = tuple(str(x) for x in c[4:] if x is not None)
        return s.SecretOf(str(c[0]), c[1], c[2], c[3], nodes, self._at(meta))

    def compiled(self, meta: Meta, c: list[Any]) -> s.CompiledOf:
        name, function, replies, targets = map(str, c[:4])
        return s.CompiledOf(name, function, replies, targets, c[4], c[5], self._at(meta))

    def step_option(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("option", str(c[0]), expressions=(c[1],), span=self._at(meta))

    def step_deck(self, meta: Meta, c: list[Any]) -> s.StepOf:
        cards = tuple(s.CardLiteral(*_card(t), span_of(self.file, t)) for t in c)
        return s.StepOf("deck", expressions=cards, span=self._at(meta))

    def step_start(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("start", str(c[0]), span=self._at(meta))

    def step_set(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("set", given=c[0], span=self._at(meta))

    def step_choose(self, meta: Meta, c: list[Any]) -> s.StepOf:
        arguments = tuple(x for x in c[2:] if x is not None)
        return s.StepOf("choose", str(c[1]), int(c[0]), arguments, span=self._at(meta))

    def step_draw(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("draw", expressions=(s.CardLiteral(*_card(c[0]), self._at(meta)),), span=self._at(meta))

    def step_expect(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("expect", expressions=(c[0],), span=self._at(meta))

    def scenario(self, meta: Meta, c: list[Any]) -> s.ScenarioOf:
        return s.ScenarioOf(str(c[0])[1:-1], tuple(c[1:]), self._at(meta))

    # --- expressions -------------------------------------------------------------------------------------------------

    def name(self, meta: Meta, c: list[Any]) -> s.Name:
        return s.Name(str(c[0]), self._at(meta))

    def whole_pack(self, meta: Meta, c: list[Any]) -> s.Name:
        return s.Name("pack", self._at(meta))

    def number(self, meta: Meta, c: list[Any]) -> s.Number:
        return s.Number(int(c[0]), self._at(meta))

    def card(self, meta: Meta, c: list[Any]) -> s.CardLiteral:
        return s.CardLiteral(*_card(c[0]), self._at(meta))

    def suit_literal(self, meta: Meta, c: list[Any]) -> s.SuitLiteral:
        return s.SuitLiteral(_suit(c[0]), self._at(meta))

    def true(self, meta: Meta, c: list[Any]) -> s.Truth:
        return s.Truth(True, self._at(meta))

    def false(self, meta: Meta, c: list[Any]) -> s.Truth:
        return s.Truth(False, self._at(meta))

    def none(self, meta: Meta, c: list[Any]) -> s.Nothing:
        return s.Nothing(self._at(meta))

    def seat(self, meta: Meta, c: list[Any]) -> s.SeatLiteral:
        return s.SeatLiteral(int(c[0]), self._at(meta))

    def indexed(self, meta: Meta, c: list[Any]) -> s.Indexed:
        return s.Indexed(str(c[0]), c[1], self._at(meta))

    def call(self, meta: Meta, c: list[Any]) -> s.CallExpression:
        return s.CallExpression(str(c[0]), tuple(x for x in c[1:] if x is not None), self._at(meta))

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
        return s.PlaceOf(c[0], str(c[1]), self._at(meta))

    def above(self, meta: Meta, c: list[Any]) -> s.Above:
        return s.Above(c[0], c[1], str(c[2]), self._at(meta))

    def matching(self, meta: Meta, c: list[Any]) -> s.MatchingExpression:
        return s.MatchingExpression(c[0], c[1], str(c[2]), self._at(meta))

    def first(self, meta: Meta, c: list[Any]) -> s.FirstExpression:
        return s.FirstExpression(str(c[0]), c[1], c[2], c[3], self._at(meta))

    def compare(self, meta: Meta, c: list[Any]) -> s.Operation:
        return s.Operation(str(c[1]), (c[0], c[2]), self._at(meta))


_OPERATORS = {
    "implies": "implies", "or_": "or", "and_": "and", "not_": "not", "greater": ">", "in_": "in", "not_in": "not in",
    "within": "within", "is_none": "is none", "is_some": "is some", "span": "..", "union": "union",
    "without": "without", "intersect": "intersect", "add": "+", "subtract": "-", "multiply": "*", "div": "div",
    "mod": "mod", "size": "size",
}  # fmt: skip


def _operation(operator: str) -> Any:
    def build(self: Builder, meta: Meta, c: list[Any]) -> s.Operation:
        return s.Operation(operator, tuple(c), self._at(meta))

    return build


def _quantified(word: str) -> Any:
    def build(self: Builder, meta: Meta, c: list[Any]) -> s.Quantified:
        return s.Quantified(word, str(c[0]), c[1], c[2], self._at(meta))

    return build


for _rule, _operator in _OPERATORS.items():
    setattr(Builder, _rule, v_args(meta=True)(_operation(_operator)))
for _word in ("every", "some", "those", "the", "sum", "top"):
    setattr(Builder, _word, v_args(meta=True)(_quantified(_word)))


def build(file: str, tree: Tree[Token]) -> tuple[Token, s.Unit]:
    """The language version's token and the unit of a parse tree."""
    return Builder(file).transform(tree)  # type: ignore[no-any-return]


def normalise(text: str) -> str:
    """Composed characters (NFC), so that one name has one spelling."""
    return unicodedata.normalize("NFC", text)
