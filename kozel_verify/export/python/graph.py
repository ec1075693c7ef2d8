"""The course of play as Python functions, and the tables that tell the runtime which belongs to which node."""

from dataclasses import dataclass

from kozel_verify.export.python.context import Context, Scope, number
from kozel_verify.export.python.data import (
    card_names,
    distinct,
    kind,
    names_cards,
    parameter_keys,
    plain,
    slot_labels,
)
from kozel_verify.export.python.edges import EdgeWriter, Entry
from kozel_verify.export.python.effects import EffectWriter
from kozel_verify.export.python.expressions import Emitter
from kozel_verify.export.python.menus import READS, MenuWriter
from kozel_verify.export.python.names import Namer
from kozel_verify.export.python.operators import OPERATIONS, Code
from kozel_verify.export.python.places import Places
from kozel_verify.model.core import Ask, Cell, CellKind, Const, Draw, End, Expr, Node, Parameter, Rest, Zone, slot_count
from kozel_verify.model.types import element_indices

KINDS = {Ask: 0, Draw: 1, Rest: 2, End: 3}  # as in the runtime: ASK, DRAW, REST, END


@dataclass(frozen=True, slots=True)
class Data:
    """Definitions by name, as code: those before and those after the functions."""

    before: dict[str, str]
    after: dict[str, str]


