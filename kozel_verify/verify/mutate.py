"""Which property of a spec notices a fault in its rules? A mutant is judged by the works of the verification.

In go a spec and a mutant of it; out comes the first obligation that notices the fault, cheap ones asked first: examples
and scenarios, lemmas case by case, random matches on the full pack, closures of the smaller packs, witnesses that are
no longer met. Solver and induction are asked only for ``prove``. Every refutation was evaluated or replayed by the
interpreter. That no obligation notices a mutant may mean that a property is missing, or that nobody can tell the mutant
from the spec. The same spec, settings and seed give the same answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from kozel_verify.exhaustive.domains import Case, Enumeration, cells_with, enumerate_lemma
from kozel_verify.interpret.chance import Generator
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, random_play
from kozel_verify.interpret.state import State
from kozel_verify.interpret.text import value_text
from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import OUTSIDE, Lemma
from kozel_verify.model.elaborate import elaborate, pack_names
from kozel_verify.model.load import Spec
from kozel_verify.verify.evidence import counterexample_of, legs_of
from kozel_verify.verify.examples import try_one, written_out
from kozel_verify.verify.explain import Explainer
from kozel_verify.verify.findings import COMPLETE, Obligation, Verdict, conclude
from kozel_verify.verify.mutants import Mutant, mutants
from kozel_verify.verify.plays import Seen, look, witnesses
from kozel_verify.verify.probes import WELL_DEFINED, why
from kozel_verify.verify.run import do, wanted, works
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject, covering_options
from kozel_verify.verify.wiring import close_pack, evaluator

QUICK = Settings(lemma_cases=15_000, states=6_000, plays=6, witness_plays=0)
"""What a mutant is worth: seconds, not minutes."""

PLAY_STEPS = 4_000  # of one match: a mutant may make it endless
LINES = 3  # of a counterexample
CHEAP, ABOUT_VALUES = frozenset({"example", "plays", "closure"}), frozenset({"lemma", "compiled"})  # kinds of works
FAULTS = (NotWellDefined, ReachedDead)


@dataclass(frozen=True, slots=True)
class Notice:
    """An obligation that notices a fault. ``REFUTED``: it fails. ``UNKNOWN``: it was shown for the spec, and is not
    shown for the mutant (a witness that is no longer met; with ``prove``, a proof that no longer succeeds)."""

    obligation: str
    verdict: Verdict
    method: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """``invalid`` is the first error of a mutant that means no game (on the full pack or on a smaller one); else it is
    empty and ``notice`` is ``None`` exactly when no obligation notices the fault."""

    mutant: Mutant
    notice: Notice | None
    invalid: str = ""

    @property
    def survived(self) -> bool:
        return self.notice is None and not self.invalid


def sample(spec: Spec, size: int, seed: int) -> tuple[list[Mutant], int]:
    """``size`` of the spec's mutants (all, when there are fewer) in their order, and how many there are."""
    found = mutants(spec.program)
    order = list(range(len(found)))
    generator = Generator(seed)
    for n in range(min(size, len(order))):  # the first steps of a Fisher–Yates shuffle
        other = n + generator.below(len(order) - n)
        order[n], order[other] = order[other], order[n]
    return [found[n] for n in sorted(order[:size])], len(found)


class Judge:
    """Judges the mutants of one spec."""

    def __init__(self, spec: Spec, settings: Settings = QUICK, prove: bool = False) -> None:
        self.spec = spec
        self.settings = settings
        self.prove = prove

    def original(self) -> Notice | None:
        """The obligation that already fails for the spec itself. While one does, its mutants cannot be judged."""
        subject = Subject(self.spec, self.settings)
        return next((n for n in _cheap(subject, values=True) if n.verdict is Verdict.REFUTED), None)

    def judge(self, mutant: Mutant) -> Judged:
        """Ask the obligations in turn."""
        try:
            spec = replace(self.spec, program=mutant.program, game=elaborate(mutant.program))
            subject = Subject(spec, self.settings)
            for pack in pack_names(mutant.program):
                subject.small(pack)
        except SpecError as error:
            first = error.diagnostics[0]
            return Judged(mutant, None, f"{first.code}: {first.message}")
        changed = next(i for i, old in zip(mutant.program.items, self.spec.program.items, strict=True) if i is not old)
        values = isinstance(changed, s.FunctionOf | s.Constant | s.Order)  # lemmas and examples come to nothing else
        return Judged(mutant, next(self._notices(subject, values), None))

    def _notices(self, subject: Subject, values: bool) -> Iterator[Notice]:
        yield from _cheap(subject, values)
        yield from self._unmet(subject)
        if self.prove:
            yield from self._unproved(subject, values)

    # --- what the spec itself shows ------------------------------------------------------------------------------

    @cached_property
    def _met(self) -> dict[str, int]:
        """In how many of the plays of the spec each witness is met."""
        seen = [seen for _, seen in _looked(Subject(self.spec, self.settings))]
        return {name: sum(name in s.witnesses for s in seen) for name in witnesses(self.spec.game)}

    def _unmet(self, subject: Subject) -> Iterator[Notice]:
        """Witnesses that at least half of the spec's plays meet, and none of the mutant's."""
        often = [name for name, times in self._met.items() if 2 * times >= self.settings.plays > 0]
        met = {name for _, seen in _looked(subject) for name in seen.witnesses} if often else set()
        for name in often:
            if name not in met:
                text = f"met in {self._met[name]} of {self.settings.plays} matches of the spec, in none of the mutant"
                yield Notice(name, Verdict.UNKNOWN, "random plays", (text,))

    @cached_property
    def _shown(self) -> dict[str, Verdict]:
        return {o.name: o.verdict for o in _concluded(Subject(self.spec, self.settings), values=True)}

    def _unproved(self, subject: Subject, values: bool) -> Iterator[Notice]:
        for found in _concluded(subject, values):
            was = self._shown.get(found.name, Verdict.UNKNOWN)
            if found.verdict in (Verdict.REFUTED, Verdict.DISAGREE) or (
                was in COMPLETE and found.verdict not in COMPLETE
            ):
                shown = () if found.counterexample is None else found.counterexample.explanation
                lines = (f"{was.name} for the spec", *shown)
                yield Notice(found.name, found.verdict, found.method, lines[:LINES])


