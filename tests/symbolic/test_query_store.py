"""Answers of the solver that were found before."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from kozel_verify.symbolic import query_store, z3_api
from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.answers import Answer, Model, Unknown, Unsatisfiable
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.z3_api import check

X, Y, Z = (t.variable(name, t.INT) for name in "xyz")
TRUE_QUERY = [t.lt(X, Y), t.lt(Y, Z), t.lt(t.integer(4), t.add(X, Z))]
FALSE_QUERY = [t.lt(X, Y), t.lt(Y, X)]
HARD_QUERY = [t.eq(t.mul(t.mul(X, Y), Z), t.integer(1_234_577)), t.lt(t.integer(1), X), t.lt(X, Y), t.lt(Y, Z)]


class Memory:
    """A keeper in memory, which counts."""

    def __init__(self) -> None:
        self.values: dict[str, bytes] = {}
        self.hits = 0

    def get(self, key: str) -> bytes | None:
        self.hits += key in self.values
        return self.values.get(key)

    def put(self, key: str, value: bytes) -> None:
        self.values[key] = value


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    kept = Memory()
    monkeypatch.setattr(query_store, "USE", query_store.Use(keeper=kept))
    yield kept


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gets an entry for each query that the solver itself is asked."""
    seen: list[int] = []
    real = z3_api.ask

    def ask(assertions: Sequence[Term], rlimit: int = 0, seed: int | None = None) -> Answer:
        seen.append(rlimit)
        return real(assertions, rlimit, seed)

    monkeypatch.setattr(z3_api, "ask", ask)
    return seen


@pytest.mark.parametrize("query, kind", [(TRUE_QUERY, Model), (FALSE_QUERY, Unsatisfiable)])
def test_an_answer_is_found_again(memory: Memory, asked: list[int], query: list[Term], kind: type[Answer]) -> None:
    """The second answer is the first one, values and resource count included, and the solver is asked once."""
    first, second = check(query), check(query)
    assert isinstance(first, kind)
    assert first == second
    assert (len(asked), memory.hits) == (1, 1)


def test_what_a_key_depends_on() -> None:
    """Any change of a term, of the order, of the budget, of a variable's sort or of a payload's type is another key."""
    bits = [t.variable(name, 2) for name in "xy"]
    queries: list[tuple[list[Term], int]] = [
        (TRUE_QUERY, 10),
        (TRUE_QUERY, 11),
        (TRUE_QUERY[::-1], 10),
        (TRUE_QUERY[:2], 10),
        ([*TRUE_QUERY, TRUE_QUERY[0]], 10),
        ([t.eq(X, Y)], 10),
        ([t.eq(Y, X)], 10),
        ([t.eq(*bits)], 10),
        ([t.eq(t.extract(bits[0], 0, 1), t.vector(1, 1))], 10),
        ([t.eq(t.extract(bits[0], 1, 1), t.vector(1, 1))], 10),
        ([t.make("const", (), t.BOOL, True)], 10),
        ([t.make("const", (), t.BOOL, 1)], 10),
    ]
    keys = [query_store.key_of(*query) for query in queries]
    assert len(set(keys)) == len(keys)


def test_a_key_does_not_depend_on_the_object(memory: Memory) -> None:
    """The same terms made again have the same key, also when the old ones are gone."""

    def made() -> str:
        name = t.variable("gone", t.INT)
        return query_store.key_of([t.lt(name, t.integer(3))], 5)

    assert made() == made()


def test_a_used_up_budget_is_kept_and_nothing_else_unknown(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """That a budget does not do is always so; that the memory did not do, or a user's impatience, is not."""
    assert isinstance(check(HARD_QUERY, 100), Unknown)
    assert len(memory.values) == 1
    monkeypatch.setattr(z3_api, "ask", lambda *_: Unknown("out of memory", 99))
    assert check(TRUE_QUERY, 100) == Unknown("out of memory", 99)
    assert len(memory.values) == 1


def test_without_a_version_nothing_is_kept(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers of an unknown solver are not mixed with those of others."""
    monkeypatch.setattr(query_store, "solver_version", lambda: "")
    check(TRUE_QUERY)
    assert memory.values == {}


def test_another_version_finds_nothing(memory: Memory, asked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver's version is a part of the key."""
    check(TRUE_QUERY)
    monkeypatch.setattr(query_store, "solver_version", lambda: "z3-solver 0.0")
    check(TRUE_QUERY)
    assert len(asked) == 2


@pytest.mark.parametrize("value", [b"", b"null\n", b"[[1]]\n", b'[["maybe", 3], 5]\n', b"\xff\xfe", b'{"a": 1}\n'])
def test_a_strange_value_is_no_answer(memory: Memory, asked: list[int], value: bytes) -> None:
    """What is not the text of an answer is ignored, and replaced."""
    right = check(TRUE_QUERY)
    (key,) = memory.values
    memory.values[key] = value
    assert check(TRUE_QUERY) == right
    assert len(asked) == 2
    assert memory.values[key] != value


@pytest.mark.parametrize(
    "query", [TRUE_QUERY, FALSE_QUERY, HARD_QUERY, [t.eq(t.extract(t.variable("b", 3), 1, 2), t.vector(2, 2))]]
)
def test_a_kept_query_can_be_asked_again(memory: Memory, query: list[Term]) -> None:
    """Its terms are the very ones, with the budget and the answer."""
    answer = check(query, 5_000)
    (key,) = memory.values
    kept = query_store.kept(memory, key)
    assert kept == query_store.Kept(tuple(query), 5_000, answer)


def test_a_query_under_a_wrong_key_is_none(memory: Memory) -> None:
    """What comes back is compared with the key under which it was asked for."""
    check(TRUE_QUERY)
    check(FALSE_QUERY)
    first, second = memory.values
    memory.values[first] = memory.values[second]
    assert query_store.kept(memory, first) is None


def test_the_keys_asked_for_are_listed_and_hard_queries_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order of asking, answered from the store or not; without a keeper too."""
    told: list[int] = []
    use = query_store.Use(asked=[], gave_up=lambda assertions, budget: told.append(len(assertions)))
    monkeypatch.setattr(query_store, "USE", use)
    check(TRUE_QUERY)
    check(HARD_QUERY, 100)
    assert use.asked == [query_store.key_of(TRUE_QUERY, z3_api.DEFAULT_RLIMIT), query_store.key_of(HARD_QUERY, 100)]
    assert told == [len(HARD_QUERY)]


def test_a_wrong_answer_would_be_used(memory: Memory) -> None:
    """The negative control: answers really come from the keeper, so that the keeper and the key matter."""
    check(FALSE_QUERY)
    (key,) = memory.values
    other = Memory()
    query_store.USE = replace(query_store.USE, keeper=other)
    check(TRUE_QUERY)
    (wrong,) = other.values.values()
    other.values = {key: wrong}
    assert isinstance(check(FALSE_QUERY), Model)
