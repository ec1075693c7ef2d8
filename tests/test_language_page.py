"""The page of what each game needs of the language."""

from dataclasses import is_dataclass
from pathlib import Path

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from tests.model.frame import text
from tests.support.language_page import WORDS, page_of


def test_every_construct_has_a_word() -> None:
    """No kind of node of the syntax is forgotten."""
    kinds = {kind for kind in vars(s).values() if isinstance(kind, type) and is_dataclass(kind)}
    assert kinds - set(WORDS) <= {Span, s.Citation}
    assert set(WORDS) <= kinds


def test_what_a_game_adds(tmp_path: Path) -> None:
    """A construct stands in the row of the first game that has it, and in no other; lines and users are counted."""
    first, second = tmp_path / "first.kozel", tmp_path / "second.kozel"
    first.write_text(text(), encoding="utf-8")
    second.write_text(text("  lemma low(x : Card) : (the y in {x} where x == y) == x"), encoding="utf-8")
    one, two = [line for line in page_of([first, second], tmp_path).splitlines() if line.startswith("| sample |")]
    assert two == "| sample | `==`, lemmas, `the … in` |"
    assert "`repeat … until`" in one and "lemmas" not in one
    assert f"| [`first.kozel`](../spec/first.kozel) | {text().count(chr(10))} | sample |" in page_of([first], tmp_path)
