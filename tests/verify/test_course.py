"""The course of a game: the edges that are told are those of its graph."""

from pathlib import Path

import pytest

from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import random_play
from kozel_verify.interpret.state import Choice
from kozel_verify.model.core import Arrive, Ask, Dead, Draw, Game, Rest
from kozel_verify.model.graph import successors
from kozel_verify.model.load import load
from kozel_verify.verify.course import Course, course
from tests.support.readme import ROOT

Edge = tuple[int, str, int | str]  # a node, a verb, a node or the name of a `dead` clause
SPECS = [ROOT / "spec" / "kozel_shokha.kozel", ROOT / "tests" / "specs" / "good" / "everything.kozel"]


def told(found: Course) -> set[Edge]:
    return {
        (stop.index, exit_.verb, way.dead if way.node is None else way.node)
        for stop in found.stops
        for exit_ in stop.exits
        for way in exit_.ways
    }


def reached(game: Game, block: int) -> set[int | str]:
    """Where a walk over all branches ends."""
    todo, seen, ends = [block], set(), set[int | str]()
    while todo:
        b = todo.pop()
        if b in seen:
            continue
        seen.add(b)
        todo += successors(game.blocks[b])
        end = game.blocks[b].end
        if isinstance(end, Arrive):
            ends.add(end.node)
        elif isinstance(end, Dead):
            ends.add(end.name)
    return ends


def edges(game: Game) -> set[Edge]:
    found: set[Edge] = set()
    for index, node in enumerate(game.nodes):
        if isinstance(node, Ask):
            found |= {(index, v.name, end) for v in node.verbs for end in reached(game, v.block)}
        elif isinstance(node, Draw | Rest):
            found |= {(index, "", end) for end in reached(game, node.block)}
    return found


@pytest.mark.parametrize("path", SPECS, ids=lambda p: p.stem)
def test_all_edges_and_no_others(path: Path) -> None:
    """On whole games the ways of each outcome end exactly where a walk over all branches ends."""
    spec = load(path)
    assert told(course(spec.program, spec.game)) == edges(spec.game)


def test_plays_follow_the_course() -> None:
    """Every step of random plays goes along an edge that is told; with an edge taken out, some step does not."""
    spec = load(SPECS[0])
    found = told(course(spec.program, spec.game))
    steps: set[Edge] = set()
    for seed in range(4):
        interpreter = Interpreter(spec.game, {name: o.default for name, o in spec.game.options.items()})
        for step in random_play(interpreter, seed, until="match", limit=2_000).steps:
            node = interpreter.node(step.before)
            chosen = isinstance(node, Ask) and isinstance(step.outcome, Choice)
            verb = node.verbs[step.outcome.verb].name if chosen else ""  # type: ignore[union-attr]
            steps.add((step.before.node, verb, step.after.node))
    assert len(steps) >= 15
    assert steps <= found
    assert not steps <= found - {max(steps, key=str)}


def test_small_packs_have_a_course() -> None:
    """The same holds for the smaller packs of a game, whose graphs may differ."""
    spec = load(SPECS[0])
    assert spec.packs
    for pack in spec.packs:
        game = spec.small(pack)
        assert told(course(spec.program, game)) == edges(game)
