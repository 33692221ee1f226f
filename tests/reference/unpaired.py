"""Two independent groups, from definitions."""

import itertools
import math
from collections.abc import Mapping, Sequence
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
                row["reason"] = "no trials with an outcome"
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
