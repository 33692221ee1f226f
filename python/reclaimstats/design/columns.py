"""Column arguments, checked: a table, names of its columns, an expression of one."""

import difflib
from collections.abc import Iterable, Sequence
from typing import Any

import polars as pl

from reclaimstats.errors import ColumnError

__all__ = [
    "as_lazy",
    "column_names",
    "expression",
    "listed",
    "not_results",
]


def as_lazy(trials: Any) -> pl.LazyFrame:
    """Return `trials` as a LazyFrame: a Polars frame or any Arrow-compatible table."""
    if isinstance(trials, pl.LazyFrame):
        return trials
    if isinstance(trials, pl.DataFrame):
        return trials.lazy()
    if hasattr(trials, "__arrow_c_stream__"):
        return pl.DataFrame(trials).lazy()
    raise ColumnError(
        f"trials must be a Polars DataFrame or LazyFrame, or a table with the Arrow "
        f"C stream interface (pyarrow, pandas, DuckDB); received {type(trials).__name__}"
    )


def listed(columns: str | Sequence[str] | None) -> list[str]:
    """Return one name, several names or nothing as a list without repeats."""
    if columns is None:
        return []
    names = [columns] if isinstance(columns, str) else columns
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise ColumnError(
            f"column arguments take a name or a list of names; received {columns!r}. "
            "Add an expression as a column first, with with_columns"
        )
    return list(dict.fromkeys(names))


def column_names(schema: Iterable[str], names: Sequence[str], *, argument: str) -> None:
    """Check that every name is a column; the message lists near names."""
    known = list(schema)
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"there are {known}"
            raise ColumnError(f"{argument}: no column {name!r}; {hint}")


def expression(schema: Iterable[str], value: object, *, argument: str) -> pl.Expr:
    """Return a name or an expression as an expression of one column that exists."""
    if isinstance(value, str):
        column_names(schema, [value], argument=argument)
        return pl.col(value)
    if not isinstance(value, pl.Expr):
        raise ColumnError(f"{argument} must be a name or an expression; received {value!r}")
    column_names(schema, value.meta.root_names(), argument=argument)
    if value.meta.has_multiple_outputs():
        raise ColumnError(f"{argument} {value} stands for several columns; name one")
    return value


def not_results(by: Iterable[str], result_columns: Sequence[str], *, argument: str = "by") -> None:
    """Check that no column of `by` has the name of a result's."""
    for column in by:
        if column in result_columns:
            raise ColumnError(
                f"{argument}: column {column!r} has the name of a result column; rename it first, "
                f"for example trials.rename({{{column!r}: 'my_{column}'}})"
            )
