"""What a work gets to see of a game, and how that is written down to know it again.

In go a game and a work; out comes a *slice*: the game without all that the work has no use for, and settings likewise.
Works are done on their slices, with a store and without one. So what a result depends on is in the slice by
construction, and a store that asks for equal slices cannot give an outdated result, whatever a slice leaves out. (A
slice that leaves out too much makes its work fail, not lie; it is done on the whole game then, and not kept.)

Left out, by the kind of the work:

* examples, lemmas and compiled predicates speak of functions: the process graph, who sees what, all other properties,
  and functions that are not called. Cells, zones, options and constraints stay, since cases range over them; and the
  greatest size of a group that can be chosen, since the solver's matchings are as wide.
* closures, pairs of plays and random plays run the rules: examples, lemmas and other properties that say nothing of
  states and steps (but, for plays, scenarios: they tell plays too), claims of other names than asked for, and functions
  that neither rules nor these claims call.
* the induction uses the claims about play together: examples, scenarios, compiled predicates, and lemmas but those
  about matchings of groups. The proof of no peeking uses invariants alone, and no lemma. Other claims, witnesses, and
  functions that are not called stay if they have a sum or a constant card, since the symbolic engines count what is
  summed, and follow cards that are named.
* whether deals end depends on the rules, invariants, measures, and the plays that scenarios tell; no text is quoted.
* what plays cover is looked at in the whole game, and the text is quoted: every edit counts.

In a slice, but not in its key, is what is only told to people: places, titles, words, citations. A result that holds
shows none of it, but for the list of what the rules tell, which is read off the spec each time (and but for what is
looked at in the whole game, where all of the text is in the key). Which places are equal
decides how results are put together; so the keys of proofs number them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from hashlib import sha256
from typing import Any

from kozel_verify.language.spans import Span
from kozel_verify.model.core import (
    Announce,
    Ask,
    Bind,
    Binding,
    Call,
    Claim,
    Compiled,
    Const,
    Example,
    Function,
    Game,
    Lemma,
    Matching,
    Measure,
    OptionDecl,
    Parameter,
    Property,
    Scenario,
    StateClaim,
    Verb,
    Visibility,
)
from kozel_verify.model.types import BOOL, NAT, CardType, SeatType, SetType
from kozel_verify.symbolic.evaluate import card_set
from kozel_verify.verify.settings import Settings

ABOUT_VALUES = (Example, Lemma, Compiled, Scenario)  # neither of states nor of steps of a play
TOLD = {
    (Game, "titles"), (Game, "terms"), (Game, "citations"), (Game, "orders"), (OptionDecl, "text"), (Announce, "label"),
}  # fmt: skip
USES: Mapping[str, tuple[str, ...]] = {
    "example": (),
    "lemma": ("budget", "lemma_cases"),
    "compiled": ("budget",),
    "closure": ("states",),
    "pairs": ("states",),
    "plays": ("plays", "witness_plays", "seed"),
    "induction": ("budget", "plays", "seed"),
    "no_peeking": ("budget", "plays", "seed"),
    "ends": ("budget", "plays", "seed", "coverage_plays"),
    "coverage": ("budget", "plays", "seed", "coverage_plays"),
}
"""The settings that a work of each kind depends on; the others have their defaults in its slice."""
ROOM = 10_000  # functions whose calls are remembered


# --- what is left out ------------------------------------------------------------------------------------------------


def settings_for(kind: str, settings: Settings) -> Settings:
    """The settings that a work of this kind uses, all others as they are by default."""
    return Settings(**{name: getattr(settings, name) for name in USES[kind]})


def of_values(game: Game, p: Example | Lemma | Compiled) -> Game:
    """The game as a statement about values sees it: ``p`` is its only property."""
    bare = values_alone(game)
    return replace(bare, functions=called(game, [p, bare]), properties=(p,))


def values_alone(game: Game) -> Game:
    """What all statements about values may see, without functions and properties."""
    nobody = Visibility("", Const(0, SetType(SeatType(game.seats))))
    size = Parameter("", "", Const(0, NAT), None, Const(_largest_group(game), NAT), NAT)
    choice = Ask("", Const(0, SeatType(game.seats)), False, (Verb("", (size,), Const(True, BOOL), 0),))
    return replace(
        game,
        cells={n: replace(c, seen=nobody) for n, c in game.cells.items()},
        zones={n: replace(z, seen=nobody) for n, z in game.zones.items()},
        functions={},
        blocks=(),
        nodes=(choice,),
        entry=0,
        deal_nodes=frozenset(),
        deal_end=0,
        outcome=Const(0, NAT),
        gain=Const(0, NAT),
        loss=Const(0, NAT),
        live=(frozenset(),),
        properties=(),
    )


def _largest_group(game: Game) -> int:
    """The greatest constant size of a group that may be chosen (4 when there is none)."""
    bounds = [p.hi for node in game.nodes for verb in getattr(node, "verbs", ()) for p in verb.parameters]
    return max((int(b.value) for b in bounds if isinstance(b, Const) and b.value is not None), default=4)


def of_play(game: Game, properties: Sequence[Property]) -> Game:
    """The rules with these properties only."""
    bare = replace(game, properties=tuple(properties), functions={})
    return replace(bare, functions=called(game, [bare]))


def claims_of(game: Game, names: frozenset[str] | None = None) -> list[Property]:
    """The properties that speak of states and steps; of these names, if any are given."""
    claims = [p for p in game.properties if not isinstance(p, ABOUT_VALUES)]
    return [p for p in claims if names is None or p.name in names]


def of_proof(game: Game, kind: str) -> Game:
    """The game as a proof about all plays sees it: the ``"induction"``, or that of ``"no_peeking"``."""
    needed = _in_induction if kind == "induction" else _in_no_peeking
    kept = [p for p in game.properties if needed(game, p) or (not isinstance(p, ABOUT_VALUES) and _counted(p))]
    names = {n for n, f in game.functions.items() if _counted(f.body)}
    names |= called(game, [of_play(game, kept), *(game.functions[n] for n in names)]).keys()
    return replace(game, properties=tuple(kept), functions={n: f for n, f in game.functions.items() if n in names})


def of_ends(game: Game) -> Game:
    """The game as the question sees it whether its deals end."""
    claims = [p for p in game.properties if isinstance(p, Measure) or _in_no_peeking(game, p)]
    return of_play(game, [*claims, *plays_told(game)])


def plays_told(game: Game) -> list[Scenario]:
    """The scenarios that begin where a match begins, without what they expect."""
    told = [p for p in game.properties if isinstance(p, Scenario) and p.start is None]
    return [replace(p, steps=tuple(s for s in p.steps if s.kind in ("choose", "draw", "end"))) for p in told]


def _in_induction(game: Game, p: Property) -> bool:
    match p:
        case Lemma():
            groups = all(card_set(q.type) for q in p.parameters)
            return groups and any(isinstance(part, Matching) for part in _parts([p, called(game, [p])]))
        case StateClaim(Claim.WITNESS):
            return False
        case _:
            return not isinstance(p, ABOUT_VALUES)


def _in_no_peeking(game: Game, p: Property) -> bool:
    return isinstance(p, StateClaim) and p.claim is Claim.INVARIANT


def _counted(value: object) -> bool:
    """Has it a sum, or a card or a set of cards as a constant?"""
    for part in _parts(value):
        match part:
            case Bind(Binding.SUM) | Const(_, CardType() | SetType(CardType())):
                return True
            case _:
                pass
    return False


def called(game: Game, values: Sequence[object]) -> dict[str, Function]:
    """The functions that may be called from anywhere in the values, in the game's order."""
    names = set[str]()
    todo = sorted(_calls(values))
    while todo:
        name = todo.pop()
        if name not in names:
            names.add(name)
            todo += _calls_of(game.functions[name])
    return {n: f for n, f in game.functions.items() if n in names}


