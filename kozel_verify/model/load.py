"""The way in: a spec's file to its games."""

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from kozel_verify.model.core import Game
from kozel_verify.model.elaborate import elaborate, pack_names
from kozel_verify.model.program import Program, Reader, assemble, read_folder, read_text
from kozel_verify.model.spelling import hints_spelt_for


@dataclass(frozen=True)
class Spec:
    """A loaded spec: its program, the game on the full pack, and the names of its smaller packs."""

    path: str
    program: Program
    game: Game

    @property
    def packs(self) -> tuple[str, ...]:
        return pack_names(self.program)

    def small(self, pack: str) -> Game:
        """The same rules on a smaller pack. Raises ``SpecError`` when they do not fit it."""
        with hints_spelt_for(self.program.files[self.program.units[0].span.file]):
            return elaborate(self.program, pack)

    @cached_property
    def hash(self) -> str:
        """SHA-256 (hex) over the texts of the spec and of all modules it uses, without their places on disk."""
        digest = sha256()
        for unit in sorted(self.program.units, key=lambda u: (u.kind, u.name)):
            text = self.program.files[unit.span.file]
            digest.update(f"{unit.kind} {unit.name} {len(text)}\n{text}\n".encode())
        return digest.hexdigest()


def load(path: str | Path) -> Spec:
    """The spec in a file. Raises ``SpecError`` with every error found."""
    return load_text(read_text(Path(path)), str(path))


def load_text(text: str, file: str = "spec.kozel", read: Reader = read_folder) -> Spec:
    """The spec in a text; ``file`` is where it says it stands (modules are looked for beside it)."""
    with hints_spelt_for(text):
        program = assemble(text, file, read)
        return Spec(file, program, elaborate(program))
