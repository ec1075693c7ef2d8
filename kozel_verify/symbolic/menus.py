"""Claims about what may be chosen: exactly the arguments for which a statement holds.

In: a game, its claims about menus, and for each node the claims that are proved there (``known[n]``, core expressions).
Out: for each claim whether it is proved, and if not, the node and a model.

At each node it is asked with masks (``faces_sets``): known claims, any arguments at all, but the choice is legal and
the statement false or undefined, or the other way round? An argument that is a set of cards may be any part of the
pack, any other one any value of its type. Where that is left open, what proved lemmas say of the matchings in the rule
and in the statement is added; counts of equal masks are equal numbers in the lemma and in the statement. That the
rule's conditions have a value is proved apart.

A model shows that the known claims do not imply the claim. Trusted: ``edge.Stepper.legality``, ``faces_sets``, and the
solver.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kozel_verify.model.core import Ask, Game, MenuClaim, Verb
from kozel_verify.model.types import Value
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.cases import Known, excluded
from kozel_verify.symbolic.counting import CountingEvaluator
from kozel_verify.symbolic.evaluate import card_set
from kozel_verify.symbolic.faces import FaceResult, Failure, defined_truth, failure_of, known_terms
from kozel_verify.symbolic.faces_system import FaceSystem, Usable, closer_look
from kozel_verify.symbolic.system import Place, forked
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.values import SymValue
from kozel_verify.symbolic.z3_api import DEFAULT_RLIMIT, Unsatisfiable, check


@dataclass(slots=True)
class _Places:
    """The nodes' states with the known claims there, each made once."""

    system: FaceSystem
    known: Known
    made: dict[int, tuple[Place, list[Term]]] = field(default_factory=dict)

    def at(self, node: int) -> tuple[Place, list[Term]]:
        if node not in self.made:
            place = self.system.place(node)
            self.made[node] = place, known_terms(place, self.known)
        return self.made[node]


def prove_menus(
    game: Game,
    claims: Sequence[MenuClaim],
    known: Known,
    fixed: Mapping[str, Value] | None = None,
    rlimit: int = DEFAULT_RLIMIT,
    lemmas: Sequence[Usable] = (),
) -> list[FaceResult]:
    """Each of the claims. Parameters as for ``steps.prove_steps``. Raises ``ValueError`` for a claim without nodes,
    which would say nothing, and for a node that does not ask for the claim's verb."""
    places, results = _Places(FaceSystem(game, fixed), known), []
    for claim in claims:
        if not claim.nodes:
            raise ValueError(f"`{claim.name}` is about no question")
        used, failure = 0, None
        for node in [n for n in claim.nodes if not excluded(known, n)]:
            found, rlimit_used = _at(game, claim, *places.at(node), lemmas, rlimit)
            used, failure = used + rlimit_used, failure or found
        results.append(FaceResult(claim.name, claim.nodes, failure, len(claim.nodes), used, claim.span))
    return results


def _at(
    game: Game, claim: MenuClaim, base: Place, given: Sequence[Term], lemmas: Sequence[Usable], rlimit: int
) -> tuple[Failure | None, int]:
    """The claim at one node."""
    place, verb = forked(base), _verb(game, claim, base.node)
    evaluator = place.stepper.evaluator
    arguments, valid = _any_arguments(place, verb)
    legal = place.stepper.legality(verb, arguments, place.scope)
    rule = [o.formula() for o in evaluator.take_obligations()]
    named = {local.name: value for local, value in zip(claim.arguments, arguments, strict=True)}
    value, defined = defined_truth(evaluator, claim.statement, place.scope.bind(**named))
    goal = t.and_(defined, t.eq(legal, value))
    asserted = [*place.assumptions(), *valid, *given, *rule, t.not_(goal)]
    answer = check(asserted, rlimit)
    used = answer.rlimit
    if not isinstance(answer, Unsatisfiable):
        more = closer_look(lemmas, place)
        asserted = [*place.assumptions(), *valid, *given, *rule, *more, t.not_(goal)]
        answer = check(asserted, rlimit)
        used += answer.rlimit
    return failure_of(answer, asserted, "", place), used


def _verb(game: Game, claim: MenuClaim, node: int) -> Verb:
    at = game.nodes[node]
    found = [v for v in at.verbs if v.name == claim.verb] if isinstance(at, Ask) else []
    if not found:
        raise ValueError(f"`{at.name}` does not ask for `{claim.verb}`")
    return found[0]


def _any_arguments(place: Place, verb: Verb) -> tuple[list[SymValue], list[Term]]:
    """Any values of the parameters' types, and the constraints under which they are that."""
    evaluator = place.stepper.evaluator
    assert isinstance(evaluator, CountingEvaluator)
    values, valid = list[SymValue](), list[Term]()
    for n, parameter in enumerate(verb.parameters):
        if card_set(parameter.type):
            values.append(evaluator.unknown_set(f"argument:{n}"))
            continue
        value, laws = evaluator.codec.unknown(f"argument:{n}", parameter.type)
        values.append(value)
        valid.extend(laws)
    return values, valid
