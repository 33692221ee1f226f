"""Permutation and rank tests by going through every arrangement, in exact fractions."""

import itertools
from collections.abc import Callable, Sequence
from fractions import Fraction

Scores = Sequence[Fraction]
Stratum = tuple[Scores, Scores]


def evidence(alternative: str, observed: Fraction) -> Callable[[Fraction], bool]:
    """Whether a statistic, measured from its mean, is evidence as strong as the observed one."""
    return {
        "two-sided": lambda value: abs(value) >= abs(observed),
        "greater": lambda value: value >= observed,
        "less": lambda value: value <= observed,
    }[alternative]


def shuffle(strata: Sequence[Stratum], alternative: str) -> Fraction:
    """Share of all ways to put labels on scores, within strata, that are evidence."""
    observed, sums = Fraction(0), [Fraction(0)]
    for first, second in strata:
        pooled, size = [*first, *second], len(first)
        middle = Fraction(sum(pooled) * size, len(pooled)) if pooled else Fraction(0)
        observed += sum(first) - middle
        own = [sum(split) - middle for split in itertools.combinations(pooled, size)]
        sums = [a + b for a, b in itertools.product(sums, own)]
    return Fraction(sum(map(evidence(alternative, observed), sums)), len(sums))


def flip(differences: Scores, alternative: str) -> Fraction:
    """Share of all choices of signs that are evidence."""
    signs = itertools.product((1, -1), repeat=len(differences))
    sums = [
        sum((s * d for s, d in zip(sign, differences, strict=True)), Fraction(0)) for sign in signs
    ]
    return Fraction(sum(map(evidence(alternative, sum(differences, Fraction(0))), sums)), len(sums))


def ranks(values: Scores) -> list[Fraction]:
    """Mean of the places that values equal to each take in order."""
    return [
        Fraction(2 * sum(other < value for other in values) + values.count(value) + 1, 2)
        for value in values
    ]


def signed_ranks(differences: Scores, zeros: str) -> list[Fraction]:
    kept = [d for d in differences if d or zeros == "pratt"]
    both = zip(kept, ranks([abs(d) for d in kept]), strict=True)
    return [rank if d > 0 else -rank for d, rank in both if d]
