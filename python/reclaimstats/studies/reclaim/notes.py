"""The note that a policy leaves of the first session, at an integrity."""

from collections.abc import Sequence

import polars as pl

from reclaimstats.options import share
from reclaimstats.studies.reclaim.frames import each, each_once, options, problems_with
from reclaimstats.studies.reclaim.wording import NOTHING, Wording, padded, sentences

__all__ = ["INTEGRITIES", "NOTE_POLICIES", "POLICIES", "WALL", "notes"]

POLICIES = ("lossy", "lossy-padded", "source-first", "blank")
NOTE_POLICIES = (*POLICIES, "source-plus-conclusion", "options-only")
INTEGRITIES = (1.0, 0.6, 0.3, 0.1)
WALL = 0.1  # where a lossy note is down to its conclusion

# A note keeps the request from integrity _REQUEST_FROM up, the planted premise from _PREMISE_FROM
# up, and source and conclusion both from _BOTH_FROM up; below it each policy gives up one of them.
_REQUEST_FROM, _BOTH_FROM, _PREMISE_FROM = 0.8, 0.5, 0.2


def notes(
    problems: pl.DataFrame,
    *,
    policies: Sequence[str] = POLICIES,
    integrities: Sequence[float] = INTEGRITIES,
) -> pl.DataFrame:
    """Write the note that each policy leaves of each problem's first session.

    A row is a note. From integrity 0.5 up every policy but `blank` keeps the line items, the
    premise and the conclusion. Below it `lossy` drops the line items and `source-first` drops the
    conclusion; below 0.2 both drop the premise too. `lossy-padded` is the lossy note with neutral
    filler behind it, at least as long as the source-first note. `source-plus-conclusion` holds
    both whatever the integrity, `blank` says that nothing was kept, and `options-only`, for
    puzzles, names those who come into question and nothing else.

    Args:
        problems: A frame with pid, source, premise and drift, of puzzles also options; one row a
            problem.
        policies: Which of `NOTE_POLICIES`.
        integrities: Numbers from 0 to 1.

    Returns:
        pid, policy, integrity (Float64), note; in the order of the problems, then of `policies`,
        then of `integrities`.

    Raises:
        ColumnError: If a column is missing or holds a null.
        OptionError: If a policy is unknown, an integrity is out of range, or one is given twice.
        DesignError: If a pid stands twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> cells = reclaim.notes(reclaim.problems(1), integrities=[0.3])
        >>> for policy, note in cells.select("policy", "note").rows():
        ...     if policy in {"lossy", "source-first"}:
        ...         print(note)
        Total before tax: $117. An earlier tally put the belts at $36.
        Order: 9 ropes at $9 each; 7 belts at $6 each. An earlier tally put the belts at $36.
    """
    wording = Wording.of(problems)
    candidates = ("options",) if "options-only" in policies else ()
    asked = problems_with(problems, (*wording.reads, *candidates))
    options("policies", policies, NOTE_POLICIES)
    each_once("integrities", integrities)
    for integrity in integrities:
        share("integrities", integrity)

    g, policy = pl.col("integrity"), pl.col("policy")

    def kept(piece: pl.Expr, least: float) -> pl.Expr:
        return pl.when(g >= least).then(piece)

    request = kept(pl.lit(wording.request), _REQUEST_FROM)
    premise = kept(pl.col("premise"), _PREMISE_FROM)
    items, conclusion = wording.given, wording.conclusion
    lossy = sentences(conclusion, premise, kept(items, _BOTH_FROM), request)
    source_first = sentences(items, request, premise, kept(conclusion, _BOTH_FROM))
    names = pl.col("options").list.join(", ") if candidates else pl.lit("")
    named = pl.format("It was about one of {}.", names)

    cells = pl.DataFrame(
        [(name, float(integrity)) for name in policies for integrity in integrities],
        schema={"policy": pl.String, "integrity": pl.Float64},
        orient="row",
    )
    return each(asked, cells).select(
        "pid",
        "policy",
        "integrity",
        pl.when(policy == "lossy")
        .then(lossy)
        .when(policy == "lossy-padded")
        .then(padded(lossy, source_first))
        .when(policy == "source-first")
        .then(source_first)
        .when(policy == "source-plus-conclusion")
        .then(sentences(items, conclusion))
        .when(policy == "options-only")
        .then(named)
        .otherwise(pl.lit(NOTHING))
        .alias("note"),
    )
