"""What becomes of a mutant that no obligation has refuted: nobody can tell it from the spec, or a play parts the two,
or a proof that succeeds for the spec does not succeed for it.

In go a base and a mutant as a spec; out comes a ``Fate``. Equality is proved by bisimulation (``differ``). A difference
is a play, replayed in both games, written as a scenario that holds for the spec and fails for the mutant (whether it
does is tried). Proofs are those of the verification, with its budgets; the mutant is held only to what they prove of
the spec. Where nothing of this succeeds, the fate is open.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from kozel_verify.language import syntax as s
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import Scenario
from kozel_verify.model.elaborate import elaborate
from kozel_verify.model.load import Spec, load_text
from kozel_verify.model.program import Program
from kozel_verify.verify.differ import Effort, Side, decide
from kozel_verify.verify.differ.compare import FUNCTION, Comparison
from kozel_verify.verify.differ.groups import equal_functions
from kozel_verify.verify.differ.proof import Proof, prove
from kozel_verify.verify.differ.sides import apart_before_play
from kozel_verify.verify.doing import do
from kozel_verify.verify.evidence import Evidence, Work
from kozel_verify.verify.examples import try_scenario
from kozel_verify.verify.findings import COMPLETE, Leg
from kozel_verify.verify.mutate_ask import Base
from kozel_verify.verify.mutate_cells import Row, Says
from kozel_verify.verify.run import works
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

EFFORT = Effort(states=10_000, deals=200, thorough=True, stated=True)
SOME_CASES = 15_000  # of a function's arguments, visited by the quick part
WHOLE = ("induction", "no_peeking")


@dataclass(frozen=True, slots=True)
class Fate:
    """``verdict``: ``equivalent``, ``different`` or ``open``. ``lines``: why, or how the two part. ``scenario``: holds
    for the spec, and fails for the mutant exactly when ``shows``."""

    verdict: str
    lines: tuple[str, ...] = ()
    scenario: str = ""
    shows: bool = False


def fate(base: Base, mutant: Spec, title: str) -> Fate:
    """Equality first, then a difference in play."""
    found = decide(base.side, Side(mutant), EFFORT)
    if found.equal and found.proof is not None:
        return Fate("equivalent", (_proved(found.proof),))
    if found.different:
        return _only_small(base.side, mutant, found) or _parted(base.spec, mutant, title, found)
    failure = found.proof.failure if found.proof is not None else None
    why = f"not shown to be the same at {failure.place}: {failure.why}" if failure is not None else "not compared"
    return Fate("open", ("no play was found that tells it from the spec", why))


def _proved(proof: Proof) -> str:
    counts = proof.counts
    how = f"{counts.alike} of {counts.edges} steps are written alike, {counts.queries} queries"
    granted = ", given the invariants that the spec states" if proof.granted else ""
    return f"nobody can tell it from the spec, proved{granted} ({how})"


@dataclass
class Equality:
    """The quick part of the proof that nobody can tell a mutant from the spec: of its plays no more is known than
    what the text states; functions are compared where that is quick. ``lines`` say so once it has succeeded."""

    base: Base
    mutant: Spec
    lines: tuple[str, ...] = ()

    def quickly(self) -> bool:
        spec, other = self.base.side, Side(self.mutant)
        if apart_before_play(spec.game, other.game) is None:
            same = equal_functions(spec, other, SOME_CASES, FUNCTION)
            proof = prove(spec, other, same, EFFORT.budget, stated=EFFORT.stated)
            self.lines = (_proved(proof),) if proof.proved else ()
        return bool(self.lines)


def _only_small(spec: Side, mutant: Spec, found: Comparison) -> Fate | None:
    """Where the two part on smaller packs alone, they may yet be the same on the full one."""
    packs = sorted({p.pack for p in found.partings})
    if found.apart is not None or found.declared or not packs or "" in packs:
        return None
    if not prove(spec, Side(mutant), (), EFFORT.budget, EFFORT.thorough, EFFORT.stated).proved:
        return None
    where = ", ".join(f"`{pack}`" for pack in packs)
    return Fate("equivalent", ("nobody can tell it from the spec on the full pack, proved", f"they part on: {where}"))


def _parted(spec: Spec, mutant: Spec, title: str, found: Comparison) -> Fate:
    if not found.partings:
        return Fate("different", tuple(found.declared) or (found.apart or "",))
    first = found.partings[0]
    setting = f" with {first.setting.name}" if first.setting.name else ""
    pack = f" on the pack `{first.pack}`" if first.pack else ""
    lines = (
        f"after {first.steps} steps{pack}{setting}, at `{first.where}`, {first.difference.text}",
        f"the spec: {first.difference.said[0]}",
        f"the mutant: {first.difference.said[1]}",
    )
    old, rest = first.scenarios[0].split("\n", 1)
    scenario = f'{old[: old.index(chr(34))]}"{title}" {{\n{rest}'
    return Fate("different", lines, scenario, not first.pack and _shows(spec, mutant, scenario, title))


def _shows(spec: Spec, mutant: Spec, scenario: str, title: str) -> bool:
    """Does the scenario, pasted, hold for the spec and fail for the mutant?"""
    text = spec.program.files[spec.path].rstrip()
    if not text.endswith("}"):
        return False
    try:
        program = load_text(f"{text[:-1]}\n{scenario}\n}}\n", spec.path).program
        item = next(i for i in program.items if isinstance(i, s.ScenarioOf) and i.title == title)
        if not _holds(spec.program, item, title):
            return False
    except (SpecError, StopIteration):
        return False
    try:
        return not _holds(mutant.program, item, title)
    except SpecError:  # it speaks of what the mutant does not have, which is noticed when it is read
        return True


def _holds(program: Program, item: s.ScenarioOf, title: str) -> bool:
    game = elaborate(replace(program, items=(*program.items, item)))
    scenario = next(p for p in game.properties if isinstance(p, Scenario) and p.name == title)
    return try_scenario(game, scenario, program.files).holds


# --- proofs ----------------------------------------------------------------------------------------------------------


@dataclass
class Proofs:
    """What the verification's proofs show of the spec, found out when it is first needed."""

    base: Base
    settings: Settings
    _shown: dict[str, Mapping[str, Leg]] = field(default_factory=dict)

    @cached_property
    def subject(self) -> Subject:
        return Subject(self.base.spec, self.settings)

    def ask(self, row: Row, mutant: Spec) -> None:
        """Notice what is proved for the spec and not for the mutant."""
        subject = Subject(mutant, self.settings)
        self._values(row, subject)
        for kind in WHOLE:
            shown = self._of(self.subject, kind)
            for name, leg in self._of(subject, kind).items():
                if name in row.cells and row.cells[name].says is not Says.UNTOUCHED:
                    self._compare(row, name, shown.get(name), leg)

    def _compare(self, row: Row, name: str, was: Leg | None, leg: Leg) -> None:
        if was is not None and was.verdict in COMPLETE and leg.verdict not in COMPLETE:
            row.notice(name, Says.UNPROVED, leg.method, lambda: (leg.detail,))

    def _of(self, subject: Subject, kind: str) -> Mapping[str, Leg]:
        """The legs that are proofs, by obligation."""
        own = subject is self.subject
        if own and kind in self._shown:
            return self._shown[kind]
        found = {name: leg for name, leg in do(subject, Work(kind, (), ())).legs if "random plays" not in leg.method}
        if own:
            self._shown[kind] = found
        return found

    def _values(self, row: Row, subject: Subject) -> None:
        """Lemmas and compiled predicates that were not decided by the small budget."""
        open_ = {name for name, cell in row.cells.items() if cell.says is Says.OPEN}
        ours = {w.serves: w for w in works(self.base.spec, self.settings)}
        for work in works(subject.spec, self.settings):
            if work.kind in ("lemma", "compiled") and set(work.serves) & open_ and work.serves in ours:
                name = work.serves[0]
                was, now = (_best(do(x, w)) for x, w in ((self.subject, ours[work.serves]), (subject, work)))
                self._compare(row, name, was, now)
                row.say(name, Says.HOLDS, now.method)


def _best(evidence: Evidence) -> Leg:
    """A complete leg if there is one."""
    legs = [leg for _, leg in evidence.legs]
    return next((leg for leg in legs if leg.verdict in COMPLETE), legs[0])
