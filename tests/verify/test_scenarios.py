"""Scenarios replayed: what they may leave out, and every way in which they fail."""

import pytest

from kozel_verify.interpret.chance import DeckChance, Generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.model.core import Scenario
from kozel_verify.model.load import load_text
from kozel_verify.verify.examples import Tried, try_scenario, written_out
from kozel_verify.verify.scenario_text import scenario_text
from kozel_verify.verify.scenarios import Failure, replay_scenario
from tests.verify.test_examples import spec

DECK = "deck 6♠ A♥ Q♠ A♠ 6♥ Q♥"


def tried(steps: str) -> Tried:
    """A scenario with these steps, one a line from line 4 on."""
    loaded = spec('  scenario "it" {\n' + "\n".join(f"    {s}" for s in steps.split("; ")) + "\n  }")
    scenario = written_out(loaded.game)[-1]
    assert isinstance(scenario, Scenario)
    return try_scenario(loaded.game, scenario, loaded.program.files)


@pytest.mark.parametrize(
    "steps",
    [
        f"{DECK}; expect hand[seat 1] == {{6♠}} and hand[seat 2] == {{A♥}}",
        f"{DECK}; seat 1 : lay(6♠); expect table[seat 1] == {{6♠}}; seat 2 : keep; expect points[seat 1] == 1",
        "draw 6♥; expect hand[seat 1] == {6♥} and hand[seat 2] == {}; draw 6♠; seat 1 : keep",
        f"{DECK}; draw 6♠; expect hand[seat 2] == {{}}; draw A♥; expect hand[seat 2] == {{A♥}}",
        f"option opener = seat 2; {DECK}; seat 2 : keep; seat 1 : keep",
        f"{DECK}; seat 1 : keep; seat 2 : keep; expect played == 1; draw A♠; draw A♥; seat 1 : keep; seat 2 : keep; "
        "expect played == 2",
        f"option bonus = 2; {DECK}; seat 1 : lay(6♠); seat 2 : keep; expect points[seat 1] == 2",
        f"{DECK}; seat 1 : not lay(A♥); seat 1 : not lay(Q♠); expect hand[seat 1] == {{6♠}}; seat 1 : lay(6♠)",
    ],
)
def test_that_go_as_written(steps: str) -> None:
    """Draws of a deck are passed by themselves, written ones are made; an `expect` looks at the next question or end,
    behind a written draw at that very moment; ends of deals are passed on the way to the next choice."""
    result = tried(steps)
    assert (result.holds, result.explanation) == (True, ())


@pytest.mark.parametrize(
    "steps, line, message",
    [
        (f"{DECK}; seat 2 : keep", 5, "seat 1 is asked (`deal.turn`), not seat 2"),
        (f"{DECK}; seat 1 : lay(A♥)", 5, "this is not legal: A♥ is not to be had for `c`"),
        (f"{DECK}; draw A♥", 5, "the deck brings 6♠ here"),
        (f"{DECK}; seat 1 : keep; draw 6♠", 6, "no card is drawn here: play is at `deal.turn`"),
        ("draw 6♠; draw 6♠", 5, "6♠ is not in `stock`; there lie Q♠ A♠ 6♥ Q♥ A♥"),
        ("seat 1 : keep", 4, "a card is drawn first (`deal.dealing`), and there is no deck"),
        (f"{DECK}; seat 1 : keep; seat 2 : keep; seat 1 : keep", 7,
         "a card is drawn first (`deal.dealing`), and the deck does not decide it: cards have been mixed"),
        (f"{DECK}; expect |hand[seat 1]| == 2", 5, "`|hand[seat 1]| == 2` does not hold: `|hand[seat 1]|` is 1"),
        (f"{DECK}; expect worth - 4 == 0", 5, "the rules fail here: v.kozel:5:12: 3 - 4 is below zero"),
        ("set played = 1; seat 1 : keep", 4, "`played` can be set only in a scenario that begins with `start at`"),
        (f"{DECK}; seat 1 : keep; seat 2 : keep; draw A♠; draw A♥; seat 1 : keep; seat 2 : keep; seat 1 : keep", 11,
         "the match is over"),
        (f"{DECK}; seat 1 : not lay(6♠)", 5, "this is legal, and the scenario says that it is not"),
        (f"{DECK}; seat 2 : not lay(6♠)", 5, "seat 1 is asked (`deal.turn`), not seat 2"),
        (f"{DECK}; seat 1 : keep; seat 2 : keep; seat 1 : not keep", 7,
         "a card is drawn first (`deal.dealing`), and the deck does not decide it: cards have been mixed"),
        ("start at turn; seat 1 : keep", 3, "a scenario cannot start at `deal.turn`: it is inside of a loop"),
    ],
)  # fmt: skip
def test_that_do_not(steps: str, line: int, message: str) -> None:
    """Each way to go wrong is told at the step where it does, with what would be right."""
    result = tried(steps)
    assert not result.holds
    assert (result.at.line, result.explanation[0]) == (line, message)


