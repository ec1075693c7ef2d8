"""A ``scenario`` replayed in the reference interpreter: choices that a spec writes down, and what it expects of them.

In go a game and a scenario; out comes where and why it fails, or that it does not. How a scenario is read:

* Without ``start at`` play begins where a match begins. With it, at that node, in a state in which the ``set`` cells
  and zones are as written and all else is as at the very beginning; a node inside of a loop cannot be started at, since
  the loop's own variables have no names there.
* With a ``deck`` the cards come off in its order, as long as that order decides: once all cards have been gathered a
  second time, or cards have gone back to others that are drawn from, each draw is a step ``draw CARD``. Without a deck
  every draw is.
* A choice is made by the seat that is asked, and must be legal; one behind ``not`` must not be, and play stays where it
  is. A verb that nobody has there, or a choice of another seat, is a mistake of the scenario in both. Draws that the
  deck decides, and the ends of deals, are passed by themselves on the way to it.
* ``end`` says that the match is over; the end of the deal before it is passed.
* ``expect`` is evaluated when play has come to the next question or end. Behind a step ``draw`` it is evaluated right
  there. So a deck may be given, and draws be written out all the same, where the moment between two of them matters.
* ``told`` is all that seats have been told, at the moment at which ``expect`` would be evaluated, since the last
  choice, written draw or ``end`` began; ends of deals that are passed on the way to it count too. Before the first of
  them it is what they have been told since the beginning.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from kozel_verify.interpret.errors import IllegalChoice, NotWellDefined, ReachedDead, Reason
from kozel_verify.interpret.evaluate import contents
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Play
from kozel_verify.interpret.record import replay as replay_run
from kozel_verify.interpret.state import Chance, Choice, Event, Gathered, Moved, Outcome, Proceed, State
from kozel_verify.interpret.text import set_text, value_text
from kozel_verify.interpret.visibility import indices
from kozel_verify.language.spans import Span
from kozel_verify.model.core import Ask, CellKind, Const, Draw, End, Game, Node, Rest, Scenario, Step, Verb
from kozel_verify.model.types import SeatType, is_value, members
from kozel_verify.verify.explain import Explainer
from kozel_verify.verify.given import NoSuchState, interpreter_for, state_of
from kozel_verify.verify.scenario_text import literal
from kozel_verify.verify.told import heard, told_text, written

MENU = 12  # legal choices that a message lists
PATIENCE = 100_000  # nodes that are passed by themselves before a scenario is given up


@dataclass(frozen=True, slots=True)
class Failure:
    """Where a scenario does not go as written, and why."""

    span: Span
    lines: tuple[str, ...]


class _Fails(Exception):
    def __init__(self, span: Span, *lines: str) -> None:
        self.failure = Failure(span, lines)
        super().__init__(lines[0])

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.failure.span, *self.failure.lines)


def replay_scenario(game: Game, scenario: Scenario, texts: Mapping[str, str]) -> Failure | None:
    """The first thing that does not go as written; ``None`` when all does. ``texts`` are for quoting."""
    try:
        return replay_with(interpreter_for(game, scenario.given, scenario.span), scenario, texts)
    except NoSuchState as wrong:
        return Failure(wrong.span, (wrong.message,))


def replay_with(interpreter: Interpreter, scenario: Scenario, texts: Mapping[str, str]) -> Failure | None:
    """The same by an interpreter that has the scenario's options. Raises ``NoSuchState``."""
    return _Replay(interpreter, scenario, texts).run()


def told_play(game: Game, scenario: Scenario, texts: Mapping[str, str]) -> tuple[Interpreter, Play] | None:
    """The play that a scenario tells from the beginning of a match, as far as it goes, whatever it expects; ``None``
    for one that starts in the middle, or whose options are not allowed."""
    if scenario.start is not None:
        return None
    bare = replace(scenario, steps=tuple(s for s in scenario.steps if s.kind in ("choose", "draw", "end")))
    try:
        replay = _Replay(interpreter_for(game, scenario.given, scenario.span), bare, texts)
    except NoSuchState:
        return None
    replay.run()
    return replay.interpreter, replay_run(replay.interpreter, replay.outcomes)


