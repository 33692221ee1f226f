"""An outcome is 0, 1 or missing."""

from dataclasses import dataclass

import polars as pl

from reclaimstats.design.names import INVALID, MISSING, OUTCOME, SUCCESSES, N
from reclaimstats.errors import ColumnError

__all__ = [
    "Outcome",
]


@dataclass(frozen=True, slots=True)
class Outcome:
    """A 0/1 outcome as expressions: what was observed, what was hit, what makes no sense.

    A Boolean is also there as it is, because Polars counts its bits.
    """

    observed: pl.Expr
    hit: pl.Expr
    invalid: pl.Expr
    boolean: pl.Expr | None = None

    @classmethod
    def of(
        cls, dtype: pl.DataType, name: str, column: str = OUTCOME, *, argument: str = "outcome"
    ) -> "Outcome":
        """Read a column of that type; `argument` and `name` are for messages."""
        value = pl.col(column)
        if dtype == pl.Boolean or dtype == pl.Null:
            boolean = value.cast(pl.Boolean)
            return cls(boolean.is_not_null(), boolean.fill_null(False), pl.lit(False), boolean)
        if not dtype.is_numeric():
            raise ColumnError(
                f"{argument} {name!r} has type {dtype}; it must be Boolean or numbers 0 and 1. "
                f"Turn it into one first, for example pl.col({argument!r}) == 'yes'"
            )
        observed = value.is_not_null()
        if dtype.is_float():
            observed &= value.is_not_nan().fill_null(False)
        hit = (value == 1).fill_null(False)
        return cls(observed, hit, observed & ~hit & (value != 0).fill_null(False))

    def word(self) -> pl.Expr:
        """Tell outcomes apart: 0 and 1 as they are, 2 if it is missing, 3 if it makes no sense."""
        if self.boolean is not None:
            return self.boolean.cast(pl.UInt8).fill_null(2)
        hit = self.hit.cast(pl.UInt8)
        word = pl.when(self.invalid).then(3).when(self.observed).then(hit).otherwise(2)
        return word.cast(pl.UInt8)

    def counts(self) -> dict[str, pl.Expr]:
        """Aggregate to the numbers of trials `N`, `SUCCESSES`, `MISSING` and `INVALID`."""
        if self.boolean is not None:
            return {
                N: self.boolean.count(),
                SUCCESSES: self.boolean.sum(),
                MISSING: self.boolean.null_count(),
                INVALID: pl.lit(0),
            }
        return {
            N: self.observed.sum(),
            SUCCESSES: self.hit.sum(),
            MISSING: (~self.observed).sum(),
            INVALID: self.invalid.sum(),
        }
