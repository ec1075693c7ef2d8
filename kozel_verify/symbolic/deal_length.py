"""How often each question can be asked in one deal, and measures by which a deal ends.

In: a game with counters (``ghosts``), its invariants, and plain states of sampled plays. Out: for each word that names
questions of the deal the least and the greatest number of times that it can have been asked when the deal is over, as
far as they are proved; whether a tuple of numbers falls with every step of the deal; and how many deals a match can
have. What is known of the counters is found by ``induction``: equations between counters and sizes, bounds, relations
between small cells, and if need be bounds on sums (``sum_bounds``). Trusted: as in ``induction`` and ``ghosts``.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kozel_verify.model.core import CellRead, Draw, Expr, Measure, StateClaim
from kozel_verify.model.types import NAT, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.begin import limit
from kozel_verify.symbolic.cases import NEVER, WHOLE, Case, in_case
from kozel_verify.symbolic.columns import Sample, fill, thinned
from kozel_verify.symbolic.edge import Arrival
from kozel_verify.symbolic.exact import PlainState
from kozel_verify.symbolic.ghosts import Ghosts
from kozel_verify.symbolic.guess import Layout, guess
from kozel_verify.symbolic.induction import Prover, _Work
from kozel_verify.symbolic.obligations import Obligations
from kozel_verify.symbolic.obligations import Verdict as Step
from kozel_verify.symbolic.rounds import rounds
from kozel_verify.symbolic.sum_bounds import sum_bounds
from kozel_verify.symbolic.system import Transition, arrival_scope
from kozel_verify.symbolic.templates import (
    Congruence,
    Family,
    Relation,
    Row,
    Statement,
)
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.z3_api import Model, Unknown, Unsatisfiable, check

SEARCHES = 60  # queries for one end of a range
SHARPENING = 400  # queries to find bounds on sums
BEYOND = 10_000  # a number that can be greater than this has no bound worth telling


@dataclass(frozen=True, slots=True)
class Range:
    """``lo`` to ``hi`` times (``None``: no bound is proved)."""

    lo: int
    hi: int | None


class _Enough(Exception):
    """The queries that may be asked are used up."""


class LengthProver(Prover):
    """Finds what holds of the counters of ``ghosts``. ``samples[n]``: states of the longer game at node ``n``."""

    def __init__(
        self,
        ghosts: Ghosts,
        claims: Sequence[StateClaim],
        samples: Mapping[int, Sequence[Sample]],
        fixed: Mapping[str, Value],
        rlimit: int,
        cases: Sequence[Case] = WHOLE,
    ) -> None:
        self.ghosts, self.samples = ghosts, samples
        self.rows: dict[int, list[Row]] = {}
        self.left: int | None = None  # queries that may still be asked
        self.back = rounds(ghosts.game, ghosts.game.deal_nodes)
        game = replace(ghosts.game, properties=tuple(claims))
        super().__init__(game, claims, samples, fixed, rlimit, False, cases)

    def _guess(self, spot: int, samples: Sequence[Sample]) -> list[Family]:
        if not samples and len(self.cases) > 1:
            return [Statement(NEVER)]
        shape = self.layouts[spot]
        seen = self._columns(self.places[spot], shape)
        rows = list(dict.fromkeys(seen.row(self.system.assignment(s, o)) for s, o in thinned(samples)))
        self.rows[spot] = rows
        families = [f for f in guess(shape, rows, self.game.seats, False) if not isinstance(f, Congruence)]
        for family in families:
            if isinstance(family, Relation):
                fill(family, self.game, shape.columns, samples)
        limit(families, len(self.cases))
        return families

    def column(self, shape: Layout, counter: str) -> int:
        return shape.columns.numbers.index(CellRead(counter, None, NAT))

    # --- bounds

    def ranges(self) -> dict[str, Range]:
        """What is proved of each word at the end of the deal. The search must be over; where the bounds are not those
        of the samples, it goes on."""
        found = {word: self._range(cell) for word, cell in self.ghosts.cells.items()}
        seen = {word: self._seen(cell) for word, cell in self.ghosts.cells.items()}
        uppers = [w for w, r in found.items() if r.hi != max(seen[w])]
        lowers = [w for w, r in found.items() if r.lo != min(seen[w])]
        if not uppers and not lowers:
            return found
        self.sharpen(uppers, lowers)
        changed = {w: self._range(self.ghosts.cells[w]) for w in (*uppers, *lowers)}
        return {**found, **changed}

    def _seen(self, cell: str) -> list[int]:
        return [n for spot in self._over() for n in self._seen_at(cell, spot)] or [0]

    def _over(self) -> list[int]:
        """The spots at which a deal is over."""
        return self._spots(self.ghosts.over())

    def _spots(self, nodes: Iterable[int]) -> list[int]:
        return [self.spot(case, node) for case in range(len(self.cases)) for node in nodes]

    def _seen_at(self, cell: str, spot: int) -> list[int]:
        return [r.numbers[self.column(self.layouts[spot], cell)] for r in self.rows.get(spot, ())]

    def _range(self, cell: str) -> Range:
        """What is proved of a counter wherever a deal may be over."""
        found = [self._range_at(cell, spot) for spot in self._over() if self.comes_to(spot)] or [Range(0, 0)]
        uppers = [r.hi for r in found if r.hi is not None]
        return Range(min(r.lo for r in found), max(uppers) if len(uppers) == len(found) else None)

    def comes_to(self, spot: int) -> bool:
        """Can play come there, by what was found?"""
        return bool(self.rows.get(spot)) or not isinstance(check(self._held(spot), self.rlimit), Unsatisfiable)

    def _held(self, spot: int) -> list[Term]:
        """All that is known of the states at a spot."""
        place = self.places[spot]
        return [*place.assumptions(), *self.known(place, spot // len(self.game.nodes))]

    def _range_at(self, cell: str, spot: int) -> Range:
        value = self.places[spot].state.cells[self.game.cells[cell].base]
        assert isinstance(value, Term)
        known = self._held(spot)
        seen = self._seen_at(cell, spot) or [0]

        def beyond(bound: int, up: bool) -> int | None:
            """A value beyond a bound that is not excluded; ``None``: there is none."""
            past = t.le(t.integer(bound + 1), value) if up else t.le(value, t.integer(bound - 1))
            match check([*known, past], self.rlimit):
                case Unsatisfiable():
                    return None
                case Model() as model:
                    (found,) = t.evaluate([value], model.complete(t.variables([value])))
                    return int(found)
                case _:
                    return BEYOND if up else 0

        lo, hi = min(seen), max(seen)
        for _ in range(SEARCHES):
            lower = beyond(lo, up=False)
            if lower is None:
                break
            lo = lower
        else:
            lo = 0
        if beyond(BEYOND, up=True) is not None:
            return Range(lo, None)
        for _ in range(SEARCHES):
            higher = beyond(hi, up=True)
            if higher is None:
                return Range(lo, hi)
            hi = higher
        return Range(lo, None)

    def sharpen(self, uppers: Sequence[str], lowers: Sequence[str]) -> None:
        """Look for bounds on sums of counters and sizes that bound these words from above and below, and search once
        more; without them when they cost too many queries."""
        drawn = {n.source.zone for n in self.game.nodes if isinstance(n, Draw)}
        plain = list(self.families)
        for spot, shape in enumerate(self.layouts):
            states = self._states(spot)
            for word, cell in self.ghosts.cells.items() if states else ():
                column, up, down = self.column(shape, cell), word in uppers, word in lowers
                found = sum_bounds(self.game, shape, states, column, drawn, up, down) if up or down else ()
                self.families[spot] = [*self.families[spot], *found]
        self.left = SHARPENING
        try:
            self.run()
        except _Enough:
            self.families = plain
        self.left = None

    def _states(self, spot: int) -> list[PlainState]:
        case, node = divmod(spot, len(self.game.nodes))
        return [state for state, _ in self.samples.get(node, ()) if in_case(self.game, self.cases[case], state)]

    def _query(self, work: _Work, arrival: Arrival, goal: Term, many: bool = False) -> Unsatisfiable | Model | Unknown:
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise _Enough
        return super()._query(work, arrival, goal, many)

    # --- the end of a deal

    def decreases(self, measure: Measure, around: bool = False) -> list[Step]:
        """Each step of the deal, and whether the measure is proved to fall with it. ``around``: only steps from a node
        to one on a cycle with it (``rounds``), so what falls is the place of the node, then the measure."""
        found: list[Step] = []
        for case in range(len(self.cases)):
            every = Obligations(self, case=case)
            if around:
                every.transitions = [self._around(transition) for transition in every.transitions]
            found += every.decrease(measure)
        return found

    def _around(self, transition: Transition) -> Transition:
        """A transition without its arrivals at nodes that are on no cycle with its own."""
        back = frozenset[int]() if transition.place is None else self.back.get(transition.place.node, frozenset())
        arrivals = tuple(a for a in transition.edge.arrivals if a.node in back)
        return replace(transition, edge=replace(transition.edge, arrivals=arrivals))

    def first_that_grows(self, values: Sequence[Expr]) -> int | None:
        """The first number of a tuple that is not proved never to grow on the edges on which none before it is proved
        to fall; the last, when edges are left; ``None`` for a tuple that falls on each edge by one of its numbers, and
        for the tuple without numbers. The edges are those from a node to one on a cycle with it."""
        left = [(case, tr, a) for case, tr in self.edges() for a in tr.edge.arrivals if self._within(tr, a.node)]
        for position, value in enumerate(values):
            kept = []
            for edge in left:
                if self._falls(*edge, value, less=True):
                    continue
                if not self._falls(*edge, value, less=False):
                    return position
                kept.append(edge)
            left = kept
        return len(values) - 1 if left and values else None

    def _within(self, transition: Transition, node: int) -> bool:
        place = transition.place
        return place is not None and node in self.back.get(place.node, ())

    def _falls(self, case: int, transition: Transition, arrival: Arrival, value: Expr, less: bool) -> bool:
        """Is the value after an edge proved to be less than before it (or not greater)?"""
        place, evaluator = transition.place, transition.stepper.evaluator
        assert place is not None
        before = evaluator.term(value, place.scope)
        after = evaluator.term(value, arrival_scope(transition, arrival))
        defined = [o.formula() for o in (*transition.edge.obligations, *evaluator.take_obligations())]
        assumed = [*transition.assumptions(), *self.known(place, case), *defined, arrival.path]
        wanted = t.lt(after, before) if less else t.le(after, before)
        return isinstance(check([*assumed, t.not_(wanted)], self.rlimit), Unsatisfiable)

    def most_deals(self, value: Expr) -> int | None:
        """How many deals a match can have, if the value never falls, grows with each end of a deal, and is bounded
        there. The bound must be among what was found. A deal that is cut short by the end of the match is one more."""
        highest = self._bound_of(value)
        if highest is None:
            return None
        cut = [spot for spot in self._spots(self.ghosts.cut.values()) if self.comes_to(spot)]
        for case, transition in self.edges():
            place, evaluator = transition.place, transition.stepper.evaluator
            known = [] if place is None else self.known(place, case)
            before = t.integer(0) if place is None else evaluator.term(value, place.scope)
            for arrival in transition.edge.arrivals:
                after = evaluator.term(value, arrival_scope(transition, arrival))
                wanted = t.add(before, t.integer(arrival.node == self.game.deal_end))
                defined = [o.formula() for o in (*transition.edge.obligations, *evaluator.take_obligations())]
                assumed = [*transition.assumptions(), *known, *defined, arrival.path]
                if not isinstance(check([*assumed, t.not_(t.le(wanted, after))], self.rlimit), Unsatisfiable):
                    return None
        return highest + bool(cut)

    def _bound_of(self, value: Expr) -> int | None:
        """The greatest value at the end of a deal."""
        found = [self._bound_at(value, spot) for spot in self._spots([self.game.deal_end]) if self.comes_to(spot)]
        bounds = [bound for bound in found if bound is not None]
        return max(bounds, default=0) if len(bounds) == len(found) else None

    def _bound_at(self, value: Expr, spot: int) -> int | None:
        place = self.places[spot]
        term = place.stepper.evaluator.term(value, place.scope)
        known = self._held(spot)
        highest = 0
        for _ in range(SEARCHES):
            match check([*known, t.le(t.integer(highest + 1), term)], self.rlimit):
                case Unsatisfiable():
                    return highest
                case Model() as model:
                    (found,) = t.evaluate([term], model.complete(t.variables([term])))
                    if int(found) > BEYOND:
                        return None
                    highest = int(found)
                case _:
                    return None
        return None
