"""Parts of a comparison by themselves: what they do not know they do not say."""

from math import prod

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Chance, Choice, Outcome, Proceed
from kozel_verify.model.load import load_text
from kozel_verify.verify.confirm import Disagreement
from kozel_verify.verify.differ import Effort, compare, proof
from kozel_verify.verify.differ.lockstep import Kind
from kozel_verify.verify.differ.noticed import first_difference
from kozel_verify.verify.differ.partings import lockstep, menu_difference, parting, smaller
from kozel_verify.verify.differ.proof import prove
from kozel_verify.verify.differ.search import whole
from kozel_verify.verify.differ.shorter import fewer_deals, shorter
from kozel_verify.verify.differ.sides import Setting, Side, settings
from kozel_verify.verify.differ.telling import lines_of
from kozel_verify.verify.examples import try_one, written_out
from tests.verify.differ_games import DIFFERENCES, Exchange, side

BUDGET = 1_000_000


@pytest.mark.parametrize(
    "exchanged",
    [
        ("option bonus : 0..2 = 1", "option bonus : 0..2 = 2"),
        ("option bonus : 0..2 = 1", "option bonus : 0..3 = 1"),
        ("  type Guess", "  constraint bonus < 2\n  type Guess"),
    ],
    ids=["default", "values", "constraint"],
)
def test_games_with_other_options_are_not_equal(exchanged: Exchange) -> None:
    """The same rules with another default, other values or other combinations of options; with the option settled on
    both sides they are the same game."""
    first, second = side(), side(exchanged)
    result = prove(first, second, [], BUDGET)
    assert result.failure is not None and result.counts.edges == 0
    assert not prove(second, first, [], BUDGET).proved
    settled = Side(first.spec, {"bonus": 1}), Side(second.spec, {"bonus": 1})
    assert prove(*settled, [], BUDGET).proved


@pytest.mark.parametrize(("most", "proved"), [(3, True), (2, False)])
def test_only_options_that_constraints_read_are_tried(monkeypatch: pytest.MonkeyPatch, most: int, proved: bool) -> None:
    """Where a constraint reads an option of three values, three combinations are enough, though all options together
    have more of them. Control: two are not, and nothing is proved."""
    monkeypatch.setattr(proof, "COMBINATIONS", most)
    first = side(("  type Guess", "  constraint bonus < 2\n  type Guess"))
    assert prod(len(option.values) for option in first.game.options.values()) > 3
    assert prove(first, Side(first.spec), [], BUDGET).proved is proved


def test_what_the_interpreter_does_not_see_is_no_difference() -> None:
    """A run on which the games do not part, or do not part in what may be chosen, is refused as a run to a parting."""
    game = side().game
    setting = next(settings(game, game, ({}, {})))
    run = random_play(Interpreter(game), 1, until="match").outcomes
    with pytest.raises(Disagreement, match="does not see the two games part"):
        parting(game, game, setting, run, ("A", "B"))
    with pytest.raises(Disagreement, match="does not see the two games part"):
        smaller(game, game, setting, run, 100)
    with pytest.raises(Disagreement, match="does not see the menus differ"):
        menu_difference(game, game, setting, ())
    with pytest.raises(Disagreement, match="does not see the menus differ"):
        menu_difference(game, side(DIFFERENCES["who sees a cell"][0]).game, setting, ())


def test_a_search_that_is_cut_off_is_not_complete() -> None:
    """With a limit that is as large as the number of states all of them are visited; with one less, one is left out."""
    game = side().on("four")
    assert game is not None
    setting = next(settings(game, game, ({}, {})))
    states = whole(game, game, setting, 100_000).states
    assert states > 100
    assert whole(game, game, setting, states).complete
    less = whole(game, game, setting, states - 1)
    assert (less.complete, less.states) == (False, states - 1)


# Three deals are played, of one card each; what is written when it is an ace of spades differs.
DEALS = """language 1
game base {
  deck suits ♠, ♥ ranks 6, Q, A
  seats 2
  option mood : calm | wild = calm
  zone stock seen by nobody
  zone table seen by all
  state score : Nat = 0
  state played : Nat = 0
  phase deal {
    gather pack into stock
    draw 1 from stock to table as drawn called turn
    ask seat 1 to answer { may pass { } may boast { } }
    if drawn == A♠ { score += 1 }
    played += 1
  }
  phase match { repeat { run deal } until played == 3 end }
  outcome(s) = neither
}
"""


def played(*cards: int) -> tuple[Outcome, ...]:
    """A match of these cards, in each deal of which the second choice is taken."""
    deals = [(Chance(card), Choice(1, ()), Proceed()) for card in cards]
    return tuple(outcome for deal in deals for outcome in deal)[:-1]


