"""``kozel mutate``: would the properties of a spec notice a fault in its rules?"""

from collections.abc import Sequence
from pathlib import Path

import click

from kozel_verify.cli.console import complain, progress, say, say_json
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.problems import place
from kozel_verify.cli.specs import open_spec
from kozel_verify.verify.mutate import QUICK, Judge, Judged, Notice, sample

NOTICED, REFUTED, SURVIVED = 0, 1, 3


@click.command("mutate", short_help="Plant faults in rules, and see which property notices.")
@click.argument("spec", metavar="SPEC")
@click.option("--sample", "size", type=click.IntRange(1), default=40, show_default=True, help="Mutants to judge.")
@click.option("--seed", type=click.IntRange(0, 2**64 - 1), default=1, show_default=True, help="Which ones.")
@click.option("--prove", is_flag=True, help="Ask solver and induction too, about those that nothing else notices.")
@format_option
def command(spec: str, size: int, seed: int, prove: bool, format: str) -> int:
    """Plant small faults in the rules of a spec, one at a time, and tell which property notices each first.

    Exit code 0: each sampled fault is noticed (or means no game); 3: some are not; 1: a property fails for the spec
    itself.
    """
    loaded = open_spec(spec)
    judge = Judge(loaded, QUICK, prove)
    with progress(f"mutating {loaded.game.name}:") as shown:
        own = judge.original()
        if own is not None:
            complain(f"error[refuted]: `{own.obligation}` fails for the spec as it is; see `kozel verify`")
            complain(*(f"  {line}" for line in own.lines))
            return REFUTED
        chosen, number = sample(loaded, size, seed)
        judged: list[Judged] = []
        for mutant in chosen:
            shown.at(len(judged), len(chosen), mutant.id)
            judged.append(judge.judge(mutant))
    counts = _counts(judged, number)
    if format == "json":
        say_json({"summary": counts, "mutants": [_data(j) for j in judged]})
    else:
        say(f"{loaded.game.name} ({loaded.path})", *(line for j in judged for line in _lines(j)), _summary(counts))
    return SURVIVED if counts["survived"] else NOTICED


def _counts(judged: Sequence[Judged], number: int) -> dict[str, int]:
    return {
        "mutants": number,
        "sampled": len(judged),
        "killed": sum(j.notice is not None for j in judged),
        "survived": sum(j.survived for j in judged),
        "invalid": sum(bool(j.invalid) for j in judged),
    }


def _summary(counts: dict[str, int]) -> str:
    noticed = f"{counts['killed']} noticed, {counts['survived']} not noticed, {counts['invalid']} mean no game"
    return f"  {counts['sampled']} of {counts['mutants']} faults planted: {noticed}"


def _status(j: Judged) -> str:
    return "invalid" if j.invalid else "survived" if j.survived else "killed"


def _lines(j: Judged) -> list[str]:
    span = j.mutant.span
    head = f"  {_status(j).upper():<8} {Path(span.file).name}:{span.line}:{span.column}  {j.mutant.description}"
    inside = " " * 11
    if j.invalid:
        return [head, f"{inside}{j.invalid}"]
    if j.notice is None:
        return [head, f"{inside}no property notices it"]
    return [head, f"{inside}{_noticed(j.notice)}", *(f"{inside}  {line}" for line in j.notice.lines)]


def _noticed(notice: Notice) -> str:
    return f"`{notice.obligation}` is {notice.verdict.value.lower()} ({notice.method})"


def _data(j: Judged) -> dict[str, object]:
    notice = j.notice
    return {
        "id": j.mutant.id,
        "kind": j.mutant.kind.value,
        "item": j.mutant.name,
        **place(j.mutant.span),
        "description": j.mutant.description,
        "status": _status(j),
        "invalid": j.invalid or None,
        "obligation": notice and notice.obligation,
        "verdict": notice and notice.verdict.value,
        "method": notice and notice.method,
        "lines": list(notice.lines) if notice else [],
    }
