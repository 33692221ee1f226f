"""Detection and ranking, one comparison at a time, in fractions."""

import math
from collections.abc import Hashable, Sequence
from fractions import Fraction

from reference.agreement import score_limits
from reference.stats import Limits, normal_quantile, student_quantile, tail_of, wilson

# Whether it is positive and what was said, of one trial.
Trial = tuple[bool, bool]
Scored = tuple[bool, float]


def ratio(numerator: int, denominator: int) -> Fraction | None:
    return Fraction(numerator, denominator) if denominator else None


def metric(trials: Sequence[Trial], name: str) -> tuple[int, Fraction | None]:
    """How many trials count for a metric, and its value."""
    tp = sum(label and said for label, said in trials)
    fn = sum(label and not said for label, said in trials)
    fp = sum(not label and said for label, said in trials)
    tn = len(trials) - tp - fn - fp
    rates = {
        "sensitivity": (tp, tp + fn),
        "specificity": (tn, tn + fp),
        "precision": (tp, tp + fp),
        "negative_predictive_value": (tn, tn + fn),
        "accuracy": (tp + tn, len(trials)),
        "prevalence": (tp + fn, len(trials)),
    }
    if name in rates:
        return rates[name][1], ratio(*rates[name])
    if name == "f1":
        # The harmonic mean of precision and sensitivity, nothing found being no precision.
        return tp + fn + fp, ratio(2 * tp, 2 * tp + fn + fp)
    sides = [metric(trials, side)[1] for side in ("sensitivity", "specificity")]
    mean = None if None in sides else sum(side for side in sides if side is not None) / 2
    return len(trials), None if mean is None else Fraction(mean)


def f1_limits(
    trials: Sequence[Trial], cluster: Sequence[Hashable] | None, level: float
) -> Limits | None:
    """F1 is the sum of twos (found positives) over that of two or one for what counts."""
    counted = [
        (2 * (label and said), label + said, key)
        for (label, said), key in zip(trials, cluster or range(len(trials)), strict=True)
        if label or said
    ]
    n = sum(size for _, size, _ in counted)
    score = Fraction(sum(value for value, _, _ in counted), n)
    alone = [value - score * size for value, size, _ in counted]
    groups: dict[Hashable, tuple[Fraction, int]] = {}
    for residual, (_, size, key) in zip(alone, counted, strict=True):
        before = groups.get(key, (Fraction(0), 0))
        groups[key] = (before[0] + residual, before[1] + size)
    least = sum(residual**2 for residual in alone) / Fraction(n * n)
    return score_limits(score, list(groups.values()), least, level)


def beats(score: float, other: float) -> Fraction:
    return Fraction(1, 2) if score == other else Fraction(score > other)


def area(trials: Sequence[Scored]) -> Fraction | None:
    positives = [score for label, score in trials if label]
    negatives = [score for label, score in trials if not label]
    wins = sum(beats(p, n) for p in positives for n in negatives)
    return Fraction(wins, len(positives) * len(negatives)) if positives and negatives else None


def area_variance(
    trials: Sequence[Scored], cluster: Sequence[Hashable]
) -> tuple[Fraction, list[tuple[Fraction, Fraction]]]:
    """Variance of the area, and of each cluster what it adds and its share of its larger kind."""
    positives = [score for label, score in trials if label]
    negatives = [score for label, score in trials if not label]
    m, n = len(positives), len(negatives)
    whole = area(trials)
    assert whole is not None
    groups: dict[Hashable, list[Fraction]] = {}
    for (label, score), key in zip(trials, cluster, strict=True):
        if label:
            placed = sum((beats(score, other) for other in negatives), Fraction(0)) / n
        else:
            placed = sum((beats(other, score) for other in positives), Fraction(0)) / m
        group = groups.setdefault(key, [Fraction(0), Fraction(0), Fraction(0)])
        group[0] += (placed - whole) / (m if label else n)
        group[1 if label else 2] += Fraction(1, m if label else n)
    parts = [(residual, max(shares)) for residual, *shares in groups.values()]
    variance = sum(residual**2 / (1 - share) for residual, share in parts if share < 1)
    return Fraction(variance), parts


def area_limits(
    trials: Sequence[Scored], cluster: Sequence[Hashable], level: float
) -> dict[str, Limits | None]:
    """Limits of an area, by either method."""
    labels = [label for label, _ in trials]
    whole = area(trials)
    assert whole is not None
    variance, parts = area_variance(trials, cluster)
    if any(share == 1 for _, share in parts):
        return {"auto": None, "logit": None}

    def kish(kind: bool) -> float:
        mine = [key for label, key in zip(labels, cluster, strict=True) if label is kind]
        return len(mine) ** 2 / sum(mine.count(key) ** 2 for key in set(mine))

    def worth(m: float, n: float) -> float:
        a = float(whole or 0)
        return m * n / (1 + ((m + n) / 2 - 1) * ((1 - a) / (2 - a) + a / (1 + a)))

    tail = float(tail_of(level))
    equal = kish(True), kish(False)
    t = student_quantile(tail, max(min(equal) - 1, 1.0))
    z = normal_quantile(tail)
    binomial = float(whole * (1 - whole))
    size = worth(*equal)
    if variance and binomial:
        squared = [residual**2 for residual, _ in parts]
        speaking = float(sum(squared) ** 2 / sum(square**2 for square in squared))
        measured, most = binomial / float(variance), worth(sum(labels), len(labels) - sum(labels))
        if measured > most:
            unsure = 1 / (1 + speaking**2 / 400)
            measured = 1 / ((1 - unsure) / measured + unsure / most)
        doubt = 1 / (1 + speaking**2 / 6)
        size = 1 / ((1 - doubt) / measured + doubt / min(measured, size))
    found: dict[str, Limits | None] = {
        "auto": wilson(float(whole), size * (z / t) ** 2, z),
        "logit": None,
    }
    if 0 < whole < 1:
        centre = math.log(float(whole / (1 - whole)))
        half = t * math.sqrt(float(variance)) / binomial
        found["logit"] = (1 / (1 + math.exp(half - centre)), 1 / (1 + math.exp(-half - centre)))
    return found


def pairs(trials: Sequence[Scored], pair: Sequence[Hashable]) -> list[tuple[Hashable, Fraction]]:
    """The area within each group that has both kinds."""
    found = []
    for key in sorted(set(pair), key=str):
        inside = area([trial for trial, own in zip(trials, pair, strict=True) if own == key])
        if inside is not None:
            found.append((key, inside))
    return found
