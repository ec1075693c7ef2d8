"""Runs that show violations: found, made smaller, replayed; and none where there is nothing to show."""

import pytest

from kozel_verify.exhaustive.closure import Closure
from kozel_verify.exhaustive.domains import Case, Enumeration, enumerate_lemma
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, replay
from kozel_verify.interpret.state import Chance, Choice, Outcome, State
from kozel_verify.model.core import Bind, Binding, Call, Const, Expr, Game, Lemma, Local, Parameter
from kozel_verify.model.types import BOOL, Value
from kozel_verify.verify.demonstrate import (
    calls_of,
    counterexample,
    explain_matching,
    from_case,
    from_closure,
    from_plays,
)
from kozel_verify.verify.hunt import Found, Probe, hunt, replayed, shrink
from kozel_verify.verify.stacking import Called, Effort, probe_call, run_to_call, tripwire
from kozel_verify.verify.wiring import close_pack, evaluator
from tests.support.toy import ANSWER, CARD, CARDS, nat, op, toy_game
from tests.verify import faults

DEAD = Probe(fault=lambda fault: f"dead {fault.name}" if isinstance(fault, ReachedDead) else None)
UNDEFINED = Probe(fault=lambda fault: str(fault) if isinstance(fault, NotWellDefined) else None)
STUCK = Probe(stuck=True)
SPADES_DEAL = tuple(Chance(card) for card in (0, 0, 1, 3, 4))  # spades are trumps; 6S QS against 6H QH


def both_taken(interpreter: Interpreter, state: State) -> str | None:
    """A false claim: seat 1 never takes four cards."""
    return "four cards taken" if state.place.count(5) == 4 else None


TAKEN = Probe(state=both_taken)


# --- hunting and shrinking -------------------------------------------------------------------------------------------


def test_nothing_found_where_nothing_is_wrong() -> None:
    """The toy reaches no dead clause, no undefined step and no stuck state in fifty matches."""
    interpreter = Interpreter(toy_game())
    for probe in (DEAD, UNDEFINED, STUCK):
        assert from_plays(interpreter, probe, range(50), until="match") is None


def test_planted_dead_clause_is_found_and_shrunk_to_the_least() -> None:
    """Random plays, made smaller, give a run as short as breadth-first search proves possible; both replay."""
    interpreter = Interpreter(faults.card_kept())
    closure: Closure[Outcome] = close_pack(interpreter, 10_000)
    least = from_closure(interpreter, closure, "dead unequal_hands", DEAD)
    found = from_plays(interpreter, DEAD, range(30))
    assert least is not None and found is not None
    assert found.text == least.text == "dead unequal_hands"
    assert len(found.run) == len(least.run) == 7
    assert replay(interpreter, found.run).stopped is Stop.FAULT


def test_undefined_and_stuck_states_are_found() -> None:
    """A step without a value and a menu without a choice are seen after the five cards of the deal."""
    undefined = from_plays(Interpreter(faults.deals_again()), UNDEFINED, range(3))
    assert undefined is not None and (len(undefined.run), undefined.text) == (5, "`first` found no seat")
    stuck = from_plays(Interpreter(faults.no_lead()), STUCK, range(3))
    assert stuck is not None and (len(stuck.run), stuck.text) == (5, "nothing is legal here")


def test_shrinking_makes_choices_smaller() -> None:
    """What a lead of one card shows as well is not shown with a lead of two."""

    def led(interpreter: Interpreter, state: State) -> str | None:
        return "something is led" if state.node == ANSWER else None

    deal = tuple(Chance(card) for card in (0, 0, 1, 3, 4))
    found = Found((*deal, Choice(0, (0b000011,))), "")
    assert shrink(Interpreter(toy_game()), found, Probe(state=led), 1000).run == (*deal, Choice(0, (0b000001,)))


def test_shrinking_drops_what_follows() -> None:
    """The run ends where the violation is seen first."""
    interpreter = Interpreter(toy_game())
    found = hunt(interpreter, TAKEN, range(20))
    assert found is not None
    longer = (*found.run, interpreter.outcomes(replay(interpreter, found.run).final)[0])
    assert replayed(interpreter, longer, TAKEN) == found
    assert len(shrink(interpreter, Found(longer, ""), TAKEN, 500).run) <= len(found.run)


