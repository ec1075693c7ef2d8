"""Evidence that was found before: by which key it is kept, and in which form.

In go works and the evidence that they bring; out comes, for a work, what is known of it already, and the work that is
left. A key names the tool (a hash of all its source files), the versions of Python, the solver and the parser, the
settings that the work uses, its arguments, and its slice of the game (``slices``). Kept is only what holds: no
refutation, nothing unknown. The legs of closures and plays are kept for each obligation by itself, since none of them
depends on another. Trusted: that the same program on the same slice finds the same.
"""

import json
import platform
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from kozel_verify.language.folders import data_folder
from kozel_verify.model.core import Compiled, Example, Function, Game, Lemma, Property, Scenario
from kozel_verify.verify.closures import claims_closed
from kozel_verify.verify.evidence import Evidence, Work, only_for
from kozel_verify.verify.findings import Leg, Verdict
from kozel_verify.verify.peeking import listed
from kozel_verify.verify.plays import witnesses
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.slices import (
    USES,
    called,
    claims_of,
    digest,
    of_ends,
    of_play,
    of_proof,
    of_values,
    plays_told,
    settings_for,
    values_alone,
)
from kozel_verify.verify.store import Store
from kozel_verify.verify.subject import Subject

FORM = "work 1"
HOLDS = (Verdict.PROVED, Verdict.ENUMERATED, Verdict.CLOSED, Verdict.SAMPLED)
BY_NAME = ("closure", "plays")  # works whose legs are kept each by itself


# --- slices of works -------------------------------------------------------------------------------------------------


def sliced(subject: Subject, work: Work) -> tuple[Subject, Work] | None:
    """The subject as the work sees it, and the work on it; ``None`` for works of which no slice is known."""
    if work.kind not in USES:
        return None
    settings = settings_for(work.kind, subject.settings)
    names = frozenset(work.serves)
    match work.kind:
        case "example" | "lemma" | "compiled":
            index, *rest = work.arguments
            assert isinstance(index, int)
            game = _of_property(subject.game, index)
            return _on(subject, game, settings), replace(work, arguments=(0, *rest))
        case "closure" | "pairs":
            pack = str(work.arguments[0])
            whole = subject.small(pack)
            small = of_play(whole, claims_of(whole, names) if work.kind == "closure" else ())
            return replace(_on(subject, small, settings), _small={pack: small}), work
        case "plays":
            game = subject.game
            return _on(subject, of_play(game, [*claims_of(game, names), *plays_told(game)]), settings), work
        case "ends":
            spec = replace(subject.spec, program=replace(subject.spec.program, files={}))
            packs = {pack: of_play(subject.small(pack), ()) for pack in spec.packs}
            return Subject(replace(spec, game=of_ends(subject.game)), settings, packs), work
        case "coverage":
            return _on(subject, subject.game, settings), work
        case _:
            return _on(subject, of_proof(subject.game, work.kind), settings), work


def _of_property(game: Game, index: int) -> Game:
    p = game.properties[index]
    match p:
        case Scenario():
            return of_play(game, [p])
        case Example() | Lemma() | Compiled():
            return of_values(game, p)
        case _:
            raise TypeError("this property has no work of its own")


def _on(subject: Subject, game: Game, settings: Settings) -> Subject:
    return Subject(replace(subject.spec, game=game), settings)


# --- keys ------------------------------------------------------------------------------------------------------------


@cache
def tool() -> tuple[str, ...]:
    """What a result depends on beside the spec and the settings. Raises ``OSError``, ``PackageNotFoundError``."""
    sources = sha256()
    package = Path(__file__).resolve().parents[1]
    found = [(p.relative_to(package).as_posix(), p) for p in package.rglob("*.py") if "_data" not in p.parts]
    found += [(f"grammar/{p.name}", p) for p in data_folder("grammar").iterdir() if p.is_file()]
    for name, path in sorted(found):
        data = path.read_bytes()
        sources.update(f"{name} {len(data)}\n".encode() + data)
    python = f"{platform.python_implementation()} {sys.version_info.major}.{sys.version_info.minor}"
    return sources.hexdigest(), python, f"z3-solver {version('z3-solver')}", f"lark {version('lark')}"


