"""No peeking by two runs: what is proved, what each planted leak breaks, and what the proof rests on."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.interpret.chance import choice_generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Played, replay
from kozel_verify.interpret.state import Chance, Choice, Outcome, State
from kozel_verify.model.core import Announce, Arrive, Ask, Block, Branch, Const, Game, Jump, Local
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.model.types import NAT
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.peeking import Peeking, prove_no_peeking
from kozel_verify.symbolic.peeking_chain import What, in_order
from kozel_verify.symbolic.peeking_questions import Kept, Question, Questions, Step, steps
from kozel_verify.symbolic.peeking_twins import Part
from kozel_verify.symbolic.system import cell_types
from kozel_verify.symbolic.values import Codec, bits_for
from kozel_verify.symbolic.z3_api import Model, Unsatisfiable, check
from kozel_verify.verify.peeking_runs import twin_step
from tests.support.bidding import SILENT, bidding
from tests.support.toy import CARD, DEAL_END, LEAD, SEAT, SEATS, cell, nat, op, points, seat, toy_game, zone

SHOKHA = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"


def quiet_toy() -> Game:
    """The toy in which the cards of both seats are counted aloud before they are scored, and the score is the gain."""
    game = toy_game()
    told = [Announce(points(zone("won", seat(s))), Const(0b11, SEATS), f"points of seat {s}") for s in (0, 1)]
    scores = game.blocks[14].effects[:2]
    gain = cell("score", NAT, Local("seat", SEAT))
    return replace(with_block(game, 14, Block((*told, *scores), Arrive(DEAL_END))), gain=gain, loss=nat(0))


def with_block(game: Game, index: int, block: Block) -> Game:
    return replace(game, blocks=(*game.blocks[:index], block, *game.blocks[index + 1 :]))


def broken(found: Peeking) -> set[tuple[What, str]]:
    """What is not the same, over all steps."""
    return {(r.difference.what, r.difference.text) for r in found.results if r.difference is not None}


ONE_TRICK = """
language 1
game one_trick {
  deck suits ♠, ♣, ♦, ♥ ranks 6, 7, 8, 9, 10, J, Q, K, A
  seats 4
  order plain = A > 10 > K > Q > J > 9 > 8 > 7 > 6
  const value = {A: 11, 10: 10, K: 4, Q: 3, J: 2, else 0}
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone table[s : Seat] seen by all
  zone pile[s : Seat] seen by nobody
  function led() : Suit = suit(only(table[seat 1]))
  function power(c : Card) : 0..30 = if suit(c) == ♥ then 9 + place of rank(c) in plain
    else if suit(c) == led() then place of rank(c) in plain else 0
  function worth(s : Seat) : 0..22 = value[rank(only(table[s]))] + value[rank(only(table[left(left(s))]))]
  phase deal {
    gather pack into stock
    for each s in Seat { draw 1 from stock to hand[s] }
    for each s in Seat { ask s to turn { may play(c in hand[s]) { move {c} from hand[s] to table[s] } } }
    let best = top s in Seat by power(only(table[s]))
    let taker = if worth(left(best)) > worth(best) then left(best) else best
    for each s in Seat { move table[s] from table[s] to pile[taker] }
  }
  phase match { run deal end }
  outcome(s) = neither
}
"""


# --- what holds ------------------------------------------------------------------------------------------------------


def test_nobody_can_peek_in_the_quiet_toy() -> None:
    """Both seats, all fifteen steps: each node, the seat's own choices, those of the other, chance, the end of a deal.
    One query each is enough where anything is left to ask."""
    found = prove_no_peeking(quiet_toy(), {})
    assert found.proved
    assert len(found.results) == 2 * len(list(steps(toy_game()))) == 30
    assert all(r.queries <= 1 and r.rlimit < 2_000_000 for r in found.results)


def test_what_was_led_is_kept() -> None:
    """The led group is a cell that nobody sees; while the answer is awaited it is the same in both runs, as it was laid
    open. No other hidden cell is live there."""
    kept = prove_no_peeking(quiet_toy(), {}, seats=[1]).kept[1]
    group = toy_game().cells["group"].base
    assert [sorted(p.slot for p in parts) for parts in kept] == [[], [], [], [group], [], []]


def test_secret_bids_and_uncovered_cards() -> None:
    """A game with secret choices, a zone that a seat comes to see, and a hidden `let` that was announced."""
    found = prove_no_peeking(bidding().game, {})
    assert found.proved
    names = [r.name for r in found.results if r.seat == 0 and "bidding." in r.name]
    assert names == [
        "deal.bidding.bid by the seat",
        "deal.bidding.pass by the seat",
        "deal.bidding.bid by another seat",
        "deal.bidding.bid or pass by another seat",
        "deal.bidding.pass by another seat",
    ]


def test_the_taker_of_a_trick_is_found_from_cards_that_all_have_seen() -> None:
    """The last card is laid open: both runs lay the same, and so the same seat takes the trick in both. That this needs
    no search through the strengths and sums of four cards is what keeps it within a small budget."""
    found = prove_no_peeking(load_text(ONE_TRICK).game, {}, rlimit=1_000_000, seats=[0], patient=False)
    assert found.proved
    assert max(r.queries for r in found.results) > 1  # so the way by one choice was taken


def test_a_card_laid_face_down_is_not_taken_to_be_the_same() -> None:
    """Negative control: where nobody sees what is laid, whoever takes the trick tells something about it."""
    hidden = ONE_TRICK.replace("zone table[s : Seat] seen by all", "zone table[s : Seat] seen by nobody")
    found = prove_no_peeking(load_text(hidden).game, {}, rlimit=1_000_000, seats=[0], patient=False)
    assert {what for what, _ in broken(found)} == {What.EVENT}


COUNTED = """
language 1
game counted {
  deck suits ♠, ♣, ♦, ♥ ranks 6, 7, 8, 9, 10, J, Q, K, A
  seats 2
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone table seen by all
  predicate plain(c : Card) = rank(c) not in {J, Q, K, A}
  function due(h : Cards) : 0..2 = min(2, |those c in h where plain(c)|)
  phase deal {
    gather pack into stock
    for each s in Seat { draw 4 from stock to hand[s] }
    for each s in Seat {
      ask left(s) to give { may give(g : due(hand[WHOSE]) of hand[left(s)]) { move g from hand[left(s)] to table } }
    }
  }
  phase match { run deal end }
  outcome(s) = neither
}
"""


def test_equal_cards_of_a_sort_are_equally_many() -> None:
    """How many cards a seat may give follows from how many plain cards it holds, and it sees them; those cards that are
    never plain make no difference. Negative control: as many as the other seat holds are not known to it."""
    own, other = (load_text(COUNTED.replace("WHOSE", whose), "c.kozel").game for whose in ("left(s)", "s"))
    assert prove_no_peeking(own, {}, seats=[0], patient=False).proved
    assert (What.MENU, "what may be chosen") in broken(prove_no_peeking(other, {}, seats=[0], patient=False))


@pytest.mark.parametrize("seat_", [0, 1, 2, 3])
def test_the_shokha_game(seat_: int) -> None:
    """The whole pack, all options unknown, each seat."""
    found = prove_no_peeking(load(SHOKHA).game, {}, rlimit=40_000_000, seats=[seat_])
    assert found.proved
    assert sum(r.queries for r in found.results) < 50


# --- what fails ------------------------------------------------------------------------------------------------------


def test_a_score_from_cards_that_were_not_counted_aloud() -> None:
    """The toy itself leaks: it scores both piles and then tells the points of the last taker alone. In each model the
    seat sees the same cells and cards in both states, by the reference (their sizes are numbers beside the masks)."""
    game = toy_game()
    found = prove_no_peeking(game, {})
    assert {what for what, _ in broken(found)} == {What.VIEW, What.RESULT}
    assert (What.VIEW, "`score[1]` at `deal_end`") in broken(found)
    player = Interpreter(game)
    differences = [(r.seat, r.difference) for r in found.results if r.difference is not None]
    assert len(differences) == 10
    for seat_, difference in differences:
        assert difference.states is not None
        a, b = (player.view(State(s.node, s.cells, s.place), seat_) for s in difference.states)
        assert (a.node, a.owner, a.cells, a.contents) == (b.node, b.owner, b.cells, b.contents)


EXPECTED = {
    "menu": (0, What.MENU),
    "public cell": (0, What.EVENT),
    "score": (1, What.VIEW),
    "silence": (1, What.EVENT),
    "number of cards": (1, What.EVENT),
    "next node": (0, What.NODE),
    "only who can": (1, What.VIEW),
    "worth": (1, What.RESULT),
}


@pytest.mark.parametrize("name", SILENT)
def test_planted_leaks_are_not_proved(name: str) -> None:
    """Each leak in the bidding game is met where it is planted."""
    seat_, what = EXPECTED[name]
    found = prove_no_peeking(bidding(*SILENT[name]).game, {}, seats=[seat_], patient=False)
    assert what in {w for w, _ in broken(found)}


def test_a_verb_told_openly_is_a_release() -> None:
    """If bids are open, that one bids and how high is known, so nothing else need be announced but who takes."""
    open_ = bidding(
        ("ask s secretly to", "ask s to"), ("seen by {s} fresh", "fresh"), ("    announce taker as takes\n", "")
    )
    assert prove_no_peeking(open_.game, {}).proved


PLANTED = {
    "points kept in public": (
        What.VIEW,
        """state heap[d : Side] : 0..120 = 0
        procedure take_trick(taker : Seat) {
          for each s in Seat {
            move table[s] from table[s] to won[side(taker)]
            move thrown[s] from thrown[s] to won[side(taker)]
          }
          heap[side(taker)] := points(won[side(taker)])
          tricks[side(taker)] += 1
        }""",
    ),
    "a menu that depends on another hand": (
        What.MENU,
        "predicate may_lead(g : Cards) = leadable(g) and (shokha in hand[left(leader)] implies |g| == 1)",
    ),
    "asking only who can declare": (
        What.VIEW,
        """procedure window {
          waiting := at_table()
          for each s in (those t in at_table() where some k in Claim : fits(k, hand[t])) clockwise from leader {
            ask s secretly to declaration {
              may declare(k in Claim) when fits(k, hand[s]) { said[s] := k   waiting := waiting without {s} }
              may pass { waiting := waiting without {s} }
            }
          }
          run settle
        }""",
    ),
}


def shokha(change: str) -> Spec:
    return load_text(
        f"language 1\nvariant leak of kozel_shokha {{\n{change}\n}}\n", str(SHOKHA.with_name("leak.kozel"))
    )


@pytest.mark.parametrize("name", PLANTED)
def test_leaks_planted_in_the_shokha_game(name: str) -> None:
    """On its small pack of pairs, for one seat."""
    what, change = PLANTED[name]
    found = prove_no_peeking(shokha(change).small("pairs"), {}, rlimit=40_000_000, seats=[0], patient=False)
    assert what in {w for w, _ in broken(found)}


def test_a_wrong_visibility_is_no_peeking_but_opens_the_cards() -> None:
    """Discards seen by all: nothing is told without a statement, since the move now shows them. That they should be
    hidden is a secret of the game, which fails (`prove_secrets`)."""
    game = shokha("predicate open_discards() = true").small("pairs")
    found = prove_no_peeking(game, {}, rlimit=40_000_000, seats=[0])
    assert found.proved


# --- real runs -------------------------------------------------------------------------------------------------------


def equations(game: Game, states: Sequence[State], outcomes: Sequence[Outcome]) -> list[t.Term]:
    """The unknowns of a question (its options are the defaults) with the values of two states and outcomes."""
    codec, values = Codec(game.deck), dict[str, t.Constant]()
    for name, option in game.options.items():
        codec.assign(f"option:{name}", option.type, option.default, values)
    for mark, state, outcome in zip(("", "'"), states, outcomes, strict=True):
        for slot, (type_, _, live) in enumerate(cell_types(game, state.node)):
            if live:
                codec.assign(f"cell:{slot}{mark}", type_, state.cells[slot], values)
        values |= {f"place:{card}{mark}": place for card, place in enumerate(state.place)}
        node = game.nodes[state.node]
        if isinstance(outcome, Choice) and isinstance(node, Ask):
            for n, (p, a) in enumerate(zip(node.verbs[outcome.verb].parameters, outcome.arguments, strict=True)):
                codec.assign(f"argument:{n}{mark}", p.type, a, values)
        if isinstance(outcome, Chance):
            codec.assign(f"argument:0{mark}", CARD, outcome.card, values)
    return [_equation(name, value, bits_for(game.zone_slots()), codec.width(CARD)) for name, value in values.items()]


def _equation(name: str, value: t.Constant, place: int, card: int) -> t.Term:
    if isinstance(value, bool):
        return t.eq(t.variable(name, t.BOOL), t.boolean(value))
    width = place if name.startswith("place:") else card if name.startswith("argument:") else SORTS[name.rstrip("'")]
    return t.eq(t.variable(name, width), t.integer(value) if width == t.INT else t.vector(value, width))


# trump, leader, scores, dealt_to, asked
SORTS = {"cell:0": 1, "cell:1": 1, "cell:2": t.INT, "cell:3": t.INT, "cell:4": 4, "cell:6": 1, "cell:7": 1}


def question_of(game: Game, seat_: int, step: tuple[Played, Played], kept: Kept) -> Question:
    """The question that is about two steps from the same node."""
    asked = game.nodes[step[0].before.node]
    verbs = tuple(p.outcome.verb if isinstance(p.outcome, Choice) else -1 for p in step)
    own = isinstance(asked, Ask) and Interpreter(game).owner(step[0].before) == seat_
    return Questions(game, {}).question(Step(step[0].before.node, verbs, own), seat_, kept)


@pytest.mark.parametrize("seat_", [0, 1])
def test_real_pairs_of_runs_are_among_those_asked_about(seat_: int) -> None:
    """Two random plays that tell a seat the same: on each step from different states, or by different outcomes, what is
    given of any two runs holds of these."""
    game, count = quiet_toy(), 0
    player, kept = Interpreter(game), prove_no_peeking(game, {}, seats=[seat_]).kept[seat_]
    for seed in range(12):
        dice, states = choice_generator(seed), [player.initial()[0]] * 2
        while states[0].node != DEAL_END:
            step = twin_step(player, seat_, states, dice)
            assert step is not None
            if step[0] != step[1]:
                question = question_of(game, seat_, step, kept)
                here = equations(game, [p.before for p in step], [p.outcome for p in step])
                answer = check([*question.twins.assumptions(), *question.given, *here])
                assert isinstance(answer, Model), step
                count += 1
            states = [played.after for played in step]
    assert count > 20


def test_a_real_leak_breaks_a_goal() -> None:
    """Two deals of the toy in which the leader is told the same: on the last step his score differs, and so it does
    among the runs that are asked about."""
    game = toy_game()
    player, states = Interpreter(game), []
    for discard in (3, 4):
        draws = [Chance(c) for c in (0, 0, 1, 2, discard)]
        play = replay(player, [*draws, Choice(0, (0b1,)), Choice(1, (1 << discard,)), Choice(0, (0b10,))])
        states.append(play.final)
    beat = Choice(0, (0b100,))
    ends = [player.step(s, beat) for s in states]
    step = [Played(s, beat, events, after) for s, (after, events) in zip(states, ends, strict=True)]
    nothing: Kept = [frozenset() for _ in game.nodes]
    question = question_of(game, 0, (step[0], step[1]), nothing)
    score = [g for g in question.goals if g.text == "`score[1]` at `deal_end`"]
    asserted = [*question.asserted(score), *equations(game, states, [beat, beat])]
    assert isinstance(check(asserted), Model)
    other = [g for g in question.goals if g.text.startswith("the size of")]
    assert other and isinstance(
        check([*question.asserted(other), *equations(game, states, [beat, beat])]), Unsatisfiable
    )


# --- what the proof may use ------------------------------------------------------------------------------------------

LAID = op("in", Const(0, CARD), zone("stock"))


def peeping_toy() -> Game:
    """The quiet toy in which the answer is skipped while card 0 is not in the stock."""
    game = quiet_toy()
    lead = game.blocks[4]
    count = len(game.blocks)
    game = replace(game, blocks=(*game.blocks, lead, Block((), Jump(12))))
    return with_block(game, 4, Block((), Branch(LAID, count, count + 1)))


def test_a_known_claim_may_decide() -> None:
    """Where play goes on depends on a hidden card; with the claim that it lies in the stock it is the same."""
    assert not prove_no_peeking(peeping_toy(), {}, seats=[0]).proved
    assert prove_no_peeking(peeping_toy(), {LEAD: [LAID]}, seats=[0]).proved


def test_what_was_shown_and_still_lies_there_may_be_kept() -> None:
    """The second hand is shown to all before the bids, and scores after them: its cards are hidden then, but the same
    in both runs. Without the showing, they are not."""
    change = ("    let taker", "    if strong(hand[seat 2]) { points[seat 2] := 0 }\n    let taker")
    shown = ("called set_aside\n", "called set_aside\n    show hand[seat 2] to all\n")
    found = prove_no_peeking(bidding(change, shown).game, {}, seats=[0])
    assert found.proved
    game = bidding().game
    asked = next(n for n, node in enumerate(game.nodes) if node.name == "deal.bidding")
    assert Part(True, game.zones["hand"].base + 1) in found.kept[0][asked]
    assert not prove_no_peeking(bidding(change).game, {}, seats=[0]).proved


def test_a_used_up_budget_proves_nothing() -> None:
    """With one resource unit everything that needs a query is open, without states."""
    found = prove_no_peeking(quiet_toy(), {}, rlimit=1, seats=[0])
    open_ = [r.difference for r in found.results if r.difference is not None]
    assert open_ and all(d.states is None and d.reason for d in open_)


def test_nothing_asked_is_nothing_proved() -> None:
    """No seats, no proof."""
    assert not prove_no_peeking(quiet_toy(), {}, seats=[]).proved


def test_events_are_in_the_order_of_play() -> None:
    """On both ways: a block that only the second way runs comes before those in which the ways meet."""
    game = quiet_toy()
    assert in_order(game, [5, 6], {(7, 1), (6, 0), (5, 1), (5, 0), (7, 0), (-1, 0)}) == [
        (-1, 0),
        (6, 0),
        (5, 0),
        (5, 1),
        (7, 0),
        (7, 1),
    ]
