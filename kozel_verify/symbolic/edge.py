"""One edge of the process graph as merged terms.

In: a game, a node, a symbolic state there, and an outcome (a verb with its arguments, a drawn card, or nothing).
Out: an ``Edge``: when the outcome is legal; for each node where play may arrive, under which condition and in which
state; which ``dead`` places are reached and when; what must hold for every step to be well defined; what is released.

The blocks below an outcome form a graph without cycles. They are run in topological order; where two ways meet, the
states are joined by if-then-else, so the number of paths does not matter. The same code runs on exact states and on
counted ones: the evaluator decides what a set of cards is. Trusted: nothing; exact edges are compared with the
reference interpreter, all cells and all cards.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Announce,
    Arrive,
    Ask,
    Assign,
    Branch,
    CellKind,
    Dead,
    Draw,
    Effect,
    End,
    Game,
    Gather,
    Jump,
    Move,
    Parameter,
    Rest,
    Show,
    Verb,
    ZoneRef,
    slot_count,
)
from kozel_verify.model.graph import cells_read
from kozel_verify.model.types import CardType, OptionalType, RangeType, SetType, Type, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.evaluate import Evaluator, Obligation, Scope, SymState
from kozel_verify.symbolic.terms import FALSE, TRUE, Term
from kozel_verify.symbolic.values import SymOptional, SymSet, SymValue, merge


@dataclass(frozen=True, slots=True)
class Outcome:
    """What happens at a node. ``verb`` is -1 for chance and rest; a drawn card is the only argument of chance."""

    verb: int
    arguments: tuple[SymValue, ...]


@dataclass(frozen=True, slots=True)
class Arrival:
    node: int
    path: Term
    state: SymState


@dataclass(frozen=True, slots=True)
class Fall:
    """A place that the spec calls dead, and when it is reached."""

    name: str
    span: Span
    path: Term


@dataclass(frozen=True, slots=True)
class Release:
    """Something that seats may learn: a move, a draw, a show, an announcement, a change of a cell on which it depends
    who sees a zone. ``value`` is what is released (``TRUE`` for the change of a cell); ``to`` is the set of seats
    (``None`` where it follows from who sees the zones ``before`` and ``after``)."""

    effect: Effect | Draw
    path: Term
    value: SymValue
    to: SymValue | None
    before: SymState
    after: SymState


@dataclass(frozen=True, slots=True)
class Edge:
    """See the module. Every path and obligation lies under ``legal``."""

    node: int | None  # None: the beginning of the match
    verb: int
    legal: Term
    arrivals: tuple[Arrival, ...]
    falls: tuple[Fall, ...]
    obligations: tuple[Obligation, ...]
    releases: tuple[Release, ...]


Path = tuple[Term, ...]  # the branch conditions on the way, in order


@dataclass(slots=True)
class _Gathered:
    """What one run collects."""

    arrivals: dict[int, list[tuple[Path, SymState]]] = field(default_factory=dict)
    falls: list[Fall] = field(default_factory=list)
    releases: list[Release] = field(default_factory=list)


class Stepper:
    """Runs edges with one evaluator and one set of symbolic options."""

    def __init__(self, evaluator: Evaluator, options: Mapping[str, SymValue]) -> None:
        self.evaluator = evaluator
        self.game: Game = evaluator.game
        self.options = options

    @cached_property
    def watched(self) -> frozenset[str]:
        """The cells on which it depends who sees a zone: only a change of one of these can uncover cards. (Found when
        an edge is run: most steppers only evaluate.)"""
        zones, functions = self.game.zones.values(), self.game.functions
        return frozenset[str]().union(*(cells_read(zone.seen.seats, functions) for zone in zones))

    def scope(self, state: SymState) -> Scope:
        return Scope(state, self.options)

    # --- edges

    def begin(self) -> Edge:
        """The edge from nothing to the first node."""
        self.evaluator.take_obligations()
        return self._edge(None, -1, TRUE, self.initial(), self.game.entry, [])

    def step(self, node: int, state: SymState, outcome: Outcome) -> Edge:
        """The edge that begins at ``node`` with an outcome. Raises ``ValueError`` for an ``End``."""
        self.evaluator.take_obligations()
        match self.game.nodes[node]:
            case Ask(_, _, _, verbs):
                verb = verbs[outcome.verb]
                legal = self.legality(verb, outcome.arguments, self.scope(state))
                for p, a in zip(verb.parameters, outcome.arguments, strict=True):
                    state = self._store(p.cell, None, a, state)
                return self._edge(node, outcome.verb, legal, state, verb.block, [])
            case Draw() as draw:
                return self._draw(node, draw, state, outcome.arguments[0])
            case Rest(_, block):
                return self._edge(node, -1, TRUE, state, block, [])
            case End():
                raise ValueError("nothing happens after the end")

    def legality(self, verb: Verb, arguments: Sequence[SymValue], scope: Scope) -> Term:
        """Is the choice legal? Collects the obligations of domains, bounds and guard."""
        legal = TRUE
        for parameter, argument in zip(verb.parameters, arguments, strict=True):
            fits = self.fits(parameter, argument, scope)
            legal = t.and_(legal, fits)
            scope = scope.under(fits).bind(**{parameter.name: argument})
        return t.and_(legal, self.evaluator.truth(verb.guard, scope))

    def fits(self, parameter: Parameter, argument: SymValue, scope: Scope) -> Term:
        """Is the argument an element, or a group of the right size, of the parameter's domain?"""
        domain = self.evaluator.value(parameter.domain, scope)
        if parameter.lo is None or parameter.hi is None:
            assert isinstance(argument, Term)
            return self.evaluator.has(domain, argument)
        lo, hi = self.evaluator.term(parameter.lo, scope), self.evaluator.term(parameter.hi, scope)
        size = self.evaluator.size(argument)
        return t.and_(self.evaluator.subset(argument, domain), t.le(lo, size), t.le(size, hi))

    def _draw(self, node: int, draw: Draw, state: SymState, card: SymValue) -> Edge:
        scope = self.scope(state)
        source, target = (self._slots(ref, scope, draw.span) for ref in (draw.source, draw.target))
        drawn_from = self.evaluator.zone(source, state)
        assert isinstance(card, Term)
        legal = self.evaluator.has(drawn_from, card)
        nonempty = t.le(t.integer(1), self.evaluator.size(drawn_from))
        self.evaluator.require(scope, nonempty, "nothing is left to be drawn", draw.span)
        after = self._moved(state, self.evaluator.single(card), source, target)
        self.evaluator.under = legal
        self.evaluator.zone(source, after)  # what is left has a size: rules that follow may rest on its being nothing
        release = Release(draw, legal, self.evaluator.single(card), None, state, after)
        if draw.cell is not None:
            after = self._store(draw.cell, None, card, after)
        return self._edge(node, -1, legal, after, draw.block, [release])

    def initial(self) -> SymState:
        """Every cell at its first value, the pack in zone slot 0."""
        cells = tuple(
            self.evaluator.constant(c.initial, c.type) for c in self.game.cells.values() for _ in _range(c.index)
        )
        cards = SetType(CardType(len(self.game.deck)))
        zones = [self.evaluator.constant(0, cards)] * self.game.zone_slots()
        zones[0] = self.evaluator.constant(self.game.pack, cards)
        return SymState(cells, tuple(zones))

    # --- blocks

    def _edge(
        self, node: int | None, verb: int, legal: Term, state: SymState, block: int, releases: list[Release]
    ) -> Edge:
        run = _Gathered(releases=releases)
        waiting: dict[int, list[tuple[Path, SymState]]] = {block: [((), state)]}
        for here in topological(self.game, block):
            ways = waiting.pop(here, [])
            if ways:
                path, joined = join(ways)
                self._block(here, path, joined, legal, waiting, run)
        arrivals = []
        for target, ways in run.arrivals.items():
            path, joined = join(ways)
            arrivals.append(Arrival(target, t.and_(legal, *path), self.reset(target, joined)))
        self.evaluator.under = TRUE
        found = tuple(self.evaluator.take_obligations())
        return Edge(node, verb, legal, tuple(arrivals), tuple(run.falls), found, tuple(run.releases))

    def _block(
        self,
        index: int,
        path: Path,
        state: SymState,
        legal: Term,
        waiting: dict[int, list[tuple[Path, SymState]]],
        run: _Gathered,
    ) -> None:
        block, condition = self.game.blocks[index], t.and_(legal, *path)
        self.evaluator.under = condition
        for effect in block.effects:
            state = self._effect(effect, state, condition, run)
        match block.end:
            case Jump(target):
                waiting.setdefault(target, []).append((path, state))
            case Branch(test, then, otherwise):
                truth = self.evaluator.truth(test, self.scope(state).under(condition))
                for target, decided in ((then, truth), (otherwise, t.not_(truth))):
                    if decided is not FALSE:
                        way = path if decided is TRUE else (*path, decided)
                        waiting.setdefault(target, []).append((way, state))
            case Arrive(node):
                run.arrivals.setdefault(node, []).append((path, state))
            case Dead(name, span):
                run.falls.append(Fall(name, span, condition))

    def reset(self, node: int, state: SymState) -> SymState:
        """Generated cells that are not live at the node get their first value."""
        cells = list(state.cells)
        for c in self.game.cells.values():
            if c.kind is not CellKind.DECLARED and c.name not in self.game.live[node]:
                for n in _range(c.index):
                    cells[c.base + n] = self.evaluator.constant(c.initial, c.type)
        return replace(state, cells=tuple(cells))

    # --- effects

    def _effect(self, effect: Effect, state: SymState, path: Term, run: _Gathered) -> SymState:
        scope = self.scope(state).under(path)
        match effect:
            case Assign(cell, index, value, span):
                new = self.evaluator.value(value, scope)
                declared = self.game.cells[cell]
                self.evaluator.require(scope, in_type(new, declared.type), f"`{cell}` cannot hold this", span)
                slots = self.evaluator.slots_of(declared, index, scope, span)
                after = self._store(cell, slots, new, state)
                if cell in self.watched:
                    run.releases.append(Release(effect, path, TRUE, None, state, after))
                return after
            case Move(cards, source, target, span):
                moved = self.evaluator.value(cards, scope)
                here, there = self._slots(source, scope, span), self._slots(target, scope, span)
                inside = self.evaluator.subset(moved, self.evaluator.zone(here, state))
                self.evaluator.require(scope, inside, "cards are moved that are not there", span)
                after = self._moved(state, moved, here, there)
                run.releases.append(Release(effect, path, moved, None, state, after))
                return after
            case Gather(target, span):
                return self._gathered(state, self._slots(target, scope, span))
            case Show(shown, to):
                cards_, seats = self.evaluator.value(shown, scope), self.evaluator.value(to, scope)
                run.releases.append(Release(effect, path, cards_, seats, state, state))
                return state
            case Announce(told, to, _):
                value_, seats = self.evaluator.value(told, scope), self.evaluator.value(to, scope)
                run.releases.append(Release(effect, path, value_, seats, state, state))
                return state

    def _slots(self, ref: ZoneRef, scope: Scope, span: Span) -> list[tuple[int, Term]]:
        return self.evaluator.slots_of(self.game.zones[ref.zone], ref.index, scope, span)

    def _store(self, cell: str, slots: list[tuple[int, Term]] | None, value: SymValue, state: SymState) -> SymState:
        declared = self.game.cells[cell]
        cells, value = list(state.cells), fitted(value, declared.type)
        for slot, condition in slots or [(declared.base, TRUE)]:
            cells[slot] = merge(condition, value, cells[slot])
        return replace(state, cells=tuple(cells))

    def _moved(
        self, state: SymState, cards: SymValue, source: list[tuple[int, Term]], target: list[tuple[int, Term]]
    ) -> SymState:
        zones = list(state.zones)
        for slot, condition in source:
            zones[slot] = merge(condition, self.evaluator.minus(zones[slot], cards), zones[slot])
        for slot, condition in target:
            zones[slot] = merge(condition, self.evaluator.plus(zones[slot], cards), zones[slot])
        return replace(state, zones=tuple(zones))

    def _gathered(self, state: SymState, target: list[tuple[int, Term]]) -> SymState:
        type_ = SetType(CardType(len(self.game.deck)))
        none, pack = self.evaluator.constant(0, type_), self.evaluator.constant(self.game.pack, type_)
        zones = [none] * len(state.zones)
        for slot, condition in target:
            zones[slot] = merge(condition, pack, none)
        return replace(state, zones=tuple(zones))


