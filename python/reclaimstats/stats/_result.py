"""What every array-level function takes and gives."""

from dataclasses import asdict
from typing import Any

import polars as pl

from reclaimstats.errors import ColumnError

__all__ = ["Result", "series"]


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
        raise ColumnError(f"{name} must be an array of one type: {error}") from error
