"""That deals end, how long they are, and whether a match does."""

from itertools import pairwise

import pytest

from kozel_verify.exhaustive.machine import FastMachine
from kozel_verify.model.load import Spec, load_text
from kozel_verify.symbolic.deal_length import LengthProver, Range
from kozel_verify.verify.confirm import Disagreement
from kozel_verify.verify.ends import ends_evidence
from kozel_verify.verify.ends_match import complete_deals, endless
from kozel_verify.verify.ends_measure import candidates, guesses
from kozel_verify.verify.ends_plays import confirmed, extreme_deals
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Kind, Leg, Obligation, Verdict, conclude
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.cli.run import SMALL
from tests.support.bidding import bidding
from tests.symbolic.test_ghosts import heap

FEW = Settings(plays=4)

# A seat may put a card back that it has taken: such a deal need not end.
BACK = (
    "    repeat {\n      ask seat 1 to take { may one",
    "    repeat {\n      ask seat 1 to take { may put_back when left_over < 5 { left_over := left_over + 1 } may one",
)


def evidence(spec: Spec) -> Evidence:
    return ends_evidence(Subject(spec, FEW))


def leg(spec: Spec) -> Leg:
    ((name, found),) = evidence(spec).legs
    assert name == "ends"
    return found


def changed(old: str, new: str, until: str = "deals == 2") -> Spec:
    text = next(iter(heap(until).program.files.values()))
    assert text.count(old) == 1
    return load_text(text.replace(old, new))


def test_a_deal_ends_by_a_guessed_measure() -> None:
    """Without a `measure` in the spec one is found and proved; the length is told, with what attains it."""
    found = leg(heap())
    assert found.verdict is Verdict.PROVED
    assert found.detail.split("; ") == [
        "every deal ends by a measure that was guessed, (left_over)",
        "in a deal `take` is asked 3 (attained) to 5 (attained) times",
        "a match has at most 2 deals",
    ]


def test_a_deal_ends_by_the_measure_of_the_spec() -> None:
    """It comes first."""
    spec = changed("  outcome(s)", "  measure fewer : left_over\n  outcome(s)")
    assert leg(spec).detail.startswith("every deal ends by the measure `fewer`")


def test_a_measure_of_the_spec_that_does_not_fall_is_not_believed() -> None:
    """Then one is guessed."""
    spec = changed("  outcome(s)", "  measure wrong : deals\n  outcome(s)")
    assert leg(spec).detail.startswith("every deal ends by a measure that was guessed, (left_over)")


def test_an_endless_deal_is_refuted_by_a_run_that_comes_back() -> None:
    """The run is replayed; the obligation is refuted."""
    found = evidence(changed(*BACK))
    ((_, example),) = found.counterexamples
    assert example.confirmed and example.run and "in the same deal" in example.explanation[0]
    assert concluded(found).verdict is Verdict.REFUTED


def concluded(found: Evidence) -> Obligation:
    shown = found.counterexamples[0][1] if found.counterexamples else None
    return conclude("ends", Kind.ENDS, [leg for _, leg in found.legs], shown)


def test_an_endless_deal_that_never_repeats_a_state_is_unknown() -> None:
    """A counter without an end makes all states new: no measure, no run that comes back; so nothing is shown."""
    spec = changed("      ask seat 1 to take { may one", "      ask seat 1 to take { may wait { total += 1 } may one")
    found = leg(spec)
    assert found.verdict is Verdict.UNKNOWN and "no measure was found" in found.detail


def test_a_match_without_an_end_is_told_with_its_deal() -> None:
    """The deal is written out where it has no name; the totals that grow are named."""
    found = leg(heap("deals == 0")).detail
    assert "the match has no bound: the deal of the cards  and the choices" in found
    assert "from the first on after each deal everything as it was but raises deals by 1, total by 3" in found


def test_a_repeatable_deal_is_taken_from_a_scenario() -> None:
    """By its name; and a match that ends has none."""
    play = 'scenario "by twos" { seat 1 : two seat 1 : two seat 1 : one }'
    found = endless(Subject(changed("  outcome(s)", f"  {play}\n  outcome(s)", "deals == 0"), FEW))
    assert found is not None and found.deal.title == '"by twos"' and (found.before, found.deals) == (1, 1)
    assert endless(Subject(heap(), FEW)) is None


def test_the_deals_that_are_repeated_are_complete() -> None:
    """A scenario that stops before the end of the deal is none; random plays give theirs."""
    spec = changed("  outcome(s)", '  scenario "half" { seat 1 : two }\n  outcome(s)')
    assert [d.title for d in complete_deals(Subject(spec, FEW))] == [""] * FEW.plays


def test_extremes_are_played_and_replayed() -> None:
    """Always one, always two, and at random; the interpreter comes to the same states."""
    game = heap().game
    deals = list(extreme_deals(game, 1))
    lengths = {len(d.run) for d in deals}
    assert all(d.over for d in deals) and {min(lengths), max(lengths)} == {3, 5}
    assert len(confirmed(game, deals[0])) == len(deals[0].run)


