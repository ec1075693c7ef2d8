"""``kozel rules``: the rules of a game as a page to read."""

import click

from kozel_verify.cli.console import complain, say, say_json
from kozel_verify.cli.specs import open_spec
from kozel_verify.rulebook.page import page
from kozel_verify.rulebook.phrases import LANGUAGES, Language


@click.command("rules", short_help="Write the rules of a game as a page to read.")
@click.argument("spec", metavar="SPEC")
@click.option("--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Of the page.")
@click.option(
    "--format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What standard output holds: the page in Markdown, or JSON with it.",
)
def command(spec: str, language: Language, format: str) -> int:
    """Write the rules of a game in sentences, with the places that they rest on: cards and their order, what a table
    may agree on, what lies where, how play goes, what each name means. Promises are no rules and are left out.

    Names are called as `term`, `option` and the list `words.toml` beside the spec say, else as they stand.
    """
    made = page(open_spec(spec), language)
    if format == "json":
        say_json({"language": language, "text": made.text, "wordless": list(made.wordless)})
        return 0
    say(made.text.rstrip("\n"))
    if made.wordless and language != "en":
        missing = f"no word in `{language}` for: {', '.join(made.wordless)}"
        complain(missing, "give them `term`s, or words in `words.toml` beside the spec")
    return 0
