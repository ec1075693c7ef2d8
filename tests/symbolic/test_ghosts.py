"""Counters of questions, slices of a game, and what is proved of the length of a deal."""

from dataclasses import replace
from typing import Literal

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play, uniform
from kozel_verify.interpret.state import State
from kozel_verify.model.core import Apply, CellRead, Const, End, Game, Measure, Rest
from kozel_verify.model.load import Spec, load_text
from kozel_verify.model.types import NAT, Value
from kozel_verify.symbolic.columns import Sample
from kozel_verify.symbolic.deal_length import LengthProver, Range
from kozel_verify.symbolic.deal_slice import sliced
from kozel_verify.symbolic.ghosts import counted, with_counters, word
from kozel_verify.symbolic.repetition import Moment, growth_of, repeats
from kozel_verify.symbolic.rounds import rounds, ways
from tests.support.bidding import bidding

BUDGET = 4_000_000

# A seat takes one or two counters off a heap of five until none is left; then the deal is over. Two deals make a match.
HEAP = """language 1
game heap {
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  state left_over : 0..5 = 5 fresh each deal
  state deals : Nat = 0
  state total : Nat = 0
  phase deal {
    gather pack into stock
    repeat {
      ask seat 1 to take { may one { left_over := left_over - 1 } may two when left_over > 1 { left_over := left_over - 2 } }
    } until left_over == 0
    deals += 1
    total += 3
  }
  phase match { repeat { run deal } until UNTIL end }
  outcome(s) = neither
}
"""  # noqa: E501


def heap(until: str = "deals == 2") -> Spec:
    return load_text(HEAP.replace("UNTIL", until))


def prover(game: Game, until: Literal["deal", "match"] = "deal") -> LengthProver:
    ghosts = with_counters(game)
    samples: dict[int, list[Sample]] = {}
    options: dict[str, Value] = {}
    policies = [uniform, lambda i, s, outcomes, g: outcomes[0], lambda i, s, outcomes, g: outcomes[-1]]
    for seed, policy in enumerate(policies * 3):
        play = random_play(Interpreter(game), seed, policy=policy, until=until, limit=200)
        for state in counted(ghosts, play.states, game.deal_nodes):
            samples.setdefault(state.node, []).append((state, options))
    found = LengthProver(ghosts, (), samples, {}, BUDGET)
    found.run()
    return found


def test_counters_agree_with_plays() -> None:
    """What the longer game counts in a play is how often a question was asked, anew in each deal."""
    game = bidding().game
    ghosts = with_counters(game)
    longer = random_play(Interpreter(ghosts.game), 3, until="match")
    plain = random_play(Interpreter(game), 3, until="match")
    told = counted(ghosts, plain.states, game.deal_nodes)
    assert [(s.node, s.cells, s.place) for s in longer.states] == [(s.node, s.cells, s.place) for s in told]
    ends = [s.cells[game.cell_slots() :] for s in longer.states if s.node == game.deal_end]
    assert len(ends) > 1 and set(ends) == {(2, 1)}  # bidding twice, lay_away once


def test_the_word_of_a_question() -> None:
    """The last part of its name, without the number of a copy."""
    assert word("deal.window.declaration#2") == "declaration"


def test_the_bounds_of_a_deal_are_proved() -> None:
    """Five counters by one or two: three to five questions, and no others."""
    assert prover(heap().game).ranges() == {"take": Range(3, 5)}


def test_a_wrong_bound_is_not_proved() -> None:
    """With a heap of six it is not the same."""
    game = load_text(HEAP.replace("UNTIL", "deals == 2").replace("0..5 = 5", "0..6 = 6")).game
    assert prover(game).ranges() == {"take": Range(3, 6)}


def test_a_measure_that_does_not_fall_is_not_proved() -> None:
    """One that falls is, the deals alone are not."""
    found = prover(heap().game)
    heap_left = CellRead("left_over", None, NAT)
    assert all(step.proved for step in found.decreases(Measure("down", (heap_left,))))
    up = Apply("-", (Const(5, NAT), heap_left), NAT)
    assert not all(step.proved for step in found.decreases(Measure("up", (up,))))
    assert found.first_that_grows((up,)) == 0 and found.first_that_grows((heap_left,)) is None


