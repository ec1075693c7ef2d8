"""The examples of docs/engine-api.md, run as they stand."""

import doctest
import sys
from pathlib import Path
from types import ModuleType

import pytest

from kozel_verify.export.python.module import export_python
from kozel_verify.model.load import load

ROOT = Path(__file__).parents[2]
FLAGS = doctest.ELLIPSIS


def run(text: str, monkeypatch: pytest.MonkeyPatch) -> doctest.TestResults:
    monkeypatch.chdir(ROOT)
    spec = load("spec/kozel_shokha.kozel")
    module = ModuleType("kozel_shokha")
    exec(export_python(spec.game, spec_hash=spec.hash), module.__dict__)
    monkeypatch.setitem(sys.modules, "kozel_shokha", module)
    test = doctest.DocTestParser().get_doctest(text, {}, "engine-api.md", "engine-api.md", 0)
    found: list[str] = []
    return doctest.DocTestRunner(optionflags=FLAGS).run(test, out=found.append)


def test_the_examples_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every example gives what the page shows."""
    text = (ROOT / "docs" / "engine-api.md").read_text(encoding="utf-8").replace("```", "")
    results = run(text, monkeypatch)
    assert (results.failed, results.attempted) == (0, 18)


def test_a_wrong_example_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: an example that shows something else."""
    wrong = ">>> import kozel_shokha as engine\n>>> engine.current_player(engine.new_initial_state(seed=1))\n7\n"
    assert run(wrong, monkeypatch).failed == 1
