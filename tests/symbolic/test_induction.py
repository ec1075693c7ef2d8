"""Induction: true claims are proved, false ones are not, and what is found is true of every real state."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.model.core import (
    Ask,
    Bind,
    Binding,
    Call,
    Claim,
    Const,
    Expr,
    Game,
    Local,
    Measure,
    Parameter,
    StateClaim,
    Verb,
)
from kozel_verify.model.types import BOOL, NAT, CardType, Value
from kozel_verify.symbolic import induction
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.columns import Sample, fill
from kozel_verify.symbolic.guess import layout
from kozel_verify.symbolic.induction import Invariants, Prover
from kozel_verify.symbolic.obligations import Obligations
from kozel_verify.symbolic.system import CountingSystem, arrival_scope
from kozel_verify.symbolic.templates import Relation
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.z3_api import Answer, Unknown, Unsatisfiable, check
from tests.support.toy import ANSWER, DEAL, LEAD, SEAT, TURN, cell, nat, op, seat, size, toy_game, zone
from tests.symbolic.test_edge import sampled


def samples(game: Game, plays: int, seed: int) -> dict[int, list[Sample]]:
    """States of random plays under both options, by node."""
    found: dict[int, list[Sample]] = {}
    for ruffing in (False, True):
        options: Mapping[str, Value] = {"ruffing": ruffing}
        for state in sampled(game, dict(options), plays, seed):
            found.setdefault(state.node, []).append((state, options))
    return found


def invariant(name: str, nodes: tuple[int, ...], statement: Expr) -> StateClaim:
    return StateClaim(Claim.INVARIANT, name, nodes, statement)


HANDS = [size(zone("hand", seat(s))) for s in (0, 1)]
STOCK = size(zone("stock"))
EQUAL = invariant("equal", (LEAD,), op("==", *HANDS))
TRUE_CLAIMS = [
    EQUAL,
    invariant("stock_at_lead", (LEAD,), op("==", STOCK, nat(2))),
    invariant("reply_fits", (ANSWER,), op("<=", size(cell("group", zone("stock").type)), nat(2))),
    invariant("all_there", (TURN,), op("==", STOCK, nat(6))),
]
FALSE_CLAIMS = [
    invariant("always_two", (LEAD,), op("==", HANDS[0], nat(2))),
    invariant("equal_at_answer", (ANSWER,), op("==", *HANDS)),
    invariant("equal_while_dealing", (DEAL,), op("==", *HANDS)),
]


@pytest.fixture(scope="module")
def proved() -> tuple[Prover, Invariants]:
    game = toy_game()
    prover = Prover(game, [*TRUE_CLAIMS, *FALSE_CLAIMS], samples(game, 10, 1))
    return prover, prover.run()


def test_true_claims_are_proved(proved: tuple[Prover, Invariants]) -> None:
    """Each with the number of edges that lead to its nodes."""
    results = {r.name: r for r in proved[1].results}
    assert [results[c.name].proved for c in TRUE_CLAIMS] == [True] * 4
    assert results["equal"].obligations == 3


def test_false_claims_are_not_proved(proved: tuple[Prover, Invariants]) -> None:
    """Negative control: each comes with the edge that breaks it and a model of the step."""
    results = {r.name: r for r in proved[1].results}
    for claim in FALSE_CLAIMS:
        broken = results[claim.name].broken
        assert broken is not None and broken.values is not None
        assert broken.target in claim.nodes
    answer = results["equal_at_answer"].broken
    assert answer is not None and answer.edge == "lead.lead"


def test_what_is_left_is_inductive(proved: tuple[Prover, Invariants]) -> None:
    """Asked afresh, edge by edge: the claims left at the start of an edge imply each of those left at its end."""
    prover, result = proved
    asked = 0
    for transition in CountingSystem(prover.game).transitions():
        known = [] if transition.place is None else prover.known(transition.place)
        for arrival in transition.edge.arrivals:
            scope, evaluator = arrival_scope(transition, arrival), transition.stepper.evaluator
            stated = [
                c.statement
                for c, r in zip(prover.claims, result.results, strict=True)
                if arrival.node in c.nodes and r.proved
            ]
            claims = [evaluator.truth(e, scope) for e in (*stated, *result.found[arrival.node])]
            goal = t.not_(t.and_(*claims))
            asked += 1
            assert isinstance(check([*transition.assumptions(), *known, arrival.path, goal]), Unsatisfiable)
    assert asked == 11
    assert 0 < result.proof_rlimit < result.rlimit


def test_a_claim_that_falls_takes_what_rests_on_it() -> None:
    """Negative control: a claim at two nodes that fails at one of them is not used at the other, from which it would
    follow at the next."""
    three = op("==", STOCK, nat(3))  # never so
    both = invariant("both", (LEAD, TURN), three)
    alone = invariant("alone", (ANSWER,), three)
    result = Prover(toy_game(), [both, alone], {}).run()
    assert [r.proved for r in result.results] == [False, False]


def test_what_is_found_holds_in_other_plays(proved: tuple[Prover, Invariants]) -> None:
    """Every claim found is an expression that the interpreter finds true in plays that were not sampled."""
    game, found = toy_game(), proved[1].found
    assert sum(map(len, found.values())) > 100
    for node, states in samples(game, 2, 99).items():
        for state, options in states[:15]:
            assert isinstance(state, State)
            player = Interpreter(game, options)
            assert all(player.evaluate(state, claim) is True for claim in found[node])


def test_states_that_were_not_sampled_are_admitted() -> None:
    """From the states of one play with each option the same claim is proved: models weaken what was too strong."""
    game = toy_game()
    poor = samples(game, 1, 4)
    result = Prover(game, [EQUAL], poor).run()
    assert [r.proved for r in result.results] == [True]


def test_relations_know_all_samples() -> None:
    """Each tuple of plain values that a relation admits is that of some sample, and no sample is left out, though few
    of them are read for the other guesses."""
    game = toy_game()
    for node, states in samples(game, plays=3, seed=4).items():
        columns = layout(game, node).columns
        for cells in combinations(range(len(columns.cells)), 2):
            relation = Relation(cells)
            fill(relation, game, columns, states)
            prover = Prover(game, [], {node: states})
            seen = prover._columns(prover.places[node], prover.layouts[node])
            rows = [seen.row(prover.system.assignment(*sample)).cells for sample in states]
            assert set(relation.tuples) == {tuple(r[c] for c in cells) for r in rows}
            break


def test_without_guesses_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal hands is inductive with the claims about dealing and answering alone. Where no play was seen these begin
    with a model of the solver; negative control: without them it is not proved."""
    assert [r.proved for r in Prover(toy_game(), [EQUAL], {}).run().results] == [True]
    monkeypatch.setattr(induction, "first_guess", lambda *_: [])
    assert [r.proved for r in Prover(toy_game(), [EQUAL], {}).run().results] == [False]


