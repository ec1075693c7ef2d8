"""Those who do works: this process, several, or the workers of a cluster.

In go a subject and works; out comes the evidence of each, in their order and the same whoever did them.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Self

from kozel_verify.symbolic import query_store
from kozel_verify.verify.cluster import Cluster
from kozel_verify.verify.doing import Worker
from kozel_verify.verify.evidence import Evidence, Work
from kozel_verify.verify.pool import Pool, unheard
from kozel_verify.verify.subject import Subject

_WORKER: list[Worker] = []  # of a worker process


def _start_worker(subject: Subject) -> None:
    _WORKER[:] = [Worker.of(subject)]


def _do_in_worker(work: Work) -> Evidence:
    return _WORKER[0].done(work)


class Workers:
    """Does works: by the cluster at ``settings.executor``, or by ``settings.jobs`` processes, which are kept until it
    is left, or here."""

    def __init__(self, subject: Subject) -> None:
        self.subject = subject
        self._here: Worker | None = None
        self._pool = Pool(subject.settings.jobs, _start_worker, subject)
        self._cluster = Cluster(subject.settings.executor, subject) if subject.settings.executor else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._here is not None:
            query_store.USE = query_store.Use()
        if self._cluster is not None:
            self._cluster.leave()
        self._pool.__exit__(kind, error, at)

    def done(self, todo: Sequence[Work], ended: Callable[[Work, Evidence], None] = unheard) -> Iterator[Evidence]:
        """The evidence of the works in their order; ``ended`` hears of each, with what it has found, when it ends. A
        ``BrokenProcessPool`` when processes are killed twice; a ``ClusterFault``."""
        if self._cluster is not None:
            there = self._cluster.map(todo, lambda work, done: ended(work, done.evidence))
            yield from map(self._worker().kept, todo, there)
        elif self.subject.settings.jobs <= 1:
            for work in todo:
                evidence = self._worker().done(work)
                ended(work, evidence)
                yield evidence
        else:
            yield from self._by_processes(todo, ended)

    def _worker(self) -> Worker:
        self._here = self._here or Worker.of(self.subject)
        return self._here

    def _by_processes(self, todo: Sequence[Work], ended: Callable[[Work, Evidence], None]) -> Iterator[Evidence]:
        finished = 0
        try:
            for evidence in self._pool.map(_do_in_worker, todo, ended):
                finished += 1
                yield evidence
        except BrokenProcessPool:  # what is left is tried once more
            yield from self._pool.map(_do_in_worker, todo[finished:], ended)
