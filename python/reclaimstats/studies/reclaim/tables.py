"""What the replies come to: scores, tables with intervals, and the claim's kill condition."""

import polars as pl

from reclaimstats.comparison import compare
from reclaimstats.design import column_names
from reclaimstats.errors import DesignError
from reclaimstats.estimates import rate
from reclaimstats.options import probability
from reclaimstats.score import outcome
from reclaimstats.text import answer_number, answer_time, answer_word, completeness

__all__ = ["cluster_of", "design_of", "kill_conditions", "scored", "tables"]

_NEARER_THAN = 0.5
_IDENTITY = ("key", "pid", "store")
_BASELINES = ("lossy", "lossy-padded", "source-first")


def scored(trials: pl.DataFrame) -> pl.DataFrame:
    """Score answered trials, without a judge.

    A row is a trial. The answer is what the reply commits to. A number is recovered nearer than
    0.5 to the truth and inherited nearer than 0.5 to the drift; a name or time where it is the
    same. A null reply has no answer and no outcome.

    Args:
        trials: A plan with reply; note, truth, drift, source_items and, where the truth is a
            name, options are used.

    Returns:
        The trials with answer (Float64 or String); outcome (Enum: recovered, inherited, novel,
        abstained); recovered and wrong (Boolean: the truth, and another value given as the
        answer); n_kept (UInt64) and complete (Boolean), how many parts of the source its note
        holds by a test of tokens, and whether it holds all.

    Raises:
        ColumnError: A column is missing or of the wrong type.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> trials = reclaim.scored(reclaim.deterministic(reclaim.design("wall", n=4)))
        >>> trials.filter(policy="blank")["outcome"].unique().to_list()
        ['abstained']
    """
    needed = ("reply", "note", "truth", "drift", "source_items")
    column_names(trials.columns, needed, argument="trials")
    kept = completeness("note", "source_items")
    answered = pl.col("reply").is_not_null()
    if "slot" in trials.columns:
        answer = answer_time("reply")
    elif trials["truth"].dtype == pl.String:
        column_names(trials.columns, ("options",), argument="trials")
        answer = answer_word("reply", options=pl.col("options"))
    else:
        answer = answer_number("reply")
    return (
        trials.with_columns(answer=answer, kept=kept)
        .with_columns(
            outcome=pl.when(answered).then(
                outcome("answer", "truth", "drift", tolerance=_NEARER_THAN)
            ),
            n_kept=pl.col("kept").struct.field("kept"),
            complete=pl.col("kept").struct.field("kept") == pl.col("kept").struct.field("total"),
        )
        .with_columns(
            recovered=pl.col("outcome") == "recovered",
            wrong=pl.col("outcome").is_in(["inherited", "novel"]),
        )
        .drop("kept")
    )


def design_of(trials: pl.DataFrame) -> list[str]:
    """Return the columns that tell cells apart: those before `seed` that name no problem."""
    column_names(trials.columns, ("pid", "policy", "seed"), argument="scored")
    before = trials.columns[: trials.columns.index("seed")]
    return [name for name in before if name not in _IDENTITY]


def cluster_of(trials: pl.DataFrame) -> str:
    """Return the column of trials that resemble each other: the store, or else the problem."""
    return "store" if "store" in trials.columns else "pid"


def tables(trials: pl.DataFrame, *, confidence_level: float = 0.95) -> dict[str, pl.DataFrame]:
    """Make the study's tables, each a frame with a row for each cell.

    Cells are told apart by the columns in front of `seed`, clusters are problems or stores.

    Args:
        trials: As `scored` gives them; several models' can be one frame with a column `model`
            in front.
        confidence_level: Of the intervals.

    Returns:
        `reclaim`, the share of replies that recover the truth, and `wrong`, that give another
        value, as `rate` gives them; `outcomes`, the counts of each outcome; `reclaim_against`,
        each policy's reclaim rate minus that of `lossy` (or, where there is none, of
        `lossy-padded` or `source-first`), and `wrong_against_blank`, each policy's wrong answers
        minus those of an empty memory, as `compare` gives them, where there is such a baseline
        and another policy.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        OptionError: The level is out of range.

    Examples:
        >>> from reclaimstats.studies import reclaim
        >>> answered = reclaim.deterministic(reclaim.design("wall", n=8))
        >>> cells = reclaim.tables(reclaim.scored(answered))["reclaim"]
        >>> cells.filter(integrity=0.1, arm="directed")["estimate"].to_list()
        [0.0, 0.0, 0.0, 1.0]
    """
    by, cluster = design_of(trials), cluster_of(trials)
    result = {
        "reclaim": rate(
            trials, "recovered", by=by, cluster=cluster, confidence_level=confidence_level
        ),
        "wrong": rate(trials, "wrong", by=by, cluster=cluster, confidence_level=confidence_level),
        "outcomes": _outcomes(trials, by),
    }
    policies = set(trials["policy"])
    others = [name for name in by if name != "policy"]
    pairs = list(dict.fromkeys(name for name in ("pid", "seed") if name not in others))
    baseline = next((name for name in _BASELINES if name in policies), None)
    for name, value, against in (
        ("reclaim_against", "recovered", baseline),
        ("wrong_against_blank", "wrong", "blank"),
    ):
        if against in policies and len(policies) > 1:
            result[name] = compare(
                trials,
                value,
                contrast="policy",
                baseline=against,
                pair_by=pairs,
                by=others,
                cluster=cluster,
                confidence_level=confidence_level,
            )
    return result


