"""A predicate that rests on a matching: its compiled form against the reference, over all groups of all sizes.

In go a game, the spec's ``compiled`` claim and the compiled decision; out come the sweeps with their exact counts, and
a concrete pair of groups where something differs. The work has three legs, each counted:

1. the relation between single cards, evaluated by the reference on every ordered pair of the pack in every setting of
   the cells and options that the predicate reads;
2. the complete sweep of ``exhaustive.groups`` over these relations;
3. the predicate itself, evaluated by the reference, against the matching of the relation (that it is nothing but "as
   many, and a matching"): on all pairs of single cards, and for larger groups on a stated number of random pairs. Leg 3
   is a sample for two cards and more; the claim that it tests has its complete proof elsewhere, if anywhere.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from kozel_verify.exhaustive.domains import Evaluate, cells_with, settings_of
from kozel_verify.exhaustive.groups import Decision, Environment, Sweep, all_pairings, sweep
from kozel_verify.exhaustive.reads import free_locals, reads_of
from kozel_verify.interpret.chance import Generator, shuffled
from kozel_verify.model.core import Compiled, Game, Matching
from kozel_verify.model.types import Value, cardinality, members
from kozel_verify.model.walk import subexpressions
from kozel_verify.verify.wiring import evaluator

TARGETS = "targets"  # the name of the group in a claim's restriction


@dataclass(frozen=True, slots=True)
class Setting:
    """Values for all options, and for the cell slots that the predicate reads."""

    options: dict[str, Value]
    cells: dict[tuple[str, int], Value]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A pair on which the predicate and the matching of its relation differ."""

    setting: Setting
    targets: int
    replies: int
    predicate: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """One sweep for each size, over all settings (a ``Difference``'s environment is a position in ``settings``)."""

    settings: tuple[Setting, ...]
    relation_cases: int
    sweeps: tuple[Sweep, ...]
    predicate_cases: int
    mismatch: Mismatch | None


class NotSweepable(ValueError):
    """The predicate is not of the form that can be swept; the message says why."""


