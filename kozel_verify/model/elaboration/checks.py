"""What is asked of a game as a whole, once all of its names have their meaning."""

from collections.abc import Iterable, Iterator

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic
from kozel_verify.language.spans import Span, covered
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.unexpected import LANGUAGES
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.core import (
    Call,
    Cell,
    CellRead,
    Const,
    Expr,
    Function,
    OptionDecl,
    Orders,
    Zone,
    ZoneRead,
)
from kozel_verify.model.elaboration.state import Elaboration
from kozel_verify.model.expressions import holds, is_number, type_of
from kozel_verify.model.fold import Given, TooLarge, fold
from kozel_verify.model.graph import options_read, walk
from kozel_verify.model.leftovers import names_said
from kozel_verify.model.limits import FOLD_STEPS, MAX_EXPRESSION_DEPTH, Budget, too_large
from kozel_verify.model.operators import Undefined
from kozel_verify.model.scope import ConstantSymbol, Problem, TableSymbol, TypeSymbol
from kozel_verify.model.types import BOOL, Type, full_set
from kozel_verify.model.walk import children

_EXPANDED = 300_000  # parts of a function with the bodies of all that it calls


def functions_end(el: Elaboration) -> dict[str, int]:
    """No function calls itself, by whatever detour, nor grows beyond bounds when it is unfolded.

    Gives the depth of each with all that it calls.
    """
    calls = {n: list(_calls(f.body)) for n, f in el.functions.items()}
    depth: dict[str, int] = {}
    size: dict[str, int] = {}
    for root in el.functions:
        path: list[tuple[str, Iterator[str]]] = [(root, iter(calls[root]))] if root not in depth else []
        while path:
            name, callees = path[-1]
            callee = next(callees, None)
            on_path = [n for n, _ in path]
            if callee is None:
                path.pop()
                body = el.functions[name].body
                depth[name] = depth_of(body, depth)
                size[name] = _parts_of(body) + sum(size.get(c, 0) for c in calls[name])
                _within_bounds(el, name, depth, size)
            elif callee in on_path:
                _recursion(el, [*on_path[on_path.index(callee) :], callee])
                depth[callee] = size[callee] = 0
            elif callee not in depth:
                path.append((callee, iter(calls[callee])))
    return depth


def depth_of(e: Expr, functions: dict[str, int]) -> int:
    """How deep the parts of an expression stand in one another, those of the functions that it calls included."""
    deepest, todo = 0, [(e, 1)]
    while todo:
        x, depth = todo.pop()
        inside = functions.get(x.function, 0) if isinstance(x, Call) else 0
        deepest = max(deepest, depth + inside)
        todo += [(child, depth + 1) for child in children(x)]
    return deepest


def expressions_within_bounds(el: Elaboration, depth: dict[str, int], expressions: Iterable[Expr]) -> None:
    """What engines walk by recursion is not nested too deep."""
    for e in expressions:
        if depth_of(e, depth) > MAX_EXPRESSION_DEPTH:
            message = f"the parts of this are nested more than {MAX_EXPRESSION_DEPTH} deep, with all that it calls"
            el.problems.note(Diagnostic("too-deep", e.span, message, "use fewer functions or cases in one another"))


def _within_bounds(el: Elaboration, name: str, depth: dict[str, int], size: dict[str, int]) -> None:
    at = el.known.spans[name]
    if depth[name] > MAX_EXPRESSION_DEPTH:
        depth[name] = 0  # reported once
        message = f"`{name}` is nested more than {MAX_EXPRESSION_DEPTH} deep, with all that it calls"
        el.problems.note(Diagnostic("too-deep", at, message, "use fewer functions or cases in one another"))
    if size[name] > _EXPANDED:
        size[name] = 0
        message = f"`{name}` comes to over {_EXPANDED:,} parts with all that it calls"
        el.problems.note(Diagnostic("too-large", at, message, "call fewer functions in one another"))


def _recursion(el: Elaboration, circle: list[str]) -> None:
    hint = " calls ".join(f"`{n}`" for n in circle) + "; a function never may"
    message = f"`{circle[0]}` calls itself"
    el.problems.note(Diagnostic("recursion", el.known.spans[circle[0]], message, hint))


def _calls(e: Expr) -> Iterator[str]:
    todo = [e]
    while todo:
        x = todo.pop()
        if isinstance(x, Call):
            yield x.function
        todo += children(x)


