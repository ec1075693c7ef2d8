"""``kozel diff``: what is different in two games, for those who play them?"""

from collections.abc import Sequence

import click

from kozel_verify.cli.console import progress, say, say_json
from kozel_verify.cli.formats import format_option
from kozel_verify.cli.settings import options_of
from kozel_verify.cli.specs import Misuse, nearest, open_spec
from kozel_verify.interpret.errors import BadOptions
from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.load import Spec
from kozel_verify.model.types import Value
from kozel_verify.verify.differ import Comparison, Effort, Side, compare
from kozel_verify.verify.differ.telling import data_of, lines_of

EQUAL, DIFFERENT, OPEN = 0, 1, 3
UP_TO = click.IntRange(1, 1_000_000)  # states are remembered: more would take all memory


@click.command("diff", short_help="What is different in two games.")
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("--option", "both", metavar="NAME=VALUE", multiple=True, help="Set an option on both sides.")
@click.option("--option-a", "first", metavar="NAME=VALUE", multiple=True, help="Set an option of A alone.")
@click.option("--option-b", "second", metavar="NAME=VALUE", multiple=True, help="Set an option of B alone.")
@click.option("--states", type=UP_TO, default=5_000, show_default=True, help="Visited on each small pack.")
@click.option("--deals", type=UP_TO, default=400, show_default=True, help="Random deals of the full pack.")
@click.option("--seed", type=click.IntRange(0, 2**63), default=1, show_default=True, help="Which random deals.")
@click.option(
    "--budget", type=click.IntRange(1), default=20_000_000, show_default=True, help="Solver units for one query."
)
@click.option("--thorough", is_flag=True, help="If need be, prove invariants of A first (takes a minute or more).")
@format_option
def command(
    a: str,
    b: str,
    both: tuple[str, ...],
    first: tuple[str, ...],
    second: tuple[str, ...],
    states: int,
    deals: int,
    seed: int,
    budget: int,
    thorough: bool,
    format: str,
) -> int:
    """Compare two games, A and B: two specs, a game and a variant of it, or one spec with different options.

    \b
        kozel diff GAME my_table.kozel
        kozel diff GAME GAME --option-b NAME=VALUE

    What counts is what somebody at the table can notice: whose turn it is, what may be chosen, what a seat sees and is
    told, what deals and matches come to. Cells, zones, decision points and verbs are matched by name. Each option that
    nobody sets takes each of its values, the same on both sides.

    Exit code 0: equal, proved for all plays; 1: different, with a deal that shows it; 3: no difference was found, but
    none is excluded.
    """
    specs = open_spec(a), open_spec(b)
    sides = _side(specs[0], both, first, "--option-a"), _side(specs[1], both, second, "--option-b")
    for text in both:
        _known(text, specs)
    effort = Effort(states=states, deals=deals, seed=seed, budget=budget, thorough=thorough)
    with progress(f"comparing {specs[0].game.name} and {specs[1].game.name}:") as shown:
        result = compare(*sides, effort, shown.at)
    if format == "json":
        say_json(data_of(result))
    else:
        say(*lines_of(result))
    return _code(result)


def _code(result: Comparison) -> int:
    if result.different:
        return DIFFERENT
    return EQUAL if result.equal else OPEN


def _side(spec: Spec, both: Sequence[str], own: Sequence[str], word: str) -> Side:
    """The side with its options. An option for both is left out where the game does not have it."""
    game = spec.game
    shared = [text for text in both if text.partition("=")[0].strip() in game.options or "=" not in text]
    given: dict[str, Value] = {**options_of(game, shared), **options_of(game, own)}
    try:
        Interpreter(game, given)
    except BadOptions as wrong:
        raise Misuse(str(wrong), f"see `{word}` and `--option`") from wrong
    return Side(spec, given)


def _known(text: str, specs: Sequence[Spec]) -> None:
    """An option for both sides must be one of some side."""
    name = text.partition("=")[0].strip()
    names = [n for spec in specs for n in spec.game.options]
    if name not in names:
        raise Misuse(f"neither game has an option `{name}`", nearest(name, names))
