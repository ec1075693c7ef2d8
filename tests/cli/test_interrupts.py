"""Signals end a verification soon, with what was concluded before."""

import os
import signal
import subprocess
import sys
import time
from threading import Thread

import pytest

from kozel_verify.cli.interrupts import heeded
from kozel_verify.symbolic.stopping import STOP
from tests.cli.run import ROOT, START

SOON = 20.0  # seconds, on a busy machine


@pytest.mark.skipif(sys.platform == "win32", reason="there a process is ended without being told")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_verification_ends_soon(number: signal.Signals, jobs: str) -> None:
    """While the solver is at work, here or in other processes: exit code 130, no traceback."""
    command = [sys.executable, "-c", START, "verify", "kozel_shokha", "--jobs", jobs, "--no-store", "--only", "dealt"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    time.sleep(8.0)  # until all processes have begun to work
    begun = time.monotonic()
    running.send_signal(number)
    _, err = running.communicate(timeout=120)
    assert time.monotonic() - begun < SOON
    assert running.returncode == 130
    assert b"Traceback" not in err
    assert b"interrupted" in err


@pytest.mark.skipif(sys.platform == "win32", reason="there a process is ended without being told")
def test_an_exception_that_is_swallowed_is_not_forgotten() -> None:
    """Where an object is thrown away the exception is lost; that one is to stop is still known."""

    class Lost:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    with heeded():
        assert not STOP.asked
        sys.unraisablehook, before = (lambda _: None), sys.unraisablehook
        try:
            Lost()
            for _ in range(100):
                if not STOP.asked:
                    time.sleep(0.05)
        finally:
            sys.unraisablehook = before
        with pytest.raises(KeyboardInterrupt):
            STOP.heed()
    STOP.asked = False


def test_another_thread_leaves_signals_alone() -> None:
    """Only the main thread can say what they do."""
    before = signal.getsignal(signal.SIGTERM)

    def run() -> None:
        with heeded():
            assert signal.getsignal(signal.SIGTERM) is before

    thread = Thread(target=run)
    thread.start()
    thread.join()
    assert signal.getsignal(signal.SIGTERM) is before