def test_what_is_legal() -> None:
    """A wrong choice lists the legal ones as a scenario writes them."""
    assert tried(f"{DECK}; seat 1 : lay(A♥)").explanation[1:] == ("legal are:", "  lay(6♠)", "  keep")


def test_a_long_list_is_cut() -> None:
    """Of many legal choices twelve are listed."""
    text = """language 1
game g {
  deck suits ♠, ♥, ♦, ♣ ranks 6, 7, 8, 9
  seats 2
  zone stock seen by all
  phase deal { ask seat 1 to pick { may take(c in stock) when c != 6♠ { } } }
  phase match { run deal end }
  outcome(s) = neither
  scenario "it" { seat 1 : take(6♠) }
}
"""
    game = load_text(text).game
    failure = replay_scenario(game, _scenario(written_out(game)[0]), {"spec.kozel": text})
    assert isinstance(failure, Failure)
    assert failure.lines[0] == "this is not legal: `c != 6♠` does not hold: `c` is 6♠"
    assert failure.lines[1] == "legal are:"
    assert len(failure.lines) == 2 + 12 + 1
    assert failure.lines[-1] == "  and 3 more"


def test_a_draw_from_nothing() -> None:
    """That nothing is left is said as it is, not that cards have been mixed."""
    text = """language 1
game g {
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  zone spare seen by nobody
  phase deal { draw 1 from spare to stock   ask seat 1 to turn { may pass { } } }
  phase match { run deal end }
  outcome(s) = neither
  scenario "it" { deck 6♠ A♠ 6♥ A♥ seat 1 : pass }
}
"""
    game = load_text(text).game
    failure = replay_scenario(game, _scenario(written_out(game)[0]), {"spec.kozel": text})
    assert isinstance(failure, Failure)
    assert failure.lines == ("a card is drawn first (`deal.draw`), and `spare` is empty",)


ENDLESS = """language 1
game g {
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  state deals : 0..3 = 0
  phase deal { if deals == 3 { draw 1 from stock to stock   ask seat 1 to turn { may pass { } } } }
  phase match { repeat { if NEXT { deals += 1 }   run deal } until false end }
  outcome(s) = neither
  scenario "it" { draw 6♠ }
}
"""


@pytest.mark.parametrize("further, step, message", [
    ("deals < 3", "draw 6♠", None),
    ("deals < 2", "draw 6♠", "no card is drawn here: play is at `deal.end`"),
    ("deals < 2", "seat 1 : pass", "a card is drawn first (`deal.end`), and there is no deck"),
])  # fmt: skip
def test_a_draw_that_never_comes(further: str, step: str, message: str | None) -> None:
    """On the way to a draw or a choice ends of deals are passed; rules that come back to the same one are not
    followed for ever."""
    text = ENDLESS.replace("NEXT", further).replace("draw 6♠ }", f"{step} }}")
    failure = replay_scenario(load_text(text).game, _scenario(written_out(load_text(text).game)[0]), {})
    assert (failure.lines[0] if isinstance(failure, Failure) else None) == message


def _scenario(item: object) -> Scenario:
    assert isinstance(item, Scenario)
    return item


MIDDLE = """language 1
game g {
  deck suits ♠, ♥ ranks 6, Q, A
  seats 2
  option left_over : Bool = false
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  state count : 0..9 = 0
  phase deal {
    ask seat 1 to begin { may go { } }
    draw 1 from stock to hand[seat 1] called first_card
    if left_over { move hand[seat 2] from hand[seat 2] to stock }
    draw 1 from stock to hand[seat 1] called second_card
    count += 1
    ask seat 1 to finish { may go { } }
  }
  phase match { run deal end }
  outcome(s) = neither
"""


def middle(steps: str) -> Failure | None:
    text = MIDDLE + f'  scenario "it" {{ {steps} }}\n}}\n'
    loaded = load_text(text)
    return replay_scenario(loaded.game, _scenario(written_out(loaded.game)[-1]), loaded.program.files)


