"""In which order works are done: when some promises are asked for, what refutes comes first and no more is done."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.verify import doing
from kozel_verify.verify.evidence import Evidence, Work
from kozel_verify.verify.findings import Obligation, Verdict
from kozel_verify.verify.order import needed, stages, told
from kozel_verify.verify.run import verify_spec, works
from kozel_verify.verify.settings import Settings
from tests.verify.test_kept import TINY, outcome, tiny

CLAIMS = """  invariant nobody_lays at turn : |table[seat 1]| == 0
  invariant too_few at turn : |stock| > 4
  step kept from turn by keep : last is not none
  step wrong from turn by keep : last == seat 2
"""
SOME = Settings(plays=8, witness_plays=20)
WITH_CLAIMS = TINY.replace("  secret hands", CLAIMS + "  secret hands")


def kinds(settings: Settings) -> list[list[str]]:
    """The kinds of the works of each stage."""
    todo = works(tiny(WITH_CLAIMS), settings)
    return [[todo[n].kind for n in stage] for stage in stages(todo, bool(settings.only))]


def forbidden(*kinds: str) -> dict[str, Callable[..., Evidence]]:
    """Methods of which some must not be called."""

    def never(*_: object) -> Evidence:
        raise KeyboardInterrupt

    return {**doing.DO, **dict.fromkeys(kinds, never)}


def only(*names: str, settings: Settings = SOME) -> list[Obligation]:
    report = verify_spec(tiny(WITH_CLAIMS), replace(settings, only=names))
    assert report.complete
    return outcome(report)


def test_a_whole_spec_has_one_stage() -> None:
    """All works, the longest first."""
    (stage,) = kinds(Settings())
    assert len(stage) == len(works(tiny(WITH_CLAIMS), Settings()))
    assert stage[:3] == ["induction", "ends", "no_peeking"]


def test_a_part_that_is_held_against_a_record_has_one_stage() -> None:
    """Everything is done of it, in the order in which it would be done alone: what says most soon comes first, so that
    an interruption leaves that."""
    todo = works(tiny(WITH_CLAIMS), Settings(only=("wrong",)))
    (stage,) = stages(todo, True, True)
    assert [todo[n].kind for n in stage] == ["plays", "closure", "induction", "closure"]


def test_works_in_words() -> None:
    """Those that do the same are counted together; of closures the sets of options are."""
    todo = works(tiny(WITH_CLAIMS), Settings(only=("wrong",)))
    assert told(todo) == ["induction", "plays", "closure of pack `small` (2 sets of options)"]
    assert told([Work("lemma", (n,), ("a",)) for n in range(2)]) == ["lemma (2 times)"]


def test_what_refutes_comes_before_what_proves() -> None:
    """Plays, the closure under the defaults, the proof; closures under other options last."""
    assert kinds(Settings(only=("wrong",))) == [["plays"], ["closure"], ["induction"], ["closure"]]
    assert kinds(Settings(only=("no_peeking",))) == [["pairs"], ["no_peeking"]]
    assert kinds(Settings(only=("three", "scored"))) == [["lemma", "plays"]]


@pytest.mark.parametrize("name", ["wrong", "nobody_lays", "too_few"])
def test_what_is_refuted_is_not_proved(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A play that breaks the claim is the end of it: nothing is closed, no proof is begun."""
    monkeypatch.setattr(doing, "DO", forbidden("induction", "closure"))
    (found,) = only(name)
    assert (found.verdict, found.method) == (Verdict.REFUTED, "random plays")
    assert found.counterexample is not None and found.counterexample.confirmed


def test_what_is_proved_is_not_closed_further() -> None:
    """A closure under other options would only confirm it."""
    (found,) = only("kept")
    assert [leg.verdict for leg in found.legs] == [Verdict.PROVED, Verdict.SAMPLED, Verdict.CLOSED]


def test_what_is_not_proved_is_closed_under_all_options() -> None:
    """Where the proof does not succeed whatever may refute is tried."""
    (found,) = only("at_most", settings=replace(SOME, budget=1))
    assert [leg.verdict for leg in found.legs] == [Verdict.UNKNOWN, Verdict.SAMPLED, *[Verdict.CLOSED] * 2]


def test_each_is_settled_by_itself() -> None:
    """What one promise needs no more is done for the other."""
    kept, wrong = only("kept", "wrong")
    assert [leg.method for leg in wrong.legs] == ["random plays"]
    assert kept.verdict is Verdict.PROVED


@pytest.mark.parametrize("names", [("kept", "wrong"), ("too_few", "at_most", "three")])
def test_neither_processes_nor_a_store_change_what_is_done(names: tuple[str, ...], tmp_path: Path) -> None:
    """One process, two, a store that is filled and one that has all: the same obligations with the same legs."""
    alone = only(*names)
    assert only(*names, settings=replace(SOME, jobs=2)) == alone
    stored = replace(SOME, store=str(tmp_path))
    assert only(*names, settings=stored) == alone
    assert only(*names, settings=stored) == alone


def test_the_verdict_is_that_of_the_whole_verification(tmp_path: Path) -> None:
    """For each promise: asked for alone it gets the same verdict, also where the store has the whole."""
    stored = replace(SOME, store=str(tmp_path))
    whole = [o for o in outcome(verify_spec(tiny(WITH_CLAIMS), stored)) if o.name not in ("ends", "options_covered")]
    assert {o.verdict for o in whole} >= {Verdict.PROVED, Verdict.REFUTED, Verdict.ENUMERATED}
    for o in whole:
        for settings in (SOME, stored):
            (found,) = only(o.name, settings=settings)
            assert found.verdict is o.verdict, o.name
            assert set(found.legs) <= set(o.legs), o.name


def test_a_work_is_done_for_those_that_need_it() -> None:
    """Without those that are settled; not at all when there are no others."""
    work = Work("plays", (), ("a", "b"))
    assert needed(work, {"a"}) == Work("plays", (), ("b",))
    assert needed(work, {"a", "b"}) is None
    assert needed(Work("induction", ("a", "b"), ("a", "b")), {"a"}) == Work("induction", ("b",), ("b",))
    assert needed(Work("induction", (), ("a", "b")), {"c"}) == Work("induction", (), ("a", "b"))
