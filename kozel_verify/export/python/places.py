"""Places of rules in a spec, as texts that an engine shows: ``file:12 (A:13, B:2)``."""

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Game


class Places:
    """Numbers the places; number 0 is the unknown place."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.texts: list[str] = [""]

    def comment(self, span: Span) -> str:
        """A comment line that names a place, or nothing where it is unknown. Only printable characters get into it, so
        that no file name ends the line."""
        text = self.texts[self.rule(span)]
        printable = "".join(char if char.isprintable() else "?" for char in text)
        return f"# {printable}\n" if text else ""

    def rule(self, span: Span) -> int:
        """The number of a place."""
        if span == NOWHERE:
            return 0
        cited = self._game.citations.get((span.file, span.line), ())
        file = span.file.replace("\\", "/").rsplit("/", 1)[-1]  # the same text wherever the spec stands
        text = f"{file}:{span.line}" + (f" ({', '.join(cited)})" if cited else "")
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)
