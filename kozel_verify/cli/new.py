"""``kozel new``: a variant of a game in the author's folder, ready to be changed and checked."""

import re
from pathlib import Path

import click

from kozel_verify.cli.console import say
from kozel_verify.cli.specs import Misuse, nearest, shipped
from kozel_verify.interpret.errors import BadOptions, NotWellDefined
from kozel_verify.interpret.play import Interpreter
from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import Example, Game
from kozel_verify.model.load import Spec, load_text
from kozel_verify.model.program import names_in_reach, read_folder
from kozel_verify.model.types import Value
from kozel_verify.verify.explain import source_text
from kozel_verify.verify.scenario_text import literal

RULES, PROMISES = 4, 2  # how many of each are shown
NAME = re.compile(r"[^\W\d_]\w*")


@click.command("new", short_help="Begin a variant of a game.")
@click.argument("name", metavar="NAME")
@click.option("--from", "base", metavar="GAME", required=True, help="The game that it varies.")
@click.option(
    "--directory",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    help="Where to write NAME.kozel (default: here).",
)
def command(name: str, base: str, directory: Path) -> int:
    """Write NAME.kozel: a variant of GAME which changes nothing yet, with examples of what can be changed.

    GAME, like a module named by `use`, is looked for in DIR, in DIR/lib, and among the games that come with the tool.
    A file that is there already is never touched. A game that varies no other begins with an empty file: `kozel check`
    says what is missing.
    """
    path = directory / f"{name}.kozel"
    if not NAME.fullmatch(name):
        raise Misuse(f"`{name}` is not a name", "use letters, digits and `_`, beginning with a letter")
    if name == base:
        raise Misuse("a variant needs a name of its own")
    if read_folder(base, str(path)) is None:
        hint = "give the game's name, not its file" if base.endswith(".kozel") else _nearest_game(base, path)
        raise Misuse(f"there is no game `{base}`", hint)
    text = variant_text(name, _loaded(name, base, f"language 1\nvariant {name} of {base} {{ }}\n", path), base)
    _loaded(name, base, text, path)
    _write(path, text)
    say(f"wrote {path}: a variant of {base}", f"next: kozel check {path}")
    return 0


def _nearest_game(base: str, path: Path) -> str:
    return did_you_mean(base, names_in_reach(str(path), "game")) or nearest(base, shipped())


def _loaded(name: str, base: str, text: str, path: Path) -> Spec:
    """The spec that the text means where it is to stand; a name that is a word of the language fails here."""
    try:
        return load_text(text, str(path))
    except SpecError as error:
        if error.diagnostics[0].span.file == str(path):
            message = error.diagnostics[0].message
            raise Misuse(f"`{name}` cannot be a variant of `{base}`: {message}") from error
        raise


def _write(path: Path, text: str) -> None:
    begun = False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8", newline="\n") as file:
            begun = True
            file.write(text)
    except FileExistsError as error:
        raise Misuse(f"`{path}` is there already", "choose another name or directory") from error
    except OSError as error:
        if begun:  # half a file would be in the way of the next attempt
            path.unlink(missing_ok=True)
        raise Misuse(f"`{path}` cannot be written: {(error.strerror or 'no reason given').lower()}") from error


def variant_text(name: str, spec: Spec, base: str) -> str:
    """The file's text; each line that is commented out can be taken in as it stands.

    ``spec`` is an empty variant of the base: what it has, it has from there.
    """
    lines = ["language 1", "", f"# A variant of {base}: what is not said here stays as it is there."]
    lines += [f"variant {name} of {base} {{", f"  title {_titles(name, spec.game)}", ""]
    lines.append(
        "  # Delete a `#` to take a line in, change it, then run `kozel check`, `kozel test` and `kozel verify`."
    )
    lines += _block("Other defaults of the options:", _options(spec.game))
    lines += _block(
        "Numbers and rules of the game, as they are now (any other can be replaced by name as well):", _rules(spec)
    )
    lines += _block("What you are sure of, to be checked from now on:", _promises(spec))
    return "\n".join([*lines, "}", ""])


def _block(heading: str, lines: list[str]) -> list[str]:
    return ["", f"  # {heading}", *(f"  # {line}" for line in lines)] if lines else []


def _titles(name: str, game: Game) -> str:
    titles = game.titles or {"en": game.name}
    return " ".join(f'{language} "{title} ({name})"' for language, title in titles.items())


def _options(game: Game) -> list[str]:
    """A line for each option, with the values that the constraints permit while the other options stay as they are."""
    lines = []
    for option in game.options.values():
        permitted = [v for v in option.values if v == option.default or _permitted(game, option.name, v)]
        other = next((v for v in permitted if v != option.default), option.default)
        values = " | ".join(literal(game, v, option.type) for v in permitted)
        now = literal(game, option.default, option.type)
        text = f"option {option.name} = {literal(game, other, option.type)}"
        lines.append(f"{text:<48} # {values}; now {now}")
    return lines


def _permitted(game: Game, option: str, value: Value) -> bool:
    try:
        Interpreter(game, {option: value})
    except (BadOptions, NotWellDefined):
        return False
    return True


def _rules(spec: Spec) -> list[str]:
    """The constants and the first predicates that the base writes on one line each."""
    base = spec.program.units[1].span.file
    found: dict[type, list[str]] = {s.Constant: [], s.FunctionOf: []}
    for item in spec.program.items:
        if isinstance(item, s.Constant | s.FunctionOf) and item.span.file == base:
            text = source_text(spec.program.files, item.span)
            if item.span.line == item.span.end_line and text.startswith(("const ", "predicate ")):
                found[type(item)].append(text)
    return found[s.Constant] + found[s.FunctionOf][:RULES]


def _promises(spec: Spec) -> list[str]:
    """The first examples of the base: they hold there, and may not hold in a variant."""
    found = [source_text(spec.program.files, p.span) for p in spec.game.properties if isinstance(p, Example)]
    return [text for text in found if text.startswith("example ")][:PROMISES]
