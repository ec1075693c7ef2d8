"""Mutants of rules: which there are, what they say of themselves, and what each property of a spec says of them."""

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from kozel_verify.exhaustive.domains import Case
from kozel_verify.language import syntax as s
from kozel_verify.model.core import Lemma
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.verify.mutants import Kind, Mutant, mutants, rules
from kozel_verify.verify.mutate import QUICK, Judge, Judged, Status, chosen, judged
from kozel_verify.verify.mutate_cases import evaluated
from kozel_verify.verify.mutate_cells import Cell, Row, Says
from tests.cli.run import SMALL
from tests.verify.planted import GAME, SPECS

SHORT = replace(QUICK, plays=2, states=2_000, witness_plays=10)


@cache
def shipped() -> Spec:
    return load(SPECS / GAME)


@cache
def little() -> Spec:
    return load_text(SMALL)


def found(spec: Spec, text: str) -> Mutant:
    """The one mutant whose description begins so."""
    (mutant,) = [m for m in mutants(spec.program) if m.description.startswith(text)]
    return mutant


# --- which there are -------------------------------------------------------------------------------------------------


def test_each_has_a_name_of_its_own() -> None:
    """The names of all mutants differ, and the same text gives the same ones again."""
    first, again = mutants(shipped().program), mutants(load(SPECS / GAME).program)
    assert len({m.id for m in first}) == len(first)
    assert [(m.id, m.description) for m in first] == [(m.id, m.description) for m in again]


def test_every_kind_is_there() -> None:
    """The rules of the game for points can be changed in each way but `min` for `max`, which they do not use."""
    assert {m.kind for m in mutants(shipped().program)} == set(Kind) - {Kind.EXTREME}


def test_one_clause_is_changed() -> None:
    """A mutant differs from the spec in one item, and there at one place."""
    program = little().program
    for mutant in mutants(program):
        changed = [(i, o) for i, o in zip(mutant.program.items, program.items, strict=True) if i != o]
        assert len(changed) == 1 and str(getattr(changed[0][0], "name", mutant.name)) == mutant.name


def test_only_rules_are_changed() -> None:
    """Properties, options, packs and texts stay, and so does a function that only a lemma uses."""
    program = shipped().program
    kinds = {type(program.items[n]) for n in rules(program)}
    assert kinds == {s.Order, s.Constant, s.ZoneOf, s.StateOf, s.FunctionOf, s.ProcedureOf, s.Result}
    names = {m.name for m in mutants(program)}
    assert "fine" in names and "feasible" not in names and "one_rank" not in names


def test_mutants_of_a_small_game() -> None:
    """Some of them, in the words of the spec."""
    texts = {f"{m.kind.value} {m.span.line}: {m.description}" for m in mutants(little().program)}
    assert texts >= {
        "visibility 13: seen by `{s}` to seen by `all`, in `zone hand[s : Seat] seen by {s}`",
        "order 20: `from` to `after`, in `clockwise from opener`",
        "zone 22: `table` to `hand`, in `move {c} from hand[s] to table[s]`",
        "comparison 26: `==` to `!=`, in `|table[s]| == 1`",
        "condition 26: `|table[s]| == 1` to `true`, in `if |table[s]| == 1 { points[s] += bonus }`",
        "statement 26: `+=` to `:=`, in `points[s] += bonus`",
        "statement 27: dropped: `played += 1`",
        "statement 15: `fresh each deal` added, in `state points[s : Seat] : Nat = 0`",
        "visibility 15: seen by all to seen by `nobody`, in `state points[s : Seat] : Nat = 0`",
        "seat 22: `s` to its left neighbour, in `move {c} from hand[s] to table[s]`",
        "seat 26: `s` to its left neighbour, in `points[s] += bonus`",
        "off-by-one 30: `2` to `3`, in `played >= 2`",
        "comparison 33: `>` to `>=`, in `points[s] > points[left(s)]`",
        "order 33: `left` to `right`, in `left(s)`",
    }
    for begins in (
        "statement 21: the choice `keep` dropped, in `ask s to turn",
        "visibility 21: `secretly` added, in `ask s to turn",
        "seat 21: `s` to its left neighbour, in `ask s to turn",
    ):
        assert sum(text.startswith(begins) for text in texts) == 1
    assert not any("beats" in text for text in texts)  # only examples use it


