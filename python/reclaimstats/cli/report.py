"""`reclaimstats report`: the table of your own trials."""

import argparse
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from reclaimstats import _core, io
from reclaimstats.cli.codes import EXIT_CODES, OK
from reclaimstats.cli.conditions import Condition, holdings, kept, pair, tests_of, value_of
from reclaimstats.cli.output import add_output, give, say, writable
from reclaimstats.comparison import compare
from reclaimstats.design.columns import column_names
from reclaimstats.errors import ColumnError, DesignError, OptionError
from reclaimstats.estimates import rate

__all__ = ["add_report"]

_EXAMPLE = """\
example:
  reclaimstats report runs/*.jsonl --outcome correct --by model policy --cluster pid
      --contrast policy --baseline lossy --pair-by pid seed --output table.md
"""


def add_report(commands: Any) -> None:
    """Add the command to a parser's."""
    parser = commands.add_parser(
        "report",
        help="print the table of your own trials",
        description="Rates with intervals, and paired comparisons, of trials in files.",
        epilog=f"{_EXAMPLE}\n{EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=_report)
    several: dict[str, Any] = {"nargs": "+", "action": "extend", "default": []}
    add = parser.add_argument_group("trials").add_argument
    add("files", nargs="+", metavar="FILE", help="JSONL, JSON or CSV (also .gz) or Parquet")
    add("--file-column", metavar="NAME", help="add a column with the file of each row")
    add(
        "--rename",
        **several,
        metavar="OLD=NEW",
        type=pair,
        help="rename columns first; the other options then take the new names",
    )
    add(
        "--where",
        **several,
        metavar="COL=VALUE",
        type=Condition.parse,
        help="keep rows with this value, or with COL!=VALUE without it; several values of one "
        "column are alternatives; nothing behind the sign stands for a missing value",
    )
    add(
        "--where-in",
        **several,
        metavar="COL=FILE",
        type=pair,
        help="keep rows whose value is in the column of that name in another file",
    )
    add("--skip-broken-lines", action="store_true", help="leave out lines that are no JSON objects")
    add = parser.add_argument_group("table").add_argument
    add(
        "--outcome",
        required=True,
        metavar="COL",
        type=Condition.parse_outcome,
        help="0/1 or true/false; or COL=VALUE, where that value is the success",
    )
    add("--by", **several, metavar="COL", help="columns that tell cells apart")
    add("--cluster", **several, metavar="COL", help="columns whose equal values are dependent")
    add("--contrast", metavar="COL", help="also compare the arms that this column tells apart")
    add("--baseline", metavar="VALUE", help="with the arm of this value")
    add("--pair-by", **several, metavar="COL", help="paired where these columns are equal")
    add = parser.add_argument_group("interval").add_argument
    add("--method", choices=_core.RATE_METHODS, default="auto", help="(auto)")
    add("--resampler", choices=_core.RESAMPLERS, default="auto", help="for percentiles (auto)")
    add("--n-resamples", type=int, default=5000, metavar="N", help="(5000)")
    add("--confidence-level", type=float, default=0.95, metavar="P", help="(0.95)")
    add("--seed", type=int, default=0, metavar="N", help="of the resamples (0)")
    add_output(parser, "a comparison goes to FILE with -comparison in its name")


def _report(arguments: argparse.Namespace) -> int:
    outputs = [writable(name, arguments.files) for name in arguments.output]
    contrast = _contrast(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("always", io.BrokenLinesWarning)
        warnings.showwarning = lambda message, *_: say(f"reclaimstats: {message}")
        everything = _trials(arguments)
    trials = kept(everything, tests_of(arguments, everything.collect_schema()))
    outcome = _outcome(arguments.outcome, trials, everything)
    options = {
        "cluster": arguments.cluster,
        "method": arguments.method,
        "resampler": arguments.resampler,
        "n_resamples": arguments.n_resamples,
        "confidence_level": arguments.confidence_level,
        "seed": arguments.seed,
    }
    by = list(dict.fromkeys(arguments.by))
    arms = [arguments.contrast] if contrast and arguments.contrast not in by else []
    tables = {"cells": rate(trials, outcome, by=[*by, *arms], **options)}
    if contrast:
        # Most methods are for rates alone; the table says which it was.
        known = arguments.method in _core.DIFFERENCE_METHODS
        options["method"] = arguments.method if known else "auto"
        dtype = trials.collect_schema()[arguments.contrast]
        tables["comparison"] = compare(
            trials,
            outcome,
            contrast=arguments.contrast,
            baseline=value_of(arguments.baseline, arguments.contrast, dtype),
            pair_by=arguments.pair_by,
            by=[name for name in by if name != arguments.contrast],
            **options,
        )
    give(tables, outputs, arguments)
    return OK


def _contrast(arguments: argparse.Namespace) -> bool:
    """Return whether arms are to be compared."""
    needed = {
        "--contrast": arguments.contrast,
        "--baseline": arguments.baseline,
        "--pair-by": arguments.pair_by,
    }
    missing = [name for name, value in needed.items() if not value]
    if missing and len(missing) < len(needed):
        raise OptionError(
            f"--contrast, --baseline and --pair-by go together; add {' and '.join(missing)}"
        )
    return not missing


def _trials(arguments: argparse.Namespace) -> pl.LazyFrame:
    """Return the columns that were asked for."""
    asked = [
        arguments.outcome.column,
        *arguments.by,
        *arguments.cluster,
        *([arguments.contrast] if arguments.contrast else []),
        *arguments.pair_by,
        *(condition.column for condition in arguments.where),
        *(column for column, _ in arguments.where_in),
    ]
    new_names = dict(arguments.rename)
    old_names = {new: old for old, new in new_names.items()}
    columns = list(dict.fromkeys(old_names.get(name, name) for name in asked))
    trials = io.scan(
        arguments.files,
        columns=[name for name in columns if name != arguments.file_column],
        file_column=arguments.file_column,
        skip_broken_lines=arguments.skip_broken_lines,
        progress=None if arguments.quiet else _Progress(),
    )
    trials = trials.rename({old: new for old, new in new_names.items() if old in columns})
    column_names(trials.collect_schema(), asked, argument="columns")
    return trials


@dataclass(slots=True)
class _Progress:
    """Says how far a long read is, every few seconds."""

    due: float = 0.0

    def __call__(self, path: Path, done: int, size: int) -> None:
        now = time.monotonic()
        self.due = self.due or now + 1
        if now >= self.due and done < size:
            say(f"reading {path}: {done / size:.0%}")
            self.due = now + 2


def _outcome(outcome: Condition, trials: pl.LazyFrame, everything: pl.LazyFrame) -> str | pl.Expr:
    """Return the outcome as `rate` takes it; raise if its value is in no row of the files."""
    schema = trials.collect_schema()
    column, dtype = outcome.column, schema[outcome.column]
    if outcome.sign:
        holds = outcome.holds(schema)
        if not trials.select(holds.any()).collect().item():
            if not everything.select(holds.any()).collect().item():
                raise DesignError(
                    f"no row meets --outcome {outcome}; {holdings(everything, column)}"
                )
            say(f"reclaimstats: no row meets --outcome {outcome}; {holdings(trials, column)}")
        return holds
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        raise ColumnError(
            f"outcome {column!r} is text; {holdings(trials, column)}; say which of these is the "
            f"success: --outcome {column}=VALUE"
        )
    return column
