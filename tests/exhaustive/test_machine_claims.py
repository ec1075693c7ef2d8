"""Claims about steps and menus: the fast machine says in every state and of every step what the reference says."""

from collections.abc import Iterator

import pytest

from kozel_verify.exhaustive import machine_expressions
from kozel_verify.exhaustive.closure import StateCheck, StepCheck
from kozel_verify.exhaustive.machine import FastMachine, Position
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.interpret.menus import decided
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, random_play
from kozel_verify.interpret.state import Outcome, State
from kozel_verify.model.core import Game, MenuClaim
from kozel_verify.model.load import load_text
from kozel_verify.model.operators import Undefined
from kozel_verify.verify.confirm import fast_outcome
from kozel_verify.verify.wiring import checks_of
from tests.model.frame import text

ROUND = """gather pack into stock
for each s in Seat { draw 3 from stock to hand[s] }
for each s in Seat clockwise from seat 2 {
  ask s to turn {
    may take(g : 1..2 of hand[s], n in 1..2) when 6♠ not in g { move g from hand[s] to open_cards }
    may give(c in hand[s], t in Seat) when t != s { move {c} from hand[s] to hand[t] }
    may pass { }
  }
}"""
RIGHT = """step moved from turn by take(h, k) to turn : old(s) != s and open_cards == (old(open_cards) union h)
step grows from turn : old(open_cards) within open_cards
step every_hand from turn by take(h, k) : every t in Seat : hand[t] within old(hand[t]) and (k > 2 or h within pack)
step given_away from turn by give(c, t) to turn : c in hand[t] and c in old(hand[left(t)])
step drawn from draw to turn : |old(stock)| == |stock| + 1 and |hand[seat 2]| == 3
menu takes at turn : take(g, n) when g within hand[s] and |g| in 1..2 and 6♠ not in g
menu takes_loose at turn : take(g, n) when (every c in g : c in hand[s]) and |g| in 1..2 and 6♠ not in g
menu gives at turn : give(c, t) when t in all without {s} and c in hand[s]
menu passes at turn : pass when true"""
WRONG = """step w1 from turn by take(h, k) to turn : |h| == 1
step w2 from turn to finish : |old(open_cards)| == |open_cards|
step w3 from turn by take(h, k) to turn : only(old(hand[s]) without h) == 6♠
step w4 from turn by give(c, t) : c in old(hand[t])
menu w5 at turn : take(g, n) when g within hand[s] and |g| in 1..2
menu w6 at turn : take(g, n) when |g| in 1..2 and 6♠ not in g and g within hand[s] and 10♠ not in g
menu w7 at turn : take(g, n) when (every c in g : c in hand[s]) and |g| in 1..2 and 6♠ not in g and n > 1
menu w8 at turn : take(g, n) when (every c in g : c in hand[s]) and |g| in 0..2 and 6♠ not in g
menu w9 at turn : take(g, n) when g within hand[s] and only(g) != 6♠
menu w10 at turn : give(c, t) when c in hand[s]
menu w11 at turn : pass when 6♠ not in hand[s]"""
LARGE = "ranks 6, 7, 8, 9, 10, J, A"


def claimed(large: bool) -> Game:
    spec = text(f"{RIGHT}\n{WRONG}", ROUND)
    return load_text(spec.replace("ranks 6, 10, A", LARGE) if large else spec).game


def answers(game: Game, plays: range) -> Iterator[tuple[str, bool | None, bool | None]]:
    """For each check and each state or step of some plays: its name, what the reference says, what the machine says
    (``None``: it has no value)."""
    for seed in plays:
        interpreter = Interpreter(game)
        play = random_play(interpreter, seed)
        machine = FastMachine(game, interpreter.options)
        positions = [machine.position(s.node, s.cells, s.place) for s in play.states]
        for ours, fast in zip(checks_of(interpreter), machine.checks(), strict=True):
            assert ours.name == fast.name
            if isinstance(ours, StateCheck) and isinstance(fast, StateCheck):
                assert ours.nodes == fast.nodes
                for state, position in zip(play.states, positions, strict=True):
                    if ours.nodes is None or state.node in ours.nodes:
                        yield ours.name, said(ours.holds, state), said(fast.holds, position)
            elif isinstance(ours, StepCheck) and isinstance(fast, StepCheck):
                yield from of_steps(ours, fast, play, positions)


def of_steps(
    ours: StepCheck[State, Outcome], fast: StepCheck[Position, FastOutcome], play: Play, positions: list[Position]
) -> Iterator[tuple[str, bool | None, bool | None]]:
    for n, step in enumerate(play.steps):
        quick = said(fast.holds, positions[n], fast_outcome(step.outcome), (), positions[n + 1])
        yield ours.name, said(ours.holds, step.before, step.outcome, step.events, step.after), quick


def said(holds: object, *arguments: object) -> bool | None:
    assert callable(holds)
    try:
        return bool(holds(*arguments))
    except Undefined:
        return None


@pytest.mark.parametrize("large", [False, True])
def test_the_machine_and_the_reference_agree(large: bool) -> None:
    """In all states and steps of plays on six and on fourteen cards, true claims hold, false ones fail somewhere, and
    both say the same of each. Only a statement without a value is a mismatch to the reference and a fault to the
    machine."""
    game = claimed(large)
    failed: set[str] = set()
    for name, ours, fast in answers(game, range(12)):
        assert bool(ours) == bool(fast), name
        if not ours:
            failed.add(name)
    names = {p.name for p in game.properties}
    assert failed == {name for name in names if name.startswith("w")}


def test_both_ways_to_decide_a_menu_are_taken() -> None:
    """On fourteen cards a bound makes the answer exact, and a claim without one is tried on near misses."""
    game = claimed(large=True)
    interpreter = Interpreter(game)
    state = next(s for s in random_play(interpreter, 1).states if game.nodes[s.node].name == "deal.turn")
    exact = {p.name: decided(interpreter, state, p) for p in game.properties if isinstance(p, MenuClaim)}
    assert exact["takes"] and not exact["takes_loose"] and not exact["w8"] and exact["passes"]


def test_a_state_is_decided_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """States that agree on all that menu and statement read are decided by one call of the generated function."""
    game = claimed(large=False)
    machine = FastMachine(game, {})
    check = next(c for c in machine.checks() if c.name == "takes")
    assert isinstance(check, StateCheck)
    play = random_play(Interpreter(game), 3)
    position = next(p for p in (machine.position(s.node, s.cells, s.place) for s in play.states) if p.node in
                    (check.nodes or ()))  # fmt: skip
    remembered = [f for f in machine._emitter.namespace.values() if hasattr(f, "cache_info")]
    before = sum(f.cache_info().misses for f in remembered)
    assert check.holds(position)
    once = sum(f.cache_info().misses for f in remembered)
    assert check.holds(position)
    assert before < once == sum(f.cache_info().misses for f in remembered)


def test_a_wrong_machine_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: where `old` reads the state after the step, machine and reference part."""
    monkeypatch.setattr(machine_expressions, "earlier", lambda code: code)
    assert any(bool(ours) != bool(fast) for _, ours, fast in answers(claimed(large=False), range(4)))