def _parts_of(e: Expr) -> int:
    count, todo = 0, [e]
    while todo:
        count += 1
        todo += children(todo.pop())
    return count


# --- what is public --------------------------------------------------------------------------------------------------


def is_public(el: Elaboration, cell: str) -> bool:
    """Do all seats see the cell, always?"""
    seats = el.cells[cell].seen.seats
    return isinstance(seats, Const) and seats.value == full_set(el.known.seat)


def hidden_parts(el: Elaboration, e: Expr) -> Iterator[tuple[str, Span]]:
    """The zones and hidden cells that an expression may read."""
    for x in walk(e, el.functions):
        if isinstance(x, ZoneRead):
            yield x.zone, x.span
        elif isinstance(x, CellRead) and not is_public(el, x.cell):
            yield x.cell, x.span


def public_only(el: Elaboration) -> None:
    """Who sees what depends on options and public cells; constraints depend on options alone."""
    symbols: list[Cell | Zone] = [*el.cells.values(), *el.zones.values()]
    for symbol in symbols:
        found = next(hidden_parts(el, symbol.seen.seats), None)
        if found is not None:
            message = f"who sees `{symbol.name}` depends on `{found[0]}`, which is hidden"
            hint = "let it depend on options and cells that all see"
            el.problems.note(Diagnostic("hidden", symbol.seen.seats.span, message, hint))
    for c in el.constraints:
        for x in walk(c, el.functions):
            if isinstance(x, CellRead | ZoneRead):
                name = x.cell if isinstance(x, CellRead) else x.zone
                message = f"a constraint is about options, but it reads `{name}`"
                el.problems.note(Diagnostic("not-constant", c.span, message, "let it read options only"))
                break


def defaults_allowed(el: Elaboration) -> None:
    """The defaults satisfy every constraint: so some choice of options does, and a game is played when none is set."""
    given = Given({n: o.default for n, o in el.options.items()}, el.functions)
    for c in el.constraints:
        try:
            if fold(c, Budget(FOLD_STEPS, f"over {FOLD_STEPS:,} steps in a constraint"), given=given):
                continue
            el.problems.note(_excluded(el, c, ""))
        except Undefined as missing:
            el.problems.note(_excluded(el, c, str(missing)))
        except TooLarge:
            el.problems.note(too_large(c.span, "a number in a constraint"))


def _excluded(el: Elaboration, c: Expr, missing: str) -> Diagnostic:
    """The error for a constraint that the defaults break, or give no value for the reason ``missing``: at the default
    where the spec's own file states one, and the constraint is another file's."""
    read = options_read(c, el.functions)
    names = [f"`{n}`" for n in read]
    own = el.program.units[0].span.file
    stated = [o for o in el.items(s.Option) if o.name in read and o.default.span.file == own]
    if not stated or c.span.file == own:
        hint = f"change the default of {' or '.join(names)}, or this constraint" if names else "take it out"
        message = f"with the defaults of the options this constraint has no value: {missing}"
        return Diagnostic(
            "constraint", c.span, message if missing else "the defaults of the options break this constraint", hint
        )
    text = covered(el.program.files.get(c.span.file, ""), c.span)
    what = f"the constraint `{text}` has no value with it: {missing}" if missing else f"it breaks `constraint {text}`"
    others = [n for n in names if n != f"`{stated[0].name}`"]
    besides = f", or change the default of {' or '.join(others)}" if others else ""
    message = f"`{stated[0].name}` cannot have this default: {what}"
    hint = f"the constraint stands at {c.span}; take another value{besides}"
    return Diagnostic("constraint", stated[0].default.span, message, hint)


# --- what modules ask for --------------------------------------------------------------------------------------------

_KINDS: dict[str, tuple[type, ...]] = {
    "const": (ConstantSymbol, TableSymbol), "order": (Orders,), "zone": (Zone,), "state": (Cell,),
    "type": (TypeSymbol,), "option": (OptionDecl,), "predicate": (Function,), "function": (Function,),
}  # fmt: skip


