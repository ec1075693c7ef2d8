"""What hints offer to somebody who varies a game."""

import re

import pytest

from tests.model.frame import text
from tests.model.test_program import codes, errors

ASK = "ask seat 1 to turn { may look { } may pass { } }"
PROMISED = """
  menu looks at turn : look when true
  step looked from turn by look : true
  invariant whole at turn : |stock| == 6
  scenario "a look" { seat 1 : look }
  predicate odd = true
  example odd   # always
    and 1 == 1
  const few = 2
  pack one { cards {6♠} few = 1 }
"""
BASE = text(PROMISED, ASK).replace("game sample", "game base")


def varied(items: str) -> dict[str, str]:
    return {"base": BASE, "spec": f"language 1\nvariant ours of base {{\n{items}\n}}"}


def test_withdrawals_that_mend_are_offered() -> None:
    """Where a variant takes away what promises or packs of its base speak of (a choice, a decision point, a predicate,
    a constant), the hint of each error has the line that withdraws the promise; with these lines all is well."""
    changes = "phase deal { ask seat 1 to turn { may pass { } } }\n"
    renamed = "phase deal { ask seat 1 to turnn { may look { } } }\n"
    offered = {
        changes: ["looks", "looked", 'scenario "a look"'],
        renamed: ["looks", "looked", "whole"],
        "state odd : 0..1 = 0\n": ["example odd and 1 == 1"],
        "state few : 0..1 = 0\n": ["one"],
    }
    for items, promises in offered.items():
        hints = [e.hint for e in errors(varied(items)) if e.code != "clash"]
        lines = [line[1] for hint in hints if (line := re.search(r"write `(withdraw .+?)` in `ours`", hint))]
        assert lines == [f"withdraw {promise}" for promise in promises], hints
        assert codes(varied(items + "\n".join(lines))) == [], items
    told = errors(varied(renamed))[0].hint
    lost = "`deal` is redefined at spec.kozel:3:7, without `turn`"
    assert told == f"{lost}; or write `withdraw looks` in `ours`, if it does not keep this"
    module = {"m": "language 1\nmodule m { lemma near : knwn }"}
    (near,) = errors({"spec": text("use m predicate known = true"), **module})
    assert near.hint == "did you mean `known`? Or write `withdraw near` in `sample`, if it does not keep this"


def test_withdrawals_that_mend_nothing_are_not_offered() -> None:
    """A unit's own promises cannot be withdrawn, and no withdrawal mends rules of the base."""
    own = varied("lemma other : look")
    rules = {"base": BASE, "spec": "language 1\nvariant ours of base { zone open_cards seen by stock }"}
    alone = {"spec": BASE.replace("may look { } ", "")}
    for files in (own, rules, alone):
        found = errors(files)
        assert found and not any("withdraw" in e.hint for e in found)


def test_withdrawals_of_promises_of_modules_are_offered() -> None:
    """A game is offered them for the promises of its modules, as a variant for those of its base."""
    module = "language 1\nmodule m { lemma sure : known }"
    (found,) = errors({"spec": text("use m"), "m": module})
    assert found.hint.endswith("rite `withdraw sure` in `sample`, if it does not keep this")
    assert codes({"spec": text("use m withdraw sure"), "m": module}) == []


RUSSIAN = """язык 1
игра ours {
  колода масти ♠, ♥ ранги 6, 10, Т
  мест 2
  зона stock видят по nobody
  этап match { выполнить deal }
  этап deal { СЛОВА спросить место 1 к ход { может пас { } } }
  исход(s) = neither
  сценарий "the end of play" { ожидать да }
  ЕЩЁ
}
"""


@pytest.mark.parametrize(
    ("words", "items", "hint"),
    [
        ("", "лемма a : да & да", "write `и`"),
        ("", "лемма a : match", "a procedure is run by `выполнить`"),
        ("", "свидетель a при turn : да", "the nodes are `конец`, `ход`"),
        ("", "применить m(b = 1)", "write `применить m(least = …)`"),
        ("взять 0 от stock к stock", "", "take the statement out"),
        ("", 'применить n отозвать сценарий "the en"', "did you mean `the end`?"),
        ("", "применить n", 'write `отозвать сценарий "the end"` in `ours`, if it does not keep this'),
    ],
)
def test_hints_of_a_russian_spec_are_in_russian_words(words: str, items: str, hint: str) -> None:
    """Where a hint or a fix writes words of the language for a spec in Russian words, they are Russian ones, also for
    an error in an English module of it; names, titles and prose stay."""
    modules = {
        "m": "language 1\nmodule m(least) { }",
        "n": 'language 1\nmodule n { scenario "the end" { seat 1 : look } }',
    }
    found = errors({"spec": RUSSIAN.replace("СЛОВА", words).replace("ЕЩЁ", items), **modules})
    assert any(e.hint.endswith(hint) for e in found), found
    assert all(e.fix is None or e.fix.text == "и" for e in found)


