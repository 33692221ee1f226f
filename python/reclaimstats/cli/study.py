"""`reclaimstats study`: a design, answered by a reader without a model."""

import argparse
import contextlib
import functools
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import polars as pl

from reclaimstats import report
from reclaimstats.cli.codes import EXIT_CODES, OK
from reclaimstats.cli.output import say
from reclaimstats.errors import DesignError, OptionError
from reclaimstats.io import read
from reclaimstats.options import integer
from reclaimstats.studies import reclaim
from reclaimstats.studies.running import run

__all__ = ["add_study"]

_READERS: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "deterministic": reclaim.deterministic,
    "inheriting": functools.partial(reclaim.disposed, inherits=1.0, confabulates=0.0),
    "confabulating": functools.partial(reclaim.disposed, inherits=0.0, confabulates=1.0),
    "yielding": functools.partial(reclaim.disposed, inherits=0.0, confabulates=0.0, yields=1.0),
    "summing": functools.partial(reclaim.disposed, sums=True, heeds_tags=False),
    "mixed": reclaim.disposed,
}
# Half of the problems are orderings, half assignments.
_HALVED = ("logic-wall", "guess-floor")
_OF_FILES = ("bookings", "prevalence")
_ONE_READER = ("cascade", "prevalence")
_SHOWN = ["n", "n_clusters", "estimate", "low", "high", "method", "confidence_level"]


