"""Properties: examples, lemmas, invariants, witnesses, measures, secrets, compiled predicates; and all expressions in
properties. Claims about steps and menus are read in ``claims_of_steps``, scenarios in ``scenarios``."""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.claims_of_steps import StepReader
from kozel_verify.model.core import (
    Block,
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
    MenuClaim,
    Node,
    OptionDecl,
    Parameter,
    Property,
    Scenario,
    Secret,
    StateClaim,
    StepClaim,
    Zone,
)
from kozel_verify.model.expressions import (
    cards,
    check,
    constant,
    constant_number,
    element_type,
    number,
    predicate,
    seats,
    type_of,
)
from kozel_verify.model.graph import cells_read
from kozel_verify.model.lowering import binding_parameter
from kozel_verify.model.results import RESULTS
from kozel_verify.model.scenarios import ScenarioReader
from kozel_verify.model.scope import Globals, Problem, Problems, Scope, unknown_name
from kozel_verify.model.tidings import TidingReader
from kozel_verify.model.types import (
    BOOL,
    BoolType,
    CardType,
    NatType,
    OptionalType,
    RangeType,
    SetType,
    Type,
    Value,
    full_set,
)

OF_EVERY_GAME = frozenset(
    {"conservation", "well_defined", "never_stuck", "no_peeking", "ends", "options_covered", RESULTS}
)
"""The obligations that every game has without asking."""

_EXAMPLE = re.compile(r"example_\d+")


