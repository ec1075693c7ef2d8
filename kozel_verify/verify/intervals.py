"""How far what was counted in a sample may be from the truth: 95 % intervals for shares and for means.

In go exact counts; out come intervals. **Shares**: the score interval of E. B. Wilson ("Probable inference, the law of
succession, and statistical inference", Journal of the American Statistical Association 22, 1927, pages 209-212): all
shares p for which the count lies within z standard deviations of n * p. It keeps its promise also near 0 and 1: none of
n is a share from 0 to z^2 / (n + z^2), not "never". **Means**: Student's t ("The probable error of a mean", Biometrika
6, 1908, pages 1-25), the quantile by the series in Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.5.
That needs a sample of some size, and one that varies: else there is no interval for a mean.

Both need trials that do not depend on each other. Sums are exact; only the last steps are in floating point.
"""

from collections import Counter
from dataclasses import dataclass
from math import sqrt

LEVEL = 0.95
Z = 1.959963984540054  # the normal quantile of (1 + LEVEL) / 2
LEAST = 30  # numbers for an interval of their mean


@dataclass(frozen=True, slots=True)
class Share:
    """``count`` of ``of``, with the ends of its interval."""

    count: int
    of: int
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.count / self.of


@dataclass(frozen=True, slots=True)
class Mean:
    """``low`` and ``high`` are the mean itself where there is no interval (``shown`` is false)."""

    mean: float
    low: float
    high: float
    least: int
    most: int
    shown: bool


def wilson(count: int, of: int) -> Share:
    """The score interval of ``count`` successes in ``of`` trials. ``ValueError`` without a trial."""
    if not 0 <= count <= of or of == 0:
        raise ValueError(f"{count} of {of} is no share")
    square = Z * Z
    middle = count + square / 2
    reach = Z * sqrt(count * (of - count) / of + square / 4)
    low = 0.0 if count == 0 else (middle - reach) / (of + square)
    high = 1.0 if count == of else (middle + reach) / (of + square)
    return Share(count, of, low, high)


def mean_of(numbers: Counter[int]) -> Mean:
    """Of numbers with how often each came. ``ValueError`` when there are none."""
    n = numbers.total()
    if not n:
        raise ValueError("there is no mean of nothing")
    total = sum(value * times for value, times in numbers.items())
    squares = sum(value * value * times for value, times in numbers.items())
    mean, least, most = total / n, min(numbers), max(numbers)
    if n < LEAST or least == most:
        return Mean(mean, mean, mean, least, most, False)
    reach = student(n - 1) * sqrt((n * squares - total * total) / (n * n * (n - 1)))
    return Mean(mean, mean - reach, mean + reach, least, most, True)


def student(freedom: int) -> float:
    """The quantile of (1 + LEVEL) / 2 of Student's t, for at least ``LEAST - 1`` degrees of freedom."""
    if freedom < LEAST - 1:
        raise ValueError(f"the series is too far off for {freedom} degrees of freedom")
    z = Z
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom**power) for power, term in enumerate(terms, 1))
