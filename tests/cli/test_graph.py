"""`kozel graph`: the course of a game, in the words of the spec."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kozel_verify.cli.graph import Teller
from kozel_verify.model.load import load
from kozel_verify.verify.course import Asks, Condition, Way
from tests.cli.conftest import Kozel
from tests.cli.test_main import imported

Variant = Callable[[str], Path]
TEXT = """small: Small, 4 nodes

a match begins
  then deal.dealing

deal.dealing  at dealing
  draws from stock to hand[s]
  can be named here: s, unserved(s)
    if unserved(s) == {}: then deal.turn
    else: back to deal.dealing

deal.turn  at turn
  asks s
  can be named here: s, unserved(s)
  kept without a name: deal.s_start
    lay(c in hand[s])
    keep
      if unserved(s) == {}: then deal.end
      else: back to deal.turn

deal.end  at deal.end
  the deal is over
    if played >= 2: then end
    else: back to deal.dealing

end  at end (also deal.end)
  the match is over
"""
BRANCHES = """
  state level : 0..3 = 0
  term turn ru "ход" en "move"
  term rise ru "выше" en "higher"
  predicate raised() = level > 1
  phase deal {
    gather pack into stock
    if level == 3 { dead too_high }
    ask seat 1 secretly to turn {                                                                   @ X-A2
      may rise(n in 1..2) when n > level { level := n }                                             @ X-A3
      may stay { if level == 0 { played += 1 } }
    }
    draw 2 from stock to hand[seat 2] called pair
    if raised() { leave deal } else if level == 1 { ask seat 2 to answer { may nod { } } }
    draw 1 from stock to hand[seat 1]
    played += 1
  }
  scenario "both lay a card" { deck 6♠ A♥ Q♠ A♠ 6♥ Q♥   expect played == 0 }
"""


def test_the_whole_text(kozel: Kozel, small: Path) -> None:
    """Nodes stand in the order of the table, with what is asked, what can be named, and what may follow."""
    assert kozel("graph", small) == (0, TEXT, "")


def test_branches(kozel: Kozel, variant: Variant) -> None:
    """Only branches that decide about the next node are told, as a tree; verbs with the same course stand together;
    a dead clause, a secret choice, citations and terms are told."""
    said = kozel("graph", variant(BRANCHES)).out
    told = """deal.turn (move)  at turn
  asks seat 1, in secret  @ X-A2
    rise(n in 1..2) (higher) when n > level  @ X-A3
    stay
      then deal.pair

deal.pair  at pair
  draws from stock to hand[seat 2]
  kept without a name: deal.draw_left_unserved
    if all are drawn:
      if raised(): then deal.end
      else if level == 1: then deal.answer
      else: then deal.draw
    else: back to deal.pair

deal.answer  at answer
  asks seat 2
    nod
      then deal.draw

deal.draw  at draw
  draws from stock to hand[seat 1]
    then deal.end

deal.end  at deal.end
  the deal is over
    if played >= 2: then end
    else if level == 3: never: dead too_high
    else: back to deal.turn
