"""Two plays that a seat cannot tell apart, replayed by the reference interpreter, and what is not the same in them.

In go an interpreter, a seat and two runs; out comes a text that says what differs, or ``None`` when the seat was not
told the same in both, or when nothing differs. Told is what the rules release: the seat's own choices, of others' open
choices the verb and the arguments that are no cards, cards that move before its eyes or are shown to it, values that
are announced to it. Numbers of cards, where they lie, whose turn it is and all that is public must follow from that.
``twin_play`` looks for two such plays at random.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kozel_verify.interpret.chance import Generator, choice_generator
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Played, Stop, replay
from kozel_verify.interpret.state import Choice, Gathered, Outcome, State
from kozel_verify.interpret.text import choice_text, member_text, set_text, value_text
from kozel_verify.interpret.view import UNSEEN, Observed, SawMove, View
from kozel_verify.interpret.visibility import indices, zone_slots
from kozel_verify.model.core import Ask, CellKind, End, slot_count

FAULTS = (NotWellDefined, ReachedDead)
Runs = tuple[tuple[Outcome, ...], tuple[Outcome, ...]]
Told = tuple[Observed, ...]


@dataclass(frozen=True, slots=True)
class Twins:
    """Two runs in which ``seat`` is told the same, and what differs all the same."""

    seat: int
    runs: Runs
    text: str


def told(interpreter: Interpreter, played: Played, seat: int) -> Told:
    """What a step releases to a seat, in order."""
    seen = interpreter.observe(played.events, seat)
    return tuple(x for x in seen if not isinstance(x, Gathered) and not (isinstance(x, SawMove) and x.cards is UNSEEN))


def compared(interpreter: Interpreter, seat: int, runs: Runs) -> str | None:
    """What differs in two runs in which the seat is told the same up to the last step: how it is told of that step, or
    what it sees and may do after it. ``None``: nothing, or the runs are not such."""
    try:
        plays = [replay(interpreter, run) for run in runs]
    except FAULTS:
        return None
    if any(p.stopped is not Stop.REACHED for p in plays) or len(plays[0].steps) != len(plays[1].steps):
        return None
    last: tuple[Played, Played] | None = None
    for a, b in zip(plays[0].steps, plays[1].steps, strict=True):
        if last is not None and _differently_told(interpreter, seat, *last):
            return None
        last = a, b
    if last is not None and (_differently_told(interpreter, seat, *last) or _unlike(interpreter, seat, *last)):
        return _silence(interpreter, seat, *last)
    return difference(interpreter, seat, plays[0].final, plays[1].final)


def _differently_told(interpreter: Interpreter, seat: int, a: Played, b: Played) -> bool:
    return told(interpreter, a, seat) != told(interpreter, b, seat)


def _unlike(interpreter: Interpreter, seat: int, a: Played, b: Played) -> bool:
    return interpreter.observe(a.events, seat) != interpreter.observe(b.events, seat)


def _silence(interpreter: Interpreter, seat: int, a: Played, b: Played) -> str | None:
    """Where two steps first tell the seat something, it is of another kind, or only one of them does."""
    x, y = (list(interpreter.observe(p.events, seat)) for p in (a, b))
    while x and y and x[0] == y[0]:
        x, y = x[1:], y[1:]
    if x and y and _kind(x[0]) == _kind(y[0]):
        return None
    first, second = (f"it {_kind_text(rest[0])}" if rest else "it notices nothing" for rest in (x, y))
    return f"on the last step {first} in one play, and {second} in the other"


def _kind(observed: Observed) -> tuple[object, ...]:
    """What must be predictable of an observation."""
    match observed:
        case SawMove(count, source, target, _, cards):
            return "move", source, target, count if cards is UNSEEN else None
        case _:
            return type(observed), *(getattr(observed, n, None) for n in ("node", "seat", "zone", "label", "target"))


def _kind_text(observed: Observed) -> str:
    label = getattr(observed, "label", "")
    if label:
        return f"hears `{label}`"
    if isinstance(observed, SawMove):
        return f"notices {observed.count} card{'s' * (observed.count != 1)} on the move"
    return "is shown cards" if hasattr(observed, "cards") else "notices something else"


# --- what differs in two states --------------------------------------------------------------------------------------


def difference(interpreter: Interpreter, seat: int, a: State, b: State) -> str | None:
    """What the seat sees differently, or may do differently, or what is worth something else; ``None``: nothing."""
    views = interpreter.view(a, seat), interpreter.view(b, seat)
    lines = (*_views(interpreter, *views), *_menus(interpreter, seat, a, b), *_worth(interpreter, a, b))
    return next((f"{what} in one play, {other} in the other" for what, other in lines), None)


def _views(interpreter: Interpreter, a: View, b: View) -> Iterator[tuple[str, str]]:
    game = interpreter.game
    if a.node != b.node:
        yield f"play goes on at `{game.nodes[a.node].name}`", f"at `{game.nodes[b.node].name}`"
    elif a.owner != b.owner:
        yield f"it is the turn of {_seat(a.owner)}", f"of {_seat(b.owner)}"
    yield from _cells(interpreter, a, b, declared=True)
    for slot, (zone, index) in enumerate(zone_slots(game)):
        name = member_text(game, zone, index)
        if a.sizes[slot] != b.sizes[slot]:
            yield f"`{name}` has {a.sizes[slot]} cards", str(b.sizes[slot])
        elif a.contents[slot] != b.contents[slot]:
            held = ["unseen" if c is UNSEEN else set_text(game, c) for c in (a.contents[slot], b.contents[slot])]
            yield f"the cards in `{name}` are {held[0]}", held[1]
    yield from _cells(interpreter, a, b, declared=False)


def _cells(interpreter: Interpreter, a: View, b: View, *, declared: bool) -> Iterator[tuple[str, str]]:
    """Cells of the spec, or those that no line of it declares."""
    seen, other = dict(a.cells), dict(b.cells)
    for cell in interpreter.game.cells.values():
        nothing = (UNSEEN,) * slot_count(cell.index)
        pairs = zip(indices(cell.index), seen.get(cell.name, nothing), other.get(cell.name, nothing), strict=True)
        for index, x, y in pairs:
            if x != y and (cell.kind is CellKind.DECLARED) == declared:
                texts = ["unseen" if v is UNSEEN else value_text(interpreter.game, v, cell.type) for v in (x, y)]
                yield f"`{member_text(interpreter.game, cell, index)}` is {texts[0]}", texts[1]


def _seat(seat: int | None) -> str:
    return "nobody" if seat is None else f"seat {seat + 1}"


def _menus(interpreter: Interpreter, seat: int, a: State, b: State) -> Iterator[tuple[str, str]]:
    """A choice that is legal in one state alone, at the seat's own turn."""
    node = interpreter.node(a)
    if a.node != b.node or not isinstance(node, Ask) or interpreter.owner(a) != seat:
        return
    first, second = interpreter.outcomes(a), interpreter.outcomes(b)
    for outcome in (*first, *second):
        if (outcome in first) != (outcome in second) and isinstance(outcome, Choice):
            text = f"`{choice_text(interpreter.game, node, outcome)}` is"
            yield (f"{text} legal", "not") if outcome in first else (f"{text} not legal", "it is")


