"""Claims about faces by induction on masks, secrets, dead places, well defined steps."""

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import State
from kozel_verify.model.core import (
    Block,
    Branch,
    Call,
    Claim,
    Const,
    Dead,
    Expr,
    Game,
    Move,
    Secret,
    StateClaim,
    ZoneRef,
)
from kozel_verify.model.types import BOOL, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.exact import ExactModel
from kozel_verify.symbolic.faces import first_state, prove_dead, prove_defined, prove_faces, prove_secrets
from kozel_verify.symbolic.faces_sets import FaceEvaluator, mask_of
from kozel_verify.symbolic.faces_system import FaceSystem
from kozel_verify.symbolic.system import Transition, cell_types
from kozel_verify.symbolic.terms import Constant
from kozel_verify.symbolic.values import Counted, reader
from tests.support.toy import (
    ALL,
    ANSWER,
    ASKED,
    CARD,
    CARDS,
    DECK,
    LEAD,
    LEADER,
    SEATS,
    TRUE,
    cell,
    nat,
    op,
    seat,
    size,
    toy_game,
    zone,
)
from tests.symbolic.test_edge import sampled, verb_and_arguments

GROUP = cell("group", CARDS)
TABLE_EMPTY = [op("==", size(zone("table", seat(s))), nat(0)) for s in (0, 1)]
HANDS_AT_ANSWER = [
    op("!=", ASKED, LEADER),
    op("==", size(zone("hand", ASKED)), op("+", size(zone("hand", LEADER)), size(GROUP), type=nat(0).type)),
]


def invariant(name: str, node: int, statement: Expr) -> StateClaim:
    return StateClaim(Claim.INVARIANT, name, (node,), statement)


LED_SUIT = invariant("led_suit", ANSWER, Call("one_suit", (zone("table", LEADER),), BOOL))
ON_TABLE = invariant("on_table", ANSWER, op("within", GROUP, zone("table", LEADER)))
IS_TABLE = invariant("is_table", ANSWER, op("==", GROUP, zone("table", LEADER)))
ACE_LED = invariant("ace_led", ANSWER, op("in", Const(2, CARD), zone("table", LEADER)))


def verdicts(game: Game, claims: list[StateClaim], known: Mapping[int, list[Expr]]) -> dict[str, bool]:
    return {r.name: r.proved for r in prove_faces(game, claims, known)}


def changed(game: Game, index: int, block: Block) -> Game:
    """The game with another block."""
    return replace(game, blocks=(*game.blocks[:index], block, *game.blocks[index + 1 :]))


# --- the abstraction is true of real steps ---------------------------------------------------------------------------


def toy_beats(x: int, y: int, trump: int, ruffing: bool) -> bool:
    same, higher = DECK.suit(x) == DECK.suit(y), DECK.rank(x) > DECK.rank(y)
    return same and higher or ruffing and DECK.suit(x) == trump and DECK.suit(y) != trump


def toy_matching(targets: int, replies: int, trump: int, ruffing: bool) -> bool:
    """By trying all ways to give replies out."""
    xs, ys = ([c for c in range(6) if mask >> c & 1] for mask in (targets, replies))
    return any(all(map(lambda r, g: toy_beats(r, g, trump, ruffing), way, xs)) for way in permutations(ys, len(xs)))


class Real:
    """One real step as values of all variables of its transition."""

    def __init__(self, system: FaceSystem, transition: Transition, rng: random.Random) -> None:
        self.system, self.game, self.transition = system, system.game, transition
        evaluator = transition.stepper.evaluator
        assert isinstance(evaluator, FaceEvaluator)
        self.evaluator, self.rng = evaluator, rng

    def values(
        self, state: State, verb: int, arguments: tuple[Value, ...], options: Mapping[str, Value]
    ) -> dict[str, Constant]:
        out = ExactModel(self.game).assignment(state, verb, arguments, options)
        for slot, (type_, _, live) in enumerate(cell_types(self.game, state.node)):
            if live and type_ == CARDS:
                self.measure(f"cell:{slot}", int(state.cells[slot] or 0), out)
        for slot in range(self.game.zone_slots()):
            self.measure(f"zone:{slot}", sum(1 << c for c, p in enumerate(state.place) if p == slot), out)
        for n, value in enumerate(arguments):
            self.measure(f"argument:{n}", int(value or 0), out)
        self.unknowns(out, bool(options["ruffing"]))
        return out

    def measure(self, name: str, mask: int, out: dict[str, Constant]) -> None:
        for m, weights in enumerate(self.evaluator.measures):
            out[f"{name}/{m}"] = sum(w for c, w in enumerate(weights) if mask >> c & 1)

    def unknowns(self, out: dict[str, Constant], ruffing: bool) -> None:
        for bits, measures in self.evaluator._measured.items():
            name = str(measures[0].payload).partition("/")[0]
            if name not in out and name.startswith("measure"):
                self.measure(name, sum(1 << c for c, b in enumerate(t.evaluate(bits, out)) if b), out)
        for a in self.evaluator.applications:
            xs, ys = (
                sum(1 << c for c, b in enumerate(t.evaluate(mask_of(s).bits, out)) if b) for s in (a.targets, a.replies)
            )
            (trump,) = t.evaluate(a.context, out)
            out[str(a.truth.payload)] = toy_matching(xs, ys, int(trump), ruffing)
        for name, term in t.variables(list(self.evaluator.facts)).items():
            if name not in out:
                assert name.startswith(("target#", "reply#", "each#")), f"{name} stands for something"
                out[name] = t.int_of(self.evaluator.codec.element(CARD, self.rng.randrange(6))) if term.sort > 0 else 0


