"""Errors in a spec, as values."""

from dataclasses import dataclass

from kozel_verify.language.spans import Span


@dataclass(frozen=True, slots=True)
class Fix:
    """Replace what ``span`` covers by ``text``; given only where that is certain to be meant."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error. ``code`` is a key of ``kozel_verify.language.codes.CODES``.

    ``message`` is in the lower case without a final full stop, with user text in back quotes; ``hint`` says what to do.
    """

    code: str
    span: Span
    message: str
    hint: str = ""
    fix: Fix | None = None


class SpecError(Exception):
    """A spec cannot be used; carries every error found, in order of place."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = sorted(diagnostics, key=lambda d: d.span)
        super().__init__("; ".join(f"{d.span}: {d.code}: {d.message}" for d in self.diagnostics))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.diagnostics,)  # else another process would be sent the text alone
