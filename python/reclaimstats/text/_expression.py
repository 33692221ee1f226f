"""What every text scorer is made of: columns checked, a kernel mapped over them, a result named."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import polars as pl

from reclaimstats.errors import ColumnError, OptionError

_TRACE = {
    "span": pl.String,
    "start": pl.UInt64,
    "end": pl.UInt64,
    "rule": pl.String,
    "status": pl.String,
}


def elementwise(
    function: Callable[[Sequence[pl.Series]], pl.Series],
    inputs: Sequence[str | pl.Expr],
    dtype: pl.DataType,
) -> pl.Expr:
    columns = [pl.col(item) if isinstance(item, str) else item for item in inputs]
    return pl.map_batches(columns, function, return_dtype=dtype, is_elementwise=True)


def text_column(scorer: str, column: pl.Series) -> pl.Series:
    if column.dtype == pl.String:
        return column
    if column.dtype in (pl.Categorical, pl.Enum, pl.Null):
        return column.cast(pl.String)
    raise ColumnError(
        f"{scorer}: column {column.name!r} has type {column.dtype}; it must be text. "
        "Cast it with .cast(pl.String) if that is what it holds"
    )


def list_column(scorer: str, column: pl.Series) -> pl.Series:
    text = (pl.String, pl.Categorical, pl.Enum, pl.Null)
    if column.dtype == pl.Null or getattr(column.dtype, "inner", None) in text:
        return column.cast(pl.List(pl.String))
    raise ColumnError(
        f"{scorer}: column {column.name!r} has type {column.dtype}; it must be lists of text"
    )


def text_or_list_column(scorer: str, column: pl.Series) -> pl.Series:
    holds_lists = column.dtype in (pl.List, pl.Array)
    return list_column(scorer, column) if holds_lists else text_column(scorer, column)


def strings(name: str, values: str | Sequence[str]) -> list[str]:
    found = [values] if isinstance(values, str) else values
    if not isinstance(found, Iterable) or not all(isinstance(value, str) for value in found):
        raise OptionError(f"{name} must be text, one or several; received {values!r}")
    return list(found)


def several(name: str, values: Sequence[str], *, column: str = "") -> list[str]:
    """Return a closed set; a text alone, whose letters would do as well, is refused."""
    if isinstance(values, str):
        raise OptionError(
            f"{name}={values!r} is one text; name all of them, as in {name}=['yes', 'no']{column}"
        )
    return strings(name, values)


def traced(value: type[pl.DataType] | pl.DataType, *, with_trace: bool) -> pl.DataType:
    plain = value() if isinstance(value, type) else value
    return pl.Struct({"value": value, **_TRACE}) if with_trace else plain


def result(batch: Any, columns: Sequence[pl.Series]) -> pl.Series:
    table = pl.DataFrame(batch)
    values = table.to_series() if table.width == 1 else table.to_struct()
    return values.alias(columns[0].name)
