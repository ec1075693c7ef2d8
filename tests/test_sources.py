"""The tables of sources and readings, the map of the sources, and the specs agree."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from kozel_verify.model.books import SourceText
from kozel_verify.model.core import Game
from tests.support import assumptions
from tests.support.cited import SPEC, Citing, Said, citings, lines_of, readings, sources
from tests.support.source_map import Entry, check, faults, map_of, source_map
from tests.support.systems import systems

NUMBERS = {"K": (49, 65), "C": (233, 310), "H": (94, 178), "P": (67, 52), "B": (37, 64)}


def test_the_sources_are_those_of_the_module() -> None:
    """Five texts with their numbers of lines and sentences, under the names and files that `sources.kozel` declares."""
    texts = sources()
    assert {t.name: (len(t.sentences), sum(t.sentences)) for t in texts.values()} == NUMBERS
    module = (SPEC / "lib" / "sources.kozel").read_text(encoding="utf-8")
    assert all(f'source {t.name} = "{t.file}"' in module for t in texts.values())
    assert sum(len(t.ids()) for t in texts.values()) == 669


def test_lines_of_places() -> None:
    """A place names its lines that have sentences; a reading names none."""
    assert lines_of("K:7") == ["K:7"] and lines_of("S0-A5") == []
    assert lines_of("K:31-35") == lines_of("K:31–35") == ["K:31", "K:33", "K:35"]


# --- the map ---------------------------------------------------------------------------------------------------------


def test_the_map_is_complete_and_true() -> None:
    """Every sentence of a mapped text has its place, every named clause exists and cites the sentence's line, every
    clause that cites a line is named by a sentence of it."""
    assert check() == []


def test_which_texts_are_mapped() -> None:
    """All five texts are mapped as a whole."""
    assert {name.partition(":")[0] for name in source_map()} == {"K", "P", "B", "C", "H"}
    assert len(source_map()) == 65 + 52 + 64 + 310 + 178


TEXT = {"K": SourceText("K", "k.txt", "Rules", (1, 0, 2))}
CITED = (
    Citing(Said.RULE, ("g.beats",), "g.kozel", (("K:3", 7), ("S0-A1", 7))),
    Citing(Said.CLAIM, ("g.irreflexive",), "g.kozel", (("K:3", 9),)),
    Citing(Said.EXAMPLE, ("g.beats", "g.trump"), "g.kozel", (("K:3", 11),)),
)
MAP = {
    "K:1.1": Entry(none="heading"),
    "K:3.1": Entry(rule=("g.beats",), claim=("g.irreflexive",)),
    "K:3.2": Entry(example=("g.trump",), reading=("S0-A1",)),
}


def found(entries: dict[str, Entry], cited: Iterable[Citing] = CITED) -> list[str]:
    reading = replace(readings()["S0-A1"], places=("K:3",))
    return list(faults(entries, TEXT, list(cited), {"S0-A1": reading, "S0-A2": replace(reading, places=("K:1",))}))


def test_a_good_map_has_no_fault() -> None:
    """The map on which the faults below are planted has none."""
    assert found(MAP) == []


@pytest.mark.parametrize(
    ("sentence", "entry", "fault"),
    [
        ("K:3.2", None, "K:3.2 is not in the map"),
        ("K:3.3", Entry(none="heading"), "K:3.3 is no sentence"),
        ("K:3.2", Entry(), "K:3.2: nothing is said of it"),
        ("K:3.2", Entry(none="boring"), "K:3.2: `boring` is no kind of text, or not the only thing said"),
        ("K:1.1", Entry(none="page", reading=("S0-A2",)), "K:1.1: `page` is no kind of text, or not the only thing"),
        ("K:3.1", Entry(rule=("g.beats", "g.gone")), "K:3.1: no rule `g.gone` cites K:3"),
        ("K:1.1", Entry(rule=("g.beats",)), "K:1.1: no rule `g.beats` cites K:1"),
        ("K:3.1", Entry(rule=("g.beats", "g.irreflexive")), "K:3.1: no rule `g.irreflexive` cites K:3"),
        ("K:3.2", Entry(claim=("g.beats",)), "K:3.2: no claim `g.beats` cites K:3"),
        ("K:3.2", Entry(example=("g.suit",)), "K:3.2: no example `g.suit` cites K:3"),
        ("K:3.2", Entry(reading=("S0-A3",)), "K:3.2: there is no reading S0-A3"),
        ("K:3.2", Entry(reading=("S0-A2",)), "K:3.2: S0-A2 is not about K:3"),
        ("K:3.1", Entry(claim=("g.irreflexive",)), "`g.beats` cites K:3, but no sentence of it names that clause"),
    ],
)  # fmt: skip
def test_faults_of_a_map(sentence: str, entry: Entry | None, fault: str) -> None:
    """Each fault of a map is found, and alone."""
    entries = {k: v for k, v in MAP.items() if k != sentence} | ({} if entry is None else {sentence: entry})
    (only,) = found(entries)
    assert only.startswith(fault)


def test_a_citation_of_a_line_without_a_rule() -> None:
    """What cites a line that is said to hold no rule is found, whatever it is."""
    more = Citing(Said.CLAIM, ("g.new",), "g.kozel", (("K:1", 20),))
    assert found(MAP, (*CITED, more)) == ["g.kozel:20 cites K:1, which is said to hold no rule"]


def test_the_form_of_a_map() -> None:
    """An entry has only the fields that there are."""
    assert map_of('[K]\n3.1 = { rule = ["g.beats"], none = "heading" }') == {
        "K:3.1": Entry(("g.beats",), none="heading")
    }
    with pytest.raises(ValueError, match=r"K:3\.1: rules"):
        map_of('[K]\n3.1 = { rules = ["g.beats"] }')


# --- readings and options --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [system.spec.game for system in systems()]


def test_readings_and_options_agree(games: list[Game]) -> None:
    """Places of readings hold sentences; options that are named have those values, and a default of their own; an
    option that cites readings is named by one of them."""
    assert list(assumptions.faults(readings(), games)) == []


def test_faults_of_readings(games: list[Game]) -> None:
    """Each fault of the table is found: an empty line, a missing option or value, a default, a missing mention."""
    shokha = [g for g in games if g.name == "kozel_shokha"]
    turned = readings()["S0-A5"]
    cases = [
        (replace(turned, places=("K:8",)), ["S0-A5: K:8 holds no sentence"]),
        (
            replace(turned, options=(("indicator", ("redraw",)),)),
            [
                "S0-A5: no option `indicator` cites it",
                "`indicator_shokha` of kozel_shokha cites S0-A5, which does not name it",
            ],
        ),
        (
            replace(turned, options=(("indicator_shokha", ("hearts",)),)),
            ["S0-A5: `indicator_shokha` of kozel_shokha is never hearts"],
        ),
        (
            replace(turned, options=(("indicator_shokha", ("spades_trump", "redraw")),)),
            ["S0-A5: the default of `indicator_shokha` of kozel_shokha is no other reading"],
        ),
    ]
    for reading, expected in cases:
        assert list(assumptions.faults({"S0-A5": reading}, shokha)) == expected


UNSTATED = {
    "S1-A12": "an act that is not legal has no clause",
    "S1-A14": "about names of games",
    "S2-A9": "rejected: such a pack is not to be had",
    "S2-A10": "what is not done: there is no table of scores for it",
    "S2-A12": "about words of the text",
    "S6-A20": "no rule rests on that sum",
    "S6-A21": "rejected: such an answer has no clause",
    "S6-A22": "left out: what is not legal cannot be done",
    "S7-A9": "arbitration only: what is not legal cannot be done",
    "S7-A10": "left out: what the word means is not said",
    "S9-A2": "what is not done: games are not merged",
    "S10-A3": "what a module brings",
    "X-A1": "what a scenario means by a deck",
    "X-A2": "what the language means by a choice",
    "X-A7": "what the language means by what a seat has seen",
}


def test_every_reading_is_used() -> None:
    """Each reading is cited, but for those that no clause can state."""
    cited = assumptions.citations()
    assert [n for n in readings() if n not in cited] == list(UNSTATED)


def test_everything_that_is_a_rule_can_be_named() -> None:
    """Every clause that cites has one name, `unit.name`, and no two clauses of the specs have the same."""
    rules = [c for c in citings() if c.said is not Said.EXAMPLE and c.said is not Said.WORDS]
    assert all(len(c.names) == 1 for c in rules)
    named = [c.names[0] for c in rules if not c.names[0].endswith(".constraint")]
    assert len(named) == len(set(named))
