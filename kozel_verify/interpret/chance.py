"""Dealing: random numbers, shuffles, and which card a draw takes.

Everything here is written down so that an engine in another language deals the same cards from the same seed.

**Generator** (splitmix64). The state is one number of 64 bits, at first the seed. All arithmetic is modulo 2^64::

    next():   state := state + 0x9E3779B97F4A7C15;  z := state
              z := (z xor (z >> 30)) * 0xBF58476D1CE4E5B9
              z := (z xor (z >> 27)) * 0x94D049BB133111EB
              return z xor (z >> 31)

    below(n): limit := 2^64 - (2^64 mod n)
              repeat x := next() until x < limit;  return x mod n

``below(1)`` uses up one number as well, but no shuffle asks for it. Dealing uses a generator that starts at the seed.
Choices use a second one, which starts at the first number of a generator that starts at ``seed xor
0x6A09E667F3BCC908``; so the deals of a seed do not depend on what is chosen in between, where the rules do not.

**Shuffle** (Fisher-Yates from the end) of a list ``a`` of ``n``: for ``i`` from ``n - 1`` down to ``1`` let ``j :=
below(i + 1)`` and exchange ``a[i]`` and ``a[j]``.

**Order.** The dealing keeps an order of all cards of the pack. In the beginning it is the given deck, or else a shuffle
of the pack in ascending order. It follows the events of play, in their order, those before the first node included:

* all cards gathered: the order becomes a new shuffle of the pack in ascending order; but when a deck was given, the
  first gathering leaves it as it is;
* cards moved or drawn into a slot of a zone that some draw of the game takes from: the cards that now lie in that slot,
  in ascending order, are shuffled and put on the positions of the order that they occupy, first to first.

**Draw.** The earliest card of the order that lies in the source. So a given deck is dealt from its first card on, and
the cards of a zone come in a uniformly random order of which no state holds a trace.
"""

from collections.abc import Callable, Iterable, Sequence

from kozel_verify.interpret.errors import BadDeck
from kozel_verify.interpret.state import Event, Gathered, Moved
from kozel_verify.interpret.visibility import indices
from kozel_verify.model.core import Draw, Game
from kozel_verify.model.types import members

WORD = 1 << 64
CHOICES = 0x6A09E667F3BCC908


class Generator:
    """splitmix64. ``seed`` is in ``0 .. 2**64 - 1``, else ``ValueError``."""

    __slots__ = ("state",)

    def __init__(self, seed: int) -> None:
        if not 0 <= seed < WORD:
            raise ValueError(f"a seed is from 0 to {WORD - 1}, not {seed}")
        self.state = seed

    def next(self) -> int:
        """A uniform number below 2**64."""
        self.state = (self.state + 0x9E3779B97F4A7C15) % WORD
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % WORD
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        """A uniform number below ``n``, for ``n`` from 1 to 2**64."""
        limit = WORD - WORD % n
        x = self.next()
        while x >= limit:
            x = self.next()
        return x % n


def choice_generator(seed: int) -> Generator:
    """The second stream of a seed, for choices."""
    return Generator(Generator(seed ^ CHOICES).next())


def shuffled(items: Iterable[int], below: Callable[[int], int]) -> list[int]:
    """A random order of the items, each order the same chance when ``below(n)`` is uniform below ``n``."""
    a = list(items)
    for i in range(len(a) - 1, 0, -1):
        j = below(i + 1)
        a[i], a[j] = a[j], a[i]
    return a


class DeckChance:
    """The order in which cards come off, followed through a play. Only draws and events reach it, never a state."""

    def __init__(self, game: Game, generator: Generator, deck: Sequence[int] | None = None) -> None:
        """``deck`` is an order of the cards of the pack, else ``BadDeck``. Cards begin in zone slot 0."""
        self._generator = generator
        self._pack = list(members(game.pack))
        if deck is not None and sorted(deck) != self._pack:
            raise BadDeck(f"a deck names each of the {len(self._pack)} cards of the pack once")
        self._keep = deck is not None
        self.order = shuffled(self._pack, generator.below) if deck is None else list(deck)
        self._place = dict.fromkeys(self._pack, 0)
        names = {node.source.zone for node in game.nodes if isinstance(node, Draw)}
        zones = [zone for zone in game.zones.values() if zone.name in names]
        self._sources = frozenset(zone.base + k for zone in zones for k in range(len(indices(zone.index))))

    def draw(self, slot: int) -> int:
        """The card that a draw from this zone slot takes. ``ValueError`` when nothing lies there."""
        for card in self.order:
            if self._place[card] == slot:
                return card
        raise ValueError(f"nothing to draw from zone slot {slot}")

    def follow(self, events: Iterable[Event]) -> None:
        """Take in what has happened on an edge. Each edge must be followed once, the opening included."""
        for event in events:
            match event:
                case Gathered(target):
                    self._place = dict.fromkeys(self._pack, target)
                    if not self._keep:
                        self.order = shuffled(self._pack, self._generator.below)
                    self._keep = False
                case Moved(cards=cards, target=target):
                    for card in members(cards):
                        self._place[card] = target
                    if target in self._sources:
                        self._mix(target)
                case _:
                    pass

    def _mix(self, slot: int) -> None:
        """Shuffle the cards of a slot among the positions that they have in the order."""
        positions = [n for n, card in enumerate(self.order) if self._place[card] == slot]
        cards = sorted(self.order[n] for n in positions)
        for position, card in zip(positions, shuffled(cards, self._generator.below), strict=True):
            self.order[position] = card
