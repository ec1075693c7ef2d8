"""Hints of syntax errors where something near is written instead."""

import pytest

from kozel_verify.language.diagnostics import Diagnostic
from tests.model.frame import problems

PLAY = "ask seat 1 to turn {{ may play({}) {{ }} }}"


def only(items: str, statements: str = "") -> Diagnostic:
    (found,) = problems(items, statements)
    return found


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("repeat { deal } until true", "deal"),
        ("match run own", "match"),
        ("own", "own"),
        ("unknown(seat 1)", "unknown"),
    ],
)
def test_a_procedure_is_run_by_a_word(statement: str, name: str) -> None:
    """The name of a phase or a procedure that the text declares, or any with arguments, is not a statement."""
    error = only("", f"{statement} }} procedure own {{ ")
    assert (error.message, error.hint) == (f"no statement begins with `{name}`", f"write `run {name}`")


def test_other_words_are_not_run() -> None:
    """Controls: a misspelt statement, and a name that is neither."""
    assert only("", "dra 1 from stock to open_cards").hint == "did you mean `draw`?"
    assert "run" not in only("", "owl }  procedure own {").hint


@pytest.mark.parametrize(
    ("binding", "of"), [("c : open_cards", "open_cards"), ("c : hand[seat 1], n in 1..2", "hand[seat 1]")]
)
def test_one_element_of_a_set(binding: str, of: str) -> None:
    """`may play(c : hand)` has a hint with both forms; both are without an error (control)."""
    assert (
        only("", PLAY.format(binding)).hint == f"write `c in {of}` for one of them, or `c : 1..4 of {of}` for a group"
    )
    for right in (f"c in {of}", f"c : 1..4 of {of}"):
        assert problems("", PLAY.format(right)) == []


def test_an_assignment_with_the_sign_of_a_declaration() -> None:
    """For a cell of the text the fix is certain; for another name there are two hints and no fix."""
    cell = only("state winner : Seat = seat 1", "winner = seat 2")
    assert cell.hint == "`:=` assigns" and cell.fix is not None and cell.fix.text == ":="
    other = only("", "winner = seat 2")
    assert other.hint == "write `winner := …` for a `state`, or `let winner = …` for a new name" and other.fix is None


def test_nearly_the_word_for_cases() -> None:
    """`case {`; another word before a brace has no such hint (control)."""
    assert only("predicate a = case { when true -> true else false }").hint == "did you mean `cases`?"
    assert only("predicate a = choose { when true -> true else false }").hint == ""
