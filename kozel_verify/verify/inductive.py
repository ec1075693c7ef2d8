"""Claims about every state of the full game, proved by induction over the edges of the process graph.

Sizes and weights of zones come first, in the counting abstraction, with invariants guessed from plays and kept only
when they are proved with the rest; what they do not settle is asked again at the level of single cards. What fails has
an edge and a model but no play: it is unknown until a play shows it. Options are unknown constants, but for those that
occur in the bounds of choices: these are enumerated, and every proof must succeed for each of their values.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

from kozel_verify.exhaustive.closure import STUCK
from kozel_verify.interpret.record import Play
from kozel_verify.interpret.state import State
from kozel_verify.model.core import Claim, Expr, Game, Lemma, Measure, MenuClaim, Secret, StateClaim, StepClaim
from kozel_verify.model.types import Value
from kozel_verify.symbolic.cases import Known, cases
from kozel_verify.symbolic.faces import (
    FaceResult,
    dead_places,
    prove_dead,
    prove_defined,
    prove_faces_by_cases,
    prove_secrets,
)
from kozel_verify.symbolic.faces_system import Usable, usable
from kozel_verify.symbolic.induction import ClaimResult, Invariants, Prover
from kozel_verify.symbolic.lemmas import Proved, prove_lemma
from kozel_verify.symbolic.menus import prove_menus
from kozel_verify.symbolic.obligations import Obligations
from kozel_verify.symbolic.obligations import Verdict as Step
from kozel_verify.symbolic.steps import StepResult, prove_steps
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Leg, Verdict
from kozel_verify.verify.formulas import formula
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.probes import WELL_DEFINED
from kozel_verify.verify.scenario_text import literal
from kozel_verify.verify.subject import Subject, agree
from kozel_verify.verify.variables import Variables
from kozel_verify.verify.wiring import CONSERVATION

COUNTING = "induction on sizes"
FACES = "induction on cards"
OF_CASES = 3  # times as many plays where each case should be met by some
EMPTY = "says nothing: no step and no question of this kind"


@dataclass(slots=True)
class _Part:
    """What the queries for one obligation came to, over all its nodes and all shape options; ``helpers``: claims that
    the tool has found by itself and proved with the rest, as texts."""

    queries: int = 0
    failures: list[str] = field(default_factory=list)
    methods: dict[str, None] = field(default_factory=dict)
    helpers: list[str] = field(default_factory=list)

    def add(self, method: str, queries: int, failure: str = "") -> None:
        self.queries += queries
        self.methods[method] = None
        if failure:
            self.failures.append(failure)

    def leg(self) -> Leg:
        method = " and ".join(self.methods)
        if self.failures:
            return Leg(method, Verdict.UNKNOWN, detail=self.failures[0])
        return Leg(method, Verdict.PROVED, detail="; ".join([f"{self.queries:,} queries", *self.helpers]))


Parts = dict[str, _Part]


def induction_evidence(subject: Subject, *names: str) -> Evidence:
    """A leg for each claim about play; if there are ``names``, for those alone (found as with all of them)."""
    parts: Parts = {}
    lemmas = GroupLemmas(subject.game, subject.settings.budget)
    asked = _Asked(frozenset(names))
    for fixed in shapes(subject.game):
        if not subject.with_options(fixed):
            continue  # the constraints exclude it
        _prove(subject, fixed, lemmas, asked, parts)
    for claim in claims_of_steps(subject.game):
        part = parts.setdefault(claim.name, _Part())
        if not part.queries:
            part.add(FACES, 0, EMPTY)
    return Evidence(tuple((name, part.leg()) for name, part in parts.items() if asked.wants(name)))


@dataclass(frozen=True, slots=True)
class _Asked:
    """The claims that are asked for; no names: all."""

    names: frozenset[str]

    def wants(self, name: str) -> bool:
        return not self.names or name in self.names


def shapes(game: Game) -> Iterator[dict[str, Value]]:
    """Every combination of the options that shape the choices."""
    shaping = [o for o in game.options.values() if o.shape]
    for chosen in product(*(o.values for o in shaping)):
        yield {o.name: v for o, v in zip(shaping, chosen, strict=True)}


@dataclass
class GroupLemmas:
    """The lemmas about groups of cards alone: what they say of matchings may be used, once the solver proves them."""

    game: Game
    budget: int

    @cached_property
    def proved(self) -> tuple[Usable, ...]:
        found = usable(self.game, [p for p in self.game.properties if isinstance(p, Lemma)])
        return tuple(u for u in found if isinstance(prove_lemma(self.game, u.lemma, self.budget), Proved))


def claims_of_steps(game: Game) -> list[StepClaim | MenuClaim]:
    """The claims about steps and about what may be chosen."""
    return [p for p in game.properties if isinstance(p, StepClaim | MenuClaim)]


def _prove(subject: Subject, fixed: Mapping[str, Value], lemmas: GroupLemmas, asked: _Asked, parts: Parts) -> None:
    """With the few simple guesses first; with all of them only if a claim is left over."""
    game, budget, by_case = subject.game, subject.settings.budget, cases(subject.game)
    samples = samples_of(subject, fixed)
    for thorough in (False, True):
        prover = Prover(game, invariants(game), samples, fixed, budget, thorough, by_case)
        found = prover.run()
        known = [(known_at(game, found, number), {**fixed, **case}) for number, case in enumerate(by_case)]
        open_claims = [c for c, r in zip(invariants(game), found.results, strict=True) if not r.proved]
        by_faces = prove_faces_by_cases(game, open_claims, known, budget, lemmas.proved if open_claims else ())
        if all(result.proved for result in by_faces):
            break
    _add_invariants(game, found.results, by_faces, parts)
    also = {
        n: tuple(c.statement for c, r in zip(open_claims, by_faces, strict=True) if r.proved and n in c.nodes)
        for n in range(len(game.nodes))
    }
    for number, (claims, settled) in enumerate(known):
        given = {n: (*here, *also[n]) for n, here in claims.items()}
        case = _Case(settled, given, claims_found(game, found, number), Obligations(prover, also, number))
        _add_case(subject, case, lemmas, asked, parts)


@dataclass(frozen=True, slots=True)
class _Case:
    """What is fixed in a case, and proved of its states: all of it, and what the tool has found."""

    fixed: Mapping[str, Value]
    known: Known
    found: Known
    obligations: Obligations


def _add_case(subject: Subject, case: _Case, lemmas: GroupLemmas, asked: _Asked, parts: Parts) -> None:
    """All that rests on what is known of the states."""
    game, budget, fixed, known = subject.game, subject.settings.budget, case.fixed, case.known
    _add_steps(game, case.obligations, asked, parts)
    if asked.wants(WELL_DEFINED):
        _add_definedness(game, case.obligations, known, fixed, budget, parts)
        parts[WELL_DEFINED].helpers += _found(subject, fixed, case.found)
    secrets = [s.name for s in game.properties if isinstance(s, Secret) and asked.wants(s.name)]
    dead = [name for name in dead_places(game) if asked.wants(name)]
    for result in (
        *prove_secrets(game, known, fixed, budget, secrets),
        *prove_dead(game, known, fixed, budget, dead),
    ):
        parts.setdefault(result.name, _Part()).add(FACES, result.obligations, _failure(game, result))
    _add_claims_of_steps(game, known, fixed, lemmas, asked, parts)


def invariants(game: Game) -> list[StateClaim]:
    return [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]


def plays_to_guess_from(subject: Subject, fixed: Mapping[str, Value]) -> list[tuple[Options, Play]]:
    """The plays from which claims are guessed. Where options are fixed, or there are cases to be met, few of the random
    ones are left for each: so more are made."""
    times = OF_CASES if len(cases(subject.game)) > 1 else 1 if fixed else 0
    return [*subject.plays, *subject.plays_with(fixed, times)] if times else subject.sampled


def samples_of(subject: Subject, fixed: Mapping[str, Value]) -> dict[int, list[tuple[State, Mapping[str, Value]]]]:
    """The states of the plays whose options are the fixed ones, by node."""
    samples: dict[int, list[tuple[State, Mapping[str, Value]]]] = {}
    for options, play in plays_to_guess_from(subject, fixed):
        if agree(options, fixed):
            for state in play.states:
                samples.setdefault(state.node, []).append((state, options))
    return samples


def claims_found(game: Game, found: Invariants, case: int = 0) -> dict[int, list[Expr]]:
    """What was found and proved at each node in a case."""
    nodes = range(len(game.nodes))
    return {n: found.found[case * len(nodes) + n] for n in nodes}


def known_at(game: Game, found: Invariants, case: int = 0) -> dict[int, tuple[Expr, ...]]:
    """Everything proved at each node in a case: the author's claims, and those found on the way."""
    known = {n: list(claims) for n, claims in claims_found(game, found, case).items()}
    for claim, result in zip(invariants(game), found.results, strict=True):
        if result.proved:
            for n in claim.nodes:
                known.setdefault(n, []).append(claim.statement)
    return {n: tuple(claims) for n, claims in known.items()}


