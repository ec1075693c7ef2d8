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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kozel_verify.model.core import CellRead, Claim, Const, Expr, Game, OptionRead, StateClaim
from kozel_verify.model.types import Value, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Arrival
from kozel_verify.symbolic.evaluate import Evaluator, Scope
from kozel_verify.symbolic.exact import PlainState
from kozel_verify.symbolic.guess import Layout, guess, layout
from kozel_verify.symbolic.system import CountingSystem, Place, Transition, arrival_scope
from kozel_verify.symbolic.templates import PATIENCE, Box, Columns, Family, Relation, Row, Statement
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import equal, parts, reader
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Model, Unknown, Unsatisfiable, check

Sample = tuple[PlainState, Mapping[str, Value]]  # a state, and the options of its match


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
    """What was proved. ``found[n]`` are the claims at node ``n`` beside the author's. Queries and resource units count
    the whole search, each query once."""

    results: list[ClaimResult]
    found: dict[int, list[Expr]]
    queries: int = 0
    rlimit: int = 0
    rounds: int = 0
    proof_rlimit: int = 0  # of the last pass alone, in which every query was answered with no


SAMPLES = 300  # states of a node from which guesses are made


def thinned(samples: Sequence[Sample]) -> Sequence[Sample]:
    """At most ``SAMPLES`` of them, evenly spread."""
    step = -(-len(samples) // SAMPLES) or 1
    return samples[::step]


def fill(relation: Relation, game: Game, columns: Columns, samples: Sequence[Sample]) -> None:
    """Admit what all samples show of its cells, not only the thinned ones: each tuple that they miss costs a query."""
    cells = [columns.cells[c] for c in relation.cells]
    for values in dict.fromkeys(tuple(_plain(game, c, *sample) for c in cells) for sample in samples):
        relation.admit(values)


def _plain(game: Game, cell: Expr, state: PlainState, options: Mapping[str, Value]) -> Value:
    """The value of a small cell or option in a plain state."""
    match cell:
        case CellRead(name, index):
            declared = game.cells[name]
            if declared.index is None:
                return state.cells[declared.base]
            assert isinstance(index, Const) and index.value is not None
            return state.cells[declared.base + int(index.value) - element_indices(declared.index)[0]]
        case OptionRead(name):
            return options[name]
        case _:
            raise TypeError("neither a cell nor an option")


class SymbolicColumns:
    """The columns of a node in a symbolic state, evaluated when first asked for."""

    def __init__(self, evaluator: Evaluator, scope: Scope, columns: Columns) -> None:
        self.evaluator, self.scope, self.columns = evaluator, scope, columns
        self._numbers: dict[int, Term] = {}
        self._truths: dict[int, Term] = {}
        self._cells: dict[tuple[int, Value], Term] = {}
        self._statements: dict[int, Term] = {}  # by identity: the claims outlive the columns
        self._under = evaluator.under

    def _term(self, expr: Expr) -> Term:
        self.evaluator.under = self._under
        term = self.evaluator.term(expr, self.scope)
        self.evaluator.take_obligations()
        return term

    def number(self, column: int) -> Term:
        if column not in self._numbers:
            self._numbers[column] = self._term(self.columns.numbers[column])
        return self._numbers[column]

    def truth(self, column: int) -> Term:
        if column not in self._truths:
            self._truths[column] = self._term(self.columns.truths[column])
        return self._truths[column]

    def cell_is(self, column: int, value: Value) -> Term:
        key = column, value
        if key not in self._cells:
            cell = self.columns.cells[column]
            constant = self.evaluator.constant(value, cell.type)
            self._cells[key] = equal(self.evaluator.value(cell, self.scope), constant)
        return self._cells[key]

    def statement(self, claim: Expr) -> Term:
        """A claim, false where it is not defined."""
        if id(claim) not in self._statements:
            self.evaluator.under = self._under
            value = self.evaluator.truth(claim, self.scope)
            defined = t.and_(*(o.formula() for o in self.evaluator.take_obligations()))
            self._statements[id(claim)] = t.and_(defined, value)
        return self._statements[id(claim)]

    def row(self, values: Mapping[str, Constant]) -> Row:
        """The columns under an assignment."""
        numbers = [self.number(c) for c in range(len(self.columns.numbers))]
        truths = [self.truth(c) for c in range(len(self.columns.truths))]
        cells = [(self.evaluator.value(c, self.scope), c.type) for c in self.columns.cells]
        roots = [*numbers, *truths, *(p for v, _ in cells for p in parts(v))]
        read = reader(roots, values)
        lowered = tuple(self.evaluator.codec.lower(v, type_, read) for v, type_ in cells)
        return Row(tuple(int(read(n)) for n in numbers), tuple(bool(read(x)) for x in truths), lowered)


@dataclass(slots=True)
class _Goal:
    """The claims at a node, as terms in one symbolic state."""

    seen: SymbolicColumns
    claims: dict[int, Term]  # position of the author's claim -> its term


@dataclass(slots=True)
class _Work:
    transition: Transition
    before: _Goal | None
    after: list[tuple[Arrival, _Goal]] = field(default_factory=list)


class Prover:
    """Finds the inductive claims of a game. ``samples[n]`` are plain states at node ``n`` with their options;
    ``thorough``: also guess claims under guards, which are many."""

    def __init__(
        self,
        game: Game,
        claims: Sequence[StateClaim],
        samples: Mapping[int, Sequence[Sample]],
        fixed: Mapping[str, Value] | None = None,
        rlimit: int = DEFAULT_RLIMIT,
        thorough: bool = True,
    ) -> None:
        self.game, self.rlimit, self.thorough = game, rlimit, thorough
        self.system = CountingSystem(game, fixed)
        self.claims = [c for c in claims if c.claim is Claim.INVARIANT]
        self.broken: dict[int, Broken] = {}
        self.layouts = [layout(game, n) for n in range(len(game.nodes))]
        self.places = [self.system.place(n) for n in range(len(game.nodes))]
        self.families: list[list[Family]] = [self._guess(n, samples.get(n, ())) for n in range(len(game.nodes))]
        self.stamp = [0] * len(game.nodes)  # counts the changes of a node's claims
        self.queries = self.rlimit_used = self.rounds = self.pass_rlimit = 0
        self.refuted: dict[tuple[Term, ...], Unsatisfiable] = {}  # what was asked, word for word, and answered with no

    def _guess(self, node: int, samples: Sequence[Sample]) -> list[Family]:
        seen = self._columns(self.places[node], self.layouts[node])
        rows = list(dict.fromkeys(seen.row(self.system.assignment(s, o)) for s, o in thinned(samples)))
        families = guess(self.layouts[node], rows, self.game.seats, self.thorough)
        for family in families:
            if isinstance(family, Box):
                family.patience = PATIENCE
            elif isinstance(family, Relation):
                fill(family, self.game, self.layouts[node].columns, samples)
        return families + self._statements(node, seen) if rows else families

    def _statements(self, node: int, seen: SymbolicColumns) -> list[Family]:
        """The author's claims, tried at a node for which they were not made; those about numbers alone."""
        elsewhere = [c.statement for c in self.claims if node not in c.nodes]
        return [Statement(e) for e in elsewhere if not any("#" in v for v in t.variables([seen.statement(e)]))]

    def _columns(self, place: Place, shape: Layout) -> SymbolicColumns:
        return SymbolicColumns(place.stepper.evaluator, place.scope, shape.columns)

    # --- the terms of claims

    def _goal(self, evaluator: Evaluator, scope: Scope, node: int) -> _Goal:
        seen = SymbolicColumns(evaluator, scope, self.layouts[node].columns)
        return _Goal(seen, {n: seen.statement(c.statement) for n, c in enumerate(self.claims) if node in c.nodes})

    def _work(self, transition: Transition) -> _Work:
        evaluator, place = transition.stepper.evaluator, transition.place
        before = None if place is None else self._goal(evaluator, place.scope, place.node)
        after = []
        for arrival in transition.edge.arrivals:
            scope = arrival_scope(transition, arrival)
            after.append((arrival, self._goal(evaluator, scope, arrival.node)))
        evaluator.under = t.TRUE
        return _Work(transition, before, after)

    def assumed(self, goal: _Goal | None, node: int) -> list[Term]:
        """The claims at a node that are not broken."""
        if goal is None:
            return []
        found = [term for n, term in goal.claims.items() if n not in self.broken]
        return found + [term for family in self.families[node] for term in family.terms(goal.seen)]

    def known(self, place: Place) -> list[Term]:
        """The claims left at a node, as terms in a state there."""
        evaluator = place.stepper.evaluator
        return self.assumed(self._goal(evaluator, place.scope, place.node), place.node)

    # --- the search

    def run(self) -> Invariants:
        """Weaken until every query is answered with no; then go through all of them once more, of the claims that are
        left. The solver is not asked twice what it has answered with no."""
        works = [self._work(x) for x in self.system.transitions()]
        while True:
            self._settle(works)
            self.pass_rlimit = 0
            if not any([self._weaken(w, arrival, goal) for w in works for arrival, goal in w.after]):
                return self._result(works, self.pass_rlimit)

    def _settle(self, works: list[_Work]) -> None:
        """Ask again wherever claims have changed at the beginning or at the end of an edge."""
        checked: dict[tuple[int, int], tuple[int, int]] = {}
        changed = True
        while changed:
            changed = False
            self.rounds += 1
            for w, work in enumerate(works):
                for a, (arrival, goal) in enumerate(work.after):
                    if checked.get((w, a)) != self._stamps(work, arrival):
                        while self._weaken(work, arrival, goal):
                            changed = True
                        checked[w, a] = self._stamps(work, arrival)

    def _stamps(self, work: _Work, arrival: Arrival) -> tuple[int, int]:
        place = work.transition.place
        return 0 if place is None else self.stamp[place.node], self.stamp[arrival.node]

    def _break(self, claim: int, broken: Broken) -> None:
        """Give an author's claim up, at all its nodes."""
        self.broken[claim] = broken
        for node in self.claims[claim].nodes:
            self.stamp[node] += 1

    def _query(self, work: _Work, arrival: Arrival, goal: Term) -> Unsatisfiable | Model | Unknown:
        place = work.transition.place
        assumed = [] if place is None else self.assumed(work.before, place.node)
        asserted = (*work.transition.assumptions(), *assumed, arrival.path, t.not_(goal))
        answer = self.refuted.get(asserted) or self._asked(asserted)
        self.pass_rlimit += answer.rlimit
        return answer

    def _asked(self, asserted: tuple[Term, ...]) -> Unsatisfiable | Model | Unknown:
        answer = check(asserted, self.rlimit)
        self.queries += 1
        self.rlimit_used += answer.rlimit
        if isinstance(answer, Unsatisfiable):
            self.refuted[asserted] = answer
        return answer

    def _weaken(self, work: _Work, arrival: Arrival, goal: _Goal) -> bool:
        """Ask whether the edge keeps all claims at its end; if not, weaken them. Whether anything has changed."""
        wanted = t.and_(*self.assumed(goal, arrival.node))
        match self._query(work, arrival, wanted):
            case Unsatisfiable():
                return False
            case Model() as model:
                self._admit(work, arrival, goal, model)
                return True
            case Unknown():
                return self._one_by_one(work, arrival, goal)

    def _admit(self, work: _Work, arrival: Arrival, goal: _Goal, model: Model) -> None:
        place = work.transition.place
        assumed = [] if place is None else self.assumed(work.before, place.node)
        terms = [*work.transition.assumptions(), *assumed, arrival.path]
        held = [n for n in goal.claims if n not in self.broken]
        tried = [f for f in self.families[arrival.node] if isinstance(f, Statement) and not f.broken]
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
        changed = [family.join(row) for family in self.families[arrival.node]]
        self.stamp[arrival.node] += 1
        assert any(changed) or not all(truths) or any(f.broken for f in tried), "a model must break a claim"

    def _one_by_one(self, work: _Work, arrival: Arrival, goal: _Goal) -> bool:
        """The query for all claims was too hard: ask for each, and give up those that stay unknown."""
        changed, kept = False, []
        for family in self.families[arrival.node]:
            answer = self._query(work, arrival, t.and_(*family.terms(goal.seen)))
            if isinstance(answer, Unsatisfiable):
                kept.append(family)
            else:
                changed = True
        self.families[arrival.node] = kept
        self.stamp[arrival.node] += changed
        for n in [n for n in goal.claims if n not in self.broken]:
            answer = self._query(work, arrival, goal.claims[n])
            if not isinstance(answer, Unsatisfiable):
                values = answer.values if isinstance(answer, Model) else None
                self._break(n, Broken(work.transition.name, arrival.node, values))
                changed = True
        return changed

    def _result(self, works: list[_Work], proof: int) -> Invariants:
        results = []
        for n, claim in enumerate(self.claims):
            count = sum(arrival.node in claim.nodes for w in works for arrival, _ in w.after)
            results.append(ClaimResult(claim.name, claim.nodes, self.broken.get(n), count))
        found = {
            node: [e for family in families for e in family.claims(self.layouts[node].columns)]
            for node, families in enumerate(self.families)
        }
        return Invariants(results, found, self.queries, self.rlimit_used, self.rounds, proof)
