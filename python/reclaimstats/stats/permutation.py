"""Permutation and rank tests of numeric scores: exact by counting, by draws only where it must."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.options import choice, integer
from reclaimstats.stats._result import Result, keys, series

__all__ = [
    "FlipResult",
    "PermutationResult",
    "RankResult",
    "mann_whitney",
    "permutation",
    "sign_flip",
    "wilcoxon",
]


@dataclass(frozen=True, slots=True)
class PermutationResult(Result):
    """A two-sample permutation test.

    Attributes:
        estimate: Mean of the first group minus mean of the second; null where one is empty.
        pvalue: The p-value.
        log_pvalue: Its natural logarithm, finite at any depth.
        n_x: Scores in the first group.
        n_y: Scores in the second.
        n_missing: Scores that are null or NaN; they take no part.
        alternative: Which statistics count as evidence.
        method: "permutation-exact" or "permutation-monte-carlo".
        n_resamples: Number of draws; null where the p-value is exact. From draws it is never below
            1 / (n_resamples + 1).
        seed: Seed of the draws, if any.
    """

    estimate: float | None
    pvalue: float
    log_pvalue: float
    n_x: int
    n_y: int
    n_missing: int
    alternative: str
    method: str
    n_resamples: int | None
    seed: int | None


@dataclass(frozen=True, slots=True)
class FlipResult(Result):
    """A sign-flip test of paired scores.

    Attributes:
        estimate: Mean difference; null without a pair.
        pvalue: The p-value.
        log_pvalue: Its natural logarithm, finite at any depth.
        n: Pairs with both scores.
        n_clusters: Clusters with such a pair; null where pairs count as independent.
        n_missing: Pairs with a score that is null or NaN; they take no part.
        positive: Clusters, or pairs, whose difference is above zero.
        negative: Those whose difference is below.
        alternative: Which statistics count as evidence.
        method: "flip-exact" or "flip-monte-carlo".
        n_resamples: Number of draws; null where the p-value is exact. From draws it is never below
            1 / (n_resamples + 1).
        seed: Seed of the draws, if any.
    """

    estimate: float | None
    pvalue: float
    log_pvalue: float
    n: int
    n_clusters: int | None
    n_missing: int
    positive: int
    negative: int
    alternative: str
    method: str
    n_resamples: int | None
    seed: int | None


@dataclass(frozen=True, slots=True)
class RankResult(Result):
    """A test by ranks.

    Attributes:
        statistic: Of `wilcoxon`, the sum of the ranks of positive differences; of `mann_whitney`,
            the number of pairs in which the first group's score is larger, ties counting one half.
        pvalue: The p-value.
        log_pvalue: Its natural logarithm, finite at any depth.
        n: Pairs, or scores in both groups.
        n_missing: Pairs or scores that are missing; they take no part.
        alternative: Which statistics count as evidence.
        method: Name of the test and how its p-value was found.
    """

    statistic: float
    pvalue: float
    log_pvalue: float
    n: int
    n_missing: int
    alternative: str
    method: str


@dataclass(frozen=True, slots=True)
class _How:
    """How a null distribution is found; its attributes are read by the core."""

    alternative: str
    method: str
    n_resamples: int
    seed: int

    @classmethod
    def checked(cls, alternative: str, method: str, n_resamples: int, seed: int) -> "_How":
        return cls(
            alternative=choice("alternative", alternative, _core.ALTERNATIVES),
            method=choice("method", method, _core.COUNTINGS),
            n_resamples=integer("n_resamples", n_resamples, least=1, most=100_000_000),
            seed=integer("seed", seed, least=0, most=2**64 - 1),
        )


def permutation(
    x: Any,
    y: Any,
    *,
    strata: Sequence[Any] | None = None,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int = 9999,
    seed: int = 0,
) -> PermutationResult:
    """Permutation test of two independent groups of scores: labels shuffled over all scores.

    The null: a score has nothing to do with its group. The statistic is the sum of the first
    group's scores, which is the difference of means; two-sided are the sums that are at least as
    far from their mean as the observed one. Scores count as independent; where they come in
    clusters that are in one group each, give the clusters' means, or use
    `reclaimstats.compare_unpaired` for outcomes of 0 and 1.

    Args:
        x: Array of scores of the first group. Null and NaN are missing.
        y: Array of scores of the second.
        strata: Two arrays, the strata of `x` and of `y`: labels are shuffled within strata only.
        alternative: "two-sided"; "greater" if `x` is expected to be larger; or "less".
        method: "auto" for exact wherever that takes well under a second, else by draws;
            "exact" for exact or an error; "monte-carlo" for draws.
        n_resamples: Number of draws, if any.
        seed: Seed of the draws.

    Returns:
        The difference of means, and the p-value with its logarithm. Groups that are empty or hold
        one and the same score give p = 1.

    Raises:
        ColumnError: A score is infinite or no number, or arrays differ in length.
        DesignError: A stratum is null.
        OptionError: An option is unknown or out of range, or an exact p-value is out of reach.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.permutation([2, 4], [1, 3])
        >>> round(result.pvalue, 6), result.method
        (0.666667, 'permutation-exact')
        >>> rs.stats.permutation([0.1, 0.2, 0.3], [0.3, 0.2, 0.1]).pvalue
        1.0

    References:
        Fisher (1935), The Design of Experiments. Pitman (1937), doi:10.2307/2984124. P-values from
        draws: Phipson and Smyth (2010), doi:10.2202/1544-6115.1585.
    """
    how = _How.checked(alternative, method, n_resamples, seed)
    groups = [_scores("x", x), _scores("y", y)]
    if strata is None:
        numbers = [pl.Series([0] * len(group), dtype=pl.UInt64) for group in groups]
    else:
        numbers = _strata(groups, strata)
    observed = [group.is_not_null() for group in groups]
    kept = [group.filter(seen) for group, seen in zip(groups, observed, strict=True)]
    within = [number.filter(seen) for number, seen in zip(numbers, observed, strict=True)]
    estimate, found = _core.shuffle_labels(kept[0], kept[1], within, how)
    pvalue, log_pvalue, drawn = _exact_or(found)
    return PermutationResult(
        estimate=estimate,
        pvalue=pvalue,
        log_pvalue=log_pvalue,
        n_x=len(kept[0]),
        n_y=len(kept[1]),
        n_missing=sum(group.null_count() for group in groups),
        alternative=alternative,
        method=f"permutation-{'exact' if drawn is None else 'monte-carlo'}",
        n_resamples=drawn,
        seed=None if drawn is None else how.seed,
    )


def sign_flip(
    x: Any,
    y: Any = None,
    *,
    cluster: Any = None,
    alternative: str = "two-sided",
    method: str = "auto",
    n_resamples: int = 9999,
    seed: int = 0,
) -> FlipResult:
    """Permutation test of paired scores: each difference as likely with the other sign.

    The null: differences are symmetric about zero. With `cluster`, the signs of whole clusters are
    flipped, whatever the dependence inside them. The statistic is the sum of differences.

    Args:
        x: Array of scores, or of differences if there is no `y`. Null and NaN are missing.
        y: Array of the partners' scores, of the same length.
        cluster: Array of the same length with each pair's cluster. No nulls.
        alternative: "two-sided"; "greater" if `x` is expected to be larger; or "less".
        method: As in `permutation`.
        n_resamples: Number of draws, if any.
        seed: Seed of the draws.

    Returns:
        The mean difference, and the p-value with its logarithm. Without a difference other than
        zero p = 1.

    Raises:
        ColumnError: A score is infinite or no number, or arrays differ in length.
        DesignError: A cluster is null.
        OptionError: An option is unknown or out of range, or an exact p-value is out of reach.

    Examples:
        >>> import reclaimstats as rs
        >>> f1, baseline = [0.9, 0.8, 0.7, 0.9, 0.6, None], [0.5, 0.6, 0.7, 0.4, 0.5, 0.9]
        >>> result = rs.stats.sign_flip(f1, baseline)
        >>> round(result.estimate, 2), round(result.pvalue, 6), result.n_missing
        (0.24, 0.125, 1)

    References:
        Fisher (1935), The Design of Experiments, section 21.
    """
    how = _How.checked(alternative, method, n_resamples, seed)
    first, second, n_missing, clusters = _pairs(x, y, cluster)
    if clusters is None:
        numbers = pl.Series(range(len(first)), dtype=pl.UInt64)
    else:
        numbers = clusters.rank("dense").cast(pl.UInt64) - 1
    estimate, positive, negative, found = _core.flip_signs(first, second, numbers, how)
    pvalue, log_pvalue, drawn = _exact_or(found)
    return FlipResult(
        estimate=estimate,
        pvalue=pvalue,
        log_pvalue=log_pvalue,
        n=len(first),
        n_clusters=None if clusters is None else clusters.n_unique(),
        n_missing=n_missing,
        positive=positive,
        negative=negative,
        alternative=alternative,
        method=f"flip-{'exact' if drawn is None else 'monte-carlo'}",
        n_resamples=drawn,
        seed=None if drawn is None else how.seed,
    )


def wilcoxon(
    x: Any,
    y: Any = None,
    *,
    zeros: str = "wilcox",
    alternative: str = "two-sided",
    method: str = "auto",
) -> RankResult:
    """Wilcoxon's signed-rank test of paired scores, exact with ties and zeros too.

    The null: differences are symmetric about zero. Ranks of tied differences are the mean of
    theirs. Pairs count as independent.

    Args:
        x: Array of scores, or of differences if there is no `y`. Null and NaN are missing.
        y: Array of the partners' scores, of the same length.
        zeros: "wilcox" leaves differences of zero out before ranks are given; "pratt" gives them
            ranks, which then do not count.
        alternative: "two-sided"; "greater" if `x` is expected to be larger; or "less".
        method: "auto" for exact up to the sizes in docs/unpaired.md, else from the
            normal distribution; "exact" for exact or an error; "asymptotic" for the latter, its
            variance corrected for ties, without a correction for continuity.

    Returns:
        The sum of positive ranks and the p-value. All differences zero, or none, give p = 1.

    Raises:
        ColumnError: A score is infinite or no number, or arrays differ in length.
        OptionError: An option is unknown, or an exact p-value is out of reach.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.wilcoxon([5, 3, 3, 0, -1, 4, 2, 2])
        >>> result.statistic, round(result.pvalue, 6)
        (27.0, 0.03125)
        >>> rs.stats.wilcoxon([0, 0, 0, 0, 0]).pvalue
        1.0

    References:
        Wilcoxon (1945), doi:10.2307/3001968. Pratt (1959), doi:10.1080/01621459.1959.10501526.
    """
    choice("zeros", zeros, _core.ZEROS)
    _checked_ranks(alternative, method)
    first, second, n_missing, _ = _pairs(x, y, None)
    found = _core.signed_ranks(first, second, zeros, alternative, method)
    return _ranked("wilcoxon", found, len(first), n_missing, alternative)


def mann_whitney(
    x: Any, y: Any, *, alternative: str = "two-sided", method: str = "auto"
) -> RankResult:
    """Wilcoxon's rank-sum test of two groups, the Mann-Whitney test, exact with ties too.

    The null: a score has nothing to do with its group. Ranks of tied scores are the mean of theirs.
    Scores count as independent.

    Args:
        x: Array of scores of the first group. Null and NaN are missing.
        y: Array of scores of the second.
        alternative: "two-sided", the rank sums at least as far from their mean as the observed
            one; "greater" if `x` is expected to be larger; or "less".
        method: As in `wilcoxon`.

    Returns:
        Mann and Whitney's U of the first group and the p-value. Groups that are empty or hold one
        and the same score give p = 1.

    Raises:
        ColumnError: A score is infinite or no number.
        OptionError: An option is unknown, or an exact p-value is out of reach.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.mann_whitney([1, 2, 2, 3], [3, 4, 4, 5])
        >>> result.statistic, round(result.pvalue, 4)
        (0.5, 0.0571)

    References:
        Mann and Whitney (1947), doi:10.1214/aoms/1177730491.
    """
    _checked_ranks(alternative, method)
    groups = [_scores("x", x), _scores("y", y)]
    kept = [group.drop_nulls() for group in groups]
    found = _core.rank_sums(kept[0], kept[1], alternative, method)
    n_missing = sum(group.null_count() for group in groups)
    return _ranked("mann-whitney", found, len(kept[0]) + len(kept[1]), n_missing, alternative)


def _checked_ranks(alternative: str, method: str) -> None:
    choice("alternative", alternative, _core.ALTERNATIVES)
    choice("method", method, _core.RANK_METHODS)


def _ranked(
    test: str,
    found: tuple[float, float, float, bool] | None,
    n: int,
    n_missing: int,
    alternative: str,
) -> RankResult:
    if found is None:
        raise _out_of_reach("asymptotic")
    statistic, pvalue, log_pvalue, exact = found
    method = f"{test}-{'exact' if exact else 'asymptotic'}"
    return RankResult(statistic, pvalue, log_pvalue, n, n_missing, alternative, method)


def _exact_or(found: tuple[float, float, int | None] | None) -> tuple[float, float, int | None]:
    if found is None:
        raise _out_of_reach("monte-carlo")
    return found


def _out_of_reach(other: str) -> OptionError:
    return OptionError(
        "method='exact': the null distribution has too many values to count; use method='auto' "
        f"or {other!r}"
    )


def _scores(name: str, values: Any) -> pl.Series:
    """Read an array of scores; null and NaN become null."""
    column = series(name, values)
    if not (column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null)):
        raise ColumnError(f"{name} must be numbers; it is {column.dtype}")
    # The least and the most say it without a query, which takes longer than a test of a few scores.
    least, most = _extremes(column)
    if column.dtype.is_integer() and not -(2**53) <= least <= most <= 2**53:
        raise ColumnError(
            f"{name} holds whole numbers beyond 2^53, which lose digits; subtract a constant first"
        )
    scores = column.cast(pl.Float64).fill_nan(None)
    least, most = _extremes(scores)
    if math.inf in (-least, most):
        raise ColumnError(f"{name} holds infinite scores; a sum of them means nothing")
    return scores


def _extremes(numbers: pl.Series) -> tuple[Any, Any]:
    return numbers.min() or 0, numbers.max() or 0


def _same_length(**arrays: pl.Series) -> None:
    lengths = {name: len(array) for name, array in arrays.items()}
    if len(set(lengths.values())) > 1:
        raise ColumnError(
            f"{' and '.join(lengths)} must have one length; got "
            f"{' and '.join(map(str, lengths.values()))}"
        )


def _pairs(x: Any, y: Any, cluster: Any) -> tuple[pl.Series, pl.Series, int, pl.Series | None]:
    """Scores of the pairs that have both, how many have not, and the clusters of the former."""
    first = _scores("x", x)
    second = pl.Series([0.0]).new_from_index(0, len(first)) if y is None else _scores("y", y)
    _same_length(x=first, y=second)
    whole = first.is_not_null() & second.is_not_null()
    clusters = None
    if cluster is not None:
        clusters = keys("cluster", cluster)
        _same_length(x=first, cluster=clusters)
        if n_null := clusters.null_count():
            raise DesignError(
                f"cluster is null or NaN in {n_null} pairs; fill it in or leave those pairs out: "
                "a pair without a cluster cannot be placed"
            )
        clusters = clusters.filter(whole)
    return first.filter(whole), second.filter(whole), int((~whole).sum()), clusters


def _strata(groups: list[pl.Series], strata: Sequence[Any]) -> list[pl.Series]:
    """Numbers of the strata of both groups."""
    if not isinstance(strata, list | tuple) or len(strata) != 2:
        raise OptionError(f"strata must be two arrays, those of x and of y; received {strata!r}")
    names = [keys(f"strata of {name}", values) for name, values in zip("xy", strata, strict=True)]
    for group, name in zip(groups, names, strict=True):
        _same_length(**{group.name: group, name.name: name})
        if n_null := name.null_count():
            raise DesignError(f"{name.name}: {n_null} are null or NaN; a score needs a stratum")
    try:
        both = pl.concat([name.alias("stratum") for name in names], how="vertical")
    except pl.exceptions.PolarsError as error:
        raise ColumnError(f"strata of x and y must be of one type: {error}") from error
    numbers = both.rank("dense").cast(pl.UInt64) - 1
    return [numbers.head(len(groups[0])), numbers.slice(len(groups[0]))]
