"""Is an exported engine the game? ``validate_engine`` compares it with the reference interpreter.

In go a game, the text of a module, sets of options, a number of deals and a seed; out comes a ``Report`` with one entry
for each kind of comparison: how it was made (over a whole domain, or sampled), how many cases, and the differences.
A fault of the engine is a difference, never an exception here. Trusted: the reference, ``engine_json``, this file.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from math import prod
from random import Random
from types import ModuleType
from typing import Any

from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.evaluate import evaluate
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import habitual, uniform
from kozel_verify.interpret.state import State
from kozel_verify.model.core import OUTSIDE, Ask, Assign, Draw, Function, Game
from kozel_verify.model.operators import Undefined
from kozel_verify.model.types import Type, Value, cardinality, members, values
from kozel_verify.verify.engine_lockstep import Episode, Lockstep, engine_number, some_value

WHOLE = 20_000  # a function with at most so many argument lists is compared on all of them
SAMPLE = 1_000
ENOUGH = 10  # after so many differences no further play is begun
LONGEST = 400  # choices of one play


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of comparison. ``how``: ``"whole domain"`` or ``"sampled"``. It is good without differences. In
    ``undefined`` of the ``cases`` the reference has no value, so that there was nothing to compare."""

    name: str
    how: str
    cases: int
    differences: tuple[str, ...] = ()
    undefined: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """All comparisons of one engine."""

    checks: tuple[Check, ...]

    @property
    def equal(self) -> bool:
        """Was no difference found, and was something compared of every kind that the game has something of?"""
        return all(not check.differences and check.cases > check.undefined for check in self.checks)

    @property
    def differences(self) -> tuple[str, ...]:
        return tuple(f"{check.name}: {text}" for check in self.checks for text in check.differences)


def load_engine(source: str) -> ModuleType:
    """The module of a source text. Raises whatever the text raises: only for texts that the exporter has made."""
    module = ModuleType("engine")
    exec(compile(source, "<engine>", "exec"), module.__dict__)
    return module


def validate_engine(
    game: Game,
    module_source: str,
    options_sets: Sequence[Mapping[str, Value]],
    deals: int,
    seed: int,
    *,
    whole: int = WHOLE,
    longest: int = LONGEST,
) -> Report:
    """Compare an engine with the reference: its functions, then ``deals`` deals and one match for each of the
    ``options_sets`` (values by option name; missing ones are defaults). Every other deal and the matches are played by
    players with habits: uniform choices hardly ever come to the end of a deal that questions may end early. A function
    with at most ``whole`` argument lists is compared on all of them, a play is followed for at most ``longest``
    choices."""
    try:
        engine = load_engine(module_source)
    except Exception as error:
        return Report((Check("loading", "whole domain", 1, (f"{type(error).__name__}: {error}",)),))
    checks = compare_functions(engine, game, whole, seed)
    played = _Played()
    for number, options in enumerate(options_sets):
        interpreter = Interpreter(game, options)
        for deal in range(deals):
            _play(
                engine,
                interpreter,
                seed + 1_000_003 * number + deal,
                deal % 3 == 2,
                "deal",
                deal % 2 == 1,
                longest,
                played,
            )
        _play(engine, interpreter, seed + 1_000_003 * number + deals, False, "match", True, longest, played)
    return Report((*checks, *played.checks(game)))


# --- functions -------------------------------------------------------------------------------------------------------


def compare_functions(engine: ModuleType, game: Game, whole: int, seed: int) -> list[Check]:
    """One check for each function that reads no family and no zone; the others are compared in lockstep."""
    checks = [_function(engine, function, game, whole, seed) for function in game.functions.values()]
    return [check for check in checks if check is not None]


