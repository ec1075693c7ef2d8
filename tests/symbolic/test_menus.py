"""Claims about what may be chosen: menus written a second time are proved equal to the rule, others are not."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from kozel_verify.model.core import Call, Claim, Const, Expr, Game, Lemma, Local, MenuClaim, StateClaim
from kozel_verify.model.load import load_text
from kozel_verify.model.types import BOOL, NAT
from kozel_verify.symbolic.cases import Known
from kozel_verify.symbolic.faces import FaceResult, first_state
from kozel_verify.symbolic.faces_system import Usable, usable
from kozel_verify.symbolic.lemmas import Proved, prove_lemma
from kozel_verify.symbolic.menus import prove_menus
from tests.support.toy import (
    ANSWER,
    ASKED,
    CARDS,
    LEAD,
    LEADER,
    TRUE,
    TURN,
    cell,
    nat,
    op,
    seat,
    size,
    toy_game,
    zone,
)

SHOKHA = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"
G = Local("g", CARDS)
KNOWN: dict[int, list[Expr]] = {ANSWER: [op("==", cell("group", CARDS), zone("table", LEADER))]}
OWN = op("within", G, zone("hand", LEADER))
SOME, FEW = op(">=", size(G), nat(1)), op("<=", size(G), nat(2))
ONE_SUIT = Call("one_suit", (G,), BOOL)
REPLY = op("within", G, zone("hand", ASKED))
AS_MANY = op("==", size(G), size(zone("table", LEADER)))
CAPTURES = Call("captures", (G, zone("table", LEADER)), BOOL)


def both(*parts: Expr) -> Expr:
    found = parts[0]
    for part in parts[1:]:
        found = op("and", found, part)
    return found


def menu(verb: str, statement: Expr, node: int, rlimit: int = 20_000_000) -> FaceResult:
    claim = MenuClaim("claim", (node,), verb, (G,), statement)
    (found,) = prove_menus(toy_game(), [claim], KNOWN, rlimit=rlimit)
    return found


def test_a_menu_written_again_is_proved() -> None:
    """What may be led, and with what may be answered, for every set of cards: one query each."""
    for verb, statement, node in (
        ("lead", both(OWN, SOME, FEW, ONE_SUIT), LEAD),
        ("beat", both(REPLY, AS_MANY, CAPTURES), ANSWER),
        ("discard", both(REPLY, AS_MANY), ANSWER),
    ):
        found = menu(verb, statement, node)
        assert (found.proved, found.obligations, found.nodes) == (True, 1, (node,))


@pytest.mark.parametrize("left_out", [0, 1, 2, 3])
def test_each_condition_counts(left_out: int) -> None:
    """Without any one of the four conditions of a lead, some set of cards is said to be legal that is not."""
    parts: list[Expr] = [OWN, SOME, FEW, ONE_SUIT]
    statement = both(*parts[:left_out], *parts[left_out + 1 :])
    failure = menu("lead", statement, LEAD).failure
    assert failure is not None and failure.values is not None and (failure.start, failure.edge) == (LEAD, "")
    assert any(name.startswith("argument:0") for name in failure.values)
    assert first_state(toy_game(), failure) is not None


def test_what_forbids_too_much_is_not_proved() -> None:
    """One card only may be led: two of a suit are legal too."""
    assert not menu("lead", both(OWN, op("==", size(G), nat(1)), ONE_SUIT), LEAD).proved
    assert not menu("beat", Const(False, BOOL), ANSWER).proved
    assert not menu("discard", TRUE, ANSWER).proved


def test_a_statement_must_have_a_value_for_all_arguments() -> None:
    """Two less the number of cards has none for three cards, though three cards are not legal either way."""
    less = op("-", nat(2), size(G), type=NAT)
    never = op("and", both(OWN, SOME, ONE_SUIT), op("==", less, less))
    assert not menu("lead", never, LEAD).proved
    assert menu("lead", both(OWN, SOME, FEW, op("==", less, less), ONE_SUIT), LEAD).proved


def test_known_claims_are_used_at_their_node() -> None:
    """That the chosen group lies before the leader is known at the answer; without it the claim is open."""
    claim = MenuClaim("claim", (ANSWER,), "discard", (G,), both(REPLY, AS_MANY))
    (without,) = prove_menus(toy_game(), [claim], {})
    assert not without.proved


def test_a_used_up_budget_proves_nothing() -> None:
    """With one resource unit the claim stays open, without a model but with the solver's word."""
    found = menu("beat", both(REPLY, AS_MANY, CAPTURES), ANSWER, rlimit=1)
    assert found.failure is not None and found.failure.values is None and found.failure.reason


