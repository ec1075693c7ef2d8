"""Tasks done by several processes, in order.

In go a function of a module, and data; out come its results in the order of the tasks. Ctrl-C is the main process's to
deal with: it ends the others at once, since what they are at may take minutes.
"""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from multiprocessing import active_children, get_context
from types import TracebackType
from typing import Self, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


class Pool:
    """At most ``jobs`` processes, begun when there is something to do, and kept from one list of tasks to the next.
    ``start`` is called first in each of them."""

    def __init__(self, jobs: int, start: Callable[..., None], *arguments: object) -> None:
        self.jobs = jobs
        self._begin = partial(_begin, start, *arguments)
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._executor is None:
            return
        if kind is not None and not issubclass(kind, BrokenProcessPool):
            for child in active_children():  # else the pool waits for what they are at
                child.terminate()
        self._executor.shutdown(cancel_futures=True)
        self._executor = None

    def map(
        self, do: Callable[[Task], Result], tasks: Sequence[Task], ended: Callable[[Task], None] = lambda _: None
    ) -> Iterator[Result]:
        """The results in the order of the tasks; ``ended`` is called with each task when it ends, in whatever order.
        Raises ``BrokenProcessPool`` when a process is killed; other tasks can be done after that."""
        if not tasks:
            return
        if self._executor is None:
            self._executor = ProcessPoolExecutor(self.jobs, get_context("spawn"), self._begin)
        try:
            with _begun_whole():
                futures = [self._executor.submit(do, task) for task in tasks]
            yield from in_order(futures, tasks, ended)
        except BrokenProcessPool:
            self._executor.shutdown()
            self._executor = None
            raise


@contextmanager
def _begun_whole() -> Iterator[None]:
    """An interruption while processes are begun counts when all of them have: one that its parent leaves half-begun
    would say so at length. Nor does Ctrl-C, which a terminal sends to all of them, end one before ``_begin``."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    seen: list[int] = []
    before = {s: signal.signal(s, lambda number, _: seen.append(number)) for s in (signal.SIGINT, signal.SIGTERM)}
    masks = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if masks else set()
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        if masks:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for first in seen[:1]:
            signal.raise_signal(first)


def in_order(
    futures: Sequence[Future[Result]], tasks: Sequence[Task], ended: Callable[[Task], None]
) -> Iterator[Result]:
    """The results of tasks that were begun; ``ended`` is called with each task when it ends."""
    running = dict(zip(futures, tasks, strict=True))
    for future in futures:
        while future in running:
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                ended(running.pop(done))
        yield future.result()


def pooled(
    do: Callable[[Task], Result],
    tasks: Sequence[Task],
    jobs: int,
    start: Callable[..., None],
    *arguments: object,
) -> Iterator[Result]:
    """By processes that are there for these tasks only. Raises ``BrokenProcessPool`` when one of them is killed."""
    with Pool(min(jobs, len(tasks) or 1), start, *arguments) as pool:
        yield from pool.map(do, tasks)


def nothing() -> None:
    """For processes that need no beginning."""


def _begin(start: Callable[..., None], *arguments: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start(*arguments)
