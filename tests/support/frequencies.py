"""The page of frequencies: how often what each game names comes in random play, for each number of players.

``python -m tests.support.frequencies`` plays again (the games named, or all) and writes what was counted to
``proofs/frequencies.json``; that takes minutes. The page is made from this record, without playing. How the first deals
of each sample went is in the record too, and a test plays those again.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from kozel_verify.cli.simulate_text import data_of
from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import Game
from kozel_verify.model.load import load
from kozel_verify.verify.option_sets import Options, defaults
from kozel_verify.verify.sample import sample
from kozel_verify.verify.tally import Unit
from tests.support.cited import ROOT, SPEC

RECORD = ROOT / "proofs" / "frequencies.json"
DEALS, MATCHES, FIRST, SEED = 1000, 50, 10, 1
PLAYERS = "players"  # the option that a game calls so
Entry = dict[str, Any]
ROWS = ("choices", "announcements", "witnesses")

HEAD = f"""\
# How often it comes

<!-- made by `python -m tests.support.pages` from `proofs/frequencies.json`, not edited -->

What the games name, counted in random play: {DEALS:,} deals of each game, and {MATCHES} whole matches, for each number
of players, all other options at their defaults (seeds from {SEED} on). **Every legal choice has the same chance**, so a
share says how often a thing comes in aimless play, not at a table: nobody plays a game like that.
[`statistics.md`](statistics.md) says what is counted and how the intervals (of 95 %) are made. A thing that never came
may be possible all the same: for each witness a play in which it holds is part of what `kozel verify` proves.

`python -m tests.support.frequencies GAME...` plays again; a test plays the first {FIRST} deals of each sample, and
finds what is recorded of them.
"""


def settings(game: Game) -> Iterator[Options]:
    """The defaults, with each number of players."""
    option = game.options.get(PLAYERS)
    for value in option.values if option is not None else [None]:
        yield {**defaults(game), **({PLAYERS: value} if value is not None else {})}


def title(game: Game, options: Options) -> str:
    option = game.options.get(PLAYERS)
    return game.name + ("" if option is None else f", {value_text(game, options[PLAYERS], option.type)}")


def first(game: Game, options: Options) -> list[int]:
    """How many steps and choices each of the first deals has."""
    found = (sample(game, options, "deal", [SEED + n], 1, lambda done, of: None).tally for n in range(FIRST))
    return [number for tally in found for number in (tally.steps, *tally.decisions)]


def counted(game: Game, options: Options, unit: Unit, plays: int) -> Entry:
    """The rows of one sample: name, in how many plays, and the ends of the interval of that share."""
    found = sample(game, options, unit, range(SEED, SEED + plays), 1, lambda done, of: None)
    assert found.failed is None, f"the rules fail in the play of seed {found.failed}"
    data: Entry = json.loads(json.dumps(data_of(found.tally, options)))
    rows = {kind: [[_name(row), row["count"], row["low"], row["high"]] for row in data[kind]] for kind in ROWS}
    ends = data["worth"] if unit == "deal" else data["outcomes"]
    return {**rows, "ends": [_end(seat) for seat in ends]}


def _name(row: Entry) -> str:
    if "choice" in row:
        return f"{row['node']}: {row['choice']}"
    if "label" in row:
        return str(row["label"]) + ("" if row["value"] is None else f": {row['value']}")
    return str(row["name"])


def _end(seat: Entry) -> list[list[Any]]:
    values = seat.get("values", seat)
    return [[value, share["count"], share["low"], share["high"]] for value, share in values.items()]


def record() -> dict[str, Entry]:
    found: dict[str, Entry] = json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return found


def main(names: Sequence[str]) -> int:
    """Play the games named (all, when there are none)."""
    known, found = record(), dict[str, Entry]()
    for path in sorted(SPEC.glob("*.kozel")):
        game = load(path).game
        for options in settings(game):
            key = title(game, options)
            if names and game.name not in names:
                found.update({key: known[key]} if key in known else {})
                continue
            print(key, flush=True)
            units: list[tuple[Unit, int]] = [("deal", DEALS), ("match", MATCHES)]
            found[key] = {"first": first(game, options), **{u: counted(game, options, u, n) for u, n in units}}
    lines = (f"{json.dumps(key)}: {json.dumps(found[key], separators=(',', ':'))}" for key in found)
    RECORD.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8", newline="\n")
    return 0


# --- the page ---------------------------------------------------------------------------------------------------------


def page() -> str:
    return page_of(record())


def page_of(known: dict[str, Entry]) -> str:
    lines = HEAD.split("\n")
    for key, entry in sorted(known.items()):
        lines += [f"## {key}", ""]
        for what, unit, plays, kinds in (("Deals", "deal", DEALS, ROWS), ("Matches", "match", MATCHES, ROWS[-1:])):
            lines += [f"| {what} | of {plays:,} | share | interval |", "|---|--:|--:|---|"]
            lines += _rows(entry[unit], plays, kinds)
            lines += [""]
    return "\n".join(lines).rstrip() + "\n"


def _rows(entry: Entry, plays: int, kinds: Sequence[str]) -> Iterator[str]:
    for kind in kinds:
        for name, count, low, high in entry[kind]:
            if kind != "choices" or " " in name.partition(": ")[2]:  # of choices those of something
                yield _row(f"`{name}`", count, plays, low, high)
    for seat, values in enumerate(entry["ends"], 1):
        for value, count, low, high in values:
            yield _row(f"seat {seat}: {value}", count, plays, low, high)


def _row(name: str, count: int, plays: int, low: float, high: float) -> str:
    return f"| {name} | {count} | {100 * count / plays:.1f} % | {100 * low:.2f} to {100 * high:.2f} |"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
