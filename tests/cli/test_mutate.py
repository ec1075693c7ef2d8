"""`kozel mutate`."""

import json
from pathlib import Path

from tests.cli.conftest import Kozel


def test_the_command(kozel: Kozel, small: Path) -> None:
    """Survivors give exit code 3; the numbers add up; both formats say the same, and say it again."""
    said = kozel("mutate", small, "--sample", "12", "--seed", "1", "--format", "json")
    data = json.loads(said.out)
    summary = data["summary"]
    assert summary["sampled"] == 12 == summary["killed"] + summary["survived"] + summary["invalid"]
    assert said.code == (3 if summary["survived"] else 0)
    assert [m["status"] for m in data["mutants"]].count("killed") == summary["killed"] > 0
    assert said == kozel("mutate", small, "--sample", "12", "--seed", "1", "--format", "json")
    text = kozel("mutate", small, "--sample", "12", "--seed", "1").out
    assert f"12 of {summary['mutants']} faults planted: {summary['killed']} noticed" in text


def test_the_command_without_survivors(kozel: Kozel, small: Path) -> None:
    """A sample of which nothing survives gives exit code 0."""
    codes = {seed: kozel("mutate", small, "--sample", "1", "--seed", str(seed)).code for seed in range(6)}
    assert set(codes.values()) == {0, 3}


def test_a_spec_that_fails_already(kozel: Kozel, small: Path) -> None:
    """When a property fails without any fault, that is said, with exit code 1; wrong usage gives 2."""
    small.write_text(small.read_text(encoding="utf-8").replace("worth == 3", "worth == 4"), encoding="utf-8")
    said = kozel("mutate", small)
    assert said.code == 1 and said.out == "" and said.err.startswith("error[refuted]: `example_2` fails")
    assert kozel("mutate", small, "--sample", "0").code == 2
    assert kozel("mutate", "no such game").code == 2