def rewritten(rules: str) -> Counter[str]:
    """The kinds of the mutants of one function's body."""
    text = SMALL.replace(
        "gain(s) = points[s]", f"function f(a : Cards, b : Cards) : Nat = {rules}\ngain(s) = f({{}}, {{}})"
    )
    return Counter(m.kind.value for m in mutants(load_text(text).program) if m.name == "f")


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("max(1, |a|)", {"off-by-one": 2, "extreme": 1}),
        ("|a union b|", {"sets": 2}),
        ("if some x in a : x in b then 1 else 0", {"quantifier": 1, "comparison": 1, "condition": 2, "off-by-one": 3}),
        ("|those x in a where x not in b|", {"comparison": 1, "condition": 1}),
        ("if not a == b or |a| < 3 then |a| else |b|", {"comparison": 2, "condition": 5, "off-by-one": 2}),
        ("|1..|a||", {"off-by-one": 3}),
    ],
)
def test_kinds_of_changes(body: str, kinds: dict[str, int]) -> None:
    """How often each clause can be changed in which way."""
    assert rewritten(body) == kinds


# --- who notices -----------------------------------------------------------------------------------------------------


def row_of(spec: Spec, text: str, **settings: Any) -> Judged:
    """The row of the one mutant whose description begins so; proofs are not asked."""
    return Judge(spec, replace(SHORT, **settings), prove=False).judge(found(spec, text))


def noticed(row: Judged) -> dict[str, Cell]:
    return {name: row.cells[name] for name in row.killers}


def test_a_scenario_notices() -> None:
    """The first that notices is told, with the place of what fails."""
    row = row_of(little(), "dropped: `played += 1`")
    assert row.status is Status.KILLED and noticed(row) == {"both lay a card": Cell(Says.REFUTED, "scenario evaluated")}
    assert (row.by, row.lines[0]) == ("both lay a card", "spec.kozel:43:5")


def small_with(*properties: str, scenario: bool = False) -> Spec:
    """The small game with these properties beside its own; without its scenario, unless that is wanted."""
    text = SMALL if scenario else SMALL[: SMALL.index("  scenario")] + "}\n"
    return load_text(text.rstrip()[:-1] + "".join(f"  {p}\n" for p in properties) + "}\n")


def test_all_obligations_are_asked() -> None:
    """A wrong count is noticed by a scenario and by a lemma; what does not depend on it is not asked; what holds says
    by what; and what plays cover is never asked."""
    row = row_of(shipped(), "`<=` to `<`, in `own <= 30`", states=100)
    cells = noticed(row)
    assert row.status is Status.KILLED and not row.by_proofs_alone
    assert cells["thirty points and a trick write four"] == Cell(Says.REFUTED, "scenario evaluated")
    assert cells["scores"] == Cell(Says.REFUTED, "enumeration")
    assert row.by == "thirty points and a trick write four" and "shokha_plays.kozel:" in row.lines[0]
    assert row.cells["one_claim"] == Cell(Says.UNTOUCHED) == row.cells["group_k4"]
    assert row.cells["who_writes"] == Cell(Says.HOLDS, "enumeration")
    assert row.cells["conservation"] == Cell(Says.HOLDS, "plays and closures")
    assert row.cells["options_covered"] == Cell(Says.OPEN)


def test_each_kind_of_property_notices() -> None:
    """One fault after another is noticed by exactly the claims about play that speak of it."""
    spec = small_with(
        "invariant few at turn : |hand[s]| <= 1",
        "step laid from turn by lay(c) : c in table[old(s)]",
        "menu from_hand at turn : lay(c) when c in hand[s]",
        "secret hands[s : Seat] : hand[s] from all without {s}",
    )
    refuted = Cell(Says.REFUTED, "closure")
    assert noticed(row_of(spec, "`1` to `2`, in `draw 1 from stock")) == {"few": Cell(Says.REFUTED, "random plays")} | {
        "well_defined": refuted
    }
    assert noticed(row_of(spec, "dropped: `move {c}")) == {"laid": refuted}
    assert noticed(row_of(spec, "seen by `{s}` to seen by `all`")) == {"hands": refuted}
    assert noticed(row_of(spec, "`+=` to `:=`, in `points[s] += bonus`")) == {}


def test_a_menu_and_a_witness_notice() -> None:
    """A choice that is offered to nobody; a case that does not come up any more, in plays that meet it for the spec."""
    spec = small_with(
        "menu from_hand at turn : lay(c) when c in hand[s]", "witness laid at deal.end : |table[seat 1]| == 1"
    )
    cells = noticed(row_of(spec, "`c` left out, in `{c}`"))
    assert cells == {"laid": Cell(Says.UNMET, "plays and closures")}
    cells = noticed(row_of(spec, "`hand` to `table`, in `c in hand[s]`"))
    assert cells["from_hand"] == Cell(Says.REFUTED, "closure") and cells["laid"].says is Says.UNMET


