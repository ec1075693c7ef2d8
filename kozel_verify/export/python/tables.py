"""The names that an exported module fills with the data and functions of its game, with their types.

The runtime is written against these; here they hold a game without anything. Nothing of this file is copied.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Event = tuple[int, ...]
Kind = tuple[Any, ...]  # ("names", names) | ("number", lo, hi or None) | ("bool",) | ("set", Kind) | ("optional", Kind)
Options = tuple[int, ...]
Table = Callable[[Sequence[int], Sequence[int], Options], int]  # of cells, zones, options
Parameters = tuple[tuple[str, Kind, bool], ...]  # key, kind, does it name cards

SPEC: dict[str, Any] = {"hash": ""}
SEATS = 0
CARDS: tuple[str, ...] = ()
PACK = 0
CARD: Kind = ("names", CARDS)
HAND: Kind = ("set", CARD)
OPTIONS: tuple[tuple[str, Kind, tuple[int, ...], int], ...] = ()
CELL_LABELS: tuple[str, ...] = ()
CELL_KINDS: tuple[Kind, ...] = ()
INITIAL_CELLS: tuple[int, ...] = ()
ZONE_LABELS: tuple[str, ...] = ()
SOURCES = 0
NODE_NAMES: tuple[str, ...] = ()
NODE_KINDS: tuple[int, ...] = ()
DEAL_END = -1
IDLE_CELLS: tuple[tuple[int, ...], ...] = ()
SECRET_NODES: frozenset[int] = frozenset()
TOLD_MENUS: frozenset[int] = frozenset()
VERBS: Mapping[int, Mapping[str, tuple[int, Parameters]]] = {}
VERB_NAMES: Mapping[int, tuple[tuple[str, Parameters], ...]] = {}
ANNOUNCEMENTS: tuple[tuple[str, Kind], ...] = ()
RULES: tuple[str, ...] = ()
NODE_RULES: tuple[int, ...] = ()
ASKED: Mapping[int, Table] = {}
MENUS: Mapping[int, Callable[[Sequence[int], Sequence[int], Options], list[tuple[int, ...]]]] = {}
EDGES: Mapping[int, tuple[Callable[..., int], ...]] = {}
REASONS: Mapping[int, tuple[Callable[..., tuple[str, int]], ...]] = {}
DRAWN_FROM: Mapping[int, Table] = {}
DRAWS: Mapping[int, Callable[..., int]] = {}
SPEC_FUNCTIONS: Mapping[str, tuple[Callable[..., int], tuple[str, ...], tuple[str, ...], bool, bool]] = {}
RESTS: Mapping[int, Callable[..., int]] = {}


def begin(c: list[int], z: list[int], o: Options, e: list[Event]) -> int:
    """Run from the beginning of a match to the first node."""
    raise NotImplementedError


def zone_viewers(c: Sequence[int], o: Options) -> tuple[int, ...]:
    """For each zone slot the set of seats that see its cards."""
    raise NotImplementedError


def cell_viewers(c: Sequence[int], o: Options) -> tuple[int, ...]:
    """For each cell slot the set of seats that see its value."""
    raise NotImplementedError


def broken_constraint(o: Options) -> int:
    """The rule that the options break, or -1."""
    raise NotImplementedError


def outcome_of(c: Sequence[int], z: Sequence[int], o: Options, seat: int) -> int:
    """0 lost, 1 neither, 2 won."""
    raise NotImplementedError


def gain_of(c: Sequence[int], z: Sequence[int], o: Options, seat: int) -> int:
    raise NotImplementedError


def loss_of(c: Sequence[int], z: Sequence[int], o: Options, seat: int) -> int:
    raise NotImplementedError
