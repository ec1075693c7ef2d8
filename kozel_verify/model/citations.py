"""Citations: each belongs to what begins on its line; the places it names must be known."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.model.program import Program

_READING = re.compile(r"[A-Z][A-Z0-9]*-A\d+")
_PLACE = re.compile(r"(\w+):(\d+)(?:[–-](\d+))?")


def attach(program: Program, problems: list[Diagnostic]) -> dict[tuple[str, int], tuple[str, ...]]:
    """``(file, line)`` to the places cited there. Adds errors for unknown sources and for citations of nothing."""
    sources = {i.name for i in program.items if isinstance(i, s.Source)}
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for unit in program.units:
        begins = {node_line for node_line in _lines(unit)}
        for citation in unit.citations:
            for place in citation.places:
                _check(place, sources, citation, problems)
            if citation.span.line not in begins:
                hint = "put it on the line on which the clause begins"
                problems.append(Diagnostic("citation", citation.span, "nothing begins on this line", hint))
            found[citation.span.file, citation.span.line] = citation.places
    return found


def _check(place: str, sources: set[str], citation: s.Citation, problems: list[Diagnostic]) -> None:
    if _READING.fullmatch(place):
        return
    match = _PLACE.fullmatch(place)
    if match is None:
        hint = "write `K:13` (a source and a line) or `S0-A5` (a reading)"
        problems.append(Diagnostic("citation", citation.span, f"`{place}` names no place", hint))
    elif match[1] not in sources:
        known = ", ".join(sorted(sources)) or "none"
        message = f"there is no source `{match[1]}`"
        problems.append(Diagnostic("citation", citation.span, message, f"the sources are {known}"))


def _lines(node: object) -> Iterator[int]:
    """The lines on which parts of a syntax tree begin."""
    todo = [node]
    while todo:
        x = todo.pop()
        if isinstance(x, tuple):
            todo.extend(x)
        elif is_dataclass(x) and not isinstance(x, s.Citation):
            span = getattr(x, "span", None)
            if span is not None:
                yield span.line
            todo.extend(getattr(x, f.name) for f in fields(x))