def test_start_in_the_middle() -> None:
    """From a node on, with cells and zones as they are set; the other cards lie in the first zone."""
    start = "start at first_card   set hand[seat 2] = {6♠, A♥}   set count = 4"
    assert (
        middle(f"{start}  draw 6♥  expect hand[seat 1] == {{6♥}} and |stock| == 3  draw Q♠  expect count == 5") is None
    )
    deck = "deck 6♠ Q♠ A♥ A♠ 6♥ Q♥"
    assert middle(f"{start}  {deck}  expect hand[seat 1] == {{Q♠, A♠}} and count == 5") is None


def test_a_deck_ends_where_cards_are_mixed() -> None:
    """Cards that go back to others which are drawn from come in an order that no deck tells."""
    start = "start at first_card   option left_over = true  set hand[seat 2] = {6♠, A♥}  deck 6♠ Q♠ A♥ A♠ 6♥ Q♥"
    assert middle(f"{start}  expect hand[seat 1] == {{Q♠}} and |stock| == 5") is None
    failure = middle(f"{start}  seat 1 : go")
    assert failure is not None
    assert failure.lines[0].endswith("and the deck does not decide it: cards have been mixed")
    assert middle(f"{start}  draw Q♠  draw 6♠  seat 1 : go") is None


def test_a_state_that_cannot_be() -> None:
    """A card in two places, or a number out of its range, is told at the value."""
    for given in ("set hand[seat 1] = {6♠}  set hand[seat 2] = {6♠}", "set count = |stock| + 6"):
        failure = middle(f"start at begin  {given}  expect true")
        assert failure is not None
        assert failure.lines[0] in ("6♠ is put in two places", "`count` cannot hold 12: it is `0..9`")


def test_the_deck_deals_as_the_reference_does() -> None:
    """A written deck brings the cards that the reference's dealing brings from it, as long as it decides."""
    loaded = spec("  # nothing new")
    for seed in range(20):
        play = random_play(Interpreter(loaded.game), seed)
        order = DeckChance(loaded.game, Generator(seed))
        order.follow(play.opening)
        cards = " ".join(loaded.game.deck.name(c) for c in order.order)
        hands = [
            "{" + ", ".join(loaded.game.deck.name(c) for c in range(6) if play.steps[1].after.place[c] == slot) + "}"
            for slot in (1, 2)
        ]
        result = tried(f"deck {cards}; expect hand[seat 1] == {hands[0]} and hand[seat 2] == {hands[1]}")
        assert result.holds, result.explanation


def test_a_printed_run_is_a_scenario() -> None:
    """What the tool prints of a run goes as written when it is pasted into the spec."""
    loaded = spec("  # nothing new")
    interpreter = Interpreter(loaded.game, {"bonus": 2})
    play = random_play(interpreter, 4, until="match")
    text = scenario_text(loaded.game, interpreter.options, play.outcomes, title="printed", expect=["played == 2"])
    again = spec(text)
    assert try_scenario(again.game, _scenario(written_out(again.game)[-1]), again.program.files).holds


def test_a_refusal_of_what_is_no_argument() -> None:
    """Arguments of another question's verb of the same name are a mistake of the scenario, not a refusal."""
    text = """language 1
game g {
  deck suits ♠ ranks 6, 7
  seats 1
  zone stock seen by nobody
  phase match { repeat { run deal } until true end }
  phase deal { ask seat 1 to first_one { may take(c in stock) { } } ask seat 1 to then_one { may take(n in 1..2) { } } }
  outcome(s) = neither
  scenario "one" { seat 1 : take(6♠) seat 1 : not take(6♠) }
  scenario "two" { seat 1 : not take(7♠) }
}
"""
    game = load_text(text).game
    one, two = written_out(game)
    assert isinstance(one, Scenario) and isinstance(two, Scenario)
    failure = replay_scenario(game, one, {})
    assert failure is None or failure.lines[0] == "these are no arguments of `take` at `deal.then_one`"
    failure = replay_scenario(game, two, {})
    assert failure is not None and failure.lines[0] == "this is legal, and the scenario says that it is not"


def test_the_end_of_the_match() -> None:
    """`end` holds when nothing comes after the deal, which is passed; before, it says where play goes on."""
    text = """language 1
game g {
  deck suits ♠ ranks 6, 7
  seats 1
  zone stock seen by nobody
  state played : 0..2 = 0
  phase match { repeat { run deal } until played == 2 end }
  phase deal { ask seat 1 to choose { may take(c in stock) { } } played += 1 }
  outcome(s) = neither
  scenario "over" { seat 1 : take(6♠) seat 1 : take(7♠) expect played == 2 end }
  scenario "not yet" { seat 1 : take(6♠) end }
}
"""
    game = load_text(text).game
    over, early = written_out(game)
    assert isinstance(over, Scenario) and isinstance(early, Scenario)
    assert replay_scenario(game, over, {}) is None
    failure = replay_scenario(game, early, {})
    assert failure is not None and failure.lines[0] == "the match is not over: play goes on at `deal.choose`"


