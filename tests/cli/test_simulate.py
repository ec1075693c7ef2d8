"""`kozel simulate`."""

import json
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from kozel_verify.cli import simulate
from kozel_verify.cli.simulate_text import percent
from kozel_verify.verify.intervals import wilson
from kozel_verify.verify.sample import Sample
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
    assert lines[:4] == [
        "small: 40 deals, 160 steps, 80 decisions",
        "decisions a deal: least 2, median 2, most 2",
        "These are shares of deals, each the first of a match, in uniformly random play: "
        "every legal choice has the same chance.",
        "People do not play like that. Intervals are of 95 %: Wilson's for shares, Student's t for means.",
    ]
    assert "a deal is worth (gain - loss):" in lines and "  played: always 1" in lines
    assert "steps a second" in said.err and "second" not in said.out


WITNESSES = """
  const worth = 3
  witness laid at turn : |table[opener]| == 1
  witness never at turn : |stock| > 4
  witness all_dealt at turn : |stock| == 4
  witness finished at end : played == 2
"""


def test_shares_with_intervals(kozel: Kozel, variant: Variant) -> None:
    """In how many deals a witness held, with its share and Wilson's interval, also where that is never or always; the
    text says which witnesses only matches come to."""
    path = variant(WITNESSES)
    said = kozel("simulate", path, "--deals", "40")
    rows = {line.split()[0]: line.split()[1:] for line in said.out.splitlines() if line.startswith("  ")}
    assert rows["never"] == ["0", "0", "%", "(0", "to", "8.77)"]
    assert rows["all_dealt"] == ["40", "100", "%", "(91.23", "to", "100)"]
    assert "in none of these deals: never\n" in said.out
    assert said.out.splitlines()[-1] == "about the end of a match, so without a row here: finished (`--matches`)"
    data = json.loads(kozel("simulate", path, "--deals", "40", "--format", "json").out)
    found = {w["name"]: w for w in data["witnesses"]}
    assert found["never"] == {"name": "never", "count": 0, "share": 0.0, "low": 0.0, "high": 0.087621601}
    assert found["all_dealt"] == {"name": "all_dealt", "count": 40, "share": 1.0, "low": 0.9123784, "high": 1.0}
    laid = found["laid"]
    assert laid["share"] == laid["count"] / 40 and 0 < laid["low"] < laid["share"] < laid["high"] < 1
    assert data["left_out"] == ["finished"]


def test_the_schema(kozel: Kozel, small: Path) -> None:
    """JSON has the same fields for every sample: the policy, the unit, how intervals are made, each with its rows."""
    data = json.loads(kozel("simulate", small, "--deals", "40", "--format", "json").out)
    assert list(data) == [
        "name", "pack", "options", "policy", "unit", "plays", "deals", "steps", "decisions", "verbs", "payoffs",
        "intervals", "choices", "announcements", "witnesses", "worth", "outcomes", "numbers", "left_out", "failure",
    ]  # fmt: skip
    assert data["policy"] == "uniform: every legal choice has the same chance" and data["unit"] == "deal"
    assert data["intervals"] == {"level": 0.95, "shares": "Wilson score", "means": "Student t"}
    rows = {row["choice"]: row for row in data["choices"]}
    assert list(rows["lay"]) == ["node", "choice", "count", "share", "low", "high", "times", "mean"]
    assert rows["lay"]["times"] == data["verbs"]["turn"]["lay"] and rows["lay"]["node"] == "turn"
    assert rows["lay"]["mean"]["mean"] == data["verbs"]["turn"]["lay"] / 40
    numbers = {row["name"]: row for row in data["numbers"]}
    assert list(numbers) == ["points[seat 1]", "points[seat 2]", "points, together", "played"]
    assert numbers["played"]["mean"] == {"mean": 1.0, "low": None, "high": None}
    assert [w["values"] for w in data["worth"]] == [numbers[f"points[seat {n}]"]["values"] for n in (1, 2)]


def test_whole_matches(kozel: Kozel, variant: Variant) -> None:
    """`--matches` plays to the end of the match: the result of each seat, and what holds at the end, count by matches.
    It excludes `--deals`; with `--show` it tells a whole match."""
    path = variant(WITNESSES)
    data = json.loads(kozel("simulate", path, "--matches", "30", "--format", "json").out)
    assert (data["unit"], data["plays"], data["deals"], data["payoffs"]) == ("match", 30, 60, [])
    assert next(w for w in data["witnesses"] if w["name"] == "finished")["count"] == 30
    first, second = data["outcomes"]
    assert list(first) == ["lost", "neither", "won"] and sum(row["count"] for row in first.values()) == 30
    assert first["won"]["count"] == second["lost"]["count"] > 0
    lines = kozel("simulate", path, "--matches", "30").out.splitlines()
    assert lines[0] == "varied: 30 matches, 60 deals, 300 steps, 120 decisions" and "the match is:" in lines
    assert kozel("simulate", path, "--matches", "3", "--show").out.splitlines()[-3] == "the end"
    assert kozel("simulate", path, "--matches", "3", "--deals", "3").code == 2


def test_jobs(kozel: Kozel, small: Path) -> None:
    """With two processes the output is the same, byte for byte."""
    one, two = (kozel("simulate", small, "--deals", "150", "--jobs", n).out for n in ("1", "2"))
    assert one == two


def test_a_result_without_value(kozel: Kozel, variant: Variant) -> None:
    """A deal whose result has no value is told, with the reason, and ends with exit code 1."""
    said = kozel("simulate", variant("  gain(s) = 1 div points[s]"))
    assert said.code == 1
    assert " has no result:" in said.out and said.out.splitlines()[-1].startswith("the rules fail here: ")


@pytest.mark.parametrize(
    ("count", "of", "text"),
    [
        (1, 2, ("50.0 %", "(9.4 to 90.6)")),
        (0, 3, ("0 %", "(0 to 56.2)")),
        (0, 1_000, ("0 %", "(0 to 0.383)")),
        (1, 1_000, ("0.100 %", "(0.017 to 0.565)")),
        (1_000, 1_000, ("100 %", "(99.617 to 100)")),
        (1, 1_000_000, ("0.000100 %", "(0.000017 to 0.000567)")),
    ],
)
def test_percent(count: int, of: int, text: tuple[str, str]) -> None:
    """Shares have as many places as their interval needs; its ends are rounded away from the share."""
    assert percent(wilson(count, of)) == text


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
    """A seat that the game has not (it is told which there are), or a seat without `--show`, is a usage error; so is a
    told deal as JSON."""
    told = "error[usage]: there is no seat 3\n  = hint: the seats are 1 to 2\n"
    assert kozel("simulate", small, "--show", "--seat", "3").err == told
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


def test_a_lost_process(kozel: Kozel, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a process is ended from outside nothing is counted: exit code 3, and no number is told."""

    def lost(*_: object) -> Sample:
        raise BrokenProcessPool

    monkeypatch.setattr(simulate, "sample", lost)
    said = kozel("simulate", small)
    assert (said.code, said.out) == (3, "")
    assert "a process that played was ended from outside" in said.err and "fewer `--jobs`" in said.err
