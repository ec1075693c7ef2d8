"""The language reference is true: each of its examples is a spec or stands in one, and its word list is complete."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.names import RUSSIAN
from kozel_verify.model.load import load_text
from kozel_verify.model.scope import RESERVED
from tests.language.specs import spellings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
FRAME = """language 1
game sample {
  deck suits ♠, ♣, ♦, ♥ ranks 6, 7, 8, 9, 10, J, Q, K, A
  seats 4
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  zone open_cards seen by all
  zone pile[s : Seat] seen by nobody
  state leader : Seat = seat 1
  state trump : Suit? = none
  state total[s : Seat] : Nat = 0
  order plain = A > 10 > K > Q > J > 9 > 8 > 7 > 6
  predicate beats(x : Card, y : Card) = suit(x) == suit(y) and rank(x) above rank(y) in plain
  procedure report(s : Seat) { announce s }
  phase match { repeat { run deal } until total[leader] > 0 end }
  phase deal {
    gather pack into stock
    draw 1 from stock to hand[leader]
    STATEMENTS
    for each s in Seat clockwise from leader { ask s to turn { may play(c in hand[s]) {
      move {c} from hand[s] to open_cards announce s } } }
  }
  outcome(s) = neither
ITEMS
}
"""


def blocks() -> Iterator[tuple[str, str, int]]:
    """The kind, text and line of each example."""
    page = PAGE.read_text(encoding="utf-8")
    for match in re.finditer(r"```kozel ?([^\n]*)\n(.*?)```", page, re.DOTALL):
        yield match[1], match[2], page.count("\n", 0, match.start()) + 1


MODULES = {kind.split()[1]: text for kind, text, _ in blocks() if kind.startswith("module ")}


def specs() -> Iterator[object]:
    for kind, text, line in blocks():
        match kind.split():
            case []:
                yield pytest.param(text, id=f"line {line}")
            case ["items"]:
                yield pytest.param(FRAME.replace("STATEMENTS", "").replace("ITEMS", text), id=f"line {line}")
            case ["statements"]:
                yield pytest.param(FRAME.replace("STATEMENTS", text).replace("ITEMS", ""), id=f"line {line}")
            case ["expressions"]:
                for n, expression in enumerate(text.splitlines(), line + 1):
                    item = f"predicate probe = {expression}"
                    yield pytest.param(FRAME.replace("STATEMENTS", "").replace("ITEMS", item), id=f"line {n}")
            case ["module", _]:
                pass
            case _:
                raise AssertionError(f"line {line}: what is `{kind}`?")


def read(name: str, beside: str) -> tuple[str, str] | None:
    return (MODULES[name], f"{name}.kozel") if name in MODULES else None


@pytest.mark.parametrize("spec", list(specs()))
def test_example(spec: str) -> None:
    """Each example of the page is without an error in its frame."""
    load_text(spec, "spec.kozel", read)


def test_a_wrong_example_would_be_seen() -> None:
    """Negative control: the frame does not swallow mistakes."""
    for statements, items in (("announce nope", ""), ("", "example nope"), ("", "const a = ")):
        with pytest.raises(SpecError):
            load_text(FRAME.replace("STATEMENTS", statements).replace("ITEMS", items), "spec.kozel", read)


def word_list() -> str:
    rows = [f"| `{english}` | `{russian}` |" for english, russian in sorted(spellings().values())]
    return "\n".join(["| English | Russian |", "|---|---|", *rows])


def test_word_list_is_complete() -> None:
    """The page lists every word of the grammar, in both spellings."""
    assert word_list() in PAGE.read_text(encoding="utf-8")


def test_list_of_names_is_complete() -> None:
    """The page lists every name that the language gives a meaning to, in both spellings; a word of the language among
    them stands in the other list."""
    rows = [f"| `{english}` | `{russian}` |" for english, russian in sorted(RUSSIAN.items())]
    assert "\n".join(["| English | Russian |", "|---|---|", *rows]) in PAGE.read_text(encoding="utf-8")
    assert RESERVED - set(RUSSIAN) == {"pack"} and "| `pack` | `пачка` |" in word_list()


def test_links() -> None:
    """Every link inside the page has its heading."""
    page = PAGE.read_text(encoding="utf-8")
    headings = {
        re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", page, re.MULTILINE)
    }
    assert set(re.findall(r"\]\(#([\w-]+)\)", page)) <= headings
