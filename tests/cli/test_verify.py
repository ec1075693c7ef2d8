"""`kozel verify`."""

import json
import re
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from kozel_verify.cli import verify
from kozel_verify.model.load import Spec, load
from kozel_verify.verify.cluster import ClusterFault
from kozel_verify.verify.findings import Counterexample, Kind, Leg, Obligation, Verdict, conclude
from kozel_verify.verify.run import Report, Work
from kozel_verify.verify.settings import Settings
from tests.cli.conftest import Kozel, Said
from tests.cli.run import kozel as process

Variant = Callable[[str], Path]
HOLDS = conclude("one", Kind.LEMMA, [Leg("enumeration", Verdict.ENUMERATED, 12, 12, 5)], seconds=1.5)
PROVED = conclude("two", Kind.INVARIANT, [Leg("induction", Verdict.PROVED)], citations=["X-A1"])
CLOSED = conclude("three", Kind.INVARIANT, [Leg("closure of pack `tiny`", Verdict.CLOSED, 7, 7, None, "9 transitions")])
REFUTED = conclude(
    "four",
    Kind.LEMMA,
    [Leg("enumeration", Verdict.REFUTED, 12, 12, 11)],
    Counterexample(None, {}, "", True, explanation=("x = 6♠", "`beats(x, x)` holds"), scenario='scenario "it" {\n}\n'),
    citations=["X-A1"],
)
DISAGREE = conclude(
    "five",
    Kind.LEMMA,
    [Leg("enumeration", Verdict.ENUMERATED, 12, 12, 5), Leg("other enumeration", Verdict.ENUMERATED, 12, 12, 6)],
)


@pytest.fixture
def told(kozel: Kozel, small: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Said]:
    """Runs the command on a verification with the given end."""

    def run(
        *arguments: str | Path, ends: tuple[Obligation, ...], complete: bool = True, left: tuple[Work, ...] = ()
    ) -> Said:
        monkeypatch.setattr(
            verify, "verify_spec", lambda spec, settings, progress: Report(spec, ends, complete, left=left)
        )
        return kozel("verify", small, *arguments)

    return run


def test_all_holds(told: Callable[..., Said], small: Path) -> None:
    """What holds is one line each, with verdict, method and counts; then a summary; exit code 0."""
    assert told(ends=(HOLDS, PROVED)) == (
        0,
        f"small ({small})\n"
        "  ENUMERATED one  enumeration: 12 cases, holds in 5\n"
        "  PROVED     two  induction\n"
        "  2 promises: 1 proved, 1 enumerated\n\n",
        "",
    )


def test_refuted(told: Callable[..., Said]) -> None:
    """What does not hold is explained, with its place in the source and a scenario to paste; exit code 1."""
    said = told(ends=(HOLDS, REFUTED))
    assert said.code == 1
    assert (
        "  REFUTED    four  enumeration: 12 cases, holds in 11\n"
        "             stated at X-A1\n"
        "             x = 6♠\n"
        "             `beats(x, x)` holds\n"
        '             scenario "it" {\n'
        "             }\n"
    ) in said.out


@pytest.mark.parametrize(
    "ends, code", [((CLOSED,), 3), ((), 3), ((PROVED, CLOSED), 3), ((REFUTED, CLOSED), 1), ((REFUTED, DISAGREE), 4)]
)
def test_exit_codes(told: Callable[..., Said], ends: tuple[Obligation, ...], code: int) -> None:
    """Weaker than a proof is 3, refuted is 1, methods that disagree are 4; the loudest decides."""
    assert told(ends=ends).code == code


def test_an_interruption(told: Callable[..., Said]) -> None:
    """After Ctrl-C what was concluded is reported, as valid JSON where that is asked; exit code 130."""
    said = told("--format", "json", ends=(PROVED,), complete=False)
    data = json.loads(said.out)
    assert said.code == 130
    assert said.err == "interrupted: this is what was concluded before\n"
    assert (data["complete"], data["exit"]) == (False, 130)
    assert [o["name"] for o in data["obligations"]] == ["two"]


