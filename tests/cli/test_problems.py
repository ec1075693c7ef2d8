"""Errors beside the text they are about."""

import json
from collections.abc import Callable
from pathlib import Path

from kozel_verify.cli.problems import as_data, described, report, source_lines
from kozel_verify.language.diagnostics import Diagnostic, Fix
from kozel_verify.language.spans import Span

TEXT = ["language 1", "game g {", "\texample beets(A♥, 10♥)  # сюда", "  order x =", "    A >", "    K", "", "}"]


def lines(span: Span, hint: str = "", fix: Fix | None = None) -> str:
    return "\n".join(described(Diagnostic("code", span, "the message", hint, fix), TEXT))


def test_a_word() -> None:
    """The place, the line, marks below the word, the hint; a tab is four spaces and suits count one."""
    assert lines(Span("g.kozel", 3, 16, 3, 23), "did you mean `beats`?") == (
        "error[code]: the message\n"
        " --> g.kozel:3:16\n"
        "  |\n"
        "3 |     example beets(A♥, 10♥)  # сюда\n"
        "  |                   ^^^^^^^\n"
        "  = hint: did you mean `beats`?"
    )


def test_several_lines() -> None:
    """Each line of a span is marked from its first character to its last."""
    assert lines(Span("g.kozel", 4, 3, 6, 6)) == (
        "error[code]: the message\n"
        " --> g.kozel:4:3\n"
        "  |\n"
        "4 |   order x =\n"
        "  |   ^^^^^^^^^\n"
        "5 |     A >\n"
        "  |     ^^^\n"
        "6 |     K\n"
        "  |     ^"
    )


def test_many_lines() -> None:
    """Of a long span the two first lines and the last are shown."""
    shown = lines(Span("g.kozel", 2, 1, 8, 2)).splitlines()
    assert [line for line in shown if not line.startswith("  | ")] == [
        "error[code]: the message",
        " --> g.kozel:2:1",
        "  |",
        "2 | game g {",
        "3 |     example beets(A♥, 10♥)  # сюда",
        ". |",
        "8 | }",
    ]


def test_the_end_of_the_text() -> None:
    """An error behind the last character has one mark there."""
    assert lines(Span("g.kozel", 8, 2, 8, 2)).endswith("8 | }\n  |  ^")


def test_wide_characters() -> None:
    """Marks stand below characters that take two columns of a terminal."""
    problem = Diagnostic("code", Span("g", 1, 3, 1, 5), "the message")
    assert described(problem, ["山羊山羊x"])[-2:] == ["1 | 山羊山羊x", "  |     ^^^^"]


def test_a_fix() -> None:
    """A certain fix says what to write, and where."""
    span = Span("g.kozel", 3, 10, 3, 15)
    assert lines(span, fix=Fix(span, "beats")).endswith("  = fix: write `beats` at 3:10")


def test_no_text_at_hand(tmp_path: Path) -> None:
    """Without a file, or with one that is no text, only message and place are shown."""
    binary = tmp_path / "b.kozel"
    binary.write_bytes(b"\xff\xfe\x00")
    assert source_lines(str(binary)) == []
    assert source_lines(str(tmp_path)) == []
    assert report([Diagnostic("unreadable", Span("nowhere.kozel", 1, 1, 1, 1), "no such file")]) == [
        "error[unreadable]: no such file",
        " --> nowhere.kozel:1:1",
    ]


def test_characters_that_move_the_cursor() -> None:
    """A control character in a spec cannot rewrite the screen."""
    problem = Diagnostic("code", Span("g", 1, 1, 1, 2), "the message")
    assert described(problem, ["\x1b[2Jx"])[-2] == "1 | \ufffd[2Jx"


def test_as_data() -> None:
    """JSON has the place, the message and the fix."""
    span = Span("g.kozel", 3, 10, 3, 15)
    data = as_data(Diagnostic("code", span, "the message", "the hint", Fix(span, "beats")), "the note")
    assert json.loads(json.dumps(data)) == {
        "code": "code",
        "file": "g.kozel",
        "line": 3,
        "column": 10,
        "end_line": 3,
        "end_column": 15,
        "message": "the message",
        "hint": "the hint",
        "note": "the note",
        "fix": {"file": "g.kozel", "line": 3, "column": 10, "end_line": 3, "end_column": 15, "text": "beats"},
    }


def test_columns_agree_with_the_parser(variant: Callable[[str], Path]) -> None:
    """Composed and decomposed letters are counted alike by the parser and by the excerpt."""
    path = variant("  # é и й\n  example not beets(A♥, 6♠)")
    assert source_lines(str(path))[2] == "  # é и й"
