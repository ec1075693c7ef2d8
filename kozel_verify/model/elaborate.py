"""A program to a ``Game``: declarations in the order of what they need, then the graph, then the properties."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.spans import Span
from kozel_verify.language.words import mixed_alphabets
from kozel_verify.model.citations import attach
from kozel_verify.model.claims import Claims
from kozel_verify.model.core import (
    Ask,
    Cell,
    CellKind,
    Const,
    Expr,
    Function,
    Game,
    Local,
    Node,
    OptionDecl,
    OptionRead,
    Orders,
    Visibility,
    Zone,
    slot_count,
)
from kozel_verify.model.deck import SUITS, Deck
from kozel_verify.model.expressions import (
    check,
    constant,
    infer,
    is_number,
    join,
    number,
    predicate,
    seats,
    type_of,
)
from kozel_verify.model.graph import compact, endless_cycles, live_cells, walk
from kozel_verify.model.lowering import Lowering
from kozel_verify.model.program import Program
from kozel_verify.model.scope import OUTCOMES, ConstantSymbol, Globals, Problem, Scope, TableSymbol, TypeSymbol
from kozel_verify.model.types import (
    BOOL,
    EnumType,
    RangeType,
    SetType,
    Type,
    Value,
    element_indices,
    full_set,
    values,
)

_ZERO = Const(0, RangeType(0, 0))
MAX_SEATS = 6


@dataclass(slots=True)
class _Elaboration:
    program: Program
    pack: s.Pack | None
    known: Globals = field(init=False)
    problems: list[Diagnostic] = field(default_factory=list)
    options: dict[str, OptionDecl] = field(default_factory=dict)
    cells: dict[str, Cell] = field(default_factory=dict)
    zones: dict[str, Zone] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    fresh: dict[str, list[str]] = field(default_factory=dict)
    constraints: list[Expr] = field(default_factory=list)
    entry: int = 0

    def each(self, kind: type, work: Callable[..., None]) -> None:
        for item in self.program.items:
            if isinstance(item, kind):
                self.guarded(work, item)

    def guarded(self, work: Callable[..., None], *arguments: object) -> None:
        try:
            work(*arguments)
        except Problem as problem:
            self.problems.append(problem.diagnostic)

    def stop_on_errors(self) -> None:
        if self.problems:
            raise SpecError(self.problems)

    # --- the deck and the constants ----------------------------------------------------------------------------------

    def setting(self) -> None:
        decks = [i for i in self.program.items if isinstance(i, s.DeckOf)]
        counts = [i for i in self.program.items if isinstance(i, s.Seats)]
        at = self.program.span()
        if len(decks) != 1:
            raise SpecError([Diagnostic("deck", at, f"a game has one deck, this one has {len(decks)}")])
        if len(counts) != 1:
            raise SpecError([Diagnostic("seats", at, f"a game states its seats once, this one {len(counts)} times")])
        deck, count = decks[0], counts[0]
        for given in (deck.suits, deck.ranks):
            if len(set(given)) != len(given):
                raise SpecError([Diagnostic("deck", deck.span, "a suit or rank is there twice")])
        ordered = tuple(x for x in SUITS if x in deck.suits)
        seat_count = count.count if self.pack is None or self.pack.seats is None else self.pack.seats
        if not 1 <= seat_count <= MAX_SEATS:
            raise SpecError([Diagnostic("seats", count.span, f"a game has 1 to {MAX_SEATS} seats")])
        cards = Deck(ordered, deck.ranks)
        self.known = Globals(cards, seat_count, (1 << len(cards)) - 1)

    def constants(self) -> None:
        """Enumerations first; then constants, orders and ranges in any order that works."""
        self.each(s.Enumeration, self.enumeration)
        self.each(s.Option, self.inline_items)
        overrides = {a.name: a for a in self.pack.values} if self.pack else {}
        todo: list[s.Constant | s.Order] = []
        for item in self.program.items:
            if isinstance(item, s.Constant) and item.name in overrides:
                todo.append(replace(item, value=overrides.pop(item.name).value))
            elif isinstance(item, s.Constant | s.Order):
                todo.append(item)
        for extra in overrides.values():
            self.problems.append(Diagnostic("unknown-name", extra.span, f"there is no constant `{extra.name}`"))
        while todo:
            waiting: list[s.Constant | s.Order] = []
            failures: list[Diagnostic] = []
            for item in todo:
                try:
                    self.constant(item)
                except Problem as problem:
                    waiting.append(item)
                    failures.append(problem.diagnostic)
            if len(waiting) == len(todo):
                self.problems += failures
                return
            todo = waiting

    def enumeration(self, item: s.Enumeration) -> None:
        if len(set(item.items)) != len(item.items):
            raise Problem("clash", item.span, f"`{item.name}` has an item twice")
        type_ = EnumType(item.name, item.items)
        self.known.define(item.name, TypeSymbol(type_), item.span)
        self.known.define_items(type_, (item.span,) * len(type_.items))

    def inline_items(self, item: s.Option) -> None:
        if isinstance(item.type, s.InlineEnumeration):
            self.known.define_items(EnumType("", item.type.items), (item.span,) * len(item.type.items))

    def constant(self, item: s.Constant | s.Order) -> None:
        scope = Scope(self.known)
        if isinstance(item, s.Order):
            self.known.define(item.name, self.order(item, scope), item.span)
        elif isinstance(item.value, s.Table):
            self.known.define(item.name, self.table(item.value, scope), item.span)
        else:
            found = constant(item.value, scope)
            self.known.define(item.name, ConstantSymbol(found.value, found.type), item.span)

    def order(self, item: s.Order, scope: Scope) -> Orders:
        of = self.element_type(item.items, scope, item.span)
        ranks = tuple(int(constant(x, scope, of).value or 0) for x in item.items)
        if len(set(ranks)) != len(ranks):
            raise Problem("order", item.span, f"something is twice in `{item.name}`")
        return Orders(item.name, of, ranks)

    def element_type(self, texts: tuple[s.Expression, ...], scope: Scope, span: Span) -> Type:
        """The type of a list's elements; numbers beside ranks are ranks."""
        types = [infer(x, scope).type for x in texts]
        for type_ in types:
            if not is_number(type_):
                return type_
        joined = types[0]
        for type_ in types[1:]:
            joined = join(joined, type_, span)
        return joined

    def table(self, table: s.Table, scope: Scope) -> TableSymbol:
        key = self.element_type(tuple(e.key for e in table.entries), scope, table.span)
        indices = element_indices(key)
        given = {int(constant(e.key, scope, key).value or 0): constant(e.value, scope) for e in table.entries}
        if len(given) != len(table.entries):
            raise Problem("table", table.span, "a key is there twice")
        other = None if table.otherwise is None else constant(table.otherwise, scope)
        missing = [i for i in indices if i not in given]
        if missing and other is None:
            raise Problem("table", table.span, f"{len(missing)} keys have no value", "add `else` with a value")
        found = [*given.values()] + ([other] if other is not None else [])
        type_ = found[0].type
        for c in found[1:]:
            type_ = join(type_, c.type, c.span)
        rows: list[Value] = [None] * indices.stop
        for i in indices:
            rows[i] = given[i].value if i in given else other.value if other is not None else None
        if isinstance(type_, RangeType):  # rows outside the key's range are never read
            rows = [type_.lo if r is None else r for r in rows]
        return TableSymbol(key, tuple(rows), type_)

    def apply_pack(self) -> None:
        if self.pack is None or self.pack.cards is None:
            return
        mask = constant(self.pack.cards, Scope(self.known), SetType(self.known.card))
        self.known.pack = int(mask.value or 0)

    # --- options, cells, zones, functions ----------------------------------------------------------------------------

    def option(self, item: s.Option) -> None:
        scope = Scope(self.known)
        type_ = type_of(item.type, scope, inline=True)
        try:
            domain = tuple(values(type_))
        except TypeError:
            raise Problem("option", item.span, "an option needs a finite domain") from None
        if len(domain) > 100:
            raise Problem("option", item.span, f"an option has at most 100 values, not {len(domain)}")
        default = constant(item.default, scope, type_).value
        texts = {t.language: t.text for t in item.texts}
        option = OptionDecl(item.name, type_, domain, default, False, texts, item.span)
        self.known.define(item.name, option, item.span)
        self.options[item.name] = option

    def constraint(self, item: s.Constraint) -> None:
        self.constraints.append(predicate(item.condition, Scope(self.known)))

    def cell(self, item: s.StateOf) -> None:
        scope = Scope(self.known)
        type_ = type_of(item.type, scope)
        index = None if item.family is None else type_of(item.family.type, scope)
        initial = constant(item.initial, scope, type_).value
        base = sum(slot_count(c.index) for c in self.cells.values())
        everybody = Const(full_set(self.known.seat), SetType(self.known.seat))
        seen = Visibility("", everybody)  # the expression is elaborated when all names are known
        cell = Cell(item.name, type_, index, initial, seen, CellKind.DECLARED, base, item.span)
        self.known.define(item.name, cell, item.span)
        self.cells[item.name] = cell
        if item.fresh is not None:
            self.fresh.setdefault(item.fresh, []).append(item.name)

    def zone(self, item: s.ZoneOf) -> None:
        index = None if item.family is None else type_of(item.family.type, Scope(self.known))
        base = sum(slot_count(z.index) for z in self.zones.values())
        nobody = Visibility("", Const(0, SetType(self.known.seat)))
        zone = Zone(item.name, index, nobody, base, item.span)
        self.known.define(item.name, zone, item.span)
        self.zones[item.name] = zone

    def visibility(self, item: s.StateOf | s.ZoneOf) -> None:
        """Second pass: who sees what may depend on public cells and options."""
        if item.seen is None:
            return
        scope = Scope(self.known)
        variable = ""
        if item.family is not None:
            variable = item.family.name
            scope = scope.bind(variable, Local(variable, type_of(item.family.type, scope)), item.family.span)
        seen = Visibility(variable, seats(item.seen, scope))
        if isinstance(item, s.ZoneOf):
            self.zones[item.name] = replace(self.zones[item.name], seen=seen)
            self.known.symbols[item.name] = self.zones[item.name]
        else:
            self.cells[item.name] = replace(self.cells[item.name], seen=seen)
            self.known.symbols[item.name] = self.cells[item.name]

    def declare_function(self, item: s.FunctionOf) -> None:
        scope = Scope(self.known)
        parameters = tuple(Local(p.name, type_of(p.type, scope), p.span) for p in item.parameters)
        if len({p.name for p in parameters}) != len(parameters):
            raise Problem("clash", item.span, f"`{item.name}` has a parameter twice")
        type_ = BOOL if item.type is None else type_of(item.type, scope)
        function = Function(item.name, parameters, Const(False, BOOL), type_, item.span)
        self.known.define(item.name, function, item.span)
        self.functions[item.name] = function

    def function_body(self, item: s.FunctionOf) -> None:
        function = self.functions.get(item.name)
        if function is None:
            return
        scope = Scope(self.known)
        for p in function.parameters:
            scope = scope.bind(p.name, p, p.span)
        body = check(item.body, function.type, scope)
        _require_within(body, function.type, item)
        self.functions[item.name] = replace(function, body=body)
        self.known.symbols[item.name] = self.functions[item.name]

    def no_recursion(self) -> None:
        calls = {n: _called(f.body) for n, f in self.functions.items()}
        for name, function in self.functions.items():
            todo, seen = list(calls[name]), set()
            while todo:
                callee = todo.pop()
                if callee == name:
                    message = f"`{name}` calls itself"
                    self.problems.append(Diagnostic("recursion", function.span, message, "a function never may"))
                    break
                if callee not in seen:
                    seen.add(callee)
                    todo += calls[callee]

    # --- the graph ---------------------------------------------------------------------------------------------------

    def lower(self) -> Lowering:
        procedures: dict[str, s.ProcedureOf] = {}
        for item in self.program.items:
            if isinstance(item, s.ProcedureOf):
                if item.name in procedures or item.name in self.known.symbols:
                    self.problems.append(Diagnostic("clash", item.span, f"`{item.name}` has a meaning already"))
                procedures[item.name] = item
        self.known.procedures = set(procedures)
        self.check_phases(procedures)
        self.stop_on_errors()
        lowering = Lowering(self.known, procedures, self.fresh, self.problems)
        self.entry = lowering.match(procedures["match"].span)
        return lowering

    def check_phases(self, procedures: dict[str, s.ProcedureOf]) -> None:
        for name in ("match", "deal"):
            if name not in procedures or not procedures[name].phase:
                hint = f"add `phase {name} {{ … }}`"
                message = f"the game has no phase `{name}`"
                self.problems.append(Diagnostic("no-phase", self.program.span(), message, hint))
        for name in self.fresh:
            if name not in procedures or not procedures[name].phase:
                span = self.cells[self.fresh[name][0]].span
                self.problems.append(Diagnostic("unknown-name", span, f"there is no phase `{name}`"))

    def needs(self) -> None:
        """What a module asks of its user must be there."""
        for item in self.program.items:
            if not isinstance(item, s.Need):
                continue
            symbol = self.known.symbols.get(item.name)
            there = item.name in self.known.procedures if item.kind == "procedure" else symbol is not None
            if item.kind in ("predicate", "function") and there:
                there = isinstance(symbol, Function) and len(symbol.parameters) == len(item.parameters)
            if not there:
                wanted = f"a {item.kind} `{item.name}`"
                message = f"this module needs {wanted}"
                self.problems.append(Diagnostic("need", item.span, message, "define it in the game that uses it"))

    def results(self) -> dict[str, Expr]:
        found: dict[str, Expr] = {}
        for item in self.program.items:
            if isinstance(item, s.Result):
                self.guarded(self.result, item, found)
        if "outcome" not in found and not self.problems:
            hint = "add `outcome(s) = …` of type Outcome"
            message = "the game does not say who has won"
            self.problems.append(Diagnostic("no-outcome", self.program.span(), message, hint))
        return found

    def result(self, item: s.Result, found: dict[str, Expr]) -> None:
        scope = Scope(self.known).bind(item.seat, Local("seat", self.known.seat, item.span), item.span)
        if item.word in found:
            raise Problem("clash", item.span, f"`{item.word}` is there twice")
        found[item.word] = check(item.value, OUTCOMES, scope) if item.word == "outcome" else number(item.value, scope)

    # --- the whole ---------------------------------------------------------------------------------------------------

    def game(self) -> Game:
        self.setting()
        self.constants()
        self.guarded(self.apply_pack)
        self.stop_on_errors()
        self.each(s.Option, self.option)
        self.each(s.StateOf, self.cell)
        self.each(s.ZoneOf, self.zone)
        self.each(s.FunctionOf, self.declare_function)
        self.stop_on_errors()
        self.each(s.StateOf, self.visibility)
        self.each(s.ZoneOf, self.visibility)
        self.each(s.FunctionOf, self.function_body)
        self.each(s.Constraint, self.constraint)
        self.stop_on_errors()
        self.no_recursion()
        lowering = self.lower()
        self.needs()
        self.names_of_one_alphabet()
        self.stop_on_errors()
        return self.finish(lowering)

    def names_of_one_alphabet(self) -> None:
        for name, span in self.known.spans.items():
            mixed = mixed_alphabets(name, span)
            if mixed is not None:
                self.problems.append(mixed)

    def finish(self, lowering: Lowering) -> Game:
        if not self.zones:
            raise SpecError([Diagnostic("no-zone", self.program.span(), "the game has no zone for its cards")])
        nodes = tuple(n for n in lowering.nodes if n is not None)
        assert len(nodes) == len(lowering.nodes)
        blocks, nodes, entry, renamed = compact(lowering.finished_blocks(), nodes, self.entry)
        self.problems += endless_cycles(blocks)
        cells = dict(self.cells)
        base = sum(slot_count(c.index) for c in cells.values())
        for name, cell in lowering.cells.items():
            cells[name] = replace(cell, base=base)
            base += 1
        live = live_cells(blocks, nodes, frozenset(lowering.cells), self.functions)
        ends = [renamed[n] for n in lowering.deal_ends if n in renamed]
        if len(ends) != 1:
            message = f"`deal` must be run at one place that play comes to; there are {len(ends)}"
            raise SpecError([*self.problems, Diagnostic("no-phase", self.program.span(), message)])
        results = self.results()
        scopes = {renamed[old]: scope for old, scope in enumerate(lowering.scopes) if old in renamed}
        claims = Claims(
            self.known, nodes, [scopes[i] for i in range(len(nodes))], live, self.functions, cells, self.problems
        )
        kinds = PROPERTIES if self.pack is None else PACK_PROPERTIES
        properties = claims.all([i for i in self.program.items if isinstance(i, kinds)])
        citations = attach(self.program, self.problems)
        self.stop_on_errors()
        return Game(
            name=self.program.name,
            titles=self.texts(s.Title).get("", {}),
            terms=self.texts(s.Term),
            deck=self.known.deck,
            pack=self.known.pack,
            pack_name=self.pack.name if self.pack else "",
            seats=self.known.seats,
            enums={n: x.type for n, x in self.known.symbols.items() if _is_enum(x)},  # type: ignore[union-attr,misc]
            orders={n: x for n, x in self.known.symbols.items() if isinstance(x, Orders)},
            options=self.shaped(nodes),
            constraints=tuple(self.constraints),
            cells=cells,
            zones=self.zones,
            functions=self.functions,
            blocks=blocks,
            nodes=nodes,
            entry=entry,
            deal_nodes=frozenset(renamed[n] for n in lowering.deal_nodes if n in renamed),
            deal_end=ends[0],
            outcome=results["outcome"],
            gain=results.get("gain", _ZERO),
            loss=results.get("loss", _ZERO),
            live=live,
            properties=properties,
            citations=citations,
        )

    def texts(self, kind: type) -> dict[str, dict[str, str]]:
        return {
            getattr(item, "name", ""): {t.language: t.text for t in item.texts}
            for item in self.program.items
            if isinstance(item, kind) and isinstance(item, s.Title | s.Term)
        }

    def shaped(self, nodes: tuple[Node, ...]) -> dict[str, OptionDecl]:
        """The options, with those marked that occur in the bounds of a choice."""
        shaping: set[str] = set()
        for node in nodes:
            if isinstance(node, Ask):
                for verb in node.verbs:
                    for p in verb.parameters:
                        for e in (p.lo, p.hi):
                            if e is not None:
                                shaping |= {x.name for x in walk(e, self.functions) if isinstance(x, OptionRead)}
        return {n: replace(o, shape=n in shaping) for n, o in self.options.items()}


