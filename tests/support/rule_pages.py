"""The pages of rules of the games that come with the tool, in Russian: made by the tool itself."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from kozel_verify.model.load import load
from kozel_verify.rulebook.page import page
from tests.support.cited import ROOT


def rules(spec: Path) -> str:
    return page(load(spec), "ru").text


PAGES: dict[str, Callable[[], str]] = {
    f"docs/rules/{spec.stem}.md": partial(rules, spec) for spec in sorted((ROOT / "spec").glob("*.kozel"))
}
