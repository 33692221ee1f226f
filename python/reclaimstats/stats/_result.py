"""What every array-level function takes and gives."""

from dataclasses import asdict
from typing import Any

import polars as pl

from reclaimstats.errors import ColumnError, OptionError
from reclaimstats.options import integer

__all__ = ["Result", "counted", "fourfold", "keys", "series"]


class Result:
    """A frozen dataclass of one result; its fields are the columns of a frame."""

    __slots__ = ()

    def to_frame(self) -> pl.DataFrame:
        """Return the result as a frame of one row."""
        return pl.DataFrame([asdict(self)])  # type: ignore[call-overload]


def series(name: str, values: Any) -> pl.Series:
    if values is None:
        raise ColumnError(f"{name} must be an array; received None")
    try:
        return pl.Series(name, values)
    except TypeError as error:
        if isinstance(values, list | tuple) and all(map(_number_or_nothing, values)):
            return pl.Series(name, values, dtype=pl.Float64, strict=False)
        raise ColumnError(f"{name} must be an array of one type: {error}") from error


def _number_or_nothing(value: object) -> bool:
    """Tell whether a value is null, a fraction, or a whole number that a double holds."""
    if isinstance(value, bool):
        return False
    return (
        value is None
        or isinstance(value, float)
        or (isinstance(value, int) and abs(value) <= 2**53)
    )


def keys(name: str, values: Any) -> pl.Series:
    """Read an array of keys; NaN becomes null, which none may be."""
    column = series(name, values)
    return column.fill_nan(None) if column.dtype.is_float() else column


def counted(name: str, values: Any) -> pl.Series:
    """Read an array of counts; null stays null."""
    column = series(name, values)
    if not (column.dtype.is_integer() or column.dtype == pl.Null):
        raise ColumnError(f"{name} must be whole numbers; it is {column.dtype}")
    # Compared as 64 bits: narrow types cannot hold the bound.
    wide = column.cast(pl.Int64, strict=False)
    if wide.null_count() > column.null_count() or not wide.is_between(0, 2**50).all():
        raise ColumnError(
            f"{name} must hold counts from 0 to 2^50; it holds {column.min()!r} to {column.max()!r}"
        )
    return wide


def fourfold(table: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    """Read a table of two rows of two counts."""
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