@dataclass(slots=True)
class Keys:
    """The keys of the works of one subject. Empty for what may not be kept.

    The content of a slice is written as that of the slice without functions and properties, and that of each of these;
    parts that several slices share are hashed once.
    """

    subject: Subject
    _shared: dict[tuple[str, ...], object] = field(default_factory=dict)
    _functions: dict[str, dict[str, str]] = field(default_factory=dict)  # pack -> function -> digest

    def of(self, work: Work) -> dict[str, str]:
        """The key of each part of the work that is kept: by the name of the obligation, or under "" for the whole."""
        if work.kind not in USES:
            return {}
        try:
            if work.kind in BY_NAME:
                return {name: self._key(work, self._by_name(work, name), name) for name in self._names(work)}
            return {"": self._key(work, self._whole(work), "")}
        except (OSError, PackageNotFoundError, TypeError):  # sources that cannot be read, data that has no text
            return {}

    def _key(self, work: Work, content: object, name: str) -> str:
        used = {n: getattr(self.subject.settings, n) for n in USES[work.kind]}
        about_one = work.kind in ("example", "lemma", "compiled")  # by its index, which says nothing
        arguments = work.arguments[1:] if about_one else work.arguments
        return json.dumps([FORM, *tool(), work.kind, name, arguments, used, content], ensure_ascii=False)

    def _names(self, work: Work) -> list[str]:
        """The obligations to which the work brings legs."""
        game = self._game(work)
        there = claims_closed(game) + (witnesses(game) if work.kind == "plays" else [])
        return [name for name in dict.fromkeys(there) if name in work.serves]

    def _game(self, work: Work) -> Game:
        return self.subject.small(str(work.arguments[0])) if work.kind in ("closure", "pairs") else self.subject.game

    # --- contents ----------------------------------------------------------------------------------------------------

    def _once(self, make: Callable[[], object], *names: str) -> object:
        if names not in self._shared:
            self._shared[names] = make()
        return self._shared[names]

    def _by_name(self, work: Work, name: str) -> object:
        """The rules, and what is claimed under the name with all that it calls."""
        game = self._game(work)
        rules = self._rules(game)
        claims = self._once(lambda: self._called(game, claims_of(game, frozenset({name}))), game.pack_name, name)
        told = self._once(lambda: self._called(game, plays_told(game)), "told") if work.kind == "plays" else ()
        return [rules, claims, told]

    def _rules(self, game: Game) -> object:
        return self._once(lambda: self._content(of_play(game, ())), "rules", game.pack_name)

    def _whole(self, work: Work) -> object:
        game = self._game(work)
        match work.kind:
            case "pairs":
                return self._rules(game)
            case "ends":
                packs = [self._rules(self.subject.small(pack)) for pack in self.subject.spec.packs]
                return [digest(of_ends(game), places=True), packs]
            case "coverage":
                return self._once(self._everything, "everything")
            case "induction" | "no_peeking":
                return digest(of_proof(game, work.kind), places=True)
            case _:
                index = work.arguments[0]
                assert isinstance(index, int)
                return self._of_property(game, game.properties[index])

    def _everything(self) -> object:
        """The texts with where they stand, and what was made of them (which may be a mutant's)."""
        spec = self.subject.spec
        games = [spec.game, *(self.subject.small(pack) for pack in spec.packs)]
        return [spec.hash, sorted(spec.program.files), [digest(game, places=True) for game in games]]

    def _of_property(self, game: Game, p: Property) -> object:
        if isinstance(p, Scenario):
            return self._content(of_play(game, [p]))
        bare = values_alone(game)
        shared = self._once(lambda: [digest(bare), self._called(game, [bare])], "values")
        return [shared, self._called(game, [p])]

    def _content(self, game: Game) -> object:
        bare = digest(replace(game, functions={}, properties=()))
        return [bare, [digest(p) for p in game.properties], self._digests(game, game.functions)]

    def _called(self, game: Game, values: Sequence[object]) -> object:
        """These data, and all functions that they call."""
        return [[digest(v) for v in values], self._digests(game, called(game, values))]

    def _digests(self, game: Game, functions: Mapping[str, Function]) -> list[tuple[str, str]]:
        known = self._functions.setdefault(game.pack_name, {})
        for name, function in functions.items():
            if name not in known:
                known[name] = digest(function)
        return [(name, known[name]) for name in functions]


# --- keeping ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Known:
    """What is known of a work: its evidence so far, the work that is left (``None``: none), and how many of its parts
    were found, of how many."""

    evidence: Evidence
    left: Work | None
    found: int
    parts: int


def known(keys: Keys, store: Store, work: Work) -> Known:
    """Look a work up; what was proved together with others serves those that are asked about apart."""
    if work.kind == "induction" and work.arguments:
        whole = known(keys, store, replace(work, arguments=()))
        if whole.left is None:
            return replace(whole, evidence=only_for(whole.evidence, work.serves))
    parts = keys.of(work)
    told = listed(keys.subject) if work.kind == "no_peeking" else ""
    found = {name: part for name, key in parts.items() if (part := _read(store.get(key), told)) is not None}
    if not parts or not found:
        return Known(Evidence(), work, 0, max(1, len(parts)))
    evidence = Evidence(
        legs=tuple(leg for part in found.values() for leg in part.legs),
        queries=tuple(q for part in found.values() for q in part.queries),
    )
    missing = tuple(name for name in parts if name not in found)
    return Known(evidence, replace(work, serves=missing) if missing else None, len(found), len(parts))


def keep(keys: Keys, store: Store, work: Work, evidence: Evidence) -> None:
    """Keep the parts of a work's evidence that hold. The evidence must be that of the work on its slice."""
    for name, key in keys.of(work).items():
        legs = [(n, leg) for n, leg in evidence.legs if name in ("", n)]
        refuted = any(name in ("", n) for n, _ in evidence.counterexamples)
        if legs and not refuted and all(leg.verdict in HOLDS for _, leg in legs):
            told = listed(keys.subject) if work.kind == "no_peeking" else ""
            store.put(key, _text(replace(evidence, legs=tuple(legs)), told))


TOLD = "\0"  # stands for the list of what the rules tell, which no other text contains


def _text(evidence: Evidence, told: str) -> bytes:
    """``told``: a text in the details that is not kept, but put in again."""
    legs = [
        [name, leg.method, leg.verdict.value, leg.cases, leg.visited, leg.holds, _without(leg.detail, told)]
        for name, leg in evidence.legs
    ]
    return json.dumps([legs, evidence.queries], ensure_ascii=False).encode()


def _without(detail: str, told: str) -> str:
    return detail.replace(told, TOLD) if told else detail


def _read(value: bytes | None, told: str) -> Evidence | None:
    """The evidence in a text; ``None`` for what is none."""
    if value is None:
        return None
    try:
        legs, queries = json.loads(value)
        return Evidence(tuple(_legs(legs, told)), queries=tuple(map(str, queries)))
    except (ValueError, TypeError):
        return None


def _legs(rows: list[list[object]], told: str) -> Iterator[tuple[str, Leg]]:
    for name, method, verdict, *counts, detail in rows:
        cases, visited, holding = (None if c is None else int(str(c)) for c in counts)
        yield str(name), Leg(str(method), Verdict(verdict), cases, visited, holding, str(detail).replace(TOLD, told))
