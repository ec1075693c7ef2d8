"""That a process is to stop: the solver gives up, and answers nothing more."""

from threading import Timer

import pytest

from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.stopping import STOP, Stop
from kozel_verify.symbolic.z3_api import Model, check

EASY = [t.variable("p", t.BOOL)]


def hard() -> list[t.Term]:
    """Pigeons without enough holes: far too many for the solver."""
    birds, holes = range(14), range(13)
    sits = [[t.variable(f"sits {b} {h}", t.BOOL) for h in holes] for b in birds]
    alone = [t.not_(t.and_(sits[a][h], sits[b][h])) for h in holes for b in birds for a in range(b)]
    return [*(t.or_(*row) for row in sits), *alone]


def test_nothing_is_answered_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once it is asked for, every query is refused, whoever has swallowed the exception before."""
    assert isinstance(check(EASY), Model)
    monkeypatch.setattr(STOP, "asked", True)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            check(EASY)


def test_a_query_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver stops in the middle of what would take it for ever, and what it says then is no answer."""
    monkeypatch.setattr(STOP, "asked", False)
    timer = Timer(0.5, STOP.now)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        check(hard(), 0)
    timer.join()
    assert STOP.at is None


def test_without_a_query_there_is_nothing_to_interrupt() -> None:
    """It is only written down."""
    stop = Stop()
    stop.heed()
    stop.now()
    with pytest.raises(KeyboardInterrupt):
        stop.heed()
