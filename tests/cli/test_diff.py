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
    """Exit code 0: at once for the text itself and what means the same word for word, else by a proof."""
    for items, how in (
        ("", "the rules are the same"),
        ("gain(s) = points[s]", "the rules are the same"),
        ("gain(s) = if true then points[s] else 0", "nobody can tell them apart in any play, proved"),
    ):
        said = kozel("diff", small, variant(items) if items else small, *LITTLE)
        assert said.code == 0 and f"EQUAL: {how}" in said.out


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


def test_a_changed_default_is_decisive(kozel: Kozel, small: Path) -> None:
    """The only change is the default of an option: the difference comes from it, and the scenarios name its values."""
    other = small.with_name("other.kozel")
    text = small.read_text(encoding="utf-8")
    assert text.count("option bonus : 0..2 = 1") == 1
    other.write_text(text.replace("option bonus : 0..2 = 1", "option bonus : 0..2 = 2"), encoding="utf-8")
    for first, second, values in ((small, other, (1, 2)), (other, small, (2, 1))):
        said = kozel("diff", first, second, *LITTLE)
        assert said.code == 1
        assert "  `bonus`: without this change the two do not part there\n" in said.out
        for value in values:
            assert f"      option bonus = {value}\n" in said.out
    data = json.loads(kozel("diff", small, other, *LITTLE, "--format", "json").out)
    assert [(c["name"], c["removes"], c["brings"]) for c in data["changes"]] == [("bonus", True, True)]
    settled = kozel("diff", small, other, "--option", "bonus=0", *LITTLE)
    assert settled.code == 0  # the negative control: where nobody uses the default, it makes no difference


def test_why_no_proof_can_be_made(kozel: Kozel, small: Path, variant: Callable[[str], Path]) -> None:
    """An option of which nothing depends, with another default: what that means, and what to do."""
    one, two = (small.with_name(f"{name}.kozel") for name in ("one", "two"))
    for path, value in ((one, "false"), (two, "true")):
        text = small.read_text(encoding="utf-8").rstrip().removesuffix("}")
        path.write_text(f"{text}  option idle : Bool = {value}\n}}\n", encoding="utf-8")
    said = kozel("diff", one, two, *LITTLE)
    assert said.code == 3
    assert said.out.splitlines()[-1] == (
        "  proof: cannot be made: the option `idle` is false in A and true in B unless somebody sets it, and a proof "
        "is for the same options on both sides; set it, say by `--option idle=false`"
    )
    assert kozel("diff", one, two, "--option", "idle=false", *LITTLE).code == 0


def test_a_changed_constraint_is_named_by_its_text(kozel: Kozel, small: Path) -> None:
    """Also where one is added before it: only what has changed is told."""
    paths = []
    for name, rows in (("one", ("bonus < 3", "bonus != 0")), ("two", ("bonus + 0 < 3", "bonus < 3", "bonus != 2"))):
        text = small.read_text(encoding="utf-8").rstrip().removesuffix("}")
        more = "".join(f"  constraint {row}\n" for row in rows)
        paths.append(small.with_name(f"{name}.kozel"))
        paths[-1].write_text(f"{text}{more}}}\n", encoding="utf-8")
    data = json.loads(kozel("diff", *paths, *LITTLE, "--format", "json").out)
    assert [c["name"] for c in data["changes"]] == ["constraint bonus != 0", "constraint bonus != 2"]


def test_how_far_one_looks_has_a_limit(kozel: Kozel, small: Path) -> None:
    """More than a million deals or states is a usage error."""
    for option in ("--deals", "--states"):
        assert kozel("diff", small, small, option, "1000001").code == 2
        assert kozel("diff", small, small, option, "0").code == 2


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
