"""Agreement of raters, from its definitions, in whole numbers and fractions.

Items are lists of ratings, positions of categories; the missing are left out. The interval is
made from what the coefficient would be if an item counted a little more: its derivative, taken
exactly, by a number that is two-dimensional.
"""

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

from reference.stats import Limits, normal_quantile, student_quantile, tail_of, wilson

Item = Sequence[int]
# How much a pair of categories disagrees, from the ratings of the whole cell.
Distance = Callable[[int, int], Fraction]
# A share of agreement, that by chance, and how the first less (1 - coefficient) times the second
# moves with the weight of each item.
Parts = tuple[Fraction, Fraction]


class Dual:
    """A number and its derivative."""

    def __init__(self, value: Fraction | int, slope: Fraction | int = 0) -> None:
        """Start from a value that moves as `slope`."""
        self.value, self.slope = Fraction(value), Fraction(slope)

    def __add__(self, other: "Dual") -> "Dual":
        """Sum rule."""
        return Dual(self.value + other.value, self.slope + other.slope)

    def __sub__(self, other: "Dual") -> "Dual":
        """Sum rule."""
        return Dual(self.value - other.value, self.slope - other.slope)

    def __mul__(self, other: "Dual") -> "Dual":
        """Product rule."""
        slope = self.slope * other.value + self.value * other.slope
        return Dual(self.value * other.value, slope)

    def __truediv__(self, other: "Dual") -> "Dual":
        """Quotient rule."""
        slope = self.slope * other.value - self.value * other.slope
        return Dual(self.value / other.value, slope / other.value**2)


def total(numbers: Sequence[Dual]) -> Dual:
    return sum(numbers, Dual(0))


def nominal(a: int, b: int) -> Fraction:
    return Fraction(a != b)


def steps(power: int, n_categories: int) -> Distance:
    """Number of steps between two categories, to a power, of the most there can be."""
    most = max(n_categories - 1, 1) ** power
    return lambda a, b: Fraction(abs(a - b) ** power, most)


def ranks(items: Sequence[Item]) -> Distance:
    """Ratings between two categories, half of their own included, squared."""
    ratings = [rating for item in items if len(item) > 1 for rating in item]

    def between(a: int, b: int) -> Fraction:
        low, high = min(a, b), max(a, b)
        inside = sum(low <= rating <= high for rating in ratings)
        ends = ratings.count(low) + ratings.count(high)
        return (inside - Fraction(ends, 2)) ** 2 if low < high else Fraction(0)

    return scaled(between, ratings)


def squares(values: Sequence[float], items: Sequence[Item]) -> Distance:
    """Difference of two values, squared."""
    ratings = [rating for item in items if len(item) > 1 for rating in item]
    return scaled(lambda a, b: (Fraction(values[a]) - Fraction(values[b])) ** 2, ratings)


def scaled(distance: Distance, ratings: Sequence[int]) -> Distance:
    most = max((distance(a, b) for a in set(ratings) for b in set(ratings)), default=Fraction(0))
    return lambda a, b: distance(a, b) / (most or 1)


# --- coefficients, of items with weights


def cohen(items: Sequence[Item], weights: Sequence[Dual], distance: Distance) -> tuple[Dual, Dual]:
    """Observed and expected agreement of two raters."""
    n = total(weights)
    observed = total([w * Dual(distance(a, b)) for (a, b), w in zip(items, weights, strict=True)])
    sides: list[dict[int, Dual]] = [{}, {}]
    for item, weight in zip(items, weights, strict=True):
        for side, rating in zip(sides, item, strict=True):
            side[rating] = side.get(rating, Dual(0)) + weight
    expected = total(
        [
            p * q * Dual(distance(a, b))
            for (a, p), (b, q) in itertools.product(sides[0].items(), sides[1].items())
        ]
    )
    return Dual(1) - observed / n, Dual(1) - expected / (n * n)


def pairwise(item: Item) -> Fraction:
    """Share of pairs of different ratings of an item that are equal."""
    pairs = list(itertools.permutations(range(len(item)), 2))
    return Fraction(sum(item[i] == item[j] for i, j in pairs), len(pairs))


