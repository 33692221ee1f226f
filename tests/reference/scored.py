"""Arms compared by their mean scores, from definitions, in exact fractions."""

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from scipy.special import ndtri

from reference import means, permutation
from reference.stats import sign_test, student_quantile, student_upper

Pair = tuple[Fraction, Fraction]


def moments(differences: Sequence[Fraction]) -> tuple[Fraction, float | None]:
    """Mean and standard deviation, with n - 1."""
    mean = sum(differences, Fraction(0)) / len(differences)
    if len(differences) == 1:
        return mean, None
    squares = sum(((d - mean) ** 2 for d in differences), Fraction(0))
    return mean, math.sqrt(squares / (len(differences) - 1))


def pearson(pairs: Sequence[Pair]) -> float | None:
    middle = [sum(arm, Fraction(0)) / len(pairs) for arm in zip(*pairs, strict=True)]
    rest = [(a - middle[0], b - middle[1]) for a, b in pairs]
    squares = [sum((x * x for x in arm), Fraction(0)) for arm in zip(*rest, strict=True)]
    if not all(squares):
        return None
    return float(sum(a * b for a, b in rest)) / math.sqrt(squares[0] * squares[1])


def signs(differences: Sequence[Fraction]) -> tuple[int, int, int]:
    positive, negative = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    return positive, negative, len(differences) - positive - negative


def paired(
    clusters: Sequence[Sequence[Pair]], *, clustered: bool, tail: float, skewed: bool
) -> dict[str, Any]:
    """The columns of a row of `compare_means` that do not depend on draws."""
    pairs = [pair for cluster in clusters for pair in cluster]
    groups = [cluster for cluster in clusters if cluster] if clustered else [[p] for p in pairs]
    names = ["treatment", "baseline", "difference", "low", "high", "sd", "correlation"]
    names += ["standard_error", "standard_error_clustered", "detectable"]
    row: dict[str, Any] = dict.fromkeys([*names, "cohen_dz", "design_effect"])
    row |= dict.fromkeys(["wilcoxon_p", "sign_p", "permutation_p", "flip_p"])
    row |= {"n_pairs": len(pairs), "n_clusters": len(groups) if clustered else None}
    differences = [a - b for a, b in pairs]
    sums = [sum((a - b for a, b in group), Fraction(0)) for group in groups]
    for unit, values in (("pairs", differences), ("clusters", sums if clustered else None)):
        for sign, count in zip(
            ("positive", "negative", "tied"),
            (None,) * 3 if values is None else signs(values),
            strict=True,
        ):
            row[f"{unit}_{sign}"] = count
    if not pairs:
        return row
    mean, sd = moments(differences)
    row["treatment"] = sum((a for a, _ in pairs), Fraction(0)) / len(pairs)
    row["baseline"] = sum((b for _, b in pairs), Fraction(0)) / len(pairs)
    row |= {"difference": mean, "sd": sd, "correlation": pearson(pairs)}
    error = None
    if sd is not None:
        error = row["standard_error"] = sd / math.sqrt(len(pairs))
        row["cohen_dz"] = float(mean) / sd if sd else None
    scores = [[a - b for a, b in group] for group in groups]
    if len(groups) > 1:
        own = means.clustered(scores, "trial", "cr2")[1]
        if clustered:
            row["standard_error_clustered"] = own
            row["design_effect"] = (own / error) ** 2 if error else None
        if own:
            row["low"], row["high"] = means.limits(scores, "trial", tail, skewed=skewed)
            z = -ndtri(tail) + ndtri(0.8)
            row["detectable"] = z * (own if clustered else error)
    row["sign_p"] = sign_test(*signs(sums)[:2])
    row["flip_p"] = permutation.flip(sums, "two-sided")
    row["wilcoxon_p"] = permutation.flip(
        permutation.signed_ranks(differences, "wilcox"), "two-sided"
    )
    if clustered:
        strata = [([a for a, _ in group], [b for _, b in group]) for group in groups]
        row["permutation_p"] = permutation.shuffle(strata, "two-sided")
    return row


