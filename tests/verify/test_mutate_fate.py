"""What becomes of mutants that nothing refutes: equivalent, different with a play, noticed by a proof, undecided."""

from dataclasses import replace

import pytest

from kozel_verify.language.syntax import ScenarioOf
from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify import mutate_fate
from kozel_verify.verify.examples import try_one, written_out
from kozel_verify.verify.mutants import Mutant, mutants
from kozel_verify.verify.mutate import QUICK, Judge, Judged, Status
from kozel_verify.verify.mutate_cells import Cell, Says
from kozel_verify.verify.mutate_fate import EFFORT
from tests.cli.run import SMALL

SHORT = replace(QUICK, plays=2, states=2_000, witness_plays=10)


def found(spec: Spec, text: str) -> Mutant:
    (mutant,) = [m for m in mutants(spec.program) if m.description.startswith(text)]
    return mutant


def row_of(spec: Spec, text: str, prove: bool = False) -> Judged:
    return Judge(spec, SHORT, prove).judge(found(spec, text))


def test_the_same_core() -> None:
    """With two seats left is right: nothing is asked, and no obligation is said to notice it."""
    spec = load_text(SMALL)
    (first, _) = [m for m in mutants(spec.program) if m.description == "`left` to `right`, in `left(s)`"]
    row = Judge(spec, SHORT).judge(first)
    assert row.status is Status.EQUIVALENT and row.lines == ("it means the very same",)
    assert set(row.cells.values()) == {Cell(Says.UNTOUCHED)}


def test_a_planted_equivalent_is_proved() -> None:
    """Written in another way it is the same game: a second condition that the first one implies."""
    spec = load_text(SMALL.replace("if |table[s]| == 1 {", "if |table[s]| == 1 and |table[s]| > 0 {"))
    row = row_of(spec, "`and …` dropped: `|table[s]| > 0`", prove=True)
    assert row.status is Status.EQUIVALENT and row.lines[0].startswith("nobody can tell it from the spec, proved (")
    assert not row.killers


def test_what_is_not_equivalent_is_not_proved() -> None:
    """Negative control: another comparison in the same place is another game, which the scenario notices."""
    spec = load_text(SMALL.replace("if |table[s]| == 1 {", "if |table[s]| == 1 and |table[s]| > 0 {"))
    assert row_of(spec, "`==` to `!=`, in `|table[s]| == 1`").status is Status.KILLED
    assert row_of(spec, "`>` to `>=`, in `|table[s]| > 0`").status is Status.EQUIVALENT


def test_who_is_in_a_hurry_proves_before_he_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first that notices is enough, no plays are made of a mutant that a quick proof shows to be equivalent.
    Controls: without that proof they are, and it comes to the same; another game is noticed all the same."""
    spec = load_text(SMALL.replace("if |table[s]| == 1 {", "if |table[s]| == 1 and |table[s]| > 0 {"))
    judge, same = Judge(spec, SHORT, False, hurried=True), found(spec, "`and …` dropped: `|table[s]| > 0`")
    row = judge.judge(same)
    assert row.status is Status.EQUIVALENT and row.lines[0].startswith("nobody can tell it from the spec, proved (")
    assert row.cells["conservation"] == Cell(Says.OPEN)
    assert judge.judge(found(spec, "`==` to `!=`, in `|table[s]| == 1`")).status is Status.KILLED
    monkeypatch.setattr(mutate_fate.Equality, "quickly", lambda self: False)
    again = judge.judge(same)
    assert again.status is Status.EQUIVALENT and again.cells["conservation"].says is Says.HOLDS


def test_values_are_asked_of_what_plays_alike() -> None:
    """Nobody has ten cards on the table, so that nobody can tell whether ten are many; a lemma notices it."""
    text = SMALL.replace("may keep { }", "may keep { } may look when many(|table[s]|) { }")
    spec = load_text(
        text.replace("pack tiny", "predicate many(n : Nat) = n > 9\n lemma ten(x : Card) : many(10)\n pack tiny")
    )
    row = Judge(spec, SHORT, False, hurried=True).judge(found(spec, "`9` to `10`"))
    assert row.status is Status.KILLED and row.by == "ten" and row.cells["conservation"] == Cell(Says.OPEN)


def test_a_survivor_has_a_scenario() -> None:
    """The scenario holds for the spec; pasted into it, it notices the mutant that survived."""
    spec = load_text(SMALL)
    row = row_of(spec, "`+=` to `:=`, in `points[s] += bonus`")
    assert row.status is Status.SURVIVED and row.shows and not row.killers
    assert row.lines == (
        "after 9 steps, at `deal.end`, the value of `points[seat 1]`",
        "the spec: 2",
        "the mutant: 1",
    )
    pasted = load_text(SMALL.rstrip()[:-1] + row.scenario + "}\n")
    game = pasted.game
    assert all(try_one(game, item, pasted.program.files).holds for item in written_out(game))
    (title,) = [
        i.title for i in pasted.program.items if isinstance(i, ScenarioOf) and i.title.startswith("not noticed")
    ]
    again = row_of(pasted, "`+=` to `:=`, in `points[s] += bonus`")
    assert again.status is Status.KILLED and again.by == title


@pytest.mark.parametrize(
    "mutant",
    [
        "dropped: `announce bonus as kept to {s}`",
        "exchanged: `announce bonus as kept to {s}` and `announce played as before`",
    ],
)
def test_what_is_told_is_said_by_a_scenario(mutant: str) -> None:
    """An announcement that is missing or comes in another order parts the two; the scenario says it and notices it."""
    telling = "may keep { announce bonus as kept to {s} announce played as before }"
    spec = load_text(SMALL.replace("may keep { }", telling))
    row = row_of(spec, mutant)
    assert row.status is Status.SURVIVED and row.shows
    assert [text for text in row.scenario.split("\n") if "told " in text] == ["  told seat 1 : kept = 1, before = 0"]


def test_what_a_scenario_cannot_say() -> None:
    """Who sees a hand is no matter of a scenario: the play is shown, and said not to tell the two apart."""
    row = row_of(load_text(SMALL), "seen by `{s}` to seen by `all`")
    assert row.status is Status.SURVIVED and row.scenario and not row.shows


COUNTED = """language 1
game counted {
  deck suits ♠ ranks 6, A
  seats 1
  zone stock seen by nobody
  state count : 0..9999 = 0
  phase deal { ask seat 1 to turn { may stop { end } may pass { count := if count < 5000 then count + 1 else 0 } } }
  phase match { repeat { run deal } until false }
  outcome(s) = neither
  invariant bounded : count <= 5000
}
"""
LITTLE_EFFORT = replace(EFFORT, states=20, deals=2, thorough=False, stated=False)


def test_a_proof_that_fails_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes too long to count beyond the limit for any play: but what was proved is proved no more, which counts,
    and is told apart. Without proofs the fault stays undecided."""
    monkeypatch.setattr(mutate_fate, "EFFORT", LITTLE_EFFORT)
    spec, mutant = load_text(COUNTED), "`5000` to `5001`"
    assert row_of(spec, mutant).status is Status.UNDECIDED
    row = row_of(spec, mutant, prove=True)
    assert row.status is Status.KILLED and row.by_proofs_alone
    assert {name: row.cells[name] for name in row.killers} == {"bounded": Cell(Says.UNPROVED, "induction on cards")}


