"""Tests of two independent groups."""

import math
import sys
from dataclasses import dataclass
from typing import Any

from reclaimstats import _core
from reclaimstats.options import choice
from reclaimstats.stats._result import Result, fourfold

__all__ = ["FisherResult", "fisher"]


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