def _range(index: Type | None) -> range:
    return range(slot_count(index))


def topological(game: Game, start: int) -> list[int]:
    """The blocks that can run after ``start``, each after all that may come before it."""
    done: dict[int, None] = {}

    def visit(block: int) -> None:
        if block in done:
            return
        match game.blocks[block].end:
            case Jump(target):
                visit(target)
            case Branch(_, then, otherwise):
                visit(then)
                visit(otherwise)
            case Arrive() | Dead():
                pass
        done[block] = None

    visit(start)
    return list(reversed(done))


def join(ways: list[tuple[Path, SymState]]) -> tuple[Path, SymState]:
    """One way that stands for several, of which at most one is taken."""
    while len(ways) > 1:
        pair = next(((i, j) for j in range(len(ways)) for i in range(j) if _opposite(ways[i][0], ways[j][0])), None)
        if pair is None:
            condition = t.and_(*ways[0][0])
            rest, state = join(ways[1:])
            return (t.or_(condition, t.and_(*rest)),), merge_states(condition, ways[0][1], state)
        (path, a), (_, b) = ways[pair[0]], ways[pair[1]]
        joined = path[:-1], merge_states(path[-1], a, b)
        ways = [w for n, w in enumerate(ways) if n not in pair] + [joined]
    return ways[0]


