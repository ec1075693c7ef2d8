"""No peeking: what a seat can do and see follows from what it has seen, proved for any two runs.

In: a game, and for each node the claims that are proved there already. Out: for each seat, and for each node and each
step from it, whether it is proved, and if not, what differs and two states in which it does.

Method. Two real states at a node are related for a seat when its views of them are equal, and so are the parts *kept*
there: cells and zones that it does not see, but whose equality is preserved (all to begin with; what some step does not
preserve is dropped, and the steps from that node are asked again). A play has one beginning, which is related to
itself. At each node, for related states: whose turn it is and what is worth telling at the end are equal; if it is the
seat's own, what it may choose is equal. For each step, by the same choice if it is the seat's own, else by choices of
which it learns no more than the open verb and the arguments that are no cards (or, if secret, nothing): the goals of
``peeking_chain``. If all are proved, then by induction two plays in which a seat was told the same give it equal views
and equal choices: each thing that it comes to know was told to it by a statement of the rules.

It is a statement about what is possible, not about how likely. Steps are taken to be well defined, which is proved
apart. Each seat is asked about for itself. Trusted: the edges, the sets with masks, the chain, and the solver.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import OUTSIDE, Ask, Draw, End, Game, Parameter, Rest
from kozel_verify.model.types import CardType, SeatType, SetType, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Outcome
from kozel_verify.symbolic.evaluate import Scope, SymState, card_set
from kozel_verify.symbolic.exact import Reached
from kozel_verify.symbolic.faces import Known
from kozel_verify.symbolic.faces_sets import FaceEvaluator, flat, mask_of
from kozel_verify.symbolic.peeking_chain import Chain, Goal, TellingStepper, What
from kozel_verify.symbolic.peeking_twins import Part, Twins, TwinSystem, hidden_parts, same
from kozel_verify.symbolic.system import cell_types
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Counted, SymValue, reader
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Model, Unknown, Unsatisfiable, check

Kept = list[frozenset[Part]]  # for each node the parts that are equal there though the seat does not see them


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked about at a node: the node itself (``verbs`` empty), or steps from it. ``verbs``: those of the two
    runs (-1 for chance and rest), which differ only where a choice is secret; ``own``: the choice is the seat's."""

    node: int
    verbs: tuple[int, ...]
    own: bool = False


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not shown to be equal. ``states``: two states with equal views in which it is not, at the step's start;
    ``None`` when the budget was used up (``reason`` has the solver's word). They need not be reachable."""

    what: What
    text: str
    span: Span
    states: tuple[Reached, Reached] | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PeekResult:
    """One seat and one step. ``goals``: how many things had to be shown equal; ``queries``, ``rlimit``: what it took.
    A proved step rests on the kept parts, so that all steps of a seat are proved together or not at all."""

    seat: int
    step: Step
    name: str
    difference: Difference | None
    goals: int
    queries: int
    rlimit: int

    @property
    def proved(self) -> bool:
        return self.difference is None


def steps(game: Game) -> Iterator[Step]:
    """Everything that is asked about, for each seat."""
    for n, node in enumerate(game.nodes):
        yield Step(n, ())
        match node:
            case Ask(_, _, secret, verbs):
                yield from (Step(n, (v, v), True) for v in range(len(verbs)))
                pairs = combinations_with_replacement(range(len(verbs)), 2)
                yield from (Step(n, pair) for pair in pairs if secret or pair[0] == pair[1])
            case Draw() | Rest():
                yield Step(n, (-1, -1))
            case End():
                pass


def step_name(game: Game, step: Step) -> str:
    node = game.nodes[step.node]
    if not isinstance(node, Ask) or not step.verbs:
        return node.name
    verbs = " or ".join(dict.fromkeys(node.verbs[v].name for v in step.verbs))
    return f"{node.name}.{verbs} by {'the seat' if step.own else 'another seat'}"


# --- one step --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Question:
    """Twin states with what is to be shown of them."""

    twins: Twins
    given: list[Term]
    goals: list[Goal]

    def asserted(self, goals: Sequence[Goal]) -> list[Term]:
        return [*self.twins.assumptions(), *self.given, t.not_(t.and_(*(g.term for g in goals)))]


def _cards(parameter: Parameter) -> bool:
    type_ = parameter.type
    return isinstance(type_.of if isinstance(type_, SetType) else type_, CardType)


class _Asker:
    """Makes the questions of one game and puts them to the solver."""

    def __init__(self, game: Game, known: Known, fixed: Mapping[str, Value], rlimit: int) -> None:
        self.game, self.known, self.rlimit = game, known, rlimit
        self.system = TwinSystem(game, fixed)

    # --- questions

    def question(self, step: Step, seat: int, kept: Kept) -> _Question:
        twins = self.system.twins(step.node, seat, kept[step.node], TellingStepper)
        return self._step(step, twins, kept) if step.verbs else self._node(step, twins)

    def _node(self, step: Step, twins: Twins) -> _Question:
        """At the node: the owner, and what the play is worth where a deal or a match has ended."""
        game, node = self.game, self.game.nodes[step.node]
        exprs = []
        if isinstance(node, Ask):
            exprs.append((What.OWNER, f"whose turn it is at `{node.name}`", node.seat, node.span))
        if isinstance(node, End):
            exprs.append((What.RESULT, "the outcome for `seat {}`", game.outcome, game.outcome.span))
        if step.node == game.deal_end:
            exprs += [(What.RESULT, "what the deal is worth to `seat {}`", e, e.span) for e in (game.gain, game.loss)]
        goals, evaluator = [], twins.stepper.evaluator
        for what, text, expr, span in exprs:
            for s in range(game.seats) if what is What.RESULT else (0,):
                local = evaluator.codec.element(SeatType(game.seats), s)
                a, b = (evaluator.value(expr, scope.bind(seat=local)) for scope in twins.scopes)
                goals.append(Goal(what, text.format(s + 1), same(a, b), span, step.node))
        defined = [o.formula() for o in evaluator.take_obligations()]
        return _Question(twins, defined, [g for g in goals if g.term is not t.TRUE])

    def _step(self, step: Step, twins: Twins, kept: Kept) -> _Question:
        """From the node: two runs by outcomes that the seat cannot tell apart."""
        stepper, node = twins.stepper, self.game.nodes[step.node]
        assert isinstance(stepper, TellingStepper)
        given = self._turn(step, twins)
        first, valid = self._outcome(step, 0, twins, {})
        shared = {n: a for n, a in enumerate(first.arguments) if self._shared(step, n)}
        second, also_valid = self._outcome(step, 1, twins, shared)
        a, b = (stepper.tell(step.node, s, o) for s, o in ((twins.first, first), (twins.second, second)))
        chain = Chain(stepper, twins.seat, [a.edge.legal])
        if step.own:
            chain.require(What.MENU, "what may be chosen", b.edge.legal, getattr(node, "span", NOWHERE))
        else:
            chain.given.append(b.edge.legal)
        chain.events(a, b, self._starts(step))
        chain.ends(a, b, kept)
        stepper.evaluator.take_obligations()
        defined = [o.formula() for told in (a, b) for o in told.edge.obligations]
        return _Question(twins, [*given, *valid, *also_valid, *defined], chain.goals)

    def _turn(self, step: Step, twins: Twins) -> list[Term]:
        """It is the seat's turn in both runs, or in neither."""
        node, evaluator = self.game.nodes[step.node], twins.stepper.evaluator
        if not isinstance(node, Ask):
            return []
        me = evaluator.codec.element(SeatType(self.game.seats), twins.seat)
        turns = [t.eq(evaluator.term(node.seat, scope), me) for scope in twins.scopes]
        return turns if step.own else [t.not_(turn) for turn in turns]

    def _starts(self, step: Step) -> list[int]:
        node = self.game.nodes[step.node]
        match node:
            case Ask():
                return [node.verbs[v].block for v in step.verbs]
            case Draw(block=block) | Rest(block=block):
                return [block]
            case End():
                return []

    def _shared(self, step: Step, argument: int) -> bool:
        """Is the argument the same in both runs: the seat's own, or one of which it is told?"""
        node = self.game.nodes[step.node]
        if not isinstance(node, Ask) or step.own:
            return isinstance(node, Ask)
        return not node.secret and not _cards(node.verbs[step.verbs[0]].parameters[argument])

    def _outcome(
        self, step: Step, run: int, twins: Twins, shared: Mapping[int, SymValue]
    ) -> tuple[Outcome, list[Term]]:
        """Any outcome in one run; the ``shared`` arguments are given."""
        node, mark, evaluator = self.game.nodes[step.node], "'" * run, twins.stepper.evaluator
        verb = step.verbs[run]
        if isinstance(node, Draw):
            value, valid = evaluator.codec.unknown(f"argument:0{mark}", CardType(len(self.game.deck)))
            return Outcome(-1, (value,)), valid
        if not isinstance(node, Ask):
            return Outcome(-1, ()), []
        scope, values, laws = twins.scopes[run], list[SymValue](), list[Term]()
        for n, p in enumerate(node.verbs[verb].parameters):
            value, valid = (shared[n], []) if n in shared else self._argument(twins, p, f"argument:{n}{mark}", scope)
            values.append(value)
            laws += valid
            scope = scope.bind(**{p.name: value})
        return Outcome(verb, tuple(values)), laws

    def _argument(self, twins: Twins, p: Parameter, name: str, scope: Scope) -> tuple[SymValue, list[Term]]:
        evaluator = twins.stepper.evaluator
        assert isinstance(evaluator, FaceEvaluator)
        if not card_set(p.type):
            return evaluator.codec.unknown(name, p.type)
        domain = evaluator.value(p.domain, scope)
        assert isinstance(domain, Counted)
        return evaluator.unknown_part(name, domain), []

    def _known(self, twins: Twins) -> list[Term]:
        """The known claims, in both states."""
        evaluator, found = twins.stepper.evaluator, list[Term]()
        evaluator.under = t.TRUE
        for expr in self.known.get(twins.node, ()):
            for scope in twins.scopes:
                evaluator.take_obligations()
                value = evaluator.truth(expr, scope)
                defined = t.and_(*(o.formula() for o in evaluator.take_obligations()))
                found.append(t.implies(defined, value))
        return found

    # --- answers

    def ask(self, step: Step, seat: int, kept: Kept) -> tuple[PeekResult, list[Goal]]:
        """The answer, and the goals about kept parts that do not hold (then they are to be dropped first)."""
        question = self.question(step, seat, kept)
        used, failing, difference = self._answer(question, question.goals)
        if failing and self.known.get(step.node):
            question.given += self._known(question.twins)
            more, failing, difference = self._answer(question, question.goals)
            used = [*used, *more]
        name = step_name(self.game, step)
        result = PeekResult(seat, step, name, difference, len(question.goals), len(used), sum(used))
        return result, [g for g in failing if g.what is What.KEPT]

    def _answer(
        self, question: _Question, goals: Sequence[Goal]
    ) -> tuple[list[int], list[Goal], Difference | None]:
        """Units used, the goals that fail, and the first of them that is not about a kept part."""
        if not goals:
            return [], [], None
        asserted = question.asserted(goals)
        match check(asserted, self.rlimit):
            case Unsatisfiable(used):
                return [used], [], None
            case Model(rlimit=used) as model:
                values = model.complete(t.variables(asserted))
                truths = t.evaluate([g.term for g in goals], values)
                failing = [g for g, holds in zip(goals, truths, strict=True) if not holds]
                hard = next((g for g in failing if g.what is not What.KEPT), None)
                return [used], failing, None if hard is None else self._difference(question, hard, values)
            case Unknown(reason, used):
                if len(goals) == 1:
                    hard = goals[0] if goals[0].what is not What.KEPT else None
                    found = None if hard is None else Difference(hard.what, hard.text, hard.span, None, reason)
                    return [used], list(goals), found
                return self._each(question, goals, used)

    def _each(
        self, question: _Question, goals: Sequence[Goal], used: int
    ) -> tuple[list[int], list[Goal], Difference | None]:
        """One goal after another, when all together were too much."""
        spent, failing, difference = [used], list[Goal](), None
        for goal in goals:
            more, failed, found = self._answer(question, [goal])
            spent += more
            failing += failed
            difference = difference or found
        return spent, failing, difference

    def _difference(self, question: _Question, goal: Goal, values: dict[str, Constant]) -> Difference:
        twins = question.twins
        first, second = (_plain(self.game, twins.node, s, values) for s in (twins.first, twins.second))
        return Difference(goal.what, goal.text, goal.span, (first, second))


def _plain(game: Game, node: int, state: SymState, values: Mapping[str, Constant]) -> Reached:
    """A state under an assignment; what the assignment leaves open is zero or false."""
    roots = [term for value in (*state.cells, *state.zones) for term in flat(value)]
    read = reader(roots, {n: v.sort != t.BOOL and 0 for n, v in t.variables(roots).items()} | dict(values))
    cells = []
    for value, (type_, _, _) in zip(state.cells, cell_types(game, node), strict=True):
        plain = mask_of(value) if isinstance(value, Counted) else value
        assert isinstance(plain, Counted) or plain is not None
        cells.append(FaceEvaluator(game).codec.lower(plain, type_, read))
    places = [OUTSIDE] * len(game.deck)
    for slot, zone in enumerate(state.zones):
        for card, bit in enumerate(mask_of(zone).bits):
            if read(bit):
                places[card] = slot
    return Reached(node, tuple(cells), tuple(places))


# --- all steps -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Peeking:
    """``results``: for each seat all steps, in order. ``kept[s]``: the parts that are equal at each node for seat s."""

    results: list[PeekResult] = field(default_factory=list)
    kept: list[Kept] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        return all(r.proved for r in self.results)


def prove_no_peeking(
    game: Game,
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    seats: Sequence[int] | None = None,
) -> Peeking:
    """No peeking for each seat (or for ``seats`` only).

    ``known[n]``: claims that hold whenever play is at node ``n``; they are used where a step is not proved without
    them. ``fixed``: options that are constants (all others are unknown, the same in both runs). ``rlimit``: for each
    query.
    """
    asker, found = _Asker(game, known, fixed or {}, rlimit), Peeking()
    for seat in range(game.seats) if seats is None else seats:
        results, kept = _seat(asker, seat)
        found.results += results
        found.kept.append(kept)
    return found


def _seat(asker: _Asker, seat: int) -> tuple[list[PeekResult], Kept]:
    """All steps, each again whenever a part was dropped that it rests on or leads to."""
    game = asker.game
    everything = list(steps(game))
    kept: Kept = [frozenset(p for p in hidden_parts(game, n) if not p.zone) for n in range(len(game.nodes))]
    results: dict[Step, PeekResult] = {}
    waiting = dict.fromkeys(everything)
    while waiting:
        step = next(iter(waiting))
        result, failing = asker.ask(step, seat, kept)
        old = results.get(step)
        results[step] = result if old is None else _summed(old, result)
        if not failing:
            del waiting[step]
        for goal in failing:
            assert goal.part is not None
            kept[goal.node] -= {goal.part}
            waiting.update(dict.fromkeys(s for s in everything if s.node == goal.node))
    return [results[s] for s in everything], kept


def _summed(old: PeekResult, new: PeekResult) -> PeekResult:
    """The last answer, with what all answers took."""
    return PeekResult(
        new.seat, new.step, new.name, new.difference, new.goals, old.queries + new.queries, old.rlimit + new.rlimit
    )
