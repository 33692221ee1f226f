"""What every command says and where: notes, tables in formats, files of tables."""

import argparse
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import polars as pl

from reclaimstats import report
from reclaimstats.errors import OptionError

__all__ = ["add_output", "give", "say", "terminal_width", "writable"]


def say(line: str, *, quiet: bool = False) -> None:
    """Say a line where it does not mix with what is printed."""
    if not quiet:
        print(line, file=sys.stderr, flush=True)


def terminal_width() -> int:
    """Return how many characters fit in a line."""
    return shutil.get_terminal_size((100, 24)).columns


def add_output(parser: argparse.ArgumentParser, second: str) -> None:
    """Add the options of what is printed and written; `second` says where a second table goes."""
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


def writable(name: str, inputs: Sequence[str] = ()) -> Path:
    """Return the path of a file to write, after what can be checked before the work."""
    path = Path(name)
    report.writable_suffix(path)
    if not path.parent.is_dir():
        raise OptionError(f"cannot write {path}: there is no directory {path.parent}")
    if path.exists() and any(path.samefile(other) for other in inputs if Path(other).exists()):
        raise OptionError(f"--output {path} would overwrite the trials; name another file")
    return path


def give(
    tables: dict[str, pl.DataFrame], outputs: list[Path], arguments: argparse.Namespace
) -> None:
    """Write the tables, those behind the first into files of their own, and print them."""
    first = next(iter(tables))
    for path in outputs:
        for name, table in tables.items():
            file = path if name == first else path.with_stem(f"{path.stem}-{name}")
            report.write(table, file)
            if not arguments.quiet:
                say(f"wrote {file}")
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
    "table": _read_as(lambda table: report.to_text(table, width=terminal_width())),
    "markdown": _read_as(report.to_markdown),
    "latex": _read_as(report.to_latex),
    "csv": lambda tables: "\n".join(table.write_csv() for table in tables.values()).rstrip("\n"),
    "json": _as_json,
}
