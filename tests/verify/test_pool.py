"""Processes of a pool: how they are begun."""

import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future

import pytest

from kozel_verify.verify import pool
from kozel_verify.verify.pool import Pool, nothing, pooled


class Interrupted:
    """An executor whose first task comes with Ctrl-C."""

    def __init__(self, *_: object) -> None:
        self.begun: list[int] = []
        self.ended = False

    def submit(self, _: object, task: int) -> "Future[int]":
        if not self.begun:
            signal.raise_signal(signal.SIGINT)
        self.begun.append(task)
        done: Future[int] = Future()
        done.set_result(task)
        return done

    def shutdown(self, cancel_futures: bool) -> None:
        self.ended = cancel_futures


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C has the effect that it has in a terminal, also where whoever runs the tests ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_an_interruption_waits_until_all_are_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while processes are begun is raised when all of them are, so that none is left half-begun; afterwards it
    has the effect that it had before."""
    executor = Interrupted()
    monkeypatch.setattr(pool, "ProcessPoolExecutor", lambda *_: executor)
    with pytest.raises(KeyboardInterrupt), Pool(2, nothing) as some:
        list(some.map(abs, [1, 2, 3]))
    assert executor.begun == [1, 2, 3] and executor.ended
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def blocked(_: int) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not blocked there")
def test_ctrl_c_does_not_reach_the_others() -> None:
    """From their first moment on processes do not see it, and this one does as before."""
    assert list(pooled(blocked, [0], 1, nothing)) == [True]
    assert not blocked(0)
