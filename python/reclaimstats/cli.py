"""The command line: `reclaimstats demo`, `report`, `audit` and `study`."""

import argparse
import os
import re
import shlex
import shutil
import signal
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

import polars as pl

import reclaimstats
from reclaimstats import _core, io, report, score, text
from reclaimstats.comparison import compare
from reclaimstats.design import column_names
from reclaimstats.errors import ColumnError, DesignError, OptionError, ReclaimStatsError
from reclaimstats.estimates import rate
from reclaimstats.figures import audit
from reclaimstats.options import integer
from reclaimstats.studies import reclaim
from reclaimstats.studies.command import add_study

__all__ = ["main"]

_OK, _DATA, _USAGE, _INTERRUPTED = 0, 1, 2, 130
_EXIT_CODES = """\
exit codes:
  0  done
  1  the data cannot give the table: a missing column, a broken line, no rows left,
     a pair that occurs twice, an outcome that is not 0 or 1; of an audit also that
     no table prints one of the figures so
  2  the command cannot be carried out: an unknown option, a missing file, an
     unsupported suffix
"""
_AUDIT_EXAMPLE = """\
example, where figures.csv holds
  figure,printed,n,treatment,baseline
  rate,0.87,12,,
  p,.022,100,92.0%,83.0%

  reclaimstats audit figures.csv --output audit.md
"""
_EXAMPLE = """\
example:
  reclaimstats report runs/*.jsonl --outcome correct --by model policy --cluster pid
      --contrast policy --baseline lossy --pair-by pid seed --output table.md
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line.

    Args:
        argv: Its words behind the name of the program; those of this process by default.

    Returns:
        The exit code: 0 done, 1 the data cannot give the table or no table gives an audited
        figure, 2 the command cannot be carried out.

    Raises:
        SystemExit: The options are wrong (code 2), or help was asked for (code 0).

    Examples:
        >>> from reclaimstats.cli import main
        >>> main(["report", "missing.jsonl", "--outcome", "correct"])
        2
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without Unicode still shows the rest
    arguments = _parser().parse_args(argv)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough. What is left must not raise again when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _OK
    except (OptionError, OSError) as error:
        return _failed(error, _USAGE)
    except (ReclaimStatsError, pl.exceptions.PolarsError) as error:
        return _failed(error, _DATA)
    except KeyboardInterrupt:
        return _INTERRUPTED
    return code


def entry() -> None:
    """Run the command line of this process, and end with its exit code.

    The core does not look for signals while it computes: an interrupt ends the process at once.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    raise SystemExit(main())