def test_shrinking_without_budget_keeps_the_run() -> None:
    """No steps to spend: the run stays as it is."""
    interpreter = Interpreter(toy_game())
    found = hunt(interpreter, TAKEN, range(20))
    assert found is not None and shrink(interpreter, found, TAKEN, 0) == found


def test_a_run_that_shows_nothing_is_refused() -> None:
    """Negative control for replaying: illegal outcomes and clean runs are not violations."""
    interpreter = Interpreter(toy_game())
    assert replayed(interpreter, (Chance(0), Choice(0, (1,))), TAKEN) is None
    assert replayed(interpreter, SPADES_DEAL, TAKEN) is None
    with pytest.raises(ValueError, match="does not replay"):
        shrink(interpreter, Found((Chance(0),), ""), TAKEN, 10)


def test_hunt_is_deterministic_and_ends_at_the_violation() -> None:
    """The same seeds give the same run; the violation is in its last state and in none before."""
    interpreter = Interpreter(toy_game())
    first, second = (hunt(interpreter, TAKEN, range(20)) for _ in range(2))
    assert first is not None and first == second
    seen = [both_taken(interpreter, s) is not None for s in replay(interpreter, first.run).states]
    assert seen == [False] * len(first.run) + [True]


# --- calls with given arguments --------------------------------------------------------------------------------------


def test_tripwire_changes_nothing_but_the_call() -> None:
    """With a wire on a call that the toy never makes, the closure is the toy's; with one that it makes, it trips."""
    never = tripwire(toy_game(), Called("captures", (0b001010, 0b010001)))
    assert close_pack(Interpreter(never), 10_000).states == 2637
    made = tripwire(toy_game(), Called("captures", (0b010000, 0b000001)))
    assert "well_defined" in close_pack(Interpreter(made), 10_000).violations


def test_tripwire_minds_the_cells() -> None:
    """A wire on the call under hearts does not trip while spades are trumps."""
    for trump, trips in ((0, True), (1, False)):
        wired = Interpreter(tripwire(toy_game(), Called("captures", (0b001000, 0b000001), {("trump", 0): trump})))
        found = replayed(wired, (*SPADES_DEAL, Choice(0, (0b1,))), probe_call())
        assert (found is not None) is trips


@pytest.mark.parametrize("trump", [0, 1])
def test_deck_is_stacked_for_a_call(trump: int) -> None:
    """Two hearts against two spades, with the trump wanted: dealt, led and asked in the fewest steps."""
    run = run_to_call(toy_game(), {}, Called("captures", (0b110000, 0b000011), {("trump", 0): trump}), seed=1)
    assert run is not None and len(run) == 6
    assert run[5] == Choice(0, (0b000011,))
    state = replay(Interpreter(toy_game()), run).final
    assert state.cells[0] == trump and state.place.count(1 + (state.cells[1] == 0)) == 2


def test_impossible_call_is_not_shown() -> None:
    """Cards of two suits are never led, so no play asks whether they are beaten: no run is made up."""
    call = Called("captures", (0b001010, 0b010001))
    assert run_to_call(toy_game(), {}, call, seed=1, effort=Effort(deals=1, plays=30)) is None


def test_call_in_an_effect_is_found_by_plays() -> None:
    """A call in a step, about the cards that a seat has taken, is met in random plays, the step included."""
    interpreter = Interpreter(toy_game())
    run = run_to_call(toy_game(), {}, Called("points", (0b111001,)), seed=1)
    assert run is not None
    last = replay(interpreter, run)
    assert last.stopped is Stop.REACHED and 0b111001 in (taken(last.final, 5), taken(last.final, 6))


def taken(state: State, slot: int) -> int:
    return sum(1 << card for card, place in enumerate(state.place) if place == slot)


# --- lemmas ----------------------------------------------------------------------------------------------------------


def each_beats_something() -> Lemma:
    """A capturing pair has no idle card: true of a matching, false when one card may beat two."""
    x, y, g, r = Local("x", CARD), Local("y", CARD), Local("g", CARDS), Local("r", CARDS)
    rest: Expr = op("without", Const(0b111111, CARDS), g, type=CARDS)
    group = Parameter("g", "", Const(0b111111, CARDS), nat(2), nat(2), CARDS)
    reply = Parameter("r", "", rest, nat(2), nat(2), CARDS)
    some = Bind(Binding.SOME, "y", g, Call("beats", (x, y), BOOL), BOOL)
    every = Bind(Binding.EVERY, "x", r, some, BOOL)
    return Lemma("each_beats", (group, reply), op("implies", Call("captures", (r, g), BOOL), every))


