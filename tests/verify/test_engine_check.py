"""Validation of exported engines: the right one passes, each planted fault is found."""

from pathlib import Path

import pytest

from kozel_verify.export.python import expressions
from kozel_verify.export.python.module import export_python
from kozel_verify.model.core import Game
from kozel_verify.model.load import load, load_text
from kozel_verify.model.types import Value
from kozel_verify.verify.engine_check import Check, Report, validate_engine
from kozel_verify.verify.engine_lockstep import Lockstep
from tests.support.toy import toy_game

HASH = "0" * 64
OPTIONS: tuple[dict[str, Value], ...] = ({}, {"ruffing": False})


@pytest.fixture(scope="module")
def source() -> str:
    return export_python(toy_game(), spec_hash=HASH)


def validate(source: str, deals: int = 12, whole: int = 20_000) -> Report:
    return validate_engine(toy_game(), source, OPTIONS, deals, 7, whole=whole)


def test_the_exported_engine_is_the_game(source: str) -> None:
    """No difference; every function on its whole domain; every kind of comparison was made, and counted."""
    report = validate(source)
    assert report.differences == ()
    assert report.equal
    functions = [(c.name, c.how, c.cases) for c in report.checks if c.name.startswith("function ")]
    assert functions == [
        ("function beats", "whole domain", 144),
        ("function captures", "whole domain", 16384),
        ("function one_suit", "whole domain", 64),
        ("function points", "whole domain", 64),
    ]
    counts = {c.name: c.cases for c in report.checks if not c.name.startswith("function ")}
    assert counts["plays in lockstep"] == 26
    assert set(counts) == {"plays in lockstep"} | {
        f"in lockstep: {kind}"
        for kind in (
            "actions in menus",
            "actions refused",
            "cells",
            "choices",
            "events seen",
            "menus",
            "places of cards",
            "states through text and back",
            "views",
        )
    }
    assert all(count > 10 for count in counts.values())


def test_a_whole_spec_is_the_game() -> None:
    """The first shipped spec on its full pack, with the defaults and with every option at its last value."""
    game = load(Path(__file__).parents[2] / "spec" / "kozel_shokha.kozel").game
    options: list[dict[str, Value]] = [{}, {option.name: option.values[-1] for option in game.options.values()}]
    report = validate_engine(game, export_python(game, spec_hash=HASH), options, 1, 5, whole=300, longest=60)
    assert report.differences == ()
    assert report.equal


def test_the_same_arguments_give_the_same_report(source: str) -> None:
    """Deterministic, counts included."""
    assert validate(source, 2, 200) == validate(source, 2, 200)


