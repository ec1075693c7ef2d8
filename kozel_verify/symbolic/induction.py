"""Inductive invariants over the edges of the process graph.

In: a game, claims about nodes (the author's), and sampled plain states. Out: for each claim whether it is proved, with
the edge and the model that break it if not; and the claims found on the way that hold together.

Method. Every node has a set of claims: the author's, and the families guessed from samples. For each edge and each node
where it may arrive one query asks: claims at the start and a legal outcome, but some claim broken at the end? A model
breaks claims: the author's claim is dropped, a family is weakened just enough to admit the model's state. That only
weakens claims, so earlier models stay models; it ends when no query has a model. Then all claims that are left hold in
the first state and are kept by every edge: they hold whenever play is at their node (as long as every step is well
defined, which ``definedness`` proves from them). Trusted: the counted edges (``counting``) and the solver; not the
guesses, nor the order of weakening.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kozel_verify.model.core import Claim, End, Expr, Game, StateClaim
from kozel_verify.model.types import Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.begin import from_samples, limit
from kozel_verify.symbolic.cases import NEVER, WHOLE, Case, ends, in_case, naming_seats
from kozel_verify.symbolic.columns import Sample, SymbolicColumns
from kozel_verify.symbolic.edge import Arrival
from kozel_verify.symbolic.evaluate import Evaluator, Scope
from kozel_verify.symbolic.guess import Layout, first_guess, layout
from kozel_verify.symbolic.system import CountingSystem, Place, Transition, arrival_scope
from kozel_verify.symbolic.templates import Family, Statement
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import parts
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Model, Unknown, Unsatisfiable, check

SPLITS = 2  # cells whose values are tried apart where a query is too hard
EARLY = 4  # with so small a part of the budget a query that may be asked in parts is given up


@dataclass(frozen=True, slots=True)
class Broken:
    """Why a claim is not proved: the edge that breaks it, and a model of it (``None``: the budget was used up)."""

    edge: str
    target: int
    values: dict[str, Constant] | None


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """``obligations``: how many edges lead to the claim's nodes. Proved exactly when ``broken`` is ``None``."""

    name: str
    nodes: tuple[int, ...]
    broken: Broken | None
    obligations: int

    @property
    def proved(self) -> bool:
        return self.broken is None


@dataclass(slots=True)
class Invariants:
    """What was proved. ``found[n]`` are the claims at spot ``n`` beside the author's (a spot is a node in a case; those
    of the first case have the nodes' numbers). Queries and resource units count the whole search, each query once."""

    results: list[ClaimResult]
    found: dict[int, list[Expr]]
    queries: int = 0
    rlimit: int = 0
    rounds: int = 0
    proof_rlimit: int = 0  # of the last pass alone, in which every query was answered with no


@dataclass(slots=True)
class _Goal:
    """The claims at a spot, as terms in one symbolic state."""

    spot: int
    seen: SymbolicColumns
    claims: dict[int, Term]  # position of the author's claim -> its term


def _denies(family: Family) -> bool:
    """Does it say that play does not come there?"""
    return isinstance(family, Statement) and family.claim == NEVER


def _terms_of(part: Family | int, goal: _Goal) -> list[Term]:
    """What a family, or the author's claim of this number, says."""
    return [goal.claims[part]] if isinstance(part, int) else part.terms(goal.seen)


@dataclass(slots=True)
class _Work:
    transition: Transition
    before: _Goal | None
    after: list[tuple[Arrival, _Goal]] = field(default_factory=list)


