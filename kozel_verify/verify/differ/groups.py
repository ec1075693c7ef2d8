"""Functions compared: enumerated where that can be done, matchings counted exactly, the rest put to the solver.

In go two sides; out comes a ``FunctionAnswer`` for each function that is to be compared. The solver is asked for groups
of the sizes that a choice can name; what it finds is evaluated by the interpreter before it counts.
"""

from kozel_verify.exhaustive.reads import free_locals, reads_of
from kozel_verify.model.core import Apply, Call, Const, Expr, Game, Lemma, Local, Matching, Parameter
from kozel_verify.model.shapes import Shapes
from kozel_verify.model.types import (
    BOOL,
    NAT,
    BoolType,
    CardType,
    NatType,
    OptionalType,
    SetType,
    Type,
    full_set,
    members,
)
from kozel_verify.symbolic.lemmas import Failed, Proved, prove_lemma
from kozel_verify.symbolic.side_by_side import MARK, Apart, join
from kozel_verify.verify.differ.functions import (
    FunctionAnswer,
    Place,
    TooLarge,
    Verdict,
    cells_of,
    changed_functions,
    compiled_body,
    counted,
    group_limit,
    own_change,
    places,
    situation,
    under,
)
from kozel_verify.verify.differ.pairings import differing_pairs, smallest_pair
from kozel_verify.verify.differ.sides import Side


def compared_functions(
    a: Side, b: Side, cases: int, budget: int | None, own_alone: bool = False
) -> list[FunctionAnswer]:
    """All functions of the rules that both sides have and that are not written alike, or read an option that is settled
    otherwise, callees first. ``cases``: the largest domain that is enumerated; ``budget``: for each query of the solver
    (``None``: it is not asked). ``own_alone``: the solver is asked only of those whose own text has changed."""
    shapes = Shapes()
    found = []
    for name in changed_functions(a, b, shapes):
        own = own_change(a, b, name, shapes)
        try:
            found.append(counted(a, b, name, own, cases))
        except TooLarge as reason:
            units = budget if own or not own_alone else None
            found.append(_matched(a, b, name, own) or _solved(a, b, name, own, units, str(reason)))
    return found


def equal_functions(a: Side, b: Side, cases: int, budget: int) -> list[str]:
    """Names of functions that are not written alike and are shown to be the same on all arguments in all states, by
    counting or by the solver. It is not asked of those that differ in what they call: these are unfolded in a proof."""
    return [f.name for f in compared_functions(a, b, cases, budget, own_alone=True) if f.equal]


# --- matchings --------------------------------------------------------------------------------------------------------


def plain_matching(game: Game, name: str) -> Matching | None:
    """The matching of a predicate that says of two groups: as many cards, and one from the second to the first."""
    function = game.functions[name]
    if len(function.parameters) != 2 or not isinstance(function.body, Apply) or function.body.op != "and":
        return None
    replies, targets = function.parameters
    parts = function.body.args
    found = [p for p in parts if isinstance(p, Matching)]
    if len(found) != 1 or not any(_same_size(p, {replies.name, targets.name}) for p in parts):
        return None
    straight = (found[0].targets, found[0].replies) == (targets, replies)
    return found[0] if straight and not free_locals(found[0].body) - {found[0].target, found[0].reply} else None


def _same_size(part: Expr, names: set[str]) -> bool:
    """Is it ``|x| == |y|`` of the two?"""
    match part:
        case Apply("==", (Apply("size", (Local(x),)), Apply("size", (Local(y),)))):
            return {x, y} == names
        case _:
            return False


