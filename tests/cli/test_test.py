"""`kozel test`."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Kozel

Variant = Callable[[str], Path]


def test_all_hold(kozel: Kozel, small: Path) -> None:
    """Each example and scenario is listed with its line; exit code 0 when all hold."""
    said = kozel("test", small)
    assert said.code == 0
    assert said.err == ""
    assert said.out == (
        f"{small}: small\n"
        "  ok     small.kozel:36  example_1: beats(A♥, 6♠) and not beats(6♠, A♥)\n"
        "  ok     small.kozel:37  example_2: worth == 3 and bonus == 1\n"
        '  ok     small.kozel:38  "both lay a card"\n'
        "  3 hold\n"
    )


def test_a_false_example(kozel: Kozel, variant: Variant) -> None:
    """A false example ends with exit code 1 and says which part is false, with the values of its sides."""
    path = variant("  example worth == 3 and worth + bonus == 5")
    said = kozel("test", path, "--only", "example_3")
    assert said.code == 1
    assert said.out == (
        f"{path}: varied\n"
        "  FAILED varied.kozel:3  example_3: worth == 3 and worth + bonus == 5\n"
        f"         --> {path}:3:3\n"
        "         `worth + bonus == 5` does not hold: `worth + bonus` is 4\n"
        "  0 hold, 1 fail\n"
    )


def test_a_false_scenario(kozel: Kozel, variant: Variant) -> None:
    """A scenario that does not go as written shows the step, the reason, and what would be legal."""
    path = variant('  scenario "wrong" {\n    deck 6♠ A♥ Q♠ A♠ 6♥ Q♥\n    seat 1 : lay(Q♠)\n  }')
    said = kozel("test", path, "--only", "wrong")
    assert said.code == 1
    assert "         5 |     seat 1 : lay(Q♠)\n           |     ^^^^^^^^^^^^^^^^" in said.out
    assert "         this is not legal: Q♠ is not to be had for `c`\n" in said.out
    assert "         legal are:\n           lay(6♠)\n           keep\n" in said.out


def test_only_what_is_there(kozel: Kozel, small: Path) -> None:
    """A name that nothing bears is a usage error with the nearest name."""
    said = kozel("test", small, "--only", "example_22")
    assert said.code == 2
    assert said.err.startswith("error[usage]: there is no example or scenario `example_22`")
    assert "did you mean `example_2`?" in said.err


def test_a_bad_spec(kozel: Kozel, variant: Variant) -> None:
    """A spec with mistakes is not tested: exit code 2."""
    said = kozel("test", variant("  example beets(A♥, 6♠)"))
    assert said.code == 2
    assert said.out == ""
    assert said.err.startswith("error[unknown-name]")


def test_json(kozel: Kozel, variant: Variant) -> None:
    """JSON has one entry for each, with its place and explanation."""
    said = kozel("test", variant("  example worth == 4"), "--format", "json")
    assert said.code == 1
    results = json.loads(said.out)["specs"][0]["results"]
    assert [(r["name"], r["kind"], r["holds"]) for r in results] == [
        ("example_1", "example", True),
        ("example_2", "example", True),
        ("both lay a card", "scenario", True),
        ("example_3", "example", False),
    ]
    assert results[3]["line"] == 3
    assert results[3]["explanation"] == ["`worth == 4` does not hold"]
