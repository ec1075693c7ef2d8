"""The command ``kozel``: finds the sub-command's module, runs it, and turns what went wrong into text and exit code."""

import gc
import os
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from io import StringIO
from typing import TYPE_CHECKING

import click

from kozel_verify import __version__
from kozel_verify.cli.console import complain
from kozel_verify.cli.interrupts import INTERRUPTED, heeded

if TYPE_CHECKING:
    from kozel_verify.language.diagnostics import SpecError

COMMANDS = {
    "check": "Read specs: words, names, types, citations.",
    "test": "Run the examples and scenarios of specs.",
    "verify": "Check everything that specs promise.",
    "mutate": "Plant faults in rules, and see which property notices.",
    "diff": "What is different in two games.",
    "simulate": "Play at random, with statistics.",
    "graph": "Show the nodes of a game and what may follow each.",
    "rules": "Write the rules of a game as a page to read.",
    "explain": "Tell what a promise, a clause or an error is about.",
    "export": "Write a standalone engine.",
    "new": "Begin a variant of a game.",
}
QUICK = ("check", "new")  # over before collecting garbage pays
USAGE, FAULT, NOBODY_READS = 2, 70, 141


class Commands(click.Group):
    """Sub-commands whose modules are imported when they are run; the list of them needs none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = import_module(f"kozel_verify.cli.{name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, n=1)
            hint = f"did you mean `{near[0]}`?" if near else "the commands are " + ", ".join(COMMANDS)
            raise click.UsageError(f"there is no command `{args[0]}`: {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 holds, 1 refuted, 2 usage or spec error, 3 not shown, 4 methods disagree.",
)
@click.version_option(__version__, prog_name="kozel", message="%(prog)s %(version)s")
def kozel() -> None:
    """Rules of card games, stated once: checked, proved, played, exported.

    A SPEC is a `.kozel` file, or the bare name of a game that comes with the tool.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code. Never raises for what a user did."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    unheard = _open_closed_streams()
    try:
        with heeded():
            code = _run(given) if given else max(USAGE, _run(["--help"]))
        sys.stdout.flush()
        return NOBODY_READS if unheard else code
    except OSError as error:
        return _output_lost(error)


def _open_closed_streams() -> bool:
    """Python has ``None`` for a stream that was closed before it began. Is nobody going to read what is said?"""
    unheard = sys.stdout is None
    sys.stdout = sys.stdout or StringIO()
    sys.stderr = sys.stderr or StringIO()
    return unheard


def _run(arguments: list[str]) -> int:
    if arguments[0] in QUICK:
        gc.disable()
    try:
        with kozel.make_context("kozel", arguments) as context:
            return int(kozel.invoke(context) or 0)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as misuse:
        return _misused(misuse)
    except (KeyboardInterrupt, click.Abort):
        complain("interrupted")
        return INTERRUPTED
    except OSError:
        raise
    except Exception as error:
        return _failed(error)
    finally:
        gc.enable()


def _misused(misuse: click.ClickException) -> int:
    message = misuse.format_message().rstrip(".")
    kind = "usage" if misuse.exit_code == USAGE else "stopped"
    complain(f"error[{kind}]: {message[:1].lower()}{message[1:]}")
    hint = getattr(misuse, "hint", "")
    context = getattr(misuse, "ctx", None)
    if not hint and context is not None:
        hint = f"see `{context.command_path} --help`"
    if hint:
        complain(f"  = hint: {hint}")
    return misuse.exit_code


def _failed(error: Exception) -> int:
    from kozel_verify.language.diagnostics import SpecError

    if isinstance(error, SpecError):
        _spec_error(error)
        return USAGE
    traceback.print_exception(error)
    complain("error[fault]: this is a fault of kozel itself, not of your spec; please report it with the text above")
    return FAULT


def _spec_error(error: "SpecError") -> None:
    from kozel_verify.cli.problems import report

    complain(*report(error.diagnostics))


def _output_lost(error: OSError) -> int:
    """A standard stream is closed or full: nothing more can be said there, and Python must not try at exit."""
    _give_up_full_streams()
    if isinstance(error, BrokenPipeError):
        return NOBODY_READS
    try:
        complain(f"error[output]: {(error.strerror or 'cannot be written').lower()}")
    except OSError:
        _give_up_full_streams()
    return USAGE


def _give_up_full_streams() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
