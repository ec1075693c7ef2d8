"""Claims about faces by induction on masks, secrets, dead places, well defined steps."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from kozel_verify.model.core import (
    Ask,
    Block,
    Branch,
    Call,
    Claim,
    Const,
    Dead,
    Expr,
    Game,
    Lemma,
    Move,
    Node,
    Secret,
    StateClaim,
    ZoneRef,
)
from kozel_verify.model.load import load_text
from kozel_verify.model.types import BOOL
from kozel_verify.symbolic.faces import first_state, prove_dead, prove_defined, prove_faces, prove_secrets
from kozel_verify.symbolic.faces_system import FaceSystem, Usable, instances, usable
from tests.support.toy import (
    ALL,
    ANSWER,
    ASKED,
    CARD,
    CARDS,
    LEAD,
    LEADER,
    SEATS,
    TRUE,
    cell,
    nat,
    op,
    seat,
    size,
    toy_game,
    zone,
)

SHOKHA = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"
GROUP = cell("group", CARDS)
TABLE_EMPTY = [op("==", size(zone("table", seat(s))), nat(0)) for s in (0, 1)]
HANDS_AT_ANSWER = [
    op("!=", ASKED, LEADER),
    op("==", size(zone("hand", ASKED)), op("+", size(zone("hand", LEADER)), size(GROUP), type=nat(0).type)),
]


def invariant(name: str, node: int, statement: Expr) -> StateClaim:
    return StateClaim(Claim.INVARIANT, name, (node,), statement)


LED_SUIT = invariant("led_suit", ANSWER, Call("one_suit", (zone("table", LEADER),), BOOL))
ON_TABLE = invariant("on_table", ANSWER, op("within", GROUP, zone("table", LEADER)))
IS_TABLE = invariant("is_table", ANSWER, op("==", GROUP, zone("table", LEADER)))
ACE_LED = invariant("ace_led", ANSWER, op("in", Const(2, CARD), zone("table", LEADER)))


def verdicts(game: Game, claims: list[StateClaim], known: Mapping[int, list[Expr]]) -> dict[str, bool]:
    return {r.name: r.proved for r in prove_faces(game, claims, known)}


def changed(game: Game, index: int, block: Block) -> Game:
    """The game with another block."""
    return replace(game, blocks=(*game.blocks[:index], block, *game.blocks[index + 1 :]))


# --- claims ----------------------------------------------------------------------------------------------------------


def test_true_claims_about_faces_are_proved() -> None:
    """What was led lies on the table, all of one suit; each claim took one query, since one edge leads there."""
    results = prove_faces(toy_game(), [LED_SUIT, ON_TABLE, IS_TABLE], {LEAD: TABLE_EMPTY})
    assert [(r.name, r.proved, r.obligations) for r in results] == [
        ("led_suit", True, 1),
        ("on_table", True, 1),
        ("is_table", True, 1),
    ]
    assert all(0 < r.rlimit < 1_000_000 for r in results)


def test_what_needs_a_known_claim_fails_without_it() -> None:
    """Only with an empty table before the lead is the led group all that lies there."""
    assert verdicts(toy_game(), [LED_SUIT, ON_TABLE, IS_TABLE], {}) == {
        "led_suit": False,
        "on_table": True,
        "is_table": False,
    }


def test_a_false_claim_is_not_proved_and_its_model_is_a_state() -> None:
    """The edge is named; in its first state the leader's hand has something else than the ace to lead."""
    (result,) = prove_faces(toy_game(), [ACE_LED], {LEAD: TABLE_EMPTY})
    failure = result.failure
    assert failure is not None
    assert (failure.edge, failure.start, failure.end) == ("lead.lead", LEAD, ANSWER)
    state = first_state(toy_game(), failure)
    assert state is not None and state.node == LEAD
    assert 3 not in state.place and 4 not in state.place  # the zone slots of the table
    hand = 1 + int(state.cells[1] or 0)
    assert any(p == hand for c, p in enumerate(state.place) if c != 2)


def test_a_dropped_move_is_noticed() -> None:
    """A lead that leaves the cards in the hand breaks the claim that they lie on the table."""
    game = toy_game()
    lead = game.blocks[4]
    broken = changed(game, 4, replace(lead, effects=lead.effects[1:]))
    assert verdicts(game, [ON_TABLE], {}) == {"on_table": True}
    assert verdicts(broken, [ON_TABLE], {}) == {"on_table": False}


