"""Which clauses of two specs are not the same, and which of them make a difference.

In go two sides and a play in which they part; out come the changed declarations of the rules, each with the smallest
part that has changed on either side. A changed clause ``removes`` the difference when B with A's clause in its place
does not part from A on that play, and ``brings`` it when A with B's clause does part from A there. Where the text with
the other clause means no game, nothing is said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Outcome
from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Game
from kozel_verify.model.elaborate import elaborate
from kozel_verify.model.program import Program
from kozel_verify.model.types import Value
from kozel_verify.model.variants import Key, key_of
from kozel_verify.verify.differ.lockstep import Lockstep
from kozel_verify.verify.differ.noticed import first_difference
from kozel_verify.verify.differ.partings import Parting
from kozel_verify.verify.differ.sides import Options, Side, apart_before_play, common
from kozel_verify.verify.explain import source_text

NO_RULES = frozenset({"property", "title", "Term", "Source", "Pack"})
CONSTRAINT = "constraint"
TRIED = 24  # changed clauses that are exchanged, one at a time


@dataclass(frozen=True, slots=True)
class Change:
    """``spans`` and ``texts``: the smallest changed part in A and in B (empty where the clause is missing).
    ``removes`` and ``brings``: see the module; ``None``: not tried, or no game."""

    name: str
    spans: tuple[Span, Span]
    texts: tuple[str, str]
    removes: bool | None = None
    brings: bool | None = None

    @property
    def responsible(self) -> bool:
        return bool(self.removes or self.brings)


def changes(a: Side, b: Side) -> list[Change]:
    """The changed declarations in the order of A, then those that only B has."""
    return [change for _, change in _changes(a.spec.program, b.spec.program)]


def responsible(a: Side, b: Side, parting: Parting) -> list[Change]:
    """The changed declarations, with what exchanging each alone does to the play; those that matter first."""
    found = []
    for number, (key, change) in enumerate(_changes(a.spec.program, b.spec.program)):
        if number < TRIED:
            lane = _Lane(a, b, parting)
            removes = lane.parts(None, _exchanged(b.spec.program, a.spec.program, key))
            brings = lane.parts(_exchanged(a.spec.program, b.spec.program, key), None)
            change = replace(change, removes=None if removes is None else not removes, brings=brings)
        found.append(change)
    return sorted(found, key=lambda c: not c.responsible)


def _changes(a: Program, b: Program) -> Iterator[tuple[Key, Change]]:
    mine, theirs = _items(a, b), _items(b, a)
    for key in dict.fromkeys((*mine, *theirs)):
        x, y = mine.get(key), theirs.get(key)
        if x == y:
            continue
        name = _name(a, x) if x is not None else _name(b, y)
        if x is not None and y is not None:
            nodes = smallest(x, y)
            spans = _span(nodes[0], x), _span(nodes[1], y)
        else:
            spans = (NOWHERE if x is None else x.span, NOWHERE if y is None else y.span)
        texts = (source_text(a.files, spans[0]), source_text(b.files, spans[1]))
        yield key, Change(name, spans, texts)


def _name(program: Program, item: s.Item | None) -> str:
    """What a change is called: a constraint has no name, so by its text."""
    key = None if item is None else key_of(item)
    if key is not None:
        return key[1] or key[0]
    return "" if item is None else " ".join(source_text(program.files, item.span).split())


def _items(program: Program, other: Program) -> dict[Key, s.Item]:
    """By what they define. Constraints that the other program has, too, are left out, and the rest counted."""
    both = [item for item in other.items if isinstance(item, s.Constraint)]
    found: dict[Key, s.Item] = {}
    for item in program.items:
        key = key_of(item)
        if key is None and isinstance(item, s.Constraint) and item not in both:
            key = CONSTRAINT, str(sum(name == CONSTRAINT for name, _ in found))
        if key is not None and key[0] not in NO_RULES:
            found[key] = item
    return found


def smallest(x: Any, y: Any) -> tuple[Any, Any]:
    """The smallest parts of two trees that hold all of the difference between them and have a place in the text."""
    best = x, y
    while type(x) is type(y):
        if is_dataclass(x):
            names = [f.name for f in fields(x) if f.name != "span"]
            pairs = [(getattr(x, n), getattr(y, n)) for n in names]
        elif isinstance(x, tuple) and len(x) == len(y):
            pairs = list(zip(x, y, strict=True))
        else:
            break
        unlike = [pair for pair in pairs if pair[0] != pair[1]]
        if len(unlike) != 1:
            break
        x, y = unlike[0]
        if getattr(x, "span", NOWHERE) != NOWHERE and getattr(y, "span", NOWHERE) != NOWHERE:
            best = x, y
    return best


def _span(node: Any, item: s.Item) -> Span:
    found = getattr(node, "span", NOWHERE)
    return found if isinstance(found, Span) and found != NOWHERE else item.span


def _exchanged(program: Program, other: Program, key: Key) -> Program:
    """The program with another program's item in the place of its own (or without it, or with it added)."""
    new = _items(other, program).get(key)
    old = _items(program, other).get(key)
    if old is None:
        assert new is not None
        return replace(program, items=(*program.items, new))
    rest = program.items if new is not None else tuple(item for item in program.items if item is not old)
    items = tuple(new if item is old and new is not None else item for item in rest)
    return replace(program, items=items)


class _Lane:
    """The play of a parting, in games with exchanged clauses."""

    def __init__(self, a: Side, b: Side, parting: Parting) -> None:
        self.a, self.b, self.parting = a, b, parting

    def parts(self, first: Program | None, second: Program | None) -> bool | None:
        """Do A (with the program ``first``) and B (with ``second``) part on the play, or A and A with ``first``?"""
        pack, setting = self.parting.pack, self.parting.setting
        own = self.a.on(pack)
        assert own is not None
        program = first if second is None else second
        assert program is not None
        try:
            changed = elaborate(program, pack) if pack else elaborate(program)
        except SpecError:
            return None
        if apart_before_play(own, changed) is not None:
            return True
        options = self._chosen(second is None)
        return _parts(own, setting.a, changed, options, self.parting.runs[0])

    def _chosen(self, first: bool) -> Options:
        """The options of a side but for those that merely stand at its default: there a changed default counts."""
        side, own, other = (self.a, self.parting.setting.a, self.parting.setting.b)
        if not first:
            side, own, other = self.b, other, own
        game, theirs = side.game, (self.b if first else self.a).game
        found = dict[str, Value]()
        for name, value in own.items():
            type_ = game.options[name].type
            alike = name in other and common(value, type_) == common(other[name], theirs.options[name].type)
            if alike or name in side.fixed or value != game.options[name].default:
                found[name] = value
        return found


def _parts(a: Game, mine: Options, b: Game, theirs: Options, run: Sequence[Outcome]) -> bool | None:
    fitting = {n: v for n, v in theirs.items() if n in b.options and v in b.options[n].values}
    try:
        lock = Lockstep(Interpreter(a, mine), Interpreter(b, fitting))
    except ValueError:
        return None
    return first_difference(lock, run) is not None
