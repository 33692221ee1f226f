"""Bootstrap intervals of a ratio from the whole distribution, in whole numbers over whole numbers.

A cluster is (sum, size). Quantiles whose probability hangs on the last digits of a normal
distribution function come as the two values they may be.
"""

import bisect
import itertools
import math
from collections.abc import Sequence
from fractions import Fraction
from statistics import NormalDist

from reference.stats import resample_ways

Cluster = tuple[int, int]
Law = list[tuple[Fraction, Fraction]]
NORMAL = NormalDist()
NEAR = 1e-9


def law(clusters: Sequence[Cluster]) -> Law:
    """Every ratio of a resample, in order, with its probability."""
    base = len(clusters) * max(size for _, size in clusters) + 1
    ways = resample_ways([total * base + size for total, size in clusters])
    ratios: dict[Fraction, int] = {}
    for pair, count in ways.items():
        ratio = Fraction(*divmod(pair, base))
        ratios[ratio] = ratios.get(ratio, 0) + count
    all_ways = sum(ways.values())
    return [(ratio, Fraction(ratios[ratio], all_ways)) for ratio in sorted(ratios)]


def alike(clusters: Sequence[Cluster]) -> list[Cluster]:
    """The same clusters cut so finely that all are of one size."""
    size = math.lcm(*(size for _, size in clusters))
    return [(total * (size // own), size) for total, own in clusters]


def estimate(clusters: Sequence[Cluster]) -> Fraction:
    return Fraction(sum(total for total, _ in clusters), sum(size for _, size in clusters))


def quantiles(law: Law, tail: float) -> tuple[float, float]:
    """The smallest value reached with that probability, and the next one if it is as near."""
    below = list(itertools.accumulate(probability for _, probability in law))

    def reached(probability: float) -> float:
        place = bisect.bisect_left(below, Fraction(probability))
        return float(law[min(place, len(law) - 1)][0])

    return reached(tail * (1 - NEAR)), reached(tail * (1 + NEAR))


def mirrored(law: Law) -> Law:
    return [(-ratio, probability) for ratio, probability in reversed(law)]


def percentile(clusters: Sequence[Cluster], tail: float) -> list[tuple[float, float]]:
    """Both limits, each as the two values that it may be."""
    ratios = law(clusters)
    least, most = quantiles(mirrored(ratios), tail)
    return [quantiles(ratios, tail), (-most, -least)]


def basic(clusters: Sequence[Cluster], tail: float) -> list[tuple[float, float]]:
    twice = 2 * float(estimate(clusters))
    low, high = percentile(clusters, tail)
    return [(twice - high[1], twice - high[0]), (twice - low[1], twice - low[0])]


def bca(clusters: Sequence[Cluster], tail: float) -> list[tuple[float, float]] | None:
    """Efron's, with the jackknife spelt out. Nothing past the pole of its transformation."""
    ratios, middle = law(clusters), estimate(clusters)
    share = sum((p if r < middle else p / 2 for r, p in ratios if r <= middle), Fraction(0))
    without = [estimate([*clusters[:i], *clusters[i + 1 :]]) for i in range(len(clusters))]
    mean = sum(without) / len(without)
    squares, cubes = (float(sum((mean - x) ** power for x in without)) for power in (2, 3))
    acceleration = cubes / (6 * squares**1.5) if squares else 0.0
    bias = NORMAL.inv_cdf(float(share))
    tails = []
    for z in (NORMAL.inv_cdf(tail), -NORMAL.inv_cdf(tail)):
        if acceleration * (bias + z) >= 1:
            return None
        tails.append(NORMAL.cdf(bias + (bias + z) / (1 - acceleration * (bias + z))))
    least, most = quantiles(mirrored(ratios), 1 - tails[1])
    return [quantiles(ratios, tails[0]), (-most, -least)]


def studentized(hits: int, n: int, tail: float) -> list[tuple[float, float]] | None:
    """Bootstrap-t of independent trials. Nothing where a limit has no end."""
    p = hits / n
    error = math.sqrt(p * (1 - p) / (n - 1))
    scores: Law = []
    for x in range(n + 1):
        drawn = x / n
        own = math.sqrt(drawn * (1 - drawn) / (n - 1))
        score = (drawn - p) / own if own else math.copysign(10**9, drawn - p)
        ways = math.comb(n, x) * hits**x * (n - hits) ** (n - x)
        scores.append((Fraction(score), Fraction(ways, n**n)))
    scores.sort()
    low, high = quantiles(scores, tail), quantiles(mirrored(scores), tail)
    if max(map(abs, low + high)) >= 10**9:
        return None
    return [(p + high[0] * error, p + high[1] * error), (p - low[1] * error, p - low[0] * error)]


def saddlepoint(scores: Sequence[float], probability: float) -> float:
    """Lugannani and Rice's quantile of a resampled mean, both roots by halving."""
    n, mean = len(scores), math.fsum(scores) / len(scores)

    def below(shift: float) -> float:
        values = [score - mean - shift for score in scores]

        def tilted(t: float, power: int) -> float:
            return math.fsum(y**power * math.exp(t * y) for y in values) / n

        low, high = -700 / max(map(abs, values)), 700 / max(map(abs, values))
        for _ in range(200):
            t = (low + high) / 2
            low, high = (low, t) if tilted(t, 1) > 0 else (t, high)
        w = math.copysign(math.sqrt(-2 * n * math.log(tilted(t, 0))), t)
        u = t * math.sqrt(n * tilted(t, 2) / tilted(t, 0))
        return NORMAL.cdf(w) + NORMAL.pdf(w) * (1 / w - 1 / u)

    error = math.sqrt(math.fsum((score - mean) ** 2 for score in scores)) / n
    start = NORMAL.inv_cdf(probability) * error
    low, high = start - error / 2, start + error / 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < probability else (low, middle)
    return mean + low
