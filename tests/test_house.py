"""The rules of the house: who may import whom, what may not stand where, how long a file may be.

Each check is a function from a file's path and text to the faults that it finds, so that each can be shown to find one.
"""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "kozel_verify"
ENGINES = ("interpret", "symbolic", "exhaustive", "export")
BELOW = {
    "language": (),
    "model": ("language",),
    **dict.fromkeys(ENGINES, ("language", "model")),
    "rulebook": ("language", "model"),
    "verify": ("language", "model", *ENGINES),
    "cli": ("language", "model", *ENGINES, "rulebook", "verify"),
}
OWNERS = {"z3": ("symbolic/z3_api.py",), "lark": ("language/",), "click": ("cli/",)}
WORDS = ("shokh", "шох", "moscow", "москв", "molodk", "молодк", "khvalenk", "хвал", "prikup", "прикуп")
CARD = re.compile(r"(?<![\w♠♣♦♥])(?:10|[2-9AKQJТКДВ])[♠♣♦♥]")
HOME = re.compile("|".join([re.escape("/") + folder for folder in ("work/", "tmp/", "root/", r"home/\w", r"Users/\w")]))
UNFINISHED = re.compile("|".join(["TO" + "DO", "FIX" + "ME", "X" * 3]))
LONG = 600  # lines; from about 400 on a file should be asked whether it has two purposes


def python_files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*.py") if "_data" not in p.parts)


def text_files() -> list[Path]:
    """Everything that is handed over, but data that tools have made."""
    roots = ("kozel_verify", "tests", "spec", "grammar", "docs", ".ci")
    found = [p for root in roots for p in (ROOT / root).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    found += [p for p in ROOT.iterdir() if p.suffix in (".md", ".toml", "") and p.is_file() and p.name != ".git"]
    return sorted(found)


def inside(path: Path) -> str:
    """A file's place in the package, with forward slashes."""
    return path.relative_to(PACKAGE).as_posix()


# --- the checks ------------------------------------------------------------------------------------------------------


def modules_imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or "")


def upward_imports(place: str, text: str) -> list[str]:
    """Imports of a package that is not below this one; relative ones are not used here."""
    own = place.split("/")[0]
    found = []
    for module in modules_imported(text):
        parts = module.split(".")
        ours = parts[0] == "kozel_verify" and len(parts) > 1
        if module.startswith(".") or (ours and parts[1] not in (own, *BELOW.get(own, BELOW))):
            found.append(module)
    return found


def strangers(place: str, text: str) -> list[str]:
    """Imports of a library outside of the place that owns it."""
    found = []
    for module in modules_imported(text):
        owners = OWNERS.get(module.split(".")[0])
        if owners is not None and not place.startswith(owners):
            found.append(module)
    return found


def game_words(place: str, text: str) -> list[str]:
    """Words of one game, in code or comments; names of cards in code. Notation may be shown in docstrings, and by the
    pages of error codes, which quote specs."""
    lowered = text.lower()
    found = [word for word in WORDS if word in lowered]
    if place.startswith("language/codes/"):
        return found
    tree = ast.parse(text)
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docs = {id(n.body[0].value) for n in ast.walk(tree) if isinstance(n, documented) and _has_docstring(n)}  # type: ignore[attr-defined]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            found += CARD.findall(node.value)
    return found


