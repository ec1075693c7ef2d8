"""Claims about steps and menus are read against the graph: names on both sides, choices, one claim for each meaning."""

import pytest

from kozel_verify.model.core import CellRead, Game, Local, MenuClaim, Old, StepClaim
from kozel_verify.model.load import load_text
from kozel_verify.model.types import RangeType, SetType
from kozel_verify.model.walk import subexpressions
from tests.model.frame import codes, game, problems, text

ROUND = """for each s in Seat clockwise from seat 1 {
  ask s to turn { may take(g : 1..2 of hand[s], n in 1..3) { move g from hand[s] to open_cards } may pass { } }
}"""
TWICE = "run p run p"
PROCEDURE = "procedure p { for each s in Seat { ask s to turn { may go { } } } }\n"


def steps(items: str, statements: str = ROUND) -> list[StepClaim]:
    return [p for p in game(items, statements).properties if isinstance(p, StepClaim)]


def menus(items: str, statements: str = ROUND) -> list[MenuClaim]:
    return [p for p in game(items, statements).properties if isinstance(p, MenuClaim)]


def named(made: Game, nodes: tuple[int, ...]) -> list[str]:
    return [made.nodes[n].name for n in nodes]


def test_where_steps_lead() -> None:
    """Without `to` a claim is about all nodes to which a step leads; without `by` about all that is chosen there."""
    made = game("step a from turn : true\nstep b from turn by pass to finish : true", ROUND)
    whole, part = (p for p in made.properties if isinstance(p, StepClaim))
    assert (named(made, whole.sources), whole.verb, whole.arguments) == (["deal.turn"], "", ())
    assert named(made, whole.targets) == ["deal.turn", "deal.finish"]
    assert (named(made, part.sources), part.verb, named(made, part.targets)) == (["deal.turn"], "pass", ["deal.finish"])


def test_arguments_have_the_names_in_brackets() -> None:
    """They are bound in the order of the verb's parameters, inside of `old` and outside."""
    [claim] = steps("step a from turn by take(h, k) to turn : old(h within hand[s]) and h within open_cards and k > 0")
    assert [a.name for a in claim.arguments] == ["h", "k"]
    assert isinstance(claim.arguments[0].type, SetType) and claim.arguments[1].type == RangeType(1, 3)
    read = {e.name for e in subexpressions(claim.statement) if isinstance(e, Local)}
    assert read == {"h", "k"}


def test_names_before_and_after() -> None:
    """Outside of `old` a name is that of the node after the step, inside that of the node before it."""
    both = f"{ROUND}\nfor each s in Seat {{ ask s to last {{ may stop {{ }} }} }}"
    [claim] = steps("step a from turn to last : old(s) != s", both)
    cells = [e for e in subexpressions(claim.statement) if isinstance(e, CellRead)]
    [past] = [e.value for e in subexpressions(claim.statement) if isinstance(e, Old)]
    assert past in cells and len({e.cell for e in cells}) == 2


def test_a_quantifier_around_old_binds_for_both_states() -> None:
    """Its variable may have the name of one of the nodes, and means itself on both sides."""
    [claim] = steps("step a from turn : every s in Seat : |old(hand[s])| >= |hand[s]|")
    assert not any(isinstance(e, CellRead) for e in subexpressions(claim.statement))


def test_constants_are_as_they_were() -> None:
    """`old` of a constant is the constant."""
    [claim] = steps("step a from turn : old(2) < 3")
    assert not any(isinstance(e, Old) for e in subexpressions(claim.statement))


def test_one_claim_for_each_meaning() -> None:
    """Where a name stands for different cells, pairs of nodes go into different claims: no claim is about more pairs
    than were asked for."""
    items = f"{PROCEDURE}step a from turn to turn : s != old(s)\nstep b from turn to turn : true"
    made = game(items, TWICE)
    found = [p for p in made.properties if isinstance(p, StepClaim)]
    pairs: dict[str, list[tuple[list[str], list[str]]]] = {p.name: [] for p in found}
    for p in found:
        pairs[p.name].append((named(made, p.sources), named(made, p.targets)))
    first, second = "deal.p.turn", "deal.p.turn#2"
    assert pairs["a"] == [([first], [first]), ([first], [second]), ([second], [second])]
    assert pairs["b"] == [([first], [first, second]), ([second], [second])]
    assert [len(menus(f"{PROCEDURE}menu a at turn : go when {e}", TWICE)) for e in ("s in all", "true")] == [2, 1]


