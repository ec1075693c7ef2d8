"""The verification of a spec: a list of works, done one by one or by several processes, and what follows from them.

Every work is told by plain data and brings back ``Evidence``; the order of the results is that of the works, so the
report does not depend on the number of processes. A work is done on its slice of the game (``slices``), and need not be
done where a store has its evidence (``kept``). Obligations are concluded here and nowhere else.
"""

from collections.abc import Callable, Collection, Sequence
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
from kozel_verify.verify.coverage import OPTIONS_COVERED
from kozel_verify.verify.ends import ENDS
from kozel_verify.verify.evidence import Evidence, counterexample_of, legs_of, merged, only_for
from kozel_verify.verify.evidence import Work as Work
from kozel_verify.verify.findings import Kind, Obligation, conclude
from kozel_verify.verify.kept import Keys, known
from kozel_verify.verify.option_sets import defaults
from kozel_verify.verify.order import needed, settled, stages, told
from kozel_verify.verify.peeking import NO_PEEKING
from kozel_verify.verify.probes import WELL_DEFINED
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.start import false_start
from kozel_verify.verify.store import Store
from kozel_verify.verify.subject import Subject, covering_options
from kozel_verify.verify.values import compiled_names
from kozel_verify.verify.wiring import CONSERVATION
from kozel_verify.verify.workers import Workers

OWN_WORKS = (Kind.EXAMPLE, Kind.SCENARIO, Kind.LEMMA, Kind.NO_PEEKING, Kind.ENDS, Kind.OPTIONS_COVERED)
"""Kinds of obligations that have works of their own; all others are looked at together."""


@dataclass(frozen=True, slots=True)
class Report:
    """``complete`` is false when the verification was interrupted: the obligations are those about which something was
    found before, and ``left`` the works that had not ended. ``stored`` of ``parts`` results were found in the store;
    ``problem``: why it could not be written. ``hard``: works with queries on which the solver gave up, where these are
    asked for. ``asked``: the works with the keys of their queries (with a store)."""

    spec: Spec
    obligations: tuple[Obligation, ...]
    complete: bool = True
    stored: int = 0
    parts: int = 0
    problem: str = ""
    hard: tuple[tuple[Work, Evidence], ...] = ()
    asked: tuple[tuple[Work, tuple[str, ...]], ...] = ()
    left: tuple[Work, ...] = ()


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


def takes(spec: Spec, name: str) -> list[list[str]]:
    """What is done, in words, when this promise alone is asked for; what settles it ends it after any of the stages."""
    todo = works(spec, Settings(only=(name,)))
    return [told([todo[n] for n in stage]) for stage in stages(todo, True)]


def _works(subject: Subject) -> list[Work]:
    spec, settings, game = subject.spec, subject.settings, subject.game
    found: list[Work] = []
    about_play = tuple(w.name for w in wanted(spec) if w.kind not in OWN_WORKS)
    claims = tuple(w.name for w in wanted(spec) if w.kind not in (*OWN_WORKS, Kind.WITNESS))
    found += [Work("induction", (), claims), Work("no_peeking", (), (NO_PEEKING,))]
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
        found += [Work("closure", (pack, options), claims) for options in covering_options(subject.small(pack))]
    if false_start(subject) is not None:
        found = _without_play(spec, found)
    elif settings.only:  # all are proved together: it is a work of its own to prove some
        found[0] = replace(found[0], arguments=tuple(name for name in claims if settings.wants(name)))
    unwanted = [name for work in found for name in work.serves if not settings.wants(name)]
    return [work for w in found if (work := needed(w, frozenset(unwanted))) is not None]


def _without_play(spec: Spec, found: Sequence[Work]) -> list[Work]:
    """What is left to do where play does not begin."""
    left = [work for work in found if work.kind in ("example", "lemma", "compiled")]
    shown = {name for work in left for name in work.serves}
    others = tuple(w.name for w in wanted(spec) if w.name not in shown)
    return [*left, Work("start", (others,), others)]


