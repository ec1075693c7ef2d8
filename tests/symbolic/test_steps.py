"""Claims about steps: true ones are proved with sizes or with cards, false and empty ones are not."""

from functools import cache
from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Choice
from kozel_verify.model.core import (
    Ask,
    Bind,
    Binding,
    Call,
    CellRead,
    Claim,
    Const,
    Expr,
    Game,
    Lemma,
    Local,
    Matching,
    Old,
    StateClaim,
    StepClaim,
)
from kozel_verify.model.load import load_text
from kozel_verify.model.types import BOOL, NAT, Value
from kozel_verify.symbolic import steps
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.counting import CountingEvaluator
from kozel_verify.symbolic.evaluate import Evaluator, Scope, SymState
from kozel_verify.symbolic.faces import first_state
from kozel_verify.symbolic.faces_sets import FaceEvaluator
from kozel_verify.symbolic.faces_system import FaceSystem, usable
from kozel_verify.symbolic.lemmas import Proved, prove_lemma
from kozel_verify.symbolic.steps import StepResult, prove_steps
from kozel_verify.symbolic.system import forked
from kozel_verify.symbolic.z3_api import Unknown, check
from tests.support.toy import (
    ANSWER,
    ASKED,
    CARDS,
    DEAL,
    DEAL_END,
    LEAD,
    LEADER,
    OVER,
    SEAT,
    SEATS,
    TURN,
    cell,
    nat,
    op,
    seat,
    size,
    toy_game,
    zone,
)
from tests.symbolic.test_edge import sampled

SHOKHA = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"
R = Local("r", CARDS)
EMPTY_TABLE: list[Expr] = [op("==", size(zone("table", seat(s))), nat(0)) for s in (0, 1)]
AT_ANSWER: list[Expr] = [
    op("!=", ASKED, LEADER),
    op("==", cell("group", CARDS), zone("table", LEADER)),
    op("==", size(zone("table", ASKED)), nat(0)),
]
KNOWN: dict[int, list[Expr]] = {LEAD: EMPTY_TABLE, ANSWER: AT_ANSWER}


def old(expr: Expr) -> Old:
    return Old(expr, expr.type)


def by(verb: str, statement: Expr, *targets: int, source: int = ANSWER) -> StepClaim:
    arguments = (R,) if verb else ()
    return StepClaim("claim", (source,), verb, arguments, targets or tuple(range(6)), statement)


def result(claim: StepClaim, game: Game | None = None, rlimit: int = 20_000_000) -> StepResult:
    (found,) = prove_steps(game or toy_game(), [claim], KNOWN, rlimit=rlimit)
    return found


LEADS = op("==", LEADER, old(ASKED))
OTHERS_PILE = zone("won", old(LEADER))
OWNS_ALL = op(
    "==",
    zone("won", old(ASKED)),
    op(
        "union",
        old(op("union", zone("won", ASKED), zone("table", LEADER), type=CARDS)),
        R,
        type=CARDS,
    ),
)


def test_who_beats_leads_next_by_sizes() -> None:
    """No card matters for that: two ends (the next lead, the end of the deal), settled with sizes in one query."""
    found = result(by("beat", LEADS))
    assert (found.proved, found.sizes, found.cards, found.queries) == (True, 2, 0, 1)


def test_who_beats_owns_the_cards_on_the_table_by_cards() -> None:
    """Sizes leave the set open; with cards it is proved, and no card of the answer may be forgotten."""
    found = result(by("beat", OWNS_ALL))
    assert (found.proved, found.sizes, found.cards, found.queries) == (True, 0, 2, 2)
    assert isinstance(OWNS_ALL.args[1], type(OWNS_ALL))
    without_answer = op("==", OWNS_ALL.args[0], OWNS_ALL.args[1].args[0])
    assert not result(by("beat", without_answer)).proved


def test_a_false_claim_has_a_step_and_a_model() -> None:
    """Who discards does not lead next: the step is named with where it may end, and its values are a model."""
    found = result(by("discard", LEADS))
    assert not found.proved and found.failure is not None and found.failure.values is not None
    assert (found.failure.edge, found.failure.start) == ("answer.discard", ANSWER)
    assert found.failure.end in (LEAD, DEAL_END)


def test_a_claim_is_about_its_choice_and_its_targets_alone() -> None:
    """Without the choice the claim about beating is false; of the steps to no target nothing is claimed."""
    assert not result(by("", LEADS)).proved
    kept = op("==", cell("score", NAT, seat(0)), old(cell("score", NAT, seat(0))))
    assert result(by("", kept, LEAD)).proved
    assert not result(by("", kept, LEAD, DEAL_END)).proved


