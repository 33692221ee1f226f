"""The baseline: one value, among those that tell arms apart."""

from typing import Any

import polars as pl

from reclaimstats.errors import ColumnError, DesignError, OptionError

__all__ = [
    "apart",
    "level_of",
    "one_level",
]


def one_level(contrast: object, baseline: object) -> None:
    """Check that the contrast is a column name and the baseline one of its possible values."""
    if not isinstance(contrast, str):
        raise ColumnError(f"contrast takes one column name; received {contrast!r}")
    if isinstance(baseline, pl.Series | pl.Expr | list) or getattr(baseline, "ndim", None):
        raise OptionError(f"baseline must be one value of {contrast!r}; received {baseline!r}")


def apart(contrast: str, **columns: list[str]) -> None:
    """Check that the contrast is not also among columns that have another part to play."""
    for argument, names in columns.items():
        if contrast in names:
            raise DesignError(f"{argument} must not hold the contrast {contrast!r} itself")


def level_of(levels: pl.Series, baseline: object, *, option: str = "baseline") -> Any:
    """Return the baseline as the data spell it, among all the levels that occur."""
    names = levels.to_list()
    if baseline not in names:
        raise DesignError(
            f"{option}={baseline!r} does not occur in {levels.name!r}, which holds "
            f"{', '.join(map(repr, names[:8])) or 'nothing: there are no trials'}"
        )
    if len(names) == 1:
        raise DesignError(
            f"{levels.name!r} holds only the {option} {baseline!r}; there is no arm "
            "to compare it with"
        )
    return names[names.index(baseline)]
