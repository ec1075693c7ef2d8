"""Examples evaluated, and why they fail."""

from collections.abc import Mapping

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.core import Example
from kozel_verify.model.load import Spec, load_text
from kozel_verify.verify.examples import Tried, try_example, try_one, written_out
from kozel_verify.verify.explain import Explainer, source_text
from kozel_verify.verify.findings import Kind
from kozel_verify.verify.given import NoSuchState, blank, interpreter_for, state_of
from tests.cli.run import SMALL

BASE = SMALL.rstrip().removesuffix("}")
HEAD = "language 1\nvariant v of small {\n"


def spec(items: str) -> Spec:
    """A variant of the small game with these items, on lines 3 and up."""

    def read(name: str, beside: str) -> tuple[str, str] | None:
        return (SMALL, "small.kozel") if name == "small" else None

    return load_text(f"{HEAD}{items}\n}}\n", "v.kozel", read)


def last(items: str) -> Tried:
    """The last example of such a variant, tried."""
    loaded = spec(items)
    example = written_out(loaded.game)[-1]
    assert isinstance(example, Example)
    return try_example(loaded.game, example, loaded.program.files)


def test_those_of_the_small_game() -> None:
    """What holds is said to hold, with its kind and place."""
    loaded = spec("  # nothing new")
    tried = [try_one(loaded.game, item, loaded.program.files) for item in written_out(loaded.game)]
    assert [(t.name, t.kind, t.holds, t.span.line) for t in tried] == [
        ("example_1", Kind.EXAMPLE, True, 36),
        ("example_2", Kind.EXAMPLE, True, 37),
        ("both lay a card", Kind.SCENARIO, True, 38),
    ]


@pytest.mark.parametrize(
    "statement, lines",
    [
        ("bonus + 1 == 3", ["`bonus + 1 == 3` does not hold: `bonus + 1` is 2"]),
        ("bonus == 1 and bonus > worth", ["`bonus > worth` does not hold: `bonus` is 1, `worth` is 3"]),
        ("bonus == 2 or bonus == 3", [
            "`bonus == 2` does not hold: `bonus` is 1", "`bonus == 3` does not hold: `bonus` is 1",
        ]),
        ("bonus == 1 implies bonus == 2", [
            "`bonus == 1` holds: `bonus` is 1", "`bonus == 2` does not hold: `bonus` is 1",
        ]),
        ("not bonus == 1", ["`bonus == 1` holds: `bonus` is 1"]),
        ("every s in Seat : s == opener", [
            "for s = seat 2:", "  `s == opener` does not hold: `s` is seat 2, `opener` is seat 1",
        ]),
        ("not some s in Seat : s == opener", [
            "for s = seat 1:", "  `s == opener` holds: `s` is seat 1, `opener` is seat 1",
        ]),
        ("some s in Seat : points[s] == 1", ["`some s in Seat : points[s] == 1` does not hold"]),
        ("beats(6♠, A♥)", [
            "`beats(6♠, A♥)` does not hold",
            "  `rank(x) above rank(y) in high` does not hold: `rank(x)` is 6, `rank(y)` is A",
        ]),
        ("if bonus == 1 then played == 1 else true", [
            "`bonus == 1` holds", "`played == 1` does not hold: `played` is 0",
        ]),
    ],
)  # fmt: skip
def test_why_it_is_false(statement: str, lines: list[str]) -> None:
    """Only what decides is told: the false side, the element that breaks it, the values of both sides."""
    tried = last(f"  example {statement}")
    assert not tried.holds
    assert list(tried.explanation)[: len(lines)] == lines


def test_why_no_matching() -> None:
    """For cards that cannot be matched the explanation names those which share too few partners."""
    tried = last(
        "  predicate takes(r : Cards, g : Cards) = |r| == |g| and matching g -> r by beats\n"
        "  example takes({A♥, 6♥}, {Q♠, 6♠})"
    )
    assert tried.explanation == (
        "`takes({A♥, 6♥}, {Q♠, 6♠})` does not hold",
        "  `matching g -> r by beats` does not hold",
        "  6♠ is answered by A♥",
        "  Q♠ is answered by A♥",
        "  6♠ and Q♠ share A♥: 2 cards, 1 to answer them",
    )


def test_not_in() -> None:
    """What is written as `not in` is told as it is written, with its own value."""
    assert last("  example 6♠ not in {6♠, A♥}").explanation == ("`6♠ not in {6♠, A♥}` does not hold",)
    tried = last("  example worth not in 1..3")
    assert tried.explanation == ("`worth not in 1..3` does not hold",)