FAULTS = {
    "a wrong operator in a rule": (
        "TABLE_2[TABLE_3[x]] > TABLE_2[TABLE_3[y]]",
        "TABLE_2[TABLE_3[x]] < TABLE_2[TABLE_3[y]]",
    ),
    "a wrong sum": ("11 * (s & 0x24)", "10 * (s & 0x24)"),
    "a wrong zone": (
        "HAND_ZONE + c[ASKED_CELL], WON_ZONE + c[LEADER_CELL])",
        "HAND_ZONE + c[ASKED_CELL], WON_ZONE + c[ASKED_CELL])",
    ),
    "a wrong visibility of a zone": ("ZONE_VIEWERS = (0, 1, 2,", "ZONE_VIEWERS = (0, 3, 2,"),
    "a hand shown in views": (
        "return (0x0, 1 << 0, 1 << 1, 0x3, 0x3, 0x0, 0x0)",
        "return (0x0, 0x3, 1 << 1, 0x3, 0x3, 0x0, 0x0)",
    ),
    "a hidden cell shown": ("0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x0)", "0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3, 0x3)"),
    "a menu without its last action": ("    return found\n", "    return found[:-1]\n"),
    "a menu in another order": ("    return found\n", "    return found[::-1]\n"),
    "the last card never shuffled": ("range(len(order) - 1, 0, -1)", "range(len(order) - 2, 0, -1)"),
    "a biased shuffle": ("j = y % (i + 1)", "j = y % len(order)"),
    "two seats dealt the same card": (
        "        z[source] &= ~cards\n",
        "        z[source] &= ~cards if not drawn else -1\n",
    ),
    "a card lost": ("        z[target] |= cards\n", "        z[target] = cards\n"),
    "the order not mixed when a card goes back": ("        if SOURCES >> target & 1:", "        if False:"),
    "a deck given that is not kept": ("        if not keep:", "        if True:"),
    "moves shown to everybody": ("if seen_by >> player & 1 else {}", "if True else {}"),
    "chosen cards told to everybody": ("if seat == player or not cards:", "if True:"),
    "announcements told to nobody": ("if not event[-1] >> player & 1:", "if True:"),
    "illegal actions taken": ("if choice not in _menu(state):", "if False:"),
    "malformed actions taken": ("if len(action) != len(parameters) + 1 or", "if False or"),
    "a state changed by its successor": ("c, z = list(cells), list(zones)", "c, z = list(cells), zones"),
    "gain taken for loss": ("gain_of(c, z, state.options, s) - loss_of", "loss_of(c, z, state.options, s) - gain_of"),
    "won taken for lost": ("outcome_of(c, z, state.options, seat) - 1", "1 - outcome_of(c, z, state.options, seat)"),
    "a text without the coming order": ('_deck(data["order"])', "tuple(_members(PACK))"),
    "a text without the log": ('tuple(_checked_event(event) for event in data["log"])', "()"),
    "an old deal forgotten": (
        "log, earlier, e, followed = (), log + _lasting(e), [], 0",
        "log, earlier, e, followed = (), (), [], 0",
    ),
    "a cell not reset": ("    c[GROUP_CELL] = 0\n", "    pass\n"),
    "a deal that does not end": ('(episode == "match" or node != DEAL_END)', "True"),
    "numbers that stand for other actions": (
        "    return _apply(state, menu[number])",
        "    return _apply(state, menu[0])",
    ),
    "a wrong player": ("    return c[ASKED_CELL]", "    return c[LEADER_CELL]"),
    "an option ignored": ("o[RUFFING_OPTION] != 0", "True"),
    "no Python at all": ("def is_terminal(", "def is_terminal"),
    "an error in the middle": ("def _lasting(e: list[Event])", "def _lasting_(e: list[Event])"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(source: str, fault: str) -> None:
    """Control: a module with one thing changed is not equal to the reference."""
    right, wrong = FAULTS[fault]
    assert right in source
    report = validate(source.replace(right, wrong), whole=200)
    assert not report.equal
    assert report.differences


@pytest.mark.parametrize("always", [True, False])
def test_a_wrong_matching_is_found(always: bool, source: str) -> None:
    """Control: the carried algorithm gives one answer only (one target asks for no algorithm)."""
    broken = source.replace("return len(neighbours) < 2 or has_matching(neighbours)", f"return {always}")
    assert broken != source
    assert not validate(broken, whole=200).equal


def test_a_fault_of_the_exporter_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: an exporter that turns `first … after` into `first … from`."""
    monkeypatch.setattr(expressions, "_clockwise_start", lambda code, after, count: code)
    assert not validate(export_python(toy_game(), spec_hash=HASH), whole=200).equal


SMALL = """\
language 1
game tiny {
  deck suits ♠, ♥ ranks 6, A
  seats 2
  zone stock seen by nobody
  ITEM
  phase deal { DEAL }
  phase match { run deal end }
  outcome(s) = neither
}
"""
ASK = "ask seat 1 to turn { may pass { } }"


def small(item: str = "", deal: str = ASK) -> Game:
    return load_text(SMALL.replace("ITEM", item).replace("DEAL", deal)).game


@pytest.mark.parametrize(
    ("item", "deal", "left_out"),
    [
        ("", ASK, {"cells"}),
        ("", "draw 1 from stock to stock", {"cells", "actions in menus"}),
        ("", "", {"cells", "actions in menus", "events seen"}),
        ("state n : 0..3 = 1", "n := 2", {"actions in menus", "events seen"}),
        ("state n : 0..3 = 1", ASK, set()),
    ],
)
def test_what_a_game_does_not_have_need_not_be_compared(item: str, deal: str, left_out: set[str]) -> None:
    """A game without cells, without questions or without events has an engine, too. Control: the kinds that it has
    something of are in the report."""
    game = small(item, deal)
    report = validate_engine(game, export_python(game, spec_hash=HASH), ({},), 20, 7)
    assert report.equal
    kinds = {c.name.removeprefix("in lockstep: ") for c in report.checks}
    assert {"cells", "actions in menus", "events seen"} - kinds == left_out


def test_what_a_game_has_must_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: a comparison that looks at no cell of a game with cells, or at no action, is not green."""
    game = small("state n : 0..3 = 1")
    source = export_python(game, spec_hash=HASH)
    for kind in ("cells", "actions in menus"):
        with monkeypatch.context() as patched:
            patched.setattr(Lockstep, "play", lambda play, _, kind=kind: play.counts.update({kind: 0, "menus": 1}))
            report = validate_engine(game, source, ({},), 2, 7)
        assert report.differences == () and not report.equal


def test_nothing_compared_is_not_equal() -> None:
    """A report with an empty check is not green, nor one whose cases are all undefined."""
    assert Report((Check("x", "sampled", 1),)).equal
    assert not Report((Check("x", "sampled", 0),)).equal
    assert not Report((Check("x", "sampled", 3, (), 3),)).equal
    assert not Report((Check("x", "sampled", 1, ("a difference",)),)).equal
