"""The first game and house rules that players argue about, compared: literal numbers, and a scenario for each side."""

from functools import cache

import pytest

from kozel_verify.language.folders import data_folder
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.verify.differ import Comparison, Effort, Side, compare
from kozel_verify.verify.differ.lockstep import Kind
from kozel_verify.verify.examples import try_one, written_out

SHOKHA = data_folder("spec") / "kozel_shokha.kozel"
HOUSE = {
    "a trump takes the six of spades": """
  predicate beats(x : Card, y : Card) =
    suit(x) == trump and suit(y) != trump or x == shokha or y != shokha and higher(x, y)""",
    "a lead of mixed suits": """
  predicate leadable(g : Cards) = |g| in 1..4""",
    "the same in other words": """
  predicate beats(x : Card, y : Card) =
    if y == shokha then false else x == shokha or suit(x) == trump and suit(y) != trump or higher(x, y)""",
}


@cache
def base() -> Spec:
    return load(SHOKHA)


def text_of(name: str, more: str = "") -> str:
    return f"language 1\nvariant our_table of kozel_shokha {{{HOUSE[name]}\n{more}}}\n"


@cache
def compared(name: str) -> Comparison:
    other = load_text(text_of(name), "our_table.kozel")
    return compare(Side(base()), Side(other), Effort(states=300, deals=40, shrink=200))


def test_the_numbers() -> None:
    """The pairs of cards, and the pairs of groups, on which a trump that takes the six of spades makes a difference."""
    beats, captures = compared("a trump takes the six of spades").functions
    assert (beats.name, beats.differing, beats.cases) == ("beats", 32, 6_480)
    assert (captures.name, captures.differing, captures.cases) == ("captures", 22_220_433, 10_787_671_650)
    leadable, may_lead = compared("a lead of mixed suits").functions
    assert (leadable.differing, leadable.cases, may_lead.own) == (65_304, 66_712, False)


@pytest.mark.parametrize(
    ("name", "node"), [(name, f"deal.trick.{node}") for name, node in zip(HOUSE, ("answer", "lead"), strict=False)]
)
def test_the_plays(name: str, node: str) -> None:
    """The house rule allows what the game does not; the game's scenario holds in it and fails for the house rule, and
    the other way round."""
    found = compared(name)
    best = found.partings[0]
    assert (found.verdict, best.pack, best.where, best.difference.kind) == ("different", "", node, Kind.MENU)
    assert best.difference.said[0].startswith("allows no more")
    assert [(c.removes, c.brings) for c in found.changes] == [(True, True)]
    nothing = "language 1\nvariant pasted of kozel_shokha {{\n{0}}}\n"
    for scenario, expected in zip(best.scenarios, ((True, False), (False, True)), strict=True):
        for text, holds in zip((nothing.format(scenario), text_of(name, scenario)), expected, strict=True):
            loaded = load_text(text, "pasted.kozel")
            item = written_out(loaded.game)[-1]
            assert try_one(loaded.game, item, loaded.program.files).holds is holds


def test_other_words_are_no_difference() -> None:
    """A rule in other words: all its cases are the same, and the whole game is proved to be."""
    found = compared("the same in other words")
    assert found.verdict == "equal" and found.proof is not None and found.proof.functions == ("beats",)
    assert [f.differing for f in found.functions] == [0, 0]
