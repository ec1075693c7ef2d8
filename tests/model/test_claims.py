"""Properties are read against the finished graph: their nodes, the names in sight there, their values."""

import pytest

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import (
    CellRead,
    Compiled,
    Const,
    Example,
    Lemma,
    Measure,
    Property,
    Scenario,
    Secret,
    StateClaim,
)
from kozel_verify.model.load import load_text
from tests.cli.run import SMALL
from tests.model.frame import codes, game, problems, text, value

LOOP = """for each s in Seat clockwise from seat 2 {
  ask s to turn { may take(c in hand[s]) { ask s to after_it { may go { announce c } } } may pass { } }
}"""


def properties(items: str, statements: str = "") -> tuple[Property, ...]:
    return game(items, statements).properties


def claims(items: str, statements: str = LOOP) -> list[StateClaim]:
    return [p for p in properties(items, statements) if isinstance(p, StateClaim)]


def names(claim: StateClaim, statements: str = LOOP) -> list[str]:
    return [game("", statements).nodes[n].name for n in claim.nodes]


def test_nodes_by_their_last_names() -> None:
    """A claim is about all nodes of the name, a longer path about fewer, a whole name about that alone."""
    procedure = "procedure p { ask seat 1 to turn { may go { } } }\n"
    made = game(procedure + "invariant a at turn : true\ninvariant b at p.turn : true"
                "\ninvariant c at deal.p.turn, finish : true"
                "\ninvariant d : true\ninvariant e at end : true\ninvariant f at deal.end : true",
                "run p run p ask seat 1 to turn { may go { } }")  # fmt: skip
    found = {p.name: [made.nodes[n].name for n in p.nodes] for p in made.properties if isinstance(p, StateClaim)}
    assert found["a"] == ["deal.p.turn", "deal.p.turn#2", "deal.turn"]
    assert found["b"] == ["deal.p.turn", "deal.p.turn#2"]
    assert found["c"] == ["deal.p.turn", "deal.p.turn#2", "deal.finish"]
    assert len(found["d"]) == 6 and found["e"] == ["end"] and found["f"] == ["deal.end"]


def test_unknown_nodes() -> None:
    """A node that is not there is an error with the nearest name; one that play never comes to says so."""
    [error] = problems("invariant a at finnish : true")
    assert (error.code, error.hint) == ("unknown-node", "did you mean `finish`?")
    [error] = problems("procedure p { ask seat 1 to turn { may go { } } }\ninvariant a at turn : true")
    assert (error.code, error.message) == ("unknown-node", "play never comes to `turn`")


def test_a_variable_of_other_nodes() -> None:
    """Where a variable is not in sight, the hint says at which nodes it is; a name of nothing gets none."""
    [error] = problems("invariant a at finish : c in hand[seat 1]", LOOP)
    assert (error.code, error.hint) == ("unknown-name", "it can be named only at `deal.after_it`")
    [error] = problems("invariant a at finish : s == seat 1", LOOP)
    assert error.hint == "it can be named only at `deal.turn`, `deal.after_it`"
    [error] = problems("invariant a at finish : q == seat 1", LOOP)
    assert (error.code, error.hint) == ("unknown-name", "")
    four = "for each s in Seat { " + " ".join(f"ask s to q{n} {{ may go {{ }} }}" for n in range(4)) + " }"
    [error] = problems("invariant a at finish : s == seat 1", four)
    assert error.hint == "it can be named only at `deal.q0`, `deal.q1`, `deal.q2` and others"


def test_variables_in_sight() -> None:
    """At a node, the variable of a loop around it, what is left of the loop, lets and bindings can be named."""
    [claim] = claims("invariant a at turn : s in all and |unserved(s)| < 2")
    read = repr(claim.statement)
    assert "'deal.s'" in read and "'deal.s_unserved'" in read
    [claim] = claims("invariant a at after_it : c not in stock")
    assert isinstance(claim.statement, object) and "deal.turn.take.c" in repr(claim.statement)
    assert codes("invariant a at finish : s in all", LOOP) == ["unknown-name"]


