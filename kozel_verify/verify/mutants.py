"""First-order mutants: a game's rules with one small fault each, to ask whether the properties of a spec notice it.

In goes a program, out come programs that differ from it in one clause. Only rules are changed: what `match` and the
results come to by name (procedures, functions, constants, orders, zones, cells). Properties, titles, options, types and
packs stay, and so do functions that only properties use. Changes are made on the syntax tree, in the order of the text;
the same text gives the same mutants with the same names. Whether a mutant still means a game, its user must ask
(`elaborate`). Nothing is trusted: a mutant is a program like any other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import StrEnum
from itertools import pairwise
from pathlib import PurePath
from typing import Any

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span, Word
from kozel_verify.model.program import Program
from kozel_verify.verify.explain import source_text

WIDTH = 72  # characters of a quoted clause


class Kind(StrEnum):
    COMPARISON = "comparison"  # `<` for `<=`, `==` for `!=`, `in` for `not in`
    ARITHMETIC = "arithmetic"  # `-` for `+`, `mod` for `div`
    OFF_BY_ONE = "off-by-one"  # numbers and the bounds of ranges
    ORDER = "order"  # neighbours in an order or a block, left and right, `from` and `after`, the sides of a matching
    SEAT = "seat"  # the left neighbour is asked, or its zone or cell is used
    CONDITION = "condition"  # a condition dropped, or one that always or never holds
    ZONE = "zone"  # another zone of the same shape
    VISIBILITY = "visibility"  # seen by others, not shown, not announced, not secret
    STATEMENT = "statement"  # a statement or a verb dropped, a cell fresh or not, `:=` for `+=`
    TABLE = "table"  # a value in a table
    VALUE = "value"  # another item, card, rank or seat; an option the other way round
    EXTREME = "extreme"  # `min` for `max`
    QUANTIFIER = "quantifier"  # `some` for `every`
    SETS = "sets"  # `union`, `intersect` and `without` for one another, an element left out


@dataclass(frozen=True, slots=True)
class Mutant:
    """``id`` is made of the file's name, line, column, kind and a count; ``description`` is one line in the words of
    the spec; ``name`` is that of the changed item."""

    id: str
    kind: Kind
    span: Span
    description: str
    name: str
    program: Program = field(repr=False)


def mutants(program: Program) -> list[Mutant]:
    """All of them, in the order of the program's items."""
    found: list[Mutant] = []
    counts: dict[str, int] = {}
    writer = _Writer(program)
    for position in rules(program):
        item = program.items[position]
        for new, change in writer.item(item):
            span = change.span
            place = f"{PurePath(span.file).stem}:{span.line}:{span.column}:{change.kind}"
            counts[place] = counts.get(place, 0) + 1
            items = (*program.items[:position], new, *program.items[position + 1 :])
            name = str(getattr(item, "name", getattr(item, "word", "")))
            mutated = replace(program, items=items)
            found.append(Mutant(f"{place}.{counts[place]}", change.kind, span, change.text, name, mutated))
    return found


NAMED = (s.Order, s.Constant, s.ZoneOf, s.StateOf, s.FunctionOf, s.ProcedureOf)


def rules(program: Program) -> list[int]:
    """The positions of the items that the phase `match` and the results come to by name, themselves included."""
    by_name = {str(i.name): n for n, i in enumerate(program.items) if isinstance(i, NAMED)}
    todo = [n for n, i in enumerate(program.items) if isinstance(i, s.Result)]
    todo += [by_name["match"]] if "match" in by_name else []
    reached = set(todo)
    while todo:
        words = {str(x) for x in s.parts(program.items[todo.pop()]) if isinstance(x, Word)}
        new = {by_name[w] for w in words if w in by_name} - reached
        reached |= new
        todo += sorted(new)
    return sorted(reached)


@dataclass(frozen=True, slots=True)
class _Change:
    kind: Kind
    span: Span
    text: str


_Local = tuple[Any, Kind, str]  # the new node, the kind, what was done
_LEFT_ALONE = frozenset({"span", "type", "parameters", "key", "family", "items"})
_OTHER = {
    "==": "!=", "!=": "==", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "in": "not in", "not in": "in",
    "is none": "is not none", "is some": "is none",
}  # fmt: skip
_SPELLED = {"is some": "is not none"}
_BUILT = {"is not none": "is some"}
_ARITHMETIC = {"+": "-", "-": "+", "*": "+", "div": "mod", "mod": "div"}
_SETS = ("union", "intersect", "without")
_CALLS = {"min": ("max", Kind.EXTREME), "max": ("min", Kind.EXTREME), "left": ("right", Kind.ORDER),
          "right": ("left", Kind.ORDER)}  # fmt: skip