class _Replay:
    def __init__(self, interpreter: Interpreter, scenario: Scenario, texts: Mapping[str, str]) -> None:
        self.interpreter = interpreter
        self.game = interpreter.game
        self.scenario = scenario
        self.explainer = Explainer(interpreter, texts)
        self.deck = _Deck(self.game, scenario.deck) if scenario.deck else None
        self.state = State(0, (), ())
        self.outcomes: list[Outcome] = []
        self.named_draw = False  # the last step has named its card
        self.told: list[Event] = []  # what has happened since the last step that moved play began

    def run(self) -> Failure | None:
        span = self.scenario.span
        try:
            self.begin()
            for step in self.scenario.steps:
                span = step.span
                self.step(step)
        except _Fails as fails:
            return fails.failure
        except (NotWellDefined, ReachedDead) as fault:
            return Failure(span, (f"the rules fail here: {fault}",))
        return None

    def begin(self) -> None:
        start, given = self.scenario.start, self.scenario.given
        if start is not None:
            self.require_plain(start)
            self.state = state_of(self.interpreter, given, start)
            return
        for g in given:
            if not g.is_option:
                raise _Fails(g.span, f"`{g.name}` can be set only in a scenario that begins with `start at`")
        self.state, opening = self.interpreter.initial()
        self.follow(opening)

    def require_plain(self, node: int) -> None:
        """A node where play depends on a loop's variables has no state that the names of a spec can write down."""
        hidden = [n for n in sorted(self.game.live[node]) if self.game.cells[n].kind is not CellKind.DECLARED]
        if hidden:
            plain = [n.name for i, n in enumerate(self.game.nodes) if not self.game.live[i]]
            name = self.game.nodes[node].name
            raise _Fails(
                self.scenario.span,
                f"a scenario cannot start at `{name}`: it is inside of a loop",
                "it can start at " + ", ".join(f"`{n}`" for n in plain),
            )

    # --- steps ---------------------------------------------------------------------------------------------------

    def step(self, step: Step) -> None:
        match step.kind:
            case "choose":
                self.choose(step)
            case "refuse":
                self.refuse(step)
            case "draw":
                self.draw(step)
            case "end":
                self.end(step)
            case "told":
                self.is_told(step)
                return
            case _:
                self.expect(step)
        self.named_draw = step.kind == "draw"

    def take(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)
        self.state, events = self.interpreter.step(self.state, outcome)
        self.follow(events)

    def follow(self, events: Sequence[Event]) -> None:
        self.told += events
        if self.deck is not None:
            self.deck.follow(events, self.state)

    def deck_card(self) -> int | None:
        """The card that the deck brings at the draw where play stands; ``None`` when it does not decide."""
        node = self.interpreter.node(self.state)
        if self.deck is None or not isinstance(node, Draw):
            return None
        return self.deck.next(self.state, self.interpreter.zone_slot(self.state, node.source, node.span))

    def deal_out(self, through_rests: bool) -> None:
        """Pass the draws that the deck decides; with ``through_rests`` the ends of deals as well."""
        for _ in range(PATIENCE):
            if through_rests:
                self.pass_rests()
            card = self.deck_card()
            if card is None:
                return
            self.take(Chance(card))

    def pass_rests(self) -> None:
        """Pass the ends of deals, as long as that leads anywhere new: rules at fault may have no way out of them."""
        passed: set[State] = set()
        while isinstance(self.interpreter.node(self.state), Rest):
            if self.state in passed or len(passed) == PATIENCE:
                return
            passed.add(self.state)
            self.take(Proceed())

    def begins(self) -> None:
        """Play is moved: draws on the way to the next question belong to the step before."""
        self.deal_out(through_rests=False)
        self.told = []

    def choose(self, step: Step) -> None:
        self.begins()
        node, choice = self.answer(step)
        try:
            self.take(choice)
        except IllegalChoice as illegal:
            why = self.refused(node.verbs[choice.verb], step) if illegal.reason is Reason.GUARD else [illegal.message]
            raise _Fails(step.span, f"this is not legal: {why[0]}", *why[1:], *self.menu(node)) from illegal

    def refuse(self, step: Step) -> None:
        node, choice = self.answer(step)
        verb = node.verbs[choice.verb]
        types = [p.type for p in verb.parameters]
        if len(types) != len(step.arguments) or not all(map(is_value, step.arguments, types)):
            raise _Fails(step.span, f"these are no arguments of `{verb.name}` at `{node.name}`", *self.menu(node))
        if self.interpreter.is_legal(self.state, choice):
            why = self.refused(verb, step)
            raise _Fails(step.span, "this is legal, and the scenario says that it is not", *why, *self.menu(node))

    def answer(self, step: Step) -> tuple[Ask, Choice]:
        """The question that the step answers, once play has come to it, and the answer."""
        self.deal_out(through_rests=True)
        node = self.interpreter.node(self.state)
        if isinstance(node, End):
            raise _Fails(step.span, "the match is over")
        if not isinstance(node, Ask):
            raise _Fails(step.span, *self.undecided(node))
        asked = self.interpreter.owner(self.state)
        if asked != step.seat:
            whose, who = (value_text(self.game, seat, SeatType(self.game.seats)) for seat in (asked, step.seat))
            raise _Fails(step.span, f"{whose} is asked (`{node.name}`), not {who}", *self.menu(node))
        verbs = [n for n, v in enumerate(node.verbs) if v.name == step.verb]
        if not verbs:
            names = ", ".join(f"`{v.name}`" for v in node.verbs)
            raise _Fails(step.span, f"nobody can `{step.verb}` at `{node.name}`; the verbs are {names}")
        return node, Choice(verbs[0], step.arguments)

    def refused(self, verb: Verb, step: Step) -> list[str]:
        """What decides the condition of a verb for these arguments; nothing when it has none."""
        if isinstance(verb.guard, Const):
            return []
        named = {p.name: a for p, a in zip(verb.parameters, step.arguments, strict=True)}
        return self.explainer.why(self.state, verb.guard, named)

    def menu(self, node: Ask) -> list[str]:
        choices = [c for c in self.interpreter.outcomes(self.state) if isinstance(c, Choice)]
        lines = [f"  {choice_literal(self.game, node, c)}" for c in choices[:MENU]]
        if len(choices) > MENU:
            lines.append(f"  and {len(choices) - MENU} more")
        return ["legal are:" if choices else "nothing is legal", *lines]

    def undecided(self, node: Node) -> list[str]:
        if isinstance(node, Draw) and not contents(
            self.state, self.interpreter.zone_slot(self.state, node.source, node.span)
        ):
            return [f"a card is drawn first (`{node.name}`), and `{node.source.zone}` is empty"]
        why = "there is no deck" if self.deck is None else "the deck does not decide it: cards have been mixed"
        return [f"a card is drawn first (`{node.name}`), and {why}", "write `draw CARD` before this step"]

    def draw(self, step: Step) -> None:
        self.told = []
        self.pass_rests()
        node = self.interpreter.node(self.state)
        if not isinstance(node, Draw):
            raise _Fails(step.span, f"no card is drawn here: play is at `{node.name}`")
        (card,) = step.arguments
        assert isinstance(card, int)
        given = self.deck_card()
        if given not in (None, card):
            raise _Fails(step.span, f"the deck brings {self.game.deck.name(given or 0)} here")
        slot = self.interpreter.zone_slot(self.state, node.source, node.span)
        there = contents(self.state, slot)
        if not there >> card & 1:
            name = self.game.deck.name(card)
            raise _Fails(step.span, f"{name} is not in `{node.source.zone}`; there lie {set_text(self.game, there)}")
        self.take(Chance(card))

    def end(self, step: Step) -> None:
        self.begins()
        self.deal_out(through_rests=True)
        node = self.interpreter.node(self.state)
        if not isinstance(node, End):
            raise _Fails(step.span, f"the match is not over: play goes on at `{node.name}`")

    def expect(self, step: Step) -> None:
        if not self.named_draw:
            self.deal_out(through_rests=False)
        assert step.statement is not None
        if not self.interpreter.evaluate(self.state, step.statement):
            raise _Fails(step.span, *self.explainer.why(self.state, step.statement))

    def is_told(self, step: Step) -> None:
        if not self.named_draw:
            self.deal_out(through_rests=False)
        (seats,) = step.arguments
        for seat in members(int(seats or 0)):
            things = heard(self.told, seat)
            if things != written(step):
                lines = (f"written: {told_text(self.game, written(step))}", f"told: {told_text(self.game, things)}")
                raise _Fails(step.span, f"this is not what seat {seat + 1} was told", *lines)


