"""The course of a game: its nodes in the words of the spec, and from each the nodes that may follow.

In go a program and one of its games; out come stops with their exits, as data for whoever shows them. A branch counts
where it decides which node comes next; effects, and branches that only decide about them, are left out. Conditions are
told in the order in which play comes to them, each as it is when play comes there: this is a map for people. Nothing
is concluded from it, so nothing has to be trusted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Apply,
    Arrive,
    Ask,
    Branch,
    CellRead,
    Dead,
    Draw,
    End,
    Game,
    Jump,
    Node,
    Rest,
)
from kozel_verify.model.program import Program
from kozel_verify.verify.explain import source_text
from kozel_verify.verify.variables import UNSERVED, Variables, path_of

WAYS = 24  # of one outcome that are told apart; of more only the nodes are told


class StopKind(StrEnum):
    ASK = "ask"
    DRAW = "draw"
    DEAL_END = "end of the deal"
    MATCH_END = "end of the match"


class Asks(StrEnum):
    """What a condition asks."""

    TEXT = "text"  # a condition of the spec
    SERVED = "served"  # is the loop over this variable through with its domain?
    DRAWN = "drawn"  # have all cards of a `draw N` been drawn?


@dataclass(frozen=True, slots=True)
class Condition:
    asks: Asks
    text: str  # a condition, or a loop's variable
    holds: bool


@dataclass(frozen=True, slots=True)
class Way:
    """``node`` is an index into ``Game.nodes``; ``None`` for a `dead` clause of the name ``dead``. ``exact`` is false
    when the conditions are not all told."""

    node: int | None
    dead: str
    when: tuple[Condition, ...]
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Exit:
    """What happens at a stop, and where it leads. ``verb`` and ``when`` are empty but for choices; ``text`` has the
    arguments with their domains."""

    verb: str
    text: str
    when: str
    span: Span
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """``at`` is the shortest name by which a property means this node, ``shared`` the other nodes that it means too.
    ``asked`` is the seat's expression; ``source`` and ``target`` are those of a draw. ``named`` are the variables that
    a property can use here, ``unserved`` those of loops for which it can ask what is left; ``nameless`` are
    the other generated cells whose value is still needed."""

    index: int
    name: str
    kind: StopKind
    at: str
    shared: tuple[str, ...]
    asked: str
    secret: bool
    source: str
    target: str
    named: tuple[str, ...]
    unserved: tuple[str, ...]
    nameless: tuple[str, ...]
    span: Span
    exits: tuple[Exit, ...]


@dataclass(frozen=True, slots=True)
class Course:
    start: Exit
    stops: tuple[Stop, ...]


def course(program: Program, game: Game) -> Course:
    """The course of a game of this program, on whichever pack it is."""
    reader = _Reader(program, game)
    start = Exit("", "", "", program.span(), reader.ways(game.entry))
    return Course(start, tuple(reader.stop(n) for n in range(len(game.nodes))))


class _Reader:
    def __init__(self, program: Program, game: Game) -> None:
        self.game = game
        self.variables = Variables(program, game)
        self.files: Mapping[str, str] = program.files
        wanted = s.AskSeat | s.DrawCards | s.VerbOf | s.ForEach | s.IfElse
        self.written: dict[Span, object] = {}
        for item in program.items:
            for x in s.parts(item):
                if isinstance(x, wanted):
                    self.written.setdefault(x.span, x)
        self.known: dict[int, tuple[Way, ...]] = {}

    def text(self, x: object) -> str:
        span = getattr(x, "span", None)
        return source_text(self.files, span) if isinstance(span, Span) else ""

    # --- nodes -------------------------------------------------------------------------------------------------------

    def stop(self, index: int) -> Stop:
        game, node = self.game, self.game.nodes[index]
        syntax = self.written.get(node.span)
        sight = self.variables.at(index)
        asked = self.text(syntax.seat) if isinstance(syntax, s.AskSeat) else ""
        drawn = (syntax.source, syntax.target) if isinstance(syntax, s.DrawCards) else ()
        source, target = (self.text(place) for place in drawn) if drawn else ("", "")
        at, shared = self.short(index)
        secret = isinstance(node, Ask) and node.secret
        kept = sorted(game.live[index])
        exits = tuple(self.exits(node))
        return Stop(
            index=index,
            name=node.name,
            kind=_kind(node),
            at=at,
            shared=shared,
            asked=asked,
            secret=secret,
            source=source,
            target=target,
            named=tuple(sight.named),
            unserved=tuple(sight.unserved),
            nameless=tuple(c for c in kept if c not in {*sight.named.values(), *sight.unserved.values()}),
            span=node.span,
            exits=exits,
        )

    def short(self, index: int) -> tuple[str, tuple[str, ...]]:
        """The shortest end of a node's name that means no other node; copies of one node always share theirs."""
        full = bare(self.game.nodes[index].name)
        parts = full.split(".")
        for n in range(1, len(parts) + 1):
            name = ".".join(parts[-n:])
            others = [o for o in self.game.nodes if o is not self.game.nodes[index] and answers(o.name, name)]
            if n == len(parts) or all(bare(o.name) == full for o in others):
                return name, tuple(o.name for o in others)
        raise AssertionError("a name is an end of itself")

    # --- exits -------------------------------------------------------------------------------------------------------

    def exits(self, node: Node) -> Iterator[Exit]:
        match node:
            case Ask():
                for verb in node.verbs:
                    syntax = self.written.get(verb.span)
                    assert isinstance(syntax, s.VerbOf)
                    arguments = ", ".join(self.text(b) for b in syntax.bindings)
                    text = f"{verb.name}({arguments})" if arguments else verb.name
                    when = "" if syntax.guard is None else self.text(syntax.guard)
                    yield Exit(verb.name, text, when, verb.span, self.ways(verb.block))
            case Draw() | Rest():
                yield Exit("", "", "", node.span, self.ways(node.block))
            case End():
                pass

    def ways(self, block: int) -> tuple[Way, ...]:
        """Where play may go from a block, in the order of the text; blocks never go in a circle."""
        if block not in self.known:
            end = self.game.blocks[block].end
            match end:
                case Jump(following):
                    self.known[block] = self.ways(following)
                case Arrive(node):
                    self.known[block] = (Way(node, "", ()),)
                case Dead(name):
                    self.known[block] = (Way(None, name, ()),)
                case Branch():
                    self.known[block] = self.branch(end)
        return self.known[block]

    def branch(self, branch: Branch) -> tuple[Way, ...]:
        yes, no = self.ways(branch.then), self.ways(branch.otherwise)
        if yes == no:
            return yes
        asks, text = self.condition(branch)
        sides = [(way, Condition(asks, text, holds)) for holds, ways in ((True, yes), (False, no)) for way in ways]
        if len(sides) > WAYS:
            ends = dict.fromkeys((way.node, way.dead) for way, _ in sides)
            return tuple(Way(node, dead, (), False) for node, dead in ends)
        found = [Way(way.node, way.dead, (condition, *way.when), way.exact) for way, condition in sides]
        return tuple(dict.fromkeys(_plain(way) for way in found))

    def condition(self, branch: Branch) -> tuple[Asks, str]:
        syntax = self.written.get(branch.span)
        match syntax:
            case s.ForEach() if _asks_what_is_left(branch):
                return Asks.SERVED, str(syntax.name)
            case s.DrawCards():
                return Asks.DRAWN, ""
            case s.ForEach():  # a round of an unrolled circle: is this seat one of those?
                return Asks.TEXT, f"{syntax.name} in {self.text(syntax.domain)}"
            case s.IfElse():
                return Asks.TEXT, self.text(syntax.condition)
            case _:
                return Asks.TEXT, source_text(self.files, branch.span)


def _plain(way: Way) -> Way:
    """Without conditions that are said twice; where one is said to hold and not to hold (it is asked at different
    times, or of different values), it is not told at all."""
    told = dict.fromkeys(way.when)
    unclear = {(c.asks, c.text) for c in told if Condition(c.asks, c.text, not c.holds) in told}
    if not unclear and len(told) == len(way.when):
        return way
    when = tuple(c for c in told if (c.asks, c.text) not in unclear)
    return Way(way.node, way.dead, when, way.exact and not unclear)


def _asks_what_is_left(branch: Branch) -> bool:
    match branch.condition:
        case Apply("==", (CellRead(cell), _)):
            return bare(cell).endswith(UNSERVED)
        case _:
            return False


def _kind(node: Node) -> StopKind:
    match node:
        case Ask():
            return StopKind.ASK
        case Draw():
            return StopKind.DRAW
        case Rest():
            return StopKind.DEAL_END
        case End():
            return StopKind.MATCH_END


def bare(name: str) -> str:
    """A name of a node or generated cell without the numbers of copies."""
    return ".".join(path_of(name))


def answers(full: str, name: str) -> bool:
    """Does `at NAME` mean this node?"""
    return bare(full) == name or bare(full).endswith("." + name)