def test_hints_of_an_english_spec_are_in_english_words() -> None:
    """Negative control: the same fault in English words."""
    (found,) = errors({"spec": text("lemma a : match")})
    assert found.hint == "a procedure is run by `run`"
    (found,) = errors({"spec": text("lemma a : true & true")})
    assert (found.hint, found.fix is not None and found.fix.text) == ("write `and`", "and")


def test_viewers_of_what_is_nearly_so_called() -> None:
    """For a zone or a cell that is not there `viewers` has a hint with the nearest one, if any."""
    hints = [errors({"spec": text(f"lemma a : viewers({name}) == all")})[0].hint for name in ("stok", "qqqqqq")]
    assert hints == ["did you mean `stock`?", "write `viewers(hand[s])`, say"]


@pytest.mark.parametrize(
    ("items", "hint"),
    [
        ("state a : Seat = 1", "write `seat 1`"),
        ("state a : Seat? = 2", "write `seat 2`"),
        ("state a : Seat = 7", "write `seat 1`"),
        ("lemma a(s : Seat) : s == 2", "write `seat 2`"),
        ("lemma a(s : Seat) : 2 == s", "write `seat 2`"),
        ("state a : Bool = 1", "write `true`"),
        ("option a : Bool = 0", "write `false`"),
        ("lemma a : 3", "write `true` or `false`"),
        ("invariant a : hand[seat 1] == 0", "write `|…|` for the number of elements"),
        ("option a : off | on = true", "its values are `off`, `on`"),
        ("option a : two | three = 2", "its values are `two`, `three`"),
        ("type Word = two | three state a : Word? = 2", "its values are `two`, `three`"),
        ("option a : two | three = two lemma b : a == 2", "its values are `two`, `three`"),
    ],
)
def test_what_to_write_for_a_value_of_another_type(items: str, hint: str) -> None:
    """A number or a truth value where a seat, a truth value, an item or the size of a set is meant."""
    (found,) = errors({"spec": text(items)})
    assert (found.code, found.hint) == ("type", hint)


def test_types_that_nothing_can_be_written_for() -> None:
    """Control: where no one thing is likely to be meant there is no hint."""
    assert [e.hint for e in errors({"spec": text("state a : Card = 1 lemma b : 6♠ == ♠ and seat 1 == 6♠")})] == [
        "",
        "no card counts as its rank or suit: write `rank(…)` or `suit(…)`",
    ]
    assert [e.hint for e in errors({"spec": text("lemma b : seat 1 == 6♠")})] == [""]


def test_keys_without_a_value_are_named() -> None:
    """Up to eight of them. Control: with `else` there is no error."""
    keys = {
        "{6: 1, A: 2}": "`10` has no value",
        "{♠: 1}": "`♥` has no value",
        "{A♠: 1, 10♠: 2, A♥: 2}": "`6♠`, `6♥`, `10♥` have no value",
        "{seat 2: 1}": "`seat 1` has no value",
        "{low: 1}": "`high` has no value",
        "{1: 1, 12: 1}": "`2`, `3`, `4`, `5`, `6`, `7`, `8`, `9` and 2 more have no value",
    }
    for table, message in keys.items():
        (found,) = errors({"spec": text(f"type Bid = low | high const a = {table}")})
        assert found.message == message and found.code == "table"
        assert codes({"spec": text(f"type Bid = low | high const a = {table[:-1]}, else 0}}")}) == []


def test_languages_of_texts() -> None:
    """Players' texts have a language of those that there are. Control: both of them."""
    for items, message, hint in (
        ('title fr "x"', "players' texts are not written in `fr`", "there are `en`, `ru`"),
        ('term stock rus "x"', "players' texts are not written in `rus`", "did you mean `ru`?"),
        ('option a : Bool = true eng "x"', "players' texts are not written in `eng`", "did you mean `en`?"),
    ):
        (found,) = errors({"spec": text(items)})
        assert (found.code, found.message, found.hint) == ("unknown-name", message, hint)
    assert codes({"spec": text('title ru "x" en "y" term stock en "z"')}) == []


def test_an_example_that_is_nearly_withdrawn() -> None:
    """The hint has the text of the nearest example, without comments. Control: where none is near there is a word of
    advice."""
    near = errors(varied("withdraw example odd and 1 == 2"))
    assert [e.hint for e in near] == ["did you mean `example odd and 1 == 1`?"]
    far = errors(varied("withdraw example {6♠, A♠} within stock"))
    assert [e.hint for e in far] == ["write it as it stands there"]
    module = {"m": "language 1\nmodule m {\n  example 1 < 2 # sure\n}"}
    (found,) = errors({"spec": text("use m withdraw example 1 < 3"), **module})
    assert found.hint == "did you mean `example 1 < 2`?"
