"""Whole plays: random ones and replays, and the invariants that all of them keep."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel_verify.interpret.chance import Generator
from kozel_verify.interpret.errors import BadDeck, IllegalChoice, NotWellDefined, ReachedDead
from kozel_verify.interpret.evaluate import contents
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Stop, habitual, random_play, replay, replay_from
from kozel_verify.interpret.state import Chance, Choice, Outcome, Proceed, State
from kozel_verify.model.core import Ask, Const, Dead, Game, Jump, Measure, StateClaim
from kozel_verify.model.load import load_text
from kozel_verify.model.types import BOOL, is_value
from tests.support.toy import DEAL, DEAL_END, LEAD, OVER, toy_game

GAME = toy_game()
TOY = Interpreter(GAME)


def kept(game: Game, play: Play, ruffing: bool = True) -> list[str]:
    """The invariants of the toy that a play breaks, by name."""
    toy = Interpreter(game, {"ruffing": ruffing})
    broken = set()
    claims = [p for p in game.properties if isinstance(p, StateClaim) and p.claim.value == "invariant"]
    (measure,) = [p for p in game.properties if isinstance(p, Measure)]
    for state in play.states:
        if len(state.place) != 6 or not all(0 <= slot < 7 for slot in state.place):
            broken.add("place")
        if sum(contents(state, slot).bit_count() for slot in range(7)) != 6:
            broken.add("conservation")
        if not all(
            is_value(state.cells[cell.base + k], cell.type)
            for cell in game.cells.values()
            for k in range(1 if cell.index is None else 2)
        ):
            broken.add("types")
        for claim in claims:
            if state.node in claim.nodes and not toy.evaluate(state, claim.statement):
                broken.add(claim.name)
        if state.node != OVER and not toy.outcomes(state):
            broken.add("never stuck")
    for step in play.steps:
        if step.outcome not in toy.outcomes(step.before):
            broken.add("legal")
        if step.before.node in game.deal_nodes and not measured(toy, measure, step.after) < measured(
            toy, measure, step.before
        ):
            broken.add("measure")
    return sorted(broken)


def measured(toy: Interpreter, measure: Measure, state: State) -> tuple[int, ...]:
    return tuple(int(toy.evaluate(state, value) or 0) for value in measure.values)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**64 - 1), st.booleans())
def test_random_plays_keep_the_invariants(seed: int, ruffing: bool) -> None:
    """Cards are conserved, values keep their types, every outcome is legal, and play ends, for any seed.

    A deal has at most ten steps and brings at least six points; seven deals without an end would bring more than 38.
    """
    toy = Interpreter(GAME, {"ruffing": ruffing})
    play = random_play(toy, seed, until="match")
    assert play.stopped is Stop.REACHED and play.final.node == OVER
    assert len(play.steps) <= 7 * 10
    assert kept(GAME, play, ruffing) == []


def test_a_fault_in_the_rules_is_noticed() -> None:
    """The control: when the second seat is never dealt to, plays break the invariant of equal hands."""
    blocks = list(GAME.blocks)
    blocks[10] = replace(blocks[10], end=Jump(12))  # the second seat is never dealt to
    game = replace(GAME, blocks=tuple(blocks))
    for seed in range(5):
        assert "equal_hands" in kept(game, random_play(Interpreter(game), seed))


def test_the_same_seed_gives_the_same_play() -> None:
    """A play is a function of options and seed; other seeds give other plays."""
    plays = [random_play(TOY, seed, until="match") for seed in (5, 5, 6)]
    assert plays[0] == plays[1] != plays[2]


def test_a_play_stops_at_the_end_of_its_deal() -> None:
    """Asked for a deal, a play stops at the first end of a deal; asked for the match, at its end."""
    deal = random_play(TOY, 5)
    assert deal.stopped is Stop.REACHED
    assert [state.node for state in deal.states].count(DEAL_END) == 1 and deal.final.node == DEAL_END
    match = random_play(TOY, 5, until="match")
    assert match.states[: len(deal.states)] == deal.states
    assert match.final.node == OVER


def test_a_limit_stops_a_play() -> None:
    """After ``limit`` steps the record ends and says so."""
    play = random_play(TOY, 5, limit=3)
    assert play.stopped is Stop.LIMIT and len(play.steps) == 3


def test_a_given_deck_is_dealt() -> None:
    """The first card of the deck is turned; after it goes back, the rest of the deck comes in its mixed order."""
    for seed in range(4):
        play = random_play(TOY, seed, deck=[3, 0, 1, 2, 4, 5])
        assert play.outcomes[0] == Chance(3)
    with pytest.raises(BadDeck):
        random_play(TOY, 0, deck=[3, 0])


def test_draws_are_spread_evenly() -> None:
    """Over 600 seeds each card is turned about a hundred times (a sample; the proof is the bijection of shuffles)."""
    counts = [0] * 6
    for seed in range(600):
        outcome = random_play(TOY, seed, limit=1).outcomes[0]
        assert isinstance(outcome, Chance)
        counts[outcome.card] += 1
    assert all(70 <= count <= 130 for count in counts)


def last(interpreter: Interpreter, state: State, outcomes: Sequence[Outcome], generator: Generator) -> Outcome:
    return outcomes[-1]


def test_a_policy_chooses() -> None:
    """A policy sees the menu and its answer is played; draws are not its business."""
    play = random_play(TOY, 5, policy=last)
    asked = [step for step in play.steps if isinstance(GAME.nodes[step.before.node], Ask)]
    assert asked and all(step.outcome == TOY.outcomes(step.before)[-1] for step in asked)


OFTEN_ASKED = """language 1
game often_asked {
  deck suits ♠ ranks 6, 7
  seats 1
  zone stock seen by nobody
  state asked : 0..20 = 0 fresh each deal
  phase deal {
    repeat { ask seat 1 to turn { may stop { leave deal } may go_on { asked += 1 } } } until asked == 20
  }
  phase match { run deal end }
  outcome(s) = neither
}
"""


def test_some_habits_lead_far() -> None:
    """Where any of twenty questions may end the deal, uniform choices do not come through, some players' habits do and
    those of others end it; the same seed gives the same habits."""
    game = load_text(OFTEN_ASKED, "often_asked.kozel").game
    interpreter = Interpreter(game)
    plain = [len(random_play(interpreter, seed).steps) for seed in range(20)]
    habits = [len(random_play(interpreter, seed, policy=habitual(game, seed)).steps) for seed in range(20)]
    assert max(plain) < 15
    assert max(habits) == 20 and min(habits) == 1
    assert habits == [len(random_play(interpreter, seed, policy=habitual(game, seed)).steps) for seed in range(20)]


def test_faults_are_in_the_record() -> None:
    """A dead clause or an undefined rule ends the record with its error, the steps before it intact."""
    blocks = list(GAME.blocks)
    blocks[12] = replace(blocks[12], end=Dead("never"))
    play = random_play(Interpreter(replace(GAME, blocks=tuple(blocks))), 1)
    assert play.stopped is Stop.FAULT and isinstance(play.error, ReachedDead)
    assert len(play.steps) == 4 and play.failed == play_of(1).outcomes[4]
    nodes = list(GAME.nodes)
    nodes[LEAD] = replace(nodes[DEAL], name="lead")
    blocks = list(GAME.blocks)
    blocks[10] = replace(blocks[10], end=blocks[11].end)  # deal until nothing is left
    blocks[3] = replace(blocks[3], end=blocks[11].end)
    play = random_play(Interpreter(replace(GAME, blocks=tuple(blocks))), 1)
    assert play.stopped is Stop.FAULT and isinstance(play.error, NotWellDefined)
    assert len(play.steps) == 7 and play.failed is None


def play_of(seed: int) -> Play:
    return random_play(TOY, seed)


def test_a_stuck_play_says_so() -> None:
    """A node without a legal outcome that is no end is stuck."""
    nodes = list(GAME.nodes)
    lead = nodes[LEAD]
    assert isinstance(lead, Ask)
    nodes[LEAD] = replace(lead, verbs=(replace(lead.verbs[0], guard=Const(False, BOOL)),))
    play = random_play(Interpreter(replace(GAME, nodes=tuple(nodes))), 1)
    assert play.stopped is Stop.STUCK and play.final.node == LEAD


def test_replays_give_the_same_record() -> None:
    """The outcomes of a play, replayed, give its states and events again."""
    for seed in range(5):
        play = random_play(TOY, seed, until="match")
        assert replay(TOY, play.outcomes) == play


def test_replays_say_where_they_fail() -> None:
    """An illegal outcome ends the replay at its step, with the reason."""
    outcomes: list[Outcome] = list(play_of(1).outcomes)
    outcomes[3] = Proceed()
    again = replay(TOY, outcomes)
    assert again.stopped is Stop.ILLEGAL and len(again.steps) == 3
    assert again.failed == Proceed() and isinstance(again.error, IllegalChoice)
    assert again.states == play_of(1).states[:4]


def test_replays_from_any_state() -> None:
    """A replay may begin in the middle."""
    state = State(LEAD, (1, 1, 0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 1, 1, 2, 2))
    play = replay_from(TOY, state, [Choice(0, (0b110000,)), Choice(1, (0b001100,))])
    assert play.stopped is Stop.REACHED and play.final.node == DEAL_END
    assert replay_from(TOY, state, []).final == state
