"""The documented failures of play. Each is a fault of a spec, or of what a caller asked for; none is a bug here."""

from enum import Enum

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.operators import Undefined


def placed(span: Span, message: str) -> str:
    """The message with its place in front, where there is one."""
    return message if span == NOWHERE else f"{span}: {message}"


class NotWellDefined(Undefined):
    """A rule has no meaning in this state: a partial operation without a value, a value that its cell cannot hold, a
    move of a card that is not there, a draw from nothing. ``span`` is the smallest clause known."""

    def __init__(self, span: Span, message: str) -> None:
        self.span = span
        self.message = message
        super().__init__(placed(span, message))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.span, self.message)


class ReachedDead(Exception):
    """Play has come to a clause that the spec calls dead."""

    def __init__(self, name: str, span: Span) -> None:
        self.name = name
        self.span = span
        super().__init__(placed(span, f"reached the dead clause `{name}`"))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.name, self.span)


class Reason(Enum):
    """Why an outcome is not legal."""

    KIND = "kind"  # an answer where chance moves, a card where a seat is asked, …
    VERB = "verb"  # there is no such verb, or not with so many arguments
    DOMAIN = "domain"  # an argument lies outside of what may be chosen from
    BOUNDS = "bounds"  # too few or too many elements
    GUARD = "guard"  # the verb's condition does not hold


class IllegalChoice(Exception):
    """An outcome was refused, and nothing has changed. ``span`` is that of the verb, parameter or node refusing."""

    def __init__(self, reason: Reason, span: Span, message: str) -> None:
        self.reason = reason
        self.span = span
        self.message = message
        super().__init__(placed(span, message))

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.reason, self.span, self.message)


class BadOptions(ValueError):
    """Options that the game does not have, values outside their domains, or a constraint that does not hold."""


class BadDeck(ValueError):
    """A given deck is not an order of the cards in the pack."""
