"""Keys of clusters, arms, items and pairs: null and NaN tell nothing apart and are refused."""

from collections.abc import Mapping, Sequence

import polars as pl

from reclaimstats.design.names import ITEM, N
from reclaimstats.errors import DesignError

__all__ = [
    "keyed",
    "no_null_clusters",
    "refuse_nulls",
]


def keyed(frame: pl.LazyFrame, keys: Sequence[str]) -> pl.LazyFrame:
    """Make NaN null in keys: neither tells arms, pairs or clusters apart; both are refused."""
    schema = frame.collect_schema()
    floats = [name for name in keys if schema[name].is_float()]
    return frame.with_columns(pl.col(floats).fill_nan(None)) if floats else frame


def no_null_clusters(cluster: list[str], n_null: int, argument: str = "cluster") -> None:
    """Raise if any trial has no cluster, which is the item where repeats are."""
    if n_null:
        raise DesignError(
            f"{argument} {cluster} is null or NaN in {n_null} trials; fill it in or filter those "
            f"trials out: a trial without a value in {argument} cannot be placed"
        )


def refuse_nulls(rows: pl.DataFrame, keys: Mapping[str, str]) -> None:
    """Raise if a key of ratings is null; `keys` says what it is for."""
    for name, argument in keys.items():
        if n_null := rows.filter(pl.col(name).is_null())[N].sum():
            raise DesignError(
                f"{argument} {name.removeprefix(ITEM)!r} is null or NaN in {n_null} rows; fill "
                "it in or filter those rows out: a rating without it cannot be placed"
            )
