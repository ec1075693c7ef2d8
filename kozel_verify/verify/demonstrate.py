"""From a violation to something that a card player can follow: a run from a deal which the interpreter has replayed.

In go a game, options and what was found to fail; out come runs, the scenario that prints one, and the reason why a
group is not answered. A result that is not ``None`` was replayed here, in the real game, and showed the violation; that
none was found shows nothing.

Three ways lead to a run: the closure of a small pack has stored one (``from_closure``), random plays meet one
(``from_plays``), or a counterexample about values is dealt and played until the game evaluates the call in question
(``from_case``). All are bounded by numbers of plays and steps.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from kozel_verify.exhaustive.closure import Closure
from kozel_verify.exhaustive.domains import Case
from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, replay
from kozel_verify.interpret.state import Outcome, State
from kozel_verify.model.core import Call, Const, Expr, Game, Lemma, Local
from kozel_verify.model.types import Value
from kozel_verify.model.walk import subexpressions
from kozel_verify.verify.findings import Counterexample
from kozel_verify.verify.hunt import Found, Probe, hunt, replayed, shrink
from kozel_verify.verify.scenario_text import call_text, scenario_text, stacked_deck
from kozel_verify.verify.stacking import Called, Effort, cards_in_call, cards_in_choice, run_to_call

SHRINK_STEPS = 5_000


@dataclass(frozen=True, slots=True)
class Shown:
    """A call of the game that breaks a lemma. ``run`` leads to where the game evaluates it (``answered``: and ends with
    the choice that it makes legal); ``value`` is what the game makes of it."""

    run: tuple[Outcome, ...]
    call: Called
    value: Value
    answered: bool


# --- state claims ----------------------------------------------------------------------------------------------------


def from_closure(interpreter: Interpreter, closure: Closure[Outcome], name: str, probe: Probe) -> Found | None:
    """The shortest run to the violation ``name``, if the closure found one and it replays."""
    violation = closure.violations.get(name)
    return None if violation is None else replayed(interpreter, violation.run, probe)


def from_plays(
    interpreter: Interpreter,
    probe: Probe,
    seeds: Iterable[int],
    *,
    until: Literal["deal", "match"] = "deal",
    budget: int = SHRINK_STEPS,
) -> Found | None:
    """The shortest violating run among random plays, made smaller with ``budget`` steps."""
    found = hunt(interpreter, probe, seeds, until=until)
    return None if found is None else shrink(interpreter, found, probe, budget)


# --- values ----------------------------------------------------------------------------------------------------------


def from_case(game: Game, lemma: Lemma, case: Case, seed: int, effort: Effort | None = None) -> Shown | None:
    """A run in which the game evaluates a call that the failing case of ``lemma`` is about, in a state in which the
    lemma fails for those very arguments. The lemma's calls are tried in the order in which it is written."""
    interpreter = Interpreter(game, case.options)
    for call in calls_of(lemma, case):
        run = run_to_call(game, case.options, call, seed, effort)
        if run is None:
            continue
        play = replay(interpreter, run)
        for state in reversed(play.states[-2:]):
            if fails(interpreter, state, lemma, case.arguments):
                value = _value(interpreter, state, call)
                answer = _answer(interpreter, play, call)
                return Shown(run if answer is None else (*run, answer), call, value, answer is not None)
    return None


def calls_of(lemma: Lemma, case: Case) -> Iterator[Called]:
    """The calls in the lemma's statement whose arguments are its parameters or constants, with the case's values."""
    seen: set[tuple[str, tuple[Value, ...]]] = set()
    for expr in subexpressions(lemma.statement):
        if isinstance(expr, Call):
            arguments = _given(expr.args, case.arguments)
            if arguments is not None and (expr.function, arguments) not in seen:
                seen.add((expr.function, arguments))
                yield Called(expr.function, arguments, case.cells)