def real_steps() -> list[tuple[Transition, dict[str, Constant], State]]:
    """Steps of random plays of the toy: the transition, the values of its variables, the state it leads to."""
    game, found, rng = toy_game(), list[tuple[Transition, dict[str, Constant], State]](), random.Random(7)
    system = FaceSystem(game)
    transitions: dict[tuple[int, int], Transition] = {}
    for ruffing in (False, True):
        options: dict[str, Value] = {"ruffing": ruffing}
        player = Interpreter(game, options)
        for state in sampled(game, options, plays=3, seed=5):
            for outcome in player.outcomes(state)[:3]:
                verb, arguments = verb_and_arguments(outcome)
                if (state.node, verb) not in transitions:
                    transitions[state.node, verb] = system.transition(state.node, verb)
                transition = transitions[state.node, verb]
                values = Real(system, transition, rng).values(state, verb, arguments, options)
                found.append((transition, values, player.step(state, outcome)[0]))
    return found


def test_every_fact_is_true_of_real_steps_and_the_end_is_the_real_one() -> None:
    """All facts, constraints and obligations hold for the true values; masks and measures at the end are the true ones."""
    steps = real_steps()
    assert len(steps) > 100
    for transition, values, expected in steps:
        obligations = [o.formula() for o in transition.edge.obligations]
        assert all(t.evaluate([*transition.assumptions(), *obligations, transition.edge.legal], values))
        paths = [a.path for a in transition.edge.arrivals]
        (arrival,) = [a for a, here in zip(transition.edge.arrivals, t.evaluate(paths, values), strict=True) if here]
        assert arrival.node == expected.node
        for slot, held in enumerate(arrival.state.zones):
            assert isinstance(held, Counted)
            mask = sum(1 << c for c, p in enumerate(expected.place) if p == slot)
            bits = t.evaluate(mask_of(held).bits, values)
            assert sum(1 << c for c, b in enumerate(bits) if b) == mask
            assert t.evaluate(held.measures, values)[0] == mask.bit_count()


def test_a_wrong_size_breaks_a_fact() -> None:
    """Control: the same check fails when one zone is said to hold a card more than it does."""
    for transition, values, _ in real_steps()[:20]:
        wrong = {**values, "zone:0/0": int(values["zone:0/0"]) + 1}
        assert not all(t.evaluate(transition.assumptions(), wrong))


# --- claims ----------------------------------------------------------------------------------------------------------


def test_true_claims_about_faces_are_proved() -> None:
    """What was led lies on the table, all of one suit; each claim took one query, since one edge leads there."""
    results = prove_faces(toy_game(), [LED_SUIT, ON_TABLE, IS_TABLE], {LEAD: TABLE_EMPTY})
    assert [(r.name, r.proved, r.obligations) for r in results] == [
        ("led_suit", True, 1),
        ("on_table", True, 1),
        ("is_table", True, 1),
    ]
    assert all(0 < r.rlimit < 1_000_000 for r in results)


def test_what_needs_a_known_claim_fails_without_it() -> None:
    """Only with an empty table before the lead is the led group all that lies there."""
    assert verdicts(toy_game(), [LED_SUIT, ON_TABLE, IS_TABLE], {}) == {
        "led_suit": False,
        "on_table": True,
        "is_table": False,
    }


def test_a_false_claim_is_not_proved_and_its_model_is_a_state() -> None:
    """The edge is named; in its first state the leader's hand has something else than the ace to lead."""
    (result,) = prove_faces(toy_game(), [ACE_LED], {LEAD: TABLE_EMPTY})
    failure = result.failure
    assert failure is not None
    assert (failure.edge, failure.start, failure.end) == ("lead.lead", LEAD, ANSWER)
    state = first_state(toy_game(), failure)
    assert state is not None and state.node == LEAD
    assert 3 not in state.place and 4 not in state.place  # the zone slots of the table
    hand = 1 + int(state.cells[1] or 0)
    assert any(p == hand for c, p in enumerate(state.place) if c != 2)


def test_a_dropped_move_is_noticed() -> None:
    """A lead that leaves the cards in the hand breaks the claim that they lie on the table."""
    game = toy_game()
    lead = game.blocks[4]
    broken = changed(game, 4, replace(lead, effects=lead.effects[1:]))
    assert verdicts(game, [ON_TABLE], {}) == {"on_table": True}
    assert verdicts(broken, [ON_TABLE], {}) == {"on_table": False}


