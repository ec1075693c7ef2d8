"""`kozel explain`: promises, clauses and errors, each in a page."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kozel_verify.cli import explain
from kozel_verify.language.codes import CODES
from kozel_verify.model.load import Spec, load
from kozel_verify.verify.trusted import rests_on, trusted
from tests.cli.conftest import Kozel
from tests.support.readme import ROOT

Variant = Callable[[str], Path]
ITEMS = """
  predicate far(c : Card) = worth == 3 and beats(c, 6♠)                                             @ X-A4
  lemma far_away(c : Card) : far(c) implies c != 6♠                                                 @ X-A5
  invariant counted at turn : played <= 2 and s in Seat
  invariant always : played >= 0
  secret hands[s : Seat] : hand[s] from all without {s}
  measure falls : |stock|
  witness one_laid at turn : some t in Seat : |table[t]| == 1
  compiled pair : wins(r, g) for 1..2
  predicate wins(r : Cards, g : Cards) = |r| == |g| and matching g -> r by beats
  step laid from turn by lay(c) : c in table[old(s)]
  menu all_of_hand at turn : lay(c) when c in hand[s]
  term far ru "дальняя" en "distant"
"""


@pytest.fixture
def spec(variant: Variant) -> Path:
    return variant(ITEMS)


def record(folder: Path, spec: Path, name: str, *legs: tuple[str, str, int | None], hash: str = "") -> None:
    """A folder of proofs with one promise."""
    entry = {
        "kind": "lemma",
        "verdict": legs[0][1],
        "citations": [],
        "legs": [{"method": m, "verdict": v, "cases": n, "visited": n, "holds": n} for m, v, n in legs],
    }
    data = {"format": 1, "name": "varied", "settings": {}, "dropped": {}, "obligations": {name: entry}}
    (folder / "proofs").mkdir(exist_ok=True)
    text = json.dumps({**data, "hash": hash or load(spec).hash})
    (folder / "proofs" / "varied.json").write_text(text, encoding="utf-8")


# --- promises --------------------------------------------------------------------------------------------------------


def test_a_promise(kozel: Kozel, spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its text, citations, what it rests on and reads, what each method found, what that rests on, how to run it."""
    monkeypatch.chdir(spec.parent)
    closure = "closure of pack `tiny`"
    record(
        spec.parent, spec, "far_away",
        ("smt", "PROVED", None), ("enumeration", "ENUMERATED", 6),
        (closure, "CLOSED", 10), (f"{closure}, mood = wild", "CLOSED", 12),
    )  # fmt: skip
    said = kozel("explain", "far_away", "--spec", "varied.kozel")
    assert (
        said.out
        == """far_away: lemma of varied, varied.kozel:5  @ X-A5
    lemma far_away(c : Card) : far(c) implies c != 6♠                                                 @ X-A5
  rests on     order high (small.kozel:9), constant worth (small.kozel:10), predicate beats (small.kozel:11),
               predicate far (varied.kozel:4)
  reads        functions beats, far
  shown        PROVED, as recorded of exactly this text
               PROVED     smt
               ENUMERATED enumeration: 6 cases
               CLOSED     closure of pack `tiny` (2 sets of options): 22 cases
  trusted      what the words of the spec mean: the grammar, the checker of names and types, the reference
               interpreter
               Z3, and the symbolic meaning of operators, which is compared with the concrete one in tests
               that the list of cases is complete; each is evaluated by the reference interpreter
               the fast machine, which is compared with the interpreter in tests; it is about a smaller pack
               only
  run it       kozel verify varied.kozel --only far_away
  which takes  lemma
"""
    )


@pytest.mark.parametrize("verdict, code", [("PROVED", 0), ("REFUTED", 1), ("CLOSED", 3), ("DISAGREE", 4)])
def test_a_verdict(kozel: Kozel, monkeypatch: pytest.MonkeyPatch, verdict: str, code: int) -> None:
    """Its word is explained without reading any game; where a spec is named it is a name like others."""
    monkeypatch.setattr(explain, "_specs", lambda *_: pytest.fail("it reads games"))
    said = kozel("explain", verdict)
    assert said.code == 0 and said.out.startswith(f"{verdict}: a verdict\n")
    assert f"  exit code    {code} of `kozel verify`" in said.out
    monkeypatch.undo()
    assert kozel("explain", verdict, "--spec", "kozel_shokha").code == 2


