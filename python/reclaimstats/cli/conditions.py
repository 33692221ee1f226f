"""Which rows a command keeps: conditions as they are written, and what they mean."""

import argparse
import re
from dataclasses import dataclass

import polars as pl

from reclaimstats import io
from reclaimstats.errors import ColumnError, DesignError

__all__ = ["Condition", "holdings", "kept", "pair", "tests_of", "value_of"]


@dataclass(frozen=True, slots=True)
class Condition:
    """COL=VALUE or COL!=VALUE; for an outcome, COL alone."""

    column: str
    sign: str
    value: str

    @classmethod
    def parse(cls, argument: str) -> "Condition":
        """Read COL=VALUE or COL!=VALUE."""
        parts = re.fullmatch(r"([^=]+?)(!?=)(.*)", argument, re.DOTALL)
        if not parts:
            raise argparse.ArgumentTypeError(f"{argument!r} is not COL=VALUE or COL!=VALUE")
        return cls(*parts.groups())

    @classmethod
    def parse_outcome(cls, argument: str) -> "Condition":
        """Read the same, or COL alone."""
        return cls.parse(argument) if "=" in argument else cls(argument, "", "")

    def __str__(self) -> str:
        """Write it as it was written."""
        return f"{self.column}{self.sign}{self.value}"

    def holds(self, schema: pl.Schema) -> pl.Expr:
        """Return whether it holds, null where the column is null and a value was asked for."""
        column, dtype = pl.col(self.column), schema[self.column]
        if self.value == "":
            empty = column.is_null()
            if dtype == pl.String:
                empty |= column == ""
            return empty if self.sign == "=" else ~empty
        if not (dtype == pl.Boolean or dtype.is_numeric()):
            column = column.cast(pl.String)
        equal = column == pl.lit(value_of(self.value, self.column, dtype))
        return equal if self.sign == "=" else ~equal


def pair(argument: str) -> tuple[str, str]:
    """Read LEFT=RIGHT."""
    left, sign, right = argument.partition("=")
    if not (left and sign and right):
        raise argparse.ArgumentTypeError(f"{argument!r} has no = between two names")
    return left, right


def value_of(written: str, column: str, dtype: pl.DataType) -> object:
    """Return a value as the column would hold it."""
    if dtype == pl.Boolean:
        booleans = {"true": True, "1": True, "false": False, "0": False}
        if written.lower() not in booleans:
            raise ColumnError(f"column {column!r} holds true and false; {written!r} is neither")
        return booleans[written.lower()]
    if dtype.is_numeric():
        try:
            return int(written) if re.fullmatch(r"[+-]?\d+", written) else float(written)
        except ValueError:
            raise ColumnError(f"column {column!r} holds numbers; {written!r} is none") from None
    return written


@dataclass(frozen=True, slots=True)
class _Test:
    """What a row must meet to be kept."""

    written: str
    column: str
    holds: pl.Expr


def tests_of(arguments: argparse.Namespace, schema: pl.Schema) -> list[_Test]:
    """Return what --where and --where-in ask of a row; alternatives of one column are one test."""
    alternatives: dict[str, list[Condition]] = {}
    tests = []
    for condition in arguments.where:
        if condition.sign == "=":
            alternatives.setdefault(condition.column, []).append(condition)
        else:
            holds = condition.holds(schema).fill_null(True)
            tests.append(_Test(f"--where {condition}", condition.column, holds))
    for column, conditions in alternatives.items():
        holds = pl.any_horizontal(condition.holds(schema) for condition in conditions)
        tests.append(_Test(f"--where {' '.join(map(str, conditions))}", column, holds))
    for column, file in arguments.where_in:
        try:
            values = io.read(file, columns=column)[column]
        except ColumnError as error:
            raise ColumnError(f"--where-in {file}: {error}") from None
        tests.append(_Test(f"--where-in {column}={file}", column, _among(values, schema[column])))
    return tests


def _among(values: pl.Series, dtype: pl.DataType) -> pl.Expr:
    """Return whether a column of that type holds one of the values."""
    column = pl.col(values.name)
    if dtype in (pl.Categorical, pl.Enum):
        column, dtype = column.cast(pl.String), pl.String()
    try:
        return column.is_in(values.unique().cast(dtype).implode())
    except pl.exceptions.PolarsError:
        raise ColumnError(
            f"column {values.name!r} has type {dtype} in the trials and {values.dtype} in the "
            "file to look it up in"
        ) from None


def kept(trials: pl.LazyFrame, tests: list[_Test]) -> pl.LazyFrame:
    """Return the rows that meet all tests; raise if there is none, saying why."""
    kept = trials.filter(*(test.holds for test in tests))
    if kept.head(1).collect().height:
        return kept
    passing = [test.holds.sum().alias(test.written) for test in tests]
    n_rows, *counts = trials.select(pl.len(), *passing).collect().row(0)
    if not n_rows:
        raise DesignError("the files hold no rows; leave them out, or see why nothing is in them")
    for test, count in zip(tests, counts, strict=True):
        if not count:
            raise DesignError(
                f"no rows left: none of {n_rows} meets {test.written}; "
                f"{holdings(trials, test.column)}"
            )
    written = " and ".join(test.written for test in tests)
    raise DesignError(f"no rows left: none of {n_rows} meets {written} together")


def holdings(trials: pl.LazyFrame, column: str) -> str:
    """Say what values a column holds."""
    values = trials.select(pl.col(column).drop_nulls().unique().sort().head(9)).collect()
    written = [repr(value) for value in values.to_series()]
    cut = [f"{value[:39]}…" if len(value) > 40 else value for value in written]
    shown = [*dict.fromkeys(cut[:8]), *("…" for _ in cut[8:])]
    return f"{column!r} holds {', '.join(shown) or 'only nulls'}"
