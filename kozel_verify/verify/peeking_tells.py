"""What the rules tell: every statement by which a seat may learn what it could not know before.

In go a game and the texts of its spec; out come the statements in the order of the text, each with its place and the
places that it cites: what is shown, what is announced, the moves and draws after which more seats see the faces than
before, and the assignments by which a zone comes to be seen. With no peeking proved, a seat learns of hidden things
only by these and by the verbs and open arguments of choices; this is the list that a reviewer reads.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kozel_verify.exhaustive.reads import free_locals, reads_of
from kozel_verify.interpret.evaluate import evaluate
from kozel_verify.interpret.state import State
from kozel_verify.interpret.visibility import cells_read
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Announce, Assign, Draw, Effect, Expr, Game, Move, Show, ZoneRef
from kozel_verify.model.types import Value


@dataclass(frozen=True, slots=True)
class Telling:
    """``kind``: ``"show"``, ``"announce"``, ``"lay open"`` (cards on the move), ``"uncover"`` (a zone)."""

    kind: str
    text: str
    span: Span
    citations: tuple[str, ...]

    def __str__(self) -> str:
        place = f" ({self.span.file}:{self.span.line})" if self.span.line else ""
        cited = f" @ {', '.join(self.citations)}" if self.citations else ""
        return f"{self.text}{place}{cited}"


def tellings(game: Game, texts: Mapping[str, str]) -> list[Telling]:
    """Each statement once, however often the rules run it, in the order of files and lines."""
    found: dict[tuple[str, Span, str], Telling] = {}
    for statement in _statements(game):
        kind = _kind(game, statement)
        if kind is not None:
            text = _quoted(statement.span, texts) or _described(statement)
            cited = game.citations.get((statement.span.file, statement.span.line), ())
            found.setdefault((kind, statement.span, text), Telling(kind, text, statement.span, cited))
    return sorted(found.values(), key=lambda t: (t.span, t.text))


def _statements(game: Game) -> Iterator[Effect | Draw]:
    for node in game.nodes:
        if isinstance(node, Draw):
            yield node
    for block in game.blocks:
        yield from block.effects


def _kind(game: Game, statement: Effect | Draw) -> str | None:
    match statement:
        case Show():
            return "show"
        case Announce():
            return "announce"
        case Move(_, source, target) | Draw(_, source, target):
            return "lay open" if _opens(game, source, target) else None
        case Assign(cell):
            watched = frozenset[str]().union(*(cells_read(game, z.seen.seats) for z in game.zones.values()))
            return "uncover" if cell in watched else None
        case _:
            return None


def _opens(game: Game, source: ZoneRef, target: ZoneRef) -> bool:
    """May somebody see the faces at the target who did not see them at the source?"""
    before, after = (game.zones[ref.zone].seen.seats for ref in (source, target))
    if source.zone == target.zone and source.index == target.index:
        return False
    everybody, nobody = (1 << game.seats) - 1, 0
    return _constant(game, after) != nobody and _constant(game, before) != everybody


def _constant(game: Game, seats: Expr) -> Value:
    """A set of seats that is always the same; ``None`` for one that depends on an index, an option, or the state."""
    reads = reads_of(game, [seats])
    if reads.options or reads.cells or reads.zones or free_locals(seats):
        return None
    return evaluate(game, {}, State(0, (), ()), seats, {})


def _quoted(span: Span, texts: Mapping[str, str]) -> str:
    """The statement as the spec writes it; "" when no text has it on one line (resets at the start of a phase)."""
    if not span.line or span.line != span.end_line or span.file not in texts:
        return ""
    return texts[span.file].splitlines()[span.line - 1][span.column - 1 : span.end_column - 1].strip()


def _described(statement: Effect | Draw) -> str:
    match statement:
        case Announce(label=label):
            return f"announce {label}"
        case Move(_, source, target) | Draw(_, source, target):
            return f"from {source.zone} to {target.zone}"
        case Assign(cell):
            return f"a new value of {cell}"
        case _:
            return "show cards"
