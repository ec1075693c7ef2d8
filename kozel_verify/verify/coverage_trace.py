"""Which parts of the rules play comes to: the reference interpreter, made to note what it decides.

In: a game and its options. Out: an interpreter that plays and evaluates as the reference does, and a ``Trace``: which
sides of conditions were taken, which premises were true, which options were read, which steps were played. The notes
are made by a subclass, so the reference itself is not slowed. Trusted: the reference; parts are told apart by identity,
so a game must come from ``apart``, in which no two branches share their condition.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from kozel_verify.interpret.evaluate import Evaluation, Values
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Played
from kozel_verify.interpret.run import Rules
from kozel_verify.interpret.state import Choice, Event, Outcome, State
from kozel_verify.interpret.view import revealed_to
from kozel_verify.model.core import Apply, Ask, Block, Branch, Expr, Game, If, OptionRead
from kozel_verify.model.types import Value


@dataclass(slots=True)
class Trace:
    """``sides``: (identity of a condition's owner or of a premise's implication, its truth). ``chosen``: identities of
    verbs. ``options``: those that were read. ``steps``: all that were played."""

    sides: set[tuple[int, bool]] = field(default_factory=set)
    chosen: set[int] = field(default_factory=set)
    options: set[str] = field(default_factory=set)
    steps: list[Played] = field(default_factory=list)


def apart(game: Game) -> Game:
    """The same game, in which each branch has a condition of its own."""

    def own(block: Block) -> Block:
        match block.end:
            case Branch(condition=condition):
                return replace(block, end=replace(block.end, condition=replace(condition)))
            case _:
                return block

    return replace(game, blocks=tuple(own(b) for b in game.blocks))


class Tracing(Evaluation):
    """Notes the side of each `if`, the premise of each `implies`, and the options read."""

    __slots__ = ("trace",)

    def __init__(
        self,
        game: Game,
        options: Values,
        state: State,
        trace: Trace,
        before: State | None = None,
        revealed: tuple[int, ...] = (),
    ) -> None:
        super().__init__(game, options, state, before, revealed)
        self.trace = trace

    def _value(self, expr: Expr, locals: Values) -> Value:
        match expr:
            case If(condition, then, otherwise):
                truth = bool(self.value(condition, locals))
                self.trace.sides.add((id(expr), truth))
                return self.value(then if truth else otherwise, locals)
            case Apply("implies", (premise, conclusion)):
                truth = bool(self.value(premise, locals))
                self.trace.sides.add((id(expr), truth))
                return self.value(conclusion, locals) if truth else True
            case OptionRead(name):
                self.trace.options.add(name)
                return self.options[name]
            case _:
                return super()._value(expr, locals)


class TracingRules(Rules):
    """Notes the truth of each branch's condition as well."""

    def __init__(self, game: Game, options: Values, trace: Trace) -> None:
        super().__init__(game, options)
        self.trace = trace
        self.branches = {id(b.end.condition): id(b.end) for b in game.blocks if isinstance(b.end, Branch)}

    def evaluate(self, state: State, expr: Expr, locals: Values) -> Value:
        value = Tracing(self.game, self.options, state, self.trace).value(expr, locals)
        branch = self.branches.get(id(expr))
        if branch is not None:
            self.trace.sides.add((branch, bool(value)))
        return value


class Tracer(Interpreter):
    """The reference interpreter with a ``trace``. ``game`` comes from ``apart``. Raises ``BadOptions``."""

    def __init__(self, game: Game, options: Mapping[str, Value], trace: Trace) -> None:
        super().__init__(game, options)
        self.trace = trace
        self._rules = TracingRules(game, self.options, trace)

    def evaluate(
        self,
        state: State,
        expr: Expr,
        locals: Values | None = None,
        before: State | None = None,
        events: Sequence[object] = (),
    ) -> Value:
        revealed = () if before is None else revealed_to(events, self.game.seats)
        return Tracing(self.game, self.options, state, self.trace, before, revealed).value(expr, locals or {})

    def step(self, state: State, outcome: Outcome) -> tuple[State, tuple[Event, ...]]:
        after, events = super().step(state, outcome)
        node = self.node(state)
        if isinstance(node, Ask) and isinstance(outcome, Choice):
            self.trace.chosen.add(id(node.verbs[outcome.verb]))
        self.trace.steps.append(Played(state, outcome, events, after))
        return after, events
