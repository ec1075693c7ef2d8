"""Works done, each on its slice.

In go a subject and a work; out comes its evidence. Where there is a store, what holds is kept in it. Trusted: the
methods (``DO``), and that a work on its slice says what it says of the whole game (``slices``).
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kozel_verify.model.core import Compiled, Example, Lemma, Scenario
from kozel_verify.symbolic import query_store
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.z3_api import to_smt2
from kozel_verify.verify.closures import closure_evidence
from kozel_verify.verify.coverage import coverage_evidence
from kozel_verify.verify.ends import ends_evidence
from kozel_verify.verify.evidence import Evidence, Work, only_for
from kozel_verify.verify.examples import try_one
from kozel_verify.verify.findings import Counterexample, Leg, Verdict
from kozel_verify.verify.inductive import induction_evidence
from kozel_verify.verify.kept import BY_NAME, Keys, keep, sliced
from kozel_verify.verify.peeking import no_peeking_evidence, pairs_evidence
from kozel_verify.verify.plays import plays_evidence
from kozel_verify.verify.start import start_evidence
from kozel_verify.verify.store import Store
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.values import compiled_evidence, lemma_evidence


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
    "start": start_evidence,
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


@dataclass(frozen=True, slots=True)
class Done:
    """A work that was done; ``of_slice``: on its slice of the game alone."""

    evidence: Evidence
    of_slice: bool


@dataclass(slots=True)
class Worker:
    """What a process that does works has at hand."""

    subject: Subject
    keys: Keys
    store: Store | None

    @classmethod
    def of(cls, subject: Subject) -> "Worker":
        """Its process lets the solver use the store from now on."""
        store = Store.opened(Path(subject.settings.store)) if subject.settings.store else None
        query_store.USE.keeper = store
        return cls(subject, Keys(subject), store)

    def do(self, work: Work, listed: bool) -> Done:
        """Do a work; ``listed``: with a list of the solver's queries."""
        use, hard = query_store.USE, Hard(self.subject.settings.hard)
        use.asked = [] if listed else None
        use.gave_up = hard.note if hard.limit else None
        evidence, of_slice = _done(self.subject, work)
        queries = tuple(use.asked or ())
        return Done(replace(evidence, queries=queries, hard=tuple(hard.texts), given_up=hard.number), of_slice)

    def done(self, work: Work) -> Evidence:
        """Do a work, and keep what holds where there is a store."""
        return self.kept(work, self.do(work, self.store is not None))

    def kept(self, work: Work, done: Done) -> Evidence:
        """Keep what holds of a work that was done, here or elsewhere."""
        if self.store is None:
            return done.evidence
        if done.of_slice:
            keep(self.keys, self.store, work, done.evidence)
        return replace(done.evidence, problem=self.store.problem)


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
