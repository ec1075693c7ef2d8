"""All obligations of a spec, asked about one mutant, cheap ways first.

In go a spec (as a ``Base``, which remembers what the spec itself shows) and a subject that may be a mutant of it; out
comes a ``Row``. Written examples and scenarios are evaluated; closures of the small packs that are small enough, random
matches on the others, the plays that scenarios tell and random matches on the full pack are searched for violations and
witnesses; leaks are looked for in all pairs of plays of a small pack, and in deals played twice; then come lemmas and
compiled predicates (``mutate_values``). What depends only on parts that are as in the spec is not asked again. Every
failure is evaluated or replayed by the interpreter. Whether deals end is looked at in closures only, and what plays
cover is not asked.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from kozel_verify.exhaustive.closure import Closure
from kozel_verify.exhaustive.machine import Outcome as FastOutcome
from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.state import Outcome
from kozel_verify.model.core import Compiled, Example, Game, Lemma, Property, Scenario
from kozel_verify.model.load import Spec
from kozel_verify.verify.closures import claims_closed
from kozel_verify.verify.confirm import fast_outcome
from kozel_verify.verify.differ import Side
from kozel_verify.verify.ends import ENDS
from kozel_verify.verify.examples import try_one, written_out
from kozel_verify.verify.findings import Verdict
from kozel_verify.verify.mutate_cells import Row, Says
from kozel_verify.verify.mutate_values import ask_values_of
from kozel_verify.verify.mutate_walks import Walker, walked
from kozel_verify.verify.option_sets import Options, defaults
from kozel_verify.verify.peeking import NO_PEEKING, pairs_evidence
from kozel_verify.verify.peeking_runs import twin_play
from kozel_verify.verify.plays import witnesses
from kozel_verify.verify.probes import why
from kozel_verify.verify.run import Wanted, wanted
from kozel_verify.verify.scenarios import told_play
from kozel_verify.verify.settings import Settings
from kozel_verify.verify.slices import called, of_play, values_alone
from kozel_verify.verify.subject import Subject, covering_options
from kozel_verify.verify.values import compiled_names
from kozel_verify.verify.wiring import close_pack

TWINS = 4  # deals that are played twice
MATCHES = 2  # under each choice of options but the defaults
SMALL_MATCHES = 12  # on each small pack that is too large to be closed, under each choice of options
FAULTS = (NotWellDefined, ReachedDead)
Source = tuple[str, str]  # a pack and options, as text


@dataclass(slots=True)
class Met:
    """Where witnesses were met: by name the sources, with the options of the first run on the full pack."""

    by: dict[str, set[Source]] = field(default_factory=dict)

    def note(self, source: Source, names: list[str]) -> None:
        for name in names:
            self.by.setdefault(name, set()).add(source)


@dataclass
class Base:
    """The spec that mutants are made of. What it shows itself is found out when it is first needed."""

    spec: Spec
    settings: Settings

    @cached_property
    def subject(self) -> Subject:
        return Subject(self.spec, self.settings)

    @cached_property
    def side(self) -> Side:
        """The spec as what mutants are compared with."""
        return Side(self.spec)

    @cached_property
    def wanted(self) -> list[Wanted]:
        return wanted(self.spec)

    @cached_property
    def closable(self) -> frozenset[tuple[str, str]]:
        """The small packs whose state space under these options has no more states than the settings allow."""
        return frozenset(
            (pack, _text(options))
            for pack in self.spec.packs
            for options in covering_options(self.subject.small(pack))
            if close_pack(Interpreter(self.subject.small(pack), options), self.settings.states).complete
        )

    @cached_property
    def met(self) -> Met:
        """Where the spec meets its witnesses."""
        return self._own[1]

    @cached_property
    def row(self) -> Row:
        """What all obligations say of the spec itself."""
        return self._own[0]

    @cached_property
    def _own(self) -> tuple[Row, Met]:
        asked = Asked(self, self.subject)
        asked.all()
        return asked.row, asked.met

    @cached_property
    def rules(self) -> dict[str, Game]:
        return rules_of(self.subject)

    @cached_property
    def values(self) -> Game:
        return values_alone(self.spec.game)


def rules_of(subject: Subject) -> dict[str, Game]:
    """The rules alone, on the full pack and on each small one."""
    games = {"": subject.game, **{pack: subject.small(pack) for pack in subject.spec.packs}}
    return {pack: of_play(game, ()) for pack, game in games.items()}


def _text(options: Options) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sorted(options.items()))


def _same_called(a: Game, b: Game, p: Property | Game, q: Property | Game) -> bool:
    return p == q and called(a, [p]) == called(b, [q])


@dataclass
class Asked:
    """The asking. ``row`` has what was said so far; ``met`` where witnesses were met. ``hurried``: the first
    obligations that fail are enough, and no plays are asked when ``equal`` finds that none of them can differ."""

    base: Base
    subject: Subject
    row: Row = field(default_factory=Row)
    met: Met = field(default_factory=Met)
    hurried: bool = False
    equal: Callable[[], bool] = lambda: False
    heavy: bool = False
    _walkers: list[Walker] = field(default_factory=list)

    def all(self, ask_values: bool = True) -> None:
        """Everything, in order; where it is hurried, until something fails."""
        for _ in self._parts(ask_values):
            if self.hurried and self._fails:
                break
        for w in self.base.wanted:
            self.row.say(w.name, Says.OPEN)

    def _parts(self, ask_values: bool) -> Iterator[None]:
        if self._is_mutant and not self.hurried:
            self._untouched()
        self._written()
        yield
        if self._is_mutant and self.hurried:  # most faults are noticed before
            self._untouched()
        if not self._rules_same and not (self.hurried and self.equal()):
            yield from self._closures()
            yield from self._full_pack()
            self._play_holds()
            self._peeking()
            yield
            if self._is_mutant:
                self._unmet(self.subject.settings.witness_plays)
                yield
        if ask_values:
            ask_values_of(self.subject, self.row)
            yield

    @property
    def _fails(self) -> bool:
        """Has a failure been seen? A witness that is not met may yet be met when it is looked for longer."""
        return any(cell.says.notices and cell.says is not Says.UNMET for cell in self.row.cells.values())

    @property
    def _is_mutant(self) -> bool:
        return self.subject is not self.base.subject

    # --- what the fault cannot have touched --------------------------------------------------------------------------

    @cached_property
    def _rules_same(self) -> bool:
        return self._is_mutant and rules_of(self.subject) == self.base.rules

    def _untouched(self) -> None:
        mine, theirs = self.subject.game, self.base.spec.game
        there = {_key(p): p for p in theirs.properties}
        bare = values_alone(mine)
        values_same = _same_called(mine, theirs, bare, self.base.values)
        for p in mine.properties:
            old = there.get(_key(p))
            about_values = isinstance(p, Example | Lemma | Compiled)
            same = values_same if about_values else self._rules_same
            if old is not None and same and _same_called(mine, theirs, p, old):
                for name in _names(mine, p):
                    self.row.say(name, Says.UNTOUCHED)
        if self._rules_same:
            own = {p.name for p in mine.properties}
            for name in (NO_PEEKING, *(n for n in claims_closed(mine) if n not in own)):
                self.row.say(name, Says.UNTOUCHED)

    # --- what is written out -----------------------------------------------------------------------------------------

    def _written(self) -> None:
        game = self.subject.game
        for item in written_out(game):
            if not self.row.asks(item.name):
                continue
            tried = try_one(game, item, self.subject.spec.program.files)
            if tried.holds:
                self.row.say(item.name, Says.HOLDS, "evaluated")
            else:
                lines = (f"{tried.at}", *tried.explanation)
                self.row.notice(item.name, Says.REFUTED, f"{tried.kind.value} evaluated", lambda said=lines: said)  # type: ignore[misc]

    # --- play --------------------------------------------------------------------------------------------------------

    def _closures(self) -> Iterator[None]:
        for pack in self.subject.spec.packs:
            game = self.subject.small(pack)
            for options in covering_options(game):
                interpreter = Interpreter(game, options)
                if (pack, _text(options)) in self.base.closable:
                    closure = close_pack(interpreter, self.subject.settings.states)
                    self._found(closure, interpreter, "closure")
                    self._ends(closure)
                else:
                    walker = Walker(game, options, self._refuted)
                    seed = self.subject.settings.seed
                    walked(walker, (), range(seed, seed + SMALL_MATCHES), habits=self.hurried)
                    self._found(walker.found(), interpreter, "random plays")
                yield

    @property
    def _refuted(self) -> frozenset[str]:
        return frozenset(self.row.notices)

    def _ends(self, closure: Closure[Outcome]) -> None:
        if closure.endless:
            self.row.notice(ENDS, Says.REFUTED, "closure", lambda: ("a run comes back to a state that it has left",))
        elif closure.complete:
            self.row.say(ENDS, Says.HOLDS, "closure")

    def _full_pack(self) -> Iterator[None]:
        game, seed = self.subject.game, self.subject.settings.seed
        own = covering_options(game)
        told = self._told()
        every = [*own, *(o for o, _ in told if o not in own)]
        for number, options in enumerate({_text(o): o for o in every}.values()):
            runs = [run for o, run in told if o == options]
            matches = self.subject.settings.plays if number == 0 else MATCHES if options in own else 0
            walker = Walker(game, options, self._refuted)
            walked(walker, runs, range(seed, seed + matches), habits=self.hurried)
            self._walkers.append(walker)
            self.heavy |= walker.heavy
            self._found(walker.found(), Interpreter(game, options), "random plays")
            yield

    def _told(self) -> list[tuple[Options, list[FastOutcome]]]:
        """The plays that scenarios tell from the beginning of a match."""
        found: list[tuple[Options, list[FastOutcome]]] = []
        for p in self.subject.game.properties:
            if isinstance(p, Scenario):
                try:
                    told = told_play(self.subject.game, p, self.subject.spec.program.files)
                except FAULTS:  # before the first node
                    continue
                if told is not None:
                    found.append((dict(told[0].options), [fast_outcome(s.outcome) for s in told[1].steps]))
        return found

    def _found(self, closure: Closure[Outcome], interpreter: Interpreter, method: str) -> None:
        source = (interpreter.game.pack_name, _text(dict(interpreter.options)))
        self.met.note(source, [name for name, run in closure.witnesses.items() if run is not None])
        for violation in closure.violations.values():
            name = violation.name.removeprefix("dead ")

            def lines(run: tuple[Outcome, ...] = violation.run, name: str = name) -> list[str]:
                pack = f"pack `{source[0]}`, " if source[0] else ""
                return [f"{pack}after {len(run)} steps", *why(self.subject, interpreter, name, run)]

            self.row.notice(name, Says.REFUTED, method, lines)

    def _play_holds(self) -> None:
        for name in claims_closed(self.subject.game):
            self.row.say(name, Says.HOLDS, "plays and closures")
        for name in self.met.by:
            self.row.say(name, Says.HOLDS, "met")

    def _unmet(self, matches: int) -> None:
        """Witnesses that the spec meets here, and the mutant meets neither here nor in more matches."""
        missing = {n for n in witnesses(self.subject.game) if n in self.base.met.by and n not in self.met.by}
        missing = {n for n in missing if self.row.asks(n)}
        seed = self.subject.settings.seed + 1_000
        for number in range(matches):
            if not missing or self.heavy:
                break
            walker = self._walkers[number % len(self._walkers)]
            walker.match(seed + number)
            self.heavy |= walker.heavy
            missing -= walker.witnesses.keys()
        found = [n for n in self.base.met.by if any(n in w.witnesses for w in self._walkers)]
        for name in found:
            self.row.say(name, Says.HOLDS, "met")
        for name in sorted(missing):
            text = f"met by the spec in {len(self.base.met.by[name])} of the searches, by the mutant in none"
            self.row.notice(name, Says.UNMET, "plays and closures", lambda said=text: (said,))  # type: ignore[misc]

    def search_more(self, matches: int) -> None:
        """Look longer for the witnesses that were not met; those that are met then hold."""
        unmet = [n for n, c in self.row.cells.items() if c.says is Says.UNMET]
        seed = self.subject.settings.seed + 100_000
        for number in range(matches):
            if not unmet or self.heavy:
                return
            walker = self._walkers[number % len(self._walkers)]
            walker.match(seed + number)
            for name in [n for n in unmet if n in walker.witnesses]:
                unmet.remove(name)
                del self.row.cells[name]
                self.row.say(name, Says.HOLDS, "met")
                if self.row.first == name:
                    self.row.first, self.row.lines = next(iter(self.row.notices), ""), ()

    # --- what a seat may know ----------------------------------------------------------------------------------------

    def _peeking(self) -> None:
        method = ""
        for pack in self.subject.spec.packs:
            game = self.subject.small(pack)
            options = defaults(game)
            if (pack, _text(options)) not in self.base.closable:
                continue
            found = pairs_evidence(self.subject, pack, options)
            for _, leg in found.legs:
                if leg.verdict is Verdict.REFUTED:
                    self.row.notice(NO_PEEKING, Says.REFUTED, "pairs of plays", lambda d=leg.detail: (d,))  # type: ignore[misc]
                elif leg.verdict is Verdict.CLOSED:
                    method = "pairs of plays"
        if not self.row.noticed(NO_PEEKING) and not self.heavy:
            self._twins()
            method = ", ".join(filter(None, (method, "random plays told alike")))
        if method:
            self.row.say(NO_PEEKING, Says.HOLDS, method)

    def _twins(self) -> None:
        game = self.subject.game
        sets = covering_options(game)
        for number in range(TWINS):
            interpreter = Interpreter(game, sets[number // game.seats % len(sets)])
            try:
                twins = twin_play(interpreter, number % game.seats, self.subject.settings.seed + number)[1]
            except FAULTS:
                return
            if twins is not None:
                self.row.notice(NO_PEEKING, Says.REFUTED, "random plays told alike", lambda t=twins.text: (t,))  # type: ignore[misc]
                return


def _key(p: Property) -> tuple[str, str, int]:
    """A claim whose names mean different things at different nodes is several properties of one name."""
    return type(p).__name__, p.name, hash(getattr(p, "nodes", getattr(p, "sources", ())))


def _names(game: Game, p: Property) -> list[str]:
    return [name for name, _ in compiled_names(game, p)] if isinstance(p, Compiled) else [p.name]
