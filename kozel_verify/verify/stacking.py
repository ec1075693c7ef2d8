"""A play in which the game itself evaluates a function with given arguments.

A counterexample about values (this group, that reply, such a cell) says nothing yet about play. Here a deck is stacked
and choices are searched until a menu or an effect of the game evaluates the very call. In go a game and the call; out
comes a run that the interpreter has replayed, or ``None`` within the bounds given.

How it is seen that the call happens: the game is changed so that this one call has no value (a *tripwire*: at the start
of the function's body its arguments and the cells wanted are compared). The interpreter then stops with the tripwire's
mark exactly when it evaluates the call. Nothing of any game is known here.

How it is found: dry runs tell in which zone slot each card of the deck lies when the first question is asked, or some
later one. The cards of each argument are put where one seat gets them, all others at random, and choices are tried that
are the arguments, before those that leave the arguments' cards alone. Bounded by numbers of deals and states, never by
time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from kozel_verify.interpret.chance import Generator, shuffled
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Chance, Choice, Outcome, State
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Apply, Ask, CellRead, Const, Expr, Game, If, Node
from kozel_verify.model.types import BOOL, CardType, OptionalType, SetType, Type, Value, element_indices, members
from kozel_verify.verify.hunt import FAULTS, Fault, Found, Probe, hunt, replayed, shrink
from kozel_verify.verify.stacked import Walk

MARK = Span("tripwire", 0, 0, 0, 0)
CellSlot = tuple[str, int]  # a cell and the position in its family


@dataclass(frozen=True, slots=True)
class Called:
    """``function(*arguments)`` while the ``cells`` have these values (slots not named may have any)."""

    function: str
    arguments: tuple[Value, ...]
    cells: Mapping[CellSlot, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Effort:
    """Bounds: ``deals`` stacked decks for each way to give out the arguments, ``states`` visited in each deal,
    ``plays`` at random when that finds nothing, ``steps`` for making the run smaller."""

    deals: int = 4
    states: int = 40
    plays: int = 60
    steps: int = 2_000


def tripwire(game: Game, call: Called) -> Game:
    """The same game, but that evaluating ``call`` raises ``NotWellDefined`` with the span ``MARK``."""
    function = game.functions[call.function]
    tests: list[Expr] = [_equal(p, Const(a, p.type)) for p, a in zip(function.parameters, call.arguments, strict=True)]
    for (name, position), value in call.cells.items():
        cell = game.cells[name]
        index = None if cell.index is None else Const(element_indices(cell.index)[position], cell.index)
        tests.append(_equal(CellRead(name, index, cell.type), Const(value, cell.type)))
    met = tests[0] if tests else Const(True, BOOL)
    for test in tests[1:]:
        met = Apply("and", (met, test), BOOL)
    undefined = Apply("value", (Const(None, OptionalType(function.type)),), function.type, MARK)
    armed = replace(function, body=If(met, undefined, function.body, function.type))
    return replace(game, functions={**game.functions, call.function: armed})


def probe_call() -> Probe:
    """Finds, in a game with a tripwire, that the call was evaluated."""
    return Probe(fault=lambda fault: "the call is evaluated here" if _marked(fault) else None)


def run_to_call(
    game: Game, options: Mapping[str, Value], call: Called, seed: int, effort: Effort | None = None
) -> tuple[Outcome, ...] | None:
    """Outcomes of the real game after which it evaluates ``call``: in listing the next choices, or in the last step.

    The shortest run found within the bounds, made smaller; ``None`` when none was found (which does not show that
    there is none). The same arguments give the same run.
    """
    effort = effort or Effort()
    interpreter = Interpreter(tripwire(game, call), options)
    probe = probe_call()
    try:
        interpreter.initial()
    except FAULTS as fault:  # before the first node
        return () if _marked(fault) else None
    found = _Search(interpreter, call, Generator(seed), effort).run()
    if found is None:
        found = hunt(interpreter, probe, (seed + n for n in range(effort.plays)), until="deal")
    return None if found is None else shrink(interpreter, found, probe, effort.steps).run


def _equal(left: Expr, right: Expr) -> Expr:
    return Apply("==", (left, right), BOOL)


def _marked(fault: Fault) -> bool:
    return fault.span == MARK


def cards_of(value: Value, type_: Type) -> int | None:
    """The cards that an argument names, as a mask; ``None`` when it is not about cards."""
    match type_:
        case SetType(CardType()):
            return None if value is None else int(value)
        case CardType():
            return None if value is None else 1 << int(value)
        case _:
            return None


def cards_in_call(game: Game, call: Called) -> tuple[int, ...]:
    """The sets of cards that the arguments of a call name, each once, without empty ones."""
    pairs = zip(call.arguments, game.functions[call.function].parameters, strict=True)
    return tuple(dict.fromkeys(m for a, p in pairs if (m := cards_of(a, p.type))))


def cards_in_choice(node: Node, outcome: Outcome) -> tuple[int, ...]:
    """The sets of cards that the arguments of a choice name, without empty ones; nothing for another outcome."""
    if not isinstance(node, Ask) or not isinstance(outcome, Choice):
        return ()
    pairs = zip(outcome.arguments, node.verbs[outcome.verb].parameters, strict=True)
    return tuple(m for a, p in pairs if (m := cards_of(a, p.type)))


# --- decks -----------------------------------------------------------------------------------------------------------


class _Search:
    def __init__(self, interpreter: Interpreter, call: Called, generator: Generator, effort: Effort) -> None:
        self.interpreter = interpreter
        self.game = interpreter.game
        self.call = call
        self.generator = generator
        self.effort = effort
        self.groups = cards_in_call(self.game, call)
        self.wanted = 0
        for mask in self.groups:
            self.wanted |= mask

    def run(self) -> Found | None:
        """The shortest of what the first round of deals with a success finds. Later rounds look farther ahead."""
        if not self.groups or self.wanted & ~self.game.pack:
            return None
        for number in range(self.effort.deals):
            found = []
            for early in (True, False):
                places, again = self.places(number * (number + 3) // 2, early)
                tried = (self.deal(places, slots, early) for slots in self.assignments(places))
                found += [f for f in tried if f is not None]
                if not again:  # no card comes twice: early or late is the same
                    break
            if found:
                return min(found, key=lambda f: len(f.run))
        return None

    def places(self, answers: int, early: bool) -> tuple[list[int], bool]:
        """Zone slot of the n-th card of a deck when so many questions have been answered: learned from a play with
        random cards and answers, so that a deck stacked by it is a guess which the search then tries. And whether a
        card was drawn twice."""
        deck = shuffled(members(self.game.pack), self.generator.below)
        walk = Walk(self.interpreter, deck, early)
        for _ in range(answers):
            if walk.fault is None and walk.outcomes:
                walk = walk.after(walk.outcomes[self.generator.below(len(walk.outcomes))])
        draws = [outcome for outcome in walk.run if isinstance(outcome, Chance)]
        return [walk.state.place[card] for card in deck], len(set(draws)) < len(draws)

    def assignments(self, places: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Ways to give each group a slot with room for it; different slots for all of them come first."""
        room = {slot: places.count(slot) for slot in sorted(set(places))}
        ways = list(product(room, repeat=len(self.groups)))
        ways.sort(key=lambda slots: -len(set(slots)))
        for slots in ways:
            if self.consistent(slots, room):
                yield slots

    def consistent(self, slots: Sequence[int], room: Mapping[int, int]) -> bool:
        """No card in two places, and no more cards in a slot than it gets."""
        held: dict[int, int] = {}
        for slot, group in zip(slots, self.groups, strict=True):
            held[slot] = held.get(slot, 0) | group
        together = sum(mask.bit_count() for mask in held.values())
        return together == self.wanted.bit_count() and all(m.bit_count() <= room[s] for s, m in held.items())

    def deal(self, places: Sequence[int], slots: Sequence[int], early: bool) -> Found | None:
        """Stack a deck so that the groups come into these slots, and search for choices."""
        for _ in range(24):  # the cells wanted may hang on the other cards (a card turned, say)
            deck = self.stacked(places, slots)
            walk = Walk(self.interpreter, deck, early)
            if walk.fault is not None or self.cells_fit(walk.state):
                break
        return self.search(walk)

    def stacked(self, places: Sequence[int], slots: Sequence[int]) -> list[int]:
        deck: list[int | None] = [None] * len(places)
        for slot in sorted(set(slots)):
            mask = 0
            for s, group in zip(slots, self.groups, strict=True):
                mask |= group if s == slot else 0
            positions = shuffled((n for n, place in enumerate(places) if place == slot), self.generator.below)
            for position, card in zip(positions, members(mask), strict=False):
                deck[position] = card
        rest = iter(shuffled(members(self.game.pack & ~self.wanted), self.generator.below))
        return [next(rest) if card is None else card for card in deck]

    def cells_fit(self, state: State) -> bool:
        return all(state.cells[self.game.cells[n].base + k] == v for (n, k), v in self.call.cells.items())

    # --- choices -----------------------------------------------------------------------------------------------------

    def search(self, walk: Walk) -> Found | None:
        """Depth first over promising choices, at most ``effort.states`` questions."""
        stack = [walk]
        for _ in range(self.effort.states):
            if not stack:
                return None
            here = stack.pop()
            if here.fault is not None:
                if _marked(here.fault):
                    return replayed(self.interpreter, here.run, probe_call())
                continue
            for choice in reversed(self.promising(here)):
                stack.append(here.after(choice))
        return None

    def promising(self, here: Walk) -> list[Outcome]:
        """The choices that are an argument of the call, then two that leave its cards alone, then any other."""
        exact, apart, other = list[Outcome](), list[Outcome](), list[Outcome]()
        for position in shuffled(range(len(here.outcomes)), self.generator.below):
            outcome = here.outcomes[position]
            masks = cards_in_choice(here.interpreter.node(here.state), outcome)
            if any(mask in self.groups for mask in masks):
                exact.append(outcome)
            elif not any(mask & self.wanted for mask in masks):
                apart.append(outcome)
            else:
                other.append(outcome)
        return exact + apart[:2] + other[:1]
