"""Verdicts, plans, bets and rules, one row at a time and without any short way."""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import scipy.stats
from scipy.special import betaln, stdtrit

from reference import paired, stats

Row = Mapping[str, Any]


# --- equivalence


def verdict(alternative: str, least: float, most: float, low: Any, high: Any) -> str:
    """Whether all of the interval is where the claim holds, or none of it."""
    if low is None:
        return "INCONCLUSIVE"
    holds, fails = {
        "equivalence": (least < low and high < most, high <= least or low >= most),
        "non-inferiority": (low > least, high <= least),
        "superiority": (low > most, high <= most),
    }[alternative]
    return "PASS" if holds else "FAIL" if fails else "INCONCLUSIVE"


def constant_limits(
    value: float, units: int, alpha: float, bounds: tuple[float, float]
) -> tuple[float, float]:
    """Limits where all units show one value: at worst a share of others lies at a bound."""
    other = 1 - alpha ** (1 / units)
    return value + other * (bounds[0] - value), value + other * (bounds[1] - value)


def score_limits(
    clusters: Sequence[stats.PairCounts], clustered: bool, tail: float
) -> tuple[tuple[float, float | None], str]:
    """Tango's limits, with clusters of the pairs that they are worth."""
    n, treatment, baseline, first_only = (sum(part) for part in zip(*clusters, strict=True))
    second_only = baseline - treatment + first_only
    if not clustered:
        table = (0, first_only, second_only, n - first_only - second_only)
        return paired.tango(table, tail), "tango"
    differences = [(t - b, c) for c, t, b, _ in clusters]
    each = Fraction(first_only + second_only, n) - Fraction(first_only - second_only, n) ** 2
    t = stats.student_quantile(tail, stats.degrees_of(differences))
    kinds = [(up, b - t + up, n - b + t - 2 * up) for n, t, b, up in clusters]
    scale = (
        float(stats.worth(differences, each, kinds, Fraction(7, 10), speaks_for=4))
        * (stats.normal_quantile(tail) / t) ** 2
        / n
    )
    some = (0.0, first_only * scale, second_only * scale)
    return paired.tango((*some, n * scale - sum(some)), tail), "tango-effective"


def equivalence(
    rows: Sequence[Row],
    outcome: str,
    *,
    margins: tuple[float, float],
    alternative: str,
    alpha: float,
    **design: Any,
) -> list[dict[str, Any]]:
    """What `reclaimstats.equivalence` says beyond `compare`."""
    results = []
    level = round(1 - 2 * alpha, 12)
    if design.get("method", "auto") == "auto":
        design["method"] = score_limits
    for row in stats.compare(rows, outcome, confidence_level=level, **design):
        units = row["n_clusters"] if design.get("cluster") else row["n_pairs"]
        error = row["standard_error_clustered" if design.get("cluster") else "standard_error"]
        low, high, method = row["low"], row["high"], row["method"]
        if (units == 1 and not design.get("cluster")) or error == 0.0:
            low, high = constant_limits(row["difference"], units, alpha, (-1.0, 1.0))
            method = "constant-exact"
        found = verdict(alternative, *margins, low, high)
        results.append({"low": low, "high": high, "method": method, "verdict": found})
    return results


def tost(
    clusters: Sequence[Sequence[float]], margins: tuple[float, float], alpha: float
) -> dict[str, float]:
    """Two one-sided t tests of the mean of clusters of differences, exact up to the t."""
    exact = [[Fraction(d) for d in cluster] for cluster in clusters]
    n = sum(map(len, exact))
    mean = sum((d for cluster in exact for d in cluster), Fraction(0)) / n
    variance = sum(
        (
            (sum(cluster) - mean * len(cluster)) ** 2 / (1 - Fraction(len(cluster), n))
            for cluster in exact
        ),
        Fraction(0),
    ) / (n * n)
    degrees = max(float(Fraction(n * n, sum(len(c) ** 2 for c in exact)) - 1), 1.0)
    error = math.sqrt(variance)
    half = -float(stdtrit(degrees, alpha)) * error
    sides = (float(mean) - margins[0]) / error, (margins[1] - float(mean)) / error
    return {
        "estimate": float(mean),
        "standard_error": error,
        "degrees": degrees,
        "low": float(mean) - half,
        "high": float(mean) + half,
        "log_pvalue_low": float(scipy.stats.t.logsf(sides[0], degrees)),
        "log_pvalue_high": float(scipy.stats.t.logsf(sides[1], degrees)),
    }


