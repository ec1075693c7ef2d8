"""Text of a spec to its syntax tree, with every syntax error that can be told apart.

The parser stops at an error; it then starts anew at the next line that begins with an item's keyword at the depth of
an item, so that one run reports several mistakes and none of them twice.
"""

import re
from functools import cache
from importlib import resources
from pathlib import Path

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError

from kozel_verify.language.build import build, normalise, span_of
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import Citation, Unit
from kozel_verify.language.words import describe_expected, lexical_diagnostic

LANGUAGE_VERSION = 1
MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 60  # nested brackets and braces


def data_folder(name: str) -> Path:
    """``grammar`` or ``spec``: inside an installed package, or beside it in a checkout."""
    installed = Path(str(resources.files("kozel_verify"))) / "_data" / name
    return installed if installed.is_dir() else Path(__file__).resolve().parents[2] / name


@cache
def _grammar_text() -> str:
    return (data_folder("grammar") / "kozel.lark").read_text(encoding="utf-8")


class _Citations:
    """Collects what the grammar ignores but the tool keeps."""

    def __init__(self) -> None:
        self.tokens: list[Token] = []

    def take(self, token: Token) -> Token:
        self.tokens.append(token)
        return token


_CITATIONS = _Citations()


@cache
def parser() -> Lark:
    """The spec parser: LALR, basic lexer (every word of the language is reserved everywhere)."""
    return Lark(
        _grammar_text(),
        parser="lalr",
        lexer="basic",
        propagate_positions=True,
        maybe_placeholders=True,
        lexer_callbacks={"CITATION": _CITATIONS.take},
    )


def parse(text: str, file: str) -> Unit:
    """The unit that a text states. Raises ``SpecError`` with all syntax errors found."""
    text = normalise(text.removeprefix("\ufeff"))
    _check_size(text, file)
    unit, errors = _attempt(text, file)
    if unit is not None and not errors:
        return unit
    seen_lines = {d.span.line for d in errors}
    for start in _resume_points(text, max(seen_lines, default=0)):
        _, more = _attempt(_isolate(text, start), file)
        for d in more:
            if d.span.line not in seen_lines and d.span.line >= start:
                seen_lines.add(d.span.line)
                errors.append(d)
    raise SpecError(errors[:20])


def _attempt(text: str, file: str) -> tuple[Unit | None, list[Diagnostic]]:
    _CITATIONS.tokens = []
    try:
        version, unit = build(file, parser().parse(text))
    except UnexpectedCharacters as e:
        return None, [lexical_diagnostic(text, file, e.line, e.column)]
    except UnexpectedToken as e:
        return None, [_syntax_diagnostic(text, file, e)]
    except UnexpectedInput as e:  # pragma: no cover - lark has no further kinds with LALR
        return None, [Diagnostic("syntax", Span(file, e.line, e.column, e.line, e.column + 1), "unexpected text")]
    except VisitError as e:
        raise e.orig_exc from e
    if int(version) != LANGUAGE_VERSION:
        message = f"this tool knows language {LANGUAGE_VERSION}, not `{version}`"
        return None, [Diagnostic("language-version", span_of(file, version), message, "begin with `language 1`")]
    citations = tuple(_citation(file, t) for t in _CITATIONS.tokens)
    return Unit(unit.kind, unit.name, unit.parameters, unit.base, unit.items, citations, unit.span), []


def _citation(file: str, token: Token) -> Citation:
    places = tuple(p.strip() for p in token[1:].split(",") if p.strip())
    return Citation(places, span_of(file, token))


def _syntax_diagnostic(text: str, file: str, e: UnexpectedToken) -> Diagnostic:
    token = e.token
    if token.type == "$END":
        lines = text.splitlines() or [""]
        span = Span(file, len(lines), len(lines[-1]) + 1, len(lines), len(lines[-1]) + 1)
        return Diagnostic("syntax", span, "the text ends too early", describe_expected(e.accepts or e.expected))
    hint = describe_expected(e.accepts or e.expected)
    return Diagnostic("syntax", span_of(file, token), f"unexpected `{token}`", hint)


_ITEM_START = re.compile(
    r"^\s*(?:default\s+)?(?:title|term|source|use|deck|seats|pack|type|option|constraint|order|const|zone|state|function|"
    r"predicate|procedure|phase|outcome|gain|loss|need|example|lemma|invariant|witness|measure|secret|compiled|"
    r"scenario)\b"
)


def _resume_points(text: str, after: int) -> list[int]:
    """Lines below ``after`` on which an item begins at depth 1 (inside the unit's braces)."""
    points, depth = [], 0
    for number, line in enumerate(text.splitlines(), 1):
        if number > after and depth <= 1 and _ITEM_START.match(line):
            points.append(number)
        bare = re.sub(r'"[^"]*"|[@#].*', "", line)
        depth += bare.count("{") - bare.count("}")
        if _ITEM_START.match(line) and not line[:1].strip() and len(line) - len(line.lstrip()) <= 2:
            depth = 1 + bare.count("{") - bare.count("}")
    return points[:20]


def _isolate(text: str, start: int) -> str:
    """The text with everything before line ``start`` blanked out, but for an opening that parses."""
    lines = text.splitlines()
    return "\n".join(["language 1 game rest {", *[""] * (start - 2), *lines[start - 1 :]])


def _check_size(text: str, file: str) -> None:
    if len(text) > MAX_CHARACTERS:
        span = Span(file, 1, 1, 1, 1)
        message = f"the file has {len(text):,} characters; a spec may have {MAX_CHARACTERS:,}"
        raise SpecError([Diagnostic("too-large", span, message, "split it into modules")])
    depth, line, column = 0, 1, 0
    for ch in text:
        column += 1
        if ch == "\n":
            line, column = line + 1, 0
        elif ch in "([{":
            depth += 1
            if depth > MAX_DEPTH:
                message = f"brackets are nested more than {MAX_DEPTH} deep"
                raise SpecError([Diagnostic("too-deep", Span(file, line, column, line, column + 1), message)])
        elif ch in ")]}":
            depth = max(0, depth - 1)
