"""The pages that are made from something else. ``python -m tests.support.pages`` writes all of them, or those named."""

import sys
from collections.abc import Callable

from kozel_verify.language.codes import markdown as errors
from tests.support.assumptions import page as assumptions
from tests.support.cited import ROOT
from tests.support.differences_page import page as differences
from tests.support.frequencies import page as frequencies
from tests.support.language_page import page as language_by_game
from tests.support.rule_pages import PAGES as RULES
from tests.support.source_map import page as source_map
from tests.support.systems import page as systems

PAGES: dict[str, Callable[[], str]] = {
    "docs/errors.md": errors,
    "docs/assumptions.md": assumptions,
    "docs/source_map.md": source_map,
    "docs/systems.md": systems,
    "docs/differences.md": differences,
    "docs/frequencies.md": frequencies,
    "docs/language_by_game.md": language_by_game,
    **RULES,
}


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in PAGES]
    if unknown:
        print(f"there is no page {', '.join(unknown)}; there are {', '.join(PAGES)}", file=sys.stderr)
        return 2
    for name in names or PAGES:
        (ROOT / name).write_text(PAGES[name](), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
