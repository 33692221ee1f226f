"""Many tests at once."""

from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.options import choice
from reclaimstats.stats._result import series

__all__ = ["adjust"]


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
    values = series("pvalues", pvalues)
    if not (values.dtype.is_numeric() or values.dtype == pl.Null):
        raise ColumnError(f"pvalues must be numbers from 0 to 1; they are {values.dtype}")
    numbers = values.cast(pl.Float64)
    wrong = numbers.filter(~numbers.is_between(0.0, 1.0))
    if len(wrong):
        raise ColumnError(f"pvalues must be numbers from 0 to 1; one is {wrong[0]}")
    return pl.Series(_core.adjust(numbers, method)).alias(values.name)
