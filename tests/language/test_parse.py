"""Syntax errors: where they are, what they say, and that one does not hide or cause another."""

import pytest

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.parse import MAX_CHARACTERS, parse, shown_terminals
from kozel_verify.language.recovery import blanked_before, next_item, opening_of, unit_brace
from kozel_verify.language.spans import Span, Word
from kozel_verify.language.words import describe_expected, did_you_mean, mixed_alphabets


def errors(text: str) -> list[Diagnostic]:
    try:
        parse(text, "x.kozel")
    except SpecError as e:
        return e.diagnostics
    return []


def in_game(*lines: str) -> str:
    return "\n".join(["language 1", "game g {", *(f"  {line}" for line in lines), "}"])


def places(text: str) -> list[tuple[int, int]]:
    return [(d.span.line, d.span.column) for d in errors(text)]


def test_each_item_has_its_own_error() -> None:
    """Three mistakes in three items are three errors, each at its place."""
    text = in_game("seats", "zone stock seen by nobody", "const = 1", "state n : Nat = 0", "order a = A >")
    assert places(text) == [(4, 3), (5, 9), (8, 1)]


def test_recovery_inside_blocks() -> None:
    """After a mistake inside a phase the next item is found, whether the braces still fit or not."""
    fits = in_game("phase p {", "  if ) { }", "}", "const = 1")
    assert places(fits) == [(4, 8), (6, 9)]
    lost = in_game("phase p {", "  if true {", "}", "const = 1", "const b = 2")
    assert [p[0] for p in places(lost)] == [6, 6]
    extra = in_game("phase p { } }", "const = 1", "const b = 2")
    assert [p[0] for p in places(extra)] == [4, 4]


def test_one_line() -> None:
    """A spec on one line has its first error and no more."""
    assert places("language 1 game g { seats const = 1 state }") == [(1, 27)]


def test_nothing_after_the_unit() -> None:
    """What follows the unit's last brace is an error that says so."""
    [error] = errors("language 1 game g { } seats 4")
    assert error.message == "`seats` stands after the end of the unit"


@pytest.mark.parametrize(
    ("text", "message", "hint", "fix"),
    [
        ("seats four", "unexpected `four`", "expected a number", None),
        ("state top : Nat = 0", "`top` is a word of the language, not a name", "choose another name", None),
        ("state K : Nat = 0", "`K` is a rank, not a name", "choose another name", None),
        ("zoen x seen by all", "unexpected `zoen`", "did you mean `zone`?", None),
        ("example 1 == 1 == 1", "unexpected `==`", "comparisons do not chain: join two of them with `and`", None),
        ("example 1 = 1", "unexpected `=`", "`==` compares", "=="),
        ("const a := 1", "unexpected `:=`", "`=` gives a value to a name", "="),
        ("state x : Nat = 0 phase p { x = 1 }", "unexpected `=`", "`:=` assigns", ":="),
        ("phase p { announc x }", "no statement begins with `announc`", "did you mean `announce`?", None),
        ("example 10 ♥ == 6♠", "a space inside a card", "write `10♥`", "10♥"),
        ("example А♥ == 6♠", "`А` is a Cyrillic letter that looks like the rank `A`", "write `A♥`", "A♥"),
        ("example a & b", "no word begins with `&`", "write `and`", "and"),
        ("example 1 ≤ 2", "no word begins with `≤` (less-than or equal to)", "write `<=`", "<="),
        ("example a;", "no word begins with `;`", "statements and items need no end mark", None),
        ("example a\u00a0", "no word begins with U+00A0 (no-break space)", "write a plain space", " "),
        ('title en "x', "a text is not closed on its line", 'put a `"` at its end', None),
        ("const 2a = 1", "a number runs into a name", "put a space between them", None),
        ("example (1 + ) == 1", "unexpected `)`", "expected an expression", None),
        ("predicate p = every x in S q", "unexpected `q`", None, None),
    ],
)
def test_messages(text: str, message: str, hint: str | None, fix: str | None) -> None:
    """The message names what stands there, the hint what to do, the fix what is certainly meant."""
    found = errors(in_game(text))
    assert found[0].message == message
    if hint is not None:
        assert found[0].hint == hint
    assert (found[0].fix.text if found[0].fix else None) == fix


