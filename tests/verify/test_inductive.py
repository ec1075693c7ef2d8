"""Legs of claims about steps and menus: from the invariants of the same proof, never green without a step."""

from dataclasses import replace
from functools import cache

from kozel_verify.model.core import MenuClaim, StepClaim
from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify.findings import Leg, Verdict
from kozel_verify.verify.inductive import induction_evidence
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.support.bidding import BIDDING
from tests.support.drop_out import DROP_OUT, FALSE

CLAIMS = """  step taken from bidding by pass to lay_away : hand[seat 1] == old(hand[seat 1] union aside)
  step laid from lay_away by lay(g) : laid == g
  step nobody_scores from dealing to dealing, set_aside : points[seat 1] == old(points[seat 1])
  step never_laid from lay_away by lay(g) : laid == {}
  menu bids at bidding : bid(n) when n == 1 or n == 2 and some c in hand[s] : rank(c) == A
  menu bids_freely at bidding : bid(n) when true
  step nothing from lay_away by lay(g) : points[seat 1] == 0

  phase match {"""
SETTINGS = Settings(budget=10_000_000, plays=4)


def legs(spec: Spec) -> dict[str, Leg]:
    return dict(induction_evidence(Subject(spec, SETTINGS)).legs)


@cache
def spec() -> Spec:
    """The bidding game with claims."""
    return load_text(BIDDING.replace("  phase match {", CLAIMS), "bidding.kozel")


@cache
def found() -> dict[str, Leg]:
    """The legs; of the last claim no step is left."""
    game = spec().game
    empty = tuple(
        replace(p, targets=p.sources) if isinstance(p, StepClaim) and p.name == "nothing" else p
        for p in game.properties
    )
    return legs(replace(spec(), game=replace(game, properties=empty)))


def test_true_claims_are_proved_by_the_level_that_settles_them() -> None:
    """A counter by sizes; groups of cards, and what a hand must have for a bid, by cards; with how much was shown."""
    legs_ = found()
    assert legs_["nobody_scores"] == Leg("induction on sizes", Verdict.PROVED, detail="2 queries")
    assert legs_["taken"] == Leg("induction on cards", Verdict.PROVED, detail="1 queries")
    assert legs_["laid"] == Leg("induction on cards", Verdict.PROVED, detail="1 queries")
    assert legs_["bids"] == Leg("induction on cards", Verdict.PROVED, detail="1 queries")


def test_false_claims_stay_unknown_with_the_place() -> None:
    """The step or question where it fails, and the line of the claim."""
    legs_ = found()
    assert legs_["never_laid"].verdict is legs_["bids_freely"].verdict is Verdict.UNKNOWN
    assert legs_["never_laid"].detail.startswith("not shown: deal.lay_away.lay to deal.end (bidding.kozel:")
    assert legs_["bids_freely"].detail.startswith("not shown: deal.bidding (bidding.kozel:")


def test_a_claim_of_which_no_step_is_left_is_not_green() -> None:
    """Nothing was asked, so nothing was shown."""
    assert found()["nothing"] == Leg(
        "induction on cards", Verdict.UNKNOWN, detail="says nothing: no step and no question of this kind"
    )


def test_every_claim_has_a_leg() -> None:
    """Each claim about steps or menus, once."""
    names = [p.name for p in spec().game.properties if isinstance(p, StepClaim | MenuClaim)]
    assert set(names) <= found().keys()


SIZES = """language 1
game sizes {
  deck suits ♠, ♥ ranks 6, 7, 8, A
  seats 1
  option cards_dealt : 1..3 = 1
  constraint cards_dealt != 2
  zone stock seen by nobody
  zone hand seen by all
  zone laid seen by all
  phase deal {
    gather pack into stock
    for each n in 1..cards_dealt { draw 1 from stock to hand }
    ask seat 1 to lead { may lead(g : 1..3 of hand) when right(g) { move g from hand to laid } }
  }
  predicate whole_hand(g : Cards) = hand == g
  phase match { run deal end }
  outcome(s) = neither
}
"""


def sizes(rule: str) -> Spec:
    return load_text(SIZES.replace("right(g)", rule), "sizes.kozel")


def test_a_group_that_the_rule_asks_for_is_a_legal_choice() -> None:
    """Play is not stuck where just one group may be led and the hand has it: the whole hand, also by a function."""
    assert legs(sizes("g == hand"))["never_stuck"].verdict is Verdict.PROVED
    assert legs(sizes("whole_hand(g)"))["never_stuck"].verdict is Verdict.PROVED


def test_a_group_that_cannot_be_had_is_none() -> None:
    """Negative control: a group with a card that may not be in the hand, one that is too large, one that is empty."""
    assert legs(sizes("g == hand union {A♠}"))["never_stuck"].verdict is Verdict.UNKNOWN
    assert legs(sizes("g == stock"))["never_stuck"].verdict is Verdict.UNKNOWN
    assert legs(sizes("g == laid"))["never_stuck"].verdict is Verdict.UNKNOWN


def test_a_shape_that_the_constraints_exclude_is_left_out() -> None:
    """One proof for each number of cards that may be dealt, and plays with just these options for each."""
    subject = Subject(sizes("g == hand"), SETTINGS)
    detail = dict(induction_evidence(subject).legs)["well_defined"].detail
    assert "with cards_dealt = 1" in detail and "with cards_dealt = 3" in detail
    assert "cards_dealt = 2" not in detail and subject.with_options({"cards_dealt": 2}) == []
    assert [options for options, _ in subject.plays_with({"cards_dealt": 3})] == [{"cards_dealt": 3}] * SETTINGS.plays


def test_each_case_of_who_plays_is_looked_at() -> None:
    """Where seats drop out between deals: claims and steps must hold whoever plays, and one case that fails is told."""
    steps = """  step one_card_less from turn by put(c) : every t in playing : |hand[t]| + 1 >= old(|hand[t]|)
  step last_plays from turn by put(c) : seat 3 in playing

  phase match {"""
    true = [line for line in DROP_OUT.splitlines() if not any(f"invariant {name} " in line for name in FALSE)]
    spec = load_text("\n".join(true).replace("  phase match {", steps), "drop_out.kozel")
    found = dict(induction_evidence(Subject(spec, Settings())).legs)
    assert {n for n, leg in found.items() if leg.verdict is not Verdict.PROVED} == {"last_plays"}
    assert found["out_is_out"].method == "induction on sizes"
    assert "with playing = {seat 1, seat 3}" in found["well_defined"].detail
