"""The toy game says of itself only what is so, since other test folders rely on it."""

from collections import Counter
from collections.abc import Iterator

from kozel_verify.interpret.evaluate import contents
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, replay
from kozel_verify.interpret.state import Chance, Choice, Outcome, State
from kozel_verify.model.core import Claim as ClaimKind
from kozel_verify.model.core import Example, Lemma, Scenario, StateClaim
from tests.support.toy import DEAL, DEAL_END, LEAD, TURN, toy_game

GAME = toy_game()
TOY = Interpreter(GAME)


def deal_states() -> Iterator[State]:
    """Every state of a first deal."""
    first, _ = TOY.initial()
    seen, todo = {first}, [first]
    while todo:
        state = todo.pop()
        yield state
        for outcome in TOY.outcomes(state) if state.node != DEAL_END else []:
            after, _ = TOY.step(state, outcome)
            if after not in seen:
                seen.add(after)
                todo.append(after)


def test_all_states_of_a_deal() -> None:
    """The first deal has this many states; in each the claims hold, and each witness has its state."""
    invariants = [p for p in GAME.properties if isinstance(p, StateClaim) and p.claim is ClaimKind.INVARIANT]
    witnesses = {p for p in GAME.properties if isinstance(p, StateClaim) and p.claim is ClaimKind.WITNESS}
    states = list(deal_states())
    nodes = Counter(state.node for state in states)
    # By hand: one turn; for each of two trumps 1 + 6 + 15 + 15 * 4 deals under way.
    assert nodes[TURN] == 1 and nodes[DEAL] == 2 * 82
    assert len(states) == 2637
    for state in states:
        assert all(TOY.evaluate(state, p.statement) for p in invariants if state.node in p.nodes)
        assert sum(contents(state, slot).bit_count() for slot in range(7)) == 6
        witnesses = {p for p in witnesses if state.node not in p.nodes or not TOY.evaluate(state, p.statement)}
    assert not witnesses
    assert any(state.node == LEAD for state in states)


def test_the_lemma_and_the_example() -> None:
    """No two cards beat each other under either trump; the ace takes the queen."""
    (lemma,) = [p for p in GAME.properties if isinstance(p, Lemma)]
    (example,) = [p for p in GAME.properties if isinstance(p, Example)]
    first, _ = TOY.initial()
    for trump in (0, 1):
        state = State(first.node, (trump, *first.cells[1:]), first.place)
        assert all(TOY.evaluate(state, lemma.statement, {"x": x, "y": y}) for x in range(6) for y in range(6))
        assert TOY.evaluate(state, example.statement) is True


def test_the_scenario() -> None:
    """The scenario's steps are legal, and what it expects holds at its end."""
    (scenario,) = [p for p in GAME.properties if isinstance(p, Scenario)]
    verbs = {"lead": 0, "discard": 1}
    outcomes: list[Outcome] = []
    for step in scenario.steps:
        if step.kind == "draw":
            outcomes.append(Chance(int(step.arguments[0] or 0)))
        elif step.kind == "choose":
            outcomes.append(Choice(verbs[step.verb], step.arguments))
    play = replay(TOY, outcomes)
    assert play.stopped is Stop.REACHED
    expected = scenario.steps[-1].statement
    assert expected is not None and TOY.evaluate(play.final, expected) is True
