"""Rates, comparisons, intervals and exact tests, one trial at a time, in whole numbers.

Nothing here is fast. Probabilities are ratios of whole numbers, assignments and resamples
are counted rather than approximated, and random resampling is a loop over `random.Random`.
"""

import itertools
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from statistics import NormalDist
from typing import Any

Row = Mapping[str, Any]
Limits = tuple[float, float]
Cluster = tuple[int, int]
PairCounts = tuple[int, int, int, int]


# --- quantiles


def tail_of(confidence_level: float) -> Fraction:
    """Half of what the level leaves out, as the decimal that was written."""
    return (1 - Fraction(str(confidence_level))) / 2


def normal_quantile(tail: float) -> float:
    """The z with P(Z > z) = tail."""
    return -NormalDist().inv_cdf(tail)


def student_upper(t: float, degrees: int) -> float:
    """P(T > t) by the finite series of Abramowitz and Stegun (1964), 26.7.3 and 26.7.4."""
    angle = math.atan2(t, math.sqrt(degrees))
    cosine = math.cos(angle)
    if degrees % 2:
        term, total = cosine, 0.0
        for k in range(1, degrees // 2 + 1):
            total += term
            term *= cosine * cosine * 2 * k / (2 * k + 1)
        between = 2 / math.pi * (angle + math.sin(angle) * total)
    else:
        term, total = 1.0, 0.0
        for k in range(1, degrees // 2 + 1):
            total += term
            term *= cosine * cosine * (2 * k - 1) / (2 * k)
        between = math.sin(angle) * total
    return (1 - between) / 2


def student_quantile(tail: float, degrees: int) -> float:
    """The t with P(T > t) = tail, by bisection."""
    low, high = 0.0, 1.0
    while student_upper(high, degrees) > tail:
        high *= 2
    for _ in range(200):
        middle = (low + high) / 2
        if student_upper(middle, degrees) > tail:
            low = middle
        else:
            high = middle
    return (low + high) / 2


# --- intervals in closed form


def wilson(p: float, n: float, quantile: float) -> Limits:
    """Roots of (p - x)^2 = quantile^2 x (1 - x) / n."""
    a = 1 + quantile**2 / n
    b = -(2 * p + quantile**2 / n)
    root = math.sqrt(max(b * b - 4 * a * p * p, 0.0))
    return max((-b - root) / (2 * a), 0.0), min((-b + root) / (2 * a), 1.0)


def effective_size(clusters: Sequence[Cluster]) -> Fraction:
    """Size at which p (1 - p) / size is the cluster-robust variance of p, capped.

    Clusters are (successes, trials).
    """
    k, n = len(clusters), sum(size for _, size in clusters)
    p = Fraction(sum(hits for hits, _ in clusters), n)
    variance = Fraction(k, k - 1) * sum((h - p * c) ** 2 for h, c in clusters) / n**2
    return min(p * (1 - p) / variance, Fraction(n)) if variance else Fraction(k)


def wilson_effective(clusters: Sequence[Cluster], tail: float) -> Limits:
    """Wilson's interval on the effective size, with Student's t."""
    hits, n = (sum(part) for part in zip(*clusters, strict=True))
    t = student_quantile(tail, len(clusters) - 1)
    return wilson(hits / n, float(effective_size(clusters)), t)


def square_and_add(p: float, p_limits: Limits, q: float, q_limits: Limits, r: float) -> Limits:
    """Limits of p - q from the limits of p and of q and the correlation of the two."""
    down, up = p - p_limits[0], p_limits[1] - p
    other_down, other_up = q - q_limits[0], q_limits[1] - q
    below = math.sqrt(max(down**2 - 2 * r * down * other_up + other_up**2, 0.0))
    above = math.sqrt(max(up**2 - 2 * r * up * other_down + other_down**2, 0.0))
    return max(p - q - below, -1.0), min(p - q + above, 1.0)


def newcombe_phi(both: int, first_only: int, second_only: int, neither: int) -> float:
    """Phi of a paired table; a positive numerator loses n / 2 but not its sign."""
    n = both + first_only + second_only + neither
    margins = (
        (both + first_only)
        * (second_only + neither)
        * (both + second_only)
        * (first_only + neither)
    )
    numerator = Fraction(both * neither - first_only * second_only)
    if numerator > 0:
        numerator = max(numerator - Fraction(n, 2), Fraction(0))
    return float(numerator) / math.sqrt(margins) if margins else 0.0


def newcombe(table: tuple[int, int, int, int], tail: float) -> Limits:
    """Square-and-add for independent pairs: both, first only, second only, neither."""
    both, first_only, second_only, _ = table
    n, z = sum(table), normal_quantile(tail)
    p, q = (both + first_only) / n, (both + second_only) / n
    phi = newcombe_phi(*table)
    return square_and_add(p, wilson(p, n, z), q, wilson(q, n, z), phi)


def correlation(clusters: Sequence[PairCounts]) -> float:
    """Correlation of the residuals of the two arms over clusters, held down where positive."""
    n = sum(c[0] for c in clusters)
    p = Fraction(sum(c[1] for c in clusters), n)
    q = Fraction(sum(c[2] for c in clusters), n)
    first = [c[1] - p * c[0] for c in clusters]
    second = [c[2] - q * c[0] for c in clusters]
    spread = sum(a * a for a in first) * sum(b * b for b in second)
    product = sum((a * b for a, b in zip(first, second, strict=True)), Fraction(0))
    if product > 0:
        product = max(product - Fraction(1, 2), Fraction(0)) * (1 - Fraction(2, len(clusters)))
    return float(product) / math.sqrt(spread) if spread else 0.0


def square_and_add_clusters(clusters: Sequence[PairCounts], tail: float) -> Limits:
    """Square-and-add of the two arms' intervals on their effective sizes."""
    first = [(treatment, pairs) for pairs, treatment, _, _ in clusters]
    second = [(baseline, pairs) for pairs, _, baseline, _ in clusters]
    n = sum(pairs for pairs, _, _, _ in clusters)
    p, q = sum(h for h, _ in first) / n, sum(h for h, _ in second) / n
    limits, others = wilson_effective(first, tail), wilson_effective(second, tail)
    return square_and_add(p, limits, q, others, correlation(clusters))


def edge_bounds(
    hits: int, n: int, units: int, confidence_level: float
) -> tuple[float | None, float | None]:
    """One-sided limits: the rate at which `units` like these have chance 1 - level."""
    root = float(1 - Fraction(str(confidence_level))) ** (1 / units) if units else 0.0
    return (root if n and hits == n else None), (1 - root if n and not hits else None)


# --- exact bootstrap quantiles


def quantiles(ways: Mapping[int, int], tail: Fraction) -> tuple[int, int]:
    """Smallest x with P(X <= x) >= tail, and largest x with P(X >= x) >= tail."""
    needed = tail * sum(ways.values())

    def first(values: Iterable[int]) -> int:
        reached = 0
        for x in values:
            reached += ways[x]
            if reached >= needed:
                return x
        raise AssertionError("the whole is more than a tail")

    return first(sorted(ways)), first(sorted(ways, reverse=True))


def added(ways: Mapping[int, int], others: Mapping[int, int]) -> dict[int, int]:
    """In how many ways two sums add up to each value."""
    total: dict[int, int] = {}
    for (x, a), (y, b) in itertools.product(ways.items(), others.items()):
        total[x + y] = total.get(x + y, 0) + a * b
    return total


def resample_ways(sums: Sequence[int]) -> dict[int, int]:
    """Among all len(sums)^len(sums) resamples of the units, how many have each sum.

    The count is the coefficient of x^sum in the power of the units' polynomial. At a power of
    two above all coefficients, the power of one whole number holds them side by side.
    """
    n, least = len(sums), min(sums)
    bits = (n**n).bit_length() + 1
    power = sum(1 << bits * (x - least) for x in sums) ** n
    ways, total = {}, n * least
    while power:
        if count := power & (1 << bits) - 1:
            ways[total] = count
        power >>= bits
        total += 1
    return ways


def exact_percentile(sums: Sequence[int], size: int, tail: Fraction) -> Limits:
    """Percentile interval of the mean over units that all hold `size` trials."""
    low, high = quantiles(resample_ways(sums), tail)
    return low / (len(sums) * size), high / (len(sums) * size)


def binomial_percentile(hits: int, n: int, tail: Fraction) -> Limits:
    """The same for independent trials, from the binomial counts themselves."""
    ways = {x: math.comb(n, x) * hits**x * (n - hits) ** (n - x) for x in range(n + 1)}
    low, high = quantiles(ways, tail)
    return low / n, high / n


# --- random resampling


def replay_cpython(values: Sequence[int], tail: float, n_resamples: int, seed: int) -> Limits:
    """The published harness's loop."""
    generator = random.Random(seed)
    n = len(values)
    means = sorted(
        sum(values[generator.randrange(n)] for _ in range(n)) / n for _ in range(n_resamples)
    )
    return means[int(tail * n_resamples)], means[int((1 - tail) * n_resamples)]


WORD = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mixed(z: int) -> int:
    """The finalizer of SplitMix64."""
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    return z ^ z >> 31


def combined(key: int, word: int) -> int:
    return mixed((key + GOLDEN & WORD) ^ mixed(word + GOLDEN & WORD))


def draws_below(bound: int, state: int) -> Iterable[int]:
    """Lemire's unbiased draws from the upper halves of SplitMix64's words."""
    while True:
        state = state + GOLDEN & WORD
        product = (mixed(state) >> 32) * bound
        if product % 2**32 >= 2**32 % bound:
            yield product >> 32


def monte_carlo(units: Sequence[Cluster], tail: Fraction, n_resamples: int, seed: int) -> Limits:
    """Percentiles of sum over size from random resamples; units are (sum, size)."""
    units = sorted(units)
    cell = 0
    for unit, run in itertools.groupby(units):
        for word in (unit[0] & WORD, unit[1], len(list(run))):
            cell = combined(cell, word)
    ratios = []
    for replicate in range(n_resamples):
        places = draws_below(len(units), combined(combined(seed, cell), replicate))
        drawn = [units[i] for i in itertools.islice(places, len(units))]
        ratios.append(sum(s for s, _ in drawn) / sum(c for _, c in drawn))
    ratios.sort()
    rank = max(math.ceil(tail * n_resamples), 1) - 1
    return ratios[rank], ratios[-1 - rank]


# --- exact tests


def sign_test(positive: int, negative: int) -> Fraction:
    """Twice the smaller tail of a fair binomial, at most 1."""
    n, ways, total = positive + negative, 1, 0
    for i in range(min(positive, negative) + 1):
        total += ways
        ways = ways * (n - i) // (i + 1)
    return min(Fraction(2 * total, 2**n), Fraction(1))


def logarithm(p: Fraction) -> float:
    """Natural logarithm, also where p is below the smallest double."""
    with localcontext(prec=40):
        return float(Decimal(p.numerator).ln() - Decimal(p.denominator).ln())


def shuffle_ways_enumerated(clusters: Sequence[PairCounts]) -> dict[int, int]:
    """Difference of arms under every assignment of every cluster's trials to two arms."""
    ways = {0: 1}
    for pairs, treatment, baseline, _ in clusters:
        hits = treatment + baseline
        trials = [1] * hits + [0] * (2 * pairs - hits)
        cluster: dict[int, int] = {}
        for arm in itertools.combinations(range(2 * pairs), pairs):
            difference = 2 * sum(trials[i] for i in arm) - hits
            cluster[difference] = cluster.get(difference, 0) + 1
        ways = added(ways, cluster)
    return ways


def shuffle_ways(clusters: Sequence[PairCounts]) -> dict[int, int]:
    """The same, counting a cluster's assignments by binomial coefficients."""
    ways = {0: 1}
    for pairs, treatment, baseline, _ in clusters:
        hits = treatment + baseline
        cluster = {
            2 * x - hits: math.comb(hits, x) * math.comb(2 * pairs - hits, pairs - x)
            for x in range(max(0, hits - pairs), min(hits, pairs) + 1)
        }
        ways = added(ways, cluster)
    return ways


def permutation_test(
    clusters: Sequence[PairCounts],
    ways_of: Callable[[Sequence[PairCounts]], dict[int, int]] = shuffle_ways,
) -> Fraction:
    """Share of assignments whose difference is at least as far from zero as the observed."""
    observed = sum(treatment - baseline for _, treatment, baseline, _ in clusters)
    ways = ways_of(clusters)
    extreme = sum(count for d, count in ways.items() if abs(d) >= abs(observed))
    return Fraction(extreme, sum(ways.values()))


# --- from rows to results


def missing(outcome: Any) -> bool:
    return outcome is None or outcome != outcome


def split(rows: Iterable[Row], columns: Sequence[str]) -> dict[tuple[Any, ...], list[Row]]:
    """Rows by their values in the columns, in order of first appearance."""
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[c] for c in columns), []).append(row)
    return groups


