"""Answers of the solver that were found before, by the exact content of the query.

In go assertions and a budget; out come a key, and texts in which queries and answers are kept. Where they are kept is
the business of a ``Keeper``, which this process is given by ``use``; without one nothing is kept.

The key of a query is a hash of its terms in the order in which the solver is given them (equal terms are one object,
so structure decides that order), the budget, and the version of the solver. Answers depend on nothing else: each query
has a context of its own. But for one thing: the memory of the process. So an ``Unknown`` is kept only when the budget
was used up. Trusted: the hash (SHA-256), and that a keeper gives back what it was given under the very key.
"""

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Protocol
from weakref import WeakKeyDictionary

from kozel_verify.symbolic.answers import Answer, Model, Unknown, Unsatisfiable
from kozel_verify.symbolic.terms import Term, make, postorder

KIND = "query 2"  # of an entry; another number when its form changes, or how the solver is set


class Keeper(Protocol):
    """Keeps bytes under texts. ``get`` gives what was ``put`` under the same key, whole and unchanged, or ``None``;
    neither raises."""

    def get(self, key: str, /) -> bytes | None: ...
    def put(self, key: str, value: bytes, /) -> None: ...


@dataclass(slots=True)
class Use:
    """What this process does with its queries beside asking them. ``asked``: the keys of all queries in their order,
    when they are listed; ``gave_up``: is called with each query to which the answer was ``Unknown``."""

    keeper: Keeper | None = None
    asked: list[str] | None = None
    gave_up: Callable[[Sequence[Term], int], None] | None = None


USE = Use()


@dataclass(frozen=True, slots=True)
class Kept:
    """A query with its answer, as it was kept."""

    assertions: tuple[Term, ...]
    budget: int
    answer: Answer


# --- keys ------------------------------------------------------------------------------------------------------------


@cache
def solver_version() -> str:
    """The solver's package and its version; asking does not load the solver."""
    try:
        return f"z3-solver {version('z3-solver')}"
    except PackageNotFoundError:
        return ""


@dataclass(slots=True)
class _Digests:
    """The hash of each term that was met, for as long as the term lives."""

    known: "WeakKeyDictionary[Term, bytes]" = field(default_factory=WeakKeyDictionary)

    def of(self, roots: Sequence[Term]) -> list[bytes]:
        known = self.known
        for root in roots:
            stack = [root]
            while stack:
                term = stack[-1]
                if term in known:
                    stack.pop()
                    continue
                missing = [a for a in term.args if a not in known]
                if missing:
                    stack += missing
                    continue
                head = f"{term.op} {term.sort} {type(term.payload).__name__} {term.payload!r} {len(term.args)} "
                known[term] = sha256(b"".join([head.encode(), *(known[a] for a in term.args)])).digest()
                stack.pop()
        return [known[r] for r in roots]


_DIGESTS = _Digests()


def key_of(assertions: Sequence[Term], budget: int) -> str:
    """The full key of a query. Empty when the solver's version is not known: then nothing may be kept."""
    if not solver_version():
        return ""
    content = sha256(b"".join(_DIGESTS.of(assertions))).hexdigest()
    return f"{KIND}\n{solver_version()}\nrlimit {budget}\n{len(assertions)} assertions {content}"


# --- texts -----------------------------------------------------------------------------------------------------------


def find(key: str) -> Answer | None:
    """The kept answer to the query of this key."""
    if USE.keeper is None or not key:
        return None
    value = USE.keeper.get(key)
    try:
        return None if value is None else _answer(json.loads(value.split(b"\n", 1)[0]))
    except (ValueError, LookupError, TypeError):
        return None


def keep(key: str, assertions: Sequence[Term], budget: int, answer: Answer) -> None:
    """Keep an answer that will always be the same; others are let go."""
    if USE.keeper is None or not key or (isinstance(answer, Unknown) and answer.rlimit < budget):
        return
    head = json.dumps([_answer_data(answer), budget], ensure_ascii=False, separators=(",", ":"))
    USE.keeper.put(key, head.encode() + b"\n" + zlib.compress(_terms_text(assertions), 1))


def kept(keeper: Keeper, key: str) -> Kept | None:
    """The query of a key with all its terms, to be asked again."""
    value = keeper.get(key)
    if value is None:
        return None
    head, _, body = value.partition(b"\n")
    try:
        data = json.loads(head)
        found = Kept(_terms(zlib.decompress(body)), data[1], _answer(data))
    except (ValueError, LookupError, TypeError, zlib.error):
        return None
    return found if key_of(found.assertions, found.budget) == key else None


def _answer_data(answer: Answer) -> list[object]:
    match answer:
        case Unsatisfiable(used):
            return ["unsat", used]
        case Model(values, used):
            return ["sat", used, values]
        case Unknown(reason, used):
            return ["unknown", used, reason]


def _answer(data: list[list[object]]) -> Answer:
    match data[0]:
        case ["unsat", int(used)]:
            return Unsatisfiable(used)
        case ["sat", int(used), dict(values)]:
            return Model(values, used)
        case ["unknown", int(used), str(reason)]:
            return Unknown(reason, used)
        case _:
            raise ValueError("no answer of a solver")


def _terms_text(roots: Sequence[Term]) -> bytes:
    """Each term once, arguments first, as operator, sort, payload and the numbers of its arguments; then the roots."""
    numbers: dict[Term, int] = {}
    rows: list[object] = []
    for term in postorder(roots):
        numbers[term] = len(numbers)
        rows.append([term.op, term.sort, term.payload, *[numbers[a] for a in term.args]])
    return json.dumps([rows, [numbers[r] for r in roots]], ensure_ascii=False, separators=(",", ":")).encode()


def _terms(text: bytes) -> tuple[Term, ...]:
    rows, roots = json.loads(text)
    made: list[Term] = []
    for op, sort, payload, *arguments in rows:
        plain = tuple(payload) if isinstance(payload, list) else payload
        made.append(make(op, tuple(made[a] for a in arguments), sort, plain))
    return tuple(made[r] for r in roots)