# --- independent groups

Clusters = Sequence[Sequence[Fraction]]


def arm(clusters: Clusters, *, clustered: bool) -> dict[str, Any]:
    """Mean, spread, skewness, errors and degrees of freedom of one arm."""
    parts = [cluster for cluster in clusters if cluster]
    scores = [score for cluster in parts for score in cluster]
    units = parts if clustered else [[score] for score in scores]
    mean, sd = moments(scores)
    found: dict[str, Any] = {"mean": mean, "sd": sd, "error": None, "own": None}
    found["plain"] = None if sd is None else sd / math.sqrt(len(scores))
    found["skewness"] = 0.0
    if len(units) > 1:
        found["own"] = means.clustered(units, "trial", "cr2")[1]
        total, squares = len(scores), sum(len(unit) ** 2 for unit in units)
        found["degrees"] = max(total**2 / squares - 1, 1.0)
        if found["own"]:
            rest = [sum(unit, Fraction(0)) - len(unit) * mean for unit in units]
            squares = float(sum(r**2 for r in rest))
            found["skewness"] = float(sum(r**3 for r in rest)) / squares**1.5
    return found


def pooled(clusters: Clusters) -> list[Fraction]:
    return [score for cluster in clusters for score in cluster]


def rank_sum(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    ranks = permutation.ranks([*first, *second])
    return permutation.shuffle([(ranks[: len(first)], ranks[len(first) :])], "two-sided")


def unpaired(
    treatment: Clusters, baseline: Clusters, *, clustered: bool, tail: float, welch: bool
) -> dict[str, Any]:
    """The columns of a row of `compare_means_unpaired`; both arms have scores."""
    arms = [arm(one, clustered=clustered) for one in (treatment, baseline)]
    all_of = [pooled(one) for one in (treatment, baseline)]
    difference = arms[0]["mean"] - arms[1]["mean"]
    row: dict[str, Any] = {
        "treatment": arms[0]["mean"],
        "baseline": arms[1]["mean"],
        "difference": difference,
        "sd_treatment": arms[0]["sd"],
        "sd_baseline": arms[1]["sd"],
        **dict.fromkeys(["low", "high", "standard_error", "standard_error_clustered"]),
        **dict.fromkeys(["detectable", "welch_p", "permutation_p"]),
        "mann_whitney_p": rank_sum(*all_of),
    }
    if all(one["plain"] is not None for one in arms):
        row["standard_error"] = math.hypot(*(one["plain"] for one in arms))
    if all(one["own"] is not None for one in arms):
        errors = [one["own"] for one in arms]
        error = math.hypot(*errors)
        if clustered:
            row["standard_error_clustered"] = error
        if error:
            row["detectable"] = (ndtri(0.8) - ndtri(tail)) * error
            degrees = error**4 / sum(
                e**4 / one["degrees"] for e, one in zip(errors, arms, strict=True)
            )
            row["welch_p"] = 2 * student_upper(abs(float(difference)) / error, degrees)
            t, more = student_quantile(tail, degrees), 0.0
            if not welch:
                parts = [
                    one["skewness"] * (e / error) ** 3 * (1 + 56 / max(one["degrees"] + 1, 8))
                    for one, e in zip(arms, errors, strict=True)
                ]
                more = (parts[0] - parts[1]) * (2 * ndtri(tail) ** 2 + 1) / 6
            row["low"] = float(difference) - (t + max(-more, 0.0)) * error
            row["high"] = float(difference) + (t + max(more, 0.0)) * error
    if not clustered:
        row["permutation_p"] = permutation.shuffle([(all_of[0], all_of[1])], "two-sided")
        return row
    groups = [[cluster for cluster in one if cluster] for one in (treatment, baseline)]
    mean = sum(all_of[0] + all_of[1], Fraction(0)) / (len(all_of[0]) + len(all_of[1]))
    above_mean = [[sum(c, Fraction(0)) - len(c) * mean for c in one] for one in groups]
    row["permutation_p"] = permutation.shuffle([(above_mean[0], above_mean[1])], "two-sided")
    return row