@pytest.mark.parametrize(
    ("clause", "word", "hint"),
    [
        ("опция at_sixty = zero", "опция", "did you mean `настройка`?"),
        ("предикатт p = true", "предикатт", "did you mean `предикат`?"),
        ("invarant x : true", "invarant", "did you mean `invariant`?"),
        ("козырь = 3", "козырь", "does `const` belong before it?"),
        ("score[s : Seat] : Nat = 0", "score", "does `state` belong before it?"),
        ("outcom(s) = won", "outcom", "did you mean `outcome`?"),
        ("zzz qqq", "zzz", 'a text stands between `"`'),
    ],
)
@pytest.mark.parametrize("texts", ['title ru "Мой" en "Mine"', 'term stock en "x"', 'option a : Bool = true en "x"'])
def test_no_clause_begins_so(texts: str, clause: str, word: str, hint: str) -> None:
    """After texts for players an unknown first word is no language: the error says so at the word itself."""
    [error] = errors(in_game(texts, clause))
    assert (error.message, error.hint) == (f"no clause begins with `{word}`", hint)
    assert (error.span.line, error.span.column) == (4, 3)


@pytest.mark.parametrize("texts", ['title ru "Мой"\nen Mine', 'title ru "Мой" de Mein', "scenario x { }"])
def test_where_a_text_is_missing(texts: str) -> None:
    """Behind a language, and wherever no clause could begin, a text is what is expected."""
    assert errors(in_game(texts))[0].hint == "expected a text"


def test_what_people_write_for_words_of_clauses() -> None:
    """The word that is meant is told in either spelling, wherever a clause may begin."""
    assert errors(in_game("seats 4", "опция x = 1"))[0].hint == "did you mean `настройка`?"
    assert errors(in_game("seats 4", "variable x = 1"))[0].hint == "did you mean `state`?"


def test_fixes_mend() -> None:
    """With every fix applied, a text full of mendable mistakes parses."""
    text = in_game("const a := 1", "example 1 = 1", "example 6 ♠ == А♠", "example 1 ≤ 2", "state nаme : Nat = 0")
    for _ in range(10):
        found = [d.fix for d in errors(text) if d.fix is not None]
        if not found:
            break
        lines = text.split("\n")
        at = found[0].span
        line = lines[at.line - 1]
        lines[at.line - 1] = line[: at.column - 1] + found[0].text + line[at.end_column - 1 :]
        text = "\n".join(lines)
    assert errors(text) == []


def test_the_end_of_the_text() -> None:
    """A text that ends too early says which bracket is open, or that there is no unit."""
    [error] = errors("language 1\ngame g {\n  seats 4\n")
    assert (error.span.line, error.span.column, error.hint) == (3, 10, "`{` at 2:8 is not closed")
    [error] = errors("language 1")
    assert error.hint.startswith("a spec is")


def test_hints_in_the_spelling_of_the_text() -> None:
    """A text in Russian words gets hints in Russian words."""
    [error] = errors("язык 1 игра g { зона x видят all }")
    assert error.hint == "expected `по`"
    assert shown_terminals(True)["_GAME"] == "`игра`" and shown_terminals(False)["_GAME"] == "`game`"


def test_language_version_alone() -> None:
    """Of a text in another version nothing else is said."""
    assert [d.code for d in errors("language 3 game g { seats 4 }")] == ["language-version"]


def test_size() -> None:
    """The largest text is read, one character more is not."""
    base = in_game("# ")
    fill = MAX_CHARACTERS - len(base)
    assert errors(in_game("# " + "x" * fill)) == []
    assert [d.code for d in errors(in_game("# " + "x" * (fill + 1)))] == ["too-large"]


