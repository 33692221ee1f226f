"""Array-level statistics: arrays in, one frozen result out, no frame in between."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.estimates import rate as rate_cells
from reclaimstats.options import Plan, choice, integer

__all__ = [
    "FisherResult",
    "RateResult",
    "SignTestResult",
    "fisher",
    "mcnemar",
    "rate",
    "sign_test",
]


@dataclass(frozen=True, slots=True)
class RateResult:
    """A rate with its interval; the fields are the columns of `reclaimstats.rate`."""

    n: int
    n_clusters: int | None
    n_missing: int
    estimate: float | None
    low: float | None
    high: float | None
    bound_low: float | None
    bound_high: float | None
    method: str
    confidence_level: float
    n_resamples: int | None
    seed: int | None
    reason: str | None

    def to_frame(self) -> pl.DataFrame:
        """Return the result as a frame of one row."""
        return pl.DataFrame([asdict(self)])


@dataclass(frozen=True, slots=True)
class SignTestResult:
    """An exact two-sided sign test.

    Attributes:
        pvalue: The p-value; 0.0 where it is below the smallest double.
        log_pvalue: Its natural logarithm, finite at any depth.
        positive: Count on one side.
        negative: Count on the other.
        method: Name of the test.
    """

    pvalue: float
    log_pvalue: float
    positive: int
    negative: int
    method: str

    def to_frame(self) -> pl.DataFrame:
        """Return the result as a frame of one row."""
        return pl.DataFrame([asdict(self)])


@dataclass(frozen=True, slots=True)
class FisherResult:
    """Fisher's exact test of a fourfold table.

    Attributes:
        pvalue: The p-value; 0.0 where it is below the smallest double.
        log_pvalue: Its natural logarithm, finite at any depth.
        odds_ratio: The sample's, a d / (b c); null where b or c is 0.
        table: The counts, rows as they were given.
        alternative: Which tables count as evidence.
        method: Name of the test.
        reason: Why the odds ratio is null.
    """

    pvalue: float
    log_pvalue: float
    odds_ratio: float | None
    table: tuple[tuple[int, int], tuple[int, int]]
    alternative: str
    method: str
    reason: str | None

    def to_frame(self) -> pl.DataFrame:
        """Return the result as a frame of one row."""
        return pl.DataFrame([asdict(self)])


def rate(
    outcomes: Any,
    *,
    cluster: Any = None,
    method: str = "auto",
    confidence_level: float = 0.95,
    resampler: str = "auto",
    n_resamples: int = 5000,
    seed: int = 0,
) -> RateResult:
    """Share of outcomes that are 1, with an interval that covers.

    Args:
        outcomes: Array of 0 and 1 or Booleans, one a trial: a list, NumPy array, Polars Series
            or Arrow array. Null and NaN are missing.
        cluster: Array of the same length with each trial's cluster, or nothing.
        method: As in `reclaimstats.rate`, and so are the other options.
        confidence_level: Two-sided level of the interval, one-sided of the bounds.
        resampler: How percentiles are found.
        n_resamples: Number of random resamples, where there are draws.
        seed: Seed of the draws.

    Returns:
        The result, with the meanings of `reclaimstats.rate`.

    Raises:
        ColumnError: An outcome is not 0 or 1, or the arrays differ in length.
        DesignError: A cluster is null, or the replay was combined with clusters.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.rate([1] * 37 + [0] * 59)
        >>> round(result.low, 4), round(result.high, 4), result.method
        (0.2943, 0.4854, 'wilson')
    """
    options: dict[str, Any] = {
        "method": method,
        "confidence_level": confidence_level,
        "resampler": resampler,
        "n_resamples": n_resamples,
        "seed": seed,
    }
    values = _series("outcome", outcomes)
    if cluster is None:
        return _rate_of_trials(
            values, Plan.checked(**options, methods=_core.RATE_METHODS, cluster=[])
        )
    groups = _series("cluster", cluster)
    if len(groups) != len(values):
        raise ColumnError(
            f"outcomes and cluster must have one length; got {len(values)} and {len(groups)}"
        )
    table = rate_cells(pl.DataFrame([values, groups]), "outcome", cluster="cluster", **options)
    return RateResult(**table.row(0, named=True))


def _series(name: str, values: Any) -> pl.Series:
    if values is None:
        raise ColumnError(f"{name} must be an array; received None")
    try:
        return pl.Series(name, values)
    except TypeError as error:
        raise ColumnError(f"{name} must be an array of one type: {error}") from error


def _rate_of_trials(values: pl.Series, plan: Plan) -> RateResult:
    """Count in one pass, without the cost of a query."""
    if not (values.dtype.is_numeric() or values.dtype in (pl.Boolean, pl.Null)):
        raise ColumnError(f"outcomes must be Booleans or numbers 0 and 1; they are {values.dtype}")
    numbers = values.cast(pl.Float64)
    observed, successes, n_missing, invalid = _core.tally(numbers)
    if invalid:
        raise ColumnError(f"outcomes hold {invalid} values other than 0 and 1 (or null or NaN)")
    trials, hits = (pl.Series([count], dtype=pl.UInt64) for count in (observed, successes))
    if plan.resampler == "cpython":
        in_order = numbers.drop_nulls().drop_nans().cast(pl.Int8)
        result = _core.rate_sequences(trials, in_order, plan)
    else:
        result = _core.rate_trials(trials, hits, plan)
    row = pl.DataFrame(result).row(0, named=True)
    return RateResult(**row, n_missing=n_missing)


def sign_test(positive: int, negative: int) -> SignTestResult:
    """Exact two-sided sign test of `positive` against `negative`, ties left out.

    The null is a fair coin. Equal counts, nothing at all among them, give p = 1.

    Args:
        positive: How many differences are above zero.
        negative: How many are below.

    Returns:
        The p-value and its logarithm.

    Raises:
        OptionError: A count is negative or not a whole number.

    Examples:
        >>> import reclaimstats as rs
        >>> round(rs.stats.sign_test(15, 6).pvalue, 4)
        0.0784

    References:
        Arbuthnott (1710), doi:10.1098/rstl.1710.0011. Dixon and Mood (1946),
        doi:10.1080/01621459.1946.10501898.
    """
    return _sign_test(positive, negative, ("positive", "negative"), "sign-exact")


def mcnemar(treatment_only: int, baseline_only: int) -> SignTestResult:
    """Exact two-sided McNemar test on the discordant pairs of a paired comparison.

    The null: a pair on which the arms disagree favours either with equal chance. It counts
    pairs as independent; where they share an item or a document, test over clusters.

    Args:
        treatment_only: Pairs in which only the treatment succeeds.
        baseline_only: Pairs in which only the baseline succeeds.

    Returns:
        The p-value and its logarithm.

    Raises:
        OptionError: A count is negative or not a whole number.

    Examples:
        >>> import reclaimstats as rs
        >>> round(rs.stats.mcnemar(28, 11).pvalue, 4)
        0.0095

    References:
        McNemar (1947), doi:10.1007/BF02295996.
    """
    names = ("treatment_only", "baseline_only")
    return _sign_test(treatment_only, baseline_only, names, "mcnemar-exact")


def adjust(pvalues: Any, *, method: str) -> pl.Series:
    """Adjust p-values for being many.

    Each p-value is a test of one family. Nulls are tests that were not made: they stay null and
    do not count.

    Args:
        pvalues: Numbers from 0 to 1.
        method: "holm" bounds the chance of any false rejection, whatever the dependence between
            the tests; "hochberg" does so more sharply where tests are independent or positively
            dependent. "benjamini-hochberg" bounds the expected share of false rejections among
            all there are, for such tests; "benjamini-yekutieli" whatever the dependence.

    Returns:
        Float64 values in the order given: reject where one is at most the level.

    Raises:
        ColumnError: A p-value is NaN or not from 0 to 1.
        OptionError: The method is unknown.

    Examples:
        >>> import reclaimstats as rs
        >>> rs.stats.adjust([0.04, 0.01, None, 0.03], method="holm").round(9).to_list()
        [0.06, 0.03, None, 0.06]

    References:
        Holm (1979), Scandinavian Journal of Statistics 6, 65-70. Hochberg (1988),
        doi:10.1093/biomet/75.4.800. Benjamini and Hochberg (1995),
        doi:10.1111/j.2517-6161.1995.tb02031.x. Benjamini and Yekutieli (2001),
        doi:10.1214/aos/1013699998.
    """
    choice("method", method, _core.ADJUSTMENTS)
    values = _series("pvalues", pvalues)
    if not (values.dtype.is_numeric() or values.dtype == pl.Null):
        raise ColumnError(f"pvalues must be numbers from 0 to 1; they are {values.dtype}")
    numbers = values.cast(pl.Float64)
    wrong = numbers.filter(~numbers.is_between(0.0, 1.0))
    if len(wrong):
        raise ColumnError(f"pvalues must be numbers from 0 to 1; one is {wrong[0]}")
    return pl.Series(_core.adjust(numbers, method)).alias(values.name)


def _sign_test(first: int, second: int, names: tuple[str, str], method: str) -> SignTestResult:
    first = integer(names[0], first, least=0, most=2**62)
    second = integer(names[1], second, least=0, most=2**62)
    pvalue, log_pvalue = _core.sign_test(first, second)
    return SignTestResult(pvalue, log_pvalue, first, second, method)


def fisher(table: Any, *, alternative: str = "two-sided") -> FisherResult:
    """Fisher's exact test of a table of two rows and two columns, margins held fixed.

    The null: rows and columns have nothing to do with each other. It counts trials as
    independent. A row or column of zeros says nothing: p = 1.

    Args:
        table: Two rows of two counts: for example, of each arm, successes and failures. Trials
            without an outcome belong in no cell; null and NaN are refused.
        alternative: "two-sided" adds up the tables that are no more likely than this one, to
            within a relative 1e-7; "less" those with as small a first cell or smaller (the odds
            ratio is below 1); "greater" those with as large a one or larger.

    Returns:
        The p-value and its logarithm, with the sample's odds ratio.

    Raises:
        OptionError: The table is not two by two, a count is negative, not a whole number or
            above 2^50, or the alternative is unknown.

    Examples:
        >>> import reclaimstats as rs
        >>> result = rs.stats.fisher([[1, 25], [6, 18]])
        >>> round(result.pvalue, 3), result.odds_ratio
        (0.045, 0.12)

    References:
        Fisher (1935), doi:10.2307/2342435. Loader (2000), "Fast and accurate computation of
        binomial probabilities", for the probability of a table.
    """
    choice("alternative", alternative, _core.ALTERNATIVES)
    (a, b), (c, d) = counts = _fourfold(table)
    log_pvalue = _core.fisher_test(counts, alternative)
    return FisherResult(
        pvalue=math.exp(log_pvalue),
        log_pvalue=log_pvalue,
        odds_ratio=a * d / (b * c) if b and c else None,
        table=counts,
        alternative=alternative,
        method="fisher-exact",
        reason=None if b and c else "a cell of the second diagonal is 0",
    )


def _fourfold(table: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    try:
        rows = [list(row) for row in (table.rows() if isinstance(table, pl.DataFrame) else table)]
    except TypeError:
        rows = []
    if [len(row) for row in rows] != [2, 2]:
        raise OptionError(f"table must be two rows of two counts; received {table!r}")
    (a, b), (c, d) = (
        [integer("table", count, least=0, most=2**50) for count in row] for row in rows
    )
    return (a, b), (c, d)
