"""The examples and scenarios of a spec, evaluated by the reference interpreter.

In go a game, and the texts of its files for quoting; out comes for each of them whether it holds, and if not, why. An
``example`` is evaluated in a state made from its ``given`` alone: cells and options that it does not name have their
initial and default values, and cards that it does not place lie in the first zone. Trusted is the interpreter.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Example, Game, Scenario
from kozel_verify.verify.explain import Explainer
from kozel_verify.verify.findings import Kind
from kozel_verify.verify.given import NoSuchState, interpreter_for, state_of
from kozel_verify.verify.scenarios import replay_scenario


@dataclass(frozen=True, slots=True)
class Tried:
    """One example or scenario. ``at`` is the place of the statement or step that fails, else of the whole;
    ``explanation`` is empty exactly when it holds."""

    name: str
    kind: Kind
    span: Span
    holds: bool
    at: Span
    explanation: tuple[str, ...]


def try_example(game: Game, example: Example, texts: Mapping[str, str]) -> Tried:
    """Evaluate one example."""
    at, why = example.span, list[str]()
    try:
        interpreter = interpreter_for(game, example.given, example.span)
        state = state_of(interpreter, example.given)
        if not interpreter.evaluate(state, example.statement):
            why = Explainer(interpreter, texts).why(state, example.statement) or ["it does not hold"]
    except NoSuchState as wrong:
        at, why = wrong.span, [wrong.message]
    except NotWellDefined as missing:
        at, why = missing.span, [f"it has no value: {missing.message}"]
    return Tried(example.name, Kind.EXAMPLE, example.span, not why, at, tuple(why))


def try_scenario(game: Game, scenario: Scenario, texts: Mapping[str, str]) -> Tried:
    """Replay one scenario."""
    failure = replay_scenario(game, scenario, texts)
    if failure is None:
        return Tried(scenario.name, Kind.SCENARIO, scenario.span, True, scenario.span, ())
    why = failure.lines or ("it does not hold",)
    return Tried(scenario.name, Kind.SCENARIO, scenario.span, False, failure.span, why)


def written_out(game: Game) -> list[Example | Scenario]:
    """What a spec has of both, in its order."""
    return [p for p in game.properties if isinstance(p, Example | Scenario)]


def try_one(game: Game, item: Example | Scenario, texts: Mapping[str, str]) -> Tried:
    if isinstance(item, Example):
        return try_example(game, item, texts)
    return try_scenario(game, item, texts)