def _given(arguments: Sequence[Expr], values: Mapping[str, Value]) -> tuple[Value, ...] | None:
    found: list[Value] = []
    for argument in arguments:
        match argument:
            case Local(name) if name in values:
                found.append(values[name])
            case Const(value):
                found.append(value)
            case _:
                return None
    return tuple(found)


def fails(interpreter: Interpreter, state: State, lemma: Lemma, arguments: Mapping[str, Value]) -> bool:
    """Is the lemma false (or without a value) for these arguments, with the cells as they are in this state?"""
    try:
        return not interpreter.evaluate(state, lemma.statement, arguments)
    except NotWellDefined:
        return True


def _value(interpreter: Interpreter, state: State, call: Called) -> Value:
    function = interpreter.game.functions[call.function]
    names = {p.name: a for p, a in zip(function.parameters, call.arguments, strict=True)}
    try:
        return interpreter.evaluate(state, function.body, names)
    except NotWellDefined:
        return None


def _answer(interpreter: Interpreter, play: Play, call: Called) -> Outcome | None:
    """The first choice that names cards of the call which no choice of the play has named."""
    named = {m for step in play.steps for m in cards_in_choice(interpreter.node(step.before), step.outcome)}
    wanted = set(cards_in_call(interpreter.game, call)) - named
    try:
        outcomes = interpreter.outcomes(play.final)
    except NotWellDefined:
        return None
    node = interpreter.node(play.final)
    return next((o for o in outcomes if wanted & set(cards_in_choice(node, o))), None)


# --- for people ------------------------------------------------------------------------------------------------------


def counterexample(
    interpreter: Interpreter,
    found: Found,
    probe: Probe,
    *,
    title: str,
    expect: Sequence[str] = (),
    last: str = "",
    explanation: Sequence[str] = (),
) -> Counterexample:
    """The record of a run. ``confirmed`` says whether it replays to a violation now; only then is there a scenario."""
    confirmed = replayed(interpreter, found.run, probe)
    game, options = interpreter.game, dict(interpreter.options)
    if confirmed is None:
        return Counterexample(found.run, options, game.pack_name, False, explanation=(found.text, *explanation))
    return Counterexample(
        run=confirmed.run,
        options=options,
        pack=game.pack_name,
        confirmed=True,
        deck=stacked_deck(interpreter, replay(interpreter, confirmed.run)),
        explanation=(confirmed.text, *explanation),
        scenario=scenario_text(game, options, confirmed.run, title=title, expect=expect, last=last),
    )


def explain_matching(
    targets: Sequence[int],
    replies: Sequence[int],
    answers: Callable[[int, int], bool],
    name: Callable[[int], str],
) -> tuple[str, ...]:
    """Why no matching gives each target a reply of its own: a smallest set of targets that share too few replies.

    ``answers(reply, target)`` is the relation, ``name`` the name of a card. Empty when there is a matching. By Hall's
    theorem such a set exists exactly when there is none.
    """
    neighbours = {t: [r for r in replies if answers(r, t)] for t in targets}
    for size in range(1, len(targets) + 1):
        for group in combinations(targets, size):
            shared = [r for r in replies if any(r in neighbours[t] for t in group)]
            if len(shared) < size:
                return _explained(group, shared, neighbours, name)
    return ()


def _explained(
    group: Sequence[int], shared: Sequence[int], neighbours: Mapping[int, Sequence[int]], name: Callable[[int], str]
) -> tuple[str, ...]:
    if not shared:
        return (f"no card of the reply answers {name(group[0])}",)
    lines = [f"{name(t)} is answered by {_listed([name(r) for r in neighbours[t]])}" for t in group]
    alone = f"{_listed([name(t) for t in group])} share {_listed([name(r) for r in shared])}"
    return (*lines, f"{alone}: {len(group)} cards, {len(shared)} to answer them")


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


__all__ = [
    "Shown",
    "call_text",
    "calls_of",
    "counterexample",
    "explain_matching",
    "fails",
    "from_case",
    "from_closure",
    "from_plays",
    "scenario_text",
]
