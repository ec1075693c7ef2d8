"""The registry of error codes: complete, true, and made into a page."""

import re
from pathlib import Path

import pytest

from kozel_verify.language.codes import CODES, Code, file_of, markdown
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.model.load import load, load_text

ROOT = Path(__file__).resolve().parents[2]
WITH_TEXT = {name: code for name, code in CODES.items() if code.example}


def unmarked(text: str, file: str) -> tuple[str, tuple[str, int, int, int, int] | None]:
    """The text without its marks, and the place that they mark."""
    if "«" not in text:
        return text, None
    before, rest = text.split("«")
    inside, after = rest.split("»")

    def place(upto: str) -> tuple[int, int]:
        return upto.count("\n") + 1, len(upto) - upto.rfind("\n")

    return before + inside + after, (file, *place(before), *place(before + inside))


def errors_of(text: str, files: dict[str, str]) -> list[Diagnostic]:
    def read(name: str, beside: str) -> tuple[str, str] | None:
        return (files[name], file_of(name)) if name in files else None

    try:
        load_text(text, "spec.kozel", read)
    except SpecError as e:
        return e.diagnostics
    return []


@pytest.mark.parametrize("name", WITH_TEXT)
def test_example_has_the_error_at_its_mark(name: str) -> None:
    """Each example has exactly one error: of its code, at the marked place, with a hint or a message that says more."""
    code: Code = CODES[name]
    texts = {name: unmarked(text, file_of(name)) for name, text in code.files.items()}
    text, place = unmarked(code.text(), "spec.kozel")
    place = place or next(p for _, p in texts.values() if p is not None)
    found = errors_of(text, {name: t for name, (t, _) in texts.items()})
    assert [d.code for d in found] == [name], found
    s = found[0].span
    assert (s.file, s.line, s.column, s.end_line, s.end_column) == place


@pytest.mark.parametrize("name", [n for n, c in WITH_TEXT.items() if c.frame != "file"])
def test_frame_is_sound(name: str) -> None:
    """Without the example the frame has no error: the example alone is at fault."""
    empty = Code("", "", "", CODES[name].frame)
    assert errors_of(empty.text(), {}) == []


def test_errors_of_files(tmp_path: Path) -> None:
    """The codes without an example are those of files that hold no text."""
    assert {n for n in CODES if n not in WITH_TEXT} == {"unreadable", "not-utf8"}
    with pytest.raises(SpecError) as missing:
        load(tmp_path / "none.kozel")
    assert [d.code for d in missing.value.diagnostics] == ["unreadable"]
    broken = tmp_path / "broken.kozel"
    broken.write_bytes(b"language 1\n# \xff\n")
    with pytest.raises(SpecError) as garbled:
        load(broken)
    assert [(d.code, d.span.line) for d in garbled.value.diagnostics] == [("not-utf8", 2)]


def test_every_code_in_the_source_is_registered() -> None:
    """A code that some part of the front end reports has an entry, and every entry is reported somewhere."""
    used: set[str] = set()
    for folder in ("language", "model"):
        for path in (ROOT / "kozel_verify" / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            used |= set(re.findall(r'(?:Problem|Diagnostic)\(\s*"([a-z0-9-]+)"', text))
            used |= set(re.findall(r'_stated_once\(program, s\.\w+, "(\w+)"', text))
    assert used == set(CODES)


def test_page() -> None:
    """The page of codes has a chapter for each, with the example and the files beside it."""
    page = markdown()
    assert [name for name in CODES if f"### `{name}`\n" not in page] == []
    assert "With `sources.toml`:\n\n```toml\n[K]\n" in page and "With `scores.kozel`:\n\n```kozel\n" in page


@pytest.mark.parametrize("name", CODES)
def test_style(name: str) -> None:
    """Titles are in the lower case without a full stop; explanations are sentences."""
    code = CODES[name]
    assert not code.title.endswith(".") and (code.title[0].islower() or code.title.startswith(("`", "UTF")))
    assert code.explanation.endswith((".", ")"))