def raw(items: Sequence[Item], weights: Sequence[Dual]) -> Dual:
    rated = [(item, w) for item, w in zip(items, weights, strict=True) if len(item) > 1]
    return total([w * Dual(pairwise(item)) for item, w in rated]) / total([w for _, w in rated])


def pooled(
    items: Sequence[Item], weights: Sequence[Dual], n_categories: int, *, ac1: bool
) -> tuple[Dual, Dual]:
    """Fleiss' kappa or AC1: observed agreement and that by chance."""
    n = total(weights)
    chance = Dual(0)
    for category in {rating for item in items for rating in item}:
        share = total(
            [
                w * Dual(Fraction(list(item).count(category), len(item)))
                for item, w in zip(items, weights, strict=True)
            ]
        )
        share = share / n
        chance += share * (Dual(1) - share) / Dual(n_categories - 1) if ac1 else share * share
    return raw(items, weights), chance


def krippendorff(
    items: Sequence[Item], weights: Sequence[Dual], distance: Distance
) -> tuple[Dual, Dual]:
    """One minus the disagreement within items, and one minus that of all ratings."""
    rated = [(item, w) for item, w in zip(items, weights, strict=True) if len(item) > 1]
    n = total([w * Dual(len(item)) for item, w in rated])
    within = Dual(0)
    counts: dict[int, Dual] = {}
    for item, weight in rated:
        pairs = itertools.permutations(item, 2)
        within += weight * Dual(
            sum((distance(a, b) for a, b in pairs), Fraction(0)) / (len(item) - 1)
        )
        for rating in item:
            counts[rating] = counts.get(rating, Dual(0)) + weight
    between = total(
        [
            p * q * Dual(distance(a, b))
            for (a, p), (b, q) in itertools.product(counts.items(), counts.items())
        ]
    )
    # The small correction n / (n - 1) is held: it does not hang on what was rated.
    pairs_of_all = Dual(n.value / (n.value - 1))
    return Dual(1) - within / n, Dual(1) - pairs_of_all * between / (n * n)


# --- interval


def score_limits(
    share: Fraction,
    clusters: Sequence[tuple[Fraction, int]],
    least_variance: Fraction,
    level: float,
) -> Limits | None:
    """Wilson's limits of a share on what its clusters, as (residual, size), are worth."""
    if len(clusters) < 2:
        return None
    n = sum(size for _, size in clusters)
    equal = Fraction(n * n, sum(size * size for _, size in clusters))
    squared = [residual**2 for residual, _ in clusters]
    corrected = sum(
        square / (1 - Fraction(size, n))
        for square, (_, size) in zip(squared, clusters, strict=True)
    )
    variance = corrected / (n * n)
    binomial = share * (1 - share)
    if variance == 0 or binomial == 0:
        size = equal
    else:
        measured = binomial / variance
        speaking = sum(squared) ** 2 / sum(square**2 for square in squared)
        if least_variance and variance < least_variance:
            # Sizes above that of the observed agreement alone are drawn towards it.
            unsure = 1 / (1 + speaking**2 / 400)
            measured = binomial / ((1 - unsure) * variance + unsure * least_variance)
        doubt = 1 / (1 + speaking**2 / 6)
        size = 1 / ((1 - doubt) / measured + doubt / min(measured, equal))
    z = normal_quantile(float(tail_of(level)))
    t = student_quantile(float(tail_of(level)), max(float(equal) - 1, 1.0))
    return wilson(float(share), float(size) * (z / t) ** 2, z)


def estimate(
    items: Sequence[Item],
    clusters: Sequence[Hashable] | None,
    parts: Callable[[Sequence[Dual]], tuple[Dual, Dual]],
    sizes: Sequence[int],
    level: float,
) -> dict[str, float | None] | None:
    """A coefficient and its interval, from a function of the items' weights; none by chance."""
    ones = [Dual(1)] * len(items)
    observed, chance = (part.value for part in parts(ones))
    if chance == 1:
        return None
    value = (observed - chance) / (1 - chance)
    n = sum(sizes)
    residuals, alone = [], []
    for number in range(len(items)):
        moved = [Dual(1, number == other) for other in range(len(items))]
        seen, by_chance = parts(moved)
        residuals.append((seen.slope - (1 - value) * by_chance.slope) * n)
        alone.append(seen.slope * n)
    groups: dict[Hashable, tuple[Fraction, int]] = {}
    for number, size in enumerate(sizes):
        key = number if clusters is None else clusters[number]
        if size:
            residual, before = groups.get(key, (Fraction(0), 0))
            groups[key] = (residual + residuals[number], before + size)
    least = sum(slope**2 for slope in alone) / (n * n)
    limits = score_limits(observed, list(groups.values()), least, level)
    scale = [
        None if limits is None else max(min((x - float(chance)) / (1 - float(chance)), 1.0), -1.0)
        for x in (limits or (math.nan, math.nan))
    ]
    return {
        "observed": float(observed),
        "chance": float(chance),
        "estimate": float(value),
        "low": scale[0],
        "high": scale[1],
    }