def test_shadowing_in_properties() -> None:
    """A quantifier of a property may have the name of a variable of the node; elsewhere it may not."""
    [claim] = claims("invariant a at turn : every s in Seat : |hand[s]| >= 0")
    assert names(claim) == ["deal.turn"]
    assert codes("", "for each s in Seat { if every s in Seat : true { announce s } }") == ["clash"]


def test_one_claim_for_each_meaning() -> None:
    """Where a name means different cells at different nodes, the claim is split; where it means the same, it is one."""
    twice = "run p run p"
    items = "procedure p { for each s in Seat { ask s to turn { may go { } } } }\n"
    found = claims(items + "invariant a at turn : s in all\ninvariant b at turn : |stock| > 0", twice)
    assert [(c.name, len(c.nodes)) for c in found] == [("a", 1), ("a", 1), ("b", 2)]


def test_values_that_are_not_kept() -> None:
    """A property cannot be about a value that nothing after the node needs."""
    used = "let x = |stock| ask seat 1 to turn { may go { announce x } }"
    dropped = "let x = |stock| announce x ask seat 1 to turn { may go { } }"
    assert codes("invariant a at turn : x < 9", used) == []
    assert codes("invariant a at turn : x < 9", dropped) == ["not-kept"]


def test_lemma_parameters() -> None:
    """A parameter ranges over a type, a set, or the subsets of a set within bounds; later ones may use earlier ones."""
    [lemma] = properties(
        "lemma l(c : Card, g : Cards, n : 0..120, t : Suit, x in {6♠, A♠}, h : 1..2 of g without {x}) : true"
    )
    assert isinstance(lemma, Lemma)
    pack = Const(63, lemma.parameters[0].domain.type)
    assert lemma.parameters[0].domain == pack and lemma.parameters[0].lo is None
    assert [getattr(p.lo, "value", None) for p in lemma.parameters] == [None, 0, None, None, None, 1]
    assert [getattr(p.hi, "value", None) for p in lemma.parameters] == [None, 6, None, None, None, 2]
    assert [str(p.type) for p in lemma.parameters] == ["Card", "Cards", "0..120", "Suit", "Card", "Cards"]
    assert codes("lemma l(n : 0..100000) : true") == ["too-large"]
    for whole in ("Bool", "Nat", "Suit?", "set of Suit"):
        assert codes(f"lemma l(x : {whole}) : true") == ["type"], whole
    assert codes("lemma l(c : Card, c : Card) : true") == ["clash"]
    assert codes("lemma l(g : 3..2 of pack) : true") == ["type"]


def test_examples() -> None:
    """An example gives values to cells, zones and options; to nothing else, and in their types."""
    items = "state n : 0..3 = 0\noption o : Bool = false\nconst k = 1\n"
    [example] = properties(items + "example n == 1 given n = 1, o = true, hand[seat 2] = {6♠}, stock = {}")
    assert isinstance(example, Example) and example.name == "example_1"
    assert [(g.name, g.index, g.value.value, g.is_option) for g in example.given] == [  # type: ignore[union-attr]
        ("n", None, 1, False), ("o", None, True, True), ("hand", 1, 1, False), ("stock", None, 0, False),
    ]  # fmt: skip
    faults = {
        "n = 4": "range", "n = ♠": "type", "k = 1": "type", "m = 1": "unknown-name", "hand = {}": "type",
        "n[1] = 1": "type", "hand[seat 3] = {}": "range",
    }  # fmt: skip
    for bad, code in faults.items():
        assert codes(f"{items}example true given {bad}") == [code], bad