def first_case(game: Game) -> Case | None:
    result = enumerate_lemma(game, each_beats_something(), evaluator(game), 10_000)
    assert isinstance(result, Enumeration)
    return result.counterexample


def test_lemma_holds_without_the_fault() -> None:
    """The lemma used below is true of the toy."""
    assert first_case(toy_game()) is None


def test_counterexample_about_values_becomes_a_play() -> None:
    """With the covering fault: 6S QS are led, and A♠ with an idle card is accepted by the game itself."""
    game = faults.covering()
    case = first_case(game)
    assert case is not None
    assert case.arguments == {"g": 0b000011, "r": 0b001100}
    shown = from_case(game, each_beats_something(), case, seed=1)
    assert shown is not None
    assert shown.call == Called("captures", (0b001100, 0b000011), {("trump", 0): 0})
    assert (shown.value, shown.answered, len(shown.run)) == (True, True, 7)
    assert shown.run[5:] == (Choice(0, (0b000011,)), Choice(0, (0b001100,)))
    assert replay(Interpreter(game), shown.run).stopped is Stop.REACHED


def test_a_true_case_is_not_shown() -> None:
    """Negative control: arguments for which the lemma holds give no play, though the game makes the call."""
    case = Case({"ruffing": True}, {("trump", 0): 0}, {"g": 0b000011, "r": 0b001100}, "")
    assert from_case(toy_game(), each_beats_something(), case, seed=1) is None


def test_calls_of_a_lemma() -> None:
    """Calls on parameters and constants are taken with their values; calls on bound variables are not."""
    arguments: dict[str, Value] = {"g": 3, "r": 12}
    calls = list(calls_of(each_beats_something(), Case({}, {}, arguments, "")))
    assert calls == [Called("captures", (12, 3), {})]


# --- for people ------------------------------------------------------------------------------------------------------


def test_counterexample_is_confirmed_by_replay() -> None:
    """The record has the run cut at the violation, its text first, and the scenario; a clean run is not confirmed."""
    interpreter = Interpreter(faults.no_lead())
    record = counterexample(interpreter, Found(SPADES_DEAL, ""), STUCK, title="stuck", explanation=["why"])
    assert record.confirmed and record.run == SPADES_DEAL
    assert record.explanation == ("nothing is legal here", "why")
    assert record.options == {"ruffing": True}
    assert record.scenario.startswith('scenario "stuck" {\n  draw 6♠\n')
    clean = counterexample(Interpreter(toy_game()), Found(SPADES_DEAL, "was seen"), STUCK, title="stuck")
    assert not clean.confirmed and clean.scenario == ""


NAMES = ["a", "b", "c", "d", "e"]


def explained(relation: dict[int, str]) -> tuple[str, ...]:
    targets = sorted(relation)
    return explain_matching(
        targets,
        range(5),
        lambda reply, target: NAMES[reply] in relation[target],
        lambda n: f"T{n}" if n > 9 else NAMES[n],
    )


def test_target_that_nothing_answers() -> None:
    """One target without any reply is the whole reason."""
    assert explained({10: "ab", 11: ""}) == ("no card of the reply answers T11",)


def test_smallest_crowd_is_named() -> None:
    """Of four targets two share one reply: only these are named, with what answers them."""
    assert explained({10: "abc", 11: "d", 12: "ab", 13: "d"}) == (
        "T11 is answered by d",
        "T13 is answered by d",
        "T11 and T13 share d: 2 cards, 1 to answer them",
    )


def test_crowd_of_three() -> None:
    """Three targets with two replies between them, though each pair has enough."""
    assert explained({10: "ab", 11: "bc", 12: "ab", 13: "ab"}) == (
        "T10 is answered by a and b",
        "T12 is answered by a and b",
        "T13 is answered by a and b",
        "T10, T12 and T13 share a and b: 3 cards, 2 to answer them",
    )


def test_no_reason_where_there_is_a_matching() -> None:
    """Negative control: with a matching there is nothing to explain."""
    assert explained({10: "ab", 11: "bc", 12: "ac"}) == ()
