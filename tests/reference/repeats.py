"""Repeats of items, in fractions and by enumeration."""

import itertools
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

Crossed = tuple[int, int, int, int]


def chance(statistic: str, n: int, c: int, k: int) -> Fraction | None:
    """Share of the choices of k repeats with any success, or with nothing else."""
    if k > n:
        return None
    if statistic == "pass@k":
        return 1 - Fraction(math.comb(n - c, k), math.comb(n, k))
    return Fraction(math.comb(c, k), math.comb(n, k))


def components(
    outcomes: Sequence[Sequence[Fraction]],
) -> tuple[Fraction, Fraction, Fraction | None]:
    """Variance between and within items, and their correlation, from the scores of each."""
    outcomes = [values for values in outcomes if values]
    flat = [value for values in outcomes for value in values]
    total, k = len(flat), len(outcomes)
    grand = sum(flat, Fraction(0)) / total
    means = [sum(values, Fraction(0)) / len(values) for values in outcomes]
    among = sum(
        len(values) * (mean - grand) ** 2 for values, mean in zip(outcomes, means, strict=True)
    ) / Fraction(k - 1)
    within = sum(
        (value - mean) ** 2
        for values, mean in zip(outcomes, means, strict=True)
        for value in values
    ) / Fraction(total - k)
    size = (total - Fraction(sum(len(values) ** 2 for values in outcomes), total)) / (k - 1)
    between = (among - within) / size
    scale = between + within
    return max(between, Fraction(0)), within, between / scale if scale else None


def shuffles(item: Crossed) -> Iterator[tuple[Fraction, Fraction]]:
    """Effects of an item when its repeats are shuffled over the arms, with their chances."""
    n, k, m, j = item
    for x in range(max(0, k + j - m), min(n, k + j) + 1):
        ways = math.comb(n, x) * math.comb(m, k + j - x)
        effect = Fraction(x, n) - Fraction(k + j - x, m)
        yield effect, Fraction(ways, math.comb(n + m, k + j))


def variance(values: Sequence[Fraction]) -> Fraction:
    mean = sum(values, Fraction(0)) / len(values)
    return sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - 1)


def null(
    items: Sequence[Crossed], threshold: Fraction
) -> tuple[float, Fraction, Fraction, Fraction]:
    """Mean deviation, its p-value, expected number beyond, and the p-value of that."""
    effects = [Fraction(k, n) - Fraction(j, m) for n, k, m, j in items]
    observed = variance(effects)
    beyond = sum(abs(effect) >= threshold for effect in effects)
    mean, p, expected, at_least = 0.0, Fraction(0), Fraction(0), Fraction(0)
    for drawn in itertools.product(*(list(shuffles(item)) for item in items)):
        weight = math.prod((w for _, w in drawn), start=Fraction(1))
        values = [effect for effect, _ in drawn]
        spread = variance(values)
        count = sum(abs(value) >= threshold for value in values)
        mean += float(weight) * math.sqrt(spread)
        p += weight if spread >= observed else 0
        expected += weight * count
        at_least += weight if count >= beyond else 0
    return mean, p, expected, at_least