def _calls(value: object) -> set[str]:
    return {part.function for part in _parts(value) if isinstance(part, Call | Compiled)}


_CALLS: dict[int, tuple[Function, tuple[str, ...]]] = {}  # by identity; a function that is listed stays alive


def _calls_of(function: Function) -> tuple[str, ...]:
    """What a function itself calls, looked for once."""
    known = _CALLS.get(id(function))
    if known is None or known[0] is not function:
        if len(_CALLS) >= ROOM:
            _CALLS.clear()
        known = _CALLS[id(function)] = function, tuple(sorted(_calls(function.body)))
    return known[1]


def _parts(value: Any) -> Iterator[object]:
    """All data in a value but plain ones, itself included."""
    todo = [value]
    while todo:
        here = todo.pop()
        kind = type(here)
        if kind is tuple or kind is list:
            todo += here
        elif kind is dict:
            todo += here.values()
        else:
            names = _names(kind)
            if names and kind is not Span:
                yield here
                todo += [getattr(here, name) for name in names]


# --- keys ------------------------------------------------------------------------------------------------------------

_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type) -> tuple[str, ...]:
    """The fields of a class of data; none of any other class."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(f.name for f in fields(kind)) if is_dataclass(kind) else ()
    return _NAMES[kind]


class _Writer:
    """Data as text: equal texts exactly for equal data, but for what is only told to people. ``places``: equal places
    get equal numbers, in the order in which they are met; else they are left out."""

    def __init__(self, places: bool) -> None:
        self.parts: list[str] = []
        self.places: dict[Span, int] | None = {} if places else None

    def write(self, value: Any) -> None:
        kind, parts = type(value), self.parts
        if value is None or kind is bool or kind is int:
            parts.append(f"{value} ")
        elif isinstance(value, str) and not isinstance(value, Enum):
            parts.append(f"{str(value)!r} ")
        elif kind is tuple or kind is list:
            parts.append("(")
            for part in value:
                self.write(part)
            parts.append(")")
        elif kind is Span:
            if self.places is not None:
                parts.append(f"@{self.places.setdefault(value, len(self.places))} ")
        elif is_dataclass(value) and not isinstance(value, type):
            parts.append(f"{kind.__name__}[")
            for name in _names(kind):
                if (kind, name) not in TOLD:
                    self.write(getattr(value, name))
            parts.append("]")
        else:
            self._write_other(value)

    def _write_other(self, value: Any) -> None:
        match value:
            case Enum():
                self.parts.append(f"{type(value).__name__}.{value.name} ")
            case frozenset():
                self.write(("set", *sorted(value)))
            case dict():
                self.write(("map", *value.items()))
            case _:
                raise TypeError(f"{type(value).__name__} has no place in a key")


def digest(value: object, places: bool = False) -> str:
    """A hash (SHA-256, hex) of all data in a value that can decide a result. Raises ``TypeError`` for other objects
    than those of the core and plain data."""
    writer = _Writer(places)
    writer.write(value)
    return sha256("".join(writer.parts).encode()).hexdigest()
