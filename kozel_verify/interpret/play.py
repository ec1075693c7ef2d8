"""Playing a game by its rules: states, legal outcomes, steps, and what each seat sees of them.

``Interpreter`` is the reference for every engine. Seats, nodes, verbs and cards are indices from 0; a set is a mask.
Canonical order of the outcomes of a question: verbs in the order of the spec; arguments in the order of their
parameters, the first varying slowest; subsets by size, those of one size as ``itertools.combinations`` of the elements
in ascending order.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from kozel_verify.interpret.errors import BadOptions, IllegalChoice, NotWellDefined, Reason
from kozel_verify.interpret.evaluate import Values, contents, evaluate, number
from kozel_verify.interpret.run import Rules, Run
from kozel_verify.interpret.state import Chance, Choice, Chosen, Event, Outcome, Proceed, State
from kozel_verify.interpret.text import choice_text, value_text
from kozel_verify.interpret.view import Observed, View, observe, revealed_to, view
from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    OUTSIDE,
    Ask,
    Draw,
    End,
    Expr,
    Game,
    Node,
    Parameter,
    Rest,
    Verb,
    ZoneRef,
)
from kozel_verify.model.graph import options_read
from kozel_verify.model.types import Value, is_value, members


class Interpreter:
    """A game with a value for each of its options."""

    def __init__(self, game: Game, options: Mapping[str, Value] | None = None) -> None:
        """``options`` may be partial; the defaults fill it up. Raises ``BadOptions``."""
        self.game = game
        self.options: Values = _complete(game, options or {})
        self._rules = Rules(game, self.options)
        for constraint in game.constraints:
            if not evaluate(game, self.options, self._blank(), constraint, {}):
                read = options_read(constraint, game.functions)
                told = (
                    f"{n} = {value_text(game, self.options[n], o.type)}" for n, o in game.options.items() if n in read
                )
                raise BadOptions(f"{constraint.span}: the options break this constraint: {', '.join(told)}")

    def _blank(self) -> State:
        """All cards of the pack in zone slot 0, all cells at their initial values, before the first block."""
        place = tuple(0 if self.game.pack >> card & 1 else OUTSIDE for card in range(len(self.game.deck)))
        return State(0, tuple(cell.initial for cell, _ in self._rules.cell_slots), place)

    def initial(self) -> tuple[State, tuple[Event, ...]]:
        """The state at the first node, and the events before it. Raises ``NotWellDefined``, ``ReachedDead``."""
        return Run(self._rules, self._blank()).finish(self.game.entry)

    def evaluate(
        self,
        state: State,
        expr: Expr,
        locals: Values | None = None,
        before: State | None = None,
        events: Sequence[object] = (),
    ) -> Value:
        """The value of an expression in a state, after a step from ``before`` with these events if it is about one.
        Raises ``NotWellDefined``."""
        revealed = () if before is None else revealed_to(events, self.game.seats)
        return evaluate(self.game, self.options, state, expr, locals or {}, before, revealed)

    def node(self, state: State) -> Node:
        return self.game.nodes[state.node]

    def owner(self, state: State) -> int | None:
        """The seat that is asked, or ``None`` at a node of another kind."""
        node = self.node(state)
        return number(self.evaluate(state, node.seat)) if isinstance(node, Ask) else None

    def zone_slot(self, state: State, ref: ZoneRef, span: Span) -> int:
        """The zone slot that a reference stands for. Raises ``NotWellDefined`` outside of a family."""
        return Run(self._rules, state).zone(ref, span)

    # --- what may happen -----------------------------------------------------------------------------------------

    def outcomes(self, state: State) -> list[Outcome]:
        """All legal outcomes in canonical order; none exactly when the match is over or play is stuck.

        Raises ``NotWellDefined``, also for a draw from an empty zone.
        """
        node = self.node(state)
        match node:
            case Ask(verbs=verbs):
                return [Choice(n, arguments) for n, verb in enumerate(verbs) for arguments in self._menu(state, verb)]
            case Draw():
                return [Chance(card) for card in members(self._drawable(state, node))]
            case Rest():
                return [Proceed()]
            case End():
                return []

    def _menu(self, state: State, verb: Verb) -> Iterator[tuple[Value, ...]]:
        for arguments in self._arguments(state, verb.parameters, {}):
            if self.evaluate(state, verb.guard, _named(verb, arguments)):
                yield arguments

    def _arguments(
        self, state: State, parameters: tuple[Parameter, ...], locals: Values
    ) -> Iterator[tuple[Value, ...]]:
        if not parameters:
            yield ()
            return
        for value in self._candidates(state, parameters[0], locals):
            for rest in self._arguments(state, parameters[1:], {**locals, parameters[0].name: value}):
                yield value, *rest

    def _candidates(self, state: State, parameter: Parameter, locals: Values) -> Iterator[int]:
        """All values of one argument: elements of the domain, or subsets of it within the bounds."""
        domain = list(members(number(self.evaluate(state, parameter.domain, locals))))
        if parameter.lo is None or parameter.hi is None:
            yield from domain
            return
        lo = number(self.evaluate(state, parameter.lo, locals))
        hi = number(self.evaluate(state, parameter.hi, locals))
        for size in range(lo, min(hi, len(domain)) + 1):
            for subset in combinations(domain, size):
                yield sum(1 << element for element in subset)

    def _drawable(self, state: State, node: Draw) -> int:
        """The cards of a draw's source; ``NotWellDefined`` when there are none."""
        cards = contents(state, self.zone_slot(state, node.source, node.span))
        if not cards:
            raise NotWellDefined(node.span, f"nothing to draw from `{node.source.zone}`")
        return cards

    def is_legal(self, state: State, outcome: Outcome) -> bool:
        """Is ``outcome`` one of ``outcomes(state)``? Raises ``NotWellDefined``."""
        try:
            self.check(state, outcome)
        except IllegalChoice:
            return False
        return True

    def check(self, state: State, outcome: Outcome) -> None:
        """Raises ``IllegalChoice`` with the reason unless ``outcome`` is legal; raises ``NotWellDefined``."""
        node = self.node(state)
        match node, outcome:
            case Ask(), Choice():
                self._check_choice(state, node, outcome)
            case Draw(), Chance(card):
                if card < 0 or not self._drawable(state, node) >> card & 1:
                    raise IllegalChoice(
                        Reason.DOMAIN, node.span, f"card {card} cannot be drawn: not in `{node.source.zone}`"
                    )
            case Rest(), Proceed():
                pass
            case _:
                expected = {Ask: "a choice", Draw: "a card", Rest: "nothing but to go on", End: "nothing: it is over"}
                raise IllegalChoice(Reason.KIND, node.span, f"`{node.name}` awaits {expected[type(node)]}")

    def _check_choice(self, state: State, node: Ask, choice: Choice) -> None:
        if not 0 <= choice.verb < len(node.verbs):
            raise IllegalChoice(Reason.VERB, node.span, f"`{node.name}` has no verb {choice.verb}")
        verb = node.verbs[choice.verb]
        if len(choice.arguments) != len(verb.parameters):
            message = f"`{verb.name}` takes {len(verb.parameters)} arguments, not {len(choice.arguments)}"
            raise IllegalChoice(Reason.VERB, verb.span, message)
        locals: dict[str, Value] = {}
        for parameter, argument in zip(verb.parameters, choice.arguments, strict=True):
            self._check_argument(state, parameter, argument, locals)
            locals[parameter.name] = argument
        if not self.evaluate(state, verb.guard, locals):
            text = choice_text(self.game, node, choice)
            raise IllegalChoice(Reason.GUARD, verb.span, f"`{text}` does not fulfil the condition of `{verb.name}`")

    def _check_argument(self, state: State, parameter: Parameter, argument: Value, locals: Values) -> None:
        where = f"`{parameter.name}`"
        if not is_value(argument, parameter.type):
            raise IllegalChoice(Reason.DOMAIN, parameter.span, f"{where} is a `{parameter.type}`, not {argument!r}")
        chosen = number(argument)
        domain = number(self.evaluate(state, parameter.domain, locals))
        if parameter.lo is None or parameter.hi is None:
            if not domain >> chosen & 1:
                text = value_text(self.game, chosen, parameter.type)
                raise IllegalChoice(Reason.DOMAIN, parameter.span, f"{text} is not to be had for {where}")
            return
        if chosen & ~domain:
            text = value_text(self.game, chosen & ~domain, parameter.type)
            raise IllegalChoice(Reason.DOMAIN, parameter.span, f"{text} is not to be had for {where}")
        lo = number(self.evaluate(state, parameter.lo, locals))
        hi = number(self.evaluate(state, parameter.hi, locals))
        if not lo <= chosen.bit_count() <= hi:
            bounds = str(lo) if lo == hi else f"{lo} to {hi}"
            message = f"{where} has {chosen.bit_count()} elements where {bounds} are asked"
            raise IllegalChoice(Reason.BOUNDS, parameter.span, message)

    # --- what happens --------------------------------------------------------------------------------------------

    def step(self, state: State, outcome: Outcome) -> tuple[State, tuple[Event, ...]]:
        """The state at the next node and the events on the way.

        Raises ``IllegalChoice`` before anything else, ``NotWellDefined`` or ``ReachedDead`` for faults of the spec.
        """
        self.check(state, outcome)
        node = self.node(state)
        run = Run(self._rules, state)
        match node, outcome:
            case Ask(), Choice(index, arguments):
                verb = node.verbs[index]
                seat = number(self.evaluate(state, node.seat))
                run.events.append(Chosen(state.node, seat, index, arguments, node.secret))
                for parameter, argument in zip(verb.parameters, arguments, strict=True):
                    run.store(parameter.cell, None, argument, parameter.span)
                return run.finish(verb.block)
            case Draw(), Chance(card):
                run.draw(node, card)
                return run.finish(node.block)
            case Rest(), Proceed():
                return run.finish(node.block)
            case _:
                raise AssertionError("an outcome of the wrong kind passed the check")

    # --- what is seen and what it comes to -----------------------------------------------------------------------

    def view(self, state: State, seat: int) -> View:
        """All that ``seat`` sees of a state. Raises ``NotWellDefined``."""
        return view(self._rules, state, seat, self.owner(state))

    def observe(self, events: tuple[Event, ...], seat: int) -> tuple[Observed, ...]:
        """What ``seat`` learns from the events of an edge, in order."""
        return observe(self.game, events, seat)

    def outcome(self, state: State, seat: int) -> int:
        """0 lost, 1 neither, 2 won. ``ValueError`` unless the match is over; raises ``NotWellDefined``."""
        if not isinstance(self.node(state), End):
            raise ValueError("a match has an outcome only when it is over")
        return number(self.evaluate(state, self.game.outcome, {"seat": seat}))

    def payoff(self, state: State, seat: int) -> int:
        """What the finished deal is worth to a seat: gain minus loss, so it may be negative.

        ``ValueError`` unless the state is at the end of a deal; raises ``NotWellDefined``.
        """
        if state.node != self.game.deal_end:
            raise ValueError("a deal has a payoff only at its end")
        gain = number(self.evaluate(state, self.game.gain, {"seat": seat}))
        return gain - number(self.evaluate(state, self.game.loss, {"seat": seat}))


def _named(verb: Verb, arguments: tuple[Value, ...]) -> dict[str, Value]:
    return {p.name: a for p, a in zip(verb.parameters, arguments, strict=True)}


def _complete(game: Game, given: Mapping[str, Value]) -> dict[str, Value]:
    """The given values and the defaults of the rest. Raises ``BadOptions``."""
    for name, value in given.items():
        if name not in game.options:
            known = ", ".join(f"`{n}`" for n in game.options) or "none"
            raise BadOptions(f"`{game.name}` has no option `{name}`; its options: {known}")
        option = game.options[name]
        if not any(value == v and type(value) is type(v) for v in option.values):
            allowed = ", ".join(value_text(game, v, option.type) for v in option.values)
            raise BadOptions(f"`{name}` cannot be {value_text(game, value, option.type)}; its values: {allowed}")
    return {name: given.get(name, option.default) for name, option in game.options.items()}
