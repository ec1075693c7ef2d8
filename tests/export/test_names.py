"""Safe identifiers, whatever a spec calls its things."""

import keyword
import re

import pytest

from kozel_verify.export.python.names import Namer, ascii_identifier

HOSTILE = [
    "",
    "1st",
    "__import__",
    "_private",
    "x; import os",
    'a"""\nimport os\n"""',
    "\\N{DIGIT ONE}",
    "козырь",
    "Ход",
    "名前",
    "ﬁ",
    "＿＿",
    "a\u202eb",
    "x" * 500,
    "lambda",
    "print",
    "match",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_an_identifier_is_ascii_and_plain(text: str) -> None:
    """Only ASCII letters, digits and ``_``, a letter first, not too long, no keyword, no builtin."""
    name = Namer().take(text)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,400}", name)
    assert not keyword.iskeyword(name)
    assert name not in ("print", "match", "__import__")


def test_names_are_readable() -> None:
    """Cyrillic names are spelled in Latin letters."""
    assert [ascii_identifier(t) for t in ("козырь", "Ход", "щука", "hand_size")] == [
        "kozyr",
        "Khod",
        "shchuka",
        "hand_size",
    ]


def test_names_differ() -> None:
    """No name is given out twice, nor one that a parent has."""
    parent = Namer({"taken"})
    assert [parent.take("a-b"), parent.take("a_b"), parent.take("a.b")] == ["a_b", "a_b_2", "a_b_3"]
    child = Namer(parent=parent)
    assert [child.take("a_b"), child.take("taken")] == ["a_b_4", "taken_2"]
