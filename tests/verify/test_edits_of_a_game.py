"""Results that were found before, for a shipped game: after an edit of any clause, what a clean run finds.

Examples, scenarios and lemmas are asked both ways. Of the works that take minutes it is shown that one which is found
would be done on the very same slice of the game.
"""

import shutil
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from kozel_verify.model.core import Example, Game, Lemma, Property, Scenario
from kozel_verify.model.load import Spec, load
from kozel_verify.verify import kept
from kozel_verify.verify.evidence import Work
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.kept import Keys, sliced
from kozel_verify.verify.run import verify_spec, works
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.verify.edits import edits
from tests.verify.test_kept import outcome

SPEC = load(Path(__file__).resolve().parents[2] / "spec" / "kozel_shokha.kozel")
FEW = Settings(budget=20_000, lemma_cases=1_000)  # what is unknown then must be unknown again
PARTS = 6  # the clauses are shared out, so that several processes can try them
LONG = ("induction", "no_peeking", "ends")  # works of minutes
DEAR = {"one_suit_decides"}  # where it is false, that takes a minute


def quick(spec: Spec, kinds: tuple[type[Property], ...] = (Example, Scenario, Lemma)) -> list[str]:
    return [p.name for p in spec.game.properties if isinstance(p, kinds)]


def asked(edited: Spec, number: int) -> tuple[str, ...]:
    """What was edited, or all examples when a rule was; and a lemma and two scenarios, by turn."""
    lemmas, scenarios = quick(edited, (Lemma,)), quick(edited, (Scenario,))
    by_turn = {lemmas[number % len(lemmas)], *(scenarios[(2 * number + i) % len(scenarios)] for i in range(2))}
    changed = {p.name for p in edited.game.properties if p not in SPEC.game.properties}
    wanted = (changed or set(quick(edited, (Example,)))) | by_turn
    return tuple(n for n in quick(edited) if n in wanted - DEAR)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the results of the game as it is."""
    folder = tmp_path_factory.mktemp("store")
    report = verify_spec(SPEC, replace(FEW, only=tuple(quick(SPEC)), store=str(folder)))
    assert report.stored == 0
    return folder


@pytest.mark.parametrize("part", range(PARTS))
def test_an_edit_of_each_clause(part: int, filled: Path, tmp_path: Path) -> None:
    """For each clause of the game: with the results of the game as it was, the report of a clean run."""
    shutil.copytree(filled, tmp_path / "store")
    tried = failing = stored = 0
    for number, (text, edited) in enumerate(edits(SPEC, small=False, share=(part, PARTS))):
        clean = replace(FEW, only=asked(edited, number))
        here, again = verify_spec(edited, clean), verify_spec(edited, replace(clean, store=str(tmp_path / "store")))
        assert outcome(again) == outcome(here), text
        tried += 1
        stored += again.stored
        failing += any(o.verdict is Verdict.REFUTED for o in here.obligations)
    assert tried >= 40
    assert failing >= 5
    assert stored >= 4 * tried


def long_works(spec: Spec) -> dict[str, tuple[object, Game]]:
    """By its kind the key of each work that takes minutes, and the game that it is done on."""
    subject, found = Subject(spec, Settings()), dict[str, tuple[object, Game]]()
    keys = Keys(subject)
    for work in (w for w in works(spec, Settings()) if w.kind in LONG):
        found[work.kind] = keys.of(work), _on(subject, work)
    return found


def _on(subject: Subject, work: Work) -> Game:
    part = sliced(subject, work)
    assert part is not None
    return part[0].spec.game


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_found_of_long_works_is_of_the_same_slice(part: int) -> None:
    """For each clause: where the key of an edited game is that of the game, so is what the work gets to see."""
    before, again = long_works(SPEC), {kind: [0, 0] for kind in LONG}
    for text, edited in edits(SPEC, small=False, share=(part, PARTS)):
        for kind, (key, game) in long_works(edited).items():
            same = key == before[kind][0] and bool(key)
            assert not same or game == before[kind][1], (kind, text)
            again[kind][same] += 1
    assert min(min(counts) for counts in again.values()) >= 5


def test_long_works_of_another_game_have_another_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: with keys that say nothing of the game, works on other slices have the same key."""
    monkeypatch.setattr(kept, "digest", lambda *_, **__: "the same")
    before, wrong = long_works(SPEC), 0
    for _, edited in islice(edits(SPEC, small=False, share=(0, PARTS)), 8):
        wrong += sum(
            key == before[kind][0] and game != before[kind][1] for kind, (key, game) in long_works(edited).items()
        )
    assert wrong >= 8


def test_keys_that_forget_the_game_are_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: with keys that say nothing of the game, edits that fail seem to hold."""
    monkeypatch.setattr(kept, "digest", lambda *_, **__: "the same")
    warm = replace(FEW, store=str(tmp_path))
    verify_spec(SPEC, replace(warm, only=tuple(quick(SPEC, (Example,)))))
    missed = 0
    for number, (_, edited) in enumerate(islice(edits(SPEC, small=False, share=(0, PARTS)), 12)):
        only = replace(FEW, only=asked(edited, number))
        clean, again = verify_spec(edited, only), verify_spec(edited, replace(only, store=str(tmp_path)))
        missed += outcome(clean) != outcome(again)
    assert missed >= 2
