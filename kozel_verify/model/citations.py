"""Citations: each belongs to what begins on its line; the places it names must be known."""

import re

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.program import Program

_READING = re.compile(r"[A-Z][A-Z0-9]*-A\d+")
_PLACE = re.compile(r"(\w+):(\d+)(?:[–-](\d+))?")


def attach(program: Program, problems: list[Diagnostic]) -> dict[tuple[str, int], tuple[str, ...]]:
    """``(file, line)`` to the places cited there. Adds errors for unknown sources and for citations of nothing."""
    sources = {str(i.name) for i in program.items if isinstance(i, s.Source)}
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for unit in program.units:
        begins = {x.span.line for x in s.parts(unit)} if unit.citations else set()
        for citation in unit.citations:
            if not citation.places:
                problems.append(Diagnostic("citation", citation.span, "this citation names no place", _HINT))
            for place in citation.places:
                _check(place, sources, citation, problems)
            if citation.span.line not in begins:
                hint = "put it on the line on which the clause begins"
                problems.append(Diagnostic("citation", citation.span, "nothing begins on this line", hint))
            found[citation.span.file, citation.span.line] = citation.places
    return found


_HINT = "write `K:13` (a source and a line) or `S0-A5` (a reading)"


def _check(place: str, sources: set[str], citation: s.Citation, problems: list[Diagnostic]) -> None:
    if _READING.fullmatch(place):
        return
    match = _PLACE.fullmatch(place)
    if match is None:
        problems.append(Diagnostic("citation", citation.span, f"`{place}` names no place", _HINT))
    elif match[1] not in sources:
        known = ", ".join(f"`{n}`" for n in sorted(sources)) or "none"
        hint = did_you_mean(match[1], sources) or f"the sources are: {known}"
        problems.append(Diagnostic("citation", citation.span, f"there is no source `{match[1]}`", hint))
