"""What every game must satisfy, proved on counted edges from the invariants that a ``Prover`` has found.

In: a prover whose search is finished. Out: one ``Verdict`` for each obligation: every step is well defined, no place
called dead is reached, play is never stuck, a measure decreases within the deal, no card is lost. An obligation that
speaks about faces may have a model here although it holds: the model is then no refutation, the obligation is open.
Trusted: as in ``induction``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Apply, Ask, Call, Expr, Game, Local, Measure, Parameter, Verb
from kozel_verify.model.types import BOOL, NAT, CardType, values
from kozel_verify.model.walk import subexpressions
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.counting import CountingEvaluator
from kozel_verify.symbolic.evaluate import Scope
from kozel_verify.symbolic.faces_system import FaceSystem
from kozel_verify.symbolic.induction import Prover
from kozel_verify.symbolic.system import Place, Transition, arrival_scope, conserved
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Counted, SymSet, SymValue
from kozel_verify.symbolic.z3_api import Answer, Model, Unsatisfiable, check


@dataclass(frozen=True, slots=True)
class Verdict:
    """``proved``; else ``values`` is a model of the step or state in which it fails (``None``: budget used up)."""

    kind: str
    place: str  # the edge or node
    text: str
    span: Span
    proved: bool
    values: dict[str, Constant] | None
    rlimit: int


def _verdict(kind: str, place: str, text: str, span: Span, answer: Answer) -> Verdict:
    found = answer.values if isinstance(answer, Model) else None
    return Verdict(kind, place, text, span, isinstance(answer, Unsatisfiable), found, answer.rlimit)


class Obligations:
    """The obligations of a prover's game, under the claims that it has left."""

    def __init__(self, prover: Prover, also: Mapping[int, Sequence[Expr]] | None = None, case: int = 0) -> None:
        """``also[n]``: further claims that are proved at node ``n``, say by induction on cards; ``case``: which of the
        prover's cases they are about (the beginning of the match belongs to the first)."""
        self.prover, self.game, self.system, self.case = prover, prover.game, prover.systems[case], case
        self.also = also or {}
        self.nodes = prover.nodes(case)
        self.transitions = list(self.system.transitions(self.nodes))
        self._found: dict[int, tuple[Place, list[Term]]] = {}  # by the place's id; the place is kept, so that it stays

    def _known(self, place: Place) -> list[Term]:
        """The claims at a place, which hold on every path from it."""
        if id(place) not in self._found:
            evaluator = place.stepper.evaluator
            under, evaluator.under = evaluator.under, t.TRUE
            self._found[id(place)] = place, self._evaluated(place)
            evaluator.under = under
        return self._found[id(place)][1]

    def _evaluated(self, place: Place) -> list[Term]:
        evaluator, found = place.stepper.evaluator, self.prover.known(place, self.case)
        for claim in self.also.get(place.node, ()):
            value = evaluator.truth(claim, place.scope)
            found.append(t.and_(value, *(o.formula() for o in evaluator.take_obligations())))
        return found

    def _ask(self, transition: Transition, path: Term, goal: Term, within: bool = True) -> Answer:
        """``within``: of well-defined steps only (others come to no end); ``definedness`` shows that all are."""
        place = transition.place
        known = [] if place is None else self._known(place)
        defined = [o.formula() for o in transition.edge.obligations] if within else []
        return check([*transition.assumptions(), *known, *defined, path, t.not_(goal)], self.prover.rlimit)

    # --- steps

    def definedness(self) -> Iterator[Verdict]:
        """Every partial operation on every edge has a value."""
        for transition in self.transitions:
            for o in transition.edge.obligations:
                answer = self._ask(transition, o.path, o.holds, within=False)
                yield _verdict("well defined", transition.name, o.text, o.span, answer)

    def unreached(self) -> Iterator[Verdict]:
        """No place that the spec calls dead is reached."""
        for transition in self.transitions:
            for fall in transition.edge.falls:
                yield _verdict("dead", transition.name, fall.name, fall.span, self._ask(transition, fall.path, t.FALSE))

    def conservation(self) -> Iterator[Verdict]:
        """The sum over all zones of each measure is that of the pack, at the end of every edge."""
        for transition in self.transitions:
            evaluator = transition.stepper.evaluator
            assert isinstance(evaluator, CountingEvaluator)
            for arrival in transition.edge.arrivals:
                arrival_scope(transition, arrival)
                goal = t.and_(*conserved(evaluator, arrival.state))
                answer = self._ask(transition, arrival.path, goal)
                yield _verdict("conservation", transition.name, self._name(arrival.node), NOWHERE, answer)

    def decrease(self, measure: Measure) -> Iterator[Verdict]:
        """The measure's tuple becomes smaller on every edge from a node of the deal to another."""
        for transition in self.transitions:
            place = transition.place
            if place is None or place.node not in self.game.deal_nodes:
                continue
            evaluator = transition.stepper.evaluator
            before = [evaluator.term(v, place.scope) for v in measure.values]
            for arrival in transition.edge.arrivals:
                if arrival.node in self.game.deal_nodes:
                    scope = arrival_scope(transition, arrival)
                    after = [evaluator.term(v, scope) for v in measure.values]
                    defined = t.and_(*(o.formula() for o in evaluator.take_obligations()))
                    goal = t.and_(defined, lexicographic(after, before))
                    answer = self._ask(transition, arrival.path, goal)
                    yield _verdict("measure", transition.name, self._name(arrival.node), measure.span, answer)

    def _name(self, node: int) -> str:
        return self.game.nodes[node].name

    # --- never stuck

    def never_stuck(self) -> Iterator[Verdict]:
        """At every question some choice is legal. (A draw from nothing is an obligation of its edge.)

        First with numbers alone; where that does not do, with a mask for each set of cards.
        """
        by_faces = FaceSystem(self.game, self.system.fixed)
        for n, node in enumerate(self.game.nodes):
            if isinstance(node, Ask) and n in self.nodes:
                answer = self._stuck(self.system.place(n), node)
                used = answer.rlimit
                if not isinstance(answer, Unsatisfiable):
                    answer = self._stuck(by_faces.place(n), node)
                    used += answer.rlimit
                verdict = _verdict("never stuck", node.name, "some choice is legal", node.span, answer)
                yield replace(verdict, rlimit=used)

    def _stuck(self, place: Place, node: Ask) -> Answer:
        """Is there a state at the question in which no verb has a legal choice?"""
        assumed = self._known(place)
        ways = [self._way(place, verb, v) for v, verb in enumerate(node.verbs)]
        constraints = [c for _, cs in ways for c in cs]
        place.stepper.evaluator.take_obligations()
        stuck = [t.not_(way) for way, _ in ways]
        return check([*place.assumptions(), *assumed, *constraints, *stuck], self.prover.rlimit)

    def _way(self, place: Place, verb: Verb, index: int) -> tuple[Term, list[Term]]:
        """When the verb has a legal choice of the simplest kind, and the constraints on its unknown arguments.

        The unknowns are *any* smallest group, *any* card of a domain: if the state leaves no such thing the way is
        closed; else one exists, and what is shown for any one is shown for that one. A group may also be just the one
        that the rule asks for: the other side of an equation with it.
        """
        ways: list[tuple[Scope, Term]] = [(place.scope, t.TRUE)]
        constraints: list[Term] = []
        for n, parameter in enumerate(verb.parameters):
            longer: list[tuple[Scope, Term]] = []
            for scope, so_far in ways:
                name = f"way:{index}:{n}:{len(longer)}"
                asked = self._asked_for(place, parameter, verb.guard, scope)
                for value, possible, valid in (*self._witnesses(place, parameter, name, scope), *asked):
                    constraints.extend(t.implies(t.and_(so_far, possible), v) for v in valid)
                    inner = scope.under(possible).bind(**{parameter.name: value})
                    longer.append((inner, t.and_(so_far, possible)))
            ways = longer
        evaluator = place.stepper.evaluator
        return t.or_(*(t.and_(so_far, evaluator.truth(verb.guard, scope)) for scope, so_far in ways)), constraints

    def _witnesses(
        self, place: Place, parameter: Parameter, name: str, scope: Scope
    ) -> list[tuple[SymValue, Term, list[Term]]]:
        """Values that the argument may have: each with when there is one, and what is known of it then."""
        evaluator = place.stepper.evaluator
        assert isinstance(evaluator, CountingEvaluator)
        domain = evaluator.value(parameter.domain, scope)
        if parameter.lo is None or parameter.hi is None:
            if isinstance(domain, SymSet):
                lifted = [evaluator.constant(v, parameter.type) for v in values(parameter.type)]
                return [(v, domain.has(v), []) for v in lifted if isinstance(v, Term)]
            if isinstance(domain, Counted) and domain.exact is not None:
                return [(card, there, []) for there, card in domain.exact.elements()]
            return [self._any_card(evaluator, domain, name)]
        assert isinstance(domain, Counted)
        lo, hi = evaluator.term(parameter.lo, scope), evaluator.term(parameter.hi, scope)
        if lo is t.integer(1):
            card, some, valid = self._any_card(evaluator, domain, name)
            assert isinstance(card, Term)
            return [(evaluator.single(card), t.and_(some, t.le(lo, hi)), valid)]
        group = evaluator.unknown_part(name, domain)
        enough = t.and_(t.le(lo, domain.measures[0]), t.le(lo, hi))
        return [(group, enough, [t.eq(group.measures[0], lo)])]

    def _asked_for(
        self, place: Place, parameter: Parameter, guard: Expr, scope: Scope
    ) -> list[tuple[SymValue, Term, list[Term]]]:
        """The groups that a rule asks for by an equation: each with when it may be chosen."""
        if parameter.lo is None or parameter.hi is None:
            return []
        evaluator, found = place.stepper.evaluator, list[tuple[SymValue, Term, list[Term]]]()
        for wanted in dict.fromkeys(equals(self.game, guard, parameter.name)):
            size = Apply("size", (wanted,), NAT)
            fits = (
                Apply("within", (wanted, parameter.domain), BOOL),
                Apply("<=", (parameter.lo, size), BOOL),
                Apply("<=", (size, parameter.hi), BOOL),
            )
            possible = t.and_(*(evaluator.truth(e, scope) for e in fits))
            defined = t.and_(*(o.formula() for o in evaluator.take_obligations()))
            found.append((evaluator.value(wanted, scope), t.and_(possible, defined), []))
        return found

    def _any_card(self, evaluator: CountingEvaluator, domain: SymValue, name: str) -> tuple[SymValue, Term, list[Term]]:
        type_ = CardType(len(self.game.deck))
        card = t.variable(name, evaluator.codec.width(type_))
        some = t.le(t.integer(1), evaluator.size(domain))
        return card, some, [evaluator.codec.valid(type_, card), evaluator.has(domain, card)]


def equals(game: Game, expr: Expr, name: str) -> Iterator[Expr]:
    """What stands in an equation with a variable, and names no variable itself; also in functions it is passed to."""
    for e in subexpressions(expr):
        match e:
            case Apply("==", (Local(left), right)) if left == name and _closed(right):
                yield right
            case Apply("==", (left, Local(right))) if right == name and _closed(left):
                yield left
            case Call(function, args):
                called = game.functions[function]
                for argument, parameter in zip(args, called.parameters, strict=True):
                    if isinstance(argument, Local) and argument.name == name:
                        yield from equals(game, called.body, parameter.name)
            case _:
                pass


def _closed(expr: Expr) -> bool:
    return not any(isinstance(e, Local) for e in subexpressions(expr))


def lexicographic(after: list[Term], before: list[Term]) -> Term:
    """Is the first tuple smaller than the second?"""
    smaller = t.FALSE
    for a, b in reversed(list(zip(after, before, strict=True))):
        smaller = t.or_(t.lt(a, b), t.and_(t.eq(a, b), smaller))
    return smaller
