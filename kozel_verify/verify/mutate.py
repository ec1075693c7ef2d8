"""Which properties of a spec notice a fault in its rules? A mutant is judged by all obligations of the spec.

In go a spec and a mutant of it; out comes a row of the matrix: what each obligation says of it (``mutate_cells``,
``mutate_ask``), and a status. A mutant that some obligation notices is *killed*. One whose core is that of the spec, or
that a bisimulation proves to be the same for everybody at the table, is *equivalent*. One that parts from the spec in a
play that the interpreter has replayed, and that nothing notices, *survived*. The rest is *undecided*; and a mutant that
means no game is *invalid*. The same spec, settings and seed give the same answers, by any number of processes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from kozel_verify.interpret.chance import Generator
from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Game
from kozel_verify.model.elaborate import elaborate, pack_names
from kozel_verify.model.load import Spec
from kozel_verify.model.program import Program
from kozel_verify.symbolic import query_store
from kozel_verify.verify.mutants import Kind, Mutant, mutants
from kozel_verify.verify.mutate_ask import Asked, Base
from kozel_verify.verify.mutate_cells import Cell, Row, Says
from kozel_verify.verify.mutate_fate import Equality, Fate, Proofs, fate
from kozel_verify.verify.pool import pooled
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.store import Store
from kozel_verify.verify.subject import Subject

QUICK = Settings(budget=3_000_000, lemma_cases=15_000, states=10_000, plays=6, witness_plays=40)
"""What a mutant is worth: seconds, not minutes. ``budget`` is for lemmas that are not enumerated; ``plays``: random
matches under the default options; ``witness_plays``: more of them for witnesses that are not met any more."""

PATIENCE = 400  # matches for witnesses, where nothing but these notices the mutant
PROPERTIES = (
    s.ExampleOf, s.LemmaOf, s.ClaimOf, s.StepClaimOf, s.MenuClaimOf, s.MeasureOf, s.SecretOf, s.CompiledOf,
    s.ScenarioOf,
)  # fmt: skip


class Status(StrEnum):
    KILLED = "killed"
    EQUIVALENT = "equivalent"
    SURVIVED = "survived"
    UNDECIDED = "undecided"
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class Judged:
    """A row of the matrix. ``cells``: by obligation, in the order of the report (none for an invalid mutant).
    ``by`` is the obligation that noticed first, ``lines`` what it says, or why the status is what it is. ``scenario``:
    of a survivor; pasted into the spec it holds, and fails for the mutant exactly when ``shows``."""

    id: str
    kind: Kind
    span: Span
    description: str
    name: str
    status: Status
    cells: dict[str, Cell]
    by: str = ""
    lines: tuple[str, ...] = ()
    scenario: str = ""
    shows: bool = False

    @property
    def killers(self) -> tuple[str, ...]:
        """The obligations that notice it."""
        return tuple(name for name, cell in self.cells.items() if cell.says.notices)

    @property
    def by_proofs_alone(self) -> bool:
        """Is all that notices it a proof that does not succeed any more?"""
        return self.status is Status.KILLED and all(self.cells[n].says is Says.UNPROVED for n in self.killers)


def chosen(spec: Spec, size: int | None, seed: int, only: Sequence[str] = ()) -> tuple[list[Mutant], int]:
    """``size`` of the spec's mutants (all, for ``None`` or when there are fewer) of the clauses ``only`` (all, when
    empty), in their order; and how many of these clauses there are."""
    found = [m for m in mutants(spec.program) if not only or m.name in only]
    if size is None:
        return found, len(found)
    order = list(range(len(found)))
    generator = Generator(seed)
    for n in range(min(size, len(order))):  # the first steps of a Fisher–Yates shuffle
        other = n + generator.below(len(order) - n)
        order[n], order[other] = order[other], order[n]
    return [found[n] for n in sorted(order[:size])], len(found)


class Judge:
    """Judges the mutants of one spec. ``prove``: are survivors held against the verification's proofs? ``hurried``:
    are the first obligations that notice a mutant enough? Then the others are open, its row is no row of a matrix, and
    that nobody can tell it from the spec is tried before plays: most equivalent mutants need none."""

    def __init__(self, spec: Spec, settings: Settings = QUICK, prove: bool = True, hurried: bool = False) -> None:
        self.base = Base(spec, settings)
        self.prove = prove
        self.hurried = hurried
        self.proofs = Proofs(self.base, Settings(plays=settings.plays, seed=settings.seed))

    def original(self) -> Row:
        """What the obligations say of the spec itself. While one of them notices something, no mutant can be judged."""
        return self.base.row

    def judge(self, mutant: Mutant) -> Judged:
        """Ask all obligations; then, if none notices, what becomes of it."""
        spec = self.base.spec
        found, refused = _meant(replace(spec, program=mutant.program))
        if isinstance(found, str):
            return _judged(mutant, Status.INVALID, Row(lines=(found,)), self.base)
        if not refused and _same(found, spec):
            return _judged(mutant, Status.EQUIVALENT, Row(lines=("it means the very same",)), self.base)
        equal = Equality(self.base, found)
        asked = Asked(self.base, Subject(found, self.base.settings), hurried=self.hurried, equal=equal.quickly)
        for name, why in refused:
            asked.row.notice(name, Says.REFUSED, "reading", lambda why=why: (why,))  # type: ignore[misc]
        asked.all()
        row = asked.row
        if row.notices and all(row.cells[n].says is Says.UNMET for n in row.notices):
            asked.search_more(PATIENCE)
        if row.notices:
            return _judged(mutant, Status.KILLED, row, self.base)
        if equal.lines:
            row.lines = equal.lines
            return _judged(mutant, Status.EQUIVALENT, row, self.base)
        return self._decided(mutant, found, row)

    def _decided(self, mutant: Mutant, found: Spec, row: Row) -> Judged:
        came = fate(self.base, found, f"not noticed: {mutant.id}")
        if came.verdict == "equivalent":
            row.lines = came.lines
            return _judged(mutant, Status.EQUIVALENT, row, self.base)
        if self.prove:
            self.proofs.ask(row, found)
        if row.notices:
            return _judged(mutant, Status.KILLED, row, self.base, came)
        row.lines = came.lines
        status = Status.SURVIVED if came.verdict == "different" else Status.UNDECIDED
        return _judged(mutant, status, row, self.base, came)


def _judged(mutant: Mutant, status: Status, row: Row, base: Base, came: Fate | None = None) -> Judged:
    cells = {w.name: row.cells.get(w.name, Cell(Says.UNTOUCHED)) for w in base.wanted}
    return Judged(
        mutant.id,
        mutant.kind,
        mutant.span,
        mutant.description,
        mutant.name,
        status,
        {} if status is Status.INVALID else cells,
        row.first,
        row.lines,
        "" if came is None or status is Status.KILLED else came.scenario,
        came is not None and status is not Status.KILLED and came.shows,
    )


# --- what a mutant means ---------------------------------------------------------------------------------------------


def _meant(spec: Spec) -> tuple[Spec | str, list[tuple[str, str]]]:
    """The mutant as a spec, without the properties that speak of what it does not have: their names, and the errors.
    Or the first error of one that means no game, on the full pack or on a smaller one."""
    refused: list[tuple[str, str]] = []
    program = spec.program
    while True:
        try:
            found = replace(spec, program=program, game=elaborate(program))
            for pack in pack_names(program):
                found.small(pack)
            return found, refused
        except SpecError as error:
            wrong = [(d, _property_at(program, d.span)) for d in error.diagnostics]
            first = error.diagnostics[0]
            said = f"{first.code}: {first.message}"
            # An example has its name from its place among the others: none can be taken out.
            if any(item is None or isinstance(item, s.ExampleOf) for _, item in wrong):
                return said, []
            for d, item in wrong:
                name = str(getattr(item, "name", getattr(item, "title", "")))
                if all(name != known for known, _ in refused):
                    refused.append((name, f"{d.code}: {d.message}"))
            gone = [id(item) for _, item in wrong]
            program = replace(program, items=tuple(i for i in program.items if id(i) not in gone))


def _property_at(program: Program, span: Span) -> s.Item | None:
    for item in program.items:
        if isinstance(item, PROPERTIES) and item.span.file == span.file:
            begin, end = (item.span.line, item.span.column), (item.span.end_line, item.span.end_column)
            if begin <= (span.line, span.column) <= end:
                return item
    return None


def _same(found: Spec, spec: Spec) -> bool:
    """Do both mean the same core, on the full pack and on each smaller one?"""
    games: Iterator[tuple[Game, Game]] = ((found.small(p), spec.small(p)) for p in spec.packs)
    return found.game == spec.game and all(a == b for a, b in games)


# --- many ------------------------------------------------------------------------------------------------------------

_JUDGE: list[Judge] = []  # of a worker process


def _start(spec: Spec, settings: Settings, prove: bool, hurried: bool) -> None:
    use_store(settings.store)
    _JUDGE[:] = [Judge(spec, settings, prove, hurried)]


def _judge(mutant: Mutant) -> Judged:
    return _JUDGE[0].judge(mutant)


def use_store(folder: str) -> None:
    """Let this process look its queries up in a store."""
    query_store.USE = query_store.Use(keeper=Store.opened(Path(folder)) if folder else None)


def judged(judge: Judge, todo: Sequence[Mutant], jobs: int = 1) -> Iterator[Judged]:
    """The rows of these mutants in their order. Raises ``BrokenProcessPool`` when a process is killed."""
    settings = judge.base.settings
    if jobs > 1 and len(todo) > 1:
        yield from pooled(_judge, todo, jobs, _start, judge.base.spec, settings, judge.prove, judge.hurried)
        return
    use_store(settings.store)
    try:
        yield from (judge.judge(mutant) for mutant in todo)
    finally:
        query_store.USE = query_store.Use()
