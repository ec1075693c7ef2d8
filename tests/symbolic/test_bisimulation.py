"""That nobody can tell two games apart is proved where it is so, and never where it is not."""

from dataclasses import replace

import pytest

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import Apply, Const, Game, ZoneRead
from kozel_verify.model.elaborate import elaborate
from kozel_verify.model.load import load_text
from kozel_verify.model.types import BOOL, NAT, CardType, RangeType, SetType
from kozel_verify.symbolic import bisimulation_edges
from kozel_verify.symbolic.bisimulation import Equal, NotShown, prove_same
from kozel_verify.symbolic.side_by_side import MARK, Joined, join
from kozel_verify.verify.differ import Effort, Side, compare_plays
from kozel_verify.verify.mutants import mutants
from tests.verify.differ_games import DIFFERENCES, MOVES, SAME, spec


def game(*exchanged: tuple[str, str]) -> Game:
    return spec(*exchanged).game


@pytest.mark.parametrize("name", [n for n in DIFFERENCES if n != "the default of an option"])
def test_no_difference_is_proved_away(name: str) -> None:
    """Negative control for the whole method: for each known difference the proof fails, in both directions."""
    first, second = game(), game(DIFFERENCES[name][0])
    assert isinstance(prove_same(first, second), NotShown)
    assert isinstance(prove_same(second, first), NotShown)


@pytest.mark.parametrize("name", SAME)
def test_what_nobody_notices_is_proved(name: str) -> None:
    """Equal games in another spelling, or with other bookkeeping that nobody sees."""
    equal = ["beats"] if name == "an `and` turned round" else []
    assert isinstance(prove_same(game(), game(*SAME[name]), equal_functions=equal), Equal)


def test_the_same_text_needs_no_query() -> None:
    """Each step of a game is written like itself."""
    found = prove_same(game(), game())
    assert isinstance(found, Equal) and found.queries == 0 and found.alike == found.edges == 8


ANOTHER_WAY = SAME["another way to say it"][0]


def test_only_what_has_changed_is_asked_about() -> None:
    """A condition said in another way: the one step that it stands on takes queries, the others are written alike."""
    found = prove_same(game(), game(ANOTHER_WAY))
    assert isinstance(found, Equal) and 0 < found.queries <= 2 and found.edges - found.alike == 1


def test_a_predicate_of_a_matching_must_be_known_to_be_equal() -> None:
    """A matching is an unknown: with another predicate it is another unknown, until the two predicates are said to be
    equal."""
    exchanged = SAME["an `and` turned round"][0]
    assert isinstance(prove_same(game(), game(exchanged)), NotShown)
    assert isinstance(prove_same(game(), game(exchanged), equal_functions=["beats"]), Equal)


def test_where_and_why_it_fails() -> None:
    """The failure names the decision, what would be noticed, and a state with a choice in which it is so."""
    found = prove_same(game(), game(DIFFERENCES["a stricter menu"][0]))
    assert isinstance(found, NotShown)
    assert (found.place, found.why) == ("deal.lead.lay", "what may be chosen")
    chosen = int(found.arguments[0] or 0)
    assert found.state is not None and chosen
    assert len({found.state.place[c] for c in range(6) if chosen >> c & 1}) == 1


def test_claims_of_a_are_used() -> None:
    """With a condition that play always fulfils the games are the same, but only for who knows that it does."""
    narrower = ("may guess(k in Guess)", "may guess(k in Guess) when |table| > 0")
    first, second = game(), game(narrower)
    assert isinstance(prove_same(first, second), NotShown)
    table = ZoneRead("table", None, SetType(CardType(6)))
    claim = Apply("<", (Const(0, NAT), Apply("size", (table,), RangeType(0, 6))), BOOL)
    known = {n: (claim,) for n, node in enumerate(first.nodes) if node.name == "deal.guess"}
    assert isinstance(prove_same(first, second, known), Equal)


def test_a_used_up_budget_proves_nothing() -> None:
    """Without solver units nothing but what is written alike is shown."""
    assert isinstance(prove_same(game(), game(ANOTHER_WAY), rlimit=1), NotShown)


def test_options_may_be_settled() -> None:
    """What differs under one value of an option alone is equal under another; settled differently it is not."""
    other = ("n * 2 + bonus", "if bonus == 2 then 9 else n * 2 + bonus")
    assert isinstance(prove_same(game(), game(other)), NotShown)
    assert isinstance(prove_same(game(), game(other), fixed=({"bonus": 1}, {"bonus": 1})), Equal)
    assert isinstance(prove_same(game(), game(), fixed=({"bonus": 1}, {"bonus": 0})), NotShown)


