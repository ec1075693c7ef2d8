"""A play in which two games part, as something to read and to paste.

In go two games with their options and a run that the fast search has found; out comes a ``Parting``: the run replayed
in both games by the interpreter, what is different at its end, what the seat that is asked there has before it, and a
scenario for each game. The scenario of a game ends with what holds in it and not in the other, where scenarios have
words for that: not for who sees what.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.narrate import Narrator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play, replay
from kozel_verify.interpret.state import Chance, Choice, Event, Outcome, Proceed, State
from kozel_verify.interpret.view import UNSEEN, View
from kozel_verify.model.core import Ask, Draw, Game
from kozel_verify.verify.confirm import Disagreement, outcome_of
from kozel_verify.verify.differ.lockstep import Difference, Kind, Lockstep, Pair, plain
from kozel_verify.verify.differ.noticed import first_difference, of_state, probe
from kozel_verify.verify.differ.sides import Setting, common
from kozel_verify.verify.hunt import Found, shrink
from kozel_verify.verify.scenario_text import literal, scenario_text, stacked_deck
from kozel_verify.verify.told import told_lines

DRAW, SEAT, WIDTH = "draw ", "seat ", 84
MANY = 12  # choices, above which they share lines
FAULTS = (NotWellDefined, ReachedDead)
Run = tuple[Outcome, ...]


@dataclass(frozen=True, slots=True)
class Parting:
    """``runs``: the same outcomes in each game's own terms; the last is the step on which something else is told, or
    on which the rules fail, or leads to the state in which the games differ. ``deck``: the order of cards that
    makes the draws, if one alone does. ``seen``: what the seat that is asked sees there."""

    pack: str
    setting: Setting
    where: str
    runs: tuple[tuple[Outcome, ...], tuple[Outcome, ...]]
    deck: tuple[int, ...] | None
    difference: Difference
    seen: tuple[str, ...]
    scenarios: tuple[str, str]

    @property
    def steps(self) -> int:
        return len(self.runs[0])

    @property
    def alike(self) -> bool:
        """Have scenarios no words for the difference, so that both say the same but for options?"""
        bodies = [
            [line for line in text.split("\n")[1:] if not line.strip().startswith("option ")] for text in self.scenarios
        ]
        return bodies[0] == bodies[1]


def replayed(lock: Lockstep, run: Sequence[FastOutcome]) -> tuple[Outcome, ...]:
    """The interpreter's outcomes of a run of the fast machine."""
    outcomes: list[Outcome] = []
    state: State | None = None
    for fast in run:
        if state is None:
            state = lock.a.initial()[0]
        outcomes.append(outcome_of(lock.a, state, fast))
        if len(outcomes) < len(run):
            state = lock.a.step(state, outcomes[-1])[0]
    return tuple(outcomes)


def parting(a: Game, b: Game, setting: Setting, run: Sequence[Outcome], names: tuple[str, str]) -> Parting:
    """The first difference on a run of A. Raises ``Disagreement`` when the interpreter sees none."""
    lock = lockstep(a, b, setting)
    found = first_difference(lock, run)
    if found is None:
        raise Disagreement("the interpreter does not see the two games part where the fast search does")
    taken, difference = found
    runs = taken, tuple(_theirs(lock, taken))
    where, seen = _place(lock, taken, difference)
    scenarios = tuple(
        _scenario(own, other, (runs[side], runs[1 - side]), difference, side, names)
        for side, (own, other) in enumerate(((lock.a, lock.b), (lock.b, lock.a)))
    )
    deck = stacked_deck(lock.a, replay(lock.a, taken)) if taken else None
    return Parting(a.pack_name, setting, where, runs, deck, difference, seen, (scenarios[0], scenarios[1]))


def lockstep(a: Game, b: Game, setting: Setting) -> Lockstep:
    return Lockstep(Interpreter(a, setting.a), Interpreter(b, setting.b))


