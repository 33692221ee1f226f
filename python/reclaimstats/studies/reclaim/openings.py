"""The first session asked of a model: does it take the planted premise, or err by itself?"""

import polars as pl

from reclaimstats.design.columns import column_names
from reclaimstats.errors import DesignError
from reclaimstats.studies.reclaim.frames import problems_with
from reclaimstats.studies.reclaim.plans import plan
from reclaimstats.studies.reclaim.wording import Wording

__all__ = ["openings", "own_errors"]


def openings(problems: pl.DataFrame, *, planted: bool = True, seeds: int = 3) -> pl.DataFrame:
    """Lay out first sessions of one turn, with the planted premise in them or without.

    A row is a call. With the premise, the share that inherits says how far it leads a model
    astray; without it, what is wrong is the model's own error, for `own_errors`.

    Args:
        problems: As `problems`, `ledgers` or `puzzles` gives them.
        planted: Whether the premise is said.
        seeds: How often each call is repeated.

    Returns:
        As `plan`, with the policy "in-context", and the question in the place of a note.

    Raises:
        ColumnError: A column is missing or holds a null.
        OptionError: `seeds` is out of range.
        DesignError: A pid stands twice.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> calls = reclaim.openings(reclaim.problems(1), seeds=1)
        >>> print(calls["messages"][0][0]["content"].partition("? ")[2].partition(" End")[0])
        An earlier tally put the belts at $36.
    """
    wording = Wording.of(problems)
    asked = problems_with(problems, ("question", "premise"))
    store = [name for name in ("store",) if name in problems.columns]
    held = problems.select(
        "pid", *store, pl.lit("in-context").alias("policy"), pl.col("question").alias("note")
    )
    premise = pl.col("premise") if planted else pl.lit("")
    told = asked.select(
        "pid", pl.lit("premise" if planted else "none").alias("arm"), correction=premise
    )
    said = pl.concat_str("note", pl.lit(" "), "correction").str.strip_chars_end()
    turn = pl.struct(
        role=pl.lit("user"), content=pl.concat_str(said, wording.ending, separator=" ")
    )
    calls = plan(problems, held, told, seeds=seeds)
    return calls.with_columns(messages=pl.concat_list(turn))


def own_errors(trials: pl.DataFrame, problems: pl.DataFrame) -> pl.DataFrame:
    """Make problems of a model's own errors: what it answered is what a memory would keep.

    Args:
        trials: Answered and scored `openings` without the premise.
        problems: The problems that they were made of.

    Returns:
        A row for each wrong answer: the columns of `problems` but for those of the planted error
        (premise, locus, sound), with drift the model's answer, premise that it was given, and pid
        with the trial's seed behind it. So only corrections fit that name no place.

    Raises:
        ColumnError: A column is missing.
        DesignError: The trials had a premise.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> orders = reclaim.ledgers(8, items=[10])
        >>> calls = reclaim.openings(orders, planted=False, seeds=2)
        >>> errors = reclaim.own_errors(reclaim.scored(reclaim.read(calls, slip=0.5)), orders)
        >>> 0 < errors.height < calls.height, (errors["truth"] != errors["drift"]).all()
        (True, True)
    """
    column_names(trials.columns, ("pid", "arm", "seed", "wrong", "answer"), argument="trials")
    column_names(problems.columns, ("pid", "truth", "drift"), argument="problems")
    if set(trials["arm"]) - {"none"}:
        raise DesignError("own_errors: a premise led here; lay out openings with planted=False")
    found = trials.filter("wrong").select("pid", "seed", pl.col("answer").alias("given"))
    rows = found.join(problems, on="pid", maintain_order="left").with_columns(
        pid=pl.format("{} try={}", "pid", "seed"), drift="given"
    )
    given = pl.format("The first answer was {}.", Wording.of(problems).written("drift"))
    kept = [name for name in problems.columns if name not in ("locus", "sound")]
    return rows.with_columns(premise=given).select(kept)
