"""Syntax errors in the reader's words: what is likely to be meant by a word that cannot stand where it stands."""

import re
from collections.abc import Mapping

from lark import Token

from kozel_verify.language.build import span_of
from kozel_verify.language.diagnostics import Diagnostic, Fix
from kozel_verify.language.recovery import AFTER_THE_END, begins_item, opening_of, unit_brace, words_of_items
from kozel_verify.language.spans import Span
from kozel_verify.language.words import describe_expected, did_you_mean, latin_lookalike

_RANK_BEFORE = re.compile(r"(?:(?<=\W)|^)(10|[2-9AKQJТКДВ])([ \t]+)$")
_LETTER_BEFORE = re.compile(r"(?:(?<=\W)|^)([^\W\d_])$")
_WORD_BEFORE = re.compile(r"(\w+)\s*$")
_BINDING_BEFORE = re.compile(r"\b(?:may|может)\s+\w+\s*\((?:.*,)?\s*(\w+)\s*:\s*([^:]+?)\s*$")
LANGUAGES = ("en", "ru")  # in which players' texts are written
_MEANT = {  # what people write for words that begin clauses
    "опция": "настройка", "параметр": "настройка", "константа": "постоянная", "переменная": "ячейка",
    "состояние": "ячейка", "условие": "предикат", "фаза": "этап", "setting": "option", "parameter": "option",
    "variable": "state", "var": "state", "cell": "state", "rule": "predicate", "def": "function",
}  # fmt: skip
_PHASES = ("match", "deal")  # of every game
_PROCEDURES = "phase|procedure|этап|процедура"
_COMPARISONS = {"COMPARE", "MORETHAN", "_IN", "_WITHIN", "_IS", "_ABOVE"}


def syntax_diagnostic(
    text: str, file: str, token: Token, expected: frozenset[str], shown: Mapping[str, str]
) -> Diagnostic:
    """The error for a token that cannot stand at its place; ``expected`` are the terminals that could."""
    span = span_of(file, token)
    special = (
        _after_the_end(token, expected, span)
        or _split_card(text, token, span)
        or _assignment(text, token, expected, shown, span)
        or _reserved(token, expected, shown, span)
        or _chained(token, expected, span)
        or _one_element(text, token, expected, span)
        or _no_cases(text, token, shown, span)
        or _no_clause(text, token, expected, shown, span)
        or _not_run(text, token, expected, shown, span)
        or _misspelt(text, token, expected, shown, span)
    )
    if special is not None:
        return special
    hint = _lost_brace(text, span) or describe_expected(expected, shown)
    return Diagnostic("syntax", span, f"unexpected `{token}`", hint)


def _after_the_end(token: Token, expected: frozenset[str], span: Span) -> Diagnostic | None:
    if expected - {"$END"}:
        return None
    return Diagnostic("syntax", span, f"`{token}` {AFTER_THE_END}", "there is a `}` too many before it")


def _lost_brace(text: str, span: Span) -> str:
    """A hint when an item begins inside of another one."""
    lines = text.split("\n")
    if not begins_item(lines[span.line - 1]) or lines[span.line - 1][: span.column - 1].strip():
        return ""
    opening = opening_of("\n".join(lines[: span.line - 1]))
    unit = unit_brace(text)
    if opening is None or opening[0] != "{" or opening[1] == unit:
        return ""
    return f"a `}}` is missing before it: `{{` at {opening[1]}:{opening[2]} is not closed"


def _before(text: str, token: Token, span: Span) -> str:
    return text.split("\n")[span.line - 1][: span.column - 1]


def _split_card(text: str, token: Token, span: Span) -> Diagnostic | None:
    """``6 ♠`` for ``6♠``; a Cyrillic ``А♠`` for ``A♠``."""
    if token.type != "SUIT":
        return None
    before = _before(text, token, span)
    split = _RANK_BEFORE.search(before)
    if split is not None:
        whole = Span(span.file, span.line, split.start(1) + 1, span.line, span.end_column)
        card = split[1] + token
        return Diagnostic("split-card", whole, "a space inside a card", f"write `{card}`", Fix(whole, card))
    letter = _LETTER_BEFORE.search(before)
    latin = latin_lookalike(letter[1]) if letter is not None else ""
    if letter is None or latin not in ("A", "K", "Q", "J") or not latin:
        return None
    whole = Span(span.file, span.line, letter.start(1) + 1, span.line, span.end_column)
    message = f"`{letter[1]}` is a Cyrillic letter that looks like the rank `{latin}`"
    return Diagnostic("look-alike", whole, message, f"write `{latin}{token}`", Fix(whole, latin + token))


def _assignment(
    text: str, token: Token, expected: frozenset[str], shown: Mapping[str, str], span: Span
) -> Diagnostic | None:
    """The three signs with `=`, one for another."""
    if token == ":=" and "EQUAL" in expected:
        hint, right = "`=` gives a value to a name", "="
    elif token != "=" or "EQUAL" in expected:
        return None
    elif "COMPARE" in expected:
        hint, right = "`==` compares", "=="
    elif any(shown.get(n) == "`:=`" for n in expected):
        name = _WORD_BEFORE.search(_before(text, token, span))
        if name is not None and not _declared(text, "state|ячейка", name[1]):
            hint = f"write `{name[1]} := …` for a `state`, or `let {name[1]} = …` for a new name"
            return Diagnostic("syntax", span, f"unexpected `{token}`", hint)
        hint, right = "`:=` assigns", ":="
    else:
        return None
    return Diagnostic("syntax", span, f"unexpected `{token}`", hint, Fix(span, right))


