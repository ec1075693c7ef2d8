"""The engines of the finished games: each loads, and plays as the reference does."""

from pathlib import Path

import pytest

from kozel_verify.export.python.module import export_python
from kozel_verify.model.load import load
from kozel_verify.verify.engine_check import Report, validate_engine
from kozel_verify.verify.subject import covering_options

SPECS = Path(__file__).parents[2] / "spec"
GAMES = sorted(path.stem for path in SPECS.glob("*.kozel"))
WHOLE, LONGEST = 300, 12


def compared(name: str, right: str = "", wrong: str = "") -> Report:
    """The engine of a game against the reference: a deal and a match under each value of each option. ``wrong`` is
    planted in its text for ``right``, which stands there once."""
    spec = load(SPECS / f"{name}.kozel")
    source = export_python(spec.game, spec_hash=spec.hash)
    if right:
        assert source.count(right) == 1
        source = source.replace(right, wrong)
    return validate_engine(spec.game, source, covering_options(spec.game), 1, 3, whole=WHOLE, longest=LONGEST)


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_is_the_game(name: str) -> None:
    """No difference in the beginning of play under any value of an option, all numbers of players among them."""
    report = compared(name)
    assert report.differences == ()
    assert report.equal


def test_a_fault_in_an_engine_is_found() -> None:
    """Control: of four players of Bura the fourth gets no cards, which shows as soon as there are four."""
    report = compared("bura", "if players == 2:\n        return 0xf", "if players == 2:\n        return 0x7")
    assert not report.equal
    assert any(text.startswith("plays") and "'players': 2" in text for text in report.differences)
