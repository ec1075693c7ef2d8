"""Results that were found before: after any edit, what the store leads to is what a clean run finds."""

import shutil
from dataclasses import fields, replace
from pathlib import Path

import pytest

from kozel_verify.model.core import Example, Game, Lemma
from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify import doing, kept
from kozel_verify.verify.evidence import Evidence, Work
from kozel_verify.verify.findings import Counterexample, Leg, Obligation, Verdict
from kozel_verify.verify.kept import Keys, keep, known
from kozel_verify.verify.run import Report, verify_spec, wanted, works
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.slices import TOLD, USES, called, digest, of_play, of_proof, of_values
from kozel_verify.verify.store import Store
from kozel_verify.verify.subject import Subject
from tests.verify.edits import edits

ROOT = Path(__file__).resolve().parents[2]
TINY = """language 1
game tiny {
  deck suits ♠, ♥ ranks 6, Q, A
  seats 2
  option bonus : 1..2 = 1
  order high = A > Q > 6
  const worth = 3
  predicate beats(x : Card, y : Card) = rank(x) above rank(y) in high
  predicate captures(r : Cards, g : Cards) = |r| == |g| and matching g -> r by beats
  predicate twins(x : Card, y : Card) = rank(x) == rank(y) and x != y
  function value(g : Cards) : Nat = sum c in g of place of rank(c) in high
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone table[s : Seat] seen by all
  state points[s : Seat] : Nat = 0
  state last : Seat? = none
  phase deal {
    gather pack into stock
    for each s in Seat { draw 1 from stock to hand[s] called dealing }
    for each s in Seat clockwise from seat 1 {
      ask s to turn {
        may lay(c in hand[s]) when c != 6♥ or |table[seat 1]| == 0 { move {c} from hand[s] to table[s] }
        may keep { last := s }
      }
    }
    for each s in Seat { if |table[s]| == 1 { points[s] += bonus } }
  }
  phase match {
    run deal
    end
  }
  outcome(s) = if points[s] > points[left(s)] then won else lost
  gain(s) = points[s]
  pack small { cards {6♠, A♥}   seats 2 }
  example beats(A♥, 6♠) and not beats(6♠, A♥)
  lemma asymmetric(x : Card, y : Card) : beats(x, y) implies not beats(y, x)
  lemma aces(x : Card) : rank(x) == A implies not (some y in Card : beats(y, x))
  lemma three(g : 1..2 of pack, r : 1..2 of pack) : captures(r, g) implies |r| <= worth
  compiled group : captures(r, g) for 1..2 when |g| <= 2
  invariant few at turn : |hand[seat 1]| <= 1
  invariant in_order : |table[seat 2]| <= 1
  invariant at_most : points[seat 1] <= 2
  secret hands[s : Seat] : hand[s] from all without {s}
  witness scored at end : points[seat 1] > 0
  witness both at end : every s in Seat : points[s] > 0
  scenario "both lay a card" {
    deck 6♠ A♥ Q♠ A♠ 6♥ Q♥
    seat 1 : lay(6♠)
    seat 2 : lay(A♥)
    expect points[seat 1] == 1 and points[seat 2] == 1
  }
}
"""
FEW = Settings(plays=2, witness_plays=20)


def tiny(text: str = TINY) -> Spec:
    return load_text(text, "tiny.kozel")


def narrow(settings: Settings) -> Settings:
    """Without whether deals end, which is dear, and what looks at the whole text, which is found anew each time."""
    names = [w.name for w in wanted(tiny())]
    return replace(settings, only=tuple(n for n in names if n not in ("ends", "options_covered")))


def outcome(report: Report) -> list[Obligation]:
    """All of it but the time it took."""
    return [replace(o, seconds=0.0) for o in report.obligations]


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the results of the tiny game."""
    folder = tmp_path_factory.mktemp("store")
    report = verify_spec(tiny(), replace(FEW, store=str(folder)))
    assert {o.verdict for o in report.obligations} <= {Verdict.PROVED, Verdict.ENUMERATED}
    assert report.stored == 0
    return folder


@pytest.fixture
def warm(filled: Path, tmp_path: Path) -> Settings:
    """Settings with a copy of that store."""
    shutil.copytree(filled, tmp_path / "store")
    return replace(FEW, store=str(tmp_path / "store"))


def test_all_is_found_again(warm: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same report, and no work is done."""
    clean = verify_spec(tiny(), FEW)
    monkeypatch.setattr(doing, "DO", {})
    again = verify_spec(tiny(), warm)
    assert outcome(again) == outcome(clean)
    assert again.stored == again.parts > 0


