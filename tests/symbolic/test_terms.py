"""Terms fold to equal meanings, and the solver's answers about them are what they claim to be."""

from hypothesis import given
from hypothesis import strategies as st

from kozel_verify.symbolic import terms as t
from kozel_verify.symbolic.terms import Term
from kozel_verify.symbolic.z3_api import Model, Unknown, Unsatisfiable, check, prove, to_smt2

P, Q = (t.variable(n, t.BOOL) for n in "pq")
X, Y = (t.variable(n, t.INT) for n in "xy")

numbers = st.recursive(
    st.sampled_from([X, Y]) | st.integers(-3, 3).map(t.integer),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda a: t.make("add", a, t.INT)),
        st.tuples(inner, inner).map(lambda a: t.make("mul", a, t.INT)),
        st.tuples(st.sampled_from([P, Q]), inner, inner).map(lambda a: t.make("ite", a, t.INT)),
    ),
    max_leaves=8,
)
truths = st.recursive(
    st.sampled_from([P, Q, t.TRUE, t.FALSE]) | st.tuples(numbers, numbers).map(lambda a: t.make("le", a, t.BOOL)),
    lambda inner: st.one_of(
        inner.map(lambda a: t.make("not", (a,), t.BOOL)),
        st.tuples(inner, inner, inner).map(lambda a: t.make("and", a, t.BOOL)),
        st.tuples(inner, inner, inner).map(lambda a: t.make("or", a, t.BOOL)),
        st.tuples(inner, inner, inner).map(lambda a: t.make("ite", a, t.BOOL)),
        st.tuples(inner, inner).map(lambda a: t.make("eq", a, t.BOOL)),
    ),
    max_leaves=12,
)


@given(truths, st.booleans(), st.booleans(), st.integers(-3, 3), st.integers(-3, 3))
def test_folding_keeps_the_meaning(raw: Term, p: bool, q: bool, x: int, y: int) -> None:
    """A term and what the smart constructors make of it have the same value under every assignment."""
    values = {"p": p, "q": q, "x": x, "y": y}
    (folded,) = t.substitute([raw], {})
    assert t.evaluate([folded], values) == t.evaluate([raw], values)


@given(truths, st.booleans(), st.integers(-3, 3))
def test_substitution_is_evaluation(raw: Term, p: bool, x: int) -> None:
    """Constants in place of all variables leave the constant that is the value."""
    values = {"p": p, "q": not p, "x": x, "y": 1}
    constants = {"p": t.boolean(p), "q": t.boolean(not p), "x": t.integer(x), "y": t.integer(1)}
    assert t.constant(t.substitute([raw], constants)[0]) == t.evaluate([raw], values)[0]


def test_equal_terms_are_one_object() -> None:
    """Terms are shared, so comparison by identity is enough."""
    assert t.add(X, t.integer(1)) is t.add(X, t.integer(1))
    assert t.and_(P, Q) is t.and_(P, t.TRUE, Q, P)
    assert t.and_(P, t.not_(P)) is t.FALSE
    assert t.eq(t.ite(P, t.integer(3), t.integer(4)), t.integer(3)) is P


def test_answers() -> None:
    """What follows is proved; what does not has a model in which it is false; a used-up budget is unknown."""
    assert isinstance(prove([t.lt(X, Y)], t.le(X, Y)), Unsatisfiable)
    answer = prove([t.le(X, Y)], t.lt(X, Y))
    assert isinstance(answer, Model)
    assert answer.values["x"] == answer.values["y"]
    hard = t.eq(t.mul(X, t.mul(X, X)), t.add(t.mul(Y, Y), t.integer(7)))
    assert isinstance(check([hard, t.lt(t.integer(100), X)], rlimit=50), Unknown)


def test_a_query_is_a_function_of_its_terms() -> None:
    """The resource count is the same whatever was asked in between."""
    query = [t.lt(X, Y), t.lt(Y, t.add(X, t.integer(2))), t.distinct(t.add(X, t.integer(1)), Y)]
    first = check(query)
    check([t.eq(t.mul(X, X), t.integer(49))])
    assert check(query) == first
    assert isinstance(first, Unsatisfiable) and first.rlimit > 0


def test_a_query_as_text() -> None:
    """SMT-LIB, with the declarations."""
    text = to_smt2([t.lt(X, Y), P])
    assert "(declare-fun x () Int)" in text and "(assert\n p)" in text and "(check-sat)" in text
