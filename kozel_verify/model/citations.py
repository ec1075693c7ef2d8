"""Citations: each belongs to what begins on its line; the places it names must be known.

A line is held against the table beside the module that declares its source, a reading against the table beside the file
that cites it; where there is no table, any line and any reading may be named.
"""

import re

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.parse import READING
from kozel_verify.language.spans import Span
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.books import READINGS, SOURCES, Reading, SourceText
from kozel_verify.model.program import Program

_PLACE = re.compile(r"(\w+):(\d{1,9})(?:[–-](\d{1,9}))?")
_HINT = "write `K:13` (a source and a line) or `S0-A5` (a reading)"
_Sources = dict[str, SourceText | None]  # each declared source with its table, if it has one


def attach(program: Program, problems: list[Diagnostic]) -> dict[tuple[str, int], tuple[str, ...]]:
    """``(file, line)`` to the places cited there. Adds errors for unknown places and for citations of nothing."""
    sources = _sources(program, problems)
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for unit in program.units:
        book = program.books.get(unit.span.file)
        readings = book.readings if book else None
        for citation in unit.citations:
            if not citation.places:
                problems.append(Diagnostic("citation", citation.span, "this citation names no place", _HINT))
            for place in citation.places:
                problem = _wrong(place, sources, readings, citation.span)
                problems += [problem] if problem else []
            if citation.span.line not in unit.begins:
                hint = "put it on the line on which the clause begins"
                problems.append(Diagnostic("citation", citation.span, "nothing begins on this line", hint))
            at = citation.span.file, citation.span.line
            found[at] = (*found.get(at, ()), *citation.places)
    return found


def _sources(program: Program, problems: list[Diagnostic]) -> _Sources:
    """The declared sources. Adds errors for those that their table does not have, or has under another file's name."""
    found: _Sources = {}
    for item in program.items:
        if not isinstance(item, s.Source):
            continue
        book = program.books.get(item.span.file)
        table = book.sources if book else None
        name, at = str(item.name), place_of_name(item.name, item.span)
        found[name] = None if table is None else table.get(name)
        if table is not None and name not in table:
            hint = f"add `[{name}]` to `{SOURCES}`, or take the source out"
            problems.append(Diagnostic("no-such-place", at, f"`{SOURCES}` has no source `{name}`", hint))
        elif table is not None and table[name].file != item.file:
            hint = f"`{SOURCES}` says `{table[name].file}`"
            problems.append(Diagnostic("no-such-place", at, f"`{name}` is not the text `{item.file}`", hint))
    return found


def _wrong(place: str, sources: _Sources, readings: dict[str, Reading] | None, at: Span) -> Diagnostic | None:
    """What is wrong with one place."""
    if re.fullmatch(READING, place):
        if readings is None or place in readings:
            return None
        hint = did_you_mean(place, readings) or f"the readings stand in `{READINGS}`"
        return Diagnostic("no-such-place", at, f"there is no reading `{place}`", hint)
    match = _PLACE.fullmatch(place)
    if match is None:
        return Diagnostic("citation", at, f"`{place}` names no place", _HINT)
    if match[1] not in sources:
        known = ", ".join(f"`{n}`" for n in sorted(sources)) or "none"
        hint = did_you_mean(match[1], sources) or f"the sources are: {known}"
        return Diagnostic("citation", at, f"there is no source `{match[1]}`", hint)
    table = sources[match[1]]
    return None if table is None else _no_line(place, table, int(match[2]), int(match[3] or match[2]), at)


def _no_line(place: str, table: SourceText, first: int, last: int, at: Span) -> Diagnostic | None:
    """An error when a line, or one end of a stretch of lines, is not in the source or has no sentence."""
    if last < first:
        return Diagnostic("no-such-place", at, f"`{place}` ends before it begins", "write the lower line first")
    spoken = [n for n, sentences in enumerate(table.sentences, 1) if sentences]
    for line in (first, last):
        if not 1 <= line <= len(table.sentences):
            hint = f"`{table.name}` has {len(table.sentences)} lines"
            return Diagnostic("no-such-place", at, f"there is no line {line} in `{table.name}`", hint)
        if line not in spoken:
            near = [max((n for n in spoken if n < line), default=0), min((n for n in spoken if n > line), default=0)]
            hint = "the nearest lines that are not: " + ", ".join(str(n) for n in near if n)
            return Diagnostic("no-such-place", at, f"line {line} of `{table.name}` is empty", hint)
    return None
