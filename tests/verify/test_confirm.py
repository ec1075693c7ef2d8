"""A closure by the fast machine is the reference's closure, and what it reports is replayed."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kozel_verify.exhaustive.closure import Closure, Violation
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.exhaustive.machine_code import OPERATIONS
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, Outcome, Proceed, State
from kozel_verify.model.core import Announce, Const, Game
from kozel_verify.verify.confirm import Disagreement, confirmed, outcome_of
from kozel_verify.verify.wiring import FAULTS, Job, checks_of, close_all, close_pack
from tests.support.toy import DEAL_END, SEAT, SEATS, op, toy_game
from tests.verify import faults


def bad_start() -> Game:
    """The first block tells a value that there is not."""
    game = toy_game()
    told = Announce(op("only", Const(0, SEATS), type=SEAT), Const(0b11, SEATS), "")
    return replace(game, blocks=(replace(game.blocks[0], effects=(told,)), *game.blocks[1:]))


@pytest.mark.parametrize("ruffing", [False, True])
def test_both_closures_of_the_toy_are_equal(ruffing: bool) -> None:
    """States, transitions, states by node, depth, longest run, runs to witnesses: all are equal."""
    interpreter = Interpreter(toy_game(), {"ruffing": ruffing})
    assert close_pack(interpreter, 10_000) == close_pack(interpreter, 10_000, reference=True)


@pytest.mark.parametrize(
    "game",
    [
        faults.card_kept,
        faults.deals_again,
        faults.no_lead,
        faults.open_hands,
        faults.idle_measure,
        bad_start,
    ],
)
def test_both_closures_of_a_fault_are_equal(game: Callable[[], Game]) -> None:
    """Also the violations: name, run, node and the words for it."""
    interpreter = Interpreter(game())
    closure = close_pack(interpreter, 10_000)
    assert closure.violations != {}
    assert closure == close_pack(interpreter, 10_000, reference=True)


def test_an_incomplete_closure_is_equal() -> None:
    """Both stop at the same state when there are too many."""
    interpreter = Interpreter(toy_game())
    assert close_pack(interpreter, 500, "match") == close_pack(interpreter, 500, "match", reference=True)


def test_a_wrong_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: a violation that comes from a wrongly compiled operator is not reported as one of the spec."""
    monkeypatch.setitem(OPERATIONS, "==", lambda a, b: f"({a} < {b})")
    with pytest.raises(Disagreement, match=r"does not show it|cannot be replayed"):
        close_pack(Interpreter(toy_game()), 10_000)


DEAL = tuple((-1, (card,)) for card in (3, 4, 5, 0, 1))  # a deal of the toy, in the fast machine's outcomes
TWO_HEARTS: FastOutcome = (0, (0b110000,))


def reported(*violations: Violation[FastOutcome], run: tuple[FastOutcome, ...] | None = None) -> Closure[FastOutcome]:
    """A closure that says these violations and this run to the toy's witness."""
    found = {violation.name: violation for violation in violations}
    return Closure(True, 0, 0, {}, 0, 0, False, found, {"score_of_both": run})


def confirm(closure: Closure[FastOutcome], game: Game | None = None) -> Closure[Outcome]:
    interpreter = Interpreter(game or toy_game())
    return confirmed(interpreter, checks_of(interpreter), FAULTS, closure)


@pytest.mark.parametrize(
    "violation",
    [
        Violation("equal_hands", DEAL, 2, ""),
        Violation("hands", DEAL, 2, ""),
        Violation("progress", (*DEAL, TWO_HEARTS), 2, ""),
        Violation("well_defined", DEAL, 2, ""),
        Violation("well_defined", (), -1, ""),
        Violation("dead unequal_hands", (*DEAL, TWO_HEARTS), 2, ""),
        Violation("never_stuck", DEAL, 2, ""),
        Violation("equal_hands", (*DEAL, (0, (0b000001,))), 3, ""),
    ],
)
def test_a_false_violation_is_refused(violation: Violation[FastOutcome]) -> None:
    """Negative control: none of these is violated in the toy, or its run is not one of the toy."""
    with pytest.raises(Disagreement):
        confirm(reported(violation))


def test_a_false_witness_is_refused() -> None:
    """Negative control: a run to a state in which the witness does not hold."""
    with pytest.raises(Disagreement):
        confirm(reported(run=DEAL))


def test_outcomes_become_the_interpreters() -> None:
    """Draws, choices and the end of a deal in a confirmed run are the interpreter's outcomes."""
    violation = Violation("dead unequal_hands", (*DEAL, TWO_HEARTS, (1, (0b000011,))), 3, "")
    run = confirm(reported(violation), faults.card_kept()).violations["dead unequal_hands"].run
    assert run == (*(Chance(c) for c in (3, 4, 5, 0, 1)), Choice(0, (0b110000,)), Choice(1, (0b000011,)))
    end = State(DEAL_END, (), ())
    assert outcome_of(Interpreter(toy_game()), end, (-2, ())) == Proceed()


def test_jobs_in_processes_keep_their_order() -> None:
    """Closures of several games and options, made by two processes, are those made one after the other."""
    jobs = [Job(toy_game(), {"ruffing": ruffing}, 10_000) for ruffing in (True, False)]
    jobs.append(Job(faults.no_lead(), {}, 10_000))
    closures = close_all(jobs, processes=2)
    assert closures == close_all(jobs)
    assert [c.states for c in closures] == [2637, 1953, 345]
