"""The verification of a spec: a list of works, done one by one or by several processes, and what follows from them.

Every work is told by plain data and brings back ``Evidence``; the order of the results is that of the works, so the
report does not depend on the number of processes. A work is done on its slice of the game (``slices``), and need not be
done where a store has its evidence (``kept``). Obligations are concluded here and nowhere else.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from pathlib import Path

from kozel_verify.exhaustive.closure import STUCK
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Claim,
    Compiled,
    Dead,
    Example,
    Lemma,
    Measure,
    MenuClaim,
    Scenario,
    Secret,
    StateClaim,
    StepClaim,
)
from kozel_verify.model.load import Spec
from kozel_verify.symbolic import query_store
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.z3_api import to_smt2
from kozel_verify.verify.closures import closure_evidence
from kozel_verify.verify.coverage import OPTIONS_COVERED, coverage_evidence
from kozel_verify.verify.ends import ENDS, ends_evidence
from kozel_verify.verify.evidence import Evidence, counterexample_of, legs_of, merged, only_for
from kozel_verify.verify.evidence import Work as Work
from kozel_verify.verify.examples import try_one
from kozel_verify.verify.findings import Counterexample, Kind, Leg, Obligation, Verdict, conclude
from kozel_verify.verify.inductive import induction_evidence
from kozel_verify.verify.kept import BY_NAME, Keys, keep, known, sliced
from kozel_verify.verify.peeking import NO_PEEKING, no_peeking_evidence, pairs_evidence
from kozel_verify.verify.plays import plays_evidence
from kozel_verify.verify.pool import pooled
from kozel_verify.verify.probes import WELL_DEFINED
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.store import Store
from kozel_verify.verify.subject import Subject, covering_options, defaults
from kozel_verify.verify.values import compiled_evidence, compiled_names, lemma_evidence
from kozel_verify.verify.wiring import CONSERVATION

OWN_WORKS = (Kind.EXAMPLE, Kind.SCENARIO, Kind.LEMMA, Kind.NO_PEEKING, Kind.ENDS, Kind.OPTIONS_COVERED)
"""Kinds of obligations that have works of their own; all others are looked at together."""

LONGEST = ("induction", "ends", "no_peeking", "compiled", "plays", "pairs", "closure", "lemma")
"""Kinds of works, the longest first, as far as they take seconds."""


@dataclass(frozen=True, slots=True)
class Report:
    """``complete`` is false when the verification was interrupted: the obligations are those concluded before.
    ``stored`` of ``parts`` results were found in the store; ``problem``: why it could not be written. ``hard``: works
    with queries on which the solver gave up, where these are asked for. ``asked``: the works with the keys of their
    queries (with a store)."""

    spec: Spec
    obligations: tuple[Obligation, ...]
    complete: bool = True
    stored: int = 0
    parts: int = 0
    problem: str = ""
    hard: tuple[tuple[Work, Evidence], ...] = ()
    asked: tuple[tuple[Work, tuple[str, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class Wanted:
    """An obligation before anything is known about it."""

    name: str
    kind: Kind
    spans: tuple[Span, ...] = ()


# --- what there is to show -------------------------------------------------------------------------------------------


def wanted(spec: Spec) -> list[Wanted]:
    """The obligations of a spec, in the order of the report: those of every game, then the author's."""
    game = spec.game
    found = [Wanted(CONSERVATION, Kind.CONSERVATION), Wanted(WELL_DEFINED, Kind.WELL_DEFINED)]
    found += [Wanted(STUCK, Kind.NEVER_STUCK), Wanted(NO_PEEKING, Kind.NO_PEEKING)]
    found += [Wanted(ENDS, Kind.ENDS), Wanted(OPTIONS_COVERED, Kind.OPTIONS_COVERED)]
    for p in game.properties:
        match p:
            case Example(name, span=span):
                found.append(Wanted(name, Kind.EXAMPLE, (span,)))
            case Scenario(name, span=span):
                found.append(Wanted(name, Kind.SCENARIO, (span,)))
            case Lemma(name, span=span):
                found.append(Wanted(name, Kind.LEMMA, (span,)))
            case Compiled(span=span):
                found += [Wanted(name, Kind.LEMMA, (span,)) for name, _ in compiled_names(game, p)]
            case StateClaim(claim, name, span=span):
                found.append(Wanted(name, Kind.INVARIANT if claim is Claim.INVARIANT else Kind.WITNESS, (span,)))
            case StepClaim(name, span=span):
                found.append(Wanted(name, Kind.STEP, (span,)))
            case MenuClaim(name, span=span):
                found.append(Wanted(name, Kind.MENU, (span,)))
            case Secret(name, span=span):
                found.append(Wanted(name, Kind.SECRET, (span,)))
            case Measure(name, span=span):
                found.append(Wanted(name, Kind.MEASURE, (span,)))
    found += [Wanted(b.end.name, Kind.DEAD, (b.end.span,)) for b in game.blocks if isinstance(b.end, Dead)]
    return list({w.name: w for w in found}.values())


