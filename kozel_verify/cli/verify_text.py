"""What ``kozel verify`` tells of a verification: as lines for people, and as plain data that says the same."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from kozel_verify.cli.queries import Saved
from kozel_verify.cli.specs import counted_promises
from kozel_verify.interpret.text import value_text
from kozel_verify.verify.findings import Kind, Leg, Obligation, Verdict, to_json
from kozel_verify.verify.order import told
from kozel_verify.verify.run import Report

WIDTH = 120  # of a line that tells what a method says
INSIDE = " " * 13
SHOWN = frozenset({Verdict.REFUTED, Verdict.UNKNOWN, Verdict.DISAGREE, Verdict.CLOSED, Verdict.SAMPLED})


def interrupted(reports: Sequence[Report]) -> str:
    """What is said after an interruption, beside what was concluded."""
    concluded = any(report.obligations for report in reports)
    left = sum(len(report.left) for report in reports)
    works = f"; {left} {'work' if left == 1 else 'works'} had not ended" if left else ""
    return f"interrupted: {'this is what' if concluded else 'nothing'} was concluded before{works}"


def lines_of(report: Report, verbose: bool) -> list[str]:
    """All promises with their verdicts; after an interruption also what is missing of which."""
    if not report.complete and not report.obligations and not report.left:
        return []
    width = max((len(o.name) for o in report.obligations), default=0)
    lines = [f"{report.spec.game.name} ({report.spec.path})"]
    for obligation in report.obligations:
        lines += [*_obligation(obligation, width, verbose), *_missing(report, obligation)]
    counted = Counter(o.verdict for o in report.obligations)
    parts = [f"{counted[verdict]} {verdict.value.lower()}" for verdict in Verdict if counted[verdict]]
    if report.obligations or report.complete:
        lines.append(f"  {counted_promises(len(report.obligations))}: {', '.join(parts) or 'none'}")
    return [*lines, *_untouched(report), ""]


def _missing(report: Report, o: Obligation) -> list[str]:
    """After an interruption: which methods have ended, and which have not."""
    left = told([work for work in report.left if o.name in work.serves])
    if not left:
        return []
    done = dict.fromkeys(leg.method for leg in o.legs)
    return [*_listed("done: ", done), *_listed("not done: ", left)]


def _listed(label: str, names: Iterable[str]) -> list[str]:
    return wrap(label + ", ".join(names), WIDTH, initial_indent=INSIDE, subsequent_indent=f"{INSIDE}  ",
                break_long_words=False, break_on_hyphens=False)  # fmt: skip


def _untouched(report: Report) -> Iterator[str]:
    """After an interruption: the promises of which nothing is known, those together that wait for the same."""
    concluded = {o.name for o in report.obligations}
    waiting = dict[tuple[str, ...], list[str]]()
    for name in dict.fromkeys(name for work in report.left for name in work.serves if name not in concluded):
        waiting.setdefault(tuple(told([work for work in report.left if name in work.serves])), []).append(name)
    for methods, names in waiting.items():
        yield f"  nothing is concluded of {counted_promises(len(names))}"
        yield from (*_listed("", (f'"{n}"' if " " in n else n for n in names)), *_listed("not done: ", methods))


def _obligation(o: Obligation, width: int, verbose: bool) -> list[str]:
    counts = _counts(o)
    lines = [f"  {o.verdict.name:<10} {o.name:<{width}}  {o.method}{f': {counts}' if counts else ''}".rstrip()]
    told = o.kind is Kind.ENDS or (o.verdict in SHOWN and (len(o.legs) > 1 or any(leg.detail for leg in o.legs)))
    if verbose or told:
        lines += [f"{INSIDE}{line}" for leg in o.legs for line in _leg(leg)]
    if o.verdict in (Verdict.REFUTED, Verdict.DISAGREE, Verdict.UNKNOWN) and o.citations:
        lines.append(f"{INSIDE}stated at {', '.join(o.citations)}")
    if o.counterexample is not None:
        lines += [f"{INSIDE}{line}" for line in o.counterexample.explanation]
        lines += [f"{INSIDE}{line}" for line in o.counterexample.scenario.rstrip().split("\n") if line]
    return lines


def _counts(o: Obligation | Leg) -> str:
    if o.cases is None:
        return ""
    parts = [f"{o.cases:,} {'case' if o.cases == 1 else 'cases'}"]
    if o.visited is not None and o.visited != o.cases:
        parts.append(f"{o.visited:,} visited")
    if o.holds is not None and o.holds != o.cases:
        parts.append(f"holds in {o.holds:,}")
    return ", ".join(parts)


def _leg(leg: Leg) -> list[str]:
    """On one line, or, where there is more to say, each thing on a line of its own."""
    head = f"{leg.verdict.value.lower()} by {leg.method}"
    said = [part for part in (_counts(leg), *leg.detail.split("; ")) if part]
    one = f"{head}: {'; '.join(said)}" if said else head
    return [one] if len(one) <= WIDTH else [f"{head}:", *(f"  {part}" for part in said)]


def data_of(report: Report, queries: Sequence[Saved]) -> dict[str, object]:
    """One spec: what was verified, under which options (all combinations of these values), and what came of it."""
    game = report.spec.game
    options = {o.name: [value_text(game, v, o.type) for v in o.values] for o in game.options.values()}
    counted = Counter(o.verdict for o in report.obligations)
    return {
        "spec": game.name,
        "file": report.spec.path,
        "hash": report.spec.hash,
        "options": options,
        "obligations": [to_json(o) for o in report.obligations],
        "queries": [one.data() for one in queries],
        "left": [{"work": work.method, "serves": list(work.serves)} for work in report.left],
        "summary": {verdict.value: counted[verdict] for verdict in Verdict if counted[verdict]},
    }