# --- cheap obligations -----------------------------------------------------------------------------------------------


def _cheap(subject: Subject, values: bool) -> Iterator[Notice]:
    yield from _written(subject)
    if values:
        yield from _lemmas(subject)
    yield from _plays(subject)
    yield from _closures(subject)


def _written(subject: Subject) -> Iterator[Notice]:
    for item in written_out(subject.game):
        tried = try_one(subject.game, item, subject.spec.program.files)
        if not tried.holds:
            lines = (f"{tried.at}", *tried.explanation[: LINES - 1])
            yield Notice(tried.name, Verdict.REFUTED, f"{tried.kind.value} evaluated", lines)


def _lemmas(subject: Subject) -> Iterator[Notice]:
    game = subject.game
    for p in game.properties:
        if isinstance(p, Lemma):
            found = enumerate_lemma(game, p, evaluator(game), subject.settings.lemma_cases)
            if isinstance(found, Enumeration) and found.counterexample is not None:
                lines = _case_lines(subject, p, found.counterexample)
                yield Notice(p.name, Verdict.REFUTED, "enumeration", tuple(lines[:LINES]))


def _case_lines(subject: Subject, lemma: Lemma, case: Case) -> list[str]:
    """The failing case, and why the statement is false there. (No play that comes to it is looked for.)"""
    game = subject.game
    state = State(0, cells_with(game, case.cells), (OUTSIDE,) * len(game.deck))
    named = [f"{p.name} = {value_text(game, case.arguments[p.name], p.type)}" for p in lemma.parameters]
    named += [f"{cell} = {value_text(game, v, game.cells[cell].type)}" for (cell, _), v in case.cells.items()]
    explainer = Explainer(Interpreter(game, case.options), subject.spec.program.files)
    return [", ".join(named), *explainer.why(state, lemma.statement, case.arguments)]


def _looked(subject: Subject) -> Iterator[tuple[tuple[Interpreter, Play] | None, Seen]]:
    """The random matches of a subject, each with what is seen in it."""
    for number in range(subject.settings.plays):
        options = subject.options_of(number)
        interpreter = Interpreter(subject.game, options)
        try:
            play = random_play(interpreter, subject.settings.seed + number, until="match", limit=PLAY_STEPS)
        except FAULTS as fault:  # before the first node
            name = fault.name if isinstance(fault, ReachedDead) else WELL_DEFINED
            yield None, Seen(violations={name: (options, ())})
            continue
        yield (interpreter, play), look([(interpreter, options, play)])


def _plays(subject: Subject) -> Iterator[Notice]:
    for number, (played, seen) in enumerate(_looked(subject), 1):
        for name, (_, run) in sorted(seen.violations.items(), key=lambda v: len(v[1][1])):
            lines = [f"match {number}, after {len(run)} steps"]
            if played is not None:
                lines += why(subject, played[0], name, run)
            yield Notice(name, Verdict.REFUTED, "random plays", tuple(lines[:LINES]))


def _closures(subject: Subject) -> Iterator[Notice]:
    for pack in subject.spec.packs:
        game = subject.small(pack)
        for options in covering_options(game):
            interpreter = Interpreter(game, options)
            closure = close_pack(interpreter, subject.settings.states)
            for violation in closure.violations.values():
                name = violation.name.removeprefix("dead ")
                lines = [f"pack `{pack}`, after {len(violation.run)} steps: {violation.text}"]
                lines += why(subject, interpreter, name, violation.run)
                yield Notice(name, Verdict.REFUTED, "closure", tuple(lines[:LINES]))


# --- proofs ----------------------------------------------------------------------------------------------------------


def _concluded(subject: Subject, values: bool) -> Iterator[Obligation]:
    """What all works but the cheap ones come to; those about values only when they can have changed."""
    left_out = CHEAP if values else CHEAP | ABOUT_VALUES
    every = [w for w in works(subject.spec, subject.settings) if w.kind not in left_out]
    for kind in dict.fromkeys(w.kind for w in every):
        todo = [w for w in every if w.kind == kind]
        evidence = [do(subject, work) for work in todo]
        names = {name for e in evidence for name, _ in e.legs}
        for w in wanted(subject.spec):
            if w.name in names and subject.settings.wants(w.name):
                yield conclude(w.name, w.kind, legs_of(w.name, evidence), counterexample_of(w.name, evidence))
