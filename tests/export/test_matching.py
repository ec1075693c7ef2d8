"""Distinct partners against the definition, on all small matrices."""

import inspect
from collections.abc import Callable, Sequence
from itertools import combinations_with_replacement, permutations, product

from kozel_verify.export.python import matching
from kozel_verify.export.python.matching import has_matching
from kozel_verify.export.python.module import export_python
from tests.support.toy import toy_game


def by_definition(rows: Sequence[int], width: int) -> bool:
    """Is there a choice of different columns, one from each row?"""
    return any(
        all(row >> c & 1 for row, c in zip(rows, chosen, strict=True))
        for chosen in permutations(range(width), len(rows))
    )


def wrong(function: Callable[[Sequence[int]], bool], height: int, width: int) -> int:
    """How many matrices of 0 and 1 get the wrong answer; from five rows on, rows in ascending order only."""
    matrices = combinations_with_replacement if height > 4 else lambda masks, count: product(masks, repeat=count)
    return sum(function(rows) != by_definition(rows, width) for rows in matrices(range(1 << width), height))


def test_all_small_matrices() -> None:
    """Right on all matrices up to 3 by 4, 4 by 3 and 2 by 6."""
    shapes = [(0, 2), (1, 5), (2, 2), (2, 6), (3, 3), (3, 4), (4, 2), (4, 3)]
    assert [wrong(has_matching, height, width) for height, width in shapes] == [0] * len(shapes)


def test_augmenting_paths() -> None:
    """Right where the other half of the algorithm works: five and six rows, up to their order."""
    assert [wrong(has_matching, height, width) for height, width in ((5, 4), (6, 3))] == [0, 0]
    ring = [0b000011, 0b000110, 0b001100, 0b011000, 0b110000, 0b100001]
    assert has_matching(ring)
    assert not has_matching([*ring, 0b111111])
    assert has_matching([0b111111, 0b11111, 0b1111, 0b111, 0b11, 0b1])
    assert not has_matching([0b111111, 0b111111, 0b11, 0b11, 0b11, 0b111111])


def test_a_greedy_choice_is_found_out() -> None:
    """Control: giving each row its first free bit is not enough."""

    def greedy(rows: Sequence[int]) -> bool:
        used = 0
        for row in rows:
            free = row & ~used
            used |= free & -free
            if not free:
                return False
        return True

    assert wrong(greedy, 2, 2) == 1
    assert wrong(greedy, 3, 3) > 20


def test_modules_carry_this_text() -> None:
    """What is tested here stands in an exported module word for word."""
    assert inspect.getsource(matching.has_matching) in export_python(toy_game(), spec_hash="0" * 64)
