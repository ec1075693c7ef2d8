"""What of a game an expression may read."""

from kozel_verify.model.core import Call, Example, Game, Lemma, Property, Secret, StateClaim
from kozel_verify.model.dependencies import Dependencies, Names
from kozel_verify.model.load import load
from tests.model.frame import game
from tests.support.readme import ROOT

ITEMS = """
  option doubled : Bool = false
  option idle : Bool = false
  const bonus = 2
  state opener : Seat = seat 1
  state score[s : Seat] : 0..9 = 0
  state spare : Nat = 0
  function worth(c : Card) : 0..4 = if doubled then 2 * bonus else if c in open_cards then 1 else 0
  function outer(c : Card) : 0..5 = worth(c) + 1
  function alone() : 0..1 = if spare == 0 then 1 else 0
  zone side_pile seen by if opener == seat 1 then all else nobody
  lemma small(c : Card) : outer(c) <= 5
  lemma plain_truth(c : Card) : rank(c) == rank(c) and bonus == 2
  invariant low at finish : every s in Seat : score[s] == 0
  secret hands[s : Seat] : hand[s] from all without {s}
  example worth(6♠) == 4 given doubled = true, opener = seat 2
"""
STATEMENTS = "    score[opener] := 1\n    move {6♠} from stock to open_cards"


def names(functions: str = "", cells: str = "", zones: str = "", options: str = "") -> Names:
    return Names(*(frozenset(text.split()) for text in (functions, cells, zones, options)))


def claim(made: Game, name: str) -> Property:
    return next(p for p in made.properties if p.name == name)


def test_through_functions() -> None:
    """A function's reads are those of its body and of what that calls; itself is among them."""
    d = Dependencies(game(ITEMS, STATEMENTS))
    assert d.of_function("worth") == names("worth", "", "open_cards", "doubled")
    assert d.of_function("outer") == names("outer worth", "", "open_cards", "doubled")
    assert d.of_function("alone") == names("alone", "spare")


def test_properties() -> None:
    """A property reads what its statement reads; constants have no name any more; an example also what it is given."""
    made = game(ITEMS, STATEMENTS)
    d = Dependencies(made)
    small, truth, low = (claim(made, n) for n in ("small", "plain_truth", "low"))
    assert isinstance(small, Lemma)
    assert isinstance(low, StateClaim)
    assert d.of_property(small) == names("outer worth", "", "open_cards", "doubled")
    assert d.of_property(truth) == Names()
    assert d.of_property(low) == names("", "score")
    example = claim(made, "example_1")
    assert isinstance(example, Example)
    assert d.of_property(example) == names("worth", "opener", "open_cards", "doubled")


def test_a_secret_depends_on_who_sees() -> None:
    """The statement of a secret reads what decides about the visibility of zones."""
    made = game(ITEMS, STATEMENTS)
    secret = claim(made, "hands")
    assert isinstance(secret, Secret)
    assert Dependencies(made).of_property(secret) == names("", "opener", "hand")


def test_play() -> None:
    """Play comes to what its statements read and change, and to who sees what; not to what nothing in it names."""
    process = Dependencies(game(ITEMS, STATEMENTS)).process
    assert process.functions == frozenset()
    assert process.cells == {"opener", "score"}
    assert process.zones == {"stock", "open_cards"}
    assert process.options == frozenset()
    assert "score" in process
    assert "spare" not in process


def test_what_effects_change() -> None:
    """A gathering empties all zones; a move changes two; an assignment its cell."""
    made = game(ITEMS, "    gather pack into stock\n" + STATEMENTS)
    d = Dependencies(made)
    effects = [e for block in made.blocks for e in block.effects]
    found = [d.written(e) for e in effects]
    assert names("", "", "stock hand open_cards side_pile") in found
    assert names("", "score") in found
    assert names("", "", "stock open_cards") in found


def test_a_changed_body_is_seen() -> None:
    """The answers come from the rules at hand: with another body a function reads something else."""
    changed = game(ITEMS.replace("then 2 * bonus", "then spare mod 2"), STATEMENTS)
    assert Dependencies(changed).of_function("outer") == names("outer worth", "spare", "open_cards", "doubled")


def test_all_functions_of_a_game_that_play_calls() -> None:
    """On a whole game: play comes to the functions that it calls, and to all that they read, and to no others."""
    made = load(ROOT / "spec" / "kozel_shokha.kozel").game
    d = Dependencies(made)
    assert {"beats", "captures", "fits", "fine", "higher", "points"} <= d.process.functions
    assert "feasible" not in d.process.functions
    assert d.process.options == set(made.options)
    assert d.process.zones == set(made.zones)
    for name in d.process.functions:
        read = d.of_function(name)
        assert read.functions <= d.process.functions
        assert read.cells <= d.process.cells
    assert d.of_function("beats") == names("beats higher", "trump")
    call = Call("beats", (), made.functions["beats"].type)
    assert d.of(call) == d.of_function("beats")
