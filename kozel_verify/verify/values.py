"""Obligations about values: lemmas and compiled predicates. No play decides them; a failure is shown by one.

A lemma has up to two legs: its whole domain enumerated by the reference (where that is small enough), and a proof by
the solver. A compiled predicate has, for each size of a group, the complete sweeps and a proof by the solver.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from kozel_verify.exhaustive.domains import Case, Enumeration, Refusal, cells_with, enumerate_lemma
from kozel_verify.exhaustive.groups import Difference
from kozel_verify.exhaustive.reads import reads_of
from kozel_verify.export.python.matching import has_matching
from kozel_verify.interpret.play import Interpreter
from kozel_verify.interpret.record import Stop, replay
from kozel_verify.interpret.state import State
from kozel_verify.interpret.text import value_text
from kozel_verify.model.core import OUTSIDE, Apply, Compiled, Const, Expr, Game, Lemma, Local, Matching, Parameter
from kozel_verify.model.types import BOOL, OptionalType, members
from kozel_verify.symbolic.lemmas import Failed, FailingCase, LemmaAnswer, Proved, Unknown, prove_lemma, prove_matching
from kozel_verify.verify.demonstrate import Shown, call_text, calls_of, explain_matching, from_case, scenario_text
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.explain import Explainer
from kozel_verify.verify.findings import Counterexample, Leg, Verdict
from kozel_verify.verify.matchings import Compared, NotSweepable, Setting, compare, matching_of, relation_of
from kozel_verify.verify.scenario_text import cells_text
from kozel_verify.verify.stacking import Effort
from kozel_verify.verify.subject import Subject
from kozel_verify.verify.wiring import evaluator

QUICK = Effort(deals=1, states=8, plays=0, steps=200)  # tried first: mostly enough, and many times as fast


def lemma_evidence(subject: Subject, lemma: Lemma) -> Evidence:
    """Both legs of a lemma, and how it fails."""
    game = subject.game
    legs: list[tuple[str, Leg]] = []
    case: Case | None = None
    enumerated = enumerate_lemma(game, lemma, evaluator(game), subject.settings.lemma_cases)
    if isinstance(enumerated, Enumeration):
        legs.append((lemma.name, _enumerated(enumerated)))
        case = enumerated.counterexample
    if _says_nothing(subject, lemma, enumerated):
        leg = Leg("smt", Verdict.UNKNOWN, detail="no case makes the premise true: nothing is said")
        return Evidence(((lemma.name, leg),))
    answer = prove_lemma(game, lemma, subject.settings.budget)
    legs.append((lemma.name, _solved(answer)))
    if isinstance(answer, Failed) and case is None:
        case = _as_case(answer.case)
    shown = () if case is None else ((lemma.name, lemma_counterexample(subject, lemma, case)),)
    return Evidence(tuple(legs), shown)


def _says_nothing(subject: Subject, lemma: Lemma, enumerated: Enumeration | Refusal) -> bool:
    """Has the lemma no case, or none in which its premise is true? It holds then, but its author did not mean it."""
    if isinstance(enumerated, Enumeration):
        return enumerated.counterexample is None and 0 in (enumerated.cases, enumerated.premises)
    match lemma.statement:
        case Apply("implies", (premise, _)):
            never: Expr = Apply("not", (premise,), BOOL)
        case _:
            never = Const(False, BOOL)
    return isinstance(prove_lemma(subject.game, replace(lemma, statement=never), subject.settings.budget), Proved)


def _enumerated(found: Enumeration) -> Leg:
    failed = found.counterexample is not None
    verdict = Verdict.REFUTED if failed else Verdict.ENUMERATED
    detail = "" if found.premises is None else f"the premise holds in {found.premises:,} cases"
    return Leg("enumeration", verdict, found.cases, found.visited, found.holds, detail)


def lemma_counterexample(subject: Subject, lemma: Lemma, case: Case) -> Counterexample:
    """The failing case, confirmed by the reference, with a play in which the game comes to it if one is found."""
    game = subject.game
    interpreter = Interpreter(game, case.options)
    state = _state(game, case)
    confirmed = bool(case.undefined) or not interpreter.evaluate(state, lemma.statement, case.arguments)
    lines = [
        _setting(game, case, lemma.parameters),
        *Explainer(interpreter, subject.spec.program.files).why(state, lemma.statement, case.arguments),
    ]
    lines += _matching_lines(game, lemma, case)
    seed = subject.settings.seed
    # A case without a value is not shown: a play that comes to the same call need not be undefined there.
    shown = None if case.undefined else from_case(game, lemma, case, seed, QUICK) or from_case(game, lemma, case, seed)
    if shown is None:
        return Counterexample(None, dict(interpreter.options), "", confirmed, explanation=tuple(filter(None, lines)))
    return _shown(interpreter, lemma, shown, confirmed, tuple(filter(None, lines)))


def _shown(
    interpreter: Interpreter, lemma: Lemma, shown: Shown, confirmed: bool, lines: tuple[str, ...]
) -> Counterexample:
    game = interpreter.game
    call = call_text(game, shown.call.function, shown.call.arguments)
    value = value_text(game, shown.value, game.functions[shown.call.function].type)
    text = f"a play comes to `{call}`, and the game takes it to be {value}"
    scenario = scenario_text(game, interpreter.options, shown.run, title=f"{lemma.name} fails")
    replays = replay(interpreter, shown.run).stopped is Stop.REACHED
    return Counterexample(
        shown.run, dict(interpreter.options), "", confirmed and replays, explanation=(*lines, text), scenario=scenario
    )


def _state(game: Game, case: Case) -> State:
    """Any state with the cells of the case: a lemma reads nothing else."""
    return State(0, cells_with(game, case.cells), (OUTSIDE,) * len(game.deck))


def _setting(game: Game, case: Case, parameters: Sequence[Parameter | Local]) -> str:
    """The case in one line: parameters, cells, options that are not at their defaults."""
    types = {p.name: p.type for p in parameters}
    statement = [f"{name} = {value_text(game, value, types[name])}" for name, value in case.arguments.items()]
    statement += cells_text(game, case.cells)
    for name, option in game.options.items():
        if name in case.options and case.options[name] != option.default:
            statement.append(f"{name} = {value_text(game, case.options[name], option.type)}")
    return ", ".join(statement)


def _matching_lines(game: Game, lemma: Lemma, case: Case) -> list[str]:
    """Why cards of the case cannot be matched: for each compiled predicate that is called with them."""
    lines: list[str] = []
    claims = {c.function: c for c in game.properties if isinstance(c, Compiled)}
    for call in calls_of(lemma, case):
        if call.function not in claims:
            continue
        try:
            matching = matching_of(game, claims[call.function])
        except NotSweepable:
            continue
        relation = relation_of(game, matching, Setting(case.options, case.cells), evaluator(game))
        replies, targets = (tuple(members(int(a or 0))) for a in call.arguments)
        reasons = explain_matching(targets, replies, lambda r, t, rel=relation: bool(rel[t] >> r & 1), game.deck.name)  # type: ignore[misc]
        lines += [f"{call_text(game, call.function, call.arguments)}: {line}" for line in reasons]
    return lines


# --- compiled predicates ---------------------------------------------------------------------------------------------


def compiled_names(game: Game, claim: Compiled) -> list[tuple[str, int]]:
    """One obligation for each size of a group that fits the pack twice."""
    largest = min(claim.hi, game.pack.bit_count() // 2)
    return [(f"{claim.name}_k{size}", size) for size in range(claim.lo, largest + 1)]


def compiled_evidence(subject: Subject, claim: Compiled, name: str, size: int) -> Evidence:
    """The sweeps over all pairs and over the legal target groups, and the proof by the solver, for one size."""
    game = subject.game
    one_size = replace(claim, lo=size, hi=size)
    try:
        matching = matching_of(game, claim)
    except NotSweepable as reason:
        return Evidence(((name, Leg("sweep", Verdict.UNKNOWN, detail=str(reason))),))
    legs: list[tuple[str, Leg]] = []
    shown: list[tuple[str, Counterexample]] = []
    for part, wanted in parts_of(subject, claim):
        for restricted in (False, True):
            compared = compare(game, one_size, has_matching, restricted=restricted, keep=wanted)
            method = ("sweep of legal groups" if restricted else "sweep of all pairs") + part
            legs.append((name, _swept(method, compared)))
            shown += [(name, c) for c in _differences(subject, one_size, matching, compared)]
    legs.append((name, _solved(prove_matching(game, claim, size, subject.settings.budget))))
    return Evidence(tuple(legs), tuple(shown))


def parts_of(subject: Subject, claim: Compiled) -> list[tuple[str, Callable[[Setting], bool]]]:
    """The settings in which every optional cell that the predicate reads has a value; then the others, if any."""

    def full(setting: Setting) -> bool:
        return all(v is not None for v in setting.cells.values())

    optional = [c for c in _cells(subject.game, claim) if isinstance(subject.game.cells[c].type, OptionalType)]
    if not optional:
        return [("", lambda setting: True)]
    return [("", full), (f", {' or '.join(optional)} is none", lambda setting: not full(setting))]


def _cells(game: Game, claim: Compiled) -> list[str]:
    return sorted(reads_of(game, [game.functions[claim.function].body]).cells)


def _swept(method: str, compared: Compared) -> Leg:
    found = compared.sweeps[0]
    differs = found.difference is not None or found.differing or compared.mismatch is not None
    detail = (
        f"{found.matrices:,} tables of {found.size} by {found.size} decided both ways, "
        f"{compared.relation_cases:,} pairs of cards, {compared.predicate_cases:,} calls of the predicate"
    )
    verdict = Verdict.REFUTED if differs else Verdict.ENUMERATED
    return Leg(method, verdict, found.cases, found.visited, found.holds, detail)


def _differences(subject: Subject, claim: Compiled, matching: Matching, compared: Compared) -> list[Counterexample]:
    """Pairs on which the predicate is not what its compiled form says; each is a fault of the rule or of the tool."""
    game = subject.game
    pairs: list[tuple[Setting, int, int]] = []
    if compared.mismatch is not None:
        pairs.append((compared.mismatch.setting, compared.mismatch.targets, compared.mismatch.replies))
    for sweep in compared.sweeps:
        if isinstance(sweep.difference, Difference):
            masks = [sum(1 << c for c in group) for group in (sweep.difference.targets, sweep.difference.replies)]
            pairs.append((compared.settings[sweep.difference.environment], masks[0], masks[1]))
    return [_difference(game, claim, matching, *pair) for pair in pairs]


def _difference(
    game: Game, claim: Compiled, matching: Matching, setting: Setting, targets: int, replies: int
) -> Counterexample:
    relation = relation_of(game, matching, setting, evaluator(game))
    interpreter = Interpreter(game, setting.options)
    names = [p.name for p in game.functions[claim.function].parameters]
    case = Case(setting.options, setting.cells, dict(zip(names, (replies, targets), strict=True)), "")
    decided = interpreter.evaluate(_state(game, case), game.functions[claim.function].body, case.arguments)
    rows = [relation[t] & replies for t in members(targets)]
    call = call_text(game, claim.function, (replies, targets))
    compiled = "true" if has_matching(rows) else "false"
    text = f"`{call}` is {'true' if decided else 'false'}; the compiled form says {compiled}"
    lines = (_setting(game, case, game.functions[claim.function].parameters), text)
    return Counterexample(
        None, dict(interpreter.options), "", bool(decided) is not has_matching(rows), explanation=lines
    )


def _solved(answer: LemmaAnswer) -> Leg:
    match answer:
        case Proved(_, 0):
            return Leg("smt", Verdict.UNKNOWN, detail="no group has such a size: nothing is said")
        case Proved(rlimit, cases):
            return Leg("smt", Verdict.PROVED, detail=f"{cases} queries, {rlimit:,} solver units")
        case Failed():
            return Leg("smt", Verdict.REFUTED)
        case Unknown(reason, _, sizes):
            return Leg("smt", Verdict.UNKNOWN, detail=f"{reason} at sizes {sizes}" if sizes else reason)


def _as_case(found: FailingCase) -> Case:
    """The solver's values in the form of an enumeration's case. (A lemma that reads zones has no enumeration.)"""
    return Case(found.options, found.cells, found.arguments, found.undefined)
