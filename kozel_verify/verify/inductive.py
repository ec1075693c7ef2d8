"""Claims about every state of the full game, proved by induction over the edges of the process graph.

Sizes and weights of zones come first, in the counting abstraction, with invariants guessed from plays and kept only
when they are proved with the rest. What fails has an edge and a model but no play: it is unknown until a play shows it.
"""

from collections.abc import Mapping, Sequence

from kozel_verify.interpret.state import State
from kozel_verify.model.core import Claim, Expr, StateClaim
from kozel_verify.model.types import Value
from kozel_verify.symbolic.induction import ClaimResult, Invariants, Prover
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Leg, Verdict
from kozel_verify.verify.subject import Subject

METHOD = "induction"


def invariants_of(subject: Subject) -> Invariants:
    """What the counting abstraction proves of the full game under all options."""
    samples: dict[int, list[tuple[State, Mapping[str, Value]]]] = {}
    for options, play in subject.plays:
        for state in play.states:
            samples.setdefault(state.node, []).append((state, options))
    claims = [p for p in subject.game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
    return Prover(subject.game, claims, samples, rlimit=subject.settings.budget).run()


def known_at(subject: Subject, found: Invariants) -> dict[int, tuple[Expr, ...]]:
    """Everything proved at each node: the author's claims, and those found on the way."""
    known: dict[int, list[Expr]] = {n: list(claims) for n, claims in found.found.items()}
    stated = [p for p in subject.game.properties if isinstance(p, StateClaim) and p.claim is Claim.INVARIANT]
    for claim, result in zip(stated, found.results, strict=True):
        if result.proved:
            for n in claim.nodes:
                known.setdefault(n, []).append(claim.statement)
    return {n: tuple(claims) for n, claims in known.items()}


def induction_evidence(subject: Subject) -> Evidence:
    """A leg for each invariant. One stated at nodes where it means different things has one leg for all of them."""
    found = invariants_of(subject)
    by_name: dict[str, list[ClaimResult]] = {}
    for result in found.results:
        by_name.setdefault(result.name, []).append(result)
    return Evidence(tuple((name, _leg(subject, results)) for name, results in by_name.items()))


def _leg(subject: Subject, results: Sequence[ClaimResult]) -> Leg:
    edges = sum(r.obligations for r in results)
    broken = [r.broken for r in results if r.broken is not None]
    if not broken:
        return Leg(METHOD, Verdict.PROVED, detail=f"{edges} edges")
    target = subject.game.nodes[broken[0].target].name
    reason = "not inductive" if broken[0].values is not None else "budget used up"
    return Leg(METHOD, Verdict.UNKNOWN, detail=f"{reason}: the edge {broken[0].edge} to {target}")
