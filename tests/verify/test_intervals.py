"""Intervals for shares and means, against published tables."""

from collections import Counter
from math import comb, sqrt

import pytest

from kozel_verify.verify.intervals import LEAST, Z, mean_of, student, wilson


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_published_shares(count: int, of: int, low: float, high: float) -> None:
    """The examples of Newcombe, Statistics in Medicine 17 (1998), pages 857-872, table I, method 3, to all digits."""
    found = wilson(count, of)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


def test_never_is_no_certainty() -> None:
    """What never came in n trials has a share from exactly 0 to z^2 / (n + z^2), what always came the mirror image."""
    for n in (1, 10, 1_000, 1_000_000):
        never, always = wilson(0, n), wilson(n, n)
        assert never.low == 0.0 and always.high == 1.0
        assert never.high == pytest.approx(Z * Z / (n + Z * Z), rel=1e-12)
        assert always.low == pytest.approx(1 - never.high, rel=1e-12)
    assert wilson(0, 1_000_000).high == pytest.approx(3.8414e-6, rel=1e-4)


@pytest.mark.parametrize(("count", "of"), [(1, 7), (3, 50), (250, 1_000), (999, 1_000)])
def test_the_ends_solve_the_equation(count: int, of: int) -> None:
    """At both ends of the interval the count lies z standard deviations from what is expected: Wilson's definition."""
    found = wilson(count, of)
    for p in (found.low, found.high):
        assert abs(count - of * p) == pytest.approx(Z * sqrt(of * p * (1 - p)), rel=1e-9)


def _covered(p: float, n: int, ends: list[tuple[float, float]]) -> float:
    """With which probability the interval of a binomial count holds p."""
    return sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k, (low, high) in enumerate(ends) if low <= p <= high)


def test_rare_events_are_covered() -> None:
    """For rare events the interval holds the share about as often as it says; the textbook's (p plus and minus z
    standard errors) does not: this check can fail."""
    n = 100
    scores = [(s.low, s.high) for s in (wilson(k, n) for k in range(n + 1))]
    reach = [Z * sqrt(k * (n - k) / n**3) for k in range(n + 1)]
    simple = [(k / n - r, k / n + r) for k, r in enumerate(reach)]
    shares = [0.01, 0.02, 0.05, 0.1]
    assert all(0.92 < _covered(p, n, scores) < 0.99 for p in shares)
    assert _covered(0.01, n, simple) < 0.64


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(29, 2.045), (30, 2.042), (40, 2.021), (60, 2.0), (120, 1.98), (10**7, 1.96)]
)
def test_published_quantiles(freedom: int, quantile: float) -> None:
    """The two-sided 95 % column of every table of Student's t."""
    assert round(student(freedom), 3) == quantile


def test_means() -> None:
    """Of fifty ones and fifty threes: mean 2, standard error 1 / sqrt(99), t = 1.9842."""
    found = mean_of(Counter({1: 50, 3: 50}))
    assert (found.mean, found.least, found.most, found.shown) == (2.0, 1, 3, True)
    assert found.high - 2 == pytest.approx(1.98422 / sqrt(99), rel=1e-5)
    assert 2 - found.low == pytest.approx(found.high - 2, rel=1e-12)


def test_no_interval_where_there_is_none() -> None:
    """Few numbers, or numbers that do not vary, have a mean without an interval, never one of width zero."""
    assert not mean_of(Counter({7: 1_000})).shown
    assert not mean_of(Counter({1: LEAST - 2, 2: 1})).shown
    assert mean_of(Counter({1: LEAST - 1, 2: 1})).shown


def test_nothing_is_no_sample() -> None:
    """Shares of nothing, counts above the whole, and means of nothing are errors."""
    for count, of in ((0, 0), (3, 2), (-1, 2)):
        with pytest.raises(ValueError):
            wilson(count, of)
    with pytest.raises(ValueError):
        mean_of(Counter())
    with pytest.raises(ValueError):
        student(LEAST - 2)