def test_old_is_the_state_before_and_variables_stand_in_it() -> None:
    """Hands only lose cards by a lead, that of each seat: `old` takes the seat that is bound outside of it."""
    s = Local("s", SEAT)
    before, now = old(zone("hand", s)), zone("hand", s)

    def every_seat(statement: Expr) -> StepClaim:
        return by("lead", Bind(Binding.EVERY, "s", Const(0b11, SEATS), statement, BOOL), source=LEAD)

    assert result(every_seat(op("within", now, before))).proved
    assert not result(every_seat(op("within", before, now))).proved


def test_the_arguments_are_those_of_the_choice() -> None:
    """What was led lies on the table: exactly the argument."""
    assert result(by("lead", op("==", zone("table", LEADER), R), source=LEAD)).proved
    assert not result(by("lead", op("==", zone("hand", LEADER), R), source=LEAD)).proved


def test_a_statement_must_have_a_value() -> None:
    """The leader's score less 1 has none at 0, so that it equals itself is not proved."""
    less = op("-", cell("score", NAT, LEADER), nat(1), type=NAT)
    assert not result(by("lead", op("==", less, less), source=LEAD)).proved


def test_a_claim_about_no_step_is_not_proved() -> None:
    """From the lead no step ends the match, and nothing comes after the end: nothing is wrong, and nothing is shown."""
    for source, verb in ((LEAD, "lead"), (OVER, "")):
        found = result(by(verb, op("==", nat(1), nat(2)), TURN, source=source))
        assert (found.proved, found.vacuous, found.failure, found.queries) == (False, True, None, 0)


def test_chance_is_a_step_too() -> None:
    """A dealt card goes to the hand of the seat that was named."""
    dealt = cell("dealt_to", SEAT)
    more = op("==", size(zone("hand", old(dealt))), op("+", old(size(zone("hand", dealt))), nat(1), type=NAT))
    found = result(by("", more, source=DEAL))
    assert (found.proved, found.sizes) == (True, 2)


def test_a_used_up_budget_proves_nothing() -> None:
    """With one resource unit the claim stays open, without a model but with the solver's word."""
    found = result(by("beat", OWNS_ALL), rlimit=1)
    assert not found.proved and found.failure is not None
    assert found.failure.values is None and found.failure.reason


def test_each_claim_is_proved_apart() -> None:
    """A claim costs the same resources alone and among others, and a false one harms none."""
    claims = [by("beat", OWNS_ALL), by("discard", LEADS), by("beat", LEADS)]
    together = prove_steps(toy_game(), claims, KNOWN)
    assert [r.proved for r in together] == [True, False, True]
    assert [r.rlimit for r in together] == [result(c).rlimit for c in claims]


def test_what_is_proved_is_true_of_plays_and_what_is_false_shows_there() -> None:
    """The interpreter agrees on each step of sampled plays: the true claims hold, the false one fails somewhere."""
    game, options = toy_game(), dict[str, Value](ruffing=True)
    interpreter, seen = Interpreter(game, options), {"beat": [0, 0], "discard": [0, 0]}
    at = game.nodes[ANSWER]
    assert isinstance(at, Ask)
    states = [s for s in sampled(game, options, 40, 3) if s.node == ANSWER]
    for state in states:
        for outcome in interpreter.outcomes(state):
            assert isinstance(outcome, Choice)
            after, _ = interpreter.step(state, outcome)
            name = at.verbs[outcome.verb].name
            statement = OWNS_ALL if name == "beat" else LEADS
            holds = interpreter.evaluate(after, statement, {"r": outcome.arguments[0]}, before=state)
            seen[name][bool(holds)] += 1
    assert seen["beat"][False] == 0 < seen["beat"][True]
    assert seen["discard"][False] > 0


# --- what the evaluators do with `old` -------------------------------------------------------------------------------


def two_states(evaluator: Evaluator) -> Scope:
    """Card 0 in hand 0 before the step, in hand 1 after it."""
    none, one = evaluator.constant(0, CARDS), evaluator.constant(1, CARDS)
    before = SymState((), (none, one, none, none, none, none, none))
    return Scope(SymState((), (none, none, one, none, none, none, none)), {}, before=before)


@pytest.mark.parametrize("evaluator", [Evaluator, CountingEvaluator, FaceEvaluator])
def test_old_reads_the_first_state_in_every_abstraction(evaluator: type[Evaluator]) -> None:
    """A size before and after; inside `old`, a variable keeps the value that it has outside."""
    made = evaluator(toy_game())
    scope = two_states(made).bind(s=t.vector(0, 1))
    hand = size(zone("hand", Local("s", SEAT)))
    assert made.term(hand, scope) is t.integer(0)
    assert made.term(old(hand), scope) is t.integer(1)


