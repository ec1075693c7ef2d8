"""What is first noticed to be different in two games that are played side by side, by the reference interpreter.

In go a ``Lockstep`` and a state or a step of it; out comes a ``Difference`` with the words of both sides, or ``None``.
A run is looked at from the beginning: ``first_difference`` says after how many steps the games part.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import partial

from kozel_verify.interpret.errors import IllegalChoice
from kozel_verify.interpret.evaluate import number
from kozel_verify.interpret.narrate import Narrator
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Played
from kozel_verify.interpret.state import Chance, Choice, Event, Gathered, Outcome, State
from kozel_verify.interpret.text import set_text, value_text
from kozel_verify.interpret.view import (
    UNSEEN,
    Observed,
    SawCards,
    SawChoice,
    SawMove,
    SawValue,
    SawZone,
    Shade,
    Unseen,
    View,
)
from kozel_verify.interpret.visibility import cell_slots
from kozel_verify.model.core import Ask, Cell, Draw, End, Game, Node
from kozel_verify.model.types import members
from kozel_verify.verify.differ.lockstep import FAULTS, Difference, Kind, Lockstep, OneFails, Pair, both, plain
from kozel_verify.verify.differ.sides import Key, common, zone_keys
from kozel_verify.verify.hunt import Probe
from kozel_verify.verify.scenario_text import literal

UNSEEN_TEXT = "unseen"
RESULTS = ("lost", "neither", "won")


def first_difference(lock: Lockstep, run: Sequence[Outcome]) -> tuple[tuple[Outcome, ...], Difference] | None:
    """The first difference on a run of A, and the outcomes up to it (the last one is the step on which it is told, or
    on which the rules fail). ``None`` when there is none, or when the run is not legal in both games before it."""
    taken: list[Outcome] = []
    try:
        state, told = lock.initial()
        found = told_differently(lock, told, state) or of_state(lock, state)
        for outcome in run:
            if found is not None:
                break
            taken.append(outcome)
            state, told = lock.step(state, outcome)
            found = told_differently(lock, told, state) or of_state(lock, state)
    except OneFails as fails:
        found = failing(fails)
    except (*FAULTS, IllegalChoice):
        return None
    return None if found is None else (tuple(taken), found)


def failing(fails: OneFails) -> Difference:
    return Difference(Kind.FAULT, "the rules fail on one side", fails.sides)


def probe(lock: Lockstep) -> Probe:
    """Finds, in plays of a ``Lockstep``, where the two games part."""

    def state(_: Interpreter, at: State) -> str | None:
        assert isinstance(at, Pair)
        found = of_state(lock, at)
        return None if found is None else found.text

    def step(_: Interpreter, played: Played) -> str | None:
        assert isinstance(played.after, Pair)
        found = told_differently(lock, played.events, played.after)
        return None if found is None else found.text

    return Probe(state, step, lambda fault: str(fault) if isinstance(fault, OneFails) else None)


# --- states -----------------------------------------------------------------------------------------------------------


def of_state(lock: Lockstep, pair: Pair) -> Difference | None:
    """What is different in two states. Raises ``OneFails``, or the fault of both."""
    return next(_of_state(lock, pair), None)


def _of_state(lock: Lockstep, pair: Pair) -> Iterator[Difference]:
    nodes = lock.a.node(pair), lock.b.node(pair.other)
    views = [(lock.a.view(plain(pair), seat), lock.b.view(pair.other, seat)) for seat in range(lock.game.seats)]
    yield from _cells(lock, views)
    yield from _zones(lock, views)
    if nodes[0].name != nodes[1].name or type(nodes[0]) is not type(nodes[1]):
        said = f"comes to `{nodes[0].name}`", f"comes to `{nodes[1].name}`"
        yield Difference(Kind.NODE, "what happens next", said)
        return
    owners = views[0][0].owner, views[0][1].owner
    if owners[0] != owners[1]:
        said = f"seat {(owners[0] or 0) + 1}", f"seat {(owners[1] or 0) + 1}"
        yield Difference(Kind.TURN, f"whose turn it is at `{nodes[0].name}`", said)
        return
    secret = [getattr(node, "secret", False) for node in nodes]
    if secret[0] != secret[1]:
        said = _how(secret[0]), _how(secret[1])
        yield Difference(Kind.TOLD, f"how the answer at `{nodes[0].name}` is given", said)
    yield from _worth(lock, pair)
    yield from _menus(lock, pair)


def _how(secret: bool) -> str:
    return "in secret" if secret else "openly"


def name_of(key: Key) -> str:
    return f"{key[0]}[{key[1]}]" if key[1] else key[0]


def _seen(what: str, seats: Sequence[int], number: int) -> str:
    """What is seen to be different, and by whom, unless all see it so."""
    who = ", ".join(f"seat {seat + 1}" for seat in seats)
    return what if len(seats) == number else f"{what}, as seen by {who}"


def _cells(lock: Lockstep, views: Sequence[tuple[View, View]]) -> Iterator[Difference]:
    games = lock.a.game, lock.b.game
    for key, *slots in lock.cells:
        cells = [cell_slots(game)[slot][0] for game, slot in zip(games, slots, strict=True)]
        parted = []
        for seat, pair in enumerate(views):
            rows = zip(pair, cells, slots, strict=True)
            shades = [_shade(view, cell, slot) for view, cell, slot in rows]
            common_ = [s if isinstance(s, Unseen) else common(s, c.type) for s, c in zip(shades, cells, strict=True)]
            if common_[0] != common_[1]:
                parted.append((seat, shades))
        if parted:
            shown = list(zip(parted[0][1], cells, games, strict=True))
            said = [UNSEEN_TEXT if isinstance(s, Unseen) else value_text(g, s, c.type) for s, c, g in shown]
            expect = [() if isinstance(s, Unseen) else (_is(key, literal(g, s, c.type)),) for s, c, g in shown]
            both = (expect[0], expect[1]) if all(expect) else ((), ())
            text = _seen(f"the value of `{name_of(key)}`", [seat for seat, _ in parted], lock.game.seats)
            yield Difference(Kind.SHOWN, text, (said[0], said[1]), both)


def _shade(view: View, cell: Cell, slot: int) -> Shade:
    shades = dict(view.cells).get(cell.name)
    return UNSEEN if shades is None else shades[slot - cell.base]


def _is(key: Key, value: str) -> str:
    return f"{name_of(key)} is none" if value == "none" else f"{name_of(key)} == {value}"


def _zones(lock: Lockstep, views: Sequence[tuple[View, View]]) -> Iterator[Difference]:
    for key, *slots in lock.zones:
        name = name_of(key)
        sizes = [0 if slot is None else view.sizes[slot] for view, slot in zip(views[0], slots, strict=True)]
        if sizes[0] != sizes[1]:
            rows = zip(slots, sizes, strict=True)
            expect = [() if slot is None else (f"|{name}| == {n}",) for slot, n in rows]
            said = [f"{n} card{'s' * (n != 1)}" for n in sizes]
            yield Difference(Kind.SHOWN, f"how many cards lie in `{name}`", (said[0], said[1]), (expect[0], expect[1]))
            continue
        parted = []
        for seat, pair in enumerate(views):
            held = [0 if slot is None else view.contents[slot] for view, slot in zip(pair, slots, strict=True)]
            if held[0] != held[1] and sizes[0]:
                parted.append((seat, held))
        if parted:
            cards = parted[0][1]
            said = [UNSEEN_TEXT if isinstance(c, Unseen) else set_text(lock.game, c) for c in cards]
            expect = [() if isinstance(c, Unseen) else (f"{name} == {_set(lock.game, c)}",) for c in cards]
            both = (expect[0], expect[1]) if all(expect) else ((), ())
            text = _seen(f"the cards in `{name}`", [seat for seat, _ in parted], lock.game.seats)
            yield Difference(Kind.SHOWN, text, (said[0], said[1]), both)


def _set(game: Game, cards: int) -> str:
    return "{" + ", ".join(game.deck.name(c) for c in members(cards)) + "}"


def _worth(lock: Lockstep, pair: Pair) -> Iterator[Difference]:
    """What has ended, and of a deal gain - loss. Raises ``OneFails``, or the fault of both."""
    ended = all(isinstance(node, End) for node in (lock.a.node(pair), lock.b.node(pair.other)))
    finished = pair.node == lock.a.game.deal_end and pair.other.node == lock.b.game.deal_end
    for seat in range(lock.game.seats):
        if ended:
            results = both(partial(lock.a.outcome, plain(pair), seat), partial(lock.b.outcome, pair.other, seat))
            yield from _unlike(
                f"the match for seat {seat + 1}", f"outcome(seat {seat + 1})", [RESULTS[r] for r in results]
            )
        if finished:
            rows = both(partial(_gain_loss, lock.a, plain(pair), seat), partial(_gain_loss, lock.b, pair.other, seat))
            yield from _worth_of(seat, rows)


def _gain_loss(interpreter: Interpreter, state: State, seat: int) -> tuple[int, int]:
    game = interpreter.game
    gain, loss = (number(interpreter.evaluate(state, e, {"seat": seat})) for e in (game.gain, game.loss))
    return gain, loss


def _worth_of(seat: int, rows: Sequence[tuple[int, int]]) -> Iterator[Difference]:
    """Told as a gain or a loss where only that is another one, since scenarios can say so."""
    (gain, loss), (other_gain, other_loss) = rows
    if gain - loss == other_gain - other_loss:
        return
    for word, same, values in (
        ("gain", loss == other_loss, (gain, other_gain)),
        ("loss", gain == other_gain, (loss, other_loss)),
    ):
        if same:
            text = f"the {word} of seat {seat + 1} in the deal"
            yield from _unlike(text, f"{word}(seat {seat + 1})", [str(v) for v in values])
            return
    said = [f"{g - n} (gain {g}, loss {n})" for g, n in rows]
    calls = f"gain(seat {seat + 1})", f"loss(seat {seat + 1})"
    expect = [(_exceeds(*calls, g - n) if g >= n else _exceeds(*calls[::-1], n - g),) for g, n in rows]
    text = f"what the deal is worth to seat {seat + 1}"
    yield Difference(Kind.WORTH, text, (said[0], said[1]), (expect[0], expect[1]))


def _exceeds(more: str, less: str, by: int) -> str:
    """One number above another, without a difference that could be below zero."""
    return f"{more} == {less} + {by}" if by else f"{more} == {less}"


def _unlike(text: str, expression: str, values: Sequence[str]) -> Iterator[Difference]:
    if values[0] != values[1]:
        expect = (f"{expression} == {values[0]}",), (f"{expression} == {values[1]}",)
        yield Difference(Kind.WORTH, text, (values[0], values[1]), expect)


def _menus(lock: Lockstep, pair: Pair) -> Iterator[Difference]:
    here, there = lock.menus(pair)
    theirs = {o: lock.translated(pair, o) for o in here}
    mine = {o for o in theirs.values() if o is not None}
    only = tuple(o for o in here if theirs[o] not in there), tuple(o for o in there if o not in mine)
    if not any(only):
        return
    nodes, games = (lock.a.node(pair), lock.b.node(pair.other)), (lock.a.game, lock.b.game)
    said = [_extra(g, n, o, len(m)) for g, n, o, m in zip(games, nodes, only, (here, there), strict=True)]
    if isinstance(nodes[0], Draw):
        yield Difference(Kind.DRAW, f"what may be drawn at `{nodes[0].name}`", (said[0], said[1]), only=only)
    else:
        yield Difference(Kind.MENU, f"what may be chosen at `{nodes[0].name}`", (said[0], said[1]), only=only)


def _extra(game: Game, node: Node, only: Sequence[Outcome], number: int) -> str:
    """What one side alone allows."""
    counted = f"({number} {'choice' if isinstance(node, Ask) else 'card'}{'s' * (number != 1)})"
    match next(iter(only), None):
        case Choice() as choice if isinstance(node, Ask):
            return f"allows {Narrator(game).choice(node, choice)} {counted}"
        case Chance(card):
            return f"allows {game.deck.name(card)} {counted}"
        case _:
            return f"allows no more {counted}"


# --- steps ------------------------------------------------------------------------------------------------------------


def told_differently(lock: Lockstep, told: tuple[Event, ...], after: Pair) -> Difference | None:
    """The first thing that a seat is told of a step in one game and not in the other. In which order a step moves
    cards is nothing that is told: they lie where they lie when it is over."""
    for seat in range(lock.game.seats):
        heard = [
            _moves_last([(_plain(g.game, o), o) for o in g.observe(events, seat)])
            for g, events in ((lock.a, told), (lock.b, after.told))
        ]
        place = next((n for n, (x, y) in enumerate(zip(*heard, strict=False)) if x[0] != y[0]), None)
        if place is None and len(heard[0]) == len(heard[1]):
            continue
        place = min(map(len, heard)) if place is None else place
        said = []
        for g, rest in zip((lock.a, lock.b), heard, strict=True):
            shown = rest[place][1] if place < len(rest) else None
            said.append("nothing more" if shown is None else Narrator(g.game).observed(shown, seat))
        return Difference(Kind.TOLD, f"what seat {seat + 1} is told", (said[0], said[1]))
    return None


def _moves_last(heard: list[tuple[Hashable, Observed]]) -> list[tuple[Hashable, Observed]]:
    moves = [row for row in heard if isinstance(row[1], SawMove)]
    return [row for row in heard if row not in moves] + sorted(moves, key=lambda row: repr(row[0]))


def _plain(game: Game, observed: Observed) -> Hashable:
    """What is told, by names."""
    zones = {slot: key for key, slot in zone_keys(game).items()}
    match observed:
        case SawChoice(node, seat, verb, arguments):
            ask = game.nodes[node]
            assert isinstance(ask, Ask)
            if verb is None:
                return "choice", ask.name, seat, None
            chosen = ask.verbs[verb]
            shades = zip(arguments, chosen.parameters, strict=True)
            values = tuple("?" if isinstance(a, Unseen) else common(a, p.type) for a, p in shades)
            return "choice", ask.name, seat, chosen.name, values
        case SawMove(count, source, target, drawn, cards):
            return "move", count, zones[source], zones[target], drawn, "?" if isinstance(cards, Unseen) else cards
        case SawCards(cards):
            return "cards", cards
        case SawZone(zone, cards):
            return "zone", zones[zone], cards
        case SawValue(label, value):
            return "value", label, value
        case Gathered(target):
            return "gathered", zones[target]