class GraphWriter:
    def __init__(self, context: Context, emitter: Emitter, places: Places) -> None:
        self.context, self.emitter, self.game = context, emitter, context.game
        self.places = places
        self.menus = MenuWriter(context, emitter, self.places)
        self.zones = sorted(self.game.zones.values(), key=lambda zone: zone.base)
        self.cells = [c for c in self.game.cells.values() if c.name not in context.local_cells]
        self.cells.sort(key=lambda cell: cell.base)
        self.static = self._static_viewers()
        self.effects = EffectWriter(context, emitter, "ZONE_VIEWERS" if self.static else "zone_viewers(c, o)")
        self.after: dict[str, dict[int, str]] = {
            name: {} for name in ("ASKED", "MENUS", "EDGES", "REASONS", "DRAWN_FROM", "DRAWS", "RESTS")
        }

    # --- who sees what -----------------------------------------------------------------------------------------------

    def _static_viewers(self) -> tuple[int, ...] | None:
        """The viewers of all zone slots, when no state and no option changes them."""
        reads = [self.context.facts.reads(zone.seen.seats) for zone in self.zones]
        if any(r.cells or r.options for r in reads):
            return None
        codes = [self._viewers(zone, k) for zone in self.zones for k in range(slot_count(zone.index))]
        return tuple(self.context.run(f"lambda _: {code}")(0) for code in codes)

    def _viewers(self, item: Zone | Cell, k: int) -> str:
        """The code for the seats that see a slot."""
        scope = Scope(Namer(parent=self.context.names))
        if item.index is not None:
            scope.locals[item.seen.variable] = Code(str(element_indices(item.index)[k]))
        return self.emitter.code(item.seen.seats, scope).text

    def _viewer_function(self, name: str, items: list[Zone] | list[Cell]) -> str:
        codes = [self._viewers(item, k) for item in items for k in range(slot_count(item.index))]
        body = f"({', '.join(codes)}{',' if len(codes) == 1 else ''})"
        reads = [self.context.facts.reads(item.seen.seats) for item in items]
        if any(r.cells for r in reads):
            return f"def {name}(c: Sequence[int], o: Options) -> tuple[int, ...]:\n    return {body}"
        by_options = self.context.names.take(f"{name}_by_options")
        return (
            f"@cache\ndef {by_options}(o: Options) -> tuple[int, ...]:\n    return {body}\n\n\n"
            f"def {name}(c: Sequence[int], o: Options) -> tuple[int, ...]:\n    return {by_options}(o)"
        )

    # --- functions ---------------------------------------------------------------------------------------------------

    def functions(self) -> list[str]:
        """All functions of the course of play."""
        cells: list[Cell] = self.cells
        texts = [
            self._viewer_function("zone_viewers", self.zones),
            self._viewer_function("cell_viewers", cells),
            self._constraints(),
            *(self._result(n, e) for n, e in zip(("outcome_of", "gain_of", "loss_of"), self._results(), strict=True)),
        ]
        entries = [Entry("begin", None, self.game.entry, ())]
        for index, node in enumerate(self.game.nodes):
            texts += self._node(index, node, entries)
        return texts + EdgeWriter(self.context, self.emitter, self.effects, tuple(entries)).write()

    def _results(self) -> tuple[Expr, Expr, Expr]:
        return self.game.outcome, self.game.gain, self.game.loss

    def _constraints(self) -> str:
        scope, lines = Scope(Namer(parent=self.context.names)), list[str]()
        for constraint in self.game.constraints:
            test = OPERATIONS["not"](self.emitter.truth(constraint, scope))
            lines.append(f"    if {test.text}:\n        return {self.places.rule(constraint.span)}")
        return "def broken_constraint(o: Options) -> int:\n" + "\n".join([*lines, "    return -1"])

    def _result(self, name: str, expr: Expr) -> str:
        scope = Scope(Namer({"seat"}, parent=self.context.names)).bind("seat", Code("seat"))
        return f"def {name}({READS}, seat: int) -> int:\n    return {self.emitter.code(expr, scope).text}"

    def _table(self, name: str, text: str) -> str:
        return f"def {name}({READS}) -> int:\n    return {text}"

    def _node(self, index: int, node: Node, entries: list[Entry]) -> list[str]:
        """The functions of a node; its edges are added to ``entries``."""
        take = self.context.names.take
        scope = Scope(Namer(parent=self.context.names))
        match node:
            case Ask():
                return self._ask(index, node, entries)
            case Draw():
                source, edge = take(f"source_of_{node.name}"), take(f"after_{node.name}")
                self.after["DRAWN_FROM"][index], self.after["DRAWS"][index] = source, edge
                entries.append(Entry(edge, index, node.block, () if node.cell is None else (node.cell,), node))
                return [self._table(source, self.emitter.zone_slot(node.source.zone, node.source.index, scope))]
            case Rest():
                edge = take(f"after_{node.name}")
                self.after["RESTS"][index] = edge
                entries.append(Entry(edge, index, node.block, ()))
                return []
            case End():
                return []

    def _ask(self, index: int, node: Ask, entries: list[Entry]) -> list[str]:
        take = self.context.names.take
        scope = Scope(Namer(parent=self.context.names))
        asked, menu = take(f"who_{node.name}"), take(f"menu_{node.name}")
        edges = [take(f"after_{node.name}_{verb.name}") for verb in node.verbs]
        reasons = [take(f"why_not_{node.name}_{verb.name}") for verb in node.verbs]
        for edge, verb in zip(edges, node.verbs, strict=True):
            entries.append(Entry(edge, index, verb.block, tuple(p.cell for p in verb.parameters)))
        self.after["ASKED"][index], self.after["MENUS"][index] = asked, menu
        self.after["EDGES"][index] = f"({', '.join(edges)},)"
        self.after["REASONS"][index] = f"({', '.join(reasons)},)"
        return [
            self._table(asked, self.emitter.code(node.seat, scope).text),
            self.places.comment(node.span) + self.menus.menu(menu, node),
            *(self.menus.reason(r, node, v) for r, v in zip(reasons, node.verbs, strict=True)),
        ]

    # --- data --------------------------------------------------------------------------------------------------------

    def data(self) -> Data:
        """The definitions beside the functions; to be called after ``functions``."""
        after = {
            name: "{" + ", ".join(f"{n}: {text}" for n, text in table.items()) + "}"
            for name, table in self.after.items()
        }
        after["SPEC_FUNCTIONS"] = self._spec_functions()
        return Data({**self._slots(), **self._values(), **self._node_data()}, after)

    def _spec_functions(self) -> str:
        """The spec's functions by name, for those who compare: behind its own parameters a function takes the plain
        cells and options named here, then all cells and all zones where it reads a family or a zone."""
        rows = [
            f"{plain(name)}: ({s.name}, {plain(s.cells)}, {plain(s.options)}, {s.families}, {s.zones})"
            for name, s in self.context.signatures.items()
        ]
        return "{" + ", ".join(rows) + "}"

    def _slots(self) -> dict[str, str]:
        context, found = self.context, dict[str, str]()
        for cell in self.cells:
            found[context.cell_names[cell.name]] = str(context.cell_base(cell.name))
        for zone in self.zones:
            found[context.zone_names[zone.name]] = str(zone.base)
        for place, name in enumerate(self.game.options):
            found[context.option_names[name]] = str(place)
        if self.static:
            found["ZONE_VIEWERS"] = repr(self.static)
        return found

    def _values(self) -> dict[str, str]:
        game = self.game
        options = tuple(
            (o.name, kind(game, o.type), tuple(number(v) for v in o.values), number(o.default))
            for o in game.options.values()
        )
        cells = [(c, label) for c in self.cells for label in slot_labels(game, c.name, c.index)]
        zones = [label for z in self.zones for label in slot_labels(game, z.name, z.index)]
        drawn = {node.source.zone for node in game.nodes if isinstance(node, Draw)}
        sources = sum(1 << z.base + k for z in self.zones if z.name in drawn for k in range(slot_count(z.index)))
        return {
            "SEATS": str(game.seats),
            "CARDS": plain(card_names(game)),
            "PACK": hex(game.pack),
            "CARD": '("names", CARDS)',
            "HAND": '("set", CARD)',
            "OPTIONS": plain(options),
            "CELL_LABELS": plain(distinct(label for _, label in cells)),
            "CELL_KINDS": plain(tuple(kind(game, cell.type) for cell, _ in cells)),
            "INITIAL_CELLS": plain(tuple(number(cell.initial) for cell, _ in cells)),
            "ZONE_LABELS": plain(distinct(zones)),
            "SOURCES": hex(sources),
        }

    def _node_data(self) -> dict[str, str]:
        game = self.game
        verbs = {
            index: tuple((v.name, self._parameters(v.parameters)) for v in node.verbs)
            for index, node in enumerate(game.nodes)
            if isinstance(node, Ask)
        }
        by_name = {n: {name: (k, p) for k, (name, p) in enumerate(found)} for n, found in verbs.items()}
        secret = [index for index, node in enumerate(game.nodes) if isinstance(node, Ask) and node.secret]
        told = tuple((label, kind(game, type_)) for label, type_ in self.effects.announcements)
        rules = tuple(self.places.rule(node.span) for node in game.nodes)
        return {
            "NODE_NAMES": plain(distinct(node.name for node in game.nodes)),
            "NODE_KINDS": plain(tuple(KINDS[type(node)] for node in game.nodes)),
            "DEAL_END": str(game.deal_end),
            "IDLE_CELLS": plain(tuple(self._idle(index) for index in range(len(game.nodes)))),
            "SECRET_NODES": f"frozenset({secret})",
            "TOLD_MENUS": f"frozenset({[n for n in verbs if self._reads_hidden(n)]})",
            "VERB_NAMES": plain(verbs),
            "VERBS": plain(by_name),
            "ANNOUNCEMENTS": plain(told),
            "RULES": plain(tuple(self.places.texts)),
            "NODE_RULES": plain(rules),
        }

    def _reads_hidden(self, node: int) -> bool:
        """Does the question at a node depend on a single cell that not everybody sees?"""
        facts, ask = self.context.facts, self.game.nodes[node]
        assert isinstance(ask, Ask)
        exprs = [ask.seat, *(verb.guard for verb in ask.verbs)]
        for parameter in (p for verb in ask.verbs for p in verb.parameters):
            exprs += [e for e in (parameter.domain, parameter.lo, parameter.hi) if e is not None]
        read = frozenset[str]().union(*(facts.reads(expr).cells for expr in exprs))
        everybody = (1 << self.game.seats) - 1
        single = [self.game.cells[name] for name in read if self.game.cells[name].index is None]
        return any(not isinstance(c.seen.seats, Const) or c.seen.seats.value != everybody for c in single)

    def _parameters(self, parameters: tuple[Parameter, ...]) -> tuple[tuple[str, object, bool], ...]:
        keys = parameter_keys(parameters)
        return tuple((k, kind(self.game, p.type), names_cards(p.type)) for k, p in zip(keys, parameters, strict=True))

    def _idle(self, node: int) -> tuple[int, ...]:
        """The slots that have their initial value at a node."""
        idle = [c for c in self.cells if c.kind is not CellKind.DECLARED and c.name not in self.game.live[node]]
        return tuple(self.context.cell_base(c.name) + k for c in idle for k in range(slot_count(c.index)))