def test_a_used_up_budget_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: when the solver never decides, no claim is proved or found, and the search ends."""
    monkeypatch.setattr(induction, "check", lambda assertions, rlimit: Unknown("canceled", rlimit))
    game = toy_game()
    result = Prover(game, [EQUAL], {n: s[:2] for n, s in samples(game, 1, 1).items()}).run()
    broken = result.results[0].broken
    assert broken is not None and broken.values is None
    assert all(not claims for claims in result.found.values())


def test_what_is_too_hard_at_once_is_asked_in_parts(
    proved: tuple[Prover, Invariants], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the solver decides no query about more than one thing, as much is proved and found as where it decides
    all: what a part has a model of is weakened, not given up."""
    asked: list[bool] = []

    def one_at_a_time(assertions: Sequence[Term], rlimit: int) -> Answer:
        goal = assertions[-1].args[0] if assertions[-1].op == "not" else assertions[-1]
        asked.append(goal.op == "and")
        return Unknown("canceled", rlimit) if asked[-1] else check(assertions, rlimit)

    monkeypatch.setattr(induction, "check", one_at_a_time)
    game = toy_game()
    result = Prover(game, [*TRUE_CLAIMS, *FALSE_CLAIMS], samples(game, 10, 1)).run()
    assert [r.proved for r in result.results] == [r.proved for r in proved[1].results]
    assert {n: set(found) for n, found in result.found.items()} == {n: set(f) for n, f in proved[1].found.items()}
    assert any(asked) and not all(asked)


