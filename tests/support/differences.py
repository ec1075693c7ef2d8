"""The page of differences: what tells the values of an option, and related games, apart at the table.

``python -m tests.support.differences`` makes the comparisons again (those named, or all) and writes what was found to
``proofs/differences.json``; that takes minutes. The page is made from this record, without comparing anything. A record
of another text of a spec is said to be one; that each of its deals still tells the two apart is a test, which replays
them in seconds.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import replay
from kozel_verify.interpret.state import State
from kozel_verify.interpret.text import value_text
from kozel_verify.language.parse import parse
from kozel_verify.model.core import Game, OptionDecl, Scenario
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.model.shapes import Shapes
from kozel_verify.model.types import SeatType, Value
from kozel_verify.verify.differ import Comparison, Effort, Side, compare
from kozel_verify.verify.differ.compare import names_of
from kozel_verify.verify.differ.functions import functions_used
from kozel_verify.verify.differ.partings import Parting, parting
from kozel_verify.verify.differ.sides import settings
from kozel_verify.verify.differ.telling import data_of
from kozel_verify.verify.option_sets import defaults
from kozel_verify.verify.scenarios import told_play
from kozel_verify.verify.tally import TOGETHER, kept_numbers
from tests.support.cited import ROOT, SPEC

RECORD = ROOT / "proofs" / "differences.json"
EFFORT = Effort(states=2_000, deals=400)
MANY = 4  # values of an option; of more, only the default is compared with the others
Entry = dict[str, Any]

# Deals laid by hand, where random ones do not come to the difference: scenarios of A.
LAID = {
    "kozel_prikup: zero_means zero_sum / no_tricks_and_zero": """
  # The defenders take the last trick alone, and with it no points.
  scenario "laid by hand" {
    deck Q♣ K♠ 10♠ Q♠ J♥ A♦ Q♥ J♦ 10♦ Q♦ A♣ K♦ J♣ 10♣ A♥ A♠ K♣ 10♥ 6♠ 6♣ 6♦ J♠ K♥ 6♥
    seat 2 : refuse
    seat 1 : lead(10♠)   seat 2 : play(A♠)   seat 3 : play(K♠)
    seat 2 : lead(Q♣)   seat 3 : play(J♥)   seat 1 : play(A♦)
    seat 2 : lead(Q♠)   seat 3 : play(J♦)   seat 1 : play(10♦)
    seat 2 : lead(Q♥)   seat 3 : play(A♣)   seat 1 : play(K♦)
    seat 2 : lead(Q♦)   seat 3 : play(10♣)   seat 1 : play(A♥)
    seat 2 : lead(J♣)   seat 3 : play(K♣)   seat 1 : play(10♥)
    seat 2 : lead(6♠)   seat 3 : play(6♣)   seat 1 : play(6♦)
  }""",
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides by the names of their specs; ``option``: what differs between two settings of one game."""

    a: str
    b: str
    option: str = ""
    values: tuple[str, str] = ("", "")

    @property
    def key(self) -> str:
        if self.option:
            return f"{self.a}: {self.option} {self.values[0]} / {self.values[1]}"
        return f"{self.a} / {self.b}"


GAMES = (Pair("burkozel_table", "kozel_classic"), Pair("kozel_shokha", "burkozel_table"))


@cache
def spec_of(name: str) -> Spec | None:
    """A finished game; ``None`` where there is no such file."""
    path = SPEC / f"{name}.kozel"
    return load(path) if path.exists() else None


def pairs() -> Iterator[Pair]:
    """Each two values of each option of a finished game (of a variant those that its base does not have so); then the
    games that are compared with each other."""
    for path in sorted(SPEC.glob("*.kozel")):
        game = load(path).game
        for option in own_options(path, game):
            for two in compared_values(option):
                first, second = (value_text(game, value, option.type) for value in two)
                yield Pair(game.name, game.name, option.name, (first, second))
    yield from (p for p in GAMES if spec_of(p.a) is not None and spec_of(p.b) is not None)


def own_options(path: Path, game: Game) -> Iterator[OptionDecl]:
    """The options of a game; of a variant those that its base has not, or with other values."""
    unit = parse(path.read_text(encoding="utf-8"), str(path))
    base = spec_of(str(unit.base)) if unit.kind == "variant" else None
    had = {} if base is None else {o.name: _values(base.game, o) for o in base.game.options.values()}
    yield from (o for o in game.options.values() if had.get(o.name) != _values(game, o))


def _values(game: Game, option: OptionDecl) -> set[str]:
    return {value_text(game, value, option.type) for value in option.values}


