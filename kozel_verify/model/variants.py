"""What takes the place of what: items of a variant, new defaults of options, definitions of `default` items."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span, Word, covered
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean

Key = tuple[str, str]


def key_of(item: s.Item) -> Key | None:
    """What an item defines: ``(namespace, name)``; ``None`` for items that are not replaced by name."""
    match item:
        case s.Replaceable(inner):
            return key_of(inner)
        case s.Title():
            return "title", ""
        case s.Result(word):
            return "result", word
        case s.OptionDefault(name):
            return "default", str(name)
        case s.Pack(name) | s.Term(name) | s.Source(name):
            return type(item).__name__, str(name)
        case (
            s.LemmaOf(name) | s.ClaimOf(_, name) | s.StepClaimOf(name) | s.MenuClaimOf(name) | s.MeasureOf(name)
            | s.SecretOf(name) | s.CompiledOf(name)
        ):  # fmt: skip
            return "property", str(name)
        case s.ScenarioOf(title):
            return "property", str(title)
        case s.Seats():
            return "seats", ""
        case s.DeckOf():
            return "deck", ""
        case (
            s.Enumeration(name) | s.Option(name) | s.Order(name) | s.Constant(name) | s.ZoneOf(name)
            | s.StateOf(name) | s.FunctionOf(name) | s.ProcedureOf(name)
        ):  # fmt: skip
            return "name", str(name)
        case _:
            return None


def vary(base: list[s.Item], changes: list[s.Item]) -> list[s.Item]:
    """The items of a base with those of a variant: each in the place of its namesake, new ones at the end.

    The order matters: the first zone is the one that holds the pack at the beginning.
    """
    by_key: dict[Key, list[s.Item]] = {}
    for change in changes:
        key = key_of(change)
        if key is not None:
            by_key.setdefault(key, []).append(change)
    result: list[s.Item] = []
    placed: set[Key] = set()
    for item in base:
        key = key_of(item)
        if key is None or key not in by_key:
            result.append(item)
        elif key not in placed:
            placed.add(key)
            result += by_key[key]
    return result + [c for c in changes if key_of(c) not in placed]


Swap = tuple[s.Item, s.Item]
"""An item of a base, and the one of another kind that takes its place in a variant."""
_KINDS: dict[type[s.Item], str] = {
    s.Enumeration: "type", s.Option: "option", s.Order: "order", s.Constant: "constant", s.ZoneOf: "zone",
    s.StateOf: "cell", s.FunctionOf: "function", s.ProcedureOf: "procedure",
}  # fmt: skip


def swaps(base: list[s.Item], changes: list[s.Item]) -> Iterator[Swap]:
    """The items of a variant that take the place of another kind of thing."""
    had: dict[Key, list[s.Item]] = {}
    for item in map(unwrapped, base):
        key = key_of(item)
        if type(item) in _KINDS and key is not None:
            had.setdefault(key, []).append(item)
    for change in map(unwrapped, changes):
        key = key_of(change)
        olds = had.get(key, []) if key is not None else []
        if olds and type(change) in _KINDS and all(type(old) is not type(change) for old in olds):
            yield olds[0], change


def swaps_told(found: Sequence[Swap], errors: Iterable[Diagnostic], files: Mapping[str, str]) -> Iterator[Diagnostic]:
    """An error for each swap that others may come from: outside of it, in lines that hold its name."""
    lines = {(d.span.file, d.span.line) for d in errors}
    texts = {place: _line(files.get(place[0], ""), place[1]) for place in lines}
    for old, new in found:
        name, own = str(getattr(new, "name", "")), (new.span.file, new.span.line)
        if any(re.search(rf"\b{name}\b", text) for place, text in texts.items() if place != own):
            kinds = _KINDS[type(new)], _KINDS[type(old)]
            message = f"the {kinds[0]} `{name}` takes the place of the {kinds[1]} `{name}` of the base"
            hint = f"give it another name, or change all that uses the {kinds[1]}"
            yield Diagnostic("clash", place_of_name(getattr(new, "name", name), new.span), message, hint)


def _line(text: str, number: int) -> str:
    """A line of a text, counted from 1; nothing where there is none, as for items that were never written."""
    lines = text.split("\n")
    return lines[number - 1] if 1 <= number <= len(lines) else ""


def withdraw(
    base: list[s.Item], changes: list[s.Item], files: Mapping[str, str], whose: str = "the base has"
) -> tuple[list[s.Item], list[s.Item], list[Diagnostic]]:
    """The items of a base without the promises and packs that a variant withdraws, what else the variant says, and an
    error for each that is not there."""
    withdrawn = [c for c in changes if isinstance(c, s.Withdrawn)]
    names = {name for item in withdrawn for name in item.named}
    examples = [item.example for item in withdrawn if item.example]
    kept = [item for item in base if item not in examples and _promised(item) not in names]
    problems: list[Diagnostic] = []
    had = sorted({name for item in base if (name := _promised(item)) is not None})
    for item in withdrawn:
        for name in (name for name in item.named if name not in had):
            message = f"{whose} no promise `{name}`"
            hint = did_you_mean(name, had) or "`kozel explain FILE` lists the promises"
            problems.append(Diagnostic("withdrawn", place_of_name(name, item.span), message, hint))
        if item.example and item.example not in base:
            hint = _near_example(item, base, files) or "write it as it stands there"
            problems.append(Diagnostic("withdrawn", item.span, f"{whose} no such example", hint))
    return kept, [c for c in changes if not isinstance(c, s.Withdrawn)], problems


def _near_example(item: s.Withdrawn, base: list[s.Item], files: Mapping[str, str]) -> str:
    """A hint with the example that is nearly what is to be withdrawn, or nothing."""
    texts = [_example_text(i.span, files) for i in base if isinstance(i, s.ExampleOf)]
    near = get_close_matches(_example_text(item.span, files), texts, 1, 0.5)
    return f"did you mean `example {near[0]}`?" if near else ""


def _example_text(span: Span, files: Mapping[str, str]) -> str:
    """What an example says, without the words with which it begins."""
    return re.sub(r"^(?:(?:withdraw|example|отозвать|пример)\s+)*", "", covered(files.get(span.file, ""), span))


def withdraw_from_modules(
    items: list[s.Item], own: tuple[s.Item, ...], files: Mapping[str, str]
) -> tuple[list[s.Item], list[Diagnostic]]:
    """The items of a game without the promises and packs of its modules that it withdraws, and the errors. ``own``:
    what stands in the game itself, which it cannot withdraw; a module withdraws nothing."""
    here = {id(item) for item in own}
    theirs = [item for item in items if id(item) not in here]
    hint = "write it in the game, or leave it out"
    wrong = [
        Diagnostic("withdrawn", i.span, "a module withdraws nothing", hint)
        for i in theirs
        if isinstance(i, s.Withdrawn)
    ]
    kept, _, problems = withdraw(theirs, list(own), files, "the modules of this game have")
    left = {id(item) for item in kept} | here
    return [i for i in items if id(i) in left and not isinstance(i, s.Withdrawn)], [*wrong, *problems]


def _promised(item: s.Item) -> str | None:
    """The name of a promise or a pack."""
    key = key_of(item)
    return key[1] if key is not None and key[0] in ("property", "Pack") else None


def withdrawals_offered(
    errors: Iterable[Diagnostic], items: Iterable[s.Item], own: s.Unit, files: Mapping[str, str]
) -> Iterator[Diagnostic]:
    """The errors; where one is in a promise or a pack that ``own`` has from its base or its modules, its hint ends with
    the line that withdraws it: what ``own`` changes may have left nothing for it to speak of."""
    theirs = [i for i in items if i.span.file != own.span.file and (isinstance(i, s.ExampleOf) or _promised(i))]
    for error in errors:
        around = next((i for i in theirs if _encloses(i.span, error.span)), None)
        if around is None:
            yield error
            continue
        words = _withdrawing(around, files.get(around.span.file, ""))
        before = f"{error.hint}{' Or' if error.hint.endswith('?') else '; or'} " if error.hint else ""
        yield replace(error, hint=f"{before}write `{words}` in `{own.name}`, if it does not keep this")


def _encloses(outer: Span, inner: Span) -> bool:
    begin, at, end = (outer.line, outer.column), (inner.line, inner.column), (outer.end_line, outer.end_column)
    return outer.file == inner.file and begin <= at < end


def _withdrawing(item: s.Item, text: str) -> str:
    """The line that withdraws a promise or a pack; ``text`` is the file in which that stands."""
    match item:
        case s.ScenarioOf(title):
            return f'withdraw scenario "{title}"'
        case s.ExampleOf(span=span):
            return f"withdraw {covered(text, span)}"
        case _:
            return f"withdraw {_promised(item)}"


def unused(base: list[s.Item], changes: list[s.Item]) -> list[Diagnostic]:
    """Items that a variant adds, that nothing names, and whose names are nearly those of items of the base: misspelt
    names of what was to be changed."""
    had = {key_of(item) for item in base}
    added = [c for c in changes if (key := key_of(c)) is not None and key[0] == "name" and key not in had]
    names = sorted({key[1] for key in had if key is not None and key[0] == "name"})
    problems: list[Diagnostic] = []
    for item in added:
        name = getattr(item, "name", "")
        others = (word for other in (*base, *changes) if other is not item for word in s.parts(other))
        if not any(isinstance(word, Word) and word == name for word in others):
            hint = did_you_mean(str(name), names)
            message = f"`{name}` is new here, and nothing uses it"
            if hint:
                problems.append(Diagnostic("unused", place_of_name(name, item.span), message, hint))
    return problems


def settle_defaults(items: list[s.Item]) -> tuple[list[s.Item], list[Diagnostic]]:
    """Gives each option the default that `option NAME = …` states for it; and the errors of such statements."""
    defaults: dict[str, s.OptionDefault] = {}
    problems: list[Diagnostic] = []
    options = [str(i.name) for i in map(unwrapped, items) if isinstance(i, s.Option)]
    for item in items:
        if not isinstance(item, s.OptionDefault):
            continue
        at = place_of_name(item.name, item.span)
        if item.name not in options:
            hint = did_you_mean(item.name, options)
            problems.append(Diagnostic("unknown-name", at, f"there is no option `{item.name}`", hint))
        elif item.name in defaults:
            problems.append(Diagnostic("clash", at, f"`{item.name}` gets two defaults", "give it one"))
        defaults[str(item.name)] = item
    settled = [_with_default(i, defaults) for i in items if not isinstance(i, s.OptionDefault)]
    return settled, problems


def unwrapped(item: s.Item) -> s.Item:
    """The item behind the word `default`; any other one itself."""
    return item.item if isinstance(item, s.Replaceable) else item


def _with_default(item: s.Item, defaults: dict[str, s.OptionDefault]) -> s.Item:
    if isinstance(item, s.Replaceable) and isinstance(item.item, s.Option):
        inner = _with_default(item.item, defaults)
        return replace(item, item=inner) if isinstance(inner, s.Option) else item
    if isinstance(item, s.Option) and item.name in defaults:
        return replace(item, default=defaults[item.name].value)
    return item


def settle_replaceable(items: list[s.Item]) -> tuple[list[s.Item], list[tuple[s.Item, s.Item]]]:
    """Drops each `default` item that is defined anew and unwraps the others; the pairs of dropped and new ones."""
    defined = {key_of(i): i for i in items if not isinstance(i, s.Replaceable)}
    result: list[s.Item] = []
    replaced: list[tuple[s.Item, s.Item]] = []
    for item in items:
        if not isinstance(item, s.Replaceable):
            result.append(item)
        elif key_of(item) in defined:
            replaced.append((item.item, defined[key_of(item)]))
        else:
            result.append(item.item)
    return result, replaced
