"""Modules, variants, `default` items, new defaults: what takes the place of what, and where it is looked for."""

import os
from pathlib import Path

import pytest

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.model.core import Const
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.model.program import assemble, read_folder
from tests.model.frame import text

MODULE = """language 1
module counter(most = 3, least) {
  need predicate good(c : Card)
  need procedure finished(s : Seat)
  default predicate worth(c : Card) = good(c)
  default procedure before { }
  state count : 0..most = least
  procedure advance { run before run finished(seat 1) }
}
"""


def loaded(files: dict[str, str], main: str = "spec") -> Spec:
    """The spec in ``files[main]``, which finds the others by name."""

    def read(name: str, beside: str) -> tuple[str, str] | None:
        return (files[name], f"{name}.kozel") if name in files else None

    return load_text(files[main], f"{main}.kozel", read)


def errors(files: dict[str, str], main: str = "spec") -> list[Diagnostic]:
    try:
        loaded(files, main)
    except SpecError as e:
        return e.diagnostics
    return []


def codes(files: dict[str, str], main: str = "spec") -> list[str]:
    return [d.code for d in errors(files, main)]


USER = "predicate good(c : Card) = true\nprocedure finished(s : Seat) { }\n"


def test_module_parameters() -> None:
    """A parameter is a constant: the given value, else the module's own."""
    game = loaded({"spec": text(USER + "use counter(least = 1)"), "counter": MODULE}).game
    assert str(game.cells["count"].type) == "0..3" and game.cells["count"].initial == 1
    game = loaded(
        {"spec": text(USER + "use counter(least = 2, most = 2 * two)\nconst two = 2"), "counter": MODULE}
    ).game
    assert str(game.cells["count"].type) == "0..4"


def test_module_parameter_errors() -> None:
    """A value that is missing, unknown or given twice is an error at the `use`."""
    for use in ("use counter", "use counter(least = 1, mist = 2)", "use counter(least = 1, least = 2)"):
        assert codes({"spec": text(USER + use), "counter": MODULE}) == ["module-value"], use


def test_module_used_twice() -> None:
    """The items come once; other values the second time are an error, the same or none are not."""
    again = {"counter": MODULE, "other": "language 1\nmodule other { use counter(least = 1) }"}
    for second in ("use counter", "use counter(least = 1)"):
        assert codes({"spec": text(f"{USER}use other\n{second}"), **again}) == []
    assert codes({"spec": text(f"{USER}use other\nuse counter(least = 2)"), **again}) == ["used-twice"]


def test_modules_that_use_each_other() -> None:
    """A circle of modules is no error: each comes in once."""
    files = {
        "a": "language 1\nmodule a { use b const one = two - 1 }",
        "b": "language 1\nmodule b { use a const two = 2 }",
        "spec": text("use a\nexample one == 1 and two == 2"),
    }
    assert codes(files) == []


def test_needs() -> None:
    """What a module needs must be there: of the kind, with the parameters and type that it asks for."""

    def needing(need: str, items: str) -> list[str]:
        return codes({"spec": text(f"use m\n{items}"), "m": f"language 1\nmodule m {{ need {need} }}"})

    satisfied = {
        "const k": "const k = 1", "order o": "order o = A > 6", "zone z": "zone z seen by all",
        "state x": "state x : Nat = 0", "type Bid": "type Bid = low | high", "option o": "option o : Bool = true",
        "predicate p(c : Card)": "predicate p(c : Card) = true", "procedure q(s : Seat)": "procedure q(s : Seat) { }",
        "function f(n : 0..3) : 0..9": "function f(n : 0..9) : 0..4 = min(n, 4)",
    }  # fmt: skip
    for need, item in satisfied.items():
        assert needing(need, item) == [], need
        assert needing(need, "") == ["need"], need
    assert needing("const x", "state x : Nat = 0") == ["need"]
    assert needing("predicate p(c : Card)", "predicate p(s : Seat) = true") == ["need"]
    assert needing("predicate p(c : Card)", "predicate p(c : Card, d : Card) = true") == ["need"]
    assert needing("procedure q(s : Seat)", "procedure q { }") == ["need"]
    assert needing("function f(n : 0..3) : 0..3", "function f(n : 0..3) : 0..9 = n") == ["need"]
    assert needing("function f(n : 0..9) : Nat", "function f(n : 0..3) : Nat = n") == ["need"]
    one_mistake = needing("predicate p(c : Card)", "predicate p(c : Card) = nope")
    assert one_mistake == ["unknown-name"]


