"""Works done by the workers of a dask cluster, in order.

In go a subject and works; out comes what each worker found, in the order of the works. A worker that is lost loses time
only: what it was at is done again by another, and a result counts once, whoever found it. What goes over the wire are
pickles: scheduler and workers are trusted as this program is. A worker with another text of the tool, or other
versions of Python, the solver or the parser, refuses: it might find something else.

A worker keeps nothing; one process does one work at a time, however many threads it has, since the solver's settings
are its process's.
"""

import asyncio
import logging
import pickle
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Executor
from dataclasses import dataclass, replace
from hashlib import sha256
from importlib import import_module
from threading import Lock
from typing import Any

from kozel_verify.verify.doing import Done, Worker
from kozel_verify.verify.evidence import Work
from kozel_verify.verify.kept import tool
from kozel_verify.verify.pool import in_order
from kozel_verify.verify.subject import Subject

PATIENCE = 15.0  # seconds for a scheduler to answer
HERE: dict[str, Worker] = {}  # of a worker's process: what it has at hand, for the subject that it saw last
ONE_AT_A_TIME = Lock()


class ClusterFault(Exception):
    """A cluster that cannot be used, or failed: nothing is shown. ``hint``: what to do about it."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message, hint)
        self.hint = hint

    def __str__(self) -> str:
        return str(self.args[0])


class OtherTool(Exception):
    """Raised by a worker that is not the same program as the one that asks it."""


@dataclass(frozen=True, slots=True)
class Parcel:
    """A subject on its way: who sends it, and its pickle, compressed, under its hash."""

    sender: tuple[str, ...]
    name: str
    listed: bool  # are the solver's queries?
    data: bytes

    @classmethod
    def of(cls, subject: Subject) -> "Parcel":
        bare = Subject(subject.spec, replace(subject.settings, store="", jobs=1, executor=""))
        data = zlib.compress(pickle.dumps(bare))
        return cls(tool(), sha256(data).hexdigest(), bool(subject.settings.store), data)


def do_there(parcel: Parcel, work: Work) -> Done:
    """What a worker does. Raises ``OtherTool``."""
    if parcel.sender != tool():
        raise OtherTool
    with ONE_AT_A_TIME:
        if parcel.name not in HERE:
            HERE.clear()
            HERE[parcel.name] = Worker.of(pickle.loads(zlib.decompress(parcel.data)))
        return HERE[parcel.name].do(work, parcel.listed)


class Cluster:
    """The workers that a scheduler has, from when there is something to do until it is left."""

    def __init__(self, executor: str, subject: Subject) -> None:
        """``executor``: ``dask://HOST:PORT``."""
        self._address = executor.replace("dask://", "tcp://", 1)
        self._subject = subject
        self._client: Any = None  # of a package without types

    def leave(self) -> None:
        """What is not done yet is given up."""
        if self._client is not None:
            self._client.close(timeout=2)
            self._client = None

    def map(self, todo: Sequence[Work], ended: Callable[[Work, Done], None]) -> Iterator[Done]:
        """Raises ``ClusterFault``."""
        if not todo:
            return
        executor, parcel = self._executor(), Parcel.of(self._subject)
        futures = [executor.submit(do_there, parcel, work) for work in todo]
        try:
            yield from in_order(futures, todo, ended)
        except OtherTool as error:
            raise ClusterFault(
                "a worker of the cluster is another version of the tool, or has another Python or solver",
                "install the same version of `kozel-verify[cluster]` on all machines",
            ) from error
        except ImportError as error:
            raise ClusterFault(
                "a worker of the cluster lacks the tool", "install `kozel-verify[cluster]` on all machines"
            ) from error
        except (OSError, CancelledError) as error:
            raise ClusterFault("the cluster went away", "see whether its scheduler still runs") from error
        except Exception as error:
            if type(error).__name__ != "KilledWorker":  # of a package that is there for this command only
                raise
            raise ClusterFault(
                "workers of the cluster were ended from outside, time after time, at the same work",
                "there may be too little memory: give the workers more of it, or fewer threads",
            ) from error

    def _executor(self) -> Executor:
        if self._client is None:
            self._client = _connected(self._address)
        executor: Executor = self._client.get_executor(pure=False)
        return executor


def _connected(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ImportError as error:
        raise ClusterFault("`dask://` needs `dask.distributed`", "pip install 'kozel-verify[cluster]'") from error
    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters of it is told in our words
    try:
        asyncio.run(_greeted(distributed.comm, address))  # a client whose making failed could not be ended quietly
        client = distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:
        raise ClusterFault(f"no scheduler answers at {address}", "start one with `dask scheduler`") from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except OSError as error:
        client.close(timeout=2)
        raise ClusterFault("the cluster has no worker", f"start some with `dask worker {address}`") from error
    return client


async def _greeted(comm: Any, address: str) -> None:
    """Returns when a scheduler answers. Raises what its package does for anything else there, ``TimeoutError``."""
    async with asyncio.timeout(PATIENCE):
        line = await comm.connect(address, timeout=PATIENCE)
        try:
            await line.write({"op": "identity", "reply": True})
            answer = await line.read()
        finally:
            line.abort()
    if not isinstance(answer, dict) or answer.get("type") != "Scheduler":
        raise OSError("no scheduler")
