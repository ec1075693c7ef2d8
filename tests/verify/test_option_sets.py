"""Combinations of options, listed or made by number."""

from collections.abc import Mapping, Sequence
from itertools import islice
from math import prod

import pytest

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import Game
from kozel_verify.model.load import load_text
from kozel_verify.verify.option_sets import OptionSets, defaults, option_sets, possible

GAME = """
language 1
game many {{
  deck suits ♠ ranks 6, A
  seats 2
  zone stock seen by nobody
  {options}
  phase deal {{ ask seat 1 to turn {{ may pass {{ }} }} }}
  phase match {{ run deal end }}
  outcome(s) = neither
}}
"""


def game(number: int, *lines: str) -> Game:
    """A game with some truth values for options, and more lines."""
    options = [f"option o{n} : Bool = {'true' if n % 2 else 'false'}" for n in range(number)]
    return load_text(GAME.format(options="\n  ".join([*options, *lines])), "many.kozel").game


def texts(found: Sequence[Mapping[str, object]]) -> set[str]:
    return {repr(sorted(options.items())) for options in found}


def test_sixty_options_are_no_list() -> None:
    """2^60 combinations are there at once, the defaults first, each by its number; neighbours differ in much."""
    many = game(60)
    found = option_sets(many)
    assert len(found) == 2**60 and found[0] == defaults(many)
    first = list(islice(found, 50))
    assert len(texts(first)) == 50
    changed = [sum(options[n] != first[0][n] for n in options) for options in first[1:]]
    assert sum(changed) / len(changed) > 15


def test_by_number_and_listed_are_the_same() -> None:
    """Made by number, the combinations are those that are listed, each once; a constraint excludes some."""
    few = game(4, "option size : 1..3 = 2", "constraint size != 3 and (o1 implies size == 2)")
    listed, made = option_sets(few), OptionSets(few, {})
    assert isinstance(listed, list) and len(listed) == 2**3 * 3 == len(made)
    assert texts(listed) == texts(list(made)) and made[0] == listed[0] == defaults(few)
    assert made[1:3] == [made[1], made[2]]
    with pytest.raises(IndexError):
        made[len(made)]


def test_fixed_values() -> None:
    """With a value fixed the others vary; a value that a constraint excludes leaves nothing."""
    few = game(3, "option size : 1..3 = 2", "constraint size != 3")
    assert len(OptionSets(few, {"size": 1, "o0": True})) == 4
    assert all(options["size"] == 1 and options["o0"] for options in OptionSets(few, {"size": 1, "o0": True}))
    assert not OptionSets(few, {"size": 3})


def test_possible_values() -> None:
    """All values but those that no allowed combination has, also where there is no list."""
    lines = ("option size : 1..3 = 2", "constraint size != 3")
    for number in (3, 40):
        many = game(number, *lines)
        assert len(possible(many)) == 2 * number + 2 and ("size", 3) not in possible(many)
        assert len(option_sets(many)) == prod([2] * (number + 1))


@pytest.mark.parametrize("number", [2, 40])
def test_nothing_is_allowed(number: int) -> None:
    """Constraints that no choice satisfies are an error of the spec, however many options there are: so there is a
    first combination, the defaults."""
    with pytest.raises(SpecError, match="the defaults of the options break this constraint"):
        game(number, "option size : 1..3 = 2", "constraint size > 3")
    allowed = game(number, "option size : 1..3 = 2", "constraint size > 1")
    assert option_sets(allowed)[0] == defaults(allowed)
