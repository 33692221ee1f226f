"""Two independent groups, from definitions."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from reference import permutation, stats

Arm = Sequence[tuple[int, int]]
"""Clusters as (successes, trials)."""


def barnard(
    table: Sequence[Sequence[int]], alternative: str, rates: Sequence[float]
) -> list[float]:
    """P-values at common rates: tables by the pooled score statistic, in whole numbers."""
    (a, b), (c, d) = table
    n, m = a + b, c + d

    def score(x: int, y: int) -> Fraction:
        """The square with the sign of the statistic, but for a factor."""
        spread = (x + y) * (n + m - x - y)
        apart = x * m - y * n
        return Fraction(apart * abs(apart), spread) if spread else Fraction(0)

    counts = permutation.evidence(alternative, score(a, c))
    ways: dict[int, int] = {}
    for x, y in itertools.product(range(n + 1), range(m + 1)):
        if counts(score(x, y)):
            ways[x + y] = ways.get(x + y, 0) + math.comb(n, x) * math.comb(m, y)
    return [
        math.fsum(way * rate**k * (1 - rate) ** (n + m - k) for k, way in ways.items())
        for rate in rates
    ]


def hybrid(first: tuple[int, int], second: tuple[int, int], tail: float) -> stats.Limits:
    """Newcombe's hybrid score interval; arms as (successes, trials)."""
    z = stats.normal_quantile(tail)
    p, q = first[0] / first[1], second[0] / second[1]
    return stats.square_and_add(
        p, stats.wilson(p, first[1], z), q, stats.wilson(q, second[1], z), 0.0
    )


def hybrid_effective(first: Arm, second: Arm, tail: float) -> stats.Limits:
    p, q = (sum(h for h, _ in arm) / sum(n for _, n in arm) for arm in (first, second))
    limits = [stats.wilson_effective(arm, tail) for arm in (first, second)]
    return stats.square_and_add(p, limits[0], q, limits[1], 0.0)


def ratio(first: tuple[float, float], second: tuple[float, float], z: float) -> stats.Limits:
    """Ratios at which square-and-add of p - ratio q holds zero; arms as (rate, size)."""
    (p, n), (q, m) = first, second
    (p_low, p_high), (q_low, q_high) = stats.wilson(p, n, z), stats.wilson(q, m, z)

    def low(ratio: float) -> float:
        return p - ratio * q - math.hypot(p - p_low, ratio * (q_high - q))

    def high(ratio: float) -> float:
        return p - ratio * q + math.hypot(p_high - p, ratio * (q - q_low))

    ends = (bisected(low), bisected(high))
    return (ends[0] if p else 0.0), (ends[1] if q_low > 0 else None)


def odds_ratio(first: tuple[float, float], second: tuple[float, float], z: float) -> stats.Limits:
    """Odds ratios with which the successes of the first arm are within z of what is expected."""
    (p, n), (q, m) = first, second
    seen, hits = p * n, p * n + q * m

    def apart(odds: float) -> float:
        least, most = max(hits - m, 0.0), min(hits, n)
        for _ in range(60):
            a = (least + most) / 2
            wanted = a * (m - hits + a) < odds * (hits - a) * (n - a)
            least, most = (a, most) if wanted else (least, a)
        cells = (a, n - a, hits - a, m - hits + a)
        if min(cells) <= 0:
            return math.copysign(math.inf, seen - a)
        return (seen - a) * math.sqrt(sum(1 / cell for cell in cells))

    low = 0.0 if p == 0 or q == 1 else bisected(lambda odds: apart(odds) - z)
    high = None if q == 0 or p == 1 else bisected(lambda odds: apart(odds) + z)
    return low, high


def bisected(falling: Callable[[float], float]) -> float:
    low, high = -50.0, 50.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(math.exp(middle)) > 0 else (low, middle)
    return math.exp(low)


def arms_of(first: Arm, second: Arm, clustered: bool, tail: float) -> Any:
    """Both arms as (rate, size that it stands on at the normal quantile)."""
    z = stats.normal_quantile(tail)
    found = []
    for arm in (first, second):
        hits, n = (sum(part) for part in zip(*arm, strict=True))
        size = float(n)
        if clustered:
            t = stats.student_quantile(tail, stats.degrees_of(arm))
            size = float(stats.effective_size(arm)) * (z / t) ** 2
        found.append((hits / n, size))
    return found


Stratum = tuple[int, int, int, int]
"""Trials and successes of the treatment, then of the baseline."""