def menu_difference(a: Game, b: Game, setting: Setting, run: Sequence[Outcome]) -> Difference:
    """How the menus at the end of a run differ, whatever differed before. Raises ``Disagreement`` when they do not."""
    lock = lockstep(a, b, setting)
    state, _ = lock.initial()
    for outcome in run:
        state, _ = lock.step(state, outcome)
    found = of_state(lock, state)
    if found is None or found.kind is not Kind.MENU:
        raise Disagreement("the interpreter does not see the menus differ where the fast search does")
    return found


def smaller(a: Game, b: Game, setting: Setting, run: tuple[Outcome, ...], steps: int) -> tuple[Outcome, ...]:
    """A run to some difference that is shorter or has smaller choices; ``steps`` of the interpreter are spent."""
    lock = lockstep(a, b, setting)
    found = first_difference(lock, run)
    if found is None:
        raise Disagreement("the interpreter does not see the two games part where the fast search does")
    if not found[0]:
        return ()  # they part before the first step
    return shrink(lock, Found(found[0], found[1].text), probe(lock), steps).run


def _theirs(lock: Lockstep, run: Sequence[Outcome]) -> Iterator[Outcome]:
    """The outcomes of a run of A in B's terms."""
    if not run:
        return
    state, _ = lock.initial()
    for n, outcome in enumerate(run):
        theirs = lock.translated(state, outcome)
        assert theirs is not None
        yield theirs
        if n + 1 < len(run):
            state, _ = lock.step(state, outcome)


def _place(lock: Lockstep, run: Sequence[Outcome], difference: Difference) -> tuple[str, tuple[str, ...]]:
    """The node of A at which the games part, and what the seat that is asked there sees."""
    last = difference.kind in (Kind.TOLD, Kind.FAULT)
    try:
        state: State = lock.initial()[0]
        for outcome in run[:-1] if last and run else run:
            state = lock.step(state, outcome)[0]
    except FAULTS:
        return "the beginning", ()
    assert isinstance(state, Pair)
    owner = lock.a.owner(plain(state))
    seen = () if owner is None else tuple(Narrator(lock.a.game).render_view(_notable(lock.a, plain(state), owner)))
    return lock.a.node(state).name, seen


def _notable(interpreter: Interpreter, state: State, seat: int) -> View:
    """What a seat sees, without the cells that still have their first value."""
    view = interpreter.view(state, seat)
    cells = tuple(
        (name, tuple(UNSEEN if shade == interpreter.game.cells[name].initial else shade for shade in shades))
        for name, shades in view.cells
    )
    return replace(view, cells=cells)


# --- scenarios --------------------------------------------------------------------------------------------------------


def _scenario(
    own: Interpreter, other: Interpreter, runs: tuple[Run, Run], found: Difference, side: int, names: tuple[str, str]
) -> str:
    """A scenario of one game that does not hold in the other, as far as scenarios can say it."""
    title = f"{names[side]} is not {names[1 - side]}"
    told = _told(own, other, runs) if found.kind is Kind.TOLD else []
    expect = found.expect[side]
    waits = any(_waits_for_card(game, run) for game, run in zip((own, other), runs, strict=True))
    text = scenario_text(
        own.game, own.options, runs[0], title=title, expect=expect, named=_unlike(own, other),
        draws=bool(told) or (waits and bool(runs[0] or expect)),
    )  # fmt: skip
    lines = _together(text.rstrip("\n").split("\n"))
    more = told if any(found.expect) or told else list(_next_step(own, runs[0], found, side, other))
    return "\n".join([*lines[:-1], *(f"  {line}" for line in more), lines[-1]]) + "\n"


def _waits_for_card(game: Interpreter, run: Run) -> bool:
    """Does play come to a draw at the end of the run? A deck would go on dealing, past the state that is meant."""
    play = replay(game, run)
    return play.failed is None and isinstance(game.node(play.final), Draw)


