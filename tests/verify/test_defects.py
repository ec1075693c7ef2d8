"""Faults that were seen in public programs for such games, planted one by one: a named obligation refutes each.

Ten are planted in the text of the spec or of its modules; the counterexample is a play, and the reference interpreter
replays it in the faulty game. Two are not faults of rules: dealing one card to two players, and a shuffle that leaves
the last card where it is. They are planted in the interpreter. (What gives secrets away: `test_defects_of_secrets`.)
"""

from pathlib import Path

import pytest

from kozel_verify.interpret import chance
from kozel_verify.interpret.chance import DeckChance, Generator
from kozel_verify.interpret.errors import IllegalChoice, Reason
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, random_play, replay
from kozel_verify.interpret.run import Run
from kozel_verify.model.core import OUTSIDE, Draw, Lemma
from kozel_verify.model.load import Spec
from kozel_verify.verify.doing import do
from kozel_verify.verify.evidence import Evidence, counterexample_of, legs_of
from kozel_verify.verify.findings import Counterexample, Leg, Obligation, Verdict, conclude
from kozel_verify.verify.hunt import hunt
from kozel_verify.verify.plays import look
from kozel_verify.verify.probes import probe_for, show
from kozel_verify.verify.run import Work, wanted
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject, covering_options
from kozel_verify.verify.wiring import CONSERVATION
from tests.interpret import test_chance as shuffles
from tests.verify.planted import GAME, STOCK, TRICK, Change, planted

CAPTURES = "predicate captures(r : Cards, g : Cards) = |r| == |g| and matching g -> r by beats"
IN_ORDER = """order laid = ♠ > ♣ > ♦ > ♥
  predicate earlier(x : Card, y : Card) =
    suit(x) above suit(y) in laid or suit(x) == suit(y) and rank(x) above rank(y) in plain
  predicate captures(r : Cards, g : Cards) = |r| == |g| and every y in g : some x in r :
    beats(x, y) and |those z in r where earlier(z, x)| == |those z in g where earlier(z, y)|"""
GREEDY = """predicate captures(r : Cards, g : Cards) = |r| == |g| and every x in r : some y in g :
    beats(x, y) and every z in r : beats(z, y) implies not beats(x, z)"""
SHORTER = """predicate beaten(y : Card, x : Card) = beats(x, y)
  predicate captures(r : Cards, g : Cards) = |r| <= |g| and matching r -> g by beaten"""
WRITTEN = "written[d] := fine("
SECOND = "written[d] := if d == east_west and points(won[d]) == points(won[opponents(d)]) then 0 else fine("
DRAW_ROUND = "for each s in at_table() clockwise from leader {\n        if stock_is_next()"
DRAW_ALL = """let s = first t in at_table() clockwise from leader where |hand[t]| < hand_size
      for each once in 1..1 {
        if stock_is_next()"""
BETWEEN = """for each s in at_table() without {leader} clockwise after leader {
      if answered(left(leader)) and not answered(s) { run before_taking }"""
WINDOW = "  procedure before_taking { if |waiting| == 0 and |hand[leader]| > 0 { run window } }\n"
ROUNDS = "while |hand[leader]| < hand_size and stock_left() > 0"
TURNS = "while stock_left() > 0 and some t in at_table() : |hand[t]| < hand_size"


def concluded(subject: Subject, name: str, evidence: Evidence) -> Obligation:
    kind = next(w.kind for w in wanted(subject.spec) if w.name == name)
    return conclude(name, kind, legs_of(name, [evidence]), counterexample_of(name, [evidence]))


def refuted(subject: Subject, obligation: Obligation) -> Counterexample:
    """The counterexample, whose run the interpreter has replayed here."""
    assert obligation.verdict is Verdict.REFUTED
    found = obligation.counterexample
    assert found is not None and found.confirmed and found.run is not None and found.explanation
    game = subject.small(found.pack) if found.pack else subject.game
    played = replay(Interpreter(game, found.options), found.run)
    assert played.stopped is Stop.REACHED and len(played.steps) == len(found.run)
    return found


def by_lemma(spec: Spec, name: str) -> Counterexample:
    """By the work of this lemma: values for which the interpreter has found it false."""
    subject, game = Subject(spec, Settings()), spec.game
    index = next(n for n, p in enumerate(game.properties) if isinstance(p, Lemma) and p.name == name)
    found = concluded(subject, name, do(subject, Work("lemma", (index,), (name,))))
    assert found.verdict is Verdict.REFUTED and found.counterexample is not None and found.counterexample.confirmed
    return found.counterexample


def by_closure(spec: Spec, name: str, pack: str) -> Counterexample:
    """By closing a small pack with the default options."""
    subject = Subject(spec, Settings(states=30_000))
    work = Work("closure", (pack, covering_options(subject.small(pack))[0]), (name,))
    return refuted(subject, concluded(subject, name, do(subject, work)))


def by_plays(spec: Spec, name: str, numbers: range) -> Counterexample:
    """By the first of the random matches of these numbers on the full pack that violates the claim."""
    subject = Subject(spec, Settings())
    for number in numbers:
        interpreter, options, play = subject.play(number)
        seen = look([(interpreter, options, play)], [name])
        if name in seen.violations:
            shown = show(subject, interpreter, name, seen.violations[name][1])
            legs = ((name, Leg("random plays", Verdict.REFUTED)),)
            return refuted(subject, concluded(subject, name, Evidence(legs, ((name, shown),))))
    raise AssertionError(f"`{name}` holds in {len(numbers)} matches")


