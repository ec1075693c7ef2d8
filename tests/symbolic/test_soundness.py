"""What must not be proved, in small: each of these would be if the engine took something for granted."""

from dataclasses import replace
from itertools import product

import pytest

from kozel_verify.model.core import (
    Bind,
    Binding,
    Call,
    CellRead,
    Claim,
    Const,
    Expr,
    Function,
    Game,
    If,
    Lemma,
    Local,
    OptionRead,
    Parameter,
    StateClaim,
)
from kozel_verify.model.types import BOOL, NAT
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.counting import CountingEvaluator
from kozel_verify.symbolic.evaluate import Evaluator
from kozel_verify.symbolic.faces import prove_defined, prove_faces
from kozel_verify.symbolic.faces_system import FaceSystem, instances, usable
from kozel_verify.symbolic.induction import Prover
from kozel_verify.symbolic.lemmas import Proved, prove_lemma
from kozel_verify.symbolic.measures import measures_of
from kozel_verify.symbolic.obligations import Obligations
from kozel_verify.symbolic.peeking import prove_no_peeking
from kozel_verify.symbolic.peeking_chain import What
from kozel_verify.symbolic.values import Counted
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Model, check
from tests.exhaustive.test_machine import small_scores
from tests.support.bidding import bidding
from tests.support.toy import (
    ANSWER,
    CARD,
    CARDS,
    DEAL,
    LEAD,
    LEADER,
    cell,
    nat,
    op,
    place,
    seat,
    size,
    suit,
    toy_game,
    zone,
)
from tests.symbolic.test_counting import holds, two_zones
from tests.symbolic.test_peeking import broken
from tests.symbolic.test_steps import old, two_states
from tests.verify.faults import no_lead

PACK = Const(0b111111, CARDS)


def invariant(name: str, node: int, statement: Expr) -> StateClaim:
    return StateClaim(Claim.INVARIANT, name, (node,), statement)


# --- values ----------------------------------------------------------------------------------------------------------


def test_options_have_their_values_only() -> None:
    """With one value of the option left a lemma that says so is proved; with two it is not."""
    game, on = toy_game(), Lemma("on", (), OptionRead("ruffing", BOOL))
    always = {"ruffing": replace(game.options["ruffing"], values=(True,))}
    assert isinstance(prove_lemma(replace(game, options=always), on), Proved)
    assert not isinstance(prove_lemma(game, on), Proved)


def test_a_cell_holds_a_value_of_its_type() -> None:
    """A card in a cell is one of the six: no other code is tried."""
    is_card = Bind(Binding.SOME, "y", PACK, op("==", CellRead("turned", None, CARD), Local("y", CARD)), BOOL)
    assert isinstance(prove_lemma(toy_game(), Lemma("is_card", (), is_card)), Proved)


def test_a_function_is_evaluated_anew_in_another_state() -> None:
    """The size of a hand by a function, after the step and before it."""
    held = Function("held", (), size(zone("hand", seat(0))), NAT)
    game = replace(toy_game(), functions={**toy_game().functions, "held": held})
    made = Evaluator(game)
    scope, call = two_states(made), Call("held", (), NAT)
    assert made.term(call, scope) is t.integer(0)
    assert made.term(old(call), scope) is t.integer(1)


# --- counting --------------------------------------------------------------------------------------------------------


def test_parts_of_one_zone_may_share_cards() -> None:
    """The sizes of two parts of the stock do not add up to that of their union, those of stock and table do."""
    evaluator, scope, stock, table = two_zones()
    one, other = (evaluator.value(z, scope) for z in (stock, table))
    assert isinstance(one, Counted) and isinstance(other, Counted)
    parts = [evaluator.unknown_part(name, one) for name in ("p", "q")]
    both = evaluator._union(*parts)
    disjoint = evaluator._union(one, other)
    more = t.lt(both.measures[0], t.add(*(p.measures[0] for p in parts)))
    assert isinstance(check([*evaluator.facts, more]), Model)
    more = t.lt(disjoint.measures[0], t.add(one.measures[0], other.measures[0]))
    assert not isinstance(check([*evaluator.facts, more]), Model)


def test_a_part_may_be_the_whole() -> None:
    """A zone within another may be as large, and so may a group that is chosen from it."""
    evaluator, scope, stock, table = two_zones()
    assert not holds(evaluator, scope, op("implies", op("within", stock, table), op("<", size(stock), size(table))))
    whole = evaluator.value(stock, scope)
    assert isinstance(whole, Counted)
    part = evaluator.unknown_part("part", whole)
    assert isinstance(check([*evaluator.facts, t.eq(part.measures[0], whole.measures[0])]), Model)
    assert not isinstance(check([*evaluator.facts, t.lt(whole.measures[0], part.measures[0])]), Model)