def _deals_of(text: str, other: str) -> tuple[Side, Side, list[Setting]]:
    first, second = Side(load_text(text, "base.kozel")), Side(load_text(other, "base.kozel"))
    return first, second, list(settings(first.game, second.game, ({}, {})))


def test_whole_deals_are_left_out() -> None:
    """Of a match in whose last deal the games part, that deal alone is left, and under the options as they stand; the
    run that is given is longer and under another option."""
    first, second, found = _deals_of(DEALS, DEALS.replace("score += 1", "score += 2"))
    ace = first.game.deck.card("A", "♠")
    run, calm, wild = played(0, 1, ace), found[0], found[1]
    assert (calm.name, wild.name) == ("", "mood = wild")
    taken = first_difference(lockstep(first.game, second.game, wild), run)
    assert taken is not None and len(taken[0]) == 8
    setting, made = shorter(first.game, second.game, wild, calm, run, 100)
    assert setting is calm and made == (Chance(ace), Choice(1, ()))


def test_deals_that_go_only_together() -> None:
    """Where no single deal can be left out the last one alone may do: here in the second deal both do the same."""
    first, second, found = _deals_of(DEALS, DEALS.replace("score += 1", "score += if played == 1 then 1 else 2"))
    ace = first.game.deck.card("A", "♠")
    lock = lockstep(first.game, second.game, found[0])
    assert first_difference(lock, played(1, ace)) is None
    assert fewer_deals(lock, played(0, 1, ace)) == played(ace)


def test_deals_that_are_needed_stay() -> None:
    """Where the games part only once two aces have come, both deals stay and the one between them goes; where they part
    under another option alone, that stays."""
    twice = DEALS.replace("if drawn == A♠ { score += 1 }", "if drawn == A♠ { score += if score == 1 then NEXT else 1 }")
    first, second, found = _deals_of(
        twice.replace("NEXT", "2"), twice.replace("NEXT", "(if mood == wild then 3 else 2)")
    )
    ace, (calm, wild) = first.game.deck.card("A", "♠"), found
    lock = lockstep(first.game, second.game, wild)
    assert fewer_deals(lock, played(ace, 1, ace)) == played(ace, ace)
    setting, made = shorter(first.game, second.game, wild, calm, played(ace, 1, ace), 100)
    assert setting is wild and made == played(ace, ace)


@pytest.mark.parametrize(("asked", "lines"), [(12, 12), (14, 3)])
def test_many_choices_share_lines(asked: int, lines: int) -> None:
    """A long play is printed with several choices on a line, a short one with one on each."""
    question = "ask seat 1 to answer { may pass { } may boast { } }"
    text = DEALS.replace(question, question * asked)
    first, second, found = _deals_of(text, text.replace("score += 1", "score += 2"))
    run: list[Outcome] = [Chance(first.game.deck.card("A", "♠")), *(Choice(1, ()) for _ in range(asked))]
    made = parting(first.game, second.game, found[0], run, ("A", "B")).scenarios[0]
    assert made.count("seat 1 : boast") == asked
    assert sum(line.strip().startswith("seat 1") for line in made.splitlines()) == lines


def _holds(text: str, scenario: str) -> bool:
    loaded = load_text(text.rstrip().removesuffix("}") + scenario + "}\n", "base.kozel")
    return try_one(loaded.game, written_out(loaded.game)[-1], loaded.program.files).holds is True


@pytest.mark.parametrize("more", ["score += 1", ""], ids=["a value before the draw", "another draw"])
def test_a_difference_where_a_card_is_drawn(more: str) -> None:
    """Where the games part at a draw, the scenarios write the draws: a deck would deal past it. That of each holds in
    it, and not in the other."""
    question = "    ask seat 1 to answer"
    text = DEALS.replace(
        question, f"    if drawn == 6♠ {{ MORE draw 1 from stock to table called second }}\n{question}"
    )
    one = text.replace("MORE", "") if more else DEALS
    other = text.replace("MORE", more)
    first, second, found = _deals_of(one, other)
    made = parting(first.game, second.game, found[0], (Chance(first.game.deck.card("6", "♠")),), ("A", "B"))
    assert all("deck" not in scenario and "draw 6♠" in scenario for scenario in made.scenarios) and not made.alike
    holds = [[_holds(where, scenario) for where in (one, other)] for scenario in made.scenarios]
    assert holds == [[True, False], [False, True]]


def test_what_scenarios_have_no_words_for() -> None:
    """A draw with another name is a difference that no scenario can say: both are the same play, and that is told."""
    first, second, found = _deals_of(DEALS, DEALS.replace("called turn", "called cut"))
    made = parting(first.game, second.game, found[0], (), ("A", "B"))
    assert made.difference.kind is Kind.NODE and made.alike
    told = lines_of(compare(first, second, Effort(states=10, deals=5)))
    assert "  (this cannot be said in a scenario: these two show the play)" in told
