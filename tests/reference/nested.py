"""The nested bootstrap, counted: every way to draw clusters, then parts of each, then scores.

A part is a list of parts, or a list of scores. Nothing is drawn: the distribution of a resample's
sum and size is convolved from those of its draws, in fractions.
"""

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

Ways = Mapping[tuple[Fraction, Fraction], Fraction]


def added(first: Ways, second: Ways) -> Ways:
    """Chances of sums of what two independent draws hold."""
    ways: dict[tuple[Fraction, Fraction], Fraction] = defaultdict(Fraction)
    for (sum_a, size_a), a in first.items():
        for (sum_b, size_b), b in second.items():
            ways[sum_a + sum_b, size_a + size_b] += a * b
    return ways


def ways_of(part: Any) -> Ways:
    """Chances of the sum and size of what a part's draw holds."""
    one: dict[tuple[Fraction, Fraction], Fraction] = defaultdict(Fraction)
    for inner in part:
        drawn = ways_of(inner) if isinstance(inner, list) else {(Fraction(inner), Fraction(1)): 1}
        for held, chance in drawn.items():
            one[held] += Fraction(chance) / len(part)
    return times(one, len(part))


def times(one: Ways, count: int) -> Ways:
    """Chances of sums of so many draws."""
    ways: Ways = {(Fraction(0), Fraction(0)): Fraction(1)}
    for _ in range(count):
        ways = added(ways, one)
    return ways


def means(clusters: list[Any], *, balanced: bool) -> dict[Fraction, Fraction]:
    """Chances of a resample's mean, by ascending mean."""
    one: dict[tuple[Fraction, Fraction], Fraction] = defaultdict(Fraction)
    for cluster in clusters:
        for (total, size), chance in ways_of(cluster).items():
            held = (total / size, Fraction(1)) if balanced else (total, size)
            one[held] += chance / len(clusters)
    found: dict[Fraction, Fraction] = defaultdict(Fraction)
    for (total, size), chance in times(one, len(clusters)).items():
        found[total / size] += chance
    return dict(sorted(found.items()))


def filled(part: Any) -> Any:
    """A part without what holds no score, None if that is all."""
    if not isinstance(part, list):
        return part
    inner = [kept for kept in map(filled, part) if kept is not None]
    return inner or None
