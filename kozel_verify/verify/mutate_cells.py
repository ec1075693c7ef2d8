"""What each obligation says of a mutant: the cells of a row of the matrix.

A cell that *notices* tells the mutant from the spec: the obligation was shown for the spec, and fails for the mutant or
is shown no more. All other cells say nothing against the mutant; ``HOLDS`` only as far as was looked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

LINES = 3  # of what shows a failure


class Says(StrEnum):
    REFUTED = "refuted"
    REFUSED = "refused"
    UNMET = "unmet"
    UNPROVED = "unproved"
    HOLDS = "holds"
    UNTOUCHED = "untouched"
    OPEN = "open"

    @property
    def notices(self) -> bool:
        return self in NOTICES


NOTICES = (Says.REFUTED, Says.REFUSED, Says.UNMET, Says.UNPROVED)
LEGEND = {
    Says.REFUTED: "it fails; evaluated or replayed by the interpreter",
    Says.REFUSED: "it speaks of something that the mutant does not have",
    Says.UNMET: "the spec meets it and the mutant does not, in the same plays and in more",
    Says.UNPROVED: "it was proved for the spec, and the same method does not prove it for the mutant",
    Says.HOLDS: "no failure was found where it was looked for",
    Says.UNTOUCHED: "all that it depends on is as in the spec",
    Says.OPEN: "it was not asked, or not decided",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """``method``: what found it out; empty where nothing did."""

    says: Says
    method: str = ""


@dataclass(slots=True)
class Row:
    """The cells of one mutant, by obligation, while they are asked. ``first`` is the first that noticed, with lines."""

    cells: dict[str, Cell] = field(default_factory=dict)
    first: str = ""
    lines: tuple[str, ...] = ()

    def notice(self, name: str, says: Says, method: str, lines: Callable[[], Sequence[str]] = tuple) -> None:
        """A notice stays; a later one of the same obligation adds nothing."""
        old = self.cells.get(name)
        if old is not None and old.says.notices:
            return
        self.cells[name] = Cell(says, method)
        if not self.first:
            self.first, self.lines = name, _begun(lines())

    def say(self, name: str, says: Says, method: str = "") -> None:
        """Nothing is said against the mutant. Where several methods find nothing, all are named."""
        old = self.cells.get(name)
        if old is None or old.says is Says.OPEN:
            self.cells[name] = Cell(says, method)
        elif old.says is Says.HOLDS is says and method not in old.method.split(", "):
            self.cells[name] = Cell(says, f"{old.method}, {method}")

    def asks(self, name: str) -> bool:
        """Is the obligation still to be asked?"""
        return name not in self.cells or self.cells[name].says is Says.OPEN

    def noticed(self, name: str) -> bool:
        return name in self.cells and self.cells[name].says.notices

    @property
    def notices(self) -> list[str]:
        return [name for name, cell in self.cells.items() if cell.says.notices]


def _begun(lines: Sequence[str]) -> tuple[str, ...]:
    """The first lines; one that only announces lines that are left out goes with them."""
    kept = lines[:LINES]
    return tuple(kept[:-1] if len(lines) > LINES and kept[-1].endswith(":") else kept)
