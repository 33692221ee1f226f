"""`reclaimstats demo`: a simulated study, scored, with its table."""

import argparse
import functools
import shlex
import textwrap
import time
from pathlib import Path
from typing import Any

import polars as pl

from reclaimstats import report, score, text
from reclaimstats.cli.codes import EXIT_CODES, OK
from reclaimstats.cli.output import say, terminal_width, writable
from reclaimstats.comparison import compare
from reclaimstats.estimates import rate
from reclaimstats.options import integer
from reclaimstats.studies import reclaim

__all__ = ["add_demo"]


def add_demo(commands: Any) -> None:
    """Add the command to a parser's."""
    demo = commands.add_parser(
        "demo",
        help="simulate a study, score it and print its table",
        description="Simulate a study of note policies, score the replies and print the table.",
        epilog=EXIT_CODES,
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


def _demo(arguments: argparse.Namespace) -> int:
    integer("--problems", arguments.problems, least=1, most=1_000_000)
    integer("--seeds", arguments.seeds, least=1, most=1_000_000)
    started = time.perf_counter()
    tell = functools.partial(say, quiet=arguments.quiet)
    output = writable(arguments.output) if arguments.output else None
    tell(f"simulating replies to {arguments.problems:,} problems")
    trials = reclaim.simulate(arguments.problems, seeds=arguments.seeds, seed=arguments.seed)
    tell(f"scoring {trials.height:,} replies")
    scored = trials.with_columns(answer=text.answer_number("reply")).with_columns(
        outcome=score.outcome("answer", "truth", "drift")
    )
    directed = scored.filter(arm="directed").with_columns(
        recovered=pl.col("outcome") == "recovered"
    )
    tell("estimating cells and paired differences")
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
        tell(f"wrote {output}")
    tell(f"done in {time.perf_counter() - started:.1f} s")

    width = terminal_width()
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
    return OK


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