def test_given() -> None:
    """Options, cells and zones are as they are given, all else is as in the beginning."""
    given = "bonus = 2, points[seat 2] = 7, hand[seat 1] = {6♠, A♥}"
    assert last(f"  example bonus == 2 and points[seat 1] == 0 and points[seat 2] == 7 given {given}").holds
    assert last(f"  example hand[seat 1] == {{6♠, A♥}} and |stock| == 4 given {given}").holds
    assert not last("  example bonus == 2").holds


@pytest.mark.parametrize(
    "given, message",
    [
        ("hand[seat 1] = {6♠}, hand[seat 2] = {6♠}", "6♠ is put in two places"),
        ("stock = {6♠}", "Q♠ A♠ 6♥ Q♥ A♥ has no place: cards that are not mentioned lie in `stock`"),
        ("points[seat 1] = 3 - worth - 1", "0 - 1 is below zero"),
        ("bonus = |stock|", "`bonus` cannot be 6; its values: 0, 1, 2"),
    ],
)
def test_what_cannot_be_given(given: str, message: str) -> None:
    """A state that cannot be is no state in which an example holds: it fails, with the place of the value."""
    tried = last(f"  example true given {given}")
    assert (tried.holds, tried.explanation) == (False, (message,))
    assert tried.at.file == "v.kozel"


def test_without_a_value() -> None:
    """A statement without a value fails at the part that has none."""
    tried = last("  example 1 - bonus - 1 == 0")
    assert not tried.holds
    assert tried.explanation == ("it has no value: 0 - 1 is below zero",)
    assert (tried.at.line, tried.at.column) == (3, 11)


def test_a_planted_fault() -> None:
    """An example that held fails when the rule that it is about is changed."""
    loaded = spec("  predicate beats(x : Card, y : Card) = rank(y) above rank(x) in high")
    tried = [try_one(loaded.game, item, loaded.program.files) for item in written_out(loaded.game)]
    assert [t.holds for t in tried] == [False, True, True]


# --- the parts -------------------------------------------------------------------------------------------------------


def test_source_text() -> None:
    """A quotation is one line, without comments and citations; nothing is quoted from a text that is not at hand."""
    loaded = spec("  example bonus == 1    @ X-A1\n    and worth == 3  # really")
    span = written_out(loaded.game)[-1].span
    assert source_text(loaded.program.files, span) == "example bonus == 1 and worth == 3"
    assert source_text({}, span) == ""


def test_explained_without_text() -> None:
    """Without the spec's text the values are told all the same."""
    loaded = spec("  example bonus == 2")
    example = written_out(loaded.game)[-1]
    assert isinstance(example, Example)
    tried = try_example(loaded.game, example, {})
    assert tried.explanation == ("it does not hold: it is 1",)


def test_nothing_is_lost_in_a_state() -> None:
    """In a state that is written down each card of the pack has one place, whatever is given."""
    loaded = spec("  example true given hand[seat 2] = {A♠, Q♥}")
    example = written_out(loaded.game)[-1]
    interpreter = interpreter_for(loaded.game, example.given, example.span)
    state = state_of(interpreter, example.given)
    assert state.place == (0, 0, 2, 0, 2, 0)
    assert blank(loaded.game).place == (0,) * 6
    assert interpreter.initial()[0].cells == Interpreter(loaded.game).initial()[0].cells


def test_a_card_outside_of_the_pack() -> None:
    """On a smaller pack a card that is not in it cannot be put anywhere."""
    loaded = spec("  example true given hand[seat 2] = {A♠}")
    example = written_out(loaded.game)[-1]
    tiny = loaded.small("tiny")
    with pytest.raises(NoSuchState, match="A♠ is not in the pack"):
        state_of(Interpreter(tiny), example.given)


def test_why_of_a_fault() -> None:
    """A statement that has no value is explained by what is missing."""
    loaded = spec("  example 1 - bonus - 1 == 0")
    example = written_out(loaded.game)[-1]
    assert isinstance(example, Example)
    explainer = Explainer(Interpreter(loaded.game), loaded.program.files)
    texts: Mapping[str, str] = loaded.program.files
    assert texts
    assert explainer.why(blank(loaded.game), example.statement)[0].startswith("it has no value: v.kozel:3:11")
