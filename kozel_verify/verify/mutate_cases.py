"""A case of a lemma, evaluated by the interpreter: does the lemma hold there, and if not, why. No play is sought."""

from kozel_verify.exhaustive.domains import Case, cells_with
from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import OUTSIDE, Game, Lemma
from kozel_verify.verify.explain import Explainer
from kozel_verify.verify.scenario_text import cells_text
from kozel_verify.verify.subject import Subject


def evaluated(game: Game, lemma: Lemma, case: Case) -> bool:
    state = State(0, cells_with(game, case.cells), (OUTSIDE,) * len(game.deck))
    try:
        return bool(Interpreter(game, case.options).evaluate(state, lemma.statement, case.arguments))
    except NotWellDefined:
        return False


def case_lines(subject: Subject, lemma: Lemma, case: Case) -> list[str]:
    """The failing case, and why the statement is false there."""
    game = subject.game
    state = State(0, cells_with(game, case.cells), (OUTSIDE,) * len(game.deck))
    named = [f"{p.name} = {value_text(game, case.arguments[p.name], p.type)}" for p in lemma.parameters]
    named += cells_text(game, case.cells)
    explainer = Explainer(Interpreter(game, case.options), subject.spec.program.files)
    return [", ".join(named), *explainer.why(state, lemma.statement, case.arguments)]
