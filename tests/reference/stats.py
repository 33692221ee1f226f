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
from typing import Any, TypeVar

from scipy.special import betainccinv, betaincinv, stdtr

Row = Mapping[str, Any]
Limits = tuple[float, float]
Cluster = tuple[int, int]
PairCounts = tuple[int, int, int, int]
Number = TypeVar("Number", int, Fraction)


# --- quantiles


def tail_of(confidence_level: float) -> Fraction:
    """Half of what the level leaves out, as the decimal that was written."""
    return (1 - Fraction(str(confidence_level))) / 2


def normal_quantile(tail: float) -> float:
    """The z with P(Z > z) = tail."""
    return -NormalDist().inv_cdf(tail)


def student_upper(t: float, degrees: float) -> float:
    """P(T > t), whose degrees of freedom may be a fraction."""
    return float(stdtr(degrees, -t))


def student_quantile(tail: float, degrees: float) -> float:
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


def equal_clusters(clusters: Sequence[Cluster]) -> Fraction:
    """How many clusters of one size would weigh as these do."""
    return Fraction(sum(c for _, c in clusters) ** 2, sum(c * c for _, c in clusters))


def effective_size(clusters: Sequence[Cluster]) -> Fraction:
    """Trials that these clusters, as (successes, trials), are worth for their rate."""
    p = Fraction(sum(hits for hits, _ in clusters), sum(size for _, size in clusters))
    kinds = [(hits, size - hits) for hits, size in clusters]
    return worth(clusters, p * (1 - p), kinds)


def worth(
    clusters: Sequence[Cluster],
    each: Fraction,
    kinds: Sequence[tuple[int, ...]],
    times: Fraction = Fraction(2),
    speaks_for: int | None = None,
) -> Fraction:
    """Independent trials of that variance that clusters, as (sum, trials), are worth.

    `kinds` holds how many outcomes of each kind a cluster has; one that is unlike the others speaks
    for so many of its cluster, or for all.
    """
    n = sum(size for _, size in clusters)
    mean = Fraction(sum(hits for hits, _ in clusters), n)
    dependent = equal_clusters(clusters)
    squares = [(h - mean * c) ** 2 for h, c in clusters]
    if not any(squares):
        return dependent
    shares = [1 - Fraction(c, n) for _, c in clusters]
    variance = sum(r / rest for r, rest in zip(squares, shares, strict=True)) / n**2
    measured = min(each / variance, Fraction(n))
    unlike = [
        sum(sum(counts) for counts in kinds if sum(counts) > counts[kind])
        for kind in range(len(kinds[0]))
    ]
    if speaks_for is not None:
        odd = [sum(sum(counts) - counts[kind] for counts in kinds) for kind in range(len(unlike))]
        unlike = [min(pairs, speaks_for * few) for pairs, few in zip(unlike, odd, strict=True)]
    speaking = sum(squares) ** 2 / sum(r * r for r in squares)
    speaking = min(speaking, times * dependent * Fraction(min(unlike), n))
    doubt = 1 / (1 + speaking**2 / 6)
    return 1 / ((1 - doubt) / measured + doubt / min(measured, dependent))


def degrees_of(clusters: Sequence[Cluster]) -> float:
    return max(float(equal_clusters(clusters)) - 1, 1.0)


def wilson_effective(clusters: Sequence[Cluster], tail: float) -> Limits:
    """Wilson's interval on the effective size, with Student's t."""
    hits, n = (sum(part) for part in zip(*clusters, strict=True))
    t = student_quantile(tail, degrees_of(clusters))
    return wilson(hits / n, float(effective_size(clusters)), t)


