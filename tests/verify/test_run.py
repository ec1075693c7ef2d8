"""The verification as a whole: what is asked, that all methods bring legs, that nothing depends on the workers."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.interpret.state import Proceed
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify.doing import do
from kozel_verify.verify.evidence import Evidence, counterexample_of
from kozel_verify.verify.findings import Counterexample, Obligation, Verdict
from kozel_verify.verify.option_sets import option_sets
from kozel_verify.verify.pool import Pool
from kozel_verify.verify.run import Report, Work, verify_spec, wanted, works
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject, covering_options
from kozel_verify.verify.workers import Workers
from tests.cli.run import SMALL

FEW = Settings(plays=3, witness_plays=50)


def spec(items: str = "") -> Spec:
    """The small game with further items."""
    text = SMALL.rstrip()
    assert text.endswith("}")
    return load_text(text[:-1] + items + "\n}\n", "small.kozel")


def found(report: Report, name: str) -> Obligation:
    (one,) = [o for o in report.obligations if o.name == name]
    return one


def legs(o: Obligation) -> dict[str, Verdict]:
    return {leg.method: leg.verdict for leg in o.legs}


def test_every_game_is_asked_the_same() -> None:
    """The obligations of every game come first, then the author's in their order, each name once."""
    names = [w.name for w in wanted(spec())]
    assert names[:4] == ["conservation", "well_defined", "never_stuck", "no_peeking"]
    assert len(names) == len(set(names))


def test_a_true_invariant_has_legs_of_three_kinds() -> None:
    """Induction proves it; the closures of the small pack and the plays agree, and their counts do not stand for it."""
    few = found(verify_spec(spec("  invariant few : |hand[seat 1]| <= 6"), FEW), "few")
    assert legs(few) == {
        "induction on sizes": Verdict.PROVED,
        "random plays": Verdict.SAMPLED,
        "closure of pack `tiny`": Verdict.CLOSED,
        "closure of pack `tiny`, bonus = 0": Verdict.CLOSED,
        "closure of pack `tiny`, bonus = 2": Verdict.CLOSED,
        "closure of pack `tiny`, opener = seat 2": Verdict.CLOSED,
        "closure of pack `tiny`, mood = wild": Verdict.CLOSED,
    }
    assert (few.verdict, few.cases, few.visited) == (Verdict.PROVED, None, None)


def test_a_false_invariant_is_refuted_with_a_replayed_run() -> None:
    """What a play violates is refuted, never only unknown, and the run is confirmed by the interpreter."""
    report = verify_spec(spec("  invariant empty_handed : |hand[seat 1]| == 0"), FEW)
    o = found(report, "empty_handed")
    assert o.verdict is Verdict.REFUTED
    assert o.counterexample is not None and o.counterexample.confirmed and o.counterexample.run is not None


def test_a_false_lemma_is_refuted_by_both_legs() -> None:
    """Enumeration and solver agree that it fails; the case is confirmed."""
    o = found(verify_spec(spec("  lemma low(x : Card) : rank(x) != A"), FEW), "low")
    assert (o.verdict, set(legs(o).values())) == (Verdict.REFUTED, {Verdict.REFUTED})
    assert o.counterexample is not None and o.counterexample.confirmed


@pytest.mark.parametrize("groups", ["x : Card", "g : 1..3 of pack, h : 1..3 of pack, x : Card, y : Card"])
def test_an_empty_premise_is_not_green(groups: str) -> None:
    """A lemma whose premise never holds says nothing: unknown, whether its domain can be enumerated or not."""
    few = replace(FEW, lemma_cases=100)
    hollow = found(verify_spec(spec(f"  lemma hollow({groups}) : x != x implies rank(x) == A"), few), "hollow")
    sound = found(verify_spec(spec(f"  lemma sound({groups}) : rank(x) == A implies rank(x) != 6"), few), "sound")
    assert (hollow.verdict, sound.verdict) == (Verdict.UNKNOWN, Verdict.PROVED)


def test_a_witness_that_no_play_meets_is_unknown() -> None:
    """That nothing was found shows nothing."""
    report = verify_spec(spec("  witness crowd : |hand[seat 1]| > 30"), FEW)
    assert found(report, "crowd").verdict is Verdict.UNKNOWN


def test_only_does_what_is_needed() -> None:
    """Works that serve no wanted obligation are not done."""
    one = spec(LOW)
    assert [w.serves for w in works(one, Settings(only=("low",)))] == [("low",)]


def test_options_are_covered() -> None:
    """All combinations, the defaults first; the covering ones change one option at a time."""
    game = spec("  option extra : Bool = true\n  option more : 1..3 = 2").game
    everything = option_sets(game)
    assert everything[0] == {n: o.default for n, o in game.options.items()}
    assert len({tuple(o.items()) for o in everything}) == len(everything)
    assert len(covering_options(game)) == 1 + sum(len(o.values) - 1 for o in game.options.values())


