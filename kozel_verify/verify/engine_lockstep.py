"""The reference and an exported engine playing the same deals, compared at every step.

In go a game, a loaded engine module, options and a seed; out come differences as texts, and how much was compared.
Both sides get the same cards; each choice is one of the reference's legal ones, by a policy. Trusted: the reference,
and ``engine_json``, which says how the engine has to put it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from random import Random
from types import ModuleType
from typing import Any, Literal

from kozel_verify.interpret.chance import DeckChance, Generator, choice_generator
from kozel_verify.interpret.evaluate import contents, evaluate
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Policy, uniform
from kozel_verify.interpret.state import Chance, Choice, Chosen, Event, Proceed
from kozel_verify.model.core import Ask, Draw, End, Rest
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import NatType, SetType, Type, Value, element_indices, values
from kozel_verify.verify.engine_json import Expected, action_json, cards_json, value_json

Episode = Literal["deal", "match"]
FEW = 24  # so many argument lists are tried for a function at one position


def engine_number(value: Value) -> int:
    """How a value stands inside an engine: ``none`` is -1."""
    return -1 if value is None else int(value)


class Lockstep:
    """One play. ``differences`` and ``counts`` fill up while it goes on."""

    def __init__(
        self,
        engine: ModuleType,
        interpreter: Interpreter,
        seed: int,
        deck: Sequence[int] | None,
        episode: Episode,
        policy: Policy = uniform,
    ) -> None:
        self.engine: Any = engine
        self.interpreter, self.game, self.episode = interpreter, interpreter.game, episode
        self.expected = Expected(self.game)
        self.random, self.policy, self.choosing = Random(seed), policy, choice_generator(seed)
        self.differences: list[str] = []
        self.counts: Counter[str] = Counter()
        self.dealing = DeckChance(self.game, Generator(seed), deck)
        self.log: list[Event] = []
        self.earlier: list[Event] = []
        self.there, opening = interpreter.initial()
        self._took(opening)
        self._go_on()
        options = {n: value_json(self.game, v, self.game.options[n].type) for n, v in interpreter.options.items()}
        names = None if deck is None else [self.game.deck.ascii_name(card) for card in deck]
        self.here = self.engine.new_initial_state(options=options, seed=seed, deck=names, episode=episode)

    # --- the reference's side ----------------------------------------------------------------------------------------

    def _took(self, events: Iterable[Event]) -> None:
        events = tuple(events)
        self.log += events
        self.dealing.follow(events)

    def _go_on(self) -> None:
        """Chance and rests, up to the next choice or the end of the episode."""
        while not self.over and not isinstance(self.game.nodes[self.there.node], Ask):
            node = self.game.nodes[self.there.node]
            if isinstance(node, Draw):
                slot = self.interpreter.zone_slot(self.there, node.source, node.span)
                self.there, events = self.interpreter.step(self.there, Chance(self.dealing.draw(slot)))
            else:
                if self.there.node == self.game.deal_end:
                    self.earlier, self.log = self.log, []
                self.there, events = self.interpreter.step(self.there, Proceed())
            self._took(events)

    @property
    def over(self) -> bool:
        node = self.game.nodes[self.there.node]
        return isinstance(node, End) or (
            isinstance(node, Rest) and self.episode == "deal" and self.there.node == self.game.deal_end
        )

    # --- play --------------------------------------------------------------------------------------------------------

    def play(self, steps: int) -> None:
        """Play to the end of the episode, for at most ``steps`` choices, or to the first difference."""
        for _ in range(steps):
            self.compare()
            if self.over or self.differences:
                return
            self._step()

    def _step(self) -> None:
        outcomes = [o for o in self.interpreter.outcomes(self.there) if isinstance(o, Choice)]
        chosen = self.policy(self.interpreter, self.there, outcomes, self.choosing)
        assert isinstance(chosen, Choice)
        number = outcomes.index(chosen)
        ask = self.game.nodes[self.there.node]
        assert isinstance(ask, Ask)
        if self.random.random() < 0.2:
            self._illegal(ask)
        if self.random.random() < 0.2:
            self._round_trip()
        old, text = self.here, self.engine.serialize(self.here)
        self.here = self.engine.apply_action(old, action_json(self.game, ask, outcomes[number]))
        self._same("apply_at", self.engine.apply_at(old, number), self.here)
        self._same("the state before, after an action", self.engine.serialize(old), text)
        self.there, events = self.interpreter.step(self.there, outcomes[number])
        self._took(events)
        self._go_on()
        self.counts["choices"] += 1

    def _same(self, what: str, found: object, expected: object) -> None:
        if found != expected and len(self.differences) < 5:
            self.differences.append(f"{what}: {found!r}, expected {expected!r}")

    # --- comparisons -------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """The position, the menu and all views."""
        self._position()
        self._menu()
        self._result()
        for seat in range(self.game.seats):
            self._view(seat)
        self._functions()

    def _position(self) -> None:
        here, there = self.here, self.there
        self._same("node", here.node, there.node)
        kept = dict(zip(self.engine.CELL_LABELS, here.cells, strict=True))
        for slot, label in self.expected.cells.items():
            if label in kept:
                self._same(label, int(kept[label]), engine_number(there.cells[slot]))
        for label, value in self.expected.hidden_cells(kept, there):
            self._same(f"{label}, which the engine does not keep", value, self.game.cells[label].initial)
        for (slot, label), cards in zip(sorted(self.expected.zones.items()), here.zones, strict=True):
            self._same(label, cards_json(self.game, cards), cards_json(self.game, contents(there, slot)))
        self.counts["cells"] += len(self.expected.cells)
        self.counts["places of cards"] += self.game.pack.bit_count()

    def _menu(self) -> None:
        node = self.game.nodes[self.there.node]
        found = self.engine.legal_actions(self.here)
        expected = []
        if isinstance(node, Ask):
            outcomes = self.interpreter.outcomes(self.there)
            expected = [action_json(self.game, node, o) for o in outcomes if isinstance(o, Choice)]
        self._same("menu", found, expected)
        self._same("action_count", self.engine.action_count(self.here), len(expected))
        if expected:
            last = len(expected) - 1
            self._same("action_at", self.engine.action_at(self.here, last), expected[last])
        self._same("current_player", self.engine.current_player(self.here), self.interpreter.owner(self.there))
        self.counts["menus"] += 1
        self.counts["actions in menus"] += len(expected)

    def _result(self) -> None:
        node, seats = self.game.nodes[self.there.node], range(self.game.seats)
        self._same("is_terminal", self.engine.is_terminal(self.here), self.over)
        expected = [0 for _ in seats]
        if isinstance(node, End):
            expected = [self.interpreter.outcome(self.there, seat) - 1 for seat in seats]
        elif self.over:
            expected = [self.interpreter.payoff(self.there, seat) for seat in seats]
        self._same("returns", self.engine.returns(self.here), expected)

    def _view(self, seat: int) -> None:
        game, view = self.game, self.interpreter.view(self.there, seat)
        found = self.engine.observation(self.here, seat)
        mine = view.owner == seat
        expected = {
            "player": seat,
            "episode": self.episode,
            "options": {n: value_json(game, v, game.options[n].type) for n, v in view.options},
            "at": game.nodes[view.node].name,
            "terminal": self.over,
            "current_player": view.owner,
            "cells": self.expected.seen_cells(view, self.engine.CELL_LABELS),
            "zones": self.expected.seen_zones(view),
            "legal_actions": self.engine.legal_actions(self.here) if mine else [],
            "events": self._events(seat),
        }
        for key in {**expected, **found}:
            self._same(f"seat {seat} sees {key}", found.get(key), expected.get(key))
        menu = self.engine.legal_actions(found)
        self._same(f"menu from the view of seat {seat}", menu, expected["legal_actions"])
        self.counts["views"] += 1
        self.counts["events seen"] += len(found["events"])

    def _events(self, seat: int) -> list[dict[str, Any]]:
        """What a seat has learned since this deal began, or since its own last action in the deal before."""

        def own(event: Event) -> bool:
            return isinstance(event, Chosen) and event.seat == seat

        events = list(self.log)
        if not any(own(event) for event in events):
            acted = [n for n, event in enumerate(self.earlier) if own(event)]
            events = self.earlier[acted[-1] if acted else 0 :] + events
        return [self.expected.event(seen, seat) for seen in self.interpreter.observe(tuple(events), seat)]

    def _functions(self) -> None:
        """Functions that read families of cells or zones, at this position."""
        for name, (function, cells, options, families, zones) in self.engine.SPEC_FUNCTIONS.items():
            if not families and not zones:
                continue
            parameters = self.game.functions[name].parameters
            for _ in range(1 if not parameters else FEW if self.random.random() < 0.1 else 1):
                given = {p.name: some_value(p.type, self.random) for p in parameters}
                try:
                    expected = evaluate(
                        self.game, self.interpreter.options, self.there, self.game.functions[name].body, given
                    )
                except Undefined:
                    continue
                read = [self.there.cells[self.game.cells[cell].base] for cell in cells]
                arguments = [*given.values(), *read, *(self.interpreter.options[option] for option in options)]
                state = [self.here.cells] * families + [self.here.zones] * zones
                found = function(*map(engine_number, arguments), *state)
                self._same(f"{name}({given}) at {self.there.node}", int(found), engine_number(expected))
                self.counts["calls of functions at positions"] += 1

    # --- what must be refused, and what must come back ---------------------------------------------------------------

    def _illegal(self, ask: Ask) -> None:
        """Malformed actions, and well-formed ones that may or may not be legal."""
        legal = self.engine.legal_actions(self.here)
        other = {**self.random.choice(legal)}
        other["type"] = self.random.choice([verb.name for verb in ask.verbs])
        cards = cards_json(self.game, self.random.choice([self.game.pack, *map(int, self.here.zones)]))
        some = self.random.sample(cards, min(len(cards), self.random.randint(0, 4)))
        tries: list[Any] = [None, [], "x", {}, {"type": 1}, {"type": "no such verb"}, {**legal[0], "more": 1}, other]
        for action in legal[:3]:
            for key in set(action) - {"type"}:
                tries += [{**action, key: v} for v in (some, None, "no card", some[:1] * 2, -1, True)]
                tries.append({k: v for k, v in action.items() if k != key})
        for action in tries:
            self._refused(action, legal)

    def _refused(self, action: Any, legal: list[dict[str, Any]]) -> None:
        text = self.engine.serialize(self.here)
        is_legal = isinstance(action, Mapping) and any(_same_action(action, one) for one in legal)
        try:
            self.engine.apply_action(self.here, action)
            refused = False
        except self.engine.IllegalAction:
            refused = True
        self._same(f"refusal of {action!r}", refused, not is_legal)
        self._same("the state after a refusal", self.engine.serialize(self.here), text)
        self.counts["actions refused"] += refused

    def _round_trip(self) -> None:
        text = self.engine.serialize(self.here)
        back = self.engine.deserialize(text)
        self._same("deserialize", (back, hash(back)), (self.here, hash(self.here)))
        self._same("serialize again", self.engine.serialize(back), text)
        self.counts["states through text and back"] += 1


def _same_action(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Are two actions equal, whatever the order in which sets are written?"""

    def plain(value: Any) -> Any:
        return sorted(value) if isinstance(value, list) and all(isinstance(v, str) for v in value) else value

    if set(one) != set(other):
        return False
    return all(isinstance(one[k], bool) is isinstance(other[k], bool) and plain(one[k]) == plain(other[k]) for k in one)


def some_value(type_: Type, random: Random) -> Value:
    """A value of a type at random; of sets of many elements a small one."""
    if isinstance(type_, NatType):
        return random.randint(0, 200)
    if isinstance(type_, SetType):
        elements = list(element_indices(type_.of))
        return sum(1 << e for e in random.sample(elements, random.randint(0, min(5, len(elements)))))
    return random.choice(list(values(type_)))