def test_secrets_measures_compiled() -> None:
    """Each keeps its parts; families and predicates must be of the right kind."""
    items = "predicate wins(r : Cards, g : Cards) = |r| == |g|\n"
    found = properties(items + "secret a[s : Seat] : hand[s] from all without {s} at finish\nmeasure b : |stock|, 2"
                       "\ncompiled c : wins(r, g) for 1..2 when |g| == 1")  # fmt: skip
    secret, measure, compiled = found
    assert isinstance(secret, Secret) and secret.variable == "s" and len(secret.nodes) == 1
    assert isinstance(measure, Measure) and len(measure.values) == 2
    assert isinstance(compiled, Compiled) and (compiled.lo, compiled.hi, compiled.function) == (1, 2, "wins")
    assert codes("secret a[n : Nat] : stock from all") == ["type"]
    assert codes(items + "compiled c : wins(r, g) for 2") == ["type"]
    assert codes("predicate p(c : Card) = true\ncompiled c : p(r, g) for 1..2") == ["type"]
    assert codes("compiled c : wons(r, g) for 1..2") == ["unknown-name"]


def test_names_of_properties() -> None:
    """Two properties may not share a name, of whatever kind they are."""
    assert codes("lemma a : true\ninvariant a : true") == ["clash"]
    assert codes('scenario "a" { expect true }\nscenario "a" { expect true }') == ["clash"]
    assert codes("lemma stock : true") == []  # but a property may be called like a zone


DEAL = """gather pack into stock
    draw 2 from stock to hand[seat 1]
    ask seat 1 to turn { may lead(g : 1..2 of hand[seat 1]) { } may bid(n in 1..3, t in Suit) { } }"""
PLAY = """scenario "one" {
  option o = true
  deck A♠ 6♠ 10♠ 6♥ 10♥ A♥
  seat 1 : lead({6♠})
  seat 1 : pass
  expect |stock| == 4
}"""


def test_scenarios() -> None:
    """The steps of a scenario are choices by seat and verb, draws, and expectations; it says how play begins."""
    [found] = properties("option o : Bool = false\n" + PLAY, DEAL)
    assert isinstance(found, Scenario) and found.start is None
    assert found.deck == (2, 0, 1, 3, 4, 5)
    assert [(s.kind, s.seat, s.verb, s.arguments) for s in found.steps] == [
        ("choose", 0, "lead", (1,)), ("choose", 0, "pass", ()), ("expect", None, "", ()),
    ]  # fmt: skip
    middle = 'scenario "two" { start at turn set hand[seat 1] = {6♠} seat 1 : bid(2, ♥) draw 6♠ }'
    [found] = properties(middle, DEAL)
    assert isinstance(found, Scenario) and found.start is not None
    assert [(g.name, g.index) for g in found.given] == [("hand", 0)]
    assert [(s.kind, s.arguments) for s in found.steps] == [("choose", (2, 1)), ("draw", (0,))]


TOLD = DEAL.replace("{ } may bid", "{ announce 1 as size announce 2 } may bid")


def test_what_is_told() -> None:
    """A line that says what seats are told has the seats as a set, and values of the types that the rules announce."""
    [found] = properties('scenario "one" { told all : none told seat 2 : size = 1, shown {6♠}, announce = 2 }', TOLD)
    assert isinstance(found, Scenario) and [(s.kind, s.arguments) for s in found.steps] == [
        ("told", (3,)), ("told", (2,)),
    ]  # fmt: skip
    assert [(t.label, t.value) for t in found.steps[1].told] == [("size", 1), (None, 1), ("", 2)]


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("seat 1 : led({6♠})", "unknown-name"),
        ("seat 1 : lead", "arguments"),
        ("seat 1 : lead(6♠)", "type"),
        ("seat 3 : pass", "range"),
        ("deck 6♠ A♠", "deck"),
        ("deck A♠ 6♠ 10♠ 6♥ 10♥ A♥ A♠", "deck"),
        ("deck A♠ 6♠ 10♠ 6♥ 10♥ K♥", "no-card"),
        ("deck A♠ 6♠ 10♠ 6♥ 10♥ A♥ deck A♠ 6♠ 10♠ 6♥ 10♥ A♥", "clash"),
        ("start at turn start at finish", "clash"),
        ("start at nowhere", "unknown-node"),
        ("set m = 1", "unknown-name"),
        ("option n = 1", "unknown-name"),
        ("option stock = {}", "type"),
        ("expect 1", "type"),
    ],
)
def test_faults_in_scenarios(step: str, code: str) -> None:
    """Each is one error of this code."""
    assert codes(f'scenario "one" {{ {step} }}', DEAL) == [code]


