"""Where a bisimulation asks: related states at a pair of nodes, and the same outcome on both sides.

In go two joined games and what is known of A; out come ``Question``s: a state of A, the related one of B, and what
holds of them. A cell is equal in both when both games have it, it was not dropped, and it lives at the node on both
sides; any other may have any value. Trusted: that real related states are among these.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from kozel_verify.model.core import Ask, CellKind, Const, Draw, Rest, Visibility, slot_count
from kozel_verify.model.types import CardType, Type, Value, element_indices
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.bisimulation_edges import Goal, Walker
from kozel_verify.symbolic.bisimulation_forms import Forms
from kozel_verify.symbolic.cases import Known
from kozel_verify.symbolic.edge import Outcome
from kozel_verify.symbolic.evaluate import SymState, card_set
from kozel_verify.symbolic.exact import unknown_options
from kozel_verify.symbolic.faces_sets import FaceEvaluator
from kozel_verify.symbolic.faces_system import FaceSystem
from kozel_verify.symbolic.side_by_side import Joined
from kozel_verify.symbolic.system import Place, cell_types, facts
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import SymValue, equal


@dataclass(slots=True)
class Question:
    """What is to be shown from one place."""

    place: Place | None
    stepper: Walker
    constraints: tuple[Term, ...]
    given: list[Term] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)
    arguments: tuple[tuple[SymValue, Type], ...] = ()

    def asserted(self, goals: Sequence[Goal]) -> list[Term]:
        known = [*self.constraints, *facts(self.stepper), *self.given]
        return [*known, t.not_(t.and_(*(g.term for g in goals)))]


def for_nobody(seen: Visibility) -> bool:
    return isinstance(seen.seats, Const) and not seen.seats.value


class Places:
    """See the module. ``hidden``: the cells that nobody ever sees, which may be ``dropped``."""

    def __init__(self, joined: Joined, known: Known) -> None:
        self.joined, self.known, self.game = joined, known, joined.game
        self.system = FaceSystem(self.game, joined.fixed)
        self.forms = Forms(joined)
        self.hidden = frozenset(
            c.name
            for c in self.game.cells.values()
            if c.kind is not CellKind.DECLARED or (for_nobody(c.seen) and for_nobody(joined.cells.get(c.name, c.seen)))
        )
        self.dropped: set[str] = set()

    # --- which cells are equal

    def kept(self, cell: str) -> bool:
        """Is the cell equal in related states?"""
        return cell in self.joined.shared and cell not in self.dropped

    def kept_at(self, cell: str, node: int) -> bool:
        """Is the cell equal at this node? A cell that lives on one side alone is not."""
        lives = [self.lives(cell, n) for n in (node, self.joined.pairs[node])]
        return self.kept(cell) and lives[0] == lives[1]

    def lives(self, cell: str, node: int) -> bool:
        return self.game.cells[cell].kind is CellKind.DECLARED or cell in self.game.live[node]

    def forgotten(self, node: int) -> bool:
        """Is some cell that lives at the node, on either side, not kept there?"""
        nodes = node, self.joined.pairs[node]
        return any(
            not self.kept_at(c.name, node) and any(self.lives(c.name, n) for n in nodes)
            for c in self.game.cells.values()
        )

    # --- questions

    def beginning(self) -> Question:
        """Before the match."""
        evaluator = FaceEvaluator(self.game, self.system.measures)
        options, constraints = unknown_options(evaluator, self.system.fixed)
        stepper = Walker(evaluator, options)
        stepper.watched |= self.forms.watched
        return Question(None, stepper, constraints)

    def question(self, node: int) -> tuple[Question, SymState]:
        """A state of A at the node, and the related one of B."""
        place = self.system.place(node)
        evaluator = place.stepper.evaluator
        assert isinstance(evaluator, FaceEvaluator)
        stepper = Walker(evaluator, place.stepper.options)
        stepper.watched |= self.forms.watched
        cells, laws = list(place.state.cells), list[Term]()
        live = cell_types(self.game, self.joined.pairs[node])
        for cell in self.game.cells.values():
            for slot in range(cell.base, cell.base + slot_count(cell.index)):
                if self.kept_at(cell.name, node):
                    continue
                type_, initial, is_live = live[slot]
                if not is_live:
                    cells[slot] = evaluator.constant(initial, type_)
                elif card_set(type_):
                    cells[slot] = evaluator.unknown_set(f"cell:{slot}'")
                else:
                    cells[slot], valid = evaluator.codec.unknown(f"cell:{slot}'", type_)
                    laws += valid
        question = Question(place, stepper, (*place.constraints, *laws))
        for expr in self.known.get(node, ()):
            evaluator.take_obligations()
            value = evaluator.truth(expr, place.scope)
            defined = t.and_(*(o.formula() for o in evaluator.take_obligations()))
            question.given.append(t.implies(defined, value))
        return question, SymState(tuple(cells), place.state.zones)

    def outcomes(
        self, question: Question, node: int, verbs: tuple[int, int]
    ) -> tuple[Outcome | None, Outcome | None] | None:
        """Any outcome, the same on both sides; ``None`` for a side without the verb, or for both when the arguments
        are of different types."""
        assert question.place is not None
        nodes = self.game.nodes[node], self.game.nodes[self.joined.pairs[node]]
        evaluator = question.stepper.evaluator
        if isinstance(nodes[0], Draw):
            card = CardType(len(self.game.deck))
            value, valid = evaluator.codec.unknown("argument:0", card)
            question.constraints = (*question.constraints, *valid)
            question.arguments = ((value, card),)
            return Outcome(-1, (value,)), Outcome(-1, (value,))
        if isinstance(nodes[0], Rest):
            return Outcome(-1, ()), Outcome(-1, ())
        lists = [n.verbs[v].parameters for n, v in zip(nodes, verbs, strict=True) if v >= 0 and isinstance(n, Ask)]
        types = [[p.type for p in parameters] for parameters in lists]
        if types[0] != types[-1]:
            return None
        values: list[SymValue] = []
        for n, type_ in enumerate(types[0]):
            if card_set(type_):
                assert isinstance(evaluator, FaceEvaluator)
                values.append(evaluator.unknown_set(f"argument:{n}"))
            else:
                value, valid = evaluator.codec.unknown(f"argument:{n}", type_)
                values.append(value)
                question.constraints = (*question.constraints, *valid)
        question.arguments = tuple(zip(values, types[0], strict=True))
        made = [None if v < 0 else Outcome(v, tuple(values)) for v in verbs]
        return made[0], made[1]

    def viewers(self, question: Question, states: tuple[SymState, SymState]) -> Iterator[Goal]:
        """Who sees a cell or a zone, where that is not written alike."""
        cells = [c for c in self.game.cells.values() if self.kept(c.name) and c.kind is CellKind.DECLARED]
        items = [(c.name, c.index, c.seen, self.joined.cells[c.name]) for c in cells]
        items += [(z.name, z.index, z.seen, self.joined.zones[z.name]) for z in self.game.zones.values()]
        for name, index, *both in items:
            if both[0] != both[1]:
                for element in (None,) if index is None else element_indices(index):
                    rows = zip(both, states, strict=True)
                    sets = [self._viewers(question, seen, index, element, state) for seen, state in rows]
                    yield Goal(f"who sees `{name}`", equal(sets[0], sets[1]), both[1].seats.span)

    def _viewers(
        self, question: Question, seen: Visibility, index: Type | None, element: Value, state: SymState
    ) -> SymValue:
        """The set of seats; where it has no value it is compared all the same."""
        evaluator, scope = question.stepper.evaluator, question.stepper.scope(state)
        if seen.variable and index is not None and element is not None:
            scope = scope.bind(**{seen.variable: evaluator.codec.element(index, int(element))})
        found = evaluator.value(seen.seats, scope)
        lacking = t.and_(*(o.formula() for o in evaluator.take_obligations()))
        question.goals.append(Goal("whether it is defined who sees what", lacking, seen.seats.span))
        return found
