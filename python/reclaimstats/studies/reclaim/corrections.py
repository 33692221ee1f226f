"""What opens the second session: a correction that may or may not say where the error is."""

from collections.abc import Sequence

import polars as pl

from reclaimstats.studies.reclaim.frames import each, options, problems_with
from reclaimstats.studies.reclaim.wording import DIRECTED, GENERIC

__all__ = ["ARMS", "corrections"]

ARMS = ("generic", "directed")


def corrections(problems: pl.DataFrame, *, arms: Sequence[str] = ARMS) -> pl.DataFrame:
    """Write the correction that opens each problem's second session.

    A row is a correction. `generic` says only that something is wrong; `directed` also names the
    item whose subtotal is wrong. Neither gives a value.

    Args:
        problems: A frame with pid and locus; one row a problem.
        arms: Which of generic, directed.

    Returns:
        pid, arm, correction; in the order of the problems, then of `arms`.

    Raises:
        ColumnError: If a column is missing or holds a null.
        OptionError: If an arm is unknown or given twice.
        DesignError: If a pid stands twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> for arm, text in reclaim.corrections(reclaim.problems(1)).drop("pid").rows():
        ...     print(f"{arm}: {text}")
        generic: Something you carried over is wrong. Check it again and give the total.
        directed: The subtotal for the belts is wrong. Work it out again and give the total.
    """
    asked = problems_with(problems, ("locus",))
    options("arms", arms, ARMS)
    cells = pl.DataFrame({"arm": arms}, schema={"arm": pl.String})
    return each(asked, cells).select(
        "pid",
        "arm",
        pl.when(pl.col("arm") == "directed")
        .then(pl.format(DIRECTED, "locus"))
        .otherwise(pl.lit(GENERIC))
        .alias("correction"),
    )