def _declared(text: str, words: str, name: str) -> bool:
    """Does the text, after one of the words, declare the name?"""
    return re.search(rf"\b(?:{words})\s+{re.escape(name)}\b", text) is not None


def _reserved(token: Token, expected: frozenset[str], shown: Mapping[str, str], span: Span) -> Diagnostic | None:
    """A word of the language, or a rank, where a name is wanted."""
    if "NAME" not in expected or not re.fullmatch(r"\w+", token) or token.type in ("NAME", "INT", "CARD"):
        return None
    only_names = not any(n.startswith("_") for n in expected)
    if not only_names and not {"RPAR", "RBRACE"} & expected:
        return None
    if not only_names:
        return None
    what = "a rank" if token.type == "RANK" else "a word of the language"
    return Diagnostic("reserved", span, f"`{token}` is {what}, not a name", "choose another name")


def _chained(token: Token, expected: frozenset[str], span: Span) -> Diagnostic | None:
    """``a == b == c``: the second comparison."""
    if token.type not in _COMPARISONS or "_AND" not in expected or "COMPARE" in expected:
        return None
    return Diagnostic("syntax", span, f"unexpected `{token}`", "comparisons do not chain: join two of them with `and`")


def _one_element(text: str, token: Token, expected: frozenset[str], span: Span) -> Diagnostic | None:
    """``may play(c : hand[s])`` for ``c in hand[s]``."""
    binding = _BINDING_BEFORE.search(_before(text, token, span))
    if token.type not in ("RPAR", "COMMA") or "_OF" not in expected or binding is None:
        return None
    name, of = binding[1], binding[2]
    hint = f"write `{name} in {of}` for one of them, or `{name} : 1..4 of {of}` for a group"
    return Diagnostic("syntax", span, f"unexpected `{token}`", hint)


def _no_cases(text: str, token: Token, shown: Mapping[str, str], span: Span) -> Diagnostic | None:
    """``case {`` for ``cases {``."""
    word = _WORD_BEFORE.search(_before(text, token, span))
    if token.type != "LBRACE" or word is None:
        return None
    hint = did_you_mean(word[1], [shown["_CASES"].strip("`")])
    return Diagnostic("syntax", span, f"unexpected `{token}`", hint) if hint else None


def _not_run(
    text: str, token: Token, expected: frozenset[str], shown: Mapping[str, str], span: Span
) -> Diagnostic | None:
    """A procedure's name without the word `run` before it."""
    word = _WORD_BEFORE.search(_before(text, token, span))
    if word is None or not any(shown.get(n) == "`:=`" for n in expected):
        return None
    if token.type != "LPAR" and word[1] not in _PHASES and not _declared(text, _PROCEDURES, word[1]):
        return None
    whole = Span(span.file, span.line, word.start(1) + 1, span.line, word.end(1) + 1)
    return Diagnostic("syntax", whole, f"no statement begins with `{word[1]}`", f"write `run {word[1]}`")


def _no_clause(
    text: str, token: Token, expected: frozenset[str], shown: Mapping[str, str], span: Span
) -> Diagnostic | None:
    """A clause without its first word, after texts for players: its own first word was taken for a language."""
    before = _before(text, token, span)
    word = _WORD_BEFORE.search(before)
    if expected != {"STRING"} or word is None or before[: word.start(1)].strip():
        return None
    if word[1] in LANGUAGES or word[1] in words_of_items():
        return None
    shape = {"=": "_CONST", "[": "_STATE", ":": "_STATE"}.get(str(token), "")
    hint = f"does {shown[shape]} belong before it?" if shape else _clause_meant(word[1])
    whole = Span(span.file, span.line, word.start(1) + 1, span.line, word.end(1) + 1)
    return Diagnostic("syntax", whole, f"no clause begins with `{word[1]}`", hint or 'a text stands between `"`')


def _clause_meant(word: str) -> str:
    """A hint with the word that begins clauses, in either spelling, of which this one may be meant."""
    meant = _MEANT.get(word.lower())
    return f"did you mean `{meant}`?" if meant else did_you_mean(word, words_of_items())


def _misspelt(
    text: str, token: Token, expected: frozenset[str], shown: Mapping[str, str], span: Span
) -> Diagnostic | None:
    """A word that is nearly the one that was wanted: this one, or the one before it that was taken for a name."""
    words = {w.strip("`") for n, w in shown.items() if n in expected and re.match("_[A-Z]", n)}
    if token.type == "NAME" and words:
        hint = did_you_mean(str(token), words) or (_clause_meant(str(token)) if "_TITLE" in expected else "")
        return Diagnostic("syntax", span, f"unexpected `{token}`", hint) if hint else None
    if not any(shown.get(n) == "`:=`" for n in expected):
        return None
    before = _WORD_BEFORE.search(_before(text, token, span))
    statements = [w.strip("`") for n, w in shown.items() if re.match("_[A-Z]", n)]
    hint = did_you_mean(before[1], statements) if before is not None else ""
    if before is None or not hint:
        return None
    whole = Span(span.file, span.line, before.start(1) + 1, span.line, before.end(1) + 1)
    return Diagnostic("syntax", whole, f"no statement begins with `{before[1]}`", hint)
