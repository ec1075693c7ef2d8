"""Pages of rules: every clause of the rules is there, nothing but them is, and each phrase is read one way."""

from pathlib import Path

import pytest

from kozel_verify.language.build.expressions import _OPERATORS
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.parse import parse, parser
from kozel_verify.language.syntax import FunctionOf
from kozel_verify.model.load import load, load_text
from kozel_verify.rulebook.expressions import Expressions
from kozel_verify.rulebook.markdown import plain
from kozel_verify.rulebook.page import page
from kozel_verify.rulebook.phrases import LANGUAGES, PHRASES, Language
from kozel_verify.rulebook.words import Words
from tests.language.specs import ROOT
from tests.model.frame import text

GAME = text(
    'title en "Sample" ru "Образец"\noption limit : 1..9 = 3 ru "предел" en "limit"\nconstraint limit != 5\n'
    "order plain = A > 10 > 6\nconst worth = { A: 11, 10: 10, else 0 }\n"
    "state taken[s : Seat] : Nat = 0 fresh each deal\n"
    "function points(g : Cards) : Nat = sum c in g of worth[rank(c)]  @ X-A1\n"
    "function only_claimed(c : Card) : Nat = 0\n"
    "predicate dear(c : Card) = rank(c) in {A, 10} and not suit(c) == ♥\n"
    "lemma nothing(c : Card) : only_claimed(c) == 0\ngain(s) = taken[s]\n"
    'term hand ru "рука"\nterm finish ru "решает"',
    "    gather pack into stock\n    for each s in all clockwise after seat 1 {\n"
    "      ask s to choose {\n        may lay(c in hand[s]) when dear(c) {  @ X-A2\n"
    "          move {c} from hand[s] to open_cards\n          taken[s] += points({c})\n        }\n"
    "        may wait { }\n      }\n    }\n",
)
PAGE = """# Образец

Страница сделана из `sample` командой `kozel rules`; в скобках — строки источников и прочтения.

## Карты

- Масти: ♠, ♥.
- Достоинства: 6, 10, Т.
- Мест за столом: 2.
- **plain**, от старшей к младшей: Т, 10, 6.
- **worth**: Т — 11, 10 — 10, иначе 0

## О чём договариваются

| | значения | если не договорились | места |
|---|---|---|---|
| предел | 1–9 | 3 |  |

Только при таком уговоре: *предел* ≠ 5.

## Что где лежит

| карты | кто их видит | места |
|---|---|---|
| stock | никто |  |
| рука (s) | s |  |
| open cards | все |  |

## Порядок игры

### match

- Снова и снова:
  - **deal**.
- пока не станет верно: да.
- Игра окончена.

### deal

- Вся пачка → *stock*.
- Для каждого s из *все места*, по часовой стрелке, после: место 1:
  - **choose**: выбирает s:
    - **lay** — c: одно из *рука* (s), если *dear* (c). Тогда: [X-A2]
      - c: *рука* (s) → *open cards*.
      - *taken* (s) растёт на *points* (c).
    - **wait**.
- **решает**: выбирает место 1:
  - **pass**.

## Что значат слова

- **points** (g): сумма по всем c из g: *worth* (*достоинство* (c)). [X-A1]
- **dear** (c): *достоинство* (c) есть среди: Т, 10 и (неверно, что *масть* (c) = ♥).

## Что запоминают

| | сначала | кто это знает | места |
|---|---|---|---|
| taken (s) | 0, заново с каждым этапом *deal* | все |  |

## Чем всё кончается

- Исход для s: *ни то ни другое*.
- Прибыль для s: *taken* (s).
"""


def test_a_whole_page() -> None:
    """Every rule of a game with its places; what only a promise reads is not there; wordless names are told."""
    made = page(load_text(GAME, "sample.kozel"), "ru", lambda *_: None)
    assert made.text == PAGE
    assert {"deal", "points", "worth"} <= set(made.wordless)
    assert not {"hand", "finish", "limit", "c"} & set(made.wordless)


def test_a_list_of_words_is_read_beside_the_spec() -> None:
    """A name is called as the spec's terms say, else as the list says, else as it stands."""
    words = '[hand]\nru = "пясть"\n[points]\nru = "очки"\nen = "pips"\n'
    spec = load_text(GAME, "sample.kozel")
    russian = page(spec, "ru", lambda name, _: (words, name))
    assert "**очки** (g): сумма" in russian.text and "*рука* (s)" in russian.text and "points" not in russian.wordless
    assert "**pips** (g): the sum" in page(spec, "en", lambda name, _: (words, name)).text


@pytest.mark.parametrize("words", ["[hand", '[hand]\nde = "Hand"', "[hand]\nru = 3", 'hand = "рука"'])
def test_a_list_that_cannot_be_used(words: str) -> None:
    """It is an error with a place in the list."""
    with pytest.raises(SpecError) as caught:
        page(load_text(GAME, "sample.kozel"), "ru", lambda name, _: (words, name))
    assert {(d.code, d.span.file) for d in caught.value.diagnostics} == {("bad-table", "words.toml")}


def said(expression: str, language: Language) -> str:
    unit = parse(f"language 1\ngame g {{ predicate p = {expression} }}", "g.kozel")
    [item] = unit.items
    assert isinstance(item, FunctionOf)
    return Expressions(Words(language, {}, PHRASES[language])).text(item.body)


