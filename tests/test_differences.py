"""The deals on the page of differences tell the two sides apart as the page says: each is replayed in both."""

import re
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Outcome, Proceed, State
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import Draw, Rest, Scenario
from kozel_verify.model.load import Spec, load_text
from kozel_verify.model.types import SeatType
from kozel_verify.verify.differ import Side
from kozel_verify.verify.differ.lockstep import Lockstep
from kozel_verify.verify.differ.noticed import first_difference
from kozel_verify.verify.scenarios import replay_scenario, told_play
from tests.support.differences import GAMES, Entry, Pair, compared_values, main, pairs, record, sides, spec_of
from tests.support.differences_page import page_of

KNOWN = record()
PAIRS = {pair.key: pair for pair in pairs()}
TOLD_APART = [key for key, entry in KNOWN.items() if entry["parting"] is not None]


def with_options(text: str, other: str) -> str:
    """A scenario with the options of another one."""
    first, *lines = _own_words(text, 0)
    options = [line for line in other.split("\n") if _is_option(line)]
    return "\n".join([first, *options, *lines])


def _own_words(text: str, begin: int = 1) -> list[str]:
    return [line for line in text.split("\n")[begin:] if not _is_option(line)]


def _is_option(line: str) -> bool:
    return line.strip().startswith("option ")


Pasted = tuple[Spec, Scenario]


@cache
def recorded(name: str) -> dict[str, Pasted]:
    """All recorded scenarios of a spec behind it, read at once; those of A also with the option as B has it."""
    texts = []
    for key, entry in KNOWN.items():
        if key in PAIRS and entry["parting"] is not None:
            pair, both = PAIRS[key], entry["parting"]["scenarios"]
            texts += [both[side] for side, spec in (("a", pair.a), ("b", pair.b)) if spec == name]
            texts += [with_options(both["a"], both["b"])] if pair.a == pair.b == name else []
    texts = list(dict.fromkeys(texts))
    return dict(zip(texts, _read(name, texts), strict=True))


def _read(name: str, texts: list[str]) -> list[Pasted]:
    """Raises ``SpecError`` where a scenario does not fit."""
    base = spec_of(name)
    assert base is not None
    numbered = [re.sub('^scenario ".*"', f'scenario "number {n}"', text) for n, text in enumerate(texts)]
    path = Path(base.path).parent / "pasted.kozel"
    found = load_text(f"language 1\nvariant pasted of {name} {{\n{''.join(numbered)}}}\n", str(path))
    by_name = {p.name: p for p in found.game.properties if isinstance(p, Scenario)}
    return [(found, by_name[f"number {n}"]) for n in range(len(texts))]


def pasted(spec: Spec, text: str) -> Pasted:
    """Raises ``SpecError`` where the scenario does not fit."""
    name = spec.game.name
    return recorded(name)[text] if text in recorded(name) else _read(name, [text])[0]


def holds(spec: Spec, text: str) -> bool:
    """Is the scenario replayed as it is written?"""
    try:
        found, scenario = pasted(spec, text)
    except SpecError:
        return False
    return replay_scenario(found.game, scenario, found.program.files) is None


def faults(pair: Pair, entry: Entry) -> list[str]:
    """What is not as it is recorded."""
    a, b = sides(pair)
    texts, found = entry["parting"]["scenarios"], []
    difference = _first(a, b, texts["a"], texts["b"])
    if difference != tuple(entry["parting"][key] for key in ("what", "a", "b")):
        found.append(f"what parts them is {difference}")
    if not holds(a.spec, texts["a"]):
        found.append("the scenario of A does not hold in A")
    if not holds(b.spec, texts["b"]):
        found.append("the scenario of B does not hold in B")
    if _own_words(texts["a"]) != _own_words(texts["b"]) and holds(b.spec, with_options(texts["a"], texts["b"])):
        found.append("the scenario of A holds in B")
    return found


def _first(a: Side, b: Side, mine: str, theirs: str) -> tuple[str, str, str] | None:
    """The first difference on the play of A's scenario, each side with the options of its own."""
    (found, scenario), (other, also) = pasted(a.spec, mine), pasted(b.spec, theirs)
    told = told_play(found.game, scenario, found.program.files)
    options = told_play(other.game, also, other.program.files)
    assert told is not None and options is not None
    lock = Lockstep(Interpreter(a.game, told[0].options), Interpreter(b.game, options[0].options))
    parted = first_difference(lock, [*told[1].outcomes, *_passed(lock.a, told[1].final, scenario.deck)])
    return None if parted is None else (parted[1].text, *parted[1].said)


def _passed(interpreter: Interpreter, state: State, deck: tuple[int, ...]) -> Iterator[Outcome]:
    """What happens by itself behind the last line of a scenario."""
    while True:
        node = interpreter.node(state)
        match node:
            case Draw() if deck:
                slot = interpreter.zone_slot(state, node.source, node.span)
                outcome: Outcome = Chance(next(card for card in deck if state.place[card] == slot))
            case Rest():
                outcome = Proceed()
            case _:
                return
        yield outcome
        state, _ = interpreter.step(state, outcome)