@pytest.mark.parametrize(
    ("item", "code", "message"),
    [
        ("step a from turn by fly(g) : true", "unknown-name", "there is no verb `fly` at `deal.turn`"),
        ("step a from end by pass : true", "unknown-name", "nobody chooses at `end`"),
        ("step a from turn by take(g) : true", "arguments", "`take` takes 2 arguments, not 1"),
        ("step a from turn by take : true", "arguments", "`take` takes 2 arguments, not 0"),
        ("step a from turn by take(g, g) : true", "clash", "`g` is there twice"),
        ("step a from turn by take(hand, n) : true", "clash", "`hand` has a meaning already"),
        ("step a from turn to end : true", "unknown-node", "no such step ends at `end`"),
        ("step a from finish to turn : true", "unknown-node", "no such step ends at `turn`"),
        ("step a from turm : true", "unknown-node", "there is no node `turm`"),
        ("step a from turn : s in all", "unknown-name", "there is nothing called `s` here"),
        ("step a from finish : old(s) in all", "unknown-name", "there is nothing called `s` here"),
        ("step a from turn : old(old(1)) == 1", "old", "this is about the state before the step already"),
        ("step a from turn : 1", "type", "a value of type Bool is wanted, this is the number 1"),
        ("menu a at turn : fly(g) when true", "unknown-name", "there is no verb `fly` at `deal.turn`"),
        ("menu a at end : pass when true", "unknown-name", "nobody chooses at `end`"),
        ("menu a at turn : take(g) when true", "arguments", "`take` takes 2 arguments, not 1"),
        ("menu a at turn : pass when old(true)", "old", "there is no step here that something could be before"),
        ("invariant a : old(1) == 1", "old", "there is no step here that something could be before"),
        ("example old(1) == 1", "old", "there is no step here that something could be before"),
        ("predicate a = old(1) == 1", "old", "there is no step here that something could be before"),
    ],
)
def test_faults(item: str, code: str, message: str) -> None:
    """Each fault has its code, and a message at its place."""
    [found] = problems(item, ROUND)
    assert (found.code, found.message) == (code, message)


def test_an_unknown_verb_lists_those_there_are() -> None:
    """The hint names the verbs of the node, or the nearest of them; that of a step without a way where one leads."""
    assert problems("step a from turn by fly(g) : true", ROUND)[0].hint == "the verbs there are `take`, `pass`"
    assert problems("menu a at turn : tke(g, n) when true", ROUND)[0].hint == "did you mean `take`?"
    hint = problems("step a from turn to end : true", ROUND)[0].hint
    assert hint == "one step leads to `deal.finish`, `deal.turn`"


def test_what_is_not_kept() -> None:
    """A value that nothing needs at the node cannot be named there, before the step as little as after it."""
    made = "let early = |stock|\nask seat 1 to one { may pass { } }"
    assert codes("step a from one : old(early) > 0", made) == ["not-kept"]
    assert codes("menu a at one : pass when early > 0", made) == ["not-kept"]
    assert codes("step a from one : old(early) > 0", f"{made}\nannounce early") == []


def test_a_way_that_a_smaller_pack_closes() -> None:
    """What no step of a smaller pack does is not claimed of there; it is no error."""
    items = "const size = 2\npack tiny { cards {6♠} size = 1 }\nstep a from draw to draw : true"
    spec = load_text(text(items, "draw size from stock to hand[seat 1]"))
    assert [p.name for p in spec.game.properties if isinstance(p, StepClaim)] == ["a"]
    assert spec.small("tiny").properties == ()


def test_names_are_those_of_properties() -> None:
    """Steps and menus share the names of all properties."""
    items = "step a from turn : true\nmenu a at turn : pass when true"
    assert codes(items, ROUND) == ["clash"]


def test_refusals_are_read_like_choices() -> None:
    """A step `not …` of a scenario has the kind `refuse`, and the same faults as a choice."""
    [scenario] = game('scenario "one" { seat 2 : not take({6♠}, 3) seat 1 : pass }', ROUND).properties
    assert [(s.kind, s.seat, s.verb, s.arguments) for s in scenario.steps] == [  # type: ignore[union-attr]
        ("refuse", 1, "take", (1, 3)), ("choose", 0, "pass", ())]  # fmt: skip
    assert codes('scenario "one" { seat 9 : not pass }', ROUND) == ["range"]
    assert codes('scenario "one" { seat 1 : not fly }', ROUND) == ["unknown-name"]
    assert codes('scenario "one" { seat 1 : not take({6♠}) }', ROUND) == ["arguments"]
