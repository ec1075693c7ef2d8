"""Statements do what they say: seen in what plays announce, and in the names and cells of the graph."""

import pytest

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import CellKind, End, Rest
from kozel_verify.model.load import load_text
from tests.model.frame import FIRST_STATEMENT_LINE, codes, game, problems, text, told

N = "state n : Nat = 0\n"


def test_let_is_by_value() -> None:
    """A `let` keeps its value when what it was made from changes, also across a decision."""
    assert told("n := 4 let x = n n := 9 announce x announce n", N) == [4, 9]
    assert told("n := 4 let x = n ask seat 1 to wait { may go { n := 9 } } announce x announce n", N) == [4, 9]


def test_let_of_a_constant_makes_no_cell() -> None:
    """A constant needs no memory; a value that is read after a decision does."""
    assert not any(c.kind is CellKind.LET for c in game("", "let x = 3 announce x").cells.values())
    cells = game(N, "let x = n ask seat 1 to wait { may go { } } announce x").cells
    assert cells["deal.x"].kind is CellKind.LET and cells["deal.x"].seen.seats.value == 0  # type: ignore[union-attr]


def test_increase() -> None:
    """`+=` adds to a cell, also to one of a family, and to nothing that is no number."""
    assert told(
        "n += 2 n += 3 announce n m[seat 2] += 7 announce m[seat 1] announce m[seat 2]",
        N + "state m[s : Seat] : Nat = 0",
    ) == [5, 0, 7]
    assert codes("state t : Suit? = none", "t += 1") == ["type"]


def test_branches() -> None:
    """`else if` chains take the first branch that applies, and go on after the whole."""
    chain = "if n == 0 {{ announce 10 }} else if n == 1 {{ announce 11 }} else {{ announce 12 }} announce 13".format()
    for n, expected in ((0, 10), (1, 11), (2, 12)):
        assert told(f"n := {n} {chain}", N) == [expected, 13]


def test_loop_over_seats_goes_in_order() -> None:
    """Without a decision in it a loop runs over the elements that its set has at entry, in canonical order."""
    assert told("for each s in Seat { announce s }", seats=3) == [0, 1, 2]
    assert told("for each s in {seat 3, seat 1} { announce s }", seats=3) == [0, 2]
    assert told("for each i in 2..4 { announce i }") == [2, 3, 4]
    assert told("for each i in 3..2 { announce i } announce 9") == [9]
    assert told("w := {seat 1, seat 2} for each s in w { w := {} announce s }", "state w : set of Seat = {}") == [0, 1]


@pytest.mark.parametrize("body", ["announce s", "ask s to turn { may go { announce s } }"])
def test_clockwise(body: str) -> None:
    """`from t` begins with t, `after t` with its left neighbour and comes to t last, if t is in the set."""
    assert told(f"for each s in Seat clockwise from seat 3 {{ {body} }}", seats=4) == [2, 3, 0, 1]
    assert told(f"for each s in Seat clockwise after seat 3 {{ {body} }}", seats=4) == [3, 0, 1, 2]
    assert told(f"for each s in all without {{seat 4}} clockwise after seat 3 {{ {body} }}", seats=4) == [0, 1, 2]


def test_loop_with_a_decision_evaluates_its_domain_once() -> None:
    """What happens inside a loop changes neither its set nor its beginning."""
    loop = "for each s in w clockwise from t { w := {} t := seat 2 ask s to turn { may go { announce s } } }"
    assert told("w := all t := seat 3 " + loop, "state w : set of Seat = {} state t : Seat = seat 1", 3) == [2, 0, 1]


def test_loop_with_a_decision_needs_an_element() -> None:
    """A loop that asks is undefined for the empty set; one that does not does nothing."""
    with pytest.raises(NotWellDefined):
        told("for each s in w { ask s to turn { may go { } } }", "state w : set of Seat = {}")
    assert told("for each s in w { announce s }", "state w : set of Seat = {}") == []


def test_nested_loops() -> None:
    """An inner loop begins anew in each round of the outer one, with decisions or without."""
    inner = "for each i in 1..2 {{ for each s in Seat {{ {} }} }}"
    pairs = [10, 11, 20, 21]
    assert told(inner.format("announce 10 * i + (if s == seat 1 then 0 else 1)")) == pairs
    assert told(inner.format("ask s to turn { may go { announce 10 * i + (if s == seat 1 then 0 else 1) } }")) == pairs


def test_one_decision_after_an_inner_loop() -> None:
    """A loop in a loop whose only decisions stand in the inner one is no endless cycle."""
    assert codes("", "for each i in 1..2 { for each s in Seat { ask s to turn { may go { } } } }") == []


