"""The grammar stands alone: strict, without conflicts, the same for both lexers and in both spellings."""

from dataclasses import replace
from pathlib import Path

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import GrammarError

from kozel_verify.language.parse import normalise, parse, parser
from kozel_verify.model.load import load, load_text
from tests.language.specs import GAMES, GRAMMAR, ROOT, SPECS, in_russian, spellings

TEXTS = [pytest.param(p.read_text(encoding="utf-8"), id=p.stem) for p in SPECS]


def test_no_conflicts() -> None:
    """Strict mode finds no shift/reduce conflict and no two terminals that match the same text at the same priority."""
    Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer="basic", strict=True)
    Lark(GRAMMAR.read_text(encoding="utf-8"), parser="lalr", lexer="contextual", strict=True)


def test_strict_mode_would_find_a_conflict() -> None:
    """Negative control: with calls as operators between operands the grammar is refused."""
    text = GRAMMAR.read_text(encoding="utf-8")
    broken = text.replace("?comparison: range_\n", "?comparison: range_\n    | comparison NAME range_ -> infix\n")
    assert broken != text
    with pytest.raises(GrammarError):
        Lark(broken, parser="lalr", lexer="basic", strict=True)


@pytest.mark.parametrize("text", TEXTS)
def test_both_lexers_agree(text: str) -> None:
    """No word's meaning hangs on where it stands: with and without the parser's help the tree is the same."""
    assert contextual().parse(text) == parser().parse(text)


def contextual() -> Lark:
    if not _CONTEXTUAL:
        _CONTEXTUAL.append(Lark.open(str(GRAMMAR), parser="lalr"))
    return _CONTEXTUAL[0]


_CONTEXTUAL: list[Lark] = []


def test_the_grammar_file_alone_parses() -> None:
    """`Lark.open` on the file, with nothing of this package, gives a tree."""
    tree = Lark.open(str(GRAMMAR), parser="lalr").parse("language 1 game g { seats 4 }")
    assert isinstance(tree, Tree) and [t.data for t in tree.find_data("seats")] == ["seats"]


def test_every_rule_has_a_builder() -> None:
    """Each rule of the grammar that leaves a node in the tree is built by a method of its name."""
    from kozel_verify.language.build import Builder

    rules = {r.alias or str(r.origin.name) for r in parser().rules if r.alias or not r.options.expand1}
    missing = {r for r in rules if not r.startswith("_") and not hasattr(Builder, r)}
    assert missing == set()


def test_every_rule_is_used_by_the_good_specs() -> None:
    """The good specs and the shipped ones together have every construct of the grammar."""
    used = {str(t.data) for p in SPECS for t in parser().parse(p.read_text("utf-8")).iter_subtrees()}
    rules = {r.alias or str(r.origin.name) for r in parser().rules if r.alias or not r.options.expand1}
    assert {r for r in rules if not r.startswith("_")} - used == set()


@pytest.mark.parametrize("text", [p for p in TEXTS if p.id != "everything_ru"])
def test_russian_spelling_gives_the_same_tree(text: str) -> None:
    """Every word of the language and every rank has a Russian spelling; the tree does not tell which was written."""
    russian = in_russian(text)
    assert russian != text and parse(russian, "x.kozel") == parse(text, "x.kozel")


def test_russian_game_is_the_same_game() -> None:
    """The two good specs that say the same in both spellings come to one game."""
    english, russian = (load(ROOT / "tests/specs/good" / f"{n}.kozel").game for n in ("everything", "everything_ru"))
    assert replace(english, citations={}) == replace(russian, citations={})
    assert sorted(english.citations.values()) == sorted(russian.citations.values())


def test_each_word_has_two_spellings() -> None:
    """No spelling belongs to two words, and each word has two."""
    both = [w for pair in spellings().values() for w in pair]
    assert len(both) == len(set(both)) and len(spellings()) > 90
    keywords = [t.name for t in parser().terminals if t.name.startswith("_") and not t.name.startswith("__")]
    assert set(keywords) <= set(spellings())


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_all_games_load(path: Path) -> None:
    """Every shipped and good game is without an error, on its full pack and on its smaller ones."""
    spec = load(path)
    for pack in spec.packs:
        assert spec.small(pack).pack_name == pack


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("6♠ 10♥ AS Kh Т♦ В♣ 10\ufe0e", "CARD CARD CARD CARD CARD CARD INT"),
        ("6♠\ufe0e 6♠\ufe0f ♠\ufe0f", "CARD CARD SUIT"),
        ("A K Q J Т К Д В Ab A1", "RANK RANK RANK RANK RANK RANK RANK RANK NAME NAME"),
        ("AS ASx As_ As", "CARD NAME NAME CARD"),
        ("1..4 10..12 6s..7", "INT __ANON_0 INT INT __ANON_0 INT CARD __ANON_0 INT"),
        ("unionx union x_in in_x in", "NAME _UNION NAME NAME _IN"),
        ("имя в в_зону пока пока_не", "NAME _IN _INTO _WHILE _UNTIL"),
        (
            "a == b <= c < d >= e > f != g",
            "NAME COMPARE NAME COMPARE NAME COMPARE NAME COMPARE NAME MORETHAN NAME COMPARE NAME",
        ),
    ],
)
def test_tokens(text: str, kinds: str) -> None:
    """Cards, ranks and names are told apart by their letters alone; words of the language are whole words."""

    def tokens() -> list[Token]:
        return list(parser().lex(normalise(text)))

    if text.endswith("\ufe0e"):
        with pytest.raises(Exception, match="No terminal matches"):
            tokens()
    else:
        assert [t.type for t in tokens()] == kinds.split()


def test_numbers_end_where_names_begin() -> None:
    """`10x` and `1_0` are neither numbers nor names."""
    for text in ("10x", "1_0", "12a", "1a2"):
        with pytest.raises(Exception, match="No terminal matches"):
            list(parser().lex(text))


def test_text_is_its_own_meaning() -> None:
    """Comments, spaces and line breaks change nothing but places."""
    text = (ROOT / "tests/specs/good/everything.kozel").read_text(encoding="utf-8")
    spread = text.replace(" {", " { # comment\n\t ").replace(")", " )\f")
    assert (
        load_text(spread, "tests/specs/good/x.kozel").game.blocks
        == load_text(text, "tests/specs/good/x.kozel").game.blocks
    )
