"""What is counted in random plays: everything that a spec names, exactly, and nothing else."""

from collections import Counter
from functools import cache

import pytest

from kozel_verify.interpret.chance import Generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Chance, Choice
from kozel_verify.model.core import Game
from kozel_verify.verify.sample import sample
from kozel_verify.verify.tally import Tally, Unit, left_out
from tests.model.frame import game

# One card is drawn; it is announced whether it is an ace, twice; seat 2 bids high or low, and a high bid counts as 3.
ITEMS = """
  type Bid = low | high
  state bids[s : Seat] : 0..3 = 0 fresh each deal
  state length : Nat = 0
  state flag : Bool = false
  gain(s) = bids[s]
  loss(s) = if s == seat 1 then 1 else 0
  witness an_ace at bid : some c in open_cards : rank(c) == A
  witness any_card at bid : |open_cards| == 1
  witness two_cards at bid : |open_cards| == 2
  witness without_value at bid : rank(only(open_cards without {A♠})) == A
  witness at_the_end at end : length == 1
"""
STATEMENTS = """
    draw 1 from stock to open_cards as drawn called turn
    announce (rank(drawn) == A) as ace
    announce (rank(drawn) == A) as ace to {seat 1}
    if rank(drawn) == 6 { announce |open_cards| }
    ask seat 2 to bid {
      may say(b in Bid) { bids[seat 2] := if b == high then 3 else 0 }
      may silent { }
    }
    length += 1
"""
SEEDS = 300


@cache
def counted(unit: Unit = "deal", number: int = SEEDS) -> Tally:
    the_game, tally = game(ITEMS, STATEMENTS), Tally(game(ITEMS, STATEMENTS), unit)
    for seed in range(number):
        interpreter = Interpreter(the_game)
        tally.add(interpreter, random_play(interpreter, seed, until=unit))
    return tally


@cache
def recounted(what: str) -> int:
    """The same deals, looked at by hand: how many begin with a card or a rank, or have an answer."""
    the_game, found = game(ITEMS, STATEMENTS), 0
    for seed in range(SEEDS):
        drawn, answer = random_play(Interpreter(the_game), seed).outcomes[:2]
        assert isinstance(drawn, Chance) and isinstance(answer, Choice)
        card = the_game.deck.name(drawn.card)
        said = "silent" if answer.verb == 1 else ("low", "high")[int(answer.arguments[0] or 0)]
        found += what in (card, card[:-1], said)
    return found


def test_witnesses() -> None:
    """In how many deals each witness held: always, as often as the card came, never; where it has no value, it does not
    hold. One about the end of the match alone is not looked for in deals, and is said to be left out."""
    tally = counted()
    found = {name: times.total() for name, times in tally.witnesses.items()}
    assert found == {
        "an_ace": recounted("A"), "any_card": SEEDS, "two_cards": 0, "without_value": recounted("A♥"),
    }  # fmt: skip
    assert 0 < recounted("A♥") < recounted("A") < SEEDS
    assert left_out(tally.game, "deal") == ["at_the_end"] and left_out(tally.game, "match") == []


def test_announcements() -> None:
    """Each label, and each value of it if it has few: in how many deals, and how often in each. One without a name is
    called `announce`; what never came has its rows too."""
    aces, sixes = recounted("A"), recounted("6")
    assert counted().announced == {
        ("ace", ""): Counter({2: SEEDS}),
        ("ace", "false"): Counter({2: SEEDS - aces}),
        ("ace", "true"): Counter({2: aces}),
        ("announce", ""): Counter({1: sixes}),
        **{("announce", str(n)): Counter({1: sixes} if n == 1 else {}) for n in range(7)},
    }
    assert set(Tally(game(ITEMS, STATEMENTS)).announced) == set(counted().announced)


def test_choices() -> None:
    """Each verb, and each choice of few values."""
    low, high = recounted("low"), recounted("high")
    assert counted().chosen == {
        ("bid", "say"): Counter({1: low + high}),
        ("bid", "say low"): Counter({1: low}),
        ("bid", "say high"): Counter({1: high}),
        ("bid", "silent"): Counter({1: SEEDS - low - high}),
        ("finish", "pass"): Counter({1: SEEDS}),
    }
    tally = counted()
    assert tally.whole(tally.chosen["bid", "say low"]) == Counter({0: SEEDS - low, 1: low})


def test_results_and_numbers() -> None:
    """What deals are worth to each seat, and the numbers that the spec keeps, of a family also together; other cells
    are no numbers."""
    tally, high = counted(), recounted("high")
    assert tally.payoffs == [Counter({-1: SEEDS}), Counter({3: high, 0: SEEDS - high})]
    assert tally.numbers == {
        "bids[seat 1]": Counter({0: SEEDS}),
        "bids[seat 2]": Counter({3: high, 0: SEEDS - high}),
        "bids, together": Counter({3: high, 0: SEEDS - high}),
        "length": Counter({1: SEEDS}),
    }
    assert (tally.plays, tally.deals, tally.steps, tally.decisions) == (SEEDS, SEEDS, 3 * SEEDS, Counter({2: SEEDS}))


def test_matches() -> None:
    """In whole matches the result is that of the match, and witnesses at its end count."""
    tally = counted("match", 20)
    assert tally.payoffs == [] and tally.outcomes == [Counter({1: 20}), Counter({1: 20})]
    assert (tally.plays, tally.deals) == (20, 20) and tally.witnesses["at_the_end"] == Counter({1: 20})


def test_a_changed_rule_is_counted() -> None:
    """The counts are of the rules that are played: with another rule they are other counts."""
    other = game(ITEMS, STATEMENTS.replace("bids[seat 2] := if b == high then 3 else 0", "bids[seat 2] := 1"))
    tally = Tally(other)
    for seed in range(50):
        tally.add(Interpreter(other), random_play(Interpreter(other), seed))
    assert set(tally.payoffs[1]) == {0, 1}


def _sampled(the_game: Game, jobs: int) -> tuple[Tally, int | None]:
    generator = Generator(9)
    found = sample(the_game, {}, "deal", [generator.next() for _ in range(250)], jobs, lambda done, total: None)
    return found.tally, found.failed


def test_as_many_processes_as_one_likes() -> None:
    """Two processes count the same as one."""
    the_game = game(ITEMS, STATEMENTS)
    alone, together = _sampled(the_game, 1)[0], _sampled(the_game, 2)[0]
    for name in ("plays", "deals", "steps", "decisions", "witnesses", "announced", "chosen", "payoffs", "numbers"):
        assert getattr(alone, name) == getattr(together, name), name
    assert list(alone.numbers) == list(together.numbers) and alone.plays == 250


@pytest.mark.parametrize("rule", ["dead no_ace", "gain"])
def test_the_first_failure(rule: str) -> None:
    """The counts are those of the plays before the first that fails, or that has no result, and its seed is told;
    by two processes as well."""
    statements, items = STATEMENTS, ITEMS
    if rule == "gain":
        items = items.replace("gain(s) = bids[s]", "gain(s) = only({bids[s]} without {3})")
    else:
        statements = statements.replace("    length += 1", "    if drawn == A♥ { dead no_ace }\n    length += 1")
    found = [_sampled(game(items, statements), jobs) for jobs in (1, 2)]
    seeds = [failed for _, failed in found]
    assert seeds[0] is not None and seeds[0] == seeds[1]
    assert found[0][0].plays == found[1][0].plays < 30
    assert found[0][0].chosen == found[1][0].chosen
