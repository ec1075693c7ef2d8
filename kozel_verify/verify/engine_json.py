"""What an exported engine has to say about a state of the reference, as JSON.

In go the game and values, choices, views and observations of the reference interpreter; out comes what
``docs/engine-api.md`` promises for them. It shares no code with the exporter, so that both are held against the page.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from kozel_verify.interpret.state import Choice, Gathered, State
from kozel_verify.interpret.view import (
    Observed,
    SawCards,
    SawChoice,
    SawMove,
    SawValue,
    SawZone,
    Unseen,
    View,
)
from kozel_verify.model.core import Announce, Ask, Cell, CellKind, Game, Parameter, Zone
from kozel_verify.model.deck import SUIT_LETTERS
from kozel_verify.model.types import (
    BoolType,
    CardType,
    EnumType,
    OptionalType,
    RankType,
    SetType,
    SuitType,
    Type,
    Value,
    element_indices,
    members,
)


def value_json(game: Game, value: Value, type_: Type) -> Any:
    """A value as JSON."""
    match type_:
        case OptionalType(of):
            return None if value is None else value_json(game, value, of)
        case BoolType():
            return bool(value)
        case SetType(of):
            assert isinstance(value, int)
            return [value_json(game, element, of) for element in members(value)]
        case _:
            assert isinstance(value, int)
            return _element_json(game, value, type_)


def _element_json(game: Game, value: int, type_: Type) -> Any:
    match type_:
        case CardType():
            return game.deck.ascii_name(value)
        case SuitType():
            return SUIT_LETTERS[game.deck.suits[value]]
        case RankType():
            return game.deck.ranks[value]
        case EnumType(_, items):
            return items[value]
        case _:
            return value


def cards_json(game: Game, cards: int) -> list[str]:
    return [game.deck.ascii_name(card) for card in members(cards)]


def labels(game: Game, items: Iterable[Cell | Zone]) -> dict[int, str]:
    """The label of each slot of some cells or zones."""
    found: dict[int, str] = {}
    for item in items:
        if item.index is None:
            found[item.base] = item.name
        else:
            for k, element in enumerate(element_indices(item.index)):
                found[item.base + k] = f"{item.name}[{value_json(game, element, item.index)}]"
    return found


def action_keys(parameters: tuple[Parameter, ...]) -> list[str]:
    """``cards``, ``card`` for the first of each kind, else the parameter's name."""
    keys: list[str] = []
    for parameter in parameters:
        usual = {"Cards": "cards", "Card": "card"}.get(str(parameter.type), parameter.name)
        keys.append(parameter.name if usual in keys else usual)
    return keys


def action_json(game: Game, ask: Ask, choice: Choice) -> dict[str, Any]:
    verb = ask.verbs[choice.verb]
    action: dict[str, Any] = {"type": verb.name}
    for key, parameter, argument in zip(action_keys(verb.parameters), verb.parameters, choice.arguments, strict=True):
        action[key] = value_json(game, argument, parameter.type)
    return action


class Expected:
    """The observations that an engine has to give, for one game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.cells = labels(game, game.cells.values())
        self.zones = labels(game, game.zones.values())
        self.told = {(e.label, e.value.type) for b in game.blocks for e in b.effects if isinstance(e, Announce)}

    def hidden_cells(self, known: Iterable[str], state: State) -> Iterator[tuple[str, Value]]:
        """The cells that an engine does not keep, with their values."""
        kept = set(known)
        yield from ((label, state.cells[slot]) for slot, label in self.cells.items() if label not in kept)

    def seen_cells(self, view: View, known: Iterable[str]) -> dict[str, Any]:
        """The visible cells among those that an engine keeps and that are in use at the node."""
        kept, found = set(known), dict[str, Any]()
        for name, shades in view.cells:
            cell = self.game.cells[name]
            if cell.kind is not CellKind.DECLARED and name not in self.game.live[view.node]:
                continue
            for k, shade in enumerate(shades):
                label = self.cells[cell.base + k]
                if label in kept and not isinstance(shade, Unseen):
                    found[label] = value_json(self.game, shade, cell.type)
        return found

    def seen_zones(self, view: View) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for slot, (size, cards) in enumerate(zip(view.sizes, view.contents, strict=True)):
            faces = {} if isinstance(cards, Unseen) else {"cards": cards_json(self.game, cards)}
            found[self.zones[slot]] = {"size": size, **faces}
        return found

    def event(self, event: Observed, seat: int) -> dict[str, Any]:
        """What a seat learns, as JSON."""
        match event:
            case SawChoice():
                return self._choice(event, seat)
            case SawMove(count, source, target, drawn, cards):
                ends = {"from": self.zones[source], "to": self.zones[target], "count": count}
                faces = {} if isinstance(cards, Unseen) else {"cards": cards_json(self.game, cards)}
                return {"type": "draw" if drawn else "move", **ends, **faces}
            case SawCards(cards):
                return {"type": "show", "cards": cards_json(self.game, cards)}
            case SawZone(zone, cards):
                return {"type": "uncover", "zone": self.zones[zone], "cards": cards_json(self.game, cards)}
            case SawValue(label, value):
                type_ = next(type_ for told, type_ in self.told if told == label)
                return {"type": "announce", "label": label, "value": value_json(self.game, value, type_)}
            case Gathered(target):
                return {"type": "gather", "to": self.zones[target]}

    def _choice(self, event: SawChoice, seat: int) -> dict[str, Any]:
        ask = self.game.nodes[event.node]
        assert isinstance(ask, Ask)
        told: dict[str, Any] = {"type": "choice", "at": ask.name, "seat": event.seat}
        if event.verb is not None:
            verb = ask.verbs[event.verb]
            told["action"] = {"type": verb.name}
            keys = action_keys(verb.parameters)
            for key, parameter, shade in zip(keys, verb.parameters, event.arguments, strict=True):
                if not isinstance(shade, Unseen):
                    told["action"][key] = value_json(self.game, shade, parameter.type)
        return told
