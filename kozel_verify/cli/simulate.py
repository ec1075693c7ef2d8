"""``kozel simulate``: random plays through the reference interpreter, with statistics."""

import os
import time
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Literal

import click

from kozel_verify.cli.console import complain, progress, say, say_json, suits_shown
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.settings import game_of, options_of
from kozel_verify.cli.simulate_text import data_of, lines_of
from kozel_verify.cli.specs import Misuse, open_spec
from kozel_verify.interpret.chance import WORD, Generator
from kozel_verify.interpret.errors import BadOptions, NotWellDefined, ReachedDead
from kozel_verify.interpret.narrate import Narrator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Stop
from kozel_verify.verify.sample import played, sample
from kozel_verify.verify.tally import Tally, Unit

Language = Literal["en", "ru"]


@dataclass(frozen=True, slots=True)
class Plays:
    """What is to be played, and by how many processes."""

    unit: Unit
    seeds: tuple[int, ...]
    jobs: int

    @property
    def word(self) -> str:
        return "deals" if self.unit == "deal" else "matches"


class LostPlayer(click.ClickException):
    """A process was ended from outside: what was counted is not told."""

    exit_code = 3
    hint = "fewer `--jobs` need less memory"

    def __init__(self) -> None:
        super().__init__("a process that played was ended from outside; there may be too little memory")


@click.command("simulate", short_help="Play at random, with statistics.")
@click.argument("spec", metavar="SPEC")
@click.option("--deals", type=click.IntRange(1), help="How many deals to play.  [default: 100]")
@click.option("--matches", type=click.IntRange(1), help="Play so many whole matches instead, and count by matches.")
@click.option(
    "--seed", type=click.IntRange(0, WORD - 1), default=1, show_default=True, help="Decides all that happens."
)
@click.option("--option", "options", metavar="NAME=VALUE", multiple=True, help="Set an option; may be repeated.")
@click.option("--pack", metavar="NAME", help="Play on a smaller pack of the spec.")
@click.option("--show", is_flag=True, help="Tell the first deal instead of counting.")
@click.option("--seat", type=click.IntRange(1), help="With --show: tell only what this seat sees.")
@click.option(
    "--language", type=click.Choice(["en", "ru"]), default="en", show_default=True, help="Of what --show tells."
)
@click.option("--jobs", type=click.IntRange(1), help="Processes to use.  [default: one for each processor]")
@format_option
def command(
    spec: str,
    deals: int | None,
    matches: int | None,
    seed: int,
    options: tuple[str, ...],
    pack: str | None,
    show: bool,
    seat: int | None,
    language: Language,
    jobs: int | None,
    format: str,
) -> int:
    """Play deals at random, each the first of a match, every legal choice with the same chance.

    Counted is in how many deals what the spec names happens: choices, announcements, witnesses; and what deals are
    worth, with intervals of 95 %. The same seed gives the same deals, whatever `--jobs` says. Exit code 1: the rules
    failed in some deal (which is then told).
    """
    game = game_of(open_spec(spec), pack)
    try:
        interpreter = Interpreter(game, options_of(game, options))
    except BadOptions as wrong:
        raise Misuse(str(wrong)) from wrong
    if deals is not None and matches is not None:
        raise Misuse("`--deals` and `--matches` exclude each other")
    if show and format == "json":
        raise Misuse("a told deal is no JSON", "leave out `--show` or `--format json`")
    if seat is not None and not (show and seat <= game.seats):
        if not show:
            raise Misuse("`--seat` goes with `--show`")
        raise Misuse(f"there is no seat {seat}", f"the seats are 1 to {game.seats}")
    try:
        if show:
            narrator = Narrator(game, language, not suits_shown())
            return _show(interpreter, Generator(seed).next(), narrator, seat, "deal" if matches is None else "match")
        return _count(interpreter, _plays(deals, matches, seed, jobs), format)
    except (NotWellDefined, ReachedDead) as fault:
        say(f"the rules fail before the first choice: {fault}")
        return 1


def _plays(deals: int | None, matches: int | None, seed: int, jobs: int | None) -> Plays:
    generator = Generator(seed)
    seeds = tuple(generator.next() for _ in range(matches or deals or 100))
    return Plays("deal" if matches is None else "match", seeds, jobs or os.cpu_count() or 1)


def _show(interpreter: Interpreter, seed: int, narrator: Narrator, seat: int | None, unit: Unit) -> int:
    play = played(interpreter, unit, seed)
    say(*(narrator.play_lines(play) if seat is None else seen_by(interpreter, narrator, play, seat - 1)))
    if play.final.node == interpreter.game.deal_end:
        say(*payoff_lines(interpreter, narrator, play))
    say(*narrator.result_lines(interpreter, play.final))
    return _exit(play)


def seen_by(interpreter: Interpreter, narrator: Narrator, play: Play, seat: int) -> list[str]:
    """What one seat learns from a play: its own choices and cards, and of the others what is open."""
    told = [play.opening, *(step.events for step in play.steps)]
    return [narrator.observed(o, seat) for events in told for o in interpreter.observe(events, seat)]


def payoff_lines(interpreter: Interpreter, narrator: Narrator, play: Play) -> list[str]:
    seats = range(interpreter.game.seats)
    return [f"{narrator.seat(seat)}: {_signed(interpreter.payoff(play.final, seat))}" for seat in seats]


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _exit(play: Play) -> int:
    match play.stopped:
        case Stop.REACHED:
            return 0
        case Stop.LIMIT:
            return 3
        case _:
            return 1


def _count(interpreter: Interpreter, plays: Plays, format: str) -> int:
    game, begun = interpreter.game, time.monotonic()
    try:
        with progress("playing") as shown:
            found = sample(
                game, dict(interpreter.options), plays.unit, plays.seeds, plays.jobs,
                lambda done, total: shown.at(done, total, plays.word),
            )  # fmt: skip
    except BrokenProcessPool as ended:
        raise LostPlayer from ended
    seconds, tally = time.monotonic() - begun, found.tally
    failed = None if found.failed is None else played(interpreter, plays.unit, found.failed)
    if format == "json":
        told = None if failed is None else _told(interpreter, failed, plays.unit)
        say_json({**data_of(tally, interpreter.options), "failure": told})
    else:
        say(*lines_of(tally))
        if failed is not None:
            what = "has no result" if failed.stopped is Stop.REACHED else "does not come to its end"
            say("", f"{plays.unit} {tally.plays + 1} {what}:", *_told(interpreter, failed, plays.unit))
    if tally.steps:
        complain(f"{seconds:.1f} s, {tally.steps / max(seconds, 1e-9):,.0f} steps a second")
    return 0 if failed is None else _exit(failed) or 1


def _told(interpreter: Interpreter, play: Play, unit: Unit) -> list[str]:
    lines = Narrator(interpreter.game, ascii=not suits_shown()).play_lines(play)
    if play.stopped is Stop.REACHED:
        try:
            Tally(interpreter.game, unit).add(interpreter, play)
        except NotWellDefined as fault:
            lines.append(f"the rules fail here: {fault}")
    return lines