def test_steps_that_are_not_taken_back_need_no_measure() -> None:
    """With the place in the rules before it a measure need fall only around; alone it must fall with all steps."""
    text = HEAP.replace("UNTIL", "deals == 2").replace("deals += 1", f"{MORE}{MORE}    deals += 1")
    found = prover(load_text(text).game)
    heap_left = CellRead("left_over", None, NAT)
    down, up = Measure("down", (heap_left,)), Measure("up", (Apply("-", (Const(5, NAT), heap_left), NAT),))
    assert not all(step.proved for step in found.decreases(down))
    assert all(step.proved for step in found.decreases(down, around=True))
    assert not all(step.proved for step in found.decreases(up, around=True))


def test_the_nodes_that_play_may_come_back_to() -> None:
    """Those on a common cycle; within some nodes only cycles that leave none of them count."""
    game = load_text(HEAP.replace("UNTIL", "deals == 2").replace("deals += 1", f"{MORE}    deals += 1")).game
    take, more, rest, end = range(4)
    assert [node.name for node in game.nodes] == ["deal.take", "deal.more", "deal.end", "end"]
    assert rounds(game, game.deal_nodes) == {take: {take}, more: set()}
    every = frozenset({take, more, rest})
    assert rounds(game, range(4)) == {take: every, more: every, rest: every, end: set()}
    assert ways(game, game.deal_nodes) == {take: {take, more}, more: set()}


# --- deals that are cut short ----------------------------------------------------------------------------------------

CUT = "may one { left_over := left_over - 1 } may stop when left_over == 5 { ask seat 2 to last { may x { } } end }"


def cut() -> Game:
    """The match may end in the middle of a deal, after a question of its own."""
    text = HEAP.replace("UNTIL", "deals == 2")
    assert "may one { left_over := left_over - 1 }" in text
    return load_text(text.replace("may one { left_over := left_over - 1 }", CUT)).game


def test_the_end_of_the_match_in_a_deal_has_a_node_of_its_own() -> None:
    """In the longer game; both games play alike, and the counters are told there."""
    game = cut()
    ghosts = with_counters(game)
    (end,) = (n for n, node in enumerate(game.nodes) if isinstance(node, End))
    assert ghosts.cut == {end: len(game.nodes)} and ghosts.over() == (game.deal_end, len(game.nodes))
    ends = set()
    for seed in range(20):
        longer = random_play(Interpreter(ghosts.game), seed, until="match")
        plain = random_play(Interpreter(game), seed, until="match")
        told = counted(ghosts, plain.states, game.deal_nodes)
        assert [(s.node, s.cells, s.place) for s in longer.states] == [(s.node, s.cells, s.place) for s in told]
        ends.add(told[-1].node)
    assert ends == {end, len(game.nodes)}


def test_a_deal_that_is_cut_short_is_one() -> None:
    """With fewer questions, and one that no other deal has; and it is one more than those that come to an end."""
    found = prover(cut())
    assert found.ranges() == {"take": Range(1, 5), "last": Range(0, 1)}
    assert found.most_deals(CellRead("deals", None, NAT)) == 3


def test_a_deal_may_be_left_for_a_question_outside() -> None:
    """By way of a phase around it: then it is over there, and what follows is counted anew."""
    text = HEAP.replace("phase match { repeat { run deal } until UNTIL end }", AROUND)
    game = load_text(text.replace("may one {", "may off when left_over == 4 { leave around } may one {")).game
    ghosts = with_counters(game)
    assert [game.nodes[n].name for n in ghosts.cut] == ["between"]
    assert prover(game, "match").ranges() == {"take": Range(2, 5)}


MORE = "    ask seat 2 to more { may x { } }\n"
AROUND = """phase around { run deal }
  phase match { repeat { run around ask seat 1 to between { may x { } } } until deals == 2 end }"""