def _outcomes(trials: pl.DataFrame, by: list[str]) -> pl.DataFrame:
    kinds = trials["outcome"].dtype.categories.to_list()  # type: ignore[attr-defined]
    counts = [(pl.col("outcome") == kind).sum().cast(pl.Int64).alias(kind) for kind in kinds]
    missing = pl.col("outcome").is_null().sum().cast(pl.Int64).alias("n_missing")
    return trials.group_by(by).agg(*counts, missing).sort(by)


def kill_conditions(
    trials: pl.DataFrame, *, by: str | None = "model", confidence_level: float = 0.95
) -> pl.DataFrame:
    """Say, per model, whether it carries the claim that a lossy memory is worse than an empty one.

    The claim: under a lossy memory a model gives a wrong answer more often than under a blank one.
    It is broken by a model for which that is not so. The difference is paired by problem, design
    and seed, and its interval respects problems as clusters.

    Args:
        trials: As `scored` gives them, with the policies lossy and blank, at integrities where
            the lossy note holds no source: others are left out.
        by: Column that tells models apart, or None where there is one.
        confidence_level: Of the interval.

    Returns:
        The columns of `compare` that matter here, behind `by`: n_pairs, n_clusters, treatment
        (lossy), baseline (blank), difference, low, high, permutation_p, flip_p, and verdict:
        "carries" where the interval lies above 0, "breaks" where it lies at or below 0, else
        "undecided", which is also the verdict where there is no interval.

    Raises:
        ColumnError: A column is missing or of the wrong type.
        DesignError: A policy is missing, or no lossy note is without its source.
        OptionError: The level is out of range.

    Examples:
        >>> import polars as pl
        >>> from reclaimstats.studies import reclaim
        >>> plan = reclaim.design("wall", n=16)
        >>> answered = [
        ...     reclaim.disposed(plan, inherits=share).insert_column(0, pl.lit(name).alias("model"))
        ...     for name, share in (("careful", 0.0), ("bold", 0.8))
        ... ]
        >>> verdicts = reclaim.kill_conditions(reclaim.scored(pl.concat(answered)))
        >>> verdicts.select("model", "verdict").rows()
        [('bold', 'carries'), ('careful', 'undecided')]
    """
    level = probability("confidence_level", confidence_level)
    groups = [] if by is None else [by]
    column_names(trials.columns, [*groups, "complete", "n_kept"], argument="trials")
    design = [name for name in design_of(trials) if name not in (*groups, "policy")]
    at_wall = trials.filter(pl.col("policy").is_in(["lossy", "blank"]))
    kept = pl.when(policy="lossy").then("n_kept").max().over([*groups, *design, "pid"])
    at_wall = at_wall.filter(kept == 0)
    if set(at_wall["policy"]) != {"lossy", "blank"}:
        raise DesignError(
            "the claim is about notes of policy 'lossy' that hold nothing of the source, beside "
            f"notes of policy 'blank'; the trials hold {sorted(set(trials['policy']))}"
        )
    result = compare(
        at_wall,
        "wrong",
        contrast="policy",
        baseline="blank",
        pair_by=[*dict.fromkeys(["pid", *design, "seed"])],
        by=groups,
        cluster=cluster_of(trials),
        confidence_level=level,
    )
    verdict = (
        pl.when(pl.col("low") > 0)
        .then(pl.lit("carries"))
        .when(pl.col("high") <= 0)
        .then(pl.lit("breaks"))
        .otherwise(pl.lit("undecided"))
    )
    shown = [
        *groups, "n_pairs", "n_clusters", "treatment", "baseline", "difference", "low", "high",
        "permutation_p", "flip_p",
    ]  # fmt: skip
    return result.select(*shown, verdict=verdict)