def test_a_start_is_at_one_node() -> None:
    """A name that two nodes answer to says not where to start; the end of the match has a name of its own."""
    twice = "procedure p { ask seat 1 to turn { may go { } } }\n"
    assert codes(f'{twice}scenario "one" {{ start at turn expect true }}', "run p run p") == ["ambiguous"]
    assert codes('scenario "one" { start at end expect true }', DEAL) == []


def test_smaller_packs() -> None:
    """On a smaller pack the same rules run with other cards, seats and constants; what names cards is left out."""
    items = "const size = 3\npack tiny { cards {6♠, A♥} seats 3 size = 1 }\nexample 1 == 1\nlemma l(c : Card) : true\n"
    items += 'scenario "one" { deck A♠ 6♠ 10♠ 6♥ 10♥ A♥ expect true }\nfunction f() : 0..9 = size'
    spec = load_text(text(items))
    small = spec.small("tiny")
    assert spec.packs == ("tiny",) and spec.game.pack == 63
    assert (small.pack, small.pack_name, small.seats, len(small.deck)) == (0b100001, "tiny", 3, 6)
    assert isinstance(small.functions["f"].body, Const) and small.functions["f"].body.value == 1
    assert [type(p) for p in small.properties] == [Lemma]
    assert isinstance(small.properties[0], Lemma) and small.properties[0].parameters[0].domain.value == 0b100001  # type: ignore[union-attr]
    with pytest.raises(SpecError) as e:
        spec.small("tini")
    assert e.value.diagnostics[0].hint == "did you mean `tiny`?"


@pytest.mark.parametrize(
    ("pack", "code"),
    [
        ("cards {}", "pack"),
        ("cards {K♠}", "no-card"),
        ("cards stock", "not-constant"),
        ("nope = 1", "unknown-name"),
        ("size = 1 size = 2", "clash"),
    ],
)
def test_faults_in_packs(pack: str, code: str) -> None:
    """A mistake in a pack is found without playing on it."""
    assert codes(f"const size = 3\npack tiny {{ {pack} }}") == [code]
    assert codes("pack a { seats 2 }\npack a { seats 2 }") == ["clash"]


def test_texts_for_players_stand_once() -> None:
    """A file says a title or a word once in each language: with a second nobody would know which holds."""
    assert codes('title en "A" title ru "Б"\nterm stock en "rest" ru "остаток"') == []
    assert codes('title en "A"\ntitle en "B"') == ["clash"]
    assert codes('term stock en "rest"\nterm stock en "pack"') == ["clash"]
    assert codes('option o : Bool = true en "one" en "two"') == ["clash"]


def test_visibility() -> None:
    """Who sees what may depend on options, public cells and the index; on nothing hidden."""
    items = """option open : Bool = false
    state solo : Seat? = none
    state mine : Bool = false seen by nobody
    """
    for seen in ("all", "nobody", "{s}", "s", "those t in Seat where t == solo", "if open then all else {s}"):
        assert codes(items + f"zone pile[s : Seat] seen by {seen}") == [], seen
    assert codes(items + "zone pile seen by if mine then all else nobody") == ["hidden"]
    assert codes(items + "zone pile seen by those t in Seat where |hand[t]| > 0") == ["hidden"]
    assert codes(items + "predicate p() = mine\nstate n : Nat = 0 seen by if p() then all else nobody") == ["hidden"]
    assert codes(items + "zone pile seen by {6♠}") == ["type"]
    assert codes(items + "zone pile seen by solo") == ["type"]  # a view is never undefined
    assert codes(items + "constraint solo is none") == ["not-constant"]


