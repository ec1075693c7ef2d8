"""Whether the checks of the tool can fail: each planted fault is seen by the test that is named for it.

The tables are in the modules ``faults_...`` (see ``TABLES``);
faults of the interpreter, and some of those that need no change of a text, are in ``test_negative_controls``.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.verify import (
    faults_differ,
    faults_ends,
    faults_exhaustive,
    faults_mutate,
    faults_prover,
    faults_symbolic,
    faults_verify,
)
from tests.verify.planting import Fault, forget, plant, red, run

TABLES = (faults_symbolic, faults_prover, faults_exhaustive, faults_verify, faults_ends, faults_mutate, faults_differ)
FAULTS = [(what, fault) for table in TABLES for what, fault in table.FAULTS.items()]
ROOT = Path(__file__).resolve().parents[2]
DECIDES = ("verify.run", "verify.engine_check", "verify.mutate")
"""What gives verdicts on a spec, on an engine and on mutants; with all that these modules use."""

DECIDES_NOTHING = {
    "symbolic.answers": "plain data",
    "symbolic.begin": "guesses: a claim counts when it is proved",
    "symbolic.sum_bounds": "guesses: a bound counts when it is proved",
    "verify.differ": "names alone",
    "verify.ends_measure": "guesses: a measure counts when it is proved",
    "verify.explain": "words for people",
    "verify.explain_claims": "words for people",
    "verify.pool": "hands tasks to processes",
    "verify.scenario_text": "words for people",
    "verify.settings": "numbers",
}


@pytest.fixture(scope="module")
def sound() -> set[str]:
    """The tests that have passed without any fault."""
    return set()


@pytest.mark.parametrize(("what", "fault"), FAULTS, ids=[f"{f.where} - {what}" for what, f in FAULTS])
def test_a_planted_fault_is_seen(what: str, fault: Fault, sound: set[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The named test passes without the fault, and fails with it."""
    forget()
    if fault.seen_by not in sound:
        run(fault.seen_by)
        sound.add(fault.seen_by)
        forget()
    plant(fault, monkeypatch)
    try:
        assert red(fault.seen_by), f"{fault.seen_by} does not see that {what}"
    finally:
        monkeypatch.undo()
        forget()


def test_a_fault_that_changes_nothing_is_not_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: what is planted here means the same as what was there."""
    same = Fault(
        "exhaustive.closure:_Search.discover",
        "if parent >= 0:",
        "if not parent < 0:",
        "exhaustive/test_closure:test_limit_is_honest()",
    )
    plant(same, monkeypatch)
    assert not red(same.seen_by)


def test_a_text_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the tables are mended when the tool changes."""
    with pytest.raises(AssertionError, match="has 0 times"):
        plant(Fault("exhaustive.closure:_Search.discover", "no such text", "", ""), monkeypatch)


@cache
def path_of(module: str) -> Path | None:
    """The file of a module of the package, by its name behind ``kozel_verify.``."""
    place = ROOT.joinpath("kozel_verify", *module.split("."))
    return next((p for p in (place.with_suffix(".py"), place / "__init__.py") if p.is_file()), None)


def imported(module: str) -> Iterator[str]:
    """The modules of the package that a module names in its imports."""
    path = path_of(module)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path else ():
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("kozel_verify."):
            name = node.module.removeprefix("kozel_verify.")
            yield from (name, *(f"{name}.{alias.name}" for alias in node.names))


def deciding() -> set[str]:
    """The modules of the three packages on which verdicts rest."""
    found, todo = set[str](), list(DECIDES)
    while todo:
        module = todo.pop()
        if module not in found and path_of(module):
            found.add(module)
            todo += imported(module)
    return {m for m in found if m.startswith(("symbolic.", "exhaustive.", "verify.")) and m not in DECIDES_NOTHING}


def test_every_module_that_decides_a_verdict_has_a_fault() -> None:
    """None is left without a test that has been seen to fail."""
    modules = deciding()
    assert len(modules) > 60
    assert sorted(modules - {fault.module for _, fault in FAULTS}) == []
    assert all(path_of(module) for module in DECIDES_NOTHING)
