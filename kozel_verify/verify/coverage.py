"""Is every option, every clause of the rules and every premise met in some play?

In: a subject. Out: one leg for ``options_covered``: its cases are the values of the options that the constraints
allow, the clauses of the rules and the premises of what is claimed; it holds for those that a run on the full pack
shows, played by the reference interpreter. First come the scenarios of the spec, then random matches over the option
sets, until nothing is missing or the matches are used up. That something is not met does not show that it never
happens; a clause that no play meets is either out of reach, and better stated as `dead` or taken out, or wants a
scenario. Trusted: the reference interpreter.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from kozel_verify.interpret.errors import NotWellDefined, ReachedDead
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Played, random_play
from kozel_verify.interpret.state import Choice
from kozel_verify.interpret.text import value_text
from kozel_verify.interpret.visibility import indices
from kozel_verify.model.core import Ask, End, Expr, Game, OptionRead, Scenario, StateClaim, StepClaim
from kozel_verify.model.graph import walk
from kozel_verify.model.types import Value
from kozel_verify.verify.coverage_clauses import Clause, Clauses, rules, visible
from kozel_verify.verify.coverage_options import Run, parted
from kozel_verify.verify.coverage_trace import Trace, Tracer, apart
from kozel_verify.verify.ends_match import Deal, again, complete_deals
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Leg, Verdict
from kozel_verify.verify.given import NoSuchState, interpreter_for
from kozel_verify.verify.option_sets import Options, allows, possible
from kozel_verify.verify.scenarios import replay_with
from kozel_verify.verify.subject import Subject

OPTIONS_COVERED = "options_covered"
METHOD = "runs on the full pack"
FAULTS = (NotWellDefined, ReachedDead)
AGAIN = 12  # times that a deal of a scenario is played


@dataclass(slots=True)
class _Cover:
    """What is still to be covered, and what has been seen so far."""

    subject: Subject
    game: Game  # from ``apart``
    clauses: list[Clause]
    premises: dict[Clause, list[StateClaim | StepClaim]]
    possible: list[tuple[str, Value]]  # the values that the options can have
    values: dict[tuple[str, Value], str] = field(default_factory=dict)  # where a value of an option makes a difference
    shown: set[Clause] = field(default_factory=set)  # in runs from the beginning of a match
    halfway: set[Clause] = field(default_factory=set)  # only in scenarios that begin in the middle
    scenarios: int = 0
    matches: int = 0

    # --- what is missing

    def open_clauses(self) -> list[Clause]:
        return [c for c in (*self.clauses, *self.premises) if c not in self.shown]

    def open_values(self) -> list[tuple[str, Value]]:
        return [value for value in self.possible if value not in self.values]

    def done(self) -> bool:
        return not self.open_values() and all(c in self.halfway for c in self.open_clauses())

    # --- runs

    def run(self) -> None:
        for scenario in (p for p in self.game.properties if isinstance(p, Scenario)):
            self._scenario(scenario)
        for deal in complete_deals(self.subject, of_plays=False):
            if all(c in self.shown for c in (*self.clauses, *self.premises)):
                break
            self._again(deal)
        for number in range(self.subject.settings.coverage_plays):
            if self.done():
                return
            self._match(number)

    def _scenario(self, scenario: Scenario) -> None:
        try:
            options = dict(interpreter_for(self.game, scenario.given, scenario.span).options)
            recorded = Tracer(self.game, options, Trace())
            replay_with(recorded, scenario, self.subject.spec.program.files)
        except NoSuchState:  # the scenario's own obligation tells
            return
        self.scenarios += 1
        steps = recorded.trace.steps
        start = steps[0].before if steps and scenario.start is not None else None
        self._note(Run(options, start, tuple(s.outcome for s in steps), f'scenario "{scenario.name}"'))

    def _again(self, deal: Deal) -> None:
        """The deal of a scenario, played again and again: so matches come to counts that a single deal never meets."""
        recorded = Tracer(self.game, deal.options, Trace())
        for _ in again(recorded, deal, AGAIN):
            pass
        outcomes = tuple(s.outcome for s in recorded.trace.steps)
        self._note(Run(deal.options, None, outcomes, f"the deal of {deal.title} again and again"))

    def _match(self, number: int) -> None:
        options = self.subject.options_of(number)
        seed = self.subject.settings.seed + number
        try:
            play = random_play(Interpreter(self.game, options), seed, until="match", limit=self.subject.patience)
        except FAULTS:  # before the first node
            return
        self.matches += 1
        self._note(Run(options, None, play.outcomes, f"the random match {number + 1}"))

    def _note(self, run: Run) -> None:
        """Play a run with a trace of its own: what a scenario expects, and what is claimed, is no part of play."""
        trace = Trace()
        interpreter = Tracer(self.game, run.options, trace)
        try:
            state = interpreter.initial()[0] if run.start is None else run.start
            for outcome in run.outcomes:
                interpreter.outcomes(state)
                state = interpreter.step(state, outcome)[0]
        except FAULTS:
            pass
        steps, trace.steps = trace.steps, []
        self._results(trace, run, steps)
        met = {c for c in self.clauses if c not in self.shown and c.shown(trace)} | self._claims(run, steps)
        if run.start is None:
            self.shown |= met
        else:
            self.halfway |= met
        self._options(trace, run)

    def _results(self, trace: Trace, run: Run, steps: Sequence[Played]) -> None:
        """Evaluate what play itself does not: what a deal is worth, who wins, who sees what."""
        interpreter = Tracer(self.game, run.options, trace)
        seeing = self._open_visibility()
        try:
            for step in steps:
                if step.after.node == self.game.deal_end:
                    for seat in range(self.game.seats):
                        interpreter.payoff(step.after, seat)
                if isinstance(interpreter.node(step.after), End):
                    for seat in range(self.game.seats):
                        interpreter.outcome(step.after, seat)
                for expr, named in seeing:
                    interpreter.evaluate(step.after, expr, named)
        except FAULTS:
            return

    def _open_visibility(self) -> list[tuple[Expr, dict[str, Value]]]:
        """Who sees what, where a clause in it is still open."""
        wanted = {owner for c in self.open_clauses() for owner, _ in c.wanted}
        found: list[tuple[Expr, dict[str, Value]]] = []
        for item in visible(self.game):
            if wanted & {id(e) for e in walk(item.seen.seats, self.game.functions)}:
                for index in indices(item.index):
                    found.append((item.seen.seats, {item.seen.variable: index} if item.seen.variable else {}))
        return found

    def _claims(self, run: Run, steps: Sequence[Played]) -> set[Clause]:
        """The open premises that are true in a state or step of a run."""
        interpreter = Tracer(self.game, run.options, Trace())
        met: set[Clause] = set()
        for clause, claims in self.premises.items():
            if clause not in self.shown:
                for claim in claims:
                    self._claim(interpreter, clause, claim, steps)
                if clause.shown(interpreter.trace):
                    met.add(clause)
        return met

    def _claim(
        self, interpreter: Tracer, clause: Clause, claim: StateClaim | StepClaim, steps: Sequence[Played]
    ) -> None:
        for step in steps:
            if clause.shown(interpreter.trace):
                return
            try:
                match claim:
                    case StateClaim() if step.after.node in claim.nodes:
                        interpreter.evaluate(step.after, claim.statement)
                    case StepClaim() if step.before.node in claim.sources and step.after.node in claim.targets:
                        named = _arguments(self.game, claim, step)
                        if named is not None:
                            interpreter.evaluate(step.after, claim.statement, named, step.before, step.events)
                    case _:
                        pass
            except FAULTS:
                continue

    # --- options

    def _options(self, trace: Trace, run: Run) -> None:
        """For each option that the run has read: does the run part under another value?"""
        for option in self.game.options.values():
            if option.name not in trace.options:
                continue
            own = run.options[option.name]
            for value in option.values:
                if value == own or {(option.name, own), (option.name, value)} <= self.values.keys():
                    continue
                other: Options = {**run.options, option.name: value}
                where = parted(self.game, run, other) if allows(self.game, other) else None
                if where is not None:
                    one, two = (value_text(self.game, v, option.type) for v in (own, value))
                    text = f"{option.name} = {{}}: {where} is not as with {{}} ({run.title})"
                    self.values.setdefault((option.name, own), text.format(one, two))
                    self.values.setdefault((option.name, value), text.format(two, one))


def _arguments(game: Game, claim: StepClaim, step: Played) -> dict[str, Value] | None:
    """The arguments of a claimed step by name; ``None`` for a step that is not claimed of."""
    node = game.nodes[step.before.node]
    if not claim.verb:
        return {}
    if not (isinstance(node, Ask) and isinstance(step.outcome, Choice)):
        return None
    verb = node.verbs[step.outcome.verb]
    if verb.name != claim.verb:
        return None
    return {local.name: a for local, a in zip(claim.arguments, step.outcome.arguments, strict=False)}


def coverage_evidence(subject: Subject) -> Evidence:
    """One leg for ``options_covered``."""
    game = apart(subject.game)
    clauses = Clauses(game, subject.spec.program.files)
    cover = _Cover(subject, game, clauses.all(), clauses.premises(), _possible(subject))
    cover.run()
    return Evidence(((OPTIONS_COVERED, _leg(cover)),))


def _possible(subject: Subject) -> list[tuple[str, Value]]:
    """The values of the options, but for those that the constraints exclude whatever the others are."""
    allowed = possible(subject.game)
    return [(o.name, v) for o in subject.game.options.values() for v in o.values if (o.name, v) in allowed]


def _leg(cover: _Cover) -> Leg:
    values = len(cover.possible)
    cases = values + len(cover.clauses) + len(cover.premises)
    open_values, open_clauses = cover.open_values(), [c for c in cover.open_clauses() if c not in cover.halfway]
    played = f"{cover.scenarios} scenarios and {cover.matches} random matches"
    left = [*(_open_value(cover.game, n, v) for n, v in open_values), *(f"{c.span}: {c.text}" for c in open_clauses)]
    if left:
        detail = f"not met in {played}: {'; '.join(left)}"
        return Leg(METHOD, Verdict.UNKNOWN, cases, cases, cases - len(left), detail)
    middle = [f"{c.span}: {c.text}" for c in cover.halfway if c not in cover.shown]
    told = [
        f"{values} values of options, {len(cover.clauses)} clauses and {len(cover.premises)} premises, in {played}",
        *cover.values.values(),
        *([f"only in scenarios that begin in the middle: {', '.join(sorted(middle))}"] if middle else []),
    ]
    return Leg(METHOD, Verdict.PROVED, cases, cases, cases, "; ".join(told))


def _open_value(game: Game, name: str, value: Value) -> str:
    option = game.options[name]
    text = f"{option.span}: {name} = {value_text(game, value, option.type)} makes no difference to anybody"
    return text if name in _read(game) else f"{text}: no rule reads it"


def _read(game: Game) -> set[str]:
    """The options that some rule reads."""
    return {e.name for root in rules(game) for e in walk(root, game.functions) if isinstance(e, OptionRead)}
