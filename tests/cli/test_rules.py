"""`kozel rules`: the page of a game on standard output."""

import json
from pathlib import Path

from tests.cli.conftest import Kozel


def test_the_page_is_printed(kozel: Kozel, small: Path) -> None:
    """In English; in Russian with what has no word yet; as JSON; a bad spec is exit code 2."""
    found = kozel("rules", small)
    assert found.code == 0 and found.err == ""
    assert found.out.startswith("# Small\n\nMade from `small`") and "\n## How it goes\n" in found.out
    russian = kozel("rules", small, "--language", "ru")
    assert "\n## Порядок игры\n" in russian.out and "no word in `ru` for: " in russian.err
    data = json.loads(kozel("rules", small, "--format", "json").out)
    assert data["text"] == found.out and data["language"] == "en" and "played" in data["wordless"]
    (small.parent / "words.toml").write_text("[played", encoding="utf-8")
    broken = kozel("rules", small)
    assert broken.code == 2 and "words.toml:1" in broken.err and not broken.out