def mantel_haenszel(
    tables: Sequence[Stratum], effect: str, z: float
) -> tuple[float | None, float | None, float | None]:
    """Pooled estimate and limits, from the printed formulas in whole numbers."""
    all_of = [(n, x, m, y, n + m) for n, x, m, y in tables]
    if effect == "difference":
        weight = sum(Fraction(n * m, t) for n, _, m, _, t in all_of)
        estimate = sum(Fraction(x * m - y * n, t) for n, x, m, y, t in all_of) / weight
        p = sum(
            (n**2 * y - m**2 * x + Fraction(n * m * (m - n), 2)) / t**2 for n, x, m, y, t in all_of
        )
        q = sum(Fraction(x * (m - y) + y * (n - x), 2 * t) for n, x, m, y, t in all_of)
        variance = (estimate * p + q) / weight**2
        if variance <= 0:
            return float(estimate), None, None
        half = z * math.sqrt(variance)
        return float(estimate), max(estimate - half, -1.0), min(estimate + half, 1.0)
    if effect == "ratio":
        top = sum(Fraction(x * m, t) for _, x, m, _, t in all_of)
        bottom = sum(Fraction(y * n, t) for n, _, _, y, t in all_of)
        if not top or not bottom:
            return (0.0 if bottom else None), None, None
        spread = sum(Fraction((x + y) * n * m - x * y * t, t * t) for n, x, m, y, t in all_of)
        variance = spread / (top * bottom)
    else:
        top = sum(Fraction(x * (m - y), t) for _, x, m, y, t in all_of)
        bottom = sum(Fraction(y * (n - x), t) for n, x, _, y, t in all_of)
        if not top or not bottom:
            return (0.0 if bottom else None), None, None
        parts = [Fraction(0)] * 3
        for n, x, m, y, t in all_of:
            p, q = Fraction(x + m - y, t), Fraction(y + n - x, t)
            r, s = Fraction(x * (m - y), t), Fraction(y * (n - x), t)
            parts = [parts[0] + p * r, parts[1] + p * s + q * r, parts[2] + q * s]
        variance = parts[0] / (2 * top**2) + parts[1] / (2 * top * bottom)
        variance += parts[2] / (2 * bottom**2)
    estimate = top / bottom
    factor = math.exp(z * math.sqrt(variance))
    return float(estimate), float(estimate) / factor, float(estimate) * factor


def cochran_mantel_haenszel(tables: Sequence[Stratum]) -> float:
    """The squared excess over its variance, given the margins of each stratum."""
    excess = variance = Fraction(0)
    for n, x, m, y in tables:
        t, hits = n + m, x + y
        excess += x - Fraction(n * hits, t)
        variance += Fraction(n * m * hits * (t - hits), t * t * (t - 1))
    return math.erfc(math.sqrt(excess**2 / variance / 2)) if variance else 1.0


def permuted(first: Arm, second: Arm) -> Fraction:
    """Labels of whole clusters shuffled; a cluster's score is its hits beyond its share."""
    pooled = [*first, *second]
    rate = Fraction(sum(h for h, _ in pooled), sum(n for _, n in pooled))
    scores = [[h - rate * n for h, n in arm] for arm in (first, second)]
    return permutation.shuffle([(scores[0], scores[1])], "two-sided")


def compare_unpaired(
    rows: Sequence[Mapping[str, Any]],
    *,
    baseline: str,
    by: Sequence[str],
    cluster: Sequence[str],
    confidence_level: float,
) -> list[dict[str, Any]]:
    """What `reclaimstats.compare_unpaired` says of the columns "arm" and "correct"."""
    tail = float(stats.tail_of(confidence_level))
    results = []
    cells = stats.split(rows, by) if by else {(): list(rows)}
    for key in sorted(cells, key=stats.nulls_first):
        for level in sorted({row["arm"] for row in rows} - {baseline}):
            arms = [[row for row in cells[key] if row["arm"] == arm] for arm in (level, baseline)]
            seen = [[row for row in arm if not stats.missing(row["correct"])] for arm in arms]
            hits = [sum(int(row["correct"]) for row in arm) for arm in seen]
            n = [len(arm) for arm in seen]
            groups = [stats.split(arm, cluster) if cluster else {} for arm in seen]
            counts = [
                [(sum(int(r["correct"]) for r in g), len(g)) for g in arm.values()]
                for arm in groups
            ]
            shared = len(groups[0].keys() & groups[1].keys())
            row: dict[str, Any] = dict(zip(by, key, strict=True)) | {
                "treatment_level": level,
                "baseline_level": baseline,
                "n_treatment": n[0],
                "n_baseline": n[1],
                "n_clusters_treatment": len(groups[0]) if cluster else None,
                "n_clusters_baseline": len(groups[1]) if cluster else None,
                "n_clusters_shared": shared if cluster else None,
                "n_missing": sum(map(len, arms)) - sum(n),
                "treatment": hits[0] / n[0] if n[0] else None,
                "baseline": hits[1] / n[1] if n[1] else None,
                "difference": hits[0] / n[0] - hits[1] / n[1] if all(n) else None,
                "low": None,
                "high": None,
                "fisher_p": None,
                "permutation_p": None,
                "method": "none",
                "confidence_level": confidence_level,
                "n_resamples": None,
                "seed": None,
                "reason": None,
            }
            if not all(n):
                empty = [
                    arm for arm, some in zip(("treatment", "baseline"), n, strict=True) if not some
                ]
                of = f" of the {empty[0]}" if len(empty) == 1 else ""
                row["reason"] = f"no trials{of} with an outcome"
            else:
                table = [[hits[0], n[0] - hits[0]], [hits[1], n[1] - hits[1]]]
                row["fisher_p"] = float(stats.fisher(table, "two-sided"))
                if cluster and not shared:
                    row["permutation_p"] = float(permuted(*counts))
                if cluster and min(map(len, counts)) < 2:
                    row["reason"] = "one cluster"
                elif cluster:
                    row["low"], row["high"] = hybrid_effective(*counts, tail)
                    row["method"] = "newcombe-hybrid-effective"
                    if shared:
                        row["reason"] = "clusters in both arms cannot be shuffled between them"
                else:
                    arms_seen = [(h, size) for h, size in zip(hits, n, strict=True)]
                    row["low"], row["high"] = hybrid(*arms_seen, tail)
                    row["method"] = "newcombe-hybrid"
            results.append(row)
    return results
