"""Menus, checks and steps of the toy game, with literal expectations."""

from dataclasses import replace

import pytest

from kozel_verify.interpret.errors import BadOptions, IllegalChoice, NotWellDefined, Reason
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import (
    Chance,
    Choice,
    Gathered,
    Outcome,
    Proceed,
    State,
)
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Apply,
    Ask,
    Const,
    Local,
    OptionRead,
    Parameter,
    Rest,
    Verb,
)
from kozel_verify.model.types import BOOL, NAT, SetType
from tests.support.toy import (
    ANSWER,
    CARD,
    CARDS,
    DEAL,
    DEAL_END,
    LEAD,
    OVER,
    SEAT,
    SEATS,
    TRUE,
    TURN,
    nat,
    op,
    seat,
    toy_game,
    zone,
)

GAME = toy_game()
TOY = Interpreter(GAME)
HERE = Span("toy", 7, 1, 7, 5)
# Hearts are trumps, seat 1 leads. Stock: 6S QS. Hands: AS 6H (seat 0), QH AH (seat 1).
AT_LEAD = State(LEAD, (1, 1, 0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 1, 1, 2, 2))


def run(outcomes: list[Outcome]) -> State:
    state, _ = TOY.initial()
    for outcome in outcomes:
        state, _ = TOY.step(state, outcome)
    return state


def test_the_beginning() -> None:
    """All cards lie in zone slot 0, cells are initial, and play waits at the first node behind the entry."""
    state, events = TOY.initial()
    assert state == State(TURN, (0,) * 10, (0,) * 6)
    assert events == (Gathered(0),)
    assert TOY.owner(state) is None


def test_cards_outside_of_the_pack_have_no_zone() -> None:
    """A smaller pack leaves the other cards outside, and gathering does not bring them in."""
    toy = Interpreter(replace(GAME, pack=0b011111))
    state, _ = toy.initial()
    assert state.place == (0, 0, 0, 0, 0, -1)
    assert toy.outcomes(state) == [Chance(card) for card in range(5)]


def test_draws_in_ascending_order() -> None:
    """A draw has one outcome for each card of its source."""
    state, _ = TOY.initial()
    assert TOY.outcomes(state) == [Chance(card) for card in range(6)]
    state, _ = TOY.step(state, Chance(3))
    state, _ = TOY.step(state, Chance(1))
    assert TOY.outcomes(state) == [Chance(card) for card in (0, 2, 3, 4, 5)]


def test_a_whole_deal_step_by_step() -> None:
    """Turn 6H, deal QH AH to seat 0 and 6S QS to seat 1; two hearts led, two discarded; 3 + 11 + 3 points."""
    state = run([Chance(3), Chance(4)])
    assert state.cells[:2] == (1, 0) and state.node == DEAL
    assert state.cells[5] == 0b10 and state.cells[6] == 0  # seat 1 remains, seat 0 is dealt to
    state = run([Chance(3), Chance(4), Chance(5), Chance(0), Chance(1)])
    assert state == State(LEAD, (1, 0, 0, 0, 0, 0, 0, 0, 0, 0), (2, 2, 0, 0, 1, 1))
    assert TOY.owner(state) == 0
    state, _ = TOY.step(state, Choice(0, (0b110000,)))
    assert state.node == ANSWER and TOY.owner(state) == 1
    assert TOY.outcomes(state) == [Choice(1, (0b000011,))]
    state, _ = TOY.step(state, Choice(1, (0b000011,)))
    assert state == State(DEAL_END, (1, 0, 17, 0, 0, 0, 0, 0, 0, 0), (5, 5, 0, 0, 5, 5))
    assert [TOY.payoff(state, s) for s in (0, 1)] == [17, -17]
    assert TOY.outcomes(state) == [Proceed()]
    state, events = TOY.step(state, Proceed())
    assert state == State(TURN, (1, 0, 17, 0, 0, 0, 0, 0, 0, 0), (0,) * 6)
    assert events == (Gathered(0),)


def test_the_end() -> None:
    """At an end nothing is legal; the outcome is lost (0), neither (1) or won (2)."""
    state = State(OVER, (1, 0, 21, 8, 0, 0, 0, 0, 0, 0), (0,) * 6)
    assert TOY.outcomes(state) == []
    assert [TOY.outcome(state, s) for s in (0, 1)] == [2, 0]
    tie = replace(state, cells=(1, 0, 21, 21, 0, 0, 0, 0, 0, 0))
    assert [TOY.outcome(tie, s) for s in (0, 1)] == [1, 1]
    with pytest.raises(ValueError, match="over"):
        TOY.outcome(AT_LEAD, 0)
    with pytest.raises(ValueError, match="end"):
        TOY.payoff(AT_LEAD, 0)