def _found(subject: Subject, fixed: Mapping[str, Value], found: Known) -> list[str]:
    """What the tool has found at each node and proved with the claims of the spec, in the words of the language."""
    game, variables = subject.game, Variables(subject.spec.program, subject.game)
    types = {n: o.type for n, o in game.options.items()} | {n: c.type for n, c in game.cells.items()}
    where = "".join(f" with {n} = {literal(game, v, types[n])}" for n, v in fixed.items())
    count = sum(map(len, found.values()))
    lines = [f"{count:,} claims that the spec does not state were found and proved{where}"]
    for node, claims in found.items():
        sight = variables.at(node)
        names = {cell: f"unserved({word})" for word, cell in sight.unserved.items()}
        names |= {cell: word for word, cell in sight.named.items()}
        if claims:
            lines.append(f"at {game.nodes[node].name}: " + ", ".join(formula(game, c, names) for c in claims))
    return lines


def _add_invariants(game: Game, counted: Iterable[ClaimResult], faces: Iterable[FaceResult], parts: Parts) -> None:
    remaining = iter(faces)
    for result in counted:
        part = parts.setdefault(result.name, _Part())
        if result.proved:
            part.add(COUNTING, result.obligations)
        else:
            face = next(remaining)
            part.add(FACES, face.obligations, _failure(game, face))


