"""What is proved about faces: claims about which cards lie where, secrets, and places that are never reached.

In: a game, and for each node the claims that are proved there already (``known[n]``, core expressions). Out: for each
claim, secret or dead place whether it is proved, and if not, the edge or node and a model.

``prove_faces`` is induction over the edges on masks (``faces_sets``): the claims at a node are assumed together, every
edge must keep them; a claim that some edge breaks is dropped everywhere and the rest is asked again, until all that are
left stand with the help of each other and of the known claims alone. The zones are a partition of the pack at every
node; that holds by representation, since a card has one place.

What is proved holds in every state that a play of well-defined steps reaches: the obligations of a step are assumed on
the way to its end, since a step that is not well defined has no end. That every step is well defined is proved apart,
from claims that hold so far. A model that breaks a claim shows that it is not inductive; its sizes and its answers of
matchings may be ones that no cards have. Trusted: the edges, ``faces_sets``, and the solver.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import OUTSIDE, Claim, Dead, Expr, Game, Secret, StateClaim
from kozel_verify.model.types import Value, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.cases import Known, reached
from kozel_verify.symbolic.edge import Arrival
from kozel_verify.symbolic.evaluate import Evaluator, Scope
from kozel_verify.symbolic.exact import Reached
from kozel_verify.symbolic.faces_sets import flat, mask_of
from kozel_verify.symbolic.faces_system import FaceSystem, Usable, instances
from kozel_verify.symbolic.system import CountingSystem, Place, Transition, arrival_scope, cell_types
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Codec, SymSet, SymValue, reader
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Answer, Model, Unknown, Unsatisfiable, check


@dataclass(frozen=True, slots=True)
class Failure:
    """Why something is not proved. ``edge``: the step's name (empty for a state at a node); ``start``: the node where
    it begins (-1: before the match); ``end``: where it ends (-1: nowhere). ``values``: a model, or ``None`` when the
    budget was used up (``reason`` has the solver's word).

    A model's variables: ``place:card`` and ``cell:slot`` for the state at the start (see ``first_state``),
    ``argument:n`` and ``argument:n.card`` for the choice, ``option:name``; all others are numbers beside the masks.
    """

    edge: str
    start: int
    end: int
    values: dict[str, Constant] | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class FaceResult:
    """``obligations``: how many statements the proof consists of (for a claim: the edges that lead to its nodes);
    ``rlimit``: its share of the resource units that were used."""

    name: str
    nodes: tuple[int, ...]
    failure: Failure | None
    obligations: int
    rlimit: int
    span: Span = NOWHERE

    @property
    def proved(self) -> bool:
        return self.failure is None


def defined_truth(evaluator: Evaluator, expr: Expr, scope: Scope) -> tuple[Term, Term]:
    """The truth value of an expression, and when it is defined."""
    evaluator.take_obligations()
    value = evaluator.truth(expr, scope)
    return value, t.and_(*(o.formula() for o in evaluator.take_obligations()))


def known_terms(place: Place | None, known: Known) -> list[Term]:
    """The known claims at a place; none before the match."""
    if place is None:
        return []
    pairs = [defined_truth(place.stepper.evaluator, expr, place.scope) for expr in known.get(place.node, ())]
    return [t.implies(defined, value) for value, defined in pairs]


def failure_of(
    answer: Answer, asserted: Sequence[Term], edge: str, start: Place | None, end: int = -1
) -> Failure | None:
    """What an answer about an edge (or, with ``edge`` empty, about a state) says against what was to be proved."""
    node = -1 if start is None else start.node
    match answer:
        case Unsatisfiable():
            return None
        case Model() as model:
            return Failure(edge, node, end, model.complete(t.variables(asserted)))
        case Unknown(reason):
            return Failure(edge, node, end, None, reason)


def first_state(game: Game, failure: Failure) -> Reached | None:
    """The state in which a failure's model begins, as plain data; cards that the model leaves open are in zone slot 0.
    ``None`` without a model, or before the match."""
    if failure.values is None or failure.start < 0:
        return None
    codec, cells = Codec(game.deck), list[Value]()
    for slot, (type_, initial, live) in enumerate(cell_types(game, failure.start)):
        value, _ = codec.unknown(f"cell:{slot}", type_)
        model = {str(v.payload): v.sort != t.BOOL and 0 for v in flat(value)} | failure.values
        cells.append(codec.lower(value, type_, reader(flat(value), model)) if live else initial)
    cards = range(len(game.deck))
    places = [int(failure.values.get(f"place:{c}", 0)) if game.pack >> c & 1 else OUTSIDE for c in cards]
    return Reached(failure.start, tuple(cells), tuple(places))


# --- claims ----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Work:
    """An edge with its claims as terms: position of the claim -> term. ``learned``: what lemmas say, once needed."""

    transition: Transition
    given: list[Term]
    before: dict[int, Term]
    after: list[tuple[Arrival, dict[int, Term]]]
    learned: list[Term] | None = None


@dataclass(slots=True)
class _Account:
    failure: Failure | None = None
    obligations: int = 0
    rlimit: int = 0


@dataclass(slots=True)
class _Induction:
    claims: Sequence[StateClaim]
    lemmas: Sequence[Usable]
    rlimit: int
    accounts: list[_Account]

    def goals(self, evaluator: Evaluator, scope: Scope, node: int) -> dict[int, Term]:
        """The claims at a node: each is defined and true."""
        here = [n for n, claim in enumerate(self.claims) if node in claim.nodes]
        return {n: t.and_(*defined_truth(evaluator, self.claims[n].statement, scope)) for n in here}

    def work(self, transition: Transition, claims: Known) -> _Work:
        evaluator, place = transition.stepper.evaluator, transition.place
        evaluator.under = t.TRUE
        known = known_terms(place, claims)
        before = {} if place is None else self.goals(evaluator, place.scope, place.node)
        after = []
        for arrival in transition.edge.arrivals:
            if any(arrival.node in c.nodes for c in self.claims):
                after.append((arrival, self.goals(evaluator, arrival_scope(transition, arrival), arrival.node)))
        well_defined = [o.formula() for o in transition.edge.obligations]
        return _Work(transition, [*transition.assumptions(), *well_defined, *known], before, after)

    def learned(self, work: _Work) -> list[Term]:
        """What lemmas say on the edge, with the facts about what they speak of; made when it is first needed."""
        if work.learned is None:
            found = instances(self.lemmas, work.transition)
            given = set(work.given)
            new = [f for f in work.transition.assumptions() if f not in given]
            work.learned = [*new, *found] if found else []
        return work.learned

    def run(self, works: Sequence[_Work]) -> None:
        """Ask for every claim at the end of every edge, again where a claim at the beginning was dropped."""
        waiting = list(works)
        while waiting:
            dropped = {n for w in waiting for n in self._ask(w)}
            waiting = [w for w in works if dropped & w.before.keys()]

    def _ask(self, work: _Work) -> Iterator[int]:
        """The claims that the edge breaks: all are asked for together first, then, unless that settles it, each."""
        for arrival, goals in work.after:
            wanted = [n for n in goals if self.accounts[n].failure is None]
            if len(wanted) > 1 and self._query(work, arrival, goals, wanted) is None:
                continue
            for n in wanted:
                self.accounts[n].failure = self._query(work, arrival, goals, [n])
                if self.accounts[n].failure is not None:
                    yield n

    def _query(self, work: _Work, arrival: Arrival, goals: dict[int, Term], wanted: list[int]) -> Failure | None:
        """Does the edge keep the wanted claims, if all that are not dropped hold where it begins? Lemmas are used where
        it is not shown without them."""
        held = [claim for m, claim in work.before.items() if self.accounts[m].failure is None]
        asserted = [*work.given, *held, arrival.path, t.not_(t.and_(*(goals[n] for n in wanted)))]
        answer = check(asserted, self.rlimit)
        used = answer.rlimit
        learned = [] if isinstance(answer, Unsatisfiable) else self.learned(work)
        if learned:
            asserted = [*learned, *asserted]
            answer = check(asserted, self.rlimit)
            used += answer.rlimit
        for n in wanted:
            self.accounts[n].rlimit += used // len(wanted)
        return failure_of(answer, asserted, work.transition.name, work.transition.place, arrival.node)

    def results(self, works: Sequence[_Work]) -> list[FaceResult]:
        ends = [n for w in works for _, goals in w.after for n in goals]
        return [
            FaceResult(c.name, c.nodes, a.failure, ends.count(n), a.rlimit, c.span)
            for n, (c, a) in enumerate(zip(self.claims, self.accounts, strict=True))
        ]


def prove_faces(
    game: Game,
    claims: Sequence[StateClaim],
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    lemmas: Sequence[Usable] = (),
) -> list[FaceResult]:
    """The invariants among ``claims``, proved together by induction.

    ``known[n]``: claims that hold at node ``n``; ``fixed``: options that are constants (the others are unknown);
    ``rlimit``: for each query; ``lemmas``: proved ones, used for matchings (see ``faces_system.usable``).
    """
    return prove_faces_by_cases(game, claims, [(known, fixed or {})], rlimit, lemmas)


def prove_faces_by_cases(
    game: Game,
    claims: Sequence[StateClaim],
    cases: Sequence[tuple[Known, Mapping[str, Value]]],
    rlimit: int = DEFAULT_RLIMIT,
    lemmas: Sequence[Usable] = (),
) -> list[FaceResult]:
    """The same by cases (see ``cases``): each with what is known in it and what is fixed. What breaks in one falls."""
    wanted = [c for c in claims if c.claim is Claim.INVARIANT]
    induction = _Induction(wanted, lemmas, rlimit, [_Account() for _ in wanted])
    works: list[_Work] = []
    for known, fixed in cases:
        nodes = reached(game, known) - ({-1} if works else set())  # a match begins once
        works += [induction.work(x, known) for x in FaceSystem(game, fixed).transitions(nodes)]
    induction.run(works)
    return induction.results(works)


# --- secrets ---------------------------------------------------------------------------------------------------------


def prove_secrets(
    game: Game,
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    only: Collection[str] | None = None,
) -> list[FaceResult]:
    """For each secret (or those named in ``only``): at its nodes no seat that it is hidden from sees one of its cards.

    This compares the secret with the zones' visibility in each state at the node where the ``known`` claims hold. What
    events and cells tell is not its subject.
    """
    secrets = [s for s in game.properties if isinstance(s, Secret) and (only is None or s.name in only)]
    if not secrets:
        return []
    system = FaceSystem(game, fixed)
    nodes = sorted(reached(game, known) - {-1})
    places = {p.node: (p, known_terms(p, known)) for p in map(system.place, nodes)}
    return [_secret(game, s, [places[n] for n in s.nodes or nodes if n in places], rlimit) for s in secrets]


def _secret(game: Game, secret: Secret, places: Sequence[tuple[Place, list[Term]]], rlimit: int) -> FaceResult:
    used, failure = 0, None
    for place, known in places:
        leak = _leak(game, secret, place)
        asserted = [*place.assumptions(), *known, leak]
        answer = check(asserted, rlimit)
        used += answer.rlimit
        failure = failure or failure_of(answer, asserted, "", place)
    return FaceResult(secret.name, tuple(p.node for p, _ in places), failure, len(places), used, secret.span)


def _leak(game: Game, secret: Secret, place: Place) -> Term:
    """Some seat that must not sees a card of the secret, or the secret is not defined here."""
    evaluator, leaks = place.stepper.evaluator, list[Term]()
    evaluator.take_obligations()
    for index in (None,) if secret.index is None else element_indices(secret.index):
        scope = place.scope
        if secret.index is not None and index is not None:
            scope = scope.bind(**{secret.variable: evaluator.codec.element(secret.index, index)})
        cards = mask_of(evaluator.value(secret.cards, scope))
        hidden = evaluator.value(secret.hidden_from, scope)
        for slot, seen in _visible(game, place):
            overlap = t.or_(*map(t.and_, cards.bits, mask_of(place.state.zones[slot]).bits))
            leaks.append(t.and_(overlap, _common(hidden, seen, game.seats)))
    defined = t.and_(*(o.formula() for o in evaluator.take_obligations()))
    return t.or_(*leaks, t.not_(defined))


def _visible(game: Game, place: Place) -> Iterator[tuple[int, SymValue]]:
    """Each zone slot with the seats that see the faces there."""
    evaluator = place.stepper.evaluator
    for zone in game.zones.values():
        for n, i in enumerate((None,) if zone.index is None else element_indices(zone.index)):
            scope = place.scope
            if zone.index is not None and i is not None and zone.seen.variable:
                scope = scope.bind(**{zone.seen.variable: evaluator.codec.element(zone.index, i)})
            yield zone.base + n, evaluator.value(zone.seen.seats, scope)


def _common(a: SymValue, b: SymValue, seats: int) -> Term:
    """Have two sets of seats a common one?"""
    assert isinstance(a, SymSet) and isinstance(b, SymSet)
    return t.or_(*(t.and_(a.bit(s), b.bit(s)) for s in range(seats)))


# --- dead places -----------------------------------------------------------------------------------------------------


def dead_places(game: Game) -> dict[str, Span]:
    """The places that the spec calls dead, by name."""
    return {b.end.name: b.end.span for b in game.blocks if isinstance(b.end, Dead)}


def prove_dead(
    game: Game,
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    only: Collection[str] | None = None,
) -> list[FaceResult]:
    """For each place that the spec calls dead, by name: no edge reaches it. Each edge is asked with numbers alone first
    (``counting``), and with masks if that does not suffice. ``nodes``: where the edges that might reach it begin;
    ``only``: names of the places that are asked about (``None``: all)."""
    levels = (CountingSystem(game, fixed), FaceSystem(game, fixed))
    spans = {name: span for name, span in dead_places(game).items() if only is None or name in only}
    if not spans:
        return []
    accounts = {name: _Account() for name in spans}
    starts: dict[str, dict[int, None]] = {name: {} for name in spans}
    for transition in levels[0].transitions(reached(game, known)):
        for name in {f.name: None for f in transition.edge.falls if f.name in spans}:
            account = accounts[name]
            account.obligations += 1
            answers = _fall(transition, name, levels, known, rlimit)
            account.rlimit += sum(answer.rlimit for answer, _ in answers)
            node = -1 if transition.place is None else transition.place.node
            starts[name][node] = None
            failure = failure_of(*answers[-1], transition.name, transition.place)
            account.failure = account.failure or failure
    return [FaceResult(n, tuple(starts[n]), a.failure, a.obligations, a.rlimit, spans[n]) for n, a in accounts.items()]


def _fall(
    transition: Transition, name: str, levels: Sequence[CountingSystem], known: Known, rlimit: int
) -> list[tuple[Answer, list[Term]]]:
    """The answers of the levels, up to the first that excludes the fall, each with what was asserted."""
    answers: list[tuple[Answer, list[Term]]] = []
    for n, level in enumerate(levels):
        if n:
            place = transition.place
            transition = level.begin() if place is None else level.transition(place.node, transition.edge.verb)
        evaluator = transition.stepper.evaluator
        evaluator.under = t.TRUE
        here = known_terms(transition.place, known)
        path = t.or_(*(f.path for f in transition.edge.falls if f.name == name))
        well_defined = [o.formula() for o in transition.edge.obligations]
        asserted = [*transition.assumptions(), *well_defined, *here, path]
        answers.append((check(asserted, rlimit), asserted))
        if isinstance(answers[-1][0], Unsatisfiable):
            break
    return answers


# --- well defined steps ----------------------------------------------------------------------------------------------


def prove_defined(
    game: Game,
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    only: Collection[tuple[str, Span]] | None = None,
) -> list[FaceResult]:
    """Every partial operation has a value on every step from a state where the ``known`` claims hold.

    ``only``: the edges' names and the places in the text that are asked about (``None``: all; numbers may settle some).
    """
    results = []
    for transition in FaceSystem(game, fixed).transitions(reached(game, known)):
        name, groups = transition.name, dict[tuple[str, Span], list[Term]]()
        for o in transition.edge.obligations:
            if only is None or (name, o.span) in only:
                groups.setdefault((o.text, o.span), []).append(o.formula())
        transition.stepper.evaluator.under = t.TRUE
        given = known_terms(transition.place, known) if groups else []
        for (text, span), goals in groups.items():
            asserted = [*transition.assumptions(), *given, t.not_(t.and_(*goals))]
            answer = check(asserted, rlimit)
            failure = failure_of(answer, asserted, name, transition.place)
            start = () if transition.place is None else (transition.place.node,)
            results.append(FaceResult(f"{name}: {text}", start, failure, len(goals), answer.rlimit, span))
    return results
