"""All specs in the repository, and their translation into the Russian spelling."""

import re
from pathlib import Path

from kozel_verify.language.names import RUSSIAN
from kozel_verify.language.parse import parser

ROOT = Path(__file__).resolve().parents[2]
GRAMMAR = ROOT / "grammar" / "kozel.lark"
SPECS = sorted(
    p
    for folder in ("spec", "spec/lib", "spec/boasts", "spec/boasts/lib", "tests/specs/good", "tests/specs/good/lib")
    for p in (ROOT / folder).glob("*.kozel")
)
GAMES = [p for p in SPECS if p.parent.name != "lib"]
_RANKS = {"A": "Т", "K": "К", "Q": "Д", "J": "В"}


def spellings() -> dict[str, tuple[str, str]]:
    """For each word of the language its terminal, with the English and the Russian spelling."""
    found = {}
    for terminal in parser().terminals:
        match = re.fullmatch(r"\(\?:(\w+)\|(\w+)\)\\b", terminal.pattern.value)
        if match:
            found[terminal.name] = (match[1], match[2])
    return found


def in_russian(text: str) -> str:
    """The same spec with every word of the language, every rank, and every name that the language gives a meaning to,
    in the other spelling."""
    words = spellings()
    pieces, done = [], 0
    for token in parser().lex(text):
        assert token.start_pos is not None and token.end_pos is not None
        if token.type in words:
            new = words[token.type][1]
        elif token.type == "NAME" and token in RUSSIAN:
            new = RUSSIAN[token]
        elif token.type in ("CARD", "RANK"):
            new = _RANKS.get(token[0], token[0]) + token[1:]
        else:
            continue
        pieces += [text[done : token.start_pos], new]
        done = token.end_pos
    return "".join([*pieces, text[done:]])
