"""Places in spec texts."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one source file.

    ``line`` and ``column`` count from 1 and columns count characters; the end is exclusive.
    ``file`` is the path as the user gave it (or a module's path relative to its root), never resolved.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Span("", 0, 0, 0, 0)
