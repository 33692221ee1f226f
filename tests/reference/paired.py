"""Tests and intervals of pairs, from definitions: sums of whole numbers and bisection."""

import math
from collections.abc import Callable
from fractions import Fraction

from scipy.special import betaincinv, log_ndtr

from reference import stats

Table = tuple[int, int, int, int]
"""Pairs by both outcomes: both, treatment only, baseline only, neither."""
Limits = tuple[float, float | None]


# --- McNemar's test


def exact(b: int, c: int) -> Fraction:
    return stats.sign_test(b, c)


def mid_p(b: int, c: int) -> Fraction:
    """Twice the ways to fewer on the smaller side and half the ways to as many."""
    n, fewer = b + c, min(b, c)
    below = sum(math.comb(n, i) for i in range(fewer))
    return Fraction(2 * below + math.comb(n, fewer), 2**n)


def chi_squared(b: int, c: int, *, correction: bool) -> tuple[float, float]:
    """The statistic and the logarithm of its p-value."""
    if b + c == 0:
        return 0.0, 0.0
    apart = max(abs(b - c) - correction, 0)
    statistic = Fraction(apart**2, b + c)
    return float(statistic), math.log(2) + float(log_ndtr(-math.sqrt(statistic)))


# --- intervals


def last_positive(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that falls from above zero to below it is nothing."""
    for _ in range(64):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) > 0 else (low, middle)
    return low


def swapped(table: Table) -> Table:
    both, b, c, neither = table
    return both, c, b, neither


def likeliest(slope: Callable[[float], float], low: float, high: float) -> float:
    """Where a likelihood is largest, by the sign of its slope inside the bounds."""
    return last_positive(slope, low, high)


def tango_low(table: Table, z: float) -> float:
    _, b, c, _ = table
    n = sum(table)

    def excess(difference: float) -> float:
        def slope(q: float) -> float:
            p, rest = q + difference, 1 - 2 * q - difference
            up = (b / p if b else 0) + (c / q if c else 0)
            return up - (2 * (n - b - c) / rest if n - b - c else 0)

        q = likeliest(slope, max(0.0, -difference), (1 - difference) / 2)
        variance = (2 * q + difference - difference**2) / n
        return (b - c) / n - difference - z * math.sqrt(max(variance, 0.0))

    return last_positive(excess, -1.0, (b - c) / n)


def tango(table: Table, tail: float) -> Limits:
    z = stats.normal_quantile(tail)
    return tango_low(table, z), -tango_low(swapped(table), z)


def newcombe(table: Table, tail: float) -> Limits:
    return stats.newcombe(table, tail)


def bonett_price(table: Table, tail: float) -> Limits:
    _, b, c, _ = table
    n = sum(table)
    p, q = (b + 1) / (n + 2), (c + 1) / (n + 2)
    half = stats.normal_quantile(tail) * math.sqrt((p + q - (p - q) ** 2) / (n + 2))
    return max(p - q - half, -1.0), min(p - q + half, 1.0)


DIFFERENCE = {"newcombe": newcombe, "tango": tango, "bonett-price": bonett_price}


def inverted(low: Callable[[Table, float], float]) -> Callable[[Table, float], Limits]:
    """Both limits of a ratio from the lower limit of either ratio."""

    def both(table: Table, tail: float) -> Limits:
        other = low(swapped(table), tail)
        return low(table, tail), 1 / other if other else None

    return both


def score_ratio_low(table: Table, tail: float) -> float:
    """The least ratio at which the score test does not reject."""
    a, b, c, _ = table
    n, z = sum(table), stats.normal_quantile(tail)
    some = (a + b + c) / n
    if not a + b:
        return 0.0

    def excess(u: float) -> float:
        ratio = u / (1 - u)

        def slope(q: float) -> float:
            """Of the likelihood in the chance q of a pair for the baseline alone."""
            both = (some - (1 + ratio) * q) / ratio
            alone = some - both - q
            up = (b / alone / ratio if b else 0) + (c / q if c else 0)
            return up - (a * (1 + ratio) / ratio / both if a else 0)

        low, high = max(0.0, some * (1 - ratio)), some / (1 + ratio)
        q = likeliest(slope, low, high)
        alone = (some * (ratio - 1) + q) / ratio
        spread = math.sqrt(max(n * ratio * (alone + q), 0.0))
        return (a + b) - ratio * (a + c) - z * spread

    u = last_positive(excess, 0.0, (a + b) / (2 * a + b + c))
    return u / (1 - u)


def bonett_price_ratio_low(table: Table, tail: float) -> float:
    a, b, c, _ = table
    some, x, y = a + b + c, a + b, a + c
    p, q = (x + 1) / (some + 2), (y + 1) / (some + 2)
    joint = math.sqrt((b + c + 2) / ((x + 1) * (y + 1)))
    each = math.sqrt((1 - p) / (x + 1)) + math.sqrt((1 - q) / (y + 1))
    z = stats.normal_quantile(tail) * joint / each
    return stats.wilson(x / some, some, z)[0] / stats.wilson(y / some, some, z)[1]


def square_and_add_ratio_low(table: Table, tail: float) -> float:
    """The least ratio at which the interval of p - ratio q does not lie above zero."""
    a, b, c, _ = table
    n, z = sum(table), stats.normal_quantile(tail)
    p, q = (a + b) / n, (a + c) / n
    down, up = p - stats.wilson(p, n, z)[0], stats.wilson(q, n, z)[1] - q
    phi = stats.newcombe_phi(*table)
    if not p:
        return 0.0

    def excess(u: float) -> float:
        ratio = u / (1 - u)
        spread = down**2 - 2 * phi * ratio * down * up + (ratio * up) ** 2
        return p - ratio * q - math.sqrt(max(spread, 0.0))

    u = last_positive(excess, 0.0, 1.0 if not q else p / (p + q))
    return u / (1 - u)


RATIO = {
    "square-and-add": inverted(square_and_add_ratio_low),
    "score": inverted(score_ratio_low),
    "bonett-price": inverted(bonett_price_ratio_low),
}


def clopper_pearson_low(table: Table, tail: float) -> float:
    _, b, c, _ = table
    # The mirrored quantile is one minus the share, to all its digits.
    share = float(betaincinv(b, c + 1, tail)) if b else 0.0
    rest = 1 - share if share < 0.5 else float(betaincinv(c + 1, b, 1 - tail))
    return share / rest


def mid_p_low(table: Table, tail: float) -> float:
    _, b, c, _ = table
    n = b + c
    if not b:
        return 0.0

    def excess(share: float) -> float:
        chance = [math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(b, n + 1)]
        return tail - (math.fsum(chance) - chance[0] / 2)

    share = last_positive(excess, 0.0, 1.0)
    return share / (1 - share)


def wilson_low(table: Table, tail: float) -> float:
    _, b, c, _ = table
    share = stats.wilson(b / (b + c), b + c, stats.normal_quantile(tail))[0]
    return share / (1 - share)


ODDS_RATIO = {
    "clopper-pearson": inverted(clopper_pearson_low),
    "mid-p": inverted(mid_p_low),
    "wilson": inverted(wilson_low),
}
