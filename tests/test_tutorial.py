"""Who follows the tutorial gets what it shows."""

import re
import shlex
from pathlib import Path

import pytest

from tests.support.edits import NoPlace, added, changed, written
from tests.support.readme import Block, blocks, ran
from tests.support.tutorial import FINISHED, TUTORIAL, finished

TEXT = TUTORIAL.read_text(encoding="utf-8")
BLOCKS = list(blocks(TEXT))


def test_the_commands_print_what_is_shown(tmp_path: Path) -> None:
    """Each command, run in the order of the page on the files as they then are, prints exactly what stands under it.
    `python -m tests.support.tutorial` writes what they print now."""
    shown = list(ran(TEXT, tmp_path))
    assert len(shown) == TEXT.count("\n$ ")
    for block, output in shown:
        assert block.output == output, block.command


def test_every_step_is_there() -> None:
    """From the empty file to a game played by the engine, each command of the way is used."""
    programs = [shlex.split(b.command)[:2] for b in BLOCKS if b.kind == "console"]
    assert list(dict.fromkeys(" ".join(p) for p in programs)) == [
        "kozel check",
        "kozel simulate",
        "kozel graph",
        "kozel rules",
        "kozel test",
        "kozel verify",
        "kozel explain",
        "kozel new",
        "kozel diff",
        "kozel mutate",
        "kozel export",
        "python3 engine/play.py",
    ]
    assert BLOCKS[0] == Block("kozel", "trishka.kozel", "")


def test_every_block_is_used() -> None:
    """A fence is a command, or says what is done to a file: no text of the page is there to look at only."""
    assert {b.kind for b in BLOCKS} == {"console", "kozel", "diff", "python"}
    assert [b for b in BLOCKS if b.kind != "console" and not b.name] == []


def test_what_is_pasted_was_printed() -> None:
    """The scenario that goes into the file is the one that the verification prints, but for its name."""
    printed = next(b.output for b in BLOCKS if b.kind == "console" and 'scenario "follows fails"' in b.output)
    pasted = next(b.body for b in BLOCKS if 'scenario "a heart is not followed with a trump"' in b.body)
    lines = [line.strip() for line in pasted.splitlines() if line.strip()]
    assert len(lines) == 5 and lines[0].startswith("scenario ")
    assert "\n".join(lines[1:]) in "\n".join(line.strip() for line in printed.splitlines())


def test_the_planted_mistakes_are_found_and_mended() -> None:
    """Both promises are refuted once, and nothing is refuted, unknown or failed at the end of the page."""
    verified = [b.output for b in BLOCKS if b.kind == "console" and "kozel verify" in b.command]
    assert [o.count("  REFUTED ") for o in verified] == [2, 0, 1, 0, 0]
    assert verified[-1].splitlines()[-3] == "  20 promises: 15 proved, 5 enumerated"


def test_the_finished_files_are_those_of_the_page() -> None:
    """The specs beside the page are what its blocks come to."""
    there = {path.name: path.read_text(encoding="utf-8") for path in FINISHED.iterdir()}
    assert there == finished(TEXT)
    assert sorted(there) == ["nasha_trishka.kozel", "our_trishka.kozel", "trishka.kozel"]


def test_links_lead_somewhere() -> None:
    """Every link finds its file, and every link inside the page its heading."""
    targets = re.findall(r"\]\(([^)]+)\)", TEXT)
    headings = {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", TEXT, re.M)}
    files = [t.split("#")[0] for t in targets if not t.startswith("#")]
    assert len(files) >= 5 and [f for f in files if not (TUTORIAL.parent / f).exists()] == []
    inside = {t[1:] for t in targets if t.startswith("#")}
    assert len(inside) >= 10 and inside <= headings


def test_a_wrong_output_is_seen(tmp_path: Path) -> None:
    """The first check can fail: with another text of the spec, what is printed is not what the page shows."""
    begin, end = TEXT.index("```kozel trishka.kozel\nlanguage 1"), TEXT.index("## Cards and a deal")
    page = TEXT[begin:end]
    ((block, output),) = ran(page, tmp_path)
    assert block.output == output
    ((block, output),) = ran(page.replace("  seats 2\n", ""), tmp_path)
    assert block.output != output


def test_files_are_written_as_the_blocks_say(tmp_path: Path) -> None:
    """A whole file, an addition in front of the last line, a change of some lines."""
    path = written("kozel", "a/b.kozel", "game {\n  one\n  two\n}\n", tmp_path)
    assert path == tmp_path / "a" / "b.kozel" and path.read_text(encoding="utf-8") == "game {\n  one\n  two\n}\n"
    assert written("kozel", "a/b.kozel +", "  three\n", tmp_path) == path
    written("diff", "a/b.kozel", "   one\n-  two\n+  zwei\n   three\n", tmp_path)
    assert path.read_text(encoding="utf-8") == "game {\n  one\n  zwei\n  three\n}\n"


@pytest.mark.parametrize(
    "change",
    ["-  three\n+  four\n", "-  one\n+  four\n", "+  four\n", "   one\n   one\n", "-one\n"],
    ids=["not there", "there twice", "nowhere", "not together", "part of a line"],
)
def test_a_change_of_what_is_not_there_is_refused(change: str) -> None:
    """A page that has gone stale is noticed: its changes find their lines, whole and once, or are refused."""
    with pytest.raises(NoPlace, match="does not stand in the file just once"):
        changed("{\n  one\n  two\n  one\n}\n", change)


def test_other_blocks_that_mean_nothing_are_refused() -> None:
    """A line of a change without its mark; an addition to a file without a closing brace."""
    with pytest.raises(NoPlace, match="begins with a space"):
        changed("{\n  one\n}\n", "@@ one\n")
    with pytest.raises(NoPlace, match="closing brace"):
        added("", "  one\n")
