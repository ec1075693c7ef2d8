"""Proofs by cases: all values of a cell are looked at, each by itself, and what one case does to another counts."""

from dataclasses import replace

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.model.core import Claim, Game, Measure, StateClaim
from kozel_verify.model.load import load_text
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.cases import (
    NEVER,
    WHOLE,
    Case,
    cases,
    ends,
    excluded,
    in_case,
    naming_seats,
    reached,
    settled,
)
from kozel_verify.symbolic.columns import Sample
from kozel_verify.symbolic.deal_length import LengthProver, Range
from kozel_verify.symbolic.faces import prove_faces_by_cases
from kozel_verify.symbolic.ghosts import counted, with_counters
from kozel_verify.symbolic.induction import Invariants, Prover
from kozel_verify.symbolic.obligations import Obligations
from kozel_verify.symbolic.system import CountingSystem, arrival_scope
from kozel_verify.symbolic.values import equal
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Unsatisfiable, check
from tests.support.drop_out import DROP_OUT, FALSE

ALL, TURN = 0b111, "deal.turn"


@pytest.fixture(scope="module")
def game() -> Game:
    return load_text(DROP_OUT, "drop_out.kozel").game


@pytest.fixture(scope="module")
def proved(game: Game) -> tuple[Prover, Invariants]:
    found = prover(game, samples(game), cases(game))
    return found, found.run()


def node(game: Game, name: str) -> int:
    return next(n for n, at in enumerate(game.nodes) if at.name == name)


def samples(game: Game, plays: int = 20, *, nobody_out: bool = False) -> dict[int, list[Sample]]:
    """States of random matches; with ``nobody_out`` those in which all play."""
    found: dict[int, list[Sample]] = {}
    for seed in range(plays):
        for state in random_play(Interpreter(game, {}), seed, until="match", limit=400).states:
            if not nobody_out or state.cells[game.cells["playing"].base] == ALL:
                found.setdefault(state.node, []).append((state, {}))
    return found


def claims(game: Game) -> list[StateClaim]:
    return [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]


def prover(game: Game, seen: dict[int, list[Sample]], by_case: tuple[Case, ...]) -> Prover:
    return Prover(game, claims(game), seen, thorough=False, cases=by_case)


def test_a_set_of_seats_that_deals_leave_alone_is_chosen(game: Game) -> None:
    """Who plays changes between deals only; who was served changes in them. All eight sets are cases."""
    assert [c.name for c in settled(game)] == ["playing"]
    assert cases(game) == tuple({"playing": value} for value in range(8))


def test_without_such_a_cell_there_is_one_case() -> None:
    """Negative control: a set that a step of the deal changes too, if only to what it is."""
    changed = DROP_OUT.replace("served := served union {s}", "served := served union {s}   playing := playing")
    assert cases(load_text(changed, "drop_out.kozel").game) == WHOLE


def test_the_ends_of_an_edge_are_all_cases(game: Game) -> None:
    """Each end of an edge lies in exactly one case, and there the cell is a constant; within a deal it is the first."""
    by_case, between = cases(game), 0
    for number, case in enumerate(by_case):
        system = CountingSystem(game, case)
        for transition in system.transitions():
            evaluator = transition.stepper.evaluator
            for whole in transition.edge.arrivals:
                parts = list(ends(game, by_case, evaluator, whole))
                assert isinstance(
                    check([*transition.assumptions(), whole.path, *(t.not_(a.path) for _, a in parts)]), Unsatisfiable
                )
                for n, a in parts:
                    constant = evaluator.constant(by_case[n]["playing"], game.cells["playing"].type)
                    assert equal(a.state.cells[game.cells["playing"].base], constant) is t.TRUE
                if transition.place is not None and transition.place.node in game.deal_nodes - {game.deal_end}:
                    assert [n for n, _ in parts] == [number]
                else:
                    between += len(parts) > 1
    assert between > 0


def test_with_cases_what_holds_is_proved(game: Game, proved: tuple[Prover, Invariants]) -> None:
    """And what does not is not; the verdicts are those of the proof that leaves the cell unknown."""
    for result in (proved[1], prover(game, samples(game), WHOLE).run()):
        assert {r.name for r in result.results if not r.proved} == FALSE


def test_what_no_sample_shows_is_looked_at_all_the_same(game: Game) -> None:
    """Negative control: where the samples know only that all play, claims that fail when one is out still fall."""
    found = prover(game, samples(game, nobody_out=True), cases(game))
    result = found.run()
    assert {r.name for r in result.results if not r.proved} >= FALSE
    spot = found.spot(0b011, node(game, TURN))
    assert NEVER not in result.found[spot]