def test_a_matching_depends_on_both_states_that_it_reads() -> None:
    """The same cards are paired by a predicate that reads the trumps before the step: another answer than after it."""
    game = toy_game()
    place = FaceSystem(game).place(LEAD)
    evaluator = place.stepper.evaluator
    assert isinstance(evaluator, FaceEvaluator)
    other = FaceSystem(game).place(LEAD).state
    trump = game.cells["trump"].base
    cells = list(other.cells)
    cells[trump] = t.variable("trump before", 1)
    scope = Scope(place.state, place.stepper.options, before=SymState(tuple(cells), place.state.zones))
    pair = Call("beats", (Local("x", zone("won").type), Local("y", zone("won").type)), BOOL)
    plain = Matching(zone("hand", seat(0)), zone("hand", seat(1)), "y", "x", pair, BOOL)
    evaluator.truth(plain, scope)
    evaluator.truth(old(plain), scope)
    evaluator.truth(Matching(plain.targets, plain.replies, "y", "x", old(pair), BOOL), scope)
    contexts = [len(a.context) for a in evaluator.applications]
    assert len(contexts) == 3 and contexts[0] == contexts[1] and contexts[2] == 2 * contexts[0]


def test_a_fork_keeps_its_facts_to_itself() -> None:
    """What is evaluated in a fork is not known in the place that it comes from."""
    place = FaceSystem(toy_game()).place(LEAD)
    before = place.assumptions()
    fork = forked(place)
    fork.stepper.evaluator.truth(op("within", zone("hand", seat(0)), zone("won", seat(1))), fork.scope)
    assert fork.assumptions()[: len(before)] == before and len(fork.assumptions()) > len(before)
    assert place.assumptions() == before


# --- a whole game ----------------------------------------------------------------------------------------------------

CLAIMS = """language 1
variant probe of kozel_shokha {
  function in_trick() : Cards = table[seat 1] union table[seat 2] union table[seat 3] union table[seat 4]
    union thrown[seat 1] union thrown[seat 2] union thrown[seat 3] union thrown[seat 4]
  predicate chain(g : Cards) = some t in Suit : every c in g : suit(c) == t or suit(c) == trump or c == shokha
  lemma capture_keeps_chain(g : 1..4 of pack, r : 1..4 of pack) : chain(g) and captures(r, g) implies chain(r)
  invariant best_is_chain at answer : chain(table[best])

  step best_beaten from answer by beat(r) to answer : best == old(s)
  step best_kept from answer by discard(r) to answer : best == old(best)
  step best_chained from answer to answer : chain(table[best])
  step laid_open from answer by beat(r) to answer : table[old(s)] == r and hand[old(s)] == old(hand[s]) without r
  step beater_wins from answer by beat(r) to refill, lead, declaration, deal.end :
    winner == old(s) and leader == old(s)
  step best_wins from answer by discard(r) to refill, lead, declaration, deal.end :
    winner == old(best) and leader == old(best)
  step pile_beaten from answer by beat(r) to refill, lead, declaration, deal.end :
    won[side(old(s))] == old(won[side(s)] union in_trick()) union r
    and won[opponents(side(old(s)))] == old(won[opponents(side(s))])
  step pile_kept from answer by discard(r) to refill, lead, declaration, deal.end :
    won[side(old(best))] == old(won[side(best)] union in_trick()) union r
    and won[opponents(side(old(best)))] == old(won[opponents(side(best))])
  step drawer from refill, last_card to refill, last_card, lead, declaration :
    |hand[old(s)] without old(hand[s])| == 1 and old(hand[s]) within hand[old(s)]
    and every t in Seat without {old(s)} : hand[t] == old(hand[t])
  step highest_leads from declaration by pass to lead : every k in Claim :
    (some t in Seat : old(said[t]) == k)
      and (every j in Claim : j above k in claims implies every t in Seat : old(said[t]) != j)
    implies declared == k and leader == (first t in Seat clockwise from old(leader) where old(said[t]) == k)

  step wrong_winner from answer by beat(r) to refill, lead, declaration, deal.end : winner == old(best)
  step wrong_pile from answer by discard(r) to refill, lead, declaration, deal.end :
    won[side(old(best))] == old(won[side(best)] union in_trick())
  step wrong_order from refill, last_card to refill, last_card : s == right(old(s))
}
"""
WRONG = {"wrong_winner", "wrong_pile", "wrong_order"}


@cache
def shokha() -> Game:
    return load_text(CLAIMS, str(SHOKHA.with_name("probe.kozel"))).game


