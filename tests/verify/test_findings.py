"""The verdict logic: what may be called proved or refuted, and which exit code follows."""

import json

import pytest

from kozel_verify.interpret.state import Chance, Choice, Proceed
from kozel_verify.verify.findings import (
    Counterexample,
    Exit,
    Kind,
    Leg,
    Obligation,
    Verdict,
    conclude,
    exit_code,
    to_json,
)

PROVED = Leg("induction", Verdict.PROVED)
ENUMERATED = Leg("enumeration", Verdict.ENUMERATED, cases=10, visited=10, holds=4)
CLOSED = Leg("closure", Verdict.CLOSED, cases=99, visited=99)
SAMPLED = Leg("random plays", Verdict.SAMPLED, cases=5, visited=5)
REFUTED = Leg("closure of a small pack", Verdict.REFUTED, detail="step 3")
UNKNOWN = Leg("induction", Verdict.UNKNOWN)
RUN = (Chance(3), Choice(0, (6,)), Proceed())
SHOWN = Counterexample(RUN, {"open": False}, "", True, deck=(3, 1, 2), explanation=("why",), scenario="scenario …")


def verdict(*legs: Leg, kind: Kind = Kind.INVARIANT, example: Counterexample | None = None) -> Verdict:
    return conclude("claim", kind, legs, example).verdict


def code(*verdicts: Leg) -> Exit:
    return exit_code(conclude("claim", Kind.INVARIANT, [leg], SHOWN) for leg in verdicts)


def test_best_leg_decides_when_all_agree() -> None:
    """Proved is stronger than enumerated, closed, sampled, unknown, in this order, however the legs are ordered."""
    order = [PROVED, ENUMERATED, CLOSED, SAMPLED, UNKNOWN]
    for n, leg in enumerate(order):
        assert verdict(*reversed(order[n:])) is leg.verdict


def test_no_leg_shows_nothing() -> None:
    """An obligation that nobody looked at is unknown."""
    assert verdict() is Verdict.UNKNOWN


@pytest.mark.parametrize("complete", [PROVED, ENUMERATED])
def test_contradiction_is_loud(complete: Leg) -> None:
    """A complete leg beside a replayed run against it disagrees, in any order; neither verdict wins."""
    assert verdict(complete, REFUTED, example=SHOWN) is Verdict.DISAGREE
    assert verdict(REFUTED, complete, example=SHOWN) is Verdict.DISAGREE


@pytest.mark.parametrize("weak", [CLOSED, SAMPLED, UNKNOWN])
def test_evidence_does_not_outvote_a_run(weak: Leg) -> None:
    """A clean smaller pack or clean plays do not contradict a run that violates the claim: it is refuted."""
    assert verdict(weak, REFUTED, example=SHOWN) is Verdict.REFUTED


def test_counts_must_agree() -> None:
    """Two complete legs over as many cases that hold in different numbers of them disagree."""
    other = Leg("decision diagram", Verdict.ENUMERATED, cases=10, visited=10, holds=5)
    assert verdict(ENUMERATED, other) is Verdict.DISAGREE
    same = Leg("decision diagram", Verdict.ENUMERATED, cases=10, visited=3, holds=4)
    assert verdict(ENUMERATED, same) is Verdict.ENUMERATED
    elsewhere = Leg("restricted", Verdict.ENUMERATED, cases=7, visited=7, holds=7)
    assert verdict(ENUMERATED, elsewhere) is Verdict.ENUMERATED


def test_refuted_needs_a_run_that_replays() -> None:
    """Without a confirmed run a failing step is `not shown reachable`, and the detail is kept."""
    unconfirmed = Counterexample(RUN, {}, "", False)
    no_run = Counterexample(None, {}, "", True)
    for example in (None, unconfirmed, no_run):
        found = conclude("claim", Kind.INVARIANT, [REFUTED], example)
        assert found.verdict is Verdict.UNKNOWN
        assert found.legs[0].detail == "not shown reachable: step 3"
    assert verdict(REFUTED, example=SHOWN) is Verdict.REFUTED


@pytest.mark.parametrize("kind", list(Kind))
def test_only_statements_about_values_are_refuted_without_a_run(kind: Kind) -> None:
    """An evaluated lemma, example or written-out scenario needs no run; every claim about play does."""
    evaluated = Counterexample(None, {}, "", True)
    expected = kind in (Kind.LEMMA, Kind.EXAMPLE, Kind.SCENARIO)
    assert (verdict(REFUTED, kind=kind, example=evaluated) is Verdict.REFUTED) is expected
    assert verdict(REFUTED, kind=kind, example=Counterexample(None, {}, "", False)) is Verdict.UNKNOWN