def nulls_first(key: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple((value is not None, value) for value in key)


def percentile_of(
    units: Sequence[Cluster], tail: Fraction, resampler: str, n_resamples: int, seed: int
) -> tuple[Limits, str, bool]:
    sizes = {size for _, size in units}
    if resampler == "auto" and len(sizes) == 1:
        return exact_percentile([s for s, _ in units], sizes.pop(), tail), "percentile-exact", False
    limits = monte_carlo(units, tail, n_resamples, seed)
    return limits, "percentile-monte-carlo", True


def rate(
    rows: Sequence[Row],
    outcome: str,
    *,
    by: Sequence[str] = (),
    cluster: Sequence[str] = (),
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """What `reclaimstats.rate` says, as rows."""
    tail = tail_of(confidence_level)
    cells = split(rows, by) if by else {(): list(rows)}
    results = []
    for key in sorted(cells, key=nulls_first):
        seen = [row for row in cells[key] if not missing(row[outcome])]
        values = [int(row[outcome]) for row in seen]
        n, hits = len(values), sum(values)
        groups = split(seen, cluster) if cluster else {}
        clusters = [(sum(int(r[outcome]) for r in g), len(g)) for g in groups.values()]
        limits: tuple[float | None, float | None] = (None, None)
        name, drawn, reason = "none", False, None
        if not n:
            reason = "no trials with an outcome"
        elif cluster and len(clusters) == 1:
            reason = "one cluster"
        elif method == "auto" and cluster:
            limits, name = wilson_effective(clusters, float(tail)), "wilson-effective"
        elif method == "auto":
            limits, name = wilson(hits / n, n, normal_quantile(float(tail))), "wilson"
        elif resampler == "cpython":
            limits = replay_cpython(values, float(tail), n_resamples, seed)
            name, drawn = "percentile-cpython", True
        else:
            units = clusters if cluster else [(v, 1) for v in values]
            limits, name, drawn = percentile_of(units, tail, resampler, n_resamples, seed)
        units_seen = len(clusters) if cluster else n
        bounds = edge_bounds(hits, n, units_seen, confidence_level)
        results.append(
            dict(zip(by, key, strict=True))
            | {
                "n": n,
                "n_clusters": len(clusters) if cluster else None,
                "n_missing": len(cells[key]) - n,
                "estimate": hits / n if n else None,
                "low": limits[0],
                "high": limits[1],
                "bound_low": bounds[0],
                "bound_high": bounds[1],
                "method": name,
                "confidence_level": confidence_level,
                "n_resamples": n_resamples if drawn else None,
                "seed": seed if drawn else None,
                "reason": reason,
            }
        )
    return results


def compare(
    rows: Sequence[Row],
    outcome: str,
    *,
    contrast: str,
    baseline: Any,
    pair_by: Sequence[str],
    cluster: Sequence[str] = (),
    by: Sequence[str] = (),
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """What `reclaimstats.compare` says, as rows."""
    tail = tail_of(confidence_level)
    cells = split(rows, by) if by else {(): list(rows)}
    results = []
    for key in sorted(cells, key=nulls_first):
        arms = {level: arm for (level,), arm in split(cells[key], [contrast]).items()}
        others = arms.pop(baseline, [])
        partners = {tuple(row[c] for c in pair_by): row for row in others}
        for level in sorted(arms):
            pairs = []
            for row in arms[level]:
                partner = partners.get(tuple(row[c] for c in pair_by))
                if partner is None or missing(row[outcome]) or missing(partner[outcome]):
                    continue
                pairs.append((row, int(row[outcome]), int(partner[outcome])))
            pairs.sort(key=lambda pair: tuple(pair[0][c] for c in pair_by))
            seen = [sum(not missing(row[outcome]) for row in arm) for arm in (arms[level], others)]
            results.append(
                dict(zip(by, key, strict=True))
                | {
                    "treatment_level": level,
                    "baseline_level": baseline,
                    "n_unpaired_treatment": seen[0] - len(pairs),
                    "n_unpaired_baseline": seen[1] - len(pairs),
                    "n_missing": len(arms[level]) + len(others) - sum(seen),
                    "confidence_level": confidence_level,
                }
                | paired(pairs, cluster, method, tail, resampler, n_resamples, seed)
            )
    return results


def counts_of(pairs: Iterable[tuple[Row, int, int]]) -> PairCounts:
    both = [(t, b) for _, t, b in pairs]
    hits, others = sum(t for t, _ in both), sum(b for _, b in both)
    return len(both), hits, others, sum(t > b for t, b in both)


def paired(
    pairs: Sequence[tuple[Row, int, int]],
    cluster: Sequence[str],
    method: str,
    tail: Fraction,
    resampler: str,
    n_resamples: int,
    seed: int,
) -> dict[str, Any]:
    """One row's statistics from its pairs, sorted by their keys."""
    n, treatment, baseline, treatment_only = counts_of(pairs)
    baseline_only = baseline - (treatment - treatment_only)
    groups: dict[tuple[Any, ...], list[tuple[Row, int, int]]] = {}
    for pair in pairs:
        groups.setdefault(tuple(pair[0][c] for c in cluster), []).append(pair)
    clusters = [counts_of(group) for group in groups.values()]
    leans = [t - b for _, t, b, _ in clusters]
    positive, negative = sum(d > 0 for d in leans), sum(d < 0 for d in leans)
    speak = bool(cluster and n)

    limits: tuple[float | None, float | None] = (None, None)
    name, drawn, reason = "none", False, None
    if not n:
        reason = "no pairs"
    elif cluster and len(clusters) == 1:
        reason = "one cluster"
    elif method == "auto" and cluster:
        limits, name = square_and_add_clusters(clusters, float(tail)), "square-and-add"
    elif method == "auto":
        both = treatment - treatment_only
        table = (both, treatment_only, baseline_only, n - both - treatment_only - baseline_only)
        limits, name = newcombe(table, float(tail)), "newcombe"
    elif resampler == "cpython":
        differences = [t - b for _, t, b in pairs]
        limits = replay_cpython(differences, float(tail), n_resamples, seed)
        name, drawn = "percentile-cpython", True
    else:
        units = (
            [(t - b, c) for c, t, b, _ in clusters]
            if cluster
            else [(t - b, 1) for _, t, b in pairs]
        )
        limits, name, drawn = percentile_of(units, tail, resampler, n_resamples, seed)
    return {
        "n_pairs": n,
        "n_clusters": len(clusters) if cluster else None,
        "treatment": treatment / n if n else None,
        "baseline": baseline / n if n else None,
        "difference": (treatment - baseline) / n if n else None,
        "low": limits[0],
        "high": limits[1],
        "treatment_only": treatment_only,
        "baseline_only": baseline_only,
        "mcnemar_p": float(sign_test(treatment_only, baseline_only)) if n else None,
        "clusters_positive": positive if cluster else None,
        "clusters_negative": negative if cluster else None,
        "clusters_tied": len(clusters) - positive - negative if cluster else None,
        "sign_p": float(sign_test(positive, negative)) if speak else None,
        "permutation_p": float(permutation_test(clusters)) if speak else None,
        "method": name,
        "n_resamples": n_resamples if drawn else None,
        "seed": seed if drawn else None,
        "reason": reason,
    }


# --- fourfold tables


def fisher(table: Sequence[Sequence[int]], alternative: str) -> Fraction:
    """Share of the tables with these margins that are evidence, each by its number of ways.

    Two-sided, a table is evidence if it is at most 1 + 1e-7 times as likely.
    """
    (a, b), (c, d) = table
    row, other_row, column = a + b, c + d, a + c
    ways = {
        x: math.comb(row, x) * math.comb(other_row, column - x)
        for x in range(max(0, column - other_row), min(row, column) + 1)
    }
    evidence = {
        "two-sided": lambda x: ways[x] * 10**7 <= ways[a] * (10**7 + 1),
        "less": lambda x: x <= a,
        "greater": lambda x: x >= a,
    }[alternative]
    return Fraction(sum(n for x, n in ways.items() if evidence(x)), sum(ways.values()))


# --- agreement


def assert_same(found: Sequence[Row], expected: Sequence[Row]) -> None:
    """Counts, names and percentiles to the last bit, the rest to rounding."""
    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        assert row.keys() == wanted.keys()
        lattice = wanted["method"].startswith("percentile")
        for name, value in wanted.items():
            if name.endswith("_p") and value is not None:
                near = math.isclose(row[name], value, rel_tol=1e-12)
            elif name in {"low", "high"} and value is not None and not lattice:
                # Square-and-add takes a root of what may be nothing but rounding.
                tolerance = 1e-7 if "difference" in wanted else 1e-11
                near = math.isclose(row[name], value, rel_tol=0, abs_tol=tolerance)
            elif name in {"bound_low", "bound_high"} and value is not None:
                near = math.isclose(row[name], value, rel_tol=1e-13)
            else:
                near = row[name] == value
            assert near, f"{name}: {row[name]!r} is not {value!r} in {dict(wanted)}"
