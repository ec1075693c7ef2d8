"""Witnesses reached with the solver's help: stacked decks that bring what chance hardly brings, and nothing else."""

from functools import cache

from kozel_verify.interpret.chance import Generator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import replay
from kozel_verify.model.core import Apply, Claim, Game, StateClaim
from kozel_verify.model.load import load
from kozel_verify.model.types import BOOL
from kozel_verify.symbolic.imagine import imagine
from kozel_verify.verify.reaching import likeness, reach, stacked
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.verify.planted import GAME, SPECS


@cache
def subject() -> Subject:
    return Subject(load(SPECS / GAME), Settings())


def claim(game: Game, name: str) -> StateClaim:
    (found,) = [p for p in game.properties if isinstance(p, StateClaim) and p.name == name]
    return found


def test_two_rare_hands_in_one_window() -> None:
    """A run that the interpreter accepts, to a state where two seats have declared a hand that one deal in many
    thousands brings; found from nothing but the rules."""
    game = subject().game
    options, run = reach(subject(), ["two_moscows"])["two_moscows"]
    interpreter = Interpreter(game, options)
    last = replay(interpreter, run).states[-1]
    assert last.node in claim(game, "two_moscows").nodes
    assert interpreter.evaluate(last, claim(game, "two_moscows").statement) is True


def test_what_cannot_be_is_not_imagined() -> None:
    """What contradicts an invariant has no state, and what is possible has one with the cards as they were counted."""
    game = subject().game
    said = claim(game, "said_fits")
    node = said.nodes[0]  # no card has been played there yet
    assert said.claim is Claim.INVARIANT and set(said.nodes) <= set(claim(game, "two_moscows").nodes)
    sizes = [0] * game.zone_slots()
    for name, position, size in (("hand", 0, 4), ("hand", 1, 4), ("hand", 2, 4), ("hand", 3, 4), ("stock", 0, 19)):
        sizes[game.zones[name].base + position] = size
    sizes[game.zones["indicator"].base] = 1
    options = {name: option.default for name, option in game.options.items()} | {"declare_at_first_lead": True}
    assert imagine(game, options, node, Apply("not", (said.statement,), BOOL), sizes, 4_000_000) is None
    aim = imagine(game, options, node, claim(game, "two_moscows").statement, sizes, 4_000_000)
    assert aim is not None
    assert [aim.place.count(slot) for slot in range(len(sizes))] == sizes
    assert imagine(game, options, node, claim(game, "two_moscows").statement, sizes, 1) is None  # no resources


def test_the_deck_lies_as_imagined() -> None:
    """Each position of a stacked deck has a card of the slot that it comes into, and all cards are there once."""
    game = subject().game
    interpreter = Interpreter(game)
    state = interpreter.initial()[0]
    places = [state.place[c] for c in range(36)]
    mixed = [*places[:30], *[1] * 6]
    aim = state.__class__(state.node, state.cells, tuple(reversed(mixed)))
    deck = stacked(mixed, aim, Generator(1))
    assert sorted(deck) == list(range(36)) and [aim.place[c] for c in deck] == mixed
    assert likeness(aim, aim) == 36 + len(state.cells) > likeness(state, aim)


def test_a_witness_that_cannot_be_reached() -> None:
    """Negative control: of a name that is no witness, and of a claim that is none, nothing is found."""
    assert reach(subject(), ["no_such"]) == {}
    assert reach(subject(), ["said_fits"]) == {}
