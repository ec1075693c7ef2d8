"""Claims about steps: what holds of the state after one, given the state before it.

In: a game, its claims about steps, and for each node the claims that are proved there (``known[n]``, core expressions).
Out: for each claim whether it is proved, and if not, the step and a model.

A claim is asked about once for each edge that it speaks of (a source and a choice), for all targets together: known
claims before, a well-defined step, an end at a target, but the statement false or undefined there? First with sizes
alone (``counting``); where these leave it open, with masks (``faces_sets``); and then with more facts: what is proved
of the states in which the step ends, and what proved lemmas say of the matchings. Nothing rests on a claim about
steps: each is proved apart.

A model shows that the known claims do not imply the claim; its state may be one that no play reaches, and its sizes and
answers of matchings may be ones that no cards have. Trusted: the edges, ``counting``, ``faces_sets``, and the solver.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Ask, End, Game, Revealed, StepClaim
from kozel_verify.model.graph import walk
from kozel_verify.model.types import Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.cases import Known, excluded, turns
from kozel_verify.symbolic.edge import Arrival
from kozel_verify.symbolic.faces import Failure, defined_truth, failure_of, known_terms
from kozel_verify.symbolic.faces_system import FaceSystem, Usable, closer_look
from kozel_verify.symbolic.revealed import revealed
from kozel_verify.symbolic.system import CountingSystem, Transition, arrival_scope, forked_transition
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import SymValue
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Answer, Model, Unknown, Unsatisfiable, check


@dataclass(frozen=True, slots=True)
class StepResult:
    """``sizes`` and ``cards``: how many ends of edges at targets were settled with sizes alone, and how many with
    cards; ``failure``: the first edge that was not. A claim of which there is no such end says nothing: it is not
    proved."""

    name: str
    sizes: int
    cards: int
    queries: int
    failure: Failure | None
    rlimit: int
    span: Span = NOWHERE

    @property
    def vacuous(self) -> bool:
        return self.failure is None and not self.sizes + self.cards

    @property
    def proved(self) -> bool:
        return self.failure is None and not self.vacuous


@dataclass(slots=True)
class _Account:
    sizes: int = 0
    cards: int = 0
    queries: int = 0
    rlimit: int = 0
    failure: Failure | None = None


class _Edge:
    """One edge at both levels; each is built, with the known claims at its beginning, when it is first needed."""

    def __init__(self, systems: Sequence[CountingSystem], node: int, verb: int, known: Known) -> None:
        self.game = systems[0].game
        self.systems, self.node, self.verb, self.known = systems, node, verb, known
        self._made: list[tuple[Transition, list[Term]]] = []

    def levels(self) -> Iterator[tuple[int, Transition, list[Term]]]:
        """The edge with sizes and then with cards, each with what is assumed of it beside its facts."""
        for level, system in enumerate(self.systems):
            if level == len(self._made):
                transition = system.transition(self.node, self.verb)
                transition.stepper.evaluator.under = t.TRUE
                given = [o.formula() for o in transition.edge.obligations] + known_terms(transition.place, self.known)
                self._made.append((transition, given))
            yield level, *self._made[level]


def prove_steps(
    game: Game,
    claims: Sequence[StepClaim],
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    lemmas: Sequence[Usable] = (),
) -> list[StepResult]:
    """Each of the claims, apart from the others.

    ``known[n]``: claims that hold whenever play is at node ``n``; ``fixed``: options that are constants (all others are
    unknown, within the game's constraints); ``rlimit``: for each query; ``lemmas``: proved lemmas of the game, used for
    matchings (see ``faces_system.usable``).
    """
    systems = (CountingSystem(game, fixed), FaceSystem(game, fixed))
    accounts = [_Account() for _ in claims]
    for node in sorted({n for c in claims for n in c.sources if not excluded(known, n)}):
        for verb in verbs_at(game, node):
            edge = _Edge(systems, node, verb, known)
            for claim, account in zip(claims, accounts, strict=True):
                if account.failure is None and speaks_of(game, claim, node, verb):
                    _prove(edge, claim, lemmas, rlimit, account)
    return [
        StepResult(c.name, a.sizes, a.cards, a.queries, a.failure, a.rlimit, c.span)
        for c, a in zip(claims, accounts, strict=True)
    ]


def verbs_at(game: Game, node: int) -> range:
    """The verbs of a question by number; -1 for what comes of itself or by chance; nothing after the end."""
    match game.nodes[node]:
        case Ask(_, _, _, verbs):
            return range(len(verbs))
        case End():
            return range(0)
        case _:
            return range(-1, 0)


def speaks_of(game: Game, claim: StepClaim, node: int, verb: int) -> bool:
    """Is the claim about the steps from a node by a verb (-1: by no choice)?"""
    at = game.nodes[node]
    name = at.verbs[verb].name if isinstance(at, Ask) else ""
    return node in claim.sources and claim.verb in ("", name)


def _prove(edge: _Edge, claim: StepClaim, lemmas: Sequence[Usable], rlimit: int, account: _Account) -> None:
    """First with sizes, then with cards, then with more that is known of these."""
    tells = any(isinstance(part, Revealed) for part in walk(claim.statement, edge.game.functions))
    for level, base, given in edge.levels():
        if tells and not level:  # sizes do not say which cards are shown
            continue
        transition = forked_transition(base)
        told = revealed(transition) if tells else ()
        wrong = [(a, _broken(claim, transition, a, told)) for a in transition.edge.arrivals if a.node in claim.targets]
        if not wrong:
            return
        failure = _asked([*transition.assumptions(), *given], wrong, transition, rlimit, account)
        if failure is not None and level and transition.place is not None:
            more = _known_at_the_end(edge, transition, wrong) + closer_look(lemmas, transition.place)
            failure = _asked([*transition.assumptions(), *given, *more], wrong, transition, rlimit, account, last=True)
        if failure is None:
            account.cards += len(wrong) if level else 0
            account.sizes += 0 if level else len(wrong)
            return
    account.failure = failure


def _known_at_the_end(edge: _Edge, transition: Transition, wrong: Sequence[tuple[Arrival, Term]]) -> list[Term]:
    """What is proved of every state at the targets holds of those in which the step ends."""
    evaluator, found = transition.stepper.evaluator, list[Term]()
    for arrival, _ in wrong:
        scope = arrival_scope(transition, arrival)
        pairs = [defined_truth(evaluator, expr, scope) for expr in edge.known.get(arrival.node, ())]
        found += [t.implies(t.and_(arrival.path, defined), value) for value, defined in pairs]
    evaluator.under = t.TRUE
    return found


def _broken(claim: StepClaim, transition: Transition, arrival: Arrival, told: tuple[SymValue, ...]) -> Term:
    """The step ends here and the statement is false, or has no value."""
    assert transition.place is not None
    scope = replace(arrival_scope(transition, arrival, transition.place.state), revealed=told)
    given = zip(claim.arguments, transition.outcome.arguments, strict=True) if claim.verb else ()
    scope = scope.bind(**{local.name: value for local, value in given})
    value, defined = defined_truth(transition.stepper.evaluator, claim.statement, scope)
    transition.stepper.evaluator.under = t.TRUE
    return t.and_(arrival.path, t.not_(t.and_(value, defined)))


def _asked(
    given: Sequence[Term],
    wrong: Sequence[tuple[Arrival, Term]],
    transition: Transition,
    rlimit: int,
    account: _Account,
    last: bool = False,
) -> Failure | None:
    """Can none of these happen? All are asked about together; when that is too hard, and the last try, each."""
    for some in (wrong, *([pair] for pair in wrong if last)):
        asserted = [*given, t.or_(*(term for _, term in some))]
        answer = _checked(asserted, transition, rlimit, account)
        if isinstance(answer, Unsatisfiable) and some is wrong:
            return None
        split = last and some is wrong and len(wrong) > 1
        if isinstance(answer, Model) or (isinstance(answer, Unknown) and not split):
            return failure_of(answer, asserted, transition.name, transition.place, _end(some, answer))
    return None


def _checked(asserted: Sequence[Term], transition: Transition, rlimit: int, account: _Account) -> Answer:
    """The answer; where it is unknown and a cell says whose turn it is, that for each seat apart: it is no if it is no
    for all of them. With the seat a constant, much is one term."""
    answer = _counted(check(asserted, rlimit), account)
    place = transition.place
    if not isinstance(answer, Unknown) or place is None:
        return answer
    for turn in turns(place.stepper.evaluator.game, place):
        answer = _counted(check(t.substitute(asserted, turn), rlimit), account)
        if isinstance(answer, Model):
            return replace(answer, values=answer.values | {name: t.int_of(seat) for name, seat in turn.items()})
        if isinstance(answer, Unknown):
            return answer
    return answer


def _counted(answer: Answer, account: _Account) -> Answer:
    account.queries += 1
    account.rlimit += answer.rlimit
    return answer


def _end(some: Sequence[tuple[Arrival, Term]], answer: Answer) -> int:
    """Where the step of a model ends."""
    if isinstance(answer, Model):
        terms = [term for _, term in some]
        truths = t.evaluate(terms, answer.complete(t.variables(terms)))
        return next((a.node for (a, _), broken in zip(some, truths, strict=True) if broken), some[0][0].node)
    return some[0][0].node
