"""Options that several commands share."""

import click

format_option = click.option(
    "--format",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="What standard output holds; json is the JSON alone.",
)

only_option = click.option(
    "--only", metavar="NAME", multiple=True, help="Only what bears this name; may be given several times."
)
