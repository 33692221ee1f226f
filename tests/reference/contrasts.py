"""Combinations of arms' rates over clusters, from definitions, in exact fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction

from reference import permutation, stats

Arms = Sequence[tuple[int, int]]
"""Of a cluster: (successes, trials) of each arm."""


def clusters_of(rows: Sequence[Arms], arm: int) -> list[tuple[int, int]]:
    return [row[arm] for row in rows if row[arm][1]]


def total(rows: Sequence[Arms], arm: int) -> tuple[int, int]:
    hits, trials = (sum(row[arm][part] for row in rows) for part in (0, 1))
    return hits, trials


def correlation(rows: Sequence[Arms], one: int, other: int, *, held: bool) -> float:
    """Of the residuals of two arms over clusters; `held` takes it down towards nothing."""
    rates = {arm: Fraction(*total(rows, arm)) for arm in (one, other)}
    residuals = {
        arm: [row[arm][0] - rates[arm] * row[arm][1] for row in rows] for arm in (one, other)
    }
    product = sum(
        (a * b for a, b in zip(residuals[one], residuals[other], strict=True)), Fraction(0)
    )
    spread = math.prod(sum(r * r for r in residuals[arm]) for arm in (one, other))
    if not spread:
        return 0.0
    if held:
        equal = min(stats.equal_clusters(clusters_of(rows, arm)) for arm in (one, other))
        size = max(abs(product) - Fraction(1, 2), Fraction(0)) * max(1 - 2 / equal, Fraction(0))
        product = size if product > 0 else -size
    return max(-1.0, min(1.0, float(product) / math.sqrt(spread)))


def lower(rows: Sequence[Arms], weights: Sequence[float], tail: float, clustered: bool) -> float:
    """Lower limit of the sum of weights times rates, by square-and-add."""
    arms = range(len(weights))
    totals = [total(rows, arm) for arm in arms]
    rates = [hits / trials for hits, trials in totals]
    if clustered:
        limits = [stats.wilson_effective(clusters_of(rows, arm), tail) for arm in arms]
    else:
        z = stats.normal_quantile(tail)
        limits = [stats.wilson(rates[arm], totals[arm][1], z) for arm in arms]
    parts = [
        weights[arm]
        * (rates[arm] - limits[arm][0] if weights[arm] > 0 else limits[arm][1] - rates[arm])
        for arm in arms
    ]
    square = sum(part**2 for part in parts)
    for one in arms:
        for other in arms:
            if one < other and clustered:
                measured = correlation(rows, one, other, held=False)
                narrows = parts[one] * parts[other] * measured < 0
                used = correlation(rows, one, other, held=narrows)
                square += 2 * parts[one] * parts[other] * used
    return sum(w * p for w, p in zip(weights, rates, strict=True)) - math.sqrt(max(square, 0.0))


def limits(
    rows: Sequence[Arms], weights: Sequence[float], tail: float, clustered: bool
) -> tuple[float, float]:
    mirrored = [-weight for weight in weights]
    return lower(rows, weights, tail, clustered), -lower(rows, mirrored, tail, clustered)


def test_of(rows: Sequence[Arms]) -> tuple[str, float] | None:
    """The test of a difference in differences: its name and p-value."""

    def difference(first: tuple[int, int], second: tuple[int, int]) -> Fraction | None:
        if not (first[1] and second[1]):
            return None
        return Fraction(*first) - Fraction(*second)

    pairs = [(difference(a, b), difference(c, d)) for a, b, c, d in rows]
    both = [one - other for one, other in pairs if one is not None and other is not None]
    if both:
        return "flip_p", float(permutation.flip(both, "two-sided"))
    first = [one for one, _ in pairs if one is not None]
    second = [other for _, other in pairs if other is not None]
    if not (first and second):
        return None
    return "permutation_p", float(permutation.shuffle([(first, second)], "two-sided"))
