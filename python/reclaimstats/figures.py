"""Printed figures: which integer tables print them so."""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from reclaimstats import _core
from reclaimstats.design.columns import as_lazy, column_names, not_results
from reclaimstats.errors import ColumnError
from reclaimstats.options import choice, confidence, integer

__all__ = ["Audit", "audit"]

# In the order in which the core takes them.
_TEXTS = ("figure", "printed", "treatment", "baseline", "difference", "agreement", "method")
_NUMBERS = (
    "n",
    "n_baseline",
    "successes",
    "successes_baseline",
    "treatment_only",
    "baseline_only",
    "of",
    "least",
    "most",
)
_VERDICTS = ("verdict", "n_tables", "methods", "reason")
_MOST = 10**15


@dataclass(frozen=True, slots=True)
class Audit:
    """What an audit found.

    Attributes:
        figures: One row a figure: its columns, then `verdict`, `n_tables`, `methods`, `reason`.
        tables: One row a table and method that print a figure so.
    """

    figures: pl.DataFrame
    tables: pl.DataFrame


def audit(
    figures: Any,
    *,
    rounding: str = "either",
    confidence_level: float = 0.95,
    max_tables: int = 100,
) -> Audit:
    """Say of printed figures whether any integer table prints them so, and list those that do.

    A row of `figures` is one printed figure. Figures are text, so that their digits are known:
    "0.50" says more than "0.5". They are read as they stand in print ("p < .001",
    "88% [84, 91]", "2.3 × 10^-17", "+9.0 pp", "64.4 ± 7.2"); a sign of percent makes all
    numbers of a text percent, and so does a share above one. Null says that nothing is printed.

    Args:
        figures: A frame, a mapping, or a list of mappings, with these columns; all but the
            first two may be missing.

            - `figure`: what is printed. "rate"; "interval", of a rate, which may stand before
              it; "difference" of two rates; "p", of a two-sided test; "kappa", Cohen's, of two
              categories; "mean", alone or with a standard deviation.
            - `printed`: the figure.
            - `n`: trials, pairs, rated items or averaged values; `n_baseline`: trials of the
              second arm, where the arms are independent.
            - `treatment`, `baseline`, `difference`: printed rates of both arms and their
              printed difference; `agreement`: printed raw agreement.
            - `successes`, `successes_baseline`, `treatment_only`, `baseline_only`: counts
              where they are printed.
            - `of`: trials behind each averaged value, where values are rates; `least`, `most`:
              bounds of whole-numbered scores.
            - `method`: names of the methods to consider, with spaces between them. By default
              all that the rest allows; docs/audit.md lists them.

            Other columns are labels and are kept.
        rounding: What becomes of a value half-way between two printed ones. "either": it may
            have gone up or down; "half-up": away from zero; "half-even": to the even digit.
        confidence_level: Two-sided level of printed intervals.
        max_tables: How many tables of a figure are listed; all are counted.

    Returns:
        Two frames. `figures` has the rows and columns given, then `verdict`: "unique" or
        "several" where tables print so, "none" where no table does by any method considered,
        "undecided" where that cannot be said, with `reason`; `n_tables`; and `methods`, the
        names of those that give it. `tables` has one row a table and method: `row` of the
        figure, labels, `figure`, `printed`, `method`, `value` before rounding (of a p-value
        `pvalue`), `low`, `high`, `sd`, and the table: `successes`, `successes_baseline`,
        `successes_difference`, `treatment_only`, `baseline_only`; of raters `both`,
        `first_only`, `second_only`, `neither`; of means `sum`, or `scores` and how often each
        occurs, `counts`.

    Raises:
        ColumnError: `figure` or `printed` is missing, a label is nearly the name of a column that
            is read, a printed column is not text, a count is
            no whole number, or a label has the name of a result.
        OptionError: An option is unknown or out of range.

    Examples:
        >>> import reclaimstats as rs
        >>> arms = {"figure": "p", "n": 100, "treatment": "92%", "baseline": "83%"}
        >>> result = rs.audit([{**arms, "printed": ".023"}, {**arms, "printed": ".022"}])
        >>> result.figures["verdict"].to_list()
        ['none', 'unique']
        >>> result.tables.select("treatment_only", "baseline_only", "method").row(0)
        (11, 2, 'mcnemar-exact')

    References:
        GRIM: Brown and Heathers (2017), doi:10.1177/1948550616673876. GRIMMER: Anaya (2016),
        PeerJ Preprints 4, e2400v1. McNemar (1947), doi:10.1007/BF02295996; mid-p: Fagerland,
        Lydersen and Laake (2013), doi:10.1186/1471-2288-13-91. Cohen (1960),
        doi:10.1177/001316446002000104.
    """
    choice("rounding", rounding, _core.ROUNDINGS)
    level = confidence(confidence_level)
    integer("max_tables", max_tables, least=1, most=1_000_000)
    given = _frame(figures)
    column_names(given.columns, ["figure", "printed"], argument="figures")
    labels = [name for name in given.columns if name not in (*_TEXTS, *_NUMBERS)]
    for label in labels:
        near = difflib.get_close_matches(label.lower(), [*_TEXTS, *_NUMBERS], n=1, cutoff=0.85)
        if near:
            raise ColumnError(
                f"figures: {label!r} is not read; did you mean {near[0]!r}? What is read is "
                f"{', '.join([*_TEXTS, *_NUMBERS])}; rename a label that is none of these"
            )
    not_results(labels, [*_VERDICTS, *_TABLE], argument="figures")
    verdicts, tables = _core.audit_figures(
        [_text(given, name) for name in _TEXTS],
        [_number(given, name) for name in _NUMBERS],
        rounding,
        level,
        max_tables,
    )
    found = pl.DataFrame(tables)
    shown = given.select(*labels, "figure", "printed")
    beside = shown[found["row"].cast(pl.UInt32)] if given.height else shown
    is_p = pl.col("figure") == "p"
    listed = pl.DataFrame([found["row"], *beside, *found.drop("row")])
    return Audit(
        figures=pl.DataFrame([*given, *pl.DataFrame(verdicts)]),
        tables=listed.with_columns(
            value=pl.when(~is_p).then("value"), pvalue=pl.when(is_p).then("value")
        ).select("row", *beside.columns, "method", *_TABLE[1:]),
    )