def _add_claims_of_steps(
    game: Game, known: Known, fixed: Mapping[str, Value], lemmas: GroupLemmas, asked: _Asked, parts: Parts
) -> None:
    """Claims about steps and menus: from all that is proved of states."""
    claims = [c for c in claims_of_steps(game) if asked.wants(c.name)]
    if not claims:
        return
    steps = [c for c in claims if isinstance(c, StepClaim)]
    for step in prove_steps(game, steps, known, fixed, lemmas.budget, lemmas.proved):
        part = parts.setdefault(step.name, _Part())
        for method, settled in ((COUNTING, step.sizes), (FACES, step.cards)):
            if settled:
                part.add(method, settled)
        if step.failure:
            part.add(FACES, 1, _open_claim(game, step))
    menus = [c for c in claims if isinstance(c, MenuClaim)]
    for menu in prove_menus(game, menus, known, fixed, lemmas.budget, lemmas.proved):
        parts.setdefault(menu.name, _Part()).add(FACES, menu.obligations, _open_claim(game, menu))


def _open_claim(game: Game, result: FaceResult | StepResult) -> str:
    """Where a claim about steps or menus is not shown."""
    failure = result.failure
    if failure is None:
        return ""
    reason = "not shown" if failure.values is not None else "budget used up"
    end = f" to {game.nodes[failure.end].name}" if failure.end >= 0 else ""
    where = f"{failure.edge}{end}" if failure.edge else game.nodes[failure.start].name
    return f"{reason}: {where} ({result.span})"


def _failure(game: Game, result: FaceResult) -> str:
    if result.failure is None:
        return ""
    where = (
        f"the edge {result.failure.edge}"
        if result.failure.edge
        else f"a state at {game.nodes[result.failure.start].name}"
    )
    return f"not inductive: {where}" if result.failure.values is not None else f"budget used up: {where}"


def _add_steps(game: Game, obligations: Obligations, asked: _Asked, parts: Parts) -> None:
    for name, steps in (
        (CONSERVATION, obligations.conservation()),
        (STUCK, obligations.never_stuck()),
        *((p.name, obligations.decrease(p)) for p in game.properties if isinstance(p, Measure)),
    ):
        for step in steps if asked.wants(name) else ():
            parts.setdefault(name, _Part()).add(COUNTING, 1, "" if step.proved else _open(step))


def _add_definedness(
    game: Game, obligations: Obligations, known: Known, fixed: Mapping[str, Value], budget: int, parts: Parts
) -> None:
    """Each partial operation by sizes first; what they leave open by cards."""
    part = parts.setdefault(WELL_DEFINED, _Part())
    open_steps = set()
    for step in obligations.definedness():
        if step.proved:
            part.add(COUNTING, 1)
        else:
            open_steps.add((step.place, step.span))
    for result in prove_defined(game, known, fixed, budget, open_steps) if open_steps else ():
        failure = f"not shown: {result.name} ({result.span})" if result.failure else ""
        part.add(FACES, result.obligations, failure)


def _open(step: Step) -> str:
    reason = "not shown" if step.values is not None else "budget used up"
    return f"{reason}: {step.text} at {step.place}" + (f" ({step.span})" if step.span.line else "")