def test_default_items() -> None:
    """A `default` item is used when nothing replaces it; a replacement has its kind and its parameters."""
    files = {"counter": MODULE}
    use = USER + "use counter(least = 0)\n"
    game = loaded({"spec": text(use), **files}).game
    assert "good" in repr(game.functions["worth"].body)
    game = loaded({"spec": text(use + "predicate worth(x : Card) = false"), **files}).game
    assert isinstance(game.functions["worth"].body, Const)
    assert codes({"spec": text(use + "predicate worth(s : Seat) = false"), **files}) == ["default"]
    assert "default" in codes({"spec": text(use + "const worth = 1"), **files})
    assert codes({"spec": text(use + "procedure before(s : Seat) { }"), **files}) == ["default", "arguments"]
    assert codes({"spec": text(use + "predicate good(c : Card) = true"), **files}) == ["clash"]


BASE = text(
    'state n : Nat = 0\noption limit : 1..20 = 12\nconst two = 2\nlemma sure : two == 2\ntitle en "Base"'
).replace("game sample", "game base")


def test_variant_replaces_by_name() -> None:
    """A variant's items take the place of their namesakes, whatever they are; new ones are added."""
    variant = """language 1
    variant other of base {
      title en "Other"
      const two = 3
      lemma sure : two == 3
      zone pile seen by all
      outcome(s) = won
      phase deal { ask seat 2 to begin { may pass { } } }
    }"""
    game = loaded({"base": BASE, "spec": variant}).game
    assert (game.name, game.titles) == ("other", {"en": "Other"})
    assert [n.name for n in game.nodes] == ["deal.begin", "deal.end", "end"]
    assert list(game.zones) == ["stock", "hand", "open_cards", "pile"]
    assert game.outcome == Const(2, game.outcome.type)
    assert len(game.properties) == 1


PROMISES = text(
    "state n : Nat = 0\nlemma sure : 2 == 2\nexample 1 + 1 == 2\nexample 1 + 2 == 3\ninvariant small : n < 5\n"
    'pack one { cards {6♠} }\nscenario "a start" { seat 1 : pass expect n == 0 }'
).replace("game sample", "game base")


def test_variant_withdraws_promises() -> None:
    """A variant takes back promises and packs by name, a scenario by its title, an example as it stands."""
    whole = loaded({"spec": PROMISES})
    assert (len(whole.game.properties), whole.packs) == (5, ("one",))
    variant = """language 1
    variant other of base { withdraw sure, one withdraw scenario "a start" withdraw example 1+1 == 2 }"""
    spec = loaded({"base": PROMISES, "spec": variant})
    assert [p.name for p in spec.game.properties] == ["example_1", "small"]
    assert not spec.packs
    third = "language 1\nvariant third of other { lemma sure : 3 == 3 withdraw small }"
    assert [p.name for p in loaded({"base": PROMISES, "other": variant, "spec": third}).game.properties] == [
        "example_1",
        "sure",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "withdraw sur",
        'withdraw scenario "a star"',
        "withdraw example 1 + 1 == 3",
        "withdraw n",
        "withdraw sure, surely",
    ],
)
def test_only_what_is_promised_can_be_withdrawn(words: str) -> None:
    """A promise that the base has not, a rule, and what a game promises itself, is an error."""
    assert codes({"base": PROMISES, "spec": f"language 1\nvariant other of base {{ {words} }}"}) == ["withdrawn"]
    assert set(codes({"spec": PROMISES.replace("lemma sure", f"{words} lemma sure")}, "spec")) == {"withdrawn"}


SURE = """language 1
module sure { use surer lemma safe : 2 == 2 example 1 + 1 == 2 scenario "a start" { seat 1 : pass expect 1 == 1 } }"""
SURER = "language 1\nmodule surer { lemma safest : 3 == 3 pack one { cards {6♠} } }"


def test_game_withdraws_promises_of_its_modules() -> None:
    """By name, a scenario by its title, an example as it stands, also of modules that only modules use; what is left
    keeps its order, and so do the items of the game."""
    files = {"sure": SURE, "surer": SURER}
    whole = loaded({**files, "spec": text("lemma own : 4 == 4 use sure")})
    assert ([p.name for p in whole.game.properties], whole.packs) == (
        ["own", "safest", "safe", "example_1", "a start"],
        ("one",),
    )
    words = 'withdraw safest, one withdraw scenario "a start" withdraw example 1+1 == 2'
    spec = loaded({**files, "spec": text(f"lemma own : 4 == 4 use sure {words}")})
    assert ([p.name for p in spec.game.properties], spec.packs) == (["own", "safe"], ())
    assert list(spec.game.zones) == list(whole.game.zones)