_TABLE = (
    "row",
    "value",
    "pvalue",
    "low",
    "high",
    "sd",
    "successes",
    "successes_baseline",
    "successes_difference",
    "treatment_only",
    "baseline_only",
    "both",
    "first_only",
    "second_only",
    "neither",
    "sum",
    "scores",
    "counts",
)


def _frame(figures: Any) -> pl.DataFrame:
    if isinstance(figures, Mapping):
        figures = [figures]
    if isinstance(figures, list | tuple) and all(isinstance(row, Mapping) for row in figures):
        try:
            return pl.DataFrame(figures, infer_schema_length=None)
        except (TypeError, pl.exceptions.PolarsError) as error:
            raise ColumnError(f"figures do not go into one table: {error}") from error
    return as_lazy(figures).collect()


def _text(given: pl.DataFrame, name: str) -> pl.Series:
    column = given[name] if name in given.columns else pl.Series(name, [None] * given.height)
    if column.dtype not in (pl.String, pl.Categorical, pl.Enum, pl.Null):
        raise ColumnError(
            f"figures: {name!r} has type {column.dtype}; it must be text, because '0.50' says "
            "more digits than 0.5"
        )
    return column.cast(pl.String)


def _number(given: pl.DataFrame, name: str) -> pl.Series:
    column = given[name] if name in given.columns else pl.Series(name, [None] * given.height)
    if not (column.dtype.is_integer() or column.dtype in (pl.String, pl.Null)):
        raise ColumnError(f"figures: {name!r} has type {column.dtype}; it must be whole numbers")
    whole = column.cast(pl.Int64, strict=False)
    wrong = column.filter(whole.is_null() & column.is_not_null() & (column.cast(pl.String) != ""))
    least = -_MOST if name in ("least", "most") else 0
    wrong = wrong.cast(pl.String).append(
        whole.filter(~whole.is_between(least, _MOST)).cast(pl.String)
    )
    if len(wrong):
        raise ColumnError(
            f"figures: {name!r} holds {wrong[0]!r}; it must be a whole number from {least} to "
            f"{_MOST}"
        )
    return whole.cast(pl.Float64)