def needs(el: Elaboration, need: s.Need) -> None:
    """What a module asks of its user must be there, and be of the same kind."""
    name, at = str(need.name), place_of_name(need.name, need.span)
    hint = "define it in the game that uses the module"
    if need.kind == "procedure":
        found = el.procedures.get(name)
        if found is None:
            raise Problem("need", at, f"this module needs a procedure `{name}`", hint, silent=name in el.known.broken)
        have = [type_of(p.type, el.scope) for p in found.parameters]
        _same_signature(el, need, have, BOOL, BOOL, at)
        return
    symbol = el.known.symbols.get(name)
    if not isinstance(symbol, _KINDS[need.kind]):
        raise Problem("need", at, f"this module needs a {need.kind} `{name}`", hint, silent=name in el.known.broken)
    if isinstance(symbol, Function):
        wanted = BOOL if need.type is None else type_of(need.type, el.scope)
        _same_signature(el, need, [p.type for p in symbol.parameters], symbol.type, wanted, at)


def _same_signature(el: Elaboration, need: s.Need, have: list[Type], result: Type, wanted: Type, at: Span) -> None:
    parameters = [type_of(p.type, el.scope) for p in need.parameters]
    fits = len(have) == len(parameters) and all(_takes(h, p) for h, p in zip(have, parameters, strict=True))
    if not fits or not _takes(wanted, result):
        where = el.known.spans.get(need.name)
        hint = f"it is defined at {where}" if where is not None else "define it in the game that uses the module"
        raise Problem("need", at, f"`{need.name}` has other parameters or another type than this module needs", hint)


def _takes(wide: Type, narrow: Type) -> bool:
    """Can each value of ``narrow`` be given where ``wide`` is asked for?"""
    same = wide == narrow or (is_number(wide) and is_number(narrow)) or str(wide) == str(narrow)
    return same and holds(wide, narrow)


def replacements(el: Elaboration) -> None:
    """What takes the place of a `default` item is of the same kind and takes the same parameters."""
    for old, new in el.program.replaced:
        at = place_of_name(getattr(new, "name", ""), new.span)
        if type(old) is not type(new) or not _same_parameters(el, old, new):
            name = getattr(new, "name", "")
            message = f"`{name}` is not of the kind that it replaces, or takes other parameters"
            el.problems.note(Diagnostic("default", at, message, f"the `default` stands at {old.span}"))


def _same_parameters(el: Elaboration, old: s.Item, new: s.Item) -> bool:
    if not isinstance(old, s.FunctionOf | s.ProcedureOf) or not isinstance(new, s.FunctionOf | s.ProcedureOf):
        return True
    try:
        wanted = [type_of(p.type, el.scope) for p in old.parameters]
        have = [type_of(p.type, el.scope) for p in new.parameters]
    except Problem:
        return True  # reported with the item itself
    same = len(wanted) == len(have) and all(_takes(h, w) for h, w in zip(have, wanted, strict=True))
    kinds = getattr(old, "phase", None) == getattr(new, "phase", None)
    return same and kinds


def terms(el: Elaboration) -> None:
    """Players' words are given to things that the game has; that is seen on the full pack."""
    if el.pack is not None:
        return
    named: set[str] = {*el.known.symbols, *el.known.items, *el.known.broken, *el.procedures}
    said = [term for term in el.items(s.Term) if term.name not in named]
    if said:  # verbs, questions and variables are found only by a walk over everything
        named |= names_said(el.program.items)
    for term in said:
        if term.name not in named:
            at = place_of_name(term.name, term.span)
            message = f"the game has nothing called `{term.name}`"
            el.problems.note(Diagnostic("unknown-name", at, message, did_you_mean(term.name, named)))


def texts(el: Elaboration) -> None:
    """A file says each text for players once in a language, of those that there are. (A game may say anew what a module
    says.)"""
    seen: set[tuple[str, str, str]] = set()
    for item in (i for i in el.program.items if isinstance(i, s.Title | s.Term | s.Option)):
        about = "" if isinstance(item, s.Title) else str(item.name)
        for text in item.texts:
            key = (item.span.file, about, str(text.language))
            if key in seen:
                what = f"the text of `{about}`" if about else "the title"
                message = f"{what} is there twice in the language `{text.language}`"
                el.problems.note(Diagnostic("clash", text.span, message, "state it once"))
            seen.add(key)
            if text.language not in LANGUAGES:
                at = place_of_name(text.language, text.span)
                hint = did_you_mean(text.language, LANGUAGES) or "there are " + ", ".join(f"`{n}`" for n in LANGUAGES)
                message = f"players' texts are not written in `{text.language}`"
                el.problems.note(Diagnostic("unknown-name", at, message, hint))
