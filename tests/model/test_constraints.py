"""The defaults of the options satisfy the constraints: asked when a game is read."""

from collections.abc import Callable
from functools import partial

import pytest

from kozel_verify.interpret.errors import BadOptions
from kozel_verify.interpret.evaluate import Evaluation
from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.fold import Given, fold
from kozel_verify.model.limits import Budget
from kozel_verify.model.operators import Undefined
from tests.model.frame import FIRST_ITEM_LINE, game, problems, text
from tests.model.test_program import errors

OPTIONS = "option a : 0..3 = 1\noption b : Bool = false\noption d : Seat = seat 1\n"


@pytest.mark.parametrize(
    ("constraint", "hint"),
    [
        ("false", "take it out"),
        ("a == 3 and a == 2", "change the default of `a`, or this constraint"),
        ("a != 1", "change the default of `a`, or this constraint"),
        ("b or a in {0, 2}", "change the default of `a` or `b`, or this constraint"),
        ("big(2)", "change the default of `a`, or this constraint"),
        ("(first t in {1, 2} clockwise after d) == d", ""),
    ],
)
def test_defaults_that_a_constraint_excludes(constraint: str, hint: str) -> None:
    """Are an error at the constraint, with the options that it reads, also through functions. Control: with `not`
    before it the constraint is satisfied."""
    functions = "predicate big(x : 0..3) = a >= x\n"
    constraint = constraint.replace("{1, 2}", "{seat 1, seat 2}")
    items = f"{OPTIONS}{functions}constraint "
    (error,) = problems(f"{items}{constraint}")
    assert (error.code, error.message) == ("constraint", "the defaults of the options break this constraint")
    assert error.span.line == FIRST_ITEM_LINE + 4 and error.hint == (hint or error.hint)
    assert problems(f"{items}not ({constraint})") == []


def test_a_constraint_without_a_value() -> None:
    """Is one that the defaults do not satisfy. Control: where they give it a value it is no error."""
    (error,) = problems("option a : 0..3 = 1\nconstraint a - 2 == 0")
    assert error.code == "constraint" and error.message.startswith("with the defaults of the options this constraint")
    assert problems("option a : 0..3 = 2\nconstraint a - 2 == 0") == []


def test_a_variant_with_another_default() -> None:
    """A new default that a constraint of the base game excludes is an error at that default, with the constraint's
    place in the hint; one that it allows is none. Control: where the constraint is the variant's own, or the default
    is not, the error is at the constraint."""
    files = {"base": text("option a : 0..3 = 1\noption b : 0..3 = 1\nconstraint a != 2 # not\n or b == 3")}
    files["base"] = files["base"].replace("game sample", "game base")

    def variant(items: str) -> list[tuple[str, str, str]]:
        found = errors({**files, "spec": f"language 1\nvariant other of base {{\n{items}\n}}\n"})
        return [(str(e.span), e.message, e.hint) for e in found]

    assert variant("option a = 3") == []
    message = "`a` cannot have this default: it breaks `constraint a != 2 or b == 3`"
    hint = "the constraint stands at base.kozel:16:12; take another value, or change the default of `b`"
    assert variant("option a = 2") == [("spec.kozel:3:12", message, hint)]
    assert variant("option a : 0..3 = 2") == [("spec.kozel:3:19", message, hint)]
    own = "the defaults of the options break this constraint"
    assert variant("constraint a == 3") == [("spec.kozel:3:12", own, "change the default of `a`, or this constraint")]
    assert variant("option a = 3 constraint a == 2")[0][0] == "spec.kozel:3:25"


def test_a_default_that_leaves_a_constraint_without_a_value() -> None:
    """Is named in the same way."""
    base = text("option a : 0..3 = 2\nconstraint a - 2 == 0").replace("game sample", "game base")
    (found,) = errors({"base": base, "spec": "language 1\nvariant other of base {\noption a = 1 }"})
    assert found.message.startswith("`a` cannot have this default: the constraint `a - 2 == 0` has no value with it: ")
    assert str(found.span) == "spec.kozel:3:12"


def test_many_options_cost_nothing() -> None:
    """Sixty options have more combinations than can be tried; one is."""
    many = "".join(f"option o{n} : 0..99 = {n}\n" for n in range(60))
    together = " and ".join(f"o{n} == {n}" for n in range(60))
    assert problems(f"{many}constraint {together}") == []


@pytest.mark.parametrize(
    "expression",
    [
        "matching {6♠, 10♥} -> (those c in Card where c in blacks and c != 6♠) by equal_rank",
        "matching {6♠, 10♠, A♠} -> {10♠, A♠} by equal_rank",
        "matching {A♠, A♥} -> {A♠, 6♠} by equal_suit",
        "(first t in {seat 1, seat 2} clockwise from d) == seat 2",
        "(first t in {seat 1, seat 2} clockwise after d) == seat 2",
        "(first t in {seat 1} clockwise after d) == d",
        "(first t in {} clockwise after d) == d",
        "(sum x in {1, 2, 3} of (if x <= a then weight(x) else 0)) == 6",
        "some x in {1, 2, 3} : weight(x) == a",
        "b implies a - 2 == 0",
    ],
)
def test_it_is_the_interpreters_meaning(expression: str) -> None:
    """What is found here, for whatever options, is what the reference interpreter finds."""
    items = f"{OPTIONS}predicate equal_rank(x : Card, y : Card) = rank(x) == rank(y)\n"
    items += "predicate equal_suit(x : Card, y : Card) = suit(x) == suit(y)\nconst blacks = {6♠, 10♠, A♠}\n"
    items += f"function weight(x : 0..3) : Nat = x * 2\npredicate probe = {expression}\n"
    there = game(items)
    body = there.functions["probe"].body
    for a in range(4):
        for b in (False, True):
            for d in range(2):
                options = {"a": a, "b": b, "d": d}
                interpreter = Interpreter(there, options)
                state, _ = interpreter.initial()
                reference = Evaluation(there, options, state)
                given = Given(options, there.functions)
                found = value_of(partial(fold, body, Budget(10_000, ""), given=given))
                assert found == value_of(partial(reference.value, body, {}))


def value_of(evaluation: Callable[[], object]) -> object:
    """Or ``None`` where there is none."""
    try:
        return evaluation()
    except Undefined:
        return None


def test_the_interpreter_takes_the_defaults_of_every_game() -> None:
    """A game that was read can be played when no option is set; with a value that is excluded it cannot."""
    there = game(f"{OPTIONS}constraint a + 1 < 3 and (b implies a == 0)")
    assert Interpreter(there).options == {"a": 1, "b": False, "d": 0}
    with pytest.raises(BadOptions):
        Interpreter(there, {"b": True})
