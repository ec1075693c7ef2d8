"""Errors that come of what a variant redefines: the cause is told, and told first."""

import pytest

from tests.model.frame import text
from tests.model.test_program import codes, errors

RULES = """
    if asked(hand[seat 1]) and size(2) == n and bid == high and flag and marks[seat 1] == 0 { }
    run clear(seat 1)
    ask seat 1 to turn { may look { } may pass { } }
"""
ITEMS = """
  predicate asked(h : Cards) = |h| == 2
  function size(x : 0..3) : Nat = x
  const two = 2
  state n : 0..9 = two
  type Bid = low | high
  state bid : Bid = low
  option flag : Bool = true
  state marks[s : Seat] : 0..3 = 0
  zone extra[s : Seat] seen by all
  order ranked = A > 10 > 6
  procedure clear(s : Seat) { marks[s] := two }
  procedure look_on { ask seat 2 to watch { may peek { announce n as seen_now } } }
  invariant few at turn : |extra[seat 1]| < 3 and place of rank(6♠) in ranked == 1
  step peeked from watch by peek : true
"""
BASE = text(ITEMS, RULES + "run look_on").replace("game sample", "game base")


def found(items: str, **files: str) -> list[tuple[str, str]]:
    """The codes and hints of the errors outside of the variant's own file."""
    spec = f"language 1\nvariant ours of base {{\n{items}\n}}"
    return [(e.code, e.hint) for e in errors({"base": BASE, "spec": spec, **files}) if e.span.file == "base.kozel"]


@pytest.mark.parametrize(
    ("items", "code", "hint"),
    [
        ("predicate asked(h : Card) = true", "type", "`asked` is redefined at spec.kozel:3:11, with other parameters"),
        ("predicate asked = true", "arguments", "`asked` is redefined at spec.kozel:3:11, with other parameters"),
        ("function size(x : 0..3) : Card = 6♠", "type", "`size` is redefined at spec.kozel:3:10, with another type"),
        ("type Bid = low | top_bid", "unknown-name", "`Bid` is redefined at spec.kozel:3:6, without `high`"),
        ("option flag : 0..2 = 1", "type", "`flag` is redefined at spec.kozel:3:8, with other values"),
        ("option flag : on | off = on", "type", "`flag` is redefined at spec.kozel:3:8, with other values"),
        ("state marks : 0..3 = 0", "type", "`marks` is redefined at spec.kozel:3:7, without an index"),
        ("state marks[c : Card] : 0..3 = 0", "type", "`marks` is redefined at spec.kozel:3:7, with another index"),
        ("state marks[s : Seat] : Suit = ♠", "type", "`marks` is redefined at spec.kozel:3:7, with another type"),
        ("zone extra seen by all", "type", "`extra` is redefined at spec.kozel:3:6, without an index"),
        ("const two = 20", "range", "`two` is redefined at spec.kozel:3:7, with another value"),
        ("order ranked = ♥ > ♠", "type", "`ranked` is redefined at spec.kozel:3:7, with another order"),
        ("procedure clear { }", "arguments", "`clear` is redefined at spec.kozel:3:11, with other parameters"),
        (
            "procedure look_on { ask seat 2 to watch { may doze { } } }",
            "unknown-name",
            "`look_on` is redefined at spec.kozel:3:11, without `peek`; or write `withdraw peeked` in `ours`, "
            "if it does not keep this",
        ),
    ],
)
def test_the_cause_of_errors_in_the_base(items: str, code: str, hint: str) -> None:
    """The hint of an error in the base says where what it is about is redefined, and what is not as it was."""
    hints = found(items)
    assert hints and hints[0][0] == code, hints
    assert all(h.startswith(hint.partition(";")[0]) for _, h in hints), hints
    assert hints[0][1].startswith(hint), hints


def test_a_module_of_the_variant() -> None:
    """Its redefinitions are told with its own file."""
    module = "language 1\nmodule m {\n  predicate asked = true\n}"
    ((_, hint),) = found("use m", m=module)
    assert hint == "`asked` is redefined at m.kozel:3:13, with other parameters"


