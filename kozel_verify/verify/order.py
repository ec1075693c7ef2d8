"""In which order works are done, and which of them need not be done at all.

In go works; out come stages, each a list of works that may be done at the same time. Everything is done when a whole
spec is verified: then there is one stage, in which long works come first, so that several processes end at about the
same time.

When only some promises are asked for the answer is wanted soon: what may refute comes before what may prove, cheap
before dear, and what may only confirm a proof comes last. Between two stages the promises that are settled are left
out, and works that no promise needs any more are not done. Stages follow each other whatever the number of processes,
so what is done depends on the works alone. (The report has an order of its own.) Where part of a spec is held against
a record all is done, in the same order but in one stage: whoever interrupts it has what says most.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from kozel_verify.verify.evidence import Work
from kozel_verify.verify.findings import Obligation, Verdict

LONGEST = ("induction", "ends", "no_peeking", "compiled", "plays", "pairs", "closure", "lemma")
"""Kinds of works, the longest first, as far as they take seconds."""

STAGES = (
    ("start", "example", "lemma", "compiled", "plays"),
    ("closure", "pairs"),
    ("induction", "no_peeking", "ends", "coverage"),
)
"""Kinds of works, what refutes in seconds first. Closures under other options than the defaults come last."""

SETTLED = (Verdict.REFUTED, Verdict.DISAGREE, Verdict.PROVED, Verdict.ENUMERATED)
"""What no other method makes weaker or stronger, but for a fault of the tool: the whole verification looks for that."""


def stages(works: Sequence[Work], some: bool, thorough: bool = False) -> list[list[int]]:
    """The numbers of the works; ``some``: only some promises are asked for; ``thorough``: of these everything."""
    if not some:
        return [sorted(range(len(works)), key=lambda n: _length(works[n]))] if works else []
    found: list[list[int]] = [[] for _ in range(len(STAGES) + 1)]
    closed: set[object] = set()
    for number, work in enumerate(works):
        found[_stage(work, closed)].append(number)
    soon = [sorted(stage, key=lambda n: -_length(works[n])) for stage in found if stage]
    return [[number for stage in soon for number in stage]] if thorough and soon else soon


def _stage(work: Work, closed: set[object]) -> int:
    """``closed``: the packs of which a closure has come up; the first of each is that under the defaults."""
    if work.kind == "closure":
        pack = work.arguments[0]
        if pack in closed:
            return len(STAGES)
        closed.add(pack)
    return next(n for n, kinds in enumerate(STAGES) if work.kind in kinds)


def _length(work: Work) -> int:
    return LONGEST.index(work.kind) if work.kind in LONGEST else len(LONGEST)


def needed(work: Work, settled: Collection[str]) -> Work | None:
    """The work for those that are not settled."""
    serves = tuple(name for name in work.serves if name not in settled)
    if not serves:
        return None
    named = work.kind == "induction" and work.arguments  # else it proves all claims together
    return replace(work, serves=serves, arguments=serves if named else work.arguments)


def told(works: Sequence[Work]) -> list[str]:
    """What works do, in words and in their order: those that do the same together."""
    counted = Counter((work.method, "sets of options" if work.kind == "closure" else "times") for work in works)
    return [method if n == 1 else f"{method} ({n} {what})" for (method, what), n in counted.items()]


def settled(obligations: Sequence[Obligation]) -> set[str]:
    """Their names, of those about which no other method would say more."""
    return {o.name for o in obligations if o.verdict in SETTLED}
