"""What a variant changes in items of its base that it redefines, told with the errors that come of it elsewhere."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span, Word
from kozel_verify.language.syntax import place_of_name
from kozel_verify.model.variants import key_of, unwrapped


@dataclass(frozen=True, slots=True)
class Redefinition:
    """``change``: what those who name the item would notice, if anything; ``lost``: names that the new one has not."""

    name: str
    at: Span
    change: str
    lost: frozenset[str]


def redefinitions(base: Sequence[s.Item], changes: Iterable[s.Item]) -> Iterator[Redefinition]:
    """The items of a base that a variant redefines as the same kind of thing, with what is not as it was."""
    had = {key_of(item): item for item in map(unwrapped, base)}
    for new in map(unwrapped, changes):
        old = had.get(key_of(new))
        if old is None or type(old) is not type(new):
            continue
        change, lost = _change(old, new), frozenset(_own_names(old)) - frozenset(_own_names(new))
        if change or lost:
            name = getattr(new, "name", "")
            yield Redefinition(str(name), place_of_name(name, new.span), change, lost)


def _change(old: s.Item, new: s.Item) -> str:
    if isinstance(old, s.FunctionOf | s.ProcedureOf) and isinstance(new, s.FunctionOf | s.ProcedureOf):
        if [p.type for p in old.parameters] != [p.type for p in new.parameters]:
            return "with other parameters"
        result = isinstance(old, s.FunctionOf) and isinstance(new, s.FunctionOf) and old.type != new.type
        return "with another type" if result else ""
    if isinstance(old, s.StateOf | s.ZoneOf) and isinstance(new, s.StateOf | s.ZoneOf):
        if (old.family is None) != (new.family is None):
            return "with an index" if new.family else "without an index"
        if old.family and new.family and old.family.type != new.family.type:
            return "with another index"
        typed = isinstance(old, s.StateOf) and isinstance(new, s.StateOf) and old.type != new.type
        return "with another type" if typed else ""
    if isinstance(old, s.Option) and isinstance(new, s.Option):
        return "with other values" if old.type != new.type else ""
    if isinstance(old, s.Constant) and isinstance(new, s.Constant):
        return "with another value" if old.value != new.value else ""
    if isinstance(old, s.Order) and isinstance(new, s.Order):
        return "with another order" if old.items != new.items else ""
    return ""


def _own_names(item: s.Item) -> Iterator[str]:
    """The names that others know only because of this item: items of an enumeration, nodes, verbs, labels."""
    for x in s.parts(item):
        match x:
            case s.Enumeration(_, names) | s.InlineEnumeration(names):
                yield from map(str, names)
            case s.AskSeat() | s.DrawCards():
                yield str(x.node)
            case s.VerbOf(name):
                yield str(name)
            case s.AnnounceValue(_, Word() as label):
                yield str(label)
            case _:
                pass


def redefinitions_told(
    found: Sequence[Redefinition], errors: Iterable[Diagnostic], files: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """The errors. The hint of one in another file than a redefinition whose name, or a lost one, it is about, or has on
    its line, says where the redefinition is."""
    for error in errors:
        words = set(re.findall(r"\w+", f"{_lines(error.span, files)} {' '.join(re.findall('`[^`]*`', error.message))}"))
        causes = [cause for r in found if r.at.file != error.span.file and (cause := _cause(r, words))]
        yield replace(error, hint="; ".join(causes)) if causes else error


def _cause(r: Redefinition, words: set[str]) -> str:
    lost = ", ".join(f"`{name}`" for name in sorted(r.lost & words))
    change = f"without {lost}" if lost else r.change if r.name in words else ""
    return f"`{r.name}` is redefined at {r.at}, {change}" if change else ""


def _lines(span: Span, files: Mapping[str, str]) -> str:
    """The lines of an error, without comments."""
    lines = files.get(span.file, "").split("\n")[max(0, span.line - 1) : span.end_line]
    return " ".join(re.sub("[#@].*", "", line) for line in lines)
