"""The command itself: what it imports, how it fails, its exit codes."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from kozel_verify.cli import check, main
from tests.cli.conftest import Kozel
from tests.cli.run import ROOT, START
from tests.cli.run import kozel as process


def imported(*arguments: str) -> set[str]:
    """The packages that a run of the command has imported."""
    code = (
        "import sys, atexit; from kozel_verify.cli.main import main\n"
        "atexit.register(lambda: sys.stderr.write('\\n' + ' '.join(m for m in sys.modules if '.' not in m)))\n"
        "main()"
    )
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    done = subprocess.run([sys.executable, "-c", code, *arguments], env=env, capture_output=True, text=True, check=True)
    return set(done.stderr.rsplit("\n", 1)[-1].split())


def test_help_reads_no_grammar() -> None:
    """`kozel --help` starts at once: neither the parser nor the solver is imported."""
    modules = imported("--help")
    assert "click" in modules
    assert not modules & {"lark", "z3"}


@pytest.mark.parametrize("command", [["check"], ["test"], ["simulate", "--deals", "1"], ["check", "--help"]])
def test_no_solver_without_proofs(command: list[str], small: Path) -> None:
    """What proves nothing never loads the solver."""
    modules = imported(command[0], str(small), *command[1:])
    assert "lark" in modules
    assert "z3" not in modules


def test_the_solver_would_be_seen() -> None:
    """The last test can fail: an import of z3 is seen by it."""
    code = "import sys, z3; print('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout.strip() == b"True"


def test_every_command_has_a_module_and_its_help() -> None:
    """The list of commands that `--help` prints is that of the modules, with the same words."""
    for name, text in main.COMMANDS.items():
        command = main.kozel.get_command(click.Context(main.kozel), name)
        assert command is not None
        assert command.name == name
        assert command.short_help == text


def test_nothing_asked(kozel: Kozel) -> None:
    """`kozel` alone shows its help and is a usage error."""
    said = kozel()
    assert said.code == 2
    assert said.out.startswith("Usage: kozel [OPTIONS] COMMAND [ARGS]...")


def test_version(kozel: Kozel) -> None:
    """`--version` prints name and version."""
    said = kozel("--version")
    assert said.code == 0
    assert said.out.split()[0] == "kozel"


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["chek"], "error[usage]: there is no command `chek`: did you mean `check`?"),
        (["check"], "error[usage]: missing argument 'SPEC...'"),
        (["check", "--form", "x"], "error[usage]: no such option '--form'"),
        (
            ["simulate", "x.kozel", "--deals", "0"],
            "error[usage]: invalid value for '--deals': 0 is not in the range x>=1",
        ),
    ],
)
def test_misuse(kozel: Kozel, arguments: list[str], message: str) -> None:
    """A wrong call is one line in the house's form, exit code 2, and never a traceback."""
    said = kozel(*arguments)
    assert said.code == 2
    assert said.err.splitlines()[0].startswith(message)
    assert "Traceback" not in said.err


def test_interrupted(kozel: Kozel, monkeypatch: pytest.MonkeyPatch, small: Path) -> None:
    """Ctrl-C ends with a word and exit code 130."""

    def interrupt(argument: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(check, "open_spec", interrupt)
    assert kozel("check", small) == (130, "", "interrupted\n")


def test_a_fault_of_the_tool_is_not_a_verdict(kozel: Kozel, monkeypatch: pytest.MonkeyPatch, small: Path) -> None:
    """A bug ends with exit code 70 and says whose fault it is: never with the code of a refutation."""

    def stumble(argument: str) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(check, "open_spec", stumble)
    said = kozel("check", small)
    assert said.code == 70
    assert "planted" in said.err
    assert said.err.splitlines()[-1].startswith("error[fault]: this is a fault of kozel itself")


def test_a_closed_pipe(small: Path) -> None:
    """When nobody reads the output any more, the command ends quietly with exit code 141."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", START, "test", str(small)]
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=env, check=False)
    os.close(writer)
    assert done.returncode == 141
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk(small: Path) -> None:
    """Output that cannot be written is said, with exit code 2."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", START, "test", str(small)]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=env, check=False)
    assert done.returncode == 2
    assert done.stderr == b"error[output]: no space left on device\n"
    with open("/dev/full", "wb") as full:  # nor can it be said
        assert subprocess.run(command, stdout=full, stderr=full, env=env, check=False).returncode == 2
        wrong = [*command[:-1], str(small.parent / "missing.kozel")]
        assert subprocess.run(wrong, stdout=subprocess.PIPE, stderr=full, env=env, check=False).returncode == 2


def test_a_console_without_suits(small: Path) -> None:
    """On an ASCII console cards are spelled with letters, and other characters give way; no command fails."""
    done = process(
        "simulate", str(small), "--show", "--language", "ru", env={"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    )
    assert done.returncode == 0
    assert b"6S" in done.stdout
    assert done.stdout.isascii()
    assert b"Traceback" not in done.stderr


def test_a_console_with_suits(small: Path) -> None:
    """Elsewhere output is UTF-8 with suit symbols."""
    done = process("simulate", str(small), "--show")
    assert "6♠" in done.stdout.decode("utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="a shell closes the stream")
def test_a_closed_output_is_no_verdict(small: Path) -> None:
    """With standard output or standard error closed before the start there is no traceback and no verdict's code."""
    kozel = f"{sys.executable} -c 'import sys; from kozel_verify.cli.main import main; sys.exit(main())'"
    out = subprocess.run(f"{kozel} check {small} >&-", shell=True, capture_output=True, text=True, check=False)
    assert (out.returncode, out.stderr) == (141, "")
    err = subprocess.run(f"{kozel} check nosuch 2>&-", shell=True, capture_output=True, text=True, check=False)
    assert (err.returncode, err.stdout) == (2, "")
