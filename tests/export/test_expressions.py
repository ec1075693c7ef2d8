"""Generated functions against the reference, on whole domains."""

import pytest

from kozel_verify.export.python import context
from kozel_verify.export.python.module import export_python
from kozel_verify.export.python.operators import OPERATIONS
from kozel_verify.verify.engine_check import Check, compare_functions, load_engine
from tests.export.random_functions import game_with_functions
from tests.support.toy import toy_game


def compared(seed: int, depth: int) -> list[Check]:
    game = game_with_functions(seed, 20, depth)
    engine = load_engine(export_python(game, spec_hash="0" * 64))
    return compare_functions(engine, game, 600, seed)


@pytest.mark.parametrize("seed", range(4))
def test_random_functions(seed: int) -> None:
    """Twenty random functions a seed mean the same in the module, for all (or 1,000 random) arguments."""
    checks = compared(seed, 3 + seed % 2)
    assert [c for c in checks if c.differences] == []
    assert sum(c.cases - c.undefined for c in checks) > 2000


def test_random_functions_without_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same where no table may be kept, so that loops are written."""
    monkeypatch.setattr(context, "SMALL", 1)
    assert [c for seed in (11, 12) for c in compared(seed, 4) if c.differences] == []


@pytest.mark.parametrize("op, fault", [("without", "intersect"), ("within", "=="), (">", ">="), ("or", "and")])
def test_a_wrong_operator_is_found(op: str, fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Control: the exporter writes one operator for another."""
    monkeypatch.setitem(OPERATIONS, op, OPERATIONS[fault])
    assert [c for seed in range(3) for c in compared(seed, 3) if c.differences]


def test_quantifiers_become_masks() -> None:
    """No loop where a mask will do: of one suit, the sum of values."""
    text = export_python(toy_game(), spec_hash="0" * 64)
    assert "return 11 * (s & 0x24).bit_count() + 3 * (s & 0x12).bit_count()" in text
    assert "MASKS = (0x7, 0x38)" in text
    assert "if _matches(group, z[HAND_ZONE + c[ASKED_CELL]], fits_2):" in text or "_matches(" in text
