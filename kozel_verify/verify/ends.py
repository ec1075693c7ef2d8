"""Does every deal end, how long is it, and does the match end?

In: a subject. Out: one leg for ``ends``. It is proved when a measure falls with every step of a deal: one of the spec,
or one that is guessed (``ends_measure``), which need not fall with a step that the graph of the rules does not let play
take back; both are proved on counted edges, under invariants found by induction. The detail says how often each
question is asked in a deal, from its first question or draw until it is over or cut short: bounds that are proved
(``symbolic.deal_length``), and which of them a deal that the interpreter has replayed attains; and what is known of the
match (``ends_match``), also where play may go round outside of deals. A state to which a run comes back within a deal
refutes it; a bound that a run does not keep to is a fault of the tool, and raises ``Disagreement``. Trusted: as in
``symbolic.induction`` and ``symbolic.ghosts``.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from kozel_verify.exhaustive.machine import FastMachine
from kozel_verify.interpret.state import State
from kozel_verify.model.core import CellKind, CellRead, End, Expr, Game, Measure
from kozel_verify.model.types import NatType, RangeType, Value
from kozel_verify.symbolic.cases import cases
from kozel_verify.symbolic.columns import Sample
from kozel_verify.symbolic.deal_length import LengthProver, Range
from kozel_verify.symbolic.deal_slice import Slice, sliced
from kozel_verify.symbolic.ghosts import Ghosts, counted, with_counters
from kozel_verify.symbolic.rounds import rounds, ways
from kozel_verify.verify.confirm import Disagreement
from kozel_verify.verify.ends_match import endless, endless_text
from kozel_verify.verify.ends_measure import Candidate, Step, candidates, guesses, sums_of_cells
from kozel_verify.verify.ends_plays import Deal, confirmed, extreme_deals
from kozel_verify.verify.evidence import Evidence
from kozel_verify.verify.findings import Counterexample, Leg, Verdict
from kozel_verify.verify.inductive import invariants, plays_to_guess_from, shapes
from kozel_verify.verify.option_sets import Options, defaults
from kozel_verify.verify.subject import Subject, agree

ENDS = "ends"
METHOD = "induction on sizes"
PLACE = "the place in the rules"  # of a node, in the order of the graph without its cycles
GUESSES = 6  # tuples that are tried before the search for a measure is given up
States = Sequence[tuple[Options, Sequence[State]]]


@dataclass(slots=True)
class _Shown:
    """What came of one choice of the options that shape the choices."""

    by: str  # how a deal is proved to end, "" if it is not
    tried: list[str]
    ranges: dict[str, Range]
    deals: int | None  # the most in a match


@dataclass(slots=True)
class _Seen:
    """How often each word was asked in deals that were played, with the deals for the least and the greatest number
    (``None``: a deal of the interpreter's own). ``deals``: how many were over."""

    least: dict[str, tuple[int, Deal | None]] = field(default_factory=dict)
    most: dict[str, tuple[int, Deal | None]] = field(default_factory=dict)

    deals: int = 0

    def note(self, counts: Mapping[str, int], deal: Deal | None) -> None:
        self.deals += 1
        for word, count in counts.items():
            if word not in self.least or count < self.least[word][0]:
                self.least[word] = count, deal
            if word not in self.most or count > self.most[word][0]:
                self.most[word] = count, deal


def ends_evidence(subject: Subject) -> Evidence:
    """The leg for ``ends``, with a run where a deal comes back to a state."""
    game = subject.game
    deals = list(extreme_deals(game, subject.settings.seed))
    again = next(_repeated(game, deals), None)
    if again is not None:
        return Evidence(((ENDS, Leg("runs on the full pack", Verdict.REFUTED)),), ((ENDS, again),))
    piece = sliced(game, [v for p in game.properties if isinstance(p, Measure) for v in p.values], invariants(game))
    ghosts = with_counters(piece.game)
    plays = plays_to_guess_from(subject, {})
    played = [(d.options, _states(d)) for d in deals] + [(o, list(p.states)) for o, p in plays]
    shown: list[_Shown] = []
    for fixed in shapes(game):
        shown.append(_shown(subject, piece, ghosts, played, fixed, all(s.deals is not None for s in shown)))
    seen = _Seen()
    for deal in deals:
        for counts in _counts(game, piece, ghosts, _states(deal)):
            seen.note(counts, deal)
    for _, play in plays:
        for counts in _counts(game, piece, ghosts, list(play.states)):
            seen.note(counts, None)
    return Evidence(((ENDS, _leg(subject, shown, seen)),))


def _states(deal: Deal) -> list[State]:
    return [State(*position[:3]) for position in deal.positions]


def _number(value: Value) -> int:
    return int(value or 0)


def _counts(game: Game, piece: Slice, ghosts: Ghosts, states: Sequence[State]) -> Iterator[dict[str, int]]:
    """How often each word was asked in each deal of a play that is over."""
    for state in counted(ghosts, piece.states(game, states), game.deal_nodes):
        if state.node in ghosts.over():
            yield dict(zip(ghosts.cells, map(_number, state.cells[piece.game.cell_slots() :]), strict=True))


def _keep_to(shown: _Shown, plays: Sequence[Sequence[Mapping[str, int]]]) -> None:
    """Raises ``Disagreement`` when some play does not keep to what is proved."""
    for deals in plays:
        for counts in deals:
            for word, bounds in shown.ranges.items():
                if counts[word] < bounds.lo or (bounds.hi is not None and counts[word] > bounds.hi):
                    raise Disagreement(f"in a deal `{word}` was asked {counts[word]} times: more or less than proved")
        if shown.deals is not None and len(deals) > shown.deals:
            raise Disagreement(f"a match had {len(deals)} deals, but at most {shown.deals} are proved")


# --- what is proved --------------------------------------------------------------------------------------------------


def _shown(
    subject: Subject, piece: Slice, ghosts: Ghosts, played: States, fixed: Mapping[str, Value], bounded: bool
) -> _Shown:
    """``bounded``: is it asked how many deals a match has? Where another choice has no bound, that is all there is."""
    game = subject.game
    samples: dict[int, list[Sample]] = {}
    steps: dict[object, Step] = {}
    machine = FastMachine(game, {**defaults(game), **fixed})
    back = rounds(piece.game, game.deal_nodes)
    lengths: list[list[dict[str, int]]] = []
    for options, states in played:
        if agree(options, fixed):
            for state in counted(ghosts, piece.states(game, states), game.deal_nodes):
                samples.setdefault(state.node, []).append((state, options))
            lengths.append(list(_counts(game, piece, ghosts, states)))
            for before, after in pairwise(states):
                if after.node in back.get(before.node, ()):
                    pair = [machine.position(s.node, s.cells, s.place) for s in (before, after)]
                    sizes = tuple((p.node, p.cells, tuple(z.bit_count() for z in p.zones)) for p in pair)
                    steps.setdefault(sizes, (pair[0], pair[1]))
    prover = LengthProver(ghosts, piece.claims, samples, fixed, subject.settings.budget, cases(ghosts.game))
    prover.run()
    tried: list[str] = []
    pool = candidates(game, piece.kept)
    by = _by_measure(game, prover, tried) or _by_guess(machine, prover, pool, list(steps.values()), tried)
    ranges = prover.ranges()  # may find more, which may bound the deals
    found = _Shown(by, tried, ranges, _most_deals(game, piece, prover) if by and bounded else None)
    _keep_to(found, lengths)
    return found


def _by_measure(game: Game, prover: LengthProver, tried: list[str]) -> str:
    for measure in (p for p in game.properties if isinstance(p, Measure)):
        if all(step.proved for step in prover.decreases(measure)):
            return f"by the measure `{measure.name}`"
        tried.append(f"the measure `{measure.name}` of the spec is not proved")
    return ""


def _by_guess(
    machine: FastMachine, prover: LengthProver, pool: list[Candidate], steps: Sequence[Step], tried: list[str]
) -> str:
    nodes = machine.game.deal_nodes
    straight = any(to - prover.back[n] for n, to in ways(machine.game, nodes).items())
    for _ in range(GUESSES):
        chosen, left = guesses(machine, steps, pool)
        text = _tuple_text(chosen, straight)
        if left:
            tried.append(f"no tuple of numbers falls with all of {len(steps):,} sampled steps; {text} leaves {left:,}")
            return ""
        measure = Measure("guessed", tuple(c.value for c in chosen))
        if all(step.proved for step in prover.decreases(measure, around=True)):
            return f"by a measure that was guessed, {text}" if chosen else _no_rounds(straight)
        tried.append(f"{text} is not proved")
        culprit = prover.first_that_grows(measure.values)
        if culprit is None:
            return ""
        pool.remove(chosen[culprit])
    return ""


def _tuple_text(chosen: Sequence[Candidate], straight: bool) -> str:
    """``straight``: there are steps that the graph of the rules does not let play take back."""
    return f"({', '.join([*([PLACE] if straight else []), *(c.text for c in chosen)])})"


def _no_rounds(straight: bool) -> str:
    if straight:
        return "without a measure: no question or draw of it can come a second time"
    return "without a measure: no two questions or draws follow each other in it"


def _most_deals(game: Game, piece: Slice, prover: LengthProver) -> int | None:
    """The most deals in a match, if some counter bounds them."""
    outside = [n for i, n in enumerate(game.nodes) if i not in game.deal_nodes and i != game.deal_end]
    if not all(isinstance(n, End) for n in outside):
        return None
    found = [prover.most_deals(value) for value in _counters(game, piece.kept)]
    return min((n for n in found if n is not None), default=None)


def _counters(game: Game, kept: frozenset[str]) -> Iterator[Expr]:
    """Declared numbers and the sums of their families."""
    for cell in game.cells.values():
        if cell.name in kept and cell.kind is CellKind.DECLARED and isinstance(cell.type, NatType | RangeType):
            reads = sums_of_cells(cell)
            yield from (r for r in reads if not isinstance(r, CellRead) or _starts_at_zero(cell.initial))


def _starts_at_zero(initial: Value) -> bool:
    return initial == 0


# --- what is seen ----------------------------------------------------------------------------------------------------


def _repeated(game: Game, deals: Sequence[Deal]) -> Iterator[Counterexample]:
    """Runs that come back, within one deal, to a state that they have left."""
    for deal in deals:
        before: dict[object, int] = {}
        for n, position in enumerate(deal.positions):
            if position.node not in game.deal_nodes:
                before.clear()
            first = before.setdefault(position[:3], n)
            if first < n:
                short = Deal(deal.options, deal.positions[: n + 1], deal.run[:n], False)
                where = game.nodes[position.node].name
                text = f"at `{where}` everything is as it was {n - first} steps before, in the same deal"
                yield Counterexample(confirmed(game, short), deal.options, game.pack_name, True, explanation=(text,))
                break


def _on_packs(subject: Subject) -> Iterator[str]:
    for pack in subject.spec.packs:
        game = subject.small(pack)
        for example in _repeated(game, list(extreme_deals(game, subject.settings.seed))):
            yield f"on pack `{pack}` a run of {len(example.run or ())} steps comes back to a state that it has left"
            break


# --- what is said ----------------------------------------------------------------------------------------------------


def _leg(subject: Subject, shown: Sequence[_Shown], seen: _Seen) -> Leg:
    game = subject.game
    lengths = [_length(game, word, [s.ranges[word] for s in shown], seen) for word in shown[0].ranges]
    if not seen.deals:
        lengths = ["no play has come to the end of a deal, so nothing is told of its length"]
    if all(s.by for s in shown):
        by = ", or ".join(dict.fromkeys(s.by for s in shown))
        detail = "; ".join([f"every deal ends {by}", *lengths, _match(subject, shown), *_outside(game)])
        return Leg(METHOD, Verdict.PROVED, detail=detail)
    tried = list(dict.fromkeys(text for s in shown if not s.by for text in s.tried))
    packs = list(_on_packs(subject))
    return Leg(METHOD, Verdict.UNKNOWN, detail="; ".join(["no measure was found", *tried, *packs]))


def _length(game: Game, word: str, ranges: Sequence[Range], seen: _Seen) -> str:
    """``in a deal `lead` is asked 3 to 9 times``, and what of it was seen."""
    lo = min(r.lo for r in ranges)
    ends = [r.hi for r in ranges if r.hi is not None]
    hi = max(ends) if len(ends) == len(ranges) else None
    least, most = seen.least.get(word), seen.most.get(word)
    low = _attained(game, lo, least)
    high = "" if hi is None else _attained(game, hi, most)
    if hi is None:
        up = f", {most[0]} times seen" if most else ""
        return f"in a deal `{word}` is asked at least {lo} times ({low}), no upper bound was found{up}"
    return f"in a deal `{word}` is asked {lo} ({low}) to {hi} ({high}) times"


def _attained(game: Game, bound: int, found: tuple[int, Deal | None] | None) -> str:
    if found is None:
        return "not seen"
    if found[1] is not None:
        confirmed(game, found[1])
    return "attained" if found[0] == bound else f"not seen, but {found[0]}"


def _match(subject: Subject, shown: Sequence[_Shown]) -> str:
    if not rounds(subject.game, set(range(len(subject.game.nodes))))[subject.game.deal_end]:
        return "a match is one deal: after its end no other begins"
    bounds = [s.deals for s in shown if s.deals is not None]
    if len(bounds) == len(shown):
        return f"a match has at most {max(bounds)} deals"
    found = endless(subject)
    if found is not None:
        return endless_text(subject.game, found)
    return "of the match nothing is known: neither a bound nor a deal that can be repeated for ever was found"


def _outside(game: Game) -> Iterator[str]:
    """The rounds that play may go without coming to the end of a deal, other than those inside of deals."""
    back = rounds(game, set(range(len(game.nodes))) - {game.deal_end})
    names = [game.nodes[n].name for n, others in back.items() if others and n not in game.deal_nodes]
    if names:
        listed = ", ".join(f"`{name}`" for name in names)
        yield f"no bound is shown outside of deals: play may come back to {listed} with no deal coming to its end"