def test_a_hidden_difference_that_comes_out_later() -> None:
    """What nobody sees may differ, but not when it is told later: the step that tells it is written alike and yet not
    the same."""
    later = ("  move table from table to out\n", "  announce laid as laid to all\n    move table from table to out\n")
    hidden = ("laid := |g|", "laid := |g| + 10")
    assert isinstance(prove_same(game(), game(hidden)), Equal)
    assert isinstance(prove_same(game(later), game(later, hidden)), NotShown)


def test_a_cell_that_one_side_alone_shows() -> None:
    """A cell of one game that everybody may look at is a difference, though nothing ever changes it."""
    more = game(("state laid", "state more : 0..3 = 0\n  state laid"))
    assert isinstance(prove_same(game(), more), NotShown)
    assert isinstance(prove_same(more, game()), NotShown)


TELLS = "announce 1 as a to all   announce 2 as b to all"


@pytest.mark.parametrize(
    "told", ["announce 2 as b to all   announce 1 as a to all", TELLS + "   announce 3 as more to all"]
)
def test_what_is_told_more_or_in_another_order(told: str) -> None:
    """The same announcements in another order, or one more, are noticed; the same ones are not."""
    first, second = (game(("said := k }", f"said := k   {tells} }}")) for tells in (TELLS, told))
    assert isinstance(prove_same(first, first), Equal)
    assert isinstance(prove_same(first, second), NotShown)
    assert isinstance(prove_same(second, first), NotShown)


def test_in_which_order_cards_are_moved() -> None:
    """Two moves of one step may stand in either order; what is moved may not be anything else."""
    first, second = (game(exchanged) for exchanged in MOVES)
    assert isinstance(prove_same(first, second), Equal)
    assert isinstance(prove_same(first, game()), NotShown)


def test_telling_that_is_overlooked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: without the goals about what is told, games that tell something else are taken to be equal."""
    monkeypatch.setattr(bisimulation_edges, "_told", lambda mine, theirs: [])
    for name in ("who hears an announcement", "who is shown cards", "an announcement's value"):
        assert isinstance(prove_same(game(), game(DIFFERENCES[name][0])), Equal)


def test_the_common_game() -> None:
    """What is written alike has one name; what is not is marked; A's nodes and blocks keep their numbers."""
    first, second = game(), game(DIFFERENCES["the score"][0])
    joined = join(first, second)
    assert isinstance(joined, Joined)
    assert [n for n in joined.game.functions if n.endswith(MARK)] == ["prize" + MARK]
    assert len(joined.game.nodes) == 2 * len(first.nodes) and joined.pairs == {n: n + 7 for n in range(7)}
    assert [b.end for b in joined.game.blocks[: len(first.blocks)]] != []


def test_mutants_that_are_proved_equal_show_no_difference() -> None:
    """The proof against plays: of the faults that can be planted in the game, those that are proved to make no
    difference make none in any play of the small pack, and some are indeed proved so."""
    base = spec()
    proved = []
    for mutant in mutants(base.program):
        try:
            other = replace(base, program=mutant.program, game=elaborate(mutant.program))
        except SpecError:
            continue
        if isinstance(prove_same(base.game, other.game, rlimit=5_000_000), Equal):
            found = compare_plays(Side(base), Side(other), Effort(states=3_000, deals=10, shrink=0))
            assert not found.different, mutant.id
            proved.append(mutant.id)
    assert proved


FIRST = """language 1
game g {{
  deck suits ♠ ranks 6, 7
  seats 2
  zone stock seen by nobody
  state leader : Seat = seat {first}
  state taker : Seat = seat {second}
  phase match {{ leader := seat 1 run deal end }}
  phase deal {{ ask leader to choose {{ may take(c in stock) {{ }} }} }}
  outcome(s) = if s == taker then won else lost
}}
"""


def test_a_first_value_counts_where_it_is_not_overwritten() -> None:
    """Two games that begin with other values are equal if these are written over before anybody is asked."""
    games = [load_text(FIRST.format(first=a, second=b)).game for a, b in ((1, 1), (2, 1), (1, 2))]
    assert isinstance(prove_same(games[0], games[1]), Equal)
    assert isinstance(prove_same(games[1], games[0]), Equal)
    assert isinstance(prove_same(games[0], games[2]), NotShown)
