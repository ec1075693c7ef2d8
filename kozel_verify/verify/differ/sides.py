"""The two sides of a comparison, and what of one corresponds to what of the other.

In go two loaded specs with the options that are settled on each; out come pairs of option values to compare under, the
cells that both have, and a common form of values. Everything is matched by name: cells, zones, nodes, verbs, options,
items of enumerations. Cells that nobody declared (variables of loops, arguments) are no part of what is compared.
"""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from kozel_verify.interpret.text import value_text
from kozel_verify.interpret.visibility import indices
from kozel_verify.language.diagnostics import SpecError
from kozel_verify.model.core import CellKind, Const, Game, OptionDecl, Visibility
from kozel_verify.model.load import Spec
from kozel_verify.model.types import (
    BoolType,
    EnumType,
    NatType,
    OptionalType,
    RangeType,
    SetType,
    Type,
    Value,
    is_value,
    members,
)
from kozel_verify.symbolic.cases import Known
from kozel_verify.verify.option_sets import allows, defaults

Options = dict[str, Value]
Key = tuple[str, str]  # name of a cell or zone, and the text of the index ("": no family)


@dataclass(frozen=True)
class Side:
    """A spec as one side. ``fixed``: options that are settled here; the others stand at their defaults, or vary on
    both sides alike."""

    spec: Spec
    fixed: Mapping[str, Value] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        return self.spec.game

    def on(self, pack: str) -> Game | None:
        """The game on a smaller pack (``""``: the full one); ``None`` where the rules do not fit it."""
        if not pack:
            return self.spec.game
        if pack not in self._small:
            try:
                self._small[pack] = self.spec.small(pack)
            except SpecError:
                self._small[pack] = None
        return self._small[pack]

    @cached_property
    def _small(self) -> dict[str, Game | None]:
        return {}

    @cached_property
    def known(self) -> dict[Hashable, Known]:
        """What has been proved of this side, by what it was proved under."""
        return {}


def packs(a: Side, b: Side) -> tuple[str, ...]:
    """The smaller packs that both sides have, with the same cards and seats."""
    found = []
    for pack in a.spec.packs:
        if pack in b.spec.packs:
            x, y = a.on(pack), b.on(pack)
            if x is not None and y is not None and apart_before_play(x, y) is None:
                found.append(pack)
    return tuple(found)


def apart_before_play(a: Game, b: Game) -> str | None:
    """Why two games cannot be played side by side at all, or ``None``."""
    if a.deck != b.deck:
        return "they are played with different decks"
    if a.seats != b.seats:
        return f"A has {a.seats} seats, B has {b.seats}"
    return "they are played with different cards" if a.pack != b.pack else None


# --- values ----------------------------------------------------------------------------------------------------------


def common(value: Value, type_: Type) -> Hashable:
    """A form of a value that does not depend on how a game numbers things: items of enumerations by name."""
    match type_:
        case OptionalType(of):
            return None if value is None else common(value, of)
        case BoolType():
            return "true" if value else "false"
        case EnumType(_, items):
            return ("item", items[int(value or 0)])
        case SetType(EnumType(_, items)):
            return frozenset(items[e] for e in members(int(value or 0)))
        case _:
            return value


def converted(value: Value, own: Type, other: Type) -> Value:
    """The value of another game's type that is the same in the common form. Raises ``KeyError`` when there is none."""
    if own == other:
        return value
    match own, other:
        case OptionalType(of), OptionalType(of_other):
            return None if value is None else converted(value, of, of_other)
        case EnumType(_, items), EnumType(_, names) if items[int(value or 0)] in names:
            return names.index(items[int(value or 0)])
        case SetType(EnumType() as of), SetType(EnumType() as of_other):
            return sum(1 << int(converted(e, of, of_other) or 0) for e in members(int(value or 0)))
        case (RangeType() | NatType(), RangeType() | NatType()) if is_value(value, other):
            return value
        case _:
            raise KeyError(f"no such `{other}`")


# --- cells and zones --------------------------------------------------------------------------------------------------


def cell_keys(game: Game) -> dict[Key, int]:
    """The slots of the cells that the spec declares."""
    return {
        (cell.name, "" if cell.index is None else value_text(game, index, cell.index)): cell.base + n
        for cell in game.cells.values()
        if cell.kind is CellKind.DECLARED
        for n, index in enumerate(indices(cell.index))
    }


def zone_keys(game: Game) -> dict[Key, int]:
    return {
        (zone.name, "" if zone.index is None else value_text(game, index, zone.index)): zone.base + n
        for zone in game.zones.values()
        for n, index in enumerate(indices(zone.index))
    }


def shared_cells(a: Game, b: Game) -> tuple[Key, ...]:
    """What both keep a cell for."""
    return tuple(key for key in cell_keys(a) if key in cell_keys(b))


def for_nobody(seen: Visibility) -> bool:
    return isinstance(seen.seats, Const) and not seen.seats.value


def shown_by_one(a: Game, b: Game) -> list[str]:
    """Cells that somebody sees in one game and that the other does not have: ``A alone keeps `x```."""
    lines = []
    for label, game, other in (("A", a, b), ("B", b, a)):
        lacking = {name for name, _ in cell_keys(game)} - {name for name, _ in cell_keys(other)}
        seen = [c.name for c in game.cells.values() if c.name in lacking and not for_nobody(c.seen)]
        lines += [f"{label} alone keeps `{name}`, which can be seen" for name in seen]
    return lines


# --- options ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Setting:
    """Values for all options of each side. ``name``: what is set otherwise than by default or by the user."""

    a: Options
    b: Options
    name: str = ""


def free_options(a: Game, b: Game, fixed: tuple[Mapping[str, Value], Mapping[str, Value]]) -> list[OptionDecl]:
    """The options that vary on both sides alike: both have them with the same values, and neither settles them."""
    return [
        option
        for name, option in a.options.items()
        if name in b.options
        and name not in fixed[0]
        and name not in fixed[1]
        and _domain(option) == _domain(b.options[name])
    ]


def _domain(option: OptionDecl) -> frozenset[Hashable]:
    return frozenset(common(v, option.type) for v in option.values)


def _has(game: Game, values: Mapping[str, Value]) -> bool:
    return all(name in game.options and value in game.options[name].values for name, value in values.items())


def settings(a: Game, b: Game, fixed: tuple[Mapping[str, Value], Mapping[str, Value]]) -> Iterator[Setting]:
    """Each side as it stands; then, for each free option, each other value of it on both sides. Nothing where a
    settled value is none of the game's (on a smaller table, say)."""
    if any(
        v not in game.options[n].values for game, values in zip((a, b), fixed, strict=True) for n, v in values.items()
    ):
        return
    own = defaults(a) | dict(fixed[0]), defaults(b) | dict(fixed[1])
    if allows(a, own[0]) and allows(b, own[1]):
        yield Setting(*own)
    for option in free_options(a, b, fixed):
        theirs = b.options[option.name]
        same = common(option.default, option.type) == common(theirs.default, theirs.type)
        for value in option.values:
            if same and value == option.default:
                continue
            pair = own[0] | {option.name: value}, own[1] | {option.name: converted(value, option.type, theirs.type)}
            if allows(a, pair[0]) and allows(b, pair[1]):
                yield Setting(*pair, f"{option.name} = {value_text(a, value, option.type)}")