def test_unreachable_failure_does_not_contradict_a_proof() -> None:
    """A failing step that no run reaches beside a proof by another method leaves the proof."""
    assert verdict(REFUTED, PROVED) is Verdict.PROVED


@pytest.mark.parametrize("kind", [Verdict.ENUMERATED, Verdict.CLOSED, Verdict.SAMPLED])
@pytest.mark.parametrize("visited", [0, None])
def test_looking_at_nothing_shows_nothing(kind: Verdict, visited: int | None) -> None:
    """A leg that visited no case is unknown, whatever it says."""
    found = conclude("claim", Kind.LEMMA, [Leg("enumeration", kind, cases=visited, visited=visited)])
    assert found.verdict is Verdict.UNKNOWN
    assert found.legs[0].detail == "nothing was visited"


def test_a_leg_cannot_disagree() -> None:
    """Disagreement is found between legs, never brought by one."""
    with pytest.raises(ValueError, match="a single leg"):
        verdict(Leg("x", Verdict.DISAGREE))


def test_exit_codes() -> None:
    """0 only for proofs and complete enumerations, 1 refuted, 3 for anything weaker, also for nothing at all."""
    assert code(PROVED, ENUMERATED) == 0
    for weak in (CLOSED, SAMPLED, UNKNOWN):
        assert code(weak) == 3
        assert code(PROVED, weak) == 3
        assert code(weak, REFUTED) == 1
    assert code(PROVED, REFUTED) == 1
    assert exit_code([]) == 3


def test_disagreement_has_its_own_exit_code() -> None:
    """A disagreement is not hidden behind a refuted or unknown obligation."""
    loud = conclude("claim", Kind.INVARIANT, [PROVED, REFUTED], SHOWN)
    refuted = conclude("claim", Kind.INVARIANT, [REFUTED], SHOWN)
    unknown = conclude("claim", Kind.INVARIANT, [UNKNOWN])
    assert int(exit_code([refuted, loud, unknown])) == 4


def test_method_and_counts_come_from_the_deciding_legs() -> None:
    """The method names the legs with the verdict; counts come from them, else from the next leg that counts."""
    found = conclude("claim", Kind.LEMMA, [CLOSED, ENUMERATED, PROVED])
    assert (found.verdict, found.method) == (Verdict.PROVED, "induction")
    assert (found.cases, found.visited, found.holds) == (10, 10, 4)
    assert conclude("claim", Kind.LEMMA, [PROVED]).cases is None


def test_json_keys_and_values() -> None:
    """The JSON has exactly the documented keys, plain values, and null where there is nothing."""
    found = conclude("claim", Kind.LEMMA, [ENUMERATED], seconds=1.5, citations=["K:13"])
    assert to_json(found) == {
        "name": "claim",
        "kind": "lemma",
        "verdict": "ENUMERATED",
        "method": "enumeration",
        "legs": [
            {
                "method": "enumeration",
                "verdict": "ENUMERATED",
                "cases": 10,
                "visited": 10,
                "holds": 4,
                "detail": "",
            }
        ],
        "cases": 10,
        "visited": 10,
        "holds": 4,
        "seconds": 1.5,
        "citations": ["K:13"],
        "counterexample": None,
    }
    keys = "name kind verdict method legs cases visited holds seconds citations counterexample"
    assert list(to_json(found)) == keys.split()


def test_json_of_a_counterexample() -> None:
    """A run is written outcome by outcome, so that it can be replayed from the JSON alone."""
    found: Obligation = conclude("claim", Kind.INVARIANT, [REFUTED], SHOWN)
    written = json.loads(json.dumps(to_json(found)))["counterexample"]
    assert written == {
        "run": [{"card": 3}, {"verb": 0, "arguments": [6]}, {"proceed": True}],
        "options": {"open": False},
        "pack": "",
        "confirmed": True,
        "seed": None,
        "deck": [3, 1, 2],
        "explanation": ["why"],
        "scenario": "scenario …",
    }
    assert to_json(conclude("claim", Kind.LEMMA, [PROVED]))["holds"] is None
