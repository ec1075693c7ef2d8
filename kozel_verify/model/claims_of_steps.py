"""Claims about steps and about menus: `step` and `menu`.

In go the items of the syntax tree and the finished graph; out come claims of the core, one for each meaning that the
statement has: a name may stand for different cells at different nodes. All errors are ``Problem``s.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Ask, Block, Expr, Function, Local, MenuClaim, Node, StepClaim, Verb
from kozel_verify.model.expressions import predicate, require_arguments
from kozel_verify.model.graph import cells_read, next_nodes, node_exits
from kozel_verify.model.scope import Globals, Problem, Scope
from kozel_verify.model.walk import earlier_parts

Meaning = tuple[tuple[Local, ...], Expr]
_Read = tuple[Expr, frozenset[str], frozenset[str]]  # with the cells that it reads after and before a step


@dataclass(frozen=True, slots=True)
class StepReader:
    """``scopes[n]`` are the names usable at node ``n``. ``sound``: the rules have no errors, so the graph is whole.
    ``require_kept`` raises for cells that have no value at a node. ``lost_verbs``: as for scenarios."""

    known: Globals
    nodes: tuple[Node, ...]
    blocks: tuple[Block, ...]
    scopes: Sequence[Scope]
    functions: dict[str, Function]
    nodes_named: Callable[[tuple[str, ...], Span], tuple[int, ...]]
    require_kept: Callable[[Iterable[str], int, Span], None]
    sound: bool
    lost_verbs: frozenset[str]

    # --- steps -------------------------------------------------------------------------------------------------------

    def steps(self, item: s.StepClaimOf) -> list[StepClaim]:
        """The claims of a `step`. Pairs of nodes between which the graph has no way are left out; the statement is read
        once for all pairs at which its names mean the same."""
        sources = self.nodes_named(item.sources, item.span)
        targets = self.nodes_named(item.targets, item.span) if item.targets else tuple(range(len(self.nodes)))
        ways: set[tuple[int, int]] = set()
        found: dict[Meaning, dict[int, list[int]]] = {}
        names = sorted(set(s.names_read(item.statement)))
        read: dict[Hashable, _Read] = {}
        for source in sources:
            verb = None if item.choice is None else self.verb(item.choice, source)
            for target in sorted(self.after(source, verb) & set(targets)):
                ways.add((source, target))
                bound, scope = self.bound(item.choice, verb, self.step_scope(source, target))
                sense = bound, scope.sense(names)
                if sense not in read:
                    read[sense] = self.step_read(item.statement, scope)
                statement, cells, earlier = read[sense]
                self.require_kept(cells, target, item.statement.span)
                self.require_kept(earlier, source, item.statement.span)
                meaning = bound, statement
                found.setdefault(meaning, {}).setdefault(source, []).append(target)
        self.require_ways(item, sources, ways)
        verb_name = "" if item.choice is None else str(item.choice.verb)
        claims: list[StepClaim] = []
        for (arguments, statement), by_source in found.items():
            for at, to in _products(by_source):
                claims.append(StepClaim(str(item.name), at, verb_name, arguments, to, statement, item.span))
        return claims

    def after(self, source: int, verb: Verb | None) -> frozenset[int]:
        """The nodes at which a step from ``source`` may end."""
        exits = node_exits(self.nodes[source]) if verb is None else (verb.block,)
        return frozenset[int]().union(*(next_nodes(self.blocks, block) for block in exits))

    def step_scope(self, source: int, target: int) -> Scope:
        before = replace(self.scopes[source], shadowing=True, past=True)
        node = self.nodes[source]
        asked = node if isinstance(node, Ask) else None
        return replace(self.scopes[target], shadowing=True, before=before, asked=asked)

    def step_read(self, item: s.Expression, scope: Scope) -> _Read:
        statement = predicate(item, scope)
        if not self.sound:
            return statement, frozenset(), frozenset()
        earlier = (cells_read(part, self.functions) for part in earlier_parts(statement))
        cells = cells_read(statement, self.functions, earlier=False)
        return statement, cells, frozenset[str]().union(*earlier)

    def require_ways(self, item: s.StepClaimOf, sources: tuple[int, ...], ways: set[tuple[int, int]]) -> None:
        """A claim about no step at all would hold for nothing. (On a smaller pack a way may be closed.)"""
        if self.known.pack.bit_count() < len(self.known.deck):
            return
        for names, end in ((item.targets, 1), (item.sources, 0)):
            reached = {way[end] for way in ways}
            for name in names:
                at = place_of_name(name, item.span)
                if not reached.intersection(self.nodes_named((name,), item.span)):
                    raise self.no_way(item, name, at, sources, bool(end))

    def no_way(self, item: s.StepClaimOf, name: str, at: Span, sources: tuple[int, ...], to: bool) -> Problem:
        verbs = {n: None if item.choice is None else self.verb(item.choice, n) for n in sources}
        ends = sorted({self.nodes[t].name for n in sources for t in self.after(n, verbs[n])})
        leads = "one step leads to " + ", ".join(f"`{e}`" for e in ends) if ends else "nothing comes after the end"
        message = f"no such step ends at `{name}`" if to else f"no such step begins at `{name}`"
        return Problem("unknown-node", at, message, leads, silent=not self.sound)

    # --- menus -------------------------------------------------------------------------------------------------------

    def menus(self, item: s.MenuClaimOf) -> list[MenuClaim]:
        found: dict[Meaning, list[int]] = {}
        for node in self.nodes_named(item.nodes, item.span):
            verb = self.verb(item.choice, node)
            arguments, scope = self.bound(item.choice, verb, replace(self.scopes[node], shadowing=True))
            statement = predicate(item.statement, scope)
            if self.sound:
                self.require_kept(cells_read(statement, self.functions), node, item.statement.span)
            found.setdefault((arguments, statement), []).append(node)
        name, verb_name = str(item.name), str(item.choice.verb)
        return [MenuClaim(name, tuple(at), verb_name, *meaning, item.span) for meaning, at in found.items()]

    # --- choices -----------------------------------------------------------------------------------------------------

    def verb(self, choice: s.ChoiceOf, node: int) -> Verb:
        """The verb of that name at a node."""
        at, where = place_of_name(choice.verb, choice.span), self.nodes[node]
        verbs = where.verbs if isinstance(where, Ask) else ()
        for verb in verbs:
            if verb.name == choice.verb:
                return verb
        if not verbs:
            raise Problem("unknown-name", at, f"nobody chooses at `{where.name}`", "name a node where a seat is asked")
        listed = ", ".join(f"`{v.name}`" for v in verbs)
        hint = did_you_mean(choice.verb, [v.name for v in verbs]) or f"the verbs there are {listed}"
        lost = choice.verb in self.lost_verbs
        raise Problem("unknown-name", at, f"there is no verb `{choice.verb}` at `{where.name}`", hint, silent=lost)

    def bound(self, choice: s.ChoiceOf | None, verb: Verb | None, scope: Scope) -> tuple[tuple[Local, ...], Scope]:
        """The arguments of the choice under their names, and the scope with them."""
        if choice is None or verb is None:
            return (), scope
        require_arguments(choice.verb, len(verb.parameters), len(choice.arguments), choice.span)
        arguments: list[Local] = []
        for name, parameter in zip(choice.arguments, verb.parameters, strict=True):
            at = place_of_name(name, choice.span)
            if any(a.name == name for a in arguments):
                raise Problem("clash", at, f"`{name}` is there twice", "give each argument its own name")
            arguments.append(Local(str(name), parameter.type, at))
            scope = scope.bind(str(name), arguments[-1], at)
        return tuple(arguments), scope


def _products(by_source: dict[int, list[int]]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The pairs as products of sources and targets: sources with the same targets go together."""
    by_targets: dict[tuple[int, ...], list[int]] = {}
    for source, targets in by_source.items():
        by_targets.setdefault(tuple(targets), []).append(source)
    return [(tuple(sources), targets) for targets, sources in by_targets.items()]