def compared_values(option: OptionDecl) -> list[tuple[Value, Value]]:
    """The default first. Of seats, which are all alike, only two."""
    ordered = [option.default, *(v for v in option.values if v != option.default)]
    if isinstance(option.type, SeatType):
        return [(ordered[0], ordered[1])]
    return list(combinations(ordered, 2))[: None if len(ordered) < MANY else len(ordered) - 1]


# --- the record -------------------------------------------------------------------------------------------------------


def sides(pair: Pair) -> tuple[Side, Side]:
    """The sides with the option of the pair; of one game, all other options stand at their defaults."""
    first, second = spec_of(pair.a), spec_of(pair.b)
    assert first is not None and second is not None
    if not pair.option:
        return Side(first), Side(second)
    game, found = first.game, []
    option = game.options[pair.option]
    for text in pair.values:
        value = next(v for v in option.values if value_text(game, v, option.type) == text)
        found.append(Side(first, {**defaults(game), pair.option: value}))
    return found[0], found[1]


def compared(pair: Pair) -> Entry:
    """The comparison, as it is recorded."""
    a, b = sides(pair)
    result = compare(a, b, EFFORT)
    laid = pair.key in LAID and not result.partings
    if laid:
        result.partings = [_laid(a, b, LAID[pair.key])]
    return _recorded(pair, result, laid)


def _recorded(pair: Pair, result: Comparison, laid: bool) -> Entry:
    data: Entry = json.loads(json.dumps(data_of(result)))
    best = result.partings[0] if result.partings else None
    return {
        "hashes": {name: side.spec.hash for name, side in zip((pair.a, pair.b), (result.a, result.b), strict=True)},
        "verdict": data["verdict"],
        "apart": data["apart"],
        "declared": data["declared"],
        "parting": data["partings"][0] if best else None,
        "laid": laid,
        "deals": _deals(result.a, best) if best else [],
        "functions": data["functions"],
        "alike": [] if pair.option else written_alike(result.a.game, result.b.game),
        "menus": [menu for menu in data["menus"] if menu["stricter"] or menu["laxer"] or menu["other"]],
        "examples": data["examples"],
        "changes": [_change(c) for c in data["changes"]],
        "looked": data["looked"],
        "proof": data["proof"],
    }


def written_alike(a: Game, b: Game) -> list[str]:
    """The functions of the rules of both games that say the same, with all that they call."""
    shapes, used = Shapes(), functions_used(a) & functions_used(b)
    return sorted(name for name in used if shapes.function(a, name) == shapes.function(b, name))


def _change(change: Entry) -> Entry:
    texts = {side: " ".join(change[side]["text"].split()) if change[side] else None for side in "ab"}
    return {"name": change["name"], **texts, "decisive": bool(change["removes"] or change["brings"])}


def _deals(side: Side, found: Parting) -> list[dict[str, int]]:
    """The numbers that A keeps, after each deal of the play; those that never change are left out."""
    game = side.on(found.pack)
    assert game is not None
    play = replay(Interpreter(game, found.setting.a), found.runs[0])
    rows = [_numbers(game, state) for state in play.states if state.node == game.deal_end]
    first = _numbers(game, play.initial)
    moving = [name for name in first if any(row[name] != first[name] for row in rows)]
    return [{name: row[name] for name in moving} for row in rows]


def _numbers(game: Game, state: State) -> dict[str, int]:
    return {name: number for name, number in kept_numbers(game, state) if not name.endswith(TOGETHER)}


def _laid(a: Side, b: Side, text: str) -> Parting:
    """The parting in a deal that was laid by hand."""
    spec = load_text(f"language 1\nvariant laid of {a.game.name} {{{text}\n}}\n", "laid.kozel")
    scenario = next(p for p in spec.game.properties if isinstance(p, Scenario) and p.name == "laid by hand")
    told = told_play(spec.game, scenario, spec.program.files)
    assert told is not None
    setting = next(s for s in settings(a.game, b.game, (a.fixed, b.fixed)) if not s.name)
    return parting(a.game, b.game, setting, told[1].outcomes, names_of(a, b))


def record() -> dict[str, Entry]:
    found: dict[str, Entry] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return found


def main(names: Sequence[str]) -> int:
    """Compare the pairs whose keys contain one of ``names`` (all, when there are none)."""
    known, found = record(), dict[str, Entry]()
    for pair in pairs():
        if not names or any(name in pair.key for name in names):
            print(pair.key, flush=True)
            found[pair.key] = compared(pair)
        elif pair.key in known:
            found[pair.key] = known[pair.key]
    RECORD.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
