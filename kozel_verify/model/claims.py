"""Properties: examples, lemmas, invariants, witnesses, measures, secrets, compiled predicates, scenarios."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Ask,
    Cell,
    CellKind,
    Claim,
    Compiled,
    Const,
    Example,
    Expr,
    Function,
    Given,
    Lemma,
    Local,
    Measure,
    Node,
    OptionDecl,
    Parameter,
    Property,
    Scenario,
    Secret,
    StateClaim,
    Step,
    Zone,
)
from kozel_verify.model.expressions import (
    cards,
    check,
    constant,
    constant_number,
    number,
    predicate,
    seats,
    type_of,
)
from kozel_verify.model.graph import cells_read
from kozel_verify.model.lowering import binding_parameter
from kozel_verify.model.scope import Globals, Problem, Scope, unknown_name
from kozel_verify.model.types import BOOL, CardType, RangeType, SetType, Type, Value, element_indices, full_set


@dataclass(slots=True)
class Claims:
    """Elaborates properties against a finished graph. ``scopes[n]`` are the names usable at node ``n``."""

    known: Globals
    nodes: tuple[Node, ...]
    scopes: Sequence[Scope]
    live: tuple[frozenset[str], ...]
    functions: dict[str, Function]
    cells: dict[str, Cell]
    problems: list[Diagnostic]
    examples: int = 0

    def all(self, items: Sequence[s.PropertyOf]) -> tuple[Property, ...]:
        found: list[Property] = []
        for item in items:
            try:
                found += self.one(item)
            except Problem as problem:
                self.problems.append(problem.diagnostic)
        return tuple(found)

    def one(self, item: s.PropertyOf) -> list[Property]:
        scope = Scope(self.known)
        match item:
            case s.ExampleOf(statement, given, span):
                self.examples += 1
                values = tuple(self.given(g, scope) for g in given)
                return [Example(f"example_{self.examples}", predicate(statement, scope), values, span)]
            case s.LemmaOf():
                return [self.lemma(item, scope)]
            case s.ClaimOf(word, name, nodes, statement, span):
                at = self.nodes_named(nodes, span) or tuple(range(len(self.nodes)))
                return [*self.state_claims(Claim(word), name, at, statement, span)]
            case s.MeasureOf(name, values, span):
                return [Measure(name, tuple(number(v, scope) for v in values), span)]
            case s.SecretOf():
                return [self.secret(item, scope)]
            case s.CompiledOf():
                return [self.compiled(item, scope)]
            case s.ScenarioOf():
                return [self.scenario(item, scope)]

    # --- nodes -------------------------------------------------------------------------------------------------------

    def nodes_named(self, names: tuple[str, ...], span: Span) -> tuple[int, ...]:
        """The nodes whose full name is, or ends in, one of the names."""
        found: list[int] = []
        for name in names:
            here = [i for i, n in enumerate(self.nodes) if _answers_to(n.name, name)]
            if not here:
                known = sorted({n.name.rsplit(".", 1)[-1].split("#")[0] for n in self.nodes})
                raise Problem("unknown-node", span, f"there is no node `{name}`", "the nodes are " + ", ".join(known))
            found += here
        return tuple(sorted(set(found)))

    def state_claims(
        self, claim: Claim, name: str, at: tuple[int, ...], statement: s.Expression, span: Span
    ) -> list[StateClaim]:
        """One claim for each group of nodes at which the statement means the same."""
        groups: dict[Expr, list[int]] = {}
        for n in at:
            meaning = predicate(statement, replace(self.scopes[n], shadowing=True))
            self.require_live(meaning, n, span)
            groups.setdefault(meaning, []).append(n)
        return [StateClaim(claim, name, tuple(nodes), meaning, span) for meaning, nodes in groups.items()]

    def require_live(self, e: Expr, node: int, span: Span) -> None:
        for name in cells_read(e, self.functions):
            if self.cells[name].kind is not CellKind.DECLARED and name not in self.live[node]:
                short = name.rsplit(".", 1)[-1]
                where = self.nodes[node].name
                message = f"`{short}` is not kept at `{where}`: nothing after it needs the value"
                raise Problem("not-kept", span, message, "keep it in a `state`, or state the property elsewhere")

    # --- values ------------------------------------------------------------------------------------------------------

    def given(self, g: s.GivenValue, scope: Scope) -> Given:
        symbol = self.known.symbols.get(g.name)
        index_type: Type | None
        match symbol:
            case Cell(_, type_, index_type):
                pass
            case Zone(_, index_type):
                type_ = SetType(self.known.card)
            case OptionDecl(_, type_):
                index_type = None
            case _:
                raise unknown_name(g.name, g.span, scope)
        if (index_type is None) != (g.index is None):
            raise Problem("type", g.span, f"`{g.name}` {'takes no' if index_type is None else 'needs an'} index")
        index: Value = None if g.index is None or index_type is None else constant(g.index, scope, index_type).value
        return Given(g.name, index, check(g.value, type_, scope), isinstance(symbol, OptionDecl), g.span)

    def lemma(self, item: s.LemmaOf, scope: Scope) -> Lemma:
        parameters: list[Parameter] = []
        for p in item.parameters:
            made = binding_parameter(p, scope) if isinstance(p, s.BindingOf) else self.typed(p, scope)
            parameters.append(made)
            scope = scope.bind(p.name, Local(p.name, made.type, p.span), p.span)
        return Lemma(item.name, tuple(parameters), predicate(item.statement, scope), item.span)

    def typed(self, p: s.ParameterOf, scope: Scope) -> Parameter:
        """A parameter that ranges over a type; a set of cards over all subsets of the pack."""
        type_ = type_of(p.type, scope)
        if isinstance(type_, SetType) and isinstance(type_.of, CardType):
            count = self.known.pack.bit_count()
            bounds = (Const(0, _exactly(0)), Const(count, _exactly(count)))
            return Parameter(p.name, "", Const(self.known.pack, type_, p.span), *bounds, type_, p.span)
        if isinstance(type_, CardType):
            return Parameter(p.name, "", Const(self.known.pack, SetType(type_), p.span), None, None, type_, p.span)
        try:
            domain = Const(full_set(type_), SetType(type_), p.span)
        except TypeError:  # Bool, Nat, an optional or a set: the parameter ranges over the type itself
            domain = Const(0, SetType(type_), p.span)
        return Parameter(p.name, "", domain, None, None, type_, p.span)

    def secret(self, item: s.SecretOf, scope: Scope) -> Secret:
        index: Type | None = None
        variable = ""
        if item.family is not None:
            variable, index = item.family.name, type_of(item.family.type, scope)
            element_indices(index)
            scope = scope.bind(variable, Local(variable, index, item.span), item.span)
        nodes = self.nodes_named(item.nodes, item.span)
        hidden = seats(item.hidden_from, scope)
        return Secret(item.name, variable, index, cards(item.cards, scope), hidden, nodes, item.span)

    def compiled(self, item: s.CompiledOf, scope: Scope) -> Compiled:
        function = self.functions.get(item.function)
        if function is None:
            raise unknown_name(item.function, item.span, scope)
        group = SetType(self.known.card)
        if [p.type for p in function.parameters] != [group, group] or function.type != BOOL:
            raise Problem("type", item.span, f"`{item.function}` is not a predicate of two sets of cards")
        if not (isinstance(item.sizes, s.Operation) and item.sizes.operator == ".."):
            raise Problem("type", item.sizes.span, "a range of sizes is wanted", "write `for 1..4`")
        lo, hi = (constant_number(x, scope) for x in item.sizes.operands)
        targets = Local("targets", group, item.span)
        inner = scope.bind(item.targets, targets, item.span)
        restriction: Expr = Const(True, BOOL, item.span)
        if item.restriction is not None:
            restriction = predicate(item.restriction, inner)
        return Compiled(item.name, item.function, lo, hi, restriction, item.span)

    # --- scenarios ---------------------------------------------------------------------------------------------------

    def scenario(self, item: s.ScenarioOf, scope: Scope) -> Scenario:
        start: int | None = None
        given: list[Given] = []
        deck: tuple[int, ...] = ()
        steps: list[Step] = []
        for step in item.steps:
            match step.word:
                case "start":
                    start = self.nodes_named((step.name,), step.span)[0]
                case "option":
                    given.append(self.given(s.GivenValue(step.name, None, step.expressions[0], step.span), scope))
                case "set" if step.given is not None:
                    given.append(self.given(step.given, scope))
                case "deck":
                    deck = self.deck(step, scope)
                case _:
                    steps.append(self.step(step, scope))
        return Scenario(item.title, start, tuple(given), deck, tuple(steps), item.span)

    def deck(self, step: s.StepOf, scope: Scope) -> tuple[int, ...]:
        order = tuple(int(constant(c, scope, self.known.card).value or 0) for c in step.expressions)
        if len(set(order)) != len(order) or sum(1 << c for c in order) != self.known.pack:
            count = self.known.pack.bit_count()
            raise Problem("deck", step.span, f"a deck lists each of the {count} cards of the pack once")
        return order

    def step(self, step: s.StepOf, scope: Scope) -> Step:
        match step.word:
            case "expect":
                return Step("expect", None, "", (), predicate(step.expressions[0], scope), step.span)
            case "draw":
                card = constant(step.expressions[0], scope, self.known.card).value
                return Step("draw", None, "", (card,), None, step.span)
            case _:
                return self.choice(step, scope)

    def choice(self, step: s.StepOf, scope: Scope) -> Step:
        if not 1 <= step.seat <= self.known.seats:
            raise Problem("range", step.span, f"there is no seat {step.seat}")
        verbs = [v for n in self.nodes if isinstance(n, Ask) for v in n.verbs]
        named = [v for v in verbs if v.name == step.name]
        fitting = [v for v in named if len(v.parameters) == len(step.expressions)]
        if not named:
            known = ", ".join(sorted({v.name for v in verbs}))
            raise Problem("unknown-name", step.span, f"there is no verb `{step.name}`", f"the verbs are {known}")
        if not fitting:
            wanted = len(named[0].parameters)
            raise Problem("arguments", step.span, f"`{step.name}` takes {wanted} arguments")
        pairs = zip(step.expressions, fitting[0].parameters, strict=True)
        arguments = tuple(constant(e, scope, p.type).value for e, p in pairs)
        return Step("choose", step.seat - 1, step.name, arguments, None, step.span)


def _answers_to(full: str, name: str) -> bool:
    bare = ".".join(part.split("#")[0] for part in full.split("."))
    return full == name or bare == name or bare.endswith("." + name)


def _exactly(n: int) -> Type:
    return RangeType(n, n)
