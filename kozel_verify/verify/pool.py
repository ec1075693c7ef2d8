"""Tasks done by several processes, in order.

In go a function of a module, and data; out come its results in the order of the tasks. Ctrl-C is the main process's to
deal with: it ends the others at once, since what they are at may take minutes.
"""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import active_children, get_context
from typing import TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")


def pooled(
    do: Callable[[Task], Result],
    tasks: Sequence[Task],
    jobs: int,
    start: Callable[..., None],
    *arguments: object,
) -> Iterator[Result]:
    """``start`` is called first in each process. Raises ``BrokenProcessPool`` when a process is killed."""
    context = get_context("spawn")
    begin = partial(_begin, start, *arguments)
    with ProcessPoolExecutor(min(jobs, len(tasks)), context, begin) as pool:
        try:
            yield from pool.map(do, tasks)
        except BrokenProcessPool:
            raise
        except BaseException:
            for child in active_children():  # else the pool waits for what they are at
                child.terminate()
            pool.shutdown(cancel_futures=True)
            raise


def nothing() -> None:
    """For processes that need no beginning."""


def _begin(start: Callable[..., None], *arguments: object) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start(*arguments)
