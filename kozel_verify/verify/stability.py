"""How much the solver's effort depends on chance: every query of a verification, asked again with other random seeds.

In go the queries that a verification has kept in a store, and a number of seeds; out comes, for each work and in all,
the spread of resource units over the seeds, and how many answers were unknown within the budget. Budgets are meant to
have room: a proof that hangs on one seed would break with the next version of the solver. A query is asked as it
stands; another model would have led a search to other queries, which are not asked. No verdict comes of it, but for
one: a query to which one seed says yes and another no is a fault of the solver, and is counted as ``contradicted``.

Records lie beside those of verifications. One is checked for its form and for the spec it is of, not made again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from statistics import median_low
from typing import Any

from kozel_verify.symbolic.answers import Answer, Unknown
from kozel_verify.symbolic.query_store import kept, solver_version
from kozel_verify.symbolic.z3_api import ask
from kozel_verify.verify.evidence import Work
from kozel_verify.verify.manifest import BadManifest, read_json, write_json
from kozel_verify.verify.pool import nothing, pooled
from kozel_verify.verify.store import Store

FORMAT = 1
NO_RECORD = "this is no record of a solver's stability"
Told = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class Spread:
    """``units``: what the queries took together in the verification; ``minimum``, ``median``, ``maximum``: with each of
    the seeds. ``hardest``: the most that one query took with some seed. ``unknown``: answers within the budget that
    were none, over all queries and seeds; ``contradicted``: queries with answers that exclude each other."""

    work: str
    queries: int
    units: int
    minimum: int
    median: int
    maximum: int
    hardest: int
    unknown: int
    contradicted: int


@dataclass(frozen=True, slots=True)
class Stability:
    """The record of one spec. ``hash`` is that of its texts; ``total`` is the spread over all queries, each once."""

    name: str
    hash: str
    solver: str
    budget: int
    seeds: int
    total: Spread
    works: tuple[Spread, ...]


class QueriesLost(Exception):
    """A query of the verification is not in the store any more."""


Asked = tuple[Answer, tuple[Answer, ...]]  # as it was kept, and with each seed


# --- asking ----------------------------------------------------------------------------------------------------------


def stability(
    spec: tuple[str, str],
    asked: Sequence[tuple[Work, Sequence[str]]],
    store: str,
    *,
    budget: int,
    seeds: int,
    jobs: int = 1,
    tell: Told = lambda *_: None,
) -> Stability:
    """``spec``: name and hash. ``asked``: works with the keys of their queries. Raises ``QueriesLost``."""
    keys = list(dict.fromkeys(key for _, found in asked for key in found))
    answers: dict[str, Asked] = {}
    for key, answer in zip(keys, _answers(keys, store, seeds, jobs), strict=True):
        answers[key] = answer
        tell(len(answers), len(keys), "queries")
    works = tuple(spread(_label(work), [answers[key] for key in found]) for work, found in asked if found)
    total = spread("all", list(answers.values()))
    return Stability(*spec, solver_version(), budget, seeds, total, works)


def _label(work: Work) -> str:
    return work.serves[0] if len(work.serves) == 1 else work.kind


def _answers(keys: Sequence[str], store: str, seeds: int, jobs: int) -> Iterator[Asked]:
    todo = [(store, key, seeds) for key in keys]
    if jobs <= 1 or len(todo) <= 1:
        yield from map(_answer, todo)
        return
    yield from pooled(_answer, todo, jobs, nothing)


def _answer(task: tuple[str, str, int]) -> Asked:
    store, key, seeds = task
    query = kept(Store(Path(store), problem="only read"), key)
    if query is None:
        raise QueriesLost(key)
    return query.answer, tuple(ask(query.assertions, query.budget, seed) for seed in range(1, seeds + 1))


def spread(work: str, asked: Sequence[Asked]) -> Spread:
    """The spread over the seeds of some queries, of which each was asked with as many."""
    by_seed = [sum(answer.rlimit for answer in answers) for answers in zip(*(a for _, a in asked), strict=True)] or [0]
    every = [answer for _, answers in asked for answer in answers]
    return Spread(
        work,
        len(asked),
        sum(answer.rlimit for answer, _ in asked),
        min(by_seed),
        median_low(by_seed),
        max(by_seed),
        max((answer.rlimit for answer in every), default=0),
        sum(isinstance(answer, Unknown) for answer in every),
        sum(len({type(x) for x in (first, *others) if not isinstance(x, Unknown)}) > 1 for first, others in asked),
    )


# --- files -----------------------------------------------------------------------------------------------------------


def path_of(proofs: Path, name: str) -> Path:
    """Where the record of a spec is."""
    return proofs / "seeds" / f"{name}.json"


def write(path: Path, found: Stability) -> None:
    """Replaces the file as a whole, or leaves it as it was. Raises ``OSError``."""
    write_json(path, {"format": FORMAT, **asdict(found)})


def read(path: Path) -> Stability | None:
    """The record in a file, ``None`` when there is none. Raises ``BadManifest``, ``OSError``."""
    data: dict[str, Any] | None = read_json(path, FORMAT, NO_RECORD)
    if data is None:
        return None
    try:
        del data["format"]
        works = tuple(_spread(row) for row in data.pop("works"))
        found = Stability(**data | {"total": _spread(data["total"]), "works": works})
        whole = all(isinstance(n, str) for n in (found.name, found.hash, found.solver))
        if not whole or any(type(n) is not int or n < 1 for n in (found.seeds, found.budget)):
            raise ValueError
        return found
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadManifest(NO_RECORD) from error


def _spread(row: Mapping[str, Any]) -> Spread:
    """Raises ``ValueError``, ``TypeError`` for anything but names and naturals in order."""
    found = Spread(**row)
    numbers = [getattr(found, f.name) for f in fields(Spread)[1:]]
    if not isinstance(found.work, str) or any(type(n) is not int or n < 0 for n in numbers):
        raise ValueError
    if not found.minimum <= found.median <= found.maximum:
        raise ValueError
    return found


def faults(found: Stability, spec_hash: str) -> list[str]:
    """What is wrong with a record of the spec with this hash. An answer that was unknown with some seed is no fault:
    the verification has its own seed, so its proofs are found again; the count says how near they are to the budget."""
    lines = []
    if found.hash != spec_hash:
        lines.append(f"{found.name}: the solver's stability is recorded for another text of the spec")
    if found.total.contradicted:
        lines.append(f"{found.name}: {found.total.contradicted} queries were answered both ways")
    return lines
