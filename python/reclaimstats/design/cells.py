"""A cell is what the columns of `by` tell apart; in it lie clusters, and in those trials."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from reclaimstats.design.names import OUTCOME, N
from reclaimstats.errors import DesignError

__all__ = [
    "finished",
    "flat",
    "grouped",
    "nested",
    "parts",
]


def grouped(
    frame: pl.LazyFrame, by: list[str], aggregates: list[pl.Expr], *, in_order: bool = False
) -> pl.LazyFrame:
    """Aggregate per cell, cells sorted; without `by`, the frame is the one cell."""
    if not by:
        return frame.select(aggregates)
    return frame.group_by(by, maintain_order=in_order).agg(aggregates).sort(by)


def flat(cells: pl.DataFrame, *lists: str) -> tuple[pl.Series, list[pl.Series]]:
    """Return how many values each cell's lists hold, and those lists end to end."""
    lengths = cells[lists[0]].list.len().cast(pl.UInt64)
    return lengths, [cells[name].explode(empty_as_null=False) for name in lists]


def nested(
    cells: pl.DataFrame, by: list[str], rows: pl.DataFrame, *levels: list[str]
) -> list[pl.Series]:
    """Return how many of the first level each cell has, of the next each of those, to the rows.

    Args:
        cells: All cells, those without a row too.
        by: Columns that tell cells apart.
        rows: Rows sorted by the levels.
        levels: Columns that tell apart what lies within a cell, each level with those before.
    """
    inner = []
    for level in reversed(levels):
        rows = rows.group_by(level, maintain_order=True).agg(pl.len().cast(pl.UInt64).alias(N))
        inner.append(rows[N])
    if not by:
        return [pl.Series([rows.height], dtype=pl.UInt64), *reversed(inner)]
    counted = rows.group_by(by).agg(pl.len().cast(pl.UInt64).alias(N))
    found = cells.select(by).join(
        counted, on=by, how="left", nulls_equal=True, maintain_order="left"
    )
    return [found[N].fill_null(0), *reversed(inner)]


def parts(
    cells: pl.DataFrame, trials: pl.DataFrame, by: list[str], cluster: list[str], within: list[str]
) -> tuple[list[pl.Series], pl.Series]:
    """Return how many parts each part has, from the cells to the scores, and these end to end.

    Raises:
        DesignError: A part is null.
    """
    for name in within:
        if n_null := trials[name].null_count():
            raise DesignError(
                f"{name!r} is null or NaN in {n_null} trials; fill it in or filter those trials "
                "out: what is drawn as one must be known to be one"
            )
    keys = list(dict.fromkeys([*by, *cluster]))
    levels = [keys]
    for name in within:
        keys = list(dict.fromkeys([*keys, name]))
        levels.append(keys)
    rows = trials.filter(pl.col(OUTCOME).is_not_null()).sort(keys)
    return nested(cells, by, rows, *levels), rows[OUTCOME]


def finished(
    cells: pl.DataFrame, by: list[str], results: Any, columns: Sequence[str]
) -> pl.DataFrame:
    """Put the core's results beside their cells, in the order of `columns`."""
    table = pl.DataFrame(results)
    counted = [cells[name] if name in cells.columns else table[name] for name in columns]
    return pl.DataFrame([*cells.select(by), *counted])
