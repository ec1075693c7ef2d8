"""Two games compared: what is noticed is found and replayed in both; what nobody notices is no difference."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import pytest

from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.exhaustive.machine_edges import CHANCE, PROCEED
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, random_play, replay
from kozel_verify.interpret.state import Chance, Choice, Outcome
from kozel_verify.model.load import load_text
from kozel_verify.verify.differ import Comparison, Effort, Side, compare, compare_plays, decide
from kozel_verify.verify.differ.compare import same_rules
from kozel_verify.verify.differ.lockstep import Kind
from kozel_verify.verify.differ.noticed import first_difference
from kozel_verify.verify.differ.partings import lockstep
from kozel_verify.verify.differ.search import Lane
from kozel_verify.verify.differ.sides import settings
from kozel_verify.verify.differ.tables import Table
from kozel_verify.verify.differ.telling import lines_of
from kozel_verify.verify.examples import try_one, written_out
from tests.verify.differ_games import BASE, DIFFERENCES, MOVES, SAME, side, spec

LITTLE = Effort(states=2_000, deals=40, shrink=300)


@cache
def compared(name: str) -> Comparison:
    return compare(side(), side(DIFFERENCES[name][0]), LITTLE)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_each_kind_of_difference_is_found(name: str) -> None:
    """A play shows it, on the full pack and on the small one, and is noticed as what it is."""
    found = compared(name)
    assert found.verdict == "different"
    assert found.partings[0].difference.kind is DIFFERENCES[name][1]
    assert {p.pack for p in found.partings} == {"", "four"}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_play_is_replayed_in_both(name: str) -> None:
    """Up to the parting the same outcomes are legal in both games; a step on which the rules fail is the last."""
    for parting in compared(name).partings:
        for game, options, run in zip(
            (side().on(parting.pack), side(DIFFERENCES[name][0]).on(parting.pack)),
            (parting.setting.a, parting.setting.b),
            parting.runs,
            strict=True,
        ):
            assert game is not None
            play = replay(Interpreter(game, options), run)
            failed = parting.difference.kind is Kind.FAULT and play.stopped is Stop.FAULT
            assert failed or play.stopped is Stop.REACHED


@pytest.mark.parametrize("name", DIFFERENCES)
def test_scenarios_hold_on_their_side_alone(name: str) -> None:
    """Pasted into the texts, the scenario of A holds in A; where scenarios have words for the difference it fails in B,
    and the other way round."""
    found = compared(name)
    best = found.partings[0]
    kind = best.difference.kind
    if kind is Kind.FAULT:
        return
    holds = [[_holds(text, scenario) for text in _texts(name)] for scenario in best.scenarios]
    assert holds[0][0] and holds[1][1]
    if kind in (Kind.MENU, Kind.WORTH, Kind.TURN) or any(best.difference.expect):
        assert not holds[0][1] and not holds[1][0]


def _texts(name: str) -> tuple[str, str]:
    return BASE, BASE.replace(*DIFFERENCES[name][0])


def _holds(text: str, scenario: str) -> bool:
    cut = text.rstrip().removesuffix("}")
    loaded = load_text(cut + scenario + "}\n", "base.kozel")
    (item,) = written_out(loaded.game)
    return try_one(loaded.game, item, loaded.program.files).holds


@pytest.mark.parametrize("name", SAME)
def test_what_nobody_notices_is_no_difference(name: str) -> None:
    """No play shows it, and the solver proves that none does: in both directions, also when it is asked first."""
    first, second = side(), side(*SAME[name])
    found = compare(first, second, LITTLE)
    assert found.partings == [] and found.verdict == "equal"
    assert decide(second, first, LITTLE).verdict == "equal"


def test_the_same_rules_are_equal_at_once() -> None:
    """Another name, a promise more and other lines make no other game: said without a play or a query. A rule that is
    written otherwise, or an option that one side settles, is looked at as ever."""
    base, moved = side(), side(("game base", "\ngame other"), ("  zone out", "  example 1 == 1\n  zone out"))
    found = compare(base, moved, LITTLE)
    assert (found.verdict, found.same, found.looked, found.proof) == ("equal", True, [], None)
    assert "the rules are the same" in lines_of(found)[2]
    assert same_rules(base, base)
    assert not any(same_rules(base, side(DIFFERENCES[name][0])) for name in DIFFERENCES)
    assert not same_rules(base, Side(base.spec, {"bonus": 2}))
    found = compare(base, side(*SAME["an `and` turned round"]), LITTLE)
    assert found.verdict == "equal" and not found.same


def test_a_search_that_stopped_says_so() -> None:
    """Where fewer deals of the full pack were played than were asked for, since the two had parted; else not."""
    found = compared("a stricter menu")
    assert not found.cut and not any("no more, as" in line for line in lines_of(found))
    found.cut = True
    try:
        assert any(line.endswith("; no more, as the two had parted") for line in lines_of(found))
    finally:
        found.cut = False
    early = compare_plays(side(), side(DIFFERENCES["a stricter menu"][0]), replace(LITTLE, deals=40, states=1))
    deals = sum(look.found.deals for look in early.looked if look.pack == "")
    assert early.cut is (deals < 40)


def test_the_order_of_moves_is_nothing_that_is_told() -> None:
    """Two moves of one step stand in either order; another move more is a difference in play."""
    first, second = (side(exchanged) for exchanged in MOVES)
    found = compare(first, second, LITTLE)
    assert found.partings == [] and found.verdict == "equal"
    assert compare(first, side(), LITTLE).partings[0].difference.kind is Kind.TOLD


def test_a_cell_to_be_seen_on_one_side() -> None:
    """A cell that all see and that only one game has is a difference in itself, although no play is needed for it."""
    found = compare(side(), side(("state laid", "state more : 0..3 = 0\n  state laid")), LITTLE)
    assert found.verdict == "different" and found.declared == ["B alone keeps `more`, which can be seen"]
    assert found.partings == []


def test_a_zone_that_stays_empty() -> None:
    """A zone that only one game has is an empty one in the other: no play shows a difference, but it is not proved."""
    found = compare(side(), side(("zone out", "zone spare seen by all\n  zone out")), LITTLE)
    assert found.partings == [] and found.verdict == "open"
    assert found.proof is not None and found.proof.failure is not None
    assert found.proof.failure.why == "they have different zones"


def test_other_decks_and_seats() -> None:
    """Games that cannot be played side by side are different before the first card."""
    wide = ("prize(n : 0..6)", "prize(n : 0..9)")
    other = side(("ranks 6, Q, A", "ranks 6, Q, A, K"), wide)
    assert compare(side(), other).apart == "they are played with different decks"
    found = compare(side(), side(("seats 2\n", "seats 3\n"), wide))
    assert found.apart == "A has 2 seats, B has 3" and found.verdict == "different"


def test_the_shortest_play_of_a_small_pack() -> None:
    """On the small pack the first question whose menu differs comes after four draws; nothing shorter exists."""
    found = compared("a stricter menu")
    small = next(p for p in found.partings if p.pack == "four")
    assert small.steps == 4 and small.where == "deal.lead"
    assert small.difference.said[1].startswith("allows no more")


def test_menus_are_counted() -> None:
    """At the decision whose condition was tightened A is laxer, never stricter; everywhere else they are the same."""
    counts: dict[str, list[int]] = {}
    for looked in compared("a stricter menu").looked:
        for node, count in looked.found.menus.items():
            row = counts.setdefault(node, [0, 0, 0])
            row[0] += count.stricter
            row[1] += count.laxer
            row[2] += count.other
    assert counts["deal.lead"][1] > 0 and counts["deal.lead"][0] == counts["deal.lead"][2] == 0
    assert counts["deal.guess"] == [0, 0, 0]
    (example,) = compared("a stricter menu").examples
    assert (example.node, example.kind, example.pack) == ("deal.lead", "laxer", "")
    assert example.said[0].startswith("allows lay ") and example.said[1].startswith("allows no more ")


def test_the_responsible_clause() -> None:
    """Of two changed clauses the one that makes the difference is told, with its smallest changed part on each side."""
    other = side(("|g| in 1..2 and", "|g| == 1 and"), ("laid := |g|", "laid := |g| + 10"))
    found = compare(side(), other, LITTLE)
    names = [(c.name, c.removes, c.brings) for c in found.changes]
    assert names == [("group", True, True), ("deal", False, False)]
    assert found.changes[0].texts == ("|g| in 1..2", "|g| == 1")


def test_options_of_one_side() -> None:
    """One spec with different values of an option is two games; with the same value it is one, proved."""
    base = spec()
    found = compare(Side(base), Side(base, {"bonus": 2}), LITTLE)
    assert found.verdict == "different" and found.partings[0].setting.b["bonus"] == 2
    assert compare(Side(base, {"bonus": 2}), Side(base, {"bonus": 2}), LITTLE).verdict == "equal"


def test_a_difference_under_an_option_alone() -> None:
    """What differs only where an option has another value than by default is found under that value."""
    found = compare(side(), side(("n * 2 + bonus", "if bonus == 2 then 9 else n * 2 + bonus")), LITTLE)
    assert found.verdict == "different"
    assert {p.setting.name for p in found.partings} == {"bonus = 2"}


WORTH = [
    ("  gain(s) = 1\n  loss(s) = 1\n", "  gain(s) = 0\n  loss(s) = 0\n", True),
    ("  gain(s) = score[s] + laid\n  loss(s) = laid\n", "  gain(s) = score[s]\n", True),
    ("  gain(s) = 3\n  loss(s) = 1\n", "  gain(s) = 2\n  loss(s) = 1\n", False),
    ("  gain(s) = 3\n  loss(s) = 1\n", "  gain(s) = 3\n  loss(s) = 2\n", False),
    ("  gain(s) = 3\n  loss(s) = 1\n", "  gain(s) = 1\n  loss(s) = 3\n", False),
    ("  gain(s) = 1\n  loss(s) = 0\n", "  gain(s) = 4\n  loss(s) = 4\n", False),
]


@pytest.mark.parametrize("first, second, same", WORTH)
def test_what_a_deal_is_worth_is_gain_minus_loss(first: str, second: str, same: bool) -> None:
    """What is added to both is no difference, proved; anything else is, and the scenario of A holds in A alone."""
    old = "  gain(s) = score[s]\n"
    found = compare(side((old, first)), side((old, second)), LITTLE)
    assert found.verdict == ("equal" if same else "different")
    if same:
        return
    assert found.partings[0].difference.kind is Kind.WORTH
    texts = [BASE.replace(old, first), BASE.replace(old, second)]
    for n, scenario in enumerate(found.partings[0].scenarios):
        assert _holds(texts[n], scenario) and not _holds(texts[1 - n], scenario)


def test_a_worth_that_has_no_value_on_one_side() -> None:
    """The rules fail on one side alone where only there a gain has no value: found, and shown."""
    old = "  gain(s) = score[s]\n"
    found = compare(side(), side((old, "  gain(s) = score[s] - score[left(s)]\n")), LITTLE)
    assert (found.verdict, found.partings[0].difference.kind) == ("different", Kind.FAULT)


def test_the_same_call_gives_the_same_result() -> None:
    """Nothing depends on chance that no seed decides."""
    name = "a laxer menu"
    again = compare(side(), side(DIFFERENCES[name][0]), LITTLE)
    assert [p.scenarios for p in again.partings] == [p.scenarios for p in compared(name).partings]


def test_a_machine_that_sees_too_little_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: with tables that notice nothing of what is seen, a difference in what is seen is missed; so the
    finds above rest on what the tables notice."""
    monkeypatch.setattr(Table, "noticed", lambda self, state: (self.game.nodes[state.node].name,))
    monkeypatch.setattr(Table, "told", lambda self, events: ())
    assert compare_plays(side(), side(DIFFERENCES["who sees a zone"][0]), LITTLE).partings == []