def summing(body: Expr) -> Game:
    """The toy with a claim about a sum over the stock."""
    game = toy_game()
    total = Bind(Binding.SUM, "x", zone("stock"), body, NAT)
    return replace(game, properties=(*game.properties, invariant("sum", LEAD, op(">=", total, nat(0)))))


def test_only_sums_of_weights_are_measures() -> None:
    """A table of cards is one more measure; a body that reads a cell is none, nor one that lacks a value somewhere."""
    x, count = Local("x", CARD), len(measures_of(toy_game()).tables)
    assert len(measures_of(summing(place(x))).tables) == count + 1
    by_trump = If(op("==", suit(x), cell("trump", suit(x).type)), nat(1), nat(0), NAT)
    assert len(measures_of(summing(by_trump)).tables) == count
    assert len(measures_of(summing(op("-", nat(1), place(x), type=NAT))).tables) == count


# --- induction -------------------------------------------------------------------------------------------------------


def test_a_claim_must_have_a_value() -> None:
    """A score less 1 equals itself, but at 0 it has no value."""
    less = op("-", cell("score", NAT, LEADER), nat(1), type=NAT)
    claim = invariant("less", LEAD, op("==", less, less))
    assert [r.proved for r in Prover(toy_game(), [claim], {}).run().results] == [False]
    assert [r.proved for r in prove_faces(toy_game(), [claim], {})] == [False]


def test_a_cell_that_cannot_hold_its_value_is_found() -> None:
    """Scores of at most 9 do not hold two aces."""
    results = {r.name: r.proved for r in prove_defined(small_scores(), {})}
    assert results["answer.beat: `score` cannot hold this"] is False


def test_a_claim_that_was_used_before_it_broke_is_not_relied_on() -> None:
    """`two` is used for `together` on the lead, and is broken by the answer only, which is asked about later."""
    both = op("+", size(zone("hand", LEADER)), size(zone("table", LEADER)), type=NAT)
    hands = [size(zone("hand", seat(s))) for s in (0, 1)]
    two = invariant("two", LEAD, op("==", hands[0], nat(2)))
    together = invariant("together", ANSWER, op("==", both, nat(2)))
    empty = [op("==", size(zone("table", seat(s))), nat(0)) for s in (0, 1)]
    known: dict[int, list[Expr]] = {DEAL: [Const(False, BOOL)], LEAD: [*empty, op("==", *hands)]}
    assert {r.name: r.proved for r in prove_faces(toy_game(), [two, together], known)} == {
        "two": False,
        "together": False,
    }
    known[LEAD].append(two.statement)
    assert [r.proved for r in prove_faces(toy_game(), [together], known)] == [True]


def unassuming(game: Game, rlimit: int = DEFAULT_RLIMIT) -> Prover:
    """A prover that knows nothing of any node, not even that play never comes there."""
    prover = Prover(game, [], {}, rlimit=rlimit)
    prover.families = [[] for _ in prover.families]
    return prover


def test_an_obligation_that_is_given_up_is_not_proved() -> None:
    """With one resource unit what is left open has no model, and is not shown."""
    prover = unassuming(toy_game(), rlimit=1)
    assert any(not v.proved and v.values is None for v in Obligations(prover).conservation())


def test_a_guard_may_leave_nothing_to_choose() -> None:
    """One or two cards are there; in the toy one may always be led, and where the guard is false none."""
    hand = size(zone("hand", LEADER))
    known = {LEAD: [op("<=", nat(1), hand), op("<=", hand, nat(2))]}
    for game, expected in ((toy_game(), True), (no_lead(), False)):
        verdicts = Obligations(unassuming(game), known).never_stuck()
        assert [v.proved for v in verdicts if v.place == "lead"] == [expected]