# --- what follows ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Progress:
    """``tell`` is called with (works done, works in all, what was done last) whenever a work ends."""

    tell: Callable[[int, int, str], None] = field(default=lambda *_: None)
    done: int = 0
    works: int = 0

    def ended(self, work: Work) -> None:
        self.done += 1
        self.tell(self.done, self.works, work.text())


@dataclass(slots=True)
class _Plan:
    """What there is to do when the store has been asked: for each work its evidence so far, and the work left."""

    works: list[Work]
    before: list[Evidence]
    left: list[Work | None]
    stored: int = 0
    parts: int = 0
    store: Store | None = None

    def narrowed(self, number: int, out: Collection[str]) -> "_Part | None":
        """What is found and what is left of a work when the promises ``out`` need it no more."""
        work, before, left = needed(self.works[number], out), self.before[number], self.left[number]
        if work is None:
            return None
        return _Part(number, work, only_for(before, work.serves), None if left is None else needed(left, out))


@dataclass(frozen=True, slots=True)
class _Part:
    """A work of a plan, by its number: the evidence that is there, and what is left to do."""

    number: int
    work: Work
    before: Evidence
    left: Work | None


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
    plan, here, found = _planned(subject), progress or Progress(), dict[int, tuple[Work, Evidence]]()
    complete, left = True, tuple[Work, ...]()
    try:
        with Workers(subject) as workers:
            for stage in stages(plan.works, bool(settings.only), settings.thorough):
                _do_stage(subject, plan, stage, workers, found, here)
    except KeyboardInterrupt:
        complete, left = False, _left(subject, plan, found)
    evidence = [found[n] for n in sorted(found)]
    obligations = _obligations(subject, evidence)
    return Report(
        spec,
        tuple(o for o in obligations if complete or o.legs),
        complete,
        plan.stored,
        plan.parts,
        _problem(plan, [e for _, e in evidence]),
        tuple((w, e) for w, e in evidence if e.hard),
        tuple((w, e.queries) for w, e in evidence if e.queries),
        left,
    )


def _left(subject: Subject, plan: _Plan, found: dict[int, tuple[Work, Evidence]]) -> tuple[Work, ...]:
    """After an interruption: the works that have not ended and are still needed, in their order. What the store had of
    them is noted."""
    waiting = [left for n, left in enumerate(plan.left) if n not in found and left is not None]
    found |= {n: (work, plan.before[n]) for n, work in enumerate(plan.works) if n not in found}
    some = bool(subject.settings.only) and not subject.settings.thorough
    out = settled(_obligations(subject, [found[n] for n in sorted(found)])) if some else set[str]()
    return tuple(still for left in waiting if (still := needed(left, out)) is not None)


def _do_stage(
    subject: Subject,
    plan: _Plan,
    stage: Sequence[int],
    workers: Workers,
    found: dict[int, tuple[Work, Evidence]],
    progress: Progress,
) -> None:
    """Do what the promises still need of some works, and note under its number what each has found."""
    out = settled(_obligations(subject, [found[n] for n in sorted(found)])) if found else set[str]()
    parts = [part for n in stage if (part := plan.narrowed(n, out)) is not None]
    found |= {p.number: (p.work, p.before) for p in parts if p.left is None}
    rest = [(p, p.left) for p in parts if p.left is not None]
    progress.done, progress.works = len(found), len(plan.works)
    part_of = {id(left): part for part, left in rest}

    def ended(work: Work, evidence: Evidence) -> None:
        """Noted at once: an interruption loses what has not ended, and no more."""
        part = part_of[id(work)]
        found[part.number] = part.work, merged(part.before, evidence)
        progress.ended(work)

    for (part, _), evidence in zip(rest, workers.done([left for _, left in rest], ended), strict=True):
        found[part.number] = part.work, merged(part.before, evidence)


def _obligations(subject: Subject, evidence: Sequence[tuple[Work, Evidence]]) -> list[Obligation]:
    wants = subject.settings.wants
    return [_concluded(subject, w, evidence) for w in wanted(subject.spec) if wants(w.name)]


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
