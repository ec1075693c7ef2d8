"""Scenarios: plays that are written down, step by step."""

from collections.abc import Callable
from dataclasses import dataclass

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Ask, Given, Node, Scenario, Step, Verb
from kozel_verify.model.expressions import constant, predicate, require_arguments
from kozel_verify.model.scope import Globals, Problem, Scope
from kozel_verify.model.tidings import TidingReader
from kozel_verify.model.types import Value


@dataclass(frozen=True, slots=True)
class ScenarioReader:
    """Reads the steps of a scenario against the verbs of the game. All methods raise ``Problem``. ``lost_verbs`` may be
    missing only because the rules have errors."""

    known: Globals
    nodes: tuple[Node, ...]
    scope: Scope
    nodes_named: Callable[[tuple[str, ...], Span], tuple[int, ...]]
    given: Callable[[s.GivenValue, Scope], Given]
    told: TidingReader
    lost_verbs: frozenset[str]

    def scenario(self, item: s.ScenarioOf) -> Scenario:
        start: int | None = None
        given: list[Given] = []
        deck: tuple[int, ...] | None = None
        steps: list[Step] = []
        for step in item.steps:
            match step.word:
                case "start":
                    start = self.start(step, start)
                case "option":
                    given.append(self.option(step))
                case "set" if step.given is not None:
                    given.append(self.given(step.given, self.scope))
                case "deck":
                    if deck is not None:
                        raise Problem("clash", step.span, "the deck is there twice", "state it once")
                    deck = self.deck(step)
                case _:
                    steps.append(self.step(step))
        if not steps and deck is None:
            hint = "let a seat choose, or say what to `expect`"
            raise Problem("empty-scenario", item.span, "nothing happens in this scenario", hint)
        return Scenario(item.title, start, tuple(given), deck or (), tuple(steps), item.span)

    def start(self, step: s.StepOf, before: int | None) -> int:
        if before is not None:
            raise Problem("clash", step.span, "a scenario starts at two nodes", "name one")
        found = self.nodes_named((step.name,), step.span)
        if len(found) > 1:
            names = ", ".join(f"`{self.nodes[n].name}`" for n in found)
            at = place_of_name(step.name, step.span)
            raise Problem("ambiguous", at, f"there are several nodes `{step.name}`", f"write more of its path: {names}")
        return found[0]

    def option(self, step: s.StepOf) -> Given:
        found = self.given(s.GivenValue(step.name, None, step.expressions[0], step.span), self.scope)
        if not found.is_option:
            at = place_of_name(step.name, step.span)
            raise Problem("type", at, f"`{step.name}` is not an option", f"write `set {step.name} = …`")
        return found

    def deck(self, step: s.StepOf) -> tuple[int, ...]:
        """The order in which all cards of the pack come off it."""
        order = [int(constant(c, self.scope, self.known.card).value or 0) for c in step.expressions]
        for n, card in enumerate(order):
            at, name = step.expressions[n].span, self.known.deck.name(card)
            if card in order[:n]:
                raise Problem("deck", at, f"the card `{name}` is there twice", "list each card once")
            if not self.known.pack >> card & 1:
                raise Problem("deck", at, f"the card `{name}` is not in the pack", "list the cards of the pack")
        count = self.known.pack.bit_count()
        if len(order) != count:
            message = f"a deck lists each of the {count} cards of the pack, this one has {len(order)}"
            raise Problem("deck", step.span, message, "list them in the order in which they come off the pack")
        return tuple(order)

    def step(self, step: s.StepOf) -> Step:
        match step.word:
            case "expect":
                return Step("expect", None, "", (), predicate(step.expressions[0], self.scope), step.span)
            case "end":
                return Step("end", None, "", (), None, step.span)
            case "told":
                seats = self.told.told_to(step.expressions[0])
                return Step("told", None, "", (seats,), None, step.span, self.told.tidings(step.told))
            case "draw":
                card = constant(step.expressions[0], self.scope, self.known.card).value
                return Step("draw", None, "", (card,), None, step.span)
            case _:
                return self.choice(step)

    def choice(self, step: s.StepOf) -> Step:
        if not 1 <= step.seat <= self.known.seats:
            raise Problem("range", step.span, f"there is no seat {step.seat}", f"the seats are 1 to {self.known.seats}")
        at = place_of_name(step.name, step.span)
        verbs = [v for n in self.nodes if isinstance(n, Ask) for v in n.verbs]
        named = [v for v in verbs if v.name == step.name]
        if not named:
            known = sorted({v.name for v in verbs})
            hint = did_you_mean(step.name, known) or "the verbs are " + ", ".join(f"`{n}`" for n in known)
            lost = step.name in self.lost_verbs
            raise Problem("unknown-name", at, f"there is no verb `{step.name}`", hint, silent=lost)
        fitting = [v for v in named if len(v.parameters) == len(step.expressions)]
        if not fitting:
            require_arguments(step.name, len(named[0].parameters), len(step.expressions), step.span)
        arguments = self.arguments(step, fitting)
        return Step(step.word, step.seat - 1, str(step.name), arguments, None, step.span)

    def arguments(self, step: s.StepOf, verbs: list[Verb]) -> tuple[Value, ...]:
        """The arguments as those of the first verb (verbs of several nodes may share a name) whose types they have."""
        problems: list[Problem] = []
        for verb in verbs:
            pairs = zip(step.expressions, verb.parameters, strict=True)
            try:
                return tuple(constant(e, self.scope, p.type).value for e, p in pairs)
            except Problem as problem:
                problems.append(problem)
        raise problems[0]