_STAY = (s.Let, s.DeadClause, s.EndMatch, s.Leave, s.Again)
_QUANTIFIERS = {"every": "some", "some": "every"}


class _Writer:
    """Goes through the items of one program."""

    def __init__(self, program: Program) -> None:
        self._files = program.files
        zones = [i for i in program.items if isinstance(i, s.ZoneOf)]
        self._next = dict(_neighbours(program))
        self._ranks = next((i.ranks for i in program.items if isinstance(i, s.DeckOf)), ())
        self._seats = next((i.count for i in program.items if isinstance(i, s.Seats)), 1)
        self._switches = {str(i.name) for i in program.items if isinstance(i, s.Option) and _is_switch(i)}
        self._of_seats = {
            str(i.name)
            for i in program.items
            if isinstance(i, s.ZoneOf | s.StateOf) and _shape(i) == s.NamedType("Seat")
        }
        self._zones: Mapping[str, tuple[str, ...]] = {
            str(z.name): tuple(str(o.name) for o in zones if o.name != z.name and _shape(o) == _shape(z)) for z in zones
        }

    def item(self, item: s.Item) -> Iterator[tuple[s.Item, _Change]]:
        """The item with one change each, and what it was."""
        yield from self._changed(item, item)

    def _changed(self, node: Any, around: Any) -> Iterator[tuple[Any, _Change]]:
        if isinstance(node, tuple):
            for n, part in enumerate(node):
                for new, change in self._changed(part, around):
                    yield (*node[:n], new, *node[n + 1 :]), change
            return
        if isinstance(node, Span) or not is_dataclass(node):
            return
        if isinstance(node, s.BlockOf):
            yield from self._shorter(node)
        for new, kind, text in self._local(node):
            yield new, _Change(kind, _span(node), text + self._inside(node, around))
        for f in fields(node):
            if f.name in _LEFT_ALONE:
                continue
            for part, change in self._changed(getattr(node, f.name), node):
                in_table = isinstance(node, s.Entry | s.Table) and change.kind is Kind.OFF_BY_ONE
                told = replace(change, kind=Kind.TABLE) if in_table else change
                yield replace(node, **{f.name: part}), told  # type: ignore[type-var]

    def _shorter(self, block: s.BlockOf) -> Iterator[tuple[s.BlockOf, _Change]]:
        """The block without one of its statements, or with two in the other order; a `let` would be missed by name,
        and a `dead` clause is a claim."""
        statements = block.statements
        for n, (first, second) in enumerate(pairwise(statements)):
            if not isinstance(first, _STAY) and not isinstance(second, _STAY):
                swapped = replace(block, statements=(*statements[:n], second, first, *statements[n + 2 :]))
                text = f"exchanged: `{self._text(first)}` and `{self._text(second)}`"
                yield swapped, _Change(Kind.ORDER, _span(first), text)
        for n, statement in enumerate(statements):
            if not isinstance(statement, s.Let | s.DeadClause):
                rest = replace(block, statements=(*statements[:n], *statements[n + 1 :]))
                tells = isinstance(statement, s.ShowCards | s.AnnounceValue)
                kind = Kind.VISIBILITY if tells else Kind.STATEMENT
                yield rest, _Change(kind, _span(statement), f"dropped: `{self._text(statement)}`")

    # --- texts ---------------------------------------------------------------------------------------------------

    def _text(self, node: Any) -> str:
        text = source_text(self._files, _span(node))
        return text if len(text) <= WIDTH else text[: WIDTH - 1] + "…"

    def _inside(self, node: Any, around: Any) -> str:
        """The smallest clause that shows where the change stands: the node's own text, or for a leaf its parent's."""
        leaf = isinstance(node, s.Name | s.Number | s.Truth | s.PlaceName | s.Indexed)
        return f", in `{self._text(around if leaf else node)}`"

    # --- changes of one node -------------------------------------------------------------------------------------

    def _local(self, node: Any) -> Iterator[_Local]:
        match node:
            case s.Operation():
                yield from self._operation(node)
            case s.Number(value):
                yield replace(node, value=value + 1), Kind.OFF_BY_ONE, f"`{value}` to `{value + 1}`"
                if value:
                    yield replace(node, value=value - 1), Kind.OFF_BY_ONE, f"`{value}` to `{value - 1}`"
            case s.Truth(value):
                words = ("false", "true")
                yield replace(node, value=not value), Kind.CONDITION, f"`{words[value]}` to `{words[not value]}`"
            case s.SetLiteral(elements):
                for n, element in enumerate(elements):
                    rest = (*elements[:n], *elements[n + 1 :])
                    yield replace(node, elements=rest), Kind.SETS, f"`{self._text(element)}` left out"
            case s.CardLiteral(rank) | s.RankLiteral(rank) if rank in self._ranks:
                other = self._ranks[(self._ranks.index(rank) + 1) % len(self._ranks)]
                yield replace(node, rank=other), Kind.VALUE, f"`{self._text(node)}` to rank {other}"
            case s.SeatLiteral(number) if self._seats > 1:
                other_seat = number % self._seats + 1
                yield replace(node, number=other_seat), Kind.VALUE, f"`seat {number}` to `seat {other_seat}`"
            case s.CallExpression(name) if name in _CALLS:
                other, kind = _CALLS[name]
                yield replace(node, name=other), kind, f"`{name}` to `{other}`"
            case s.Name(name) | s.Indexed(name) | s.PlaceName(name):
                for other in self._zones.get(name, ()):
                    yield replace(node, name=other), Kind.ZONE, f"`{name}` to `{other}`"
                yield from self._named(node)
            case s.Quantified() | s.FirstExpression() | s.Circle() | s.Above() | s.MatchingExpression() | s.Case():
                yield from self._form(node)
            case s.Order() | s.ZoneOf() | s.StateOf():
                yield from self._declared(node)
            case _:
                yield from self._statement(node)

    def _named(self, node: s.Name | s.Indexed | s.PlaceName) -> Iterator[_Local]:
        match node:
            case s.Name(name) if name in self._next:
                yield replace(node, name=self._next[name]), Kind.VALUE, f"`{name}` to `{self._next[name]}`"
            case s.Name(name) if name in self._switches:
                yield s.Operation("not", (node,), _span(node)), Kind.VALUE, f"`{name}` to `not {name}`"
            case s.PlaceName(name, index) if index is not None and name in self._of_seats:
                yield replace(node, index=_left(index)), Kind.SEAT, f"`{self._text(index)}` to its left neighbour"
            case _:
                pass

    def _operation(self, node: s.Operation) -> Iterator[_Local]:
        operator, operands = node.operator, node.operands
        if operator in _OTHER:
            other = _OTHER[operator]
            built = replace(node, operator=_BUILT.get(other, other))
            yield built, Kind.COMPARISON, f"`{_SPELLED.get(operator, operator)}` to `{other}`"
        elif operator in _ARITHMETIC:
            other = _ARITHMETIC[operator]
            yield replace(node, operator=other), Kind.ARITHMETIC, f"`{operator}` to `{other}`"
        elif operator in ("and", "or"):
            for kept, dropped in (operands, operands[::-1]):
                yield kept, Kind.CONDITION, f"`{operator} …` dropped: `{self._text(dropped)}`"
        elif operator == "not":
            yield operands[0], Kind.CONDITION, "`not` dropped"
        elif operator == "implies":
            yield operands[1], Kind.CONDITION, f"`… implies` dropped: `{self._text(operands[0])}`"
        elif operator in _SETS:
            for other in _SETS:
                if other != operator:
                    yield replace(node, operator=other), Kind.SETS, f"`{operator}` to `{other}`"
        elif operator == "..":
            for n, sign in ((0, "+"), (1, "-")):
                if not isinstance(operands[n], s.Number):  # numbers are changed where they stand
                    one = s.Number(1, _span(operands[n]))
                    narrower = s.Operation(sign, (operands[n], one), _span(operands[n]))
                    both = (*operands[:n], narrower, *operands[n + 1 :])
                    bound = self._text(operands[n])
                    yield replace(node, operands=both), Kind.OFF_BY_ONE, f"`{bound}` to `{bound} {sign} 1`"

    def _form(self, node: Any) -> Iterator[_Local]:
        match node:
            case s.Quantified(word) if word in _QUANTIFIERS:
                other = _QUANTIFIERS[word]
                yield replace(node, word=other), Kind.QUANTIFIER, f"`{word}` to `{other}`"
            case s.Quantified("those", _, domain, body):
                yield domain, Kind.CONDITION, f"`where` dropped: `{self._text(body)}`"
            case s.FirstExpression(body=body) if body is not None:
                yield replace(node, body=None), Kind.CONDITION, f"`where` dropped: `{self._text(body)}`"
            case s.Circle(after):
                words = ("from", "after")
                yield replace(node, after=not after), Kind.ORDER, f"`{words[after]}` to `{words[not after]}`"
            case s.Above(left, right):
                yield replace(node, left=right, right=left), Kind.ORDER, "the sides of `above` exchanged"
            case s.MatchingExpression(targets, replies):
                swapped = replace(node, targets=replies, replies=targets)
                yield swapped, Kind.ORDER, "the sides of `matching` exchanged"
            case s.Case():
                yield from self._always_or_never(node, "condition")
            case _:
                pass

    def _always_or_never(self, node: Any, name: str) -> Iterator[_Local]:
        condition = getattr(node, name)
        for value, word in ((True, "true"), (False, "false")):
            if not isinstance(condition, s.Truth):
                constant = s.Truth(value, _span(condition))
                yield replace(node, **{name: constant}), Kind.CONDITION, f"`{self._text(condition)}` to `{word}`"

    def _declared(self, node: Any) -> Iterator[_Local]:
        match node:
            case s.Order(_, items):
                for n in range(len(items) - 1):
                    swapped = (*items[:n], items[n + 1], items[n], *items[n + 2 :])
                    pair = f"`{self._text(items[n])}` and `{self._text(items[n + 1])}` exchanged"
                    yield replace(node, items=swapped), Kind.ORDER, pair
            case s.ZoneOf(seen=seen):
                for who in ("all", "nobody"):
                    if not (isinstance(seen, s.Name) and seen.name == who):
                        wider = replace(node, seen=s.Name(who, _span(seen)))
                        yield wider, Kind.VISIBILITY, f"seen by `{self._text(seen)}` to seen by `{who}`"
            case s.StateOf(seen=seen, fresh=fresh):
                if seen is not None:
                    yield replace(node, seen=None), Kind.VISIBILITY, f"`seen by {self._text(seen)}` dropped"
                else:
                    hidden = replace(node, seen=s.Name("nobody", _span(node)))
                    yield hidden, Kind.VISIBILITY, "seen by all to seen by `nobody`"
                if fresh is not None:
                    yield replace(node, fresh=None), Kind.STATEMENT, f"`fresh each {fresh}` dropped"
                else:
                    yield replace(node, fresh="deal"), Kind.STATEMENT, "`fresh each deal` added"
            case _:
                pass

    def _statement(self, node: Any) -> Iterator[_Local]:
        match node:
            case s.VerbOf(guard=guard) if guard is not None:
                yield replace(node, guard=None), Kind.CONDITION, f"`when` dropped: `{self._text(guard)}`"
            case s.AskSeat():
                yield from self._asked(node)
            case s.ShowCards(to=to) | s.AnnounceValue(to=to) if to is not None:
                if not (isinstance(to, s.Name) and to.name == "all"):
                    yield replace(node, to=s.Name("all", _span(to))), Kind.VISIBILITY, f"to `{self._text(to)}` to all"
            case s.AssignTo(name, index, added=added):
                if added:
                    yield replace(node, added=False), Kind.STATEMENT, "`+=` to `:=`"
                if index is not None and name in self._of_seats:
                    yield replace(node, index=_left(index)), Kind.SEAT, f"`{self._text(index)}` to its left neighbour"
            case s.IfElse() | s.While():
                yield from self._always_or_never(node, "condition")
            case s.Repeat():
                yield from self._always_or_never(node, "until")
            case _:
                pass

    def _asked(self, node: s.AskSeat) -> Iterator[_Local]:
        word = ("`secretly` added", "`secretly` dropped")[node.secret]
        yield replace(node, secret=not node.secret), Kind.VISIBILITY, word
        yield replace(node, seat=_left(node.seat)), Kind.SEAT, f"`{self._text(node.seat)}` to its left neighbour"
        for n, verb in enumerate(node.verbs):
            if len(node.verbs) > 1:
                rest = replace(node, verbs=(*node.verbs[:n], *node.verbs[n + 1 :]))
                yield rest, Kind.STATEMENT, f"the choice `{verb.name}` dropped"


def _shape(place: s.ZoneOf | s.StateOf) -> object:
    return None if place.family is None else place.family.type


def _left(seat: s.Expression) -> s.CallExpression:
    return s.CallExpression("left", (seat,), _span(seat))


def _is_switch(option: s.Option) -> bool:
    return isinstance(option.type, s.NamedType) and isinstance(option.default, s.Truth)


def _neighbours(program: Program) -> Iterator[tuple[str, str]]:
    """The next item of the same enumeration, in a circle."""
    for item in program.items:
        match item:
            case s.Enumeration(items=items) | s.Option(type=s.InlineEnumeration(items)) if len(items) > 1:
                yield from ((str(a), str(b)) for a, b in zip(items, (*items[1:], items[0]), strict=True))
            case _:
                pass


def _span(node: Any) -> Span:
    span: Span = node.span
    return span