def test_repeat_and_while() -> None:
    """`repeat` runs at least once, `while` perhaps never; both look again after each round."""
    turn = "ask seat 1 to turn { may go { n += 1 announce n } }"
    assert told(f"repeat {{ {turn} }} until n >= 3", N) == [1, 2, 3]
    assert told(f"n := 5 repeat {{ {turn} }} until n >= 3", N) == [6]
    assert told(f"while n < 2 {{ {turn} }}", N) == [1, 2]
    assert told(f"n := 5 while n < 2 {{ {turn} }} announce 0", N) == [0]


def test_cycles_without_a_decision_are_refused() -> None:
    """Also when only one of several paths through the loop has no decision."""
    ask = "ask seat 1 to turn { may go { } }"
    assert codes(N, "while n < 3 { n += 1 }") == ["endless"]
    assert codes(N, f"repeat {{ if n > 0 {{ {ask} }} }} until n > 3") == ["endless"]
    assert codes(N, f"for each s in Seat {{ if n > 0 {{ {ask} }} }}") == ["endless"]
    assert codes(N, f"repeat {{ if n > 0 {{ {ask} }} else {{ {ask} }} }} until n > 3") == []


def test_leave_and_again() -> None:
    """`leave P` goes on after P, `again P` begins P anew without a reset; both pass over what stands between."""
    items = (
        N
        + """
    phase inner {
      n += 1
      announce n
      ask seat 1 to turn { may back { again inner } may out { leave inner } may outer { leave deal } may on { } }
      announce 70
    }"""
    )
    assert told("run inner announce 80", items, verbs=("on",)) == [1, 70, 80]
    assert told("run inner announce 80", items, verbs=("back", "back", "out")) == [1, 2, 3, 80]
    assert told("run inner announce 80", items, verbs=("outer",)) == [1]


def test_leave_out_of_loops() -> None:
    """A phase can be left from inside its loops, unrolled or not; a loop that is entered again is new."""
    unrolled = "phase p { for each s in Seat { announce s if s == seat 2 { leave p } } } "
    assert told("run p announce 9", unrolled, 3) == [0, 1, 9]
    waiting = "phase p { for each s in Seat { announce s ask s to t { may go { if s == seat 2 { leave p } } } } } "
    assert told("run p announce 9 run p", waiting, 3) == [0, 1, 9, 0, 1]


def test_fresh_cells_are_reset_when_their_phase_is_entered() -> None:
    """Each entry resets, for families each slot; `again` does not."""
    items = (
        N
        + """
    state f : Nat = 5 fresh each inner
    state g[s : Seat] : Nat = 6 fresh each inner
    phase inner {
      announce f announce g[seat 2]
      f := 1 g[seat 2] := 2 n += 1
      ask seat 1 to turn { may back when n == 1 { again inner } may on { } }
    }"""
    )
    assert told("run inner run inner", items, verbs=("back", "on", "on")) == [5, 6, 1, 2, 5, 6]


def test_parameters_are_by_value() -> None:
    """A procedure's parameter keeps the value of the call, also of a loop's variable and of a cell that changes."""
    items = (
        N + "procedure p(x : Nat, s : Seat) { n := 9 ask s to turn { may go { announce x announce s } } announce x }"
    )
    assert told("n := 4 run p(n, seat 2)", items) == [4, 1, 4]
    assert told("for each t in Seat { run p(n, t) }", items) == [0, 0, 0, 9, 1, 9]


def test_parameters_hold_their_declared_range() -> None:
    """A constant beyond the parameter's range is an error at once; another value is stored in a cell of that range."""
    items = N + "procedure p(x : 0..3) { announce x }"
    assert codes(items, "run p(4)") == ["range"]
    with pytest.raises(NotWellDefined):
        told("n := 4 run p(n)", items)
    assert told("n := 3 run p(n)", items) == [3]


def test_names_of_nodes() -> None:
    """A node is named by its path; the second run of a procedure gives the same names with a number."""
    items = "procedure p { ask seat 1 to turn { may go { } } draw 1 from stock to open_cards }"
    names = [n.name for n in game(items, "gather pack into stock run p run p").nodes]
    assert names == ["deal.p.turn", "deal.p.draw", "deal.p.turn#2", "deal.p.draw#2", "deal.finish", "deal.end", "end"]


def test_names_of_cells() -> None:
    """Generated cells never take the name of another cell, declared or generated."""
    items = N + "state s_start : Seat = seat 2 procedure p { let a = n ask seat 1 to t { may go { } } announce a }"
    made = game(items, "run p run p")
    assert {"deal.p.a", "deal.p.a#2"} <= set(made.cells)
    match = "for each s in Seat clockwise from s_start { ask s to turn { may go { } } } run deal end"
    seats_asked = told("announce s_start", items, match=match)
    assert seats_asked == [1]