"""
    assert told in said
    assert "  if level == 3: never: dead too_high\n  else: then deal.turn\n" in said


def test_another_condition_is_another_text(kozel: Kozel, variant: Variant) -> None:
    """What is told is what the rules say: with the branch gone, so is its line."""
    said = kozel(
        "graph", variant(BRANCHES.replace("if raised() { leave deal } else if level == 1", "if level == 1"))
    ).out
    assert "if raised()" not in said
    assert "      if level == 1: then deal.answer\n      else: then deal.draw\n" in said


def test_russian(kozel: Kozel, small: Path, variant: Variant) -> None:
    """With `--language ru` titles, terms and the words between are Russian; names of the spec stay."""
    said = kozel("graph", "--language", "ru", variant(BRANCHES)).out
    assert "deal.turn (ход)  при turn\n  спрашивает seat 1, тайно" in said
    assert "    rise(n in 1..2) (выше) когда n > level" in said
    assert kozel("graph", "--language", "ru", small).out.startswith("small: Пробная, узлов: 4\n\nначало игры\n")


def test_a_smaller_pack(kozel: Kozel, small: Path) -> None:
    """`--pack` shows the table of that name; another name is an error with the nearest."""
    assert kozel("graph", "--pack", "tiny", small).out.startswith("small [tiny]: Small, 4 nodes\n")
    said = kozel("graph", "--pack", "tinny", small)
    assert said.code == 2
    assert "did you mean `tiny`?" in said.err


def test_json(kozel: Kozel, small: Path) -> None:
    """The same as data: nodes, and an edge for each way from an outcome to a node."""
    data = json.loads(kozel("graph", "--format", "json", small).out)
    assert [(n["name"], n["at"], n["kind"]) for n in data["nodes"]] == [
        ("deal.dealing", "dealing", "draw"),
        ("deal.turn", "turn", "ask"),
        ("deal.end", "deal.end", "end of the deal"),
        ("end", "end", "end of the match"),
    ]
    assert [(e["from"], e["outcome"], e["to"]) for e in data["edges"]] == [
        (None, None, "deal.dealing"),
        ("deal.dealing", None, "deal.turn"),
        ("deal.dealing", None, "deal.dealing"),
        ("deal.turn", "lay", "deal.end"),
        ("deal.turn", "lay", "deal.turn"),
        ("deal.turn", "keep", "deal.end"),
        ("deal.turn", "keep", "deal.turn"),
        ("deal.end", None, "end"),
        ("deal.end", None, "deal.dealing"),
    ]
    assert data["edges"][1]["when"] == [{"asks": "served", "text": "s", "holds": True}]
    assert data["nodes"][1]["verbs"][0] == {"name": "lay", "text": "lay(c in hand[s])", "when": None}
    assert data["nodes"][1]["named"] == data["nodes"][1]["unserved"] == ["s"]


def test_dot(kozel: Kozel, small: Path) -> None:
    """A graph for Graphviz, with the choices along its edges."""
    lines = kozel("graph", "--format", "dot", small).out.splitlines()
    assert lines[0] == 'digraph "small" {'
    assert '  "deal.turn" -> "deal.end" [label="lay, keep"];' in lines
    assert '  "deal.end" -> "deal.dealing";' in lines
    assert lines[-1] == "}"


def test_conditions_that_make_no_tree(small: Path) -> None:
    """Where the two sides of a branch are not both told, each way stands on a line with its conditions."""
    teller = Teller(load(small).game, "en")
    ways = [
        Way(0, "", (Condition(Asks.TEXT, "a > 0", False), Condition(Asks.TEXT, "b", True))),
        Way(1, "", (Condition(Asks.DRAWN, "", False),)),
        Way(None, "gone", ()),
        Way(2, "", (), exact=False),
    ]
    assert list(teller.told(ways, 1, "")) == [
        "if not (a > 0) and b: back to deal.dealing",
        "if more are to be drawn: back to deal.turn",
        "never: dead gone",
        "then deal.end, by conditions not told here",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "deal.trick.answer  at answer",
        "deal.window.declaration  at declaration (also deal.window.declaration#2)",
        "    beat(r : |table[leader]| of hand[s]) when captures(r, table[best])  @ K:17, B:9, S0-A13",
        "  can be named here: s, unserved(round), unserved(s)",
        "    if every d in Side : out(d):",
        "      if split() and not play_on: never: dead higher_out",
    ],
)
def test_a_whole_game(kozel: Kozel, line: str) -> None:
    """The shipped game is told by its name, with its own nodes and conditions."""
    assert line in kozel("graph", "kozel_shokha").out.splitlines()


def test_a_misspelt_game(kozel: Kozel) -> None:
    """What is no spec is an error with the nearest name."""
    said = kozel("graph", "kozel_shoha")
    assert said.code == 2
    assert "did you mean `kozel_shokha`?" in said.err


def test_no_solver(small: Path) -> None:
    """The course of a game is read off its rules: no solver is loaded."""
    modules = imported("graph", str(small))
    assert "lark" in modules
    assert "z3" not in modules
