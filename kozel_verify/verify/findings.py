"""What was found about an obligation, and the logic from which its verdict follows.

In go the legs (one for each method tried) and perhaps a counterexample; out come an ``Obligation`` with one verdict,
its JSON, and the exit code for a list of them. No engine is called here. This logic is trusted, and held by tests that
plant a fault in each of its rules:

* ``REFUTED`` needs a counterexample that the interpreter has confirmed; for what is claimed of play (all kinds but
  those of ``WITHOUT_RUN``) that is a run from a deal. Without one the leg says ``UNKNOWN``: not shown reachable.
* A leg that looked at nothing shows nothing.
* Legs that contradict each other make the obligation ``DISAGREE``, never the better of the two.
* ``CLOSED`` (a smaller pack) and ``SAMPLED`` are evidence: they never give exit 0, nor does ``UNKNOWN``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, IntEnum, StrEnum
from typing import assert_never

from kozel_verify.interpret.state import Chance, Choice, Outcome, Proceed
from kozel_verify.model.types import Value


class Verdict(Enum):
    PROVED = "PROVED"  # for the whole game
    ENUMERATED = "ENUMERATED"  # every case of a finite domain was visited
    CLOSED = "CLOSED"  # the whole state space of a smaller pack was visited
    SAMPLED = "SAMPLED"  # some plays
    REFUTED = "REFUTED"
    UNKNOWN = "UNKNOWN"
    DISAGREE = "DISAGREE"  # of an obligation only: its legs contradict each other


class Kind(StrEnum):
    CONSERVATION = "conservation"
    WELL_DEFINED = "well_defined"
    NEVER_STUCK = "never_stuck"
    ENDS = "ends"
    NO_PEEKING = "no_peeking"
    OPTIONS_COVERED = "options_covered"
    EXAMPLE = "example"
    SCENARIO = "scenario"
    LEMMA = "lemma"
    INVARIANT = "invariant"
    STEP = "step"
    MENU = "menu"
    SECRET = "secret"
    WITNESS = "witness"
    DEAD = "dead"
    MEASURE = "measure"


class Exit(IntEnum):
    HOLDS = 0
    REFUTED = 1
    USAGE = 2  # given by the command line, never by ``exit_code``
    NOT_SHOWN = 3  # unknown, or weaker than a proof
    DISAGREE = 4


WITHOUT_RUN = frozenset({Kind.EXAMPLE, Kind.LEMMA, Kind.SCENARIO})
"""Claims about values, or about a play that the spec itself writes out: evaluating them to false refutes them."""

COMPLETE = (Verdict.PROVED, Verdict.ENUMERATED)
_BEST_FIRST = (Verdict.PROVED, Verdict.ENUMERATED, Verdict.CLOSED, Verdict.SAMPLED, Verdict.UNKNOWN)
NOT_REACHABLE = "not shown reachable"


@dataclass(frozen=True, slots=True)
class Leg:
    """What one method says. ``cases`` is the number represented, ``visited`` the number evaluated, ``holds`` the number
    in which the statement's relation holds; ``None`` where the method counts nothing."""

    method: str
    verdict: Verdict
    cases: int | None = None
    visited: int | None = None
    holds: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Why an obligation fails. ``run`` is a play from the beginning (``None``: a statement about values); ``options``
    has a value for every option; ``deck`` the cards in dealing order, or ``seed`` the number that dealt them.

    ``confirmed``: the interpreter has replayed the run and seen the violation, or evaluated the statement to false.
    """

    run: tuple[Outcome, ...] | None
    options: dict[str, Value]
    pack: str
    confirmed: bool
    seed: int | None = None
    deck: tuple[int, ...] | None = None
    explanation: tuple[str, ...] = ()
    scenario: str = ""


@dataclass(frozen=True, slots=True)
class Obligation:
    name: str
    kind: Kind
    verdict: Verdict
    method: str
    legs: tuple[Leg, ...]
    cases: int | None
    visited: int | None
    holds: int | None
    seconds: float
    citations: tuple[str, ...]
    counterexample: Counterexample | None


def conclude(
    name: str,
    kind: Kind,
    legs: Sequence[Leg],
    counterexample: Counterexample | None = None,
    *,
    seconds: float = 0.0,
    citations: Iterable[str] = (),
) -> Obligation:
    """The obligation that follows from its legs. Counts are those of the best leg that has any; what is proved for the
    whole game never shows the counts of a smaller pack.

    Raises ``ValueError`` for a leg that says ``DISAGREE``, which only an obligation can.
    """
    weighed = tuple(_weigh(leg, kind, counterexample) for leg in legs)
    verdict = Verdict.DISAGREE if _contradicted(legs, kind) else _combine(weighed)
    deciding = [leg for leg in weighed if leg.verdict is verdict] or list(weighed)
    as_strong = [leg for leg in _ranked(weighed) if verdict not in COMPLETE or leg.verdict in COMPLETE]
    counted = next((leg for leg in (*deciding, *as_strong) if leg.cases is not None), None)
    return Obligation(
        name=name,
        kind=kind,
        verdict=verdict,
        method=" + ".join(dict.fromkeys(leg.method for leg in deciding)),
        legs=weighed,
        cases=counted.cases if counted else None,
        visited=counted.visited if counted else None,
        holds=counted.holds if counted else None,
        seconds=seconds,
        citations=tuple(citations),
        counterexample=counterexample,
    )


def _contradicted(legs: Sequence[Leg], kind: Kind) -> bool:
    """Of a claim about values one method finds a case where it fails, and another shows that there is none."""
    complete = any(leg.verdict in COMPLETE and leg.visited != 0 for leg in legs)
    return kind in WITHOUT_RUN and complete and any(leg.verdict is Verdict.REFUTED for leg in legs)


def _weigh(leg: Leg, kind: Kind, counterexample: Counterexample | None) -> Leg:
    """The leg with the verdict that it has a right to."""
    if leg.verdict is Verdict.DISAGREE:
        raise ValueError("a single leg cannot disagree")
    if leg.verdict is Verdict.REFUTED and not _refutes(kind, counterexample):
        return replace(leg, verdict=Verdict.UNKNOWN, detail=_joined(NOT_REACHABLE, leg.detail))
    if leg.verdict is Verdict.PROVED and leg.cases == 0:
        return replace(leg, verdict=Verdict.UNKNOWN, detail=_joined("there is no case", leg.detail))
    if leg.verdict in (Verdict.ENUMERATED, Verdict.CLOSED, Verdict.SAMPLED) and not leg.visited:
        return replace(leg, verdict=Verdict.UNKNOWN, detail=_joined("nothing was visited", leg.detail))
    return leg


def _refutes(kind: Kind, counterexample: Counterexample | None) -> bool:
    if counterexample is None or not counterexample.confirmed:
        return False
    return counterexample.run is not None or kind in WITHOUT_RUN


def _joined(first: str, second: str) -> str:
    return f"{first}: {second}" if second else first


def _combine(legs: Sequence[Leg]) -> Verdict:
    refuted = any(leg.verdict is Verdict.REFUTED for leg in legs)
    if refuted and any(leg.verdict in COMPLETE for leg in legs):
        return Verdict.DISAGREE
    if _counts_differ(legs):
        return Verdict.DISAGREE
    if refuted:
        return Verdict.REFUTED
    return _ranked(legs)[0].verdict if legs else Verdict.UNKNOWN


def _counts_differ(legs: Sequence[Leg]) -> bool:
    """Two complete legs over as many cases that do not find the relation equally often."""
    found: dict[int, int] = {}
    for leg in legs:
        counted = leg.verdict in COMPLETE and leg.cases is not None and leg.holds is not None
        if counted and found.setdefault(leg.cases or 0, leg.holds or 0) != leg.holds:
            return True
    return False


def _ranked(legs: Sequence[Leg]) -> list[Leg]:
    """Positive legs, best first (stable)."""
    return sorted((leg for leg in legs if leg.verdict in _BEST_FIRST), key=lambda leg: _BEST_FIRST.index(leg.verdict))


def exit_code(obligations: Iterable[Obligation]) -> Exit:
    """The loudest outcome decides; without any obligation nothing is shown."""
    return exit_of(o.verdict for o in obligations)


def exit_of(found: Iterable[Verdict]) -> Exit:
    """The same for verdicts alone."""
    verdicts = set(found)
    if Verdict.DISAGREE in verdicts:
        return Exit.DISAGREE
    if Verdict.REFUTED in verdicts:
        return Exit.REFUTED
    return Exit.HOLDS if verdicts and verdicts <= set(COMPLETE) else Exit.NOT_SHOWN


# --- JSON ------------------------------------------------------------------------------------------------------------

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]


def to_json(obligation: Obligation) -> dict[str, Json]:
    """Plain data with the keys ``name, kind, verdict, method, legs, cases, visited, holds, seconds, citations,
    counterexample``, in this order."""
    example = obligation.counterexample
    return {
        "name": obligation.name,
        "kind": obligation.kind.value,
        "verdict": obligation.verdict.value,
        "method": obligation.method,
        "legs": [_leg_json(leg) for leg in obligation.legs],
        "cases": obligation.cases,
        "visited": obligation.visited,
        "holds": obligation.holds,
        "seconds": obligation.seconds,
        "citations": list(obligation.citations),
        "counterexample": None if example is None else _counterexample_json(example),
    }


def _leg_json(leg: Leg) -> dict[str, Json]:
    return {
        "method": leg.method,
        "verdict": leg.verdict.value,
        "cases": leg.cases,
        "visited": leg.visited,
        "holds": leg.holds,
        "detail": leg.detail,
    }


def _counterexample_json(example: Counterexample) -> dict[str, Json]:
    return {
        "run": None if example.run is None else [_outcome_json(outcome) for outcome in example.run],
        "options": dict(example.options),
        "pack": example.pack,
        "confirmed": example.confirmed,
        "seed": example.seed,
        "deck": None if example.deck is None else list(example.deck),
        "explanation": list(example.explanation),
        "scenario": example.scenario,
    }


def _outcome_json(outcome: Outcome) -> dict[str, Json]:
    match outcome:
        case Choice(verb, arguments):
            return {"verb": verb, "arguments": list(arguments)}
        case Chance(card):
            return {"card": card}
        case Proceed():
            return {"proceed": True}
        case _:
            assert_never(outcome)