def works(spec: Spec, settings: Settings) -> list[Work]:
    """Everything that is to be done; works that serve no wanted obligation are left out."""
    return _works(Subject(spec, settings))


def _works(subject: Subject) -> list[Work]:
    spec, settings, game = subject.spec, subject.settings, subject.game
    found: list[Work] = []
    about_play = tuple(w.name for w in wanted(spec) if w.kind not in OWN_WORKS)
    found += [Work("induction", (), about_play), Work("no_peeking", (), (NO_PEEKING,))]
    found += [Work("ends", (), (ENDS,)), Work("coverage", (), (OPTIONS_COVERED,))]
    for n, p in enumerate(game.properties):
        match p:
            case Example(name) | Scenario(name):
                found.append(Work("example", (n,), (name,)))
            case Lemma(name):
                found.append(Work("lemma", (n,), (name,)))
            case Compiled():
                found += [Work("compiled", (n, name, size), (name,)) for name, size in compiled_names(game, p)]
            case _:
                pass
    found.append(Work("plays", (), about_play))
    for pack in spec.packs:
        found.append(Work("pairs", (pack, defaults(spec.game)), (NO_PEEKING,)))
        found += [Work("closure", (pack, options), about_play) for options in covering_options(subject.small(pack))]
    return [w for w in found if any(settings.wants(name) for name in w.serves)]


# --- doing it --------------------------------------------------------------------------------------------------------


def _example(subject: Subject, index: int) -> Evidence:
    p = subject.game.properties[index]
    assert isinstance(p, Example | Scenario)
    tried = try_one(subject.game, p, subject.spec.program.files)
    if tried.holds:
        return Evidence(((p.name, Leg("evaluation", Verdict.ENUMERATED, 1, 1, 1)),))
    lines = (str(tried.at), *tried.explanation)
    shown = Counterexample(None, {}, "", True, explanation=lines)
    return Evidence(((p.name, Leg("evaluation", Verdict.REFUTED, 1, 1, 0)),), ((p.name, shown),))


def _lemma(subject: Subject, index: int) -> Evidence:
    p = subject.game.properties[index]
    assert isinstance(p, Lemma)
    return lemma_evidence(subject, p)


def _compiled(subject: Subject, index: int, name: str, size: int) -> Evidence:
    p = subject.game.properties[index]
    assert isinstance(p, Compiled)
    return compiled_evidence(subject, p, name, size)


DO: dict[str, Callable[..., Evidence]] = {
    "example": _example,
    "lemma": _lemma,
    "compiled": _compiled,
    "closure": closure_evidence,
    "plays": plays_evidence,
    "induction": induction_evidence,
    "no_peeking": no_peeking_evidence,
    "pairs": pairs_evidence,
    "ends": ends_evidence,
    "coverage": coverage_evidence,
}


def do(subject: Subject, work: Work) -> Evidence:
    """Do one work, and note how long it took."""
    return _done(subject, work)[0]


def _done(subject: Subject, work: Work) -> tuple[Evidence, bool]:
    """The evidence, and whether it is that of the work on its slice."""
    start = time.perf_counter()
    evidence = _on_slice(subject, work)
    kept = evidence is not None
    if evidence is None:
        evidence = DO[work.kind](subject, *work.arguments)
    if work.kind in BY_NAME:
        evidence = only_for(evidence, work.serves)
    return replace(evidence, seconds=time.perf_counter() - start), kept


def _on_slice(subject: Subject, work: Work) -> Evidence | None:
    """``None`` where the whole game is needed: to show in a play how a statement about values fails; for works without
    a slice; and when a slice lacks what the work wants. (What is wrong with the work itself comes up again then.)"""
    try:
        found = sliced(subject, work)
        if found is None:
            return None
        evidence = DO[work.kind](found[0], *found[1].arguments)
    except Exception:
        return None
    refuted = evidence.counterexamples or any(leg.verdict is Verdict.REFUTED for _, leg in evidence.legs)
    return None if refuted and work.kind in ("lemma", "compiled") else evidence


@dataclass(slots=True)
class _Worker:
    """What a process that does works has at hand."""

    subject: Subject
    keys: Keys
    store: Store | None

    @classmethod
    def of(cls, subject: Subject) -> "_Worker":
        """Its process lets the solver use the store from now on."""
        store = Store.opened(Path(subject.settings.store)) if subject.settings.store else None
        query_store.USE.keeper = store
        return cls(subject, Keys(subject), store)

    def do(self, work: Work) -> Evidence:
        """Do a work, and keep what holds."""
        use, hard = query_store.USE, Hard(self.subject.settings.hard)
        use.asked = [] if self.store is not None else None
        use.gave_up = hard.note if hard.limit else None
        evidence, kept = _done(self.subject, work)
        evidence = replace(evidence, queries=tuple(use.asked or ()), hard=tuple(hard.texts), given_up=hard.number)
        if self.store is None:
            return evidence
        if kept:
            keep(self.keys, self.store, work, evidence)
        return replace(evidence, problem=self.store.problem)


