"""Two games compared: the whole work, and its result.

In go two sides and an ``Effort``; out comes a ``Comparison``. Both are compared as they stand, and for each option
that both have and nobody has settled with each other value of it on both sides. First pure functions, then plays;
where no play shows a difference, a proof that there is none. ``compare`` does all of it, ``compare_plays`` the plays
alone.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from kozel_verify.interpret.state import Outcome
from kozel_verify.model.core import Game
from kozel_verify.model.types import CardType, SetType
from kozel_verify.verify.differ.changes import Change, changes, responsible
from kozel_verify.verify.differ.functions import FunctionAnswer
from kozel_verify.verify.differ.groups import compared_functions, equal_functions
from kozel_verify.verify.differ.noticed import first_difference
from kozel_verify.verify.differ.partings import Parting, lockstep, menu_difference, parting, replayed
from kozel_verify.verify.differ.proof import Proof, prove
from kozel_verify.verify.differ.search import Run, Searched, Tell, at_random, quiet, whole
from kozel_verify.verify.differ.shorter import shorter
from kozel_verify.verify.differ.sides import Setting, Side, apart_before_play, packs, settings, shown_by_one
from kozel_verify.verify.slices import digest, of_play
from kozel_verify.verify.stacking import Called, run_to_call
from kozel_verify.verify.stacking import Effort as Stacking

STACKING = Stacking(deals=2, states=24, plays=0, steps=500)
FUNCTION = 2_000_000  # solver units, to show that a function is the same before plays are compared
PATIENCE = 10  # as many deals of the full pack are played where a small pack has shown a difference


@dataclass(frozen=True, slots=True)
class Effort:
    """``states``: pairs of states visited for each small pack and setting; ``deals``: random deals of the full pack,
    over all settings; ``shrink``: steps of the interpreter for making a run smaller; ``budget``: solver units for one
    query; ``cases``: the largest domain of a function that is enumerated; ``stated``: a proof may take the invariants
    in A's text for granted; ``thorough``: it may first prove invariants of A."""

    states: int = 5_000
    deals: int = 400
    seed: int = 1
    shrink: int = 1_500
    budget: int = 20_000_000
    cases: int = 300_000
    thorough: bool = False
    stated: bool = False


@dataclass(frozen=True, slots=True)
class Looked:
    """One search: on which pack (``""``: random plays of the full one), under which setting, and what it came to."""

    pack: str
    setting: Setting
    found: Searched


@dataclass(frozen=True, slots=True)
class MenuExample:
    """A state in which the menus at a node differ: ``kind`` is ``stricter``, ``laxer`` or ``other`` (of A)."""

    node: str
    kind: str
    pack: str
    setting: Setting
    run: tuple[Outcome, ...]
    said: tuple[str, str]


@dataclass(slots=True)
class Comparison:
    """``apart``: why the two cannot be played side by side; ``declared``: cells that somebody sees in one game and the
    other does not have; ``partings``: plays in which they part, the best first; ``examples``: one for each way in which
    the menus at a node differ, in a state that both come to. ``same``: the rules are the same, so nothing was played;
    ``cut``: fewer deals of the full pack were played than were asked for, as the two had parted."""

    a: Side
    b: Side
    apart: str | None = None
    declared: list[str] = field(default_factory=list)
    looked: list[Looked] = field(default_factory=list)
    partings: list[Parting] = field(default_factory=list)
    examples: list[MenuExample] = field(default_factory=list)
    functions: list[FunctionAnswer] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    proof: Proof | None = None
    same: bool = False
    cut: bool = False

    @property
    def verdict(self) -> str:
        """``different``, ``equal``, or ``open``."""
        return "different" if self.different else "equal" if self.equal else "open"

    @property
    def equal(self) -> bool:
        """Is it proved that nobody can tell the two apart?"""
        return not self.different and (self.same or (self.proof is not None and self.proof.proved))

    @property
    def different(self) -> bool:
        return self.apart is not None or bool(self.declared) or bool(self.partings)


def names_of(a: Side, b: Side) -> tuple[str, str]:
    """What the two are called: by the names of their games, or A and B when these are the same."""
    names = a.game.name, b.game.name
    return names if names[0] != names[1] else ("A", "B")


def compare(a: Side, b: Side, effort: Effort | None = None, tell: Tell = quiet) -> Comparison:
    """Everything: functions, plays, the clauses that make the difference, or a proof that there is none. ``tell`` hears
    how far the searches are."""
    effort = effort or Effort()
    apart = apart_before_play(a.game, b.game)
    if apart is not None:
        return Comparison(a, b, apart, changes=changes(a, b))
    if same_rules(a, b):
        return Comparison(a, b, same=True)
    functions = compared_functions(a, b, effort.cases, effort.budget)
    result = compare_plays(a, b, effort, functions, tell)
    if result.partings:
        result.changes = responsible(a, b, result.partings[0])
    else:
        result.changes = changes(a, b)
    if not result.different:
        equal = [f.name for f in functions if f.equal]
        result.proof = prove(a, b, equal, effort.budget, effort.thorough)
    return result


def same_rules(a: Side, b: Side) -> bool:
    """Are the two sides one game, whatever it and its promises are called and wherever they are written, with the same
    options settled alike? All engines read the cores that are compared here, and nothing else of the rules."""
    return dict(a.fixed) == dict(b.fixed) and _rules(a.game) == _rules(b.game)


def _rules(game: Game) -> str:
    return digest(replace(of_play(game, ()), name="", titles={}, terms={}, citations={}))


