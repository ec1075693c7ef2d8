"""Which variables a property can name at a node: exactly those that the elaboration accepts."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.load import Spec, load, load_text
from kozel_verify.verify.variables import Variables, path_of
from tests.model.frame import text
from tests.support.readme import ROOT

GAMES = [ROOT / "spec" / "kozel_shokha.kozel", ROOT / "tests" / "specs" / "good" / "everything.kozel"]
HANDED_ON = """
    for each round in 1..2 { for each s in Seat { run visit(s, round) } }
    let kept = |stock|
    ask seat 1 to choose { may take(c in stock) { run visit(seat 2, kept)   announce c } }
"""
VISIT = "  procedure visit(who : Seat, n : 0..6) { ask who to sit { may nod { announce n } } }"


def spec_of(statements: str, items: str = "") -> Spec:
    return load_text(text(items, statements))


def at(spec: Spec, node: str) -> tuple[list[str], list[str]]:
    index = [n.name for n in spec.game.nodes].index(node)
    found = Variables(spec.program, spec.game).at(index)
    return list(found.named), list(found.unserved)


def test_loops_lets_and_parameters() -> None:
    """A parameter that is a variable handed on has its name; loops around the run can be asked what is left."""
    spec = spec_of(HANDED_ON, VISIT)
    assert at(spec, "deal.visit.sit") == (["who", "n"], ["round", "s"])
    assert at(spec, "deal.choose") == (["kept"], [])
    assert at(spec, "deal.visit.sit#2") == (["n"], [])
    assert at(spec, "deal.finish") == ([], [])


def refused(path: Path, wanted: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those of the pairs (node, text) that no property may state there."""
    pairs = list(wanted)
    lines = [f"  invariant probe_{n} at {node} : {said} == {said}" for n, (node, said) in enumerate(pairs)]
    bad: set[tuple[str, str]] = set()
    for begin in range(0, len(lines), 40):  # errors are told up to a limit
        variant = f"language 1\nvariant probing of {path.stem} {{\n" + "\n".join(lines[begin : begin + 40]) + "\n}\n"
        try:
            load_text(variant, str(path.parent / "probing.kozel"))
        except SpecError as error:
            bad |= {pairs[begin + d.span.line - 3] for d in error.diagnostics}
    return bad


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_exactly_what_the_elaboration_accepts(path: Path) -> None:
    """At every node of whole games all variables that are told can be named, and of all names of generated cells no
    others."""
    spec = load(path)
    variables = Variables(spec.program, spec.game)
    words = {path_of(name)[-1] for name in spec.game.cells} - spec.game.cells.keys()
    told: set[tuple[str, str]] = set()
    every: set[tuple[str, str]] = set()
    for index, node in enumerate(spec.game.nodes):
        name = ".".join(path_of(node.name))
        if name == "end":  # `at end` means the end of a deal as well
            continue
        found = variables.at(index)
        told |= {(name, word) for word in found.named} | {(name, f"unserved({word})") for word in found.unserved}
        every |= {(name, said) for word in words for said in (word, f"unserved({word})")}
    assert len(told) >= 4
    bad = refused(path, sorted(every))
    assert every - bad == told
