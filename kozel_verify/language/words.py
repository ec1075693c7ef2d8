"""Words for syntax errors: what was expected, and what is wrong with a character."""

import unicodedata
from collections.abc import Iterable

from kozel_verify.language.diagnostics import Diagnostic, Fix
from kozel_verify.language.spans import Span

_TOKENS = {
    "NAME": "a name", "INT": "a number", "CARD": "a card", "RANK": "a rank", "SUIT": "a suit", "STRING": "a text",
    "COMPARE": "a comparison", "LBRACE": "`{`", "RBRACE": "`}`", "LPAR": "`(`", "RPAR": "`)`", "LSQB": "`[`",
    "RSQB": "`]`", "COLON": "`:`", "COMMA": "`,`", "EQUAL": "`=`", "VBAR": "`|`", "PLUS": "`+`", "MINUS": "`-`",
    "STAR": "`*`", "MORETHAN": "`>`", "QMARK": "`?`", "SECRETLY": "`secretly`",
}  # fmt: skip
_OPERATOR_TOKENS = {
    "COMPARE", "PLUS", "MINUS", "STAR", "MORETHAN", "_AND", "_OR", "_IMPLIES", "_IN", "_NOT", "_WITHIN", "_IS",
    "_ABOVE", "_UNION", "_WITHOUT", "_INTERSECT", "_DIV", "_MOD", "__ANON_0", "__ANON_1", "__ANON_2", "__ANON_3",
    "__ANON_4",
}  # fmt: skip
_LOOKALIKES = {
    "А": "A", "В": "B", "Е": "E", "К": "K", "М": "M", "Н": "H", "О": "O", "Р": "P", "С": "C", "Т": "T", "Х": "X",
    "а": "a", "е": "e", "о": "o", "р": "p", "с": "c", "у": "y", "х": "x",
}  # fmt: skip


def describe_expected(expected: Iterable[str]) -> str:
    """A hint from the names of the terminals that would have been accepted."""
    names = set(expected) - {"$END"}
    words = sorted(_TOKENS.get(n, f"`{n.strip('_').lower().removesuffix('_of')}`") for n in names - _OPERATOR_TOKENS)
    if names & _OPERATOR_TOKENS:
        words.append("an operator")
    if not words or len(words) > 12:
        return ""
    return "expected " + (words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1])


def lexical_diagnostic(text: str, file: str, line: int, column: int) -> Diagnostic:
    """What is wrong with the character at a place where no word of the language begins."""
    lines = text.splitlines()
    ch = lines[line - 1][column - 1] if line <= len(lines) and column <= len(lines[line - 1]) else ""
    span = Span(file, line, column, line, column + 1)
    if ch == '"':
        return Diagnostic("open-text", span, "a text is not closed on its line", 'put a `"` at its end')
    if ch in "0123456789":
        return Diagnostic("number-name", span, "a number runs into a name", "put a space between them")
    if ch == "=":
        return Diagnostic("character", span, "unexpected `=`", "`==` compares, `:=` assigns")
    name = unicodedata.name(ch, "unknown character") if ch else "end of line"
    shown = ch if ch.isprintable() else f"U+{ord(ch):04X}"
    return Diagnostic("character", span, f"no word begins with `{shown}` ({name.lower()})", "")


def mixed_alphabets(name: str, span: Span) -> Diagnostic | None:
    """An error when a name mixes Latin letters with Cyrillic ones that look alike."""
    kinds = {unicodedata.name(ch, "").split()[0] for ch in name if ch.isalpha()}
    if not {"LATIN", "CYRILLIC"} <= kinds:
        return None
    fixed = "".join(_LOOKALIKES.get(ch, ch) for ch in name)
    pure = all(unicodedata.name(ch, "").startswith("LATIN") for ch in fixed if ch.isalpha())
    fix = Fix(span, fixed) if pure else None
    hint = f"write `{fixed}` in Latin letters" if pure else "use the letters of one alphabet"
    return Diagnostic("mixed-alphabets", span, f"`{name}` mixes Latin and Cyrillic letters", hint, fix)
