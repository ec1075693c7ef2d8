"""`kozel verify` with results that were found before, with queries that are saved, and with random seeds."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from kozel_verify.cli import stores
from kozel_verify.symbolic.answers import Model, Unknown, Unsatisfiable
from kozel_verify.symbolic.z3_api import z3
from kozel_verify.verify import stability
from kozel_verify.verify.manifest import BadManifest
from kozel_verify.verify.store import Store
from tests.cli.conftest import Kozel
from tests.cli.run import COVERED, ROOT, START
from tests.cli.run import kozel as process

TEXT = COVERED.rstrip()[:-1] + "  lemma asymmetric(x : Card, y : Card) : beats(x, y) implies not beats(y, x)\n}\n"
FOUND = re.compile(r"^(\d+) of (\d+) results were found before by this tool on the same rules: ", re.M)


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "small.kozel"
    path.write_text(TEXT, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Path]:
    """What a clean run says (but for the name of the folder), and the store that a run leaves."""
    folder = tmp_path_factory.mktemp("clean")
    (folder / "small.kozel").write_text(TEXT, encoding="utf-8")
    said = process("verify", "small.kozel", "-v", "--jobs", "1", cwd=folder)
    stored = process("verify", "small.kozel", "-v", "--jobs", "1", "--store", "store", cwd=folder)
    assert (said.returncode, said.stderr, stored.stderr) == (0, b"", b"")
    assert said.stdout == stored.stdout
    return said.stdout, folder / "store"


def verified(spec: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return process("verify", spec.name, "-v", "--jobs", "1", *arguments, cwd=spec.parent)


# --- the store -------------------------------------------------------------------------------------------------------


def test_the_second_time(spec: Path, clean: tuple[bytes, Path]) -> None:
    """The same bytes, nothing done again; that it was found before is said on standard error. The solver is not even
    loaded."""
    shutil.copytree(clean[1], spec.parent / "store")
    code = "import sys; from kozel_verify.cli.main import main; main(); print('z3' in sys.modules)"
    command = [sys.executable, "-c", code, "verify", spec.name, "-v", "--jobs", "1", "--store", "store"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    again = subprocess.run(command, cwd=spec.parent, env=environment, capture_output=True, timeout=60, check=True)
    assert again.stdout == clean[0] + b"False\n"
    found = FOUND.search(again.stderr.decode())
    assert found is not None and found[1] == found[2]


def test_the_number_of_processes_does_not_matter(spec: Path, clean: tuple[bytes, Path]) -> None:
    """What two processes keep, one finds, and the other way round."""
    two = process("verify", spec.name, "-v", "--jobs", "2", "--store", "store", cwd=spec.parent)
    one = verified(spec, "--store", "store")
    assert two.stdout == one.stdout == clean[0]
    found = FOUND.search(one.stderr.decode())
    assert found is not None and found[1] == found[2]


def test_where_the_store_is(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--store`, else KOZEL_STORE, else a folder of the user's caches; none with `--no-store` or an empty variable."""
    monkeypatch.setattr(stores, "default_folder", lambda: spec.parent / "usual")
    given, named = spec.parent / "given", spec.parent / "named"
    monkeypatch.setenv("KOZEL_STORE", str(named))
    assert stores.folder_of(given, none=False) == str(given)
    assert stores.folder_of(None, none=False) == str(named)
    assert stores.folder_of(given, none=True) == ""
    monkeypatch.setenv("KOZEL_STORE", "")
    assert stores.folder_of(None, none=False) == ""
    monkeypatch.delenv("KOZEL_STORE")
    assert stores.folder_of("", none=False) == ""
    assert stores.folder_of(None, none=False) == str(spec.parent / "usual")
    monkeypatch.setattr(stores, "default_folder", lambda: None)
    assert stores.folder_of(None, none=False) == ""


def test_an_empty_store_is_none(spec: Path) -> None:
    """`--store ""` keeps nothing, least of all in the current folder."""
    assert verified(spec, "--only", "asymmetric", "--store", "").returncode == 0
    assert [path.name for path in spec.parent.iterdir()] == [spec.name]


def test_the_current_folder_as_a_store(spec: Path) -> None:
    """All that is kept lies in one subfolder; what else is there stays."""
    (spec.parent / "en").mkdir()
    (spec.parent / "en" / "notes.new").write_text("mine", encoding="utf-8")
    os.utime(spec.parent / "en" / "notes.new", (1, 1))
    assert verified(spec, "--only", "asymmetric", "--store", ".").returncode == 0
    assert sorted(path.name for path in spec.parent.iterdir()) == ["en", "kozel-results", spec.name]
    assert (spec.parent / "en" / "notes.new").read_text(encoding="utf-8") == "mine"
    assert FOUND.search(verified(spec, "--only", "asymmetric", "--store", ".").stderr.decode())