def _worth(interpreter: Interpreter, a: State, b: State) -> Iterator[tuple[str, str]]:
    """What a finished deal or match comes to, for each seat."""
    if a.node != b.node:
        return
    game = interpreter.game
    for seat in range(game.seats):
        if isinstance(game.nodes[a.node], End) and interpreter.outcome(a, seat) != interpreter.outcome(b, seat):
            yield f"the match ends in one way for seat {seat + 1}", "in another way"
        if a.node == game.deal_end:
            worth = interpreter.payoff(a, seat), interpreter.payoff(b, seat)
            if worth[0] != worth[1]:
                yield f"the deal is worth {worth[0]} to seat {seat + 1}", str(worth[1])


# --- at random -------------------------------------------------------------------------------------------------------


def twin_play(interpreter: Interpreter, seat: int, seed: int, limit: int = 2_000) -> tuple[int, Twins | None]:
    """Play one deal twice at random, the second play telling the seat the same as the first: in how many steps the two
    plays were not the same play, and the twins if something differs after one of them. Where the second play finds no
    step that tells the same, it goes on from the first."""
    dice = choice_generator(seed)
    states = [interpreter.initial()[0]] * 2
    runs: list[list[Outcome]] = [[], []]
    apart = 0
    for _ in range(limit):
        try:
            step = twin_step(interpreter, seat, states, dice)
            if step is None:
                break
            text = difference(interpreter, seat, step[0].after, step[1].after)
        except FAULTS:
            break
        runs = [[*run, played.outcome] for run, played in zip(runs, step, strict=True)]
        if step[1].before == states[0] != states[1]:
            runs[1][:-1] = runs[0][:-1]
        apart += runs[0] != runs[1]
        if text is not None or _unlike(interpreter, seat, *step):
            both = tuple(runs[0]), tuple(runs[1])
            shown = compared(interpreter, seat, both)
            return apart, None if shown is None else Twins(seat, both, shown)
        states = [played.after for played in step]
        if states[0].node == interpreter.game.deal_end:
            break
    return apart, None


def twin_step(
    interpreter: Interpreter, seat: int, states: Sequence[State], dice: Generator
) -> tuple[Played, Played] | None:
    """A random step from the first state, and one that tells the seat the same: from the second, or else from the first
    as well. ``None`` where the play ends."""
    outcomes = interpreter.outcomes(states[0])
    if not outcomes:
        return None
    first = _played(interpreter, states[0], outcomes[dice.below(len(outcomes))])
    wanted = told(interpreter, first, seat)
    others = interpreter.outcomes(states[1])
    while others:
        second = _played(interpreter, states[1], others.pop(dice.below(len(others))))
        if told(interpreter, second, seat) == wanted:
            return first, second
    return first, first


def _played(interpreter: Interpreter, state: State, outcome: Outcome) -> Played:
    after, events = interpreter.step(state, outcome)
    return Played(state, outcome, events, after)
