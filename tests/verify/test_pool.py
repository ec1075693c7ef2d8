"""Processes of a pool: how they are begun."""

import pickle
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest

from kozel_verify.verify import pool
from kozel_verify.verify.pool import Pool, in_order, nothing, pooled


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


def test_what_ends_is_heard_of_at_once() -> None:
    """Also where an earlier task has not ended, and then fails: what the later one found is not lost. Of one that fails
    nothing is heard."""
    late, soon = Future[str](), Future[str]()
    heard: list[tuple[int, str]] = []

    def end(task: int, result: str) -> None:
        heard.append((task, result))
        late.set_exception(KeyboardInterrupt())

    soon.set_result("b")
    with pytest.raises(KeyboardInterrupt):
        list(in_order([late, soon], [1, 2], end))
    assert heard == [(2, "b")]


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


KEPT: list[str] = []  # in a process: what it was begun with


def keep(text: str) -> None:
    KEPT.append(text)


def length(_: int) -> int:
    return len(KEPT[0])


def test_what_a_process_begins_with(monkeypatch: pytest.MonkeyPatch) -> None:
    """However large, it arrives; and little enough is sent to a process that is just beginning for a pipe to hold, as
    nobody empties the pipe of one that is killed before it reads. Afterwards no file is left."""
    sent: list[tuple[str]] = []
    real: Any = ProcessPoolExecutor

    def seen(jobs: int, context: object, start: object, given: tuple[str]) -> object:
        sent.append(given)
        return real(jobs, context, start, given)

    monkeypatch.setattr(pool, "ProcessPoolExecutor", seen)
    assert list(pooled(length, [0, 1], 2, keep, "x" * 10_000_000)) == [10_000_000] * 2
    assert len(pickle.dumps(sent)) < 1_000
    assert not Path(sent[0][0]).exists()


def test_a_process_that_cannot_be_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """It counts as one that was killed."""

    class Nobody(Interrupted):
        def submit(self, _: object, task: int) -> "Future[int]":
            raise ValueError("bad value(s) in fds_to_keep")

    monkeypatch.setattr(pool, "ProcessPoolExecutor", Nobody)
    with pytest.raises(BrokenProcessPool):
        list(pooled(abs, [1], 1, nothing))


def blocked(_: int) -> bool:
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not blocked there")
def test_ctrl_c_does_not_reach_the_others() -> None:
    """From their first moment on processes do not see it, and this one does as before."""
    assert list(pooled(blocked, [0], 1, nothing)) == [True]
    assert not blocked(0)
