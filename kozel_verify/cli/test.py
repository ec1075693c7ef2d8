"""``kozel test``: do the examples and scenarios of these specs hold?"""

from collections.abc import Sequence
from pathlib import Path

import click

from kozel_verify.cli.console import progress, say, say_json
from kozel_verify.cli.formats import format_option, only_option
from kozel_verify.cli.problems import excerpt, place
from kozel_verify.cli.specs import Misuse, nearest, open_spec
from kozel_verify.model.core import Example, Scenario
from kozel_verify.model.load import Spec
from kozel_verify.verify.examples import Tried, try_one, written_out
from kozel_verify.verify.explain import source_text

WIDTH = 88  # characters of an example's text that are shown


@click.command("test", short_help="Run the examples and scenarios of specs.")
@click.argument("specs", metavar="SPEC...", nargs=-1, required=True)
@only_option
@format_option
def command(specs: tuple[str, ...], only: tuple[str, ...], format: str) -> int:
    """Run the examples and scenarios of specs through the reference interpreter."""
    loaded = [open_spec(argument) for argument in specs]
    chosen = [(spec, _chosen(spec, only)) for spec in loaded]
    _require_found(loaded, only)
    results: list[tuple[Spec, list[Tried]]] = []
    total = sum(len(items) for _, items in chosen)
    with progress("testing") as shown:
        for spec, items in chosen:
            tried: list[Tried] = []
            results.append((spec, tried))
            for item in items:
                shown.at(sum(len(t) for _, t in results), total, item.name)
                tried.append(try_one(spec.game, item, spec.program.files))
    if format == "json":
        say_json({"specs": [_data(spec, tried) for spec, tried in results]})
    else:
        for spec, tried in results:
            say(*_lines(spec, tried))
    return 0 if all(t.holds for _, tried in results for t in tried) else 1


def _chosen(spec: Spec, only: Sequence[str]) -> list[Example | Scenario]:
    return [item for item in written_out(spec.game) if not only or item.name in only]


def _require_found(specs: Sequence[Spec], only: Sequence[str]) -> None:
    known = [item.name for spec in specs for item in written_out(spec.game)]
    for name in only:
        if name not in known:
            raise Misuse(f"there is no example or scenario `{name}`", nearest(name, known))


def _lines(spec: Spec, tried: Sequence[Tried]) -> list[str]:
    lines = [f"{spec.path}: {spec.game.name}"]
    width = max((len(f"{Path(t.span.file).name}:{t.span.line}") for t in tried), default=0)
    for t in tried:
        mark = "ok    " if t.holds else "FAILED"
        lines.append(f"  {mark} {f'{Path(t.span.file).name}:{t.span.line}':<{width}}  {_title(spec, t)}")
        if not t.holds:
            lines += [f"         {line}" for line in _why(spec, t)]
    failed = sum(not t.holds for t in tried)
    return [*lines, f"  {len(tried) - failed} hold" + (f", {failed} fail" if failed else "")]


def _title(spec: Spec, t: Tried) -> str:
    text = source_text(spec.program.files, t.span) if t.name.startswith("example") else f'"{t.name}"'
    text = text if len(text) <= WIDTH else text[: WIDTH - 3] + "..."
    return f"{t.name}: {text.removeprefix('example ')}" if t.name.startswith("example") else text


def _why(spec: Spec, t: Tried) -> list[str]:
    head = [f"--> {t.at}"]
    if t.at != t.span:
        text = spec.program.files.get(t.at.file, "").split("\n")
        head += excerpt(t.at, text, len(str(t.at.end_line)))
    return [*head, *t.explanation]


def _data(spec: Spec, tried: Sequence[Tried]) -> dict[str, object]:
    return {
        "file": spec.path,
        "name": spec.game.name,
        "results": [
            {
                "name": t.name,
                "kind": t.kind.value,
                "holds": t.holds,
                **place(t.span),
                "failed_at": None if t.holds else place(t.at),
                "explanation": list(t.explanation),
            }
            for t in tried
        ],
    }