def test_invariants_of_a_may_be_needed() -> None:
    """A condition that play always fulfils: no play shows a difference, and the proof needs to know that it holds."""
    other = side(("may guess(k in Guess)", "may guess(k in Guess) when |table| > 0"))
    found = compare(side(), other, LITTLE)
    assert found.verdict == "open" and found.proof is not None and found.proof.failure is not None
    assert found.proof.failure.place == "deal.guess.guess"
    thorough = compare(side(), other, replace(LITTLE, thorough=True))
    assert thorough.verdict == "equal" and thorough.proof is not None and thorough.proof.invariants


def test_a_play_is_built_where_random_ones_show_nothing() -> None:
    """With no more than one random deal, in which the two do not part, the cards are stacked for the situation in which
    the changed predicate differs."""
    changed = (" in high\n", " in high or x == A♥ and y == 6♠\n")
    effort = Effort(states=1, deals=1, shrink=100)
    assert compare_plays(side(), side(changed), effort).partings == []
    found = compare(side(), side(changed), effort)
    assert [p.pack for p in found.partings] == [""] and found.partings[0].where == "deal.answer"
    assert "A♥" in found.partings[0].difference.said[1]


@pytest.mark.parametrize("name", DIFFERENCES)
def test_tables_notice_what_the_interpreter_notices(name: str) -> None:
    """On random plays of A, the fast tables see the games part after just as many steps as the interpreter does."""
    first, second = side(), side(DIFFERENCES[name][0])
    for setting in settings(first.game, second.game, ({}, {})):
        lock, lane = lockstep(first.game, second.game, setting), Lane(first.game, second.game, setting)
        for seed in range(4):
            run = random_play(Interpreter(first.game, setting.a), seed, until="match").outcomes
            found = first_difference(lock, run)
            assert _parted(lane, run) == (None if found is None else len(found[0]))


def _parted(lane: Lane, run: Sequence[Outcome]) -> int | None:
    """After how many steps of a run the tables see a difference."""
    pair = lane.initial()
    for number in range(len(run) + 1):
        assert isinstance(pair, tuple)
        kind, both = lane.menus(pair)
        if not lane.alike(pair) or kind != "same":
            return number
        if number == len(run):
            return None
        fast = _fast(run[number])
        after = lane.step(pair, next(o for o in both if o[0] == fast))
        if not isinstance(after, tuple) or not after[1]:
            return number + 1
        pair = after[0]
    return None


def _fast(outcome: Outcome) -> FastOutcome:
    match outcome:
        case Choice(verb, arguments):
            return verb, arguments
        case Chance(card):
            return CHANCE, (card,)
        case _:
            return PROCEED, ()