def test_where_play_never_comes_is_proved(game: Game, proved: tuple[Prover, Invariants]) -> None:
    """Nobody plays alone, and never does nobody play: at no question of the deal."""
    found, result = proved
    turn, count = node(game, TURN), len(game.nodes)
    known = {case: {n: result.found[case * count + n] for n in range(count)} for case in range(8)}
    assert [case for case in range(8) if excluded(known[case], turn)] == [0, 1, 2, 4]
    assert reached(game, known[0]) == {-1}
    assert found.nodes(1) == {node(game, "end")}


def test_what_is_left_is_inductive_over_all_cases(game: Game, proved: tuple[Prover, Invariants]) -> None:
    """Asked afresh: the claims left in a case imply, over each edge, those left in the case in which it ends."""
    found, result = proved
    asked, count = 0, len(game.nodes)
    for case, transition in found.edges():
        known = [] if transition.place is None else found.known(transition.place, case)
        evaluator = transition.stepper.evaluator
        for whole in transition.edge.arrivals:
            for number, arrival in ends(game, found.cases, evaluator, whole):
                scope = arrival_scope(transition, arrival)
                stated = [
                    c.statement
                    for c, r in zip(found.claims, result.results, strict=True)
                    if arrival.node in c.nodes and r.proved
                ]
                wanted = [evaluator.truth(e, scope) for e in (*stated, *result.found[number * count + arrival.node])]
                goal = t.not_(t.and_(*wanted))
                asked += 1
                assert isinstance(check([*transition.assumptions(), *known, arrival.path, goal]), Unsatisfiable)
    assert asked > 40


def test_a_used_up_budget_proves_nothing(game: Game) -> None:
    """What is too hard together is asked by halves, and given up where it is too hard alone."""
    result = Prover(game, claims(game), {}, rlimit=1, thorough=False, cases=cases(game)).run()
    assert [r.name for r in result.results if r.proved] == ["six_unless_two"]  # true in every state


def test_a_cell_of_seats_names_one_of_them(game: Game) -> None:
    """So a query that is put for each seat that a cell may name is put for all states; with a seat less it is not."""
    place = CountingSystem(game, {"playing": ALL}).place(node(game, TURN))
    found = list(naming_seats(game, place))
    assert found and all(len(seats) == 3 for seats in found)
    for seats in found:
        assert isinstance(check([*place.assumptions(), t.not_(t.or_(*seats))]), Unsatisfiable)
        assert not isinstance(check([*place.assumptions(), t.not_(t.or_(*seats[1:]))]), Unsatisfiable)


def test_claims_about_cards_fall_in_all_cases_together(game: Game, proved: tuple[Prover, Invariants]) -> None:
    """A claim that holds while all play and fails with two is not proved; one that always holds is."""
    _, result = proved
    count = len(game.nodes)
    wanted = [c for c in claims(game) if c.name in ("six_in_stock", "six_unless_two")]
    known = [({n: result.found[k * count + n] for n in range(count)}, case) for k, case in enumerate(cases(game))]
    assert [r.proved for r in prove_faces_by_cases(game, wanted, known)] == [False, True]
    alone = [(claims_, case) for claims_, case in known if case["playing"] in (0, ALL)]
    assert [r.proved for r in prove_faces_by_cases(game, wanted, alone)] == [True, True]


def test_a_measure_is_proved_case_by_case(game: Game, proved: tuple[Prover, Invariants]) -> None:
    """It falls on each edge of the deal in each case to which play comes; half of it does not, and is not proved."""
    found, _ = proved
    (measure,) = [p for p in game.properties if isinstance(p, Measure)]
    wrong = replace(measure, values=measure.values[:1])
    steps = {case: list(Obligations(found, case=case).decrease(measure)) for case in range(8)}
    assert [case for case in range(8) if steps[case]] == [3, 5, 6, 7]
    assert all(step.proved for of_case in steps.values() for step in of_case)
    assert not all(step.proved for step in Obligations(found, case=3).decrease(wrong))


def test_how_often_is_asked_is_told_over_all_cases(game: Game) -> None:
    """Two or three are asked in a deal; three, if only the case is looked at in which all play."""
    ghosts = with_counters(game)
    seen: dict[int, list[Sample]] = {}
    for seed in range(20):
        states = random_play(Interpreter(game, {}), seed, until="match", limit=400).states
        for state in counted(ghosts, states, game.deal_nodes):
            seen.setdefault(state.node, []).append((state, {}))
    for by_case, least in ((cases(ghosts.game), 2), (({"playing": 0}, {"playing": ALL}), 3)):
        found = LengthProver(ghosts, (), seen, {}, DEFAULT_RLIMIT, by_case)
        found.run()
        assert found.ranges() == {"turn": Range(least, 3)}


def test_plain_states_of_a_case(game: Game) -> None:
    """A state is of the case whose value the cell has."""
    state, _ = samples(game, 1)[node(game, TURN)][0]
    assert [case["playing"] for case in cases(game) if in_case(game, case, state)] == [ALL]
