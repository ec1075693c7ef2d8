"""The combinations of options that the constraints of a game allow, the defaults first.

A table that may agree on thirty things has more combinations than anybody can list. Only the options that constraints
speak of are combined one by one; all others are free, so a combination is made from its number when it is asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import gcd, prod
from sys import maxsize
from typing import overload

from kozel_verify.interpret.errors import BadOptions
from kozel_verify.interpret.play import Interpreter
from kozel_verify.model.core import Game
from kozel_verify.model.graph import options_read
from kozel_verify.model.types import Value

Options = dict[str, Value]
LISTED = 20_000  # so many combinations are listed in the order of the declarations


def option_sets(game: Game) -> Sequence[Options]:
    """All allowed combinations, the defaults first (which every game allows)."""
    if prod(len(o.values) for o in game.options.values()) > LISTED:
        return OptionSets(game, {})
    domains = [o.values for o in game.options.values()]
    combinations = (dict(zip(game.options, chosen, strict=True)) for chosen in product(*domains))
    default = defaults(game)
    return sorted((o for o in combinations if allows(game, o)), key=lambda options: options != default)


def defaults(game: Game) -> Options:
    return {name: option.default for name, option in game.options.items()}


def allows(game: Game, options: Options) -> bool:
    """Do the game's constraints hold?"""
    try:
        Interpreter(game, options)
    except BadOptions:
        return False
    return True


def possible(game: Game) -> set[tuple[str, Value]]:
    """The values of options, each with its name, but for those that no allowed combination has."""
    many = OptionSets(game, {})
    free = {(name, value) for name in many.free for value in game.options[name].values}
    return free | {item for row in many.rows for item in row.items()}


@dataclass(frozen=True)
class OptionSets(Sequence[Options]):
    """The allowed combinations with some values fixed, none of them listed. The first has as many defaults as may be;
    neighbours differ in many options. (Beyond what Python can count of a sequence, the rest is left out.)"""

    game: Game
    fixed: Mapping[str, Value]

    @cached_property
    def bound(self) -> tuple[str, ...]:
        """The options of which constraints speak."""
        game = self.game
        read = {name for constraint in game.constraints for name in options_read(constraint, game.functions)}
        return tuple(n for n in self.game.options if n in read)

    @cached_property
    def free(self) -> tuple[str, ...]:
        return tuple(n for n in self.game.options if n not in self.bound)

    def _domain(self, name: str) -> tuple[Value, ...]:
        """The values of an option, its default first."""
        option = self.game.options[name]
        if name in self.fixed:
            return (self.fixed[name],)
        return (option.default, *(v for v in option.values if v != option.default))

    @cached_property
    def rows(self) -> tuple[Options, ...]:
        """The allowed combinations of the options of which constraints speak."""
        default = defaults(self.game)
        chosen = (dict(zip(self.bound, row, strict=True)) for row in product(*map(self._domain, self.bound)))
        return tuple(row for row in chosen if allows(self.game, {**default, **row}))

    @cached_property
    def _size(self) -> int:
        return min(maxsize, len(self.rows) * prod(len(self._domain(n)) for n in self.free))

    @cached_property
    def _stride(self) -> int:
        """A number without a common factor, near the golden section of the size: so neighbours lie far apart."""
        return next(n for n in range(max(1, self._size * 618 // 1000), self._size + 2) if gcd(n, self._size) == 1)

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, index: int) -> Options: ...
    @overload
    def __getitem__(self, index: slice) -> list[Options]: ...
    def __getitem__(self, index: int | slice) -> Options | list[Options]:
        if isinstance(index, slice):
            return [self[n] for n in range(*index.indices(self._size))]
        if not 0 <= index < self._size:
            raise IndexError(index)
        rest, row = divmod(index * self._stride % self._size, len(self.rows))
        chosen = dict(self.rows[row])
        for name in self.free:
            rest, place = divmod(rest, len(self._domain(name)))
            chosen[name] = self._domain(name)[place]
        return {name: chosen[name] for name in self.game.options}

    def __iter__(self) -> Iterator[Options]:
        return (self[n] for n in range(self._size))