def test_a_claim_that_leans_on_a_broken_one_is_dropped_too() -> None:
    """`stays` holds only if `begins` does, which the deal breaks; with `begins` known instead, `stays` is proved."""
    in_stock = op("in", Const(0, CARD), zone("stock"))
    begins, stays = invariant("begins", LEAD, in_stock), invariant("stays", ANSWER, in_stock)
    assert verdicts(toy_game(), [stays, begins], {}) == {"stays": False, "begins": False}
    assert verdicts(toy_game(), [stays], {LEAD: [in_stock]}) == {"stays": True}


def test_a_lemma_of_another_form_is_left_out() -> None:
    """The toy's lemma is about cards: it says nothing about the matchings of an answer, and nothing is made of it."""
    game = toy_game()
    lemma = next(p for p in game.properties if isinstance(p, Lemma))
    assert instances(usable(game, [lemma]), FaceSystem(game).transition(ANSWER, 0)) == []


def test_a_used_up_budget_proves_nothing() -> None:
    """With one resource unit the claim stays open, without a model."""
    (result,) = prove_faces(toy_game(), [LED_SUIT], {LEAD: TABLE_EMPTY}, rlimit=1)
    assert result.failure is not None and result.failure.values is None and result.failure.reason


# --- a whole game ----------------------------------------------------------------------------------------------------

FACES = {
    "lead_stays_open",
    "best_beats",
    "declared_fits",
    "said_fits",
    "trump_is_turned",
    "trump_known",
    "turned_again",
    "redrawn",
}
PROBE = """language 1
variant probe of kozel_shokha {
  invariant trump_known at lead, answer, refill, last_card, declaration :
    trump is none implies indicator_shokha == no_trump
  invariant turned_again at lead, answer, refill, last_card, declaration :
    indicator_shokha == redraw implies shokha not in indicator
  invariant redrawn at turn_again : indicator == {shokha} and indicator_shokha == redraw
  invariant nothing_turned at dealing, turn : |indicator| == 0
  invariant nothing_said at dealing, turn, turn_again, lead, answer, refill, last_card :
    every t in Seat : said[t] is none
  invariant nothing_declared at dealing, turn, turn_again, refill, last_card, declaration : declared is none
  lemma capture_transitive(a : 1..4 of pack, b : 1..4 of pack, c : 1..4 of pack) :
    captures(a, b) and captures(b, c) implies captures(a, c)
}
"""


def probe() -> tuple[Game, list[StateClaim], dict[int, list[Expr]], tuple[Usable, ...]]:
    """The shokha game with what the proofs need: the game, its claims about faces, the others as known, its lemma."""
    game = load_text(PROBE, str(SHOKHA.with_name("probe.kozel"))).game
    invariants = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
    known = {
        n: [c.statement for c in invariants if n in c.nodes and c.name not in FACES] for n in range(len(game.nodes))
    }
    lemmas = [p for p in game.properties if isinstance(p, Lemma) and p.name == "capture_transitive"]
    return game, [c for c in invariants if c.name in FACES], known, usable(game, lemmas)


def test_all_claims_of_the_shokha_game_about_faces_are_proved() -> None:
    """From its claims about numbers and the lemma that capturing is transitive; within half the default budget."""
    game, claims, known, lemmas = probe()
    results = prove_faces(game, claims, known, rlimit=10_000_000, lemmas=lemmas)
    assert {r.name: r.proved for r in results} == dict.fromkeys(FACES, True)
    assert {r.name: r.obligations for r in results if r.name in ("best_beats", "trump_is_turned", "redrawn")} == {
        "best_beats": 3,
        "trump_is_turned": 31,
        "redrawn": 1,
    }


def test_the_best_group_beats_all_only_by_the_lemma() -> None:
    """Without the lemma, and with an answer that need not beat, the claim breaks where a seat beats."""
    game, claims, known, lemmas = probe()
    claim = [c for c in claims if c.name == "best_beats"]
    (without,) = prove_faces(game, claim, known)
    assert without.failure is not None and without.failure.edge.endswith("answer.beat")
    lax = replace(game, nodes=tuple(_unguarded(n) for n in game.nodes))
    (wrong,) = prove_faces(lax, claim, known, lemmas=lemmas)
    assert wrong.failure is not None and wrong.failure.edge.endswith("answer.beat")