def add_study(commands: Any) -> None:
    """Add the command to a parser's."""
    study = commands.add_parser(
        "study",
        help="lay out a study's design, answer it without a model, and make its tables",
        description="Lay out a design of the reclaim study, answer it with a reader that has no "
        "model in it, check the design by what must come out, and make its tables and figures.",
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    study.set_defaults(run=_study)
    add = study.add_argument
    add("study", choices=["reclaim"], help="which study")
    add(
        "--design",
        choices=[*reclaim.DESIGNS, *_LAID_OUT],
        default="wall",
        help="which design (wall)",
    )
    add("--reader", choices=_READERS, default="deterministic", help="who answers (deterministic)")
    add("--problems", type=int, metavar="N", help="problems or stores (32 or 8)")
    add("--files", nargs="+", metavar="FILE", help="dialogues of bookings, or of prevalence")
    add("--seeds", type=int, default=3, metavar="N", help="repeats of each call (3)")
    add("--seed", type=int, default=0, metavar="N", help="seed of the problems (0)")
    add("--output", metavar="DIR", help="write trials, tables and figures to a new directory")
    add("--quiet", action="store_true", help="no progress")


def _study(arguments: argparse.Namespace) -> int:
    tell = functools.partial(say, quiet=arguments.quiet)
    _refuse(arguments)
    folder = None if arguments.output is None else _folder(arguments.output)
    # What is printed comes last: a reader such as head may have seen enough before its end.
    with contextlib.redirect_stdout(StringIO()) as printed:
        trials, tables, figures = _LAID_OUT.get(arguments.design, _design)(arguments, tell)
    if folder is not None:
        folder.mkdir(exist_ok=True)
        for name, frame in trials.items():
            report.write(frame, folder / f"{name}.parquet")
        for name, table in tables.items():
            report.write(table, folder / f"{name}.csv")
            report.write(table, folder / f"{name}.md")
        for name, figure in figures.items():
            (folder / f"{name}.svg").write_text(figure, encoding="utf-8")
        tell(f"wrote trials, tables and figures to {folder}")
    print(printed.getvalue(), end="")
    return OK


def _refuse(arguments: argparse.Namespace) -> None:
    """Refuse what a design would leave unread, by the name that the user gave it."""
    design = arguments.design
    if arguments.problems is not None:
        least = 2 if design in _HALVED else 1
        integer("--problems", arguments.problems, least=least, most=100_000)
    integer("--seeds", arguments.seeds, least=1, most=100_000)
    if arguments.files and design not in _OF_FILES:
        raise OptionError(
            f"--design {design} reads no files; --files is for {' and '.join(_OF_FILES)}"
        )
    if arguments.reader != "deterministic" and design in _ONE_READER:
        raise OptionError(f"--design {design} takes no other reader than deterministic")


_Results = tuple[dict[str, pl.DataFrame], dict[str, pl.DataFrame], dict[str, str]]
_Say = Callable[[str], None]


def _design(arguments: argparse.Namespace, tell: _Say) -> _Results:
    """A design whose plan needs nothing else."""
    plan = reclaim.design(
        arguments.design, n=arguments.problems, seeds=arguments.seeds, seed=arguments.seed
    )
    return _read(plan, arguments, tell)


def _bookings(arguments: argparse.Namespace, tell: _Say) -> _Results:
    """Times of real dialogues, which the user brings."""
    if not arguments.files:
        raise OptionError("--design bookings needs the dialogues of MultiWOZ 2.2: --files FILE ...")
    asked = reclaim.bookings(arguments.files, n=arguments.problems or 30, seed=arguments.seed)
    notes = reclaim.notes(asked, integrities=[reclaim.WALL])
    told = reclaim.corrections(asked, arms=["directed"])
    return _read(reclaim.plan(asked, notes, told, seeds=arguments.seeds), arguments, tell)


def _writers(arguments: argparse.Namespace, tell: _Say) -> _Results:
    """Memories of two writers without a model, of which one loses half of the source."""
    asked = reclaim.problems(arguments.problems or 32, seed=arguments.seed)
    written = pl.concat(
        reclaim.scribe(
            reclaim.writing(asked, prompts=[prompt]), loses=loses, concludes=prompt == "summary"
        ).insert_column(1, pl.lit(writer).alias("writer"))
        for writer, loses in (("careful", 0.0), ("careless", 0.5))
        for prompt in ("summary", "distilled")
    )
    return _board(asked, written, arguments, tell, baseline="summary")


def _prompts(arguments: argparse.Namespace, tell: _Say) -> _Results:
    """Memories under four wordings of one prompt, to which a writer without a model is deaf."""
    asked = reclaim.problems(arguments.problems or 32, seed=arguments.seed)
    calls = reclaim.writing(asked, prompts=list(reclaim.DISTILLERS))
    written = reclaim.scribe(calls, loses=0.2, seed=arguments.seed)
    return _board(asked, written, arguments, tell, baseline="distilled")


def _board(
    asked: pl.DataFrame,
    written: pl.DataFrame,
    arguments: argparse.Namespace,
    tell: _Say,
    *,
    baseline: str,
) -> _Results:
    kept = reclaim.memories(written)
    plan = reclaim.board(asked, kept, seeds=arguments.seeds)
    trials, tables, figures = _read(plan, arguments, tell, baseline=baseline)
    return (
        trials | {"memories": kept},
        tables | {"contents": reclaim.contents(kept, asked)},
        figures,
    )


def _endogenous(arguments: argparse.Namespace, tell: _Say) -> _Results:
    """Errors of a first session without a planted one, answered by a reader that slips."""
    orders = reclaim.ledgers(arguments.problems or 8, items=[10], seed=arguments.seed)
    first = reclaim.openings(orders, planted=False, seeds=arguments.seeds)
    answered = reclaim.scored(reclaim.read(first, slip=0.5, seed=arguments.seed))
    errors = reclaim.own_errors(answered, orders)
    tell(f"{errors.height} of {first.height} first sessions went wrong by themselves")
    if not errors.height:
        raise DesignError("no first session went wrong; ask for more with --problems or --seeds")
    policies = ["source-first", "lossy", "blank"]
    notes = reclaim.ledger_notes(errors, policies=policies, budgets=[600])
    told = reclaim.corrections(errors, arms=["generic"])
    plan = reclaim.plan(errors, notes, told, seeds=arguments.seeds)
    trials, tables, figures = _read(plan, arguments, tell)
    return trials | {"first": answered}, tables, figures


def _read(
    plan: pl.DataFrame, arguments: argparse.Namespace, tell: _Say, *, baseline: str | None = None
) -> _Results:
    """Answer a plan, and print its reclaim rates and checks."""
    tell(f"answering {plan.height:,} trials with the {arguments.reader} reader")
    reader = _READERS[arguments.reader]
    if "pushes" in plan.columns:
        talk = reclaim.conversations(plan)
        answered = talk.trials(reclaim.rehearse(talk, reader))
    else:
        answered = reader(plan)
    trials = reclaim.scored(answered)
    tables, checks = reclaim.tables(trials, baseline=baseline), reclaim.validate(trials)
    print("Share of replies that recover the truth\n")
    _show(tables["reclaim"])
    _show_checks(checks)
    return {"trials": trials}, tables | {"checks": checks}, reclaim.figures(trials)


def _cascade(arguments: argparse.Namespace, tell: _Say) -> _Results:
    """Answer chains of several turns, and print how far the error spread."""
    stores = 8 if arguments.problems is None else arguments.problems
    design = reclaim.cascade(stores, seeds=arguments.seeds, seed=arguments.seed)
    tell("answering chains of up to 8 steps with the deterministic reader")
    chains = design.scored(run(design, reclaim.follow, store=None, progress=False))
    tables, checks = design.tables(chains), reclaim.validate(chains)
    print("Mean number of steps that the error reached\n")
    _show(tables["blast"])
    print("\nShare of corrections that brought the total back\n")
    _show(tables["reclaim"])
    _show_checks(checks)
    return {"chains": chains}, tables | {"checks": checks}, design.figures(chains)


def _prevalence(arguments: argparse.Namespace, tell: _Say) -> _Results:
    """Label conversations by the floor; without a file, those whose label is beyond doubt."""
    rows = read(arguments.files) if arguments.files else reclaim.gold()
    tell(f"labelling {rows.height:,} conversations without a model")
    labels = reclaim.floor(rows.select("domain", "item", "messages"))
    tables = reclaim.audit_tables(labels)
    print("Share of conversations with a compact source that can be shown to be one\n")
    _show(tables["shares"].filter(label="compact"))
    return {"labels": labels}, tables, {}


_LAID_OUT: dict[str, Callable[[argparse.Namespace, _Say], _Results]] = {
    "bookings": _bookings,
    "writers": _writers,
    "prompts": _prompts,
    "endogenous": _endogenous,
    "cascade": _cascade,
    "prevalence": _prevalence,
}


def _show(cells: pl.DataFrame) -> None:
    named = cells.columns[: cells.columns.index("n")]
    keys = [name for name in named if cells[name].n_unique() > 1]
    print(report.to_text(cells.select(*keys, *_SHOWN)))


def _show_checks(checks: pl.DataFrame) -> None:
    print("\nWhat must come out with a reader that works totals out from a whole source only\n")
    for check, holds in checks.select("check", "holds").iter_rows():
        print(f"- {'holds' if holds else 'FAILS'}: {check}")


def _folder(name: str) -> Path:
    folder = Path(name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OptionError(f"--output {folder} exists and is not empty; name a new directory")
    if not folder.parent.is_dir():
        raise OptionError(f"cannot write {folder}: there is no directory {folder.parent}")
    return folder
