"""What the page on statistics shows is what happens."""

from pathlib import Path

from tests.support.readme import STATISTICS, blocks, ran

TEXT = STATISTICS.read_text(encoding="utf-8")


def test_the_command_prints_what_is_shown(tmp_path: Path) -> None:
    """The simulation on the page prints exactly what stands under it."""
    shown = list(ran(TEXT, tmp_path))
    assert [block.command for block, _ in shown] == ["kozel simulate kozel_shokha --deals 200"]
    for block, output in shown:
        assert block.output == output


def test_other_deals_are_seen(tmp_path: Path) -> None:
    """The check can fail: another seed prints something else, from the first line of numbers on."""
    other = TEXT.replace("--deals 200", "--deals 5 --seed 2")
    ((block, output),) = ran(other, tmp_path)
    assert block.output.splitlines()[0] != output.splitlines()[0]


def test_only_one_command() -> None:
    """Every console block of the page is run."""
    assert [b.kind for b in blocks(TEXT)] == ["console"]