@pytest.mark.parametrize(
    ("expression", "english"),
    [
        ("a and (b or c)", "a and (b or c)"),
        ("a and b or c", "a and b or c"),
        ("not (a and b)", "not (a and b)"),
        ("not a and b", "(not a) and b"),
        ("a implies b implies c", "if a, then (if b, then c)"),
        ("(a implies b) implies c", "if (if a, then b), then c"),
        ("a - (b - c)", "a − (b − c)"),
        ("a - b - c", "(a − b) − c"),
        ("(every x in g : a) and b", "(for every x of g: a) and b"),
        ("a and every x in g : b", "a and (for every x of g: b)"),
        ("some x in g without h : x == a", "for some x of g without h: x = a"),
        ("|g| + 1 == n * (m + 2)", "(the number of g) + 1 = n · (m + 2)"),
        ("x in {A♠, 10♥}", "x is among A♠, 10♥"),
        ("g union {A♠, 10♥} == h", "g with (A♠, 10♥) = h"),
        ("if a then b else c", "if a, then b, else c"),
        ("(if a then b else c) == d", "(if a, then b, else c) = d"),
        ("outcome(s) == won", "outcome of s = *won*"),
        ("matching g -> h by p", "each of g can be paired with one of h (p)"),
        ("first s in all clockwise from t where a", "the first s of *all seats* clockwise from t for which a"),
    ],
)
def test_phrases_are_read_one_way(expression: str, english: str) -> None:
    """Brackets stand wherever a phrase would else be taken for another."""
    assert said(expression, "en") == english


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_construct_has_a_phrase(language: Language) -> None:
    """All operators and quantifiers of the grammar; both languages have the same patterns."""
    phrases, english = PHRASES[language], PHRASES["en"]
    assert set(phrases.operators) == set(english.operators) and set(phrases.says) == set(english.says)
    assert set(phrases.names) == set(english.names)
    assert set(phrases.operators) == {*_OPERATORS.values(), "==", "!=", "<=", "<", ">="}
    assert all([*phrases.operators.values(), *phrases.quantified.values(), *phrases.says.values()])
    rules = {r.alias for r in parser().rules}
    assert {"every", "some", "those", "the", "sum", "top"} == set(phrases.quantified) <= rules


@pytest.mark.parametrize("spec", sorted(p.stem for p in (ROOT / "spec").glob("*.kozel")))
def test_shipped_games_have_russian_words(spec: str) -> None:
    """On the Russian page of a game that comes with the tool no name stands in English."""
    assert page(load(ROOT / "spec" / f"{spec}.kozel"), "ru").wordless == ()


def test_a_variant_elsewhere_has_the_words_of_its_base(tmp_path: Path) -> None:
    """Lists beside the base and its modules count too; that beside the variant itself goes before them."""
    ours = tmp_path / "ours.kozel"
    ours.write_text("language 1\nvariant ours of kozel_prikup { const limit = 6 }\n", encoding="utf-8")
    assert page(load(ours), "ru").wordless == ()
    (tmp_path / "words.toml").write_text('[limit]\nru = "наш предел"\n', encoding="utf-8")
    assert "**наш предел**: 6" in page(load(ours), "ru").text


def test_both_ends_of_a_repetition_are_cited() -> None:
    """What stands behind `until`, on a line of its own, has places of its own."""
    rules = "    repeat {  @ X-A1\n      ask seat 2 to wait { may nod { } }\n    } until true  @ X-A2\n"
    made = page(load_text(text(statements=rules), "sample.kozel"), "en", lambda *_: None).text
    assert "- Again and again: [X-A1]\n" in made and "- until yes. [X-A2]\n" in made


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (
            "<script>alert(1)</script> # x | [a](javascript:b)",
            r"&lt;script>alert(1)&lt;/script> \# x \| \[a\](javascript:b)",
        ),
        ("* *bold* `code` ](x", r"\* \*bold\* \`code\` \](x"),
        ("_slanted_ but snake_case", r"\_slanted\_ but snake_case"),
        ("back\\slash ~~gone~~", r"back\\slash \~\~gone\~\~"),
        ("&lt; and &#60; & more", "&amp;lt; and &amp;#60; & more"),
        ("# heading", r"\# heading"),
        ("  - entry", r"\- entry"),
        ("+ entry", r"\+ entry"),
        ("> said", r"\> said"),
        ("12. entry", r"12\. entry"),
        ("3) entry", r"3\) entry"),
        ("1.5 points", "1.5 points"),
        ("two\nlines\x1b[31m in\u00a0a\u202e row", r"two lines\[31m in" + "\u00a0a row"),
        (
            "шестёрка пик (шоха) — старше всех: 10♥, C#, a-b, 2 < 3",
            "шестёрка пик (шоха) — старше всех: 10♥, C#, a-b, 2 &lt; 3",
        ),
    ],
)
def test_texts_are_shown_as_they_are_written(written: str, shown: str) -> None:
    """No text is a mark, a link, a heading, an entry of a list or HTML; what Markdown leaves alone stands untouched."""
    assert plain(written) == shown


def test_every_text_of_a_spec_is_only_text() -> None:
    """Titles, terms, texts of options and lists of words bring no Markdown and no HTML into a page."""
    bad = "# <b>x</b> | *y* [z](w)"
    game = (
        GAME.replace('"Sample"', f'"{bad}"')
        .replace('"limit"', f'"{bad}"')
        .replace('hand ru "рука"', f'hand en "{bad}"')
    )
    words = f"[points]\nen = '{bad}'\n"
    made = page(load_text(game, "sample.kozel"), "en", lambda name, _: (words, name)).text
    good = r"\# &lt;b>x&lt;/b> \| \*y\* \[z\](w)"
    assert bad not in made and "<b>" not in made
    assert made.startswith(f"# {good}\n")
    assert f"| {good} | 1–9 | 3 |  |\n" in made and f"| {good} of s | s |  |\n" in made
    assert f"- **{good}** (g): the sum" in made