def evidence_of(lost: Sequence[int], monkeypatch: pytest.MonkeyPatch) -> list[Evidence]:
    """The works 0..3 by workers, of which one is killed at each work of ``lost`` in turn."""
    deaths = list(lost)

    def done(pool: Pool, do: object, todo: Sequence[Work], ended: object) -> Iterator[Evidence]:
        for work in todo:
            if deaths and work.arguments == (deaths[0],):
                deaths.pop(0)
                raise BrokenProcessPool
            yield Evidence(seconds=float(str(work.arguments[0])))

    monkeypatch.setattr(Pool, "map", done)
    todo = [Work("example", (n,), ()) for n in range(4)]
    with Workers(Subject(spec(), Settings(jobs=2))) as workers:
        return list(workers.done(todo))


def test_a_killed_worker_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is left is tried once more, in order, nothing twice; a second death is told."""
    assert [e.seconds for e in evidence_of([2], monkeypatch)] == [0, 1, 2, 3]
    with pytest.raises(BrokenProcessPool):
        evidence_of([2, 3], monkeypatch)


LOW = "  lemma low(x : Card) : rank(x) == rank(x)"


def report_interrupted_at(kind: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Report:
    """Of a verification in which the works end in the other order, until Ctrl-C at the first of a kind."""

    def done(workers: Workers, todo: Sequence[Work], ended: Callable[[Work, Evidence], None]) -> Iterator[Evidence]:
        brought = []
        for work in reversed(todo):
            if work.kind == kind:
                raise KeyboardInterrupt
            brought.append(do(workers.subject, work))
            ended(work, brought[-1])
        yield from reversed(brought)

    with monkeypatch.context() as patch:
        patch.setattr(Workers, "done", done)
        return verify_spec(spec(LOW), settings)


def test_an_interruption_loses_only_what_has_not_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Works that ended after one that did not are part of the report all the same; the others are told."""
    report = report_interrupted_at("induction", FEW, monkeypatch)
    methods = {o.name: [leg.method for leg in o.legs] for o in report.obligations}
    assert not report.complete and [w.kind for w in report.left] == ["induction"]
    assert methods["low"] and methods["conservation"][0] == "random plays"
    early = report_interrupted_at("lemma", FEW, monkeypatch)
    assert {"induction", "lemma"} <= {w.kind for w in early.left} and "low" not in {o.name for o in early.obligations}


def test_after_an_interruption_what_nothing_would_add_to_is_not_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where some promises are asked for, those that are settled wait for nothing; in a record all is wanted of them."""
    some = replace(FEW, only=("low", "conservation"))
    report = report_interrupted_at("induction", some, monkeypatch)
    assert {name for work in report.left for name in work.serves} == {"conservation"}
    every = report_interrupted_at("induction", replace(some, thorough=True), monkeypatch)
    assert [w.kind for w in every.left] == ["induction", "lemma", "plays", "closure"]


def test_what_a_store_has_is_told_after_an_interruption(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also of works that were not begun again."""
    stored = replace(FEW, store=str(tmp_path), only=("conservation",))
    verify_spec(spec(LOW), replace(stored, thorough=True))
    report = report_interrupted_at("plays", replace(stored, witness_plays=51), monkeypatch)
    assert report.stored and not report.complete
    assert found(report, "conservation").verdict is Verdict.PROVED and not report.left
    report = report_interrupted_at("plays", replace(stored, witness_plays=51, thorough=True), monkeypatch)
    assert [w.kind for w in report.left] == ["plays"]


def test_the_report_does_not_depend_on_the_workers() -> None:
    """One process and two bring the same verdicts and counts."""

    def told(report: Report) -> list[tuple[object, ...]]:
        return [(o.name, o.verdict, o.method, o.cases, o.visited, o.holds) for o in report.obligations]

    wanted_here = ("low", "well_defined", "conservation")
    one = spec(LOW)
    settings = Settings(plays=2, witness_plays=0, only=wanted_here)
    assert told(verify_spec(one, settings)) == told(
        verify_spec(one, Settings(2**24, plays=2, jobs=2, only=wanted_here))
    )


def test_a_lemma_without_cases_is_not_green() -> None:
    """Groups that no set is large enough for: nothing is shown."""
    assert found(verify_spec(spec("  lemma empty(g : 3..4 of {6♠}) : 1 == 2"), FEW), "empty").verdict is Verdict.UNKNOWN


def test_constraints_that_nothing_satisfies_are_an_error() -> None:
    """Else everything would hold of no play at all."""
    with pytest.raises(SpecError, match="constraint: the defaults of the options break this constraint"):
        verify_spec(spec("  constraint bonus > 2"), FEW)


def test_a_run_on_the_full_pack_is_shown_before_a_shorter_one_of_a_small_pack() -> None:
    """So that its scenario can be pasted."""
    run_of = {pack: Counterexample((Proceed(),) * length, {}, pack, True) for pack, length in (("tiny", 1), ("", 5))}
    evidence = [Evidence((), (("x", c),)) for c in run_of.values()]
    assert counterexample_of("x", evidence) is run_of[""]