def choice_literal(game: Game, ask: Ask, choice: Choice) -> str:
    """A choice as a scenario writes it: ``lead({8♥, J♥})``."""
    verb = ask.verbs[choice.verb]
    pairs = zip(choice.arguments, verb.parameters, strict=True)
    inside = ", ".join(literal(game, argument, parameter.type) for argument, parameter in pairs)
    return f"{verb.name}({inside})" if inside else verb.name


class _Deck:
    """A written order of all cards, for as long as it decides what is drawn; agrees with ``DeckChance`` so long."""

    def __init__(self, game: Game, order: Sequence[int]) -> None:
        self._order = order
        self._gathered = False
        self._decides = True
        names = {node.source.zone for node in game.nodes if isinstance(node, Draw)}
        drawn_from = [zone for zone in game.zones.values() if zone.name in names]
        self._sources = frozenset(zone.base + k for zone in drawn_from for k in range(len(indices(zone.index))))

    def next(self, state: State, slot: int) -> int | None:
        if not self._decides:
            return None
        return next((card for card in self._order if state.place[card] == slot), None)

    def follow(self, events: Sequence[Event], after: State) -> None:
        for event in events:
            match event:
                case Gathered():
                    self._decides = self._decides and not self._gathered
                    self._gathered = True
                case Moved(target=target) if target in self._sources and contents(after, target).bit_count() > 1:
                    self._decides = False
                case _:
                    pass