def _has_docstring(node: ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return ast.get_docstring(node, clean=False) is not None


def machine_paths(place: str, text: str) -> list[str]:
    return HOME.findall(text)


def unfinished(place: str, text: str) -> list[str]:
    return UNFINISHED.findall(text)


def too_long(place: str, text: str) -> list[str]:
    lines = text.count("\n")
    return [f"{lines} lines"] if lines > LONG else []


def promises(place: str, text: str) -> list[str]:
    """Tests without a docstring that states what they keep."""
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
    return [n.name for n in nodes if not _has_docstring(n)]


def room_sign(place: str, text: str) -> list[str]:
    """What a package's first paragraph must say: what goes in, what comes out, what is trusted."""
    sign = (ast.get_docstring(ast.parse(text)) or "").lower().replace("*", "")
    asked = {
        "what goes in": r"\bin go(es)?\b|\bgo(es)? in\b",
        "what comes out": r"\bout comes?\b|\bcomes? out\b",
        "what is trusted": "trust",
    }
    return [what for what, pattern in asked.items() if not re.search(pattern, sign)]


# --- the house -------------------------------------------------------------------------------------------------------

Check = Callable[[str, str], list[str]]


@pytest.mark.parametrize("check", [upward_imports, strangers, game_words, too_long])
def test_the_package(check: Check) -> None:
    """Imports go one way and libraries stay where they belong; no word of a game; no file has several purposes."""
    faults = {inside(p): found for p in python_files(PACKAGE) if (found := check(inside(p), p.read_text("utf-8")))}
    assert faults == {}


@pytest.mark.parametrize("check", [machine_paths, unfinished])
def test_all_texts(check: Check) -> None:
    """Nothing handed over names a place of the machine that it was made on, or says that it is not done."""
    faults = {}
    for path in text_files():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue
        if found := check(path.name, text):
            faults[path.relative_to(ROOT).as_posix()] = found
    assert faults == {}


def test_tests_state_promises() -> None:
    """Each test says in its docstring which promise it keeps."""
    files = [p for p in python_files(ROOT / "tests") if p.name.startswith("test_")]
    assert files
    faults = {p.relative_to(ROOT).as_posix(): found for p in files if (found := promises("", p.read_text("utf-8")))}
    assert faults == {}


@pytest.mark.parametrize("package", BELOW)
def test_each_room_has_its_sign(package: str) -> None:
    """A package's first paragraph says what goes in, what comes out and what is trusted."""
    assert room_sign(package, (PACKAGE / package / "__init__.py").read_text("utf-8")) == []


def test_every_package_is_known() -> None:
    """A new package has to be given its place in the order first."""
    assert {p.parent.name for p in PACKAGE.glob("*/__init__.py")} == set(BELOW)


# --- each check finds its fault --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "check, place, text, faults",
    [
        (upward_imports, "model/core.py", "import kozel_verify.verify.run", ["kozel_verify.verify.run"]),
        (
            upward_imports,
            "export/a.py",
            "def f():\n    from kozel_verify.interpret import play",
            ["kozel_verify.interpret"],
        ),
        (upward_imports, "verify/a.py", "from kozel_verify.cli import main", ["kozel_verify.cli"]),
        (upward_imports, "verify/a.py", "from . import run", ["."]),
        (upward_imports, "verify/a.py", "from kozel_verify.interpret import play\nimport ast", []),
        (strangers, "symbolic/terms.py", "import z3", ["z3"]),
        (strangers, "symbolic/z3_api.py", "import z3", []),
        (strangers, "model/core.py", "from lark import Token", ["lark"]),
        (game_words, "model/core.py", "# the Shokha beats all", ["shokh"]),
        (game_words, "model/core.py", 'x = "6♠"', ["6♠"]),
        (game_words, "model/core.py", '"""A card such as ``J♥``."""\nx = "♠♥"', []),
        (machine_paths, "a.md", "see " + "/" + "work/main", ["/" + "work/"]),
        (unfinished, "a.py", "# TO" + "DO: more", ["TO" + "DO"]),
        (too_long, "a.py", "\n" * 601, ["601 lines"]),
        (promises, "a.py", "def test_a() -> None:\n    assert True", ["test_a"]),
        (room_sign, "a", '"""A folder: specs go in, verdicts come out."""', ["what is trusted"]),
        (room_sign, "a", '"""."""', ["what goes in", "what comes out", "what is trusted"]),
    ],
)
def test_a_fault_is_found(check: Check, place: str, text: str, faults: list[str]) -> None:
    """Each check turns red on a planted fault, and stays green without."""
    assert check(place, text) == faults