def test_cards_that_stay_where_they_were_are_not_conserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a move leaves the cards in their source, too: the measures of all zones no longer add up."""
    prover = unassuming(toy_game())
    assert all(v.proved for v in Obligations(prover).conservation())
    monkeypatch.setattr(CountingEvaluator, "minus", lambda self, cards, gone: cards)
    assert [v.place for v in Obligations(prover).conservation() if not v.proved and v.place == "lead.lead"]


# --- lemmas that are used --------------------------------------------------------------------------------------------


def test_a_lemma_says_nothing_of_groups_outside_of_its_domain() -> None:
    """That one card captures with one card is true and says nothing of two."""
    game = toy_game()
    one = [Parameter(n, "", PACK, Const(1, NAT), Const(1, NAT), CARDS) for n in "rg"]
    captures = Call("captures", (Local("r", CARDS), Local("g", CARDS)), BOOL)
    lemma = Lemma("single", tuple(one), op("implies", captures, op("==", size(Local("r", CARDS)), nat(1))))
    assert isinstance(prove_lemma(game, lemma), Proved)
    beat = FaceSystem(game).transition(ANSWER, 0)
    found = instances(usable(game, [lemma]), beat)
    reply = beat.outcome.arguments[0]
    assert found and isinstance(reply, Counted)
    two = t.eq(reply.measures[0], t.integer(2))
    assert isinstance(check([*beat.assumptions(), *found, beat.edge.legal, two]), Model)


# --- no peeking ------------------------------------------------------------------------------------------------------


def test_what_another_seat_is_told_is_not_known() -> None:
    """Who scores is told to the first seat alone: the second sees the score change and does not know why."""
    spec = bidding(("announce ahead as first_scores", "announce ahead as first_scores to {seat 1}"))
    assert [prove_no_peeking(spec.game, {}, seats=[s]).proved for s in (0, 1)] == [True, False]


@pytest.mark.parametrize(
    ("cards", "text"),
    [
        ("hand[seat 2] intersect {A♠}", "whether cards go from `hand` to `hand`"),
        ("hand[seat 2] without {A♠}", "how many cards go from `hand` to `hand`"),
    ],
)
def test_that_cards_move_and_how_many_is_noticed(cards: str, text: str) -> None:
    """Hidden cards are taken and put back: whether any, or how many, tells where the ace is."""
    move = ("    ask taker", f"    move {cards} from hand[seat 2] to hand[seat 2]\n    ask taker")
    assert (What.EVENT, text) in broken(prove_no_peeking(bidding(move).game, {}, seats=[0], patient=False))


def test_what_is_dropped_is_no_longer_relied_on() -> None:
    """Which cards lie in the piles is taken to be the same at first, and is not: what rests on it is asked again."""
    found = broken(prove_no_peeking(toy_game(), {}, seats=[0]))
    assert (What.VIEW, "`score[1]` at `deal_end`") in found


# --- terms -----------------------------------------------------------------------------------------------------------

P, Q = (t.variable(n, t.BOOL) for n in "pq")
X = t.variable("x", t.INT)
V = t.variable("v", 2)
TRUTHS = [P, Q, t.not_(P), t.TRUE, t.FALSE, t.le(X, t.integer(1))]
FEW = [t.integer(n) for n in (-1, 0, 1)]
NUMBERS = [X, *FEW, t.ite(P, FEW[2], FEW[1]), t.ite(Q, X, t.integer(2))]
CODES = [V, *(t.vector(n, 2) for n in range(4)), t.ite(P, V, t.vector(1, 2))]
VALUES = [
    {"p": p, "q": q, "x": x, "v": v} for p, q, x, v in product((False, True), (False, True), range(-1, 3), range(4))
]


@pytest.mark.parametrize("op_", ["and", "or", "not", "ite", "eq", "add", "mul", "le", "ult", "extract"])
def test_every_small_fold_keeps_the_meaning(op_: str) -> None:
    """Each way to fold an operation on small arguments: the same value under all assignments."""
    same: list[tuple[t.Term, ...]] = [pair for kind in (TRUTHS, NUMBERS, CODES) for pair in product(kind, kind)]
    cases: dict[str, tuple[int, list[tuple[t.Term, ...]]]] = {
        "and": (t.BOOL, list(product(TRUTHS, TRUTHS))),
        "or": (t.BOOL, list(product(TRUTHS, TRUTHS))),
        "not": (t.BOOL, [(a,) for a in TRUTHS]),
        "ite": (t.BOOL, [(c, *pair) for c in TRUTHS for pair in same]),
        "eq": (t.BOOL, same),
        "add": (t.INT, list(product(NUMBERS, NUMBERS))),
        "mul": (t.INT, list(product(NUMBERS, NUMBERS))),
        "le": (t.BOOL, list(product(NUMBERS, NUMBERS))),
        "ult": (t.BOOL, list(product(CODES, CODES))),
        "extract": (1, [(a,) for a in CODES]),
    }
    sort, arguments = cases[op_]
    for a in arguments:
        raw = t.make(op_, a, a[1].sort if op_ == "ite" else sort, (1, 1) if op_ == "extract" else None)
        folded = t.rebuild(raw, a)
        for values in VALUES:
            assert t.evaluate([folded], values) == t.evaluate([raw], values), (raw, folded)
