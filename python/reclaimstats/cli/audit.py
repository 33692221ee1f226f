"""`reclaimstats audit`: which integer tables print published figures so."""

import argparse
from typing import Any

import polars as pl

from reclaimstats import _core, io
from reclaimstats.cli.codes import DATA, EXIT_CODES, OK
from reclaimstats.cli.output import add_output, give, writable
from reclaimstats.figures import audit

__all__ = ["add_audit"]

_AUDIT_EXAMPLE = """\
example, where figures.csv holds
  figure,printed,n,treatment,baseline
  rate,0.87,12,,
  p,.022,100,92.0%,83.0%

  reclaimstats audit figures.csv --output audit.md
"""


def add_audit(commands: Any) -> None:
    """Add the command to a parser's."""
    parser = commands.add_parser(
        "audit",
        help="say which integer tables print published figures so",
        description="Say of printed figures whether any integer table prints them so.",
        epilog=f"{_AUDIT_EXAMPLE}\n{EXIT_CODES}",
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
    add_output(parser, "the tables behind the figures go to FILE with -tables in its name")


def _audit(arguments: argparse.Namespace) -> int:
    outputs = [writable(name, arguments.files) for name in arguments.output]
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
    give({"figures": found.figures, "tables": tables}, outputs, arguments)
    return DATA if (found.figures["verdict"] == "none").any() else OK