def closed_form(method: str, p: float, n: float, tail: float) -> Limits:
    """A binomial interval by name; the number of trials may be a fraction."""
    hits, misses, z = p * n, (1 - p) * n, normal_quantile(tail)
    if method == "clopper-pearson":
        low = 0.0 if p == 0 else float(betaincinv(hits, misses + 1, tail))
        return low, 1.0 if p == 1 else float(betainccinv(hits + 1, misses, tail))
    if method == "jeffreys":
        low = 0.0 if p == 0 else float(betaincinv(hits + 0.5, misses + 0.5, tail))
        return low, 1.0 if p == 1 else float(betainccinv(hits + 0.5, misses + 0.5, tail))
    if method == "agresti-coull":
        centre, more = (hits + z * z / 2) / (n + z * z), n + z * z
        half = z * math.sqrt(centre * (1 - centre) / more)
        return max(centre - half, 0.0), min(centre + half, 1.0)
    return wilson(p, n, z)


def closed_form_effective(method: str, clusters: Sequence[Cluster], tail: float) -> Limits:
    """The same on the effective size, shrunk as far as Student's t is wider than z."""
    hits, n = (sum(part) for part in zip(*clusters, strict=True))
    ratio = normal_quantile(tail) / student_quantile(tail, degrees_of(clusters))
    return closed_form(method, hits / n, float(effective_size(clusters)) * ratio**2, tail)


def student_interval(estimate: float, error: float, degrees: float, tail: float) -> Limits:
    half = student_quantile(tail, degrees) * error
    return estimate - half, estimate + half


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
        held = max(1 - 2 / equal_clusters([(c[1], c[0]) for c in clusters]), Fraction(0))
        product = max(product - Fraction(1, 2), Fraction(0)) * held
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


def quantiles(ways: Mapping[Number, int], tail: Fraction) -> tuple[Number, Number]:
    """Smallest x with P(X <= x) >= tail, and largest x with P(X >= x) >= tail."""
    needed = tail * sum(ways.values())

    def first(values: Iterable[Number]) -> Number:
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


def exact_ratio_percentile(units: Sequence[Cluster], tail: Fraction) -> Limits:
    """Percentile interval of sum over size, over units that may differ in size.

    A unit becomes one whole number, its sum times more than any total size plus its size.
    """
    base = len(units) * max(size for _, size in units) + 1
    pairs = resample_ways([total * base + size for total, size in units])
    ways: dict[Fraction, int] = {}
    for pair, count in pairs.items():
        ratio = Fraction(*divmod(pair, base))
        ways[ratio] = ways.get(ratio, 0) + count
    low, high = quantiles(ways, tail)
    return float(low), float(high)


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
    """Brackett-Rozinsky and Lemire's unbiased draws, four from each word of SplitMix64."""
    while True:
        state = state + GOLDEN & WORD
        word, four = mixed(state), []
        for _ in range(4):
            number, word = divmod(word * bound, 2**64)
            four.append(number)
        if word >= 2**64 % bound**4:
            yield from four


def drawn_ratios(units: Sequence[Cluster], n_resamples: int, seed: int) -> list[float]:
    """Sum over size in random resamples, in order; units are (sum, size).

    Only of units of which none occurs 64 times: more are drawn as binomial counts.
    """
    units = sorted(units)
    cell = 0
    for unit, run in itertools.groupby(units):
        times = len(list(run))
        assert times < 64
        for word in (unit[0] & WORD, unit[1], times):
            cell = combined(cell, word)
    ratios = []
    for replicate in range(n_resamples):
        places = draws_below(len(units), combined(combined(seed, cell), replicate))
        drawn = [units[i] for i in itertools.islice(places, len(units))]
        ratios.append(sum(s for s, _ in drawn) / sum(c for _, c in drawn))
    return sorted(ratios)


def monte_carlo(units: Sequence[Cluster], tail: Fraction, n_resamples: int, seed: int) -> Limits:
    """Percentiles of sum over size from random resamples."""
    ratios = drawn_ratios(units, n_resamples, seed)
    rank = max(math.ceil(tail * n_resamples), 1) - 1
    return ratios[rank], ratios[-1 - rank]


