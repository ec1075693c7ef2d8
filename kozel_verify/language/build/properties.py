"""Properties: parse tree to syntax tree."""

from typing import Any

from lark import v_args
from lark.tree import Meta

from kozel_verify.language import syntax as s
from kozel_verify.language.build.shared import Base, canonical_card, span_of
from kozel_verify.language.spans import Word


@v_args(meta=True)
class Properties(Base):
    """One method for each rule of the grammar that states or withdraws a property, or states a step of a scenario."""

    def given(self, meta: Meta, c: list[Any]) -> s.GivenValue:
        return s.GivenValue(self._word(c[0]), c[1], c[2], self._at(meta))

    def example(self, meta: Meta, c: list[Any]) -> s.ExampleOf:
        return s.ExampleOf(c[0], tuple(x for x in c[1:] if x is not None), self._at(meta))

    def lemma(self, meta: Meta, c: list[Any]) -> s.LemmaOf:
        return s.LemmaOf(self._word(c[0]), tuple(x for x in c[1:-1] if x is not None), c[-1], self._at(meta))

    def _claim(self, word: str, meta: Meta, c: list[Any]) -> s.ClaimOf:
        nodes = self._words(x for x in c[1:-1] if x is not None)
        return s.ClaimOf(word, self._word(c[0]), nodes, c[-1], self._at(meta))

    def invariant(self, meta: Meta, c: list[Any]) -> s.ClaimOf:
        return self._claim("invariant", meta, c)

    def witness(self, meta: Meta, c: list[Any]) -> s.ClaimOf:
        return self._claim("witness", meta, c)

    def choice(self, meta: Meta, c: list[Any]) -> s.ChoiceOf:
        return s.ChoiceOf(self._word(c[0]), self._words(x for x in c[1:] if x is not None), self._at(meta))

    def targets(self, meta: Meta, c: list[Any]) -> tuple[s.Word, ...]:
        return self._words(c)

    def step_claim(self, meta: Meta, c: list[Any]) -> s.StepClaimOf:
        sources = self._words(c[1:-3])
        return s.StepClaimOf(self._word(c[0]), sources, c[-3], c[-2] or (), c[-1], self._at(meta))

    def menu_claim(self, meta: Meta, c: list[Any]) -> s.MenuClaimOf:
        return s.MenuClaimOf(self._word(c[0]), self._words(c[1:-2]), c[-2], c[-1], self._at(meta))

    def end_part(self, meta: Meta, c: list[Any]) -> str:
        return "end"

    def draw_part(self, meta: Meta, c: list[Any]) -> str:
        return "draw"

    def node(self, meta: Meta, c: list[Any]) -> s.Word:
        return s.Word(".".join(map(str, c)), self._at(meta))

    def measure(self, meta: Meta, c: list[Any]) -> s.MeasureOf:
        return s.MeasureOf(self._word(c[0]), tuple(c[1:]), self._at(meta))

    def secret(self, meta: Meta, c: list[Any]) -> s.SecretOf:
        nodes = self._words(x for x in c[4:] if x is not None)
        return s.SecretOf(self._word(c[0]), c[1], c[2], c[3], nodes, self._at(meta))

    def compiled(self, meta: Meta, c: list[Any]) -> s.CompiledOf:
        name, function, replies, targets = self._words(c[:4])
        return s.CompiledOf(name, function, replies, targets, c[4], c[5], self._at(meta))

    def step_option(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("option", self._word(c[0]), expressions=(c[1],), span=self._at(meta))

    def step_deck(self, meta: Meta, c: list[Any]) -> s.StepOf:
        cards = tuple(s.CardLiteral(*canonical_card(t), span_of(self.file, t)) for t in c)
        return s.StepOf("deck", expressions=cards, span=self._at(meta))

    def step_start(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("start", self._word(c[0]), span=self._at(meta))

    def step_set(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("set", given=c[0], span=self._at(meta))

    def _answer(self, word: str, meta: Meta, c: list[Any]) -> s.StepOf:
        arguments = tuple(x for x in c[2:] if x is not None)
        return s.StepOf(word, self._word(c[1]), self._integer(c[0]), arguments, span=self._at(meta))

    def step_choose(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return self._answer("choose", meta, c)

    def step_refuse(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return self._answer("refuse", meta, c)

    def step_draw(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf(
            "draw", expressions=(s.CardLiteral(*canonical_card(c[0]), self._at(meta)),), span=self._at(meta)
        )

    def step_expect(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("expect", expressions=(c[0],), span=self._at(meta))

    def told_nothing(self, meta: Meta, c: list[Any]) -> tuple[s.TidingOf, ...]:
        return ()

    def told_things(self, meta: Meta, c: list[Any]) -> tuple[s.TidingOf, ...]:
        return tuple(c)

    def told_value(self, meta: Meta, c: list[Any]) -> s.TidingOf:
        return s.TidingOf(self._word(c[0]), c[1], self._at(meta))

    def told_unnamed(self, meta: Meta, c: list[Any]) -> s.TidingOf:
        return s.TidingOf("", c[0], self._at(meta))

    def told_cards(self, meta: Meta, c: list[Any]) -> s.TidingOf:
        cards = s.SetLiteral(tuple(x for x in c if x is not None), self._at(meta))
        return s.TidingOf(None, cards, self._at(meta))

    def step_told(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("told", expressions=(c[0],), told=c[1], span=self._at(meta))

    def step_end(self, meta: Meta, c: list[Any]) -> s.StepOf:
        return s.StepOf("end", span=self._at(meta))

    def scenario(self, meta: Meta, c: list[Any]) -> s.ScenarioOf:
        return s.ScenarioOf(str(c[0])[1:-1], tuple(c[1:]), self._at(meta))

    def withdraw_named(self, meta: Meta, c: list[Any]) -> s.Withdrawn:
        return s.Withdrawn(self._words(c), span=self._at(meta))

    def withdraw_scenario(self, meta: Meta, c: list[Any]) -> s.Withdrawn:
        return s.Withdrawn(tuple(Word(str(t)[1:-1], span_of(self.file, t)) for t in c), span=self._at(meta))

    def withdraw_example(self, meta: Meta, c: list[Any]) -> s.Withdrawn:
        return s.Withdrawn((), self.example(meta, c), self._at(meta))
