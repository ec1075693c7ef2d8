"""Words for syntax errors: what was expected, and what is wrong with a character or a name."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from kozel_verify.language.diagnostics import Diagnostic, Fix
from kozel_verify.language.names import MEANT, RUSSIAN
from kozel_verify.language.spans import Span

_TOKENS = {
    "NAME": "a name", "INT": "a number", "CARD": "a card", "RANK": "a rank", "SUIT": "a suit", "STRING": "a text",
    "COMPARE": "a comparison",
}  # fmt: skip
_OPERATORS = {
    "COMPARE", "PLUS", "MINUS", "STAR", "MORETHAN", "_AND", "_OR", "_IMPLIES", "_IN", "_NOT", "_WITHIN", "_IS",
    "_ABOVE", "_UNION", "_WITHOUT", "_INTERSECT", "_DIV", "_MOD",
}  # fmt: skip
_LOOKALIKES = {
    "А": "A", "В": "B", "Е": "E", "К": "K", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T", "Х": "X",
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x", "і": "i", "ј": "j", "ѕ": "s",
}  # fmt: skip
# What people write for a word of the language: the character, and what to write.
_STRANGERS = {
    "&": "and", "≠": "!=", "≤": "<=", "≥": ">=", "≦": "<=", "≧": ">=", "−": "-", "–": "-", "—": "-", "×": "*", "·": "*",
    "÷": "div", "∈": "in", "∉": "not in", "∪": "union", "∩": "intersect", "⊆": "within", "∧": "and", "∨": "or",
    "¬": "not", "∀": "every", "∃": "some", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "\u00a0": " ",
    "…": "..", "→": "->", "♤": "♠", "♧": "♣", "♢": "♦", "♡": "♥",
}  # fmt: skip
_ADVICE = {
    "'": 'texts stand between `"`', ";": "statements and items need no end mark", "!": "write `not`, or `!=`",
    "~": "write `not`", "^": "write `*` again and again", "%": "write `mod`",
    "/": "write `div`; a comment begins with `#`",
    "$": "names begin with a letter", "_": "names begin with a letter", "\\": "", "`": "",
}  # fmt: skip
_TRUTH = {  # what people write for `true` and `false`, in small letters
    **dict.fromkeys(("true", "yes", "on", "да", "правда", "истина", "верно", "вкл"), "true"),
    **dict.fromkeys(("false", "no", "off", "нет", "ложь", "неправда", "неверно", "выкл"), "false"),
}  # fmt: skip
_EXPRESSION = {
    "NAME", "INT", "CARD", "RANK", "SUIT", "LBRACE", "VBAR", "LPAR", "_PACK_OF", "_TRUE", "_FALSE", "_NONE", "_SEAT",
    "_OUTCOME", "_GAIN", "_LOSS", "_CASES", "_PLACE", "_OLD", "_SHOWN", "_NOT", "_EVERY", "_SOME", "_THOSE", "_THE",
    "_SUM", "_TOP", "_FIRST", "_IF", "_MATCHING",
}  # fmt: skip
MANY_EXPECTED = 12


def shown_terminal(name: str, pattern: str, is_text: bool, russian: bool = False) -> str:
    """How a terminal of the grammar is called in messages: in back quotes where it is a word of the language."""
    if name in _TOKENS:
        return _TOKENS[name]
    if is_text:
        return f"`{pattern}`"
    keyword = re.match(r"\(\?:(\w+)\|(\w+)\)", pattern)
    return f"`{keyword[2 if russian else 1]}`" if keyword else name.lower()


def describe_expected(expected: Iterable[str], shown: Mapping[str, str]) -> str:
    """A hint from the names of the terminals that would have been accepted; empty when there are too many."""
    names = set(expected) - {"$END"}
    expression = {"INT", "CARD", "_CASES"} <= names
    if expression:
        names -= _EXPRESSION
    words = sorted({shown.get(n, n) for n in names - _OPERATORS})
    if names & _OPERATORS:
        words.append("an operator")
    if expression:
        words.insert(0, "an expression")
    if not words or len(words) > MANY_EXPECTED:
        return ""
    return "expected " + (words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1])


LONG = 80  # characters


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """A hint with the nearest of the known names, or nothing. Names with two spellings are known in both."""
    known = {str(n) for n in names if n != name}
    if not name.isascii():
        known |= {RUSSIAN[n] for n in known if n in RUSSIAN}
    near = [MEANT[name]] if MEANT.get(name) in known else close_to(name, sorted(known))
    return f"did you mean `{near[0]}`?" if near else ""


def close_to(name: str, known: Sequence[str]) -> list[str]:
    """The nearest of the known names, if one is near; of a very long name it is not looked for, as that takes long."""
    return get_close_matches(name, known, 1, 0.6) if len(name) <= LONG else []


def truth_meant(name: str) -> str:
    """A hint with the truth value that a name is likely to be meant for, or nothing."""
    meant = _TRUTH.get(name.lower())
    return f"write `{meant}`" if meant else ""


def lexical_diagnostic(text: str, file: str, line: int, column: int) -> Diagnostic:
    """What is wrong with the character at a place where no word of the language begins."""
    lines = text.split("\n")
    rest = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    span = Span(file, line, column, line, column + 1)
    if not rest:
        return Diagnostic("character", span, "unexpected end of the line")
    ch = rest[0]
    if ch == '"':
        whole = Span(file, line, column, line, column + len(rest.rstrip()))
        return Diagnostic("open-text", whole, "a text is not closed on its line", 'put a `"` at its end')
    if ch in "0123456789":
        word = re.match(r"\w+", rest)
        whole = Span(file, line, column, line, column + len(word[0] if word else ch))
        return Diagnostic("number-name", whole, "a number runs into a name", "put a space between them")
    if ch in _STRANGERS:
        return _stranger(ch, span)
    return Diagnostic("character", span, f"no word begins with {_shown(ch)}", _ADVICE.get(ch, ""))


def _stranger(ch: str, span: Span) -> Diagnostic:
    instead = _STRANGERS[ch]
    hint = "write a plain space" if instead == " " else f"write `{instead}`"
    return Diagnostic("character", span, f"no word begins with {_shown(ch)}", hint, Fix(span, instead))


def _shown(ch: str) -> str:
    name = unicodedata.name(ch, "").lower()
    known = f" ({name})" if name and not ch.isascii() else ""
    return f"`{ch}`{known}" if ch.isprintable() and ch != " " else f"U+{ord(ch):04X}{known}"


# Control characters (but for tabs, line breaks and form feeds), halves of surrogate pairs, changes of direction.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u061c\u200b-\u200d\u2060\ufeff\u202a-\u202e\u2066-\u2069"
    r"\U000e0000-\U000e007f]"
)


def unseen_character(text: str, file: str) -> Diagnostic | None:
    """An error for the first character that may stand nowhere, not even in a comment: people cannot see it."""
    found = _UNSEEN.search(text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start()) + 1
    column = found.start() - (text.rfind("\n", 0, found.start()) + 1) + 1
    span = Span(file, line, column, line, column + 1)
    message = f"{_shown(found[0])} cannot be seen in a text"
    return Diagnostic("character", span, message, "take it out", Fix(span, ""))


def mixed_alphabets(name: str, span: Span) -> Diagnostic | None:
    """An error when a name mixes Latin letters with Cyrillic ones."""
    if name.isascii():
        return None
    kinds = {unicodedata.name(ch, "?").split()[0] for ch in name if ch.isalpha()}
    if not {"LATIN", "CYRILLIC"} <= kinds:
        return None
    fixed = "".join(_LOOKALIKES.get(ch, ch) for ch in name)
    pure = all(unicodedata.name(ch, "").startswith("LATIN") for ch in fixed if ch.isalpha())
    fix = Fix(span, fixed) if pure else None
    hint = f"write `{fixed}` in Latin letters" if pure else "use the letters of one alphabet"
    return Diagnostic("mixed-alphabets", span, f"`{name}` mixes Latin and Cyrillic letters", hint, fix)


def latin_lookalike(ch: str) -> str:
    """The Latin letter that a Cyrillic one looks like; empty when there is none."""
    return _LOOKALIKES.get(ch, "")