def decide(a: Side, b: Side, effort: Effort | None = None) -> Comparison:
    """The verdict alone, quickly: first the proof that they are equal, and only if that fails a look for a difference
    in plays. For many pairs of which most are nearly the same."""
    effort = effort or Effort()
    if apart_before_play(a.game, b.game) is not None:
        return compare_plays(a, b, effort)
    equal = equal_functions(a, b, effort.cases, FUNCTION)
    proof = prove(a, b, equal, effort.budget, stated=effort.stated)
    if proof.proved:
        return Comparison(a, b, proof=proof)
    result = compare_plays(a, b, effort)
    if not result.different:
        result.proof = prove(a, b, equal, effort.budget, True) if effort.thorough else proof
    return result


def compare_plays(
    a: Side, b: Side, effort: Effort, functions: Sequence[FunctionAnswer] = (), tell: Tell = quiet
) -> Comparison:
    """Small packs first, setting after setting, then the full pack; no further setting once the two have parted.
    Situations in which ``functions`` differ are looked for in plays where random ones show nothing."""
    result = Comparison(a, b, apart_before_play(a.game, b.game), functions=list(functions))
    if result.apart is not None:
        return result
    result.declared = shown_by_one(a.game, b.game)
    for looked in _small(a, b, effort, tell):
        result.looked.append(looked)
    parted = next((look.setting.name for look in result.looked if look.found.partings), None)
    for looked in _full(a, b, effort, parted, tell):
        result.looked.append(looked)
    result.partings = [p for p in (_best(result, full, effort) for full in (True, False)) if p is not None]
    result.examples = list(_examples(result))
    full = [look.found for look in result.looked if look.pack == ""]
    result.cut = any(found.partings for found in full) and sum(found.deals for found in full) < effort.deals
    if not any(p.pack == "" for p in result.partings):
        guided = _guided(result, effort)
        result.partings = ([] if guided is None else [guided]) + result.partings
    return result


def _examples(result: Comparison) -> Iterator[MenuExample]:
    """The shortest run to each kind of difference at each node, replayed; those of the full pack first."""
    best: dict[tuple[str, str], tuple[Looked, Run]] = {}
    for looked in sorted(result.looked, key=lambda look: look.pack != ""):
        for count in looked.found.menus.values():
            for kind, run in count.examples.items():
                best.setdefault((count.node, kind), (looked, run))
    for (node, kind), (looked, fast) in best.items():
        games = _games(result.a, result.b, looked.pack)
        outcomes = replayed(lockstep(*games, looked.setting), fast)
        found = menu_difference(*games, looked.setting, outcomes)
        yield MenuExample(node, kind, looked.pack, looked.setting, outcomes, found.said)


def _guided(result: Comparison, effort: Effort) -> Parting | None:
    """A play of the full pack in which the game comes to a call of a function on which the two differ."""
    a, b = result.a.game, result.b.game
    for function in (f for f in result.functions if f.own and f.smallest is not None):
        found = function.smallest
        assert found is not None
        call = Called(function.name, found.arguments, found.cells)
        if not any(isinstance(p.type, CardType | SetType) for p in a.functions[function.name].parameters):
            continue  # nothing that cards could be stacked for
        run = run_to_call(a, found.options[0], call, effort.seed, STACKING)
        setting = Setting(*found.options, "")
        if run is not None and first_difference(lockstep(a, b, setting), run) is not None:
            return parting(a, b, setting, run, names_of(result.a, result.b))
    return None


def _small(a: Side, b: Side, effort: Effort, tell: Tell) -> Iterator[Looked]:
    parted: str | None = None
    rows = [(setting, pack) for pack in packs(a, b) for setting in settings(*_games(a, b, pack), (a.fixed, b.fixed))]
    for setting, pack in sorted(rows, key=lambda row: row[0].name != ""):
        if parted is None or setting.name == parted:
            found = whole(*_games(a, b, pack), setting, effort.states, tell)
            parted = setting.name if found.partings else parted
            yield Looked(pack, setting, found)


def _full(a: Side, b: Side, effort: Effort, parted: str | None, tell: Tell) -> Iterator[Looked]:
    """Where the small packs have parted, all deals are played under that setting, up to ``PATIENCE`` times as many."""
    rows = list(settings(a.game, b.game, (a.fixed, b.fixed)))
    likely = [s for s in rows if s.name == parted]
    if likely:
        rows, deals = likely, effort.deals * PATIENCE
    else:
        deals = max(1, effort.deals // max(1, len(rows)))
    for setting in rows:
        found = at_random(a.game, b.game, setting, deals, effort.seed, effort.deals, tell)
        yield Looked("", setting, found)
        if found.partings:
            return


def _games(a: Side, b: Side, pack: str) -> tuple[Game, Game]:
    x, y = a.on(pack), b.on(pack)
    assert x is not None and y is not None
    return x, y


def _best(result: Comparison, full: bool, effort: Effort) -> Parting | None:
    """The shortest play found on the full pack, made smaller; or on a small one."""
    a, b = result.a, result.b
    runs: list[tuple[int, Looked, Run]] = []
    for looked in result.looked:
        shortest = looked.found.shortest()
        if shortest is not None and (looked.pack == "") == full:
            runs.append((len(shortest), looked, shortest))
    if not runs:
        return None
    _, looked, fast = min(runs, key=lambda row: row[0])
    games = _games(a, b, looked.pack)
    run: tuple[Outcome, ...] = replayed(lockstep(*games, looked.setting), fast)
    setting = looked.setting
    if full:
        own = next((s for s in settings(*games, (a.fixed, b.fixed)) if not s.name), None)
        setting, run = shorter(*games, setting, own, run, effort.shrink)
    return parting(*games, setting, run, names_of(a, b))