def _opposite(a: Path, b: Path) -> bool:
    """Do two paths differ in the outcome of their last branch alone?"""
    return bool(a) and len(a) == len(b) and a[:-1] == b[:-1] and t.not_(a[-1]) is b[-1]


def merge_states(condition: Term, a: SymState, b: SymState) -> SymState:
    cells = tuple(merge(condition, x, y) for x, y in zip(a.cells, b.cells, strict=True))
    return SymState(cells, tuple(merge(condition, x, y) for x, y in zip(a.zones, b.zones, strict=True)))


def in_type(value: SymValue, type_: Type) -> Term:
    """Does a value of a wider type lie in ``type_``?"""
    match type_, value:
        case RangeType(lo, hi), Term():
            return t.and_(t.le(t.integer(lo), value), t.le(value, t.integer(hi)))
        case OptionalType(of), SymOptional():
            return t.implies(value.some, in_type(value.value, of))
        case SetType(of), SymSet():
            inside = element_indices(of)
            outside = [b for b, i in zip(value.bits, element_indices(value.type), strict=True) if i not in inside]
            return t.and_(*(t.not_(b) for b in outside))
        case _:
            return TRUE


def fitted(value: SymValue, type_: Type) -> SymValue:
    """A set with one Boolean for each element of the cell's type."""
    if (
        isinstance(value, SymSet)
        and isinstance(type_, SetType)
        and element_indices(value.type) != element_indices(type_.of)
    ):
        return SymSet(value.codec, type_.of, tuple(value.bit(i) for i in element_indices(type_.of)))
    return value
