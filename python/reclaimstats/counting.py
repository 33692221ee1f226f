"""Rows in memory counted by what they hold."""

from dataclasses import dataclass

import polars as pl

from reclaimstats import _core

__all__ = ["Kinds"]

# Types that the core tells apart, and those that stand for a number.
_PLAIN = {
    pl.Boolean,
    pl.Int8,
    pl.Int16,
    pl.Int32,
    pl.Int64,
    pl.UInt8,
    pl.UInt16,
    pl.UInt32,
    pl.UInt64,
    pl.Float32,
    pl.Float64,
    pl.String,
}
_NUMBERED = {pl.Categorical, pl.Enum, pl.Date, pl.Datetime, pl.Duration, pl.Time}


@dataclass(frozen=True, slots=True)
class Kinds:
    """Combinations of keys that occur, those of equal leading keys together.

    Attributes:
        rows: The number of a row of each.
        counts: How many of its rows say each word, or how many there are; UInt64.
        lengths: How many combinations there are of the same leading keys.
    """

    rows: pl.Series
    counts: list[pl.Series]
    lengths: pl.Series

    @classmethod
    def of(
        cls, keys: pl.DataFrame, said: pl.Series | None = None, words: int = 1, *, leading: int = 0
    ) -> "Kinds":
        """Count rows of equal keys, as Polars' `group_by` does.

        Args:
            keys: Columns that tell rows apart.
            said: What each row says, a number below `words`, UInt8; nothing where rows alone count.
            words: How many different things can be said; at most eight.
            leading: How many of the keys come first in what rows are put together by.
        """
        columns = [plain for column in keys if (plain := _plain(column)) is not None]
        if len(columns) < keys.width:
            return cls._by_polars(keys, said, words, leading)
        # What nobody says needs no room in a table.
        found = words
        if said is not None:
            said = said.rechunk()
            found = int(said.to_frame().select(pl.first().max().fill_null(0)).item()) + 1
        table, lengths = _core.count_kinds(columns, said, found, leading)
        rows, *counts = pl.DataFrame(table)
        none = pl.zeros(len(rows), dtype=pl.UInt64, eager=True)
        return cls(rows, [*counts, *[none] * (words - found)], pl.Series(lengths))

    @classmethod
    def _by_polars(
        cls, keys: pl.DataFrame, said: pl.Series | None, words: int, leading: int
    ) -> "Kinds":
        """See `of`; keys of any type."""
        names = [f"key.{place}" for place in range(keys.width)]
        word = pl.repeat(0, keys.height, dtype=pl.UInt8, eager=True) if said is None else said
        parts = [
            (pl.col("word") == place).sum().cast(pl.UInt64).alias(str(place))
            for place in range(words)
        ]
        columns = zip([*names, "word"], [*keys, word], strict=True)
        found = (
            pl.DataFrame([column.alias(name) for name, column in columns])
            .with_row_index("row")
            .group_by(names, maintain_order=True)
            .agg(pl.col("row").last(), *parts)
            .with_row_index("place")
        )
        runs = found.group_by(names[:leading] or pl.lit(0), maintain_order=True)
        places = runs.agg("place")["place"]
        found = found[places.explode(empty_as_null=False)]
        counts = [found[str(place)] for place in range(words)]
        return cls(found["row"], counts, places.list.len().cast(pl.UInt64))


def _plain(column: pl.Series) -> pl.Series | None:
    """Return a column that the core can read and that is equal where this one is."""
    kind = column.dtype.base_type()
    if kind in _NUMBERED:
        column = column.to_physical()
    elif kind not in _PLAIN:
        return None
    return column.rechunk()
