"""The deck: suits, ranks and the numbering of cards."""

from dataclasses import dataclass

SUITS = ("♠", "♣", "♦", "♥")
SUIT_LETTERS = {"♠": "S", "♣": "C", "♦": "D", "♥": "H"}


@dataclass(frozen=True, slots=True)
class Deck:
    """Suits by ranks. Card ``i`` has suit ``i // len(ranks)`` and rank ``i % len(ranks)``.

    ``suits`` are symbols of ``SUITS``, ``ranks`` are ``"6"`` … ``"10"``, ``"J"``, ``"Q"``, ``"K"``, ``"A"``.
    The deck is the universe of cards; the cards in play are ``Game.pack``, a subset.
    """

    suits: tuple[str, ...]
    ranks: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.suits) * len(self.ranks)

    def suit(self, card: int) -> int:
        return card // len(self.ranks)

    def rank(self, card: int) -> int:
        return card % len(self.ranks)

    def card(self, rank: str, suit: str) -> int:
        """The index of a card by its symbols; ``ValueError`` when the deck lacks it."""
        return self.suits.index(suit) * len(self.ranks) + self.ranks.index(rank)

    def name(self, card: int) -> str:
        """``J♥``, ``10♠``."""
        return self.ranks[self.rank(card)] + self.suits[self.suit(card)]

    def ascii_name(self, card: int) -> str:
        """``JH``, ``10S``: the spelling of engines, replays and consoles without suit symbols."""
        return self.ranks[self.rank(card)] + SUIT_LETTERS[self.suits[self.suit(card)]]