@dataclass(slots=True)
class Hard:
    """The first ``limit`` of the queries on which the solver gives up, as SMT-LIB, and how many these are in all."""

    limit: int
    texts: list[str] = field(default_factory=list)
    number: int = 0

    def note(self, assertions: Sequence[Term], budget: int) -> None:
        self.number += 1
        if len(self.texts) < self.limit:
            self.texts.append(to_smt2(assertions))


_WORKER: list[_Worker] = []  # of a worker process


def _start_worker(subject: Subject) -> None:
    _WORKER[:] = [_Worker.of(subject)]


def _do_in_worker(work: Work) -> Evidence:
    return _WORKER[0].do(work)


def done(subject: Subject, todo: Sequence[Work]) -> Iterator[Evidence]:
    """The evidence of the works in their order, by one process or by ``settings.jobs``."""
    if subject.settings.jobs <= 1 or not todo:
        worker = _Worker.of(subject)
        try:
            yield from (worker.do(work) for work in todo)
        finally:
            query_store.USE = query_store.Use()
        return
    finished = 0
    for evidence in _pooled(subject, todo):
        finished += 1
        yield evidence
    if finished < len(todo):  # a worker was killed: what is left is tried once more
        yield from _pooled(subject, todo[finished:], last=True)


def _pooled(subject: Subject, todo: Sequence[Work], last: bool = False) -> Iterator[Evidence]:
    """Ends early when a worker is killed; the ``last`` time that is a ``BrokenProcessPool``."""
    try:
        yield from pooled(_do_in_worker, todo, subject.settings.jobs, _start_worker, subject)
    except BrokenProcessPool:
        if last:
            raise


# --- what follows ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Progress:
    """Called with (works done, works in all, the obligation being worked on)."""

    tell: Callable[[int, int, str], None] = field(default=lambda *_: None)


@dataclass(slots=True)
class _Plan:
    """What there is to do when the store has been asked: for each work its evidence so far, and the work left."""

    works: list[Work]
    before: list[Evidence]
    left: list[Work | None]
    stored: int = 0
    parts: int = 0
    store: Store | None = None


def _planned(subject: Subject) -> _Plan:
    settings = subject.settings
    todo = _works(subject)
    plan = _Plan(todo, [Evidence()] * len(todo), list(todo), parts=len(todo))
    if not settings.store:
        return plan
    plan.store, keys, plan.parts = Store.opened(Path(settings.store)), Keys(subject), 0
    for n, work in enumerate(todo):
        found = known(keys, plan.store, work)
        plan.before[n], plan.left[n] = found.evidence, found.left
        plan.stored, plan.parts = plan.stored + found.found, plan.parts + found.parts
    return plan


def verify_spec(spec: Spec, settings: Settings, progress: Progress | None = None) -> Report:
    """All obligations of a spec. An interruption (Ctrl-C) gives the report of what was concluded before it."""
    subject = Subject(spec, settings)
    plan = _planned(subject)
    evidence = [(w, e) for w, e, left in zip(plan.works, plan.before, plan.left, strict=True) if left is None]
    rest = [(w, e, left) for w, e, left in zip(plan.works, plan.before, plan.left, strict=True) if left is not None]
    rest.sort(key=lambda r: _rank(r[0]))
    complete = True
    try:
        for (work, before, _), found in zip(rest, done(subject, [left for _, _, left in rest]), strict=True):
            evidence.append((work, merged(before, found)))
            if progress is not None:
                progress.tell(len(evidence), len(plan.works), work.serves[0])
    except KeyboardInterrupt:
        complete = False
    order = {id(work): n for n, work in enumerate(plan.works)}
    evidence.sort(key=lambda e: order[id(e[0])])
    obligations = [_concluded(subject, w, evidence) for w in wanted(spec) if settings.wants(w.name)]
    return Report(
        spec,
        tuple(o for o in obligations if complete or o.legs),
        complete,
        plan.stored,
        plan.parts,
        _problem(plan, [e for _, e in evidence]),
        tuple((w, e) for w, e in evidence if e.hard),
        tuple((w, e.queries) for w, e in evidence if e.queries),
    )


def _rank(work: Work) -> int:
    """Long works come first: so several processes end at about the same time. (The report has an order of its own.)"""
    return LONGEST.index(work.kind) if work.kind in LONGEST else len(LONGEST)


def _problem(plan: _Plan, evidence: Sequence[Evidence]) -> str:
    """End the use of the store; why it cannot be written, if it cannot."""
    if plan.store is None:
        return ""
    if any(plan.left):
        plan.store.trim()
    return next((e.problem for e in evidence if e.problem), plan.store.problem)


def _concluded(subject: Subject, wanted: Wanted, evidence: Sequence[tuple[Work, Evidence]]) -> Obligation:
    found = [e for _, e in evidence]
    seconds = sum(e.seconds for work, e in evidence if wanted.name in work.serves and len(work.serves) == 1)
    return conclude(
        wanted.name,
        wanted.kind,
        legs_of(wanted.name, found),
        counterexample_of(wanted.name, found),
        seconds=round(seconds, 3),
        citations=subject.citations(*wanted.spans),
    )