def compare(
    game: Game,
    claim: Compiled,
    decision: Decision,
    *,
    restricted: bool = False,
    sample: int = 100,
    seed: int = 1,
    keep: Callable[[Setting], bool] = lambda _: True,
) -> Compared:
    """Sweep the claim's sizes; ``restricted``: only target groups for which its restriction holds; ``keep``: only in
    these settings.

    ``sample``: random pairs for leg 3, for each setting and each size above 1. Raises ``NotSweepable``.
    """
    function = game.functions[claim.function]
    matching = matching_of(game, claim)
    value = evaluator(game)
    reads = reads_of(game, [function.body, *([claim.restriction] if restricted else [])])
    if reads.zones or any(cardinality(game.cells[c].type) is None for c in reads.cells):
        raise NotSweepable(f"`{claim.function}` reads a zone or a cell without a greatest value")
    settings = tuple(Setting(options, cells) for options, cells in settings_of(game, reads, value))
    settings = tuple(filter(keep, settings))
    relations = [relation_of(game, matching, setting, value) for setting in settings]
    cards = tuple(members(game.pack))
    sweeps = []
    for size in range(claim.lo, min(claim.hi, len(cards) // 2) + 1):
        targets = _restricted(game, claim, settings, size, value) if restricted else [None] * len(settings)
        environments = [Environment(r, t) for r, t in zip(relations, targets, strict=True)]
        sweeps.append(sweep(cards, size, environments, decision))
    cases, mismatch = _predicate(game, claim, settings, relations, sample, Generator(seed))
    return Compared(settings, len(settings) * len(cards) * (len(cards) - 1), tuple(sweeps), cases, mismatch)


def matching_of(game: Game, claim: Compiled) -> Matching:
    """The one matching in the predicate, from its second parameter (targets) to its first (replies)."""
    function = game.functions[claim.function]
    found = [e for e in subexpressions(function.body) if isinstance(e, Matching)]
    if len(found) != 1 or len(function.parameters) != 2:
        raise NotSweepable(f"`{claim.function}` must have two parameters and one matching, not {len(found)}")
    replies, targets = function.parameters
    matching = found[0]
    straight = (matching.targets, matching.replies) == (targets, replies)
    if not straight or free_locals(matching.body) - {matching.target, matching.reply}:
        raise NotSweepable(f"the matching of `{claim.function}` is not between its parameters")
    return matching


def relation_of(game: Game, matching: Matching, setting: Setting, value: Evaluate) -> list[int]:
    """For each card of the deck the mask of the cards that can answer it, by the reference."""
    cells = cells_with(game, setting.cells)
    relation = [0] * len(game.deck)
    for target, reply in permutations(members(game.pack), 2):
        local = {matching.target: target, matching.reply: reply}
        if value(matching.body, local, setting.options, cells):
            relation[target] |= 1 << reply
    return relation


def _restricted(
    game: Game, claim: Compiled, settings: Sequence[Setting], size: int, value: Evaluate
) -> list[list[int]]:
    """The target groups in each setting; settings that differ in nothing that the restriction reads share theirs."""
    reads = reads_of(game, [claim.restriction])
    found: dict[tuple[tuple[Value, ...], tuple[Value, ...]], list[int]] = {}
    groups: list[list[int]] = []
    for setting in settings:
        options = tuple(v for name, v in setting.options.items() if name in reads.options)
        cells = tuple(v for (name, _), v in setting.cells.items() if name in reads.cells)
        if (options, cells) not in found:
            found[options, cells] = _targets(game, claim, setting, size, value)
        groups.append(found[options, cells])
    return groups


def _targets(game: Game, claim: Compiled, setting: Setting, size: int, value: Evaluate) -> list[int]:
    cells = cells_with(game, setting.cells)
    groups = (sum(1 << c for c in chosen) for chosen in combinations(members(game.pack), size))
    return [g for g in groups if value(claim.restriction, {TARGETS: g}, setting.options, cells)]


def _predicate(
    game: Game,
    claim: Compiled,
    settings: Sequence[Setting],
    relations: Sequence[Sequence[int]],
    sample: int,
    generator: Generator,
) -> tuple[int, Mismatch | None]:
    """Leg 3: (pairs evaluated, the first on which the predicate is not the matching)."""
    value = evaluator(game)
    function = game.functions[claim.function]
    replies_name, targets_name = (p.name for p in function.parameters)
    cases = 0
    for setting, relation in zip(settings, relations, strict=True):
        cells = cells_with(game, setting.cells)
        for targets, replies in _pairs(game, claim, sample, generator):
            cases += 1
            local = {targets_name: targets, replies_name: replies}
            predicate = bool(value(function.body, local, setting.options, cells))
            if predicate is not matched(relation, targets, replies):
                return cases, Mismatch(setting, targets, replies, predicate)
    return cases, None


def matched(relation: Sequence[int], targets: int, replies: int) -> bool:
    """As many replies as targets, and some pairing of them within the relation."""
    cards = tuple(members(replies))
    rows = [sum((relation[t] >> c & 1) << n for n, c in enumerate(cards)) for t in members(targets)]
    return len(cards) == len(rows) and all_pairings(rows)


def _pairs(game: Game, claim: Compiled, sample: int, generator: Generator) -> Iterator[tuple[int, int]]:
    """All pairs of single cards, and random pairs of disjoint groups of other sizes, some of unequal size."""
    cards = tuple(members(game.pack))
    if claim.lo == 1:
        yield from ((1 << target, 1 << reply) for target, reply in permutations(cards, 2))
    for size in range(max(2, claim.lo), claim.hi + 1):
        for n in range(sample):
            order = shuffled(cards, generator.below)
            other = size - 1 if n % 10 == 0 else size  # one in ten has a reply too few
            if size + other <= len(cards):
                yield sum(1 << c for c in order[:size]), sum(1 << c for c in order[size : size + other])