def test_menu_order() -> None:
    """Verbs in order, subsets by size and then by ascending cards, filtered by the guard."""
    assert TOY.owner(AT_LEAD) == 1
    assert TOY.outcomes(AT_LEAD) == [Choice(0, (0b010000,)), Choice(0, (0b100000,)), Choice(0, (0b110000,))]
    state, _ = TOY.step(AT_LEAD, Choice(0, (0b010000,)))  # QH led; seat 0 holds AS 6H
    assert TOY.outcomes(state) == [Choice(1, (0b000100,)), Choice(1, (0b001000,))]
    mixed = replace(AT_LEAD, cells=(1, 0, *AT_LEAD.cells[2:]))  # seat 0 leads from AS 6H: no pair of one suit
    assert TOY.outcomes(mixed) == [Choice(0, (0b000100,)), Choice(0, (0b001000,))]
    state, _ = TOY.step(mixed, Choice(0, (0b000100,)))  # AS led; seat 1 may ruff or discard with QH AH
    assert TOY.outcomes(state) == [Choice(v, (card,)) for v in (0, 1) for card in (0b010000, 0b100000)]


def test_the_option_changes_the_menu() -> None:
    """Without ruffing hearts do not take the ace of spades."""
    toy = Interpreter(GAME, {"ruffing": False})
    mixed = replace(AT_LEAD, cells=(1, 0, *AT_LEAD.cells[2:]))
    state, _ = toy.step(mixed, Choice(0, (0b000100,)))
    assert toy.outcomes(state) == [Choice(1, (0b010000,)), Choice(1, (0b100000,))]


def give(guard: Apply | Const = TRUE) -> Interpreter:
    """The toy with a lead of two arguments: a card of seat 0, and none or one of its others."""
    card = Parameter("card", "turned", zone("hand", seat(0)), None, None, CARD)
    other = op("without", zone("hand", seat(0)), op("set", Local("card", CARD), type=CARDS), type=CARDS)
    rest = Parameter("rest", "group", other, nat(0), nat(1), CARDS)
    verb = Verb("give", (card, rest), guard, 12, HERE)
    nodes = list(GAME.nodes)
    nodes[LEAD] = Ask("lead", seat(0), False, (verb,))
    return Interpreter(replace(GAME, nodes=tuple(nodes)))


def test_later_arguments_see_earlier_ones() -> None:
    """The first argument varies slowest; the domain of the second depends on it; an element is an index."""
    assert give().outcomes(AT_LEAD) == [
        Choice(0, (2, 0)),
        Choice(0, (2, 0b001000)),
        Choice(0, (3, 0)),
        Choice(0, (3, 0b000100)),
    ]
    guard = op("!=", Local("rest", CARDS), Const(0, CARDS))
    assert give(guard).outcomes(AT_LEAD) == [Choice(0, (2, 0b001000)), Choice(0, (3, 0b000100))]
    with pytest.raises(IllegalChoice) as caught:
        give().step(AT_LEAD, Choice(0, (2, 0b000100)))  # the card itself is no part of the rest
    assert caught.value.reason is Reason.DOMAIN


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Choice(1, (0b010000,)), Reason.VERB),
        (Choice(-1, (0b010000,)), Reason.VERB),
        (Choice(0, ()), Reason.VERB),
        (Choice(0, (0b010000, 0)), Reason.VERB),
        (Choice(0, (0b000100,)), Reason.DOMAIN),
        (Choice(0, (0b010100,)), Reason.DOMAIN),
        (Choice(0, (None,)), Reason.DOMAIN),
        (Choice(0, (True,)), Reason.DOMAIN),
        (Choice(0, (1 << 6,)), Reason.DOMAIN),
        (Choice(0, (-1,)), Reason.DOMAIN),
        (Choice(0, (0,)), Reason.BOUNDS),
        (Chance(4), Reason.KIND),
        (Proceed(), Reason.KIND),
    ],
)
def test_illegal_choices_say_why(outcome: Outcome, reason: Reason) -> None:
    """An outcome outside of the menu is refused with its reason."""
    assert not TOY.is_legal(AT_LEAD, outcome)
    with pytest.raises(IllegalChoice) as caught:
        TOY.step(AT_LEAD, outcome)
    assert caught.value.reason is reason


