"""Whatever a text says, loading it gives a game or a `SpecError`: never another exception, and never a hang."""

import random
import re
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from kozel_verify.interpret.play import Interpreter
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.language.parse import MAX_BRACKETS, MAX_CHARACTERS, parser
from kozel_verify.model.limits import MAX_BLOCKS, MAX_ITEMS
from kozel_verify.model.load import load, load_text
from kozel_verify.model.program import read_text
from tests.language.specs import GAMES, ROOT
from tests.model.frame import text

SECONDS = 30  # of processor time for one text: far more than any of them needs
SLOW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def survives(spec: str, file: str = str(ROOT / "tests/specs/good/hostile.kozel")) -> list[str]:
    """The codes of the errors of a text; none when it is a game. Its errors have places and can be shown."""
    began = time.process_time()
    try:
        load_text(spec, file)
        found: list[str] = []
    except SpecError as e:
        assert e.diagnostics
        assert all(d.span.line >= 1 and d.span.column >= 1 and d.message for d in e.diagnostics)
        assert str(e)
        found = [d.code for d in e.diagnostics]
    assert time.process_time() - began < SECONDS
    return found


# --- random texts ----------------------------------------------------------------------------------------------------


@SLOW
@given(st.text())
@example("\ufeff")
@example("\0")
@example("language 1 game g {" + "\ud800" + "}")
@example("language 1 game g { # \ud800\n}")
@example("")
def test_any_text(spec: str) -> None:
    """Text of any characters, with halves of surrogate pairs, is an error."""
    assert survives(spec) != []


