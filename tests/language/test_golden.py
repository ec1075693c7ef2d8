"""The bad specs have the errors that stand in them; the good ones have none."""

from pathlib import Path

import pytest

from kozel_verify.language.codes import CODES
from tests.language.golden import BAD, reported, spec_and_expected


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_expected_errors(path: Path) -> None:
    """What is reported is what the file says, to the letter. `python -m tests.language.golden` takes over a change."""
    _, expected = spec_and_expected(path)
    assert reported(path) == expected


def test_a_changed_message_would_be_seen(tmp_path: Path) -> None:
    """Negative control: with another expectation, or without an error, the comparison fails."""
    text, expected = spec_and_expected(BAD[0])
    other = tmp_path / BAD[0].name
    other.write_text(text + expected.replace("#! ", "#! x", 1), encoding="utf-8")
    assert reported(other) != spec_and_expected(other)[1]
    good = tmp_path / "good.kozel"
    good.write_text((BAD[0].parents[1] / "good" / "everything_ru.kozel").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "parts.kozel").write_bytes((BAD[0].parents[1] / "good" / "lib" / "parts.kozel").read_bytes())
    assert reported(good) == "#! no error\n"


def test_most_codes_are_shown() -> None:
    """The golden specs show most codes in the company of other errors; the rest stand alone in the registry."""
    shown = {w for p in BAD for w in spec_and_expected(p)[1].replace(":", " ").split() if w in CODES}
    assert len(shown) >= 35


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_style_of_messages(path: Path) -> None:
    """Messages are in the lower case without a full stop at the end; so are hints."""
    for line in reported(path).splitlines():
        text = line.split(": ", 1)[1] if ": " in line else line
        assert not text.endswith("."), line
        assert not text[0].isupper() or text.startswith(("U+", "`")), line