def test_random_matches_notice_without_small_packs() -> None:
    """The same faults on the full pack alone."""
    spec = small_with("invariant few at turn : |table[s]| == 0")
    alone = load_text(spec.program.files[spec.path].replace("  pack tiny { cards {6♠, A♥}   seats 2 }\n", ""))
    row = row_of(alone, "`from` to `after`, in `clockwise from opener`")
    assert row.status is not Status.KILLED
    row = row_of(alone, "dropped: `gather pack into stock`")
    assert noticed(row)["few"] == Cell(Says.REFUTED, "random plays") and row.lines[0].startswith("after ")


def test_a_lemma_notices() -> None:
    """A lemma that fails, and one whose premise no case makes true any more."""
    spec = small_with(
        "function more(n : 0..3) : Nat = n + 1",
        "loss(s) = more(2)",
        "lemma grows(n : 0..3) : more(n) > n",
        "lemma small_ones(n : 0..3) : more(n) == 1 implies n == 0",
    )
    assert noticed(row_of(spec, "`1` to `0`, in `n + 1`")) == {
        "grows": Cell(Says.REFUTED, "enumeration"),
        "small_ones": Cell(Says.REFUTED, "enumeration"),
    }
    assert noticed(row_of(spec, "`1` to `2`, in `n + 1`")) == {"small_ones": Cell(Says.UNMET, "enumeration")}


def test_a_case_is_evaluated() -> None:
    """A case counts against a lemma only where the interpreter finds its statement false."""
    game = small_with("lemma upwards(x : Card) : not beats(x, x) and x != 6♠").game
    lemma = next(p for p in game.properties if isinstance(p, Lemma))
    defaults = {name: option.default for name, option in game.options.items()}
    held = [evaluated(game, lemma, Case(defaults, {}, {"x": card}, "")) for card in range(6)]
    assert held.count(False) == 1


def test_no_line_announces_what_is_left_out() -> None:
    """Three lines are kept of what shows a failure; a third that ends with a colon only where its rest is kept too."""
    for lines, kept in (("a b c: d", "a b"), ("a b c d", "a b c"), ("a b c:", "a b c:"), ("", "")):
        row = Row()
        row.notice("x", Says.REFUTED, "plays", lambda lines=lines: lines.split())  # type: ignore[misc]
        assert row.lines == tuple(kept.split())


def test_nobody_notices() -> None:
    """Negative control: where the only property says nothing, all faults but those of every game survive."""
    spec = load_text(SMALL[: SMALL.index("  example")] + "  invariant nothing : true\n}")
    rows = [Judge(spec, SHORT, prove=False).judge(m) for m in mutants(spec.program)]
    assert {name for row in rows for name in row.killers} == {"well_defined", "no_peeking"}
    assert sum(row.status is Status.SURVIVED for row in rows) == 52


def test_a_spec_that_fails_itself() -> None:
    """An obligation that always fails is the spec's own failure, which is said before any mutant is judged."""
    own = Judge(small_with("invariant never at turn : |hand[s]| == 0"), SHORT).original()
    assert own.notices == ["never"] and own.lines[0] == "pack `tiny`, after 2 steps"
    assert Judge(little(), SHORT).original().notices == []


def test_some_mean_no_game() -> None:
    """A mutant that the language refuses is invalid; where only a property loses what it speaks of, that notices."""
    row = row_of(little(), "dropped: `run deal`")
    assert row.status is Status.INVALID and row.lines[0].startswith("endless: ") and row.cells == {}
    row = row_of(little(), "dropped: `ask s to turn")
    assert noticed(row) == {"both lay a card": Cell(Says.REFUSED, "reading")}
    assert row.lines == ("unknown-name: there is no verb `lay`",)


# --- many ------------------------------------------------------------------------------------------------------------


def test_processes_change_nothing() -> None:
    """The rows are the same, in the same order, by one process and by two."""
    judge = Judge(little(), SHORT, prove=False)
    todo = chosen(little(), 8, 1)[0]
    assert list(judged(judge, todo, 2)) == list(judged(judge, todo))


def test_a_sample_is_a_part_in_order() -> None:
    """The same seed gives the same mutants, each once, in the order of all; another seed gives others."""
    every = [m.id for m in mutants(shipped().program)]
    ids = [m.id for m in chosen(shipped(), 30, 1)[0]]
    assert ids == [m.id for m in chosen(shipped(), 30, 1)[0]] and len(set(ids)) == 30
    assert ids == sorted(ids, key=every.index)
    assert ids != [m.id for m in chosen(shipped(), 30, 2)[0]]
    assert [m.id for m in chosen(shipped(), None, 1)[0]] == every


def test_a_sample_of_some_clauses() -> None:
    """Only the faults of the clauses that are named."""
    todo, number = chosen(shipped(), None, 1, ("fine", "side"))
    assert {m.name for m in todo} == {"fine", "side"} and number == len(todo)
    assert chosen(shipped(), 3, 1, ("fine",))[1] == sum(m.name == "fine" for m in todo)
