"""That two sides are the same game: the bisimulation, wired to what has been found out about functions and about A.

In go two sides and functions that are known to be equal; out comes the solver's result. A first attempt knows of A's
plays which unnamed cells are copies; if it fails and ``stated`` is asked for, a second one takes for granted what the
invariants in the text of A say, and the result says so; if ``thorough`` is, one more knows the invariants that
induction proves of A, which takes a minute or more.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from kozel_verify.exhaustive.reads import reads_of
from kozel_verify.interpret.text import value_text
from kozel_verify.language.spans import NOWHERE, Span
from kozel_verify.model.core import Expr, Game
from kozel_verify.model.types import Value
from kozel_verify.symbolic.bisimulation import TABLE, Equal, NotShown, prove_same
from kozel_verify.symbolic.cases import Known
from kozel_verify.symbolic.induction import Prover
from kozel_verify.verify.differ.copies import copies
from kozel_verify.verify.differ.sides import Side, common, converted, free_options
from kozel_verify.verify.inductive import invariants, known_at, samples_of, shapes
from kozel_verify.verify.option_sets import allows, defaults
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.subject import Subject

COMBINATIONS = 20_000  # of the options that constraints read, tried to see which are allowed
PLAYS = 6  # random matches of A, of which invariants are guessed


@dataclass(frozen=True, slots=True)
class Counts:
    """Over all values of the options that shape choices: queries and what they took; steps, and those written alike."""

    queries: int = 0
    rlimit: int = 0
    edges: int = 0
    alike: int = 0

    def plus(self, found: Equal) -> "Counts":
        return Counts(
            self.queries + found.queries, self.rlimit + found.rlimit, self.edges + found.edges, self.alike + found.alike
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """``failure``: the first thing that was not shown, or ``None``. ``invariants``: were claims proved of A used?
    ``functions``: those that were taken to be equal because all their cases had been compared. ``granted``: was taken
    for granted what the text of A states?"""

    failure: NotShown | None
    counts: Counts
    invariants: bool
    functions: tuple[str, ...]
    granted: bool = False

    @property
    def proved(self) -> bool:
        return self.failure is None


def unlike_options(a: Side, b: Side) -> tuple[str, Span] | None:
    """Why a proof for all values of the options would not speak of both games: an option that both have and nobody has
    settled with another default or other values, or other combinations that are allowed."""
    for name, option in a.game.options.items():
        other = b.game.options.get(name)
        if other is None or name in a.fixed or name in b.fixed:
            continue
        if common(option.default, option.type) != common(other.default, other.type):
            defaults_ = [value_text(g, o.default, o.type) for g, o in ((a.game, option), (b.game, other))]
            return (
                f"the option `{name}` is {defaults_[0]} in A and {defaults_[1]} in B unless somebody sets it, and a "
                f"proof is for the same options on both sides; set it, say by `--option {name}={defaults_[0]}`"
            ), other.span
        if option not in free_options(a.game, b.game, (a.fixed, b.fixed)):
            return (
                f"the option `{name}` can take other values in B than in A, and a proof is for the same options on "
                f"both sides; set it by `--option {name}=VALUE`"
            ), other.span
    read = {name for side in (a, b) for name in reads_of(side.game, side.game.constraints).options}
    free = [o for o in free_options(a.game, b.game, (a.fixed, b.fixed)) if o.name in read]
    sizes = [len(o.values) for o in free]
    if prod(sizes) > COMBINATIONS:
        return f"the constraints are about {prod(sizes):,} combinations; set some by `--option NAME=VALUE`", NOWHERE
    own = defaults(a.game) | dict(a.fixed), defaults(b.game) | dict(b.fixed)
    for chosen in product(*(o.values for o in free)):
        pairs = list(zip(free, chosen, strict=True))
        mine = {o.name: v for o, v in pairs}
        theirs = {o.name: converted(v, o.type, b.game.options[o.name].type) for o, v in pairs}
        if allows(a.game, own[0] | mine) is not allows(b.game, own[1] | theirs):
            return "the constraints allow other combinations of options", NOWHERE
    return None


def own_options(a: Side, b: Side) -> list[str]:
    """What is taken to stand at its default since only one side has it."""
    found = []
    for label, side, other in (("A", a, b), ("B", b, a)):
        for name, option in side.game.options.items():
            if name not in other.game.options and name not in side.fixed:
                found.append(f"{label}'s own option {name} = {value_text(side.game, option.default, option.type)}")
    return found


def prove(
    a: Side, b: Side, functions: Collection[str], budget: int, thorough: bool = False, stated: bool = False
) -> Proof:
    """Under all allowed values of the options that nobody has settled, the same on both sides; where these are not the
    same options, not at all."""
    unlike = unlike_options(a, b)
    if unlike is not None:
        return Proof(NotShown(TABLE, *unlike), Counts(), False, tuple(functions))
    known = copies(a.game)
    found = _attempt(a, b, functions, budget, lambda fixed: known)
    if stated and not found.proved and (claims := _stated(a.game, known)):
        granted = _attempt(a, b, functions, budget, lambda fixed: claims)
        found = replace(granted, granted=True) if granted.proved else found
    if thorough and not found.proved:
        found = replace(_attempt(a, b, functions, budget, lambda f: _known(a, f, budget, PLAYS)), invariants=True)
    return found


def _stated(game: Game, known: Known) -> Known:
    """What the author claims at each node, with what is known there; empty where nothing is claimed."""
    claims: dict[int, list[Expr]] = {}
    for claim in invariants(game):
        for node in claim.nodes:
            claims.setdefault(node, []).append(claim.statement)
    return {n: [*known.get(n, ()), *claims.get(n, ())] for n in known.keys() | claims.keys()} if claims else {}


def _attempt(
    a: Side, b: Side, functions: Collection[str], budget: int, known: Callable[[Mapping[str, Value]], Known]
) -> Proof:
    """One proof for each value of the options that shape A's choices."""
    counts = Counts()
    for fixed in shapes(a.game):
        if any(name in a.fixed and a.fixed[name] != value for name, value in fixed.items()):
            continue
        claims = known({**a.fixed, **fixed})
        sides = ({**a.fixed, **fixed}, {**b.fixed, **{n: v for n, v in fixed.items() if n not in b.fixed}})
        result = prove_same(a.game, b.game, claims, sides, functions, budget)
        if isinstance(result, NotShown):
            return Proof(result, counts, False, tuple(functions))
        counts = counts.plus(result)
    return Proof(None, counts, False, tuple(functions))


def _known(side: Side, fixed: Mapping[str, Value], budget: int, plays: int) -> Known:
    """What induction on sizes proves of A at each node; proved once, whatever A is compared with."""
    key = (*sorted(fixed.items()), budget, plays)
    if key not in side.known:
        subject = Subject(side.spec, Settings(budget=budget, plays=plays))
        prover = Prover(side.game, invariants(side.game), samples_of(subject, fixed), fixed, budget, False)
        side.known[key] = known_at(side.game, prover.run())
    return side.known[key]