def student_ln_upper(t: float, degrees: float) -> float:
    """Logarithm of P(T > t) by the hypergeometric series of the incomplete beta function."""
    a, b, x = degrees / 2, 0.5, degrees / (degrees + t * t)
    term = series = 1.0
    k = 0
    while term > series * 1e-17:
        term *= (a + b + k) / (a + 1 + k) * x
        series += term
        k += 1
    ln_kernel = a * math.log(x) + b * math.log1p(-x) - float(betaln(a, b))
    return ln_kernel + math.log(series / (2 * a))


# --- planning


def mcnemar_power(
    n: int, treatment_only: Fraction, baseline_only: Fraction, alpha: Fraction, alternative: str
) -> Fraction:
    """Chance of all tables that the exact test rejects, each by its multinomial probability."""
    same = 1 - treatment_only - baseline_only
    power = Fraction(0)
    for b in range(n + 1):
        for c in range(n - b + 1):
            tails = {
                "two-sided": stats.sign_test(b, c),
                "greater": Fraction(sum(math.comb(b + c, i) for i in range(c + 1)), 2 ** (b + c)),
                "less": Fraction(sum(math.comb(b + c, i) for i in range(b + 1)), 2 ** (b + c)),
            }
            if tails[alternative] <= alpha:
                ways = math.comb(n, b) * math.comb(n - b, c)
                power += ways * treatment_only**b * baseline_only**c * same ** (n - b - c)
    return power


def t_power(effect: float, error: float, degrees: float, alpha: float, alternative: str) -> float:
    """Tail of SciPy's noncentral t beyond the critical value."""
    tail = alpha / 2 if alternative == "two-sided" else alpha
    critical = -float(stdtrit(degrees, tail))
    shift = effect / error * (-1 if alternative == "less" else 1)
    power = float(scipy.stats.nct.sf(critical, degrees, shift))
    if alternative == "two-sided":
        power += float(scipy.stats.nct.sf(critical, degrees, -shift))
    return power


def pilot(clusters: Sequence[Sequence[int]]) -> dict[str, float | None]:
    """Discordance, correlation by analysis of variance and size of clusters of differences."""
    n, k = sum(map(len, clusters)), len(clusters)
    every = [d for cluster in clusters for d in cluster]
    icc = None
    if 1 < k < n:
        mean = Fraction(sum(every), n)
        between = sum(
            (len(c) * (Fraction(sum(c), len(c)) - mean) ** 2 for c in clusters), Fraction(0)
        ) / (k - 1)
        within = sum(
            ((d - Fraction(sum(c), len(c))) ** 2 for c in clusters for d in c), Fraction(0)
        ) / (n - k)
        size = (n - Fraction(sum(len(c) ** 2 for c in clusters), n)) / (k - 1)
        whole = between + (size - 1) * within
        icc = (
            float(min(max((between - within) / whole, Fraction(0)), Fraction(1))) if whole else 0.0
        )
    return {
        "discordance": sum(map(abs, every)) / n,
        "icc": icc,
        "cluster_size": sum(len(c) ** 2 for c in clusters) / n,
    }


# --- evidence


def e_value(positive: int, negative: int, alternative: str) -> Fraction:
    """Mean over biases of the coin of their likelihood over that of a fair one, term by term."""
    if alternative == "less":
        return e_value(negative, positive, "greater")
    start = Fraction(1, 2) if alternative == "greater" else Fraction(0)
    # The integral of x^s (1 - x)^f from the start to 1, by multiplying (1 - x)^f out.
    integral = sum(
        (
            (-1) ** i
            * math.comb(negative, i)
            * (1 - start ** (positive + i + 1))
            / (positive + i + 1)
            for i in range(negative + 1)
        ),
        Fraction(0),
    )
    return integral * 2 ** (positive + negative) / (1 - start)


