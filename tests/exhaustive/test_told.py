"""What a step shows to each seat: the fast machine and the masks of an edge say what the reference's events say."""

from dataclasses import replace
from pathlib import Path

import pytest

from kozel_verify.exhaustive.machine import FastMachine
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.view import revealed_to
from kozel_verify.model.core import Apply, Const, Game, Revealed, StepClaim
from kozel_verify.model.load import load
from kozel_verify.model.types import BOOL, CardType, SeatType, SetType
from kozel_verify.verify.confirm import fast_outcome

TESTS = Path(__file__).parents[1]
SPECS = [
    TESTS.parent / "spec" / "kozel_shokha.kozel",
    TESTS / "specs" / "good" / "everything.kozel",
    TESTS.parent / "spec" / "kozel_prikup.kozel",
    TESTS.parent / "spec" / "kozel_pairs.kozel",
]


def asking(game: Game) -> Game:
    """The game with a claim that asks what a step shows: without one the machine does not keep it."""
    shown = Revealed(Const(0, SeatType(game.seats)), SetType(CardType(len(game.deck))))
    nothing = StepClaim("shows", (0,), "", (), (0,), Apply("==", (shown, shown), BOOL))
    return replace(game, properties=(nothing,))


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.stem)
def test_the_fast_machine_shows_what_the_reference_shows(path: Path) -> None:
    """In every step of some plays each seat is shown the same cards; something is shown, and not the same to all."""
    game = asking(load(path).game)
    interpreter = Interpreter(game)
    machine = FastMachine(game, interpreter.options)
    differing = 0
    for seed in range(3):
        for step in random_play(interpreter, seed, until="match", limit=600).steps:
            before = machine.position(step.before.node, step.before.cells, step.before.place)
            told = revealed_to(step.events, game.seats)
            assert machine.step(before, fast_outcome(step.outcome))[1] == told
            differing += len(set(told)) > 1
    assert differing > 10


def test_a_machine_that_tells_the_target_only_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that leave an open zone are shown too: a machine that forgets it does not agree with the reference."""
    from kozel_verify.exhaustive import machine_edges

    looks = machine_edges.Edges._looks
    monkeypatch.setattr(
        machine_edges.Edges, "_looks", lambda self, at, zone: looks(self, at, zone) if at == "t" else []
    )
    with pytest.raises(AssertionError):
        test_the_fast_machine_shows_what_the_reference_shows(SPECS[0])


def test_nothing_is_kept_where_no_claim_asks() -> None:
    """The machine of a game without such a claim says nothing of what is shown."""
    game = replace(load(SPECS[0]).game, properties=())
    machine = FastMachine(game, Interpreter(game).options)
    first = machine.initial()
    assert machine.step(first, machine.outcomes(first)[0])[1] == ()
