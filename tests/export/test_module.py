"""Exported modules as texts: what they import, what they say about themselves, what cannot get into them."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from mypy import api as mypy

from kozel_verify.export.python.context import Context
from kozel_verify.export.python.module import Obligation, export_python
from kozel_verify.verify.engine_check import load_engine, validate_engine
from tests.export.hostile import TAIL, hostile_game
from tests.model.frame import game
from tests.support.toy import toy_game

HASH = "0123456789abcdef" * 4


def text(**changes: object) -> str:
    return export_python(toy_game(), spec_hash=HASH, **changes)  # type: ignore[arg-type]


def test_the_same_game_gives_the_same_bytes() -> None:
    """Two exports are equal, and so is one made by another process with another hash seed."""
    code = (
        "from tests.support.toy import toy_game\n"
        "from kozel_verify.export.python.module import export_python\n"
        f"import sys; sys.stdout.buffer.write(export_python(toy_game(), spec_hash={HASH!r}).encode())"
    )
    root = Path(__file__).parents[2]
    other = subprocess.run(
        [sys.executable, "-c", code],
        cwd=root,
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": str(root)},
        capture_output=True,
    )
    assert other.stdout.decode() == text() == text()


def test_only_the_standard_library_is_imported() -> None:
    """Nothing of this package, nothing from elsewhere."""
    modules = set()
    for node in ast.walk(ast.parse(text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            modules.add((node.module or "").split(".")[0])
    assert modules <= sys.stdlib_module_names
    assert "kozel_verify" not in text()


def test_a_module_is_fully_typed(tmp_path: Path) -> None:
    """The text passes mypy in strict mode."""
    path = tmp_path / "engine.py"
    path.write_text(text(), encoding="utf-8")
    output, errors, status = mypy.run(["--strict", "--no-incremental", str(path)])
    assert (status, errors) == (0, ""), output


def test_the_header_says_what_is_known() -> None:
    """Unverified is said in so many words; else each obligation stands there as data."""
    unverified = text()
    assert "\nUNVERIFIED: nothing is known about the obligations of this spec.\n" in unverified
    assert load_engine(unverified).SPEC["verified"] is False
    verified = text(obligations=[Obligation("never stuck", "PROVED", "induction over the edges")])
    assert "UNVERIFIED" not in verified
    spec = load_engine(verified).SPEC
    assert spec["obligations"] == [{"name": "never stuck", "verdict": "PROVED", "how": "induction over the edges"}]
    assert (spec["hash"], spec["verified"], spec["name"]) == (HASH, True, "toy")
    text_ = {"en": "trumps beat other suits"}
    assert spec["options"] == {"ruffing": {"type": "Bool", "values": [False, True], "default": True, "text": text_}}


def test_options_are_listed_as_they_are_given() -> None:
    """Each value and default in the header is taken by a new state and told by its views; nothing else is a value."""
    options = (
        "option b : Bool = true\noption n : 2..4 = 3\noption u : Suit = ♥\noption r : Rank = A\noption c : Card = A♥\n"
        "option w : low | high = high\noption p : Seat? = none\noption q : set of Suit = {♥}\noption k : Seat = seat 2"
    )
    engine = load_engine(export_python(game(options), spec_hash=HASH))
    listed = {name: (option["values"], option["default"]) for name, option in engine.SPEC["options"].items()}
    assert listed == {
        "b": ([False, True], True),
        "n": ([2, 3, 4], 3),
        "u": (["S", "H"], "H"),
        "r": (["6", "10", "A"], "A"),
        "c": (["6S", "10S", "AS", "6H", "10H", "AH"], "AH"),
        "w": (["low", "high"], "high"),
        "p": ([None, 0, 1], None),
        "q": ([[], ["S"], ["H"], ["S", "H"]], ["H"]),
        "k": ([0, 1], 1),
    }

    def told(**given: object) -> dict[str, object]:
        found: dict[str, object] = engine.observation(engine.new_initial_state(options=given, seed=1), 0)["options"]
        return found

    assert told() == {name: default for name, (_, default) in listed.items()}
    for name, (values, _) in listed.items():
        assert [told(**{name: value})[name] for value in values] == values


def test_no_text_of_a_spec_becomes_code() -> None:
    """Whatever names, titles and file names hold: the same statements, with nothing called that is not called else."""
    game = hostile_game()
    source = export_python(game, spec_hash=HASH, obligations=[Obligation(TAIL, TAIL, TAIL)])
    tree, plain = ast.parse(source), ast.parse(text())
    assert len(tree.body) == len(plain.body)
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert "__import__" not in called
    assert "abort" not in {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert source.isprintable() is False  # line ends
    assert all(char.isprintable() or char == "\n" for char in source)


def test_a_hostile_game_plays_as_the_plain_one() -> None:
    """Names have no influence on the rules."""
    game = hostile_game()
    report = validate_engine(game, export_python(game, spec_hash=HASH), [{}], 5, 3)
    assert report.equal, report.differences


def test_a_raw_text_in_code_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: an exporter that writes names as they are makes no valid module of a hostile game."""
    monkeypatch.setattr("kozel_verify.export.python.names.ascii_identifier", lambda text: text)
    assert Context(toy_game(), ()).names.take("a b") == "a b"
    with pytest.raises(SyntaxError):
        ast.parse(export_python(hostile_game(), spec_hash=HASH))
