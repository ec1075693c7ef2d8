"""The evidence for no peeking: verdicts, two plays that are shown where there is a leak, and what the rules tell."""

from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.exhaustive.pairs import Peek
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, Outcome
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.verify.confirm import Disagreement
from kozel_verify.verify.evidence import Evidence, counterexample_of, legs_of
from kozel_verify.verify.examples import try_scenario
from kozel_verify.verify.findings import Kind, Obligation, Verdict, conclude
from kozel_verify.verify.peeking import NO_PEEKING, confirmed, no_peeking_evidence, pairs_evidence
from kozel_verify.verify.peeking_runs import compared, difference, twin_play
from kozel_verify.verify.peeking_tells import tellings
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.support.bidding import BIDDING, SILENT, bidding
from tests.support.toy import toy_game
from tests.symbolic.test_peeking import quiet_toy

SHOKHA = Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel"
QUICK = Settings(plays=4)


def concluded(*evidence: Evidence) -> Obligation:
    return conclude(NO_PEEKING, Kind.NO_PEEKING, legs_of(NO_PEEKING, evidence), counterexample_of(NO_PEEKING, evidence))


def whole(*changes: tuple[str, str]) -> Spec:
    """The bidding game with a pack of all its cards, so that a closure is of the game itself."""
    return bidding(
        *changes, ("  pack six {", "  pack eight { cards {6♠, Q♠, K♠, A♠, 6♥, Q♥, K♥, A♥}   seats 2 }\n  pack six {")
    )


# --- verdicts --------------------------------------------------------------------------------------------------------


def test_a_game_without_leaks_is_proved() -> None:
    """The proof, and the other two methods agree; the detail lists what the rules tell."""
    subject = Subject(whole(), QUICK)
    proof = no_peeking_evidence(subject)
    found = concluded(proof, pairs_evidence(subject, "eight", {}))
    assert (found.verdict, found.method) == (Verdict.PROVED, "induction on two runs")
    assert [leg.verdict for leg in found.legs] == [Verdict.PROVED, Verdict.SAMPLED, Verdict.CLOSED]
    assert "in 32 queries; 7 statements tell something" in found.legs[0].detail
    assert "announce taker as takes (spec.kozel:29)" in found.legs[0].detail
    assert "32,875 states" in found.legs[2].detail


@pytest.mark.parametrize("name", SILENT)
def test_a_leak_is_refuted_by_two_plays(name: str) -> None:
    """The pairs find each planted leak, and the interpreter sees it in the two plays, which are shown."""
    subject = Subject(whole(*SILENT[name]), QUICK)
    found = concluded(pairs_evidence(subject, "eight", {}))
    shown = found.counterexample
    assert found.verdict is Verdict.REFUTED
    assert shown is not None and shown.confirmed and shown.run is not None and shown.pack == "eight"
    assert " is told the same in two plays, but " in shown.explanation[0]
    assert shown.scenario.count("scenario ") == 2


def test_what_is_not_proved_is_unknown_without_two_plays() -> None:
    """A score that nobody counted aloud, with no play tried: unknown, with the step and what differs there."""
    subject = Subject(bidding(*SILENT["score"]), replace(QUICK, plays=0))
    found = concluded(no_peeking_evidence(subject))
    assert found.verdict is Verdict.UNKNOWN
    assert found.legs[0].detail.startswith("not shown to be the same for seat 1: `points[")
    assert "on the step deal.lay_away.lay by the seat" in found.legs[0].detail


def test_random_plays_refute_on_the_full_pack() -> None:
    """The same leak is met by playing deals twice; both plays can be pasted into the spec as scenarios, and run."""
    subject = Subject(bidding(*SILENT["score"]), Settings(plays=40))
    shown = counterexample_of(NO_PEEKING, [no_peeking_evidence(subject)])
    assert shown is not None and shown.confirmed and shown.pack == ""
    assert "`points[" in shown.explanation[0]
    text = BIDDING.replace(*SILENT["score"][0]).replace("  pack six", f"{shown.scenario}\n  pack six")
    spec = load_text(text)
    scenarios = [p for p in spec.game.properties if type(p).__name__ == "Scenario"]
    assert len(scenarios) == 2
    assert all(try_scenario(spec.game, p, spec.program.files).holds for p in scenarios)  # type: ignore[arg-type]


def test_a_closure_that_is_cut_off_shows_nothing() -> None:
    """Too few states for the pack: unknown, never closed."""
    subject = Subject(whole(), replace(QUICK, states=1_000))
    (leg,) = legs_of(NO_PEEKING, [pairs_evidence(subject, "eight", {})])
    assert (leg.verdict, leg.detail) == (Verdict.UNKNOWN, "not complete: stopped at 1,000 states")


def test_the_small_packs_of_the_shokha_game() -> None:
    """All pairs of plays of the pack of pairs, for both seats."""
    subject = Subject(load(SHOKHA), QUICK)
    options = {name: o.default for name, o in subject.small("pairs").options.items()}
    (leg,) = legs_of(NO_PEEKING, [pairs_evidence(subject, "pairs", options)])
    assert (leg.verdict, leg.visited) == (Verdict.CLOSED, 15_758)


# --- two plays -------------------------------------------------------------------------------------------------------