class Prover:
    """Finds the inductive claims of a game. ``samples[n]`` are plain states at node ``n`` with their options;
    ``thorough``: also guess claims under guards, which are many; ``cases``: all values of a cell that deals leave alone
    (see the module ``cases``): guesses are made, and edges asked about, for each of them apart."""

    def __init__(
        self,
        game: Game,
        claims: Sequence[StateClaim],
        samples: Mapping[int, Sequence[Sample]],
        fixed: Mapping[str, Value] | None = None,
        rlimit: int = DEFAULT_RLIMIT,
        thorough: bool = True,
        cases: Sequence[Case] = WHOLE,
    ) -> None:
        self.game, self.rlimit, self.thorough, self.cases = game, rlimit, thorough, cases
        self.systems = [CountingSystem(game, {**(fixed or {}), **case}) for case in cases]
        self.system = self.systems[0]
        self.claims = [c for c in claims if c.claim is Claim.INVARIANT]
        self.broken: dict[int, Broken] = {}
        self.layouts = [layout(game, n) for n in range(len(game.nodes))] * len(cases)  # by spot, like all that follow
        self.places = [system.place(n) for system in self.systems for n in range(len(game.nodes))]
        self.families: list[list[Family]] = [
            self._guess(self.spot(c, n), [s for s in samples.get(n, ()) if in_case(game, case, s[0])])
            for c, case in enumerate(cases)
            for n in range(len(game.nodes))
        ]
        self.stamp = [0] * len(self.places)  # counts the changes of a spot's claims
        self.queries = self.rlimit_used = self.rounds = self.pass_rlimit = 0
        self.answered: dict[tuple[int, tuple[Term, ...]], Unsatisfiable | Unknown] = {}  # by limit and query

    def spot(self, case: int, node: int) -> int:
        return case * len(self.game.nodes) + node

    def _guess(self, node: int, samples: Sequence[Sample]) -> list[Family]:
        if not samples:
            return [Statement(NEVER)]
        if len(self.cases) > 1 and isinstance(self.game.nodes[self.places[node].node], End):
            return []  # nothing follows there
        seen, many = self._columns(self.places[node], self.layouts[node]), len(self.cases) > 1
        return self._begin(
            node, from_samples(self.system, self.layouts[node], seen, samples, self.thorough, many), seen
        )

    def _begin(self, spot: int, families: list[Family], seen: SymbolicColumns) -> list[Family]:
        """Guesses, ready to be weakened, and the author's claims of other nodes."""
        limit(families, len(self.cases))
        return families + self._statements(self.places[spot].node, seen)

    def _statements(self, node: int, seen: SymbolicColumns) -> list[Family]:
        """The author's claims, tried at a node for which they were not made; those about numbers alone."""
        elsewhere = [c.statement for c in self.claims if node not in c.nodes]
        return [Statement(e) for e in elsewhere if not any("#" in v for v in t.variables([seen.statement(e)]))]

    def _columns(self, place: Place, shape: Layout) -> SymbolicColumns:
        return SymbolicColumns(place.stepper.evaluator, place.scope, shape.columns)

    # --- the terms of claims

    def _goal(self, evaluator: Evaluator, scope: Scope, case: int, node: int) -> _Goal:
        seen = SymbolicColumns(evaluator, scope, self.layouts[node].columns)
        claims = {n: seen.statement(c.statement) for n, c in enumerate(self.claims) if node in c.nodes}
        return _Goal(self.spot(case, node), seen, claims)

    def _work(self, transition: Transition, case: int) -> _Work:
        evaluator, place = transition.stepper.evaluator, transition.place
        before = None if place is None else self._goal(evaluator, place.scope, case, place.node)
        after = []
        for whole in transition.edge.arrivals:
            for number, arrival in ends(self.game, self.cases, evaluator, whole):
                scope = arrival_scope(transition, arrival)
                after.append((arrival, self._goal(evaluator, scope, number, arrival.node)))
        evaluator.under = t.TRUE
        return _Work(transition, before, after)

    def assumed(self, goal: _Goal | None) -> list[Term]:
        """The claims at a spot that are not broken."""
        if goal is None:
            return []
        found = [term for n, term in goal.claims.items() if n not in self.broken]
        return found + [term for family in self.families[goal.spot] for term in family.terms(goal.seen)]

    def known(self, place: Place, case: int = 0) -> list[Term]:
        """The claims left at a node in a case, as terms in a state there."""
        evaluator = place.stepper.evaluator
        return self.assumed(self._goal(evaluator, place.scope, case, place.node))

    # --- the search

    def run(self) -> Invariants:
        """Weaken until every query is answered with no; then go through all of them once more, of the claims that are
        left. The solver is not asked twice for the same answer."""
        begun: list[set[int]] = [set() for _ in self.cases]
        works = list(self._begun(begun))
        while True:
            self._settle(works)
            more = list(self._begun(begun))
            if more:
                works += more
                continue
            self.pass_rlimit = 0
            if not any([self._weaken(w, arrival, goal) for w in works for arrival, goal in w.after]):
                return self._result(works, self.pass_rlimit)

    def _begun(self, begun: list[set[int]]) -> Iterator[_Work]:
        """The edges from where play may come, as far as is known now, but for those from ``begun``, which grows."""
        for case, system in enumerate(self.systems):
            nodes = self.nodes(case)
            yield from (self._work(x, case) for x in system.transitions(nodes - begun[case]))
            begun[case] |= nodes

    def nodes(self, case: int) -> set[int]:
        """Where play may be in a case, as far as is known; -1, before the match, belongs to the first."""
        possible = {n for n in range(len(self.game.nodes)) if not self._excluded(self.spot(case, n))}
        return possible if case else {-1} | possible

    def edges(self) -> Iterator[tuple[int, Transition]]:
        """All edges from where play may be, each with the number of its case."""
        for case, system in enumerate(self.systems):
            yield from ((case, transition) for transition in system.transitions(self.nodes(case)))

    def _excluded(self, spot: int) -> bool:
        return any(isinstance(f, Statement) and _denies(f) and not f.broken for f in self.families[spot])

    def _settle(self, works: list[_Work]) -> None:
        """Ask again wherever claims have changed at the beginning or at the end of an edge."""
        checked: dict[tuple[int, int], tuple[int, int]] = {}
        numbers = [self._case_of(work) for work in works]
        groups = [[w for w, n in enumerate(numbers) if n == number] for number in sorted({*numbers}, reverse=True)]
        changed = True
        while changed:
            changed = False
            for mine in groups:  # each by itself, before what it does to others is looked at
                while self._round(works, mine, checked):
                    changed = len(groups) > 1

    def _case_of(self, work: _Work) -> int:
        """The number of the case in which an edge begins; the beginning of the match is one more, where there are
        several."""
        if work.before is None:
            return len(self.cases) if len(self.cases) > 1 else 0
        return work.before.spot // len(self.game.nodes)

    def _round(self, works: list[_Work], mine: Sequence[int], checked: dict[tuple[int, int], tuple[int, int]]) -> bool:
        """Ask once for each of some edges. Whether any claim has changed."""
        changed = False
        self.rounds += 1
        for w in mine:
            work = works[w]
            for a, (arrival, goal) in enumerate(work.after):
                if checked.get((w, a)) != self._stamps(work, goal):
                    while self._weaken(work, arrival, goal):
                        changed = True
                    checked[w, a] = self._stamps(work, goal)
        return changed

    def _stamps(self, work: _Work, goal: _Goal) -> tuple[int, int]:
        return 0 if work.before is None else self.stamp[work.before.spot], self.stamp[goal.spot]

    def _break(self, claim: int, broken: Broken) -> None:
        """Give an author's claim up, at all its nodes."""
        self.broken[claim] = broken
        for spot, place in enumerate(self.places):
            self.stamp[spot] += place.node in self.claims[claim].nodes

    def _query(self, work: _Work, arrival: Arrival, goal: Term, many: bool = False) -> Unsatisfiable | Model | Unknown:
        """``many``: the goal has parts and may be asked in parts, so it is given up early."""
        assumed = self.assumed(work.before)  # may add to the facts of the transition
        asserted = (*work.transition.assumptions(), *assumed, arrival.path, t.not_(goal))
        limit = max(self.rlimit // EARLY, 1) if many else self.rlimit
        answer = self.answered.get((limit, asserted)) or self._asked(asserted, limit)
        self.pass_rlimit += answer.rlimit
        return answer

    def _asked(self, asserted: tuple[Term, ...], limit: int) -> Unsatisfiable | Model | Unknown:
        answer = check(asserted, limit)
        self.queries += 1
        self.rlimit_used += answer.rlimit
        if not isinstance(answer, Model):
            self.answered[limit, asserted] = answer
        return answer

    def _weaken(self, work: _Work, arrival: Arrival, goal: _Goal) -> bool:
        """Ask whether the edge keeps all claims at its end; if not, weaken them. Whether anything has changed."""
        wanted = t.and_(*self.assumed(goal))
        match self._query(work, arrival, wanted, many=len(self.cases) > 1):
            case Unsatisfiable():
                return False
            case Model() as model:
                self._admit(work, arrival, goal, model)
                return True
            case Unknown():
                return self._one_by_one(work, arrival, goal)

    def _by_halves(self, work: _Work, arrival: Arrival, goal: _Goal, parts_: Sequence[Family | int]) -> bool:
        """The query for some families and claims (by number) was too hard: ask for each half of them, and so on; of one
        alone for each of its terms. What is unknown even so is given up. Whether anything has changed."""
        changed, half = False, len(parts_) // 2
        for some in (parts_[:half], parts_[half:]) if half else ():
            held = [p for p in some if not isinstance(p, int) or p not in self.broken]
            wanted = t.and_(*(term for p in held for term in _terms_of(p, goal)))
            match self._query(work, arrival, wanted, many=len(held) > 1):
                case Model() as model:
                    self._admit(work, arrival, goal, model)
                    changed = True
                case Unknown():
                    changed |= self._by_halves(work, arrival, goal, held)
                case Unsatisfiable():
                    pass
        return changed if half or not parts_ else self._by_terms(work, arrival, goal, parts_[0])

    def _by_terms(self, work: _Work, arrival: Arrival, goal: _Goal, part: Family | int) -> bool:
        """Each term of a family or claim by itself: as it stands, and seat by seat."""
        terms = [a for term in _terms_of(part, goal) for a in (term.args if term.op == "and" else (term,))]
        answers = [self._by_seats(work, arrival, term) for term in terms]
        model = next((a for a in answers if isinstance(a, Model)), None)
        if model is not None:
            self._admit(work, arrival, goal, model)
        elif any(isinstance(a, Unknown) for a in answers):
            self._give_up(work, arrival, goal, part)
        else:
            return False
        return True

    def _by_seats(self, work: _Work, arrival: Arrival, term: Term) -> Unsatisfiable | Model | Unknown:
        """A query that is unknown as it stands is asked for each seat that a cell may name where the edge begins; the
        last cells first, since these say whose turn it is."""
        whole, place = self._query(work, arrival, term), work.transition.place
        if not isinstance(whole, Unknown) or place is None:
            return whole
        for seats in list(naming_seats(self.game, place))[: -1 - SPLITS : -1]:
            answers = [self._query(work, arrival, t.implies(here, term)) for here in seats]
            if all(isinstance(a, Unsatisfiable) for a in answers):
                return Unsatisfiable(sum(a.rlimit for a in answers))
            for answer in answers:
                if isinstance(answer, Model):
                    return answer
        return whole

    def _give_up(self, work: _Work, arrival: Arrival, goal: _Goal, part: Family | int) -> None:
        if isinstance(part, int):
            self._break(part, Broken(work.transition.name, arrival.node, None))
        else:
            self.families[goal.spot] = [f for f in self.families[goal.spot] if f is not part]
            self.stamp[goal.spot] += 1

    def _admit(self, work: _Work, arrival: Arrival, goal: _Goal, model: Model) -> None:
        assumed = self.assumed(work.before)
        terms = [*work.transition.assumptions(), *assumed, arrival.path]
        held = [n for n in goal.claims if n not in self.broken]
        tried = [f for f in self.families[goal.spot] if isinstance(f, Statement) and not f.broken]
        stated = [goal.seen.statement(f.claim) for f in tried]
        columns = [goal.seen.number(c) for c in range(len(goal.seen.columns.numbers))]
        columns += [goal.seen.truth(c) for c in range(len(goal.seen.columns.truths))]
        cells = [p for c in goal.seen.columns.cells for p in parts(goal.seen.evaluator.value(c, goal.seen.scope))]
        names = t.variables([*terms, *columns, *cells, *stated, *goal.claims.values()])
        values = model.complete(names)
        truths = t.evaluate([goal.claims[n] for n in held], values)
        for n, holds in zip(held, truths, strict=True):
            if not holds:
                self._break(n, Broken(work.transition.name, arrival.node, values))
        for family, holds in zip(tried, t.evaluate(stated, values), strict=True):
            if not holds:
                family.drop()
        row = goal.seen.row(values)
        changed = [family.join(row) for family in self.families[goal.spot]]
        if len(self.cases) == 1 and any(_denies(f) and f.broken for f in tried):  # no play came here
            seen = self._columns(self.places[goal.spot], self.layouts[goal.spot])
            families = first_guess(self.layouts[goal.spot], row, self.game.seats)
            begun = self._begin(goal.spot, families, seen)
            self.families[goal.spot] = [f for f in begun if not _denies(f)]  # also where an author claims it elsewhere
        self.stamp[goal.spot] += 1
        assert any(changed) or not all(truths) or any(f.broken for f in tried), "a model must break a claim"

    def _one_by_one(self, work: _Work, arrival: Arrival, goal: _Goal) -> bool:
        """The query for all claims was too hard, though little in it may be: ask for fewer at a time."""
        held = [n for n in goal.claims if n not in self.broken]
        return self._by_halves(work, arrival, goal, [*self.families[goal.spot], *held])

    def _result(self, works: list[_Work], proof: int) -> Invariants:
        results = []
        for n, claim in enumerate(self.claims):
            count = sum(arrival.node in claim.nodes for w in works for arrival, _ in w.after)
            results.append(ClaimResult(claim.name, claim.nodes, self.broken.get(n), count))
        found = {
            spot: [e for family in families for e in family.claims(self.layouts[spot].columns)]
            for spot, families in enumerate(self.families)
        }
        return Invariants(results, found, self.queries, self.rlimit_used, self.rounds, proof)
