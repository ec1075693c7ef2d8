"""Names that the language gives a meaning to: their two spellings."""

import re

import pytest

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.names import RESULTS, RUSSIAN, canonical_name
from kozel_verify.model.load import load_text
from kozel_verify.model.scope import OUTCOMES, RESERVED
from tests.language.specs import spellings
from tests.model.frame import text
from tests.model.test_program import errors

ENGLISH = """
  type Word = one | two
  function near(s : Seat) : Seat = if left(s) == right(s) then s else left(s)
  function points(g : Cards) : Nat = min(|g|, 3) + max(1, |g|)
  predicate alike(x : Card, y : Card) = suit(x) == suit(y) or rank(x) == rank(y)
  function best(g : Cards) : Rank = rank(only(g))
  predicate red(t : Suit) = t == hearts and not (t == diamonds or t == clubs or t == spades)
  state flag : Bool = false seen by all
  state result : Outcome = lost
  invariant watched : viewers(hand[seat 1]) == {seat 1} and viewers(stock) == nobody
  step heard_of from asking : heard(seat 1)
"""
STATEMENTS = "for each s in Seat { ask s to asking { may wait { flag := s in unserved(s) } } }"


def in_russian(english: str) -> str:
    """The same with every name of the table in Russian, and no other word."""
    return "".join(RUSSIAN.get(word, word) for word in re.split(r"(\w+)", english))


def test_every_name_has_two_spellings() -> None:
    """The table has all names with a meaning of their own but `pack`, which is a word of the language; no spelling
    belongs to two of them, nor to a word of the language."""
    assert set(RUSSIAN) == (RESERVED - {"pack"}) | set(OUTCOMES.items)
    assert set(OUTCOMES.items) == RESULTS
    words = [w for pair in spellings().values() for w in pair]
    both = [*RUSSIAN, *RUSSIAN.values(), *words]
    assert len(both) == len(set(both))


def test_a_game_with_the_russian_names_is_the_same_game() -> None:
    """Used wherever they can be. Control: a name that is not in the table is another name."""
    english = text(ENGLISH + "outcome(s) = if result == won then won else neither", STATEMENTS)
    english = english.replace("  outcome(s) = neither\n", "").replace("♠, ♥", "♠, ♣, ♦, ♥")
    russian = in_russian(english)
    assert not {*RUSSIAN} & set(re.findall(r"\w+", russian))
    assert load_text(russian).game == load_text(english).game
    assert canonical_name("масть") == "suit" and canonical_name("мастьь") == "мастьь"
    with pytest.raises(SpecError, match="there is nothing called `мастьь` here"):
        load_text(russian.replace("масть(x)", "мастьь(x)"))


@pytest.mark.parametrize("item", ["const {} = 1", "state {} : Nat = 0", "lemma a({} : Card) : true", "type T = {} | b"])
def test_reserved_in_both_spellings(item: str) -> None:
    """Nothing of a game has such a name. Controls: another name; and the results, which may be names of something."""
    for name in ("suit", "масть", "все", "Карта"):
        assert [e.code for e in errors({"spec": text(item.format(name))})] == ["clash"], name
    for name in ("карта", "победа", "won"):
        assert errors({"spec": text(item.format(name))}) == [], name


def test_hints() -> None:
    """A misspelt Russian name has a hint with the right one, and so have words used for some of them; a spec in
    Russian words is told of all of them in Russian. Controls: English hints stay, and names of the game too."""

    def told(items: str, russian: bool = False) -> list[tuple[str, str]]:
        spec = text(items)
        spec = spec.replace("language 1\ngame", "язык 1\nигра") if russian else spec
        return [(e.message, e.hint) for e in errors({"spec": spec})]

    assert told("predicate a(c : Card) = маст(c) == ♠")[0][1] == "did you mean `масть`?"
    assert told("predicate a(c : Card) = достоинство(c) == A")[0][1] == "did you mean `ранг`?"
    assert told("predicate a(c : Карты) = |c| == 1 state b : Местo = seat 1") != []
    assert told("state b : Мест_ = seat 1")[0][1] == "did you mean `Место`?"
    assert told("predicate a(c : Card) = sut(c) == ♠")[0][1] == "did you mean `suit`?"
    arguments = [("`suit` takes 1 argument, not 0", "give one for each parameter")]
    assert told("example suit() == ♠") == arguments
    assert told("example масть() == ♠", russian=True) == [("`масть` takes 1 argument, not 0", arguments[0][1])]
    single = "example 6♠ == {6♠, A♠} state s : Card = {6♠}"
    assert [h for _, h in told(single)][-1] == "write `only(…)` for the single element of a set"
    assert [h for _, h in told(single, russian=True)][-1] == "write `только(…)` for the single element of a set"
    wrong = "state r : Outcome = draw_game"
    assert told(wrong) == [("`draw_game` is not in Outcome", "its items are `lost`, `neither`, `won`")]
    assert told(wrong, russian=True)[0][1] == "its items are `поражение`, `ничья`, `победа`"
    zone = "zone won seen by all example won[6♠] == {}"
    assert told(zone, russian=True) == told(zone) == [("`won` takes no index", "write `won`")]
