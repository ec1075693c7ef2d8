"""The questions that make up no peeking: for a seat and a step, what must be equal in any two runs of it.

In: a game, a step (a node, or the choices by which two runs leave it), a seat, and the parts of states that are kept
equal at each node. Out: a ``Question``: twin states, what is given of them, and goals in order. Two runs leave a node
by the same choice if it is the seat's own, else by choices of which it learns no more than the verb and the arguments
that are no cards, or, if the choice is secret, nothing. Trusted: that this is what is told of a choice.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement

from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Ask, CellRead, Draw, End, Expr, Game, Parameter, Rest
from kozel_verify.model.types import CardType, SeatType, SetType, Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.edge import Outcome
from kozel_verify.symbolic.evaluate import Scope, card_set
from kozel_verify.symbolic.faces_sets import FaceEvaluator
from kozel_verify.symbolic.peeking_chain import Chain, Goal, TellingStepper, What
from kozel_verify.symbolic.peeking_twins import Part, Twins, TwinSystem, same
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import Counted, SymValue

Kept = list[frozenset[Part]]  # for each node the parts that are equal there though the seat does not see them


@dataclass(frozen=True, slots=True)
class Step:
    """What is asked about at a node: the node itself (``verbs`` empty), or steps from it. ``verbs``: those of the two
    runs (-1 for chance and rest), which differ only where a choice is secret; ``own``: the choice is the seat's."""

    node: int
    verbs: tuple[int, ...]
    own: bool = False


def steps(game: Game) -> Iterator[Step]:
    """Everything that is asked about, for each seat."""
    for n, node in enumerate(game.nodes):
        yield Step(n, ())
        match node:
            case Ask(_, _, secret, verbs):
                yield from (Step(n, (v, v), True) for v in range(len(verbs)))
                pairs = combinations_with_replacement(range(len(verbs)), 2)
                yield from (Step(n, pair) for pair in pairs if secret or pair[0] == pair[1])
            case Draw() | Rest():
                yield Step(n, (-1, -1))
            case End():
                pass


def step_name(game: Game, step: Step) -> str:
    node = game.nodes[step.node]
    if not step.verbs:
        return f"at {node.name}"
    if not isinstance(node, Ask):
        return node.name
    verbs = " or ".join(dict.fromkeys(node.verbs[v].name for v in step.verbs))
    return f"{node.name}.{verbs} by {'the seat' if step.own else 'another seat'}"


# --- one question -----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Question:
    """Twin states with what is to be shown of them."""

    twins: Twins
    given: list[Term]
    goals: list[Goal]

    def asserted(self, goals: Sequence[Goal]) -> list[Term]:
        return [*self.twins.assumptions(), *self.given, t.not_(t.and_(*(g.term for g in goals)))]


def _cards(parameter: Parameter) -> bool:
    type_ = parameter.type
    return isinstance(type_.of if isinstance(type_, SetType) else type_, CardType)