def test_choices_keep_their_arguments() -> None:
    """An argument can be used in the block of its verb, after further decisions too; bounds may use other cells."""
    items = "state k : 0..6 = 2"
    statements = """gather pack into stock draw 3 from stock to open_cards
      ask seat 1 to pick {
        may take(g : k of open_cards, s in Seat) { ask s to wait { may go { } } announce |g| announce s }
      }"""
    assert told(statements, items) == [2, 0]


def test_draws() -> None:
    """`draw n` comes to one node n times; `as` names the card of a single draw."""
    made = game("", "gather pack into stock draw 3 from stock to hand[seat 2]")
    assert [n.name for n in made.nodes if "draw" in n.name] == ["deal.draw"]
    assert told("draw 3 from stock to open_cards announce |open_cards| announce |stock|") == [3, 3]
    assert told("draw 1 from stock to open_cards as c announce c announce c in open_cards") == [0, True]
    assert codes("", "draw 0 from stock to open_cards") == ["draw"]
    assert codes(N, "draw n from stock to open_cards") == ["draw"]
    assert told("draw |stock| - 1 from stock to open_cards announce |open_cards|") == [5]


def test_unreachable_statements() -> None:
    """What stands after `leave`, `again`, `end` or `dead`, or after branches that all leave, is an error."""
    for never in ("leave deal", "again deal", "end", "dead never", "if n > 0 { end } else { leave deal }",
                  "repeat { end } until n > 3", "ask seat 1 to t { may go { end } }"):  # fmt: skip
        found = problems(N, f"{never}\n announce 1")
        assert [d.code for d in found] == ["unreachable"], never
        assert found[0].span.line == FIRST_STATEMENT_LINE + 1


def test_unreachable_after_phase_only_where_all_leave() -> None:
    """What may come is no error: one branch that goes on is enough."""
    assert codes(N, "if n > 0 { end } announce 1") == []
    assert codes(N, "ask seat 1 to t { may go { end } may stay { } } announce 1") == []


def test_procedures_that_nothing_runs_are_checked() -> None:
    """A mistake in a procedure that is never run is found; that it is never run is none."""
    assert codes("procedure p(s : Seat) { announce s }") == []
    assert codes("procedure p(s : Seat) { announce t }") == ["unknown-name"]
    assert codes("phase q { run r } procedure r { leave q }") == []
    assert codes("procedure r { leave q }") == ["not-in-phase"]


def test_recursion() -> None:
    """A procedure that runs itself, directly or by a detour, is refused."""
    assert codes("procedure p { run p }", "run p") == ["recursion"]
    assert codes("procedure p { run q } procedure q { ask seat 1 to t { may go { run p } } }", "run p") == ["recursion"]


def test_errors_of_a_statement_are_reported_once() -> None:
    """One mistake is one error: in a procedure run twice, in a `let` that is used, in an `ask`."""
    assert codes("procedure p { announce nope }", "run p run p") == ["unknown-name"]
    assert codes("", "let x = nope announce x announce x + 1") == ["unknown-name"]
    assert codes("", "ask nope to t { may go(c in hand[x]) when y { announce c } } announce 1") == ["unknown-name"] * 2
    assert codes("", "draw 1 from nope to open_cards as c announce c") == ["unknown-name"]
    assert codes("", "run nope(1) run nope(2)") == ["unknown-name"] * 2  # two mistakes, in two places


def test_the_graph_ends_deals_and_matches() -> None:
    """The end of the deal is a `Rest`, the end of the match an `End`; nodes of the deal are marked as such."""
    made = game()
    assert isinstance(made.nodes[made.deal_end], Rest) and made.nodes[made.deal_end].name == "deal.end"
    assert [made.nodes[n].name for n in sorted(made.deal_nodes)] == ["deal.finish"]
    assert [n.name for n in made.nodes if isinstance(n, End)] == ["end"]


def test_deal_is_run_at_one_place() -> None:
    """Twice is an error at the second place, never is one too."""
    assert problems() == []
    for match in ("run deal run deal end", "end"):
        with pytest.raises(SpecError) as e:
            load_text(text().replace("repeat { run deal } until true end", match))
        assert [d.code for d in e.value.diagnostics] == ["deal"]


def test_options_in_loops_are_shape_options() -> None:
    """An option on which the number of rounds or the size of a choice depends is marked; others are not."""
    items = """option rounds : 1..3 = 2
    option size : 1..2 = 1
    option colour : Bool = false"""
    made = game(
        items,
        """for each i in 1..rounds { ask seat 1 to t { may go { } } }
      ask seat 1 to u { may take(g : size of hand[seat 1]) { } may pass when colour { } }""",
    )
    assert {n: o.shape for n, o in made.options.items()} == {"rounds": True, "size": True, "colour": False}
