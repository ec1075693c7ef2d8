"""Ctrl-C, and being ended by the system: what was concluded before is told, and the rest is given up at once.

Python looks at a signal only between two of its own steps. A query of the solver may take minutes, and an exception
that is raised while an object is being thrown away is swallowed. So a thread of its own waits for signals: it has the
solver give up, and sees to it that no further query is answered.
"""

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread

from kozel_verify.symbolic.stopping import STOP

SIGNALS = (signal.SIGINT, signal.SIGTERM)
INTERRUPTED = 130  # the exit code


@contextmanager
def heeded() -> Iterator[None]:
    """Both signals raise ``KeyboardInterrupt``, and stop the solver."""
    STOP.asked = False
    if current_thread() is not main_thread():
        yield
        return
    before = [signal.signal(s, signal.default_int_handler) for s in SIGNALS]
    reader, writer = socket.socketpair()
    writer.setblocking(False)
    old = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    Thread(target=_listen, args=(reader,), daemon=True).start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(old)
        writer.close()
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)


def _listen(reader: socket.socket) -> None:
    with reader:
        while data := reader.recv(64):
            if any(number in data for number in SIGNALS):
                STOP.now()
