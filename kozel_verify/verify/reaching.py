"""Runs to witnesses that chance hardly meets: the solver says how the cards would have to lie, and a stacked deck has
them come so.

In: a subject and the witnesses to reach. Out: runs, each replayed by the interpreter, for those that were reached;
nothing follows for the others. Dry runs to the nodes where a witness may hold tell how many cards lie in each zone
there, and which card of the deck comes into which. The solver imagines such a state (``symbolic.imagine``), a deck is
stacked by it, and answers are tried that move as many cards as those of the dry run, the ones that lead to states most
like the imagined one first. Bounded by numbers of dry runs, solver resources and questions, never by time.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from kozel_verify.interpret.chance import Generator, shuffled
from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Outcome, State
from kozel_verify.model.core import OUTSIDE, Claim, Node, StateClaim
from kozel_verify.model.types import members
from kozel_verify.symbolic.exact import PlainState
from kozel_verify.symbolic.imagine import imagine
from kozel_verify.verify.stacked import Walk
from kozel_verify.verify.stacking import cards_in_choice
from kozel_verify.verify.subject import Runs, Subject, covering_options

BUDGET = 4_000_000  # solver resources for one imagined state
DRY = 3  # dry runs under each choice of options
ANSWERS = 12  # in a dry run
QUESTIONS = 60  # looked at with a stacked deck
Shape = tuple[int, ...]  # of an answer: the number of cards in each of its arguments that names cards


@dataclass(frozen=True, slots=True)
class Dry:
    """A state met in a dry run, the shapes of the answers that led there, with the nodes where they were given, and the
    zone slot in which the n-th card of the deck then lies."""

    state: State
    answers: tuple[tuple[int, Shape], ...]
    places: tuple[int, ...]

    def sizes(self, slots: int) -> tuple[int, ...]:
        """How many cards lie in each zone slot."""
        return tuple(self.places.count(slot) for slot in range(slots))


def reach(subject: Subject, names: Collection[str]) -> Runs:
    """A run to each of the witnesses that is reached so."""
    game, found = subject.game, Runs()
    claims = [p for p in game.properties if isinstance(p, StateClaim) and p.claim is Claim.WITNESS and p.name in names]
    for options in covering_options(game) if claims else ():
        interpreter = Interpreter(game, options)
        dry = _dry_runs(interpreter, subject.settings.seed)
        for claim in claims:
            if claim.name not in found:
                run = _reached(interpreter, claim, dry, subject.settings.seed)
                if run is not None:
                    found[claim.name] = options, run
    return found


def _dry_runs(interpreter: Interpreter, seed: int) -> list[Dry]:
    """The questions of some plays with random cards and answers; of those with equally many cards in each zone at one
    node the first."""
    game, found = interpreter.game, dict[tuple[object, ...], Dry]()
    for number in range(DRY):
        generator = Generator(seed + number)
        deck = shuffled(members(game.pack), generator.below)
        walk, answers = Walk(interpreter, deck, early=True), list[tuple[int, Shape]]()
        for _ in range(ANSWERS):
            dry = Dry(walk.state, tuple(answers), tuple(walk.state.place[card] for card in deck))
            found.setdefault((walk.state.node, *dry.sizes(game.zone_slots())), dry)
            if walk.fault is not None or not walk.outcomes:
                break
            outcome = walk.outcomes[generator.below(len(walk.outcomes))]
            answers.append((walk.state.node, _shape(interpreter.node(walk.state), outcome)))
            walk = walk.after(outcome)
    return list(found.values())


def _shape(node: Node, outcome: Outcome) -> Shape:
    return tuple(mask.bit_count() for mask in cards_in_choice(node, outcome))


def _reached(interpreter: Interpreter, claim: StateClaim, dry: Sequence[Dry], seed: int) -> tuple[Outcome, ...] | None:
    game = interpreter.game
    for one in dry:
        node = one.state.node
        if node not in claim.nodes or OUTSIDE in one.places:
            continue
        options = dict(interpreter.options)
        aim = imagine(game, options, node, claim.statement, one.sizes(game.zone_slots()), BUDGET)
        if aim is None:
            continue
        deck = stacked(one.places, aim, Generator(seed))
        run = _answered(interpreter, claim, Walk(interpreter, deck, early=True), aim, one.answers)
        if run is not None:
            return run
    return None


def stacked(places: Sequence[int], aim: PlainState, generator: Generator) -> list[int]:
    """A deck whose n-th card lies in the slot ``places[n]`` where each card lies as in ``aim``."""
    there: dict[int, Iterator[int]] = {
        slot: iter(shuffled((c for c, p in enumerate(aim.place) if p == slot), generator.below))
        for slot in sorted(set(places))
    }
    return [next(there[slot]) for slot in places]


def _answered(
    interpreter: Interpreter,
    claim: StateClaim,
    walk: Walk,
    aim: PlainState,
    answers: Sequence[tuple[int, Shape]],
) -> tuple[Outcome, ...] | None:
    """Best first: of the questions found, the one most like the aim is looked at next. Answers have the shapes of the
    dry run's; where the witness may hold, any."""
    queue = [(-likeness(walk.state, aim), 0, 0, walk)]
    number = 0
    for _ in range(QUESTIONS):
        if not queue:
            return None
        _, done, _, here = heappop(queue)
        if here.fault is not None:
            continue
        if here.state.node in claim.nodes and _holds(interpreter, here.state, claim):
            return here.run
        at = interpreter.node(here.state)
        wanted = answers[-done] if -done < len(answers) else None
        for outcome in here.outcomes:
            if wanted is None or here.state.node in claim.nodes or wanted == (here.state.node, _shape(at, outcome)):
                after = here.after(outcome)
                number += 1
                heappush(queue, (-likeness(after.state, aim), done - 1, number, after))
    return None


def _holds(interpreter: Interpreter, state: State, claim: StateClaim) -> bool:
    try:
        return bool(interpreter.evaluate(state, claim.statement))
    except NotWellDefined:
        return False


def likeness(state: State, aim: PlainState) -> int:
    """How many cards lie, and cells are, as in the aim."""
    cards = sum(a == b for a, b in zip(state.place, aim.place, strict=True))
    return cards + sum(a == b for a, b in zip(state.cells, aim.cells, strict=True))
