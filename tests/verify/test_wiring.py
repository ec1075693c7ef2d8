"""The closure of the toy, by the interpreter: literal counts, and each planted fault found by a shortest run."""

from collections.abc import Callable

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, random_play, replay
from kozel_verify.model.core import Game, StateClaim
from kozel_verify.verify.wiring import Remembered, close_pack
from tests.support.toy import ANSWER, DEAL, DEAL_END, LEAD, TURN, toy_game
from tests.verify import faults

BOTH = pytest.mark.parametrize("reference", [True, False], ids=["by the interpreter", "by the fast machine"])


@BOTH
def test_toy_closes_clean(reference: bool) -> None:
    """One deal of the toy has 2637 states; nothing is violated, and no deal takes more than 9 steps."""
    closure = close_pack(Interpreter(toy_game()), 10_000, reference=reference)
    assert closure.complete and closure.violations == {}
    assert (closure.states, closure.transitions, closure.longest) == (2637, 3972, 9)
    assert closure.by_node == {TURN: 1, DEAL: 164, LEAD: 900, ANSWER: 1152, DEAL_END: 420}


def test_states_of_the_deal_by_hand() -> None:
    """Two trumps, and 0 to 3 cards dealt, two to the first seat and then one to the second: 1 + 6 + 15 + 15·4 each."""
    closure = close_pack(Interpreter(toy_game()), 10_000)
    assert closure.by_node[DEAL] == 2 * (1 + 6 + 15 + 15 * 4)


def test_witness_run_replays_to_its_claim() -> None:
    """The run stored for the witness leads to a state in which its statement holds."""
    interpreter = Interpreter(toy_game())
    run = close_pack(interpreter, 10_000).witnesses["score_of_both"]
    assert run is not None
    play = replay(interpreter, run)
    claim = next(p for p in toy_game().properties if isinstance(p, StateClaim) and p.name == "score_of_both")
    assert play.stopped is Stop.REACHED and play.final.node == DEAL_END
    assert interpreter.evaluate(play.final, claim.statement) is True


@BOTH
@pytest.mark.parametrize(
    ("game", "name", "steps"),
    [
        (faults.card_kept, "dead unequal_hands", 7),
        (faults.deals_again, "well_defined", 5),
        (faults.no_lead, "never_stuck", 5),
        (faults.open_hands, "hands", 2),
        (faults.idle_measure, "progress", 1),
    ],
)
def test_planted_faults_are_found(game: Callable[[], Game], name: str, steps: int, reference: bool) -> None:
    """Negative controls: each fault is reported under its own name, with the least number of steps."""
    closure = close_pack(Interpreter(game()), 10_000, reference=reference)
    assert {n: len(v.run) for n, v in closure.violations.items()} == {name: steps}


def test_a_match_has_more_states_than_a_deal() -> None:
    """With the match as episode play goes on behind the end of a deal; the limit makes that incomplete, and says so."""
    closure = close_pack(Interpreter(toy_game()), 4_000, "match")
    assert (closure.complete, closure.states, closure.longest) == (False, 4_000, None)


def test_remembered_values_are_the_interpreters(monkeypatch: pytest.MonkeyPatch) -> None:
    """On every state of ten matches every claim has the value that the interpreter gives, also after forgetting."""
    monkeypatch.setattr(Remembered, "ROOM", 3)
    game = toy_game()
    interpreter = Interpreter(game)
    statements = [p.statement for p in game.properties if isinstance(p, StateClaim)]
    remembered = [Remembered(interpreter, s) for s in statements]
    for seed in range(10):
        for state in random_play(interpreter, seed, until="match").states:
            for statement, value in zip(statements, remembered, strict=True):
                assert value(state) == interpreter.evaluate(state, statement)
