"""Means of scores from their definitions, in whole numbers over whole numbers."""

import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

from reference.stats import student_quantile

Clusters = Sequence[Sequence[float]]


def moments(scores: Sequence[float]) -> tuple[Fraction, float, float]:
    """Mean, standard deviation with n - 1, and standard error of independent scores."""
    exact = [Fraction(score) for score in scores]
    mean = sum(exact, Fraction(0)) / len(exact)
    variance = sum(((x - mean) ** 2 for x in exact), Fraction(0)) / (len(exact) - 1)
    return mean, math.sqrt(variance), math.sqrt(variance / len(exact))


def units(clusters: Clusters, weighting: str) -> list[tuple[Fraction, int]]:
    """What each cluster adds to the mean's numerator and denominator."""
    sums = [(sum(map(Fraction, cluster), Fraction(0)), len(cluster)) for cluster in clusters]
    return [(total / n, 1) for total, n in sums] if weighting == "cluster" else sums


def clustered(clusters: Clusters, weighting: str, variance: str) -> tuple[Fraction, float]:
    """Mean, and its standard error over clusters."""
    parts = units(clusters, weighting)
    size, count = sum(n for _, n in parts), len(parts)
    mean = sum((total for total, _ in parts), Fraction(0)) / size
    squares = Fraction(0)
    for total, n in parts:
        square = (total - mean * n) ** 2
        if variance == "cr1":
            square *= Fraction(count, count - 1)
        if variance == "cr2":
            square /= 1 - Fraction(n, size)
        squares += square
    return mean, math.sqrt(squares) / size


def limits(clusters: Clusters, weighting: str, tail: float, *, skewed: bool) -> tuple[float, float]:
    """Student's t about the mean, and further on the side of the long tail."""
    parts = units(clusters, weighting)
    size = sum(n for _, n in parts)
    mean, error = clustered(clusters, weighting, "cr2")
    equal = float(Fraction(size**2, sum(n * n for _, n in parts)))
    t = student_quantile(tail, max(equal - 1, 1.0))
    residuals = [total - mean * n for total, n in parts]
    third = float(sum(r**3 for r in residuals))
    second = float(sum(r**2 for r in residuals))
    z = NormalDist().inv_cdf(1 - tail)
    edgeworth = third / second**1.5 * (2 * z * z + 1) / 6
    further = edgeworth * (1 + 56 / max(equal, 8.0)) if skewed else 0.0
    down, up = t + max(0.0, -further), t + max(0.0, further)
    return float(mean) - down * error, float(mean) + up * error
