"""``kozel check``: are these specs well formed?"""

import click

from kozel_verify.cli.console import complain, say, say_json
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.problems import as_data, report
from kozel_verify.cli.specs import open_spec
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.model.load import Spec


@click.command("check", short_help="Read specs: words, names, types, citations.")
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
@format_option
def command(specs: tuple[str, ...], format: str) -> int:
    """Read specs and report every mistake in words, names, types and citations, on the full pack and on each smaller
    pack of the spec."""
    loaded: list[Spec] = []
    notes: dict[Diagnostic, str] = {}
    for argument in specs:
        try:
            spec = open_spec(argument)
        except SpecError as error:
            notes |= dict.fromkeys(error.diagnostics, "")
            continue
        wrong = on_small_packs(spec)
        notes |= {problem: note for problem, note in wrong.items() if problem not in notes}
        if not wrong:
            loaded.append(spec)
    if format == "json":
        say_json({"specs": [_summary(s) for s in loaded], "errors": [as_data(p, n) for p, n in notes.items()]})
    else:
        say(*(_line(spec) for spec in loaded))
        complain(*report(notes, notes), *_count(notes))
    return 2 if notes else 0


def on_small_packs(spec: Spec) -> dict[Diagnostic, str]:
    """What is wrong with the same rules on the spec's smaller packs, each with the packs on which it is."""
    found: dict[Diagnostic, list[str]] = {}
    for pack in spec.packs:
        try:
            spec.small(pack)
        except SpecError as error:
            for problem in error.diagnostics:
                found.setdefault(problem, []).append(f"`{pack}`")
    return {problem: "on the pack " + ", ".join(packs) for problem, packs in found.items()}


def _line(spec: Spec) -> str:
    packs = "; packs " + ", ".join(spec.packs) if spec.packs else ""
    number = len(spec.game.properties)
    return f"ok: {spec.path}: {spec.game.name}, {'1 property' if number == 1 else f'{number} properties'}{packs}"


def _count(problems: dict[Diagnostic, str]) -> list[str]:
    if not problems:
        return []
    files = len({problem.span.file for problem in problems})
    errors = "1 error" if len(problems) == 1 else f"{len(problems)} errors"
    return ["", f"{errors} in {'1 file' if files == 1 else f'{files} files'}"]


def _summary(spec: Spec) -> dict[str, object]:
    return {
        "file": spec.path,
        "name": spec.game.name,
        "hash": spec.hash,
        "packs": list(spec.packs),
        "nodes": len(spec.game.nodes),
        "properties": len(spec.game.properties),
    }