def test_guesses_fall_with_all_steps() -> None:
    """A tuple when no single number will do; without it some steps are left."""
    spec = bidding()
    game = spec.game
    deals = list(extreme_deals(game, 1))
    inside = game.deal_nodes
    pairs = [pair for d in deals for pair in pairwise(d.positions)]
    steps = [(a, b) for a, b in pairs if a.node in inside and b.node in inside]
    pool = candidates(game, list(game.cells))
    chosen, left = guesses(FastMachine(game, {}), steps, pool)
    assert left == 0 and len(chosen) > 1
    assert guesses(FastMachine(game, {}), steps, pool[:1])[1] > 0


def test_other_games_end() -> None:
    """With options, zones and secrets; what is told of them is right."""
    assert leg(load_text(SMALL)).detail.split("; ")[1:] == [
        "in a deal `turn` is asked 2 (attained) to 2 (attained) times",
        "a match has at most 2 deals",
    ]
    assert "`lay_away` is asked 1 (attained) to 1 (attained) times" in leg(bidding()).detail


# --- deals that are cut short, straight deals, and what is outside of deals ------------------------------------------

LINE = """language 1
game line {
  deck suits ♠, ♥ ranks 6, 7
  seats 2
  zone stock seen by nobody
  state n : Nat = 0
  phase deal { gather pack into stock DEAL }
  phase match { MATCH end }
  outcome(s) = neither
}
"""
ONE, OTHER = "ask seat 1 to one { may x { } }", "ask seat 2 to other { may x { } }"


def line(deal: str, match: str = "run deal") -> list[str]:
    found = leg(load_text(LINE.replace("DEAL", deal).replace("MATCH", match)))
    assert found.verdict is Verdict.PROVED
    return found.detail.split("; ")


def test_a_deal_that_the_end_of_the_match_cuts_short_counts() -> None:
    """For the bounds, and as a deal."""
    short = f"if n == 2 {{ {OTHER} end }} {ONE} n += 1"
    assert line(short, "repeat { run deal } until false") == [
        "every deal ends without a measure: no two questions or draws follow each other in it",
        "in a deal `other` is asked 0 (attained) to 1 (attained) times",
        "in a deal `one` is asked 0 (attained) to 1 (attained) times",
        "a match has at most 3 deals",
    ]


def test_a_straight_deal_needs_no_measure() -> None:
    """Questions that play cannot come back to."""
    assert line(f"{ONE} {OTHER}")[:2] == [
        "every deal ends without a measure: no question or draw of it can come a second time",
        "in a deal `one` is asked 1 (attained) to 1 (attained) times",
    ]


def test_a_match_of_one_deal_is_told() -> None:
    """Where no deal can begin after the first; and nothing of the kind where one can."""
    assert line(ONE)[-1] == "a match is one deal: after its end no other begins"
    assert not line(ONE, "repeat { run deal } until n > 0")[-1].startswith("a match is")


def test_a_straight_part_and_a_loop() -> None:
    """The place in the rules comes first, and is told of."""
    found = leg(changed("    deals += 1", f"    {OTHER}\n    deals += 1"))
    assert found.verdict is Verdict.PROVED
    assert found.detail.startswith("every deal ends by a measure that was guessed, (the place in the rules, left_over)")


def test_the_place_in_the_rules_helps_no_measure_of_the_spec() -> None:
    """An author's measure is what it says: it must fall with the straight steps too."""
    text = next(iter(heap().program.files.values())).replace("    deals += 1", f"    {OTHER} {ONE}\n    deals += 1")
    spec = load_text(text.replace("  outcome(s)", "  measure fewer : left_over\n  outcome(s)"))
    assert "by a measure that was guessed" in leg(spec).detail


def test_rounds_outside_of_deals_are_told() -> None:
    """And that no play came to the end of a deal; where there are none nothing is said."""
    found = line(ONE, "repeat { ask seat 1 to before { may x { n += 1 } } } until false run deal")
    assert found[1] == "no play has come to the end of a deal, so nothing is told of its length"
    where = "no bound is shown outside of deals: play may come back to `before` with no deal coming to its end"
    assert found[-1] == where
    assert "outside of deals" not in leg(heap()).detail
    between = line(ONE, "repeat { run deal ask seat 1 to before { may x { n += 1 } } } until n == 2")
    assert "outside of deals" not in "; ".join(between)


def test_a_bound_that_a_play_does_not_keep_to_is_loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never told as proved: the parts of the tool disagree."""
    with monkeypatch.context() as patched:
        patched.setattr(LengthProver, "ranges", lambda self: {"take": Range(4, 5)})
        with pytest.raises(Disagreement, match="in a deal `take` was asked 3 times"):
            leg(heap())
    with monkeypatch.context() as patched:
        patched.setattr(LengthProver, "most_deals", lambda self, value: 1)
        with pytest.raises(Disagreement, match="a match had 2 deals, but at most 1 are proved"):
            leg(heap())
