"""A run printed as a ``scenario`` block that can be pasted into a spec, and values as the spec language writes them.

In go a run that the interpreter can replay; out comes text. The cards are given as a ``deck`` line when dealing that
deck makes the same draws without any chance; else each draw is a step of its own.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence

from kozel_verify.interpret.chance import DeckChance, Generator
from kozel_verify.interpret.errors import IllegalChoice
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, replay
from kozel_verify.interpret.state import Chance, Choice, Outcome
from kozel_verify.interpret.text import member_text, value_text
from kozel_verify.model.core import Ask, Draw, Game
from kozel_verify.model.types import (
    BoolType,
    CardType,
    EnumType,
    NatType,
    OptionalType,
    RangeType,
    RankType,
    SeatType,
    SetType,
    SuitType,
    Type,
    Value,
    element_indices,
    members,
)


def literal(game: Game, value: Value, type_: Type) -> str:
    """A value as a spec writes it: ``J♥``, ``{8♥, J♥}``, ``seat 1``, ``an_item``, ``3``, ``true``, ``none``.

    Raises ``ValueError`` when ``value`` is ``None`` and the type is not optional.
    """
    if isinstance(type_, OptionalType):
        return "none" if value is None else literal(game, value, type_.of)
    if value is None:
        raise ValueError(f"`none` is not a `{type_}`")
    match type_:
        case BoolType():
            return "true" if value else "false"
        case SetType(of):
            return "{" + ", ".join(literal(game, element, of) for element in members(int(value))) + "}"
        case CardType():
            return game.deck.name(int(value))
        case SuitType():
            return game.deck.suits[int(value)]
        case RankType():
            return game.deck.ranks[int(value)]
        case SeatType():
            return f"seat {int(value) + 1}"
        case EnumType(_, items):
            return items[int(value)]
        case RangeType() | NatType():
            return str(int(value))


def cells_text(game: Game, cells: Mapping[tuple[str, int], Value]) -> list[str]:
    """Values of cells, each by its name and its place in its family."""
    texts = []
    for (name, position), value in cells.items():
        cell = game.cells[name]
        index = None if cell.index is None else element_indices(cell.index)[position]
        texts.append(f"{member_text(game, cell, index)} = {value_text(game, value, cell.type)}")
    return texts


def call_text(game: Game, function: str, arguments: Sequence[Value]) -> str:
    """A call with literal arguments: ``name({Q♥}, {J♥})``."""
    parameters = game.functions[function].parameters
    return f"{function}({', '.join(literal(game, a, p.type) for a, p in zip(arguments, parameters, strict=True))})"


def scenario_text(
    game: Game,
    options: Mapping[str, Value],
    run: Sequence[Outcome],
    *,
    title: str,
    expect: Sequence[str] = (),
    last: str = "",
    named: Collection[str] = (),
    draws: bool = False,
) -> str:
    """The block. Only options that differ from their defaults or are ``named`` are written; ``last`` is a step behind
    the run as text, ``expect`` holds expressions as text. A smaller pack is named in a comment: there its scenario can
    be replayed, not on the full pack. With ``draws`` each draw is written, also where a deck would decide it.

    ``run`` may end with the step in which the rules fail. Raises ``ValueError`` when it is not legal before that, or
    for a title with a quotation mark or line break.
    """
    if '"' in title or "\n" in title:
        raise ValueError("a title has no quotation marks and is one line")
    interpreter = Interpreter(game, options)
    play = replay(interpreter, run)
    if isinstance(play.error, IllegalChoice):
        raise ValueError(f"step {len(play.steps) + 1} of the run is not legal: {play.error}")
    deck = None if draws else stacked_deck(interpreter, play)
    lines = [f'scenario "{title}" {{']
    if game.pack_name:
        lines.append(f"  # on the pack `{game.pack_name}`")
    for option in game.options.values():
        value = interpreter.options[option.name]
        if value != option.default or option.name in named:
            lines.append(f"  option {option.name} = {literal(game, value, option.type)}")
    if deck is not None:
        lines.append("  deck " + " ".join(game.deck.name(card) for card in deck))
    lines += [f"  {line}" for line in _steps(interpreter, play, deck is None)]
    lines += [f"  {last}"] if last else []
    lines += [f"  expect {text}" for text in expect]
    return "\n".join([*lines, "}"]) + "\n"


def _steps(interpreter: Interpreter, play: Play, draws: bool) -> Iterator[str]:
    outcomes = play.outcomes if play.failed is None else (*play.outcomes, play.failed)
    for state, outcome in zip(play.states, outcomes, strict=False):
        match outcome:
            case Choice(verb, arguments):
                node = interpreter.node(state)
                assert isinstance(node, Ask)
                chosen = node.verbs[verb]
                pairs = zip(arguments, chosen.parameters, strict=True)
                inside = ", ".join(literal(interpreter.game, a, p.type) for a, p in pairs)
                seat = interpreter.owner(state)
                assert seat is not None
                yield f"seat {seat + 1} : {chosen.name}" + (f"({inside})" if inside else "")
            case Chance(card) if draws:
                yield f"draw {interpreter.game.deck.name(card)}"
            case _:
                pass


class _NoChance(Generator):
    """Stands for the generator where nothing may be left to chance."""

    def next(self) -> int:
        raise _Needed


class _Needed(Exception):
    """Something was left to chance."""


def stacked_deck(interpreter: Interpreter, play: Play) -> tuple[int, ...] | None:
    """The order of the whole pack that makes exactly the draws of ``play``; ``None`` when no order alone does (a card
    is drawn twice, or cards go back and are mixed). Cards never drawn stand last, ascending."""
    drawn = [o.card for o in (*play.outcomes, play.failed) if isinstance(o, Chance)]
    if len(set(drawn)) != len(drawn):
        return None
    deck = (*drawn, *(card for card in members(interpreter.game.pack) if card not in drawn))
    chance = DeckChance(interpreter.game, _NoChance(0), deck)
    try:
        chance.follow(play.opening)
        for step in play.steps:
            node = interpreter.node(step.before)
            if isinstance(node, Draw):
                slot = interpreter.zone_slot(step.before, node.source, node.span)
                if Chance(chance.draw(slot)) != step.outcome:
                    return None
            chance.follow(step.events)
    except _Needed:
        return None
    return deck
