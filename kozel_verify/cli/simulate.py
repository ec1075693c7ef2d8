"""``kozel simulate``: random plays through the reference interpreter, with statistics."""

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

import click

from kozel_verify.cli.console import complain, progress, say, say_json, suits_shown
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.settings import game_of, options_of
from kozel_verify.cli.specs import Misuse, open_spec
from kozel_verify.interpret.chance import WORD, Generator
from kozel_verify.interpret.errors import BadOptions, NotWellDefined, ReachedDead
from kozel_verify.interpret.narrate import Narrator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Stop, random_play
from kozel_verify.interpret.state import Choice
from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import Ask, Game

Language = Literal["en", "ru"]
STEPS = 100_000  # of one deal, after which it counts as endless


@dataclass(slots=True)
class Statistics:
    """Counted over deals; each list of numbers has one entry a deal."""

    game: Game
    deals: int = 0
    steps: int = 0
    decisions: list[int] = field(default_factory=list)
    verbs: Counter[tuple[str, str]] = field(default_factory=Counter)  # (node, verb)
    payoffs: list[Counter[int]] = field(default_factory=list)  # per seat: what the deal was worth

    def add(self, interpreter: Interpreter, play: Play) -> None:
        self.deals += 1
        self.steps += len(play.steps)
        decisions = 0
        for step in play.steps:
            node = interpreter.node(step.before)
            if isinstance(node, Ask) and isinstance(step.outcome, Choice):
                decisions += 1
                self.verbs[_short(node.name), node.verbs[step.outcome.verb].name] += 1
        self.decisions.append(decisions)
        if play.final.node == self.game.deal_end:
            self.payoffs = self.payoffs or [Counter() for _ in range(self.game.seats)]
            for seat, counted in enumerate(self.payoffs):
                counted[interpreter.payoff(play.final, seat)] += 1


def _short(node: str) -> str:
    return node.rsplit(".", 1)[-1].split("#")[0]


@click.command("simulate", short_help="Play at random, with statistics.")
@click.argument("spec", metavar="SPEC")
@click.option("--deals", type=click.IntRange(1), default=100, show_default=True, help="How many deals to play.")
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
@format_option
def command(
    spec: str,
    deals: int,
    seed: int,
    options: tuple[str, ...],
    pack: str | None,
    show: bool,
    seat: int | None,
    language: Language,
    format: str,
) -> int:
    """Play deals at random, each the first of a match, every legal choice with the same chance.

    The same seed gives the same deals. Exit code 1: the rules failed in some deal (which is then told).
    """
    game = game_of(open_spec(spec), pack)
    try:
        interpreter = Interpreter(game, options_of(game, options))
    except BadOptions as wrong:
        raise Misuse(str(wrong)) from wrong
    if show and format == "json":
        raise Misuse("a told deal is no JSON", "leave out `--show` or `--format json`")
    if seat is not None and not (show and seat <= game.seats):
        raise Misuse(f"there is no seat {seat}" if show else "`--seat` goes with `--show`")
    try:
        if show:
            return _show(interpreter, Generator(seed).next(), Narrator(game, language, not suits_shown()), seat)
        return _count(interpreter, deals, seed, format)
    except (NotWellDefined, ReachedDead) as fault:
        say(f"the rules fail before the first choice: {fault}")
        return 1


def _show(interpreter: Interpreter, seed: int, narrator: Narrator, seat: int | None) -> int:
    play = random_play(interpreter, seed, limit=STEPS)
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


def _count(interpreter: Interpreter, deals: int, seed: int, format: str) -> int:
    generator, statistics = Generator(seed), Statistics(interpreter.game)
    begun, failed = time.monotonic(), None
    with progress("playing") as shown:
        for n in range(deals):
            shown.at(n, deals, "deals")
            play = random_play(interpreter, generator.next(), limit=STEPS)
            if play.stopped is not Stop.REACHED:
                failed = play
                break
            statistics.add(interpreter, play)
    seconds = time.monotonic() - begun
    if format == "json":
        say_json({**_data(interpreter, statistics), "failure": None if failed is None else _told(interpreter, failed)})
    else:
        say(*_lines(statistics))
        if failed is not None:
            say("", f"deal {statistics.deals + 1} does not come to its end:", *_told(interpreter, failed))
    if statistics.steps:
        complain(f"{seconds:.1f} s, {statistics.steps / max(seconds, 1e-9):,.0f} steps a second")
    return 0 if failed is None else _exit(failed)


def _told(interpreter: Interpreter, play: Play) -> list[str]:
    return Narrator(interpreter.game, ascii=not suits_shown()).play_lines(play)


def _lines(counted: Statistics) -> list[str]:
    if not counted.deals:
        return []
    lengths = sorted(counted.decisions)
    lines = [
        f"{counted.game.name}: {counted.deals:,} deals, {counted.steps:,} steps, {sum(lengths):,} decisions",
        f"decisions a deal: least {lengths[0]}, median {lengths[len(lengths) // 2]}, most {lengths[-1]}",
        "choices:",
    ]
    for (node, verb), times in sorted(counted.verbs.items()):
        lines.append(f"  {node}: {verb} {times:,} ({times / counted.deals:.2f} a deal)")
    lines.append("a deal is worth (gain - loss):")
    for seat, worth in enumerate(counted.payoffs):
        parts = ", ".join(f"{_signed(value)} in {times:,}" for value, times in sorted(worth.items()))
        mean = sum(v * t for v, t in worth.items()) / counted.deals
        lines.append(f"  seat {seat + 1}: {parts}; mean {mean:.3f}")
    return lines


def _data(interpreter: Interpreter, counted: Statistics) -> dict[str, object]:
    options = counted.game.options.values()
    verbs: dict[str, dict[str, int]] = {}
    for (node, verb), times in sorted(counted.verbs.items()):
        verbs.setdefault(node, {})[verb] = times
    return {
        "name": counted.game.name,
        "pack": counted.game.pack_name,
        "options": {o.name: value_text(counted.game, interpreter.options[o.name], o.type) for o in options},
        "deals": counted.deals,
        "steps": counted.steps,
        "decisions": dict(_histogram(counted.decisions)),
        "verbs": verbs,
        "payoffs": [{str(v): t for v, t in sorted(worth.items())} for worth in counted.payoffs],
    }


def _histogram(numbers: list[int]) -> list[tuple[str, int]]:
    return [(str(n), times) for n, times in sorted(Counter(numbers).items())]