def test_a_match_is_bounded_by_a_counter_of_deals() -> None:
    """Two deals; a counter that is not bounded bounds nothing."""
    found = prover(heap().game)
    assert found.most_deals(CellRead("deals", None, NAT)) == 2
    assert prover(heap("deals == 0").game).most_deals(CellRead("deals", None, NAT)) is None


# --- slices ----------------------------------------------------------------------------------------------------------


def heavy() -> Game:
    """A match whose end depends on a sum over cards."""
    text = HEAP.replace("total += 3", "total += sum c in stock of (if rank(c) == A then 1 else 0)")
    return load_text(text.replace("UNTIL", "total > 4")).game


def test_a_slice_leaves_out_what_comes_from_sums_over_cards() -> None:
    """The sum is not written; the end of a deal asks which way to go on; what is light stays."""
    game = heavy()
    piece = sliced(game)
    assert piece.kept == {"left_over", "deals"}
    assert not isinstance(piece.game.nodes[game.deal_end], Rest) and isinstance(game.nodes[game.deal_end], Rest)
    assert prover(piece.game).ranges() == {"take": Range(3, 5)}


def test_a_slice_has_all_runs() -> None:
    """Every step of the game is one of its slice: from the state in the slice to the state in the slice."""
    game = heavy()
    piece = sliced(game)
    one, two = Interpreter(game), Interpreter(piece.game)
    for step in random_play(one, 5, until="match").steps:
        before, after = (State(*_plain(s)) for s in piece.states(game, (step.before, step.after)))
        assert after in [two.step(before, outcome)[0] for outcome in two.outcomes(before)]


def _plain(state: object) -> tuple[int, tuple[Value, ...], tuple[int, ...]]:
    return state.node, state.cells, state.place  # type: ignore[attr-defined]


def test_what_is_asked_about_is_kept() -> None:
    """Then nothing has to be left open."""
    game = heavy()
    piece = sliced(game, [CellRead("total", None, NAT)])
    assert "total" in piece.kept and isinstance(piece.game.nodes[game.deal_end], Rest)


# --- repetition ------------------------------------------------------------------------------------------------------


def moments(game: Game, seed: int = 0) -> list[Moment]:
    """Two deals of the same choices, from one end of a deal to the next."""
    interpreter = Interpreter(game)
    state, periods = interpreter.initial()[0], list[list[State]]()
    while state.node != game.deal_end:
        state = interpreter.step(state, interpreter.outcomes(state)[0])[0]
    for _ in range(2):
        periods.append([state])
        state = interpreter.step(state, interpreter.outcomes(state)[0])[0]
        while state.node != game.deal_end:
            periods[-1].append(state)
            state = interpreter.step(state, interpreter.outcomes(state)[0])[0]
    return [Moment(a, b, -1 if a.node == game.deal_end else 0, ()) for a, b in zip(*periods, strict=True)]


def test_a_repetition_is_proved_for_ever() -> None:
    """The totals grow by the same amounts each time, and nothing else changes."""
    game = heap("deals == 0").game
    found = repeats(game, {}, moments(game), BUDGET)
    assert found.proved and sorted(found.growth.values()) == [1, 3]


def test_a_repetition_that_comes_to_an_end_is_not_proved() -> None:
    """Two periods go on, but at a hundred deals it is over."""
    game = heap("deals >= 100").game
    assert not repeats(game, {}, moments(game), BUDGET).proved


def test_growth_is_of_numbers_without_an_upper_end() -> None:
    """A cell that has become smaller, or any other difference, is no repetition."""
    game = heap("deals == 0").game
    first = moments(game)[0].first
    a = State(first.node, first.cells, first.place)
    assert growth_of(game, a, replace(a, cells=(0, 4, 9))) == {1: 4 - int(a.cells[1] or 0), 2: 9 - int(a.cells[2] or 0)}
    assert growth_of(game, a, replace(a, cells=(1, 4, 9))) is None
    assert growth_of(game, a, replace(a, cells=(0, 0, 9))) is None
