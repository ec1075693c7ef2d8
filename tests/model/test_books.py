"""Tables of sources and readings: what they say, where they are looked for, and what is wrong with bad ones."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.books import MAX_LINE, Reading, Sources, SourceText, readings_of, sources_of
from kozel_verify.model.load import load, load_text
from kozel_verify.model.program import read_folder
from tests.model.frame import text

SOURCES = '[K]\nfile = "k.txt"\ntitle = "Rules"\nlines = 3\nsentences = [1, 0, 2]\n'
READINGS = (
    '[S0-A1]\nat = ["K:3"]\nconfidence = "M"\nquestion = "May it be led alone?"\ntaken = "yes"\n'
    'options = { alone = ["false"], limit = ["6", "8"] }\ndeparts = true\n'
    '[S0-A2]\nat = []\nconfidence = "D"\nquestion = "Who deals?"\ntaken = "anybody"\n'
)


def test_a_table_of_sources() -> None:
    """Each line has its number of sentences, and each sentence a name."""
    table = sources_of(SOURCES, "sources.toml")
    assert table.texts == {"K": SourceText("K", "k.txt", "Rules", (1, 0, 2))} and table.problems == ()
    assert table.texts["K"].ids() == ["K:1.1", "K:3.1", "K:3.2"]


def test_a_table_of_readings() -> None:
    """A reading has places, a confidence, a question and an answer; options and leaving the text are optional."""
    first = Reading(
        name="S0-A1",
        places=("K:3",),
        confidence="M",
        question="May it be led alone?",
        taken="yes",
        options=(("alone", ("false",)), ("limit", ("6", "8"))),
        departs=True,
    )
    second = Reading("S0-A2", (), "D", "Who deals?", "anybody", (), False)
    assert readings_of(READINGS, "readings.toml").entries == {"S0-A1": first, "S0-A2": second}


@pytest.mark.parametrize(
    ("table", "line", "message"),
    [
        (SOURCES.replace("lines = 3", "lines = 4"), 1, "`K` has 4 lines, but `sentences` has 3 numbers"),
        (SOURCES.replace("[1, 0, 2]", '[1, 0, "2"]'), 1, "`K`: `sentences` should be a list of at most 10,000 small"),
        (SOURCES.replace("[1, 0, 2]", "[1, 0, -2]"), 1, "`K`: `sentences` should be a list of at most 10,000 small"),
        (SOURCES.replace("[1, 0, 2]", "3"), 1, "`K`: `sentences` should be a list in brackets"),
        (SOURCES.replace("lines = 3", "lines = true"), 1, "`K`: `lines` should be a number"),
        (SOURCES.replace("title =", "tilte ="), 1, "`K` has an unknown field `tilte`"),
        (SOURCES.replace('title = "Rules"\n', ""), 1, "`K` has no `title`"),
        (SOURCES.replace('"Rules"', "12"), 1, "`K`: `title` should be a text in double quotes"),
        ("# none\n" + SOURCES.replace("lines = 3\n", ""), 2, "`K` has no `lines`"),
        ('K = "k.txt"\n', 1, "`K` is not a table"),
        (SOURCES + "[P\n", 6, "this is no TOML: "),
        (SOURCES + SOURCES, 6, "this is no TOML: "),
        ("a = " + "[" * 290, 1, "this is no TOML: "),
        ("a" * (MAX_LINE + 1), 1, "the line has 301 characters; a line of a table may have 300"),
        ("#\n" * 200_000, 1, "the table has 400,000 characters; it may have 300,000"),
    ],
)  # fmt: skip
def test_bad_tables(table: str, line: int, message: str) -> None:
    """What is wrong with a table is said at the entry that has it; a bad table is not used."""
    found = sources_of(table, "t/sources.toml")
    assert found.texts is None
    assert found.problems[0].message.startswith(message) and found.problems[0].span.line == line
    assert all(p.code == "bad-table" and p.span.file == "t/sources.toml" and p.hint for p in found.problems)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[S0-A2]", "[S0-B2]", "`S0-B2` is no name of a reading"),
        ('confidence = "D"', 'confidence = "X"', "`S0-A2`: `X` is no confidence"),
        ("at = []", "at = [1]", "`S0-A2`: `at` should be a list of texts"),
        ("departs = true", 'departs = "yes"', "`S0-A1`: `departs` should be `true` or `false`"),
        ('["false"]', '"false"', "`S0-A1`: `alone` should be a list in brackets"),
        ("options = {", "options = [", "this is no TOML: "),
    ],
)
def test_bad_readings(old: str, new: str, message: str) -> None:
    """Every field of a reading has its form."""
    found = readings_of(READINGS.replace(old, new, 1), "readings.toml")
    assert found.entries is None and len(found.problems) == 1 and found.problems[0].message.startswith(message)


def test_deep_nesting_is_an_error() -> None:
    """However deep the stack may be: said of the place where the text ends, or of the table."""
    found = sources_of("a = [\n" + "[\n" * 5000, "t/sources.toml")
    assert found.texts is None and [p.code for p in found.problems] == ["bad-table"]
    assert found.problems[0].span.file == "t/sources.toml" and found.problems[0].hint
    assert found.problems[0].span.line in (1, 5001)
    assert found.problems[0].message in ("this is no TOML: invalid value", "this is no table of the form that is read")


def test_long_names_take_no_time() -> None:
    """A table of dotted names as long as a line may be is read, or refused, quickly."""
    began = time.process_time()
    name = ".".join("a" * (MAX_LINE // 2 - 3))
    assert sources_of("".join(f"{k}.{name} = 1\n" for k in range(500)), "sources.toml").texts is None
    assert time.process_time() - began < 20


WORDS = [
    "[K]",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    ",",
    '"',
    "'",
    "\n",
    "lines",
    "sentences",
    "at",
    "options",
    "1",
    "-1",
    "1e9",
    "#",
]


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join)))
def test_any_text_is_a_table_or_has_errors(table: str) -> None:
    """Whatever a table says, it is used, or its errors are told with a place."""
    for found in (sources_of(table, "sources.toml"), readings_of(table, "readings.toml")):
        used = found.texts if isinstance(found, Sources) else found.entries
        assert (used is None) == bool(found.problems)
        assert all(p.message and p.hint and p.span.line >= 1 and p.span.column >= 1 for p in found.problems)


def folder(base: Path, **files: str) -> Path:
    """A folder with a spec that uses a module `m` in `lib`, and these files (`__` for a dot)."""
    (base / "lib").mkdir(parents=True)
    (base / "lib" / "m.kozel").write_text('language 1\nmodule m {\n  source K = "k.txt"\n}\n', encoding="utf-8")
    (base / "spec.kozel").write_text(text("use m\nconst a = 1 @ K:2, S0-A3"), encoding="utf-8")
    for name, content in files.items():
        (base / name.replace("__", ".")).write_text(content, encoding="utf-8")
    return base / "spec.kozel"


def codes(spec: Path) -> list[str]:
    try:
        load(spec)
    except SpecError as e:
        return [d.code for d in e.diagnostics]
    return []


def test_without_tables_anything_may_be_cited(tmp_path: Path) -> None:
    """Where no table is, lines and readings are not checked."""
    assert codes(folder(tmp_path)) == []


def test_tables_beside_the_folder_of_modules(tmp_path: Path) -> None:
    """Tables beside a spec hold for the modules in `lib` beside it, too."""
    spec = folder(tmp_path, sources__toml=SOURCES, readings__toml=READINGS)
    assert codes(spec) == ["no-such-place", "no-such-place"]
    (tmp_path / "sources.toml").write_text(SOURCES.replace("[1, 0, 2]", "[1, 1, 2]"), encoding="utf-8")
    (tmp_path / "readings.toml").write_text(READINGS.replace("A2", "A3"), encoding="utf-8")
    assert codes(spec) == []


def test_a_source_brings_its_table_from_where_it_is_declared(tmp_path: Path) -> None:
    """Elsewhere the lines of a shipped source are checked; the readings are the author's own."""
    spec = tmp_path / "spec.kozel"
    spec.write_text(text("use sources\nconst a = 1 @ K:15, OUR-A1"), encoding="utf-8")
    assert codes(spec) == []
    spec.write_text(text("use sources\nconst a = 1 @ K:14, OUR-A1"), encoding="utf-8")
    assert codes(spec) == ["no-such-place"]


