"""Plays told to card players, in English or Russian.

In go a game and what happened: states, events, whole records; or what one seat sees of them. Out come lines of text.
Names of zones, cells, verbs and nodes are the words of ``Game.terms`` where it has them. Cards are written in the order
of the deck, zones and cells in the order of the spec.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

from kozel_verify.interpret.evaluate import contents
from kozel_verify.interpret.phrases import PHRASES
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, Played, Stop
from kozel_verify.interpret.state import (
    Announced,
    Choice,
    Chosen,
    Event,
    Gathered,
    Moved,
    Outcome,
    Shown,
    State,
    Uncovered,
)
from kozel_verify.interpret.text import choice_text, set_text, value_text, word
from kozel_verify.interpret.view import (
    UNSEEN,
    Observed,
    SawCards,
    SawChoice,
    SawMove,
    SawValue,
    SawZone,
    Unseen,
    View,
)
from kozel_verify.interpret.visibility import cell_slots, zone_slots
from kozel_verify.model.core import Announce, Ask, Cell, CellKind, End, Game, Zone
from kozel_verify.model.types import SeatType, Type, Value, members

Language = Literal["en", "ru"]


class Narrator:
    """Tells plays of one game in one language; ``ascii`` writes suits as letters and arrows as ``->``."""

    def __init__(self, game: Game, language: Language = "en", ascii: bool = False) -> None:
        self.game = game
        self.language = language
        self.ascii = ascii
        self._say = PHRASES[language]
        self._zones = zone_slots(game)
        self._cells = cell_slots(game)
        self._labels = _announced_types(game)

    # --- single things -------------------------------------------------------------------------------------------

    def value(self, value: Value, type_: Type) -> str:
        return value_text(self.game, value, type_, ascii=self.ascii, language=self.language)

    def cards(self, mask: int) -> str:
        return set_text(self.game, mask, ascii=self.ascii, language=self.language)

    def card(self, card: int) -> str:
        return self.cards(1 << card)

    def seat(self, seat: int) -> str:
        """``seat 1``, ``место 1``: seats count from 1 for people."""
        return self.value(seat, SeatType(self.game.seats))

    def seats(self, mask: int) -> str:
        """A set of seats: ``all``, ``nobody``, ``seat 1, seat 3``."""
        if mask == (1 << self.game.seats) - 1:
            return self._say.everybody
        return ", ".join(self.seat(seat) for seat in members(mask)) or self._say.nobody

    def choice(self, ask: Ask, choice: Choice) -> str:
        """A choice in the game's words; ``parse_choice`` reads it back."""
        return choice_text(self.game, ask, choice, ascii=self.ascii, language=self.language)

    def name(self, name: str) -> str:
        """What players call a name of the spec, or the name with spaces; of a path (``deal.lead``) the last part."""
        last = name if name in self.game.terms else name.rpartition(".")[2]
        return word(self.game, last, self.language) if last in self.game.terms else last.replace("_", " ")

    def _member(self, item: Zone | Cell, index: Value) -> str:
        if item.index is None:
            return self.name(item.name)
        return self._say.family.format(name=self.name(item.name), member=self.value(index, item.index))

    def zone(self, slot: int) -> str:
        return self._member(*self._zones[slot])

    # --- states --------------------------------------------------------------------------------------------------

    def render_state(self, state: State, hidden: bool = False) -> list[str]:
        """The whole table: every zone with cards, then the cells of the spec.

        ``hidden`` adds the cells that the rules keep for themselves, where they matter at this node.
        """
        lines = []
        for slot in range(len(self._zones)):
            cards = contents(state, slot)
            if cards:
                lines.append(f"{self.zone(slot)}: {self.cards(cards)}")
        for slot, (cell, index) in enumerate(self._cells):
            if cell.kind is CellKind.DECLARED or (hidden and cell.name in self.game.live[state.node]):
                lines.append(f"{self._member(cell, index)}: {self.value(state.cells[slot], cell.type)}")
        return lines

    def render_view(self, view: View) -> list[str]:
        """What one seat sees: its zones, the numbers of cards in the others, and the cells of the spec it may see."""
        lines = [self._say.you.format(seat=self.seat(view.seat))]
        for slot, count in enumerate(view.sizes):
            if count:
                lines.append(f"{self.zone(slot)}: {self._faces(view.contents[slot], count)}")
        for name, shades in view.cells:
            cell = self.game.cells[name]
            if cell.kind is CellKind.DECLARED:
                for k, shade in enumerate(shades):
                    if shade is not UNSEEN:
                        where = self._member(*self._cells[cell.base + k])
                        lines.append(f"{where}: {self._shade(shade, cell.type)}")
        if view.owner is not None:
            node = self.name(self.game.nodes[view.node].name)
            lines.append(self._say.waiting.format(seat=self.seat(view.owner), node=node))
        return lines

    def _faces(self, cards: int | Unseen, count: int) -> str:
        return self._say.unseen.format(count=count) if isinstance(cards, Unseen) else self.cards(cards)

    def _shade(self, shade: Value | Unseen, type_: Type) -> str:
        return UNSEEN.value if isinstance(shade, Unseen) else self.value(shade, type_)

    # --- events --------------------------------------------------------------------------------------------------

    def event(self, event: Event) -> str:
        """One event as somebody who sees everything would tell it."""
        match event:
            case Chosen(node, seat, verb, arguments):
                return f"{self.seat(seat)}: {self.choice(self._ask(node), Choice(verb, arguments))}"
            case Moved(cards, source, target, seen_by, drawn):
                return f"{self._moved(self.cards(cards), source, target, drawn)}, {self._seen_by(seen_by)}"
            case Gathered(target):
                return self._say.gathered.format(zone=self.zone(target))
            case Shown(cards, seen_by):
                return self._say.shown.format(seats=self.seats(seen_by), cards=self.cards(cards))
            case Announced(label, value, seen_by):
                return self._told(seen_by, label, value)
            case Uncovered(zone, cards, seen_by):
                seats = self.seats(seen_by)
                return self._say.uncovered.format(seats=seats, zone=self.zone(zone), cards=self.cards(cards))

    def observed(self, observed: Observed, seat: int) -> str:
        """One thing that ``seat`` has learned, with nothing that it has not."""
        match observed:
            case SawChoice():
                return self._saw_choice(observed)
            case SawMove(count, source, target, drawn, cards):
                return self._moved(self._faces(cards, count), source, target, drawn)
            case SawCards(cards):
                return self._say.shown.format(seats=self.seat(seat), cards=self.cards(cards))
            case SawZone(zone, cards):
                seats = self.seat(seat)
                return self._say.uncovered.format(seats=seats, zone=self.zone(zone), cards=self.cards(cards))
            case SawValue(label, value):
                return self._told(1 << seat, label, value)
            case Gathered(target):
                return self._say.gathered.format(zone=self.zone(target))

    def _ask(self, node: int) -> Ask:
        ask = self.game.nodes[node]
        assert isinstance(ask, Ask)
        return ask

    def _saw_choice(self, saw: SawChoice) -> str:
        if saw.verb is None:
            return self._say.answered.format(seat=self.seat(saw.seat))
        verb = self._ask(saw.node).verbs[saw.verb]
        shades = zip(verb.parameters, saw.arguments, strict=True)
        texts = ", ".join(self._shade(shade, parameter.type) for parameter, shade in shades)
        return f"{self.seat(saw.seat)}: {self.name(verb.name)} {texts}".rstrip()

    def _moved(self, cards: str, source: int, target: int, drawn: bool) -> str:
        pattern = self._say.draw if drawn else self._say.move
        arrow = "->" if self.ascii else "→"
        return pattern.format(cards=cards, source=self.zone(source), target=self.zone(target), arrow=arrow)

    def _seen_by(self, seats: int) -> str:
        if seats == (1 << self.game.seats) - 1:
            return self._say.seen_by_all
        return self._say.seen_by.format(seats=self.seats(seats)) if seats else self._say.seen_by_nobody

    def _told(self, seats: int, label: str, value: Value) -> str:
        type_ = self._labels.get(label)
        text = str(value) if type_ is None else self.value(value, type_)
        return self._say.told.format(seats=self.seats(seats), label=self.name(label), value=text)

    # --- plays ---------------------------------------------------------------------------------------------------

    def play_lines(self, play: Play) -> list[str]:
        """A record from its opening on: a choice at the margin, what follows from it indented.

        Cards drawn one after another from one zone to another stand in one line, in the order in which they came. A
        record that did not come to its end closes with the reason.
        """
        lines = [self.event(event) for event in play.opening]
        steps = list(play.steps)
        while steps:
            run = _draws_alike(steps)
            if run:
                lines.append(self._draws(run))
            else:
                run = steps[:1]
                lines += self.step_lines(run[0])
            del steps[: len(run)]
        if play.stopped is not Stop.REACHED:
            lines.append(self._stopped(play))
        return lines

    def step_lines(self, step: Played) -> list[str]:
        """One step: the outcome, then its events, indented; a rest is told by the name of its node."""
        lines = [self.event(event) for event in step.events]
        if not isinstance(step.outcome, Choice) and not _is_draw(step):
            lines.insert(0, self.name(self.game.nodes[step.before.node].name))
        return lines[:1] + [f"  {line}" for line in lines[1:]]

    def result_lines(self, interpreter: Interpreter, state: State) -> list[str]:
        """What the end of a match means for each seat; nothing at other nodes. Raises ``NotWellDefined``."""
        if not isinstance(interpreter.node(state), End):
            return []
        results = (self._say.results[interpreter.outcome(state, seat)] for seat in range(self.game.seats))
        return [self._say.over, *(f"  {self.seat(seat)}: {result}" for seat, result in enumerate(results))]

    def _draws(self, steps: Sequence[Played]) -> str:
        moves = [event for step in steps for event in step.events if isinstance(event, Moved)]
        cards = " ".join(self.cards(move.cards) for move in moves)
        first = moves[0]
        return f"{self._moved(cards, first.source, first.target, True)}, {self._seen_by(first.seen_by)}"

    def _stopped(self, play: Play) -> str:
        text = self._say.stopped[play.stopped.value]
        if play.failed is not None:
            text = f"{text}: {self._failed(play.final, play.failed)}"
        return text if play.error is None else f"{text}: {play.error}"

    def _failed(self, state: State, outcome: Outcome) -> str:
        node = self.game.nodes[state.node]
        if not isinstance(node, Ask) or not isinstance(outcome, Choice) or not 0 <= outcome.verb < len(node.verbs):
            return self.name(node.name)
        fits = len(outcome.arguments) == len(node.verbs[outcome.verb].parameters)
        return self.choice(node, outcome) if fits else self.name(node.name)


def _is_draw(step: Played) -> bool:
    return bool(step.events) and isinstance(step.events[0], Moved) and step.events[0].drawn


def _draws_alike(steps: Iterable[Played]) -> list[Played]:
    """The draws at the beginning that have one event each, between the same zones and for the same eyes."""
    found: list[Played] = []
    key = None
    for step in steps:
        if not _is_draw(step) or len(step.events) != 1:
            break
        move = step.events[0]
        assert isinstance(move, Moved)
        here = (move.source, move.target, move.seen_by)
        if key not in (None, here):
            break
        key = here
        found.append(step)
    return found


def _announced_types(game: Game) -> dict[str, Type]:
    """The type of the values told under each label, where it is one."""
    types: dict[str, set[Type]] = {}
    for block in game.blocks:
        for effect in block.effects:
            if isinstance(effect, Announce):
                types.setdefault(effect.label, set()).add(effect.value.type)
    return {label: next(iter(found)) for label, found in types.items() if len(found) == 1}
