"""What an answer is worth: outcomes from answer, truth and drift."""

from collections.abc import Sequence

import polars as pl

from reclaimstats import _core
from reclaimstats.errors import ColumnError
from reclaimstats.options import distance

OUTCOME = pl.Enum(_core.OUTCOMES)
"""Type of `outcome`: recovered, inherited, novel, abstained."""

_NAMES = pl.Series(_core.OUTCOMES, dtype=OUTCOME)


def outcome(
    answer: str | pl.Expr,
    truth: str | pl.Expr,
    drift: str | pl.Expr | None = None,
    *,
    tolerance: float = 0.0,
) -> pl.Expr:
    """Say what became of an answer: recovered, inherited, novel or abstained.

    A row is a trial. The answer is *recovered* where it is the truth, *inherited* where it is
    the drift (the stale value that an earlier error left behind), *novel* where it is another
    value, and *abstained* where there is none. Where truth and drift are both met, it is
    recovered.

    Args:
        answer: Column name or expression, numbers or text. Null and NaN are no answer.
        truth: The right value, of the same kind. Where it is null or NaN, so is the outcome.
        drift: The stale value, if there is one; where it is null nothing is inherited.
        tolerance: Two numbers nearer than this count as equal. At 0.5 a value midway between two
            whole numbers is neither of them. Text must be equal.

    Returns:
        Expression of the Enum `OUTCOME`.

    Raises:
        OptionError: The tolerance is negative or not a number.
        ColumnError: The columns are neither all numbers nor all text (when the expression runs).

    Examples:
        >>> import polars as pl, reclaimstats as rs
        >>> trials = pl.DataFrame({"answer": [46.2, 55.0, 50.0, None]})
        >>> result = rs.score.outcome("answer", pl.lit(46.0), pl.lit(55.0), tolerance=0.5)
        >>> trials.select(result).to_series().to_list()
        ['recovered', 'inherited', 'novel', 'abstained']
    """
    nearer_than = distance("tolerance", tolerance)

    def classify(columns: Sequence[pl.Series]) -> pl.Series:
        if all(_is_text(column.dtype) for column in columns):
            said, true, stale = (column.cast(pl.String) for column in columns)
            codes = _core.outcome_text(said, true, stale)
        elif all(_is_number(column.dtype) for column in columns):
            said, true, stale = (column.cast(pl.Float64) for column in columns)
            codes = _core.outcome_number(said, true, stale, nearer_than)
        else:
            found = ", ".join(f"{column.name!r} {column.dtype}" for column in columns)
            raise ColumnError(
                f"outcome: answer, truth and drift must be all numbers or all text; got {found}"
            )
        return _NAMES.gather(pl.Series(codes)).alias(columns[0].name)

    inputs = [answer, truth, pl.lit(None) if drift is None else drift]
    columns = [pl.col(item) if isinstance(item, str) else item for item in inputs]
    return pl.map_batches(columns, classify, return_dtype=OUTCOME, is_elementwise=True)


def _is_text(dtype: pl.DataType) -> bool:
    return dtype in (pl.String, pl.Categorical, pl.Enum, pl.Null)


def _is_number(dtype: pl.DataType) -> bool:
    return dtype.is_numeric() or dtype == pl.Null