def test_what_an_interruption_left(told: Callable[..., Said], small: Path) -> None:
    """Of each promise it is told which methods have ended and which have not; those of which nothing is known are told
    together; JSON has the works. A finished verification says nothing of the kind."""
    left = [Work("induction", (), ("two", "ends", "a b"))] + 2 * [Work("closure", ("tiny", {}), ("two",))]
    said = told(ends=(HOLDS, PROVED), complete=False, left=tuple(left))
    assert said.out == (
        f"small ({small})\n"
        "  ENUMERATED one  enumeration: 12 cases, holds in 5\n"
        "  PROVED     two  induction\n"
        "             done: induction\n"
        "             not done: induction, closure of pack `tiny` (2 sets of options)\n"
        "  2 promises: 1 proved, 1 enumerated\n"
        "  nothing is concluded of 2 promises\n"
        '             ends, "a b"\n'
        "             not done: induction\n\n"
    )
    assert said.err == "interrupted: this is what was concluded before; 3 works had not ended\n"
    data = json.loads(told("--format", "json", ends=(HOLDS,), complete=False, left=tuple(left[:1])).out)
    assert data["left"] == [{"work": "induction", "serves": ["two", "ends", "a b"]}]
    assert "done" not in told(ends=(HOLDS, PROVED)).out


def test_an_interruption_before_anything(told: Callable[..., Said]) -> None:
    """Where nothing was concluded no promises are counted; in a finished verification without any they are."""
    assert told(ends=(), complete=False) == (130, "", "interrupted: nothing was concluded before\n")
    assert "0 promises: none" in told(ends=()).out


