"""Players' words for things that a variant has taken away."""

from tests.model.frame import text
from tests.model.test_program import codes, errors, loaded

ASK = "ask seat 1 to turn { may look { } may pass { } }"
ITEMS = """
  type Bid = low | high
  state bid : Bid = low
  term look ru "глядеть" en "look"
  term high ru "много" en "much"
  term pass ru "пас" en "pass"
"""
BASE = text(ITEMS, ASK).replace("game sample", "game base")
DROPPED = "phase deal { ask seat 1 to turn { may pass { } } }\ntype Bid = low | middle\n"


def variant(items: str, base: str = "base") -> str:
    return f"language 1\nvariant ours of {base} {{\n{items}\n}}"


def test_terms_for_what_a_variant_drops() -> None:
    """Where a variant drops a verb and an item of an enumeration, the words of its base for them are left out, on a
    smaller pack too; those for what is still there stay. Control: without the variant all three are there."""
    files = {"base": BASE, "spec": variant(DROPPED + "pack one { cards {6♠} }")}
    spec = loaded(files)
    assert set(spec.game.terms) == set(spec.small("one").terms) == {"pass"}
    assert set(loaded({"spec": BASE}).game.terms) == {"look", "high", "pass"}
    assert set(loaded({"base": BASE, "spec": variant("")}).game.terms) == {"look", "high", "pass"}


def test_terms_of_modules_for_what_is_replaced() -> None:
    """The same for the word of a module for what stood in its `default` procedure, in a game and in a variant."""
    module = 'language 1\nmodule m { default procedure extra { ASK } term look ru "г" en "look" }'.replace("ASK", ASK)
    user = text("use m procedure extra { }", "run extra")
    assert codes({"spec": user, "m": module}) == []
    assert loaded({"spec": user, "m": module}).game.terms == {}
    base = text("use m", "run extra").replace("game sample", "game base")
    spec = variant("procedure extra { }")
    assert loaded({"base": base, "m": module, "spec": spec}).game.terms == {}
    assert set(loaded({"spec": base, "m": module}).game.terms) == {"look"}


def test_terms_for_nothing_are_still_errors() -> None:
    """In the variant's own file; in a module of the variant, for what was never there; in the base, for what was never
    there; and in a game, for what it withdraws nothing of."""
    message = "the game has nothing called `{}`"
    own = variant(DROPPED + 'term look ru "г" en "look"')
    module = 'language 1\nmodule m { term luck ru "г" en "luck" }'
    wrong = BASE.replace("term look", "term luck")
    cases = [
        ({"base": BASE, "spec": own}, "look"),
        ({"base": BASE, "m": module, "spec": variant(DROPPED + "use m")}, "luck"),
        ({"base": wrong, "spec": variant(DROPPED)}, "luck"),
        ({"spec": text("use m"), "m": module}, "luck"),
    ]
    for files, name in cases:
        assert [e.message for e in errors(files)] == [message.format(name)], files


def test_a_variant_of_a_variant() -> None:
    """What the middle one drops is gone for the last one."""
    files = {"base": BASE, "ours": variant(DROPPED), "spec": variant("").replace("ours of base", "third of ours")}
    assert set(loaded(files).game.terms) == {"pass"}
