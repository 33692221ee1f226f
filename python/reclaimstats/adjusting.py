"""P-values of a result beside those adjusted for being as many as it has rows."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from reclaimstats import _core
from reclaimstats.options import choice

__all__ = ["Adjusted"]


@dataclass(frozen=True, slots=True)
class Adjusted:
    """How the tests of a result are adjusted.

    Attributes:
        method: One of `_core.ADJUSTMENTS`; nothing adjusts nothing.
        tests: Columns of p-values.
    """

    method: str | None
    tests: Sequence[str]

    @classmethod
    def checked(cls, method: str | None, tests: Sequence[str]) -> "Adjusted":
        """Check the method.

        Raises:
            OptionError: It is unknown.
        """
        if method is not None:
            choice("adjust", method, _core.ADJUSTMENTS)
        return cls(method, tests)

    @property
    def names(self) -> list[str]:
        """Return the columns that adjusting adds, one a test."""
        return [] if self.method is None else [f"{test}_adjusted" for test in self.tests]

    def among(self, columns: Sequence[str], *, before: str) -> list[str]:
        """Return the columns of a result with those before one of them."""
        place = columns.index(before)
        return [*columns[:place], *self.names, *columns[place:]]

    def added(self, result: pl.DataFrame) -> pl.DataFrame:
        """Return the result with those columns, adjusted over its rows."""
        if self.method is None:
            return result
        return result.with_columns(
            pl.Series(_core.adjust(result[test], self.method)).alias(name)
            for test, name in zip(self.tests, self.names, strict=True)
        )