def test_tables_further_up_are_not_looked_at(tmp_path: Path) -> None:
    """Tables in other folders than these are never read."""
    spec = folder(tmp_path / "games")
    (tmp_path / "sources.toml").write_text(SOURCES, encoding="utf-8")
    (tmp_path / "readings.toml").write_text("no table", encoding="utf-8")
    assert codes(spec) == []
    assert read_folder("sources.toml", str(tmp_path / "lib" / "x.kozel")) == (SOURCES, str(tmp_path / "sources.toml"))
    assert read_folder("sources.toml", str(tmp_path / "lub" / "x.kozel")) is None
    assert read_folder("other.toml", str(tmp_path / "lib" / "x.kozel")) is None


def test_a_bad_table_is_reported_once(tmp_path: Path) -> None:
    """A table that holds for several files is read, and refused, once; one that is not UTF-8 is refused too."""
    spec = folder(tmp_path, sources__toml="[K", readings__toml=READINGS.replace("A2", "A3"))
    assert codes(spec) == ["bad-table"]
    (tmp_path / "sources.toml").write_bytes(b"\xff")
    assert codes(spec) == ["not-utf8"]


def test_a_table_changes_no_game(tmp_path: Path) -> None:
    """The hash of a spec and its game are the same with tables and without."""
    with_tables = load(folder(tmp_path / "a", sources__toml=SOURCES.replace("[1, 0, 2]", "[1, 1, 2]")))
    without = load(folder(tmp_path / "b"))
    assert with_tables.hash == without.hash
    assert sorted(with_tables.game.citations.values()) == sorted(without.game.citations.values())


def test_the_shipped_specs_cite_what_is_there() -> None:
    """Every line and every reading that the shipped specs cite is in the tables; a wrong one would be noticed."""
    spec = Path(__file__).resolve().parents[2] / "spec" / "kozel_shokha.kozel"
    original = spec.read_text(encoding="utf-8")
    assert load(spec).program.books[str(spec)].readings is not None
    for wrong in (original.replace("@ K:9\n", "@ K:10\n", 1), original.replace("S0-A5", "S0-A55", 1)):
        with pytest.raises(SpecError) as e:
            load_text(wrong, str(spec))
        assert [d.code for d in e.value.diagnostics] == ["no-such-place"]