def test_what_is_not_told() -> None:
    """Control: the variant is no cause of errors in its own file, nor where what it redefines is for others as it was;
    and a redefinition that fits makes no error."""
    for items in ("predicate asked(h : Cards) = |h| == nope", "predicate asked(x : Cards) = true example asked(6♠)"):
        spec = f"language 1\nvariant ours of base {{\n{items}\n}}"
        hints = [e.hint for e in errors({"base": BASE, "spec": spec})]
        assert len(hints) == 1 and "redefined" not in hints[0]
    broken = BASE.replace("|extra[seat 1]| < 3", "|extra[seat 1]| < nope")
    spec = "language 1\nvariant ours of base { predicate asked(x : Cards) = true state bid : Bid = high }"
    (error,) = errors({"base": broken, "spec": spec})
    assert "redefined" not in error.hint
    assert codes({"base": BASE, "spec": spec}) == []


def test_errors_of_the_variant_come_first() -> None:
    """Whatever its file is called: those in its base after them."""
    spec = "language 1\nvariant ours of base { predicate asked = nope }"
    files = [e.span.file for e in errors({"base": BASE, "zz": spec}, "zz")]
    assert files == ["zz.kozel", "base.kozel"]


WORDS = [("yes", "true"), ("True", "true"), ("правда", "true"), ("ON", "true"), ("No", "false"), ("ложь", "false")]


@pytest.mark.parametrize(("word", "meant"), WORDS)
def test_a_wrong_value_of_an_option_is_one_error(word: str, meant: str) -> None:
    """Nothing is told of the nodes and verbs that hang on the option; a word for a truth value has a hint."""
    spec = f"language 1\nvariant ours of base {{\noption flag = {word}\n}}"
    (error,) = errors({"base": BASE, "spec": spec})
    assert (error.message, error.hint) == (f"there is nothing called `{word}` here", f"write `{meant}`")


def test_words_for_truth_values_elsewhere() -> None:
    """The hint stands in rules too; where something else is wanted it does not (control)."""
    for items, hint in (("lemma a : yes", "write `true`"), ("example 6♠ == yes", ""), ("state x : Seat = yes", "")):
        assert [e.hint for e in errors({"spec": text(items)})] == [hint], items


def test_what_hangs_on_a_broken_name_is_not_told() -> None:
    """Where a statement cannot be read, its nodes and verbs are missing only because of that: claims, menus and
    scenarios that name them are no errors. Control: misspelt ones still are."""
    inside = "if broken == 1 { run asking }"
    items = """
      state broken : Nope = 1
      procedure asking { ask seat 1 to turn { may look { } } }
      invariant a at deal.asking.turn : true
      invariant b at turn : true
      menu c at deal.asking.turn : look when true
      scenario "d" { seat 1 : look }
    """
    assert codes({"spec": text(items, inside)}) == ["unknown-type"]
    misspelt = items.replace("deal.asking.turn : true", "deal.asking.turm : true").replace("1 : look", "1 : luck")
    assert codes({"spec": text(misspelt, inside)}) == ["unknown-type", "unknown-node", "unknown-name"]


def test_a_name_that_is_a_variable_of_the_base() -> None:
    """Is one error, at the name, however many variables of the base and of modules are so called. Control: another
    name is none, and a variable of the variant's own is an error at that variable."""
    base = BASE.replace("run look_on", "for each x in Seat { }\nrun look_on")
    module = "language 1\nmodule m { predicate odd(x : Card) = some y in {x} : y == x }"

    def said(items: str) -> list[tuple[str, str, str]]:
        files = {"base": base, "m": module, "spec": f"language 1\nvariant ours of base {{\nuse m {items}\n}}"}
        return [(e.code, str(e.span), e.message) for e in errors(files)]

    message = "`x` is the name of a variable in the base, or in a module"
    assert said("state x : Nat = 0") == [("clash", "spec.kozel:3:13", message)]
    assert said("state xx : Nat = 0") == []
    assert said("state xx : Nat = 0 lemma a(xx : Card) : true") == [
        ("clash", "spec.kozel:3:34", "`xx` has a meaning already")
    ]