def test_a_record_is_found_anew(spec: Path, clean: tuple[bytes, Path]) -> None:
    """`--record` and `--check-record` neither use the store nor add to it."""
    for option in ("--record", "--check-record"):
        said = verified(spec, option, "--store", "store")
        assert said.returncode == 0
        assert not (spec.parent / "store").exists()
        assert b"found before" not in said.stderr


def test_a_store_that_cannot_be_written(spec: Path, clean: tuple[bytes, Path]) -> None:
    """One warning, and the verification as without it."""
    (spec.parent / "file").write_text("", encoding="utf-8")
    said = verified(spec, "--store", str(Path("file") / "inside"))
    assert (said.returncode, said.stdout) == (0, clean[0])
    assert said.stderr.decode().count("warning") == 1
    assert said.stderr.startswith(b"warning: the store ")


@pytest.mark.skipif(sys.platform == "win32" or not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write")
def test_a_folder_that_may_not_be_written(spec: Path, clean: tuple[bytes, Path]) -> None:
    """The same for a folder without the right to write."""
    folder = spec.parent / "store"
    folder.mkdir(mode=0o500)
    said = verified(spec, "--store", "store")
    assert (said.returncode, said.stdout) == (0, clean[0])
    assert said.stderr.decode().count("warning") == 1


def test_a_disk_that_is_full_on_the_way(
    kozel: Kozel, spec: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """One warning at the end; the verdicts are those of a clean run."""
    arguments = ("verify", spec, "-v", "--jobs", "1")
    usual = kozel(*arguments)
    real, left = os.replace, [5]

    def full(source: str, target: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    said = kozel(*arguments, "--store", tmp_path / "store")
    assert (said.code, said.out) == (usual.code, usual.out)
    assert said.err.count("warning") == 1
    assert "(no space left on device); results are not kept\n" in said.err


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_a_kill_at_any_moment_loses_nothing_but_time(spec: Path, clean: tuple[bytes, Path]) -> None:
    """Verifications that are killed after random times leave a store that leads to the bytes of a clean run."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", START, "verify", spec.name, "-v", "--jobs", "2", "--store", "store"]
    random.seed(7)
    for _ in range(5):
        running = subprocess.Popen(
            command,
            cwd=spec.parent,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(random.uniform(0.5, 2.5))
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    for _ in range(2):
        said = verified(spec, "--store", "store")
        assert (said.returncode, said.stdout) == (0, clean[0]), said.stderr


def test_two_at_once(spec: Path, clean: tuple[bytes, Path]) -> None:
    """Two verifications with one store do not disturb each other."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", START, "verify", spec.name, "-v", "--jobs", "1", "--store", "store"]
    running = [
        subprocess.Popen(command, cwd=spec.parent, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    assert [p.communicate(timeout=120)[0] for p in running] == [clean[0]] * 2
    assert verified(spec, "--store", "store").stdout == clean[0]


# --- budgets ---------------------------------------------------------------------------------------------------------


def test_a_budget_that_does_not_do(spec: Path) -> None:
    """Exit code 3; the report names files with queries, and what to do next; the files are SMT-LIB that the solver
    reads and, with a proper budget, answers."""
    said = verified(spec, "--budget", "1")
    out = said.stdout.decode()
    assert said.returncode == 3
    assert "  the solver gave up within `--budget 1`:\n" in out
    assert "    next: `--budget 40000000`, or a file with another solver\n" in out
    named = re.findall(r"^      (\S+\.smt2)$", out, re.M)
    assert len(named) >= 2 and "kozel-queries/small-induction-1.smt2" in [n.replace("\\", "/") for n in named]
    assert {p.name for p in (spec.parent / "kozel-queries").iterdir()} == {Path(n).name for n in named}
    for name in named:
        text = (spec.parent / name).read_text(encoding="utf-8")
        assert text.startswith("; small, spec ") and "(check-sat)" in text
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(text)
        assert str(solver.check()) in ("sat", "unsat")


def test_a_saved_query_is_the_one_that_was_asked(kozel: Kozel, tmp_path: Path) -> None:
    """One lemma, whose only query is `unsat` with a proper budget: it is proved; and it is `unsat` in the file."""
    spec = tmp_path / "small.kozel"
    lemma = "  lemma wide(g : 2..3 of pack, h : 2..2 of pack) : |g union h| <= 5 and |g intersect h| <= 2\n}\n"
    spec.write_text(COVERED.rstrip()[:-1] + lemma, encoding="utf-8")
    only = ("verify", spec, "--only", "wide", "--jobs", "1", "--save-queries", tmp_path / "q")
    enough = kozel(*only)
    assert "PROVED" in enough.out and not (tmp_path / "q").exists()
    said = kozel(*only, "--budget", "1", "--format", "json")
    data = json.loads(said.out)
    legs = {leg["method"]: leg["verdict"] for leg in data["obligations"][0]["legs"]}
    assert legs["smt"] == "UNKNOWN"
    if data["queries"]:
        (query,) = data["queries"]
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(Path(query["files"][0]).read_text(encoding="utf-8"))
        assert str(solver.check()) == "unsat"


def test_a_lemma_of_a_real_game_without_budget(kozel: Kozel, tmp_path: Path) -> None:
    """A lemma about groups, for which there is only the solver: UNKNOWN, exit code 3, a file for it alone."""
    game = ROOT / "spec" / "kozel_shokha.kozel"
    folder = tmp_path / "q"
    said = kozel("verify", game, "--only", "shokha_final", "--budget", "1", "--jobs", "1", "--save-queries", folder)
    assert said.code == 3
    assert "  UNKNOWN    shokha_final  smt\n" in said.out
    files = sorted(folder.iterdir())
    lines = [f"      {file}\n" for file in files]
    assert "    shokha_final: 2 queries saved in\n" + "".join(lines) in said.out
    answers = []
    for file in files:
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(file.read_text(encoding="utf-8"))
        answers.append(str(solver.check()))
    assert answers == ["sat", "unsat"]  # the premise can be true; and the lemma holds


def test_queries_that_cannot_be_saved(kozel: Kozel, spec: Path) -> None:
    """A warning; the verdicts stay, and no file is named."""
    (spec.parent / "file").write_text("", encoding="utf-8")
    said = kozel("verify", spec, "--budget", "1", "--jobs", "1", "--save-queries", spec.parent / "file" / "inside")
    assert said.code == 3
    assert said.err.count("warning: ") == 1 and "no query is saved" in said.err
    assert ".smt2" not in said.out


def test_nothing_is_saved_where_all_is_proved(clean: tuple[bytes, Path]) -> None:
    """No folder appears beside a verification that has no use for it."""
    assert {p.name for p in clean[1].parent.iterdir()} == {"small.kozel", "store"}


def test_a_used_up_budget_is_no_verdict_for_another(spec: Path, clean: tuple[bytes, Path]) -> None:
    """After a run without a budget in the same store, a proper budget proves all the same."""
    assert verified(spec, "--store", "store", "--budget", "1").returncode == 3
    assert verified(spec, "--store", "store").stdout == clean[0]


# --- seeds -----------------------------------------------------------------------------------------------------------


def test_the_spread_is_recorded(kozel: Kozel, spec: Path, clean: tuple[bytes, Path]) -> None:
    """Every query is asked with each seed; the record has the spread of each work and in all, and is well-formed."""
    proofs = spec.parent / "proofs"
    arguments = ("verify", spec, "--store", clean[1], "--proofs", proofs, "--jobs", "1", "--seeds", "3")
    said = kozel(*arguments)
    assert said.code == 0
    assert "3 seeds, budget 40,000,000 for each" in said.err
    found = stability.read(stability.path_of(proofs, "small"))
    assert found is not None
    assert (found.seeds, found.total.unknown, found.total.contradicted) == (3, 0, 0)
    assert found.total.queries > 20 and found.total.minimum > 0
    assert {s.work for s in found.works} >= {"induction", "no_peeking", "asymmetric"}
    text = stability.path_of(proofs, "small").read_bytes()
    assert kozel(*arguments).code == 0
    assert stability.path_of(proofs, "small").read_bytes() == text


def test_a_recorded_spread_is_checked(kozel: Kozel, spec: Path) -> None:
    """`--check-record` looks at its form, at the spec that it is of and for answers that exclude each other; a
    wrong one is exit code 3 or 2. Answers that were unknown with another seed are told, and no fault."""
    proofs = spec.parent / "proofs"
    path = stability.path_of(proofs, "small")
    assert kozel("verify", spec, "--jobs", "1", "--record", "--proofs", proofs).code == 0
    total = stability.Spread("all", 1, 5, 4, 5, 6, 6, 0, 0)
    right = json.loads((proofs / "small.json").read_text(encoding="utf-8"))["hash"]
    check = ("verify", spec, "--jobs", "1", "--check-record", "--proofs", proofs)
    for spread, hash_, code in [
        (total, right, 0),
        (total, "0" * 64, 3),
        (stability.Spread("all", 1, 5, 4, 5, 6, 6, 1, 0), right, 0),
        (stability.Spread("all", 1, 5, 4, 5, 6, 6, 0, 1), right, 3),
    ]:
        stability.write(path, stability.Stability("small", hash_, "z3", 40, 20, spread, (spread,)))
        assert kozel(*check).code == code
    path.write_text("{}", encoding="utf-8")
    assert kozel(*check).code == 2


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"seeds": 0},
        {"seeds": "20"},
        {"budget": 1.5},
        {"hash": 3},
        {"works": [{"work": "a"}]},
        {"total": None},
        {"total": {"work": "all", **dict.fromkeys(("queries", "units", "hardest", "unknown", "contradicted"), 1)}},
        {"more": 1},
    ],
)
def test_what_is_no_record_of_seeds(change: dict[str, object], tmp_path: Path) -> None:
    """A missing, foreign or impossible value is told, never passed over."""
    path = tmp_path / "a.json"
    row = stability.Spread("all", 1, 5, 4, 5, 6, 6, 0, 0)
    stability.write(path, stability.Stability("a", "h", "z3", 40, 20, row, (row,)))
    assert stability.read(path) is not None
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    with pytest.raises(BadManifest):
        stability.read(path)


def test_a_spread_that_cannot_be_recorded(kozel: Kozel, spec: Path, clean: tuple[bytes, Path]) -> None:
    """The verdicts and the spread are told all the same, then the error; a file that is no record, or a store that
    cannot be used, is refused before there is any work."""
    (spec.parent / "file").write_text("", encoding="utf-8")
    asked = ("verify", spec, "--jobs", "1", "--seeds", "1")
    said = kozel(*asked, "--store", clean[1], "--proofs", spec.parent / "file" / "below")
    assert (said.code, said.out.count(" promises: ")) == (2, 1)
    assert ", 1 seed, budget" in said.err and "error[usage]: " in said.err and "not a directory" in said.err
    path = stability.path_of(spec.parent / "proofs", "small")
    path.parent.mkdir(parents=True)
    path.write_text("[" * 200_000 + "]" * 200_000, encoding="utf-8")
    said = kozel(*asked, "--store", clean[1], "--proofs", spec.parent / "proofs")
    assert (said.code, said.out) == (2, "") and "this is no record of a solver's stability" in said.err
    said = kozel(*asked, "--store", spec.parent / "file" / "below")
    assert (said.code, said.out) == (2, "") and "name a folder that can be written" in said.err


def test_an_interruption_of_the_seeds_loses_no_verdict(
    kozel: Kozel, spec: Path, clean: tuple[bytes, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C while queries are asked again: what was verified before is told, no spread is recorded, and that it was
    interrupted is said; exit code 130."""
    monkeypatch.chdir(spec.parent)
    arguments = ("verify", spec.name, "-v", "--store", clean[1], "--jobs", "1")

    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(stability, "_answer", interrupted)
    said = kozel(*arguments, "--proofs", spec.parent / "proofs", "--seeds", "2")
    assert said.code == 130 and "interrupted: this is what was concluded before" in said.err
    assert said.out == clean[0].decode()
    assert not stability.path_of(spec.parent / "proofs", "small").exists()


def test_seeds_need_the_store_and_the_whole_spec(kozel: Kozel, spec: Path) -> None:
    """`--seeds` with `--no-store`, `--only` or a record is a usage error; so is a store that has lost a query."""
    for option in (("--no-store",), ("--only", "asymmetric"), ("--record",)):
        assert kozel("verify", spec, "--seeds", "2", *option).code == 2
    store = Store.opened(spec.parent / "store")
    with pytest.raises(stability.QueriesLost):
        stability._answer((str(store.folder), "no such key", 1))


def test_answers_both_ways_are_counted() -> None:
    """The negative control of the spread: an unknown answer and a contradiction are seen."""
    no = Unsatisfiable(10)
    calm = (no, (Unsatisfiable(8), Unsatisfiable(12), Unsatisfiable(9)))
    assert stability.spread("w", [calm, calm]) == stability.Spread("w", 2, 20, 16, 18, 24, 12, 0, 0)
    shaken = (no, (Unsatisfiable(8), Unknown("", 99), Model({}, 7)))
    found = stability.spread("w", [calm, shaken])
    assert (found.unknown, found.contradicted, found.hardest) == (1, 1, 99)
