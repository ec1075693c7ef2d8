"""Tasks done by several processes, in order.

In go a function of a module, and data; out come its results in the order of the tasks. Ctrl-C is the main process's to
deal with: it ends the others at once, since what they are at may take minutes.
"""

import os
import pickle
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def unheard(task: object, result: object) -> None:
    """For whoever need not know when a task ends."""


class Pool:
    """At most ``jobs`` processes, begun when there is something to do, and kept from one list of tasks to the next.
    ``start`` is called first in each of them; it and its arguments are handed over in a file, since whoever writes much
    to a process that is killed before it reads waits for ever."""

    def __init__(self, jobs: int, start: Callable[..., None], *arguments: object) -> None:
        self.jobs = jobs
        self._given = start, arguments
        self._file: Path | None = None
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None and not issubclass(kind, BrokenProcessPool):
            for child in active_children():  # else the pool waits for what they are at
                child.terminate()
        self._end()

    def _start(self) -> ProcessPoolExecutor:
        handle, name = tempfile.mkstemp(prefix="kozel-")
        self._file = Path(name)
        with os.fdopen(handle, "wb") as file:
            pickle.dump(self._given, file)
        return ProcessPoolExecutor(self.jobs, get_context("spawn"), _begin, (name,))

    def _end(self) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
        if self._file is not None:
            self._file.unlink(missing_ok=True)
        self._executor = self._file = None

    def map(
        self, do: Callable[[Task], Result], tasks: Sequence[Task], ended: Callable[[Task, Result], None] = unheard
    ) -> Iterator[Result]:
        """The results in the order of the tasks; ``ended`` hears of each task and its result at once, in any order.
        Raises ``BrokenProcessPool`` when a process is killed; other tasks can be done after that."""
        if not tasks:
            return
        try:
            yield from in_order(self._begun(do, tasks), tasks, ended)
        except BrokenProcessPool:
            self._end()
            raise

    def _begun(self, do: Callable[[Task], Result], tasks: Sequence[Task]) -> list[Future[Result]]:
        self._executor = executor = self._executor or self._start()
        try:
            with _begun_whole():
                return [executor.submit(do, task) for task in tasks]
        except (OSError, ValueError) as lost:  # the helper that begins processes was killed, or the process as it began
            raise BrokenProcessPool("a process could not be begun") from lost


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
    futures: Sequence[Future[Result]], tasks: Sequence[Task], ended: Callable[[Task, Result], None]
) -> Iterator[Result]:
    """The results of tasks that were begun; ``ended`` hears of each that has one, with it, when it ends."""
    running = dict(zip(futures, tasks, strict=True))
    for future in futures:
        while future in running:
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                task = running.pop(done)
                if not done.cancelled() and done.exception() is None:
                    ended(task, done.result())
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


def _begin(given: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start, arguments = pickle.loads(Path(given).read_bytes())
    start(*arguments)