@pytest.mark.parametrize(
    "words", ["withdraw own", "withdraw saf", "withdraw example 1 + 1 == 3", "withdraw example 4 == 4"]
)
def test_game_withdraws_nothing_else(words: str) -> None:
    """Not its own promises, nor any that its modules have not; the hint names one that is nearly so called."""
    files = {"sure": SURE, "surer": SURER, "spec": text(f"lemma own : 4 == 4 example 4 == 4 use sure {words}")}
    (found,) = errors(files, "spec")
    assert found.code == "withdrawn" and found.message.startswith("the modules of this game have no ")
    assert words != "withdraw saf" or "safe" in found.hint


def test_modules_withdraw_nothing() -> None:
    """Neither their own promises nor those of modules that they use: that is said by the game."""
    for words in ("withdraw safe", "withdraw safest"):
        files = {"sure": SURE.replace("lemma safe", f"{words} lemma safe"), "surer": SURER, "spec": text("use sure")}
        assert codes(files) == ["withdrawn"]


def test_variant_keeps_the_order_of_zones() -> None:
    """A replaced zone keeps its place: the first zone holds the pack."""
    variant = "language 1\nvariant other of base { zone stock seen by all }"
    game = loaded({"base": BASE, "spec": variant}).game
    assert [(z.name, z.base) for z in game.zones.values()] == [("stock", 0), ("hand", 1), ("open_cards", 3)]
    assert game.zones["stock"].seen.seats == Const(3, game.zones["stock"].seen.seats.type)


def test_another_kind_in_the_place_of_an_item() -> None:
    """Before the errors that come of it, the variant's own line is told; where all goes well, nothing is."""
    base = text("const limit = 2\npredicate high(n : Nat) = n > limit").replace("game sample", "game base")
    files = {"base": base, "spec": "language 1\nvariant spec of base {\n  zone limit seen by all\n}"}
    first, *others = errors(files)
    assert (first.code, first.span.file, first.span.line, first.span.column) == ("clash", "spec.kozel", 3, 8)
    assert first.message == "the zone `limit` takes the place of the constant `limit` of the base"
    assert first.hint == "give it another name, or change all that uses the constant"
    assert others and {d.span.file for d in others} == {"base.kozel"}
    files["spec"] = "language 1\nvariant spec of base {\n  option limit : 1..3 = 2\n}"
    assert errors(files) == []
    files["spec"] = "language 1\nvariant spec of base {\n  option limit : 1..3 = 2\n  lemma x : wrong\n}"
    assert [d.code for d in errors(files)] == ["unknown-name"]


def test_new_defaults_of_options() -> None:
    """`option NAME = e` changes the default, in a game for its modules' options too; a variant's word is the last."""
    variant = "language 1\nvariant other of base { option limit = 6 }"
    third = "language 1\nvariant third of other { option limit = 8 }"
    assert loaded({"base": BASE, "spec": variant}).game.options["limit"].default == 6
    assert loaded({"base": BASE, "other": variant, "spec": third}).game.options["limit"].default == 8
    module = "language 1\nmodule m { option extra : Bool = false }"
    assert loaded({"m": module, "spec": text("use m\noption extra = true")}).game.options["extra"].default is True
    assert codes({"base": BASE, "spec": "language 1\nvariant other of base { option limt = 6 }"}) == ["unknown-name"]
    assert codes({"base": BASE, "spec": "language 1\nvariant other of base { option limit = 60 }"}) == ["range"]
    twice = "language 1\nvariant other of base { option limit = 6 option limit = 7 }"
    assert codes({"base": BASE, "spec": twice}) == ["clash"]


def test_circles_of_variants() -> None:
    """A variant of itself is an error, directly or by a detour, and not a hang."""
    assert codes({"v": "language 1\nvariant v of v { }"}, "v") == ["circular"]
    files = {"v": "language 1\nvariant v of w { }", "w": "language 1\nvariant w of v { }"}
    assert codes(files, "v") == ["circular"]


def test_errors_of_all_modules_are_reported() -> None:
    """Syntax errors in two modules and a missing third come in one run."""
    files = {
        "spec": text("use a\nuse b\nuse c"),
        "a": "language 1\nmodule a { const = 1 }",
        "b": "language 1\nmodule b { state x : }",
    }
    assert codes(files) == ["syntax", "syntax", "unknown-module"]
    assert [d.span.file for d in errors(files)] == ["a.kozel", "b.kozel", "spec.kozel"]


def test_module_of_another_name() -> None:
    """A file that states something else than its name is refused."""
    assert codes({"spec": text("use a"), "a": "language 1\nmodule b { }"}) == ["unknown-module"]
    assert codes({"spec": text("use a"), "a": BASE}) == ["unknown-module"]
    assert codes({"m": "language 1\nmodule m { }"}, "m") == ["module-alone"]