def test_places_count_characters() -> None:
    """Columns count characters, also after letters outside of ASCII and after tabs."""
    [error] = errors(in_game('title ru "Козёл" seats'))
    assert (error.span.line, error.span.column) == (4, 1)
    [error] = errors(in_game("\tconst ё = ё ё"))
    assert (error.span.line, error.span.column, error.span.end_column) == (3, 16, 17)


def test_names_know_their_place() -> None:
    """A name in the tree is a text that says where it is written; it is equal to the plain text."""
    unit = parse(in_game("const limit = 12"), "x.kozel")
    name = unit.items[0].name  # type: ignore[union-attr]
    assert isinstance(name, Word) and name == "limit" and hash(name) == hash("limit")
    assert name.span == Span("x.kozel", 3, 9, 3, 14)


def test_citations_are_kept() -> None:
    """They come with the unit, in order, each with its places, and never with those of another text."""
    parse(in_game("seats 4 @ A:1"), "y.kozel")
    unit = parse(in_game("seats 4 @ K:1, S0-A2", "const a = 1 @ К:2 # comment"), "x.kozel")
    assert [(c.places, c.span.line) for c in unit.citations] == [(("K:1", "S0-A2"), 3), (("K:2",), 4)]


def test_citations_in_comments() -> None:
    """A comment behind a clause may end with a citation; one on a line of its own is only a comment, and so is a text
    that merely has the sign in it."""
    lines = ("const a = 1 # one @ К:2, S0-A5 ", "# const b = 2 @ K:3", "const c = 3 # a@b.c, K:3", 'title en "# @ K:4"')
    unit = parse(in_game(*lines, "const d = 4 @ K:5 # four @ K:6-7"), "x.kozel")
    assert [(c.places, c.span) for c in unit.citations] == [
        (("K:2", "S0-A5"), Span("x.kozel", 3, 21, 3, 33)),
        (("K:5",), Span("x.kozel", 7, 15, 7, 20)),
        (("K:6-7",), Span("x.kozel", 7, 28, 7, 35)),
    ]


# --- the parts -------------------------------------------------------------------------------------------------------


def test_recovery_parts() -> None:
    """Lines that begin items at the depth of the unit; brackets in texts, comments and citations do not count."""
    text = in_game('title en "{"  # {', "phase p {", "  draw 1", "  set", "}", "zone z", "  option")
    assert unit_brace(text) == 2 and opening_of(text) is None
    assert next_item(text, 3, 5) == 4 and next_item(text, 4, 5) == 8 and next_item(text, 8, 3) == 8
    assert next_item(text, 8, 8) == 9  # deeper than the others, but at the unit's depth
    assert blanked_before("a\nb\nc", 3) == "language 1 game rest {\n\nc"
    assert opening_of("( [ ) {") == ("{", 1, 7)


def test_expected_words() -> None:
    """A short list is told, a long one is not; operators and expressions are summed up."""
    shown = {"_TO": "`to`", "_BY": "`by`"}
    assert describe_expected({"_TO", "_BY", "$END"}, shown) == "expected `by` or `to`"
    assert describe_expected({"_TO", "PLUS", "MINUS"}, shown) == "expected `to` or an operator"
    assert describe_expected({str(n) for n in range(20)}, {}) == ""
    assert describe_expected(set(), shown) == ""


def test_did_you_mean() -> None:
    """The nearest name within reach, or nothing."""
    assert did_you_mean("hnd", ["hand", "stock"]) == "did you mean `hand`?"
    assert did_you_mean("x" * 81, ["x" * 80]) == "" != did_you_mean("x" * 80, ["x" * 79])
    assert did_you_mean("xyz", ["hand", "stock"]) == "" and did_you_mean("hand", ["hand"]) == ""


def test_mixed_alphabets() -> None:
    """Two alphabets in one name are an error, one is none; the fix is given where every letter has a double."""
    at = Span("x", 1, 1, 1, 2)
    assert mixed_alphabets("total", at) is None and mixed_alphabets("итог", at) is None
    found = mixed_alphabets("tоtal", at)
    assert found is not None and found.fix is not None and found.fix.text == "total"
    other = mixed_alphabets("totaль", at)
    assert other is not None and other.fix is None