def _function(engine: ModuleType, function: Function, game: Game, whole: int, seed: int) -> Check | None:
    """A function against its meaning; ``None`` where it reads a position, which lockstep does."""
    name = f"function {function.name}"
    if function.name not in engine.SPEC_FUNCTIONS:
        return Check(name, "sampled", 1, ("the engine does not have it",))
    code, cells, options, families, zones = engine.SPEC_FUNCTIONS[function.name]
    if families or zones:
        return None
    types: list[Type] = [parameter.type for parameter in function.parameters]
    types += [game.cells[cell].type for cell in cells]
    counts = [cardinality(type_) for type_ in types] + [len(game.options[option].values) for option in options]
    finite = [count for count in counts if count is not None]
    if len(finite) == len(counts) and prod(finite) <= whole:
        domains = [list(values(type_)) for type_ in types] + [list(game.options[o].values) for o in options]
        cases, how = [tuple(case) for case in product(*domains)], "whole domain"
    else:
        random = Random(seed)
        cases, how = (
            [
                (
                    *(some_value(type_, random) for type_ in types),
                    *(random.choice(game.options[o].values) for o in options),
                )
                for _ in range(SAMPLE)
            ],
            "sampled",
        )
    found = [_difference(game, function, code, cells, options, case) for case in cases]
    differences = [text for text in found if text]
    return Check(name, how, len(cases), tuple(differences[:5]), found.count(None))


def _difference(
    game: Game, function: Function, code: Any, cells: Sequence[str], options: Sequence[str], case: tuple[Value, ...]
) -> str | None:
    """How engine and reference differ on one argument list; ``None`` where the reference has no value."""
    count = len(function.parameters)
    locals = {p.name: v for p, v in zip(function.parameters, case, strict=False)}
    state = _position(game, dict(zip(cells, case[count:], strict=False)))
    given = dict(zip(options, case[count + len(cells) :], strict=True))
    try:
        expected = evaluate(game, given, state, function.body, locals)
    except Undefined:
        return None
    try:
        found = code(*map(engine_number, case))
    except Exception as error:
        return f"{case}: {type(error).__name__}: {error}"
    return "" if int(found) == engine_number(expected) else f"{case}: {found!r}, expected {expected!r}"


def _position(game: Game, given: Mapping[str, Value]) -> State:
    """A state with these cells; the rest is as in the beginning."""
    cells: list[Value] = [None] * game.cell_slots()
    for cell in game.cells.values():
        for slot in range(cell.base, cell.base + (1 if cell.index is None else cardinality(cell.index) or 0)):
            cells[slot] = given.get(cell.name, cell.initial)
    place = tuple(0 if game.pack >> card & 1 else OUTSIDE for card in range(len(game.deck)))
    return State(0, tuple(cells), place)


# --- plays -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Played:
    counts: Counter[str] = field(default_factory=Counter)
    differences: list[str] = field(default_factory=list)

    def checks(self, game: Game) -> tuple[Check, ...]:
        plays = Check("plays in lockstep", "sampled", self.counts.pop("plays", 0), tuple(self.differences))
        counted = [(name, n) for name, n in sorted(self.counts.items()) if n or name not in _without(game)]
        return (plays, *(Check(f"in lockstep: {name}", "sampled", n) for name, n in counted))


def _without(game: Game) -> Iterator[str]:
    """The kinds of comparison for which a game has nothing that could be compared."""
    asks = any(isinstance(node, Ask) for node in game.nodes)
    if not game.cells:
        yield "cells"
    if not asks:
        yield "actions in menus"
    told = any(not isinstance(effect, Assign) for block in game.blocks for effect in block.effects)
    if not asks and not told and not any(isinstance(node, Draw) for node in game.nodes):
        yield "events seen"


def _play(
    engine: ModuleType,
    interpreter: Interpreter,
    seed: int,
    with_deck: bool,
    episode: Episode,
    habits: bool,
    longest: int,
    played: _Played,
) -> None:
    deck = None
    if with_deck:
        deck = list(members(interpreter.game.pack))
        Random(seed).shuffle(deck)
    where = f"options {dict(interpreter.options)}, seed {seed}, {episode}"
    if len(played.differences) >= ENOUGH:
        return
    played.counts["plays"] += 1
    try:
        policy = habitual(interpreter.game, seed) if habits else uniform
        lockstep = Lockstep(engine, interpreter, seed, deck, episode, policy)
        lockstep.play(longest)
    except (NotWellDefined, ReachedDead):
        return  # the rules end here: nothing to compare
    except Exception as error:
        played.differences.append(f"{where}: {type(error).__name__}: {error}")
        return
    played.counts.update(lockstep.counts)
    played.differences += [f"{where}, after {lockstep.counts['choices']} choices: {d}" for d in lockstep.differences]