def monte_carlo_errors(
    units: Sequence[Cluster], tail: Fraction, n_resamples: int, seed: int
) -> Limits:
    """Half of what lies between the draws a standard deviation of their rank to either side."""
    ratios = drawn_ratios(units, n_resamples, seed)
    rank = max(math.ceil(tail * n_resamples), 1) - 1
    reach = math.ceil(math.sqrt(n_resamples * tail * (1 - tail)))

    def error(place: int) -> float:
        return (ratios[min(place + reach, n_resamples - 1)] - ratios[max(place - reach, 0)]) / 2

    return error(rank), error(n_resamples - 1 - rank)


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


def flip_test(clusters: Sequence[PairCounts]) -> Fraction:
    """Share of sign choices whose sum is at least as far from zero as the observed."""
    differences = [treatment - baseline for _, treatment, baseline, _ in clusters]
    ways = {0: 1}
    for difference in differences:
        flipped: dict[int, int] = {}
        for total, count in ways.items():
            for sign in (1, -1):
                value = total + sign * difference
                flipped[value] = flipped.get(value, 0) + count
        ways = flipped
    extreme = sum(count for d, count in ways.items() if abs(d) >= abs(sum(differences)))
    return Fraction(extreme, 2 ** len(differences))


def independent_variance(table: tuple[int, int, int]) -> Fraction:
    """Variance of the mean of pairs: how many there are, plus ones and minus ones."""
    n, plus, minus = table
    mean = Fraction(plus - minus, n)
    outcomes = [1] * plus + [-1] * minus + [0] * (n - plus - minus)
    return sum(((d - mean) ** 2 for d in outcomes), Fraction(0)) / (n * (n - 1))


def clustered_variance(clusters: Sequence[PairCounts]) -> Fraction:
    """CR2: squared residuals, each over the share of the pairs outside of its cluster."""
    n = sum(pairs for pairs, _, _, _ in clusters)
    mean = Fraction(sum(t - b for _, t, b, _ in clusters), n)
    squares = [
        (t - b - mean * pairs) ** 2 / (1 - Fraction(pairs, n)) for pairs, t, b, _ in clusters
    ]
    return sum(squares, Fraction(0)) / n**2


def adjust(pvalues: Sequence[float | None], method: str) -> list[float | None]:
    """Adjusted p-values by the rejection rules themselves: the least level that rejects."""
    tests = [p for p in pvalues if p is not None]
    m, ordered = len(tests), sorted(tests)
    harmonic = sum(1 / i for i in range(1, m + 1))

    def factor(rank: int) -> float:
        if method in ("holm", "hochberg"):
            return m - rank + 1
        return m / rank * (harmonic if method == "benjamini-yekutieli" else 1)

    scaled = [min(p * factor(rank), 1.0) for rank, p in enumerate(ordered, 1)]
    if method == "holm":
        # Rejected only with all that are smaller.
        least = [max(scaled[: i + 1]) for i in range(m)]
    else:
        # Rejected with any that is larger.
        least = [min(scaled[i:]) for i in range(m)]
    return [None if p is None else least[ordered.index(p)] for p in pvalues]