SAYING = """language 1
game g {
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  zone hand[s : Seat] seen by {s}
  phase deal {
    gather pack into stock
    announce 1 as opened
    draw 1 from stock to hand[seat 1]
    announce seat 2 as second to {seat 2}
    ask seat 1 to turn { may go { announce 2 show hand[seat 1] to {seat 2} announce 3 as last }
      may pass { } may stay { announce 9 announce 9 as last } }
    draw 1 from stock to hand[seat 2]
    announce 4 as drawn
  }
  phase match { run deal announce 5 as over end }
  outcome(s) = neither
  scenario "it" {
STEPS
  }
}
"""


def said(steps: str, rules: str = SAYING) -> Failure | None:
    """What becomes of a scenario with these steps, one a line from line 20 on."""
    text = rules.replace("STEPS", "\n".join(f"    {s}" for s in steps.split("; ")))
    game = load_text(text).game
    return replay_scenario(game, _scenario(written_out(game)[0]), {"spec.kozel": text})


STACKED = "deck 6♠ A♥ A♠ 6♥"
OPENED = "told seat 1 : opened = 1; told seat 2 : opened = 1, second = seat 2"
SECOND = "told seat 1 : none; told seat 2 : second = seat 2"
WENT = "told seat 1 : announce = 2, last = 3; told seat 2 : announce = 2, shown {6♠}, last = 3"


@pytest.mark.parametrize(
    "steps",
    [
        f"{STACKED}; {OPENED}; seat 1 : pass; told all : drawn = 4",
        f"told all : opened = 1; draw 6♠; {SECOND}; seat 1 : go; {WENT}; draw A♥; told all : drawn = 4; end; "
        "told all : over = 5",
        "draw 6♠; seat 1 : pass; told {seat 2, seat 1} : none",
        f"draw 6♠; {SECOND}; expect |stock| == 3; {SECOND}",
    ],
)
def test_what_seats_are_told(steps: str) -> None:
    """All that was announced and shown to a seat since the last choice, written draw or end, in order."""
    assert said(steps) is None


@pytest.mark.parametrize(
    "old, new, seat, heard",
    [
        ("announce 2 show", "show", 1, "last = 3"),
        ("announce 2 show", "announce 1 show", 1, "announce = 1, last = 3"),
        ("announce 2 show", "announce 2 to {seat 1} show", 2, "shown {6♠}, last = 3"),
        ("show hand[seat 1] to {seat 2}", "show hand[seat 1] to all", 1, "announce = 2, shown {6♠}, last = 3"),
        ("show hand[seat 1] to {seat 2}", "", 2, "announce = 2, last = 3"),
        ("show hand[seat 1] to {seat 2}", "show {A♠} to {seat 2}", 2, "announce = 2, shown {A♠}, last = 3"),
        ("show hand[seat 1] to {seat 2} announce 3 as last", "announce 3 as last show hand[seat 1] to {seat 2}", 2,
         "announce = 2, last = 3, shown {6♠}"),
        ("announce 3 as last }", "announce 3 as last announce 2 as last to {seat 1} }", 1,
         "announce = 2, last = 3, last = 2"),
    ],
)  # fmt: skip
def test_what_seats_are_not_told(old: str, new: str, seat: int, heard: str) -> None:
    """An announcement that is dropped, changed, told to others or in another order, or once more, is noticed at the
    line of the first seat that is told something else, with both lists."""
    rules = SAYING.replace(old, new)
    assert rules != SAYING
    fails = said(f"draw 6♠; seat 1 : go; {WENT}", rules)
    assert fails is not None and fails.span.line == 21 + seat
    ours = {1: "announce = 2, last = 3", 2: "announce = 2, shown {6♠}, last = 3"}[seat]
    assert fails.lines == (f"this is not what seat {seat} was told", f"written: {ours}", f"told: {heard}")


def test_nothing_told() -> None:
    """Who is told something is not told nothing, and the other way round; what is moved or chosen is not told."""
    fails = said(f"{STACKED}; told seat 2 : none")
    assert fails is not None and fails.lines[1:] == ("written: none", "told: opened = 1, second = seat 2")
    fails = said("draw 6♠; seat 1 : pass; told all : last = 3")
    assert fails is not None and fails.lines[0] == "this is not what seat 1 was told" and fails.lines[2] == "told: none"
