"""What the READMEs show is what happens."""

from pathlib import Path

import pytest

from tests.support.readme import READMES, ROOT, Block, blocks, ran, set_up_lines

TEXT = READMES[0].read_text(encoding="utf-8")


def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    """Each command, run in the order of the page with the page's files, prints exactly what stands under it."""
    shown = list(ran(TEXT, tmp_path))
    assert len(shown) >= 4
    for block, output in shown:
        assert block.output == output, block.command


def test_the_rules_are_those_of_the_spec() -> None:
    """Rules that are quoted stand in the spec, line by line."""
    spec = (ROOT / "spec" / "kozel_shokha.kozel").read_text(encoding="utf-8").splitlines()
    quoted = [line for b in blocks(TEXT) if b.kind == "kozel" and not b.name for line in b.body.splitlines()]
    assert len(quoted) >= 6
    assert [line for line in quoted if line not in spec] == []


def test_both_languages_show_the_same() -> None:
    """The Russian page has the same files, commands and outputs."""
    russian = READMES[1].read_text(encoding="utf-8")
    assert list(blocks(russian)) == list(blocks(TEXT))


def test_two_commands_set_up_everything() -> None:
    """One line installs and verifies, one installs and runs the tests; each makes its own environment."""
    lines = set_up_lines(TEXT)
    assert [line.rsplit("&& ", 1)[1] for line in lines] == [
        ".venv/bin/kozel verify spec/kozel_shokha.kozel",
        ".venv/bin/pytest -n 2",
    ]
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install -q ") for line in lines)


@pytest.mark.parametrize("page", READMES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every link to a file of the project finds it."""
    text = page.read_text(encoding="utf-8")
    targets = [part.split(")")[0] for part in text.split("](")[1:]]
    assert len(targets) >= 5
    assert [t for t in targets if "://" not in t and not (ROOT / t).exists()] == []


def test_a_wrong_output_is_seen(tmp_path: Path) -> None:
    """The first check can fail: a changed output is found."""
    page = "```console\n$ kozel --version\nkozel 0.0\n```\n"
    ((block, output),) = ran(page, tmp_path)
    assert block == Block("console", "", "$ kozel --version\nkozel 0.0\n")
    assert block.output != output
