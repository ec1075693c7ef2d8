"""That nobody can tell two games apart: proved for all plays, by a bisimulation.

In go two games, the options that are settled on each side, functions that are known to be equal, and for each node of
A the claims that are proved there. Out comes ``Equal``, with the number of queries, or ``NotShown``: where it fails
and why, with a model (whose state need not be reachable) if the solver has given one.

Method. A state of A and one of B are related when they are at nodes of one name and agree on where the cards are, on
all cells that both declare, and on the cells that nobody sees as far as these are *kept*: all to begin with, and those
are dropped for good whose equality some edge does not preserve. To be shown: the first states are related. In related
states the same seat is asked, the same choices are legal, and what has ended comes to the same. Related states that
are left by the same outcome lead to related states, and on the way each seat is told the same in the same order. The
rules have a value on both sides or on neither. Then by induction no play shows anybody a difference. Cells that only
one game has may have any value, so a proof succeeds only if nothing that matters reads them.

An edge of the graph that is written alike on both sides keeps the relation without a query, as long as no cell was
dropped. Trusted: this argument, ``side_by_side``, the edges, sets with masks, and the solver.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Ask, CellKind, End, Expr, Game
from kozel_verify.model.types import SeatType, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.bisimulation_edges import Goal, edge_goals
from kozel_verify.symbolic.bisimulation_places import Places, Question, for_nobody
from kozel_verify.symbolic.cases import Known
from kozel_verify.symbolic.exact import Reached
from kozel_verify.symbolic.faces_sets import flat, mask_of
from kozel_verify.symbolic.side_by_side import Apart, Joined, join
from kozel_verify.symbolic.system import cell_types
from kozel_verify.symbolic.terms import TRUE, Constant
from kozel_verify.symbolic.values import Codec, Counted, SymValue, equal, reader
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Model, Unknown, Unsatisfiable, check


@dataclass(frozen=True, slots=True)
class Equal:
    """``edges``: how many were looked at, ``alike`` of them without a query since they are written alike."""

    queries: int
    rlimit: int
    edges: int
    alike: int


TABLE = "the table"  # the place of what stands in the way before any play


@dataclass(frozen=True, slots=True)
class NotShown:
    """``place``: a node, or a node and a choice, or ``TABLE``. ``state``: one of A from which the two may part, by the
    choice with these ``arguments``; ``None`` without a model. It need not be reachable, and the sizes of sets and the
    answers of matchings with which the two part there may be ones that no cards have."""

    place: str
    why: str
    span: Span = NOWHERE
    state: Reached | None = None
    arguments: tuple[Value, ...] = ()


Result = Equal | NotShown


@dataclass(slots=True)
class _Account:
    queries: int = 0
    rlimit: int = 0
    edges: int = 0
    alike: int = 0


class _Dropped(Exception):
    """Cells were dropped: what rests on them must be asked again."""


def prove_same(
    a: Game,
    b: Game,
    known: Known | None = None,
    fixed: tuple[Mapping[str, Value], Mapping[str, Value]] = ({}, {}),
    equal_functions: Collection[str] = (),
    rlimit: int = DEFAULT_RLIMIT,
) -> Result:
    """See the module. Options that are not settled have any values that both games allow, the same on both sides; one
    that only one side has, or with other values, stands at its default. ``known[n]``: claims that hold whenever A is at
    node ``n``. ``rlimit``: for each query."""
    joined = join(a, b, fixed, equal_functions)
    if isinstance(joined, Apart):
        return NotShown(TABLE, joined.why)
    seen = _seen_on_one_side(joined)
    if seen is not None:
        return NotShown(TABLE, seen)
    proof = _Proof(joined, known or {}, rlimit)
    while True:
        try:
            return proof.run()
        except _Dropped:
            continue


def _seen_on_one_side(joined: Joined) -> str | None:
    """A declared cell that somebody may see and that the other game does not have as it is."""
    for cell in joined.game.cells.values():
        if cell.kind is CellKind.DECLARED and cell.name not in joined.shared and not for_nobody(cell.seen):
            return f"`{cell.name}` can be seen and is not the same cell on both sides"
    return None


def _come_to_the_same(a: Sequence[SymValue], b: Sequence[SymValue]) -> t.Term:
    """Two values are equal; or two differences of numbers, written as sums, since none goes below zero."""
    if len(a) == 1:
        return equal(a[0], b[0])
    (gain, loss), (other_gain, other_loss) = map(_numbers, (a, b))
    return t.eq(t.add(gain, other_loss), t.add(other_gain, loss))


def _numbers(values: Sequence[SymValue]) -> list[t.Term]:
    terms = [value for value in values if isinstance(value, t.Term)]
    assert len(terms) == len(values), "a gain or a loss is a number"
    return terms


class _Proof:
    def __init__(self, joined: Joined, known: Known, rlimit: int) -> None:
        self.joined, self.game, self.rlimit = joined, joined.game, rlimit
        self.places = Places(joined, known)
        self.forms = self.places.forms
        self.account = _Account()

    def run(self) -> Result:
        """From the beginning through all pairs of nodes that related states come to."""
        self.account.edges = self.account.alike = 0
        reached: dict[int, None] = {}
        found = self._begin(reached)
        waiting = list(reached)
        while waiting and found is None:
            node = waiting.pop(0)
            before = set(reached)
            found = self._node(node, reached)
            waiting += [n for n in reached if n not in before]
        account = self.account
        return found or Equal(account.queries, account.rlimit, account.edges, account.alike)

    # --- questions

    def _ask(self, question: Question, name: str) -> NotShown | None:
        """All goals at once; one by one when that is too much. Drops hidden cells whose equality fails."""
        goals = [g for g in question.goals if g.term is not TRUE]
        if not goals:
            return None
        return self._answer(question, goals, name)

    def _answer(self, question: Question, goals: list[Goal], name: str) -> NotShown | None:
        asserted = question.asserted(goals)
        answer = check(asserted, self.rlimit)
        self.account.queries += 1
        self.account.rlimit += answer.rlimit
        match answer:
            case Unsatisfiable():
                return None
            case Unknown(reason) if len(goals) == 1:
                self._drop(goals)
                return NotShown(name, f"{goals[0].text}: {reason}", goals[0].span)
            case Unknown():
                for goal in goals:
                    found = self._answer(question, [goal], name)
                    if found is not None:
                        return found
                return None
            case Model() as model:
                values = model.complete(t.variables(asserted))
                truths = t.evaluate([g.term for g in goals], values)
                failing = [g for g, holds in zip(goals, truths, strict=True) if not holds]
                hard = next((g for g in failing if g.cell not in self.places.hidden), None)
                if hard is None:
                    self._drop(failing)
                    hard = failing[0]
                return self._not_shown(question, hard, name, values)

    def _drop(self, failing: Sequence[Goal]) -> None:
        """If only hidden cells fail, they are no longer kept, and all is asked again."""
        cells = {g.cell for g in failing}
        if cells <= self.places.hidden:
            self.places.dropped |= cells
            raise _Dropped

    def _not_shown(self, question: Question, goal: Goal, name: str, values: Mapping[str, Constant]) -> NotShown:
        if question.place is None:
            return NotShown(name, goal.text, goal.span)
        place, codec = question.place, Codec(self.game.deck)
        roots = [x for v in (*place.state.cells, *place.state.zones) for x in flat(v)]
        roots += [x for v, _ in question.arguments for x in flat(v)]
        read = reader(roots, {n: v.sort != t.BOOL and 0 for n, v in t.variables(roots).items()} | dict(values))
        types = [type_ for type_, _, _ in cell_types(self.game, place.node)]
        cells = tuple(codec.lower(_exact(v), k, read) for v, k in zip(place.state.cells, types, strict=True))
        places = [-1] * len(self.game.deck)
        for slot, zone in enumerate(place.state.zones):
            for card, bit in enumerate(mask_of(zone).bits):
                if read(bit):
                    places[card] = slot
        arguments = tuple(codec.lower(_exact(v), k, read) for v, k in question.arguments)
        state = Reached(place.node, cells[: self.joined.cell_slots], tuple(places))
        return NotShown(name, goal.text, goal.span, state, arguments)

    # --- where edges begin

    def _begin(self, reached: dict[int, None]) -> NotShown | None:
        self.account.edges += 1
        if self.forms.same_beginning():
            self.account.alike += 1
            reached.update(dict.fromkeys(self.forms.targets(self.game.entry)))
            return None
        question = self.places.beginning()
        stepper = question.stepper
        here, there = self.game.entry, self.joined.entry
        told = stepper.tell_from(here, {}), stepper.tell_from(there, self.joined.first)
        ends = edge_goals(self.places, question.goals, stepper, told, (here, there))
        reached.update(dict.fromkeys(ends))
        return self._ask(question, "the beginning")

    def _node(self, node: int, reached: dict[int, None]) -> NotShown | None:
        """All that is to be shown of a pair of nodes."""
        here, there = self.game.nodes[node], self.game.nodes[self.joined.pairs[node]]
        if type(here) is not type(there):
            return NotShown(here.name, "is a question or a draw on one side alone", getattr(there, "span", NOWHERE))
        found = self._at(node)
        if found is not None or isinstance(here, End):
            return found
        if not isinstance(here, Ask) or not isinstance(there, Ask):
            return self._edge(node, (-1, -1), reached)
        by_name = {v.name: n for n, v in enumerate(there.verbs)}
        for n, verb in enumerate(here.verbs):
            m = by_name.pop(verb.name, None)
            found = self._edge(node, (n, -2 if m is None else m), reached)
            if found is not None:
                return found
        for m in by_name.values():
            found = self._edge(node, (-2, m), reached)
            if found is not None:
                return found
        return None

    # --- states

    def _at(self, node: int) -> NotShown | None:
        """The same seat is asked in the same way, everybody sees the same, what has ended comes to the same."""
        here, there = self.game.nodes[node], self.game.nodes[self.joined.pairs[node]]
        if isinstance(here, Ask) and isinstance(there, Ask) and here.secret != there.secret:
            return NotShown(here.name, "the answer is secret on one side alone", there.span)
        if (node == self.game.deal_end) != (self.joined.pairs[node] == self.joined.deal_end):
            return NotShown(here.name, "a deal ends here on one side alone")
        if self.forms.same_state(node) and not self.places.forgotten(node):
            return None
        question, other = self.places.question(node)
        assert question.place is not None
        evaluator = question.stepper.evaluator
        evaluator.take_obligations()
        states = question.place.state, other
        pairs: list[tuple[str, list[tuple[Expr, ...]], dict[str, SymValue]]] = []
        if isinstance(here, Ask) and isinstance(there, Ask):
            pairs.append(("whose turn it is", [(here.seat,), (there.seat,)], {}))
        for text, exprs in self._results(node):
            for seat in range(self.game.seats):
                code = evaluator.codec.element(SeatType(self.game.seats), seat)
                pairs.append((f"{text} for seat {seat + 1}", exprs, {"seat": code}))
        for text, exprs, locals_ in pairs:
            values, defined = [], []
            for parts, state in zip(exprs, states, strict=True):
                scope = question.stepper.scope(state).bind(**locals_)
                values.append([evaluator.value(expr, scope) for expr in parts])
                defined.append(t.and_(*(o.formula() for o in evaluator.take_obligations())))
            span = exprs[1][0].span
            question.goals.append(Goal(f"whether {text} has a value", t.eq(defined[0], defined[1]), span))
            question.goals.append(Goal(text, t.implies(t.and_(*defined), _come_to_the_same(*values)), span))
        question.goals += self.places.viewers(question, states)
        return self._ask(question, here.name)

    def _results(self, node: int) -> Iterator[tuple[str, list[tuple[Expr, ...]]]]:
        """What is compared, of A and of B: a value, or one number and another that is taken from it."""
        if isinstance(self.game.nodes[node], End):
            yield "how the match ends", [(self.game.outcome,), (self.joined.outcome,)]
        if node == self.game.deal_end:
            yield (
                "what the deal is worth",
                [(self.game.gain, self.game.loss), (self.joined.gain, self.joined.loss)],
            )

    # --- steps

    def _edge(self, node: int, verbs: tuple[int, int], reached: dict[int, None]) -> NotShown | None:
        self.account.edges += 1
        if self.forms.same_edge(node, verbs) and not self.places.forgotten(node):
            self.account.alike += 1
            reached.update(dict.fromkeys(self.forms.targets(self.forms.start(node, verbs[0]))))
            return None
        question, other = self.places.question(node)
        assert question.place is not None
        name = self._edge_name(node, verbs)
        span = getattr(self.game.nodes[self.joined.pairs[node]], "span", NOWHERE)
        outcomes = self.places.outcomes(question, node, verbs)
        if outcomes is None:
            return NotShown(name, "its arguments are of other kinds", span)
        tells = [
            None if outcome is None else question.stepper.tell(n, state, outcome)
            for n, state, outcome in zip(
                (node, self.joined.pairs[node]), (question.place.state, other), outcomes, strict=True
            )
        ]
        first, second = tells
        legal = [t.FALSE if x is None else x.edge.legal for x in tells]
        question.goals.append(Goal("what may be chosen", t.eq(legal[0], legal[1]), span))
        if first is None or second is None:
            alone = [o.formula() for x in tells if x is not None for o in x.edge.obligations]
            question.goals.append(Goal("whether the rules have a value", t.and_(*alone), span))
            return self._ask(question, name)
        starts = self.forms.start(node, verbs[0]), self.forms.start(self.joined.pairs[node], verbs[1])
        ends = edge_goals(self.places, question.goals, question.stepper, (first, second), starts)
        found = self._ask(question, name)
        reached.update(dict.fromkeys(ends))
        return found

    def _edge_name(self, node: int, verbs: tuple[int, int]) -> str:
        for n, v in zip((node, self.joined.pairs[node]), verbs, strict=True):
            at = self.game.nodes[n]
            if isinstance(at, Ask) and v >= 0:
                return f"{at.name}.{at.verbs[v].name}"
        return self.game.nodes[node].name


def _exact(value: SymValue) -> SymValue:
    return mask_of(value) if isinstance(value, Counted) else value