@pytest.mark.parametrize("key", TOLD_APART)
def test_each_deal_tells_them_apart(key: str) -> None:
    """Replayed in both games, the deal first shows what is recorded; the scenario of A holds in A and not in B, as far
    as there are words for it, and that of B holds in B."""
    if key in PAIRS:
        assert faults(PAIRS[key], KNOWN[key]) == []


@pytest.mark.parametrize(("game", "number"), [("kozel_prikup", 8), ("kozel_shokha", 6)])
def test_every_option_is_compared(game: str, number: int) -> None:
    """Each two values of each option of these games have an entry, of their present text, and a deal that tells them
    apart."""
    options = [pair for pair in PAIRS.values() if pair.option and pair.a == game]
    spec = spec_of(game)
    assert len(options) == number and spec is not None
    assert [p.key for p in options if p.key not in KNOWN or KNOWN[p.key]["parting"] is None] == []
    assert {KNOWN[p.key]["hashes"][game] for p in options} == {spec.hash}


def test_which_values_are_compared() -> None:
    """All pairs of three values, the default first; of seats only one."""
    spec = spec_of("kozel_shokha")
    assert spec is not None
    assert compared_values(spec.game.options["indicator_shokha"]) == [(0, 1), (0, 2), (1, 2)]
    assert compared_values(spec.game.options["first_dealer"]) == [(0, 1)]
    assert isinstance(spec.game.options["first_dealer"].type, SeatType)
    assert all(pair.key in PAIRS for pair in GAMES if spec_of(pair.a) and spec_of(pair.b))


@cache
def sixty() -> tuple[Pair, Entry]:
    key = "kozel_prikup: at_sixty two / zero"
    return PAIRS[key], KNOWN[key]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("penalty[seat 1] == 2", "penalty[seat 1] == 4", "the scenario of A does not hold in A"),
        ("  expect penalty[seat 1] == 2\n", "", "the scenario of A holds in B"),
        ("at_sixty = two", "at_sixty = zero", "what parts them is None"),
    ],
)
def test_a_wrong_deal_is_seen(old: str, new: str, fault: str) -> None:
    """Negative control: a deal that does not come to what is written, that holds in both, that does not part them."""
    pair, entry = sixty()
    wrong = deepcopy(entry)
    scenario = wrong["parting"]["scenarios"]["a"]
    assert old in scenario
    wrong["parting"]["scenarios"]["a"] = scenario.replace(old, new)
    assert fault in faults(pair, wrong)


def test_a_wrong_word_is_seen() -> None:
    """Negative control: another difference than the one recorded."""
    pair, entry = sixty()
    wrong = deepcopy(entry)
    wrong["parting"]["what"] = "the value of `times`"
    assert faults(pair, wrong) == ["what parts them is ('the value of `penalty[seat 1]`', '2', '0')"]


def test_the_page_says_what_it_is_about() -> None:
    """A comparison of another text is said to be one, one that was not made too, and one without a difference claims
    none."""
    pair, entry = sixty()
    page = page_of([pair], {pair.key: entry})
    assert "## kozel_prikup: `at_sixty`\n\nAt 60 to 60 (S8-A1, S8-A16).\n\n### two or zero\n" in page
    assert "**The value of `penalty[seat 1]`**. A: 2. B: 0. At `deal.end`." in page and "other texts" not in page
    stale = {**entry, "hashes": {"kozel_prikup": "0"}}
    assert "**Compared were other texts of the specs**" in page_of([pair], {pair.key: stale})
    assert page_of([pair], {}).endswith("## Not compared yet\n\n- `at_sixty` of kozel_prikup\n")
    nothing = {**entry, "parting": None, "verdict": "open", "deals": []}
    assert "No difference was found, and none is excluded (400 random deals, " in page_of([pair], {pair.key: nothing})
    equal = {**nothing, "verdict": "equal"}
    assert "Nobody can tell them apart in any play, proved." in page_of([pair], {pair.key: equal})


def test_options_of_variants() -> None:
    """Of a variant the options are listed that its base has not, or with other values; those that are the base's, with
    another default or not, are compared there."""
    named = {(pair.a, pair.option) for pair in PAIRS.values()}
    assert {option for game, option in named if game == "kozel_four_card"} == {"first_lead", "plain_fours"}
    assert {option for game, option in named if game == "kozel_fifteen"} == {"players"}
    assert {("kozel_classic", "discards"), ("kozly_two_halves", "trump_owner")} <= named


def test_the_record_is_kept_by_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the pairs that are named are compared again; what is recorded of the others stays, and what is no pair any
    more goes."""
    path = tmp_path / "differences.json"
    monkeypatch.setattr("tests.support.differences.RECORD", path)
    monkeypatch.setattr("tests.support.differences.compared", lambda pair: {"made": pair.key})
    path.write_text('{"kozel_prikup: at_sixty two / zero": {"old": 1}, "gone": {}}', encoding="utf-8")
    assert main(["two / eggs"]) == 0
    assert record() == {
        "kozel_prikup: at_sixty two / zero": {"old": 1},
        "kozel_prikup: at_sixty two / eggs": {"made": "kozel_prikup: at_sixty two / eggs"},
    }
