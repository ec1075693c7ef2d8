"""`kozel export`."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from kozel_verify.cli import export
from kozel_verify.model.load import load
from kozel_verify.verify.engine_check import Check, Report
from kozel_verify.verify.findings import Kind, Leg, Verdict, conclude
from kozel_verify.verify.manifest import Manifest, manifest_of, write
from kozel_verify.verify.run import Report as Verified
from kozel_verify.verify.settings import Settings
from tests.cli.conftest import Kozel

GOOD = Report((Check("function f", "whole domain", 36), Check("plays in lockstep", "sampled", 9)))
WRONG = Report((Check("function f", "whole domain", 36, ("(1, 2): 3, expected 4",)),))
PROVED = conclude("one", Kind.INVARIANT, [Leg("induction", Verdict.PROVED)])
DISAGREE = conclude("two", Kind.LEMMA, [Leg(m, Verdict.ENUMERATED, 9, 9, h) for m, h in (("a", 1), ("b", 2))])


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Callable[[Report], None]:
    """Sets what the comparison with the reference finds."""

    def ends(report: Report) -> None:
        monkeypatch.setattr(export, "validate_engine", lambda *_: report)

    return ends


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., None]:
    """Sets what a verification finds."""

    def ends(*obligations: object) -> None:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(export, "verify_spec", lambda spec, *_: Verified(spec, obligations))  # type: ignore[arg-type]

    return ends


def test_an_engine_that_plays(kozel: Kozel, small: Path, tmp_path: Path) -> None:
    """The engine is one file that plays a match by itself, without this package."""
    said = kozel("export", small, "--target", "python", "-o", tmp_path / "out", "--deals", "1", "--unverified")
    assert said.code == 0
    assert said.out.startswith(
        f"wrote {tmp_path / 'out' / 'small.py'}: small\n  unverified\n  equal to the reference in "
    )
    code = (
        "import small, sys\ns = small.new_initial_state(seed=1)\n"
        "while not small.is_terminal(s): s = small.apply_action(s, small.legal_actions(s)[0])\n"
        "assert not any(m.startswith('kozel_verify') for m in sys.modules); print(len(small.returns(s)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, '.')\n{code}"],
                          cwd=tmp_path / "out", capture_output=True, text=True, check=False)  # fmt: skip
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_verified_first(
    kozel: Kozel, small: Path, tmp_path: Path, compared: Callable[[Report], None], known: Callable[..., None]
) -> None:
    """Without a record the spec is verified, and what was found stands in the engine."""
    compared(GOOD)
    known(PROVED)
    said = kozel("export", small)
    assert said.code == 0
    assert said.out.splitlines()[1] == "  1 promise: 1 PROVED"
    assert "'one'" in (tmp_path / "small.py").read_text(encoding="utf-8")


def test_from_the_record(
    kozel: Kozel, small: Path, tmp_path: Path, compared: Callable[[Report], None], known: Callable[..., None]
) -> None:
    """A record of exactly this spec is used instead of a verification; a record of another text is not."""
    compared(GOOD)
    known()
    spec = load(small)
    recorded = manifest_of(Verified(spec, (PROVED,)), Settings())
    write(tmp_path / "proofs" / "small.json", recorded)
    assert json.loads(kozel("export", small, "--format", "json").out)["obligations"] == [
        {"name": "one", "verdict": "PROVED", "how": "induction"}
    ]
    write(tmp_path / "proofs" / "small.json", Manifest("small", "other", {}, recorded.obligations, {}))
    assert json.loads(kozel("export", small, "--format", "json").out)["obligations"] == []


def test_what_does_not_hold_is_refused(
    kozel: Kozel, small: Path, tmp_path: Path, compared: Callable[[Report], None], known: Callable[..., None]
) -> None:
    """A spec with a promise that fails is not exported, unless that is asked for; then the engine says so."""
    compared(GOOD)
    known(PROVED, DISAGREE)
    said = kozel("export", small)
    assert said.code == 1
    assert said.err.startswith("error[refuted]: `two` of `small` does not hold: nothing is written")
    assert not (tmp_path / "small.py").exists()
    assert kozel("export", small, "--allow-refuted").code == 0
    assert "'DISAGREE'" in (tmp_path / "small.py").read_text(encoding="utf-8")


def test_an_engine_that_differs_is_not_written(
    kozel: Kozel, small: Path, tmp_path: Path, compared: Callable[[Report], None]
) -> None:
    """When the engine is not what the reference is, nothing is written; exit code 4."""
    compared(WRONG)
    said = kozel("export", small, "--unverified", "-o", tmp_path)
    assert said.code == 4
    assert "function f: (1, 2): 3, expected 4" in said.out
    assert not (tmp_path / "small.py").exists()


def test_nothing_else_is_overwritten(
    kozel: Kozel, small: Path, tmp_path: Path, compared: Callable[[Report], None]
) -> None:
    """An engine of before is replaced; another file of that name is left alone."""
    compared(GOOD)
    for _ in range(2):
        assert kozel("export", small, "--unverified", "-o", tmp_path).code == 0
    (tmp_path / "small.py").write_text("mine", encoding="utf-8")
    assert kozel("export", small, "--unverified", "-o", tmp_path).code == 2
    assert (tmp_path / "small.py").read_text(encoding="utf-8") == "mine"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["small.kozel", "small.py"]


def test_where_nothing_can_be_written(kozel: Kozel, small: Path, compared: Callable[[Report], None]) -> None:
    """The reason is told, and nothing is left behind."""
    compared(GOOD)
    said = kozel("export", small, "--unverified", "-o", small / "below")
    assert said.code == 2
    assert "Traceback" not in said.err