def test_a_lost_process(kozel: Kozel, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the system ends a process that verifies, that is said; nothing is shown: exit code 3, no traceback."""

    def lost(*_: object) -> None:
        raise BrokenProcessPool

    monkeypatch.setattr(verify, "verify_spec", lost)
    said = kozel("verify", small)
    assert (said.code, said.out) == (3, "")
    assert said.err.startswith("error[stopped]: a process that verified was ended from outside")


def test_a_cluster_that_is_not_there(kozel: Kozel, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An executor that is none is a usage error; one that does not answer ends with exit code 3 and a hint."""
    said = kozel("verify", small, "--executor", "tcp://localhost:9")
    assert (said.code, said.out) == (2, "")
    assert "`tcp://localhost:9` is no executor" in said.err and "`dask://localhost:8786`" in said.err

    def lost(spec: Spec, settings: Settings, progress: object) -> Report:
        assert settings.executor == "dask://localhost:9"
        raise ClusterFault("no scheduler answers", "start one")

    monkeypatch.setattr(verify, "verify_spec", lost)
    assert kozel("verify", small, "--executor", "dask://localhost:9") == (
        3,
        "",
        "error[stopped]: no scheduler answers\n  = hint: start one\n",
    )


def test_json(told: Callable[..., Said]) -> None:
    """JSON has every leg, the citations and the counterexample, and the seconds."""
    said = told("--format", "json", ends=(HOLDS, REFUTED))
    data = json.loads(said.out)
    one, four = data["obligations"]
    assert (one["verdict"], one["cases"], one["holds"]) == ("ENUMERATED", 12, 5)
    assert one["seconds"] >= 0
    assert four["citations"] == ["X-A1"]
    assert four["counterexample"]["scenario"] == 'scenario "it" {\n}\n'
    assert data["exit"] == 1


def test_verbose(told: Callable[..., Said]) -> None:
    """`--verbose` tells what each method found, also where all is well."""
    assert "\n             proved by induction\n" in told("--verbose", ends=(PROVED,)).out
    assert "proved by induction" not in told(ends=(PROVED,)).out


# --- records ---------------------------------------------------------------------------------------------------------


def test_a_record(told: Callable[..., Said], small: Path) -> None:
    """A recorded verification is found to be as recorded; any difference is told and is exit code 3."""
    proofs = small.parent / "proofs"
    assert told("--record", "--proofs", proofs, ends=(HOLDS, PROVED)).code == 0
    assert told("--check-record", "--proofs", proofs, ends=(HOLDS, PROVED)).code == 0
    said = told("--check-record", "--proofs", proofs, ends=(HOLDS,))
    assert said.code == 3
    assert "small: `two` is recorded, but promised no more\n" in said.out
    data = json.loads(told("--check-record", "--proofs", proofs, "--format", "json", ends=(HOLDS,)).out)
    assert data["record"] == ["small: `two` is recorded, but promised no more"]


def test_no_record(told: Callable[..., Said], small: Path) -> None:
    """Where nothing is recorded the check says so: it is never green by absence."""
    said = told("--check-record", "--proofs", small.parent / "none", ends=(PROVED,))
    assert said.code == 3
    assert "nothing is recorded for small; `--proofs DIR` names another folder of proofs\n" in said.out


def test_a_promise_is_not_dropped_in_silence(told: Callable[..., Said], small: Path) -> None:
    """A record without a promise that was in it needs a reason, which is kept."""
    proofs = small.parent / "proofs"
    told("--record", "--proofs", proofs, ends=(HOLDS, PROVED))
    said = told("--record", "--proofs", proofs, ends=(HOLDS,))
    assert said.code == 2
    assert "`two` is recorded and promised no more: say why with `--reason`" in said.err
    assert told("--record", "--proofs", proofs, "--reason", "stated twice", ends=(HOLDS,)).code == 0
    data = json.loads((proofs / "small.json").read_text(encoding="utf-8"))
    assert data["dropped"] == {"two": "stated twice"}


def test_a_part_held_against_a_record(told: Callable[..., Said], small: Path) -> None:
    """With `--only` the record is compared in what it says of those promises; a difference there is told."""
    proofs = small.parent / "proofs"
    told("--record", "--proofs", proofs, ends=(HOLDS, PROVED))
    small.write_text(small.read_text(encoding="utf-8").replace("worth == 3", "3 == worth"), encoding="utf-8")
    said = told("--check-record", "--proofs", proofs, "--only", "conservation", ends=())
    assert said.code == 3 and said.out.endswith("small: the spec is not the one that is recorded\n")


def test_a_part_is_found_as_the_whole(kozel: Kozel, small: Path) -> None:
    """All methods are used of a part, too, where it is held against the record of the whole."""
    proofs = small.parent / "proofs"
    assert kozel("verify", small, "--jobs", "1", "--record", "--proofs", proofs).code in (0, 3)
    check = ("verify", small, "--jobs", "1", "--check-record", "--proofs", proofs)
    names = ("--only", "conservation", "--only", "never_stuck", "--only", "both lay a card")
    assert "was" not in kozel(*check, *names).out
    path = proofs / "small.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"PROVED"', '"CLOSED"', 1), encoding="utf-8")
    said = kozel(*check, *names)
    assert said.code == 3 and 'small: conservation: verdict was "CLOSED", is "PROVED"' in said.out


def test_a_record_is_of_a_whole_spec(told: Callable[..., Said], small: Path) -> None:
    """`--only` and records do not go together, and a file that is no record is a usage error."""
    assert told("--record", "--only", "conservation", ends=(PROVED,)).code == 2
    (small.parent / "small.json").write_text("[]", encoding="utf-8")
    said = told("--check-record", "--proofs", small.parent, ends=(PROVED,))
    assert said.code == 2
    assert "this is no record of a verification" in said.err


@pytest.mark.parametrize("option", ["--record", "--check-record"])
def test_a_broken_record_is_refused_at_once(
    kozel: Kozel, small: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    """A file that is no record is told of before anything is verified: no work is lost by it."""
    monkeypatch.setattr(verify, "verify_spec", None)
    monkeypatch.setattr(verify, "_verified", lambda *_: pytest.fail("it began to verify"))
    (small.parent / "small.json").write_text('{"format": 1, "obligations": []}', encoding="utf-8")
    said = kozel("verify", small, option, "--proofs", small.parent)
    assert (said.code, said.out) == (2, "")
    assert f"{small.parent / 'small.json'}: this is no record of a verification: `obligations` is no object" in said.err
    assert "  = hint: mend the file, or take it away\n" in said.err


def test_what_cannot_be_recorded_is_told(told: Callable[..., Said], small: Path) -> None:
    """Where the record cannot be written, or may not be, the verdicts are told all the same; then the error."""
    (small.parent / "file").write_text("", encoding="utf-8")
    said = told("--record", "--proofs", small.parent / "file" / "below", ends=(HOLDS, PROVED))
    assert said.code == 2 and "  2 promises: 1 proved, 1 enumerated\n" in said.out
    assert said.err.startswith("error[usage]: ") and "not a directory" in said.err
    proofs = small.parent / "proofs"
    told("--record", "--proofs", proofs, ends=(HOLDS, PROVED))
    said = told("--record", "--proofs", proofs, "--format", "json", ends=(HOLDS,))
    data = json.loads(said.out)
    assert (said.code, data["exit"]) == (2, 2) and [o["name"] for o in data["obligations"]] == ["one"]
    said = told("--record", "--proofs", proofs, "--reason", "\udcff", ends=(HOLDS,))
    assert said.code == 2 and "what is to be written is no text" in said.err


def test_an_interrupted_verification_is_not_recorded(told: Callable[..., Said], small: Path) -> None:
    """Half a verification never becomes a record."""
    assert told("--record", "--proofs", small.parent / "proofs", ends=(PROVED,), complete=False).code == 130
    assert not (small.parent / "proofs").exists()


# --- with everything behind it ---------------------------------------------------------------------------------------


def test_the_small_game(kozel: Kozel, small: Path) -> None:
    """The promises of every game hold in the small one, its own too."""
    said = kozel("verify", small, "--jobs", "1", "--format", "json")
    data: dict[str, Any] = json.loads(said.out)
    names = {o["name"]: o["verdict"] for o in data["obligations"]}
    assert {"conservation", "well_defined", "never_stuck"} <= names.keys()
    assert names["both lay a card"] == "ENUMERATED"
    assert "REFUTED" not in names.values()


def without_seconds(out: bytes) -> bytes:
    return re.sub(rb'"seconds": [0-9.e-]+', b"", out)


def test_the_number_of_jobs_changes_nothing(small: Path) -> None:
    """The same bytes for every number of processes, as text and, but for the seconds, as JSON."""
    for form in ("text", "json"):
        one, two = (process("verify", str(small), "--jobs", jobs, "--format", form, "-v") for jobs in ("1", "2"))
        assert (one.returncode, two.returncode) == (3, 3)  # no rule reads its option `mood`
        assert without_seconds(one.stdout) == without_seconds(two.stdout)
        assert b"never_stuck" in one.stdout


def test_a_false_lemma(kozel: Kozel, variant: Variant) -> None:
    """A lemma that does not hold is refuted with a case; exit code 1."""
    said = kozel(
        "verify", variant("  lemma none_equal(x : Card, y : Card) : beats(x, y) or beats(y, x)"), "--only", "none_equal"
    )
    assert said.code == 1
    assert "  REFUTED    none_equal" in said.out
    assert "x = " in said.out


def test_only_what_is_there(kozel: Kozel, small: Path) -> None:
    """A name that no spec has is a usage error with the nearest; specs without it are left out."""
    said = kozel("verify", small, "--only", "never_stack")
    assert said.code == 2
    assert "did you mean `never_stuck`?" in said.err


def test_names_with_a_comma_between(kozel: Kozel, small: Path) -> None:
    """Several names in one `--only` are told to be given apart; a comma alone is not taken for that."""
    said = kozel("verify", small, "--only", "never_stuck,conservation")
    assert said.code == 2 and "give each name an `--only` of its own" in said.err
    assert "of its own" not in kozel("verify", small, "--only", "never_stuck,").err


def test_which_specs(small: Path) -> None:
    """With `--only`, specs that have nothing of that name are not verified."""
    specs: list[Spec] = [load(small)]
    assert verify._wanted(specs, []) == specs
    assert verify._wanted(specs, ["example_1"]) == specs
