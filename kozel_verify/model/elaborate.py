"""A program to a ``Game``: declarations in the order of what they need, then the graph, then the properties.

Each stage goes on after errors as far as it can, so that one run reports mistakes in declarations, rules and
properties together; what hangs on a declaration that is at fault itself is not reported.
"""

from collections.abc import Iterator
from dataclasses import replace

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.syntax import place_of_name
from kozel_verify.language.words import did_you_mean
from kozel_verify.model.citations import attach
from kozel_verify.model.claims import Claims, property_parts
from kozel_verify.model.core import (
    Ask,
    Branch,
    Cell,
    Const,
    Dead,
    Expr,
    Function,
    Game,
    Local,
    Node,
    OptionDecl,
    OptionRead,
    Orders,
    Zone,
    slot_count,
)
from kozel_verify.model.elaboration import checks, constants
from kozel_verify.model.elaboration.declarations import declarations, pack_cards, packs
from kozel_verify.model.elaboration.state import Elaboration
from kozel_verify.model.expressions import check, number
from kozel_verify.model.graph import compact, effect_parts, endless_cycles, live_cells, node_parts, walk
from kozel_verify.model.limits import MAX_ITEMS, too_large
from kozel_verify.model.lowering import Lowering
from kozel_verify.model.program import Program
from kozel_verify.model.redefinitions import redefinitions_told
from kozel_verify.model.results import claims_of_results
from kozel_verify.model.scope import OUTCOMES, Problem, TypeSymbol
from kozel_verify.model.types import EnumType, RangeType
from kozel_verify.model.variants import swaps_told, withdrawals_offered

_ZERO = Const(0, RangeType(0, 0))
PACK_PROPERTIES = (
    s.LemmaOf, s.ClaimOf, s.StepClaimOf, s.MenuClaimOf, s.MeasureOf, s.SecretOf, s.CompiledOf
)  # fmt: skip
PROPERTIES = (s.ExampleOf, s.ScenarioOf, *PACK_PROPERTIES)  # examples and scenarios name cards of the full pack


def elaborate(program: Program, pack: str = "") -> Game:
    """The game that a program means, for its full pack or for one of its `pack` blocks. Raises ``SpecError``."""
    block: s.Pack | None = None
    if pack:
        packs = {str(i.name): i for i in program.items if isinstance(i, s.Pack)}
        if pack not in packs:
            hint = did_you_mean(pack, packs) or "the packs are: " + (", ".join(packs) or "none")
            raise SpecError([Diagnostic("unknown-name", program.span(), f"there is no pack `{pack}`", hint)])
        block = packs[pack]
    if len(program.items) > MAX_ITEMS:
        raise SpecError([too_large(program.items[MAX_ITEMS].span, f"over {MAX_ITEMS:,} items")])
    try:
        return _game(Elaboration(program, block, constants.setting(program, block)))
    except SpecError as error:  # what others may come from is told before them, and with them
        found, own, files = error.diagnostics, program.units[0], program.files
        swapped = swaps_told(program.swaps, found, files)
        caused = redefinitions_told(program.redefined, sorted(found, key=lambda d: d.span.file != own.span.file), files)
        error.diagnostics[:] = [*swapped, *withdrawals_offered(caused, program.items, own, files)]
        raise
    except RecursionError:  # the limits of depth are to keep this from ever happening
        at = program.span()
        raise SpecError([Diagnostic("too-deep", at, "something is nested too deep", "name parts of it")]) from None


def pack_names(program: Program) -> tuple[str, ...]:
    """The names of a program's smaller packs."""
    return tuple(str(i.name) for i in program.items if isinstance(i, s.Pack))


def _game(el: Elaboration) -> Game:
    varying = (s.StateOf, s.ZoneOf, s.Option, s.FunctionOf)
    el.known.later = frozenset(str(i.name) for i in el.program.items if isinstance(i, varying))
    constants.enumerations(el)
    constants.constants(el)
    packs(el)
    if el.pack is not None and el.pack.cards is not None:
        el.stop_on_errors()
        el.known.pack = pack_cards(el, el.pack.cards)
    el.known.later = frozenset()
    declarations(el)
    depth = checks.functions_end(el)
    checks.public_only(el)
    if not el.problems:  # else a constraint may call what is at fault itself
        checks.defaults_allowed(el)
    _procedures(el)
    el.each(s.Need, checks.needs)
    checks.replacements(el)
    checks.terms(el)
    checks.texts(el)
    citations = attach(el.program, el.problems.found)
    results = _results(el)
    if "match" not in el.procedures or not el.procedures["match"].phase:
        _check_alone(el, set())
        el.stop_on_errors()
    lowering = Lowering(el.known, el.procedures, el.fresh, el.problems)
    entry = lowering.match(el.procedures["match"].span)
    _check_alone(el, lowering.lowered)
    _name_results(el, results)
    checks.expressions_within_bounds(el, depth, _expressions(el, lowering, results))
    return _finish(el, lowering, entry, results, citations, depth)


