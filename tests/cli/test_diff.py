"""`kozel diff`."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.cli.conftest import Kozel
from tests.cli.run import SMALL

LITTLE = ("--states", "500", "--deals", "30")


def test_two_games_that_differ(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """Exit code 1; what differs, what each side says, a scenario for each, the clause, the numbers looked at."""
    said = kozel("diff", small, variant("gain(s) = points[s] + 1"), *LITTLE)
    assert said.code == 1 and said.err == ""
    lines = said.out.splitlines()
    assert lines[:3] == [
        f"A is small ({small})",
        f"B is varied ({small.parent / 'varied.kozel'})",
        "DIFFERENT: the gain of seat 1 in the deal",
    ]
    assert '    scenario "small is not varied" {' in lines and '    scenario "varied is not small" {' in lines
    assert "  `gain`: without this change the two do not part there" in lines
    assert any(line.startswith("  full pack: ") for line in lines)


def test_the_scenarios_can_be_pasted(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """The scenario of A, pasted into A, holds; pasted into B it fails. So the tool's own `test` confirms the find."""
    other = variant("gain(s) = points[s] + 1")
    data = json.loads(kozel("diff", small, other, *LITTLE, "--format", "json").out)
    scenarios = data["partings"][0]["scenarios"]
    for path, own, foreign in ((small, "a", "b"), (other, "b", "a")):
        text = path.read_text(encoding="utf-8").rstrip().removesuffix("}")
        for label, code in ((own, 0), (foreign, 1)):
            pasted = path.parent / f"{path.stem}.kozel"
            pasted.write_text(text + scenarios[label] + "}\n", encoding="utf-8")
            assert kozel("test", pasted).code == code
        path.write_text(text + "}\n", encoding="utf-8")


def test_two_games_that_are_equal(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """Exit code 0 and a proof, for the text itself and for another spelling of it."""
    for other in (small, variant("gain(s) = if true then points[s] else 0")):
        said = kozel("diff", small, other, *LITTLE)
        assert said.code == 0 and "EQUAL: nobody can tell them apart in any play, proved" in said.out


def test_nothing_found_and_nothing_proved(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """Exit code 3, and where the proof stops: what is never chosen in a small budget is not excluded."""
    other = variant("gain(s) = if played > 7 then 0 else points[s]")
    said = kozel("diff", small, other, *LITTLE, "--budget", "1")
    assert said.code == 3
    assert "NO DIFFERENCE FOUND, and not proved that there is none" in said.out
    assert "  proof: not shown at deal.end: " in said.out


def test_menus_are_told(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """Where the menus differ: how often which side is stricter, with an example."""
    phase = SMALL[SMALL.index("  phase deal") : SMALL.index("  phase match")]
    assert "may lay(c in hand[s])" in phase
    said = kozel(
        "diff", small, variant(phase.replace("may lay(c in hand[s])", "may lay(c in hand[s]) when rank(c) != 6"))
    )
    assert said.code == 1
    told = said.out[said.out.index("what may be chosen, in the states that both come to:") :].splitlines()
    assert told[1].startswith("  `deal.turn`: A is laxer in ") and told[2].startswith("    A is laxer, say, after ")


def test_options_of_each_side(kozel: Kozel, small: Path) -> None:
    """One spec with different options; an option for both; and what is no option."""
    said = kozel("diff", small, small, "--option-b", "bonus=2", *LITTLE)
    assert said.code == 1 and said.out.splitlines()[1].endswith("with bonus = 2")
    assert kozel("diff", small, small, "--option", "bonus=2", *LITTLE).code == 0
    wrong = kozel("diff", small, small, "--option", "bonos=2")
    assert (
        wrong.code == 2 and "neither game has an option `bonos`" in wrong.err and "did you mean `bonus`?" in wrong.err
    )
    assert kozel("diff", small, small, "--option-a", "bonus=7").code == 2


def test_data(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """JSON alone on standard output, with the verdict, the sides, the plays and the numbers; the same every time."""
    other = variant("gain(s) = points[s] + 1")
    said = kozel("diff", small, other, *LITTLE, "--format", "json")
    data = json.loads(said.out)
    assert data["verdict"] == "different" and data["b"]["name"] == "varied"
    assert data["partings"][0]["kind"] == "worth" and data["partings"][0]["node"] == "deal.end"
    assert data["changes"][0]["name"] == "gain" and data["changes"][0]["removes"] is True
    assert {looked["pack"] for looked in data["looked"]} == {"tiny", ""}
    assert said == kozel("diff", small, other, *LITTLE, "--format", "json")


def test_what_cannot_be_compared(kozel: Kozel, small: Path) -> None:
    """A spec that is not there, or has errors, gives exit code 2 and the error."""
    said = kozel("diff", small, "no such game")
    assert said.code == 2 and said.out == "" and "there is no spec" in said.err
    small.with_name("broken.kozel").write_text("language 1\ngame broken {", encoding="utf-8")
    assert kozel("diff", small, small.with_name("broken.kozel")).code == 2
