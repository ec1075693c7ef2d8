"""The blocks of pages that show runs: files to write, commands to run, and the output that is printed under them.

Fences with a file's name (```kozel NAME, ```python NAME) are files, or what is to be done to them (``edits``);
```console fences hold one command behind ``$ `` and its output. Run as ``python -m tests.support.readme``, this writes
the present output into these pages; the tutorial has ``tests.support.tutorial``.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.support.edits import written

ROOT = Path(__file__).resolve().parents[2]
READMES = (ROOT / "README.md", ROOT / "README.ru.md")
STATISTICS = ROOT / "docs" / "statistics.md"
FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRESS = re.compile(rb"^(verifying \w+: \d+/\d+ .*|[\d.]+ s, [\d,]+ steps a second)\r?\n", re.MULTILINE)
KOZEL = [sys.executable, "-c", "import sys; from kozel_verify.cli.main import main; sys.exit(main())"]


@dataclass(frozen=True, slots=True)
class Block:
    """``kind`` is the first word behind the fence, ``name`` the second."""

    kind: str
    name: str
    body: str

    @property
    def command(self) -> str:
        return self.body.split("\n", 1)[0].removeprefix("$ ")

    @property
    def output(self) -> str:
        return self.body.split("\n", 1)[1]


def blocks(text: str) -> Iterator[Block]:
    for match in FENCE.finditer(text):
        kind, _, name = match["info"].partition(" ")
        yield Block(kind, name, match["body"])


def set_up_lines(text: str) -> list[str]:
    """The commands for Linux and macOS that do all the set-up, as they stand."""
    return [line for block in blocks(text) if block.kind == "sh" for line in block.body.splitlines()]


def output_of(command: str, folder: Path) -> str:
    """What a command prints when run in ``folder``, with no results kept from before; both streams, without the lines
    on how far, or how fast, it is."""
    program, *arguments = shlex.split(command)
    start = {"kozel": KOZEL, "python3": [sys.executable]}[program]
    env = {**os.environ, "KOZEL_STORE": "", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run([*start, *arguments], cwd=folder, env=env, capture_output=True, timeout=300, check=False)
    said = (done.stdout + PROGRESS.sub(b"", done.stderr)).decode("utf-8")
    return said.replace("\r\n", "\n").rstrip("\n") + "\n"


def ran(text: str, folder: Path) -> Iterator[tuple[Block, str]]:
    """Each console block with what its command prints now; what the blocks before it write is there."""
    for block in blocks(text):
        if block.kind == "console":
            yield block, output_of(block.command, folder)
        elif block.name:
            written(block.kind, block.name, block.body, folder)


def filled(text: str) -> str:
    """The text with the present output under each command."""
    with tempfile.TemporaryDirectory() as folder:
        now = iter([f"```console\n$ {block.command}\n{output}```" for block, output in ran(text, Path(folder))])
    return FENCE.sub(lambda fence: next(now) if fence["info"] == "console" else fence[0], text)


if __name__ == "__main__":
    for page in (*READMES, STATISTICS):
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
