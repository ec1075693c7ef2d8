"""The page of frequencies: what is recorded of each game is what its rules bring today."""

from pathlib import Path

import pytest

from kozel_verify.model.load import load
from tests.support import frequencies
from tests.support.cited import SPEC
from tests.support.frequencies import FIRST, counted, first, main, page_of, record, settings, title

GAMES = sorted(path.stem for path in SPEC.glob("*.kozel"))


@pytest.mark.parametrize("name", GAMES)
def test_the_first_deals_are_those_of_the_record(name: str) -> None:
    """For each number of players; a rule that has changed since shows there, as does a sample that was not made."""
    game, known = load(SPEC / f"{name}.kozel").game, record()
    for options in settings(game):
        assert known[title(game, options)]["first"] == first(game, options), title(game, options)


def test_nothing_else_is_recorded() -> None:
    """No sample of a game that is gone, and none twice."""
    names = [
        title(game, options) for n in GAMES for game in [load(SPEC / f"{n}.kozel").game] for options in settings(game)
    ]
    assert sorted(record()) == sorted(names)


def test_another_seed_goes_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: the numbers of the first deals tell other deals apart."""
    game = load(SPEC / "kozel_shokha.kozel").game
    options = next(settings(game))
    right = first(game, options)
    monkeypatch.setattr(frequencies, "SEED", 2)
    assert len(right) == 2 * FIRST and first(game, options) != right


def test_what_is_counted() -> None:
    """Twenty deals of one game, with names that a reader of its spec knows, and what the deal was worth."""
    game = load(SPEC / "kozel_shokha.kozel").game
    entry = counted(game, next(settings(game)), "deal", 20)
    rows = {name: count for kind in ("choices", "announcements", "witnesses") for name, count, _, _ in entry[kind]}
    assert rows["lead: lead"] == rows["somebody_declared"] == 20
    assert {"declaration: declare moscow", "declared_kind: moscow", "moscow_leads"} <= rows.keys()
    assert [sum(count for _, count, _, _ in seat) for seat in entry["ends"]] == [20] * 4


def test_the_page() -> None:
    """Choices of something, announcements, witnesses and results; of matches the last two."""
    deals = {
        "choices": [["lead: lead", 9, 0.5, 1.0], ["lead: lead x", 1, 0.25, 0.75]],
        "announcements": [["told: y", 2, 0, 1]],
    }
    deals |= {"witnesses": [["seen", 0, 0.0, 0.0038]], "ends": [[["-2", 400, 0.37, 0.431]]]}
    page = page_of({"a game": {"first": [], "deal": deals, "match": deals}})
    head, tail = page[page.index("## a game") :].split("\n\n| Matches")
    assert head.splitlines()[4:] == [
        "| `lead: lead x` | 1 | 0.1 % | 25.00 to 75.00 |",
        "| `told: y` | 2 | 0.2 % | 0.00 to 100.00 |",
        "| `seen` | 0 | 0.0 % | 0.00 to 0.38 |",
        "| seat 1: -2 | 400 | 40.0 % | 37.00 to 43.10 |",
    ]
    assert [line.split(" | ")[0] for line in tail.splitlines()[2:]] == ["| `seen`", "| seat 1: -2"]


def test_samples_are_kept_by_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the games that are named are played again; what is no game any more goes."""
    path = tmp_path / "frequencies.json"
    monkeypatch.setattr(frequencies, "RECORD", path)
    monkeypatch.setattr(frequencies, "counted", lambda *_: "counted")
    monkeypatch.setattr(frequencies, "first", lambda *_: [1])
    path.write_text('{"kozel_32": "old", "kozel_prikup": "old", "gone": "old"}', encoding="utf-8")
    assert main(["kozel_prikup"]) == 0
    assert record() == {"kozel_32": "old", "kozel_prikup": {"first": [1], "deal": "counted", "match": "counted"}}
