"""What all builders share: places, names, numbers and the canonical spelling of cards."""

from collections.abc import Iterable
from typing import Any

from lark import Token, Transformer
from lark.tree import Meta

from kozel_verify.language.diagnostics import Diagnostic, SpecError
from kozel_verify.language.names import canonical_name
from kozel_verify.language.spans import NOWHERE, Span, Word

MAX_DIGITS = 12  # of a number in a spec: wide enough for any score, narrow enough for every engine
_RUSSIAN_RANKS = {"Т": "A", "К": "K", "Д": "Q", "В": "J"}
_SUIT_LETTERS = {"s": "♠", "c": "♣", "d": "♦", "h": "♥"}


def span_of(file: str, token: Token) -> Span:
    """The place of one token."""
    return Span(file, token.line or 0, token.column or 0, token.end_line or 0, token.end_column or 0)


def canonical_rank(text: str) -> str:
    """The Latin letter of a court card or ace; numbers as they are."""
    return _RUSSIAN_RANKS.get(text, text)


def canonical_suit(text: str) -> str:
    """``♥``, with or without a variation selector, and ``h`` are ``♥``."""
    return _SUIT_LETTERS.get(text[0].lower(), text[0])


def canonical_card(token: str) -> tuple[str, str]:
    """The rank and the suit of a card's text."""
    text = token.rstrip("\ufe0e\ufe0f")
    return canonical_rank(text[:-1]), canonical_suit(text[-1])


class Base(Transformer[Token, Any]):
    """Children are built already. ``file`` goes into the spans."""

    def __init__(self, file: str) -> None:
        super().__init__()
        self.file = file

    def __default__(self, data: Any, children: list[Any], meta: Meta) -> Any:
        raise AssertionError(f"the grammar's rule {data} has no builder")  # a bug in this package

    def _at(self, meta: Meta) -> Span:
        if meta.empty:
            return NOWHERE
        return Span(self.file, meta.line, meta.column, meta.end_line, meta.end_column)

    def _word(self, token: Any) -> Word:
        return token if isinstance(token, Word) else Word(canonical_name(str(token)), span_of(self.file, token))

    def _words(self, tokens: Iterable[Any]) -> tuple[Word, ...]:
        return tuple(self._word(t) for t in tokens)

    def _maybe_word(self, token: Any) -> Word | None:
        return None if token is None else self._word(token)

    def _integer(self, token: Token) -> int:
        """The number of an ``INT``. Raises ``SpecError`` for one of absurd size."""
        if len(token) > MAX_DIGITS:
            message = f"a number has at most {MAX_DIGITS} digits, this one has {len(token)}"
            raise SpecError([Diagnostic("too-large", span_of(self.file, token), message, "write a smaller number")])
        return int(token)
