"""What is known about each promise of a spec, and about each clause of its rules.

In go a spec and the record of its verification, if there is one; out come, for a promise, what it says, what its
statement rests on, what each method found; for a clause, which promises need it. A statement needs a clause when its
text comes to it by names, and a procedure when it changes what the statement reads. That a promise about play needs
all of play besides is said apart. Nothing is verified here: verdicts are those of the record, and only the record of
exactly these texts is called theirs.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from textwrap import dedent

from kozel_verify.language import syntax as s
from kozel_verify.language.spans import Span
from kozel_verify.model.clauses import Clause, ClauseKind, Clauses
from kozel_verify.model.core import (
    CellKind,
    Compiled,
    Example,
    Game,
    Lemma,
    Measure,
    MenuClaim,
    Property,
    Scenario,
    Secret,
    StateClaim,
    StepClaim,
)
from kozel_verify.model.dependencies import Dependencies, Names
from kozel_verify.model.load import Spec
from kozel_verify.verify.findings import Kind
from kozel_verify.verify.manifest import BadManifest, Entry, Manifest, read
from kozel_verify.verify.run import Wanted, wanted
from kozel_verify.verify.trusted import SAYS
from kozel_verify.verify.values import compiled_names


class Recorded(StrEnum):
    """What the record has to say about a promise."""

    HERE = "recorded"
    OTHER_TEXT = "the record is of another text"
    NOT_THERE = "not recorded"


@dataclass(frozen=True, slots=True)
class Promise:
    """An obligation. ``says`` is what it states, in the words of the spec or, where every game has it, in a sentence;
    ``nodes`` where it is stated (empty: no nodes belong to it). ``needs`` are the clauses that the statement rests on,
    ``reads`` what it reads of the game once constants are worked out (for what every game has: what play
    reads and changes). ``of_play``: all of play decides about it."""

    name: str
    kind: Kind
    says: str
    spans: tuple[Span, ...]
    citations: tuple[str, ...]
    nodes: tuple[str, ...]
    needs: frozenset[str]
    reads: Names
    of_play: bool

    @property
    def general(self) -> bool:
        """Does every game have it without asking?"""
        return self.kind in SAYS


@dataclass(frozen=True, slots=True)
class Needed:
    """A clause, and the names of the promises whose statements need it. ``in_play``: it is part of play, so that every
    promise about play rests on it as well."""

    clause: Clause
    by: tuple[str, ...]
    in_play: bool


class Dossier:
    """What there is to tell about one spec."""

    def __init__(self, spec: Spec, records: tuple[Path, ...] = ()) -> None:
        self.spec = spec
        self.game: Game = spec.game
        self.clauses = Clauses(spec.program)
        self.dependencies = Dependencies(spec.game)
        self._records = records

    @cached_property
    def promises(self) -> tuple[Promise, ...]:
        """All obligations, in the order of a report."""
        items = {item.span: item for item in self.spec.program.items}
        by_name: dict[str, list[Property]] = {}
        for claim in self.game.properties:
            names = [n for n, _ in compiled_names(self.game, claim)] if isinstance(claim, Compiled) else [claim.name]
            for name in names:
                by_name.setdefault(name, []).append(claim)
        return tuple(self._promise(w, by_name.get(w.name, []), items) for w in wanted(self.spec))

    def _promise(self, w: Wanted, claims: list[Property], items: dict[Span, s.Item]) -> Promise:
        texts = [items[span] for span in w.spans if span in items]
        needs = self.clauses.needed_by(tuple(texts))
        reads = self._play if w.kind in SAYS else Names()
        for claim in claims:
            reads |= self.dependencies.of_property(claim)
        if w.kind is Kind.SECRET:
            needs |= self.clauses.shown_by | {z for z in self.game.zones if z in self.clauses.by_name}
        if w.kind is Kind.DEAD:
            needs |= frozenset().union(*(self._around(span) for span in w.spans))
        nodes = dict.fromkeys(self.game.nodes[n].name for claim in claims for n in self._nodes(claim))
        says = SAYS.get(w.kind) or self.written(*w.spans)
        of_play = w.kind not in (Kind.EXAMPLE, Kind.LEMMA)
        cited = [p for span in w.spans for p in self.cited(span)]
        return Promise(w.name, w.kind, says, w.spans, tuple(dict.fromkeys(cited)), tuple(nodes), needs, reads, of_play)

    @cached_property
    def _play(self) -> Names:
        """What play reads and changes, without the generated cells."""
        process = self.dependencies.process
        declared = {c.name for c in self.game.cells.values() if c.kind is CellKind.DECLARED}
        return replace(process, cells=process.cells & declared)

    def _around(self, dead: Span) -> frozenset[str]:
        """A `dead` clause rests on the procedure in which it stands, and on the conditions that lead to it."""
        clause = self.clauses.at_line(dead.file, dead.line)
        if clause is None:
            return frozenset()
        branches = (x for x in s.parts(clause.item) if isinstance(x, s.IfElse | s.While))
        around = tuple(b.condition for b in branches if _holds(b.span, dead))
        return self.clauses.needed_by(around) | {clause.name}

    def _nodes(self, claim: Property) -> tuple[int, ...]:
        """Where a property is stated; of a step also where it ends, if that is said."""
        everywhere = tuple(range(len(self.game.nodes)))
        match claim:
            case StateClaim() | MenuClaim():
                return claim.nodes
            case Secret():
                return claim.nodes or everywhere
            case StepClaim():
                ends = claim.targets if len(claim.targets) < len(everywhere) else ()
                return (*claim.sources, *ends)
            case Scenario():
                return () if claim.start is None else (claim.start,)
            case Example() | Lemma() | Measure() | Compiled():
                return ()

    def written(self, *spans: Span) -> str:
        """The lines on which the spans stand, as they are in the spec, the indentation of the first taken away."""
        found: list[str] = []
        for span in spans:
            lines = self.spec.program.files.get(span.file, "").split("\n")
            found += lines[span.line - 1 : max(span.line, span.end_line)] if span.line else []
        return dedent("\n".join(found)).strip("\n")

    def cited(self, span: Span) -> list[str]:
        """The places cited on the lines of a span."""
        lines = range(span.line, max(span.line, span.end_line) + 1)
        return list(dict.fromkeys(p for line in lines for p in self.game.citations.get((span.file, line), ())))

    # --- clauses -----------------------------------------------------------------------------------------------------

    @cached_property
    def needed(self) -> tuple[Needed, ...]:
        """Every clause in the order of the text, with the promises that need it."""
        return tuple(
            Needed(c, tuple(p.name for p in self.promises if self.needs(p, c)), c.name in self.clauses.play)
            for c in self.clauses.by_name.values()
        )

    def needs(self, promise: Promise, clause: Clause) -> bool:
        """Does the statement of a promise need a clause? Those that every game has state nothing of their own."""
        if promise.general:
            return False
        if clause.name in promise.needs:
            return True
        if clause.kind not in (ClauseKind.PROCEDURE, ClauseKind.PHASE) or not promise.of_play:
            return False
        return bool(self.clauses.changed_by(clause.name) & promise.needs) or any(
            n in promise.nodes and len(promise.nodes) < len(self.game.nodes) for n in self.nodes_in(clause)
        )

    def nodes_in(self, clause: Clause) -> list[str]:
        """The nodes that stand in a procedure's own statements."""
        places = {x.span for x in s.parts(clause.item) if isinstance(x, s.AskSeat | s.DrawCards)}
        return [n.name for n in self.game.nodes if n.span in places]

    def named_by(self, name: str) -> list[str]:
        """The clauses that name a clause themselves, in the order of the text."""
        return [c.name for c in self.clauses.by_name.values() if name in self.clauses.named_by(c.name)]

    def stated_at(self, nodes: tuple[str, ...]) -> list[Promise]:
        """The promises that are stated at one of these nodes, but not at all nodes."""
        some = [p for p in self.promises if len(p.nodes) < len(self.game.nodes)]
        return [p for p in some if set(nodes) & set(p.nodes)]

    # --- the record --------------------------------------------------------------------------------------------------

    @cached_property
    def record(self) -> Manifest | None:
        """The record of this very text, or else the first one that bears the game's name."""
        found: list[Manifest] = []
        for folder in self._records:
            try:
                manifest = read(folder / f"{self.game.name}.json")
            except (BadManifest, OSError):
                continue
            if manifest is not None:
                found.append(manifest)
        return next((m for m in found if m.hash == self.spec.hash), found[0] if found else None)

    def recorded(self, name: str) -> tuple[Recorded, Entry | None]:
        """What the record says about a promise; of another text it may say what does not hold any more."""
        record = self.record
        if record is None or name not in record.obligations:
            return Recorded.NOT_THERE, None
        same = record.hash == self.spec.hash
        return Recorded.HERE if same else Recorded.OTHER_TEXT, record.obligations[name]


def _holds(outer: Span, inner: Span) -> bool:
    begins = (outer.line, outer.column) <= (inner.line, inner.column)
    return begins and (inner.end_line, inner.end_column) <= (outer.end_line, outer.end_column)