def test_endless_supply_of_modules() -> None:
    """A reader that always has one more module comes to a limit."""

    def read(name: str, beside: str) -> tuple[str, str] | None:
        if not name[1:].isdigit():
            return None
        n = int(name[1:])
        return f"language 1\nmodule m{n} {{ use m{n + 1} }}", f"{name}.kozel"

    with pytest.raises(SpecError) as e:
        load_text(text("use m0"), "spec.kozel", read)
    assert [d.code for d in e.value.diagnostics] == ["too-large"]


# --- files -----------------------------------------------------------------------------------------------------------


def test_modules_are_found_beside_the_file(tmp_path: Path) -> None:
    """Beside the file that names them comes first, then `lib`, then the shipped specs."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "m.kozel").write_text("language 1\nmodule m { const k = 1 }", encoding="utf-8")
    spec = tmp_path / "spec.kozel"
    spec.write_text(text("use m\nuse sources\nexample k == 1"), encoding="utf-8")
    assert load(spec).game.name == "sample"
    (tmp_path / "m.kozel").write_text("language 1\nmodule m { const k = 2 }", encoding="utf-8")
    assert {Path(f).name for f in assemble(spec.read_text("utf-8"), str(spec)).files} == {
        "spec.kozel",
        "m.kozel",
        "sources.kozel",
    }
    assert read_folder("m", str(spec)) == ("language 1\nmodule m { const k = 2 }", str(tmp_path / "m.kozel"))


def test_modules_that_are_nearly_so_called(tmp_path: Path) -> None:
    """For a module or base that is not there, the hint is the nearest name in all folders that are searched, if any."""
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "my_tricks.kozel").write_text("language 1\nmodule my_tricks { }", encoding="utf-8")
    hints = []
    for unit in (text("use my_trick"), "language 1\nvariant ours of kozel_shoka { }", text("use qqqqqq")):
        with pytest.raises(SpecError) as e:
            load_text(unit, str(tmp_path / "spec.kozel"))
        hints.append(e.value.diagnostics[0].hint)
    assert hints[:2] == ["did you mean `my_tricks`?", "did you mean `kozel_shokha`?"]
    assert hints[2].startswith("`qqqqqq.kozel` is looked for beside this file")


@pytest.mark.parametrize("name", ["../secret", "..", "a/b", "a\\b", "/etc/passwd", "", "a.b", "x" * 5000, "a\0b", "~"])
def test_names_of_modules_are_no_paths(name: str, tmp_path: Path) -> None:
    """No name of a module leads out of the folders."""
    (tmp_path / "secret.kozel").write_text("language 1\nmodule secret { }", encoding="utf-8")
    (tmp_path / "in").mkdir()
    assert read_folder(name, str(tmp_path / "in" / "spec.kozel")) is None


@pytest.mark.skipif(os.name == "nt", reason="file names as on POSIX systems")
def test_odd_files(tmp_path: Path) -> None:
    """Folders, missing files, files that never end and impossible names are errors with a place."""
    for path in (
        tmp_path,
        tmp_path / "none.kozel",
        Path("/dev/null/x"),
        Path("a\0b"),
        tmp_path / ("x" * 4000),
        Path("/dev/zero"),
    ):
        with pytest.raises(SpecError) as e:
            load(path)
        assert [d.code for d in e.value.diagnostics] == ["unreadable"]


def test_odd_names_of_specs(tmp_path: Path) -> None:
    """The name of the spec's own file is of no account."""
    for name in ("a b.kozel", "козёл.kozel", "x'\"`.txt", "-x", "%s.kozel"):
        (tmp_path / name).write_text(text(), encoding="utf-8")
        assert load(tmp_path / name).game.name == "sample"


def test_line_breaks_and_marks(tmp_path: Path) -> None:
    """A byte-order mark and the line breaks of other systems change neither the game nor the hash."""
    plain = load_text(text("state n : Nat = 0 # count"))
    same = text("state n : Nat = 0 # count")
    for other in (same.replace("\n", "\r\n"), same.replace("\n", "\r"), "\ufeff" + same):
        path = tmp_path / "x.kozel"
        path.write_bytes(other.encode())
        for spec in (load_text(other), load(path)):
            assert spec.game == plain.game and spec.hash == plain.hash


def test_composed_letters() -> None:
    """One name has one spelling, however its letters are composed."""
    assert load_text(text("const й = 1\nexample й == 1")).game == load_text(text("const й = 1\nexample й == 1")).game