PACK_PROPERTIES = (s.LemmaOf, s.ClaimOf, s.MeasureOf, s.SecretOf, s.CompiledOf)
PROPERTIES = (s.ExampleOf, s.ScenarioOf, *PACK_PROPERTIES)  # examples and scenarios name cards of the full pack


def _is_enum(symbol: object) -> bool:
    return isinstance(symbol, TypeSymbol) and isinstance(symbol.type, EnumType)


def _called(e: Expr) -> set[str]:
    from kozel_verify.model.core import Call
    from kozel_verify.model.graph import children

    found: set[str] = set()
    todo = [e]
    while todo:
        x = todo.pop()
        if isinstance(x, Call):
            found.add(x.function)
        todo += children(x)
    return found


def _require_within(body: Expr, declared: Type, item: s.FunctionOf) -> None:
    """A function's declared range must hold all values of its body."""
    if not isinstance(declared, RangeType):
        return
    have = body.type
    inside = isinstance(have, RangeType) and declared.lo <= have.lo and have.hi <= declared.hi
    if not inside:
        hint = f"declare a range that holds {have}" if isinstance(have, RangeType) else "declare it `Nat`"
        raise Problem("range", item.body.span, f"this is a {have}, but `{item.name}` promises {declared}", hint)


def elaborate(program: Program, pack: str = "") -> Game:
    """The game that a program means, for its full pack or for one of its `pack` blocks. Raises ``SpecError``."""
    block: s.Pack | None = None
    if pack:
        packs = {i.name: i for i in program.items if isinstance(i, s.Pack)}
        if pack not in packs:
            known = ", ".join(packs) or "none"
            message = f"there is no pack `{pack}`"
            raise SpecError([Diagnostic("unknown-name", program.span(), message, f"the packs are {known}")])
        block = packs[pack]
    return _Elaboration(program, block).game()


def pack_names(program: Program) -> tuple[str, ...]:
    """The names of a program's smaller packs."""
    return tuple(i.name for i in program.items if isinstance(i, s.Pack))
