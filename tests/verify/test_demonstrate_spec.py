"""On a whole game: a rule made wrong in the text of a spec becomes a deal in which the game itself goes wrong."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from kozel_verify.exhaustive.groups import Difference
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, replay
from kozel_verify.interpret.state import Choice
from kozel_verify.model.core import Compiled, Game, Scenario
from kozel_verify.model.load import load, load_text
from kozel_verify.verify.demonstrate import explain_matching
from kozel_verify.verify.matchings import Setting, compare, matching_of, relation_of
from kozel_verify.verify.scenario_text import scenario_text
from kozel_verify.verify.stacking import Called, run_to_call
from kozel_verify.verify.wiring import evaluator

SPEC = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"


@cache
def game() -> Game:
    return load(SPEC).game


def cards(text: str) -> int:
    return sum(1 << game().deck.card(name[:-1], name[-1]) for name in text.split())


def covers(rows: tuple[int, ...]) -> bool:
    """Wrong: each card of either side has one of the other, but perhaps two need the same."""
    covered = 0
    for row in rows:
        covered |= row
    return all(rows) and covered == (1 << len(rows)) - 1


def claim() -> Compiled:
    """The spec's claim, for groups of at most three cards."""
    return replace(next(p for p in game().properties if isinstance(p, Compiled)), hi=3)


def wrong_pair() -> tuple[Difference, Setting]:
    result = compare(game(), claim(), lambda rows: covers(tuple(rows)), sample=5)
    assert [s.difference is None for s in result.sweeps] == [True, True, False]
    found = result.sweeps[2].difference
    assert found is not None
    return found, result.settings[found.environment]


def test_wrong_decision_is_explained_on_cards() -> None:
    """The pair on which `covers both ways` first errs is explained by targets that share too few replies."""
    found, setting = wrong_pair()
    assert (found.reference, found.compiled) == (False, True)
    relation = relation_of(game(), matching_of(game(), claim()), setting, evaluator(game()))
    lines = explain_matching(found.targets, found.replies, lambda r, t: bool(relation[t] >> r & 1), game().deck.name)
    assert lines and " share " in lines[-1]


@pytest.mark.parametrize(
    ("replies", "targets", "trump"),
    [("Q♥ 7♥", "J♥ 8♥", 3), ("6♠ 7♣ 8♣", "7♥ 8♥ 9♥", 2), ("A♠ 10♠ K♠ Q♠", "J♠ 9♠ 8♠ 7♠", 2), ("A♥", "6♠", 3)],
)
def test_the_game_asks_for_these_very_groups(replies: str, targets: str, trump: int) -> None:
    """For groups of each size a deck is stacked so that they meet at once: 17 cards dealt, one lead."""
    call = Called("captures", (cards(replies), cards(targets)), {("trump", 0): trump})
    run = run_to_call(game(), {}, call, seed=1)
    assert run is not None and len(run) == 18
    assert run[-1] == Choice(0, (cards(targets),))


def test_a_hand_that_comes_together_by_drawing() -> None:
    """A hand for which the game asks only after the draw is stacked over a whole trick."""
    run = run_to_call(game(), {}, Called("is_moscow", (cards("A♠ 10♠ A♥ 6♠"),)), seed=1)
    assert run is not None
    assert replay(Interpreter(game()), run).stopped is Stop.REACHED


def test_printed_scenario_can_be_pasted() -> None:
    """The block is read by the language: its deck, its option and its choices are those of the run."""
    call = Called("captures", (cards("A♥"), cards("7♥")), {("trump", 0): None})
    options = {"indicator_shokha": game().options["indicator_shokha"].values[1]}
    run = run_to_call(game(), options, call, seed=1)
    assert run is not None
    block = scenario_text(game(), options, run, title="no trumps", expect=["trump is none"])
    text = SPEC.read_text(encoding="utf-8").rstrip().removesuffix("}") + block + "}\n"
    loaded = load_text(text, str(SPEC)).game
    pasted = next(p for p in loaded.properties if isinstance(p, Scenario) and p.name == "no trumps")
    drawn = [o.card for o in run if not isinstance(o, Choice)]  # type: ignore[union-attr]
    assert list(pasted.deck[: len(drawn)]) == drawn
    chosen = [(s.verb, s.arguments) for s in pasted.steps if s.kind == "choose"]
    assert [arguments for _, arguments in chosen] == [o.arguments for o in run if isinstance(o, Choice)]
    assert len(pasted.given) == 1
