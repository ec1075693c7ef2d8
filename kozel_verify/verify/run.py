"""The verification of a spec: a list of works, done one by one or by several processes, and what follows from them.

Every work is told by plain data and brings back ``Evidence``; the order of the results is that of the works, so the
report does not depend on the number of processes. Obligations are concluded here and nowhere else.
"""

import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing import active_children, get_context

from kozel_verify.exhaustive.closure import STUCK
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Claim, Compiled, Dead, Example, Lemma, Measure, Scenario, Secret, StateClaim
from kozel_verify.model.load import Spec
from kozel_verify.verify.closures import closure_evidence
from kozel_verify.verify.evidence import Evidence, counterexample_of, legs_of
from kozel_verify.verify.examples import try_one
from kozel_verify.verify.findings import Counterexample, Kind, Leg, Obligation, Verdict, conclude
from kozel_verify.verify.inductive import induction_evidence
from kozel_verify.verify.peeking import NO_PEEKING, no_peeking_evidence, pairs_evidence
from kozel_verify.verify.plays import plays_evidence
from kozel_verify.verify.probes import WELL_DEFINED
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject, covering_options, defaults
from kozel_verify.verify.values import compiled_evidence, compiled_names, lemma_evidence
from kozel_verify.verify.wiring import CONSERVATION

OWN_WORKS = (Kind.EXAMPLE, Kind.SCENARIO, Kind.LEMMA, Kind.NO_PEEKING)
"""Kinds of obligations that have works of their own; all others are looked at together."""


@dataclass(frozen=True, slots=True)
class Report:
    """``complete`` is false when the verification was interrupted: the obligations are those concluded before."""

    spec: Spec
    obligations: tuple[Obligation, ...]
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Work:
    """``kind`` names the function that does it; ``arguments`` are plain data. ``serves``: the obligations it is for."""

    kind: str
    arguments: tuple[object, ...]
    serves: tuple[str, ...]


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
            case Secret(name, span=span):
                found.append(Wanted(name, Kind.SECRET, (span,)))
            case Measure(name, span=span):
                found.append(Wanted(name, Kind.MEASURE, (span,)))
    found += [Wanted(b.end.name, Kind.DEAD, (b.end.span,)) for b in game.blocks if isinstance(b.end, Dead)]
    return list({w.name: w for w in found}.values())


def works(spec: Spec, settings: Settings) -> list[Work]:
    """Everything that is to be done; works that serve no wanted obligation are left out."""
    game = spec.game
    found: list[Work] = []
    about_play = tuple(w.name for w in wanted(spec) if w.kind not in OWN_WORKS)
    found += [Work("induction", (), about_play), Work("no_peeking", (), (NO_PEEKING,))]
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
        found += [Work("closure", (pack, options), about_play) for options in covering_options(spec.small(pack))]
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
}


def do(subject: Subject, work: Work) -> Evidence:
    """Do one work, and note how long it took."""
    start = time.perf_counter()
    evidence = DO[work.kind](subject, *work.arguments)
    return replace(evidence, seconds=time.perf_counter() - start)


_SUBJECT: list[Subject] = []  # of a worker process


def _start_worker(subject: Subject) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the main process's to deal with
    _SUBJECT[:] = [subject]


def _do_in_worker(work: Work) -> Evidence:
    return do(_SUBJECT[0], work)


def done(subject: Subject, todo: Sequence[Work]) -> Iterator[Evidence]:
    """The evidence of the works in their order, by one process or by ``settings.jobs``."""
    if subject.settings.jobs <= 1:
        yield from (do(subject, work) for work in todo)
        return
    finished = 0
    for evidence in _pooled(subject, todo):
        finished += 1
        yield evidence
    if finished < len(todo):  # a worker was killed: what is left is tried once more
        yield from _pooled(subject, todo[finished:], last=True)


def _pooled(subject: Subject, todo: Sequence[Work], last: bool = False) -> Iterator[Evidence]:
    """Ends early when a worker is killed; the ``last`` time that is a ``BrokenProcessPool``."""
    context = get_context("spawn")
    with ProcessPoolExecutor(subject.settings.jobs, context, _start_worker, (subject,)) as pool:
        try:
            yield from pool.map(_do_in_worker, todo)
        except BrokenProcessPool:
            if last:
                raise
        except BaseException:
            for child in active_children():  # else the pool waits for what they are at, which may take minutes
                child.terminate()
            pool.shutdown(cancel_futures=True)
            raise


# --- what follows ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Progress:
    """Called with (works done, works in all, the obligation being worked on)."""

    tell: Callable[[int, int, str], None] = field(default=lambda *_: None)


def verify_spec(spec: Spec, settings: Settings, progress: Progress | None = None) -> Report:
    """All obligations of a spec. An interruption (Ctrl-C) gives the report of what was concluded before it."""
    subject = Subject(spec, settings)
    todo = works(spec, settings)
    evidence: list[tuple[Work, Evidence]] = []
    complete = True
    try:
        for work, found in zip(todo, done(subject, todo), strict=True):
            evidence.append((work, found))
            if progress is not None:
                progress.tell(len(evidence), len(todo), work.serves[0])
    except KeyboardInterrupt:
        complete = False
    obligations = [_concluded(subject, w, evidence, todo) for w in wanted(spec) if settings.wants(w.name)]
    return Report(spec, tuple(o for o in obligations if complete or o.legs), complete)


def _concluded(
    subject: Subject, wanted: Wanted, evidence: Sequence[tuple[Work, Evidence]], todo: Sequence[Work]
) -> Obligation:
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