def _told(own: Interpreter, other: Interpreter, runs: tuple[Run, Run]) -> list[str]:
    """What the last step tells here and not there. Behind the end of a deal no line of a scenario could stand."""
    plays = [replay(game, run) for game, run in zip((own, other), runs, strict=True)]
    if any(p.failed is not None for p in plays) or (runs[0] and isinstance(runs[0][-1], Proceed)):
        return []
    first, second = (_last_events(p) for p in plays)
    return told_lines(own.game, first, second)


def _last_events(play: Play) -> tuple[Event, ...]:
    """What has happened since the last line of a scenario that writes all its draws began."""
    steps = list(play.steps)
    found = steps.pop().events if steps else play.opening
    while steps and isinstance(steps[-1].outcome, Proceed):
        found = (*steps.pop().events, *found)
    return found


def _unlike(own: Interpreter, other: Interpreter) -> set[str]:
    """The options of both games that have other values in the other one."""

    def value(side: Interpreter, name: str) -> Hashable:
        return common(side.options[name], side.game.options[name].type)

    return {n for n in own.options if n in other.options and value(own, n) != value(other, n)}


def _together(lines: Sequence[str]) -> list[str]:
    """Draws that follow each other on one line, as long as it does not get too long; and choices, if they are many."""
    choices = sum(line.strip().startswith(SEAT) for line in lines)
    joined = (DRAW, SEAT) if choices > MANY else (DRAW,)
    found: list[str] = []
    for line in lines:
        step = line.strip()
        kind = next((word for word in joined if step.startswith(word)), None)
        if kind is not None and found and found[-1].strip().startswith(kind) and len(found[-1]) < WIDTH:
            found[-1] += f"   {step}"
        else:
            found.append(line)
    return found


def _next_step(
    own: Interpreter, run: tuple[Outcome, ...], found: Difference, side: int, other: Interpreter
) -> Iterator[str]:
    """What may follow here and not there; at a menu also what may not."""
    try:
        state = replay(own, run).final
        node = own.node(state)
        if found.kind is Kind.MENU and isinstance(node, Ask):
            seat = own.owner(state)
            denied = next((o for o in found.only[1 - side] if isinstance(o, Choice)), None)
            allowed = next((o for o in found.only[side] if isinstance(o, Choice)), None)
            theirs = next((n for n in other.game.nodes if n.name == node.name and isinstance(n, Ask)), None)
            if denied is not None and theirs is not None and _has_verb(node, theirs, denied):
                yield f"seat {(seat or 0) + 1} : not {_call(other.game, theirs, denied)}"
            if allowed is not None:
                yield f"seat {(seat or 0) + 1} : {_call(own.game, node, allowed)}"
        elif found.kind is Kind.DRAW and isinstance(node, Draw):
            drawn = next((o for o in found.only[side] if isinstance(o, Chance)), None)
            if drawn is not None:
                yield f"draw {own.game.deck.name(drawn.card)}"
        elif found.kind in (Kind.NODE, Kind.TURN):
            first = next(iter(own.outcomes(state)), None)
            if isinstance(first, Choice) and isinstance(node, Ask):
                yield f"seat {(own.owner(state) or 0) + 1} : {_call(own.game, node, first)}"
            elif isinstance(first, Chance):
                yield f"draw {own.game.deck.name(first.card)}"
    except FAULTS:
        return


def _has_verb(node: Ask, other: Ask, choice: Choice) -> bool:
    """Does this game know the other's verb at all? Only then can a scenario say that it is refused."""
    verb = other.verbs[choice.verb]
    return any(v.name == verb.name and len(v.parameters) == len(verb.parameters) for v in node.verbs)


def _call(game: Game, node: Ask, choice: Choice) -> str:
    verb = node.verbs[choice.verb]
    rows = zip(choice.arguments, verb.parameters, strict=True)
    inside = ", ".join(literal(game, value, p.type) for value, p in rows)
    return verb.name + (f"({inside})" if inside else "")
