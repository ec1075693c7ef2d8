"""A verification by the workers of a cluster."""

import os
import signal
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from gc import collect
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest

from kozel_verify.verify import cluster
from kozel_verify.verify.cluster import Cluster, ClusterFault, Parcel, do_there
from kozel_verify.verify.doing import Done, do
from kozel_verify.verify.evidence import Evidence, Work
from kozel_verify.verify.findings import to_json
from kozel_verify.verify.run import Report, verify_spec, works
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject
from tests.verify.test_run import spec

distributed: Any = import_module("distributed")  # which has no types for what is used here
CLAIMS = "  lemma low(x : Card) : rank(x) != A\n  invariant few : |hand[seat 1]| <= 6"
FEW = Settings(plays=3, witness_plays=50)


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    """Two workers of two threads each."""
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, memory_limit=0, dashboard_address=":0", silence_logs="CRITICAL"
    ) as found:
        yield found


def address(local: Any) -> str:
    return str(local.scheduler_address).replace("tcp://", "dask://")


def told(report: Report) -> list[dict[str, object]]:
    return [{**to_json(o), "seconds": 0} for o in report.obligations]


def test_a_cluster_finds_what_one_process_finds(local: Any, tmp_path: Path) -> None:
    """The same verdicts, counts, words and counterexamples; what holds is kept here, and found again without it."""
    one, there = spec(CLAIMS), replace(FEW, executor=address(local), store=str(tmp_path / "there"))
    report = verify_spec(one, there)
    assert told(report) == told(verify_spec(one, FEW))
    again = verify_spec(one, replace(FEW, store=there.store))
    assert told(again) == told(report) and again.stored > again.parts // 2 > report.stored == 0
    alone = verify_spec(one, replace(FEW, store=str(tmp_path / "here")))
    assert report.asked == alone.asked and alone.asked


def test_a_killed_worker_loses_and_doubles_nothing(local: Any) -> None:
    """A worker is killed at its work as soon as another work has ended: each work brings its evidence, once."""
    subject = Subject(spec(CLAIMS), replace(FEW, executor=address(local)))
    todo = works(subject.spec, FEW)
    ended: Counter[str] = Counter()
    killed: list[int] = []
    with distributed.Client(address(local).replace("dask", "tcp"), set_as_default=False) as client:
        pids = client.run(os.getpid)

        def end(work: Work, done: Done) -> None:
            assert done.evidence.legs
            ended[repr(work)] += 1
            busy = [pids[worker] for worker, tasks in client.processing().items() if tasks and worker in pids]
            if busy and not killed:
                killed.append(busy[0])
                os.kill(busy[0], signal.SIGKILL)

        workers = Cluster(subject.settings.executor, subject)
        try:
            found = [done.evidence for done in workers.map(todo, end)]
        finally:
            workers.leave()
    assert len(killed) == 1
    assert ended == Counter(map(repr, todo))
    alone = Subject(subject.spec, FEW)
    assert [bare(e) for e in found] == [bare(do(alone, work)) for work in todo]


def bare(evidence: Evidence) -> Evidence:
    return replace(evidence, seconds=0.0, given_up=0)


def test_another_tool_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: a worker whose sources differ does nothing, since it might find something else."""
    subject = Subject(spec(), FEW)
    parcel = Parcel.of(subject)
    assert do_there(parcel, works(subject.spec, FEW)[4]).evidence.legs
    monkeypatch.setattr(cluster, "tool", lambda: ("other",))
    with pytest.raises(cluster.OtherTool):
        do_there(parcel, works(subject.spec, FEW)[4])


def test_nobody_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no scheduler or no worker answers that is said, with what to do."""
    monkeypatch.setattr(cluster, "PATIENCE", 0.5)
    for nobody in ("localhost:9", "a..b:1"):
        with pytest.raises(ClusterFault, match=f"no scheduler answers at tcp://{nobody}"):
            verify_spec(spec(), replace(FEW, executor=f"dask://{nobody}"))
    empty = distributed.LocalCluster(n_workers=0, processes=False, dashboard_address=":0")
    with empty, pytest.raises(ClusterFault, match="the cluster has no worker"):
        verify_spec(spec(), replace(FEW, executor=address(empty)))


@contextmanager
def stranger(said: bytes) -> Iterator[int]:
    """The port of a server that takes one call and says this over and over."""

    def serve() -> None:
        with suppress(OSError), there.accept()[0] as line:
            while not over.wait(0.01):
                line.sendall(said)

    over = Event()
    with socket.create_server(("localhost", 0)) as there:
        thread = Thread(target=serve)
        thread.start()
        try:
            yield there.getsockname()[1]
        finally:
            over.set()
            thread.join()


@pytest.mark.parametrize("said", [b"HTTP/1.0 200 OK\r\n\r\n", b""])
def test_another_server(
    said: bytes, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    """A server that is no scheduler, talkative or silent, is waited for as long as was said, and leaves no trace."""
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    begun = monotonic()
    with stranger(said) as port, pytest.raises(ClusterFault, match=f"no scheduler answers at tcp://localhost:{port}"):
        verify_spec(spec(), replace(FEW, executor=f"dask://localhost:{port}"))
    collect()
    assert monotonic() - begun < 10
    assert "Traceback" not in capfd.readouterr().err and not [w for w in recwarn if "Client" in str(w.message)]
