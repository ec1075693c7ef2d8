"""Does a match end? A bound on its deals, or a deal that can be repeated for ever.

In: a subject. Out: a sentence about the match. A deal of a scenario or of a random match is played again and again, the
same cards and the same choices, adapting nothing; if after some deals everything is as before but for `Nat` cells that
have grown, it is proved (``symbolic.repetition``) that this goes on for ever. Every repetition that is told of has been
replayed for several periods by the interpreter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play
from kozel_verify.interpret.state import Chance, Choice, Outcome, Proceed, State
from kozel_verify.interpret.text import value_text
from kozel_verify.interpret.visibility import cell_slots
from kozel_verify.model.core import Ask, Cell, Game, Scenario
from kozel_verify.model.types import Value
from kozel_verify.symbolic.repetition import Moment, growth_of, repeats
from kozel_verify.verify.option_sets import Options
from kozel_verify.verify.scenarios import choice_literal, told_play
from kozel_verify.verify.subject import Subject

DEALS = 40  # of one match in which a repetition is looked for
PERIODS = 3  # that are replayed
FAULTS = (IllegalChoice, NotWellDefined, ReachedDead)


@dataclass(frozen=True, slots=True)
class Deal:
    """The outcomes from the first node of a match to the first end of a deal. ``title``: of its scenario, if any."""

    options: Options
    outcomes: tuple[Outcome, ...]
    title: str


@dataclass(frozen=True, slots=True)
class Endless:
    """``deals``: how many there are in a period; ``before``: how many come before the first."""

    deal: Deal
    before: int
    deals: int
    growth: dict[str, int]
    queries: int


def complete_deals(subject: Subject, of_plays: bool = True) -> Iterator[Deal]:
    """First deals of matches: those that scenarios tell, then those of the random plays if ``of_plays``."""
    game = subject.game
    for scenario in (p for p in game.properties if isinstance(p, Scenario)):
        told = told_play(game, scenario, subject.spec.program.files)
        if told is not None:
            yield from _first(game, dict(told[0].options), told[1], f'"{scenario.name}"')
    for options, play in subject.plays if of_plays else ():
        yield from _first(game, options, play, "")


def _first(game: Game, options: Options, play: Play, title: str) -> Iterator[Deal]:
    ends = [n for n, step in enumerate(play.steps, 1) if step.after.node == game.deal_end]
    if ends:
        yield Deal(options, play.outcomes[: ends[0]], title)


def endless(subject: Subject) -> Endless | None:
    """The first deal that is proved to be repeatable for ever."""
    for deal in complete_deals(subject):
        found = _repeated(subject, deal)
        if found is not None:
            return found
    return None


def _repeated(subject: Subject, deal: Deal) -> Endless | None:
    game, interpreter = subject.game, Interpreter(subject.game, deal.options)
    ends = list(again(interpreter, deal, DEALS))
    for first in range(len(ends)):
        for period in range(1, (len(ends) - first + 1) // 2):
            one, two, three = (ends[first + k * period] for k in range(3))
            growth = growth_of(game, one, two)
            if growth is not None and growth == growth_of(game, two, three):
                return _proved(subject, interpreter, deal, one, first, period)
    return None


def again(interpreter: Interpreter, deal: Deal, most: int) -> Iterator[State]:
    """The states at the ends of deals, as long as the same cards and choices can be played again."""
    state, outcomes = interpreter.initial()[0], deal.outcomes
    for _ in range(most):
        try:
            for outcome in outcomes:
                state = interpreter.step(state, outcome)[0]
        except FAULTS:
            return
        if state.node != interpreter.game.deal_end:
            return
        yield state
        outcomes = (Proceed(), *deal.outcomes)


def _proved(
    subject: Subject, interpreter: Interpreter, deal: Deal, start: State, before: int, period: int
) -> Endless | None:
    outcomes = (Proceed(), *deal.outcomes) * period
    periods = [list[State]()]
    state = start
    try:
        for _ in range(PERIODS):
            for outcome in outcomes:
                periods[-1].append(state)
                state = interpreter.step(state, outcome)[0]
            periods.append([])
    except FAULTS:
        return None
    moments = [Moment(a, b, *_plain(outcome)) for a, b, outcome in zip(periods[0], periods[1], outcomes, strict=True)]
    found = repeats(subject.game, deal.options, moments, subject.settings.budget)
    if not found.proved:
        return None
    names = cell_slots(subject.game)
    growth = {_slot_text(subject.game, *names[slot]): by for slot, by in found.growth.items()}
    return Endless(deal, before + 1, period, growth, found.queries)


def _plain(outcome: Outcome) -> tuple[int, tuple[Value, ...]]:
    match outcome:
        case Choice(verb, arguments):
            return verb, arguments
        case Chance(card):
            return -1, (card,)
        case Proceed():
            return -1, ()


# --- texts -----------------------------------------------------------------------------------------------------------


def endless_text(game: Game, found: Endless) -> str:
    """``the match has no bound: …``"""
    grown = ", ".join(f"{name} by {by}" for name, by in found.growth.items()) or "nothing"
    first = "the first" if found.before == 1 else f"deal {found.before}"
    deals = "each deal" if found.deals == 1 else f"every {found.deals} deals"
    options = [
        f"{o.name} = {value_text(game, found.deal.options[o.name], o.type)}"
        for o in game.options.values()
        if found.deal.options[o.name] != o.default
    ]
    where = f" with {', '.join(options)}" if options else ""
    title = found.deal.title or _told(Interpreter(game, found.deal.options), found.deal.outcomes)
    return (
        f"the match has no bound: the deal of {title}{where}, played again and again, leaves from {first} on "
        f"after {deals} everything as it was but raises {grown}; proved for ever, {PERIODS} periods replayed"
    )


def _told(interpreter: Interpreter, outcomes: Sequence[Outcome]) -> str:
    """A deal written out: the cards as they come, and the choices."""
    game, state = interpreter.game, interpreter.initial()[0]
    cards, choices = list[str](), list[str]()
    for outcome in outcomes:
        node = interpreter.node(state)
        match outcome:
            case Chance(card):
                cards.append(game.deck.name(card))
            case Choice() if isinstance(node, Ask):
                choices.append(choice_literal(game, node, outcome))
            case _:
                pass
        state = interpreter.step(state, outcome)[0]
    return f"the cards {' '.join(cards)} and the choices {', '.join(choices)}"


def _slot_text(game: Game, cell: Cell, index: Value) -> str:
    return cell.name if cell.index is None else f"{cell.name}[{value_text(game, index, cell.index)}]"
