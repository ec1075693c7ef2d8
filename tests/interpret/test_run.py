"""Edges: their events, what they do to cells and cards, and their faults, with literal expectations."""

from dataclasses import replace

import pytest

from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import (
    Announced,
    Chance,
    Choice,
    Chosen,
    Moved,
    Outcome,
    Shown,
    State,
    Uncovered,
)
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Announce,
    Arrive,
    Ask,
    Assign,
    Block,
    CellRead,
    Const,
    Dead,
    Effect,
    Game,
    Jump,
    Move,
    Show,
    Visibility,
    ZoneRef,
)
from tests.support.toy import (
    ANSWER,
    CARDS,
    DEAL,
    LEAD,
    SEAT,
    SEATS,
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


def with_block(effects: tuple[Effect, ...], game: Game = GAME) -> Interpreter:
    """The toy with the block behind ``lead`` replaced by these effects, which go on to the same node."""
    blocks = list(game.blocks)
    blocks[4] = Block(effects, Arrive(LEAD))
    return Interpreter(replace(game, blocks=tuple(blocks)))


def after(effects: tuple[Effect, ...], game: Game = GAME) -> State:
    return with_block(effects, game).step(AT_LEAD, Choice(0, (0b010000,)))[0]


def run(outcomes: list[Outcome]) -> State:
    state, _ = TOY.initial()
    for outcome in outcomes:
        state, _ = TOY.step(state, outcome)
    return state


# --- events ----------------------------------------------------------------------------------------------------------


def test_events_of_a_lead_and_a_hidden_discard() -> None:
    """All see a led card; a discarded one is seen by the seat that held it, for the pile is closed."""
    state, events = TOY.step(AT_LEAD, Choice(0, (0b100000,)))
    assert events == (
        Chosen(LEAD, 1, 0, (0b100000,), False),
        Moved(0b100000, 2, 4, 0b11, False),
    )
    _, events = TOY.step(state, Choice(1, (0b000100,)))
    assert events == (
        Chosen(ANSWER, 0, 1, (0b000100,), False),
        Moved(0b000100, 1, 6, 0b01, False),
        Moved(0b100000, 4, 6, 0b11, False),
    )


def test_events_of_draws() -> None:
    """The turned card is seen by all and goes back by an ordinary move; a dealt one is seen by its owner."""
    state, _ = TOY.initial()
    state, events = TOY.step(state, Chance(3))
    assert events == (Moved(0b001000, 0, 3, 0b11, True), Moved(0b001000, 3, 0, 0b11, False))
    state, events = TOY.step(state, Chance(0))
    assert events == (Moved(0b000001, 0, 1, 0b01, True),)


def test_the_answer_is_announced_at_the_end() -> None:
    """The last trick's announcement tells both seats the points of the taker, after all moves."""
    state = run([Chance(3), Chance(4), Chance(5), Chance(0), Chance(1), Choice(0, (0b110000,))])
    _, events = TOY.step(state, Choice(1, (0b000011,)))
    assert events[-1] == Announced("points of the last taker", 17, 0b11)


def test_empty_moves_tell_nothing() -> None:
    """A move of no cards is no event."""
    toy = with_block((Move(Const(0, CARDS), ZoneRef("stock", None), ZoneRef("won", seat(0))),))
    assert toy.step(AT_LEAD, Choice(0, (0b010000,)))[1] == (Chosen(LEAD, 1, 0, (0b010000,), False),)


def test_show_and_announce() -> None:
    """Both say what was shown to whom, also when it is the empty set."""
    effects = (
        Show(zone("hand", seat(1)), Const(0b01, SEATS)),
        Show(Const(0, CARDS), Const(0b10, SEATS)),
        Announce(nat(4), Const(0b11, SEATS), "four"),
    )
    events = with_block(effects).step(AT_LEAD, Choice(0, (0b010000,)))[1]
    assert events[1:] == (Shown(0b110000, 0b01), Shown(0, 0b10), Announced("four", 4, 0b11))


def test_secret_choices_are_marked() -> None:
    """The event of a choice carries whether its question is secret."""
    nodes = list(GAME.nodes)
    lead = nodes[LEAD]
    assert isinstance(lead, Ask)
    nodes[LEAD] = replace(lead, secret=True)
    toy = Interpreter(replace(GAME, nodes=tuple(nodes)))
    assert toy.step(AT_LEAD, Choice(0, (0b010000,)))[1][0] == Chosen(LEAD, 1, 0, (0b010000,), True)


def seen_by_leader() -> Game:
    """The toy with a stock that the leader sees."""
    stock = GAME.zones["stock"]
    leader = Visibility("", op("set", CellRead("leader", None, SEAT), type=SEATS))
    return replace(GAME, zones={**GAME.zones, "stock": replace(stock, seen=leader)})


def test_new_viewers_see_what_lies_there() -> None:
    """When an assignment makes a seat a viewer of a zone, its contents are uncovered to that seat alone."""
    change = Assign("leader", None, seat(0))
    events = with_block((change,), seen_by_leader()).step(AT_LEAD, Choice(0, (0b010000,)))[1]
    assert events[1:] == (Uncovered(0, 0b000011, 0b01),)
    same = Assign("leader", None, seat(1))
    assert with_block((same,), seen_by_leader()).step(AT_LEAD, Choice(0, (0b010000,)))[1][1:] == ()
    assert with_block((change,)).step(AT_LEAD, Choice(0, (0b010000,)))[1][1:] == ()  # the plain toy: nobody sees it


def test_an_empty_zone_uncovers_nothing() -> None:
    """New viewers of an empty zone are told nothing."""
    bare = replace(AT_LEAD, place=(5, 5, 1, 1, 2, 2))
    toy = with_block((Assign("leader", None, seat(0)),), seen_by_leader())
    assert toy.step(bare, Choice(0, (0b010000,)))[1][1:] == ()


def test_viewers_of_a_move_are_those_before_and_after() -> None:
    """After the change of leader, seat 0 sees cards come into the stock and seat 1 does not."""
    effects = (
        Assign("leader", None, seat(0)),
        Move(zone("won", seat(0)), ZoneRef("won", seat(0)), ZoneRef("stock", None)),
    )
    state = replace(AT_LEAD, place=(5, 0, 1, 1, 2, 2))
    events = with_block(effects, seen_by_leader()).step(state, Choice(0, (0b010000,)))[1]
    assert events[1:] == (Uncovered(0, 0b000010, 0b01), Moved(0b000001, 5, 0, 0b01, False))


# --- cells, dead cells, faults ---------------------------------------------------------------------------------------


def test_dead_cells_are_reset_on_arrival() -> None:
    """A choice's cell keeps its value where it is live and is reset where it is not; declared cells stay."""
    state, _ = TOY.step(AT_LEAD, Choice(0, (0b110000,)))
    assert state.cells == (1, 1, 0, 0, 0, 0, 0, 0, 0b110000, 0)  # group is live at the answer
    state, _ = TOY.step(state, Choice(1, (0b001100,)))
    assert state.cells == (1, 1, 0, 25, 0, 0, 0, 0, 0, 0)


def test_without_liveness_the_cell_would_stay() -> None:
    """The control: declared live everywhere, the same cells keep their values."""
    everything = frozenset(GAME.cells)
    toy = Interpreter(replace(GAME, live=(everything,) * 6))
    state, _ = toy.step(AT_LEAD, Choice(0, (0b110000,)))
    state, _ = toy.step(state, Choice(1, (0b001100,)))
    assert state.cells == (1, 1, 0, 25, 0, 0, 0, 0, 0b110000, 0b001100)


def test_assignments_stay_in_their_types() -> None:
    """A value outside of the cell's type is a fault at the assignment."""
    assert after((Assign("leader", None, seat(0)),)).cells[1] == 0
    assert after((Assign("score", seat(1), nat(100)),)).cells[2:4] == (0, 100)
    for effect in (Assign("leader", None, nat(2), HERE), Assign("score", nat(2), nat(1), HERE)):
        with pytest.raises(NotWellDefined) as caught:
            after((effect,))
        assert caught.value.span == HERE


def test_moves_take_cards_that_are_there() -> None:
    """A card that is not in the source is a fault; the message names the cards and the zone."""
    assert after((Move(Const(0b1, CARDS), ZoneRef("stock", None), ZoneRef("hand", seat(0))),)).place[0] == 1
    with pytest.raises(NotWellDefined) as caught:
        after((Move(Const(0b010101, CARDS), ZoneRef("hand", seat(1)), ZoneRef("stock", None), HERE),))
    assert str(caught.value) == "toy:7:1: 6♠ A♠ cannot be moved: not in `hand[seat 2]`"
    with pytest.raises(NotWellDefined):
        after((Move(Const(0, CARDS), ZoneRef("hand", nat(2)), ZoneRef("stock", None), HERE),))


def test_drawing_from_nothing_is_a_fault() -> None:
    """The draw itself is not well defined when its source is empty."""
    state = State(DEAL, (0,) * 10, (1, 1, 1, 2, 2, 2))
    for ask in (lambda: TOY.outcomes(state), lambda: TOY.step(state, Chance(0))):
        with pytest.raises(NotWellDefined, match="nothing to draw from `stock`"):
            ask()


def test_dead_clauses() -> None:
    """Coming to a dead clause is its own error and names the clause."""
    blocks = list(GAME.blocks)
    blocks[4] = Block((), Jump(13))
    blocks[13] = Block((), Dead("unequal_hands", HERE))
    with pytest.raises(ReachedDead, match="toy:7:1: reached the dead clause `unequal_hands`"):
        Interpreter(replace(GAME, blocks=tuple(blocks))).step(AT_LEAD, Choice(0, (0b010000,)))


def test_a_failed_step_changes_nothing() -> None:
    """States are values: after a refused or faulty step the old state plays on as before."""
    before = replace(AT_LEAD)
    toy = with_block((Assign("leader", None, seat(0)), Assign("leader", None, nat(2))))
    with pytest.raises(NotWellDefined):
        toy.step(AT_LEAD, Choice(0, (0b010000,)))
    assert before == AT_LEAD
