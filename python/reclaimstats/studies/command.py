"""The command `reclaimstats study`: a design, answered by a reader without a model."""

import argparse
import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl

from reclaimstats import report
from reclaimstats.errors import OptionError
from reclaimstats.plots import curves
from reclaimstats.studies import reclaim
from reclaimstats.studies.running import run

__all__ = ["add_study"]

_READERS: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "deterministic": reclaim.deterministic,
    "inheriting": functools.partial(reclaim.disposed, inherits=1.0, confabulates=0.0),
    "confabulating": functools.partial(reclaim.disposed, inherits=0.0, confabulates=1.0),
    "summing": functools.partial(reclaim.disposed, sums=True, heeds_tags=False),
    "mixed": reclaim.disposed,
}
_SHOWN = ["n", "n_clusters", "estimate", "low", "high", "method", "confidence_level"]


def add_study(commands: Any, **common: Any) -> None:
    """Add the command to a parser's."""
    study = commands.add_parser(
        "study",
        help="lay out a study's design, answer it without a model, and make its tables",
        description="Lay out a design of the reclaim study, answer it with a reader that has no "
        "model in it, check the design by what must come out, and make its tables and figures.",
        **common,
    )
    study.set_defaults(run=_study)
    add = study.add_argument
    add("study", choices=["reclaim"], help="which study")
    add(
        "--design",
        choices=[*reclaim.DESIGNS, "cascade"],
        default="wall",
        help="which design (wall)",
    )
    add("--reader", choices=_READERS, default="deterministic", help="who answers (deterministic)")
    add("--problems", type=int, metavar="N", help="problems or stores (32 or 8)")
    add("--seeds", type=int, default=3, metavar="N", help="repeats of each call (3)")
    add("--seed", type=int, default=0, metavar="N", help="seed of the problems (0)")
    add("--output", metavar="DIR", help="write trials, tables and figures to a new directory")
    add("--quiet", action="store_true", help="no progress")


def _study(arguments: argparse.Namespace) -> int:
    say = functools.partial(_say, quiet=arguments.quiet)
    folder = None if arguments.output is None else _folder(arguments.output)
    run_of = _cascade if arguments.design == "cascade" else _design
    trials, tables, figures = run_of(arguments, say)
    if folder is not None:
        folder.mkdir(exist_ok=True)
        for name, frame in trials.items():
            report.write(frame, folder / f"{name}.parquet")
        for name, table in tables.items():
            report.write(table, folder / f"{name}.csv")
            report.write(table, folder / f"{name}.md")
        for name, figure in figures.items():
            (folder / f"{name}.svg").write_text(figure, encoding="utf-8")
        say(f"wrote trials, tables and figures to {folder}")
    return 0


_Results = tuple[dict[str, pl.DataFrame], dict[str, pl.DataFrame], dict[str, str]]


def _design(arguments: argparse.Namespace, say: Callable[[str], None]) -> _Results:
    """Answer a design of one turn, and print its reclaim rates and checks."""
    plan = reclaim.design(
        arguments.design, n=arguments.problems, seeds=arguments.seeds, seed=arguments.seed
    )
    say(f"answering {plan.height:,} calls with the {arguments.reader} reader")
    trials = reclaim.scored(_READERS[arguments.reader](plan))
    tables, checks = reclaim.tables(trials), reclaim.validate(trials)
    cells = tables["reclaim"]
    named = cells.columns[: cells.columns.index("n")]
    keys = [name for name in named if cells[name].n_unique() > 1]
    print("Share of replies that recover the truth\n")
    print(report.to_text(cells.select(*keys, *_SHOWN)))
    print("\nWhat must come out with a reader that works totals out from a whole source only\n")
    for check, holds in checks.select("check", "holds").iter_rows():
        print(f"- {'holds' if holds else 'FAILS'}: {check}")
    return {"trials": trials}, tables | {"checks": checks}, reclaim.figures(trials)


def _cascade(arguments: argparse.Namespace, say: Callable[[str], None]) -> _Results:
    """Answer chains of several turns, and print how far the error spread."""
    if arguments.reader != "deterministic":
        raise OptionError("--design cascade has the deterministic reader only")
    stores = 8 if arguments.problems is None else arguments.problems
    design = reclaim.cascade(stores, seeds=arguments.seeds, seed=arguments.seed)
    say("answering chains of up to 8 steps with the deterministic reader")
    chains = design.scored(run(design, reclaim.follow, store=None, progress=False))
    table = design.tables(chains)
    print("Steps that the error reached (blast), and share of corrections that brought the total")
    print("back (estimate)\n")
    print(report.to_text(table.select("policy", "planted", "hops", "blast", *_SHOWN)))
    figures = {
        f"cascade-{'planted' if planted else 'control'}": curves(
            table.filter(planted=planted), "hops", by="policy", title="Recovered, by steps"
        )
        for planted in (True, False)
    }
    return {"chains": chains}, {"cascade": table}, figures


def _say(line: str, *, quiet: bool) -> None:
    if not quiet:
        print(line, file=sys.stderr, flush=True)


def _folder(name: str) -> Path:
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OptionError(f"--output {folder} exists and is not empty; name a new directory")
    if not folder.parent.is_dir():
        raise OptionError(f"cannot write {folder}: there is no directory {folder.parent}")
    return folder