def test_a_query_does_not_depend_on_what_was_asked_before(proved: tuple[Prover, Invariants]) -> None:
    """The same obligations asked twice, in another order, use the same resource units."""
    first = [(v.place, v.text, v.rlimit) for v in Obligations(proved[0]).definedness()]
    other = Obligations(proved[0])
    list(other.unreached())
    other.transitions.reverse()
    again = [(v.place, v.text, v.rlimit) for v in other.definedness()]
    assert sorted(first) == sorted(again)


# --- obligations -----------------------------------------------------------------------------------------------------


def test_the_obligations_of_the_toy_game(proved: tuple[Prover, Invariants]) -> None:
    """No dead place is reached, no card is lost, some choice is always legal, the deal's measure decreases."""
    obligations = Obligations(proved[0])
    measure = next(p for p in toy_game().properties if isinstance(p, Measure))
    for verdicts in (
        obligations.unreached(),
        obligations.conservation(),
        obligations.never_stuck(),
        obligations.decrease(measure),
    ):
        found = list(verdicts)
        assert found and all(v.proved for v in found), found


def test_every_step_is_well_defined(proved: tuple[Prover, Invariants]) -> None:
    """Every draw, move, subtraction and search on every edge."""
    found = list(Obligations(proved[0]).definedness())
    assert len(found) == 4
    assert [v.text for v in found if not v.proved] == []


def test_a_measure_that_does_not_decrease_is_found(proved: tuple[Prover, Invariants]) -> None:
    """Negative control: the stock alone stays the same when cards are led."""
    verdicts = list(Obligations(proved[0]).decrease(Measure("stock", (STOCK,))))
    assert any(v.place == "lead.lead" and not v.proved for v in verdicts)


def test_claims_proved_elsewhere_are_used(proved: tuple[Prover, Invariants]) -> None:
    """What is handed in at a node is assumed there: from a false claim even an increase follows."""
    bad = Measure("stock", (STOCK,))
    verdicts = list(Obligations(proved[0], {LEAD: [Const(False, BOOL)]}).decrease(bad))
    assert [v.proved for v in verdicts if v.place == "lead.lead"] == [True]


def test_faces_decide_where_numbers_do_not() -> None:
    """A card must be led that is beaten by no other in hand: there is one, since beating has no cycles of two cards."""
    game = toy_game()
    lead = game.nodes[LEAD]
    assert isinstance(lead, Ask)
    card, other, hand = Local("c", CardType(6)), Local("d", CardType(6)), zone("hand", cell("leader", SEAT))
    unbeaten = Bind(Binding.EVERY, "d", hand, op("not", Call("beats", (other, card), BOOL)), BOOL)
    verb = Verb("lead", (Parameter("c", "turned", hand, None, None, CardType(6)),), unbeaten, 4)
    nodes = tuple(replace(lead, verbs=(verb,)) if n is lead else n for n in game.nodes)
    prover = Prover(replace(game, nodes=nodes), [], samples(game, 2, 1))
    some = invariant("some", (LEAD,), op("<=", nat(1), HANDS[0]))
    few = invariant("few", (LEAD,), op("<=", HANDS[0], nat(2)))
    known = {LEAD: [EQUAL.statement, some.statement, few.statement]}
    verdicts = [v for v in Obligations(prover, known).never_stuck() if v.place == "lead"]
    assert [v.proved for v in verdicts] == [True]


def test_a_question_without_a_legal_choice_is_found() -> None:
    """Negative control: when only three cards may be led, play is stuck."""
    game = toy_game()
    lead = game.nodes[LEAD]
    assert isinstance(lead, Ask)
    verb = lead.verbs[0]
    three = replace(verb, parameters=(replace(verb.parameters[0], lo=Const(3, NAT), hi=Const(3, NAT)),))
    nodes = tuple(replace(lead, verbs=(three,)) if n is lead else n for n in game.nodes)
    prover = Prover(replace(game, nodes=nodes), [], samples(game, 2, 1))
    prover.run()
    assert [v.proved for v in Obligations(prover).never_stuck() if v.place == "lead"] == [False]
