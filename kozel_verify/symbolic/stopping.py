"""That this process is to stop what it is at.

The exception that says so may be swallowed where an object is thrown away, and is not raised while the solver is at a
query. So it is written down here: then the solver gives up, and no further query is answered, whoever asks.
"""

from dataclasses import dataclass
from typing import Protocol


class Interruptible(Protocol):
    def interrupt(self) -> None: ...


@dataclass(slots=True)
class Stop:
    """``at``: what is to be interrupted, while a query is being asked."""

    asked: bool = False
    at: Interruptible | None = None

    def now(self) -> None:
        """To be called from another thread than that of the query."""
        self.asked = True
        at = self.at
        if at is not None:
            at.interrupt()

    def heed(self) -> None:
        """Raises ``KeyboardInterrupt`` once it is asked for."""
        if self.asked:
            raise KeyboardInterrupt


STOP = Stop()
