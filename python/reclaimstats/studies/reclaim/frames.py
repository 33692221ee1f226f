"""What the frames of a study must hold, and how they are crossed."""

from collections.abc import Sequence

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.options import choice

__all__ = ["distinct", "each", "each_once", "options", "problems_with"]


def problems_with(problems: pl.DataFrame, columns: Sequence[str]) -> pl.DataFrame:
    """Return pid and `columns`, without nulls and one row a pid."""
    needed = ("pid", *columns)
    column_names(problems.columns, needed, argument="problems")
    distinct("problems", problems.select("pid"))
    for column in needed:
        if problems[column].null_count():
            raise ColumnError(f"problems: column {column!r} holds nulls; drop those rows")
    return problems.select(needed)


def distinct(name: str, keys: pl.DataFrame) -> None:
    """Check that no row of the keys stands twice."""
    twice = keys.filter(keys.is_duplicated()).unique(maintain_order=True)
    if twice.height:
        raise DesignError(f"{name}: more than one row for {twice.head(3).to_dicts()}")


def options(name: str, given: Sequence[str], valid: Sequence[str]) -> None:
    """Check that the names given are known, and that there is at least one, each once."""
    for option in given:
        choice(name, option, valid)
    each_once(name, given)


def each_once(name: str, given: Sequence[object]) -> None:
    """Check that there is at least one value, each once."""
    if not given or len(set(given)) < len(given):
        raise OptionError(f"{name}={list(given)} must name at least one, and each once")


def each(rows: pl.DataFrame, cells: pl.DataFrame) -> pl.DataFrame:
    """Repeat every row for every cell."""
    return rows.join(cells, how="cross", maintain_order="left_right")