def _unguarded(node: Node) -> Node:
    if not isinstance(node, Ask):
        return node
    return replace(node, verbs=tuple(replace(v, guard=TRUE) for v in node.verbs))


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_the_toy_keeps_its_secret() -> None:
    """No seat sees the other's hand, at any of the six nodes."""
    (result,) = prove_secrets(toy_game(), {})
    assert (result.name, result.proved, result.nodes) == ("hands", True, (0, 1, 2, 3, 4, 5))


def test_a_wrong_visibility_is_refuted() -> None:
    """With hands seen by all, the model has a card in a hand."""
    game = toy_game()
    zones = {**game.zones, "hand": replace(game.zones["hand"], seen=ALL)}
    (result,) = prove_secrets(replace(game, zones=zones), {})
    assert result.failure is not None
    state = first_state(game, result.failure)
    assert state is not None and {1, 2} & set(state.place)


def test_a_secret_may_rest_on_known_claims() -> None:
    """Cards on the open table are no secret, unless the table is known to be empty there."""
    table = Secret("table", "", None, zone("table", seat(0)), Const(0b11, SEATS), (LEAD,))
    game = replace(toy_game(), properties=(table,))
    assert [r.proved for r in prove_secrets(game, {})] == [False]
    assert [r.proved for r in prove_secrets(game, {LEAD: TABLE_EMPTY})] == [True]


# --- dead places -----------------------------------------------------------------------------------------------------


def test_a_dead_place_is_proved_from_known_claims() -> None:
    """Unequal hands after a trick are excluded by what is known while an answer is awaited, and only by that."""
    (open_,) = prove_dead(toy_game(), {})
    assert not open_.proved
    (result,) = prove_dead(toy_game(), {ANSWER: HANDS_AT_ANSWER})
    assert (result.name, result.proved, result.nodes, result.obligations) == ("unequal_hands", True, (ANSWER,), 2)


def test_a_dead_place_that_is_reached_is_not_proved() -> None:
    """Swap the branch before it: equal hands now lead there."""
    game = toy_game()
    collect = game.blocks[7]
    assert isinstance(collect.end, Branch)
    swapped = replace(collect.end, then=collect.end.otherwise, otherwise=collect.end.then)
    (result,) = prove_dead(changed(game, 7, replace(collect, end=swapped)), {ANSWER: HANDS_AT_ANSWER})
    assert result.failure is not None and result.failure.values is not None


def test_a_dead_place_may_need_faces() -> None:
    """A lead of both sixes is dead because a lead is of one suit: numbers cannot tell, masks can."""
    game = toy_game()
    lead = game.blocks[4]
    sixes = op("within", Const(0b001001, CARDS), GROUP)
    blocks = (*game.blocks, lead, Block((), Dead("both_sixes")))
    game = replace(game, blocks=blocks)
    game = changed(game, 4, Block((), Branch(sixes, len(blocks) - 1, len(blocks) - 2)))
    verdict = {r.name: r.proved for r in prove_dead(game, {ANSWER: HANDS_AT_ANSWER})}
    assert verdict == {"unequal_hands": True, "both_sixes": True}
    unguarded = replace(game, functions={**game.functions, "one_suit": replace(game.functions["one_suit"], body=TRUE)})
    assert not {r.name: r.proved for r in prove_dead(unguarded, {ANSWER: HANDS_AT_ANSWER})}["both_sixes"]


# --- well defined steps ----------------------------------------------------------------------------------------------


def test_moves_of_cards_that_are_there_are_well_defined() -> None:
    """The led group comes from the leader's hand; a lead from the other hand is not well defined."""
    game = toy_game()
    lead = game.blocks[4]
    move = lead.effects[0]
    assert isinstance(move, Move)
    elsewhere = replace(move, source=ZoneRef("hand", seat(0)))
    wrong = changed(game, 4, replace(lead, effects=(elsewhere, *lead.effects[1:])))
    text = "lead.lead: cards are moved that are not there"
    assert {r.name: r.proved for r in prove_defined(game, {})}[text]
    assert not {r.name: r.proved for r in prove_defined(wrong, {})}[text]


def test_only_what_is_asked_for_is_proved() -> None:
    """A selection by edge and place in the text."""
    spans = {r.span for r in prove_defined(toy_game(), {})}
    assert prove_defined(toy_game(), {}, only=[("no such edge", s) for s in spans]) == []