def midpoint_limits(
    trials: Sequence[tuple[int, Fraction]], clusters: Sequence[Hashable] | None, level: float
) -> Limits | None:
    """Limits of the mean of two shares, from trials as (kind, points)."""
    sizes = [sum(kind == which for kind, _ in trials) for which in (0, 1)]
    rates = [
        sum((points for kind, points in trials if kind == which), Fraction(0)) / sizes[which]
        for which in (0, 1)
    ]
    mean = sum(rates) / 2
    alone = [(points - rates[kind]) / (2 * sizes[kind]) for kind, points in trials]
    keys = list(range(len(trials))) if clusters is None else list(clusters)
    residuals, shares, squares = [], [], [0, 0]
    for key in dict.fromkeys(keys):
        inside = [number for number, own in enumerate(keys) if own == key]
        counts = [sum(trials[number][0] == which for number in inside) for which in (0, 1)]
        residuals.append(sum((alone[number] for number in inside), Fraction(0)))
        shares.append(max(Fraction(counts[which], sizes[which]) for which in (0, 1)))
        squares = [square + count**2 for square, count in zip(squares, counts, strict=True)]
    if max(shares) == 1:
        return None
    a, b = (Fraction(size**2, square) for size, square in zip(sizes, squares, strict=True))
    equal = min(4 * a * b / (a + b), Fraction(len(residuals)))
    size, binomial = equal, mean * (1 - mean)
    variance = sum(r**2 / (1 - share) for r, share in zip(residuals, shares, strict=True))
    if variance and binomial:
        least = sum(residual**2 for residual in alone)
        speaking = sum(r**2 for r in residuals) ** 2 / sum(r**4 for r in residuals)
        unsure = 1 / (1 + speaking**2 / 400) if variance < least else Fraction(0)
        measured = binomial / ((1 - unsure) * variance + unsure * least)
        doubt = 1 / (1 + speaking**2 / 6)
        size = 1 / ((1 - doubt) / measured + doubt / min(measured, equal))
    z = normal_quantile(float(tail_of(level)))
    t = student_quantile(float(tail_of(level)), max(float(min(a, b)) - 1, 1.0))
    low, high = wilson(float(mean), float(size) * (z / t) ** 2, z)
    arms = []
    for which in (0, 1):
        mine = [number for number, (kind, _) in enumerate(trials) if kind == which]
        points = [trials[number][1] for number in mine]
        own = mean_limits(points, None if clusters is None else [keys[i] for i in mine], level)
        assert own is not None
        arms.append([float(rates[which]) - own[0], own[1] - float(rates[which])])
    down, up = (math.hypot(*sides) / 2 for sides in zip(*arms, strict=True))
    return max(min(low, float(mean) - down), 0.0), min(max(high, float(mean) + up), 1.0)


def mean_limits(
    points: Sequence[Fraction], clusters: Sequence[Hashable] | None, level: float
) -> Limits | None:
    """Limits of the mean of points from 0 to 1."""
    if not points:
        return None
    whole = sum(points, Fraction(0)) / len(points)
    if clusters is None and set(points) <= {0, 1}:
        return wilson(float(whole), len(points), normal_quantile(float(tail_of(level))))
    groups: dict[Hashable, tuple[Fraction, int]] = {}
    for point, key in zip(points, clusters or range(len(points)), strict=True):
        residual, size = groups.get(key, (Fraction(0), 0))
        groups[key] = (residual + point - whole, size + 1)
    least = sum(((point - whole) ** 2 for point in points), Fraction(0)) / len(points) ** 2
    return score_limits(whole, list(groups.values()), least, level)
