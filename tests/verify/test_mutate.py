"""Mutants of rules: which there are, what they say of themselves, and which property of a spec notices them."""

from collections import Counter
from dataclasses import replace
from functools import cache, partial

import pytest

from kozel_verify.language import syntax as s
from kozel_verify.model.elaborate import elaborate
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.verify import stacking
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.mutants import Kind, Mutant, mutants, rules
from kozel_verify.verify.mutate import QUICK, Judge, sample
from kozel_verify.verify.stacking import Effort
from tests.cli.run import SMALL
from tests.verify.planted import GAME, SPECS

SHORT = replace(QUICK, plays=2, states=2_000)


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
        "off-by-one 30: `2` to `3`, in `played >= 2`",
        "comparison 33: `>` to `>=`, in `points[s] > points[left(s)]`",
        "order 33: `left` to `right`, in `left(s)`",
    }
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


def test_an_example_notices() -> None:
    """A wrong count is noticed by what is written out, with the place in the spec."""
    notice = Judge(shipped(), SHORT).judge(found(shipped(), "`<=` to `<`, in `own <= 30`")).notice
    assert notice is not None and notice.verdict is Verdict.REFUTED
    assert (notice.obligation, notice.method) == ("thirty points and a trick write four", "scenario evaluated")
    assert "shokha_plays.kozel:" in notice.lines[0]


def without(kind: type[s.Item], *more: type[s.Item]) -> Spec:
    """The game for points without its properties of some kinds."""
    spec = shipped()
    items = tuple(i for i in spec.program.items if not isinstance(i, (kind, *more)))
    text = replace(spec.program, items=items)
    return replace(spec, program=text, game=elaborate(text))


def test_a_lemma_notices() -> None:
    """Without examples and scenarios the same fault is noticed by a lemma, case by case."""
    spec = without(s.ExampleOf, s.ScenarioOf)
    notice = Judge(spec, SHORT).judge(found(spec, "`<=` to `<`, in `own <= 30`")).notice
    assert notice is not None
    assert (notice.obligation, notice.method, notice.lines[0]) == (
        "scores",
        "enumeration",
        "own = 30, mine = 1, theirs = 2",
    )


def test_plays_and_closures_notice() -> None:
    """Without anything that is written out, faults of play are noticed by matches, or else on a small pack."""
    spec = without(s.ExampleOf, s.ScenarioOf, s.LemmaOf)
    judge, mutant = Judge(spec, SHORT), found(spec, "dropped: `winner := best`")
    by_plays = judge.judge(mutant).notice
    assert by_plays is not None and (by_plays.obligation, by_plays.method) == ("winner_draws_first", "random plays")
    by_closure = Judge(spec, replace(SHORT, plays=0)).judge(mutant).notice
    assert by_closure is not None and by_closure.method == "closure" and by_closure.lines[0].startswith("pack `")


def test_a_witness_that_is_not_met_any_more_notices() -> None:
    """A game in which nobody can score any more violates nothing; that its witness is gone is told as unknown."""
    text = SMALL.replace(
        "  example worth", "  witness scores at deal.end : some s in Seat : points[s] > 0\n  example worth"
    )
    spec = load_text(text[: text.index("  scenario")] + "}")
    notice = Judge(spec, replace(QUICK, plays=6)).judge(found(spec, "dropped: `points[s] += bonus`")).notice
    assert notice is not None and (notice.obligation, notice.verdict) == ("scores", Verdict.UNKNOWN)


def test_nobody_notices() -> None:
    """Negative control: without properties a fault survives. (It is the same one that a scenario notices else.)"""
    mutant = found(little(), "`+=` to `:=`, in `points[s] += bonus`")
    assert Judge(load_text(SMALL[: SMALL.index("  example")] + "}"), SHORT).judge(mutant).survived
    notice = Judge(little(), SHORT).judge(found(little(), "dropped: `points[s] += bonus`")).notice
    assert notice is not None and notice.obligation == "both lay a card"


def test_some_mean_no_game() -> None:
    """A mutant that the language refuses is invalid: neither noticed nor surviving."""
    judged = Judge(shipped(), SHORT).judge(found(shipped(), "dropped: `run deal_hands`"))
    assert judged.invalid.startswith("unknown-node: ") and judged.notice is None and not judged.survived


def test_a_proof_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """With ``prove`` a lemma that is too large to enumerate is asked too; without it the fault survives."""
    monkeypatch.setattr(stacking, "Effort", partial(Effort, deals=0, plays=0))
    spec = without(s.ExampleOf, s.ScenarioOf, s.ClaimOf, s.MeasureOf, s.SecretOf, s.CompiledOf)
    mutant = found(spec, "`and …` dropped: `|r| == |g|`")
    settings = replace(SHORT, plays=0, states=200, only=("same_count",))
    assert Judge(spec, settings).judge(mutant).survived
    notice = Judge(spec, settings, prove=True).judge(mutant).notice
    assert notice is not None and notice.lines[0] == "PROVED for the spec"
    assert (notice.obligation, notice.verdict, notice.method) == ("same_count", Verdict.REFUTED, "smt")


# --- samples ---------------------------------------------------------------------------------------------------------


def test_a_sample_is_a_part_in_order() -> None:
    """The same seed gives the same mutants, each once, in the order of all; another seed gives others."""
    every = [m.id for m in mutants(shipped().program)]
    ids = [m.id for m in sample(shipped(), 30, 1)[0]]
    assert ids == [m.id for m in sample(shipped(), 30, 1)[0]] and len(set(ids)) == 30
    assert ids == sorted(ids, key=every.index)
    assert ids != [m.id for m in sample(shipped(), 30, 2)[0]]
    assert sample(little(), 10_000, 1)[1] == len(sample(little(), 10_000, 1)[0])