def test_a_record_of_another_text(kozel: Kozel, spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was recorded of other texts is never told as if it were of these; without a record nothing is told."""
    monkeypatch.chdir(spec.parent)
    record(spec.parent, spec, "far_away", ("smt", "PROVED", None), hash="0" * 64)
    said = kozel("explain", "far_away", "--spec", spec).out
    assert "  shown        PROVED in a record that is of another text: it may not hold any more\n" in said
    assert "as recorded of exactly this text" not in said
    assert "  shown        nothing is recorded of it\n" in kozel("explain", "counted", "--spec", spec).out


def test_a_promise_about_play(kozel: Kozel, spec: Path) -> None:
    """It rests on all of play besides its statement, and says where it is stated."""
    said = kozel("explain", "counted", "--spec", spec).out
    assert "  at           deal.turn\n" in said
    assert "  rests on     cell played (small.kozel:16)\n  and on       all of play: 11 clauses\n" in said
    assert "  at           all nodes\n" in kozel("explain", "always", "--spec", spec).out
    assert "all of play" not in kozel("explain", "far_away", "--spec", spec).out


@pytest.mark.parametrize("name", ["conservation", "well_defined", "never_stuck", "no_peeking"])
def test_what_every_game_promises(kozel: Kozel, spec: Path, name: str) -> None:
    """The promises that no spec states are told in a sentence."""
    said = kozel("explain", name, "--spec", spec).out.splitlines()
    assert said[0] == f"{name}: of every game, so of varied"
    assert said[1].startswith("  says         ")
    assert "  rests on     all of play: 11 clauses" in said
    assert "  reads        cells played, points; zones hand, stock, table; options bonus, opener" in said


@pytest.mark.parametrize(
    "name, needs",
    [
        ("hands", ["hand", "stock", "table"]),  # who sees a zone is what a secret is about
        ("falls", ["stock"]),
        ("one_laid", ["table"]),
        ("laid", ["table"]),
        ("all_of_hand", ["hand"]),
        ("both lay a card", ["hand", "played", "points"]),
        ("example_2", ["bonus", "worth"]),
        ("always", ["played"]),
    ],
)
def test_every_kind_of_property(kozel: Kozel, spec: Path, name: str, needs: list[str]) -> None:
    """Each kind of property has its page, with the clauses that its statement comes to."""
    (found,) = json.loads(kozel("explain", name, "--spec", spec, "--format", "json").out)["found"]
    assert (found["found"], found["name"]) == ("promise", name)
    assert sorted(found["needs"]) == needs
    assert found["says"]


def test_a_compiled_predicate(kozel: Kozel, spec: Path) -> None:
    """Its own name means the promises of all its sizes."""
    found = json.loads(kozel("explain", "pair", "--spec", spec, "--format", "json").out)["found"]
    assert [f["name"] for f in found] == ["pair_k1", "pair_k2"]
    assert sorted(found[0]["needs"]) == ["beats", "high", "wins"]


def test_a_dead_clause(kozel: Kozel, variant: Variant) -> None:
    """It rests on where it stands and on the conditions that lead to it, but not on others."""
    path = variant(
        "  phase match { repeat { run deal } until played >= 2\n"
        "    if bonus == 0 { if worth == 3 { dead never } }\n    if opener == seat 1 { end }\n    end }"
    )
    (found,) = json.loads(kozel("explain", "never", "--spec", path, "--format", "json").out)["found"]
    assert found["kind"] == "dead"
    assert sorted(found["needs"]) == ["bonus", "match", "worth"]


def test_a_record_that_was_edited(kozel: Kozel, spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record with a gap says nothing, and nothing fails."""
    monkeypatch.chdir(spec.parent)
    record(spec.parent, spec, "far_away", ("smt", "PROVED", None))
    path = spec.parent / "proofs" / "varied.json"
    path.write_text(path.read_text(encoding="utf-8").replace('"visited"', '"seen"'), encoding="utf-8")
    assert "  shown        nothing is recorded of it\n" in kozel("explain", "far_away", "--spec", spec).out
    path.write_text("{", encoding="utf-8")
    assert "  shown        nothing is recorded of it\n" in kozel("explain", "far_away", "--spec", spec).out


# --- clauses ---------------------------------------------------------------------------------------------------------


def test_a_clause(kozel: Kozel, spec: Path) -> None:
    """Its text and citations, what it names and what names it, and which promises need it."""
    assert (
        kozel("explain", "far", "--spec", spec).out
        == """far: predicate of varied, varied.kozel:4  @ X-A4
    predicate far(c : Card) = worth == 3 and beats(c, 6♠)                                             @ X-A4
  names        worth, beats
  needed by    the statement of 1 promise: far_away
  in play      no: play does not come to it
"""
    )


def test_a_procedure(kozel: Kozel, spec: Path) -> None:
    """A promise needs a procedure when it reads what that changes, or stands at one of its nodes."""
    error, found = json.loads(kozel("explain", "deal", "--spec", spec, "--format", "json").out)["found"]
    assert error["found"] == "error"  # `deal` is the code of one as well
    assert found["kind"] == "phase"
    assert found["changes"] == ["hand", "played", "points", "stock", "table"]
    assert found["nodes"] == ["deal.dealing", "deal.turn"]
    assert "counted" in found["needed_by"]
    assert "always" in found["needed_by"]
    assert "far_away" not in found["needed_by"]
    assert found["in_play"]


@pytest.mark.parametrize("name", ["turn", "deal.turn", "lay"])
def test_a_node(kozel: Kozel, spec: Path, name: str) -> None:
    """A node is found by its name and by its choices; its page says what follows and what is stated there."""
    said = kozel("explain", name, "--spec", spec).out
    assert said.startswith("deal.turn  at turn\n  asks s\n")
    assert said.endswith("  stated here  counted, one_laid, laid, all_of_hand\n")


@pytest.mark.parametrize(
    "name, found",
    [
        ("дальняя", "far: predicate"),
        ("Distant", "far: predicate"),
        ("varied.kozel:4", "far: predicate"),
        ("small:11", "beats: predicate"),
        ("calm", "mood: option"),
    ],
)
def test_other_ways_to_a_clause(kozel: Kozel, spec: Path, name: str, found: str) -> None:
    """What players call it, a place in one of the files, and an option's value mean a clause."""
    said = kozel("explain", name, "--spec", spec)
    assert said.code == 0
    assert said.out.startswith(f"{found} of varied, ")


def test_a_line_inside(kozel: Kozel, spec: Path) -> None:
    """A line inside of a clause shows it, with the node that is asked there; a line of a promise shows that."""
    found = json.loads(kozel("explain", "small.kozel:22", "--spec", spec, "--format", "json").out)["found"]
    assert [f["found"] for f in found] == ["node", "clause"]
    assert (found[1]["name"], found[1]["asked_line"]) == ("deal", 22)
    assert kozel("explain", f"{spec}:5").out.startswith("far_away: lemma of varied")


def test_all_clauses(kozel: Kozel, small: Path) -> None:
    """With a spec for the name, all clauses are listed, then those that no statement needs, in play and not."""
    said = kozel("explain", small).out
    assert said == kozel("explain", "--clauses", "--spec", small).out
    lines = said.splitlines()
    assert "       1  predicate beats  small.kozel:11" in lines
    assert "       0  option opener    small.kozel:7" in lines
    assert "    option opener, zone stock, zone table, phase match, result outcome, result gain" in lines
    assert lines[-2:] == ["  no statement needs these, and play does not come to them:", "    option mood"]


def test_a_new_promise_changes_the_list(kozel: Kozel, variant: Variant) -> None:
    """A statement about a clause takes it off the list of those that none needs."""
    data = json.loads(kozel("explain", variant("  lemma o : opener in Seat"), "--format", "json").out)
    (opener,) = [c for c in data["specs"][0]["clauses"] if c["name"] == "opener"]
    assert opener["needed_by"] == ["o"]


# --- errors, and names of nothing ------------------------------------------------------------------------------------


def test_an_error(kozel: Kozel) -> None:
    """The code of an error means its page of the registry."""
    said = kozel("explain", "unknown-name")
    assert said.code == 0
    assert said.out.startswith("unknown-name: an error: there is nothing of this name here\n")
    assert "    example «limitt» == 12\n" in said.out


def test_only_what_is_asked_for_is_read(
    kozel: Kozel, small: Path, spec: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `--spec` the code of an error reads no game, a line of a game's file that game alone, a name all."""
    opened: list[str] = []
    known = {"one": small, "other": spec}

    def open_spec(argument: str) -> Spec:
        opened.append(argument)
        return load(known.get(argument, Path(argument)))

    monkeypatch.setattr(explain, "shipped", lambda: known)
    monkeypatch.setattr(explain, "open_spec", open_spec)
    assert kozel("explain", "deal").out.startswith("deal: an error: ") and opened == []  # a phase of both, too
    assert kozel("explain", "unknown-name").code == 0 and opened == []
    assert kozel("explain", f"{spec}:5").out.startswith("far_away: lemma of varied") and opened == [str(spec)]
    assert kozel("explain", "far").code == 0 and opened[1:] == ["one", "other"]
    module = tmp_path / "elsewhere.kozel"
    module.write_text("language 1\nmodule elsewhere {\n}\n", encoding="utf-8")
    assert kozel("explain", f"{module}:1").code == 2 and opened[3:5] == ["one", "other"]


def test_a_line_of_a_game_by_its_name(kozel: Kozel) -> None:
    """`NAME:LINE` and `NAME.kozel:LINE` mean the game that comes with the tool, not the variants of it."""
    lines = (ROOT / "spec" / "kozel_shokha.kozel").read_text(encoding="utf-8").split("\n")
    line = next(n for n, text in enumerate(lines, 1) if text.lstrip().startswith("predicate beats"))
    for place in (f"kozel_shokha:{line}", f"kozel_shokha.kozel:{line}"):
        assert kozel("explain", place).out.startswith("beats: predicate of kozel_shokha, ")


def test_every_error_has_a_page(kozel: Kozel, small: Path) -> None:
    """No code of the registry is without one."""
    for code in CODES:
        found = json.loads(kozel("explain", code, "--spec", small, "--format", "json").out)["found"]
        assert [f["name"] for f in found if f["found"] == "error"] == [code]


@pytest.mark.parametrize(
    "name, hint",
    [
        ("bets", "did you mean `beats`?"),
        ("far_awya", "did you mean `far_away`?"),
        ("unknown-names", "did you mean `unknown-name`?"),
        ("tyrn", "did you mean `turn`?"),
        ("qqqqqq", "`kozel explain SPEC` lists the clauses"),
        ("small.kozel:1", "give a line of a clause or a promise"),
        ("small.kozel:0", "give a line of a clause or a promise"),
        ("small.kozel:-1", "give a line of a clause or a promise"),
        ("small.kozel:" + "9" * 5000, "give a line of a clause or a promise"),
        ("x" * 5000 + ":3", "give a line of a clause or a promise"),
        ("", "`kozel explain SPEC` lists the clauses"),
    ],
)
def test_a_name_of_nothing(kozel: Kozel, spec: Path, name: str, hint: str) -> None:
    """An unknown name is a usage error with the nearest of all names there are."""
    said = kozel("explain", name, "--spec", spec)
    assert (said.code, said.out) == (2, "")
    assert f"there is nothing called `{name}`" in said.err
    assert hint in said.err


def test_a_name_of_several_specs(kozel: Kozel, small: Path, spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that is in several games is not explained but told where it is."""
    monkeypatch.setattr(explain, "shipped", lambda: {str(small): small, str(spec): spec})
    said = kozel("explain", "beats")
    assert said.code == 2
    assert f"`beats` is in several specs: {small} (predicate); {spec} (predicate)" in said.err
    assert f"add `--spec {small}`, or another" in said.err
    assert kozel("explain", "far").code == 0


@pytest.mark.parametrize("arguments", [[], ["small.kozel", "--spec", "x.kozel"]])
def test_misuse(kozel: Kozel, arguments: list[str]) -> None:
    """Nothing named, or two specs, is a usage error."""
    assert kozel("explain", *arguments).code == 2


# --- the shipped game ------------------------------------------------------------------------------------------------


def test_a_shipped_game(kozel: Kozel) -> None:
    """Without `--spec` a name is looked for in the games that come with the tool."""
    said = kozel("explain", "turned_shokha").out
    assert "invariant turned_shokha at turn_again : indicator == {shokha} and indicator_shokha == redraw" in said
    assert "  at           deal.turn_trump.turn_again\n" in said
    assert "  reads        zones indicator; options indicator_shokha\n" in said
    shared = kozel("explain", "equal_hands")  # in several games
    assert shared.code == 2 and "kozel_prikup (invariant); kozel_shamok (invariant);" in shared.err
    found = kozel("explain", "group_k4", "--spec", "kozel_shokha", "--format", "json").out
    group = json.loads(found)["found"][0]
    assert set(group["needs"]) >= {"beats", "captures", "leadable", "higher", "plain", "trump"}
    assert not group["of_play"]


def test_every_recorded_method_says_what_it_rests_on() -> None:
    """No method of the shipped records is without a line on what it rests on; of an unknown one nothing is claimed."""
    methods = set()
    for path in (ROOT / "proofs" / f"{spec.stem}.json" for spec in (ROOT / "spec").glob("*.kozel")):
        entries = json.loads(path.read_text(encoding="utf-8"))["obligations"].values()
        methods |= {leg["method"] for entry in entries for leg in entry["legs"]}
    assert methods
    assert [m for m in methods if not rests_on(m)] == []
    assert rests_on("tea leaves") == ""
    assert len(trusted(["tea leaves"])) == 1
