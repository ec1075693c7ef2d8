"""The tutorial: its page, and the specs that somebody has who follows it to the end.

Run as ``python -m tests.support.tutorial``, this writes the present output of its commands into the page, and the
finished specs beside it.
"""

import tempfile
from pathlib import Path

from tests.support.edits import written
from tests.support.readme import ROOT, blocks, filled

TUTORIAL = ROOT / "docs" / "tutorial.md"
FINISHED = ROOT / "docs" / "tutorial"


def finished(text: str) -> dict[str, str]:
    """The specs at the end of the page, by their files' names; no command is run."""
    with tempfile.TemporaryDirectory() as folder:
        for block in blocks(text):
            if block.kind != "console" and block.name:
                written(block.kind, block.name, block.body, Path(folder))
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.kozel"))}


if __name__ == "__main__":
    page = filled(TUTORIAL.read_text(encoding="utf-8"))
    TUTORIAL.write_text(page, encoding="utf-8", newline="\n")
    for name, spec in finished(page).items():
        (FINISHED / name).write_text(spec, encoding="utf-8", newline="\n")