class Questions:
    """Makes the questions of one game. ``fixed`` options are constants, all others unknown, the same in both runs."""

    def __init__(self, game: Game, fixed: Mapping[str, Value]) -> None:
        self.game = game
        self.system = TwinSystem(game, fixed)

    # --- questions

    def question(self, step: Step, seat: int, kept: Kept) -> Question:
        twins = self.system.twins(step.node, seat, kept[step.node], TellingStepper)
        if not step.verbs:
            return self._node(step, twins)
        return self._step(step, self._seated(step, twins), kept)

    def _seated(self, step: Step, twins: Twins) -> Twins:
        """Where a cell says that it is the seat's own turn, the cell is a constant: much is one term then."""
        node = self.game.nodes[step.node]
        if not step.own or not isinstance(node, Ask) or not isinstance(node.seat, CellRead) or node.seat.index:
            return twins
        slot = self.game.cells[node.seat.cell].base
        me = twins.stepper.evaluator.codec.element(SeatType(self.game.seats), twins.seat)
        first, second = (replace(s, cells=(*s.cells[:slot], me, *s.cells[slot + 1 :])) for s in twins.states)
        return replace(twins, first=first, second=second)

    def _node(self, step: Step, twins: Twins) -> Question:
        """At the node: the owner, and what the play is worth where a deal or a match has ended."""
        game, node = self.game, self.game.nodes[step.node]
        exprs: list[tuple[What, str, Expr, Span]] = []
        if isinstance(node, Ask):
            exprs.append((What.OWNER, f"whose turn it is at `{node.name}`", node.seat, node.span))
        if isinstance(node, End):
            exprs.append((What.RESULT, "the outcome for `seat {}`", game.outcome, game.outcome.span))
        goals, evaluator = [], twins.stepper.evaluator
        for what, text, expr, span in exprs:
            for s in range(game.seats) if what is What.RESULT else (0,):
                local = evaluator.codec.element(SeatType(game.seats), s)
                a, b = (evaluator.value(expr, scope.bind(seat=local)) for scope in twins.scopes)
                goals.append(Goal(what, text.format(s + 1), same(a, b), span, step.node))
        goals += self._worth(twins, step.node) if step.node == game.deal_end else []
        defined = [o.formula() for o in evaluator.take_obligations()]
        return Question(twins, defined, [g for g in goals if g.term is not t.TRUE])

    def _worth(self, twins: Twins, node: int) -> Iterator[Goal]:
        """What counts of gain and loss is their difference."""
        game, evaluator = self.game, twins.stepper.evaluator
        for s in range(game.seats):
            seat = evaluator.codec.element(SeatType(game.seats), s)
            scopes = [scope.bind(seat=seat) for scope in twins.scopes]
            (a, b), (c, d) = ([evaluator.term(e, scope) for scope in scopes] for e in (game.gain, game.loss))
            text = f"what the deal is worth to `seat {s + 1}`"
            yield Goal(What.RESULT, text, t.eq(t.add(a, d), t.add(b, c)), game.gain.span, node)

    def _step(self, step: Step, twins: Twins, kept: Kept) -> Question:
        """From the node: two runs by outcomes that the seat cannot tell apart."""
        stepper, node = twins.stepper, self.game.nodes[step.node]
        assert isinstance(stepper, TellingStepper)
        given = self._turn(step, twins)
        first, valid = self._outcome(step, 0, twins, {})
        shared = {n: a for n, a in enumerate(first.arguments) if self._shared(step, n)}
        second, also_valid = self._outcome(step, 1, twins, shared)
        a, b = (stepper.tell(step.node, s, o) for s, o in ((twins.first, first), (twins.second, second)))
        chain = Chain(stepper, twins.seat, [a.edge.legal])
        if step.own:
            chain.require(What.MENU, "what may be chosen", b.edge.legal, getattr(node, "span", NOWHERE))
        else:
            chain.given.append(b.edge.legal)
        chain.events(a, b, self._starts(step))
        chain.ends(a, b, kept)
        stepper.evaluator.take_obligations()
        defined = [o.formula() for told in (a, b) for o in told.edge.obligations]
        return Question(twins, [*given, *valid, *also_valid, *defined], chain.goals)

    def _turn(self, step: Step, twins: Twins) -> list[Term]:
        """It is the seat's turn in both runs, or in neither."""
        node, evaluator = self.game.nodes[step.node], twins.stepper.evaluator
        if not isinstance(node, Ask):
            return []
        me = evaluator.codec.element(SeatType(self.game.seats), twins.seat)
        turns = [t.eq(evaluator.term(node.seat, scope), me) for scope in twins.scopes]
        return turns if step.own else [t.not_(turn) for turn in turns]

    def _starts(self, step: Step) -> list[int]:
        node = self.game.nodes[step.node]
        match node:
            case Ask():
                return [node.verbs[v].block for v in step.verbs]
            case Draw(block=block) | Rest(block=block):
                return [block]
            case End():
                return []

    def _shared(self, step: Step, argument: int) -> bool:
        """Is the argument the same in both runs: the seat's own, or one of which it is told?"""
        node = self.game.nodes[step.node]
        if not isinstance(node, Ask) or step.own:
            return isinstance(node, Ask)
        return not node.secret and not _cards(node.verbs[step.verbs[0]].parameters[argument])

    def _outcome(
        self, step: Step, run: int, twins: Twins, shared: Mapping[int, SymValue]
    ) -> tuple[Outcome, list[Term]]:
        """Any outcome in one run; the ``shared`` arguments are given."""
        node, mark, evaluator = self.game.nodes[step.node], "'" * run, twins.stepper.evaluator
        verb = step.verbs[run]
        if isinstance(node, Draw):
            value, valid = evaluator.codec.unknown(f"argument:0{mark}", CardType(len(self.game.deck)))
            return Outcome(-1, (value,)), valid
        if not isinstance(node, Ask):
            return Outcome(-1, ()), []
        scope, values, laws = twins.scopes[run], list[SymValue](), list[Term]()
        for n, p in enumerate(node.verbs[verb].parameters):
            value, valid = (shared[n], []) if n in shared else self._argument(twins, p, f"argument:{n}{mark}", scope)
            values.append(value)
            laws += valid
            scope = scope.bind(**{p.name: value})
        return Outcome(verb, tuple(values)), laws

    def _argument(self, twins: Twins, p: Parameter, name: str, scope: Scope) -> tuple[SymValue, list[Term]]:
        evaluator = twins.stepper.evaluator
        assert isinstance(evaluator, FaceEvaluator)
        if not card_set(p.type):
            return evaluator.codec.unknown(name, p.type)
        domain = evaluator.value(p.domain, scope)
        assert isinstance(domain, Counted)
        return evaluator.unknown_part(name, domain), []