def test_the_steps_of_a_trick_are_proved_and_wrong_ones_are_not() -> None:
    """On the full pack, for all options, from the game's own invariants; within half the default budget."""
    game = shokha()
    claims = [p for p in game.properties if isinstance(p, StepClaim) and f"step {p.name} " in CLAIMS]
    invariants = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
    known = {n: [c.statement for c in invariants if n in c.nodes] for n in range(len(game.nodes))}
    lemmas = [p for p in game.properties if isinstance(p, Lemma) and p.name == "capture_keeps_chain"]
    assert isinstance(prove_lemma(game, lemmas[0]), Proved)
    results = prove_steps(game, claims, known, rlimit=10_000_000, lemmas=usable(game, lemmas))
    assert {r.name for r in results if not r.proved} == WRONG
    assert all(r.failure is not None and r.failure.values is not None for r in results if r.name in WRONG)
    others = [c for c in invariants if c.name != "winning_group" and "chain" not in c.name]  # these say as much
    known = {n: [c.statement for c in others if n in c.nodes] for n in range(len(game.nodes))}
    unaided = prove_steps(game, [c for c in claims if c.name == "best_chained"], known, rlimit=10_000_000)
    assert [r.proved for r in unaided] == [False]


# --- turn by turn -----------------------------------------------------------------------------------------------------

TRICK = """
language 1
game one_trick {
  deck suits ♠, ♣, ♦, ♥ ranks 6, 7, 8, 9, 10, J, Q, K, A
  seats 4
  order plain = A > 10 > K > Q > J > 9 > 8 > 7 > 6
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone table[s : Seat] seen by all
  state leader : Seat = seat 1
  state taker : Seat = seat 1
  function led() : Suit = suit(only(table[leader]))
  function power(t : Suit, c : Card) : 0..30 = if suit(c) == ♥ then 9 + place of rank(c) in plain
    else if suit(c) == t then place of rank(c) in plain else 0
  phase deal {
    gather pack into stock
    for each s in Seat { draw 1 from stock to hand[s] }
    ask seat 1 to begin { may begin(s in Seat) { leader := s } }
    for each s in Seat clockwise from leader {
      ask s to turn { may play(c in hand[s]) { move {c} from hand[s] to table[s] } }
    }
    taker := top s in Seat by power(led(), only(table[s]))
  }
  phase match { run deal end }
  outcome(s) = neither
  invariant one_each at turn : s not in unserved(s)
    and every t in Seat : |table[t]| == (if t in unserved(s) union {s} then 0 else 1)
  function laid(u : Seat, s : Seat, c : Card) : Card = if u == s then c else only(table[u])
  function head(s : Seat, c : Card) : Suit = suit(laid(leader, s, c))
  step highest_takes from turn by play(c) to deal.end : every u in Seat : u == taker implies
    old(every v in all without {u} : power(head(s, c), laid(u, s, c)) > power(head(s, c), laid(v, s, c)))
  step trumps_take from turn by play(c) to deal.end :
    every u in Seat : u == taker implies old(some v in Seat : suit(laid(v, s, c)) == ♥ and v == u)
}
"""
FEW = 3_000_000  # with which nothing is found of all seats together


def of_the_trick(name: str) -> StepResult:
    """A claim about the trick, from what is known of the cards on the table."""
    game = load_text(TRICK).game
    (claim,) = [p for p in game.properties if isinstance(p, StepClaim) and p.name == name]
    claims = [p for p in game.properties if isinstance(p, StateClaim)]
    known = {n: [c.statement for c in claims if n in c.nodes] for n in range(len(game.nodes))}
    return prove_steps(game, [claim], known, rlimit=FEW)[0]


def test_what_is_too_hard_is_asked_for_each_seat_whose_turn_it_may_be() -> None:
    """Who has laid the highest card: unknown for any seat that lays the last one, easy for each."""
    found = of_the_trick("highest_takes")
    assert found.proved and found.queries == 6  # with sizes, with cards, and four turns
    assert found.rlimit > FEW


def test_each_turn_must_be_answered_with_no(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: that a trump takes is false whoever lays the last card; the model says whose turn it is."""
    turn = {"cell:" + str(load_text(TRICK).game.cells["deal.s#2"].base)}
    monkeypatch.setattr(
        steps, "check", lambda a, limit: Unknown("", limit) if turn & t.variables(a).keys() else check(a, limit)
    )
    found = of_the_trick("trumps_take")
    assert not found.proved and found.failure is not None and found.failure.values is not None
    game = load_text(TRICK).game
    state = first_state(game, found.failure)
    assert state is not None
    asked = game.nodes[state.node]
    assert isinstance(asked, Ask) and isinstance(asked.seat, CellRead)
    assert state.cells[game.cells[asked.seat.cell].base] == 0  # the first that was tried