def _matched(a: Side, b: Side, name: str, own: bool) -> FunctionAnswer | None:
    """Pairs of disjoint groups of equal size, when both predicates are nothing but a matching; ``None`` when not."""
    matchings = plain_matching(a.game, name), plain_matching(b.game, name)
    if matchings[0] is None or matchings[1] is None:
        return None
    try:
        found = places(a, b, [name])
    except TooLarge:
        return None
    cards = tuple(members(a.game.pack))
    largest = min(group_limit(a.game, b.game), len(cards) // 2)
    relations = [
        (_relation(a.game, matchings[0], place, 0), _relation(b.game, matchings[1], place, 1)) for place in found
    ]
    cases = differing = 0
    smallest = None
    for size in range(1, largest + 1):
        for place, pair in zip(found, relations, strict=True):
            visited, differ = differing_pairs(cards, size, pair)
            cases, differing = cases + visited, differing + differ
            if differ and smallest is None:
                groups = smallest_pair(cards, size, pair)
                assert groups is not None
                smallest = situation(a.game, b.game, name, place, groups)
    text = f"pairs of disjoint groups of equal size, 1 to {largest} cards{under(found)}"
    return FunctionAnswer(name, Verdict.COUNTED, own, cases, differing, text, smallest)


def _relation(game: Game, matching: Matching, place: Place, side: int) -> list[int]:
    """For each card the mask of the cards that answer it."""
    body = compiled_body(game, matching, place.options[side])
    cells, rows = cells_of(game, place), [0] * len(game.deck)
    for target in members(game.pack):
        for reply in members(game.pack):
            if target != reply and body(cells, (target, reply)) == "true":
                rows[target] |= 1 << reply
    return rows


# --- the solver -------------------------------------------------------------------------------------------------------


def _solved(a: Side, b: Side, name: str, own: bool, budget: int | None, why: str) -> FunctionAnswer:
    """Is there a situation in which the two differ, for groups of the sizes that a choice can name?"""
    joined = join(a.game, b.game, (a.fixed, b.fixed))
    reads = [reads_of(side.game, [side.game.functions[name].body]) for side in (a, b)]
    if budget is None or isinstance(joined, Apart) or joined.fixed or any(c.endswith(MARK) for c in joined.game.cells):
        return FunctionAnswer(name, Verdict.OPEN, own, reason=why)
    largest = group_limit(a.game, b.game)
    parameters = _parameters(joined.game, name, largest)
    if parameters is None or name + MARK not in joined.game.functions:
        return FunctionAnswer(name, Verdict.OPEN, own, reason=why)
    function = joined.game.functions[name]
    arguments = tuple(Local(p.name, p.type) for p in parameters)
    calls = Call(name, arguments, function.type), Call(name + MARK, arguments, function.type)
    lemma = Lemma(name, parameters, Apply("==", calls, BOOL))
    answer = prove_lemma(joined.game, lemma, budget)
    text = f"groups of up to {largest} cards" if any(p.lo is not None for p in parameters) else "all arguments"
    match answer:
        case Proved():
            limited = any(p.lo is not None for p in parameters) or len(joined.game.deck) != joined.game.pack.bit_count()
            return FunctionAnswer(name, Verdict.EQUAL, own, counted=text, whole=not limited)
        case Failed(case) if not (reads[0].zones or reads[1].zones):
            options = {n: v for n, v in case.options.items() if n in a.game.options}
            cells = {key: value for key, value in case.cells.items() if key[0] in a.game.cells}
            row = tuple(case.arguments[p.name] for p in parameters)
            found = situation(a.game, b.game, name, Place((options, options), cells), row)
            if found.results[0] != found.results[1] or found.undefined[0] is not found.undefined[1]:
                return FunctionAnswer(name, Verdict.AT_LEAST_ONE, own, counted=text, smallest=found, reason=why)
            return FunctionAnswer(name, Verdict.OPEN, own, reason=why)
        case _:
            return FunctionAnswer(name, Verdict.OPEN, own, reason=why)


def _parameters(game: Game, name: str, largest: int) -> tuple[Parameter, ...] | None:
    """The parameters of a lemma about a function; ``None`` for types whose values no set holds."""
    found = []
    for p in game.functions[name].parameters:
        match p.type:
            case SetType(CardType()):
                found.append(Parameter(p.name, "", Const(game.pack, p.type), _number(0), _number(largest), p.type))
            case BoolType() | NatType() | OptionalType() | SetType():
                return None
            case CardType():
                found.append(Parameter(p.name, "", Const(game.pack, SetType(p.type)), None, None, p.type))
            case _:
                whole: Type = SetType(p.type)
                found.append(Parameter(p.name, "", Const(full_set(p.type), whole), None, None, p.type))
    return tuple(found)


def _number(value: int) -> Const:
    return Const(value, NAT)