@SLOW
@given(st.binary())
@example(b"\xff\xfe\x00")
def test_any_bytes(data: bytes) -> None:
    """A file of any bytes is an error."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.kozel"
        path.write_bytes(data)
        with pytest.raises(SpecError):
            load_text(read_text(path))


WORDS = [
    "{", "}", "(", ")", "[", "]", "|", ":", ",", "=", "==", ":=", "+=", "->", "..", "<", ">", "+", "-", "*", "?", ".",
    "1", "0", "7", "x", "y", "Seat", "Nat", "Card", "Cards", "Bool", "stock", "hand", "6♠", "A", "♠", "AS", '"t"',
    "@ S0-A1\n", "# c\n", "\n", "language 1", "game g {", "phase deal {", "phase match {", "outcome(s) =",
    "for each x in",
    "ask seat 1 to n {", "may v {",
]  # fmt: skip


def vocabulary() -> list[str]:
    """All words of the language, and a few of everything else."""
    found = (re.match(r"\(\?:(\w+)\|", t.pattern.value) for t in parser().terminals)
    return WORDS + [m[1] for m in found if m]


@SLOW
@given(st.lists(st.sampled_from(vocabulary()), max_size=60))
def test_soup_of_words(words: list[str]) -> None:
    """Words of the language in any order, in a game or as a game."""
    survives(" ".join(words))
    survives(text(" ".join(words)))
    survives(text("", " ".join(words)))


def mutated(spec: str, rng: random.Random) -> str:
    """A spec with a few of its tokens or lines lost, doubled, exchanged or replaced."""
    pieces = [t.value for t in parser().lex(spec)] if rng.random() < 0.7 else spec.split("\n")
    join = " " if len(pieces) > spec.count("\n") + 1 else "\n"
    for _ in range(rng.randint(1, 4)):
        if not pieces:
            break
        i, j = rng.randrange(len(pieces)), rng.randrange(len(pieces))
        match rng.randrange(5):
            case 0:
                del pieces[i]
            case 1:
                pieces.insert(j, pieces[i])
            case 2:
                pieces[i], pieces[j] = pieces[j], pieces[i]
            case 3:
                pieces[i] = rng.choice(WORDS)
            case _:
                pieces[i : i + rng.randint(1, 8)] = []
    return join.join(pieces)


def exchanged(spec: str, rng: random.Random) -> str:
    """A spec in which a few words are replaced by others of their kind: most still follow the grammar."""
    tokens = [t for t in parser().lex(spec) if t.start_pos is not None]
    kinds = ("NAME", "INT", "CARD", "RANK", "SUIT", "COMPARE")
    chosen = rng.sample([t for t in tokens if t.type in kinds], rng.randint(1, 4))
    for t in sorted(chosen, key=lambda t: -(t.start_pos or 0)):
        other = rng.choice([o for o in tokens if o.type == t.type])
        spec = spec[: t.start_pos] + other + spec[t.end_pos :]
    return spec


@SLOW
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_exchanged_words(path: Path, seed: int) -> None:
    """Real specs with a few names, numbers or cards replaced by others: errors of meaning, or another game."""
    survives(exchanged(path.read_text(encoding="utf-8"), random.Random(seed)), str(path))


@SLOW
@given(st.sampled_from(GAMES), st.integers(0, 2**32))
def test_mutated_specs(path: Path, seed: int) -> None:
    """Real specs with small damages: an error, or another game."""
    survives(mutated(path.read_text(encoding="utf-8"), random.Random(seed)), str(path))


@SLOW
@given(st.integers(0, 2**32))
def test_mutated_small_specs(seed: int) -> None:
    """The same for the spec with every construct, with more damage."""
    rng = random.Random(seed)
    spec = (ROOT / "tests/specs/good/everything.kozel").read_text(encoding="utf-8")
    for _ in range(rng.randint(1, 3)):
        try:
            spec = mutated(spec, rng)
        except Exception as e:  # a damaged spec may have no tokens any more
            assert "No terminal matches" in str(e)
            break
    survives(spec)


# --- texts made to hurt ----------------------------------------------------------------------------------------------


def nested(before: str, inside: str, after: str, n: int) -> str:
    return before * n + inside + after * n


def chain(first: str, following: str, n: int) -> str:
    """``first``, then ``n`` lines in each of which ``I`` is its number and ``J`` that of the line before."""
    return "\n".join([first, *(following.replace("I", str(i)).replace("J", str(i - 1)) for i in range(1, n))])


def many(line: str, n: int) -> str:
    return chain(line.replace("I", "0"), line, n)


def doubling(inside: str, n: int = 50) -> str:
    """Procedures each of which runs the one before it twice."""
    return chain(f"procedure p0 {{ {inside} }}", "procedure pI { run pJ run pJ }", n)


ASK = "ask seat 1 to t { may go { } }"
HUGE = "999999999999"
SQUARES = chain(f"const a0 = {HUGE}", "const aI = aJ * aJ", 90)
LOOPS = "for each a in 1..999 { for each b in 1..999 { for each c in 1..999 { announce a } } }"

LARGE: dict[str, tuple[Callable[[], str], str]] = {
    "number": (lambda: text("const n = 1" + "0" * 5000), "too-large"),
    "seats": (lambda: text().replace("seats 2", "seats " + "9" * 4400), "too-large"),
    "rank": (lambda: text().replace("ranks 6", "ranks " + "6" * 4400), "deck"),
    "seat": (lambda: text("example seat " + "9" * 4400 + " == seat 1"), "too-large"),
    "language": (lambda: text().replace("language 1", "language " + "9" * 5000), "language-version"),
    "squares": (lambda: text(SQUARES), "too-large"),
    "lets": (lambda: text("", SQUARES.replace("const", "let")), ""),
    "brackets": (lambda: text("example " + nested("(", "true", ")", 5000)), "too-deep"),
    "open brackets": (lambda: "(" * 200_000, "too-deep"),
    "blocks": (lambda: text("", nested("if true { ", "announce true", "}", MAX_BRACKETS + 5)), "too-deep"),
    "nots": (lambda: text("example " + "not " * 5000 + "true"), "too-deep"),
    "sum": (lambda: text("example " + "1 + " * 5000 + "1 == 1"), "too-deep"),
    "conjunction": (lambda: text("example " + "true and " * 5000 + "true"), "too-deep"),
    "implications": (lambda: text("example " + "true implies " * 5000 + "true"), "too-deep"),
    "quantifiers": (lambda: text("example " + many("every xI in Card :", 60) + " x0 == x59"), "too-large"),
    "choices": (lambda: text("const n = " + "if 1 == 1 then 1 else " * 5000 + "1"), "too-deep"),
    "else if": (lambda: text("", "if stock == {} { }" + " else if stock == {} { }" * 3000), "too-deep"),
    "cases": (lambda: text("predicate p = cases { " + "when stock == {} -> true " * 9000 + "else false }"), "too-deep"),
    "set": (lambda: text("predicate p = {" + ", ".join(["A♠"] * 20000) + "} == stock"), ""),
    "range type": (lambda: text(f"state n : 0..{HUGE} = 0"), ""),
    "index": (lambda: text(f"state n[i : 0..{HUGE}] : Nat = 0"), "too-large"),
    "option": (lambda: text(f"option n : 0..{HUGE} = 0"), "option"),
    "option of sets": (lambda: text("option n : set of Card = {}"), ""),
    "span": (lambda: text(f"predicate p = |0..{HUGE}| == 1"), "too-large"),
    "element": (lambda: text(f"predicate p = |{{{HUGE}}}| == 1"), "too-large"),
    "table": (lambda: text(f"const t = {{0: 1, {HUGE}: 2, else 3}}"), "too-large"),
    "order": (lambda: text(f"order o = {HUGE} > 1"), "no-card"),
    "loop": (lambda: text("", f"for each i in 1..{HUGE} {{ announce i }}"), "too-large"),
    "loops": (lambda: text("", LOOPS), "too-large"),
    "draw": (lambda: text("", f"draw {HUGE} from stock to open_cards"), "too-large"),
    "lemma": (lambda: text(f"lemma l(n : 0..{HUGE}) : true"), "too-large"),
    "families": (lambda: text(many("state xI[n : 0..900] : Nat = 0", 50)), "too-large"),
    "doubling": (lambda: text(doubling("announce true"), "run p49"), "too-large"),
    "doubling with decisions": (lambda: text(doubling(ASK), "run p49"), "too-large"),
    "doubling nothing": (lambda: text(doubling(""), "run p49"), "too-large"),
    "doubling alone": (lambda: text(doubling("announce true")), "too-large"),
    "procedures": (lambda: text(chain("procedure p0 { }", "procedure pI { run pJ }", 900), "run p899"), "too-deep"),
    "functions": (lambda: text(chain("function f0() : Nat = 1", "function fI() : Nat = fJ() + fJ()", 50)), "too-large"),
    "function chain": (lambda: text(chain("function f0() : Nat = 1", "function fI() : Nat = fJ()", 900)), "too-deep"),
    "items": (lambda: text(many("const cI = 1", 12_000)), "too-large"),
    "file": (lambda: text("# " + "x" * MAX_CHARACTERS), "too-large"),
    "asks": (lambda: text("", f"{ASK}\n" * 3000), ""),
    "variables": (lambda: text("", many("let xI = |stock|", 2000)), ""),
    "properties": (lambda: text(many("invariant iI : |stock| >= 0", 3000)), ""),
    "properties at nodes": (lambda: text(many("invariant iI : |stock| >= 0", 600), f"{ASK}\n" * 600), ""),
    "name": (lambda: text(f"const {'x' * 100_000} = 1\nexample {'x' * 100_000}y == 1"), "unknown-name"),
    "unknown names": (lambda: text(many("const constantI = 1\nexample constatI == 1", 2000)), "unknown-name"),
    "errors": (lambda: text(many("const = I", 5000)), "syntax"),
    "mixed names": (lambda: text(many("const aIя = 1", 3000)), "mixed-alphabets"),
    "citations": (lambda: text("const a = 1 @ " + "S0-A1, " * 20000), ""),
}  # fmt: skip


@pytest.mark.parametrize("name", LARGE)
def test_large(name: str) -> None:
    """Each of these is refused with the error that says so, or is a game after all; none of them takes long."""
    make, code = LARGE[name]
    found = survives(make())
    assert (found == []) if not code else (code in found)


@pytest.mark.parametrize("depth", [MAX_BRACKETS - 2, MAX_BRACKETS - 1, MAX_BRACKETS])
@pytest.mark.parametrize(
    "shape",
    [
        ("(", "true", ")"),
        ("not (", "true", ")"),
        ("(some c in Card : ", "c in stock", ")"),
        ("(if true then ", "true", " else false)"),
        ("|{", "1", "}|"),
    ],
)
def test_as_deep_as_may_be(shape: tuple[str, str, str], depth: int) -> None:
    """Up to the limits, nothing overflows; beyond, the limit is named."""
    before, inside, after = shape
    if "c in" in before:
        before = before.replace(" c ", " c{} ")
        spec = "".join(before.format(i) for i in range(depth)) + "stock == {}" + after * depth
    else:
        spec = nested(before, inside, after, depth)
    assert set(survives(text(f"predicate p = ({spec}) == ({spec})"))) <= {"too-deep", "type", "clash", "too-large"}


@pytest.mark.parametrize("n", [20, 60, 80, 90, 95, 100, 105])
@pytest.mark.parametrize(
    ("frame", "link"),
    [
        ("example {} true", "not "),
        ("example true {}", " and true"),
        ("predicate p = {} true", "some c in stock : "),
        ("const n = 1{}", " + 1"),
        ("function f(n : Nat) : Nat = {} 1", "if n == 0 then 1 else "),
    ],
)
def test_chains_as_long_as_may_be(frame: str, link: str, n: int) -> None:
    """Long chains without brackets are games, or too deep: never an overflow."""
    links = "".join(link.replace(" c ", f" c{i} ") for i in range(n))
    assert set(survives(text(frame.format(links)))) <= {"too-deep"}


def test_what_loads_can_be_played() -> None:
    """An expression as deep as may be does not overflow in the interpreter either."""
    calls = chain("function f0(k : Nat) : Nat = k", "function fI(k : Nat) : Nat = fJ(if k == 0 then 0 else k)", 39)
    made = load_text(text(calls)).game
    player = Interpreter(made)
    state, _ = player.initial()
    assert player.evaluate(state, made.functions["f38"].body, {"k": 3}) == 3
    longer = chain("function f0(k : Nat) : Nat = k", "function fI(k : Nat) : Nat = fJ(if k == 0 then 0 else k)", 140)
    assert "too-deep" in survives(text(longer))


ODD = {
    "nul": "language 1 game g { seats 2 \0 }",
    "nul in a comment": text("# \0"),
    "surrogate in a text": text('title en "\ud800"'),
    "only a mark": "\ufeff",
    "mark inside": text("\ufeff"),
    "vertical tab": text("\x0b"),
    "next line": text("\x85"),
    "line separator": text("const a = 1\u2028const b = 2"),
    "no-break space": text("const a\u00a0= 1"),
    "zero width": text("const a\u200b = 1"),
    "zero width in a title": text('title en "Ko\u200bzel"'),
    "a tag in a title": text('title en "Kozel\U000e0041"'),
    "combining": text("const a\u0301\u0301\u0301 = 1"),
    "wide digits": text("const a = １"),
    "arabic digits": text("const a = ٣"),
    "superscript": text("const a = 2²"),
    "emoji": text("const 😀 = 1"),
    "right to left": text("const א = 1 # \u202e"),
    "ligature": text("const ﬁ = 1"),
    "dotless": text("const ı = 1"),
}
FINE = {"ligature", "dotless"}


@pytest.mark.parametrize("name", ODD)
def test_odd_characters(name: str) -> None:
    """What cannot be seen or read as a word is an error; letters of any alphabet are letters."""
    assert (survives(ODD[name]) == []) == (name in FINE)


def test_tabs_and_form_feeds_are_spaces() -> None:
    """They separate words like spaces."""
    assert survives(text("const\ta\f=\t1")) == []


def test_limits_leave_room() -> None:
    """The real games use a small part of what the limits allow: so a limit that is hit means a mistake."""
    for path in GAMES:
        spec = load(path)
        assert len(spec.game.blocks) * 10 < MAX_BLOCKS and len(spec.program.items) * 10 < MAX_ITEMS