def test_every_edit_gives_what_a_clean_run_gives(warm: Settings) -> None:
    """For each clause of the tiny game: edited, with the results of all specs before in the store."""
    different = 0
    for text, edited in edits(tiny()):
        clean, again = verify_spec(edited, narrow(FEW)), verify_spec(edited, narrow(warm))
        assert outcome(again) == outcome(clean), text
        different += any(o.verdict not in (Verdict.PROVED, Verdict.ENUMERATED) for o in clean.obligations)
    assert different >= 8


def test_a_store_without_slices_is_caught(warm: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: with keys that forget the game, the test above fails on most of its edits."""
    monkeypatch.setattr(kept, "digest", lambda *_, **__: "the same")
    warm = narrow(warm)
    verify_spec(tiny(), warm)
    wrong = 0
    for _, edited in list(edits(tiny()))[::8]:
        wrong += outcome(verify_spec(edited, warm)) != outcome(verify_spec(edited, narrow(FEW)))
    assert wrong >= 2


@pytest.mark.parametrize("left_out", ["cells", "functions", "options", "properties", "blocks"])
def test_a_slice_that_forgets_is_caught(left_out: str, warm: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for keys that forget one part of the game."""
    real = digest

    def forgetful(value: object, places: bool = False) -> str:
        if not isinstance(value, Game):
            return "the same" if left_out in ("functions", "properties") else real(value, places)
        empty: object = () if isinstance(getattr(value, left_out), tuple) else {}
        return real(replace(value, **{left_out: empty}), places)  # type: ignore[arg-type]

    monkeypatch.setattr(kept, "digest", forgetful)
    warm = narrow(warm)
    verify_spec(tiny(), warm)
    words = {
        "cells": ("points[s : Seat] : Nat = 0", "points[s : Seat] : Nat = 3"),
        "functions": ("rank(x) above rank(y) in high", "rank(y) above rank(x) in high"),
        "options": ("bonus : 1..2 = 1", "bonus : 1..4 = 1"),
        "properties": ("points[seat 1] <= 2", "points[seat 1] <= 1"),
        "blocks": ("points[s] += bonus", "points[s] := 3"),
    }
    edited = tiny(TINY.replace(*words[left_out]))
    assert outcome(verify_spec(edited, warm)) != outcome(verify_spec(edited, narrow(FEW)))


# --- what is done again ----------------------------------------------------------------------------------------------


WHOLE = {"coverage"}  # works that look at the whole text


def redone(text: str, settings: Settings, but: set[str] = WHOLE) -> dict[str, set[str]]:
    """The works that the store leaves to be done (``but`` those of these kinds), with the obligations they are for."""
    subject = Subject(tiny(text), settings)
    keys, store = Keys(subject), Store.opened(Path(settings.store))
    found: dict[str, set[str]] = {}
    for work in works(subject.spec, settings):
        left = known(keys, store, work).left
        if left is not None and left.kind not in but:
            found.setdefault(left.kind, set()).update(left.serves)
    return found


@pytest.mark.parametrize(
    "old, new",
    [
        ("language 1\n", "language 1\n\n# a remark\n"),
        ("  seats 2\n", "  seats 2   # two\n"),
        ("game tiny {\n", 'game tiny {\n  title en "Tiny" ru "Малая"\n'),
        ("  gain(s)", '  term points ru "очки" en "points"\n  gain(s)'),
        ("option bonus : 1..2 = 1", 'option bonus : 1..2 = 1 ru "довесок" en "bonus"'),
    ],
)
def test_what_is_only_told_is_no_reason_to_do_anything(warm: Settings, old: str, new: str) -> None:
    """Remarks, line breaks, titles, words: everything is found, and told with the new places."""
    text = TINY.replace(old, new, 1)
    assert text != TINY
    assert redone(text, warm) == {}
    assert outcome(verify_spec(tiny(text), warm)) == outcome(verify_spec(tiny(text), FEW))


@pytest.mark.parametrize(
    "old, new, again",
    [
        ("rank(x) == A implies", "rank(x) == Q implies", {"lemma": {"aces"}}),
        ("not beats(6♠, A♥)", "not beats(6♥, A♥)", {"example": {"example_1"}}),
        ("for 1..2 when |g| <= 2", "for 1..2 when |g| <= 1", {"compiled": {"group_k1", "group_k2"}}),
        ("scored at end : points[seat 1] > 0", "scored at end : points[seat 1] > 1", {"plays": {"scored"}}),
        ("rank(x) == rank(y) and x != y", "rank(x) == rank(y)", {}),
    ],
)
def test_an_edit_of_a_statement_does_again_what_is_about_it(
    warm: Settings, old: str, new: str, again: dict[str, set[str]]
) -> None:
    """A lemma, an example, a compiled predicate, a witness; a function that nobody calls concerns nothing."""
    text = TINY.replace(old, new)
    assert text != TINY
    assert redone(text, warm) == again


def test_every_letter_concerns_what_looks_at_the_text(warm: Settings) -> None:
    """Which clauses plays cover is told with the words of the text."""
    assert redone(TINY, warm, set()) == {}
    assert redone(TINY.replace("seats 2\n", "seats 2  # two\n", 1), warm, set()).keys() == WHOLE


def test_an_edited_invariant_concerns_the_proofs_and_itself(warm: Settings) -> None:
    """The proofs use all invariants together; plays and closures look at the edited one alone."""
    found = redone(TINY.replace("at_most : points[seat 1] <= 2", "at_most : points[seat 1] <= 3"), warm)
    assert found.keys() == {"induction", "no_peeking", "ends", "plays", "closure"}
    assert found["plays"] == found["closure"] == {"at_most"}


def test_an_edited_rule_concerns_all_that_runs_the_rules(warm: Settings) -> None:
    """Lemmas, examples and compiled predicates do not."""
    found = redone(TINY.replace("points[s] += bonus", "points[s] += 1"), warm)
    assert found.keys() == {"induction", "no_peeking", "ends", "plays", "closure", "pairs", "example"}
    assert found["example"] == {"both lay a card"}


WHO_AND_WHAT = ("jobs", "executor", "only", "thorough", "store", "hard")  # not how a work is done


@pytest.mark.parametrize("name", [f.name for f in fields(Settings) if f.name not in WHO_AND_WHAT])
def test_every_setting_is_used_by_some_work(warm: Settings, name: str) -> None:
    """With another value of it the works that use it are done again, and no others."""
    other = replace(warm, **{name: getattr(warm, name) + 1})
    assert redone(TINY, other, set()).keys() == {kind for kind, used in USES.items() if name in used}


@pytest.mark.parametrize("part", range(4))
def test_another_tool_finds_nothing(warm: Settings, part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other sources, another Python, solver or parser."""
    other = tuple("other" if n == part else text for n, text in enumerate(kept.tool()))
    monkeypatch.setattr(kept, "tool", lambda: other)
    everything = {w.kind for w in works(tiny(), warm)}
    assert redone(TINY, warm, set()).keys() == everything


def test_unreadable_sources_keep_nothing(warm: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the tool cannot be told, its results are neither used nor kept."""

    def unreadable() -> tuple[str, ...]:
        raise OSError

    monkeypatch.setattr(kept, "tool", unreadable)
    assert redone(TINY, warm, set()).keys() == {w.kind for w in works(tiny(), warm)}


# --- what is kept ----------------------------------------------------------------------------------------------------


def lemma_work(spec: Spec, name: str) -> Work:
    (work,) = [w for w in works(spec, FEW) if w.serves == (name,)]
    return work


@pytest.mark.parametrize("verdict", list(Verdict))
def test_only_what_holds_is_kept(verdict: Verdict, tmp_path: Path) -> None:
    """Nothing refuted or unknown, and nothing with a counterexample."""
    spec = tiny()
    keys, store, work = Keys(Subject(spec, FEW)), Store.opened(tmp_path), lemma_work(spec, "aces")
    leg = Leg("smt", verdict, 3, 2, None, "detail")
    keep(keys, store, work, Evidence((("aces", leg),), (("aces", Counterexample(None, {}, "", True)),)))
    assert known(keys, store, work).left == work
    keep(keys, store, work, Evidence((("aces", leg),), queries=("a", "b")))
    found = known(keys, store, work)
    holds = verdict in (Verdict.PROVED, Verdict.ENUMERATED, Verdict.CLOSED, Verdict.SAMPLED)
    assert (found.left is None) is holds
    assert found.evidence == (Evidence((("aces", leg),), queries=("a", "b")) if holds else Evidence())


@pytest.mark.parametrize(
    "value", [b"", b"[]", b"[[], 3]", b'[[["a"]], []]', b"\xff", b'[[["a","m","PROVEN",1,1,1,""]],[]]']
)
def test_a_strange_value_is_no_evidence(value: bytes, tmp_path: Path) -> None:
    """What is not the text of evidence is ignored."""
    spec = tiny()
    keys, store, work = Keys(Subject(spec, FEW)), Store.opened(tmp_path), lemma_work(spec, "aces")
    (key,) = keys.of(work).values()
    store.put(key, value)
    assert known(keys, store, work).left == work


def test_a_damaged_store_gives_what_a_clean_run_gives(warm: Settings) -> None:
    """Every third file damaged in some way, foreign files between: the same report, and the store is mended."""
    for number, path in enumerate(sorted(p for p in Path(warm.store).rglob("*") if p.is_file())):
        data = path.read_bytes()
        match number % 12:
            case 0:
                path.write_bytes(data[: len(data) // 2])
            case 3:
                path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
            case 6:
                path.unlink()
                path.mkdir()
            case 9:
                path.write_text("something else", encoding="utf-8")
            case _:
                pass
    (Path(warm.store) / "notes.txt").write_text("of somebody", encoding="utf-8")
    clean = outcome(verify_spec(tiny(), FEW))
    first, second = verify_spec(tiny(), warm), verify_spec(tiny(), warm)
    assert outcome(first) == outcome(second) == clean
    assert first.stored < second.stored <= second.parts


# --- slices ----------------------------------------------------------------------------------------------------------


def test_places_do_not_enter_a_key_but_by_which_are_equal() -> None:
    """The same text on other lines has the same digests; two places that become one do not."""
    here, moved = tiny().game, tiny(TINY.replace("game tiny", "\n\n  game tiny")).game
    assert here.blocks != () and digest(here) == digest(moved)
    assert digest(here, places=True) == digest(moved, places=True)
    lemma = here.properties[1]
    assert isinstance(lemma, Lemma)
    merged = replace(lemma, span=lemma.statement.span)
    assert digest(lemma) == digest(merged)
    assert digest(lemma, places=True) != digest(merged, places=True)


def test_equal_numbers_of_other_types_are_not_equal() -> None:
    """``True`` and ``1``, a text and a number, nested and flat."""
    values: list[object] = [True, 1, "1", (1,), [1, 1], ((1,), 1), {"1": 1}, None, "None", "True", frozenset({1})]
    assert len({digest(v) for v in values}) == len(values)


def test_what_has_no_text_is_refused() -> None:
    """An object that is not data cannot be a part of a key."""
    with pytest.raises(TypeError):
        digest([object()])


def test_only_what_is_told_is_left_out_of_keys() -> None:
    """Every other field of a game changes the digest."""
    game = tiny().game
    told = {name for kind, name in TOLD if kind is Game}
    for field in fields(Game):
        value = getattr(game, field.name)
        other: object = "other" if isinstance(value, str) else None
        changed = replace(game, **{field.name: other})  # type: ignore[arg-type]
        assert (digest(changed) == digest(game)) is (field.name in told), field.name


def test_slices_hold_what_is_called() -> None:
    """Functions that are called through others, from rules or claims, and no others."""
    game = tiny().game
    group = next(p for p in game.properties if p.name == "three")
    assert isinstance(group, Lemma)
    assert called(game, [group]).keys() == {"beats", "captures"}
    assert of_values(game, group).functions.keys() == {"beats", "captures"}
    assert of_play(game, ()).functions.keys() == set()
    assert of_proof(game, "induction").functions.keys() == {"beats", "captures", "value"}  # `value` has a sum
    assert of_proof(game, "no_peeking").functions.keys() == {"value"}
    assert [type(p) for p in of_values(game, group).properties] == [Lemma]
    assert not any(isinstance(p, Example) for p in of_proof(game, "induction").properties)