def test_what_the_spec_states_is_taken_for_granted_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """To pass up to 5000 only is no condition, as the invariant states; the proof says that it rests on it. Controls:
    without the invariant nothing is proved, nor where what is stated may not be used."""
    monkeypatch.setattr(mutate_fate, "EFFORT", LITTLE_EFFORT)
    guarded = COUNTED.replace("may pass {", "may pass when count <= 5000 {")
    spec, mutant = load_text(guarded), "`when` dropped: `count <= 5000`"
    row = row_of(spec, mutant)
    assert row.status is Status.UNDECIDED
    monkeypatch.setattr(mutate_fate, "EFFORT", replace(LITTLE_EFFORT, stated=True))
    row = row_of(spec, mutant)
    assert row.status is Status.EQUIVALENT
    given = "nobody can tell it from the spec, proved, given the invariants that the spec states ("
    assert row.lines[0].startswith(given)
    again = Judge(spec, SHORT, False, hurried=True).judge(found(spec, mutant))
    assert again.status is Status.EQUIVALENT and again.lines == row.lines
    unsaid = load_text(guarded.replace("  invariant bounded : count <= 5000\n", ""))
    assert row_of(unsaid, mutant).status is Status.UNDECIDED


def test_a_proof_that_still_succeeds_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: to begin anew a step earlier keeps below the limit, and nothing notices."""
    monkeypatch.setattr(mutate_fate, "EFFORT", LITTLE_EFFORT)
    row = row_of(load_text(COUNTED), "`5000` to `4999`", prove=True)
    assert row.status is Status.UNDECIDED and not row.killers
    assert row.lines[0] == "no play was found that tells it from the spec"


DEEP = """language 1
game deep {
  deck suits ♠ ranks 6, A
  seats 1
  zone stock seen by nobody
  state count : 0..99 = 0
  phase deal { repeat { ask seat 1 to turn { may stop { leave deal } may pass { count += 1 } } } until count >= 30 }
  phase match { run deal end }
  outcome(s) = neither
  invariant bounded : count <= 30
}
"""


def test_who_is_in_a_hurry_plays_with_habits() -> None:
    """What shows only after thirty questions, each of which may end the deal, is seen by players with habits. Control:
    by uniform choices, without them, it is not."""
    spec = load_text(DEEP)
    mutant = found(spec, "`30` to `31`, in `count >= 30`")
    row = Judge(spec, SHORT, False, hurried=True).judge(mutant)
    assert row.status is Status.KILLED and row.killers == ("bounded",)
    assert Judge(spec, SHORT, False).judge(mutant).status is not Status.KILLED