def _procedures(el: Elaboration) -> None:
    for item in el.items(s.ProcedureOf):
        name, at = str(item.name), place_of_name(item.name, item.span)
        if name in el.procedures or name in el.known.symbols:  # its name may be that of an item: no text mixes them up
            hint = el.known.earlier(name, at)
            el.problems.note(Diagnostic("clash", at, f"`{name}` has a meaning already", hint))
            el.known.broken.add(name)
            continue
        el.procedures[name] = item
        el.known.procedures.add(name)
        el.known.spans[name] = at
    for name in ("match", "deal"):
        if name not in el.procedures or not el.procedures[name].phase:
            hint = f"add `phase {name} {{ … }}`"
            el.problems.note(Diagnostic("no-phase", el.at, f"the game has no phase `{name}`", hint))
    for name, span in el.fresh_spans.items():
        if name not in el.procedures or not el.procedures[name].phase:
            phases = [n for n, p in el.procedures.items() if p.phase]
            message = f"there is no phase `{name}`"
            el.problems.note(Diagnostic("unknown-name", span, message, did_you_mean(name, phases)))


def _check_alone(el: Elaboration, lowered: set[str]) -> None:
    """Procedures that nothing runs (a module may offer more than a game takes) are checked like the others."""
    for name, procedure in el.procedures.items():
        if name not in lowered:
            alone = Lowering(el.known, el.procedures, el.fresh, el.problems, alone=True)
            alone.check_alone(procedure)
            lowered |= alone.lowered


def _results(el: Elaboration) -> dict[str, Expr]:
    found: dict[str, Expr] = {}
    for item in el.items(s.Result):
        try:
            if item.word in found:
                raise Problem("clash", item.span, f"`{item.word}` is stated twice", "state it once")
            at = place_of_name(item.seat, item.span)
            scope = el.scope.bind(item.seat, Local("seat", el.known.seat, item.span), at)
            is_outcome = item.word == "outcome"
            found[item.word] = _ZERO
            found[item.word] = check(item.value, OUTCOMES, scope) if is_outcome else number(item.value, scope)
            hidden = next(checks.hidden_parts(el, found[item.word]), None) if is_outcome else None
            if hidden is not None:
                hint = "keep what decides it in cells that all see"
                raise Problem("hidden", item.value.span, f"the outcome depends on `{hidden[0]}`, which is hidden", hint)
        except Problem as problem:
            el.problems.add(problem)
    if "outcome" not in found:
        message = "the game does not say who has won"
        el.problems.note(Diagnostic("no-outcome", el.at, message, "add `outcome(s) = …`: `lost`, `neither` or `won`"))
    return {"gain": _ZERO, "loss": _ZERO, **found}


def _name_results(el: Elaboration, results: dict[str, Expr]) -> None:
    """In properties, which come after the rules, a result can be asked for by its word: ``outcome(seat 1)``."""
    for word, body in results.items():
        function = Function(word, (Local("seat", el.known.seat),), body, body.type)
        el.functions[word] = function
        el.known.symbols[word] = function


def _expressions(el: Elaboration, lowering: Lowering, results: dict[str, Expr]) -> Iterator[Expr]:
    """All expressions of the rules."""
    for block in lowering.finished_blocks():
        for effect in block.effects:
            yield from effect_parts(effect)
        if isinstance(block.end, Branch):
            yield block.end.condition
    for node in lowering.nodes:
        if node is not None:
            yield from node_parts(node)
    yield from results.values()
    yield from el.constraints
    symbols: list[Cell | Zone] = [*el.cells.values(), *el.zones.values()]
    yield from (symbol.seen.seats for symbol in symbols)