@dataclass(slots=True)
class Claims:
    """Elaborates properties against a finished graph. ``scopes[n]`` are the names usable at node ``n``;
    ``words`` the last words of all nodes that the text names, ``verbs`` all verbs that it names.

    Where the rules have errors (``problems`` is not empty at the start), nodes and live cells may be missing: then
    properties are only checked for errors of their own.
    """

    known: Globals
    nodes: tuple[Node, ...]
    blocks: tuple[Block, ...]
    scopes: Sequence[Scope]
    live: tuple[frozenset[str], ...]
    functions: dict[str, Function]
    cells: dict[str, Cell]
    problems: Problems
    words: frozenset[str]
    verbs: frozenset[str]
    examples: int = 0
    names: set[str] = field(default_factory=set)
    sound: bool = True

    def all(self, items: Sequence[s.PropertyOf]) -> tuple[Property, ...]:
        """All properties; errors go to ``problems``."""
        self.sound = not self.problems
        self.known.functions = self.functions
        for node, scope in zip(self.nodes, self.scopes, strict=False):
            for name in scope.locals:
                self.known.elsewhere.setdefault(name, []).append(node.name)
        found: list[Property] = []
        for item in items:
            try:
                found += self.one(item)
                self.named_once(item)
            except Problem as problem:
                self.problems.add(problem)
        return tuple(found)

    def named_once(self, item: s.PropertyOf) -> None:
        """Properties have a namespace of their own: their names address recorded verdicts."""
        name = item.title if isinstance(item, s.ScenarioOf) else getattr(item, "name", None)
        if name is None:
            return
        at = place_of_name(name, item.span)
        if name in OF_EVERY_GAME or _EXAMPLE.fullmatch(name):
            raise Problem("clash", at, f"`{name}` is what the tool calls a property of its own", "choose another name")
        for taken in (str(name), *self.sizes(item)):
            if taken in self.names:
                raise Problem("clash", at, f"there is another property `{taken}`", "give each property its own name")
            self.names.add(taken)

    def sizes(self, item: s.PropertyOf) -> list[str]:
        """A compiled predicate has one obligation for each size, with a name of its own."""
        if not isinstance(item, s.CompiledOf):
            return []
        made = self.compiled(item, Scope(self.known))
        return [f"{made.name}_k{size}" for size in range(made.lo, made.hi + 1)]

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
                at = self.nodes_named(nodes, span) if nodes else tuple(range(len(self.nodes)))
                return [*self.state_claims(Claim(word), str(name), at, statement, span)]
            case s.StepClaimOf():
                return [*self.steps().steps(item)]
            case s.MenuClaimOf():
                return [*self.steps().menus(item)]
            case s.MeasureOf(name, values, span):
                return [Measure(str(name), tuple(number(v, scope) for v in values), span)]
            case s.SecretOf():
                return [self.secret(item, scope)]
            case s.CompiledOf():
                return [self.compiled(item, scope)]
            case s.ScenarioOf():
                return [self.scenario(item, scope)]

    # --- nodes -------------------------------------------------------------------------------------------------------

    def nodes_named(self, names: tuple[str, ...], span: Span) -> tuple[int, ...]:
        """The nodes whose full name is one of the names; where there is none, those whose name ends in it."""
        found: list[int] = []
        for name in names:
            here = [i for i, n in enumerate(self.nodes) if name in (n.name, _bare(n.name))]
            here = here or [i for i, n in enumerate(self.nodes) if _answers_to(n.name, name)]
            if not here:
                raise self.unknown_node(name, place_of_name(name, span))
            found += here
        return tuple(sorted(set(found)))

    def unknown_node(self, name: str, span: Span) -> Problem:
        known = sorted({n.name.rsplit(".", 1)[-1].split("#")[0] for n in self.nodes})
        hint = did_you_mean(name, known) or "the nodes are " + ", ".join(f"`{n}`" for n in known)
        stated = name.rsplit(".", 1)[-1] in self.words
        if stated and "." not in name:
            hint = "it stands in a procedure that is never run, or after what always leaves"
            return Problem("unknown-node", span, f"play never comes to `{name}`", hint, silent=not self.sound)
        return Problem("unknown-node", span, f"there is no node `{name}`", hint, silent=stated and not self.sound)

    def state_claims(
        self, claim: Claim, name: str, at: tuple[int, ...], statement: s.Expression, span: Span
    ) -> list[StateClaim]:
        """One claim for each group of nodes at which the statement means the same."""
        names = sorted(set(s.names_read(statement)))
        read: dict[Hashable, tuple[Expr, frozenset[str]]] = {}
        groups: dict[Expr, list[int]] = {}
        for n in at:
            sense = self.scopes[n].sense(names)
            if sense not in read:
                meaning = predicate(statement, replace(self.scopes[n], shadowing=True))
                read[sense] = meaning, cells_read(meaning, self.functions) if self.sound else frozenset()
            meaning, cells = read[sense]
            self.require_kept(cells, n, statement.span)
            groups.setdefault(meaning, []).append(n)
        return [StateClaim(claim, name, tuple(nodes), meaning, span) for meaning, nodes in groups.items()]

    @property
    def lost_verbs(self) -> frozenset[str]:
        """The verbs that the graph may lack only because the rules have errors."""
        return frozenset() if self.sound else self.verbs

    def steps(self) -> StepReader:
        return StepReader(
            self.known, self.nodes, self.blocks, self.scopes, self.functions, self.nodes_named, self.require_kept,
            self.sound, self.lost_verbs,
        )  # fmt: skip

    def require_kept(self, cells: Iterable[str], node: int, span: Span) -> None:
        for name in sorted(cells):
            if self.cells[name].kind is not CellKind.DECLARED and name not in self.live[node]:
                short = name.rsplit(".", 1)[-1].split("#")[0]
                where = self.nodes[node].name
                message = f"`{short}` is not kept at `{where}`: nothing after it needs the value"
                raise Problem("not-kept", span, message, "keep it in a `state`, or state the property elsewhere")

    # --- values ------------------------------------------------------------------------------------------------------

    def given(self, g: s.GivenValue, scope: Scope) -> Given:
        """A value for a cell, a zone or an option. Raises ``Problem``."""
        at = place_of_name(g.name, g.span)
        symbol = self.known.symbols.get(g.name)
        index_type: Type | None = None
        match symbol:
            case Cell(_, type_, index_type):
                pass
            case Zone(_, index_type):
                type_ = SetType(self.known.card)
            case OptionDecl(_, type_):
                pass
            case None:
                raise unknown_name(g.name, at, scope)
            case _:
                raise Problem(
                    "type", at, f"`{g.name}` has its value already", "give values to cells, zones and options"
                )
        if (index_type is None) != (g.index is None):
            raise Problem("type", g.span, f"`{g.name}` {'takes no' if index_type is None else 'needs an'} index")
        index: Value = None if g.index is None or index_type is None else constant(g.index, scope, index_type).value
        value = check(g.value, type_, scope)
        if isinstance(value, Const):
            value = constant(g.value, scope, type_)
        return Given(symbol.name, index, value, isinstance(symbol, OptionDecl), g.span)

    def lemma(self, item: s.LemmaOf, scope: Scope) -> Lemma:
        parameters: list[Parameter] = []
        for p in item.parameters:
            made = binding_parameter(p, scope) if isinstance(p, s.BindingOf) else self.typed(p, scope)
            parameters.append(made)
            scope = scope.bind(p.name, Local(str(p.name), made.type, p.span), place_of_name(p.name, p.span))
        return Lemma(str(item.name), tuple(parameters), predicate(item.statement, scope), item.span)

    def typed(self, p: s.ParameterOf, scope: Scope) -> Parameter:
        """A parameter that ranges over a type; a set of cards over all subsets of the pack."""
        type_ = type_of(p.type, scope)
        if isinstance(type_, SetType) and isinstance(type_.of, CardType):
            count = self.known.pack.bit_count()
            bounds = (Const(0, _exactly(0)), Const(count, _exactly(count)))
            return Parameter(str(p.name), "", Const(self.known.pack, type_, p.span), *bounds, type_, p.span)
        if isinstance(type_, CardType):
            return Parameter(str(p.name), "", Const(self.known.pack, SetType(type_), p.span), None, None, type_, p.span)
        if isinstance(type_, BoolType | NatType | OptionalType | SetType):
            hint = "it may be a card, a group of cards, another element, or a number in a range such as `0..12`"
            raise Problem("type", p.type.span, f"a lemma does not run over all values of {type_}", hint)
        domain = Const(full_set(element_type(type_, p.type.span)), SetType(type_), p.span)
        return Parameter(str(p.name), "", domain, None, None, type_, p.span)

    def secret(self, item: s.SecretOf, scope: Scope) -> Secret:
        index: Type | None = None
        variable = ""
        if item.family is not None:
            variable = str(item.family.name)
            index = element_type(type_of(item.family.type, scope), item.family.type.span)
            at = place_of_name(item.family.name, item.family.span)
            scope = scope.bind(variable, Local(variable, index, item.span), at)
        nodes = self.nodes_named(item.nodes, item.span)
        hidden = seats(item.hidden_from, scope)
        return Secret(str(item.name), variable, index, cards(item.cards, scope), hidden, nodes, item.span)

    def compiled(self, item: s.CompiledOf, scope: Scope) -> Compiled:
        function = self.functions.get(item.function)
        if function is None:
            raise unknown_name(item.function, place_of_name(item.function, item.span), scope)
        group = SetType(self.known.card)
        if [p.type for p in function.parameters] != [group, group] or function.type != BOOL:
            at = place_of_name(item.function, item.span)
            hint = "name a predicate such as `predicate captures(r : Cards, g : Cards) = …`"
            raise Problem("type", at, f"`{item.function}` is not a predicate of two sets of cards", hint)
        if not (isinstance(item.sizes, s.Operation) and item.sizes.operator == ".."):
            raise Problem("type", item.sizes.span, "a range of sizes is wanted", "write `for 1..4`")
        lo, hi = (constant_number(x, scope) for x in item.sizes.operands)
        targets = Local("targets", group, item.span)
        inner = scope.bind(item.targets, targets, place_of_name(item.targets, item.span))
        restriction: Expr = Const(True, BOOL, item.span)
        if item.restriction is not None:
            restriction = predicate(item.restriction, inner)
        return Compiled(str(item.name), function.name, lo, hi, restriction, item.span)

    def scenario(self, item: s.ScenarioOf, scope: Scope) -> Scenario:
        told = TidingReader(self.blocks, scope, self.sound)
        reader = ScenarioReader(self.known, self.nodes, scope, self.nodes_named, self.given, told, self.lost_verbs)
        return reader.scenario(item)


@lru_cache(maxsize=4096)
def _bare(full: str) -> str:
    """Without the numbers of copies."""
    return ".".join(part.split("#")[0] for part in full.split("."))


def _answers_to(full: str, name: str) -> bool:
    return _bare(full).endswith("." + name)


def _exactly(n: int) -> Type:
    return RangeType(n, n)


def property_parts(properties: Iterable[Property]) -> Iterator[Expr]:
    """All expressions in properties."""
    for p in properties:
        match p:
            case Example(_, statement, given):
                yield statement
                yield from (g.value for g in given)
            case Lemma(_, parameters, statement):
                yield statement
                for q in parameters:
                    yield from (e for e in (q.domain, q.lo, q.hi) if e is not None)
            case StateClaim() | StepClaim() | MenuClaim():
                yield p.statement
            case Measure(_, values):
                yield from values
            case Secret():
                yield from (p.cards, p.hidden_from)
            case Compiled():
                yield p.restriction
            case Scenario():
                yield from (s.statement for s in p.steps if s.statement is not None)