def _failed(error: Exception, code: int) -> int:
    shown = str(error)
    if isinstance(error, OSError) and error.strerror:
        shown = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    elif isinstance(error, pl.exceptions.PolarsError):
        shown = shown.partition("\n")[0]
    _say(f"reclaimstats: error: {shown}")
    return code


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="reclaimstats",
        description=reclaimstats.__doc__,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=reclaimstats.__version__)
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_demo(commands)
    _add_report(commands)
    _add_audit(commands)
    add_study(
        commands,
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    return parser


def _add_demo(commands: Any) -> None:
    demo = commands.add_parser(
        "demo",
        help="simulate a study, score it and print its table",
        description="Simulate a study of note policies, score the replies and print the table.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    demo.set_defaults(run=_demo)
    add = demo.add_argument
    add("--problems", type=int, default=32, metavar="N", help="problems, each a cluster (32)")
    add("--seeds", type=int, default=3, metavar="N", help="repeats of each call (3)")
    add("--seed", type=int, default=0, metavar="N", help="seed of problems and reader (0)")
    add("--output", metavar="FILE", help="write the scored trials, for `reclaimstats report`")
    add("--quiet", action="store_true", help="no progress")


def _add_report(commands: Any) -> None:
    parser = commands.add_parser(
        "report",
        help="print the table of your own trials",
        description="Rates with intervals, and paired comparisons, of trials in files.",
        epilog=f"{_EXAMPLE}\n{_EXIT_CODES}",
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
        type=_pair,
        help="rename columns first; the other options then take the new names",
    )
    add(
        "--where",
        **several,
        metavar="COL=VALUE",
        type=_Condition.parse,
        help="keep rows with this value, or with COL!=VALUE without it; several values of one "
        "column are alternatives; nothing behind the sign stands for a missing value",
    )
    add(
        "--where-in",
        **several,
        metavar="COL=FILE",
        type=_pair,
        help="keep rows whose value is in the column of that name in another file",
    )
    add("--skip-broken-lines", action="store_true", help="leave out lines that are no JSON objects")
    add = parser.add_argument_group("table").add_argument
    add(
        "--outcome",
        required=True,
        metavar="COL",
        type=_Condition.parse_outcome,
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
    _add_output(parser, "a comparison goes to FILE with -comparison in its name")


def _add_audit(commands: Any) -> None:
    parser = commands.add_parser(
        "audit",
        help="say which integer tables print published figures so",
        description="Say of printed figures whether any integer table prints them so.",
        epilog=f"{_AUDIT_EXAMPLE}\n{_EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.set_defaults(run=_audit)
    add = parser.add_argument_group("figures").add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="CSV, JSONL or JSON (also .gz) or Parquet with the columns figure, printed, n and "
        "others: docs/audit.md; printed figures are text",
    )
    add("--rounding", choices=_core.ROUNDINGS, default="either", help="of halves (either)")
    add("--confidence-level", type=float, default=0.95, metavar="P", help="of intervals (0.95)")
    add("--max-tables", type=int, default=20, metavar="N", help="listed for a figure (20)")
    _add_output(parser, "the tables behind the figures go to FILE with -tables in its name")


def _add_output(parser: argparse.ArgumentParser, second: str) -> None:
    add = parser.add_argument_group("output").add_argument
    add("--format", choices=_FORMATS, default="table", help="of what is printed (table)")
    add(
        "--output",
        nargs="+",
        action="extend",
        default=[],
        metavar="FILE",
        help=f"also write the table to .parquet, .csv, .json, .jsonl, .md or .tex; {second}",
    )
    add("--quiet", action="store_true", help="no progress and notes")


@dataclass(frozen=True, slots=True)
class _Condition:
    """COL=VALUE or COL!=VALUE; for an outcome, COL alone."""

    column: str
    sign: str
    value: str

    @classmethod
    def parse(cls, argument: str) -> "_Condition":
        parts = re.fullmatch(r"([^=]+?)(!?=)(.*)", argument, re.DOTALL)
        if not parts:
            raise argparse.ArgumentTypeError(f"{argument!r} is not COL=VALUE or COL!=VALUE")
        return cls(*parts.groups())

    @classmethod
    def parse_outcome(cls, argument: str) -> "_Condition":
        return cls.parse(argument) if "=" in argument else cls(argument, "", "")

    def __str__(self) -> str:
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
        equal = column == pl.lit(_value(self.value, self.column, dtype))
        return equal if self.sign == "=" else ~equal


def _pair(argument: str) -> tuple[str, str]:
    left, sign, right = argument.partition("=")
    if not (left and sign and right):
        raise argparse.ArgumentTypeError(f"{argument!r} has no = between two names")
    return left, right


def _value(written: str, column: str, dtype: pl.DataType) -> object:
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


# --- report


def _report(arguments: argparse.Namespace) -> int:
    outputs = [_output(name, arguments.files) for name in arguments.output]
    contrast = _contrast(arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("always", io.BrokenLinesWarning)
        warnings.showwarning = lambda message, *_: _say(f"reclaimstats: {message}")
        everything = _trials(arguments)
    trials = _kept(everything, _tests(arguments, everything.collect_schema()))
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
            baseline=_value(arguments.baseline, arguments.contrast, dtype),
            pair_by=arguments.pair_by,
            by=[name for name in by if name != arguments.contrast],
            **options,
        )
    _give(tables, outputs, arguments)
    return _OK


def _give(
    tables: dict[str, pl.DataFrame], outputs: list[Path], arguments: argparse.Namespace
) -> None:
    """Write the tables, those behind the first into files of their own, and print them."""
    first = next(iter(tables))
    for path in outputs:
        for name, table in tables.items():
            file = path if name == first else path.with_stem(f"{path.stem}-{name}")
            report.write(table, file)
            if not arguments.quiet:
                _say(f"wrote {file}")
    print(_FORMATS[arguments.format](tables))


def _read_as(
    write: Callable[[pl.DataFrame], str],
) -> Callable[[dict[str, pl.DataFrame]], str]:
    """Print for people: a table behind the first says nothing without a row."""

    def written(tables: dict[str, pl.DataFrame]) -> str:
        first, *others = tables.values()
        return "\n\n".join(map(write, [first, *(table for table in others if table.height)]))

    return written


def _as_json(tables: dict[str, pl.DataFrame]) -> str:
    if len(tables) == 1:
        return next(iter(tables.values())).write_json()
    members = [f'"{name}":{table.write_json()}' for name, table in tables.items()]
    return f"{{{','.join(members)}}}"


_FORMATS: dict[str, Callable[[dict[str, pl.DataFrame]], str]] = {
    "table": _read_as(lambda table: report.to_text(table, width=_width())),
    "markdown": _read_as(report.to_markdown),
    "latex": _read_as(report.to_latex),
    "csv": lambda tables: "\n".join(table.write_csv() for table in tables.values()).rstrip("\n"),
    "json": _as_json,
}


def _width() -> int:
    return shutil.get_terminal_size((100, 24)).columns


def _output(name: str, inputs: Sequence[str] = ()) -> Path:
    """Return the path of a file to write, after what can be checked before the work."""
    path = Path(name)
    report.writable_suffix(path)
    if not path.parent.is_dir():
        raise OptionError(f"cannot write {path}: there is no directory {path.parent}")
    if path.exists() and any(path.samefile(other) for other in inputs if Path(other).exists()):
        raise OptionError(f"--output {path} would overwrite the trials; name another file")
    return path


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
            _say(f"reading {path}: {done / size:.0%}")
            self.due = now + 2


@dataclass(frozen=True, slots=True)
class _Test:
    """What a row must meet to be kept."""

    written: str
    column: str
    holds: pl.Expr


def _tests(arguments: argparse.Namespace, schema: pl.Schema) -> list[_Test]:
    alternatives: dict[str, list[_Condition]] = {}
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


def _kept(trials: pl.LazyFrame, tests: list[_Test]) -> pl.LazyFrame:
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
                f"{_holds(trials, test.column)}"
            )
    written = " and ".join(test.written for test in tests)
    raise DesignError(f"no rows left: none of {n_rows} meets {written} together")


def _holds(trials: pl.LazyFrame, column: str) -> str:
    """Say what values a column holds."""
    values = trials.select(pl.col(column).drop_nulls().unique().sort().head(9)).collect()
    written = [repr(value) for value in values.to_series()]
    cut = [f"{value[:39]}…" if len(value) > 40 else value for value in written]
    shown = [*dict.fromkeys(cut[:8]), *("…" for _ in cut[8:])]
    return f"{column!r} holds {', '.join(shown) or 'only nulls'}"


def _outcome(outcome: _Condition, trials: pl.LazyFrame, everything: pl.LazyFrame) -> str | pl.Expr:
    """Return the outcome as `rate` takes it; raise if its value is in no row of the files."""
    schema = trials.collect_schema()
    column, dtype = outcome.column, schema[outcome.column]
    if outcome.sign:
        holds = outcome.holds(schema)
        if not trials.select(holds.any()).collect().item():
            if not everything.select(holds.any()).collect().item():
                raise DesignError(f"no row meets --outcome {outcome}; {_holds(everything, column)}")
            _say(f"reclaimstats: no row meets --outcome {outcome}; {_holds(trials, column)}")
        return holds
    if dtype in (pl.String, pl.Categorical, pl.Enum):
        raise ColumnError(
            f"outcome {column!r} is text; {_holds(trials, column)}; say which of these is the "
            f"success: --outcome {column}=VALUE"
        )
    return column


# --- audit


def _audit(arguments: argparse.Namespace) -> int:
    outputs = [_output(name, arguments.files) for name in arguments.output]
    found = audit(
        io.read(arguments.files, as_text=True),
        rounding=arguments.rounding,
        confidence_level=arguments.confidence_level,
        max_tables=arguments.max_tables,
    )
    # In words, which every format can hold: 10 14 15, or 1×12 2×3.
    times = pl.when(pl.col("counts") > 1).then(pl.format("×{}", "counts")).otherwise(pl.lit(""))
    words = (
        found.tables.select("scores", "counts")
        .with_row_index()
        .explode("scores", "counts")
        .group_by("index", maintain_order=True)
        .agg(pl.format("{}{}", "scores", times).str.join(" ").replace("", None).alias("words"))
    )
    tables = found.tables.drop("counts").with_columns(scores=words["words"])
    _give({"figures": found.figures, "tables": tables}, outputs, arguments)
    return _DATA if (found.figures["verdict"] == "none").any() else _OK


# --- demo


def _demo(arguments: argparse.Namespace) -> int:
    integer("--problems", arguments.problems, least=1, most=1_000_000)
    integer("--seeds", arguments.seeds, least=1, most=1_000_000)
    started = time.perf_counter()
    say = (lambda _: None) if arguments.quiet else _say
    output = _output(arguments.output) if arguments.output else None
    say(f"simulating replies to {arguments.problems:,} problems")
    trials = reclaim.simulate(arguments.problems, seeds=arguments.seeds, seed=arguments.seed)
    say(f"scoring {trials.height:,} replies")
    scored = trials.with_columns(answer=text.answer_number("reply")).with_columns(
        outcome=score.outcome("answer", "truth", "drift")
    )
    directed = scored.filter(arm="directed").with_columns(
        recovered=pl.col("outcome") == "recovered"
    )
    say("estimating cells and paired differences")
    cells = rate(directed, "recovered", by=["policy", "integrity"], cluster="pid")
    comparison = compare(
        directed,
        "recovered",
        contrast="policy",
        baseline="lossy",
        pair_by=["pid", "seed"],
        by="integrity",
        cluster="pid",
    )
    if output:
        report.write(scored.drop("source_items"), output)
        say(f"wrote {output}")
    say(f"done in {time.perf_counter() - started:.1f} s")

    width = _width()
    cells = cells.sort("policy", "integrity", descending=[False, True])
    against = comparison.filter(treatment_level="source-first").sort("integrity", descending=True)
    print("Share of replies that recover the right total after a directed correction\n")
    print(report.to_text(cells, width=width))
    print("\nsource-first minus lossy, paired by problem and seed\n")
    print(report.to_text(against.select(_SHOWN), width=width))
    print()
    for sentence in _reading(against, directed):
        print(textwrap.fill(f"- {sentence}", width, subsequent_indent="  "))
    print()
    print(_next_step(output))
    return _OK


_SHOWN = [
    "integrity",
    "difference",
    "low",
    "high",
    "treatment_only",
    "baseline_only",
    "permutation_p",
    "n_clusters",
    "method",
    "confidence_level",
]
_MEANING = {
    "recovered": "the right total",
    "inherited": "the stale total",
    "novel": "another number",
    "abstained": "no number",
}


def _reading(against: pl.DataFrame, trials: pl.DataFrame) -> list[str]:
    """Say what the tables show: where two policies part, and what they answer there."""
    limits = dict(against.select("integrity", "low").rows())
    apart = [integrity for integrity, low in limits.items() if low is not None and low > 0]
    together = [str(integrity) for integrity in limits if integrity not in apart]
    if apart:
        where = " and ".join(f"{integrity} ({limits[integrity]:.3f})" for integrity in apart)
        first = f"The lower limit of the difference is above zero at integrity {where}"
        first += f", not at {' and '.join(together)}." if together else ", everywhere."
    elif all(low is None for low in limits.values()):
        first = f"The difference has no interval: {against['reason'][0]}."
    else:
        first = "At no integrity is the lower limit of the difference above zero."
    at = max(apart) if apart else min(limits)
    given = []
    for policy in ("lossy", "blank", "source-first"):
        outcomes = trials.filter(policy=policy, integrity=at)["outcome"].value_counts()
        counted = outcomes.sort("count", "outcome", descending=[True, False]).rows()
        shares = [f"{n} {name} ({_MEANING[name]})" for name, n in counted]
        given.append(f"{policy} gives {', '.join(shares)}")
    return [first, f"At integrity {at}, {'; '.join(given)}."]


def _next_step(output: Path | None) -> str:
    if output:
        said = "Next, the same tables from the trials just written:"
        trials = f"{shlex.quote(str(output))} --outcome outcome=recovered --where arm=directed"
    else:
        said = "Next, such tables of your own trials:"
        trials = "FILE.jsonl --outcome correct"
    return (
        f"{said}\n"
        f"  reclaimstats report {trials} \\\n"
        "    --by policy integrity --cluster pid \\\n"
        "    --contrast policy --baseline lossy --pair-by pid seed"
    )


if __name__ == "__main__":
    entry()
