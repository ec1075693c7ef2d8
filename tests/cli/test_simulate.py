"""`kozel simulate`."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Kozel

Variant = Callable[[str], Path]


def test_statistics(kozel: Kozel, small: Path) -> None:
    """Deals, steps, decisions, verbs, lengths and what a deal is worth are counted exactly."""
    said = kozel("simulate", small, "--deals", "40", "--format", "json")
    data = json.loads(said.out)
    assert said.code == 0
    assert (data["name"], data["deals"], data["steps"]) == ("small", 40, 160)
    assert data["options"] == {"bonus": "1", "opener": "seat 1", "mood": "calm"}
    assert data["decisions"] == {"2": 40}
    assert sum(data["verbs"]["turn"].values()) == 80
    assert [sum(worth.values()) for worth in data["payoffs"]] == [40, 40]
    assert sum(worth.get("1", 0) for worth in data["payoffs"]) == data["verbs"]["turn"]["lay"]
    assert data["failure"] is None


def test_text(kozel: Kozel, small: Path) -> None:
    """The same as text; the time that it took is no part of it."""
    said = kozel("simulate", small, "--deals", "40")
    lines = said.out.splitlines()
    assert lines[0] == "small: 40 deals, 160 steps, 80 decisions"
    assert lines[1] == "decisions a deal: least 2, median 2, most 2"
    assert lines[-2].startswith("  seat 1: 0 in ")
    assert "steps a second" in said.err


def test_the_seed_decides(kozel: Kozel, small: Path) -> None:
    """The same seed gives the same bytes, another one does not."""
    first, again, other = (kozel("simulate", small, "--seed", seed, "--deals", "30").out for seed in ("5", "5", "6"))
    assert first == again
    assert first != other


def test_options(kozel: Kozel, small: Path) -> None:
    """Options change the rules that are played; seats may be told by their number alone."""
    said = kozel("simulate", small, "--option", "bonus=2", "--option", "opener=2", "--show")
    asked = [line for line in said.out.splitlines() if line.startswith("seat ") and ("lay" in line or "keep" in line)]
    assert [line[:6] for line in asked] == ["seat 2", "seat 1"]
    data = json.loads(kozel("simulate", small, "--option", "bonus=2", "--format", "json").out)
    assert {value for worth in data["payoffs"] for value in worth} == {"0", "2"}


@pytest.mark.parametrize(
    "option, message, hint",
    [
        ("bonas=1", "`small` has no option `bonas`", "did you mean `bonus`?"),
        ("mood=wilt", "`mood` cannot be `wilt`", "did you mean `wild`?"),
        ("bonus=7", "`bonus` cannot be `7`", "there are `0`, `1`, `2`"),
        ("bonus", "`bonus` sets no option", "write `--option NAME=VALUE`"),
    ],
)
def test_wrong_options(kozel: Kozel, small: Path, option: str, message: str, hint: str) -> None:
    """An unknown option or value is a usage error which names the nearest right one."""
    said = kozel("simulate", small, "--option", option)
    assert said.code == 2
    assert said.err == f"error[usage]: {message}\n  = hint: {hint}\n"


def test_a_smaller_pack(kozel: Kozel, small: Path) -> None:
    """`--pack` plays on a smaller pack; a name that is none is a usage error."""
    assert json.loads(kozel("simulate", small, "--pack", "tiny", "--format", "json").out)["pack"] == "tiny"
    said = kozel("simulate", small, "--pack", "tinny")
    assert said.code == 2
    assert "did you mean `tiny`?" in said.err


def test_show(kozel: Kozel, small: Path) -> None:
    """`--show` tells one deal in the game's words, with what it was worth."""
    said = kozel("simulate", small, "--show", "--seed", "3")
    lines = said.out.splitlines()
    assert said.code == 0
    assert lines[0] == "all cards are gathered: stock"
    assert lines[1].startswith("drawn ")
    assert lines[-2].startswith("seat 1: ")
    russian = kozel("simulate", small, "--show", "--language", "ru").out
    assert russian.startswith("все карты собраны: stock\n")


def test_what_one_seat_sees(kozel: Kozel, small: Path) -> None:
    """`--show --seat` tells what that seat sees: its own card, not the other's."""
    said = kozel("simulate", small, "--show", "--seat", "2")
    drawn = [line for line in said.out.splitlines() if line.startswith("drawn")]
    assert drawn[0] == "drawn 1 unseen: stock → hand (seat 1)"
    assert "unseen" not in drawn[1]


def test_seats_that_are_not_there(kozel: Kozel, small: Path) -> None:
    """A seat that the game has not, or a seat without `--show`, is a usage error; so is a told deal as JSON."""
    assert kozel("simulate", small, "--show", "--seat", "3").err == "error[usage]: there is no seat 3\n"
    assert kozel("simulate", small, "--seat", "1").code == 2
    assert kozel("simulate", small, "--show", "--format", "json").code == 2


def test_rules_that_fail(kozel: Kozel, variant: Variant) -> None:
    """A deal in which the rules fail is told, with the reason, and ends with exit code 1."""
    path = variant("  gain(s) = points[s]\n  state points[s : Seat] : 0..0 = 0")
    said = kozel("simulate", path)
    assert said.code == 1
    assert "does not come to its end:" in said.out
    assert "`points` cannot hold 1" in said.out


def test_rules_without_a_choice(kozel: Kozel, variant: Variant) -> None:
    """A deal in which nothing is legal ends with exit code 1 as well."""
    path = variant(
        "  phase deal {\n    gather pack into stock\n    draw 1 from stock to hand[seat 1] called dealing\n"
        "    ask seat 1 to turn { may lay(c in hand[seat 1]) when false { } }\n  }\n"
        '  scenario "both lay a card" { expect true }'
    )
    said = kozel("simulate", path)
    assert said.code == 1
    assert "nothing is allowed here" in said.out