def test_the_outcome_is_public() -> None:
    """What a match ends in is read from public cells."""
    with pytest.raises(SpecError) as e:
        load_text(text().replace("outcome(s) = neither", "outcome(s) = if |hand[s]| > 0 then won else lost"))
    assert [d.code for d in e.value.diagnostics] == ["hidden"]
    assert codes("gain(s) = |hand[s]|") == []


def test_three_mistakes_in_three_places() -> None:
    """One run reports a mistake in a declaration, one in a rule and one in a property, and nothing else."""
    items = "state n : Nat = ♠\ninvariant a at finish : n == 1 and sock == {}"
    assert codes(items, "announce n announce hnd[seat 1]") == ["unknown-name", "type", "unknown-name"]


def test_terms() -> None:
    """Players' words are for things that the game has: zones, cells, items, verbs, nodes, variables."""
    assert codes('term stock en "stock"\nterm finish en "end"\nterm pass en "pass"') == []
    [error] = problems('term stok en "stock"')
    assert (error.code, error.hint) == ("unknown-name", "did you mean `stock`?")


def test_citations() -> None:
    """A citation belongs to what begins on its line; its source must be declared, its form known."""
    items = 'source K = "k.txt"\nconst a = 1 @ K:3, S0-A5\nconst b =\n  2 @ K:4–6\n'
    made = game(items)
    assert sorted(made.citations.values()) == [("K:3", "S0-A5"), ("K:4–6",)]
    assert list(game("const a = 1 @ S0-A1 # one @ S0-A2").citations.values()) == [("S0-A1", "S0-A2")]
    assert codes("const a = 1 # one @ Q:3") == ["citation"]
    assert codes("const a = 1 @ Q:3") == ["citation"]
    assert codes("const a = 1 @ somewhere") == ["citation"]
    assert codes("const a = 1\n@ S0-A5\n") == ["citation"]
    assert codes("const a = 1 @") == ["citation"]


def test_reading_a_cell_is_a_cell_read() -> None:
    """A cell in a function is read at the time of evaluation."""
    assert value("n == 0", items="state n : Nat = 0")
    assert isinstance(game("state n : Nat = 0\nfunction f() : Nat = n").functions["f"].body, CellRead)


@pytest.mark.parametrize("name", ["well_defined", "never_stuck", "no_peeking", "ends", "example_1"])
def test_names_of_the_tools_own_properties_are_taken(name: str) -> None:
    """A property cannot take the place of one that every game has."""
    with pytest.raises(SpecError) as refused:
        load_text(SMALL.rstrip()[:-1] + f"  lemma {name}(x : Card) : x == x\n}}\n", "small.kozel")
    assert [d.code for d in refused.value.diagnostics] == ["clash"]


def test_names_of_dead_clauses_and_sizes_are_taken() -> None:
    """A dead clause and each size of a compiled predicate are properties with names of their own."""
    dead = SMALL.replace("    end\n", "    if played > 9 { dead over }\n    end\n", 1)
    for rules, item in (
        (dead, "lemma over(x : Card) : x == x"),
        (SMALL, "predicate two(r : Cards, g : Cards) = matching g -> r by beats\n"
                "  lemma both_k2(x : Card) : x == x\n  compiled both : two(r, g) for 1..2"),
    ):  # fmt: skip
        with pytest.raises(SpecError) as refused:
            load_text(rules.rstrip()[:-1] + f"  {item}\n}}\n", "small.kozel")
        assert [d.code for d in refused.value.diagnostics] == ["clash"]


def test_a_default_that_a_smaller_table_lacks() -> None:
    """A smaller pack with fewer seats takes the first value of an option whose default names a seat it has not."""
    four = SMALL.replace("seats 2\n", "seats 4\n", 1).replace("seat 1\n  option mood", "seat 4\n  option mood", 1)
    spec = load_text(four.replace("left(s)", "seat 1").split("  scenario")[0] + "}\n", "small.kozel")
    assert (spec.game.options["opener"].default, spec.small("tiny").options["opener"].default) == (3, 0)
