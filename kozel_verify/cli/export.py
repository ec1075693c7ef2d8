"""``kozel export``: a standalone engine, compared with the reference before it is written."""

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from kozel_verify.cli.console import complain, progress, say, say_json
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.specs import Misuse, counted_promises, open_spec
from kozel_verify.export.python.module import Obligation, export_python
from kozel_verify.language.folders import data_folder
from kozel_verify.model.load import Spec
from kozel_verify.verify.engine_check import Report, validate_engine
from kozel_verify.verify.findings import Exit, Verdict
from kozel_verify.verify.manifest import BadManifest, Manifest, manifest_of, read
from kozel_verify.verify.run import Progress, verify_spec
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import covering_options

OURS = '"""A rules engine, generated from the formal spec of a card game.'
BAD = (Verdict.REFUTED.value, Verdict.DISAGREE.value)


@click.command("export", short_help="Write a standalone engine.")
@click.argument("spec", metavar="SPEC")
@click.option("--target", type=click.Choice(["python"]), default="python", show_default=True, help="The language.")
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where to write NAME.py (default: here).",
)
@click.option(
    "--deals",
    type=click.IntRange(1),
    default=500,
    show_default=True,
    help="Deals compared, shared out among the option sets that are tried, at least one for each.",
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the deals compared.")
@click.option("--unverified", is_flag=True, help="Do not verify; the engine's header says so.")
@click.option("--allow-refuted", is_flag=True, help="Write it though a promise is refuted; the header says so.")
@click.option("--jobs", type=click.IntRange(1), help="Processes for verifying.  [default: one for each processor]")
@format_option
def command(
    spec: str,
    target: str,
    output: Path,
    deals: int,
    seed: int,
    unverified: bool,
    allow_refuted: bool,
    jobs: int | None,
    format: str,
) -> int:
    """Write a standalone engine: one file without dependencies.

    What is known about the spec's promises stands in it: from the record of exactly this spec in `proofs`, else from a
    verification that is done first. Before it is written, the engine is compared with the reference: its functions,
    and whole deals and matches under each option. Exit code 1: a promise is refuted; 4: the engine differs.
    """
    loaded = open_spec(spec)
    path = output / f"{loaded.game.name}.py"
    _require_ours(path)
    known = None if unverified else _known(loaded, jobs or os.cpu_count() or 1)
    refuted = [o.name for o in known or () if o.verdict in BAD]
    if refuted and not allow_refuted:
        names = ", ".join(f"`{name}`" for name in refuted)
        complain(f"error[refuted]: {names} of `{loaded.game.name}` does not hold: nothing is written")
        complain(f"  = hint: see `kozel verify {spec}`, or add `--allow-refuted`")
        return Exit.REFUTED
    source = export_python(loaded.game, spec_hash=loaded.hash, obligations=known)
    with progress("comparing the engine with the reference"):
        options = covering_options(loaded.game)
        report = validate_engine(loaded.game, source, options, -(-deals // len(options)), seed)
    if report.equal:
        _write(path, source)
    if format == "json":
        say_json(_data(loaded, path, known, report))
    else:
        say(*_lines(loaded, path, known, report))
    return 0 if report.equal else Exit.DISAGREE


def _known(spec: Spec, jobs: int) -> list[Obligation]:
    """What is known about the spec's promises: recorded for exactly these texts, or found now."""
    settings = Settings(jobs=jobs)
    for folder in (Path("proofs"), data_folder("proofs")):
        try:
            recorded = read(folder / f"{spec.game.name}.json")
        except (BadManifest, OSError):
            continue
        if recorded is not None and recorded.hash == spec.hash:
            return _obligations(recorded)
    with progress(f"verifying {spec.game.name}:") as shown:
        report = verify_spec(spec, settings, Progress(shown.at))
    if not report.complete:
        raise KeyboardInterrupt
    return _obligations(manifest_of(report, settings))


def _obligations(manifest: Manifest) -> list[Obligation]:
    found = []
    for name, entry in manifest.obligations.items():
        legs = entry["legs"]
        assert isinstance(legs, list)
        methods = [str(leg["method"]) for leg in legs if isinstance(leg, dict) and leg["verdict"] == entry["verdict"]]
        found.append(Obligation(name, str(entry["verdict"]), " + ".join(dict.fromkeys(methods))))
    return found


def _require_ours(path: Path) -> None:
    """What is overwritten must be an engine that was exported before."""
    if path.exists() and not (path.is_file() and path.read_text(encoding="utf-8", errors="replace").startswith(OURS)):
        raise Misuse(f"`{path}` is there already, and no exported engine", "choose another folder with `-o`")


def _write(path: Path, source: str) -> None:
    """All of it or nothing: readers of an older engine never see half of the new one."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with open(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(source)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise Misuse(f"`{path}` cannot be written: {(error.strerror or 'no reason given').lower()}") from error


def _lines(spec: Spec, path: Path, known: Sequence[Obligation] | None, report: Report) -> list[str]:
    if not report.equal:
        head = f"the engine of {spec.game.name} is not what the reference is, by a fault of kozel; nothing is written"
        return [head, *(f"  {text}" for text in report.differences or ("something was not compared at all",))]
    checked = {how: [c for c in report.checks if c.how == how] for how in ("whole domain", "sampled")}
    lines = [f"wrote {path}: {spec.game.name}"]
    lines.append("  unverified" if known is None else f"  {counted_promises(len(known))}: {_verdicts(known)}")
    for how, checks in checked.items():
        cases = sum(c.cases for c in checks)
        many = "1 comparison" if len(checks) == 1 else f"{len(checks)} comparisons"
        lines.append(f"  equal to the reference in {many} ({how}), {cases:,} cases")
    return lines


def _verdicts(known: Sequence[Obligation]) -> str:
    counts = {v.value: sum(o.verdict == v.value for o in known) for v in Verdict}
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _data(spec: Spec, path: Path, known: Sequence[Obligation] | None, report: Report) -> dict[str, object]:
    return {
        "name": spec.game.name,
        "hash": spec.hash,
        "file": str(path) if report.equal else None,
        "verified": known is not None,
        "obligations": [{"name": o.name, "verdict": o.verdict, "how": o.how} for o in known or ()],
        "checks": [
            {"name": c.name, "how": c.how, "cases": c.cases, "differences": list(c.differences)} for c in report.checks
        ],
        "equal": report.equal,
    }
