"""What a claim says of a menu, against the menu: by the reference, in one state.

In go an interpreter, a state at a node of the claim, and the claim; out comes the first choice about which the two do
not agree. Trusted: the interpreter, and that all values of a type are those that ``model.menus`` lists.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from kozel_verify.interpret.errors import NotWellDefined
from kozel_verify.interpret.evaluate import contents, number
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Choice, State
from kozel_verify.model.core import Ask, MenuClaim
from kozel_verify.model.menus import MOST_VALUES, Arguments, Space, bounds, near_misses, space


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A choice about which menu and claim differ. ``legal``: it is on the menu, and the statement does not hold for it;
    else the other way round. ``fault``: the statement has no value for it."""

    choice: Choice
    legal: bool
    fault: NotWellDefined | None = None


def mismatch(interpreter: Interpreter, state: State, claim: MenuClaim) -> Mismatch | None:
    """The first choice that is legal and not claimed to be, or claimed to be and not legal; ``None`` without one.

    The answer is exact where the values of the arguments are at most ``MOST_VALUES`` (``decided``): then all of them
    are tried. Else only the legal choices and their near misses are: then ``None`` does not show that the claim holds,
    while a mismatch refutes it all the same. Raises ``NotWellDefined`` where the menu itself has no value.
    """
    verb = verb_of(interpreter, state, claim)
    outcomes = [o for o in interpreter.outcomes(state) if isinstance(o, Choice) and o.verb == verb]
    legal = {o.arguments for o in outcomes}
    for arguments in _tried(interpreter, state, claim, [o.arguments for o in outcomes]):
        choice = Choice(verb, arguments)
        try:
            holds = interpreter.evaluate(state, claim.statement, named(claim, arguments))
        except NotWellDefined as fault:
            return Mismatch(choice, arguments in legal, fault)
        if bool(holds) is not (arguments in legal):
            return Mismatch(choice, arguments in legal)
    return None


def verb_of(interpreter: Interpreter, state: State, claim: MenuClaim) -> int:
    """The number of the claim's verb at the node where play stands, which must be one of the claim's."""
    node = interpreter.node(state)
    assert isinstance(node, Ask) and state.node in claim.nodes
    return next(n for n, verb in enumerate(node.verbs) if verb.name == claim.verb)


def named(claim: MenuClaim, arguments: Arguments) -> dict[str, bool | int | None]:
    return {a.name: value for a, value in zip(claim.arguments, arguments, strict=True)}


def decided(interpreter: Interpreter, state: State, claim: MenuClaim) -> bool:
    """Does ``mismatch`` try all values of the arguments in this state?"""
    return prod(s.count() for s in _spaces(interpreter, state, claim)) <= MOST_VALUES


def _spaces(interpreter: Interpreter, state: State, claim: MenuClaim) -> list[Space]:
    """The values of each argument for which the statement may hold."""
    around = bounds(claim)
    found: list[Space] = []
    for argument in claim.arguments:
        whole = space(argument.type, interpreter.game.pack)
        bound = around.get(argument.name)
        try:
            mask = whole.mask if bound is None else whole.mask & number(interpreter.evaluate(state, bound))
        except NotWellDefined:  # then the statement tells where
            mask = whole.mask
        found.append(Space(mask, whole.groups))
    return found


def _tried(interpreter: Interpreter, state: State, claim: MenuClaim, legal: list[Arguments]) -> Iterator[Arguments]:
    """The legal choices, then all others or their near misses."""
    yield from legal
    spaces = _spaces(interpreter, state, claim)
    if prod(s.count() for s in spaces) <= MOST_VALUES:
        yield from product(*spaces)
        return
    zones = [contents(state, slot) for slot in range(interpreter.game.zone_slots())]
    whole = [space(a.type, interpreter.game.pack) for a in claim.arguments]
    yield from dict.fromkeys(near_misses(whole, legal, zones))