def test_a_claim_that_leans_on_a_broken_one_is_dropped_too() -> None:
    """`stays` holds only if `begins` does, which the deal breaks; where `begins` is known instead, `stays` is proved."""
    in_stock = op("in", Const(0, CARD), zone("stock"))
    begins, stays = invariant("begins", LEAD, in_stock), invariant("stays", ANSWER, in_stock)
    assert verdicts(toy_game(), [stays, begins], {}) == {"stays": False, "begins": False}
    assert verdicts(toy_game(), [stays], {LEAD: [in_stock]}) == {"stays": True}


def test_a_used_up_budget_proves_nothing() -> None:
    """With one resource unit the claim stays open, without a model."""
    (result,) = prove_faces(toy_game(), [LED_SUIT], {LEAD: TABLE_EMPTY}, rlimit=1)
    assert result.failure is not None and result.failure.values is None and result.failure.reason


# --- secrets ---------------------------------------------------------------------------------------------------------


def test_the_toy_keeps_its_secret() -> None:
    """No seat sees the other's hand, at any of the six nodes."""
    (result,) = prove_secrets(toy_game(), {})
    assert (result.name, result.proved, result.nodes) == ("hands", True, (0, 1, 2, 3, 4, 5))


def test_a_wrong_visibility_is_refuted() -> None:
    """With hands seen by all, the model has a card in a hand."""
    game = toy_game()
    zones = {**game.zones, "hand": replace(game.zones["hand"], seen=ALL)}
    (result,) = prove_secrets(replace(game, zones=zones), {})
    assert result.failure is not None
    state = first_state(game, result.failure)
    assert state is not None and {1, 2} & set(state.place)


def test_a_secret_may_rest_on_known_claims() -> None:
    """Cards on the open table are no secret, unless the table is known to be empty there."""
    table = Secret("table", "", None, zone("table", seat(0)), Const(0b11, SEATS), (LEAD,))
    game = replace(toy_game(), properties=(table,))
    assert [r.proved for r in prove_secrets(game, {})] == [False]
    assert [r.proved for r in prove_secrets(game, {LEAD: TABLE_EMPTY})] == [True]


# --- dead places -----------------------------------------------------------------------------------------------------


def test_a_dead_place_is_proved_from_known_claims() -> None:
    """Unequal hands after a trick are excluded by what is known while an answer is awaited, and only by that."""
    (open_,) = prove_dead(toy_game(), {})
    assert not open_.proved
    (result,) = prove_dead(toy_game(), {ANSWER: HANDS_AT_ANSWER})
    assert (result.name, result.proved, result.nodes, result.obligations) == ("unequal_hands", True, (ANSWER,), 2)


def test_a_dead_place_that_is_reached_is_not_proved() -> None:
    """Swap the branch before it: equal hands now lead there."""
    game = toy_game()
    collect = game.blocks[7]
    assert isinstance(collect.end, Branch)
    swapped = replace(collect.end, then=collect.end.otherwise, otherwise=collect.end.then)
    (result,) = prove_dead(changed(game, 7, replace(collect, end=swapped)), {ANSWER: HANDS_AT_ANSWER})
    assert result.failure is not None and result.failure.values is not None


def test_a_dead_place_may_need_faces() -> None:
    """A lead of both sixes is dead because a lead is of one suit: numbers cannot tell, masks can."""
    game = toy_game()
    lead = game.blocks[4]
    sixes = op("within", Const(0b001001, CARDS), GROUP)
    blocks = (*game.blocks, lead, Block((), Dead("both_sixes")))
    game = replace(game, blocks=blocks)
    game = changed(game, 4, Block((), Branch(sixes, len(blocks) - 1, len(blocks) - 2)))
    verdict = {r.name: r.proved for r in prove_dead(game, {ANSWER: HANDS_AT_ANSWER})}
    assert verdict == {"unequal_hands": True, "both_sixes": True}
    unguarded = replace(game, functions={**game.functions, "one_suit": replace(game.functions["one_suit"], body=TRUE)})
    assert not {r.name: r.proved for r in prove_dead(unguarded, {ANSWER: HANDS_AT_ANSWER})}["both_sixes"]


# --- well defined steps ----------------------------------------------------------------------------------------------


def test_moves_of_cards_that_are_there_are_well_defined() -> None:
    """The led group comes from the leader's hand; a lead from the other hand is not well defined."""
    game = toy_game()
    lead = game.blocks[4]
    move = lead.effects[0]
    assert isinstance(move, Move)
    elsewhere = replace(move, source=ZoneRef("hand", seat(0)))
    wrong = changed(game, 4, replace(lead, effects=(elsewhere, *lead.effects[1:])))
    text = "lead.lead: cards are moved that are not there"
    assert {r.name: r.proved for r in prove_defined(game, {})}[text]
    assert not {r.name: r.proved for r in prove_defined(wrong, {})}[text]


def test_only_what_is_asked_for_is_proved() -> None:
    """A selection by edge and place in the text."""
    spans = {r.span for r in prove_defined(toy_game(), {})}
    assert prove_defined(toy_game(), {}, only=[("no such edge", s) for s in spans]) == []