def test_a_claim_about_no_question_is_refused() -> None:
    """Without nodes it would be proved of nothing; at a draw nobody chooses; at the lead nobody beats."""
    claim = MenuClaim("claim", (), "lead", (G,), TRUE)
    for wrong in (claim, replace(claim, nodes=(TURN,)), replace(claim, nodes=(LEAD,), verb="beat")):
        with pytest.raises(ValueError, match=r"is about no question|does not ask for"):
            prove_menus(toy_game(), [wrong], {})


def test_each_claim_is_proved_apart() -> None:
    """A claim costs the same resources alone and among others."""
    claims = [
        MenuClaim("beat", (ANSWER,), "beat", (G,), both(REPLY, AS_MANY, CAPTURES)),
        MenuClaim("wrong", (ANSWER,), "discard", (G,), op("==", zone("hand", seat(0)), G)),
        MenuClaim("discard", (ANSWER,), "discard", (G,), both(REPLY, AS_MANY)),
    ]
    together = prove_menus(toy_game(), claims, KNOWN)
    assert [r.proved for r in together] == [True, False, True]
    assert [r.rlimit for r in together] == [prove_menus(toy_game(), [c], KNOWN)[0].rlimit for c in claims]


# --- a whole game ----------------------------------------------------------------------------------------------------

CLAIMS = """language 1
variant probe of kozel_shokha {
  predicate chain(g : Cards) = some t in Suit : every c in g : suit(c) == t or suit(c) == trump or c == shokha
  predicate enough(r : Cards, g : Cards) = |r| == |g| and every y in g :
    |those x in r where beats(x, y)| >= |those z in g where z == y or beats(z, y)|
  lemma capture_by_count(g : 1..4 of pack, r : 1..4 of pack without g) :
    chain(g) implies captures(r, g) == enough(r, g)
  invariant best_is_chain at answer : chain(table[best])

  menu may_lead_what at lead : lead(g) when g within hand[leader] and |g| in 1..4
    and some t in Suit : every c in g : suit(c) == t or c == shokha
  menu may_beat_how at answer : beat(r) when r within hand[s] and enough(r, table[best])
  menu may_discard_any at answer : discard(r) when r within hand[s] and |r| == |table[leader]|
  menu may_declare_true at declaration : declare(k) when |hand[s]| == 4 and
    (if k == moscow then (some c in hand[s] : rank(c) == A) and every c in hand[s] : rank(c) in {A, 10} or c == shokha
     else some t in Suit : every c in hand[s] : suit(c) == t or c == shokha)
  menu may_always_pass at declaration : pass when true

  menu wrong_lead at lead : lead(g) when g within hand[leader] and |g| in 1..4
    and some t in Suit : every c in g : suit(c) == t
  menu wrong_beat at answer : beat(r) when r within hand[s] and |r| == |table[best]|
    and every y in table[best] : some x in r : beats(x, y)
  menu wrong_discard at answer : discard(r) when r within hand[s] and |r| <= |table[leader]|
  menu wrong_declare at declaration : declare(k) when every c in hand[s] : rank(c) in {A, 10} or c == shokha
  menu wrong_pass at declaration : pass when |hand[s]| > 4
}
"""


@cache
def shokha() -> tuple[Game, Known, tuple[Usable, ...]]:
    game = load_text(CLAIMS, str(SHOKHA.with_name("probe.kozel"))).game
    invariants = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
    known = {n: [c.statement for c in invariants if n in c.nodes] for n in range(len(game.nodes))}
    lemmas = [p for p in game.properties if isinstance(p, Lemma) and p.name == "capture_by_count"]
    assert isinstance(prove_lemma(game, lemmas[0]), Proved)
    return game, known, usable(game, lemmas)


def test_the_menus_of_a_trick_are_proved_and_wrong_ones_are_not() -> None:
    """All five, on the full pack, for any sets of cards, trumps and options; within half the default budget."""
    game, known, lemmas = shokha()
    claims = [p for p in game.properties if isinstance(p, MenuClaim) and f"menu {p.name} " in CLAIMS]
    results = prove_menus(game, claims, known, rlimit=10_000_000, lemmas=lemmas)
    assert {r.name: r.proved for r in results} == {
        "may_lead_what": True,
        "may_beat_how": True,
        "may_discard_any": True,
        "may_declare_true": True,
        "may_always_pass": True,
        "wrong_lead": False,
        "wrong_beat": False,
        "wrong_discard": False,
        "wrong_declare": False,
        "wrong_pass": False,
    }


def test_counting_is_pairing_only_by_the_lemma() -> None:
    """That enough cards beat is another thing than a pairing: without the lemma the claim is open."""
    game, known, _ = shokha()
    claims = [p for p in game.properties if isinstance(p, MenuClaim) and p.name == "may_beat_how"]
    assert [r.proved for r in prove_menus(game, claims, known, rlimit=10_000_000)] == [False]
