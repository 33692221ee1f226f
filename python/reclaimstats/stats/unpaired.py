"""Tests of two independent groups."""

import math
import sys
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.options import choice
from reclaimstats.stats._result import Result, counted, fourfold

__all__ = ["BarnardResult", "FisherResult", "barnard", "fisher", "fisher_tables"]


@dataclass(frozen=True, slots=True)
class FisherResult(Result):
    """Fisher's exact test of a fourfold table.

    Attributes:
        pvalue: The p-value; the smallest normal double, 2.2e-308, where it is below that.
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
    (a, b), (c, d) = counts = fourfold(table)
    log_pvalue = _core.fisher_test(counts, alternative)
    return FisherResult(
        pvalue=max(math.exp(log_pvalue), sys.float_info.min),
        log_pvalue=log_pvalue,
        odds_ratio=a * d / (b * c) if b and c else None,
        table=counts,
        alternative=alternative,
        method="fisher-exact",
        reason=None if b and c else "a cell of the second diagonal is 0",
    )


def fisher_tables(
    a: Any, b: Any, c: Any, d: Any, *, alternative: str = "two-sided"
) -> pl.DataFrame:
    """`fisher` of many tables in one call.

    Args:
        a: Array of counts, one a table: the first cell of the first row. A null in any cell makes
            the row's results null.
        b: The second cell of the first row.
        c: The first cell of the second row.
        d: The second cell of the second row.
        alternative: As in `fisher`.

    Returns:
        One row per table, in their order: `a`, `b`, `c`, `d` (Int64), `pvalue`, `log_pvalue`,
        `odds_ratio` (Float64, the last null where b or c is 0).

    Raises:
        ColumnError: A count is negative or not a whole number, or the arrays differ in length.
        OptionError: The alternative is unknown.

    Examples:
        >>> import reclaimstats as rs
        >>> found = rs.stats.fisher_tables([1, 5], [25, 5], [6, 5], [18, 5])
        >>> found["pvalue"].round(3).to_list()
        [0.045, 1.0]
    """
    choice("alternative", alternative, _core.ALTERNATIVES)
    cells = [counted(name, values) for name, values in zip("abcd", (a, b, c, d), strict=True)]
    lengths = [len(cell) for cell in cells]
    if len(set(lengths)) > 1:
        raise ColumnError(f"a, b, c and d must have one length; got {lengths}")
    numbers = [cell.fill_null(0).cast(pl.UInt64) for cell in cells]
    found = pl.DataFrame(_core.fisher_tables(numbers, alternative))
    whole = pl.all_horizontal(pl.col("a", "b", "c", "d").is_not_null())
    odds = pl.col("a").cast(pl.Float64) * pl.col("d") / (pl.col("b").cast(pl.Float64) * pl.col("c"))
    return (
        pl.DataFrame(cells)
        .hstack(found)
        .with_columns(
            pl.when(whole).then(pl.col("pvalue", "log_pvalue")),
            pl.when((pl.col("b") > 0) & (pl.col("c") > 0)).then(odds).alias("odds_ratio"),
        )
    )


@dataclass(frozen=True, slots=True)
class BarnardResult(Result):
    """Barnard's exact test of a fourfold table.

    Attributes:
        pvalue: The p-value; the smallest normal double, 2.2e-308, where it is below that.
        log_pvalue: Its natural logarithm, finite at any depth.
        difference: Rate of the first row minus rate of the second; null where one is empty.
        table: The counts, rows as they were given.
        alternative: Which tables count as evidence.
        method: Name of the test.
    """

    pvalue: float
    log_pvalue: float
    difference: float | None
    table: tuple[tuple[int, int], tuple[int, int]]
    alternative: str
    method: str


def barnard(table: Any, *, alternative: str = "two-sided") -> BarnardResult:
    """Barnard's unconditional exact test of two rates, the rows' totals held fixed.

    The null: both rows have the same rate. Tables count as evidence by the pooled score statistic,
    and the p-value is the largest over all common rates. It rejects more often than Fisher's test,
    which holds the columns' totals fixed too, and no more often than its level says. It counts
    trials as independent. A row of zeros, or no success or no failure at all, says nothing: p = 1.

    Args:
        table: Two rows of two counts: of each arm, successes and failures.
        alternative: "two-sided"; "less" if the first row's rate is expected to be lower; or
            "greater".

    Returns:
        The p-value and its logarithm, with the difference of the rates.

    Raises:
        OptionError: The table is not two by two, a count is negative or not a whole number, a row
            has more than 5000 trials (where Fisher's test says the same), or the alternative is
            unknown.

    Examples:
        >>> import reclaimstats as rs
        >>> round(rs.stats.barnard([[7, 27], [1, 33]]).pvalue, 4)
        0.0281
        >>> round(rs.stats.fisher([[7, 27], [1, 33]]).pvalue, 4)
        0.0544

    References:
        Barnard (1945), doi:10.1038/156177a0. Suissa and Shuster (1985), doi:10.2307/2981892.
    """
    choice("alternative", alternative, _core.ALTERNATIVES)
    (a, b), (c, d) = counts = fourfold(table)
    n, m = a + b, c + d
    if max(n, m) > _core.BARNARD_MOST:
        raise OptionError(
            f"table: a row has {max(n, m)} trials; Barnard's test takes up to "
            f"{_core.BARNARD_MOST}, and from there on stats.fisher says the same"
        )
    log_pvalue = _core.barnard_test(counts, alternative)
    return BarnardResult(
        pvalue=max(math.exp(log_pvalue), sys.float_info.min),
        log_pvalue=log_pvalue,
        difference=a / n - c / m if n and m else None,
        table=counts,
        alternative=alternative,
        method="barnard-pooled",
    )