def test_too_many_cards() -> None:
    """Three cards of the hand are more than the upper bound."""
    state = replace(AT_LEAD, place=(0, 0, 1, 2, 2, 2))
    with pytest.raises(IllegalChoice, match="3 elements where 1 to 2 are asked") as caught:
        TOY.step(state, Choice(0, (0b111000,)))
    assert caught.value.reason is Reason.BOUNDS


def test_a_false_guard_carries_the_verb() -> None:
    """The refusal of a guard points at the verb's clause and quotes the choice."""
    toy = give(Const(False, BOOL))
    with pytest.raises(IllegalChoice) as caught:
        toy.step(AT_LEAD, Choice(0, (2, 0)))
    assert (caught.value.reason, caught.value.span) == (Reason.GUARD, HERE)
    assert str(caught.value) == "toy:7:1: `give A♠, nothing` does not fulfil the condition of `give`"


def test_draws_and_ends_refuse_what_is_not_theirs() -> None:
    """A draw takes a card of its source only; an end takes nothing."""
    state, _ = TOY.initial()
    assert TOY.is_legal(state, Chance(5))
    for outcome in (Chance(6), Chance(-1), Proceed(), Choice(0, (1,))):
        assert not TOY.is_legal(state, outcome)
    over = State(OVER, AT_LEAD.cells, AT_LEAD.place)
    assert not TOY.is_legal(over, Proceed())


def test_legal_is_what_the_menu_lists() -> None:
    """At a lead, the choices that pass the check are exactly those of the menu, over all masks."""
    menu = TOY.outcomes(AT_LEAD)
    assert [c for c in (Choice(0, (mask,)) for mask in range(64)) if TOY.is_legal(AT_LEAD, c)] == menu


def test_guards_without_a_value_are_faults() -> None:
    """An undefined guard is a fault of the spec, not a refusal."""
    bad = op("==", op("-", nat(0), nat(1), type=NAT), nat(0))
    with pytest.raises(NotWellDefined):
        give(bad).outcomes(AT_LEAD)
    with pytest.raises(NotWellDefined):
        give(bad).is_legal(AT_LEAD, Choice(0, (2, 0)))


def test_a_rest_only_goes_on() -> None:
    """The end of a deal has one outcome."""
    assert isinstance(GAME.nodes[DEAL_END], Rest)
    state = State(DEAL_END, (0, 0, 5, 20, 0, 0, 0, 0, 0, 0), (0,) * 6)
    assert TOY.step(state, Proceed())[0].node == OVER
    assert not TOY.is_legal(state, Chance(0))


# --- options ---------------------------------------------------------------------------------------------------------


def test_options_are_checked() -> None:
    """Unknown names and values outside of the domain are refused; defaults fill the rest."""
    assert TOY.options == {"ruffing": True}
    assert Interpreter(GAME, {"ruffing": False}).options == {"ruffing": False}
    with pytest.raises(BadOptions, match="`toy` has no option `joker`; its options: `ruffing`"):
        Interpreter(GAME, {"joker": True})
    with pytest.raises(BadOptions, match="`ruffing` cannot be"):
        Interpreter(GAME, {"ruffing": 1})


def test_constraints_are_checked() -> None:
    """A combination that breaks a constraint is refused, with the values of the options that it is about."""
    game = replace(GAME, constraints=(Apply("not", (OptionRead("ruffing", BOOL),), BOOL, HERE),))
    assert Interpreter(game, {"ruffing": False}).options == {"ruffing": False}
    with pytest.raises(BadOptions, match=r"^toy:7:1: the options break this constraint: ruffing = true$"):
        Interpreter(game)


def test_sets_of_seats_can_be_chosen() -> None:
    """A subset argument may be of any finite type."""
    parameter = Parameter("to", "remaining", Const(0b11, SEATS), nat(1), nat(2), SetType(SEAT))
    nodes = list(GAME.nodes)
    nodes[LEAD] = Ask("lead", seat(0), False, (Verb("tell", (parameter,), TRUE, 12),))
    toy = Interpreter(replace(GAME, nodes=tuple(nodes)))
    assert toy.outcomes(AT_LEAD) == [Choice(0, (0b01,)), Choice(0, (0b10,)), Choice(0, (0b11,))]
