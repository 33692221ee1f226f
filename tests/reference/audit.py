"""Printed figures by complete enumeration in fractions."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction

Prints = Callable[[Fraction | float], bool]
Table = tuple[int, ...]
HALF = Fraction(1, 2)


# --- rounding


def printed(value: Fraction | float, digits: int, rounding: str) -> Fraction:
    """Round to so many decimals, halves by the rule."""
    scaled = Fraction(value) * 10**digits
    whole, rest = divmod(abs(scaled), 1)
    up = rest > HALF or (rest == HALF and (rounding == "half-up" or whole % 2 == 1))
    rounded = (whole + up) / Fraction(10) ** digits
    return rounded if scaled >= 0 else -rounded


def prints(text: str, rounding: str, scale: int = 1) -> Prints:
    """Return whether a value prints as a plain decimal such as -0.50, times 100 in percent."""
    _, _, places = text.partition(".")

    def test(value: Fraction | float) -> bool:
        rules = ["half-up", "half-even"] if rounding == "either" else [rounding]
        scaled = Fraction(value) * scale
        if any(printed(scaled, len(places), rule) == Fraction(text) for rule in rules):
            return True
        # A half may have gone down even where it is odd: doubles lie on either side of it.
        edge = abs(abs(scaled - Fraction(text)) * 10 ** len(places) - HALF)
        return rounding == "either" and (edge == 0 or (isinstance(value, float) and edge < 1e-12))

    return test


# --- tests


def mcnemar(method: str, b: int, c: int) -> Fraction | float:
    """Two-sided p of discordant counts."""
    n, less = b + c, min(b, c)
    if n == 0:
        return Fraction(1)
    if method == "mcnemar-asymptotic":
        return math.erfc(math.sqrt((b - c) ** 2 / n / 2))
    if method == "mcnemar-continuity":
        return math.erfc(math.sqrt(max(abs(b - c) - 1, 0) ** 2 / n / 2))
    below = sum(math.comb(n, i) for i in range(less))
    point = math.comb(n, less)
    if method == "mcnemar-mid-p":
        return Fraction(2 * below + point, 2**n)
    return min(Fraction(2 * (below + point), 2**n), Fraction(1))


def two_arms(method: str, n: int, m: int, k: int, j: int) -> Fraction | float:
    """Two-sided p of k of n against j of m."""
    if method == "fisher-exact":
        ways = {
            x: math.comb(n, x) * math.comb(m, k + j - x)
            for x in range(max(0, k + j - m), min(n, k + j) + 1)
        }
        return Fraction(sum(w for w in ways.values() if w <= ways[k]), math.comb(n + m, k + j))
    if k + j in (0, n + m):
        return Fraction(1)
    pooled = Fraction(k + j, n + m)
    gap = abs(Fraction(k, n) - Fraction(j, m))
    if method == "chi-square-corrected":
        gap = max(gap - HALF * (Fraction(1, n) + Fraction(1, m)), Fraction(0))
    square = gap**2 / (pooled * (1 - pooled) * (Fraction(1, n) + Fraction(1, m)))
    return math.erfc(math.sqrt(square / 2))


# --- all tables


def discordant(n: int) -> Iterator[tuple[int, int, int, int]]:
    """Paired fourfold tables as treatment and baseline successes, then discordant counts."""
    for b, c in itertools.product(range(n + 1), repeat=2):
        for both in range(n - b - c + 1):
            yield both + b, both + c, b, c


def kappas(n: int, agreed: int | None) -> Iterator[tuple[Table, Fraction]]:
    """Fourfold tables of two raters, and kappa where it is defined."""
    for a, b, c in itertools.product(range(n + 1), repeat=3):
        d = n - a - b - c
        if d < 0 or (agreed is not None and a + d != agreed):
            continue
        chance = Fraction((a + b) * (a + c) + (c + d) * (b + d), n * n)
        if chance < 1:
            yield (a, b, c, d), (Fraction(a + d, n) - chance) / (1 - chance)


def means(n: int, least: int, most: int) -> Iterator[tuple[Counter[int], int, int]]:
    """All multisets of n scores, with their sum and n times the sum of squared deviations."""
    for scores in itertools.combinations_with_replacement(range(least, most + 1), n):
        total = sum(scores)
        yield Counter(scores), total, n * sum(score * score for score in scores) - total**2


def root_prints(value: Fraction, text: str, rounding: str) -> bool:
    """Whether the root of a fraction prints as a plain decimal, in whole numbers."""
    _, _, places = text.partition(".")
    unit = Fraction(1, 10 ** len(places))
    middle = Fraction(text)
    low, high = max(middle - unit / 2, Fraction(0)) ** 2, (middle + unit / 2) ** 2
    even = (middle / unit) % 2 == 0
    on_low = rounding in ("either", "half-up") or even or middle == 0
    on_high = rounding == "either" or (rounding == "half-even" and even)
    return low < value < high or (value == low and on_low) or (value == high and on_high)