# --- groups against groups -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "captures",
    [
        pytest.param(IN_ORDER, id="card by card in the order laid"),
        pytest.param(GREEDY, id="greedily, so that a matching is missed"),
        pytest.param(f"{CAPTURES} and one_suit(r)", id="only with cards of one suit"),
    ],
)
def test_a_group_is_beaten_by_any_matching(tmp_path: Path, captures: str) -> None:
    """Three wrong ways to compare groups: in a play, the menu is not what counting the better cards allows; and the two
    are not the same for all groups."""
    spec = planted(tmp_path, (GAME, CAPTURES, captures))
    found = by_plays(spec, "may_beat", range(6))
    assert "not beat(" in found.scenario or ": beat(" in found.scenario
    by_lemma(spec, "capture_by_count")


def test_a_shorter_answer_never_wins(tmp_path: Path) -> None:
    """An answer of fewer cards, each of which beats a card of its own, is laid open and noticed on the table."""
    shorter = (TRICK, "beat(r : |table[leader]| of", "beat(r : 1..|table[leader]| of")
    by_plays(planted(tmp_path, (GAME, CAPTURES, SHORTER), shorter), "same_number", range(4))


# --- the count -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            (GAME, "when taken == 0 -> 6", "when own == 0 -> 6"), id="six without points, though with a trick"
        ),
        pytest.param((GAME, WRITTEN, SECOND), id="of two equal sides the second gets nothing"),
    ],
)
def test_what_is_written(tmp_path: Path, change: Change) -> None:
    """Six only without a trick; nothing only for the side with more points."""
    by_closure(planted(tmp_path, change), "written_right", "pairs")


def test_thirty_points_write_four(tmp_path: Path) -> None:
    """With 30 counted as 31 some random deal writes two for thirty points. (The first such match has number 26.)"""
    spec = planted(tmp_path, (GAME, "when own <= 30 -> 4", "when own < 30 -> 4"))
    found = by_plays(spec, "written_right", range(26, 66))
    assert any("is 30" in line for line in found.explanation)


# --- drawing ---------------------------------------------------------------------------------------------------------


def test_the_indicator_is_drawn_last(tmp_path: Path) -> None:
    """With the turned card drawn first there is a draw from the stock without it on the table."""
    by_closure(planted(tmp_path, (STOCK, "if stock_is_next() {", "if |indicator| == 0 {")), "indicator_waits", "pairs")


def test_cards_are_drawn_one_at_a_time(tmp_path: Path) -> None:
    """One player who draws all that he lacks before the next one draws: the hands are no longer level."""
    spec = planted(tmp_path, (STOCK, DRAW_ROUND, DRAW_ALL), (STOCK, ROUNDS, TURNS))
    by_closure(spec, "draw_order", "pairs")


# --- declaring -------------------------------------------------------------------------------------------------------


def test_nobody_declares_in_the_middle_of_a_trick(tmp_path: Path) -> None:
    """A window after an answer: it is opened with cards on the table, which `between_tricks` forbids, and with hands
    that are not whole, which `window_hands` forbids."""
    answered = (TRICK, "    run before_taking\n", "")
    between = (TRICK, "for each s in at_table() without {leader} clockwise after leader {  ", f"{BETWEEN}  ")
    spec = planted(tmp_path, answered, between, (GAME, "  procedure take_trick(", f"{WINDOW}  procedure take_trick("))
    for name in ("between_tricks", "window_hands"):
        found = by_plays(spec, name, range(1))
        assert found.explanation[0] == f"`{name}` does not hold at `deal.trick.before_taking.window.declaration`"
        assert found.scenario.count("seat ") >= 2


# --- faults outside of the rules -------------------------------------------------------------------------------------


def test_a_card_dealt_twice_is_lost_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interpreter that deals the card of one player to the next as well: the card drawn lies nowhere, and
    `conservation` says so. Without the fault it says nothing."""
    spec = planted(tmp_path)
    interpreter = Interpreter(spec.game)
    probe = probe_for(interpreter, CONSERVATION)
    assert hunt(interpreter, probe, [1]) is None
    right, dealt = Run.draw, list[int]()

    def twice(self: Run, node: Draw, card: int) -> None:
        right(self, node, card)
        dealt.append(card)
        place = list(self.state.place)
        if len(dealt) % 2 == 0:
            place[dealt[-2]], place[card] = place[card], OUTSIDE
        self.state = type(self.state)(self.state.node, self.state.cells, tuple(place))

    monkeypatch.setattr(Run, "draw", twice)
    play = random_play(interpreter, 1, limit=2)
    text = probe.state(interpreter, play.final) if probe.state else None
    assert text is not None and text.endswith("is not where a card can be")
    assert spec.game.deck.name(dealt[1]) in text


def test_a_deal_that_gives_a_card_again_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dealer who takes the first card of the pack each time is stopped at the second draw: no such card is there."""
    interpreter = Interpreter(planted(tmp_path).game)
    monkeypatch.setattr(DeckChance, "draw", lambda self, slot: self.order[0])
    with pytest.raises(IllegalChoice) as refused:
        random_play(interpreter, 1)
    assert refused.value.reason is Reason.DOMAIN


def test_every_card_is_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shuffle that leaves the last card: the check over all sequences of random numbers finds orders that never
    come, and the dealing of 20 seeds shows it too. Neither says so of the shuffle as it is."""
    assert shuffles.uniform(shuffles.orders(chance.shuffled, [4, 3, 2], 4), 4)
    assert len({DeckChance(shuffles.GAME, Generator(seed)).order[-1] for seed in range(20)}) == 6
    monkeypatch.setattr(chance, "shuffled", lambda items, below: shuffles.last_stays(list(items), below))
    assert not shuffles.uniform(shuffles.orders(chance.shuffled, [3, 2], 4), 4)
    assert len({DeckChance(shuffles.GAME, Generator(seed)).order[-1] for seed in range(20)}) == 1
