"""Which clauses of a spec name which."""

from kozel_verify.language import syntax as s
from kozel_verify.model.clauses import ClauseKind, Clauses
from kozel_verify.model.dependencies import Dependencies
from kozel_verify.model.load import Spec, load, load_text
from tests.model.frame import text
from tests.support.readme import ROOT

ITEMS = """
  type Bid = low | high
  order bids = high > low
  order ranks_up = A > 10 > 6
  const limit = 3
  const table = {A: 2, else 0}
  option eager : Bool = false
  state asked : Nat = 0 fresh each deal
  state bid : Bid? = none
  state lead : Nat = 0
  function worth(c : Card) : 0..2 = table[rank(c)]
  predicate over(c : Card) = worth(c) >= limit or rank(c) above 10 in ranks_up
  predicate bold(b : Bid) = b == high
  predicate unused = lead == 1
  procedure note { asked += 1   bid := high }
  procedure never_run { asked := 0 }
  lemma limit(c : Card) : worth(c) < 3
  invariant calm at finish : bid is none or not bold(high)
"""
STATEMENTS = "    run note\n    ask seat 1 to lead { may limit when some c in hand[seat 1] : over(c) { } }"


def clauses(items: str = ITEMS) -> Clauses:
    return Clauses(load_text(text(items, STATEMENTS)).program)


def item(found: Clauses, name: str) -> s.Item:
    items = found.program.items
    return next(i for i in items if isinstance(i, s.LemmaOf | s.ClaimOf) and i.name == name)


def test_kinds() -> None:
    """Every declaration with a name is a clause of its kind, in the order of the text."""
    kinds = {c.name: c.kind for c in clauses().by_name.values()}
    assert list(kinds)[:4] == ["stock", "hand", "open_cards", "match"]
    assert kinds["match"] is ClauseKind.PHASE
    assert kinds["note"] is ClauseKind.PROCEDURE
    assert kinds["outcome"] is ClauseKind.RESULT
    assert [kinds[n] for n in ("Bid", "bids", "limit", "table", "eager", "asked", "worth", "over")] == [
        "type", "order", "constant", "constant", "option", "cell", "function", "predicate",
    ]  # fmt: skip


def test_what_a_clause_names() -> None:
    """Functions, constants, tables and orders are named by their words, an enumeration by its items."""
    found = clauses()
    assert found.named_by("over") == {"worth", "limit", "ranks_up"}
    assert found.named_by("worth") == {"table"}
    assert found.named_by("bids") == {"Bid"}
    assert found.reached(["over"]) == {"over", "worth", "limit", "ranks_up", "table"}
    assert found.named("high") == found.by_name["Bid"]
    assert found.named("higher") is None


def test_other_lists_of_names_do_not_count() -> None:
    """A property, a node and a verb may have the name of a clause without naming it, and `fresh` does not either."""
    found = clauses()
    assert found.needed_by(item(found, "limit")) == {"worth", "table"}
    assert "limit" in found.reached(["deal"])  # by way of `over`
    assert "lead" not in found.reached(["deal"])
    assert found.reached(["asked"]) == {"asked"}
    assert found.needed_by(item(found, "calm")) == {"bid", "Bid", "bold"}


def test_play() -> None:
    """Play is what `match` and the results come to; a procedure that nothing runs is not in it."""
    found = clauses()
    assert {"match", "deal", "note", "asked", "bid", "over", "worth", "outcome", "hand"} <= found.play
    assert not found.play & {"never_run", "bold", "unused", "bids", "eager"}


def test_what_procedures_change() -> None:
    """A procedure changes what its own statements change, a phase also what begins anew with it."""
    found = clauses()
    assert found.changed_by("note") == {"asked", "bid"}
    assert found.changed_by("deal") == {"asked"}
    assert found.changed_by("worth") == frozenset()


def test_a_clause_by_its_line() -> None:
    """The clause at a place is the one that stands there; between clauses there is none."""
    found = clauses()
    over = found.by_name["over"]
    assert found.at_line(over.span.file, over.span.line) is over
    assert found.at_line(over.span.file, 1) is None
    assert found.at_line("elsewhere.kozel", over.span.line) is None


def test_a_name_that_goes_is_seen() -> None:
    """With a name taken out of a text, nothing follows from it any more."""
    found = clauses(ITEMS.replace("worth(c) >= limit or ", ""))
    assert found.reached(["over"]) == {"over", "ranks_up"}


def core_names_missing(spec: Spec, found: Clauses) -> set[str]:
    """What a function reads in the core and its text does not come to."""
    dependencies = Dependencies(spec.game)
    missing: set[str] = set()
    for name in spec.game.functions.keys() & found.by_name.keys():
        read = dependencies.of_function(name)
        named = (read.functions | read.cells | read.zones | read.options) & found.by_name.keys()
        missing |= named - found.reached([name])
    return missing


def test_nothing_that_the_core_reads_is_missing() -> None:
    """On a whole game the words of a function's text come to all that its meaning reads, and play's to all of play."""
    spec = load(ROOT / "spec" / "kozel_shokha.kozel")
    found = Clauses(spec.program)
    assert core_names_missing(spec, found) == set()
    process = Dependencies(spec.game).process
    read = process.functions | process.cells | process.zones | process.options
    assert read & found.by_name.keys() <= found.play


def test_the_last_check_can_fail() -> None:
    """Where a text came to less than its meaning, that would be seen."""
    spec = load_text(text(ITEMS, STATEMENTS))
    other = load_text(text(ITEMS.replace("worth(c) >= limit or ", ""), STATEMENTS))
    assert core_names_missing(spec, Clauses(other.program)) == {"worth"}
