"""Bad specs with their errors inside: the comment lines `#! …` at the end say what the tool reports.

``python -m tests.language.golden`` writes what it reports now into all of them: look at the difference before you keep
it.
"""

from pathlib import Path

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.spans import Span
from kozel_verify.model.load import load_text
from kozel_verify.model.program import read_text

ROOT = Path(__file__).resolve().parents[2]
BAD = sorted((ROOT / "tests" / "specs" / "bad").glob("*.kozel"))
_MARK = "#! "


def spec_and_expected(path: Path) -> tuple[str, str]:
    """The text of the spec itself, and the lines that it expects."""
    lines = read_text(path).split("\n")
    spec = [line for line in lines if not line.startswith(_MARK)]
    expected = [line for line in lines if line.startswith(_MARK)]
    return "\n".join(spec), "".join(f"{line}\n" for line in expected)


def reported(path: Path) -> str:
    """What the tool reports about a spec, in the form of the expected lines."""
    text, _ = spec_and_expected(path)
    try:
        load_text(text, str(path))
    except SpecError as e:
        return "".join(_lines(d, path) for d in e.diagnostics)
    return f"{_MARK}no error\n"


def _lines(d: Diagnostic, path: Path) -> str:
    here = Span(str(path), 0, 0, 0, 0).file
    file = "" if d.span.file == here else Path(d.span.file).name + " "
    lines = [f"{file}{_place(d.span)} {d.code}: {d.message}"]
    if d.hint:
        lines.append(f"  hint: {d.hint}")
    if d.fix is not None:
        lines.append(f"  fix: {_place(d.fix.span)} `{d.fix.text}`")
    parents = (str(path.parent) + "/", str(ROOT) + "/")
    text = "".join(f"{_MARK}{line}\n" for line in lines)
    for parent in parents:  # messages name files as they were given
        text = text.replace(parent, "")
    return text


def _place(s: Span) -> str:
    return f"{s.line}:{s.column}-{s.end_line}:{s.end_column}"


def promote() -> None:
    for path in BAD:
        text, expected = spec_and_expected(path)
        now = reported(path)
        if now != expected:
            path.write_text(text.rstrip("\n") + "\n" + now, encoding="utf-8", newline="\n")
            print(f"changed: {path.name}")


if __name__ == "__main__":
    promote()
