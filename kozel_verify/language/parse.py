"""Text of a spec to its syntax tree, with every syntax error that can be told apart.

The parser stops at an error; it then starts anew at the next line that begins an item of the unit, so that one run
reports several mistakes and none of them twice. Only what the parser saw before the first error can be wrong about the
text; what follows a restart is reported as if the text before it were right.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError
from lark.lexer import PatternStr

from kozel_verify.language.build import build, canonical_rank, span_of
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.folders import data_folder
from kozel_verify.language.recovery import MAX_ERRORS, blanked_before, is_echo, next_item, opening_of, unit_brace
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import Citation, Unit, parts
from kozel_verify.language.tables import parser_for
from kozel_verify.language.unexpected import syntax_diagnostic
from kozel_verify.language.words import lexical_diagnostic, mixed_alphabets, shown_terminal, unseen_character

LANGUAGE_VERSION = 1
MAX_CHARACTERS = 300_000
MAX_BRACKETS = 60  # nested brackets and braces
READING = r"[A-Z][A-Z0-9]*-A\d+"  # the name of a reading, such as S0-A5
_CITED = re.compile(r"@[ \t]*({0}(?:[ \t]*,[ \t]*{0})*)[ \t]*$".format(rf"(?:\w+:\d+(?:[–-]\d+)?|{READING})"))
_RUSSIAN = re.compile(r"(?:\s|#[^\n]*)*язык\b")
MANY_ERRORS = 50  # more of them help nobody
MAX_DEPTH = 100  # of the parse tree: what later passes walk by recursion


@cache
def _grammar_text() -> str:
    return (data_folder("grammar") / "kozel.lark").read_text(encoding="utf-8")


class _Kept:
    """Collects what the grammar ignores but the tool keeps (citations, and comments that may end with one), and names
    whose letters are to be looked at."""

    def __init__(self) -> None:
        self.citations: list[Token] = []
        self.comments: list[Token] = []
        self.names: list[Token] = []

    def citation(self, token: Token) -> Token:
        self.citations.append(token)
        return token

    def comment(self, token: Token) -> Token:
        if "@" in token:
            self.comments.append(token)
        return token

    def name(self, token: Token) -> Token:
        if not token.isascii():
            self.names.append(token)
        return token


_KEPT = _Kept()


@cache
def parser() -> Lark:
    """The spec parser: LALR, basic lexer (every word of the language is reserved everywhere)."""
    return parser_for(
        _grammar_text(),
        parser="lalr",
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=True,
        lexer_callbacks={"CITATION": _KEPT.citation, "COMMENT": _KEPT.comment, "NAME": _KEPT.name},
    )


@cache
def shown_terminals(russian: bool = False) -> Mapping[str, str]:
    """How each terminal of the grammar is called in messages: words of the language in one of their spellings."""
    patterns = {t.name: t.pattern for t in parser().terminals}
    return {n: shown_terminal(n, p.value, isinstance(p, PatternStr), russian) for n, p in patterns.items()}


def normalise(text: str) -> str:
    """Composed characters (NFC), so that one name has one spelling; one kind of line break; no mark at the front."""
    return unicodedata.normalize("NFC", text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"))


def is_russian(text: str) -> bool:
    """Does a text begin in the Russian spelling?"""
    return _RUSSIAN.match(normalise(text)) is not None


def parse(text: str, file: str) -> Unit:
    """The unit that a text states. Raises ``SpecError`` with all syntax errors."""
    text = normalise(text)
    _check_text(text, file)
    russian = is_russian(text)
    unit, errors = _attempt(text, file, russian)
    if unit is not None and not errors:
        return unit
    if errors[0].code not in ("language-version", "too-deep"):
        errors += _more_errors(text, file, errors[0], russian)
    raise SpecError(errors[:MANY_ERRORS])


def _more_errors(text: str, file: str, first: Diagnostic, russian: bool) -> list[Diagnostic]:
    """The errors after the first one: parse again from the next item, as often as needed."""
    found: list[Diagnostic] = []
    line, column = first.span.line, first.span.column
    brace = unit_brace(text)
    while brace is not None and len(found) < MAX_ERRORS:
        start = next_item(text, line, column)
        if start is None or start <= brace:
            break
        _, more = _attempt(blanked_before(text, start), file, russian)
        if not more or is_echo(more[0], text):
            break
        found += more
        line, column = more[0].span.line, more[0].span.column
    return found


def _attempt(text: str, file: str, russian: bool) -> tuple[Unit | None, list[Diagnostic]]:
    """The unit, or the first syntax error; names with letters of two alphabets beside either."""
    _KEPT.citations, _KEPT.comments, _KEPT.names = [], [], []
    try:
        tree = parser().parse(text)
    except UnexpectedCharacters as e:
        return None, _with_names(file, lexical_diagnostic(text, file, e.line, e.column))
    except UnexpectedToken as e:
        return None, _with_names(file, _diagnostic(text, file, e, russian))
    except UnexpectedInput as e:  # pragma: no cover - lark has no further kinds with LALR
        raise AssertionError("an unknown kind of syntax error") from e
    too_deep = _too_deep(tree, file)
    if too_deep is not None:
        return None, [too_deep]
    try:
        version, unit = build(file, tree)
    except VisitError as e:
        if isinstance(e.orig_exc, SpecError):
            return None, e.orig_exc.diagnostics
        raise e.orig_exc from e
    if str(version) != str(LANGUAGE_VERSION):
        message = f"this tool knows language {LANGUAGE_VERSION}, not `{version}`"
        return None, [Diagnostic("language-version", span_of(file, version), message, "begin with `language 1`")]
    lines = text.split("\n")
    cited = [_citation(file, t) for t in _KEPT.citations] + [c for t in _KEPT.comments for c in _behind(file, t, lines)]
    citations = tuple(sorted(cited, key=lambda c: c.span))
    begins = frozenset(x.span.line for x in parts(unit))
    return replace(unit, citations=citations, begins=begins), _mixed(file)


def _mixed(file: str) -> list[Diagnostic]:
    found = (mixed_alphabets(str(t), span_of(file, t)) for t in _KEPT.names)
    return [d for d in found if d is not None]


def _with_names(file: str, error: Diagnostic) -> list[Diagnostic]:
    """A name in two alphabets is the likely cause of an error at the same place or right after it."""
    mixed = _mixed(file)
    caused = any(d.span.line == error.span.line and d.span.column <= error.span.column for d in mixed)
    return mixed if caused else [error, *mixed]


def _diagnostic(text: str, file: str, e: UnexpectedToken, russian: bool) -> Diagnostic:
    expected = frozenset(e.accepts or e.expected)
    if e.token.type != "$END":
        return syntax_diagnostic(text, file, e.token, expected, shown_terminals(russian))
    opening = opening_of(text)
    lines = text.rstrip().split("\n")
    span = Span(file, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
    hint = "a spec is `language 1` and one `game`, `module` or `variant`"
    if opening is not None:
        bracket, line, column = opening
        hint = f"`{bracket}` at {line}:{column} is not closed"
    return Diagnostic("syntax", span, "the text ends too early", hint)


def _citation(file: str, token: Token) -> Citation:
    places = tuple(_place(p.strip()) for p in token[1:].split(",") if p.strip())
    span = span_of(file, token)
    trailing = len(token) - len(token.rstrip())
    return Citation(places, Span(file, span.line, span.column, span.end_line, span.end_column - trailing))


def _behind(file: str, comment: Token, lines: list[str]) -> list[Citation]:
    """The citation with which a comment ends, when the comment stands behind something on its line."""
    found = _CITED.search(comment)
    line, column = comment.line or 0, comment.column or 0
    if found is None or not lines[line - 1][: column - 1].strip():
        return []
    places = tuple(_place(p.strip()) for p in found[1].split(","))
    return [Citation(places, Span(file, line, column + found.start(), line, column + found.end(1)))]


def _place(text: str) -> str:
    """A source named by the letter of a rank has one name in both spellings."""
    name, colon, line = text.partition(":")
    return canonical_rank(name) + colon + line


def _check_text(text: str, file: str) -> None:
    """Raises ``SpecError`` for texts that are too large, nested too deep, or hold what nobody can see."""
    if len(text) > MAX_CHARACTERS:
        span = Span(file, 1, 1, 1, 1)
        message = f"the file has {len(text):,} characters; a spec may have {MAX_CHARACTERS:,}"
        raise SpecError([Diagnostic("too-large", span, message, "split it into modules")])
    unseen = unseen_character(text, file)
    if unseen is not None:
        raise SpecError([unseen])
    depth, line, column = 0, 1, 0
    for ch in text:
        column += 1
        if ch == "\n":
            line, column = line + 1, 0
        elif ch in "([{":
            depth += 1
            if depth > MAX_BRACKETS:
                message = f"brackets are nested more than {MAX_BRACKETS} deep"
                span = Span(file, line, column, line, column + 1)
                raise SpecError([Diagnostic("too-deep", span, message, "name a part of it by a function")])
        elif ch in ")]}":
            depth = max(0, depth - 1)


def _too_deep(tree: Tree[Token], file: str) -> Diagnostic | None:
    """An error when expressions or statements stand in one another more than ``MAX_DEPTH`` deep."""
    todo: list[tuple[Tree[Token], int]] = [(tree, 1)]
    while todo:
        node, depth = todo.pop()
        if depth > MAX_DEPTH:
            m = node.meta
            span = Span(file, m.line, m.column, m.end_line, m.end_column)
            message = f"expressions or statements are nested more than {MAX_DEPTH} deep"
            return Diagnostic("too-deep", span, message, "name a part of it by a function or a procedure")
        todo += [(child, depth + 1) for child in node.children if isinstance(child, Tree)]
    return None