def deal(*cards: int) -> tuple[Outcome, ...]:
    return tuple(Chance(c) for c in cards)


def toy_runs(*discards: int) -> list[tuple[Outcome, ...]]:
    """The first seat leads 6♠, to which the other discards a card unseen, and Q♠, which the other beats with A♠."""
    return [
        (*deal(0, 0, 1, 2, c), Choice(0, (0b1,)), Choice(1, (1 << c,)), Choice(0, (0b10,)), Choice(0, (0b100,)))
        for c in discards
    ]


def test_what_differs_is_told_by_the_interpreter() -> None:
    """A six or a queen discarded unseen: the toy's leader is told the same, but sees it in his score. Before the last
    step there is no difference, nor where all piles are counted aloud."""
    player = Interpreter(toy_game())
    first, second = toy_runs(3, 4)
    assert compared(player, 0, (first, second)) == "`score[seat 1]` is 0 in one play, 3 in the other"
    assert compared(player, 0, (first[:-1], second[:-1])) is None
    assert compared(Interpreter(quiet_toy()), 0, (first, second)) is None


def test_runs_that_do_not_tell_the_same_show_nothing() -> None:
    """Another card in the seat's own hand, another length, an illegal step, one run twice."""
    player = Interpreter(toy_game())
    first, second = toy_runs(3, 4)
    assert compared(player, 1, (first, second)) is None
    assert compared(player, 0, (first, second[:-1])) is None
    assert compared(player, 0, (first, (*second[:-1], Choice(1, (0b1,))))) is None
    assert compared(player, 0, (first, first)) is None


def test_equal_states_do_not_differ() -> None:
    """A state is no different from itself, for any seat."""
    player = Interpreter(toy_game())
    state = player.initial()[0]
    assert [difference(player, seat, state, state) for seat in (0, 1)] == [None, None]


def test_a_pair_that_the_interpreter_does_not_see_is_a_disagreement() -> None:
    """A fault of the tool is never shown as a leak."""
    same = ((-1, (0,)), (-1, (2,)))
    with pytest.raises(Disagreement):
        confirmed(Interpreter(toy_game()), Peek(0, False, (same, same)))


def test_twin_plays_are_told_alike_and_differ_where_there_is_a_leak() -> None:
    """In the quiet toy no seed finds anything, though the plays part; in the toy the first seat is shown the score."""
    quiet = [twin_play(Interpreter(quiet_toy()), 0, seed) for seed in range(30)]
    assert all(twins is None for _, twins in quiet)
    assert sum(apart for apart, _ in quiet) > 50
    found = [twins for _, twins in (twin_play(Interpreter(toy_game()), 0, seed) for seed in range(300)) if twins]
    assert found and all(t.text.startswith("`score[seat ") for t in found)
    assert twin_play(Interpreter(toy_game()), 0, 5) == twin_play(Interpreter(toy_game()), 0, 5)


# --- what the rules tell ---------------------------------------------------------------------------------------------


def test_what_the_shokha_game_tells() -> None:
    """Each statement once, with what it cites, in the order of the files."""
    spec = load(SHOKHA)
    found = [(t.kind, t.text) for t in tellings(spec.game, spec.program.files)]
    assert found == [
        ("lay open", "draw 1 from stock to indicator called turn"),
        ("lay open", "draw 1 from stock to indicator called turn_again"),
        ("show", "show won[d] to all"),
        ("announce", "announce any_declared as somebody_declared"),
        ("announce", "announce kind as declared_kind"),
        ("announce", "announce declarer as takes_the_lead"),
        ("show", "show combination(kind, hand[declarer]) to all"),
        ("announce", "announce said[s] as each_declaration"),
        ("show", "show combination(said[s], hand[s]) to all"),
        ("lay open", "move g from hand[leader] to table[leader]"),
        ("lay open", "move r from hand[s] to table[s]"),
        ("lay open", "draw 1 from stock to hand[s] called dealing"),
        ("lay open", "draw 1 from stock to hand[s] called refill"),
    ]
    counted = next(t for t in tellings(spec.game, spec.program.files) if t.text == "show won[d] to all")
    assert counted.citations == ("K:19", "K:31")


def test_open_discards_are_in_the_list() -> None:
    """A wrong visibility changes what the rules tell: one statement more."""
    change = "language 1\nvariant open of kozel_shokha {\n  predicate open_discards() = true\n}\n"
    spec = load_text(change, str(SHOKHA.with_name("open.kozel")))
    found = [t.text for t in tellings(spec.game, spec.program.files)]
    assert len(found) == 14 and "move r from hand[s] to thrown[s]" in found


def test_a_zone_that_comes_to_be_seen_is_in_the_list() -> None:
    """The assignment that makes a seat a viewer, with its line; a core without texts is described in words."""
    spec = bidding()
    uncovering = [t for t in tellings(spec.game, spec.program.files) if t.kind == "uncover"]
    assert [str(t) for t in uncovering] == ["a new value of solo (spec.kozel:18)", "solo := taker (spec.kozel:30)"]
    assert [t.text for t in tellings(toy_game(), {})] == [
        "announce points of the last taker",
        "from hand to table",
        "from stock to hand",
        "from stock to table",
    ]
