"""The matrix of obligations and mutants: what is redundant, and what suffices."""

import random
from itertools import combinations

import pytest

from kozel_verify.verify.matrix import Cover, Matrix

LITTLE = Matrix.of(
    ["a", "b", "c", "d", "e"],
    [["a"], ["a", "b"], ["b", "c"], ["c", "d"], []],
)


def test_counts() -> None:
    """Who kills what, who kills something alone, who is redundant, and who kills nothing."""
    assert {name: sorted(mutants) for name, mutants in LITTLE.kills.items()} == {
        "a": [0, 1],
        "b": [1, 2],
        "c": [2, 3],
        "d": [3],
        "e": [],
    }
    assert sorted(LITTLE.alone("a")) == [0] and not LITTLE.alone("b")
    assert LITTLE.redundant == ("b", "c", "d") and LITTLE.idle == ("e",)


def test_a_smallest_set() -> None:
    """`a` is needed, `c` kills the rest; a matrix in which nothing is killed needs nothing."""
    assert LITTLE.smallest() == Cover(("a", "c"), True)
    assert Matrix.of(["a"], [[]]).smallest() == Cover((), True)


def test_a_set_that_greed_does_not_find() -> None:
    """The largest obligation is no part of the smallest set; without branches it stays in, and that is said."""
    killers = [["big", "x"], ["big", "x"], ["x", "z"], ["big", "y"], ["big", "y"], ["y", "w"]]
    matrix = Matrix.of(["big", "x", "y", "z", "w"], killers)
    assert matrix.smallest() == Cover(("x", "y"), True)
    assert matrix.smallest(nodes=0) == Cover(("big", "x", "y"), False)


def brute_force(matrix: Matrix) -> int:
    killed = frozenset().union(*matrix.kills.values())
    for size in range(len(matrix.kills) + 1):
        for names in combinations(matrix.kills, size):
            if killed <= frozenset().union(*(matrix.kills[n] for n in names)):
                return size
    raise AssertionError


@pytest.mark.parametrize("seed", range(60))
def test_it_is_sufficient_and_smallest(seed: int) -> None:
    """On random matrices: it kills all that is killed, and trying all sets finds none smaller."""
    rng = random.Random(seed)
    names = [f"o{n}" for n in range(9)]
    density = rng.choice((0.15, 0.25, 0.4))
    matrix = Matrix.of(names, [[n for n in names if rng.random() < density] for _ in range(16)])
    cover = matrix.smallest()
    covered = frozenset().union(*(matrix.kills[n] for n in cover.names))
    assert cover.exact and covered == frozenset().union(*matrix.kills.values())
    assert len(cover.names) == brute_force(matrix)