def signs(
    rows: Sequence[Row],
    outcome: str,
    *,
    baseline: Any,
    treatment: Any,
    order_by: str,
    cluster: Sequence[str] = (),
) -> list[tuple[Any, int]]:
    """Place in the order and difference of each pair, or cluster, of one cell."""
    units: dict[Any, tuple[Any, int]] = {}
    for row in rows:
        for other in rows:
            keys = (row["item"], row["repeat"]) == (other["item"], other["repeat"])
            arms = (row["arm"], other["arm"]) == (treatment, baseline)
            if not (keys and arms) or stats.missing(row[outcome]) or stats.missing(other[outcome]):
                continue
            unit = tuple(row[c] for c in cluster) if cluster else (row["item"], row["repeat"])
            place, difference = units.get(unit, (row[order_by], 0))
            place = max(place, row[order_by], other[order_by])
            units[unit] = (place, difference + int(row[outcome]) - int(other[outcome]))
    return sorted(units.values())


def ever_reaches(n: int, fortune: float, alternative: str) -> Fraction:
    """Chance that the fortune reaches a height within n fair signs, by all paths."""
    ways = {0: 1}
    reached = Fraction(0)
    for flips in range(1, n + 1):
        following: dict[int, int] = {}
        for positive, count in ways.items():
            for added in (0, 1):
                following[positive + added] = following.get(positive + added, 0) + count
        for positive in list(following):
            if float(e_value(positive, flips - positive, alternative)) >= fortune:
                reached += Fraction(following.pop(positive), 2**flips)
        ways = following
    return reached


# --- rules


def decide(row: Row, rule: Mapping[str, Any]) -> tuple[str, list[str]]:
    """Decision on one row and the names of the clauses that do not hold."""
    failed: list[str] = []
    unknown = False

    def judge(name: str, holds: Any, *, data: bool = False) -> None:
        nonlocal unknown
        if holds is None or not holds:
            failed.append(name)
            unknown = unknown or data or holds is None

    for name, columns in (("n", ("n", "n_pairs")), ("n_clusters", ("n_clusters",))):
        if rule.get(name):
            value = next(row[c] for c in columns if c in row)
            judge(name, value is not None and value >= rule[name], data=True)
    if rule.get("test"):
        value = row[rule["test"]]
        if isinstance(value, str):
            judge("test", None if value == "INCONCLUSIVE" else value == "PASS")
        else:
            judge("test", None if value is None else value <= rule.get("alpha", 0.05))
    value = row[rule.get("size", "difference")]
    direction = rule.get("direction", "either")
    if value is not None:
        value = {"up": value, "down": -value, "either": abs(value)}[direction]
    if rule.get("least") is not None:
        judge("least", None if value is None else value >= rule["least"])
    elif direction != "either":
        judge("least", None if value is None else value > 0)
    if rule.get("most") is not None:
        judge("most", None if value is None else value <= rule["most"])
    decision = "INCONCLUSIVE" if unknown else "FAIL" if failed else "PASS"
    return decision, failed


def simulated_pairs(
    rng: np.random.Generator, studies: int, clusters: int, size: int, shares: Sequence[float]
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Draw differences of pairs, by study, cluster and pair.

    Each is with chance `shares[2]` that of the cluster, else its own, and either is 1 with
    `shares[0]` and -1 with `shares[1]`. The correlation of two pairs of a cluster is then
    `shares[2]` squared.
    """
    plus, minus, tied = shares
    shape = (studies, clusters, size)

    def draw(shape: tuple[int, ...]) -> np.ndarray[Any, np.dtype[np.int64]]:
        u = rng.random(shape)
        return (u < plus).astype(np.int64) - ((u >= plus) & (u < plus + minus))

    common = np.broadcast_to(draw((studies, clusters, 1)), shape)
    return np.where(rng.random(shape) < tied, common, draw(shape))