def _finish(
    el: Elaboration,
    lowering: Lowering,
    entry: int,
    results: dict[str, Expr],
    citations: dict[tuple[str, int], tuple[str, ...]],
    depth: dict[str, int],
) -> Game:
    if not el.zones and not el.problems:
        raise SpecError([Diagnostic("no-zone", el.at, "the game has no zone for its cards", "add `zone stock …`")])
    nodes = tuple(n for n in lowering.nodes if n is not None)
    assert len(nodes) == len(lowering.nodes)
    blocks, nodes, entry, renamed = compact(lowering.finished_blocks(), nodes, entry)
    if not el.problems:  # where statements are missing, so may be what they ask
        el.problems.found.extend(endless_cycles(blocks))
    cells = dict(el.cells)
    base = sum(slot_count(c.index) for c in cells.values())
    for name, cell in lowering.cells.items():
        cells[name] = replace(cell, base=base)
        base += 1
    live = live_cells(blocks, nodes, frozenset(lowering.cells), el.functions)
    deal_end = _deal_end(el, lowering, renamed)
    scopes = {renamed[old]: scope for old, scope in enumerate(lowering.scopes) if old in renamed}
    ordered = [scopes[i] for i in range(len(nodes))]
    claims = Claims(el.known, nodes, blocks, ordered, live, el.functions, cells, el.problems, *_stated(el))
    claims.names |= {b.end.name for b in blocks if isinstance(b.end, Dead)}
    kinds = PROPERTIES if el.pack is None else PACK_PROPERTIES
    properties = claims.all([i for i in el.program.items if isinstance(i, kinds)])
    checks.expressions_within_bounds(el, depth, property_parts(properties))
    el.stop_on_errors()
    properties += tuple(claims_of_results(results, nodes, deal_end, el.functions, el.known.seat))
    return Game(
        name=str(el.program.name),
        titles=_texts(el, s.Title).get("", {}),
        terms=_texts(el, s.Term),
        deck=el.known.deck,
        pack=el.known.pack,
        pack_name=str(el.pack.name) if el.pack else "",
        seats=el.known.seats,
        enums=_enums(el),
        orders={n: x for n, x in el.known.symbols.items() if isinstance(x, Orders)},
        options=_shaped(el, lowering, nodes),
        constraints=tuple(el.constraints),
        cells=cells,
        zones=el.zones,
        functions=el.functions,
        blocks=blocks,
        nodes=nodes,
        entry=entry,
        deal_nodes=frozenset(renamed[n] for n in lowering.deal_nodes if n in renamed) - {deal_end},
        deal_end=deal_end,
        outcome=results["outcome"],
        gain=results["gain"],
        loss=results["loss"],
        live=live,
        properties=properties,
        citations=citations,
    )


def _deal_end(el: Elaboration, lowering: Lowering, renamed: dict[int, int]) -> int:
    """The node at which a deal ends. A game has one: `deal` is run at one place that play comes to."""
    ends = [renamed[n] for n in lowering.deal_ends if n in renamed]
    if len(ends) == 1:
        return ends[0]
    if len(ends) > 1:
        hint = "run it at one place, inside a loop"
        el.problems.note(Diagnostic("deal", lowering.deal_runs[1], "`deal` is run at a second place", hint))
    elif not el.problems:
        at = el.known.spans["deal"]
        hint = "`match` runs it, usually inside `repeat`, and it comes to its end"
        el.problems.note(Diagnostic("deal", at, "play never comes to the end of `deal`", hint))
    return 0


def _stated(el: Elaboration) -> tuple[frozenset[str], frozenset[str]]:
    """The last words of all nodes, and the verbs, that the text names, also those that play does not come to."""
    found, verbs = {"draw", "end"}, set()
    for item in el.items(s.ProcedureOf):
        for x in s.parts(item):
            if isinstance(x, s.AskSeat) or (isinstance(x, s.DrawCards) and x.node is not None):
                found.add(str(x.node))
            elif isinstance(x, s.VerbOf):
                verbs.add(str(x.name))
    return frozenset(found), frozenset(verbs)


def _enums(el: Elaboration) -> dict[str, EnumType]:
    found = {}
    for name, symbol in el.known.symbols.items():
        if isinstance(symbol, TypeSymbol) and isinstance(symbol.type, EnumType):
            found[name] = symbol.type
    return found


def _texts(el: Elaboration, kind: type[s.Title] | type[s.Term]) -> dict[str, dict[str, str]]:
    return {str(getattr(i, "name", "")): {str(t.language): t.text for t in i.texts} for i in el.items(kind)}


def _shaped(el: Elaboration, lowering: Lowering, nodes: tuple[Node, ...]) -> dict[str, OptionDecl]:
    """The options, with those marked that occur in the bounds of a choice or the domain of a loop."""
    shaping = set(lowering.shaping)
    for node in nodes:
        for verb in node.verbs if isinstance(node, Ask) else ():
            for p in verb.parameters:
                for e in (p.lo, p.hi):
                    if e is not None:
                        shaping |= {x.name for x in walk(e, el.functions) if isinstance(x, OptionRead)}
    return {n: replace(o, shape=n in shaping) for n, o in el.options.items()}
