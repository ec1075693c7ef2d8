"""No peeking: what a seat sees and may do follows from what it was told, proved for any two runs.

In: a game, and for each node the claims that are proved there already. Out: for each seat, and for each node and each
step from it, whether it is proved, and if not, what differs and two states in which it does.

Method. Two real states at a node are related for a seat when its views of them are equal, and so are the parts *kept*
there: what it does not see, but whose equality is preserved (all to begin with; what some step does not preserve is
dropped, and the steps from that node are asked again). A play has one beginning, which is related to itself. For
related states: it is the same seat's turn; if it is the seat's own, it may choose the same; a finished deal or match is
worth the same. For two runs from related states that the seat cannot tell apart (``peeking_questions``): the same is
told in both, and they end in related states (``peeking_chain``). If all is proved, then by induction two plays in which
a seat was told the same give it equal views and equal choices: whatever it comes to know was told to it by a statement
of the rules.

This is about what is possible, not about how likely. Steps are taken to be well defined, which is proved apart. Every
seat is asked about for itself. Trusted: this argument, the modules named, the edges, sets with masks, and the solver.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kozel_verify.language.spans import Span
from kozel_verify.model.core import OUTSIDE, Game
from kozel_verify.model.types import Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.cases import Known
from kozel_verify.symbolic.evaluate import SymState
from kozel_verify.symbolic.exact import Reached
from kozel_verify.symbolic.faces_sets import FaceEvaluator, flat, mask_of
from kozel_verify.symbolic.peeking_chain import Goal, What
from kozel_verify.symbolic.peeking_questions import Kept, Question, Questions, Step, step_name, steps
from kozel_verify.symbolic.peeking_twins import Twins, equal_measures, hidden_parts
from kozel_verify.symbolic.system import cell_types
from kozel_verify.symbolic.terms import Constant, Term
from kozel_verify.symbolic.values import Codec, Counted, reader
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Answer, Model, Unknown, Unsatisfiable, check


@dataclass(frozen=True, slots=True)
class Difference:
    """What is not shown to be equal. ``states``: two states that look alike to the seat, at the start of the step that
    makes a difference between them; they need not be reachable, and the sizes and sums with which they differ may be
    ones that no cards have. ``None`` when the budget was used up (``reason`` has the solver's word)."""

    what: What
    text: str
    span: Span
    states: tuple[Reached, Reached] | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PeekResult:
    """One seat and one step. ``goals``: how many things had to be shown equal that are not one term; ``queries`` and
    ``rlimit``: what it took. A proved step may rest on kept parts, which all steps of the seat must preserve: the steps
    of a seat are proved together or not at all."""

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


@dataclass(slots=True)
class Peeking:
    """``results``: for each seat all steps, in order. ``kept[s]``: the parts that are equal at each node for seat s."""

    results: list[PeekResult] = field(default_factory=list)
    kept: dict[int, Kept] = field(default_factory=dict)

    @property
    def proved(self) -> bool:
        return bool(self.results) and all(r.proved for r in self.results)


# --- one step --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Answer:
    """``failing``: the goals that do not hold; ``difference``: the first of them that is not about a kept part."""

    used: list[int]
    failing: list[Goal] = field(default_factory=list)
    difference: Difference | None = None


class _Asker:
    """Puts the questions of one game to the solver."""

    def __init__(self, game: Game, known: Known, fixed: Mapping[str, Value], rlimit: int) -> None:
        self.game, self.known, self.rlimit = game, known, rlimit
        self.questions = Questions(game, fixed)

    def ask(self, step: Step, seat: int, kept: Kept, thorough: bool) -> tuple[PeekResult, list[Goal]]:
        """The answer, and the goals about kept parts that do not hold (these are to be dropped). The known claims, and
        that equal sets have equal measures, are used only where something fails without them; unless ``thorough``, not
        for kept parts alone."""
        question = self.questions.question(step, seat, kept)
        answer = self._answer(question, question.goals)
        if answer.difference is not None or (thorough and answer.failing):
            used = answer.used
            question.given += [*self._claims(question.twins), *_measures(question.twins)]
            answer = self._answer(question, question.goals)
            answer.used += used
        name, used = step_name(self.game, step), answer.used
        result = PeekResult(seat, step, name, answer.difference, len(question.goals), len(used), sum(used))
        return result, [g for g in answer.failing if g.what is What.KEPT]

    def _claims(self, twins: Twins) -> list[Term]:
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

    def _answer(self, question: Question, goals: Sequence[Goal]) -> _Answer:
        if not goals:
            return _Answer([])
        asserted = question.asserted(goals)
        match check(asserted, self.rlimit):
            case Unsatisfiable(used):
                return _Answer([used])
            case Model(rlimit=used) as model:
                return self._refuted(question, goals, model.complete(t.variables(asserted)), used)
            case Unknown(reason, used) if len(goals) == 1:
                goal, same_choice = goals[0], self._by_one_choice(question, goals[0])
                if all(isinstance(a, Unsatisfiable) for a in same_choice):
                    return _Answer([used, *(a.rlimit for a in same_choice)])
                used += sum(a.rlimit for a in same_choice)
                open_ = Difference(goal.what, goal.text, goal.span, None, reason)
                return _Answer([used], [goal], None if goal.what is What.KEPT else open_)
            case Unknown(rlimit=used):
                return self._one_by_one(question, goals, used)

    def _by_one_choice(self, question: Question, goal: Goal) -> list[Answer]:
        """A card that is laid open was the same in both runs. Where what is given so far says so of all that is chosen,
        each argument is one term, and so is most of what follows from it. The goal is shown when all answers are no;
        there is at least one."""
        asserted = question.asserted([goal])
        names = t.variables(asserted)
        firsts = {second: v for name, v in names.items() if (second := _in_second_run(name)) in names}
        if not firsts:
            return [Unknown("nothing is chosen", 0)]
        differ = t.or_(*(t.not_(t.eq(v, names[second])) for second, v in firsts.items()))
        told = check([*question.twins.assumptions(), *question.given, *goal.given, differ], self.rlimit)
        if not isinstance(told, Unsatisfiable):
            return [told]
        return [told, check(t.substitute(asserted, firsts), self.rlimit)]

    def _refuted(self, question: Question, goals: Sequence[Goal], values: dict[str, Constant], used: int) -> _Answer:
        truths = t.evaluate([g.term for g in goals], values)
        failing = [g for g, holds in zip(goals, truths, strict=True) if not holds]
        hard = next((g for g in failing if g.what is not What.KEPT), None)
        if hard is None:
            return _Answer([used], failing)
        first, second = (_plain(self.game, question.twins.node, s, values) for s in question.twins.states)
        return _Answer([used], failing, Difference(hard.what, hard.text, hard.span, (first, second)))

    def _one_by_one(self, question: Question, goals: Sequence[Goal], used: int) -> _Answer:
        """One goal after another, when all together were too much, up to the first difference."""
        answer = _Answer([used])
        for goal in goals:
            if answer.difference is None:
                found = self._answer(question, [goal])
                answer = _Answer([*answer.used, *found.used], [*answer.failing, *found.failing], found.difference)
        return answer


def _in_second_run(name: str) -> str:
    """What a variable of a choice is called in the second run; nothing for others, and for those of that run."""
    found = re.fullmatch(r"(argument:\d+)([^\d'].*)?", name)
    return f"{found[1]}'{found[2] or ''}" if found else ""


def _measures(twins: Twins) -> list[Term]:
    evaluator = twins.stepper.evaluator
    assert isinstance(evaluator, FaceEvaluator)
    evaluator.under = t.TRUE
    return equal_measures(evaluator)


def _plain(game: Game, node: int, state: SymState, values: Mapping[str, Constant]) -> Reached:
    """A state under an assignment; what the assignment leaves open is zero or false."""
    roots = [term for value in (*state.cells, *state.zones) for term in flat(value)]
    read = reader(roots, {n: v.sort != t.BOOL and 0 for n, v in t.variables(roots).items()} | dict(values))
    codec, cells = Codec(game.deck), list[Value]()
    for value, (type_, _, _) in zip(state.cells, cell_types(game, node), strict=True):
        cells.append(codec.lower(mask_of(value) if isinstance(value, Counted) else value, type_, read))
    places = [OUTSIDE] * len(game.deck)
    for slot, zone in enumerate(state.zones):
        for card, bit in enumerate(mask_of(zone).bits):
            if read(bit):
                places[card] = slot
    return Reached(node, tuple(cells), tuple(places))


# --- all steps -------------------------------------------------------------------------------------------------------


def prove_no_peeking(
    game: Game,
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    seats: Sequence[int] | None = None,
    *,
    patient: bool = True,
) -> Peeking:
    """No peeking for each seat (or for ``seats`` only).

    ``known[n]``: claims that hold whenever play is at node ``n``; ``fixed``: options that are constants (all others are
    unknown, and the same in both runs); ``rlimit``: for each query.

    Of what is hidden, cells alone are kept equal at first, and those dropped for which known claims would be needed,
    since hardly a game needs more; if that does not suffice, the cards of zones are kept too, and all is asked again
    (unless not ``patient``).
    """
    asker, found = _Asker(game, known, fixed or {}, rlimit), Peeking()
    for seat in range(game.seats) if seats is None else seats:
        hidden = [hidden_parts(game, n) for n in range(len(game.nodes))]
        results, kept = _seat(asker, seat, [frozenset(p for p in parts if not p.zone) for parts in hidden], False)
        if patient and not all(r.proved for r in results):
            first = results
            results, kept = _seat(asker, seat, hidden, True)
            results = [_after(a, b) for a, b in zip(first, results, strict=True)]
        found.results += results
        found.kept[seat] = kept
    return found


def _seat(asker: _Asker, seat: int, kept: Kept, thorough: bool) -> tuple[list[PeekResult], Kept]:
    """All steps, each again whenever a part is dropped that it may rest on; and what is kept in the end."""
    everything, kept = list(steps(asker.game)), list(kept)
    results: dict[Step, PeekResult] = {}
    waiting = dict.fromkeys(everything)
    while waiting:
        step = next(iter(waiting))
        result, failing = asker.ask(step, seat, kept, thorough)
        results[step] = _after(results[step], result) if step in results else result
        if not failing:
            del waiting[step]
        for goal in failing:
            assert goal.part is not None
            kept[goal.node] -= {goal.part}
            waiting.update(dict.fromkeys(s for s in everything if s.node == goal.node))
    return [results[s] for s in everything], kept


def _after(old: PeekResult, new: PeekResult) -> PeekResult:
    """The new answer, with what both took."""
    return replace(new, queries=old.queries + new.queries, rlimit=old.rlimit + new.rlimit)