def reading_of(row: Row, alpha: float) -> str:
    """What a comparison says in words."""
    says: list[str] = []
    limit = alpha * (1 + 1e-12)
    n, plus, minus = row["n_pairs"], row["treatment_only"], row["baseline_only"]
    unpaired = row["n_unpaired_treatment"] + row["n_unpaired_baseline"]
    if not n:
        says.append("no pairs")
    if row["n_clusters"] == 1:
        says.append("one cluster says nothing of others")
    if unpaired:
        what = "trial without a partner is" if unpaired == 1 else "trials without a partner are"
        says.append(f"{unpaired} {what} left out")
    if not n:
        return "; ".join(says)
    if not plus + minus:
        return "; ".join([*says, "identical in every pair"])
    if plus == n:
        says.append("every pair differs, all for the treatment")
    if minus == n:
        says.append("every pair differs, all for the baseline")
    if min(row["treatment"], row["baseline"]) >= 0.95:
        says.append("both arms near the ceiling")
    if max(row["treatment"], row["baseline"]) <= 1 - 0.95:
        says.append("both arms near the floor")
    tests = ["mcnemar_p"]
    if row["n_clusters"] is not None:
        tests += ["sign_p", "permutation_p", "flip_p"]
        needed = next(k for k in itertools.count(1) if 2.0 ** (1 - k) <= limit)
        leaning = row["clusters_positive"] + row["clusters_negative"]
        if 0 < leaning < needed:
            some = "cluster is" if leaning == 1 else "clusters are"
            says.append(
                f"{leaning} differing {some} too few for sign_p to reach {alpha:g}, "
                f"which takes {needed}"
            )
    reject = [test for test in tests if row[test] <= limit]
    keep = [test for test in tests if row[test] > limit]
    unseen = ""
    if row["detectable"] is not None and abs(row["difference"]) < row["detectable"]:
        shown = round(row["detectable"], 3)
        unseen = f", and differences below {shown} are found less than four times in five"
    usual = "standard_error" if row["n_clusters"] is None else "standard_error_clustered"
    if row["detectable"] is None and row[usual]:
        unseen = ", and no difference could be found four times in five with so few"
    if tests == ["mcnemar_p"]:
        yes = f"mcnemar_p rejects at {alpha:g}, if pairs are independent"
        says.append(yes if reject else f"mcnemar_p does not reject at {alpha:g}{unseen}")
    elif not keep:
        says.append(f"all tests reject at {alpha:g}")
    elif not reject:
        says.append(f"no test rejects at {alpha:g}{unseen}")
    elif reject == ["mcnemar_p"]:
        says.append(f"only mcnemar_p rejects at {alpha:g}, which counts pairs and not clusters")
    else:
        some, others = ", ".join(reject), ", ".join(keep)
        says.append(f"tests disagree at {alpha:g}: {some} reject, {others} not")
    return "; ".join(says)


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
    if resampler == "auto":
        return exact_ratio_percentile(units, tail), "percentile-exact", False
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
        errors: tuple[float | None, float | None] = (None, None)
        name, drawn, reason = "none", False, None
        if not n:
            reason = "no trials with an outcome"
        elif cluster and len(clusters) == 1:
            reason = "one cluster"
        elif method == "t" and cluster:
            pairs = [(c, h, 0, h) for h, c in clusters]
            error, degrees = math.sqrt(clustered_variance(pairs)), degrees_of(clusters)
            low, high = student_interval(hits / n, error, degrees, float(tail))
            limits, name = (max(low, 0.0), min(high, 1.0)), "t-clustered"
        elif method == "t" and n == 1:
            reason = "one trial says nothing of the spread"
        elif method == "t":
            error = math.sqrt(independent_variance((n, hits, 0)))
            low, high = student_interval(hits / n, error, n - 1, float(tail))
            limits, name = (max(low, 0.0), min(high, 1.0)), "t"
        elif method != "percentile" and cluster:
            name = "wilson" if method == "auto" else method
            limits, name = closed_form_effective(name, clusters, float(tail)), f"{name}-effective"
        elif method != "percentile":
            name = "wilson" if method == "auto" else method
            limits = closed_form(name, hits / n, n, float(tail))
        elif resampler == "cpython":
            limits = replay_cpython(values, float(tail), n_resamples, seed)
            name, drawn = "percentile-cpython", True
        else:
            units = clusters if cluster else [(v, 1) for v in values]
            limits, name, drawn = percentile_of(units, tail, resampler, n_resamples, seed)
            if drawn:
                errors = monte_carlo_errors(units, tail, n_resamples, seed)
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
                "low_error": errors[0],
                "high_error": errors[1],
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
        for level in sorted({row[contrast] for row in rows} - {baseline}):
            pairs = []
            arms.setdefault(level, [])
            for row in arms[level]:
                partner = partners.get(tuple(row[c] for c in pair_by))
                if partner is None or missing(row[outcome]) or missing(partner[outcome]):
                    continue
                pairs.append((row, int(row[outcome]), int(partner[outcome])))
            pairs.sort(key=lambda pair: tuple(pair[0][c] for c in pair_by))
            seen = [sum(not missing(row[outcome]) for row in arm) for arm in (arms[level], others)]
            result = (
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
            result |= logarithms(result)
            results.append(result | {"reading": reading_of(result, 1 - confidence_level)})
    return results


def logarithms(row: Mapping[str, Any]) -> dict[str, float | None]:
    """Of each p-value of a row."""
    names = [name for name in row if name.endswith("_p")]
    values = {name.removesuffix("_p") + "_log_p": row[name] for name in names}
    return {name: None if p is None else math.log(p) for name, p in values.items()}


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
    elif method == "t" and cluster:
        error = math.sqrt(clustered_variance(clusters))
        degrees = degrees_of([(t, c) for c, t, _, _ in clusters])
        low, high = student_interval((treatment - baseline) / n, error, degrees, float(tail))
        limits, name = (max(low, -1.0), min(high, 1.0)), "t-clustered"
    elif method == "t" and n == 1:
        reason = "one trial says nothing of the spread"
    elif method == "t":
        error = math.sqrt(independent_variance((n, treatment_only, baseline_only)))
        low, high = student_interval((treatment - baseline) / n, error, n - 1, float(tail))
        limits, name = (max(low, -1.0), min(high, 1.0)), "t"
    elif callable(method):
        limits, name = method(clusters, bool(cluster), float(tail))
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
    error = clustered = None
    if n > 1:
        error = math.sqrt(independent_variance((n, treatment_only, baseline_only)))
    if cluster and len(clusters) > 1:
        clustered = math.sqrt(clustered_variance(clusters))
    usual = clustered if cluster else error
    detectable = (normal_quantile(float(tail)) + normal_quantile(0.2)) * (usual or 0.0)
    return {
        "n_pairs": n,
        "n_clusters": len(clusters) if cluster else None,
        "treatment": treatment / n if n else None,
        "baseline": baseline / n if n else None,
        "difference": (treatment - baseline) / n if n else None,
        "low": limits[0],
        "high": limits[1],
        "standard_error": error,
        "standard_error_clustered": clustered,
        "design_effect": (clustered / error) ** 2 if error and clustered is not None else None,
        "detectable": detectable if usual and detectable <= 1 else None,
        "treatment_only": treatment_only,
        "baseline_only": baseline_only,
        "mcnemar_p": float(sign_test(treatment_only, baseline_only)) if n else None,
        "clusters_positive": positive if cluster else None,
        "clusters_negative": negative if cluster else None,
        "clusters_tied": len(clusters) - positive - negative if cluster else None,
        "sign_p": float(sign_test(positive, negative)) if speak else None,
        "permutation_p": float(permutation_test(clusters)) if speak else None,
        "flip_p": float(flip_test(clusters)) if speak else None,
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

_MEASURED = {"standard_error", "standard_error_clustered", "design_effect", "detectable"}


def assert_same(found: Sequence[Row], expected: Sequence[Row]) -> None:
    """Counts, names and percentiles to the last bit, the rest to rounding."""
    assert len(found) == len(expected)
    for row, wanted in zip(found, expected, strict=True):
        assert row.keys() == wanted.keys()
        lattice = wanted["method"].startswith("percentile")
        for name, value in wanted.items():
            if name.endswith("_log_p") and value is not None:
                near = math.isclose(row[name], value, rel_tol=1e-12, abs_tol=1e-12)
            elif name.endswith("_p") and value is not None:
                near = math.isclose(row[name], value, rel_tol=1e-12)
            elif name in {"low", "high"} and value is not None and not lattice:
                # Square-and-add takes a root of what may be nothing but rounding.
                tolerance = 1e-7 if "difference" in wanted else 1e-11
                near = math.isclose(row[name], value, rel_tol=0, abs_tol=tolerance)
            elif isinstance(value, float) and name in _MEASURED:
                near = math.isclose(row[name], value, rel_tol=1e-12, abs_tol=1e-15)
            elif name in {"bound_low", "bound_high"} and value is not None:
                near = math.isclose(row[name], value, rel_tol=1e-13)
            else:
                near = row[name] == value
            assert near, f"{name}: {row[name]!r} is not {value!r} in {dict(wanted)}"
