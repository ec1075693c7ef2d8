"""Records as files of commands: read before there is work, written after it.

In go readers and writers of records; out come the records, and what to tell of a file that is none or cannot be used.
A broken record is refused before anything is done; what was found is told even where it cannot be recorded.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kozel_verify.cli.console import complain
from kozel_verify.cli.specs import Misuse
from kozel_verify.model.load import Spec
from kozel_verify.verify import stability
from kozel_verify.verify.manifest import BadManifest, Manifest, compare, manifest_of, promote, read, write
from kozel_verify.verify.run import Report
from kozel_verify.verify.settings import Settings

Kept = TypeVar("Kept")


def opened(path: Path, reader: Callable[[Path], Kept]) -> Kept:
    """What a reader finds in a file. Raises ``Misuse``."""
    try:
        return reader(path)
    except BadManifest as wrong:
        raise Misuse(f"{path}: {wrong}", "mend the file, or take it away") from wrong
    except OSError as error:
        raise Misuse(_unusable(path, error)) from error


def put(path: Path, writer: Callable[[Path], None]) -> Misuse | None:
    """Write a file; what to raise, once all is told that was found, when that cannot be."""
    try:
        writer(path)
    except BadManifest as wrong:
        return Misuse(f"{path}: {wrong}")
    except (OSError, UnicodeEncodeError) as error:
        return Misuse(_unusable(path, error))
    complain(f"recorded in {path}")
    return None


def _unusable(path: Path, error: OSError | UnicodeEncodeError) -> str:
    reason = error.strerror if isinstance(error, OSError) else "what is to be written is no text"
    return f"{path}: {(reason or 'cannot be used').lower()}"


def joined(faults: Sequence[Misuse | None]) -> Misuse | None:
    """One for all of them."""
    messages = [fault.message for fault in faults if fault is not None]
    return Misuse("; ".join(messages)) if messages else None


# --- of verifications ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Before:
    """What is recorded of a spec when its verification begins: ``None`` for what there is not. ``seeds`` is read only
    where something is compared."""

    path: Path
    verified: Manifest | None
    seeds: stability.Stability | None

    @classmethod
    def of(cls, spec: Spec, folder: Path, check: bool) -> "Before":
        """Raises ``Misuse``."""
        name = spec.game.name
        path = folder / f"{name}.json"
        seeds = opened(stability.path_of(folder, name), stability.read) if check else None
        return cls(path, opened(path, read), seeds)

    def differences(self, report: Report, settings: Settings) -> list[str]:
        """What is recorded, held against what was found."""
        faults = [] if self.seeds is None else stability.faults(self.seeds, report.spec.hash)
        if self.verified is None:
            hint = "; `--proofs DIR` names another folder of proofs"
            return [f"{self.path}: nothing is recorded for {report.spec.game.name}{hint}", *faults]
        return compare(self.verified.about(settings.only), manifest_of(report, settings)) + faults

    def replace(self, report: Report, settings: Settings, reason: str) -> Misuse | None:
        """The report becomes the record."""
        return put(self.path, lambda path: write(path, promote(self.verified, manifest_of(report, settings), reason)))
